/* What steps there are for plain values, by name: fast.c has them, translate.c makes the same of them. */
#ifndef EU_FAST_RULES_H
#define EU_FAST_RULES_H

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

#endif
