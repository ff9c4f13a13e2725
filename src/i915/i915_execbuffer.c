/* DRM_I915_GEM_EXECBUFFER2: binds objects, applies relocations, and submits the batch with its fences. */
#include <drm.h>
#include <i915_drm.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "i915/i915.h"

enum { MOST_OBJECTS = 1 << 20, MOST_FENCES = 1 << 16 };

/* An entry of a fence array or of a timeline. */
struct signal {
    struct syncobj *syncobj;
    uint64_t point;
};

struct submission_call {
    const struct drm_file *connection;
    struct shim_device *gpu;
    struct drm_i915_gem_execbuffer2 *a;
    struct drm_i915_gem_exec_object2 *objects;
    struct context *context;
    struct gpu_job *request;
    struct signal *signals;
    uint32_t signal_count;
};

/* ---- The engine slot ---- */

static int find_slot(const struct submission_call *s)
{
    const struct shim_device *g = s->gpu;
    const unsigned selected = s->a->flags & I915_EXEC_RING_MASK,
                   video = (unsigned)((s->a->flags & I915_EXEC_BSD_MASK) >> I915_EXEC_BSD_SHIFT);
    if (s->context->engine_map) {
        if (s->a->flags & I915_EXEC_BSD_MASK || selected >= s->context->engine_count ||
            s->context->engine_map[selected] == UINT8_MAX)
            return -EINVAL;
        return (int)selected;
    }
    static const uint8_t classes[] = {[I915_EXEC_DEFAULT] = I915_ENGINE_CLASS_RENDER,
                                      [I915_EXEC_RENDER] = I915_ENGINE_CLASS_RENDER,
                                      [I915_EXEC_BSD] = I915_ENGINE_CLASS_VIDEO,
                                      [I915_EXEC_BLT] = I915_ENGINE_CLASS_COPY,
                                      [I915_EXEC_VEBOX] = I915_ENGINE_CLASS_VIDEO_ENHANCE};
    const bool two = user_engine(g, I915_ENGINE_CLASS_VIDEO, 1) >= 0; /* otherwise there is no choice */
    if (selected > I915_EXEC_VEBOX || (video && selected != I915_EXEC_BSD) || (two && video > 2))
        return -EINVAL;
    const int engine = user_engine(g, classes[selected], two && video == 2);
    return engine < 0 ? -EINVAL : engine;
}

/* ---- Addresses of objects ---- */

static uint64_t canonical(uint64_t address)
{
    return (uint64_t)((int64_t)(address << 16) >> 16);
}

static uint64_t plain(const struct shim_device *g, uint64_t address)
{
    return address & ((UINT64_C(1) << (g->sheet->memory.address_bits < 48 ? 32 : 48)) - 1);
}

static struct gem_object *object_of(const struct submission_call *s, uint32_t handle)
{
    return handle_lookup(&s->connection->objects, handle);
}

struct place {
    const struct gpu_vm *space;
    const struct gem_object *object;
    uint64_t address;
};

static bool is_idle_there(void *user)
{
    const struct place *p = user;
    return vm_range_is_idle(p->space, p->object, p->address);
}

static bool all_jobs_are_done(void *user)
{
    const struct shim_device *const g = user;
    bool done = true;
    for (unsigned i = 0; i < MAX_ENGINES; i++)
        done &= !g->engines[i].first_job;
    return done;
}

static bool ggtt_maps_object(const struct shim_device *g, const struct gem_object *o, uint64_t address)
{
    const struct page_table_format *const format = g->sheet->memory.format;
    const unsigned bytes = format->ggtt_entry_bytes;
    bool same = true;
    for (uint64_t at = 0; same && at < o->size_bytes; at += PAGE_BYTES) {
        const uint64_t wanted = format->encode(
            &(struct page_entry){.physical = o->bus_address + at, .present = true, .is_ggtt = true});
        same = memcmp(g->ggtt_table + (address + at) / PAGE_BYTES * bytes, &wanted, bytes) == 0;
    }
    return same;
}

/* Gen6 writes results of PIPE_CONTROL through the GGTT only: i915 binds such objects there, too, at the same
 * address. Jobs that may use what was there end first. */
