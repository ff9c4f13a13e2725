#include "server/function_control.h"

#include "host/fd_message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE_NS UINT64_C(5000000000)

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

static void drop_client(struct control_client *k)
{
    close(k->fd);
    close_passed(k);
    k->fd = -1;
    k->count = 0;
}

void control_end(struct control_socket *c)
{
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd >= 0)
            drop_client(k);
    if (c->listener >= 0)
        close(c->listener);
    c->listener = -1;
}

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
            fds[count++] = (struct pollfd){.fd = k->fd, .events = POLLIN};
    if (count < CONTROL_CLIENTS) /* otherwise further clients wait */
        fds[count++] = (struct pollfd){.fd = c->listener, .events = POLLIN};
    return count;
}

uint64_t control_due_ns(const struct control_socket *c)
{
    uint64_t due_ns = UINT64_MAX;
    for (const struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++) {
        const bool asks =
            k->fd >= 0 && memchr(k->line, '\n', k->count); /* a further line came with the last one */
        const uint64_t at_ns = asks ? 0 : k->since_ns + PATIENCE_NS;
        if (k->fd >= 0 && at_ns < due_ns)
            due_ns = at_ns;
    }
    return due_ns;
}

static bool send_line(int fd, struct json_object *o)
{
    const char *text = o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : NULL;
    if (!text)
        return false;
    const size_t length = strlen(text);
    struct iovec parts[] = {{(void *)(uintptr_t)text, length}, {"\n", 1}};
    const struct msghdr m = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length + 1;
}

static struct json_object *refusal(const char *why)
{
    struct json_object *const o = json_object_new_object(), *text = o ? json_object_new_string(why) : NULL;
    if (text && json_object_object_add(o, "error", text) == 0)
        return o;
    json_object_put(o);
    return NULL;
}

static struct json_object *parsed(const char *line, size_t length)
{
    enum { DEPTH = 4 };
    struct json_tokener *const t = json_tokener_new_ex(DEPTH);
    struct json_object *o = t ? json_tokener_parse_ex(t, line, (int)length) : NULL;
    if (t && json_tokener_get_error(t) != json_tokener_success) {
        json_object_put(o);
        o = NULL;
    }
    json_tokener_free(t);
    return o;
}

/* False: the client is dropped. */
static bool answer_line(struct control_client *k, control_answer *answer, void *user)
{
    char *const end = memchr(k->line, '\n', k->count);
    if (!end)
        return k->count < CONTROL_LINE_BYTES;
    const size_t length = (size_t)(end - k->line);
    struct json_object *const request = parsed(k->line, length);
    struct json_object *const o = json_object_is_type(request, json_type_object)
                                      ? answer(user, request, k->passed)
                                      : refusal("a request is a JSON object on a line");
    const bool good = send_line(k->fd, o);
    json_object_put(o);
    json_object_put(request);
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

static void serve_client(struct control_client *k, uint64_t now_ns, control_answer *answer, void *user)
{
    const ssize_t got = control_take_line(k);
    const bool gone = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
    if (got > 0)
        k->count += (size_t)got;
    const bool line = memchr(k->line, '\n', k->count);
    if (line)
        k->since_ns = now_ns;
    if (!answer_line(k, answer, user) || (gone && !line) || now_ns - k->since_ns >= PATIENCE_NS)
        drop_client(k);
}

void control_serve(struct control_socket *c, uint64_t now_ns, control_answer *answer, void *user)
{
    struct control_client *const next = free_place(c);
    struct pollfd p = {.fd = c->listener, .events = POLLIN};
    if (next && c->listener >= 0 && poll(&p, 1, 0) > 0) {
        next->fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);
        next->count = 0;
        next->since_ns = now_ns;
    }
    for (struct control_client *k = c->clients; k < c->clients + CONTROL_CLIENTS; k++)
        if (k->fd >= 0)
            serve_client(k, now_ns, answer, user);
}
