/* The 4x4 transform and quantisation (ITU-T H.264 8.5). The inverse is the standard's. The forward direction
 * is the usual one, with the matrix of MFC_AVC_FQM_STATE. */
#include "video/avc.h"

const uint8_t avc_scan[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
const uint8_t avc_block_place[16] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};

/* Factors of coefficients in even rows and columns, in odd ones, and of the others. */
static const uint16_t forward_factor[6][3] = {{13107, 5243, 8066}, {11916, 4660, 7490}, {10082, 4194, 6554},
                                              {9362, 3647, 5825},  {8192, 3355, 5243},  {7282, 2893, 4559}};
static const uint8_t inverse_factor[6][3] = {{10, 16, 13}, {11, 18, 14}, {13, 20, 16},
                                             {14, 23, 18}, {16, 25, 20}, {18, 29, 23}};

static unsigned class_of(unsigned place)
{
    const unsigned odd = (place & 1u) + (place >> 2 & 1u);
    return odd == 0 ? 0 : odd == 2 ? 1 : 2;
}

static void forward_line(const int32_t *in, int32_t *out, unsigned stride)
{
    const int32_t a = in[0] + in[3 * stride], b = in[stride] + in[2 * stride],
                  c = in[stride] - in[2 * stride], d = in[0] - in[3 * stride];
    out[0] = a + b;
    out[stride] = 2 * d + c;
    out[2 * stride] = a - b;
    out[3 * stride] = d - 2 * c;
}

void forward_4x4(const int32_t *residual, int32_t *coefficients)
{
    int32_t half[16];
    for (unsigned y = 0; y < 4; y++)
        forward_line(residual + 4 * y, half + 4 * y, 1);
    for (unsigned x = 0; x < 4; x++)
        forward_line(half + x, coefficients + x, 4);
}

static void inverse_line(const int32_t *in, int32_t *out, unsigned stride)
{
    const int32_t a = in[0] + in[2 * stride], b = in[0] - in[2 * stride],
                  c = (in[stride] >> 1) - in[3 * stride], d = in[stride] + (in[3 * stride] >> 1);
    out[0] = a + d;
    out[stride] = b + c;
    out[2 * stride] = b - c;
    out[3 * stride] = a - d;
}

void inverse_4x4(const int32_t *coefficients, int32_t *residual)
{
    int32_t half[16];
    for (unsigned y = 0; y < 4; y++)
        inverse_line(coefficients + 4 * y, half + 4 * y, 1);
    for (unsigned x = 0; x < 4; x++)
        inverse_line(half + x, residual + x, 4);
    for (unsigned i = 0; i < 16; i++)
        residual[i] = (residual[i] + 32) >> 6;
}

int32_t quantise(int32_t coefficient, unsigned place, unsigned qp, const struct scaling *s, unsigned rounding,
                 bool dc)
{
    enum { FLAT_SHIFT = 12, ROUNDING_SHIFT = 4 };
    const unsigned shift = 15u + qp / 6u + dc + FLAT_SHIFT;
    const uint64_t size = (uint64_t)(uint32_t)(coefficient < 0 ? -coefficient : coefficient),
                   level = (size * forward_factor[qp % 6u][class_of(place)] * s->forward[place] +
                            ((uint64_t)rounding << (shift - ROUNDING_SHIFT))) >>
                           shift;
    return coefficient < 0 ? -(int32_t)level : (int32_t)level;
}

static int32_t level_scale(unsigned place, unsigned qp, const struct scaling *s)
{
    return s->weight[place] * inverse_factor[qp % 6u][class_of(place)];
}

int32_t scale_4x4(int32_t level, unsigned place, unsigned qp, const struct scaling *s)
{
    const int32_t scaled = level * level_scale(place, qp, s);
    return qp >= 24 ? scaled * (1 << (qp / 6u - 4u)) : (scaled + (1 << (3u - qp / 6u))) >> (4u - qp / 6u);
}

static void hadamard_line(int32_t *v, unsigned stride)
{
    const int32_t a = v[0] + v[stride], b = v[0] - v[stride], c = v[2 * stride] + v[3 * stride],
                  d = v[2 * stride] - v[3 * stride];
    v[0] = a + c;
    v[stride] = a - c;
    v[2 * stride] = b - d;
    v[3 * stride] = b + d;
}

void hadamard_4x4(int32_t *values)
{
    for (unsigned y = 0; y < 4; y++)
        hadamard_line(values + 4 * y, 1);
    for (unsigned x = 0; x < 4; x++)
        hadamard_line(values + x, 4);
}

int32_t scale_luma_dc(int32_t value, unsigned qp, const struct scaling *s)
{
    const int32_t scaled = value * level_scale(0, qp, s);
    return qp >= 36 ? scaled * (1 << (qp / 6u - 6u)) : (scaled + (1 << (5u - qp / 6u))) >> (6u - qp / 6u);
}

int32_t scale_chroma_dc(int32_t value, unsigned qp, const struct scaling *s)
{
    return value * level_scale(0, qp, s) * (1 << qp / 6u) >> 5;
}