static int bind_in_ggtt(struct shim_device *g, const struct gem_object *o, uint64_t address)
{
    const uint64_t end = g->sheet->info.ggtt_bytes / g->sheet->memory.format->ggtt_entry_bytes * PAGE_BYTES;
    if (address < DRIVER_BYTES || address > end || o->size_bytes > end - address)
        return -ENOSPC;
    if (ggtt_maps_object(g, o, address))
        return 0;
    gpu_wait(g, all_jobs_are_done, g, INT64_MAX);
    driver_map_ggtt(&g->driver, address, o->bus_address, o->size_bytes);
    return 0;
}

static int place_objects(struct submission_call *s)
{
    struct gpu_job *r = s->request;
    const uint64_t end = i915_vm_end(s->gpu), low_end = end < UINT64_C(1) << 32 ? end : UINT64_C(1) << 32;
    r->objects =
        calloc(s->a->buffer_count + 1u, sizeof(struct gem_object *)); /* room for a copy of the batch */
    if (!r->objects)
        return -ENOMEM;
    for (uint32_t i = 0; i < s->a->buffer_count; i++) {
        struct drm_i915_gem_exec_object2 *e = &s->objects[i];
        struct gem_object *o = object_of(s, e->handle);
        if (!o)
            return -ENOENT;
        if (!gem_userptr_revalidate(o))
            return -EFAULT;
        if (e->flags & (uint64_t)__EXEC_OBJECT_UNKNOWN_FLAGS || e->alignment & (e->alignment - 1))
            return -EINVAL;
        uint64_t address = plain(s->gpu, e->offset);
        if (e->flags & EXEC_OBJECT_PINNED) {
            if (e->offset != canonical(address) || address % PAGE_BYTES)
                return -EINVAL;
            if (address > end || o->size_bytes > end - address)
                return -ENOSPC;
        } else {
            address = vm_find_address(s->context->vm, o, address, e->alignment,
                                      e->flags & EXEC_OBJECT_NEEDS_GTT ? DRIVER_BYTES : 0,
                                      e->flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS ? end : low_end);
            if (address == UINT64_MAX)
                return -ENOSPC;
        }
        r->objects[r->object_count++] = gem_get(o);
        struct place place = {s->context->vm, o, address};
        if (!is_idle_there(&place))
            gpu_wait(s->gpu, is_idle_there, &place, INT64_MAX);
        int error = vm_bind_object(s->context->vm, o, address);
        if (!error && e->flags & EXEC_OBJECT_NEEDS_GTT)
            error = bind_in_ggtt(s->gpu, o, address);
        if (error)
            return error;
        e->rsvd2 = e->offset != canonical(address); /* the program must learn of it */
        e->offset = canonical(address);
    }
    return 0;
}

/* Objects are bound one by one: a later one may have evicted an earlier one. */
static int all_are_there(const struct submission_call *s)
{
    for (uint32_t i = 0; i < s->a->buffer_count; i++) {
        const uint64_t address = plain(s->gpu, s->objects[i].offset);
        for (uint32_t j = i + 1; j < s->a->buffer_count && s->a->buffer_count < 64; j++)
            if (plain(s->gpu, s->objects[j].offset) < address + s->request->objects[i]->size_bytes &&
                address < plain(s->gpu, s->objects[j].offset) + s->request->objects[j]->size_bytes)
                return -EINVAL;
    }
    return 0;
}

