/* Shared by the sampler's files: a decoded message, and texel functions. */
#ifndef SHARED_FUNCTION_SAMPLER_H
#define SHARED_FUNCTION_SAMPLER_H

#include "shared_function/image.h"

#include <math.h>

enum { DIMENSIONS = 3, STATE_DW = 4 };

enum sampler_operation {
    SAMPLER_UNSUPPORTED,
    SAMPLER_SAMPLE,  /* filtered */
    SAMPLER_GATHER4, /* one component of the 2x2 texels of a linear filter */
    SAMPLER_LD,      /* a texel, by integer coordinates */
    SAMPLER_RESINFO,
    SAMPLER_SAMPLEINFO
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
    PARAMETERS
};

struct sampler_operation_info {
    enum sampler_operation action;
    uint8_t parameters[PARAMETERS]; /* enum sampler_parameter, in payload order; P_NONE ends them */
    bool level_zero;
};

struct sampler_cache; /* sampler.c */

/* SAMPLER_STATE, decoded. */
struct sampler_filter {
    uint8_t address_mode[DIMENSIONS];   /* enum address_mode */
    uint8_t min_rounding, mag_rounding; /* a bit for each dimension */
    uint8_t min_filter, mag_filter, mip_filter;
    uint8_t lod_preclamp_mode, shadow_function;
    bool clamps_magnification, non_normalized;
    double min_lod, max_lod, lod_bias; /* min_lod: also the surface's */
    double max_anisotropy;             /* the most samples */
};

/* State common to all channels of a message. */
struct sampler_message {
    struct message_context *b;
    const struct eu_send *m;
    const struct sampler_operation_info *message;
    unsigned channels;           /* 8 or 16 */
    unsigned dimensions;         /* that are filtered: 1 to 3 */
    int offset[DIMENSIONS];      /* texels */
    struct image image;          /* of level 0 */
    struct softgt_format format; /* of compressed formats: the decoded format */
    struct softgt_block_format blocks;
    uint8_t codec; /* enum pixel_codec: of the format */
    bool raw;      /* integers, which no filter mixes */
    bool cube;
    bool compares;
    bool is_plain; /* sampler_is_plain */
    enum reduction {
        REDUCTION_STANDARD,
        REDUCTION_COMPARISON,
        REDUCTION_MINIMUM,
        REDUCTION_MAXIMUM
    } reduction;
    uint32_t state[STATE_DW];
    struct sampler_filter filter;
    union softgt_color border;
    uint8_t parameter_register[PARAMETERS]; /* of the payload; NO_PARAMETER: zero */
    uint32_t last_level;                    /* of the surface */
    struct sampler_cache *cache;
};
enum { NO_PARAMETER = UINT8_MAX };
enum { UNIT = 256 /* positions and weights are in 256ths of a texel */ };

static inline bool has_parameter(const struct sampler_message *s, enum sampler_parameter which)
{
    return s->parameter_register[which] != NO_PARAMETER;
}

/* A parameter of a channel; 0: the message does not have it. */
static inline uint32_t sampler_parameter(const struct sampler_message *s, enum sampler_parameter which,
                                         unsigned channel)
{
    return has_parameter(s, which) ? payload_channel(s->m, s->parameter_register[which], channel) : 0;
}

static inline double sampler_float_parameter(const struct sampler_message *s, enum sampler_parameter which,
                                             unsigned channel)
{
    const uint32_t bits = sampler_parameter(s, which, channel);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* A position or LOD. NaN is 0, and large values are limited, so that 256ths fit. */
static inline double sampler_position_parameter(const struct sampler_message *s, enum sampler_parameter which,
                                                unsigned channel)
{
    enum { MOST = 1 << 30 };
    const double value = sampler_float_parameter(s, which, channel);
    return isnan(value) ? 0 : value > MOST ? MOST : value < -MOST ? -MOST : value;
}

static inline uint32_t sampler_field(const struct sampler_message *s, unsigned role)
{
    return (uint32_t)field_read(&s->b->structures.sampler_state->places[role], s->state, STATE_DW);
}

/* ---- Plain sampling (plain_sampler.c): by the same rules as sampler.c ---- */

/* Whether the message samples a surface of two dimensions with one slice: no cube, comparison, integers or
 * offsets in parameters. */
bool sampler_is_plain(const struct sampler_message *s);
/* Adds the weighted texels of a level at a channel's position. */
void plain_level(const struct sampler_message *s, const struct image *level, unsigned channel, double share,
                 bool linear, bool mag, double sum[4]);

/* ---- Texels (texel.c) ---- */

enum address_mode {
    TEXCOORDMODE_WRAP,
    TEXCOORDMODE_MIRROR,
    TEXCOORDMODE_CLAMP,
    TEXCOORDMODE_CUBE,
    TEXCOORDMODE_CLAMP_BORDER,
    TEXCOORDMODE_MIRROR_ONCE,
    TEXCOORDMODE_HALF_BORDER,
    TEXCOORDMODE_MIRROR_101
};

static inline enum address_mode address_mode_of(const struct sampler_message *s, unsigned dimension)
{
    return (enum address_mode)s->filter.address_mode[dimension];
}

static inline int64_t modulo(int64_t value, int64_t of)
{
    const int64_t rest = value % of;
    return rest < 0 ? rest + of : rest;
}

/* Sets the format that the sampler decodes. Returns false if it is unsupported. */
bool sampler_format_init(struct sampler_message *s);
/* Makes sRGB components UNORM, for samplers that disable sRGB decoding. */
void sampler_format_skip_srgb(struct sampler_message *s);
/* The values of components that the format does not have. */
union softgt_color sampler_missing_channels(const struct sampler_message *s);
union softgt_color sampler_texel(const struct sampler_message *s, const struct image *level,
                                 const uint32_t at[DIMENSIONS]);
/* Applies an address mode: *found is a texel from 0 to size - 1. Returns false for the border color. */
bool texture_address(enum address_mode mode, int64_t at, uint32_t size, uint32_t *found);
union softgt_color sampler_border_color(const struct sampler_message *s);
/* Sets red to 0 if the comparison with `reference` holds, else to 1. */
void sampler_compare(const struct sampler_message *s, double reference, union softgt_color *color);

#endif
