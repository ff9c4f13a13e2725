/* Numbers of a component to floating point and back. (OVR-11, OVR-12) */
#include <softgt/formats.h>

#include "srgb.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* ---- Floats of any size ---- */

struct layout {
    uint8_t exponent_bits, fraction_bits;
    bool sign;
};

static struct layout layout_of(unsigned bits)
{
    switch (bits) {
    case 10:
        return (struct layout){5, 5, false};
    case 11:
        return (struct layout){5, 6, false};
    case 16:
        return (struct layout){5, 10, true};
    case 32:
        return (struct layout){8, 23, true};
    default:
        return (struct layout){11, 52, true};
    }
}

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1u;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023 };

static double float_decode(struct layout l, uint64_t raw)
{
    const uint64_t fraction = raw & low(l.fraction_bits),
                   exponent = raw >> l.fraction_bits & low(l.exponent_bits);
    const bool negative = l.sign && raw >> (l.fraction_bits + l.exponent_bits) & 1u;
    const int bias = (1 << (l.exponent_bits - 1)) - 1;
    if (exponent == low(l.exponent_bits)) /* infinity, NaN with its payload */
        return from_bits((uint64_t)negative << 63 | UINT64_C(0x7ff) << DOUBLE_FRACTION |
                         fraction << (DOUBLE_FRACTION - l.fraction_bits));
    /* Normal numbers take the exponent as it is; a denormal one has a fraction that a double holds exactly.
     */
    if (exponent)
        return from_bits((uint64_t)negative << 63 |
                         (uint64_t)((int)exponent - bias + DOUBLE_BIAS) << DOUBLE_FRACTION |
                         fraction << (DOUBLE_FRACTION - l.fraction_bits));
    const double value =
        l.fraction_bits == DOUBLE_FRACTION
            ? from_bits(fraction)
            : (double)fraction *
                  from_bits((uint64_t)(DOUBLE_BIAS + 1 - bias - l.fraction_bits) << DOUBLE_FRACTION);
    return negative ? -value : value;
}

/* value >> count, ties to even. */
static uint64_t shift_round(wide value, unsigned count)
{
    if (count == 0)
        return (uint64_t)value;
    if (count > 127)
        return 0;
    const wide kept = value >> count, rest = value & (((wide)1 << count) - 1u),
               half = (wide)1 << (count - 1u);
    return (uint64_t)(kept + (rest > half || (rest == half && kept & 1u)));
}

static uint64_t float_encode(struct layout l, double value)
{
    const uint64_t bits = to_bits(value), fraction = bits & low(DOUBLE_FRACTION);
    const int exponent = (int)(bits >> DOUBLE_FRACTION & 0x7ffu), bias = (1 << (l.exponent_bits - 1)) - 1;
    const bool negative = bits >> 63;
    const uint64_t sign = l.sign ? (uint64_t)negative << (l.fraction_bits + l.exponent_bits) : 0;
    const uint64_t infinity = low(l.exponent_bits) << l.fraction_bits;
    if (exponent == 0x7ff && fraction) /* stays a NaN, a quiet one */
        return sign | infinity | fraction >> (DOUBLE_FRACTION - l.fraction_bits) |
               UINT64_C(1) << (l.fraction_bits - 1);
    if (negative && !l.sign)
        return 0;
    if (exponent == 0x7ff)
        return sign | infinity;
    if (l.fraction_bits == DOUBLE_FRACTION)
        return bits;
    const int there = exponent - DOUBLE_BIAS + bias; /* its exponent in the smaller format */
    const uint64_t significant = exponent ? fraction | UINT64_C(1) << DOUBLE_FRACTION : fraction;
    unsigned shift = DOUBLE_FRACTION - l.fraction_bits;
    if (there <= 0)
        shift += (unsigned)(1 - there);
    const uint64_t rounded = shift_round(significant, shift);
    /* The hidden one, and what rounding carries, go into the exponent. */
    const uint64_t result = there <= 0 ? rounded : ((uint64_t)(there - 1) << l.fraction_bits) + rounded;
    return sign | (result < infinity ? result : infinity);
}

