/* Which context an engine runs. (SYS-17, SYS-24) */
#include "guc/schedule.h"

#include "guc/doorbells.h"

static bool names_context(uint32_t list)
{
    return list < GUC_CONTEXTS;
}

/* ---- Submission ---- */

static struct context_descriptor descriptor(const struct guc *g, uint32_t id)
{
    return (struct context_descriptor){.low = guc_context(g, id)->descriptor_low | DESCRIPTOR_VALID,
                                       .high = id << 7 | guc_context_function(guc_context(g, id))};
}

static uint32_t id_of(struct context_descriptor d)
{
    return d.low & DESCRIPTOR_VALID ? d.high >> 7 & 0xffffu : GUC_NO_CONTEXT;
}

/* The submission that the engine has not started becomes invalid. */
void guc_drop_submission(struct guc *g, unsigned engine)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint32_t id = s->submitted;
    if (names_context(id) && id != s->active) {
        guc_context(g, id)->engine = GUC_NO_ENGINE;
        guc_context_requeue(g, id);
    }
    s->submitted = GUC_NO_CONTEXT;
}

/* How long a context may take to leave: its own timeout, limited by the VF's. An idle engine gets the same
 * time to start a VF's context; what blocks it is then reset with it. */
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
    if (list != GUC_IDLE_LIST) {
        d = descriptor(g, list);
        guc_context(g, list)->engine = engine;
        guc_context_requeue(g, list);
    }
    const uint32_t within_us = s->active != GUC_NO_CONTEXT ? preempt_timeout_us(g, s->active)
                               : list != GUC_IDLE_LIST
                                   ? guc_context_owner(g, list)->provisioning.preempt_timeout_us
                                   : 0;
    g->totals.preemptions += s->active != GUC_NO_CONTEXT && list != s->active;
    if (list == s->active)
        s->deadline_ns = 0;
    else if (within_us && !s->deadline_ns)
        s->deadline_ns = g->log->now_ns + within_us * UINT64_C(1000);
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
    const uint32_t quantum_us = guc_context(g, s->active)->exec_quantum_us;
    return quantum_us && g->log->now_ns - s->active_since_ns >= quantum_us * UINT64_C(1000);
}

static bool context_may_stay(const struct guc *g, const struct guc_context *c)
{
    return c->flags & CONTEXT_ENABLED &&
           !(c->flags & (CONTEXT_PENDING_DISABLE | CONTEXT_PENDING_DEREGISTER)) &&
           guc_function_is_running(g, guc_context_function(c));
}

/* The next submission of an engine: a context id, GUC_IDLE_LIST, or GUC_NO_CONTEXT if none is needed. The
 * present submission stays unless its context must not run, or one of higher priority waits. */
static uint32_t choose_list(const struct guc *g, unsigned engine)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    unsigned priority;
    const uint32_t next = next_context(g, engine, &priority);
    const bool names_other = names_context(s->submitted) && s->submitted != s->active;
    const struct guc_context *const other = names_other ? guc_context(g, s->submitted) : NULL,
                                    *const c = s->active != GUC_NO_CONTEXT ? guc_context(g, s->active) : NULL;
    const bool other_turn = g->vf_count && next != GUC_NO_CONTEXT && c &&
                            guc_context_owner(g, next) != guc_context_owner(g, s->active);
    if (other && context_may_stay(g, other) &&
        (other->priority <= priority ||
         (next != GUC_NO_CONTEXT && guc_context_owner(g, next) != guc_context_owner(g, s->submitted))))
        return s->submitted;
    if (!c || !context_may_stay(g, c) || guc_vf_quantum_expired(g, s))
        return next != GUC_NO_CONTEXT                ? next
               : c || s->submitted != GUC_NO_CONTEXT ? (uint32_t)GUC_IDLE_LIST
                                                     : GUC_NO_CONTEXT;
    if (next != GUC_NO_CONTEXT &&
        (other_turn || priority < c->priority || (priority == c->priority && quantum_expired(g, s))))
        return next;
    return c->flags & CONTEXT_TAIL_CHANGED || s->submitted != GUC_NO_CONTEXT ? s->active : GUC_NO_CONTEXT;
}

/* Policy RESET_AFTER_VF_SWITCH: the engine is reset between contexts of different functions. (Linux,
 * guc_klvs_abi.h) */
static bool is_reset_before(const struct guc *g, const struct guc_engine_state *s, uint32_t next)
{
    return g->vgt.reset_after_vf_switch && guc_context_owner(g, next)->number != s->function;
}

