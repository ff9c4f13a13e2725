/* Starts and runs pixel shader threads of the same primitive. */
#include "tiles/pixel_threads.h"

#include <stdlib.h>

enum { RESTORED_RANGES = EU_LARGE_GRF_REGISTERS / 2 };

struct pixel_threads {
    struct dispatch_repeat repeat;
    bool has_thread, has_primitive; /* whether `start` is of the slice, and of the primitive */
    unsigned own_end;        /* the register after the thread's subspans and inputs, which begin at r1 */
    uint64_t local_loaded;   /* bytes of the primitive's part of the payload */
    struct eu_dirty written; /* what `restored` is made from: the kernel may write these registers */
    struct restored_range {
        uint8_t first, count;
    } restored[RESTORED_RANGES];
    unsigned restored_count;
    struct eu_thread start; /* of the primitive: without subspans and inputs */
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

/* The registers that the kernel may have written, but the thread's own: side by side. */
static void find_restored(struct pixel_threads *p, const struct eu_dirty *written)
{
    p->written = *written;
    p->restored_count = 0;
    for (unsigned n = 0; n < EU_LARGE_GRF_REGISTERS; n++) {
        if (!(written->registers[n / 64u] >> n % 64u & 1u) || (n >= 1 && n < p->own_end))
            continue;
        struct restored_range *const last = p->restored_count ? &p->restored[p->restored_count - 1u] : NULL;
        if (last && last->first + last->count == n && last->count < UINT8_MAX)
            last->count++;
        else
            p->restored[p->restored_count++] = (struct restored_range){(uint8_t)n, 1};
    }
}

static void copy_registers(struct eu_thread *to, const struct eu_thread *from, unsigned first, unsigned count)
{
    enum { PAIR = 2 * EU_REGISTER_BYTES };
    uint8_t *out = to->grf + first * (size_t)EU_REGISTER_BYTES;
    const uint8_t *in = from->grf + first * (size_t)EU_REGISTER_BYTES;
    for (; count >= 2; count -= 2, out += PAIR, in += PAIR)
        memcpy(out, in, PAIR);
    if (count)
        memcpy(out, in, EU_REGISTER_BYTES);
}

/* The thread's registers and state are as `start`; those of its own are not written yet. */
static void restore(struct pixel_threads *p, struct eu_thread *t)
{
    const size_t tail = offsetof(struct eu_thread, flag), end = offsetof(struct eu_thread, dirty);
    if (memcmp(t->dirty.registers, p->written.registers, sizeof t->dirty.registers) != 0)
        find_restored(p, &t->dirty);
    for (unsigned i = 0; i < p->restored_count; i++)
        copy_registers(t, &p->start, p->restored[i].first, p->restored[i].count);
    eu_thread_clear_rare(t);
    memcpy((uint8_t *)t + tail, (const uint8_t *)&p->start + tail, end - tail);
}

/* The first thread of a slice. The payload of others is written in parts, unless these overlap. */
static void start_first(struct pixel_threads *p, struct thread_dispatcher *d)
{
    struct eu_thread *const t = d->threads;
    t->dirty = eu_all_dirty;
    dispatch_start_thread(d, 0);
    p->start = *t;
    p->own_end = ps_put_subspans_inputs(d, &p->start);
    p->has_thread = p->own_end <= d->work.setup.dispatch_grf_start;
    t->dirty = p->written = (struct eu_dirty){.rare = false};
    p->restored_count = 0;
}

static void start_next(struct pixel_threads *p, struct thread_dispatcher *d)
{
    struct eu_thread *const t = d->threads;
    restore(p, t);
    if (!p->has_primitive) {
        const unsigned shared_end = ps_put_primitive(d, t), shared_first = d->work.setup.dispatch_grf_start,
                       first = shared_first < EU_REGISTERS ? shared_first : EU_REGISTERS,
                       end = shared_end < EU_REGISTERS ? shared_end : EU_REGISTERS;
        copy_registers(&p->start, t, 0, 1);
        copy_registers(&p->start, t, first, end - first);
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
