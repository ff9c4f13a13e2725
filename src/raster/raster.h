/*
 * The order of pixels. The render target is divided into tiles of 64 x 64 pixels, and these into blocks of
 * 8 x 8. The rasterizer goes over a primitive's tiles row by row, over a tile's blocks row by row, and over a
 * block's pixels in Morton order: their number interleaves the bits of x and y. Four pixels are a subspan.
 */
#ifndef RASTER_RASTER_H
#define RASTER_RASTER_H

#include "geometry/draw.h"

enum { RASTER_TILE = 64, RASTER_BLOCK = 8, BLOCK_SUBSPANS = RASTER_BLOCK * RASTER_BLOCK / SUBSPAN_PIXELS };

/* The position of a pixel in its block, by its number. */
static inline unsigned raster_pixel_x(unsigned pixel)
{
    return (pixel & 1u) | (pixel >> 1 & 2u) | (pixel >> 2 & 4u);
}

static inline unsigned raster_pixel_y(unsigned pixel)
{
    return raster_pixel_x(pixel >> 1);
}

/* Positions are in 1/256 of a pixel: that of a pixel's location on an axis. */
enum { SUBPIXELS = 256, SUBPIXEL_BITS = 8 };
static inline int64_t raster_location(const struct draw *d, int32_t pixel)
{
    return (int64_t)pixel * SUBPIXELS + (d->state.raster.pixel_location_upper_left ? 0 : SUBPIXELS / 2);
}

/* The number of a subspan in its block, by the position of its first pixel. */
static inline unsigned raster_subspan_index(const int32_t xy[2])
{
    const uint32_t x = (uint32_t)xy[0] >> 1 & 3u, y = (uint32_t)xy[1] >> 1 & 3u;
    return (x & 1u) | (y & 1u) << 1 | (x & 2u) << 1 | (y & 2u) << 2;
}

/* Returns false if no pixel of the tile at x, y is covered; *crossing_edges: a bit for each edge that may be
 * inside the tile. */
bool raster_classify_tile(const struct draw *d, int32_t x, int32_t y, uint32_t *crossing_edges);
/* The covered pixels of the block at x, y, a bit for each in Morton order. Edges without a bit in
 * crossing_edges are taken to cover the whole block. */
uint64_t raster_block_coverage(const struct draw *d, int32_t x, int32_t y, uint32_t crossing_edges);
/* Whether a thin line has the pixel at x, y, in 1/256 of a pixel. */
bool raster_line_covers(const struct draw *d, int64_t x, int64_t y);
/* The pixels of the block that the primitive's stipple keeps, in Morton order. (stipple.c) */
uint64_t raster_stipple_mask(const struct draw *d, const int32_t block[2]);
/* The covered pixels whose coverage by a smooth point is not 0. (antialiasing.c) */
uint64_t smooth_point_pixels(const struct draw *d, const int32_t block[2], uint64_t covered);
/* The same at another place in each pixel: that of the first one, in 1/256 of a pixel. */
struct block_position {
    int32_t x, y;
    int64_t at_x, at_y;
};
uint64_t raster_block_coverage_at(const struct draw *d, const struct block_position *at,
                                  uint32_t crossing_edges);

/* Moves the cursor to the next block of the primitive. Returns whether that is in the same tile. (wm.c) */
bool raster_next_block(struct draw *d);

/* ---- Several samples (samples.c) ---- */

/* The covered pixels of a block; those of each sample are in block_samples. */
uint64_t samples_block_coverage(struct draw *d, int32_t x, int32_t y, uint32_t crossing_edges);
/* Leaves out the samples of a block's other pixels. */
void samples_keep_pixels(struct draw *d, uint64_t pixels);
/* The events of samples in a block that the state's mask leaves out. */
void samples_trace_masked(const struct draw *d, const struct message_context *b, const int32_t xy[2],
                          uint32_t crossing_edges);
/* Tests the next samples of the cursor's block, and gives those that pass to the thread; the cursor moves
 * behind them. `ahead`: the covered pixels from the cursor on. `full`: the thread's slots do not suffice.
 * False: a fault. */
bool samples_gather(struct draw *d, struct message_context *b, uint64_t ahead, unsigned count,
                    uint64_t *budget, bool *full);
/* The place of a sample, from 0 to 1. */
void samples_place(const struct draw *d, unsigned sample, double *right, double *down);
/* Depths of subspans, each at a sample's place. */
void samples_depths(const struct draw *d, const uint32_t (*xy)[2], const uint8_t *sample, unsigned subspans,
                    float *depth);
/* The depths of a thread's pixels at each sample, where they are tested late. */
void samples_late_depths(struct draw *d, unsigned subspans);

/* ---- Coarse pixels (coarse.c) ---- */

void coarse_begin_thread(struct draw *d);
/* Tests the next subspan of coarse pixels in the cursor's block, and gives it to the thread, if a pixel
 * passes; the cursor moves behind it. False: a fault. */
bool coarse_gather(struct draw *d, struct message_context *b, uint64_t *budget);

#endif
