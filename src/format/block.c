/*
 * Block formats, decoded one texel at a time; of 4 by 4 texels: BC1 to BC5 (Direct3D 10 functional
 * specification, 19.5), ETC1, ETC2 and EAC (Khronos Data Format Specification, 21). Interpolated colors are
 * exact, not rounded to eight bits. BC6H, BC7 and ASTC have
 * their own files.
 */
#include "block.h"

#include <softgt/formats.h>

#include <string.h>

enum codec {
    BC1,     /* 565 twice, a bit of alpha */
    BC1_RGB, /* without alpha */
    BC2,     /* four bits of alpha each, then BC1's colours */
    BC3,     /* alpha as BC4, then BC1's colours */
    BC4,
    BC5, /* BC4 twice */
    BC6H,
    BC6H_SIGNED,
    BC7,
    ETC,
    ETC_ALPHA, /* with a bit of alpha */
    ETC_EAC,   /* alpha as EAC, of eight bits, then ETC's colours */
    EAC,
    EAC_TWICE,
    FXT1,
    ASTC,
    ASTC_HDR
};

enum { SIZE = 4 };

#define U8    SOFTGT_COMPONENT_UNORM
#define S8    SOFTGT_COMPONENT_SNORM
#define GAMMA SOFTGT_COMPONENT_SRGB
#define NONE  SOFTGT_COMPONENT_UNUSED

