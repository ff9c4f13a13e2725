/* i915's interface: parameters, buffer objects, and the table of calls. */
#include <drm.h>
#include <i915_drm.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "i915/i915.h"

/* ---- Parameters ---- */

static bool has(const struct shim_device *g, enum engine_class class, unsigned instance)
{
    return user_engine(g, user_class(class), instance) >= 0;
}

/* Counts all execution units, or all subslices. */
static unsigned count_units(const struct topology *t, bool subslices)
{
    const unsigned slices = t ? (unsigned)__builtin_popcount(t->slices) : 0;
    const unsigned all = t ? slices * (unsigned)__builtin_popcount(t->subslices) : 0;
    return subslices || !t ? all : all * (unsigned)__builtin_popcount(t->units);
}

/* Parameters that have one value on all devices. */
static const struct {
    int number, value;
} constant_parameters[] = {
    {I915_PARAM_HAS_ALIASING_PPGTT, 2}, /* every context has its own */
    {I915_PARAM_MMAP_GTT_VERSION, 4},   /* MMAP_OFFSET */
    {I915_PARAM_MMAP_VERSION, 1},
    {I915_PARAM_HAS_WAIT_TIMEOUT, 1},
    {I915_PARAM_HAS_EXECBUF2, 1},
    {I915_PARAM_HAS_GEM, 1},
    {I915_PARAM_HAS_PAGEFLIPPING, 1},
    {I915_PARAM_HAS_RELAXED_FENCING, 1},
    {I915_PARAM_HAS_COHERENT_RINGS, 1},
    {I915_PARAM_HAS_RELAXED_DELTA, 1},
    {I915_PARAM_HAS_GEN7_SOL_RESET, 1},
    {I915_PARAM_HAS_PRIME_VMAP_FLUSH, 1},
    {I915_PARAM_HAS_PINNED_BATCHES, 1},
    {I915_PARAM_HAS_EXEC_NO_RELOC, 1},
    {I915_PARAM_HAS_EXEC_HANDLE_LUT, 1},
    {I915_PARAM_HAS_COHERENT_PHYS_GTT, 1},
    {I915_PARAM_HAS_GPU_RESET, 1},
    {I915_PARAM_HAS_EXEC_SOFTPIN, 1},
    {I915_PARAM_HAS_EXEC_ASYNC, 1},
    {I915_PARAM_HAS_EXEC_FENCE, 1},
    {I915_PARAM_HAS_EXEC_CAPTURE, 1},
    {I915_PARAM_HAS_EXEC_BATCH_FIRST, 1},
    {I915_PARAM_HAS_EXEC_FENCE_ARRAY, 1},
    {I915_PARAM_HAS_EXEC_SUBMIT_FENCE, 1},
    {I915_PARAM_HAS_EXEC_TIMELINE_FENCES, 1},
    {I915_PARAM_HAS_USERPTR_PROBE, 1},
    {I915_PARAM_MMAP_GTT_COHERENT, 1},
    {I915_PARAM_HAS_OVERLAY, 0},
    {I915_PARAM_HAS_EXEC_CONSTANTS, 0},
    {I915_PARAM_HAS_SEMAPHORES, 0},
    {I915_PARAM_HAS_SECURE_BATCHES, 0},
    {I915_PARAM_HAS_WT, 0},
    {I915_PARAM_HAS_RESOURCE_STREAMER, 0},
    {I915_PARAM_PERF_REVISION, 0},
    {I915_PARAM_IRQ_ACTIVE, -ENODEV},
    {I915_PARAM_ALLOW_BATCHBUFFER, -ENODEV},
    {I915_PARAM_LAST_DISPATCH, -ENODEV},
    {I915_PARAM_HAS_POOLED_EU, -ENODEV},
    {I915_PARAM_MIN_EU_IN_POOL, -ENODEV},
    {I915_PARAM_HUC_STATUS, -ENODEV},
    {58, -ENODEV}, /* I915_PARAM_PXP_STATUS */
};

static int constant_parameter(int number)
{
    for (unsigned i = 0; i < sizeof constant_parameters / sizeof constant_parameters[0]; i++)
        if (constant_parameters[i].number == number)
            return constant_parameters[i].value;
    return -EINVAL;
}

