#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../suite.h"
#include "../eu_kernel.h"
#include "../random.h"

/* dpas against the product of matrices: D = C + A * B, each packed as the public description of the virtual
 * ISA says (IGC, documentation/visa, DPAS): C, D and A by rows, of B a column in each channel's dwords. */

enum {
    C_AT = 10,
    B_AT = 30,
    A_AT = 50,
    D_AT = 60,
    MOST_CHANNELS = 16,
    MOST_ROWS = 8,
    MOST_K = 64,
    SKIPPED = 0x24
};

static struct kernel k;
static struct eu_thread t;
static unsigned channels; /* a register has a dword of each */

static const struct type {
    enum eu_type type, code; /* the code's, and below a byte its precision */
    uint8_t precision, bits;
    bool is_signed;
} types[] = {
    {TYPE_UB, TYPE_UB, 0, 8, false}, {TYPE_B, TYPE_B, 0, 8, true},    {TYPE_U4, TYPE_UB, 1, 4, false},
    {TYPE_S4, TYPE_B, 1, 4, true},   {TYPE_U2, TYPE_UB, 2, 2, false}, {TYPE_S2, TYPE_B, 2, 2, true},
};

static void begin_set(const struct eu_isa *set)
{
    k.set = set;
    channels = set->register_bytes / 4u;
    k.count = 0;
    eu_thread_start(&t, k.set, 0, (1u << channels) - 1u - SKIPPED);
}

static void begin(void)
{
    begin_set(&eu_gen125);
}

/* Element `at` of so many bits, in registers from one on. */
static void put(unsigned number, unsigned at, unsigned bits, uint32_t value)
{
    uint8_t *const byte = t.grf + number * EU_REGISTER_BYTES + at * bits / 8u;
    if (bits >= 8) {
        memcpy(byte, &value, bits / 8u);
        return;
    }
    const unsigned shift = at * bits % 8u, mask = ((1u << bits) - 1u) << shift;
    *byte = (uint8_t)((*byte & ~mask) | (value << shift & mask));
}

static uint32_t get(unsigned number, unsigned at, unsigned bits)
{
    uint32_t value = 0;
    memcpy(&value, t.grf + number * EU_REGISTER_BYTES + at * bits / 8u, bits / 8u);
    return value;
}

/* A column of B: its elements are a channel's dwords, register by register. */
static void put_column(unsigned n, unsigned at, unsigned bits, uint32_t value)
{
    const unsigned in_dword = 32u / bits;
    put(B_AT + at / in_dword * kernel_rows(k.set), n * in_dword + at % in_dword, bits, value);
}

static void put_blocks(struct op d, struct op c, const struct type *b, const struct type *a,
                       unsigned log_depth, unsigned rows)
{
    struct eu_instruction *const i = kernel_add(&k, EU_DPAS, 3, &(struct how){.channels = (uint8_t)channels});
    const struct op ops[3] = {c, reg(B_AT, b->code), reg(A_AT, a->code)};
    kernel_destination(&k, i, &d);
    for (int n = 0; n < 3; n++)
        kernel_source(&k, i, n, &ops[n]);
    for (unsigned n = 0; n < 3; n++) {
        uint32_t *const v = i->value + n * EU_SOURCE_STEP;
        v[EU_SRC0_VERTICAL] = v[EU_SRC0_HORIZONTAL] = v[EU_SRC0_WIDTH] = 0;
    }
    i->value[EU_DST_STRIDE] = 0;
    i->value[EU_SRC1_SUBBYTE] = b->precision;
    i->value[EU_SRC2_SUBBYTE] = a->precision;
    i->value[EU_DEPTH] = log_depth;
    i->value[EU_REPEAT] = rows - 1u;
}

static enum eu_stop run(void)
{
    uint64_t budget = 10000;
    kernel_end(&k);
    kernel_finish(&k);
    struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, NULL);
    p.port.context = &p;
    return eu_thread_run(&t, &p.port, &budget);
}

