/*
 * Groups of a walker several at once, on threads of the owner's: those from the walker's place on, so many as
 * past ones were short. Each is run as one by itself is, by a lane: a dispatch and an engine that are only
 * that group's while it runs, and share nothing with others but memory, which atomics change at once. A group
 * goes on until it ends, or has had its piece; which thread ran it when changes nothing of it. Who comes to
 * an atomic that others would not see as one (it is not aligned) has the rest of its piece behind theirs,
 * alone. What lanes counted is added up behind; of what stopped groups the first one's is told, as if it were
 * the one at hand. State are the groups alone, so that whoever loads it goes on, with or without threads.
 */
#include "dispatch/dispatch.h"

#include <stdlib.h>

enum {
    FIRST_TOGETHER = 16,
    PIECE_INSTRUCTIONS = 1 << 16, /* of one group; less where there are many */
    FEW_INSTRUCTIONS = 1 << 19,   /* of all: more come next */
    MANY_INSTRUCTIONS = 1 << 21,
    ROOM_ALIGNMENT = 64,
    MOST_ROOM_BYTES = MOST_GROUP_THREADS * sizeof(struct eu_thread) + MOST_LOCAL_BYTES + 2 * ROOM_ALIGNMENT,
    ROOMS_BYTES = 32 << 20, /* beside a room for each lane */
    MOST_FAULTS = 32,       /* that are told of a group */
};

#define NO_ROOM UINT32_MAX

/* One of those at hand. */
struct group {
    uint32_t begun, thread, share, arrived; /* as in struct grid */
    bool group, ended;
    bool alone;    /* the rest of its piece, */
    uint64_t left; /* so much, is for when no other runs */
    uint32_t room; /* of its threads and its memory; NO_ROOM: it has none yet, or none any more */
};

struct fault {
    uint64_t address;
    enum space space;
    unsigned level;
    bool write;
};

/* What a thread of the owner's has while it runs groups; all but the cache is set anew for each slice. */
struct lane {
    struct engine engine;
    struct dispatch dispatch;
    struct memory memory;
    struct witness witness;
    bool ready;
    uint64_t ready_ns; /* what memory that cannot be mapped had cost by then */
    uint32_t room;     /* that the next group takes */
    uint64_t used;     /* instructions */
    /* Of the groups that it ran the first that failed. */
    bool failed;
    uint32_t failed_group;
    const char *why;
    bool not_modelled;
    unsigned fault_count;
    struct fault faults[MOST_FAULTS];
    bool has_dropped; /* a write to a read-only page, in this slice */
    enum space dropped_space;
    uint64_t dropped_address;
};

struct groups {
    struct group list[MOST_TOGETHER];
    struct lane *lanes; /* of each thread; the last of who is alone */
    unsigned lane_count;
    uint8_t *rooms, *locals;
    /* Of a slice. */
    uint32_t todo[MOST_TOGETHER];
    uint32_t *free_rooms; /* those that nobody has, room_count of them at most */
    uint32_t taken;       /* of them */
    uint32_t looked_at;   /* the group that ran last, where they run one by one */
};

/* ---- Life ---- */

static void note_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    struct lane *const l = user;
    if (!l->failed && l->fault_count < MOST_FAULTS)
        l->faults[l->fault_count++] =
            (struct fault){.address = address, .space = space, .level = level, .write = write};
    l->engine.parse.state = SOFTGT_ENGINE_STOPPED;
}

/* The lowest address: the same whatever thread of the host ran which group. */
static void note_write_dropped(void *user, enum space space, uint64_t address)
{
    struct lane *const l = user;
    if (!l->has_dropped || address < l->dropped_address)
        l->dropped_address = address;
    l->has_dropped = true;
    l->dropped_space = space;
}

/* A lane's dispatch has what is the same for all groups. */
static bool lane_create(struct lane *l, const struct dispatch *d)
{
    l->engine.info = d->engine->info;
    l->engine.mmio = d->engine->mmio;
    l->engine.witness = &l->witness;
    l->dispatch = (struct dispatch){.engine = &l->engine,
                                    .set = d->set,
                                    .structures = d->structures,
                                    .bindings = d->bindings,
                                    .cache = eu_cache_create(&d->code)};
    l->dispatch.bindings.engine = &l->engine;
    l->dispatch.bindings.counters = (struct message_counters){0};
    return l->dispatch.cache != NULL;
}

