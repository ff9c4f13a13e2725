#include "eu/code.h"

#include <stddef.h>

/*
 * A run's code (translate.c): each instruction loads what is not in a vector register yet, computes, and
 * stores.
 */

#if defined(__x86_64__) && !defined(__ILP32__)

enum {
    LANES = 8,
    MASK_VECTORS = 4, /* the last ones: of the thread's channels, eight each */
};

/* Where the area begins: shift counts that bring a channel's bit to the highest; then the numbers below. */
enum {
    SHIFTS_AT = 0,
    NUMBERS_AT = 4 * LANES * 4,
    NUMBER_31 = 0,
    NUMBER_SIGN,
    NUMBER_ONES,
    NUMBERS,
};
static const uint32_t numbers[NUMBERS] = {
    [NUMBER_31] = 31, [NUMBER_SIGN] = UINT32_C(1) << 31, [NUMBER_ONES] = UINT32_MAX};

enum { T_RUN = X86_DI, T_OP = X86_SI, T_LEFT = X86_DX, T_ACTIVE = X86_R9, T_THREAD = X86_R10 };

static struct x86_from in_registers(unsigned at)
{
    return x86_at(T_THREAD, offsetof(struct eu_thread, grf) + at);
}

static struct x86_from in_op(const struct translation *t, const void *p)
{
    return x86_at(T_OP, (size_t)((const uint8_t *)p - (const uint8_t *)t->ops[0]));
}

/* ---- Vector registers ---- */

static unsigned vectors_of(const struct translation *t)
{
    return t->masked ? VECTORS - MASK_VECTORS : VECTORS;
}

/* One that this instruction may write: the one that was not needed for longest. */
static unsigned take(struct translation *t)
{
    unsigned best = VECTORS;
    for (unsigned n = 0; n < vectors_of(t); n++) {
        const struct vector *const v = &t->vectors[n];
        if (v->busy)
            continue;
        if (best == VECTORS || !v->held || (t->vectors[best].held && v->used < t->vectors[best].used))
            best = n;
        if (!v->held)
            break;
    }
    if (best == VECTORS) { /* cannot be: an instruction has less */
        t->x.full = true;
        best = 0;
    }
    t->vectors[best] = (struct vector){.busy = true, .used = ++t->clock};
    return best;
}

static unsigned held(struct translation *t, enum held how, uint32_t what)
{
    for (unsigned n = 0; n < vectors_of(t); n++) {
        struct vector *const v = &t->vectors[n];
        if (v->held == how && v->what == what) {
            v->busy = true;
            v->used = ++t->clock;
            return n;
        }
    }
    return VECTORS;
}

static unsigned loaded(struct translation *t, enum held how, uint32_t what, enum x86_vector load,
                       struct x86_from from)
{
    unsigned n = held(t, how, what);
    if (n < VECTORS)
        return n;
    n = take(t);
    t->vectors[n].held = (uint8_t)how;
    t->vectors[n].what = what;
    x86_vector(&t->x, load, n, X86_UNUSED, from);
    return n;
}

static unsigned number(struct translation *t, unsigned which)
{
    return loaded(t, HELD_NUMBER, which, X86_BROADCAST, x86_at(X86_IP, NUMBERS_AT + which * 4u));
}

static void let_go(struct translation *t)
{
    for (unsigned n = 0; n < VECTORS; n++)
        t->vectors[n].busy = false;
}

/* Registers are written there: what was read of them is no more. */
static void forget(struct translation *t, unsigned at, unsigned bytes)
{
    for (unsigned n = 0; n < VECTORS; n++) {
        struct vector *const v = &t->vectors[n];
        const unsigned size = v->held == HELD_ROW ? LANES * 4u : v->held == HELD_ONE ? 4u : 0u;
        if (size && v->what < at + bytes && v->what + size > at)
            v->held = HELD_NOTHING;
    }
}

static void forget_all(struct translation *t)
{
    memset(t->vectors, 0, sizeof t->vectors);
}

/* ---- Operands ---- */

static unsigned parts_of(const struct eu_op *op)
{
    return op->channels > LANES ? 2u : 1u;
}

static struct x86_from in_accumulator(unsigned which, unsigned half)
{
    return x86_at(T_THREAD, offsetof(struct eu_thread, accumulators) +
                                which * sizeof *((struct eu_thread *)NULL)->accumulators + half * LANES * 4u);
}

