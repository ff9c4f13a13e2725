/*
 * Rows of pixels: eight colors are clamped, blended, converted and stored. Compiled once for each level of
 * vectors; operations and their order are those of render_target.c, and so are the results.
 */
#include "output_merger/pixel_rows.h"
#include "output_merger/vectors.h"

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
    vu bits;
    for (unsigned n = 0; n < LANES; n++)
        bits[n] = (uint32_t)softgt_component_encode(SOFTGT_FLOAT, 16, (double)value[n]);
    return bits;
#endif
}

/* A NaN becomes a quiet one. */
static INLINE vu quiet(vu bits)
{
    const vf value = (vf)bits;
    return bits | ((vu)(value != value) & 0x400000u);
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
    vf value;
    for (unsigned n = 0; n < LANES; n++)
        value[n] = softgt_component_to_float(SOFTGT_FLOAT, 16, raw[n]);
    return value;
#endif
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
    default:
        return (vf)quiet(raw);
    }
}

/* ---- Blending ---- */

struct blend_sources {
    vf source[PIXEL_COMPONENTS], second[PIXEL_COMPONENTS], destination[PIXEL_COMPONENTS],
        constant[PIXEL_COMPONENTS];
};

static INLINE vf blend_factor(const struct blend_sources *b, unsigned code, unsigned component)
{
    vf value = splat(0);
    switch (code & (BLENDFACTOR_INVERSE - 1u)) {
    case BLENDFACTOR_ONE:
        value = splat(1);
        break;
    case BLENDFACTOR_SRC_COLOR:
        value = b->source[component];
        break;
    case BLENDFACTOR_SRC_ALPHA:
        value = b->source[ALPHA];
        break;
    case BLENDFACTOR_DST_ALPHA:
        value = b->destination[ALPHA];
        break;
    case BLENDFACTOR_DST_COLOR:
        value = b->destination[component];
        break;
    case BLENDFACTOR_SRC_ALPHA_SATURATE:
        value = component == ALPHA ? splat(1) : less_of(b->source[ALPHA], 1 - b->destination[ALPHA]);
        break;
    case BLENDFACTOR_CONST_COLOR:
        value = b->constant[component];
        break;
    case BLENDFACTOR_CONST_ALPHA:
        value = b->constant[ALPHA];
        break;
    case BLENDFACTOR_SRC1_COLOR:
        value = b->second[component];
        break;
    case BLENDFACTOR_SRC1_ALPHA:
        value = b->second[ALPHA];
        break;
    default:
        break;
    }
    return code & BLENDFACTOR_INVERSE ? 1 - value : value;
}

/* All NaNs that operations give are one. */
static INLINE vf canonical(vf value)
{
    return choose(value == value, value, (vf)splat_bits(0x7fc00000));
}

static INLINE vf blend(const struct blend_sources *b, const struct render_target_blend *how,
                       unsigned component)
{
    const bool alpha = component == ALPHA;
    const unsigned from = alpha ? how->alpha_source_factor : how->color_source_factor,
                   to = alpha ? how->alpha_destination_factor : how->color_destination_factor;
    const vf s = b->source[component], d = b->destination[component];
    switch (alpha ? how->alpha_function : how->color_function) {
    case BLENDFUNCTION_SUBTRACT:
        return canonical(s * blend_factor(b, from, component) - d * blend_factor(b, to, component));
    case BLENDFUNCTION_REVERSE_SUBTRACT:
        return canonical(d * blend_factor(b, to, component) - s * blend_factor(b, from, component));
    case BLENDFUNCTION_MIN:
        return less_of(s, d);
    case BLENDFUNCTION_MAX:
        return greater_of(s, d);
    default:
        return canonical(s * blend_factor(b, from, component) + d * blend_factor(b, to, component));
    }
}

/* ---- Rows ---- */

/* A row of a block. The format is a constant where the compiler knows it. */
struct row {
    const struct pixel_output *output;
    const struct row_format *format;
    const uint8_t *const *color, *const *second;
    uint8_t *const (*pixels)[2];
    const float *constant;
    uint32_t right, mask;
};

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
    switch (r->format->bytes) {
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
        if (clamps)
            clamp(o, b.destination);
        for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
            color[n] = blend(&b, &o->how, n);
    }
    if (o->how.clamp_enables & CLAMP_POST_BLEND)
        clamp(o, color);
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) /* components that are not written keep their value */
        if (!(o->how.write_mask >> n & 1u))
            color[n] = destination[n];
}

