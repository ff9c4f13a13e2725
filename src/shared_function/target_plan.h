/*
 * Plans of render target writes: what a message needs to know of its target, found once by the surface state
 * and the blend state. Eight pixels are converted, blended and stored by one call
 * (output_merger/pixel_rows.c).
 */
#ifndef SHARED_FUNCTION_TARGET_PLAN_H
#define SHARED_FUNCTION_TARGET_PLAN_H

#include "shared_function/surface_image.h"

enum { PIXEL_COMPONENTS = 4, SUBSPAN_PIXELS = 4, ROW_PIXELS = 8, ROW_SUBSPANS = 2 };
enum {
    MESSAGE_ROWS = 2,
    MESSAGE_PIXELS = MESSAGE_ROWS * ROW_PIXELS,
    MESSAGE_SUBSPANS = MESSAGE_PIXELS / SUBSPAN_PIXELS
};

enum blend_factor {
    BLENDFACTOR_ONE = 1,
    BLENDFACTOR_SRC_COLOR,
    BLENDFACTOR_SRC_ALPHA,
    BLENDFACTOR_DST_ALPHA,
    BLENDFACTOR_DST_COLOR,
    BLENDFACTOR_SRC_ALPHA_SATURATE,
    BLENDFACTOR_CONST_COLOR,
    BLENDFACTOR_CONST_ALPHA,
    BLENDFACTOR_SRC1_COLOR,
    BLENDFACTOR_SRC1_ALPHA,
    BLENDFACTOR_INVERSE = 16 /* and above: one less the factor */
};
enum {
    BLENDFUNCTION_ADD,
    BLENDFUNCTION_SUBTRACT,
    BLENDFUNCTION_REVERSE_SUBTRACT,
    BLENDFUNCTION_MIN,
    BLENDFUNCTION_MAX
};

/* How a render target takes pixels. */
struct render_target_blend {
    uint8_t enabled;
    uint8_t write_mask; /* bits: red, green, blue, alpha */
    uint8_t color_function, color_source_factor, color_destination_factor;
    uint8_t alpha_function, alpha_source_factor, alpha_destination_factor;
    uint8_t logic_op;      /* a truth table, source before destination; LOGIC_OP_NONE: none */
    uint8_t clamp_enables; /* bits: what is clamped */
    uint8_t clamp_range;   /* to what */
    uint8_t alpha_to_one;  /* the source's alpha is 1, whatever tests have seen */
};
enum { LOGIC_OP_NONE = 16, WRITE_ALL = 15 };
enum { CLAMP_PRE_BLEND = 1, CLAMP_PRE_BLEND_SOURCE_ONLY = 2, CLAMP_POST_BLEND = 4 };
enum { CLAMP_RANGE_UNORM, CLAMP_RANGE_SNORM, CLAMP_RANGE_FORMAT, CLAMP_RANGES = 4 };

/* How the pixels of a message go to their target. */
struct pixel_output {
    struct render_target_blend how;
    bool has_integers, blends;
    bool clamps[PIXEL_COMPONENTS]; /* to the range of the blend state, or to the format's; not integers */
    float low[PIXEL_COMPONENTS];   /* the range's lower end; the upper one is 1 */
};

enum component_codec {
    COMPONENT_NONE,
    COMPONENT_UNORM, /* of 22 bits at most */
    COMPONENT_SNORM,
    COMPONENT_UINT,
    COMPONENT_SINT,
    COMPONENT_FLOAT16,
    COMPONENT_FLOAT32,
    COMPONENT_UNSIGNED_FLOAT, /* of 10 or 11 bits */
    COMPONENT_SRGB            /* of 8 bits */
};

/* A format whose components lie each in one dword of a pixel of 1, 2, 4, 8 or 16 bytes. */
struct row_format {
    uint8_t bytes;
    struct row_component {
        uint8_t codec;              /* enum component_codec */
        uint8_t dword, first, bits; /* its place */
        bool is_alias;              /* an earlier component has the same bits: this one is not written */
    } component[PIXEL_COMPONENTS];
};

/* Formats that rows have code of their own for. */
enum row_codec { ROW_ANY, ROW_RGBA8_UNORM, ROW_BGRA8_UNORM, ROW_CODECS };

/* A surface of pixels for subspans at even coordinates: tables of where the columns and rows of a tile are.
 */
enum { LAYOUT_COLUMNS = 256, LAYOUT_ROWS = 128 };
struct subspan_surface {
    struct surface surface;
    uint32_t bytes;       /* of a pixel */
    uint8_t column_shift; /* log2 of the bytes of two pixels */
    uint32_t right, down; /* bytes from a pixel to its neighbours in the subspan */
    uint16_t column[LAYOUT_COLUMNS], row[LAYOUT_ROWS]; /* by x / 2 and y / 2 */
};

struct target_plan {
    struct surface_state state; /* the key, with output.how */
    struct image blocks;        /* the level that is drawn to */
    struct image image; /* the same without a control surface: cleared blocks are filled first; of several
                         * samples one of these */
    struct pixel_output output;
    bool has_rows;     /* `format` and `layout` are of the target: rows of pixels can be written */
    uint8_t row_codec; /* enum row_codec: of the format */
    bool has_squares;  /* squares of 4 x 4 pixels lie each in one page */
    bool has_lines;    /* and in 64 bytes: four lines of four dwords */
    bool is_plain;     /* these are of 8-bit UNORM, and nothing but the source's colors is written */
    bool is_over;      /* likewise, blended over what is there by the source's alpha */
    struct row_format format;
    struct subspan_surface pixels;
};

