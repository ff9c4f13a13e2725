/* Batches of primitives, and the host threads that shade their tiles. */
#include "tiles/parallel_tiles.h"

#include "dispatcher/worker.h"
#include "jit/jit.h"
#include "tiles/pixel_threads.h"
#include "tiles/vertex_threads.h"

#include <stdlib.h>

enum {
    BATCHES = 2,
    BATCH_PRIMITIVES = 512,
    BATCH_PIXELS = 1 << 18, /* of the primitives' extents */
    LEAST_VERTICES = 96,    /* of a draw that goes by tiles, */
    LEAST_PIXELS = 1 << 11, /* or those of its first primitive's extent */
    LARGE_PIXELS = 1 << 12, /* of a batch that is worth several threads */
    TILE_PIXELS = RASTER_TILE * RASTER_TILE,
    PRIMITIVE_PIXELS = 64, /* as many cost what a primitive without pixels costs */
    START_COST = 64,       /* of a thread and its pixels, beside its instructions */
    STORAGE_ALIGNMENT = 64,
    TOGETHER = 8, /* primitives that are looked at together */
};

/* A primitive of a batch, and the tiles of it that the batch draws: they follow each other in rows. */
struct batch_primitive {
    float viewport_depth_range[2];
    uint32_t array_index;
    int32_t from[2];  /* the first subspan, if the primitive is begun */
    int32_t until[2]; /* the first tile that the batch does not draw */
    uint8_t raster_topology;
    uint8_t cp_size_log2[2];
    bool is_begun;
    struct setup_primitive setup; /* last: without planes that the draw does not have */
};

struct batch {
    void *primitives; /* primitive_bytes each */
    size_t primitive_bytes;
    unsigned count;
    uint64_t pixels, cost;              /* cost: as far as is known, in instructions */
    uint64_t tiles;                     /* those of each primitive's extent */
    int32_t tiles_min[2], tiles_end[2]; /* the extent, in tiles */
    int32_t bbox[BATCH_PRIMITIVES][4];  /* of primitives, in pixels: left, top, right, bottom */
    struct tile_ranges {
        int16_t first[2][TOGETHER], last[2][TOGETHER]; /* by axis, in tiles */
    } ranges[BATCH_PRIMITIVES / TOGETHER];
};

/* Shades tiles on a host thread. */
struct tile_worker {
    struct worker_context context;
    struct draw_work draws;
    struct pixel_threads *threads;
    void *storage; /* of its thread */
};

/* While the primitives of a batch are set up, host threads may shade the tiles of the one before. */
struct parallel_tiles {
    struct batch batches[BATCHES];
    struct batch *filled, *shaded; /* shaded: NULL if there is none */
    bool in_background;            /* the jobs of `shaded` have begun */
    bool ready;                    /* the workers have the draw's state, in this slice */
    struct tile_worker *workers;
    unsigned worker_count;
    struct vertex_threads *vertices;
};

/* ---- Life ---- */

static void tiles_destroy(struct thread_dispatcher *d)
{
    struct parallel_tiles *const t = d->draws->tiles;
    for (unsigned i = 0; t && i < t->worker_count; i++) {
        eu_cache_destroy(t->workers[i].context.dispatch.cache);
        free(t->workers[i].threads);
        free(t->workers[i].storage);
    }
    for (unsigned n = 0; t && n < BATCHES; n++)
        free(t->batches[n].primitives);
    if (t) {
        free(t->workers);
        free(t->vertices);
    }
    free(t);
    d->draws->tiles = NULL;
}

static bool tile_worker_create(struct tile_worker *w, const struct thread_dispatcher *d)
{
    struct thread_dispatcher *const own = &w->context.dispatch;
    w->storage = calloc(1, sizeof(struct eu_thread) + STORAGE_ALIGNMENT);
    w->threads = pixel_threads_create();
    if (!worker_create(&w->context, d, WORK_DRAW) || !w->storage || !w->threads)
        return false;
    own->threads = (struct eu_thread *)(void *)(((uintptr_t)w->storage + STORAGE_ALIGNMENT - 1u) &
                                                ~(uintptr_t)(STORAGE_ALIGNMENT - 1));
    own->slm = own->bindings.slm = d->slm; /* a draw's threads have none */
    own->draws = &w->draws;
    w->draws = (struct draw_work){.dispatcher = own,
                                  .enabled = true,
                                  .urb = d->draws->urb,
                                  .draw.interpolation = d->draws->draw.interpolation,
                                  .draw.triangles = d->draws->draw.triangles};
    own->bindings.om = &w->draws.draw.state.om;
    own->bindings.effects.nothing = true;
    return true;
}

