/*
 * Draws on several host threads. Primitives are set up in order, and gathered into a batch. The tiles of the
 * render target (raster.h) are then shaded in parallel: each tile by one host thread, which goes over the
 * batch in order. So each pixel sees the primitives in their order, whatever the number of threads. A batch
 * is drawn before its slice ends: it is no state.
 */
#ifndef PIPELINE3D_PARALLEL_TILES_H
#define PIPELINE3D_PARALLEL_TILES_H

#include "pipeline3d/draw_work.h"
#include "pipeline3d/raster.h"

/* Whether tiles can be shaded in any order. (closed_draw.c) */
bool draw_is_closed(struct thread_dispatcher *d);

/* Whether the current draw goes on in parallel. */
bool tiles_can_run(struct thread_dispatcher *d);
/* Gathers primitives within the budget, and draws batches that are full. Returns false on a fault, which
 * d->bindings.error_text tells. *ended: no primitive is left. */
bool tiles_advance(struct thread_dispatcher *d, uint64_t *budget, bool *ended);
/* Draws the batch. Returns false on a fault. */
bool tiles_flush(struct thread_dispatcher *d, uint64_t *budget);
void tiles_destroy(struct thread_dispatcher *d);

/* The next thread of the primitive at the cursor. Returns false if there is none. (ps_threads.c) */
bool ps_next_thread(struct thread_dispatcher *d, uint64_t *budget, bool *ended);

#endif
