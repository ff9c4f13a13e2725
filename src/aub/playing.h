/* A trace at play: what telling, running, memory and saving share. */
#ifndef FRONTEND_AUB_PLAYING_H
#define FRONTEND_AUB_PLAYING_H

#include "base/report.h"
#include "base/state.h"
#include "device/host.h"
#include "aub/aub.h"
#include "aub/replay.h"

struct sparse_memory;

#define DEFAULT_MEMORY_BYTES (UINT64_C(8) << 30)
enum { NS_PER_DWORD = 2 /* virtual time of commands that take none of their own */ };
#define DEFAULT_BUDGET_DW (UINT64_C(256) << 20)

/* Draws that are not drawn, of a trace that does not have what they read. */
struct undrawn {
    uint64_t count;
    char first[200]; /* what the first came to */
    bool is_old;     /* none is: a recording that does not say whether its device drew */
};

struct replay {
    const struct replay_options *options;
    struct replay_result *result;
    struct sparse_memory *memory;
    struct softgt *device;
    uint64_t mmio_bytes, ggtt_bytes;
    bool has_local; /* memory */
    uint64_t dwords_seen;
    uint64_t calls;        /* of the sink's functions */
    uint64_t resume_call;  /* loaded: the one in which it was saved; those before are not done again */
    uint64_t digest;       /* saved or loaded: of the trace up to that call's packet */
    uint64_t offset;       /* of the packet at hand */
    uint64_t submission;   /* how often engines were given something to run */
    struct run_extent run; /* what is left of it */
    bool resuming;         /* in that call, until its run goes on */
    bool paced;            /* a recording: comments say when engines run */
    bool
        program; /* made of a .gts program: guest errors that it does not expect fail it, and nobody resets */
    struct undrawn lost;
    bool ended; /* where it was to end, before the trace does */
    bool saved, unusable, ggtt_changed, deferred_differs;
    uint64_t messages, faults_excused;
    uint64_t mistakes[MISTAKES];
    unsigned loops, engines;
    char **expected; /* of a program: complaints, as "guest_error text" */
    size_t expected_count;
    bool no_memory;     /* the host's is at its end */
    unsigned tolerated; /* by a program, as replay_options.tolerate */
};

/* What is to be done with a packet: a loaded run has seen those before the one it was saved in. */
enum packet_action { PACKET_STOP, PACKET_SKIP, PACKET_DO, PACKET_RESUME };

static inline bool replay_stopped(const struct replay *r)
{
    return r->options->stop && *r->options->stop;
}

/* Dwords that may be parsed until nothing moves any more. */
static inline uint64_t replay_budget_dw(const struct replay *r)
{
    return r->options->budget_dw ? r->options->budget_dw : DEFAULT_BUDGET_DW;
}

enum { GGTT_FLUSH = 0x101008 }; /* what a driver writes behind its changes of the table */

/* replay.c */
/* False: out of memory, which is told. */
bool replay_begin(struct replay *r, const struct replay_options *options, struct replay_result *result);
void replay_end(struct replay *r);
struct aub_sink replay_sink(struct replay *r);
__attribute__((format(printf, 4, 5))) void replay_log(struct replay *r, enum replay_message_kind kind,
                                                      uint64_t offset, const char *format, ...);
/* False. */
bool replay_unusable(struct replay *r, uint64_t offset, const char *text);
enum packet_action replay_begin_packet(struct replay *r, const struct aub_packet *at);
/* Whether the packet is about a register there is; if not, it is told. */
bool replay_is_register(struct replay *r, const struct aub_packet *at, const struct aub_register *reg);
uint64_t replay_read_register(struct replay *r, const struct aub_register *reg);
/* Engines run until nothing moves. False: no use going on. */
bool replay_run(struct replay *r, const struct aub_packet *at);

/* replay_engines.c */
/* Runs on the budget that is left; saves where that is asked for. */
void replay_run_engines(struct replay *r, const struct aub_packet *at);
/* A complaint of the device. */
void replay_report(void *user, const struct softgt_report *report);
/* The trace is over: what its engines are left with, and what they did not do. */
void replay_check_engines(struct replay *r);
/* A program's trace says which complaints it expects. True: the comment is such a one. */
bool replay_program_comment(struct replay *r, const char *text);

/* replay_state.c */
void replay_save(struct replay *r, const struct aub_packet *at);
bool replay_load(struct replay *r, uint64_t offset);
/* The state to load is no good; false. */
bool replay_refuse_state(struct replay *r, uint64_t offset, const char *why);

/* replay_memory.c */
/* Reads or writes trace memory. False after telling. */
bool replay_access(struct replay *r, const struct aub_packet *at, const struct aub_memory *m,
                   uint64_t address, uint8_t *to, size_t size_bytes);
bool replay_memory_write(void *user, const struct aub_packet *at, const struct aub_memory *m);
bool replay_memory_compare(void *user, const struct aub_packet *at, const struct aub_memory *m);
bool replay_memory_poll(void *user, const struct aub_packet *at, const struct aub_memory *m);

#endif
