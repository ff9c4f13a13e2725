/* Which context an engine runs. (SYS-17, SYS-24) */
#include "guc/schedule.h"

#include "guc/doorbells.h"

enum { LIST_OF_NONE = GUC_CONTEXTS + 1 }; /* what a slot's list is that lets the engine go idle */

/* ---- What an engine gets ---- */

static struct context_descriptor descriptor(const struct guc *g, uint32_t id)
{
    return (struct context_descriptor){.low = guc_context(g, id)->descriptor | DESCRIPTOR_VALID,
                                       .high = id << 7 | guc_function_of(guc_context(g, id))};
}

static uint32_t id_of(struct context_descriptor d)
{
    return d.low & DESCRIPTOR_VALID ? d.high >> 7 & 0xffffu : GUC_NO_CONTEXT;
}

/* No list names it, or names another from now on. */
void guc_drop_list(struct guc *g, unsigned engine)
{
    struct guc_slot *s = &g->slots.list[engine];
    const uint32_t id = s->submitted - 1u;
    if (s->submitted && s->submitted != LIST_OF_NONE && s->submitted != s->active) {
        guc_context(g, id)->running = 0;
        guc_context_changed(g, id);
    }
    s->submitted = 0;
}

/* How long a context may take to leave: as its driver says, but no longer than its function is given. (An
 * engine that has none has as long to take a function's: whatever keeps it from that is reset with it.) */
static uint32_t patience_us(const struct guc *g, uint32_t id)
{
    const uint32_t own = guc_context(g, id)->preemption_us, most = guc_client_of(g, id)->share.preemption_us;
    return g->functions && most && (!own || own > most) ? most : own;
}

