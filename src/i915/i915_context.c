/* i915's contexts, address spaces and reset statistics. */
#include <drm.h>
#include <i915_drm.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "i915/i915.h"

/* Context 0 has handle 1. */
struct context *i915_context_lookup(const struct drm_file *c, uint32_t id)
{
    return handle_lookup(&c->contexts, id + 1);
}

uint64_t i915_vm_end(const struct shim_device *g)
{
    return g->sheet->memory.format->ppgtt_levels == 2 ? UINT64_C(1) << 31
                                                      : UINT64_C(1) << g->sheet->memory.address_bits;
}

/* ---- Engines of a context ---- */

/* A slot that an extension fills: any sibling serves, so take the first. */
static int read_siblings(const struct shim_device *g, uint64_t at, uint8_t *map, uint32_t count)
{
    struct i915_context_engines_load_balance e;
    struct i915_engine_class_instance sibling;
    int error = copy_from_user(&e, at, sizeof e);
    if (error)
        return error;
    if (e.flags || e.mbz64 || !e.num_siblings || e.engine_index >= count)
        return -EINVAL;
    for (unsigned i = e.num_siblings; i-- > 0;) {
        error = copy_from_user(&sibling, at + sizeof e + i * sizeof sibling, sizeof sibling);
        const int engine = error ? -1 : user_engine(g, sibling.engine_class, sibling.engine_instance);
        if (engine < 0)
            return error ? error : -EINVAL;
        map[e.engine_index] = (uint8_t)engine;
    }
    return 0;
}

static int set_engines(struct context *c, const struct drm_i915_gem_context_param *a)
{
    struct shim_device *g = c->device;
    int error = 0;
    uint8_t *map = NULL;
    uint64_t extensions = 0;
    const uint64_t bytes = a->size < sizeof extensions ? 0 : a->size - sizeof extensions;
    const uint32_t count = (uint32_t)(bytes / sizeof(struct i915_engine_class_instance));
    if (c->is_used)
        return -EINVAL;
    if (a->size) {
        if (a->size < sizeof extensions || bytes % sizeof(struct i915_engine_class_instance) ||
            count > MAX_SLOTS)
            return -EINVAL;
        struct i915_engine_class_instance *all =
            memdup_array_user(a->value + sizeof extensions, count, sizeof *all, &error);
        map = calloc(count + 1, 1);
        if (all && map)
            error = copy_from_user(&extensions, a->value, sizeof extensions);
        for (uint32_t i = 0; all && map && i < count && !error; i++) {
            const bool none = all[i].engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID &&
                              all[i].engine_instance == (uint16_t)I915_ENGINE_CLASS_INVALID_NONE;
            const int engine = user_engine(g, all[i].engine_class, all[i].engine_instance);
            map[i] = none || engine < 0 ? UINT8_MAX : (uint8_t)engine;
            error = none || engine >= 0 ? 0 : -ENOENT;
        }
        if (!all || !map)
            error = error ? error : -ENOMEM;
        free(all);
    }
    for (unsigned left = 64; extensions && !error; left--) {
        struct i915_user_extension e;
        error = left ? copy_from_user(&e, extensions, sizeof e) : -E2BIG;
        if (!error && e.name == I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE)
            error = read_siblings(g, extensions, map, count);
        else if (!error)
            error = e.name == I915_CONTEXT_ENGINES_EXT_BOND ? 0 : -ENODEV;
        extensions = e.next_extension;
    }
    if (error) {
        free(map);
        return error;
    }
    free(c->engine_map);
    c->engine_map = map;
    c->engine_count = count;
    return 0;
}

static int get_engines(const struct context *c, struct drm_i915_gem_context_param *a)
{
    const uint32_t bytes =
        c->engine_map
            ? (uint32_t)(sizeof(uint64_t) + c->engine_count * sizeof(struct i915_engine_class_instance))
            : 0;
    const uint32_t room = a->size;
    a->size = bytes;
    if (!bytes || !room)
        return 0;
    if (room < bytes)
        return -EINVAL;
    const uint64_t none = 0;
    int error = copy_to_user(a->value, &none, sizeof none);
    for (uint32_t i = 0; !error && i < c->engine_count; i++) {
        const unsigned engine = c->engine_map[i];
        struct i915_engine_class_instance e = {(uint16_t)I915_ENGINE_CLASS_INVALID,
                                               (uint16_t)I915_ENGINE_CLASS_INVALID_NONE};
        if (engine != UINT8_MAX)
            e = (struct i915_engine_class_instance){
                (uint16_t)user_class(c->device->sheet->engines[engine].class),
                (uint16_t)user_instance(c->device, engine)};
        error = copy_to_user(a->value + sizeof none + i * sizeof e, &e, sizeof e);
    }
    return error;
}