/* -ENODEV: this device has no such thing. -EINVAL: i915 does not know the parameter. */
static int i915_parameter(const struct shim_device *g, int number)
{
    const struct sheet *s = g->sheet;
    const struct topology *t = s->gt->topology;
    const unsigned found[] = {[0] = count_units(t, true), [1] = count_units(t, false)};
    switch (number) {
    case I915_PARAM_CHIPSET_ID:
        return s->info.pci_device_id;
    case I915_PARAM_REVISION:
        return s->info.pci_revision;
    case I915_PARAM_NUM_FENCES_AVAIL:
        return s->gt->fences;
    case I915_PARAM_HAS_BSD:
        return has(g, CLASS_VIDEO, 0);
    case I915_PARAM_HAS_BSD2:
        return has(g, CLASS_VIDEO, 1);
    case I915_PARAM_HAS_BLT:
        return has(g, CLASS_COPY, 0);
    case I915_PARAM_HAS_VEBOX:
        return has(g, CLASS_ENHANCE, 0);
    case I915_PARAM_HAS_LLC:
        return !s->memory.local_bytes;
    case I915_PARAM_SUBSLICE_TOTAL:
        return found[0] ? (int)found[0] : -ENODEV;
    case I915_PARAM_EU_TOTAL:
        return found[1] ? (int)found[1] : -ENODEV;
    case I915_PARAM_SLICE_MASK:
        return t ? (int)t->slices : -ENODEV;
    case I915_PARAM_SUBSLICE_MASK:
        return t ? (int)t->subslices : -ENODEV;
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
    case 57: /* I915_PARAM_OA_TIMESTAMP_FREQUENCY */
        return (int)s->engines[0].timestamp_hz;
    case I915_PARAM_CMD_PARSER_VERSION:
        return s->checked ? 10 : 0;
    case I915_PARAM_HAS_SCHEDULER:
        return s->engines[0].contexts.execlists ? I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY
                                                : 0;
    case I915_PARAM_HAS_CONTEXT_ISOLATION: {
        int classes = 0;
        for (unsigned i = 0; i < s->info.engine_count; i++)
            if (s->engines[i].contexts.execlists)
                classes |= 1 << user_class(s->engines[i].class);
        return classes;
    }
    default:
        return constant_parameter(number);
    }
}

int i915_getparam(const struct ioctl_call *c)
{
    const drm_i915_getparam_t *a = c->argument;
    const int value = i915_parameter(c->file->device, a->param);
    if (value == -EINVAL)
        shim_log(c->file->device, EXEC_REFUSED, "i915 parameter %d", a->param);
    return value < 0 ? value : copy_to_user((uintptr_t)a->value, &value, sizeof value);
}

/* ---- Objects ---- */

static struct gem_object *i915_find_object(const struct ioctl_call *c, uint32_t handle)
{
    return handle_lookup(&c->file->objects, handle);
}

static int add_name(const struct ioctl_call *c, struct gem_object *o, uint32_t *handle)
{
    *handle = handle_create(&c->file->objects, o);
    if (*handle)
        return 0;
    gem_put(o);
    return -ENOMEM;
}

static int i915_gem_create(const struct ioctl_call *c)
{
    struct drm_i915_gem_create *a = c->argument;
    struct gem_object *o;
    const int error = gem_create(c->file->device, a->size, false, &o);
    if (error)
        return error;
    a->size = o->size_bytes;
    return add_name(c, o, &a->handle);
}

/* Reads a placement. *chosen: the kinds of memory that were named, each once. */
static int placement(const struct ioctl_call *c, uint64_t at, unsigned *chosen)
{
    struct drm_i915_gem_create_ext_memory_regions e;
    int error = copy_from_user(&e, at, sizeof e);
    if (error)
        return error;
    const uint32_t kinds = c->file->device->local_bytes ? 2 : 1;
    if (e.pad || !e.num_regions || e.num_regions > kinds || *chosen)
        return -EINVAL;
    struct drm_i915_gem_memory_class_instance *r =
        memdup_array_user(e.regions, e.num_regions, sizeof *r, &error);
    for (uint32_t i = 0; r && i < e.num_regions && !error; i++) {
        if (r[i].memory_class >= kinds || r[i].memory_instance || *chosen >> r[i].memory_class & 1u)
            error = -EINVAL;
        else
            *chosen |= 1u << r[i].memory_class;
    }
    free(r);
    return error;
}

