/*
 * Where the samples of a pixel are. Depth and stencil buffers interleave them: a subspan of pixels becomes
 * one subspan for each sample, beside and below each other. Other surfaces have an array element for each
 * sample; Gen6 interleaves these, too. (BDW PRM vol 5, Memory Data Formats: Interleaved Multisampled
 * Surfaces)
 */
#ifndef MEMORY_SAMPLES_H
#define MEMORY_SAMPLES_H

#include <stdint.h>

enum { SAMPLES_LOG2 = 4, SAMPLES = 1 << SAMPLES_LOG2 };

/* The place of a pixel's sample among interleaved ones. */
static inline void samples_interleave(unsigned samples_log2, unsigned sample, uint32_t xy[2])
{
    const unsigned across = (samples_log2 + 1u) / 2u, down = samples_log2 / 2u;
    xy[0] = (xy[0] & ~1u) << across | (sample & 4u) | (sample & 1u) << 1 | (xy[0] & 1u);
    xy[1] = (xy[1] & ~1u) << down | (sample & 8u) >> 1 | (sample & 2u) | (xy[1] & 1u);
}

/* The reverse. Returns the sample. */
static inline unsigned samples_separate(unsigned samples_log2, uint32_t xy[2])
{
    const unsigned across = (samples_log2 + 1u) / 2u, down = samples_log2 / 2u;
    const unsigned sample =
        ((xy[0] >> 1 & 1u) | (xy[1] & 2u) | (xy[0] & 4u) | (xy[1] & 4u) << 1) & ((1u << samples_log2) - 1u);
    xy[0] = (xy[0] >> across & ~1u) | (xy[0] & 1u);
    xy[1] = (xy[1] >> down & ~1u) | (xy[1] & 1u);
    return sample;
}

/* The size of a surface that interleaves them, counted in samples. */
static inline uint32_t samples_across(unsigned samples_log2, uint32_t width)
{
    return samples_log2 ? ((width + 1u) & ~1u) << (samples_log2 + 1u) / 2u : width;
}

static inline uint32_t samples_down(unsigned samples_log2, uint32_t height)
{
    return samples_log2 ? ((height + 1u) & ~1u) << samples_log2 / 2u : height;
}

#endif
