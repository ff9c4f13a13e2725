/* The syntax of macroblocks (ITU-T H.264 7.3.5), in CAVLC or CABAC. */
#include "video/avc.h"

enum {
    CONTEXT_TYPE_I = 3,
    CONTEXT_SKIP = 11,
    CONTEXT_TYPE_P = 14,
    CONTEXT_TYPE_IN_P = 17,
    CONTEXT_VECTOR = 40,
    CONTEXT_DELTA = 60,
    CONTEXT_CHROMA_MODE = 64,
    CONTEXT_MODE_PREDICTED = 68,
    CONTEXT_MODE = 69,
    CONTEXT_PATTERN_LUMA = 73,
    CONTEXT_PATTERN_CHROMA = 77,
    CONTEXT_CODED = 85
};

static bool is_intra(const struct neighbour *n)
{
    return n->kind == MB_4X4 || n->kind == MB_16X16 || n->kind == MB_PCM;
}

/* ---- Types and modes ---- */

static void put_type_cabac(struct slice_coder *c, const struct macroblock *m)
{
    struct cabac *const a = c->cabac;
    struct bits *const b = c->bits;
    const bool p = c->predicted, luma = (m->now.pattern & 15u) != 0;
    const unsigned chroma = m->now.pattern >> 4, first = p ? CONTEXT_TYPE_IN_P : CONTEXT_TYPE_I;
    const unsigned ctx_inc =
        p ? 0
          : (c->left && c->left->kind != MB_4X4 ? 1u : 0u) + (c->above && c->above->kind != MB_4X4 ? 1u : 0u);
    if (p)
        cabac_bin(a, b, CONTEXT_TYPE_P, 1);
    cabac_bin(a, b, first + ctx_inc, m->kind != MB_4X4);
    if (m->kind == MB_4X4)
        return;
    cabac_terminate(a, b, m->kind == MB_PCM);
    if (m->kind == MB_PCM)
        return;
    const unsigned on = first + (p ? 1u : 3u);
    cabac_bin(a, b, on, luma);
    cabac_bin(a, b, on + 1u, chroma != 0);
    if (chroma)
        cabac_bin(a, b, p ? on + 1u : on + 2u, chroma == 2);
    cabac_bin(a, b, p ? on + 2u : on + 3u, m->modes[0] >> 1 & 1u);
    cabac_bin(a, b, p ? on + 2u : on + 4u, m->modes[0] & 1u);
}

static void put_type(struct slice_coder *c, const struct macroblock *m)
{
    enum { I_PCM = 25, BEHIND_P = 5 };
    const unsigned number = m->kind == MB_4X4   ? 0
                            : m->kind == MB_PCM ? I_PCM
                                                : 1u + m->modes[0] + 4u * (m->now.pattern >> 4) +
                                                      (m->now.pattern & 15u ? 12u : 0u);
    if (c->cabac)
        put_type_cabac(c, m);
    else
        bits_ue(c->bits, number + (c->predicted ? BEHIND_P : 0));
}

static unsigned mode_of(const struct neighbour *n, unsigned place)
{
    return n->kind == MB_4X4 ? n->modes[place] : MODE_DC_4X4;
}

static unsigned predicted_mode(const struct slice_coder *c, const struct macroblock *m, unsigned place)
{
    const unsigned x = place & 3u, y = place >> 2;
    if ((!x && !c->left) || (!y && !c->above))
        return MODE_DC_4X4;
    const unsigned a = x ? m->now.modes[place - 1u] : mode_of(c->left, place + 3u),
                   b = y ? m->now.modes[place - 4u] : mode_of(c->above, place + 12u);
    return a < b ? a : b;
}

