/* OVR-11, OVR-12, OVR-13: numbers and pixels against references of their own: the compiler's 16-bit float,
 * division in long double, and the rules of the manual read bit by bit. All values of 16 bits and fewer, a
 * dense set of 32-bit ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <softgt/formats.h>

#include "../suite.h"

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static double power(int exponent)
{
    double value = 1;
    for (; exponent > 0; exponent--)
        value *= 2;
    for (; exponent < 0; exponent++)
        value /= 2;
    return value;
}

/* A float of the manual's tables. */
static double by_the_table(unsigned exponent_bits, unsigned fraction_bits, uint32_t exponent,
                           uint32_t fraction)
{
    const int bias = (1 << (exponent_bits - 1)) - 1;
    double part = 0;
    for (unsigned i = 0; i < fraction_bits; i++)
        part += fraction >> i & 1u ? power((int)i - (int)fraction_bits) : 0;
    return exponent ? power((int)exponent - bias) * (1 + part) : power(1 - bias) * part;
}

static void small_floats(void **state)
{
    (void)state;
    static const struct {
        unsigned bits, fraction;
    } kinds[] = {{16, 10}, {11, 6}, {10, 5}};
    for (unsigned k = 0; k < 3; k++)
        for (uint32_t raw = 0; raw < 1u << kinds[k].bits; raw++) {
            const uint32_t fraction = raw & ((1u << kinds[k].fraction) - 1u),
                           exponent = raw >> kinds[k].fraction & 31u;
            const bool negative = kinds[k].bits == 16 && raw >> 15;
            const double got = softgt_component_decode(SOFTGT_COMPONENT_FLOAT, kinds[k].bits, raw);
            if (exponent == 31 && fraction) {
                assert_true(isnan(got));
                const uint64_t back = softgt_component_encode(SOFTGT_COMPONENT_FLOAT, kinds[k].bits, got);
                assert_int_equal(back, raw | 1u << (kinds[k].fraction - 1));
                continue;
            }
            double expected =
                exponent == 31 ? (double)INFINITY : by_the_table(5, kinds[k].fraction, exponent, fraction);
            expected = negative ? -expected : expected;
            assert_true(got == expected && !signbit(got) == !negative);
            assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, kinds[k].bits, got), raw);
            assert_true(softgt_component_to_float(SOFTGT_COMPONENT_FLOAT, kinds[k].bits, raw) ==
                        (float)expected);
        }
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_FLOAT, 11, 30u << 6 | 63u) == 65024);
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_FLOAT, 10, 30u << 5 | 31u) == 64512);
}

/* Between any two neighbours: the nearer one, the even one of two as near; beyond the largest: infinity. */
static void rounding_of_small_floats(void **state)
{
    (void)state;
    static const struct {
        unsigned bits, fraction;
    } kinds[] = {{16, 10}, {11, 6}, {10, 5}};
    for (unsigned k = 0; k < 3; k++) {
        const unsigned bits = kinds[k].bits;
        const uint32_t infinity = 31u << kinds[k].fraction;
        for (uint32_t raw = 0; raw < infinity; raw++) {
            const double here = softgt_component_decode(SOFTGT_COMPONENT_FLOAT, bits, raw);
            const double next =
                raw + 1 < infinity ? softgt_component_decode(SOFTGT_COMPONENT_FLOAT, bits, raw + 1) : 65536;
            const double half = (here + next) / 2;
            assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, half), raw + (raw & 1u));
            assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, nextafter(half, 0)), raw);
            assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, nextafter(half, 1e9)),
                             raw + 1);
        }
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, 1e300), infinity);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, (double)INFINITY), infinity);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, -1.0),
                         bits == 16 ? 0xbc00 : 0);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, -(double)INFINITY),
                         bits == 16 ? 0xfc00 : 0);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, bits, 5e-324), 0);
    }
}

