/*
 * Vector handlers of WIDTH channels, in vectors of PART lanes. NAME gives their names a prefix. handlers.c
 * includes this once for each width.
 */

enum { NAME(PARTS) = WIDTH / PART };
typedef int32_t NAME(vi) __attribute__((vector_size(PART * 4)));
typedef uint32_t NAME(vu) __attribute__((vector_size(PART * 4)));
typedef float NAME(vf) __attribute__((vector_size(PART * 4)));
#define VI NAME(vi)
#define VU NAME(vu)
#define VF NAME(vf)
typedef VI NAME(rule)(const struct eu_decoded *op, VI a, VI b, VI c, VI *doubtful);

/* Shuffles of two vectors: the even lanes, and lanes of both interleaved. */
#if PART == 16
#define EVEN       0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define LOW_TWICE  0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_TWICE 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif PART == 8
#define EVEN       0, 2, 4, 6, 8, 10, 12, 14
#define LOW_TWICE  0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_TWICE 4, 12, 5, 13, 6, 14, 7, 15
#else
#define EVEN       0, 2, 4, 6
#define LOW_TWICE  0, 4, 1, 5
#define HIGH_TWICE 2, 6, 3, 7
#endif

/* Whether the host has mask registers, with a bit for each lane. */
#if PART == 16
#define HAS_MASKS 1
#else
#define HAS_MASKS 0
#endif

static INLINE VI NAME(all)(int32_t x)
{
    return (VI){0} + x;
}

static INLINE VI NAME(choose)(VI mask, VI a, VI b)
{
    return (a & mask) | (b & ~mask);
}

/* All ones in the lanes of a part whose channel is on. */
static INLINE VI NAME(lanes)(uint32_t on, unsigned part)
{
    static const int32_t bits[16] = {1,   2,   4,    8,    16,   32,   64,    128,
                                     256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    VI which;
    memcpy(&which, bits, sizeof which);
    return (VI)((NAME(all)((int32_t)(on >> part * PART)) & which) != 0);
}

static INLINE uint32_t NAME(bits)(VI mask)
{
#if PART == 16
    return (uint32_t)_mm512_movepi32_mask((__m512i)mask);
#elif PART == 8
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif PART == 4
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
    return (uint32_t)mask[0] >> 31;
#endif
}

/* ---- Integers ---- */

#define INTEGER(name, value)                                                                                 \
    static INLINE VI NAME(name)(const struct eu_decoded *op, VI a, VI b, VI c, VI *doubtful)                 \
    {                                                                                                        \
        (void)op;                                                                                            \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        (void)doubtful;                                                                                      \
        return value;                                                                                        \
    }

INTEGER(mov, a)
INTEGER(not, ~a)
INTEGER(and, a &b)
INTEGER(or, a | b)
INTEGER(xor, a ^ b)
INTEGER(add, (VI)((VU)a + (VU)b))
INTEGER(add3, (VI)((VU)a + (VU)b + (VU)c))
INTEGER(mul, (VI)((VU)a *(VU)b))
INTEGER(mad, (VI)((VU)a + (VU)b * (VU)c))
INTEGER(shl, (VI)((VU)a << (VU)(b & 31)))
INTEGER(shr, (VI)((VU)a >> (VU)(b & 31)))
INTEGER(asr, a >> (b & 31))
INTEGER(rol, (VI)((VU)a << (VU)(b & 31) | (VU)a >> (-(VU)b & 31u)))
INTEGER(ror, (VI)((VU)a >> (VU)(b & 31) | (VU)a << (-(VU)b & 31u)))
INTEGER(min, NAME(choose)((VI)(a < b), a, b))
INTEGER(max, NAME(choose)((VI)(a < b), b, a))
INTEGER(min_unsigned, NAME(choose)((VI)((VU)a < (VU)b), a, b))
INTEGER(max_unsigned, NAME(choose)((VI)((VU)a < (VU)b), b, a))

static INLINE VI NAME(bfn)(const struct eu_decoded *op, VI a, VI b, VI c, VI *doubtful)
{
    VI result = {0};
    (void)doubtful;
    for (unsigned n = 0; n < 8; n++)
        if (op->function >> n & 1u)
            result |= (n & 1u ? a : ~a) & (n & 2u ? b : ~b) & (n & 4u ? c : ~c);
    return result;
}

/* ---- Floats ---- */

static INLINE VI NAME(is_number)(VF x)
{
    return (VI)(x == x); /* NOLINT(misc-redundant-expression): a NaN does not equal itself */
}

/* NaN results become the default NaN. */
static INLINE void NAME(fix_nan)(VI *x)
{
#if HAS_MASKS
    uint32_t none = 0;
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) none |=
        _mm512_cmp_ps_mask((__m512)x[p], (__m512)x[p], _CMP_UNORD_Q);
    if (!SELDOM(none != 0))
        return;
#else
    VI none = {0};
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) none |= ~NAME(is_number)((VF)x[p]);
    if (!SELDOM(NAME(bits)(none) != 0))
        return;
