/*
 * A program as any that uses xe: calls of the kernel's interface and nothing else, run by `softgt exec
 * --driver xe`. What must hold is from xe_drm.h, drm.h and the kernel's documentation of them.
 */
#include <drm.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "xe/xe_abi.h"

enum { PAGE = 4096, BIG_PAGE = 1 << 16 };

/* The clock that the preloaded library reads, too: the test sets it forward. */
static int64_t forward_s;

int clock_gettime(clockid_t id, struct timespec *at)
{
    const long status = syscall(SYS_clock_gettime, id, at);
    if (status == 0 && id == CLOCK_MONOTONIC)
        at->tv_sec += forward_s;
    return (int)status;
}

static int node;
static bool has_local, is_xe2;
static uint32_t local_page_bytes; /* of bindings */

/* Entries of the driver's PAT table: one that sees CPU caches, and one that does not. (Linux, xe_pat) */
static uint16_t coherent_pat(void)
{
    return is_xe2;
}

static uint16_t incoherent_pat(void)
{
    return !is_xe2;
}

#define CALL(direction, number, type) direction(DRM_COMMAND_BASE + (number), struct type)
static int call(enum xe_call number, void *a)
{
    static const unsigned long requests[] = {
        [XE_DEVICE_QUERY] = CALL(DRM_IOWR, XE_DEVICE_QUERY, xe_device_query),
        [XE_GEM_CREATE] = CALL(DRM_IOWR, XE_GEM_CREATE, xe_gem_create),
        [XE_GEM_MMAP_OFFSET] = CALL(DRM_IOWR, XE_GEM_MMAP_OFFSET, xe_gem_mmap_offset),
        [XE_VM_CREATE] = CALL(DRM_IOWR, XE_VM_CREATE, xe_vm_create),
        [XE_VM_DESTROY] = CALL(DRM_IOW, XE_VM_DESTROY, xe_vm_destroy),
        [XE_VM_BIND] = CALL(DRM_IOW, XE_VM_BIND, xe_vm_bind),
        [XE_EXEC_QUEUE_CREATE] = CALL(DRM_IOWR, XE_EXEC_QUEUE_CREATE, xe_queue_create),
        [XE_EXEC_QUEUE_DESTROY] = CALL(DRM_IOW, XE_EXEC_QUEUE_DESTROY, xe_queue_destroy),
        [XE_EXEC_QUEUE_GET_PROPERTY] = CALL(DRM_IOWR, XE_EXEC_QUEUE_GET_PROPERTY, xe_queue_get_property),
        [XE_EXEC] = CALL(DRM_IOW, XE_EXEC, xe_exec),
        [XE_WAIT_USER_FENCE] = CALL(DRM_IOWR, XE_WAIT_USER_FENCE, xe_wait_user_fence),
        [XE_OBSERVATION] = CALL(DRM_IOW, XE_OBSERVATION, xe_observation),
    };
    return ioctl(node, requests[number], a);
}

/* ---- Queries ---- */

/* The answer, which the caller frees; its length is what is told without room for it, and no other does. */
static void *ask(uint32_t query, uint32_t *bytes)
{
    struct xe_device_query a = {.query = query};
    CHECK(call(XE_DEVICE_QUERY, &a) == 0);
    uint8_t *answer = calloc(1, a.size + 9u);
    CHECK(answer);
    memset(answer + a.size, 0x5a, 9);
    a.data = (uintptr_t)answer;
    if (a.size) {
        CHECK(call(XE_DEVICE_QUERY, &a) == 0 && answer[a.size] == 0x5a);
        a.size += 8;
        FAILS(call(XE_DEVICE_QUERY, &a), EINVAL);
        a.size -= 8;
        a.data = 16;
        FAILS(call(XE_DEVICE_QUERY, &a), EFAULT);
    }
    *bytes = a.size;
    return answer;
}

static struct xe_engine engines[32];
static unsigned engine_count;

static void engines_are_told(void)
{
    uint32_t bytes;
    struct xe_list *list = ask(XE_QUERY_ENGINES, &bytes);
    const struct xe_engine_answer *e = (void *)(list + 1);
    CHECK(list->count && list->count <= 32 && bytes == sizeof *list + list->count * sizeof *e);
    for (unsigned i = 0; i < list->count; i++) {
        engines[engine_count++] = e[i].engine;
        CHECK(e[i].engine.class < XE_CLASS_VM_BIND);
        /* Xe2 has its video engines in a GT of their own. */
        CHECK(e[i].engine.gt == (is_xe2 && (e[i].engine.class == 2 || e[i].engine.class == 3)));
        for (unsigned other = 0; other < i; other++)
            CHECK(memcmp(&e[other].engine, &e[i].engine, sizeof e->engine) != 0);
    }
    free(list);
}

static unsigned read_number(const char *path)
{
    char text[64] = "";
    const int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && read(fd, text, sizeof text - 1) > 0 && close(fd) == 0);
    return (unsigned)strtoul(text, NULL, 0);
}

static void device_is_found(void)
{
    char name[32] = "", target[256] = "";
    struct drm_version v = {.name = name, .name_len = sizeof name};
    CHECK(ioctl(node, DRM_IOCTL_VERSION, &v) == 0 && strcmp(name, "xe") == 0 && v.name_len == 2);
    CHECK(readlink("/sys/class/drm/renderD128/device/driver", target, sizeof target - 1) > 0);
    CHECK(strcmp(strrchr(target, '/'), "/xe") == 0);
    CHECK(read_number("/sys/class/drm/card0/device/tile0/gt0/freq0/max_freq") >=
          read_number("/sys/class/drm/card0/device/tile0/gt0/freq0/min_freq"));
    uint32_t bytes;
    struct xe_list *list = ask(XE_QUERY_CONFIG, &bytes);
    const uint64_t *values = (void *)(list + 1);
    CHECK(list->count >= XE_CONFIGS && bytes == sizeof *list + list->count * sizeof *values);
    CHECK((values[XE_CONFIG_DEVICE] & 0xffff) == read_number("/sys/class/drm/card0/device/device"));
    CHECK(values[XE_CONFIG_DEVICE] >> 16 == read_number("/sys/class/drm/card0/device/revision"));
    CHECK(values[XE_CONFIG_VA_BITS] == 48);
    has_local = values[XE_CONFIG_FLAGS] & XE_CONFIG_HAS_VRAM;
    local_page_bytes = (uint32_t)values[XE_CONFIG_ALIGNMENT];
    free(list);
}