/* Against the compiler's own conversion. */
static void halves(void **state)
{
    (void)state;
#if defined(__FLT16_MAX__)
    for (uint32_t raw = 0; raw < 0x10000; raw++) {
        __extension__ _Float16 half;
        const uint16_t bits = (uint16_t)raw;
        memcpy(&half, &bits, 2);
        if ((raw & 0x7fff) > 0x7c00)
            assert_true(isnan(float_of(softgt_float16_to_32(bits))));
        else
            assert_int_equal(softgt_float16_to_32(bits), bits_of((float)half));
    }
    for (uint64_t raw = 0; raw < UINT64_C(1) << 32; raw += 977) {
        const float value = float_of((uint32_t)raw);
        __extension__ const _Float16 half = __extension__(_Float16) value;
        uint16_t expected;
        memcpy(&expected, &half, 2);
        const uint16_t got = softgt_float32_to_16((uint32_t)raw);
        if (isnan(value))
            assert_true((got & 0x7fff) > 0x7c00 && got >> 15 == expected >> 15);
        else
            assert_int_equal(got, expected);
    }
#else
    skip();
#endif
}

static void floats_of_32_and_64_bits(void **state)
{
    (void)state;
    for (uint64_t raw = 0; raw < UINT64_C(1) << 32; raw += 9973) {
        const float value = float_of((uint32_t)raw);
        const double got = softgt_component_decode(SOFTGT_COMPONENT_FLOAT, 32, raw);
        if (isnan(value)) {
            assert_true(isnan(got));
            continue;
        }
        assert_true(got == (double)value && !signbit(got) == !signbit(value));
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, 32, got), raw);
    }
    uint64_t seed = 12;
    for (unsigned i = 0; i < 500000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        double value;
        memcpy(&value, &seed, 8);
        if (isnan(value))
            continue;
        const double near_float =
            (i & 1u) ? value : (double)(float)((double)(int64_t)seed / 1e12) * (1 + 3e-8);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, 32, near_float),
                         bits_of((float)near_float));
        assert_true(softgt_component_decode(SOFTGT_COMPONENT_FLOAT, 64, seed) == value);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_FLOAT, 64, value), seed);
    }
}

/* ---- Normalized numbers and integers ---- */

/* The double nearest to what long double holds to eleven bits more. */
/* `half_steps`: how far from the exact value, in half steps of a double. */
static bool nearest(double value, long double exact, long double half_steps)
{
    const long double apart = fabsl((long double)value - exact),
                      step = (long double)(nextafter(fabs(value), 2) - fabs(value));
    return apart <= step / 2 * half_steps;
}

static void check_unorm(unsigned bits, uint64_t raw)
{
    const long double exact = (long double)raw / (long double)((UINT64_C(1) << bits) - 1u);
    const double value = softgt_component_decode(SOFTGT_COMPONENT_UNORM, bits, raw);
    assert_true(nearest(value, exact, 1.001L));
    assert_true(softgt_component_to_float(SOFTGT_COMPONENT_UNORM, bits, raw) == (float)exact);
    assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_UNORM, bits, value), raw);
}

static void check_snorm(unsigned bits, uint64_t raw)
{
    const int64_t most = (int64_t)((UINT64_C(1) << (bits - 1)) - 1u);
    int64_t number = (int64_t)raw;
    if (raw >> (bits - 1))
        number -= (int64_t)(UINT64_C(1) << bits);
    const bool lowest = number < -most;
    const long double exact = lowest ? -1.0L : (long double)number / (long double)most;
    const double value = softgt_component_decode(SOFTGT_COMPONENT_SNORM, bits, raw);
    assert_true(nearest(value, exact, 1.001L));
    assert_true(softgt_component_to_float(SOFTGT_COMPONENT_SNORM, bits, raw) == (float)exact);
    assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SNORM, bits, value), lowest ? raw + 1 : raw);
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_SINT, bits, raw) == (double)number);
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_SSCALED, bits, raw) == (double)number);
    assert_true(softgt_component_to_float(SOFTGT_COMPONENT_SSCALED, bits, raw) == (float)number);
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_SFIXED, bits, raw) == (double)number / 65536);
    assert_true(softgt_component_to_float(SOFTGT_COMPONENT_SFIXED, bits, raw) ==
                (float)((double)number / 65536));
    assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SINT, bits, (double)number), raw);
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_UINT, bits, raw) == (double)raw);
    assert_true(softgt_component_to_float(SOFTGT_COMPONENT_USCALED, bits, raw) == (float)raw);
    assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_USCALED, bits, (double)raw), raw);
}

