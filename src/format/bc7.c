/*
 * BC7: eight modes; the lowest set bit selects one. A block has up to three subsets with two endpoints each.
 * An index gives the position of a texel between the endpoints. (Direct3D 11 functional
 * specification, 19.5.15)
 */
#include "block.h"

#include <stdbool.h>

/* Texels of the second subset of two, of the second and the third of three, by partition. */
static const uint16_t of_two[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22};

static const uint16_t of_three[64][2] = {
    {0x08cc, 0xf600}, {0x8cc8, 0x7300}, {0xcc80, 0x3310}, {0xec00, 0x00ce}, {0x3300, 0xcc00},
    {0x00cc, 0xcc00}, {0xff00, 0x00cc}, {0xcccc, 0x3300}, {0x0f00, 0xf000}, {0x0ff0, 0xf000},
    {0x00f0, 0xff00}, {0x4444, 0x8888}, {0x6666, 0x8888}, {0x2222, 0xcccc}, {0x136c, 0xec80},
    {0x008c, 0x7310}, {0x36c8, 0xc800}, {0x08ce, 0x3100}, {0x3330, 0xccc0}, {0xf000, 0x0ccc},
    {0x00ee, 0xee00}, {0x8888, 0x7700}, {0x22c0, 0xcc00}, {0x4430, 0x3300}, {0x0c22, 0x00cc},
    {0x0344, 0xfc88}, {0x6996, 0x0660}, {0x9960, 0x6600}, {0x0330, 0xc88c}, {0x0066, 0xf900},
    {0xc22c, 0x0cc0}, {0x8c00, 0x7310}, {0x1300, 0xec80}, {0xc400, 0x08ce}, {0x004c, 0xec80},
    {0x2222, 0x4444}, {0x00f0, 0x0f00}, {0x2492, 0x4924}, {0x2942, 0x4294}, {0xc30c, 0x0c30},
    {0xc03c, 0x03c0}, {0x00aa, 0xff00}, {0xaa00, 0x5500}, {0x3030, 0xcccc}, {0xc0c0, 0x0c0c},
    {0x9090, 0x6666}, {0xa00a, 0x0ff0}, {0xaaa0, 0x5550}, {0x0aaa, 0xf000}, {0xe0e0, 0x0e0e},
    {0x7070, 0x8888}, {0x6660, 0x9990}, {0x0ee0, 0xe00e}, {0x0770, 0x8888}, {0x0666, 0xf000},
    {0x6600, 0x9900}, {0x0066, 0xff00}, {0x0cc0, 0xc00c}, {0x0330, 0xcccc}, {0x6000, 0x9000},
    {0x8080, 0x0808}, {0x1010, 0xeeee}, {0x000a, 0xfff0}, {0x08ce, 0x7310}};

/* Anchor texels: the highest bit of their index is not stored and is 0; the first texel is one. */
static const uint8_t anchors_of_two[64] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
                                           15, 2,  8,  2,  2,  8,  8,  15, 2,  8,  2,  2,  8,  8,  2,  2,
                                           15, 15, 6,  8,  2,  8,  15, 15, 2,  8,  2,  2,  2,  15, 15, 6,
                                           6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2,  15};

static const uint8_t anchors_of_three[64][2] = {
    {3, 15},  {3, 8},  {15, 8},  {15, 3}, {8, 15},  {3, 15}, {15, 3},  {15, 8}, {8, 15},  {8, 15}, {6, 15},
    {6, 15},  {6, 15}, {5, 15},  {3, 15}, {3, 8},   {3, 15}, {3, 8},   {8, 15}, {15, 3},  {3, 15}, {3, 8},
    {6, 15},  {10, 8}, {5, 3},   {8, 15}, {8, 6},   {6, 10}, {8, 15},  {5, 15}, {15, 10}, {15, 8}, {8, 15},
    {15, 3},  {3, 15}, {5, 10},  {6, 10}, {10, 8},  {8, 9},  {15, 10}, {15, 6}, {3, 15},  {15, 8}, {5, 15},
    {15, 3},  {15, 6}, {15, 6},  {15, 8}, {3, 15},  {15, 3}, {5, 15},  {5, 15}, {5, 15},  {8, 15}, {5, 15},
    {10, 15}, {5, 15}, {10, 15}, {8, 15}, {13, 15}, {15, 3}, {12, 15}, {3, 15}, {3, 8}};

static const struct mode {
    uint8_t subsets, partition, rotation, selection; /* the last three: bits */
    uint8_t color, alpha;                            /* bits of an end */
    uint8_t own, shared;                             /* a lowest bit of each end, of each subset */
    uint8_t index, second;                           /* bits; the second index is alpha's */
} modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

