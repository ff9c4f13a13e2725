/*
 * Conversions and rounding. Operations compute in 128-bit integers, which hold any sum or product of two
 * values, and in doubles with their rounding error.
 */
#include "interp/execute.h"

#include <math.h>

/* A float format. */
struct format {
    uint8_t mantissa, exponent; /* stored bits */
};

static const struct format formats[EU_TYPES] = {
    [TYPE_HF] = {10, 5}, [TYPE_BF] = {7, 8}, [TYPE_F] = {23, 8}, [TYPE_NF] = {23, 8}, [TYPE_DF] = {52, 11},
};

static uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

enum { DOUBLE_BIAS = 1023, DOUBLE_MANTISSA = 52 };
#define SIGN          (UINT64_C(1) << 63)
#define MANTISSA      ((UINT64_C(1) << DOUBLE_MANTISSA) - 1u)
#define INFINITY_BITS (UINT64_C(0x7ff) << DOUBLE_MANTISSA)
#define DEFAULT_NAN   (INFINITY_BITS | UINT64_C(1) << 51) /* the NaN of computed results */

bool eu_flushes_denormals(const struct eu_thread *t, unsigned type)
{
    const uint32_t keeps = type == TYPE_DF   ? CR0_DOUBLE_DENORMALS
                           : type == TYPE_HF ? CR0_HALF_DENORMALS
                           : type == TYPE_BF ? 0
                                             : CR0_SINGLE_DENORMALS;
    return !(t->cr0[0] & keeps);
}

enum eu_thread_rounding eu_thread_rounding(const struct eu_thread *t)
{
    return (enum eu_thread_rounding)(t->cr0[0] >> CR0_ROUNDING_SHIFT & 3u);
}

static int min_exponent(unsigned type)
{
    return 2 - (1 << (formats[type].exponent - 1));
}

/* The smallest normal number of the type. */
static double smallest_normal(unsigned type)
{
    return double_of((uint64_t)(min_exponent(type) + DOUBLE_BIAS) << DOUBLE_MANTISSA);
}

bool eu_is_denormal(double x, unsigned type)
{
    return x != 0 && fabs(x) < smallest_normal(type);
}

double eu_to_double(uint64_t bits, unsigned type)
{
    const struct format f = formats[type];
    const uint64_t fraction = bits & ((UINT64_C(1) << f.mantissa) - 1u);
    const unsigned max_exponent = (1u << f.exponent) - 1u,
                   exponent = (unsigned)(bits >> f.mantissa) & max_exponent;
    const uint64_t sign = bits >> (f.mantissa + f.exponent) & 1u;
    double x;
    if (type == TYPE_F) {
        const uint32_t word = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &word, sizeof narrow);
        return narrow == narrow ? (double)narrow : double_of(DEFAULT_NAN);
    }
    if (type == TYPE_DF)
        x = double_of(bits);
    else if (exponent == max_exponent)
        x = double_of(fraction ? DEFAULT_NAN : INFINITY_BITS);
    else if (exponent)
        x = double_of((uint64_t)((int)exponent - (int)(max_exponent >> 1) + DOUBLE_BIAS) << DOUBLE_MANTISSA |
                      fraction << (DOUBLE_MANTISSA - f.mantissa));
    else
        x = (double)fraction * ldexp(1, min_exponent(type) - f.mantissa);
    return sign && type != TYPE_DF ? -x : x;
}

uint64_t eu_from_double(double x, unsigned type)
{
    const struct format f = formats[type];
    const uint64_t bits = double_bits(x), max_exponent = (UINT64_C(1) << f.exponent) - 1u;
    const uint64_t sign = (bits >> 63) << (f.mantissa + f.exponent);
    const int exponent = (int)(bits >> DOUBLE_MANTISSA & 0x7ff) - DOUBLE_BIAS, min_exp = min_exponent(type);
    if (x != x)
        return max_exponent << f.mantissa | UINT64_C(1) << (f.mantissa - 1);
    if (type == TYPE_DF)
        return bits;
    if (type == TYPE_F) {
        const float narrow = (float)x;
        uint32_t word;
        memcpy(&word, &narrow, sizeof word);
        return word;
    }
    if ((bits & ~SIGN) == INFINITY_BITS)
        return sign | max_exponent << f.mantissa;
    if (x == 0)
        return sign;
    if (exponent < min_exp)
        return sign | (uint64_t)ldexp(fabs(x), f.mantissa - min_exp);
    return sign | (uint64_t)(exponent + (int)(max_exponent >> 1)) << f.mantissa |
           (bits & MANTISSA) >> (DOUBLE_MANTISSA - f.mantissa);
}

/* Whether rounding increases the magnitude. `rest` is what is dropped; `half` is half an ulp in the same
 * unit. */
static bool rounds_away(uint64_t rest, uint64_t half, bool odd, bool negative, enum eu_thread_rounding how)
{
    switch (how) {
    case ROUND_NEAREST:
        return rest > half || (rest == half && odd);
    case ROUND_UP:
        return rest && !negative;
    case ROUND_DOWN:
        return rest && negative;
    default:
        return false;
    }
}

/* Adjusts a double that is rounded to nearest for another rounding mode. */
static double step_double(double x, double error, enum eu_thread_rounding how)
{
    if (error == 0 || how == ROUND_NEAREST || x != x || fabs(x) == (double)INFINITY)
        return x;
    const bool up = how == ROUND_UP || (how == ROUND_TO_ZERO && x < 0);
    if (up ? error > 0 : error < 0)
        return nextafter(x, up ? (double)INFINITY : -(double)INFINITY);
    return x;
}

