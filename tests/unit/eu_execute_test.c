#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../suite.h"
#include "../eu_kernel.h"
#include "../random.h"

/* What operations do to values, by the manuals' rules in plain C: kernels of a few instructions, on every
 * generation that has them. Sources lie in r10, r12, ..., results in r30. */

/* Bits of singles and of halves. */
enum {
    SINGLE_INFINITY = 255 << 23,
    SINGLE_SIGNALING_NAN = SINGLE_INFINITY | 1,
    SINGLE_QUIET_NAN = SINGLE_INFINITY | 1 << 22,
    HALF_INFINITY = 31 << 10,
    HALF_QUIET_NAN = HALF_INFINITY | 1 << 9,
    HALF_SIGN = 1 << 15
};
static const uint32_t sign_bit = 1u << 31;

enum { KEEP_DENORMALS = 1 << 6 | 1 << 7 | 1 << 10, ROUNDS = 200, A = 10, B = 14, C = 18, RESULT = 30 };

static struct kernel k;
static struct eu_thread t;

static void begin(const struct eu_isa *set)
{
    k.set = set;
    k.count = 0;
    eu_thread_start(&t, set, 0, UINT32_MAX);
    t.cr0[0] = KEEP_DENORMALS;
}

static void run(void)
{
    uint64_t budget = 10000;
    struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, NULL);
    p.port.context = &p;
    if (eu_thread_run(&t, &p.port, &budget) != EU_ENDED)
        fail_msg("%s: %s", k.set->name, t.why ? t.why : "not ended");
}

static void finish(void)
{
    kernel_end(&k);
    kernel_finish(&k);
}

/* The thread again at its start, its registers as they are. */
static void again(void)
{
    t.ip = 0;
    t.stop = EU_BUDGET;
    t.execution_mask = t.dispatch_mask;
}

static uint64_t get(unsigned number, unsigned channel, unsigned size)
{
    uint64_t bits = 0;
    memcpy(&bits, t.grf + number * EU_REGISTER_BYTES + channel * size, size);
    return bits;
}

static void set(unsigned number, unsigned channel, unsigned size, uint64_t bits)
{
    memcpy(t.grf + number * EU_REGISTER_BYTES + channel * size, &bits, size);
}

static float as_float(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float f;
    memcpy(&f, &word, 4);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return f != f ? SINGLE_QUIET_NAN : bits;
}

/* A float at an edge or any. */
static uint32_t random_float(uint64_t *seed)
{
    static const float edges[] = {0,        -0.0f,     FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN - FLT_TRUE_MIN,
                                  FLT_MIN,  1,         -1,           FLT_MAX,       -FLT_MAX,
                                  INFINITY, -INFINITY, NAN,          8388609,       0.49999997f,
                                  0x1p31f};
    const uint64_t choice = random_next(seed);
    if (choice & 1u)
        return (uint32_t)random_next(seed);
    if (choice & 2u) /* near 1, where sums round */
        return as_bits(0.5f) + (uint32_t)(random_next(seed) % (1 << 25)) + ((uint32_t)(choice & 4u) << 29);
    return as_bits(edges[(choice >> 3) % (sizeof edges / sizeof edges[0])]);
}

/* ---- Operations of 32 bits ---- */

typedef uint32_t rule(uint32_t a, uint32_t b, uint32_t c);

static uint32_t r_mov(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)b, (void)c, a;
}
static uint32_t r_not(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)b, (void)c, ~a;
}
static uint32_t r_and(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a & b;
}
static uint32_t r_or(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a | b;
}
static uint32_t r_xor(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a ^ b;
}
static uint32_t r_shl(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a << (b & 31);
}
static uint32_t r_shr(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a >> (b & 31);
}
static uint32_t r_asr(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, (uint32_t)((int32_t)a >> (b & 31));
}
static uint32_t r_rol(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, b & 31 ? a << (b & 31) | a >> (32 - (b & 31)) : a;
}
static uint32_t r_ror(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, b & 31 ? a >> (b & 31) | a << (32 - (b & 31)) : a;
}
static uint32_t r_add(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a + b;
}
static uint32_t r_add3(uint32_t a, uint32_t b, uint32_t c)
{
    return a + b + c;
}
static uint32_t r_mad(uint32_t a, uint32_t b, uint32_t c)
{
    return a + b * c;
}
static uint32_t r_mul(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a * b;
}
static uint32_t r_avg(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, (uint32_t)(((int64_t)(int32_t)a + (int32_t)b + 1) >> 1);
}
static uint32_t r_bfrev(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x = 0;
    (void)b, (void)c;
    for (int n = 0; n < 32; n++)
        x = x << 1 | (a >> n & 1);
    return x;
}
static uint32_t r_lzd(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t n = 0;
    (void)b, (void)c;
    while (n < 32 && !(a >> (31 - n) & 1))
        n++;
    return n;
}
static uint32_t r_fbl(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    for (uint32_t n = 0; n < 32; n++)
        if (a >> n & 1)
            return n;
    return UINT32_MAX;
}
static uint32_t r_fbh_signed(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    for (uint32_t n = 0; n < 32; n++)
        if ((a >> (31 - n) & 1) != a >> 31)
            return n;
    return UINT32_MAX;
}
static uint32_t r_fbh(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)b, (void)c, a ? r_lzd(a, 0, 0) : UINT32_MAX;
}
static uint32_t r_cbit(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t n = 0;
    (void)b, (void)c;
    for (; a; a >>= 1)
        n += a & 1;
    return n;
}
static uint32_t r_bfe(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x = 0;
    a &= 31, b &= 31;
    for (uint32_t n = 0; n < a && b + n < 32; n++)
        x |= (c >> (b + n) & 1) << n;
    return x;
}
static uint32_t r_bfe_signed(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t x = r_bfe(a, b, c), width = (a & 31) + (b & 31) > 32 ? 32 - (b & 31) : a & 31;
    return width && width < 32 && x >> (width - 1) & 1 ? x | UINT32_MAX << width : x;
}
static uint32_t r_bfi1(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, ((UINT32_C(1) << (a & 31)) - 1) << (b & 31);
}
static uint32_t r_bfi2(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t low = 0;
    while (a && !(a >> low & 1))
        low++;
    return (b << low & a) | (c & ~a);
}
static uint32_t r_dp4a(uint32_t a, uint32_t b, uint32_t c)
{
    for (int n = 0; n < 32; n += 8)
        a += (uint32_t)((int8_t)(b >> n) * (int8_t)(c >> n));
    return a;
}
static uint32_t r_dp4a_mixed(uint32_t a, uint32_t b, uint32_t c)
{
    for (int n = 0; n < 32; n += 8)
        a += (uint32_t)((int)(uint8_t)(b >> n) * (int8_t)(c >> n));
    return a;
}
static uint32_t r_min(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, (int32_t)a < (int32_t)b ? a : b;
}
static uint32_t r_max(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, a >= b ? a : b;
}
static uint32_t r_csel(uint32_t a, uint32_t b, uint32_t c)
{
    return (int32_t)c > 0 ? a : b;
}
static uint32_t r_quotient(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, b ? a / b : UINT32_MAX;
}
static uint32_t r_remainder(uint32_t a, uint32_t b, uint32_t c)
{
    return (void)c, b ? a % b : a;
}
static uint32_t r_bfn(uint32_t a, uint32_t b, uint32_t c)
{
    return (a & b) | (~a & c);
}

