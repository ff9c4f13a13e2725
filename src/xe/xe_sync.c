/* Sync arrays of EXEC and VM_BIND: fences to wait for and to signal. */
#include <errno.h>
#include <stdlib.h>

#include "xe/xe.h"

static int read_sync_syncobj(const struct ioctl_call *c, const struct xe_sync *s, bool long_running,
                             struct xe_syncs *syncs)
{
    const bool signals = s->flags & XE_SYNC_SIGNAL;
    if (long_running && signals)
        return -EOPNOTSUPP;
    if (s->handle >> 32 || (s->type == XE_SYNC_TIMELINE && !s->value))
        return -EINVAL;
    const uint64_t point = s->type == XE_SYNC_TIMELINE ? s->value : 0;
    struct syncobj *o = handle_lookup(&c->file->syncobjs, (uint32_t)s->handle);
    if (!o)
        return -ENOENT;
    if (signals) {
        syncs->signals[syncs->signal_count++] = (struct xe_signal){o, point};
        return 0;
    }
    struct dma_fence *f = syncobj_fence(o, point);
    if (!f)
        return -EINVAL;
    syncs->wait_fences[syncs->wait_fence_count++] = fence_get(f);
    return 0;
}

static int read_sync(const struct ioctl_call *c, const struct xe_sync *s, bool long_running,
                     bool no_user_fence, struct xe_syncs *syncs)
{
    if (s->flags & ~(uint32_t)XE_SYNC_SIGNAL || xe_reserved(s->reserved))
        return -EINVAL;
    if (s->type < XE_SYNC_USER_FENCE)
        return read_sync_syncobj(c, s, long_running, syncs);
    if (s->type > XE_SYNC_USER_FENCE)
        return -EINVAL;
    if (no_user_fence || !(s->flags & XE_SYNC_SIGNAL))
        return -EOPNOTSUPP;
    if (s->handle % 8 || syncs->signals_user_fence)
        return -EINVAL;
    syncs->signals_user_fence = true;
    syncs->user_fence_address = s->handle;
    syncs->user_fence_value = s->value;
    return 0;
}

int xe_syncs_read(const struct ioctl_call *c, uint64_t at, uint32_t count, bool long_running,
                  bool no_user_fence, struct xe_syncs *syncs)
{
    int error;
    *syncs = (struct xe_syncs){0};
    if (count > XE_MOST_SYNCS)
        return -EINVAL;
    if (!count)
        return 0;
    struct xe_sync *all = memdup_array_user(at, count, sizeof *all, &error);
    syncs->wait_fences = calloc(count, sizeof(struct dma_fence *));
    syncs->signals = calloc(count, sizeof *syncs->signals);
    if (!error && (!all || !syncs->wait_fences || !syncs->signals))
        error = -ENOMEM;
    for (uint32_t i = 0; i < count && !error; i++)
        error = read_sync(c, &all[i], long_running, no_user_fence, syncs);
    free(all);
    if (error)
        xe_syncs_free(syncs);
    return error;
}

int xe_syncs_add_waits(const struct xe_syncs *syncs, struct gpu_job *r)
{
    int error = 0;
    for (uint32_t i = 0; i < syncs->wait_fence_count && !error; i++)
        error = gpu_job_wait_for(r, syncs->wait_fences[i]);
    return error;
}

void xe_syncs_signal(const struct xe_syncs *syncs, struct dma_fence *done)
{
    for (uint32_t i = 0; i < syncs->signal_count; i++)
        syncobj_add(syncs->signals[i].syncobj, syncs->signals[i].point, done);
}

void xe_syncs_free(struct xe_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->wait_fence_count; i++)
        fence_put(syncs->wait_fences[i]);
    free(syncs->wait_fences);
    free(syncs->signals);
    *syncs = (struct xe_syncs){0};
}

struct gpu_job *xe_job_create(struct context *queue, struct gpu_vm *space, struct dma_fence *done)
{
    struct gpu_job *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->context = queue ? context_get(queue) : NULL;
    r->vm = space ? vm_get(space) : NULL;
    r->done_fence = fence_get(done);
    return r;
}
