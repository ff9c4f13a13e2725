/*
 * BC6H: fourteen modes. One or two subsets have two endpoints each, in half floats of fewer bits, whose bits
 * are spread over the block. In most modes the other endpoints are differences to the first. (Direct3D 11
 * functional specification, 19.5.14)
 */
#include "block.h"

#include <string.h>

/* Ends by the specification's letters: w and x of the first subset, y and z of the second. */
enum { RW, GW, BW, RX, GX, BX, RY, GY, BY, RZ, GZ, BZ, ENDS, PIECES = 24, COLORS = 3 };

static const struct mode {
    uint8_t subsets, bits;
    bool differs;
    uint8_t change[COLORS]; /* bits of the others */
    struct {
        uint8_t end, first, count;
        bool reversed;
    } pieces[PIECES]; /* after the mode; a piece without bits ends the list */
} modes[18] = {
    {2,
     10,
     true,
     {5, 5, 5},
     {{GY, 4, 1},
      {BY, 4, 1},
      {BZ, 4, 1},
      {RW, 0, 10},
      {GW, 0, 10},
      {BW, 0, 10},
      {RX, 0, 5},
      {GZ, 4, 1},
      {GY, 0, 4},
      {GX, 0, 5},
      {BZ, 0, 1},
      {GZ, 0, 4},
      {BX, 0, 5},
      {BZ, 1, 1},
      {BY, 0, 4},
      {RY, 0, 5},
      {BZ, 2, 1},
      {RZ, 0, 5},
      {BZ, 3, 1}}}, /* 00 */
    {2, 7, true, {6, 6, 6}, {{GY, 5, 1}, {GZ, 4, 1}, {GZ, 5, 1}, {RW, 0, 7}, {BZ, 0, 1}, {BZ, 1, 1},
                             {BY, 4, 1}, {GW, 0, 7}, {BY, 5, 1}, {BZ, 2, 1}, {GY, 4, 1}, {BW, 0, 7},
                             {BZ, 3, 1}, {BZ, 5, 1}, {BZ, 4, 1}, {RX, 0, 6}, {GY, 0, 4}, {GX, 0, 6},
                             {GZ, 0, 4}, {BX, 0, 6}, {BY, 0, 4}, {RY, 0, 6}, {RZ, 0, 6}}}, /* 01 */
    {2,
     11,
     true,
     {5, 4, 4},
     {{RW, 0, 10},
      {GW, 0, 10},
      {BW, 0, 10},
      {RX, 0, 5},
      {RW, 10, 1},
      {GY, 0, 4},
      {GX, 0, 4},
      {GW, 10, 1},
      {BZ, 0, 1},
      {GZ, 0, 4},
      {BX, 0, 4},
      {BW, 10, 1},
      {BZ, 1, 1},
      {BY, 0, 4},
      {RY, 0, 5},
      {BZ, 2, 1},
      {RZ, 0, 5},
      {BZ, 3, 1}}}, /* 00010 */
    {1,
     10,
     false,
     {10, 10, 10},
     {{RW, 0, 10}, {GW, 0, 10}, {BW, 0, 10}, {RX, 0, 10}, {GX, 0, 10}, {BX, 0, 10}}}, /* 00011 */
    {2, 11, true, {4, 5, 4}, {{RW, 0, 10}, {GW, 0, 10}, {BW, 0, 10}, {RX, 0, 4},  {RW, 10, 1},
                              {GZ, 4, 1},  {GY, 0, 4},  {GX, 0, 5},  {GW, 10, 1}, {GZ, 0, 4},
                              {BX, 0, 4},  {BW, 10, 1}, {BZ, 1, 1},  {BY, 0, 4},  {RY, 0, 4},
                              {BZ, 0, 1},  {BZ, 2, 1},  {RZ, 0, 4},  {GY, 4, 1},  {BZ, 3, 1}}}, /* 00110 */
    {1,
     11,
     true,
     {9, 9, 9},
     {{RW, 0, 10},
      {GW, 0, 10},
      {BW, 0, 10},
      {RX, 0, 9},
      {RW, 10, 1},
      {GX, 0, 9},
      {GW, 10, 1},
      {BX, 0, 9},
      {BW, 10, 1}}}, /* 00111 */
    {2, 11, true, {4, 4, 5}, {{RW, 0, 10}, {GW, 0, 10}, {BW, 0, 10}, {RX, 0, 4},  {RW, 10, 1},
                              {BY, 4, 1},  {GY, 0, 4},  {GX, 0, 4},  {GW, 10, 1}, {BZ, 0, 1},
                              {GZ, 0, 4},  {BX, 0, 5},  {BW, 10, 1}, {BY, 0, 4},  {RY, 0, 4},
                              {BZ, 1, 1},  {BZ, 2, 1},  {RZ, 0, 4},  {BZ, 4, 1},  {BZ, 3, 1}}}, /* 01010 */
    {1,
     12,
     true,
     {8, 8, 8},
     {{RW, 0, 10},
      {GW, 0, 10},
      {BW, 0, 10},
      {RX, 0, 8},
      {RW, 10, 2, true},
      {GX, 0, 8},
      {GW, 10, 2, true},
      {BX, 0, 8},
      {BW, 10, 2, true}}}, /* 01011 */
    {2,
     9,
     true,
     {5, 5, 5},
     {{RW, 0, 9},
      {BY, 4, 1},
      {GW, 0, 9},
      {GY, 4, 1},
      {BW, 0, 9},
      {BZ, 4, 1},
      {RX, 0, 5},
      {GZ, 4, 1},
      {GY, 0, 4},
      {GX, 0, 5},
      {BZ, 0, 1},
      {GZ, 0, 4},
      {BX, 0, 5},
      {BZ, 1, 1},
      {BY, 0, 4},
      {RY, 0, 5},
      {BZ, 2, 1},
      {RZ, 0, 5},
      {BZ, 3, 1}}}, /* 01110 */
    {1,
     16,
     true,
     {4, 4, 4},
     {{RW, 0, 10},
      {GW, 0, 10},
      {BW, 0, 10},
      {RX, 0, 4},
      {RW, 10, 6, true},
      {GX, 0, 4},
      {GW, 10, 6, true},
      {BX, 0, 4},
      {BW, 10, 6, true}}}, /* 01111 */
    {2,
     8,
     true,
     {6, 5, 5},
     {{RW, 0, 8},
      {GZ, 4, 1},
      {BY, 4, 1},
      {GW, 0, 8},
      {BZ, 2, 1},
      {GY, 4, 1},
      {BW, 0, 8},
      {BZ, 3, 1},
      {BZ, 4, 1},
      {RX, 0, 6},
      {GY, 0, 4},
      {GX, 0, 5},
      {BZ, 0, 1},
      {GZ, 0, 4},
      {BX, 0, 5},
      {BZ, 1, 1},
      {BY, 0, 4},
      {RY, 0, 6},
      {RZ, 0, 6}}}, /* 10010 */
    {0},            /* 10011 is none */
    {2, 8, true, {5, 6, 5}, {{RW, 0, 8}, {BZ, 0, 1}, {BY, 4, 1}, {GW, 0, 8}, {GY, 5, 1}, {GY, 4, 1},
                             {BW, 0, 8}, {GZ, 5, 1}, {BZ, 4, 1}, {RX, 0, 5}, {GZ, 4, 1}, {GY, 0, 4},
                             {GX, 0, 6}, {GZ, 0, 4}, {BX, 0, 5}, {BZ, 1, 1}, {BY, 0, 4}, {RY, 0, 5},
                             {BZ, 2, 1}, {RZ, 0, 5}, {BZ, 3, 1}}}, /* 10110 */
    {0},                                                           /* 10111 is none */
    {2, 8, true, {5, 5, 6}, {{RW, 0, 8}, {BZ, 1, 1}, {BY, 4, 1}, {GW, 0, 8}, {BY, 5, 1}, {GY, 4, 1},
                             {BW, 0, 8}, {BZ, 5, 1}, {BZ, 4, 1}, {RX, 0, 5}, {GZ, 4, 1}, {GY, 0, 4},
                             {GX, 0, 5}, {BZ, 0, 1}, {GZ, 0, 4}, {BX, 0, 6}, {BY, 0, 4}, {RY, 0, 5},
                             {BZ, 2, 1}, {RZ, 0, 5}, {BZ, 3, 1}}}, /* 11010 */
    {0},                                                           /* 11011 is none */
    {2, 6, false, {6, 6, 6}, {{RW, 0, 6}, {GZ, 4, 1}, {BZ, 0, 1}, {BZ, 1, 1}, {BY, 4, 1}, {GW, 0, 6},
                              {GY, 5, 1}, {BY, 5, 1}, {BZ, 2, 1}, {GY, 4, 1}, {BW, 0, 6}, {GZ, 5, 1},
                              {BZ, 3, 1}, {BZ, 5, 1}, {BZ, 4, 1}, {RX, 0, 6}, {GY, 0, 4}, {GX, 0, 6},
                              {GZ, 0, 4}, {BX, 0, 6}, {BY, 0, 4}, {RY, 0, 6}, {RZ, 0, 6}}}, /* 11110 */
    {0}, /* 11111 is none */
};

