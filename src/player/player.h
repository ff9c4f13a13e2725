/* A program that plays on a device: shared by running, output and expectations. */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "player/play.h"

struct sparse_memory;

struct player_report {
    enum softgt_complaint complaint;
    enum softgt_mistake mistake;
    unsigned line, column; /* of the operation that was running */
    bool is_expected;
    bool is_past_end; /* commands ran past the last one of the text */
    bool has_ppgtt;   /* the address that it is about is in a PPGTT that the engine has loaded */
    char text[200];
};

/* A variant of a play that must give the same results. (play_check.c) */
struct player_variant {
    const char *name;
    uint32_t cut_dw;    /* budget in dwords; 0: unlimited */
    bool reloads_state; /* loads the state into a new device after each cut */
    bool cuts_time;
    bool replays_after_reset; /* plays on a device that played it before and was reset */
};

/* A saved state; its buffer is reused. */
struct saved_state {
    uint8_t *bytes;
    size_t size, capacity;
};

struct player {
    struct gts_source *source;
    struct softgt_config config;
    const struct player_variant *variant; /* NULL: the plain run */
    uint64_t steps;                       /* cuts so far */
    const struct gts_options *options;
    struct softgt *device;
    struct softgt *reload_device; /* a new device to load saved states into */
    struct saved_state saved[2];  /* play_check.c */
    struct sparse_memory *memory;
    const struct gts_program *program;
    const struct gts_operation *current;
    const struct gts_operation *pending_submit; /* a submit after which nothing ran yet, or NULL */
    struct gts_outcome outcome;
    bool expectation_failed; /* the current expectation failed */
    unsigned failures;
    bool out_of_memory;     /* the host is out of memory: results are invalid */
    unsigned wanted_events; /* trace events that expectations need */
    struct softgt_event *events;
    size_t event_count, event_capacity;
    bool events_lost;
    struct player_report *reports;
    size_t report_count, marked_reports;
    uint64_t reports_lost;
    uint64_t interrupts, marked_interrupts, marked_faults;
};

/* play_device.c */
bool player_open(struct player *p, const struct gts_program *program, struct gts_source *source,
                 const struct player_variant *variant);
void player_close(struct player *p);
struct gts_target player_target(struct player *p);
/* At the end: reports unexpected complaints, and returns the result. */
enum gts_result player_finish(struct player *p, const struct gts_program *program);
/* Clears memory, events and complaints. */
void player_clear(struct player *p);
__attribute__((format(printf, 3, 4))) void player_fail(struct player *p, const struct gts_operation *o,
                                                       const char *format, ...);
void player_show(struct player *p, const struct gts_operation *o, const char *text);
bool player_read_bytes(struct player *p, const struct gts_operation *o, void *data, size_t size);
bool player_read_value(struct player *p, const struct gts_operation *o, uint64_t *value);
/* " & MASK" if the operation compares only some bits, otherwise "". */
void player_mask_text(const struct gts_operation *o, char *text, size_t size);
bool player_value_matches(const struct gts_operation *o, uint64_t value);
const char *player_complaint_name(uint64_t kind);

/* play_check.c: runs as the variant demands. True: the device can run on. */
bool player_run_budget(struct player *p, uint64_t budget_dw);
bool player_run(struct player *p, uint64_t limit_dw);
void player_advance(struct player *p, uint64_t ns);

/* play_show.c */
void player_show_value(struct player *p, const struct gts_operation *o);

/* play_expect.c */
void player_expect(struct player *p, const struct gts_operation *o);
uint64_t player_faults(struct player *p);

#endif
