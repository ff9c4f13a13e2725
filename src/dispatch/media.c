/*
 * Media objects: threads by themselves, or of a group that command after command adds to, or where loops of
 * the front end come to. Scoreboards need nothing: each thread ends before the next one begins. Our choice
 * where the public manuals show pictures alone: an outer loop takes all its steps, and what an inner one
 * meets outside is left out.
 */
#include "dispatch/dispatch.h"

static const struct state_field place_fields[] = {
    STATE_NUMBERS(struct media_place, global_outer, 0), STATE_NUMBERS(struct media_place, global, 0),
    STATE_NUMBERS(struct media_place, outer, 0),        STATE_NUMBERS(struct media_place, middle, 0),
    STATE_NUMBERS(struct media_place, inner, 0),        STATE_NUMBER(struct media_place, global_step, 0),
    STATE_NUMBER(struct media_place, step, 0),          STATE_NUMBER(struct media_place, extra_step, 0),
    STATE_NUMBER(struct media_place, color, 0),
};
const struct state_field media_loops_fields[MEDIA_LOOPS_FIELDS] = {
    STATE_NUMBERS(struct media_loops, block, 1u << 16), STATE_NUMBERS(struct media_loops, start, 0),
    STATE_NUMBERS(struct media_loops, outer, 0),        STATE_NUMBERS(struct media_loops, inner, 0),
    STATE_NUMBERS(struct media_loops, resolution, 0),   STATE_NUMBERS(struct media_loops, global_start, 0),
    STATE_NUMBERS(struct media_loops, global_outer, 0), STATE_NUMBERS(struct media_loops, global_inner, 0),
    STATE_NUMBERS(struct media_loops, middle, 0),       STATE_NUMBER(struct media_loops, global_count, 0),
    STATE_NUMBER(struct media_loops, count, 0),         STATE_NUMBER(struct media_loops, extra, 0),
    STATE_NUMBER(struct media_loops, last_color, 0),    STATE_STRUCT(struct media_loops, at, place_fields),
};

/* ---- Loops ---- */

static void move(int32_t to[2], const int32_t from[2], const int32_t by[2])
{
    for (unsigned i = X; i <= Y; i++)
        to[i] = (int32_t)((uint32_t)from[i] + (uint32_t)by[i]);
}

/* No step more leads into it. */
static bool has_left(const int32_t at[2], const int32_t by[2], const int32_t low[2], const int32_t high[2])
{
    bool left = !by[X] && !by[Y];
    for (unsigned i = X; i <= Y; i++)
        left |= (at[i] < low[i] && by[i] <= 0) || (at[i] >= high[i] && by[i] >= 0);
    return left;
}

/* Of the block at hand, the part of it that is in all that is walked. */
static void block_bounds(const struct media_loops *l, int32_t low[2], int32_t high[2])
{
    for (unsigned i = X; i <= Y; i++) {
        const int64_t before = -(int64_t)l->at.global[i],
                      behind = (int64_t)l->resolution[i] - l->at.global[i];
        low[i] = before <= 0 ? 0 : before < l->block[i] ? (int32_t)before : l->block[i];
        high[i] = behind >= l->block[i] ? l->block[i] : behind > 0 ? (int32_t)behind : 0;
    }
}

static bool is_inside(const struct media_loops *l)
{
    int32_t low[2] = {0}, high[2] = {0};
    block_bounds(l, low, high);
    return l->at.inner[X] >= low[X] && l->at.inner[X] < high[X] && l->at.inner[Y] >= low[Y] &&
           l->at.inner[Y] < high[Y];
}

static void begin_block(struct media_loops *l)
{
    int32_t low[2] = {0}, high[2] = {0};
    block_bounds(l, low, high);
    for (unsigned i = X; i <= Y; i++) { /* a block that is cut begins where there is something of it */
        const bool cut = high[i] > 0 && high[i] < l->block[i] && l->start[i] >= high[i];
        l->at.outer[i] = cut ? high[i] - 1 : l->start[i];
    }
    memcpy(l->at.middle, l->at.outer, sizeof l->at.inner);
    memcpy(l->at.inner, l->at.outer, sizeof l->at.inner);
    l->at.step = l->at.extra_step = 0;
}

