/* Blocks among the files of formats. */
#ifndef FORMAT_BLOCK_H
#define FORMAT_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A texel of BC7, of 8 bits each; texels count row by row. */
void bc7_decode(const uint8_t block[16], unsigned texel, uint8_t rgba[4]);
/* Of FXT1, whose blocks are 8 by 4. */
void fxt1_decode(const uint8_t block[16], unsigned x, unsigned y, uint8_t rgba[4]);
/* Of BC6H: half floats. */
void bc6h_decode(const uint8_t block[16], unsigned texel, bool is_signed, uint16_t rgb[3]);

/* A texel of ASTC: where it is in its block of so many texels. hdr: high dynamic range is decoded, too; srgb:
 * of the result only the upper 8 bits count. */
struct astc_texel {
    uint8_t width, height, x, y;
    bool hdr, srgb;
};
/* What the components are: 16-bit UNORM, or half floats. (astc.c) */
enum astc_result { ASTC_UNORM16, ASTC_HALVES };
enum astc_result astc_decode(const uint8_t block[16], const struct astc_texel *at, uint16_t rgba[4]);
/* A UNORM component as the half float that the sampler makes of it. */
uint16_t astc_half(uint16_t unorm);

/* ---- Shared by BC6H and BC7 (bc7.c) ---- */

/* Up to 32 bits; the lowest come first. */
uint32_t block_bits(const uint8_t *block, unsigned at, unsigned count);
/* Which of two subsets a texel is of. */
unsigned block_subset(uint32_t partition, unsigned texel);
/* A texel's index, of those that begin at a bit. */
uint32_t block_index(const uint8_t *block, unsigned at, unsigned bits, unsigned subsets, uint32_t partition,
                     unsigned texel);
/* Between two ends, by an index of so many bits. */
int block_between(int from, int to, uint32_t index, unsigned bits);

#endif