static void memory_is_told(void)
{
    uint32_t bytes, seen = 0;
    struct xe_list *list = ask(XE_QUERY_MEM_REGIONS, &bytes);
    const struct xe_region *r = (void *)(list + 1);
    CHECK(list->count == (has_local ? 2 : 1) && bytes == sizeof *list + list->count * sizeof *r);
    for (unsigned i = 0; i < list->count; i++) {
        CHECK(r[i].class == (i > 0) && r[i].total_bytes && r[i].min_page_bytes >= PAGE);
        CHECK(r[i].visible_bytes == (i ? r[i].total_bytes : 0));
        seen |= 1u << r[i].instance;
    }
    free(list);
    list = ask(XE_QUERY_GT_LIST, &bytes);
    const struct xe_gt *gt = (void *)(list + 1);
    /* Parts before Xe2 have no version register; of Xe2 Alchemist's large pages are not needed. */
    is_xe2 = gt->ip_major == 20;
    CHECK(list->count == (is_xe2 ? 2 : 1) && bytes == sizeof *list + list->count * sizeof *gt);
    for (unsigned i = 0; i < list->count; i++) {
        CHECK((gt[i].near_regions | gt[i].far_regions) == seen);
        CHECK(!(gt[i].near_regions & gt[i].far_regions));
        CHECK(gt[i].type == i && gt[i].id == i && gt[i].reference_clock > 1000000);
    }
    CHECK(!is_xe2 || (gt[1].ip_major == (has_local ? 13 : 20) && gt[1].ip_minor == has_local));
    CHECK(is_xe2 ? gt->ip_minor == (has_local ? 1 : 4) : !gt->ip_major && !gt->ip_minor && !gt->ip_revision);
    CHECK(local_page_bytes == (has_local && !is_xe2 ? BIG_PAGE : PAGE));
    free(list);
}

static void the_rest_is_told(void)
{
    uint32_t bytes, at = 0, types = 0;
    uint8_t *masks = ask(XE_QUERY_GT_TOPOLOGY, &bytes);
    while (at < bytes) {
        struct xe_topology t;
        memcpy(&t, masks + at, sizeof t);
        CHECK(t.gt < (is_xe2 ? 2 : 1) && t.bytes && t.bytes <= bytes - at - sizeof t);
        types |= 1u << t.type;
        if (t.gt) /* media: no execution units */
            CHECK(!masks[at + sizeof t]);
        else if (t.type != XE_TOPOLOGY_COMPUTE)
            CHECK(masks[at + sizeof t] & 1);
        at += (uint32_t)sizeof t + t.bytes;
    }
    CHECK(at == bytes && types & 1u << XE_TOPOLOGY_GEOMETRY);
    CHECK((types & 1u << XE_TOPOLOGY_UNITS) == (is_xe2 ? 0 : 1u << XE_TOPOLOGY_UNITS));
    CHECK((types & 1u << XE_TOPOLOGY_SIMD16_UNITS) == (is_xe2 ? 1u << XE_TOPOLOGY_SIMD16_UNITS : 0));
    CHECK(!is_xe2 || types & 1u << XE_TOPOLOGY_L3_BANKS);
    free(masks);
    free(ask(XE_QUERY_HWCONFIG, &bytes));
    CHECK(bytes % 4 == 0 && (!has_local || bytes));

    struct xe_cycles cycles = {.engine = engines[0], .clock = CLOCK_MONOTONIC};
    struct xe_device_query a = {
        .query = XE_QUERY_ENGINE_CYCLES, .size = sizeof cycles, .data = (uintptr_t)&cycles};
    CHECK(call(XE_DEVICE_QUERY, &a) == 0 && cycles.width == (is_xe2 ? 64 : 36) && cycles.cpu_ns);
    const uint64_t before = cycles.engine_cycles;
    for (unsigned i = 0; i < 200; i++)
        CHECK(call(XE_DEVICE_QUERY, &a) == 0);
    CHECK(cycles.engine_cycles > before);
    cycles.clock = 99;
    FAILS(call(XE_DEVICE_QUERY, &a), EINVAL);
    cycles.clock = CLOCK_REALTIME;
    cycles.engine.instance = 77;
    FAILS(call(XE_DEVICE_QUERY, &a), EINVAL);

    struct xe_firmware firmware = {.type = 0};
    a = (struct xe_device_query){
        .query = XE_QUERY_UC_FW_VERSION, .size = sizeof firmware, .data = (uintptr_t)&firmware};
    CHECK(call(XE_DEVICE_QUERY, &a) == 0 && firmware.major);
    firmware.pad = 1;
    FAILS(call(XE_DEVICE_QUERY, &a), EINVAL);
    a = (struct xe_device_query){.query = XE_QUERY_PXP_STATUS};
    CHECK(call(XE_DEVICE_QUERY, &a) == 0 && a.size == sizeof(struct xe_protected));
    a.data = (uintptr_t)&firmware;
    FAILS(call(XE_DEVICE_QUERY, &a), ENODEV);
    a.query = 1000;
    FAILS(call(XE_DEVICE_QUERY, &a), EINVAL);
    a = (struct xe_device_query){.query = XE_QUERY_CONFIG, .reserved = {1}};
    FAILS(call(XE_DEVICE_QUERY, &a), EINVAL);
    struct xe_observation o = {.type = 0};
    FAILS(call(XE_OBSERVATION, &o), ENODEV);
    FAILS(ioctl(node, _IOWR('d', 0x40 + 0x3f, int), &a), EINVAL);
}

/* ---- Objects, spaces, queues ---- */

static uint32_t create(uint64_t bytes, uint32_t vm)
{
    struct xe_gem_create a = {.size_bytes = bytes, .placement = 1, .vm = vm, .caching = XE_CACHING_WB};
    CHECK(call(XE_GEM_CREATE, &a) == 0 && a.handle);
    return a.handle;
}

static void *map(uint32_t object, uint64_t bytes)
{
    struct xe_gem_mmap_offset a = {.handle = object};
    CHECK(call(XE_GEM_MMAP_OFFSET, &a) == 0);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)a.offset);
    CHECK(p != MAP_FAILED);
    return p;
}

static void close_object(uint32_t handle)
{
    struct drm_gem_close a = {.handle = handle};
    CHECK(ioctl(node, DRM_IOCTL_GEM_CLOSE, &a) == 0);
}

static uint32_t make_vm(uint32_t flags)
{
    struct xe_vm_create a = {.flags = flags};
    CHECK(call(XE_VM_CREATE, &a) == 0 && a.vm);
    return a.vm;
}

static void end_vm(uint32_t vm)
{
    struct xe_vm_destroy a = {.vm = vm};
    CHECK(call(XE_VM_DESTROY, &a) == 0);
}

