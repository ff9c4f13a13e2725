/* Where operands lie, as fast handlers tell it. */

enum { PART_LANES = 8 };

enum lay { LAY_ONE, LAY_ROW, LAY_STEPS, LAY_ROWS };

static INLINE unsigned element_of(const struct eu_region *p, unsigned n)
{
    return p->is_swizzled ? n : n / p->width * p->vstride + n % p->width * p->hstride;
}

/* Elements of a region of so many bytes, one behind the other. */
static INLINE void collect(const struct eu_region *p, const uint8_t *from, unsigned channels, unsigned bytes,
                           uint8_t *to)
{
    const unsigned shift = (unsigned)__builtin_ctz(p->width), in_row = p->width - 1u;
    for (unsigned n = 0; n < channels; n++)
        memcpy(to + n * bytes, from + ((n >> shift) * p->vstride + (n & in_row) * p->hstride) * bytes, bytes);
}

static bool is_accumulator_row(const struct eu_region *p, unsigned channels)
{
    return p->element_bytes == 4 && p->first_byte % EU_REGISTER_BYTES == 0 &&
           p->first_byte / EU_REGISTER_BYTES + channels / PART_LANES <= EU_ACCUMULATORS;
}

/* How a place lies, to its `lay`; false: these handlers do not have it. */
static bool lay_out(struct eu_region *p, unsigned channels)
{
    const unsigned last = element_of(p, channels - 1u), rounded = (channels + 7u) & ~7u;
    p->is_signed = eu_is_signed(p->type);
    p->layout = LAY_ONE;
    if (p->is_swizzled && (p->swizzle != 0xe4 || !p->vstride))
        return false;
    if (p->file == OPERAND_IMMEDIATE)
        return true;
    if (p->file == OPERAND_ACCUMULATOR) {
        p->layout =
            eu_region_stride(p, channels) == 1 && last == channels - 1u && is_accumulator_row(p, rounded)
                ? LAY_ROW
                : LAY_STEPS;
        return p->element_bytes == 4;
    }
    if (p->file != OPERAND_GRF || (p->width & (p->width - 1u)) || p->first_byte % p->element_bytes)
        return false;
    for (unsigned n = 0; n < channels; n++)
        if (p->first_byte + (element_of(p, n) + 1u) * p->element_bytes > EU_SMALL_FILE)
            return false;
    if (channels == 1 || eu_region_stride(p, channels) == 0)
        return true;
    p->layout = LAY_STEPS;
    if (eu_region_stride(p, channels) == 1 && last == channels - 1u &&
        p->first_byte + rounded * p->element_bytes <= EU_SMALL_FILE)
        p->layout = LAY_ROW;
    return !p->is_swizzled || p->layout == LAY_ROW;
}

static bool lay_out_destination(struct eu_decoded *op)
{
    struct eu_region *const p = &op->dst;
    p->is_signed = eu_is_signed(p->type);
    p->layout = LAY_STEPS;
    if (p->file == OPERAND_NULL)
        return true;
    if (p->file == OPERAND_ACCUMULATOR) {
        if (p->hstride == 1 && op->channels % PART_LANES == 0 && is_accumulator_row(p, op->channels))
            p->layout = LAY_ROW;
        return p->element_bytes == 4;
    }
    if (p->file != OPERAND_GRF ||
        p->first_byte + ((op->channels - 1u) * p->hstride + 1u) * p->element_bytes > EU_SMALL_FILE)
        return false;
    if (p->hstride == 1)
        p->layout = LAY_ROW;
    return true;
}