void guc_schedule(struct guc *g, unsigned engine)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint32_t list = s->hung ? (uint32_t)GUC_NO_CONTEXT : choose_list(g, engine);
    if (list == GUC_NO_CONTEXT || list == s->submitted)
        return;
    const bool other = list != GUC_IDLE_LIST && is_reset_before(g, s, list),
               idle = s->active == GUC_NO_CONTEXT && s->submitted == GUC_NO_CONTEXT;
    if (other && idle)
        guc_reset_engine(g, engine);
    if (!other || idle)
        engine_submit(g, engine, list);
    else if (s->submitted != GUC_IDLE_LIST)
        engine_submit(g, engine, GUC_IDLE_LIST);
}

void guc_schedule_engines(struct guc *g, uint32_t engines)
{
    /* Idle engines first. */
    for (unsigned busy = 0; busy < 2; busy++)
        for (unsigned e = 0; e < g->engine_count; e++)
            if (engines >> e & 1u && (g->engine_states.list[e].active != GUC_NO_CONTEXT ||
                                      g->engine_states.list[e].submitted != GUC_NO_CONTEXT) == busy)
                guc_schedule(g, e);
}

void guc_context_submit(struct guc *g, uint32_t id)
{
    struct guc_context *c = guc_context(g, id);
    const uint32_t engine = c->engine;
    c->flags |= CONTEXT_READY;
    if (engine != GUC_NO_ENGINE && g->engine_states.list[engine].active == id)
        c->flags |= CONTEXT_TAIL_CHANGED;
    guc_context_requeue(g, id);
    guc_schedule_engines(g, c->engine != GUC_NO_ENGINE ? 1u << engine : c->engine_mask);
}

/* ---- Functions ---- */

void guc_context_event(struct guc *g, uint32_t id, uint16_t action)
{
    const uint32_t local = guc_local_id(g, id);
    guc_send_event(g, guc_context_owner(g, id)->number, action, &local, 1);
}

/* Calls `call` for each registered context of a function. */
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
    /* A context that the engine has already started is not just submitted. */
    for (unsigned e = 0; e < g->engine_count; e++)
        guc_drain_csb(g, e);
    each_context(g, function, guc_context_requeue);
    guc_schedule_engines(g, (1u << g->engine_count) - 1u);
}

bool guc_function_is_on_engine(const struct guc *g, unsigned function)
{
    for (const struct guc_engine_state *s = g->engine_states.list;
         s < g->engine_states.list + g->engine_count; s++)
        if ((s->active != GUC_NO_CONTEXT && guc_context_owner(g, s->active)->number == function) ||
            (names_context(s->submitted) && guc_context_owner(g, s->submitted)->number == function))
            return true;
    return false;
}

static void drop_context(struct guc *g, uint32_t id)
{
    guc_doorbell_disarm(g, id);
    guc_context_clear(g, id);
}

/* Only engines that run the function's contexts are reset. (SYS-06) */
void guc_drop_function_contexts(struct guc *g, unsigned function)
{
    for (unsigned e = 0; e < g->engine_count; e++) {
        struct guc_engine_state *s = &g->engine_states.list[e];
        const uint32_t named = s->submitted;
        guc_drain_csb(g, e);
        if (s->active != GUC_NO_CONTEXT && guc_context_owner(g, s->active)->number == function) {
            guc_engine_activity_update(g, e, s->active, false);
            guc_drop_submission(g, e);
            guc_reset_engine(g, e);
            s->active = GUC_NO_CONTEXT;
            s->deadline_ns = 0;
            s->hung = 0;
        } else if (names_context(named) && guc_context_owner(g, named)->number == function) {
            engine_submit(g, e, s->active != GUC_NO_CONTEXT ? s->active : (uint32_t)GUC_IDLE_LIST);
        }
    }
    each_context(g, function, drop_context);
    guc_schedule_engines(g, (1u << g->engine_count) - 1u);
}

void guc_drop_all_contexts(struct guc *g, bool reset_engines)
{
    for (unsigned e = 0; reset_engines && e < g->engine_count; e++)
        if (g->engine_states.list[e].active != GUC_NO_CONTEXT ||
            g->engine_states.list[e].submitted != GUC_NO_CONTEXT)
            guc_reset_engine(g, e);
    state_table_clear(&g->context_table);
    g->engine_states = guc_engines_initial;
    guc_service_all_engines(g);
    guc_schedule_settle(g);
}

/* ---- Preemption ---- */

