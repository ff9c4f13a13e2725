/*
 * The sampler: filtered texels, single texels and surface information. Positions and weights are in 256ths of
 * a texel. A message without LOD and gradients takes the gradients of its subspan; in threads other than
 * pixel shaders the LOD is 0. (SNB PRM vol 4.1, Sampling Engine; SKL PRM vol 2d, SAMPLER_STATE)
 *
 * Not modelled, and reported: filters of surfaces of several samples, chroma keys, the monochrome filter,
 * ld of cubes, sampling of buffers, SIMD32 modes, and formats that
 * softgt/formats.h does not have. Our choice: an anisotropic filter takes samples of equal weight along the
 * greater gradient, as many as the ratio of gradients rounded up.
 */
#include "sampler/sampler.h"

#include "shared_function/pixel_codec.h"

#include <limits.h>
#include <math.h>

/* ---- Messages ---- */

enum { LOAD_WITH_LEVEL = 7, LD2DMS_W = 28 };

/* Message types by descriptor bits 16:12. */
static const struct sampler_operation_info messages[32] = {
    [0] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_MLOD}},
    [1] = {SAMPLER_SAMPLE, {P_BIAS, P_U, P_V, P_R, P_AI, P_MLOD}},
    [2] = {SAMPLER_SAMPLE, {P_LOD, P_U, P_V, P_R, P_AI}},
    [3] = {SAMPLER_SAMPLE, {P_REF, P_U, P_V, P_R, P_AI, P_MLOD}},
    [4] = {SAMPLER_SAMPLE, {P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_R, P_DRDX, P_DRDY, P_AI}},
    [5] = {SAMPLER_SAMPLE, {P_REF, P_BIAS, P_U, P_V, P_R, P_AI}},
    [6] = {SAMPLER_SAMPLE, {P_REF, P_LOD, P_U, P_V, P_R, P_AI}},
    [LOAD_WITH_LEVEL] = {SAMPLER_LD, {P_U, P_V, P_LOD, P_R}},
    [8] = {SAMPLER_GATHER4, {P_U, P_V, P_R, P_AI}},
    [9] = {SAMPLER_LOD, {P_U, P_V, P_R, P_AI}},
    [10] = {SAMPLER_RESINFO, {P_LOD}},
    [11] = {SAMPLER_SAMPLEINFO, {P_NONE}},
    [16] = {SAMPLER_GATHER4, {P_REF, P_U, P_V, P_R, P_AI}},
    [17] = {SAMPLER_GATHER4, {P_U, P_V, P_OFFU, P_OFFV, P_R}},
    [18] = {SAMPLER_GATHER4, {P_REF, P_U, P_V, P_OFFU, P_OFFV, P_R}},
    [20] = {SAMPLER_SAMPLE, {P_REF, P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_R, P_DRDX, P_DRDY, P_AI}},
    [24] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI}, true},
    [25] = {SAMPLER_SAMPLE, {P_REF, P_U, P_V, P_R, P_AI}, true},
    [26] = {SAMPLER_LD, {P_U, P_V, P_R}},
    [LD2DMS_W] = {SAMPLER_LD2DMS, {P_SI, P_MCS0, P_MCS1, P_U, P_V, P_R}},
    [29] = {SAMPLER_LD_MCS, {P_U, P_V, P_R}},
    [30] = {SAMPLER_LD2DMS, {P_SI, P_MCS0, P_U, P_V, P_R}},
    [31] = {SAMPLER_LD2DMS, {P_SI, P_U, P_V, P_R}},
};
static const struct sampler_operation_info ld2dms_w_halves = {
    SAMPLER_LD2DMS, {P_SI, P_MCS0, P_MCS1, P_MCS2, P_MCS3, P_U, P_V, P_R}};
static const struct sampler_operation_info ld_lod_second = {SAMPLER_LD, {P_U, P_LOD, P_V, P_R}};
/* Gen6's message types by bits 15:12. (SNB PRM vol 4 part 1, Sampling Engine; Mesa, brw_fs) */
static const struct sampler_operation_info gen6_messages[16] = {
    [0] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI}},
    [1] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_BIAS}},
    [2] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_LOD}},
    [3] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_REF}},
    [4] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_DUDX, P_DUDY, P_DVDX, P_DVDY, P_DRDX, P_DRDY}},
    [5] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_REF, P_BIAS}},
    [6] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_REF, P_LOD}},
    [LOAD_WITH_LEVEL] = {SAMPLER_LD, {P_U, P_V, P_R, P_LOD}},
    [8] = {SAMPLER_GATHER4, {P_U, P_V, P_R, P_AI}},
    [9] = {SAMPLER_LOD, {P_U, P_V, P_R, P_AI}},
    [10] = {SAMPLER_RESINFO, {P_LOD}},
    [11] = {SAMPLER_SAMPLEINFO, {P_NONE}},
};

/* The order in SIMD4x2: Gen6's, also of later generations; their further types, from 16 on. (IVB PRM vol 4
 * part 1; Mesa, brw_vec4) */
static const uint8_t *simd4x2_parameters(unsigned type)
{
    static const uint8_t later[16][SAMPLER_PARAMETERS] = {
        [0] = {P_U, P_V, P_R, P_AI, P_REF},
        [1] = {P_U, P_V, P_R, P_AI, P_OFFU, P_OFFV},
        [2] = {P_U, P_V, P_R, P_REF, P_OFFU, P_OFFV},
        [4] = {P_U, P_V, P_R, P_AI, P_DUDX, P_DUDY, P_DVDX, P_DVDY, P_DRDX, P_DRDY, P_REF},
    };
    return type < 16 ? gen6_messages[type].parameters : later[type - 16];
}

/* ld of a surface of several samples, on Gen6. */
static const struct sampler_operation_info gen6_ld2dms = {SAMPLER_LD2DMS, {P_U, P_V, P_R, P_LOD, P_SI}};

/* The parameter that two things may share. */
static uint8_t packed_parameter(const struct sampler_message *s)
{
    static const uint8_t places[] = {P_OFF_R, P_LOD, P_BIAS, P_OFFU, P_MLOD};
    unsigned n = 0;
    while (n < sizeof places - 1u && !has_parameter(s, places[n]))
        n++;
    return places[n];
}

/* Finds the registers of the message's parameters. */
static void place_parameters(struct sampler_message *s)
{
    const unsigned registers = payload_part_registers(s->m, s->channels * (s->has_half_parameters ? 2u : 4u));
    unsigned at = has_header(s->m) ? payload_part_registers(s->m, 1) : 0;
    memset(s->parameter_register, NO_PARAMETER, sizeof s->parameter_register);
    s->level_mask = UINT32_MAX;
    for (const uint8_t *p = s->message->parameters; *p; p++, at += registers)
        if (*p != P_MLOD || at < payload_registers(s->m)) /* 0 is no limit */
            s->parameter_register[*p] = (uint8_t)at;
    s->packed = packed_parameter(s);
}

