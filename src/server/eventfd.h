/*
 * Eventfds of a client: only these descriptors are written or read for interrupts, and never blocking. The
 * client keeps its end and may make it blocking or fill it at any time.
 */
#ifndef SERVER_EVENTFD_H
#define SERVER_EVENTFD_H

#include <stdbool.h>

/* Call it once, first: handles SIGALRM. */
void eventfd_prepare(void);
/* Checks that it is an eventfd, and makes it non-blocking. */
bool eventfd_accept(int fd);
/* Adds one; a full eventfd is left, as a signal is pending. False: it is full and blocks. */
bool eventfd_add(int fd);
/* Reads the count; false: it was zero. */
bool eventfd_take(int fd);

#endif
