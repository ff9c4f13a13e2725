/*
 * Interposed calls of the C library, by which programs find and use a graphics device. A path of the device
 * becomes a path in the folder that `softgt exec` made, so directories, links and files of the device need no
 * code here. A descriptor of the device is handled by src/drm. All other calls go to the C library.
 */
/* This file defines the plain functions, not their 64-bit or fortified variants. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "drm/drm_core.h"

#define EXPORT __attribute__((visibility("default")))

/* The C library's function. */
#define REAL(name, result, ...)                                                                              \
    static result (*real)(__VA_ARGS__);                                                                      \
    if (!real)                                                                                               \
    *(void **)&real = dlsym(RTLD_NEXT, name)

/* ---- Paths ---- */

static const char *const prefixes[] = {"/dev/dri", "/sys/dev/char/226:", "/sys/class/drm",
                                       "/sys/bus/pci/devices", "/sys/devices/pci0000:00/0000:00:02.0"};

/* The path in the folder for a path of the device; all other paths are returned as they are. */
static const char *redirect(const char *path, char *room)
{
    const char *folder = path && *path == '/' ? getenv(EXEC_FOLDER_VARIABLE) : NULL;
    for (unsigned i = 0; folder && i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t length = strlen(prefixes[i]);
        const char behind = strncmp(path, prefixes[i], length) == 0 ? path[length] : 'x';
        if (behind != 0 && behind != '/' && prefixes[i][length - 1] != ':')
            continue;
        if (strncmp(path, prefixes[i], length) != 0)
            continue;
        const int n = snprintf(room, EXEC_PATH, "%s%s", folder, path);
        return n < EXEC_PATH ? room : path;
    }
    return path;
}

static bool is_ours(const char *path, const char *room)
{
    return path == room;
}

/* The minor + 1 of a node, which is a plain file in the folder; 0: no node. */
static unsigned node_of(const struct stat *st)
{
    struct stat node;
    char path[EXEC_PATH];
    const char *folder = getenv(EXEC_FOLDER_VARIABLE);
    static const struct {
        const char *name;
        unsigned minor;
    } nodes[] = {{"renderD128", EXEC_MINOR}, {"card0", 0}};
    for (unsigned i = 0; folder && S_ISREG(st->st_mode) && i < 2; i++) {
        snprintf(path, sizeof path, "%s/dev/dri/%s", folder, nodes[i].name);
        if (fstatat(AT_FDCWD, path, &node, 0) == 0 && node.st_dev == st->st_dev && node.st_ino == st->st_ino)
            return nodes[i].minor + 1;
    }
    return 0;
}

/* stat of a path and of a descriptor must give the same file. */
enum { NODES_DEVICE = 5, NODES_INODE = 600 };

static void as_node(struct stat *st, unsigned minor)
{
    st->st_dev = makedev(0, NODES_DEVICE);
    st->st_ino = NODES_INODE + minor;
    st->st_nlink = 1;
    st->st_mode = S_IFCHR | 0666;
    st->st_rdev = makedev(EXEC_MAJOR, minor);
    st->st_size = 0;
}

/* ---- Opening and closing ---- */

typedef int (*open_function)(const char *path, int flags, ...);

static int open_node(unsigned minor, int flags)
{
    const int was = shim_lock();
    const int fd = drm_open(minor, flags);
    shim_unlock(was);
    if (fd >= 0)
        return fd;
    errno = -fd;
    return -1;
}

/* Needs the lock. */
static struct drm_file *find_drm_file(int fd)
{
    struct shim_fd *t = shim_fd_find(fd, SHIM_FD_NODE);
    return t ? t->drm : NULL;
}

/* -1: the descriptor is no node. */
static int node_minor(int fd)
{
    if (!shim_fd_may_exist(fd))
        return -1;
    const int was = shim_lock();
    const struct drm_file *c = find_drm_file(fd);
    const int minor = c ? (int)c->minor : -1;
    shim_unlock(was);
    return minor;
}

/* The node + 1 of a path /proc/self/fd/N; 0: none. */
static unsigned node_of_fd_path(const char *path)
{
    static const char descriptors[] = "/proc/self/fd/";
    const size_t before = sizeof descriptors - 1;
    if (!path || strncmp(path, descriptors, before) != 0 || path[before] < '0' || path[before] > '9')
        return 0;
    char *end;
    const unsigned long fd = strtoul(path + before, &end, 10);
    if (*end || fd > INT_MAX)
        return 0;
    return (unsigned)(node_minor((int)fd) + 1);
}

