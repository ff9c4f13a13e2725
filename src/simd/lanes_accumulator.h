/* Integer operations in lanes that also write the accumulator: mach, addc, subb. */

/* mach: adds the product with the high word of source 1 to the accumulator. */
static INLINE void multiply_high(struct eu_run *r, const struct eu_decoded *op, const union lanes *s,
                                 union lanes *v)
{
    const bool source_signed = op->src[1].is_signed, stays = r->t->cr0[0] & CR0_ACC_DISABLE;
    if (op->channels % PART_LANES == 0) {
        FOR_EACH_PART(op) {
            wide_unsigned_part before;
            memcpy(&before, r->t->accumulator[part], sizeof before);
            const wide_part b = (wide_part)(s[1].u[part] << 32);
            const wide_unsigned_part high =
                source_signed ? (wide_unsigned_part)(b >> 48) : (wide_unsigned_part)b >> 48;
            const wide_unsigned_part sum = (s[0].u[part] * high << 16) + before;
            v->u[part] = sum;
            if (op->acc_write)
                v->w[part] = op->dst.is_signed ? (wide_part)sum >> 32 : (wide_part)(sum >> 32);
            if (!stays)
                memcpy(r->t->accumulator[part], &sum, sizeof sum);
        }
        return;
    }
    for (unsigned n = 0; n < op->channels; n++) {
        uint64_t *const a = eu_accumulator(r->t, n * op->dst.element_bytes, op->dst.element_bytes);
        const uint32_t b = (uint32_t)s[1].i[n];
        const int64_t high = source_signed ? (int32_t)b >> 16 : (int64_t)(b >> 16);
        const uint64_t sum = (uint64_t)s[0].i[n] * (uint64_t)high * 65536u + (a ? *a : 0);
        v->i[n] = !op->acc_write      ? (int64_t)sum
                  : op->dst.is_signed ? (int64_t)sum >> 32
                                      : (int64_t)(sum >> 32);
        if (a && !stays)
            *a = sum;
    }
}

/* addc, subb: the carry or borrow goes to the accumulator. */
static INLINE void carry(struct eu_run *r, const struct eu_decoded *op, uint32_t on, const union lanes *s,
                         union lanes *v)
{
    union lanes carries;
    for (unsigned n = 0; n < op->channels; n++) {
        const uint64_t a = (uint32_t)s[0].i[n], b = (uint32_t)s[1].i[n];
        v->i[n] = op->opcode == EU_ADDC ? (uint32_t)(a + b) : (int64_t)(a - b);
        carries.i[n] = op->opcode == EU_ADDC ? (int64_t)((a + b) >> 32) : a < b;
    }
    accumulate_lanes(r, op, on, &carries);
}