/* Results that pixels of a message share. */
struct sampler_cache {
    uint32_t lod[2]; /* of the levels; UINT32_MAX: not decoded */
    struct image level[2];
    unsigned subspan; /* of the gradient, by its first channel; UINT_MAX: not computed */
    struct spread spread;
    struct image samples;    /* of a surface that has several */
    unsigned choice_subspan; /* of the choice of levels; likewise */
    struct level_choice choice;
};

const struct image *sampler_level_of(const struct sampler_message *s, uint32_t lod)
{
    struct image *const i = &s->cache->level[lod & 1u];
    if (s->cache->lod[lod & 1u] == lod)
        return i;
    const uint32_t level = lod + surface_field(&s->image.state, SURFACE_MIN_LOD);
    *i = s->image;
    s->cache->lod[lod & 1u] = lod;
    image_select_level(i, level);
    if (s->dimensions == 3)
        for (uint32_t n = 0; n < level && i->depth > 1; n++)
            i->depth /= 2;
    return i;
}

/* ---- One level ---- */

/* The texels of a channel: the first of each dimension, and the weight of the second. */
struct footprint {
    const struct image *level;
    int64_t first[DIMENSIONS];
    unsigned weight[DIMENSIONS];
    uint32_t slice; /* of a cube: its first side */
    unsigned side;
    double reference;
};

static void direction_of(const struct sampler_message *s, unsigned channel, double direction[3])
{
    for (unsigned d = 0; d < DIMENSIONS; d++)
        direction[d] = sampler_position_parameter(s, P_U + d, channel);
}

/* What shares a parameter; 0: the message has no such parameter. */
static uint32_t packed_bits(const struct sampler_message *s, unsigned channel)
{
    return has_parameter(s, s->packed) ? payload_channel(s->m, s->parameter_register[s->packed], channel) : 0;
}

static bool packs_offsets(const struct sampler_message *s)
{
    return s->message->packs == PACKS_OFFSETS || s->message->packs == PACKS_OFFSETS_4;
}

/* The texel offset in the message's parameters, of 6 or 4 bits. */
static int offset_of(const struct sampler_message *s, unsigned channel, unsigned dimension)
{
    enum { ABOVE_INDEX = 12 };
    const bool is_short = s->message->packs == PACKS_OFFSETS_4;
    const unsigned width = is_short ? 4 : 6, sign = 1u << (width - 1u);
    if (dimension > 1 && !is_short)
        return 0;
    const uint32_t value = packs_offsets(s) ? packed_bits(s, channel) >>
                                                  (s->packed == P_OFF_R) * ABOVE_INDEX >> dimension * width
                                            : sampler_parameter(s, P_OFFU + dimension, channel);
    const uint32_t bits = value & (2u * sign - 1u);
    return (int)(bits ^ sign) - (int)sign;
}

/* The array index of a cube, with the LOD or the bias; other array indices and offsets have 12 bits. */
enum { PACKED_CUBE_INDEX = (1 << 9) - 1, PACKED_INDEX = (1 << 12) - 1, PACKED_OFFSETS = (1 << 12) - 1 };
static bool has_packed_cube_index(const struct sampler_message *s)
{
    return s->message->packs == PACKS_AI && s->cube && s->image.is_array;
}

static bool has_packed_index(const struct sampler_message *s)
{
    return (s->packed == P_OFF_R || s->message->packs == PACKS_R) && s->dimensions == 2 && !s->cube &&
           s->image.is_array;
}

/* The element of an array that a channel reads: the nearest. */
static double element_of(const struct sampler_message *s, unsigned channel)
{
    return has_packed_cube_index(s) ? packed_bits(s, channel) & PACKED_CUBE_INDEX
           : has_packed_index(s)
               ? packed_bits(s, channel) & PACKED_INDEX
               : nearbyint(sampler_position_parameter(s, s->cube ? P_AI : P_U + s->dimensions, channel));
}

/* The bits of the packed parameter that are a LOD or a bias. */
static uint32_t level_mask_of(const struct sampler_message *s)
{
    return s->has_half_parameters     ? UINT32_MAX
           : packs_offsets(s)         ? ~(uint32_t)PACKED_OFFSETS
           : has_packed_cube_index(s) ? ~(uint32_t)PACKED_CUBE_INDEX
           : has_packed_index(s)      ? ~(uint32_t)PACKED_INDEX
                                      : UINT32_MAX;
}

/* A reference is compared as the texture's format would hold it: fixed-point numbers are limited and rounded.
 * (Direct3D 10, sample_c) */
static double sampler_reference(const struct sampler_message *s, unsigned channel)
{
    const struct softgt_format_part *const red = &s->format.part[0];
    const double reference = sampler_float_parameter(s, P_REF, channel);
    if (!s->compares || s->blocks.name || red->kind != SOFTGT_COMPONENT_UNORM || !red->bits)
        return reference;
    return (double)softgt_component_to_float(red->kind, red->bits,
                                             softgt_component_encode(red->kind, red->bits, reference));
}

static struct footprint sampler_footprint(const struct sampler_message *s, unsigned channel, uint32_t level,
                                          bool linear, bool mag, const double away[DIMENSIONS])
{
    const struct sampler_filter *const filter = &s->filter;
    const unsigned rounding = mag ? filter->mag_rounding : filter->min_rounding;
    struct footprint f = {.level = sampler_level_of(s, level), .reference = sampler_reference(s, channel)};
    const uint32_t size[DIMENSIONS] = {f.level->width, f.level->height, f.level->depth};
    struct cube_place place = {0};
    s->b->work.sampled_levels++;
    if (s->cube) {
        double direction[3];
        direction_of(s, channel, direction);
        place = cube_place(direction);
        f.side = place.side;
    }
    for (unsigned d = 0; d < s->dimensions; d++) {
        const bool rounds = rounding >> d & 1u;
        double at = s->cube ? place.at[d] : sampler_position_parameter(s, P_U + d, channel) + away[d];
        if (s->cube || !filter->non_normalized)
            at *= size[d];
        at += s->offset[d] + offset_of(s, channel, d);
        if (!s->cube && address_mode_of(s, d) == TEXCOORDMODE_HALF_BORDER)
            at = at < 0 ? 0 : at < size[d] ? at : size[d];
        int64_t units = (int64_t)floor(at * UNIT + (rounds ? 0.5 : 0));
        if (linear)
            units -= UNIT / 2;
        f.weight[d] = linear ? (unsigned)modulo(units, UNIT) : 0;
        f.first[d] = (units - modulo(units, UNIT)) / UNIT;
        if (!linear && !s->cube && address_mode_of(s, d) == TEXCOORDMODE_HALF_BORDER && f.first[d] >= size[d])
            f.first[d] = (int64_t)size[d] - 1; /* GL_CLAMP: without a filter the border is never reached */
    }
    if (s->dimensions < 3) {
        const double which = element_of(s, channel);
        const uint32_t count = s->cube ? f.level->depth / CUBE_SIDES : f.level->depth;
        f.slice = which <= 0 ? 0 : which < count ? (uint32_t)which : count - 1u;
        f.slice *= s->cube ? CUBE_SIDES : 1u;
    }
    return f;
}

