/*
 * Media objects. MEDIA_OBJECT starts one thread, MEDIA_OBJECT_GRPID adds one to a group, MEDIA_OBJECT_WALKER
 * starts threads along nested loops. Scoreboards have no effect: a thread ends before the next one begins.
 * Not modelled: threads that spawn threads, groups and masks of the walker. Our choice, since public manuals
 * show loops in pictures only: an outer loop takes all its steps, and positions of an inner loop outside its
 * block are skipped.
 */
#include "dispatcher/dispatcher.h"

/* ---- Loops ---- */

static void add_vector(int32_t to[2], const int32_t from[2], const int32_t by[2])
{
    for (unsigned i = X; i <= Y; i++)
        to[i] = (int32_t)((uint32_t)from[i] + (uint32_t)by[i]);
}

/* Whether no further step leads into the bounds. */
static bool has_left_bounds(const int32_t at[2], const int32_t by[2], const int32_t low[2],
                            const int32_t high[2])
{
    bool left = !by[X] && !by[Y];
    for (unsigned i = X; i <= Y; i++)
        left |= (at[i] < low[i] && by[i] <= 0) || (at[i] >= high[i] && by[i] >= 0);
    return left;
}

/* Clips the current block to the global resolution. */
static void block_bounds(const struct media_loops *l, int32_t low[2], int32_t high[2])
{
    for (unsigned i = X; i <= Y; i++) {
        const int64_t before = -(int64_t)l->cursor.global[i],
                      behind = (int64_t)l->global_resolution[i] - l->cursor.global[i];
        low[i] = before <= 0 ? 0 : before < l->block_resolution[i] ? (int32_t)before : l->block_resolution[i];
        high[i] = behind >= l->block_resolution[i] ? l->block_resolution[i]
                  : behind > 0                     ? (int32_t)behind
                                                   : 0;
    }
}

static bool is_inside(const struct media_loops *l)
{
    int32_t low[2] = {0}, high[2] = {0};
    block_bounds(l, low, high);
    return l->cursor.inner[X] >= low[X] && l->cursor.inner[X] < high[X] && l->cursor.inner[Y] >= low[Y] &&
           l->cursor.inner[Y] < high[Y];
}

static void begin_block(struct media_loops *l)
{
    int32_t low[2] = {0}, high[2] = {0};
    block_bounds(l, low, high);
    for (unsigned i = X; i <= Y; i++) { /* a clipped block begins inside the resolution */
        const bool cut = high[i] > 0 && high[i] < l->block_resolution[i] && l->local_start[i] >= high[i];
        l->cursor.outer[i] = cut ? high[i] - 1 : l->local_start[i];
    }
    memcpy(l->cursor.middle, l->cursor.outer, sizeof l->cursor.inner);
    memcpy(l->cursor.inner, l->cursor.outer, sizeof l->cursor.inner);
    l->cursor.step = l->cursor.extra_step = 0;
}

static void begin_loops(struct media_loops *l)
{
    memcpy(l->cursor.global_outer, l->global_start, sizeof l->cursor.inner);
    memcpy(l->cursor.global, l->global_start, sizeof l->cursor.inner);
    begin_block(l);
}

/* Steps the innermost loop that has a step left. False: all have ended. */
static bool step_loops(struct media_loops *l)
{
    int32_t low[2] = {0}, high[2] = {0};
    block_bounds(l, low, high);
    add_vector(l->cursor.inner, l->cursor.inner, l->inner_step);
    if (low[X] < high[X] && low[Y] < high[Y]) {
        if (!has_left_bounds(l->cursor.inner, l->inner_step, low, high))
            return true;
        if (l->cursor.extra_step < l->extra_steps) {
            l->cursor.extra_step++;
            add_vector(l->cursor.middle, l->cursor.middle, l->middle_step);
            memcpy(l->cursor.inner, l->cursor.middle, sizeof l->cursor.inner);
            return true;
        }
        if (l->cursor.step < l->local_loop_count) {
            l->cursor.step++;
            l->cursor.extra_step = 0;
            add_vector(l->cursor.outer, l->cursor.outer, l->outer_step);
            memcpy(l->cursor.middle, l->cursor.outer, sizeof l->cursor.inner);
            memcpy(l->cursor.inner, l->cursor.outer, sizeof l->cursor.inner);
            return true;
        }
    }
    const int32_t first[2] = {-l->block_resolution[X], -l->block_resolution[Y]};
    add_vector(l->cursor.global, l->cursor.global, l->global_inner_step);
    if (has_left_bounds(l->cursor.global, l->global_inner_step, first, l->global_resolution)) {
        if (l->cursor.global_step >= l->global_loop_count)
            return false;
        l->cursor.global_step++;
        add_vector(l->cursor.global_outer, l->cursor.global_outer, l->global_outer_step);
        memcpy(l->cursor.global, l->cursor.global_outer, sizeof l->cursor.inner);
    }
    begin_block(l);
    return true;
}

