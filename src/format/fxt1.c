/*
 * FXT1: blocks of 8 by 4 texels in one of four modes. Texels 0 to 15 are the left half, row by row, texels 16
 * to 31 the right one; each selects a color of a table. (SNB PRM vol 1 part 1, FXT Texture Formats)
 */
#include "block.h"

#include <string.h>

enum {
    RED,
    GREEN,
    BLUE,
    ALPHA,
    COMPONENTS,
    OPAQUE = 255,
    HALF_TEXELS = 16,
    FIRST_COLOR = 64,
    COLOR_BITS = 15
};

static uint8_t expand_5(uint32_t bits)
{
    return (uint8_t)(bits << 3 | bits >> 2);
}

static uint8_t expand_6(uint32_t bits)
{
    return (uint8_t)(bits << 2 | bits >> 4);
}

/* The color whose blue begins at a bit; green and red follow. */
static void color_at(const uint8_t *block, unsigned at, uint8_t rgba[COMPONENTS])
{
    for (unsigned i = 0; i < 3; i++)
        rgba[BLUE - i] = expand_5(block_bits(block, at + 5 * i, 5));
    rgba[ALPHA] = OPAQUE;
}

/* (weight * a + (parts - weight) * b) / parts, rounded by half of the parts. */
static void mix(const uint8_t a[COMPONENTS], const uint8_t b[COMPONENTS], unsigned weight, unsigned parts,
                unsigned rounding, uint8_t rgba[COMPONENTS])
{
    for (unsigned i = 0; i < COMPONENTS; i++)
        rgba[i] = (uint8_t)((weight * a[i] + (parts - weight) * b[i] + rounding) / parts);
}

/* Seven colors between two, and transparent black. */
static void decode_hi(const uint8_t *block, unsigned texel, uint8_t rgba[COMPONENTS])
{
    enum { COLOR_0 = 96, COLOR_1 = 111, PARTS = 6, BLACK = 7 };
    const unsigned select = block_bits(block, 3 * texel, 3);
    uint8_t ends[2][COMPONENTS];
    if (select == BLACK)
        return;
    color_at(block, COLOR_0, ends[0]);
    color_at(block, COLOR_1, ends[1]);
    mix(ends[0], ends[1], PARTS - select, PARTS, PARTS / 2, rgba);
}

static void decode_chroma(const uint8_t *block, unsigned texel, uint8_t rgba[COMPONENTS])
{
    color_at(block, FIRST_COLOR + COLOR_BITS * block_bits(block, 2 * texel, 2), rgba);
}

/* Three colors with alpha: a table of them and transparent black; or each half has those between color 1 and
 * one of the others. */
static void decode_alpha(const uint8_t *block, unsigned texel, uint8_t rgba[COMPONENTS])
{
    enum { ALPHAS = 109, LERP = 124, PARTS = 3, BLACK = 3 };
    const unsigned select = block_bits(block, 2 * texel, 2);
    uint8_t colors[PARTS][COMPONENTS];
    for (unsigned i = 0; i < PARTS; i++) {
        color_at(block, FIRST_COLOR + COLOR_BITS * i, colors[i]);
        colors[i][ALPHA] = expand_5(block_bits(block, ALPHAS + 5 * i, 5));
    }
    if (block_bits(block, LERP, 1))
        mix(colors[texel < HALF_TEXELS ? 0 : 2], colors[1], PARTS - select, PARTS, 1, rgba);
    else if (select != BLACK)
        memcpy(rgba, colors[select], COMPONENTS);
}

/* Each half has two colors, and what is between them; or of three colors and transparent black. The second
 * colors' green has its lowest bit elsewhere; that of the first ones follows from a texel. */
static void decode_mixed(const uint8_t *block, unsigned texel, uint8_t rgba[COMPONENTS])
{
    enum { ALPHA_AT = 124, GREENS = 125, PARTS = 3, BLACK = 3 };
    const unsigned select = block_bits(block, 2 * texel, 2), half = texel / HALF_TEXELS;
    const unsigned first = FIRST_COLOR + 2 * COLOR_BITS * half, second = first + COLOR_BITS;
    const bool has_alpha = block_bits(block, ALPHA_AT, 1);
    const uint32_t low = block_bits(block, GREENS + half, 1), texel_bit = block_bits(block, 1 + 32 * half, 1);
    uint8_t ends[2][COMPONENTS];
    color_at(block, first, ends[0]);
    color_at(block, second, ends[1]);
    ends[1][GREEN] = expand_6(block_bits(block, second + 5, 5) << 1 | low);
    if (!has_alpha) {
        ends[0][GREEN] = expand_6(block_bits(block, first + 5, 5) << 1 | (low ^ texel_bit));
        mix(ends[0], ends[1], PARTS - select, PARTS, 1, rgba);
    } else if (select != BLACK) {
        mix(ends[0], ends[1], 2 - select, 2, 0, rgba);
    }
}

void fxt1_decode(const uint8_t block[16], unsigned x, unsigned y, uint8_t rgba[4])
{
    enum { MODE_AT = 125, HALF_WIDTH = 4, ALPHA_MODE = 3 };
    const unsigned texel = (x / HALF_WIDTH & 1u) * HALF_TEXELS + y % 4u * HALF_WIDTH + x % HALF_WIDTH,
                   mode = block_bits(block, MODE_AT, 3);
    memset(rgba, 0, COMPONENTS);
    if (mode & 4u)
        decode_mixed(block, texel, rgba);
    else if (!(mode & 2u))
        decode_hi(block, texel, rgba);
    else if (mode == ALPHA_MODE)
        decode_alpha(block, texel, rgba);
    else
        decode_chroma(block, texel, rgba);
}
