/*
 * Blocks of ASTC, of 4 by 4 up to 12 by 12 texels in 16 bytes, decoded one texel at a time. A block has a
 * grid of weights, from the last bit on, and end points of colors, behind the mode from the first bit on.
 * Both are integer sequences, whose values may be of trits or quints beside bits. (Khronos Data Format
 * Specification 1.3, 23: ASTC Compressed Texture Image Formats)
 */
#include "block.h"

#include <string.h>

enum { MOST_WEIGHTS = 64, LEAST_WEIGHT_BITS = 24, MOST_WEIGHT_BITS = 96, MOST_VALUES = 18, PARTITIONS = 4 };
enum { MODE_BITS = 11, ENDPOINTS = 2, COMPONENTS = 4, ALPHA = 3 };

/* ---- Integer sequences ---- */

/* So many bits each, and a trit or a quint. */
struct range {
    uint8_t bits, trits, quints;
};

struct bits {
    const uint8_t *bytes;
    unsigned at;
};

static unsigned sequence_bits(struct range r, unsigned count)
{
    return count * r.bits + (r.trits ? (8u * count + 4u) / 5u : r.quints ? (7u * count + 2u) / 3u : 0);
}

/* Beyond the block are zeros. */
static uint32_t bits_at(const uint8_t *block, unsigned at, unsigned count)
{
    enum { BLOCK_BITS = 128 };
    if (at >= BLOCK_BITS)
        return 0;
    return block_bits(block, at, at + count <= BLOCK_BITS ? count : BLOCK_BITS - at);
}

static unsigned one_bit(uint32_t value, unsigned bit)
{
    return value >> bit & 1u;
}

static unsigned trit_of(uint32_t t, unsigned n)
{
    unsigned of[5], c;
    if ((t >> 2 & 7u) == 7) {
        c = (t >> 5 & 7u) << 2 | (t & 3u);
        of[4] = of[3] = 2;
    } else {
        c = t & 31u;
        of[4] = (t >> 5 & 3u) == 3 ? 2 : one_bit(t, 7);
        of[3] = (t >> 5 & 3u) == 3 ? one_bit(t, 7) : t >> 5 & 3u;
    }
    if ((c & 3u) == 3) {
        of[2] = 2;
        of[1] = one_bit(c, 4);
        of[0] = one_bit(c, 3) << 1 | (one_bit(c, 2) & ~one_bit(c, 3));
    } else if ((c >> 2 & 3u) == 3) {
        of[2] = of[1] = 2;
        of[0] = c & 3u;
    } else {
        of[2] = one_bit(c, 4);
        of[1] = c >> 2 & 3u;
        of[0] = one_bit(c, 1) << 1 | (one_bit(c, 0) & ~one_bit(c, 1));
    }
    return of[n];
}

static unsigned quint_of(uint32_t q, unsigned n)
{
    unsigned of[3], c;
    if ((q >> 1 & 3u) == 3 && (q >> 5 & 3u) == 0) {
        of[2] = one_bit(q, 0) << 2 | (one_bit(q, 4) & ~one_bit(q, 0)) << 1 | (one_bit(q, 3) & ~one_bit(q, 0));
        of[1] = of[0] = 4;
        return of[n];
    }
    if ((q >> 1 & 3u) == 3) {
        of[2] = 4;
        c = (q >> 3 & 3u) << 3 | (~(q >> 5) & 3u) << 1 | one_bit(q, 0);
    } else {
        of[2] = q >> 5 & 3u;
        c = q & 31u;
    }
    of[1] = (c & 7u) == 5 ? 4 : c >> 3 & 3u;
    of[0] = (c & 7u) == 5 ? c >> 3 & 3u : c & 7u;
    return of[n];
}

/* A value of a sequence of so many values that begins at a bit: its bits, and its trit or quint. */
static uint32_t sequence_value(const uint8_t *block, unsigned at, struct range r, unsigned count, unsigned n,
                               unsigned *digit)
{
    static const uint8_t trit_parts[5] = {2, 2, 1, 2, 1}, quint_parts[3] = {3, 2, 2};
    const unsigned together = r.trits ? 5 : r.quints ? 3 : 1;
    const uint8_t *const parts = r.trits ? trit_parts : quint_parts;
    const unsigned first = n / together * together;
    const unsigned end = at + sequence_bits(r, count);
    uint32_t packed = 0, value = 0;
    unsigned shift = 0;
    *digit = 0;
    if (together == 1)
        return bits_at(block, at + n * r.bits, r.bits);
    at += first * r.bits + first / together * (r.trits ? 8u : 7u);
    for (unsigned i = 0; i < together; i++) { /* what the sequence does not have is zero */
        if (first + i == n)
            value = at < end ? bits_at(block, at, r.bits) : 0;
        at += r.bits;
        const unsigned part = at >= end ? 0 : at + parts[i] <= end ? parts[i] : end - at;
        packed |= (part ? bits_at(block, at, part) : 0) << shift;
        shift += parts[i];
        at += parts[i];
    }
    *digit = r.trits ? trit_of(packed, n - first) : quint_of(packed, n - first);
    return value;
}