/* The context or one of its children is on an engine. */
static bool family_is_on_engine(const struct guc *g, uint32_t id)
{
    for (uint32_t i = 0; i <= guc_context(g, id)->children; i++)
        if (guc_context(g, id + i)->engine != GUC_NO_ENGINE)
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
        guc_send_event(g, function, G2H_SCHED_CONTEXT_MODE_DONE, (const uint32_t[]){local, 0}, 2);
    if (flags & CONTEXT_PENDING_DEREGISTER)
        guc_send_event(g, function, G2H_DEREGISTER_CONTEXT_DONE, &local, 1);
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
    guc_send_event(g, guc_context_owner(g, id)->number, G2H_SCHED_CONTEXT_MODE_DONE,
                   (const uint32_t[]){guc_local_id(g, id), 1}, 2);
    guc_process_work(g, id);
}

/* The deadline is the earlier of the old one and the new timeout from now on. */
void guc_context_update_deadline(struct guc *g, uint32_t id)
{
    const struct guc_context *c = guc_context(g, id);
    struct guc_engine_state *s = &g->engine_states.list[c->engine % GUC_ENGINES];
    if (c->engine == GUC_NO_ENGINE || s->active != id || s->submitted == GUC_NO_CONTEXT ||
        s->submitted == s->active || !preempt_timeout_us(g, id))
        return;
    const uint64_t at_ns = g->log->now_ns + preempt_timeout_us(g, id) * UINT64_C(1000);
    s->deadline_ns = s->deadline_ns && s->deadline_ns < at_ns ? s->deadline_ns : at_ns;
}

void guc_context_begin_leave(struct guc *g, uint32_t id, uint32_t flag)
{
    const uint32_t children = guc_context(g, id)->children;
    for (uint32_t i = 0; i <= children; i++) {
        struct guc_context *c = guc_context(g, id + i);
        c->flags |= flag;
        guc_context_requeue(g, id + i);
        const uint32_t engine = c->engine;
        if (engine == GUC_NO_ENGINE)
            continue;
        /* A submitted context that has not started leaves at once. */
        if (g->engine_states.list[engine].active != id + i) {
            c->engine = GUC_NO_ENGINE;
            guc_context_requeue(g, id + i);
        }
        guc_schedule(g, engine);
    }
    guc_context_finish_leave(g, id);
}

/* ---- Context statuses ---- */

static void engine_switch_out(struct guc *g, unsigned engine, uint32_t reasons, bool comes_back)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    if (s->active == GUC_NO_CONTEXT)
        return;
    const uint32_t id = s->active;
    struct guc_context *c = guc_context(g, id);
    guc_engine_activity_update(g, engine, id, false);
    s->active = GUC_NO_CONTEXT;
    s->deadline_ns = 0;
    if (!comes_back)
        c->engine = GUC_NO_ENGINE;
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
    guc_context_finish_leave(g, c->parent != GUC_NO_CONTEXT ? c->parent : id);
    if (c->engine_mask & (c->engine_mask - 1u))
        guc_schedule_engines(g, c->engine_mask & ~(1u << engine));
}

static void engine_switch_in(struct guc *g, unsigned engine, uint32_t id)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    struct guc_context *c = guc_context(g, id);
    const unsigned function = guc_context_function(c);
    if (s->function != function)
        s->function_since_ns = g->log->now_ns;
    s->function = (uint8_t)function;
    s->deadline_ns = 0;
    s->active = id;
    guc_queue_ticket_release(g, c);
    s->active_since_ns = g->log->now_ns;
    c->engine = engine;
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
        if (s->submitted == to)
            s->submitted = GUC_NO_CONTEXT;
        if (s->active == to)
            guc_context(g, to)->flags &= ~(uint32_t)CONTEXT_TAIL_CHANGED;
        return;
    }
    if (from != GUC_NO_CONTEXT && s->active == from)
        engine_switch_out(g, engine, r->reasons, to == from);
    if (to == GUC_NO_CONTEXT) {
        if (s->submitted == GUC_IDLE_LIST)
            s->submitted = GUC_NO_CONTEXT;
        if (s->submitted == GUC_NO_CONTEXT)
            s->deadline_ns = 0;
        return;
    }
    if (s->submitted == to) {
        s->submitted = GUC_NO_CONTEXT;
        engine_switch_in(g, engine, to);
    }
}

/* Compute engines of this product wait after each fence until the GuC clears a dword in the context. (Linux,
 * Wa_14014475959) */
