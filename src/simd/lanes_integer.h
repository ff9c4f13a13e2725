/*
 * Lane handlers: operands of any type and nearly any region, up to 32 channels. Sources are loaded into
 * lanes: 64-bit integers, floats or doubles. Results are converted to the destination's type. simd/lanes.h
 * includes this.
 */

enum { LANE_PARTS = EU_MAX_CHANNELS / PART_LANES };
typedef int64_t wide_part __attribute__((vector_size(64)));
typedef uint64_t wide_unsigned_part __attribute__((vector_size(64)));
typedef double double_part __attribute__((vector_size(64)));
typedef float float_part __attribute__((vector_size(32)));
typedef int32_t word_part __attribute__((vector_size(32)));
typedef uint32_t word_unsigned_part __attribute__((vector_size(32)));
typedef int16_t half_part __attribute__((vector_size(16)));
typedef uint16_t half_unsigned_part __attribute__((vector_size(16)));
typedef int8_t byte_part __attribute__((vector_size(8)));
typedef uint8_t byte_unsigned_part __attribute__((vector_size(8)));

/* The values of all channels, as lanes of one of the types. */
union lanes {
    wide_part w[LANE_PARTS];
    wide_unsigned_part u[LANE_PARTS];
    double_part d[LANE_PARTS];
    float_part f[LANE_PARTS];
    word_part b[LANE_PARTS]; /* masks of floats */
    int64_t i[EU_MAX_CHANNELS];
    double real[EU_MAX_CHANNELS];
    int32_t bits[EU_MAX_CHANNELS];
};

#define FOR_EACH_PART(op) for (unsigned part = 0, parts = ((op)->channels + 7u) / 8u; part < parts; part++)

/* ---- Masks of lanes ---- */

static INLINE uint32_t wide_signs(const union lanes *x, unsigned part)
{
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)x->w[part]);
#elif defined(__AVX__)
    __m256d low, high;
    memcpy(&low, &x->i[part * PART_LANES], sizeof low);
    memcpy(&high, &x->i[part * PART_LANES + 4], sizeof high);
    return (uint32_t)_mm256_movemask_pd(low) | (uint32_t)_mm256_movemask_pd(high) << 4;
#else
    uint32_t bits = 0;
    for (unsigned n = 0; n < PART_LANES; n += 2) {
        __m128d two;
        memcpy(&two, &x->i[part * PART_LANES + n], sizeof two);
        bits |= (uint32_t)_mm_movemask_pd(two) << n;
    }
    return bits;
#endif
}

static INLINE uint32_t float_signs(const union lanes *x, unsigned part)
{
#if defined(__AVX__)
    __m256 all;
    memcpy(&all, &x->bits[part * PART_LANES], sizeof all);
    return (uint32_t)_mm256_movemask_ps(all);
#else
    __m128 low, high;
    memcpy(&low, &x->bits[part * PART_LANES], sizeof low);
    memcpy(&high, &x->bits[part * PART_LANES + 4], sizeof high);
    return (uint32_t)_mm_movemask_ps(low) | (uint32_t)_mm_movemask_ps(high) << 4;
#endif
}

/* All ones in the lanes whose channel's bit is set. */
static INLINE void wide_mask(uint32_t bits, unsigned part, wide_part *mask)
{
    static const wide_part which = {1, 2, 4, 8, 16, 32, 64, 128};
    *mask = (wide_part)(((wide_part){0} + (int64_t)(bits >> part * PART_LANES)) & which) != 0;
}

static INLINE void word_mask(uint32_t bits, unsigned part, word_part *mask)
{
    static const word_part which = {1, 2, 4, 8, 16, 32, 64, 128};
    *mask = (word_part)(((word_part){0} + (int32_t)(bits >> part * PART_LANES)) & which) != 0;
}

/* ---- Sources ---- */

/* A source's elements as contiguous bytes, for whole parts. */
static INLINE const uint8_t *row_of(const struct eu_run *r, const struct eu_decoded *op,
                                    const struct eu_region *p, uint8_t *room)
{
    const uint8_t *const from = r->t->grf + p->first_byte;
    if (p->layout == LAYOUT_CONTIGUOUS)
        return from;
    switch (p->element_bytes) {
    case 1:
        gather_elements(p, from, op->channels, 1, room);
        break;
    case 2:
        gather_elements(p, from, op->channels, 2, room);
        break;
    case 4:
        gather_elements(p, from, op->channels, 4, room);
        break;
    default:
        gather_elements(p, from, op->channels, 8, room);
        break;
    }
    return room;
}

/* ---- Integers ---- */