static void begin_loops(struct media_loops *l)
{
    memcpy(l->at.global_outer, l->global_start, sizeof l->at.inner);
    memcpy(l->at.global, l->global_start, sizeof l->at.inner);
    begin_block(l);
}

/* A step of the innermost loop that has one left. False: there is none. */
static bool step(struct media_loops *l)
{
    int32_t low[2] = {0}, high[2] = {0};
    block_bounds(l, low, high);
    move(l->at.inner, l->at.inner, l->inner);
    if (low[X] < high[X] && low[Y] < high[Y]) {
        if (!has_left(l->at.inner, l->inner, low, high))
            return true;
        if (l->at.extra_step < l->extra) {
            l->at.extra_step++;
            move(l->at.middle, l->at.middle, l->middle);
            memcpy(l->at.inner, l->at.middle, sizeof l->at.inner);
            return true;
        }
        if (l->at.step < l->count) {
            l->at.step++;
            l->at.extra_step = 0;
            move(l->at.outer, l->at.outer, l->outer);
            memcpy(l->at.middle, l->at.outer, sizeof l->at.inner);
            memcpy(l->at.inner, l->at.outer, sizeof l->at.inner);
            return true;
        }
    }
    const int32_t first[2] = {-l->block[X], -l->block[Y]};
    move(l->at.global, l->at.global, l->global_inner);
    if (has_left(l->at.global, l->global_inner, first, l->resolution)) {
        if (l->at.global_step >= l->global_count)
            return false;
        l->at.global_step++;
        move(l->at.global_outer, l->at.global_outer, l->global_outer);
        memcpy(l->at.global, l->at.global_outer, sizeof l->at.inner);
    }
    begin_block(l);
    return true;
}

/* Where it stands is a thread for each color; then comes a step. */
void media_seek(struct grid *g, uint64_t *budget)
{
    struct media_loops *const l = &g->loops;
    while (*budget) {
        --*budget;
        if (l->at.color > l->last_color || !is_inside(l)) {
            l->at.color = 0;
            if (step(l))
                continue;
            g->live = g->seeks = false;
            return;
        }
        g->at[2] = l->at.color++;
        for (unsigned i = X; i <= Y; i++)
            g->at[i] = (uint32_t)l->at.global[i] + (uint32_t)l->at.inner[i];
        g->seeks = false;
        return;
    }
}

/* ---- Commands ---- */

static struct grid *begin_object(struct dispatch *d, struct execution *x, unsigned inline_dw,
                                 enum outcome *outcome)
{
    enum { MEDIA_CHANNELS = 32, R0_DESCRIPTOR = 2 };
    struct grid *const g = grid_begin(d, x);
    const uint64_t descriptor = get(x, WALKER_INTERFACE_DESCRIPTOR_OFFSET);
    *outcome = OUTCOME_DONE;
    if (!take_media_state(d, g, descriptor, outcome))
        return NULL;
    memset(g->at, 0, sizeof g->at);
    g->resumes = false;
    g->end[0] = g->end[1] = g->end[2] = UINT32_MAX;
    g->simd = MEDIA_CHANNELS;
    g->payload = PAYLOAD_OBJECT;
    g->r0[R0_DESCRIPTOR] = (uint32_t)descriptor << 4;
    g->cross_registers = 0;
    for (uint32_t i = inline_dw; i < x->length_dw && g->inline_length_dw < INLINE_DW; i++)
        g->inline_dw[g->inline_length_dw++] = *(const volatile uint32_t *)&x->dw[i];
    g->live = true;
    return g;
}

static void tell_children(struct dispatch *d)
{
    complain(d->engine->witness, SOFTGT_NOT_MODELLED, d->engine->info->name, d->engine->parse.command_address,
             "media threads that spawn threads are not modelled: none is spawned");
}

