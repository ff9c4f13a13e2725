/*
 * dpas and dpasw: D = C + A * B on blocks of registers.
 *
 * D, C and A have `repeat` rows; a product has `depth` steps. C and D are stored row by row. The rows of A
 * (source 2) follow each other without gaps. B (source 1) has a column for each channel, packed into its
 * dwords. A step multiplies as many elements as a dword of the wider operand holds, but at most eight. (IGC,
 * documentation/visa, DPAS)
 *
 * Floats round to nearest once a step, and keep denormals. No public manual defines this.
 */
#include "interp/exec_rules.h"

enum { MAX_CHANNELS = 16, MAX_STEPS = 8, MAX_ROWS = 8 };

static unsigned element_bits(unsigned type)
{
    switch (type) {
    case TYPE_U2:
    case TYPE_S2:
        return 2;
    case TYPE_U4:
    case TYPE_S4:
        return 4;
    default:
        return eu_types[type].bytes * 8u;
    }
}

/* Copies registers of a block; bytes beyond the GRF are zeros. */
static void read_block(const struct eu_run *r, const struct eu_region *p, uint32_t *dw, size_t size_bytes)
{
    const size_t file = r->t->grf_rows * (size_t)EU_REGISTER_BYTES,
                 left = p->file == OPERAND_GRF && p->first_byte < file ? file - p->first_byte : 0;
    memset(dw, 0, size_bytes);
    memcpy(dw, r->t->grf + p->first_byte % file, size_bytes < left ? size_bytes : left);
}

/* The element at bit `at`. */
static eu_wide integer_at(const uint32_t *dw, unsigned at, unsigned type)
{
    const unsigned bits = element_bits(type);
    const uint32_t value = dw[at / 32u] >> at % 32u & ((1u << bits) - 1u), sign = 1u << (bits - 1u);
    return type == TYPE_B || type == TYPE_S4 || type == TYPE_S2 ? (int32_t)(value ^ sign) - (int32_t)sign
                                                                : (int32_t)value;
}

static double float_at(const uint32_t *dw, unsigned at, unsigned type)
{
    return eu_to_double(dw[at / 32u] >> at % 32u & 0xffffu, type);
}

/* dpasw: reads an operand that two threads share. The first thread has the lower registers, one more if their
 * number is odd. The thread that arrives first waits. False: return *waits. (IGC, documentation/visa, DPASW)
 */
static bool read_shared_block(struct eu_run *r, struct eu_decoded *op, uint32_t *dw, size_t size_bytes,
                              struct eu_decoded **waits)
{
    struct eu_thread *const t = r->t;
    bool second = false;
    struct eu_thread *const other =
        r->port->dpasw_pair ? r->port->dpasw_pair(r->port->context, t, &second) : NULL;
    const size_t registers = (size_bytes + EU_REGISTER_BYTES - 1u) / EU_REGISTER_BYTES,
                 lower_bytes = (registers + 1u) / 2u * EU_REGISTER_BYTES,
                 first_bytes = size_bytes < lower_bytes ? size_bytes : lower_bytes;
    if (!other) {
        *waits = eu_raise(r, op, "dpasw of a thread without a pair");
        return false;
    }
    if (!t->dpasw_waiting) {
        t->dirty.rare = true;
        read_block(r, &op->src[2], t->dpasw_shared_operand[t->dpasw_count % 2u],
                   second ? size_bytes - first_bytes : first_bytes);
        t->dpasw_count++;
        t->dpasw_waiting = true;
    }
    if ((int32_t)(other->dpasw_count - t->dpasw_count) < 0) {
        *waits = eu_block_thread(r, op);
        return false;
    }
    const unsigned which = (t->dpasw_count - 1u) % 2u;
    memcpy(dw, (second ? other : t)->dpasw_shared_operand[which], first_bytes);
    memcpy((uint8_t *)dw + first_bytes, (second ? t : other)->dpasw_shared_operand[which],
           size_bytes - first_bytes);
    t->dpasw_waiting = false;
    return true;
}

/* The operands A and B, and their layout. */
struct blocks {
    uint8_t type, other;    /* types of B and of A */
    unsigned channels;      /* a register of B has a dword of each */
    unsigned products;      /* per step */
    unsigned steps_a_dword; /* steps in a dword of B */
    uint32_t b[MAX_STEPS * MAX_CHANNELS], a[MAX_STEPS * MAX_ROWS];
};

