/* Batches of primitives, and the host threads that shade their tiles. */
#include "tiles/parallel_tiles.h"

#include "dispatcher/worker.h"
#include "jit/jit.h"

#include <stdlib.h>

enum {
    BATCH_PRIMITIVES = 256,
    BATCH_PIXELS = 1 << 18, /* of the primitives' extents */
    LARGE_PIXELS = 1 << 14, /* a primitive or batch that is worth the threads */
    STORAGE_ALIGNMENT = 64,
};

/* A primitive of the batch, and the rows of it that the batch draws. */
struct batch_primitive {
    struct setup_primitive setup;
    float viewport_depth_range[2];
    uint32_t array_index;
    int32_t from[2]; /* the first subspan, if the primitive is begun */
    int32_t end_y;
    uint8_t raster_topology;
    bool back_facing, is_begun;
};

/* Shades tiles on a host thread. */
struct tile_worker {
    struct worker_context context;
    struct draw_work draws;
    void *storage; /* of its thread */
};

struct parallel_tiles {
    struct batch_primitive batch[BATCH_PRIMITIVES];
    unsigned count;
    uint64_t pixels;
    int32_t tiles_min[2], tiles_end[2]; /* the extent of the batch, in tiles */
    struct tile_worker *workers;
    unsigned worker_count;
};

/* ---- Life ---- */

static void tiles_destroy(struct thread_dispatcher *d)
{
    struct parallel_tiles *const t = d->draws->tiles;
    for (unsigned i = 0; t && i < t->worker_count; i++) {
        eu_cache_destroy(t->workers[i].context.dispatch.cache);
        free(t->workers[i].storage);
    }
    if (t)
        free(t->workers);
    free(t);
    d->draws->tiles = NULL;
}

static bool tile_worker_create(struct tile_worker *w, const struct thread_dispatcher *d)
{
    struct thread_dispatcher *const own = &w->context.dispatch;
    w->storage = calloc(1, sizeof(struct eu_thread) + STORAGE_ALIGNMENT);
    if (!worker_create(&w->context, d, WORK_DRAW) || !w->storage)
        return false;
    own->threads = (struct eu_thread *)(void *)(((uintptr_t)w->storage + STORAGE_ALIGNMENT - 1u) &
                                                ~(uintptr_t)(STORAGE_ALIGNMENT - 1));
    own->slm = own->bindings.slm = d->slm; /* a draw's threads have none */
    own->draws = &w->draws;
    w->draws = (struct draw_work){.dispatcher = own, .enabled = true, .urb = d->draws->urb};
    own->bindings.om = &w->draws.draw.state.om;
    return true;
}

static bool tiles_create(struct thread_dispatcher *d)
{
    if (d->draws->tiles)
        return true;
    struct parallel_tiles *const t = d->draws->tiles = calloc(1, sizeof *t);
    bool good = t && (t->workers = calloc(d->parallel.threads, sizeof *t->workers));
    for (; good && t->worker_count < d->parallel.threads; t->worker_count++)
        good = tile_worker_create(&t->workers[t->worker_count], d);
    if (!good)
        tiles_destroy(d);
    return good;
}

/* ---- When ---- */

static bool tiles_can_run(struct thread_dispatcher *d)
{
    struct draw *const w = &d->draws->draw;
    const struct draw_call *const call = &w->state.call;
    if (d->parallel.threads < 2 || !w->ran_thread || dispatch_is_observed(d) ||
        d->engine->log->cost.counts_dwords)
        return false;
    if (w->tiles_changes != d->engine->mmu.changes)
        w->tiles_use = TILES_UNKNOWN;
    if (w->tiles_use == TILES_UNKNOWN) {
        const bool is_large = call->vertex_count > BATCH_PRIMITIVES * CORNERS ||
                              (w->cursor.phase == DRAW_RASTERIZE &&
                               ((int64_t)w->setup.bbox[1][0] - w->setup.bbox[0][0]) *
                                       ((int64_t)w->setup.bbox[1][1] - w->setup.bbox[0][1]) >=
                                   LARGE_PIXELS);
        if (!is_large)
            return false;
        w->tiles_changes = d->engine->mmu.changes;
        w->tiles_use = draw_is_closed(d) && tiles_create(d) ? TILES_PARALLEL : TILES_IN_ORDER;
    }
    return w->tiles_use == TILES_PARALLEL;
}

/* ---- A tile, on any host thread ---- */

static int32_t tile_floor(int32_t pixel)
{
    return pixel & -RASTER_TILE;
}

/* Limits the worker's primitive to a tile, from the primitive's first subspan on. False: it has no pixel
 * there.
 */
