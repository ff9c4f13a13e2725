/*
 * Plans of sampler messages: what a message needs to know of its surface and sampler, found by their states.
 * The pixels of a message are filtered by one call (sampler/sampler_rows.c).
 */
#ifndef SHARED_FUNCTION_SAMPLER_PLAN_H
#define SHARED_FUNCTION_SAMPLER_PLAN_H

#include "memory/window.h"
#include "shared_function/surface_image.h"

struct message_context;
struct eu_send;

enum { DIMENSIONS = 3, SAMPLER_STATE_DW = 4 };

enum sampler_operation {
    SAMPLER_UNSUPPORTED,
    SAMPLER_SAMPLE,  /* filtered */
    SAMPLER_GATHER4, /* one component of the 2x2 texels of a linear filter */
    SAMPLER_LD,      /* a texel, by integer coordinates */
    SAMPLER_LD2DMS,  /* a sample of one */
    SAMPLER_LOD,     /* the level that would be sampled */
    SAMPLER_RESINFO, /* and after it: no texel is read */
    SAMPLER_SAMPLEINFO,
    SAMPLER_LD_MCS
};

/* Parameters of messages, as the manual names them. */
enum sampler_parameter {
    P_NONE,
    P_U,
    P_V,
    P_R,
    P_AI, /* array index of a cube */
    P_LOD,
    P_BIAS,
    P_MLOD,
    P_REF,
    P_DUDX,
    P_DVDX,
    P_DRDX,
    P_DUDY,
    P_DVDY,
    P_DRDY,
    P_OFFU,
    P_OFFV,
    P_OFF_R, /* an array index, and texel offsets above it */
    P_SI,    /* sample index */
    P_MCS0,  /* parts of what ld_mcs has returned */
    P_MCS1,
    P_MCS2,
    P_MCS3,
    SAMPLER_PARAMETERS
};

struct sampler_operation_info {
    enum sampler_operation action;
    uint8_t parameters[SAMPLER_PARAMETERS]; /* enum sampler_parameter, in payload order; P_NONE ends them */
    bool level_zero;
    bool gathers_level; /* gather4 of the level that sampling would choose; else of level 0 */
    /* What else the low bits of the LOD or the bias have, in parameters of 32 bits: a cube's array index, or
     * texel offsets of 6 or 4 bits. Offsets may also have a parameter of their own (P_OFFU) or be in P_OFF_R.
     * An array index may be in the least LOD. */
    enum sampler_packing { PACKS_NOTHING, PACKS_AI, PACKS_OFFSETS, PACKS_OFFSETS_4, PACKS_R } packs;
};

struct sampler_cache; /* sampler.c */

/* SAMPLER_STATE, decoded. */
struct sampler_filter {
    uint8_t address_mode[DIMENSIONS];   /* enum address_mode */
    uint8_t min_rounding, mag_rounding; /* a bit for each dimension */
    uint8_t min_filter, mag_filter, mip_filter;
    uint8_t lod_preclamp_mode, shadow_function;
    bool clamps_magnification, non_normalized;
    bool is_seamless; /* what is beyond a side of a cube is the next side; else that side is clamped */
    double min_lod, max_lod, lod_bias; /* min_lod: also the surface's */
    double max_anisotropy;             /* the most samples */
};

/* State common to all channels of a message. */
struct sampler_message {
    struct message_context *b;
    const struct eu_send *m;
    const struct sampler_operation_info *message;
    unsigned channels;           /* 8 or 16 */
    bool has_half_parameters;    /* 16 bits of each channel */
    unsigned dimensions;         /* that are filtered: 1 to 3 */
    int offset[DIMENSIONS];      /* texels */
    struct image image;          /* of level 0 */
    struct softgt_format format; /* of compressed formats: the decoded format */
    struct softgt_block_format blocks;
    uint8_t codec; /* enum pixel_codec: of the format */
    bool raw;      /* integers, which no filter mixes */
    bool cube;
    bool compares;
    bool is_plain;      /* sampler_is_plain: has a plan */
    uint8_t select[4];  /* Shader Channel Select: 0, SELECT_ONE, SELECT_RED and the components after it */
    bool has_one_level; /* whatever the gradients are */
    bool loads_border;
    uint8_t packed;      /* the parameter that two things share (enum sampler_parameter) */
    uint32_t level_mask; /* bits of that LOD or bias that nothing else has */
    enum reduction {
        REDUCTION_STANDARD,
        REDUCTION_COMPARISON,
        REDUCTION_MINIMUM,
        REDUCTION_MAXIMUM
    } reduction;
    uint32_t state[SAMPLER_STATE_DW];
    struct sampler_filter filter;
    union softgt_color border;
    uint8_t parameter_register[SAMPLER_PARAMETERS]; /* of the payload; NO_PARAMETER: zero */
    uint32_t last_level;                            /* of the surface */
    struct sampler_cache *cache;
};
enum { NO_PARAMETER = UINT8_MAX };
enum { UNIT = 256 /* positions and weights are in 256ths of a texel */ };

