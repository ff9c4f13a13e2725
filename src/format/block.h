/* Blocks among the files of formats. */
#ifndef FORMAT_BLOCK_H
#define FORMAT_BLOCK_H

#include <stdint.h>

/* A texel of BC7, of 8 bits each; texels count row by row. */
void bc7_decode(const uint8_t block[16], unsigned texel, uint8_t rgba[4]);

#endif