static int i915_gem_create_ext(const struct ioctl_call *c)
{
    struct drm_i915_gem_create_ext *a = c->argument;
    struct gem_object *o;
    if (a->flags & ~(uint32_t)I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS)
        return -EINVAL;
    enum { SET_PAT = 2 /* of later devices */, BOTH = 3 };
    uint64_t at = a->extensions;
    unsigned chosen = 0;
    for (unsigned left = 64; at; left--) {
        struct i915_user_extension e;
        int error = left ? copy_from_user(&e, at, sizeof e) : -E2BIG;
        if (!error && (e.flags || e.name > SET_PAT))
            error = -EINVAL;
        if (!error && e.name == I915_GEM_CREATE_EXT_MEMORY_REGIONS)
            error = placement(c, at, &chosen);
        if (!error && (e.name == I915_GEM_CREATE_EXT_PROTECTED_CONTENT || e.name == SET_PAT))
            error = -ENODEV;
        if (error)
            return error;
        at = e.next_extension;
    }
    if (a->flags && chosen != BOTH) /* it is moved to where the CPU sees it */
        return -EINVAL;
    const int error = gem_create(c->file->device, a->size, chosen >> I915_MEMORY_CLASS_DEVICE & 1u, &o);
    if (error)
        return error;
    a->size = o->size_bytes;
    return add_name(c, o, &a->handle);
}

int i915_no_extensions(uint64_t at)
{
    struct i915_user_extension e;
    const int error = at ? copy_from_user(&e, at, sizeof e) : 0;
    return error ? error : at ? -EINVAL : 0;
}

static int userptr(const struct ioctl_call *c)
{
    struct drm_i915_gem_userptr *a = c->argument;
    const uint32_t known = I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE | I915_USERPTR_UNSYNCHRONIZED;
    struct gem_object *o;
    if (a->flags & ~known)
        return -EINVAL;
    if (a->flags & I915_USERPTR_UNSYNCHRONIZED)
        return -ENODEV;
    if (a->flags & I915_USERPTR_PROBE && !user_range_is_mapped(a->user_ptr, a->user_size))
        return -EFAULT;
    const int error =
        gem_create_userptr(c->file->device, a->user_ptr, a->user_size, a->flags & I915_USERPTR_READ_ONLY, &o);
    return error ? error : add_name(c, o, &a->handle);
}

static int i915_gem_mmap(const struct ioctl_call *c)
{
    struct drm_i915_gem_mmap *a = c->argument;
    const struct gem_object *o = i915_find_object(c, a->handle);
    if (a->flags & ~(uint64_t)I915_MMAP_WC)
        return -EINVAL;
    if (!o)
        return -ENOENT;
    if (o->is_user)
        return -ENXIO;
    if (!a->size || a->offset > o->size_bytes || a->size > o->size_bytes - a->offset)
        return -EINVAL;
    void *p = gem_mmap(o, NULL, a->size, PROT_READ | PROT_WRITE, MAP_SHARED, a->offset);
    a->addr_ptr = (uintptr_t)p;
    return p == MAP_FAILED ? -errno : 0;
}

static int i915_gem_mmap_offset(const struct ioctl_call *c)
{
    struct drm_i915_gem_mmap_offset *a = c->argument;
    const struct gem_object *o = i915_find_object(c, a->handle);
    const int error = a->flags > I915_MMAP_OFFSET_FIXED ? -EINVAL : i915_no_extensions(a->extensions);
    if (error)
        return error;
    if (!o)
        return -ENOENT;
    if (o->is_user)
        return -ENODEV;
    a->offset = gem_mmap_offset(o);
    return 0;
}

static int copy(const struct ioctl_call *c, bool to_program)
{
    const struct drm_i915_gem_pread *a = c->argument; /* a pwrite is the same */
    struct gem_object *o = i915_find_object(c, a->handle);
    if (!o)
        return -ENOENT;
    if (a->offset > o->size_bytes || a->size > o->size_bytes - a->offset)
        return -EINVAL;
    if (o->is_user)
        return -EINVAL;
    return to_program ? copy_to_user(a->data_ptr, o->host + a->offset, a->size)
                      : copy_from_user(o->host + a->offset, a->data_ptr, a->size);
}

static int pread(const struct ioctl_call *c)
{
    return copy(c, true);
}

static int pwrite(const struct ioctl_call *c)
{
    return copy(c, false);
}

static bool is_idle(void *user)
{
    const struct gem_object *o = user;
    return !o->last_fence || o->last_fence->signaled;
}

