/*
 * Jobs on engines: an engine runs one job at a time, from the start of its ring, until it is idle. A
 * job that hangs is ended as a driver does it: the engine is reset, and the context restarts with an
 * empty ring.
 */
#include "drm/drm_core.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/host.h"

/* A call runs CALL_SLICES slices. The runner continues longer jobs, and each later call gives them one slice.
 */
enum { SLICE_DW = 1 << 16, SLICE_NS = 1 << 16, CALL_SLICES = 16, TURN_DW = CALL_SLICES * SLICE_DW };
enum { GDRST = 0x941c, TLB_INV_CR = 0xced8, GUC_TLB_INV_CR = 0xcee8 };
#define WAITS_NS INT64_C(10000000000) /* a longer wait of one command is a hang */

/* ---- Contexts ---- */

struct context *context_create(struct shim_device *g, struct gpu_vm *space)
{
    struct context *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (struct context){.references = 1, .device = g, .vm = space};
    g->references++;
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
    struct shim_device *g = c->device;
    for (unsigned i = 0; i < MAX_SLOTS; i++) {
        const struct lrc *l = &c->lrcs[i];
        if (l->ring.size_bytes)
            ggtt_free_pages(g, l->ring.start, RING_BYTES);
        if (l->image)
            ggtt_free_pages(g, l->image, driver_context_bytes(&g->sheet->engines[context_engine(c, i)]));
    }
    vm_put(c->vm);
    fence_put(c->last_fence);
    free(c->engine_map);
    free(c);
    shim_device_put(g);
}

static uint32_t *lrc_owner(const struct shim_device *g, uint64_t address)
{
    return (uint32_t *)(void *)(g->driver_pages.memory + address);
}

/* Writes the image of a context that never ran. */
static void make_image(struct shim_device *g, unsigned engine, const struct context *c, const struct lrc *l)
{
    const struct engine_info *e = &g->sheet->engines[engine];
    const struct driver_context image = {
        .ring = l->ring, .control = DRIVER_FRESH_CONTEXT, .ppgtt = &c->vm->ppgtt};
    driver_image(e, &image, lrc_owner(g, l->image + DRIVER_IMAGE_OFFSET),
                 (driver_context_bytes(e) - DRIVER_IMAGE_OFFSET) / 4);
}

/* The LRC of a job, made if needed; NULL: there are no pages for it. */
static struct lrc *ring_of(struct shim_device *g, unsigned engine, const struct gpu_job *r)
{
    struct context *const c = r->context;
    const struct engine_info *e = &g->sheet->engines[engine];
    struct lrc *l = e->contexts.execlists ? &c->lrcs[r->slot] : &g->engines[engine].ring;
    if (!l->ring.size_bytes && (l->ring.start = ggtt_alloc_pages(g, RING_BYTES)))
        l->ring.size_bytes = RING_BYTES;
    if (e->contexts.execlists && l->ring.size_bytes && !l->image &&
        (l->image = ggtt_alloc_pages(g, driver_context_bytes(e)))) {
        l->id = ++g->next_context_id % 0x7ff + 1;
        make_image(g, engine, c, l);
    }
    return l->ring.size_bytes && (l->image || !e->contexts.execlists) ? l : NULL;
}

/* ---- Submissions ---- */

void gpu_job_free(struct gpu_job *r)
{
    for (uint32_t i = 0; i < r->wait_fence_count; i++)
        fence_put(r->wait_fences[i]);
    for (uint32_t i = 0; i < r->object_count; i++)
        gem_put(r->objects[i]);
    for (uint32_t i = 0; i < r->bind_op_count; i++)
        gem_put(r->bind_ops[i].vma.object);
    if (r->batch_copy)
        ggtt_free_pages(r->context->device, r->batch_copy, r->batch_copy_bytes);
    context_put(r->context);
    vm_put(r->vm);
    fence_put(r->done_fence);
    free(r->wait_fences);
    free(r->bind_ops);
    free(r->objects);
    free(r);
}

int gpu_job_wait_for(struct gpu_job *r, struct dma_fence *f)
{
    if (!f || f->signaled)
        return 0;
    struct dma_fence **after =
        realloc(r->wait_fences, (r->wait_fence_count + 1u) * sizeof(struct dma_fence *));
    if (!after)
        return -ENOMEM;
    r->wait_fences = after;
    after[r->wait_fence_count++] = fence_get(f);
    return 0;
}