static INLINE int64_t extended(uint64_t bits, const struct eu_region *p)
{
    const unsigned above = 64u - 8u * p->element_bytes;
    return p->is_signed ? (int64_t)(bits << above) >> above : (int64_t)(bits << above >> above);
}

static INLINE void all_wide(const struct eu_decoded *op, int64_t x, union lanes *to)
{
    FOR_EACH_PART(op)
        to->w[part] = (wide_part){0} + x;
}

#define WIDEN(type)                                                                                          \
    FOR_EACH_PART(op) {                                                                                      \
        type x;                                                                                              \
        memcpy(&x, from + part * sizeof x, sizeof x);                                                        \
        to->w[part] = __builtin_convertvector(x, wide_part);                                                 \
    }

/* The same in two steps: compilers find instructions for each. */
#define WIDEN_TWICE(type)                                                                                    \
    FOR_EACH_PART(op) {                                                                                      \
        type x;                                                                                              \
        memcpy(&x, from + part * sizeof x, sizeof x);                                                        \
        to->w[part] = __builtin_convertvector(__builtin_convertvector(x, word_part), wide_part);             \
    }

static INLINE void widen(const struct eu_decoded *op, unsigned type, const uint8_t *from, union lanes *to)
{
    switch (type) {
    case TYPE_UB:
        WIDEN_TWICE(byte_unsigned_part)
        break;
    case TYPE_B:
        WIDEN_TWICE(byte_part)
        break;
    case TYPE_UW:
        WIDEN_TWICE(half_unsigned_part)
        break;
    case TYPE_W:
        WIDEN_TWICE(half_part)
        break;
    case TYPE_UD:
        WIDEN(word_unsigned_part)
        break;
    case TYPE_D:
        WIDEN(word_part)
        break;
    default:
        WIDEN(wide_part)
        break;
    }
}

/* Loads accumulators: a register has eight channels of 64 bits. */
static INLINE void accumulators_of(const struct eu_run *r, const struct eu_decoded *op,
                                   const struct eu_region *p, union lanes *to)
{
    if (p->layout == LAYOUT_CONTIGUOUS) {
        FOR_EACH_PART(op)
            memcpy(&to->w[part], r->t->accumulator[p->first_byte / EU_REGISTER_BYTES + part],
                   sizeof to->w[part]);
        return;
    }
    for (unsigned n = 0; n < op->channels; n++) {
        const uint64_t *const a =
            eu_accumulator(r->t, p->first_byte + element_of(p, n) * p->element_bytes, p->element_bytes);
        to->i[n] = a ? (int64_t)*a : 0;
    }
}

/* Stores the enabled channels to accumulators, from the register at `at` on. */
static INLINE void set_accumulators(struct eu_run *r, const struct eu_decoded *op, unsigned at, unsigned step,
                                    bool is_row, uint32_t on, const union lanes *v)
{
    if (is_row) {
        FOR_EACH_PART(op) {
            uint64_t *const to = r->t->accumulator[at / EU_REGISTER_BYTES + part];
            wide_part mask, before;
            wide_mask(on, part, &mask);
            memcpy(&before, to, sizeof before);
            before = (v->w[part] & mask) | (before & ~mask);
            memcpy(to, &before, sizeof before);
        }
        return;
    }
    for (; on; on &= on - 1u) {
        const unsigned n = (unsigned)__builtin_ctz(on);
        uint64_t *const a = eu_accumulator(r->t, at + n * step, op->dst.element_bytes);
        if (a)
            *a = (uint64_t)v->i[n];
    }
}

static void load_integers(const struct eu_run *r, const struct eu_decoded *op, unsigned which, bool bitwise,
                          union lanes *to)
{
    const struct eu_region *const p = &op->src[which];
    uint8_t room[EU_MAX_CHANNELS * 8];
    uint64_t one = p->immediate;
    if (p->type == TYPE_V || p->type == TYPE_UV) {
        static const wide_unsigned_part above = {60, 56, 52, 48, 44, 40, 36, 32};
        const wide_unsigned_part high = ((wide_unsigned_part){0} + one) << above;
        FOR_EACH_PART(op) {
            if (p->type == TYPE_V)
                to->w[part] = (wide_part)high >> 60;
            else
                to->u[part] = high >> 60;
        }
    } else if (p->file == OPERAND_ACCUMULATOR) {
        accumulators_of(r, op, p, to);
        FOR_EACH_PART(op) {
            if (p->is_signed)
                to->w[part] = (wide_part)(to->u[part] << 32) >> 32;
            else
                to->w[part] &= UINT32_MAX;
        }
    } else if (p->layout == LAYOUT_SCALAR) {
        if (p->file == OPERAND_GRF)
            memcpy(&one, r->t->grf + p->first_byte, 8);
        all_wide(op, extended(one, p), to);
    } else {
        widen(op, p->type, row_of(r, op, p, room), to);
    }
    if (p->absolute && p->is_signed && !bitwise)
        FOR_EACH_PART(op)
            to->u[part] = (to->u[part] ^ (wide_unsigned_part)(to->w[part] >> 63)) -
                          (wide_unsigned_part)(to->w[part] >> 63);
    if (p->negate)
        FOR_EACH_PART(op)
            to->u[part] = bitwise ? ~to->u[part] : -to->u[part];
}