static void take_place(struct dispatch *d, struct grid *g, const struct execution *x)
{
    g->at[X] = (uint32_t)get(x, MEDIA_X_POSITION);
    g->at[Y] = (uint32_t)get(x, MEDIA_Y_POSITION);
    g->at[2] = (uint32_t)get(x, MEDIA_BLOCK_COLOR);
    g->data_bytes = (uint32_t)get(x, WALKER_INDIRECT_DATA_LENGTH);
    g->data = kept_state(d, STATE_BASE_ADDRESS, BASE_ADDRESS_INDIRECT_OBJECT_BASE_ADDRESS) +
              get(x, WALKER_INDIRECT_DATA_START_ADDRESS);
}

bool dispatch_media_object(struct dispatch *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 6 };
    struct grid *const g = begin_object(d, x, INLINE_AT_DW, outcome);
    if (!g)
        return false;
    if (get(x, MEDIA_CHILDREN_PRESENT) || get(x, MEDIA_THREAD_SYNCHRONIZATION))
        tell_children(d);
    take_place(d, g, x);
    return true;
}

/* A persistent root thread has its inline data behind the constants, as others do; nothing preempts it. */
bool dispatch_media_root(struct dispatch *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 4 };
    if (get(x, MEDIA_CHILDREN_PRESENT))
        tell_children(d);
    return begin_object(d, x, INLINE_AT_DW, outcome);
}

bool dispatch_media_walker(struct dispatch *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 17 };
    const bool resumes = d->grid.resumes && d->grid.loop;
    const struct media_place at = d->grid.loops.at;
    struct grid *const g = begin_object(d, x, INLINE_AT_DW, outcome);
    struct media_loops *const l = &d->grid.loops;
    if (!g)
        return false;
    if (get(x, MEDIA_CHILDREN_PRESENT) || get(x, MEDIA_THREAD_SYNCHRONIZATION))
        tell_children(d);
    if (get(x, MEDIA_GROUP_ID_LOOP_SELECT) || get(x, MEDIA_MASKED_DISPATCH))
        complain(d->engine->witness, SOFTGT_NOT_MODELLED, d->engine->info->name,
                 d->engine->parse.command_address,
                 "MEDIA_OBJECT_WALKER: groups of its threads and masks are not modelled");
    int32_t *const vectors[] = {l->block,        l->start,        l->outer,        l->inner, l->resolution,
                                l->global_start, l->global_outer, l->global_inner, l->middle};
    for (unsigned i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        for (unsigned axis = X; axis <= Y; axis++) {
            const unsigned role = MEDIA_BLOCK_RESOLUTION_X + i * 2u + axis;
            const struct field *const f = &x->command->by_role[role];
            const unsigned shift = 31u - (unsigned)(f->last - f->first);
            const uint32_t value = (uint32_t)get(x, role);
            vectors[i][axis] = f->kind == FIELD_INT ? (int32_t)(value << shift) >> shift : (int32_t)value;
        }
    l->extra = (uint32_t)get(x, MEDIA_MIDDLE_LOOP_EXTRA_STEPS);
    l->last_color = (uint32_t)get(x, MEDIA_BLOCK_COLOR);
    l->count = (uint32_t)get(x, MEDIA_LOCAL_LOOP_EXEC_COUNT);
    l->global_count = (uint32_t)get(x, MEDIA_GLOBAL_LOOP_EXEC_COUNT);
    begin_loops(l);
    if (resumes)
        l->at = at;
    g->loop = g->seeks = true;
    return true;
}

/* Threads of a group come one a command, the last one says so. */
bool dispatch_media_group(struct dispatch *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 7 };
    const uint32_t gathered = d->grid.gathers ? d->grid.begun : 0;
    struct grid *const g = begin_object(d, x, INLINE_AT_DW, outcome);
    if (!g)
        return false;
    take_place(d, g, x);
    g->begun = gathered < MOST_GROUP_THREADS ? gathered : MOST_GROUP_THREADS - 1u;
    g->threads = g->counters[0] = g->begun + 1u;
    g->gathers = !get(x, MEDIA_END_OF_THREAD_GROUP);
    return true;
}