static int relocate(struct submission_call *s, uint32_t index)
{
    const struct drm_i915_gem_exec_object2 *e = &s->objects[index];
    const unsigned bytes = s->gpu->sheet->memory.format->ggtt_entry_bytes;
    struct gem_object *o = s->request->objects[index];
    int error;
    struct drm_i915_gem_relocation_entry *all =
        memdup_array_user(e->relocs_ptr, e->relocation_count, sizeof *all, &error);
    bool changed = false;
    for (uint32_t i = 0; all && !error && i < e->relocation_count; i++) {
        struct drm_i915_gem_relocation_entry *r = &all[i];
        uint32_t target = r->target_handle;
        if (!(s->a->flags & I915_EXEC_HANDLE_LUT))
            for (target = 0; target < s->a->buffer_count && s->objects[target].handle != r->target_handle;)
                target++;
        if (target >= s->a->buffer_count)
            error = -ENOENT;
        else if (r->offset > o->size_bytes - bytes || r->offset % 4 || o->read_only)
            error = -EINVAL;
        if (error)
            break;
        const uint64_t place = s->objects[target].offset;
        if (r->presumed_offset == place && s->a->flags & I915_EXEC_NO_RELOC)
            continue;
        const uint64_t value = canonical(place + r->delta);
        if (o->is_user)
            error = copy_to_user((uintptr_t)o->host + r->offset, &value, bytes);
        else
            memcpy(o->host + r->offset, &value, bytes);
        r->presumed_offset = place;
        changed = true;
    }
    if (!error && changed)
        error = copy_to_user(e->relocs_ptr, all, e->relocation_count * sizeof *all);
    free(all);
    return error;
}

/* ---- Fences ---- */

static int take_fence(struct submission_call *s, uint32_t handle, uint32_t flags, uint64_t point)
{
    if (flags & (uint32_t)__I915_EXEC_FENCE_UNKNOWN_FLAGS)
        return -EINVAL;
    struct syncobj *o = handle_lookup(&s->connection->syncobjs, handle);
    if (!o)
        return -ENOENT;
    if (flags & I915_EXEC_FENCE_WAIT) {
        struct dma_fence *f = syncobj_fence(o, point);
        const int error = f ? gpu_job_wait_for(s->request, f) : -EINVAL;
        if (error)
            return error;
    }
    if (flags & I915_EXEC_FENCE_SIGNAL)
        s->signals[s->signal_count++] = (struct signal){o, point};
    return 0;
}

static bool room_for_signals(struct submission_call *s, uint64_t count)
{
    struct signal *signals =
        count > MOST_FENCES ? NULL : realloc(s->signals, (s->signal_count + count + 1) * sizeof *signals);
    if (signals)
        s->signals = signals;
    return signals;
}

static int read_fence_array(struct submission_call *s)
{
    int error;
    const uint32_t count = s->a->num_cliprects;
    if (!room_for_signals(s, count))
        return -EINVAL;
    struct drm_i915_gem_exec_fence *all = memdup_array_user(s->a->cliprects_ptr, count, sizeof *all, &error);
    for (uint32_t i = 0; all && !error && i < count; i++)
        error = take_fence(s, all[i].handle, all[i].flags, 0);
    free(all);
    return error;
}

static int read_timeline(struct submission_call *s, uint64_t at)
{
    struct drm_i915_gem_execbuffer_ext_timeline_fences e;
    int error = copy_from_user(&e, at, sizeof e);
    if (error)
        return error;
    if (e.base.flags || !room_for_signals(s, e.fence_count))
        return -EINVAL;
    struct drm_i915_gem_exec_fence *all =
        memdup_array_user(e.handles_ptr, e.fence_count, sizeof *all, &error);
    uint64_t *points = all ? memdup_array_user(e.values_ptr, e.fence_count, sizeof *points, &error) : NULL;
    for (uint64_t i = 0; points && !error && i < e.fence_count; i++)
        error = take_fence(s, all[i].handle, all[i].flags, points[i]);
    free(all);
    free(points);
    return error;
}

static int read_extensions(struct submission_call *s)
{
    if (s->a->num_cliprects)
        return -EINVAL;
    uint64_t at = s->a->cliprects_ptr;
    for (unsigned left = 64; at; left--) {
        struct i915_user_extension e;
        int error = left ? copy_from_user(&e, at, sizeof e) : -E2BIG;
        if (!error)
            error = e.name == DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES ? read_timeline(s, at) : -EINVAL;
        if (error)
            return error;
        at = e.next_extension;
    }
    return 0;
}

