/* Lane handlers of floats, doubles, conversions and math functions. simd/lanes.h includes this. */

/* ---- Floats ---- */

/* Whether the thread keeps denormals and rounds to nearest, like the host's default. */
static INLINE bool is_plain_mode(const struct eu_thread *t)
{
    const uint32_t keeps = CR0_SINGLE_DENORMALS | CR0_DOUBLE_DENORMALS | CR0_HALF_DENORMALS;
    return (t->cr0[0] & (keeps | CR0_ALT_FP_MODE | 3u << CR0_ROUNDING_SHIFT)) == keeps;
}

/* Types that the host cannot load or store as floats. */
static INLINE bool is_beyond_host(const struct eu_decoded *op)
{
#if defined(__F16C__) && defined(__FMA__)
    (void)op;
    return false;
#else
    return ((op->opcode == EU_MAD || op->opcode == EU_MADM) && op->dst.type != TYPE_HF) ||
           op->src[0].type == TYPE_HF || op->dst.type == TYPE_HF ||
           (op->source_count > 1 && op->src[1].type == TYPE_HF) ||
           (op->source_count > 2 && op->src[2].type == TYPE_HF);
#endif
}

/* Four floats of a byte each, again and again. */
static INLINE void load_packed_floats(const struct eu_decoded *op, uint32_t bytes, union lanes *to)
{
    enum { PACKED = 4 };
    word_part all = {0};
    for (unsigned n = 0; n < PART_LANES; n++)
        all[n] = (int32_t)eu_packed_float(bytes >> 8u * (n % PACKED) & 0xffu);
    FOR_EACH_PART(op)
        to->b[part] = all;
}

static void load_floats(const struct eu_run *r, const struct eu_decoded *op, unsigned which, union lanes *to)
{
    const struct eu_region *const p = &op->src[which];
    uint8_t room[EU_MAX_CHANNELS * 4];
    uint32_t one = (uint32_t)p->immediate;
    if (p->file == OPERAND_ACCUMULATOR) {
        union lanes wide;
        accumulators_of(r, op, p, &wide);
        FOR_EACH_PART(op)
            to->b[part] = __builtin_convertvector(wide.w[part], word_part);
    } else if (p->type == TYPE_VF) {
        load_packed_floats(op, one, to);
    } else if (p->layout == LAYOUT_SCALAR) {
        if (p->file == OPERAND_GRF)
            memcpy(&one, r->t->grf + p->first_byte, 4);
#if defined(__F16C__)
        if (p->type == TYPE_HF)
            one = (uint32_t)_mm_cvtsi128_si32(
                _mm_castps_si128(_mm_cvtph_ps(_mm_cvtsi32_si128((int)(one & 0xffffu)))));
#endif
        FOR_EACH_PART(op)
            to->b[part] = (word_part){0} + (int32_t)one;
    } else {
        const uint8_t *const from = row_of(r, op, p, room);
#if defined(__F16C__)
        if (p->type == TYPE_HF)
            FOR_EACH_PART(op) {
                const __m256 x =
                    _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + part * 16)));
                memcpy(&to->b[part], &x, sizeof x);
            }
        else
#endif
            FOR_EACH_PART(op)
                memcpy(&to->b[part], from + part * 32, 32);
    }
    if (p->absolute)
        FOR_EACH_PART(op)
            to->b[part] &= INT32_MAX;
    if (p->negate)
        FOR_EACH_PART(op)
            to->b[part] ^= INT32_MIN;
}

/* Stores contiguous halves. */
static INLINE void store_half_row(uint8_t *to, const struct eu_decoded *op, uint32_t on, const union lanes *v)
{
    FOR_EACH_PART(op) {
        word_part mask;
        half_part before;
        word_mask(on, part, &mask);
        memcpy(&before, to + part * sizeof before, sizeof before);
        const half_part keep = __builtin_convertvector(~mask, half_part);
        before = (__builtin_convertvector(v->b[part], half_part) & ~keep) | (before & keep);
        memcpy(to + part * sizeof before, &before, sizeof before);
    }
}

