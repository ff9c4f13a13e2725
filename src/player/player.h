/* A program at play on a device: what running it, showing and expectations share. */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "player/play.h"

struct sparse_memory;

struct player_report {
    enum softgt_complaint complaint;
    enum softgt_mistake mistake;
    unsigned line, column; /* of the operation that ran */
    bool is_expected;
    bool is_past_end; /* commands went on behind the last of the text */
    char text[200];
};

/* Another way to play a program, that must come to the same. (play_check.c) */
struct player_variant {
    const char *name;
    uint32_t cut_dw;    /* into budgets of so many dwords; 0: whole */
    bool reloads_state; /* after each of them the state goes on in a fresh device */
    bool cuts_time;
    bool replays_after_reset; /* on a device that played it before and was reset */
};

/* With room for the next one. */
struct saved_state {
    uint8_t *bytes;
    size_t size, capacity;
};

struct player {
    struct gts_source *source;
    struct softgt_config config;
    const struct player_variant *variant; /* NULL: as it is written */
    uint64_t steps;                       /* cuts so far */
    const struct gts_options *options;
    struct softgt *device;
    struct softgt *reload_device; /* for what is saved */
    struct saved_state saved[2];  /* play_check.c */
    struct sparse_memory *memory;
    const struct gts_program *program;
    const struct gts_operation *current;
    const struct gts_operation *pending_submit; /* a submit since which nothing ran, or NULL */
    struct gts_outcome outcome;
    bool expectation_failed; /* the expectation being looked at */
    unsigned failures;
    bool out_of_memory;     /* the host's is at its end: nothing that was found counts */
    unsigned wanted_events; /* trace events the program looks at */
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
/* At the end: complaints that nobody expected, and what it all came to. */
enum gts_result player_finish(struct player *p, const struct gts_program *program);
/* Empty memory, no events, no complaints. */
void player_clear(struct player *p);
__attribute__((format(printf, 3, 4))) void player_fail(struct player *p, const struct gts_operation *o,
                                                       const char *format, ...);
void player_show(struct player *p, const struct gts_operation *o, const char *text);
bool player_read_bytes(struct player *p, const struct gts_operation *o, void *data, size_t size);
bool player_read_value(struct player *p, const struct gts_operation *o, uint64_t *value);
bool player_value_matches(const struct gts_operation *o, uint64_t value);
const char *player_complaint_name(uint64_t kind);

/* play_check.c: going on, in the way of the variant. True: it could run on. */
bool player_run_budget(struct player *p, uint64_t budget_dw);
bool player_run(struct player *p, uint64_t limit_dw);
void player_advance(struct player *p, uint64_t ns);

/* play_show.c */
void player_show_value(struct player *p, const struct gts_operation *o);

/* play_expect.c */
void player_expect(struct player *p, const struct gts_operation *o);
uint64_t player_faults(struct player *p);

#endif