static void end_job(struct shim_device *g, unsigned engine, struct gpu_job *r, int error)
{
    struct gpu_job **at = &g->engines[engine].first_job;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (!*at)
        g->engines[engine].last_job = at;
    if (g->engines[engine].preempted == r)
        g->engines[engine].preempted = NULL;
    fence_signal(r->done_fence, error);
    gpu_job_free(r);
    if (g->stats && (++g->stats->submissions < 64 || g->stats->submissions % 64 == 0))
        gpu_collect_stats(g);
}

/* Writes the ring: start the batch in the context's address space, or its copy in the GGTT, then write the
 * user fence. Returns the tail. */
static uint32_t write_ring(struct shim_device *g, unsigned engine, const struct lrc *l,
                           const struct gpu_job *r)
{
    const struct command_set *set = softgt_command_set(g->device);
    const uint32_t start = 0x31u << 23 | (r->batch_copy ? 0 : 1u << 8);
    const unsigned length_dw =
        set->rows[command_find(set, g->sheet->engines[engine].class, start)]->min_dwords;
    const uint32_t store[] = {0x20u << 23 | 1u << 21 /* a qword */ | 3u, (uint32_t)r->user_fence_address,
                              (uint32_t)(r->user_fence_address >> 32), (uint32_t)r->user_fence_value,
                              (uint32_t)(r->user_fence_value >> 32)};
    uint32_t *ring = lrc_owner(g, l->ring.start);
    memset(ring, 0, 64);
    ring[0] = start | (length_dw - 2);
    ring[1] = (uint32_t)r->batch;
    if (length_dw > 2)
        ring[2] = (uint32_t)(r->batch >> 32);
    if (!r->signals_user_fence)
        return 16;
    memcpy(ring + 4, store, sizeof store);
    return 40;
}

static bool start_job(struct shim_device *g, unsigned engine)
{
    struct gpu_job *r = g->engines[engine].first_job;
    const struct engine_info *e = &g->sheet->engines[engine];
    struct lrc *l = ring_of(g, engine, r);
    struct driver_writes w = {0};
    if (!l)
        return false;
    gpu_advance_time(g, BETWEEN_NS);
    if (g->null_page)
        memset(g->driver_pages.memory + g->null_page, 0, PAGE_BYTES);
    const uint32_t tail = r->is_preempted ? 0 : write_ring(g, engine, l, r);
    if (e->contexts.execlists) {
        uint32_t *image = lrc_owner(g, l->image + DRIVER_IMAGE_OFFSET);
        if (!r->is_preempted) {
            image[image_find(e->contexts.image, RING_BUFFER_HEAD)] = 0;
            image[image_find(e->contexts.image, RING_BUFFER_TAIL)] = tail;
        }
        driver_submit(&w, e, driver_descriptor(l->image, l->id, &r->context->vm->ppgtt), 0);
    } else {
        const struct driver_ring ring = {l->ring.start, l->ring.size_bytes, 0, 0};
        driver_set_directory(&w, e, &r->context->vm->ppgtt);
        driver_set_ring(&w, e, &ring);
        gpu_write_registers(g, &w);
        w = (struct driver_writes){.list = {{e->mmio_base + RING_BUFFER_TAIL, tail}}, .count = 1};
    }
    gpu_write_registers(g, &w);
    r->is_running = true;
    r->is_preempted = false;
    return true;
}

static bool job_is_ready(const struct gpu_job *r)
{
    for (uint32_t i = 0; i < r->wait_fence_count; i++)
        if (!r->wait_fences[i]->signaled)
            return false;
    return true;
}

/* The job's context is banned, or the process ends. */
static bool job_is_ended(const struct gpu_job *r)
{
    return r->context->is_banned || r->context->device->is_ended;
}

/* Resets the engine and those in its reset domain. Jobs on the others run again. */
static void reset_engine(struct shim_device *g, unsigned engine)
{
    const uint32_t bits = g->sheet->engines[engine].reset_bits;
    gpu_write_register(g, GDRST, bits);
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        if (!(g->sheet->engines[i].reset_bits & bits))
            continue;
        gpu_start_engine(g, i);
        g->engines[i].preempted = NULL;
        if (i == engine || !g->engines[i].first_job)
            continue;
        g->engines[i].first_job->context->innocent_hangs += g->engines[i].first_job->is_running;
        g->engines[i].first_job->is_running = false;
        g->engines[i].first_job->executed_dw = 0;
    }
}

