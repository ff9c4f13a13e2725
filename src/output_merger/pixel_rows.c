/*
 * Rows of pixels: eight colors are clamped, blended, converted and stored. Compiled once for each level of
 * vectors; operations and their order are those of render_target.c, and so are the results.
 */
#include "output_merger/pixel_rows.h"
#include "base/inline.h"
#include "output_merger/vectors.h"
#include "shared_function/sampler_plan.h"

/* gcc 12's analyser doubts that loops over components fill arrays. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-use-of-uninitialized-value"
#endif

enum { RED, GREEN, BLUE, ALPHA };

static INLINE uint32_t low_bits(unsigned count)
{
    return UINT32_MAX >> (32u - count);
}

/* ---- Components to memory ---- */

static INLINE vu encode_unorm(vf value, unsigned bits)
{
    const vf limited = less_of(greater_of(value, splat(0)), splat(1));
    return scale_to_integer(limited, low_bits(bits)) & low_bits(bits);
}

static INLINE vu encode_snorm(vf value, unsigned bits)
{
    /* NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself */
    const vf number = choose(value == value, value, splat(0)),
             limited = less_of(greater_of(number, splat(-1)), splat(1));
    return scale_to_integer(limited, low_bits(bits - 1)) & low_bits(bits);
}

static INLINE vu encode_uint(vu value, unsigned bits)
{
    const vu most = splat_bits(low_bits(bits)), over = (vu)(value > most);
    return (value & ~over) | (most & over);
}

static INLINE vu encode_sint(vi value, unsigned bits)
{
    const int32_t most = (int32_t)(low_bits(bits) >> 1);
    const vi high = most - (vi){0}, low = -most - 1 - (vi){0};
    value = (value & (value <= high)) | (high & (value > high));
    value = (value & (value >= low)) | (low & (value < low));
    return (vu)value & low_bits(bits);
}

