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

/* Where a lane's mask is a bit of the host's. */
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

/* What is no number becomes the one that there is. */
static INLINE void NAME(make_numbers)(VI *x)
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
    static INLINE VI NAME(name)(const struct eu_op *op, VI a, VI b, VI c, VI *doubtful)                      \
    {                                                                                                        \
        (void)op;                                                                                            \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        (void)doubtful;                                                                                      \
        return (VI)(value);                                                                                  \
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
    return (VI)_mm512_fmadd_ps((__m512)b, (__m512)c, (__m512)a);
#elif PART == 8
    return (VI)_mm256_fmadd_ps((__m256)b, (__m256)c, (__m256)a);
#else
    return (VI)(VF){__builtin_fmaf(((VF)b)[0], ((VF)c)[0], ((VF)a)[0])};
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
    return (VI)result;
}
#endif

FLOAT(to_float, __builtin_convertvector(a, VF))
/* Both halves are floats: their sum is rounded once. */
FLOAT(to_float_unsigned,
      __builtin_convertvector((VI)((VU)a >> 16), VF) * 65536.0f + __builtin_convertvector(a & 0xffff, VF))

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

/* One where a channel's bit is set, else the other. */
static INLINE VI NAME(by_bits)(uint32_t bits, unsigned part, VI is, VI is_not)
{
#if HAS_MASKS
    return (VI)_mm512_mask_mov_epi32((__m512i)is_not, (__mmask16)(bits >> part * PART), (__m512i)is);
#else
    return NAME(choose)(NAME(lanes)(bits, part), is, is_not);
#endif
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
        before = NAME(by_bits)(on, p, result[p], before);
        memcpy(to + p * PART * 4, &before, sizeof before);
    }
}

/* Sources that are one element for all are bits of `scalars`. Gives the step that is to do it instead, or
 * NULL. */
static INLINE eu_step *NAME(values)(struct eu_run *r, struct eu_op *op, NAME(rule) * rule, unsigned kind,
                                    unsigned sources, unsigned scalars)
{
    VI s[3][NAME(PARTS)] = {{{0}}}, result[NAME(PARTS)], doubtful = {0};
    if ((kind & ROUNDS) && SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_step;
    const uint32_t on = enabled(r->t, op);
    UNROLLED for (unsigned n = 0; n < sources; n++) UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
        s[n][p] = p && (scalars >> n & 1u) ? s[n][0] : NAME(load)(r, op, n, scalars >> n & 1u, p);
    if (kind & SIGNS)
        UNROLLED for (unsigned n = 0; n < sources; n++) UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
            s[n][p] ^= NAME(all)((int32_t)op->signs[n]);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) result[p] =
        rule(op, s[0][p], s[1][p], s[2][p], &doubtful);
    if ((kind & DOUBTS) && SELDOM(NAME(bits)(doubtful) != 0))
        return step_exactly;
    if (kind & NUMBERS)
        NAME(make_numbers)(result);
    NAME(store)(r, op, on, result);
    return NULL;
}

/* By the predicate one or the other; the modifier is that of floats or of integers. */
static INLINE eu_step *NAME(select)(struct eu_run *r, struct eu_op *op, unsigned kind, unsigned scalars)
{
    VI result[NAME(PARTS)];
    if ((kind & FLOATS) && SELDOM(r->t->control[0] & CR0_ALTERNATIVE))
        return step_exactly;
    const uint32_t first = predicate(r->t, op) >> op->first;
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) result[p] =
        NAME(by_bits)(first, p, NAME(load)(r, op, 0, scalars & 1u, p), NAME(load)(r, op, 1, scalars & 2u, p));
    NAME(store)(r, op, (r->t->active | op->always) & op->window, result);
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

/* Those channels. `condition` is 1, 5 or, of floats, 6. */
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

static INLINE eu_step *NAME(compare)(struct eu_run *r, struct eu_op *op, unsigned condition, unsigned type,
                                     unsigned scalars)
{
    uint32_t flags = op->flip;
    if (type == NAME(FLOATING) && SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_step;
    const uint32_t on = enabled(r->t, op);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) flags ^=
        NAME(which_hold)(condition, type, NAME(load)(r, op, 0, scalars & 1u, p),
                         NAME(load)(r, op, 1, scalars & 2u, p))
        << p * PART;
    if (op->dst.way == WAY_REGISTERS) {
        VI result[NAME(PARTS)];
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) result[p] =
            NAME(by_bits)(flags, p, NAME(all)(-1), NAME(all)(0));
        NAME(store)(r, op, on, result);
    }
    set_flags(r->t, op, on >> op->first, flags);
    return NULL;
}