/* Each position has a thread for each color; then the loops step. */
static bool media_next(struct thread_dispatcher *d, uint64_t *budget)
{
    struct work_state *const g = &d->work;
    struct media_loops *const l = &g->media.loops;
    while (*budget) {
        --*budget;
        if (l->cursor.color > l->last_color || !is_inside(l)) {
            l->cursor.color = 0;
            if (step_loops(l))
                continue;
            g->phase = DISPATCH_IDLE;
            return true;
        }
        g->group.group_id[2] = l->cursor.color++;
        for (unsigned i = X; i <= Y; i++)
            g->group.group_id[i] = (uint32_t)l->cursor.global[i] + (uint32_t)l->cursor.inner[i];
        g->phase = DISPATCH_FILL;
        return true;
    }
    return true;
}

/* A single object is one group; a walker has more. */
static void media_done(struct thread_dispatcher *d)
{
    d->work.phase = d->work.media.is_walker ? DISPATCH_NEXT_WORK : DISPATCH_IDLE;
}

static void media_save(const struct thread_dispatcher *d, uint32_t *cursor)
{
    memcpy(cursor, &d->work.media.loops.cursor, sizeof d->work.media.loops.cursor);
}

static void media_load(struct thread_dispatcher *d, const uint32_t *cursor)
{
    memcpy(&d->work.media.loops.cursor, cursor, sizeof d->work.media.loops.cursor);
}

static bool media_is_valid(const struct thread_dispatcher *d)
{
    return d->work.setup.payload == PAYLOAD_MEDIA_OBJECT;
}

const struct dispatch_ops media_dispatch_ops = {
    .next = media_next,
    .channels = payload_channels,
    .fill = payload_fill,
    .done = media_done,
    .is_preemptable = walker_is_preemptable,
    .cursor_dw = sizeof(struct media_cursor) / 4,
    .save = media_save,
    .load = media_load,
    .is_valid = media_is_valid,
    .oa_client = walker_oa_client,
    .counts_invocations = true,
};

/* ---- Commands ---- */

static struct work_state *begin_media_object(struct thread_dispatcher *d, struct execution *x,
                                             unsigned inline_dw, enum outcome *outcome)
{
    enum { MEDIA_CHANNELS = 32 };
    struct work_state *const g = dispatch_begin_work(d, x, WORK_MEDIA);
    const uint64_t descriptor = command_field(x, WALKER_INTERFACE_DESCRIPTOR_OFFSET);
    *outcome = OUTCOME_DONE;
    if (!load_interface_descriptor(d, g, descriptor, outcome))
        return NULL;
    memset(g->group.group_id, 0, sizeof g->group.group_id);
    g->walker.end_group[0] = g->walker.end_group[1] = g->walker.end_group[2] = UINT32_MAX;
    g->setup.simd = MEDIA_CHANNELS;
    g->setup.payload = PAYLOAD_MEDIA_OBJECT;
    g->setup.r0[R0_THREAD] = (uint32_t)descriptor << 4;
    g->setup.cross_thread_constant_registers = 0;
    for (uint32_t i = inline_dw; i < x->length_dw && g->setup.inline_length_dw < INLINE_DW; i++)
        g->setup.inline_dw[g->setup.inline_length_dw++] = *(const volatile uint32_t *)&x->dw[i];
    g->phase = DISPATCH_FILL;
    return g;
}

static void report_child_threads(struct thread_dispatcher *d)
{
    report_error(d->engine->log, SOFTGT_NOT_MODELLED, d->engine->info->name, d->engine->parse.command_address,
                 "media threads that spawn threads are not modelled: none is spawned");
}