static const struct {
    enum eu_opcode does;
    enum eu_type d, a, b, c; /* TYPE_NONE: it has no such source */
    uint8_t condition, function;
    rule *is;
} integers[] = {
    {EU_MOV, TYPE_UD, TYPE_UD, 0, 0, 0, 0, r_mov},
    {EU_NOT, TYPE_UD, TYPE_UD, 0, 0, 0, 0, r_not},
    {EU_AND, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_and},
    {EU_OR, TYPE_D, TYPE_D, TYPE_D, 0, 0, 0, r_or},
    {EU_XOR, TYPE_UD, TYPE_D, TYPE_UD, 0, 0, 0, r_xor},
    {EU_SHL, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_shl},
    {EU_SHL, TYPE_D, TYPE_D, TYPE_D, 0, 0, 0, r_shl},
    {EU_SHR, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_shr},
    {EU_ASR, TYPE_D, TYPE_D, TYPE_UD, 0, 0, 0, r_asr},
    {EU_ASR, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_shr},
    {EU_ROL, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_rol},
    {EU_ROR, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_ror},
    {EU_ADD, TYPE_D, TYPE_D, TYPE_D, 0, 0, 0, r_add},
    {EU_ADD, TYPE_UD, TYPE_UD, TYPE_D, 0, 0, 0, r_add},
    {EU_ADD3, TYPE_D, TYPE_D, TYPE_D, TYPE_D, 0, 0, r_add3},
    {EU_MAD, TYPE_D, TYPE_D, TYPE_D, TYPE_D, 0, 0, r_mad},
    {EU_MUL, TYPE_D, TYPE_D, TYPE_D, 0, 0, 0, r_mul},
    {EU_MUL, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_mul},
    {EU_AVG, TYPE_D, TYPE_D, TYPE_D, 0, 0, 0, r_avg},
    {EU_BFREV, TYPE_UD, TYPE_UD, 0, 0, 0, 0, r_bfrev},
    {EU_LZD, TYPE_UD, TYPE_UD, 0, 0, 0, 0, r_lzd},
    {EU_FBL, TYPE_UD, TYPE_UD, 0, 0, 0, 0, r_fbl},
    {EU_FBH, TYPE_UD, TYPE_UD, 0, 0, 0, 0, r_fbh},
    {EU_FBH, TYPE_UD, TYPE_D, 0, 0, 0, 0, r_fbh_signed},
    {EU_CBIT, TYPE_UD, TYPE_UD, 0, 0, 0, 0, r_cbit},
    {EU_BFE, TYPE_UD, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, r_bfe},
    {EU_BFE, TYPE_D, TYPE_D, TYPE_D, TYPE_D, 0, 0, r_bfe_signed},
    {EU_BFI1, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 0, r_bfi1},
    {EU_BFI2, TYPE_UD, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, r_bfi2},
    {EU_DP4A, TYPE_D, TYPE_D, TYPE_D, TYPE_D, 0, 0, r_dp4a},
    {EU_DP4A, TYPE_D, TYPE_D, TYPE_UD, TYPE_D, 0, 0, r_dp4a_mixed},
    {EU_SEL, TYPE_D, TYPE_D, TYPE_D, 0, 5, 0, r_min},
    {EU_SEL, TYPE_UD, TYPE_UD, TYPE_UD, 0, 4, 0, r_max},
    {EU_CSEL, TYPE_D, TYPE_D, TYPE_D, TYPE_D, 3, 0, r_csel},
    {EU_MATH, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 12, r_quotient},
    {EU_MATH, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0, 13, r_remainder},
    {EU_BFN, TYPE_UD, TYPE_UD, TYPE_UD, TYPE_UD, 0, 0xd8, r_bfn},
};

static void add_operation(enum eu_opcode does, struct how how, struct op d, const struct op *s)
{
    kernel_op(&k, does, how, d, &s[0], s[1].type ? &s[1] : NULL, s[2].type ? &s[2] : NULL);
}

static void integers_are_the_manuals(void **state)
{
    (void)state;
    EVERY_SET_7(each)
    for (size_t n = 0; n < sizeof integers / sizeof integers[0]; n++) {
        uint64_t seed = n;
        const struct op s[3] = {reg(A, integers[n].a), reg(B, integers[n].b), reg(C, integers[n].c)};
        if (!kernel_has(*each, integers[n].does) ||
            ((*each)->mul_splits_src1 && integers[n].does == EU_MUL)) /* of the low word */
            continue;
        begin(*each);
        add_operation(integers[n].does,
                      (struct how){.channels = 16,
                                   .condition = integers[n].condition,
                                   .function = integers[n].function},
                      reg(RESULT, integers[n].d), s);
        finish();
        for (unsigned round = 0; round < ROUNDS; round++) {
            for (unsigned c = 0; c < 16; c++) {
                set(A, c, 4, (uint32_t)random_value(&seed));
                set(B, c, 4, (uint32_t)random_value(&seed));
                set(C, c, 4, (uint32_t)random_value(&seed));
            }
            again();
            run();
            for (unsigned c = 0; c < 16; c++) {
                const uint32_t a = (uint32_t)get(A, c, 4), b = (uint32_t)get(B, c, 4),
                               d = (uint32_t)get(C, c, 4);
                if (get(RESULT, c, 4) != integers[n].is(a, b, d))
                    fail_msg("%s row %zu: %x %x %x: %x, not %x", (*each)->name, n, a, b, d,
                             (unsigned)get(RESULT, c, 4), integers[n].is(a, b, d));
            }
        }
    }
}

/* ---- Floats ---- */

typedef float float_rule(float a, float b, float c);

static float f_add(float a, float b, float c)
{
    return (void)c, a + b;
}
static float f_mul(float a, float b, float c)
{
    return (void)c, a * b;
}
static float f_mad(float a, float b, float c)
{
    return fmaf(b, c, a);
}
static float f_frc(float a, float b, float c)
{
    (void)b, (void)c;
    if (!isfinite(a))
        return NAN;
    const float x = a - floorf(a);
    return x >= 1 ? 0x1.fffffep-1f : x;
}
static float f_rndu(float a, float b, float c)
{
    return (void)b, (void)c, ceilf(a);
}
static float f_rndd(float a, float b, float c)
{
    return (void)b, (void)c, floorf(a);
}
static float f_rndz(float a, float b, float c)
{
    return (void)b, (void)c, truncf(a);
}
static float f_rnde(float a, float b, float c)
{
    return (void)b, (void)c, rintf(a);
}
static float f_min(float a, float b, float c)
{
    return (void)c, a < b || b != b ? a : b;
}
static float f_max(float a, float b, float c)
{
    return (void)c, a >= b || b != b ? a : b;
}
static float f_inv(float a, float b, float c)
{
    return (void)b, (void)c, 1 / a;
}
static float f_sqt(float a, float b, float c)
{
    return (void)b, (void)c, sqrtf(a);
}
static float f_fdiv(float a, float b, float c)
{
    return (void)c, a / b;
}

static const struct {
    enum eu_opcode does;
    uint8_t sources, condition, function;
    float_rule *is;
} floats[] = {
    {EU_ADD, 2, 0, 0, f_add},   {EU_MUL, 2, 0, 0, f_mul},    {EU_MAD, 3, 0, 0, f_mad},
    {EU_FRC, 1, 0, 0, f_frc},   {EU_RNDU, 1, 0, 0, f_rndu},  {EU_RNDD, 1, 0, 0, f_rndd},
    {EU_RNDZ, 1, 0, 0, f_rndz}, {EU_RNDE, 1, 0, 0, f_rnde},  {EU_SEL, 2, 5, 0, f_min},
    {EU_SEL, 2, 4, 0, f_max},   {EU_MATH, 1, 0, 1, f_inv},   {EU_MATH, 1, 0, 4, f_sqt},
    {EU_MATH, 2, 0, 9, f_fdiv}, {EU_MATH, 2, 0, 14, f_fdiv},
};

static float changed(uint64_t bits, bool absolute, bool negate)
{
    float f = as_float(bits);
    f = absolute ? fabsf(f) : f;
    return negate ? -f : f;
}

static void floats_are_ieee(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (unsigned n = 0; n < sizeof floats / sizeof floats[0] * 4; n++) {
        const unsigned row = n / 4u;
        const bool negate = n & 1u, absolute = n & 2u;
        uint64_t seed = n;
        struct op s[3] = {reg(A, TYPE_F), reg(B, floats[row].sources > 1 ? TYPE_F : 0),
                          reg(C, floats[row].sources > 2 ? TYPE_F : 0)};
        s[0].negate = negate;
        s[floats[row].sources - 1].absolute = absolute;
        begin(*each);
        if (floats[row].function == 14 && (*each)->ternary_is_align16)
            continue; /* a macro: of Align16 */
        add_operation(floats[row].does,
                      (struct how){.channels = 16,
                                   .condition = floats[row].condition,
                                   .function = floats[row].function},
                      reg(RESULT, TYPE_F), s);
        finish();
        for (unsigned round = 0; round < ROUNDS; round++) {
            for (unsigned c = 0; c < 16; c++) {
                set(A, c, 4, random_float(&seed));
                set(B, c, 4, random_float(&seed));
                set(C, c, 4, random_float(&seed));
            }
            again();
            run();
            for (unsigned c = 0; c < 16; c++) {
                const unsigned last = floats[row].sources - 1u;
                const float a = changed(get(A, c, 4), absolute && last == 0, negate),
                            b = changed(get(B, c, 4), absolute && last == 1, false),
                            d = changed(get(C, c, 4), absolute && last == 2, false);
                const uint32_t want = as_bits(floats[row].is(a, b, d));
                if (get(RESULT, c, 4) != want)
                    fail_msg("%s row %u: %a %a %a: %a, not %a", (*each)->name, row, (double)a, (double)b,
                             (double)d, (double)as_float(get(RESULT, c, 4)), (double)as_float(want));
            }
        }
    }
}