static INLINE vu encode_half(vf value)
{
#if HAS_AVX2
    return (vu)_mm256_cvtepu16_epi32(
        _mm256_cvtps_ph((__m256)value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
    vu bits = {0};
    for (unsigned n = 0; n < LANES; n++)
        bits[n] = (uint32_t)softgt_component_encode(SOFTGT_COMPONENT_FLOAT, 16, (double)value[n]);
    return bits;
#endif
}

/* Out of line: code of a rare format in the loops of rows slows the frequent ones. */
static NOINLINE void encode_each(unsigned kind, unsigned count, const vf *value, vu *bits)
{
    for (unsigned n = 0; n < LANES; n++)
        (*bits)[n] = (uint32_t)softgt_component_encode(kind, count, (double)(*value)[n]);
}

static INLINE vu encode_lanes(unsigned kind, unsigned count, vf value)
{
    vu bits = {0};
    encode_each(kind, count, &value, &bits);
    return bits;
}

/* A NaN becomes a quiet one. */
static INLINE vu quiet(vu bits)
{
    const vf value = (vf)bits;
    return bits | ((vu)(value != value) & 0x400000u); /* NOLINT(misc-redundant-expression) */
}

static INLINE vu encode(const struct row_component *c, vf value)
{
    switch (c->codec) {
    case COMPONENT_UNORM:
        return encode_unorm(value, c->bits);
    case COMPONENT_SNORM:
        return encode_snorm(value, c->bits);
    case COMPONENT_UINT:
        return encode_uint((vu)value, c->bits);
    case COMPONENT_SINT:
        return encode_sint((vi)value, c->bits);
    case COMPONENT_FLOAT16:
        return encode_half(value);
    case COMPONENT_SRGB:
        return encode_lanes(SOFTGT_COMPONENT_SRGB, 8, value);
    case COMPONENT_UNSIGNED_FLOAT:
        return encode_lanes(SOFTGT_COMPONENT_FLOAT, c->bits, value);
    default:
        return quiet((vu)value);
    }
}

/* ---- And from it ---- */

static INLINE vf decode_half(vu raw)
{
#if HAS_AVX2
    const __m256i halves = (__m256i)raw;
    return (vf)_mm256_cvtph_ps(
        _mm_packus_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
#else
    vf value = {0};
    for (unsigned n = 0; n < LANES; n++)
        value[n] = softgt_component_to_float(SOFTGT_COMPONENT_FLOAT, 16, raw[n]);
    return value;
#endif
}

static NOINLINE void decode_each(unsigned kind, unsigned count, const vu *raw, vf *value)
{
    for (unsigned n = 0; n < LANES; n++)
        (*value)[n] = softgt_component_to_float(kind, count, (*raw)[n]);
}

static INLINE vf decode_lanes(unsigned kind, unsigned count, vu raw)
{
    vf value = {0};
    decode_each(kind, count, &raw, &value);
    return value;
}

static INLINE vi extend(vu raw, unsigned bits)
{
    return (vi)(raw << (32u - bits)) >> (32u - bits);
}

static INLINE vf decode(const struct row_component *c, vu dword)
{
    const vu raw = dword >> c->first & low_bits(c->bits);
    switch (c->codec) {
    case COMPONENT_UNORM: /* both are floats: the division rounds once */
        return __builtin_convertvector((vi)raw, vf) / (float)low_bits(c->bits);
    case COMPONENT_SNORM: {
        const vf value = __builtin_convertvector(extend(raw, c->bits), vf);
        const float most = (float)low_bits(c->bits - 1u);
        return greater_of(value, splat(-most)) / most;
    }
    case COMPONENT_UINT:
        return (vf)raw;
    case COMPONENT_SINT:
        return (vf)extend(raw, c->bits);
    case COMPONENT_FLOAT16:
        return decode_half(raw);
    case COMPONENT_SRGB:
        return decode_lanes(SOFTGT_COMPONENT_SRGB, 8, raw);
    case COMPONENT_UNSIGNED_FLOAT:
        return decode_lanes(SOFTGT_COMPONENT_FLOAT, c->bits, raw);
    default:
        return (vf)quiet(raw);
    }
}

/* ---- Blending ---- */

struct blend_sources {
    vf source[PIXEL_COMPONENTS], second[PIXEL_COMPONENTS], destination[PIXEL_COMPONENTS],
        constant[PIXEL_COMPONENTS];
};

/* The factors of the colors from `first` on, up to `end`. */
static INLINE void blend_factors(const struct blend_sources *b, unsigned code, unsigned first, unsigned end,
                                 vf *factors)
{
    const vf *all = NULL; /* a factor for each component */
    vf one = splat(0);    /* or one for all */
    switch (code & (BLENDFACTOR_INVERSE - 1u)) {
    case BLENDFACTOR_ONE:
        one = splat(1);
        break;
    case BLENDFACTOR_SRC_COLOR:
        all = b->source;
        break;
    case BLENDFACTOR_SRC_ALPHA:
        one = b->source[ALPHA];
        break;
    case BLENDFACTOR_DST_ALPHA:
        one = b->destination[ALPHA];
        break;
    case BLENDFACTOR_DST_COLOR:
        all = b->destination;
        break;
    case BLENDFACTOR_SRC_ALPHA_SATURATE:
        one = first == ALPHA ? splat(1) : less_of(b->source[ALPHA], 1 - b->destination[ALPHA]);
        break;
    case BLENDFACTOR_CONST_COLOR:
        all = b->constant;
        break;
    case BLENDFACTOR_CONST_ALPHA:
        one = b->constant[ALPHA];
        break;
    case BLENDFACTOR_SRC1_COLOR:
        all = b->second;
        break;
    case BLENDFACTOR_SRC1_ALPHA:
        one = b->second[ALPHA];
        break;
    default:
        break;
    }
    if (code & BLENDFACTOR_INVERSE)
        one = 1 - one;
    for (unsigned n = first; n < end; n++)
        factors[n] = !all ? one : code & BLENDFACTOR_INVERSE ? 1 - all[n] : all[n];
}

/* All NaNs that operations give are one. */
static INLINE vf canonical(vf value)
{
    return choose(value == value, value, (vf)splat_bits(0x7fc00000)); /* NOLINT(misc-redundant-expression) */
}

struct blend_equation {
    unsigned function, source_factor, destination_factor;
};

/* Blends the components from `first` on, up to `end`. */
static INLINE void blend(const struct blend_sources *b, const struct blend_equation *q, unsigned first,
                         unsigned end, bool keeps_nans, vf *color)
{
    vf from[PIXEL_COMPONENTS], to[PIXEL_COMPONENTS];
    const vf *const s = b->source, *const d = b->destination;
    if (q->function == BLENDFUNCTION_MIN || q->function == BLENDFUNCTION_MAX) {
        for (unsigned n = first; n < end; n++)
            color[n] = q->function == BLENDFUNCTION_MIN ? less_of(s[n], d[n]) : greater_of(s[n], d[n]);
        return;
    }
    blend_factors(b, q->source_factor, first, end, from);
    blend_factors(b, q->destination_factor, first, end, to);
    for (unsigned n = first; n < end; n++) {
        const vf source = s[n] * from[n], destination = d[n] * to[n];
        const vf result = q->function == BLENDFUNCTION_SUBTRACT           ? source - destination
                          : q->function == BLENDFUNCTION_REVERSE_SUBTRACT ? destination - source
                                                                          : source + destination;
        color[n] = keeps_nans ? canonical(result) : result;
    }
}

/* ---- Rows ---- */

/* A row of a block. The codec is a constant where the compiler knows it. */
struct row {
    const struct pixel_output *output;
    const struct row_format *format;
    const uint8_t *const *color, *const *second;
    uint8_t *const (*pixels)[2];
    const float *constant;
    uint32_t right, mask;
    enum row_codec codec;
};

/* Conversions to UNORM clamp by themselves, and NaNs to 0. */
static INLINE bool converts_clamped(const struct row *r)
{
    return r->codec != ROW_ANY;
}

static INLINE void clamp(const struct pixel_output *o, vf *color)
{
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
        if (o->clamps[n])
            color[n] = less_of(greater_of(color[n], splat(o->low[n])), splat(1));
}

/* The bytes of a pixel, from dwords or to them: of pixel `n` of a row. */
static INLINE void move_pixel(unsigned bytes, uint8_t *pixel, uint32_t (*dwords)[ROW_PIXELS], unsigned n,
                              bool stores)
{
    uint32_t all[PIXEL_COMPONENTS] = {0};
    for (unsigned d = 0; stores && d * 4u < bytes; d++)
        all[d] = dwords[d][n];
    memcpy(stores ? (void *)pixel : all, stores ? (const void *)all : pixel, bytes);
    for (unsigned d = 0; !stores && d * 4u < bytes; d++)
        dwords[d][n] = all[d];
}

static INLINE void move_pixels(const struct row *r, unsigned bytes, uint32_t (*dwords)[ROW_PIXELS],
                               bool stores)
{
    for (unsigned n = 0; n < ROW_PIXELS; n++)
        if (r->mask >> n & 1u)
            move_pixel(bytes, r->pixels[n / SUBSPAN_PIXELS][n >> 1 & 1u] + (n & 1u) * r->right, dwords, n,
                       stores);
}

/* Pixels of a dword: the two of a subspan's line lie together. */
static INLINE void move_dwords(const struct row *r, uint32_t (*dwords)[ROW_PIXELS], bool stores)
{
    for (unsigned s = 0; s < ROW_SUBSPANS; s++) {
        const uint32_t mask = r->mask >> s * SUBSPAN_PIXELS & 15u;
        if (__builtin_expect(mask == 15, 1))
            for (unsigned y = 0; y < 2; y++) {
                uint32_t *const pair = dwords[0] + s * SUBSPAN_PIXELS + 2 * y;
                memcpy(stores ? r->pixels[s][y] : (void *)pair, stores ? (void *)pair : r->pixels[s][y], 8);
            }
        else
            for (unsigned n = 0; n < SUBSPAN_PIXELS; n++)
                if (mask >> n & 1u)
                    move_pixel(4, r->pixels[s][n >> 1] + (n & 1u) * 4u, dwords, s * SUBSPAN_PIXELS + n,
                               stores);
    }
}

static INLINE void move_row(const struct row *r, uint32_t (*dwords)[ROW_PIXELS], bool stores)
{
    switch (r->codec != ROW_ANY ? 4 : r->format->bytes) {
    case 1:
        move_pixels(r, 1, dwords, stores);
        break;
    case 2:
        move_pixels(r, 2, dwords, stores);
        break;
    case 4:
        move_dwords(r, dwords, stores);
        break;
    case 8:
        move_pixels(r, 8, dwords, stores);
        break;
    default:
        move_pixels(r, 16, dwords, stores);
        break;
    }
}

/* The new colors of LANES pixels, from those that are in memory. */
static INLINE void merge(const struct row *r, unsigned first, const vf *destination, vf *color)
{
    const struct pixel_output *const o = r->output;
    struct blend_sources b;
    if (o->blends) {
        const bool clamps = o->how.clamp_enables & CLAMP_PRE_BLEND;
        for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) {
            b.source[n] = color[n];
            b.second[n] = load_lanes(r->second[n] + first * 4u);
            b.destination[n] = destination[n];
            b.constant[n] = splat(r->constant[n]);
        }
        if (clamps || o->how.clamp_enables & CLAMP_PRE_BLEND_SOURCE_ONLY)
            clamp(o, b.second);
        if (clamps && !converts_clamped(r))
            clamp(o, b.destination);
        const struct render_target_blend *const how = &o->how;
        blend(&b,
              &(struct blend_equation){how->color_function, how->color_source_factor,
                                       how->color_destination_factor},
              RED, ALPHA, !converts_clamped(r), color);
        blend(&b,
              &(struct blend_equation){how->alpha_function, how->alpha_source_factor,
                                       how->alpha_destination_factor},
              ALPHA, PIXEL_COMPONENTS, !converts_clamped(r), color);
    }
    if (o->how.clamp_enables & CLAMP_POST_BLEND && !converts_clamped(r))
        clamp(o, color);
    for (unsigned n = 0; o->how.write_mask != WRITE_ALL && n < PIXEL_COMPONENTS;
         n++) /* components that are not written keep their value */
        if (!(o->how.write_mask >> n & 1u))
            color[n] = destination[n];
}

/* n / 255: the quotient of one step of Newton is the rounded one. */
static INLINE vf decode_unorm8(vu raw)
{
    const vf n = __builtin_convertvector((vi)(raw & 255u), vf);
#if HAS_AVX2
    const __m256 inverse = _mm256_set1_ps(1.0f / 255), q = _mm256_mul_ps((__m256)n, inverse);
    return (vf)_mm256_fmadd_ps(_mm256_fnmadd_ps(q, _mm256_set1_ps(255), (__m256)n), inverse, q);
#else
    return n / 255.f;
#endif
}

static INLINE void decode_pixels(const struct row *r, uint32_t (*dwords)[ROW_PIXELS], unsigned first,
                                 vf *color)
{
    static const float missing[PIXEL_COMPONENTS] = {0, 0, 0, 1};
    if (r->codec != ROW_ANY) {
        const vu raw = (vu)load_lanes(&dwords[0][first]);
        color[RED] = decode_unorm8(raw >> (r->codec == ROW_RGBA8_UNORM ? 0 : 16));
        color[GREEN] = decode_unorm8(raw >> 8);
        color[BLUE] = decode_unorm8(raw >> (r->codec == ROW_RGBA8_UNORM ? 16 : 0));
        color[ALPHA] = decode_unorm8(raw >> 24);
        return;
    }
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) {
        const struct row_component *const c = &r->format->component[n];
        if (c->codec != COMPONENT_NONE)
            color[n] = decode(c, (vu)load_lanes(&dwords[c->dword][first]));
        else
            color[n] = n == ALPHA && r->output->has_integers ? (vf)splat_bits(1) : splat(missing[n]);
    }
}

static INLINE void encode_pixels(const struct row *r, const vf *color, unsigned first,
                                 uint32_t (*dwords)[ROW_PIXELS])
{
    const struct row_format *const f = r->format;
    if (r->codec != ROW_ANY) {
        const bool swaps = r->codec == ROW_BGRA8_UNORM;
        const vu pixels = encode_unorm(color[swaps ? BLUE : RED], 8) | encode_unorm(color[GREEN], 8) << 8 |
                          encode_unorm(color[swaps ? RED : BLUE], 8) << 16 |
                          encode_unorm(color[ALPHA], 8) << 24;
        memcpy(&dwords[0][first], &pixels, sizeof pixels);
        return;
    }
    vu words[PIXEL_COMPONENTS] = {{0}};
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) {
        const struct row_component *const c = &f->component[n];
        if (c->codec != COMPONENT_NONE && !c->is_alias)
            words[c->dword] |= encode(c, color[n]) << c->first;
    }
    for (unsigned d = 0; d * 4u < f->bytes; d++)
        memcpy(&dwords[d][first], &words[d], sizeof words[d]);
}

