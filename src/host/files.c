#include "host/files.h"

#include "host/fd_message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- In place ---- */

/* Files that are being written, by the numbers of their owners. Threads write files of their own. */
static struct written {
    struct written *next;
    int number;
    char *path, *beside; /* NULL: the file is written in place */
} * written;
static int last_number;
static pthread_mutex_t written_lock = PTHREAD_MUTEX_INITIALIZER;

static int written_add(struct written *w)
{
    pthread_mutex_lock(&written_lock);
    w->number = last_number = last_number == INT_MAX ? 1 : last_number + 1; /* 0: none */
    w->next = written;
    written = w;
    const int number = w->number;
    pthread_mutex_unlock(&written_lock);
    return number;
}

/* Any, if `number` is 0. */
static struct written *written_take(int number)
{
    pthread_mutex_lock(&written_lock);
    struct written **at = &written;
    while (*at && number && (*at)->number != number)
        at = &(*at)->next;
    struct written *const w = *at;
    if (w)
        *at = w->next;
    pthread_mutex_unlock(&written_lock);
    return w;
}

static void written_free(struct written *w)
{
    free(w->path);
    free(w->beside);
    free(w);
}

static bool is_under(const char *path, const char *folder)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* The names differ; the process' mask applies to a new file's mode, and stays as it is. */
static int create_unique(char **beside, const char *place, mode_t mode)
{
    int fd;
    do {
        uint32_t part;
        if (getrandom(&part, sizeof part, 0) != sizeof part ||
            asprintf(beside, "%s.%06" PRIx32, place, part & 0xffffffu) < 0) {
            *beside = NULL;
            return -1;
        }
        fd = open(*beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (fd < 0) {
            free(*beside);
            *beside = NULL;
        }
    } while (fd < 0 && (errno == EEXIST || errno == EINTR));
    return fd;
}

/* Creates a file beside `path`, with the mode of the file there, or of a new file. */
static int create_beside(struct written *w, const char *path, const struct stat *there)
{
    enum { NEW_MODE = 0666, OWNERS_MODE = 0600, MODE_BITS = 07777 };
    w->path = there ? realpath(path, NULL) : strdup(path); /* a symbolic link stays a link */
    const int fd = w->path ? create_unique(&w->beside, w->path, there ? OWNERS_MODE : NEW_MODE) : -1;
    if (fd < 0 || !there || fchmod(fd, there->st_mode & MODE_BITS) == 0)
        return fd;
    const int error = errno;
    close(fd);
    unlink(w->beside);
    errno = error;
    return -1;
}

/* A file that is executed: an option was given without its FILE, and the program's name took its place. */
static bool is_program(const char *path)
{
    static const char elf[] = "\177ELF", script[] = "#!";
    char start[sizeof elf - 1] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t got = fd < 0 ? 0 : read(fd, start, sizeof start);
    if (fd >= 0)
        close(fd);
    return (got == sizeof start && memcmp(start, elf, sizeof start) == 0) ||
           (got >= (ssize_t)sizeof script - 1 && memcmp(start, script, sizeof script - 1) == 0);
}

bool files_are_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

const char *files_error(int error)
{
    return error == EEXIST ? "the file is a program (ELF or #!), which is not replaced; give another FILE"
                           : strerror(error);
}

static int create_here(const char *path, int *number)
{
    struct stat there;
    struct written *const w = calloc(1, sizeof *w);
    if (!w)
        return -1;
    const bool exists = stat(path, &there) == 0;
    int fd = -1;
    if (exists && S_ISREG(there.st_mode) && is_program(path))
        errno = EEXIST;
    else if ((exists && !S_ISREG(there.st_mode)) || is_under(path, "/dev/") || is_under(path, "/proc/"))
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    else if (*path && (!exists || access(path, W_OK) == 0)) /* a file without a name cannot be renamed */
        fd = create_beside(w, path, exists ? &there : NULL);
    if (fd >= 0) {
        *number = written_add(w);
        return fd;
    }
    const int error = errno;
    written_free(w);
    errno = error;
    return -1;
}

static bool finish(struct written *w, bool keep)
{
    int error = 0;
    if (w->beside && keep && rename(w->beside, w->path) != 0)
        error = errno;
    if (w->beside && (!keep || error))
        unlink(w->beside);
    written_free(w);
    errno = error;
    return !error;
}

static bool finish_here(int number, bool keep)
{
    struct written *const w = number > 0 ? written_take(number) : NULL;
    if (!w)
        errno = EBADF;
    return w && finish(w, keep);
}

static void drop_all(void)
{
    for (struct written *w; (w = written_take(0));)
        finish(w, false);
}

void files_forget_in_child(void)
{
    for (struct written *w; (w = written_take(0));)
        written_free(w);
}

enum { SOCKETS = 66 }; /* sockets of a program, at most */
static struct {
    const char *path;
    struct stat file;
} ours[SOCKETS];
static unsigned ours_count;

/* While the program has the socket, the inode is its own; later it may be another server's. */
static void socket_ends(bool died)
{
    struct stat there;
    for (unsigned i = 0; i < ours_count; i++)
        if (lstat(ours[i].path, &there) == 0 && there.st_dev == ours[i].file.st_dev &&
            there.st_ino == ours[i].file.st_ino &&
            (!died || memcmp(&there.st_ctim, &ours[i].file.st_ctim, sizeof there.st_ctim) == 0))
            unlink(ours[i].path);
    ours_count = 0;
}

/* ---- The helper process ---- */

enum verb { OPEN, CREATE, FINISH, SOCKET_ENDS };

struct request {
    uint32_t verb;
    int32_t number, keep;
    char path[PATH_MAX];
};

struct answer {
    int32_t error, number;
};

static struct name {
    enum files_access use;
    const char *path;
} * names;
static unsigned name_count;
static int keeper = -1; /* the socket to the helper */
static pid_t keeper_process;

void files_allow(enum files_access use, const char *path)
{
    struct name *more = realloc(names, (name_count + 1) * sizeof *names);
    if (!more)
        return; /* it cannot be opened, which is reported then */
    names = more;
    names[name_count++] = (struct name){use, path};
}

static bool is_inside(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    if (!is_under(path, folder) || path[length] != '/')
        return false;
    const char *const name = path + length + 1, *const kind = strrchr(name, '.');
    static const char *const kinds[] = {".png", ".html", ".txt", ".bin", ".asm"};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strchr(name, '/') && kind && name[0] != '.' && strcmp(kind, kinds[i]) == 0)
            return true;
    return false;
}

