/* Rules of vector handlers: simd/handlers.c has a handler for each, jit/emit_x86.c emits the same operation.
 */
#ifndef SIMD_RULES_H
#define SIMD_RULES_H

#include "interp/execute.h"

#define SIMD_LIST(RULE)                                                                                      \
    RULE(mov)                                                                                                \
    RULE(mov_float)                                                                                          \
    RULE(not )                                                                                               \
    RULE(to_float)                                                                                           \
    RULE(to_float_unsigned)                                                                                  \
    RULE(to_integer)                                                                                         \
    RULE(and)                                                                                                \
    RULE(or)                                                                                                 \
    RULE(xor)                                                                                                \
    RULE(add)                                                                                                \
    RULE(mul)                                                                                                \
    RULE(shl)                                                                                                \
    RULE(shr)                                                                                                \
    RULE(asr)                                                                                                \
    RULE(rol)                                                                                                \
    RULE(ror)                                                                                                \
    RULE(min)                                                                                                \
    RULE(max)                                                                                                \
    RULE(min_unsigned)                                                                                       \
    RULE(max_unsigned)                                                                                       \
    RULE(fadd)                                                                                               \
    RULE(fmul)                                                                                               \
    RULE(fmin)                                                                                               \
    RULE(fmax)                                                                                               \
    RULE(add3)                                                                                               \
    RULE(mad)                                                                                                \
    RULE(bfn)                                                                                                \
    RULE(fmad)                                                                                               \
    RULE(sel)                                                                                                \
    RULE(sel_float)

enum simd_rule {
    SIMD_NONE,
#define SIMD_RULE(name) SIMD_##name,
    SIMD_LIST(SIMD_RULE)
#undef SIMD_RULE
        SIMD_cmp_equal,
    SIMD_fadd_signed,
    SIMD_fmul_signed,
    SIMD_fmad_signed,
    SIMD_cmp_less,
    SIMD_cmp_equal_unsigned,
    SIMD_cmp_less_unsigned,
    SIMD_cmp_float_equal,
    SIMD_cmp_float_less,
    SIMD_cmp_float_not_more,
    /* Only the translator has these. */
    SIMD_convert,      /* between F and HF */
    SIMD_product,      /* a product of 64 bits */
    SIMD_mach,         /* adds a product to the accumulator */
    SIMD_called,       /* no rule: the translation calls the handler */
    SIMD_called_float, /* the same, with the thread's rounding mode */
    SIMD_slow,         /* it calls the slow path, which may use budget or end the run */
    SIMD_RULES
};

/* The rules of integer operations, of float operations, and of float operations with a negated source. */
static inline enum simd_rule simd_integer_rule(unsigned does)
{
    static const uint8_t rules[EU_OPERATIONS] = {
        [EU_MOV] = SIMD_mov, [EU_NOT] = SIMD_not, [EU_AND] = SIMD_and, [EU_OR] = SIMD_or,
        [EU_XOR] = SIMD_xor, [EU_ADD] = SIMD_add, [EU_MUL] = SIMD_mul, [EU_ADD3] = SIMD_add3,
        [EU_MAD] = SIMD_mad, [EU_SHL] = SIMD_shl, [EU_SHR] = SIMD_shr, [EU_ROL] = SIMD_rol,
        [EU_ROR] = SIMD_ror, [EU_BFN] = SIMD_bfn, [EU_SEL] = SIMD_sel,
    };
    return (enum simd_rule)rules[does];
}

static inline enum simd_rule simd_float_rule(unsigned does)
{
    static const uint8_t rules[EU_OPERATIONS] = {
        [EU_ADD] = SIMD_fadd, [EU_MUL] = SIMD_fmul, [EU_MAD] = SIMD_fmad};
    return (enum simd_rule)rules[does];
}

static inline enum simd_rule simd_negating_rule(enum simd_rule rule)
{
    static const uint8_t rules[SIMD_RULES] = {
        [SIMD_fadd] = SIMD_fadd_signed, [SIMD_fmul] = SIMD_fmul_signed, [SIMD_fmad] = SIMD_fmad_signed};
    return (enum simd_rule)rules[rule];
}

/* A half that is zero or normal, as a float. */
static inline uint32_t simd_float_of_half(uint32_t half)
{
    enum { SIGN = 0x8000, FRACTION_SHIFT = 13, BIAS = 127 - 15, EXPONENT_SHIFT = 23 };
    const uint32_t sign = (half & SIGN) << 16, rest = half & (SIGN - 1u);
    return rest ? sign | ((rest << FRACTION_SHIFT) + ((uint32_t)BIAS << EXPONENT_SHIFT)) : sign;
}

/* An immediate as a dword; words are extended, halves are floats. */
static inline uint32_t simd_immediate(const struct eu_region *p)
{
    return p->type == TYPE_HF   ? simd_float_of_half((uint32_t)p->immediate)
           : p->type == TYPE_W  ? (uint32_t)(int32_t)(int16_t)p->immediate
           : p->type == TYPE_UW ? (uint16_t)p->immediate
                                : (uint32_t)p->immediate;
}

/* Whether the instruction has one channel, and runs if its predicate is true, whether the channel is active
 * or not. */
static inline bool simd_has_one_predicate(const struct eu_decoded *op)
{
    enum { ANY_2 = 4, ALL_32 = 13 };
    return op->channels == 1 && op->unmasked && op->opcode != EU_SEL &&
           (op->predicate == 1 || (op->predicate >= ANY_2 && op->predicate <= ALL_32));
}

#endif