static void submit(struct guc *g, unsigned engine, uint32_t list)
{
    struct guc_slot *s = &g->slots.list[engine];
    struct engine *e = &g->engines[engine];
    struct context_descriptor d = {0};
    guc_drop_list(g, engine);
    s->submitted = list;
    if (list != LIST_OF_NONE) {
        const uint32_t id = list - 1u;
        d = descriptor(g, id);
        guc_context(g, id)->running = engine + 1u;
        guc_context_changed(g, id);
    }
    const uint32_t within_us = s->active              ? patience_us(g, s->active - 1u)
                               : list != LIST_OF_NONE ? guc_client_of(g, list - 1u)->share.preemption_us
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

static uint32_t best(const struct guc *g, unsigned engine, unsigned *priority)
{
    return guc_best_of(g, g->functions ? guc_turn_of(g, engine) : 0, engine, priority);
}

static bool slice_is_over(const struct guc *g, const struct guc_slot *s)
{
    const uint32_t quantum_us = guc_context(g, s->active - 1u)->quantum_us;
    return quantum_us && g->witness->now_ns - s->since_ns >= quantum_us * UINT64_C(1000);
}

static bool goes_on(const struct guc *g, const struct guc_context *c)
{
    return c->flags & CONTEXT_ENABLED && !(c->flags & (CONTEXT_DISABLES | CONTEXT_DEREGISTERS)) &&
           guc_function_runs(g, guc_function_of(c));
}

/* What the engine's next list should name: 1 + an id, LIST_OF_NONE; 0: it needs none. What it names already
 * stays so, unless that must not run any more, or another is more urgent. */
static uint32_t wanted(const struct guc *g, unsigned engine)
{
    const struct guc_slot *s = &g->slots.list[engine];
    unsigned priority;
    const uint32_t next = best(g, engine, &priority);
    const bool names_other = s->submitted && s->submitted != LIST_OF_NONE && s->submitted != s->active;
    const struct guc_context *const other = names_other ? guc_context(g, s->submitted - 1u) : NULL,
                                    *const c = s->active ? guc_context(g, s->active - 1u) : NULL;
    const bool other_turn = g->functions && next != GUC_NO_CONTEXT && c &&
                            guc_client_of(g, next) != guc_client_of(g, s->active - 1u);
    if (other && goes_on(g, other) &&
        (other->priority <= priority ||
         (next != GUC_NO_CONTEXT && guc_client_of(g, next) != guc_client_of(g, s->submitted - 1u))))
        return s->submitted;
    if (!c || !goes_on(g, c) || guc_is_out_of_turn(g, s))
        return next != GUC_NO_CONTEXT ? next + 1u : c || s->submitted ? LIST_OF_NONE : 0;
    if (next != GUC_NO_CONTEXT &&
        (other_turn || priority < c->priority || (priority == c->priority && slice_is_over(g, s))))
        return next + 1u;
    return c->flags & CONTEXT_AGAIN || s->submitted ? s->active : 0;
}

/* By policy what a function left in an engine's registers goes before another has it. (Linux,
 * guc_klvs_abi.h) */
static bool is_reset_before(const struct guc *g, const struct guc_slot *s, uint32_t next)
{
    return g->vgt.reset_engine && guc_client_of(g, next)->function != s->function;
}

void guc_schedule(struct guc *g, unsigned engine)
{
    const struct guc_slot *s = &g->slots.list[engine];
    const uint32_t list = s->failed ? 0 : wanted(g, engine);
    if (!list || list == s->submitted)
        return;
    const bool other = list != LIST_OF_NONE && is_reset_before(g, s, list - 1u),
               idle = !s->active && !s->submitted;
    if (other && idle)
        guc_reset_engine(g, engine);
    if (!other || idle)
        submit(g, engine, list);
    else if (s->submitted != LIST_OF_NONE)
        submit(g, engine, LIST_OF_NONE);
}

void guc_schedule_class(struct guc *g, uint32_t engines)
{
    /* First those that have nothing. */
    for (unsigned busy = 0; busy < 2; busy++)
        for (unsigned e = 0; e < g->engine_count; e++)
            if (engines >> e & 1u && (g->slots.list[e].active || g->slots.list[e].submitted) == busy)
                guc_schedule(g, e);
}

void guc_context_submit(struct guc *g, uint32_t id)
{
    struct guc_context *c = guc_context(g, id);
    const unsigned engine = c->running - 1u;
    c->flags |= CONTEXT_READY;
    if (c->running && g->slots.list[engine].active == id + 1u)
        c->flags |= CONTEXT_AGAIN;
    guc_context_changed(g, id);
    guc_schedule_class(g, c->running ? 1u << engine : c->engines);
}

/* ---- Functions ---- */

void guc_context_event(struct guc *g, uint32_t id, uint16_t action)
{
    const uint32_t local = guc_local_id(g, id);
    guc_event(g, guc_client_of(g, id)->function, action, &local, 1);
}

/* Calls for each context of a function that is known. */
static void each_context(struct guc *g, unsigned function, void (*call)(struct guc *g, uint32_t id))
{
    const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
    for (uint32_t id = 0; id < GUC_CONTEXTS; id++)
        if (!g->table.used[id / each])
            id += each - 1u - id % each;
        else if (guc_context(g, id)->flags & CONTEXT_REGISTERED &&
                 guc_function_of(guc_context(g, id)) == function)
            call(g, id);
}

void guc_function_changed(struct guc *g, unsigned function)
{
    /* What an engine has begun since it was looked at is not merely named by its list. */
    for (unsigned e = 0; e < g->engine_count; e++)
        guc_take_statuses(g, e);
    each_context(g, function, guc_context_changed);
    guc_schedule_class(g, (1u << g->engine_count) - 1u);
}

bool guc_function_in_engines(const struct guc *g, unsigned function)
{
    for (const struct guc_slot *s = g->slots.list; s < g->slots.list + g->engine_count; s++)
        if ((s->active && guc_client_of(g, s->active - 1u)->function == function) ||
            (s->submitted && s->submitted != LIST_OF_NONE &&
             guc_client_of(g, s->submitted - 1u)->function == function))
            return true;
    return false;
}

static void forget_all_of(struct guc *g, uint32_t id)
{
    guc_doorbell_disarm(g, id);
    guc_context_forget(g, id);
}

/* An engine is reset only where it runs on behalf of that function. (SYS-06) */
void guc_forget_function(struct guc *g, unsigned function)
{
    for (unsigned e = 0; e < g->engine_count; e++) {
        struct guc_slot *s = &g->slots.list[e];
        const uint32_t named = s->submitted && s->submitted != LIST_OF_NONE ? s->submitted : 0;
        guc_take_statuses(g, e);
        if (s->active && guc_client_of(g, s->active - 1u)->function == function) {
            guc_record(g, e, s->active - 1u, false);
            guc_drop_list(g, e);
            guc_reset_engine(g, e);
            s->active = 0;
            s->deadline_ns = 0;
            s->failed = 0;
        } else if (named && guc_client_of(g, named - 1u)->function == function) {
            submit(g, e, s->active ? s->active : LIST_OF_NONE);
        }
    }
    each_context(g, function, forget_all_of);
    guc_schedule_class(g, (1u << g->engine_count) - 1u);
}

void guc_forget_contexts(struct guc *g, bool reset_engines)
{
    for (unsigned e = 0; reset_engines && e < g->engine_count; e++)
        if (g->slots.list[e].active || g->slots.list[e].submitted)
            guc_reset_engine(g, e);
    state_table_clear(&g->table);
    g->slots = (struct guc_slots){0};
    guc_attend_all(g);
    guc_schedule_settle(g);
}

/* ---- Leaving ---- */

/* A context and its children: whether any of them is still in an engine. */
static bool family_runs(const struct guc *g, uint32_t id)
{
    for (uint32_t i = 0; i <= guc_context(g, id)->children; i++)
        if (guc_context(g, id + i)->running)
            return true;
    return false;
}

void guc_context_left(struct guc *g, uint32_t id)
{
    struct guc_context *c = guc_context(g, id);
    const uint32_t flags = c->flags;
    if (!(flags & (CONTEXT_DISABLES | CONTEXT_DEREGISTERS)) || family_runs(g, id))
        return;
    const uint32_t children = c->children, local = guc_local_id(g, id);
    const unsigned function = guc_function_of(c);
    enum { SETTLED = CONTEXT_DISABLES | CONTEXT_ENABLED | CONTEXT_ENABLES | CONTEXT_MOST_OWED };
    for (uint32_t i = 0; i <= children; i++) {
        if (flags & CONTEXT_DEREGISTERS)
            guc_context_forget(g, id + i);
        else
            guc_context(g, id + i)->flags &= ~(uint32_t)SETTLED;
    }
    for (uint32_t told = 0; flags & CONTEXT_DISABLES && told <= (flags & CONTEXT_MOST_OWED) / CONTEXT_OWED;
         told++)
        guc_event(g, function, 0x1002, (const uint32_t[]){local, 0}, 2);
    if (flags & CONTEXT_DEREGISTERS)
        guc_event(g, function, 0x4600, &local, 1);
    else if (flags & CONTEXT_ENABLES)
        guc_context_enable(g, id);
}

void guc_context_enable(struct guc *g, uint32_t id)
{
    for (uint32_t i = 0; i <= guc_context(g, id)->children; i++) {
        struct guc_context *c = guc_context(g, id + i);
        c->flags = (c->flags | CONTEXT_ENABLED) & ~(uint32_t)CONTEXT_PARKED;
        guc_context_changed(g, id + i);
    }
    guc_event(g, guc_client_of(g, id)->function, 0x1002, (const uint32_t[]){guc_local_id(g, id), 1}, 2);
    guc_take_work(g, id);
}

/* It takes as long to leave as it was allowed when that was asked for, or as it is now, if that is sooner. */
void guc_context_hurry(struct guc *g, uint32_t id)
{
    const struct guc_context *c = guc_context(g, id);
    struct guc_slot *s = &g->slots.list[(c->running - 1u) % GUC_ENGINES];
    if (!c->running || s->active != id + 1u || !s->submitted || s->submitted == s->active ||
        !patience_us(g, id))
        return;
    const uint64_t at_ns = g->witness->now_ns + patience_us(g, id) * UINT64_C(1000);
    s->deadline_ns = s->deadline_ns && s->deadline_ns < at_ns ? s->deadline_ns : at_ns;
}

void guc_context_leave(struct guc *g, uint32_t id, uint32_t flag)
{
    const uint32_t children = guc_context(g, id)->children;
    for (uint32_t i = 0; i <= children; i++) {
        struct guc_context *c = guc_context(g, id + i);
        c->flags |= flag;
        guc_context_changed(g, id + i);
        const unsigned engine = c->running - 1u;
        if (!c->running)
            continue;
        /* One that a list names, but that never began, is out at once. */
        if (g->slots.list[engine].active != id + i + 1u) {
            c->running = 0;
            guc_context_changed(g, id + i);
        }
        guc_schedule(g, engine);
    }
    guc_context_left(g, id);
}

/* ---- What an engine says ---- */

static void leave(struct guc *g, unsigned engine, uint32_t reasons, bool comes_back)
{
    struct guc_slot *s = &g->slots.list[engine];
    if (!s->active)
        return;
    const uint32_t id = s->active - 1u;
    struct guc_context *c = guc_context(g, id);
    guc_record(g, engine, id, false);
    s->active = 0;
    s->deadline_ns = 0;
    if (!comes_back)
        c->running = 0;
    if (reasons & SWITCH_CONTEXT_COMPLETE && !(c->flags & CONTEXT_AGAIN))
        c->flags &= ~(uint32_t)CONTEXT_READY;
    else if (!(reasons & (SWITCH_CONTEXT_COMPLETE | SWITCH_PREEMPTED))) {
        c->flags |= CONTEXT_PARKED;
        g->slots.parked = 1;
    }
    c->flags &= ~(uint32_t)CONTEXT_AGAIN;
    guc_context_changed(g, id);
    for (uint32_t i = 1; i <= c->children; i++)
        guc_context_changed(g, id + i);
    guc_context_left(g, c->parent ? c->parent - 1u : id);
    if (c->engines & (c->engines - 1u))
        guc_schedule_class(g, c->engines & ~(1u << engine));
}

static void enter(struct guc *g, unsigned engine, uint32_t id)
{
    struct guc_slot *s = &g->slots.list[engine];
    struct guc_context *c = guc_context(g, id);
    const unsigned function = guc_function_of(c);
    if (s->function != function)
        s->function_since_ns = g->witness->now_ns;
    s->function = (uint8_t)function;
    s->deadline_ns = 0;
    s->active = id + 1u;
    guc_turn_give_back(g, c);
    s->since_ns = g->witness->now_ns;
    c->running = engine + 1u;
    c->flags &= ~(uint32_t)CONTEXT_AGAIN;
    guc_record(g, engine, id, true);
    for (uint32_t i = 1; i <= c->children; i++) {
        guc_context_changed(g, id + i);
        guc_schedule_class(g, guc_context(g, id + i)->engines);
    }
}

static void take_status(struct guc *g, unsigned engine, const struct switch_report *r)
{
    struct guc_slot *s = &g->slots.list[engine];
    const uint32_t from = id_of(r->from), to = id_of(r->to);
    if (r->reasons & SWITCH_LITE_RESTORE && from == to) {
        if (s->submitted == to + 1u)
            s->submitted = 0;
        if (s->active == to + 1u)
            guc_context(g, to)->flags &= ~(uint32_t)CONTEXT_AGAIN;
        return;
    }
    if (from != GUC_NO_CONTEXT && s->active == from + 1u)
        leave(g, engine, r->reasons, to == from);
    if (to == GUC_NO_CONTEXT) {
        if (s->submitted == LIST_OF_NONE)
            s->submitted = 0;
        if (!s->submitted)
            s->deadline_ns = 0;
        return;
    }
    if (s->submitted == to + 1u) {
        s->submitted = 0;
        enter(g, engine, to);
    }
}

/* Compute engines of this part wait behind each of their fences until the microcontroller lets them go on.
 * (Linux, Wa_14014475959) */
static void let_go_on(struct guc *g, unsigned engine)
{
    enum { HOLD = 0x540 };
    const struct guc_slot *s = &g->slots.list[engine];
    const struct engine *e = &g->engines[engine];
    uint32_t held = 0;
    if (!s->active || e->parse.state != SOFTGT_ENGINE_WAITING || !engine_has_threads(e))
        return;
    const uint32_t at = (guc_context(g, s->active - 1u)->descriptor & ~0xfffu) + HOLD;
    if (guc_load(guc_client_of(g, s->active - 1u), at, &held, sizeof held) && held)
        guc_store32(guc_client_of(g, s->active - 1u), at, 0);
}

void guc_take_statuses(struct guc *g, unsigned engine)
{
    struct switch_report r;
    while (engine_status_pop(&g->engines[engine], &r))
        take_status(g, engine, &r);
}

void guc_attend(struct guc *g, unsigned engine)
{
    struct engine *e = &g->engines[engine];
    struct guc_slot *s = &g->slots.list[engine];
    guc_take_statuses(g, engine);
    if (s->failed)
        return;
    const bool stopped = e->parse.state == SOFTGT_ENGINE_STOPPED && e->execlists.controlled;
    if (stopped &&
        (e->parse.why == STOP_PAGE_FAULT || e->parse.why == STOP_NO_PAGE || e->parse.why == STOP_IMAGE_END))
        guc_recover(g, engine, true);
    else if (s->deadline_ns && g->witness->now_ns >= s->deadline_ns)
        guc_recover(g, engine, false);
    else if (e->status.watchdog_expired)
        guc_step_over(g, engine);
    else if ((s->active || (s->submitted && g->apart)) && !e->context.valid && !e->execlists.pending_valid) {
        guc_drop_list(g, engine); /* somebody else reset the engine */
        leave(g, engine, SWITCH_PREEMPTED, false);
    }
    let_go_on(g, engine);
    guc_schedule(g, engine);
}

/* ---- Time ---- */

static void unpark(struct guc *g)
{
    g->slots.parked = 0;
    for (size_t part = 0; part * TABLE_PART < g->table.count; part++) {
        if (!g->table.used[part])
            continue;
        const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
        for (uint32_t id = (uint32_t)part * each; id < (part + 1u) * each; id++)
            if (guc_context(g, id)->flags & CONTEXT_PARKED) {
                guc_context(g, id)->flags &= ~(uint32_t)CONTEXT_PARKED;
                guc_context_changed(g, id);
                g->slots.attention |= guc_context(g, id)->engines;
            }
    }
}

/* The same where functions have their times. */
static uint64_t strict_due_ns(const struct guc *g, unsigned engine, uint64_t turn_ns, unsigned function)
{
    const struct guc_slot *s = &g->slots.list[engine];
    unsigned priority;
    bool waits = s->active || s->deadline_ns;
    for (unsigned n = 0; n <= g->functions && !waits; n++)
        waits = guc_best_of(g, n, engine, &priority) != GUC_NO_CONTEXT;
    if (!waits || s->failed)
        return UINT64_MAX;
    if (!s->submitted && (s->active ? guc_is_out_of_turn(g, s)
                                    : guc_best_of(g, function, engine, &priority) != GUC_NO_CONTEXT))
        return g->witness->now_ns;
    return s->deadline_ns && s->deadline_ns < turn_ns ? s->deadline_ns : turn_ns;
}

/* When the context that an engine has is to be looked at. */
static uint64_t due_ns(const struct guc *g, unsigned engine)
{
    const struct guc_slot *s = &g->slots.list[engine];
    unsigned priority, function;
    uint64_t turn_ns = guc_strict_turn_ends_ns(g, &function);
    if (turn_ns != UINT64_MAX)
        return strict_due_ns(g, engine, turn_ns, function);
    if (s->deadline_ns || !s->active || s->failed)
        return s->deadline_ns ? s->deadline_ns : UINT64_MAX;
    const struct guc_context *c = guc_context(g, s->active - 1u);
    if (g->functions && !s->submitted) {
        for (unsigned n = 0; n <= g->functions; n++)
            if (n != s->function && guc_best_of(g, n, engine, &priority) != GUC_NO_CONTEXT)
                turn_ns = guc_turn_ends_ns(g, s);
    }
    if (!c->quantum_us || s->submitted || best(g, engine, &priority) == GUC_NO_CONTEXT ||
        priority > c->priority)
        return turn_ns;
    const uint64_t slice_ns = s->since_ns + c->quantum_us * UINT64_C(1000);
    return slice_ns < turn_ns ? slice_ns : turn_ns;
}

void guc_schedule_advance(struct guc *g)
{
    if (g->slots.parked)
        unpark(g);
    for (unsigned e = 0; e < g->engine_count; e++)
        if (due_ns(g, e) <= g->witness->now_ns)
            g->slots.attention |= 1u << e;
}

uint64_t guc_schedule_next_ns(const struct guc *g)
{
    enum { PARKED_NS = 100000 };
    uint64_t next_ns = g->slots.parked ? g->witness->now_ns + PARKED_NS : UINT64_MAX;
    for (unsigned e = 0; e < g->engine_count; e++) {
        const uint64_t at_ns = due_ns(g, e);
        if (at_ns > g->witness->now_ns && at_ns < next_ns)
            next_ns = at_ns;
    }
    return next_ns;
}
