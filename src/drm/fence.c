/* Fences: signaled at the end of a job or by the program. */
#include <stdlib.h>

#include "drm/drm_core.h"

struct dma_fence *fence_create(void)
{
    struct dma_fence *f = calloc(1, sizeof *f);
    if (f)
        *f = (struct dma_fence){.references = 1, .wait_fd.fd = -1};
    return f;
}

struct dma_fence *fence_get(struct dma_fence *f)
{
    if (f)
        f->references++;
    return f;
}

void fence_put(struct dma_fence *f)
{
    if (!f || --f->references)
        return;
    private_fd_close(&f->wait_fd);
    for (uint32_t i = 0; i < f->dependent_count; i++)
        fence_put(f->dependents[i]);
    free(f->dependents);
    free(f);
}

static bool fence_add_dependent(struct dma_fence *f, struct dma_fence *then)
{
    struct dma_fence **all = realloc(f->dependents, (f->dependent_count + 1u) * sizeof(struct dma_fence *));
    if (!all)
        return false;
    f->dependents = all;
    all[f->dependent_count++] = fence_get(then);
    return true;
}

struct dma_fence *fence_merge(struct dma_fence *a, struct dma_fence *b)
{
    if (a == b || a->signaled || b->signaled)
        return fence_get(a->signaled ? b : a);
    struct dma_fence *both = fence_create();
    if (!both)
        return NULL;
    both->pending_parts = 1;
    if (fence_add_dependent(a, both) && fence_add_dependent(b, both))
        return both;
    fence_put(both); /* if `a` already refers to it, its signal has no other effect */
    return NULL;
}

static bool is_forked_child;

void fences_forked_child(bool leave)
{
    is_forked_child = leave;
}

void fence_signal(struct dma_fence *f, int error)
{
    if (f->signaled)
        return;
    f->error = f->error ? f->error : error;
    if (f->pending_parts && f->pending_parts--)
        return;
    f->signaled = true;
    f->signaled_ns = gpu_host_ns();
    if (is_forked_child)
        private_fd_close(&f->wait_fd);
    else if (f->wait_fd.fd >= 0)
        private_fd_make_readable(&f->wait_fd);
    for (uint32_t i = 0; i < f->dependent_count; i++)
        fence_signal(f->dependents[i], error);
    pthread_cond_broadcast(&shim_fence_signaled);
}
