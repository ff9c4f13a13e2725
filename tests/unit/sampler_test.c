/* Messages to the sampler, of every instruction set: parameters, filters, addresses, levels, formats, as the
 * manuals say them, against plain arithmetic. */
#include "../suite.h"
#include "../random.h"
#include "message_lab.h"

#include "memory/flat_ccs.h"
#include "output_merger/pixel_rows.h"
#include "sampler/sampler.h"

#include <math.h>

enum { DYNAMIC = 0x124000, SAMPLERS = 0x100, BORDERS = 0x800 };
enum { SIMD8 = 1, SIMD16 = 2 };
enum {
    R32G32B32A32_FLOAT = 0x000,
    R8G8B8A8_UNORM = 0x0c7,
    R8G8B8A8_SRGB = 0x0c8,
    R8G8B8A8_SINT = 0x0ca,
    R32_UINT = 0x0d7,
    R32_FLOAT = 0x0d8,
    R8_UNORM = 0x140,
    A8_UNORM = 0x144,
    B8G8R8A8_UNORM = 0x0c0,
    B8G8R8X8_UNORM = 0x0e9,
    R10G10B10A2 = 0x0c2,
    B5G6R5 = 0x100,
    R16_UNORM = 0x10a,
    R24_UNORM_X8 = 0x0d9,
    R16G16B16A16_FLOAT = 0x084,
    R32G32_FLOAT = 0x085,
    R8G8B8A8_SNORM = 0x0c9,
    R11G11B10_FLOAT = 0x0d3,
    BC1_UNORM = 0x186,
    BC3_UNORM = 0x188,
    BC4_UNORM = 0x189,
    BC7_UNORM = 0x1a2
};
enum { WRAP, MIRROR, CLAMP, CLAMP_BORDER = 4, MIRROR_ONCE, HALF_BORDER };
enum { NEAREST, LINEAR };
enum { TYPE_1D, TYPE_2D, TYPE_3D, TYPE_CUBE };

/* ---- A texture of floats: what is where is plain to see ---- */

struct texture {
    unsigned type, format, width, height, depth, levels, first_level, pixel_bytes;
    bool array;
};

enum { PITCH = 1024, QPITCH = 64 /* rows */, LINE_QPITCH = 192 /* pixels */ };

static void put_texture(struct lab *l, unsigned index, const struct texture *t)
{
    const uint32_t at = SURFACES + 64u * (index + 1u);
    const uint32_t aligned = l->set->has_lsc ? 2 : 1; /* 64 bytes, or 4 pixels */
    put_surface(l, index, t->type, t->format, BYTES);
    dword_put(l->s, at, dword_at(l->s, at) | (uint32_t)t->array << 28 | 1u << 16 | aligned << 14);
    dword_put(l->s, at + 4, (t->type == TYPE_1D && !lab_is_early(l) ? LINE_QPITCH : QPITCH) / 4);
    dword_put(l->s, at + 8, (t->width - 1) | (t->height - 1) << 16);
    dword_put(l->s, at + 12, (PITCH - 1) | (t->depth - 1) << 21);
    dword_put(l->s, at + 20, (t->levels - 1) | t->first_level << 4);
    dword_put(l->s, at + 28, 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16);
}

static float value_at(unsigned x, unsigned y, unsigned z, unsigned level)
{
    return (float)(1 + x + 100 * y + 10000 * z) + (float)level * 0.5f;
}

static unsigned smaller(unsigned size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

/* Texels of all levels of 32 by 16: level 1 below, others at its right. Of lines: each at a multiple of 64
 * pixels, on Xe_HPG of the surface's alignment; up to Gen8 as of others. A volume's up to Gen8: below each
 * other, level l in rows of 2^l slices. */
static void fill_texture(struct lab *l, const struct texture *t)
{
    memset(l->s->memory + BYTES, 0, 0x40000);
    for (unsigned level = 0, x0 = 0, y0 = 0; level < t->levels; level++) {
        const unsigned w = smaller(t->width, level), h = t->type == TYPE_1D ? 1 : smaller(t->height, level);
        const bool early = lab_is_early(l), line = t->type == TYPE_1D && !early,
                   stack = t->type == TYPE_3D && early;
        const unsigned across = 1u << level, high = (h + 3) / 4 * 4,
                       slices = stack ? smaller(t->depth, level) : t->depth;
        for (unsigned z = 0; z < slices; z++)
            for (unsigned y = 0; y < h; y++)
                for (unsigned x = 0; x < w; x++) {
                    const unsigned row = line ? 0 : y0 + y + (stack ? z / across * high : z * QPITCH),
                                   column = x0 + x +
                                            (line    ? z * LINE_QPITCH
                                             : stack ? z % across * w
                                                     : 0);
                    dword_put(l->s, BYTES + row * PITCH + column * 4, float_bits(value_at(x, y, z, level)));
                }
        if (line)
            x0 += l->set->has_lsc ? (w + 15) / 16 * 16 : 64;
        else if (stack)
            y0 += (slices + across - 1) / across * high;
        else if (level == 1)
            x0 += 16;
        else
            y0 += level == 0 && t->type != TYPE_1D ? 16 : 4;
    }
}

/* ---- A sampler, and a message ---- */

struct filter {
    unsigned filter, mip, mode[3], shadow;
    float bias, least, most;
    bool unnormalized, rounds, preclamp, mag_mips;
};

static void put_sampler(struct lab *l, unsigned index, const struct filter *f)
{
    const uint32_t at = DYNAMIC + SAMPLERS + 16u * index;
    l->b->kernel.dynamic_state_base = DYNAMIC;
    l->b->kernel.sampler_state_pointer = SAMPLERS | 3; /* its low bits are scratch memory's size */
    dword_put(l->s, at,
              ((uint32_t)(int32_t)(f->bias * 256) & 0x1fffu) << 1 | f->filter << 14 | f->filter << 17 |
                  f->mip << 20 | (f->preclamp ? 2u : 0) << 27);
    dword_put(l->s, at + 4,
              f->shadow << 1 | (uint32_t)(f->most * 256) << 8 | (uint32_t)(f->least * 256) << 20);
    dword_put(l->s, at + 8, BORDERS | f->mag_mips);
    dword_put(l->s, at + 12,
              f->mode[2] | f->mode[1] << 3 | f->mode[0] << 6 | (uint32_t)f->unnormalized << 10 |
                  (f->rounds ? 0x3fu : 0) << 13);
}

static uint32_t sampler_message(unsigned type, unsigned mode, unsigned index)
{
    return type << 12 | mode << 17 | index;
}

/* Messages are first sent as planned ones; how many of them were answered. */
static bool sends_planned;
static unsigned planned_answers;

/* Parameters of all channels from register `at` on; the response comes to 32. */
static enum eu_answer send_parameters(struct lab *l, uint32_t descriptor, unsigned at, unsigned parameters,
                                      uint32_t (*values)[16], uint32_t channels)
{
    const unsigned n = descriptor >> 17 & 2u ? 16 : 8, registers = parameters * n / 8;
    for (unsigned p = 0; p < parameters; p++)
        for (unsigned c = 0; c < n; c++)
            dw(l, at + p * n / 8 + c / 8)[c % 8] = values[p][c];
    memset(l->grf[32], 0xee, 16 * 32);
    /* the header, or the first parameter, in the first payload */
    if (sends_planned) {
        put_message(l, SFID_SAMPLER, descriptor, 0, at ? 1 : registers, at ? registers : 0, n / 2, n,
                    channels);
        const int cost = l->b->pixel_units->sampler_planned(l->b, &l->m);
        if (cost >= 0) {
            l->b->cost.messages += (uint64_t)cost;
            planned_answers++;
            return EU_SENT;
        }
    }
    return ask(l, SFID_SAMPLER, descriptor, 0, at ? 1 : registers, at ? registers : 0, n / 2, n, channels);
}

static float response(const struct lab *l, unsigned n, unsigned component, unsigned c)
{
    float f;
    memcpy(&f, l->grf[32 + component * n / 8 + c / 8] + c % 8 * 4, 4);
    return f;
}

static uint32_t raw_response(const struct lab *l, unsigned n, unsigned component, unsigned c)
{
    return float_bits(response(l, n, component, c));
}

/* ---- Addresses: which texel of `n` a position is in; -1: the border. Step by step. ---- */

static int step(int at, int n, unsigned mode)
{
    switch (mode) {
    case WRAP:
        for (; at < 0; at += n)
            ;
        for (; at >= n; at -= n)
            ;
        return at;
    case MIRROR:
        while (at < 0 || at >= n)
            at = at < 0 ? -1 - at : 2 * n - 1 - at;
        return at;
    case CLAMP_BORDER:
    case HALF_BORDER:
        return at < 0 || at >= n ? -1 : at;
    case MIRROR_ONCE:
        at = at < 0 ? -1 - at : at;
        return at >= n ? n - 1 : at;
    default:
        return at < 0 ? 0 : at >= n ? n - 1 : at;
    }
}

static double one_of(const struct texture *t, const int at[3], const unsigned modes[3], double border)
{
    const unsigned dimensions = t->type == TYPE_1D ? 1 : t->type == TYPE_2D ? 2 : 3;
    const int size[3] = {(int)t->width, (int)t->height, (int)t->depth};
    int found[3] = {0, 0, dimensions < 3 ? at[2] : 0};
    for (unsigned d = 0; d < dimensions; d++) {
        found[d] = step(at[d], size[d], modes[d]);
        if (found[d] < 0)
            return border;
    }
    return (double)value_at((unsigned)found[0], (unsigned)found[1], (unsigned)found[2], 0);
}

static float filtered(const struct texture *t, const struct filter *f, const double at[3], double border)
{
    const unsigned dimensions = t->type == TYPE_1D ? 1 : t->type == TYPE_2D ? 2 : 3;
    const unsigned size[3] = {t->width, t->height, t->depth};
    int first[3] = {0, 0, (int)at[2]};
    double part[3] = {0}, sum = 0;
    for (unsigned d = 0; d < dimensions; d++) {
        double p = f->unnormalized ? at[d] : at[d] * size[d];
        if (f->mode[d] == HALF_BORDER)
            p = fmin(fmax(p, 0), size[d]);
        p = floor(p * 256 + (f->rounds ? 0.5 : 0)) / 256 - (f->filter == LINEAR ? 0.5 : 0);
        first[d] = (int)floor(p);
        if (f->mode[d] == HALF_BORDER && f->filter == NEAREST && first[d] == (int)size[d])
            first[d]--; /* the edge's, as GL_CLAMP has it; a filter has half the border there */
        part[d] = f->filter == LINEAR ? p - floor(p) : 0;
    }
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 2; x++) {
                const double w =
                    (x ? part[0] : 1 - part[0]) * (y ? part[1] : 1 - part[1]) * (z ? part[2] : 1 - part[2]);
                const int texel[3] = {first[0] + x, first[1] + y, first[2] + z};
                sum += w == 0 ? 0 : w * one_of(t, texel, f->mode, border);
            }
    return (float)sum;
}

static void addresses_and_filters(void **state)
{
    (void)state;
    static const unsigned modes[6] = {WRAP, MIRROR, CLAMP, CLAMP_BORDER, MIRROR_ONCE, HALF_BORDER};
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        for (unsigned type = TYPE_1D; type <= TYPE_3D; type++) {
            const struct texture t = {type, R32_FLOAT, 24, type == TYPE_1D ? 1 : 10, 5,
                                      1,    0,         4,  type != TYPE_3D};
            fill_texture(&l, &t);
            put_texture(&l, 3, &t);
            dword_put(&*l.s, DYNAMIC + BORDERS, float_bits(-7));
            for (unsigned way = 0; way < 6 * 2 * 2 * 2 * 2; way++) {
                const unsigned mode = modes[way % 6], n = way / 48 & 1u ? 16 : 8;
                const struct filter f = {.filter = way / 6 & 1u,
                                         .mode = {mode, mode, mode},
                                         .unnormalized = way / 12 & 1u,
                                         .rounds = way / 24 & 1u};
                uint32_t values[3][16];
                double at[16][3];
                const unsigned size[3] = {t.width, t.height, t.depth};
                put_sampler(&l, 2, &f);
                for (unsigned c = 0; c < 16; c++)
                    for (unsigned d = 0; d < 3; d++) {
                        float p = (float)((int)(c * 37 + d * 11) % 60 - 22) * 0.0777f;
                        const unsigned dimensions = type + 1;
                        if (d >= dimensions)
                            p = (float)(c % 5);
                        else if (f.unnormalized)
                            p *= (float)size[d];
                        at[c][d] = (double)p;
                        values[d][c] = float_bits(p);
                    }
                assert_int_equal(send_parameters(&l, sampler_message(0, n / 8, 3) | 2 << 8, 0,
                                                 type == TYPE_1D ? 2 : 3, values, 0xf7),
                                 EU_SENT);
                for (unsigned c = 0; c < n; c++) {
                    if (type == TYPE_1D)
                        at[c][2] = at[c][1];
                    if (0xf7u >> c & 1u)
                        assert_float_equal(response(&l, n, 0, c), filtered(&t, &f, at[c], -7), 0);
                    else
                        assert_int_equal(raw_response(&l, n, 0, c), 0xeeeeeeee);
                }
                assert_float_equal(response(&l, n, 3, 0), 1, 0); /* no alpha there */
            }
        }
        lab_end(&l);
    }
}