/* Writes the colors of LANES pixels into `dwords`, which have what is in memory if that is read. */
static INLINE void write_lanes(const struct row *r, unsigned first, bool reads,
                               uint32_t (*dwords)[ROW_PIXELS])
{
    const struct pixel_output *const o = r->output;
    vf color[PIXEL_COMPONENTS], destination[PIXEL_COMPONENTS];
#pragma GCC unroll 4
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
        color[n] = load_lanes(r->color[n] + first * 4u);
    if (o->how.alpha_to_one && !o->has_integers)
        color[ALPHA] = splat(1);
    if (o->how.clamp_enables & (CLAMP_PRE_BLEND | CLAMP_PRE_BLEND_SOURCE_ONLY) &&
        !(converts_clamped(r) && !o->blends))
        clamp(o, color);
    if (reads) {
        decode_pixels(r, dwords, first, destination);
        merge(r, first, destination, color);
    } else if (o->how.clamp_enables & CLAMP_POST_BLEND && !converts_clamped(r)) {
        clamp(o, color);
    }
    encode_pixels(r, color, first, dwords);
}

static INLINE bool reads_pixels(const struct pixel_output *o)
{
    return o->blends || o->how.write_mask != WRITE_ALL;
}

static INLINE void write_row(const struct row *r)
{
    const bool reads = reads_pixels(r->output);
    uint32_t dwords[PIXEL_COMPONENTS][ROW_PIXELS];
    if (reads) {
        memset(dwords, 0, sizeof dwords);
        move_row(r, dwords, false);
    }
    for (unsigned first = 0; first < ROW_PIXELS; first += LANES)
        write_lanes(r, first, reads, dwords);
    move_row(r, dwords, true);
}

