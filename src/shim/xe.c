/* xe's interface: its calls, and objects. What they are is in xe_abi.h. */
#include <drm.h>

#include <errno.h>

#include "shim/xe.h"

bool xe_reserved(const uint64_t reserved[2])
{
    return reserved[0] || reserved[1];
}

uint32_t xe_regions(const struct gpu *g)
{
    return g->local_bytes ? 3 : 1;
}

unsigned xe_most_priority(void)
{
    return user_has_rights() ? 2 : 1;
}

uint32_t xe_local_page_bytes(const struct gpu *g)
{
    return g->local_bytes ? 1u << 16 : PAGE_BYTES;
}

/* Where it is to be is a name: there is one memory here. */
static int check_object(const struct gpu *g, const struct xe_gem_create *a)
{
    const bool local = a->placement & ~1u;
    const uint32_t page_bytes = local ? xe_local_page_bytes(g) : PAGE_BYTES;
    if (a->pad[0] || a->pad[1] || a->pad[2] || xe_reserved(a->reserved))
        return -EINVAL;
    if (a->placement & ~xe_regions(g) || !a->placement || a->flags & ~(uint32_t)XE_GEM_FLAGS || a->handle)
        return -EINVAL;
    if (!a->size_bytes || a->size_bytes % page_bytes)
        return -EINVAL;
    if (a->flags & XE_GEM_VISIBLE && !local)
        return -EINVAL;
    if (!a->caching || a->caching > XE_CACHING_WC)
        return -EINVAL;
    return a->caching == XE_CACHING_WB && (local || a->flags & XE_GEM_SCANOUT) ? -EINVAL : 0;
}

/* The only extension is for protected content. */
static int check_extension(const struct call *c, uint64_t at)
{
    struct xe_set_property e;
    const int error = user_read(&e, at, sizeof e);
    if (error)
        return error;
    if (e.base.name || e.base.pad || e.property || e.pad)
        return -EINVAL;
    if (e.value)
        gpu_tell(c->connection->gpu, EXEC_REFUSED, "xe: protected objects");
    return e.value ? -ENODEV : e.base.next ? -E2BIG : 0;
}

static int create(const struct call *c)
{
    struct xe_gem_create *a = c->argument;
    struct gpu *g = c->connection->gpu;
    int error = check_object(g, a);
    if (!error && a->extensions)
        error = check_extension(c, a->extensions);
    const struct exec_space *only = a->vm ? names_find(&c->connection->spaces, a->vm) : NULL;
    if (!error && a->vm && !only)
        error = -ENOENT;
    struct object *o = NULL;
    if (!error)
        error = object_create(g, a->size_bytes, a->placement & ~1u, &o);
    if (error)
        return error == -E2BIG ? -ENOSPC : error;
    o->only_space = only ? only->id : 0;
    o->caching = a->caching;
    o->page_bytes = a->placement & ~1u ? xe_local_page_bytes(g) : PAGE_BYTES;
    a->handle = names_add(&c->connection->objects, o);
    if (a->handle)
        return 0;
    object_put(o);
    return -ENOMEM;
}

static int map_offset(const struct call *c)
{
    struct xe_gem_mmap_offset *a = c->argument;
    if (a->extensions || xe_reserved(a->reserved) || a->flags & ~(uint32_t)XE_MMAP_BARRIER)
        return -EINVAL;
    if (a->flags & XE_MMAP_BARRIER) {
        if (!c->connection->gpu->local_bytes || a->handle)
            return -EINVAL;
        a->offset = BARRIER_OFFSET;
        return 0;
    }
    const struct object *o = names_find(&c->connection->objects, a->handle);
    if (!o)
        return -ENOENT;
    a->offset = object_offset(o);
    return 0;
}

static int observation(const struct call *c)
{
    gpu_tell(c->connection->gpu, EXEC_REFUSED, "xe: streams of performance counters");
    return -ENODEV;
}

#define ROW(name, type, function)                                                                            \
    {                                                                                                        \
        XE_##name, sizeof(struct type), function, #name                                                      \
    }
const struct call_row xe_calls[] = {
    ROW(DEVICE_QUERY, xe_device_query, xe_query),
    ROW(GEM_CREATE, xe_gem_create, create),
    ROW(GEM_MMAP_OFFSET, xe_gem_mmap_offset, map_offset),
    ROW(VM_CREATE, xe_vm_create, xe_vm_create),
    ROW(VM_DESTROY, xe_vm_destroy, xe_vm_destroy),
    ROW(VM_BIND, xe_vm_bind, xe_vm_bind),
    ROW(EXEC_QUEUE_CREATE, xe_queue_create, xe_queue_create),
    ROW(EXEC_QUEUE_DESTROY, xe_queue_destroy, xe_queue_destroy),
    ROW(EXEC_QUEUE_GET_PROPERTY, xe_queue_get_property, xe_queue_get_property),
    ROW(EXEC, xe_exec, xe_exec),
    ROW(WAIT_USER_FENCE, xe_wait_user_fence, xe_wait_user_fence),
    ROW(OBSERVATION, xe_observation, observation),
    {0}};
