/*
 * Scheduling of contexts on engines. An engine runs one context and may have one submitted that comes next.
 * Of the contexts with work it gets the one of highest priority, and of equal priority the one that has
 * waited longest. The engine reports switches in its FIFO of context statuses.
 */
#ifndef GUC_SCHEDULE_H
#define GUC_SCHEDULE_H

#include "guc/guc.h"

enum guc_context_flags {
    CONTEXT_REGISTERED = 1u << 0,
    CONTEXT_ENABLED = 1u << 1,      /* scheduling is on */
    CONTEXT_READY = 1u << 2,        /* has work, as far as the GuC knows */
    CONTEXT_TAIL_CHANGED = 1u << 3, /* submitted again after the engine read its ring tail */
    CONTEXT_PENDING_DISABLE = 1u << 4,
    CONTEXT_PENDING_DEREGISTER = 1u << 5,
    CONTEXT_YIELDED = 1u << 6,        /* left its engine on a wait; resumes after a time */
    CONTEXT_PENDING_ENABLE = 1u << 7, /* enable when the disable is done */
    CONTEXT_FUNCTION = VF_MAX << 8,   /* owner */
    CONTEXT_FUNCTION_SHIFT = 8,
    CONTEXT_PENDING_DONE_ONE = 1u << 24, /* count: disables requested while one was pending */
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

/* The function that owns the context: its memory is used. */
static inline struct guc_function *guc_context_owner(const struct guc *g, uint32_t id)
{
    return &g->functions[guc_context_function(guc_context(g, id))];
}

/* The id as the owner's driver counts it. */
static inline uint32_t guc_local_id(const struct guc *g, uint32_t id)
{
    return id - guc_context_owner(g, id)->provisioning.first_context;
}

/* Sends an event about a context to its owner. Call it before the context is cleared. */
void guc_context_event(struct guc *g, uint32_t id, uint16_t action);
/* Queues the function's contexts again, after its run state or provisioning has changed. */
void guc_function_requeue(struct guc *g, unsigned function);
/* An engine runs one of its contexts or has it submitted. */
bool guc_function_is_on_engine(const struct guc *g, unsigned function);
/* Removes the function's contexts from the engines and clears them. */
void guc_drop_function_contexts(struct guc *g, unsigned function);

/* run_queue.c: the table of contexts, and the run queues. */
bool guc_schedule_create(struct guc *g);
void guc_schedule_destroy(struct guc *g);
void guc_schedule_settle(struct guc *g);
void guc_schedule_state(struct guc *g, struct state *s);
/* The first context in the run queues of a function for an engine, and its priority; GUC_NO_CONTEXT. */
uint32_t guc_run_queue_first(const struct guc *g, unsigned function, unsigned engine, unsigned *priority);
/* Moves a context to the run queues that its state asks for. */
void guc_context_requeue(struct guc *g, uint32_t id);
/* Marks the part of the table that holds the context as used. */
void guc_context_mark_used(struct guc *g, uint32_t id);
/* Unregisters a context. */
void guc_context_clear(struct guc *g, uint32_t id);
/* Gives the ticket back when an engine starts the context: its next work queues last. */
void guc_queue_ticket_release(struct guc *g, struct guc_context *c);

/* vf_time_slices.c. guc_vf_scheduled: the function that an engine serves. guc_vf_quantum_end_ns: when the
 * running function's time slice ends (UINT64_MAX: never). With strict time slices: the function scheduled
 * now, and when its slice ends (UINT64_MAX: no strict time slices). guc_vf_quantum_expired: the engine runs a
 * context outside its function's strict slice. */
unsigned guc_vf_scheduled(const struct guc *g, unsigned engine);
uint64_t guc_vf_quantum_end_ns(const struct guc *g, const struct guc_engine_state *s);
uint64_t guc_vf_strict_quantum_end_ns(const struct guc *g, unsigned *function);
bool guc_vf_quantum_expired(const struct guc *g, const struct guc_engine_state *s);

/* The context has work: schedules its engines. */
void guc_context_submit(struct guc *g, uint32_t id);
/* Preempts a context and its children, for the reason in `flag`. The reply is sent once they have left their
 * engines. */
void guc_context_begin_leave(struct guc *g, uint32_t id, uint32_t flag);
/* Sends the pending replies if the context and its children are off their engines. */
void guc_context_finish_leave(struct guc *g, uint32_t id);
/* Enables a context and its children, and sends SCHED_CONTEXT_MODE_DONE. */
void guc_context_enable(struct guc *g, uint32_t id);
/* Recomputes the preemption deadline after a change of policy. */
void guc_context_update_deadline(struct guc *g, uint32_t id);
/* Withdraws a submission that the engine has not started. */
void guc_drop_submission(struct guc *g, unsigned engine);
void guc_schedule(struct guc *g, unsigned engine);
void guc_schedule_engines(struct guc *g, uint32_t engines);
/* Handles the context statuses that an engine has reported. */
void guc_drain_csb(struct guc *g, unsigned engine);
/* Handles an engine in service_mask: statuses, stop, wait, timeout. */
void guc_service_engine(struct guc *g, unsigned engine);
static inline void guc_service_all_engines(struct guc *g)
{
    g->engine_states.service_mask = (1u << g->engine_count) - 1u;
}
/* Clears all contexts. */
void guc_drop_all_contexts(struct guc *g, bool reset_engines);
void guc_schedule_advance(struct guc *g);
uint64_t guc_schedule_next_ns(const struct guc *g);

/* engine_reset.c: resets an engine after a hang or a catastrophic memory error of its context. */
void guc_recover_engine(struct guc *g, unsigned engine, bool catastrophe);
/* The engine's watchdog has expired. */
void guc_watchdog_expired(struct guc *g, unsigned engine);
/* Resets the engine; registers of the host's save/restore list keep their values. */
void guc_reset_engine(struct guc *g, unsigned engine);
/* engine_activity.c: an engine starts a context, or has stopped it. */
void guc_engine_activity_update(struct guc *g, unsigned engine, uint32_t id, bool begins);

/* Offsets in the ADS. (Linux, intel_guc_fwif.h) */
enum {
    ADS_REGISTERS = 0,
    ADS_POLICIES = 0x1004,
    ADS_GOLDEN = 0x1014,
    ADS_GOLDEN_BYTES = 0x1054,
    ADS_CAPTURE_INSTANCE = 0x109c,
    ADS_CAPTURE_CLASS = 0x111c,
    ADS_CAPTURE_GLOBAL = 0x119c,
};
/* A dword of the ADS; 0: no ADS. */
static inline uint32_t guc_ads(struct guc *g, uint32_t offset)
{
    uint32_t value = 0;
    if (g->boot.ads)
        guc_load(g->functions, g->boot.ads + offset, &value, sizeof value);
    return value;
}

#endif
