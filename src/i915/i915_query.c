/* DRM_I915_QUERY: a program asks for an item's length first, then for the item. */
#include <drm.h>
#include <i915_drm.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "i915/i915.h"

enum { ITEM_BYTES = 4096 };

/* Each writes an item of at most ITEM_BYTES to `to` and returns its length, or -errno. */
typedef int (*item_function)(const struct shim_device *g, const struct drm_i915_query_item *item,
                             uint8_t *to);

static void put_mask(uint8_t *to, uint32_t mask, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(mask >> i * 8);
}

static int topology(const struct shim_device *g, const struct drm_i915_query_item *item, uint8_t *to)
{
    const struct topology *t = g->sheet->gt->topology;
    if (!t)
        return -ENODEV;
    if (item->query_id == DRM_I915_QUERY_TOPOLOGY_INFO && item->flags)
        return -EINVAL;
    struct drm_i915_query_topology_info *i = (void *)to;
    const unsigned slice_bytes = (t->most_slices + 7u) / 8, subslice_bytes = (t->most_subslices + 7u) / 8,
                   unit_bytes = (t->most_units + 7u) / 8;
    *i = (struct drm_i915_query_topology_info){.max_slices = t->most_slices,
                                               .max_subslices = t->most_subslices,
                                               .max_eus_per_subslice = t->most_units,
                                               .subslice_offset = (uint16_t)slice_bytes,
                                               .subslice_stride = (uint16_t)subslice_bytes,
                                               .eu_offset =
                                                   (uint16_t)(slice_bytes + t->most_slices * subslice_bytes),
                                               .eu_stride = (uint16_t)unit_bytes};
    put_mask(i->data, t->slices, slice_bytes);
    for (unsigned s = 0; s < t->most_slices; s++) {
        const uint32_t subslices = t->slices >> s & 1u ? t->subslices : 0;
        put_mask(i->data + i->subslice_offset + s * subslice_bytes, subslices, subslice_bytes);
        for (unsigned n = 0; n < t->most_subslices; n++)
            put_mask(i->data + i->eu_offset + (s * t->most_subslices + n) * unit_bytes,
                     subslices >> n & 1u ? t->units : 0, unit_bytes);
    }
    return (int)(sizeof *i + i->eu_offset + (size_t)t->most_slices * t->most_subslices * unit_bytes);
}

/* For the render engine: geometry and compute may have different subslices. */
static int geometry(const struct shim_device *g, const struct drm_i915_query_item *item, uint8_t *to)
{
    if (!g->sheet->memory.local_bytes)
        return -ENODEV;
    return (item->flags & 0xffff) == I915_ENGINE_CLASS_RENDER ? topology(g, item, to) : -EINVAL;
}

static int engines(const struct shim_device *g, const struct drm_i915_query_item *item, uint8_t *to)
{
    struct drm_i915_query_engine_info *all = (void *)to;
    if (item->flags)
        return -EINVAL;
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        struct drm_i915_engine_info *e = &all->engines[all->num_engines++];
        e->engine.engine_class = (uint16_t)user_class(g->sheet->engines[i].class);
        e->engine.engine_instance = (uint16_t)user_instance(g, i);
        e->flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
        e->logical_instance = e->engine.engine_instance;
    }
    return (int)(sizeof *all + all->num_engines * sizeof all->engines[0]);
}

static int memory(const struct shim_device *g, const struct drm_i915_query_item *item, uint8_t *to)
{
    struct drm_i915_query_memory_regions *all = (void *)to;
    const uint64_t size_bytes = UINT64_C(4) << 30;
    if (item->flags)
        return -EINVAL;
    const uint32_t count = g->local_bytes ? 2 : 1;
    for (; all->num_regions < count; all->num_regions++) {
        struct drm_i915_memory_region_info *r = &all->regions[all->num_regions];
        r->region.memory_class =
            (uint16_t)(all->num_regions ? I915_MEMORY_CLASS_DEVICE : I915_MEMORY_CLASS_SYSTEM);
        r->probed_size = size_bytes;
        r->unallocated_size = size_bytes;
        r->probed_cpu_visible_size = r->unallocated_cpu_visible_size = size_bytes;
    }
    return (int)(sizeof *all + all->num_regions * sizeof all->regions[0]);
}

static int hardware(const struct shim_device *g, const struct drm_i915_query_item *item, uint8_t *to)
{
    const struct guc_info *guc = g->sheet->guc;
    if (item->flags)
        return -EINVAL;
    if (!guc || !guc->config || guc->config_dw * 4u > ITEM_BYTES)
        return -ENODEV;
    memcpy(to, guc->config, guc->config_dw * 4u);
    return (int)guc->config_dw * 4;
}

static const struct {
    uint64_t id;
    item_function give;
} items[] = {{DRM_I915_QUERY_TOPOLOGY_INFO, topology},
             {DRM_I915_QUERY_ENGINE_INFO, engines},
             {DRM_I915_QUERY_MEMORY_REGIONS, memory},
             {5 /* HWCONFIG_BLOB */, hardware},
             {6 /* GEOMETRY_SUBSLICES */, geometry}};

static int one(const struct shim_device *g, const struct drm_i915_query_item *item)
{
    uint64_t room[ITEM_BYTES / 8] = {0};
    for (unsigned i = 0; i < sizeof items / sizeof items[0]; i++) {
        if (items[i].id != item->query_id)
            continue;
        const int bytes = items[i].give(g, item, (uint8_t *)room);
        if (bytes < 0 || !item->length)
            return bytes;
        if (item->length < bytes)
            return -EINVAL;
        const int error = copy_to_user(item->data_ptr, room, (size_t)bytes);
        return error ? error : bytes;
    }
    return item->query_id == DRM_I915_QUERY_PERF_CONFIG || item->query_id == 7 /* GuC's version */ ? -ENODEV
                                                                                                   : -EINVAL;
}

int i915_query(const struct ioctl_call *c)
{
    const struct drm_i915_query *a = c->argument;
    int error;
    if (a->flags)
        return -EINVAL;
    struct drm_i915_query_item *all = memdup_array_user(a->items_ptr, a->num_items, sizeof *all, &error);
    uint32_t done = 0;
    for (; all && !error && done < a->num_items; done++) {
        all[done].length = one(c->file->device, &all[done]);
        error = all[done].query_id ? 0 : -EINVAL;
    }
    const int write_error = all ? copy_to_user(a->items_ptr, all, done * sizeof *all) : 0;
    free(all);
    return error ? error : write_error;
}
