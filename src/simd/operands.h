/* Loads and stores of WIDTH channels: registers to vectors and back. simd/width.h includes this. */

static INLINE VI NAME(load)(const struct eu_run *r, const struct eu_decoded *op, unsigned n, bool scalar,
                            unsigned part)
{
    VI x;
    if (scalar) {
        int32_t one;
        memcpy(&one,
               op->simd.immediate_bits >> n & 1u ? (const uint8_t *)&op->simd.immediate[n]
                                                 : r->t->grf + op->simd.src_byte[n],
               4);
        return NAME(all)(one);
    }
    memcpy(&x, r->t->grf + op->simd.src_byte[n] + part * PART * 4, sizeof x);
    return x;
}

/* `is` where the channel's bit is set, else `is_not`. */
static INLINE VI NAME(by_bits)(uint32_t bits, unsigned part, VI is, VI is_not)
{
#if HAS_MASKS
    return (VI)_mm512_mask_mov_epi32((__m512i)is_not, (__mmask16)(bits >> part * PART), (__m512i)is);
#else
    return NAME(choose)(NAME(lanes)(bits, part), is, is_not);
#endif
}

/* Stores the results of the channels `on`, a mask of the thread's channels. */
static INLINE void NAME(store)(struct eu_run *r, const struct eu_decoded *op, uint32_t on, const VI *result)
{
    uint8_t *const to = r->t->grf + op->simd.dst_byte;
    if (!SELDOM(on != op->channel_mask)) {
        UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
            memcpy(to + p * PART * 4, &result[p], sizeof *result);
        return;
    }
    on >>= op->first_channel;
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        VI before;
        memcpy(&before, to + p * PART * 4, sizeof before);
        before = NAME(by_bits)(on, p, result[p], before);
        memcpy(to + p * PART * 4, &before, sizeof before);
    }
}

/* Sources with modifiers or of any layout. */

static INLINE VI NAME(modified)(const struct eu_decoded *op, unsigned n, unsigned kind, VI x)
{
    if (kind & FLOATS) {
        if (op->simd.absolute_bits >> n & 1u)
            x &= 0x7fffffff;
        return op->simd.negate_bits >> n & 1u ? x ^ INT32_MIN : x;
    }
    if (kind & BITS)
        return op->simd.negate_bits >> n & 1u ? ~x : x;
    if (op->simd.absolute_bits >> n & 1u)
        x = NAME(choose)((VI)(x < 0), (VI)(0u - (VU)x), x);
    return op->simd.negate_bits >> n & 1u ? (VI)(0u - (VU)x) : x;
}

static NOINLINE void NAME(gather)(const struct eu_region *p, const uint8_t *from, VI *to)
{
    int32_t lanes[WIDTH];
    gather_elements(p, from, WIDTH, 4, (uint8_t *)lanes);
    memcpy(to, lanes, sizeof lanes);
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

/* An accumulator register has eight channels of 64 bits; floats are in their low halves. Channels 8 to 15 are
 * in the next register. */
enum { NAME(HIGH) = PART == 16 ? EU_MAX_CHANNELS / 2 : PART / 2 }; /* distance of the vector's second half */

static INLINE VI NAME(accumulator)(const uint64_t *from)
{
#if PART == 1
    return NAME(all)((int32_t)*from);
#else
    VI low, high;
    memcpy(&low, from, sizeof low);
    memcpy(&high, from + NAME(HIGH), sizeof high);
    return __builtin_shufflevector(low, high, EVEN);
#endif
}

static INLINE void NAME(source)(const struct eu_run *r, const struct eu_decoded *op, unsigned n,
                                unsigned kind, VI *to)
{
    const struct eu_region *const p = &op->src[n];
    if (p->file == OPERAND_IMMEDIATE) {
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] =
            NAME(all)((int32_t)op->simd.immediate[n]);
    } else if (p->file == OPERAND_ACCUMULATOR) {
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] = NAME(accumulator)(
            r->t->accumulator[p->first_byte / EU_REGISTER_BYTES + part * PART / 8u] + part * PART % 8u);
    } else if (p->layout == LAYOUT_SCALAR) {
        const uint32_t one = load_scalar(r->t->grf + p->first_byte, p);
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] = NAME(all)((int32_t)one);
    } else if (p->element_bytes == 2) {
        NAME(words)(r->t->grf + p->first_byte, p->is_signed, to);
    } else if (p->layout == LAYOUT_CONTIGUOUS) {
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++)
            memcpy(&to[part], r->t->grf + p->first_byte + part * PART * 4, sizeof *to);
    } else {
        VI lanes[NAME(PARTS)]; /* a variable whose address is taken is not kept in a register */
        NAME(gather)(p, r->t->grf + p->first_byte, lanes);
        UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] = lanes[part];
    }
    UNROLLED for (unsigned part = 0; part < NAME(PARTS); part++) to[part] =
        NAME(modified)(op, n, kind, to[part]);
}

static INLINE void NAME(store_accumulators)(struct eu_run *r, const struct eu_decoded *op, uint32_t on,
                                            const VI *result)
{
    on >>= op->first_channel;
    UNROLLED for (unsigned p = 0; p < NAME(PARTS); p++)
    {
        uint64_t *const to =
            r->t->accumulator[op->dst.first_byte / EU_REGISTER_BYTES + p * PART / 8u] + p * PART % 8u;
#if PART == 1
        if (on & 1u)
            *to = (uint32_t)result[p][0];
#elif HAS_MASKS
        const __m512i all = (__m512i)result[p], low = _mm512_loadu_si512(to),
                      high = _mm512_loadu_si512(to + NAME(HIGH));
        const uint32_t here = on >> p * PART;
        _mm512_storeu_si512(to, _mm512_mask_cvtepu32_epi64(low, (__mmask8)here, _mm512_castsi512_si256(all)));
        _mm512_storeu_si512(to + NAME(HIGH), _mm512_mask_cvtepu32_epi64(high, (__mmask8)(here >> 8u),
                                                                        _mm512_extracti64x4_epi64(all, 1)));
#else
        const VI mask = NAME(lanes)(on, p), none = {0};
        VI low, high;
        memcpy(&low, to, sizeof low);
        memcpy(&high, to + NAME(HIGH), sizeof high);
        low = NAME(choose)(__builtin_shufflevector(mask, mask, LOW_TWICE),
                           __builtin_shufflevector(result[p], none, LOW_TWICE), low);
        high = NAME(choose)(__builtin_shufflevector(mask, mask, HIGH_TWICE),
                            __builtin_shufflevector(result[p], none, HIGH_TWICE), high);
        memcpy(to, &low, sizeof low);
        memcpy(to + NAME(HIGH), &high, sizeof high);
#endif
    }
}