/* Resets the engine and restarts the context. Jobs that only waited for this one continue. */
static void end_hung_job(struct shim_device *g, unsigned engine, struct gpu_job *r, const char *why)
{
    const struct engine_info *e = &g->sheet->engines[engine];
    struct gpu_job *const first = g->engines[engine].first_job;
    struct context *c = r->context;
    struct lrc *l = &c->lrcs[r->slot];
    shim_log(g, EXEC_HANG, "%s: %s", e->name, why);
    if (g->stats)
        g->stats->hangs++;
    reset_engine(g, engine);
    g->resets++;
    c->guilty_hangs++;
    c->is_banned |= c->not_recoverable || (!c->not_bannable && c->guilty_hangs > 3);
    if (l->image)
        make_image(g, engine, c, l);
    if (first != r) {
        first->is_running = false;
        first->is_preempted = true; /* its image is unchanged */
    }
    end_job(g, engine, r, -EIO);
}

static bool gpu_run_slice(struct shim_device *g)
{
    bool more = g->outputs.recorder ? recorder_run(g->outputs.recorder, g->device, SLICE_DW)
                                    : softgt_run(g->device, SLICE_DW);
    if (!g->options.timing)
        gpu_advance_time(g, more ? SLICE_NS : 0); /* endless batches end by host time */
    else if (!more)
        more = device_wait_for_time(g->device);
    return more;
}

/* Jobs of one context run in order. */
static bool is_next_of_context(const struct gpu_job *first, const struct gpu_job *r)
{
    while (first != r && first->context != r->context)
        first = first->next;
    return first == r;
}

/* The ready job, other than `but`, that yielded the fewest slices. */
static struct gpu_job *find_next_job(const struct shim_device *g, unsigned engine, const struct gpu_job *but)
{
    struct gpu_job *const first = g->engines[engine].first_job, *next = NULL;
    for (struct gpu_job *r = first; r; r = r->next)
        if (r != but && job_is_ready(r) && is_next_of_context(first, r) &&
            (!next || r->slices_yielded < next->slices_yielded))
            next = r;
    return next;
}

/* Moves the next ready job to the front. */
static struct gpu_job *move_job_first(struct shim_device *g, unsigned engine)
{
    struct gpu_job **at = &g->engines[engine].first_job, *r = find_next_job(g, engine, NULL);
    if (!r || r == *at)
        return r;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (!*at)
        g->engines[engine].last_job = at;
    r->next = g->engines[engine].first_job;
    g->engines[engine].first_job = r;
    return r;
}

/* A long job yields to others now and then. The engine saves it at the next preemption point, and it resumes
 * there. */
static void yield_engine(struct shim_device *g, unsigned engine, struct gpu_job *r, bool waits)
{
    if (!g->sheet->engines[engine].contexts.execlists ||
        (!waits && r->executed_dw - r->slice_start_dw < TURN_DW) || !find_next_job(g, engine, r))
        return;
    r->is_running = false;
    r->is_preempted = true;
    r->slices_yielded++;
    r->slice_start_dw = r->executed_dw;
    g->engines[engine].preempted = r;
}

/* The job on the engine: the first one, or a preempted one that has not left yet. */
static struct gpu_job *running_job(struct shim_device *g, unsigned engine)
{
    if (!device_engine_is_preempting(g->device, engine))
        g->engines[engine].preempted = NULL;
    return g->engines[engine].preempted ? g->engines[engine].preempted : g->engines[engine].first_job;
}

/* The command at `acthd` waits too long. Jobs of long-running address spaces wait without a limit. (Linux,
 * xe_guc_submit.c) */
static bool job_waits_too_long(struct gpu_job *r, uint64_t acthd)
{
    const int64_t now = gpu_host_ns();
    if (!r->waiting_since_ns || r->waiting_acthd != acthd) {
        r->waiting_since_ns = now;
        r->waiting_acthd = acthd;
    }
    return !r->context->vm->is_long_running && now - r->waiting_since_ns > WAITS_NS;
}

