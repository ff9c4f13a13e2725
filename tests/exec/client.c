/*
 * A program as any that uses i915: calls of the kernel's interface and nothing else, run by `softgt exec`.
 * What must hold is from i915_drm.h, drm.h and the kernel's documentation of them.
 */
#include <drm.h>
#include <i915_drm.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { PAGE = 4096 };

static int node;
static bool softpin, wide; /* addresses have 48 bits; commands have them in two dwords */

static int parameter(int number)
{
    int value = -1;
    struct drm_i915_getparam a = {.param = number, .value = &value};
    return ioctl(node, DRM_IOCTL_I915_GETPARAM, &a) == 0 ? value : -errno;
}

/* ---- Objects ---- */

static uint32_t create(uint64_t bytes)
{
    struct drm_i915_gem_create a = {.size = bytes};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CREATE, &a) == 0);
    CHECK(a.handle && a.size == (bytes + PAGE - 1) / PAGE * PAGE);
    return a.handle;
}

static uint32_t *map(int fd, uint32_t handle, uint64_t bytes)
{
    struct drm_i915_gem_mmap_offset a = {.handle = handle, .flags = I915_MMAP_OFFSET_WB};
    CHECK(ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a) == 0);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)a.offset);
    CHECK(p != MAP_FAILED);
    return p;
}

static void close_object(uint32_t handle)
{
    struct drm_gem_close a = {.handle = handle};
    CHECK(ioctl(node, DRM_IOCTL_GEM_CLOSE, &a) == 0);
}

/* ---- Batches ---- */

/* MI_STORE_DATA_IMM of a dword, without Use Global GTT; returns dwords. Address at dword *at. */
static unsigned store(uint32_t *dw, uint64_t address, uint32_t value, unsigned *at)
{
    *at = wide ? 1 : 2;
    dw[0] = 0x20u << 23 | 2u;
    if (wide) {
        dw[1] = (uint32_t)address;
        dw[2] = (uint32_t)(address >> 32);
    } else {
        dw[1] = 0;
        dw[2] = (uint32_t)address;
    }
    dw[3] = value;
    return 4;
}

/* The second: MI_SEMAPHORE_WAIT until what lies there is equal. */
enum { BATCH_END = 0x0a << 23, WAIT_EQUAL = 0x1c << 23 | 1 << 15 | 4 << 12 | 2 };

