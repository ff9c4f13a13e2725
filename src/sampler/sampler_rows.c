/*
 * The pixels of a message: where they sample a level of two dimensions, and their weighted texels. Compiled
 * once for each level of vectors; operations and their order are those of sampler.c, and so are the results.
 * Products of weights and texels are exact in doubles, so that fused sums are the same.
 */
#include "sampler/sampler.h"
#include "base/inline.h"

#include "format/srgb.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define HAS_AVX512     1
#define HAS_AVX2       0
#define OF_LEVEL(name) name##_v4
enum { LANES = 16 };
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define HAS_AVX512     0
#define HAS_AVX2       1
#define OF_LEVEL(name) name##_v3
enum { LANES = 8 };
#else
#define HAS_AVX512     0
#define HAS_AVX2       0
#define OF_LEVEL(name) name##_any
enum { LANES = 4 };
#endif

enum { HALF = LANES / 2, UNIT_SHIFT = 8, ALL_LANES = (1 << LANES) - 1 };

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef uint32_t vu __attribute__((vector_size(LANES * 4)));
typedef float hf __attribute__((vector_size(HALF * 4)));
typedef int32_t hi __attribute__((vector_size(HALF * 4)));
typedef double vd __attribute__((vector_size(HALF * 8)));
typedef int64_t vl __attribute__((vector_size(HALF * 8)));

/* ---- Vectors ---- */

#if HAS_AVX512
#define FIRST_HALF(v)  __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define SECOND_HALF(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)
#define BOTH(a, b)     __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#elif HAS_AVX2
#define FIRST_HALF(v)  __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define SECOND_HALF(v) __builtin_shufflevector(v, v, 4, 5, 6, 7)
#define BOTH(a, b)     __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#else
#define FIRST_HALF(v)  __builtin_shufflevector(v, v, 0, 1)
#define SECOND_HALF(v) __builtin_shufflevector(v, v, 2, 3)
#define BOTH(a, b)     __builtin_shufflevector(a, b, 0, 1, 2, 3)
#endif
#define HALF_OF(v, n) ((n) ? SECOND_HALF(v) : FIRST_HALF(v))

static INLINE uint32_t mask_of(vi v)
{
#if HAS_AVX512
    return _mm512_movepi32_mask((__m512i)v);
#elif HAS_AVX2
    return (uint32_t)_mm256_movemask_ps((__m256)v);
#else
    uint32_t mask = 0;
    for (unsigned n = 0; n < LANES; n++)
        mask |= (uint32_t)(v[n] < 0) << n;
    return mask;
#endif
}

static INLINE vi lanes_of(uint32_t mask)
{
#if HAS_AVX512
    return (vi)_mm512_movm_epi32((__mmask16)mask);
#else
#if HAS_AVX2
    const vi bits = {1, 2, 4, 8, 16, 32, 64, 128};
#else
    const vi bits = {1, 2, 4, 8};
#endif
    return ((int32_t)mask & bits) != 0;
#endif
}

/* Conversions; gcc splits those of the longest vectors. */
#if HAS_AVX512
#define DOUBLES_OF(floats)     ((vd)_mm512_cvtps_pd((__m256)(floats)))
#define DOUBLES_OF_INTEGERS(n) ((vd)_mm512_cvtepi32_pd((__m256i)(n)))
#define FLOATS_OF(doubles)     ((hf)_mm512_cvtpd_ps((__m512d)(doubles)))
#define INTEGERS_OF(doubles)   ((hi)_mm512_cvttpd_epi32((__m512d)(doubles)))
#else
#define DOUBLES_OF(floats)     __builtin_convertvector(floats, vd)
#define DOUBLES_OF_INTEGERS(n) __builtin_convertvector(n, vd)
#define FLOATS_OF(doubles)     __builtin_convertvector(doubles, hf)
#define INTEGERS_OF(doubles)   __builtin_convertvector(doubles, hi)
#endif

#define INTEGERS_OF_FLOATS(floats) __builtin_convertvector(floats, vi)
#define FLOATS_OF_INTEGERS(n)      __builtin_convertvector(n, vf)

static INLINE hi floor_of(vd value)
{
    const hi whole = INTEGERS_OF(value);
    return whole + __builtin_convertvector((vl)(value < DOUBLES_OF_INTEGERS(whole)), hi);
}

static INLINE vd add_product(vd sum, vd a, vd b)
{
#if HAS_AVX512
    return (vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)sum);
#elif HAS_AVX2
    return (vd)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)sum);
#else
    return sum + a * b;
#endif
}

/* n / 255, of integers up to 255: the quotient of one step of Newton is the rounded one. */
static INLINE vf unorm8(vf n)
{
#if HAS_AVX512
    const __m512 a = (__m512)n, r = _mm512_set1_ps(1.0f / 255), q = _mm512_mul_ps(a, r);
    return (vf)_mm512_fmadd_ps(_mm512_fnmadd_ps(q, _mm512_set1_ps(255), a), r, q);
#elif HAS_AVX2
    const __m256 a = (__m256)n, r = _mm256_set1_ps(1.0f / 255), q = _mm256_mul_ps(a, r);
    return (vf)_mm256_fmadd_ps(_mm256_fnmadd_ps(q, _mm256_set1_ps(255), a), r, q);
#else
    return n / 255;
#endif
}

static INLINE void least_and_most(vu a, vu b, uint32_t *least, uint32_t *most)
{
#if HAS_AVX512
    *least = _mm512_reduce_min_epu32(_mm512_min_epu32((__m512i)a, (__m512i)b));
    *most = _mm512_reduce_max_epu32(_mm512_max_epu32((__m512i)a, (__m512i)b));
#else
    const vi less = (vi)a < (vi)b; /* texels' numbers are positive */
    const vu low = (a & (vu)less) | (b & ~(vu)less), high = (b & (vu)less) | (a & ~(vu)less);
    *least = low[0];
    *most = high[0];
    for (unsigned n = 1; n < LANES; n++) {
        *least = low[n] < *least ? low[n] : *least;
        *most = high[n] > *most ? high[n] : *most;
    }
#endif
}