/* The functions that are not exact, by the host's in doubles: within one unit of the last place. */
static void functions_are_near(void **state)
{
    static const struct {
        uint8_t function;
        double (*is)(double);
    } rows[] = {{2, log2}, {3, exp2}, {6, sin}, {7, cos}};
    (void)state;
    EVERY_SET(each)
    for (unsigned n = 0; n < 4; n++) {
        uint64_t seed = n;
        begin(*each);
        KERNEL_1(&k, EU_MATH, ((struct how){.channels = 16, .function = rows[n].function}),
                 reg(RESULT, TYPE_F), reg(A, TYPE_F));
        finish();
        for (unsigned round = 0; round < 500; round++) {
            for (unsigned c = 0; c < 16; c++)
                set(A, c, 4,
                    (as_bits(0x1p-15f) + random_next(&seed) % (11 << 24)) |
                        (n == 0 ? 0 : random_next(&seed) << 31));
            again();
            run();
            for (unsigned c = 0; c < 16; c++) {
                const float x = as_float(get(A, c, 4)), y = as_float(get(RESULT, c, 4));
                const double want = rows[n].is((double)x);
                const float f = (float)want;
                const double unit =
                    isfinite(f) && f != 0 ? fabs((double)nextafterf(f, INFINITY) - (double)f) : 0;
                if (isfinite(f) ? fabs((double)y - want) > unit * 0.51 + 0x1p-149 : y != f)
                    fail_msg("%s function %u of %a: %a, not %a", (*each)->name, rows[n].function, (double)x,
                             (double)y, want);
            }
        }
    }
}

/* Edges of functions: ivb vol. 4 part 3, 6.41. */
static void functions_have_their_edges(void **state)
{
    enum { INV = 1, LOG, EXP, SQRT, RSQ, SIN, COS };
    static const struct {
        uint8_t function;
        float x, y;
    } rows[] = {
        {INV, 0, INFINITY},  {INV, -0.0f, -INFINITY},    {INV, INFINITY, 0},  {INV, -INFINITY, -0.0f},
        {LOG, 0, -INFINITY}, {LOG, -0.0f, -INFINITY},    {LOG, -1, NAN},      {LOG, INFINITY, INFINITY},
        {EXP, -INFINITY, 0}, {EXP, INFINITY, INFINITY},  {EXP, 0, 1},         {SQRT, -0.0f, -0.0f},
        {SQRT, -1, NAN},     {SQRT, INFINITY, INFINITY}, {RSQ, 0, INFINITY},  {RSQ, -0.0f, -INFINITY},
        {RSQ, -1, NAN},      {RSQ, INFINITY, 0},         {SIN, -0.0f, -0.0f}, {SIN, INFINITY, NAN},
        {COS, 0, 1},         {COS, -INFINITY, NAN},
    };
    (void)state;
    EVERY_SET(each)
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        begin(*each);
        KERNEL_1(&k, EU_MATH, ((struct how){.channels = 8, .function = rows[n].function}),
                 reg(RESULT, TYPE_F), reg(A, TYPE_F));
        finish();
        set(A, 0, 4, as_bits(rows[n].x));
        run();
        assert_int_equal(get(RESULT, 0, 4), as_bits(rows[n].y));
    }
}

/* ---- Rounding and denormals ---- */

/* cr0's modes: what a sum, a product and both round to, found by trying the floats next to the nearest. */
static void floats_round_as_cr0_says(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (uint32_t mode = 0; mode < 4; mode++) {
        uint64_t seed = mode;
        begin(*each);
        t.cr0[0] |= mode << 4;
        KERNEL_2(&k, EU_ADD, (struct how){.channels = 16}, reg(RESULT, TYPE_F), reg(A, TYPE_F),
                 reg(B, TYPE_F));
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 16}, reg(RESULT + 2, TYPE_F), reg(A, TYPE_F),
                 reg(B, TYPE_F));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 16}, reg(RESULT + 4, TYPE_F), reg(C, TYPE_D));
        finish();
        for (unsigned round = 0; round < ROUNDS; round++) {
            for (unsigned c = 0; c < 16; c++) {
                set(A, c, 4, as_bits(0.5f) + random_next(&seed) % (1 << 24));
                set(B, c, 4, (as_bits(0.5f) + random_next(&seed) % (1 << 24)) | random_next(&seed) << 31);
                set(C, c, 4, (uint32_t)random_next(&seed));
            }
            again();
            run();
            for (unsigned c = 0; c < 16; c++) {
                const double a = (double)as_float(get(A, c, 4)), b = (double)as_float(get(B, c, 4));
                const double exact[3] = {a + b, a * b, (double)(int32_t)get(C, c, 4)};
                for (unsigned n = 0; n < 3; n++) {
                    float want = (float)exact[n];
                    if ((mode == 1 || (mode == 3 && exact[n] < 0)) && (double)want < exact[n])
                        want = nextafterf(want, INFINITY);
                    if ((mode == 2 || (mode == 3 && exact[n] > 0)) && (double)want > exact[n])
                        want = nextafterf(want, -INFINITY);
                    assert_int_equal(get(RESULT + 2 * n, c, 4), as_bits(want));
                }
            }
        }
    }
}

static void denormals_are_kept_or_zeros(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (unsigned keep = 0; keep < 2; keep++) {
        begin(*each);
        t.cr0[0] = keep ? KEEP_DENORMALS : 0;
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 8}, reg(30, TYPE_F), reg(A, TYPE_F), reg(B, TYPE_F));
        KERNEL_2(&k, EU_ADD, (struct how){.channels = 8}, reg(31, TYPE_F), reg(A, TYPE_F), reg(A, TYPE_F));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(32, TYPE_F), reg(A, TYPE_F));
        finish();
        set(A, 0, 4, as_bits(FLT_MIN));
        set(B, 0, 4, as_bits(0.5f));
        set(A, 1, 4, as_bits(-FLT_TRUE_MIN));
        set(B, 1, 4, as_bits(0x1p23f));
        run();
        assert_int_equal(get(30, 0, 4), keep ? as_bits(FLT_MIN / 2) : 0);
        assert_int_equal(get(30, 1, 4), as_bits(keep ? -0x1p-126f : -0.0f));
        assert_int_equal(get(31, 1, 4), as_bits(keep ? -2 * FLT_TRUE_MIN : -0.0f));
        assert_int_equal(get(32, 1, 4), as_bits(-FLT_TRUE_MIN)); /* a move keeps denormals */
    }
}

/* ---- Conversions ---- */

static const enum eu_type numbers[] = {TYPE_UB, TYPE_B, TYPE_UW, TYPE_W, TYPE_UD, TYPE_D,
                                       TYPE_UQ, TYPE_Q, TYPE_HF, TYPE_F, TYPE_DF};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static bool is_float(enum eu_type type)
{
    return type == TYPE_HF || type == TYPE_F || type == TYPE_DF;
}

static bool is_signed(enum eu_type type)
{
    return type == TYPE_B || type == TYPE_W || type == TYPE_D || type == TYPE_Q;
}

static double half_value(uint32_t h)
{
    const double sign = h >> 15 ? -1 : 1;
    const int exponent = (int)(h >> 10 & 31);
    if (exponent == 31)
        return h & 1023 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024 + (h & 1023), exponent - 25) : ldexp(h & 1023, -24));
}