static int extend(uint32_t value, unsigned bits)
{
    const uint32_t sign = UINT32_C(1) << (bits - 1u);
    return (int)((value & (2u * sign - 1u)) ^ sign) - (int)sign;
}

/* To 16 bits. */
static int unquantize(int value, unsigned bits, bool is_signed)
{
    const int magnitude = value < 0 ? -value : value, most = (1 << (is_signed ? bits - 1u : bits)) - 1;
    int wide;
    if (bits >= (is_signed ? 16u : 15u) || value == 0)
        return value;
    if (magnitude >= most)
        wide = is_signed ? 0x7fff : 0xffff;
    else
        wide = is_signed ? ((magnitude << 15) + 0x4000) >> (bits - 1u) : ((magnitude << 16) + 0x8000) >> bits;
    return value < 0 ? -wide : wide;
}

/* Scaled so that infinity is never met. */
static uint16_t half_of(int value, bool is_signed)
{
    if (!is_signed)
        return (uint16_t)(value * 31 >> 6);
    return (uint16_t)(value < 0 ? 0x8000 | -value * 31 >> 5 : value * 31 >> 5);
}

static void take_ends(const struct mode *m, const uint8_t *block, unsigned *at, uint32_t ends[ENDS])
{
    memset(ends, 0, ENDS * sizeof *ends);
    for (unsigned n = 0; n < PIECES && m->pieces[n].count; n++)
        for (unsigned i = 0; i < m->pieces[n].count; i++) {
            const unsigned bit = m->pieces[n].reversed ? m->pieces[n].count - 1u - i : i;
            ends[m->pieces[n].end] |= block_bits(block, (*at)++, 1) << (m->pieces[n].first + bit);
        }
}