/* ---- Positions ---- */

/* Offsets of columns or rows in the surface. */
static INLINE vu axis_offset(const struct tile_axis *a, vu at)
{
    vu offset = (at >> a->tile_shift) * a->tile_bytes;
    for (unsigned n = 0; n < a->pieces; n++)
        offset += (at & a->mask[n]) << a->shift[n];
    return offset;
}

static INLINE vi limit(vi value, int32_t most)
{
    value &= value > 0;
    return (value & (value < most)) | (most & (value >= most));
}

/* As modulo: quotients of doubles are whole only if those of integers are. */
static INLINE vi wrap(vi at, int32_t n)
{
    const double size = n;
    hi quotient[2];
    if (!(n & (n - 1)))
        return at & (n - 1);
    for (unsigned h = 0; h < 2; h++)
        quotient[h] = floor_of(DOUBLES_OF_INTEGERS(HALF_OF(at, h)) / size);
    return at - BOTH(quotient[0], quotient[1]) * n;
}

/* As texture_address, of texels that are not beyond a border. */
static INLINE vu select_texels(enum address_mode mode, vi at, int32_t n)
{
    switch (mode) {
    case TEXCOORDMODE_WRAP:
        return (vu)wrap(at, n);
    case TEXCOORDMODE_MIRROR:
        at = wrap(at, 2 * n);
        return (vu)((at & (at < n)) | ((2 * n - 1 - at) & (at >= n)));
    case TEXCOORDMODE_MIRROR_101:
        if (n == 1)
            return (vu){0};
        at = wrap(at, 2 * n - 2);
        return (vu)((at & (at < n)) | ((2 * n - 2 - at) & (at >= n)));
    case TEXCOORDMODE_MIRROR_ONCE:
        return (vu)limit(at ^ (at >> 31), n - 1);
    default:
        return (vu)limit(at, n - 1);
    }
}

/* Where pixels sample: texels and their offsets by dimension, first and second, and the second's weight. */
struct footprints {
    vu at[2][2], offset[2][2], slice;
    vi weight[2];
};

/* Finds the offsets of columns or rows. */
static INLINE void place_texels(const struct sampler_rows *r, const struct texel_level *l,
                                struct footprints *f, unsigned d, int n)
{
    vu at = (f->at[d][n] >> r->plan->layout.block_shift[d]) + l->origin[d];
    if (d && l->image.depth > 1)
        at += f->slice * l->image.qpitch;
    f->offset[d][n] = axis_offset(&r->plan->layout.axis[d], d ? at : at * r->plan->layout.bytes);
}

/* As sampler_footprint: the slice of an array is the nearest. */
static INLINE vu find_slice(const struct texel_level *l, vf from)
{
    const float count = (float)l->image.depth, to_integer = 0x1.8p23f;
    const vi bits_of_zero = (vi)(to_integer - (vf){0});
    /* NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself, and is 0 */
    from = (vf)((vi)from & (from == from) & (from > 0));
    const vi low = from < count;
    from = (vf)(((vi)from & low) | ((vi)(count - (vf){0}) & ~low)) + to_integer;
    return (vu)limit((vi)from - bits_of_zero, (int32_t)l->image.depth - 1);
}

/* A parameter of LANES channels; zeros: the message does not have it. */
static INLINE vf load_parameter(const struct sampler_message *s, unsigned which, unsigned first)
{
    vf all = {0};
    if (!has_parameter(s, (enum sampler_parameter)which))
        return all;
    const uint8_t *const from = payload_register(s->m, s->parameter_register[which] + first / 8u);
#if HAS_AVX512
    const uint8_t *const next =
        s->channels > 8 ? payload_register(s->m, s->parameter_register[which] + 1u) : from;
    hf half[2];
    memcpy(&half[0], from, sizeof half[0]);
    memcpy(&half[1], next, sizeof half[1]);
    all = BOTH(half[0], half[1]);
#else
    memcpy(&all, from + first % 8u * 4u, sizeof all);
#endif
    return all;
}

/* Positions in units, rounded down, or to the nearest ones. False: one is too far away. */
static INLINE bool find_units(vf at, bool rounds, vi *units)
{
    const vf most = (float)(1 << 30) - (vf){0};
    const vi far = ~((at < most) & (at > -most));
    if (mask_of(far))
        return false;
    vi whole = INTEGERS_OF_FLOATS(at);
    whole += at < FLOATS_OF_INTEGERS(whole);
    if (rounds)
        whole -= at - FLOATS_OF_INTEGERS(whole) >= 0.5f;
    *units = whole;
    return true;
}

/* The texels of positions in units, and the weight of the second ones. */
static INLINE void find_texels(const struct sampler_rows *r, const struct level_pixels *g, unsigned d,
                               vi units, bool linear, struct footprints *f)
{
    const int32_t size = (int32_t)g->level->size[d];
    f->weight[d] = (vi){0};
    if (linear) {
        units -= UNIT / 2;
        f->weight[d] = units & (UNIT - 1);
    }
    for (int n = 0; n < (linear ? 2 : 1); n++) {
        f->at[d][n] = select_texels(address_mode_of(&r->plan->message, d), (units >> UNIT_SHIFT) + n, size);
        place_texels(r, g->level, f, d, n);
    }
}

/* As sampler_footprint, of a dimension. If the size is a power of two, floats hold the exact products. Other
 * channels than those of the mask sample at 0. False: a position is too far away. */