/* ---- Parameters ---- */

static int check_sseu(struct context *c, const struct drm_i915_gem_context_param *a, bool fill)
{
    const struct topology *t = c->device->sheet->gt->topology;
    struct drm_i915_gem_context_param_sseu s;
    if (a->size < sizeof s)
        return fill && !a->size ? 0 : -EINVAL;
    int error = copy_from_user(&s, a->value, sizeof s);
    if (error)
        return error;
    if (s.flags & ~I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX || s.rsvd || !t)
        return t ? -EINVAL : -ENODEV;
    if (fill) {
        s.slice_mask = t->slices;
        s.subslice_mask = t->subslices;
        s.min_eus_per_subslice = s.max_eus_per_subslice = (uint16_t)__builtin_popcount(t->units);
        return copy_to_user(a->value, &s, sizeof s);
    }
    return s.slice_mask & ~(uint64_t)t->slices || s.subslice_mask & ~(uint64_t)t->subslices ||
                   !s.slice_mask || !s.subslice_mask || s.min_eus_per_subslice > s.max_eus_per_subslice
               ? -EINVAL
               : 0;
}

static int set_space(const struct drm_file *n, struct context *c, const struct drm_i915_gem_context_param *a)
{
    struct gpu_vm *s = a->value > UINT32_MAX ? NULL : handle_lookup(&n->vms, (uint32_t)a->value);
    if (a->size || a->value > UINT32_MAX)
        return -EINVAL;
    if (c->is_used) /* jobs and image have the tables of the space (Linux, ctx_setparam) */
        return -EINVAL;
    if (!s)
        return -ENOENT;
    vm_get(s);
    vm_put(c->vm);
    c->vm = s;
    return 0;
}

static int set_parameter(const struct drm_file *n, struct context *c,
                         const struct drm_i915_gem_context_param *a)
{
    switch (a->param) {
    case I915_CONTEXT_PARAM_ENGINES:
        return set_engines(c, a);
    case I915_CONTEXT_PARAM_SSEU:
        return check_sseu(c, a, false);
    case I915_CONTEXT_PARAM_VM:
        return set_space(n, c, a);
    default:
        break;
    }
    if (a->size)
        return -EINVAL;
    switch (a->param) {
    case I915_CONTEXT_PARAM_PRIORITY:
        if ((int64_t)a->value > I915_CONTEXT_MAX_USER_PRIORITY ||
            (int64_t)a->value < I915_CONTEXT_MIN_USER_PRIORITY)
            return -EINVAL;
        if ((int64_t)a->value > I915_CONTEXT_DEFAULT_PRIORITY && !capable())
            return -EPERM;
        c->priority = (int64_t)a->value;
        return 0;
    case I915_CONTEXT_PARAM_RECOVERABLE:
        c->not_recoverable = !a->value;
        return 0;
    case I915_CONTEXT_PARAM_BANNABLE:
        if (!a->value && !capable())
            return -EPERM;
        c->not_bannable = !a->value;
        return 0;
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
        c->no_error_capture = a->value;
        return 0;
    case I915_CONTEXT_PARAM_PERSISTENCE:
        c->not_persistent = !a->value;
        return 0;
    case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
        return a->value ? -ENODEV : 0;
    default: /* also obsolete ones: ban period, ring size */
        return -EINVAL;
    }
}

int i915_context_setparam(const struct ioctl_call *c)
{
    const struct drm_i915_gem_context_param *a = c->argument;
    struct context *x = i915_context_lookup(c->file, a->ctx_id);
    return x ? set_parameter(c->file, x, a) : -ENOENT;
}

