/* The table of placeholder descriptors of this library: nodes, fences, sync objects. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drm/drm_core.h"

enum { MAX_SHIM_FDS = 1 << 16 };
/* Read without the lock, by every call of the program on any descriptor; written with the lock. */
static _Atomic(struct shim_fd *) shim_fds[MAX_SHIM_FDS];

/* A vfork child shares the memory but has descriptors of its own: its closes and copies do not change the
 * table. */
static pid_t table_owner_pid;

static bool is_table_owner(void)
{
    return table_owner_pid == getpid();
}

/* ---- Files that the program may close unseen ---- */

static bool identify(int fd, struct private_fd *f)
{
    struct stat st;
    if (fd < 0 || fstatat(fd, "", &st, AT_EMPTY_PATH) != 0)
        return false;
    *f = (struct private_fd){fd, st.st_dev, st.st_ino};
    return true;
}

struct private_fd private_fd_of(int fd)
{
    struct private_fd f;
    return identify(fd, &f) ? f : (struct private_fd){.fd = -1};
}

int private_fd_number(const struct private_fd *f)
{
    struct private_fd now;
    const int before = errno;
    const bool same = identify(f->fd, &now) && now.device == f->device && now.inode == f->inode;
    errno = before;
    return same ? f->fd : -1;
}

void private_fd_close(struct private_fd *f)
{
    if (private_fd_number(f) >= 0)
        close(f->fd);
    f->fd = -1;
}

static _Atomic uint64_t protected_fds[MAX_SHIM_FDS / 64];

void private_fd_protect(int fd, bool keep)
{
    const uint64_t bit = UINT64_C(1) << fd % 64;
    if (fd >= 0 && fd < MAX_SHIM_FDS && keep)
        protected_fds[fd / 64] |= bit;
    else if (fd >= 0 && fd < MAX_SHIM_FDS)
        protected_fds[fd / 64] &= ~bit;
}

bool private_fd_is_protected(int fd)
{
    return fd >= 0 && fd < MAX_SHIM_FDS && atomic_load(&protected_fds[fd / 64]) >> fd % 64 & 1u;
}

int fd_move_high(int fd)
{
    if (fd < 0)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD);
    if (high < 0 && (errno == EMFILE || errno == EINVAL)) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
            limit.rlim_cur = limit.rlim_max;
            setrlimit(RLIMIT_NOFILE, &limit);
            high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD);
        }
    }
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

/* ---- The table ---- */

bool shim_fd_may_exist(int fd)
{
    return fd >= 0 && fd < MAX_SHIM_FDS && atomic_load_explicit(&shim_fds[fd], memory_order_acquire);
}

struct shim_fd *shim_fd_find(int fd, enum shim_fd_kind kind)
{
    struct shim_fd *t = shim_fd_may_exist(fd) ? atomic_load(&shim_fds[fd]) : NULL;
    if (!t)
        return NULL;
    const struct private_fd file = {fd, t->fd.device, t->fd.inode};
    if (private_fd_number(&file) < 0) {
        shim_fd_closed(fd);
        return NULL;
    }
    return kind == SHIM_FD_ANY || t->kind == kind ? t : NULL;
}

/* A socket without a peer. Unlike an eventfd it has an inode of its own, which identifies it. */
int shim_fd_create_file(bool close_on_exec)
{
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | (close_on_exec ? SOCK_CLOEXEC : 0), 0);
    if (fd >= 0 || errno == EMFILE || errno == ENFILE)
        return fd < 0 ? -errno : fd;
    const int plain = eventfd(0, EFD_NONBLOCK | (close_on_exec ? EFD_CLOEXEC : 0));
    return plain < 0 ? -errno : plain;
}

int shim_fd_add(int fd, enum shim_fd_kind kind, void *thing)
{
    struct shim_fd *t = fd < MAX_SHIM_FDS ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return fd < MAX_SHIM_FDS ? -ENOMEM : -EMFILE;
    *t = (struct shim_fd){.kind = kind, .references = 1, .fd = private_fd_of(fd)};
    if (kind == SHIM_FD_NODE)
        t->drm = thing;
    else if (kind == SHIM_FD_FENCE)
        t->fence = thing;
    else
        t->syncobj = thing;
    if (!table_owner_pid)
        table_owner_pid = getpid();
    shim_fd_closed(fd);
    atomic_store(&shim_fds[fd], t);
    return fd;
}

int shim_fd_add_fence(struct dma_fence *f)
{
    const int waits = private_fd_number(&f->wait_fd);
    const int fd = waits < 0 ? shim_fd_create_file(true) : fcntl(waits, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return waits < 0 ? fd : -errno;
    if (waits < 0)
        f->wait_fd = private_fd_of(fd_move_high(dup(fd)));
    if (f->wait_fd.fd < 0) {
        close(fd);
        return -EMFILE;
    }
    if (f->signaled)
        private_fd_make_readable(&f->wait_fd);
    const int error = shim_fd_add(fd, SHIM_FD_FENCE, fence_get(f));
    if (error < 0) {
        fence_put(f);
        close(fd);
    }
    return error;
}

void private_fd_make_readable(struct private_fd *f)
{
    const int fd = private_fd_number(f);
    if (fd >= 0 && shutdown(fd, SHUT_RD) != 0) /* end of file makes it readable */
        eventfd_write(fd, 1);
    private_fd_close(f);
}

void shim_fds_forked(void)
{
    table_owner_pid = getpid();
}

void shim_fd_closed(int fd)
{
    if (!shim_fd_may_exist(fd) || !is_table_owner())
        return;
    struct shim_fd *t = atomic_exchange(&shim_fds[fd], NULL);
    if (!t || --t->references)
        return;
    if (t->kind == SHIM_FD_NODE)
        drm_file_put(t->drm);
    else if (t->kind == SHIM_FD_FENCE)
        fence_put(t->fence);
    else
        syncobj_put(t->syncobj);
    free(t);
}

void shim_fds_drop_stale(void)
{
    for (int fd = 0; fd < MAX_SHIM_FDS; fd++)
        shim_fd_find(fd, SHIM_FD_ANY);
}

void shim_fd_duplicated(int from, int to)
{
    if (from == to || to < 0 || to >= MAX_SHIM_FDS || !is_table_owner())
        return;
    struct shim_fd *t = shim_fd_find(from, SHIM_FD_ANY);
    if (t)
        t->references++;
    shim_fd_closed(to);
    atomic_store(&shim_fds[to], t);
}