static uint32_t make_queue(uint32_t vm, struct xe_engine e)
{
    struct xe_queue_create a = {.width = 1, .placements = 1, .vm = vm, .instances = (uintptr_t)&e};
    CHECK(call(XE_EXEC_QUEUE_CREATE, &a) == 0 && a.queue);
    return a.queue;
}

static void end_queue(uint32_t queue)
{
    struct xe_queue_destroy a = {.queue = queue};
    CHECK(call(XE_EXEC_QUEUE_DESTROY, &a) == 0);
}

static bool is_banned(uint32_t queue)
{
    struct xe_queue_get_property a = {.queue = queue};
    CHECK(call(XE_EXEC_QUEUE_GET_PROPERTY, &a) == 0);
    return a.value;
}

static int bind(uint32_t vm, struct xe_bind_op op, struct xe_sync *syncs, uint32_t sync_count)
{
    struct xe_vm_bind a = {
        .vm = vm, .count = 1, .one = op, .syncs = (uintptr_t)syncs, .sync_count = sync_count};
    return call(XE_VM_BIND, &a);
}

static struct xe_bind_op map_op(uint32_t object, uint64_t offset, uint64_t address, uint64_t range)
{
    return (struct xe_bind_op){.op = XE_BIND_MAP,
                               .object = object,
                               .pat = coherent_pat(),
                               .offset = offset,
                               .address = address,
                               .range = range};
}

static struct xe_bind_op unmap_op(uint64_t address, uint64_t range)
{
    return (struct xe_bind_op){.op = XE_BIND_UNMAP, .address = address, .range = range};
}

static int submit(uint32_t queue, uint64_t address, struct xe_sync *syncs, uint32_t sync_count)
{
    struct xe_exec a = {.queue = queue,
                        .address = address,
                        .batches = 1,
                        .syncs = (uintptr_t)syncs,
                        .sync_count = sync_count};
    return call(XE_EXEC, &a);
}

static uint32_t syncobj(void)
{
    struct drm_syncobj_create a = {0};
    CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_CREATE, &a) == 0);
    return a.handle;
}

static int wait_syncobj(uint32_t handle, int64_t timeout_ns)
{
    struct drm_syncobj_wait a = {
        .handles = (uintptr_t)&handle, .count_handles = 1, .timeout_nsec = timeout_ns};
    return ioctl(node, DRM_IOCTL_SYNCOBJ_WAIT, &a);
}

static int64_t in_ns(int64_t ns)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec + ns;
}

#define SECONDS(n) (INT64_C(1000000000) * (n))

static int wait_value(void *at, uint64_t value, unsigned op, uint32_t queue, int64_t timeout_ns)
{
    struct xe_wait_user_fence a = {.address = (uintptr_t)at,
                                   .op = (uint16_t)op,
                                   .value = value,
                                   .mask = UINT64_MAX,
                                   .timeout_ns = timeout_ns,
                                   .queue = queue};
    return call(XE_WAIT_USER_FENCE, &a);
}

/* MI_STORE_DATA_IMM of a dword by the PPGTT, then the end; dwords. */
static unsigned put_store(uint32_t *dw, uint64_t address, uint32_t value)
{
    const uint32_t batch[] = {0x20u << 23 | 2, (uint32_t)address, (uint32_t)(address >> 32), value,
                              0xau << 23};
    memcpy(dw, batch, sizeof batch);
    return sizeof batch / 4;
}

/* An object of one space with a batch in it, the space, and a queue; the batch is at the start. */
struct work {
    uint32_t vm, queue, object;
    uint32_t *dw;
};
#define AT    UINT64_C(0x7f0000010000) /* where it is */
#define BYTES UINT64_C(0x20000)

static struct work begin(uint32_t flags, struct xe_engine e)
{
    struct work w = {.vm = make_vm(flags)};
    w.object = create(BYTES, w.vm);
    w.dw = map(w.object, BYTES);
    w.queue = make_queue(w.vm, e);
    CHECK(bind(w.vm, map_op(w.object, 0, AT, BYTES), NULL, 0) == 0);
    return w;
}

static void end(struct work *w)
{
    end_queue(w->queue);
    munmap(w->dw, BYTES);
    close_object(w->object);
    end_vm(w->vm);
}

/* ---- What is submitted ---- */

static void every_engine_runs(void)
{
    for (unsigned i = 0; i < engine_count; i++) {
        struct work w = begin(0, engines[i]);
        const uint32_t done = syncobj(), timeline = syncobj();
        struct xe_sync syncs[] = {
            {.type = XE_SYNC_SYNCOBJ, .flags = XE_SYNC_SIGNAL, .handle = done},
            {.type = XE_SYNC_TIMELINE, .flags = XE_SYNC_SIGNAL, .handle = timeline, .value = 7},
            {.type = XE_SYNC_USER_FENCE,
             .flags = XE_SYNC_SIGNAL,
             .handle = AT + 0x3000,
             .value = 0x1234567887654321}};
        put_store(w.dw, AT + 0x2000, 0xabcd0000 + i);
        CHECK(submit(w.queue, AT, syncs, 3) == 0 && wait_syncobj(done, in_ns(SECONDS(20))) == 0);
        CHECK(w.dw[0x2000 / 4] == 0xabcd0000 + i && w.dw[0x2000 / 4 + 1] == 0);
        CHECK(wait_value(&w.dw[0x3000 / 4], 0x1234567887654321, 0, w.queue, SECONDS(20)) == 0);
        uint64_t point = 0;
        struct drm_syncobj_timeline_array q = {
            .handles = (uintptr_t)&timeline, .points = (uintptr_t)&point, .count_handles = 1};
        CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_QUERY, &q) == 0 && point == 7);
        /* Behind itself, and behind a point that is reached. */
        syncs[0].flags = 0;
        syncs[1].flags = 0;
        put_store(w.dw, AT + 0x2000, 5);
        CHECK(submit(w.queue, AT, syncs, 3) == 0);
        syncs[1].value = 8;
        FAILS(submit(w.queue, AT, syncs, 3), EINVAL);
        struct xe_exec nothing = {.queue = w.queue, .syncs = (uintptr_t)syncs, .sync_count = 1};
        syncs[0] = (struct xe_sync){.type = XE_SYNC_SYNCOBJ, .flags = XE_SYNC_SIGNAL, .handle = syncobj()};
        CHECK(call(XE_EXEC, &nothing) == 0 &&
              wait_syncobj((uint32_t)syncs[0].handle, in_ns(SECONDS(20))) == 0);
        CHECK(w.dw[0x2000 / 4] == 5 && !is_banned(w.queue));
        end(&w);
    }
}

