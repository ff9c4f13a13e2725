/*
 * What the process's device runs: one submission an engine at a time, each from the start of its ring, until
 * the engine is idle. What hangs is ended as a driver does: the engine is reset, its context begins anew.
 */
#include "shim/exec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

/* Slices of a call; what takes more is the runner's, and gets one of every later call. */
enum { SLICE_DW = 1 << 16, SLICE_NS = 1 << 16, CALL_SLICES = 16, TURN_DW = CALL_SLICES * SLICE_DW };
enum { GDRST = 0x941c };
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
    fence_put(c->last);
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
    for (uint32_t i = 0; i < r->change_count; i++)
        object_put(r->changes[i].binding.object);
    if (r->copy)
        gpu_give_pages(r->context->gpu, r->copy, r->copy_bytes);
    context_put(r->context);
    space_put(r->space);
    fence_put(r->done);
    free(r->after);
    free(r->changes);
    free(r->objects);
    free(r);
}

int request_after(struct request *r, struct exec_fence *f)
{
    if (!f || f->signaled)
        return 0;
    struct exec_fence **after = realloc(r->after, (r->after_count + 1u) * sizeof(struct exec_fence *));
    if (!after)
        return -ENOMEM;
    r->after = after;
    after[r->after_count++] = fence_get(f);
    return 0;
}

static void end_request(struct gpu *g, unsigned engine, struct request *r, int error)
{
    struct request **at = &g->engines[engine].first;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (!*at)
        g->engines[engine].last = at;
    if (g->engines[engine].leaving == r)
        g->engines[engine].leaving = NULL;
    fence_signal(r->done, error);
    request_free(r);
    if (g->account && (++g->account->submissions < 64 || g->account->submissions % 64 == 0))
        gpu_take_account(g);
}

/* The ring starts the batch, in the context's space, or its copy in the GGTT; then it writes what is told. */
static uint32_t write_ring(struct gpu *g, unsigned engine, const struct logical_ring *l,
                           const struct request *r)
{
    const struct command_set *set = softgt_command_set(g->device);
    const uint32_t start = 0x31u << 23 | (r->copy ? 0 : 1u << 8);
    const unsigned length_dw =
        set->rows[command_find(set, g->sheet->engines[engine].class, start)]->min_dwords;
    const uint32_t store[] = {0x20u << 23 | 1u << 21 /* a qword */ | 3u, (uint32_t)r->told_address,
                              (uint32_t)(r->told_address >> 32), (uint32_t)r->told_value,
                              (uint32_t)(r->told_value >> 32)};
    uint32_t *ring = own(g, l->ring.start);
    memset(ring, 0, 64);
    ring[0] = start | (length_dw - 2);
    ring[1] = (uint32_t)r->batch;
    if (length_dw > 2)
        ring[2] = (uint32_t)(r->batch >> 32);
    if (!r->tells)
        return 16;
    memcpy(ring + 4, store, sizeof store);
    return 40;
}