/* ---- Rows of pixels (sampler/sampler_rows.c) ---- */

enum { SAMPLER_CHANNELS = 16, TILE_PIECES = 5, PLAN_LEVELS = 15 };

/* Bits of a coordinate that move together to an offset in a tile: (coordinate & mask) << shift. */
struct tile_axis {
    uint32_t mask[TILE_PIECES];
    uint8_t shift[TILE_PIECES], pieces;
    uint8_t tile_shift;  /* of the coordinate: to tiles */
    uint32_t tile_bytes; /* from a tile to the next one along this axis */
};

/* How a component of texels is decoded. */
enum texel_decoder {
    TEXEL_MISSING, /* 0, or of alpha 1 */
    TEXEL_UNORM8,
    TEXEL_UNORM,
    TEXEL_SNORM,
    TEXEL_SRGB8,
    TEXEL_FLOAT32,
    TEXEL_FLOAT16, /* also shorter ones, without sign: the same after a shift to the left */
    TEXEL_UINT,
    TEXEL_SINT
};

struct texel_component {
    uint32_t mask;             /* of its bits, after a shift to the right by `first` */
    uint8_t word, first, bits; /* the dword of the texel, and where in it */
    uint8_t decoder;           /* enum texel_decoder */
    uint8_t half_shift;
};

/* A level of a surface whose texels are found and decoded in vectors. */
struct texel_level {
    bool is_known;
    bool is_filled;              /* no block of it is cleared, in the slice in which that was found */
    uint64_t filled_slice;       /* the slice; 0: none */
    uint32_t size[2], origin[2]; /* in texels */
    struct image image;
};

struct texel_layout {
    uint8_t bytes, words;
    bool is_block;          /* bytes are a block's; its components are decoded to floats, a word each */
    uint8_t block_shift[2]; /* of its size in texels */
    struct tile_axis axis[2];
    struct texel_component component[4];
};

struct sampler_rows; /* sampler/sampler.h */
/* LODs in 256ths: the first level and the share of the next one. */
struct chosen_levels {
    int32_t units[SAMPLER_CHANNELS];
    uint32_t mag; /* channels that are magnified */
};
struct sampler_functions {
    /* Filters the pixels of a message, and writes the response. False: a texel cannot be read directly;
     * nothing is done. */
    bool (*sample)(struct sampler_rows *r);
    /* The same of texels without a filter: of ld and gather4. */
    bool (*load)(struct sampler_rows *r);
    /* Chooses the levels of all channels, of filters that take one sample. */
    void (*choose)(const struct sampler_rows *r, struct chosen_levels *c);
};
extern const struct sampler_functions sampler_functions_any;
#if defined(__x86_64__)
extern const struct sampler_functions sampler_functions_v3, sampler_functions_v4;
#endif

/* The plan that the messages with a descriptor have in a draw, with the bytes of local memory that finding it
 * loads. */
struct planned_sampler {
    uint32_t descriptor, payload_registers;
    struct sampler_plan *plan; /* NULL: not known */
    uint64_t made;             /* sampler_plans_made: the plan is still the same */
    uint64_t local_bytes;
};

struct sampler_plan {
    /* The key, with the message's surface and sampler states. */
    uint32_t descriptor, payload_registers;
    bool is_made, has_rows;
    bool has_choice; /* of pixels that sample one level: which one, and how */
    bool linear, mag;
    uint32_t sampled_level;
    struct sampler_message message;
    struct texel_layout layout;
    struct texel_level level[PLAN_LEVELS];
    struct memory_window window; /* from the surface's first texel on */
    uint64_t window_slice;       /* in which it was made: page tables may change between two */
    bool window_ends;            /* it cannot be longer */
};

#endif
