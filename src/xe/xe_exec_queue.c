/* xe's exec queues, submissions, and waits for user fences. */
#include <errno.h>
#include <stdlib.h>

#include "xe/xe.h"

enum { MOST_PLACEMENTS = 9, MOST_EXTENSIONS = 16 };

/* ---- Queues ---- */

static int set_property(const struct ioctl_call *c, uint64_t at, uint64_t *next)
{
    enum { PRIORITIES = 3, MOST_SLICE_US = 10000000 };
    struct xe_set_property e;
    const int error = copy_from_user(&e, at, sizeof e);
    if (error)
        return error;
    *next = e.base.next;
    if (e.base.name || e.base.pad || e.pad)
        return -EINVAL;
    switch (e.property) {
    case XE_QUEUE_PRIORITY:
        return e.value >= PRIORITIES ? -EINVAL : e.value > xe_max_priority() ? -EPERM : 0;
    case XE_QUEUE_TIMESLICE:
        return e.value && e.value <= MOST_SLICE_US ? 0 : -EINVAL;
    case XE_QUEUE_PXP:
        return e.value ? -ENODEV : 0;
    default:
        shim_log(c->file->device, EXEC_REFUSED, "xe: property %u of a queue", e.property);
        return -EINVAL;
    }
}

/* Parallel batches run on engines of one class with consecutive instances. */
static int find_placements(const struct shim_device *g, const struct xe_queue_create *a,
                           const struct xe_engine *all, uint8_t *map)
{
    for (unsigned i = 0; i < (unsigned)a->width * a->placements; i++) {
        const unsigned slot = i % a->width;
        const int engine = all[i].class == all[0].class ? xe_find_engine(g, &all[i]) : -1;
        if (engine < 0 || (slot && all[i].instance != all[i - 1].instance + 1))
            return -EINVAL;
        map[i] = (uint8_t)engine;
    }
    return 0;
}

static int make_queue(const struct ioctl_call *c, const struct xe_queue_create *a,
                      const struct xe_engine *all, struct context **made)
{
    struct shim_device *g = c->file->device;
    struct gpu_vm *s = NULL;
    uint8_t *map = calloc((size_t)a->width * a->placements, 1);
    int error = map ? 0 : -ENOMEM;
    const bool binds = all[0].class == XE_CLASS_VM_BIND;
    if (!error && binds)
        error = a->width != 1 || a->placements != 1 || all[0].instance ? -EINVAL : 0;
    else if (!error)
        error = find_placements(g, a, all, map);
    if (!error && !binds && !(s = handle_lookup(&c->file->vms, a->vm)))
        error = -ENOENT;
    struct context *q = error ? NULL : context_create(g, s);
    if (!q) {
        free(map);
        return error ? error : -ENOMEM;
    }
    if (s)
        vm_get(s);
    q->engine_map = map;
    q->engine_count = a->width;
    q->extra_placements = a->placements - 1u;
    q->is_bind_queue = binds;
    q->not_recoverable = true; /* a queue that hangs is banned */
    *made = q;
    return 0;
}

int xe_queue_create(const struct ioctl_call *c)
{
    struct xe_queue_create *a = c->argument;
    const uint32_t count = (uint32_t)a->width * a->placements;
    struct xe_engine all[MOST_PLACEMENTS];
    struct context *q = NULL;
    if (a->flags & ~(uint32_t)XE_QUEUE_LOW_LATENCY || xe_reserved(a->reserved) || !count ||
        count > MOST_PLACEMENTS)
        return -EINVAL;
    int error = copy_from_user(all, a->instances, count * sizeof all[0]);
    if (!error && all[0].gt >= xe_gt_count(c->file->device))
        error = -EINVAL;
    uint64_t at = a->extensions;
    for (unsigned left = MOST_EXTENSIONS; at && !error; left--)
        error = left ? set_property(c, at, &at) : -E2BIG;
    if (!error)
        error = make_queue(c, a, all, &q);
    if (error)
        return error;
    a->queue = handle_create(&c->file->contexts, q);
    if (a->queue)
        return 0;
    context_put(q);
    return -ENOMEM;
}