static int read_fences(struct submission_call *s)
{
    int error = 0;
    if (s->a->flags & (I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT)) {
        const struct shim_fd *t = shim_fd_find((int)(s->a->rsvd2 & UINT32_MAX), SHIM_FD_FENCE);
        error = t ? gpu_job_wait_for(s->request, t->fence) : -EINVAL;
    }
    if (!error && s->a->flags & I915_EXEC_FENCE_ARRAY)
        error = read_fence_array(s);
    if (!error && s->a->flags & I915_EXEC_USE_EXTENSIONS)
        error = read_extensions(s);
    /* The job waits for the last user of each object, unless the program synchronizes itself. */
    for (uint32_t i = 0; !error && i < s->request->object_count; i++)
        if (!(s->objects[i].flags & EXEC_OBJECT_ASYNC))
            error = gpu_job_wait_for(s->request, s->request->objects[i]->last_fence);
    return error;
}

/* ---- All ---- */

static int check_objects(const struct drm_i915_gem_execbuffer2 *a)
{
    if (a->flags &
        ((uint64_t)__I915_EXEC_UNKNOWN_FLAGS | I915_EXEC_CONSTANTS_MASK | I915_EXEC_RESOURCE_STREAMER))
        return -EINVAL;
    if (!(a->flags & (I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS)) &&
        (a->num_cliprects || a->cliprects_ptr))
        return -EINVAL;
    if (a->DR1 || a->DR4 || (a->batch_start_offset | a->batch_len) % 8)
        return -EINVAL;
    if (!a->buffer_count || a->buffer_count > MOST_OBJECTS)
        return -EINVAL;
    if (a->flags & I915_EXEC_FENCE_IN && a->flags & I915_EXEC_FENCE_SUBMIT)
        return -EINVAL;
    return a->flags & I915_EXEC_SECURE ? -EPERM : 0;
}

static int read_batch(const struct submission_call *s, uint32_t index, uint8_t *to, uint64_t bytes)
{
    const struct gem_object *const o = s->request->objects[index];
    const uint8_t *const batch = o->host + s->a->batch_start_offset;
    if (o->is_user)
        return copy_from_user(to, (uintptr_t)batch, bytes);
    memcpy(to, batch, bytes);
    return 0;
}

/* Replaces the batch by a copy in the context's address space, which only the device reads, or fails. The job
 * owns the copy. */
