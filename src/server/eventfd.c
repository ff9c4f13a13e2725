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
    (void)number; /* interrupts a blocking call */
}

void eventfd_prepare(void)
{
    const struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
}

/* O_NONBLOCK is shared with the client, which may clear it. A timer signal then ends the blocking call, and
 * repeats in case it came too early. */
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

/* An eventfd has no file type, accepts no write of 0 bytes and no value of 2^64 - 1. */
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
