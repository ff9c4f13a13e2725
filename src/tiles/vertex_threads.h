/*
 * Threads of a closed draw's vertex shader, one after the other on the draw's host thread, while no other
 * context waits. Between them only vertices differ: constants are read once, and registers that the kernel
 * may have written are restored.
 */
#ifndef TILES_VERTEX_THREADS_H
#define TILES_VERTEX_THREADS_H

#include "pipeline3d/draw_work.h"

struct vertex_threads;
/* NULL: out of memory. */
struct vertex_threads *vertex_threads_create(void);
/* The next thread is the first one of some. */
void vertex_threads_begin(struct vertex_threads *v);
/* Runs the pending vertex shader thread of a closed draw, as the dispatcher does. */
enum stage_thread_result vertex_threads_run(struct vertex_threads *v, struct thread_dispatcher *d,
                                            uint64_t *budget);

#endif
