/*
 * Rows and squares of depths and stencils: the tests of eight or sixteen pixels, and their stores. Compiled
 * once for each level of vectors; results are those of depth_test (depth.c).
 */
#include "output_merger/pixel_rows.h"
#include "output_merger/vectors.h"

/* A mask of lanes from bits, and back. */
static INLINE vi lanes_of(uint32_t bits, unsigned first)
{
    vi bit = {0};
    for (unsigned n = 0; n < LANES; n++)
        bit[n] = 1 << n;
    return ((int32_t)(bits >> first) & bit) != 0;
}

static INLINE uint32_t bits_of(vi mask, unsigned first)
{
#if HAS_AVX2
    return (uint32_t)_mm256_movemask_ps((__m256)mask) << first;
#else
    uint32_t bits = 0;
    for (unsigned n = 0; n < LANES; n++)
        bits |= (uint32_t)(mask[n] & 1) << n;
    return bits << first;
#endif
}

static INLINE vi choose_bits(vi mask, vi yes, vi no)
{
    return (yes & mask) | (no & ~mask);
}

/* Nothing is less, equal or greater than what is no number. */
static INLINE vi compare(unsigned function, vi less, vi equal, vi greater)
{
    const vi none = {0};
    switch (function & 7u) {
    case 0:
        return ~none;
    case 1:
        return none;
    case 2:
        return less;
    case 3:
        return equal;
    case 4:
        return less | equal;
    case 5:
        return greater;
    case 6:
        return ~equal;
    default:
        return greater | equal;
    }
}

/* ---- Memory ---- */

static INLINE void move_values(uint8_t *const (*pixels)[2], uint32_t right, uint32_t mask, unsigned bytes,
                               uint32_t *values, bool stores)
{
    for (unsigned n = 0; n < MESSAGE_PIXELS; n++) {
        if (!(mask >> n & 1u))
            continue;
        uint8_t *const pixel = pixels[n / SUBSPAN_PIXELS][n >> 1 & 1u] + (n & 1u ? right : 0);
        memcpy(stores ? (void *)pixel : &values[n], stores ? (void *)&values[n] : pixel, bytes);
    }
}

static INLINE void move_depths(const struct depth_row *r, uint32_t mask, uint32_t *values, bool stores)
{
    uint8_t *const(*const pixels)[2] = (uint8_t *const(*)[2])r->depths;
    switch (r->state->depth_format) {
    case DEPTH_D16:
        move_values(pixels, r->depth_right, mask, 2, values, stores);
        break;
    case DEPTH_D24:
    case DEPTH_D24_S8:
        move_values(pixels, r->depth_right, mask, 3, values, stores);
        break;
    default:
        move_values(pixels, r->depth_right, mask, 4, values, stores);
        break;
    }
}

static INLINE void move_stencils(const struct depth_row *r, uint32_t mask, uint32_t *values, bool stores)
{
    move_values((uint8_t *const(*)[2])r->stencils, r->stencil_right, mask, 1, values, stores);
}

/* The values of a square whose depths are lines: in the order of pixels, or to memory in that of lines. */
static INLINE void move_lines(void *to, const void *from)
{
    enum { HALF_BYTES = ROW_PIXELS * sizeof(uint32_t) };
    for (unsigned half = 0; half < 2; half++)
        move_half_square((uint8_t *)to + half * HALF_BYTES, (const uint8_t *)from + half * HALF_BYTES);
}

/* ---- Values ---- */

static INLINE vu depth_value(unsigned format, vf depth)
{
    const vf part = less_of(greater_of(depth, splat(0)), splat(1));
    typedef double vd __attribute__((vector_size(LANES * 8)));
    typedef uint64_t vq __attribute__((vector_size(LANES * 8)));
    switch (format) {
    case DEPTH_D16:
        return scale_to_integer(part, D16_MOST) & D16_MOST;
    case DEPTH_D24:
    case DEPTH_D24_S8: {
        const vd whole = __builtin_convertvector(part, vd) * (double)D24_MOST + 0x1p52;
        return __builtin_convertvector((vq)whole, vu) & D24_MOST;
    }
    default:
        return (vu)depth;
    }
}

