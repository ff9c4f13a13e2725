/* Shared by the sampler's files: a decoded message, and texel functions. */
#ifndef SHARED_FUNCTION_SAMPLER_H
#define SHARED_FUNCTION_SAMPLER_H

#include "shared_function/image.h"
#include "shared_function/sampler_plan.h"

#include <math.h>

static inline bool has_parameter(const struct sampler_message *s, enum sampler_parameter which)
{
    return s->parameter_register[which] != NO_PARAMETER;
}

/* A parameter of a channel; 0: the message does not have it. Integers of 16 bits have a sign. */
static inline uint32_t sampler_parameter(const struct sampler_message *s, enum sampler_parameter which,
                                         unsigned channel)
{
    int16_t half;
    if (!has_parameter(s, which))
        return 0;
    if (!s->has_half_parameters) {
        const uint32_t value = payload_channel(s->m, s->parameter_register[which], channel);
        return which == s->packed ? value & s->level_mask : value;
    }
    memcpy(&half, payload_register(s->m, s->parameter_register[which]) + channel * sizeof half, sizeof half);
    return (uint32_t)half;
}

static inline double sampler_float_parameter(const struct sampler_message *s, enum sampler_parameter which,
                                             unsigned channel)
{
    const uint32_t bits = s->has_half_parameters
                              ? softgt_float16_to_32((uint16_t)sampler_parameter(s, which, channel))
                              : sampler_parameter(s, which, channel);
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
    return (uint32_t)field_read(&s->b->structures.sampler_state->places[role], s->state, SAMPLER_STATE_DW);
}

/* ---- Levels (sampler.c) ---- */

/* LOD, and the samples of an anisotropic filter. */
struct spread {
    double level;
    unsigned samples; /* along the line of anisotropy */
    double along[DIMENSIONS];
};

/* The levels that a pixel samples, and how. */
struct level_choice {
    struct spread spread;
    uint32_t level;
    double beyond; /* the share of the next level */
    double lod;    /* before it is limited */
    bool linear, mag;
};

/* Whether the LOD is computed from gradients: the message has them, or a pixel shader gives no LOD. */
bool sampler_has_gradient(const struct sampler_message *s);
/* Whether channels of a subspan have parameters of their own that choose the levels. */
bool sampler_has_own_levels(const struct sampler_message *s);
/* The levels of a channel; valid until the next call. */
const struct level_choice *sampler_levels_of(const struct sampler_message *s, unsigned channel);
/* The surface at a LOD, relative to Surface Min LOD. The pointer is valid until another LOD of the same
 * parity is asked for. */
const struct image *sampler_level_of(const struct sampler_message *s, uint32_t lod);
/* The address of the message's SAMPLER_STATE. */
uint64_t sampler_state_address(const struct message_context *b, const struct eu_send *m);

/* ---- Plans (sampler_plan.c) ---- */

/* The plan of a message: its states are those of the plan. NULL: there is none. */
struct sampler_plan *sampler_plan_find(struct message_context *b, const struct eu_send *m,
                                       const struct surface_state *state);
/* Keeps what was decoded of a message that a plan can be made of. */
void sampler_plan_make(const struct sampler_message *s);
/* Whether the message reads a surface of two dimensions: no cube, no offsets in parameters, and no filter of
 * integers. Only such messages have plans. */
bool sampler_is_plain(const struct sampler_message *s);
/* The component that gather4 reads: SELECT_RED and those after it, SELECT_ONE or 0. */
uint32_t sampler_gathered_component(const struct sampler_message *s);
/* Gives a plan the current message. */
void sampler_plan_begin(struct sampler_plan *plan, struct message_context *b, const struct eu_send *m);
/* Samples the channels of the plan's message by rows. False: nothing is done. */
bool sampler_plan_sample(struct sampler_plan *plan, uint32_t channels, struct sampler_rows *r);

/* ---- Rows (sampler_rows.c) ---- */

/* Pixels that sample a level, and the level's share of their results. */
struct level_pixels {
    const struct texel_level *level;
    uint32_t mask;
    bool linear, mag;
    bool is_whole;       /* the share is 1 */
    bool is_absent;      /* the surface lacks the level that a load names */
    const double *share; /* of each channel */
};

/* A page that texels lie on. */
struct texel_page {
    uint64_t number;
    const uint8_t *host;
    bool is_local;
};

