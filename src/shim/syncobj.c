/* Synchronization objects: a fence, or fences at points of a timeline. */
#include <drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/exec.h"

struct point {
    uint64_t value;
    struct exec_fence *fence;
};

struct syncobj {
    unsigned references;
    struct exec_fence *fence; /* the last */
    struct point *points;     /* that are not reached yet, or not known to be; by value */
    uint32_t count, room;
    uint64_t reached, last;
};

static struct syncobj *syncobj_make(void)
{
    struct syncobj *s = calloc(1, sizeof *s);
    if (s)
        s->references = 1;
    return s;
}

void syncobj_put(struct syncobj *s)
{
    if (!s || --s->references)
        return;
    syncobj_reset(s);
    free(s->points);
    free(s);
}

void syncobj_reset(struct syncobj *s)
{
    fence_put(s->fence);
    s->fence = NULL;
    for (uint32_t i = 0; i < s->count; i++)
        fence_put(s->points[i].fence);
    s->count = 0;
    s->reached = s->last = 0;
}

/* The value up to which all is signalled. */
static uint64_t reached(struct syncobj *s)
{
    uint32_t done = 0;
    while (done < s->count && s->points[done].fence->signaled) {
        s->reached = s->points[done].value;
        fence_put(s->points[done++].fence);
    }
    if (done)
        memmove(s->points, s->points + done, (s->count - done) * sizeof *s->points);
    s->count -= done;
    return s->reached;
}

struct exec_fence *syncobj_fence(struct syncobj *s, uint64_t point)
{
    if (!point)
        return s->fence;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->points[i].value >= point)
            return s->points[i].fence;
    return s->last >= point ? s->fence : NULL;
}

void syncobj_add(struct syncobj *s, uint64_t point, struct exec_fence *f)
{
    fence_get(f);
    if (!point) { /* a binary one: what was before is not */
        syncobj_reset(s);
        s->fence = f;
    } else {
        if (s->count == s->room) {
            const uint32_t room = s->room ? s->room * 2 : 8;
            struct point *points = realloc(s->points, room * sizeof *points);
            if (!points) {
                fence_put(f);
                return;
            }
            s->points = points;
            s->room = room;
        }
        if (point < s->last)
            point = s->last; /* as the kernel does: time does not go back */
        s->points[s->count++] = (struct point){point, fence_get(f)};
        s->last = point;
        fence_put(s->fence);
        s->fence = f;
        reached(s);
    }
    pthread_cond_broadcast(&exec_changed);
}

/* ---- Calls ---- */

static struct syncobj *find(const struct call *c, uint32_t handle)
{
    return names_find(&c->connection->syncobjs, handle);
}

static int add_name(const struct call *c, struct syncobj *s, uint32_t *handle)
{
    *handle = s ? names_add(&c->connection->syncobjs, s) : 0;
    if (*handle)
        return 0;
    syncobj_put(s);
    return -ENOMEM;
}

static int signal_now(struct syncobj *s, uint64_t point)
{
    struct exec_fence *f = fence_make();
    if (!f)
        return -ENOMEM;
    fence_signal(f, 0);
    syncobj_add(s, point, f);
    fence_put(f);
    return 0;
}

