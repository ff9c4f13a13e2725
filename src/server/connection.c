#include "server/connection.h"

#include "host/fd_message.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 2 * MESSAGE_BYTES, KEPT = 256, KEPT_BYTES = 4 * MESSAGE_BYTES };
enum { ANSWER_MS = 1000, SEND_MS = 5000, HURRY_MS = 100, LOOK_MS = 50 /* for the stop signal */ };

struct vfio_connection {
    int fd;
    const volatile sig_atomic_t *stop;
    uint8_t *in; /* BUFFER_BYTES; valid from start to end */
    size_t start, end;
    uint8_t *spare; /* swapped with `in` while a message is handled; NULL: not needed yet */
    bool held;      /* the handled message is in `in` */
    bool silent;    /* has not answered, and has sent nothing since */
    bool hurried;
    const char *ended; /* reason; NULL: open */
    size_t fds_at;     /* start of the message to which the descriptors belong */
    int fds[MESSAGE_FDS];
    unsigned fd_count;
    uint16_t next_id;
    struct vfio_message kept[KEPT]; /* messages that came while an answer was awaited */
    unsigned kept_first, kept_count;
    size_t kept_bytes;
    uint8_t *lent; /* payload of a kept message that is being handled */
};

static void close_fds(int *fds, unsigned *count)
{
    for (unsigned i = 0; i < *count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    *count = 0;
}

struct vfio_connection *connection_create(int fd, const volatile sig_atomic_t *stop)
{
    struct vfio_connection *c = calloc(1, sizeof *c);
    if (c)
        c->in = malloc(BUFFER_BYTES);
    if (!c || !c->in) {
        free(c);
        close(fd);
        return NULL;
    }
    c->fd = fd;
    c->stop = stop;
    return c;
}

void connection_destroy(struct vfio_connection *c)
{
    close_fds(c->fds, &c->fd_count);
    for (; c->kept_count; c->kept_count--, c->kept_first = (c->kept_first + 1) % KEPT) {
        message_end(&c->kept[c->kept_first]);
        free(c->kept[c->kept_first].payload);
    }
    close(c->fd);
    free(c->lent);
    free(c->spare);
    free(c->in);
    free(c);
}

void connection_hurry(struct vfio_connection *c)
{
    c->hurried = true;
}

int connection_fd(const struct vfio_connection *c)
{
    return c->fd;
}

void message_end(struct vfio_message *m)
{
    close_fds(m->fds, &m->fd_count);
}

static size_t size_at(const struct vfio_connection *c, size_t at)
{
    struct vfio_user_header h;
    if (c->end - at < sizeof h)
        return 0;
    memcpy(&h, c->in + at, sizeof h);
    return h.size_bytes;
}

bool connection_has_message(const struct vfio_connection *c)
{
    const size_t size = size_at(c, c->start);
    return c->kept_count || (size && size <= c->end - c->start);
}

bool connection_halfway(const struct vfio_connection *c)
{
    return c->end != c->start && !connection_has_message(c);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits until the socket is ready. False: end_ms is over, or the stop signal came. */
static bool connection_poll(const struct vfio_connection *c, short events, int64_t end_ms)
{
    while (!*c->stop) {
        const int64_t left_ms = end_ms - now_ms();
        struct pollfd p = {.fd = c->fd, .events = events};
        if (left_ms <= 0)
            return false;
        if (poll(&p, 1, left_ms < LOOK_MS ? (int)left_ms : LOOK_MS) > 0)
            return true;
    }
    return false;
}

/* The kernel ends a read with the bytes that descriptors were sent with. They belong to the last message that
 * starts in these bytes. */
static void place_fds(struct vfio_connection *c)
{
    c->fds_at = c->start;
    for (size_t size;
         (size = size_at(c, c->fds_at)) >= sizeof(struct vfio_user_header) && size < c->end - c->fds_at;)
        c->fds_at += size;
}

static int read_more(struct vfio_connection *c, const char **why)
{
    if (c->start == c->end) {
        c->start = c->end = 0;
    } else if (c->end > BUFFER_BYTES / 2) {
        memmove(c->in, c->in + c->start, c->end - c->start);
        c->end -= c->start;
        c->fds_at -= c->fd_count ? c->start : 0;
        c->start = 0;
    }
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * MESSAGE_FDS)];
    } control;
    struct iovec part = {c->in + c->end, BUFFER_BYTES - c->end};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    const ssize_t got = recvmsg(c->fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got <= 0) {
        *why = got < 0 && errno != ECONNRESET ? strerror(errno)
               : c->end != c->start           ? "left in the middle of a message"
                                              : "";
        return -1;
    }
    c->end += (size_t)got;
    for (struct cmsghdr *h = CMSG_FIRSTHDR(&m); h; h = CMSG_NXTHDR(&m, h)) {
        if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
            continue;
        const size_t count = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        close_fds(c->fds, &c->fd_count); /* of a message that takes none */
        memcpy(c->fds, CMSG_DATA(h), count * sizeof(int));
        c->fd_count = (unsigned)count;
        place_fds(c);
    }
    if (m.msg_flags & MSG_CTRUNC) {
        *why = "too many file descriptors in a message";
        return -1;
    }
    return 1;
}