static INLINE bool find_axis(const struct sampler_rows *r, const struct level_pixels *g, unsigned d, vf from,
                             vi lanes, bool linear, struct footprints *f)
{
    const struct sampler_message *const s = &r->plan->message;
    const unsigned rounding = g->mag ? s->filter.mag_rounding : s->filter.min_rounding;
    const uint32_t size = g->level->size[d];
    const double most = 1 << 30, to_units = UNIT, half = rounding >> d & 1u ? 0.5 : 0;
    hi whole[2];
    vl far = {0};
    vi units;
    /* NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself, and is 0 */
    from = (vf)((vi)from & (from == from) & lanes);
    if (!(size & (size - 1u)) && !s->filter.non_normalized && !s->offset[d]) {
        if (!find_units(from * (float)(size * UNIT), rounding >> d & 1u, &units))
            return false;
        find_texels(r, g, d, units, linear, f);
        return true;
    }
    for (unsigned h = 0; h < 2; h++) {
        vd at = DOUBLES_OF(HALF_OF(from, h));
        if (!s->filter.non_normalized)
            at *= (double)size;
        at += (double)s->offset[d];
        at = at * to_units + half;
        far |= ~((at < most) & (at > -most));
        whole[h] = floor_of(at);
    }
    if (mask_of((vi)far))
        return false;
    units = BOTH(whole[0], whole[1]);
    find_texels(r, g, d, units, linear, f);
    return true;
}

/* ---- Texels ---- */

static INLINE const struct texel_page *find_page(struct sampler_rows *r, const struct texel_level *l,
                                                 uint64_t number)
{
    for (unsigned n = 0; n < r->page_count; n++)
        if (r->pages[n].number == number)
            return &r->pages[n];
    return sampler_find_page(r, l, number);
}

static INLINE uint32_t load_bytes(const uint8_t *from, unsigned bytes)
{
    uint32_t value = 0;
    if (bytes == 4)
        memcpy(&value, from, 4);
    else if (bytes == 2)
        memcpy(&value, from, 2);
    else
        value = *from;
    return value;
}

typedef uint32_t u4 __attribute__((vector_size(16)));

/* The texels at four offsets. */
static INLINE u4 load_four(const uint8_t *host, const uint32_t at[4], unsigned bytes)
{
    return (u4){load_bytes(host + at[0], bytes), load_bytes(host + at[1], bytes),
                load_bytes(host + at[2], bytes), load_bytes(host + at[3], bytes)};
}

/* Loads texels for the channels in the mask, at offsets of these bits. Single loads are no slower than a
 * gather. */
static INLINE vu load_channels(const uint8_t *host, vu offset, uint32_t bits, uint32_t mask, unsigned bytes,
                               vu texels)
{
    const vi lanes = lanes_of(mask);
    u4 four[LANES / 4];
    uint32_t at[LANES];
    const uint32_t *from = at;
    offset &= (vu)lanes & bits;
    memcpy(at, &offset, sizeof at);
    __asm__("" : "+r"(from)); /* loads from memory are faster than extracted lanes */
#pragma GCC unroll 4
    for (unsigned n = 0; n < LANES / 4; n++)
        four[n] = load_four(host, from + (size_t)n * 4u, bytes);
#if HAS_AVX512
    const vu loaded = BOTH(__builtin_shufflevector(four[0], four[1], 0, 1, 2, 3, 4, 5, 6, 7),
                           __builtin_shufflevector(four[2], four[3], 0, 1, 2, 3, 4, 5, 6, 7));
#elif HAS_AVX2
    const vu loaded = BOTH(four[0], four[1]);
#else
    const vu loaded = four[0];
#endif
    return (loaded & (vu)lanes) | texels;
}

struct texels {
    vu word[4];
};

/* The same of all words of texels. */
static INLINE void load_words(const struct sampler_rows *r, const uint8_t *host, vu offset, uint32_t bits,
                              uint32_t mask, struct texels *texels)
{
    switch (r->plan->layout.bytes) {
    case 1:
        texels->word[0] = load_channels(host, offset, bits, mask, 1, texels->word[0]);
        break;
    case 2:
        texels->word[0] = load_channels(host, offset, bits, mask, 2, texels->word[0]);
        break;
    case 4:
        texels->word[0] = load_channels(host, offset, bits, mask, 4, texels->word[0]);
        break;
    default:
        for (unsigned n = 0; n < r->plan->layout.words; n++)
            texels->word[n] = load_channels(host + n * 4u, offset, bits, mask, 4, texels->word[n]);
        break;
    }
}

/* Loads texels that lie in the window. False: some are behind its end. */
static INLINE bool load_from_window(struct sampler_rows *r, vu offset, uint32_t mask, struct texels *texels)
{
    uint32_t least, most;
    const vu needed = offset & (vu)lanes_of(mask);
    if (mask_of((vi)(needed > r->window_bytes)) == 0) {
        load_words(r, r->window, offset, UINT32_MAX, mask, texels);
        return true;
    }
    least_and_most(needed, needed, &least, &most);
    if (most < INT32_MAX && most + PIXEL_BYTES > r->window_wanted)
        r->window_wanted = most + PIXEL_BYTES;
    return false;
}

/* Loads the texels of the channels in the mask; others are 0. */
static INLINE bool load_texels(struct sampler_rows *r, const struct texel_level *l, vu offset, uint32_t mask,
                               struct texels *texels)
{
    const uint64_t base = l->image.surface.base;
    const unsigned bytes = r->plan->layout.bytes;
    uint32_t pages[LANES];
    for (unsigned n = 0; n < r->plan->layout.words; n++)
        texels->word[n] = (vu){0};
    r->accesses += (unsigned)__builtin_popcount(mask);
    if (r->window && load_from_window(r, offset, mask, texels))
        return true;
    offset += (uint32_t)(base % PAGE_BYTES);
    const vu page = offset / PAGE_BYTES;
    memcpy(pages, &page, sizeof pages);
    while (mask) {
        const uint32_t number = pages[__builtin_ctz(mask)], here = mask & mask_of(page == number);
        const struct texel_page *const p = find_page(r, l, base / PAGE_BYTES + number);
        if (!p)
            return false;
        if (p->is_local)
            r->local_bytes += bytes * (unsigned)__builtin_popcount(here);
        load_words(r, p->host, offset, PAGE_BYTES - 1, here, texels);
        mask &= ~here;
    }
    return true;
}