static unsigned worker_threads(const struct thread_dispatcher *d)
{
    return d->parallel.threads > 1 ? d->parallel.threads : 1;
}

static bool tiles_create(struct thread_dispatcher *d)
{
    if (d->draws->tiles)
        return true;
    struct parallel_tiles *const t = d->draws->tiles = calloc(1, sizeof *t);
    const unsigned threads = worker_threads(d);
    bool good =
        t && (t->workers = calloc(threads, sizeof *t->workers)) && (t->vertices = vertex_threads_create());
    for (unsigned n = 0; good && n < BATCHES; n++)
        good = (t->batches[n].primitives = calloc(BATCH_PRIMITIVES, sizeof(struct batch_primitive)));
    for (; good && t->worker_count < threads; t->worker_count++)
        good = tile_worker_create(&t->workers[t->worker_count], d);
    if (good)
        t->filled = t->batches;
    else
        tiles_destroy(d);
    return good;
}

static struct batch_primitive *primitive_at(const struct batch *b, unsigned n)
{
    return (struct batch_primitive *)(void *)((uint8_t *)b->primitives + n * b->primitive_bytes);
}

/* ---- When ---- */

static uint64_t cost_of_pixels(const struct thread_dispatcher *d, uint64_t pixels)
{
    const struct draw_state *const s = &d->draws->draw.state;
    const uint32_t simd = s->stage[SHADER_STAGE_PS].simd; /* a power of two */
    pixels <<= s->samples.per_sample ? s->samples.count_log2 : 0;
    pixels >>= d->draws->draw.ps.cp_size_log2[0] + d->draws->draw.ps.cp_size_log2[1];
    return ((simd ? pixels >> __builtin_ctz(simd) : pixels) + 1u) *
           (d->draws->draw.thread_cost + (uint64_t)START_COST);
}

/* Somebody waits for the end of a short run: a batch may have so many tiles of whole threads. */
static uint64_t most_tiles(const struct thread_dispatcher *d)
{
    return dispatch_is_short(d) ? dispatch_parallel_budget(d) / cost_of_pixels(d, TILE_PIXELS)
                                : BATCH_PIXELS / TILE_PIXELS;
}

/* Whether the draw is closed, and large enough to ask. */
static bool is_closed(struct thread_dispatcher *d)
{
    struct draw *const w = &d->draws->draw;
    if (w->tiles_changes != d->engine->mmu.changes)
        w->tiles_use = TILES_UNKNOWN;
    if (w->tiles_use == TILES_UNKNOWN) {
        const bool is_large = w->state.call.vertex_count > LEAST_VERTICES ||
                              (w->cursor.phase == DRAW_RASTERIZE &&
                               ((int64_t)w->setup.bbox[1][0] - w->setup.bbox[0][0]) *
                                       ((int64_t)w->setup.bbox[1][1] - w->setup.bbox[0][1]) >=
                                   LEAST_PIXELS);
        if (!is_large)
            return false;
        w->tiles_changes = d->engine->mmu.changes;
        w->tiles_use = draw_is_closed(d) && tiles_create(d) ? TILES_PARALLEL : TILES_IN_ORDER;
    }
    return w->tiles_use == TILES_PARALLEL;
}

static bool tiles_can_run(struct thread_dispatcher *d)
{
    const struct draw *const w = &d->draws->draw;
    /* A thread whose subspans are being gathered is no part of a batch, nor is a part of a subspan's samples.
     */
    return w->ran_thread && !w->cursor.subspan_count && !w->cursor.first_sample && !dispatch_is_observed(d) &&
           !d->engine->log->cost.counts_dwords && most_tiles(d) && is_closed(d);
}

/* Before the first pixel shader thread only draws of system memory are asked: what asking loads of local
 * memory is counted. */
static bool can_run_stage_threads(struct thread_dispatcher *d)
{
    return (d->draws->draw.ran_thread || !d->engine->mmu.accounts_local) && !dispatch_is_observed(d) &&
           is_closed(d);
}