/* The number whose bits, from the highest on, are those of `value` in turn. */
static uint32_t repeated(uint32_t value, unsigned bits, unsigned to)
{
    uint32_t all = 0;
    for (unsigned have = 0; have < to; have += bits)
        all = have + bits <= to ? all | value << (to - have - bits) : all | value >> (have + bits - to);
    return all;
}

/* Spreads the bits of a value above the lowest one, by a pattern: its letters name the bits. */
static uint32_t spread(const char *pattern, uint32_t value)
{
    uint32_t to = 0;
    for (; *pattern; pattern++)
        to = to << 1 | (*pattern == '0' ? 0 : one_bit(value, (unsigned)(*pattern - 'a')));
    return to;
}

/* To 8 bits. */
static unsigned color_of(uint32_t value, unsigned digit, struct range r)
{
    static const char *const trit_patterns[] = {NULL,        "000000000", "b000b0bb0", "cb000cbcb",
                                                "dcb000dcb", "edcb000ed", "fedcb000f"},
                             *const quint_patterns[] = {NULL,        "000000000", "b0000bb00",
                                                        "cb0000cbc", "dcb0000dc", "edcb0000e"};
    static const uint8_t trit_factors[] = {0, 204, 93, 44, 22, 11, 5},
                         quint_factors[] = {0, 113, 54, 26, 13, 6};
    enum { BITS = 8, WIDE = 0x1ff };
    if (!r.trits && !r.quints)
        return repeated(value, r.bits, BITS);
    const uint32_t low = value & 1u ? WIDE : 0,
                   sum = digit * (r.trits ? trit_factors : quint_factors)[r.bits] +
                         spread((r.trits ? trit_patterns : quint_patterns)[r.bits], value);
    return (low & 0x80u) | (sum ^ low) >> 2;
}

/* To 0 to 64. */
static unsigned weight_of(uint32_t value, unsigned digit, struct range r)
{
    static const char *const trit_patterns[] = {NULL, "0000000", "b000b0b", "cb000cb"},
                             *const quint_patterns[] = {NULL, "0000000", "b0000b0"};
    static const uint8_t trit_factors[] = {0, 50, 23, 11}, quint_factors[] = {0, 28, 13};
    static const uint8_t trits[] = {0, 32, 63}, quints[] = {0, 16, 32, 47, 63};
    enum { BITS = 6, WIDE = 0x7f, HALF = 32 };
    unsigned weight;
    if (!r.trits && !r.quints) {
        weight = repeated(value, r.bits, BITS);
    } else if (!r.bits) {
        weight = (r.trits ? trits : quints)[digit];
    } else {
        const uint32_t low = value & 1u ? WIDE : 0,
                       sum = digit * (r.trits ? trit_factors : quint_factors)[r.bits] +
                             spread((r.trits ? trit_patterns : quint_patterns)[r.bits], value);
        weight = (low & 0x20u) | (sum ^ low) >> 2;
    }
    return weight + (weight > HALF);
}

/* ---- The mode ---- */

struct mode {
    unsigned width, height; /* of the grid of weights */
    struct range range;     /* of weights */
    bool dual_plane;
};