static void release_fence_hold(struct guc *g, unsigned engine)
{
    enum { HOLD = 0x540 };
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    const struct engine *e = &g->engines[engine];
    uint32_t held = 0;
    if (s->active == GUC_NO_CONTEXT || e->parse.state != SOFTGT_ENGINE_WAITING || !engine_has_threads(e))
        return;
    const uint32_t at = (guc_context(g, s->active)->descriptor_low & ~0xfffu) + HOLD;
    if (guc_load(guc_context_owner(g, s->active), at, &held, sizeof held) && held)
        guc_store32(guc_context_owner(g, s->active), at, 0);
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
    const bool stopped = e->parse.state == SOFTGT_ENGINE_STOPPED && e->execlists.by_guc;
    if (stopped && (e->parse.stop_reason == STOP_PAGE_FAULT || e->parse.stop_reason == STOP_NO_PAGE ||
                    e->parse.stop_reason == STOP_IMAGE_END))
        guc_recover_engine(g, engine, true);
    else if (s->deadline_ns && g->log->now_ns >= s->deadline_ns)
        guc_recover_engine(g, engine, false);
    else if (e->status.watchdog_expired)
        guc_watchdog_expired(g, engine);
    else if ((s->active != GUC_NO_CONTEXT ||
              (s->submitted != GUC_NO_CONTEXT && vfs_are_isolated(g->isolation))) &&
             !e->context.valid && !e->execlists.pending_valid) {
        guc_drop_submission(g, engine); /* somebody else has reset the engine */
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

/* The same with strict time slices. */
static uint64_t strict_due_ns(const struct guc *g, unsigned engine, uint64_t turn_ns, unsigned function)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    unsigned priority;
    bool waits = s->active != GUC_NO_CONTEXT || s->deadline_ns;
    for (unsigned n = 0; n <= g->vf_count && !waits; n++)
        waits = guc_run_queue_first(g, n, engine, &priority) != GUC_NO_CONTEXT;
    if (!waits || s->hung)
        return UINT64_MAX;
    if (s->submitted == GUC_NO_CONTEXT &&
        (s->active != GUC_NO_CONTEXT ? guc_vf_quantum_expired(g, s)
                                     : guc_run_queue_first(g, function, engine, &priority) != GUC_NO_CONTEXT))
        return g->log->now_ns;
    return s->deadline_ns && s->deadline_ns < turn_ns ? s->deadline_ns : turn_ns;
}

/* When the engine must be serviced. */
static uint64_t due_ns(const struct guc *g, unsigned engine)
{
    const struct guc_engine_state *s = &g->engine_states.list[engine];
    unsigned priority, function;
    uint64_t turn_ns = guc_vf_strict_quantum_end_ns(g, &function);
    if (turn_ns != UINT64_MAX)
        return strict_due_ns(g, engine, turn_ns, function);
    if (s->deadline_ns || s->active == GUC_NO_CONTEXT || s->hung)
        return s->deadline_ns ? s->deadline_ns : UINT64_MAX;
    const struct guc_context *c = guc_context(g, s->active);
    if (g->vf_count && s->submitted == GUC_NO_CONTEXT) {
        for (unsigned n = 0; n <= g->vf_count; n++)
            if (n != s->function && guc_run_queue_first(g, n, engine, &priority) != GUC_NO_CONTEXT)
                turn_ns = guc_vf_quantum_end_ns(g, s);
    }
    if (!c->exec_quantum_us || s->submitted != GUC_NO_CONTEXT ||
        next_context(g, engine, &priority) == GUC_NO_CONTEXT || priority > c->priority)
        return turn_ns;
    const uint64_t slice_ns = s->active_since_ns + c->exec_quantum_us * UINT64_C(1000);
    return slice_ns < turn_ns ? slice_ns : turn_ns;
}

void guc_schedule_advance(struct guc *g)
{
    if (g->engine_states.has_yielded)
        resume_yielded(g);
    for (unsigned e = 0; e < g->engine_count; e++)
        if (due_ns(g, e) <= g->log->now_ns)
            g->engine_states.service_mask |= 1u << e;
}

uint64_t guc_schedule_next_ns(const struct guc *g)
{
    enum { PARKED_NS = 100000 };
    uint64_t next_ns = g->engine_states.has_yielded ? g->log->now_ns + PARKED_NS : UINT64_MAX;
    for (unsigned e = 0; e < g->engine_count; e++) {
        const uint64_t at_ns = due_ns(g, e);
        if (at_ns > g->log->now_ns && at_ns < next_ns)
            next_ns = at_ns;
    }
    return next_ns;
}
