/*
 * Emits the code of a run. Each instruction loads the sources that no vector register caches, computes, and
 * stores.
 */
#include "jit/translation.h"

#if defined(__x86_64__) && !defined(__ILP32__)

#include "jit/vectors.h"

/* The bit of the flag dword where the instruction's flags begin. With 32 channels the dword is rotated. */
static unsigned flags_bit(const struct eu_decoded *op)
{
    return (16u * (op->flag & 1u) + op->first_channel) & 31u;
}

static struct x86_from flags_at(const struct eu_decoded *op)
{
    return x86_at(T_THREAD, offsetof(struct eu_thread, flag) + (op->flag & 6u) * 2u +
                                (op->channels > 16 ? 0 : flags_bit(op) / 8u));
}

/* Loads the mask of enabled channels to CX, the first channel in bit 0. Bits above the instruction's channels
 * are undefined. False: all are enabled. */
static bool load_enabled_bits(struct translation *t, const struct eu_decoded *op, bool with_active,
                              bool with_predicate)
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
        if (op->predicate_invert)
            x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_CX, UINT32_MAX);
        some = true;
    }
    if (with_active && !op->unmasked) {
        if (!op->first_channel) {
            x86_general(x, some ? X86_BITS_AND : X86_LOAD_DWORD, X86_CX, x86_in(T_ACTIVE));
        } else {
            const unsigned to = some ? X86_AX : X86_CX;
            x86_general(x, X86_LOAD_DWORD, to, x86_in(T_ACTIVE));
            x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_SHR, x86_in(to), op->first_channel);
            if (some)
                x86_general(x, X86_BITS_AND, X86_CX, x86_in(X86_AX));
        }
        some = true;
    }
    return some;
}

/* Sets the highest bit of each lane of `to` from CX. */
static void lanes_of_bits(struct translation *t, unsigned parts, unsigned *to)
{
    struct x86 *const x = &t->x;
    for (unsigned p = 0; p < parts; p++)
        to[p] = allocate_vector(t);
    x86_vector(x, X86_FROM_GENERAL, to[0], X86_UNUSED, x86_in(X86_CX));
    x86_vector(x, X86_BROADCAST, to[0], X86_UNUSED, x86_in(to[0]));
    for (unsigned p = parts; p-- > 0;)
        x86_vector(x, X86_SHL, to[p], to[0], x86_at(X86_IP, SHIFTS_AT + p * LANES * 4u));
}

/* Loads the masks of enabled lanes. False: all are enabled. */
static bool load_enabled_lanes(struct translation *t, const struct eu_decoded *op, bool with_predicate,
                               unsigned *to)
{
    if (with_predicate && op->predicate && op->channels > 1) {
        (void)load_enabled_bits(t, op, t->masked, true);
        lanes_of_bits(t, eights_of(op), to);
        return true;
    }
    if (!t->masked || op->unmasked)
        return false;
    for (unsigned p = 0; p < eights_of(op); p++)
        to[p] = VECTORS - MASK_VECTORS + op->first_channel / LANES + p;
    return true;
}

/* ---- Results ---- */

static struct side_exit *emit_exit(struct translation *t, enum x86_condition condition, unsigned instruction)
{
    struct side_exit *const l = &t->exits[t->exit_count < MAX_EXITS - 1 ? t->exit_count++ : t->exit_count];
    t->x.full |= t->exit_count == MAX_EXITS - 1;
    *l = (struct side_exit){.jump = x86_jump(&t->x, condition), .instruction = instruction};
    l->back = t->x.at;
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].pending)
            l->pending[l->pending_count++] = (struct pending_store){
                (uint8_t)n, t->vectors[n].held, t->vectors[n].mask, (uint8_t)t->vectors[n].what};
    return l;
}

/* Whether the result rounds twice: a product of two halves is exact as a float, a sum is not. */
static bool rounds_twice(const struct eu_decoded *op)
{
    return op->dst.type == TYPE_HF && (op->simd.rule == SIMD_fmad || op->simd.rule == SIMD_fmad_signed);
}

/* Sets the highest bits of `to` in lanes where the float is a tie between two halves, or a denormal half. */
static void find_half_ties(struct translation *t, unsigned to, unsigned result, unsigned spare)
{
    struct x86 *const x = &t->x;
    const unsigned behind = constant(t, CONSTANT_BEHIND_HALF), between = constant(t, CONSTANT_BETWEEN_HALVES);
    x86_vector(x, X86_AND, spare, result, x86_in(behind));
    x86_vector(x, X86_EQUAL, spare, spare, x86_in(between));
    x86_vector(x, X86_OR, to, to, x86_in(spare));
    t->vectors[behind].busy = t->vectors[between].busy = false;
    const unsigned magnitude = constant(t, CONSTANT_MAGNITUDE), ones = constant(t, CONSTANT_ONES),
                   small = constant(t, CONSTANT_SMALL), least = allocate_vector(t);
    x86_vector(x, X86_AND, spare, result, x86_in(magnitude));
    x86_vector(x, X86_ADD, spare, spare, x86_in(ones));
    x86_vector(x, X86_MIN_UNSIGNED, least, spare, x86_in(small));
    x86_vector(x, X86_EQUAL, spare, spare, x86_in(least));
    x86_vector(x, X86_OR, to, to, x86_in(spare));
    t->vectors[magnitude].busy = t->vectors[ones].busy = t->vectors[small].busy = t->vectors[least].busy =
        false;
}

/* Exits to the instruction's handler if a result is NaN. */
static void check_nan(struct translation *t, const struct eu_decoded *op, unsigned instruction,
                      const unsigned *result, bool masked, const unsigned *mask)
{
    struct x86 *const x = &t->x;
    const unsigned parts = parts_of(op), spares = rounds_twice(op) ? MAX_SPARES : 2;
    const enum x86_vector compare = is_double(op) ? X86_FCMP_DOUBLE : X86_FCMP;
    unsigned spare[MAX_SPARES];
    for (unsigned n = 0; n < spares; n++)
        spare[n] = allocate_vector(t);
    x86_vector_byte(x, compare, spare[0], result[0], x86_in(result[parts > 1]), X86_IS_UNORDERED);
    if (parts > 2) {
        x86_vector_byte(x, compare, spare[1], result[2], x86_in(result[3]), X86_IS_UNORDERED);
        x86_vector(x, X86_OR, spare[0], spare[0], x86_in(spare[1]));
    }
    for (unsigned p = 0; p < parts && rounds_twice(op); p++)
        find_half_ties(t, spare[0], result[p], spare[1]);
    x86_vector(x, X86_MASK_BITS, X86_AX, X86_UNUSED, x86_in(spare[0]));
    x86_general(x, X86_TEST, X86_AX, x86_in(X86_AX));
    struct side_exit *const l = emit_exit(t, X86_IF_NOT_ZERO, instruction);
    l->kind = rounds_twice(op) ? EXIT_ROUNDS_TO_ODD : masked ? EXIT_IF_NAN : EXIT_ALWAYS;
    l->masked = masked;
    for (unsigned p = 0; p < parts; p++)
        l->result[p] = (uint8_t)result[p];
    for (unsigned p = 0; p < eights_of(op) && masked; p++)
        l->mask[p] = (uint8_t)mask[p];
    for (unsigned n = 0; n < spares; n++) {
        l->spare[n] = (uint8_t)spare[n];
        t->vectors[spare[n]].busy = false;
    }
}

/* The result of a part becomes an accumulator. It is stored later, unless the next one comes before that. */
static void set_accumulator(struct translation *t, const struct eu_decoded *op, unsigned part,
                            unsigned result, bool masked, unsigned mask)
{
    const unsigned which = op->simd.dst_byte / EU_REGISTER_BYTES + part, active = active_mask(t, op, part);
    const bool some = masked && op->predicate;
    for (unsigned n = 0; n < VECTORS; n++) {
        struct vector *const v = &t->vectors[n];
        if ((v->held != HELD_ACCUMULATOR || v->what != which) &&
            (v->held != HELD_PRODUCTS || v->what / 2u != which))
            continue;
        if (v->pending && (some || (active && v->mask != active)))
            store_pending(t, n);
        v->held = HELD_NOTHING;
        v->pending = false;
    }
    if (!some && count_pending(t) == MAX_PENDING)
        store_all_pending(t);
    struct vector *const v = &t->vectors[result];
    v->held = HELD_ACCUMULATOR;
    v->what = which;
    v->pending = true;
    v->mask = (uint8_t)active;
    if (some)
        store_lanes(t, result, &mask);
}