/* Eight channels of 64 bits, of which floats have the low halves. */
static unsigned accumulator(struct translation *t, unsigned which)
{
    enum { EVEN_LANES = 0x88, HALVES_BY_TURNS = 0xd8 };
    unsigned n = held(t, HELD_ACCUMULATOR, which);
    if (n < VECTORS)
        return n;
    n = take(t);
    t->vectors[n].held = HELD_ACCUMULATOR;
    t->vectors[n].what = which;
    x86_vector(&t->x, X86_LOAD, n, X86_UNUSED, in_accumulator(which, 0));
    x86_vector_byte(&t->x, X86_PICK, n, n, in_accumulator(which, 1), EVEN_LANES);
    x86_vector_byte(&t->x, X86_ORDER_QWORDS, n, X86_UNUSED, x86_in(n), HALVES_BY_TURNS);
    return n;
}

static unsigned source(struct translation *t, const struct eu_op *op, unsigned n, unsigned part)
{
    if (op->src[n].way == WAY_ACCUMULATOR)
        return accumulator(t, op->from[n] / EU_REGISTER_BYTES + part);
    const bool is_one = op->scalars >> n & 1u || op->channels == 1;
    if (op->fixed_bits >> n & 1u)
        return loaded(t, HELD_FIXED, op->fixed[n], X86_BROADCAST, in_op(t, &op->fixed[n]));
    if (is_one)
        return loaded(t, HELD_ONE, op->from[n], X86_BROADCAST, in_registers(op->from[n]));
    const unsigned at = op->from[n] + part * LANES * 4u;
    return loaded(t, HELD_ROW, at, X86_LOAD, in_registers(at));
}

/* Bit of its dword where the instruction's flags begin; of 32 channels the dword goes round. */
static unsigned flags_bit(const struct eu_op *op)
{
    return (16u * (op->flag & 1u) + op->first) & 31u;
}

static struct x86_from flags_at(const struct eu_op *op)
{
    return x86_at(T_THREAD, offsetof(struct eu_thread, flags) + (op->flag & 2u) * 2u +
                                (op->channels > 16 ? 0 : flags_bit(op) / 8u));
}

/* Bits to CX, those of channels that are on in the lowest; what is above the instruction's channels is any.
 * False: all are. */
static bool bits_on(struct translation *t, const struct eu_op *op, bool with_active, bool with_predicate)
{
    struct x86 *const x = &t->x;
    bool some = false;
    if (with_predicate && op->predicate) {
        x86_general(x,
                    op->channels > 16  ? X86_LOAD_DWORD
                    : op->channels > 8 ? X86_LOAD_WORD
                                       : X86_LOAD_BYTE,
                    X86_CX, flags_at(op));
        if (op->channels > 16 && op->flag & 1u)
            x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_ROL, x86_in(X86_CX), 16);
        if (op->channels == 1 && flags_bit(op) % 8u)
            x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_SHR, x86_in(X86_CX), flags_bit(op) % 8u);
        if (op->invert)
            x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_CX, UINT32_MAX);
        some = true;
    }
    if (with_active && !op->no_mask) {
        if (!op->first) {
            x86_general(x, some ? X86_BITS_AND : X86_LOAD_DWORD, X86_CX, x86_in(T_ACTIVE));
        } else {
            const unsigned to = some ? X86_AX : X86_CX;
            x86_general(x, X86_LOAD_DWORD, to, x86_in(T_ACTIVE));
            x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_SHR, x86_in(to), op->first);
            if (some)
                x86_general(x, X86_BITS_AND, X86_CX, x86_in(X86_AX));
        }
        some = true;
    }
    return some;
}

/* The highest bit of each lane of `to`, from CX. */
static void lanes_of_bits(struct translation *t, unsigned parts, unsigned *to)
{
    struct x86 *const x = &t->x;
    for (unsigned p = 0; p < parts; p++)
        to[p] = take(t);
    x86_vector(x, X86_FROM_GENERAL, to[0], X86_UNUSED, x86_in(X86_CX));
    x86_vector(x, X86_BROADCAST, to[0], X86_UNUSED, x86_in(to[0]));
    for (unsigned p = parts; p-- > 0;)
        x86_vector(x, X86_SHL, to[p], to[0], x86_at(X86_IP, SHIFTS_AT + p * LANES * 4u));
}

/* Lanes that are on; false: all are. */
static bool lanes_on(struct translation *t, const struct eu_op *op, bool with_predicate, unsigned *to)
{
    if (with_predicate && op->predicate) {
        (void)bits_on(t, op, t->masked, true);
        lanes_of_bits(t, parts_of(op), to);
        return true;
    }
    if (!t->masked || op->no_mask)
        return false;
    for (unsigned p = 0; p < parts_of(op); p++)
        to[p] = VECTORS - MASK_VECTORS + op->first / LANES + p;
    return true;
}

/* ---- Results ---- */

static struct leave *leave(struct translation *t, enum x86_condition condition, unsigned instruction)
{
    struct leave *const l = &t->leave[t->leaves < MOST_LEAVES - 1 ? t->leaves++ : t->leaves];
    t->x.full |= t->leaves == MOST_LEAVES - 1;
    *l = (struct leave){.jump = x86_jump(&t->x, condition), .instruction = instruction};
    l->back = t->x.at;
    return l;
}

