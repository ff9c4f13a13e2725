#include "host/server_loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define TOLD_NS UINT64_C(60000000000)

uint64_t server_host_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int server_poll(const volatile sig_atomic_t *stop, struct pollfd *fds, nfds_t count, uint64_t most_ns)
{
    const struct timespec limit = {(time_t)(most_ns / 1000000000u), (long)(most_ns % 1000000000u)};
    sigset_t blocked, before, open;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    open = before;
    sigdelset(&open, SIGUSR1);
    const int ready = *stop ? 0 : ppoll(fds, count, most_ns == UINT64_MAX ? NULL : &limit, &open);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready;
}

void limited_log_report_dropped(struct limited_log *t)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRIu64 " more lines like these", t->dropped_lines);
    if (t->dropped_lines)
        t->message(t->user, text);
    t->dropped_lines = 0;
}

void limited_log_line(struct limited_log *t, const char *text)
{
    const uint64_t now_ns = server_host_ns();
    if (now_ns - t->window_start_ns > TOLD_NS) {
        limited_log_report_dropped(t);
        t->window_start_ns = now_ns;
        t->lines = 0;
    }
    if (t->lines == LIMITED_LOG_LINES) {
        t->dropped_lines++;
        return;
    }
    t->lines++;
    t->message(t->user, text);
}
