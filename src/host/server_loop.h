/* What servers share: waiting that hears the stop signal, and telling what clients cannot make too much. */
#ifndef HOST_SERVER_LOOP_H
#define HOST_SERVER_LOOP_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>

uint64_t server_host_ns(void);
/* ppoll, unless the stop signal came: it is let in only here while nobody looks at the flag. UINT64_MAX: for
 * ever. */
int server_poll(const volatile sig_atomic_t *stop, struct pollfd *fds, nfds_t count, uint64_t most_ns);

/* Clients decide how much is told: so many lines in a minute. */
enum { LIMITED_LOG_LINES = 64 };
struct limited_log {
    void *user;
    void (*message)(void *user, const char *text); /* one line */
    unsigned lines;                                /* lines of late, */
    uint64_t window_start_ns, dropped_lines;       /* when the first of them was, and those too many */
};
void limited_log_line(struct limited_log *t, const char *text);
/* How many were too many. */
void limited_log_report_dropped(struct limited_log *t);

#endif
