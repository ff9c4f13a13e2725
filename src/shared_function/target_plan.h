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
    COMPONENT_FLOAT32
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

/* The shape of a surface for subspans: the address of their first pixel is
 * `base` + tile * tile bytes + column[x / 2] + row[y / 2], or that of a linear surface. */
enum { LAYOUT_COLUMNS = 256, LAYOUT_ROWS = 128 };
struct subspan_layout {
    uint32_t right, down; /* bytes from a pixel to its neighbours in the subspan */
    uint16_t column[LAYOUT_COLUMNS], row[LAYOUT_ROWS];
};

struct target_plan {
    struct surface_state state; /* the key, with output.how */
    struct image blocks;        /* the level that is drawn to */
    struct image image;         /* the same without a control surface: cleared blocks are filled first */
    struct pixel_output output;
    bool has_rows;     /* `format` and `layout` are of the target: rows of pixels can be written */
    uint8_t row_codec; /* enum row_codec: of the format */
    struct row_format format;
    struct subspan_layout layout;
};

/* The pixels of a message, in rows of eight: their colors in the payload, their subspans in the target. */
struct pixel_block {
    const struct target_plan *plan;
    const uint8_t *color[MESSAGE_ROWS][PIXEL_COMPONENTS], *second[MESSAGE_ROWS][PIXEL_COMPONENTS];
    uint8_t *pixels[MESSAGE_SUBSPANS][2]; /* the host's address of the left pixels of both lines */
    uint32_t mask;                        /* of the pixels */
    float constant[PIXEL_COMPONENTS];     /* the blend constant, clamped */
};

/* Functions that are compiled for several levels of vectors; results are the same. */
struct pixel_functions {
    void (*write)(const struct pixel_block *b);
};

#endif