/* Lanes that are no numbers have their own step. */
static void check_numbers(struct translation *t, const struct eu_op *op, unsigned instruction,
                          const unsigned *result, bool masked, const unsigned *mask)
{
    struct x86 *const x = &t->x;
    const unsigned none = take(t), parts = parts_of(op);
    x86_vector_byte(x, X86_FCMP, none, result[0], x86_in(result[parts - 1]), X86_IS_UNORDERED);
    x86_vector(x, X86_MASK_BITS, X86_AX, X86_UNUSED, x86_in(none));
    x86_general(x, X86_TEST, X86_AX, x86_in(X86_AX));
    struct leave *const l = leave(t, X86_IF_NOT_ZERO, instruction);
    l->kind = masked ? LEAVES_IF_NO_NUMBER : LEAVES;
    l->spare = (uint8_t)none;
    l->parts = (uint8_t)parts;
    for (unsigned p = 0; p < parts && masked; p++) {
        l->result[p] = (uint8_t)result[p];
        l->mask[p] = (uint8_t)mask[p];
    }
    t->vectors[none].busy = false;
}

/* What is written there has zeros above. */
static void put_accumulator(struct translation *t, unsigned which, unsigned result, bool masked,
                            unsigned mask)
{
    struct x86 *const x = &t->x;
    const unsigned value = take(t), on = masked ? take(t) : 0, before = masked ? take(t) : 0;
    for (unsigned half = 0; half < 2; half++) {
        if (half)
            x86_vector_byte(x, X86_UPPER_HALF, result, X86_UNUSED, x86_in(value), 1);
        x86_vector(x, X86_TO_QWORDS, value, X86_UNUSED, x86_in(half ? value : result));
        if (masked) {
            if (half)
                x86_vector_byte(x, X86_UPPER_HALF, mask, X86_UNUSED, x86_in(on), 1);
            x86_vector(x, X86_TO_SIGNED_QWORDS, on, X86_UNUSED, x86_in(half ? on : mask));
            x86_vector(x, X86_LOAD, before, X86_UNUSED, in_accumulator(which, half));
            x86_vector_byte(x, X86_BLEND_QWORDS, value, before, x86_in(value), on << 4);
        }
        x86_vector(x, X86_STORE, value, X86_UNUSED, in_accumulator(which, half));
    }
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].held == HELD_ACCUMULATOR && t->vectors[n].what == which)
            t->vectors[n].held = HELD_NOTHING;
    if (!masked) {
        t->vectors[result].held = HELD_ACCUMULATOR;
        t->vectors[result].what = which;
    }
    t->vectors[value].busy = false;
    if (masked)
        t->vectors[on].busy = t->vectors[before].busy = false;
}

static void put(struct translation *t, const struct eu_op *op, const unsigned *result, bool masked,
                const unsigned *mask)
{
    struct x86 *const x = &t->x;
    if (op->dst.way == WAY_ACCUMULATOR) {
        for (unsigned p = 0; p < parts_of(op); p++)
            put_accumulator(t, op->to / EU_REGISTER_BYTES + p, result[p], masked, mask[p]);
        return;
    }
    const unsigned parts = parts_of(op);
    unsigned merged[2] = {result[0], result[parts - 1]};
    for (unsigned p = 0; p < parts && masked; p++) {
        const unsigned at = op->to + p * LANES * 4u;
        unsigned before = held(t, HELD_ROW, at);
        merged[p] = take(t);
        if (before == VECTORS)
            x86_vector(x, X86_LOAD, before = merged[p], X86_UNUSED, in_registers(at));
        x86_vector_byte(x, X86_BLEND, merged[p], before, x86_in(result[p]), mask[p] << 4);
    }
    for (unsigned p = 0; p < parts; p++)
        x86_vector(x, op->channels == 1 ? X86_STORE_ONE : X86_STORE, merged[p], X86_UNUSED,
                   in_registers(op->to + p * LANES * 4u));
    forget(t, op->to, op->channels == 1 ? 4u : parts * LANES * 4u);
    for (unsigned p = 0; p < parts; p++) {
        struct vector *const v = &t->vectors[merged[p]];
        v->held = op->channels == 1 ? HELD_ONE : HELD_ROW;
        v->what = op->to + p * LANES * 4u;
    }
}

/* ---- Operations ---- */