/* Stores the enabled channels to the destination. */
static void store_elements(struct eu_run *r, const struct eu_decoded *op, uint32_t on, const uint8_t *from,
                           unsigned step)
{
    uint8_t *const to = r->t->grf + op->dst.first_byte;
    const unsigned bytes = op->dst.element_bytes, stride = op->dst.hstride * bytes;
    for (; on; on &= on - 1u) {
        const unsigned n = (unsigned)__builtin_ctz(on);
        const uint8_t *const x = from + n * step;
        switch (bytes) {
        case 1:
            to[n * stride] = *x;
            break;
        case 2:
            memcpy(to + n * stride, x, 2);
            break;
        case 4:
            memcpy(to + n * stride, x, 4);
            break;
        default:
            memcpy(to + n * stride, x, 8);
            break;
        }
    }
}

#define NARROW(type)                                                                                         \
    FOR_EACH_PART(op) {                                                                                      \
        const type x = __builtin_convertvector(v->w[part], type);                                            \
        memcpy(to + part * sizeof x, &x, sizeof x);                                                          \
    }

static INLINE void store_integers(struct eu_run *r, const struct eu_decoded *op, uint32_t on,
                                  const union lanes *v)
{
    if (op->dst.file == OPERAND_NULL)
        return;
    if (op->dst.file == OPERAND_ACCUMULATOR) {
        set_accumulators(r, op, op->dst.first_byte, op->dst.hstride * op->dst.element_bytes,
                         op->dst.layout == LAYOUT_CONTIGUOUS, on, v);
        return;
    }
    uint8_t *const to = r->t->grf + op->dst.first_byte;
    const bool is_row =
        op->dst.layout == LAYOUT_CONTIGUOUS &&
        on << (32u - op->channels) >> (32u - op->channels) == UINT32_MAX >> (32u - op->channels);
    if (!is_row || op->channels % PART_LANES) {
        store_elements(r, op, on, (const uint8_t *)v->i, 8);
        return;
    }
    switch (op->dst.element_bytes) {
    case 1:
        NARROW(byte_part)
        break;
    case 2:
        NARROW(half_part)
        break;
    case 4:
        NARROW(word_part)
        break;
    default:
        NARROW(wide_part)
        break;
    }
}

static INLINE uint32_t condition_of(unsigned condition, uint32_t zero, uint32_t less)
{
    switch (condition) {
    case 1:
        return zero;
    case 2:
        return ~zero;
    case 3:
        return ~(less | zero);
    case 4:
        return ~less;
    case 5:
        return less;
    default:
        return less | zero;
    }
}

/* The mask of channels where the comparison holds. */
static INLINE uint32_t integers_hold(const struct eu_decoded *op, const union lanes *a, const union lanes *b,
                                     bool is_unsigned)
{
    uint32_t zero = 0, less = 0;
    union lanes is;
    FOR_EACH_PART(op) {
        is.w[part] = (wide_part)(a->w[part] == b->w[part]);
        zero |= wide_signs(&is, part) << part * PART_LANES;
        is.w[part] =
            is_unsigned ? (wide_part)(a->u[part] < b->u[part]) : (wide_part)(a->w[part] < b->w[part]);
        less |= wide_signs(&is, part) << part * PART_LANES;
    }
    return condition_of(op->condition, zero, less);
}

static INLINE void choose_wide(const struct eu_decoded *op, uint32_t first, const union lanes *a,
                               const union lanes *b, union lanes *to)
{
    FOR_EACH_PART(op) {
        wide_part mask;
        wide_mask(first, part, &mask);
        to->w[part] = (a->w[part] & mask) | (b->w[part] & ~mask);
    }
}

static void accumulate_lanes(struct eu_run *r, const struct eu_decoded *op, uint32_t on, const union lanes *v)
{
    if (!(r->t->cr0[0] & CR0_ACC_DISABLE))
        set_accumulators(r, op, 0, op->dst.element_bytes,
                         op->dst.element_bytes == 4 && op->channels % PART_LANES == 0, on, v);
}