static bool start_request(struct gpu *g, unsigned engine)
{
    struct request *r = g->engines[engine].first;
    const struct engine_info *e = &g->sheet->engines[engine];
    struct logical_ring *l = ring_of(g, engine, r);
    struct driver_writes w = {0};
    if (!l)
        return false;
    gpu_pass_time(g, BETWEEN_NS);
    if (g->null_page)
        memset(g->own + g->null_page, 0, PAGE_BYTES);
    const uint32_t tail = r->paused ? 0 : write_ring(g, engine, l, r);
    if (e->execlists) {
        uint32_t *image = own(g, l->image + DRIVER_IMAGE_OFFSET);
        if (!r->paused) {
            image[image_find(e->context, RING_BUFFER_HEAD)] = 0;
            image[image_find(e->context, RING_BUFFER_TAIL)] = tail;
        }
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
    r->paused = false;
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

/* With those that are reset with it: what ran on these runs again. */
static void reset_engine(struct gpu *g, unsigned engine)
{
    const uint32_t bits = g->sheet->engines[engine].reset_bits;
    gpu_write_register(g, GDRST, bits);
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        if (!(g->sheet->engines[i].reset_bits & bits))
            continue;
        gpu_start_engine(g, i);
        g->engines[i].leaving = NULL;
        if (i == engine || !g->engines[i].first)
            continue;
        g->engines[i].first->context->pending_hangs += g->engines[i].first->running;
        g->engines[i].first->running = false;
        g->engines[i].first->used_dw = 0;
    }
}

/* The engine is reset, the context begins anew; others that were on engines reset with it are run again, and
 * who only waited for this one goes on. */
static void end_hung(struct gpu *g, unsigned engine, struct request *r, const char *why)
{
    const struct engine_info *e = &g->sheet->engines[engine];
    struct request *const first = g->engines[engine].first;
    struct context *c = r->context;
    struct logical_ring *l = &c->rings[r->slot];
    gpu_tell(g, EXEC_HANG, "%s: %s", e->name, why);
    if (g->account)
        g->account->hangs++;
    reset_engine(g, engine);
    g->resets++;
    c->hangs++;
    c->banned |= c->unrecoverable || (!c->no_ban && c->hangs > 3);
    if (l->image)
        make_image(g, engine, c, l);
    if (first != r) {
        first->running = false;
        first->paused = true; /* its image is as it was */
    }
    end_request(g, engine, r, -EIO);
}

static bool run_slice(struct gpu *g)
{
    bool more =
        g->recorder ? recorder_run(g->recorder, g->device, SLICE_DW) : softgt_run(g->device, SLICE_DW);
    if (!g->options.timing)
        gpu_pass_time(g, more ? SLICE_NS : 0); /* batches that go on until it is late end */
    else if (!more)
        more = device_wait_for_time(g->device);
    return more;
}

/* Of a context those that came before go first. */
static bool is_next_of_context(const struct request *first, const struct request *r)
{
    while (first != r && first->context != r->context)
        first = first->next;
    return first == r;
}

/* Who may run now, but that one; of several who had fewer turns. */
static struct request *find_next(const struct gpu *g, unsigned engine, const struct request *but)
{
    struct request *const first = g->engines[engine].first, *next = NULL;
    for (struct request *r = first; r; r = r->next)
        if (r != but && is_ready(r) && is_next_of_context(first, r) && (!next || r->turns < next->turns))
            next = r;
    return next;
}

/* It becomes the engine's first. */
static struct request *bring_forward(struct gpu *g, unsigned engine)
{
    struct request **at = &g->engines[engine].first, *r = find_next(g, engine, NULL);
    if (!r || r == *at)
        return r;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (!*at)
        g->engines[engine].last = at;
    r->next = g->engines[engine].first;
    g->engines[engine].first = r;
    return r;
}

/* What takes long gives way to others now and then, and goes on where it was: the engine saves it when it
 * comes to a point at which it may. */
static void give_way(struct gpu *g, unsigned engine, struct request *r, bool waits)
{
    if (!g->sheet->engines[engine].execlists || (!waits && r->used_dw - r->turn_dw < TURN_DW) ||
        !find_next(g, engine, r))
        return;
    r->running = false;
    r->paused = true;
    r->turns++;
    r->turn_dw = r->used_dw;
    g->engines[engine].leaving = r;
}

/* Who is on the engine: the first one, or the one that has not let it in yet. */
static struct request *who_runs(struct gpu *g, unsigned engine)
{
    if (!g->device->engines[engine].execlists.pending_valid)
        g->engines[engine].leaving = NULL;
    return g->engines[engine].leaving ? g->engines[engine].leaving : g->engines[engine].first;
}

/* After a slice of which the engine had `share_dw`, if there is more. True: something ended. */
static bool look_at(struct gpu *g, unsigned engine, uint64_t share_dw)
{
    const struct request *const first = g->engines[engine].first;
    struct softgt_engine_status s;
    if (!first || !first->running || !softgt_engine_status(g->device, engine, &s))
        return false;
    if (s.state == SOFTGT_ENGINE_IDLE && g->device->engines[engine].parse.wake)
        return false; /* others' turns came first: it has not begun */
    struct request *const r = who_runs(g, engine);
    if (s.state == SOFTGT_ENGINE_IDLE) {
        end_request(g, engine, r, 0);
        return true;
    }
    const char *why = NULL;
    if (s.state == SOFTGT_ENGINE_STOPPED) {
        why = s.why;
    } else if (s.state == SOFTGT_ENGINE_RUNNING && share_dw) {
        r->used_dw += share_dw;
        if (r->used_dw > g->options.limit_dw)
            why = "it runs on and on (--limit)";
    } else if (s.state == SOFTGT_ENGINE_WAITING) {
        const int64_t now = gpu_host_ns();
        if (!r->waits_since_ns)
            r->waits_since_ns = now;
        else if (now - r->waits_since_ns > WAITS_NS)
            why = s.why;
    }
    if (!why) {
        if (r == first)
            give_way(g, engine, r, s.state == SOFTGT_ENGINE_WAITING);
        return false;
    }
    char text[EXEC_TEXT];
    snprintf(text, sizeof text, "%s, at %#llx", why, (unsigned long long)s.acthd);
    end_hung(g, engine, r, text);
    return true;
}

/* Whether it runs; *ended: something is over that others may have waited for. */
static bool start_next(struct gpu *g, unsigned engine, bool *ended)
{
    struct request *r = g->engines[engine].first;
    while (r && !r->running && (r = bring_forward(g, engine))) {
        if (!is_ended(r) && start_request(g, engine))
            return true;
        end_request(g, engine, r, -EIO);
        *ended = true;
        r = g->engines[engine].first;
    }
    return r && r->running;
}

/* ---- Changes of spaces ---- */

static int change(const struct request *r)
{
    int error = 0;
    for (uint32_t i = 0; i < r->change_count && !error; i++) {
        const struct binding *b = &r->changes[i].binding;
        if (!r->changes[i].out)
            error = space_map(r->space, b);
        else if (b->object)
            error = space_unmap_object(r->space, b->object);
        else
            error = space_unmap(r->space, b->address, b->size_bytes);
    }
    return error;
}

/* True: some were made. */
static bool change_spaces(struct gpu *g)
{
    bool changed = false;
    for (struct request **at = &g->binds; *at;) {
        struct request *r = *at;
        if (!is_ready(r)) {
            at = &r->next;
            continue;
        }
        const int error = change(r);
        if (error)
            gpu_tell(g, EXEC_TROUBLE, "there is no room for page tables");
        if (r->tells && user_write(r->told_address, &r->told_value, sizeof r->told_value))
            gpu_tell(g, EXEC_TROUBLE, "a fence in memory that is not there");
        *at = r->next;
        if (!*at)
            g->last_bind = at;
        fence_signal(r->done, error);
        request_free(r);
        changed = true;
    }
    return changed;
}

void gpu_change_space(struct gpu *g, struct request *r)
{
    *g->last_bind = r;
    g->last_bind = &r->next;
    gpu_progress(g);
}

int gpu_after_space(const struct gpu *g, const struct exec_space *s, struct request *r)
{
    int error = 0;
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        for (const struct request *of = g->engines[i].first; of && !error; of = of->next)
            if (of->context->space == s)
                error = request_after(r, of->done);
    return error;
}

/* ---- Forks ---- */

/* Ends all of a list; contexts that were on an engine begin anew. */
static void leave_list(struct gpu *g, unsigned engine, struct request *r)
{
    while (r) {
        struct request *const next = r->next;
        const struct logical_ring *l = &r->context->rings[r->slot];
        if ((r->running || r->paused) && l->image)
            make_image(g, engine, r->context, l);
        fence_signal(r->done, -EIO);
        request_free(r);
        r = next;
    }
}

void gpu_leave_requests(struct gpu *g)
{
    struct request *lists[MOST_ENGINES] = {0};
    fences_leave_signals(true);
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        lists[i] = g->engines[i].first;
        g->engines[i].first = NULL;
        g->engines[i].last = &g->engines[i].first;
    }
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        bool began = false;
        for (const struct request *r = lists[i]; r; r = r->next)
            began |= r->running || r->paused;
        if (began)
            reset_engine(g, i);
    }
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        leave_list(g, i, lists[i]);
    for (struct request *r = g->binds; r; r = r->next)
        r->tells = false; /* the parent does */
    while (change_spaces(g))
        continue;
    fences_leave_signals(false);
}

