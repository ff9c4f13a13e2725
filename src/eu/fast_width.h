/*
 * Handlers of so many channels (WIDTH), in vectors of PART; NAME makes their names. fast.c takes this in for
 * each width it has.
 */

enum { NAME(PARTS) = WIDTH / PART };
typedef int32_t NAME(vi) __attribute__((vector_size(PART * 4)));
typedef uint32_t NAME(vu) __attribute__((vector_size(PART * 4)));
typedef float NAME(vf) __attribute__((vector_size(PART * 4)));
#define VI NAME(vi)
#define VU NAME(vu)
#define VF NAME(vf)
typedef VI NAME(rule)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful);

static INLINE VI NAME(all)(int32_t x)
{
    return (VI){0} + x;
}

static INLINE VI NAME(choose)(VI mask, VI a, VI b)
{
    return (a & mask) | (b & ~mask);
}

/* Lanes of a part that are on. */
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
    static INLINE VI NAME(name)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful)                      \
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
INTEGER(least, NAME(choose)((VI)(a < b), a, b))
INTEGER(most, NAME(choose)((VI)(a < b), b, a))
INTEGER(least_unsigned, NAME(choose)((VI)((VU)a < (VU)b), a, b))
INTEGER(most_unsigned, NAME(choose)((VI)((VU)a < (VU)b), b, a))

static INLINE VI NAME(bfn)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful)
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

static INLINE VI NAME(number)(VF x)
{
    return NAME(choose)(NAME(is_number)(x), (VI)x, NAME(all)(0x7fc00000));
}

#define FLOAT(name, value)                                                                                   \
    static INLINE VI NAME(name)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful)                      \
    {                                                                                                        \
        (void)op;                                                                                            \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        (void)doubtful;                                                                                      \
        return NAME(number)(value);                                                                          \
    }

FLOAT(fadd, (VF)a + (VF)b)
FLOAT(fmul, (VF)a *(VF)b)

/* One rounding. Without such an instruction by doubles, which hold the product: what the second rounding
 * could make another number is left to the exact way. */
#if defined(__FMA__)
static INLINE VI NAME(fmad)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful)
{
    (void)op;
    (void)doubtful;
#if PART == 16
    return NAME(number)((VF)_mm512_fmadd_ps((__m512)b, (__m512)c, (__m512)a));
#elif PART == 8
    return NAME(number)((VF)_mm256_fmadd_ps((__m256)b, (__m256)c, (__m256)a));
#else
    return NAME(number)((VF){__builtin_fmaf(((VF)b)[0], ((VF)c)[0], ((VF)a)[0])});
#endif
}
#else
static INLINE VI NAME(fmad)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful)
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
    /* Half way between two floats; or less than the least that has all digits, and not zero. */
    const VI half = (VI)((low & 0x1fffffff) == 0x10000000),
             small = (VI)(high < 0x38200000) & (VI)((high | low) != 0);
    (void)op;
    *doubtful |= half | small;
    return NAME(number)(result);
}
#endif

FLOAT(to_float, __builtin_convertvector(a, VF))

/* To zero, within the type; zero for what is no number. */
static INLINE VI NAME(to_integer)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful)
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

/* ---- The way ---- */

static INLINE VI NAME(load)(const struct eu_run *r, const struct eu_op *op, unsigned n, bool scalar,
                            unsigned part)
{
    VI x;
    if (scalar) {
        int32_t one;
        memcpy(&one, op->fixed_bits >> n & 1u ? (const uint8_t *)&op->fixed[n] : r->t->grf + op->from[n], 4);
        return NAME(all)(one);
    }
    memcpy(&x, r->t->grf + op->from[n] + part * PART * 4, sizeof x);
    return x;
}

static INLINE VI NAME(modified)(const struct eu_op *op, unsigned n, unsigned kind, VI x)
{
    if (kind & FLOATS) {
        if (op->absolutes >> n & 1u)
            x &= 0x7fffffff;
        return op->negates >> n & 1u ? x ^ INT32_MIN : x;
    }
    if (kind & BITS)
        return op->negates >> n & 1u ? ~x : x;
    if (op->absolutes >> n & 1u)
        x = NAME(choose)((VI)(x < 0), (VI)(0u - (VU)x), x);
    return op->negates >> n & 1u ? (VI)(0u - (VU)x) : x;
}

