/* Address spaces: a sorted list of vmas, and the page tables for them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drm/drm_core.h"

struct gpu_vm *vm_create(struct shim_device *g, bool scratch)
{
    static uint64_t last_id;
    struct gpu_vm *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->references = 1;
    s->id = ++last_id;
    s->device = g;
    s->driver = scratch ? &g->driver : &g->bare_driver;
    if (!driver_ppgtt_make(s->driver, &s->ppgtt, 0)) {
        free(s);
        return NULL;
    }
    g->references++;
    s->next = g->vms;
    g->vms = s;
    return s;
}

struct gpu_vm *vm_get(struct gpu_vm *s)
{
    s->references++;
    return s;
}

void vm_put(struct gpu_vm *s)
{
    if (!s || --s->references)
        return;
    struct shim_device *g = s->device;
    struct gpu_vm **at = &g->vms;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    for (unsigned i = 0; i < MAX_ENGINES; i++)
        if (g->engines[i].loaded_vm == s)
            g->engines[i].loaded_vm = NULL;
    driver_ppgtt_end(s->driver, &s->ppgtt);
    for (uint32_t i = 0; i < s->vma_count; i++)
        if (s->vmas[i].holds_reference)
            gem_put(s->vmas[i].object);
    fence_put(s->last_bind_fence);
    fence_put(s->last_split_fence);
    free(s->vmas);
    free(s);
    shim_device_put(g);
}

/* The index of the first vma that ends after the address. */
static uint32_t vma_at(const struct gpu_vm *s, uint64_t address)
{
    uint32_t low = 0, high = s->vma_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (s->vmas[middle].address + s->vmas[middle].size_bytes > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool vm_unmap_splits_vma(const struct gpu_vm *s, uint64_t address, uint64_t size_bytes)
{
    const uint32_t first = vma_at(s, address),
                   last = size_bytes ? vma_at(s, address + size_bytes - 1u) : s->vma_count;
    const bool before = first < s->vma_count && s->vmas[first].address < address;
    const struct vma *const b = last < s->vma_count ? &s->vmas[last] : NULL;
    return size_bytes && (before || (b && b->address < address + size_bytes &&
                                     b->address + b->size_bytes > address + size_bytes));
}

static bool vma_reserve(struct gpu_vm *s)
{
    if (s->vma_count < s->vma_capacity)
        return true;
    const uint32_t room = s->vma_capacity ? s->vma_capacity * 2 : 64;
    struct vma *bindings = realloc(s->vmas, room * sizeof *bindings);
    if (!bindings)
        return false;
    s->vmas = bindings;
    s->vma_capacity = room;
    return true;
}

static void vma_insert(struct gpu_vm *s, uint32_t at, const struct vma *b)
{
    memmove(s->vmas + at + 1, s->vmas + at, (s->vma_count - at) * sizeof *s->vmas);
    s->vmas[at] = *b;
    s->vma_count++;
}

static void vma_remove_range(struct gpu_vm *s, uint32_t at)
{
    const struct vma b = s->vmas[at];
    memmove(s->vmas + at, s->vmas + at + 1, (s->vma_count - at - 1) * sizeof *s->vmas);
    s->vma_count--;
    if (b.holds_reference)
        gem_put(b.object);
}

int vm_unmap(struct gpu_vm *s, uint64_t address, uint64_t size_bytes)
{
    const uint64_t end = address + size_bytes;
    uint32_t at = vma_at(s, address);
    while (at < s->vma_count && s->vmas[at].address < end) {
        struct vma before = s->vmas[at], behind = before;
        const uint64_t its_end = before.address + before.size_bytes,
                       from = before.address > address ? before.address : address,
                       to = its_end < end ? its_end : end;
        if (from > before.address && to < its_end && !vma_reserve(s))
            return -ENOMEM;
        driver_unmap(s->driver, &s->ppgtt, from, to - from);
        before.size_bytes = from - before.address;
        behind.size_bytes = its_end - to;
        behind.object_offset += to - behind.address;
        behind.address = to;
        if (!before.size_bytes && !behind.size_bytes) {
            vma_remove_range(s, at);
            continue;
        }
        s->vmas[at++] = before.size_bytes ? before : behind;
        if (before.size_bytes && behind.size_bytes) {
            if (behind.holds_reference)
                gem_get(behind.object);
            vma_insert(s, at++, &behind);
        }
    }
    return 0;
}

int vm_map(struct gpu_vm *s, const struct vma *b)
{
    const int error = vm_unmap(s, b->address, b->size_bytes);
    if (error || !vma_reserve(s))
        return -ENOMEM;
    bool mapped;
    if (!b->object)
        mapped = driver_map_nothing(s->driver, &s->ppgtt, b->address, DRIVER_BUS + s->device->null_page,
                                    b->size_bytes);
    else if (b->read_only)
        mapped = driver_map_read_only(s->driver, &s->ppgtt, b->address,
                                      b->object->bus_address + b->object_offset, b->size_bytes);
    else
        mapped = driver_map(s->driver, &s->ppgtt, b->address, b->object->bus_address + b->object_offset,
                            b->size_bytes, PAGE_BYTES);
    if (!mapped)
        return -ENOMEM;
    if (b->holds_reference)
        gem_get(b->object);
    vma_insert(s, vma_at(s, b->address), b);
    return 0;
}

bool vm_range_is_idle(const struct gpu_vm *s, const struct gem_object *o, uint64_t address)
{
    for (uint32_t at = vma_at(s, address); at < s->vma_count && s->vmas[at].address < address + o->size_bytes;
         at++) {
        const struct dma_fence *last = s->vmas[at].object->last_fence;
        if (s->vmas[at].object != o && last && !last->signaled)
            return false;
    }
    return true;
}

int vm_bind_object(struct gpu_vm *s, struct gem_object *o, uint64_t address)
{
    uint32_t at = vma_at(s, address);
    if (at < s->vma_count && s->vmas[at].object == o && s->vmas[at].address == address)
        return 0;
    int error = 0;
    while (!error && at < s->vma_count && s->vmas[at].address < address + o->size_bytes)
        error = vm_unmap(s, s->vmas[at].address, s->vmas[at].size_bytes);
    const struct vma b = {.address = address, .size_bytes = o->size_bytes, .object = o};
    return error ? error : vm_map(s, &b);
}

static bool is_free(const struct gpu_vm *s, uint64_t address, uint64_t size_bytes, uint64_t alignment,
                    uint64_t end)
{
    const uint32_t at = vma_at(s, address);
    return address % alignment == 0 && size_bytes <= end && address <= end - size_bytes &&
           (at == s->vma_count || s->vmas[at].address >= address + size_bytes);
}

uint64_t vm_find_address(struct gpu_vm *s, struct gem_object *o, uint64_t hint, uint64_t alignment,
                         uint64_t least, uint64_t end)
{
    if (alignment < PAGE_BYTES)
        alignment = PAGE_BYTES;
    for (uint32_t i = 0; i < s->vma_count; i++) {
        const struct vma *b = &s->vmas[i];
        if (b->object == o && b->address % alignment == 0 && b->address >= least &&
            b->address + b->size_bytes <= end)
            return b->address;
    }
    if (hint >= least && is_free(s, hint, o->size_bytes, alignment, end))
        return hint;
    /* A page stays free at the start and after each vma. */
    uint64_t address = alignment < 16 * PAGE_BYTES ? 16 * PAGE_BYTES : alignment;
    if (address < least)
        address = (least + alignment - 1) / alignment * alignment;
    for (uint32_t i = 0;; i++) {
        const uint64_t next = i < s->vma_count ? s->vmas[i].address : end;
        if (next >= address && next - address >= o->size_bytes && next <= end)
            return address;
        if (i >= s->vma_count || s->vmas[i].address >= end)
            return UINT64_MAX;
        const uint64_t behind = s->vmas[i].address + s->vmas[i].size_bytes;
        address = address > behind ? address : (behind + alignment - 1) / alignment * alignment;
    }
}

bool vm_has_object(const struct gpu_vm *s, const struct gem_object *o)
{
    for (uint32_t i = 0; i < s->vma_count; i++)
        if (s->vmas[i].object == o)
            return true;
    return false;
}

int vm_unmap_object(struct gpu_vm *s, const struct gem_object *o)
{
    int error = 0;
    for (uint32_t i = s->vma_count; i-- > 0 && !error;)
        if (s->vmas[i].object == o)
            error = vm_unmap(s, s->vmas[i].address, s->vmas[i].size_bytes);
    return error;
}

void vms_unmap_object(struct shim_device *g, const struct gem_object *o)
{
    for (struct gpu_vm *s = g->vms; s; s = s->next)
        vm_unmap_object(s, o);
}