/* ---- A tile, on any host thread ---- */

static int32_t tile_floor(int32_t pixel)
{
    return pixel & -RASTER_TILE;
}

/* Without what the primitive does not have: edges, planes, and vertices that only a line needs. */
static void copy_setup(struct setup_primitive *to, const struct setup_primitive *from, const struct draw *w)
{
    const size_t attribute_bytes = sizeof from->planes / ATTRIBUTES;
    const unsigned attributes = w->state.sbe.sf_output_attribute_count;
    memcpy(to, from,
           offsetof(struct setup_primitive, polygon.vertex_xy) + 2 * sizeof *from->polygon.vertex_xy);
    memcpy(to->edges, from->edges, from->polygon.vertex_count * sizeof *from->edges);
    memcpy(to->planes, from->planes, (attributes < ATTRIBUTES ? attributes : ATTRIBUTES) * attribute_bytes);
}

static bool is_tile_before(const int32_t a[2], const int32_t b[2])
{
    return a[1] < b[1] || (a[1] == b[1] && a[0] < b[0]);
}

/* Limits the worker's primitive to a tile, from the primitive's first subspan on. False: it has no pixel
 * there.
 */
static bool enter_tile(struct draw *w, const struct batch *b, unsigned number, const int32_t tile[2])
{
    const int32_t *const all = b->bbox[number];
    int32_t bbox[2][2];
    for (unsigned axis = 0; axis < 2; axis++) {
        const int32_t low = all[axis], high = all[2 + axis];
        bbox[0][axis] = low > tile[axis] ? low : tile[axis];
        bbox[1][axis] = high < tile[axis] + RASTER_TILE ? high : tile[axis] + RASTER_TILE;
        if (bbox[0][axis] >= bbox[1][axis])
            return false;
    }
    const struct batch_primitive *const p = primitive_at(b, number);
    const int32_t first[2] = {tile_floor(p->from[0]), tile_floor(p->from[1])};
    if ((p->is_begun && is_tile_before(tile, first)) || !is_tile_before(tile, p->until))
        return false;
    copy_setup(&w->setup, &p->setup, w);
    memcpy(w->setup.bbox, bbox, sizeof bbox);
    w->setup.block.valid = false;
    memcpy(w->ps.viewport_depth_range, p->viewport_depth_range, sizeof w->ps.viewport_depth_range);
    memcpy(w->ps.cp_size_log2, p->cp_size_log2, sizeof w->ps.cp_size_log2);
    w->ps.array_index = p->array_index;
    w->ps.back_facing = p->setup.back_facing;
    w->cursor.raster_topology = p->raster_topology;
    w->cursor.phase = DRAW_RASTERIZE;
    w->cursor.subspan_count = w->cursor.first_sample = 0;
    for (unsigned axis = 0; axis < 2; axis++)
        w->cursor.subspan_xy[axis] = p->is_begun && tile[0] == first[0] && tile[1] == first[1]
                                         ? p->from[axis]
                                         : bbox[0][axis] & -RASTER_BLOCK;
    return true;
}

/* Goes on with a thread that has not ended. Threads of closed draws end soon: this one has a kernel that was
 * changed meanwhile. Returns false on a fault. */
static bool end_thread(struct tile_worker *w, uint64_t *left, const char **why)
{
    struct thread_dispatcher *const d = &w->context.dispatch;
    struct work_state *const g = &d->work;
    g->phase = DISPATCH_RUN;
    while (g->phase == DISPATCH_RUN) {
        *why = "it does not end";
        if (!*left || dispatch_run_thread(d, left, why) == OUTCOME_FAULT)
            return false;
    }
    return true;
}

/* Shades the primitive's pixels of a tile. Returns false on a fault. */
static bool shade_tile(struct tile_worker *w, uint64_t *budget, const char **why)
{
    enum { MOST_INSTRUCTIONS = 1 << 24 };
    struct thread_dispatcher *const d = &w->context.dispatch;
    uint64_t left;
    pixel_threads_begin_primitive(w->threads);
    for (;;) {
        switch (pixel_threads_run(w->threads, d, budget, MOST_INSTRUCTIONS, &left)) {
        case PIXEL_THREADS_ENDED:
            return true;
        case PIXEL_THREADS_NOT_TESTED:
            return *why = "its pixels cannot be tested", false;
        case PIXEL_THREADS_NOT_STARTED:
            return *why = "its payload cannot be read", false;
        case PIXEL_THREADS_NOT_ENDED:
            if (!end_thread(w, &left, why))
                return false;
            pixel_thread_charge(&d->draws->draw, budget, MOST_INSTRUCTIONS - left);
            break;
        }
    }
}

