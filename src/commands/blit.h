/*
 * One blit, told in full: what commands make of their fields and of the setup, and what draws it. Coordinates
 * are pixels of the destination, right and bottom edges excluded. (CSP-07; BDW PRM vol 10)
 */
#ifndef COMMANDS_BLIT_H
#define COMMANDS_BLIT_H

#include "engine/execution.h"
#include "memory/tiling.h"

struct blit_surface {
    uint64_t base;
    int32_t pitch_bytes;
    uint8_t tiling;                  /* enum softgt_tiling */
    bool swizzled;                   /* bit 6 */
    const struct tile_layout *tiles; /* NULL: linear */
};

enum blit_operand { OPERAND_NONE, OPERAND_SOLID, OPERAND_MONO, OPERAND_COLOR };

/* Raster operations whose result is one operand, or none. */
enum { ROP_BLACK = 0x00, ROP_SOURCE = 0xcc, ROP_PATTERN = 0xf0, ROP_WHITE = 0xff };

/* Transparency Range Mode: which pixel is compared, with its alpha or without. */
enum blit_range { RANGE_NONE, RANGE_SOURCE, RANGE_SOURCE_ALPHA, RANGE_DESTINATION, RANGE_DESTINATION_ALPHA };

struct blit {
    const char *name; /* of the command */
    struct blit_surface to, from;
    int32_t x1, y1, x2, y2;  /* what is drawn */
    int32_t from_x, from_y;  /* the source's pixel of x1, y1 */
    uint8_t depth;           /* Color Depth */
    uint8_t bytes;           /* of a pixel */
    uint8_t rop;             /* result bit: rop >> (pattern << 2 | source << 1 | destination) */
    uint8_t source, pattern; /* enum blit_operand */
    uint8_t range;           /* enum blit_range */
    bool source_transparent, pattern_transparent;
    bool right_to_left, bottom_up;
    uint32_t write_mask;              /* of a pixel of 4 bytes */
    uint32_t source_colors[2];        /* of bits 0 and 1 */
    uint32_t pattern_colors[2];       /* the first is a solid pattern's, too: BR16 */
    uint32_t low, high;               /* of the range */
    uint8_t seed_x, seed_y;           /* of the pattern */
    uint8_t pattern_bits[8];          /* rows of a monochrome pattern, leftmost pixel in bit 7 */
    uint64_t pattern_address;         /* of a colour pattern, where there is no `immediate_pattern` */
    uint64_t mono_address;            /* of a monochrome source, where there is no `immediate_source` */
    uint32_t mono_stride, mono_first; /* bits: of a row; of x1, y1 */
    const uint32_t *immediate_source, *immediate_pattern;
    uint32_t immediate_dw;
};

static inline uint64_t blit_address(const struct blit_surface *s, int32_t x, int32_t y)
{
    if (!s->tiles)
        return s->base + (uint64_t)((int64_t)y * s->pitch_bytes + x);
    return s->base + (uint64_t)tile_offset(s->tiles, s->swizzled, s->pitch_bytes, x, y);
}

/* Bytes that lie together and on one page, at most `left`. */
static inline uint32_t blit_run(const struct blit_surface *s, int32_t x, uint64_t address, uint32_t left)
{
    uint32_t run = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
    if (s->tiles) {
        const uint32_t in_tile = tile_run(s->tiles, s->swizzled, (uint32_t)x);
        run = run < in_tile ? run : in_tile;
    }
    return run < left ? run : left;
}

/* Pixels of one colour. */
void blit_fill_pixels(uint8_t *to, uint32_t color, uint32_t bytes_per_pixel, uint32_t size);

/* Whether a blit without masks is a fill or a copy that can go in whole runs of host memory, in any order. */
bool blit_in_runs(const struct blit *b);
/* Its rows from y to y_end; they end early after a fault. */
void blit_runs(struct engine *e, const struct blit *b, int32_t y, int32_t y_end);

/* Draws from row e->blit_row on. AGAIN: there is more to do, that row is where to go on. */
enum outcome blit_draw(struct engine *e, const struct blit *b);

#endif
