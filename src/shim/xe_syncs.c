/* What a submission or a change of a space waits for, and what it signals. */
#include <errno.h>
#include <stdlib.h>

#include "shim/xe.h"

static int take_syncobj(const struct call *c, const struct xe_sync *s, bool long_running,
                        struct xe_syncs *syncs)
{
    const bool signals = s->flags & XE_SYNC_SIGNAL;
    if (long_running && signals)
        return -EOPNOTSUPP;
    if (s->handle >> 32 || (s->type == XE_SYNC_TIMELINE && !s->value))
        return -EINVAL;
    const uint64_t point = s->type == XE_SYNC_TIMELINE ? s->value : 0;
    struct syncobj *o = names_find(&c->connection->syncobjs, (uint32_t)s->handle);
    if (!o)
        return -ENOENT;
    if (signals) {
        syncs->signals[syncs->signal_count++] = (struct xe_signal){o, point};
        return 0;
    }
    struct exec_fence *f = syncobj_fence(o, point);
    if (!f)
        return -EINVAL;
    syncs->after[syncs->after_count++] = fence_get(f);
    return 0;
}

static int take(const struct call *c, const struct xe_sync *s, bool long_running, bool no_user_fence,
                struct xe_syncs *syncs)
{
    if (s->flags & ~(uint32_t)XE_SYNC_SIGNAL || xe_reserved(s->reserved))
        return -EINVAL;
    if (s->type < XE_SYNC_USER_FENCE)
        return take_syncobj(c, s, long_running, syncs);
    if (s->type > XE_SYNC_USER_FENCE)
        return -EINVAL;
    if (no_user_fence || !(s->flags & XE_SYNC_SIGNAL))
        return -EOPNOTSUPP;
    if (s->handle % 8 || syncs->tells)
        return -EINVAL;
    syncs->tells = true;
    syncs->told_address = s->handle;
    syncs->told_value = s->value;
    return 0;
}

int xe_syncs_read(const struct call *c, uint64_t at, uint32_t count, bool long_running, bool no_user_fence,
                  struct xe_syncs *syncs)
{
    int error;
    *syncs = (struct xe_syncs){0};
    if (count > XE_MOST_SYNCS)
        return -EINVAL;
    if (!count)
        return 0;
    struct xe_sync *all = user_copy(at, count, sizeof *all, &error);
    syncs->after = calloc(count, sizeof(struct exec_fence *));
    syncs->signals = calloc(count, sizeof *syncs->signals);
    if (!error && (!all || !syncs->after || !syncs->signals))
        error = -ENOMEM;
    for (uint32_t i = 0; i < count && !error; i++)
        error = take(c, &all[i], long_running, no_user_fence, syncs);
    free(all);
    if (error)
        xe_syncs_end(syncs);
    return error;
}

int xe_syncs_before(const struct xe_syncs *syncs, struct request *r)
{
    int error = 0;
    for (uint32_t i = 0; i < syncs->after_count && !error; i++)
        error = request_after(r, syncs->after[i]);
    return error;
}

void xe_syncs_signal(const struct xe_syncs *syncs, struct exec_fence *done)
{
    for (uint32_t i = 0; i < syncs->signal_count; i++)
        syncobj_add(syncs->signals[i].syncobj, syncs->signals[i].point, done);
}

void xe_syncs_end(struct xe_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->after_count; i++)
        fence_put(syncs->after[i]);
    free(syncs->after);
    free(syncs->signals);
    *syncs = (struct xe_syncs){0};
}

struct request *xe_request(struct context *queue, struct exec_space *space, struct exec_fence *done)
{
    struct request *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->context = queue ? context_get(queue) : NULL;
    r->space = space ? space_get(space) : NULL;
    r->done = fence_get(done);
    return r;
}