static INLINE vi depth_passes(unsigned format, unsigned function, vu value, vu there)
{
    const vf a = (vf)value, b = (vf)there;
    const vi i = (vi)value, j = (vi)there;
    if (format == DEPTH_D32 || format == DEPTH_D32_S8)
        return compare(function, a<b, a == b, a> b);
    return compare(function, i<j, i == j, i> j);
}

static INLINE vi stencil_changed(unsigned operation, vi value, int32_t reference)
{
    enum { ZERO = 1, REPLACE, INCREASE_TO_MOST, DECREASE_TO_LEAST, INCREASE, DECREASE, INVERT };
    switch (operation & 7u) {
    case ZERO:
        return (vi){0};
    case REPLACE:
        return reference - (vi){0};
    case INCREASE_TO_MOST:
        return value - (value < UINT8_MAX);
    case DECREASE_TO_LEAST:
        return value + (value > 0);
    case INCREASE:
        return (value + 1) & UINT8_MAX;
    case DECREASE:
        return (value - 1) & UINT8_MAX;
    case INVERT:
        return ~value & UINT8_MAX;
    default:
        return value;
    }
}

/* The stencil of the lanes after the tests. */
static INLINE vi stencil_after(const struct stencil_side *side, vi stencil, vi stencil_passes, vi passes)
{
    const vi to = choose_bits(stencil_passes,
                              choose_bits(passes, stencil_changed(side->pass_op, stencil, side->reference),
                                          stencil_changed(side->depth_fail_op, stencil, side->reference)),
                              stencil_changed(side->fail_op, stencil, side->reference));
    return (to & side->write_mask) | (stencil & ~(int32_t)side->write_mask);
}

/* Tests `count` pixels; `lines`: the depths are lines, and there are no stencils. */
static INLINE bool test_pixels(struct depth_row *r, unsigned count, bool lines)
{
    const struct depth_stencil *const s = r->state;
    const struct stencil_side *const side = r->side;
    const bool has_stencils = !lines && r->has_stencil, is_24_bits = s->depth_format == DEPTH_D24;
    uint32_t depths[MESSAGE_PIXELS] = {0}, stencils[MESSAGE_PIXELS] = {0};
    if (lines)
        move_lines(depths, r->depths[0][0]);
    else if (r->has_depth)
        move_depths(r, r->has_depth, depths, false);
    if (has_stencils)
        move_stencils(r, r->has_stencil, stencils, false);
    r->depth_passed = r->stencil_passed = (1u << count) - 1u;
    r->stored_depth = r->stored_stencil = 0;
    for (unsigned first = 0; first < count; first += LANES) {
        const vf depth = load_lanes(r->depth + first), least = splat(r->range[0]), most = splat(r->range[1]),
                 limited = choose(depth > most, most, choose(depth > least, depth, least));
        vu value = depth_value(s->depth_format, limited);
        const vu before = (vu)load_lanes(depths + first),
                 there = lines && is_24_bits ? before & D24_MOST : before;
        const vi has_depth = lanes_of(r->has_depth, first), has_stencil = lanes_of(r->has_stencil, first);
        vi stencil_passes = ~(vi){0}, passes = ~(vi){0};
        if (has_stencils) {
            const int32_t reference = side->reference & side->test_mask;
            const vi masked = (vi)load_lanes(stencils + first) & side->test_mask;
            stencil_passes =
                compare(side->test_function, reference<masked, reference == masked, reference> masked) |
                ~has_stencil;
        }
        if (s->depth_test_enable)
            passes = depth_passes(s->depth_format, s->depth_test_function, value, there) | ~has_depth;
        if (has_stencils && s->stencil_write_enable) {
            const vi stencil = (vi)load_lanes(stencils + first),
                     after = stencil_after(side, stencil, stencil_passes, passes);
            r->stored_stencil |= bits_of((after != stencil) & has_stencil, first);
            memcpy(stencils + first, &after, sizeof after);
        }
        if (s->depth_write_enable) {
            const vi stored = stencil_passes & passes & has_depth;
            r->stored_depth |= bits_of(stored, first);
            if (lines && is_24_bits)
                value |= before & ~(uint32_t)D24_MOST;
            if (lines)
                value = (vu)choose_bits(stored, (vi)value, (vi)before);
            memcpy(depths + first, &value, sizeof value);
        }
        const uint32_t others = ~(((1u << LANES) - 1u) << first);
        r->stencil_passed &= has_stencils ? bits_of(stencil_passes, first) | others : UINT32_MAX;
        r->depth_passed &= bits_of(passes, first) | others;
    }
    if (r->stored_depth & ~r->may_store_depth || r->stored_stencil & ~r->may_store_stencil)
        return false;
    if (has_stencils && r->stored_stencil)
        move_stencils(r, r->stored_stencil, stencils, true);
    if (r->stored_depth && lines)
        move_lines(r->depths[0][0], depths);
    else if (r->stored_depth)
        move_depths(r, r->stored_depth, depths, true);
    return true;
}