/* ---- As time goes on ---- */

bool gpu_uses(const struct gpu *g, const struct object *o)
{
    if (o->last && !o->last->signaled)
        return true;
    for (unsigned i = 0; g->options.driver == EXEC_XE && i < g->sheet->info.engine_count; i++)
        for (const struct request *r = g->engines[i].first; r; r = r->next)
            if (!r->context->space->long_running && space_has(r->context->space, o))
                return true;
    return false;
}

bool gpu_any_left(const struct gpu *g)
{
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        if (g->engines[i].first)
            return true;
    return false;
}

static bool any_new(const struct gpu *g)
{
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        const struct request *r = g->engines[i].first;
        if (r && r->running && r->used_dw < TURN_DW)
            return true;
    }
    return false;
}

static bool progress(struct gpu *g, bool in_call)
{
    bool again = true;
    for (unsigned slices = 0; again && slices < CALL_SLICES; slices++) {
        unsigned running = 0;
        if (slices && in_call && !any_new(g))
            break;
        again = change_spaces(g);
        for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
            running += start_next(g, i, &again);
        if (!running)
            continue;
        const bool guarded = guard_begin(g), ran_out = run_slice(g);
        guard_end(g, guarded);
        again |= ran_out;
        for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
            again |= look_at(g, i, ran_out ? SLICE_DW / running : 0);
    }
    if (gpu_any_left(g))
        runner_start(g);
    return again;
}

bool gpu_progress(struct gpu *g)
{
    return progress(g, true);
}

bool gpu_go_on(struct gpu *g)
{
    return progress(g, false);
}

void gpu_submit(struct gpu *g, unsigned engine, struct request *r)
{
    *g->engines[engine].last = r;
    g->engines[engine].last = &r->next;
    gpu_progress(g);
}

bool gpu_wait(struct gpu *g, bool (*done)(void *user), void *user, int64_t until_ns)
{
    for (;;) {
        const bool more = gpu_go_on(g);
        if (done(user))
            return true;
        const int64_t now = gpu_host_ns();
        if (now >= until_ns)
            return false;
        runner_nap(g, more, until_ns - now);
    }
}