/* Those of two sources as they are. */
static const uint8_t of_two[FAST_RULES] = {
    [FAST_and] = X86_AND,
    [FAST_or] = X86_OR,
    [FAST_xor] = X86_XOR,
    [FAST_add] = X86_ADD,
    [FAST_mul] = X86_MUL,
    [FAST_least] = X86_LEAST,
    [FAST_most] = X86_MOST,
    [FAST_least_unsigned] = X86_LEAST_UNSIGNED,
    [FAST_most_unsigned] = X86_MOST_UNSIGNED,
    [FAST_fadd] = X86_FADD,
    [FAST_fmul] = X86_FMUL,
    [FAST_fadd_signed] = X86_FADD,
    [FAST_fmul_signed] = X86_FMUL,
};
static const struct {
    uint8_t by_lane, digit;
} shifts[FAST_RULES] = {[FAST_shl] = {X86_SHL, X86_FIXED_SHL},
                        [FAST_shr] = {X86_SHR, X86_FIXED_SHR},
                        [FAST_asr] = {X86_ASR, X86_FIXED_ASR}};

const uint8_t eu_code_rules[FAST_RULES] = {
    [FAST_mov] = RULE_IS,
    [FAST_mov_float] = RULE_IS,
    [FAST_not] = RULE_IS,
    [FAST_to_float] = RULE_IS | RULE_FLOATS,
    [FAST_and] = RULE_IS,
    [FAST_or] = RULE_IS,
    [FAST_xor] = RULE_IS,
    [FAST_add] = RULE_IS,
    [FAST_mul] = RULE_IS,
    [FAST_shl] = RULE_IS,
    [FAST_shr] = RULE_IS,
    [FAST_asr] = RULE_IS,
    [FAST_rol] = RULE_IS,
    [FAST_ror] = RULE_IS,
    [FAST_least] = RULE_IS,
    [FAST_most] = RULE_IS,
    [FAST_least_unsigned] = RULE_IS,
    [FAST_most_unsigned] = RULE_IS,
    [FAST_fadd] = RULE_IS | RULE_FLOATS | RULE_NUMBERS,
    [FAST_fmul] = RULE_IS | RULE_FLOATS | RULE_NUMBERS,
    [FAST_fmad] = RULE_IS | RULE_FLOATS | RULE_NUMBERS,
    [FAST_fadd_signed] = RULE_IS | RULE_FLOATS | RULE_NUMBERS,
    [FAST_fmul_signed] = RULE_IS | RULE_FLOATS | RULE_NUMBERS,
    [FAST_fmad_signed] = RULE_IS | RULE_FLOATS | RULE_NUMBERS,
    [FAST_add3] = RULE_IS,
    [FAST_mad] = RULE_IS,
    [FAST_sel] = RULE_IS | RULE_SELECTS,
    [FAST_sel_float] = RULE_IS | RULE_SELECTS | RULE_FLOATS,
    [FAST_cmp_equal] = RULE_IS | RULE_COMPARES,
    [FAST_cmp_less] = RULE_IS | RULE_COMPARES,
    [FAST_cmp_equal_unsigned] = RULE_IS | RULE_COMPARES,
    [FAST_cmp_less_unsigned] = RULE_IS | RULE_COMPARES,
    [FAST_cmp_float_equal] = RULE_IS | RULE_COMPARES | RULE_FLOATS,
    [FAST_cmp_float_less] = RULE_IS | RULE_COMPARES | RULE_FLOATS,
    [FAST_cmp_float_not_more] = RULE_IS | RULE_COMPARES | RULE_FLOATS,
    [FAST_called] = RULE_IS | RULE_CALLED,
};

static unsigned with_sign(struct translation *t, const struct eu_op *op, unsigned n, unsigned from)
{
    if (!op->signs[n])
        return from;
    const unsigned sign = number(t, NUMBER_SIGN), to = take(t);
    x86_vector(&t->x, X86_XOR, to, from, x86_in(sign));
    return to;
}

static unsigned rotated(struct translation *t, const struct eu_op *op, unsigned from, unsigned by)
{
    struct x86 *const x = &t->x;
    const bool left = op->rule == FAST_rol;
    const unsigned mask = number(t, NUMBER_31), count = take(t), other = take(t), to = take(t);
    x86_vector(x, X86_AND, count, by, x86_in(mask));
    x86_vector(x, X86_XOR, other, other, x86_in(other));
    x86_vector(x, X86_SUB, other, other, x86_in(count));
    x86_vector(x, X86_AND, other, other, x86_in(mask));
    x86_vector(x, left ? X86_SHL : X86_SHR, to, from, x86_in(count));
    x86_vector(x, left ? X86_SHR : X86_SHL, other, from, x86_in(other));
    x86_vector(x, X86_OR, to, to, x86_in(other));
    t->vectors[count].busy = t->vectors[other].busy = false;
    return to;
}

