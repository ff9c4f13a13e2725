/* The mips of a surface: their sizes, and where they lie beside each other. */
#ifndef MEMORY_MIP_H
#define MEMORY_MIP_H

#include <stdint.h>

static inline uint32_t mip_align(uint32_t size, uint32_t to)
{
    return (size + to - 1u) / to * to;
}

static inline uint32_t minify(uint32_t size, uint32_t level)
{
    const uint32_t small = level < 32 ? size >> level : 0;
    return small ? small : 1;
}

struct mip_position {
    uint32_t x, y;
};

/* Level 1 is below level 0, the smaller levels below each other to its right. Sizes are level 0's; each level
 * is aligned to `across` and `down`. (SKL PRM vol 5, 2D Surfaces) */
static inline struct mip_position mip_position(uint32_t width, uint32_t height, uint32_t level,
                                               uint32_t across, uint32_t down)
{
    struct mip_position p = {0, 0};
    for (uint32_t at = 0; at < level; at++) {
        if (at == 1)
            p.x += mip_align(minify(width, 1), across);
        else
            p.y += mip_align(minify(height, at), down);
    }
    return p;
}

/* The rows of an array element that has all levels, where surface states have no QPitch, by those of its
 * first two levels. (IVB PRM vol 1 part 1, Surface Arrays) */
static inline uint32_t mip_array_pitch(const uint32_t rows[2], uint32_t down, uint32_t spacing)
{
    return mip_align(rows[0], down) + mip_align(rows[1], down) + spacing * down;
}

#endif