/* The nearest half by trying all; ties to even. */
static uint32_t nearest_half(double x)
{
    const uint32_t sign = signbit(x) ? HALF_SIGN : 0;
    uint32_t best = 0;
    if (x != x)
        return HALF_QUIET_NAN;
    if (fabs(x) >= 65520)
        return sign | HALF_INFINITY;
    for (uint32_t h = 1; h < HALF_INFINITY; h++) {
        const double far = fabs(fabs(x) - half_value(best)), near = fabs(fabs(x) - half_value(h));
        if (near < far || (near == far && !(h & 1)))
            best = h;
    }
    return sign | best;
}

/* A number as a long double, which holds all of these types'. */
static long double value_of(uint64_t bits, enum eu_type type)
{
    double d;
    if (type == TYPE_HF)
        return half_value((uint32_t)bits);
    if (type == TYPE_F)
        return as_float(bits);
    if (type == TYPE_DF)
        return memcpy(&d, &bits, 8), d;
    const unsigned above = 64u - 8u * eu_types[type].bytes;
    return is_signed(type) ? (long double)((int64_t)(bits << above) >> above)
                           : (long double)(bits << above >> above);
}

static uint64_t converted(uint64_t bits, enum eu_type from, enum eu_type to, bool saturate)
{
    const unsigned wide = 8u * eu_types[to].bytes;
    const uint64_t mask = wide < 64 ? (UINT64_C(1) << wide) - 1 : UINT64_MAX;
    long double x = value_of(bits, from);
    if (is_float(to)) {
        if (saturate)
            x = x > 0 ? (x < 1 ? x : 1) : 0;
        double d = (double)x;
        if (to == TYPE_DF)
            return d != d ? UINT64_C(4095) << 51 : (memcpy(&bits, &d, 8), bits);
        if (to == TYPE_F)
            return as_bits((float)x);
        /* Of a long double the nearest half is that of its double: no number here lies between. */
        return nearest_half(d);
    }
    const long double most = is_signed(to) ? ldexpl(1, (int)wide - 1) - 1 : ldexpl(1, (int)wide) - 1,
                      least = is_signed(to) ? -ldexpl(1, (int)wide - 1) : 0;
    if (is_float(from) || saturate) {
        if (x != x)
            return 0;
        x = truncl(x);
        x = x > most ? most : x < least ? least : x;
        return (x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x) & mask;
    }
    const unsigned above = 64u - 8u * eu_types[from].bytes;
    return (is_signed(from) ? (uint64_t)((int64_t)(bits << above) >> above) : bits) & mask;
}

static uint64_t random_number(uint64_t *seed, enum eu_type type)
{
    if (type == TYPE_F)
        return random_next(seed) & 1u ? random_float(seed) : as_bits(0.5f) + random_next(seed) % (1 << 29);
    if (type == TYPE_DF) {
        const double d = ldexp((double)(int64_t)random_value(seed), -(int)(random_next(seed) % 80));
        uint64_t bits;
        memcpy(&bits, &d, 8);
        return bits;
    }
    return random_value(seed);
}

static void conversions_are_the_manuals(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (unsigned n = 0; n < NUMBERS * NUMBERS * 2u; n++) {
        const enum eu_type from = numbers[n % NUMBERS], to = numbers[n / NUMBERS % NUMBERS];
        const bool saturate = n >= NUMBERS * NUMBERS;
        const unsigned from_bytes = eu_types[from].bytes, to_bytes = eu_types[to].bytes;
        uint64_t seed = n;
        if (kernel_type(*each, from, false, false) < 0 || kernel_type(*each, to, false, false) < 0 ||
            ((from == TYPE_DF || to == TYPE_DF) && (*each)->doubles_in_pairs))
            continue;
        begin(*each);
        KERNEL_1(&k, EU_MOV, ((struct how){.channels = 8, .saturate = saturate}), reg(RESULT, to),
                 reg(A, from));
        finish();
        for (unsigned round = 0; round < (to == TYPE_HF ? 3u : 50u); round++) {
            for (unsigned c = 0; c < 8; c++)
                set(A, c, from_bytes, random_number(&seed, from));
            again();
            run();
            for (unsigned c = 0; c < 8; c++) {
                const uint64_t bits = get(A, c, from_bytes), got = get(RESULT, c, to_bytes);
                const uint64_t want = from == to && !saturate ? bits : converted(bits, from, to, saturate);
                if (got != want)
                    fail_msg("%s %s to %s%s: %llx: %llx, not %llx", (*each)->name, eu_types[from].name,
                             eu_types[to].name, saturate ? " saturated" : "", (unsigned long long)bits,
                             (unsigned long long)got, (unsigned long long)want);
            }
        }
    }
}

/* ---- Regions ---- */

/* Element n of <V;W,H> lies at n / W * V + n % W * H. */
static void regions_are_the_manuals(void **state)
{
    static const uint8_t shapes[][3] = {{8, 8, 1},  {0, 1, 0}, {4, 4, 1}, {16, 8, 2}, {16, 16, 1},
                                        {2, 2, 1},  {1, 1, 0}, {4, 1, 0}, {8, 4, 2},  {2, 1, 0},
                                        {32, 8, 4}, {1, 4, 1}, {0, 4, 1}};
    static const enum eu_type types[] = {TYPE_UB, TYPE_UW, TYPE_UD};
    (void)state;
    EVERY_SET(each)
    for (size_t n = 0; n < sizeof shapes / sizeof shapes[0]; n++)
        for (unsigned type = 0; type < 3; type++)
            for (unsigned stride = 1; stride <= 4; stride *= 2) {
                const unsigned bytes = eu_types[types[type]].bytes, v = shapes[n][0], w = shapes[n][1],
                               h = shapes[n][2];
                uint64_t seed = n;
                begin(*each);
                for (unsigned b = 0; b < 512; b++)
                    set(A, b, 1, random_next(&seed) & 0xff);
                struct op s = region(A, types[type], v, w, h), d = reg(40, TYPE_UD);
                s.subregister = (uint8_t)bytes;
                d.h = (uint8_t)stride;
                KERNEL_1(&k, EU_MOV, (struct how){.channels = 16}, d, s);
                finish();
                run();
                for (unsigned c = 0; c < 16; c++)
                    assert_int_equal(get(40, c * stride, 4), get(A, 1 + c / w * v + c % w * h, bytes));
            }
}

/* By a0: one address for all, one for each row, one for each channel; to an address; beyond the file. */
static void addresses_lead_to_registers(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        uint64_t seed = 1;
        begin(*each);
        for (unsigned b = 0; b < 512; b++)
            set(A, b, 1, random_next(&seed) & 0xff);
        for (unsigned n = 0; n < 16; n++)
            t.address[n] = (uint16_t)(A * 32 + 4 * ((n * 7) % 16));
        struct op all = region(0, TYPE_UD, 8, 8, 1), rows = region(0, TYPE_UD, 0, 4, 1),
                  each_one = region(0, TYPE_UD, 0, 1, 0);
        all.indirect = rows.indirect = each_one.indirect = true;
        all.address = 1;
        all.offset = -16;
        rows.multi = each_one.multi = true;
        rows.address = 2;
        struct op to = reg(0, TYPE_UD), beyond = all;
        to.indirect = true;
        to.address = 3;
        to.offset = 320;
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(30, TYPE_UD), all);
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(31, TYPE_UD), rows);
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(32, TYPE_UD), each_one);
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, to, imm(7, TYPE_UD));
        KERNEL_1(&k, EU_MOV, ((struct how){.channels = 1, .no_mask = true}),
                 other(FILE_ADDRESS, 0, 2, TYPE_UW), imm((uint16_t)-16, TYPE_UW));
        beyond.offset = 0;
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(33, TYPE_UD), beyond);
        to.address = 1;
        to.offset = -32;
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, to, imm(9, TYPE_UD));
        finish();
        set(33, 0, 4, 1);
        run();
        const uint8_t *const g = t.grf;
        for (unsigned c = 0; c < 8; c++) {
            assert_memory_equal(g + 30 * 32 + 4 * c, g + A * 32 + 28 - 16 + 4 * c, 4);
            assert_memory_equal(g + 31 * 32 + 4 * c, g + A * 32 + 4 * (((2 + c / 4) * 7) % 16) + 4 * (c % 4),
                                4);
            assert_memory_equal(g + 32 * 32 + 4 * c, g + A * 32 + 4 * ((c * 7) % 16), 4);
            assert_int_equal(get(20, (3 * 7) % 16 + c, 4), 7);
            assert_int_equal(get(33, c, 4), 0);
        }
    }
}