/* ---- Parameters and levels ---- */

static void levels(void **state)
{
    (void)state;
    /* u, v, r in their places; the level, the bias: SKL's order */
    static const struct {
        unsigned type;
        const char *parameters;
    } messages[] = {{0, "uvr"}, {0, "uvram"}, {1, "buvr"}, {2, "luvr"}, {24, "uvr"}, {1, "buvram"}};
    static const float lods[] = {-1, 0, 0.25f, 0.5f, 1, 1.375f, 2, 2.75f, 3, 9};
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 3, 4, 0, 4, true};
        fill_texture(&l, &t);
        for (unsigned way = 0; way < 6 * 10 * 2 * 3 * 2; way++) {
            const float lod = lods[way / 6 % 10];
            const char *const p = messages[way % 6].parameters;
            const unsigned n = way / 60 & 1u ? 16 : 8;
            static const unsigned mips[3] = {0, 1, 3};
            const unsigned mip = mips[way / 120 % 3], first = way / 360 % 2;
            const struct filter f = {.mip = mip, .mode = {CLAMP, CLAMP, CLAMP}, .most = 14, .bias = 0.25f};
            struct texture part = t;
            uint32_t values[6][16] = {{0}};
            part.first_level = first;
            part.levels = t.levels - first;
            put_texture(&l, 0, &part);
            put_sampler(&l, 0, &f);
            double expected = 0.25;
            for (unsigned i = 0; p[i]; i++)
                for (unsigned c = 0; c < 16; c++)
                    values[i][c] = float_bits(p[i] == 'u' || p[i] == 'v' ? 0
                                              : p[i] == 'r'              ? 2
                                              : p[i] == 'a'              ? 0
                                                                         : lod);
            if (strpbrk(p, "bl"))
                expected += (double)lod;
            const bool mag = expected <= 0;
            /* between mipmaps of the integer bits; the fraction where two are mixed */
            if (strchr(p, 'm'))
                expected = fmax(expected, mip == 3 ? (double)lod : floor((double)lod));
            const unsigned last = part.levels - 1;
            if (mip == 0 || mag)
                expected = strchr(p, 'm') && lod > 0 ? floor((double)lod) : 0;
            else if (mip == 1)
                expected = floor(expected + 0.5);
            expected = fmin(fmax(expected, 0), last);
            assert_int_equal(send_parameters(&l, sampler_message(messages[way % 6].type, n / 8, 0), 0,
                                             (unsigned)strlen(p), values, 0xffff),
                             EU_SENT);
            for (unsigned c = 0; c < n; c++)
                assert_float_equal(response(&l, n, 0, c), (float)(1 + 20000 + 0.5 * (expected + first)), 0);
        }
        /* limits of the sampler's: the level is between them, whatever is asked for */
        for (unsigned way = 0; way < 8 * 3; way++) {
            const unsigned c = way % 8;
            const struct filter f = {.mip = 3,
                                     .mode = {CLAMP, CLAMP, CLAMP},
                                     .least = 1.25f,
                                     .most = 2.5f,
                                     .preclamp = way / 8 == 1,
                                     .mag_mips = way / 8 == 2};
            uint32_t values[4][16] = {{float_bits((float)c * 0.5f - 1)}};
            /* magnified: one mipmap, the integer bits' one, unless the mode or clamping before say else */
            const double wanted = way / 8 == 0 && c <= 2 ? 1 : fmin(fmax(c * 0.5 - 1, 1.25), 2.5);
            put_texture(&l, 0, &t);
            put_sampler(&l, 0, &f);
            assert_int_equal(send_parameters(&l, sampler_message(2, SIMD8, 0), 0, 3, values, 1), EU_SENT);
            assert_float_equal(response(&l, 8, 0, 0), (float)(1 + 0.5 * wanted), 0);
        }
        /* a bias that is negative; the resource's least level; elements of arrays: the nearest, of halves the
         * even one */
        static const float elements[4] = {0.5f, 1.5f, 1.25f, 7};
        static const unsigned nearest[4] = {0, 2, 1, 2};
        for (unsigned i = 0; i < 4; i++) {
            const struct filter f = {.mip = 3, .mode = {CLAMP, CLAMP, CLAMP}, .most = 14, .bias = -1.25f};
            uint32_t values[4][16] = {{float_bits(3)}, {0}, {0}, {float_bits(elements[i])}};
            put_texture(&l, 0, &t);
            put_sampler(&l, 0, &f);
            for (unsigned limited = 0; limited < 2; limited++) {
                dword_put(l.s, SURFACES + 64 + 28, dword_at(l.s, SURFACES + 64 + 28) | limited * 0x240);
                assert_int_equal(send_parameters(&l, sampler_message(2, SIMD8, 0), 0, 4, values, 1), EU_SENT);
                assert_float_equal(
                    response(&l, 8, 0, 0),
                    (float)(1 + nearest[i] * 10000.0 + 0.5 * (limited ? 0x240 / 256.0 : 3 - 1.25)), 0);
            }
        }
        lab_end(&l);
    }
}

/* ---- Loads ---- */

static void loads(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        for (unsigned type = TYPE_1D; type <= TYPE_3D; type++)
            for (unsigned way = 0; way < 8; way++) {
                const bool zero = way & 1u;
                const unsigned n = way & 2u ? 16 : 8, height = type == TYPE_1D ? 1 : 16, first = way / 4;
                const struct texture t = {type, R32_FLOAT, 32, height, 4, 3, 0, 4, type != TYPE_3D};
                struct texture part = t;
                uint32_t values[4][16];
                part.first_level = first; /* the surface's level 0 is that one */
                part.levels = 3 - first;
                fill_texture(&l, &t);
                put_texture(&l, 1, &part);
                for (unsigned c = 0; c < 16; c++) {
                    const uint32_t which = (c * 3) % 5; /* 4 is outside */
                    values[0][c] = c * 5 % 34;
                    values[1][c] = type == TYPE_1D ? which : c * 7 % 18;
                    values[zero ? 2 : 3][c] = which;
                    if (!zero)
                        values[2][c] = c % 4; /* 3 is no level */
                }
                values[0][3] = 0xffffffff;
                uint32_t sent[4][16]; /* up to Gen8 the level is the second */
                const uint8_t early[4] = {0, 2, 1, 3};
                for (unsigned p = 0; p < 4; p++)
                    memcpy(sent[p], values[lab_is_early(&l) && !zero ? early[p] : p], sizeof sent[p]);
                assert_int_equal(send_parameters(&l, sampler_message(zero ? 26 : 7, n / 8, 1), 0,
                                                 zero ? 3 : 4, sent, 0xffff),
                                 EU_SENT);
                for (unsigned c = 0; c < n; c++) {
                    const unsigned level = first + (zero ? 0 : c % 4), x = values[0][c],
                                   y = type == TYPE_1D ? 0 : values[1][c], z = (c * 3) % 5,
                                   deep = type == TYPE_3D ? smaller(4, level) : 4;
                    const bool there =
                        level < 3 && x < smaller(32, level) && y < smaller(height, level) && z < deep;
                    assert_float_equal(response(&l, n, 0, c), (there ? value_at(x, y, z, level) : 0), 0);
                    assert_float_equal(response(&l, n, 1, c), 0, 0);
                    assert_float_equal(response(&l, n, 3, c), 1, 0);
                }
            }
        /* a buffer: entries */
        const uint32_t at = SURFACES + 64u;
        uint32_t values[3][16] = {{0, 1, 9, 10, 0xffffffff, 4, 5, 6}};
        put_surface(&l, 0, BUFFER, R32_UINT, BYTES);
        dword_put(l.s, at + 8, 9);
        dword_put(l.s, at + 12, 7); /* 8 bytes from one to the next */
        dword_put(l.s, at + 28, 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16);
        for (unsigned i = 0; i < 64; i++)
            dword_put(l.s, BYTES + i * 4, 1000 + i);
        assert_int_equal(send_parameters(&l, sampler_message(26, SIMD8, 0), 0, 1, values, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++) {
            assert_int_equal(raw_response(&l, 8, 0, c), values[0][c] < 10 ? 1000 + values[0][c] * 2 : 0);
            assert_int_equal(raw_response(&l, 8, 3, c), 1);
        }
        /* entries of 16 bytes at each byte of 40: of the last ones what there is */
        enum { R32G32B32A32_UINT = 2, PLACES = 40 };
        uint32_t places[3][16] = {{0, 4, 24, 28, 32, 36, 40, 0xffffffff}};
        put_surface(&l, 0, BUFFER, R32G32B32A32_UINT, BYTES);
        dword_put(l.s, at + 8, PLACES - 1);
        dword_put(l.s, at + 12, 0);
        dword_put(l.s, at + 28, 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16);
        assert_int_equal(send_parameters(&l, sampler_message(26, SIMD8, 0), 0, 1, places, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++)
            for (unsigned i = 0; i < 4; i++) {
                const uint32_t first = places[0][c] / 4 + i;
                assert_int_equal(raw_response(&l, 8, i, c),
                                 places[0][c] < PLACES && first < PLACES / 4 ? 1000 + first : 0);
            }
        lab_end(&l);
    }
}

/* ---- Headers ---- */

static void headers(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 1, 1, 0, 4, false};
        const struct filter f = {.mode = {CLAMP, CLAMP, CLAMP}}, wraps = {.mode = {WRAP, WRAP, WRAP}};
        fill_texture(&l, &t);
        put_texture(&l, 0, &t);
        put_sampler(&l, 0, &f);
        put_sampler(&l, 4, &wraps);
        for (unsigned mask = 0; mask < 15; mask++)
            for (unsigned way = 0; way < 4; way++) {
                const bool loads = way & 1u;
                const int u = (int)mask - 8, v = 7 - (int)mask;
                uint32_t values[3][16];
                for (unsigned c = 0; c < 16; c++) {
                    values[0][c] = loads ? 16 : float_bits((16 + 0.25f) / 32);
                    values[1][c] = loads ? 8 : float_bits((8 + 0.25f) / 16);
                }
                dw(&l, 0)[2] = ((uint32_t)u & 15u) << 8 | ((uint32_t)v & 15u) << 4 | mask << 12;
                dw(&l, 0)[3] = SAMPLERS + (way & 2u ? 64 : 0) + 7;
                assert_int_equal(send_parameters(&l, HEADER | sampler_message(loads ? 26 : 24, SIMD16, 0), 1,
                                                 2, values, 0xffff),
                                 EU_SENT);
                const float red = value_at((unsigned)(16 + u), (unsigned)(8 + v), 0, 0);
                const float wanted[4] = {red, 0, 0, 1};
                for (unsigned i = 0, to = 0; i < 4; i++)
                    if (!(mask >> i & 1u))
                        assert_float_equal(response(&l, 16, to++, 9), wanted[i], 0);
            }
        /* whose sampler it is: the header's wraps, the thread's does not */
        for (unsigned way = 0; way < 3; way++) {
            uint32_t values[2][16] = {{float_bits(-0.25f)}, {float_bits(0)}};
            dw(&l, 0)[2] = 0;
            dw(&l, 0)[3] = SAMPLERS + 64;
            assert_int_equal(send_parameters(&l,
                                             (way ? 0u : HEADER) | sampler_message(24, SIMD8, 0) |
                                                 (way == 2 ? 4u << 8 : 0),
                                             way == 0, 2, values, 1),
                             EU_SENT);
            assert_float_equal(response(&l, 8, 0, 0), (way == 1 ? 1 : 25), 0);
        }
        lab_end(&l);
    }
}

/* ---- Formats, channels, borders ---- */

