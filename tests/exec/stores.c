/* A program that a debugger looks at: batches of stores through i915's interface, and what they stored.
 * stores [COUNT] [PAUSE_MS]: so many submissions, with pauses between them. */
#include <drm.h>
#include <i915_drm.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#include "check.h"

enum { PAGE = 4096, TARGET = 0x100000, BATCH = 0x200000, STORES = 3 };

static uint32_t *map(int node, uint32_t handle)
{
    struct drm_i915_gem_mmap_offset a = {.handle = handle, .flags = I915_MMAP_OFFSET_WB};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a) == 0);
    void *const p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)a.offset);
    CHECK(p != MAP_FAILED);
    return p;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 1, pause_ms = argc > 2 ? atoi(argv[2]) : 0;
    const struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000L};
    const int node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    CHECK(node >= 0);
    struct drm_i915_gem_create target = {.size = PAGE}, batch = {.size = PAGE};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CREATE, &target) == 0);
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CREATE, &batch) == 0);
    uint32_t *const stored = map(node, target.handle), *const dw = map(node, batch.handle);
    for (int n = 0; n < count; n++) {
        struct drm_i915_gem_exec_object2 objects[] = {
            {.handle = target.handle, .offset = TARGET, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
            {.handle = batch.handle, .offset = BATCH, .flags = EXEC_OBJECT_PINNED}};
        struct drm_i915_gem_execbuffer2 a = {.buffers_ptr = (uintptr_t)objects, .buffer_count = 2};
        for (uint32_t i = 0; i < STORES; i++) { /* MI_STORE_DATA_IMM */
            dw[i * 4] = 0x20u << 23 | 2u;
            dw[i * 4 + 1] = TARGET + i * 4;
            dw[i * 4 + 2] = 0;
            dw[i * 4 + 3] = 0x101u + (uint32_t)n * STORES + i;
        }
        dw[STORES * 4] = 0x0a << 23;
        CHECK(ioctl(node, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a) == 0);
        struct drm_i915_gem_wait wait = {.bo_handle = batch.handle, .timeout_ns = -1};
        CHECK(ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &wait) == 0);
        printf("stored %x %x %x\n", stored[0], stored[1], stored[2]);
        fflush(stdout);
        nanosleep(&pause, NULL);
    }
    return 0;
}