static bool mode_init(struct mode *m, uint32_t bits)
{
    static const struct range ranges[2][8] = {
        {{0}, {0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {0, 0, 1}, {1, 1, 0}, {3, 0, 0}},
        {{0}, {0}, {1, 0, 1}, {2, 1, 0}, {4, 0, 0}, {2, 0, 1}, {3, 1, 0}, {5, 0, 0}}};
    const unsigned a = bits >> 5 & 3u, b = bits >> 7 & 3u;
    unsigned precise = one_bit(bits, 9), r = one_bit(bits, 4);
    m->dual_plane = one_bit(bits, 10);
    if (bits & 3u) {
        r |= (bits & 3u) << 1;
        switch (bits >> 2 & 3u) {
        case 0:
            m->width = b + 4u, m->height = a + 2u;
            break;
        case 1:
            m->width = b + 8u, m->height = a + 2u;
            break;
        case 2:
            m->width = a + 2u, m->height = b + 8u;
            break;
        default:
            m->width = b & 2u ? (b & 1u) + 2u : a + 2u;
            m->height = b & 2u ? a + 2u : (b & 1u) + 6u;
            break;
        }
    } else {
        r |= (bits >> 2 & 3u) << 1;
        if (b == 3 && a >= 2)
            return false;
        switch (b) {
        case 0:
            m->width = 12, m->height = a + 2u;
            break;
        case 1:
            m->width = a + 2u, m->height = 12;
            break;
        case 2:
            m->width = a + 6u, m->height = (bits >> 9 & 3u) + 6u;
            m->dual_plane = false;
            precise = 0;
            break;
        default:
            m->width = a ? 10 : 6, m->height = a ? 6 : 10;
            break;
        }
    }
    m->range = ranges[precise][r];
    return r >= 2;
}

/* ---- End points ---- */

/* Of two colors: 8 bits of each component, or with `hdr` 12 bits. */
struct endpoints {
    int of[ENDPOINTS][COMPONENTS];
    bool hdr, alpha_hdr;
};

enum { OPAQUE = 0xff, OPAQUE_HDR = 0x780, MOST_8 = 0xff, MOST_12 = 0xfff };

static int limited(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static void put(struct endpoints *e, unsigned n, int red, int green, int blue, int alpha)
{
    const int of[COMPONENTS] = {red, green, blue, alpha};
    for (unsigned c = 0; c < COMPONENTS; c++)
        e->of[n][c] = limited(of[c], e->hdr ? MOST_12 : MOST_8);
}

/* The same with red and green drawn towards blue. */
static void put_contracted(struct endpoints *e, unsigned n, int red, int green, int blue, int alpha)
{
    put(e, n, (red + blue) >> 1, (green + blue) >> 1, blue, alpha);
}

/* Moves the highest bit of an offset to its base; the rest is signed. */
static void transfer_bit(int *offset, int *base)
{
    *base = *base >> 1 | (*offset & 0x80);
    *offset = *offset >> 1 & 0x3f;
    if (*offset & 0x20)
        *offset -= 0x40;
}

static void luminance_endpoints(struct endpoints *e, unsigned mode, int v[8])
{
    const int low = v[0] >> 2 | (v[1] & 0xc0);
    if (mode == 0 || mode == 4) {
        put(e, 0, v[0], v[0], v[0], mode ? v[2] : OPAQUE);
        put(e, 1, v[1], v[1], v[1], mode ? v[3] : OPAQUE);
    } else if (mode == 1) {
        const int high = low + (v[1] & 0x3f);
        put(e, 0, low, low, low, OPAQUE);
        put(e, 1, high, high, high, OPAQUE);
    } else {
        transfer_bit(&v[1], &v[0]);
        transfer_bit(&v[3], &v[2]);
        put(e, 0, v[0], v[0], v[0], v[2]);
        put(e, 1, v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
    }
}

static void color_endpoints(struct endpoints *e, unsigned mode, int v[8])
{
    const bool has_alpha = mode >= 12, offsets = mode == 9 || mode == 13;
    if (mode == 6 || mode == 10) {
        put(e, 0, v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, mode == 10 ? v[4] : OPAQUE);
        put(e, 1, v[0], v[1], v[2], mode == 10 ? v[5] : OPAQUE);
        return;
    }
    if (!has_alpha)
        v[6] = v[7] = OPAQUE;
    for (unsigned i = 0; i < (has_alpha ? 8u : 6u) && offsets; i += 2)
        transfer_bit(&v[i + 1], &v[i]);
    bool swapped;
    if (offsets) {
        swapped = v[1] + v[3] + v[5] < 0;
        for (unsigned i = 0; i < (has_alpha ? 8u : 6u); i += 2)
            v[i + 1] += v[i];
    } else {
        swapped = v[1] + v[3] + v[5] < v[0] + v[2] + v[4];
    }
    if (swapped) {
        put_contracted(e, 0, v[1], v[3], v[5], v[7]);
        put_contracted(e, 1, v[0], v[2], v[4], v[6]);
    } else {
        put(e, 0, v[0], v[2], v[4], v[6]);
        put(e, 1, v[1], v[3], v[5], v[7]);
    }
}

static void hdr_luminance_endpoints(struct endpoints *e, unsigned mode, const int v[8])
{
    int low, high;
    if (mode == 2) {
        low = v[1] >= v[0] ? v[0] << 4 : (v[1] << 4) + 8;
        high = v[1] >= v[0] ? v[1] << 4 : (v[0] << 4) - 8;
    } else {
        const bool fine = !(v[0] & 0x80);
        low = fine ? (v[1] & 0xf0) << 4 | (v[0] & 0x7f) << 1 : (v[1] & 0xe0) << 4 | (v[0] & 0x7f) << 2;
        high = low + (fine ? (v[1] & 0xf) << 1 : (v[1] & 0x1f) << 2);
    }
    put(e, 0, low, low, low, OPAQUE_HDR);
    put(e, 1, high, high, high, OPAQUE_HDR);
}

static void swap_components(struct endpoints *e, unsigned major)
{
    for (unsigned n = 0; n < ENDPOINTS && major; n++) {
        const int red = e->of[n][0];
        e->of[n][0] = e->of[n][major];
        e->of[n][major] = red;
    }
}

/* A bit of a value that some modes have: `modes` has a bit for each. */
struct mode_bit {
    uint8_t modes, to, from; /* from: of the spare bits */
};

static int with_mode_bits(int value, const struct mode_bit *b, unsigned count, unsigned mode, unsigned spare)
{
    for (unsigned i = 0; i < count; i++)
        if (b[i].modes >> mode & 1u)
            value |= (int)one_bit(spare, b[i].from) << b[i].to;
    return value;
}
#define WITH_MODE_BITS(value, table, mode, spare)                                                            \
    with_mode_bits(value, table, sizeof(table) / sizeof *(table), mode, spare)

static void hdr_scaled_endpoints(struct endpoints *e, const int v[8])
{
    static const struct mode_bit reds[] = {{0x3b, 6, 4},  {0x04, 6, 3}, {0x10, 7, 5}, {0x0f, 7, 2},
                                           {0x05, 8, 1},  {0x0a, 8, 0}, {0x05, 9, 0}, {0x02, 9, 6},
                                           {0x01, 10, 3}, {0x02, 10, 5}},
                                 greens[] = {{0x30, 6, 0}, {0x3a, 5, 1}},
                                 blues[] = {{0x30, 6, 2}, {0x3a, 5, 3}},
                                 scales[] = {{0x3d, 5, 6}, {0x2d, 6, 5}, {0x04, 7, 4}};
    static const uint8_t shifts[6] = {1, 1, 2, 3, 4, 5};
    const unsigned code = (unsigned)((v[0] & 0xc0) >> 6 | (v[1] & 0x80) >> 5 | (v[2] & 0x80) >> 4),
                   mode = (code & 12u) != 12 ? code & 3u
                          : code != 15       ? 4
                                             : 5,
                   major = (code & 12u) != 12 ? code >> 2
                           : code != 15       ? code & 3u
                                              : 0;
    const unsigned spare = one_bit((uint32_t)v[1], 6) | one_bit((uint32_t)v[1], 5) << 1 |
                           one_bit((uint32_t)v[2], 6) << 2 | one_bit((uint32_t)v[2], 5) << 3 |
                           one_bit((uint32_t)v[3], 7) << 4 | one_bit((uint32_t)v[3], 6) << 5 |
                           one_bit((uint32_t)v[3], 5) << 6;
    const int red = WITH_MODE_BITS(v[0] & 0x3f, reds, mode, spare) << shifts[mode],
              scale = WITH_MODE_BITS(v[3] & 0x1f, scales, mode, spare) << shifts[mode];
    int green = WITH_MODE_BITS(v[1] & 0x1f, greens, mode, spare) << shifts[mode],
        blue = WITH_MODE_BITS(v[2] & 0x1f, blues, mode, spare) << shifts[mode];
    if (mode != 5) {
        green = red - green;
        blue = red - blue;
    }
    put(e, 0, red - scale, green - scale, blue - scale, OPAQUE_HDR);
    put(e, 1, red, green, blue, OPAQUE_HDR);
    swap_components(e, major);
}

static int sign_extended(int value, unsigned bits)
{
    const int sign = 1 << (bits - 1u);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

static void hdr_color_endpoints(struct endpoints *e, const int v[8])
{
    static const struct mode_bit as[] = {{0xa4, 9, 0},  {0x08, 9, 2},  {0x50, 9, 4},
                                         {0x50, 10, 5}, {0xa0, 10, 1}, {0xc0, 11, 2}},
                                 cs[] = {{0x04, 6, 1}, {0xe8, 6, 3}, {0x20, 7, 2}},
                                 b0s[] = {{0x5b, 6, 0}, {0x12, 7, 2}}, b1s[] = {{0x5b, 6, 1}, {0x12, 7, 3}};
    static const uint8_t d_bits[8] = {7, 6, 7, 6, 5, 6, 5, 6};
    const unsigned major = (unsigned)((v[4] & 0x80) >> 7 | (v[5] & 0x80) >> 6),
                   mode = (unsigned)((v[1] & 0x80) >> 7 | (v[2] & 0x80) >> 6 | (v[3] & 0x80) >> 5);
    if (major == 3) {
        put(e, 0, v[0] << 4, v[2] << 4, (v[4] & 0x7f) << 5, OPAQUE_HDR);
        put(e, 1, v[1] << 4, v[3] << 4, (v[5] & 0x7f) << 5, OPAQUE_HDR);
        return;
    }
    const unsigned spare = one_bit((uint32_t)v[2], 6) | one_bit((uint32_t)v[3], 6) << 1 |
                           one_bit((uint32_t)v[4], 6) << 2 | one_bit((uint32_t)v[5], 6) << 3 |
                           one_bit((uint32_t)v[4], 5) << 4 | one_bit((uint32_t)v[5], 5) << 5;
    const int one = 1 << ((mode >> 1) ^ 3u);
    const int a = WITH_MODE_BITS(v[0] | (v[1] & 0x40) << 2, as, mode, spare) * one,
              b0 = WITH_MODE_BITS(v[2] & 0x3f, b0s, mode, spare) * one,
              b1 = WITH_MODE_BITS(v[3] & 0x3f, b1s, mode, spare) * one,
              c = WITH_MODE_BITS(v[1] & 0x3f, cs, mode, spare) * one,
              d0 = sign_extended(v[4] & 0x7f, d_bits[mode]) * one,
              d1 = sign_extended(v[5] & 0x7f, d_bits[mode]) * one;
    put(e, 0, a - c, a - b0 - c - d0, a - b1 - c - d1, OPAQUE_HDR);
    put(e, 1, a, a - b0, a - b1, OPAQUE_HDR);
    swap_components(e, major);
}

static void hdr_alpha_endpoints(struct endpoints *e, const int v[8])
{
    const unsigned mode = (unsigned)((v[6] >> 7 & 1) | (v[7] >> 6 & 2));
    int low = v[6] & 0x7f, high = v[7] & 0x7f;
    if (mode == 3) {
        low <<= 5;
        high <<= 5;
    } else {
        low |= high << (mode + 1u) & 0x780;
        high &= 0x3f >> mode;
        high = ((high ^ 0x20 >> mode) - (0x20 >> mode)) * (1 << (4u - mode));
        low <<= 4u - mode;
        high += low;
    }
    e->of[0][ALPHA] = limited(low, MOST_12);
    e->of[1][ALPHA] = limited(high, MOST_12);
}

static bool is_hdr(unsigned mode)
{
    enum { HDR_MODES = 1 << 2 | 1 << 3 | 1 << 7 | 1 << 11 | 1 << 14 | 1 << 15 };
    return HDR_MODES >> mode & 1;
}

static void endpoints_init(struct endpoints *e, unsigned mode, int v[8])
{
    enum { HDR_LDR_ALPHA = 14, HDR_ALPHA = 15 };
    e->hdr = e->alpha_hdr = is_hdr(mode);
    if (mode == 2 || mode == 3)
        hdr_luminance_endpoints(e, mode, v);
    else if (mode == 7)
        hdr_scaled_endpoints(e, v);
    else if (e->hdr)
        hdr_color_endpoints(e, v);
    else if (mode < 6)
        luminance_endpoints(e, mode, v);
    else
        color_endpoints(e, mode, v);
    if (mode == HDR_ALPHA)
        hdr_alpha_endpoints(e, v);
    if (mode == HDR_LDR_ALPHA) {
        e->alpha_hdr = false;
        e->of[0][ALPHA] = v[6];
        e->of[1][ALPHA] = v[7];
    }
}

/* ---- Partitions ---- */

static uint32_t hash(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    return p ^ p >> 17;
}

static unsigned partition_of(uint32_t seed, unsigned x, unsigned y, unsigned partitions, bool small)
{
    enum { SEEDS = 8, PARTS = 0x3f };
    seed += (partitions - 1u) * 1024u;
    const uint32_t random = hash(seed);
    const unsigned other = partitions == 3 ? 6 : 5, by_seed = seed & 2u ? 4 : 5,
                   shifts[2] = {seed & 1u ? by_seed : other, seed & 1u ? other : by_seed};
    uint32_t factor[SEEDS], of[PARTITIONS];
    x <<= small;
    y <<= small;
    for (unsigned i = 0; i < SEEDS; i++) {
        factor[i] = random >> i * 4u & 15u;
        factor[i] = factor[i] * factor[i] >> shifts[i % 2u];
    }
    for (unsigned i = 0; i < PARTITIONS; i++)
        of[i] = i < partitions
                    ? (factor[2 * i] * x + factor[2 * i + 1] * y + (random >> (14u - 4u * i))) & PARTS
                    : 0;
    return of[0] >= of[1] && of[0] >= of[2] && of[0] >= of[3] ? 0
           : of[1] >= of[2] && of[1] >= of[3]                 ? 1
           : of[2] >= of[3]                                   ? 2
                                                              : 3;
}

/* ---- Blocks ---- */

/* What comes before a block's values. */
struct layout {
    struct mode mode;
    unsigned partitions, seed, weight_bits;
    unsigned modes[PARTITIONS]; /* of end points */
    unsigned values, first_value[PARTITIONS];
    unsigned values_at;
    struct range color_range;
    unsigned second_plane; /* the component that it has */
};

/* The widest range of which so many values have room. False: there is none. */
static bool color_range_init(struct layout *l, unsigned room)
{
    static const struct range ranges[] = {{8, 0, 0}, {6, 1, 0}, {5, 0, 1}, {7, 0, 0}, {5, 1, 0}, {4, 0, 1},
                                          {6, 0, 0}, {4, 1, 0}, {3, 0, 1}, {5, 0, 0}, {3, 1, 0}, {2, 0, 1},
                                          {4, 0, 0}, {2, 1, 0}, {1, 0, 1}, {3, 0, 0}, {1, 1, 0}};
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (sequence_bits(ranges[i], l->values) <= room) {
            l->color_range = ranges[i];
            return true;
        }
    return false;
}

/* Each partition's mode of end points. They may share a class; then bits below the weights follow. */
static unsigned endpoint_modes_init(struct layout *l, const uint8_t *block, unsigned below)
{
    enum { SEED_AT = 13, MODE_AT = SEED_AT + 10, FIRST_BITS = 6 };
    if (l->partitions == 1) {
        l->modes[0] = bits_at(block, SEED_AT, 4);
        return below;
    }
    l->seed = bits_at(block, SEED_AT, 10);
    uint32_t bits = bits_at(block, MODE_AT, FIRST_BITS);
    const unsigned class = bits & 3u;
    if (class) {
        const unsigned more = 3u * l->partitions - 4u;
        below -= more;
        bits |= bits_at(block, below, more) << FIRST_BITS;
    }
    for (unsigned i = 0; i < l->partitions; i++)
        l->modes[i] =
            class ? (one_bit(bits, 2u + i) + class - 1u) << 2 | (bits >> (2u + l->partitions + 2u * i) & 3u)
                  : bits >> 2 & 15u;
    return below;
}

/* False: no block is like this. */
static bool layout_init(struct layout *l, const uint8_t *block, unsigned width, unsigned height)
{
    enum { ONE_AT = 17, SEVERAL_AT = 29, BLOCK_BITS = 128 };
    *l = (struct layout){0};
    if (!mode_init(&l->mode, bits_at(block, 0, MODE_BITS)))
        return false;
    const unsigned weights = l->mode.width * l->mode.height << l->mode.dual_plane;
    l->weight_bits = sequence_bits(l->mode.range, weights);
    l->partitions = bits_at(block, MODE_BITS, 2) + 1u;
    if (weights > MOST_WEIGHTS || l->weight_bits < LEAST_WEIGHT_BITS || l->weight_bits > MOST_WEIGHT_BITS ||
        l->mode.width > width || l->mode.height > height ||
        (l->mode.dual_plane && l->partitions == PARTITIONS))
        return false;
    unsigned below = endpoint_modes_init(l, block, BLOCK_BITS - l->weight_bits);
    if (l->mode.dual_plane) {
        below -= 2;
        l->second_plane = bits_at(block, below, 2);
    }
    l->values_at = l->partitions == 1 ? ONE_AT : SEVERAL_AT;
    for (unsigned i = 0; i < l->partitions; i++) {
        l->first_value[i] = l->values;
        l->values += ((l->modes[i] >> 2) + 1u) * 2u;
    }
    return l->values <= MOST_VALUES && below >= l->values_at && color_range_init(l, below - l->values_at);
}

/* The texel's weight in a plane, between those of the grid. `reversed`: the block's bits from the last on. */
static unsigned texel_weight(const struct layout *l, const uint8_t *reversed, unsigned plane,
                             const unsigned size[2], const unsigned at[2])
{
    enum { ONE = 16, HALF_GRID = 32 };
    const struct mode *const m = &l->mode;
    const unsigned grid[2] = {m->width, m->height}, planes = m->dual_plane ? 2 : 1;
    unsigned cell[2], part[2];
    for (unsigned axis = 0; axis < 2; axis++) {
        const unsigned step = (1024u + size[axis] / 2u) / (size[axis] - 1u),
                       place = (step * at[axis] * (grid[axis] - 1u) + HALF_GRID) >> 6;
        cell[axis] = place / ONE;
        part[axis] = place % ONE;
    }
    const unsigned both = (part[0] * part[1] + ONE / 2) / ONE,
                   shares[4] = {ONE - part[0] - part[1] + both, part[0] - both, part[1] - both, both};
    unsigned sum = ONE / 2;
    for (unsigned n = 0; n < 4; n++) {
        unsigned digit;
        const unsigned x = cell[0] + (n & 1u), y = cell[1] + n / 2u, count = grid[0] * grid[1] * planes;
        if (!shares[n] || x >= grid[0] || y >= grid[1])
            continue;
        const uint32_t value =
            sequence_value(reversed, 0, m->range, count, (y * grid[0] + x) * planes + plane, &digit);
        sum += weight_of(value, digit, m->range) * shares[n];
    }
    return sum / ONE;
}

/* A half float of a number of 0 to 65535 that means 0 to 1; what is less precise is cut off. */
static uint16_t half_of_unorm(uint32_t value)
{
    enum { ONE_HALF = 0x3c00, FRACTION = 10, BIAS = 15 };
    if (value == UINT16_MAX)
        return ONE_HALF;
    if (value < 4) /* below the normal numbers */
        return (uint16_t)(value << 8);
    const unsigned top = 31u - (unsigned)__builtin_clz(value);
    const uint32_t fraction = top > FRACTION ? value >> (top - FRACTION) : value << (FRACTION - top);
    return (uint16_t)((top + BIAS - 16u) << FRACTION | (fraction & ((1u << FRACTION) - 1u)));
}

/* A half float of 16 bits that are nearly its logarithm. */
static uint16_t half_of_logarithm(uint32_t value)
{
    enum { FRACTION_BITS = 11, FRACTION = (1 << FRACTION_BITS) - 1, MOST_HALF = 0x7bff };
    const uint32_t m = value & FRACTION,
                   straight = m < 512     ? 3 * m
                              : m >= 1536 ? 5 * m - 2048
                                          : 4 * m - 512,
                   half = (value >> FRACTION_BITS) << 10 | straight >> 3;
    return (uint16_t)(half < MOST_HALF ? half : MOST_HALF);
}

static void put_error(bool hdr, enum astc_result *result, uint16_t rgba[COMPONENTS])
{
    enum { NAN_HALF = 0xffff };
    static const uint16_t magenta[COMPONENTS] = {UINT16_MAX, 0, UINT16_MAX, UINT16_MAX};
    *result = hdr ? ASTC_HALVES : ASTC_UNORM16;
    for (unsigned c = 0; c < COMPONENTS; c++)
        rgba[c] = hdr ? NAN_HALF : magenta[c];
}

/* A block of one color. */
static void void_extent(const uint8_t *block, bool hdr, enum astc_result *result, uint16_t rgba[COMPONENTS])
{
    enum { HDR_AT = 9, RESERVED_AT = 10, EXTENTS_AT = 12, EXTENT_BITS = 13, COLOR_AT = 64, NOWHERE = 0x1fff };
    uint32_t of[4];
    bool all = true;
    for (unsigned i = 0; i < 4; i++) {
        of[i] = bits_at(block, EXTENTS_AT + i * EXTENT_BITS, EXTENT_BITS);
        all &= of[i] == NOWHERE;
    }
    const bool is_hdr_color = bits_at(block, HDR_AT, 1);
    if (bits_at(block, RESERVED_AT, 2) != 3 || (!all && (of[0] >= of[1] || of[2] >= of[3])) ||
        (is_hdr_color && !hdr)) {
        put_error(hdr, result, rgba);
        return;
    }
    *result = is_hdr_color ? ASTC_HALVES : ASTC_UNORM16;
    for (unsigned c = 0; c < COMPONENTS; c++)
        rgba[c] = (uint16_t)bits_at(block, COLOR_AT + c * 16u, 16);
}

static uint8_t reversed_byte(uint8_t value)
{
    uint8_t to = 0;
    for (unsigned i = 0; i < 8; i++)
        to = (uint8_t)((unsigned)to << 1 | one_bit(value, i));
    return to;
}

/* The texel between the partition's end points. */
static void interpolate(const struct endpoints *e, const unsigned weights[COMPONENTS], bool srgb,
                        enum astc_result *result, uint16_t rgba[COMPONENTS])
{
    enum { MOST_WEIGHT = 64, EXPANDED = 257, SRGB_HALF = 0x80, HDR_SHIFT = 4 };
    *result = e->hdr ? ASTC_HALVES : ASTC_UNORM16;
    for (unsigned c = 0; c < COMPONENTS; c++) {
        const bool hdr = c == ALPHA ? e->alpha_hdr : e->hdr;
        uint32_t of[ENDPOINTS];
        for (unsigned n = 0; n < ENDPOINTS; n++) {
            const uint32_t value = (uint32_t)e->of[n][c];
            of[n] = hdr ? value << HDR_SHIFT : srgb ? value << 8 | SRGB_HALF : value * EXPANDED;
        }
        const uint32_t between =
            (of[0] * (MOST_WEIGHT - weights[c]) + of[1] * weights[c] + MOST_WEIGHT / 2) / MOST_WEIGHT;
        rgba[c] = (uint16_t)between;
        if (e->hdr)
            rgba[c] = hdr ? half_of_logarithm(between) : half_of_unorm(between);
    }
}

enum astc_result astc_decode(const uint8_t block[16], const struct astc_texel *at, uint16_t rgba[4])
{
    enum { VOID_EXTENT = 0x1fc, VOID_BITS = 9, BYTES = 16, SMALL = 31 };
    enum astc_result result = ASTC_UNORM16;
    struct layout l;
    struct endpoints e;
    uint8_t reversed[BYTES];
    unsigned weights[COMPONENTS];
    int v[8] = {0};
    if (bits_at(block, 0, VOID_BITS) == VOID_EXTENT) {
        void_extent(block, at->hdr, &result, rgba);
        return result;
    }
    if (!layout_init(&l, block, at->width, at->height)) {
        put_error(at->hdr, &result, rgba);
        return result;
    }
    for (unsigned i = 0; i < BYTES; i++)
        reversed[i] = reversed_byte(block[BYTES - 1u - i]);
    const unsigned partition =
        l.partitions == 1 ? 0
                          : partition_of(l.seed, at->x, at->y, l.partitions, at->width * at->height < SMALL);
    if (is_hdr(l.modes[partition]) && !at->hdr) { /* other partitions' texels are as they are */
        put_error(false, &result, rgba);
        return result;
    }
    const unsigned count = ((l.modes[partition] >> 2) + 1u) * 2u;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit;
        const uint32_t value =
            sequence_value(block, l.values_at, l.color_range, l.values, l.first_value[partition] + i, &digit);
        v[i] = (int)color_of(value, digit, l.color_range);
    }
    endpoints_init(&e, l.modes[partition], v);
    const unsigned size[2] = {at->width, at->height}, place[2] = {at->x, at->y};
    const unsigned first = texel_weight(&l, reversed, 0, size, place),
                   second = l.mode.dual_plane ? texel_weight(&l, reversed, 1, size, place) : first;
    for (unsigned c = 0; c < COMPONENTS; c++)
        weights[c] = l.mode.dual_plane && c == l.second_plane ? second : first;
    interpolate(&e, weights, at->srgb, &result, rgba);
    return result;
}

uint16_t astc_half(uint16_t unorm)
{
    return half_of_unorm(unorm);
}