/* The pixels of a message, in rows of eight: their colors in the payload, their subspans in the target. */
struct pixel_block {
    const struct target_plan *plan;
    const uint8_t *color[MESSAGE_ROWS][PIXEL_COMPONENTS], *second[MESSAGE_ROWS][PIXEL_COMPONENTS];
    uint8_t *pixels[MESSAGE_SUBSPANS][2]; /* the host's address of the left pixels of both lines */
    uint8_t *lines;                       /* of a square, if they follow each other in memory; else NULL */
    uint32_t mask;                        /* of the pixels */
    float constant[PIXEL_COMPONENTS];     /* the blend constant, clamped */
};

/* How cleared blocks of a target are filled, where their state is in a control surface (fast_clear.c). */
struct clear_filler {
    bool is_valid;  /* else each block is filled on its own */
    uint8_t *state; /* the page of the control surface that was used last; NULL: none */
    uint64_t page, page_bit;
    uint8_t line[64]; /* the bytes of a cleared line */
};

/* What the messages of a draw to a target share, if they come from the same registers. The TLB has the page,
 * the block of `filled_block` is not cleared. (output_merger/render_target.c) */
struct planned_target {
    const uint8_t *payload[2]; /* the key, with what follows up to `header` */
    uint64_t pages_generation, stores;
    uint32_t descriptor, ex_descriptor, array_index;
    uint32_t header; /* what the message's header says, if it has one */
    bool is_valid;   /* else such messages are not planned */
    bool late, has_mask, is_replicated;
    bool takes_squares; /* messages of whole squares need not be read: they have no header and a color a pixel
                         */
    uint8_t first, color;        /* of the thread's pixels; register of a replicated color */
    uint32_t x, y, slice_offset; /* where the array element begins in the surface, and in a tile */
    uint32_t block_offsets;
    uint64_t filled_block;
    uint64_t page, page_bit;
    uint8_t *host; /* of the page; NULL: there is none */
    struct clear_filler filler;
    uint32_t colors[PIXEL_COMPONENTS][ROW_PIXELS];
    struct pixel_block block;
};

/* Depth and stencil buffers with their tests. */
enum { DEPTH_D32_S8 = 0, DEPTH_D32 = 1, DEPTH_D24_S8 = 2, DEPTH_D24 = 3, DEPTH_D16 = 5 };
enum { D24_MOST = 0xffffff, D16_MOST = 0xffff }; /* the integers that encode a depth of 1 */
struct depth_surface {
    uint64_t base;
    uint32_t pitch_bytes, qpitch_rows;               /* rows from one element to the next */
    uint32_t first_element, elements, width, height; /* of the level */
    uint32_t level_x, level_y;                       /* where the level begins in an element */
    uint8_t tiling;                                  /* enum softgt_tiling */
    bool tiled_w;                                    /* as only stencils are */
    bool present;
    bool interleaved_stencil; /* the stencil byte follows each depth */
    uint8_t reserved[4];
};
/* The row of the surface at which an element's level begins. */
static inline uint32_t depth_element_row(const struct depth_surface *s, uint32_t element)
{
    return (s->first_element + element) * s->qpitch_rows + s->level_y;
}
struct stencil_side {
    uint8_t test_function, fail_op, depth_fail_op, pass_op;
    uint8_t reference, test_mask, write_mask, reserved;
};
struct depth_stencil {
    struct depth_surface depth, stencil;
    struct stencil_side side[2]; /* front, back */
    uint8_t depth_format;
    uint8_t depth_test_function;
    bool depth_test_enable, depth_write_enable, stencil_test_enable, stencil_write_enable;
    bool bounds_test_enable; /* of depths that are there */
    bool enabled;            /* any of them */
    float bounds[2];
};

/* A page of a depth or stencil buffer; it is valid for one pages_generation. */
struct depth_page {
    uint8_t *host; /* NULL: there is none */
    uint64_t page, page_bit, generation;
    bool writes;
};

/* Rows and squares of depths and stencils. */
struct depth_plan {
    struct depth_stencil state; /* the key: its surfaces and format */
    bool is_made, has_rows, has_squares, has_depth_lines;
    struct subspan_surface depth, stencil; /* stencil: also the bytes between depths */
    struct depth_page depth_page, stencil_page;
};

/* A row of a thread: eight depths, two subspans; or a square of 4 x 4 pixels. */
struct depth_row {
    const struct depth_stencil *state;
    const struct stencil_side *side;
    const float *depth;                                                   /* of the pixels */
    const float *range;                                                   /* of the viewport */
    uint8_t *depths[MESSAGE_SUBSPANS][2], *stencils[MESSAGE_SUBSPANS][2]; /* as the pixels of a block */
    uint32_t depth_right, stencil_right; /* bytes from a pixel to the next one */
    bool is_square;
    bool has_depth_lines;            /* of a square, in 64 bytes: four lines of four depths */
    uint32_t has_depth, has_stencil; /* pixels that have one */
    uint32_t may_store_depth, may_store_stencil;
    /* What the tests found. */
    uint32_t depth_passed, stencil_passed, stored_depth, stored_stencil;
};

struct sampler_functions;

/* Functions that are compiled for several levels of vectors; results are the same. */
struct pixel_functions {
    void (*write)(const struct pixel_block *b);
    /* False: a pixel may not be stored; nothing is. */
    bool (*test_depth)(struct depth_row *r);
    const struct sampler_functions *sampler; /* shared_function/sampler_plan.h */
};

#endif
