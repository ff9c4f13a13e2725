/*
 * Operands of any type and nearly any region, up to 32 channels: sources become lanes, integers of 64 bits
 * each, floats or doubles, and what the operation makes of them goes where the destination lies. fast.c takes
 * this in once.
 */

enum { PART_LANES = 8, LANE_PARTS = EU_MOST_CHANNELS / PART_LANES };
typedef int64_t wide_part __attribute__((vector_size(64)));
typedef uint64_t wide_unsigned_part __attribute__((vector_size(64)));
typedef double real_part __attribute__((vector_size(64)));
typedef float float_part __attribute__((vector_size(32)));
typedef int32_t word_part __attribute__((vector_size(32)));
typedef uint32_t word_unsigned_part __attribute__((vector_size(32)));
typedef int16_t half_part __attribute__((vector_size(16)));
typedef uint16_t half_unsigned_part __attribute__((vector_size(16)));
typedef int8_t byte_part __attribute__((vector_size(8)));
typedef uint8_t byte_unsigned_part __attribute__((vector_size(8)));

union lanes {
    wide_part w[LANE_PARTS];
    wide_unsigned_part u[LANE_PARTS];
    real_part d[LANE_PARTS];
    float_part f[LANE_PARTS];
    word_part b[LANE_PARTS]; /* of floats */
    int64_t i[EU_MOST_CHANNELS];
    double real[EU_MOST_CHANNELS];
    int32_t bits[EU_MOST_CHANNELS];
};

#define EACH_PART(op) (unsigned part = 0, parts = ((op)->channels + 7u) / 8u; part < parts; part++)

/* ---- Bits of lanes ---- */

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

/* All ones where the channel's bit is set. */
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

/* ---- Where elements lie ---- */

enum lay { LAY_ONE, LAY_ROW, LAY_STEPS, LAY_ROWS };

static INLINE unsigned element_of(const struct eu_place *p, unsigned n)
{
    return p->swizzled ? n : n / p->width * p->vertical + n % p->width * p->horizontal;
}

/* Elements of a region of so many bytes, one behind the other. */
static INLINE void collect(const struct eu_place *p, const uint8_t *from, unsigned channels, unsigned bytes,
                           uint8_t *to)
{
    const unsigned shift = (unsigned)__builtin_ctz(p->width), in_row = p->width - 1u;
    for (unsigned n = 0; n < channels; n++)
        memcpy(to + n * bytes, from + ((n >> shift) * p->vertical + (n & in_row) * p->horizontal) * bytes,
               bytes);
}

/* A source's bytes, one element behind the other, for whole parts. */
static INLINE const uint8_t *row_of(const struct eu_run *r, const struct eu_op *op, const struct eu_place *p,
                                    uint8_t *room)
{
    const uint8_t *const from = r->t->grf + p->at;
    if (p->lay == LAY_ROW)
        return from;
    switch (p->bytes) {
    case 1:
        collect(p, from, op->channels, 1, room);
        break;
    case 2:
        collect(p, from, op->channels, 2, room);
        break;
    case 4:
        collect(p, from, op->channels, 4, room);
        break;
    default:
        collect(p, from, op->channels, 8, room);
        break;
    }
    return room;
}

/* ---- Integers ---- */

static INLINE int64_t extended(uint64_t bits, const struct eu_place *p)
{
    const unsigned above = 64u - 8u * p->bytes;
    return p->is_signed ? (int64_t)(bits << above) >> above : (int64_t)(bits << above >> above);
}

static INLINE void all_wide(const struct eu_op *op, int64_t x, union lanes *to)
{
    for
        EACH_PART(op)
    to->w[part] = (wide_part){0} + x;
}

#define WIDEN(type)                                                                                          \
    for                                                                                                      \
        EACH_PART(op)                                                                                        \
        {                                                                                                    \
            type x;                                                                                          \
            memcpy(&x, from + part * sizeof x, sizeof x);                                                    \
            to->w[part] = __builtin_convertvector(x, wide_part);                                             \
        }

