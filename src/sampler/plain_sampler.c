/*
 * Plain sampling: filtered texels of surfaces of two dimensions. Parts of addresses are computed once for the
 * columns and rows of a footprint; frequent formats are decoded and weighted as vectors. The results are
 * those of sampler.c, to the bit.
 */
#include "sampler/sampler.h"

#include "shared_function/pixel_codec.h"

bool sampler_is_plain(const struct sampler_message *s)
{
    bool plain = s->dimensions == 2 && !s->cube && !s->compares && !s->raw && s->image.depth == 1 &&
                 s->reduction == REDUCTION_STANDARD && !has_parameter(s, P_OFFU) && !has_parameter(s, P_OFFV);
    for (unsigned d = 0; d < 2; d++)
        plain &= address_mode_of(s, d) != TEXCOORDMODE_HALF_BORDER;
    return plain;
}

/* The texels of a channel: both of each axis, and the weight of the second. */
struct plain_footprint {
    uint32_t at[2][2];
    bool inside[2][2];
    unsigned weight[2];
};

static int64_t floor_whole(double value)
{
    const int64_t whole = (int64_t)value;
    return whole - (value < (double)whole);
}

/* As sampler_footprint. */
static void find_footprint(const struct sampler_message *s, const struct image *level, unsigned channel,
                           bool linear, bool mag, struct plain_footprint *f)
{
    enum { SHIFT = 8 };
    const unsigned rounding = mag ? s->filter.mag_rounding : s->filter.min_rounding;
    const uint32_t size[2] = {level->width, level->height};
    for (unsigned d = 0; d < 2; d++) {
        double at = sampler_position_parameter(s, P_U + d, channel);
        if (!s->filter.non_normalized)
            at *= size[d];
        at += s->offset[d];
        int64_t units = floor_whole(at * UNIT + (rounding >> d & 1u ? 0.5 : 0));
        if (linear)
            units -= UNIT / 2;
        f->weight[d] = linear ? (unsigned)(units & (UNIT - 1)) : 0;
        const int64_t first = units >> SHIFT;
        for (unsigned n = 0; n < 2; n++)
            f->inside[d][n] = texture_address(address_mode_of(s, d), first + n, size[d], &f->at[d][n]);
    }
}

/* Whether a texel's address is the sum of a part of its column and a part of its row. */
static bool has_plain_texels(const struct sampler_message *s, const struct image *i)
{
    return s->codec == PIXEL_UNORM_BYTES && !i->ccs.kind && !i->blocks && !i->is_buffer && !i->is_linear_1d &&
           !i->is_volume_in_rows && !i->surface.swizzled && (!i->surface.tiles || !i->surface.tiles->z_bits);
}

typedef float vec4 __attribute__((vector_size(16)));
typedef int32_t ivec4 __attribute__((vector_size(16)));
typedef double pair __attribute__((vector_size(16)));

/* Adds a texel of four bytes of UNORM. */
static void add_texel(const struct softgt_format *f, uint32_t bits, double weight, pair sum[2])
{
    const ivec4 parts = {(int32_t)(bits >> f->part[0].first & UNORM8_MOST),
                         (int32_t)(bits >> f->part[1].first & UNORM8_MOST),
                         (int32_t)(bits >> f->part[2].first & UNORM8_MOST),
                         f->part[3].bits ? (int32_t)(bits >> f->part[3].first & UNORM8_MOST) : UNORM8_MOST};
    const vec4 color = __builtin_convertvector(parts, vec4) / (float)UNORM8_MOST;
    const pair low = {(double)color[0], (double)color[1]}, high = {(double)color[2], (double)color[3]};
    sum[0] += weight * low;
    sum[1] += weight * high;
}

static void add_color(const union softgt_color *color, double weight, pair sum[2])
{
    const pair low = {(double)color->f[0], (double)color->f[1]},
               high = {(double)color->f[2], (double)color->f[3]};
    sum[0] += weight * low;
    sum[1] += weight * high;
}

void plain_level(const struct sampler_message *s, const struct image *level, unsigned channel, double share,
                 bool linear, bool mag, double sum[4])
{
    struct plain_footprint f;
    pair sums[2] = {{sum[0], sum[1]}, {sum[2], sum[3]}};
    uint64_t row[2] = {0, 0}, column[2] = {0, 0};
    find_footprint(s, level, channel, linear, mag, &f);
    const bool plain = has_plain_texels(s, level);
    const uint32_t slice = level->first_slice * level->qpitch;
    for (unsigned n = 0; n < 2 && plain; n++) {
        column[n] = surface_address(&level->surface, (int32_t)((level->x + f.at[0][n]) * 4u), 0);
        row[n] = surface_address(&level->surface, 0, (int32_t)(level->y + slice + f.at[1][n]));
    }
    for (unsigned corner = 0; corner < 4; corner++) {
        const unsigned x = corner & 1u, y = corner >> 1;
        const double weight = share * ((double)(x ? f.weight[0] : UNIT - f.weight[0]) / UNIT) *
                              ((double)(y ? f.weight[1] : UNIT - f.weight[1]) / UNIT);
        if (weight == 0)
            continue;
        uint32_t bits = 0;
        if (!f.inside[0][x] || !f.inside[1][y]) {
            add_color(&s->border, weight, sums);
        } else if (plain && !message_faulted(s->b)) {
            s->b->work.memory_accesses++;
            (void)message_load(s->b, column[x] + row[y] - level->surface.base, &bits, sizeof bits);
            add_texel(&s->format, bits, weight, sums);
        } else {
            const uint32_t at[DIMENSIONS] = {f.at[0][x], f.at[1][y], 0};
            const union softgt_color color = sampler_texel(s, level, at);
            add_color(&color, weight, sums);
        }
    }
    for (unsigned c = 0; c < 4; c++)
        sum[c] = sums[c / 2][c % 2];
}
