/* xe's address spaces: VM_CREATE, VM_DESTROY and VM_BIND. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "xe/xe.h"

/* An entry of the driver's PAT table that is there, and one that sees CPU caches. */
static bool pat_exists(const struct shim_device *g, unsigned pat)
{
    return pat < 64 && g->sheet->xe->pats >> pat & 1;
}

static bool pat_is_coherent(const struct shim_device *g, unsigned pat)
{
    return pat < 64 && g->sheet->xe->coherent_pats >> pat & 1;
}

/* ---- Spaces ---- */

int xe_vm_create(const struct ioctl_call *c)
{
    struct xe_vm_create *a = c->argument;
    struct shim_device *g = c->file->device;
    if (a->extensions || xe_reserved(a->reserved) ||
        a->flags & ~(uint32_t)(XE_VM_SCRATCH | XE_VM_LONG_RUNNING)) /* page faults are not supported */
        return -EINVAL;
    struct gpu_vm *s = vm_create(g, a->flags & XE_VM_SCRATCH && !g->options.strict);
    if (!s)
        return -ENOMEM;
    s->is_long_running = a->flags & XE_VM_LONG_RUNNING;
    a->vm = handle_create(&c->file->vms, s);
    if (a->vm)
        return 0;
    vm_put(s);
    return -ENOMEM;
}

int xe_vm_destroy(const struct ioctl_call *c)
{
    const struct xe_vm_destroy *a = c->argument;
    if (a->pad || xe_reserved(a->reserved))
        return -EINVAL;
    struct gpu_vm *s = handle_lookup(&c->file->vms, a->vm);
    if (!s)
        return -ENOENT;
    for (uint32_t i = 0; s->is_long_running && i < c->file->contexts.capacity; i++) {
        const struct context *queue = c->file->contexts.entries[i];
        if (queue && queue->vm == s)
            return -EBUSY;
    }
    handle_delete(&c->file->vms, a->vm);
    s->is_closed = true;
    vm_put(s);
    return 0;
}

/* ---- Operations ---- */

static bool check_operation(const struct shim_device *g, const struct xe_bind_op *b)
{
    const bool nothing = b->flags & XE_BIND_NULL, object = b->object, maps = b->op == XE_BIND_MAP;
    const bool coherent = pat_is_coherent(g, b->pat);
    if (!pat_exists(g, b->pat) || b->op > XE_BIND_PREFETCH || b->flags & ~(uint32_t)XE_BIND_FLAGS || b->pad ||
        b->pad2 || b->extensions || xe_reserved(b->reserved) || b->reserved[2])
        return false;
    if (nothing && (object || b->offset || !maps))
        return false;
    if (maps && !object && !nothing)
        return false;
    if (b->op == XE_BIND_UNMAP_ALL && (!object || b->address || b->range))
        return false;
    if (b->op == XE_BIND_MAP_USER && (object || !coherent))
        return false;
    if (object && (b->op == XE_BIND_PREFETCH || b->op == XE_BIND_UNMAP))
        return false;
    if (b->region && b->op != XE_BIND_PREFETCH)
        return false;
    if (b->region >= 32 || !(xe_regions(g) >> b->region & 1u))
        return false;
    if ((b->offset | b->address | b->range) % PAGE_BYTES)
        return false;
    const uint64_t end = UINT64_C(1) << g->sheet->memory.address_bits;
    return (b->range || b->op == XE_BIND_UNMAP_ALL) && b->range <= end && b->address <= end - b->range;
}

/* Returns the object of a MAP, with a reference. */
static int find_object(const struct ioctl_call *c, const struct gpu_vm *s, const struct xe_bind_op *b,
                       struct gem_object **found)
{
    struct gem_object *o = handle_lookup(&c->file->objects, b->object);
    if (!o)
        return -ENOENT;
    if (b->op == XE_BIND_MAP) {
        const uint64_t mask = (o->page_bytes ? o->page_bytes : PAGE_BYTES) - 1u;
        if (b->range > o->size_bytes || b->offset > o->size_bytes - b->range)
            return -EINVAL;
        if ((b->offset | b->address | b->range) & mask)
            return -EINVAL;
        if (o->exclusive_vm_id && o->exclusive_vm_id != s->id)
            return -EINVAL;
        if (o->caching != XE_CACHING_WC && !pat_is_coherent(c->file->device, b->pat))
            return -EINVAL; /* the binding must see CPU caches */
    }
    *found = gem_get(o);
    return 0;
}

/* Binds userptr: a page that is missing now is an error. */
static int take_memory(const struct ioctl_call *c, const struct xe_bind_op *b, struct gem_object **o)
{
    const bool read_only = b->flags & XE_BIND_READ_ONLY;
    if (b->offset % PAGE_BYTES == 0 && !user_range_fault_in(b->offset, b->range, read_only))
        return -EFAULT;
    return gem_create_userptr(c->file->device, b->offset, b->range, read_only, o);
}