static const struct softgt_block_format formats[] = {
    {"BC1_UNORM", SIZE, SIZE, 8, BC1, {U8, U8, U8, U8}},
    {"BC1_UNORM_SRGB", SIZE, SIZE, 8, BC1, {GAMMA, GAMMA, GAMMA, U8}},
    {"DXT1_RGB", SIZE, SIZE, 8, BC1_RGB, {U8, U8, U8, NONE}},
    {"DXT1_RGB_SRGB", SIZE, SIZE, 8, BC1_RGB, {GAMMA, GAMMA, GAMMA, NONE}},
    {"FXT1", 2 * SIZE, SIZE, 16, FXT1, {U8, U8, U8, U8}},
    {"BC2_UNORM", SIZE, SIZE, 16, BC2, {U8, U8, U8, U8}},
    {"BC2_UNORM_SRGB", SIZE, SIZE, 16, BC2, {GAMMA, GAMMA, GAMMA, U8}},
    {"BC3_UNORM", SIZE, SIZE, 16, BC3, {U8, U8, U8, U8}},
    {"BC3_UNORM_SRGB", SIZE, SIZE, 16, BC3, {GAMMA, GAMMA, GAMMA, U8}},
    {"BC4_UNORM", SIZE, SIZE, 8, BC4, {U8, NONE, NONE, NONE}},
    {"BC4_SNORM", SIZE, SIZE, 8, BC4, {S8, NONE, NONE, NONE}},
    {"BC5_UNORM", SIZE, SIZE, 16, BC5, {U8, U8, NONE, NONE}},
    {"BC5_SNORM", SIZE, SIZE, 16, BC5, {S8, S8, NONE, NONE}},
    {"BC6H_UF16",
     SIZE,
     SIZE,
     16,
     BC6H,
     {SOFTGT_COMPONENT_FLOAT, SOFTGT_COMPONENT_FLOAT, SOFTGT_COMPONENT_FLOAT, NONE}},
    {"BC6H_SF16",
     SIZE,
     SIZE,
     16,
     BC6H_SIGNED,
     {SOFTGT_COMPONENT_FLOAT, SOFTGT_COMPONENT_FLOAT, SOFTGT_COMPONENT_FLOAT, NONE}},
    {"BC7_UNORM", SIZE, SIZE, 16, BC7, {U8, U8, U8, U8}},
    {"BC7_UNORM_SRGB", SIZE, SIZE, 16, BC7, {GAMMA, GAMMA, GAMMA, U8}},
    {"ETC1_RGB8", SIZE, SIZE, 8, ETC, {U8, U8, U8, NONE}},
    {"ETC2_RGB8", SIZE, SIZE, 8, ETC, {U8, U8, U8, NONE}},
    {"ETC2_SRGB8", SIZE, SIZE, 8, ETC, {GAMMA, GAMMA, GAMMA, NONE}},
    {"ETC2_RGB8_PTA", SIZE, SIZE, 8, ETC_ALPHA, {U8, U8, U8, U8}},
    {"ETC2_SRGB8_PTA", SIZE, SIZE, 8, ETC_ALPHA, {GAMMA, GAMMA, GAMMA, U8}},
    {"ETC2_EAC_RGBA8", SIZE, SIZE, 16, ETC_EAC, {U8, U8, U8, U8}},
    {"ETC2_EAC_SRGB8_A8", SIZE, SIZE, 16, ETC_EAC, {GAMMA, GAMMA, GAMMA, U8}},
    {"EAC_R11", SIZE, SIZE, 8, EAC, {U8, NONE, NONE, NONE}},
    {"EAC_RG11", SIZE, SIZE, 16, EAC_TWICE, {U8, U8, NONE, NONE}},
    {"EAC_SIGNED_R11", SIZE, SIZE, 8, EAC, {S8, NONE, NONE, NONE}},
    {"EAC_SIGNED_RG11", SIZE, SIZE, 16, EAC_TWICE, {S8, S8, NONE, NONE}},
#define ASTC_SIZE(width, height)                                                                             \
    {"ASTC_LDR_2D_" #width "X" #height "_U8SRGB", width, height, 16, ASTC, {GAMMA, GAMMA, GAMMA, U8}},       \
        {"ASTC_LDR_2D_" #width "X" #height "_FLT16", width, height, 16, ASTC, {U8, U8, U8, U8}},             \
    {                                                                                                        \
        "ASTC_HDR_2D_" #width "X" #height "_FLT16", width, height, 16, ASTC_HDR,                             \
        {                                                                                                    \
            SOFTGT_COMPONENT_FLOAT, SOFTGT_COMPONENT_FLOAT, SOFTGT_COMPONENT_FLOAT, SOFTGT_COMPONENT_FLOAT   \
        }                                                                                                    \
    }
    ASTC_SIZE(4, 4),
    ASTC_SIZE(5, 4),
    ASTC_SIZE(5, 5),
    ASTC_SIZE(6, 5),
    ASTC_SIZE(6, 6),
    ASTC_SIZE(8, 5),
    ASTC_SIZE(8, 6),
    ASTC_SIZE(8, 8),
    ASTC_SIZE(10, 5),
    ASTC_SIZE(10, 6),
    ASTC_SIZE(10, 8),
    ASTC_SIZE(10, 10),
    ASTC_SIZE(12, 10),
    ASTC_SIZE(12, 12),
#undef ASTC_SIZE
};

const struct softgt_block_format *softgt_block_format_at(size_t index)
{
    return index < sizeof formats / sizeof formats[0] ? &formats[index] : NULL;
}

const struct softgt_block_format *softgt_block_format_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static int signed_8(uint8_t bits)
{
    return bits < 128 ? bits : bits - 256;
}

/* ---- BC ---- */

static uint64_t little(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8u * i;
    return value;
}

static void of_565(uint32_t bits, double rgb[3])
{
    rgb[0] = (bits >> 11 & 31u) / 31.0;
    rgb[1] = (bits >> 5 & 63u) / 63.0;
    rgb[2] = (bits & 31u) / 31.0;
}

/* Two colours and what is between; of three colours, where that may be, the fourth is nothing. */
static void bc_colors(const uint8_t *block, unsigned texel, bool always_four, bool alpha, double rgba[4])
{
    const uint32_t first = (uint32_t)little(block, 2), second = (uint32_t)little(block + 2, 2),
                   code = (uint32_t)little(block + 4, 4) >> 2u * texel & 3u;
    const bool four = always_four || first > second;
    double a[3], b[3];
    of_565(first, a);
    of_565(second, b);
    rgba[3] = 1;
    for (unsigned c = 0; c < 3; c++) {
        const double codes[4] = {a[c], b[c], four ? (2 * a[c] + b[c]) / 3 : (a[c] + b[c]) / 2,
                                 four ? (a[c] + 2 * b[c]) / 3 : 0};
        rgba[c] = codes[code];
    }
    if (!four && code == 3 && alpha)
        rgba[3] = 0;
}

/* Six between two ends, or four and the ends of the range. */
static double bc_one(const uint8_t *block, unsigned texel, bool is_signed)
{
    const unsigned code = (unsigned)(little(block + 2, 6) >> 3u * texel & 7u);
    const int a = is_signed ? signed_8(block[0]) : block[0], b = is_signed ? signed_8(block[1]) : block[1];
    const double most = is_signed ? 127 : 255, first = (is_signed && a < -127 ? -127 : a) / most,
                 second = (is_signed && b < -127 ? -127 : b) / most;
    const unsigned parts = a > b ? 7 : 5;
    if (code < 2)
        return code ? second : first;
    if (code > parts) /* 6 and 7 of five parts */
        return code == 7 ? 1 : is_signed ? -1 : 0;
    return ((parts - (code - 1u)) * first + (code - 1u) * second) / parts;
}

/* ---- ETC ---- */

/* Bits of a block by their numbers in the specification: 63 is the first byte's highest. */
static uint32_t field(uint64_t block, unsigned first, unsigned last)
{
    return (uint32_t)(block >> last & ((UINT64_C(1) << (first - last + 1u)) - 1u));
}

static int widen(uint32_t value, unsigned bits)
{
    return (int)(bits == 4   ? value << 4 | value
                 : bits == 5 ? value << 3 | value >> 2
                 : bits == 6 ? value << 2 | value >> 4
                             : value << 1 | value >> 6);
}

static int signed_3(uint32_t value)
{
    return value < 4 ? (int)value : (int)value - 8;
}

static void etc_planar(uint64_t b, unsigned x, unsigned y, int rgb[3])
{
    const int origin[3] = {widen(field(b, 62, 57), 6), widen(field(b, 56, 56) << 6 | field(b, 54, 49), 7),
                           widen(field(b, 48, 48) << 5 | field(b, 44, 43) << 3 | field(b, 41, 39), 6)};
    const int across[3] = {widen(field(b, 38, 34) << 1 | field(b, 32, 32), 6), widen(field(b, 31, 25), 7),
                           widen(field(b, 24, 19), 6)};
    const int down[3] = {widen(field(b, 18, 13), 6), widen(field(b, 12, 6), 7), widen(field(b, 5, 0), 6)};
    for (unsigned c = 0; c < 3; c++) {
        const int sum = (int)x * (across[c] - origin[c]) + (int)y * (down[c] - origin[c]) + 4 * origin[c] + 2;
        rgb[c] = clamp(sum < 0 ? 0 : sum / 4, 0, 255);
    }
}

/* Four colours made of two, which have four bits each. */
static void etc_paint(uint64_t b, bool is_h, unsigned code, int rgb[3])
{
    static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
    const uint32_t t[2][3] = {{field(b, 60, 59) << 2 | field(b, 57, 56), field(b, 55, 52), field(b, 51, 48)},
                              {field(b, 47, 44), field(b, 43, 40), field(b, 39, 36)}},
                   h[2][3] = {{field(b, 62, 59), field(b, 58, 56) << 1 | field(b, 52, 52),
                               field(b, 51, 51) << 3 | field(b, 49, 47)},
                              {field(b, 46, 43), field(b, 42, 39), field(b, 38, 35)}};
    const uint32_t(*const colors)[3] = is_h ? h : t;
    const bool larger = (h[0][0] << 8 | h[0][1] << 4 | h[0][2]) >= (h[1][0] << 8 | h[1][1] << 4 | h[1][2]);
    const unsigned index = is_h ? field(b, 34, 34) << 2 | field(b, 32, 32) << 1 | larger
                                : field(b, 35, 34) << 1 | field(b, 32, 32);
    /* Of T: the first, then the second's three; of H: both two. */
    static const struct {
        uint8_t which;
        int8_t way;
    } paints[2][4] = {{{0, 0}, {1, 1}, {1, 0}, {1, -1}}, {{0, 1}, {0, -1}, {1, 1}, {1, -1}}};
    for (unsigned c = 0; c < 3; c++)
        rgb[c] =
            clamp(widen(colors[paints[is_h][code].which][c], 4) + paints[is_h][code].way * distances[index],
                  0, 255);
}

/* Returns whether the texel is there at all. */
static bool etc_colors(const uint8_t *block, unsigned x, unsigned y, bool has_alpha, int rgb[3])
{
    static const uint8_t modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                            {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    uint64_t b = 0;
    for (unsigned i = 0; i < 8; i++)
        b = b << 8 | block[i];
    const unsigned texel = x * SIZE + y,
                   code = (unsigned)((b >> (16u + texel) & 1u) << 1 | (b >> texel & 1u));
    const bool bit = field(b, 33, 33), differs = bit || has_alpha, opaque = bit || !has_alpha,
               second = field(b, 32, 32) ? y >= 2 : x >= 2;
    for (unsigned c = 0; differs && c < 3; c++) {
        const int sum = (int)field(b, 63 - 8 * c, 59 - 8 * c) + signed_3(field(b, 58 - 8 * c, 56 - 8 * c));
        if (sum >= 0 && sum < 32)
            continue;
        if (c == 2) {
            etc_planar(b, x, y, rgb);
            return true;
        }
        if (!opaque && code == 2)
            return false;
        etc_paint(b, c == 1, code, rgb);
        return true;
    }
    if (!opaque && code == 2)
        return false;
    const unsigned table = second ? field(b, 36, 34) : field(b, 39, 37);
    const int size = !opaque && !(code & 1u) ? 0 : modifiers[table][code & 1u];
    for (unsigned c = 0; c < 3; c++) {
        const uint32_t base = field(b, 63 - 8 * c, 59 - 8 * c);
        const int change = signed_3(field(b, 58 - 8 * c, 56 - 8 * c));
        const int color = differs  ? widen((uint32_t)((int)base + (second ? change : 0)), 5)
                          : second ? widen(field(b, 59 - 8 * c, 56 - 8 * c), 4)
                                   : widen(field(b, 63 - 8 * c, 60 - 8 * c), 4);
        rgb[c] = clamp(color + (code & 2u ? -size : size), 0, 255);
    }
    return true;
}

static int eac_change(const uint8_t *block, unsigned x, unsigned y)
{
    static const int8_t changes[16][8] = {
        {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
        {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
        {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
        {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
        {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
        {-3, -5, -7, -9, 2, 4, 6, 8}};
    uint64_t codes = 0;
    for (unsigned i = 2; i < 8; i++)
        codes = codes << 8 | block[i];
    return changes[block[1] & 15u][codes >> (45u - 3u * (x * SIZE + y)) & 7u];
}

/* Of eleven bits; without a multiplier changes are an eighth. */
static double eac_one(const uint8_t *block, unsigned x, unsigned y, bool is_signed)
{
    const int times = block[1] >> 4, change = eac_change(block, x, y) * (times ? times * 8 : 1);
    if (!is_signed)
        return clamp(block[0] * 8 + 4 + change, 0, 2047) / 2047.0;
    const int base = signed_8(block[0]);
    return clamp((base < -127 ? -127 : base) * 8 + change, -1023, 1023) / 1023.0;
}

/* ---- ASTC ---- */

static void astc_colors(const struct softgt_block_format *f, const uint8_t *block, unsigned x, unsigned y,
                        double v[4])
{
    enum { BYTE_AT = 8 };
    const struct astc_texel at = {.width = f->width,
                                  .height = f->height,
                                  .x = (uint8_t)x,
                                  .y = (uint8_t)y,
                                  .hdr = f->codec == ASTC_HDR,
                                  .srgb = f->kind[0] == SOFTGT_COMPONENT_SRGB};
    uint16_t of[4];
    const enum astc_result result = astc_decode(block, &at, of);
    for (unsigned c = 0; c < 4; c++)
        v[c] = at.srgb ? (of[c] >> BYTE_AT) / 255.0
                       : softgt_component_decode(SOFTGT_COMPONENT_FLOAT, 16,
                                                 result == ASTC_HALVES ? of[c] : astc_half(of[c]));
}

/* ---- All of them ---- */

static void from_eight_bits(const uint8_t of[4], double v[4])
{
    for (unsigned c = 0; c < 4; c++)
        v[c] = of[c] / 255.0;
}

void softgt_block_decode(const struct softgt_block_format *f, const void *block, unsigned x, unsigned y,
                         union softgt_color *rgba)
{
    enum { SECOND = 8 };
    const uint8_t *const bytes = block;
    const unsigned texel = (y % SIZE) * SIZE + x % SIZE;
    const bool is_signed = f->kind[0] == SOFTGT_COMPONENT_SNORM;
    double v[4] = {0, 0, 0, 1};
    int rgb[3] = {0};
    uint8_t eight[4];
    uint16_t halves[3];
    x %= f->width;
    y %= f->height;
    switch ((enum codec)f->codec) {
    case ASTC:
    case ASTC_HDR:
        astc_colors(f, bytes, x, y, v);
        break;
    case BC1:
    case BC1_RGB:
        bc_colors(bytes, texel, false, f->codec == BC1, v);
        break;
    case BC2:
        bc_colors(bytes + SECOND, texel, true, false, v);
        v[3] = (bytes[texel / 2u] >> texel % 2u * 4u & 15u) / 15.0;
        break;
    case BC3:
        bc_colors(bytes + SECOND, texel, true, false, v);
        v[3] = bc_one(bytes, texel, false);
        break;
    case BC5:
        v[1] = bc_one(bytes + SECOND, texel, is_signed);
        /* fall through */
    case BC4:
        v[0] = bc_one(bytes, texel, is_signed);
        break;
    case BC6H:
    case BC6H_SIGNED:
        bc6h_decode(bytes, texel, f->codec == BC6H_SIGNED, halves);
        for (unsigned c = 0; c < 3; c++)
            v[c] = softgt_component_decode(SOFTGT_COMPONENT_FLOAT, 16, halves[c]);
        break;
    case FXT1:
        fxt1_decode(bytes, x, y, eight);
        from_eight_bits(eight, v);
        break;
    case BC7:
        bc7_decode(bytes, texel, eight);
        from_eight_bits(eight, v);
        break;
    case EAC_TWICE:
        v[1] = eac_one(bytes + SECOND, x, y, is_signed);
        /* fall through */
    case EAC:
        v[0] = eac_one(bytes, x, y, is_signed);
        break;
    default:
        if (f->codec == ETC_EAC)
            v[3] = clamp(bytes[0] + eac_change(bytes, x, y) * (bytes[1] >> 4), 0, 255) / 255.0;
        if (!etc_colors(bytes + (f->codec == ETC_EAC ? SECOND : 0), x, y, f->codec == ETC_ALPHA, rgb))
            v[3] = 0;
        for (unsigned c = 0; c < 3; c++)
            v[c] = rgb[c] / 255.0;
        break;
    }
    for (unsigned c = 0; c < 4; c++)
        rgba->f[c] = (float)(f->kind[c] == SOFTGT_COMPONENT_SRGB ? softgt_srgb_to_linear(v[c]) : v[c]);
}