/* Sums and products of three; the product is of the last two. */
static unsigned of_three(struct translation *t, const struct eu_op *op, const unsigned *s)
{
    static const uint8_t fused[2][2] = {{X86_FMADD_231, X86_FMSUB_231}, {X86_FNMADD_231, X86_FNMSUB_231}};
    struct x86 *const x = &t->x;
    const unsigned to = take(t);
    if (op->rule == FAST_add3 || op->rule == FAST_mad) {
        x86_vector(x, op->rule == FAST_mad ? X86_MUL : X86_ADD, to, s[1], x86_in(s[2]));
        x86_vector(x, X86_ADD, to, to, x86_in(s[0]));
        return to;
    }
    const bool is_signed = op->rule == FAST_fmad_signed;
    const unsigned product = is_signed && (op->signs[1] != 0) != (op->signs[2] != 0),
                   sum = is_signed && op->signs[0];
    x86_vector(x, X86_MOVE, to, X86_UNUSED, x86_in(s[0]));
    x86_vector(x, (enum x86_vector)fused[product][sum], to, s[1], x86_in(s[2]));
    return to;
}

static unsigned value(struct translation *t, const struct eu_op *op, unsigned part)
{
    struct x86 *const x = &t->x;
    unsigned s[3] = {0}, to;
    for (unsigned n = 0; n < op->sources; n++)
        s[n] = source(t, op, n, part);
    if (op->rule == FAST_fadd_signed || op->rule == FAST_fmul_signed)
        for (unsigned n = 0; n < 2; n++)
            s[n] = with_sign(t, op, n, s[n]);
    if (of_two[op->rule]) {
        to = take(t);
        x86_vector(x, (enum x86_vector)of_two[op->rule], to, s[0], x86_in(s[1]));
    } else if (shifts[op->rule].by_lane) {
        if (op->fixed_bits & 2u) {
            to = take(t);
            x86_vector_byte(x, X86_SHIFT_FIXED, shifts[op->rule].digit, to, x86_in(s[0]), op->fixed[1] & 31u);
        } else {
            const unsigned mask = number(t, NUMBER_31);
            to = take(t);
            x86_vector(x, X86_AND, to, s[1], x86_in(mask));
            x86_vector(x, (enum x86_vector)shifts[op->rule].by_lane, to, s[0], x86_in(to));
        }
    } else if (op->rule == FAST_not) {
        const unsigned ones = number(t, NUMBER_ONES);
        to = take(t);
        x86_vector(x, X86_XOR, to, s[0], x86_in(ones));
    } else if (op->rule == FAST_to_float) {
        to = take(t);
        x86_vector(x, X86_TO_FLOAT, to, X86_UNUSED, x86_in(s[0]));
    } else if (op->rule == FAST_rol || op->rule == FAST_ror) {
        to = rotated(t, op, s[0], s[1]);
    } else if (op->rule == FAST_mov || op->rule == FAST_mov_float) {
        to = take(t);
        x86_vector(x, X86_MOVE, to, X86_UNUSED, x86_in(s[0]));
    } else {
        to = of_three(t, op, s);
    }
    /* What it read stays where it is, if no one needs the room. */
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].held)
            t->vectors[n].busy = false;
    t->vectors[to].busy = true;
    return to;
}

static void translate_value(struct translation *t, const struct eu_op *op, unsigned instruction)
{
    unsigned result[2], mask[2] = {0};
    for (unsigned p = 0; p < parts_of(op); p++)
        result[p] = value(t, op, p);
    const bool masked = lanes_on(t, op, true, mask);
    if (eu_code_rules[op->rule] & RULE_NUMBERS)
        check_numbers(t, op, instruction, result, masked, mask);
    put(t, op, result, masked, mask);
}

static void translate_select(struct translation *t, const struct eu_op *op)
{
    struct x86 *const x = &t->x;
    unsigned first[2], result[2], mask[2] = {0};
    (void)bits_on(t, op, false, true);
    lanes_of_bits(t, parts_of(op), first);
    for (unsigned p = 0; p < parts_of(op); p++) {
        const unsigned a = source(t, op, 0, p), b = source(t, op, 1, p);
        result[p] = take(t);
        x86_vector_byte(x, X86_BLEND, result[p], b, x86_in(a), first[p] << 4);
        t->vectors[a].busy = t->vectors[b].busy = t->vectors[first[p]].busy = false;
    }
    const bool masked = lanes_on(t, op, false, mask);
    put(t, op, result, masked, mask);
}

