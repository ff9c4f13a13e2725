/* Allocation of vector registers, and loads of operands. emit_x86.c includes this. */
#include <stddef.h>

enum {
    LANES = 8,
    MASK_VECTORS = 4, /* the last registers: masks of eight channels each */
};

/* Constants at the start of the code memory: shift counts that move a channel's bit to the highest bit, then
 * the values below. */
enum {
    SHIFTS_AT = 0,
    CONSTANTS_AT = 4 * LANES * 4,
    CONSTANT_31 = 0,
    CONSTANT_SIGN,
    CONSTANT_ONES,
    CONSTANT_DOUBLE_SIGN, /* 64 bits, at an even index; zeros follow */
    CONSTANT_BYTE = CONSTANT_DOUBLE_SIGN + 3,
    CONSTANT_WORD,
    CONSTANT_BEHIND_HALF, /* a float's mantissa bits that a half drops, and their value at a tie */
    CONSTANT_BETWEEN_HALVES,
    CONSTANT_MAGNITUDE,
    CONSTANT_SMALL, /* the smallest normal half as a float, minus 2 */
    CONSTANT_1,     /* floats */
    CONSTANT_65536,
    CONSTANT_END_OF_INTEGERS, /* 2^31 */
    CONSTANTS,
};
static const uint32_t constants[CONSTANTS] = {
    [CONSTANT_31] = 31,
    [CONSTANT_SIGN] = UINT32_C(1) << 31,
    [CONSTANT_ONES] = UINT32_MAX,
    [CONSTANT_DOUBLE_SIGN + 1] = UINT32_C(1) << 31,
    [CONSTANT_BYTE] = UINT8_MAX,
    [CONSTANT_WORD] = UINT16_MAX,
    [CONSTANT_BEHIND_HALF] = 0x1fff,
    [CONSTANT_BETWEEN_HALVES] = 0x1000,
    [CONSTANT_MAGNITUDE] = INT32_MAX,
    [CONSTANT_SMALL] = 0x387ffffe,
    [CONSTANT_1] = 0x3f800000,
    [CONSTANT_65536] = 0x47800000,
    [CONSTANT_END_OF_INTEGERS] = 0x4f000000,
};

enum { T_RUN = X86_DI, T_OP = X86_SI, T_LEFT = X86_DX, T_ACTIVE = X86_R9, T_THREAD = X86_R10 };

static struct x86_from in_registers(unsigned at)
{
    return x86_at(T_THREAD, offsetof(struct eu_thread, grf) + at);
}

static struct x86_from in_op(const struct translation *t, const void *p)
{
    return x86_at(T_OP, (size_t)((const uint8_t *)p - (const uint8_t *)t->ops[0]));
}

/* ---- Vector registers ---- */

static unsigned vectors_of(const struct translation *t)
{
    return t->masked ? VECTORS - MASK_VECTORS : VECTORS;
}

/* Allocates a register for the instruction: the least recently used one. */
static unsigned allocate_vector(struct translation *t)
{
    unsigned best = VECTORS;
    for (unsigned n = 0; n < vectors_of(t); n++) {
        const struct vector *const v = &t->vectors[n];
        if (v->busy || v->pending)
            continue;
        if (best == VECTORS || !v->held || (t->vectors[best].held && v->used < t->vectors[best].used))
            best = n;
        if (!v->held)
            break;
    }
    if (best == VECTORS) { /* impossible: an instruction needs fewer */
        t->x.full = true;
        best = 0;
    }
    t->vectors[best] = (struct vector){.busy = true, .used = ++t->clock};
    return best;
}

static unsigned held(struct translation *t, enum held how, uint32_t what)
{
    for (unsigned n = 0; n < vectors_of(t); n++) {
        struct vector *const v = &t->vectors[n];
        if (v->held == how && v->what == what) {
            v->busy = true;
            v->used = ++t->clock;
            return n;
        }
    }
    return VECTORS;
}