/* ---- With modifiers, and where sources lie otherwise ---- */

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

static INLINE void NAME(words)(const uint8_t *from, bool are_signed, VI *to)
{
    typedef int16_t words __attribute__((vector_size(PART * 2)));
    typedef uint16_t unsigned_words __attribute__((vector_size(PART * 2)));
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        words x;
        memcpy(&x, from + p * sizeof x, sizeof x);
        to[p] = are_signed ? __builtin_convertvector(x, VI) : __builtin_convertvector((unsigned_words)x, VI);
    }
}

static __attribute__((noinline)) void NAME(source)(const struct eu_run *r, const struct eu_op *op, unsigned n,
                                                   unsigned kind, VI *to)
{
    const struct eu_place *const p = &op->src[n];
    int32_t lanes[WIDTH];
    if (p->way == WAY_IMMEDIATE) {
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] =
            NAME(all)((int32_t)op->fixed[n]);
    } else if (p->way == WAY_ACCUMULATOR) {
        const uint64_t *const from = r->t->accumulators[p->at / EU_REGISTER_BYTES];
        for (unsigned lane = 0; lane < WIDTH; lane++) /* each register has eight of them */
            lanes[lane] = (int32_t)from[lane / 8u * (EU_MOST_CHANNELS / 2) + lane % 8u];
        memcpy(to, lanes, sizeof lanes);
    } else if (p->lay == LAY_ONE) {
        const uint32_t one = one_of(r->t->grf + p->at, p);
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] = NAME(all)((int32_t)one);
    } else if (p->bytes == 2) {
        NAME(words)(r->t->grf + p->at, p->is_signed, to);
    } else if (p->lay == LAY_ROW) {
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++)
            memcpy(&to[part], r->t->grf + p->at + part * PART * 4, sizeof *to);
    } else {
        collect(p, r->t->grf + p->at, WIDTH, 4, (uint8_t *)lanes);
        memcpy(to, lanes, sizeof lanes);
    }
    UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] =
        NAME(modified)(op, n, kind, to[part]);
}

/* Accumulators of floats have 32 bits of 64 each. */
static __attribute__((noinline)) void NAME(store_accumulators)(struct eu_run *r, const struct eu_op *op,
                                                               uint32_t on, const VI *result)
{
    uint64_t *const to = r->t->accumulators[op->dst.at / EU_REGISTER_BYTES];
    uint32_t lanes[WIDTH];
    memcpy(lanes, result, sizeof lanes);
    on >>= op->first;
    for (unsigned lane = 0; lane < WIDTH; lane++)
        if (on >> lane & 1u)
            to[lane / 8u * (EU_MOST_CHANNELS / 2) + lane % 8u] = lanes[lane];
}

static INLINE void NAME(put)(struct eu_run *r, const struct eu_op *op, uint32_t on, const VI *result)
{
    if (op->dst.way == WAY_ACCUMULATOR)
        NAME(store_accumulators)(r, op, on, result);
    else
        NAME(store)(r, op, on, result);
}

static INLINE struct eu_op *NAME(any_values)(struct eu_run *r, struct eu_op *op, NAME(rule) * rule,
                                             unsigned kind, unsigned sources)
{
    VI s[3][NAME(PARTS)] = {{{0}}}, result[NAME(PARTS)], doubtful = {0};
    if ((kind & ROUNDS) && SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    const uint32_t on = enabled(r->t, op);
    UNROLLED for (unsigned n = 0; n < sources; n++) NAME(source)(r, op, n, kind, s[n]);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) result[p] =
        rule(op, s[0][p], s[1][p], s[2][p], &doubtful);
    if ((kind & DOUBTS) && NAME(bits)(doubtful))
        return eu_do_values(r, op);
    if (kind & NUMBERS)
        NAME(make_numbers)(result);
    if ((kind & FLOATS) && op->saturate)
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
        {
            const VF x = (VF)result[p];
            result[p] = NAME(choose)((VI)(x < 1.0f), result[p], NAME(all)(0x3f800000)) & (VI)(x > 0.0f);
        }
    NAME(put)(r, op, on, result);
    return eu_next(op);
}

static INLINE struct eu_op *NAME(any_select)(struct eu_run *r, struct eu_op *op, unsigned kind)
{
    VI a[NAME(PARTS)], b[NAME(PARTS)];
    if ((kind & FLOATS) && (r->t->control[0] & CR0_ALTERNATIVE))
        return eu_do_values(r, op);
    const uint32_t first = predicate(r->t, op) >> op->first;
    NAME(source)(r, op, 0, kind, a);
    NAME(source)(r, op, 1, kind, b);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++) a[p] = NAME(by_bits)(first, p, a[p], b[p]);
    NAME(put)(r, op, (r->t->active | op->always) & op->window, a);
    return eu_next(op);
}