static int create(const struct call *c)
{
    struct drm_syncobj_create *a = c->argument;
    if (a->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    struct syncobj *s = syncobj_make();
    const int error = s && a->flags ? signal_now(s, 0) : 0;
    if (!error)
        return add_name(c, s, &a->handle);
    syncobj_put(s);
    return error;
}

static int destroy(const struct call *c)
{
    const struct drm_syncobj_destroy *a = c->argument;
    if (a->pad)
        return -EINVAL;
    struct syncobj *s = names_take(&c->connection->syncobjs, a->handle);
    syncobj_put(s);
    return s ? 0 : -EINVAL;
}

static int handle_to_fd(const struct call *c)
{
    struct drm_syncobj_handle *a = c->argument;
    if (a->pad || a->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
        return -EINVAL;
    struct syncobj *s = find(c, a->handle);
    if (!s || (a->flags && !s->fence))
        return -EINVAL;
    if (a->flags) {
        a->fd = descriptor_fence(s->fence);
        return a->fd < 0 ? a->fd : 0;
    }
    const int fd = descriptor_make(true);
    if (fd < 0)
        return fd;
    s->references++;
    a->fd = descriptor_add(fd, OPEN_SYNCOBJ, s);
    if (a->fd >= 0)
        return 0;
    syncobj_put(s);
    close(fd);
    return a->fd;
}

static int fd_to_handle(const struct call *c)
{
    struct drm_syncobj_handle *a = c->argument;
    if (a->pad || a->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return -EINVAL;
    struct open_thing *t = descriptor_find(a->fd, a->flags ? OPEN_FENCE : OPEN_SYNCOBJ);
    if (!t)
        return -EINVAL;
    if (a->flags) {
        struct syncobj *s = find(c, a->handle);
        if (!s)
            return -ENOENT;
        syncobj_add(s, 0, t->fence);
        return 0;
    }
    t->syncobj->references++;
    return add_name(c, t->syncobj, &a->handle);
}

/* Copies of handles and points (0: binary ones), and what they name; NULL and *error. */
struct wanted {
    struct syncobj **objects;
    uint64_t *points;
    uint32_t count, flags, first;
};

static void end_wanted(struct wanted *w)
{
    for (uint32_t i = 0; w->objects && i < w->count; i++)
        syncobj_put(w->objects[i]);
    free(w->objects);
    free(w->points);
    *w = (struct wanted){0};
}

static int read_wanted(const struct call *c, uint64_t handles, uint64_t points, uint32_t count,
                       struct wanted *w)
{
    int error;
    *w = (struct wanted){0};
    if (!count)
        return -EINVAL;
    uint32_t *names = user_copy(handles, count, sizeof *names, &error);
    if (!names)
        return error;
    w->objects = calloc(count, sizeof(struct syncobj *));
    w->points =
        points ? user_copy(points, count, sizeof *w->points, &error) : calloc(count, sizeof *w->points);
    error = w->objects && (w->points || error) ? error : -ENOMEM;
    for (; !error && w->count < count; w->count++) {
        struct syncobj *s = find(c, names[w->count]);
        if (!s) {
            error = -ENOENT;
            break;
        }
        s->references++; /* it may be destroyed while we wait */
        w->objects[w->count] = s;
    }
    free(names);
    if (error)
        end_wanted(w);
    return error;
}

static bool is_reached(void *user)
{
    struct wanted *w = user;
    uint32_t done = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct exec_fence *f = syncobj_fence(w->objects[i], w->points[i]);
        if (!f || (!f->signaled && !(w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)))
            continue;
        if (!done++)
            w->first = i;
    }
    return done == w->count || (done && !(w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL));
}

static int wait(const struct call *c, struct wanted *w, int64_t until_ns, uint32_t flags, uint32_t *first)
{
    w->flags = flags;
    int error = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (!(flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)) &&
            !syncobj_fence(w->objects[i], w->points[i]))
            error = -EINVAL;
    if (!error && !gpu_wait(c->connection->gpu, is_reached, w, until_ns))
        error = -ETIME;
    *first = w->first;
    end_wanted(w);
    return error;
}

static int wait_binary(const struct call *c)
{
    struct drm_syncobj_wait *a = c->argument;
    struct wanted w;
    if (a->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
        return -EINVAL;
    if (!a->count_handles)
        return 0;
    const int error = read_wanted(c, a->handles, 0, a->count_handles, &w);
    return error ? error : wait(c, &w, a->timeout_nsec, a->flags, &a->first_signaled);
}

static int wait_timeline(const struct call *c)
{
    struct drm_syncobj_timeline_wait *a = c->argument;
    struct wanted w;
    if (a->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                               DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
        return -EINVAL;
    if (!a->count_handles)
        return 0;
    const int error = read_wanted(c, a->handles, a->points, a->count_handles, &w);
    return error ? error : wait(c, &w, a->timeout_nsec, a->flags, &a->first_signaled);
}

static int each(const struct call *c, bool signals)
{
    const struct drm_syncobj_array *a = c->argument;
    struct wanted w;
    if (a->pad)
        return -EINVAL;
    int error = read_wanted(c, a->handles, 0, a->count_handles, &w);
    for (uint32_t i = 0; !error && i < w.count; i++) {
        if (signals)
            error = signal_now(w.objects[i], 0);
        else
            syncobj_reset(w.objects[i]);
    }
    end_wanted(&w);
    gpu_progress(c->connection->gpu);
    return error;
}

static int reset(const struct call *c)
{
    return each(c, false);
}

static int signal_binary(const struct call *c)
{
    return each(c, true);
}

static int signal_timeline(const struct call *c)
{
    const struct drm_syncobj_timeline_array *a = c->argument;
    struct wanted w;
    if (a->flags)
        return -EINVAL;
    int error = read_wanted(c, a->handles, a->points, a->count_handles, &w);
    for (uint32_t i = 0; !error && i < w.count; i++)
        error = signal_now(w.objects[i], w.points[i]);
    end_wanted(&w);
    gpu_progress(c->connection->gpu);
    return error;
}

static int query(const struct call *c)
{
    const struct drm_syncobj_timeline_array *a = c->argument;
    struct wanted w;
    if (a->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
        return -EINVAL;
    int error = read_wanted(c, a->handles, 0, a->count_handles, &w);
    if (error)
        return error;
    gpu_progress(c->connection->gpu);
    for (uint32_t i = 0; i < w.count; i++) {
        const uint64_t now = reached(w.objects[i]);
        w.points[i] = a->flags ? w.objects[i]->last : now;
    }
    error = user_write(a->points, w.points, w.count * sizeof *w.points);
    end_wanted(&w);
    return error;
}

static int transfer(const struct call *c)
{
    const struct drm_syncobj_transfer *a = c->argument;
    struct syncobj *from = find(c, a->src_handle), *to = find(c, a->dst_handle);
    if (a->pad || a->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
        return -EINVAL;
    if (!from || !to)
        return -ENOENT;
    struct exec_fence *f = syncobj_fence(from, a->src_point);
    if (!f)
        return -EINVAL;
    fence_get(f);
    syncobj_add(to, a->dst_point, f);
    fence_put(f);
    return 0;
}

#define ROW(ioctl, type, function)                                                                           \
    {                                                                                                        \
        (uint8_t) _IOC_NR(ioctl), sizeof(type), function, #ioctl                                             \
    }
const struct call_row syncobj_calls[] = {
    ROW(DRM_IOCTL_SYNCOBJ_CREATE, struct drm_syncobj_create, create),
    ROW(DRM_IOCTL_SYNCOBJ_DESTROY, struct drm_syncobj_destroy, destroy),
    ROW(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, struct drm_syncobj_handle, handle_to_fd),
    ROW(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, struct drm_syncobj_handle, fd_to_handle),
    ROW(DRM_IOCTL_SYNCOBJ_WAIT, struct drm_syncobj_wait, wait_binary),
    ROW(DRM_IOCTL_SYNCOBJ_RESET, struct drm_syncobj_array, reset),
    ROW(DRM_IOCTL_SYNCOBJ_SIGNAL, struct drm_syncobj_array, signal_binary),
    ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, struct drm_syncobj_timeline_wait, wait_timeline),
    ROW(DRM_IOCTL_SYNCOBJ_QUERY, struct drm_syncobj_timeline_array, query),
    ROW(DRM_IOCTL_SYNCOBJ_TRANSFER, struct drm_syncobj_transfer, transfer),
    ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, struct drm_syncobj_timeline_array, signal_timeline),
    {0}};
