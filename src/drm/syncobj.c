/* Sync objects: a fence, or fences at points of a timeline. */
#include <drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drm/drm_core.h"

struct point {
    uint64_t value;
    struct dma_fence *fence;
};

struct syncobj {
    unsigned references;
    struct dma_fence *fence; /* the last */
    struct point *points;    /* points that are not known to be reached, by value */
    uint32_t count, room;
    uint64_t reached, last;
};

static struct syncobj *syncobj_create(void)
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

/* The point up to which all fences are signaled. */
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

struct dma_fence *syncobj_fence(struct syncobj *s, uint64_t point)
{
    if (!point)
        return s->fence;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->points[i].value >= point)
            return s->points[i].fence;
    return s->last >= point ? s->fence : NULL;
}

void syncobj_add(struct syncobj *s, uint64_t point, struct dma_fence *f)
{
    fence_get(f);
    if (!point) { /* a binary fence replaces the timeline */
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
            point = s->last; /* as in the kernel: a timeline does not go back */
        s->points[s->count++] = (struct point){point, fence_get(f)};
        s->last = point;
        fence_put(s->fence);
        s->fence = f;
        reached(s);
    }
    pthread_cond_broadcast(&shim_fence_signaled);
}

/* ---- Calls ---- */

static struct syncobj *syncobj_lookup(const struct ioctl_call *c, uint32_t handle)
{
    return handle_lookup(&c->file->syncobjs, handle);
}

static int add_name(const struct ioctl_call *c, struct syncobj *s, uint32_t *handle)
{
    *handle = s ? handle_create(&c->file->syncobjs, s) : 0;
    if (*handle)
        return 0;
    syncobj_put(s);
    return -ENOMEM;
}

static int signal_now(struct syncobj *s, uint64_t point)
{
    struct dma_fence *f = fence_create();
    if (!f)
        return -ENOMEM;
    fence_signal(f, 0);
    syncobj_add(s, point, f);
    fence_put(f);
    return 0;
}