static INLINE vf srgb8(vu n)
{
    uint32_t index[LANES];
    float decoded[LANES];
    vf all;
    memcpy(index, &n, sizeof index);
    for (unsigned lane = 0; lane < LANES; lane++)
        decoded[lane] = srgb8_to_float[index[lane]];
    memcpy(&all, decoded, sizeof all);
    return all;
}

static NOINLINE void decode_blocks(const struct sampler_rows *r, uint32_t mask, const vu *x, const vu *y,
                                   struct texels *texels)
{
    uint32_t at[2][LANES], words[4][SAMPLER_CHANNELS] = {{0}};
    memcpy(at[0], x, sizeof *x);
    memcpy(at[1], y, sizeof *y);
    for (unsigned n = 0; n < r->plan->layout.words; n++)
        memcpy(words[n], &texels->word[n], sizeof texels->word[n]);
    sampler_decode_blocks(&r->plan->message, mask, at[0], at[1], words);
    for (unsigned n = 0; n < 4; n++)
        memcpy(&texels->word[n], words[n], sizeof texels->word[n]);
}

/* Loads the texels of a corner of footprints. */
static INLINE bool load_corner(struct sampler_rows *r, const struct texel_level *l,
                               const struct footprints *f, unsigned corner, uint32_t mask,
                               struct texels *texels)
{
    const unsigned column = corner & 1u, row = corner >> 1;
    if (!load_texels(r, l, f->offset[0][column] + f->offset[1][row], mask, texels))
        return false;
    if (r->plan->layout.is_block)
        decode_blocks(r, mask, &f->at[0][column], &f->at[1][row], texels);
    return true;
}

/* Numbers of 16 bits; NaNs do not keep their bits. */
static INLINE vf float16(vu n)
{
    enum { EXPONENT = 0x7c00, FRACTION = 0x3ff, UP = 13, BIAS = (127 - 15) << 23, SIGN = 0x8000 };
    const vu size = n & (EXPONENT | FRACTION), sign = (n & SIGN) << 16;
    const vi is_small = (size & EXPONENT) == 0, is_last = (size & EXPONENT) == EXPONENT;
    const vf small = __builtin_convertvector((vi)size, vf) * 0x1p-24f;
    const vu normal = (size << UP) + BIAS + ((vu)is_last & BIAS);
    return (vf)((((vu)small & (vu)is_small) | (normal & ~(vu)is_small)) | sign);
}

static INLINE vf snorm(const struct texel_component *c, vu bits)
{
    const int32_t most = (int32_t)(c->mask >> 1);
    vi value = (vi)(bits << (32u - c->first - c->bits)) >> (32u - c->bits);
    const vi low = value < -most;
    value = (value & ~low) | (-most & low);
    return __builtin_convertvector(value, vf) / (float)most;
}

/* The bits of a component; alpha is missing as 1, of integers as the integer. */
static INLINE vf component_of(const struct texel_component *c, const struct texels *t,
                              enum texel_decoder decoder, bool is_alpha)
{
    const vu bits = t->word[c->word], raw = bits >> c->first & c->mask;
    switch (decoder) {
    case TEXEL_UNORM8:
        return unorm8(__builtin_convertvector((vi)raw, vf));
    case TEXEL_UNORM:
        return __builtin_convertvector((vi)raw, vf) / (float)c->mask;
    case TEXEL_SNORM:
        return snorm(c, bits);
    case TEXEL_SRGB8:
        return srgb8(raw);
    case TEXEL_FLOAT32:
        return (vf)bits;
    case TEXEL_FLOAT16:
        return float16(raw << c->half_shift);
    case TEXEL_UINT:
        return (vf)raw;
    case TEXEL_SINT:
        return (vf)((vi)(bits << (32u - c->first - c->bits)) >> (32u - c->bits));
    default:
        return (vf){0} + (is_alpha ? 1.0f : 0.0f);
    }
}

/* ---- Filters ---- */

/* Whether all texels lie in blocks that are filled, one by one. */
static NOINLINE bool are_filled(const struct sampler_rows *r, const struct texel_level *l,
                                const struct footprints *f, const uint32_t mask[4], bool linear)
{
    struct texel_positions p;
    for (unsigned d = 0; d < 2; d++) {
        memcpy(p.at[d][0], &f->at[d][0], sizeof(vu));
        memcpy(p.at[d][1], &f->at[d][linear ? 1 : 0], sizeof(vu));
    }
    memcpy(p.mask, mask, sizeof p.mask);
    memcpy(p.slice, &f->slice, sizeof f->slice);
    return sampler_texels_are_filled(r, l, &p);
}

/* The same, first by the rectangle around all texels. */
static INLINE bool texels_are_filled(const struct sampler_rows *r, const struct texel_level *l,
                                     const struct footprints *f, const uint32_t mask[4], bool linear)
{
    uint32_t first[2], last[2];
    if (l->is_filled)
        return true;
    for (unsigned d = 0; d < 2; d++)
        least_and_most(f->at[d][0], f->at[d][linear ? 1 : 0], &first[d], &last[d]);
    return (l->image.depth == 1 && fast_clear_region_is_known_filled(r->b, &l->image, first, last)) ||
           are_filled(r, l, f, mask, linear);
}

/* As sampler_compare: 0 where the comparison with the reference holds, else 1. */
static INLINE vf compare(unsigned function, vf texel, vf reference)
{
    enum { ALWAYS, NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL };
    const vi one = (vi)(1 - (vf){0});
    switch (function & 7u) {
    case ALWAYS:
        return (vf){0};
    case NEVER:
        return (vf)one;
    case LESS:
        return (vf)(one & ~(texel < reference));
    case EQUAL:
        return (vf)(one & ~(texel == reference));
    case LEQUAL:
        return (vf)(one & ~(texel <= reference));
    case GREATER:
        return (vf)(one & ~(texel > reference));
    case NOTEQUAL:
        return (vf)(one & ~(texel != reference));
    default:
        return (vf)(one & ~(texel >= reference));
    }
}

