/*
 * The generic handler: runs any operation one channel at a time, exactly for all types, regions and modes.
 * The vector handlers are tested against it.
 *
 * An operation has an integer rule (exec_integer.c), a float rule (exec_float.c), or a whole rule here, which
 * computes all channels.
 */
#include "interp/exec_rules.h"

#include <math.h>

/* Sources and results of all channels of an instruction. */
struct values {
    union eu_value s[3][EU_MAX_CHANNELS], result[EU_MAX_CHANNELS];
    uint64_t raw[EU_MAX_CHANNELS];
    uint32_t on; /* enabled channels; bit 0 is the instruction's first channel */
    bool is_raw; /* `raw` has the result's bits */
    bool is_float;
    enum eu_thread_rounding rounding;
    bool flush;
};

/* Computes all channels. False: the operation does not have these types. */
typedef bool whole_rule(struct eu_run *r, const struct eu_decoded *op, struct values *v);

/* ---- Comparisons ---- */

enum {
    CONDITION_Z = 1,
    CONDITION_NZ,
    CONDITION_G,
    CONDITION_GE,
    CONDITION_L,
    CONDITION_LE,
    CONDITION_O = 8,
    CONDITION_U
};

static bool condition_holds(unsigned condition, bool zero, bool less, bool overflow, bool is_nan)
{
    switch (condition) {
    case CONDITION_Z:
        return zero && !is_nan;
    case CONDITION_NZ:
        return !zero || is_nan;
    case CONDITION_G:
        return !less && !zero && !is_nan;
    case CONDITION_GE:
        return (!less || zero) && !is_nan;
    case CONDITION_L:
        return less && !zero && !is_nan;
    case CONDITION_LE:
        return (less || zero) && !is_nan;
    case CONDITION_O:
        return overflow;
    case CONDITION_U:
        return is_nan;
    default:
        return false;
    }
}

static bool compares(const struct eu_decoded *op, const struct values *v, unsigned n)
{
    if (!op->execution_type) {
        const eu_wide a = v->s[0][n].i, b = v->s[1][n].i;
        return condition_holds(op->condition, a == b, a < b, false, false);
    }
    const double a = v->s[0][n].f, b = v->s[1][n].f;
    const bool first = a != a, second = b != b;
    if (op->opcode == EU_CMP || !(first || second))
        return condition_holds(op->condition, a == b, a < b, false, first || second);
    /* cmpn: so that minimum and maximum give the source that is not NaN. */
    return second ? op->condition != CONDITION_NZ : op->condition == CONDITION_NZ;
}

static bool whole_cmp(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    (void)r;
    for (unsigned n = 0; n < op->channels; n++)
        v->raw[n] = compares(op, v, n) ? UINT64_MAX : 0;
    v->is_raw = true;
    return true;
}

/* Copies the source's bits with its modifier. False: the copy would change them. */
static bool copy_bits(struct eu_run *r, const struct eu_decoded *op, unsigned which, uint64_t *bits)
{
    const struct eu_region *const p = &op->src[which];
    const unsigned type = p->type == TYPE_VF ? (unsigned)TYPE_F : p->type;
    if (!eu_is_float(type) || type != op->dst.type || op->saturate || op->acc_write ||
        (type == TYPE_F && (r->t->cr0[0] & CR0_ALT_FP_MODE) && op->opcode != EU_MOV))
        return false;
    eu_load_region(r, op, p, op->channels, bits);
    const uint64_t sign = UINT64_C(1) << (8u * eu_types[type].bytes - 1u);
    for (unsigned n = 0; n < op->channels; n++)
        bits[n] = (p->absolute ? bits[n] & ~sign : bits[n]) ^ (p->negate ? sign : 0);
    return true;
}

static bool whole_mov(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    v->is_raw = copy_bits(r, op, 0, v->raw);
    memcpy(v->result, v->s[0], sizeof v->result);
    return true;
}

/* f32to16, f16to32: half floats in integers. */
static bool whole_half(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    enum { HALF = 0xffff };
    const bool narrows = op->opcode == EU_F32TO16;
    (void)r;
    if ((op->execution_type == TYPE_F) != narrows || (op->dst.type == TYPE_F) == narrows)
        return false;
    for (unsigned n = 0; n < op->channels; n++)
        v->raw[n] =
            narrows ? eu_from_double(eu_round_to_type(v->s[0][n].f, 0, TYPE_HF, v->rounding, false), TYPE_HF)
                    : eu_from_double(eu_to_double((uint64_t)v->s[0][n].i & HALF, TYPE_HF), TYPE_F);
    v->is_raw = true;
    return true;
}