static void bindings_are_parts(void)
{
    struct work w = begin(XE_VM_SCRATCH, engines[0]);
    const uint64_t base = AT + 0x1000000;
    const uint32_t other = create(16 * PAGE, 0);
    uint32_t *seen = map(other, 16 * PAGE);
    struct xe_bind_op ops[] = {map_op(other, 0, base, 16 * PAGE), map_op(other, 0, base + 0x100000, 4 * PAGE),
                               /* a hole, other pages in another, and one page twice */
                               unmap_op(base + 2 * PAGE, PAGE),
                               map_op(other, 9 * PAGE, base + 5 * PAGE, 2 * PAGE)};
    struct xe_vm_bind several = {.vm = w.vm, .count = 4, .several = (uintptr_t)ops};
    CHECK(call(XE_VM_BIND, &several) == 0);
    static const struct {
        uint64_t at;
        unsigned page; /* of the object; 16: none */
    } wanted[] = {
        {0, 0},         {PAGE, 1},     {2 * PAGE, 16},  {3 * PAGE, 3},        {5 * PAGE, 9},
        {6 * PAGE, 10}, {7 * PAGE, 7}, {15 * PAGE, 15}, {0x100000 + PAGE, 1}, {0x100000 + 4 * PAGE, 16}};
    for (unsigned i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        memset(seen, 0, 16 * PAGE);
        put_store(w.dw, base + wanted[i].at + 8, i + 1);
        CHECK(submit(w.queue, AT, NULL, 0) == 0);
        for (unsigned page = 0; page < 16; page++)
            CHECK(seen[page * PAGE / 4 + 2] == (page == wanted[i].page ? i + 1 : 0));
    }
    /* A binding keeps its object; UNMAP_ALL takes all of them. */
    struct xe_bind_op all = {.op = XE_BIND_UNMAP_ALL, .object = other};
    CHECK(bind(w.vm, all, NULL, 0) == 0);
    memset(seen, 0, 16 * PAGE);
    put_store(w.dw, base + 8, 77);
    CHECK(submit(w.queue, AT, NULL, 0) == 0 && seen[2] == 0);
    CHECK(bind(w.vm, map_op(other, 0, base, 16 * PAGE), NULL, 0) == 0);
    close_object(other);
    CHECK(submit(w.queue, AT, NULL, 0) == 0 && seen[2] == 77);
    /* Where the program says that nothing is, reads give zero. MI_COPY_MEM_MEM */
    struct xe_bind_op none = {.op = XE_BIND_MAP, .flags = XE_BIND_NULL, .address = base, .range = 16 * PAGE};
    CHECK(bind(w.vm, none, NULL, 0) == 0);
    put_store(w.dw, base + 8, 78);
    CHECK(submit(w.queue, AT, NULL, 0) == 0 && seen[2] == 77);
    const uint64_t to = AT + 0x2000, from = base + 8;
    const uint32_t copy[] = {0x2eu << 23 | 3, (uint32_t)to,           (uint32_t)(to >> 32),
                             (uint32_t)from,  (uint32_t)(from >> 32), 0xau << 23};
    memcpy(w.dw, copy, sizeof copy);
    w.dw[0x2000 / 4] = 1;
    CHECK(submit(w.queue, AT, NULL, 0) == 0 && w.dw[0x2000 / 4] == 0 && !is_banned(w.queue));
    munmap(seen, 16 * PAGE);
    end(&w);
}

