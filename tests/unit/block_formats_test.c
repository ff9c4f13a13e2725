/* Texels of blocks, by the specifications' bits: each block is made of fields whose meaning is said, each
 * texel compared with what that gives. (Direct3D 10 functional specification, 19.5; Khronos Data Format
 * Specification, 21) */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <softgt/formats.h>

#include "../random.h"
#include "../suite.h"

#include <math.h>

static union softgt_color texel(const char *name, const uint8_t *block, unsigned x, unsigned y)
{
    const struct softgt_block_format *const f = softgt_block_format_find(name);
    union softgt_color color;
    assert_non_null(f);
    softgt_block_decode(f, block, x, y, &color);
    return color;
}

static void expect(const char *name, const uint8_t *block, unsigned x, unsigned y, const double wanted[4])
{
    const union softgt_color color = texel(name, block, x, y);
    for (unsigned c = 0; c < 4; c++)
        if (color.f[c] != (float)wanted[c])
            fail_msg("%s at %u, %u: component %u is %.9g, not %.9g", name, x, y, c, (double)color.f[c],
                     wanted[c]);
}

static void names(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct softgt_block_format *f; (f = softgt_block_format_at(count)); count++) {
        assert_ptr_equal(softgt_block_format_find(f->name), f);
        assert_null(softgt_format_find(f->name));
        assert_true(strncmp(f->name, "ASTC", 4) == 0 ||
                    (f->width == (strcmp(f->name, "FXT1") == 0 ? 8 : 4) && f->height == 4));
        assert_true(f->bytes == 8 || f->bytes == 16);
    }
    assert_int_equal(count, 28 + 3 * 14);
    assert_null(softgt_block_format_find("FXT2"));
    assert_null(softgt_block_format_find(NULL));
}

static void put_bits(uint8_t *block, unsigned at, unsigned count, uint32_t value)
{
    for (unsigned i = 0; i < count; i++)
        if (value >> i & 1u)
            block[(at + i) / 8u] |= (uint8_t)(1u << (at + i) % 8u);
}

static unsigned of_5(unsigned bits)
{
    return bits << 3 | bits >> 2;
}

/* Two colors with red 10 and 31 of 31, green 0 and 16, blue 31 and 0; alphas of 4, 20 and 31. Every texel
 * selects a color by its number. (SNB PRM vol 1 part 1, tables 7-1 to 7-21) */