static int execute(struct drm_i915_gem_exec_object2 *objects, unsigned count, uint32_t context,
                   uint64_t flags, struct drm_i915_gem_execbuffer2 *more)
{
    struct drm_i915_gem_execbuffer2 a = more ? *more : (struct drm_i915_gem_execbuffer2){0};
    a.buffers_ptr = (uintptr_t)objects;
    a.buffer_count = count;
    a.flags |= flags;
    a.rsvd1 = context;
    const int result = ioctl(
        node,
        flags & I915_EXEC_FENCE_OUT ? DRM_IOCTL_I915_GEM_EXECBUFFER2_WR : DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    if (more)
        *more = a;
    return result;
}

/* Stores value at `offset` of the target, by relocation; the batch is the last object. */
struct job {
    uint32_t target, batch;
    uint32_t *dw;
    struct drm_i915_gem_exec_object2 objects[2];
    struct drm_i915_gem_relocation_entry relocation;
};

static struct job make_job(uint32_t target, uint32_t offset, uint32_t value)
{
    struct job j = {.target = target, .batch = create(PAGE)};
    unsigned at;
    j.dw = map(node, j.batch, PAGE);
    j.dw[store(j.dw, offset, value, &at)] = BATCH_END;
    j.relocation = (struct drm_i915_gem_relocation_entry){.target_handle = target,
                                                          .delta = offset,
                                                          .offset = at * 4u,
                                                          .presumed_offset = UINT64_MAX,
                                                          .read_domains = I915_GEM_DOMAIN_RENDER,
                                                          .write_domain = I915_GEM_DOMAIN_RENDER};
    j.objects[0].handle = target;
    j.objects[0].flags = EXEC_OBJECT_WRITE;
    j.objects[1].handle = j.batch;
    j.objects[1].relocation_count = 1;
    return j;
}

static int run_job(struct job *j, uint32_t context, uint64_t flags, struct drm_i915_gem_execbuffer2 *more)
{
    j->objects[1].relocs_ptr = (uintptr_t)&j->relocation;
    return execute(j->objects, 2, context, flags, more);
}

static void end_job(struct job *j)
{
    munmap(j->dw, PAGE);
    close_object(j->batch);
}

static void store_by(uint32_t target, uint32_t offset, uint32_t value, uint32_t context, uint64_t flags)
{
    struct job j = make_job(target, offset, value);
    CHECK(run_job(&j, context, flags, NULL) == 0);
    struct drm_i915_gem_wait w = {.bo_handle = target, .timeout_ns = -1};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
    end_job(&j);
}

/* ---- What there is ---- */

static void device_is_found(const char *name)
{
    struct stat st;
    char text[64] = "";
    CHECK(stat("/dev/dri/renderD128", &st) == 0 && S_ISCHR(st.st_mode));
    CHECK(major(st.st_rdev) == 226 && minor(st.st_rdev) == 128);
    CHECK(fstat(node, &st) == 0 && S_ISCHR(st.st_mode) && minor(st.st_rdev) == 128);
    CHECK(readlink("/sys/dev/char/226:128/device/subsystem", text, sizeof text - 1) > 0);
    CHECK(strcmp(strrchr(text, '/'), "/pci") == 0);
    char link[32], to[64] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", node);
    CHECK(readlink(link, to, sizeof to - 1) == 19 && strcmp(to, "/dev/dri/renderD128") == 0);
    CHECK(readlink(link, to, 4) == 4);
    FILE *file = fopen("/sys/dev/char/226:128/device/device", "r");
    CHECK(file && fgets(text, sizeof text, file));
    fclose(file);
    CHECK((int)strtoul(text, NULL, 16) == parameter(I915_PARAM_CHIPSET_ID));
    bool found = false;
    DIR *all = opendir("/dev/dri");
    for (struct dirent *e; all && (e = readdir(all));)
        found |= strcmp(e->d_name, "renderD128") == 0;
    CHECK(all && found);
    closedir(all);
    char *path = realpath("/sys/dev/char/226:128/device", NULL);
    CHECK(path && strncmp(path, "/sys/devices/pci", 16) == 0);
    free(path);
    char driver[16] = "";
    struct drm_version v = {.name_len = sizeof driver - 1, .name = driver};
    CHECK(ioctl(node, DRM_IOCTL_VERSION, &v) == 0 && strcmp(driver, "i915") == 0 && v.name_len == 4);
    printf("%s: %04x\n", name, (unsigned)parameter(I915_PARAM_CHIPSET_ID));
}

static void queries_tell_their_length(void)
{
    for (uint64_t id = 1; id <= 6; id++) {
        struct drm_i915_query_item item = {.query_id = id, .flags = 0};
        struct drm_i915_query q = {.num_items = 1, .items_ptr = (uintptr_t)&item};
        CHECK(ioctl(node, DRM_IOCTL_I915_QUERY, &q) == 0 && item.length != 0);
        if (item.length < 0)
            continue;
        const int32_t length = item.length;
        uint8_t *room = malloc((size_t)length + 8);
        memset(room, 0xa5, (size_t)length + 8);
        item.length = length - 1;
        item.data_ptr = (uintptr_t)room;
        CHECK(ioctl(node, DRM_IOCTL_I915_QUERY, &q) == 0 && item.length == -EINVAL);
        memset(room, 0, (size_t)length);
        item.length = length;
        CHECK(ioctl(node, DRM_IOCTL_I915_QUERY, &q) == 0 && item.length == length);
        CHECK(room[length] == 0xa5);
        /* of system memory, too, though only local memory's is tracked */
        const struct drm_i915_query_memory_regions *const all = (const void *)room;
        for (uint32_t i = 0; id == DRM_I915_QUERY_MEMORY_REGIONS && i < all->num_regions; i++)
            CHECK(all->regions[i].probed_cpu_visible_size == all->regions[i].probed_size);
        free(room);
    }
    struct drm_i915_query_item none = {.query_id = 999};
    struct drm_i915_query q = {.num_items = 1, .items_ptr = (uintptr_t)&none};
    CHECK(ioctl(node, DRM_IOCTL_I915_QUERY, &q) == 0 && none.length == -EINVAL);
}

/* Two slots of a map that are of one engine have a state each: a register of the one is not the other's. */
static void slots_have_states(void)
{
    enum { CS_GPR0 = 0x2600, LRI = 0x22 << 23 | 1, SRM = 0x24 << 23 | 2 };
    if (parameter(I915_PARAM_HAS_SCHEDULER) <= 0)
        return;                                         /* a ring for all contexts */
    I915_DEFINE_CONTEXT_PARAM_ENGINES(map_of, 2) = {0}; /* of the render engine */
    struct drm_i915_gem_context_create_ext_setparam engines = {
        .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
        .param = {.param = I915_CONTEXT_PARAM_ENGINES, .size = sizeof map_of, .value = (uintptr_t)&map_of}};
    struct drm_i915_gem_context_create_ext context = {.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
                                                      .extensions = (uintptr_t)&engines};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context) == 0);
    const uint32_t target = create(PAGE);
    volatile uint32_t *seen = map(node, target, PAGE);
    struct job j = make_job(target, 0, 1);
    for (unsigned round = 0; round < 4; round++) {
        const unsigned slot = round & 1u;
        const uint32_t sets[] = {LRI, CS_GPR0, 0x5000 + slot}, stores[] = {SRM, CS_GPR0, 0, 0, BATCH_END};
        unsigned at = 0;
        for (unsigned n = 0; round < 2 && n < 3; n++)
            j.dw[at++] = sets[n];
        j.relocation.offset = (at + 2u) * 4u;
        j.relocation.delta = round * 4u;
        j.relocation.presumed_offset = UINT64_MAX;
        for (unsigned n = 0; n < 5; n++)
            j.dw[at++] = stores[n];
        CHECK(run_job(&j, context.ctx_id, slot, NULL) == 0);
        struct drm_i915_gem_wait w = {.bo_handle = target, .timeout_ns = -1};
        CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
    }
    for (unsigned round = 0; round < 4; round++)
        CHECK(seen[round] == 0x5000 + (round & 1u));
    /* what was used keeps its map */
    struct drm_i915_gem_context_param again = engines.param;
    again.ctx_id = context.ctx_id;
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &again), EINVAL);
    end_job(&j);
    munmap((void *)seen, PAGE);
    close_object(target);
    struct drm_i915_gem_context_destroy end = {.ctx_id = context.ctx_id};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &end) == 0);
}

/* Batches that begin at once, one an engine, each longer than the others are waited for: all are busy until
 * they have stored. */
static void engines_begin_together(uint32_t context, unsigned count)
{
    enum { MOST = 8, LONG_DW = 100000 };
    uint32_t targets[MOST + 1], batches[MOST], at = wide ? 1 : 2;
    volatile uint32_t *seen[MOST + 1];
    if (parameter(I915_PARAM_HAS_SCHEDULER) <= 0)
        return; /* no semaphores that wait for a value */
    count = count < MOST ? count : MOST;
    for (unsigned i = 0; i <= count; i++)
        seen[i] = map(node, targets[i] = create(PAGE), PAGE);
    struct job gate = make_job(targets[count], 0, 1);
    const uint32_t wait[] = {WAIT_EQUAL, 1, 0, 0, 0, BATCH_END};
    memcpy(gate.dw, wait, sizeof wait);
    gate.relocation.offset = 8;
    struct drm_i915_gem_execbuffer2 a = {0};
    CHECK(run_job(&gate, 0, I915_EXEC_RENDER | I915_EXEC_FENCE_OUT, &a) == 0);
    const int opens = (int)(a.rsvd2 >> 32);
    for (unsigned i = 0; i < count; i++) {
        batches[i] = create(LONG_DW * 4 + PAGE);
        struct job one = make_job(targets[i], 0, 7);
        uint32_t *const dw = map(node, batches[i], LONG_DW * 4 + PAGE);
        memcpy(dw + LONG_DW, one.dw, 5 * sizeof *dw);
        one.relocation.offset = (LONG_DW + at) * 4u;
        one.objects[1].handle = batches[i];
        a = (struct drm_i915_gem_execbuffer2){.rsvd2 = (uint32_t)opens};
        CHECK(run_job(&one, context, i | I915_EXEC_FENCE_IN, &a) == 0);
        munmap(dw, LONG_DW * 4 + PAGE);
        end_job(&one);
    }
    seen[count][0] = 1;
    for (unsigned i = count; i-- > 0;) {
        struct drm_i915_gem_wait w = {.bo_handle = targets[i], .timeout_ns = -1};
        CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
        CHECK(seen[i][0] == 7);
        close_object(batches[i]);
    }
    close(opens);
    end_job(&gate);
    for (unsigned i = 0; i <= count; i++) {
        munmap((void *)seen[i], PAGE);
        close_object(targets[i]);
    }
}

