/* Which context an engine runs. (SYS-17, SYS-24) */
#include "guc/schedule.h"

#include "guc/doorbells.h"

enum { LIST_OF_NONE = GUC_CONTEXTS + 1 }; /* what a slot's list is that lets the engine go idle */

/* ---- What an engine gets ---- */

static struct context_descriptor descriptor(const struct guc *g, uint32_t id)
{
    return (struct context_descriptor){.low = guc_context(g, id)->descriptor_low | DESCRIPTOR_VALID,
                                       .high = id << 7 | guc_context_function(guc_context(g, id))};
}

static uint32_t id_of(struct context_descriptor d)
{
    return d.low & DESCRIPTOR_VALID ? d.high >> 7 & 0xffffu : GUC_NO_CONTEXT;
}

/* No list names it, or names another from now on. */
void guc_drop_submission(struct guc *g, unsigned engine)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint32_t id = s->submitted - 1u;
    if (s->submitted && s->submitted != LIST_OF_NONE && s->submitted != s->active) {
        guc_context(g, id)->running = 0;
        guc_context_requeue(g, id);
    }
    s->submitted = 0;
}

/* How long a context may take to leave: as its driver says, but no longer than its function is given. (An
 * engine that has none has as long to take a function's: whatever keeps it from that is reset with it.) */
static uint32_t preempt_timeout_us(const struct guc *g, uint32_t id)
{
    const uint32_t own = guc_context(g, id)->preempt_timeout_us,
                   most = guc_context_owner(g, id)->provisioning.preempt_timeout_us;
    return g->vf_count && most && (!own || own > most) ? most : own;
}

static void engine_submit(struct guc *g, unsigned engine, uint32_t list)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    struct engine *e = &g->engines[engine];
    struct context_descriptor d = {0};
    guc_drop_submission(g, engine);
    s->submitted = list;
    if (list != LIST_OF_NONE) {
        const uint32_t id = list - 1u;
        d = descriptor(g, id);
        guc_context(g, id)->running = engine + 1u;
        guc_context_requeue(g, id);
    }
    const uint32_t within_us = s->active ? preempt_timeout_us(g, s->active - 1u)
                               : list != LIST_OF_NONE
                                   ? guc_context_owner(g, list - 1u)->provisioning.preempt_timeout_us
                                   : 0;
    g->totals.preemptions += s->active && list != s->active;
    if (list == s->active)
        s->deadline_ns = 0;
    else if (within_us && !s->deadline_ns)
        s->deadline_ns = g->witness->now_ns + within_us * UINT64_C(1000);
    g->totals.submissions++;
    rc6_wake(g->gt);
    if (!engine_execlists_enabled(e))
        register_write(g->mmio, e->info->mmio_base + GFX_MODE, GFX_MODE_NO_LEGACY << 16 | GFX_MODE_NO_LEGACY,
                       0xf, &g->by);
    execlists_command(e, d);
}

static uint32_t next_context(const struct guc *g, unsigned engine, unsigned *priority)
{
    return guc_run_queue_first(g, g->vf_count ? guc_vf_scheduled(g, engine) : 0, engine, priority);
}

static bool quantum_expired(const struct guc *g, const struct guc_engine_state *s)
{
    const uint32_t quantum_us = guc_context(g, s->active - 1u)->exec_quantum_us;
    return quantum_us && g->witness->now_ns - s->active_since_ns >= quantum_us * UINT64_C(1000);
}

static bool context_may_stay(const struct guc *g, const struct guc_context *c)
{
    return c->flags & CONTEXT_ENABLED &&
           !(c->flags & (CONTEXT_PENDING_DISABLE | CONTEXT_PENDING_DEREGISTER)) &&
           guc_function_is_running(g, guc_context_function(c));
}

/* What the engine's next list should name: 1 + an id, LIST_OF_NONE; 0: it needs none. What it names already
 * stays so, unless that must not run any more, or another is more urgent. */
