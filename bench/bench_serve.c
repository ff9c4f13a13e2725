/* A register read through the vfio-user server, beside a bare socket's round trip of the same sizes. */
#include "bench_serve.h"

#include "host/code_memory.h"
#include "host/files.h"
#include "host/sandbox.h"
#include "host/workers.h"
#include "server/protocol.h"
#include "server/vfio_user.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIPS = 20000, ROUNDS = 3 };

static volatile sig_atomic_t stop;

static void on_message(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "bench: serve: %s\n", text);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct read_request {
    struct vfio_user_header header;
    struct vfio_user_region_access at;
};

struct read_reply {
    struct vfio_user_header header;
    struct vfio_user_region_access at;
    uint32_t value;
};

/* The best of a few rounds, in microseconds a trip; negative: the other side left. */
static double trips_us(int fd)
{
    struct read_request request = {{1, VFIO_USER_REGION_READ, sizeof request, 0, 0}, {0x2034, 0, 4}};
    uint8_t reply[64];
    double best = 1e9;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const double start = now_s();
        for (unsigned i = 0; i < TRIPS; i++)
            if (send(fd, &request, sizeof request, MSG_NOSIGNAL) != (ssize_t)sizeof request ||
                recv(fd, reply, offsetof(struct read_reply, value) + 4, MSG_WAITALL) <= 0)
                return -1;
        const double took = (now_s() - start) / TRIPS * 1e6;
        best = took < best ? took : best;
    }
    return best;
}

static double bare_us(void)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return -1;
    const pid_t child = fork();
    if (child == 0) {
        uint8_t in[64], out[64] = {0};
        close(pair[0]);
        while (recv(pair[1], in, sizeof(struct read_request), MSG_WAITALL) > 0)
            if (send(pair[1], out, offsetof(struct read_reply, value) + 4, MSG_NOSIGNAL) < 0)
                break;
        _exit(0);
    }
    close(pair[1]);
    const double us = trips_us(pair[0]);
    close(pair[0]);
    waitpid(child, NULL, 0);
    return us;
}

/* As softgt serve does. */
static bool on_enclose(void *user, bool threads)
{
    const char *what;
    if (!threads && !sandbox_missing() && !(files_start() && sandbox_begin(&what)))
        return false;
    if (!threads)
        workers_start(user);
    return !threads || sandbox_missing() || sandbox_seal(&what, SANDBOX_RUNS);
}

static void on_stop(int number)
{
    (void)number;
    stop = 1;
}

static void serve(const char *socket, unsigned threads)
{
    enum { CODE_PIECES = 64 };
    struct workers *const workers = threads ? workers_prepare(threads) : NULL;
    const struct vfio_user_options options = {.device = "skl",
                                              .socket = socket,
                                              .once = true,
                                              .code = code_memory_port(code_memory_create(CODE_PIECES)),
                                              .draws = true,
                                              .parallel = workers_port(workers),
                                              .stop = &stop,
                                              .user = workers,
                                              .message = on_message,
                                              .enclose = on_enclose};
    const char *what;
    signal(SIGTERM, on_stop);
    const int error = vfio_user_serve(&options, &what);
    files_end();
    _exit(error);
}