/* Stores bytes, words or halves; the bytes between them do not change. */
static void store_narrow(struct translation *t, const struct eu_decoded *op, const unsigned *result,
                         bool masked, const unsigned *mask)
{
    enum { EVEN_QWORDS = 0x08 };
    static const enum x86_vector from[] = {[1] = X86_FROM_BYTES, [2] = X86_FROM_WORDS, [4] = X86_LOAD},
                                 stores[2][2] = {{X86_STORE_QUARTER, X86_STORE_HALF},
                                                 {X86_STORE_HALF, X86_STORE}};
    struct x86 *const x = &t->x;
    const unsigned parts = eights_of(op), bytes = op->dst.element_bytes, pitch = op->dst.hstride * bytes;
    const bool halves = op->dst.type == TYPE_HF, between = bytes < pitch, merges = between || masked;
    const unsigned low = constant(t, bytes == 1 ? CONSTANT_BYTE : CONSTANT_WORD);
    for (unsigned p = 0; p < parts; p++) {
        const struct x86_from to = in_registers(op->simd.dst_byte + p * LANES * pitch);
        const unsigned value = result[p];
        if (halves) {
            x86_vector_byte(x, X86_TO_HALVES, value, X86_UNUSED, x86_in(value), 0 /* round to nearest */);
            if (!merges) {
                x86_vector(x, X86_STORE_HALF, value, X86_UNUSED, to);
                continue;
            }
            x86_vector(x, X86_FROM_WORDS, value, X86_UNUSED, x86_in(value));
        } else {
            x86_vector(x, X86_AND, value, value, x86_in(low));
        }
        if (merges) {
            const unsigned before = allocate_vector(t), above = allocate_vector(t);
            x86_vector(x, from[pitch], before, X86_UNUSED, to);
            if (between) {
                x86_vector(x, X86_AND, above, before, x86_in(low));
                x86_vector(x, X86_XOR, above, above, x86_in(before));
                x86_vector(x, X86_OR, value, value, x86_in(above));
            }
            if (masked)
                x86_vector_byte(x, X86_BLEND, value, before, x86_in(value), mask[p] << 4);
            t->vectors[before].busy = t->vectors[above].busy = false;
        }
        if (pitch == 4)
            x86_vector(x, X86_STORE, value, X86_UNUSED, to);
    }
    if (pitch < 4 && (merges || !halves)) {
        pack(x, result[0], result[parts - 1]);
        if (pitch == 1) {
            x86_vector(x, X86_PACK_BYTES, result[0], result[0], x86_in(result[0]));
            x86_vector_byte(x, X86_ORDER_QWORDS, result[0], X86_UNUSED, x86_in(result[0]), EVEN_QWORDS);
        }
        x86_vector(x, stores[pitch - 1u][parts - 1u], result[0], X86_UNUSED, in_registers(op->simd.dst_byte));
    }
    invalidate(t, op->simd.dst_byte, op->channels * pitch);
}

/* Makes a mask of four 64-bit lanes from one of eight lanes. */
static void widen_mask(struct x86 *x, unsigned to, unsigned mask, unsigned part)
{
    if (part & 1u)
        x86_vector_byte(x, X86_UPPER_HALF, mask, X86_UNUSED, x86_in(to), 1);
    x86_vector(x, X86_TO_SIGNED_QWORDS, to, X86_UNUSED, x86_in(part & 1u ? to : mask));
}

static void emit_result(struct translation *t, const struct eu_decoded *op, const unsigned *result,
                        bool masked, const unsigned *mask)
{
    struct x86 *const x = &t->x;
    if (op->dst.file == OPERAND_ACCUMULATOR) {
        for (unsigned p = 0; p < parts_of(op); p++)
            set_accumulator(t, op, p, result[p], masked, mask[p]);
        return;
    }
    if (op->dst.element_bytes < 4) {
        store_narrow(t, op, result, masked, mask);
        return;
    }
    const unsigned parts = parts_of(op);
    unsigned merged[MAX_PARTS];
    for (unsigned p = 0; p < parts; p++) {
        const unsigned at = op->simd.dst_byte + p * LANES * 4u;
        merged[p] = result[p];
        if (!masked)
            continue;
        unsigned before = held(t, HELD_ROW, at), on = mask[is_double(op) ? p / 2u : p];
        merged[p] = allocate_vector(t);
        if (before == VECTORS)
            x86_vector(x, X86_LOAD, before = merged[p], X86_UNUSED, in_registers(at));
        if (is_double(op)) {
            const unsigned wide = allocate_vector(t);
            widen_mask(x, wide, on, p);
            on = wide;
        }
        x86_vector_byte(x, is_double(op) ? X86_BLEND_QWORDS : X86_BLEND, merged[p], before, x86_in(result[p]),
                        on << 4);
        if (is_double(op))
            t->vectors[on].busy = false;
        if (is_double(op) || parts > 2) /* results of other instructions stay cached */
            t->vectors[before].busy = t->vectors[result[p]].busy = false;
        t->vectors[merged[p]].busy = true;
    }
    for (unsigned p = 0; p < parts; p++)
        x86_vector(x, op->channels == 1 ? X86_STORE_ONE : X86_STORE, merged[p], X86_UNUSED,
                   in_registers(op->simd.dst_byte + p * LANES * 4u));
    invalidate(t, op->simd.dst_byte, op->channels == 1 ? 4u : parts * LANES * 4u);
    for (unsigned p = 0; p < parts; p++) {
        struct vector *const v = &t->vectors[merged[p]];
        v->held = op->channels == 1 ? HELD_SCALAR : HELD_ROW;
        v->what = op->simd.dst_byte + p * LANES * 4u;
    }
}

#include "jit/products.h"

/* ---- Operations ---- */

/* x86 instructions of rules with two sources. */
static const uint8_t binary_instructions[SIMD_RULES] = {
    [SIMD_and] = X86_AND,
    [SIMD_or] = X86_OR,
    [SIMD_xor] = X86_XOR,
    [SIMD_add] = X86_ADD,
    [SIMD_mul] = X86_MUL,
    [SIMD_min] = X86_MIN,
    [SIMD_max] = X86_MAX,
    [SIMD_min_unsigned] = X86_MIN_UNSIGNED,
    [SIMD_max_unsigned] = X86_MAX_UNSIGNED,
    [SIMD_fadd] = X86_FADD,
    [SIMD_fmul] = X86_FMUL,
    [SIMD_fadd_signed] = X86_FADD,
    [SIMD_fmul_signed] = X86_FMUL,
};
static const struct {
    uint8_t by_lane, digit;
} shifts[SIMD_RULES] = {[SIMD_shl] = {X86_SHL, X86_FIXED_SHL},
                        [SIMD_shr] = {X86_SHR, X86_FIXED_SHR},
                        [SIMD_asr] = {X86_ASR, X86_FIXED_ASR}};