/* smov: the second source's bits are the channels that go where the address leads, each to its own place
 * there; as compilers scatter into private arrays, an address and a bit each time. */
static void smov_scatters_the_channels_it_names(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (unsigned first = 0; first < 32; first += 16) {
        if (!kernel_has(*each, EU_SMOV))
            continue;
        begin(*each);
        t.dispatch_mask = t.execution_mask = ~(UINT32_C(1) << (first + 5u));
        for (unsigned c = 0; c < 16; c++) {
            set(A, c, 4, c + 1);
            t.address[c] = (uint16_t)(40 * EU_REGISTER_BYTES + c * c % 7 * 64);
            struct op to = reg(0, TYPE_UD);
            to.indirect = true;
            to.address = (uint8_t)c;
            KERNEL_2(&k, EU_SMOV, ((struct how){.channels = 16, .first = (uint8_t)first}), to,
                     one(A + c / 8u, c % 8u * 4u, TYPE_UD), imm(UINT64_C(1) << c, TYPE_UW));
        }
        finish();
        run();
        for (unsigned element = 0; element < 7; element++)
            for (unsigned c = 0; c < 16; c++)
                assert_int_equal(get(40 + element * 2, c, 4), element == c * c % 7 && c != 5 ? c + 1 : 0);
    }
}

/* Four equal floats are one float. */
static void equal_packed_floats(void **state)
{
    enum { BYTES = 256, ROUND = 32, EQUAL = 0x01010101 };
    (void)state;
    EVERY_SET(each)
    for (uint32_t first = 0; first < BYTES; first += ROUND) {
        begin(*each);
        for (uint32_t n = 0; n < ROUND; n++) {
            const uint32_t byte = first + n, other = byte ^ 0xffu;
            KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(20 + n, TYPE_F),
                     imm(byte * EQUAL, TYPE_VF));
            KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(60 + n, TYPE_F),
                     imm(byte | other << 24, TYPE_VF));
        }
        finish();
        run();
        for (uint32_t n = 0; n < ROUND; n++)
            for (unsigned c = 0; c < 8; c++)
                assert_int_equal(get(20 + n, c, 4), get(60 + n, 0, 4));
    }
}

/* Immediates of eight or four elements. */
static void packed_immediates_have_elements(void **state)
{
    enum { BASE = UINT16_MAX - 15, STEPS_OF_4 = 0 | 4 << 8 | 8 << 16 | 12 << 24 };
    const uint32_t eight = 0x89abcdef;                 /* from the last one on */
    const uint32_t four = 16 | 184u << 16 | 48u << 24; /* 0.25, 0, -1.5, 1 */
    const uint32_t words = 12 | 13 << 8 | 14 << 16 | 15 << 24;
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 16}, reg(30, TYPE_W), imm(eight, TYPE_V));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 16}, reg(31, TYPE_UW), imm(eight, TYPE_UV));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(32, TYPE_F), imm(four, TYPE_VF));
        /* Words that lie as results do: offsets of four dwords, as compilers write them. */
        KERNEL_2(&k, EU_ADD, (struct how){.channels = 4}, reg(33, TYPE_UD), one(A, 0, TYPE_UW),
                 imm(STEPS_OF_4, TYPE_UV));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, region(34, TYPE_W, 0, 0, 2), imm(words, TYPE_V));
        finish();
        set(A, 0, 2, BASE);
        run();
        for (unsigned c = 0; c < 4; c++) {
            assert_int_equal(get(33, c, 4), BASE + 4 * c);
            assert_int_equal(get(34, 2 * c, 2), (uint16_t)(-4 + (int)c));
        }
        for (unsigned c = 0; c < 16; c++) {
            assert_int_equal(get(31, c, 2), 15 - c % 8);
            assert_int_equal(get(30, c, 2), (uint16_t) - (int)(c % 8 + 1));
        }
        static const float want[4] = {0.25f, 0, -1.5f, 1};
        for (unsigned c = 0; c < 8; c++)
            assert_int_equal(get(32, c, 4), as_bits(want[c % 4]));
    }
}

/* ---- Conditions, predicates, masks ---- */

static bool holds(unsigned condition, double a, double b)
{
    switch (condition) {
    case 1:
        return a == b;
    case 2:
        return !(a == b);
    case 3:
        return a > b;
    case 4:
        return a >= b;
    case 5:
        return a < b;
    case 6:
        return a <= b;
    default:
        return a != a || b != b;
    }
}

static void comparisons_set_flags(void **state)
{
    static const enum eu_type types[] = {TYPE_F, TYPE_D, TYPE_UD, TYPE_W, TYPE_HF};
    const uint16_t off = 1 << 6 | 1 << 7 | 1 << 15, on = (uint16_t)~off, before = 1 << 7 | 1 << 15;
    (void)state;
    EVERY_SET(each)
    for (unsigned type = 0; type < 5; type++)
        for (unsigned condition = 1; condition <= 6; condition++)
            for (uint8_t flag = 0; flag < 4; flag++) {
                uint64_t seed = condition;
                const unsigned bytes = eu_types[types[type]].bytes;
                uint16_t want = 0;
                begin(*each);
                t.execution_mask = on;
                t.flag[flag] = before;
                for (unsigned n = 0; n < 16; n++)
                    t.channel_ip[n] = UINT16_MAX - 7;
                KERNEL_2(&k, EU_CMP,
                         ((struct how){.channels = 16, .condition = (uint8_t)condition, .flag = flag}),
                         reg(RESULT, types[type]), reg(A, types[type]), reg(B, types[type]));
                finish();
                for (unsigned c = 0; c < 16; c++) {
                    set(A, c, bytes, types[type] == TYPE_F ? random_float(&seed) : random_value(&seed));
                    set(B, c, bytes,
                        c % 3 == 0              ? get(A, c, bytes)
                        : types[type] == TYPE_F ? random_float(&seed)
                                                : random_value(&seed));
                    want |= (uint16_t)(holds(condition, (double)value_of(get(A, c, bytes), types[type]),
                                             (double)value_of(get(B, c, bytes), types[type]))
                                       << c);
                }
                run();
                assert_int_equal(t.flag[flag], (want & on) | (before & ~on));
                for (unsigned c = 0; c < 16; c++)
                    assert_int_equal(get(RESULT, c, bytes), on >> c & 1 && want >> c & 1
                                                                ? (bytes == 4 ? UINT32_MAX : UINT16_MAX)
                                                                : 0);
            }
}

/* Conditions of results: with overflow, and as of a comparison with zero. */
static void results_set_flags(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        for (unsigned c = 0; c < 8; c++)
            set(A, c, 4, c < 2 ? INT32_MAX : c - 4);
        KERNEL_2(&k, EU_ADD, ((struct how){.channels = 8, .condition = 8, .flag = 0}), reg(30, TYPE_D),
                 reg(A, TYPE_D), imm(1, TYPE_D));
        KERNEL_2(&k, EU_ADD, ((struct how){.channels = 8, .condition = 1, .flag = 1}), reg(31, TYPE_D),
                 reg(A, TYPE_D), imm(0, TYPE_D));
        KERNEL_2(&k, EU_AND, ((struct how){.channels = 8, .condition = 2, .flag = 2}), none(TYPE_UD),
                 reg(A, TYPE_UD), imm(1, TYPE_UD));
        KERNEL_1(&k, EU_MOV, ((struct how){.channels = 8, .condition = 9, .flag = 3}), reg(32, TYPE_F),
                 reg(B, TYPE_F));
        finish();
        set(B, 2, 4, SINGLE_QUIET_NAN + 1);
        run();
        assert_int_equal(t.flag[0], 3);
        assert_int_equal(t.flag[1], 1 << 4);
        assert_int_equal(t.flag[2], 0x03 | 0x08 | 0x20 | 0x80);
        assert_int_equal(t.flag[3], 4);
    }
}

/* any and all of 2 to 32 channels, or of the execution size; both flags, inverted; channels that are off,
 * offsets of channels. */