static uint32_t choose_list(const struct guc *g, unsigned engine)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    unsigned priority;
    const uint32_t next = next_context(g, engine, &priority);
    const bool names_other = s->submitted && s->submitted != LIST_OF_NONE && s->submitted != s->active;
    const struct guc_context *const other = names_other ? guc_context(g, s->submitted - 1u) : NULL,
                                    *const c = s->active ? guc_context(g, s->active - 1u) : NULL;
    const bool other_turn = g->vf_count && next != GUC_NO_CONTEXT && c &&
                            guc_context_owner(g, next) != guc_context_owner(g, s->active - 1u);
    if (other && context_may_stay(g, other) &&
        (other->priority <= priority ||
         (next != GUC_NO_CONTEXT && guc_context_owner(g, next) != guc_context_owner(g, s->submitted - 1u))))
        return s->submitted;
    if (!c || !context_may_stay(g, c) || guc_vf_quantum_expired(g, s))
        return next != GUC_NO_CONTEXT ? next + 1u : c || s->submitted ? LIST_OF_NONE : 0;
    if (next != GUC_NO_CONTEXT &&
        (other_turn || priority < c->priority || (priority == c->priority && quantum_expired(g, s))))
        return next + 1u;
    return c->flags & CONTEXT_TAIL_CHANGED || s->submitted ? s->active : 0;
}

/* By policy what a function left in an engine's registers goes before another has it. (Linux,
 * guc_klvs_abi.h) */
static bool is_reset_before(const struct guc *g, const struct guc_engine_state *s, uint32_t next)
{
    return g->vgt.reset_after_vf_switch && guc_context_owner(g, next)->number != s->function;
}

void guc_schedule(struct guc *g, unsigned engine)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint32_t list = s->hung ? 0 : choose_list(g, engine);
    if (!list || list == s->submitted)
        return;
    const bool other = list != LIST_OF_NONE && is_reset_before(g, s, list - 1u),
               idle = !s->active && !s->submitted;
    if (other && idle)
        guc_reset_engine(g, engine);
    if (!other || idle)
        engine_submit(g, engine, list);
    else if (s->submitted != LIST_OF_NONE)
        engine_submit(g, engine, LIST_OF_NONE);
}

void guc_schedule_engines(struct guc *g, uint32_t engines)
{
    /* First those that have nothing. */
    for (unsigned busy = 0; busy < 2; busy++)
        for (unsigned e = 0; e < g->engine_count; e++)
            if (engines >> e & 1u &&
                (g->engine_states.list[e].active || g->engine_states.list[e].submitted) == busy)
                guc_schedule(g, e);
}

void guc_context_submit(struct guc *g, uint32_t id)
{
    struct guc_context *c = guc_context(g, id);
    const unsigned engine = c->running - 1u;
    c->flags |= CONTEXT_READY;
    if (c->running && g->engine_states.list[engine].active == id + 1u)
        c->flags |= CONTEXT_TAIL_CHANGED;
    guc_context_requeue(g, id);
    guc_schedule_engines(g, c->running ? 1u << engine : c->engine_mask);
}

/* ---- Functions ---- */

void guc_context_event(struct guc *g, uint32_t id, uint16_t action)
{
    const uint32_t local = guc_local_id(g, id);
    guc_send_event(g, guc_context_owner(g, id)->number, action, &local, 1);
}

/* Calls for each context of a function that is known. */
static void each_context(struct guc *g, unsigned function, void (*call)(struct guc *g, uint32_t id))
{
    const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
    for (uint32_t id = 0; id < GUC_CONTEXTS; id++)
        if (!g->context_table.used[id / each])
            id += each - 1u - id % each;
        else if (guc_context(g, id)->flags & CONTEXT_REGISTERED &&
                 guc_context_function(guc_context(g, id)) == function)
            call(g, id);
}

void guc_function_requeue(struct guc *g, unsigned function)
{
    /* What an engine has begun since it was looked at is not merely named by its list. */
    for (unsigned e = 0; e < g->engine_count; e++)
        guc_drain_csb(g, e);
    each_context(g, function, guc_context_requeue);
    guc_schedule_engines(g, (1u << g->engine_count) - 1u);
}

bool guc_function_is_on_engine(const struct guc *g, unsigned function)
{
    for (const struct guc_engine_state *s = g->engine_states.list;
         s < g->engine_states.list + g->engine_count; s++)
        if ((s->active && guc_context_owner(g, s->active - 1u)->number == function) ||
            (s->submitted && s->submitted != LIST_OF_NONE &&
             guc_context_owner(g, s->submitted - 1u)->number == function))
            return true;
    return false;
}

static void drop_context(struct guc *g, uint32_t id)
{
    guc_doorbell_disarm(g, id);
    guc_context_clear(g, id);
}