/* The pixels of a message. */
enum { SOURCE_ZERO = 4, SOURCE_ONE, SOURCES };
enum { ROW_PAGES = 8, ROW_LEVELS = 2 * SAMPLER_CHANNELS };
struct sampler_rows {
    struct message_context *b;
    const struct sampler_plan *plan;
    const struct texel_level *base_level; /* for gradients */
    bool has_gradient;
    unsigned gathered; /* the component that gather4 reads */
    bool has_samples;  /* the message names a sample for each channel, and its slice is known: */
    _Alignas(64) uint32_t sample_slice[SAMPLER_CHANNELS];
    unsigned level_count;
    struct level_pixels levels[ROW_LEVELS]; /* in their order */
    /* Components of the response: where they are written, and from what. */
    unsigned response_count;
    uint8_t *response[4];
    uint8_t source[4]; /* of the color; or SOURCE_ZERO, SOURCE_ONE */
    uint32_t channels;
    /* What was found so far. */
    struct texel_page pages[ROW_PAGES];
    unsigned page_count;
    uint32_t accesses;
    uint64_t local_bytes;
    /* The surface's first bytes in the host, if these follow each other; NULL: texels are found by pages. */
    const uint8_t *window;
    uint32_t window_bytes;  /* a texel may begin there */
    uint32_t window_wanted; /* the window is shorter than this */
    uint32_t has_sums;      /* of channels from each of these bits on, as many as a vector has */
    _Alignas(64) double sum[4][SAMPLER_CHANNELS];
    _Alignas(64) uint32_t color[4][SAMPLER_CHANNELS]; /* of single texels */
};

/* The texels that channels of a level need, by corner of their footprints. */
struct texel_positions {
    _Alignas(64) uint32_t at[2][2][SAMPLER_CHANNELS]; /* column and row: first and second */
    _Alignas(64) uint32_t slice[SAMPLER_CHANNELS];
    uint32_t mask[4];
};

/* The host's bytes of a page of texels. NULL: it cannot be read without a fault, or not directly, or some of
 * its blocks are cleared. */
const struct texel_page *sampler_find_page(struct sampler_rows *r, const struct texel_level *l,
                                           uint64_t number);
/* Decodes the texels of the channels in the mask: words are bytes of blocks, then components. */
void sampler_decode_blocks(const struct sampler_message *s, uint32_t mask, const uint32_t *x,
                           const uint32_t *y, uint32_t words[4][SAMPLER_CHANNELS]);
/* Whether no block of the texels is cleared, as far as the TLB knows: of surfaces with a control surface. */
bool sampler_texels_are_filled(const struct sampler_rows *r, const struct texel_level *l,
                               const struct texel_positions *p);

/* ---- Texels (texel.c) ---- */

enum { SELECT_ONE = 1, SELECT_RED = 4 };
enum { FILTER_NEAREST = 0, FILTER_ANISOTROPIC = 2 };
enum { MIP_NONE = 0, MIP_NEAREST = 1, MIP_LINEAR = 3, PRECLAMP_OGL = 2 };
enum { BIAS_NEGATIVE = 16 /* the LOD bias of the sign bit alone */ };
/* The texel of a footprint, of two by two, that each channel of a gather gets. */
static const uint8_t gather_corners[4] = {2, 3, 1, 0};
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
union softgt_color sampler_border_color(struct sampler_message *s);
/* Sets red to 0 if the comparison with `reference` holds, else to 1. */
void sampler_compare(const struct sampler_message *s, double reference, union softgt_color *color);

/* ---- Gen20 (sampler_gen200.c) ---- */

/* The row of a message's type; `halves`: parameters have 16 bits. */
const struct sampler_operation_info *sampler_gen200_message(uint32_t descriptor, bool halves);
/* Whether a message has 32 channels. Then each half is a message with registers of its own. */
bool sampler_is_split(const struct message_context *b, const struct eu_send *m);
enum { SPLIT_ROWS = 26, SPLIT_RESPONSE_ROWS = 10 }; /* a header and twelve parameters; five components */
struct sampler_split {
    struct eu_send send;
    unsigned half, components;
    uint8_t payload[SPLIT_ROWS][EU_REGISTER_BYTES], response[SPLIT_RESPONSE_ROWS][EU_REGISTER_BYTES];
};
void sampler_split(struct sampler_split *to, const struct eu_send *m, unsigned half);
/* Gives the message the half's response. */
void sampler_join(const struct sampler_split *from, const struct eu_send *m);

/* A message in SIMD4x2 as one in SIMD8: its descriptor, and the order of its parameters (P_NONE ends them),
 * there and in registers of four. (sampler_simd4x2.c) */
struct sampler_simd4x2 {
    const uint8_t *order, *from;
    uint32_t descriptor;
};
bool sampler_simd4x2(struct message_context *b, const struct eu_send *m, const struct sampler_simd4x2 *as);

#endif