/* The instruction becomes dpasw. */
static void share(unsigned n)
{
    k.i[n].operation = kernel_operation(k.set, EU_DPASW, 3);
    k.i[n].value[EU_OPCODE] = k.i[n].operation->gen12_code;
}

static uint32_t random_element(const struct type *x, uint64_t *seed, int32_t *value)
{
    const uint32_t bits = (uint32_t)random_next(seed) & ((1u << x->bits) - 1u);
    *value = (int32_t)bits;
    if (x->is_signed && bits >> (x->bits - 1u))
        *value -= 1 << x->bits;
    return bits;
}

/* Of all types with all, each depth and each count of rows, with registers of 32 and of 64 bytes; channels
 * that are off stay as they were. */
static void integers(void **state)
{
    (void)state;
    enum { TYPES = sizeof types / sizeof types[0] };
    uint64_t seed = 17;
    for (unsigned which = 0; which < 2 * TYPES * TYPES; which++)
        for (unsigned log_depth = 0; log_depth < 4; log_depth++)
            for (unsigned rows = 1; rows <= MOST_ROWS; rows++) {
                const struct type *const b = &types[which % TYPES], *const a = &types[which / TYPES % TYPES];
                const unsigned products = a->bits == 8 || b->bits == 8 ? 4 : 8;
                const unsigned most = products << log_depth; /* K */
                const bool no_c = rows == 3, is_signed = rows & 1u;
                int32_t left[MOST_ROWS][MOST_K], right[MOST_K][MOST_CHANNELS];
                uint32_t c[MOST_ROWS][MOST_CHANNELS];
                begin_set(which < TYPES * TYPES ? &eu_gen125 : &eu_gen200);
                memset(t.grf + D_AT * EU_REGISTER_BYTES, 0xa5, 2 * MOST_ROWS * EU_REGISTER_BYTES);
                for (unsigned m = 0; m < rows; m++)
                    for (unsigned i = 0; i < most; i++)
                        put(A_AT, m * most + i, a->bits, random_element(a, &seed, &left[m][i]));
                for (unsigned i = 0; i < most; i++)
                    for (unsigned n = 0; n < channels; n++)
                        put_column(n, i, b->bits, random_element(b, &seed, &right[i][n]));
                for (unsigned m = 0; m < rows; m++)
                    for (unsigned n = 0; n < channels; n++)
                        put(C_AT, m * channels + n, 32, c[m][n] = (uint32_t)random_next(&seed));
                const enum eu_type type = is_signed ? TYPE_D : TYPE_UD;
                put_blocks(reg(D_AT, type), no_c ? none(type) : reg(C_AT, type), b, a, log_depth, rows);
                assert_int_equal(run(), EU_ENDED);
                for (unsigned m = 0; m < MOST_ROWS; m++)
                    for (unsigned n = 0; n < channels; n++) {
                        uint32_t sum = m < rows && !no_c ? c[m][n] : 0;
                        for (unsigned i = 0; m < rows && i < most; i++)
                            sum += (uint32_t)(left[m][i] * right[i][n]);
                        if (m >= rows || SKIPPED >> n & 1u)
                            sum = 0xa5a5a5a5;
                        assert_int_equal(get(D_AT, m * channels + n, 32), sum);
                    }
            }
}

static uint32_t as_float(double x)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* A small integer as a half or as a bfloat, which hold it. */
static uint32_t as(double x, enum eu_type type)
{
    return type == TYPE_F    ? as_float(x)
           : type == TYPE_BF ? as_float(x) >> 16
                             : (uint32_t)eu_from_double(x, type);
}

