/*
 * What the process's device runs: one submission an engine at a time, each from the start of its ring, until
 * the engine is idle. What hangs is ended as a driver does: the engine is reset, its context begins anew.
 */
#include "frontend/exec/exec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/device.h"

enum { SLICE_DW = 1 << 16, GDRST = 0x941c };
#define WAITS_NS INT64_C(10000000000) /* in a wait that nobody ends: it hangs */

/* ---- Contexts ---- */

struct context *context_make(struct gpu *g, struct exec_space *space)
{
    struct context *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (struct context){.references = 1, .gpu = g, .space = space};
    g->users++;
    return c;
}

struct context *context_get(struct context *c)
{
    c->references++;
    return c;
}

void context_put(struct context *c)
{
    if (!c || --c->references)
        return;
    struct gpu *g = c->gpu;
    for (unsigned i = 0; i < MOST_SLOTS; i++) {
        const struct logical_ring *l = &c->rings[i];
        if (l->ring.size_bytes)
            gpu_give_pages(g, l->ring.start, RING_BYTES);
        if (l->image)
            gpu_give_pages(g, l->image, driver_context_bytes(&g->sheet->engines[context_engine(c, i)]));
    }
    space_put(c->space);
    free(c->map);
    free(c);
    gpu_put(g);
}

static uint32_t *own(const struct gpu *g, uint64_t address)
{
    return (uint32_t *)(void *)(g->own + address);
}

/* The image as of a context that never ran. */
static void make_image(struct gpu *g, unsigned engine, const struct context *c, const struct logical_ring *l)
{
    const struct engine_info *e = &g->sheet->engines[engine];
    const struct driver_context image = {
        .ring = l->ring, .control = DRIVER_FRESH_CONTEXT, .ppgtt = &c->space->tables};
    driver_image(e, &image, own(g, l->image + DRIVER_IMAGE_OFFSET),
                 (driver_context_bytes(e) - DRIVER_IMAGE_OFFSET) / 4);
}

/* NULL: there is no room for it. */
static struct logical_ring *ring_of(struct gpu *g, unsigned engine, const struct request *r)
{
    struct context *const c = r->context;
    const struct engine_info *e = &g->sheet->engines[engine];
    struct logical_ring *l = e->execlists ? &c->rings[r->slot] : &g->engines[engine].ring;
    if (!l->ring.size_bytes && (l->ring.start = gpu_take_pages(g, RING_BYTES)))
        l->ring.size_bytes = RING_BYTES;
    if (e->execlists && l->ring.size_bytes && !l->image &&
        (l->image = gpu_take_pages(g, driver_context_bytes(e)))) {
        l->id = ++g->next_id % 0x7ff + 1;
        make_image(g, engine, c, l);
    }
    return l->ring.size_bytes && (l->image || !e->execlists) ? l : NULL;
}

/* ---- Submissions ---- */

void request_free(struct request *r)
{
    for (uint32_t i = 0; i < r->after_count; i++)
        fence_put(r->after[i]);
    for (uint32_t i = 0; i < r->object_count; i++)
        object_put(r->objects[i]);
    context_put(r->context);
    fence_put(r->done);
    free(r->after);
    free(r->objects);
    free(r);
}

static void end_request(struct gpu *g, unsigned engine, int error)
{
    struct request *r = g->engines[engine].first;
    g->engines[engine].first = r->next;
    if (!r->next)
        g->engines[engine].last = &g->engines[engine].first;
    fence_signal(r->done, error);
    request_free(r);
    if (g->account && (++g->account->submissions < 64 || g->account->submissions % 64 == 0))
        gpu_take_account(g);
}

/* The ring starts the batch, in the context's space. */
static uint32_t write_ring(struct gpu *g, unsigned engine, const struct logical_ring *l, uint64_t batch)
{
    const struct command_set *set = softgt_command_set(g->device);
    const uint32_t start = 0x31u << 23 | 1u << 8;
    const unsigned length_dw =
        set->rows[command_find(set, g->sheet->engines[engine].class, start)]->min_dwords;
    uint32_t *ring = own(g, l->ring.start);
    memset(ring, 0, 32);
    ring[0] = start | (length_dw - 2);
    ring[1] = (uint32_t)batch;
    if (length_dw > 2)
        ring[2] = (uint32_t)(batch >> 32);
    return 16;
}

static bool start_request(struct gpu *g, unsigned engine)
{
    struct request *r = g->engines[engine].first;
    const struct engine_info *e = &g->sheet->engines[engine];
    struct logical_ring *l = ring_of(g, engine, r);
    struct driver_writes w = {0};
    if (!l)
        return false;
    softgt_advance(g->device, BETWEEN_NS);
    const uint32_t tail = write_ring(g, engine, l, r->batch);
    if (e->execlists) {
        uint32_t *image = own(g, l->image + DRIVER_IMAGE_OFFSET);
        image[image_find(e->context, RING_BUFFER_HEAD)] = 0;
        image[image_find(e->context, RING_BUFFER_TAIL)] = tail;
        driver_submit(&w, e, driver_descriptor(l->image, l->id, &r->context->space->tables), 0);
    } else {
        const struct driver_ring ring = {l->ring.start, l->ring.size_bytes, 0, 0};
        driver_set_directory(&w, e, &r->context->space->tables);
        driver_set_ring(&w, e, &ring);
        gpu_write_registers(g, &w);
        w = (struct driver_writes){.list = {{e->mmio_base + RING_BUFFER_TAIL, tail}}, .count = 1};
    }
    gpu_write_registers(g, &w);
    r->running = true;
    r->used_dw = 0;
    r->waits_since_ns = 0;
    return true;
}