static void programs_memory_is_bound(void)
{
    struct work w = begin(0, engines[0]);
    uint32_t *own = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(own != MAP_FAILED);
    _Alignas(8) volatile uint64_t fence = 0;
    struct xe_sync told = {
        .type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .handle = (uintptr_t)&fence, .value = 99};
    struct xe_bind_op op = {.op = XE_BIND_MAP_USER,
                            .pat = coherent_pat(),
                            .offset = (uintptr_t)own,
                            .address = 0x40000000,
                            .range = 4 * PAGE};
    CHECK(bind(w.vm, op, &told, 1) == 0 && wait_value((void *)&fence, 99, 0, 0, SECONDS(20)) == 0);
    put_store(w.dw, 0x40000000 + PAGE, 31);
    CHECK(submit(w.queue, AT, NULL, 0) == 0 && own[PAGE / 4] == 31);
    /* Gone, and there again. */
    CHECK(munmap(own, 4 * PAGE) == 0);
    CHECK(submit(w.queue, AT, NULL, 0) == 0 && is_banned(w.queue));
    end_queue(w.queue);
    w.queue = make_queue(w.vm, engines[0]);
    CHECK(mmap(own, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == own);
    CHECK(submit(w.queue, AT, NULL, 0) == 0 && own[PAGE / 4] == 31);
    /* For reading alone, and not at all. */
    CHECK(mprotect(own, 4 * PAGE, PROT_READ) == 0);
    FAILS(bind(w.vm, op, NULL, 0), EFAULT);
    op.flags = XE_BIND_READ_ONLY;
    CHECK(bind(w.vm, op, NULL, 0) == 0);
    CHECK(mprotect(own, 4 * PAGE, PROT_NONE) == 0);
    FAILS(bind(w.vm, op, NULL, 0), EFAULT);
    op.offset = 0x1000;
    FAILS(bind(w.vm, op, NULL, 0), EFAULT);
    end(&w);
    munmap(own, 4 * PAGE);
}

/* A batch that goes round until its first dword is MI_BATCH_BUFFER_END. Others may come in at MI_ARB_CHECK.
 */
static void put_spinner(uint32_t *dw, uint64_t address)
{
    const uint32_t batch[] = {0, 0x05u << 23, 0x31u << 23 | 1u << 8 | 1, (uint32_t)address,
                              (uint32_t)(address >> 32)};
    memcpy(dw, batch, sizeof batch);
}

static void what_waits_is_done_later(void)
{
    struct work w = begin(0, engines[0]);
    const uint32_t spins = syncobj(), bound = syncobj(), other = create(PAGE, w.vm),
                   binds = make_queue(0, (struct xe_engine){.class = XE_CLASS_VM_BIND});
    volatile uint32_t *seen = map(other, PAGE);
    struct xe_sync syncs[] = {{.type = XE_SYNC_SYNCOBJ, .flags = XE_SYNC_SIGNAL, .handle = spins},
                              {.type = XE_SYNC_SYNCOBJ, .flags = XE_SYNC_SIGNAL, .handle = bound}};
    put_spinner(w.dw, AT);
    CHECK(submit(w.queue, AT, syncs, 1) == 0); /* it comes back */
    FAILS(wait_syncobj(spins, 0), ETIME);
    /* Behind it a binding, behind that a store to it. */
    syncs[0].flags = 0;
    struct xe_vm_bind behind = {.vm = w.vm,
                                .queue = binds,
                                .count = 1,
                                .one = map_op(other, 0, 0x50000000, PAGE),
                                .syncs = (uintptr_t)syncs,
                                .sync_count = 2};
    CHECK(call(XE_VM_BIND, &behind) == 0);
    put_store(w.dw + 0x1000 / 4, 0x50000000, 1234);
    syncs[1].flags = 0;
    CHECK(submit(w.queue, AT + 0x1000, syncs + 1, 1) == 0);
    /* Other queues are not held up, of that engine or of another; a queue without engines takes nothing. */
    for (unsigned i = 0; i < engine_count && i < 2; i++) {
        const uint32_t second = make_queue(w.vm, engines[i]);
        put_store(w.dw + 0x4000 / 4, AT + 0x5000, 4321 + i);
        CHECK(submit(second, AT + 0x4000, NULL, 0) == 0);
        CHECK(wait_value(&w.dw[0x5000 / 4], 4321 + i, 0, second, SECONDS(20)) == 0);
        end_queue(second);
    }
    FAILS(submit(binds, AT, NULL, 0), EINVAL);
    FAILS(wait_syncobj(bound, in_ns(1000)), ETIME);
    CHECK(*seen == 0);
    *(volatile uint32_t *)w.dw = 0xau << 23;
    for (const int64_t until = in_ns(SECONDS(20)); *seen != 1234;) /* nobody asks */
        CHECK(in_ns(0) < until);
    CHECK(wait_syncobj(bound, 0) == 0 && !is_banned(w.queue));
    end_queue(binds);
    close_object(other);
    end(&w);
}

/* What takes part of a binding away waits for all that runs in the space, and what is submitted then for it;
 * what takes all of one does not. */
static void parts_go_when_nobody_runs(void)
{
    struct work w = begin(0, engines[0]);
    const uint64_t whole = 0x50000000, part = 0x60000000;
    const uint32_t other = create(4 * PAGE, 0), gone = syncobj(), parted = syncobj(),
                   second = make_queue(w.vm, engines[0]);
    struct xe_sync signals = {.type = XE_SYNC_SYNCOBJ, .flags = XE_SYNC_SIGNAL};
    CHECK(bind(w.vm, map_op(other, 0, whole, 4 * PAGE), NULL, 0) == 0);
    CHECK(bind(w.vm, map_op(other, 0, part, 4 * PAGE), NULL, 0) == 0);
    put_spinner(w.dw, AT);
    CHECK(submit(w.queue, AT, NULL, 0) == 0);
    signals.handle = gone;
    CHECK(bind(w.vm, unmap_op(whole, 4 * PAGE), &signals, 1) == 0 && wait_syncobj(gone, 0) == 0);
    signals.handle = parted;
    CHECK(bind(w.vm, unmap_op(part + PAGE, PAGE), &signals, 1) == 0);
    FAILS(wait_syncobj(parted, in_ns(1000)), ETIME);
    put_store(w.dw + 0x4000 / 4, AT + 0x5000, 21);
    CHECK(submit(second, AT + 0x4000, NULL, 0) == 0);
    FAILS(wait_value(&w.dw[0x5000 / 4], 21, 0, second, 1000000), ETIME);
    *(volatile uint32_t *)w.dw = 0xau << 23;
    CHECK(wait_syncobj(parted, in_ns(SECONDS(20))) == 0);
    CHECK(wait_value(&w.dw[0x5000 / 4], 21, 0, second, SECONDS(20)) == 0);
    /* It is gone, the rest is there. */
    put_store(w.dw + 0x4000 / 4, part + 2 * PAGE, 22);
    CHECK(submit(second, AT + 0x4000, NULL, 0) == 0 && !is_banned(second));
    put_store(w.dw + 0x4000 / 4, part + PAGE, 22);
    CHECK(submit(second, AT + 0x4000, NULL, 0) == 0 && is_banned(second));
    end_queue(second);
    close_object(other);
    end(&w);
}

static void queues_that_hang_are_banned(void)
{
    struct work w = begin(0, engines[0]);
    const uint32_t innocent = make_queue(w.vm, engines[0]);
    struct xe_sync told = {
        .type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .handle = AT + 0x3000, .value = 1};
    w.dw[0] = 0x7fu << 23; /* no command */
    CHECK(submit(w.queue, AT, &told, 1) == 0);
    FAILS(wait_value(&w.dw[0x3000 / 4], 1, 0, w.queue, SECONDS(20)), EIO);
    CHECK(is_banned(w.queue) && !is_banned(innocent));
    FAILS(submit(w.queue, AT, NULL, 0), ECANCELED);
    /* Without a page of scratch nothing is where nothing was bound. */
    put_store(w.dw, 0x66660000, 1);
    CHECK(submit(innocent, AT, NULL, 0) == 0 && is_banned(innocent));
    end_queue(innocent);
    end(&w);
}

/* MI_SEMAPHORE_WAIT, polled, until equal; dwords. */
static unsigned put_wait(uint32_t *dw, uint64_t address, uint32_t value)
{
    const uint32_t wait[] = {0x1cu << 23 | 1u << 15 | 4u << 12 | 3, value, (uint32_t)address,
                             (uint32_t)(address >> 32), 0};
    memcpy(dw, wait, sizeof wait);
    return sizeof wait / 4;
}

/* A batch with four waits of six seconds each: no hang. One that waits eleven is one, except in a
 * long-running space: its jobs have no timeout (Linux, xe_guc_submit.c). */
static void waits_may_be_many(uint32_t flags)
{
    enum { WAITS = 4, VALUES = 0x2000 / 4, TOLD = 0x3000 / 4 };
    struct work w = begin(flags, engines[0]);
    uint32_t *dw = w.dw;
    for (unsigned i = 0; i < WAITS; i++) {
        dw += put_wait(dw, AT + 4 * VALUES + 8 * i, 1);
        dw += put_store(dw, AT + 4 * TOLD + 8 * i, 1) - 1;
    }
    dw += put_wait(dw, AT + 4 * VALUES + 8 * WAITS, 1);
    put_store(dw, AT + 4 * TOLD + 8 * WAITS, 1);
    CHECK(submit(w.queue, AT, NULL, 0) == 0);
    for (unsigned i = 0; i < WAITS; i++) {
        forward_s += 6;
        FAILS(wait_value(&w.dw[TOLD + 2 * i], 1, 0, w.queue, 5000000), ETIME);
        w.dw[VALUES + 2 * i] = 1;
        CHECK(wait_value(&w.dw[TOLD + 2 * i], 1, 0, w.queue, SECONDS(20)) == 0 && !is_banned(w.queue));
    }
    forward_s += 11;
    FAILS(wait_value(&w.dw[TOLD + 2 * WAITS], 1, 0, w.queue, 5000000), flags ? ETIME : EIO);
    CHECK(is_banned(w.queue) == !flags);
    w.dw[VALUES + 2 * WAITS] = 1;
    CHECK(!flags || wait_value(&w.dw[TOLD + 2 * WAITS], 1, 0, w.queue, SECONDS(20)) == 0);
    end(&w);
}

/* A running batch sees bindings change: a change ends translations that engines keep. (Linux, xe_pt.c,
 * xe_tlb_inval_job.c) */
static void bindings_change_while_batches_run(struct xe_engine e)
{
    const uint64_t base = AT + 0x1000000, waits = AT + 0x2000, ends = AT + 0x3000;
    struct work w = begin(XE_VM_LONG_RUNNING, e);
    const uint32_t objects[] = {create(BIG_PAGE, 0), create(BIG_PAGE, 0)};
    uint32_t *const seen[] = {map(objects[0], BIG_PAGE), map(objects[1], BIG_PAGE)}, *dw = w.dw;
    dw += put_store(dw, base, 21) - 1;
    dw += put_store(dw, ends, 1) - 1;
    dw += put_wait(dw, waits, 1);
    dw += put_store(dw, base, 22) - 1;
    put_store(dw, ends, 2);
    CHECK(bind(w.vm, map_op(objects[0], 0, base, BIG_PAGE), NULL, 0) == 0);
    CHECK(submit(w.queue, AT, NULL, 0) == 0);
    CHECK(wait_value(&w.dw[0x3000 / 4], 1, 0, w.queue, SECONDS(20)) == 0);
    CHECK(bind(w.vm, unmap_op(base, BIG_PAGE), NULL, 0) == 0);
    CHECK(bind(w.vm, map_op(objects[1], 0, base, BIG_PAGE), NULL, 0) == 0);
    w.dw[0x2000 / 4] = 1;
    CHECK(wait_value(&w.dw[0x3000 / 4], 2, 0, w.queue, SECONDS(20)) == 0);
    CHECK(*seen[0] == 21 && *seen[1] == 22);
    for (unsigned i = 0; i < 2; i++) {
        munmap(seen[i], BIG_PAGE);
        close_object(objects[i]);
    }
    end(&w);
}

static void batches_run_side_by_side(void)
{
    struct xe_engine two[2];
    unsigned count = 0;
    for (unsigned i = 0; i < engine_count && count < 2; i++)
        if (engines[i].class == 2)
            two[count++] = engines[i];
    if (count < 2)
        return;
    struct work w = begin(0, two[0]);
    struct xe_queue_create a = {.width = 2, .placements = 1, .vm = w.vm, .instances = (uintptr_t)two};
    CHECK(call(XE_EXEC_QUEUE_CREATE, &a) == 0);
    /* The first waits for what the second writes. */
    const uint64_t at = AT + 0x2000, batches[] = {AT, AT + 0x1000};
    put_store(w.dw + put_wait(w.dw, at, 6), AT + 0x2008, 7);
    put_store(w.dw + 0x1000 / 4, at, 6);
    const uint32_t done = syncobj();
    struct xe_sync sync = {.type = XE_SYNC_SYNCOBJ, .flags = XE_SYNC_SIGNAL, .handle = done};
    struct xe_exec e = {.queue = a.queue,
                        .address = (uintptr_t)batches,
                        .batches = 2,
                        .syncs = (uintptr_t)&sync,
                        .sync_count = 1};
    CHECK(call(XE_EXEC, &e) == 0 && wait_syncobj(done, in_ns(SECONDS(20))) == 0);
    CHECK(w.dw[0x2000 / 4] == 6 && w.dw[0x2008 / 4] == 7);
    e.batches = 1;
    FAILS(call(XE_EXEC, &e), EINVAL);
    const struct xe_engine wrong[] = {two[1], two[0]};
    a = (struct xe_queue_create){.width = 2, .placements = 1, .vm = w.vm, .instances = (uintptr_t)wrong};
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EINVAL);
    /* One of several. */
    a = (struct xe_queue_create){.width = 1, .placements = 2, .vm = w.vm, .instances = (uintptr_t)wrong};
    CHECK(call(XE_EXEC_QUEUE_CREATE, &a) == 0);
    put_store(w.dw, AT + 0x2000, 9);
    CHECK(submit(a.queue, AT, &sync, 1) == 0 && wait_syncobj(done, in_ns(SECONDS(20))) == 0 &&
          w.dw[0x2000 / 4] == 9);
    end(&w);
}

