#include "host/serving.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define TOLD_NS UINT64_C(60000000000)

uint64_t serving_host_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int serving_poll(const volatile sig_atomic_t *stop, struct pollfd *fds, nfds_t count, uint64_t most_ns)
{
    const struct timespec limit = {(time_t)(most_ns / 1000000000u), (long)(most_ns % 1000000000u)};
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    const int ready = *stop ? 0 : ppoll(fds, count, most_ns == UINT64_MAX ? NULL : &limit, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready;
}

void telling_untold(struct telling *t)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRIu64 " more lines like these", t->untold);
    if (t->untold)
        t->message(t->user, text);
    t->untold = 0;
}

void telling_line(struct telling *t, const char *text)
{
    const uint64_t now_ns = serving_host_ns();
    if (now_ns - t->told_ns > TOLD_NS) {
        telling_untold(t);
        t->told_ns = now_ns;
        t->told = 0;
    }
    if (t->told == TOLD_AT_MOST) {
        t->untold++;
        return;
    }
    t->told++;
    t->message(t->user, text);
}