static void formats(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        uint32_t values[2][16] = {{float_bits(0.01f), float_bits(1.5f)}, {0}};
        const struct filter f = {.filter = LINEAR, .mode = {CLAMP_BORDER, CLAMP, CLAMP}},
                            plain = {.mode = {CLAMP, CLAMP, CLAMP}};
        const float border[4] = {2, 0.5f, -1, 0.25f};
        put_sampler(&l, 0, &plain);
        put_sampler(&l, 1, &f);
        for (unsigned i = 0; i < 4; i++)
            dword_put(l.s, DYNAMIC + BORDERS + i * 4, float_bits(border[i]));
        static const struct {
            unsigned format;
            float wanted[4], outside[4];
        } rows[] = {
            {R8G8B8A8_UNORM, {1, 51 / 255.0f, 0, 102 / 255.0f}, {1, 0.5f, 0, 0.25f}},
            {R32G32B32A32_FLOAT, {3, -4, 5, 0.5f}, {2, 0.5f, -1, 0.25f}},
            {R8_UNORM, {1, 0, 0, 1}, {1, 0, 0, 1}},
            {A8_UNORM, {0, 0, 0, 1}, {0, 0, 0, 0.25f}},
        };
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const struct texture t = {TYPE_2D, rows[i].format, 8, 1, 1, 1, 0, 0, false};
            put_texture(&l, 0, &t);
            memset(l.s->memory + BYTES, 0, 256);
            if (rows[i].format == R32G32B32A32_FLOAT)
                for (unsigned c = 0; c < 4; c++)
                    dword_put(l.s, BYTES + c * 4, float_bits(rows[i].wanted[c]));
            else
                dword_put(l.s, BYTES, 0x660033ffu);
            assert_int_equal(send_parameters(&l, sampler_message(24, SIMD8, 0), 0, 2, values, 3), EU_SENT);
            for (unsigned c = 0; c < 4; c++)
                assert_float_equal(response(&l, 8, c, 0), rows[i].wanted[c], 0);
            assert_int_equal(send_parameters(&l, sampler_message(24, SIMD8, 0) | 1 << 8, 0, 2, values, 3),
                             EU_SENT);
            for (unsigned c = 0; c < 4; c++)
                assert_float_equal(response(&l, 8, c, 1), rows[i].outside[c], 0);
        }
        /* sRGB is linear outside: 51 is (51 / 255 + 0.055) / 1.055 to the 2.4th */
        const struct texture srgb = {TYPE_2D, R8G8B8A8_SRGB, 8, 1, 1, 1, 0, 0, false};
        put_texture(&l, 0, &srgb);
        dword_put(l.s, BYTES, 0x660033ffu);
        assert_int_equal(send_parameters(&l, sampler_message(24, SIMD8, 0), 0, 2, values, 1), EU_SENT);
        assert_float_equal(response(&l, 8, 0, 0), 1, 0);
        assert_float_equal(response(&l, 8, 1, 0), pow((0.2 + 0.055) / 1.055, 2.4), 1e-6);
        assert_float_equal(response(&l, 8, 3, 0), (102 / 255.0f), 0);
        if (!(l.set->generation & EU_GEN8_9)) { /* which cannot leave it out */
            dword_put(l.s, DYNAMIC + SAMPLERS + 8, BORDERS | 2);
            assert_int_equal(send_parameters(&l, sampler_message(24, SIMD8, 0), 0, 2, values, 1), EU_SENT);
            assert_float_equal(response(&l, 8, 1, 0), (51 / 255.0f), 0);
        }
        /* integers are not mixed; channels in another order, one and zero */
        const struct texture whole = {TYPE_2D, R8G8B8A8_SINT, 8, 1, 1, 1, 0, 0, false};
        put_texture(&l, 0, &whole);
        dword_put(l.s, BYTES, 0x04fd02ffu);
        dword_put(l.s, SURFACES + 64 + 28, 6u << 25 | 0u << 22 | 1u << 19 | 4u << 16);
        values[0][0] = float_bits(0.0626f);
        assert_int_equal(send_parameters(&l, sampler_message(24, SIMD8, 0) | 1 << 8, 0, 2, values, 1),
                         EU_SENT);
        static const uint32_t selected[4] = {0xfffffffd, 0, 1, 0xffffffff};
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(raw_response(&l, 8, c, 0), selected[c]);
        lab_end(&l);
    }
}

/* ---- Comparisons, gathers ---- */

static bool holds(unsigned function, double texel, double reference)
{
    return function == 0 || (function == 2 && texel < reference) || (function == 3 && texel == reference) ||
           (function == 4 && texel <= reference) || (function == 5 && texel > reference) ||
           (function == 6 && texel != reference) || (function == 7 && texel >= reference);
}

/* A reference is compared as the format would hold it: 0.5 is 800000h of 24 bits, and 2 is 1. (Direct3D 10,
 * sample_c) */
static void fixed_point_references(struct lab *l)
{
    enum { LESS = 2, EQUAL, LEQUAL };
    const struct texture t = {TYPE_2D, R24_UNORM_X8, 32, 16, 1, 1, 0, 4, false};
    static const struct {
        unsigned function;
        uint32_t texel;
        float reference;
        bool holds;
    } cases[] = {
        {EQUAL, 0x800000, 0.5f, true},  {EQUAL, 0x7fffff, 0.5f, false}, {LESS, 0x7fffff, 0.5f, true},
        {LEQUAL, 0x800000, 0.5f, true}, {LESS, 0x800000, 0.5f, false},  {EQUAL, 0xffffff, 2.0f, true},
        {LESS, 0xffffff, 2.0f, false},  {EQUAL, 0, -1.0f, true},        {EQUAL, 0x333333, 0.2f, true}};
    put_texture(l, 0, &t);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct filter f = {.mode = {CLAMP, CLAMP, CLAMP}, .shadow = cases[i].function};
        uint32_t values[3][16] = {{0}};
        put_sampler(l, 0, &f);
        dword_put(l->s, BYTES, 0xff000000 | cases[i].texel);
        for (unsigned c = 0; c < 8; c++)
            values[0][c] = float_bits(cases[i].reference);
        for (unsigned planned = 0; planned < 2; planned++) {
            assert_int_equal(send_parameters(l, sampler_message(3, SIMD8, 0), 0, 3, values, 0xff), EU_SENT);
            for (unsigned c = 0; c < 8; c++)
                assert_float_equal(response(l, 8, 0, c), (cases[i].holds ? 0 : 1), 0);
        }
    }
}

/* gather4 from R32G32_FLOAT_LD: blue is the second component. (Mesa, crocus) */
static void blue_of_two_floats(struct lab *l)
{
    enum { R32G32_FLOAT_LD = 0x097, BLUE = 2 };
    const struct texture t = {TYPE_2D, R32G32_FLOAT_LD, 4, 1, 1, 1, 0, 8, false};
    const struct filter f = {.mode = {CLAMP, CLAMP, CLAMP}};
    uint32_t values[2][16] = {{0}};
    put_texture(l, 0, &t);
    put_sampler(l, 0, &f);
    dword_put(l->s, BYTES, float_bits(3));
    dword_put(l->s, BYTES + 4, float_bits(7));
    dw(l, 0)[3] = SAMPLERS;
    for (unsigned channel = 0; channel <= BLUE; channel += BLUE) {
        dw(l, 0)[2] = channel << 16;
        assert_int_equal(send_parameters(l, HEADER | sampler_message(8, SIMD8, 0), 1, 2, values, 0xff),
                         EU_SENT);
        for (unsigned c = 0; c < 4; c++)
            assert_float_equal(response(l, 8, c, 0), (channel ? 7 : 3), 0);
    }
}

static void comparisons_and_gathers(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 1, 1, 0, 4, false};
        fill_texture(&l, &t);
        put_texture(&l, 0, &t);
        static const struct {
            unsigned type, before; /* parameters before u, the reference first */
        } messages[] = {{3, 1}, {5, 2}, {6, 2}, {25, 1}};
        for (unsigned function = 0; function < 8; function++)
            for (unsigned i = 0; i < 4; i++)
                for (unsigned linear = 0; linear < 2; linear++) {
                    const unsigned u = messages[i].before;
                    const struct filter f = {
                        .filter = linear, .mode = {CLAMP, CLAMP, CLAMP}, .shadow = function};
                    uint32_t values[4][16] = {{0}};
                    put_sampler(&l, 0, &f);
                    for (unsigned c = 0; c < 8; c++) {
                        values[0][c] = float_bits((float)c);
                        values[u][c] =
                            float_bits((3.75f + (linear ? 0.5f : 0)) / 32); /* texel 3, or 3 and 4 */
                        values[u + 1][c] = float_bits(0);
                    }
                    assert_int_equal(send_parameters(&l, sampler_message(messages[i].type, SIMD8, 0), 0,
                                                     u + 2, values, 0xff),
                                     EU_SENT);
                    for (unsigned c = 0; c < 8; c++) {
                        const double first = holds(function, 4, c) ? 0 : 1,
                                     second = holds(function, 5, c) ? 0 : 1;
                        assert_float_equal(response(&l, 8, 0, c),
                                           (float)(linear ? first * 0.25 + second * 0.75 : first), 0);
                    }
                }
        fixed_point_references(&l);
        blue_of_two_floats(&l);
        /* lower left, lower right, upper right, upper left, whatever the filter */
        put_texture(&l, 0, &t);
        fill_texture(&l, &t);
        const struct filter f = {.mode = {WRAP, CLAMP, CLAMP}, .shadow = 2};
        put_sampler(&l, 0, &f);
        uint32_t values[3][16] = {{float_bits(0.25f / 32)}, {float_bits(5.75f / 16)}, {0}},
                 compared[3][16] = {
                     {float_bits(100 * 6)}, {float_bits(0.25f / 32)}, {float_bits(5.75f / 16)}};
        assert_int_equal(send_parameters(&l, sampler_message(8, SIMD8, 0), 0, 2, values, 1), EU_SENT);
        const float wanted[4] = {value_at(31, 6, 0, 0), value_at(0, 6, 0, 0), value_at(0, 5, 0, 0),
                                 value_at(31, 5, 0, 0)};
        for (unsigned c = 0; c < 4; c++)
            assert_float_equal(response(&l, 8, c, 0), wanted[c], 0);
        assert_int_equal(send_parameters(&l, sampler_message(16, SIMD8, 0), 0, 3, compared, 1), EU_SENT);
        for (unsigned c = 0; c < 4; c++)
            assert_float_equal(response(&l, 8, c, 0), (c < 2 ? 1 : 0), 0);
        /* the header says of which channel */
        dw(&l, 0)[2] = 3 << 16;
        dw(&l, 0)[3] = SAMPLERS;
        assert_int_equal(send_parameters(&l, HEADER | sampler_message(8, SIMD8, 0), 1, 2, values, 1),
                         EU_SENT);
        for (unsigned c = 0; c < 4; c++)
            assert_float_equal(response(&l, 8, c, 0), 1, 0);
        lab_end(&l);
    }
}

/* ---- Cubes: what a direction meets; over an edge goes on the side that has it ---- */

/* Gradients of 8 texels across and of one down: one sample for each texel across where the ratio may be that,
 * of level 0; half of them of level 1, where it may be 4; and beyond the edge there is the edge. */
static void anisotropy(void **state)
{
    (void)state;
    enum { ANISOTROPIC = 2, GRADIENTS = 4 };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 1, 4, 0, 4, false};
        fill_texture(&l, &t);
        put_texture(&l, 0, &t);
        for (unsigned most = 2; most <= 16; most += 2)
            for (unsigned down = 0; down < 2; down++)
                for (unsigned x = 0; x < 32; x += 5) {
                    const struct filter f = {
                        .filter = ANISOTROPIC, .mip = MIP_NEAREST, .mode = {CLAMP, CLAMP, CLAMP}, .most = 14};
                    const double ratio = down ? most < 8 ? most : 8 : most; /* without one no other end */
                    const double level = floor(log2(8 / ratio) + 0.5) > 0 ? floor(log2(8 / ratio) + 0.5) : 0;
                    uint32_t values[6][16] = {{float_bits(((float)x + 0.5f) / 32)},
                                              {float_bits(8 / 32.0f)},
                                              {0},
                                              {float_bits(5.5f / 16)},
                                              {0},
                                              {0}};
                    values[5][0] = down ? float_bits(1 / 16.0f) : 0;
                    put_sampler(&l, 0, &f);
                    dword_put(l.s, DYNAMIC + SAMPLERS + 12,
                              dword_at(l.s, DYNAMIC + SAMPLERS + 12) | (most / 2 - 1) << 19);
                    assert_int_equal(
                        send_parameters(&l, sampler_message(GRADIENTS, SIMD8, 0), 0, 6, values, 1), EU_SENT);
                    double wanted = 0;
                    const unsigned samples = (unsigned)ceil(ratio), w = smaller(32, (unsigned)level);
                    for (unsigned n = 0; n < samples; n++) {
                        const double at = ((x + 0.5) / 32 + ((n + 0.5) / samples - 0.5) * 8 / 32) * w - 0.5;
                        wanted += (at < 0 ? 0 : at > w - 1 ? w - 1 : at) / samples;
                    }
                    const double row = 5.5 / 16 * smaller(16, (unsigned)level) - 0.5;
                    wanted += 1 + 100 * (row < 0 ? 0 : row) + level * 0.5;
                    if (fabs((double)response(&l, 8, 0, 0) - wanted) > 0.3)
                        fail_msg("%s: ratio %u, texel %u: %g, not %g", *name, most, x,
                                 (double)response(&l, 8, 0, 0), wanted);
                }
        lab_end(&l);
    }
}