uint32_t softgt_float16_to_32(uint16_t bits)
{
    const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
    const uint32_t exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
    if (exponent == 0x1f)
        return sign | 0x7f800000u | fraction << 13;
    return (uint32_t)float_encode(layout_of(32), float_decode(layout_of(16), bits));
}

uint16_t softgt_float32_to_16(uint32_t bits)
{
    if ((bits & 0x7fffffffu) > 0x7f800000u) /* without a way through double, that would quiet it first */
        return (uint16_t)((bits >> 16 & 0x8000u) | 0x7e00u | (bits >> 13 & 0x3ffu));
    return (uint16_t)float_encode(layout_of(16), float_decode(layout_of(32), bits));
}

/* ---- sRGB ---- */

/* The root of a number by Newton's method, from above: each step is smaller, until the last place. */
static long double root(long double of, unsigned n)
{
    for (long double value = of > 1 ? of : 1;;) {
        long double power = value;
        for (unsigned i = 2; i < n; i++)
            power *= value;
        const long double next = ((long double)(n - 1u) * value + of / power) / n;
        if (!(next < value))
            return value;
        value = next;
    }
}

static long double curve_to_linear(long double value)
{
    const long double base = (value + 0.055L) / 1.055L;
    return value > 0.04045L ? base * base * root(base * base, 5) : value / 12.92L;
}

static long double curve_from_linear(long double value)
{
    return value > 0.0031308L ? 1.055L * root(sqrtl(sqrtl(value)) * value, 3) - 0.055L : value * 12.92L;
}

double softgt_srgb_to_linear(double value)
{
    return (double)curve_to_linear((long double)value);
}

double softgt_linear_to_srgb(double value)
{
    return (double)curve_from_linear((long double)value);
}

/* ---- Integers and fractions ---- */

static int64_t extend(uint64_t raw, unsigned bits)
{
    return (int64_t)(raw << (64u - bits)) >> (64u - bits);
}

/* |value| * scale, rounded: exact, however the bits lie. At most `most`. */
static uint64_t scaled(double value, uint64_t scale, uint64_t most)
{
    int exponent;
    if (isinf(value))
        return most;
    const double fraction = frexp(fabs(value), &exponent);
    if (!(fraction > 0))
        return 0;
    if (exponent > 64)
        return most;
    const uint64_t significant = (uint64_t)ldexp(fraction, 53);
    const wide product = (wide)significant * scale;
    const int shift = 53 - exponent;
    if (shift >= 0) {
        const uint64_t rounded = shift > 120 ? 0 : shift_round(product, (unsigned)shift);
        return shift < 53 && product >> shift > most ? most : rounded < most ? rounded : most;
    }
    return product << -shift > most ? most : (uint64_t)(product << -shift);
}

/* The same for a float and a scale of up to 24 bits: a double holds their product. */
static bool is_float(double value)
{
    return (double)(float)value == value;
}

static uint64_t float_scaled(double value, uint64_t scale)
{
    const double magnitude = fabs(value);
    const uint64_t up = UINT64_C(1) << DOUBLE_FRACTION; /* adding it rounds to a whole number, ties to even */
    return magnitude >= 1 ? scale : to_bits(magnitude * (double)scale + (double)up) & (up - 1u);
}

enum { FIXED_ONE = 1 << 16 };

