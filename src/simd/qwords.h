/*
 * Integers of 64 bits in 8, 16 or 32 channels, as kernels compute addresses with: sums, shifts to the left
 * and moves. Elements of a source lie 2, 4 or 8 bytes apart, those of the destination 4 or 8. handlers.c
 * includes this.
 */

/* The elements of eight channels of a source, without its modifier. Each lies in a unit of `pitch` bytes. */
static INLINE void load_qwords(const struct eu_run *r, const struct eu_decoded *op, unsigned n, unsigned part,
                               wide_unsigned_part *to)
{
    const struct eu_region *const p = &op->src[n];
    const unsigned pitch = op->simd.pitch[n], above = 64u - 8u * p->element_bytes;
    const uint8_t *const from = r->t->grf + op->simd.src_byte[n] + part * PART_LANES * pitch;
    unsigned left = above;
    switch (pitch) {
    case 8:
        memcpy(to, from, sizeof *to);
        left -= p->first_byte % 8u * 8u;
        break;
    case 4: {
        word_unsigned_part x;
        memcpy(&x, from, sizeof x);
        *to = __builtin_convertvector(x, wide_unsigned_part);
        left -= p->first_byte % 4u * 8u;
        break;
    }
    case 2: {
        half_unsigned_part x;
        memcpy(&x, from, sizeof x);
        *to = __builtin_convertvector(__builtin_convertvector(x, word_unsigned_part), wide_unsigned_part);
        break;
    }
    default: {
        uint64_t one = p->immediate;
        if (p->file == OPERAND_GRF)
            memcpy(&one, from, sizeof one);
        *to = (wide_unsigned_part){0} + (uint64_t)extended(one, p);
        return;
    }
    }
    if (p->is_signed)
        *to = (wide_unsigned_part)((wide_part)(*to << left) >> above);
    else
        *to = *to << left >> above;
}

/* Stores the enabled channels. Bytes between elements stay as they are. */
static INLINE void store_qwords(struct eu_run *r, const struct eu_decoded *op, uint32_t on,
                                const wide_unsigned_part *result)
{
    uint8_t *const to = r->t->grf + op->simd.dst_byte;
    const unsigned bytes = op->dst.element_bytes;
    const bool all = on == op->channel_mask;
    on >>= op->first_channel;
    if (bytes == 4 && op->dst.hstride == 1) {
        FOR_EACH_PART(op) {
            word_part x = __builtin_convertvector((wide_part)result[part], word_part), before, mask;
            if (SELDOM(!all)) {
                word_mask(on, part, &mask);
                memcpy(&before, to + part * sizeof before, sizeof before);
                x = (x & mask) | (before & ~mask);
            }
            memcpy(to + part * sizeof x, &x, sizeof x);
        }
        return;
    }
    const uint64_t left = op->dst.first_byte % 8u * 8u, element = UINT64_MAX >> (64u - 8u * bytes) << left;
    FOR_EACH_PART(op) {
        wide_unsigned_part x = result[part], before;
        wide_part mask;
        if (SELDOM(!all))
            wide_mask(on, part, &mask);
        else
            mask = (wide_part){0} - 1;
        if (!all || bytes < 8) {
            const wide_unsigned_part writes = (wide_unsigned_part)mask & element;
            memcpy(&before, to + part * sizeof before, sizeof before);
            x = (x << left & writes) | (before & ~writes);
        }
        memcpy(to + part * sizeof x, &x, sizeof x);
    }
}

static INLINE void run_qwords(struct eu_run *r, struct eu_decoded *op, enum eu_opcode does)
{
    const uint64_t most = op->simd.is_wide ? 63 : 31;
    const uint32_t on = enabled(r->t, op);
    wide_unsigned_part v[LANE_PARTS];
    FOR_EACH_PART(op) {
        wide_unsigned_part b;
        load_qwords(r, op, 0, part, &v[part]);
        if (op->simd.negate_bits & 1u)
            v[part] = -v[part];
        if (does == EU_MOV)
            continue;
        load_qwords(r, op, 1, part, &b);
        if (op->simd.negate_bits & 2u)
            b = -b;
        v[part] = does == EU_ADD ? v[part] + b : v[part] << (b & most);
    }
    store_qwords(r, op, on, v);
}

static struct eu_decoded *mov_qwords(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    run_qwords(r, op, EU_MOV);
    EU_DISPATCH(r, eu_next_decoded(op), left - 1u);
}

static struct eu_decoded *add_qwords(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    run_qwords(r, op, EU_ADD);
    EU_DISPATCH(r, eu_next_decoded(op), left - 1u);
}

static struct eu_decoded *shl_qwords(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    run_qwords(r, op, EU_SHL);
    EU_DISPATCH(r, eu_next_decoded(op), left - 1u);
}

/* Finds where the units of a source begin, and their size. False: it lies otherwise. */
static bool find_pitch(struct eu_decoded *op, unsigned n)
{
    struct eu_region *const p = &op->src[n];
    if ((p->file != OPERAND_GRF && p->file != OPERAND_IMMEDIATE) || kind_of(p->type) != ANY_INTEGER ||
        p->type == TYPE_V || p->type == TYPE_UV || p->absolute || p->is_swizzled ||
        !find_source_layout(p, op->channels))
        return false;
    const unsigned pitch =
        p->layout == LAYOUT_SCALAR ? 0 : eu_region_stride(p, op->channels) * p->element_bytes;
    op->simd.pitch[n] = (uint8_t)pitch;
    op->simd.negate_bits |= (uint8_t)(p->negate << n);
    op->simd.src_byte[n] = (uint16_t)(pitch ? p->first_byte & ~(pitch - 1u) : p->first_byte);
    if (!pitch) /* eight bytes of it are read */
        return p->file == OPERAND_IMMEDIATE || p->first_byte + 8u <= p->file_bytes;
    return (pitch == 2 || pitch == 4 || pitch == 8) && p->element_bytes > 1 &&
           element_of(p, op->channels - 1u) == (op->channels - 1u) * (pitch / p->element_bytes) &&
           op->simd.src_byte[n] + op->channels * pitch <= p->file_bytes;
}

static bool has_qwords(struct eu_decoded *op)
{
    struct eu_region *const to = &op->dst;
    eu_threaded_handler *const does = op->opcode == EU_MOV   ? mov_qwords
                                      : op->opcode == EU_ADD ? add_qwords
                                      : op->opcode == EU_SHL ? shl_qwords
                                                             : NULL;
    const unsigned pitch = to->hstride * to->element_bytes;
    if (!does || (op->channels != 8 && op->channels != 16 && op->channels != 32) || op->saturate ||
        op->condition || op->acc_write || op->dst_channel_enable != 0xf || to->file != OPERAND_GRF ||
        kind_of(to->type) != ANY_INTEGER || to->element_bytes == 1 || to->first_byte % to->element_bytes ||
        (pitch != 8 && (pitch != 4 || to->element_bytes != 4)) || !find_destination_layout(op))
        return false;
    op->simd.negate_bits = 0;
    for (unsigned n = 0; n < op->source_count; n++)
        if (!find_pitch(op, n))
            return false;
    op->simd.dst_byte = (uint16_t)(to->first_byte & ~(pitch - 1u));
    if (op->simd.dst_byte + op->channels * pitch > to->file_bytes)
        return false;
    op->simd.is_wide = to->element_bytes == 8 || op->src[0].element_bytes == 8;
    op->handler_unwrapped = does;
    op->simd.rule = SIMD_called;
    return true;
}