/* As sampler_reference. The components of plans have a float's bits at most. */
static INLINE vf load_reference(const struct sampler_rows *r, unsigned first)
{
    const struct texel_component *const c = &r->plan->layout.component[0];
    const vf reference = load_parameter(&r->plan->message, P_REF, first);
    if (c->decoder != TEXEL_UNORM8 && c->decoder != TEXEL_UNORM)
        return reference;
    const vf positive = (vf)((vi)reference & (reference > 0));
    const vi is_low = positive < 1;
    const vf limited = (vf)(((vi)positive & is_low) | ((vi)(1 - (vf){0}) & ~is_low));
    const double scale = (double)c->mask, to_integer = 0x1p52;
    const vd whole[2] = {DOUBLES_OF(FIRST_HALF(limited)) * scale + to_integer - to_integer,
                         DOUBLES_OF(SECOND_HALF(limited)) * scale + to_integer - to_integer};
    const hf low = FLOATS_OF(whole[0]), high = FLOATS_OF(whole[1]);
    return BOTH(low, high) / (float)c->mask;
}

struct weights {
    vd corner[4][2]; /* of each half of the lanes */
};

/* Adds a component's weighted texels. Returns where texels are no numbers. */
static INLINE vi add_component(struct sampler_rows *r, unsigned c, enum texel_decoder decoder,
                               const struct weights *w, const struct texels texels[4], unsigned first,
                               bool linear)
{
    const struct sampler_message *const s = &r->plan->message;
    vi no_number = {0};
    vd sums[2] = {{0}};
    if (r->has_sums >> first & 1u)
        memcpy(sums, &r->sum[c][first], sizeof sums);
#pragma GCC unroll 4
    for (unsigned corner = 0; corner < 4; corner++) {
        if (corner && !linear)
            break;
        vf texel = component_of(&r->plan->layout.component[c], &texels[corner], decoder, c == 3);
        if (decoder == TEXEL_FLOAT32 || decoder == TEXEL_FLOAT16)
            no_number |= texel != texel; /* NOLINT(misc-redundant-expression) */
        if (c == 0 && s->compares)
            texel = compare(s->filter.shadow_function, texel, load_reference(r, first));
        sums[0] = add_product(sums[0], w->corner[corner][0], DOUBLES_OF(FIRST_HALF(texel)));
        sums[1] = add_product(sums[1], w->corner[corner][1], DOUBLES_OF(SECOND_HALF(texel)));
    }
    memcpy(&r->sum[c][first], sums, sizeof sums);
    return no_number;
}

static INLINE void find_weights(const struct level_pixels *g, const struct footprints *f, unsigned first,
                                bool linear, struct weights *w)
{
    const vi lanes = lanes_of(g->mask >> first);
    vd share[2];
    memcpy(share, g->share + first, sizeof share);
#pragma GCC unroll 2
    for (unsigned h = 0; h < 2; h++) {
        share[h] = (vd)((vl)share[h] & __builtin_convertvector(HALF_OF(lanes, h), vl));
        w->corner[0][h] = share[h];
        if (!linear)
            continue;
        const vd second = DOUBLES_OF_INTEGERS(HALF_OF(f->weight[0], h)) * (1.0 / UNIT),
                 below = DOUBLES_OF_INTEGERS(HALF_OF(f->weight[1], h)) * (1.0 / UNIT),
                 left = share[h] * (1 - second), right = share[h] * second;
        w->corner[0][h] = left * (1 - below);
        w->corner[1][h] = right * (1 - below);
        w->corner[2][h] = left * below;
        w->corner[3][h] = right * below;
    }
}

/* As weigh: texels of weight 0 are not loaded, and add nothing. False: a texel is no number, whose bits sums
 * may not keep. */
static INLINE bool add_texels(struct sampler_rows *r, const struct weights *w, const struct texels texels[4],
                              unsigned first, bool linear)
{
    vi no_number = {0};
#define ADD(decoder)                                                                                         \
    case decoder:                                                                                            \
        no_number |= add_component(r, c, decoder, w, texels, first, linear);                                 \
        break
    for (unsigned c = 0; c < 4; c++)
        switch (r->plan->layout.component[c].decoder) {
            ADD(TEXEL_UNORM8);
            ADD(TEXEL_UNORM);
            ADD(TEXEL_SNORM);
            ADD(TEXEL_SRGB8);
            ADD(TEXEL_FLOAT32);
            ADD(TEXEL_FLOAT16);
        default:
            (void)add_component(r, c, TEXEL_MISSING, w, texels, first, linear);
            break;
        }
#undef ADD
    return !mask_of(no_number);
}

static INLINE bool sample_level(struct sampler_rows *r, const struct level_pixels *g, unsigned first,
                                bool linear)
{
    const uint32_t mask = g->mask >> first & ALL_LANES;
    const vi lanes = lanes_of(mask);
    struct footprints f = {0};
    struct texels texels[4];
    struct weights w;
    f.slice = (vu){0};
    if (g->level->image.depth > 1)
        f.slice = find_slice(g->level, (vf)((vi)load_parameter(&r->plan->message, P_R, first) & lanes));
    if (!find_axis(r, g, 0, load_parameter(&r->plan->message, P_U, first), lanes, linear, &f) ||
        !find_axis(r, g, 1, load_parameter(&r->plan->message, P_V, first), lanes, linear, &f))
        return false;
    uint32_t needs[4] = {mask};
    if (linear) {
        const uint32_t second = mask_of(f.weight[0] != 0), below = mask_of(f.weight[1] != 0);
        needs[1] = mask & second;
        needs[2] = mask & below;
        needs[3] = mask & second & below;
    }
    const uint8_t kind = g->level->image.ccs.kind;
    if (kind && kind < CCS_FOURS && !texels_are_filled(r, g->level, &f, needs, linear))
        return false;
    for (unsigned corner = 0; corner < (linear ? 4 : 1); corner++)
        if (!load_corner(r, g->level, &f, corner, needs[corner], &texels[corner]))
            return false;
    find_weights(g, &f, first, linear, &w);
    if (!add_texels(r, &w, texels, first, linear))
        return false;
    r->has_sums |= 1u << first;
    return true;
}