static bool enter_tile(struct draw *w, const struct batch_primitive *p, const int32_t tile[2])
{
    int32_t bbox[2][2];
    for (unsigned axis = 0; axis < 2; axis++) {
        const int32_t high = axis && p->end_y < p->setup.bbox[1][axis] ? p->end_y : p->setup.bbox[1][axis];
        bbox[0][axis] = p->setup.bbox[0][axis] > tile[axis] ? p->setup.bbox[0][axis] : tile[axis];
        bbox[1][axis] = high < tile[axis] + RASTER_TILE ? high : tile[axis] + RASTER_TILE;
        if (bbox[0][axis] >= bbox[1][axis])
            return false;
    }
    const int32_t first[2] = {tile_floor(p->from[0]), tile_floor(p->from[1])};
    if (p->is_begun && (tile[1] < first[1] || (tile[1] == first[1] && tile[0] < first[0])))
        return false;
    w->setup = p->setup;
    memcpy(w->setup.bbox, bbox, sizeof bbox);
    w->setup.block.valid = false;
    memcpy(w->ps.viewport_depth_range, p->viewport_depth_range, sizeof w->ps.viewport_depth_range);
    w->ps.array_index = p->array_index;
    w->ps.back_facing = p->back_facing;
    w->cursor.raster_topology = p->raster_topology;
    w->cursor.phase = DRAW_RASTERIZE;
    w->cursor.subspan_count = 0;
    for (unsigned axis = 0; axis < 2; axis++)
        w->cursor.subspan_xy[axis] = p->is_begun && tile[0] == first[0] && tile[1] == first[1]
                                         ? p->from[axis]
                                         : bbox[0][axis] & -RASTER_BLOCK;
    return true;
}

/* Shades the primitive's pixels of a tile. Returns false on a fault. */
static bool shade_tile(struct thread_dispatcher *d, uint64_t *budget, const char **why)
{
    struct work_state *const g = &d->work;
    bool ended;
    while (d->draws->draw.cursor.phase == DRAW_RASTERIZE) {
        if (!ps_next_thread(d, budget, &ended)) {
            if (memory_client_faulted(&d->bindings.memory))
                return *why = "its pixels cannot be tested", false;
            continue;
        }
        g->phase = DISPATCH_FILL;
        *why = "its payload cannot be read";
        if (!dispatch_begin_group(d, budget))
            return false;
        while (g->phase == DISPATCH_RUN)
            if (dispatch_run_thread(d, budget, why) == OUTCOME_FAULT)
                return false;
    }
    return true;
}

static void tile_at(const struct parallel_tiles *t, unsigned number, int32_t tile[2])
{
    const unsigned across = (unsigned)(t->tiles_end[0] - t->tiles_min[0]);
    tile[0] = (t->tiles_min[0] + (int32_t)(number % across)) * RASTER_TILE;
    tile[1] = (t->tiles_min[1] + (int32_t)(number / across)) * RASTER_TILE;
}

/* A failed worker keeps its failure; its later tiles are not drawn. */
static void run_tile(void *context, unsigned thread, unsigned number)
{
    enum { UNBOUNDED_SHIFT = 62 }; /* closed draws end */
    const struct thread_dispatcher *const d = context;
    const struct parallel_tiles *const t = d->draws->tiles;
    struct tile_worker *const w = &t->workers[thread];
    struct worker_context *const l = &w->context;
    const uint64_t all = UINT64_C(1) << UNBOUNDED_SHIFT;
    uint64_t left = all;
    const char *why = NULL;
    int32_t tile[2];
    tile_at(t, number, tile);
    if (!l->ready) {
        worker_begin_slice(l, d, &d->parallel);
        w->draws.draw.state = d->draws->draw.state;
        w->draws.draw.cursor = d->draws->draw.cursor;
        stage_setup(&l->dispatch, SHADER_STAGE_PS);
    }
    for (unsigned n = 0; n < t->count && !l->failed; n++) {
        if (!enter_tile(&w->draws.draw, &t->batch[n], tile) || shade_tile(&l->dispatch, &left, &why))
            continue;
        l->failed = true;
        l->failed_group = n;
        l->error_text = why;
        l->not_modelled = l->dispatch.bindings.not_modelled;
    }
    l->instructions_used += all - left;
}

/* ---- Batches ---- */

/* What workers did is the pixel shader's, whatever stage runs now. */
static void merge_workers(struct thread_dispatcher *d, const struct worker_context **failed, uint64_t *used)
{
    const enum oa_shader_stage stage = d->counted_stage;
    struct parallel_tiles *const t = d->draws->tiles;
    dispatch_count_for(d, OA_STAGE_PS);
    for (unsigned i = 0; i < t->worker_count; i++) {
        struct worker_context *const l = &t->workers[i].context;
        if (!l->ready)
            continue;
        *used += l->instructions_used;
        worker_merge_counters(d, l);
        if (l->failed && (!*failed || l->failed_group < (*failed)->failed_group))
            *failed = l;
    }
    dispatch_count_for(d, stage);
}