static union softgt_color cube_texel(const struct sampler_message *s, const struct footprint *f, int64_t x,
                                     int64_t y)
{
    const uint32_t size = f->level->width;
    unsigned side = f->side;
    int64_t at[2] = {x, y};
    if ((x < 0 || y < 0 || x >= size || y >= size) && s->filter.is_seamless) {
        cube_cross(&side, at, size);
    } else {
        for (unsigned d = 0; d < 2; d++)
            at[d] = at[d] < 0 ? 0 : at[d] < size ? at[d] : (int64_t)size - 1;
    }
    const uint32_t found[DIMENSIONS] = {(uint32_t)at[0], (uint32_t)at[1], f->slice + side};
    union softgt_color color = sampler_texel(s, f->level, found);
    if (s->compares)
        sampler_compare(s, f->reference, &color);
    return color;
}

/* No texel is beyond a cube's corner: the mean of the three texels around it. */
static union softgt_color cube_corner(const struct sampler_message *s, const struct footprint *f, int64_t x,
                                      int64_t y)
{
    const int64_t last = (int64_t)f->level->width - 1,
                  in_x = x < 0      ? 0
                         : x > last ? last
                                    : x,
                  in_y = y < 0      ? 0
                         : y > last ? last
                                    : y;
    union softgt_color color = cube_texel(s, f, x, in_y);
    if (in_x == x || in_y == y || s->raw)
        return in_x == x ? cube_texel(s, f, x, y) : color;
    const union softgt_color second = cube_texel(s, f, in_x, y), third = cube_texel(s, f, in_x, in_y);
    for (unsigned c = 0; c < 4; c++)
        color.f[c] = (float)(((double)color.f[c] + (double)second.f[c] + (double)third.f[c]) / 3);
    return color;
}

/* A texel of a footprint; a bit of `corner` selects the second texel of that dimension. */
static union softgt_color corner_of(const struct sampler_message *s, const struct footprint *f,
                                    unsigned corner)
{
    const uint32_t size[DIMENSIONS] = {f->level->width, f->level->height, f->level->depth};
    uint32_t at[DIMENSIONS] = {0, 0, f->slice};
    bool inside = true;
    if (s->cube)
        return cube_corner(s, f, f->first[0] + (corner & 1u), f->first[1] + (corner >> 1 & 1u));
    for (unsigned d = 0; d < s->dimensions; d++)
        inside &= texture_address(address_mode_of(s, d), f->first[d] + (corner >> d & 1u), size[d], &at[d]);
    union softgt_color color = inside ? sampler_texel(s, f->level, at) : s->border;
    if (s->compares)
        sampler_compare(s, f->reference, &color);
    return color;
}

/* Adds one texel by the reduction mode. */
static double reduced(const struct sampler_message *s, double before, double weight, double texel)
{
    switch (s->reduction) {
    case REDUCTION_MINIMUM:
        return texel < before ? texel : before;
    case REDUCTION_MAXIMUM:
        return texel > before ? texel : before;
    default:
        return before + weight * texel;
    }
}

/* Adds a level's weighted texels to `sum`; integers are not weighted. */
static void weigh(const struct sampler_message *s, const struct footprint *f, double share, double sum[4],
                  union softgt_color *only)
{
    for (unsigned corner = 0; corner < 1u << s->dimensions; corner++) {
        double weight = share;
        for (unsigned d = 0; d < s->dimensions; d++)
            weight *= (double)(corner >> d & 1u ? f->weight[d] : UNIT - f->weight[d]) / UNIT;
        if (weight == 0)
            continue;
        const union softgt_color color = corner_of(s, f, corner);
        *only = color;
        for (unsigned c = 0; c < 4 && !s->raw; c++)
            sum[c] = reduced(s, sum[c], weight, (double)color.f[c]);
    }
}

/* ---- Levels ---- */

/* A LOD of format U4.8. */
static double level_number(uint32_t bits)
{
    return (double)bits / UNIT;
}

static double clamp_lod(double value, double least, double most)
{
    value = value < most ? value : most;
    return value > least ? value : least;
}

/* The change of a position along x (0) or y (1): the message's gradient, or the difference between pixels of
 * the subspan. */
static double change_along(const struct sampler_message *s, unsigned channel, unsigned axis, unsigned d)
{
    const unsigned first = channel & ~3u;
    return has_parameter(s, P_DUDX) ? sampler_position_parameter(s, (axis ? P_DUDY : P_DUDX) + d, channel)
                                    : sampler_position_parameter(s, P_U + d, first + 1u + axis) -
                                          sampler_position_parameter(s, P_U + d, first);
}

bool sampler_has_gradient(const struct sampler_message *s)
{
    return has_parameter(s, P_DUDX) || (s->b->ps && !s->message->level_zero && !has_parameter(s, P_LOD));
}

/* log2 of a positive number by IEEE operations alone: the results of libm differ between hosts. */
static double log2_of(double value)
{
    enum { TERMS = 27 /* of the series, which is of odd powers */ };
    int exponent;
    double m = frexp(value, &exponent), sum = 0;
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        exponent--;
    }
    const double z = (m - 1) / (m + 1), square = z * z;
    for (int n = TERMS; n >= 1; n -= 2)
        sum = sum * square + 1.0 / n;
    return exponent + 2 * z * sum * 0x1.71547652b82fep0;
}

/* Computes the LOD from gradients: log2 of the longer gradient in texels. An anisotropic filter first divides
 * that gradient by the number of samples. */