#if HAS_AVX2
/* Half of a square's lines, in the order of pixels. */
static INLINE vu load_half_square(const uint8_t *from)
{
    uint32_t values[ROW_PIXELS];
    vu v;
    move_half_square((uint8_t *)values, from);
    memcpy(&v, values, sizeof v);
    return v;
}

/* All pixels of a square whose depths are lines, without stencils. */
static INLINE void test_lines(struct depth_row *r, unsigned format)
{
    const struct depth_stencil *const s = r->state;
    const vf least = splat(r->range[0]), most = splat(r->range[1]);
    const vu kept = splat_bits(format == DEPTH_D24 ? ~(uint32_t)D24_MOST : 0);
    r->stencil_passed = UINT16_MAX;
    r->depth_passed = r->stored_depth = r->stored_stencil = 0;
#pragma GCC unroll 2
    for (unsigned first = 0; first < MESSAGE_PIXELS; first += LANES) {
        uint8_t *const lines = r->depths[0][0] + first * sizeof(uint32_t);
        const vf depth = load_lanes(r->depth + first),
                 limited = choose(depth > most, most, choose(depth > least, depth, least));
        const vu value = depth_value(format, limited), before = load_half_square(lines);
        const vi passes = s->depth_test_enable
                              ? depth_passes(format, s->depth_test_function, value, before & ~kept)
                              : ~(vi){0};
        const uint32_t bits = bits_of(passes, 0);
        r->depth_passed |= bits << first;
        if (!bits || !s->depth_write_enable)
            continue;
        const vu after = (vu)choose_bits(passes, (vi)(value | (before & kept)), (vi)before);
        move_half_square(lines, (const uint8_t *)&after);
        r->stored_depth |= bits << first;
    }
}
#endif

bool OF_LEVEL(depth_row_test)(struct depth_row *r)
{
    if (!r->is_square)
        return test_pixels(r, ROW_PIXELS, false);
#if HAS_AVX2
    if (r->has_depth_lines && r->has_depth == UINT16_MAX && !r->has_stencil &&
        r->may_store_depth == UINT16_MAX) {
        if (r->state->depth_format == DEPTH_D24)
            test_lines(r, DEPTH_D24);
        else if (r->state->depth_format == DEPTH_D32)
            test_lines(r, DEPTH_D32);
        if (r->state->depth_format == DEPTH_D24 || r->state->depth_format == DEPTH_D32)
            return true;
    }
#endif
    return r->has_depth_lines && r->has_depth && !r->has_stencil ? test_pixels(r, MESSAGE_PIXELS, true)
                                                                 : test_pixels(r, MESSAGE_PIXELS, false);
}