static void select_one(const struct eu_decoded *op, struct values *v, uint32_t first, const uint64_t *a,
                       const uint64_t *b)
{
    for (unsigned n = 0; n < op->channels; n++) {
        v->result[n] = first >> n & 1u ? v->s[0][n] : v->s[1][n];
        if (v->is_raw)
            v->raw[n] = first >> n & 1u ? a[n] : b[n];
    }
}

static bool whole_sel(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    uint64_t a[EU_MAX_CHANNELS], b[EU_MAX_CHANNELS];
    uint32_t first = 0;
    if (op->opcode == EU_CSEL) {
        for (unsigned n = 0; n < op->channels; n++) {
            const double f = op->execution_type ? v->s[2][n].f : 0;
            const eu_wide i = op->execution_type ? 0 : v->s[2][n].i;
            first |=
                (uint32_t)(op->execution_type ? condition_holds(op->condition, f == 0, f < 0, false, f != f)
                                              : condition_holds(op->condition, i == 0, i < 0, false, false))
                << n;
        }
    } else if (op->condition) {
        for (unsigned n = 0; n < op->channels; n++)
            first |= (uint32_t)compares(op, v, n) << n;
    } else {
        first = op->predicate ? eu_predicate_mask(r->t, op) >> op->first_channel : UINT32_MAX;
    }
    v->is_raw = (op->opcode == EU_CSEL || !op->condition) && copy_bits(r, op, 0, a) && copy_bits(r, op, 1, b);
    select_one(op, v, first, a, b);
    return true;
}

/* ---- Accumulators ---- */

static union eu_value accumulated(const struct eu_run *r, const struct eu_decoded *op, unsigned n)
{
    const unsigned size = eu_types[op->execution_type ? op->execution_type : op->dst.type].bytes;
    const uint64_t *const a = eu_accumulator(r->t, n * size, size);
    union eu_value v = {.i = 0};
    if (op->execution_type)
        v.f =
            a ? eu_to_double(size < 8 ? *a & ((UINT64_C(1) << 8u * size) - 1u) : *a, op->execution_type) : 0;
    else
        v.i = a ? (int64_t)*a : 0;
    return v;
}

static void accumulate(const struct eu_run *r, const struct eu_decoded *op, unsigned n, uint64_t bits)
{
    uint64_t *const a = eu_accumulator(r->t, n * op->dst.element_bytes, op->dst.element_bytes);
    if (a && !(r->t->cr0[0] & CR0_ACC_DISABLE))
        *a = bits;
}

static void store_rounded(struct values *v, const struct eu_decoded *op, unsigned n, double x, double error)
{
    v->result[n].f = eu_round_to_type(x, error, op->execution_type, v->rounding, v->flush);
}

static bool whole_mac(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    for (unsigned n = 0; n < op->channels; n++) {
        const union eu_value a = accumulated(r, op, n);
        double error = 0;
        if (op->execution_type)
            store_rounded(v, op, n,
                          eu_fused_multiply_add(v->s[0][n].f, v->s[1][n].f, a.f, op->execution_type, &error),
                          error);
        else
            v->result[n].i = v->s[0][n].i * v->s[1][n].i + a.i;
    }
    return true;
}

/* mach: adds the product with src1's high word to the accumulator, which has that with the low word. The
 * result is the high half. */
static bool whole_mach(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    if (op->execution_type)
        return false;
    for (unsigned n = 0; n < op->channels; n++) {
        const eu_wide high = eu_is_signed(op->src[1].type) ? (int32_t)(uint32_t)v->s[1][n].i >> 16
                                                           : (int64_t)((uint32_t)v->s[1][n].i >> 16);
        const int64_t sum =
            (int64_t)((uint64_t)(v->s[0][n].i * high * 65536) + (uint64_t)accumulated(r, op, n).i);
        const int64_t high_half = eu_is_signed(op->dst.type) ? sum >> 32 : (int64_t)((uint64_t)sum >> 32);
        v->result[n].i = op->acc_write ? high_half : sum; /* without AccWrEn this is macl */
        accumulate(r, op, n, (uint64_t)sum);
    }
    return true;
}

/* addc, subb: the carry or borrow goes to the accumulator. */
static bool whole_carry(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    if (op->execution_type)
        return false;
    for (unsigned n = 0; n < op->channels; n++) {
        const unsigned bits = 8u * op->dst.element_bytes;
        const eu_unsigned_wide a = eu_low_bits(v->s[0][n].i, bits), b = eu_low_bits(v->s[1][n].i, bits);
        v->result[n].i =
            op->opcode == EU_ADDC ? (eu_wide)eu_low_bits((eu_wide)(a + b), bits) : (eu_wide)a - (eu_wide)b;
        if (v->on >> n & 1u)
            accumulate(r, op, n, op->opcode == EU_ADDC ? (uint64_t)((a + b) >> bits) : a < b);
    }
    return true;
}