/* Each engine that the query names runs a batch of a context whose map has it. */
static void every_engine_runs(void)
{
    struct drm_i915_query_item item = {.query_id = DRM_I915_QUERY_ENGINE_INFO};
    struct drm_i915_query q = {.num_items = 1, .items_ptr = (uintptr_t)&item};
    CHECK(ioctl(node, DRM_IOCTL_I915_QUERY, &q) == 0 && item.length > 0);
    struct drm_i915_query_engine_info *all = calloc(1, (size_t)item.length);
    item.data_ptr = (uintptr_t)all;
    CHECK(ioctl(node, DRM_IOCTL_I915_QUERY, &q) == 0 && all->num_engines >= 3);
    I915_DEFINE_CONTEXT_PARAM_ENGINES(map_of, 64) = {0};
    for (unsigned i = 0; i < all->num_engines; i++)
        map_of.engines[i] = all->engines[i].engine;
    struct drm_i915_gem_context_create_ext_setparam engines = {
        .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
        .param = {.param = I915_CONTEXT_PARAM_ENGINES,
                  .size = (uint32_t)(sizeof(uint64_t) + all->num_engines * sizeof map_of.engines[0]),
                  .value = (uintptr_t)&map_of}};
    struct drm_i915_gem_context_create_ext context = {.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
                                                      .extensions = (uintptr_t)&engines};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context) == 0);
    const uint32_t target = create(PAGE);
    volatile uint32_t *seen = map(node, target, PAGE);
    for (unsigned i = 0; i < all->num_engines; i++) {
        store_by(target, i * 4, 0x1000 + i, context.ctx_id, i);
        CHECK(seen[i] == 0x1000 + i);
    }
    engines_begin_together(context.ctx_id, all->num_engines);
    struct job j = make_job(target, 0, 1);
    FAILS(run_job(&j, context.ctx_id, all->num_engines, NULL), EINVAL);
    end_job(&j);
    struct drm_i915_gem_context_destroy end = {.ctx_id = context.ctx_id};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &end) == 0);
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &end), ENOENT);
    munmap((void *)seen, PAGE);
    close_object(target);
    free(all);
}

/* ---- Places ---- */

static void objects_are_where_they_are_put(void)
{
    if (!softpin)
        return;
    const uint64_t place = UINT64_C(0x123456789000), last = UINT64_C(0xfffffffff000);
    const uint32_t target = create(2 * PAGE), batch = create(PAGE);
    uint32_t *seen = map(node, target, 2 * PAGE), *dw = map(node, batch, PAGE);
    unsigned at;
    dw[store(dw, place + PAGE + 8, 77, &at)] = BATCH_END;
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.handle = target, .offset = place, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS},
        {.handle = batch,
         .offset = last | UINT64_C(0xffff) << 48,
         .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS}};
    CHECK(execute(objects, 2, 0, I915_EXEC_RENDER, NULL) == 0);
    CHECK(((volatile uint32_t *)seen)[PAGE / 4 + 2] == 77);
    CHECK(objects[0].offset == place);
    /* Not canonical; not a page; both at one place; elsewhere the old place has nothing. */
    objects[1].offset = last;
    FAILS(execute(objects, 2, 0, I915_EXEC_RENDER, NULL), EINVAL);
    objects[1].offset = 0x1008;
    FAILS(execute(objects, 2, 0, I915_EXEC_RENDER, NULL), EINVAL);
    objects[1].offset = place + PAGE;
    FAILS(execute(objects, 2, 0, I915_EXEC_RENDER, NULL), EINVAL);
    munmap(seen, 2 * PAGE);
    munmap(dw, PAGE);
    close_object(target);
    close_object(batch);
}

static void relocations_are_written_once(void)
{
    const uint32_t target = create(PAGE);
    volatile uint32_t *seen = map(node, target, PAGE);
    struct job j = make_job(target, 16, 5);
    CHECK(run_job(&j, 0, I915_EXEC_RENDER, NULL) == 0 && seen[4] == 5);
    CHECK(j.relocation.presumed_offset == j.objects[0].offset);
    /* Nothing to write: what is there is believed. */
    seen[4] = 0;
    CHECK(run_job(&j, 0, I915_EXEC_RENDER | I915_EXEC_NO_RELOC, NULL) == 0 && seen[4] == 5);
    /* By place in the list. */
    seen[4] = 0;
    j.relocation.target_handle = 0;
    j.relocation.presumed_offset = 1;
    CHECK(run_job(&j, 0, I915_EXEC_RENDER | I915_EXEC_HANDLE_LUT, NULL) == 0 && seen[4] == 5);
    j.relocation.target_handle = 99;
    FAILS(run_job(&j, 0, I915_EXEC_RENDER, NULL), ENOENT);
    j.relocation.target_handle = target;
    j.relocation.offset = PAGE;
    FAILS(run_job(&j, 0, I915_EXEC_RENDER, NULL), EINVAL);
    end_job(&j);
    munmap((void *)seen, PAGE);
    close_object(target);
}

/* ---- Memory of others ---- */

static void programs_memory_is_written(void)
{
    uint32_t *own = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct drm_i915_gem_userptr a = {.user_ptr = (uintptr_t)own, .user_size = 2 * PAGE};
    CHECK(own != MAP_FAILED && ioctl(node, DRM_IOCTL_I915_GEM_USERPTR, &a) == 0);
    store_by(a.handle, PAGE + 4, 0xabcd, 0, I915_EXEC_RENDER);
    CHECK(((volatile uint32_t *)own)[PAGE / 4 + 1] == 0xabcd);
    struct drm_i915_gem_mmap_offset m = {.handle = a.handle, .flags = I915_MMAP_OFFSET_WB};
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &m), ENODEV);
    struct job j = make_job(a.handle, 0, 1);
    munmap(own, 2 * PAGE);
    FAILS(run_job(&j, 0, I915_EXEC_RENDER, NULL), EFAULT);
    end_job(&j);
    close_object(a.handle);
    struct drm_i915_gem_userptr bad = {.user_ptr = (uintptr_t)own + 1, .user_size = PAGE};
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_USERPTR, &bad), EINVAL);
    bad =
        (struct drm_i915_gem_userptr){.user_ptr = (uintptr_t)own, .user_size = PAGE, .flags = 2 /* PROBE */};
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_USERPTR, &bad), EFAULT);
}