const uint8_t eu_code_rules[SIMD_RULES] = {
    [SIMD_mov] = RULE_TRANSLATED,
    [SIMD_mov_float] = RULE_TRANSLATED,
    [SIMD_not] = RULE_TRANSLATED,
    [SIMD_to_float] = RULE_TRANSLATED | RULE_FLOATS,
    [SIMD_and] = RULE_TRANSLATED,
    [SIMD_or] = RULE_TRANSLATED,
    [SIMD_xor] = RULE_TRANSLATED,
    [SIMD_add] = RULE_TRANSLATED,
    [SIMD_mul] = RULE_TRANSLATED,
    [SIMD_shl] = RULE_TRANSLATED,
    [SIMD_shr] = RULE_TRANSLATED,
    [SIMD_asr] = RULE_TRANSLATED,
    [SIMD_rol] = RULE_TRANSLATED,
    [SIMD_ror] = RULE_TRANSLATED,
    [SIMD_min] = RULE_TRANSLATED,
    [SIMD_max] = RULE_TRANSLATED,
    [SIMD_min_unsigned] = RULE_TRANSLATED,
    [SIMD_max_unsigned] = RULE_TRANSLATED,
    [SIMD_fadd] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_fmul] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_fmad] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_fmin] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_fmax] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_fadd_signed] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_fmul_signed] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_fmad_signed] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_add3] = RULE_TRANSLATED,
    [SIMD_mad] = RULE_TRANSLATED,
    [SIMD_sel] = RULE_TRANSLATED | RULE_SELECTS,
    [SIMD_sel_float] = RULE_TRANSLATED | RULE_SELECTS | RULE_FLOATS,
    [SIMD_cmp_equal] = RULE_TRANSLATED | RULE_COMPARES,
    [SIMD_cmp_less] = RULE_TRANSLATED | RULE_COMPARES,
    [SIMD_cmp_equal_unsigned] = RULE_TRANSLATED | RULE_COMPARES,
    [SIMD_cmp_less_unsigned] = RULE_TRANSLATED | RULE_COMPARES,
    [SIMD_cmp_float_equal] = RULE_TRANSLATED | RULE_COMPARES | RULE_FLOATS,
    [SIMD_cmp_float_less] = RULE_TRANSLATED | RULE_COMPARES | RULE_FLOATS,
    [SIMD_cmp_float_not_more] = RULE_TRANSLATED | RULE_COMPARES | RULE_FLOATS,
    [SIMD_convert] = RULE_TRANSLATED | RULE_FLOATS | RULE_CHECKS_NAN,
    [SIMD_to_float_unsigned] = RULE_TRANSLATED | RULE_FLOATS,
    [SIMD_to_integer] = RULE_TRANSLATED,
    [SIMD_bfn] = RULE_TRANSLATED | RULE_CALLED,
    [SIMD_product] = RULE_TRANSLATED,
    [SIMD_mach] = RULE_TRANSLATED,
    [SIMD_called] = RULE_TRANSLATED | RULE_CALLED,
    [SIMD_called_float] = RULE_TRANSLATED | RULE_CALLED | RULE_FLOATS,
    [SIMD_slow] = RULE_TRANSLATED | RULE_CALLED | RULE_SLOW,
};

static unsigned with_sign(struct translation *t, const struct eu_decoded *op, unsigned n, unsigned from)
{
    if (!op->simd.sign_mask[n])
        return from;
    const unsigned sign = constant(t, is_double(op) ? CONSTANT_DOUBLE_SIGN : CONSTANT_SIGN),
                   to = allocate_vector(t);
    x86_vector(&t->x, X86_XOR, to, from, x86_in(sign));
    return to;
}

static unsigned emit_rotation(struct translation *t, const struct eu_decoded *op, unsigned from, unsigned by)
{
    struct x86 *const x = &t->x;
    const bool left = op->simd.rule == SIMD_rol;
    const unsigned mask = constant(t, CONSTANT_31), count = allocate_vector(t), other = allocate_vector(t),
                   to = allocate_vector(t);
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

/* Both halves of a dword convert exactly, so only their sum is rounded. */
static unsigned emit_unsigned_to_float(struct translation *t, unsigned from)
{
    struct x86 *const x = &t->x;
    const unsigned word = constant(t, CONSTANT_WORD), scale = constant(t, CONSTANT_65536),
                   high = allocate_vector(t), to = allocate_vector(t);
    x86_vector_byte(x, X86_SHIFT_FIXED, X86_FIXED_SHR, high, x86_in(from), 16);
    x86_vector(x, X86_TO_FLOAT, high, X86_UNUSED, x86_in(high));
    x86_vector(x, X86_FMUL, high, high, x86_in(scale));
    x86_vector(x, X86_AND, to, from, x86_in(word));
    x86_vector(x, X86_TO_FLOAT, to, X86_UNUSED, x86_in(to));
    x86_vector(x, X86_FADD, to, high, x86_in(to));
    t->vectors[high].busy = false;
    return to;
}

/* The host gives 80000000h for floats beyond the type and for NaN. */
static unsigned emit_to_integer(struct translation *t, unsigned from)
{
    struct x86 *const x = &t->x;
    const unsigned end = constant(t, CONSTANT_END_OF_INTEGERS), mask = allocate_vector(t),
                   to = allocate_vector(t);
    x86_vector(x, X86_TO_INTEGER, to, X86_UNUSED, x86_in(from));
    x86_vector_byte(x, X86_FCMP, mask, from, x86_in(end), X86_IS_NOT_LESS);
    x86_vector(x, X86_XOR, to, to, x86_in(mask));
    x86_vector_byte(x, X86_FCMP, mask, from, x86_in(from), X86_IS_ORDERED);
    x86_vector(x, X86_AND, to, to, x86_in(mask));
    t->vectors[mask].busy = false;
    return to;
}

/* The host takes its second source if one is NaN or if both are equal. The product flushes denormals as the
 * thread does.
 */
static unsigned emit_extreme(struct translation *t, const struct eu_decoded *op, const unsigned *s)
{
    struct x86 *const x = &t->x;
    const bool least = op->simd.rule == SIMD_fmin;
    const unsigned one = constant(t, CONSTANT_1), first = least ? s[0] : s[1], second = least ? s[1] : s[0],
                   mask = allocate_vector(t), to = allocate_vector(t);
    x86_vector(x, least ? X86_FMIN : X86_FMAX, to, first, x86_in(second));
    x86_vector_byte(x, X86_FCMP, mask, second, x86_in(second), X86_IS_UNORDERED);
    x86_vector_byte(x, X86_BLEND, to, to, x86_in(first), mask << 4);
    x86_vector(x, X86_FMUL, to, to, x86_in(one));
    t->vectors[mask].busy = false;
    return to;
}

static bool negates_product(const struct eu_decoded *op)
{
    return op->simd.rule == SIMD_fmad_signed && (op->simd.sign_mask[1] != 0) != (op->simd.sign_mask[2] != 0);
}

static bool negates_addend(const struct eu_decoded *op)
{
    return op->simd.rule == SIMD_fmad_signed && op->simd.sign_mask[0];
}

/* add3, mad and fmad; the product is of the last two sources. */
static unsigned emit_ternary(struct translation *t, const struct eu_decoded *op, const unsigned *s)
{
    static const uint8_t fused[2][2][2] = {
        {{X86_FMADD_231, X86_FMSUB_231}, {X86_FNMADD_231, X86_FNMSUB_231}},
        {{X86_FMADD_231_DOUBLE, X86_FMSUB_231_DOUBLE}, {X86_FNMADD_231_DOUBLE, X86_FNMSUB_231_DOUBLE}}};
    struct x86 *const x = &t->x;
    const unsigned to = allocate_vector(t);
    if (op->simd.rule == SIMD_add3 || op->simd.rule == SIMD_mad) {
        x86_vector(x, op->simd.rule == SIMD_mad ? X86_MUL : X86_ADD, to, s[1], x86_in(s[2]));
        x86_vector(x, X86_ADD, to, to, x86_in(s[0]));
        return to;
    }
    const unsigned product = negates_product(op), sum = negates_addend(op);
    x86_vector(x, X86_MOVE, to, X86_UNUSED, x86_in(s[0]));
    x86_vector(x, (enum x86_vector)fused[is_double(op)][product][sum], to, s[1], x86_in(s[2]));
    return to;
}

static unsigned emit_value(struct translation *t, const struct eu_decoded *op, unsigned part)
{
    struct x86 *const x = &t->x;
    unsigned s[3] = {0}, to;
    for (unsigned n = 0; n < op->source_count; n++)
        s[n] = source(t, op, n, part);
    if (op->simd.rule == SIMD_fadd_signed || op->simd.rule == SIMD_fmul_signed)
        for (unsigned n = 0; n < 2; n++)
            s[n] = with_sign(t, op, n, s[n]);
    if (binary_instructions[op->simd.rule]) {
        enum x86_vector name = (enum x86_vector)binary_instructions[op->simd.rule];
        if (is_double(op))
            name = name == X86_FADD ? X86_FADD_DOUBLE : X86_FMUL_DOUBLE;
        to = allocate_vector(t);
        x86_vector(x, name, to, s[0], x86_in(s[1]));
    } else if (shifts[op->simd.rule].by_lane) {
        if (op->simd.immediate_bits & 2u) {
            to = allocate_vector(t);
            x86_vector_byte(x, X86_SHIFT_FIXED, shifts[op->simd.rule].digit, to, x86_in(s[0]),
                            op->simd.immediate[1] & 31u);
        } else {
            const unsigned mask = constant(t, CONSTANT_31);
            to = allocate_vector(t);
            x86_vector(x, X86_AND, to, s[1], x86_in(mask));
            x86_vector(x, (enum x86_vector)shifts[op->simd.rule].by_lane, to, s[0], x86_in(to));
        }
    } else if (op->simd.rule == SIMD_not) {
        const unsigned ones = constant(t, CONSTANT_ONES);
        to = allocate_vector(t);
        x86_vector(x, X86_XOR, to, s[0], x86_in(ones));
    } else if (op->simd.rule == SIMD_to_float) {
        to = allocate_vector(t);
        x86_vector(x, X86_TO_FLOAT, to, X86_UNUSED, x86_in(s[0]));
    } else if (op->simd.rule == SIMD_to_float_unsigned) {
        to = emit_unsigned_to_float(t, s[0]);
    } else if (op->simd.rule == SIMD_to_integer) {
        to = emit_to_integer(t, s[0]);
    } else if (op->simd.rule == SIMD_rol || op->simd.rule == SIMD_ror) {
        to = emit_rotation(t, op, s[0], s[1]);
    } else if (op->simd.rule == SIMD_fmin || op->simd.rule == SIMD_fmax) {
        to = emit_extreme(t, op, s);
    } else if (op->simd.rule == SIMD_mov || op->simd.rule == SIMD_mov_float ||
               op->simd.rule == SIMD_convert) {
        to = allocate_vector(t);
        x86_vector(x, X86_MOVE, to, X86_UNUSED, x86_in(s[0]));
    } else {
        to = emit_ternary(t, op, s);
    }
    /* Sources stay cached unless their registers are needed. */
    for (unsigned n = 0; n < op->source_count; n++)
        t->vectors[s[n]].busy = false;
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].held)
            t->vectors[n].busy = false;
    t->vectors[to].busy = true;
    return to;
}

