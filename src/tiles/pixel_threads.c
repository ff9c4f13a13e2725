/* Starts and runs pixel shader threads of the same primitive. */
#include "tiles/pixel_threads.h"

#include "tiles/thread_start.h"

#include <stdlib.h>

struct pixel_threads {
    struct dispatch_repeat repeat;
    bool has_thread, has_primitive; /* whether `start` is of the slice, and of the primitive */
    uint64_t local_loaded;          /* bytes of the primitive's part of the payload */
    struct thread_start start;      /* of the primitive: without subspans and inputs */
};

struct pixel_threads *pixel_threads_create(void)
{
    return calloc(1, sizeof(struct pixel_threads));
}

void pixel_threads_begin_slice(struct pixel_threads *p, struct thread_dispatcher *d)
{
    p->has_thread = p->has_primitive = false;
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

static void start_next(struct pixel_threads *p, struct thread_dispatcher *d)
{
    struct eu_thread *const t = d->threads;
    thread_start_restore(&p->start, t);
    if (!p->has_primitive) {
        const unsigned shared_end = ps_put_primitive(d, t), shared_first = d->work.setup.dispatch_grf_start,
                       first = shared_first < EU_REGISTERS ? shared_first : EU_REGISTERS,
                       end = shared_end < EU_REGISTERS ? shared_end : EU_REGISTERS;
        thread_copy_registers(&p->start.thread, t, 0, 1);
        thread_copy_registers(&p->start.thread, t, first, end - first);
    } else {
        d->bindings.memory.counters->local_loaded += p->local_loaded;
    }
    (void)ps_put_subspans_inputs(d, t);
    t->dispatch_mask = t->execution_mask = ps_channels(d);
}

enum pixel_threads_result pixel_threads_run(struct pixel_threads *p, struct thread_dispatcher *d,
                                            uint64_t *budget)
{
    const uint64_t *const loaded = &d->bindings.memory.counters->local_loaded, before = *loaded;
    if (p->has_thread)
        start_next(p, d);
    else
        start_first(p, d);
    if (!p->has_primitive)
        p->local_loaded = *loaded - before;
    p->has_primitive = p->has_thread;
    if (memory_client_faulted(&d->bindings.memory))
        return PIXEL_THREAD_NOT_STARTED;
    if (!dispatch_repeat_run(d, &p->repeat, budget))
        return PIXEL_THREAD_NOT_ENDED;
    ps_done(d);
    return PIXEL_THREAD_ENDED;
}