static void values_are_waited_for(void)
{
    static _Alignas(8) uint64_t value = 10;
    /* EQ, NEQ, GT, GTE, LT, LTE of 9, 10, 11 */
    static const bool wanted[6][3] = {{0, 1, 0}, {1, 0, 1}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    for (unsigned op = 0; op < 6; op++)
        for (unsigned i = 0; i < 3; i++) {
            errno = 0;
            const int result = wait_value(&value, 9 + i, op, 0, 1000);
            CHECK(wanted[op][i] ? result == 0 : result < 0 && errno == ETIME);
        }
    struct xe_wait_user_fence a = {
        .address = (uintptr_t)&value, .value = 0xffff0a, .mask = 0xff, .timeout_ns = SECONDS(9)};
    CHECK(call(XE_WAIT_USER_FENCE, &a) == 0 && a.timeout_ns > SECONDS(1) && a.timeout_ns <= SECONDS(9));
    FAILS(wait_value(&value, 0, 6, 0, 0), EINVAL);
    FAILS(wait_value((char *)&value + 4, 0, 0, 0, 0), EINVAL);
    FAILS(wait_value((void *)16, 0, 0, 0, 0), EFAULT);
    FAILS(wait_value(&value, 0, 0, 999, 0), ENOENT);
}

/* ---- What is wrong ---- */

static void bad_objects_are_errors(void)
{
    const struct xe_gem_create good = {.size_bytes = PAGE, .placement = 1, .caching = XE_CACHING_WB};
    const struct xe_gem_create bad[] = {
        {.size_bytes = 0, .placement = 1, .caching = XE_CACHING_WB},
        {.size_bytes = PAGE + 1, .placement = 1, .caching = XE_CACHING_WB},
        {.size_bytes = PAGE, .placement = 0, .caching = XE_CACHING_WB},
        {.size_bytes = PAGE, .placement = 1u << 31, .caching = XE_CACHING_WB},
        {.size_bytes = PAGE, .placement = 1, .caching = 0},
        {.size_bytes = PAGE, .placement = 1, .caching = 3},
        {.size_bytes = PAGE, .placement = 1, .caching = XE_CACHING_WB, .flags = XE_GEM_SCANOUT},
        {.size_bytes = PAGE, .placement = 1, .caching = XE_CACHING_WB, .flags = XE_GEM_VISIBLE},
        {.size_bytes = PAGE, .placement = 1, .caching = XE_CACHING_WB, .flags = 1u << 31},
        {.size_bytes = local_page_bytes / 2, .placement = 2, .caching = XE_CACHING_WC},
        {.size_bytes = PAGE, .placement = 1, .caching = XE_CACHING_WB, .handle = 1},
        {.size_bytes = PAGE, .placement = 1, .caching = XE_CACHING_WB, .reserved = {0, 1}},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct xe_gem_create a = bad[i];
        FAILS(call(XE_GEM_CREATE, &a), EINVAL);
    }
    struct xe_gem_create a = good;
    a.vm = 900;
    FAILS(call(XE_GEM_CREATE, &a), ENOENT);
    a = (struct xe_gem_create){.size_bytes = BIG_PAGE, .placement = 3, .caching = XE_CACHING_WC};
    if (has_local)
        CHECK(call(XE_GEM_CREATE, &a) == 0);
    else
        FAILS(call(XE_GEM_CREATE, &a), EINVAL);
    struct xe_gem_mmap_offset m = {.handle = 900};
    FAILS(call(XE_GEM_MMAP_OFFSET, &m), ENOENT);
    m = (struct xe_gem_mmap_offset){.flags = XE_MMAP_BARRIER};
    if (has_local) {
        CHECK(call(XE_GEM_MMAP_OFFSET, &m) == 0);
        CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, node, (off_t)m.offset) == MAP_FAILED);
        volatile uint32_t *p = mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, node, (off_t)m.offset);
        CHECK(p != MAP_FAILED);
        *p = 1;
    } else {
        FAILS(call(XE_GEM_MMAP_OFFSET, &m), EINVAL);
    }
    /* What is one space's is nobody else's. */
    const uint32_t vm = make_vm(0), second = make_vm(0), own = create(PAGE, vm);
    struct drm_prime_handle e = {.handle = own, .flags = DRM_CLOEXEC};
    FAILS(ioctl(node, DRM_IOCTL_PRIME_HANDLE_TO_FD, &e), EPERM);
    FAILS(bind(second, map_op(own, 0, AT, PAGE), NULL, 0), EINVAL);
    CHECK(bind(vm, map_op(own, 0, AT, PAGE), NULL, 0) == 0);
    close_object(own);
    end_vm(vm);
    end_vm(second);
}

