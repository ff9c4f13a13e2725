/* State of a replay, shared by the files of src/aub. */
#ifndef AUB_PLAYING_H
#define AUB_PLAYING_H

#include "base/report.h"
#include "base/state.h"
#include "device/host.h"
#include "aub/aub.h"
#include "aub/replay.h"

struct sparse_memory;

#define DEFAULT_MEMORY_BYTES (UINT64_C(8) << 30)
enum { NS_PER_DWORD = 2 /* virtual time of commands without a cost of their own */ };
#define DEFAULT_BUDGET_DW (UINT64_C(256) << 20)

/* Draws that did not run because the trace lacks memory that they read. */
struct undrawn {
    uint64_t count;
    char first[200]; /* report of the first */
    bool is_old;     /* no draw ran: an old recording does not say whether its device ran draws */
};

/* A trace made from a .gts program. Unexpected guest errors fail it, and engines are not reset. */
struct program_expectations {
    bool is_program;
    unsigned tolerated; /* as replay_options.tolerate */
    char **expected;    /* expected reports, such as "guest_error text" */
    size_t expected_count;
};

struct replay {
    const struct replay_options *options;
    struct replay_result *result;
    struct sparse_memory *memory;
    struct softgt *device;
    uint64_t mmio_bytes, ggtt_bytes;
    bool has_local; /* the device has local memory */
    uint64_t dwords_seen;
    uint64_t calls;        /* calls of the sink's functions */
    uint64_t resume_call;  /* loaded replay: the call in which it was saved; earlier ones are skipped */
    uint64_t digest;       /* saved or loaded replay: of the trace up to that call's packet */
    uint64_t offset;       /* of the current packet */
    uint64_t submission;   /* how often engines were started */
    struct run_extent run; /* what is left of the current run */
    bool resuming;         /* loaded replay: inside that call, until its run has resumed */
    bool paced;            /* a recording: its comments say when engines run */
    struct program_expectations program;
    struct undrawn lost;
    bool ended; /* ended by an option before the end of the trace */
    bool saved, unusable, ggtt_changed, deferred_differs;
    uint64_t messages, faults_excused;
    uint64_t mistakes[MISTAKES];
    unsigned loops, engines;
    bool no_memory; /* the host is out of memory */
};

/* What to do with a packet. A loaded replay skips those before the one in which it was saved. */
enum packet_action { PACKET_STOP, PACKET_SKIP, PACKET_DO, PACKET_RESUME };

static inline bool replay_stopped(const struct replay *r)
{
    return r->options->stop && r->options->stop(r->options->user);
}

/* Budget of a submission, in dwords. */
static inline uint64_t replay_budget_dw(const struct replay *r)
{
    return r->options->budget_dw ? r->options->budget_dw : DEFAULT_BUDGET_DW;
}

enum { GGTT_FLUSH = 0x101008 }; /* written by a driver after changes of the table */

/* replay.c */
/* False: out of memory, which is reported. */
bool replay_begin(struct replay *r, const struct replay_options *options, struct replay_result *result);
void replay_end(struct replay *r);
struct aub_sink replay_sink(struct replay *r);
__attribute__((format(printf, 4, 5))) void replay_log(struct replay *r, enum replay_message_kind kind,
                                                      uint64_t offset, const char *format, ...);
/* A compare failed. These messages have a limit of their own: they do not hide what the device reports. */
__attribute__((format(printf, 3, 4))) void replay_compare_failed(struct replay *r, uint64_t offset,
                                                                 const char *format, ...);
/* Returns false. */
bool replay_unusable(struct replay *r, uint64_t offset, const char *text);
enum packet_action replay_begin_packet(struct replay *r, const struct aub_packet *at);
/* The packet's register exists. If not, this is reported. */
bool replay_is_register(struct replay *r, const struct aub_packet *at, const struct aub_register *reg);
uint64_t replay_read_register(struct replay *r, const struct aub_register *reg);
/* Runs until the engines are idle. False: give up. */
bool replay_run(struct replay *r, const struct aub_packet *at);

/* replay_engines.c */
/* Runs with the remaining budget; saves when requested. */
void replay_run_engines(struct replay *r, const struct aub_packet *at);
/* Handles a report of the device. */
void replay_report(void *user, const struct softgt_report *report);
/* At the end of the trace: reports engines that have not finished. */
void replay_check_engines(struct replay *r);
/* Comments of a program's trace that list the reports it expects. True: the comment is one of them. */
bool replay_program_comment(struct replay *r, const char *text);

/* replay_state.c */
void replay_save(struct replay *r, const struct aub_packet *at);
bool replay_load(struct replay *r, uint64_t offset);
/* Reports that the state cannot be loaded; returns false. */
bool replay_refuse_state(struct replay *r, uint64_t offset, const char *why);

/* replay_memory.c */
/* Reads or writes memory of the trace. False: failed, and reported. */
bool replay_access(struct replay *r, const struct aub_packet *at, const struct aub_memory *m,
                   uint64_t address, uint8_t *to, size_t size_bytes);
bool replay_memory_write(void *user, const struct aub_packet *at, const struct aub_memory *m);
bool replay_memory_compare(void *user, const struct aub_packet *at, const struct aub_memory *m);
bool replay_memory_poll(void *user, const struct aub_packet *at, const struct aub_memory *m);

#endif