/* The bits of a component, without a filter. */
static INLINE vf read_component(const struct sampler_rows *r, const struct texels *texels, unsigned c,
                                vi *no_number)
{
    const struct texel_component *const part = &r->plan->layout.component[c];
    const vf value = component_of(part, texels, (enum texel_decoder)part->decoder, c == 3);
    if (part->decoder == TEXEL_MISSING && r->plan->message.raw && c == 3)
        return (vf)(1 - (vu){0});
    if (part->decoder == TEXEL_FLOAT32 || part->decoder == TEXEL_FLOAT16)
        *no_number |= value != value; /* NOLINT(misc-redundant-expression) */
    return value;
}

static INLINE void keep_color(struct sampler_rows *r, unsigned c, vf value, vi lanes, unsigned first)
{
    vi color;
    memcpy(&color, &r->color[c][first], sizeof color);
    color = ((vi)value & lanes) | (color & ~lanes);
    memcpy(&r->color[c][first], &color, sizeof color);
}

/* As sampler_gather4. */
static INLINE bool gather_level(struct sampler_rows *r, const struct level_pixels *g, unsigned first)
{
    const struct sampler_message *const s = &r->plan->message;
    const uint32_t mask = g->mask >> first & ALL_LANES;
    const vi lanes = lanes_of(mask);
    const uint32_t needs[4] = {mask, mask, mask, mask};
    struct footprints f = {0};
    vi no_number = {0};
    f.slice = (vu){0};
    if (g->level->image.depth > 1)
        f.slice = find_slice(g->level, (vf)((vi)load_parameter(s, P_R, first) & lanes));
    if (!find_axis(r, g, 0, load_parameter(s, P_U, first), lanes, true, &f) ||
        !find_axis(r, g, 1, load_parameter(s, P_V, first), lanes, true, &f))
        return false;
    const uint8_t kind = g->level->image.ccs.kind;
    if (kind && kind < CCS_FOURS && !texels_are_filled(r, g->level, &f, needs, true))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned corner = gather_corners[c];
        struct texels texels;
        if (!load_corner(r, g->level, &f, corner, mask, &texels))
            return false;
        vf value = read_component(r, &texels, r->gathered, &no_number);
        if (s->compares && r->gathered == 0)
            value = compare(s->filter.shadow_function, value, load_reference(r, first));
        keep_color(r, c, value, lanes, first);
    }
    return !mask_of(no_number);
}

/* As load_texel of sampler.c: texels outside of the level are 0. */
static INLINE bool load_level(struct sampler_rows *r, const struct level_pixels *g, unsigned first)
{
    const struct sampler_message *const s = &r->plan->message;
    const struct texel_level *const l = g->level;
    const vi lanes = lanes_of(g->mask >> first);
    struct footprints f = {0};
    struct texels texels;
    vi no_number = {0}, inside = lanes;
    f.slice = (vu){0};
    if (r->has_samples || s->image.is_array) {
        if (r->has_samples)
            memcpy(&f.slice, r->sample_slice + first, sizeof f.slice);
        else
            f.slice = (vu)load_parameter(s, P_R, first);
        inside &= f.slice < l->image.depth;
        f.slice &= (vu)inside;
    }
    for (unsigned d = 0; d < 2; d++) {
        f.at[d][0] = (vu)load_parameter(s, P_U + d, first) + (uint32_t)s->offset[d];
        inside &= f.at[d][0] < l->size[d];
        f.at[d][0] &= (vu)inside;
        place_texels(r, l, &f, d, 0);
    }
    const uint32_t needs[4] = {g->is_absent ? 0 : mask_of(inside)};
    const uint8_t kind = l->image.ccs.kind;
    if ((kind && kind < CCS_FOURS && needs[0] && !texels_are_filled(r, l, &f, needs, false)) ||
        !load_corner(r, l, &f, 0, needs[0], &texels))
        return false;
    for (unsigned c = 0; c < 4; c++)
        keep_color(r, c, read_component(r, &texels, c, &no_number), lanes, first);
    return !mask_of(no_number);
}

/* ---- Levels ---- */

static INLINE vd choose_doubles(vl mask, vd yes, vd no)
{
    return (vd)(((vl)yes & mask) | ((vl)no & ~mask));
}

static INLINE vd floor_double(vd value)
{
    return DOUBLES_OF_INTEGERS(floor_of(value));
}

/* As sampler_position_parameter. */
static INLINE vf limit_position(vf value)
{
    const vf most = (float)(1 << 30) - (vf){0};
    /* NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself, and is 0 */
    value = (vf)((vi)value & (value == value));
    const vi high = value > most, low = value < -most;
    return (vf)(((vi)value & ~high & ~low) | ((vi)most & high) | ((vi)-most & low));
}

static INLINE vd clamp_lod(vd value, vd least, vd most)
{
    value = choose_doubles(value < most, value, most);
    return choose_doubles(value > least, value, least);
}