/* An engine is reset only where it runs on behalf of that function. (SYS-06) */
void guc_drop_function_contexts(struct guc *g, unsigned function)
{
    for (unsigned e = 0; e < g->engine_count; e++) {
        struct guc_engine_state *s = &g->engine_states.list[e];
        const uint32_t named = s->submitted && s->submitted != LIST_OF_NONE ? s->submitted : 0;
        guc_drain_csb(g, e);
        if (s->active && guc_context_owner(g, s->active - 1u)->number == function) {
            guc_engine_activity_update(g, e, s->active - 1u, false);
            guc_drop_submission(g, e);
            guc_reset_engine(g, e);
            s->active = 0;
            s->deadline_ns = 0;
            s->hung = 0;
        } else if (named && guc_context_owner(g, named - 1u)->number == function) {
            engine_submit(g, e, s->active ? s->active : LIST_OF_NONE);
        }
    }
    each_context(g, function, drop_context);
    guc_schedule_engines(g, (1u << g->engine_count) - 1u);
}

void guc_drop_all_contexts(struct guc *g, bool reset_engines)
{
    for (unsigned e = 0; reset_engines && e < g->engine_count; e++)
        if (g->engine_states.list[e].active || g->engine_states.list[e].submitted)
            guc_reset_engine(g, e);
    state_table_clear(&g->context_table);
    g->engine_states = (struct guc_engines){0};
    guc_service_all_engines(g);
    guc_schedule_settle(g);
}

/* ---- Leaving ---- */

/* A context and its children: whether any of them is still in an engine. */
static bool family_is_on_engine(const struct guc *g, uint32_t id)
{
    for (uint32_t i = 0; i <= guc_context(g, id)->children; i++)
        if (guc_context(g, id + i)->running)
            return true;
    return false;
}

void guc_context_finish_leave(struct guc *g, uint32_t id)
{
    struct guc_context *c = guc_context(g, id);
    const uint32_t flags = c->flags;
    if (!(flags & (CONTEXT_PENDING_DISABLE | CONTEXT_PENDING_DEREGISTER)) || family_is_on_engine(g, id))
        return;
    const uint32_t children = c->children, local = guc_local_id(g, id);
    const unsigned function = guc_context_function(c);
    enum {
        SETTLED =
            CONTEXT_PENDING_DISABLE | CONTEXT_ENABLED | CONTEXT_PENDING_ENABLE | CONTEXT_PENDING_DONE_MASK
    };
    for (uint32_t i = 0; i <= children; i++) {
        if (flags & CONTEXT_PENDING_DEREGISTER)
            guc_context_clear(g, id + i);
        else
            guc_context(g, id + i)->flags &= ~(uint32_t)SETTLED;
    }
    for (uint32_t told = 0; flags & CONTEXT_PENDING_DISABLE &&
                            told <= (flags & CONTEXT_PENDING_DONE_MASK) / CONTEXT_PENDING_DONE_ONE;
         told++)
        guc_send_event(g, function, 0x1002, (const uint32_t[]){local, 0}, 2);
    if (flags & CONTEXT_PENDING_DEREGISTER)
        guc_send_event(g, function, 0x4600, &local, 1);
    else if (flags & CONTEXT_PENDING_ENABLE)
        guc_context_enable(g, id);
}

void guc_context_enable(struct guc *g, uint32_t id)
{
    for (uint32_t i = 0; i <= guc_context(g, id)->children; i++) {
        struct guc_context *c = guc_context(g, id + i);
        c->flags = (c->flags | CONTEXT_ENABLED) & ~(uint32_t)CONTEXT_YIELDED;
        guc_context_requeue(g, id + i);
    }
    guc_send_event(g, guc_context_owner(g, id)->number, 0x1002, (const uint32_t[]){guc_local_id(g, id), 1},
                   2);
    guc_process_work(g, id);
}

/* It takes as long to leave as it was allowed when that was asked for, or as it is now, if that is sooner. */
void guc_context_update_deadline(struct guc *g, uint32_t id)
{
    const struct guc_context *c = guc_context(g, id);
    struct guc_engine_state *s = &g->engine_states.list[(c->running - 1u) % GUC_ENGINES];
    if (!c->running || s->active != id + 1u || !s->submitted || s->submitted == s->active ||
        !preempt_timeout_us(g, id))
        return;
    const uint64_t at_ns = g->witness->now_ns + preempt_timeout_us(g, id) * UINT64_C(1000);
    s->deadline_ns = s->deadline_ns && s->deadline_ns < at_ns ? s->deadline_ns : at_ns;
}