/* Which hold, as lanes of ones; *turned: those do that do not. */
static unsigned holds(struct translation *t, const struct eu_op *op, unsigned part, bool *turned)
{
    struct x86 *const x = &t->x;
    const unsigned a = source(t, op, 0, part), b = source(t, op, 1, part), to = take(t);
    *turned = false;
    switch (op->rule) {
    case FAST_cmp_equal:
    case FAST_cmp_equal_unsigned:
        x86_vector(x, X86_EQUAL, to, a, x86_in(b));
        break;
    case FAST_cmp_less:
        x86_vector(x, X86_GREATER, to, b, x86_in(a));
        break;
    case FAST_cmp_less_unsigned:
        x86_vector(x, X86_MOST_UNSIGNED, to, a, x86_in(b));
        x86_vector(x, X86_EQUAL, to, to, x86_in(a));
        *turned = true;
        break;
    default:
        x86_vector_byte(x, X86_FCMP, to, a, x86_in(b),
                        op->rule == FAST_cmp_float_equal  ? X86_IS_EQUAL
                        : op->rule == FAST_cmp_float_less ? X86_IS_LESS
                                                          : X86_IS_NOT_MORE);
        break;
    }
    t->vectors[a].busy = t->vectors[b].busy = false;
    return to;
}

/* New flags are in R8. */
static void set_flags(struct translation *t, const struct eu_op *op)
{
    struct x86 *const x = &t->x;
    const enum x86_general load = op->channels > 8 ? X86_LOAD_WORD : X86_LOAD_BYTE,
                           store = op->channels > 8 ? X86_STORE_WORD : X86_STORE_BYTE;
    const bool some = bits_on(t, op, t->masked, true);
    if (op->channels == 1) {
        const unsigned bit = flags_bit(op) % 8u;
        if (bit)
            x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_SHL, x86_in(X86_R8), bit);
        x86_general(x, load, X86_R11, flags_at(op));
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
        x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_R8, 1u << bit);
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
    } else if (some) {
        x86_general(x, load, X86_R11, flags_at(op));
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
        x86_general(x, X86_BITS_AND, X86_R8, x86_in(X86_CX));
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
    }
    x86_general(x, store, X86_R8, flags_at(op));
}

static void translate_comparison(struct translation *t, const struct eu_op *op)
{
    struct x86 *const x = &t->x;
    const unsigned parts = parts_of(op);
    unsigned result[2], mask[2] = {0};
    bool turned = false;
    for (unsigned p = 0; p < parts; p++)
        result[p] = holds(t, op, p, &turned);
    turned ^= op->flip != 0;
    if (op->dst.way == WAY_REGISTERS) {
        for (unsigned p = 0; p < parts && turned; p++) {
            const unsigned ones = number(t, NUMBER_ONES);
            x86_vector(x, X86_XOR, result[p], result[p], x86_in(ones));
        }
        turned = false;
        const bool masked = lanes_on(t, op, true, mask);
        put(t, op, result, masked, mask);
    }
    x86_vector(x, X86_MASK_BITS, X86_R8, X86_UNUSED, x86_in(result[0]));
    if (parts > 1) {
        x86_vector(x, X86_MASK_BITS, X86_R11, X86_UNUSED, x86_in(result[1]));
        x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_SHL, x86_in(X86_R11), LANES);
        x86_general(x, X86_BITS_OR, X86_R8, x86_in(X86_R11));
    }
    if (turned)
        x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_R8, UINT32_MAX);
    set_flags(t, op);
}

/* ---- Branches ---- */

static uint32_t channels_of(const struct eu_op *op)
{
    return (uint32_t)((UINT64_C(1) << op->channels) - 1u);
}

/* On only if no channel of it is enabled: nobody leaves here. */
static void nobody(struct translation *t, const struct eu_op *op, unsigned instruction)
{
    (void)bits_on(t, op, true, true);
    x86_number(&t->x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, channels_of(op));
    (void)leave(t, X86_IF_NOT_ZERO, instruction);
}

/* On only if each active channel is enabled. */
static void everybody(struct translation *t, const struct eu_op *op, unsigned instruction)
{
    struct x86 *const x = &t->x;
    if (!op->predicate && op->channels == EU_MOST_CHANNELS)
        return;
    if (bits_on(t, op, false, true)) {
        x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, channels_of(op));
        x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_CX, UINT32_MAX);
    } else {
        x86_general(x, X86_LOAD_DWORD, X86_CX, x86_in(T_ACTIVE));
        x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, ~channels_of(op));
    }
    x86_general(x, X86_TEST, X86_CX, x86_in(T_ACTIVE));
    (void)leave(t, X86_IF_NOT_ZERO, instruction);
}

static void somebody(struct translation *t, const struct eu_op *op, unsigned instruction)
{
    if (!bits_on(t, op, true, true))
        return;
    x86_number(&t->x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, channels_of(op));
    (void)leave(t, X86_IF_ZERO, instruction);
}

/* ---- The code ---- */

static struct eu_op *round_and_go(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    if (r->t->control[0] & CR0_ALTERNATIVE)
        EU_STEP(op->plain, r, op, left);
    eu_round_as(r, THREAD_ROUNDS);
    EU_STEP(op->real, r, op, left);
}

static void go_to_step(struct translation *t, size_t which)
{
    x86_general(&t->x, X86_DIGIT_JUMP, X86_DIGIT_TO, x86_at(T_OP, which));
}