/* Another process has the object by a descriptor, and sees what this one's device writes. */
static void buffers_are_shared(void)
{
    const uint32_t target = create(PAGE);
    struct drm_prime_handle out = {.handle = target, .flags = DRM_CLOEXEC | DRM_RDWR};
    CHECK(ioctl(node, DRM_IOCTL_PRIME_HANDLE_TO_FD, &out) == 0);
    CHECK(lseek(out.fd, 0, SEEK_END) == PAGE);
    struct drm_prime_handle in = {.fd = out.fd};
    CHECK(ioctl(node, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in) == 0 && in.handle == target);
    const int second = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    CHECK(second >= 0 && ioctl(second, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in) == 0);
    volatile uint32_t *there = map(second, in.handle, PAGE);
    store_by(target, 40, 4711, 0, I915_EXEC_RENDER);
    CHECK(there[10] == 4711);
    close(second);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(node);
        node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
        CHECK(node >= 0 && ioctl(node, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in) == 0);
        store_by(in.handle, 44, 4712, 0, I915_EXEC_RENDER);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(there[11] == 4712);
    munmap((void *)there, PAGE);
    close(out.fd);
    close_object(target);
}

/* ---- Fences ---- */

static uint32_t syncobj(uint32_t flags)
{
    struct drm_syncobj_create a = {.flags = flags};
    CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_CREATE, &a) == 0);
    return a.handle;
}

static int wait_syncobj(uint32_t handle, int64_t timeout_ns, uint32_t flags)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct drm_syncobj_wait a = {.handles = (uintptr_t)&handle,
                                 .count_handles = 1,
                                 .timeout_nsec = now.tv_sec * INT64_C(1000000000) + now.tv_nsec + timeout_ns,
                                 .flags = flags};
    return ioctl(node, DRM_IOCTL_SYNCOBJ_WAIT, &a);
}

static uint64_t point_of(uint32_t handle)
{
    uint64_t value = UINT64_MAX;
    struct drm_syncobj_timeline_array a = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&value, .count_handles = 1};
    CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_QUERY, &a) == 0);
    return value;
}

static void fences_order_submissions(void)
{
    const uint32_t target = create(PAGE), binary = syncobj(0),
                   signaled = syncobj(DRM_SYNCOBJ_CREATE_SIGNALED);
    volatile uint32_t *seen = map(node, target, PAGE);
    CHECK(wait_syncobj(signaled, 0, 0) == 0);
    FAILS(wait_syncobj(binary, 0, 0), EINVAL);
    FAILS(wait_syncobj(binary, 1000000, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT), ETIME);
    /* A fence as a file. */
    struct job j = make_job(target, 0, 1);
    struct drm_i915_gem_execbuffer2 a = {0};
    CHECK(run_job(&j, 0, I915_EXEC_RENDER | I915_EXEC_FENCE_OUT, &a) == 0);
    const int fence = (int)(a.rsvd2 >> 32);
    struct pollfd p = {.fd = fence, .events = POLLIN};
    CHECK(poll(&p, 1, 10000) == 1 && p.revents & POLLIN && seen[0] == 1);
    struct sync_file_info information = {0};
    CHECK(ioctl(fence, SYNC_IOC_FILE_INFO, &information) == 0 && information.status == 1 &&
          information.num_fences == 1);
    struct sync_merge_data merge = {.name = "both", .fd2 = fence};
    CHECK(ioctl(fence, SYNC_IOC_MERGE, &merge) == 0 && merge.fence >= 0);
    close(merge.fence);
    a = (struct drm_i915_gem_execbuffer2){.rsvd2 = (uint32_t)fence};
    CHECK(run_job(&j, 0, I915_EXEC_RENDER | I915_EXEC_FENCE_IN, &a) == 0);
    struct drm_syncobj_handle import = {
        .handle = binary, .fd = fence, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE};
    CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import) == 0 && wait_syncobj(binary, 0, 0) == 0);
    close(fence);
    /* An array: one is waited for, one signalled. */
    uint32_t done = syncobj(0);
    struct drm_i915_gem_exec_fence fences[] = {{signaled, I915_EXEC_FENCE_WAIT},
                                               {done, I915_EXEC_FENCE_SIGNAL}};
    a = (struct drm_i915_gem_execbuffer2){.cliprects_ptr = (uintptr_t)fences, .num_cliprects = 2};
    CHECK(run_job(&j, 0, I915_EXEC_RENDER | I915_EXEC_FENCE_ARRAY, &a) == 0 && wait_syncobj(done, 0, 0) == 0);
    fences[0].handle = 999;
    FAILS(run_job(&j, 0, I915_EXEC_RENDER | I915_EXEC_FENCE_ARRAY, &a), ENOENT);
    end_job(&j);
    munmap((void *)seen, PAGE);
    close_object(target);
}

static uint64_t timeline_values[2];
static uint32_t timeline_handle;

static void *signal_later(void *user)
{
    (void)user;
    usleep(20000);
    uint64_t value = 9;
    struct drm_syncobj_timeline_array a = {
        .handles = (uintptr_t)&timeline_handle, .points = (uintptr_t)&value, .count_handles = 1};
    CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &a) == 0);
    return NULL;
}

static void timelines_count(void)
{
    const uint32_t target = create(PAGE);
    volatile uint32_t *seen = map(node, target, PAGE);
    timeline_handle = syncobj(0);
    CHECK(point_of(timeline_handle) == 0);
    struct job j = make_job(target, 0, 3);
    struct drm_i915_gem_exec_fence fence = {timeline_handle, I915_EXEC_FENCE_SIGNAL};
    timeline_values[0] = 5;
    struct drm_i915_gem_execbuffer_ext_timeline_fences e = {.base.name =
                                                                DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
                                                            .fence_count = 1,
                                                            .handles_ptr = (uintptr_t)&fence,
                                                            .values_ptr = (uintptr_t)timeline_values};
    struct drm_i915_gem_execbuffer2 a = {.cliprects_ptr = (uintptr_t)&e};
    CHECK(run_job(&j, 0, I915_EXEC_RENDER | I915_EXEC_USE_EXTENSIONS, &a) == 0);
    CHECK(seen[0] == 3 && point_of(timeline_handle) == 5);
    /* A thread signals a later point; the wait is there before. */
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, signal_later, NULL) == 0);
    uint64_t wanted = 9;
    struct drm_syncobj_timeline_wait w = {.handles = (uintptr_t)&timeline_handle,
                                          .points = (uintptr_t)&wanted,
                                          .timeout_nsec = INT64_MAX,
                                          .count_handles = 1,
                                          .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT};
    CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &w) == 0 && point_of(timeline_handle) == 9);
    pthread_join(thread, NULL);
    wanted = 10;
    w.flags = 0;
    FAILS(ioctl(node, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &w), EINVAL);
    end_job(&j);
    munmap((void *)seen, PAGE);
    close_object(target);
}