static bool is_allowed(const char *path, bool write)
{
    for (unsigned i = 0; i < name_count; i++)
        if (names[i].use == FILES_WRITE_INSIDE
                ? write && is_inside(path, names[i].path)
                : write == (names[i].use == FILES_WRITE) && strcmp(path, names[i].path) == 0)
            return true;
    errno = EACCES;
    return false;
}

static volatile sig_atomic_t looked; /* since open began */

static void on_alarm(int number)
{
    (void)number;
    looked = 1;
}

static bool is_gone(int socket)
{
    struct pollfd p = {.fd = socket, .events = POLLRDHUP};
    return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLRDHUP);
}

/* A fifo waits for its writer. The program may end meanwhile; the sandbox keeps the signal of its death away
 * (Landlock). Other signals interrupt the call. */
static int open_to_read(const char *path, int socket)
{
    enum { EVERY_US = 200000 };
    const struct sigaction action = {.sa_handler = on_alarm};
    const struct itimerval often = {{0, EVERY_US}, {0, EVERY_US}}, never = {{0, 0}, {0, 0}};
    int fd;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    do {
        looked = 0;
        fd = open(path, O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR && looked && !is_gone(socket));
    const int error = errno;
    setitimer(ITIMER_REAL, &never, NULL);
    errno = error;
    return fd;
}

/* Executes a request. Returns a descriptor, or -1. */
static int helper_serve(struct request *q, struct answer *a, int socket)
{
    int fd = -1;
    bool good = true;
    q->path[sizeof q->path - 1] = '\0';
    a->number = q->number;
    switch (q->verb) {
    case OPEN:
        good = is_allowed(q->path, false) && (fd = open_to_read(q->path, socket)) >= 0;
        break;
    case CREATE:
        good = is_allowed(q->path, true) && (fd = create_here(q->path, &a->number)) >= 0;
        break;
    case FINISH:
        good = finish_here(q->number, q->keep);
        break;
    case SOCKET_ENDS:
        socket_ends(false);
        break;
    default:
        good = false;
        errno = EINVAL;
    }
    a->error = good ? 0 : errno;
    return fd;
}

static bool send_with(int to, void *data, size_t bytes, int fd)
{
    union fd_message_space room;
    struct iovec part = {data, bytes};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0)
        fd_message_attach(&m, &room, fd);
    return sendmsg(to, &m, MSG_NOSIGNAL) == (ssize_t)bytes;
}