uint32_t block_bits(const uint8_t *block, unsigned at, unsigned count)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= ((uint32_t)block[(at + i) / 8u] >> (at + i) % 8u & 1u) << i;
    return value;
}

static uint32_t bc7_bits(const uint8_t *block, unsigned *at, unsigned count)
{
    const uint32_t value = block_bits(block, *at, count);
    *at += count;
    return value;
}

static bool is_anchor(unsigned subsets, unsigned partition, unsigned texel)
{
    return texel == 0 || (subsets == 2 && texel == anchors_of_two[partition]) ||
           (subsets == 3 &&
            (texel == anchors_of_three[partition][0] || texel == anchors_of_three[partition][1]));
}

unsigned block_subset(uint32_t partition, unsigned texel)
{
    return of_two[partition & 63u] >> texel & 1u;
}

uint32_t block_index(const uint8_t *block, unsigned at, unsigned bits, unsigned subsets, unsigned partition,
                     unsigned texel)
{
    for (unsigned i = 0; i < texel; i++)
        at += bits - is_anchor(subsets, partition, i);
    return block_bits(block, at, bits - is_anchor(subsets, partition, texel));
}

static int widen(uint32_t value, unsigned bits)
{
    return (int)(bits >= 8 ? value : (value << (8u - bits) | value >> (2u * bits - 8u)));
}

int block_between(int from, int to, uint32_t index, unsigned bits)
{
    static const uint8_t weights[3][16] = {{0, 21, 43, 64},
                                           {0, 9, 18, 27, 37, 46, 55, 64},
                                           {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}};
    const int weight = weights[bits - 2u][index];
    return ((64 - weight) * from + weight * to + 32) >> 6;
}

void bc7_decode(const uint8_t block[16], unsigned texel, uint8_t rgba[4])
{
    enum { COLORS = 3, ALPHA = 3, COMPONENTS = 4 };
    uint32_t ends[3][COMPONENTS][2] = {0};
    rgba[0] = rgba[1] = rgba[2] = rgba[3] = 0;
    if (!block[0])
        return; /* no mode */
    unsigned at = (unsigned)__builtin_ctz(block[0]) + 1u;
    const struct mode *const m = &modes[at - 1u];
    const uint32_t partition = bc7_bits(block, &at, m->partition),
                   rotation = bc7_bits(block, &at, m->rotation),
                   selection = bc7_bits(block, &at, m->selection);
    const unsigned components = m->alpha ? COMPONENTS : COLORS;
    for (unsigned c = 0; c < components; c++)
        for (unsigned n = 0; n < m->subsets * 2u; n++)
            ends[n / 2u][c][n % 2u] = bc7_bits(block, &at, c == ALPHA ? m->alpha : m->color);
    for (unsigned n = 0; n < m->subsets * 2u && (m->own || m->shared); n++) {
        const uint32_t low = block_bits(block, m->own ? at + n : at + n / 2u, 1);
        for (unsigned c = 0; c < components; c++)
            ends[n / 2u][c][n % 2u] = ends[n / 2u][c][n % 2u] << 1 | low;
    }
    at += m->own ? m->subsets * 2u : m->shared ? m->subsets : 0u;
    const unsigned more = m->own || m->shared;
    const unsigned subset = m->subsets == 2   ? block_subset(partition, texel)
                            : m->subsets == 3 ? (of_three[partition][0] >> texel & 1u) |
                                                    (of_three[partition][1] >> texel & 1u) << 1
                                              : 0;
    const unsigned behind = at + 16u * m->index - m->subsets;
    uint32_t index = block_index(block, at, m->index, m->subsets, partition, texel), second = index;
    unsigned bits = m->index, second_bits = bits;
    if (m->second) {
        second = block_index(block, behind, m->second, 1, 0, texel);
        second_bits = m->second;
    }
    if (selection) {
        const uint32_t first = index;
        index = second;
        second = first;
        bits = m->second;
        second_bits = m->index;
    }
    rgba[ALPHA] = 255;
    for (unsigned c = 0; c < components; c++) {
        const unsigned width = (c == ALPHA ? m->alpha : m->color) + more;
        const int first = widen(ends[subset][c][0], width), last = widen(ends[subset][c][1], width);
        rgba[c] = (uint8_t)(c == ALPHA ? block_between(first, last, second, second_bits)
                                       : block_between(first, last, index, bits));
    }
    if (rotation) { /* alpha and a colour change places */
        const uint8_t alpha = rgba[ALPHA];
        rgba[ALPHA] = rgba[rotation - 1u];
        rgba[rotation - 1u] = alpha;
    }
}