/* What a message takes of the budget is what it looks at: a level 16, and of accesses a half. */
static void costs(void **state)
{
    (void)state;
    enum { LINEAR_LEVELS = 3, ANISOTROPIC = 2, MOST = 7 << 19, LOOK = 16, LOAD = 7, GATHER = 8 };
    static const struct {
        unsigned type, parameters, filter, mip, levels, texels;
    } rows[] = {{0, 3, NEAREST, 0, 1, 1},
                {0, 3, LINEAR, 0, 1, 4},
                {4, 6, LINEAR, LINEAR_LEVELS, 2, 8},
                {4, 6, ANISOTROPIC, LINEAR_LEVELS, 32, 128},
                {LOAD, 3, NEAREST, 0, 1, 1},
                {GATHER, 3, NEAREST, 0, 1, 4}};
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, R8G8B8A8_SRGB, 32, 16, 1, 4, 0, 4, false};
        put_texture(&l, 0, &t);
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
            for (unsigned channels = 0; channels <= 8; channels += 4) {
                const bool gradients = rows[i].parameters == 6, far = rows[i].filter == ANISOTROPIC;
                const struct filter f = {.filter = rows[i].filter, .mip = rows[i].mip, .most = 14};
                /* Texels 2.5 apart, or 40 along u alone: levels 1 and 2. */
                const float step = far ? 40 / 32.0f : 2.5f / 32;
                uint32_t values[6][16];
                for (unsigned c = 0; c < 16; c++)
                    for (unsigned p = 0; p < 6; p++)
                        values[p][c] = rows[i].type == LOAD                   ? (p == 0 ? c : 0)
                                       : gradients && p == 1                  ? float_bits(step)
                                       : p == 0 || p == (gradients ? 3u : 1u) ? float_bits(0.31f)
                                                                              : 0;
                put_sampler(&l, 0, &f);
                dword_put(l.s, DYNAMIC + SAMPLERS + 12, dword_at(l.s, DYNAMIC + SAMPLERS + 12) | MOST);
                l.b->cost.messages = 0;
                assert_int_equal(send_parameters(&l, sampler_message(rows[i].type, SIMD8, 0), 0,
                                                 rows[i].parameters, values, (1u << channels) - 1u),
                                 EU_SENT);
                assert_int_equal(l.b->cost.messages,
                                 8 + channels * (LOOK * rows[i].levels + rows[i].texels / 2) +
                                     (rows[i].texels == 1 ? channels / 2 : 0));
            }
        lab_end(&l);
    }
}

/* Blocks of 4 by 4 texels: each is one colour, of its place. Sizes are no multiples of four; levels are
 * aligned to blocks, up to Gen8 to texels, as rows between slices are counted. */
static void blocks(void **state)
{
    (void)state;
    enum { BC1 = 0x186, BC1_SRGB = 0x18b, WIDTH = 18, HEIGHT = 10, SLICES = 3, LEVELS = 2 };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, BC1, WIDTH, HEIGHT, SLICES, LEVELS, 0, 8, true};
        const unsigned apart = lab_is_early(&l) ? QPITCH / 4 : QPITCH, below = lab_is_early(&l) ? 3 : 4;
        memset(l.s->memory + BYTES, 0, 0x40000);
        for (unsigned z = 0; z < SLICES; z++)
            for (unsigned level = 0; level < LEVELS; level++)
                for (unsigned y = 0; y < (smaller(HEIGHT, level) + 3) / 4; y++)
                    for (unsigned x = 0; x < (smaller(WIDTH, level) + 3) / 4; x++)
                        dword_put(l.s, BYTES + (z * apart + level * below + y) * PITCH + x * 8,
                                  (x + 1) << 11 | (y + 1 + 16 * level) << 5 | (z + 1));
        put_texture(&l, 0, &t);
        const struct filter f = {.mode = {CLAMP, CLAMP, CLAMP}, .filter = LINEAR};
        put_sampler(&l, 0, &f);
        for (unsigned z = 0; z < SLICES; z++)
            for (unsigned level = 0; level < LEVELS; level++)
                for (unsigned y = 0; y < smaller(HEIGHT, level); y++)
                    for (unsigned x = 0; x < smaller(WIDTH, level); x++) {
                        const unsigned second = lab_is_early(&l) ? 2 : 1;
                        uint32_t values[4][16] = {{x}, {level}, {level}, {z}};
                        values[second][0] = y;
                        assert_int_equal(send_parameters(&l, sampler_message(7, SIMD8, 0), 0, 4, values, 1),
                                         EU_SENT);
                        assert_float_equal(response(&l, 8, 0, 0), (float)((x / 4 + 1) / 31.0), 0);
                        assert_float_equal(response(&l, 8, 1, 0), (float)((y / 4 + 1 + 16 * level) / 63.0),
                                           0);
                        assert_float_equal(response(&l, 8, 2, 0), (float)((z + 1) / 31.0), 0);
                        assert_float_equal(response(&l, 8, 3, 0), 1, 0);
                    }
        /* between two blocks, and with the curve of sRGB before that */
        for (unsigned curve = 0; curve < 2; curve++) {
            struct texture other = t;
            other.format = curve ? BC1_SRGB : BC1;
            put_texture(&l, 0, &other);
            uint32_t values[3][16] = {{float_bits(4.0f / WIDTH)}, {float_bits(1.5f / HEIGHT)}, {0}};
            assert_int_equal(send_parameters(&l, sampler_message(24, SIMD8, 0), 0, 3, values, 1), EU_SENT);
            const double first = curve ? softgt_srgb_to_linear(1 / 31.0) : 1 / 31.0,
                         next = curve ? softgt_srgb_to_linear(2 / 31.0) : 2 / 31.0;
            assert_float_equal(response(&l, 8, 0, 0), (float)((first + next) / 2), 0.0002f);
        }
        lab_end(&l);
    }
}

/* The least or the greatest of the texels that a filter weighs; up to Gen8 there is no reduction. */
static void reductions(void **state)
{
    (void)state;
    enum { ENABLES = 1 << 9, LEAST = 2 << 22, GREATEST = 3 << 22 };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 1, 2, 0, 4, false};
        const struct filter f = {
            .filter = LINEAR, .mip = MIP_LINEAR, .mode = {CLAMP, CLAMP, CLAMP}, .most = 14};
        fill_texture(&l, &t);
        put_texture(&l, 0, &t);
        for (unsigned greatest = 0; greatest < 2; greatest++) {
            put_sampler(&l, 0, &f);
            const uint32_t at = DYNAMIC + SAMPLERS + 12;
            dword_put(l.s, at, dword_at(l.s, at) | ENABLES | (greatest ? GREATEST : LEAST));
            /* between texels 3 and 4 of rows 5 and 6; at texel 3 of row 5; of levels 0 and 1 */
            uint32_t values[3][16] = {{float_bits(0), float_bits(0), float_bits(0.5f)},
                                      {float_bits(4.2f / 32), float_bits(3.5f / 32), float_bits(4.2f / 32)},
                                      {float_bits(6.1f / 16), float_bits(5.5f / 16), float_bits(6.1f / 16)}};
            assert_int_equal(send_parameters(&l, sampler_message(2, SIMD8, 0), 0, 3, values, 7), EU_SENT);
            const float all[3][2] = {{value_at(3, 5, 0, 0), value_at(4, 6, 0, 0)},
                                     {value_at(3, 5, 0, 0), value_at(3, 5, 0, 0)},
                                     {value_at(1, 2, 0, 1), value_at(4, 6, 0, 0)}};
            for (unsigned c = 0; c < 3 && !lab_is_early(&l); c++)
                assert_float_equal(response(&l, 8, 0, c), all[c][greatest], 0);
        }
        lab_end(&l);
    }
}

/* Cube Surface Control Mode is OVERRIDE: whatever the address modes, sides meet. */
static void put_override(struct lab *l)
{
    dword_put(l->s, DYNAMIC + SAMPLERS + 4, dword_at(l->s, DYNAMIC + SAMPLERS + 4) | 1u);
}

/* Sides meet by the address mode, or whatever it is; else each is clamped. (SKL PRM vol 2d, SAMPLER_STATE:
 * Cube Surface Control Mode) */
static void cubes(void **state)
{
    (void)state;
    enum { SIZE = 4, AT_CORNER = 3, CUBE = 3 };
    enum { BY_MODE, BY_OVERRIDE, BY_NOTHING, WAYS };
    /* Directions in eighths; the side, its texel, and for filters the weight of the texel over the edge. */
    static const struct {
        int direction[3];
        unsigned side, x, y;
    } rows[] = {
        {{8, -1, -1}, 0, 2, 2}, {{8, 7, 7}, 0, 0, 0},   {{-8, 7, 7}, 1, 3, 0}, {{-8, -3, 3}, 1, 2, 2},
        {{3, 8, 7}, 2, 2, 3},   {{-7, 8, -7}, 2, 0, 0}, {{3, -8, 7}, 3, 2, 0}, {{-7, -8, -7}, 3, 0, 3},
        {{7, 7, 8}, 4, 3, 0},   {{-3, -7, 8}, 4, 1, 3}, {{7, 7, -8}, 5, 0, 0}, {{-3, -7, -8}, 5, 2, 3},
        {{16, -2, -2}, 0, 2, 2} /* however long */
    };
    /* An edge's middle: half of each side's. */
    static const struct {
        int direction[3];
        unsigned side[2], x[2], y[2];
    } edges[] = {
        {{8, 2, -6}, {0, 0}, {3, 3}, {1, 1}}, /* a texel's middle: no other */
        {{8, 2, -8}, {0, 5}, {3, 0}, {1, 1}},  {{8, 8, 2}, {0, 2}, {1, 3}, {0, 2}},
        {{-8, -2, 8}, {1, 4}, {3, 0}, {2, 2}}, {{2, -8, -8}, {3, 5}, {2, 1}, {3, 3}},
    };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_CUBE, R32_FLOAT, SIZE, SIZE, 2, 1, 0, 4, true};
        struct texture all = t;
        all.depth = 12;
        fill_texture(&l, &all);
        put_texture(&l, 0, &t);
        for (unsigned n = 8; n <= 16; n += 8)
            for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
                for (unsigned cube = 0; cube < 2; cube++) {
                    const struct filter f = {
                        .mode = {WRAP, CLAMP_BORDER, MIRROR}}; /* cubes have no use for them */
                    uint32_t values[4][16] = {{0}};
                    for (unsigned d = 0; d < 3; d++)
                        values[d][n - 1] = float_bits((float)rows[i].direction[d] / 8);
                    values[3][n - 1] = float_bits((float)cube);
                    put_sampler(&l, 0, &f);
                    assert_int_equal(
                        send_parameters(&l, sampler_message(0, n / 8, 0), 0, 4, values, 1u << (n - 1)),
                        EU_SENT);
                    assert_float_equal(response(&l, n, 0, n - 1),
                                       value_at(rows[i].x, rows[i].y, rows[i].side + 6 * cube, 0), 0);
                }
        for (unsigned i = 0; i < WAYS * sizeof edges / sizeof edges[0]; i++) {
            const unsigned way = i % WAYS, n = i / WAYS;
            const struct filter f = {
                .filter = LINEAR,
                .mode = {way == BY_MODE ? CUBE : CLAMP, way == BY_MODE ? CUBE : CLAMP, CLAMP}};
            uint32_t values[4][16] = {{0}};
            for (unsigned d = 0; d < 3; d++)
                values[d][0] = float_bits((float)edges[n].direction[d] / 8);
            /* a hair inside of the first side */
            if (n)
                for (unsigned d = 0; d < 3; d++)
                    if (abs(edges[n].direction[d]) == 8 && d != edges[n].side[0] / 2)
                        values[d][0] = float_bits((float)edges[n].direction[d] / 8 * (1 - 1 / 2048.0f));
            put_sampler(&l, 0, &f);
            if (way == BY_OVERRIDE)
                put_override(&l);
            assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 4, values, 1), EU_SENT);
            const double first = (double)value_at(edges[n].x[0], edges[n].y[0], edges[n].side[0], 0),
                         second = (double)value_at(edges[n].x[1], edges[n].y[1], edges[n].side[1], 0);
            assert_float_equal(response(&l, 8, 0, 0),
                               (float)(way == BY_NOTHING ? first : (first + second) / 2),
                               fabs(second - first) / 100);
        }
        /* a corner: three sides meet, none is the fourth */
        const struct filter f = {.filter = LINEAR, .mode = {CLAMP, CLAMP, CLAMP}};
        const float almost = 1 - 1 / 4096.0f;
        uint32_t values[4][16] = {{float_bits(1)}, {float_bits(almost)}, {float_bits(almost)}, {0}};
        put_sampler(&l, 0, &f);
        put_override(&l);
        assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 4, values, 1), EU_SENT);
        const double mean = ((double)value_at(0, 0, 0, 0) + (double)value_at(AT_CORNER, AT_CORNER, 2, 0) +
                             (double)value_at(AT_CORNER, 0, 4, 0)) /
                            3;
        assert_float_equal(response(&l, 8, 0, 0), (float)mean, mean / 100);
        lab_end(&l);
    }
}

