/* DEVICE_QUERY: a program asks for an answer's length first, then for the answer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "xe/xe.h"

enum { ANSWER_BYTES = 4096, REGION_GB = 4 };

/* Each writes an answer of at most ANSWER_BYTES to `to`, which holds the program's input, and returns its
 * length, or -errno. */
typedef int (*answer_function)(struct shim_device *g, uint8_t *to);

/* The driver keeps an engine for itself, the last of its class, and that of the GSC. */
static bool is_reserved(const struct shim_device *g, unsigned engine)
{
    const char *name = g->sheet->xe->reserved_engine;
    return g->sheet->engines[engine].class == CLASS_OTHER ||
           (name && strcmp(g->sheet->engines[engine].name, name) == 0);
}

unsigned xe_gt_count(const struct shim_device *g)
{
    return g->sheet->media ? 2 : 1;
}

static unsigned gt_of(const struct shim_device *g, unsigned engine)
{
    return g->sheet->media && engine >= g->sheet->media->first_engine;
}

int xe_find_engine(const struct shim_device *g, const struct xe_engine *e)
{
    const int engine = user_engine(g, e->class, e->instance);
    return engine < 0 || gt_of(g, (unsigned)engine) != e->gt || is_reserved(g, (unsigned)engine) ? -1
                                                                                                 : engine;
}

static int engines(struct shim_device *g, uint8_t *to)
{
    struct xe_list *list = (void *)to;
    struct xe_engine_answer *e = (void *)(list + 1);
    memset(to, 0, ANSWER_BYTES);
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
        if (is_reserved(g, i))
            continue;
        e->engine.class = (uint16_t)user_class(g->sheet->engines[i].class);
        e->engine.instance = (uint16_t)user_instance(g, i);
        e->engine.gt = (uint16_t)gt_of(g, i);
        list->count++;
        e++;
    }
    return (int)((uint8_t *)e - to);
}

static int regions(struct shim_device *g, uint8_t *to)
{
    struct xe_list *list = (void *)to;
    struct xe_region *r = (void *)(list + 1);
    memset(to, 0, ANSWER_BYTES);
    for (; xe_regions(g) >> list->count; list->count++, r++) {
        r->class = r->instance = (uint16_t)list->count;
        r->min_page_bytes = list->count ? xe_local_page_bytes(g) : PAGE_BYTES;
        r->total_bytes = (uint64_t)REGION_GB << 30;
        r->visible_bytes = list->count ? r->total_bytes : 0;
    }
    return (int)((uint8_t *)r - to);
}

static int configuration(struct shim_device *g, uint8_t *to)
{
    struct xe_list *list = (void *)to;
    uint64_t *values = (void *)(list + 1);
    *list = (struct xe_list){.count = XE_CONFIGS};
    values[XE_CONFIG_DEVICE] = g->sheet->info.pci_device_id | (uint32_t)g->sheet->info.pci_revision << 16;
    values[XE_CONFIG_FLAGS] = (g->local_bytes ? XE_CONFIG_HAS_VRAM : 0u) | XE_CONFIG_HAS_LOW_LATENCY;
    values[XE_CONFIG_ALIGNMENT] = xe_local_page_bytes(g);
    values[XE_CONFIG_VA_BITS] = g->sheet->memory.address_bits;
    values[XE_CONFIG_PRIORITY] = xe_max_priority();
    return (int)(sizeof *list + XE_CONFIGS * sizeof *values);
}

static int gts(struct shim_device *g, uint8_t *to)
{
    const unsigned count = xe_gt_count(g);
    struct xe_list *list = (void *)to;
    struct xe_gt *gt = (void *)(list + 1);
    *list = (struct xe_list){.count = count};
    for (unsigned i = 0; i < count; i++) {
        const uint32_t id = i ? g->sheet->xe->media_gmd_id : g->sheet->xe->gmd_id;
        gt[i] = (struct xe_gt){.type = i ? XE_GT_MEDIA : XE_GT_MAIN,
                               .id = (uint16_t)i,
                               .reference_clock = (uint32_t)g->sheet->engines[0].timestamp_hz,
                               .near_regions = g->local_bytes ? 2 : 1,
                               .far_regions = g->local_bytes ? 1 : 0,
                               .ip_major = (uint16_t)(id >> 22),
                               .ip_minor = id >> 14 & 0xff,
                               .ip_revision = id & 0x3f};
    }
    return (int)(sizeof *list + count * sizeof *gt);
}

static int hardware(struct shim_device *g, uint8_t *to)
{
    const struct guc_info *guc = g->sheet->guc;
    const uint32_t bytes = guc && guc->config ? guc->config_dw * 4u : 0;
    if (bytes > ANSWER_BYTES)
        return -ENODEV;
    if (bytes)
        memcpy(to, guc->config, bytes);
    return (int)bytes;
}

/* Masks have the driver's length. The compute mask is empty on devices that do not distinguish subslices; of
 * a media GT all masks are. Returns the bytes of one GT. */