static void read_object_position(struct thread_dispatcher *d, struct work_state *g, const struct execution *x)
{
    g->group.group_id[X] = (uint32_t)command_field(x, MEDIA_X_POSITION);
    g->group.group_id[Y] = (uint32_t)command_field(x, MEDIA_Y_POSITION);
    g->group.group_id[2] = (uint32_t)command_field(x, MEDIA_BLOCK_COLOR);
    g->media.data_bytes = (uint32_t)command_field(x, WALKER_INDIRECT_DATA_LENGTH);
    g->media.data_address = pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS,
                                           BASE_ADDRESS_INDIRECT_OBJECT_BASE_ADDRESS, 0) +
                            command_field(x, WALKER_INDIRECT_DATA_START_ADDRESS);
}

bool dispatch_media_object(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 6 };
    struct work_state *const g = begin_media_object(d, x, INLINE_AT_DW, outcome);
    if (!g)
        return false;
    if (command_field(x, MEDIA_CHILDREN_PRESENT) || command_field(x, MEDIA_THREAD_SYNCHRONIZATION))
        report_child_threads(d);
    read_object_position(d, g, x);
    return true;
}

/* A persistent root thread is filled as other objects are; it is not preempted. */
bool dispatch_media_root(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 4 };
    if (command_field(x, MEDIA_CHILDREN_PRESENT))
        report_child_threads(d);
    return begin_media_object(d, x, INLINE_AT_DW, outcome);
}

bool dispatch_media_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 17 };
    const bool resumes = d->work.phase == DISPATCH_RESUME && d->work.kind == WORK_MEDIA;
    const struct media_cursor at = d->work.media.loops.cursor;
    struct work_state *const g = begin_media_object(d, x, INLINE_AT_DW, outcome);
    struct media_loops *const l = &d->work.media.loops;
    if (!g)
        return false;
    if (command_field(x, MEDIA_CHILDREN_PRESENT) || command_field(x, MEDIA_THREAD_SYNCHRONIZATION))
        report_child_threads(d);
    if (command_field(x, MEDIA_GROUP_ID_LOOP_SELECT) || command_field(x, MEDIA_MASKED_DISPATCH))
        report_error(d->engine->log, SOFTGT_NOT_MODELLED, d->engine->info->name,
                     d->engine->parse.command_address,
                     "MEDIA_OBJECT_WALKER: groups of its threads and masks are not modelled");
    int32_t *const vectors[] = {l->block_resolution,  l->local_start,       l->outer_step,
                                l->inner_step,        l->global_resolution, l->global_start,
                                l->global_outer_step, l->global_inner_step, l->middle_step};
    for (unsigned i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        for (unsigned axis = X; axis <= Y; axis++) {
            const unsigned role = MEDIA_BLOCK_RESOLUTION_X + i * 2u + axis;
            const struct field *const f = &x->command->by_role[role];
            const unsigned shift = 31u - (unsigned)(f->last - f->first);
            const uint32_t value = (uint32_t)command_field(x, role);
            vectors[i][axis] = f->kind == FIELD_INT ? (int32_t)(value << shift) >> shift : (int32_t)value;
        }
    l->extra_steps = (uint32_t)command_field(x, MEDIA_MIDDLE_LOOP_EXTRA_STEPS);
    l->last_color = (uint32_t)command_field(x, MEDIA_BLOCK_COLOR);
    l->local_loop_count = (uint32_t)command_field(x, MEDIA_LOCAL_LOOP_EXEC_COUNT);
    l->global_loop_count = (uint32_t)command_field(x, MEDIA_GLOBAL_LOOP_EXEC_COUNT);
    begin_loops(l);
    if (resumes)
        l->cursor = at;
    g->media.is_walker = true;
    g->phase = DISPATCH_NEXT_WORK;
    return true;
}

/* Each command adds a thread to the group; the last one says so. */
bool dispatch_media_group(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    enum { INLINE_AT_DW = 7 };
    const uint32_t gathered = d->work.phase == DISPATCH_COLLECT ? d->work.group.threads_started : 0;
    struct work_state *const g = begin_media_object(d, x, INLINE_AT_DW, outcome);
    if (!g)
        return false;
    read_object_position(d, g, x);
    g->group.threads_started = gathered < MAX_GROUP_THREADS ? gathered : MAX_GROUP_THREADS - 1u;
    g->setup.threads = g->setup.thread_width_height_depth[0] = g->group.threads_started + 1u;
    g->media.group_is_partial = !command_field(x, MEDIA_END_OF_THREAD_GROUP);
    return true;
}