/* `on`: channels of the thread. */
static INLINE void NAME(store)(struct eu_run *r, const struct eu_op *op, uint32_t on, const VI *result)
{
    uint8_t *const to = r->t->grf + op->to;
    if (!SELDOM(on != op->window)) {
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
            memcpy(to + p * PART * 4, &result[p], sizeof *result);
        return;
    }
    on >>= op->first;
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        VI before;
        memcpy(&before, to + p * PART * 4, sizeof before);
        before = NAME(choose)(NAME(lanes)(on, p), result[p], before);
        memcpy(to + p * PART * 4, &before, sizeof before);
    }
}

/* Sources that are one element for all are bits of `scalars`. */
static INLINE struct eu_op *NAME(values)(struct eu_run *r, struct eu_op *op, NAME(rule) * rule, unsigned kind,
                                         unsigned sources, unsigned scalars)
{
    VI s[3][NAME(PARTS)] = {{{0}}}, result[NAME(PARTS)], doubtful = {0};
    if ((kind & ROUNDS) && SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    const uint32_t on = enabled(r->t, op);
    UNROLLED for (unsigned n = 0; n < sources; n++) UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
        s[n][p] = p && (scalars >> n & 1u) ? s[n][0] : NAME(load)(r, op, n, scalars >> n & 1u, p);
    if (SELDOM(!op->is_plain))
        UNROLLED for (unsigned n = 0; n < sources; n++) UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
            s[n][p] = NAME(modified)(op, n, kind, s[n][p]);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) result[p] =
        rule(op, s[0][p], s[1][p], s[2][p], &doubtful);
    if ((kind & DOUBTS) && NAME(bits)(doubtful))
        return eu_do_values(r, op);
    if ((kind & FLOATS) && SELDOM(!op->is_plain) && op->saturate)
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
        {
            const VF x = (VF)result[p];
            result[p] = NAME(choose)((VI)(x < 1.0f), result[p], NAME(all)(0x3f800000)) & (VI)(x > 0.0f);
        }
    NAME(store)(r, op, on, result);
    return op->next;
}

/* By the predicate one or the other; the modifier is that of floats or of integers. */
static INLINE struct eu_op *NAME(select)(struct eu_run *r, struct eu_op *op, unsigned kind, unsigned scalars)
{
    VI result[NAME(PARTS)];
    if ((kind & FLOATS) && (r->t->control[0] & CR0_ALTERNATIVE))
        return eu_do_values(r, op);
    const uint32_t on = op->no_mask ? op->window : r->t->active & op->window;
    const uint32_t first = predicate(r->t, op) >> op->first;
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        VI a = NAME(load)(r, op, 0, scalars & 1u, p), b = NAME(load)(r, op, 1, scalars & 2u, p);
        if (SELDOM(!op->is_plain)) {
            a = NAME(modified)(op, 0, kind, a);
            b = NAME(modified)(op, 1, kind, b);
        }
        result[p] = NAME(choose)(NAME(lanes)(first, p), a, b);
    }
    NAME(store)(r, op, on, result);
    return op->next;
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

static INLINE struct eu_op *NAME(compare)(struct eu_run *r, struct eu_op *op, unsigned type, unsigned scalars)
{
    VI result[NAME(PARTS)];
    uint32_t flags = 0;
    if (type == NAME(FLOATING) && SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    const uint32_t on = enabled(r->t, op);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        VI a = NAME(load)(r, op, 0, scalars & 1u, p), b = NAME(load)(r, op, 1, scalars & 2u, p);
        if (SELDOM(!op->is_plain)) {
            a = NAME(modified)(op, 0, FLOATS, a);
            b = NAME(modified)(op, 1, FLOATS, b);
        }
        result[p] = NAME(holds)(op->condition, type, a, b);
        flags |= NAME(bits)(result[p]) << p * PART;
    }
    if (op->dst.way == WAY_REGISTERS)
        NAME(store)(r, op, on, result);
    set_flags(r->t, op, on >> op->first, flags);
    return op->next;
}

/* ---- Handlers, by which sources are one element for all ---- */

#define HANDLER(name, scalars, call)                                                                         \
    static struct eu_op *NAME(name##_##scalars)(struct eu_run * r, struct eu_op * op)                        \
    {                                                                                                        \
        return call;                                                                                         \
    }
#define ONE(name, rule, kind)                                                                                \
    HANDLER(name, 0, NAME(values)(r, op, NAME(rule), kind, 1, 0))                                            \
    HANDLER(name, 1, NAME(values)(r, op, NAME(rule), kind, 1, 1))                                            \
    static eu_handler *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1)};
