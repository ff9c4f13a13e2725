/* xe's queues, and what is submitted to them. */
#include <errno.h>
#include <stdlib.h>

#include "shim/xe.h"

enum { MOST_PLACEMENTS = 9, MOST_EXTENSIONS = 16 };

/* ---- Queues ---- */

static int set_property(const struct call *c, uint64_t at, uint64_t *next)
{
    enum { PRIORITIES = 3, MOST_SLICE_US = 10000000 };
    struct xe_set_property e;
    const int error = user_read(&e, at, sizeof e);
    if (error)
        return error;
    *next = e.base.next;
    if (e.base.name || e.base.pad || e.pad)
        return -EINVAL;
    switch (e.property) {
    case XE_QUEUE_PRIORITY:
        return e.value >= PRIORITIES ? -EINVAL : e.value > xe_most_priority() ? -EPERM : 0;
    case XE_QUEUE_TIMESLICE:
        return e.value && e.value <= MOST_SLICE_US ? 0 : -EINVAL;
    case XE_QUEUE_PXP:
        return e.value ? -ENODEV : 0;
    default:
        gpu_tell(c->connection->gpu, EXEC_REFUSED, "xe: property %u of a queue", e.property);
        return -EINVAL;
    }
}

/* Batches go side by side, to engines of a class that follow each other. */
static int place(const struct gpu *g, const struct xe_queue_create *a, const struct xe_engine *all,
                 uint8_t *map)
{
    for (unsigned i = 0; i < (unsigned)a->width * a->placements; i++) {
        const unsigned slot = i % a->width;
        const int engine =
            all[i].gt || all[i].class != all[0].class ? -1 : user_engine(g, all[i].class, all[i].instance);
        if (engine < 0 || (slot && all[i].instance != all[i - 1].instance + 1))
            return -EINVAL;
        map[i] = (uint8_t)engine;
    }
    return 0;
}

static int make_queue(const struct call *c, const struct xe_queue_create *a, const struct xe_engine *all,
                      struct context **made)
{
    struct gpu *g = c->connection->gpu;
    struct exec_space *s = NULL;
    uint8_t *map = calloc((size_t)a->width * a->placements, 1);
    int error = map ? 0 : -ENOMEM;
    const bool binds = all[0].class == XE_CLASS_VM_BIND;
    if (!error && binds)
        error = a->width != 1 || a->placements != 1 || all[0].instance ? -EINVAL : 0;
    else if (!error)
        error = place(g, a, all, map);
    if (!error && !binds && !(s = names_find(&c->connection->spaces, a->vm)))
        error = -ENOENT;
    struct context *q = error ? NULL : context_make(g, s);
    if (!q) {
        free(map);
        return error ? error : -ENOMEM;
    }
    if (s)
        space_get(s);
    q->map = map;
    q->map_count = a->width;
    q->choices = a->placements - 1u;
    q->binds = binds;
    q->unrecoverable = true; /* a queue that hangs is banned */
    *made = q;
    return 0;
}

int xe_queue_create(const struct call *c)
{
    struct xe_queue_create *a = c->argument;
    const uint32_t count = (uint32_t)a->width * a->placements;
    struct xe_engine all[MOST_PLACEMENTS];
    struct context *q = NULL;
    if (a->flags & ~(uint32_t)XE_QUEUE_LOW_LATENCY || xe_reserved(a->reserved) || !count ||
        count > MOST_PLACEMENTS)
        return -EINVAL;
    int error = user_read(all, a->instances, count * sizeof all[0]);
    if (!error && all[0].gt)
        error = -EINVAL;
    uint64_t at = a->extensions;
    for (unsigned left = MOST_EXTENSIONS; at && !error; left--)
        error = left ? set_property(c, at, &at) : -E2BIG;
    if (!error)
        error = make_queue(c, a, all, &q);
    if (error)
        return error;
    a->queue = names_add(&c->connection->contexts, q);
    if (a->queue)
        return 0;
    context_put(q);
    return -ENOMEM;
}

int xe_queue_destroy(const struct call *c)
{
    const struct xe_queue_destroy *a = c->argument;
    if (a->pad || xe_reserved(a->reserved))
        return -EINVAL;
    struct context *q = names_take(&c->connection->contexts, a->queue);
    context_put(q);
    return q ? 0 : -ENOENT;
}

int xe_queue_get_property(const struct call *c)
{
    struct xe_queue_get_property *a = c->argument;
    if (a->extensions || xe_reserved(a->reserved))
        return -EINVAL;
    const struct context *q = names_find(&c->connection->contexts, a->queue);
    if (!q)
        return -ENOENT;
    if (a->property)
        return -EINVAL;
    gpu_progress(c->connection->gpu);
    a->value = q->banned;
    return 0;
}

/* ---- Submissions ---- */

static int check(const struct xe_exec *a, const struct context *q)
{
    if (a->extensions || a->pad[0] || a->pad[1] || a->pad[2] || xe_reserved(a->reserved))
        return -EINVAL;
    if (!q)
        return -ENOENT;
    if (q->binds || (a->batches && a->batches != q->map_count))
        return -EINVAL;
    return q->banned || q->space->closed ? -ECANCELED : 0;
}

/* The program's memory that the space has may be there again; what is not there faults. */
static void look_for_memory(const struct exec_space *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->bindings[i].object && s->bindings[i].object->is_user)
            object_is_there(s->bindings[i].object);
}