static unsigned loaded(struct translation *t, enum held how, uint32_t what, enum x86_vector load,
                       struct x86_from from)
{
    unsigned n = held(t, how, what);
    if (n < VECTORS)
        return n;
    n = allocate_vector(t);
    t->vectors[n].held = (uint8_t)how;
    t->vectors[n].what = what;
    x86_vector(&t->x, load, n, X86_UNUSED, from);
    return n;
}

static struct x86_from in_constants(unsigned which)
{
    return x86_at(X86_IP, CONSTANTS_AT + which * 4u);
}

static unsigned constant(struct translation *t, unsigned which)
{
    return loaded(t, HELD_CONSTANT, which,
                  which == CONSTANT_DOUBLE_SIGN ? X86_BROADCAST_DOUBLE : X86_BROADCAST, in_constants(which));
}

static void release_vectors(struct translation *t)
{
    for (unsigned n = 0; n < VECTORS; n++)
        t->vectors[n].busy = false;
}

/* Drops cached registers that overlap a store to the GRF. */
static void invalidate(struct translation *t, unsigned at, unsigned bytes)
{
    static const uint8_t sizes[HELD_CONSTANT] = {
        [HELD_ROW] = LANES * 4, [HELD_SCALAR] = 4, [HELD_SCALAR_DOUBLE] = 8};
    for (unsigned n = 0; n < VECTORS; n++) {
        struct vector *const v = &t->vectors[n];
        const unsigned size = v->held < HELD_CONSTANT ? sizes[v->held] : 0;
        if (size && v->what < at + bytes && v->what + size > at)
            v->held = HELD_NOTHING;
    }
}

static void invalidate_all(struct translation *t)
{
    memset(t->vectors, 0, sizeof t->vectors);
}

/* ---- Operands ---- */

/* Whether the results are doubles or qwords. */
static bool is_double(const struct eu_decoded *op)
{
    return op->dst.element_bytes == 8 && op->dst.file == OPERAND_GRF;
}

/* The vectors of eight dwords, and of the instruction's elements. */
static unsigned eights_of(const struct eu_decoded *op)
{
    return op->channels > LANES ? op->channels / LANES : 1u;
}

static unsigned parts_of(const struct eu_decoded *op)
{
    return is_double(op) ? op->channels / (LANES / 2u) : eights_of(op);
}

static struct x86_from in_accumulator(unsigned which, unsigned half)
{
    return x86_at(T_THREAD, offsetof(struct eu_thread, accumulator) +
                                which * sizeof *((struct eu_thread *)NULL)->accumulator + half * LANES * 4u);
}

enum { HALVES_BY_TURNS = 0xd8 }; /* order of qwords after joining two vectors */

/* Dwords that X86_PICK takes of each 16 bytes of two vectors. */
enum { EVEN_LANES = 0x88, ODD_LANES = 0xdd };

/* Stores floats to an accumulator; the high halves become zero. mask: the register with the lanes that count;
 * NULL: all do. `spare` has three registers. */
static void write_accumulator(struct x86 *x, unsigned which, unsigned from, const unsigned *mask,
                              const unsigned *spare)
{
    const unsigned value = spare[0], on = spare[1], before = spare[2];
    for (unsigned half = 0; half < 2; half++) {
        if (half)
            x86_vector_byte(x, X86_UPPER_HALF, from, X86_UNUSED, x86_in(value), 1);
        x86_vector(x, X86_TO_QWORDS, value, X86_UNUSED, x86_in(half ? value : from));
        if (mask) {
            if (half)
                x86_vector_byte(x, X86_UPPER_HALF, *mask, X86_UNUSED, x86_in(on), 1);
            x86_vector(x, X86_TO_SIGNED_QWORDS, on, X86_UNUSED, x86_in(half ? on : *mask));
            x86_vector(x, X86_LOAD, before, X86_UNUSED, in_accumulator(which, half));
            x86_vector_byte(x, X86_BLEND_QWORDS, value, before, x86_in(value), on << 4);
        }
        x86_vector(x, X86_STORE, value, X86_UNUSED, in_accumulator(which, half));
    }
}