bool bench_server_start(struct bench_server *s, unsigned threads)
{
    static unsigned count;
    s->address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(s->address.sun_path, sizeof s->address.sun_path, "/tmp/softgt-bench-%d-%u.sock", (int)getpid(),
             count++);
    s->child = fork();
    if (s->child == 0)
        serve(s->address.sun_path, threads);
    s->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    for (int i = 0; i < 500 && connect(s->fd, (struct sockaddr *)&s->address, sizeof s->address) != 0; i++)
        usleep(10000);
    const struct {
        struct vfio_user_header header;
        struct vfio_user_version version;
    } hello = {{1, VFIO_USER_VERSION, sizeof hello, 0, 0}, {0, 0}};
    uint8_t answer[512];
    return send(s->fd, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello &&
           recv(s->fd, answer, sizeof answer, 0) > 0;
}

double bench_server_end(struct bench_server *s)
{
    const double from = now_s();
    kill(s->child, SIGTERM);
    waitpid(s->child, NULL, 0);
    close(s->fd);
    return (now_s() - from) * 1e3;
}

/* The answer to the message sent last; what the server asks for meanwhile is zeros, or goes nowhere. */
static bool answered(struct bench_server *s, void *payload, size_t room)
{
    static uint8_t data[4096 + (1 << 20)];
    struct {
        struct vfio_user_header header;
        struct {
            uint64_t address, size_bytes;
        } at;
    } m;
    for (;;) {
        if (recv(s->fd, &m.header, sizeof m.header, MSG_WAITALL) != (ssize_t)sizeof m.header ||
            m.header.size_bytes < sizeof m.header || m.header.size_bytes - sizeof m.header > sizeof data)
            return false;
        const size_t bytes = m.header.size_bytes - sizeof m.header;
        if (bytes && recv(s->fd, data, bytes, MSG_WAITALL) != (ssize_t)bytes)
            return false;
        if ((m.header.flags & VFIO_USER_TYPE) == VFIO_USER_TYPE_REPLY) {
            memcpy(payload, data, bytes < room ? bytes : room);
            return !(m.header.flags & VFIO_USER_ERROR);
        }
        const bool reads = m.header.command == VFIO_USER_DMA_READ;
        memcpy(&m.at, data, sizeof m.at);
        const size_t more = reads && m.at.size_bytes <= 1 << 20 ? m.at.size_bytes : 0;
        m.header.flags = VFIO_USER_TYPE_REPLY;
        m.header.size_bytes = (uint32_t)(sizeof m + more);
        memset(data, 0, more);
        if (send(s->fd, &m, sizeof m, MSG_NOSIGNAL | (more ? MSG_MORE : 0)) != (ssize_t)sizeof m ||
            (more && send(s->fd, data, more, MSG_NOSIGNAL) != (ssize_t)more))
            return false;
    }
}

bool bench_server_map(struct bench_server *s, uint64_t address, uint64_t size_bytes, int file)
{
    struct {
        struct vfio_user_header header;
        struct vfio_user_dma_map map;
    } request = {{1, VFIO_USER_DMA_MAP, sizeof request, 0, 0},
                 {sizeof request.map, DMA_READABLE | DMA_WRITABLE, 0, address, size_bytes}};
    struct iovec all = {&request, sizeof request};
    union {
        struct cmsghdr header;
        uint8_t bytes[CMSG_SPACE(sizeof(int))];
    } control = {
        .header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    const struct msghdr message = {.msg_iov = &all,
                                   .msg_iovlen = 1,
                                   .msg_control = file < 0 ? NULL : &control,
                                   .msg_controllen = file < 0 ? 0 : sizeof control};
    uint8_t none;
    return sendmsg(s->fd, &message, MSG_NOSIGNAL) == (ssize_t)sizeof request && answered(s, &none, 0);
}

bool bench_server_write(struct bench_server *s, uint64_t offset, const void *data, uint32_t size_bytes)
{
    struct read_request request = {{1, VFIO_USER_REGION_WRITE, (uint32_t)sizeof request + size_bytes, 0, 0},
                                   {offset, REGION_BAR0, size_bytes}};
    uint8_t none;
    return send(s->fd, &request, sizeof request, MSG_NOSIGNAL | MSG_MORE) == (ssize_t)sizeof request &&
           send(s->fd, data, size_bytes, MSG_NOSIGNAL) == (ssize_t)size_bytes && answered(s, &none, 0);
}

double bench_server_read_us(struct bench_server *s)
{
    const struct read_request request = {{1, VFIO_USER_REGION_READ, sizeof request, 0, 0},
                                         {0x2358, REGION_BAR0, 4}};
    struct read_reply reply;
    const double from = now_s();
    if (send(s->fd, &request, sizeof request, MSG_NOSIGNAL) != (ssize_t)sizeof request ||
        !answered(s, &reply.at, sizeof reply.at + 4))
        return -1;
    return (now_s() - from) * 1e6;
}

static double served_us(void)
{
    struct bench_server s;
    const double us = bench_server_start(&s, 0) ? trips_us(s.fd) : -1;
    bench_server_end(&s);
    return us;
}

bool bench_serve(double *read_us, double *ratio)
{
    const double bare = bare_us();
    *read_us = served_us();
    *ratio = *read_us / bare;
    return bare > 0 && *read_us > 0;
}
