#include "control_client.h"

#include "host/fd_message.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_BYTES = 8 << 20, PART_BYTES = 1 << 16, PATIENCE_MS = 10000, WAIT_MS = 200 };

static int open_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return -1;
}

void control_open(struct control_connection *c, const char *path, bool is_folder)
{
    struct stat there;
    *c = (struct control_connection){.fd = -1};
    if (asprintf(&c->path,
                 is_folder || (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) ? "%s/control" : "%s",
                 path) < 0)
        tool_no_memory();
}

void control_close(struct control_connection *c)
{
    if (c->fd >= 0)
        close(c->fd);
    text_free(&c->in);
    free(c->path);
}

bool control_connect(struct control_connection *c)
{
    return c->fd >= 0 || (c->fd = open_socket(c->path)) >= 0;
}

bool control_send(struct control_connection *c, struct json_object *request, int file)
{
    struct text text = {0};
    union fd_message_space room;
    if (!control_connect(c))
        return false;
    json_write(&text, request);
    text_char(&text, '\n');
    if (text.failed)
        tool_no_memory();
    struct iovec part = {text.bytes, text.length};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (file >= 0)
        fd_message_attach(&m, &room, file);
    const bool sent = sendmsg(c->fd, &m, MSG_NOSIGNAL) == (ssize_t)text.length;
    text_free(&text);
    return sent;
}

const char *control_receive(struct control_connection *c, bool patient)
{
    size_t searched = c->at;
    for (;;) {
        char *const end =
            c->in.length > searched ? memchr(c->in.bytes + searched, '\n', c->in.length - searched) : NULL;
        if (end) {
            const char *const line = c->in.bytes + c->at;
            *end = 0;
            c->at = (size_t)(end - c->in.bytes) + 1u;
            return line;
        }
        text_drop(&c->in, c->at);
        c->at = 0;
        searched = c->in.length;
        struct pollfd p = {.fd = c->fd, .events = POLLIN};
        if (c->in.length > MOST_BYTES || !text_reserve(&c->in, PART_BYTES))
            tool_no_memory();
        const int ready = poll(&p, 1, !patient ? PATIENCE_MS : c->wait ? WAIT_MS : -1);
        if (patient && c->wait && (ready == 0 || (ready < 0 && errno == EINTR))) {
            c->wait(c->user);
            continue;
        }
        const ssize_t got = ready > 0 ? recv(c->fd, c->in.bytes + c->in.length, PART_BYTES, 0) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = ready == 0 ? ETIMEDOUT : got == 0 && ready > 0 ? 0 : errno;
            return NULL;
        }
        c->in.length += (size_t)got;
    }
}

struct json_object *control_ask(struct control_connection *c, struct json_object *request, int file,
                                const char *subject, const char **line)
{
    struct json_object *error = NULL, *o = NULL;
    const char *const text = control_send(c, request, file) ? control_receive(c, false) : NULL;
    if (!text)
        tool_error(c->path, "%s", strerror(errno ? errno : ECONNRESET));
    else if (!json_object_is_type(o = json_tokener_parse(text), json_type_object))
        tool_error(c->path, "no server of softgt answers there");
    else if (json_object_object_get_ex(o, "error", &error))
        tool_error(subject, "%s", json_object_get_string(error));
    if (line)
        *line = text;
    if (text && !error && json_object_is_type(o, json_type_object))
        return o;
    json_object_put(o);
    return NULL;
}