static void go_on_at(struct translation *t, const struct eu_op *op, unsigned done)
{
    struct x86 *const x = &t->x;
    if (op != t->ops[0])
        x86_general(x, X86_ADDRESS, T_OP, in_op(t, op));
    if (done)
        x86_number(x, X86_DIGIT_QWORD, X86_DIGIT_SUB, T_LEFT, done);
}

static void next_one(struct translation *t, const struct eu_op *op)
{
    go_on_at(t, op, t->count);
#if defined(EU_JUMP)
    go_to_step(t, offsetof(struct eu_op, run));
#else
    x86_general(&t->x, X86_STORE_QWORD, T_LEFT, x86_at(T_RUN, offsetof(struct eu_run, left)));
    x86_general(&t->x, X86_LOAD_QWORD, X86_AX, x86_in(T_OP));
    x86_byte(&t->x, 0xc3); /* ret */
#endif
}

static void translate_branch(struct translation *t, struct eu_op *op, unsigned n, size_t begin)
{
    struct x86 *const x = &t->x;
    if (op->does == EU_BREAK)
        nobody(t, op, n);
    else if (op->does == EU_IF || op->does == EU_WHILE)
        everybody(t, op, n);
    else if (op->does == EU_JMPI)
        somebody(t, op, n);
    if (!eu_ends_run(op))
        return;
    struct eu_op *const to = eu_goes_to(t->chunk, op);
    if (to != t->ops[0]) {
        next_one(t, to);
        return;
    }
    go_on_at(t, to, t->count);
    x86_number(x, X86_DIGIT_QWORD, X86_DIGIT_COMPARE, T_LEFT, t->count);
    x86_land_at(x, x86_jump(x, X86_IF_ABOVE), begin);
    go_to_step(t, offsetof(struct eu_op, plain));
}

/* The thread's channels, for the version for some. */
static void load_masks(struct translation *t)
{
    struct x86 *const x = &t->x;
    for (unsigned n = 0; t->masked && n < MASK_VECTORS; n++)
        if (t->windows >> n * LANES & 0xffu) {
            const unsigned to = VECTORS - MASK_VECTORS + n;
            x86_vector(x, X86_FROM_GENERAL, to, X86_UNUSED, x86_in(T_ACTIVE));
            x86_vector(x, X86_BROADCAST, to, X86_UNUSED, x86_in(to));
            x86_vector(x, X86_SHL, to, to, x86_at(X86_IP, SHIFTS_AT + n * LANES * 4u));
        }
}

static void load_thread(struct translation *t)
{
    x86_general(&t->x, X86_LOAD_QWORD, T_THREAD, x86_at(T_RUN, offsetof(struct eu_run, t)));
}

static void load_active(struct translation *t)
{
    x86_general(&t->x, X86_LOAD_DWORD, T_ACTIVE, x86_at(T_THREAD, offsetof(struct eu_thread, active)));
}

/* Of bytes of the thread to others, as they are: mostly flags. */
static bool is_plain_move(const struct eu_op *op)
{
    const struct eu_place *const from = &op->src[0];
    return op->does == EU_MOV && op->channels == 1 && op->no_mask && !op->predicate && !op->condition &&
           op->dst.way != WAY_NULL && op->dst.way != WAY_ACCUMULATOR && from->way != WAY_ACCUMULATOR &&
           !from->negate && !from->absolute && op->dst.bytes <= 4 && from->bytes >= op->dst.bytes;
}

static void translate_move(struct translation *t, const struct eu_op *op)
{
    struct x86 *const x = &t->x;
    const unsigned bytes = op->dst.bytes;
    if (op->src[0].way == WAY_IMMEDIATE)
        x86_constant(x, X86_AX, op->src[0].immediate);
    else
        x86_general(x,
                    bytes == 1   ? X86_LOAD_BYTE
                    : bytes == 2 ? X86_LOAD_WORD
                                 : X86_LOAD_DWORD,
                    X86_AX, x86_at(T_THREAD, op->from[0]));
    x86_general(x,
                bytes == 1   ? X86_STORE_BYTE
                : bytes == 2 ? X86_STORE_WORD
                             : X86_STORE_DWORD,
                X86_AX, x86_at(T_THREAD, op->to));
    forget(t, op->to, bytes);
}