double eu_round_to_type(double x, double error, unsigned type, enum eu_thread_rounding how, bool flush)
{
    const struct format f = formats[type];
    uint64_t bits = double_bits(x);
    const bool negative = bits >> 63;
    const int min_exp = min_exponent(type);
    if (x != x)
        return double_of(DEFAULT_NAN);
    if (type == TYPE_DF) {
        x = step_double(x, error, how);
        return flush && eu_is_denormal(x, type) ? copysign(0, x) : x;
    }
    if (x == 0 || (bits & ~SIGN) == INFINITY_BITS)
        return x;
    if (error != 0 && error == error && !(bits & 1u)) /* the last bit becomes sticky: more bits follow */
        bits = (error < 0) == negative ? bits + 1 : bits - 1;
    if (type == TYPE_F && how == ROUND_NEAREST && (!flush || fabs(x) > 0x1p-125))
        return (double)(float)double_of(bits);
    const int exponent = (int)(bits >> DOUBLE_MANTISSA & 0x7ff) - DOUBLE_BIAS;
    const int last =
        (flush || exponent > min_exp ? exponent : min_exp) - f.mantissa; /* exponent of the last place */
    const int dropped = DOUBLE_MANTISSA - exponent + last;
    const uint64_t whole = (bits & MANTISSA) | UINT64_C(1) << DOUBLE_MANTISSA;
    uint64_t kept, rest, half;
    if (exponent == -DOUBLE_BIAS) /* far below the smallest denormal of any type */
        kept = 0, rest = 1, half = 2;
    else if (dropped > DOUBLE_MANTISSA + 2)
        kept = 0, rest = 1, half = 2;
    else
        kept = whole >> dropped, rest = whole & ((UINT64_C(1) << dropped) - 1u),
        half = UINT64_C(1) << (dropped - 1);
    kept += rounds_away(rest, half, kept & 1u, negative, how);
    const double magnitude =
        exponent == -DOUBLE_BIAS ? ldexp((double)kept, min_exp - f.mantissa) : ldexp((double)kept, last);
    const double limit = ldexp(2 - ldexp(1, -f.mantissa), -min_exp + 1);
    double y = magnitude;
    if (magnitude > limit)
        y = how == ROUND_NEAREST || how == (negative ? ROUND_DOWN : ROUND_UP) ? (double)INFINITY : limit;
    if (flush && magnitude < ldexp(1, min_exp))
        y = 0;
    return negative ? -y : y;
}

double eu_from_wide(eu_wide x, unsigned type, enum eu_thread_rounding how)
{
    const bool negative = x < 0;
    eu_unsigned_wide magnitude = negative ? -(eu_unsigned_wide)x : (eu_unsigned_wide)x;
    unsigned bits = 0, shift = 0;
    if (magnitude < (eu_unsigned_wide)1 << 53)
        return eu_round_to_type((double)(int64_t)x, 0, type, how, false);
    while (bits < 128 && magnitude >> bits)
        bits++;
    /* Keep 53 bits, and `more` as the sticky bit. */
    bool more = false;
    if (bits > 53) {
        shift = bits - 53;
        more = (magnitude & (((eu_unsigned_wide)1 << shift) - 1u)) != 0;
        magnitude >>= shift;
    }
    if (type == TYPE_DF) {
        const eu_unsigned_wide whole = negative ? -(eu_unsigned_wide)x : (eu_unsigned_wide)x;
        /* Keep 62 of the dropped bits, the last of them sticky. */
        const unsigned below = shift > 62 ? shift - 62u : 0;
        const eu_unsigned_wide dropped = whole & (((eu_unsigned_wide)1 << shift) - 1u);
        const bool is_more = (dropped & (((eu_unsigned_wide)1 << below) - 1u)) != 0;
        magnitude += shift && rounds_away((uint64_t)(dropped >> below) | is_more,
                                          UINT64_C(1) << (shift - below - 1u), magnitude & 1u, negative, how);
        more = false;
    }
    const double y = ldexp((double)((uint64_t)magnitude | more), (int)shift);
    return eu_round_to_type(negative ? -y : y, 0, type, how, false);
}

bool eu_is_float(unsigned type)
{
    return formats[type].exponent != 0;
}

bool eu_is_signed(unsigned type)
{
    return type == TYPE_B || type == TYPE_W || type == TYPE_D || type == TYPE_Q || type == TYPE_V ||
           type == TYPE_S4 || type == TYPE_S2;
}

eu_wide eu_extend(uint64_t bits, unsigned type)
{
    const unsigned above = 64u - 8u * eu_types[type].bytes;
    if (eu_is_signed(type))
        return (int64_t)(bits << above) >> above;
    return bits << above >> above;
}

static eu_wide max_of(unsigned type)
{
    return ((eu_wide)1 << (8u * eu_types[type].bytes - eu_is_signed(type))) - 1;
}

static eu_wide min_of(unsigned type)
{
    return eu_is_signed(type) ? -max_of(type) - 1 : 0;
}

eu_wide eu_clamp(eu_wide x, unsigned type)
{
    return x > max_of(type) ? max_of(type) : x < min_of(type) ? min_of(type) : x;
}

eu_wide eu_to_wide(double x, unsigned type)
{
    if (x != x)
        return 0;
    if (x >= 0x1p64)
        return max_of(type);
    if (x <= -0x1p64)
        return min_of(type);
    return eu_clamp((eu_wide)x, type);
}