static void normalized(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 16; bits++)
        for (uint64_t raw = 0; raw < UINT64_C(1) << bits; raw++) {
            check_unorm(bits, raw);
            if (bits > 1)
                check_snorm(bits, raw);
        }
    for (uint64_t raw = 0; raw < UINT64_C(1) << 32; raw += 4999) {
        check_unorm(32, raw);
        check_snorm(32, raw);
        check_unorm(24, raw >> 8);
        check_snorm(24, raw >> 8);
    }
    check_unorm(32, UINT32_MAX);
    check_snorm(32, 0x80000000u);
    check_snorm(32, 0x7fffffffu);
    /* The manual's example: 0, 1/3, 2/3, 1. */
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_UNORM, 2, 1) == 1.0 / 3 &&
                softgt_component_decode(SOFTGT_COMPONENT_UNORM, 2, 3) == 1);
    assert_true(softgt_component_decode(SOFTGT_COMPONENT_SNORM, 8, 0x80) == -1 &&
                softgt_component_decode(SOFTGT_COMPONENT_SNORM, 8, 0x81) == -1);
}

/* Floats of 32 bits are not converted: drivers read integers by such formats. (Mesa, brw: constants in
 * buffers) */
static void floats_keep_their_bits(void **state)
{
    (void)state;
    static const uint32_t bits[4] = {0x7f800001, 0xffbfffff, 0x00000001, 0x7fc12345};
    union softgt_color color;
    softgt_pixel_decode(softgt_format_find("R32G32B32A32_FLOAT"), bits, &color);
    assert_memory_equal(color.u, bits, sizeof bits);
}

/* Rounding and limits of what is written. */
static void encoding_limits(void **state)
{
    (void)state;
    static const enum softgt_component kinds[] = {
        SOFTGT_COMPONENT_UNORM, SOFTGT_COMPONENT_SRGB,    SOFTGT_COMPONENT_SNORM,   SOFTGT_COMPONENT_UINT,
        SOFTGT_COMPONENT_SINT,  SOFTGT_COMPONENT_USCALED, SOFTGT_COMPONENT_SSCALED, SOFTGT_COMPONENT_SFIXED};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (unsigned bits = 2; bits <= 32; bits++) {
            const uint64_t all = (UINT64_C(1) << bits) - 1u, top = all >> 1;
            const bool is_signed = kinds[i] == SOFTGT_COMPONENT_SNORM || kinds[i] == SOFTGT_COMPONENT_SINT ||
                                   kinds[i] == SOFTGT_COMPONENT_SSCALED ||
                                   kinds[i] == SOFTGT_COMPONENT_SFIXED;
            assert_int_equal(softgt_component_encode(kinds[i], bits, NAN), 0);
            assert_int_equal(softgt_component_encode(kinds[i], bits, (double)INFINITY),
                             is_signed ? top : all);
            assert_int_equal(softgt_component_encode(kinds[i], bits, 1e30), is_signed ? top : all);
            const uint64_t lowest = kinds[i] == SOFTGT_COMPONENT_SNORM ? top + 2 : is_signed ? top + 1 : 0;
            assert_int_equal(softgt_component_encode(kinds[i], bits, -1e30), lowest);
            assert_int_equal(softgt_component_encode(kinds[i], bits, -(double)INFINITY), lowest);
        }
    for (unsigned n = 0; n < 255; n++) { /* halves go to the even neighbour */
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_UINT, 8, n + 0.5), n + (n & 1u));
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_UINT, 8, nextafter(n + 0.5, 0)), n);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_UINT, 8, nextafter(n + 0.5, 1e3)), n + 1);
    }
    assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_UNORM, 1, 0.5), 0);
    assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SINT, 8, -2.5), 0xfe);
    assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SINT, 8, -3.5), 0xfc);
}

/* ---- sRGB ---- */

