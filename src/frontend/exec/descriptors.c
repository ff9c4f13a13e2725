/* Which of the process's descriptors are ours, and what they are. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "frontend/exec/exec.h"

enum { DESCRIPTORS = 1 << 16 };
/* Looked at without the lock by calls that are none of our business, changed with it. */
static _Atomic(struct open_thing *) descriptors[DESCRIPTORS];

bool descriptors_any(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && atomic_load_explicit(&descriptors[fd], memory_order_acquire);
}

struct open_thing *descriptor_find(int fd, enum open_kind kind)
{
    struct open_thing *t = descriptors_any(fd) ? atomic_load(&descriptors[fd]) : NULL;
    return t && (kind == OPEN_NOTHING || t->kind == kind) ? t : NULL;
}

int descriptor_add(int fd, enum open_kind kind, void *thing)
{
    struct open_thing *t = fd < DESCRIPTORS ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return fd < DESCRIPTORS ? -ENOMEM : -EMFILE;
    *t = (struct open_thing){.kind = kind, .references = 1};
    if (kind == OPEN_NODE)
        t->node = thing;
    else if (kind == OPEN_FENCE)
        t->fence = thing;
    else
        t->syncobj = thing;
    descriptor_closed(fd);
    atomic_store(&descriptors[fd], t);
    return fd;
}

int descriptor_fence(struct exec_fence *f)
{
    const int fd = eventfd(f->signaled, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0)
        return -errno;
    if (!f->signaled && f->fd < 0 && (f->fd = dup(fd)) < 0) {
        close(fd);
        return -EMFILE;
    }
    const int error = descriptor_add(fd, OPEN_FENCE, fence_get(f));
    if (error < 0) {
        fence_put(f);
        close(fd);
    }
    return error;
}

void descriptor_closed(int fd)
{
    struct open_thing *t = fd >= 0 && fd < DESCRIPTORS ? atomic_exchange(&descriptors[fd], NULL) : NULL;
    if (!t || --t->references)
        return;
    if (t->kind == OPEN_NODE)
        connection_put(t->node);
    else if (t->kind == OPEN_FENCE)
        fence_put(t->fence);
    else
        syncobj_put(t->syncobj);
    free(t);
}

void descriptor_copied(int from, int to)
{
    if (from == to || to < 0 || to >= DESCRIPTORS)
        return;
    struct open_thing *t = descriptor_find(from, OPEN_NOTHING);
    if (t)
        t->references++;
    descriptor_closed(to);
    atomic_store(&descriptors[to], t);
}