static unsigned tiles_across(const struct batch *b)
{
    return (unsigned)(b->tiles_end[0] - b->tiles_min[0]);
}

static unsigned count_tiles(const struct batch *b)
{
    return tiles_across(b) * (unsigned)(b->tiles_end[1] - b->tiles_min[1]);
}

/* Which primitives reach a tile: 16 bits each. */
static void find_reaching(const struct tile_ranges *r, const int32_t tile[2], uint64_t reach[2])
{
    typedef int16_t shorts __attribute__((vector_size(TOGETHER * sizeof(int16_t))));
    shorts all = ~(shorts){0};
    for (unsigned axis = 0; axis < 2; axis++) {
        const int16_t at = (int16_t)(tile[axis] / RASTER_TILE);
        shorts first, last;
        memcpy(&first, r->first[axis], sizeof first);
        memcpy(&last, r->last[axis], sizeof last);
        all &= (first <= at) & (last >= at);
    }
    memcpy(reach, &all, sizeof all);
}

/* A failed worker keeps its failure; its later tiles are not drawn. */
static void run_tile(void *context, unsigned thread, unsigned number)
{
    enum { UNBOUNDED_SHIFT = 62 }; /* closed draws end */
    const struct parallel_tiles *const t = context;
    const struct batch *const b = t->shaded;
    struct tile_worker *const w = &t->workers[thread];
    struct worker_context *const l = &w->context;
    const uint64_t all = UINT64_C(1) << UNBOUNDED_SHIFT;
    uint64_t left = all;
    const char *why = NULL;
    const int32_t tile[2] = {(b->tiles_min[0] + (int32_t)(number % tiles_across(b))) * RASTER_TILE,
                             (b->tiles_min[1] + (int32_t)(number / tiles_across(b))) * RASTER_TILE};
    for (unsigned first = 0; first < b->count && !l->failed; first += TOGETHER) {
        uint64_t reach[TOGETHER * sizeof(int16_t) / sizeof(uint64_t)];
        find_reaching(&b->ranges[first / TOGETHER], tile, reach);
        for (unsigned i = 0; (reach[0] | reach[1]) && i < TOGETHER && first + i < b->count && !l->failed; i++)
            if ((reach[i / 4u] >> i % 4u * 16u & 1u) && enter_tile(&w->draws.draw, b, first + i, tile) &&
                !shade_tile(w, &left, &why)) {
                l->failed = true;
                l->failed_group = first + i;
                l->error_text = why;
                l->not_modelled = l->dispatch.bindings.not_modelled;
            }
    }
    l->instructions_used += all - left;
}

/* ---- Batches ---- */

/* Before the first batch of a draw in a slice. */
static void begin_workers(struct thread_dispatcher *d)
{
    struct parallel_tiles *const t = d->draws->tiles;
    for (unsigned i = 0; i < t->worker_count && !t->ready; i++) {
        struct tile_worker *const w = &t->workers[i];
        worker_begin_slice(&w->context, d, d->parallel.threads > 1 ? &d->parallel : NULL);
        w->draws.draw.state = d->draws->draw.state;
        w->draws.draw.cursor = d->draws->draw.cursor;
        stage_setup(&w->context.dispatch, SHADER_STAGE_PS);
        pixel_threads_begin_slice(w->threads, &w->context.dispatch);
    }
    t->ready = true;
    for (unsigned i = 0; i < t->worker_count; i++) {
        struct worker_context *const l = &t->workers[i].context;
        l->failed = false;
        l->instructions_used = 0;
        l->fault_count = 0;
        t->workers[i].draws.draw.thread_cost = d->draws->draw.thread_cost;
    }
}