static void fxt1(void **state)
{
    (void)state;
    enum { HI, CHROMA = 2, CC_ALPHA, MIXED, MODE_AT = 125, TOP = 124 };
    static const uint8_t red[4] = {10, 31, 3, 7}, green[4] = {0, 16, 9, 30}, blue[4] = {31, 0, 1, 12},
                         alpha[3] = {4, 20, 31};
    for (unsigned mode = 0; mode < 8; mode++)
        for (unsigned top = 0; top < 2; top++) {
            uint8_t block[16] = {0};
            const bool hi = mode < CHROMA, mixed = mode >= MIXED;
            const unsigned bits = hi ? 3 : 2;
            for (unsigned i = 0; i < (hi ? 2u : 4u); i++) {
                const unsigned at = (hi ? 96 : 64) + 15 * i;
                if (mode == CC_ALPHA && i == 3)
                    break;
                put_bits(block, at, 5, blue[i]);
                put_bits(block, at + 5, 5, green[i]);
                put_bits(block, at + 10, 5, red[i]);
                if (mode == CC_ALPHA)
                    put_bits(block, 109 + 5 * i, 5, alpha[i]);
            }
            for (unsigned texel = 0; texel < 32; texel++)
                put_bits(block, bits * texel, bits, (texel + 1) % (1u << bits));
            if (!hi) { /* of the first mode these bits are color 1's */
                put_bits(block, MODE_AT, 3, mode);
                put_bits(block, TOP, 1, top);
            }
            for (unsigned texel = 0; texel < 32; texel++) {
                const unsigned x = texel % 4 + texel / 16 * 4, y = texel / 4 % 4, half = texel / 16,
                               select = (texel + 1) % (1u << bits);
                unsigned a[4], b[4], out[4] = {0};
                const unsigned first = mixed                     ? 2 * half
                                       : mode == CC_ALPHA && top ? (half ? 2 : 0)
                                                                 : 0,
                               second = mixed ? first + 1 : 1;
                const unsigned of[2] = {first, second};
                for (unsigned i = 0; i < 2; i++) {
                    unsigned *const to = i ? b : a;
                    const unsigned n = of[i], low = mode >> half & 1;
                    to[0] = of_5(red[n]);
                    to[1] = of_5(green[n]);
                    to[2] = of_5(blue[n]);
                    to[3] = mode == CC_ALPHA ? of_5(alpha[n]) : 255;
                    if (mixed && (i || !top)) { /* texels 0 and 16 select 1, of which the upper bit is 0 */
                        const unsigned six = 2u * green[n] + low;
                        to[1] = six << 2 | six >> 4;
                    }
                }
                for (unsigned c = 0; c < 4; c++) {
                    if (hi)
                        out[c] = select == 7 ? 0 : (a[c] * (6 - select) + b[c] * select + 3) / 6;
                    else if (mode == CHROMA)
                        out[c] = c == 3   ? 255
                                 : c == 0 ? of_5(red[select])
                                 : c == 1 ? of_5(green[select])
                                          : of_5(blue[select]);
                    else if (mode == CC_ALPHA && !top)
                        out[c] = select == 3 ? 0
                                 : c == 3    ? of_5(alpha[select])
                                 : c == 0    ? of_5(red[select])
                                 : c == 1    ? of_5(green[select])
                                             : of_5(blue[select]);
                    else if (mixed && top)
                        out[c] = select == 3 ? 0 : (a[c] * (2 - select) + b[c] * select) / 2;
                    else
                        out[c] = (a[c] * (3 - select) + b[c] * select + 1) / 3;
                }
                const double wanted[4] = {out[0] / 255.0, out[1] / 255.0, out[2] / 255.0, out[3] / 255.0};
                expect("FXT1", block, x, y, wanted);
            }
        }
}

/* Codes 0 to 3 of texels 0 to 3: two colours and two between; or one, and nothing. */
static void bc_colors(void **state)
{
    (void)state;
    const uint32_t red = 31u << 11, other = 21u << 5 | 31u; /* a third of green, all of blue */
    const uint8_t four[16] = {[8] = red & 255, (uint8_t)(red >> 8), other & 255, (uint8_t)(other >> 8), 0xe4},
                  three[16] = {
                      [8] = other & 255, (uint8_t)(other >> 8), red & 255, (uint8_t)(red >> 8), 0xe4};
    const double g = 21 / 63.0, all[4][4] = {{1, 0, 0, 1},
                                             {0, g, 1, 1},
                                             {2 / 3.0, g / 3, 1 / 3.0, 1},
                                             {1 / 3.0, 2 * g / 3, 2 / 3.0, 1}};
    const double few[4][4] = {{0, g, 1, 1}, {1, 0, 0, 1}, {0.5, g / 2, 0.5, 1}, {0, 0, 0, 0}};
    const double back[4][4] = {
        {0, g, 1, 1}, {1, 0, 0, 1}, {1 / 3.0, 2 * g / 3, 2 / 3.0, 1}, {2 / 3.0, g / 3, 1 / 3.0, 1}};
    for (unsigned n = 0; n < 4; n++) {
        const double opaque[4] = {few[n][0], few[n][1], few[n][2], 1},
                     clear[4] = {back[n][0], back[n][1], back[n][2], 0};
        expect("BC1_UNORM", four + 8, n, 0, all[n]);
        expect("BC1_UNORM", three + 8, n, 0, few[n]);
        expect("DXT1_RGB", three + 8, n, 0, opaque);
        expect("BC1_UNORM", four + 8, n, 1, all[0]);
        expect("BC2_UNORM", three, n, 0, clear); /* always four colours */
        expect("BC3_UNORM", three, n, 0, clear);
    }
    const union softgt_color linear = texel("BC1_UNORM_SRGB", four + 8, 1, 0);
    assert_float_equal(linear.f[1], (float)softgt_srgb_to_linear(g), 0);
    uint8_t alphas[16] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
    for (unsigned n = 0; n < 16; n++)
        expect("BC2_UNORM", alphas, n % 4, n / 4, (const double[4]){0, 0, 0, n / 15.0});
}

