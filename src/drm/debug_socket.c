/*
 * The control socket of `softgt exec --debug` and --control: a thread of the library's own serves it. While a
 * debugger holds the device, jobs neither begin nor end: the program's fences wait.
 */
#include "drm/drm_core.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/host.h"
#include "server/debug_requests.h"

struct shim_debug {
    struct control_socket socket;
    struct debug_host host;
    bool has_ended;
};

static int adopt(int fd)
{
    const int high = fd_move_high(fd);
    private_fd_protect(high, true);
    return high;
}

static void release(int fd)
{
    private_fd_protect(fd, false);
}

static void write_register(void *user, uint32_t offset, uint32_t value)
{
    gpu_write_register(user, offset, value);
}

static void answer_line(void *user, struct control_client *client, const char *line, size_t length,
                        struct text *answer)
{
    struct shim_debug *const s = user;
    struct debug_request request;
    char room[CONTROL_LINE_BYTES];
    if (length <= sizeof room && debug_request_read(&request, line, length, room))
        debug_host_answer(&s->host, client, &request, answer);
    else
        debug_refuse(answer, "a program's device takes requests to debug only: JSON objects of strings, with "
                             "do, ask and text");
}

/* Time stood still for the device, and no job waited. */
static void continue_jobs(struct shim_device *g)
{
    g->seen_host_ns = gpu_host_ns();
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        for (struct gpu_job *r = g->engines[i].first_job; r; r = r->next)
            r->waiting_since_ns = 0;
}

static void serve(struct shim_device *g)
{
    struct shim_debug *const s = g->debug;
    const bool was_held = device_is_held(g->device);
    const bool guarded = guard_begin(g);
    control_serve(&s->socket, (uint64_t)gpu_host_ns(), answer_line, s);
    debug_host_serve(&s->host, &s->socket);
    softgt_set_trace_mask(g->device, gpu_events(g));
    guard_end(g, guarded);
    if (was_held && !device_is_held(g->device))
        continue_jobs(g);
}

/* Until the socket is served again, if no client asks before: the device may stop while it moves. */
static int wait_ms(const struct shim_device *g)
{
    enum { LOOK_MS = 5, MOST_MS = 60000, MS = 1000000 };
    const struct shim_debug *const s = g->debug;
    const uint64_t due_ns = control_due_ns(&s->socket), now_ns = (uint64_t)gpu_host_ns();
    const uint64_t left_ms = due_ns <= now_ns ? 0 : (due_ns - now_ns) / MS + 1u;
    if (s->host.live && !device_is_held(g->device))
        return LOOK_MS;
    return left_ms < MOST_MS ? (int)left_ms : MOST_MS;
}

static void *debug_thread(void *user)
{
    struct shim_device *const g = user;
    struct shim_debug *const s = g->debug;
    guard_thread();
    for (;;) {
        struct pollfd fds[CONTROL_POLLED];
        const int state = shim_lock();
        const bool has_ended = s->has_ended;
        unsigned count = 0;
        int most_ms = 0;
        if (!has_ended) {
            serve(g);
            count = control_polled(&s->socket, fds);
            most_ms = wait_ms(g);
        }
        shim_unlock(state);
        if (has_ended)
            return NULL;
        poll(fds, count, most_ms);
    }
}

void debug_socket_start(struct shim_device *g, const char *path)
{
    struct shim_debug *const s = calloc(1, sizeof *s);
    pthread_t thread = 0;
    sigset_t all, before;
    if (!s) {
        shim_log(g, EXEC_TROUBLE, "out of memory for a debugger");
        return;
    }
    control_begin(&s->socket);
    s->socket.adopt = adopt;
    s->socket.release = release;
    s->host.device = g->device;
    s->host.port = (struct live_port){g, write_register, g->outputs.recorder != NULL};
    g->debug = s;
    bool good = control_listen(&s->socket, path) && (!g->options.debug || debug_host_await(&s->host));
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the program's own threads */
    const int error = good ? pthread_create(&thread, NULL, debug_thread, g) : errno ? errno : EIO;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) {
        pthread_detach(thread);
        return;
    }
    shim_log(g, EXEC_TROUBLE, "no debugger can connect to %.200s: %s", path, strerror(error));
    debug_socket_end(g);
}

void debug_socket_end(struct shim_device *g)
{
    struct shim_debug *const s = g->debug;
    g->debug = NULL;
    if (!s)
        return;
    s->has_ended = true; /* its memory stays: the thread looks once more */
    debug_host_end(&s->host);
    control_end(&s->socket);
}

unsigned debug_socket_events(const struct shim_device *g)
{
    return g->debug ? live_events(g->debug->host.live) : 0;
}

void debug_socket_event(const struct shim_device *g, const struct softgt_event *e)
{
    if (g->debug && g->debug->host.live)
        live_event(g->debug->host.live, e);
}