static void translate_value(struct translation *t, const struct eu_decoded *op, unsigned instruction)
{
    unsigned result[MAX_PARTS] = {0}, mask[MAX_PARTS] = {0};
    for (unsigned p = 0; p < parts_of(op); p++)
        result[p] = emit_value(t, op, p);
    const bool masked = load_enabled_lanes(t, op, true, mask);
    if (eu_code_rules[op->simd.rule] & RULE_CHECKS_NAN)
        check_nan(t, op, instruction, result, masked, mask);
    emit_result(t, op, result, masked, mask);
}

static void translate_select(struct translation *t, const struct eu_decoded *op)
{
    struct x86 *const x = &t->x;
    unsigned first[MAX_PARTS] = {0}, result[MAX_PARTS] = {0}, mask[MAX_PARTS] = {0};
    (void)load_enabled_bits(t, op, false, true);
    lanes_of_bits(t, parts_of(op), first);
    for (unsigned p = 0; p < parts_of(op); p++) {
        const unsigned a = source(t, op, 0, p), b = source(t, op, 1, p);
        result[p] = allocate_vector(t);
        x86_vector_byte(x, X86_BLEND, result[p], b, x86_in(a), first[p] << 4);
        t->vectors[a].busy = t->vectors[b].busy = t->vectors[first[p]].busy = false;
    }
    const bool masked = load_enabled_lanes(t, op, false, mask);
    emit_result(t, op, result, masked, mask);
}

/* A mask of the lanes where the comparison holds; *inverted: where it does not. */
static unsigned emit_comparison(struct translation *t, const struct eu_decoded *op, unsigned part,
                                bool *inverted)
{
    struct x86 *const x = &t->x;
    const unsigned a = source(t, op, 0, part), b = source(t, op, 1, part), to = allocate_vector(t);
    *inverted = false;
    switch (op->simd.rule) {
    case SIMD_cmp_equal:
    case SIMD_cmp_equal_unsigned:
        x86_vector(x, X86_EQUAL, to, a, x86_in(b));
        break;
    case SIMD_cmp_less:
        x86_vector(x, X86_GREATER, to, b, x86_in(a));
        break;
    case SIMD_cmp_less_unsigned:
        x86_vector(x, X86_MAX_UNSIGNED, to, a, x86_in(b));
        x86_vector(x, X86_EQUAL, to, to, x86_in(a));
        *inverted = true;
        break;
    default:
        x86_vector_byte(x, X86_FCMP, to, a, x86_in(b),
                        op->simd.rule == SIMD_cmp_float_equal  ? X86_IS_EQUAL
                        : op->simd.rule == SIMD_cmp_float_less ? X86_IS_LESS
                                                               : X86_IS_NOT_MORE);
        break;
    }
    t->vectors[a].busy = t->vectors[b].busy = false;
    return to;
}

/* Writes flags: the new ones are in R8. */
static void set_flags(struct translation *t, const struct eu_decoded *op, bool with_active)
{
    struct x86 *const x = &t->x;
    const enum x86_general load = op->channels > 16  ? X86_LOAD_DWORD
                                  : op->channels > 8 ? X86_LOAD_WORD
                                                     : X86_LOAD_BYTE,
                           store = op->channels > 16  ? X86_STORE_DWORD
                                   : op->channels > 8 ? X86_STORE_WORD
                                                      : X86_STORE_BYTE;
    const bool some = load_enabled_bits(t, op, with_active, true);
    if (op->channels > 16 && op->flag & 1u) {
        x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_ROL, x86_in(X86_R8), 16);
        if (some)
            x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_ROL, x86_in(X86_CX), 16);
    }
    if (op->channels == 1) {
        const unsigned bit = flags_bit(op) % 8u;
        if (bit)
            x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_SHL, x86_in(X86_R8), bit);
        x86_general(x, load, X86_R11, flags_at(op));
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_R8, 1u << bit);
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
    } else if (some) {
        x86_general(x, load, X86_R11, flags_at(op));
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
        x86_general(x, X86_BITS_AND, X86_R8, x86_in(X86_CX));
        x86_general(x, X86_BITS_XOR, X86_R8, x86_in(X86_R11));
    }
    x86_general(x, store, X86_R8, flags_at(op));
}

static void translate_comparison(struct translation *t, const struct eu_decoded *op)
{
    struct x86 *const x = &t->x;
    const unsigned parts = parts_of(op);
    unsigned result[MAX_PARTS] = {0}, mask[MAX_PARTS] = {0};
    bool inverted = false;
    for (unsigned p = 0; p < parts; p++)
        result[p] = emit_comparison(t, op, p, &inverted);
    inverted ^= op->simd.flag_flip != 0;
    for (unsigned p = 0; p < parts && inverted && op->dst.file == OPERAND_GRF; p++) {
        const unsigned ones = constant(t, CONSTANT_ONES);
        x86_vector(x, X86_XOR, result[p], result[p], x86_in(ones));
    }
    x86_vector(x, X86_MASK_BITS, X86_R8, X86_UNUSED, x86_in(result[0]));
    for (unsigned p = 1; p < parts; p++) {
        x86_vector(x, X86_MASK_BITS, X86_R11, X86_UNUSED, x86_in(result[p]));
        x86_general_byte(x, X86_DIGIT_SHIFT, X86_DIGIT_SHL, x86_in(X86_R11), p * LANES);
        x86_general(x, X86_BITS_OR, X86_R8, x86_in(X86_R11));
    }
    if (op->dst.file == OPERAND_GRF) { /* its registers may be used again */
        const bool masked = load_enabled_lanes(t, op, true, mask);
        emit_result(t, op, result, masked, mask);
    } else if (inverted) {
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_R8, UINT32_MAX);
    }
    set_flags(t, op, t->masked);
}

/* Whether a comparison compares integers with themselves. */
static bool compares_with_itself(const struct eu_decoded *op)
{
    const struct eu_region *const a = &op->src[0], *const b = &op->src[1];
    return op->opcode == EU_CMP && op->dst.file == OPERAND_NULL && op->predicate <= 1 && op->channels >= 8 &&
           op->first_channel % op->channels == 0 && op->condition >= 1 && op->condition <= 6 &&
           a->file == OPERAND_GRF && b->file == OPERAND_GRF && a->type == b->type && !eu_is_float(a->type) &&
           a->first_byte == b->first_byte && !a->negate && !a->absolute && !b->negate && !b->absolute &&
           !op->saturate && !op->acc_write && eu_region_stride(a, op->channels) != EU_NO_STRIDE &&
           eu_region_stride(a, op->channels) == eu_region_stride(b, op->channels);
}