static INLINE struct eu_op *NAME(any_compare)(struct eu_run *r, struct eu_op *op, unsigned type)
{
    VI a[NAME(PARTS)], b[NAME(PARTS)];
    uint32_t flags = 0;
    if (type == NAME(FLOATING) && SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    const uint32_t on = enabled(r->t, op);
    NAME(source)(r, op, 0, FLOATS, a);
    NAME(source)(r, op, 1, FLOATS, b);
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        a[p] = NAME(holds)(op->condition, type, a[p], b[p]);
        flags |= NAME(bits)(a[p]) << p * PART;
    }
    if (op->dst.way == WAY_REGISTERS)
        NAME(store)(r, op, on, a);
    set_flags(r->t, op, on >> op->first, flags);
    return eu_next(op);
}

/* ---- Steps, by which sources are one element for all; and handlers for all else ---- */

#define STEP(name, scalars, call)                                                                            \
    static struct eu_op *NAME(name##_##scalars)(struct eu_run * r, struct eu_op * op, uint64_t left)         \
    {                                                                                                        \
        eu_step *const instead = call;                                                                       \
        if (SELDOM(instead != NULL))                                                                         \
            EU_STEP(instead, r, op, left);                                                                   \
        EU_GO_ON(r, eu_next(op), left - 1u);                                                                 \
    }
#define ANY(name, call)                                                                                      \
    static struct eu_op *NAME(name##_any)(struct eu_run * r, struct eu_op * op)                              \
    {                                                                                                        \
        return call;                                                                                         \
    }
#define ONE(name, rule, kind)                                                                                \
    STEP(name, 0, NAME(values)(r, op, NAME(rule), kind, 1, 0))                                               \
    STEP(name, 1, NAME(values)(r, op, NAME(rule), kind, 1, 1))                                               \
    ANY(name, NAME(any_values)(r, op, NAME(rule), kind, 1))                                                  \
    static eu_step *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1)};