/* sad2, sada2: both channels of a pair get the sum of their two absolute differences. */
static bool whole_sad(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    if (op->execution_type)
        return false;
    for (unsigned n = 0; n < op->channels; n++) {
        eu_wide sum = op->opcode == EU_SADA2 ? accumulated(r, op, n).i : 0;
        for (unsigned m = n & ~1u; m < (n | 1u) + 1u && m < op->channels; m++)
            sum += v->s[0][m].i < v->s[1][m].i ? v->s[1][m].i - v->s[0][m].i : v->s[0][m].i - v->s[1][m].i;
        v->result[n].i = sum;
        accumulate(r, op, n, (uint64_t)sum);
    }
    return true;
}

/* ---- Vectors of four ---- */

static bool whole_dot(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    const unsigned terms = op->opcode == EU_DP2 ? 2 : op->opcode == EU_DP3 ? 3 : 4;
    (void)r;
    if (!op->execution_type)
        return false;
    for (unsigned n = 0; n < op->channels; n++) {
        double sum = 0;
        for (unsigned m = 0; m < terms && (n & ~3u) + m < op->channels; m++) {
            const unsigned at = (n & ~3u) + m;
            sum += (op->opcode == EU_DPH && m == 3 ? 1 : v->s[0][at].f) * v->s[1][at].f;
        }
        store_rounded(v, op, n, sum, 0);
    }
    return true;
}

/* line: p * u + r. pln: p * u + q * v + r. p, q and r are floats 0, 1 and 3 of source 0. In source 1 each
 * eight u are followed by eight v. (SKL PRM vol 7, pln) */
static bool whole_line(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    union eu_value p[EU_MAX_CHANNELS], q[EU_MAX_CHANNELS], last[EU_MAX_CHANNELS];
    struct eu_decoded other = *op;
    if (op->execution_type != TYPE_F || op->src[0].file != OPERAND_GRF || op->src[1].file != OPERAND_GRF)
        return false;
    other.src[0].vstride = other.src[0].hstride = 0;
    eu_load_source(r, &other, 0, p);
    other.src[0].first_byte = op->src[0].first_byte | 4u;
    eu_load_source(r, &other, 0, q);
    other.src[0].first_byte = op->src[0].first_byte | 12u;
    eu_load_source(r, &other, 0, last);
    if (op->opcode == EU_PLN)
        for (unsigned n = 0; n < op->channels; n += 8) {
            other.channels = op->channels < 8 ? op->channels : 8;
            other.src[1].first_byte = (uint16_t)(op->src[1].first_byte + n / 4u * EU_REGISTER_BYTES);
            eu_load_source(r, &other, 1, v->s[1] + n);
            other.src[1].first_byte += EU_REGISTER_BYTES;
            eu_load_source(r, &other, 1, v->s[2] + n);
        }
    for (unsigned n = 0; n < op->channels; n++) {
        const double sum = p[n].f * v->s[1][n].f + (op->opcode == EU_PLN ? q[n].f * v->s[2][n].f : 0);
        store_rounded(v, op, n, sum + last[n].f, 0);
    }
    return true;
}

/* ---- Functions ---- */

static void set_flags(struct eu_thread *t, const struct eu_decoded *op, uint32_t on, uint32_t flags)
{
    for (unsigned n = 0; n < op->channels; n++) {
        const unsigned bit = (16u * (op->flag & 1u) + op->first_channel + n) & 31u;
        uint16_t *const word = &t->flag[(op->flag & 6u) + bit / 16u];
        if (on >> n & 1u)
            *word = (uint16_t)((*word & ~(1u << bit % 16u)) | (flags >> n & 1u) << bit % 16u);
    }
}

static void divide_integers(const struct eu_decoded *op, eu_wide a, eu_wide b, eu_wide *quotient,
                            eu_wide *remainder)
{
    *quotient = b ? a / b : eu_clamp(a < 0 ? -((eu_wide)1 << 64) : (eu_wide)1 << 64, op->src[0].type);
    *remainder = b ? a % b : a;
}