static void store_floats(struct eu_run *r, const struct eu_decoded *op, uint32_t on, union lanes *v)
{
    if (op->acc_write || op->dst.file == OPERAND_ACCUMULATOR) {
        union lanes wide;
        FOR_EACH_PART(op)
            wide.w[part] = __builtin_convertvector((word_unsigned_part)v->b[part], wide_part);
        if (op->acc_write)
            accumulate_lanes(r, op, on, &wide);
        if (op->dst.file == OPERAND_ACCUMULATOR) {
            store_integers(r, op, on, &wide);
            return;
        }
    }
    if (op->dst.file == OPERAND_NULL)
        return;
#if defined(__F16C__)
    if (op->dst.type == TYPE_HF) {
        FOR_EACH_PART(op) {
            __m256 x;
            memcpy(&x, &v->b[part], sizeof x);
            const __m128i half = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
            const half_unsigned_part lanes = (half_unsigned_part)half;
            v->b[part] = __builtin_convertvector(lanes, word_part);
        }
        if (op->dst.layout == LAYOUT_CONTIGUOUS && !(op->channels % PART_LANES)) {
            store_half_row(r->t->grf + op->dst.first_byte, op, on, v);
            return;
        }
    } else
#endif
        if (op->dst.layout == LAYOUT_CONTIGUOUS && !(op->channels % PART_LANES)) {
        uint8_t *const to = r->t->grf + op->dst.first_byte;
        FOR_EACH_PART(op) {
            word_part mask, before;
            word_mask(on, part, &mask);
            memcpy(&before, to + part * 32, 32);
            before = (v->b[part] & mask) | (before & ~mask);
            memcpy(to + part * 32, &before, 32);
        }
        return;
    }
    store_elements(r, op, on, (const uint8_t *)v->bits, 4);
}

static INLINE void fix_nan(const struct eu_decoded *op, union lanes *v)
{
    FOR_EACH_PART(op) {
        const word_part is = (word_part)(v->f[part] == v->f[part]); /* NOLINT(misc-redundant-expression) */
        v->b[part] = (v->b[part] & is) | (~is & 0x7fc00000);
    }
}

static INLINE uint32_t floats_hold(const struct eu_decoded *op, const union lanes *a, const union lanes *b)
{
    uint32_t flags = 0;
    union lanes is;
    FOR_EACH_PART(op) {
        const float_part x = a->f[part], y = b->f[part];
        switch (op->condition) {
        case 1:
            is.b[part] = (word_part)(x == y);
            break;
        case 2:
            is.b[part] = (word_part)(x != y);
            break;
        case 3:
            is.b[part] = (word_part)(x > y);
            break;
        case 4:
            is.b[part] = (word_part)(x >= y);
            break;
        case 5:
            is.b[part] = (word_part)(x < y);
            break;
        default:
            is.b[part] = (word_part)(x <= y);
            break;
        }
        flags |= float_signs(&is, part) << part * PART_LANES;
    }
    return flags;
}

static INLINE void choose_floats(const struct eu_decoded *op, uint32_t first, const union lanes *a,
                                 const union lanes *b, union lanes *to)
{
    FOR_EACH_PART(op) {
        word_part mask;
        word_mask(first, part, &mask);
        to->b[part] = (a->b[part] & mask) | (b->b[part] & ~mask);
    }
}

/* The first source where the comparison holds; of a number and NaN, the number. */
static INLINE void choose_most(const struct eu_decoded *op, const union lanes *a, const union lanes *b,
                               union lanes *to)
{
    uint32_t first = floats_hold(op, a, b);
    union lanes is;
    FOR_EACH_PART(op) {
        is.b[part] = (word_part)(b->f[part] != b->f[part]); /* NOLINT(misc-redundant-expression) */
        first |= float_signs(&is, part) << part * PART_LANES;
    }
    choose_floats(op, first, a, b, to);
    FOR_EACH_PART(op)
        to->f[part] *= one();
}

#define ROUND_PART(to, from, how)                                                                            \
    do {                                                                                                     \
        __m128 low, high;                                                                                    \
        memcpy(&low, (const char *)&(from), sizeof low);                                                     \
        memcpy(&high, (const char *)&(from) + sizeof low, sizeof high);                                      \
        low = _mm_round_ps(low, (how) | _MM_FROUND_NO_EXC);                                                  \
        high = _mm_round_ps(high, (how) | _MM_FROUND_NO_EXC);                                                \
        memcpy((char *)&(to), &low, sizeof low);                                                             \
        memcpy((char *)&(to) + sizeof low, &high, sizeof high);                                              \
    } while (0)