static struct x86_from in_products(unsigned what)
{
    return in_accumulator(what / 2u, what % 2u);
}

/* Stores an accumulator. Where not all lanes count, it is not cached any more. */
static void store_lanes(struct translation *t, unsigned n, const unsigned *mask)
{
    struct vector *const v = &t->vectors[n];
    unsigned spare[3] = {0};
    for (unsigned m = 0; m < (mask ? 3u : 1u); m++)
        spare[m] = allocate_vector(t);
    write_accumulator(&t->x, v->what, n, mask, spare);
    for (unsigned m = 0; m < (mask ? 3u : 1u); m++)
        t->vectors[spare[m]].busy = false;
    v->pending = false;
    if (mask)
        v->held = HELD_NOTHING;
}

static void store_pending(struct translation *t, unsigned n)
{
    struct vector *const v = &t->vectors[n];
    const unsigned active = v->mask;
    if (v->held == HELD_PRODUCTS) {
        x86_vector(&t->x, X86_STORE, n, X86_UNUSED, in_products(v->what));
        v->pending = false;
        return;
    }
    store_lanes(t, n, active ? &active : NULL);
}

static void store_pending_kind(struct translation *t, enum held held)
{
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].pending && t->vectors[n].held == held)
            store_pending(t, n);
}

/* Before code that others enter or that may leave the run, and before what uses accumulators in memory. */
static void store_all_pending(struct translation *t)
{
    for (unsigned n = 0; n < VECTORS; n++)
        if (t->vectors[n].pending)
            store_pending(t, n);
}

static unsigned count_pending(const struct translation *t)
{
    unsigned count = 0;
    for (unsigned n = 0; n < VECTORS; n++)
        count += t->vectors[n].pending;
    return count;
}

/* The register with the mask of the active lanes of a part; 0: all lanes count. */
static unsigned active_mask(const struct translation *t, const struct eu_decoded *op, unsigned part)
{
    return t->masked && !op->unmasked ? VECTORS - MASK_VECTORS + op->first_channel / LANES + part : 0;
}

/* Loads eight channels of an accumulator; floats are in the low halves. */
static unsigned accumulator(struct translation *t, const struct eu_decoded *op, unsigned which, unsigned part)
{
    unsigned n = held(t, HELD_ACCUMULATOR, which);
    if (n < VECTORS && (!t->vectors[n].mask || t->vectors[n].mask == active_mask(t, op, part)))
        return n;
    if (n < VECTORS) {
        store_pending(t, n);
        t->vectors[n].busy = false;
    }
    store_pending_kind(t, HELD_PRODUCTS);
    n = allocate_vector(t);
    t->vectors[n].held = HELD_ACCUMULATOR;
    t->vectors[n].what = which;
    x86_vector(&t->x, X86_LOAD, n, X86_UNUSED, in_accumulator(which, 0));
    x86_vector_byte(&t->x, X86_PICK, n, n, in_accumulator(which, 1), EVEN_LANES);
    x86_vector_byte(&t->x, X86_ORDER_QWORDS, n, X86_UNUSED, x86_in(n), HALVES_BY_TURNS);
    return n;
}

static void extend(struct x86 *x, unsigned vector, unsigned bytes, bool is_signed)
{
    const unsigned above = 32u - 8u * bytes;
    x86_vector_byte(x, X86_SHIFT_FIXED, X86_FIXED_SHL, vector, x86_in(vector), above);
    x86_vector_byte(x, X86_SHIFT_FIXED, is_signed ? X86_FIXED_ASR : X86_FIXED_SHR, vector, x86_in(vector),
                    above);
}

/* Packs the low words of eight dwords, in order. */
static void pack(struct x86 *x, unsigned vector, unsigned other)
{
    x86_vector(x, X86_PACK_WORDS, vector, vector, x86_in(other));
    x86_vector_byte(x, X86_ORDER_QWORDS, vector, X86_UNUSED, x86_in(vector), HALVES_BY_TURNS);
}

