/* Threads of the host, on which a device runs groups of compute threads several at once
 * (softgt_parallel_port). They are there between two runs, too, asleep; a run's own thread takes part. */
#ifndef HOST_WORKERS_H
#define HOST_WORKERS_H

#include <softgt/softgt.h>

struct workers;

/* `threads` in all, with the one that runs the device; those that cannot be started are not missed. NULL: no
 * memory. One device, or several that are run one after the other. */
struct workers *workers_create(unsigned threads);
void workers_destroy(struct workers *w); /* NULL: nothing */
/* With NULL: none. */
struct softgt_parallel_port workers_port(struct workers *w);
/* In the child of a fork, where no other thread is: new ones are started. */
void workers_forked(struct workers *w);

#endif