/* Of pixels, what a message without gradients changes within a four is the gradient of all of it; of other
 * threads the level is 0, and of messages that say so. */
static void levels_of_fours(void **state)
{
    (void)state;
    enum { SAMPLE_ = 0, BIASED = 1, LEVEL_ZERO = 24 };
    static const struct {
        unsigned message;
        bool pixels;
        float along_x, along_y, level; /* texels */
    } rows[] = {
        {SAMPLE_, true, 1, 1, 0},  {SAMPLE_, true, 2, 1, 1},  {SAMPLE_, true, 1, 4, 2},
        {SAMPLE_, true, -8, 0, 3}, {SAMPLE_, false, 2, 1, 0}, {LEVEL_ZERO, true, 2, 1, 0},
        {BIASED, true, 2, 1, 2},
    };
    for (EACH_DEVICE(name)) {
        struct lab l;
        static struct ps_thread pixels;
        lab_begin(&l, *name);
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            if (rows[i].message == LEVEL_ZERO && l.set == &eu_gen8)
                continue;
            const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 1, 4, 0, 4, false};
            const struct filter f = {.filter = NEAREST, .mip = 1, .mode = {WRAP, WRAP, WRAP}, .most = 14};
            const unsigned biased = rows[i].message == BIASED;
            uint32_t values[3][16] = {{0}};
            fill_texture(&l, &t);
            put_texture(&l, 0, &t);
            put_sampler(&l, 0, &f);
            l.b->ps = rows[i].pixels ? &pixels : NULL;
            for (unsigned c = 0; c < 8; c++) {
                const float u = 10.25f + (c & 1 ? rows[i].along_x : 0),
                            v = 6.25f + (c & 2 ? rows[i].along_y : 0);
                values[0][c] = float_bits(1);
                values[biased][c] = float_bits(u / 32);
                values[biased + 1u][c] = float_bits(v / 16);
            }
            /* one channel of the second four asks: the others need not run */
            assert_int_equal(
                send_parameters(&l, sampler_message(rows[i].message, SIMD8, 0), 0, 2 + biased, values, 0x10),
                EU_SENT);
            const unsigned level = (unsigned)rows[i].level;
            assert_float_equal(response(&l, 8, 0, 4), value_at(10 >> level, 6 >> level, 0, level), 0);
        }
        l.b->ps = NULL;
        lab_end(&l);
    }
}

/* The LOD message: the level that a sample takes, and the LOD before it is limited. (SKL PRM vol 2d, LOD) */
static void levels_that_are_asked_for(void **state)
{
    (void)state;
    static const struct {
        unsigned mip;
        float along_x, most, level, lod;
    } rows[] = {{0, 4, 14, 0, 2},      {1, 4, 14, 2, 2},  {3, 4, 14, 2, 2},
                {3, 4, 1.5f, 1.5f, 2}, {3, 64, 14, 3, 6}, {3, 0.25f, 14, 0, -2}};
    for (EACH_DEVICE(name)) {
        struct lab l;
        static struct ps_thread pixels;
        lab_begin(&l, *name);
        l.b->ps = &pixels;
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 1, 4, 0, 4, false};
            const struct filter f = {.filter = NEAREST,
                                     .mip = rows[i].mip,
                                     .mode = {WRAP, WRAP, WRAP},
                                     .most = rows[i].most,
                                     .mag_mips = true};
            uint32_t values[2][16] = {{0}};
            put_texture(&l, 0, &t);
            put_sampler(&l, 0, &f);
            for (unsigned c = 0; c < 8; c++)
                values[0][c] = float_bits((10.25f + (c & 1 ? rows[i].along_x : 0)) / 32);
            assert_int_equal(send_parameters(&l, sampler_message(9, SIMD8, 0), 0, 2, values, 0xff), EU_SENT);
            for (unsigned c = 0; c < 8; c++) {
                assert_float_equal(response(&l, 8, 0, c), rows[i].level, 0);
                assert_float_equal(response(&l, 8, 1, c), rows[i].lod, 0);
            }
        }
        l.b->ps = NULL;
        lab_end(&l);
    }
}

/* ---- Levels by what coordinates change; texels that parameters add; values of 16 bits ---- */

static void gradients(void **state)
{
    (void)state;
    static const struct {
        unsigned type;
        float changes[2][3]; /* along x, along y */
        float level;
    } rows[] = {
        {TYPE_2D, {{2 / 32.0f, 0, 0}, {0, 1 / 16.0f, 0}}, 1},
        {TYPE_2D, {{1 / 32.0f, 0, 0}, {0, 4 / 16.0f, 0}}, 2},
        {TYPE_2D, {{3 / 32.0f, 4 / 16.0f, 0}, {0, 0, 0}}, 2.3203125f}, /* log2 of 5, in 256ths */
        {TYPE_2D, {{0, 0, 0}, {0, 0, 0}}, 0},
        {TYPE_2D, {{9, 0, 0}, {0, 0, 0}}, 3},
        {TYPE_1D, {{4 / 32.0f, 0, 0}, {0, 0, 0}}, 2},
        {TYPE_3D, {{0, 0, 0}, {0, 0, 2 / 4.0f}}, 1},
    };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
            for (unsigned compares = 0; compares < 2; compares++) {
                const unsigned type = rows[i].type, coordinates = type + 1u;
                const struct texture t = {
                    type, R32_FLOAT, 32, type == TYPE_1D ? 1 : 16, type == TYPE_3D ? 4 : 1, 4, 0, 4, false};
                const struct filter f = {
                    .filter = NEAREST, .mip = 3, .mode = {CLAMP, CLAMP, CLAMP}, .most = 14, .shadow = 2};
                uint32_t values[11][16] = {{float_bits(1.25f)}};
                fill_texture(&l, &t);
                put_texture(&l, 0, &t);
                put_sampler(&l, 0, &f);
                for (unsigned d = 0; d < coordinates; d++)
                    for (unsigned n = 0; n < 2; n++)
                        values[compares + 3 * d + 1 + n][0] = float_bits(rows[i].changes[n][d]);
                if (!compares)
                    values[0][0] = 0;
                assert_int_equal(send_parameters(&l, sampler_message(compares ? 20 : 4, SIMD8, 0), 0,
                                                 compares + 3 * coordinates, values, 1),
                                 EU_SENT);
                /* below the reference, 1.25, the comparison is 0: of levels 0 (1) it is, of others (1.5 and
                 * on) not */
                const float level = rows[i].level, value = 1 + 0.5f * level;
                const float above = level < 1 ? level : 1;
                assert_float_equal(response(&l, 8, 0, 0), (compares ? above : value), 0);
            }
        /* of a cube: the side's place moves with the direction */
        const struct texture cube = {TYPE_CUBE, R32_FLOAT, 16, 16, 1, 2, 0, 4, false};
        struct texture sides = cube;
        sides.depth = 6;
        fill_texture(&l, &sides);
        put_texture(&l, 0, &cube);
        const struct filter f = {.mip = 3, .mode = {CLAMP, CLAMP, CLAMP}, .most = 14};
        put_sampler(&l, 0, &f);
        for (unsigned length = 1; length <= 2; length++) {
            uint32_t values[10][16] = {{0}};
            values[0][0] = float_bits(
                -(float)length); /* u, and v along x: a direction twice as long moves half as far */
            values[3][0] = float_bits(-(float)length * 0.9375f);
            values[4][0] = float_bits(0.25f);
            values[6][0] = float_bits(-(float)length * 0.9375f);
            assert_int_equal(send_parameters(&l, sampler_message(4, SIMD8, 0), 0, 9, values, 1), EU_SENT);
            const unsigned level = 2 - length;
            assert_float_equal(response(&l, 8, 0, 0), value_at(0, 15u >> level, 1, level), 0);
        }
        lab_end(&l);
    }
}

/* Pixels of a subspan may show different sides of a cube: the LOD is that of places seen from the pixel's own
 * side, here 1.52 texels apart. Directions are divided by their longest part. (SNB PRM vol 4 part 1, 2.1.2)
 */
static void cube_edges(void **state)
{
    (void)state;
    enum { SIZE = 16, LEVEL = 1 };
    static const float apart = 0.19f, rows[2] = {0.2f, 0.2625f};
    for (EACH_DEVICE(name))
        for (unsigned beyond = 0; beyond < 2; beyond++) { /* the right pixels show +x */
            struct lab l;
            lab_begin(&l, *name);
            struct ps_thread pixels = {.coverage_mask = 0xff};
            const struct texture cube = {TYPE_CUBE, R32_FLOAT, SIZE, SIZE, 1, 2, 0, 4, false};
            struct texture sides = cube;
            uint32_t values[4][16] = {{0}};
            const float left = beyond ? 0.90625f : 0.51f;
            sides.depth = 6;
            fill_texture(&l, &sides);
            put_texture(&l, 0, &cube);
            put_sampler(&l, 0, &(struct filter){.mip = 1, .mode = {CLAMP, CLAMP, CLAMP}, .most = 14});
            for (unsigned n = 0; n < 4; n++) {
                const float x = left + (n & 1 ? apart : 0), longest = x > 1 ? x : 1;
                values[0][n] = float_bits(x / longest);
                values[1][n] = float_bits(-1 / longest);
                values[2][n] = float_bits(rows[n / 2] / longest);
            }
            l.b->ps = &pixels;
            assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 4, values, 15), EU_SENT);
            l.b->ps = NULL;
            for (unsigned n = 0; n < 4 - beyond; n += 1 + beyond) { /* all, or the left ones */
                const float x = left + (n & 1 ? apart : 0);
                const unsigned size = SIZE >> LEVEL, column = (unsigned)((x + 1) / 2 * (float)size),
                               row = (unsigned)((1 - rows[n / 2]) / 2 * (float)size);
                assert_float_equal(response(&l, 8, 0, n), value_at(column, row, 3, LEVEL), 0);
            }
            lab_end(&l);
        }
}

static void offsets_and_halves(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const struct texture t = {TYPE_2D, R32_FLOAT, 32, 16, 3, 1, 0, 4, true};
        const struct filter f = {.mode = {WRAP, CLAMP, CLAMP}, .shadow = 2};
        fill_texture(&l, &t);
        put_texture(&l, 0, &t);
        put_sampler(&l, 0, &f);
        for (int offset = -32; offset < 32; offset++)
            for (unsigned compares = 0; compares < 2; compares++) {
                const int y = 8 - offset < 0    ? 0
                              : 8 - offset > 15 ? 15
                                                : 8 - offset,
                          below_y = 9 - offset > 15  ? 15
                                    : 9 - offset < 0 ? 0
                                                     : 9 - offset;
                const unsigned x = (unsigned)(9 + offset) % 32, beside = (x + 1) % 32;
                uint32_t values[6][16] = {{float_bits(10000)}};
                uint32_t(*const v)[16] = values + compares;
                v[0][0] = float_bits(10 / 32.0f);
                v[1][0] = float_bits(9 / 16.0f);
                v[2][0] = (uint32_t)offset & 63u;
                v[3][0] = (uint32_t)-offset & (offset == -32 ? 31u : 63u);
                v[4][0] = float_bits(2);
                if (offset == -32) /* 32 has no six bits */
                    continue;
                assert_int_equal(send_parameters(&l, sampler_message(compares ? 18 : 17, SIMD8, 0), 0,
                                                 5 + compares, values, 1),
                                 EU_SENT);
                const float wanted[4] = {value_at(x, (unsigned)below_y, 2, 0),
                                         value_at(beside, (unsigned)below_y, 2, 0),
                                         value_at(beside, (unsigned)y, 2, 0), value_at(x, (unsigned)y, 2, 0)};
                for (unsigned c = 0; c < 4; c++)
                    assert_float_equal(response(&l, 8, c, 0), (compares ? 1 : wanted[c]), 0);
            }
        /* halves: a register for each of the four, whatever the channels */
        for (unsigned n = 8; n <= 16; n += 8) {
            uint32_t values[3][16] = {{0}};
            for (unsigned c = 0; c < n; c++)
                values[0][c] = float_bits(((float)c + 0.5f) / 32);
            assert_int_equal(
                send_parameters(&l, sampler_message(24, n / 8, 0) | 1u << 30, 0, 2, values, 0xfff7), EU_SENT);
            for (unsigned c = 0; c < n; c++) {
                uint16_t red, alpha;
                memcpy(&red, l.grf[32] + c * 2, 2);
                memcpy(&alpha, l.grf[35] + c * 2, 2);
                assert_int_equal(red,
                                 c == 3 ? 0xeeee : softgt_float32_to_16(float_bits(value_at(c, 0, 0, 0))));
                assert_int_equal(alpha, c == 3 ? 0xeeee : 0x3c00);
            }
            assert_int_equal(l.grf[32][n * 2 - 1] != 0xee, true);
            if (n == 8)
                assert_int_equal(l.grf[32][16], 0xee);
        }
        lab_end(&l);
    }
}

