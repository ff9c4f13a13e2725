/*
 * Structures, numbers and bits of xe's calls (Linux, include/uapi/drm/xe_drm.h, as of 6.12; newer headers
 * have these, too).
 */
#ifndef XE_XE_ABI_H
#define XE_XE_ABI_H

#include <stdint.h>

enum xe_call {
    XE_DEVICE_QUERY,
    XE_GEM_CREATE,
    XE_GEM_MMAP_OFFSET,
    XE_VM_CREATE,
    XE_VM_DESTROY,
    XE_VM_BIND,
    XE_EXEC_QUEUE_CREATE,
    XE_EXEC_QUEUE_DESTROY,
    XE_EXEC_QUEUE_GET_PROPERTY,
    XE_EXEC,
    XE_WAIT_USER_FENCE,
    XE_OBSERVATION,
};

struct xe_extension {
    uint64_t next;
    uint32_t name, pad;
};

struct xe_set_property {
    struct xe_extension base; /* name 0 */
    uint32_t property, pad;
    uint64_t value, reserved[2];
};

struct xe_engine {
    uint16_t class, instance, gt, pad;
};
enum { XE_CLASS_VM_BIND = 5 /* lower classes are as in i915 */ };

/* ---- Queries ---- */

struct xe_device_query {
    uint64_t extensions;
    uint32_t query, size;
    uint64_t data, reserved[2];
};
enum xe_query {
    XE_QUERY_ENGINES,
    XE_QUERY_MEM_REGIONS,
    XE_QUERY_CONFIG,
    XE_QUERY_GT_LIST,
    XE_QUERY_HWCONFIG,
    XE_QUERY_GT_TOPOLOGY,
    XE_QUERY_ENGINE_CYCLES,
    XE_QUERY_UC_FW_VERSION,
    XE_QUERY_OA_UNITS,
    XE_QUERY_PXP_STATUS,
    XE_QUERY_EU_STALL,
};

struct xe_list {
    uint32_t count, pad;
};
struct xe_engine_answer {
    struct xe_engine engine;
    uint64_t reserved[3];
};
struct xe_region {
    uint16_t class, instance;
    uint32_t min_page_bytes;
    uint64_t total_bytes, used_bytes, visible_bytes, visible_used_bytes, reserved[6];
};
enum {
    XE_CONFIG_DEVICE,
    XE_CONFIG_FLAGS,
    XE_CONFIG_ALIGNMENT,
    XE_CONFIG_VA_BITS,
    XE_CONFIG_PRIORITY,
    XE_CONFIGS
};
enum { XE_CONFIG_HAS_VRAM = 1, XE_CONFIG_HAS_LOW_LATENCY = 2 };
enum { XE_GT_MAIN, XE_GT_MEDIA };
struct xe_gt {
    uint16_t type, tile, id, pad[3];
    uint32_t reference_clock;
    uint64_t near_regions, far_regions;
    uint16_t ip_major, ip_minor, ip_revision, pad2;
    uint64_t reserved[7];
} __attribute__((aligned(8)));
struct xe_topology {
    uint16_t gt, type;
    uint32_t bytes; /* bytes of the mask that follows */
};
enum {
    XE_TOPOLOGY_GEOMETRY = 1,
    XE_TOPOLOGY_COMPUTE,
    XE_TOPOLOGY_L3_BANKS,
    XE_TOPOLOGY_UNITS,
    XE_TOPOLOGY_SIMD16_UNITS,
};
struct xe_cycles {
    struct xe_engine engine;
    int32_t clock;
    uint32_t width;
    uint64_t engine_cycles, cpu_ns, cpu_delta_ns;
};
struct xe_firmware {
    uint16_t type, pad; /* 0: GuC, its submission; 1: HuC */
    uint32_t branch, major, minor, patch, pad2;
    uint64_t reserved;
};
struct xe_protected {
    uint32_t status, sessions;
};
struct xe_oa_units {
    uint64_t extensions;
    uint32_t count, pad;
};

/* ---- Objects ---- */

struct xe_gem_create {
    uint64_t extensions, size_bytes;
    uint32_t placement, flags, vm, handle;
    uint16_t caching, pad[3];
    uint64_t reserved[2];
};
enum { XE_GEM_SCANOUT = 2, XE_GEM_VISIBLE = 4, XE_GEM_FLAGS = 7 };
enum { XE_CACHING_WB = 1, XE_CACHING_WC };

struct xe_gem_mmap_offset {
    uint64_t extensions;
    uint32_t handle, flags;
    uint64_t offset, reserved[2];
};
enum { XE_MMAP_BARRIER = 1 };

/* ---- Address spaces ---- */

struct xe_vm_create {
    uint64_t extensions;
    uint32_t flags, vm;
    uint64_t reserved[2];
};
enum { XE_VM_SCRATCH = 1, XE_VM_LONG_RUNNING = 2, XE_VM_FAULTS = 4 };

struct xe_vm_destroy {
    uint32_t vm, pad;
    uint64_t reserved[2];
};

struct xe_bind_op {
    uint64_t extensions;
    uint32_t object;
    uint16_t pat, pad;
    uint64_t offset; /* or the program's address */
    uint64_t range, address;
    uint32_t op, flags, region, pad2;
    uint64_t reserved[3];
};
enum { XE_BIND_MAP, XE_BIND_UNMAP, XE_BIND_MAP_USER, XE_BIND_UNMAP_ALL, XE_BIND_PREFETCH };
enum {
    XE_BIND_READ_ONLY = 1,
    XE_BIND_NULL = 4,
    XE_BIND_FLAGS = 0x1f /* including flags without effect here */
};

struct xe_vm_bind {
    uint64_t extensions;
    uint32_t vm, queue, pad, count;
    union {
        struct xe_bind_op one;
        uint64_t several;
    };
    uint32_t pad2, sync_count;
    uint64_t syncs, reserved[2];
};

/* ---- Exec queues and submissions ---- */

struct xe_queue_create {
    uint64_t extensions;
    uint16_t width, placements;
    uint32_t vm, flags, queue;
    uint64_t instances, reserved[2];
};
enum { XE_QUEUE_PRIORITY, XE_QUEUE_TIMESLICE, XE_QUEUE_PXP };
enum { XE_QUEUE_LOW_LATENCY = 1 };

struct xe_queue_destroy {
    uint32_t queue, pad;
    uint64_t reserved[2];
};

struct xe_queue_get_property {
    uint64_t extensions;
    uint32_t queue, property; /* 0: whether it is banned */
    uint64_t value, reserved[2];
};

struct xe_sync {
    uint64_t extensions;
    uint32_t type, flags;
    uint64_t handle; /* or an address */
    uint64_t value, reserved[2];
};
enum { XE_SYNC_SYNCOBJ, XE_SYNC_TIMELINE, XE_SYNC_USER_FENCE };
enum { XE_SYNC_SIGNAL = 1, XE_MOST_SYNCS = 1024 };

struct xe_exec {
    uint64_t extensions;
    uint32_t queue, sync_count;
    uint64_t syncs, address;
    uint16_t batches, pad[3];
    uint64_t reserved[2];
};

struct xe_wait_user_fence {
    uint64_t extensions, address;
    uint16_t op, flags;
    uint32_t pad;
    uint64_t value, mask;
    int64_t timeout_ns;
    uint32_t queue, pad2;
    uint64_t reserved[2];
};
enum { XE_WAIT_ABSOLUTE = 1 };

struct xe_observation {
    uint64_t extensions, type, op, argument;
};

#endif