static INLINE void widen(const struct eu_op *op, unsigned type, const uint8_t *from, union lanes *to)
{
    switch (type) {
    case TYPE_UB:
        WIDEN(byte_unsigned_part)
        break;
    case TYPE_B:
        WIDEN(byte_part)
        break;
    case TYPE_UW:
        WIDEN(half_unsigned_part)
        break;
    case TYPE_W:
        WIDEN(half_part)
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

static INLINE void accumulators_of(const struct eu_run *r, const struct eu_op *op, const struct eu_place *p,
                                   union lanes *to)
{
    for (unsigned n = 0; n < op->channels; n++) {
        const uint64_t *const a = eu_accumulator(r->t, p->at + element_of(p, n) * p->bytes, p->bytes);
        to->i[n] = a ? extended(*a, p) : 0;
    }
}

static void load_integers(const struct eu_run *r, const struct eu_op *op, unsigned which, bool bitwise,
                          union lanes *to)
{
    const struct eu_place *const p = &op->src[which];
    uint8_t room[EU_MOST_CHANNELS * 8];
    uint64_t one = p->immediate;
    if (p->type == TYPE_V || p->type == TYPE_UV) {
        for (unsigned n = 0; n < op->channels; n++)
            to->i[n] = (int64_t)(one >> 4u * (n & 7u) << 60) >> (p->type == TYPE_V ? 60 : 0);
        if (p->type == TYPE_UV)
            for
                EACH_PART(op)
        to->u[part] >>= 60;
    } else if (p->way == WAY_ACCUMULATOR) {
        accumulators_of(r, op, p, to);
    } else if (p->lay == LAY_ONE) {
        if (p->way == WAY_REGISTERS)
            memcpy(&one, r->t->grf + p->at, 8);
        all_wide(op, extended(one, p), to);
    } else {
        widen(op, p->type, row_of(r, op, p, room), to);
    }
    if (p->absolute && p->is_signed && !bitwise)
        for
            EACH_PART(op)
    to->w[part] = (to->w[part] ^ (to->w[part] >> 63)) - (to->w[part] >> 63);
    if (p->negate)
        for
            EACH_PART(op)
    to->w[part] = bitwise ? ~to->w[part] : -to->w[part];
}

/* Those of channels that are on, where the destination lies. */
static void store_elements(struct eu_run *r, const struct eu_op *op, uint32_t on, const uint8_t *from,
                           unsigned step)
{
    uint8_t *const to = r->t->grf + op->dst.at;
    const unsigned bytes = op->dst.bytes, stride = op->dst.horizontal * bytes;
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
    for                                                                                                      \
        EACH_PART(op)                                                                                        \
        {                                                                                                    \
            const type x = __builtin_convertvector(v->w[part], type);                                        \
            memcpy(to + part * sizeof x, &x, sizeof x);                                                      \
        }

static INLINE void store_integers(struct eu_run *r, const struct eu_op *op, uint32_t on, const union lanes *v)
{
    if (op->dst.way == WAY_NULL)
        return;
    if (op->dst.way == WAY_ACCUMULATOR) {
        for (; on; on &= on - 1u) {
            const unsigned n = (unsigned)__builtin_ctz(on);
            uint64_t *const a =
                eu_accumulator(r->t, op->dst.at + n * op->dst.horizontal * op->dst.bytes, op->dst.bytes);
            if (a)
                *a = (uint64_t)v->i[n];
        }
        return;
    }
    uint8_t *const to = r->t->grf + op->dst.at;
    const bool is_row = op->dst.lay == LAY_ROW && on << (32u - op->channels) >> (32u - op->channels) ==
                                                      UINT32_MAX >> (32u - op->channels);
    if (!is_row || op->channels % PART_LANES) {
        store_elements(r, op, on, (const uint8_t *)v->i, 8);
        return;
    }
    switch (op->dst.bytes) {
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

/* What of two integers holds, by channels. */
static INLINE uint32_t integers_hold(const struct eu_op *op, const union lanes *a, const union lanes *b,
                                     bool is_unsigned)
{
    uint32_t zero = 0, less = 0;
    union lanes is;
    for
        EACH_PART(op)
        {
            is.w[part] = (wide_part)(a->w[part] == b->w[part]);
            zero |= wide_signs(&is, part) << part * PART_LANES;
            is.w[part] =
                is_unsigned ? (wide_part)(a->u[part] < b->u[part]) : (wide_part)(a->w[part] < b->w[part]);
            less |= wide_signs(&is, part) << part * PART_LANES;
        }
    return condition_of(op->condition, zero, less);
}

static INLINE void choose_wide(const struct eu_op *op, uint32_t first, const union lanes *a,
                               const union lanes *b, union lanes *to)
{
    for
        EACH_PART(op)
        {
            wide_part mask;
            wide_mask(first, part, &mask);
            to->w[part] = (a->w[part] & mask) | (b->w[part] & ~mask);
        }
}

static void accumulate_lanes(struct eu_run *r, const struct eu_op *op, uint32_t on, const union lanes *v)
{
    if (r->t->control[0] & CR0_NO_ACCUMULATOR)
        return;
    for (; on; on &= on - 1u) {
        const unsigned n = (unsigned)__builtin_ctz(on);
        uint64_t *const a = eu_accumulator(r->t, n * op->dst.bytes, op->dst.bytes);
        if (a)
            *a = (uint64_t)v->i[n];
    }
}

/* The results as the destination's type has them. */
static INLINE void extend_lanes(const struct eu_op *op, union lanes *v)
{
    const unsigned above = 64u - 8u * op->dst.bytes;
    for
        EACH_PART(op)
        {
            if (op->dst.is_signed)
                v->w[part] = (v->w[part] << above) >> above;
            else
                v->u[part] = (v->u[part] << above) >> above;
        }
}

static INLINE void clamp_lanes(const struct eu_op *op, union lanes *v)
{
    const unsigned bits = 8u * op->dst.bytes;
    const int64_t most = op->dst.is_signed ? (INT64_C(1) << (bits - 1u)) - 1 : (INT64_C(1) << bits) - 1,
                  least = op->dst.is_signed ? -most - 1 : 0;
    for
        EACH_PART(op)
        {
            const wide_part over = (wide_part)(v->w[part] > most), under = (wide_part)(v->w[part] < least);
            v->w[part] = (v->w[part] & ~over & ~under) | (over & most) | (under & least);
        }
}

#define PARTS_ARE(value)                                                                                     \
    for                                                                                                      \
        EACH_PART(op)                                                                                        \
        {                                                                                                    \
            const wide_part a = s[0].w[part], b = s[1].w[part], c = s[2].w[part];                            \
            (void)b;                                                                                         \
            (void)c;                                                                                         \
            v.w[part] = (value);                                                                             \
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

/* The sum of products of the high half, and of what the low half's product left in the accumulator. */
static INLINE void multiply_high(struct eu_run *r, const struct eu_op *op, const union lanes *s,
                                 union lanes *v)
{
    const bool source_signed = op->src[1].is_signed;
    for (unsigned n = 0; n < op->channels; n++) {
        uint64_t *const a = eu_accumulator(r->t, n * op->dst.bytes, op->dst.bytes);
        const uint32_t b = (uint32_t)s[1].i[n];
        const int64_t high = source_signed ? (int32_t)b >> 16 : (int64_t)(b >> 16);
        const uint64_t sum = (uint64_t)s[0].i[n] * (uint64_t)high * 65536u + (a ? *a : 0);
        v->i[n] = !op->acc_write      ? (int64_t)sum
                  : op->dst.is_signed ? (int64_t)sum >> 32
                                      : (int64_t)(sum >> 32);
        if (a && !(r->t->control[0] & CR0_NO_ACCUMULATOR))
            *a = sum;
    }
}

/* Of 32 bits; the carry or borrow is the accumulator's. */
static INLINE void carry(struct eu_run *r, const struct eu_op *op, uint32_t on, const union lanes *s,
                         union lanes *v)
{
    union lanes carries;
    for (unsigned n = 0; n < op->channels; n++) {
        const uint64_t a = (uint32_t)s[0].i[n], b = (uint32_t)s[1].i[n];
        v->i[n] = op->does == EU_ADDC ? (uint32_t)(a + b) : (int64_t)(a - b);
        carries.i[n] = op->does == EU_ADDC ? (int64_t)((a + b) >> 32) : a < b;
    }
    accumulate_lanes(r, op, on, &carries);
}

static struct eu_op *any_integers(struct eu_run *r, struct eu_op *op)
{
    const bool bitwise = op->does == EU_AND || op->does == EU_OR || op->does == EU_XOR || op->does == EU_NOT;
    const bool selects = op->does == EU_SEL && !op->condition, wide = op->is_wide;
    const uint32_t on =
        (selects ? (op->no_mask ? op->window : r->t->active & op->window) : eu_enabled(r->t, op)) >>
        op->first;
    bool flags_are_set = op->condition != 0, accumulates = op->acc_write;
    union lanes s[3], v;
    uint32_t flags = 0;
    for (unsigned n = 0; n < op->sources; n++)
        load_integers(r, op, n, bitwise, &s[n]);
    switch (op->does) {
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
        PARTS_ARE(a << (b & (wide ? 63 : 31)))
        break;
    case EU_SHR: {
        const int64_t below = op->src[0].bytes == 8   ? -1
                              : op->src[0].bytes == 4 ? (int64_t)UINT32_MAX
                                                      : (int64_t)UINT16_MAX;
        PARTS_ARE((wide_part)((wide_unsigned_part)(a & below) >> (wide_unsigned_part)(b & (wide ? 63 : 31))))
        break;
    }
    case EU_ASR:
        PARTS_ARE(a >> (b & (wide ? 63 : 31)))
        break;
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
                for
                    EACH_PART(op)
        v.w[part] |= (n & 1u ? s[0].w[part] : ~s[0].w[part]) & (n & 2u ? s[1].w[part] : ~s[1].w[part]) &
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
    case EU_CBIT: {
        const unsigned above = 32u - 8u * op->src[0].bytes;
        LANES_ARE(__builtin_popcount(a << above))
        break;
    }
    case EU_SEL:
        flags = op->condition ? integers_hold(op, &s[0], &s[1], wide)
                              : (op->predicate ? eu_predicate(r->t, op) >> op->first : UINT32_MAX);
        choose_wide(op, flags, &s[0], &s[1], &v);
        flags_are_set = false;
        break;
    case EU_CSEL:
        v = (union lanes){0};
        choose_wide(op, integers_hold(op, &s[2], &v, false), &s[0], &s[1], &v);
        flags_are_set = false;
        break;
    case EU_CMP:
        flags = integers_hold(op, &s[0], &s[1], wide);
        for
            EACH_PART(op)
        wide_mask(flags, part, &v.w[part]);
        break;
    case EU_MACH:
        multiply_high(r, op, s, &v);
        accumulates = false;
        break;
    default: /* addc, subb */
        carry(r, op, on, s, &v);
        accumulates = false;
        break;
    }
    if (op->saturate)
        clamp_lanes(op, &v);
    else if ((flags_are_set && op->does != EU_CMP) || accumulates)
        extend_lanes(op, &v);
    if (flags_are_set && op->does != EU_CMP) {
        const union lanes zero = {0};
        flags = integers_hold(op, &v, &zero, op->dst.type == TYPE_UQ);
    }
    if (accumulates)
        accumulate_lanes(r, op, on, &v);
    store_integers(r, op, on, &v);
    if (flags_are_set)
        set_flags(r->t, op, on, flags);
    return op->next;
}

/* ---- Floats ---- */

/* Denormals are kept and results go to the nearest: then the host's doubles and halves are the thread's. */
static INLINE bool is_plain_mode(const struct eu_thread *t)
{
    const uint32_t keeps = CR0_F_DENORMALS | CR0_DF_DENORMALS | CR0_HF_DENORMALS;
    return (t->control[0] & (keeps | CR0_ALTERNATIVE | 3u << CR0_ROUNDING_SHIFT)) == keeps;
}

/* What the host cannot read or write as such. */
static INLINE bool is_beyond_host(const struct eu_op *op)
{
#if defined(__F16C__)
    (void)op;
    return false;
#else
    return op->src[0].type == TYPE_HF || op->dst.type == TYPE_HF ||
           (op->sources > 1 && op->src[1].type == TYPE_HF) || (op->sources > 2 && op->src[2].type == TYPE_HF);
#endif
}

static void load_floats(const struct eu_run *r, const struct eu_op *op, unsigned which, union lanes *to)
{
    const struct eu_place *const p = &op->src[which];
    uint8_t room[EU_MOST_CHANNELS * 4];
    uint32_t one = (uint32_t)p->immediate;
    if (p->way == WAY_ACCUMULATOR) {
        for (unsigned n = 0; n < op->channels; n++) {
            const uint64_t *const a = eu_accumulator(r->t, p->at + element_of(p, n) * p->bytes, p->bytes);
            to->bits[n] = a ? (int32_t)*a : 0;
        }
    } else if (p->lay == LAY_ONE) {
        if (p->way == WAY_REGISTERS)
            memcpy(&one, r->t->grf + p->at, 4);
#if defined(__F16C__)
        if (p->type == TYPE_HF)
            one = (uint32_t)_mm_cvtsi128_si32(
                _mm_castps_si128(_mm_cvtph_ps(_mm_cvtsi32_si128((int)(one & 0xffffu)))));
#endif
        for
            EACH_PART(op)
        to->b[part] = (word_part){0} + (int32_t)one;
    } else {
        const uint8_t *const from = row_of(r, op, p, room);
#if defined(__F16C__)
        if (p->type == TYPE_HF)
            for
                EACH_PART(op)
                {
                    const __m256 x =
                        _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + part * 16)));
                    memcpy(&to->b[part], &x, sizeof x);
                }
        else
#endif
            for
                EACH_PART(op)
        memcpy(&to->b[part], from + part * 32, 32);
    }
    if (p->absolute)
        for
            EACH_PART(op)
    to->b[part] &= INT32_MAX;
    if (p->negate)
        for
            EACH_PART(op)
    to->b[part] ^= INT32_MIN;
}

static void store_floats(struct eu_run *r, const struct eu_op *op, uint32_t on, union lanes *v)
{
    if (op->acc_write) {
        union lanes wide;
        for (unsigned n = 0; n < op->channels; n++)
            wide.i[n] = (uint32_t)v->bits[n];
        accumulate_lanes(r, op, on, &wide);
    }
    if (op->dst.way == WAY_NULL)
        return;
    if (op->dst.way == WAY_ACCUMULATOR) {
        for (; on; on &= on - 1u) {
            const unsigned n = (unsigned)__builtin_ctz(on);
            uint64_t *const a = eu_accumulator(r->t, op->dst.at + n * op->dst.horizontal * 4u, 4);
            if (a)
                *a = (uint32_t)v->bits[n];
        }
        return;
    }
#if defined(__F16C__)
    if (op->dst.type == TYPE_HF) {
        for
            EACH_PART(op)
            {
                __m256 x;
                memcpy(&x, &v->b[part], sizeof x);
                const __m128i half = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
                const half_unsigned_part lanes = (half_unsigned_part)half;
                v->b[part] = __builtin_convertvector(lanes, word_part);
            }
    } else
#endif
        if (op->dst.lay == LAY_ROW && !(op->channels % PART_LANES)) {
        uint8_t *const to = r->t->grf + op->dst.at;
        for
            EACH_PART(op)
            {
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

static INLINE void make_numbers(const struct eu_op *op, union lanes *v)
{
    for
        EACH_PART(op)
        {
            const word_part is =
                (word_part)(v->f[part] == v->f[part]); /* NOLINT(misc-redundant-expression) */
            v->b[part] = (v->b[part] & is) | (~is & 0x7fc00000);
        }
}

static INLINE uint32_t floats_hold(const struct eu_op *op, const union lanes *a, const union lanes *b)
{
    uint32_t flags = 0;
    union lanes is;
    for
        EACH_PART(op)
        {
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

static INLINE void choose_floats(const struct eu_op *op, uint32_t first, const union lanes *a,
                                 const union lanes *b, union lanes *to)
{
    for
        EACH_PART(op)
        {
            word_part mask;
            word_mask(first, part, &mask);
            to->b[part] = (a->b[part] & mask) | (b->b[part] & ~mask);
        }
}

/* The first where the comparison holds; a number rather than none. */
static INLINE void choose_most(const struct eu_op *op, const union lanes *a, const union lanes *b,
                               union lanes *to)
{
    uint32_t first = floats_hold(op, a, b);
    union lanes is;
    for
        EACH_PART(op)
        {
            is.b[part] = (word_part)(b->f[part] != b->f[part]); /* NOLINT(misc-redundant-expression) */
            first |= float_signs(&is, part) << part * PART_LANES;
        }
    choose_floats(op, first, a, b, to);
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
    for                                                                                                      \
        EACH_PART(op)                                                                                        \
        {                                                                                                    \
            const float_part a = s[0].f[part], b = s[1].f[part];                                             \
            (void)b;                                                                                         \
            v.f[part] = (value);                                                                             \
        }
#define ROUNDED(how)                                                                                         \
    for                                                                                                      \
        EACH_PART(op)                                                                                        \
    ROUND_PART(v.f[part], s[0].f[part], how);

static struct eu_op *any_floats(struct eu_run *r, struct eu_op *op)
{
    const bool selects = op->does == EU_SEL && !op->condition;
    if (SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    if (SELDOM(op->is_wide && !is_plain_mode(r->t)))
        return eu_do_slowly(r, op);
    if (is_beyond_host(op))
        return eu_do_values(r, op);
    const uint32_t on =
        (selects ? (op->no_mask ? op->window : r->t->active & op->window) : eu_enabled(r->t, op)) >>
        op->first;
    bool flags_are_set = op->condition != 0;
    union lanes s[3], v;
    uint32_t flags = 0;
    for (unsigned n = 0; n < op->sources; n++)
        load_floats(r, op, n, &s[n]);
    switch (op->does) {
    case EU_MOV:
        FLOATS_ARE(a)
        if (op->dst.type != op->src[0].type || op->saturate)
            make_numbers(op, &v);
        break;
    case EU_ADD:
        FLOATS_ARE(a + b)
        make_numbers(op, &v);
        break;
    case EU_MUL:
        FLOATS_ARE(a * b)
        make_numbers(op, &v);
        break;
    case EU_MAD:
    case EU_MADM:
#if defined(__FMA__)
        for
            EACH_PART(op)
        v.f[part] =
            (float_part)_mm256_fmadd_ps((__m256)s[1].f[part], (__m256)s[2].f[part], (__m256)s[0].f[part]);
        make_numbers(op, &v);
        break;
#else
        return eu_do_values(r, op);
#endif
    case EU_RNDU:
        ROUNDED(_MM_FROUND_TO_POS_INF)
        make_numbers(op, &v);
        break;
    case EU_RNDD:
        ROUNDED(_MM_FROUND_TO_NEG_INF)
        make_numbers(op, &v);
        break;
    case EU_RNDE:
        ROUNDED(_MM_FROUND_TO_NEAREST_INT)
        make_numbers(op, &v);
        break;
    case EU_RNDZ:
        ROUNDED(_MM_FROUND_TO_ZERO)
        make_numbers(op, &v);
        break;
    case EU_FRC: /* less than 1, however it is rounded */
        ROUNDED(_MM_FROUND_TO_NEG_INF)
        for
            EACH_PART(op)
            {
                v.f[part] = s[0].f[part] - v.f[part];
                const word_part one = (word_part)(v.f[part] >= 1.0f), none = (word_part)(v.f[part] == 0.0f);
                v.b[part] = ((v.b[part] & ~one) | (one & 0x3f7fffff)) & ~none;
            }
        make_numbers(op, &v);
        break;
    case EU_SEL:
        flags_are_set = false;
        if (selects) {
            choose_floats(op, op->predicate ? eu_predicate(r->t, op) >> op->first : UINT32_MAX, &s[0], &s[1],
                          &v);
        } else {
            choose_most(op, &s[0], &s[1], &v);
            make_numbers(op, &v);
        }
        break;
    case EU_CSEL:
        flags_are_set = false;
        v = (union lanes){0};
        choose_floats(op, floats_hold(op, &s[2], &v), &s[0], &s[1], &v);
        break;
    default: /* cmp */
        flags = floats_hold(op, &s[0], &s[1]);
        for
            EACH_PART(op)
        word_mask(flags, part, &v.b[part]);
        break;
    }
    if (flags_are_set && op->does != EU_CMP) {
        const union lanes zero = {0};
        flags = floats_hold(op, &v, &zero);
    }
    if (op->saturate)
        for
            EACH_PART(op)
            {
                const word_part under = (word_part)(v.f[part] < 1.0f), over = (word_part)(v.f[part] > 0.0f);
                v.b[part] = ((v.b[part] & under) | (~under & 0x3f800000)) & over;
            }
    if (op->does == EU_CMP)
        store_elements(r, op, op->dst.way == WAY_NULL ? 0 : on, (const uint8_t *)v.bits, 4);
    else
        store_floats(r, op, on, &v);
    if (flags_are_set)
        set_flags(r->t, op, on, flags);
    return op->next;
}

/* ---- Doubles ---- */

static void load_reals(const struct eu_run *r, const struct eu_op *op, unsigned which, union lanes *to)
{
    const struct eu_place *const p = &op->src[which];
    uint8_t room[EU_MOST_CHANNELS * 8];
    uint64_t one = p->immediate;
    if (p->lay == LAY_ONE) {
        if (p->way == WAY_REGISTERS)
            memcpy(&one, r->t->grf + p->at, 8);
        all_wide(op, (int64_t)one, to);
    } else {
        widen(op, TYPE_UQ, row_of(r, op, p, room), to);
    }
    if (p->absolute)
        for
            EACH_PART(op)
    to->w[part] &= INT64_MAX;
    if (p->negate)
        for
            EACH_PART(op)
    to->w[part] ^= INT64_MIN;
}

static INLINE void make_real_numbers(const struct eu_op *op, union lanes *v)
{
    for
        EACH_PART(op)
        {
            const wide_part is =
                (wide_part)(v->d[part] == v->d[part]); /* NOLINT(misc-redundant-expression) */
            v->w[part] = (v->w[part] & is) | (~is & INT64_C(0x7ff8000000000000));
        }
}

static INLINE uint32_t reals_hold(const struct eu_op *op, const union lanes *a, const union lanes *b)
{
    uint32_t zero = 0, less = 0, none = 0;
    union lanes is;
    for
        EACH_PART(op)
        {
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
    for                                                                                                      \
        EACH_PART(op)                                                                                        \
        {                                                                                                    \
            const real_part a = s[0].d[part], b = s[1].d[part];                                              \
            v.d[part] = (value);                                                                             \
        }                                                                                                    \
    make_real_numbers(op, &v);

static struct eu_op *any_reals(struct eu_run *r, struct eu_op *op)
{
    if (!is_plain_mode(r->t))
        return eu_do_slowly(r, op);
    if (SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    const uint32_t on = (op->does == EU_SEL ? (op->no_mask ? op->window : r->t->active & op->window)
                                            : eu_enabled(r->t, op)) >>
                        op->first;
    union lanes s[3], v;
    uint32_t flags;
    for (unsigned n = 0; n < op->sources; n++)
        load_reals(r, op, n, &s[n]);
    switch (op->does) {
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
        for
            EACH_PART(op)
        for (unsigned n = part * PART_LANES; n < (part + 1) * PART_LANES; n++)
            v.real[n] = __builtin_fma(s[1].real[n], s[2].real[n], s[0].real[n]);
        make_real_numbers(op, &v);
        break;
#else
        return eu_do_values(r, op);
#endif
    case EU_SEL:
        choose_wide(op, op->predicate ? eu_predicate(r->t, op) >> op->first : UINT32_MAX, &s[0], &s[1], &v);
        break;
    default: /* cmp */
        flags = reals_hold(op, &s[0], &s[1]);
        for
            EACH_PART(op)
        wide_mask(flags, part, &v.w[part]);
        set_flags(r->t, op, on, flags);
        break;
    }
    store_integers(r, op, on, &v);
    return op->next;
}

/* ---- From integers, floats and doubles to another of them ---- */

static INLINE void reals_to_integers(const struct eu_op *op, union lanes *v)
{
    const unsigned bits = 8u * op->dst.bytes;
    const int64_t most = op->dst.is_signed ? (INT64_C(1) << (bits - 1u)) - 1 : (INT64_C(1) << bits) - 1,
                  least = op->dst.is_signed ? -most - 1 : 0;
    for
        EACH_PART(op)
        {
            const real_part x = v->d[part];
            const wide_part over = (wide_part)(x >= (double)most), under = (wide_part)(x <= (double)least),
                            is = (wide_part)(x == x) & ~over & ~under; /* NOLINT(misc-redundant-expression) */
            const wide_part whole = __builtin_convertvector((real_part)((wide_part)x & is), wide_part);
            v->w[part] = (whole & is) | (over & most) | (under & least);
        }
}

static struct eu_op *any_conversion(struct eu_run *r, struct eu_op *op)
{
    const unsigned from = op->src[0].type, to = op->dst.type;
    union lanes s, v;
    if (SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    if (SELDOM(op->is_wide && !is_plain_mode(r->t)))
        return eu_do_slowly(r, op);
    if (is_beyond_host(op))
        return eu_do_values(r, op);
    const uint32_t on = eu_enabled(r->t, op) >> op->first;
    if (from == TYPE_DF) {
        load_reals(r, op, 0, &v);
    } else if (op->type) {
        load_floats(r, op, 0, &s);
        for
            EACH_PART(op)
        v.d[part] = __builtin_convertvector(s.f[part], real_part);
    } else {
        load_integers(r, op, 0, false, &s);
        for
            EACH_PART(op)
        v.d[part] = __builtin_convertvector(s.w[part], real_part);
    }
    if (to == TYPE_DF) {
        make_real_numbers(op, &v);
        store_integers(r, op, on, &v);
    } else if (to == TYPE_F || to == TYPE_HF) {
        for
            EACH_PART(op)
        s.f[part] = __builtin_convertvector(v.d[part], float_part);
        make_numbers(op, &s);
        store_floats(r, op, on, &s);
    } else {
        reals_to_integers(op, &v);
        store_integers(r, op, on, &v);
    }
    return op->next;
}

/* ---- Functions ---- */

#define LANES 8
#include "eu/math_lanes.h"

static struct eu_op *any_function(struct eu_run *r, struct eu_op *op)
{
    union lanes s[2], v;
    if (eu_rounding(r->t) != ROUND_NEAREST)
        return eu_do_slowly(r, op);
    if (SELDOM(!(r->rounding & THREAD_ROUNDS)))
        return round_first(r, op);
    const uint32_t on = eu_enabled(r->t, op) >> op->first;
    load_floats(r, op, 0, &s[0]);
    if (op->sources > 1)
        load_floats(r, op, 1, &s[1]);
    for
        EACH_PART(op)
        {
            real_lanes a = __builtin_convertvector(s[0].f[part], real_lanes), b = {0};
            if (op->sources > 1)
                b = __builtin_convertvector(s[1].f[part], real_lanes);
            lanes_function((enum math_function)op->function, &a, &b);
            v.f[part] = __builtin_convertvector(a, float_part);
        }
    make_numbers(op, &v);
    if (op->saturate)
        for
            EACH_PART(op)
            {
                const word_part under = (word_part)(v.f[part] < 1.0f), over = (word_part)(v.f[part] > 0.0f);
                v.b[part] = ((v.b[part] & under) | (~under & 0x3f800000)) & over;
            }
    if (op->macro) /* early out: see values.c */
        set_flags(r->t, op, on, UINT32_MAX);
    store_floats(r, op, on, &v);
    return op->next;
}

static struct eu_op *any_quotient(struct eu_run *r, struct eu_op *op)
{
    enum { REMAINDER = 13 };
    const uint32_t on = eu_enabled(r->t, op) >> op->first;
    const unsigned bits = 8u * op->src[0].bytes;
    const int64_t most = op->src[0].is_signed ? (INT64_C(1) << (bits - 1u)) - 1 : (INT64_C(1) << bits) - 1,
                  least = op->src[0].is_signed ? -most - 1 : 0;
    union lanes s[2], v;
    load_integers(r, op, 0, false, &s[0]);
    load_integers(r, op, 1, false, &s[1]);
    for (unsigned n = 0; n < op->channels; n++) {
        const int64_t a = s[0].i[n], b = s[1].i[n];
        if (op->function == REMAINDER)
            v.i[n] = b ? a % b : a;
        else
            v.i[n] = b ? a / b : a < 0 ? least : most;
    }
    store_integers(r, op, on, &v);
    return op->next;
}

/* ---- Which of them ---- */

enum { ANY_INTEGER = 1, ANY_FLOAT, ANY_HALF, ANY_REAL };

static unsigned kind_of(unsigned type)
{
    static const uint8_t kinds[EU_TYPES] = {
        [TYPE_UB] = ANY_INTEGER, [TYPE_B] = ANY_INTEGER,  [TYPE_UW] = ANY_INTEGER, [TYPE_W] = ANY_INTEGER,
        [TYPE_UD] = ANY_INTEGER, [TYPE_D] = ANY_INTEGER,  [TYPE_UQ] = ANY_INTEGER, [TYPE_Q] = ANY_INTEGER,
        [TYPE_V] = ANY_INTEGER,  [TYPE_UV] = ANY_INTEGER, [TYPE_F] = ANY_FLOAT,    [TYPE_HF] = ANY_HALF,
        [TYPE_DF] = ANY_REAL,
    };
    return kinds[type];
}

/* How a place lies, to its `lay`; false: these handlers do not have it. */
static bool lay_out(struct eu_place *p, unsigned channels)
{
    const unsigned last = element_of(p, channels - 1u), rounded = (channels + 7u) & ~7u;
    p->is_signed = eu_is_signed(p->type);
    p->lay = LAY_ONE;
    if (p->swizzled && p->swizzle != 0xe4)
        return false;
    if (p->way == WAY_IMMEDIATE || p->way == WAY_NULL)
        return true;
    if (p->way == WAY_ACCUMULATOR)
        return p->bytes == 4;
    if (p->way != WAY_REGISTERS || (p->width & (p->width - 1u)) || p->at % p->bytes)
        return false;
    for (unsigned n = 0; n < channels; n++)
        if (p->at + (element_of(p, n) + 1u) * p->bytes > EU_SMALL_FILE)
            return false;
    if (channels == 1 || is_scalar(p, channels))
        return true;
    p->lay = LAY_STEPS;
    if (is_contiguous(p, channels) && last == channels - 1u && p->at + rounded * p->bytes <= EU_SMALL_FILE)
        p->lay = LAY_ROW;
    return !p->swizzled || p->lay == LAY_ROW;
}

static bool lay_out_destination(struct eu_op *op)
{
    struct eu_place *const p = &op->dst;
    p->is_signed = eu_is_signed(p->type);
    p->lay = LAY_STEPS;
    if (p->way == WAY_NULL)
        return true;
    if (p->way == WAY_ACCUMULATOR)
        return p->bytes == 4;
    if (p->way != WAY_REGISTERS ||
        p->at + ((op->channels - 1u) * p->horizontal + 1u) * p->bytes > EU_SMALL_FILE)
        return false;
    if (p->horizontal == 1)
        p->lay = LAY_ROW;
    return true;
}

static eu_handler *integers_of(struct eu_op *op)
{
    const bool compares = op->does == EU_CMP, selects = op->does == EU_SEL || op->does == EU_CSEL,
               orders = compares || (selects && op->condition),
               to_accumulator = op->dst.way == WAY_ACCUMULATOR;
    bool all_unsigned = true, has_wide = false, modified = false, narrow = false;
    for (unsigned n = 0; n < op->sources; n++) {
        const struct eu_place *const p = &op->src[n];
        has_wide |= p->bytes == 8;
        all_unsigned &= p->type == TYPE_UQ;
        modified |= p->negate || p->absolute;
        narrow |= p->bytes < 4 && p->way != WAY_IMMEDIATE;
    }
    const bool shifts = op->does == EU_SHL || op->does == EU_SHR || op->does == EU_ASR;
    op->is_wide = (shifts ? op->src[0].bytes == 8 : has_wide) || op->dst.bytes == 8;
    if (!compares && kind_of(op->dst.type) != ANY_INTEGER)
        return NULL;
    if (op->condition && !selects && !compares && (to_accumulator || op->saturate))
        return NULL;
    if ((op->acc_write && (orders || op->saturate || to_accumulator)) || (to_accumulator && op->saturate))
        return NULL;
    switch (op->does) {
    case EU_MOV:
    case EU_ADD:
    case EU_ADD3:
        return op->saturate && op->is_wide ? NULL : any_integers;
    case EU_NOT:
    case EU_AND:
    case EU_OR:
    case EU_XOR:
    case EU_MUL:
    case EU_MAD:
    case EU_SHL:
        return op->saturate || (to_accumulator && has_wide) ? NULL : any_integers;
    case EU_SHR:
    case EU_ASR:
        return op->saturate || to_accumulator || modified || op->src[0].type == TYPE_UQ ||
                       op->src[0].type == TYPE_V || op->src[0].type == TYPE_UV
                   ? (op->does == EU_SHR && op->src[0].type == TYPE_UQ && !op->saturate && !to_accumulator &&
                              !modified
                          ? any_integers
                          : NULL)
                   : any_integers;
    case EU_ROL:
    case EU_ROR:
        return op->dst.bytes != 4 || op->src[0].bytes != 4 || op->saturate || modified || to_accumulator
                   ? NULL
                   : any_integers;
    case EU_BFN:
    case EU_BFREV:
    case EU_BFE:
    case EU_BFI1:
    case EU_BFI2:
    case EU_LZD:
    case EU_FBH:
    case EU_FBL:
    case EU_CBIT:
        return op->is_wide || op->saturate || modified || to_accumulator ||
                       (narrow && op->does != EU_CBIT && op->does != EU_BFN)
                   ? NULL
                   : any_integers;
    case EU_SEL:
    case EU_CSEL:
    case EU_CMP:
        /* Of 64 bits without a sign all or none are. */
        if (op->condition > 6 || (orders && has_wide && modified) || (op->saturate && op->is_wide))
            return NULL;
        if (orders && has_wide && !all_unsigned)
            for (unsigned n = 0; n < op->sources; n++)
                if (op->src[n].type == TYPE_UQ)
                    return NULL;
        if (op->does == EU_CSEL && has_wide)
            return NULL;
        op->is_wide = all_unsigned;
        return any_integers;
    case EU_MACH:
        return op->condition || op->saturate || has_wide || op->dst.bytes != 4 || to_accumulator
                   ? NULL
                   : any_integers;
    case EU_ADDC:
    case EU_SUBB:
        return op->saturate || modified || narrow || has_wide || op->dst.bytes != 4 || to_accumulator
                   ? NULL
                   : any_integers;
    case EU_MATH:
        return (op->function == 12 || op->function == 13) && !has_wide && !op->saturate && !op->acc_write &&
                       !op->macro
                   ? any_quotient
                   : NULL;
    default:
        return NULL;
    }
}

static eu_handler *floats_of(struct eu_op *op, bool halves)
{
    const bool float_to = op->dst.type == TYPE_F || op->dst.type == TYPE_HF;
    op->is_wide = halves || op->dst.type == TYPE_HF;
    if (op->acc_write && op->dst.type != TYPE_F)
        return NULL;
    if (op->dst.way == WAY_ACCUMULATOR && (op->dst.type != TYPE_F || op->acc_write))
        return NULL;
    if (op->does == EU_MOV && kind_of(op->dst.type) != kind_of(op->src[0].type)) {
        if (op->dst.bytes == 8 && op->dst.type != TYPE_DF)
            return NULL;
        op->is_wide |= op->dst.type == TYPE_DF;
        return op->condition || op->acc_write || (op->saturate && kind_of(op->dst.type) != ANY_INTEGER) ||
                       op->dst.way != WAY_REGISTERS
                   ? NULL
                   : any_conversion;
    }
    switch (op->does) {
    case EU_MOV: /* bits, of the same type */
        return op->condition || op->acc_write || op->saturate || op->dst.type != TYPE_F ? NULL : any_floats;
    case EU_ADD:
    case EU_MUL:
    case EU_MAD:
    case EU_MADM:
        if ((op->does == EU_MAD || op->does == EU_MADM) && op->dst.type == TYPE_HF) /* one rounding */
            return NULL;
        if (op->condition && op->dst.type != TYPE_F)
            return NULL;
        return float_to ? any_floats : NULL;
    case EU_RNDU:
    case EU_RNDD:
    case EU_RNDE:
    case EU_RNDZ:
    case EU_FRC:
        return op->dst.type == TYPE_F && !halves ? any_floats : NULL;
    case EU_SEL:
        if (op->condition == 2 || op->saturate || op->acc_write || halves || op->dst.type != TYPE_F)
            return NULL;
        op->is_wide |= op->condition != 0; /* what is no denormal any more would have to be zero */
        return any_floats;
    case EU_CSEL:
        return op->saturate || op->acc_write || halves || op->dst.type != TYPE_F ? NULL : any_floats;
    case EU_CMP:
        return op->acc_write ? NULL : any_floats;
    case EU_MATH:
        return halves || op->dst.type != TYPE_F || (op->function >= 11 && op->function <= 13) ||
                       op->function > 15
                   ? NULL
                   : any_function;
    default:
        return NULL;
    }
}

static eu_handler *reals_of(struct eu_op *op)
{
    if (op->condition && op->does != EU_CMP)
        return NULL;
    if (op->acc_write || op->saturate || op->dst.way == WAY_ACCUMULATOR)
        return NULL;
    for (unsigned n = 0; n < op->sources; n++)
        if (op->src[n].way == WAY_ACCUMULATOR)
            return NULL;
    op->is_wide = true;
    if (op->does == EU_MOV && op->dst.type != TYPE_DF)
        return (op->dst.bytes == 8 && op->dst.type != TYPE_DF) || op->dst.type == TYPE_HF ||
                       op->dst.way != WAY_REGISTERS
                   ? NULL
                   : any_conversion;
    if (op->dst.type != TYPE_DF && op->does != EU_CMP)
        return NULL;
    return op->does == EU_MOV || op->does == EU_ADD || op->does == EU_MUL || op->does == EU_MAD ||
                   op->does == EU_SEL || op->does == EU_CMP
               ? any_reals
               : NULL;
}

static eu_handler *any_of(struct eu_op *op)
{
    unsigned kinds = 0;
    if (!op->sources || op->written != 0xf || op->condition > 6 || eu_handler_of(op) != eu_do_values ||
        !lay_out_destination(op))
        return NULL;
    for (unsigned n = 0; n < op->sources; n++) {
        if (!lay_out(&op->src[n], op->channels))
            return NULL;
        kinds |= 1u << kind_of(op->src[n].type);
    }
    if (op->does == EU_CMP &&
        (op->dst.way == WAY_ACCUMULATOR || (op->dst.way == WAY_REGISTERS && op->dst.bytes > 4)))
        return NULL;
    if (kinds == 1u << ANY_INTEGER && op->does == EU_MOV && kind_of(op->dst.type) != ANY_INTEGER) {
        op->is_wide = op->dst.type != TYPE_F;
        return !kind_of(op->dst.type) || op->src[0].bytes == 8 || op->condition || op->acc_write ||
                       op->saturate || op->dst.way != WAY_REGISTERS
                   ? NULL
                   : any_conversion;
    }
    if (kinds == 1u << ANY_INTEGER)
        return integers_of(op);
    if (!(kinds & ~(1u << ANY_FLOAT | 1u << ANY_HALF)))
        return floats_of(op, kinds >> ANY_HALF & 1u);
    return kinds == 1u << ANY_REAL ? reals_of(op) : NULL;
}
