/*
 * Threads of a closed draw's pixel shader, one after the other on a host thread. Between the threads of a
 * primitive only their subspans and inputs differ: the registers that the kernel may have written are
 * restored, and the rest stays.
 */
#ifndef TILES_PIXEL_THREADS_H
#define TILES_PIXEL_THREADS_H

#include "pipeline3d/draw_work.h"

struct pixel_threads;
/* NULL: out of memory. */
struct pixel_threads *pixel_threads_create(void);
/* A slice of the draw begins, or another primitive. */
void pixel_threads_begin_slice(struct pixel_threads *p, struct thread_dispatcher *d);
void pixel_threads_begin_primitive(struct pixel_threads *p);
/* Starts and runs the thread of the dispatcher's subspans. After a fault of its payload it has not started.
 * If it has not ended, dispatch_run_thread goes on with it, or says why that is not possible. */
enum pixel_threads_result { PIXEL_THREAD_ENDED, PIXEL_THREAD_NOT_STARTED, PIXEL_THREAD_NOT_ENDED };
enum pixel_threads_result pixel_threads_run(struct pixel_threads *p, struct thread_dispatcher *d,
                                            uint64_t *budget);

#endif
