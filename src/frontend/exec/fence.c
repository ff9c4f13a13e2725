/* Fences: a submission's end, or what a program signals itself. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "frontend/exec/exec.h"

struct exec_fence *fence_make(void)
{
    struct exec_fence *f = calloc(1, sizeof *f);
    if (f)
        *f = (struct exec_fence){.references = 1, .fd = -1};
    return f;
}

struct exec_fence *fence_get(struct exec_fence *f)
{
    if (f)
        f->references++;
    return f;
}

void fence_put(struct exec_fence *f)
{
    if (!f || --f->references)
        return;
    if (f->fd >= 0)
        close(f->fd);
    free(f);
}

void fence_signal(struct exec_fence *f, int error)
{
    if (f->signaled)
        return;
    f->error = f->error ? f->error : error;
    if (f->parts && f->parts--)
        return;
    f->signaled = true;
    f->at_ns = gpu_host_ns();
    if (f->fd >= 0)
        eventfd_write(f->fd, 1);
    pthread_cond_broadcast(&exec_changed);
}