#define FOUR(name, call)                                                                                     \
    STEP(name, 0, call(0))                                                                                   \
    STEP(name, 1, call(1))                                                                                   \
    STEP(name, 2, call(2))                                                                                   \
    STEP(name, 3, call(3))                                                                                   \
    static eu_step *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),             \
                                                 NAME(name##_3)};
#define STEPS_OF_TWO(name, rule, kind)                                                                       \
    STEP(name, 0, NAME(values)(r, op, NAME(rule), kind, 2, 0))                                               \
    STEP(name, 1, NAME(values)(r, op, NAME(rule), kind, 2, 1))                                               \
    STEP(name, 2, NAME(values)(r, op, NAME(rule), kind, 2, 2))                                               \
    STEP(name, 3, NAME(values)(r, op, NAME(rule), kind, 2, 3))                                               \
    static eu_step *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),             \
                                                 NAME(name##_3)};
#define STEPS_OF_THREE(name, rule, kind)                                                                     \
    STEP(name, 0, NAME(values)(r, op, NAME(rule), kind, 3, 0))                                               \
    STEP(name, 1, NAME(values)(r, op, NAME(rule), kind, 3, 1))                                               \
    STEP(name, 2, NAME(values)(r, op, NAME(rule), kind, 3, 2))                                               \
    STEP(name, 3, NAME(values)(r, op, NAME(rule), kind, 3, 3))                                               \
    STEP(name, 4, NAME(values)(r, op, NAME(rule), kind, 3, 4))                                               \
    STEP(name, 5, NAME(values)(r, op, NAME(rule), kind, 3, 5))                                               \
    STEP(name, 6, NAME(values)(r, op, NAME(rule), kind, 3, 6))                                               \
    STEP(name, 7, NAME(values)(r, op, NAME(rule), kind, 3, 7))                                               \
    static eu_step *const NAME(name##_all)[8] = {NAME(name##_0), NAME(name##_1), NAME(name##_2),             \
                                                 NAME(name##_3), NAME(name##_4), NAME(name##_5),             \
                                                 NAME(name##_6), NAME(name##_7)};
#define TWO(name, kind)                                                                                      \
    STEPS_OF_TWO(name, name, kind)                                                                           \
    ANY(name, NAME(any_values)(r, op, NAME(name), kind, 2))
#define THREE(name, kind)                                                                                    \
    STEPS_OF_THREE(name, name, kind)                                                                         \
    ANY(name, NAME(any_values)(r, op, NAME(name), kind, 3))

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
TWO(least, 0)
TWO(most, 0)
TWO(least_unsigned, 0)
TWO(most_unsigned, 0)
TWO(fadd, FLOATS | ROUNDS | NUMBERS)
TWO(fmul, FLOATS | ROUNDS | NUMBERS)
THREE(add3, 0)
THREE(mad, 0)
THREE(bfn, 0)
THREE(fmad, FLOATS | ROUNDS | NUMBERS | MAY_DOUBT)
STEPS_OF_TWO(fadd_signed, fadd, FLOATS | ROUNDS | NUMBERS | SIGNS)
STEPS_OF_TWO(fmul_signed, fmul, FLOATS | ROUNDS | NUMBERS | SIGNS)
STEPS_OF_THREE(fmad_signed, fmad, FLOATS | ROUNDS | NUMBERS | MAY_DOUBT | SIGNS)
#define SELECT_INTEGER(scalars) NAME(select)(r, op, 0, scalars)
#define SELECT_FLOAT(scalars)   NAME(select)(r, op, FLOATS, scalars)
#define EQUAL(scalars)          NAME(compare)(r, op, 1, NAME(SIGNED), scalars)
#define LESS(scalars)           NAME(compare)(r, op, 5, NAME(SIGNED), scalars)
#define LESS_UNSIGNED(scalars)  NAME(compare)(r, op, 5, NAME(UNSIGNED), scalars)
#define FLOAT_EQUAL(scalars)    NAME(compare)(r, op, 1, NAME(FLOATING), scalars)
#define FLOAT_LESS(scalars)     NAME(compare)(r, op, 5, NAME(FLOATING), scalars)
#define FLOAT_NOT_MORE(scalars) NAME(compare)(r, op, 6, NAME(FLOATING), scalars)
FOUR(sel, SELECT_INTEGER)
FOUR(sel_float, SELECT_FLOAT)
FOUR(cmp_equal, EQUAL)
FOUR(cmp_less, LESS)
FOUR(cmp_less_unsigned, LESS_UNSIGNED)
FOUR(cmp_float_equal, FLOAT_EQUAL)
FOUR(cmp_float_less, FLOAT_LESS)
FOUR(cmp_float_not_more, FLOAT_NOT_MORE)
ANY(sel, NAME(any_select)(r, op, 0))
ANY(sel_float, NAME(any_select)(r, op, FLOATS))
ANY(cmp, NAME(any_compare)(r, op, NAME(SIGNED)))
ANY(cmp_unsigned, NAME(any_compare)(r, op, NAME(UNSIGNED)))
ANY(cmp_float, NAME(any_compare)(r, op, NAME(FLOATING)))

static const struct steps NAME(steps)[FAST_RULES] = {
#define FAST_RULE(name) [FAST_##name] = {NAME(name##_all), NAME(name##_any)},
    FAST_LIST(FAST_RULE)
#undef FAST_RULE
        [FAST_fadd_signed] = {NAME(fadd_signed_all), NAME(fadd_any)},
    [FAST_fmul_signed] = {NAME(fmul_signed_all), NAME(fmul_any)},
    [FAST_fmad_signed] = {NAME(fmad_signed_all), NAME(fmad_any)},
    [FAST_cmp_equal] = {NAME(cmp_equal_all), NAME(cmp_any)},
    [FAST_cmp_less] = {NAME(cmp_less_all), NAME(cmp_any)},
    [FAST_cmp_equal_unsigned] = {NAME(cmp_equal_all), NAME(cmp_unsigned_any)},
    [FAST_cmp_less_unsigned] = {NAME(cmp_less_unsigned_all), NAME(cmp_unsigned_any)},
    [FAST_cmp_float_equal] = {NAME(cmp_float_equal_all), NAME(cmp_float_any)},
    [FAST_cmp_float_less] = {NAME(cmp_float_less_all), NAME(cmp_float_any)},
    [FAST_cmp_float_not_more] = {NAME(cmp_float_not_more_all), NAME(cmp_float_any)},
};

#undef VI
#undef VU
#undef VF
#undef HAS_MASKS
#undef INTEGER
#undef FLOAT
#undef STEP
#undef ANY
#undef ONE
#undef FOUR
#undef STEPS_OF_TWO
#undef STEPS_OF_THREE
#undef TWO
#undef THREE
#undef SELECT_INTEGER
#undef SELECT_FLOAT
#undef EQUAL
#undef LESS
#undef LESS_UNSIGNED
#undef FLOAT_EQUAL
#undef FLOAT_LESS
#undef FLOAT_NOT_MORE
#undef WIDTH
#undef PART
#undef NAME