static bool whole_math(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    enum { BOTH = 11, QUOTIENT, REMAINDER };
    uint64_t remainders[EU_MAX_CHANNELS];
    const bool divides = op->function >= BOTH && op->function <= REMAINDER;
    if (divides != !op->execution_type)
        return false;
    for (unsigned n = 0; n < op->channels; n++) {
        double error = 0;
        if (divides) {
            eu_wide quotient, remainder;
            divide_integers(op, v->s[0][n].i, v->s[1][n].i, &quotient, &remainder);
            v->result[n].i = op->function == REMAINDER ? remainder : quotient;
            remainders[n] = (uint64_t)remainder;
            continue;
        }
        const double x = eu_math_function(op->function, v->s[0][n].f, v->s[1][n].f, &error);
        v->result[n].f = eu_round_to_type(x, error, op->execution_type, ROUND_NEAREST, v->flush);
    }
    /* invm and rsqtm give the final result and set early out: the code then skips the refining steps. */
    if (op->is_macro)
        set_flags(r->t, op, v->on, UINT32_MAX);
    if (op->function == BOTH && divides) {
        struct eu_decoded second = *op;
        second.dst.first_byte =
            (uint16_t)(op->dst.first_byte +
                       (op->channels * op->dst.element_bytes > r->t->isa->register_bytes ? 2 : 1) *
                           r->t->isa->register_bytes);
        eu_store_destination(r, &second, v->on, remainders);
    }
    return true;
}

/* ---- Rows ---- */

/* Operations whose channels depend on each other, or that need more than a rule. */
static whole_rule *const whole_rules[EU_OPERATIONS] = {
    [EU_MOV] = whole_mov,    [EU_SEL] = whole_sel,   [EU_CSEL] = whole_sel,     [EU_CMP] = whole_cmp,
    [EU_CMPN] = whole_cmp,   [EU_MAC] = whole_mac,   [EU_MACH] = whole_mach,    [EU_ADDC] = whole_carry,
    [EU_SUBB] = whole_carry, [EU_SAD2] = whole_sad,  [EU_SADA2] = whole_sad,    [EU_DP2] = whole_dot,
    [EU_DP3] = whole_dot,    [EU_DP4] = whole_dot,   [EU_DPH] = whole_dot,      [EU_LINE] = whole_line,
    [EU_PLN] = whole_line,   [EU_MATH] = whole_math, [EU_F32TO16] = whole_half, [EU_F16TO32] = whole_half,
};

/* Whether a zero sum has a term that is not +0: store_rounded down it is -0. */
static bool sums_to_nothing(const struct eu_decoded *op, const double *s)
{
    switch (op->opcode) {
    case EU_ADD:
        return signbit(s[0]) || signbit(s[1]);
    case EU_ADD3:
        return signbit(s[0]) || signbit(s[1]) || signbit(s[2]);
    case EU_MAD:
    case EU_MADM:
        return signbit(s[0]) || signbit(s[1]) != signbit(s[2]);
    default:
        return false;
    }
}

static bool compute(struct eu_run *r, const struct eu_decoded *op, struct values *v)
{
    eu_integer_rule *const integer = eu_integer_rules[op->opcode];
    eu_float_rule *const real = eu_float_rules[op->opcode];
    if (whole_rules[op->opcode])
        return whole_rules[op->opcode](r, op, v);
    if (op->execution_type ? !real : !integer)
        return false;
    for (unsigned n = 0; n < op->channels; n++) {
        if (op->execution_type) {
            const double s[3] = {v->s[0][n].f, v->s[1][n].f, v->s[2][n].f};
            double error = 0;
            double x = real(s, op->execution_type, &error);
            if (x == 0 && v->rounding == ROUND_DOWN && sums_to_nothing(op, s))
                x = -0.0;
            store_rounded(v, op, n, x, error);
            if (op->opcode == EU_FRC &&
                v->result[n].f >= 1) /* a fraction is less than 1, however it is store_rounded */
                v->result[n].f = eu_round_to_type(x, error, op->execution_type, ROUND_TO_ZERO, v->flush);
        } else {
            const eu_wide s[3] = {v->s[0][n].i, v->s[1][n].i, v->s[2][n].i};
            v->result[n].i = integer(op, s);
        }
    }
    return true;
}

/* ---- Results ---- */

/* Conditions of a result that the condition modifier can test. */
struct result_conditions {
    bool zero, less, overflow, is_nan;
};