int i915_context_getparam(const struct ioctl_call *c)
{
    struct drm_i915_gem_context_param *a = c->argument;
    struct context *x = i915_context_lookup(c->file, a->ctx_id);
    if (!x)
        return -ENOENT;
    switch (a->param) {
    case I915_CONTEXT_PARAM_ENGINES:
        return get_engines(x, a);
    case I915_CONTEXT_PARAM_SSEU: {
        const int error = check_sseu(x, a, true);
        a->size = sizeof(struct drm_i915_gem_context_param_sseu);
        return error;
    }
    case I915_CONTEXT_PARAM_VM: {
        const uint32_t name = handle_create(&c->file->vms, x->vm);
        if (!name)
            return -ENOMEM;
        vm_get(x->vm);
        a->value = name;
        break;
    }
    case I915_CONTEXT_PARAM_GTT_SIZE:
        a->value = i915_vm_end(x->device);
        break;
    case I915_CONTEXT_PARAM_PRIORITY:
        a->value = (uint64_t)x->priority;
        break;
    case I915_CONTEXT_PARAM_RECOVERABLE:
        a->value = !x->not_recoverable;
        break;
    case I915_CONTEXT_PARAM_BANNABLE:
        a->value = !x->not_bannable;
        break;
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
        a->value = x->no_error_capture;
        break;
    case I915_CONTEXT_PARAM_PERSISTENCE:
        a->value = !x->not_persistent;
        break;
    case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
        a->value = 0;
        break;
    default:
        return -EINVAL;
    }
    a->size = 0;
    return 0;
}

/* ---- Calls ---- */

int i915_context_create(const struct ioctl_call *c)
{
    struct drm_i915_gem_context_create_ext *a = c->argument;
    const uint32_t known =
        I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS | I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE;
    if (a->flags & ~known)
        return -EINVAL;
    struct gpu_vm *s = vm_create(c->file->device, true);
    struct context *x = s ? context_create(c->file->device, s) : NULL;
    if (!x) {
        vm_put(s);
        return -ENOMEM;
    }
    int error = 0;
    uint64_t at = a->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS ? a->extensions : 0;
    for (unsigned left = 64; at && !error; left--) {
        struct drm_i915_gem_context_create_ext_setparam e;
        error = left ? copy_from_user(&e, at, sizeof e.base) : -E2BIG;
        if (!error && e.base.name != I915_CONTEXT_CREATE_EXT_SETPARAM)
            error = -EINVAL;
        if (!error)
            error = copy_from_user(&e, at, sizeof e);
        if (!error)
            error = e.param.ctx_id ? -EINVAL : set_parameter(c->file, x, &e.param);
        at = error ? 0 : e.base.next_extension;
    }
    const uint32_t name = error ? 0 : handle_create(&c->file->contexts, x);
    if (!name) {
        context_put(x);
        return error ? error : -ENOMEM;
    }
    a->ctx_id = name - 1;
    return 0;
}

int i915_context_destroy(const struct ioctl_call *c)
{
    const struct drm_i915_gem_context_destroy *a = c->argument;
    if (a->pad)
        return -EINVAL;
    struct context *x = a->ctx_id ? handle_delete(&c->file->contexts, a->ctx_id + 1) : NULL;
    context_put(x);
    return x ? 0 : -ENOENT;
}

int i915_vm_create(const struct ioctl_call *c)
{
    struct drm_i915_gem_vm_control *a = c->argument;
    const int error = a->flags ? -EINVAL : i915_no_extensions(a->extensions);
    if (error)
        return error;
    struct gpu_vm *s = vm_create(c->file->device, true);
    a->vm_id = s ? handle_create(&c->file->vms, s) : 0;
    if (a->vm_id)
        return 0;
    vm_put(s);
    return -ENOMEM;
}

int i915_vm_destroy(const struct ioctl_call *c)
{
    const struct drm_i915_gem_vm_control *a = c->argument;
    if (a->flags || a->extensions)
        return -EINVAL;
    struct gpu_vm *s = handle_delete(&c->file->vms, a->vm_id);
    vm_put(s);
    return s ? 0 : -ENOENT;
}

int i915_reset_stats(const struct ioctl_call *c)
{
    struct drm_i915_reset_stats *a = c->argument;
    if (a->flags || a->pad)
        return -EINVAL;
    const struct context *x = i915_context_lookup(c->file, a->ctx_id);
    if (!x)
        return -ENOENT;
    a->reset_count = 0; /* the count of all contexts needs rights */
    a->batch_active = x->guilty_hangs;
    a->batch_pending = x->innocent_hangs;
    return 0;
}