/* Half of a square with lines. Pixels that the mask does not have keep their dwords. */
static INLINE void write_half_square(const struct row *r, uint8_t *lines)
{
    enum { ALL = (1 << ROW_PIXELS) - 1 };
    const bool reads = reads_pixels(r->output);
    uint32_t dwords[1][ROW_PIXELS], before[ROW_PIXELS];
    if (reads || r->mask != ALL) {
        move_half_square((uint8_t *)before, lines);
        memcpy(dwords[0], before, sizeof before);
    }
    for (unsigned first = 0; first < ROW_PIXELS; first += LANES)
        write_lanes(r, first, reads, dwords);
    for (unsigned n = 0; n < ROW_PIXELS && r->mask != ALL; n++)
        dwords[0][n] = r->mask >> n & 1u ? dwords[0][n] : before[n];
    move_half_square(lines, (const uint8_t *)dwords[0]);
}

/* All pixels of a square with lines, where nothing but the source's colors is written. */
static INLINE void write_plain_square(const struct pixel_block *b, enum row_codec codec)
{
    const struct row r = {.codec = codec};
    for (unsigned n = 0; n < MESSAGE_ROWS; n++) {
        uint32_t dwords[1][ROW_PIXELS];
        for (unsigned first = 0; first < ROW_PIXELS; first += LANES) {
            vf color[PIXEL_COMPONENTS];
#pragma GCC unroll 4
            for (unsigned c = 0; c < PIXEL_COMPONENTS; c++)
                color[c] = load_lanes(b->color[n][c] + first * 4u);
            encode_pixels(&r, color, first, dwords);
        }
        move_half_square(b->lines + n * sizeof dwords, (const uint8_t *)dwords[0]);
    }
}