static int wait_for(const struct ioctl_call *c, struct gem_object *o, int64_t until_ns)
{
    gem_get(o);
    const bool idle = gpu_wait(c->file->device, is_idle, o, until_ns);
    gem_put(o);
    return idle ? 0 : -ETIME;
}

static int set_domain(const struct ioctl_call *c)
{
    const struct drm_i915_gem_set_domain *a = c->argument;
    const uint32_t of_processor = I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT | I915_GEM_DOMAIN_WC;
    if ((a->read_domains | a->write_domain) & ~of_processor ||
        (a->write_domain && a->read_domains != a->write_domain))
        return -EINVAL;
    struct gem_object *o = i915_find_object(c, a->handle);
    if (!o)
        return -ENOENT;
    o->domain = a->read_domains;
    return wait_for(c, o, INT64_MAX);
}

static int i915_gem_wait(const struct ioctl_call *c)
{
    struct drm_i915_gem_wait *a = c->argument;
    if (a->flags)
        return -EINVAL;
    struct gem_object *o = i915_find_object(c, a->bo_handle);
    if (!o)
        return -ENOENT;
    const int64_t now = gpu_host_ns(), until = a->timeout_ns < 0 || a->timeout_ns > INT64_MAX - now
                                                   ? INT64_MAX
                                                   : now + a->timeout_ns;
    const int error = wait_for(c, o, until);
    if (a->timeout_ns >= 0) {
        const int64_t left = until - gpu_host_ns();
        a->timeout_ns = left > 0 ? left : 0;
    }
    return error;
}

static int busy(const struct ioctl_call *c)
{
    struct drm_i915_gem_busy *a = c->argument;
    struct gem_object *o = i915_find_object(c, a->handle);
    if (!o)
        return -ENOENT;
    gpu_run_for_call(c->file->device);
    a->busy = is_idle(o) ? 0 : 1u << 16 | 1u;
    return 0;
}