int xe_queue_destroy(const struct ioctl_call *c)
{
    const struct xe_queue_destroy *a = c->argument;
    if (a->pad || xe_reserved(a->reserved))
        return -EINVAL;
    struct context *q = handle_delete(&c->file->contexts, a->queue);
    context_put(q);
    return q ? 0 : -ENOENT;
}

int xe_queue_get_property(const struct ioctl_call *c)
{
    struct xe_queue_get_property *a = c->argument;
    if (a->extensions || xe_reserved(a->reserved))
        return -EINVAL;
    const struct context *q = handle_lookup(&c->file->contexts, a->queue);
    if (!q)
        return -ENOENT;
    if (a->property)
        return -EINVAL;
    gpu_run_for_call(c->file->device);
    a->value = q->is_banned;
    return 0;
}

/* ---- Submissions ---- */

static int check_exec(const struct xe_exec *a, const struct context *q)
{
    if (a->extensions || a->pad[0] || a->pad[1] || a->pad[2] || xe_reserved(a->reserved))
        return -EINVAL;
    if (!q)
        return -ENOENT;
    if (q->is_bind_queue || (a->batches && a->batches != q->engine_count))
        return -EINVAL;
    return q->is_banned || q->vm->is_closed ? -ECANCELED : 0;
}

/* Looks at all userptrs of the space again; missing ones fault. */
static void revalidate_userptrs(const struct gpu_vm *s)
{
    for (uint32_t i = 0; i < s->vma_count; i++)
        if (s->vmas[i].object && s->vmas[i].object->is_user)
            gem_userptr_revalidate(s->vmas[i].object);
}

static bool is_idle(const struct context *q, const uint8_t *map)
{
    for (uint32_t i = 0; i < q->engine_count; i++)
        if (q->device->engines[map[i]].first_job)
            return false;
    return true;
}

/* A queue with several placements moves to an idle one, when it has no pending job. */
static void choose_placement(struct context *q)
{
    uint32_t choice = 0;
    if (q->last_fence && !q->last_fence->signaled)
        return;
    while (choice <= q->extra_placements && !is_idle(q, q->engine_map + choice * q->engine_count))
        choice++;
    for (uint32_t i = 0; choice && choice <= q->extra_placements && i < q->engine_count; i++) {
        const uint8_t before = q->engine_map[i];
        q->engine_map[i] = q->engine_map[choice * q->engine_count + i];
        q->engine_map[choice * q->engine_count + i] = before;
    }
}

/* One job for each batch, or one job without a batch; all signal one fence. */
static int create_jobs(struct context *q, const struct xe_exec *a, const struct xe_syncs *syncs,
                       const uint64_t *batches, struct dma_fence *done, struct gpu_job **requests)
{
    const uint32_t count = a->batches ? a->batches : 1;
    int error = 0;
    for (uint32_t i = 0; i < count && !error; i++) {
        struct gpu_job *r = requests[i] =
            xe_job_create(a->batches ? q : NULL, a->batches ? NULL : q->vm, done);
        if (!r)
            return -ENOMEM;
        r->slot = i;
        r->batch = batches[i];
        if (syncs->signals_user_fence && a->batches && i == count - 1) {
            r->signals_user_fence = true;
            r->user_fence_address = syncs->user_fence_address;
            r->user_fence_value = syncs->user_fence_value;
        }
        error = xe_syncs_add_waits(syncs, r);
        if (!error)
            error = gpu_job_wait_for(r, a->batches ? q->vm->last_split_fence : q->last_fence);
    }
    done->pending_parts = count - 1;
    return error;
}

static int read_batches(const struct xe_exec *a, uint64_t *batches)
{
    if (a->batches > 1)
        return copy_from_user(batches, a->address, a->batches * sizeof *batches);
    batches[0] = a->address;
    return 0;
}