static bool is_idle(const struct context *q, const uint8_t *map)
{
    for (uint32_t i = 0; i < q->map_count; i++)
        if (q->gpu->engines[map[i]].first)
            return false;
    return true;
}

/* What has several placements takes one that is idle, between submissions. */
static void choose(struct context *q)
{
    uint32_t choice = 0;
    if (q->last && !q->last->signaled)
        return;
    while (choice <= q->choices && !is_idle(q, q->map + choice * q->map_count))
        choice++;
    for (uint32_t i = 0; choice && choice <= q->choices && i < q->map_count; i++) {
        const uint8_t before = q->map[i];
        q->map[i] = q->map[choice * q->map_count + i];
        q->map[choice * q->map_count + i] = before;
    }
}

/* One for each batch, or one without any: all end in one fence. */
static int make_requests(struct context *q, const struct xe_exec *a, const struct xe_syncs *syncs,
                         const uint64_t *batches, struct exec_fence *done, struct request **requests)
{
    const uint32_t count = a->batches ? a->batches : 1;
    int error = 0;
    for (uint32_t i = 0; i < count && !error; i++) {
        struct request *r = requests[i] =
            xe_request(a->batches ? q : NULL, a->batches ? NULL : q->space, done);
        if (!r)
            return -ENOMEM;
        r->slot = i;
        r->batch = batches[i];
        if (syncs->tells && a->batches && i == count - 1) {
            r->tells = true;
            r->told_address = syncs->told_address;
            r->told_value = syncs->told_value;
        }
        error = xe_syncs_before(syncs, r);
        if (!error)
            error = request_after(r, a->batches ? q->space->last_split : q->last);
    }
    done->parts = count - 1;
    return error;
}

static int read_batches(const struct xe_exec *a, uint64_t *batches)
{
    if (a->batches > 1)
        return user_read(batches, a->address, a->batches * sizeof *batches);
    batches[0] = a->address;
    return 0;
}

int xe_exec(const struct call *c)
{
    const struct xe_exec *a = c->argument;
    struct gpu *g = c->connection->gpu;
    struct context *q = names_find(&c->connection->contexts, a->queue);
    struct xe_syncs syncs = {0};
    uint64_t batches[MOST_PLACEMENTS] = {0};
    struct request *requests[MOST_PLACEMENTS] = {0};
    struct exec_fence *done = NULL;
    gpu_progress(g);
    int error = check(a, q);
    if (!error)
        error = xe_syncs_read(c, a->syncs, a->sync_count, q->space->long_running, false, &syncs);
    if (!error)
        error = read_batches(a, batches);
    if (!error)
        look_for_memory(q->space);
    if (!error && !(done = fence_make()))
        error = -ENOMEM;
    if (!error)
        error = make_requests(q, a, &syncs, batches, done, requests);
    if (!error) {
        choose(q);
        xe_syncs_signal(&syncs, done);
        fence_put(q->last);
        q->last = fence_get(done);
    }
    if (q)
        context_get(q);
    for (uint32_t i = 0; i < MOST_PLACEMENTS && requests[i]; i++) {
        if (error)
            request_free(requests[i]);
        else if (a->batches)
            gpu_submit(g, context_engine(q, i), requests[i]);
        else
            gpu_change_space(g, requests[i]);
    }
    context_put(q);
    fence_put(done);
    xe_syncs_end(&syncs);
    return error;
}

/* ---- Waiting for a value ---- */

struct value_wait {
    const struct xe_wait_user_fence *a;
    const struct context *queue;
    int error;
};

static bool compare(uint64_t value, uint64_t with, unsigned op)
{
    const int order = value < with ? 0 : value == with ? 1 : 2;
    /* Which of less, equal and more is it, by operation: EQ, NEQ, GT, GTE, LT, LTE. */
    static const uint8_t fits[] = {2, 5, 4, 6, 1, 3};
    return fits[op] >> order & 1u;
}

static bool is_over(void *user)
{
    struct value_wait *w = user;
    uint64_t value;
    w->error = user_read(&value, w->a->address, sizeof value);
    if (w->error || compare(value & w->a->mask, w->a->value & w->a->mask, w->a->op))
        return true;
    if (w->queue && w->queue->banned)
        w->error = -EIO;
    return w->error;
}

int xe_wait_user_fence(const struct call *c)
{
    enum { OPERATIONS = 6 };
    struct xe_wait_user_fence *a = c->argument;
    if (a->extensions || a->pad || a->pad2 || xe_reserved(a->reserved) ||
        a->flags & ~(uint32_t)XE_WAIT_ABSOLUTE || a->op >= OPERATIONS || a->address % 8)
        return -EINVAL;
    struct context *q = a->queue ? names_find(&c->connection->contexts, a->queue) : NULL;
    if (a->queue && !q)
        return -ENOENT;
    struct value_wait w = {.a = a, .queue = q ? context_get(q) : NULL};
    const int64_t began = gpu_host_ns();
    int64_t until = a->timeout_ns;
    if (a->timeout_ns < 0)
        a->timeout_ns = until = INT64_MAX;
    else if (!(a->flags & XE_WAIT_ABSOLUTE))
        until = a->timeout_ns > INT64_MAX - began ? INT64_MAX : began + a->timeout_ns;
    if (!gpu_wait(c->connection->gpu, is_over, &w, until))
        w.error = -ETIME;
    if (!(a->flags & XE_WAIT_ABSOLUTE)) {
        a->timeout_ns -= gpu_host_ns() - began;
        if (a->timeout_ns < 0)
            a->timeout_ns = 0;
    }
    context_put(q);
    return w.error;
}