static bool is_ready(const struct request *r)
{
    for (uint32_t i = 0; i < r->after_count; i++)
        if (!r->after[i]->signaled)
            return false;
    return true;
}

/* Nothing of its context runs any more. */
static bool is_ended(const struct request *r)
{
    return r->context->banned || r->context->gpu->ended;
}

/* The engine is reset, the context begins anew; others that were on engines reset with it are run again. */
static void end_hung(struct gpu *g, unsigned engine, const char *why)
{
    const struct engine_info *e = &g->sheet->engines[engine];
    struct request *r = g->engines[engine].first;
    struct context *c = r->context;
    struct logical_ring *l = &c->rings[r->slot];
    gpu_tell(g, EXEC_HANG, "%s: %s", e->name, why);
    if (g->account)
        g->account->hangs++;
    gpu_write_register(g, GDRST, e->reset_bits);
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        if (!(g->sheet->engines[i].reset_bits & e->reset_bits))
            continue;
        gpu_start_engine(g, i);
        if (i == engine || !g->engines[i].first)
            continue;
        g->engines[i].first->context->pending_hangs += g->engines[i].first->running;
        g->engines[i].first->running = false;
    }
    g->resets++;
    c->hangs++;
    c->banned |= c->unrecoverable || (!c->no_ban && c->hangs > 3);
    if (l->image)
        make_image(g, engine, c, l);
    end_request(g, engine, -EIO);
}

static bool run_slice(struct gpu *g)
{
    bool more =
        g->recorder ? recorder_run(g->recorder, g->device, SLICE_DW) : softgt_run(g->device, SLICE_DW);
    if (!more && g->options.timing)
        more = device_wait(g->device);
    return more;
}

/* True: something ended. */
static bool look_at(struct gpu *g, unsigned engine, bool ran_out)
{
    struct request *r = g->engines[engine].first;
    struct softgt_engine_status s;
    if (!r || !r->running || !softgt_engine_status(g->device, engine, &s))
        return false;
    if (s.state == SOFTGT_ENGINE_IDLE) {
        end_request(g, engine, 0);
        return true;
    }
    const char *why = NULL;
    if (s.state == SOFTGT_ENGINE_STOPPED) {
        why = s.why;
    } else if (s.state == SOFTGT_ENGINE_RUNNING && ran_out) {
        r->used_dw += SLICE_DW;
        if (r->used_dw > g->options.limit_dw)
            why = "it runs on and on (--limit)";
    } else if (s.state == SOFTGT_ENGINE_WAITING) {
        const int64_t now = gpu_host_ns();
        if (!r->waits_since_ns)
            r->waits_since_ns = now;
        else if (now - r->waits_since_ns > WAITS_NS)
            why = s.why;
    }
    if (!why)
        return false;
    char text[EXEC_TEXT];
    snprintf(text, sizeof text, "%s, at %#llx", why, (unsigned long long)s.acthd);
    end_hung(g, engine, text);
    return true;
}

void gpu_progress(struct gpu *g)
{
    bool again = true;
    while (again) {
        bool running = false;
        again = false;
        for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
            struct request *r;
            while ((r = g->engines[i].first) && !r->running && is_ready(r)) {
                if (!is_ended(r) && start_request(g, i))
                    break;
                end_request(g, i, -EIO);
                again = true;
            }
            running |= r && r->running;
        }
        if (!running)
            continue;
        const bool ran_out = run_slice(g);
        again |= ran_out;
        for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
            again |= look_at(g, i, ran_out);
    }
}

void gpu_submit(struct gpu *g, unsigned engine, struct request *r)
{
    *g->engines[engine].last = r;
    g->engines[engine].last = &r->next;
    gpu_progress(g);
}

static bool any_left(const struct gpu *g)
{
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        if (g->engines[i].first)
            return true;
    return false;
}

bool gpu_wait(struct gpu *g, bool (*done)(void *user), void *user, int64_t until_ns)
{
    enum { LOOK_NS = 1000000 };
    for (;;) {
        gpu_progress(g);
        if (done(user))
            return true;
        const int64_t now = gpu_host_ns();
        if (now >= until_ns)
            return false;
        /* A signal of a thread of ours ends it; memory is looked at now and then. */
        const int64_t most = any_left(g) ? LOOK_NS : 100 * (int64_t)LOOK_NS;
        struct timespec at;
        clock_gettime(CLOCK_REALTIME, &at);
        const int64_t part = until_ns - now < most ? until_ns - now : most;
        const int64_t ns = at.tv_nsec + part;
        at.tv_sec += ns / 1000000000;
        at.tv_nsec = ns % 1000000000;
        pthread_cond_timedwait(&exec_changed, &exec_lock, &at);
    }
}
