/* Starts and runs pixel shader threads of the same primitive. */
#include "tiles/pixel_threads.h"

#include "tiles/thread_start.h"

#include <stdlib.h>

struct pixel_threads {
    struct dispatch_repeat repeat;
    bool has_thread, has_primitive; /* whether `start` is of the slice, and of the primitive */
    bool takes_blocks;              /* threads of 16 with nothing but a primitive's pixels */
    unsigned squares_left;          /* of `block`, which is covered: the last ones of them */
    uint32_t block[2];
    uint64_t local_loaded;     /* bytes of the primitive's part of the payload */
    struct thread_start start; /* of the primitive: without subspans and inputs */
};

struct pixel_threads *pixel_threads_create(void)
{
    return calloc(1, sizeof(struct pixel_threads));
}

void pixel_threads_begin_slice(struct pixel_threads *p, struct thread_dispatcher *d)
{
    p->has_thread = p->has_primitive = false;
    p->takes_blocks = d->work.setup.simd == 16;
    p->squares_left = 0;
    dispatch_repeat_begin(d, &p->repeat);
}

void pixel_threads_begin_primitive(struct pixel_threads *p)
{
    p->has_primitive = false;
}

/* The first thread of a slice. The payload of others is written in parts, unless these overlap. */
static void start_first(struct pixel_threads *p, struct thread_dispatcher *d)
{
    struct eu_thread *const t = d->threads;
    t->dirty = eu_all_dirty;
    dispatch_start_thread(d, 0);
    const unsigned own_end = ps_put_subspans_inputs(d, t);
    const struct grf_range own[2] = {{1, own_end}, {0, 0}};
    thread_start_init(&p->start, t, own);
    p->has_thread = own_end <= d->work.setup.dispatch_grf_start;
}

/* `square`: its pixels are a covered square. */
static void start_next(struct pixel_threads *p, struct thread_dispatcher *d, bool square)
{
    struct eu_thread *const t = d->threads;
    thread_start_restore(&p->start, t);
    if (!p->has_primitive) {
        const unsigned shared_end = ps_put_primitive(d, t), shared_first = d->work.setup.dispatch_grf_start,
                       all = grf_rows(d->set), first = shared_first < all ? shared_first : all,
                       end = shared_end < all ? shared_end : all;
        thread_copy_registers(&p->start.thread, t, 0, 1);
        thread_copy_registers(&p->start.thread, t, first, end - first);
    } else {
        d->bindings.memory.counters->local_loaded += p->local_loaded;
    }
    if (square) {
        ps_put_square_inputs(d, t);
        t->dispatch_mask = t->execution_mask = UINT16_MAX;
    } else {
        (void)ps_put_subspans_inputs(d, t);
        t->dispatch_mask = t->execution_mask = ps_channels(d);
    }
}

void pixel_thread_charge(struct draw *w, uint64_t *budget, uint64_t used)
{
    *budget -= used;
    if (used > w->thread_cost)
        w->thread_cost = used;
}

/* A primitive's threads. */
struct pixel_run {
    struct pixel_threads *threads;
    struct thread_dispatcher *dispatcher;
    uint64_t *budget;
    enum pixel_threads_result result;
};

static bool run_takes_square(struct pixel_threads *p, struct thread_dispatcher *d, uint64_t *budget)
{
    struct draw *const w = &d->draws->draw;
    if (!p->squares_left && p->takes_blocks && raster_take_block(w, &d->bindings, budget, p->block))
        p->squares_left = BLOCK_SQUARES;
    if (!p->squares_left)
        return false;
    raster_put_square(&w->ps, p->block, BLOCK_SQUARES - p->squares_left--);
    for (unsigned axis = 0; axis < 2; axis++)
        d->work.group.group_id[axis] = w->ps.subspan_xy[0][axis];
    return true;
}

static bool run_finds_pixels(struct pixel_run *r)
{
    struct thread_dispatcher *const d = r->dispatcher;
    bool ended;
    while (d->draws->draw.cursor.phase == DRAW_RASTERIZE) {
        if (ps_next_thread(d, r->budget, &ended))
            return true;
        if (memory_client_faulted(&d->bindings.memory)) {
            r->result = PIXEL_THREADS_NOT_TESTED;
            return false;
        }
    }
    return false;
}

static bool run_starts_thread(void *context)
{
    struct pixel_run *const r = context;
    struct pixel_threads *const p = r->threads;
    struct thread_dispatcher *const d = r->dispatcher;
    const bool square = run_takes_square(p, d, r->budget);
    if (!square && !run_finds_pixels(r))
        return false;
    const uint64_t *const loaded = &d->bindings.memory.counters->local_loaded, before = *loaded;
    if (p->has_thread)
        start_next(p, d, square);
    else
        start_first(p, d);
    if (!p->has_primitive) {
        p->local_loaded = *loaded - before;
        if (memory_client_faulted(&d->bindings.memory)) {
            r->result = PIXEL_THREADS_NOT_STARTED;
            return false;
        }
    }
    p->has_primitive = p->has_thread;
    return true;
}

static void run_ended_thread(void *context, uint64_t used)
{
    struct pixel_run *const r = context;
    ps_done(r->dispatcher);
    pixel_thread_charge(&r->dispatcher->draws->draw, r->budget, used);
}

enum pixel_threads_result pixel_threads_run(struct pixel_threads *p, struct thread_dispatcher *d,
                                            uint64_t *budget, uint64_t most, uint64_t *left)
{
    struct pixel_run r = {.threads = p, .dispatcher = d, .budget = budget, .result = PIXEL_THREADS_ENDED};
    const struct dispatch_thread_source source = {&r, run_starts_thread, run_ended_thread};
    return dispatch_repeat_run_all(d, &p->repeat, &source, most, left) ? r.result : PIXEL_THREADS_NOT_ENDED;
}
