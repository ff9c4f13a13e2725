#include "server/control_socket.h"

#include "host/fd_message.h"
#include "server/listen.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE_NS UINT64_C(5000000000)

bool control_listen(struct control_socket *c, const char *path)
{
    c->listener = socket_listen(path, 0600, NULL); /* its owner's alone */
    if (c->listener >= 0 && c->adopt)
        c->listener = c->adopt(c->listener);
    return c->listener >= 0;
}

void control_begin(struct control_socket *c)
{
    c->listener = -1;
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        k->fd = k->passed = -1;
}

static void close_passed(struct control_client *k)
{
    if (k->passed >= 0)
        close(k->passed);
    k->passed = -1;
}

static void close_socket(const struct control_socket *c, int fd)
{
    if (c->release)
        c->release(fd);
    close(fd);
}

static void drop_client(const struct control_socket *c, struct control_client *k)
{
    close_socket(c, k->fd);
    close_passed(k);
    text_free(&k->out);
    *k = (struct control_client){.fd = -1, .passed = -1};
}

void control_end(struct control_socket *c)
{
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd >= 0)
            drop_client(c, k);
    if (c->listener >= 0)
        close_socket(c, c->listener);
    c->listener = -1;
}

/* ---- Lines to clients ---- */

static size_t unread(const struct control_client *k)
{
    return k->out.length - k->out_sent;
}

static bool streams(const struct control_client *k)
{
    return k->events.mask || k->statistics_ns || k->is_debugger;
}

/* Sends what the client takes now. False: it is gone. */
static bool send_some(struct control_client *k, uint64_t now_ns)
{
    while (unread(k)) {
        struct iovec part = {k->out.bytes + k->out_sent, unread(k)};
        const struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
        const ssize_t sent = sendmsg(k->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0)
            return errno == EAGAIN || errno == EINTR;
        k->out_sent += (size_t)sent;
        k->since_ns = now_ns;
    }
    k->out.length = k->out_sent = 0;
    return true;
}

/* Room for a line at the end of what the client has not read. False: it has too much already. */
static bool has_room(struct control_client *k, size_t bytes, size_t most_bytes)
{
    if (unread(k) + bytes > most_bytes)
        return false;
    text_drop(&k->out, k->out_sent);
    k->out_sent = 0;
    return text_reserve(&k->out, bytes);
}

static bool put_line(struct control_client *k, const struct text *line, size_t most_bytes)
{
    if (line->failed || !has_room(k, line->length + 1u, most_bytes))
        return false;
    text_bytes(&k->out, line->bytes, line->length);
    text_char(&k->out, '\n');
    return true;
}

/* ---- Streams ---- */

unsigned control_events(const struct control_socket *c)
{
    unsigned events = 0;
    for (const struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        events |= k->fd >= 0 ? k->events.mask : 0;
    return events;
}

/* A client that did not read for a while learns how much it missed. */
static bool put_dropped(struct control_client *k)
{
    if (!k->dropped_events)
        return true;
    struct text line = {0};
    text_format(&line,
                "{\"schema\":\"softgt.event\",\"version\":1,\"event\":\"dropped\",\"count\":%" PRIu64 "}",
                k->dropped_events);
    const bool good = put_line(k, &line, CONTROL_STREAM_BYTES / 2);
    text_free(&line);
    if (good)
        k->dropped_events = 0;
    return good;
}

void control_send_event(struct control_socket *c, const struct event_place *place,
                        const struct softgt_event *e)
{
    struct text line = {0};
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++) {
        if (k->fd < 0 || !event_filter_takes(&k->events, e))
            continue;
        if (!line.length) {
            event_json_write(&line, place, e);
            text_char(&line, '\n');
        }
        if (line.failed || !put_dropped(k) || !has_room(k, line.length, CONTROL_STREAM_BYTES))
            k->dropped_events++;
        else
            text_bytes(&k->out, line.bytes, line.length);
    }
    text_free(&line);
}

bool control_wants_statistics(struct control_socket *c, uint64_t now_ns)
{
    for (const struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd >= 0 && k->statistics_ns && k->statistics_ns <= now_ns)
            return true;
    return false;
}

void control_send_statistics(struct control_socket *c, uint64_t now_ns, const struct text *line)
{
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++) {
        if (k->fd < 0 || !k->statistics_ns || k->statistics_ns > now_ns)
            continue;
        put_line(k, line, CONTROL_STREAM_BYTES); /* a line that is not read is lost */
        k->statistics_ns = now_ns + CONTROL_SECOND_NS;
    }
}