static void put_modes(struct slice_coder *c, const struct macroblock *m)
{
    for (unsigned block = 0; block < 16; block++) {
        const unsigned mode = m->modes[block], predicted = predicted_mode(c, m, avc_block_place[block]),
                       rest = mode < predicted ? mode : mode - 1u;
        if (c->cabac)
            cabac_bin(c->cabac, c->bits, CONTEXT_MODE_PREDICTED, mode == predicted);
        else
            bits_put(c->bits, mode == predicted, 1);
        if (mode == predicted)
            continue;
        if (!c->cabac)
            bits_put(c->bits, rest, 3);
        else
            for (unsigned i = 0; i < 3; i++)
                cabac_bin(c->cabac, c->bits, CONTEXT_MODE, rest >> i & 1u);
    }
}

static void put_chroma_mode(struct slice_coder *c, const struct macroblock *m)
{
    const unsigned mode = m->chroma_mode, ctx_inc = (c->left && c->left->chroma_mode ? 1u : 0u) +
                                                    (c->above && c->above->chroma_mode ? 1u : 0u);
    if (!c->cabac) {
        bits_ue(c->bits, mode);
        return;
    }
    cabac_bin(c->cabac, c->bits, CONTEXT_CHROMA_MODE + ctx_inc, mode > 0);
    if (mode)
        cabac_bin(c->cabac, c->bits, CONTEXT_CHROMA_MODE + 3, mode > 1);
    if (mode > 1)
        cabac_bin(c->cabac, c->bits, CONTEXT_CHROMA_MODE + 3, mode > 2);
}

/* ---- Inter ---- */

static bool is_coded(const struct neighbour *n)
{
    return n && n->kind != MB_SKIPPED;
}

/* Writes mb_skip_run or mb_skip_flag. */
static void put_skip(struct slice_coder *c, const struct macroblock *m)
{
    const bool skips = m->kind == MB_SKIPPED;
    if (c->cabac) {
        cabac_bin(c->cabac, c->bits,
                  CONTEXT_SKIP + (is_coded(c->left) ? 1u : 0u) + (is_coded(c->above) ? 1u : 0u), skips);
    } else if (skips) {
        ++*c->skipped;
    } else {
        bits_ue(c->bits, *c->skipped);
        *c->skipped = 0;
    }
}

static void put_difference(struct slice_coder *c, int32_t difference, unsigned context, unsigned ctx_inc)
{
    enum { PREFIX = 9 };
    const uint32_t size = (uint32_t)(difference < 0 ? -difference : difference);
    uint32_t rest = size - PREFIX;
    unsigned k = 3;
    cabac_bin(c->cabac, c->bits, context + (ctx_inc < 3 ? 0 : ctx_inc > 32 ? 2 : 1), size > 0);
    for (uint32_t i = 1; i < PREFIX && i <= size; i++)
        cabac_bin(c->cabac, c->bits, context + (i < 4 ? 2 + i : 6), size > i);
    if (size >= PREFIX) {
        for (; rest >= 1u << k; k++) {
            cabac_bypass(c->cabac, c->bits, 1);
            rest -= 1u << k;
        }
        cabac_bypass(c->cabac, c->bits, 0);
        while (k--)
            cabac_bypass(c->cabac, c->bits, rest >> k & 1u);
    }
    if (size)
        cabac_bypass(c->cabac, c->bits, difference < 0);
}

/* Writes P_L0_16x16 with the only reference picture. */
static void put_inter(struct slice_coder *c, const struct macroblock *m)
{
    if (c->cabac)
        for (unsigned i = 0; i < 3; i++)
            cabac_bin(c->cabac, c->bits, CONTEXT_TYPE_P + i, 0);
    else
        bits_ue(c->bits, 0);
    for (unsigned i = 0; i < 2; i++) {
        const int32_t difference = m->vector[i] - m->predicted[i];
        if (c->cabac)
            put_difference(c, difference, CONTEXT_VECTOR + 7 * i,
                           (c->left ? c->left->vector_delta[i] : 0u) +
                               (c->above ? c->above->vector_delta[i] : 0u));
        else
            bits_se(c->bits, difference);
    }
}