#define FLOATS_ARE(value)                                                                                    \
    FOR_EACH_PART(op) {                                                                                      \
        const float_part a = s[0].f[part], b = s[1].f[part];                                                 \
        (void)b;                                                                                             \
        v->f[part] = (value);                                                                                \
    }
#define ROUNDED(how)                                                                                         \
    FOR_EACH_PART(op)                                                                                        \
        ROUND_PART(v->f[part], s[0].f[part], how);

/* mad of halves: the product is exact in doubles, and the rounding error of the sum is too small to matter.
 * The float result is rounded again to half, so an inexact one gets an odd mantissa: this keeps it between
 * the same halves as the sum. */
static INLINE void fuse_halves(const struct eu_decoded *op, const union lanes *s, union lanes *v)
{
    FOR_EACH_PART(op) {
        const double_part sum = __builtin_convertvector(s[1].f[part], double_part) *
                                    __builtin_convertvector(s[2].f[part], double_part) +
                                __builtin_convertvector(s[0].f[part], double_part);
        v->f[part] = __builtin_convertvector(sum, float_part);
        const double_part back = __builtin_convertvector(v->f[part], double_part);
        const wide_part inexact = (wide_part)(back != sum),
                        beyond = ((wide_part)back & INT64_MAX) > ((wide_part)sum & INT64_MAX);
        v->b[part] += __builtin_convertvector(beyond & inexact, word_part);
        v->b[part] |= __builtin_convertvector(inexact, word_part) & 1;
    }
}

/* The handler to run instead of a lane handler; NULL: none. */
static INLINE eu_handler *floats_elsewhere(const struct eu_run *r, const struct eu_decoded *op)
{
    if (SELDOM(!(r->rounding & ROUNDING_THREAD)))
        return set_rounding_and_run;
    if (SELDOM(op->simd.is_wide && !is_plain_mode(r->t)))
        return eu_run_exact;
    return is_beyond_host(op) ? eu_exec_generic : NULL;
}

/* Clamps to 0..1; NaN becomes 0. */
static INLINE void saturate_floats(const struct eu_decoded *op, union lanes *v)
{
    FOR_EACH_PART(op) {
        const word_part under = (word_part)(v->f[part] < 1.0f), over = (word_part)(v->f[part] > 0.0f);
        v->b[part] = ((v->b[part] & under) | (~under & 0x3f800000)) & over;
    }
}

static INLINE void compute_floats(const struct eu_decoded *op, const union lanes *s, union lanes *v)
{
    switch (op->opcode) {
    case EU_MOV:
        FLOATS_ARE(a)
        break;
    case EU_ADD:
        FLOATS_ARE(a + b)
        break;
    case EU_MUL:
        FLOATS_ARE(a * b)
        break;
    case EU_MAD:
    case EU_MADM:
        if (op->dst.type == TYPE_HF) {
            fuse_halves(op, s, v);
            break;
        }
#if defined(__FMA__)
        FOR_EACH_PART(op)
            v->f[part] =
                (float_part)_mm256_fmadd_ps((__m256)s[1].f[part], (__m256)s[2].f[part], (__m256)s[0].f[part]);
        break;
#else
        break; /* is_beyond_host */
#endif
    case EU_RNDU:
        ROUNDED(_MM_FROUND_TO_POS_INF)
        break;
    case EU_RNDD:
        ROUNDED(_MM_FROUND_TO_NEG_INF)
        break;
    case EU_RNDE:
        ROUNDED(_MM_FROUND_TO_NEAREST_INT)
        break;
    case EU_RNDZ:
        ROUNDED(_MM_FROUND_TO_ZERO)
        break;
    default: /* frc is always less than 1 */
        ROUNDED(_MM_FROUND_TO_NEG_INF)
        FOR_EACH_PART(op) {
            v->f[part] = s[0].f[part] - v->f[part];
            const word_part one = (word_part)(v->f[part] >= 1.0f), none = (word_part)(v->f[part] == 0.0f);
            v->b[part] = ((v->b[part] & ~one) | (one & 0x3f7fffff)) & ~none;
        }
        break;
    }
    if (op->opcode != EU_MOV)
        fix_nan(op, v);
}