/* All pixels of a square with lines, which are blended over what is there: by the source's alpha. */
static INLINE void write_square_over(const struct pixel_block *b, enum row_codec codec)
{
    const struct row r = {.codec = codec};
    const bool clamps = b->plan->output.how.clamp_enables & (CLAMP_PRE_BLEND | CLAMP_PRE_BLEND_SOURCE_ONLY);
    for (unsigned n = 0; n < MESSAGE_ROWS; n++) {
        uint32_t dwords[1][ROW_PIXELS];
        move_half_square((uint8_t *)dwords[0], b->lines + n * sizeof dwords);
        for (unsigned first = 0; first < ROW_PIXELS; first += LANES) {
            vf color[PIXEL_COMPONENTS], destination[PIXEL_COMPONENTS];
            decode_pixels(&r, dwords, first, destination);
#pragma GCC unroll 4
            for (unsigned c = 0; c < PIXEL_COMPONENTS; c++) {
                color[c] = load_lanes(b->color[n][c] + first * 4u);
                if (clamps)
                    color[c] = less_of(greater_of(color[c], splat(0)), splat(1));
            }
            const vf alpha = color[ALPHA], others = 1 - alpha;
#pragma GCC unroll 4
            for (unsigned c = 0; c < PIXEL_COMPONENTS; c++)
                color[c] = color[c] * alpha + destination[c] * others;
            encode_pixels(&r, color, first, dwords);
        }
        move_half_square(b->lines + n * sizeof dwords, (const uint8_t *)dwords[0]);
    }
}