/* Half of log2, as log2_of, of positive numbers that are no denormals; of 0 what is far away. */
static INLINE vd half_log2(vd value)
{
    enum { FAR_AWAY = -64, EXPONENT_BITS = 11, FRACTION_BITS = 52, LEAST = 1022 };
    typedef uint64_t vul __attribute__((vector_size(HALF * 8)));
    const vul bits = (vul)value, fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1u);
    vd m = (vd)(fraction | UINT64_C(0x3fe0000000000000));
    vd exponent = (vd)(bits >> FRACTION_BITS | UINT64_C(0x4330000000000000)) - (0x1p52 + LEAST), sum = {0};
    const vl small = m < 0x1.6a09e667f3bcdp-1;
    m = choose_doubles(small, m * 2, m);
    exponent = choose_doubles(small, exponent - 1, exponent);
    const vd z = (m - 1) / (m + 1), square = z * z;
#pragma GCC unroll 14
    for (int n = 27; n >= 1; n -= 2)
        sum = sum * square + 1.0 / n;
    const vd half = (exponent + 2 * z * sum * 0x1.71547652b82fep0) / 2;
    return choose_doubles(value > 0, half, (double)FAR_AWAY - (vd){0});
}

/* The LOD of changes along x and y, in normalized coordinates or texels. */
static INLINE vd level_of(const struct sampler_rows *r, vd change[2][2])
{
    vd away[2] = {{0}};
    for (unsigned n = 0; n < 2; n++) {
        away[n] = (vd){0};
        for (unsigned d = 0; d < 2; d++) {
            const vd texels = r->plan->message.filter.non_normalized
                                  ? change[n][d]
                                  : change[n][d] * (double)r->base_level->size[d];
            away[n] += texels * texels;
        }
    }
    return half_log2(choose_doubles(away[0] > away[1], away[0], away[1]));
}

/* LODs from positions of subspans. */
static INLINE void find_subspan_lods(const struct sampler_rows *r, double lod[SAMPLER_CHANNELS])
{
    enum { MOST = 4, ROOM = MOST > HALF ? MOST : HALF };
    double at[2][3][ROOM] = {{{0}}}, found[ROOM];
    for (unsigned d = 0; d < 2; d++) {
        float row[SAMPLER_CHANNELS];
        for (unsigned first = 0; first < SAMPLER_CHANNELS; first += LANES) {
            if (first >= r->plan->message.channels)
                break;
            const vf value = limit_position(load_parameter(&r->plan->message, P_U + d, first));
            memcpy(row + first, &value, sizeof value);
        }
        for (unsigned n = 0; n < r->plan->message.channels / 4u; n++)
            for (unsigned pixel = 0; pixel < 3; pixel++)
                at[d][pixel][n] = (double)row[4 * n + pixel];
    }
    for (unsigned first = 0; first < MOST; first += HALF) {
        vd change[2][2], pixel[3] = {{0}};
        for (unsigned d = 0; d < 2; d++) {
            for (unsigned n = 0; n < 3; n++)
                memcpy(&pixel[n], &at[d][n][first], sizeof pixel[n]);
            change[0][d] = pixel[1] - pixel[0];
            change[1][d] = pixel[2] - pixel[0];
        }
        const vd level = level_of(r, change);
        memcpy(found + first, &level, sizeof level);
    }
    for (unsigned n = 0; n < SAMPLER_CHANNELS; n++)
        lod[n] = found[n / 4u];
}

/* LODs from gradients or LODs in the message. */
static INLINE void find_own_lods(const struct sampler_rows *r, double lod[SAMPLER_CHANNELS])
{
    const struct sampler_message *const s = &r->plan->message;
    for (unsigned first = 0; first < s->channels; first += LANES) {
        vf value[2][2];
        for (unsigned d = 0; d < 2; d++) {
            value[0][d] = limit_position(load_parameter(s, P_DUDX + d, first));
            value[1][d] = limit_position(load_parameter(s, P_DUDY + d, first));
        }
        const vf own = limit_position(load_parameter(s, P_LOD, first));
        for (unsigned h = 0; h < 2; h++) {
            vd change[2][2] = {{DOUBLES_OF(HALF_OF(value[0][0], h)), DOUBLES_OF(HALF_OF(value[0][1], h))},
                               {DOUBLES_OF(HALF_OF(value[1][0], h)), DOUBLES_OF(HALF_OF(value[1][1], h))}};
            const vd level = r->has_gradient ? level_of(r, change) : DOUBLES_OF(HALF_OF(own, h));
            memcpy(lod + first + h * HALF, &level, sizeof level);
        }
    }
}

/* As choose_levels. */
static INLINE vd choose_level(const struct sampler_message *s, vd lod, vd least, vl *mag)
{
    const struct sampler_filter *const f = &s->filter;
    const vd most = f->max_lod - (vd){0}, zero = {0}, floor_least = floor_double(least),
             ceil_most = -floor_double(-most), none = clamp_lod(zero, floor_least, ceil_most);
    if (f->lod_preclamp_mode == PRECLAMP_OGL || (f->lod_preclamp_mode && s->b->info.lod_preclamp_is_one_bit))
        lod = clamp_lod(lod, least, most);
    *mag = lod <= 0;
    if (f->mip_filter == MIP_NONE)
        lod = none;
    else if (f->mip_filter == MIP_LINEAR)
        lod = clamp_lod(lod, least, most);
    else
        lod = floor_double(clamp_lod(lod, floor_least, ceil_most) + 0.5);
    if (!f->clamps_magnification)
        lod = choose_doubles(*mag, none, lod);
    return clamp_lod(lod, zero, (double)s->last_level - (vd){0}) * (double)UNIT;
}

