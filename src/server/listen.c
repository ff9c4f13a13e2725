#include "server/listen.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int socket_listen(const char *path, mode_t mode, const gid_t *group)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    /* A socket without a listener is left from an earlier server. */
    struct stat there;
    if (lstat(path, &there) == 0 && S_ISSOCK(there.st_mode) &&
        connect(fd, (struct sockaddr *)&address, sizeof address) < 0 && errno == ECONNREFUSED)
        unlink(path);
    close(fd);
    if (lstat(path, &there) == 0 && !S_ISSOCK(there.st_mode)) {
        errno = EEXIST;
        return -1;
    }
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return -1;
    /* The socket's mode is set before it listens, so that nobody can connect before. */
    const bool is_shared =
        mode & 077; /* otherwise the mask need not change, which threads of the process share */
    const mode_t mask = is_shared ? umask(0) : 0;
    const bool bound = fchmod(listener, mode ? mode : 0600) == 0 &&
                       bind(listener, (struct sockaddr *)&address, sizeof address) == 0;
    if (is_shared)
        umask(mask);
    if (bound && (!group || lchown(path, (uid_t)-1, *group) == 0) && listen(listener, 4) == 0)
        return listener;
    const int error = errno;
    if (bound)
        unlink(path);
    close(listener);
    errno = error;
    return -1;
}