static void srgb(void **state)
{
    (void)state;
    static const unsigned widths[] = {5, 6, 8, 10, 16};
    for (unsigned i = 0; i < sizeof widths / sizeof widths[0]; i++) /* rounded once, not at each step */
        for (uint64_t raw = 0; raw < UINT64_C(1) << widths[i]; raw++) {
            const long double c = (long double)raw / (long double)((1u << widths[i]) - 1u);
            const long double linear = c <= 0.04045L ? c / 12.92L : powl((c + 0.055L) / 1.055L, 2.4L);
            assert_true(
                nearest(softgt_component_decode(SOFTGT_COMPONENT_SRGB, widths[i], raw), linear, 1.01L));
            assert_float_equal(softgt_component_to_float(SOFTGT_COMPONENT_SRGB, widths[i], raw),
                               (float)linear, 0);
        }
    for (unsigned raw = 0; raw < 256; raw++) {
        const long double c = raw / 255.0L;
        const long double linear = c <= 0.04045L ? c / 12.92L : powl((c + 0.055L) / 1.055L, 2.4L);
        const double got = softgt_component_decode(SOFTGT_COMPONENT_SRGB, 8, raw);
        assert_true(fabsl(got - linear) < 1e-15L);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SRGB, 8, got), raw);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SRGB, 8, (double)(float)got), raw);
    }
    for (unsigned code = 1; code < 256; code++) { /* the code changes at one float, which a table has */
        float least = (float)softgt_srgb_to_linear((code - 0.5) / 255);
        while (softgt_component_encode(SOFTGT_COMPONENT_SRGB, 8, (double)least) == code)
            least = nextafterf(least, 0);
        const double between = ((double)least + (double)nextafterf(least, 1)) / 2;
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SRGB, 8, (double)least), code - 1);
        assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SRGB, 8, (double)nextafterf(least, 1)),
                         code);
        assert_true(fabs(softgt_linear_to_srgb(between) * 255 - (code - 0.5)) < 1e-4);
    }
    for (unsigned i = 0; i <= 100000; i++) {
        const long double v = i / 100000.0L,
                          e = v <= 0.0031308L ? 12.92L * v : 1.055L * powl(v, 1 / 2.4L) - 0.055L;
        assert_true(fabsl(softgt_linear_to_srgb((double)v) - e) < 1e-15L);
        if (fabsl(e * 255 - floorl(e * 255) - 0.5L) > 1e-9L)
            assert_int_equal(softgt_component_encode(SOFTGT_COMPONENT_SRGB, 8, (double)v),
                             (uint64_t)floorl(e * 255 + 0.5L));
    }
}

/* ---- Shared exponent ---- */

static void shared_exponent(void **state)
{
    (void)state;
    float rgb[3];
    for (uint32_t exponent = 0; exponent < 32; exponent++)
        for (uint32_t fraction = 0; fraction < 512; fraction++) {
            const uint32_t other = fraction * 7 % 512, third = fraction * 13 % 512;
            softgt_r9g9b9e5_decode(exponent << 27 | third << 18 | other << 9 | fraction, rgb);
            assert_true(rgb[0] == (float)(fraction / 512.0 * power((int)exponent - 15)));
            assert_true(rgb[1] == (float)(other / 512.0 * power((int)exponent - 15)));
            assert_true(rgb[2] == (float)(third / 512.0 * power((int)exponent - 15)));
            float again[3];
            softgt_r9g9b9e5_decode(softgt_r9g9b9e5_encode(rgb), again);
            assert_memory_equal(rgb, again, sizeof rgb);
        }
    /* The nearest that there is: with the smallest exponent that holds the largest of the three. */
    uint64_t seed = 9;
    for (unsigned i = 0; i < 200000; i++) {
        for (unsigned c = 0; c < 3; c++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            rgb[c] = (float)((double)(seed >> 40) / power((int)(seed % 40)));
        }
        const uint32_t bits = softgt_r9g9b9e5_encode(rgb);
        float got[3];
        softgt_r9g9b9e5_decode(bits, got);
        const double step = power((int)(bits >> 27) - 24);
        for (unsigned c = 0; c < 3; c++) {
            const double wanted = rgb[c] > 65408 ? 65408 : (double)rgb[c];
            assert_true(fabs((double)got[c] - wanted) <= step / 2);
        }
        const uint32_t largest_fraction = (bits & 511) > (bits >> 9 & 511) ? bits & 511 : bits >> 9 & 511;
        if (bits >> 27)
            assert_true((largest_fraction > (bits >> 18 & 511) ? largest_fraction : bits >> 18 & 511) >= 256);
    }
    assert_int_equal(softgt_r9g9b9e5_encode((const float[]){NAN, -1, (float)INFINITY}),
                     31u << 27 | 511u << 18);
    assert_int_equal(softgt_r9g9b9e5_encode((const float[]){0, 0, 0}), 0);
}

/* ---- Pixels ---- */