static void predicates_choose_channels(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (unsigned predicate = 1; predicate <= 13; predicate++)
        for (unsigned variant = 0; variant < 8; variant++) {
            const bool invert = variant & 1u;
            const uint8_t flag = variant & 2u ? 2 : 0, first = variant & 4u ? 8 : 0;
            const uint32_t f0 = 0x0fe3f2c1, f1 = 0x0c20ff11;
            const bool of_all = (*each)->gen200_encoding && predicate > 1;
            if (of_all && first)
                continue;
            begin(*each);
            memcpy(&t.flag[0], &f0, 4);
            memcpy(&t.flag[2], &f1, 4);
            KERNEL_1(&k, EU_MOV,
                     ((struct how){.channels = 16,
                                   .predicate = (uint8_t)predicate,
                                   .invert = invert,
                                   .flag = flag,
                                   .first = first}),
                     reg(30, TYPE_UD), imm(1, TYPE_UD));
            finish();
            run();
            const uint32_t bits = flag ? f1 : f0, others = flag ? f0 : f1;
            for (unsigned c = 0; c < 16; c++) {
                const unsigned channel = c + first, size = of_all          ? 16
                                                           : predicate < 4 ? 1
                                                                           : 1u << (predicate / 2 - 1);
                bool any = false, all = true;
                for (unsigned m = channel / size * size; m < channel / size * size + size; m++) {
                    any |= bits >> m & 1;
                    all &= bits >> m & 1;
                }
                bool on = predicate & 1u ? all : any;
                if (predicate == 2 && !of_all)
                    on = (bits | others) >> channel & 1;
                if (predicate == 3 && !of_all)
                    on = (bits & others) >> channel & 1;
                assert_int_equal(get(30, c, 4), on != invert);
            }
        }
}

static void sel_chooses_by_its_predicate(void **state)
{
    const uint16_t chosen = 0xa5c3; /* channels, mixed */
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        t.flag[0] = chosen;
        set(A, 3, 4, SINGLE_SIGNALING_NAN); /* its bits are copied */
        KERNEL_2(&k, EU_SEL, ((struct how){.channels = 16, .predicate = 1}), reg(30, TYPE_F), reg(A, TYPE_F),
                 negated(reg(B, TYPE_F)));
        finish();
        for (unsigned c = 0; c < 16; c++) {
            set(A, c, 4, SINGLE_SIGNALING_NAN + c);
            set(B, c, 4, 0x40 + c);
        }
        run();
        for (unsigned c = 0; c < 16; c++)
            assert_int_equal(get(30, c, 4), chosen >> c & 1 ? SINGLE_SIGNALING_NAN + c : sign_bit + 0x40 + c);
    }
}

/* ---- Accumulators ---- */

/* The manual's macro of a product of 64 bits: mul by the low word, mach, the low half from the accumulator.
 */
static void products_have_64_bits(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (unsigned n = 0; n < 100; n++) {
        uint64_t seed = n;
        const bool is_signed_one = n & 1u;
        const enum eu_type type = is_signed_one ? TYPE_D : TYPE_UD;
        begin(*each);
        for (unsigned c = 0; c < 8; c++) {
            set(A, c, 4, random_value(&seed));
            set(B, c, 4, random_value(&seed));
        }
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 8}, other(FILE_ACCUMULATOR, 0, 0, type), reg(A, type),
                 region(B, TYPE_UW, 16, 8, 2));
        KERNEL_2(&k, EU_MACH, ((struct how){.channels = 8, .acc_write = true}), reg(30, type), reg(A, type),
                 reg(B, type));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(31, type), other(FILE_ACCUMULATOR, 0, 0, type));
        finish();
        run();
        for (unsigned c = 0; c < 8; c++) {
            const uint64_t want = is_signed_one
                                      ? (uint64_t)((int64_t)(int32_t)get(A, c, 4) * (int32_t)get(B, c, 4))
                                      : get(A, c, 4) * get(B, c, 4);
            assert_int_equal(get(30, c, 4), want >> 32);
            assert_int_equal(get(31, c, 4), (uint32_t)want);
        }
    }
}

/* Gen6: of two dwords the first has its low word taken, whatever the destination; mach adds the high word of
 * the first; words are as ever. (Mesa's vec4 compiler, nir_op_imul) */
static void gen6_products_split_the_first_source(void **state)
{
    static const uint32_t pairs[][2] = {{6, (uint32_t)-5},
                                        {(uint32_t)-5, 6},
                                        {74565, 3},
                                        {3, 74565},
                                        {1u << 31, INT16_MAX},
                                        {2 * UINT16_MAX + 1, UINT32_MAX},
                                        {0, 9},
                                        {1u << 31, 1u << 31}};
    (void)state;
    for (unsigned is_signed_one = 0; is_signed_one < 2; is_signed_one++) {
        const enum eu_type type = is_signed_one ? TYPE_D : TYPE_UD;
        begin(&eu_gen6);
        for (unsigned c = 0; c < 8; c++) {
            set(A, c, 4, pairs[c][0]);
            set(B, c, 4, pairs[c][1]);
        }
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 8}, reg(30, type), reg(A, type), reg(B, type));
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 8}, reg(31, type), reg(A, type),
                 region(B, TYPE_W, 16, 8, 2));
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 8}, reg(32, type), negated(reg(A, type)), reg(B, type));
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 8}, other(FILE_ACCUMULATOR, 0, 0, type), reg(A, type),
                 reg(B, type));
        KERNEL_2(&k, EU_MACH, ((struct how){.channels = 8, .acc_write = true}), reg(34, type), reg(A, type),
                 reg(B, type));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(35, type), other(FILE_ACCUMULATOR, 0, 0, type));
        finish();
        run();
        for (unsigned c = 0; c < 8; c++) {
            const uint32_t a = pairs[c][0], b = pairs[c][1];
            const uint64_t whole =
                is_signed_one ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
            assert_int_equal(get(30, c, 4), (uint16_t)a * b);
            assert_int_equal(get(31, c, 4), (uint32_t)((int64_t)a * (int16_t)b));
            assert_int_equal(get(32, c, 4), (uint16_t)-a * b);
            assert_int_equal(get(34, c, 4), whole >> 32);
            assert_int_equal(get(35, c, 4), (uint32_t)whole);
        }
    }
}

/* Quotients of halves as IGC has them from Gen12 on: ties come out as one neighbour or the other; of one
 * divisor both 40.5 and 41.5 (of 2^-24) in the same direction, as inv's error has one sign. (cl_khr_fp16) */
static void quotients_of_halves_at_ties(void **state)
{
    enum { INV = 1, FIRST = 7359, SECOND = 7389 }; /* bits of halves; FIRST / 1920 is 40.5 * 2^-24 */
    (void)state;
    EVERY_SET(each)
    {
        if (!((*each)->generation & EU_GEN12_UP))
            continue;
        begin(*each);
        t.cr0[0] |= CR0_HALF_DENORMALS | CR0_SINGLE_DENORMALS;
        for (unsigned c = 0; c < 8; c++) {
            set(A, c, 2, c % 2 ? SECOND : FIRST);
            set(B, c, 4, as_bits(1920));
        }
        KERNEL_1(&k, EU_MATH, ((struct how){.channels = 8, .function = INV}), reg(30, TYPE_F),
                 reg(B, TYPE_F));
        KERNEL_2(&k, EU_MUL, (struct how){.channels = 8}, reg(31, TYPE_HF), reg(A, TYPE_HF), reg(30, TYPE_F));
        finish();
        run();
        for (unsigned c = 0; c < 8; c++)
            assert_in_range(get(31, c, 2), c % 2 ? 41 : 40, c % 2 ? 42 : 41);
        assert_int_equal(get(31, 1, 2) - get(31, 0, 2), 1);
    }
}