/* ---- Contexts ---- */

static uint32_t context(void)
{
    struct drm_i915_gem_context_create a = {0};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &a) == 0 && a.ctx_id);
    return a.ctx_id;
}

static struct drm_i915_reset_stats resets(uint32_t id)
{
    struct drm_i915_reset_stats a = {.ctx_id = id};
    CHECK(ioctl(node, DRM_IOCTL_I915_GET_RESET_STATS, &a) == 0);
    return a;
}

static void hung_contexts_are_told(void)
{
    const uint32_t guilty = context(), other = context(), batch = create(PAGE), target = create(PAGE);
    uint32_t *dw = map(node, batch, PAGE);
    volatile uint32_t *seen = map(node, target, PAGE);
    dw[0] = 0x7fff0000; /* no command */
    struct drm_i915_gem_exec_object2 object = {.handle = batch};
    CHECK(execute(&object, 1, guilty, I915_EXEC_RENDER, NULL) == 0);
    CHECK(resets(guilty).batch_active == 1 && resets(other).batch_active == 0);
    store_by(target, 0, 1, other, I915_EXEC_RENDER);
    store_by(target, 4, 2, guilty, I915_EXEC_RENDER);
    CHECK(seen[0] == 1 && seen[1] == 2);
    /* One that never ends: it starts itself again. */
    dw[0] = 0x31u << 23 | 1u << 8 | (wide ? 1u : 0u);
    dw[1] = 0;
    struct drm_i915_gem_relocation_entry again = {
        .target_handle = batch, .offset = 4, .presumed_offset = UINT64_MAX};
    object.relocs_ptr = (uintptr_t)&again;
    object.relocation_count = 1;
    CHECK(execute(&object, 1, guilty, I915_EXEC_RENDER, NULL) == 0);
    CHECK(resets(guilty).batch_active == 2);
    /* A context that is not to recover is banned at once. */
    struct drm_i915_gem_context_param no = {.ctx_id = other, .param = I915_CONTEXT_PARAM_RECOVERABLE};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &no) == 0);
    CHECK(execute(&object, 1, other, I915_EXEC_RENDER, NULL) == 0);
    FAILS(execute(&object, 1, other, I915_EXEC_RENDER, NULL), EIO);
    store_by(target, 8, 3, 0, I915_EXEC_RENDER);
    CHECK(seen[2] == 3);
    munmap(dw, PAGE);
    munmap((void *)seen, PAGE);
    close_object(batch);
    close_object(target);
}

/* A batch that takes long gives way to one that lets nobody in, and goes on and on: that is the one that
 * hangs, and the first ends as it would. */
static void who_does_not_end_is_to_blame(void)
{
    enum { LONG_DW = 2500000, EACH_DW = 1024, ARB_CHECK = 0x05 << 23 };
    const uint32_t guilty = context(), other = context(), batch = create(PAGE), target = create(PAGE),
                   slow = create(LONG_DW * 4 + PAGE), at = wide ? 1 : 2;
    uint32_t *const dw = map(node, batch, PAGE), *const noops = map(node, slow, LONG_DW * 4 + PAGE);
    volatile uint32_t *const seen = map(node, target, PAGE);
    struct job j = make_job(target, 0, 5);
    for (uint32_t i = 0; i < LONG_DW; i += EACH_DW)
        noops[i] = ARB_CHECK;
    memcpy(noops + LONG_DW, j.dw, 5 * sizeof *dw);
    j.relocation.offset = (LONG_DW + at) * 4u;
    j.objects[1].handle = slow;
    dw[0] = 0x31u << 23 | 1u << 8 | (wide ? 1u : 0u);
    struct drm_i915_gem_relocation_entry again = {
        .target_handle = batch, .offset = 4, .presumed_offset = UINT64_MAX};
    struct drm_i915_gem_exec_object2 object = {
        .handle = batch, .relocs_ptr = (uintptr_t)&again, .relocation_count = 1};
    CHECK(run_job(&j, other, I915_EXEC_RENDER, NULL) == 0);
    CHECK(execute(&object, 1, guilty, I915_EXEC_RENDER, NULL) == 0);
    struct drm_i915_gem_wait w = {.bo_handle = target, .timeout_ns = -1};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
    CHECK(seen[0] == 5);
    w.bo_handle = batch;
    w.timeout_ns = -1;
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
    CHECK(resets(guilty).batch_active == 1 && resets(other).batch_active == 0);
}

/* Each context has its own space: one place, two objects. */
static void contexts_have_their_own_spaces(void)
{
    if (!softpin)
        return;
    const uint32_t contexts[] = {context(), context()};
    uint32_t *seen[2];
    const uint32_t batch = create(PAGE);
    uint32_t *dw = map(node, batch, PAGE);
    unsigned at;
    dw[store(dw, 0x800000, 1, &at)] = BATCH_END;
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t target = create(PAGE);
            seen[i] = map(node, target, PAGE);
            struct drm_i915_gem_exec_object2 objects[2] = {
                {.handle = target, .offset = 0x800000, .flags = EXEC_OBJECT_PINNED}, {.handle = batch}};
            CHECK(execute(objects, 2, contexts[i], I915_EXEC_RENDER, NULL) == 0);
            CHECK(*(volatile uint32_t *)seen[i] == 1);
            *seen[i] = 0;
            if (i)
                CHECK(*(volatile uint32_t *)seen[0] == 0);
            close_object(target);
        }
    munmap(dw, PAGE);
    close_object(batch);
}

/* ---- Threads, and bad calls ---- */

