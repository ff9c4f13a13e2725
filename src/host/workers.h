/*
 * Host threads that run thread groups in parallel (softgt_parallel_port). They sleep between runs. The thread
 * that runs the device takes part.
 */
#ifndef HOST_WORKERS_H
#define HOST_WORKERS_H

#include <softgt/softgt.h>

struct workers;

/* `threads` counts the thread that runs the device. Threads that cannot be started are left out. NULL: out of
 * memory. Serves one device, or several that run one after the other. */
struct workers *workers_create(unsigned threads);
/* In two steps: devices can have the port before the threads start. Until then the caller does all work. */
struct workers *workers_prepare(unsigned threads);
void workers_start(struct workers *w);   /* NULL: nothing */
void workers_destroy(struct workers *w); /* NULL: nothing */
/* NULL gives an empty port. */
struct softgt_parallel_port workers_port(struct workers *w);
struct softgt_background_port workers_background_port(void);
/* In the child of a fork, which has one thread: starts new ones. */
void workers_forked(struct workers *w);

#endif