/* Condition modifier, saturation and store of a result. */
static INLINE struct eu_decoded *finish_floats(struct eu_run *r, struct eu_decoded *op, uint32_t on,
                                               union lanes *v)
{
    uint32_t flags = 0;
    if (op->condition) {
        const union lanes zero = {0};
        flags = floats_hold(op, v, &zero);
    }
    if (op->saturate)
        saturate_floats(op, v);
    store_floats(r, op, on, v);
    if (op->condition)
        set_flags(r->t, op, on, flags);
    return eu_next_decoded(op);
}

/* add, mul, mad, rounding and frc. */
static struct eu_decoded *any_float_arithmetic(struct eu_run *r, struct eu_decoded *op)
{
    eu_handler *const instead = floats_elsewhere(r, op);
    if (SELDOM(instead != NULL))
        return instead(r, op);
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    union lanes s[3], v;
    for (unsigned n = 0; n < op->source_count; n++)
        load_floats(r, op, n, &s[n]);
    compute_floats(op, s, &v);
    return finish_floats(r, op, on, &v);
}

/* ---- Sums of products, in doubles: products are exact, the sum is rounded to float ---- */

/* A float of the GRF, with the source's modifiers. */
static INLINE double modified_float(const struct eu_run *r, const struct eu_region *p, unsigned byte)
{
    float x;
    memcpy(&x, r->t->grf + byte, sizeof x);
    x = p->absolute ? __builtin_fabsf(x) : x;
    return (double)(p->negate ? -x : x);
}

/* Eight floats from a byte of the GRF on, with the source's modifiers. */
static INLINE void modified_row(const struct eu_run *r, const struct eu_region *p, unsigned byte,
                                double_part *to)
{
    word_part bits;
    memcpy(&bits, r->t->grf + byte, sizeof bits);
    bits &= p->absolute ? INT32_MAX : -1;
    bits ^= p->negate ? INT32_MIN : 0;
    float_part row;
    memcpy(&row, &bits, sizeof row);
    *to = __builtin_convertvector(row, double_part);
}

/* line: p * u + r; pln: p * u + q * v + r. p, q and r are floats 0, 1 and 3 of a 16-byte group. In source 1
 * of pln, eight v follow each eight u. */
static INLINE void plane(const struct eu_run *r, const struct eu_decoded *op, union lanes *to)
{
    const struct eu_region *const planes = &op->src[0], *const at = &op->src[1];
    const double p = modified_float(r, planes, planes->first_byte),
                 q = modified_float(r, planes, planes->first_byte | 4u),
                 last = modified_float(r, planes, planes->first_byte | 12u);
    FOR_EACH_PART(op) {
        double_part u, v;
        if (op->opcode == EU_LINE) {
            union lanes s;
            load_floats(r, op, 1, &s);
            to->f[part] = __builtin_convertvector(
                p * __builtin_convertvector(s.f[part], double_part) + 0.0 + last, float_part);
            continue;
        }
        modified_row(r, at, at->first_byte + part * 2u * EU_REGISTER_BYTES, &u);
        modified_row(r, at, at->first_byte + (part * 2u + 1u) * EU_REGISTER_BYTES, &v);
        to->f[part] = __builtin_convertvector(p * u + q * v + last, float_part);
    }
}

/* Each group of four channels gets the sum of its two, three or four products. */
static INLINE void dot_products(const struct eu_run *r, const struct eu_decoded *op, union lanes *to)
{
    const unsigned terms = op->opcode == EU_DP2 ? 2 : op->opcode == EU_DP3 ? 3 : 4;
    union lanes a, b;
    load_floats(r, op, 0, &a);
    load_floats(r, op, 1, &b);
    FOR_EACH_PART(op)
        for (unsigned first = 0; first < PART_LANES; first += 4) {
            double sum = 0;
            for (unsigned m = 0; m < terms; m++) {
                const bool is_one = op->opcode == EU_DPH && m == 3;
                sum += (is_one ? 1.0 : (double)a.f[part][first + m]) * (double)b.f[part][first + m];
            }
            for (unsigned m = 0; m < 4; m++)
                to->f[part][first + m] = (float)sum;
        }
}

