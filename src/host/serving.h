/* What servers share: waiting that hears the stop signal, and telling what clients cannot make too much. */
#ifndef FRONTEND_SERVING_H
#define FRONTEND_SERVING_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>

uint64_t serving_host_ns(void);
/* ppoll, unless the stop signal came: it is let in only here while nobody looks at the flag. UINT64_MAX: for
 * ever. */
int serving_poll(const volatile sig_atomic_t *stop, struct pollfd *fds, nfds_t count, uint64_t most_ns);

/* Clients decide how much is told: so many lines in a minute. */
enum { TOLD_AT_MOST = 64 };
struct telling {
    void *user;
    void (*message)(void *user, const char *text); /* one line */
    unsigned told;                                 /* lines of late, */
    uint64_t told_ns, untold;                      /* when the first of them was, and those too many */
};
void telling_line(struct telling *t, const char *text);
/* How many were too many. */
void telling_untold(struct telling *t);

#endif
