#include "server/eventfd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { WAIT_AT_MOST_US = 20000 };

static void on_alarm(int number)
{
    (void)number; /* ends a call that stands */
}

void eventfd_prepare(void)
{
    const struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
}

/* O_NONBLOCK is shared with the client, who may take it away: a signal ends a call that stands for all that,
 * and comes again should it have come a moment too early. */
static ssize_t soon(int fd, uint64_t *value, bool add)
{
    const struct timeval time = {.tv_usec = WAIT_AT_MOST_US};
    setitimer(ITIMER_REAL, &(struct itimerval){time, time}, NULL);
    const ssize_t done = add ? write(fd, value, sizeof *value) : read(fd, value, sizeof *value);
    const int error = errno;
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    errno = error;
    return done;
}

/* What has no type of file, takes nothing for 0 and cannot take 2^64 - 1. */
bool eventfd_accept(int fd)
{
    struct stat file;
    uint64_t nothing = 0, too_much = UINT64_MAX;
    const int flags = fcntl(fd, F_GETFL);
    return fstat(fd, &file) == 0 && !(file.st_mode & S_IFMT) && flags >= 0 &&
           fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && soon(fd, &too_much, true) < 0 && errno == EINVAL &&
           soon(fd, &nothing, true) == sizeof nothing;
}

bool eventfd_add(int fd)
{
    uint64_t one = 1;
    return soon(fd, &one, true) >= 0 || errno != EINTR;
}

bool eventfd_take(int fd)
{
    uint64_t count;
    return soon(fd, &count, false) == sizeof count;
}
