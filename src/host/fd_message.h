/* A file descriptor attached to a message on a Unix socket. */
#ifndef HOST_FD_MESSAGE_H
#define HOST_FD_MESSAGE_H

#include <string.h>
#include <sys/socket.h>

/* Space for the control message; it must stay valid until the message is sent. */
union fd_message_space {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static inline void fd_message_attach(struct msghdr *m, union fd_message_space *room, int fd)
{
    *room = (union fd_message_space){0};
    m->msg_control = room;
    m->msg_controllen = sizeof *room;
    struct cmsghdr *const h = CMSG_FIRSTHDR(m);
    h->cmsg_level = SOL_SOCKET;
    h->cmsg_type = SCM_RIGHTS;
    h->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(h), &fd, sizeof fd);
}

#endif