static int topology_of_gt(struct shim_device *g, unsigned gt, uint8_t *to)
{
    static const struct topology none = {0};
    const struct topology *t = gt ? &none : g->sheet->gt->topology;
    const struct xe_info *xe = g->sheet->xe;
    const struct {
        uint16_t type;
        uint32_t bytes;
        uint64_t mask;
    } masks[] = {{XE_TOPOLOGY_GEOMETRY, 16, t->subslices},
                 {XE_TOPOLOGY_COMPUTE, 16, xe->compute_subslices ? t->subslices : 0},
                 {XE_TOPOLOGY_L3_BANKS, 8, gt ? 0 : xe->l3_banks},
                 {xe->simd16_units ? XE_TOPOLOGY_SIMD16_UNITS : XE_TOPOLOGY_UNITS, 8, t->units}};
    int bytes = 0;
    for (unsigned i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        if (masks[i].type == XE_TOPOLOGY_L3_BANKS && !xe->l3_banks)
            continue;
        const struct xe_topology head = {.gt = (uint16_t)gt, .type = masks[i].type, .bytes = masks[i].bytes};
        memcpy(to + bytes, &head, sizeof head);
        memcpy(to + bytes + sizeof head, &masks[i].mask, sizeof masks[i].mask);
        bytes += (int)(sizeof head + head.bytes);
    }
    return bytes;
}

static int topology(struct shim_device *g, uint8_t *to)
{
    int bytes = 0;
    if (!g->sheet->gt->topology)
        return -ENODEV;
    memset(to, 0, ANSWER_BYTES);
    for (unsigned gt = 0; gt < xe_gt_count(g); gt++)
        bytes += topology_of_gt(g, gt, to + bytes);
    return bytes;
}

static int cycles(struct shim_device *g, uint8_t *to)
{
    enum { TIMESTAMP = 0x358 };
    struct xe_cycles *a = (void *)to;
    const unsigned width = g->sheet->xe->timestamp_bits;
    struct timespec now;
    const bool known = a->clock == CLOCK_MONOTONIC || a->clock == CLOCK_MONOTONIC_RAW ||
                       a->clock == CLOCK_REALTIME || a->clock == CLOCK_BOOTTIME || a->clock == CLOCK_TAI;
    const int engine = xe_find_engine(g, &a->engine);
    if (!known || engine < 0 || clock_gettime(a->clock, &now) != 0)
        return -EINVAL;
    const int64_t before = gpu_host_ns();
    const uint32_t base = g->sheet->engines[engine].mmio_base;
    a->engine_cycles = gpu_register_read(g, base + TIMESTAMP, 8) & UINT64_MAX >> (64 - width);
    a->cpu_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    a->cpu_delta_ns = (uint64_t)(gpu_host_ns() - before);
    a->width = width;
    return sizeof *a;
}

/* Programs read the firmware version to learn its features; the model submits without it. */
static int firmware(struct shim_device *g, uint8_t *to)
{
    struct xe_firmware *a = (void *)to;
    (void)g;
    if (a->pad || a->pad2 || a->reserved || a->type > 1)
        return -EINVAL;
    if (a->type)
        return -ENODEV;
    a->branch = 0;
    a->major = 1;
    a->minor = 30;
    a->patch = 0;
    return sizeof *a;
}

static int oa_units(struct shim_device *g, uint8_t *to)
{
    (void)g;
    memset(to, 0, sizeof(struct xe_oa_units));
    return sizeof(struct xe_oa_units);
}

static int no_device(struct shim_device *g, uint8_t *to)
{
    (void)g, (void)to;
    return -ENODEV;
}

static const struct {
    answer_function give;
    uint32_t takes_bytes; /* part of the program's input; its length is fixed */
} answers[] = {
    [XE_QUERY_ENGINES] = {engines, 0},
    [XE_QUERY_MEM_REGIONS] = {regions, 0},
    [XE_QUERY_CONFIG] = {configuration, 0},
    [XE_QUERY_GT_LIST] = {gts, 0},
    [XE_QUERY_HWCONFIG] = {hardware, 0},
    [XE_QUERY_GT_TOPOLOGY] = {topology, 0},
    [XE_QUERY_ENGINE_CYCLES] = {cycles, sizeof(struct xe_cycles)},
    [XE_QUERY_UC_FW_VERSION] = {firmware, sizeof(struct xe_firmware)},
    [XE_QUERY_OA_UNITS] = {oa_units, 0},
    [XE_QUERY_PXP_STATUS] = {no_device, sizeof(struct xe_protected)},
    [XE_QUERY_EU_STALL] = {no_device, 0},
};

int xe_query(const struct ioctl_call *c)
{
    struct xe_device_query *a = c->argument;
    uint64_t room[ANSWER_BYTES / 8] = {0};
    if (a->extensions || xe_reserved(a->reserved) || a->query >= sizeof answers / sizeof answers[0])
        return -EINVAL;
    const uint32_t takes_bytes = answers[a->query].takes_bytes;
    if (takes_bytes && !a->size) {
        a->size = takes_bytes;
        return 0;
    }
    if (takes_bytes && a->size != takes_bytes)
        return -EINVAL;
    int error = copy_from_user(room, a->data, takes_bytes);
    if (error)
        return error;
    const int bytes = answers[a->query].give(c->file->device, (uint8_t *)room);
    if (bytes < 0)
        return bytes;
    if (!a->size) {
        a->size = (uint32_t)bytes;
        return 0;
    }
    return a->size == (uint32_t)bytes ? copy_to_user(a->data, room, a->size) : -EINVAL;
}
