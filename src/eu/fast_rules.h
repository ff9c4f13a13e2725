/* What steps there are for plain values, by name: fast.c has them, translate.c makes the same of them. */
#ifndef EU_FAST_RULES_H
#define EU_FAST_RULES_H

#include "eu/execute.h"

#define FAST_LIST(RULE)                                                                                      \
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
    RULE(least)                                                                                              \
    RULE(most)                                                                                               \
    RULE(least_unsigned)                                                                                     \
    RULE(most_unsigned)                                                                                      \
    RULE(fadd)                                                                                               \
    RULE(fmul)                                                                                               \
    RULE(add3)                                                                                               \
    RULE(mad)                                                                                                \
    RULE(bfn)                                                                                                \
    RULE(fmad)                                                                                               \
    RULE(sel)                                                                                                \
    RULE(sel_float)

enum fast_rule {
    FAST_NONE,
#define FAST_RULE(name) FAST_##name,
    FAST_LIST(FAST_RULE)
#undef FAST_RULE
        FAST_cmp_equal,
    FAST_fadd_signed,
    FAST_fmul_signed,
    FAST_fmad_signed,
    FAST_cmp_less,
    FAST_cmp_equal_unsigned,
    FAST_cmp_less_unsigned,
    FAST_cmp_float_equal,
    FAST_cmp_float_less,
    FAST_cmp_float_not_more,
    FAST_convert, /* a float from a half, or the other way; translated alone */
    FAST_called,  /* no rule: what the step does is done by it */
    FAST_RULES
};

/* Which rule an operation of integers has, of floats, and of these where some source is negated. */
static inline enum fast_rule fast_integer_rule(unsigned does)
{
    static const uint8_t rules[EU_OPERATIONS] = {
        [EU_MOV] = FAST_mov, [EU_NOT] = FAST_not, [EU_AND] = FAST_and, [EU_OR] = FAST_or,
        [EU_XOR] = FAST_xor, [EU_ADD] = FAST_add, [EU_MUL] = FAST_mul, [EU_ADD3] = FAST_add3,
        [EU_MAD] = FAST_mad, [EU_SHL] = FAST_shl, [EU_SHR] = FAST_shr, [EU_ROL] = FAST_rol,
        [EU_ROR] = FAST_ror, [EU_BFN] = FAST_bfn, [EU_SEL] = FAST_sel,
    };
    return (enum fast_rule)rules[does];
}

static inline enum fast_rule fast_float_rule(unsigned does)
{
    static const uint8_t rules[EU_OPERATIONS] = {
        [EU_ADD] = FAST_fadd, [EU_MUL] = FAST_fmul, [EU_MAD] = FAST_fmad};
    return (enum fast_rule)rules[does];
}

static inline enum fast_rule fast_signed_rule(enum fast_rule rule)
{
    static const uint8_t rules[FAST_RULES] = {
        [FAST_fadd] = FAST_fadd_signed, [FAST_fmul] = FAST_fmul_signed, [FAST_fmad] = FAST_fmad_signed};
    return (enum fast_rule)rules[rule];
}

/* Immediates of words are what they are as dwords. */
static inline uint32_t fast_immediate(const struct eu_place *p)
{
    return p->type == TYPE_W    ? (uint32_t)(int32_t)(int16_t)p->immediate
           : p->type == TYPE_UW ? (uint16_t)p->immediate
                                : (uint32_t)p->immediate;
}

#endif