bool groups_create(struct dispatch *d)
{
    const unsigned lanes = d->parallel.threads > 1 ? d->parallel.threads + 1u : 1;
    if (d->groups)
        return true;
    struct groups *const a = d->groups = calloc(1, sizeof *a);
    if (a) {
        a->rooms = calloc(1, ROOMS_BYTES + lanes * (size_t)MOST_ROOM_BYTES);
        a->locals = calloc(1, ROOMS_BYTES + lanes * (size_t)MOST_ROOM_BYTES);
        a->free_rooms = calloc(MOST_TOGETHER + lanes, sizeof *a->free_rooms);
        a->lanes = calloc(lanes, sizeof *a->lanes);
    }
    bool good = a && a->rooms && a->locals && a->free_rooms && a->lanes;
    for (; good && a->lane_count < lanes; a->lane_count++)
        good = lane_create(&a->lanes[a->lane_count], d);
    if (!good)
        groups_destroy(d);
    return good;
}

void groups_destroy(struct dispatch *d)
{
    struct groups *const a = d->groups;
    for (unsigned i = 0; a && a->lanes && i < a->lane_count; i++)
        eu_cache_destroy(a->lanes[i].dispatch.cache);
    if (a) {
        free(a->lanes);
        free(a->rooms);
        free(a->locals);
        free(a->free_rooms);
    }
    free(a);
    d->groups = NULL;
}

/* ---- Rooms ---- */

static size_t local_room_bytes(const struct grid *g)
{
    return (g->local_bytes + ROOM_ALIGNMENT - 1u) & ~(size_t)(ROOM_ALIGNMENT - 1);
}

static size_t room_bytes(const struct grid *g)
{
    return g->threads * sizeof(struct eu_thread) + local_room_bytes(g);
}

static uint8_t *aligned(uint8_t *bytes)
{
    return bytes + (-(uintptr_t)bytes & (ROOM_ALIGNMENT - 1));
}

/* What was a thread is one of every walker that comes: what starts one counts on it. */
static struct eu_thread *threads_of(const struct groups *a, const struct grid *g, uint32_t room)
{
    return (struct eu_thread *)(void *)aligned(a->rooms) + (size_t)room * g->threads;
}

static uint8_t *local_of(const struct groups *a, const struct grid *g, uint32_t room)
{
    return aligned(a->locals) + room * local_room_bytes(g);
}

/* How many groups of these can be at hand, beside what lanes keep. */
static uint32_t most_together(const struct dispatch *d)
{
    const size_t rooms = ROOMS_BYTES / room_bytes(&d->grid);
    const uint32_t apart = payload_groups_apart(d), most = apart < MOST_TOGETHER ? apart : MOST_TOGETHER;
    return rooms < most ? (uint32_t)rooms : most;
}

static void find_free_rooms(struct groups *a, uint32_t together)
{
    bool held[MOST_TOGETHER * 2] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < together; i++)
        if (a->list[i].room != NO_ROOM)
            held[a->list[i].room] = true;
    for (uint32_t room = 0; count < together + a->lane_count && room < sizeof held; room++)
        if (!held[room])
            a->free_rooms[count++] = room;
    a->taken = 0;
}

/* ---- Where they are ---- */

/* Groups that are left, this one too. */
static uint64_t groups_left(const struct grid *g)
{
    uint64_t left = g->end[0] - g->at[0], row = g->end[0] - g->start[0];
    for (unsigned i = 1; i < 3; i++) {
        left += (uint64_t)(g->end[i] - g->at[i] - 1u) * row;
        row *= g->end[i] - g->start[i];
        if (row > UINT32_MAX || left > UINT32_MAX) /* enough */
            return UINT32_MAX;
    }
    return left;
}

/* So many behind the first one. */
static void place_of(const struct grid *g, uint32_t index, uint32_t at[3])
{
    uint64_t carry = index;
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t count = g->end[i] - g->start[i], place = g->at[i] - g->start[i] + carry;
        at[i] = g->start[i] + (uint32_t)(place % count);
        carry = place / count;
    }
}

/* ---- One group, on any thread ---- */

static struct lane *lane_alone(const struct groups *a)
{
    return &a->lanes[a->lane_count - 1u];
}