/* Codes 0 to 7 of the first texels: two ends, and six between; or four, and the range's own ends. */
static void bc_one(void **state)
{
    (void)state;
    const uint64_t codes = 076543210;
    const struct {
        const char *one, *two;
        int first, second;
        double most;
        bool is_signed;
    } rows[] = {{"BC4_UNORM", "BC5_UNORM", 200, 60, 255, false},
                {"BC4_UNORM", "BC5_UNORM", 60, 200, 255, false},
                {"BC4_SNORM", "BC5_SNORM", 100, -100, 127, true},
                {"BC4_SNORM", "BC5_SNORM", -128, 100, 127, true}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned n = 0; n < 8; n++) {
            uint8_t block[16] = {(uint8_t)rows[i].first, (uint8_t)rows[i].second};
            for (unsigned byte = 0; byte < 3; byte++)
                block[2 + byte] = (uint8_t)(codes >> 8 * byte);
            memcpy(block + 8, block, 8);
            const double a = (rows[i].first == -128 ? -127 : rows[i].first) / rows[i].most,
                         b = rows[i].second / rows[i].most;
            const double six[8] = {a,
                                   b,
                                   (6 * a + b) / 7,
                                   (5 * a + 2 * b) / 7,
                                   (4 * a + 3 * b) / 7,
                                   (3 * a + 4 * b) / 7,
                                   (2 * a + 5 * b) / 7,
                                   (a + 6 * b) / 7},
                         four[8] = {a,
                                    b,
                                    (4 * a + b) / 5,
                                    (3 * a + 2 * b) / 5,
                                    (2 * a + 3 * b) / 5,
                                    (a + 4 * b) / 5,
                                    rows[i].is_signed ? -1 : 0,
                                    1};
            const double v = rows[i].first > rows[i].second ? six[n] : four[n];
            expect(rows[i].one, block, n % 4, n / 4, (const double[4]){v, 0, 0, 1});
            expect(rows[i].two, block, n % 4, n / 4, (const double[4]){v, v, 0, 1});
            if (!rows[i].is_signed)
                assert_float_equal(texel("BC3_UNORM", block, n % 4, n / 4).f[3], (float)v, 0);
        }
}

/* ---- BC7: fields one behind the other, the lowest bit first ---- */

struct writer {
    uint8_t block[16];
    unsigned at;
};

static void write_bits(struct writer *w, unsigned count, uint32_t value)
{
    for (unsigned i = 0; i < count; i++, w->at++)
        w->block[w->at / 8] |= (uint8_t)((value >> i & 1u) << w->at % 8);
}

static void expect_8(const uint8_t *block, unsigned x, unsigned y, int r, int g, int b, int a)
{
    expect("BC7_UNORM", block, x, y, (const double[4]){r / 255.0, g / 255.0, b / 255.0, a / 255.0});
}