/* Compilers find the active channels so. */
static void translate_comparison_with_itself(struct translation *t, const struct eu_decoded *op)
{
    enum { EQUAL = 1, NOT_LESS = 4, NOT_GREATER = 6 };
    const unsigned c = op->condition;
    x86_constant(&t->x, X86_R8, c == EQUAL || c == NOT_LESS || c == NOT_GREATER ? UINT32_MAX : 0);
    set_flags(t, op, true);
}

/* ---- Branches ---- */

static uint32_t channels_of(const struct eu_decoded *op)
{
    return (uint32_t)((UINT64_C(1) << op->channels) - 1u);
}

/* Loads the active channels for which the branch's condition holds to CX, and sets the host's flags by it. */
static void load_taking(struct translation *t, const struct eu_decoded *op)
{
    struct x86 *const x = &t->x;
    if (!load_enabled_bits(t, op, true, true))
        x86_general(x, X86_LOAD_DWORD, X86_CX, x86_in(T_ACTIVE));
    if (op->channels < EU_MAX_CHANNELS)
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, channels_of(op));
    x86_general(x, X86_BITS_AND, X86_CX, x86_in(T_ACTIVE));
}

/* The other active channels. */
static void load_not_taking(struct translation *t, const struct eu_decoded *op)
{
    load_taking(t, op);
    x86_general(&t->x, X86_BITS_XOR, X86_CX, x86_in(T_ACTIVE));
}

static void exit_if_none_enabled(struct translation *t, const struct eu_decoded *op, unsigned instruction)
{
    if (!load_enabled_bits(t, op, true, true))
        return;
    x86_immediate32(&t->x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, channels_of(op));
    (void)emit_exit(t, X86_IF_ZERO, instruction);
}

/* ---- The code ---- */

static struct eu_decoded *set_rounding_and_enter(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    if (r->t->cr0[0] & CR0_ALT_FP_MODE)
        EU_TAIL_CALL(op->handler_untranslated, r, op, left);
    eu_set_rounding(r, ROUNDING_THREAD);
    EU_TAIL_CALL(op->handler_unwrapped, r, op, left);
}

static void jump_to_handler(struct translation *t, size_t which)
{
    x86_general(&t->x, X86_DIGIT_JUMP, X86_DIGIT_TO, x86_at(T_OP, which));
}

static void advance_to(struct translation *t, const struct eu_decoded *op, unsigned done)
{
    struct x86 *const x = &t->x;
    if (op != t->ops[0])
        x86_general(x, X86_ADDRESS, T_OP, in_op(t, op));
    if (done)
        x86_immediate32(x, X86_DIGIT_QWORD, X86_DIGIT_SUB, T_LEFT, done);
}

static unsigned total_cost(const struct translation *t)
{
    return t->cost_before[t->count];
}

static void continue_at(struct translation *t, const struct eu_decoded *op)
{
    advance_to(t, op, total_cost(t));
#if defined(EU_MUST_TAIL)
    jump_to_handler(t, offsetof(struct eu_decoded, handler));
#else
    x86_general(&t->x, X86_STORE_QWORD, T_LEFT, x86_at(T_RUN, offsetof(struct eu_run, budget)));
    x86_general(&t->x, X86_LOAD_QWORD, X86_AX, x86_in(T_OP));
    x86_byte(&t->x, 0xc3); /* ret */
#endif
}

/* Jumps to the code of an instruction of the run. */
static void jump_to_code(struct translation *t, enum x86_condition condition, bool masked, unsigned to)
{
    t->x.full |= t->jump_count == MAX_JUMPS;
    if (!t->x.full)
        t->jumps[t->jump_count++] = (struct code_jump){
            .jump = x86_jump(&t->x, condition), .masked = masked && t->needed_channels, .to = (uint8_t)to};
}

/* The instruction of the run behind `n` to which the branch jumps; 0: none. */
static unsigned jumps_to(struct translation *t, unsigned n)
{
    const struct eu_decoded *const to = eu_branch_op_at(t->chunk, t->ops[n], t->ops[n]->branch.jip);
    for (unsigned m = n + 1u; to && m < t->count; m++)
        if (t->ops[m] == to)
            return m;
    return 0;
}

/* Adds the cost of the instructions that a jump leaves out. */
static void add_skipped_cost(struct translation *t, unsigned from, unsigned to)
{
    x86_general(&t->x, X86_ADDRESS, T_LEFT, x86_at(T_LEFT, t->cost_before[to] - t->cost_before[from + 1u]));
}

/* jmpi to a later instruction. */
static void translate_jump(struct translation *t, struct eu_decoded *op, unsigned n)
{
    struct x86 *const x = &t->x;
    const unsigned to = jumps_to(t, n);
    const bool some = load_enabled_bits(t, op, true, true);
    if (some)
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, channels_of(op));
    if (!to) {
        (void)emit_exit(t, some ? X86_IF_NOT_ZERO : X86_ALWAYS, n);
        return;
    }
    const size_t stays = some ? x86_jump(x, X86_IF_ZERO) : 0;
    add_skipped_cost(t, n, to);
    jump_to_code(t, X86_ALWAYS, t->masked, to);
    if (some)
        x86_land(x, stays);
}

static void translate_loop(struct translation *t, size_t begin)
{
    struct x86 *const x = &t->x;
    advance_to(t, t->ops[0], total_cost(t));
    x86_immediate32(x, X86_DIGIT_QWORD, X86_DIGIT_COMPARE, T_LEFT, total_cost(t));
    x86_land_at(x, x86_jump(x, X86_IF_ABOVE), begin);
    jump_to_handler(t, offsetof(struct eu_decoded, handler_untranslated));
}

/* `begin` is where the run's code begins. */
static void translate_branch(struct translation *t, struct eu_decoded *op, unsigned n, size_t begin)
{
    struct eu_decoded *const back = eu_ends_run(op) ? eu_branch_destination(t->chunk, op) : NULL;
    enum side_exit_kind kind = EXIT_BRANCHES;
    switch (op->opcode) {
    case EU_JMPI:
        if (!back) {
            translate_jump(t, op, n);
            return;
        }
        exit_if_none_enabled(t, op, n);
        break;
    case EU_IF:
    case EU_WHILE:
        load_not_taking(t, op);
        kind = back && back != t->ops[0] ? EXIT_ALWAYS : EXIT_BRANCHES;
        break;
    case EU_GOTO:
        if (back || op->branch.inverts)
            load_not_taking(t, op);
        else
            load_taking(t, op);
        break;
    case EU_BREAK:
        kind = op->branch.while_in_chunk ? EXIT_BRANCHES : EXIT_ALWAYS;
        load_taking(t, op);
        break;
    case EU_ELSE:
    case EU_CONT:
    case EU_HALT:
        load_taking(t, op);
        break;
    default: /* some channels are active: endif and join do nothing */
        return;
    }
    if (op->opcode != EU_JMPI) {
        struct side_exit *const l = emit_exit(t, X86_IF_NOT_ZERO, n);
        l->kind = (uint8_t)kind;
        l->masked = t->masked;
    }
    if (back == t->ops[0])
        translate_loop(t, begin);
    else if (back)
        continue_at(t, back);
}

