/*
 * Draws in tiles, on one or several host threads. Primitives are set up in order, and gathered into a batch.
 * The tiles of the render target (raster.h) are then shaded in parallel: each tile by one host thread, which
 * goes over the batch in order. So each pixel sees the primitives in their order, whatever the number of
 * threads. A batch is drawn before its slice ends: it is no state.
 */
#ifndef PIPELINE3D_PARALLEL_TILES_H
#define PIPELINE3D_PARALLEL_TILES_H

#include "pipeline3d/draw_work.h"
#include "raster/raster.h"

/* Whether tiles can be shaded in any order. (closed_draw.c) */
bool draw_is_closed(struct thread_dispatcher *d);
void closed_caches_destroy(struct closed_caches *c);

extern const struct draw_parallel_ops parallel_tiles_ops;

#endif