static void ignore_signal(int number)
{
    (void)number; /* interrupts the opening of a fifo: the program ended */
}

static _Noreturn void keep_files(int socket)
{
    static struct request q;
    const struct sigaction action = {.sa_handler = ignore_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGQUIT, &action, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_NAME, "softgt-files");
    for (;;) {
        const ssize_t got = recv(socket, &q, sizeof q, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != sizeof q)
            break;
        struct answer a;
        const int fd = helper_serve(&q, &a, socket);
        const bool sent = send_with(socket, &a, sizeof a, fd);
        if (fd >= 0)
            close(fd);
        if (!sent)
            break;
    }
    drop_all();
    socket_ends(true);
    _exit(0);
}

bool files_start(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL);
    keeper_process = fork();
    if (keeper_process == 0) {
        close(ends[0]);
        bool reads = false; /* the program may read /dev/fd/N */
        for (unsigned i = 0; i < name_count; i++)
            reads |= names[i].use == FILES_READ;
        if (!reads && ends[1] > 3)
            syscall(SYS_close_range, 3, ends[1] - 1, 0); /* not every C library has a function for it */
        if (!reads)
            syscall(SYS_close_range, ends[1] + 1, ~0u, 0);
        send(ends[1], "", 1, MSG_NOSIGNAL);
        keep_files(ends[1]);
    }
    const int error = errno;
    close(ends[1]);
    /* The helper closes inherited descriptors: otherwise a listening socket would outlive the program. */
    char ready;
    while (keeper_process > 0 && recv(ends[0], &ready, 1, 0) < 0 && errno == EINTR)
        ;
    if (keeper_process < 0) {
        close(ends[0]);
        errno = error;
        return false;
    }
    keeper = ends[0];
    return true;
}

void files_end(void)
{
    free(names);
    names = NULL;
    name_count = 0;
    if (keeper < 0) {
        drop_all();
        return;
    }
    close(keeper);
    keeper = -1;
    while (waitpid(keeper_process, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* ---- Requests to the helper ---- */

static bool ask_helper(enum verb verb, const char *path, int *number, bool keep, int *fd)
{
    static struct request q;
    q = (struct request){.verb = verb, .number = number ? *number : 0, .keep = keep};
    if (path && strlen(path) >= sizeof q.path) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (path)
        memcpy(q.path, path, strlen(path) + 1);
    struct answer a;
    union fd_message_space room;
    struct iovec part = {&a, sizeof a};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room};
    ssize_t got = -1;
    if (send_with(keeper, &q, sizeof q, -1))
        do
            got = recvmsg(keeper, &m, MSG_CMSG_CLOEXEC);
        while (got < 0 && errno == EINTR);
    if (got != sizeof a) {
        errno = EPIPE;
        return false;
    }
    const struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    if (fd && h && h->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(h), sizeof *fd);
    if (number)
        *number = a.number;
    errno = a.error;
    return !a.error;
}

int files_open(const char *path)
{
    int fd = -1;
    if (keeper < 0)
        return open(path, O_RDONLY | O_CLOEXEC);
    return ask_helper(OPEN, path, NULL, false, &fd) ? fd : -1;
}

FILE *files_open_stream(const char *path)
{
    const int fd = files_open(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

int files_create(const char *path, int *number)
{
    int fd = -1;
    *number = 0;
    if (keeper < 0)
        return create_here(path, number);
    return ask_helper(CREATE, path, number, false, &fd) ? fd : -1;
}

bool files_finish(int number, bool keep)
{
    return keeper < 0 ? finish_here(number, keep) : ask_helper(FINISH, NULL, &number, keep, NULL);
}

bool files_own_socket(const char *path)
{
    if (ours_count == SOCKETS || lstat(path, &ours[ours_count].file) != 0)
        return false;
    ours[ours_count++].path = path;
    return true;
}

void files_remove_socket(void)
{
    if (keeper < 0)
        socket_ends(false);
    else
        ask_helper(SOCKET_ENDS, NULL, NULL, false, NULL);
}
