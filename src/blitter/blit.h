/*
 * A blit: commands fill it in from their fields and from the setup commands, and blit_draw draws it.
 * Coordinates are pixels of the destination, without the right and bottom edges. (CSP-07; BDW PRM vol 10)
 */
#ifndef BLITTER_BLIT_H
#define BLITTER_BLIT_H

#include "engine/execution.h"
#include "memory/flat_ccs.h"
#include "stream/command.h"

enum blit_operand { OPERAND_NONE, OPERAND_SOLID, OPERAND_MONO, OPERAND_COLOR };

/* Raster operations with one operand as their result, or none. */
enum { ROP_BLACK = 0x00, ROP_SOURCE = 0xcc, ROP_PATTERN = 0xf0, ROP_WHITE = 0xff };

/* Transparency Range Mode: the pixel that is compared, with its alpha or without. */
enum blit_range_mode {
    RANGE_NONE,
    RANGE_SOURCE,
    RANGE_SOURCE_ALPHA,
    RANGE_DESTINATION,
    RANGE_DESTINATION_ALPHA
};

/* How a transparency range selects the pixels to skip: color in the range, or outside it. */
struct blit_range {
    uint8_t mode; /* enum blit_range_mode */
    uint32_t low, high;
};

struct blit_source {
    uint8_t operand;                           /* enum blit_operand */
    bool transparent;                          /* of a monochrome one: bits of 0 draw nothing */
    uint32_t colors[2];                        /* of bits 0 and 1 */
    uint64_t mono_address;                     /* of a monochrome one, without `immediate` */
    uint32_t mono_stride_bits, mono_first_bit; /* of a row; of x1, y1 */
    const uint32_t *immediate;
};

struct blit_pattern {
    uint8_t operand; /* enum blit_operand */
    bool transparent;
    uint8_t seed_x, seed_y;
    uint8_t bits[8];    /* rows of a monochrome pattern, leftmost pixel in bit 7 */
    uint32_t colors[4]; /* of bits 0 and 1; the first is a solid pattern's, too: BR16; of wide pixels all */
    uint64_t address;   /* of a color pattern, without `immediate` */
    const uint32_t *immediate;
};

struct blit {
    const char *name; /* of the command */
    struct surface to, from;
    int32_t x1, y1, x2, y2; /* what is drawn */
    int32_t from_x, from_y; /* the source's pixel of x1, y1 */
    uint8_t depth;          /* Color Depth */
    uint8_t bytes;          /* of a pixel */
    uint8_t rop;            /* result bit: rop >> (pattern << 2 | source << 1 | destination) */
    struct blit_source source;
    struct blit_pattern pattern;
    struct blit_range range;
    bool right_to_left, bottom_up;
    bool to_compressed, from_compressed; /* memory/flat_ccs.h */
    bool resolves;                       /* what is drawn is not compressed any more */
    uint32_t write_mask;                 /* of a pixel of 4 bytes */
    uint32_t immediate_dw;               /* of the immediate operand */
};

extern const struct command_table blit_commands, blit_block_commands;

/* Pitches of tiled surfaces are in dwords; tiles lie on pages. */
struct surface blit_surface(const struct engine *e, uint64_t base, int32_t pitch, enum softgt_tiling tiling,
                            unsigned bytes);

/* How much of a blit is drawn: whole rows, and pixels of the next, in the order in which they are drawn; or
 * of the band of rows that follows. */
struct blit_progress {
    uint32_t row, column;
    bool in_band;
};

/* Draws on from what an earlier part of the command left. OUTCOME_RESUME: there is more to do. */
enum outcome blit_draw(struct execution *x, const struct blit *b);

enum { BLIT_WALK_NS = 80 };

/* Whether only some bits of a pixel, or some pixels, are written. */
bool blit_masks(const struct blit *b);
/* Of what is drawn, its compression state. */
static inline void blit_mark(struct engine *e, const struct blit *b, const struct rectangle *drawn)
{
    if (b->to_compressed || b->resolves)
        ccs_mark(&e->mmu, &b->to, drawn, b->to_compressed);
}

/* A surface that is resolved into its own memory may get another tiling there: all of it is read before
 * anything is written. False: it is too large for that. */
bool blit_resolve(struct engine *e, const struct blit *b);
/* Row by row, any operation, from `*p` on for about `limit_ns`. */
void blit_rows(struct engine *e, const struct blit *b, struct blit_progress *p, uint64_t limit_ns);

#endif