static int open_path(open_function real, const char *path, int flags, mode_t mode)
{
    char room[EXEC_PATH];
    struct stat st;
    const char *to = redirect(path, room);
    const unsigned node =
        is_ours(to, room) && fstatat(AT_FDCWD, to, &st, 0) == 0 ? node_of(&st) : node_of_fd_path(path);
    return node ? open_node(node - 1, flags) : real(to, flags, mode);
}

#define OPEN(name)                                                                                           \
    EXPORT int name(const char *path, int flags, ...);                                                       \
    EXPORT int name(const char *path, int flags, ...)                                                        \
    {                                                                                                        \
        REAL(#name, int, const char *, int, ...);                                                            \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                        \
        va_end(list);                                                                                        \
        return open_path(real, path, flags, mode);                                                           \
    }
OPEN(open)
OPEN(open64)
OPEN(__open)
OPEN(__open64)

#define OPEN_2(name, plain)                                                                                  \
    EXPORT int name(const char *path, int flags);                                                            \
    EXPORT int name(const char *path, int flags)                                                             \
    {                                                                                                        \
        REAL(plain, int, const char *, int, ...);                                                            \
        return open_path(real, path, flags, 0);                                                              \
    }
OPEN_2(__open_2, "open")
OPEN_2(__open64_2, "open64")

static int open_at(int (*real)(int, const char *, int, ...), int folder, const char *path, int flags,
                   mode_t mode)
{
    char room[EXEC_PATH];
    struct stat st;
    const char *to = redirect(path, room);
    const unsigned node = fstatat(folder, to, &st, 0) == 0 ? node_of(&st) : 0;
    return node ? open_node(node - 1, flags) : real(folder, to, flags, mode);
}

#define OPENAT(name)                                                                                         \
    EXPORT int name(int folder, const char *path, int flags, ...);                                           \
    EXPORT int name(int folder, const char *path, int flags, ...)                                            \
    {                                                                                                        \
        REAL(#name, int, int, const char *, int, ...);                                                       \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                        \
        va_end(list);                                                                                        \
        return open_at(real, folder, path, flags, mode);                                                     \
    }
OPENAT(openat)
OPENAT(openat64)

#define OPENAT_2(name, plain)                                                                                \
    EXPORT int name(int folder, const char *path, int flags);                                                \
    EXPORT int name(int folder, const char *path, int flags)                                                 \
    {                                                                                                        \
        REAL(plain, int, int, const char *, int, ...);                                                       \
        return open_at(real, folder, path, flags, 0);                                                        \
    }
OPENAT_2(__openat_2, "openat")
OPENAT_2(__openat64_2, "openat64")

static void preload_closed(int fd)
{
    if (!shim_fd_may_exist(fd))
        return;
    const int error = errno;
    const int was = shim_lock();
    shim_fd_closed(fd);
    shim_unlock(was);
    errno = error;
}

static int preload_duplicated(int from, int to)
{
    if (to >= 0 && (shim_fd_may_exist(from) || shim_fd_may_exist(to))) {
        const int was = shim_lock();
        shim_fd_duplicated(from, to);
        shim_unlock(was);
    }
    return to;
}

EXPORT int close(int fd)
{
    REAL("close", int, int);
    if (private_fd_is_protected(fd)) {
        errno = EBADF;
        return -1;
    }
    preload_closed(fd);
    return real(fd);
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    REAL("close_range", int, unsigned, unsigned, int);
    for (unsigned fd = first; fd <= last && fd < 1u << 16 && !(flags & 4 /* CLOSE_RANGE_CLOEXEC */); fd++)
        preload_closed((int)fd);
    int result = 0;
    for (unsigned fd = first; fd <= last && fd < 1u << 16 && !result; fd++)
        if (private_fd_is_protected((int)fd)) {
            result = fd > first ? real(first, fd - 1, flags) : 0;
            first = fd + 1;
        }
    return result || first > last ? result : real(first, last, flags);
}

/* The C library's version makes bare system calls. */
EXPORT void closefrom(int lowest)
{
    REAL("closefrom", void, int);
    const unsigned first = lowest < 0 ? 0 : (unsigned)lowest;
    if (close_range(first, ~0u, 0) != 0)
        real(lowest);
}

EXPORT int dup(int fd)
{
    REAL("dup", int, int);
    return preload_duplicated(fd, real(fd));
}

EXPORT int dup2(int from, int to)
{
    REAL("dup2", int, int, int);
    if (private_fd_is_protected(to)) {
        errno = EBUSY;
        return -1;
    }
    return preload_duplicated(from, real(from, to));
}

EXPORT int dup3(int from, int to, int flags)
{
    REAL("dup3", int, int, int, int);
    if (private_fd_is_protected(to)) {
        errno = EBUSY;
        return -1;
    }
    return preload_duplicated(from, real(from, to, flags));
}

#define FCNTL(name)                                                                                          \
    EXPORT int name(int fd, int command, ...);                                                               \
    EXPORT int name(int fd, int command, ...)                                                                \
    {                                                                                                        \
        REAL(#name, int, int, int, ...);                                                                     \
        va_list list;                                                                                        \
        va_start(list, command);                                                                             \
        void *argument = va_arg(list, void *);                                                               \
        va_end(list);                                                                                        \
        const int result = real(fd, command, argument);                                                      \
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? preload_duplicated(fd, result) : result;   \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* ---- The device's calls ---- */

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    REAL("ioctl", int, int, unsigned long, ...);
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    const bool is_dma_buf = _IOC_TYPE(request) == DMA_BUF_BASE && dma_buf_is_call(fd, request);
    if (!shim_fd_may_exist(fd) && !is_dma_buf)
        return real(fd, request, argument);
    const int before = errno, was = shim_lock();
    const struct shim_fd *const t = shim_fd_find(fd, SHIM_FD_ANY);
    if (!t && !is_dma_buf) { /* the number is another file's now */
        shim_unlock(was);
        return real(fd, request, argument);
    }
    const long result =
        t ? drm_ioctl(t, fd, request & UINT32_MAX, argument) : dma_buf_ioctl(request, (uintptr_t)argument);
    shim_unlock(was);
    errno = result < 0 ? (int)-result : before;
    return result < 0 ? -1 : (int)result;
}

/* A fixed mapping may replace the memory of a userptr. */
static void *map_over_userptr(void *(*real)(void *, size_t, int, int, int, off_t), void *address,
                              size_t size_bytes, int protection, int flags, int fd, off_t offset)
{
    const struct user_range there = {(uintptr_t)address, size_bytes};
    int was;
    if (!(flags & MAP_FIXED) || !gpu_user_memory_change_begin(&there, 1, &was))
        return real(address, size_bytes, protection, flags, fd, offset);
    void *p = real(address, size_bytes, protection, flags, fd, offset);
    gpu_user_memory_change_end(&there, 1, was);
    return p;
}

/* False: the descriptor is not in the table. */
static bool map_node(void **mapped, void *address, size_t size_bytes, int protection, int flags, int fd,
                     off_t offset)
{
    const int was = shim_lock();
    const bool ours = shim_fd_find(fd, SHIM_FD_ANY);
    struct drm_file *c = find_drm_file(fd);
    *mapped = c ? drm_mmap(c, address, size_bytes, protection, flags, (uint64_t)offset) : MAP_FAILED;
    shim_unlock(was);
    if (ours && !c)
        errno = EINVAL;
    return ours;
}

#define MMAP(name)                                                                                           \
    EXPORT void *name(void *address, size_t size_bytes, int protection, int flags, int fd, off_t offset);    \
    EXPORT void *name(void *address, size_t size_bytes, int protection, int flags, int fd, off_t offset)     \
    {                                                                                                        \
        REAL(#name, void *, void *, size_t, int, int, int, off_t);                                           \
        void *p;                                                                                             \
        if (!(flags & MAP_ANONYMOUS) && shim_fd_may_exist(fd) &&                                             \
            map_node(&p, address, size_bytes, protection, flags, fd, offset))                                \
            return p;                                                                                        \
        return map_over_userptr(real, address, size_bytes, protection, flags, fd, offset);                   \
    }
MMAP(mmap)
MMAP(mmap64)

EXPORT int munmap(void *address, size_t size_bytes)
{
    REAL("munmap", int, void *, size_t);
    const struct user_range there = {(uintptr_t)address, size_bytes};
    int was;
    if (!gpu_user_memory_change_begin(&there, 1, &was))
        return real(address, size_bytes);
    const int result = real(address, size_bytes);
    gpu_user_memory_change_end(&there, 1, was);
    return result;
}

EXPORT int mprotect(void *address, size_t size_bytes, int protection)
{
    REAL("mprotect", int, void *, size_t, int);
    const struct user_range there = {(uintptr_t)address, size_bytes};
    int was;
    if (!gpu_user_memory_change_begin(&there, 1, &was))
        return real(address, size_bytes, protection);
    const int result = real(address, size_bytes, protection);
    gpu_user_memory_change_end(&there, 1, was);
    return result;
}

EXPORT void *mremap(void *address, size_t before, size_t size_bytes, int flags, ...)
{
    REAL("mremap", void *, void *, size_t, size_t, int, ...);
    va_list list;
    va_start(list, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
    va_end(list);
    const struct user_range both[] = {{(uintptr_t)address, before}, {(uintptr_t)wanted, size_bytes}};
    const unsigned count = flags & MREMAP_FIXED ? 2 : 1;
    int was;
    if (!gpu_user_memory_change_begin(both, count, &was))
        return real(address, before, size_bytes, flags, wanted);
    void *p = real(address, before, size_bytes, flags, wanted);
    gpu_user_memory_change_end(both, count, was);
    return p;
}

/* ---- Handlers of fault signals: the model uses them, too ---- */

#define SIGACTION(name)                                                                                      \
    EXPORT int name(int number, const struct sigaction *restrict action, struct sigaction *restrict before); \
    EXPORT int name(int number, const struct sigaction *restrict action, struct sigaction *restrict before)  \
    {                                                                                                        \
        REAL(#name, int, int, const struct sigaction *, struct sigaction *);                                 \
        return guard_concerns(number) ? guard_action(number, action, before) : real(number, action, before); \
    }
SIGACTION(sigaction)
SIGACTION(__sigaction)

#define SIGNAL(name, flags)                                                                                  \
    EXPORT void (*name(int number, void (*handler)(int)))(int);                                              \
    EXPORT void (*name(int number, void (*handler)(int)))(int)                                               \
    {                                                                                                        \
        REAL(#name, sighandler_t, int, sighandler_t);                                                        \
        struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;                        \
        if (!guard_concerns(number))                                                                         \
            return real(number, handler);                                                                    \
        return guard_action(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;                    \
    }
SIGNAL(signal, SA_RESTART)
SIGNAL(bsd_signal, SA_RESTART)
SIGNAL(sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))
SIGNAL(__sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))

/* ---- Files and folders ---- */

#define STAT(name, type)                                                                                     \
    EXPORT int name(const char *path, struct type *st)                                                       \
    {                                                                                                        \
        REAL(#name, int, const char *, struct type *);                                                       \
        char room[EXEC_PATH];                                                                                \
        const char *to = redirect(path, room);                                                               \
        const int result = real(to, st);                                                                     \
        const unsigned node = !result && is_ours(to, room) ? node_of((struct stat *)st) : 0;                 \
        if (node)                                                                                            \
            as_node((struct stat *)st, node - 1);                                                            \
        return result;                                                                                       \
    }
STAT(stat, stat)
STAT(lstat, stat)
STAT(stat64, stat64)
STAT(lstat64, stat64)

#define FSTAT(name, type)                                                                                    \
    EXPORT int name(int fd, struct type *st)                                                                 \
    {                                                                                                        \
        REAL(#name, int, int, struct type *);                                                                \
        const int result = real(fd, st);                                                                     \
        const int minor = result ? -1 : node_minor(fd);                                                      \
        if (minor >= 0)                                                                                      \
            as_node((struct stat *)st, (unsigned)minor);                                                     \
        return result;                                                                                       \
    }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

EXPORT int fstatat(int folder, const char *path, struct stat *st, int flags)
{
    REAL("fstatat", int, int, const char *, struct stat *, int);
    char room[EXEC_PATH];
    const char *to = redirect(path, room);
    const int result = real(folder, to, st, flags);
    const unsigned node = !result && is_ours(to, room) && !(flags & 0x10000) ? node_of(st) : 0;
    if (node)
        as_node(st, node - 1);
    return result;
}

EXPORT int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict st)
{
    REAL("statx", int, int, const char *, int, unsigned, struct statx *);
    char room[EXEC_PATH];
    const char *to = redirect(path, room);
    struct stat plain;
    const int result = real(folder, to, flags, mask, st);
    const bool found =
        !result && is_ours(to, room) && fstatat(folder, to, &plain, flags & AT_SYMLINK_NOFOLLOW) == 0;
    const unsigned node = found ? node_of(&plain) : 0;
    if (node) {
        st->stx_dev_major = 0;
        st->stx_dev_minor = NODES_DEVICE;
        st->stx_ino = NODES_INODE + node - 1;
        st->stx_mode = S_IFCHR | 0666;
        st->stx_rdev_major = EXEC_MAJOR;
        st->stx_rdev_minor = node - 1;
    }
    return result;
}

#define XATTR(name)                                                                                          \
    EXPORT ssize_t name(const char *path, const char *key, void *value, size_t size)                         \
    {                                                                                                        \
        REAL(#name, ssize_t, const char *, const char *, void *, size_t);                                    \
        char room[EXEC_PATH];                                                                                \
        return real(redirect(path, room), key, value, size);                                                 \
    }
XATTR(getxattr)
XATTR(lgetxattr)

EXPORT int access(const char *path, int mode)
{
    REAL("access", int, const char *, int);
    char room[EXEC_PATH];
    return real(redirect(path, room), mode);
}

EXPORT int faccessat(int folder, const char *path, int mode, int flags)
{
    REAL("faccessat", int, int, const char *, int, int);
    char room[EXEC_PATH];
    return real(folder, redirect(path, room), mode, flags);
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t size)
{
    REAL("readlink", ssize_t, const char *, char *, size_t);
    char room[EXEC_PATH];
    const unsigned node = node_of_fd_path(path);
    if (!node)
        return real(redirect(path, room), to, size);
    const int length = snprintf(room, sizeof room,
                                node - 1 == EXEC_MINOR ? "/dev/dri/renderD%u" : "/dev/dri/card%u", node - 1);
    const size_t part = (size_t)length < size ? (size_t)length : size;
    memcpy(to, room, part);
    return (ssize_t)part;
}

EXPORT ssize_t readlinkat(int folder, const char *restrict path, char *restrict to, size_t size)
{
    REAL("readlinkat", ssize_t, int, const char *, char *, size_t);
    char room[EXEC_PATH];
    return real(folder, redirect(path, room), to, size);
}

/* Returns the path that was asked for, not the one in the folder. */
static char *without_folder(char *path)
{
    const char *folder = getenv(EXEC_FOLDER_VARIABLE);
    const size_t length = folder ? strlen(folder) : 0;
    if (path && length && strncmp(path, folder, length) == 0 && path[length] == '/')
        memmove(path, path + length, strlen(path + length) + 1);
    return path;
}

EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
    REAL("realpath", char *, const char *, char *);
    char room[EXEC_PATH];
    return without_folder(real(redirect(path, room), resolved));
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t size);
EXPORT char *__realpath_chk(const char *path, char *resolved, size_t size)
{
    REAL("__realpath_chk", char *, const char *, char *, size_t);
    char room[EXEC_PATH];
    return without_folder(real(redirect(path, room), resolved, size));
}

EXPORT char *canonicalize_file_name(const char *path)
{
    REAL("canonicalize_file_name", char *, const char *);
    char room[EXEC_PATH];
    return without_folder(real(redirect(path, room)));
}

EXPORT DIR *opendir(const char *path)
{
    REAL("opendir", DIR *, const char *);
    char room[EXEC_PATH];
    return real(redirect(path, room));
}

#define FOPEN(name)                                                                                          \
    EXPORT FILE *name(const char *restrict path, const char *restrict mode)                                  \
    {                                                                                                        \
        REAL(#name, FILE *, const char *, const char *);                                                     \
        char room[EXEC_PATH];                                                                                \
        return real(redirect(path, room), mode);                                                             \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define SCANDIR(name, type)                                                                                  \
    EXPORT int name(const char *restrict path, struct type ***restrict list,                                 \
                    int (*filter)(const struct type *),                                                      \
                    int (*compare)(const struct type **, const struct type **))                              \
    {                                                                                                        \
        REAL(#name, int, const char *, struct type ***, int (*)(const struct type *),                        \
             int (*)(const struct type **, const struct type **));                                           \
        char room[EXEC_PATH];                                                                                \
        return real(redirect(path, room), list, filter, compare);                                            \
    }
SCANDIR(scandir, dirent)
SCANDIR(scandir64, dirent64)
