/*
 * One client's socket: whole messages with their file descriptors in and out. What comes in is bounded here
 * and nowhere trusted: a message has at least a header and at most MESSAGE_BYTES.
 */
#ifndef FRONTEND_VFIO_USER_CONNECTION_H
#define FRONTEND_VFIO_USER_CONNECTION_H

#include "server/protocol.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { TRANSFER_BYTES = 1 << 20, MESSAGE_BYTES = TRANSFER_BYTES + 4096, MESSAGE_FDS = 16 };

struct vfio_message {
    struct vfio_user_header header;
    uint8_t *payload; /* valid until the next call */
    size_t payload_bytes;
    int fds[MESSAGE_FDS]; /* the receiver's to close; taken ones are set to -1 */
    unsigned fd_count;
};

struct vfio_connection;

/* Takes the socket over; when *stop is set, nothing waits any more. NULL: no memory. */
struct vfio_connection *connection_create(int fd, const volatile sig_atomic_t *stop);
void connection_destroy(struct vfio_connection *c);
/* Others wait meanwhile: who does not take what it is sent is waited for a tenth of a second. */
void connection_hurry(struct vfio_connection *c);
int connection_fd(const struct vfio_connection *c);
/* A message is waiting already, without a look at the socket. */
bool connection_has_message(const struct vfio_connection *c);
/* The beginning of a message is here, its end is not. */
bool connection_halfway(const struct vfio_connection *c);

/* 1: a message; 0: none yet; -1: the client is gone or wrong, and *why says so ("" if it just left). */
int connection_receive(struct vfio_connection *c, struct vfio_message *m, const char **why);
/* Closes what nobody took. */
void message_end(struct vfio_message *m);

/* Answers m: header and payload in two parts, perhaps with a file descriptor (-1: none). False: it cannot be
 * sent, the client should go. */
bool connection_reply(struct vfio_connection *c, const struct vfio_message *m, uint32_t error,
                      const void *payload, size_t payload_bytes, const void *more, size_t more_bytes, int fd);

/* Sends a command of the server's own and waits for its answer, up to a second; what the client sends
 * meanwhile waits, and the message that was received last stays as it is. False: none came, or an error; else
 * the answer's payload, which stays valid until the next call. Who did not answer is not asked again until
 * something comes from it. */
bool connection_ask(struct vfio_connection *c, enum vfio_user_command command, const void *payload,
                    size_t payload_bytes, const void *more, size_t more_bytes, struct vfio_message *answer);

#endif