void guc_context_begin_leave(struct guc *g, uint32_t id, uint32_t flag)
{
    const uint32_t children = guc_context(g, id)->children;
    for (uint32_t i = 0; i <= children; i++) {
        struct guc_context *c = guc_context(g, id + i);
        c->flags |= flag;
        guc_context_requeue(g, id + i);
        const unsigned engine = c->running - 1u;
        if (!c->running)
            continue;
        /* One that a list names, but that never began, is out at once. */
        if (g->engine_states.list[engine].active != id + i + 1u) {
            c->running = 0;
            guc_context_requeue(g, id + i);
        }
        guc_schedule(g, engine);
    }
    guc_context_finish_leave(g, id);
}

/* ---- What an engine says ---- */

static void engine_switch_out(struct guc *g, unsigned engine, uint32_t reasons, bool comes_back)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    if (!s->active)
        return;
    const uint32_t id = s->active - 1u;
    struct guc_context *c = guc_context(g, id);
    guc_engine_activity_update(g, engine, id, false);
    s->active = 0;
    s->deadline_ns = 0;
    if (!comes_back)
        c->running = 0;
    if (reasons & SWITCH_CONTEXT_COMPLETE && !(c->flags & CONTEXT_TAIL_CHANGED))
        c->flags &= ~(uint32_t)CONTEXT_READY;
    else if (!(reasons & (SWITCH_CONTEXT_COMPLETE | SWITCH_PREEMPTED))) {
        c->flags |= CONTEXT_YIELDED;
        g->engine_states.has_yielded = 1;
    }
    c->flags &= ~(uint32_t)CONTEXT_TAIL_CHANGED;
    guc_context_requeue(g, id);
    for (uint32_t i = 1; i <= c->children; i++)
        guc_context_requeue(g, id + i);
    guc_context_finish_leave(g, c->parent ? c->parent - 1u : id);
    if (c->engine_mask & (c->engine_mask - 1u))
        guc_schedule_engines(g, c->engine_mask & ~(1u << engine));
}

static void engine_switch_in(struct guc *g, unsigned engine, uint32_t id)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    struct guc_context *c = guc_context(g, id);
    const unsigned function = guc_context_function(c);
    if (s->function != function)
        s->function_since_ns = g->witness->now_ns;
    s->function = (uint8_t)function;
    s->deadline_ns = 0;
    s->active = id + 1u;
    guc_queue_ticket_release(g, c);
    s->active_since_ns = g->witness->now_ns;
    c->running = engine + 1u;
    c->flags &= ~(uint32_t)CONTEXT_TAIL_CHANGED;
    guc_engine_activity_update(g, engine, id, true);
    for (uint32_t i = 1; i <= c->children; i++) {
        guc_context_requeue(g, id + i);
        guc_schedule_engines(g, guc_context(g, id + i)->engine_mask);
    }
}

static void service_csb_entry(struct guc *g, unsigned engine, const struct switch_report *r)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint32_t from = id_of(r->from), to = id_of(r->to);
    if (r->reasons & SWITCH_LITE_RESTORE && from == to) {
        if (s->submitted == to + 1u)
            s->submitted = 0;
        if (s->active == to + 1u)
            guc_context(g, to)->flags &= ~(uint32_t)CONTEXT_TAIL_CHANGED;
        return;
    }
    if (from != GUC_NO_CONTEXT && s->active == from + 1u)
        engine_switch_out(g, engine, r->reasons, to == from);
    if (to == GUC_NO_CONTEXT) {
        if (s->submitted == LIST_OF_NONE)
            s->submitted = 0;
        if (!s->submitted)
            s->deadline_ns = 0;
        return;
    }
    if (s->submitted == to + 1u) {
        s->submitted = 0;
        engine_switch_in(g, engine, to);
    }
}

/* Compute engines of this part wait behind each of their fences until the microcontroller lets them go on.
 * (Linux, Wa_14014475959) */
static void release_fence_hold(struct guc *g, unsigned engine)
{
    enum { HOLD = 0x540 };
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    const struct engine *e = &g->engines[engine];
    uint32_t held = 0;
    if (!s->active || e->parse.state != SOFTGT_ENGINE_WAITING || !engine_has_threads(e))
        return;
    const uint32_t at = (guc_context(g, s->active - 1u)->descriptor_low & ~0xfffu) + HOLD;
    if (guc_load(guc_context_owner(g, s->active - 1u), at, &held, sizeof held) && held)
        guc_store32(guc_context_owner(g, s->active - 1u), at, 0);
}

void guc_drain_csb(struct guc *g, unsigned engine)
{
    struct switch_report r;
    while (engine_status_pop(&g->engines[engine], &r))
        service_csb_entry(g, engine, &r);
}

