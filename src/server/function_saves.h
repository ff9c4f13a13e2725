/* A paused function, saved to a file of the control socket's client: the GuC's state, configuration space,
 * GGTT entries and local memory. The memory of its guest is not included. */
#ifndef SERVER_FUNCTION_SAVES_H
#define SERVER_FUNCTION_SAVES_H

#include "server/function_servers.h"

/* Saves or restores one part, from 0 on; *parts is their number. Each takes a bounded time, and others are
 * served between them. NULL: done. An unfinished restore leaves a function with a cleared state. */
const char *function_save_part(struct vf_servers *f, unsigned n, int fd, bool restores, uint64_t part,
                               uint64_t *parts);

#endif