static bool tiles_flush(struct thread_dispatcher *d, uint64_t *budget)
{
    struct parallel_tiles *const t = d->draws->tiles;
    const struct worker_context *failed = NULL;
    uint64_t used = 0;
    if (!t || !t->count)
        return true;
    for (unsigned i = 0; i < t->worker_count; i++) {
        struct worker_context *const l = &t->workers[i].context;
        l->ready = l->failed = false;
        l->instructions_used = 0;
        l->fault_count = 0;
    }
    const unsigned tiles =
        (unsigned)(t->tiles_end[0] - t->tiles_min[0]) * (unsigned)(t->tiles_end[1] - t->tiles_min[1]);
    if (t->pixels >= LARGE_PIXELS / 4 && tiles > 1)
        d->parallel.run(d->parallel.user, tiles, run_tile, d);
    else
        for (unsigned n = 0; n < tiles; n++)
            run_tile(d, 0, n);
    merge_workers(d, &failed, &used);
    t->count = 0;
    t->pixels = 0;
    budget_charge(budget, used);
    if (!failed)
        return true;
    worker_report_faults(d, failed);
    d->work.setup = failed->dispatch.work.setup;
    d->work.group = failed->dispatch.work.group;
    d->work.phase = failed->dispatch.work.phase;
    memcpy(d->threads, failed->dispatch.threads, sizeof *d->threads);
    d->bindings.error_text = failed->error_text;
    d->bindings.not_modelled = failed->not_modelled;
    return false;
}

/* Adds the rest of the current primitive, or as many rows of tiles as a batch may have. */
static void add_primitive(struct thread_dispatcher *d)
{
    struct parallel_tiles *const t = d->draws->tiles;
    struct draw *const w = &d->draws->draw;
    struct batch_primitive *const p = &t->batch[t->count++];
    int32_t(*const bbox)[2] = w->setup.bbox;
    const bool is_begun = w->cursor.subspan_xy[0] != (bbox[0][0] & -RASTER_BLOCK) ||
                          w->cursor.subspan_xy[1] != (bbox[0][1] & -RASTER_BLOCK);
    *p = (struct batch_primitive){.setup = w->setup,
                                  .array_index = w->ps.array_index,
                                  .back_facing = w->ps.back_facing,
                                  .raster_topology = w->cursor.raster_topology,
                                  .from = {w->cursor.subspan_xy[0], w->cursor.subspan_xy[1]},
                                  .is_begun = is_begun};
    memcpy(p->viewport_depth_range, w->ps.viewport_depth_range, sizeof p->viewport_depth_range);
    const int64_t across = bbox[1][0] - bbox[0][0], row = across * RASTER_TILE,
                  rows = row < BATCH_PIXELS ? BATCH_PIXELS / row : 1;
    const int32_t first_tile = tile_floor(w->cursor.subspan_xy[1]);
    const int64_t end = first_tile + rows * RASTER_TILE;
    p->end_y = end < bbox[1][1] ? (int32_t)end : bbox[1][1];
    t->pixels += (uint64_t)(across * (p->end_y - (first_tile > bbox[0][1] ? first_tile : bbox[0][1])));
    const int32_t tiles_min[2] = {tile_floor(bbox[0][0]) / RASTER_TILE, first_tile / RASTER_TILE},
                  tiles_end[2] = {tile_floor(bbox[1][0] - 1) / RASTER_TILE + 1,
                                  tile_floor(p->end_y - 1) / RASTER_TILE + 1};
    for (unsigned axis = 0; axis < 2; axis++) {
        if (t->count == 1 || tiles_min[axis] < t->tiles_min[axis])
            t->tiles_min[axis] = tiles_min[axis];
        if (t->count == 1 || tiles_end[axis] > t->tiles_end[axis])
            t->tiles_end[axis] = tiles_end[axis];
    }
    if (p->end_y < bbox[1][1]) {
        w->cursor.subspan_xy[0] = bbox[0][0] & -RASTER_BLOCK;
        w->cursor.subspan_xy[1] = p->end_y;
    } else {
        draw_primitive_done(w);
    }
}

static bool tiles_advance(struct thread_dispatcher *d, uint64_t *budget, bool *ended)
{
    struct draw *const w = &d->draws->draw;
    struct parallel_tiles *const t = d->draws->tiles;
    while (*budget && !*ended) {
        if (w->cursor.phase != DRAW_RASTERIZE && !draw_next_primitive(w, &d->bindings, budget, ended)) {
            if (!*ended)
                return !engine_faulted(d->engine) || tiles_flush(d, budget);
            break;
        }
        add_primitive(d);
        if ((t->count == BATCH_PRIMITIVES || t->pixels >= BATCH_PIXELS) && !tiles_flush(d, budget))
            return false;
    }
    return !*ended || tiles_flush(d, budget);
}

const struct draw_parallel_ops parallel_tiles_ops = {
    .can_run = tiles_can_run, .advance = tiles_advance, .flush = tiles_flush, .destroy = tiles_destroy};
