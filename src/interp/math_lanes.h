/*
 * Math functions on LANES doubles at once. math.c includes this with one lane, simd/width.h with as many as
 * the host's vectors hold. Both run the same operations in the same order, and IEEE defines each to the last
 * bit: results are the same. The host must round to nearest.
 */
#include "base/inline.h"

#include <math.h>

typedef double double_lanes __attribute__((vector_size(LANES * 8)));
typedef int64_t whole_lanes __attribute__((vector_size(LANES * 8)));

/* Codes of the float functions of math. */
enum math_function {
    MATH_INV = 1,
    MATH_LOG,
    MATH_EXP,
    MATH_SQT,
    MATH_RSQT,
    MATH_SIN,
    MATH_COS,
    MATH_FDIV = 9,
    MATH_POW,
    MATH_INVM = 14,
    MATH_RSQTM
};

#define ALL(x)                  ((double_lanes){0} + (x))
#define CHOOSE(mask, a, b)      ((double_lanes)(((whole_lanes)(a) & (mask)) | ((whole_lanes)(b) & ~(mask))))
#define LANES_INTEGER_BIAS      0x1.8p52 /* x plus this has no fraction: its low bits are the integer */
#define LANES_INTEGER_BIAS_BITS INT64_C(0x4338000000000000)

/* Floor of numbers below 2^51 in magnitude. */
static INLINE void lanes_floor(double_lanes *x)
{
    const double_lanes nearest = (*x + LANES_INTEGER_BIAS) - LANES_INTEGER_BIAS;
    *x = nearest - CHOOSE((whole_lanes)(nearest > *x), ALL(1), ALL(0));
}

static INLINE void lanes_power_of_two(const whole_lanes *exponent, double_lanes *x)
{
    *x = (double_lanes)((*exponent + 1023) << 52);
}

static INLINE void lanes_magnitude(double_lanes *x)
{
    *x = (double_lanes)((whole_lanes)*x & INT64_MAX);
}

/* 2^x by its power series for the fraction, -0.5 to 0.5. */
static INLINE void lanes_exp(double_lanes *value)
{
    static const double factors[] = {0x1.93974a8c07c9dp-37,
                                     0x1.6124613a86d09p-33,
                                     0x1.1eed8eff8d898p-29,
                                     0x1.ae64567f544e4p-26,
                                     0x1.27e4fb7789f5cp-22,
                                     0x1.71de3a556c734p-19,
                                     0x1.a01a01a01a01ap-16,
                                     0x1.a01a01a01a01ap-13,
                                     0x1.6c16c16c16c17p-10,
                                     0x1.1111111111111p-7,
                                     0x1.5555555555555p-5,
                                     0x1.5555555555555p-3,
                                     0x1p-1,
                                     0x1p0,
                                     0x1p0};
    /* NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself */
    const whole_lanes is_number = (whole_lanes)(*value == *value);
    double_lanes x = CHOOSE((whole_lanes)(*value < 2000), *value, ALL(2000)), whole, sum = ALL(factors[0]),
                 scale;
    x = CHOOSE((whole_lanes)(x > -2000), x, ALL(-2000));
    whole = x + 0.5;
    lanes_floor(&whole);
    const double_lanes y = (x - whole) * 0x1.62e42fefa39efp-1;
    for (unsigned n = 1; n < sizeof factors / sizeof factors[0]; n++)
        sum = sum * y + factors[n];
    const whole_lanes exponent = (whole_lanes)(whole + LANES_INTEGER_BIAS) - LANES_INTEGER_BIAS_BITS,
                      half = exponent >> 1, other = exponent - half;
    lanes_power_of_two(&half, &scale);
    sum *= scale;
    lanes_power_of_two(&other, &scale);
    *value = CHOOSE(is_number, sum * scale, *value);
}

/* log2 by the series of atanh((m - 1) / (m + 1)) for m from sqrt(1/2) to sqrt(2). Double denormals are not
 * handled. */
static INLINE void lanes_log(double_lanes *value)
{
    const double_lanes x = *value;
    const whole_lanes bits = (whole_lanes)x;
    double_lanes m = (double_lanes)((bits & INT64_C(0xfffffffffffff)) | INT64_C(0x3fe0000000000000)),
                 sum = ALL(0);
    whole_lanes exponent = ((bits >> 52) & 0x7ff) - 1022;
    const whole_lanes is_low = (whole_lanes)(m < 0x1.6a09e667f3bcdp-1);
    m = CHOOSE(is_low, m + m, m);
    exponent += is_low;
    const double_lanes z = (m - 1) / (m + 1), square = z * z;
    for (int n = 27; n >= 1; n -= 2)
        sum = sum * square + 1.0 / n;
    const double_lanes whole = (double_lanes)(exponent + LANES_INTEGER_BIAS_BITS) - LANES_INTEGER_BIAS;
    double_lanes result = whole + 2 * z * sum * 0x1.71547652b82fep0;
    result = CHOOSE((whole_lanes)(x == (double)INFINITY), x, result);
    result = CHOOSE((whole_lanes)(x >= 0), result, ALL((double)NAN));
    *value = CHOOSE((whole_lanes)(x == 0), ALL(-(double)INFINITY), result);
}

