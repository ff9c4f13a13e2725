/* The layout of operands in registers, as the vector handlers use it. */

enum { PART_LANES = 8 };

/* One element for all channels; elements side by side; any other region. */
enum operand_layout { LAYOUT_SCALAR, LAYOUT_CONTIGUOUS, LAYOUT_STRIDED };

static INLINE unsigned element_of(const struct eu_region *p, unsigned n)
{
    return p->is_swizzled ? n : n / p->width * p->vstride + n % p->width * p->hstride;
}

/* Copies a region's elements of `bytes` bytes to consecutive ones. */
static INLINE void gather_elements(const struct eu_region *p, const uint8_t *from, unsigned channels,
                                   unsigned bytes, uint8_t *to)
{
    const unsigned width = p->width, row = p->vstride * bytes, step = p->hstride * bytes;
    if (p->hstride == 2 && (width >= channels || p->vstride == 2 * width)) {
        for (unsigned n = 0; n < channels; n++)
            memcpy(to + n * bytes, from + (size_t)n * 2 * bytes, bytes);
        return;
    }
    if (!p->hstride && width == 4 && channels % 4 == 0) {
        for (unsigned n = 0; n < channels; n += 4, from += row) {
            memcpy(to + n * bytes, from, bytes);
            memcpy(to + (n + 1u) * bytes, from, bytes);
            memcpy(to + (n + 2u) * bytes, from, bytes);
            memcpy(to + (n + 3u) * bytes, from, bytes);
        }
        return;
    }
    for (unsigned n = 0; n < channels; n += width, from += row) {
        const unsigned end = n + width < channels ? n + width : channels;
        const uint8_t *element = from;
        for (unsigned at = n; at < end; at++, element += step)
            memcpy(to + at * bytes, element, bytes);
    }
}

static bool is_accumulator_row(const struct eu_region *p, unsigned channels)
{
    return p->element_bytes == 4 && p->first_byte % EU_REGISTER_BYTES == 0 &&
           p->first_byte / EU_REGISTER_BYTES + channels / PART_LANES <= EU_ACCUMULATORS;
}

/* Sets a source's layout. False: the vector handlers do not support the region. */
static bool find_source_layout(struct eu_region *p, unsigned channels)
{
    const unsigned last = element_of(p, channels - 1u), rounded = (channels + 7u) & ~7u;
    p->is_signed = eu_is_signed(p->type);
    p->layout = LAYOUT_SCALAR;
    if (p->is_swizzled && (p->swizzle != 0xe4 || !p->vstride))
        return false;
    if (p->file == OPERAND_IMMEDIATE)
        return true;
    if (p->file == OPERAND_ACCUMULATOR) {
        p->layout =
            eu_region_stride(p, channels) == 1 && last == channels - 1u && is_accumulator_row(p, rounded)
                ? LAYOUT_CONTIGUOUS
                : LAYOUT_STRIDED;
        return p->element_bytes == 4;
    }
    if (p->file != OPERAND_GRF || (p->width & (p->width - 1u)) || p->first_byte % p->element_bytes)
        return false;
    for (unsigned n = 0; n < channels; n++)
        if (p->first_byte + (element_of(p, n) + 1u) * p->element_bytes > p->file_bytes)
            return false;
    if (channels == 1 || eu_region_stride(p, channels) == 0)
        return true;
    p->layout = LAYOUT_STRIDED;
    if (eu_region_stride(p, channels) == 1 && last == channels - 1u &&
        p->first_byte + rounded * p->element_bytes <= p->file_bytes)
        p->layout = LAYOUT_CONTIGUOUS;
    return !p->is_swizzled || p->layout == LAYOUT_CONTIGUOUS;
}

static bool find_destination_layout(struct eu_decoded *op)
{
    struct eu_region *const p = &op->dst;
    p->is_signed = eu_is_signed(p->type);
    p->layout = LAYOUT_STRIDED;
    if (p->file == OPERAND_NULL)
        return true;
    if (p->file == OPERAND_ACCUMULATOR) {
        if (p->hstride == 1 && op->channels % PART_LANES == 0 && is_accumulator_row(p, op->channels))
            p->layout = LAYOUT_CONTIGUOUS;
        return p->element_bytes == 4;
    }
    if (p->file != OPERAND_GRF ||
        p->first_byte + ((op->channels - 1u) * p->hstride + 1u) * p->element_bytes > p->file_bytes)
        return false;
    if (p->hstride == 1)
        p->layout = LAYOUT_CONTIGUOUS;
    return true;
}