/* ---- Clients ---- */

static struct control_client *free_place(struct control_socket *c)
{
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd < 0)
            return k;
    return NULL;
}

unsigned control_polled(const struct control_socket *c, struct pollfd fds[CONTROL_POLLED])
{
    unsigned count = 0;
    for (const struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd >= 0)
            fds[count++] = (struct pollfd){.fd = k->fd, .events = unread(k) ? POLLIN | POLLOUT : POLLIN};
    if (count < CONTROL_CLIENTS && c->listener >= 0) /* otherwise further clients wait */
        fds[count++] = (struct pollfd){.fd = c->listener, .events = POLLIN};
    return count;
}

/* A further line came with the last one; it waits until the answer has been read. */
static bool asks(const struct control_client *k)
{
    return !unread(k) && memchr(k->line, '\n', k->count);
}

uint64_t control_due_ns(const struct control_socket *c)
{
    uint64_t due_ns = UINT64_MAX;
    for (const struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++) {
        const uint64_t at_ns = k->fd < 0          ? UINT64_MAX
                               : asks(k)          ? 0
                               : !streams(k)      ? k->since_ns + PATIENCE_NS
                               : k->statistics_ns ? k->statistics_ns
                                                  : UINT64_MAX;
        due_ns = at_ns < due_ns ? at_ns : due_ns;
    }
    return due_ns;
}

/* False: the client is dropped. A request ends the streams of the client before it is answered. */
static bool answer_line(struct control_client *k, control_answer *answer, void *user)
{
    char *const end = memchr(k->line, '\n', k->count);
    if (!end)
        return k->count < CONTROL_LINE_BYTES;
    if (unread(k))
        return true;
    const size_t length = (size_t)(end - k->line);
    struct text line = {0};
    k->events.mask = 0;
    k->statistics_ns = 0;
    answer(user, k, k->line, length, &line);
    const bool good = put_line(k, &line, CONTROL_OUT_BYTES);
    text_free(&line);
    close_passed(k);
    k->count -= length + 1;
    memmove(k->line, end + 1, k->count);
    return good;
}

/* Appends received bytes to the line; the last descriptor counts. */
static ssize_t control_take_line(struct control_client *k)
{
    union fd_message_space room;
    struct iovec part = {k->line + k->count, CONTROL_LINE_BYTES - k->count};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room};
    const ssize_t got = recvmsg(k->fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const struct cmsghdr *const h = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    const size_t count = h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS
                             ? (h->cmsg_len - CMSG_LEN(0)) / sizeof k->passed
                             : 0;
    for (size_t i = 0; i < count; i++) {
        close_passed(k);
        memcpy(&k->passed, CMSG_DATA(h) + i * sizeof k->passed, sizeof k->passed);
    }
    return got;
}

static void serve_client(struct control_socket *c, struct control_client *k, uint64_t now_ns,
                         control_answer *answer, void *user)
{
    const bool full = k->count == CONTROL_LINE_BYTES; /* further bytes wait in the socket */
    const ssize_t got = full ? -1 : control_take_line(k);
    const bool gone = !full && (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR));
    if (got > 0)
        k->count += (size_t)got;
    const bool line = memchr(k->line, '\n', k->count);
    if (line && !unread(k))
        k->since_ns = now_ns;
    if (!send_some(k, now_ns) || (k->events.mask && !put_dropped(k) && !unread(k)) ||
        !answer_line(k, answer, user) || !send_some(k, now_ns) ||
        (gone && !line && (!unread(k) || streams(k))) || (!streams(k) && now_ns - k->since_ns >= PATIENCE_NS))
        drop_client(c, k);
}

void control_serve(struct control_socket *c, uint64_t now_ns, control_answer *answer, void *user)
{
    struct control_client *const next = free_place(c);
    struct pollfd p = {.fd = c->listener, .events = POLLIN};
    if (next && c->listener >= 0 && poll(&p, 1, 0) > 0) {
        next->fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);
        if (next->fd >= 0 && c->adopt)
            next->fd = c->adopt(next->fd);
        next->since_ns = now_ns;
    }
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd >= 0)
            serve_client(c, k, now_ns, answer, user);
}

/* ---- A debugger ---- */

struct control_client *control_debugger(struct control_socket *c)
{
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd >= 0 && k->is_debugger)
            return k;
    return NULL;
}

bool control_send_debugger(struct control_client *k, const struct text *line)
{
    return put_line(k, line, CONTROL_OUT_BYTES);
}
