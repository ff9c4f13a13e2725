/* xe's interface: buffer objects, and the table of calls. xe_abi.h defines the structures. */
#include <drm.h>

#include <errno.h>

#include "xe/xe.h"

bool xe_reserved(const uint64_t reserved[2])
{
    return reserved[0] || reserved[1];
}

uint32_t xe_regions(const struct shim_device *g)
{
    return g->local_bytes ? 3 : 1;
}

unsigned xe_max_priority(void)
{
    return capable() ? 2 : 1;
}

uint32_t xe_local_page_bytes(const struct shim_device *g)
{
    return g->local_bytes ? g->sheet->xe->local_page_bytes : PAGE_BYTES;
}

/* The placement is only a name: there is one memory. */
static int check_object(const struct shim_device *g, const struct xe_gem_create *a)
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

/* The only extension is protected content, which is not supported. */
static int check_extension(const struct ioctl_call *c, uint64_t at)
{
    struct xe_set_property e;
    const int error = copy_from_user(&e, at, sizeof e);
    if (error)
        return error;
    if (e.base.name || e.base.pad || e.property || e.pad)
        return -EINVAL;
    if (e.value)
        shim_log(c->file->device, EXEC_REFUSED, "xe: protected objects");
    return e.value ? -ENODEV : e.base.next ? -E2BIG : 0;
}

static int xe_gem_create(const struct ioctl_call *c)
{
    struct xe_gem_create *a = c->argument;
    struct shim_device *g = c->file->device;
    int error = check_object(g, a);
    if (!error && a->extensions)
        error = check_extension(c, a->extensions);
    const struct gpu_vm *only = a->vm ? handle_lookup(&c->file->vms, a->vm) : NULL;
    if (!error && a->vm && !only)
        error = -ENOENT;
    struct gem_object *o = NULL;
    if (!error)
        error = gem_create(g, a->size_bytes, a->placement & ~1u, &o);
    if (error)
        return error == -E2BIG ? -ENOSPC : error;
    o->exclusive_vm_id = only ? only->id : 0;
    o->caching = a->caching;
    o->page_bytes = a->placement & ~1u ? xe_local_page_bytes(g) : PAGE_BYTES;
    a->handle = handle_create(&c->file->objects, o);
    if (a->handle)
        return 0;
    gem_put(o);
    return -ENOMEM;
}

static int xe_gem_mmap_offset(const struct ioctl_call *c)
{
    struct xe_gem_mmap_offset *a = c->argument;
    if (a->extensions || xe_reserved(a->reserved) || a->flags & ~(uint32_t)XE_MMAP_BARRIER)
        return -EINVAL;
    if (a->flags & XE_MMAP_BARRIER) {
        if (!c->file->device->local_bytes || a->handle)
            return -EINVAL;
        a->offset = BARRIER_OFFSET;
        return 0;
    }
    const struct gem_object *o = handle_lookup(&c->file->objects, a->handle);
    if (!o)
        return -ENOENT;
    a->offset = gem_mmap_offset(o);
    return 0;
}

static int observation(const struct ioctl_call *c)
{
    shim_log(c->file->device, EXEC_REFUSED, "xe: streams of performance counters");
    return -ENODEV;
}

#define ROW(name, type, function)                                                                            \
    {                                                                                                        \
        XE_##name, sizeof(struct type), function, #name                                                      \
    }
static const struct ioctl_desc xe_ioctls[] = {
    ROW(DEVICE_QUERY, xe_device_query, xe_query),
    ROW(GEM_CREATE, xe_gem_create, xe_gem_create),
    ROW(GEM_MMAP_OFFSET, xe_gem_mmap_offset, xe_gem_mmap_offset),
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

const struct drm_driver xe_driver = {"Intel Xe Graphics", "20201103", {1, 1, 0}, xe_ioctls, false};