static int syncobj_create_ioctl(const struct ioctl_call *c)
{
    struct drm_syncobj_create *a = c->argument;
    if (a->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    struct syncobj *s = syncobj_create();
    const int error = s && a->flags ? signal_now(s, 0) : 0;
    if (!error)
        return add_name(c, s, &a->handle);
    syncobj_put(s);
    return error;
}

static int syncobj_destroy_ioctl(const struct ioctl_call *c)
{
    const struct drm_syncobj_destroy *a = c->argument;
    if (a->pad)
        return -EINVAL;
    struct syncobj *s = handle_delete(&c->file->syncobjs, a->handle);
    syncobj_put(s);
    return s ? 0 : -EINVAL;
}

static int handle_to_fd(const struct ioctl_call *c)
{
    struct drm_syncobj_handle *a = c->argument;
    if (a->pad || a->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
        return -EINVAL;
    struct syncobj *s = syncobj_lookup(c, a->handle);
    if (!s || (a->flags && !s->fence))
        return -EINVAL;
    if (a->flags) {
        a->fd = shim_fd_add_fence(s->fence);
        return a->fd < 0 ? a->fd : 0;
    }
    const int fd = shim_fd_create_file(true);
    if (fd < 0)
        return fd;
    s->references++;
    a->fd = shim_fd_add(fd, SHIM_FD_SYNCOBJ, s);
    if (a->fd >= 0)
        return 0;
    syncobj_put(s);
    close(fd);
    return a->fd;
}

static int fd_to_handle(const struct ioctl_call *c)
{
    struct drm_syncobj_handle *a = c->argument;
    if (a->pad || a->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return -EINVAL;
    struct shim_fd *t = shim_fd_find(a->fd, a->flags ? SHIM_FD_FENCE : SHIM_FD_SYNCOBJ);
    if (!t)
        return -EINVAL;
    if (a->flags) {
        struct syncobj *s = syncobj_lookup(c, a->handle);
        if (!s)
            return -ENOENT;
        syncobj_add(s, 0, t->fence);
        return 0;
    }
    t->syncobj->references++;
    return add_name(c, t->syncobj, &a->handle);
}

/* Copies handles and points (0: binary) and looks the handles up. NULL and *error. */
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

static int read_wanted(const struct ioctl_call *c, uint64_t handles, uint64_t points, uint32_t count,
                       struct wanted *w)
{
    int error;
    *w = (struct wanted){0};
    if (!count)
        return -EINVAL;
    uint32_t *names = memdup_array_user(handles, count, sizeof *names, &error);
    if (!names)
        return error;
    w->objects = calloc(count, sizeof(struct syncobj *));
    w->points = points ? memdup_array_user(points, count, sizeof *w->points, &error)
                       : calloc(count, sizeof *w->points);
    error = w->objects && (w->points || error) ? error : -ENOMEM;
    for (; !error && w->count < count; w->count++) {
        struct syncobj *s = syncobj_lookup(c, names[w->count]);
        if (!s) {
            error = -ENOENT;
            break;
        }
        s->references++; /* the program may destroy it during the wait */
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
        const struct dma_fence *f = syncobj_fence(w->objects[i], w->points[i]);
        if (!f || (!f->signaled && !(w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)))
            continue;
        if (!done++)
            w->first = i;
    }
    return done == w->count || (done && !(w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL));
}

static int syncobj_wait(const struct ioctl_call *c, struct wanted *w, int64_t until_ns, uint32_t flags,
                        uint32_t *first)
{
    w->flags = flags;
    int error = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (!(flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)) &&
            !syncobj_fence(w->objects[i], w->points[i]))
            error = -EINVAL;
    if (!error && !gpu_wait(c->file->device, is_reached, w, until_ns))
        error = -ETIME;
    *first = w->first;
    end_wanted(w);
    return error;
}

static int wait_binary(const struct ioctl_call *c)
{
    struct drm_syncobj_wait *a = c->argument;
    struct wanted w;
    if (a->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
        return -EINVAL;
    if (!a->count_handles)
        return 0;
    const int error = read_wanted(c, a->handles, 0, a->count_handles, &w);
    return error ? error : syncobj_wait(c, &w, a->timeout_nsec, a->flags, &a->first_signaled);
}

static int wait_timeline(const struct ioctl_call *c)
{
    struct drm_syncobj_timeline_wait *a = c->argument;
    struct wanted w;
    if (a->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                               DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
        return -EINVAL;
    if (!a->count_handles)
        return 0;
    const int error = read_wanted(c, a->handles, a->points, a->count_handles, &w);
    return error ? error : syncobj_wait(c, &w, a->timeout_nsec, a->flags, &a->first_signaled);
}

static int each(const struct ioctl_call *c, bool signals)
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
    gpu_run_for_call(c->file->device);
    return error;
}

static int syncobj_reset_ioctl(const struct ioctl_call *c)
{
    return each(c, false);
}

static int signal_binary(const struct ioctl_call *c)
{
    return each(c, true);
}

static int signal_timeline(const struct ioctl_call *c)
{
    const struct drm_syncobj_timeline_array *a = c->argument;
    struct wanted w;
    if (a->flags)
        return -EINVAL;
    int error = read_wanted(c, a->handles, a->points, a->count_handles, &w);
    for (uint32_t i = 0; !error && i < w.count; i++)
        error = signal_now(w.objects[i], w.points[i]);
    end_wanted(&w);
    gpu_run_for_call(c->file->device);
    return error;
}

static int syncobj_query_ioctl(const struct ioctl_call *c)
{
    const struct drm_syncobj_timeline_array *a = c->argument;
    struct wanted w;
    if (a->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
        return -EINVAL;
    int error = read_wanted(c, a->handles, 0, a->count_handles, &w);
    if (error)
        return error;
    gpu_run_for_call(c->file->device);
    for (uint32_t i = 0; i < w.count; i++) {
        const uint64_t now = reached(w.objects[i]);
        w.points[i] = a->flags ? w.objects[i]->last : now;
    }
    error = copy_to_user(a->points, w.points, w.count * sizeof *w.points);
    end_wanted(&w);
    return error;
}

static int syncobj_transfer_ioctl(const struct ioctl_call *c)
{
    const struct drm_syncobj_transfer *a = c->argument;
    struct syncobj *from = syncobj_lookup(c, a->src_handle), *to = syncobj_lookup(c, a->dst_handle);
    if (a->pad || a->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
        return -EINVAL;
    if (!from || !to)
        return -ENOENT;
    struct dma_fence *f = syncobj_fence(from, a->src_point);
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
const struct ioctl_desc syncobj_ioctls[] = {
    ROW(DRM_IOCTL_SYNCOBJ_CREATE, struct drm_syncobj_create, syncobj_create_ioctl),
    ROW(DRM_IOCTL_SYNCOBJ_DESTROY, struct drm_syncobj_destroy, syncobj_destroy_ioctl),
    ROW(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, struct drm_syncobj_handle, handle_to_fd),
    ROW(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, struct drm_syncobj_handle, fd_to_handle),
    ROW(DRM_IOCTL_SYNCOBJ_WAIT, struct drm_syncobj_wait, wait_binary),
    ROW(DRM_IOCTL_SYNCOBJ_RESET, struct drm_syncobj_array, syncobj_reset_ioctl),
    ROW(DRM_IOCTL_SYNCOBJ_SIGNAL, struct drm_syncobj_array, signal_binary),
    ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, struct drm_syncobj_timeline_wait, wait_timeline),
    ROW(DRM_IOCTL_SYNCOBJ_QUERY, struct drm_syncobj_timeline_array, syncobj_query_ioctl),
    ROW(DRM_IOCTL_SYNCOBJ_TRANSFER, struct drm_syncobj_transfer, syncobj_transfer_ioctl),
    ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, struct drm_syncobj_timeline_array, signal_timeline),
    {0}};