static void lane_begin_slice(struct lane *l, const struct dispatch *d)
{
    const struct engine *const e = d->engine;
    const bool alone = l == lane_alone(d->groups);
    l->witness = (struct witness){.now_ns = e->witness->now_ns, .cost_ns = l->witness.cost_ns};
    l->ready_ns = l->witness.cost_ns;
    l->memory = *e->mmu.memory;
    l->memory.witness = &l->witness;
    l->memory.guard = d->parallel.threads > 1 ? &d->parallel : NULL;
    l->engine.mmu = e->mmu;
    l->engine.mmu.memory = &l->memory;
    l->engine.mmu.walker = (struct walker){.memory = &l->memory, .function = e->mmu.function};
    l->engine.mmu.user = l;
    l->engine.mmu.fault = note_fault;
    l->engine.mmu.write_dropped = e->mmu.write_dropped ? note_write_dropped : NULL;
    l->has_dropped = false;
    l->dispatch.grid = d->grid;
    l->dispatch.counts_kinds = d->counts_kinds;
    l->dispatch.goes_on = false;
    l->dispatch.bindings.kernel_pages = 0;
    l->dispatch.bindings.parallel_port = alone ? NULL : l->memory.guard;
    if (alone) { /* who looks sees what it runs */
        l->witness.trace = e->witness->trace;
        l->dispatch.hooks = d->hooks;
        l->dispatch.watched = d->watched;
        l->dispatch.before = d->before;
        l->dispatch.may_hold = d->may_hold;
        l->dispatch.held = false;
    }
    dispatch_bind(&l->dispatch);
    l->ready = true;
}

static void enter(struct lane *l, struct groups *a, const struct dispatch *d, uint32_t index)
{
    const struct group *const p = &a->list[index];
    struct grid *const g = &l->dispatch.grid;
    if (p->room == NO_ROOM && l->room == NO_ROOM)
        l->room = a->free_rooms[__atomic_fetch_add(&a->taken, 1, __ATOMIC_RELAXED)];
    const uint32_t room = p->room == NO_ROOM ? l->room : p->room;
    place_of(&d->grid, index, g->at);
    g->begun = p->begun;
    g->thread = p->thread;
    g->share = p->share;
    g->arrived = p->arrived;
    g->group = p->group;
    l->dispatch.threads = threads_of(a, &d->grid, room);
    l->dispatch.local = l->dispatch.bindings.slm = local_of(a, &d->grid, room);
    l->dispatch.waited = 0;
    l->dispatch.bindings.needs_exclusive = false;
    l->engine.parse.state = SOFTGT_ENGINE_RUNNING;
    l->fault_count = l->failed ? l->fault_count : 0;
}

/* A group that stays takes the room along. */
static void leave(struct lane *l, struct group *p, bool stays)
{
    const struct grid *const g = &l->dispatch.grid;
    p->begun = g->begun;
    p->thread = g->thread;
    p->share = g->share;
    p->arrived = g->arrived;
    p->group = g->group;
    if (stays && p->room == NO_ROOM) {
        p->room = l->room;
        l->room = NO_ROOM;
    }
}

static void run_group(const struct dispatch *d, struct lane *l, uint32_t index)
{
    struct groups *const a = d->groups;
    struct group *const p = &a->list[index];
    const struct grid *const g = &l->dispatch.grid;
    uint64_t left = p->left;
    enum outcome outcome = OUTCOME_RESUME;
    const char *why = NULL;
    /* What a group before it found where memory cannot be mapped is found anew: what that costs does not
     * depend on which groups a thread had. */
    if (!l->ready || l->witness.cost_ns != l->ready_ns)
        lane_begin_slice(l, d);
    enter(l, a, d, index);
    while (left && outcome == OUTCOME_RESUME && !p->ended && !l->dispatch.bindings.needs_exclusive &&
           !l->dispatch.held) {
        if (g->group) {
            outcome = dispatch_turn(&l->dispatch, &left, &why);
            p->ended = outcome == OUTCOME_RESUME && !g->group;
        } else if (!dispatch_begin_group(&l->dispatch, &left)) {
            outcome = OUTCOME_FAULT;
            why = "its payload is not there";
        }
    }
    l->used += p->left - left;
    p->left = left;
    p->alone = l->dispatch.bindings.needs_exclusive;
    /* The walker's last one can be looked at behind its end. */
    const bool is_last = d->may_hold && index + 1u == d->grid.together;
    leave(l, p, outcome == OUTCOME_FAULT || !p->ended || is_last);
    if (outcome == OUTCOME_FAULT && !l->failed) {
        l->failed = true;
        l->failed_group = index;
        l->why = why;
        l->not_modelled = l->dispatch.bindings.not_modelled;
    }
}

static void run_beside_others(void *context, unsigned thread, unsigned number)
{
    const struct dispatch *const d = context;
    run_group(d, &d->groups->lanes[thread], d->groups->todo[number]);
}

/* ---- All of them ---- */

/* All of them are counts; those of the lane begin anew. */
static void add_counts(void *to, void *from, size_t bytes)
{
    uint64_t *const sums = to;
    const uint64_t *const counts = from;
    for (size_t i = 0; i < bytes / sizeof *sums; i++)
        sums[i] += counts[i];
    memset(from, 0, bytes);
}