static void *submit_many(void *user)
{
    const uint32_t number = (uint32_t)(uintptr_t)user, target = create(PAGE), id = context();
    volatile uint32_t *seen = map(node, target, PAGE);
    for (uint32_t i = 0; i < 50; i++) {
        store_by(target, i * 4, number << 16 | i, id, i % 2 ? I915_EXEC_BLT : I915_EXEC_RENDER);
        CHECK(seen[i] == (number << 16 | i));
    }
    munmap((void *)seen, PAGE);
    close_object(target);
    return NULL;
}

static void threads_do_not_meet(void)
{
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, submit_many, (void *)(i + 1)) == 0);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void bad_calls_are_errors(void)
{
    struct drm_gem_close none = {.handle = 4000};
    FAILS(ioctl(node, DRM_IOCTL_GEM_CLOSE, &none), EINVAL);
    struct drm_i915_gem_create empty = {0};
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_CREATE, &empty), EINVAL);
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_CREATE, (void *)8), EFAULT);
    struct drm_i915_gem_execbuffer2 a = {.buffers_ptr = 16, .buffer_count = 3};
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), EFAULT);
    a.buffer_count = UINT32_MAX;
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), EINVAL);
    a.buffer_count = 0;
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), EINVAL);
    FAILS(ioctl(node, _IOWR('d', 0x40 + 0x3f, int), &a), EINVAL);
    struct drm_i915_getparam p = {.param = 9999, .value = &(int){0}};
    FAILS(ioctl(node, DRM_IOCTL_I915_GETPARAM, &p), EINVAL);
    p = (struct drm_i915_getparam){.param = I915_PARAM_CHIPSET_ID, .value = (int *)16};
    FAILS(ioctl(node, DRM_IOCTL_I915_GETPARAM, &p), EFAULT);
    struct drm_i915_reg_read r = {.offset = 0x9120};
    FAILS(ioctl(node, DRM_IOCTL_I915_REG_READ, &r), EINVAL);
    r.offset = 0x2358 | 1;
    CHECK(ioctl(node, DRM_IOCTL_I915_REG_READ, &r) == 0);
    const uint64_t before = r.val;
    for (unsigned i = 0; i < 10; i++)
        CHECK(ioctl(node, DRM_IOCTL_I915_REG_READ, &r) == 0);
    CHECK(r.val > before);
    CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, node, INT64_C(4000) << 40) == MAP_FAILED &&
          errno == EINVAL);
    const uint32_t names[] = {syncobj(0), 5555};
    struct drm_syncobj_array two = {.handles = (uintptr_t)names, .count_handles = 2};
    FAILS(ioctl(node, DRM_IOCTL_SYNCOBJ_RESET, &two), ENOENT);
    FAILS(ioctl(node, DRM_IOCTL_SYNCOBJ_SIGNAL, &two), ENOENT);
    two.handles = 16;
    FAILS(ioctl(node, DRM_IOCTL_SYNCOBJ_SIGNAL, &two), EFAULT);
    two.count_handles = 0;
    FAILS(ioctl(node, DRM_IOCTL_SYNCOBJ_SIGNAL, &two), EINVAL);
    struct drm_syncobj_timeline_array points = {
        .handles = (uintptr_t)names, .points = 16, .count_handles = 1};
    FAILS(ioctl(node, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &points), EFAULT);
    FAILS(ioctl(node, DRM_IOCTL_SYNCOBJ_QUERY, &points), EFAULT);
    /* What is no device's goes its own way. */
    int pipes[2];
    CHECK(pipe(pipes) == 0);
    FAILS(ioctl(pipes[0], DRM_IOCTL_VERSION, &r), ENOTTY);
    const int copy = dup(node);
    CHECK(copy >= 0 && close(copy) == 0 && parameter(I915_PARAM_CHIPSET_ID) > 0);
    close(pipes[0]);
    close(pipes[1]);
}

/* ---- Batches that i915 checks ---- */

enum { LOAD = 0x22 << 23 | 1, KEEP = 0x24 << 23 | 1, OPEN_REGISTER = 0x5280 /* SO_WRITE_OFFSET[0] */ };

/* A batch loads that register, does what `dw` says, and stores the register: what it was. */
static uint32_t loaded(uint32_t value, const uint32_t *dw, unsigned count, uint32_t keep, bool checked,
                       int error)
{
    const uint32_t target = create(PAGE), batch = create(PAGE);
    uint32_t *const seen = map(node, target, PAGE), *const b = map(node, batch, PAGE);
    const uint32_t load[3] = {LOAD, OPEN_REGISTER, value}, store_it[4] = {keep, OPEN_REGISTER, 0, BATCH_END};
    memcpy(b, load, sizeof load);
    if (count)
        memcpy(b + 3, dw, count * sizeof *dw);
    memcpy(b + 3 + count, store_it, sizeof store_it);
    const uint32_t length = (3 + count + 4 + 1) / 2 * 8;
    struct drm_i915_gem_relocation_entry r = {
        .target_handle = target, .offset = (3 + count + 2) * 4, .presumed_offset = UINT64_MAX};
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.handle = target}, {.handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&r}};
    struct drm_i915_gem_execbuffer2 more = {.batch_len = checked ? length : 0};
    if (error) {
        b[3 + count + 3] = 0; /* no end */
        FAILS(execute(objects, 2, 0, I915_EXEC_RENDER, &more), error);
    } else {
        CHECK(execute(objects, 2, 0, I915_EXEC_RENDER, &more) == 0);
        struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = -1};
        CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
    }
    const uint32_t was = *seen;
    munmap(seen, PAGE);
    munmap(b, PAGE);
    close_object(target);
    close_object(batch);
    return was;
}

/* Gen6's i915 checks nothing; under it registers are stored, and none is loaded. (Mesa: crocus_query.c) */
static void registers_are_stored(void)
{
    enum { CLOCK = 0x2358, GGTT = 1 << 22 };
    CHECK(parameter(I915_PARAM_CMD_PARSER_VERSION) == 0);
    for (unsigned n = 0; n < 4; n++) {
        const uint32_t target = create(PAGE), batch = create(PAGE);
        uint32_t *const seen = map(node, target, PAGE), *const b = map(node, batch, PAGE);
        const uint32_t dw[10] = {
            KEEP | (n == 1 ? GGTT : 0), CLOCK, 0, n == 2 ? 0x02u << 23 : 0, LOAD, CLOCK, 0, BATCH_END};
        memcpy(b, dw, sizeof dw);
        if (n != 3)
            b[4] = BATCH_END;
        struct drm_i915_gem_relocation_entry r = {
            .target_handle = target, .offset = 8, .presumed_offset = UINT64_MAX};
        struct drm_i915_gem_exec_object2 objects[2] = {
            {.handle = target}, {.handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&r}};
        struct drm_i915_gem_execbuffer2 more = {.batch_len = 40};
        CHECK(execute(objects, 2, 0, I915_EXEC_RENDER, &more) == 0);
        struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = -1};
        CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
        CHECK((*seen != 0) == (n == 0));
        munmap(seen, PAGE);
        munmap(b, PAGE);
        close_object(target);
        close_object(batch);
    }
}

