/* Fences: a submission's end, or what a program signals itself. */
#include <stdlib.h>

#include "shim/exec.h"

struct exec_fence *fence_make(void)
{
    struct exec_fence *f = calloc(1, sizeof *f);
    if (f)
        *f = (struct exec_fence){.references = 1, .signal.fd = -1};
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
    own_file_close(&f->signal);
    for (uint32_t i = 0; i < f->then_count; i++)
        fence_put(f->then[i]);
    free(f->then);
    free(f);
}

static bool add_then(struct exec_fence *f, struct exec_fence *then)
{
    struct exec_fence **all = realloc(f->then, (f->then_count + 1u) * sizeof(struct exec_fence *));
    if (!all)
        return false;
    f->then = all;
    all[f->then_count++] = fence_get(then);
    return true;
}

struct exec_fence *fence_of_both(struct exec_fence *a, struct exec_fence *b)
{
    if (a == b || a->signaled || b->signaled)
        return fence_get(a->signaled ? b : a);
    struct exec_fence *both = fence_make();
    if (!both)
        return NULL;
    both->parts = 1;
    if (add_then(a, both) && add_then(b, both))
        return both;
    fence_put(both); /* the first, where it has it, signals what nobody has */
    return NULL;
}

static bool leaves_signals;

void fences_leave_signals(bool leave)
{
    leaves_signals = leave;
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
    if (leaves_signals)
        own_file_close(&f->signal);
    else if (f->signal.fd >= 0)
        descriptor_signal(&f->signal);
    for (uint32_t i = 0; i < f->then_count; i++)
        fence_signal(f->then[i], error);
    pthread_cond_broadcast(&exec_changed);
}