/* Checks an engine after a slice of which it had `share_dw`, if work is left. True: a job ended. */
static bool check_engine(struct shim_device *g, unsigned engine, uint64_t share_dw)
{
    const struct gpu_job *const first = g->engines[engine].first_job;
    struct softgt_engine_status s;
    if (!first || !first->is_running || !softgt_engine_get_status(g->device, engine, &s))
        return false;
    if (s.state == SOFTGT_ENGINE_IDLE && device_engine_is_woken(g->device, engine))
        return false; /* other engines ran first: it has not started */
    struct gpu_job *const r = running_job(g, engine);
    if (s.state == SOFTGT_ENGINE_IDLE) {
        end_job(g, engine, r, 0);
        return true;
    }
    const char *why = NULL;
    if (s.state == SOFTGT_ENGINE_STOPPED) {
        why = s.why;
    } else if (s.state == SOFTGT_ENGINE_RUNNING && share_dw) {
        r->waiting_since_ns = 0;
        r->executed_dw += share_dw;
        if (r->executed_dw > g->options.limit_dw)
            why = "the submission exceeds --limit";
    } else if (s.state == SOFTGT_ENGINE_WAITING && job_waits_too_long(r, s.acthd)) {
        why = s.why;
    }
    if (!why) {
        if (r == first)
            yield_engine(g, engine, r, s.state == SOFTGT_ENGINE_WAITING);
        return false;
    }
    char text[EXEC_TEXT];
    snprintf(text, sizeof text, "%s, at %#llx", why, (unsigned long long)s.acthd);
    end_hung_job(g, engine, r, text);
    return true;
}

/* True: the engine runs a job. *ended: a job ended that others may wait for. */
static bool start_next_job(struct shim_device *g, unsigned engine, bool *ended)
{
    struct gpu_job *r = g->engines[engine].first_job;
    while (r && !r->is_running && (r = move_job_first(g, engine))) {
        if (!job_is_ended(r) && start_job(g, engine))
            return true;
        end_job(g, engine, r, -EIO);
        *ended = true;
        r = g->engines[engine].first_job;
    }
    return r && r->is_running;
}

/* ---- Binds ---- */

static int apply_bind_op(const struct gpu_job *r)
{
    int error = 0;
    for (uint32_t i = 0; i < r->bind_op_count && !error; i++) {
        const struct vma *b = &r->bind_ops[i].vma;
        if (!r->bind_ops[i].unbind)
            error = vm_map(r->vm, b);
        else if (b->object)
            error = vm_unmap_object(r->vm, b->object);
        else
            error = vm_unmap(r->vm, b->address, b->size_bytes);
    }
    return error;
}

/* Translations of all engines: running jobs see the binding. xe asks the GuC for it. (Linux,
 * xe_guc_tlb_inval.c) */
static void invalidate_tlbs(struct shim_device *g)
{
    enum { CLASSES = 4 };
    const struct media_gt *const media = g->sheet->media;
    for (unsigned gt = 0; gt < (media ? 2 : 1); gt++) {
        const uint32_t base = gt ? media->register_base : 0;
        for (unsigned class = 0; class < CLASSES; class ++)
            gpu_write_register(g, base + TLB_INV_CR + 4 * class, 0xff);
        gpu_write_register(g, base + GUC_TLB_INV_CR, 1);
    }
}

/* Runs bind jobs that are ready. True: there were some. */
static bool run_bind_jobs(struct shim_device *g)
{
    bool changed = false;
    for (struct gpu_job **at = &g->bind_jobs; *at;) {
        struct gpu_job *r = *at;
        if (!job_is_ready(r)) {
            at = &r->next;
            continue;
        }
        const int error = apply_bind_op(r);
        if (error)
            shim_log(g, EXEC_TROUBLE, "no memory is left for page tables");
        if (r->bind_op_count && gpu_has_pending(g))
            invalidate_tlbs(g);
        if (r->signals_user_fence &&
            copy_to_user(r->user_fence_address, &r->user_fence_value, sizeof r->user_fence_value))
            shim_log(g, EXEC_TROUBLE, "a user fence is in memory that is not mapped");
        *at = r->next;
        if (!*at)
            g->last_bind_job = at;
        fence_signal(r->done_fence, error);
        gpu_job_free(r);
        changed = true;
    }
    return changed;
}