static void pixels(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint8_t bytes[16];
        union softgt_color rgba;
    } known[] = {
        {"B8G8R8A8_UNORM", {0x00, 0x33, 0xff, 0x66}, {{1, 0.2f, 0, 0.4f}}},
        {"B8G8R8X8_UNORM", {0xff, 0x00, 0x00, 0x00}, {{0, 0, 1, 1}}},
        {"R8G8B8A8_UNORM", {0xff, 0x33, 0x00, 0x66}, {{1, 0.2f, 0, 0.4f}}},
        {"B5G6R5_UNORM", {0x1f, 0xf8}, {{1, 0, 1, 1}}},
        {"B5G5R5A1_UNORM", {0xe0, 0x83}, {{0, 1, 0, 1}}},
        {"R10G10B10A2_UNORM", {0xff, 0x03, 0x00, 0x40}, {{1, 0, 0, 1.0f / 3}}},
        {"R16G16B16A16_FLOAT", {0x00, 0x3c, 0x00, 0xc0, 0x00, 0x00, 0x00, 0x38}, {{1, -2, 0, 0.5f}}},
        {"R11G11B10_FLOAT", {0xc0, 0x03, 0x1e, 0x78}, {{1, 1, 1, 1}}},
        {"R8G8B8A8_SINT", {0xff, 0x80, 0x7f, 0x01}, {.s = {-1, -128, 127, 1}}},
        {"R32G32B32A32_FLOAT",
         {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40},
         {{1, 2, 3, 4}}},
        {"L8_UNORM", {0x33}, {{0.2f, 0.2f, 0.2f, 1}}},
        {"A8_UNORM", {0x33}, {{0, 0, 0, 0.2f}}},
        {"R8G8B8A8_UINT", {0xff, 0x80, 0x7f, 0x01}, {.u = {255, 128, 127, 1}}},
        {"R10G10B10A2_UINT", {0xff, 0x03, 0x00, 0x80}, {.u = {1023, 0, 0, 2}}},
        {"R16_SINT", {0xfe, 0xff}, {.s = {-2, 0, 0, 1}}},
        {"R32_UINT", {0x01, 0x00, 0x00, 0xff}, {.u = {0xff000001, 0, 0, 1}}},
        {"R32_SINT", {0xf1, 0xff, 0xff, 0x7f}, {.s = {0x7ffffff1, 0, 0, 1}}},
        {"R16G16B16A16_UINT", {1, 2, 0xff, 0xff, 0, 0x80, 3, 0}, {.u = {0x201, 0xffff, 0x8000, 3}}},
        {"R16G16B16A16_SINT", {1, 2, 0xff, 0xff, 0, 0x80, 3, 0}, {.s = {0x201, -1, -0x8000, 3}}},
        {"R8G8_SINT", {0x80, 0x7f}, {.s = {-128, 127, 0, 1}}},
        {"R32G32B32_UINT", {1, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, {.u = {1, 2, 0xffffffff, 1}}},
        {"A4B4G4R4_UNORM", {0x3f, 0xc0}, {{0.8f, 0, 0.2f, 1}}},
        {"L8A8_UNORM", {0x33, 0x66}, {{0.2f, 0.2f, 0.2f, 0.4f}}},
        {"I8_UNORM", {0x33}, {{0.2f, 0.2f, 0.2f, 0.2f}}},
        {"R24_UNORM_X8_TYPELESS", {0xff, 0xff, 0xff, 0}, {{1, 0, 0, 1}}},
        {"X24_TYPELESS_G8_UINT", {0, 0, 0, 7}, {.u = {0, 7, 0, 1}}},
        {"R32G32B32A32_UINT",
         {1, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0x80, 0x7f, 1, 0, 0x80, 0xff},
         {.u = {0x01000001, 0xffffffff, 0x7f800000,
                0xff800001}}}, /* also what are floats' infinity and NaN */
    };
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct softgt_format *f = softgt_format_find(known[i].name);
        assert_non_null(f);
        union softgt_color rgba;
        uint8_t back[16];
        softgt_pixel_decode(f, known[i].bytes, &rgba);
        assert_memory_equal(&rgba, &known[i].rgba, sizeof rgba);
        softgt_pixel_encode(f, &rgba, back);
        assert_memory_equal(back, known[i].bytes, f->bytes);
    }
    assert_null(softgt_format_find("R5G6B5"));
    assert_null(softgt_format_find(NULL));
    /* What is written and read again is the same pixel; components do not overlap or reach out of it. */
    uint64_t seed = 3;
    for (size_t n = 0; softgt_format_at(n); n++) {
        const struct softgt_format *f = softgt_format_at(n);
        assert_ptr_equal(softgt_format_find(f->name), f);
        for (unsigned c = 0; c < 4; c++)
            assert_true(f->part[c].first + f->part[c].bits <= f->bytes * 8u);
        for (unsigned i = 0; i < 3000; i++) {
            uint8_t pixel[16], again[16];
            for (unsigned b = 0; b < 16; b++) {
                seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
                pixel[b] = (uint8_t)(seed >> 56);
            }
            union softgt_color first, second;
            softgt_pixel_decode(f, pixel, &first);
            softgt_pixel_encode(f, &first, again);
            softgt_pixel_decode(f, again, &second);
            const bool exact = f->part[0].kind == SOFTGT_COMPONENT_UINT ||
                               f->part[0].kind == SOFTGT_COMPONENT_SINT || f->part[0].bits == 64;
            if (exact)
                assert_memory_equal(pixel, again, f->bytes);
            for (unsigned c = 0; c < 4 && !exact; c++)
                assert_true(first.f[c] == second.f[c] || (isnan(first.f[c]) && isnan(second.f[c])));
        }
    }
}