/* Writes transform_size_8x8_flag. No neighbour uses 8x8. */
static void put_transform_size(struct slice_coder *c)
{
    if (c->codes_transform_size && c->cabac)
        cabac_bin(c->cabac, c->bits, CABAC_TRANSFORM_8X8, 0);
    else if (c->codes_transform_size)
        bits_put(c->bits, 0, 1);
}

/* ---- The coded block pattern ---- */

static bool has_zero_bit(const struct neighbour *n, unsigned quarter)
{
    return n && !(n->pattern >> quarter & 1u);
}

static void put_pattern(struct slice_coder *c, const struct macroblock *m)
{
    const struct neighbour *const now = &m->now;
    const unsigned left = c->left ? c->left->pattern >> 4 : 0, above = c->above ? c->above->pattern >> 4 : 0,
                   chroma = now->pattern >> 4;
    if (!c->cabac) {
        bits_ue(c->bits, avc_pattern_code[m->kind != MB_4X4][now->pattern]);
        return;
    }
    for (unsigned q = 0; q < 4; q++) {
        const bool a = q & 1u ? has_zero_bit(now, q - 1u) : has_zero_bit(c->left, q + 1u),
                   b = q & 2u ? has_zero_bit(now, q - 2u) : has_zero_bit(c->above, q + 2u);
        cabac_bin(c->cabac, c->bits, CONTEXT_PATTERN_LUMA + (a ? 1u : 0u) + (b ? 2u : 0u),
                  now->pattern >> q & 1u);
    }
    cabac_bin(c->cabac, c->bits, CONTEXT_PATTERN_CHROMA + (left ? 1u : 0u) + (above ? 2u : 0u), chroma != 0);
    if (chroma)
        cabac_bin(c->cabac, c->bits,
                  CONTEXT_PATTERN_CHROMA + 4 + (left == 2 ? 1u : 0u) + (above == 2 ? 2u : 0u), chroma == 2);
}

static void put_delta(struct slice_coder *c, const struct macroblock *m)
{
    int32_t delta = (int32_t)m->qp - *c->qp;
    delta += delta > 25 ? -52 : delta < -26 ? 52 : 0;
    *c->qp = m->qp;
    if (!c->cabac) {
        bits_se(c->bits, delta);
        return;
    }
    const uint32_t code = delta > 0 ? 2u * (uint32_t)delta - 1u : 2u * (uint32_t)-delta;
    cabac_bin(c->cabac, c->bits, CONTEXT_DELTA + (*c->delta_before ? 1u : 0u), code > 0);
    for (uint32_t i = 1; i <= code; i++)
        cabac_bin(c->cabac, c->bits, CONTEXT_DELTA + (i == 1 ? 2 : 3), code > i);
    *c->delta_before = delta != 0;
}

/* ---- Residuals ---- */

/* The number of coefficients of the left and upper blocks; -1: not available. */
struct neighbour_counts {
    int left, above;
};

static struct neighbour_counts neighbour_luma(const struct slice_coder *c, const struct macroblock *m,
                                              unsigned place)
{
    const uint8_t *const own = m->now.coefficients;
    return (struct neighbour_counts){place & 3u ? own[place - 1u]
                                     : c->left  ? c->left->coefficients[place + 3u]
                                                : -1,
                                     place >> 2 ? own[place - 4u]
                                     : c->above ? c->above->coefficients[place + 12u]
                                                : -1};
}

static struct neighbour_counts neighbour_chroma(const struct slice_coder *c, const struct macroblock *m,
                                                unsigned first, unsigned i)
{
    const uint8_t *const own = m->now.coefficients + first;
    return (struct neighbour_counts){i & 1u    ? own[i - 1u]
                                     : c->left ? c->left->coefficients[first + i + 1u]
                                               : -1,
                                     i & 2u     ? own[i - 2u]
                                     : c->above ? c->above->coefficients[first + i + 2u]
                                                : -1};
}

