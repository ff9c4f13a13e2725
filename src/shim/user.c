/* The program's memory as the kernel sees it: what is not there is an error, not a fault. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/exec.h"

/* False: the kernel does not let us. */
static bool moved(ssize_t done, size_t size_bytes, int *error)
{
    *error = done == (ssize_t)size_bytes ? 0 : -EFAULT;
    return done >= 0 || (errno != ENOSYS && errno != EPERM && errno != EACCES);
}

/* ---- Where a filter of system calls denies process_vm_readv: by a file, which the kernel reads and writes
 * with the same errors ---- */

enum { WINDOW_BYTES = 1 << 16 };

static int window(void)
{
    static struct own_file file = {.fd = -1};
    if (own_file_number(&file) < 0)
        file = own_file_of(high_descriptor(memfd_create("softgt-window", MFD_CLOEXEC)));
    return file.fd;
}

/* False: that cannot be, either. */
static bool move_by_window(uint64_t to, uint64_t from, size_t size_bytes, int *error)
{
    const int fd = window();
    *error = 0;
    for (size_t at = 0; fd >= 0 && at < size_bytes && !*error; at += WINDOW_BYTES) {
        const size_t part = size_bytes - at < WINDOW_BYTES ? size_bytes - at : WINDOW_BYTES;
        ssize_t done = pwrite(fd, (const void *)(uintptr_t)(from + at), part, 0);
        if (done == (ssize_t)part)
            done = pread(fd, (void *)(uintptr_t)(to + at), part, 0);
        if (done < 0 && errno != EFAULT)
            return false;
        *error = done == (ssize_t)part ? 0 : -EFAULT;
    }
    return fd >= 0;
}

static int move_unchecked(uint64_t to, uint64_t from, size_t size_bytes)
{
    exec_tell_trouble("the kernel lets no pointers of the program be checked (a filter of system calls)");
    if (!to || !from)
        return -EFAULT;
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size_bytes);
    return 0;
}

int user_read(void *to, uint64_t from, size_t size_bytes)
{
    const struct iovec here = {to, size_bytes}, there = {(void *)(uintptr_t)from, size_bytes};
    int error = 0;
    if (!size_bytes || moved(process_vm_readv(getpid(), &here, 1, &there, 1, 0), size_bytes, &error) ||
        move_by_window((uintptr_t)to, from, size_bytes, &error))
        return error;
    return move_unchecked((uintptr_t)to, from, size_bytes);
}

int user_write(uint64_t to, const void *from, size_t size_bytes)
{
    const struct iovec here = {(void *)(uintptr_t)from, size_bytes},
                       there = {(void *)(uintptr_t)to, size_bytes};
    int error = 0;
    if (!size_bytes || moved(process_vm_writev(getpid(), &here, 1, &there, 1, 0), size_bytes, &error) ||
        move_by_window(to, (uintptr_t)from, size_bytes, &error))
        return error;
    return move_unchecked(to, (uintptr_t)from, size_bytes);
}

bool user_is_mapped(uint64_t address, uint64_t size_bytes)
{
    unsigned char there[1024];
    for (uint64_t at = 0; at < size_bytes; at += sizeof there * PAGE_BYTES) {
        const uint64_t left = size_bytes - at, part = sizeof there * PAGE_BYTES;
        if (mincore((void *)(uintptr_t)(address + at), left < part ? left : part, there) != 0)
            return false;
    }
    return true;
}

/* Linux brings pages in from 5.14 on; before, those that may not be written are found out by a fault. */
bool user_is_accessible(uint64_t address, uint64_t size_bytes, bool read_only)
{
    enum { POPULATE_READ = 22, POPULATE_WRITE = 23 };
    static uint8_t page[PAGE_BYTES] __attribute__((aligned(PAGE_BYTES)));
    static int known = -1;
    if (known < 0)
        known = madvise(page, sizeof page, POPULATE_WRITE) == 0;
    if (!known)
        return user_is_mapped(address, size_bytes);
    int result;
    do
        result = madvise((void *)(uintptr_t)address, size_bytes, read_only ? POPULATE_READ : POPULATE_WRITE);
    while (result != 0 && (errno == EINTR || errno == EAGAIN));
    return result == 0;
}

bool user_seems_accessible(uint64_t address, uint64_t size_bytes, bool read_only)
{
    enum { FEW = 8 };
    if (size_bytes <= FEW * PAGE_BYTES)
        return user_is_accessible(address, size_bytes, read_only);
    /* MS_ASYNC writes nothing: it finds holes, mapping by mapping. */
    const uint64_t middle = address + size_bytes / 2 / PAGE_BYTES * PAGE_BYTES,
                   last = address + size_bytes - PAGE_BYTES;
    return msync((void *)(uintptr_t)address, size_bytes, MS_ASYNC) == 0 &&
           user_is_accessible(address, PAGE_BYTES, read_only) &&
           user_is_accessible(middle, PAGE_BYTES, read_only) &&
           user_is_accessible(last, PAGE_BYTES, read_only);
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