int xe_exec(const struct ioctl_call *c)
{
    const struct xe_exec *a = c->argument;
    struct shim_device *g = c->file->device;
    struct context *q = handle_lookup(&c->file->contexts, a->queue);
    struct xe_syncs syncs = {0};
    uint64_t batches[MOST_PLACEMENTS] = {0};
    struct gpu_job *requests[MOST_PLACEMENTS] = {0};
    struct dma_fence *done = NULL;
    gpu_run_for_call(g);
    int error = check_exec(a, q);
    if (!error)
        error = xe_syncs_read(c, a->syncs, a->sync_count, q->vm->is_long_running, false, &syncs);
    if (!error)
        error = read_batches(a, batches);
    if (!error)
        revalidate_userptrs(q->vm);
    if (!error && !(done = fence_create()))
        error = -ENOMEM;
    if (!error)
        error = create_jobs(q, a, &syncs, batches, done, requests);
    if (!error) {
        choose_placement(q);
        xe_syncs_signal(&syncs, done);
        fence_put(q->last_fence);
        q->last_fence = fence_get(done);
    }
    if (q)
        context_get(q);
    for (uint32_t i = 0; i < MOST_PLACEMENTS && requests[i]; i++) {
        if (error)
            gpu_job_free(requests[i]);
        else if (a->batches)
            gpu_submit(g, context_engine(q, i), requests[i]);
        else
            gpu_submit_binds(g, requests[i]);
    }
    context_put(q);
    fence_put(done);
    xe_syncs_free(&syncs);
    return error;
}

/* ---- Waiting for a value ---- */

struct value_wait {
    const struct xe_wait_user_fence *a;
    const struct context *queue;
    int error;
};

static bool user_fence_compare(uint64_t value, uint64_t with, unsigned op)
{
    const int order = value < with ? 0 : value == with ? 1 : 2;
    /* The orders (less, equal, more) that satisfy EQ, NEQ, GT, GTE, LT, LTE. */
    static const uint8_t fits[] = {2, 5, 4, 6, 1, 3};
    return fits[op] >> order & 1u;
}

static bool is_over(void *user)
{
    struct value_wait *w = user;
    uint64_t value;
    w->error = copy_from_user(&value, w->a->address, sizeof value);
    if (w->error || user_fence_compare(value & w->a->mask, w->a->value & w->a->mask, w->a->op))
        return true;
    if (w->queue && w->queue->is_banned)
        w->error = -EIO;
    return w->error;
}

int xe_wait_user_fence(const struct ioctl_call *c)
{
    enum { OPERATIONS = 6 };
    struct xe_wait_user_fence *a = c->argument;
    if (a->extensions || a->pad || a->pad2 || xe_reserved(a->reserved) ||
        a->flags & ~(uint32_t)XE_WAIT_ABSOLUTE || a->op >= OPERATIONS || a->address % 8)
        return -EINVAL;
    struct context *q = a->queue ? handle_lookup(&c->file->contexts, a->queue) : NULL;
    if (a->queue && !q)
        return -ENOENT;
    struct value_wait w = {.a = a, .queue = q ? context_get(q) : NULL};
    const int64_t began = gpu_host_ns();
    int64_t until = a->timeout_ns;
    if (a->timeout_ns < 0)
        a->timeout_ns = until = INT64_MAX;
    else if (!(a->flags & XE_WAIT_ABSOLUTE))
        until = a->timeout_ns > INT64_MAX - began ? INT64_MAX : began + a->timeout_ns;
    if (!gpu_wait(c->file->device, is_over, &w, until))
        w.error = -ETIME;
    if (!(a->flags & XE_WAIT_ABSOLUTE)) {
        a->timeout_ns -= gpu_host_ns() - began;
        if (a->timeout_ns < 0)
            a->timeout_ns = 0;
    }
    context_put(q);
    return w.error;
}