static struct spread gradient_spread(const struct sampler_message *s, unsigned channel, bool anisotropic)
{
    enum { FAR_AWAY = -64 };
    const struct image *const level = sampler_level_of(s, 0);
    const uint32_t size[DIMENSIONS] = {level->width, level->height, level->depth};
    double most = 0, least = HUGE_VAL, direction[3];
    struct spread spread = {.level = FAR_AWAY, .samples = 1};
    direction_of(s, channel, direction);
    for (unsigned n = 0; n < 2; n++) {
        double change[DIMENSIONS] = {0}, away = 0;
        for (unsigned d = 0; d < DIMENSIONS; d++)
            change[d] = change_along(s, channel, n, d);
        if (s->cube && has_parameter(s, P_DUDX)) {
            cube_gradient(direction, (const double[]){change[0], change[1], change[2]}, change);
        } else if (s->cube) {
            double from[3], to[3];
            direction_of(s, channel & ~3u, from);
            direction_of(s, (channel & ~3u) + 1u + n, to);
            cube_difference(direction, from, to, change);
        }
        for (unsigned d = 0; d < s->dimensions && d < DIMENSIONS; d++) {
            const double texels = s->filter.non_normalized ? change[d] : change[d] * size[d];
            away += texels * texels;
        }
        if (away > most)
            memcpy(spread.along, change, sizeof change);
        most = fmax(most, away);
        least = fmin(least, away);
    }
    if (most > 0)
        spread.level = log2_of(most) / 2;
    if (most > least && anisotropic && s->dimensions == 2 && !s->cube) {
        const double allowed = s->filter.max_anisotropy,
                     ratio = least > 0 ? fmin(sqrt(most / least), allowed) : allowed;
        spread.level -= log2_of(ratio);
        spread.samples = (unsigned)ceil(ratio);
    }
    return spread;
}

/* Computes the gradient once for a subspan, unless the message has gradients or the surface is a cube. */
static struct spread subspan_spread(const struct sampler_message *s, unsigned channel, bool anisotropic)
{
    const unsigned first = channel & ~3u;
    if (s->cube || has_parameter(s, P_DUDX))
        return gradient_spread(s, channel, anisotropic);
    if (s->cache->subspan != first) {
        s->cache->subspan = first;
        s->cache->spread = gradient_spread(s, first, anisotropic);
    }
    return s->cache->spread;
}

/* Chooses the levels by the LOD. */
static struct level_choice choose_levels(const struct sampler_message *s, unsigned channel)
{
    const struct sampler_filter *const filter = &s->filter;
    const double least = fmax(filter->min_lod, sampler_position_parameter(s, P_MLOD, channel)),
                 most = filter->max_lod;
    const bool anisotropic = !s->raw && filter->min_filter == FILTER_ANISOTROPIC;
    struct level_choice c = {
        .spread = {.level = sampler_position_parameter(s, P_LOD, channel), .samples = 1}};
    if (sampler_has_gradient(s) && !s->has_one_level)
        c.spread = subspan_spread(s, channel, anisotropic);
    double lod = c.spread.level + sampler_position_parameter(s, P_BIAS, channel) + filter->lod_bias -
                 (filter->lod_bias >= BIAS_NEGATIVE ? 2 * BIAS_NEGATIVE : 0);
    c.lod = lod;
    if (filter->lod_preclamp_mode == PRECLAMP_OGL ||
        (filter->lod_preclamp_mode && s->b->info.lod_preclamp_is_one_bit))
        lod = clamp_lod(lod, least, most);
    c.mag = lod <= 0;
    c.linear = !s->raw && (c.mag ? filter->mag_filter : filter->min_filter) != FILTER_NEAREST;
    unsigned mip = filter->mip_filter;
    if (c.mag && !filter->clamps_magnification)
        mip = MIP_NONE;
    if (mip == MIP_NONE)
        lod = clamp_lod(0, floor(least), ceil(most));
    else if (mip == MIP_LINEAR && !s->raw)
        lod = clamp_lod(lod, least, most);
    else
        lod = floor(clamp_lod(lod, floor(least), ceil(most)) + 0.5);
    lod = floor(clamp_lod(lod, 0, s->last_level) * UNIT) / UNIT;
    c.level = (uint32_t)lod;
    c.beyond = lod - c.level;
    return c;
}

bool sampler_has_own_levels(const struct sampler_message *s)
{
    return !s->has_one_level && (s->cube || has_parameter(s, P_DUDX) || has_parameter(s, P_MLOD) ||
                                 has_parameter(s, P_LOD) || has_parameter(s, P_BIAS));
}

const struct level_choice *sampler_levels_of(const struct sampler_message *s, unsigned channel)
{
    struct sampler_cache *const cache = s->cache;
    const bool alone = sampler_has_own_levels(s);
    const unsigned subspan = s->has_one_level ? 0 : channel & ~3u;
    if (alone || cache->choice_subspan != subspan) {
        cache->choice_subspan = alone ? UINT_MAX : subspan;
        cache->choice = choose_levels(s, channel);
    }
    return &cache->choice;
}

/* Both filters are the same, and no other level is chosen; of messages that have plans. */
static bool has_one_level(const struct sampler_message *s)
{
    const struct sampler_filter *const f = &s->filter;
    return (f->mip_filter == MIP_NONE || s->last_level == 0) && f->min_filter == f->mag_filter &&
           f->min_filter != FILTER_ANISOTROPIC && f->min_rounding == f->mag_rounding &&
           !has_parameter(s, P_MLOD);
}

/* Samples each mip level that contributes. */
static union softgt_color sample(const struct sampler_message *s, unsigned channel)
{
    const struct level_choice *const l = sampler_levels_of(s, channel);
    const double first = s->reduction == REDUCTION_MINIMUM   ? HUGE_VAL
                         : s->reduction == REDUCTION_MAXIMUM ? -HUGE_VAL
                                                             : 0;
    double sum[4] = {first, first, first, first};
    union softgt_color color = {.u = {0}};
    for (unsigned n = 0; n < l->spread.samples; n++) {
        const double part = (n + 0.5) / l->spread.samples - 0.5,
                     away[DIMENSIONS] = {part * l->spread.along[0], part * l->spread.along[1],
                                         part * l->spread.along[2]};
        struct footprint f = sampler_footprint(s, channel, l->level, l->linear, l->mag, away);
        weigh(s, &f, (1 - l->beyond) / l->spread.samples, sum, &color);
        if (l->beyond > 0) {
            f = sampler_footprint(s, channel, l->level + 1u, l->linear, l->mag, away);
            weigh(s, &f, l->beyond / l->spread.samples, sum, &color);
        }
    }
    for (unsigned c = 0; c < 4 && !s->raw; c++)
        color.f[c] = (float)sum[c];
    return color;
}

/* gather4: one component of the lower left, lower right, upper right and upper left texel. */
static union softgt_color sampler_gather4(const struct sampler_message *s, unsigned channel, unsigned which)
{
    const double nowhere[DIMENSIONS] = {0};
    const struct level_choice *const l = s->message->gathers_level ? sampler_levels_of(s, channel) : NULL;
    const uint32_t level = l ? l->level + (l->beyond >= 1.0 / 2) : 0; /* our choice: the nearest */
    const struct footprint f = sampler_footprint(s, channel, level, true, true, nowhere);
    union softgt_color gathered;
    for (unsigned c = 0; c < 4; c++)
        gathered.u[c] = corner_of(s, &f, gather_corners[c]).u[which];
    return gathered;
}