static uint64_t to_float(const struct eu_run *r, const struct eu_decoded *op, const struct values *v,
                         unsigned n, struct result_conditions *is)
{
    const unsigned type = op->dst.type;
    double x = v->is_float ? eu_round_to_type(v->result[n].f, 0, type, eu_thread_rounding(r->t), false)
                           : eu_from_wide(v->result[n].i, type, eu_thread_rounding(r->t));
    is->is_nan = x != x;
    is->overflow = isinf(x) && !(v->is_float && isinf(v->s[0][n].f));
    if (type == TYPE_F && (r->t->cr0[0] & CR0_ALT_FP_MODE))
        x = x != x ? 0 : x > 0x1.fffffep127 ? 0x1.fffffep127 : x < -0x1.fffffep127 ? -0x1.fffffep127 : x;
    is->zero = x == 0;
    is->less = x < 0;
    if (op->saturate)
        x = x > 0 ? (x < 1 ? x : 1) : 0; /* NaN becomes 0 */
    return eu_from_double(x, type);
}

static uint64_t to_integer(const struct eu_decoded *op, const struct values *v, unsigned n,
                           struct result_conditions *is)
{
    const unsigned type = op->dst.type;
    eu_wide x = v->result[n].i;
    if (v->is_float) {
        const double f = v->result[n].f;
        x = eu_to_wide(f, type);
        is->is_nan = f != f;
        is->overflow = f != f || trunc(f) != (double)x;
    } else {
        const eu_wide clamped = eu_clamp(x, type);
        is->overflow = clamped != x;
        if (!op->saturate && op->dst.file != OPERAND_ACCUMULATOR)
            x = eu_extend((uint64_t)x, type);
    }
    is->zero = x == 0;
    is->less = x < 0;
    return (uint64_t)(op->saturate ? eu_clamp(x, type) : x);
}

/* Whether the condition modifier writes flags. Those of sel and csel select; the field of math is its
 * function. */
static bool sets_flags(const struct eu_decoded *op)
{
    return op->condition && op->opcode != EU_SEL && op->opcode != EU_CSEL && op->opcode != EU_MATH;
}

static struct eu_decoded *finish_generic(struct eu_run *r, struct eu_decoded *op, struct values *v)
{
    const bool compares_only = op->opcode == EU_CMP || op->opcode == EU_CMPN;
    const uint32_t control = r->t->cr0[0];
    uint64_t bits[EU_MAX_CHANNELS];
    uint32_t flags = 0;
    for (unsigned n = 0; n < op->channels; n++) {
        struct result_conditions is = {0};
        if (!(v->on >> n & 1u))
            continue;
        bits[n] = v->raw[n];
        if (!compares_only) {
            const uint64_t made =
                eu_is_float(op->dst.type) ? to_float(r, op, v, n, &is) : to_integer(op, v, n, &is);
            if (!v->is_raw)
                bits[n] = made;
        }
        flags |= (uint32_t)(compares_only
                                ? v->raw[n] & 1u
                                : condition_holds(op->condition, is.zero, is.less, is.overflow, is.is_nan))
                 << n;
        if (op->acc_write && op->opcode != EU_MACH && op->opcode != EU_ADDC && op->opcode != EU_SUBB)
            accumulate(r, op, n, bits[n]);
    }
    eu_store_destination(r, op, v->on, bits);
    if (sets_flags(op))
        set_flags(r->t, op, v->on, flags);
    if (op->dst.file != OPERAND_ARF)
        return op + op->slots;
    if (op->dst.arf == FILE_CONTROL)
        return eu_cr0_written(r, op, control);
    return op->dst.arf == FILE_IP && v->on ? eu_jump_to(r, bits[0]) : op + op->slots;
}

struct eu_decoded *eu_exec_generic(struct eu_run *r, struct eu_decoded *op)
{
    struct values v;
    const bool selects = op->opcode == EU_SEL && !op->condition;
    eu_set_host_rounding(r);
    v.on =
        selects ? ((r->t->execution_mask | op->unmasked) & op->channel_mask) : eu_enabled_channels(r->t, op);
    v.on >>= op->first_channel;
    if (op->dst_channel_enable != 0xf)
        v.on &= op->dst_channel_enable * UINT32_C(0x11111111);
    v.is_raw = false;
    v.is_float = op->execution_type != TYPE_NONE;
    v.rounding = eu_thread_rounding(r->t);
    v.flush = v.is_float && op->opcode != EU_MOV && eu_flushes_denormals(r->t, op->execution_type);
    for (unsigned n = 0; n < 3; n++) {
        if (n < op->source_count)
            eu_load_source(r, op, n, v.s[n]);
        else
            memset(v.s[n], 0, op->channels * sizeof v.s[n][0]);
    }
    if (!compute(r, op, &v))
        return eu_raise(r, op, "the operation does not have these types");
    return finish_generic(r, op, &v);
}