static INLINE void decode_pixels(const struct row *r, uint32_t (*dwords)[ROW_PIXELS], unsigned first,
                                 vf *color)
{
    static const float missing[PIXEL_COMPONENTS] = {0, 0, 0, 1};
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) {
        const struct row_component *const c = &r->format->component[n];
        if (c->codec != COMPONENT_NONE)
            color[n] = decode(c, (vu)load_lanes(&dwords[c->dword][first]));
        else
            color[n] = n == ALPHA && r->output->has_integers ? (vf)splat_bits(1) : splat(missing[n]);
    }
}

static INLINE void encode_pixels(const struct row_format *f, const vf *color, unsigned first,
                                 uint32_t (*dwords)[ROW_PIXELS])
{
    vu words[PIXEL_COMPONENTS] = {{0}};
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) {
        const struct row_component *const c = &f->component[n];
        if (c->codec != COMPONENT_NONE && !c->is_alias)
            words[c->dword] |= encode(c, color[n]) << c->first;
    }
    for (unsigned d = 0; d * 4u < f->bytes; d++)
        memcpy(&dwords[d][first], &words[d], sizeof words[d]);
}

static INLINE void write_row(const struct row *r)
{
    const struct pixel_output *const o = r->output;
    const bool reads = o->blends || o->how.write_mask != WRITE_ALL;
    uint32_t dwords[PIXEL_COMPONENTS][ROW_PIXELS];
    if (reads) {
        memset(dwords, 0, sizeof dwords);
        move_row(r, dwords, false);
    }
    for (unsigned first = 0; first < ROW_PIXELS; first += LANES) {
        vf color[PIXEL_COMPONENTS], destination[PIXEL_COMPONENTS];
        for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
            color[n] = load_lanes(r->color[n] + first * 4u);
        if (o->how.alpha_to_one && !o->has_integers)
            color[ALPHA] = splat(1);
        if (o->how.clamp_enables & (CLAMP_PRE_BLEND | CLAMP_PRE_BLEND_SOURCE_ONLY))
            clamp(o, color);
        if (reads) {
            decode_pixels(r, dwords, first, destination);
            merge(r, first, destination, color);
        } else if (o->how.clamp_enables & CLAMP_POST_BLEND) {
            clamp(o, color);
        }
        encode_pixels(r->format, color, first, dwords);
    }
    move_row(r, dwords, true);
}

static INLINE void write_rows(const struct pixel_block *b, const struct row_format *format)
{
    enum { ALL = (1 << ROW_PIXELS) - 1 };
    for (unsigned n = 0; n < MESSAGE_ROWS; n++) {
        const struct row r = {.output = &b->plan->output,
                              .format = format,
                              .color = b->color[n],
                              .second = b->second[n],
                              .pixels = (uint8_t *const(*)[2]) & b->pixels[n * ROW_SUBSPANS],
                              .constant = b->constant,
                              .right = b->plan->pixels.right,
                              .mask = b->mask >> n * ROW_PIXELS & ALL};
        if (r.mask)
            write_row(&r);
    }
}

#define UNORM8(position)                                                                                     \
    {                                                                                                        \
        .codec = COMPONENT_UNORM, .first = (position), .bits = 8                                             \
    }
static const struct row_format rgba8 = {.bytes = 4,
                                        .component = {UNORM8(0), UNORM8(8), UNORM8(16), UNORM8(24)}},
                               bgra8 = {.bytes = 4,
                                        .component = {UNORM8(16), UNORM8(8), UNORM8(0), UNORM8(24)}};

static void write_block(const struct pixel_block *b)
{
    switch (b->plan->row_codec) {
    case ROW_RGBA8_UNORM:
        write_rows(b, &rgba8);
        break;
    case ROW_BGRA8_UNORM:
        write_rows(b, &bgra8);
        break;
    default:
        write_rows(b, &b->plan->format);
        break;
    }
}

const struct pixel_functions OF_LEVEL(pixel_functions) = {.write = write_block,
                                                          .test_depth = OF_LEVEL(depth_row_test)};
