/*
 * Tiled surfaces: where in a tile a byte lies. A layout says which bits of the offset in a tile come from x
 * (in bytes) and which from y (in rows), in order; tiles follow each other in rows. (REN-27, OVR-12; SKL PRM
 * vol 5; ATS-M PRM vol 5 for Tile4 and Tile64, Mesa's isl for volumes in it)
 */
#ifndef MEMORY_TILING_H
#define MEMORY_TILING_H

#include <softgt/softgt.h>

#include <stdbool.h>
#include <stdint.h>

struct tile_layout {
    uint16_t x_bits, y_bits;
    uint8_t width_shift, height_shift; /* of a tile: bytes, rows */
    uint8_t run_shift;                 /* bytes that lie together */
    uint8_t x_shift, y_shift; /* where both are one piece: of the runs in a row, of the rows; else 0 */
    uint16_t swizzle_from;    /* bits of the offset that flip bit 6 where memory is swizzled */
    uint16_t z_bits;          /* of a volume's: bits that come from the slice; pages hold parts of slices */
    uint8_t depth_shift;      /* slices of a tile */
};

/* NULL for linear ones, and for pixels that the tiling does not have. */
const struct tile_layout *tile_layout(enum softgt_tiling tiling, unsigned bytes_per_pixel);
/* Of Tile64 where the surface is a volume. */
const struct tile_layout *tile_volume_layout(unsigned bytes_per_pixel);
/* Of Tile64 where each sample of a pixel has an array element: a tile holds two or four of these, as slices,
 * or all. (Mesa, isl: ISL_TILING_64, ISL_TILING_64_XE2) */
const struct tile_layout *tile_samples_layout(unsigned bytes_per_pixel, unsigned samples_log2,
                                              bool has_all_samples);

/* The mip tail of Tile64: small levels share one tile. Where in it a level begins, in pixels and slices;
 * `level` counts from the tail's first one on. NULL: there is no such level. (ATS-M PRM vol 5, Mip Tails;
 * Mesa's isl) */
struct mip_tail_offset {
    uint8_t x, y, z;
};
const struct mip_tail_offset *tile_mip_tail_offset(const struct tile_layout *t, unsigned level,
                                                   unsigned bytes_per_pixel);

/* The tiling of stencil buffers up to Gen12. (SKL PRM vol 5, W-Major Tile Format) */
const struct tile_layout *tile_w_layout(void);

/* The bits of `value`, lowest first, at the places that are set in `mask`. */
static inline uint32_t tile_deposit(uint32_t value, uint32_t mask)
{
    uint32_t result = 0;
    for (; mask; mask &= mask - 1u, value >>= 1)
        if (value & 1u)
            result |= mask & -mask;
    return result;
}

/* Offset in its tile, x and y counted from the tile's start. */
static inline uint32_t tile_inner(const struct tile_layout *t, bool swizzled, uint32_t x, uint32_t y)
{
    const uint32_t run = (1u << t->run_shift) - 1u;
    uint32_t offset;
    if (t->y_shift)
        offset = (x & run) | x >> t->run_shift << t->x_shift | y << t->y_shift;
    else
        offset = tile_deposit(x, t->x_bits) | tile_deposit(y, t->y_bits);
    return swizzled ? offset ^ (uint32_t)__builtin_parity(offset & t->swizzle_from) << 6 : offset;
}

static inline unsigned tile_bytes(const struct tile_layout *t)
{
    return 1u << (t->width_shift + t->height_shift + t->depth_shift);
}

/* How many bytes lie together from `x` (bytes) on. */
static inline uint32_t tile_run(const struct tile_layout *t, bool swizzled, uint32_t x)
{
    const uint32_t run = swizzled && t->run_shift > 6 ? 64u : 1u << t->run_shift;
    return run - (x & (run - 1u));
}

/* Offset of byte x of row y from the start of the surface. Coordinates before it count down. */
static inline int64_t tile_offset(const struct tile_layout *t, bool swizzled, int32_t pitch_bytes, int32_t x,
                                  int32_t y)
{
    const int64_t tiles_across = pitch_bytes >> t->width_shift;
    const int64_t tile = (y >> t->height_shift) * tiles_across + (x >> t->width_shift);
    const uint32_t in_x = (uint32_t)x & ((1u << t->width_shift) - 1u);
    const uint32_t in_y = (uint32_t)y & ((1u << t->height_shift) - 1u);
    return tile * (int64_t)tile_bytes(t) + tile_inner(t, swizzled, in_x, in_y);
}

#endif