/* ld: a texel by integer coordinates. Outside the surface or its levels components read 0; alpha reads 1 if
 * the format has none. */
static union softgt_color load_texel(const struct sampler_message *s, unsigned channel)
{
    const uint32_t lod = sampler_parameter(s, P_LOD, channel);
    const uint32_t u = sampler_parameter(s, P_U, channel), v = sampler_parameter(s, P_V, channel),
                   r = sampler_parameter(s, P_R, channel);
    s->b->work.sampled_levels++;
    if (s->image.is_buffer)
        return sampler_texel(s, &s->image, (const uint32_t[DIMENSIONS]){u, 0, 0});
    if (lod > surface_field(&s->image.state, SURFACE_MIP_COUNT_LOD))
        return sampler_missing_channels(s);
    const struct image *const level = sampler_level_of(s, lod);
    uint32_t at[DIMENSIONS] = {u + (uint32_t)s->offset[0], v + (uint32_t)s->offset[1], r};
    if (s->dimensions == 1) {
        at[1] = 0;
        at[2] = v;
    } else if (s->dimensions == 3) {
        at[2] += (uint32_t)s->offset[2];
    }
    if (s->dimensions < 3 && !s->image.is_array)
        at[2] = 0;
    return sampler_texel(s, level, at);
}

/* Where a message reads of level 0. */
static void load_position(const struct sampler_message *s, unsigned channel, uint32_t at[DIMENSIONS])
{
    at[0] = sampler_parameter(s, P_U, channel) + (uint32_t)s->offset[0];
    at[1] = sampler_parameter(s, P_V, channel) + (uint32_t)s->offset[1];
    at[2] = s->image.is_array ? sampler_parameter(s, P_R, channel) : 0;
}

/* ld2dms: a sample of a pixel. The message has the pixel's element of the MCS, if there is one. */
static union softgt_color load_sample(const struct sampler_message *s, unsigned channel)
{
    const unsigned bits = s->has_half_parameters ? 16 : 32;
    const uint64_t part = (UINT64_C(1) << bits) - 1u;
    union softgt_color color = sampler_missing_channels(s);
    uint8_t pixel[PIXEL_BYTES] = {0};
    uint32_t at[DIMENSIONS];
    uint64_t element = 0;
    load_position(s, channel, at);
    for (unsigned n = 0; n * bits < 64; n++)
        element |= (sampler_parameter(s, P_MCS0 + n, channel) & part) << n * bits;
    s->b->work.sampled_levels++;
    if (!s->image.samples_log2)
        return sampler_texel(s, &s->image, at);
    if (image_sample_bytes(s->b, &s->image, &s->cache->samples, at, element,
                           sampler_parameter(s, P_SI, channel), pixel))
        pixel_decode((enum pixel_codec)s->codec, &s->format, pixel, &color);
    return color;
}

/* ---- Surface properties ---- */

/* ld_mcs: a pixel's element of the MCS; 0: there is none. */
static union softgt_color mcs_of(const struct sampler_message *s, unsigned channel)
{
    const struct image *const i = &s->image;
    union softgt_color element = {.u = {0}};
    uint32_t at[DIMENSIONS];
    uint64_t value;
    if (i->is_null || !i->mcs.is_present)
        return element;
    load_position(s, channel, at);
    if (image_has_pixel(i, at) && mcs_load(s->b, i, at, &value)) {
        element.u[0] = (uint32_t)value;
        element.u[1] = (uint32_t)(value >> 32);
    }
    return element;
}

static union softgt_color size_of(const struct sampler_message *s, unsigned channel)
{
    const struct image *const i = &s->image;
    const struct surface_state *const state = &i->state;
    const uint32_t lod = sampler_parameter(s, P_LOD, channel),
                   levels = surface_field(state, SURFACE_MIP_COUNT_LOD) + 1u;
    union softgt_color size = {.u = {0, 0, 0, levels}};
    if (i->is_null || i->is_buffer)
        return (union softgt_color){.u = {i->is_null ? 0 : i->width}};
    if (lod >= levels)
        return size;
    const struct image *const level = sampler_level_of(s, lod);
    const uint32_t elements = i->is_array ? i->depth : 0;
    size.u[0] = level->width;
    size.u[1] = s->dimensions == 1 ? elements : level->height;
    size.u[2] = s->dimensions == 1 ? 0 : s->dimensions == 3 ? level->depth : elements;
    return size;
}

/* The LOD message: what a sample would take, and the LOD before it is limited. */
static union softgt_color lod_of(const struct sampler_message *s, unsigned channel)
{
    const struct level_choice c = choose_levels(s, channel);
    return (union softgt_color){.f = {(float)(c.level + c.beyond), (float)c.lod, 0, 0}};
}

static union softgt_color samples_of(const struct sampler_message *s)
{
    const struct surface_state *const state = &s->image.state;
    union softgt_color samples = {.u = {0}};
    if (s->image.is_null)
        return samples;
    samples.u[0] = 1u << surface_field(state, SURFACE_NUMBER_OF_MULTISAMPLES);
    samples.u[3] = surface_field(state, SURFACE_MULTISAMPLE_POSITION_PALETTE_INDEX) + 1u;
    return samples;
}

/* ---- The whole message ---- */

/* Applies Shader Channel Select. */
static union softgt_color selected(const struct sampler_message *s, union softgt_color from)
{
    union softgt_color to = {.u = {0}};
    for (unsigned c = 0; c < 4; c++) {
        if (s->select[c] >= SELECT_RED)
            to.u[c] = from.u[s->select[c] - SELECT_RED];
        else if (s->select[c] == SELECT_ONE && s->raw)
            to.u[c] = 1;
        else if (s->select[c] == SELECT_ONE)
            to.f[c] = 1;
    }
    return to;
}

uint32_t sampler_gathered_component(const struct sampler_message *s)
{
    const unsigned channel_select = has_header(s->m) ? payload_dw(s->m, 0, 2) >> 16 & 3u : 0;
    return !s->b->info.shader_channel_select
               ? SELECT_RED + channel_select
               : surface_field(&s->image.state, SURFACE_SHADER_CHANNEL_SELECT_RED + channel_select);
}

