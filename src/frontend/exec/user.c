/* The program's memory as the kernel sees it: what is not there is an error, not a fault. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "frontend/exec/exec.h"

/* False: the kernel does not let us. */
static bool moved(ssize_t done, size_t size_bytes, int *error)
{
    *error = done == (ssize_t)size_bytes ? 0 : -EFAULT;
    return done >= 0 || (errno != ENOSYS && errno != EPERM);
}

int user_read(void *to, uint64_t from, size_t size_bytes)
{
    const struct iovec here = {to, size_bytes}, there = {(void *)(uintptr_t)from, size_bytes};
    int error = 0;
    if (!size_bytes || moved(process_vm_readv(getpid(), &here, 1, &there, 1, 0), size_bytes, &error))
        return error;
    if (!from)
        return -EFAULT;
    memcpy(to, (const void *)(uintptr_t)from, size_bytes);
    return 0;
}

int user_write(uint64_t to, const void *from, size_t size_bytes)
{
    const struct iovec here = {(void *)(uintptr_t)from, size_bytes},
                       there = {(void *)(uintptr_t)to, size_bytes};
    int error = 0;
    if (!size_bytes || moved(process_vm_writev(getpid(), &here, 1, &there, 1, 0), size_bytes, &error))
        return error;
    if (!to)
        return -EFAULT;
    memcpy((void *)(uintptr_t)to, from, size_bytes);
    return 0;
}

bool user_has_rights(void)
{
    return geteuid() == 0;
}

void *user_copy(uint64_t from, uint64_t count, size_t size_bytes, int *error)
{
    enum { MOST_BYTES = 1 << 28 };
    *error = count > MOST_BYTES / size_bytes ? -EINVAL : 0;
    void *copy = *error ? NULL : malloc(count * size_bytes + 1);
    if (!copy) {
        *error = *error ? *error : -ENOMEM;
        return NULL;
    }
    *error = user_read(copy, from, count * size_bytes);
    if (!*error)
        return copy;
    free(copy);
    return NULL;
}

/* ---- Names ---- */

uint32_t names_add(struct names *n, void *thing)
{
    for (uint32_t i = 0; i < n->room; i++)
        if (!n->things[i]) {
            n->things[i] = thing;
            return i + 1;
        }
    const uint32_t room = n->room ? n->room * 2 : 64;
    void **things = room < 1u << 22 ? realloc(n->things, room * sizeof *things) : NULL;
    if (!things)
        return 0;
    memset(things + n->room, 0, (room - n->room) * sizeof *things);
    n->things = things;
    things[n->room] = thing;
    const uint32_t name = n->room + 1;
    n->room = room;
    return name;
}

void *names_find(const struct names *n, uint32_t name)
{
    return name - 1 < n->room ? n->things[name - 1] : NULL;
}

void *names_take(struct names *n, uint32_t name)
{
    void *thing = names_find(n, name);
    if (thing)
        n->things[name - 1] = NULL;
    return thing;
}

uint32_t names_of(const struct names *n, const void *thing)
{
    for (uint32_t i = 0; i < n->room; i++)
        if (n->things[i] == thing)
            return i + 1;
    return 0;
}