static int read_vm_bind_op(const struct ioctl_call *c, const struct gpu_vm *s, const struct xe_bind_op *b,
                           struct vm_bind_op *change)
{
    int error = 0;
    struct gem_object *o = NULL;
    if (b->object)
        error = find_object(c, s, b, &o);
    else if (b->op == XE_BIND_MAP_USER)
        error = take_memory(c, b, &o);
    *change = (struct vm_bind_op){.unbind = b->op == XE_BIND_UNMAP || b->op == XE_BIND_UNMAP_ALL,
                                  .vma = {.address = b->address,
                                          .size_bytes = b->range,
                                          .object = o,
                                          .object_offset = b->op == XE_BIND_MAP ? b->offset : 0,
                                          .holds_reference = o != NULL,
                                          .read_only = b->flags & XE_BIND_READ_ONLY}};
    return error;
}

/* Reads all operations of the call into one job. Prefetches do nothing. */
static int read_operations(const struct ioctl_call *c, const struct gpu_vm *s, struct gpu_job *r)
{
    const struct xe_vm_bind *a = c->argument;
    int error = 0;
    struct xe_bind_op *all =
        a->count > 1 ? memdup_array_user(a->several, a->count, sizeof *all, &error) : NULL;
    const struct xe_bind_op *operations = a->count > 1 ? all : &a->one;
    if (error)
        return error;
    r->bind_ops = calloc(a->count + 1u, sizeof *r->bind_ops);
    if (!r->bind_ops)
        error = -ENOMEM;
    for (uint32_t i = 0; i < a->count && !error; i++)
        if (!check_operation(c->file->device, &operations[i]))
            error = -EINVAL;
    for (uint32_t i = 0; i < a->count && !error; i++) {
        if (operations[i].op == XE_BIND_PREFETCH)
            continue;
        error = read_vm_bind_op(c, s, &operations[i], &r->bind_ops[r->bind_op_count]);
        r->bind_op_count += !error;
    }
    free(all);
    return error;
}

/* The operation leaves a part of a vma, which is unmapped and mapped again. Jobs of the space must not see
 * that, so the bind waits for them; whole unmaps wait for nothing (Linux, xe_pt). */
static bool unmaps_split_vma(const struct gpu_vm *s, const struct gpu_job *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->bind_op_count && !s->is_long_running; i++) {
        const struct vm_bind_op *const c = &r->bind_ops[i];
        any |= !(c->unbind && c->vma.object) && vm_unmap_splits_vma(s, c->vma.address, c->vma.size_bytes);
    }
    return any;
}

int xe_vm_bind(const struct ioctl_call *c)
{
    const struct xe_vm_bind *a = c->argument;
    struct shim_device *g = c->file->device;
    struct xe_syncs syncs = {0};
    if (a->extensions || a->pad || a->pad2 || xe_reserved(a->reserved))
        return -EINVAL;
    struct context *queue = a->queue ? handle_lookup(&c->file->contexts, a->queue) : NULL;
    if (a->queue && (!queue || !queue->is_bind_queue))
        return queue ? -EINVAL : -ENOENT;
    struct gpu_vm *s = handle_lookup(&c->file->vms, a->vm);
    if (!s)
        return -EINVAL;
    struct dma_fence *done = fence_create(), **last = queue ? &queue->last_fence : &s->last_bind_fence;
    struct gpu_job *r = done ? xe_job_create(NULL, s, done) : NULL;
    int error = r ? read_operations(c, s, r) : -ENOMEM;
    if (!error)
        error = xe_syncs_read(c, a->syncs, a->sync_count, s->is_long_running, !a->count, &syncs);
    if (!error)
        error = xe_syncs_add_waits(&syncs, r);
    if (!error)
        error = gpu_job_wait_for(r, *last);
    const bool waits = !error && unmaps_split_vma(s, r);
    if (waits)
        error = gpu_job_wait_for_vm(g, s, r);
    if (error) {
        if (r)
            gpu_job_free(r);
    } else {
        r->signals_user_fence = syncs.signals_user_fence;
        r->user_fence_address = syncs.user_fence_address;
        r->user_fence_value = syncs.user_fence_value;
        xe_syncs_signal(&syncs, done);
        fence_put(*last);
        *last = fence_get(done);
        if (waits) {
            fence_put(s->last_split_fence);
            s->last_split_fence = fence_get(done);
        }
        gpu_submit_binds(g, r);
    }
    xe_syncs_free(&syncs);
    fence_put(done);
    return error;
}