void bc6h_decode(const uint8_t block[16], unsigned texel, bool is_signed, uint16_t rgb[3])
{
    uint32_t ends[ENDS];
    const uint32_t low = block_bits(block, 0, 2), five = block_bits(block, 0, 5);
    unsigned at = low & 2u ? 5 : 2;
    const struct mode *const m = &modes[low & 2u ? 2u + (five >> 2) * 2u + (five & 1u) : low];
    memset(rgb, 0, COLORS * sizeof *rgb);
    if (!m->subsets)
        return;
    take_ends(m, block, &at, ends);
    const uint32_t partition = m->subsets == 2 ? block_bits(block, at, 5) : 0;
    at += m->subsets == 2 ? 5 : 0;
    const unsigned bits = m->subsets == 2 ? 3 : 4,
                   subset = m->subsets == 2 ? block_subset(partition, texel) : 0;
    const uint32_t index = block_index(block, at, bits, m->subsets, partition, texel);
    for (unsigned c = 0; c < COLORS; c++) {
        int v[2];
        for (unsigned n = 0; n < 2; n++) {
            const unsigned end = (subset * 2u + n) * COLORS + c;
            uint32_t value = ends[end];
            if (m->differs && end >= COLORS)
                value = (uint32_t)extend(value, m->change[c]) + ends[c];
            value &= (UINT32_C(1) << m->bits) - 1u;
            v[n] = unquantize(is_signed ? extend(value, m->bits) : (int)value, m->bits, is_signed);
        }
        rgb[c] = half_of(block_between(v[0], v[1], index, bits), is_signed);
    }
}