/* ---- What surfaces are like ---- */

static void descriptions(void **state)
{
    (void)state;
    static const struct {
        unsigned type;
        bool array;
        uint32_t wanted[3][4]; /* of levels 0, 2 and 5, which is none */
    } rows[] = {
        {TYPE_1D, false, {{24, 0, 0, 4}, {6, 0, 0, 4}, {0, 0, 0, 4}}},
        {TYPE_1D, true, {{24, 6, 0, 4}, {6, 6, 0, 4}, {0, 0, 0, 4}}},
        {TYPE_2D, false, {{24, 10, 0, 4}, {6, 2, 0, 4}, {0, 0, 0, 4}}},
        {TYPE_2D, true, {{24, 10, 6, 4}, {6, 2, 6, 4}, {0, 0, 0, 4}}},
        {TYPE_3D, false, {{24, 10, 6, 4}, {6, 2, 1, 4}, {0, 0, 0, 4}}},
        {TYPE_CUBE, false, {{24, 10, 0, 4}, {6, 2, 0, 4}, {0, 0, 0, 4}}},
    };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const struct texture t = {rows[i].type, R32_FLOAT, 24, 10, 6, 4, 0, 4, rows[i].array};
            uint32_t values[1][16] = {{0, 2, 5}};
            put_texture(&l, 0, &t);
            assert_int_equal(send_parameters(&l, sampler_message(10, SIMD8, 0), 0, 1, values, 7), EU_SENT);
            for (unsigned c = 0; c < 3; c++)
                for (unsigned r = 0; r < 4; r++)
                    assert_int_equal(raw_response(&l, 8, r, c), rows[i].wanted[c][r]);
        }
        /* 8 samples, the sixth palette's positions */
        uint32_t values[1][16] = {{0}};
        dword_put(l.s, SURFACES + 64 + 16, 3 << 3 | 5);
        assert_int_equal(send_parameters(&l, sampler_message(11, SIMD16, 0), 0, 1, values, 1), EU_SENT);
        assert_int_equal(raw_response(&l, 16, 0, 0), 8);
        assert_int_equal(raw_response(&l, 16, 3, 0), 6);
        lab_end(&l);
    }
}

/* ---- What is not there, what is not done ---- */

static void others(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        uint32_t values[4][16] = {{0}};
        const struct filter f = {.filter = LINEAR};
        put_sampler(&l, 0, &f);
        put_surface(&l, 0, NOTHING, R32_FLOAT, ABSENT);
        static const uint8_t done[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                       16, 17, 18, 20, 24, 25, 26, 28, 29, 30, 31};
        for (unsigned type = 0, next = 0; type < 32; type++) {
            const bool known = next < sizeof done && done[next] == type;
            next += known;
            for (unsigned mode = 0; mode < 4; mode++) {
                const bool sent = known && (mode == SIMD8 || mode == SIMD16);
                if (type == 0x1f && mode == 3)
                    continue; /* the_cache_is_flushed */
                assert_int_equal(send_parameters(&l, sampler_message(type, mode, 0), 0, 4, values, 1),
                                 sent ? EU_SENT : EU_SEND_FAULT);
                for (unsigned c = 0; c < 4 && sent; c++)
                    assert_int_equal(raw_response(&l, mode == SIMD16 ? 16 : 8, c, 0), 0);
                assert_true(sent == !l.b->error_text);
            }
        }
        /* loads of a cube; many samples; formats without pixels; filters of a buffer; reductions */
        const struct texture t = {TYPE_2D, R32_FLOAT, 24, 10, 6, 4, 0, 4, false},
                             cube = {TYPE_CUBE, R32_FLOAT, 8, 8, 1, 1, 0, 4, false},
                             unknown = {TYPE_2D, 0x190 /* YCRCB_SWAPY */, 8, 8, 1, 1, 0, 4, false},
                             buffer = {BUFFER, R32_FLOAT, 8, 8, 1, 1, 0, 4, false};
        const struct texture *const refused[] = {&cube, &unknown, &buffer};
        for (unsigned i = 0; i < 3; i++) {
            put_texture(&l, 0, refused[i]);
            assert_int_equal(send_parameters(&l, sampler_message(i == 0 ? 7 : 0, SIMD8, 0), 0, 4, values, 1),
                             EU_SEND_FAULT);
            assert_non_null(l.b->error_text);
        }
        put_texture(&l, 0, &t);
        assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 4, values, 1), EU_SENT);
        dword_put(l.s, SURFACES + 64 + 16, 1 << 3);
        assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 4, values, 1), EU_SEND_FAULT);
        /* a border that no address mode asks for is not read */
        put_texture(&l, 0, &t);
        dword_put(l.s, DYNAMIC + SAMPLERS + 8, ABSENT - DYNAMIC);
        assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 4, values, 1), EU_SENT);
        assert_int_equal(streamer_status(l.s).faults, 0);
        /* no page: the engine's fault */
        put_texture(&l, 0, &t);
        dword_put(l.s, SURFACES + 64 + 32, ABSENT);
        assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 4, values, 1), EU_SEND_FAULT);
        assert_int_equal(streamer_status(l.s).faults, 1);
        lab_end(&l);
    }
}

/* Any message, surface, sampler: an answer, and nothing beyond (under sanitizers). */
static void anything(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        l.b->kernel.dynamic_state_base = DYNAMIC;
        for (unsigned turn = 0; turn < 20000; turn++) {
            for (unsigned i = 0; i < 16 * 8; i++)
                dw(&l, i / 8)[i % 8] =
                    (uint32_t)random_next(&seed) & (below(&seed, 2) ? 0x3ffu : 0xffffffffu);
            for (unsigned i = 0; i < 16; i++)
                dword_put(l.s, SURFACES + 64 + i * 4,
                          (uint32_t)random_next(&seed) & (below(&seed, 2) ? 0x7ffu : 0xffffffffu));
            for (unsigned i = 0; i < 4; i++)
                dword_put(l.s, DYNAMIC + i * 4, (uint32_t)random_next(&seed));
            dword_put(l.s, SURFACES + 64, below(&seed, 6) << 29 | below(&seed, 1 << 29));
            if (below(&seed, 2))
                dword_put(l.s, SURFACES + 64, (dword_at(l.s, SURFACES + 64) & 0xf000ffffu) | R32_FLOAT << 18);
            dword_put(l.s, SURFACES + 64 + 36, 0);
            dword_put(l.s, TABLE, 64);
            l.b->kernel.sampler_state_pointer = 0;
            ask(&l, SFID_SAMPLER, ((uint32_t)random_next(&seed) & 0x99f000u) | (1u + below(&seed, 2)) << 17,
                0, below(&seed, 16), below(&seed, 16), below(&seed, 32), 1u << below(&seed, 6),
                (uint32_t)random_next(&seed));
            l.s->device->engines[0].parse.state = SOFTGT_ENGINE_IDLE; /* as after a fault's reset */
        }
        lab_end(&l);
    }
}

/* The message by which a thread waits until the sampler's caches are flushed: a header, a register comes or
 * none, no surface is looked at. Of other modes it is something else. (IGC: 021FF000h, 020FF000h) */
static void the_cache_is_flushed(void **state)
{
    enum { FLUSH = 0x1f, SIMD32 = 3 };
    (void)state;
    for (EACH_DEVICE(device))
        for (unsigned response = 0; response < 2; response++) {
            struct lab l;
            lab_begin(&l, *device);
            l.b->kernel.surface_state_base = l.b->kernel.dynamic_state_base = ABSENT;
            assert_int_equal(
                ask(&l, SFID_SAMPLER, HEADER | sampler_message(FLUSH, SIMD32, 0), 0, 1, 0, response, 8, 0xff),
                EU_SENT);
            assert_null(l.b->error_text);
            assert_int_equal(
                ask(&l, SFID_SAMPLER, HEADER | sampler_message(FLUSH, SIMD16, 0), 0, 1, 0, 8, 16, 0xffff),
                EU_SEND_FAULT);
            lab_end(&l);
        }
}

/* Texels of blocks that a control surface says are cleared: the color of the surface's state, from Gen11 on
 * the converted one in memory; of others what lies there. */
static void cleared_blocks(void **state)
{
    (void)state;
    enum { CCS = 0x1c0000, COLOR = 0x1a0000, STATE = SURFACES + 64, TILE_Y = 3 << 12, NOWHERE = 128 };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        const bool early = lab_is_early(&l), in_state = l.set == &eu_gen9;
        const float color = early ? 1 : in_state ? 5.5f : 6.25f;
        const struct texture t = {TYPE_2D, R32_FLOAT, 24, 16, 1, 1, 0, 4, false};
        uint32_t values[3][16];
        if (l.set->has_lsc || l.s->device->engines[0].info->aux_table_base_register) {
            lab_end(&l); /* has it by address */
            continue;
        }
        fill_texture(&l, &t);
        put_texture(&l, 0, &t);
        dword_put(l.s, STATE, dword_at(l.s, STATE) | TILE_Y);
        dword_put(l.s, STATE + 40, CCS | (early || in_state ? 0 : 1u << 10));
        if (early)
            dword_put(l.s, STATE + 28, dword_at(l.s, STATE + 28) | 1u << 31);
        else
            dword_put(l.s, STATE + 48, in_state ? float_bits(color) : COLOR);
        dword_put(l.s, COLOR, float_bits(5.5f));
        dword_put(l.s, COLOR + 16, float_bits(6.25f));
        for (unsigned c = 0; c < 16; c++) {
            values[0][c] = c + 4;
            values[1][c] = 3;
            values[2][c] = 0;
        }
        values[0][15] = NOWHERE;
        for (unsigned way = 0; way < 4; way++) { /* with the mode and all bits; those of 8 texels; neither */
            dword_put(l.s, STATE + 24, way == 3 ? 0 : early ? 1 : 5);
            memset(l.s->memory + CCS, way == 0 || way == 3 ? 0xff : 0, 0x1000);
            l.s->memory[CCS] = way == 1 ? (early ? 1 : 3) : l.s->memory[CCS];
            another_slice(&l);
            uint32_t order[3][16];
            memcpy(order[0], values[0], sizeof order[0]);
            memcpy(order[l.b->info.ld_lod_is_second_parameter ? 2 : 1], values[1], sizeof order[0]);
            memcpy(order[l.b->info.ld_lod_is_second_parameter ? 1 : 2], values[2], sizeof order[0]);
            assert_int_equal(send_parameters(&l, sampler_message(7, SIMD16, 0), 0, 3, order, 0xffff),
                             EU_SENT);
            for (unsigned c = 0; c < 15; c++)
                if (way == 0 || (way == 1 && c < 4))
                    assert_float_equal(response(&l, 16, 0, c), color, 0);
                else
                    assert_float_not_equal(response(&l, 16, 0, c), color, 0);
            assert_float_equal(response(&l, 16, 0, 15), 0, 0); /* off the map */
        }
        lab_end(&l);
    }
}

/* A surface of one slice, and the same as the first of two: other code samples these, to the same bits.
 * Random formats of memory's bytes, filters, address modes, levels and positions, with those that are no
 * numbers. */