static void bad_bindings_are_errors(void)
{
    const uint32_t vm = make_vm(0), object = create(4 * PAGE, 0);
    const struct xe_bind_op bad[] = {
        map_op(object, 0, AT, 5 * PAGE),
        map_op(object, PAGE, AT, 4 * PAGE),
        map_op(object, 0, AT + 1, PAGE),
        map_op(object, 1, AT, PAGE),
        map_op(object, 0, AT, 0),
        map_op(object, 0, UINT64_C(1) << 48, PAGE),
        map_op(object, 0, UINT64_MAX - PAGE + 1, PAGE),
        map_op(0, 0, AT, PAGE),
        {.op = XE_BIND_MAP, .object = object, .flags = XE_BIND_NULL, .address = AT, .range = PAGE},
        {.op = XE_BIND_MAP, .object = object, .flags = 1u << 31, .address = AT, .range = PAGE},
        {.op = XE_BIND_MAP, .object = object, .pat = 999, .address = AT, .range = PAGE},
        {.op = XE_BIND_MAP, .object = object, .pat = incoherent_pat(), .address = AT, .range = PAGE},
        {.op = XE_BIND_MAP, .object = object, .pat = 16, .address = AT, .range = PAGE},
        {.op = XE_BIND_UNMAP, .object = object, .address = AT, .range = PAGE},
        {.op = XE_BIND_UNMAP_ALL},
        {.op = XE_BIND_UNMAP_ALL, .object = object, .range = PAGE},
        {.op = XE_BIND_PREFETCH, .address = AT, .range = PAGE, .region = 31},
        {.op = 5, .address = AT, .range = PAGE},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        FAILS(bind(vm, bad[i], NULL, 0), EINVAL);
    FAILS(bind(vm, map_op(900, 0, AT, PAGE), NULL, 0), ENOENT);
    FAILS(bind(900, map_op(object, 0, AT, PAGE), NULL, 0), EINVAL);
    struct xe_vm_bind a = {.vm = vm, .count = 1, .queue = 900, .one = map_op(object, 0, AT, PAGE)};
    FAILS(call(XE_VM_BIND, &a), ENOENT);
    a = (struct xe_vm_bind){.vm = vm, .count = 3, .several = 16};
    FAILS(call(XE_VM_BIND, &a), EFAULT);
    a.count = UINT32_MAX;
    CHECK(call(XE_VM_BIND, &a) < 0);
    /* Where nothing is, nothing goes. */
    CHECK(bind(vm, unmap_op(AT, PAGE), NULL, 0) == 0);
    struct xe_sync sync = {.type = XE_SYNC_SYNCOBJ, .handle = syncobj()};
    FAILS(bind(vm, map_op(object, 0, AT, PAGE), &sync, 1), EINVAL); /* there is no fence in it */
    sync.handle = 900;
    FAILS(bind(vm, map_op(object, 0, AT, PAGE), &sync, 1), ENOENT);
    sync = (struct xe_sync){.type = XE_SYNC_USER_FENCE, .handle = 8};
    FAILS(bind(vm, map_op(object, 0, AT, PAGE), &sync, 1), EOPNOTSUPP);
    sync = (struct xe_sync){.type = 3};
    FAILS(bind(vm, map_op(object, 0, AT, PAGE), &sync, 1), EINVAL);
    a = (struct xe_vm_bind){
        .vm = vm, .count = 1, .one = map_op(object, 0, AT, PAGE), .syncs = 16, .sync_count = 2};
    FAILS(call(XE_VM_BIND, &a), EFAULT);
    a.sync_count = UINT32_MAX;
    FAILS(call(XE_VM_BIND, &a), EINVAL);
    close_object(object);
    end_vm(vm);
}

/* An object of one space is of no other, also where that one is gone and another may have its place. */
static void objects_of_a_space_stay_its_own(void)
{
    uint32_t vms[8] = {make_vm(0)};
    const uint32_t object = create(PAGE, vms[0]);
    end_vm(vms[0]);
    for (unsigned i = 0; i < 8; i++) {
        vms[i] = make_vm(0);
        FAILS(bind(vms[i], map_op(object, 0, AT, PAGE), NULL, 0), EINVAL);
    }
    for (unsigned i = 0; i < 8; i++)
        end_vm(vms[i]);
    close_object(object);
}

static void bad_queues_are_errors(void)
{
    struct xe_vm_create faults = {.flags = XE_VM_FAULTS | XE_VM_LONG_RUNNING};
    FAILS(call(XE_VM_CREATE, &faults), EINVAL);
    struct xe_vm_destroy none = {.vm = 900};
    FAILS(call(XE_VM_DESTROY, &none), ENOENT);
    const uint32_t vm = make_vm(XE_VM_LONG_RUNNING);
    struct xe_queue_create a = {.width = 1, .placements = 1, .vm = 900, .instances = (uintptr_t)&engines[0]};
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), ENOENT);
    a.vm = vm;
    a.width = 0;
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EINVAL);
    a.width = 60000;
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EINVAL);
    a.width = 1;
    a.flags = 1u << 31;
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EINVAL);
    a.flags = 0;
    a.instances = 16;
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EFAULT);
    const struct xe_engine wrong = {.class = 4, .instance = 200};
    a.instances = (uintptr_t)&wrong;
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EINVAL);
    a.instances = (uintptr_t)&engines[0];
    struct xe_set_property p = {.property = XE_QUEUE_PRIORITY, .value = 2};
    a.extensions = (uintptr_t)&p;
    if (geteuid() != 0)
        FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EPERM);
    p.value = 3;
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), EINVAL);
    p.value = 0;
    p.base.next = (uintptr_t)&p;
    FAILS(call(XE_EXEC_QUEUE_CREATE, &a), E2BIG);
    p.base.next = 0;
    CHECK(call(XE_EXEC_QUEUE_CREATE, &a) == 0);
    /* What runs on and on signals values only; its space stays while there are queues. */
    struct xe_sync sync = {.type = XE_SYNC_SYNCOBJ, .flags = XE_SYNC_SIGNAL, .handle = syncobj()};
    FAILS(submit(a.queue, AT, &sync, 1), EOPNOTSUPP);
    none.vm = vm;
    FAILS(call(XE_VM_DESTROY, &none), EBUSY);
    FAILS(submit(900, AT, NULL, 0), ENOENT);
    struct xe_queue_get_property property = {.queue = 900};
    FAILS(call(XE_EXEC_QUEUE_GET_PROPERTY, &property), ENOENT);
    property = (struct xe_queue_get_property){.queue = a.queue, .property = 7};
    FAILS(call(XE_EXEC_QUEUE_GET_PROPERTY, &property), EINVAL);
    end_queue(a.queue);
    end_vm(vm);
    struct xe_queue_destroy gone = {.queue = a.queue};
    FAILS(call(XE_EXEC_QUEUE_DESTROY, &gone), ENOENT);
}