/* sin(x + quarters * pi / 2). */
static INLINE void lanes_sine(double_lanes *value, int quarters)
{
    static const double sines[] = {-0x1.2f49b46814157p-57, 0x1.952c77030ad4ap-49,
                                   -0x1.ae7f3e733b81fp-41, 0x1.6124613a86d09p-33,
                                   -0x1.ae64567f544e4p-26, 0x1.71de3a556c734p-19,
                                   -0x1.a01a01a01a01ap-13, 0x1.1111111111111p-7,
                                   -0x1.5555555555555p-3,  0x1p0};
    static const double cosines[] = {-0x1.6827863b97d97p-53,
                                     0x1.ae7f3e733b81fp-45,
                                     -0x1.93974a8c07c9dp-37,
                                     0x1.1eed8eff8d898p-29,
                                     -0x1.27e4fb7789f5cp-22,
                                     0x1.a01a01a01a01ap-16,
                                     -0x1.6c16c16c16c17p-10,
                                     0x1.5555555555555p-5,
                                     -0x1p-1,
                                     0x1p0};
    double_lanes x = *value, far = x, sine, cosine;
    /* NOLINTNEXTLINE(misc-redundant-expression): infinity minus itself is NaN */
    const whole_lanes is_number = (whole_lanes)(x - x == 0), is_zero = (whole_lanes)(x == 0);
    x = CHOOSE(is_number, x, ALL(0));
    far = x;
    lanes_magnitude(&far);
    for (unsigned n = 0; n < LANES; n++)
        if (far[n] > 0x1p26)
            x[n] = fmod(x[n], 0x1.921fb54442d18p2);
    /* pi / 2 in three parts; the first two have few bits, so that products are exact. */
    double_lanes turns = x * 0x1.45f306dc9c883p-1 + 0.5;
    lanes_floor(&turns);
    const double_lanes y = x - turns * 0x1.921fb4p0 - turns * 0x1.4442dp-24 - turns * 0x1.8469898cc5170p-48,
                       square = y * y;
    const whole_lanes quarter =
        (whole_lanes)(turns + LANES_INTEGER_BIAS) - LANES_INTEGER_BIAS_BITS + quarters;
    sine = ALL(sines[0]);
    cosine = ALL(cosines[0]);
    for (unsigned n = 1; n < sizeof sines / sizeof sines[0]; n++) {
        sine = sine * square + sines[n];
        cosine = cosine * square + cosines[n];
    }
    const double_lanes result = CHOOSE((whole_lanes)((quarter & 1) != 0), cosine, sine * y);
    const whole_lanes negative = (quarter & 2) << 62;
    const double_lanes found = (double_lanes)((whole_lanes)result ^ negative);
    x = quarters ? found : CHOOSE(is_zero, *value, found);
    *value = CHOOSE(is_number, x, ALL((double)NAN));
}

static INLINE void lanes_root(double_lanes *x)
{
#if defined(__AVX512F__) && defined(EU_SIMD_SELECT)
    *x = (double_lanes)_mm512_sqrt_pd((__m512d)*x);
#elif defined(__AVX2__) && defined(EU_SIMD_SELECT)
    *x = (double_lanes)_mm256_sqrt_pd((__m256d)*x);
#elif defined(__SSE2__) && defined(EU_SIMD_SELECT)
    *x = (double_lanes)_mm_sqrt_pd((__m128d)*x);
#else
    for (unsigned n = 0; n < LANES; n++)
        (*x)[n] = sqrt((*x)[n]);
#endif
}

/* *a = function(*a, *b). */
static INLINE void lanes_function(enum math_function function, double_lanes *a, const double_lanes *b)
{
    switch (function) {
    case MATH_INV:
        *a = 1 / *a;
        break;
    case MATH_LOG:
        lanes_log(a);
        break;
    case MATH_EXP:
        lanes_exp(a);
        break;
    case MATH_SQT:
    case MATH_RSQTM: /* a root macro gives the final result with early out: see exec_generic.c */
        lanes_root(a);
        break;
    case MATH_RSQT:
        lanes_root(a);
        *a = 1 / *a;
        break;
    case MATH_SIN:
        lanes_sine(a, 0);
        break;
    case MATH_COS:
        lanes_sine(a, 1);
        break;
    case MATH_FDIV:
    case MATH_INVM:
        *a = *a / *b;
        break;
    default: {
        const whole_lanes is_one = (whole_lanes)(*b == 0);
        lanes_magnitude(a);
        lanes_log(a);
        *a = *a * *b;
        lanes_exp(a);
        *a = CHOOSE(is_one, ALL(1), *a);
        break;
    }
    }
}