static INLINE void interpolate(const struct eu_run *r, const struct eu_decoded *op, union lanes *to)
{
    union lanes s[3];
    for (unsigned n = 0; n < 3; n++)
        load_floats(r, op, n, &s[n]);
    FOR_EACH_PART(op) {
        const double_part by = __builtin_convertvector(s[0].f[part], double_part);
        to->f[part] =
            __builtin_convertvector(by * __builtin_convertvector(s[1].f[part], double_part) +
                                        __builtin_convertvector(s[2].f[part], double_part) * (1.0 - by),
                                    float_part);
    }
}

static struct eu_decoded *any_sum_of_products(struct eu_run *r, struct eu_decoded *op)
{
    if (SELDOM(!(r->rounding & ROUNDING_THREAD)))
        return set_rounding_and_run(r, op);
    if (SELDOM(r->t->cr0[0] &
               (CR0_ALT_FP_MODE | 3u << CR0_ROUNDING_SHIFT))) /* only nearest rounding is supported */
        return eu_run_exact(r, op);
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    union lanes v;
    switch (op->opcode) {
    case EU_LINE:
    case EU_PLN:
        plane(r, op, &v);
        break;
    case EU_LRP:
        interpolate(r, op, &v);
        break;
    default:
        dot_products(r, op, &v);
        break;
    }
    fix_nan(op, &v);
    return finish_floats(r, op, on, &v);
}

/* pln as compilers use it: whole rows of floats, without modifiers or flags. */
static bool is_plain_plane(const struct eu_decoded *op)
{
    const struct eu_region *const planes = &op->src[0], *const at = &op->src[1], *const to = &op->dst;
    return op->opcode == EU_PLN && !planes->negate && !planes->absolute && !at->negate && !at->absolute &&
           !op->saturate && !op->condition && !op->acc_write && (op->channels == 16 || op->channels == 8) &&
           to->file == OPERAND_GRF && to->hstride == 1 && op->dst_channel_enable == 0xf &&
           to->first_byte + op->channels * 4u <= to->file_bytes;
}

/* Eight channels: a row of u, then a row of v. */
static INLINE void plane_row(const double *plane, const uint8_t *at, float_part *to)
{
    float_part u, v;
    memcpy(&u, at, sizeof u);
    memcpy(&v, at + EU_REGISTER_BYTES, sizeof v);
    *to = __builtin_convertvector(plane[0] * __builtin_convertvector(u, double_part) +
                                      plane[1] * __builtin_convertvector(v, double_part) + plane[3],
                                  float_part);
    const word_part is = (word_part)(*to == *to); /* NOLINT(misc-redundant-expression) */
    *to = (float_part)(((word_part)*to & is) | (~is & 0x7fc00000));
}

static struct eu_decoded *any_plain_plane(struct eu_run *r, struct eu_decoded *op)
{
    if (SELDOM(!(r->rounding & ROUNDING_THREAD)))
        return set_rounding_and_run(r, op);
    if (SELDOM(r->t->cr0[0] & (CR0_ALT_FP_MODE | 3u << CR0_ROUNDING_SHIFT)))
        return eu_run_exact(r, op);
    const uint32_t on = enabled(r->t, op) >> op->first_channel;
    const uint8_t *const at = r->t->grf + op->src[1].first_byte;
    uint8_t *const to = r->t->grf + op->dst.first_byte;
    const bool is_wide = op->channels == 16;
    float coefficients[4];
    union lanes v;
    memcpy(coefficients, r->t->grf + op->src[0].first_byte, sizeof coefficients);
    const double plane[4] = {coefficients[0], coefficients[1], 0, coefficients[3]};
    plane_row(plane, at, &v.f[0]);
    if (is_wide)
        plane_row(plane, at + (size_t)2 * EU_REGISTER_BYTES, &v.f[1]);
    if (SELDOM(on != (is_wide ? UINT16_MAX : UINT8_MAX))) {
        store_floats(r, op, on, &v);
    } else {
        memcpy(to, &v.f[0], sizeof v.f[0]);
        if (is_wide)
            memcpy(to + sizeof v.f[0], &v.f[1], sizeof v.f[1]);
    }
    return eu_next_decoded(op);
}

