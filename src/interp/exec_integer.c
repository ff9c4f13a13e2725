/* Rules of operations on integers: one channel. */
#include "interp/exec_rules.h"

static unsigned source_size_bits(const struct eu_decoded *op, unsigned source)
{
    const unsigned bytes = op->src[source].type == TYPE_V || op->src[source].type == TYPE_UV
                               ? 2u
                               : eu_types[op->src[source].type].bytes;
    return bytes < 2 ? 16u : 8u * bytes;
}

/* The shift count: modulo 64 for 64-bit types, else modulo 32. */
static unsigned shift_of(const struct eu_decoded *op, eu_wide count)
{
    return (unsigned)count & (op->src[0].element_bytes == 8 || op->dst.element_bytes == 8 ? 63u : 31u);
}

static eu_wide do_move(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return s[0];
}

static eu_wide do_not(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return ~s[0];
}

static eu_wide do_and(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return s[0] & s[1];
}

static eu_wide do_or(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return s[0] | s[1];
}

static eu_wide do_xor(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return s[0] ^ s[1];
}

static eu_wide do_shl(const struct eu_decoded *op, const eu_wide *s)
{
    return (eu_wide)((eu_unsigned_wide)s[0] << shift_of(op, s[1]));
}

static eu_wide do_shr(const struct eu_decoded *op, const eu_wide *s)
{
    return (eu_wide)(eu_low_bits(s[0], source_size_bits(op, 0)) >> shift_of(op, s[1]));
}

static eu_wide do_asr(const struct eu_decoded *op, const eu_wide *s)
{
    return s[0] >> shift_of(op, s[1]);
}

static eu_wide rotated(const struct eu_decoded *op, eu_wide x, unsigned left)
{
    const unsigned bits = 8u * op->dst.element_bytes;
    const eu_unsigned_wide value = eu_low_bits(x, bits);
    left %= bits;
    return left ? (eu_wide)(value << left | value >> (bits - left)) : (eu_wide)value;
}

static eu_wide do_rol(const struct eu_decoded *op, const eu_wide *s)
{
    return rotated(op, s[0], (unsigned)s[1] & (8u * op->dst.element_bytes - 1u));
}

static eu_wide do_ror(const struct eu_decoded *op, const eu_wide *s)
{
    return rotated(op, s[0],
                   8u * op->dst.element_bytes - ((unsigned)s[1] & (8u * op->dst.element_bytes - 1u)));
}

static eu_wide do_bfn(const struct eu_decoded *op, const eu_wide *s)
{
    eu_wide result = 0;
    for (unsigned n = 0; n < 8; n++)
        if (op->function >> n & 1u)
            result |= (n & 1u ? s[0] : ~s[0]) & (n & 2u ? s[1] : ~s[1]) & (n & 4u ? s[2] : ~s[2]);
    return result;
}

static eu_wide do_bfrev(const struct eu_decoded *op, const eu_wide *s)
{
    uint32_t result = 0;
    (void)op;
    for (unsigned n = 0; n < 32; n++)
        result |= (uint32_t)(s[0] >> n & 1) << (31u - n);
    return result;
}

static eu_wide do_bfe(const struct eu_decoded *op, const eu_wide *s)
{
    const unsigned width = (unsigned)s[0] & 31u, offset = (unsigned)s[1] & 31u;
    const bool is_signed = eu_is_signed(op->src[2].type);
    if (!width)
        return 0;
    if (width + offset >= 32)
        return is_signed ? (int32_t)(uint32_t)s[2] >> offset : (int64_t)((uint32_t)s[2] >> offset);
    const uint32_t left = (uint32_t)s[2] << (32u - width - offset);
    return is_signed ? (int32_t)left >> (32u - width) : (int64_t)(left >> (32u - width));
}

static eu_wide do_bfi1(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return (uint32_t)(((UINT32_C(1) << ((unsigned)s[0] & 31u)) - 1u) << ((unsigned)s[1] & 31u));
}

static eu_wide do_bfi2(const struct eu_decoded *op, const eu_wide *s)
{
    const uint32_t mask = (uint32_t)s[0];
    (void)op;
    return ((uint32_t)s[1] << (mask ? __builtin_ctz(mask) : 0) & mask) | ((uint32_t)s[2] & ~mask);
}

static eu_wide do_lzd(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return (uint32_t)s[0] ? __builtin_clz((uint32_t)s[0]) : 32;
}

static eu_wide do_fbh(const struct eu_decoded *op, const eu_wide *s)
{
    const uint32_t x = (uint32_t)s[0], other = eu_is_signed(op->src[0].type) && x >> 31 ? ~x : x;
    return other ? __builtin_clz(other) : (int64_t)UINT32_MAX;
}

static eu_wide do_fbl(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return (uint32_t)s[0] ? __builtin_ctz((uint32_t)s[0]) : (int64_t)UINT32_MAX;
}

static eu_wide do_cbit(const struct eu_decoded *op, const eu_wide *s)
{
    return __builtin_popcountll((uint64_t)eu_low_bits(s[0], 8u * op->src[0].element_bytes));
}

static eu_wide do_add(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return s[0] + s[1];
}

static eu_wide do_add3(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return s[0] + s[1] + s[2];
}

static eu_wide do_avg(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return (s[0] + s[1] + 1) >> 1;
}

static eu_wide do_mul(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return (eu_wide)((eu_unsigned_wide)s[0] * (eu_unsigned_wide)s[1]);
}

static eu_wide do_mul_low(const struct eu_decoded *op, const eu_wide *s)
{
    (void)op;
    return (eu_wide)((eu_unsigned_wide)((uint64_t)s[0] & 0xffffu) * (eu_unsigned_wide)s[1]);
}

static eu_wide do_mad(const struct eu_decoded *op, const eu_wide *s)
{
    return (eu_wide)((eu_unsigned_wide)do_mul(op, s + 1) + (eu_unsigned_wide)s[0]);
}

static eu_wide do_dp4a(const struct eu_decoded *op, const eu_wide *s)
{
    eu_wide sum = s[0];
    for (unsigned n = 0; n < 4; n++)
        sum += eu_extend((uint64_t)s[1] >> 8u * n, eu_is_signed(op->src[1].type) ? TYPE_B : TYPE_UB) *
               eu_extend((uint64_t)s[2] >> 8u * n, eu_is_signed(op->src[2].type) ? TYPE_B : TYPE_UB);
    return sum;
}

eu_integer_rule *const eu_integer_rules[EU_OPERATIONS] = {
    [EU_MOV] = do_move,  [EU_NOT] = do_not,   [EU_AND] = do_and,         [EU_OR] = do_or,
    [EU_XOR] = do_xor,   [EU_SHR] = do_shr,   [EU_SHL] = do_shl,         [EU_ASR] = do_asr,
    [EU_ROR] = do_ror,   [EU_ROL] = do_rol,   [EU_BFN] = do_bfn,         [EU_BFREV] = do_bfrev,
    [EU_BFE] = do_bfe,   [EU_BFI1] = do_bfi1, [EU_BFI2] = do_bfi2,       [EU_LZD] = do_lzd,
    [EU_FBH] = do_fbh,   [EU_FBL] = do_fbl,   [EU_CBIT] = do_cbit,       [EU_ADD] = do_add,
    [EU_ADD3] = do_add3, [EU_AVG] = do_avg,   [EU_MUL] = do_mul,         [EU_MAD] = do_mad,
    [EU_MADM] = do_mad,  [EU_DP4A] = do_dp4a, [EU_MUL_LOW] = do_mul_low,
};
