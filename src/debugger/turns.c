#include "debugger/turns.h"

#include "host/fd_message.h"

#include <errno.h>

bool turn_send(int socket, const struct turn_message *message, int fd)
{
    struct turn_message copy = *message;
    struct iovec part = {&copy, sizeof copy};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    union fd_message_space room;
    ssize_t sent;
    if (fd >= 0)
        fd_message_attach(&m, &room, fd);
    do
        sent = sendmsg(socket, &m, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == sizeof copy;
}

enum turn turn_receive(int socket, struct turn_message *message, int *fd)
{
    struct iovec part = {message, sizeof *message};
    union fd_message_space room;
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room};
    ssize_t got;
    do
        got = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    *fd = -1;
    if (got != sizeof *message)
        return message->turn = TURN_OVER;
    const struct cmsghdr *const h = CMSG_FIRSTHDR(&m);
    if (h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(h), sizeof *fd);
    return message->turn;
}