/* A square of a codec's pixels, all of them: false, if there is no code of its own for it. */
static INLINE bool write_whole_square(const struct pixel_block *b, enum row_codec codec)
{
    if (!b->lines || b->mask != UINT16_MAX)
        return false;
    if (b->plan->is_plain)
        write_plain_square(b, codec);
    else if (b->plan->is_over)
        write_square_over(b, codec);
    return b->plan->is_plain || b->plan->is_over;
}

static INLINE void write_rows(const struct pixel_block *b, enum row_codec codec)
{
    enum { ALL = (1 << ROW_PIXELS) - 1, ROW_BYTES = ROW_PIXELS * 4 };
    for (unsigned n = 0; n < MESSAGE_ROWS; n++) {
        const struct row r = {.output = &b->plan->output,
                              .format = &b->plan->format,
                              .codec = codec,
                              .color = b->color[n],
                              .second = b->second[n],
                              .pixels = (uint8_t *const(*)[2]) & b->pixels[n * ROW_SUBSPANS],
                              .constant = b->constant,
                              .right = b->plan->pixels.right,
                              .mask = b->mask >> n * ROW_PIXELS & ALL};
        if (!r.mask)
            continue;
        if (b->lines)
            write_half_square(&r, b->lines + (size_t)n * ROW_BYTES);
        else
            write_row(&r);
    }
}

static void write_block(const struct pixel_block *b)
{
    switch (b->plan->row_codec) {
    case ROW_RGBA8_UNORM:
        if (!write_whole_square(b, ROW_RGBA8_UNORM))
            write_rows(b, ROW_RGBA8_UNORM);
        break;
    case ROW_BGRA8_UNORM:
        if (!write_whole_square(b, ROW_BGRA8_UNORM))
            write_rows(b, ROW_BGRA8_UNORM);
        break;
    default:
        write_rows(b, ROW_ANY);
        break;
    }
}

const struct pixel_functions OF_LEVEL(pixel_functions) = {
    .write = write_block, .test_depth = OF_LEVEL(depth_row_test), .sampler = &OF_LEVEL(sampler_functions)};
#if HAS_AVX2 && HAS_LEVEL_V4
const struct pixel_functions pixel_functions_v4 = {
    .write = write_block, .test_depth = OF_LEVEL(depth_row_test), .sampler = &sampler_functions_v4};
#endif