double softgt_component_decode(enum softgt_component kind, unsigned bits, uint64_t raw)
{
    if (bits == 0)
        return 0;
    raw &= low(bits);
    switch (kind) {
    case SOFTGT_COMPONENT_UNORM:
        return (double)raw / (double)low(bits);
    case SOFTGT_COMPONENT_SRGB: /* a double's rounding at each step would be a unit in the last place, or two
                                 */
        return (double)curve_to_linear((long double)raw / (long double)low(bits));
    case SOFTGT_COMPONENT_SNORM: {
        if (bits < 2)
            return 0;
        const int64_t most = (int64_t)low(bits - 1), value = extend(raw, bits);
        return value < -most ? -1.0 : (double)value / (double)most;
    }
    case SOFTGT_COMPONENT_UINT:
    case SOFTGT_COMPONENT_USCALED:
        return (double)raw;
    case SOFTGT_COMPONENT_SINT:
    case SOFTGT_COMPONENT_SSCALED:
        return (double)extend(raw, bits);
    case SOFTGT_COMPONENT_SFIXED:
        return (double)extend(raw, bits) / FIXED_ONE;
    case SOFTGT_COMPONENT_FLOAT:
        return float_decode(layout_of(bits), raw);
    default:
        return 0;
    }
}

enum { FLOAT_BITS = 24 /* of a float's significand */ };

static uint64_t signed_encode(unsigned bits, double value, uint64_t scale, uint64_t lowest)
{
    const uint64_t highest = low(bits - 1);
    if (value < 0)
        return (0 - scaled(value, scale, lowest)) & low(bits);
    return scaled(value, scale, highest);
}

uint64_t softgt_component_encode(enum softgt_component kind, unsigned bits, double value)
{
    if (bits == 0 || (kind != SOFTGT_COMPONENT_FLOAT && isnan(value)))
        return 0;
    switch (kind) {
    case SOFTGT_COMPONENT_SRGB:
        if (bits == 8 && is_float(value))
            return srgb8_from_float((float)value);
        value = softgt_linear_to_srgb(value < 0 ? 0 : value > 1 ? 1 : value);
        return scaled(value, low(bits), low(bits));
    case SOFTGT_COMPONENT_UNORM:
        if (bits <= FLOAT_BITS && is_float(value))
            return value <= 0 ? 0 : float_scaled(value, low(bits));
        return value <= 0 ? 0 : scaled(value, low(bits), low(bits));
    case SOFTGT_COMPONENT_SNORM:
        if (bits > 1 && bits <= FLOAT_BITS && is_float(value)) {
            const uint64_t magnitude = float_scaled(value, low(bits - 1));
            return (value < 0 ? 0 - magnitude : magnitude) & low(bits);
        }
        return bits < 2 ? 0 : signed_encode(bits, value, low(bits - 1), low(bits - 1));
    case SOFTGT_COMPONENT_UINT:
    case SOFTGT_COMPONENT_USCALED:
        return value <= 0 ? 0 : scaled(value, 1, low(bits));
    case SOFTGT_COMPONENT_SINT:
    case SOFTGT_COMPONENT_SSCALED:
        return signed_encode(bits, value, 1, low(bits - 1) + 1u);
    case SOFTGT_COMPONENT_SFIXED:
        return signed_encode(bits, value, FIXED_ONE, low(bits - 1) + 1u);
    case SOFTGT_COMPONENT_FLOAT:
        if (bits == 32 && is_float(value)) {
            const float single = (float)value;
            uint32_t raw;
            memcpy(&raw, &single, sizeof raw);
            return raw;
        }
        return float_encode(layout_of(bits), value);
    default:
        return 0;
    }
}

/* raw / most as a float: the quotient to more bits than a float has, the rest in its last one. */
static float quotient(uint64_t raw, uint64_t most)
{
    if (most <= low(FLOAT_BITS)) /* both are floats: one division rounds once */
        return (float)raw / (float)most;
    if (raw == 0)
        return 0;
    const int up = __builtin_clzll(raw) - 2;
    const uint64_t numerator = raw << up, whole = numerator / most; /* 30 bits at least */
    const bool rest = numerator % most != 0;
    const unsigned length = 64u - (unsigned)__builtin_clzll(whole);
    const unsigned drop = length > 30 ? length - 30 : 0; /* 24 bits, and more to round by */
    const uint64_t sticky = (whole & low(drop)) != 0 || rest;
    return (float)ldexp((double)(whole >> drop << 1 | sticky), (int)drop - 1 - up);
}