/* PIPE_CONTROL of Gen6 writes through the GGTT, which has the object at its address in the context's space.
 * The batch stores a register, too, and so is privileged. */
static void results_go_through_the_ggtt(void)
{
    enum { GGTT = 1 << 2, WRITES = 1 << 14, STALLS = 1 << 20, PLACE = 16, CLOCK = 0x2358, ROUNDS = 6 };
    const uint32_t contexts[] = {context(), context()};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t target[2];
        volatile uint32_t *seen[2];
        struct job j[2];
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t dw[] = {0x7a000003, WRITES | STALLS, 0, round * 2 + i + 1, 0,
                                   KEEP,       CLOCK,           0, BATCH_END};
            target[i] = create(PAGE);
            seen[i] = map(node, target[i], PAGE);
            j[i] = make_job(target[i], 0, 0);
            memcpy(j[i].dw, dw, sizeof dw);
            struct drm_i915_gem_relocation_entry r[2] = {j[i].relocation, j[i].relocation};
            r[0].offset = 2 * 4;
            r[0].delta = PLACE | GGTT;
            r[1].offset = 7 * 4;
            j[i].objects[0].flags |= EXEC_OBJECT_NEEDS_GTT;
            j[i].objects[1].relocation_count = 2;
            j[i].objects[1].relocs_ptr = (uintptr_t)r;
            struct drm_i915_gem_execbuffer2 more = {.batch_len = 40};
            CHECK(execute(j[i].objects, 2, contexts[i], I915_EXEC_RENDER, &more) == 0);
        }
        for (unsigned i = 0; i < 2; i++) {
            struct drm_i915_gem_wait w = {.bo_handle = j[i].batch, .timeout_ns = -1};
            CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
            CHECK(seen[i][PLACE / 4] == round * 2 + i + 1 && seen[i][0] != 0);
            munmap((void *)seen[i], PAGE);
            end_job(&j[i]);
            close_object(target[i]);
        }
    }
}

/* Gen7's hardware drops register writes of users. What i915 has checked it starts as privileged, all of it or
 * nothing; what it did not check, as no length was given, hardware sees. (Linux, i915_cmd_parser.c) */
static void batches_are_checked(const char *name)
{
    enum { GGTT = 1 << 22, INSTPM = 0x20c0, SCRATCH = 0xb038, GPR = 0x2600, COPY_REGISTER = 0x2a << 23 | 1 };
    const bool hsw = strncmp(name, "hsw", 3) == 0;
    const uint32_t privileged[] = {LOAD, INSTPM, 0x00010001}, interrupt[] = {0x02 << 23},
                   open[] = {LOAD, SCRATCH, 1 << 27}, closed[] = {LOAD, SCRATCH, 1},
                   memory[] = {0x29 << 23 | 1, SCRATCH, 0}, general[] = {LOAD, GPR, 77},
                   copy[] = {COPY_REGISTER, GPR, OPEN_REGISTER}, index[] = {0x21 << 23 | 1, 0x200, 1},
                   flush[] = {0x7a000003, 1u << 24 | 1u << 14, 0x200, 1, 0},
                   both[] = {LOAD, GPR, 77, COPY_REGISTER, GPR, OPEN_REGISTER};
    if (strncmp(name, "snb", 3) == 0) {
        registers_are_stored();
        results_go_through_the_ggtt();
    }
    if (!hsw && strncmp(name, "ivb", 3) != 0)
        return;
    CHECK(parameter(I915_PARAM_CMD_PARSER_VERSION) == 10);
    CHECK(loaded(0x40, NULL, 0, KEEP, true, 0) == 0x40);
    CHECK(loaded(0x80, NULL, 0, KEEP, false, 0) == 0x40);
    CHECK(loaded(0x80, privileged, 3, KEEP, true, 0) == 0x40);
    CHECK(loaded(0x80, interrupt, 1, KEEP, true, 0) == 0x40);
    CHECK(loaded(0x80, index, 3, KEEP, true, 0) == 0x40);
    CHECK(loaded(0x80, flush, 5, KEEP, true, 0) == 0x40);
    CHECK(loaded(0x80, NULL, 0, KEEP | GGTT, true, 0) == 0);
    CHECK(loaded(0x80, NULL, 0, KEEP, true, EINVAL) == 0);
    CHECK(loaded(0, (const uint32_t[]){0}, 1, KEEP, true, 0) == 0);
    CHECK(loaded(0xc0, open, 3, KEEP, true, 0) == (hsw ? 0xc0 : 0));
    CHECK(loaded(0x40, closed, 3, KEEP, true, 0) == (hsw ? 0xc0 : 0));
    CHECK(loaded(0x40, memory, 3, KEEP, true, 0) == (hsw ? 0xc0 : 0));
    if (hsw) {
        CHECK(loaded(0x40, both, 6, KEEP, true, 0) == 77 / 4 * 4);
        CHECK(loaded(0x40, general, 3, KEEP, true, 0) == 0x40);
        CHECK(loaded(0x80, copy, 3, KEEP, true, 0) == 77 / 4 * 4);
    }
}

/* A batch for the blitter of Gen9; `address_at`: dwords where the address of `target` is, `jump_at` where
 * that of dword jump_to of the batch is, or 0. What the call says. */
struct copy_batch {
    uint32_t dw[20];
    unsigned count;
    uint32_t address_at[2], jump_at, jump_to;
    bool no_end, no_length;
};