/* What workers did is the pixel shader's, whatever stage runs now. */
static void merge_workers(struct thread_dispatcher *d, const struct worker_context **failed, uint64_t *used)
{
    const enum oa_shader_stage stage = d->counted_stage;
    struct parallel_tiles *const t = d->draws->tiles;
    dispatch_count_for(d, OA_STAGE_PS);
    for (unsigned i = 0; i < t->worker_count; i++) {
        struct worker_context *const l = &t->workers[i].context;
        *used += l->instructions_used;
        if (t->workers[i].draws.draw.thread_cost > d->draws->draw.thread_cost)
            d->draws->draw.thread_cost = t->workers[i].draws.draw.thread_cost;
        worker_merge_counters(d, l);
        if (l->failed && (!*failed || l->failed_group < (*failed)->failed_group))
            *failed = l;
    }
    dispatch_count_for(d, stage);
}

static void report_failure(struct thread_dispatcher *d, const struct worker_context *failed)
{
    worker_report_faults(d, failed);
    d->work.setup = failed->dispatch.work.setup;
    d->work.group = failed->dispatch.work.group;
    d->work.phase = failed->dispatch.work.phase;
    memcpy(d->threads, failed->dispatch.threads, sizeof *d->threads);
    d->bindings.error_text = failed->error_text;
    d->bindings.not_modelled = failed->not_modelled;
}

/* Whether several threads are worth it. */
static bool is_large_batch(const struct batch *b)
{
    return count_tiles(b) > 1 && b->pixels + b->count * (uint64_t)PRIMITIVE_PIXELS >= LARGE_PIXELS;
}

static void empty_batch(struct batch *b)
{
    b->count = 0;
    b->pixels = b->cost = b->tiles = 0;
}

/* Ends the shading of a batch. Returns false on a fault: then the batch that is filled is dropped. */
static bool end_shading(struct thread_dispatcher *d, uint64_t *budget)
{
    struct parallel_tiles *const t = d->draws->tiles;
    struct batch *const b = t->shaded;
    const struct worker_context *failed = NULL;
    uint64_t used = 0;
    if (!b)
        return true;
    if (t->in_background)
        d->draws->background.end(d->parallel.user);
    else if (d->parallel.threads > 1 && is_large_batch(b))
        d->parallel.run(d->parallel.user, count_tiles(b), run_tile, t);
    else
        for (unsigned n = 0; n < count_tiles(b); n++)
            run_tile(t, 0, n);
    t->in_background = false;
    t->shaded = NULL;
    d->engine->mmu.memory->port_lock = NULL;
    merge_workers(d, &failed, &used);
    empty_batch(b);
    budget_charge(budget, used);
    if (!failed)
        return true;
    empty_batch(t->filled);
    report_failure(d, failed);
    return false;
}

/* Begins to shade the batch that was filled; it may end later. */
static bool begin_shading(struct thread_dispatcher *d, uint64_t *budget)
{
    struct parallel_tiles *const t = d->draws->tiles;
    if (!end_shading(d, budget))
        return false;
    if (!t->filled->count)
        return true;
    begin_workers(d);
    t->shaded = t->filled;
    t->filled = t->shaded == t->batches ? t->batches + 1 : t->batches;
    t->in_background = d->draws->background.begin && is_large_batch(t->shaded);
    if (t->in_background) {
        d->engine->mmu.memory->port_lock = &d->parallel;
        d->draws->background.begin(d->parallel.user, count_tiles(t->shaded), run_tile, t);
    }
    return true;
}

static bool tiles_flush(struct thread_dispatcher *d, uint64_t *budget)
{
    struct parallel_tiles *const t = d->draws->tiles;
    if (!t)
        return true;
    const bool good = begin_shading(d, budget) && end_shading(d, budget);
    t->ready = false;
    return good;
}

/* The tile where the batch ends the primitive, if it draws `count` tiles of it from `first` on. */
static void tiles_after(int32_t (*const bbox)[2], const int32_t first[2], int64_t count, int32_t until[2])
{
    const int32_t left = tile_floor(bbox[0][0]),
                  across = (tile_floor(bbox[1][0] - 1) - left) / RASTER_TILE + 1;
    const int64_t end = (first[0] - left) / RASTER_TILE + count;
    if (across == 1) {
        until[0] = left;
        until[1] = first[1] + (int32_t)end * RASTER_TILE;
        return;
    }
    until[0] = left + (int32_t)(end % across) * RASTER_TILE;
    until[1] = first[1] + (int32_t)(end / across) * RASTER_TILE;
}