#endif
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) x[p] =
        NAME(choose)(NAME(is_number)((VF)x[p]), x[p], NAME(all)(0x7fc00000));
}

#define FLOAT(name, value)                                                                                   \
    static INLINE VI NAME(name)(const struct eu_decoded *op, VI a, VI b, VI c, VI *doubtful)                 \
    {                                                                                                        \
        (void)op;                                                                                            \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        (void)doubtful;                                                                                      \
        return (VI)(value);                                                                                  \
    }

FLOAT(fadd, (VF)a + (VF)b)
FLOAT(fmul, (VF)a *(VF)b)
/* sel with a condition: of a number and NaN the number; of equal zeros the first one for ge, the second one
 * for l. The product flushes denormals where the thread does. */
FLOAT(fmin, (VF)NAME(choose)((VI)((VF)a < (VF)b) | ~NAME(is_number)((VF)b), a, b) * one())
FLOAT(fmax, (VF)NAME(choose)((VI)((VF)a >= (VF)b) | ~NAME(is_number)((VF)b), a, b) * one())

/* mad rounds once. Without FMA it is computed in doubles, which hold the product. If the second rounding
 * could matter, the result is doubtful, and the generic handler runs. */
#if defined(__FMA__)
static INLINE VI NAME(fmad)(const struct eu_decoded *op, VI a, VI b, VI c, VI *doubtful)
{
    (void)op;
    (void)doubtful;
#if PART == 16
    return (VI)_mm512_fmadd_ps((__m512)b, (__m512)c, (__m512)a);
#elif PART == 8
    return (VI)_mm256_fmadd_ps((__m256)b, (__m256)c, (__m256)a);
#else
    return (VI)(VF){__builtin_fmaf(((VF)b)[0], ((VF)c)[0], ((VF)a)[0])};
#endif
}
#else
static INLINE VI NAME(fmad)(const struct eu_decoded *op, VI a, VI b, VI c, VI *doubtful)
{
#if PART == 4
    const __m128 x = (__m128)a, y = (__m128)b, z = (__m128)c;
    const __m128d first = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(y), _mm_cvtps_pd(z)), _mm_cvtps_pd(x));
    const __m128d second =
        _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(_mm_movehl_ps(y, y)), _mm_cvtps_pd(_mm_movehl_ps(z, z))),
                   _mm_cvtps_pd(_mm_movehl_ps(x, x)));
    const VF result = (VF)_mm_movelh_ps(_mm_cvtpd_ps(first), _mm_cvtpd_ps(second));
    const VI low = (VI)_mm_shuffle_ps((__m128)first, (__m128)second, 0x88),
             high = (VI)_mm_shuffle_ps((__m128)first, (__m128)second, 0xdd) & INT32_MAX;
#else
    const double sum = (double)((VF)b)[0] * (double)((VF)c)[0] + (double)((VF)a)[0];
    const VF result = {(float)sum};
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const VI low = {(int32_t)bits}, high = {(int32_t)(bits >> 32) & INT32_MAX};
#endif
    /* A tie between two floats, or a denormal result. */
    const VI half = (VI)((low & 0x1fffffff) == 0x10000000),
             small = (VI)(high < 0x38200000) & (VI)((high | low) != 0);
    (void)op;
    *doubtful |= half | small;
    return (VI)result;
}
#endif

FLOAT(to_float, __builtin_convertvector(a, VF))
/* The two halves convert exactly, so that only their sum is rounded. */
FLOAT(to_float_unsigned,
      __builtin_convertvector((VI)((VU)a >> 16), VF) * 65536.0f + __builtin_convertvector(a & 0xffff, VF))

/* Truncates and clamps to the type; NaN becomes 0. */
static INLINE VI NAME(to_integer)(const struct eu_decoded *op, VI a, VI b, VI c, VI *doubtful)
{
    const VF x = (VF)a;
    const VI in = (VI)(x < 0x1p31f) & (VI)(x >= -0x1p31f);
    const VI whole = __builtin_convertvector((VF)(a & in), VI);
    (void)op;
    (void)b;
    (void)c;
    (void)doubtful;
    return NAME(choose)(in, whole,
                        NAME(choose)((VI)(x > 0), NAME(all)(INT32_MAX), NAME(all)(INT32_MIN)) &
                            NAME(is_number)(x));
}

