/* Access to the program's memory as the kernel does it: a missing page is an error, not a fault. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "drm/drm_core.h"

/* The process's number, which a system call gives. A vfork child has its parent's memory: its number is as
 * good. */
static _Atomic pid_t process_id;

static pid_t own_process(void)
{
    pid_t id = atomic_load_explicit(&process_id, memory_order_relaxed);
    if (!id)
        atomic_store_explicit(&process_id, id = getpid(), memory_order_relaxed);
    return id;
}

void uaccess_forked(void)
{
    atomic_store_explicit(&process_id, 0, memory_order_relaxed);
}

/* False: the kernel does not permit the call. */
static bool check_copied(ssize_t done, size_t size_bytes, int *error)
{
    *error = done == (ssize_t)size_bytes ? 0 : -EFAULT;
    return done >= 0 || (errno != ENOSYS && errno != EPERM && errno != EACCES);
}

/* ---- Copies through a file, when a seccomp filter denies process_vm_readv: read and write give the same
 * errors ---- */

enum { COPY_FILE_BYTES = 1 << 16 };

static int copy_file(void)
{
    static struct private_fd file = {.fd = -1};
    if (private_fd_number(&file) < 0)
        file = private_fd_of(fd_move_high(memfd_create("softgt-window", MFD_CLOEXEC)));
    return file.fd;
}

/* False: that does not work, either. */
static bool copy_through_file(uint64_t to, uint64_t from, size_t size_bytes, int *error)
{
    const int fd = copy_file();
    *error = 0;
    for (size_t at = 0; fd >= 0 && at < size_bytes && !*error; at += COPY_FILE_BYTES) {
        const size_t part = size_bytes - at < COPY_FILE_BYTES ? size_bytes - at : COPY_FILE_BYTES;
        ssize_t done = pwrite(fd, (const void *)(uintptr_t)(from + at), part, 0);
        if (done == (ssize_t)part)
            done = pread(fd, (void *)(uintptr_t)(to + at), part, 0);
        if (done < 0 && errno != EFAULT)
            return false;
        *error = done == (ssize_t)part ? 0 : -EFAULT;
    }
    return fd >= 0;
}

static int copy_unchecked(uint64_t to, uint64_t from, size_t size_bytes)
{
    shim_log_trouble("pointers of the program are not checked: a seccomp filter forbids the system calls");
    if (!to || !from)
        return -EFAULT;
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size_bytes);
    return 0;
}

/* ---- The calling thread's own stack ---- */

static __thread struct {
    uintptr_t begin, end; /* 0, 0: not known */
    bool asked;
} stack __attribute__((tls_model("initial-exec")));

static void find_stack(void)
{
    pthread_attr_t attributes;
    void *begin;
    size_t size_bytes;
    const int before = errno;
    stack.asked = true;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &begin, &size_bytes) == 0) {
        stack.begin = (uintptr_t)begin;
        stack.end = stack.begin + size_bytes;
    }
    pthread_attr_destroy(&attributes);
    errno = before;
}

/* Arguments of calls are mostly variables of the caller: the stack from this frame up to its end is there,
 * and needs no system call. False: on another stack, or not on this one. */
static bool is_on_stack(uint64_t address, size_t size_bytes)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!stack.asked)
        find_stack();
    return here >= stack.begin && here < stack.end && address >= here && address < stack.end &&
           size_bytes <= stack.end - address;
}

int copy_from_user(void *to, uint64_t from, size_t size_bytes)
{
    if (is_on_stack(from, size_bytes)) {
        memcpy(to, (const void *)(uintptr_t)from, size_bytes);
        return 0;
    }
    const struct iovec here = {to, size_bytes}, there = {(void *)(uintptr_t)from, size_bytes};
    int error = 0;
    if (!size_bytes ||
        check_copied(process_vm_readv(own_process(), &here, 1, &there, 1, 0), size_bytes, &error) ||
        copy_through_file((uintptr_t)to, from, size_bytes, &error))
        return error;
    return copy_unchecked((uintptr_t)to, from, size_bytes);
}