static void carries_go_to_the_accumulator(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        static const uint32_t a[8] = {1, UINT32_MAX, 1u << 31, 0, 5, 7, UINT32_MAX, 3},
                              b[8] = {2, 1, 1u << 31, 0, 6, 7, UINT32_MAX, 2};
        for (unsigned c = 0; c < 8; c++) {
            set(A, c, 4, a[c]);
            set(B, c, 4, b[c]);
        }
        const struct how how = {.channels = 8, .acc_write = true};
        KERNEL_2(&k, EU_ADDC, how, reg(30, TYPE_UD), reg(A, TYPE_UD), reg(B, TYPE_UD));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(31, TYPE_UD),
                 other(FILE_ACCUMULATOR, 0, 0, TYPE_UD));
        KERNEL_2(&k, EU_SUBB, how, reg(32, TYPE_UD), reg(A, TYPE_UD), reg(B, TYPE_UD));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(33, TYPE_UD),
                 other(FILE_ACCUMULATOR, 0, 0, TYPE_UD));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, other(FILE_ACCUMULATOR, 0, 0, TYPE_F),
                 imm(as_bits(6), TYPE_F));
        KERNEL_2(&k, EU_MAC, (struct how){.channels = 8}, reg(34, TYPE_F), reg(20, TYPE_F),
                 imm(as_bits(2), TYPE_F));
        finish();
        for (unsigned c = 0; c < 8; c++)
            set(20, c, 4, as_bits((float)c));
        run();
        for (unsigned c = 0; c < 8; c++) {
            assert_int_equal(get(30, c, 4), a[c] + b[c]);
            assert_int_equal(get(31, c, 4), ((uint64_t)a[c] + b[c]) >> 32);
            assert_int_equal(get(32, c, 4), a[c] - b[c]);
            assert_int_equal(get(33, c, 4), a[c] < b[c]);
            assert_int_equal(get(34, c, 4), as_bits((float)c * 2 + 6));
        }
    }
}

/* ---- What Gen9 alone has ---- */

static void vectors_of_four(void **state)
{
    (void)state;
    static const struct {
        enum eu_opcode does;
        unsigned terms;
    } dots[] = {{EU_DP2, 2}, {EU_DP3, 3}, {EU_DP4, 4}, {EU_DPH, 4}};
    EVERY_SET(each)
    {
        if (!kernel_has(*each, EU_DP4))
            continue;
        begin(*each);
        for (unsigned c = 0; c < 16; c++) {
            set(A, c, 4, as_bits((float)(c + 1)));
            set(B, c, 4, as_bits((float)(3 * c) - 5));
        }
        for (uint8_t n = 0; n < 4; n++)
            KERNEL_2(&k, dots[n].does, (struct how){.channels = 8}, reg(30u + n, TYPE_F), reg(A, TYPE_F),
                     reg(B, TYPE_F));
        KERNEL_2(&k, EU_LINE, (struct how){.channels = 8}, reg(34, TYPE_F), one(A, 16, TYPE_F),
                 reg(B, TYPE_F));
        KERNEL_2(&k, EU_PLN, (struct how){.channels = 8}, reg(35, TYPE_F), one(A, 16, TYPE_F),
                 reg(B, TYPE_F));
        KERNEL_2(&k, EU_PLN, (struct how){.channels = 16}, reg(42, TYPE_F), one(A, 16, TYPE_F),
                 reg(44, TYPE_F));
        KERNEL_2(&k, EU_SAD2, (struct how){.channels = 8}, reg(36, TYPE_W), region(A + 4, TYPE_UB, 8, 8, 1),
                 region(A + 6, TYPE_UB, 8, 8, 1));
        KERNEL_3(&k, EU_LRP, (struct how){.channels = 8}, reg(38, TYPE_F), reg(40, TYPE_F), reg(A, TYPE_F),
                 reg(B, TYPE_F));
        finish();
        for (unsigned c = 0; c < 8; c++)
            set(40, c, 4, as_bits(0.25f));
        for (unsigned c = 0; c < 32; c++)
            set(44, c, 4, as_bits((float)c));
        run();
        for (unsigned c = 0; c < 8; c++) {
            const float u = (float)(3 * c) - 5, v = (float)(3 * (c + 8)) - 5;
            for (unsigned n = 0; n < 4; n++) {
                float sum = 0;
                for (unsigned m = 0; m < dots[n].terms; m++)
                    sum += (n == 3 && m == 3 ? 1 : (float)(c / 4 * 4 + m + 1)) *
                           ((float)(3 * (c / 4 * 4 + m)) - 5);
                assert_int_equal(get(30 + n, c, 4), as_bits(sum));
            }
            assert_int_equal(get(34, c, 4), as_bits(5 * u + 8));
            assert_int_equal(get(35, c, 4), as_bits(5 * u + 6 * v + 8));
            assert_int_equal(get(38, c, 4), as_bits(0.25f * (float)(c + 1) + u * 0.75f));
        }
        for (unsigned c = 0; c < 16; c++) { /* eight of u, of v, of u, of v */
            const unsigned u = c / 8 * 16 + c % 8;
            assert_int_equal(get(42, c, 4), as_bits((float)(5 * u + 6 * (u + 8) + 8)));
        }
        for (unsigned c = 0; c < 8; c += 2)
            assert_int_equal(get(36, c, 2), abs((int)get(A + 4, c, 1) - (int)get(A + 6, c, 1)) +
                                                abs((int)get(A + 4, c + 1, 1) - (int)get(A + 6, c + 1, 1)));
    }
}

/* Align16 names channels of 32 bits: a double's are x and y, or z and w. */
static void doubles_of_align16_have_two_channels(void **state)
{
    (void)state;
    static const struct {
        uint8_t select, from[2];
    } pairs[] = {{0xe4, {0, 1}}, {0x44, {0, 0}}, {0xee, {1, 1}}, {0x4e, {1, 0}}}; /* xyzw xyxy zwzw zwxy */
    static const uint8_t masks[] = {0xf, 0x3, 0xc};
    uint64_t seed = 16;
    for (const struct eu_isa *const *each = eu_isas; *each; each++) {
        if (!((*each)->generation & EU_GEN8_9) || !kernel_has(*each, EU_MAD))
            continue;
        for (unsigned round = 0; round < 4 * 4 * 4 * 3 * 3; round++) {
            const unsigned which[3] = {round % 4, round / 4 % 4, round / 16 % 4}, mask = round / 64 % 3;
            const unsigned channels = 2u << round / 192;
            begin(*each);
            struct eu_instruction *const i = &k.i[k.count];
            KERNEL_3(&k, EU_MAD, (struct how){.channels = (uint8_t)channels}, reg(RESULT, TYPE_DF),
                     reg(A, TYPE_DF), reg(B, TYPE_DF), reg(C, TYPE_DF));
            for (unsigned n = 0; n < 3; n++)
                i->value[EU_SRC0_SWIZZLE + n * EU_SOURCE_STEP] = pairs[which[n]].select;
            i->value[EU_DST_CHANNELS] = masks[mask];
            finish();
            double s[3][8];
            for (unsigned n = 0; n < 3; n++) {
                for (unsigned c = 0; c < 8; c++) {
                    s[n][c] = (double)(random_next(&seed) % 1000);
                    memcpy(t.grf + (A + 4 * n) * EU_REGISTER_BYTES + c * 8, &s[n][c], 8);
                }
            }
            for (unsigned c = 0; c < 8; c++)
                set(RESULT, c, 8, UINT64_MAX);
            run();
            for (unsigned c = 0; c < 8; c++) {
                const unsigned pair = c & ~1u, odd = c & 1u;
                const double of[3] = {s[0][pair + pairs[which[0]].from[odd]],
                                      s[1][pair + pairs[which[1]].from[odd]],
                                      s[2][pair + pairs[which[2]].from[odd]]},
                             sum = of[0] + of[1] * of[2];
                uint64_t expected = UINT64_MAX;
                if (c < channels && (masks[mask] >> 2 * odd & 3u))
                    memcpy(&expected, &sum, 8);
                if (get(RESULT, c, 8) != expected)
                    fail_msg("%s: round %u, double %u", k.set->name, round, c);
            }
        }
    }
}

/*
 * Align16 doubles of two vertices on Gen7: an element has a channel enable, a row of two has a swizzle. With
 * vertical stride 0 each vertex has the first row of its own register. (Mesa, brw: apply_logical_swizzle)
 */