static union softgt_color answer(const struct sampler_message *s, unsigned channel)
{
    union softgt_color color = {.u = {0}};
    switch (s->message->action) {
    case SAMPLER_RESINFO:
        return size_of(s, channel);
    case SAMPLER_SAMPLEINFO:
        return samples_of(s);
    case SAMPLER_LD_MCS:
        return mcs_of(s, channel);
    default:
        break;
    }
    if (s->image.is_null)
        return color;
    if (s->message->action == SAMPLER_LOD)
        return lod_of(s, channel);
    if (s->message->action == SAMPLER_GATHER4) {
        const uint32_t from = sampler_gathered_component(s);
        if (from >= SELECT_RED)
            return sampler_gather4(s, channel, from - SELECT_RED);
        for (unsigned c = 0; c < 4 && from == SELECT_ONE; c++)
            if (s->raw)
                color.u[c] = 1;
            else
                color.f[c] = 1;
        return color;
    }
    return selected(s, s->message->action == SAMPLER_LD       ? load_texel(s, channel)
                       : s->message->action == SAMPLER_LD2DMS ? load_sample(s, channel)
                                                              : sample(s, channel));
}

/* Texel offsets, of 4 bits each: u in 11:8, v, r. */
static void take_offsets(struct sampler_message *s)
{
    for (unsigned d = 0; d < DIMENSIONS && has_header(s->m); d++) {
        const int bits = (int)(payload_dw(s->m, 0, 2) >> (8u - 4u * d) & 15u);
        s->offset[d] = bits < 8 ? bits : bits - 16;
    }
}

/* Reads a LOD field as U4.8. On Gen6 the field is U4.6. */
static uint32_t level_field(const struct sampler_message *s, unsigned role)
{
    enum { U4_6_SHIFT = 2 };
    return sampler_field(s, role) << (s->b->info.lod_is_u4_6 ? U4_6_SHIFT : 0);
}

static void decode_filter(struct sampler_message *s)
{
    enum { BIAS_BITS = 13 }; /* signed */
    const uint32_t bias = level_field(s, SAMPLER_TEXTURE_LOD_BIAS) & ((1u << BIAS_BITS) - 1u);
    s->filter = (struct sampler_filter){
        .min_filter = (uint8_t)sampler_field(s, SAMPLER_MIN_MODE_FILTER),
        .mag_filter = (uint8_t)sampler_field(s, SAMPLER_MAG_MODE_FILTER),
        .mip_filter = (uint8_t)sampler_field(s, SAMPLER_MIP_MODE_FILTER),
        .lod_preclamp_mode = (uint8_t)sampler_field(s, SAMPLER_LOD_PRECLAMP_MODE),
        .shadow_function = (uint8_t)sampler_field(s, SAMPLER_SHADOW_FUNCTION),
        .is_seamless = sampler_field(s, SAMPLER_CUBE_SURFACE_CONTROL_MODE) ||
                       sampler_field(s, SAMPLER_TCX_ADDRESS_CONTROL_MODE) == TEXCOORDMODE_CUBE,
        .clamps_magnification = sampler_field(s, SAMPLER_LOD_CLAMP_MAGNIFICATION_MODE),
        .non_normalized = sampler_field(s, SAMPLER_NON_NORMALIZED_COORDINATE_ENABLE),
        .min_lod = fmax(level_number(level_field(s, SAMPLER_MIN_LOD)),
                        level_number(surface_field(&s->image.state, SURFACE_RESOURCE_MIN_LOD))),
        .max_lod = level_number(level_field(s, SAMPLER_MAX_LOD)),
        .lod_bias = level_number(bias),
        .max_anisotropy = 2.0 * (sampler_field(s, SAMPLER_MAXIMUM_ANISOTROPY) + 1u)};
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        s->filter.address_mode[d] = (uint8_t)sampler_field(s, SAMPLER_TCX_ADDRESS_CONTROL_MODE + d);
        s->filter.min_rounding |=
            (uint8_t)(sampler_field(s, SAMPLER_U_ADDRESS_MIN_FILTER_ROUNDING_ENABLE + d) << d);
        s->filter.mag_rounding |=
            (uint8_t)(sampler_field(s, SAMPLER_U_ADDRESS_MAG_FILTER_ROUNDING_ENABLE + d) << d);
    }
}

uint64_t sampler_state_address(const struct message_context *b, const struct eu_send *m)
{
    enum { STATE_BYTES = SAMPLER_STATE_DW * 4 };
    const uint32_t table = has_header(m) ? payload_dw(m, 0, 3) : b->kernel.sampler_state_pointer;
    return b->kernel.dynamic_state_base + (table & ~15u) + (m->descriptor >> 8 & 15u) * STATE_BYTES;
}

/* Loads SAMPLER_STATE: from the header's pointer, or the thread's if there is no header. */
static bool take_state(struct sampler_message *s)
{
    enum { MONO = 6 };
    struct message_context *const b = s->b;
    message_load(b, sampler_state_address(b, s->m), s->state, sizeof s->state);
    decode_filter(s);
    s->reduction = sampler_field(s, SAMPLER_REDUCTION_TYPE_ENABLE)
                       ? (enum reduction)sampler_field(s, SAMPLER_REDUCTION_TYPE)
                   : s->compares ? REDUCTION_COMPARISON
                                 : REDUCTION_STANDARD;
    if (sampler_field(s, SAMPLER_CHROMAKEY_ENABLE))
        b->error_text = "a sampler with a chroma key";
    else if (sampler_field(s, SAMPLER_MIN_MODE_FILTER) == MONO ||
             sampler_field(s, SAMPLER_MAG_MODE_FILTER) == MONO)
        b->error_text = "a sampler with a monochrome filter";
    s->compares = s->reduction == REDUCTION_COMPARISON;
    if (sampler_field(s, SAMPLER_SRGB_DECODE))
        sampler_format_skip_srgb(s);
    s->border = sampler_border_color(s);
    return !b->error_text;
}

/* Checks the surface, and loads the sampler state, of a message that reads texels. */
static bool take_texels(struct sampler_message *s)
{
    struct message_context *const b = s->b;
    const uint32_t type = surface_field(&s->image.state, SURFACE_TYPE);
    const bool loads_sample = s->message->action == SAMPLER_LD2DMS,
               loads = s->message->action == SAMPLER_LD || loads_sample;
    if (b->info.samples_are_interleaved && !loads_sample && s->image.samples_log2) { /* (Mesa, blorp) */
        image_divide_samples(&s->image);
        s->image.samples_log2 = 0;
        s->image.is_sample_grid = true;
    }
    if ((s->cube && loads) || type == SURFTYPE_SCRATCH ||
        (s->image.is_buffer && s->message->action != SAMPLER_LD) ||
        (loads_sample && (s->dimensions != 2 || s->image.blocks)))
        b->error_text = "a sampler message to a surface of an unsupported type";
    else if (s->image.samples_log2 && !loads_sample)
        b->error_text = "a sampler message that does not name a sample, to a surface of several";
    else if (!sampler_format_init(s))
        b->error_text = "a sampler message to a surface of an unsupported format";
    if (b->error_text)
        return false;
    s->image.depth *= s->cube ? CUBE_SIDES : 1u;
    take_offsets(s);
    return loads || take_state(s);
}