static int set_tiling(const struct ioctl_call *c)
{
    struct drm_i915_gem_set_tiling *a = c->argument;
    struct gem_object *o = i915_find_object(c, a->handle);
    if (c->file->device->sheet->memory.local_bytes)
        return -EOPNOTSUPP;
    if (!o)
        return -ENOENT;
    if (a->tiling_mode > I915_TILING_Y || (a->tiling_mode && (!a->stride || a->stride % 128)))
        return -EINVAL;
    o->tiling = a->tiling_mode;
    o->stride = a->tiling_mode ? a->stride : 0;
    a->stride = o->stride;
    a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int get_tiling(const struct ioctl_call *c)
{
    struct drm_i915_gem_get_tiling *a = c->argument;
    const struct gem_object *o = i915_find_object(c, a->handle);
    if (c->file->device->sheet->memory.local_bytes)
        return -EOPNOTSUPP;
    if (!o)
        return -ENOENT;
    a->tiling_mode = o->tiling;
    a->swizzle_mode = a->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int set_caching(const struct ioctl_call *c)
{
    const struct drm_i915_gem_caching *a = c->argument;
    struct gem_object *o = i915_find_object(c, a->handle);
    if (c->file->device->sheet->memory.local_bytes)
        return -ENODEV;
    if (a->caching > I915_CACHING_DISPLAY)
        return -EINVAL;
    if (!o)
        return -ENOENT;
    o->caching = a->caching;
    return 0;
}

static int get_caching(const struct ioctl_call *c)
{
    struct drm_i915_gem_caching *a = c->argument;
    const struct gem_object *o = i915_find_object(c, a->handle);
    if (c->file->device->sheet->memory.local_bytes)
        return -ENODEV;
    if (!o)
        return -ENOENT;
    a->caching = o->caching;
    return 0;
}

static int madvise_object(const struct ioctl_call *c)
{
    struct drm_i915_gem_madvise *a = c->argument;
    if (a->madv > I915_MADV_DONTNEED)
        return -EINVAL;
    a->retained = 1; /* pages are never purged */
    return i915_find_object(c, a->handle) ? 0 : -ENOENT;
}

static int has_object(const struct ioctl_call *c)
{
    const struct drm_i915_gem_sw_finish *a = c->argument;
    return i915_find_object(c, a->handle) ? 0 : -ENOENT;
}

static int throttle(const struct ioctl_call *c)
{
    gpu_run_for_call(c->file->device);
    return 0;
}

static int get_aperture(const struct ioctl_call *c)
{
    struct drm_i915_gem_get_aperture *a = c->argument;
    a->aper_size = c->file->device->sheet->info.ggtt_bytes /
                   c->file->device->sheet->memory.format->ggtt_entry_bytes * PAGE_BYTES;
    a->aper_available_size = a->aper_size;
    return 0;
}

/* Only the timestamp is readable; bit 0 of the offset asks for one 64-bit read. */
static int reg_read(const struct ioctl_call *c)
{
    struct drm_i915_reg_read *a = c->argument;
    struct shim_device *g = c->file->device;
    enum { TIMESTAMP = 0x358 };
    const uint64_t offset = a->offset & ~UINT64_C(7);
    if (offset != g->sheet->engines[0].mmio_base + TIMESTAMP || (a->offset & 7u) > I915_REG_READ_8B_WA)
        return -EINVAL;
    a->val = gpu_register_read(g, (uint32_t)offset, 8);
    return 0;
}

static int no_device(const struct ioctl_call *c)
{
    (void)c;
    return -ENODEV;
}

#define ROW(name, type, function)                                                                            \
    {                                                                                                        \
        DRM_I915_##name, sizeof(type), function, #name                                                       \
    }
static const struct ioctl_desc i915_ioctls[] = {
    ROW(GETPARAM, drm_i915_getparam_t, i915_getparam),
    ROW(GEM_CREATE, struct drm_i915_gem_create, i915_gem_create),
    ROW(GEM_CREATE_EXT, struct drm_i915_gem_create_ext, i915_gem_create_ext),
    ROW(GEM_USERPTR, struct drm_i915_gem_userptr, userptr),
    ROW(GEM_MMAP, struct drm_i915_gem_mmap, i915_gem_mmap),
    ROW(GEM_MMAP_GTT, struct drm_i915_gem_mmap_offset, i915_gem_mmap_offset),
    ROW(GEM_PREAD, struct drm_i915_gem_pread, pread),
    ROW(GEM_PWRITE, struct drm_i915_gem_pwrite, pwrite),
    ROW(GEM_SET_DOMAIN, struct drm_i915_gem_set_domain, set_domain),
    ROW(GEM_WAIT, struct drm_i915_gem_wait, i915_gem_wait),
    ROW(GEM_BUSY, struct drm_i915_gem_busy, busy),
    ROW(GEM_SET_TILING, struct drm_i915_gem_set_tiling, set_tiling),
    ROW(GEM_GET_TILING, struct drm_i915_gem_get_tiling, get_tiling),
    ROW(GEM_SET_CACHING, struct drm_i915_gem_caching, set_caching),
    ROW(GEM_GET_CACHING, struct drm_i915_gem_caching, get_caching),
    ROW(GEM_MADVISE, struct drm_i915_gem_madvise, madvise_object),
    ROW(GEM_SW_FINISH, struct drm_i915_gem_sw_finish, has_object),
    {DRM_I915_GEM_THROTTLE, 0, throttle, "GEM_THROTTLE"},
    ROW(GEM_GET_APERTURE, struct drm_i915_gem_get_aperture, get_aperture),
    ROW(REG_READ, struct drm_i915_reg_read, reg_read),
    ROW(QUERY, struct drm_i915_query, i915_query),
    ROW(GEM_EXECBUFFER2, struct drm_i915_gem_execbuffer2, i915_execbuffer2),
    ROW(GEM_CONTEXT_CREATE, struct drm_i915_gem_context_create_ext, i915_context_create),
    ROW(GEM_CONTEXT_DESTROY, struct drm_i915_gem_context_destroy, i915_context_destroy),
    ROW(GEM_CONTEXT_GETPARAM, struct drm_i915_gem_context_param, i915_context_getparam),
    ROW(GEM_CONTEXT_SETPARAM, struct drm_i915_gem_context_param, i915_context_setparam),
    ROW(GEM_VM_CREATE, struct drm_i915_gem_vm_control, i915_vm_create),
    ROW(GEM_VM_DESTROY, struct drm_i915_gem_vm_control, i915_vm_destroy),
    ROW(GET_RESET_STATS, struct drm_i915_reset_stats, i915_reset_stats),
    ROW(PERF_OPEN, struct drm_i915_perf_open_param, no_device),
    ROW(PERF_ADD_CONFIG, struct drm_i915_perf_oa_config, no_device),
    ROW(PERF_REMOVE_CONFIG, uint64_t, no_device),
    {0}};

const struct drm_driver i915_driver = {"Intel Graphics", "20230929", {1, 6, 0}, i915_ioctls, true};