static void choose(const struct sampler_rows *r, struct chosen_levels *c)
{
    const struct sampler_message *const s = &r->plan->message;
    const double bias = s->filter.lod_bias;
    double lods[SAMPLER_CHANNELS] = {0};
    if (r->has_gradient && !has_parameter(s, P_DUDX))
        find_subspan_lods(r, lods);
    else
        find_own_lods(r, lods);
    c->mag = 0;
    for (unsigned first = 0; first < s->channels; first += LANES) {
        const vf own_bias = limit_position(load_parameter(s, P_BIAS, first)),
                 least = limit_position(load_parameter(s, P_MLOD, first));
        hi units[2];
        for (unsigned h = 0; h < 2; h++) {
            vd lod, own_least = DOUBLES_OF(HALF_OF(least, h));
            vl mag;
            memcpy(&lod, lods + first + h * HALF, sizeof lod);
            own_least = choose_doubles(own_least > s->filter.min_lod, own_least, s->filter.min_lod - (vd){0});
            lod = lod + DOUBLES_OF(HALF_OF(own_bias, h)) + bias -
                  (bias >= BIAS_NEGATIVE ? 2.0 * BIAS_NEGATIVE : 0);
            units[h] = floor_of(choose_level(s, lod, own_least, &mag));
            for (unsigned n = 0; n < HALF; n++)
                c->mag |= (uint32_t)(mag[n] < 0) << (first + h * HALF + n);
        }
        const vi all = BOTH(units[0], units[1]);
        memcpy(c->units + first, &all, sizeof all);
    }
}

/* Writes the channels of the mask. */
static INLINE void store_channels(uint8_t *to, vf value, uint32_t mask)
{
    if (mask == ALL_LANES) {
        memcpy(to, &value, sizeof value);
#if HAS_AVX512
    } else if (mask == UINT8_MAX) {
        const hf half = FIRST_HALF(value);
        memcpy(to, &half, sizeof half);
    } else {
        _mm512_mask_storeu_ps(to, (__mmask16)mask, (__m512)value);
    }
#else
    } else {
        const vi lanes = lanes_of(mask);
        vi old;
        memcpy(&old, to, sizeof old);
        old = ((vi)value & lanes) | (old & ~lanes);
        memcpy(to, &old, sizeof old);
    }
#endif
}

static INLINE void respond_rows(const struct sampler_rows *r, bool loads)
{
    for (unsigned first = 0; first < SAMPLER_CHANNELS; first += LANES) {
        const uint32_t mask = r->channels >> first & ALL_LANES;
        vf value[SOURCES] = {[SOURCE_ONE] = 1 - (vf){0}};
        if (!mask)
            continue;
        if (loads && r->plan->message.raw)
            value[SOURCE_ONE] = (vf)(1 - (vu){0});
        for (unsigned c = 0; c < 4; c++) {
            vd sums[2];
            if (loads) {
                memcpy(&value[c], &r->color[c][first], sizeof value[c]);
                continue;
            }
            memcpy(sums, &r->sum[c][first], sizeof sums);
            value[c] = BOTH(FLOATS_OF(sums[0]), FLOATS_OF(sums[1]));
        }
        for (unsigned n = 0; n < r->response_count; n++)
            store_channels(r->response[n] + first * sizeof(float), value[r->source[n]], mask);
    }
}

/* Whether results are texels as they are: no weights, no NaNs, no zeros with a sign. */
static bool has_single_texels(const struct sampler_rows *r)
{
    const struct texel_component *const c = r->plan->layout.component;
    bool single = !r->plan->message.compares && !r->plan->message.raw;
    for (unsigned n = 0; n < r->level_count; n++)
        single &= !r->levels[n].linear && r->levels[n].is_whole;
    for (unsigned n = 0; n < 4; n++)
        single &= c[n].decoder <= TEXEL_SRGB8;
    return single;
}

/* As sample_level, of single texels. */
static INLINE bool sample_single(struct sampler_rows *r, const struct level_pixels *g, unsigned first)
{
    const struct sampler_message *const s = &r->plan->message;
    const struct texel_level *const l = g->level;
    const uint32_t mask = g->mask >> first & ALL_LANES, needs[4] = {mask};
    const vi lanes = lanes_of(mask);
    struct footprints f = {0};
    struct texels texels;
    vi no_number;
    f.slice = (vu){0};
    if (l->image.depth > 1)
        f.slice = find_slice(l, (vf)((vi)load_parameter(s, P_R, first) & lanes));
    if (!find_axis(r, g, 0, load_parameter(s, P_U, first), lanes, false, &f) ||
        !find_axis(r, g, 1, load_parameter(s, P_V, first), lanes, false, &f))
        return false;
    const uint8_t kind = l->image.ccs.kind;
    if ((kind && kind < CCS_FOURS && !texels_are_filled(r, l, &f, needs, false)) ||
        !load_corner(r, l, &f, 0, mask, &texels))
        return false;
    for (unsigned c = 0; c < 4; c++)
        keep_color(r, c, read_component(r, &texels, c, &no_number), lanes, first);
    return true;
}

static bool sample(struct sampler_rows *r)
{
    if (has_single_texels(r)) {
        for (unsigned n = 0; n < r->level_count; n++)
            for (unsigned first = 0; first < SAMPLER_CHANNELS; first += LANES)
                if (r->levels[n].mask >> first & ALL_LANES && !sample_single(r, &r->levels[n], first))
                    return false;
        respond_rows(r, true);
        return true;
    }
    r->has_sums = 0;
    for (unsigned n = 0; n < r->level_count; n++) {
        const struct level_pixels *const g = &r->levels[n];
        for (unsigned first = 0; first < SAMPLER_CHANNELS; first += LANES)
            if (g->mask >> first & ALL_LANES &&
                !(g->linear ? sample_level(r, g, first, true) : sample_level(r, g, first, false)))
                return false;
    }
    respond_rows(r, false);
    return true;
}

static bool load(struct sampler_rows *r)
{
    const bool gathers = r->plan->message.message->action == SAMPLER_GATHER4;
    for (unsigned n = 0; n < r->level_count; n++)
        for (unsigned first = 0; first < SAMPLER_CHANNELS; first += LANES)
            if (r->levels[n].mask >> first & ALL_LANES &&
                !(gathers ? gather_level(r, &r->levels[n], first) : load_level(r, &r->levels[n], first)))
                return false;
    respond_rows(r, true);
    return true;
}

const struct sampler_functions OF_LEVEL(sampler_functions) = {sample, load, choose};