/* Masked version: loads the masks of active channels. */
static void load_masks(struct translation *t)
{
    struct x86 *const x = &t->x;
    for (unsigned n = 0; t->masked && n < MASK_VECTORS; n++)
        if (t->needed_channels >> n * LANES & 0xffu) {
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
    x86_general(&t->x, X86_LOAD_DWORD, T_ACTIVE,
                x86_at(T_THREAD, offsetof(struct eu_thread, execution_mask)));
}

/* Whether the instruction copies bytes within struct eu_thread, as moves of flags do. */
static bool is_plain_move(const struct eu_decoded *op)
{
    const struct eu_region *const from = &op->src[0];
    return op->opcode == EU_MOV && op->channels == 1 && op->unmasked &&
           (!op->predicate || simd_has_one_predicate(op)) && !op->condition && op->dst.file != OPERAND_NULL &&
           op->dst.file != OPERAND_ACCUMULATOR && from->file != OPERAND_ACCUMULATOR && !from->negate &&
           !from->absolute && op->dst.element_bytes <= 4 && from->element_bytes >= op->dst.element_bytes;
}

static void translate_move(struct translation *t, const struct eu_decoded *op)
{
    struct x86 *const x = &t->x;
    const unsigned bytes = op->dst.element_bytes;
    if (op->src[0].file == OPERAND_IMMEDIATE)
        x86_constant(x, X86_AX, op->src[0].immediate);
    else
        x86_general(x,
                    bytes == 1   ? X86_LOAD_BYTE
                    : bytes == 2 ? X86_LOAD_WORD
                                 : X86_LOAD_DWORD,
                    X86_AX, x86_at(T_THREAD, op->simd.src_byte[0]));
    x86_general(x,
                bytes == 1   ? X86_STORE_BYTE
                : bytes == 2 ? X86_STORE_WORD
                             : X86_STORE_DWORD,
                X86_AX, x86_at(T_THREAD, op->simd.dst_byte));
    invalidate(t, op->simd.dst_byte, bytes);
}

static void reload_after_call(struct translation *t)
{
    load_thread(t);
    load_active(t);
    invalidate_all(t);
    load_masks(t);
}

/* Calls eu_call_slow_path; exits if the rest of the run has too little budget. */
static void translate_slow_call(struct translation *t, const struct eu_decoded *op, unsigned instruction)
{
    struct x86 *const x = &t->x;
    const unsigned before = t->cost_before[instruction], after = t->cost_before[instruction + 1u];
    x86_push(x, T_RUN);
    x86_push(x, T_OP);
    x86_push(x, T_LEFT); /* the stack is now aligned for a call */
    advance_to(t, op, before);
    x86_constant(x, X86_AX, (uint64_t)(uintptr_t)eu_call_slow_path);
    x86_general(x, X86_DIGIT_JUMP, X86_DIGIT_CALL, x86_in(X86_AX));
    x86_pop(x, T_LEFT);
    x86_pop(x, T_OP);
    x86_pop(x, T_RUN);
    x86_immediate32(x, X86_DIGIT_QWORD, X86_DIGIT_COMPARE, X86_AX, total_cost(t) - after);
    emit_exit(t, X86_IF_NOT_ABOVE, instruction)->kind = EXIT_AFTER_CALL;
    x86_general(x, X86_ADDRESS, T_LEFT, x86_at(X86_AX, after));
    reload_after_call(t);
}

/* Whether the instruction only waits for a register, or selects between the destination and itself. */
static bool does_nothing(const struct eu_decoded *op)
{
    if (op->opcode == EU_MOV)
        return op->dst.file == OPERAND_NULL && !op->condition && !op->acc_write;
    if (op->opcode != EU_CSEL || op->dst.type != TYPE_W || op->dst.hstride != 1 || op->acc_write ||
        op->saturate)
        return false;
    for (unsigned n = 0; n < 2; n++)
        if (op->src[n].file != OPERAND_GRF || op->src[n].type != TYPE_W || op->src[n].negate ||
            op->src[n].absolute || op->src[n].first_byte != op->dst.first_byte ||
            eu_region_stride(&op->src[n], op->channels) != 1)
            return false;
    return true;
}

bool eu_is_inline(const struct eu_decoded *op)
{
    return does_nothing(op) || compares_with_itself(op) || is_plain_move(op);
}

/* Calls the instruction's handler, with budget for one instruction: it returns afterwards. */
static void translate_call(struct translation *t, const struct eu_decoded *op)
{
    struct x86 *const x = &t->x;
    if (does_nothing(op))
        return;
    if (compares_with_itself(op)) {
        translate_comparison_with_itself(t, op);
        return;
    }
    if (is_plain_move(op)) {
        translate_move(t, op);
        return;
    }
    x86_push(x, T_RUN);
    x86_push(x, T_OP);
    x86_push(x, T_LEFT); /* the stack is now aligned for a call */
    if (op != t->ops[0])
        x86_general(x, X86_ADDRESS, T_OP, in_op(t, op));
    x86_constant(x, T_LEFT, 1);
    x86_general(x, X86_DIGIT_JUMP, X86_DIGIT_CALL,
                x86_at(T_OP, offsetof(struct eu_decoded, handler_untranslated)));
    x86_pop(x, T_LEFT);
    x86_pop(x, T_OP);
    x86_pop(x, T_RUN);
    reload_after_call(t);
}

static void compare_dword(struct x86 *x, struct x86_from from, uint32_t number)
{
    x86_general_form(x, X86_DIGIT_DWORD, X86_DIGIT_COMPARE, from, 4);
    x86_dword(x, number);
}

/* Begins code that jumps lead to: no vector register is loaded. */
static void begin_entry(struct translation *t, unsigned n)
{
    invalidate_all(t);
    t->entry[t->masked][n] = t->x.at;
    if (t->entered[n] & MERGES) {
        compare_dword(&t->x, x86_at(T_RUN, offsetof(struct eu_run, wait_count)), 0);
        struct side_exit *const l = emit_exit(t, X86_IF_NOT_ZERO, n);
        l->kind = EXIT_MERGES;
        l->masked = t->masked;
    }
    load_masks(t);
}

static bool is_entry(const struct translation *t, unsigned n)
{
    return t->entered[n] & (JUMPED_TO | MERGES) ||
           (t->entered[n] & FOLLOWS_BRANCH && (t->masked || !t->needed_channels));
}

/* Whether accumulators need not be in memory before the instruction, and it leaves enough registers. */
static bool keeps_pending(const struct translation *t, const struct eu_decoded *op)
{
    if (!op->simd.rule)
        return op->opcode == EU_SYNC || op->opcode == EU_NOP;
    if (eu_code_rules[op->simd.rule] & RULE_CALLED)
        return !(eu_code_rules[op->simd.rule] & RULE_SLOW) && eu_is_inline(op);
    if (op->simd.rule == SIMD_mach)
        return op->channels == LANES || !t->masked;
    if (op->simd.rule == SIMD_product)
        return op->dst.file == OPERAND_ACCUMULATOR && !op->predicate && (!t->masked || op->unmasked);
    return op->dst.element_bytes == 4 && op->dst.type != TYPE_HF && (parts_of(op) <= 2 || !t->masked) &&
           !(t->masked && op->predicate && op->channels > 1);
}

static void translate_instruction(struct translation *t, struct eu_decoded *op, unsigned n, size_t begin)
{
    if (!keeps_pending(t, op))
        store_all_pending(t);
    if (!op->simd.rule)
        translate_branch(t, op, n, begin);
    else if (eu_code_rules[op->simd.rule] & RULE_SLOW)
        translate_slow_call(t, op, n);
    else if (eu_code_rules[op->simd.rule] & RULE_CALLED)
        translate_call(t, op);
    else if (op->simd.rule == SIMD_product || op->simd.rule == SIMD_mach)
        translate_product(t, op);
    else if (eu_code_rules[op->simd.rule] & RULE_COMPARES)
        translate_comparison(t, op);
    else if (eu_code_rules[op->simd.rule] & RULE_SELECTS)
        translate_select(t, op);
    else
        translate_value(t, op, n);
    release_vectors(t);
}

/* An instruction of one channel is jumped over if its predicate is false. Registers are cached behind it if
 * they are the same either way. */
static void translate_predicated(struct translation *t, struct eu_decoded *op, unsigned n)
{
    struct x86 *const x = &t->x;
    struct vector before[VECTORS];
    if (!keeps_pending(t, op))
        store_all_pending(t);
    const bool all = op->predicate > 1 && op->predicate & 1u, is_high = op->flag & 1u;
    const unsigned channels = op->predicate > 1 ? 1u << (op->predicate / 2u - 1u) : 1,
                   bit = ((op->first_channel & ~(channels - 1u)) + (is_high ? 16u : 0)) & 31u,
                   byte = channels < EU_MAX_CHANNELS ? bit / 8u : 0;
    const uint32_t group = (uint32_t)((UINT64_C(1) << channels) - 1u);
    /* As wide as what was stored, so that the host forwards it. */
    x86_general(x,
                channels <= 8    ? X86_LOAD_BYTE
                : channels == 16 ? X86_LOAD_WORD
                                 : X86_LOAD_DWORD,
                X86_CX, x86_at(T_THREAD, offsetof(struct eu_thread, flag) + (op->flag & 6u) * 2u + byte));
    if (all)
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_CX, UINT32_MAX);
    x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, channels <= 8 ? group << bit % 8u : group);
    const size_t skip = x86_jump(x, all != op->predicate_invert ? X86_IF_NOT_ZERO : X86_IF_ZERO);
    memcpy(before, t->vectors, sizeof before);
    translate_instruction(t, op, n, 0);
    for (unsigned v = 0; v < VECTORS; v++)
        if (t->vectors[v].held != before[v].held || t->vectors[v].what != before[v].what)
            t->vectors[v].held = HELD_NOTHING;
    if (op->dst.file == OPERAND_GRF)
        invalidate(t, op->simd.dst_byte, op->dst.element_bytes);
    x86_land(x, skip);
}