void gpu_submit_binds(struct shim_device *g, struct gpu_job *r)
{
    *g->last_bind_job = r;
    g->last_bind_job = &r->next;
    gpu_run_for_call(g);
}

int gpu_job_wait_for_vm(const struct shim_device *g, const struct gpu_vm *s, struct gpu_job *r)
{
    int error = 0;
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        for (const struct gpu_job *of = g->engines[i].first_job; of && !error; of = of->next)
            if (of->context->vm == s)
                error = gpu_job_wait_for(r, of->done_fence);
    return error;
}

/* ---- Forks ---- */

/* Ends all jobs of a list. Contexts that were on an engine restart. */
static void drop_jobs(struct shim_device *g, unsigned engine, struct gpu_job *r)
{
    while (r) {
        struct gpu_job *const next = r->next;
        const struct lrc *l = &r->context->lrcs[r->slot];
        if ((r->is_running || r->is_preempted) && l->image)
            make_image(g, engine, r->context, l);
        fence_signal(r->done_fence, -EIO);
        gpu_job_free(r);
        r = next;
    }
}

void gpu_drop_jobs_after_fork(struct shim_device *g)
{
    struct gpu_job *lists[MAX_ENGINES] = {0};
    fences_forked_child(true);
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        lists[i] = g->engines[i].first_job;
        g->engines[i].first_job = NULL;
        g->engines[i].last_job = &g->engines[i].first_job;
    }
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        bool began = false;
        for (const struct gpu_job *r = lists[i]; r; r = r->next)
            began |= r->is_running || r->is_preempted;
        if (began)
            reset_engine(g, i);
    }
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        drop_jobs(g, i, lists[i]);
    for (struct gpu_job *r = g->bind_jobs; r; r = r->next)
        r->signals_user_fence = false; /* the parent signals */
    while (run_bind_jobs(g))
        continue;
    fences_forked_child(false);
}

/* ---- Running ---- */

bool gpu_object_is_busy(const struct shim_device *g, const struct gem_object *o)
{
    if (o->last_fence && !o->last_fence->signaled)
        return true;
    for (unsigned i = 0; g->options.driver == EXEC_XE && i < g->sheet->info.engine_count; i++)
        for (const struct gpu_job *r = g->engines[i].first_job; r; r = r->next)
            if (!r->context->vm->is_long_running && vm_has_object(r->context->vm, o))
                return true;
    return false;
}

bool gpu_has_pending(const struct shim_device *g)
{
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        if (g->engines[i].first_job)
            return true;
    return false;
}

static bool has_new_jobs(const struct shim_device *g)
{
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        const struct gpu_job *r = g->engines[i].first_job;
        if (r && r->is_running && r->executed_dw < TURN_DW)
            return true;
    }
    return false;
}

static bool run_jobs(struct shim_device *g, bool in_call)
{
    bool again = true;
    for (unsigned slices = 0; again && slices < CALL_SLICES; slices++) {
        unsigned running = 0;
        if (device_is_held(g->device) || (slices && in_call && !has_new_jobs(g))) {
            again &= !device_is_held(g->device);
            break;
        }
        again = run_bind_jobs(g);
        for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
            running += start_next_job(g, i, &again);
        if (!running)
            continue;
        const bool guarded = guard_begin(g), ran_out = gpu_run_slice(g);
        guard_end(g, guarded);
        if (device_is_held(g->device))
            continue;
        again |= ran_out;
        for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
            again |= check_engine(g, i, ran_out ? SLICE_DW / running : 0);
    }
    if (gpu_has_pending(g))
        runner_start(g);
    return again;
}

bool gpu_run_for_call(struct shim_device *g)
{
    return run_jobs(g, true);
}

bool gpu_run_pending(struct shim_device *g)
{
    return run_jobs(g, false);
}

void gpu_submit(struct shim_device *g, unsigned engine, struct gpu_job *r)
{
    *g->engines[engine].last_job = r;
    g->engines[engine].last_job = &r->next;
    gpu_run_for_call(g);
}

bool gpu_wait(struct shim_device *g, bool (*done)(void *user), void *user, int64_t until_ns)
{
    for (;;) {
        const bool more = gpu_run_pending(g);
        if (done(user))
            return true;
        const int64_t now = gpu_host_ns();
        if (now >= until_ns)
            return false;
        runner_wait(g, more, until_ns - now);
    }
}