/* sel, csel, cmp */
static struct eu_decoded *any_float_choice(struct eu_run *r, struct eu_decoded *op)
{
    eu_handler *const instead = floats_elsewhere(r, op);
    if (SELDOM(instead != NULL))
        return instead(r, op);
    const bool by_predicate = op->opcode == EU_SEL && !op->condition;
    const uint32_t enabled = by_predicate ? (r->t->execution_mask | op->unmasked) & op->channel_mask
                                          : eu_enabled_channels(r->t, op);
    const uint32_t on = enabled >> op->first_channel;
    union lanes s[3], v = {0};
    for (unsigned n = 0; n < op->source_count; n++)
        load_floats(r, op, n, &s[n]);
    if (op->opcode == EU_CMP) {
        const uint32_t flags = floats_hold(op, &s[0], &s[1]);
        FOR_EACH_PART(op)
            word_mask(flags, part, &v.b[part]);
        store_elements(r, op, op->dst.file == OPERAND_NULL ? 0 : on, (const uint8_t *)v.bits, 4);
        set_flags(r->t, op, on, flags);
        return eu_next_decoded(op);
    }
    if (op->opcode == EU_CSEL) {
        choose_floats(op, floats_hold(op, &s[2], &v), &s[0], &s[1], &v);
    } else if (by_predicate) {
        choose_floats(op, op->predicate ? eu_predicate_mask(r->t, op) >> op->first_channel : UINT32_MAX,
                      &s[0], &s[1], &v);
    } else {
        choose_most(op, &s[0], &s[1], &v);
        fix_nan(op, &v);
    }
    store_floats(r, op, on, &v);
    return eu_next_decoded(op);
}

/* ---- Doubles ---- */

static void load_doubles(const struct eu_run *r, const struct eu_decoded *op, unsigned which, union lanes *to)
{
    const struct eu_region *const p = &op->src[which];
    uint8_t room[EU_MAX_CHANNELS * 8];
    uint64_t one = p->immediate;
    if (p->layout == LAYOUT_SCALAR) {
        if (p->file == OPERAND_GRF)
            memcpy(&one, r->t->grf + p->first_byte, 8);
        all_wide(op, (int64_t)one, to);
    } else {
        widen(op, TYPE_UQ, row_of(r, op, p, room), to);
    }
    if (p->absolute)
        FOR_EACH_PART(op)
            to->w[part] &= INT64_MAX;
    if (p->negate)
        FOR_EACH_PART(op)
            to->w[part] ^= INT64_MIN;
}

static INLINE void make_real_numbers(const struct eu_decoded *op, union lanes *v)
{
    FOR_EACH_PART(op) {
        const wide_part is = (wide_part)(v->d[part] == v->d[part]); /* NOLINT(misc-redundant-expression) */
        v->w[part] = (v->w[part] & is) | (~is & INT64_C(0x7ff8000000000000));
    }
}

static INLINE uint32_t reals_hold(const struct eu_decoded *op, const union lanes *a, const union lanes *b)
{
    uint32_t zero = 0, less = 0, none = 0;
    union lanes is;
    FOR_EACH_PART(op) {
        is.w[part] = (wide_part)(a->d[part] == b->d[part]);
        zero |= wide_signs(&is, part) << part * PART_LANES;
        is.w[part] = (wide_part)(a->d[part] < b->d[part]);
        less |= wide_signs(&is, part) << part * PART_LANES;
        is.w[part] =
            (wide_part)(a->d[part] != a->d[part]) | (wide_part)(b->d[part] != b->d[part]); /* NOLINT */
        none |= wide_signs(&is, part) << part * PART_LANES;
    }
    return op->condition == 2 ? ~zero : condition_of(op->condition, zero, less) & ~none;
}

#define REALS_ARE(value)                                                                                     \
    FOR_EACH_PART(op) {                                                                                      \
        const double_part a = s[0].d[part], b = s[1].d[part];                                                \
        v.d[part] = (value);                                                                                 \
    }                                                                                                        \
    make_real_numbers(op, &v);