static void emit_version(struct translation *t, bool masked)
{
    struct x86 *const x = &t->x;
    t->masked = masked;
    begin_entry(t, 0);
    const size_t begin = t->entered[0] & MERGES ? t->entry[masked][0] : x->at;
    for (unsigned n = 0; n < t->count && !x->full; n++) {
        struct eu_decoded *const op = t->ops[n];
        if (n && is_entry(t, n)) {
            store_all_pending(t);
            begin_entry(t, n);
        }
        if (op->simd.rule && !(eu_code_rules[op->simd.rule] & RULE_SLOW) && simd_has_one_predicate(op))
            translate_predicated(t, op, n);
        else
            translate_instruction(t, op, n, begin);
    }
    store_all_pending(t);
    if (!eu_ends_run(t->ops[t->count - 1]))
        continue_at(t, t->ops[t->count]);
}

/* Loads the mask of enabled lanes with NaN to CX. */
static void find_nan_lanes(struct x86 *x, const struct eu_decoded *op, const struct side_exit *l)
{
    const unsigned none = l->spare[0], on = l->spare[1];
    for (unsigned p = 0; p < parts_of(op); p++) {
        x86_vector_byte(x, is_double(op) ? X86_FCMP_DOUBLE : X86_FCMP, none, l->result[p],
                        x86_in(l->result[p]), X86_IS_UNORDERED);
        if (l->masked && is_double(op))
            widen_mask(x, on, l->mask[p / 2u], p);
        if (l->masked)
            x86_vector(x, X86_AND, none, none, x86_in(is_double(op) ? on : l->mask[p]));
        x86_vector(x, X86_MASK_BITS, p ? X86_AX : X86_CX, X86_UNUSED, x86_in(none));
        if (p)
            x86_general(x, X86_BITS_OR, X86_CX, x86_in(X86_AX));
    }
}

static void emit_broadcast(struct x86 *x, unsigned to, unsigned which)
{
    x86_vector(x, X86_BROADCAST, to, X86_UNUSED, in_constants(which));
}

/* Rounds the float to odd where the sum is inexact: it is then between the same halves as the exact sum. */
static void round_to_odd(struct x86 *x, const struct eu_decoded *op, const struct side_exit *l, unsigned part)
{
    enum { ADDEND, FACTOR, OTHER };
    const unsigned result = l->result[part], product = l->spare[0], addend = l->spare[1], other = l->spare[2],
                   rest = l->spare[3], step = l->spare[4];
    const unsigned to[] = {[ADDEND] = addend, [FACTOR] = product, [OTHER] = other};
    for (unsigned n = ADDEND; n <= OTHER; n++)
        load_narrow(x, to[n], &op->src[n], eu_region_stride(&op->src[n], op->channels), part);
    x86_vector(x, X86_FMUL, product, product, x86_in(other));
    emit_broadcast(x, other, CONSTANT_SIGN);
    if (negates_product(op))
        x86_vector(x, X86_XOR, product, product, x86_in(other));
    if (negates_addend(op))
        x86_vector(x, X86_XOR, addend, addend, x86_in(other));
    x86_vector(x, X86_FSUB, other, result, x86_in(product)); /* the part of the addend that is in the sum */
    x86_vector(x, X86_FSUB, rest, result, x86_in(other));
    x86_vector(x, X86_FSUB, rest, product, x86_in(rest));
    x86_vector(x, X86_FSUB, other, addend, x86_in(other));
    x86_vector(x, X86_FADD, rest, rest, x86_in(other)); /* the rounding error */
    x86_vector(x, X86_XOR, step, result, x86_in(rest));
    x86_vector_byte(x, X86_SHIFT_FIXED, X86_FIXED_ASR, step, x86_in(step), 31);
    x86_vector(x, X86_ADD, step, step, x86_in(step));
    emit_broadcast(x, other, CONSTANT_ONES);
    x86_vector(x, X86_SUB, step, step, x86_in(other)); /* 1, or -1 */
    x86_vector(x, X86_XOR, addend, addend, x86_in(addend));
    x86_vector_byte(x, X86_FCMP, rest, rest, x86_in(addend), X86_IS_OTHER);
    x86_vector(x, X86_AND, step, step, x86_in(rest));
    x86_vector_byte(x, X86_SHIFT_FIXED, X86_FIXED_SHL, rest, x86_in(result), 31);
    x86_vector_byte(x, X86_SHIFT_FIXED, X86_FIXED_ASR, rest, x86_in(rest), 31);
    x86_vector(x, X86_XOR, rest, rest, x86_in(other)); /* lanes with even mantissas */
    x86_vector(x, X86_AND, step, step, x86_in(rest));
    x86_vector(x, X86_ADD, result, result, x86_in(step));
}

/* After a call the budget that is left is in AX; 0: the run resumes at the thread's ip. */
static void exit_after_call(struct translation *t, unsigned instruction)
{
    struct x86 *const x = &t->x;
    x86_general(x, X86_TEST_QWORD, X86_AX, x86_in(X86_AX));
    const size_t some = x86_jump(x, X86_IF_NOT_ZERO);
    x86_byte(x, 0xc3); /* ret: AX is NULL */
    x86_land(x, some);
    advance_to(t, t->ops[instruction + 1u], 0);
    x86_general(x, X86_LOAD_QWORD, T_LEFT, x86_in(X86_AX));
    jump_to_handler(t, offsetof(struct eu_decoded, handler));
}

static void call_with_op(struct translation *t, const struct eu_decoded *op, unsigned cost, uint64_t function)
{
    struct x86 *const x = &t->x;
    x86_push(x, T_RUN);
    x86_push(x, T_OP);
    x86_push(x, T_LEFT); /* the stack is now aligned for a call */
    advance_to(t, op, cost);
    x86_constant(x, X86_AX, function);
    x86_general(x, X86_DIGIT_JUMP, X86_DIGIT_CALL, x86_in(X86_AX));
    x86_pop(x, T_LEFT);
    x86_pop(x, T_OP);
    x86_pop(x, T_RUN);
}

/* Compares the returned instruction with one of the run; returns the jump if it is another. */
static size_t jump_if_other(struct translation *t, const struct eu_decoded *op)
{
    struct x86 *const x = &t->x;
    x86_general(x, X86_ADDRESS, X86_CX, in_op(t, op));
    x86_general(x, X86_COMPARE_QWORD, X86_AX, x86_in(X86_CX));
    return x86_jump(x, X86_IF_NOT_ZERO);
}

