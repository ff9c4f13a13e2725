/*
 * Contexts and the engines that they run on. An engine has one context and may have one that comes next; of
 * those that have work it gets the most urgent, and of as urgent ones the one that has waited longest. What
 * an engine does with what it got it says in its FIFO of context statuses.
 */
#ifndef GUC_SCHEDULE_H
#define GUC_SCHEDULE_H

#include "guc/message.h"

enum guc_context_flags {
    CONTEXT_REGISTERED = 1u << 0,
    CONTEXT_ENABLED = 1u << 1,      /* its scheduling is */
    CONTEXT_READY = 1u << 2,        /* it has work, as far as the GuC knows */
    CONTEXT_TAIL_CHANGED = 1u << 3, /* more of it since the engine has looked at its tail */
    CONTEXT_PENDING_DISABLE = 1u << 4,
    CONTEXT_PENDING_DEREGISTER = 1u << 5,
    CONTEXT_YIELDED = 1u << 6,              /* it left its engine to wait; time lets it come back */
    CONTEXT_PENDING_ENABLE = 1u << 7,       /* it is turned on again when it is out */
    CONTEXT_FUNCTION = MOST_FUNCTIONS << 8, /* whose it is */
    CONTEXT_FUNCTION_SHIFT = 8,
    CONTEXT_PENDING_DONE_ONE = 1u << 24, /* counts: turned off so often more while it was leaving */
    CONTEXT_PENDING_DONE_MASK = 7u << 24,
    CONTEXT_FLAGS = CONTEXT_PENDING_DONE_MASK | CONTEXT_FUNCTION | 0xff,
};

static inline struct guc_context *guc_context(const struct guc *g, uint32_t id)
{
    return &g->contexts[id % GUC_CONTEXTS];
}

static inline unsigned guc_context_function(const struct guc_context *c)
{
    return (c->flags & CONTEXT_FUNCTION) >> CONTEXT_FUNCTION_SHIFT;
}

/* Whose it is, who may use what memory for it. */
static inline struct guc_function *guc_context_owner(const struct guc *g, uint32_t id)
{
    return &g->functions[guc_context_function(guc_context(g, id))];
}

/* What its driver calls a context: functions count theirs from 0 on. */
static inline uint32_t guc_local_id(const struct guc *g, uint32_t id)
{
    return id - guc_context_owner(g, id)->provisioning.first_context;
}

/* Whose context it is must be asked before it is forgotten: tells its driver of it. */
void guc_context_event(struct guc *g, uint32_t id, uint16_t action);
/* A function's contexts may run, or may not any more. */
void guc_function_requeue(struct guc *g, unsigned function);
/* Whether one of them is in an engine. */
bool guc_function_is_on_engine(const struct guc *g, unsigned function);
/* Nothing is known of its contexts, and no engine has one. */
void guc_drop_function_contexts(struct guc *g, unsigned function);

/* run_queue.c: all contexts, and which of them are ready for an engine. */
bool guc_schedule_create(struct guc *g);
void guc_schedule_destroy(struct guc *g);
void guc_schedule_settle(struct guc *g);
void guc_schedule_state(struct guc *g, struct state *s);
#define GUC_NO_CONTEXT UINT32_MAX
/* The most urgent of a function that waits for an engine, and how urgent it is. */
uint32_t guc_run_queue_first(const struct guc *g, unsigned function, unsigned engine, unsigned *priority);
/* It changed whether, where, or how urgently a context may run. */
void guc_context_requeue(struct guc *g, uint32_t id);
/* A context is written: its part of the table is in use. */
void guc_context_mark_used(struct guc *g, uint32_t id);
/* Nothing is known of it any more. */
void guc_context_clear(struct guc *g, uint32_t id);
/* An engine has it: it waits behind all others from its next work on. */
void guc_queue_ticket_release(struct guc *g, struct guc_context *c);

/* vf_time_slices.c: which function an engine is for; until when it is the one's whose contexts it has
 * (UINT64_MAX: without end). Where each has its time, whether it uses it or not: whose it is and when that
 * ends (UINT64_MAX: they have not), and whether the engine has another one's context. */
unsigned guc_vf_scheduled(const struct guc *g, unsigned engine);
uint64_t guc_vf_quantum_end_ns(const struct guc *g, const struct guc_engine_state *s);
uint64_t guc_vf_strict_quantum_end_ns(const struct guc *g, unsigned *function);
bool guc_vf_quantum_expired(const struct guc *g, const struct guc_engine_state *s);

/* More work; the engines that it may run on are looked at. */
void guc_context_submit(struct guc *g, uint32_t id);
/* It leaves its engine; what it was asked to leave for is told when it is out. */
void guc_context_begin_leave(struct guc *g, uint32_t id, uint32_t flag);
/* It is out of its engine, and its children are: what was owed for that is told. */
void guc_context_finish_leave(struct guc *g, uint32_t id);
/* Its scheduling is on, and that is told. */
void guc_context_enable(struct guc *g, uint32_t id);
/* How long it may take to leave has changed. */
void guc_context_update_deadline(struct guc *g, uint32_t id);
/* No list of an engine names what it has not begun. */
void guc_drop_submission(struct guc *g, unsigned engine);
void guc_schedule(struct guc *g, unsigned engine);
void guc_schedule_engines(struct guc *g, uint32_t engines);
/* What an engine has said of its contexts. */
void guc_drain_csb(struct guc *g, unsigned engine);
/* An engine asks for attention: statuses, a stop, a wait, time. */
void guc_service_engine(struct guc *g, unsigned engine);
/* All engines ask for it. */
static inline void guc_service_all_engines(struct guc *g)
{
    g->engine_states.service_mask = (1u << g->engine_count) - 1u;
}
/* All contexts are forgotten, engines left. */
void guc_drop_all_contexts(struct guc *g, bool reset_engines);
void guc_schedule_advance(struct guc *g);
uint64_t guc_schedule_next_ns(const struct guc *g);

/* engine_reset.c: a context hangs in an engine, or accessed what is not there. */
void guc_recover_engine(struct guc *g, unsigned engine, bool catastrophe);
/* The watchdog of what an engine has expired. */
void guc_watchdog_expired(struct guc *g, unsigned engine);
/* Registers that the host wants kept are. */
void guc_reset_engine(struct guc *g, unsigned engine);
/* engine_activity.c: an engine takes a context, or has none from now on. */
void guc_engine_activity_update(struct guc *g, unsigned engine, uint32_t id, bool begins);

/* Offsets in what the host describes itself by. (Linux, intel_guc_fwif.h) */
enum {
    ADS_REGISTERS = 0,
    ADS_POLICIES = 0x1004,
    ADS_GOLDEN = 0x1014,
    ADS_GOLDEN_BYTES = 0x1054,
    ADS_CAPTURE_INSTANCE = 0x109c,
    ADS_CAPTURE_CLASS = 0x111c,
    ADS_CAPTURE_GLOBAL = 0x119c,
};
/* Of it, a dword; 0: it is not there. */
static inline uint32_t guc_ads(struct guc *g, uint32_t offset)
{
    uint32_t value = 0;
    if (g->boot.ads)
        guc_load(g->functions, g->boot.ads + offset, &value, sizeof value);
    return value;
}

#endif