void guc_service_engine(struct guc *g, unsigned engine)
{
    struct engine *e = &g->engines[engine];
    struct guc_engine_state *s = &g->engine_states.list[engine];
    guc_drain_csb(g, engine);
    if (s->hung)
        return;
    const bool stopped = e->parse.state == SOFTGT_ENGINE_STOPPED && e->execlists.controlled;
    if (stopped &&
        (e->parse.why == STOP_PAGE_FAULT || e->parse.why == STOP_NO_PAGE || e->parse.why == STOP_IMAGE_END))
        guc_recover_engine(g, engine, true);
    else if (s->deadline_ns && g->witness->now_ns >= s->deadline_ns)
        guc_recover_engine(g, engine, false);
    else if (e->status.watchdog_expired)
        guc_watchdog_expired(g, engine);
    else if ((s->active || (s->submitted && g->vfs_isolated)) && !e->context.valid &&
             !e->execlists.pending_valid) {
        guc_drop_submission(g, engine); /* somebody else reset the engine */
        engine_switch_out(g, engine, SWITCH_PREEMPTED, false);
    }
    release_fence_hold(g, engine);
    guc_schedule(g, engine);
}

/* ---- Time ---- */

static void resume_yielded(struct guc *g)
{
    g->engine_states.has_yielded = 0;
    for (size_t part = 0; part * TABLE_PART < g->context_table.count; part++) {
        if (!g->context_table.used[part])
            continue;
        const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
        for (uint32_t id = (uint32_t)part * each; id < (part + 1u) * each; id++)
            if (guc_context(g, id)->flags & CONTEXT_YIELDED) {
                guc_context(g, id)->flags &= ~(uint32_t)CONTEXT_YIELDED;
                guc_context_requeue(g, id);
                g->engine_states.service_mask |= guc_context(g, id)->engine_mask;
            }
    }
}

/* The same where functions have their times. */
static uint64_t strict_due_ns(const struct guc *g, unsigned engine, uint64_t turn_ns, unsigned function)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    unsigned priority;
    bool waits = s->active || s->deadline_ns;
    for (unsigned n = 0; n <= g->vf_count && !waits; n++)
        waits = guc_run_queue_first(g, n, engine, &priority) != GUC_NO_CONTEXT;
    if (!waits || s->hung)
        return UINT64_MAX;
    if (!s->submitted && (s->active ? guc_vf_quantum_expired(g, s)
                                    : guc_run_queue_first(g, function, engine, &priority) != GUC_NO_CONTEXT))
        return g->witness->now_ns;
    return s->deadline_ns && s->deadline_ns < turn_ns ? s->deadline_ns : turn_ns;
}

/* When the context that an engine has is to be looked at. */
static uint64_t due_ns(const struct guc *g, unsigned engine)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    unsigned priority, function;
    uint64_t turn_ns = guc_vf_strict_quantum_end_ns(g, &function);
    if (turn_ns != UINT64_MAX)
        return strict_due_ns(g, engine, turn_ns, function);
    if (s->deadline_ns || !s->active || s->hung)
        return s->deadline_ns ? s->deadline_ns : UINT64_MAX;
    const struct guc_context *c = guc_context(g, s->active - 1u);
    if (g->vf_count && !s->submitted) {
        for (unsigned n = 0; n <= g->vf_count; n++)
            if (n != s->function && guc_run_queue_first(g, n, engine, &priority) != GUC_NO_CONTEXT)
                turn_ns = guc_vf_quantum_end_ns(g, s);
    }
    if (!c->exec_quantum_us || s->submitted || next_context(g, engine, &priority) == GUC_NO_CONTEXT ||
        priority > c->priority)
        return turn_ns;
    const uint64_t slice_ns = s->active_since_ns + c->exec_quantum_us * UINT64_C(1000);
    return slice_ns < turn_ns ? slice_ns : turn_ns;
}

void guc_schedule_advance(struct guc *g)
{
    if (g->engine_states.has_yielded)
        resume_yielded(g);
    for (unsigned e = 0; e < g->engine_count; e++)
        if (due_ns(g, e) <= g->witness->now_ns)
            g->engine_states.service_mask |= 1u << e;
}

uint64_t guc_schedule_next_ns(const struct guc *g)
{
    enum { PARKED_NS = 100000 };
    uint64_t next_ns = g->engine_states.has_yielded ? g->witness->now_ns + PARKED_NS : UINT64_MAX;
    for (unsigned e = 0; e < g->engine_count; e++) {
        const uint64_t at_ns = due_ns(g, e);
        if (at_ns > g->witness->now_ns && at_ns < next_ns)
            next_ns = at_ns;
    }
    return next_ns;
}