float softgt_component_to_float(enum softgt_component kind, unsigned bits, uint64_t raw)
{
    if (bits != 0 && bits <= 32 && kind == SOFTGT_COMPONENT_UNORM)
        return quotient(raw & low(bits), low(bits));
    if (bits > 1 && bits <= 32 && kind == SOFTGT_COMPONENT_SNORM) {
        const int64_t most = (int64_t)low(bits - 1);
        int64_t value = extend(raw & low(bits), bits);
        value = value < -most ? -most : value;
        return value < 0 ? -quotient((uint64_t)-value, (uint64_t)most)
                         : quotient((uint64_t)value, (uint64_t)most);
    }
    if (bits == 32 && kind == SOFTGT_COMPONENT_FLOAT) {
        const uint32_t low_bits = (uint32_t)raw;
        float value;
        memcpy(&value, &low_bits, sizeof value);
        if (!isnan(value)) /* a NaN becomes a quiet one */
            return value;
    }
    if (bits == 8 && kind == SOFTGT_COMPONENT_SRGB)
        return srgb8_to_float[raw & low(bits)];
    return (float)softgt_component_decode(kind, bits, raw);
}

/* ---- Shared exponent ---- */

enum { SHARED_FRACTION = 9, SHARED_BIAS = 15, SHARED_EXPONENTS = 31 };

void softgt_r9g9b9e5_decode(uint32_t bits, float rgb[3])
{
    const int exponent = (int)(bits >> 27);
    for (unsigned i = 0; i < 3; i++)
        rgb[i] = (float)ldexp((double)(bits >> i * SHARED_FRACTION & 0x1ffu),
                              exponent - SHARED_BIAS - SHARED_FRACTION);
}

uint32_t softgt_r9g9b9e5_encode(const float rgb[3])
{
    const double largest = ldexp(511, SHARED_EXPONENTS - SHARED_BIAS - SHARED_FRACTION);
    double part[3], most = 0;
    for (unsigned i = 0; i < 3; i++) {
        part[i] = rgb[i] > 0 ? (rgb[i] < largest ? (double)rgb[i] : largest) : 0; /* NaN, too, becomes 0 */
        most = part[i] > most ? part[i] : most;
    }
    int exponent = 0;
    frexp(most, &exponent); /* most < 2^exponent */
    exponent = most > 0 && exponent + SHARED_BIAS > 0 ? exponent + SHARED_BIAS : 0;
    uint32_t bits = 0;
    for (;; exponent++) { /* rounding may need one more */
        bool fits = true;
        bits = (uint32_t)exponent << 27;
        for (unsigned i = 0; i < 3; i++) {
            const uint64_t fraction =
                scaled(ldexp(part[i], SHARED_FRACTION + SHARED_BIAS - exponent), 1, 512);
            fits = fits && fraction < 512;
            bits |= (uint32_t)(fraction & 0x1ffu) << i * SHARED_FRACTION;
        }
        if (fits)
            return bits;
    }
}

/* ---- Media compression ---- */

uint32_t softgt_media_compression_pitch(uint32_t row_bytes, uint32_t padding_bytes, uint32_t tile_width_bytes,
                                        uint32_t page_bytes)
{
    enum { PIXEL_BYTES = 4, WIDEST = 4096, WIDEST_64K = 16384 };
    const uint32_t widest = (page_bytes == SOFTGT_MEDIA_64K_PAGES ? WIDEST_64K : WIDEST) * PIXEL_BYTES;
    if (row_bytes == 0 || tile_width_bytes == 0 || row_bytes > widest ||
        (page_bytes != SOFTGT_MEDIA_4K_PAGES && page_bytes != SOFTGT_MEDIA_64K_PAGES))
        return 0;
    const uint64_t padding = padding_bytes ? padding_bytes : 1;
    const uint64_t padded = (row_bytes + padding - 1u) / padding * padding;
    return (uint32_t)((padded + tile_width_bytes - 1u) / tile_width_bytes) + 1u;
}