/* A 64-bit float stays one; what is once for three colours is red's. */
static void pixels_of_one_component(void **state)
{
    (void)state;
    static const uint64_t doubles[] = {0x3ff0000000000001, 0x7ff0000000000001, 0x8000000000000001,
                                       0x7fefffffffffffff};
    union softgt_color rgba;
    uint64_t back;
    for (unsigned i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        softgt_pixel_decode(softgt_format_find("R64_FLOAT"), &doubles[i], &rgba);
        assert_memory_equal(&rgba.d[0], &doubles[i], 8);
        assert_true(rgba.f[2] == 0 && rgba.f[3] == 1);
        softgt_pixel_encode(softgt_format_find("R64_FLOAT"), &rgba, &back);
        assert_true(back == doubles[i]);
    }
    uint8_t grey = 0;
    softgt_pixel_encode(softgt_format_find("L8_UNORM"), &(union softgt_color){{0.25f, 0.5f, 0.75f, 1}},
                        &grey);
    assert_int_equal(grey, 0x40);
    softgt_pixel_encode(softgt_format_find("L8_UNORM_SRGB"), &(union softgt_color){{1, 0.5f, 0, 1}}, &grey);
    assert_int_equal(grey, 0xff);
}

/* OVR-13: the manual's examples. */
static void media_compression(void **state)
{
    (void)state;
    assert_int_equal(softgt_media_compression_pitch(1920, 256, 128, SOFTGT_MEDIA_4K_PAGES), 17);
    assert_int_equal(softgt_media_compression_pitch(4096 * 4, 0, 128, SOFTGT_MEDIA_4K_PAGES), 129);
    assert_int_equal(softgt_media_compression_pitch(4096, 0, 128, SOFTGT_MEDIA_4K_PAGES), 33);
    assert_int_equal(softgt_media_compression_pitch(16384 * 4, 0, 512, SOFTGT_MEDIA_64K_PAGES), 129);
    assert_int_equal(softgt_media_compression_pitch(4096 * 4 + 1, 0, 128, SOFTGT_MEDIA_4K_PAGES), 0);
    assert_int_equal(softgt_media_compression_pitch(16384 * 4 + 1, 0, 512, SOFTGT_MEDIA_64K_PAGES), 0);
    assert_int_equal(softgt_media_compression_pitch(0, 0, 128, SOFTGT_MEDIA_4K_PAGES), 0);
    assert_int_equal(softgt_media_compression_pitch(64, 0, 0, SOFTGT_MEDIA_4K_PAGES), 0);
    assert_int_equal(softgt_media_compression_pitch(64, 0, 128, 8192), 0);
    assert_int_equal(softgt_media_compression_pitch(1, 0, 128, SOFTGT_MEDIA_4K_PAGES), 2);
}

TEST_PROGRAM(formats_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_floats),
        cmocka_unit_test(rounding_of_small_floats),
        cmocka_unit_test(halves),
        cmocka_unit_test(floats_of_32_and_64_bits),
        cmocka_unit_test(normalized),
        cmocka_unit_test(floats_keep_their_bits),
        cmocka_unit_test(encoding_limits),
        cmocka_unit_test(srgb),
        cmocka_unit_test(shared_exponent),
        cmocka_unit_test(pixels),
        cmocka_unit_test(media_compression),
        cmocka_unit_test(pixels_of_one_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