#include "simd/operands.h"

/* ---- Bodies of handlers ---- */

/* Loads a source. `scalars` is the mask of scalar sources, or ANYWHERE. */
static INLINE void NAME(fetch)(const struct eu_run *r, const struct eu_decoded *op, unsigned n, unsigned kind,
                               unsigned scalars, VI *to)
{
    if (scalars == ANYWHERE) {
        NAME(source)(r, op, n, kind, to);
        return;
    }
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        to[p] = p && (scalars >> n & 1u) ? to[0] : NAME(load)(r, op, n, scalars >> n & 1u, p);
    }
    if (kind & NEGATES)
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) to[p] ^=
            NAME(all)((int32_t)op->simd.sign_mask[n]);
}

static INLINE void NAME(put)(struct eu_run *r, const struct eu_decoded *op, uint32_t on, unsigned scalars,
                             const VI *result)
{
    if (scalars == ANYWHERE && op->dst.file == OPERAND_ACCUMULATOR)
        NAME(store_accumulators)(r, op, on, result);
    else
        NAME(store)(r, op, on, result);
}

/* Runs a rule. Returns the handler to run instead, or NULL. */
static INLINE eu_threaded_handler *NAME(values)(struct eu_run *r, struct eu_decoded *op, NAME(rule) * rule,
                                                unsigned kind, unsigned sources, unsigned scalars)
{
    VI s[3][NAME(PARTS)] = {{{0}}}, result[NAME(PARTS)], doubtful = {0};
    if ((kind & ROUNDS) && SELDOM(!(r->rounding & ROUNDING_THREAD)))
        return set_rounding_first;
    const uint32_t on = enabled(r->t, op);
    UNROLLED for (unsigned n = 0; n < sources; n++) NAME(fetch)(r, op, n, kind, scalars, s[n]);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) result[p] =
        rule(op, s[0][p], s[1][p], s[2][p], &doubtful);
    if ((kind & DOUBTS) && SELDOM(NAME(bits)(doubtful) != 0))
        return run_generic;
    if (kind & FIXES_NAN)
        NAME(fix_nan)(result);
    if (scalars == ANYWHERE && (kind & FLOATS) && op->saturate)
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
        {
            const VF x = (VF)result[p];
            result[p] = NAME(choose)((VI)(x < 1.0f), result[p], NAME(all)(0x3f800000)) & (VI)(x > 0.0f);
        }
    NAME(put)(r, op, on, scalars, result);
    return NULL;
}

/* sel by the predicate. `kind` says which modifier applies. */
static INLINE eu_threaded_handler *NAME(select)(struct eu_run *r, struct eu_decoded *op, unsigned kind,
                                                unsigned scalars)
{
    VI a[NAME(PARTS)], b[NAME(PARTS)];
    if ((kind & FLOATS) && SELDOM(r->t->cr0[0] & CR0_ALT_FP_MODE))
        return run_generic;
    const uint32_t first = predicate(r->t, op) >> op->first_channel;
    NAME(fetch)(r, op, 0, kind, scalars, a);
    NAME(fetch)(r, op, 1, kind, scalars, b);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) a[p] = NAME(by_bits)(first, p, a[p], b[p]);
    NAME(put)(r, op, (r->t->execution_mask | op->unmasked) & op->channel_mask, scalars, a);
    return NULL;
}

enum { NAME(SIGNED), NAME(UNSIGNED), NAME(FLOATING) };

static INLINE VI NAME(holds)(unsigned condition, unsigned type, VI a, VI b)
{
#define HOLDS(is)                                                                                            \
    (type == NAME(FLOATING)   ? (VI)((VF)a is(VF) b)                                                         \
     : type == NAME(UNSIGNED) ? (VI)((VU)a is(VU) b)                                                         \
                              : (VI)(a is b))
    switch (condition) {
    case 1:
        return HOLDS(==);
    case 2:
        return HOLDS(!=);
    case 3:
        return HOLDS(>);
    case 4:
        return HOLDS(>=);
    case 5:
        return HOLDS(<);
    default:
        return HOLDS(<=);
    }
#undef HOLDS
}

/* The mask of channels where the condition holds: 1 (e), 5 (l) or, of floats, 6 (le). */
static INLINE uint32_t NAME(which_hold)(unsigned condition, unsigned type, VI a, VI b)
{
#if HAS_MASKS
    if (type == NAME(FLOATING))
        return condition == 1   ? _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ)
               : condition == 5 ? _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ)
                                : _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
    if (condition == 1)
        return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
    return type == NAME(UNSIGNED) ? _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b)
                                  : _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