/* What a lane did. */
static void add(struct dispatch *d, struct lane *l)
{
    struct dispatch *const from = &l->dispatch;
    add_counts(&d->engine->totals, &l->engine.totals, sizeof l->engine.totals);
    add_counts(&d->bindings.counters, &from->bindings.counters, sizeof from->bindings.counters);
    add_counts(&d->done, &from->done, sizeof from->done);
    d->engine->witness->cost_ns += l->witness.cost_ns;
    l->witness.cost_ns = 0;
}

/* A group becomes the one that is at hand, as far as it is looked at. */
static void show(struct dispatch *d, uint32_t index)
{
    const struct groups *const a = d->groups;
    const struct group *const p = &a->list[index];
    struct grid *const g = &d->grid;
    const uint32_t begun = p->group || p->ended ? g->threads : p->begun;
    if (p->room != NO_ROOM && begun) {
        memcpy(d->threads, threads_of(a, g, p->room), begun * sizeof *d->threads);
        memcpy(d->local, local_of(a, g, p->room), g->local_bytes);
    }
    g->thread = p->thread;
}

static enum outcome fail(struct dispatch *d, const struct lane *l, const char **why)
{
    struct grid *const g = &d->grid;
    const struct group *const p = &d->groups->list[l->failed_group];
    show(d, l->failed_group);
    place_of(g, l->failed_group, g->at);
    g->group = p->group;
    g->together = 0;
    for (unsigned i = 0; i < l->fault_count; i++) {
        const struct fault *const f = &l->faults[i];
        d->engine->mmu.fault(d->engine->mmu.user, f->space, f->address, f->write, f->level);
    }
    *why = d->bindings.error_text = l->why;
    d->bindings.not_modelled = l->not_modelled;
    return OUTCOME_FAULT;
}

/* All have ended. */
static void end(struct dispatch *d, uint32_t pace)
{
    struct grid *const g = &d->grid;
    const uint32_t count = g->together;
    if (d->may_hold)
        show(d, count - 1u);
    g->together = 0;
    g->pace = pace < FIRST_TOGETHER ? FIRST_TOGETHER : pace > MOST_TOGETHER ? MOST_TOGETHER : pace;
    for (uint32_t i = 0; i < count; i++)
        dispatch_next_group(d);
}

/* Threads of a group have scratch memory by their number in it, and so do those of the next group. */
static bool has_scratch(const struct grid *g)
{
    enum { R0_SCRATCH_SIZE = 3, R0_SCRATCH = 5, SIZE_BITS = 0xf, BASE_BITS = ~0x3ff };
    return g->r0[R0_SCRATCH_SIZE] & SIZE_BITS || g->r0[R0_SCRATCH] & (uint32_t)BASE_BITS;
}

static bool is_looked_at(const struct dispatch *d)
{
    return d->watched || d->hooks.started || tracing(d->engine->witness, SOFTGT_TRACE_MEMORY);
}

/* What is recorded is told by how often the engine came back: that is the same with threads and without. */
bool groups_wanted(const struct dispatch *d)
{
    const struct witness *const w = d->engine->witness;
    const struct grid *const g = &d->grid;
    return d->parallel.threads > 1 && g->live && !g->group && !g->begun && !g->gathers &&
           groups_left(g) > 1 && !comes_alone(&d->grid) && !has_scratch(&d->grid) && !is_looked_at(d) &&
           !w->in_dwords;
}

bool groups_begin(struct dispatch *d)
{
    struct grid *const g = &d->grid;
    const uint64_t left = groups_left(g);
    if (!groups_wanted(d) || !groups_create(d))
        return false;
    const uint32_t most = most_together(d), pace = g->pace ? g->pace : FIRST_TOGETHER;
    g->together = pace < left ? pace : (uint32_t)left;
    g->together = g->together < most ? g->together : most;
    for (uint32_t i = 0; i < g->together; i++)
        d->groups->list[i] = (struct group){.room = NO_ROOM};
    return true;
}

/* Those that go on now, each with a piece. */
static uint32_t share_out(struct groups *a, uint32_t together, uint64_t budget)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < together; i++)
        if (!a->list[i].ended)
            a->todo[count++] = i;
    if (count > budget)
        count = (uint32_t)budget;
    const uint64_t part = count ? budget / count : 0; /* a made up state may have none that goes on */
    for (uint32_t i = 0; i < count; i++)
        a->list[a->todo[i]].left = part < PIECE_INSTRUCTIONS ? part : PIECE_INSTRUCTIONS;
    return count;
}

