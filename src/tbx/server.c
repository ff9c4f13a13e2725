/* Sockets of a TBX server. */
#include "tbx/session.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Work for a connection before the next one is served: messages for TURN_NS, then a slice. */
enum { TURN_NS = 1000000, SLICE_DW = 4096, IN_BYTES = 1 << 16 };
#define ACCEPT_NS UINT64_C(100000000)

struct tbx_connection {
    int fd;
    bool blocked; /* the socket does not take its output */
    uint8_t in[IN_BYTES];
    size_t at, end;
    struct tbx_session session;
};

struct tbx_server {
    struct tbx_shared shared;
    int listener;
    struct tbx_connection *connections[TBX_CONNECTIONS]; /* the first `connection_count` */
    unsigned count, number;
    bool had_client, file_failed;
};

static void say(struct tbx_server *s, unsigned number, const char *what, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "connection %u %s%s", number, what, why);
    limited_log_line(&s->shared.telling, text);
}

/* ---- One connection ---- */

/* False: the connection is closed. */
static bool send_some(struct tbx_connection *c)
{
    const uint8_t *data;
    size_t size;
    c->blocked = false;
    while ((size = tbx_session_output(&c->session, &data)) != 0) {
        struct iovec part = {(void *)(uintptr_t)data, size};
        const struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
        const ssize_t sent = sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        c->blocked = sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        if (sent < 0)
            return c->blocked;
        tbx_session_sent(&c->session, (size_t)sent);
        if (size == sizeof c->session.out) /* a long answer: the others are served first */
            break;
    }
    return true;
}

/* 1: bytes were read; 0: none yet; -1: the connection is closed. */
static int receive_bytes(struct tbx_connection *c)
{
    if (c->at != c->end)
        return 1;
    const ssize_t got = recv(c->fd, c->in, sizeof c->in, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return 0;
    if (got <= 0)
        return -1;
    c->at = 0;
    c->end = (size_t)got;
    return 1;
}

static bool has_work(const struct tbx_connection *c)
{
    return !c->blocked && (!tbx_session_ready(&c->session) || c->at != c->end);
}

/* Serves a connection once. False: it ends. */
static bool serve_connection(struct tbx_connection *c, const volatile sig_atomic_t *stop)
{
    struct tbx_session *const s = &c->session;
    const uint64_t end_ns = server_host_ns() + TURN_NS;
    do {
        if (tbx_session_run(s, SLICE_DW))
            return true; /* engines have run */
        if (s->ended || !send_some(c))
            return false;
        if (!tbx_session_ready(s))
            continue;
        const int got = receive_bytes(c);
        if (got < 0 && (s->input.part != TBX_HEADER || s->input.have))
            tbx_end(s, "the client left within a message");
        if (got <= 0)
            return got == 0;
        c->at += tbx_session_receive(s, c->in + c->at, c->end - c->at);
    } while (!c->blocked && !*stop && server_host_ns() < end_ns);
    return true;
}

static void end_connection(struct tbx_server *s, unsigned index)
{
    struct tbx_connection *const c = s->connections[index];
    if (c->session.ended && *c->session.why)
        say(s, c->session.number, "goes: ", c->session.why);
    s->file_failed |= !tbx_session_end(&c->session);
    close(c->fd);
    free(c);
    s->connections[index] = s->connections[--s->count];
}

/* ---- All of them ---- */

static void accept_one(struct tbx_server *s)
{
    const int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ECONNABORTED || errno == EINTR))
        return;
    struct tbx_connection *const c = fd < 0 ? NULL : malloc(sizeof *c);
    if (!c) { /* the client waits until there is memory */
        say(s, s->number + 1, "cannot be accepted: ", strerror(errno));
        if (fd >= 0)
            close(fd);
        server_poll(s->shared.options->stop, NULL, 0, ACCEPT_NS);
        return;
    }
    c->fd = fd;
    c->blocked = false;
    c->at = c->end = 0;
    tbx_session_begin(&c->session, &s->shared, ++s->number);
    s->connections[s->count++] = c;
    s->had_client = true;
}

/* Sleeps until there is something to do. */
static void wait_for_work(struct tbx_server *s)
{
    struct pollfd fds[TBX_CONNECTIONS + 1];
    const bool room = s->count < TBX_CONNECTIONS;
    bool busy = false;
    for (unsigned i = 0; i < s->count; i++) {
        const struct tbx_connection *c = s->connections[i];
        fds[i] = (struct pollfd){.fd = c->fd, .events = c->blocked ? POLLOUT : POLLIN};
        busy |= has_work(c);
    }
    fds[s->count] = (struct pollfd){.fd = s->listener, .events = POLLIN};
    const int ready = server_poll(s->shared.options->stop, fds, s->count + room, busy ? 0 : UINT64_MAX);
    const bool knocks = ready > 0 && room && fds[s->count].revents & POLLIN;
    for (unsigned i = 0; ready > 0 && i < s->count; i++)
        if (fds[i].revents)
            s->connections[i]->blocked = false;
    if (knocks)
        accept_one(s);
}

static void serve_all(struct tbx_server *s)
{
    const struct tbx_options *o = s->shared.options;
    while (!*o->stop && !(o->once && s->had_client && !s->count)) {
        wait_for_work(s);
        for (unsigned i = s->count; i-- > 0 && !*o->stop;)
            if (!s->connections[i]->blocked && !serve_connection(s->connections[i], o->stop))
                end_connection(s, i);
    }
    while (s->count)
        end_connection(s, s->count - 1);
}

/* Without delay: clients wait for each answer. */
static int open_listener(const struct tbx_options *o)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(o->port), .sin_addr = o->address};
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
        bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 && listen(fd, TBX_CONNECTIONS) == 0)
        return fd;
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return -1;
}

static void address_text(const struct tbx_server *s, char *text, size_t size)
{
    struct sockaddr_in there = {0};
    socklen_t length = sizeof there;
    char address[INET_ADDRSTRLEN] = "";
    getsockname(s->listener, (struct sockaddr *)&there, &length);
    inet_ntop(AF_INET, &there.sin_addr, address, sizeof address);
    snprintf(text, size, "%s is at %s:%u", s->shared.options->device, address, ntohs(there.sin_port));
}

int tbx_serve(const struct tbx_options *options, const char **what)
{
    struct tbx_server s = {
        .shared = {.options = options, .telling = {.user = options->user, .message = options->message}}};
    *what = "the address";
    s.listener = open_listener(options);
    if (s.listener < 0)
        return errno;
    char text[128];
    address_text(&s, text, sizeof text);
    *what = "the sandbox";
    int error = options->enclose && !options->enclose(options->user) ? errno : 0;
    if (!error) {
        limited_log_line(&s.shared.telling, text);
        serve_all(&s);
        limited_log_report_dropped(&s.shared.telling);
    }
    close(s.listener);
    *what = "a recording or a timeline";
    return error ? error : s.file_failed ? EIO : 0;
}