static int check_copy(struct submission_call *s, uint32_t index, enum engine_class class)
{
    struct gpu_job *const r = s->request;
    struct gpu_vm *const space = s->context->vm;
    const uint64_t bytes =
        s->a->batch_len ? s->a->batch_len : r->objects[index]->size_bytes - s->a->batch_start_offset;
    struct gem_object *o;
    int error = gem_create(s->gpu, (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES, false, &o);
    if (error)
        return error;
    r->objects[r->object_count++] = o;
    error = read_batch(s, index, o->host, bytes);
    const uint64_t at = vm_find_address(space, o, UINT64_MAX, PAGE_BYTES, 0, i915_vm_end(s->gpu));
    if (!error && at == UINT64_MAX)
        error = -ENOSPC;
    if (!error && bytes / 4 > UINT32_MAX)
        error = -E2BIG;
    if (!error)
        error = i915_check_copy(s->gpu->sheet->checked, class, (uint32_t *)(void *)o->host,
                                (uint32_t)(bytes / 4), canonical(r->batch), canonical(at));
    if (!error)
        error = vm_map(
            space, &(struct vma){.address = at, .size_bytes = o->size_bytes, .object = o, .read_only = true});
    r->batch = at;
    return error;
}

/* Where hardware drops a command that the kernel allows: checks a copy that nobody can change, and runs it
 * privileged. */
static int check_batch(struct submission_call *s, uint32_t index)
{
    const struct shim_device *const g = s->gpu;
    struct gpu_job *const r = s->request;
    const enum engine_class class = g->sheet->engines[context_engine(s->context, r->slot)].class;
    const struct checked_register *const open =
        g->sheet->stores_registers ? i915_stored_registers : g->sheet->checked;
    const uint32_t bytes = s->a->batch_len;
    bool registers = false;
    if (g->sheet->must_be_checked)
        return g->sheet->must_be_checked >> class & 1u ? check_copy(s, index, class) : 0;
    if (!open || !bytes)
        return 0;
    const uint32_t copy = ggtt_alloc_pages(s->gpu, bytes);
    if (!copy)
        return -ENOMEM;
    int error = read_batch(s, index, g->driver_pages.memory + copy, bytes);
    if (!error)
        error = i915_check_batch(open, class, (const uint32_t *)(const void *)(g->driver_pages.memory + copy),
                                 bytes / 4, &registers);
    if (g->sheet->stores_registers && (error || !registers))
        error = -EACCES;
    if (error) {
        ggtt_free_pages(s->gpu, copy, bytes);
        return error == -EACCES ? 0 : error; /* hardware decides */
    }
    r->batch_copy = copy;
    r->batch_copy_bytes = bytes;
    r->batch = copy;
    return 0;
}

static int prepare(struct submission_call *s)
{
    int error;
    s->context = i915_context_lookup(s->connection, (uint32_t)(s->a->rsvd1 & I915_EXEC_CONTEXT_ID_MASK));
    if (!s->context)
        return -ENOENT;
    if (s->context->is_banned)
        return -EIO;
    const int slot = find_slot(s);
    if (slot < 0)
        return slot;
    s->objects = memdup_array_user(s->a->buffers_ptr, s->a->buffer_count, sizeof *s->objects, &error);
    if (!s->objects)
        return error ? error : -ENOMEM;
    struct gpu_job *r = s->request = calloc(1, sizeof *r);
    if (!r || !(r->done_fence = fence_create())) {
        free(r);
        s->request = NULL;
        return -ENOMEM;
    }
    r->context = context_get(s->context);
    r->slot = (unsigned)slot;
    s->context->is_used = true;
    error = place_objects(s);
    if (!error)
        error = all_are_there(s);
    for (uint32_t i = 0; !error && i < s->a->buffer_count; i++)
        error = s->objects[i].relocation_count ? relocate(s, i) : 0;
    if (!error)
        error = read_fences(s);
    const uint32_t batch = s->a->flags & I915_EXEC_BATCH_FIRST ? 0 : s->a->buffer_count - 1;
    if (!error && s->a->batch_start_offset >= r->objects[batch]->size_bytes)
        error = -EINVAL;
    if (!error && s->a->batch_len > r->objects[batch]->size_bytes - s->a->batch_start_offset)
        error = -EINVAL;
    r->batch = plain(s->gpu, s->objects[batch].offset) + s->a->batch_start_offset;
    return error ? error : check_batch(s, batch);
}

static int submit(struct submission_call *s)
{
    struct gpu_job *r = s->request;
    int fence = -1;
    if (s->a->flags & I915_EXEC_FENCE_OUT && (fence = shim_fd_add_fence(r->done_fence)) < 0)
        return fence;
    for (uint32_t i = 0; i < s->signal_count; i++)
        syncobj_add(s->signals[i].syncobj, s->signals[i].point, r->done_fence);
    for (uint32_t i = 0; i < r->object_count; i++) {
        fence_put(r->objects[i]->last_fence);
        r->objects[i]->last_fence = fence_get(r->done_fence);
    }
    s->request = NULL;
    gpu_submit(s->gpu, context_engine(r->context, r->slot), r);
    for (uint32_t i = 0; i < s->a->buffer_count; i++) {
        const uint64_t at =
            s->a->buffers_ptr + i * sizeof *s->objects + offsetof(struct drm_i915_gem_exec_object2, offset);
        if (s->objects[i].rsvd2 && copy_to_user(at, &s->objects[i].offset, sizeof s->objects[i].offset))
            break; /* the job runs: the program keeps the old addresses */
    }
    if (fence >= 0)
        s->a->rsvd2 = (s->a->rsvd2 & UINT32_MAX) | (uint64_t)(uint32_t)fence << 32;
    return 0;
}

int i915_execbuffer2(const struct ioctl_call *c)
{
    struct submission_call s = {.connection = c->file, .gpu = c->file->device, .a = c->argument};
    int error = check_objects(s.a);
    if (!error)
        error = prepare(&s);
    if (!error)
        error = submit(&s);
    if (s.request)
        gpu_job_free(s.request);
    free(s.objects);
    free(s.signals);
    return error;
}
