/*
 * The order of pixels. The render target is divided into tiles of 64 x 64 pixels, and these into blocks of
 * 8 x 8. The rasterizer goes over a primitive's tiles row by row, over a tile's blocks row by row, and over a
 * block's pixels in Morton order: their number interleaves the bits of x and y. Four pixels are a subspan.
 */
#ifndef PIPELINE3D_RASTER_H
#define PIPELINE3D_RASTER_H

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

#endif
