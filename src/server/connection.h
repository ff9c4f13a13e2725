/*
 * The socket of one client: whole messages with their file descriptors, in and out. The size of messages is
 * checked here: at least a header, at most MESSAGE_BYTES. Nothing else is trusted.
 */
#ifndef SERVER_CONNECTION_H
#define SERVER_CONNECTION_H

#include "server/protocol.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { TRANSFER_BYTES = 1 << 20, MESSAGE_BYTES = TRANSFER_BYTES + 4096, MESSAGE_FDS = 16 };

struct vfio_message {
    struct vfio_user_header header;
    uint8_t *payload; /* valid until the next call */
    size_t payload_bytes;
    int fds[MESSAGE_FDS]; /* owned by the receiver; taken ones are set to -1 */
    unsigned fd_count;
};

struct vfio_connection;

/* Takes ownership of the socket. When *stop is set no call blocks any more. NULL: no memory. */
struct vfio_connection *connection_create(int fd, const volatile sig_atomic_t *stop);
void connection_destroy(struct vfio_connection *c);
/* For servers of several clients: sending waits a tenth of a second at most. */
void connection_hurry(struct vfio_connection *c);
int connection_fd(const struct vfio_connection *c);
/* A whole message is buffered. */
bool connection_has_message(const struct vfio_connection *c);
/* A part of a message is buffered. */
bool connection_halfway(const struct vfio_connection *c);

/* 1: a message; 0: none yet; -1: closed or invalid, *why says why ("": closed by the client). */
int connection_receive(struct vfio_connection *c, struct vfio_message *m, const char **why);
/* Closes the descriptors that were not taken. */
void message_end(struct vfio_message *m);

/* Replies to m: header and payload in two parts, with a file descriptor or -1. False: not sent; the client
 * should be dropped. */
bool connection_reply(struct vfio_connection *c, const struct vfio_message *m, uint32_t error,
                      const void *payload, size_t payload_bytes, const void *more, size_t more_bytes, int fd);

/* Sends a command of the server and waits up to a second for the answer. Messages that come meanwhile are
 * kept, and the last received message stays valid. False: no answer, or an error. The answer's payload is
 * valid until the next call. After a missing answer the client is not asked again until it sends something.
 */
bool connection_ask(struct vfio_connection *c, enum vfio_user_command command, const void *payload,
                    size_t payload_bytes, const void *more, size_t more_bytes, struct vfio_message *answer);

#endif