static void bc7(void **state)
{
    (void)state;
    static const uint8_t weights[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
    /* Mode 6: one subset of four components of 7 bits and one more, indexes of 4 */
    struct writer w = {{0}, 0};
    const uint32_t ends[8] = {0, 127, 100, 20, 64, 64, 127, 1};
    write_bits(&w, 7, 1 << 6);
    for (unsigned i = 0; i < 8; i++)
        write_bits(&w, 7, ends[i]);
    write_bits(&w, 2, 2); /* the second end's lowest bit */
    for (unsigned i = 0; i < 16; i++)
        write_bits(&w, i ? 4 : 3, i ? i : 5);
    assert_int_equal(w.at, 128);
    for (unsigned i = 0; i < 16; i++) {
        const int second = weights[i ? i : 5], first = 64 - second;
        expect_8(w.block, i % 4, i / 4, (second * 255 + 32) / 64, (first * 200 + second * 41 + 32) / 64,
                 (first * 128 + second * 129 + 32) / 64, (first * 254 + second * 3 + 32) / 64);
    }
    /* Mode 5: colours of 7 bits, alpha of 8, an index each; alpha changes places with a colour */
    for (unsigned rotation = 0; rotation < 4; rotation++) {
        struct writer r = {{0}, 0};
        write_bits(&r, 6, 1 << 5);
        write_bits(&r, 2, rotation);
        for (unsigned c = 0; c < 3; c++) {
            write_bits(&r, 7, 0);
            write_bits(&r, 7, 127 - c);
        }
        write_bits(&r, 8, 10);
        write_bits(&r, 8, 210);
        for (unsigned i = 0; i < 16; i++)
            write_bits(&r, i ? 2 : 1, i ? i % 4 : 1);
        for (unsigned i = 0; i < 16; i++)
            write_bits(&r, i ? 2 : 1, i ? i / 4 : 0);
        assert_int_equal(r.at, 128);
        for (unsigned i = 0; i < 16; i++) {
            static const uint8_t few[4] = {0, 21, 43, 64};
            const int color = few[i ? i % 4 : 1], alpha = few[i / 4];
            int v[4];
            for (int c = 0; c < 3; c++)
                v[c] = (color * (255 - 2 * c) + 32) / 64;
            v[3] = ((64 - alpha) * 10 + alpha * 210 + 32) / 64;
            if (rotation) {
                const int other = v[3];
                v[3] = v[rotation - 1];
                v[rotation - 1] = other;
            }
            expect_8(r.block, i % 4, i / 4, v[0], v[1], v[2], v[3]);
        }
    }
    /* Mode 3: two subsets, of partition 0 the right half is the second; of partition 13 the lower one */
    for (unsigned lower = 0; lower < 2; lower++) {
        struct writer t = {{0}, 0};
        write_bits(&t, 4, 1 << 3);
        write_bits(&t, 6, lower ? 13 : 0);
        for (unsigned c = 0; c < 3; c++)
            for (unsigned n = 0; n < 4; n++)
                write_bits(&t, 7, n < 2 ? 10 * c : 127);
        write_bits(&t, 4, 0xe);
        for (unsigned i = 0; i < 4; i++)
            expect_8(t.block, i, 3 - i, (lower ? 3 - i : i) >= 2 ? 255 : 0,
                     (lower ? 3 - i : i) >= 2 ? 255 : 20, (lower ? 3 - i : i) >= 2 ? 255 : 40, 255);
    }
    const uint8_t none[16] = {0, 1, 2, 3};
    expect_8(none, 1, 1, 0, 0, 0, 0); /* no mode */
}

/* BC6H: ends of so many bits become 16, what is between becomes a half float. */
static double bc6h_value(int first, int second, int weight, unsigned bits, bool is_signed)
{
    const int ends[2] = {first, second};
    int wide[2];
    for (unsigned i = 0; i < 2; i++) {
        const int size = ends[i] < 0 ? -ends[i] : ends[i], most = (1 << (bits - is_signed)) - 1;
        wide[i] = size == 0      ? 0
                  : size >= most ? (is_signed ? 0x7fff : 0xffff)
                  : is_signed    ? (size * 0x8000 + 0x4000) >> (bits - 1)
                                 : (size * 0x10000 + 0x8000) >> bits;
        wide[i] = ends[i] < 0 ? -wide[i] : wide[i];
    }
    const int sum = (64 - weight) * wide[0] + weight * wide[1] + 32, value = sum >> 6;
    const int half = !is_signed ? value * 31 / 64 : (value < 0 ? -value : value) * 31 / 32;
    const double x = softgt_component_decode(SOFTGT_COMPONENT_FLOAT, 16, (uint64_t)half);
    return value < 0 ? -x : x;
}

static void bc6h(void **state)
{
    (void)state;
    static const uint8_t weights[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
    static const int ends[2][6] = {{0, 1023, 300, 511, 77, 640}, {-512, 511, 0, 100, -77, -300}};
    for (unsigned is_signed = 0; is_signed < 2; is_signed++)
        for (unsigned differs = 0; differs < 2; differs++) {
            /* Ten bits of each end, or eleven, the highest behind, and nine of how the other differs */
            const unsigned bits = differs ? 11 : 10;
            const int *const e = ends[is_signed];
            const int changes[3] = {-256, 255, 3};
            struct writer w = {{0}, 0};
            write_bits(&w, 5, differs ? 7 : 3);
            for (unsigned c = 0; c < 3; c++)
                write_bits(&w, 10, (uint32_t)e[c] & 1023u);
            for (unsigned c = 0; c < 3; c++) {
                write_bits(&w, differs ? 9 : 10,
                           (uint32_t)(differs ? changes[c] : e[3 + c]) & (differs ? 511u : 1023u));
                if (differs)
                    write_bits(&w, 1, (uint32_t)e[c] >> 10 & 1u);
            }
            for (unsigned i = 0; i < 16; i++)
                write_bits(&w, i ? 4 : 3, i ? i : 2);
            assert_int_equal(w.at, 128);
            for (unsigned i = 0; i < 16; i++) {
                double wanted[4] = {0, 0, 0, 1};
                for (unsigned c = 0; c < 3; c++) {
                    int second = differs ? (e[c] + changes[c]) & 2047 : e[3 + c];
                    if (differs && is_signed && second >= 1024)
                        second -= 2048;
                    wanted[c] = bc6h_value(e[c], second, weights[i ? i : 2], bits, is_signed);
                }
                expect(is_signed ? "BC6H_SF16" : "BC6H_UF16", w.block, i % 4, i / 4, wanted);
            }
        }
    const uint8_t none[16] = {0x13};
    expect("BC6H_UF16", none, 2, 2, (const double[4]){0, 0, 0, 1}); /* a mode that is none */
}

/* ---- ETC ---- */

static uint64_t bits(unsigned first, unsigned last, uint64_t value)
{
    assert_true(value < UINT64_C(1) << (first - last + 1));
    return value << last;
}

/* The code of a texel, which are in columns. */
static uint64_t code(unsigned x, unsigned y, unsigned value)
{
    return (uint64_t)(value & 1u) << (4 * x + y) | (uint64_t)(value >> 1) << (16 + 4 * x + y);
}

static void put(uint8_t block[8], uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        block[i] = (uint8_t)(value >> (56 - 8 * i));
}

static void expect_etc(const char *name, uint64_t value, unsigned x, unsigned y, int r, int g, int b, int a)
{
    uint8_t block[16] = {255, 0}; /* EAC of 255 with no changes before it */
    const bool has_eac = strstr(name, "EAC");
    const int v[4] = {r, g, b, a};
    double wanted[4];
    put(block + (has_eac ? 8 : 0), value);
    for (unsigned c = 0; c < 4; c++)
        wanted[c] = (v[c] < 0 ? 0 : v[c] > 255 ? 255 : v[c]) / 255.0;
    expect(name, block, x, y, wanted);
}

static void etc_halves(void **state)
{
    (void)state;
    static const char *const names_of[] = {"ETC1_RGB8", "ETC2_RGB8", "ETC2_EAC_RGBA8"};
    static const int tables[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                     {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    for (unsigned n = 0; n < 3; n++)
        for (unsigned flip = 0; flip < 2; flip++)
            for (unsigned table = 0; table < 8; table++)
                for (unsigned c = 0; c < 4; c++) {
                    const unsigned second = 7 - table;
                    const int way = c & 2 ? -1 : 1, first_change = way * tables[table][c & 1],
                              second_change = way * tables[second][c & 1];
                    const uint64_t rest = bits(39, 37, table) | bits(36, 34, second) | bits(32, 32, flip) |
                                          code(0, 0, c) | code(3, 3, c) | code(1, 3, c);
                    /* two colours of four bits each */
                    const uint64_t single = bits(63, 60, 10) | bits(59, 56, 3) | bits(55, 52, 0) |
                                            bits(51, 48, 15) | bits(47, 44, 7) | bits(43, 40, 8);
                    expect_etc(names_of[n], single | rest, 0, 0, 10 * 17 + first_change, first_change,
                               7 * 17 + first_change, 255);
                    expect_etc(names_of[n], single | rest, 3, 3, 3 * 17 + second_change, 255 + second_change,
                               8 * 17 + second_change, 255);
                    /* the left half, or the upper one */
                    expect_etc(names_of[n], single | rest, 1, 3,
                               (flip ? 3 : 10) * 17 + (flip ? second_change : first_change),
                               flip ? 255 + second_change : first_change,
                               (flip ? 8 : 7) * 17 + (flip ? second_change : first_change), 255);
                    /* one of five, and how the other differs */
                    const uint64_t differs = bits(63, 59, 20) | bits(58, 56, 7) | bits(55, 51, 4) |
                                             bits(50, 48, 3) | bits(47, 43, 31) | bits(42, 40, 4) |
                                             bits(33, 33, 1);
                    expect_etc(names_of[n], differs | rest, 0, 0, 165 + first_change, 33 + first_change,
                               255 + first_change, 255);
                    expect_etc(names_of[n], differs | rest, 3, 3, 156 + second_change, 57 + second_change,
                               222 + second_change, 255);
                }
}

/* What would overflow says that there are other ways: T, H, planes. */
static void etc_other_ways(void **state)
{
    (void)state;
    static const int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
    for (unsigned d = 0; d < 8; d++)
        for (unsigned c = 0; c < 4; c++) {
            /* T, by red's overflow */
            const uint64_t t = bits(63, 61, 7) | bits(60, 59, 3) | bits(58, 58, 0) | bits(57, 56, 1) |
                               bits(55, 52, 2) | bits(51, 48, 9) | bits(47, 44, 5) | bits(43, 40, 12) |
                               bits(39, 36, 1) | bits(35, 34, d >> 1) | bits(33, 33, 1) |
                               bits(32, 32, d & 1) | code(2, 1, c);
            const int by = c == 1 ? distances[d] : c == 3 ? -distances[d] : 0;
            if (c == 0)
                expect_etc("ETC2_RGB8", t, 2, 1, 13 * 17, 2 * 17, 9 * 17, 255);
            else
                expect_etc("ETC2_RGB8", t, 2, 1, 5 * 17 + by, 12 * 17 + by, 17 + by, 255);
            /* H, by green's overflow; which colour is the larger is a bit of the distance */
            for (unsigned larger = 0; larger < 2; larger++) {
                const unsigned first = larger ? 9 : 3, other = larger ? 3 : 9, index = (d & ~1u) | larger;
                const uint64_t h = bits(62, 59, first) | bits(58, 56, 7) | bits(55, 53, 7) | bits(52, 52, 1) |
                                   bits(51, 51, 1) | bits(49, 47, 4) | bits(46, 43, other) | bits(42, 39, 6) |
                                   bits(38, 35, 2) | bits(34, 34, d >> 2) | bits(33, 33, 1) |
                                   bits(32, 32, d >> 1 & 1) | code(1, 2, c);
                const int way = c & 1 ? -distances[index] : distances[index];
                if (c < 2)
                    expect_etc("ETC2_RGB8", h, 1, 2, (int)first * 17 + way, 255 + way, 12 * 17 + way, 255);
                else
                    expect_etc("ETC2_RGB8", h, 1, 2, (int)other * 17 + way, 6 * 17 + way, 2 * 17 + way, 255);
            }
        }
    /* Planes, by blue's overflow: red from 0 to 255 across, green the same everywhere, blue from 255 to 0
     * down. */
    const uint64_t planes = bits(62, 57, 0) | bits(56, 56, 1) | bits(54, 49, 0) | bits(48, 48, 1) |
                            bits(47, 45, 7) | bits(44, 43, 3) | bits(41, 39, 7) | bits(38, 34, 31) |
                            bits(33, 33, 1) | bits(32, 32, 1) | bits(31, 25, 64) | bits(24, 19, 63) |
                            bits(18, 13, 0) | bits(12, 6, 64) | bits(5, 0, 0);
    for (unsigned x = 0; x < 4; x++)
        for (unsigned y = 0; y < 4; y++)
            expect_etc("ETC2_RGB8", planes, x, y, (int)(x * 255 + 2) / 4, 129, (int)((4 - y) * 255 + 2) / 4,
                       255);
}

/* A bit of alpha: where it is off the third code is nothing, and the smaller changes are none. */
static void etc_alpha(void **state)
{
    (void)state;
    for (unsigned opaque = 0; opaque < 2; opaque++)
        for (unsigned c = 0; c < 4; c++) {
            const uint64_t b = bits(63, 59, 20) | bits(55, 51, 4) | bits(47, 43, 10) | bits(39, 37, 2) |
                               bits(33, 33, opaque) | code(0, 0, c);
            const int size = c & 1 ? 29 : opaque ? 9 : 0, by = c & 2 ? -size : size;
            if (!opaque && c == 2)
                expect_etc("ETC2_RGB8_PTA", b, 0, 0, 0, 0, 0, 0);
            else
                expect_etc("ETC2_RGB8_PTA", b, 0, 0, 165 + by, 33 + by, 82 + by, 255);
        }
}

/* A base, a multiplier, and a table of changes, of which two rows are looked at. */
static void eac(void **state)
{
    (void)state;
    static const int rows[2][8] = {{-3, -6, -9, -15, 2, 5, 8, 14}, {-1, -2, -3, -10, 0, 1, 2, 9}};
    for (unsigned row = 0; row < 2; row++)
        for (unsigned times = 0; times < 16; times += 5)
            for (unsigned n = 0; n < 8; n++) {
                uint8_t block[16] = {100, (uint8_t)(times << 4 | (row ? 13 : 0))};
                const uint64_t codes = (uint64_t)n << 45 | (uint64_t)n << (45 - 3 * (4 * 2 + 1));
                for (unsigned i = 0; i < 6; i++)
                    block[2 + i] = (uint8_t)(codes >> (40 - 8 * i));
                const int by = rows[row][n] * (times ? (int)times * 8 : 1), up = 804 + by,
                          signed_up = 800 + by, alpha = 100 + rows[row][n] * (int)times;
                const double u = (up < 0      ? 0
                                  : up > 2047 ? 2047
                                              : up) /
                                 2047.0,
                             s = (signed_up < -1023  ? -1023
                                  : signed_up > 1023 ? 1023
                                                     : signed_up) /
                                 1023.0;
                memcpy(block + 8, block, 8);
                expect("EAC_R11", block, 0, 0, (const double[4]){u, 0, 0, 1});
                expect("EAC_RG11", block, 2, 1, (const double[4]){u, u, 0, 1});
                expect("EAC_SIGNED_R11", block, 2, 1, (const double[4]){s, 0, 0, 1});
                expect("EAC_SIGNED_RG11", block, 0, 0, (const double[4]){s, s, 0, 1});
                const double a = (alpha < 0 ? 0 : alpha > 255 ? 255 : alpha) / 255.0;
                assert_float_equal(texel("ETC2_EAC_RGBA8", block, 2, 1).f[3], (float)a, 0);
            }
}

/* ASTC: sums of all texels of random blocks, as ARM's astcenc 4.2 decodes them (-dH). What is of low dynamic
 * range is the same of the other formats, or, where a mode is of high, magenta. */
static void astc(void **state)
{
    (void)state;
    enum { ACROSS = 64, DOWN = 32, BLOCKS = ACROSS * DOWN, NAN_HALF = 0xffff };
    static const struct {
        unsigned width, height;
        uint32_t sum;
    } sizes[] = {{4, 4, 0x464dbb50},   {5, 4, 0xe401edec},  {5, 5, 0x946422c7},  {6, 5, 0xe12a4de4},
                 {6, 6, 0x6a5dad19},   {8, 5, 0x1e4cbde6},  {8, 6, 0x02f56e31},  {8, 8, 0x2c411223},
                 {10, 5, 0xf1202e1b},  {10, 6, 0x527fdac4}, {10, 8, 0xc3bc5d01}, {10, 10, 0xb9d83494},
                 {12, 10, 0x66a04da1}, {12, 12, 0x76aa5869}};
    static uint64_t blocks[BLOCKS][2];
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const unsigned w = sizes[n].width, h = sizes[n].height;
        char hdr[32], ldr[32], srgb[32];
        uint64_t seed = w * 16 + h;
        uint32_t sum = 2166136261u; /* FNV-1a, of half floats */
        unsigned equal = 0, linear = 0;
        snprintf(hdr, sizeof hdr, "ASTC_HDR_2D_%uX%u_FLT16", w, h);
        snprintf(ldr, sizeof ldr, "ASTC_LDR_2D_%uX%u_FLT16", w, h);
        snprintf(srgb, sizeof srgb, "ASTC_LDR_2D_%uX%u_U8SRGB", w, h);
        for (unsigned i = 0; i < BLOCKS; i++) {
            blocks[i][0] = random_next(&seed);
            blocks[i][1] = random_next(&seed);
            if (i % 16 == 0) /* one color, everywhere */
                blocks[i][0] =
                    (blocks[i][0] & ~UINT64_C(0x1dff)) | 0xdfc | UINT64_C(0xfffffffff) << 28 | 0xffff000;
        }
        for (unsigned y = 0; y < DOWN * h; y++)
            for (unsigned x = 0; x < ACROSS * w; x++) {
                const uint8_t *const block = (const uint8_t *)blocks[y / h * ACROSS + x / w];
                const union softgt_color color = texel(hdr, block, x, y);
                for (unsigned c = 0; c < 4; c++) {
                    uint32_t bits;
                    memcpy(&bits, &color.f[c], sizeof bits);
                    const bool is_nan = color.f[c] != color.f[c]; /* NOLINT(misc-redundant-expression) */
                    sum ^= is_nan ? (uint32_t)NAN_HALF : softgt_float32_to_16(bits);
                    sum *= 16777619u;
                }
                if (y % 3 || x % 3)
                    continue;
                const union softgt_color low = texel(ldr, block, x, y), gamma = texel(srgb, block, x, y);
                const bool is_magenta = low.f[0] == 1 && low.f[1] == 0 && low.f[2] == 1 && low.f[3] == 1;
                equal += memcmp(&low, &color, sizeof low) == 0;
                assert_true(is_magenta || memcmp(&low, &color, sizeof low) == 0);
                for (unsigned c = 0; c < 4; c++) {
                    const double there =
                        c < 3 ? softgt_linear_to_srgb((double)gamma.f[c]) : (double)gamma.f[c];
                    linear += fabs(there - (double)low.f[c]) < 1.01 / 255;
                    assert_true(fabs(there * 255 - rint(there * 255)) < 1e-3);
                    assert_true(fabs(there - (double)low.f[c]) < 1.01 / 255);
                }
            }
        assert_int_equal(sum, sizes[n].sum);
        assert_true(equal > 50 && linear > 4 * 50); /* of those that are no errors */
    }
}

/* Blocks without a texel in the partition whose end points are of high dynamic range: colors as Khronos'
 * reference decoder has them. */
static void astc_partitions(void **state)
{
    (void)state;
    static const struct {
        uint8_t block[16], x, y, color[4];
    } rows[] = {
        {{0x11, 0xae, 0xa1, 0x23, 0x9a, 0x1e, 0x54, 0xeb, 0x30, 0x26, 0x1b, 0x37, 0x47, 0x5e, 0x28, 0x70},
         0,
         0,
         {153, 164, 201, 75}},
        {{0x11, 0xae, 0xa1, 0x23, 0x9a, 0x1e, 0x54, 0xeb, 0x30, 0x26, 0x1b, 0x37, 0x47, 0x5e, 0x28, 0x70},
         2,
         3,
         {153, 136, 86, 18}},
        {{0xcd, 0x3b, 0xc8, 0x0e, 0x7f, 0x72, 0x28, 0x2f, 0x8a, 0xb3, 0xc0, 0x43, 0x89, 0xc6, 0xc7, 0xd1},
         0,
         3,
         {139, 139, 139, 232}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const union softgt_color c = texel("ASTC_LDR_2D_4X4_FLT16", rows[i].block, rows[i].x, rows[i].y);
        for (unsigned n = 0; n < 4; n++)
            assert_true(fabs((double)c.f[n] * 255 - rows[i].color[n]) < 1);
    }
}

TEST_PROGRAM(block_formats_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),      cmocka_unit_test(fxt1),           cmocka_unit_test(bc_colors),
        cmocka_unit_test(bc_one),     cmocka_unit_test(bc6h),           cmocka_unit_test(bc7),
        cmocka_unit_test(etc_halves), cmocka_unit_test(etc_other_ways), cmocka_unit_test(etc_alpha),
        cmocka_unit_test(eac),        cmocka_unit_test(astc),           cmocka_unit_test(astc_partitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