/* Loads bytes, words or halves as dwords or floats. */
static void load_narrow(struct x86 *x, unsigned to, const struct eu_region *p, unsigned steps, unsigned part)
{
    const bool halves = p->type == TYPE_HF, is_signed = !halves && eu_is_signed(p->type);
    const unsigned pitch = steps * p->element_bytes;
    const struct x86_from from = in_registers(p->first_byte + part * LANES * pitch);
    unsigned extends = p->element_bytes;
    if (!steps) {
        x86_vector(x, p->element_bytes == 1 ? X86_BROADCAST_BYTE : X86_BROADCAST_WORD, to, X86_UNUSED, from);
        extends = halves ? 0 : extends;
    } else if (pitch == 1) {
        x86_vector(x, is_signed ? X86_FROM_SIGNED_BYTES : X86_FROM_BYTES, to, X86_UNUSED, from);
        extends = 0;
    } else if (pitch == 2 && halves) {
        x86_vector(x, X86_FROM_HALVES, to, X86_UNUSED, from);
        return;
    } else if (pitch == 2) {
        x86_vector(x, is_signed ? X86_FROM_SIGNED_WORDS : X86_FROM_WORDS, to, X86_UNUSED, from);
        extends = p->element_bytes == 1 ? 1u : 0u;
    } else {
        x86_vector(x, X86_LOAD, to, X86_UNUSED, from);
    }
    if (extends)
        extend(x, to, extends, is_signed);
    if (!halves)
        return;
    if (steps)
        pack(x, to, to);
    x86_vector(x, X86_FROM_HALVES, to, X86_UNUSED, x86_in(to));
}

/* Loads every second dword of two rows. */
static unsigned alternate_dwords(struct translation *t, unsigned at)
{
    const bool odd = at % 8u == 4;
    const unsigned row = odd ? at - 4u : at, first = loaded(t, HELD_ROW, row, X86_LOAD, in_registers(row)),
                   second = loaded(t, HELD_ROW, row + 32u, X86_LOAD, in_registers(row + 32u)),
                   to = allocate_vector(t);
    x86_vector_byte(&t->x, X86_PICK, to, first, x86_in(second), odd ? ODD_LANES : EVEN_LANES);
    x86_vector_byte(&t->x, X86_ORDER_QWORDS, to, X86_UNUSED, x86_in(to), HALVES_BY_TURNS);
    t->vectors[first].busy = t->vectors[second].busy = false;
    return to;
}

static unsigned source(struct translation *t, const struct eu_decoded *op, unsigned n, unsigned part)
{
    if (op->src[n].file == OPERAND_ACCUMULATOR)
        return accumulator(t, op, op->simd.src_byte[n] / EU_REGISTER_BYTES + part, part);
    const bool is_one = op->simd.scalar_bits >> n & 1u || op->channels == 1;
    const struct eu_region *const p = &op->src[n];
    if (p->file == OPERAND_GRF && p->element_bytes < 4) {
        const unsigned to = allocate_vector(t);
        load_narrow(&t->x, to, p, eu_region_stride(p, op->channels), part);
        return to;
    }
    if (op->simd.immediate_bits >> n & 1u)
        return loaded(t, HELD_IMMEDIATE, op->simd.immediate[n], X86_BROADCAST,
                      in_op(t, &op->simd.immediate[n]));
    if (is_one && p->element_bytes == 8)
        return loaded(t, HELD_SCALAR_DOUBLE, op->simd.src_byte[n], X86_BROADCAST_DOUBLE,
                      in_registers(op->simd.src_byte[n]));
    if (is_one)
        return loaded(t, HELD_SCALAR, op->simd.src_byte[n], X86_BROADCAST,
                      in_registers(op->simd.src_byte[n]));
    if (p->element_bytes == 4 && eu_region_stride(p, op->channels) == 2)
        return alternate_dwords(t, op->simd.src_byte[n] + part * LANES * 8u);
    const unsigned at = op->simd.src_byte[n] + part * LANES * 4u;
    return loaded(t, HELD_ROW, at, X86_LOAD, in_registers(at));
}