/* Truncates and extends results to the destination's type. */
static INLINE void extend_lanes(const struct eu_decoded *op, union lanes *v)
{
    const unsigned above = 64u - 8u * op->dst.element_bytes;
    FOR_EACH_PART(op) {
        if (op->dst.is_signed)
            v->w[part] = (wide_part)(v->u[part] << above) >> above;
        else
            v->u[part] = (v->u[part] << above) >> above;
    }
}

static INLINE void clamp_lanes(const struct eu_decoded *op, union lanes *v)
{
    const unsigned bits = 8u * op->dst.element_bytes;
    const int64_t max = op->dst.is_signed ? (INT64_C(1) << (bits - 1u)) - 1 : (INT64_C(1) << bits) - 1,
                  min = op->dst.is_signed ? -max - 1 : 0;
    FOR_EACH_PART(op) {
        const wide_part over = (wide_part)(v->w[part] > max), under = (wide_part)(v->w[part] < min);
        v->w[part] = (v->w[part] & ~over & ~under) | (over & max) | (under & min);
    }
}

#define PARTS_ARE(value)                                                                                     \
    FOR_EACH_PART(op) {                                                                                      \
        const wide_unsigned_part a = s[0].u[part], b = s[1].u[part], c = s[2].u[part];                       \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        v.u[part] = (value);                                                                                 \
    }
#define LANES_ARE(value)                                                                                     \
    for (unsigned n = 0; n < op->channels; n++) {                                                            \
        const uint32_t a = (uint32_t)s[0].i[n], b = (uint32_t)s[1].i[n], c = (uint32_t)s[2].i[n];            \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        v.i[n] = (value);                                                                                    \
    }

static INLINE int64_t field_of(uint32_t width, uint32_t offset, uint32_t x, bool is_signed)
{
    width &= 31u;
    offset &= 31u;
    if (!width)
        return 0;
    const unsigned above = width + offset < 32 ? 32u - width - offset : 0,
                   below = width + offset < 32 ? 32u - width : offset;
    return is_signed ? (int32_t)(x << above) >> below : (int64_t)(x << above >> below);
}