/* Extends the extent of the batch by that of the primitive's tiles. */
static void extend_batch(struct batch *b, int32_t (*const bbox)[2], const int32_t first[2],
                         const int32_t until[2])
{
    const bool is_one_row =
        until[1] == first[1] || (until[1] == first[1] + RASTER_TILE && until[0] <= bbox[0][0]);
    const int32_t low_x = is_one_row ? first[0] : tile_floor(bbox[0][0]);
    const int32_t high_x = until[1] == first[1] ? until[0] : tile_floor(bbox[1][0] - 1) + RASTER_TILE;
    const int32_t high_y = until[0] > tile_floor(bbox[0][0]) ? until[1] + RASTER_TILE : until[1];
    const int32_t tiles_min[2] = {low_x / RASTER_TILE, first[1] / RASTER_TILE},
                  tiles_end[2] = {high_x / RASTER_TILE, high_y / RASTER_TILE};
    for (unsigned axis = 0; axis < 2; axis++) {
        if (b->count == 1 || tiles_min[axis] < b->tiles_min[axis])
            b->tiles_min[axis] = tiles_min[axis];
        if (b->count == 1 || tiles_end[axis] > b->tiles_end[axis])
            b->tiles_end[axis] = tiles_end[axis];
    }
}

/* Of a primitive without planes that the draw does not have. */
static size_t primitive_bytes(const struct draw *w)
{
    enum { ALIGNMENT = 16, OF_ATTRIBUTE = sizeof w->setup.planes / ATTRIBUTES };
    const unsigned attributes = w->state.sbe.sf_output_attribute_count;
    const size_t bytes = offsetof(struct batch_primitive, setup.planes) +
                         (attributes < ATTRIBUTES ? attributes : ATTRIBUTES) * (size_t)OF_ATTRIBUTE;
    return (bytes + ALIGNMENT - 1u) & -(size_t)ALIGNMENT;
}

static void put_range(struct tile_ranges *r, unsigned n, int32_t (*const bbox)[2])
{
    for (unsigned axis = 0; axis < 2; axis++) {
        r->first[axis][n] = (int16_t)(tile_floor(bbox[0][axis]) / RASTER_TILE);
        r->last[axis][n] = (int16_t)(tile_floor(bbox[1][axis] - 1) / RASTER_TILE);
    }
}

/* Adds the rest of the current primitive, or as many tiles of it as there is room for in the batch. */
static void add_primitive(struct thread_dispatcher *d, struct batch *b, uint64_t room_pixels)
{
    struct draw *const w = &d->draws->draw;
    int32_t(*const bbox)[2] = w->setup.bbox;
    b->primitive_bytes = primitive_bytes(w);
    memcpy(b->bbox[b->count], bbox, sizeof b->bbox[0]);
    put_range(&b->ranges[b->count / TOGETHER], b->count % TOGETHER, bbox);
    struct batch_primitive *const p = primitive_at(b, b->count++);
    const int32_t first[2] = {tile_floor(w->cursor.subspan_xy[0]), tile_floor(w->cursor.subspan_xy[1])};
    const int64_t most = room_pixels / TILE_PIXELS > 1 ? (int64_t)(room_pixels / TILE_PIXELS) : 1;
    copy_setup(&p->setup, &w->setup, w);
    p->array_index = w->ps.array_index;
    p->raster_topology = w->cursor.raster_topology;
    memcpy(p->cp_size_log2, w->ps.cp_size_log2, sizeof p->cp_size_log2);
    memcpy(p->from, w->cursor.subspan_xy, sizeof p->from);
    p->is_begun = w->cursor.subspan_xy[0] != (bbox[0][0] & -RASTER_BLOCK) ||
                  w->cursor.subspan_xy[1] != (bbox[0][1] & -RASTER_BLOCK);
    memcpy(p->viewport_depth_range, w->ps.viewport_depth_range, sizeof p->viewport_depth_range);
    tiles_after(bbox, first, most, p->until);
    const bool ends = p->until[1] >= bbox[1][1];
    if (ends) {
        p->until[0] = tile_floor(bbox[0][0]);
        p->until[1] = tile_floor(bbox[1][1] - 1) + RASTER_TILE;
    }
    extend_batch(b, bbox, first, p->until);
    const int64_t pixels = (int64_t)(bbox[1][0] - bbox[0][0]) * (bbox[1][1] - bbox[0][1]);
    const uint64_t added = (uint64_t)(pixels < most * TILE_PIXELS ? pixels : most * TILE_PIXELS);
    b->pixels += added;
    b->cost += cost_of_pixels(d, added);
    if (ends) {
        draw_part_done(w);
        return;
    }
    for (unsigned axis = 0; axis < 2; axis++)
        w->cursor.subspan_xy[axis] =
            p->until[axis] > bbox[0][axis] ? p->until[axis] : bbox[0][axis] & -RASTER_BLOCK;
}