static struct eu_decoded *any_doubles(struct eu_run *r, struct eu_decoded *op)
{
    if (!is_plain_mode(r->t))
        return eu_run_exact(r, op);
    if (SELDOM(!(r->rounding & ROUNDING_THREAD)))
        return set_rounding_and_run(r, op);
    const uint32_t on = (op->opcode == EU_SEL ? ((r->t->execution_mask | op->unmasked) & op->channel_mask)
                                              : eu_enabled_channels(r->t, op)) >>
                        op->first_channel;
    union lanes s[3], v;
    uint32_t flags;
    for (unsigned n = 0; n < op->source_count; n++)
        load_doubles(r, op, n, &s[n]);
    switch (op->opcode) {
    case EU_MOV:
        v = s[0];
        break;
    case EU_ADD:
        REALS_ARE(a + b)
        break;
    case EU_MUL:
        REALS_ARE(a * b)
        break;
    case EU_MAD:
#if defined(__FMA__)
        FOR_EACH_PART(op)
            for (unsigned n = part * PART_LANES; n < (part + 1) * PART_LANES; n++)
                v.real[n] = __builtin_fma(s[1].real[n], s[2].real[n], s[0].real[n]);
        make_real_numbers(op, &v);
        break;
#else
        return eu_exec_generic(r, op);
#endif
    case EU_SEL:
        choose_wide(op, op->predicate ? eu_predicate_mask(r->t, op) >> op->first_channel : UINT32_MAX, &s[0],
                    &s[1], &v);
        break;
    default: /* cmp */
        flags = reals_hold(op, &s[0], &s[1]);
        FOR_EACH_PART(op)
            wide_mask(flags, part, &v.w[part]);
        set_flags(r->t, op, on, flags);
        break;
    }
    store_integers(r, op, on, &v);
    return eu_next_decoded(op);
}

/* ---- Conversions between integers, floats and doubles ---- */

static INLINE void doubles_to_integers(const struct eu_decoded *op, union lanes *v)
{
    const unsigned bits = 8u * op->dst.element_bytes;
    const int64_t max = op->dst.is_signed ? (INT64_C(1) << (bits - 1u)) - 1 : (INT64_C(1) << bits) - 1,
                  min = op->dst.is_signed ? -max - 1 : 0;
    FOR_EACH_PART(op) {
        const double_part x = v->d[part];
        const wide_part over = (wide_part)(x >= (double)max), under = (wide_part)(x <= (double)min),
                        is = (wide_part)(x == x) & ~over & ~under; /* NOLINT(misc-redundant-expression) */
        const wide_part whole = __builtin_convertvector((double_part)((wide_part)x & is), wide_part);
        v->w[part] = (whole & is) | (over & max) | (under & min);
    }
}

/* Rounds once, as the thread does. */
static struct eu_decoded *qwords_to_floats(struct eu_run *r, struct eu_decoded *op)
{
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    union lanes s, v;
    load_integers(r, op, 0, false, &s);
    FOR_EACH_PART(op) {
        if (op->src[0].is_signed)
            v.f[part] = __builtin_convertvector(s.w[part], float_part);
        else
            v.f[part] = __builtin_convertvector(s.u[part], float_part);
    }
    store_floats(r, op, on, &v);
    return eu_next_decoded(op);
}

static struct eu_decoded *any_conversion(struct eu_run *r, struct eu_decoded *op)
{
    const unsigned from = op->src[0].type, to = op->dst.type;
    union lanes s, v;
    eu_handler *const instead = floats_elsewhere(r, op);
    if (SELDOM(instead != NULL))
        return instead(r, op);
    if (!op->execution_type && op->src[0].element_bytes == 8)
        return qwords_to_floats(r, op);
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    if (from == TYPE_DF) {
        load_doubles(r, op, 0, &v);
    } else if (op->execution_type) {
        load_floats(r, op, 0, &s);
        FOR_EACH_PART(op)
            v.d[part] = __builtin_convertvector(s.f[part], double_part);
    } else {
        load_integers(r, op, 0, false, &s);
        FOR_EACH_PART(op)
            v.d[part] = __builtin_convertvector(s.w[part], double_part);
    }
    if (to == TYPE_DF) {
        make_real_numbers(op, &v);
        store_integers(r, op, on, &v);
    } else if (to == TYPE_F || to == TYPE_HF) {
        FOR_EACH_PART(op)
            s.f[part] = __builtin_convertvector(v.d[part], float_part);
        fix_nan(op, &s);
        store_floats(r, op, on, &s);
    } else {
        doubles_to_integers(op, &v);
        store_integers(r, op, on, &v);
    }
    return eu_next_decoded(op);
}