/* Its own step, with budget for itself, comes back behind it. */
static void translate_call(struct translation *t, const struct eu_op *op)
{
    struct x86 *const x = &t->x;
    if (op->does == EU_MOV && op->dst.way == WAY_NULL) /* which does nothing */
        return;
    if (is_plain_move(op)) {
        translate_move(t, op);
        return;
    }
    x86_push(x, T_RUN);
    x86_push(x, T_OP);
    x86_push(x, T_LEFT); /* now the stack is as calls want it */
    if (op != t->ops[0])
        x86_general(x, X86_ADDRESS, T_OP, in_op(t, op));
    x86_constant(x, T_LEFT, 1);
    x86_general(x, X86_DIGIT_JUMP, X86_DIGIT_CALL, x86_at(T_OP, offsetof(struct eu_op, plain)));
    x86_pop(x, T_LEFT);
    x86_pop(x, T_OP);
    x86_pop(x, T_RUN);
    load_thread(t);
    load_active(t);
    forget_all(t);
    load_masks(t);
}

static void version(struct translation *t, bool masked)
{
    struct x86 *const x = &t->x;
    t->masked = masked;
    forget_all(t);
    load_masks(t);
    const size_t begin = x->at;
    for (unsigned n = 0; n < t->count && !x->full; n++) {
        struct eu_op *const op = t->ops[n];
        if (!op->rule)
            translate_branch(t, op, n, begin);
        else if (eu_code_rules[op->rule] & RULE_CALLED)
            translate_call(t, op);
        else if (eu_code_rules[op->rule] & RULE_COMPARES)
            translate_comparison(t, op);
        else if (eu_code_rules[op->rule] & RULE_SELECTS)
            translate_select(t, op);
        else
            translate_value(t, op, n);
        let_go(t);
    }
    if (!eu_ends_run(t->ops[t->count - 1]))
        next_one(t, t->ops[t->count]);
}

static void leave_there(struct translation *t, const struct leave *l)
{
    struct x86 *const x = &t->x;
    x86_land(x, l->jump);
    if (l->kind == LEAVES_IF_NO_NUMBER) { /* of channels that are on */
        for (unsigned p = 0; p < l->parts; p++) {
            x86_vector_byte(x, X86_FCMP, l->spare, l->result[p], x86_in(l->result[p]), X86_IS_UNORDERED);
            x86_vector(x, X86_AND, l->spare, l->spare, x86_in(l->mask[p]));
            x86_vector(x, X86_MASK_BITS, p ? X86_AX : X86_CX, X86_UNUSED, x86_in(l->spare));
        }
        if (l->parts > 1)
            x86_general(x, X86_BITS_OR, X86_CX, x86_in(X86_AX));
        x86_general(x, X86_TEST, X86_CX, x86_in(X86_CX));
        x86_land_at(x, x86_jump(x, X86_IF_ZERO), l->back);
    }
    go_on_at(t, t->ops[l->instruction], l->instruction);
    go_to_step(t, offsetof(struct eu_op, plain));
}

bool eu_code_write(struct translation *t)
{
    struct x86 *const x = &t->x;
    size_t slow[2], some = 0;
    unsigned slow_ones = 0;
    x86_number(x, X86_DIGIT_QWORD, X86_DIGIT_COMPARE, T_LEFT, t->count);
    slow[slow_ones++] = x86_jump(x, X86_IF_NOT_ABOVE);
    load_thread(t);
    size_t rounds = 0;
    if (t->floats) {
        x86_general_byte(x, X86_DIGIT_TEST_BYTE, X86_DIGIT_TEST,
                         x86_at(T_RUN, offsetof(struct eu_run, rounding)), THREAD_ROUNDS);
        rounds = x86_jump(x, X86_IF_ZERO);
    }
    load_active(t);
    if (t->branches) {
        x86_general(x, X86_TEST, T_ACTIVE, x86_in(T_ACTIVE));
        slow[slow_ones++] = x86_jump(x, X86_IF_ZERO);
    }
    if (t->windows) {
        x86_general(x, X86_LOAD_DWORD, X86_CX, x86_in(T_ACTIVE));
        x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_CX, UINT32_MAX);
        x86_number(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, t->windows);
        some = x86_jump(x, X86_IF_NOT_ZERO);
    }
    version(t, false);
    if (some) {
        x86_land(x, some);
        version(t, true);
    }
    for (unsigned n = 0; n < t->leaves; n++)
        leave_there(t, &t->leave[n]);
    if (rounds) {
        x86_land(x, rounds);
        x86_constant(x, X86_AX, (uint64_t)(uintptr_t)round_and_go);
        x86_general(x, X86_DIGIT_JUMP, X86_DIGIT_TO, x86_in(X86_AX));
    }
    for (unsigned n = 0; n < slow_ones; n++)
        x86_land(x, slow[n]);
    go_to_step(t, offsetof(struct eu_op, plain));
    return !x->full;
}

void eu_code_numbers(uint8_t *to)
{
    for (uint32_t n = 0; n < (uint32_t)MASK_VECTORS * LANES; n++)
        memcpy(to + SHIFTS_AT + n * sizeof n, &(uint32_t){31u - n}, sizeof n);
    memcpy(to + NUMBERS_AT, numbers, sizeof numbers);
}

#endif