#else
    return NAME(bits)(NAME(holds)(condition, type, a, b));
#endif
}

/* cmp. With ANYWHERE the condition is op->condition. */
static INLINE eu_threaded_handler *NAME(compare)(struct eu_run *r, struct eu_decoded *op, unsigned condition,
                                                 unsigned type, unsigned scalars)
{
    VI a[NAME(PARTS)], b[NAME(PARTS)];
    uint32_t flags = scalars == ANYWHERE ? 0 : op->simd.flag_flip;
    if (type == NAME(FLOATING) && SELDOM(!(r->rounding & ROUNDING_THREAD)))
        return set_rounding_first;
    const uint32_t on = enabled(r->t, op);
    NAME(fetch)(r, op, 0, FLOATS, scalars, a);
    NAME(fetch)(r, op, 1, FLOATS, scalars, b);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) flags ^=
        (scalars == ANYWHERE ? NAME(bits)(NAME(holds)(op->condition, type, a[p], b[p]))
                             : NAME(which_hold)(condition, type, a[p], b[p]))
        << p * PART;
    if (op->dst.file == OPERAND_GRF) {
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) a[p] =
            NAME(by_bits)(flags, p, NAME(all)(-1), NAME(all)(0));
        NAME(store)(r, op, on, a);
    }
    set_flags(r->t, op, on >> op->first_channel, flags);
    return NULL;
}

/* ---- Handlers, by the mask of scalar sources or ANYWHERE ---- */

#define STEP(name, scalars, way, ...)                                                                        \
    static struct eu_decoded *NAME(name##_##scalars)(struct eu_run * r, struct eu_decoded * op,              \
                                                     uint64_t left)                                          \
    {                                                                                                        \
        eu_threaded_handler *const instead = way(r, op, __VA_ARGS__, scalars);                               \
        if (SELDOM(instead != NULL))                                                                         \
            EU_TAIL_CALL(instead, r, op, left);                                                              \
        EU_DISPATCH(r, eu_next_decoded(op), left - 1u);                                                      \
    }
#define TWO_STEPS(name, ...)                                                                                 \
    STEP(name, 0, __VA_ARGS__)                                                                               \
    STEP(name, 1, __VA_ARGS__)