static INLINE uint32_t reversed(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

#include "simd/lanes_accumulator.h"

/* ---- Handlers ---- */

static INLINE void load_integer_sources(const struct eu_run *r, const struct eu_decoded *op, bool bitwise,
                                        union lanes *s)
{
    for (unsigned n = 0; n < op->source_count; n++)
        load_integers(r, op, n, bitwise, &s[n]);
}

/* Writes results to the destination, and to flags and accumulators as the instruction says. */
static INLINE void put_integers(struct eu_run *r, const struct eu_decoded *op, uint32_t on, union lanes *v,
                                bool accumulates, bool sets_flags)
{
    uint32_t flags = 0;
    if (op->saturate)
        clamp_lanes(op, v);
    else if (sets_flags || accumulates)
        extend_lanes(op, v);
    if (sets_flags) {
        const union lanes zero = {0};
        flags = integers_hold(op, v, &zero, op->dst.type == TYPE_UQ);
    }
    if (accumulates)
        accumulate_lanes(r, op, on, v);
    store_integers(r, op, on, v);
    if (sets_flags)
        set_flags(r->t, op, on, flags);
}

/* Operations that the host's vectors support. */
static struct eu_decoded *any_integer_vectors(struct eu_run *r, struct eu_decoded *op)
{
    const bool bitwise =
        op->opcode == EU_AND || op->opcode == EU_OR || op->opcode == EU_XOR || op->opcode == EU_NOT;
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    const uint64_t shift_mask = op->simd.is_wide ? 63 : 31;
    union lanes s[3], v;
    load_integer_sources(r, op, bitwise, s);
    switch (op->opcode) {
    case EU_MOV:
        PARTS_ARE(a)
        break;
    case EU_NOT:
        PARTS_ARE(~a)
        break;
    case EU_AND:
        PARTS_ARE(a & b)
        break;
    case EU_OR:
        PARTS_ARE(a | b)
        break;
    case EU_XOR:
        PARTS_ARE(a ^ b)
        break;
    case EU_ADD:
        PARTS_ARE(a + b)
        break;
    case EU_ADD3:
        PARTS_ARE(a + b + c)
        break;
    case EU_MUL:
        PARTS_ARE(a * b)
        break;
    case EU_MAD:
        PARTS_ARE(a + b * c)
        break;
    case EU_SHL:
        PARTS_ARE(a << (b & shift_mask))
        break;
    case EU_SHR: {
        const uint64_t below = op->src[0].element_bytes == 8   ? UINT64_MAX
                               : op->src[0].element_bytes == 4 ? UINT32_MAX
                                                               : UINT16_MAX;
        PARTS_ARE((a & below) >> (b & shift_mask))
        break;
    }
    default: /* asr */
        PARTS_ARE((wide_unsigned_part)((wide_part)a >> (wide_part)(b & shift_mask)))
        break;
    }
    put_integers(r, op, on, &v, op->acc_write, op->condition != 0);
    return eu_next_decoded(op);
}

/* Bit operations on 32-bit integers, one channel at a time. */
static struct eu_decoded *any_integer_bits(struct eu_run *r, struct eu_decoded *op)
{
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    union lanes s[3], v;
    load_integer_sources(r, op, false, s);
    switch (op->opcode) {
    case EU_ROL:
        LANES_ARE(rotated(a, b))
        break;
    case EU_ROR:
        LANES_ARE(rotated(a, -b))
        break;
    case EU_BFN:
        LANES_ARE(0)
        for (unsigned n = 0; n < 8; n++)
            if (op->function >> n & 1u)
                FOR_EACH_PART(op)
                    v.w[part] |= (n & 1u ? s[0].w[part] : ~s[0].w[part]) &
                                 (n & 2u ? s[1].w[part] : ~s[1].w[part]) &
                                 (n & 4u ? s[2].w[part] : ~s[2].w[part]);
        break;
    case EU_BFREV:
        LANES_ARE(reversed(a))
        break;
    case EU_BFE:
        LANES_ARE(field_of(a, b, c, op->src[2].is_signed))
        break;
    case EU_BFI1:
        LANES_ARE((uint32_t)(((UINT32_C(1) << (a & 31u)) - 1u) << (b & 31u)))
        break;
    case EU_BFI2:
        LANES_ARE((b << (a ? __builtin_ctz(a) : 0) & a) | (c & ~a))
        break;
    case EU_LZD:
        LANES_ARE(a ? __builtin_clz(a) : 32)
        break;
    case EU_FBH: {
        const bool is_signed = op->src[0].is_signed;
        LANES_ARE((is_signed && a >> 31 ? ~a : a) ? __builtin_clz(is_signed && a >> 31 ? ~a : a)
                                                  : (int64_t)UINT32_MAX)
        break;
    }
    case EU_FBL:
        LANES_ARE(a ? __builtin_ctz(a) : (int64_t)UINT32_MAX)
        break;
    default: { /* cbit */
        const unsigned above = 32u - 8u * op->src[0].element_bytes;
        LANES_ARE(__builtin_popcount(a << above))
        break;
    }
    }
    put_integers(r, op, on, &v, op->acc_write, op->condition != 0);
    return eu_next_decoded(op);
}

/* sel, csel, cmp */
static struct eu_decoded *any_integer_choice(struct eu_run *r, struct eu_decoded *op)
{
    const bool is_unsigned = op->simd.is_wide, by_predicate = op->opcode == EU_SEL && !op->condition;
    const uint32_t enabled = by_predicate ? (r->t->execution_mask | op->unmasked) & op->channel_mask
                                          : eu_enabled_channels(r->t, op);
    const uint32_t on = enabled >> op->first_channel;
    union lanes s[3], v;
    uint32_t holds;
    load_integer_sources(r, op, false, s);
    if (op->opcode == EU_CMP) {
        holds = integers_hold(op, &s[0], &s[1], is_unsigned);
        FOR_EACH_PART(op)
            wide_mask(holds, part, &v.w[part]);
        store_integers(r, op, on, &v);
        set_flags(r->t, op, on, holds);
        return eu_next_decoded(op);
    }
    if (op->opcode == EU_CSEL) {
        v = (union lanes){0};
        holds = integers_hold(op, &s[2], &v, false);
    } else if (by_predicate) {
        holds = op->predicate ? eu_predicate_mask(r->t, op) >> op->first_channel : UINT32_MAX;
    } else {
        holds = integers_hold(op, &s[0], &s[1], is_unsigned);
    }
    choose_wide(op, holds, &s[0], &s[1], &v);
    put_integers(r, op, on, &v, op->acc_write, false);
    return eu_next_decoded(op);
}

/* mach, addc, subb: operations that also write the accumulator. */
static struct eu_decoded *any_integer_accumulated(struct eu_run *r, struct eu_decoded *op)
{
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    union lanes s[3] = {0}, v;
    load_integer_sources(r, op, false, s);
    if (op->opcode == EU_MACH)
        multiply_high(r, op, s, &v);
    else
        carry(r, op, on, s, &v);
    put_integers(r, op, on, &v, false, op->condition != 0);
    return eu_next_decoded(op);
}
