#ifndef SERVER_LISTEN_H
#define SERVER_LISTEN_H

#include <sys/types.h>

/* A Unix socket with this mode (0: 0600) and group (optional). -1: errno says why. */
int socket_listen(const char *path, mode_t mode, const gid_t *group);

#endif
