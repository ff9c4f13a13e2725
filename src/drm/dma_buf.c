/*
 * Calls on exported buffers (dma-buf): the fences of implicit synchronisation, which Mesa needs where a
 * driver has none (xe). Fences are of one process, buffers of several. So a fence that comes to a buffer is
 * waited for, and a buffer has no fence that is not signaled.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "drm/drm_core.h"

/* Linux 6.0; not in each linux/dma-buf.h. */
struct sync_file_argument {
    uint32_t flags;
    int32_t fd;
};
#define EXPORT_SYNC_FILE _IOWR(DMA_BUF_BASE, 2, struct sync_file_argument)
#define IMPORT_SYNC_FILE _IOW(DMA_BUF_BASE, 3, struct sync_file_argument)

/* As gem.c makes them. */
static bool is_exported(int fd)
{
    const int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && seals & F_SEAL_SHRINK;
}

static int export_sync_file(uint64_t argument, struct sync_file_argument *a)
{
    struct dma_fence *f = fence_create();
    if (!f)
        return -ENOMEM;
    fence_signal(f, 0);
    a->fd = shim_fd_add_fence(f);
    fence_put(f);
    return a->fd < 0 ? a->fd : copy_to_user(argument, a, sizeof *a);
}

static bool is_signaled(void *fence)
{
    return ((const struct dma_fence *)fence)->signaled;
}

static int import_sync_file(const struct sync_file_argument *a)
{
    const struct shim_fd *t = shim_fd_find(a->fd, SHIM_FD_FENCE);
    struct shim_device *g = t ? shim_device_get() : NULL;
    if (!g)
        return -EINVAL;
    struct dma_fence *f = fence_get(t->fence);
    gpu_wait(g, is_signaled, f, INT64_MAX);
    fence_put(f);
    shim_device_put(g);
    return 0;
}

bool dma_buf_is_call(int fd, unsigned long request)
{
    request &= UINT32_MAX;
    return (request == EXPORT_SYNC_FILE || request == IMPORT_SYNC_FILE) && is_exported(fd);
}

int dma_buf_ioctl(unsigned long request, uint64_t argument)
{
    struct sync_file_argument a;
    const int error = copy_from_user(&a, argument, sizeof a);
    if (error)
        return error;
    if (!a.flags || a.flags & ~(uint32_t)DMA_BUF_SYNC_RW)
        return -EINVAL;
    return (request & UINT32_MAX) == EXPORT_SYNC_FILE ? export_sync_file(argument, &a) : import_sync_file(&a);
}