/* Runs a branch that parts channels, then continues where it leads, in the version for some channels. */
static void exit_to_branch(struct translation *t, unsigned n)
{
    struct x86 *const x = &t->x;
    struct eu_decoded *const op = t->ops[n];
    const unsigned to = eu_ends_run(op) ? 0 : jumps_to(t, n);
    call_with_op(t, op, t->cost_before[n], (uint64_t)(uintptr_t)eu_call_branch);
    load_thread(t);
    load_active(t);
    x86_general(x, X86_TEST, T_ACTIVE, x86_in(T_ACTIVE));
    const size_t none = x86_jump(x, X86_IF_ZERO);
    if (!eu_ends_run(op) && n + 1u < t->count) {
        const size_t other = jump_if_other(t, t->ops[n + 1u]);
        jump_to_code(t, X86_ALWAYS, true, n + 1u);
        x86_land(x, other);
    }
    if (to > n + 1u) {
        const size_t other = jump_if_other(t, t->ops[to]);
        add_skipped_cost(t, n, to);
        jump_to_code(t, X86_ALWAYS, true, to);
        x86_land(x, other);
    }
    if (eu_ends_run(op)) {
        const size_t other = jump_if_other(t, t->ops[0]);
        advance_to(t, t->ops[0], total_cost(t));
        x86_immediate32(x, X86_DIGIT_QWORD, X86_DIGIT_COMPARE, T_LEFT, total_cost(t));
        jump_to_code(t, X86_IF_ABOVE, true, 0);
        jump_to_handler(t, offsetof(struct eu_decoded, handler_untranslated));
        x86_land(x, other);
    }
    x86_land(x, none);
    x86_general(x, X86_TEST_QWORD, X86_AX, x86_in(X86_AX));
    const size_t some = x86_jump(x, X86_IF_NOT_ZERO);
    x86_byte(x, 0xc3); /* ret: AX is NULL */
    x86_land(x, some);
    x86_general(x, X86_LOAD_QWORD, T_OP, x86_in(X86_AX));
    x86_general(x, X86_LOAD_QWORD, T_LEFT, x86_at(T_RUN, offsetof(struct eu_run, budget)));
    jump_to_handler(t, offsetof(struct eu_decoded, handler));
}

/* Makes waiting channels active. When all channels of the run are, the faster version continues. */
static void exit_to_merge(struct translation *t, const struct side_exit *l)
{
    struct x86 *const x = &t->x;
    call_with_op(t, t->ops[l->instruction], 0, (uint64_t)(uintptr_t)eu_merge_channels);
    load_thread(t);
    load_active(t);
    if (l->masked) {
        x86_general(x, X86_LOAD_DWORD, X86_CX, x86_in(T_ACTIVE));
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_CX, UINT32_MAX);
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, t->needed_channels);
        jump_to_code(t, X86_IF_ZERO, false, l->instruction);
    }
    x86_land_at(x, x86_jump(x, X86_ALWAYS), l->back);
}

static void land_jumps(struct translation *t)
{
    for (unsigned n = 0; n < t->jump_count; n++) {
        const struct code_jump *const j = &t->jumps[n];
        const size_t to = t->entry[j->masked][j->to];
        t->x.full |= !to;
        x86_land_at(&t->x, j->jump, to);
    }
}

/* The run is left: other registers are free. */
static void store_pending_of(struct x86 *x, const struct side_exit *l)
{
    unsigned spare[3] = {0}, spares = 0;
    for (unsigned n = 0; n < VECTORS - MASK_VECTORS && spares < 3; n++) {
        bool is_free = true;
        for (unsigned m = 0; m < l->pending_count; m++)
            is_free &= l->pending[m].vector != n;
        if (is_free)
            spare[spares++] = n;
    }
    for (unsigned m = 0; m < l->pending_count; m++) {
        const struct pending_store *const p = &l->pending[m];
        const unsigned active = p->mask;
        if (p->held == HELD_PRODUCTS)
            x86_vector(x, X86_STORE, p->vector, X86_UNUSED, in_products(p->what));
        else
            write_accumulator(x, p->what, p->vector, active ? &active : NULL, spare);
    }
}

static void emit_side_exit(struct translation *t, const struct side_exit *l)
{
    struct x86 *const x = &t->x;
    const struct eu_decoded *const op = t->ops[l->instruction];
    x86_land(x, l->jump);
    if (l->kind == EXIT_AFTER_CALL) {
        exit_after_call(t, l->instruction);
        return;
    }
    if (l->kind == EXIT_BRANCHES) {
        exit_to_branch(t, l->instruction);
        return;
    }
    if (l->kind == EXIT_MERGES) {
        exit_to_merge(t, l);
        return;
    }
    if (l->kind != EXIT_ALWAYS) {
        find_nan_lanes(x, op, l);
        x86_general(x, X86_TEST, X86_CX, x86_in(X86_CX));
    }
    if (l->kind == EXIT_IF_NAN)
        x86_land_at(x, x86_jump(x, X86_IF_ZERO), l->back);
    if (l->kind == EXIT_ROUNDS_TO_ODD) {
        const size_t none = x86_jump(x, X86_IF_NOT_ZERO);
        for (unsigned p = 0; p < parts_of(op); p++)
            round_to_odd(x, op, l, p);
        x86_land_at(x, x86_jump(x, X86_ALWAYS), l->back);
        x86_land(x, none);
    }
    store_pending_of(x, l);
    advance_to(t, op, t->cost_before[l->instruction]);
    jump_to_handler(t, offsetof(struct eu_decoded, handler_untranslated));
}

bool eu_code_write(struct translation *t)
{
    struct x86 *const x = &t->x;
    size_t slow[4], some = 0;
    unsigned slow_ones = 0;
    memset(t->entry, 0, sizeof t->entry);
    x86_immediate32(x, X86_DIGIT_QWORD, X86_DIGIT_COMPARE, T_LEFT, total_cost(t));
    slow[slow_ones++] = x86_jump(x, X86_IF_NOT_ABOVE);
    load_thread(t);
    size_t rounds = 0;
    if (t->floats) {
        x86_general_byte(x, X86_DIGIT_TEST_BYTE, X86_DIGIT_TEST,
                         x86_at(T_RUN, offsetof(struct eu_run, rounding)), ROUNDING_THREAD);
        rounds = x86_jump(x, X86_IF_ZERO);
    }
    if (t->needs_default_mode) {
        const uint32_t keeps = CR0_SINGLE_DENORMALS | CR0_DOUBLE_DENORMALS | CR0_HALF_DENORMALS;
        x86_general(x, X86_LOAD_DWORD, X86_CX, x86_at(T_THREAD, offsetof(struct eu_thread, cr0)));
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX,
                        keeps | CR0_ALT_FP_MODE | 3u << CR0_ROUNDING_SHIFT);
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_COMPARE, X86_CX, keeps);
        slow[slow_ones++] = x86_jump(x, X86_IF_NOT_ZERO);
    }
    if (t->accumulates || t->branches) {
        x86_general(x, X86_LOAD_DWORD, X86_CX, x86_at(T_THREAD, offsetof(struct eu_thread, cr0)));
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, CR0_ACC_DISABLE | CR0_SINGLE_PROGRAM_FLOW);
        slow[slow_ones++] = x86_jump(x, X86_IF_NOT_ZERO);
    }
    load_active(t);
    if (t->branches) {
        x86_general(x, X86_TEST, T_ACTIVE, x86_in(T_ACTIVE));
        slow[slow_ones++] = x86_jump(x, X86_IF_ZERO);
    }
    if (t->needed_channels) {
        x86_general(x, X86_LOAD_DWORD, X86_CX, x86_in(T_ACTIVE));
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_XOR, X86_CX, UINT32_MAX);
        x86_immediate32(x, X86_DIGIT_DWORD, X86_DIGIT_AND, X86_CX, t->needed_channels);
        some = x86_jump(x, X86_IF_NOT_ZERO);
    }
    emit_version(t, false);
    if (some) {
        x86_land(x, some);
        emit_version(t, true);
    }
    for (unsigned n = 0; n < t->exit_count; n++)
        emit_side_exit(t, &t->exits[n]);
    land_jumps(t);
    if (rounds) {
        x86_land(x, rounds);
        x86_constant(x, X86_AX, (uint64_t)(uintptr_t)set_rounding_and_enter);
        x86_general(x, X86_DIGIT_JUMP, X86_DIGIT_TO, x86_in(X86_AX));
    }
    for (unsigned n = 0; n < slow_ones; n++)
        x86_land(x, slow[n]);
    jump_to_handler(t, offsetof(struct eu_decoded, handler_untranslated));
    return !x->full;
}

void eu_code_constants(uint8_t *to)
{
    for (uint32_t n = 0; n < (uint32_t)MASK_VECTORS * LANES; n++)
        memcpy(to + SHIFTS_AT + n * sizeof n, &(uint32_t){31u - n}, sizeof n);
    memcpy(to + CONSTANTS_AT, constants, sizeof constants);
}

#endif
