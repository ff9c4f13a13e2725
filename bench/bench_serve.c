/* A register read through the vfio-user server, beside a bare socket's round trip of the same sizes. */
#include "bench_serve.h"

#include "frontend/files.h"
#include "frontend/sandbox.h"
#include "frontend/vfio_user/protocol.h"
#include "frontend/vfio_user/vfio_user.h"

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
    (void)user;
    return sandbox_missing() || (threads ? sandbox_seal(&what) : files_start() && sandbox_begin(&what));
}

static double served_us(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/softgt-bench-%d.sock", (int)getpid());
    const pid_t child = fork();
    if (child == 0) {
        const struct vfio_user_options options = {.device = "skl",
                                                  .socket = address.sun_path,
                                                  .once = true,
                                                  .stop = &stop,
                                                  .message = on_message,
                                                  .enclose = on_enclose};
        const char *what;
        const int error = vfio_user_serve(&options, &what);
        files_end();
        _exit(error);
    }
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    for (int i = 0; i < 500 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0; i++)
        usleep(10000);
    const struct {
        struct vfio_user_header header;
        struct vfio_user_version version;
    } hello = {{1, VFIO_USER_VERSION, sizeof hello, 0, 0}, {0, 0}};
    uint8_t answer[512];
    double us = -1;
    if (send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello &&
        recv(fd, answer, sizeof answer, 0) > 0)
        us = trips_us(fd);
    close(fd);
    waitpid(child, NULL, 0);
    return us;
}

bool bench_serve(double *read_us, double *ratio)
{
    const double bare = bare_us();
    *read_us = served_us();
    *ratio = *read_us / bare;
    return bare > 0 && *read_us > 0;
}
