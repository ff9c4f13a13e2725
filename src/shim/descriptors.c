/* Which of the process's descriptors are ours, and what they are. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/exec.h"

enum { DESCRIPTORS = 1 << 16 };
/* Looked at without the lock by calls that are none of our business, changed with it. */
static _Atomic(struct open_thing *) descriptors[DESCRIPTORS];

/* A child of vfork has the memory, until it starts another program, and descriptors of its own: what it
 * closes or copies is none of the table's. */
static pid_t owner;

static bool is_owner(void)
{
    return owner == getpid();
}

/* ---- Files that the program may close unseen ---- */

static bool identify(int fd, struct own_file *f)
{
    struct stat st;
    if (fd < 0 || fstatat(fd, "", &st, AT_EMPTY_PATH) != 0)
        return false;
    *f = (struct own_file){fd, st.st_dev, st.st_ino};
    return true;
}

struct own_file own_file_of(int fd)
{
    struct own_file f;
    return identify(fd, &f) ? f : (struct own_file){.fd = -1};
}

int own_file_number(const struct own_file *f)
{
    struct own_file now;
    const int before = errno;
    const bool same = identify(f->fd, &now) && now.device == f->device && now.inode == f->inode;
    errno = before;
    return same ? f->fd : -1;
}

void own_file_close(struct own_file *f)
{
    if (own_file_number(f) >= 0)
        close(f->fd);
    f->fd = -1;
}

static _Atomic uint64_t kept[DESCRIPTORS / 64];

void own_file_keep(int fd, bool keep)
{
    const uint64_t bit = UINT64_C(1) << fd % 64;
    if (fd >= 0 && fd < DESCRIPTORS && keep)
        kept[fd / 64] |= bit;
    else if (fd >= 0 && fd < DESCRIPTORS)
        kept[fd / 64] &= ~bit;
}

bool own_file_is_kept(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && atomic_load(&kept[fd / 64]) >> fd % 64 & 1u;
}

int high_descriptor(int fd)
{
    if (fd < 0)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (high < 0 && (errno == EMFILE || errno == EINVAL)) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
            limit.rlim_cur = limit.rlim_max;
            setrlimit(RLIMIT_NOFILE, &limit);
            high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
        }
    }
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

/* ---- The table ---- */

bool descriptors_any(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && atomic_load_explicit(&descriptors[fd], memory_order_acquire);
}

struct open_thing *descriptor_find(int fd, enum open_kind kind)
{
    struct open_thing *t = descriptors_any(fd) ? atomic_load(&descriptors[fd]) : NULL;
    if (!t)
        return NULL;
    const struct own_file file = {fd, t->file.device, t->file.inode};
    if (own_file_number(&file) < 0) {
        descriptor_closed(fd);
        return NULL;
    }
    return kind == OPEN_NOTHING || t->kind == kind ? t : NULL;
}

/* A socket without a peer: other than an eventfd it has a number of its own, by which it is known again. */
int descriptor_make(bool close_on_exec)
{
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | (close_on_exec ? SOCK_CLOEXEC : 0), 0);
    if (fd >= 0 || errno == EMFILE || errno == ENFILE)
        return fd < 0 ? -errno : fd;
    const int plain = eventfd(0, EFD_NONBLOCK | (close_on_exec ? EFD_CLOEXEC : 0));
    return plain < 0 ? -errno : plain;
}

int descriptor_add(int fd, enum open_kind kind, void *thing)
{
    struct open_thing *t = fd < DESCRIPTORS ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return fd < DESCRIPTORS ? -ENOMEM : -EMFILE;
    *t = (struct open_thing){.kind = kind, .references = 1, .file = own_file_of(fd)};
    if (kind == OPEN_NODE)
        t->node = thing;
    else if (kind == OPEN_FENCE)
        t->fence = thing;
    else
        t->syncobj = thing;
    if (!owner)
        owner = getpid();
    descriptor_closed(fd);
    atomic_store(&descriptors[fd], t);
    return fd;
}

int descriptor_fence(struct exec_fence *f)
{
    const int waits = own_file_number(&f->signal);
    const int fd = waits < 0 ? descriptor_make(true) : fcntl(waits, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return waits < 0 ? fd : -errno;
    if (waits < 0)
        f->signal = own_file_of(high_descriptor(dup(fd)));
    if (f->signal.fd < 0) {
        close(fd);
        return -EMFILE;
    }
    if (f->signaled)
        descriptor_signal(&f->signal);
    const int error = descriptor_add(fd, OPEN_FENCE, fence_get(f));
    if (error < 0) {
        fence_put(f);
        close(fd);
    }
    return error;
}

void descriptor_signal(struct own_file *f)
{
    const int fd = own_file_number(f);
    if (fd >= 0 && shutdown(fd, SHUT_RD) != 0) /* there is nothing more to come: it is readable */
        eventfd_write(fd, 1);
    own_file_close(f);
}

void descriptors_forked(void)
{
    owner = getpid();
}

void descriptor_closed(int fd)
{
    if (!descriptors_any(fd) || !is_owner())
        return;
    struct open_thing *t = atomic_exchange(&descriptors[fd], NULL);
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

void descriptors_look(void)
{
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        descriptor_find(fd, OPEN_NOTHING);
}

void descriptor_copied(int from, int to)
{
    if (from == to || to < 0 || to >= DESCRIPTORS || !is_owner())
        return;
    struct open_thing *t = descriptor_find(from, OPEN_NOTHING);
    if (t)
        t->references++;
    descriptor_closed(to);
    atomic_store(&descriptors[to], t);
}