static void one_slice_as_the_first_of_two(void **state)
{
    (void)state;
    enum { ROUNDS = 300, MODES = 6 };
    static const unsigned formats[] = {R8G8B8A8_UNORM, R8G8B8A8_SRGB,  R32_FLOAT,
                                       R8_UNORM,       B8G8R8A8_UNORM, B8G8R8X8_UNORM},
                          bytes[] = {4, 4, 4, 1, 4, 4},
                          modes[MODES] = {WRAP, MIRROR, CLAMP, CLAMP_BORDER, MIRROR_ONCE, 7};
    static const float strange[] = {NAN, INFINITY, -INFINITY, 1e30f, -0.0f, 0.5f, 1, -3};
    uint64_t seed = 11;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        for (uint32_t i = 0; i < 0x40000; i += 4)
            dword_put(l.s, BYTES + i, (uint32_t)random_next(&seed) & 0xbf7fbf7f);
        for (unsigned i = 0; i < 4; i++)
            dword_put(l.s, DYNAMIC + BORDERS + i * 4, float_bits(0.25f * (float)i));
        for (unsigned n = 0; n < ROUNDS; n++) {
            const unsigned which = (unsigned)(random_next(&seed) % (sizeof formats / sizeof formats[0]));
            struct texture t = {.type = TYPE_2D,
                                .format = formats[which],
                                .width = 1 + (unsigned)(random_next(&seed) % 33),
                                .height = 1 + (unsigned)(random_next(&seed) % 17),
                                .depth = 1,
                                .levels = 1 + (unsigned)(random_next(&seed) % 3),
                                .pixel_bytes = bytes[which]};
            struct filter f = {.filter = (unsigned)(random_next(&seed) & 1u),
                               .mip = random_next(&seed) % 3 ? 3 : 0,
                               .most = 4,
                               .rounds = random_next(&seed) & 1u,
                               .mag_mips = random_next(&seed) & 1u};
            for (unsigned d = 0; d < 3; d++)
                f.mode[d] = modes[random_next(&seed) % MODES];
            uint32_t values[3][16], answers[2][64];
            for (unsigned c = 0; c < 16; c++) {
                values[0][c] = float_bits((float)(random_next(&seed) % 1024) / 256 - 1); /* the LOD */
                for (unsigned p = 1; p < 3; p++)
                    values[p][c] =
                        float_bits(random_next(&seed) % 8 ? (float)(random_next(&seed) % 4096) / 1024 - 1.5f
                                                          : strange[random_next(&seed) % 8]);
            }
            put_sampler(&l, 0, &f);
            for (unsigned two = 0; two < 2; two++) {
                t.array = two;
                t.depth = 1 + two;
                put_texture(&l, 0, &t);
                send_parameters(&l, sampler_message(2, SIMD16, 0), 0, 3, values, 0xffff);
                for (unsigned c = 0; c < 64; c++)
                    answers[two][c] = raw_response(&l, 16, c / 16, c % 16);
            }
            assert_memory_equal(answers[0], answers[1], sizeof answers[0]);
        }
        lab_end(&l);
    }
}

/* ---- Rows of pixels ---- */

static unsigned rows_found;
static const struct sampler_functions *counted_functions;
static bool count_rows(struct sampler_rows *r)
{
    const bool done = counted_functions->sample(r);
    rows_found += done;
    return done;
}

static bool count_loads(struct sampler_rows *r)
{
    const bool done = counted_functions->load(r);
    rows_found += done;
    return done;
}

/* Tables of auxiliary surfaces, for devices that find the state of blocks by them. */
static void put_aux_tables(struct lab *l)
{
    enum {
        OUTER = 0x1d0000,
        MIDDLE = 0x1d8000,
        LAST = 0x1e0000,
        STATES = 0x1e2000,
        OF_64_KB = 256,
        COUNT = 64
    };
    if (!l->s->device->engines[0].info->aux_table_base_register)
        return;
    l->b->aux_table = OUTER;
    dword_put(l->s, OUTER, MIDDLE | 1);
    dword_put(l->s, MIDDLE, LAST | 1);
    for (uint32_t n = 0; n < COUNT; n++)
        dword_put(l->s, LAST + n * 8u, (STATES + n * OF_64_KB) | 1u);
}

/* A control surface, or states by address, with or without cleared blocks. */
static void put_random_blocks(struct lab *l, uint64_t *seed, uint64_t base)
{
    enum {
        CCS = 0x1c0000,
        CCS_SIZE = 0x4000,
        STATES = 0x1e2000,
        PAGES = 128,
        CCS_E = 5,
        STATE = SURFACES + 64
    };
    static const uint8_t states[] = {0, 0, 0, 0x55, 0x44, 0x40, 0x04, 0x54};
    const bool some_cleared = random_next(seed) & 1u;
    for (uint32_t i = 0; i < CCS_SIZE; i += 4)
        dword_put(l->s, CCS + i, 0);
    for (uint32_t i = 0; i < PAGES * 16; i++)
        l->s->memory[STATES + base / 256 + i] =
            some_cleared && random_next(seed) % 4 == 0 ? states[random_next(seed) % 8] : 0;
    if (random_next(seed) & 1u)
        return;
    dword_put(l->s, STATE + 24, lab_is_early(l) ? 1 : CCS_E);
    dword_put(l->s, STATE + 40, CCS);
    for (unsigned n = 0; n < 8 && some_cleared; n++)
        l->s->memory[CCS + random_next(seed) % 64] = (uint8_t)random_next(seed);
}

/* A texture of random bytes, with or without tiles and a control surface. Some lie partly where no pages are.
 */
static void put_random_texture(struct lab *l, uint64_t *seed, struct texture *t)
{
    static const struct {
        unsigned format, bytes;
    } formats[] = {{R8G8B8A8_UNORM, 4}, {R8G8B8A8_SRGB, 4},      {B8G8R8A8_UNORM, 4},
                   {B8G8R8X8_UNORM, 4}, {R8_UNORM, 1},           {R10G10B10A2, 4},
                   {B5G6R5, 2},         {R16_UNORM, 2},          {R24_UNORM_X8, 4},
                   {R32_FLOAT, 4},      {R16G16B16A16_FLOAT, 8}, {R32G32B32A32_FLOAT, 16},
                   {R32G32_FLOAT, 8},   {R11G11B10_FLOAT, 4},    {R8G8B8A8_SNORM, 4},
                   {R8G8B8A8_SINT, 4},  {R32_UINT, 4},           {BC1_UNORM, 2},
                   {BC3_UNORM, 4},      {BC4_UNORM, 2},          {BC7_UNORM, 4}};
    enum { STATE = SURFACES + 64, X_TILES = 2 << 12, Y_TILES = 3 << 12, LAST_PAGES = 32 };
    const unsigned which = (unsigned)(random_next(seed) % (sizeof formats / sizeof formats[0]));
    const unsigned tiling = (unsigned)(random_next(seed) % 3);
    uint64_t base = BYTES;
    *t = (struct texture){.type = TYPE_2D,
                          .format = formats[which].format,
                          .width = random_next(seed) & 1u ? 32 : 1 + (unsigned)(random_next(seed) % 50),
                          .height = random_next(seed) & 1u ? 16 : 1 + (unsigned)(random_next(seed) % 33),
                          .depth = random_next(seed) % 4 ? 1 : 1 + (unsigned)(random_next(seed) % 3),
                          .levels = 1 + (unsigned)(random_next(seed) % 4),
                          .pixel_bytes = formats[which].bytes};
    t->array = t->depth > 1;
    put_texture(l, 0, t);
    if (random_next(seed) % 8 == 0)
        base = 2 * PAGE_2M - (1 + random_next(seed) % LAST_PAGES) * PAGE_BYTES;
    dword_put(l->s, STATE + 32, (uint32_t)base);
    dword_put(l->s, STATE, dword_at(l->s, STATE) | (tiling == 1 ? X_TILES : tiling == 2 ? Y_TILES : 0));
    if (tiling)
        put_random_blocks(l, seed, base);
}

static void random_positions(uint64_t *seed, uint32_t (*values)[16], unsigned count)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY, 1e30f,  -0.0f, 0.5f,
                                    1,   -3,       1e9f,      -70000, 1e-42f};
    const unsigned how = (unsigned)(random_next(seed) % 3);
    for (unsigned p = 0; p < count; p++)
        for (unsigned c = 0; c < 16; c++) {
            const float smooth = (float)(p + 1) * 0.13f + (float)(c % 4) * 0.031f + (float)(c / 4) * 0.07f,
                        any = (float)(random_next(seed) % 4096) / 1024 - 1.5f;
            values[p][c] = float_bits(how == 0                            ? smooth
                                      : how == 1 || random_next(seed) % 8 ? any
                                                                          : strange[random_next(seed) % 11]);
        }
}

/* Integers for messages that load: most are inside of a texture. */
static void random_coordinates(uint64_t *seed, uint32_t (*values)[16], unsigned count)
{
    static const uint32_t far[] = {UINT32_MAX, 1u << 31, 64, 1u << 16};
    for (unsigned p = 0; p < count; p++)
        for (unsigned c = 0; c < 16; c++)
            values[p][c] = random_next(seed) % 16 ? (uint32_t)(random_next(seed) % (p == 0   ? 40
                                                                                    : p == 1 ? 20
                                                                                             : 3))
                                                  : far[random_next(seed) % 4];
}

/* A sample, the parts of an element of the MCS, and where the pixel is: of a surface of several samples. */
static void random_samples(struct lab *l, uint64_t *seed, uint32_t values[7][16], unsigned parameters)
{
    const unsigned first = parameters - 3, samples_log2 = 1 + (unsigned)(random_next(seed) % 3);
    STRUCTURE_CHANGE(l->s->device, "RENDER_SURFACE_STATE", dwords_at(l->s, SURFACES + 64),
                     {"Number of Multisamples", samples_log2},
                     {"Multisampled Surface Storage Format", random_next(seed) % 8 == 0});
    random_coordinates(seed, values + first, 3);
    for (unsigned c = 0; c < 16; c++) {
        values[0][c] = (uint32_t)(random_next(seed) % ((1u << samples_log2) + (random_next(seed) % 8 == 0)));
        for (unsigned n = 1; n < first; n++)
            values[n][c] = (uint32_t)random_next(seed) & (random_next(seed) % 64 ? 0x76543210u : UINT32_MAX);
    }
}

/* The answers of rows, in vectors of each level, are those of single pixels, and so are costs; also of
 * planned messages, while stores change no states. */