#define FOUR_STEPS(name, ...)                                                                                \
    TWO_STEPS(name, __VA_ARGS__)                                                                             \
    STEP(name, 2, __VA_ARGS__)                                                                               \
    STEP(name, 3, __VA_ARGS__)                                                                               \
    static eu_threaded_handler *const NAME(name##_all)[] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),  \
                                                            NAME(name##_3)};
#define EIGHT_STEPS(name, ...)                                                                               \
    TWO_STEPS(name, __VA_ARGS__)                                                                             \
    STEP(name, 2, __VA_ARGS__)                                                                               \
    STEP(name, 3, __VA_ARGS__)                                                                               \
    STEP(name, 4, __VA_ARGS__)                                                                               \
    STEP(name, 5, __VA_ARGS__)                                                                               \
    STEP(name, 6, __VA_ARGS__)                                                                               \
    STEP(name, 7, __VA_ARGS__)                                                                               \
    static eu_threaded_handler *const NAME(name##_all)[] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),  \
                                                            NAME(name##_3), NAME(name##_4), NAME(name##_5),  \
                                                            NAME(name##_6), NAME(name##_7)};
#define ONE(name, rule, kind)                                                                                \
    TWO_STEPS(name, NAME(values), NAME(rule), kind, 1)                                                       \
    STEP(name, ANYWHERE, NAME(values), NAME(rule), kind, 1)                                                  \
    static eu_threaded_handler *const NAME(name##_all)[] = {NAME(name##_0), NAME(name##_1)};
#define TWO(name, kind)                                                                                      \
    FOUR_STEPS(name, NAME(values), NAME(name), kind, 2)                                                      \
    STEP(name, ANYWHERE, NAME(values), NAME(name), kind, 2)
#define THREE(name, kind)                                                                                    \
    EIGHT_STEPS(name, NAME(values), NAME(name), kind, 3)                                                     \
    STEP(name, ANYWHERE, NAME(values), NAME(name), kind, 3)

ONE(mov, mov, 0)
ONE(mov_float, mov, FLOATS)
ONE(not, not, BITS)
ONE(to_float, to_float, ROUNDS)
ONE(to_float_unsigned, to_float_unsigned, ROUNDS)
ONE(to_integer, to_integer, FLOATS)
TWO(and, BITS)
TWO(or, BITS)
TWO(xor, BITS)
TWO(add, 0)
TWO(mul, 0)
TWO(shl, 0)
TWO(shr, 0)
TWO(asr, 0)
TWO(rol, 0)
TWO(ror, 0)
TWO(min, 0)
TWO(max, 0)
TWO(min_unsigned, 0)
TWO(max_unsigned, 0)
TWO(fadd, FLOATS | ROUNDS | FIXES_NAN)
TWO(fmul, FLOATS | ROUNDS | FIXES_NAN)
TWO(fmin, FLOATS | ROUNDS | FIXES_NAN)
TWO(fmax, FLOATS | ROUNDS | FIXES_NAN)
THREE(add3, 0)
THREE(mad, 0)
THREE(bfn, 0)
THREE(fmad, FLOATS | ROUNDS | FIXES_NAN | MAY_DOUBT)
FOUR_STEPS(fadd_signed, NAME(values), NAME(fadd), FLOATS | ROUNDS | FIXES_NAN | NEGATES, 2)
FOUR_STEPS(fmul_signed, NAME(values), NAME(fmul), FLOATS | ROUNDS | FIXES_NAN | NEGATES, 2)
EIGHT_STEPS(fmad_signed, NAME(values), NAME(fmad), FLOATS | ROUNDS | FIXES_NAN | MAY_DOUBT | NEGATES, 3)
FOUR_STEPS(sel, NAME(select), 0)
FOUR_STEPS(sel_float, NAME(select), FLOATS)
FOUR_STEPS(cmp_equal, NAME(compare), 1, NAME(SIGNED))
FOUR_STEPS(cmp_less, NAME(compare), 5, NAME(SIGNED))
FOUR_STEPS(cmp_less_unsigned, NAME(compare), 5, NAME(UNSIGNED))
FOUR_STEPS(cmp_float_equal, NAME(compare), 1, NAME(FLOATING))
FOUR_STEPS(cmp_float_less, NAME(compare), 5, NAME(FLOATING))
FOUR_STEPS(cmp_float_not_more, NAME(compare), 6, NAME(FLOATING))
STEP(sel, ANYWHERE, NAME(select), 0)
STEP(sel_float, ANYWHERE, NAME(select), FLOATS)
STEP(cmp, ANYWHERE, NAME(compare), 0, NAME(SIGNED))
STEP(cmp_unsigned, ANYWHERE, NAME(compare), 0, NAME(UNSIGNED))
STEP(cmp_float, ANYWHERE, NAME(compare), 0, NAME(FLOATING))

static const struct rule_handlers NAME(handlers)[SIMD_RULES] = {
#define SIMD_RULE(name) [SIMD_##name] = {NAME(name##_all), NAME(name##_ANYWHERE)},
    SIMD_LIST(SIMD_RULE)
#undef SIMD_RULE
        [SIMD_fadd_signed] = {NAME(fadd_signed_all), NAME(fadd_ANYWHERE)},
    [SIMD_fmul_signed] = {NAME(fmul_signed_all), NAME(fmul_ANYWHERE)},
    [SIMD_fmad_signed] = {NAME(fmad_signed_all), NAME(fmad_ANYWHERE)},
    [SIMD_cmp_equal] = {NAME(cmp_equal_all), NAME(cmp_ANYWHERE)},
    [SIMD_cmp_less] = {NAME(cmp_less_all), NAME(cmp_ANYWHERE)},
    [SIMD_cmp_equal_unsigned] = {NAME(cmp_equal_all), NAME(cmp_unsigned_ANYWHERE)},
    [SIMD_cmp_less_unsigned] = {NAME(cmp_less_unsigned_all), NAME(cmp_unsigned_ANYWHERE)},
    [SIMD_cmp_float_equal] = {NAME(cmp_float_equal_all), NAME(cmp_float_ANYWHERE)},
    [SIMD_cmp_float_less] = {NAME(cmp_float_less_all), NAME(cmp_float_ANYWHERE)},
    [SIMD_cmp_float_not_more] = {NAME(cmp_float_not_more_all), NAME(cmp_float_ANYWHERE)},
};

#undef VI
#undef VU
#undef VF
#undef HAS_MASKS
#undef INTEGER
#undef FLOAT
#undef EVEN
#undef LOW_TWICE
#undef HIGH_TWICE
#undef STEP
#undef TWO_STEPS
#undef FOUR_STEPS
#undef EIGHT_STEPS
#undef ONE
#undef TWO
#undef THREE
#undef WIDTH
#undef PART
#undef NAME