/* Whether a primitive is so far from the batch, or they are so large, that many tiles would look at many
 * primitives in vain. */
static bool is_far(const struct batch *b, int32_t (*const bbox)[2], uint64_t *own)
{
    enum { NEAR_TILES = 64, NEAR_TIMES = 4, MOST_LOOKS = 1 << 17 };
    uint64_t all = 1;
    *own = 1;
    for (unsigned axis = 0; axis < 2; axis++) {
        const int32_t low = tile_floor(bbox[0][axis]) / RASTER_TILE,
                      end = tile_floor(bbox[1][axis] - 1) / RASTER_TILE + 1;
        *own *= (uint64_t)(end > low ? end - low : 0);
        all *= (uint64_t)((end > b->tiles_end[axis] ? end : b->tiles_end[axis]) -
                          (low < b->tiles_min[axis] ? low : b->tiles_min[axis]));
    }
    return b->count &&
           (all * (b->count + 1u) > MOST_LOOKS || (all > NEAR_TILES && all > NEAR_TIMES * (b->tiles + *own)));
}

/* Adds the current primitive to the batch, and shades a full one. In a short run that ends at once, so that
 * the slice ends in time.
 */
static bool gather_primitive(struct thread_dispatcher *d, uint64_t *budget)
{
    struct parallel_tiles *const t = d->draws->tiles;
    uint64_t own;
    if (is_far(t->filled, d->draws->draw.setup.bbox, &own) &&
        !(dispatch_is_short(d) ? tiles_flush(d, budget) : begin_shading(d, budget)))
        return false;
    struct batch *const b = t->filled;
    const uint64_t tiles = most_tiles(d), in_tiles = tiles * TILE_PIXELS,
                   most = *budget < in_tiles ? *budget : in_tiles;
    b->tiles += own;
    add_primitive(d, b, b->pixels < most ? most - b->pixels : 0);
    if (dispatch_is_short(d))
        return (b->count < BATCH_PRIMITIVES && b->pixels < most &&
                b->cost < dispatch_parallel_budget(d) / 2) ||
               tiles_flush(d, budget);
    return (b->count < BATCH_PRIMITIVES && b->pixels < most) || begin_shading(d, budget);
}

static bool tiles_advance(struct thread_dispatcher *d, uint64_t *budget, bool *ended)
{
    struct draw *const w = &d->draws->draw;
    while (*budget && !*ended) {
        if (w->cursor.phase != DRAW_RASTERIZE && !draw_next_primitive(w, &d->bindings, budget, ended)) {
            if (!*ended)
                return !engine_faulted(d->engine) || tiles_flush(d, budget);
            break;
        }
        if (!gather_primitive(d, budget))
            return false;
        if (!most_tiles(d)) /* a thread took more than those before */
            break;
    }
    return !*ended || tiles_flush(d, budget);
}

static enum stage_thread_result tiles_run_stage_thread(struct thread_dispatcher *d, bool first,
                                                       uint64_t *budget)
{
    if (d->draws->urb->stage != SHADER_STAGE_VS || !can_run_stage_threads(d))
        return STAGE_THREAD_NOT_STARTED;
    struct vertex_threads *const vertices = d->draws->tiles->vertices;
    if (first)
        vertex_threads_begin(vertices);
    return vertex_threads_run(vertices, d, budget);
}

static void parallel_destroy(struct thread_dispatcher *d)
{
    tiles_destroy(d);
    closed_caches_destroy(d->draws->closed_caches);
}

const struct draw_parallel_ops parallel_tiles_ops = {.can_run = tiles_can_run,
                                                     .advance = tiles_advance,
                                                     .flush = tiles_flush,
                                                     .run_stage_thread = tiles_run_stage_thread,
                                                     .destroy = parallel_destroy};
