/* A function that is paused, as a file of the control socket's client: what the microcontroller knows of it,
 * its configuration space, its entries of the GGTT and its local memory. What its client's memory holds is
 * the client's to keep. */
#ifndef FRONTEND_VFIO_USER_FUNCTION_SAVES_H
#define FRONTEND_VFIO_USER_FUNCTION_SAVES_H

#include "server/function_servers.h"

/* One of its parts, the first 0, into the file or back, and how many there are: each takes a bounded time,
 * and others are served in between. NULL: done. A restore that ends early leaves a function that has
 * forgotten what it did. */
const char *function_save_part(struct vf_servers *f, unsigned n, int fd, bool restores, uint64_t part,
                               uint64_t *parts);

#endif