static void floats(void **state)
{
    (void)state;
    static const struct type halves[2] = {{TYPE_HF, TYPE_HF, 0, 16, true}, {TYPE_BF, TYPE_BF, 0, 16, true}};
    uint64_t seed = 4;
    for (unsigned way = 0; way < 8; way++)
        for (unsigned rows = 1; rows <= MOST_ROWS; rows++) {
            enum { K = 16 };
            const struct type *const x = &halves[way & 1u];
            const enum eu_type to = way & 2u ? x->type : TYPE_F, from = way & 4u ? x->type : TYPE_F;
            double a[MOST_ROWS][K], b[K][MOST_CHANNELS], c[MOST_ROWS][MOST_CHANNELS];
            begin();
            for (unsigned i = 0; i < K; i++)
                for (unsigned n = 0; n < channels; n++) {
                    b[i][n] = (double)(random_next(&seed) % 5) - 2;
                    put_column(n, i, 16, as(b[i][n], x->type));
                }
            for (unsigned m = 0; m < rows; m++) {
                for (unsigned i = 0; i < K; i++) {
                    a[m][i] = (double)(random_next(&seed) % 5) - 2;
                    put(A_AT, m * K + i, 16, as(a[m][i], x->type));
                }
                for (unsigned n = 0; n < channels; n++) {
                    c[m][n] = (double)(random_next(&seed) % 64) - 32;
                    put(C_AT, m * channels + n, from == TYPE_F ? 32 : 16, as(c[m][n], from));
                }
            }
            put_blocks(reg(D_AT, to), reg(C_AT, from), x, x, 3, rows);
            assert_int_equal(run(), EU_ENDED);
            for (unsigned m = 0; m < rows; m++)
                for (unsigned n = 0; n < channels; n++) {
                    double sum = c[m][n];
                    for (unsigned i = 0; i < K; i++)
                        sum += a[m][i] * b[i][n];
                    if (!(SKIPPED >> n & 1u)) /* up to 96: all of the types hold it */
                        assert_int_equal(get(D_AT, m * channels + n, to == TYPE_F ? 32 : 16), as(sum, to));
                }
        }
}

/* Step by step, each rounded once: 1 is lost behind 2^24 in eight steps, 1 + 1 is not. */
static void order_of_sums(void **state)
{
    (void)state;
    static const struct type half = {TYPE_HF, TYPE_HF, 0, 16, true};
    for (unsigned both = 0; both < 2; both++) {
        begin();
        put(C_AT, 0, 32, as_float(0x1p24));
        for (unsigned i = 0; i < 16; i++) {
            put_column(0, i, 16, as(1, TYPE_HF));
            put(A_AT, i, 16, both || i % 2 == 0 ? as(1, TYPE_HF) : 0);
        }
        put_blocks(reg(D_AT, TYPE_F), reg(C_AT, TYPE_F), &half, &half, 3, 1);
        assert_int_equal(run(), EU_ENDED);
        assert_int_equal(get(D_AT, 0, 32), as_float(both ? 0x1p24 + 16 : 0x1p24));
    }
}

/* Types that do not go together, threads that are alone, registers that are not there. */
static void what_there_is_not(void **state)
{
    (void)state;
    static const struct type half = {TYPE_HF, TYPE_HF, 0, 16, true}, other = {TYPE_BF, TYPE_BF, 0, 16, true};
    begin();
    put_blocks(reg(D_AT, TYPE_F), reg(C_AT, TYPE_F), &half, &other, 3, 1);
    assert_int_equal(run(), EU_EXCEPTION);
    begin();
    put_blocks(reg(D_AT, TYPE_F), reg(C_AT, TYPE_F), &half, &half, 3, 1);
    share(0);
    assert_int_equal(run(), EU_EXCEPTION); /* it has no other thread */
    /* The last registers: what is behind them reads zero, and is not written. */
    begin();
    put_blocks(reg(127, TYPE_D), reg(127, TYPE_D), &types[0], &types[0], 3, 8);
    k.i[0].value[EU_SRC2_REGISTER] = 127;
    k.i[0].value[EU_SRC1_REGISTER] = 127;
    assert_int_equal(run(), EU_ENDED);
}

/* Two threads, of which each has half of A: the first the lower registers, one more if they are odd. Whoever
 * comes first waits, however the two are cut; each twice, with other registers. */
static struct eu_thread pair[2];

static struct eu_thread *other_of(void *context, struct eu_thread *thread, bool *second)
{
    (void)context;
    *second = thread == &pair[1];
    return &pair[!*second];
}