/* Fences of implicit synchronisation: EXPORT_SYNC_FILE and IMPORT_SYNC_FILE of a dma-buf. */
static void synchronise(int buffer)
{
    struct {
        uint32_t flags;
        int32_t fd;
    } a = {.flags = 3, .fd = -1}, none = {0};
    const unsigned long to_file = _IOWR('b', 2, a), from_file = _IOW('b', 3, a);
    CHECK(ioctl(buffer, to_file, &a) == 0 && a.fd >= 0);
    struct pollfd signaled = {.fd = a.fd, .events = POLLIN};
    CHECK(poll(&signaled, 1, 0) == 1);
    CHECK(ioctl(buffer, from_file, &a) == 0);
    FAILS(ioctl(buffer, to_file, &none), EINVAL);
    close(a.fd);
    FAILS(ioctl(buffer, from_file, &a), EINVAL);
    FAILS(ioctl(buffer, from_file, NULL), EFAULT);
    FAILS(ioctl(buffer, _IO('b', 7), NULL), ENOTTY);
    const int other = memfd_create("other", MFD_CLOEXEC);
    FAILS(ioctl(other, to_file, &a), ENOTTY);
    close(other);
}

/* A buffer of one process is another's memory, too. */
static void buffers_are_shared(void)
{
    const uint32_t object = create(PAGE, 0);
    volatile uint32_t *seen = map(object, PAGE);
    struct drm_prime_handle e = {.handle = object, .flags = DRM_CLOEXEC | DRM_RDWR};
    CHECK(ioctl(node, DRM_IOCTL_PRIME_HANDLE_TO_FD, &e) == 0);
    synchronise(e.fd);
    const pid_t child = fork();
    if (child == 0) {
        node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
        struct drm_prime_handle i = {.fd = e.fd};
        CHECK(node >= 0 && ioctl(node, DRM_IOCTL_PRIME_FD_TO_HANDLE, &i) == 0);
        struct work w = begin(0, engines[0]);
        CHECK(bind(w.vm, map_op(i.handle, 0, 0x60000000, PAGE), NULL, 0) == 0);
        put_store(w.dw, 0x60000010, 0xc0ffee);
        struct xe_sync told = {
            .type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .handle = AT + 0x3000, .value = 1};
        CHECK(submit(w.queue, AT, &told, 1) == 0 &&
              wait_value(&w.dw[0x3000 / 4], 1, 0, w.queue, SECONDS(20)) == 0);
        end(&w);
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0 && seen[4] == 0xc0ffee);
    close(e.fd);
    munmap((void *)seen, PAGE);
    close_object(object);
}

/* With an argument it leaves out what a recording cannot repeat: stores of the program while an engine polls.
 */
int main(int argc, char **argv)
{
    (void)argv;
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    CHECK(node >= 0);
    device_is_found();
    memory_is_told();
    engines_are_told();
    the_rest_is_told();
    every_engine_runs();
    bindings_are_parts();
    programs_memory_is_bound();
    what_waits_is_done_later();
    parts_go_when_nobody_runs();
    queues_that_hang_are_banned();
    if (argc == 1) {
        waits_may_be_many(0);
        waits_may_be_many(XE_VM_LONG_RUNNING);
        for (unsigned i = 0; i < engine_count; i++)
            bindings_change_while_batches_run(engines[i]);
    }
    batches_run_side_by_side();
    values_are_waited_for();
    bad_objects_are_errors();
    bad_bindings_are_errors();
    objects_of_a_space_stay_its_own();
    bad_queues_are_errors();
    buffers_are_shared();
    close(node);
    return 0;
}