int copy_to_user(uint64_t to, const void *from, size_t size_bytes)
{
    if (is_on_stack(to, size_bytes)) {
        memcpy((void *)(uintptr_t)to, from, size_bytes);
        return 0;
    }
    const struct iovec here = {(void *)(uintptr_t)from, size_bytes},
                       there = {(void *)(uintptr_t)to, size_bytes};
    int error = 0;
    if (!size_bytes ||
        check_copied(process_vm_writev(own_process(), &here, 1, &there, 1, 0), size_bytes, &error) ||
        copy_through_file(to, (uintptr_t)from, size_bytes, &error))
        return error;
    return copy_unchecked(to, (uintptr_t)from, size_bytes);
}

bool user_range_is_mapped(uint64_t address, uint64_t size_bytes)
{
    unsigned char there[1024];
    for (uint64_t at = 0; at < size_bytes; at += sizeof there * PAGE_BYTES) {
        const uint64_t left = size_bytes - at, part = sizeof there * PAGE_BYTES;
        if (mincore((void *)(uintptr_t)(address + at), left < part ? left : part, there) != 0)
            return false;
    }
    return true;
}

/* MADV_POPULATE needs Linux 5.14. Before that, read-only pages are found by a fault. */
bool user_range_fault_in(uint64_t address, uint64_t size_bytes, bool read_only)
{
    enum { POPULATE_READ = 22, POPULATE_WRITE = 23 };
    static uint8_t page[PAGE_BYTES] __attribute__((aligned(PAGE_BYTES)));
    static int known = -1;
    if (known < 0)
        known = madvise(page, sizeof page, POPULATE_WRITE) == 0;
    if (!known)
        return user_range_is_mapped(address, size_bytes);
    int result;
    do
        result = madvise((void *)(uintptr_t)address, size_bytes, read_only ? POPULATE_READ : POPULATE_WRITE);
    while (result != 0 && (errno == EINTR || errno == EAGAIN));
    return result == 0;
}

bool user_range_probe(uint64_t address, uint64_t size_bytes, bool read_only)
{
    enum { FEW = 8 };
    if (size_bytes <= FEW * PAGE_BYTES)
        return user_range_fault_in(address, size_bytes, read_only);
    /* MS_ASYNC writes nothing. It fails on holes and costs one step a mapping. */
    const uint64_t middle = address + size_bytes / 2 / PAGE_BYTES * PAGE_BYTES,
                   last = address + size_bytes - PAGE_BYTES;
    return msync((void *)(uintptr_t)address, size_bytes, MS_ASYNC) == 0 &&
           user_range_fault_in(address, PAGE_BYTES, read_only) &&
           user_range_fault_in(middle, PAGE_BYTES, read_only) &&
           user_range_fault_in(last, PAGE_BYTES, read_only);
}

bool capable(void)
{
    return geteuid() == 0;
}

void *memdup_array_user(uint64_t from, uint64_t count, size_t size_bytes, int *error)
{
    enum { MOST_BYTES = 1 << 28 };
    *error = count > MOST_BYTES / size_bytes ? -EINVAL : 0;
    void *copy = *error ? NULL : malloc(count * size_bytes + 1);
    if (!copy) {
        *error = *error ? *error : -ENOMEM;
        return NULL;
    }
    *error = copy_from_user(copy, from, count * size_bytes);
    if (!*error)
        return copy;
    free(copy);
    return NULL;
}

/* ---- Names ---- */

uint32_t handle_create(struct handle_table *n, void *thing)
{
    for (uint32_t i = 0; i < n->capacity; i++)
        if (!n->entries[i]) {
            n->entries[i] = thing;
            return i + 1;
        }
    const uint32_t room = n->capacity ? n->capacity * 2 : 64;
    void **things = room < 1u << 22 ? realloc(n->entries, room * sizeof *things) : NULL;
    if (!things)
        return 0;
    memset(things + n->capacity, 0, (room - n->capacity) * sizeof *things);
    n->entries = things;
    things[n->capacity] = thing;
    const uint32_t name = n->capacity + 1;
    n->capacity = room;
    return name;
}

void *handle_lookup(const struct handle_table *n, uint32_t name)
{
    return name - 1 < n->capacity ? n->entries[name - 1] : NULL;
}

void *handle_delete(struct handle_table *n, uint32_t name)
{
    void *thing = handle_lookup(n, name);
    if (thing)
        n->entries[name - 1] = NULL;
    return thing;
}

uint32_t handle_of(const struct handle_table *n, const void *thing)
{
    for (uint32_t i = 0; i < n->capacity; i++)
        if (n->entries[i] == thing)
            return i + 1;
    return 0;
}
