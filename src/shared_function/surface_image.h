/* A surface state, and the layout of pixels that follows from it. */
#ifndef SHARED_FUNCTION_SURFACE_IMAGE_H
#define SHARED_FUNCTION_SURFACE_IMAGE_H

#include "memory/surface.h"

#include <softgt/formats.h>

struct command;
struct message_info;

enum { PIXEL_BYTES = 16, NO_TAIL = 32 };

/* How the blocks of a surface say that they are cleared: bits, pairs of bits, or, by their address, four bits
 * or bytes. */
enum ccs_kind { CCS_NONE, CCS_BITS_X, CCS_BITS_Y, CCS_PAIRS, CCS_FOURS, CCS_BYTES };

/* The color control surface, and where in it the level begins. */
struct ccs {
    uint64_t base;
    uint32_t pitch_bytes;
    uint32_t qpitch, x, y; /* in pixels of the surface itself */
    uint8_t kind;          /* enum ccs_kind */
};

enum { SURFACE_STATE_DW = 16 };

/* A surface state that was loaded. */
struct surface_state {
    const struct command *row;
    uint32_t dw[SURFACE_STATE_DW];
};

/* A surface with its layout, decoded from its state. */
struct image {
    struct surface_state state;
    const struct message_info *info; /* what the layout depends on */
    struct surface surface;
    const struct softgt_format *format; /* NULL: pixels are not of it */
    uint8_t codec;                      /* enum pixel_codec: of the format */
    /* NULL: no blocks; where there are, they are what counts in memory, and is aligned. */
    const struct softgt_block_format *blocks;
    uint64_t size_bytes;                   /* of a buffer */
    uint32_t width, height, depth;         /* in pixels, of the level */
    uint32_t first_slice, x, y;            /* where the level begins: pixels, or blocks */
    uint32_t qpitch;                       /* rows; of a line: pixels; or blocks */
    uint32_t level, level_0_depth;         /* of a stack: which level it is, slices of level 0 */
    uint32_t tail_start;                   /* the first level of the mip tail, or NO_TAIL */
    bool is_null, is_buffer, is_linear_1d; /* a line: 1D and not tiled, all of it in one row */
    struct ccs ccs;
    bool is_volume_in_rows; /* slices of a level lie in rows, as many in each as the level has */
};

#endif
