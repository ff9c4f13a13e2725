/* A surface state, and the layout of pixels that follows from it. */
#ifndef SHARED_FUNCTION_SURFACE_IMAGE_H
#define SHARED_FUNCTION_SURFACE_IMAGE_H

#include "memory/surface.h"

#include <softgt/formats.h>

struct command;
struct message_info;

enum { PIXEL_BYTES = 16, NO_TAIL = 32 };

/* The state of a block in a control surface: one or two bits; or, by the block's address, four bits or a
 * byte. */
enum ccs_kind { CCS_NONE, CCS_BITS_X, CCS_BITS_Y, CCS_PAIRS, CCS_FOURS, CCS_BYTES };

/* The color control surface, and where in it the level begins. */
struct ccs {
    uint64_t base;
    uint32_t pitch_bytes;
    uint32_t qpitch, x, y; /* in pixels of the surface itself */
    uint8_t kind;          /* enum ccs_kind */
};

/* The multisample control surface (MCS): for each pixel, the array elements that hold its samples. */
struct mcs {
    uint64_t base;
    uint32_t pitch_bytes, qpitch;
    bool is_present;
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
    const struct message_info *info; /* facts of the product that the layout depends on */
    struct surface surface;
    const struct softgt_format *format; /* NULL: the format has blocks, or is not known */
    uint8_t codec;                      /* enum pixel_codec: of the format */
    /* NULL: pixels. With blocks, x, y, qpitch and alignments count blocks. */
    const struct softgt_block_format *blocks;
    uint64_t size_bytes;                   /* of a buffer */
    uint32_t width, height, depth;         /* in pixels, of the level */
    uint32_t first_slice, x, y;            /* where the level begins: pixels, or blocks */
    uint32_t qpitch;                       /* rows; of a line: pixels; or blocks */
    uint32_t level, level_0_depth;         /* for volumes in rows: this level, slices of level 0 */
    uint32_t tail_start;                   /* the first level of the mip tail, or NO_TAIL */
    bool is_null, is_buffer, is_linear_1d; /* linear 1D: all levels in one row */
    bool is_array;
    uint8_t samples_log2;
    bool interleaves_samples; /* else each has an array element */
    bool is_sample_grid;      /* four samples of a pixel are two by two pixels: as Gen6's filters see them */
    struct mcs mcs;
    struct ccs ccs;
    bool is_volume_in_rows; /* a volume up to Gen8: a row of slices for each 2^level */
};

#endif