static void run_all(struct dispatch *d, uint32_t count)
{
    struct groups *const a = d->groups;
    if (d->parallel.threads > 1)
        d->parallel.run(d->parallel.user, count, run_beside_others, d);
    for (uint32_t i = 0; i < count; i++)
        if (d->parallel.threads < 2 || a->list[a->todo[i]].alone)
            run_group(d, lane_alone(a), a->todo[i]);
}

/* In their order, as far as the budget goes, or to where somebody holds one. */
static void run_one_by_one(struct dispatch *d, uint32_t count, uint64_t budget)
{
    struct groups *const a = d->groups;
    struct lane *const l = lane_alone(a);
    for (uint32_t i = 0; i < count && budget && !l->failed && !d->held; i++) {
        struct group *const p = &a->list[a->todo[i]];
        p->left = budget;
        run_group(d, l, a->todo[i]);
        budget = p->left;
        d->held = l->dispatch.held;
        a->looked_at = a->todo[i];
    }
}

void groups_place(const struct dispatch *d, uint32_t at[3])
{
    place_of(&d->grid, d->grid.together ? d->groups->looked_at : 0, at);
}

enum outcome groups_run(struct dispatch *d, uint64_t *budget, const char **why)
{
    struct groups *const a = d->groups;
    struct grid *const g = &d->grid;
    const struct lane *failed = NULL, *dropped = NULL;
    const uint32_t count = share_out(a, g->together, *budget);
    uint64_t used = 0;
    bool ended = true;
    find_free_rooms(a, g->together);
    for (unsigned i = 0; i < a->lane_count; i++) {
        struct lane *const l = &a->lanes[i];
        l->ready = l->failed = false;
        l->used = 0;
        l->room = NO_ROOM;
    }
    a->looked_at = 0;
    if (is_looked_at(d))
        run_one_by_one(d, count, *budget);
    else
        run_all(d, count);
    for (unsigned i = 0; i < a->lane_count; i++) {
        struct lane *const l = &a->lanes[i];
        if (!l->ready)
            continue;
        used += l->used;
        add(d, l);
        if (l->has_dropped && (!dropped || l->dropped_address < dropped->dropped_address))
            dropped = l;
        if (l->failed && (!failed || l->failed_group < failed->failed_group))
            failed = l;
    }
    budget_take(budget, used);
    if (dropped)
        d->engine->mmu.write_dropped(d->engine->mmu.user, dropped->dropped_space, dropped->dropped_address);
    if (failed)
        return fail(d, failed, why);
    for (uint32_t i = 0; i < g->together; i++)
        ended &= a->list[i].ended;
    if (ended)
        end(d, used < FEW_INSTRUCTIONS    ? g->together * 2u
               : used > MANY_INSTRUCTIONS ? g->together / 2u
                                          : g->together);
    return OUTCOME_RESUME;
}

/* ---- State ---- */

static bool could_be(const struct grid *g, const struct group *p)
{
    return p->begun < g->threads && p->thread < g->threads && p->arrived < g->threads &&
           p->share <= SHARE_INSTRUCTIONS && !(p->group && p->begun) && !(p->ended && (p->group || p->begun));
}

void groups_state(struct dispatch *d, struct state *s)
{
    const struct grid *const g = &d->grid;
    const size_t begin = state_section_begin(s, d->engine->info->name, "groups", 1);
    if (!s->failed && !s->saving && g->together && !groups_create(d)) {
        s->section = NULL;
        s->failed = true;
    }
    state_check(s, s->failed || !g->together ||
                       (g->together <= groups_left(g) && g->together <= most_together(d)));
    for (uint32_t i = 0; d->groups && i < g->together && !s->failed; i++) {
        struct group *const p = &d->groups->list[i];
        STATE(s, p->begun);
        STATE(s, p->thread);
        STATE(s, p->share);
        STATE(s, p->arrived);
        STATE(s, p->group);
        STATE(s, p->ended);
        state_check(s, could_be(g, p));
        if (!s->saving)
            p->room = !s->failed && (p->group || p->begun) ? i : NO_ROOM;
        const unsigned threads = s->failed ? 0 : p->group ? g->threads : p->begun;
        struct eu_thread *const t = threads ? threads_of(d->groups, g, p->room) : NULL;
        for (unsigned n = 0; n < threads && !s->failed; n++) {
            if (!s->saving)
                eu_thread_start(&t[n], d->set, 0, 0);
            eu_thread_state(&t[n], s);
        }
        if (threads && !s->failed)
            state_dwords(s, (uint32_t *)(void *)local_of(d->groups, g, p->room), g->local_bytes / 4u);
    }
    state_section_end(s, begin);
}