/* One step of a row and column `n`: adds its products to `sum`. */
static union eu_value dpas_step(const struct blocks *x, union eu_value sum, unsigned n, unsigned step_of_all,
                                unsigned step)
{
    const unsigned bits = element_bits(x->type), other = element_bits(x->other);
    const unsigned row = step / x->steps_a_dword * x->channels + n,
                   first = step % x->steps_a_dword * x->products * bits;
    double s[3] = {0}, error = 0;
    for (unsigned i = 0; i < x->products; i++) {
        const unsigned at = row * 32u + first + i * bits, from = (step_of_all * x->products + i) * other;
        if (eu_is_float(x->type))
            s[i] = float_at(x->b, at, x->type) * float_at(x->a, from, x->other);
        else
            sum.i += integer_at(x->b, at, x->type) * integer_at(x->a, from, x->other);
    }
    if (eu_is_float(x->type)) {
        s[2] = sum.f;
        const double all = eu_float_rules[EU_ADD3](s, TYPE_F, &error);
        sum.f = eu_round_to_type(all, error, TYPE_F, ROUND_NEAREST, false);
    }
    return sum;
}

static bool is_small_integer(unsigned type)
{
    return type == TYPE_UB || type == TYPE_B || type == TYPE_U4 || type == TYPE_S4 || type == TYPE_U2 ||
           type == TYPE_S2;
}

static bool has_types(const struct eu_decoded *op)
{
    const unsigned b = op->src[1].type, a = op->src[2].type, d = op->dst.type, c = op->src[0].type;
    if (is_small_integer(a) && is_small_integer(b))
        return (d == TYPE_D || d == TYPE_UD) && (c == TYPE_D || c == TYPE_UD);
    return a == b && (a == TYPE_HF || a == TYPE_BF) && (d == TYPE_F || d == a) && (c == TYPE_F || c == a);
}

struct eu_decoded *eu_exec_dpas(struct eu_run *r, struct eu_decoded *op)
{
    const unsigned steps = 1u << op->dpas.systolic_depth, rows = op->dpas.repeat_count + 1u;
    const unsigned channels = r->t->isa->register_bytes / 4u; /* a row of B is a register */
    struct blocks x = {.type = op->src[1].type, .other = op->src[2].type, .channels = channels};
    const unsigned bits = element_bits(x.type), other = element_bits(x.other),
                   widest = bits > other ? bits : other;
    const bool is_float = eu_is_float(op->dst.type);
    struct eu_decoded *waits = NULL;
    uint32_t c[MAX_ROWS * MAX_CHANNELS];
    uint64_t result[MAX_ROWS][MAX_CHANNELS];
    if (!has_types(op) || op->channels != channels)
        return eu_raise(r, op, "the operation does not have these types");
    eu_set_host_rounding(r);
    x.products = widest == 16 ? 2 : widest == 8 ? 4 : 8;
    x.steps_a_dword = 32u / (x.products * bits);
    read_block(r, &op->src[0], c, rows * channels * (size_t)op->src[0].element_bytes);
    read_block(r, &op->src[1], x.b, (steps + x.steps_a_dword - 1u) / x.steps_a_dword * channels * 4u);
    const size_t a_bytes = (steps * rows * x.products * other + 31u) / 32u * 4u;
    if (op->opcode == EU_DPAS)
        read_block(r, &op->src[2], x.a, a_bytes);
    else if (!read_shared_block(r, op, x.a, a_bytes, &waits))
        return waits;
    for (unsigned row = 0; row < rows; row++)
        for (unsigned n = 0; n < channels; n++) {
            const unsigned size = op->src[0].element_bytes;
            uint64_t from = 0;
            union eu_value sum;
            memcpy(&from, (const uint8_t *)c + (row * channels + n) * size, size);
            if (is_float)
                sum.f = eu_to_double(from, op->src[0].type);
            else
                sum.i = (eu_wide)from;
            for (unsigned i = 0; i < steps; i++)
                sum = dpas_step(&x, sum, n, row * steps + i, i);
            if (is_float)
                result[row][n] = eu_from_double(
                    eu_round_to_type(sum.f, 0, op->dst.type, ROUND_NEAREST, false), op->dst.type);
            else
                result[row][n] = (uint32_t)sum.i;
        }
    struct eu_decoded to = *op;
    to.dst.hstride = 1;
    for (unsigned row = 0; row < rows; row++) {
        eu_store_destination(r, &to, eu_enabled_channels(r->t, op) >> op->first_channel, result[row]);
        to.dst.first_byte = (uint16_t)(to.dst.first_byte + channels * op->dst.element_bytes);
    }
    return op + op->slots;
}