static int connection_read(struct vfio_connection *c, struct vfio_message *m, const char **why)
{
    for (;;) {
        const size_t there = c->end - c->start, size = size_at(c, c->start);
        if (there >= sizeof m->header) {
            if (size < sizeof m->header || size > MESSAGE_BYTES) {
                *why = "a message with an impossible size";
                return -1;
            }
            if (there >= size)
                break;
        }
        const int got = read_more(c, why);
        if (got <= 0)
            return got;
    }
    memcpy(&m->header, c->in + c->start, sizeof m->header);
    m->payload = c->in + c->start + sizeof m->header;
    m->payload_bytes = m->header.size_bytes - sizeof m->header;
    m->fd_count = 0;
    if (c->fd_count && c->fds_at == c->start) {
        memcpy(m->fds, c->fds, sizeof m->fds);
        m->fd_count = c->fd_count;
        c->fd_count = 0;
    }
    c->start += m->header.size_bytes;
    c->silent = false;
    return 1;
}

int connection_receive(struct vfio_connection *c, struct vfio_message *m, const char **why)
{
    *why = "";
    c->held = false;
    if (c->ended) {
        *why = c->ended;
        return -1;
    }
    if (!c->kept_count) {
        const int got = connection_read(c, m, why);
        c->held = got > 0;
        return got;
    }
    free(c->lent);
    *m = c->kept[c->kept_first];
    c->lent = m->payload;
    c->kept_first = (c->kept_first + 1) % KEPT;
    c->kept_count--;
    c->kept_bytes -= m->payload_bytes;
    return 1;
}

static bool send_all(struct vfio_connection *c, struct iovec *parts, unsigned count, int fd)
{
    union fd_message_space room;
    struct msghdr m = {.msg_iov = parts, .msg_iovlen = count};
    int64_t end_ms = 0;
    if (fd >= 0)
        fd_message_attach(&m, &room, fd);
    while (m.msg_iovlen) {
        ssize_t sent = sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN) {
            end_ms = end_ms ? end_ms : now_ms() + (c->hurried ? HURRY_MS : SEND_MS);
            if (connection_poll(c, POLLOUT, end_ms))
                continue;
        }
        if (sent < 0) {
            c->ended = "takes no messages"; /* a message was sent in part */
            return false;
        }
        end_ms = c->hurried ? end_ms : 0; /* a client that takes some bytes gets the full time again */
        m.msg_control = NULL;
        m.msg_controllen = 0;
        while (m.msg_iovlen && (size_t)sent >= m.msg_iov->iov_len) {
            sent -= (ssize_t)m.msg_iov->iov_len;
            m.msg_iov++;
            m.msg_iovlen--;
        }
        if (m.msg_iovlen) {
            m.msg_iov->iov_base = (uint8_t *)m.msg_iov->iov_base + sent;
            m.msg_iov->iov_len -= (size_t)sent;
        }
    }
    return true;
}

bool connection_reply(struct vfio_connection *c, const struct vfio_message *m, uint32_t error,
                      const void *payload, size_t payload_bytes, const void *more, size_t more_bytes, int fd)
{
    struct vfio_user_header h = m->header;
    h.flags = VFIO_USER_TYPE_REPLY | (error ? VFIO_USER_ERROR : 0);
    h.error = error;
    h.size_bytes = (uint32_t)(sizeof h + payload_bytes + more_bytes);
    struct iovec parts[] = {
        {&h, sizeof h}, {(void *)(uintptr_t)payload, payload_bytes}, {(void *)(uintptr_t)more, more_bytes}};
    return send_all(c, parts, 3, fd);
}

static bool keep_message(struct vfio_connection *c, const struct vfio_message *m)
{
    if (c->kept_count == KEPT || c->kept_bytes + m->payload_bytes > KEPT_BYTES)
        return false;
    struct vfio_message *to = &c->kept[(c->kept_first + c->kept_count) % KEPT];
    *to = *m;
    to->payload = malloc(m->payload_bytes + 1);
    if (!to->payload)
        return false;
    memcpy(to->payload, m->payload, m->payload_bytes);
    c->kept_count++;
    c->kept_bytes += m->payload_bytes;
    return true;
}

/* Moves the bytes after the handled message; that one stays where it is. */
static bool drop_held(struct vfio_connection *c)
{
    if (!c->held)
        return true;
    if (!c->spare && !(c->spare = malloc(BUFFER_BYTES)))
        return false;
    uint8_t *const held = c->in;
    memcpy(c->spare, held + c->start, c->end - c->start);
    c->in = c->spare;
    c->spare = held;
    c->end -= c->start;
    c->fds_at -= c->fd_count ? c->start : 0;
    c->start = 0;
    c->held = false;
    return true;
}

bool connection_ask(struct vfio_connection *c, enum vfio_user_command command, const void *payload,
                    size_t payload_bytes, const void *more, size_t more_bytes, struct vfio_message *answer)
{
    struct vfio_user_header h = {.id = c->next_id++,
                                 .command = (uint16_t)command,
                                 .size_bytes = (uint32_t)(sizeof h + payload_bytes + more_bytes)};
    struct iovec parts[] = {
        {&h, sizeof h}, {(void *)(uintptr_t)payload, payload_bytes}, {(void *)(uintptr_t)more, more_bytes}};
    if (c->silent || c->ended || *c->stop || !drop_held(c) || !send_all(c, parts, 3, -1))
        return false;
    const int64_t end_ms = now_ms() + ANSWER_MS;
    for (;;) {
        const char *why = "";
        const int got = connection_read(c, answer, &why);
        if (got < 0) {
            c->ended = why;
            return false;
        }
        if (got && (answer->header.flags & VFIO_USER_TYPE) == VFIO_USER_TYPE_REPLY &&
            answer->header.id == h.id && answer->header.command == h.command) {
            message_end(answer);
            return !(answer->header.flags & VFIO_USER_ERROR);
        }
        if (got && !keep_message(c, answer)) {
            message_end(answer);
            return false;
        }
        if (got)
            continue;
        if (!connection_poll(c, POLLIN, end_ms)) {
            c->silent = true;
            return false;
        }
    }
}
