/* What servers share: a wait that the stop signal ends, and a rate limit for messages about clients. */
#ifndef HOST_SERVER_LOOP_H
#define HOST_SERVER_LOOP_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>

uint64_t server_host_ns(void);
/* ppoll that returns when the stop signal arrives, or SIGUSR1. These are unblocked only here. UINT64_MAX: no
 * timeout. */
int server_poll(const volatile sig_atomic_t *stop, struct pollfd *fds, nfds_t count, uint64_t most_ns);

/* Lines a minute: clients could cause any number. */
enum { LIMITED_LOG_LINES = 64 };
struct limited_log {
    void *user;
    void (*message)(void *user, const char *text); /* one line */
    unsigned lines;                                /* lines since window_start_ns */
    uint64_t window_start_ns, dropped_lines;       /* time of the first of them; lines that were dropped */
};
void limited_log_line(struct limited_log *t, const char *text);
/* Reports the number of dropped lines. */
void limited_log_report_dropped(struct limited_log *t);

#endif