/* ---- Functions ---- */

/* As many doubles as a vector of the host holds. */
#if defined(__AVX512F__)
#define LANES 8
#elif defined(__AVX2__)
#define LANES 4
#else
#define LANES 2
#endif
#include "interp/math_lanes.h"

typedef float float_lanes __attribute__((vector_size(LANES * 4)));

static INLINE void load_lanes(const float *from, double_lanes *to)
{
    float_lanes values;
    memcpy(&values, from, sizeof values);
    *to = __builtin_convertvector(values, double_lanes);
}

/* A quotient or a root of floats is rounded right; so is that of doubles that is rounded to a float. */
static INLINE bool is_rounded_once(unsigned function)
{
    return function == MATH_INV || function == MATH_FDIV || function == MATH_INVM || function == MATH_SQT ||
           function == MATH_RSQTM;
}

static INLINE void float_root(const float *from, float *to)
{
#if defined(__AVX2__)
    _mm256_storeu_ps(to, _mm256_sqrt_ps(_mm256_loadu_ps(from)));
#else
    for (unsigned n = 0; n < PART_LANES; n += 4)
        _mm_storeu_ps(to + n, _mm_sqrt_ps(_mm_loadu_ps(from + n)));
#endif
}

static INLINE void function_once(const struct eu_decoded *op, const union lanes s[2], union lanes *v)
{
    FOR_EACH_PART(op) {
        if (op->function == MATH_INV)
            v->f[part] = 1 / s[0].f[part];
        else if (op->function == MATH_SQT || op->function == MATH_RSQTM)
            float_root((const float *)&s[0].f[part], (float *)&v->f[part]);
        else
            v->f[part] = s[0].f[part] / s[1].f[part];
    }
}

static INLINE void function_of_lanes(const struct eu_decoded *op, const union lanes s[2], union lanes *v)
{
    for (unsigned first = 0; first < op->channels; first += LANES) {
        double_lanes a, b = {0};
        load_lanes((const float *)&s[0].f[0] + first, &a);
        if (op->source_count > 1)
            load_lanes((const float *)&s[1].f[0] + first, &b);
        lanes_function((enum math_function)op->function, &a, &b);
        const float_lanes values = __builtin_convertvector(a, float_lanes);
        memcpy((float *)&v->f[0] + first, &values, sizeof values);
    }
}

static struct eu_decoded *any_function(struct eu_run *r, struct eu_decoded *op)
{
    union lanes s[2], v;
    if (eu_thread_rounding(r->t) != ROUND_NEAREST)
        return eu_run_exact(r, op);
    if (SELDOM(!(r->rounding & ROUNDING_THREAD)))
        return set_rounding_and_run(r, op);
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    load_floats(r, op, 0, &s[0]);
    if (op->source_count > 1)
        load_floats(r, op, 1, &s[1]);
    if (is_rounded_once(op->function))
        function_once(op, s, &v);
    else
        function_of_lanes(op, s, &v);
    fix_nan(op, &v);
    if (op->saturate)
        saturate_floats(op, &v);
    if (op->is_macro) /* early out: see exec_generic.c */
        set_flags(r->t, op, on, UINT32_MAX);
    store_floats(r, op, on, &v);
    return eu_next_decoded(op);
}

static struct eu_decoded *any_quotient(struct eu_run *r, struct eu_decoded *op)
{
    enum { REMAINDER = 13 };
    const uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel;
    const unsigned bits = 8u * op->src[0].element_bytes;
    const int64_t max = op->src[0].is_signed ? (INT64_C(1) << (bits - 1u)) - 1 : (INT64_C(1) << bits) - 1,
                  min = op->src[0].is_signed ? -max - 1 : 0;
    union lanes s[2], v;
    load_integers(r, op, 0, false, &s[0]);
    load_integers(r, op, 1, false, &s[1]);
    for (unsigned n = 0; n < op->channels; n++) {
        const int64_t a = s[0].i[n], b = s[1].i[n];
        if (op->function == REMAINDER)
            v.i[n] = b ? a % b : a;
        else
            v.i[n] = b ? a / b : a < 0 ? min : max;
    }
    store_integers(r, op, on, &v);
    return eu_next_decoded(op);
}
