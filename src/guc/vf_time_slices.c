/* Time slices of functions on an engine, as the PF driver provisions them. (SYS-24) */
#include "guc/schedule.h"

uint64_t guc_vf_quantum_end_ns(const struct guc *g, const struct guc_engine_state *s)
{
    const uint32_t quantum_ms = g->functions[s->function].provisioning.exec_quantum_ms;
    return quantum_ms ? s->function_since_ns + quantum_ms * UINT64_C(1000000) : UINT64_MAX;
}

/* Strict time slices (SCHED_IF_IDLE): each running function has its slice, used or not, in the order of their
 * numbers. A slice is the execution quantum, or 1 ms if that is 0. (Linux, guc_klvs_abi.h) */
uint64_t guc_vf_strict_quantum_end_ns(const struct guc *g, unsigned *function)
{
    enum { UNSAID_MS = 1 };
    uint64_t all_ns = 0;
    for (unsigned pass = 0; g->vgt.sched_if_idle && g->vf_count && pass < 2; pass++) {
        uint64_t end_ns = all_ns ? g->log->now_ns - g->log->now_ns % all_ns : 0;
        for (unsigned n = 0; n <= g->vf_count; n++) {
            const uint32_t quantum_ms = g->functions[n].provisioning.exec_quantum_ms;
            if (!guc_function_is_running(g, n))
                continue;
            end_ns += (quantum_ms ? quantum_ms : UNSAID_MS) * UINT64_C(1000000);
            *function = n;
            if (pass && end_ns > g->log->now_ns)
                return end_ns;
        }
        all_ns = end_ns;
    }
    return UINT64_MAX;
}

/* The scheduled function keeps the engine for its quantum. The next one with work follows, of those with the
 * highest priority. (SYS-24) */
unsigned guc_vf_scheduled(const struct guc *g, unsigned engine)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    const struct guc_context *const c = s->active != GUC_NO_CONTEXT ? guc_context(g, s->active) : NULL;
    unsigned next = s->function, priority;
    if (guc_vf_strict_quantum_end_ns(g, &next) != UINT64_MAX)
        return next;
    uint32_t urgency = 0;
    bool found = false;
    const bool has = guc_function_is_running(g, s->function) &&
                     (c || guc_run_queue_first(g, s->function, engine, &priority) != GUC_NO_CONTEXT),
               over = guc_vf_quantum_end_ns(g, s) <= g->log->now_ns;
    for (unsigned i = 1; i <= g->vf_count; i++) {
        const unsigned function = (s->function + i) % (g->vf_count + 1u);
        const uint32_t here = g->functions[function].provisioning.sched_priority;
        if ((found && here <= urgency) ||
            guc_run_queue_first(g, function, engine, &priority) == GUC_NO_CONTEXT)
            continue;
        next = function;
        urgency = here;
        found = true;
    }
    const uint32_t own = g->functions[s->function].provisioning.sched_priority;
    return !found || (has && (own > urgency || (own == urgency && !over))) ? s->function : next;
}

bool guc_vf_quantum_expired(const struct guc *g, const struct guc_engine_state *s)
{
    unsigned function;
    return s->active != GUC_NO_CONTEXT && guc_vf_strict_quantum_end_ns(g, &function) != UINT64_MAX &&
           guc_context_owner(g, s->active)->number != function;
}
