/* Products of 64 bits, and the accumulator as 64-bit integers. emit_x86.c includes this. */

static bool is_signed_product(const struct eu_decoded *op)
{
    return eu_is_signed(op->src[0].type) || eu_is_signed(op->src[1].type);
}

/* Moves the dwords of a half of `from` to the low halves of four qwords. */
static void spread_dwords(struct x86 *x, unsigned to, unsigned from, unsigned half)
{
    if (half)
        x86_vector_byte(x, X86_UPPER_HALF, from, X86_UNUSED, x86_in(to), 1);
    x86_vector(x, X86_TO_QWORDS, to, X86_UNUSED, x86_in(half ? to : from));
}

/* Loads four channels of a source as the low halves of qwords; the high halves are undefined. */
static unsigned factor(struct translation *t, const struct eu_decoded *op, unsigned n, unsigned part)
{
    const struct eu_region *const p = &op->src[n];
    const unsigned steps = eu_region_stride(p, op->channels);
    if (p->file == OPERAND_IMMEDIATE || !steps)
        return source(t, op, n, part / 2u);
    const unsigned to = allocate_vector(t);
    if (p->element_bytes < 4) {
        load_narrow(&t->x, to, p, steps, part / 2u);
        spread_dwords(&t->x, to, to, part % 2u);
    } else if (steps == 1) {
        x86_vector(&t->x, X86_TO_QWORDS, to, X86_UNUSED,
                   in_registers(op->simd.src_byte[n] + part * (LANES / 2u) * 4u));
    } else {
        x86_vector(&t->x, X86_LOAD, to, X86_UNUSED,
                   in_registers(op->simd.src_byte[n] + part * (LANES / 2u) * 8u));
    }
    return to;
}

/* The products of four channels. */
static unsigned emit_product(struct translation *t, const struct eu_decoded *op, unsigned part)
{
    const unsigned a = factor(t, op, 0, part), b = factor(t, op, 1, part), to = allocate_vector(t);
    x86_vector(&t->x, is_signed_product(op) ? X86_MUL_QWORDS : X86_MUL_UNSIGNED_QWORDS, to, a, x86_in(b));
    t->vectors[a].busy = t->vectors[b].busy = false;
    return to;
}

static void forget_accumulator(struct translation *t, unsigned which)
{
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].held == HELD_ACCUMULATOR && t->vectors[n].what == which)
            t->vectors[n].held = HELD_NOTHING, t->vectors[n].pending = false;
}

/* Half an accumulator is stored later, unless it changes before that. */
static void set_products(struct translation *t, unsigned what, unsigned vector)
{
    forget_accumulator(t, what / 2u);
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].held == HELD_PRODUCTS && t->vectors[n].what == what)
            t->vectors[n].held = HELD_NOTHING, t->vectors[n].pending = false;
    if (count_pending(t) == MAX_PENDING)
        store_all_pending(t);
    struct vector *const v = &t->vectors[vector];
    v->held = HELD_PRODUCTS;
    v->what = what;
    v->pending = true;
    v->mask = 0;
}

/* mul to an accumulator. */
static void store_products(struct translation *t, const struct eu_decoded *op)
{
    struct x86 *const x = &t->x;
    unsigned mask[MAX_PARTS] = {0};
    const bool masked = load_enabled_lanes(t, op, true, mask);
    for (unsigned part = 0; part < op->channels / (LANES / 2u); part++) {
        const unsigned which = op->simd.dst_byte / EU_REGISTER_BYTES + part / 2u,
                       to = emit_product(t, op, part);
        if (masked) {
            const unsigned on = allocate_vector(t), before = allocate_vector(t);
            widen_mask(x, on, mask[part / 2u], part);
            x86_vector(x, X86_LOAD, before, X86_UNUSED, in_accumulator(which, part % 2u));
            x86_vector_byte(x, X86_BLEND_QWORDS, to, before, x86_in(to), on << 4);
            t->vectors[on].busy = t->vectors[before].busy = false;
        }
        set_products(t, which * 2u + part % 2u, to);
        if (masked)
            store_pending(t, to);
        t->vectors[to].busy = false;
    }
}

/* mach of eight channels: adds the product with the high word of source 1 to the accumulator, in all
 * channels. Returns the half of the sum that is the result. */
static unsigned emit_mach(struct translation *t, const struct eu_decoded *op, unsigned part)
{
    enum { WORD_BITS = 16 };
    struct x86 *const x = &t->x;
    const unsigned second = source(t, op, 1, part), high = allocate_vector(t);
    unsigned sums[2];
    store_pending_kind(t, HELD_ACCUMULATOR);
    x86_vector_byte(x, X86_SHIFT_FIXED, eu_is_signed(op->src[1].type) ? X86_FIXED_ASR : X86_FIXED_SHR, high,
                    x86_in(second), WORD_BITS);
    t->vectors[second].busy = false;
    for (unsigned half = 0; half < 2; half++) {
        const unsigned a = factor(t, op, 0, part * 2u + half), b = allocate_vector(t);
        sums[half] = allocate_vector(t);
        spread_dwords(x, b, high, half);
        x86_vector(x, is_signed_product(op) ? X86_MUL_QWORDS : X86_MUL_UNSIGNED_QWORDS, sums[half], a,
                   x86_in(b));
        x86_vector_byte(x, X86_SHIFT_FIXED_QWORDS, X86_FIXED_SHL, sums[half], x86_in(sums[half]), WORD_BITS);
        const unsigned before = held(t, HELD_PRODUCTS, part * 2u + half);
        x86_vector(x, X86_ADD_QWORDS, sums[half], sums[half],
                   before < VECTORS ? x86_in(before) : in_accumulator(part, half));
        if (before < VECTORS)
            t->vectors[before].busy = false;
        t->vectors[a].busy = t->vectors[b].busy = false;
    }
    t->vectors[high].busy = false;
    const unsigned to = allocate_vector(t);
    for (unsigned half = 0; half < 2; half++) {
        set_products(t, part * 2u + half, sums[half]);
        t->vectors[sums[half]].busy = false;
    }
    x86_vector_byte(x, X86_PICK, to, sums[0], x86_in(sums[1]), op->acc_write ? ODD_LANES : EVEN_LANES);
    x86_vector_byte(x, X86_ORDER_QWORDS, to, X86_UNUSED, x86_in(to), HALVES_BY_TURNS);
    if (t->masked && op->channels > LANES) /* registers are few */
        store_pending_kind(t, HELD_PRODUCTS);
    return to;
}

static void translate_product(struct translation *t, const struct eu_decoded *op)
{
    unsigned result[MAX_PARTS] = {0}, mask[MAX_PARTS] = {0};
    if (op->dst.file == OPERAND_ACCUMULATOR) {
        store_products(t, op);
        return;
    }
    for (unsigned p = 0; p < parts_of(op); p++)
        result[p] = op->simd.rule == SIMD_mach ? emit_mach(t, op, p) : emit_product(t, op, p);
    const bool masked = load_enabled_lanes(t, op, true, mask);
    emit_result(t, op, result, masked, mask);
}
