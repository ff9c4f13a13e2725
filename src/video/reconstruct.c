/* From pixels to levels and back: prediction, transform, quantisation and reconstruction. */
#include "video/avc.h"

#include <string.h>

static void residual_of(const uint8_t *source, unsigned stride, const uint8_t *predicted, int32_t *residual)
{
    for (unsigned i = 0; i < 16; i++)
        residual[i] = source[(i >> 2) * stride + (i & 3u)] - predicted[(i >> 2) * CANVAS + (i & 3u)];
}

static void add_residual(uint8_t *at, const int32_t *coefficients)
{
    int32_t residual[16];
    inverse_4x4(coefficients, residual);
    for (unsigned i = 0; i < 16; i++) {
        uint8_t *const pixel = at + (i >> 2) * CANVAS + (i & 3u);
        const int32_t value = *pixel + residual[i];
        *pixel = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

/* Quantises coefficients from `first` on to levels, and scales them back. Returns the number of levels that
 * are not zero. */
static uint8_t quantise_block(int32_t *coefficients, int32_t *levels, unsigned first, unsigned qp,
                              const struct scaling *s, unsigned rounding, bool may)
{
    uint8_t count = 0;
    for (unsigned i = first; i < 16; i++) {
        const unsigned place = avc_scan[i];
        levels[i] = may ? quantise(coefficients[place], place, qp, s, rounding, false) : 0;
        coefficients[place] = scale_4x4(levels[i], place, qp, s);
        count = (uint8_t)(count + (levels[i] != 0));
    }
    return count;
}

static uint8_t *pixels_of(uint8_t *canvas, unsigned place, unsigned across_shift)
{
    return canvas + CANVAS_FIRST + (place >> across_shift) * 4u * CANVAS +
           (place & ((1u << across_shift) - 1u)) * 4u;
}

static bool may_have(const struct macroblock *m, unsigned block)
{
    return m->luma_mask >> (15u - block) & 1u;
}

static void residual_at(const struct macroblock *m, unsigned place, const uint8_t *at, int32_t *coefficients)
{
    int32_t residual[16];
    residual_of(m->source + (place >> 2) * 64u + (place & 3u) * 4u, 16, at, residual);
    forward_4x4(residual, coefficients);
}

/* The available neighbours of a block: later blocks of the macroblock are not reconstructed yet. */
static unsigned available_to(const struct macroblock *m, unsigned block)
{
    enum { NO_ABOVE_RIGHT = 1u << 3 | 1u << 5 | 1u << 7 | 1u << 11 | 1u << 13 | 1u << 15 };
    const unsigned place = avc_block_place[block], x = place & 3u, y = place >> 2, of = m->available;
    const bool left = x || of & NEXT_LEFT, above = y || of & NEXT_ABOVE,
               corner = x && y ? true
                        : x    ? above
                        : y    ? left
                               : (of & NEXT_ABOVE_LEFT) != 0,
               right =
                   y == 0 ? (x < 3 ? above : (of & NEXT_ABOVE_RIGHT) != 0) : !(NO_ABOVE_RIGHT >> block & 1u);
    return (left ? NEXT_LEFT : 0u) | (above ? NEXT_ABOVE : 0u) | (corner ? NEXT_ABOVE_LEFT : 0u) |
           (right ? NEXT_ABOVE_RIGHT : 0u);
}

static void luma_4x4(struct macroblock *m, bool intra)
{
    for (unsigned block = 0; block < 16; block++) {
        const unsigned place = avc_block_place[block];
        uint8_t *const at = pixels_of(m->luma, place, 2);
        int32_t coefficients[16];
        if (intra)
            predict_4x4(m->luma, (place & 3u) * 4u, (place >> 2) * 4u, m->modes[block],
                        available_to(m, block));
        residual_at(m, place, at, coefficients);
        const uint8_t count = quantise_block(coefficients, m->levels.luma[block], 0, m->qp, m->scaling[0],
                                             m->rounding, may_have(m, block));
        m->now.coefficients[place] = count;
        m->now.modes[place] = m->modes[block];
        if (count) {
            m->now.pattern |= (uint8_t)(1u << (block >> 2));
            add_residual(at, coefficients);
        }
    }
}

static void luma_16x16(struct macroblock *m)
{
    int32_t coefficients[16][16], dc[16];
    predict_16x16(m->luma, m->modes[0], m->available);
    for (unsigned block = 0; block < 16; block++) {
        const unsigned place = avc_block_place[block];
        residual_at(m, place, pixels_of(m->luma, place, 2), coefficients[place]);
        dc[place] = coefficients[place][0];
        const uint8_t count = quantise_block(coefficients[place], m->levels.luma[block], 1, m->qp,
                                             m->scaling[0], m->rounding, may_have(m, block));
        m->now.coefficients[place] = count;
        if (count)
            m->now.pattern |= 15;
    }
    hadamard_4x4(dc);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned place = avc_scan[i];
        m->levels.luma_dc[i] =
            m->dc_mask & DC_LUMA ? quantise(dc[place] / 2, 0, m->qp, m->scaling[0], m->rounding, true) : 0;
        dc[place] = m->levels.luma_dc[i];
        if (dc[place])
            m->now.dc |= DC_LUMA;
    }
    hadamard_4x4(dc);
    for (unsigned place = 0; place < 16; place++) {
        coefficients[place][0] = scale_luma_dc(dc[place], m->qp, m->scaling[0]);
        add_residual(pixels_of(m->luma, place, 2), coefficients[place]);
    }
}

static void sums_2x2(int32_t *v)
{
    const int32_t a = v[0] + v[1], b = v[0] - v[1], c = v[2] + v[3], d = v[2] - v[3];
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
}

static void chroma(struct macroblock *m, unsigned which)
{
    const unsigned qp = m->chroma_qp[which], first = which ? CR_BLOCKS : CB_BLOCKS;
    const uint8_t flag = which ? DC_CR : DC_CB;
    const struct scaling *const s = m->scaling[1 + which];
    int32_t coefficients[4][16], dc[4];
    for (unsigned i = 0; i < 4; i++) {
        int32_t residual[16];
        residual_of(m->chroma_source[which] + (i >> 1) * 32u + (i & 1u) * 4u, 8,
                    pixels_of(m->chroma[which], i, 1), residual);
        forward_4x4(residual, coefficients[i]);
        dc[i] = coefficients[i][0];
        m->now.coefficients[first + i] = quantise_block(coefficients[i], m->levels.chroma[which][i], 1, qp, s,
                                                        m->rounding, m->chroma_mask[which] >> (3u - i) & 1u);
        if (m->now.coefficients[first + i])
            m->now.pattern = (uint8_t)((m->now.pattern & 15u) | 2u << 4);
    }
    sums_2x2(dc);
    for (unsigned i = 0; i < 4; i++) {
        dc[i] = m->dc_mask & flag ? quantise(dc[i], 0, qp, s, m->rounding, true) : 0;
        m->levels.chroma_dc[which][i] = dc[i];
        if (dc[i])
            m->now.dc |= flag;
    }
    if (m->now.dc & flag && !(m->now.pattern >> 4))
        m->now.pattern |= 1u << 4;
    sums_2x2(dc);
    for (unsigned i = 0; i < 4; i++) {
        coefficients[i][0] = scale_chroma_dc(dc[i], qp, s);
        add_residual(pixels_of(m->chroma[which], i, 1), coefficients[i]);
    }
}

static void copy_source(struct macroblock *m)
{
    for (unsigned y = 0; y < 16; y++)
        memcpy(m->luma + CANVAS_FIRST + y * CANVAS, m->source + y * 16, 16);
    for (unsigned y = 0; y < 8; y++)
        for (unsigned which = 0; which < 2; which++)
            memcpy(m->chroma[which] + CANVAS_FIRST + y * CANVAS, m->chroma_source[which] + y * 8, 8);
}

void avc_reconstruct(struct macroblock *m)
{
    m->now = (struct neighbour){.kind = m->kind, .chroma_mode = m->chroma_mode};
    if (m->kind == MB_PCM) {
        copy_source(m);
        m->now.chroma_mode = 0;
        m->now.pattern = 0x2f;
        m->now.dc = DC_LUMA | DC_CB | DC_CR;
        memset(m->now.coefficients, 16, sizeof m->now.coefficients);
        return;
    }
    if (m->kind == MB_16X16)
        luma_16x16(m);
    else
        luma_4x4(m, m->kind == MB_4X4);
    for (unsigned which = 0; which < 2; which++) {
        if (m->kind == MB_4X4 || m->kind == MB_16X16)
            predict_chroma(m->chroma[which], m->chroma_mode, m->available);
        chroma(m, which);
    }
}