static void shared_operands(void **state)
{
    (void)state;
    enum { SECOND_A = 100, SECOND_D = 80 };
    uint64_t seed = 99;
    for (unsigned which = 0; which < 3; which++)
        for (unsigned rows = 1; rows <= MOST_ROWS; rows++)
            for (unsigned way = 0; way < 6; way++) {
                const struct type *const b = &types[0], *const a =
                                                            &types[1 + 2 * which]; /* of 8, 4, 2 bits */
                enum { K = 32 };
                int32_t left[2][MOST_ROWS][K], right[K][MOST_CHANNELS];
                uint8_t whole[2][MOST_ROWS * EU_REGISTER_BYTES];
                const unsigned bytes = rows * K * a->bits / 8, registers = (bytes + 31) / 32,
                               lower = (registers + 1) / 2;
                begin();
                for (unsigned i = 0; i < K; i++)
                    for (unsigned n = 0; n < channels; n++)
                        put_column(n, i, b->bits, random_element(b, &seed, &right[i][n]));
                for (unsigned n = 0; n < 2; n++) {
                    memset(t.grf + A_AT * EU_REGISTER_BYTES, 0, sizeof whole[n]);
                    for (unsigned m = 0; m < rows; m++)
                        for (unsigned i = 0; i < K; i++)
                            put(A_AT, m * K + i, a->bits, random_element(a, &seed, &left[n][m][i]));
                    memcpy(whole[n], t.grf + A_AT * EU_REGISTER_BYTES, sizeof whole[n]);
                }
                put_blocks(reg(D_AT, TYPE_D), none(TYPE_D), b, a, 3, rows);
                put_blocks(reg(SECOND_D, TYPE_D), none(TYPE_D), b, a, 3, rows);
                k.i[1].value[EU_SRC2_REGISTER] = SECOND_A;
                share(0);
                share(1);
                kernel_end(&k);
                kernel_finish(&k);
                for (unsigned thread = 0; thread < 2; thread++) {
                    pair[thread] = t;
                    for (unsigned n = 0; n < 2; n++) {
                        uint8_t *const to = pair[thread].grf + (n ? SECOND_A : A_AT) * EU_REGISTER_BYTES;
                        memset(to, 0xee, MOST_ROWS * EU_REGISTER_BYTES);
                        memcpy(to, whole[n] + (thread ? lower * 32 : 0),
                               (thread ? registers - lower : lower) * 32);
                    }
                }
                struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, NULL);
                p.port.context = &p;
                p.port.dpasw_pair = other_of;
                for (unsigned turn = 0; turn < 1000 && (pair[0].stop != EU_ENDED || pair[1].stop != EU_ENDED);
                     turn++) {
                    uint64_t budget = way % 3 + 1;
                    struct eu_thread *const now = &pair[(turn + way) % 2];
                    if (now->stop == EU_WAITS && !eu_thread_dpasw_ready(now, &pair[(turn + way + 1) % 2]))
                        continue;
                    eu_thread_run(now, &p.port, &budget);
                }
                for (unsigned thread = 0; thread < 2; thread++) {
                    assert_int_equal(pair[thread].stop, EU_ENDED);
                    for (unsigned n = 0; n < 2; n++)
                        for (unsigned m = 0; m < rows; m++)
                            for (unsigned c = 0; c < channels; c++) {
                                uint32_t sum = 0, is;
                                for (unsigned i = 0; i < K; i++)
                                    sum += (uint32_t)(left[n][m][i] * right[i][c]);
                                memcpy(&is,
                                       pair[thread].grf + ((n ? SECOND_D : D_AT) + m) * EU_REGISTER_BYTES +
                                           c * 4,
                                       4);
                                if (!(SKIPPED >> c & 1u))
                                    assert_int_equal(is, sum);
                            }
                }
            }
}

TEST_PROGRAM(eu_blocks_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),        cmocka_unit_test(floats),
        cmocka_unit_test(order_of_sums),   cmocka_unit_test(what_there_is_not),
        cmocka_unit_test(shared_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