/* Writes a 16-bit return: one register holds a component of all channels; SIMD8 uses its lower half. */
static void respond_half(const struct sampler_message *s, unsigned n, unsigned channel, uint32_t value)
{
    const uint16_t half =
        s->raw || s->message->action >= SAMPLER_RESINFO ? (uint16_t)value : softgt_float32_to_16(value);
    writeback(s->m, n, channel * sizeof half, &half, sizeof half);
}

/* A cache flush has nothing to do: texels are read from memory at each sample. The thread waits for the
 * response; no source says what it holds, so its register does not change. (IGC: sampler cache flush,
 * SIMD32/64, type 1Fh) */
static bool is_cache_flush(const struct message_context *b, uint32_t descriptor, uint32_t mode)
{
    enum { CACHE_FLUSH = 0x1f, MODE_32_64 = 3 };
    if (b->info.gen200_sampler_messages)
        return !(descriptor >> 31) && (descriptor >> 12 & 31u) == CACHE_FLUSH;
    return !b->info.gen6_sampler_messages && (descriptor >> 12 & 31u) == CACHE_FLUSH && mode == MODE_32_64;
}

/* Decodes the states of a message. False: there is nothing to sample. */
static bool decode_message(struct sampler_message *s, const struct surface_state *state, bool is_bound)
{
    struct message_context *const b = s->b;
    s->image = (struct image){.is_null = true};
    if (is_bound)
        surface_state_image(b, state, SURFACE_DEPTH, &s->image);
    const uint32_t type = s->image.is_null ? SURFTYPE_NULL : surface_field(&s->image.state, SURFACE_TYPE);
    s->dimensions = type == SURFTYPE_1D ? 1 : type == SURFTYPE_3D ? 3 : 2;
    s->cube = type == SURFTYPE_CUBE;
    s->last_level = s->image.is_null ? 0 : surface_field(&s->image.state, SURFACE_MIP_COUNT_LOD);
    if (!s->image.is_null && s->message->action < SAMPLER_RESINFO && !take_texels(s)) {
        b->not_modelled = b->error_text != NULL;
        return false;
    }
    s->level_mask = level_mask_of(s);
    s->is_plain = !s->has_half_parameters && !s->image.is_sample_grid && sampler_is_plain(s);
    s->has_one_level = s->is_plain && has_one_level(s);
    for (unsigned c = 0; c < 4; c++)
        s->select[c] = (uint8_t)(!b->info.shader_channel_select || s->image.is_null
                                     ? SELECT_RED + c
                                     : surface_field(&s->image.state, SURFACE_SHADER_CHANNEL_SELECT_RED + c));
    return true;
}

static bool returns_halves(const struct sampler_message *s)
{
    enum { HALVES = 1 << 30 };
    return !s->b->info.gen6_sampler_messages && s->m->descriptor & HALVES;
}

/* A component of the response. */
static void respond_row(const struct sampler_message *s, unsigned to, uint32_t channels,
                        const uint32_t values[SAMPLER_CHANNELS])
{
    enum { ALL = 0xff };
    const struct eu_send *const m = s->m;
    const bool halves = returns_halves(s);
    for (unsigned n = 0; n < s->channels / 8u; n++, channels >>= 8) {
        if (!halves && (channels & ALL) == ALL)
            writeback(m, to + n, 0, &values[n * 8], EU_REGISTER_BYTES);
        else
            FOR_EACH_CHANNEL(channel, channels & ALL) {
                if (halves)
                    respond_half(s, to, n * 8 + channel, values[n * 8 + channel]);
                else
                    writeback_channel(m, to, n * 8 + channel, values[n * 8 + channel]);
            }
    }
}

/* The components that the header does not mask, of all channels. */
static void respond(const struct sampler_message *s, uint32_t channels,
                    uint32_t components[4][SAMPLER_CHANNELS])
{
    const uint32_t masked = has_header(s->m) ? payload_dw(s->m, 0, 2) >> 12 & 15u : 0;
    for (unsigned c = 0, to = 0; c < 4; c++) {
        if (masked >> c & 1u)
            continue;
        respond_row(s, to, channels, components[c]);
        to += returns_halves(s) ? payload_part_registers(s->m, s->channels * 2u) : s->channels / 8u;
    }
}

/* Where rows write a component of the response. */
static void place_component(const struct sampler_message *s, unsigned c, void *to, struct sampler_rows *r)
{
    r->response[r->response_count] = to;
    r->source[r->response_count++] = s->message->action == SAMPLER_GATHER4 ? (uint8_t)c
                                     : s->select[c] >= SELECT_RED          ? s->select[c] - SELECT_RED
                                     : s->select[c] == SELECT_ONE          ? SOURCE_ONE
                                                                           : SOURCE_ZERO;
}

/* The response has not the registers of floats of all channels. */
static bool sample_apart(struct sampler_plan *plan, uint32_t channels, struct sampler_rows *r)
{
    uint32_t components[4][SAMPLER_CHANNELS] = {{0}};
    for (unsigned c = 0; c < 4; c++)
        place_component(&plan->message, c, components[c], r);
    if (!sampler_plan_sample(plan, channels, r))
        return false;
    respond(&plan->message, channels, components);
    return true;
}

/* Samples by the plan of the message. False: a texel is not in the TLB, or the plan has no rows. */
static bool sample_by_plan(struct sampler_plan *plan, struct sampler_cache *cache, uint32_t channels)
{
    struct sampler_message *const s = &plan->message;
    const unsigned registers = s->channels / 8u;
    const uint32_t masked = has_header(s->m) ? payload_dw(s->m, 0, 2) >> 12 & 15u : 0;
    struct sampler_rows r;
    s->cache = cache;
    take_offsets(s);
    r.response_count = 0;
    if (returns_halves(s) || !s->m->response || s->m->response_registers % registers) {
        if (!sample_apart(plan, channels, &r))
            return false;
    } else {
        for (unsigned c = 0, to = 0; c < 4 && to < s->m->response_registers; c++)
            if (!(masked >> c & 1u)) {
                place_component(s, c, s->m->response + to * EU_REGISTER_BYTES, &r);
                to += registers;
            }
        if (!sampler_plan_sample(plan, channels, &r))
            return false;
    }
    s->b->counters.sampled_subspans += covered_subspans(channels);
    return true;
}

static void clear_cache(struct sampler_cache *cache)
{
    cache->lod[0] = cache->lod[1] = UINT32_MAX;
    cache->subspan = cache->choice_subspan = UINT_MAX;
}

/* Answers a message that has the plan. Channels beyond the message's 8 or 16 do nothing. False: nothing was
 * done. */