static void rows_as_single_pixels(void **state)
{
    (void)state;
    enum { ROUNDS = 500, MODES = 6, SIZE = 16 * 32 };
    static const unsigned modes[MODES] = {WRAP, MIRROR, CLAMP, CLAMP_BORDER, MIRROR_ONCE, 7};
    /* Without and with a bias, with a LOD, gradients, a least LOD, at LOD 0; comparisons; gathers; loads;
     * loads of samples. */
    static const struct {
        uint8_t type, parameters;
    } types[] = {{0, 3},  {1, 4}, {2, 4},  {4, 7}, {0, 5},  {24, 3}, {3, 4},
                 {25, 4}, {8, 3}, {16, 4}, {7, 4}, {26, 3}, {30, 5}, {28, 6}};
    enum { TYPES = sizeof types / sizeof types[0], SAMPLES_LOADS = TYPES - 2, LOADS = SAMPLES_LOADS - 2 };
    const unsigned row_ways = 2 + 2 * (unsigned)eu_host_simd_level();
    static struct ps_thread pixels;
    uint64_t seed = 23;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        bool some_fault = false;
        put_aux_tables(&l);
        rows_found = planned_answers = 0;
        for (uint32_t i = 0; i < 0x40000; i += 4) {
            /* floats of every other page are numbers */
            dword_put(l.s, BYTES + i,
                      (uint32_t)random_next(&seed) & (i & PAGE_BYTES ? UINT32_MAX : 0xbf7fbf7fu));
            dword_put(l.s, USER_DATA + PAGE_2M - 4 - i, (uint32_t)random_next(&seed));
        }
        for (unsigned n = 0; n < ROUNDS; n++) {
            struct texture t;
            struct filter f = {.filter = (unsigned)(random_next(&seed) & 1u),
                               .mip = random_next(&seed) % 3 ? 3 : (unsigned)(random_next(&seed) & 1u),
                               .most = random_next(&seed) & 1u ? 4 : 1.75f,
                               .least = random_next(&seed) % 4 ? 0 : 0.625f,
                               .bias = random_next(&seed) % 4    ? 0
                                       : random_next(&seed) & 1u ? 0.3125f
                                                                 : -1.5f,
                               .preclamp = random_next(&seed) & 1u,
                               .shadow = (unsigned)(random_next(&seed) % 8),
                               .rounds = random_next(&seed) & 1u,
                               .unnormalized = random_next(&seed) % 8 == 0,
                               .mag_mips = random_next(&seed) & 1u};
            for (unsigned d = 0; d < 3; d++)
                f.mode[d] = random_next(&seed) & 1u ? WRAP : modes[random_next(&seed) % MODES];
            put_random_texture(&l, &seed, &t);
            put_sampler(&l, 0, &f);
            another_slice(&l);
            l.b->ps = random_next(&seed) & 1u ? &pixels : NULL;
            const unsigned which = (unsigned)(random_next(&seed) % TYPES), type = types[which].type,
                           has_a_header = (unsigned)(random_next(&seed) % 4 == 0);
            const uint32_t channels =
                               random_next(&seed) & 1u ? 0xffff : (uint32_t)random_next(&seed) & 0xffff,
                           message = sampler_message(type, random_next(&seed) & 1u ? SIMD16 : SIMD8, 0) |
                                     (has_a_header ? HEADER : 0),
                           header = (uint32_t)random_next(&seed) & 0x3ffff;
            uint32_t values[7][16];
            uint8_t answers[2][SIZE];
            uint64_t costs[2], local[2], faults[2], subspans[2];
            const bool plans = random_next(&seed) & 1u;
            if (which < LOADS)
                random_positions(&seed, values, types[which].parameters);
            else if (which >= SAMPLES_LOADS)
                random_samples(&l, &seed, values, types[which].parameters);
            else
                random_coordinates(&seed, values, types[which].parameters);
            /* single pixels first; then twice each level */
            for (unsigned way = 0; way <= row_ways; way++) {
                const unsigned is_row = way > 0;
                const struct pixel_functions *const level =
                    pixel_functions_of((enum eu_simd_level)(way ? (way - 1) / 2 : 0));
                const struct sampler_functions sampler = {count_rows, count_loads, level->sampler->choose};
                const struct pixel_functions functions = {.sampler = &sampler};
                counted_functions = level->sampler;
                l.b->pixels = is_row ? &functions : NULL;
                const uint64_t cost = l.b->cost.messages, loaded = l.b->memory.counters->local_loaded,
                               faulted = l.b->memory.mmu->faults, sampled = l.b->counters.sampled_subspans;
                memory_client_begin(&l.b->memory);
                ccs_cache_invalidate(l.b->memory.mmu);
                if (has_a_header) { /* offsets, a channel mask, a component */
                    dw(&l, 0)[2] = header;
                    dw(&l, 0)[3] = SAMPLERS;
                }
                l.b->effects.nothing = plans && is_row;
                sends_planned = plans && is_row && way % 2 == 0;
                send_parameters(&l, message, has_a_header, types[which].parameters, values, channels);
                l.b->effects.nothing = sends_planned = false;
                l.b->pixels = NULL;
                costs[is_row] = l.b->cost.messages - cost;
                local[is_row] = l.b->memory.counters->local_loaded - loaded;
                faults[is_row] = l.b->memory.mmu->faults - faulted;
                subspans[is_row] = l.b->counters.sampled_subspans - sampled;
                memcpy(answers[is_row], l.grf[32], SIZE);
                if (is_row) {
                    assert_memory_equal(answers[0], answers[1], SIZE);
                    assert_int_equal(costs[0], costs[1]);
                    assert_int_equal(local[0], local[1]);
                    assert_int_equal(faults[0], faults[1]);
                    assert_int_equal(subspans[0], subspans[1]);
                    some_fault |= faults[0] != 0;
                }
            }
        }
        assert_true(rows_found > ROUNDS * row_ways / 16 && planned_answers > ROUNDS * row_ways / 32 &&
                    some_fault);
        lab_end(&l);
    }
}

/* Gen7's surfaces: slices of an array follow each other as Surface Array Spacing says; Haswell selects
 * channels, which gather4 finds by its channel's selection. (IVB PRM vol 1 part 1, Surface Arrays; HSW PRM
 * vol 2d, RENDER_SURFACE_STATE) */
static void slices_and_channels_of_gen7(void **state)
{
    enum {
        WIDTH = 8,
        HEIGHT = 4,
        SLICES = 3,
        J = 4,
        FULL = HEIGHT + J + 12 * J,
        SELECT_GREEN = 5,
        MOST_ROWS = 256
    };
    static const char *const names[] = {"ivb", "hsw"};
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        const bool spaced = n / 2 == 0, selects = n % 2 == 1;
        const struct filter f = {.mode = {CLAMP, CLAMP, CLAMP}};
        uint32_t values[3][16];
        struct lab l;
        lab_begin(&l, names[n % 2]);
        put_sampler(&l, 0, &f);
        memset(surface_of(&l, 0), 0, 32);
        STRUCTURE_PUT(l.s->device, "RENDER_SURFACE_STATE", surface_of(&l, 0),
                      {"Surface Type", .value_name = "SURFTYPE_2D"},
                      {"Surface Format", .value_name = "R32G32_FLOAT"}, {"Surface Base Address", BYTES},
                      {"Surface Array", 1}, {"Surface Array Spacing", !spaced},
                      {"Surface Vertical Alignment", .value_name = "VALIGN_4"}, {"Width", WIDTH - 1},
                      {"Height", HEIGHT - 1}, {"Depth", SLICES - 1}, {"Surface Pitch", PITCH - 1});
        if (selects)
            STRUCTURE_CHANGE(l.s->device, "RENDER_SURFACE_STATE", surface_of(&l, 0),
                             {"Shader Channel Select Red", SELECT_GREEN}, {"Shader Channel Select Green", 1},
                             {"Shader Channel Select Blue", 0}, {"Shader Channel Select Alpha", 4});
        bind_surface(&l, 0);
        for (uint32_t row = 0; row < MOST_ROWS; row++)
            for (uint32_t x = 0; x < WIDTH * 2; x++)
                dword_put(l.s, BYTES + row * PITCH + x * 4, float_bits((float)(row * 100 + x)));
        for (unsigned c = 0; c < 16; c++) {
            values[0][c] = float_bits(((float)(c % WIDTH) + 0.5f) / WIDTH);
            values[1][c] = float_bits(2.5f / HEIGHT);
            values[2][c] = float_bits((float)(c % SLICES));
        }
        assert_int_equal(send_parameters(&l, sampler_message(0, SIMD8, 0), 0, 3, values, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++) {
            const float red = (float)((c % SLICES * (spaced ? FULL : HEIGHT) + 2) * 100 + c * 2);
            const float wanted[2][4] = {{red, red + 1, 0, 1}, {red + 1, 1, 0, red}};
            for (unsigned i = 0; i < 4; i++)
                assert_float_equal(response(&l, 8, i, c), wanted[selects][i], 0);
        }
        lab_end(&l);
    }
}

/* Haswell has border colors of integers behind those of floats, packed as wide as the format's. (HSW PRM vol
 * 2d, SAMPLER_BORDER_COLOR_STATE) */
static void integer_borders(void **state)
{
    (void)state;
    enum { SAMPLE_LZ = 24, INTEGERS = 64 };
    static const struct {
        const char *format;
        uint32_t packed[4];
        int32_t wanted[4];
    } rows[] = {{"R8G8B8A8_SINT", {0x80fe017f, 0, 0, 0}, {127, 1, -2, -128}},
                {"R16G16B16A16_SINT", {0x80017fff, 0, 0xffff0005, 0}, {32767, -32767, 5, -1}},
                {"R32G32_UINT", {7, 0, 9, 1}, {7, 9, 0, 1}},
                {"R32G32B32A32_UINT", {1, 2, 3, 4}, {1, 2, 3, 4}}};
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        struct lab l;
        uint32_t values[2][16] = {{float_bits(1.5f)}, {0}};
        lab_begin(&l, "hsw");
        put_sampler(&l, 0, &(struct filter){.mode = {CLAMP_BORDER, CLAMP, CLAMP}});
        for (unsigned i = 0; i < 4; i++)
            dword_put(l.s, DYNAMIC + BORDERS + INTEGERS + i * 4, rows[n].packed[i]);
        put_surface(&l, 0, TYPE_2D, 0, BYTES);
        STRUCTURE_CHANGE(l.s->device, "RENDER_SURFACE_STATE", surface_of(&l, 0),
                         {"Surface Format", .value_name = rows[n].format}, {"Width", 7}, {"Height", 0},
                         {"Surface Pitch", 127}, {"Shader Channel Select Red", .value_name = "RED"},
                         {"Shader Channel Select Green", .value_name = "GREEN"},
                         {"Shader Channel Select Blue", .value_name = "BLUE"},
                         {"Shader Channel Select Alpha", .value_name = "ALPHA"});
        assert_int_equal(send_parameters(&l, sampler_message(SAMPLE_LZ, 1, 0), 0, 2, values, 1), EU_SENT);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal((int32_t)raw_response(&l, 8, c, 0), rows[n].wanted[c]);
        lab_end(&l);
    }
}

/* The array elements of a depth buffer with samples are as far apart as its interleaved rows say, where no
 * state has a QPitch. (IVB PRM vol 1 part 1, Multisampled Surface Behavior) */
static void elements_of_samples(void **state)
{
    (void)state;
    static const char *const earlier[] = {"ivb", "hsw"};
    enum { WIDTH = 12, HEIGHT = 10, ROW_BYTES = 128, LD2DSS = 31, LOG2 = 2, ELEMENTS = 3 };
    enum { ELEMENT_ROWS = 2 * HEIGHT + 12 + 12 * 4 }; /* level 1 has 10 rows, which are aligned to 4 */
    for (unsigned d = 0; d < 2; d++) {
        struct lab l;
        lab_begin(&l, earlier[d]);
        for (uint32_t i = 0; i < ELEMENTS * ELEMENT_ROWS * ROW_BYTES / 4; i++)
            dword_put(l.s, BYTES + i * 4, i);
        put_surface(&l, 2, 1, R32_UINT, BYTES);
        STRUCTURE_CHANGE(l.s->device, "RENDER_SURFACE_STATE", surface_of(&l, 2), {"Surface Array", 1},
                         {"Surface Vertical Alignment", .value_name = "VALIGN_4"}, {"Width", WIDTH - 1},
                         {"Height", HEIGHT - 1}, {"Depth", ELEMENTS - 1}, {"Surface Pitch", ROW_BYTES - 1},
                         {"Multisampled Surface Storage Format", 1}, {"Number of Multisamples", LOG2});
        if (l.b->info.shader_channel_select)
            STRUCTURE_CHANGE(l.s->device, "RENDER_SURFACE_STATE", surface_of(&l, 2),
                             {"Shader Channel Select Red", .value_name = "RED"});
        for (uint32_t n = 0; n < WIDTH * HEIGHT * ELEMENTS << LOG2; n++) {
            const uint32_t sample = n & 3u, x = (n >> 2) % WIDTH, y = (n >> 2) / WIDTH % HEIGHT,
                           element = (n >> 2) / WIDTH / HEIGHT;
            const uint32_t column = (x & ~1u) << 1 | (sample & 1u) << 1 | (x & 1u),
                           row = (y & ~1u) << 1 | (sample & 2u) | (y & 1u);
            uint32_t values[4][16] = {{sample}, {x}, {y}, {element}};
            assert_int_equal(send_parameters(&l, sampler_message(LD2DSS, 1, 2), 0, 4, values, 1), EU_SENT);
            assert_int_equal(dw(&l, 32)[0], (element * ELEMENT_ROWS + row) * ROW_BYTES / 4 + column);
        }
        lab_end(&l);
    }
}

TEST_PROGRAM(sampler_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slice_as_the_first_of_two),
        cmocka_unit_test(rows_as_single_pixels),
        cmocka_unit_test(cleared_blocks),
        cmocka_unit_test(addresses_and_filters),
        cmocka_unit_test(levels),
        cmocka_unit_test(loads),
        cmocka_unit_test(integer_borders),
        cmocka_unit_test(elements_of_samples),
        cmocka_unit_test(headers),
        cmocka_unit_test(formats),
        cmocka_unit_test(slices_and_channels_of_gen7),
        cmocka_unit_test(comparisons_and_gathers),
        cmocka_unit_test(anisotropy),
        cmocka_unit_test(costs),
        cmocka_unit_test(blocks),
        cmocka_unit_test(reductions),
        cmocka_unit_test(cubes),
        cmocka_unit_test(gradients),
        cmocka_unit_test(levels_that_are_asked_for),
        cmocka_unit_test(cube_edges),
        cmocka_unit_test(levels_of_fours),
        cmocka_unit_test(offsets_and_halves),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(others),
        cmocka_unit_test(the_cache_is_flushed),
        cmocka_unit_test(anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
