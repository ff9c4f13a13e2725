/* Where operands lie, as fast handlers tell it. */

enum { PART_LANES = 8 };

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

static bool is_accumulator_row(const struct eu_place *p, unsigned channels)
{
    return p->bytes == 4 && p->at % EU_REGISTER_BYTES == 0 &&
           p->at / EU_REGISTER_BYTES + channels / PART_LANES <= EU_ACCUMULATORS;
}

/* How a place lies, to its `lay`; false: these handlers do not have it. */
static bool lay_out(struct eu_place *p, unsigned channels)
{
    const unsigned last = element_of(p, channels - 1u), rounded = (channels + 7u) & ~7u;
    p->is_signed = eu_is_signed(p->type);
    p->lay = LAY_ONE;
    if (p->swizzled && (p->swizzle != 0xe4 || !p->vertical))
        return false;
    if (p->way == WAY_IMMEDIATE)
        return true;
    if (p->way == WAY_ACCUMULATOR) {
        p->lay = eu_steps_of(p, channels) == 1 && last == channels - 1u && is_accumulator_row(p, rounded)
                     ? LAY_ROW
                     : LAY_STEPS;
        return p->bytes == 4;
    }
    if (p->way != WAY_REGISTERS || (p->width & (p->width - 1u)) || p->at % p->bytes)
        return false;
    for (unsigned n = 0; n < channels; n++)
        if (p->at + (element_of(p, n) + 1u) * p->bytes > EU_SMALL_FILE)
            return false;
    if (channels == 1 || eu_steps_of(p, channels) == 0)
        return true;
    p->lay = LAY_STEPS;
    if (eu_steps_of(p, channels) == 1 && last == channels - 1u && p->at + rounded * p->bytes <= EU_SMALL_FILE)
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
    if (p->way == WAY_ACCUMULATOR) {
        if (p->horizontal == 1 && op->channels % PART_LANES == 0 && is_accumulator_row(p, op->channels))
            p->lay = LAY_ROW;
        return p->bytes == 4;
    }
    if (p->way != WAY_REGISTERS ||
        p->at + ((op->channels - 1u) * p->horizontal + 1u) * p->bytes > EU_SMALL_FILE)
        return false;
    if (p->horizontal == 1)
        p->lay = LAY_ROW;
    return true;
}