static bool sampler_plan_answer(struct sampler_plan *plan, struct message_context *b, const struct eu_send *m,
                                uint32_t channels)
{
    struct sampler_cache cache;
    clear_cache(&cache);
    sampler_plan_begin(plan, b, m);
    return sample_by_plan(plan, &cache, channels & ((1u << plan->message.channels) - 1u));
}

/* ---- Planned messages ---- */

static struct planned_sampler *planned_sampler_of(struct message_context *b, const struct eu_send *m)
{
    return &b->caches.planned_samplers[cache_index(m->descriptor, SAMPLER_PLAN_BITS)];
}

/* The draw changes none of the states that the message's plan was found by. */
static void planned_sampler_init(struct message_context *b, const struct eu_send *m,
                                 struct sampler_plan *plan, uint64_t local_bytes)
{
    if (b->effects.nothing && !has_header(m))
        *planned_sampler_of(b, m) = (struct planned_sampler){m->descriptor, payload_registers(m), plan,
                                                             b->caches.sampler_plans_made, local_bytes};
}

int sampler_planned(struct message_context *b, const struct eu_send *m)
{
    enum { NOT_DONE = -1 };
    const struct planned_sampler *const p = planned_sampler_of(b, m);
    if (tracing(b->memory.log, SOFTGT_TRACE_SAMPLING) || sampler_is_split(b, m) || !p->plan ||
        p->descriptor != m->descriptor || p->payload_registers != payload_registers(m) ||
        p->made != b->caches.sampler_plans_made)
        return NOT_DONE;
    b->work.memory_accesses = b->work.sampled_levels = 0;
    if (!sampler_plan_answer(p->plan, b, m, m->channels))
        return NOT_DONE;
    b->memory.counters->local_loaded += p->local_bytes;
    return (int)message_cost(b->work.memory_accesses, b->work.sampled_levels);
}

static void trace_sampling(const struct message_context *b, const struct eu_send *m,
                           const struct surface_state *state)
{
    const struct softgt_sampling s = {.binding = m->descriptor & 0xffu,
                                      .surface_state = state ? state->dw : NULL,
                                      .length_dw = SURFACE_STATE_DW,
                                      .sampler = sampler_state_address(b, m),
                                      .channels = m->channels};
    trace_event(b->memory.log, (struct softgt_event){.what = SOFTGT_TRACE_SAMPLING,
                                                     .unit = b->memory.unit,
                                                     .name = "sampling",
                                                     .sampling = &s});
}

/* A message of 32 channels: all of its payload is read before the response is written. */
static bool sample_halves(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    struct sampler_split halves[2];
    bool known = true;
    for (unsigned n = 0; n < 2; n++)
        sampler_split(&halves[n], m, n);
    for (unsigned n = 0; n < 2 && known && !message_faulted(b); n++)
        known = sampler(b, &halves[n].send, kind);
    for (unsigned n = 0; n < 2 && known && !message_faulted(b); n++)
        sampler_join(&halves[n], m);
    return known;
}

bool sampler(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { MODE_4X2, MODE_8, MODE_16, HALVES = 4 };
    const uint32_t d = m->descriptor,
                   mode = b->info.gen6_sampler_messages ? d >> 16 & 3u : (d >> 29 & 1u) << 2 | (d >> 17 & 3u);
    struct sampler_cache cache;
    struct surface_state state;
    if (is_cache_flush(b, d, mode))
        return true;
    if (sampler_is_split(b, m))
        return sample_halves(b, m, kind);
    const bool is_gen6 = b->info.gen6_sampler_messages;
    const uint8_t type = (uint8_t)(d >> 12 & (is_gen6 ? 15u : 31u));
    const bool halves = mode & HALVES, by_2 = (mode & ~(uint32_t)HALVES) == MODE_16;
    const struct sampler_operation_info *message = is_gen6 ? &gen6_messages[type]
                                                   : b->info.gen200_sampler_messages
                                                       ? sampler_gen200_message(d, halves)
                                                       : &messages[type];
    if (message == &messages[LOAD_WITH_LEVEL] && b->info.ld_lod_is_second_parameter)
        message = &ld_lod_second;
    if (mode == MODE_4X2 && b->info.has_simd4x2 && message->action != SAMPLER_UNSUPPORTED)
        return sampler_simd4x2(b, m,
                               &(struct sampler_simd4x2){message->parameters, simd4x2_parameters(type),
                                                         d | 1u << (is_gen6 ? 16 : 17)});
    if (message == &messages[LD2DMS_W] && halves)
        message = &ld2dms_w_halves;
    if (message->action == SAMPLER_UNSUPPORTED || (!by_2 && (mode & ~(uint32_t)HALVES) != MODE_8)) {
        b->error_text = "a sampler message that is not modelled";
        b->not_modelled = true;
        return false;
    }
    clear_cache(&cache);
    const uint64_t *const loaded = &b->memory.counters->local_loaded, before = *loaded;
    const bool is_bound = message_surface_state(b, m, &state);
    if (message_faulted(b))
        return true;
    if (tracing(b->memory.log, SOFTGT_TRACE_SAMPLING))
        trace_sampling(b, m, is_bound ? &state : NULL);
    if (message == &gen6_messages[LOAD_WITH_LEVEL] && is_bound &&
        surface_field(&state, SURFACE_NUMBER_OF_MULTISAMPLES))
        message = &gen6_ld2dms;
    const unsigned width = payload_part_registers(m, 1) * SIMD8_CHANNELS << by_2;
    const uint32_t channels = m->channels & ((1u << width) - 1u);
    struct sampler_plan *const plan = is_bound && !halves ? sampler_plan_find(b, m, &state) : NULL;
    struct sampler_message s = {.b = b,
                                .m = m,
                                .message = message,
                                .channels = width,
                                .has_half_parameters = halves,
                                .cache = &cache};
    if (plan) {
        planned_sampler_init(b, m, plan, *loaded - before);
        sampler_plan_begin(plan, b, m);
        if (sample_by_plan(plan, &cache, channels))
            return true;
        s = plan->message;
    } else {
        place_parameters(&s);
        s.compares = has_parameter(&s, P_REF);
        if (!decode_message(&s, &state, is_bound))
            return false;
        if (s.is_plain && !message_faulted(b))
            sampler_plan_make(&s);
    }
    if (s.message->action == SAMPLER_LD2DMS) {
        cache.samples = s.image;
        image_divide_samples(&cache.samples);
    }
    if (s.message->action < SAMPLER_RESINFO)
        b->counters.sampled_subspans += covered_subspans(channels);
    uint32_t components[4][SAMPLER_CHANNELS];
    FOR_EACH_CHANNEL(n, channels) {
        const union softgt_color color = answer(&s, n);
        if (message_faulted(b))
            return true;
        for (unsigned c = 0; c < 4; c++)
            components[c][n] = color.u[c];
    }
    respond(&s, channels, components);
    return true;
}