#define FOUR(name, call)                                                                                     \
    HANDLER(name, 0, call(0))                                                                                \
    HANDLER(name, 1, call(1))                                                                                \
    HANDLER(name, 2, call(2))                                                                                \
    HANDLER(name, 3, call(3))                                                                                \
    static eu_handler *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),          \
                                                    NAME(name##_3)};
#define TWO(name, kind)                                                                                      \
    HANDLER(name, 0, NAME(values)(r, op, NAME(name), kind, 2, 0))                                            \
    HANDLER(name, 1, NAME(values)(r, op, NAME(name), kind, 2, 1))                                            \
    HANDLER(name, 2, NAME(values)(r, op, NAME(name), kind, 2, 2))                                            \
    HANDLER(name, 3, NAME(values)(r, op, NAME(name), kind, 2, 3))                                            \
    static eu_handler *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),          \
                                                    NAME(name##_3)};
#define THREE(name, kind)                                                                                    \
    HANDLER(name, 0, NAME(values)(r, op, NAME(name), kind, 3, 0))                                            \
    HANDLER(name, 1, NAME(values)(r, op, NAME(name), kind, 3, 1))                                            \
    HANDLER(name, 2, NAME(values)(r, op, NAME(name), kind, 3, 2))                                            \
    HANDLER(name, 3, NAME(values)(r, op, NAME(name), kind, 3, 3))                                            \
    HANDLER(name, 4, NAME(values)(r, op, NAME(name), kind, 3, 4))                                            \
    HANDLER(name, 5, NAME(values)(r, op, NAME(name), kind, 3, 5))                                            \
    HANDLER(name, 6, NAME(values)(r, op, NAME(name), kind, 3, 6))                                            \
    HANDLER(name, 7, NAME(values)(r, op, NAME(name), kind, 3, 7))                                            \
    static eu_handler *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),          \
                                                    NAME(name##_3), NAME(name##_4), NAME(name##_5),          \
                                                    NAME(name##_6), NAME(name##_7)};

ONE(mov, mov, 0)
ONE(mov_float, mov, FLOATS)
ONE(not, not, BITS)
ONE(to_float, to_float, ROUNDS)
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
TWO(least, 0)
TWO(most, 0)
TWO(least_unsigned, 0)
TWO(most_unsigned, 0)
TWO(fadd, FLOATS | ROUNDS)
TWO(fmul, FLOATS | ROUNDS)
THREE(add3, 0)
THREE(mad, 0)
THREE(bfn, 0)
THREE(fmad, FLOATS | ROUNDS | MAY_DOUBT)
#define SELECT_INTEGER(scalars)   NAME(select)(r, op, 0, scalars)
#define SELECT_FLOAT(scalars)     NAME(select)(r, op, FLOATS, scalars)
#define COMPARE_SIGNED(scalars)   NAME(compare)(r, op, NAME(SIGNED), scalars)
#define COMPARE_UNSIGNED(scalars) NAME(compare)(r, op, NAME(UNSIGNED), scalars)
#define COMPARE_FLOAT(scalars)    NAME(compare)(r, op, NAME(FLOATING), scalars)
FOUR(sel, SELECT_INTEGER)
FOUR(sel_float, SELECT_FLOAT)
FOUR(cmp, COMPARE_SIGNED)
FOUR(cmp_unsigned, COMPARE_UNSIGNED)
FOUR(cmp_float, COMPARE_FLOAT)

static eu_handler *const *const NAME(handlers)[FAST_RULES] = {
#define FAST_RULE(name) [FAST_##name] = NAME(name##_all),
    FAST_LIST(FAST_RULE)
#undef FAST_RULE
};

#undef VI
#undef VU
#undef VF
#undef INTEGER
#undef FLOAT
#undef HANDLER
#undef ONE
#undef FOUR
#undef TWO
#undef THREE
#undef SELECT_INTEGER
#undef SELECT_FLOAT
#undef COMPARE_SIGNED
#undef COMPARE_UNSIGNED
#undef COMPARE_FLOAT
#undef WIDTH
#undef PART
#undef NAME
