/*
 * Rows of four pixels: where they sample a level of two dimensions, and their weighted texels. Compiled once
 * for each level of vectors; operations and their order are those of sampler.c, and so are the results.
 */
#include "sampler/sampler.h"

#include "format/srgb.h"

#if defined(__AVX2__)
#define OF_LEVEL(name) name##_v3
#else
#define OF_LEVEL(name) name##_any
#endif
#define INLINE inline __attribute__((always_inline))

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));
typedef uint32_t u4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef int64_t l4 __attribute__((vector_size(32)));

enum { UNIT_SHIFT = 8 };

/* Offsets of columns or rows in the surface. */
static INLINE u4 axis_offset(const struct tile_axis *a, u4 at)
{
    u4 offset = (at >> a->tile_shift) * a->tile_bytes;
    for (unsigned n = 0; n < a->pieces; n++)
        offset += (at & a->mask[n]) << a->shift[n];
    return offset;
}

static INLINE i4 limit(i4 value, int32_t most)
{
    value &= value > 0;
    return (value & (value < most)) | (most & (value >= most));
}

/* As texture_address. */
static INLINE u4 select_texels(enum address_mode mode, i4 at, uint32_t size, int32_t inside[ROW_TEXELS])
{
    const int32_t n = (int32_t)size;
    const bool is_power = !(size & (size - 1u));
    i4 is_inside = ~(i4){0};
    u4 found;
    if (mode == TEXCOORDMODE_WRAP && is_power) {
        at &= n - 1;
    } else if (mode == TEXCOORDMODE_MIRROR && is_power) {
        at &= 2 * n - 1;
        at = (at & (at < n)) | ((2 * n - 1 - at) & (at >= n));
    } else if (mode == TEXCOORDMODE_CLAMP || mode == TEXCOORDMODE_CUBE) {
        at = limit(at, n - 1);
    } else if (mode == TEXCOORDMODE_CLAMP_BORDER) {
        is_inside = (at >= 0) & (at < n);
        at &= is_inside;
    } else {
        for (unsigned lane = 0; lane < ROW_TEXELS; lane++) {
            uint32_t texel = 0;
            (void)texture_address(mode, at[lane], size, &texel);
            at[lane] = (int32_t)texel;
        }
    }
    found = (u4)at;
    memcpy(inside, &is_inside, sizeof is_inside);
    return found;
}

/* As sampler_footprint, of a dimension. */
static INLINE bool find_axis(struct texel_row *r, unsigned d, const float from[ROW_TEXELS])
{
    const struct sampler_filter *const filter = &r->message->filter;
    const unsigned rounding = r->mag ? filter->mag_rounding : filter->min_rounding;
    const uint32_t size = r->level->size[d];
    const struct tile_axis *const axis = &r->layout->axis[d];
    const double most = 1 << 30, to_units = UNIT, half = rounding >> d & 1u ? 0.5 : 0;
    f4 coordinate;
    memcpy(&coordinate, from, sizeof coordinate);
    /* NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself, and is 0 */
    coordinate = (f4)((i4)coordinate & (coordinate == coordinate));
    d4 at = __builtin_convertvector(coordinate, d4);
    if (!filter->non_normalized)
        at *= (double)size;
    at += (double)r->message->offset[d];
    at = at * to_units + half;
    const l4 near = (at < most) & (at > -most);
    if (!(near[0] & near[1] & near[2] & near[3]))
        return false;
    i4 units = __builtin_convertvector(at, i4);
    const l4 above = at < __builtin_convertvector(units, d4);
    units += __builtin_convertvector(above, i4); /* floor */
    i4 weight = {0};
    if (r->linear) {
        units -= UNIT / 2;
        weight = units & (UNIT - 1);
    }
    memcpy(r->weight[d], &weight, sizeof weight);
    const i4 first = units >> UNIT_SHIFT;
    for (int n = 0; n < (r->linear ? 2 : 1); n++) {
        const u4 texel = select_texels(address_mode_of(r->message, d), first + n, size, r->inside[d][n]);
        const u4 place = (texel + r->level->origin[d]) * (d ? 1u : r->layout->bytes),
                 offset = axis_offset(axis, place);
        memcpy(r->at[d][n], &texel, sizeof texel);
        memcpy(r->offset[d][n], &offset, sizeof offset);
    }
    return true;
}

static bool find(struct texel_row *r, const float u[ROW_TEXELS], const float v[ROW_TEXELS])
{
    return find_axis(r, 0, u) && find_axis(r, 1, v);
}

static INLINE f4 component_of(const struct texel_component *c, u4 bits, bool is_alpha)
{
    const u4 raw = bits >> c->first & c->mask;
    if (!c->mask)
        return (f4){0} + (is_alpha ? 1.0f : 0.0f);
    if (c->is_srgb)
        return (f4){srgb8_to_float[raw[0]], srgb8_to_float[raw[1]], srgb8_to_float[raw[2]],
                    srgb8_to_float[raw[3]]};
    return __builtin_convertvector((i4)raw, f4) / (float)c->mask;
}

/* As weigh: texels of weight 0 are 0, and add nothing. */
static void add(const struct texel_row *r, double sum[4][ROW_TEXELS])
{
    d4 sums[4], share, weight[2][2];
    memcpy(sums, sum, sizeof sums);
    memcpy(&share, r->share, sizeof share);
    for (unsigned d = 0; d < 2; d++) {
        i4 second;
        memcpy(&second, r->weight[d], sizeof second);
        weight[d][0] = __builtin_convertvector(UNIT - second, d4) * (1.0 / UNIT);
        weight[d][1] = __builtin_convertvector(second, d4) * (1.0 / UNIT);
    }
    for (unsigned corner = 0; corner < (r->linear ? 4 : 1); corner++) {
        const d4 all = share * weight[0][corner & 1u] * weight[1][corner >> 1];
        i4 inside, row_inside;
        u4 bits;
        memcpy(&inside, r->inside[0][corner & 1u], sizeof inside);
        memcpy(&row_inside, r->inside[1][corner >> 1], sizeof row_inside);
        memcpy(&bits, r->texel[corner], sizeof bits);
        inside &= row_inside;
        for (unsigned c = 0; c < 4; c++) {
            const f4 border = (f4){0} + r->message->border.f[c],
                     texel = component_of(&r->layout->component[c], bits, c == 3),
                     chosen = (f4)(((i4)texel & inside) | ((i4)border & ~inside));
            sums[c] += all * __builtin_convertvector(chosen, d4);
        }
    }
    memcpy(sum, sums, sizeof sums);
}

const struct sampler_functions OF_LEVEL(sampler_functions) = {find, add};
