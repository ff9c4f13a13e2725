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
/* Finds and runs the threads of the primitive's pixels from the cursor on, and charges the budget for them,
 * each with at most `most`. After a fault, the pixels were not tested, or their thread's payload was not
 * read. A thread that has not ended has `*left` of that: dispatch_run_thread goes on with it, or says why
 * that is not possible. */
enum pixel_threads_result {
    PIXEL_THREADS_ENDED,
    PIXEL_THREADS_NOT_TESTED,
    PIXEL_THREADS_NOT_STARTED,
    PIXEL_THREADS_NOT_ENDED
};
enum pixel_threads_result pixel_threads_run(struct pixel_threads *p, struct thread_dispatcher *d,
                                            uint64_t *budget, uint64_t most, uint64_t *left);
/* Charges the budget for a thread that has ended. */
void pixel_thread_charge(struct draw *w, uint64_t *budget, uint64_t used);

#endif