static int run_copy(const struct copy_batch *c, uint32_t target, uint64_t engine)
{
    const uint32_t batch = create(PAGE);
    uint32_t *const b = map(node, batch, PAGE);
    struct drm_i915_gem_relocation_entry r[3];
    unsigned count = 0;
    memcpy(b, c->dw, sizeof c->dw);
    for (unsigned n = c->count; c->no_end && n < PAGE / 4; n++)
        b[n] = 0;
    if (!c->no_end)
        b[c->count] = BATCH_END;
    for (unsigned n = 0; n < 2; n++)
        if (c->address_at[n])
            r[count++] = (struct drm_i915_gem_relocation_entry){
                .target_handle = target, .offset = c->address_at[n] * 4u, .presumed_offset = UINT64_MAX};
    if (c->jump_at)
        r[count++] = (struct drm_i915_gem_relocation_entry){.target_handle = batch,
                                                            .delta = c->jump_to * 4u,
                                                            .offset = c->jump_at * 4u,
                                                            .presumed_offset = UINT64_MAX};
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.handle = target}, {.handle = batch, .relocation_count = count, .relocs_ptr = (uintptr_t)r}};
    struct drm_i915_gem_execbuffer2 more = {.batch_len = c->no_length ? 0 : (c->count + 2) / 2 * 8};
    const int error = execute(objects, 2, 0, engine, &more) ? errno : 0;
    if (!error) {
        struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = -1};
        CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &w) == 0);
    }
    munmap(b, PAGE);
    close_object(batch);
    return error;
}

/* Gen9's blitter runs what i915 has checked, or nothing; other engines run everything. (Linux,
 * i915_cmd_parser.c, gen9_blt_cmds, gen9_blt_regs) */
static void blits_are_checked(const char *name)
{
    enum {
        GPR = 0x22600,
        SWCTRL = 0x22200,
        RUN_TIME = 0x223a8,
        MODE = 0x2209c,
        VERTICES = 0x2310,
        KEEP_4 = 0x24 << 23 | 2
    };
    enum { MOVE = 0x2a << 23 | 1, FROM_MEMORY = 0x29 << 23 | 2, START = 0x31 << 23 | 1 << 8 | 1 };
    enum { END_IF = 0x36 << 23 | 1 << 21 | 2, STORE = 0x20 << 23 | 2 };
    static const char *const gen9[] = {"skl", "kbl", "cfl", "cml", "bxt", "glk"};
    const struct copy_batch open = {{LOAD, GPR, 0x1234, KEEP_4, GPR}, 7, .address_at = {5}},
                            loop = {{END_IF, 0, 0, 0, STORE, 0, 0, 0, START, 0, 0}, 11, {2, 5}, 9, 0};
    const struct copy_batch refused[] = {{{KEEP_4, VERTICES}, 4, {2}},
                                         {{LOAD, MODE, 0}, 3},
                                         {{LOAD, GPR + 0x80, 0}, 3},
                                         {{KEEP_4, MODE}, 4, {2}},
                                         {{FROM_MEMORY, MODE}, 4, {2}},
                                         {{MOVE, MODE, GPR}, 3},
                                         {{MOVE, GPR, MODE}, 3},
                                         {{START & ~(1u << 8), 0, 0}, 3, .jump_at = 1},
                                         {{0, START | 1u << 22, 0, 0}, 4, .jump_at = 2},
                                         {{LOAD, MODE, 0}, 3, .no_length = true}};
    const struct copy_batch bad[] = {
        {{0}, 1, .no_end = true},
        {{0}, 1, .no_end = true, .no_length = true},
        {{0x7a000003, 0, 0, 0, 0}, 5},                            /* not of this engine */
        {{LOAD | 0x40}, 3},                                       /* longer than the batch */
        {{0, START, 0, 0}, 4, .jump_at = 2, .jump_to = PAGE / 4}, /* out of it */
        {{0, START, 0, 0}, 4, .jump_at = 2, .jump_to = 4},        /* to what was not checked */
        {{LOAD, GPR, 0, START, 0, 0}, 6, .jump_at = 4, .jump_to = 1}};
    bool is_gen9 = false;
    for (unsigned n = 0; n < sizeof gen9 / sizeof gen9[0]; n++)
        is_gen9 |= strncmp(name, gen9[n], 3) == 0;
    if (!is_gen9) {
        if (*name && wide)
            CHECK(parameter(I915_PARAM_CMD_PARSER_VERSION) == 0);
        return;
    }
    CHECK(parameter(I915_PARAM_CMD_PARSER_VERSION) == 10);
    const uint32_t target = create(PAGE);
    uint32_t *const seen = map(node, target, PAGE);
    CHECK(run_copy(&open, target, I915_EXEC_BLT) == 0 && seen[0] == 0x1234);
    static const uint32_t others[] = {SWCTRL, RUN_TIME, 0x22358, 0x2235c, 0x2358, GPR + 0x7c};
    for (unsigned n = 0; n < sizeof others / sizeof others[0]; n++) {
        const struct copy_batch keeps = {{KEEP_4, others[n]}, 4, {2}};
        CHECK(run_copy(&keeps, target, I915_EXEC_BLT) == 0);
    }
    seen[0] = 7; /* more than 0: the batch goes on, writes 0, and begins again */
    CHECK(run_copy(&loop, target, I915_EXEC_BLT) == 0 && seen[0] == 0);
    for (unsigned n = 0; n < sizeof refused / sizeof refused[0]; n++)
        CHECK(run_copy(&refused[n], target, I915_EXEC_BLT) == EACCES);
    for (unsigned n = 0; n < sizeof bad / sizeof bad[0]; n++)
        CHECK(run_copy(&bad[n], target, I915_EXEC_BLT) == EINVAL);
    CHECK(run_copy(&refused[0], target, I915_EXEC_RENDER) == 0);
    CHECK(run_copy(&open, target, I915_EXEC_BLT) == 0 && seen[0] == 0x1234);
    munmap(seen, PAGE);
    close_object(target);
}

int main(int argc, char **argv)
{
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    CHECK(node >= 0);
    struct drm_i915_gem_context_param size = {.param = I915_CONTEXT_PARAM_GTT_SIZE};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &size) == 0);
    wide = softpin = size.value > UINT64_C(1) << 32;
    if (argc > 2) { /* under a limit that is more than a turn */
        who_does_not_end_is_to_blame();
        return 0;
    }
    device_is_found(argc > 1 ? argv[1] : "");
    queries_tell_their_length();
    every_engine_runs();
    slots_have_states();
    objects_are_where_they_are_put();
    relocations_are_written_once();
    programs_memory_is_written();
    buffers_are_shared();
    fences_order_submissions();
    timelines_count();
    hung_contexts_are_told();
    contexts_have_their_own_spaces();
    threads_do_not_meet();
    bad_calls_are_errors();
    batches_are_checked(argc > 1 ? argv[1] : "");
    blits_are_checked(argc > 1 ? argv[1] : "");
    close(node);
    return 0;
}