static struct neighbour_counts neighbour_dc(const struct slice_coder *c, unsigned flag)
{
    return (struct neighbour_counts){c->left ? (c->left->dc & flag) != 0 : -1,
                                     c->above ? (c->above->dc & flag) != 0 : -1};
}

static void put_block(struct slice_coder *c, const struct macroblock *m, const int32_t *levels,
                      unsigned count, enum block_category category, struct neighbour_counts counts)
{
    const bool intra = is_intra(&m->now);
    if (c->cabac) {
        const bool a = counts.left < 0 ? intra : counts.left > 0,
                   b = counts.above < 0 ? intra : counts.above > 0;
        cabac_block(c->cabac, c->bits, levels, count, category,
                    CONTEXT_CODED + 4u * category + (a ? 1u : 0u) + (b ? 2u : 0u));
        return;
    }
    const int nc = category == BLOCK_CHROMA_DC             ? -1
                   : counts.left >= 0 && counts.above >= 0 ? (counts.left + counts.above + 1) >> 1
                   : counts.left >= 0                      ? counts.left
                   : counts.above >= 0                     ? counts.above
                                                           : 0;
    cavlc_block(c->bits, levels, count, nc);
}

static void put_residual(struct slice_coder *c, const struct macroblock *m)
{
    const bool whole = m->kind == MB_16X16;
    if (whole)
        put_block(c, m, m->levels.luma_dc, 16, BLOCK_LUMA_DC,
                  c->cabac ? neighbour_dc(c, DC_LUMA) : neighbour_luma(c, m, 0));
    for (unsigned block = 0; block < 16; block++) {
        if (!(m->now.pattern >> (block >> 2) & 1u))
            continue;
        const struct neighbour_counts counts = neighbour_luma(c, m, avc_block_place[block]);
        if (whole)
            put_block(c, m, m->levels.luma[block] + 1, 15, BLOCK_LUMA_AC, counts);
        else
            put_block(c, m, m->levels.luma[block], 16, BLOCK_LUMA, counts);
    }
    for (unsigned which = 0; which < 2 && m->now.pattern >> 4; which++)
        put_block(c, m, m->levels.chroma_dc[which], 4, BLOCK_CHROMA_DC,
                  neighbour_dc(c, which ? DC_CR : DC_CB));
    for (unsigned i = 0; i < 8 && m->now.pattern >> 4 == 2; i++)
        put_block(c, m, m->levels.chroma[i >> 2][i & 3u] + 1, 15, BLOCK_CHROMA_AC,
                  neighbour_chroma(c, m, i >> 2 ? CR_BLOCKS : CB_BLOCKS, i & 3u));
}

static void put_pcm(struct slice_coder *c, const struct macroblock *m)
{
    bits_put(c->bits, 0, bits_to_byte(c->bits));
    for (unsigned i = 0; i < 256; i++)
        bits_put(c->bits, m->source[i], 8);
    for (unsigned i = 0; i < 128; i++)
        bits_put(c->bits, m->chroma_source[i >> 6][i & 63u], 8);
    if (c->cabac)
        cabac_start(c->cabac);
}

void avc_write(struct slice_coder *c, const struct macroblock *m)
{
    if (c->predicted)
        put_skip(c, m);
    if (m->kind == MB_SKIPPED) {
        *c->delta_before = false;
        return;
    }
    if (m->kind == MB_INTER)
        put_inter(c, m);
    else
        put_type(c, m);
    if (m->kind == MB_PCM) {
        put_pcm(c, m);
        *c->delta_before = false;
        return;
    }
    if (m->kind == MB_4X4) {
        put_transform_size(c);
        put_modes(c, m);
    }
    if (m->kind != MB_INTER)
        put_chroma_mode(c, m);
    if (m->kind != MB_16X16)
        put_pattern(c, m);
    if (m->kind == MB_INTER && m->now.pattern & 15u)
        put_transform_size(c);
    if (m->kind == MB_16X16 || m->now.pattern) {
        put_delta(c, m);
        put_residual(c, m);
    } else {
        *c->delta_before = false;
    }
}
