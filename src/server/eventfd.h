/*
 * Eventfds that a client gave: the only descriptors that are written to or read as interrupts, and never
 * waited for. A client keeps its end, and may make it block or fill it at any time.
 */
#ifndef FRONTEND_VFIO_USER_EVENTFD_H
#define FRONTEND_VFIO_USER_EVENTFD_H

#include <stdbool.h>

/* Once, before the others: catches SIGALRM. */
void eventfd_prepare(void);
/* Whether it is one; it does not block from now on. */
bool eventfd_accept(int fd);
/* One more; nothing if it is full, a signal is waiting already. False: it blocks, full, and will again. */
bool eventfd_add(int fd);
/* Takes what was added; false: nothing was. */
bool eventfd_take(int fd);

#endif