static void doubles_of_two_vertices(void **state)
{
    (void)state;
    static const uint8_t selects[] = {0xe4, 0x44, 0xee, 0x4e}, from[][2] = {{0, 1}, {0, 0}, {1, 1}, {1, 0}};
    for (const struct eu_isa *const *each = eu_isas; *each; each++) {
        if (!((*each)->generation & EU_GEN75))
            continue;
        for (unsigned round = 0; round < 2 * 4 * 16; round++) {
            const unsigned which = round % 4, has_stride = round / 4 % 2, enables = round / 8;
            if (enables == 0x3 || enables == 0xc)
                continue;
            begin(*each);
            struct eu_instruction *const i = &k.i[k.count];
            KERNEL_1(&k, EU_MOV, (struct how){.channels = 8}, reg(RESULT, TYPE_DF), reg(A, TYPE_DF));
            i->value[EU_ACCESS_MODE] = 1;
            i->value[EU_SRC0_VERTICAL] = has_stride ? 3 : 0;
            i->value[EU_SRC0_SWIZZLE] = selects[which];
            i->value[EU_DST_CHANNELS] = enables;
            finish();
            for (unsigned c = 0; c < 8; c++) {
                set(A, c, 8, 100 + c);
                set(RESULT, c, 8, 0);
            }
            run();
            for (unsigned c = 0; c < 8; c++) {
                const unsigned row = has_stride ? c & ~1u : c & ~3u;
                if (get(RESULT, c, 8) != (enables >> c % 4 & 1u ? 100 + row + from[which][c % 2] : 0))
                    fail_msg("round %u, double %u", round, c);
            }
        }
    }
}

/* In Align16 the destination's channel enables say which channels of both vertices take part in a message.
 * (Mesa, brw: brw_untyped_atomic) */
static void sends_have_channel_enables(void **state)
{
    (void)state;
    for (const struct eu_isa *const *each = eu_isas; *each; each++)
        for (uint32_t enables = 1; enables < 16 && ((*each)->generation & EU_GEN6_75); enables++) {
            uint64_t budget = 100;
            begin(*each);
            kernel_end(&k);
            k.i[k.count - 1].value[EU_ACCESS_MODE] = 1;
            k.i[k.count - 1].value[EU_DST_CHANNELS] = enables;
            kernel_finish(&k);
            struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, NULL);
            p.port.context = &p;
            assert_int_equal(eu_thread_run(&t, &p.port, &budget), EU_ENDED);
            assert_int_equal(p.last.channels, enables * 0x11u);
        }
}

/* On Ivy Bridge execution size and regions of doubles count floats. (IVB PRM vol 4 part 3) */
static void doubles_are_pairs_of_channels(void **state)
{
    (void)state;
    enum { FIRST = 20, SCALAR = 22, FLOATS = 24, SUMS = 30, DOUBLES = 32, SPREAD = 34, TWICE = 36 };
    const struct how pairs = {.channels = 8};
    begin(&eu_gen7);
    KERNEL_2(&k, EU_ADD, pairs, reg(SUMS, TYPE_DF), region(FIRST, TYPE_DF, 8, 8, 1),
             region(SCALAR, TYPE_DF, 0, 2, 1));
    KERNEL_1(&k, EU_MOV, pairs, reg(DOUBLES, TYPE_DF), region(FLOATS, TYPE_F, 1, 2, 0));
    KERNEL_1(&k, EU_MOV, pairs, reg(SPREAD, TYPE_F), region(FIRST, TYPE_DF, 8, 8, 1));
    KERNEL_2(&k, EU_MUL, (struct how){.channels = 16}, reg(TWICE, TYPE_DF), region(FIRST, TYPE_DF, 8, 8, 1),
             region(FIRST, TYPE_DF, 2, 2, 1));
    finish();
    for (unsigned n = 0; n < 8; n++) {
        const double d = n + 0.25, scalar = 100;
        const float f = (float)n - 0.5f;
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        set(FIRST, n, 8, bits);
        memcpy(&bits, &scalar, sizeof bits);
        set(SCALAR, n, 8, n ? 0 : bits);
        set(FLOATS, n, 4, as_bits(f));
        for (unsigned to = SUMS; to < TWICE; to += 2)
            set(to, n, 8, 0);
    }
    run();
    for (unsigned n = 0; n < 8; n++) {
        const bool is_written = n < 4;
        const double d = n + 0.25;
        assert_true((double)value_of(get(SUMS, n, 8), TYPE_DF) == (is_written ? d + 100 : 0));
        assert_true((double)value_of(get(DOUBLES, n, 8), TYPE_DF) == (is_written ? (double)n - 0.5 : 0));
        assert_int_equal(get(SPREAD, 2 * n, 4), is_written ? as_bits((float)d) : 0);
        assert_true((double)value_of(get(TWICE, n, 8), TYPE_DF) == d * d);
    }
}

/* 64-bit types where the part has them. */
static void qwords_and_doubles(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        uint64_t seed = 5;
        const bool doubles = kernel_type(*each, TYPE_DF, false, false) >= 0 && !(*each)->doubles_in_pairs;
        begin(*each);
        KERNEL_2(&k, EU_ADD, (struct how){.channels = 4}, reg(30, TYPE_Q), region(A, TYPE_Q, 4, 4, 1),
                 region(B, TYPE_Q, 4, 4, 1));
        KERNEL_2(&k, EU_SHL, (struct how){.channels = 4}, reg(31, TYPE_UQ), region(A, TYPE_UQ, 4, 4, 1),
                 one(C, 0, TYPE_UD));
        if (doubles) {
            KERNEL_2(&k, EU_MUL, (struct how){.channels = 4}, reg(32, TYPE_DF), region(20, TYPE_DF, 4, 4, 1),
                     region(22, TYPE_DF, 4, 4, 1));
            KERNEL_3(&k, EU_MAD, (struct how){.channels = 4}, reg(33, TYPE_DF), reg(20, TYPE_DF),
                     reg(22, TYPE_DF), reg(24, TYPE_DF));
        }
        finish();
        for (unsigned c = 0; c < 4; c++) {
            set(A, c, 8, random_next(&seed));
            set(B, c, 8, random_next(&seed));
            for (unsigned n = 20; n <= 24; n += 2)
                set(n, c, 8, random_number(&seed, TYPE_DF));
        }
        set(C, 0, 4, 45);
        run();
        for (unsigned c = 0; c < 4; c++) {
            assert_true(get(30, c, 8) == get(A, c, 8) + get(B, c, 8));
            assert_true(get(31, c, 8) == get(A, c, 8) << 45);
            const double a = (double)value_of(get(20, c, 8), TYPE_DF),
                         b = (double)value_of(get(22, c, 8), TYPE_DF),
                         d = (double)value_of(get(24, c, 8), TYPE_DF);
            if (doubles) {
                assert_true((double)value_of(get(32, c, 8), TYPE_DF) == a * b);
                assert_true((double)value_of(get(33, c, 8), TYPE_DF) == fma(b, d, a));
            }
        }
    }
}

TEST_PROGRAM(eu_execute_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_the_manuals),
        cmocka_unit_test(floats_are_ieee),
        cmocka_unit_test(functions_are_near),
        cmocka_unit_test(functions_have_their_edges),
        cmocka_unit_test(floats_round_as_cr0_says),
        cmocka_unit_test(denormals_are_kept_or_zeros),
        cmocka_unit_test(conversions_are_the_manuals),
        cmocka_unit_test(regions_are_the_manuals),
        cmocka_unit_test(addresses_lead_to_registers),
        cmocka_unit_test(smov_scatters_the_channels_it_names),
        cmocka_unit_test(packed_immediates_have_elements),
        cmocka_unit_test(equal_packed_floats),
        cmocka_unit_test(comparisons_set_flags),
        cmocka_unit_test(results_set_flags),
        cmocka_unit_test(predicates_choose_channels),
        cmocka_unit_test(sel_chooses_by_its_predicate),
        cmocka_unit_test(products_have_64_bits),
        cmocka_unit_test(quotients_of_halves_at_ties),
        cmocka_unit_test(gen6_products_split_the_first_source),
        cmocka_unit_test(carries_go_to_the_accumulator),
        cmocka_unit_test(vectors_of_four),
        cmocka_unit_test(qwords_and_doubles),
        cmocka_unit_test(doubles_of_align16_have_two_channels),
        cmocka_unit_test(doubles_of_two_vertices),
        cmocka_unit_test(sends_have_channel_enables),
        cmocka_unit_test(doubles_are_pairs_of_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
