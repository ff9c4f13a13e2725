/* Whose time an engine has: functions take turns, as the physical one's driver shares it out. (SYS-24) */
#include "guc/schedule.h"

uint64_t guc_turn_ends_ns(const struct guc *g, const struct guc_slot *s)
{
    const uint32_t quantum_ms = g->clients[s->function].share.quantum_ms;
    return quantum_ms ? s->function_since_ns + quantum_ms * UINT64_C(1000000) : UINT64_MAX;
}

/* By policy each function has its time, whether it uses it or not: those that run follow each other in the
 * order of their numbers, for a quantum each (of whom none was said, for a millisecond). (Linux,
 * guc_klvs_abi.h) */
uint64_t guc_strict_turn_ends_ns(const struct guc *g, unsigned *function)
{
    enum { UNSAID_MS = 1 };
    uint64_t all_ns = 0;
    for (unsigned pass = 0; g->vgt.sched_if_idle && g->functions && pass < 2; pass++) {
        uint64_t end_ns = all_ns ? g->witness->now_ns - g->witness->now_ns % all_ns : 0;
        for (unsigned n = 0; n <= g->functions; n++) {
            const uint32_t quantum_ms = g->clients[n].share.quantum_ms;
            if (!guc_function_runs(g, n))
                continue;
            end_ns += (quantum_ms ? quantum_ms : UNSAID_MS) * UINT64_C(1000000);
            *function = n;
            if (pass && end_ns > g->witness->now_ns)
                return end_ns;
        }
        all_ns = end_ns;
    }
    return UINT64_MAX;
}

/* Whose turn it is: the function that has it goes on for its quantum, then the next one that has work, of
 * those that are most urgent. (SYS-24) */
unsigned guc_turn_of(const struct guc *g, unsigned engine)
{
    const struct guc_slot *s = &g->slots.list[engine];
    const struct guc_context *const c = s->active ? guc_context(g, s->active - 1u) : NULL;
    unsigned next = s->function, priority;
    if (guc_strict_turn_ends_ns(g, &next) != UINT64_MAX)
        return next;
    uint32_t urgency = 0;
    bool found = false;
    const bool has = guc_function_runs(g, s->function) &&
                     (c || guc_best_of(g, s->function, engine, &priority) != GUC_NO_CONTEXT),
               over = guc_turn_ends_ns(g, s) <= g->witness->now_ns;
    for (unsigned i = 1; i <= g->functions; i++) {
        const unsigned function = (s->function + i) % (g->functions + 1u);
        const uint32_t here = g->clients[function].share.priority;
        if ((found && here <= urgency) || guc_best_of(g, function, engine, &priority) == GUC_NO_CONTEXT)
            continue;
        next = function;
        urgency = here;
        found = true;
    }
    const uint32_t own = g->clients[s->function].share.priority;
    return !found || (has && (own > urgency || (own == urgency && !over))) ? s->function : next;
}

bool guc_is_out_of_turn(const struct guc *g, const struct guc_slot *s)
{
    unsigned function;
    return s->active && guc_strict_turn_ends_ns(g, &function) != UINT64_MAX &&
           guc_client_of(g, s->active - 1u)->function != function;
}
