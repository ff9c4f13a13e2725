/* Threads of Gen20, whose registers have 64 bytes: payloads, messages of the load and store units, a kernel
 * that ocloc made, products in accumulators, predicates of the whole execution size. The runner is dg2's,
 * with the instruction set of Gen20. Registers are counted in 32 bytes, as kernels of all sets here
 * (eu_kernel.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <softgt/eu.h>

#include "../suite.h"
#include "../eu_kernel.h"
#include "../random.h"
#include "eu_gen200_kernels.h"

#include "device/device.h"
#include "dispatcher/dispatcher.h"

enum { SIMD = 16, GENERAL_AT = 0x10000, MEMORY_DW = 4096 };
static const struct how all = {.channels = SIMD}, single = {.channels = 1, .no_mask = true};

static struct kernel k;
static struct eu_thread t;
static uint32_t memory[MEMORY_DW];

/* ---- Groups ---- */

/* A thread can be looked at after a group has run. */
static struct softgt_eu *begin_groups(void)
{
    struct softgt_eu *eu;
    const struct softgt_eu_config config = {.device = "dg2"};
    const struct softgt_eu_launch_config launch = {.groups = {1}};
    struct softgt_eu_outcome o;
    assert_int_equal(softgt_eu_create(&config, &eu), 0);
    k.set = &eu_gen125;
    k.count = 0;
    kernel_end(&k);
    kernel_finish(&k);
    assert_int_equal(softgt_eu_set_kernel(eu, k.bytes, EU_NATIVE_BYTES), 0);
    assert_int_equal(softgt_eu_launch(eu, &launch), 0);
    assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
    softgt_eu_get_thread(eu, 0)->dispatch->set = &eu_gen200;
    k.set = &eu_gen200;
    k.count = 0;
    memset(memory, 0, sizeof memory);
    assert_int_equal(softgt_eu_map(eu, GENERAL_AT, memory, sizeof memory, true), 0);
    return eu;
}

static void run_groups(struct softgt_eu *eu, const struct softgt_eu_launch_config *launch)
{
    struct softgt_eu_outcome o;
    assert_int_equal(softgt_eu_launch(eu, launch), 0);
    const enum softgt_eu_result result = softgt_eu_run(eu, UINT64_MAX, &o);
    if (result != SOFTGT_EU_FINISHED)
        fail_msg("result %d at %x: %s", (int)result, (unsigned)o.ip, o.why ? o.why : "");
    softgt_eu_destroy(eu);
}

enum { LOAD_DW = 0x500, STORE_DW = 0x504, IDS = 2, CONSTANT = 8 };

/* A dword a channel by a 32-bit address in `at`; the value of a store is in the next register. */
static void put_access(unsigned unit, bool stores, unsigned at, unsigned to, int32_t plus)
{
    kernel_send(&k, all, unit, stores ? 2u << 25 | STORE_DW : 1u << 25 | 1u << 20 | LOAD_DW,
                stores ? none(TYPE_UD) : reg(to, TYPE_UD), reg(at, TYPE_UD), false);
    k.i[k.count - 1].value[EU_EXTENDED] = (uint32_t)plus << 12;
}

static void put_barrier(void)
{
    const struct how whole = {.channels = SIMD, .no_mask = true};
    kernel_send(&k, whole, SFID_GATEWAY, 1u << 25 | 4, none(TYPE_UD), reg(0, TYPE_UD), false);
    struct eu_instruction *const i =
        kernel_add(&k, EU_SYNC, 0, &(struct how){.channels = 1, .no_mask = true, .function = 14});
    struct op nothing = none(TYPE_UD);
    nothing.v = 0, nothing.w = 1, nothing.h = 0;
    kernel_source(&k, i, 0, &nothing);
}

/* Two threads of 16 channels give their values to each other's channels by local memory. IDs are 16 words of
 * one register for each dimension; inline data follows in a register of its own. */
static void groups_share_memory(void **state)
{
    enum { GROUPS = 3, SIZE = 2 * SIMD, OFFSET_DW = 8, DATA_DW = 8 };
    static const uint32_t data[DATA_DW] = {1000};
    struct softgt_eu *const eu = begin_groups();
    (void)state;
    KERNEL_1(&k, EU_MOV, all, reg(30, TYPE_D), region(IDS, TYPE_UW, 16, 16, 1));
    KERNEL_2(&k, EU_SHL, all, reg(10, TYPE_D), reg(30, TYPE_D), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_D), reg(10, TYPE_D), reg(30, TYPE_D));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_D), reg(12, TYPE_D), one(CONSTANT, 0, TYPE_D));
    put_access(SFID_SLM, true, 10, 0, 0);
    put_barrier();
    KERNEL_2(&k, EU_ADD, all, reg(14, TYPE_D), negated(reg(10, TYPE_D)), imm(4 * (SIZE - 1), TYPE_D));
    put_access(SFID_SLM, false, 14, 20, 0);
    KERNEL_2(&k, EU_SHL, single, one(40, 0, TYPE_UD), one(0, 4, TYPE_UD), imm(7, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(18, TYPE_D), reg(10, TYPE_D), one(40, 0, TYPE_D));
    put_access(SFID_UGM, true, 18, 0, 4 * OFFSET_DW);
    kernel_end(&k);
    kernel_finish(&k);
    assert_int_equal(softgt_eu_set_kernel(eu, k.bytes, k.count * (size_t)EU_NATIVE_BYTES), 0);
    run_groups(eu, &(struct softgt_eu_launch_config){.groups = {GROUPS},
                                                     .threads = SIZE / SIMD,
                                                     .channels = SIMD,
                                                     .local_size = {SIZE},
                                                     .shared_bytes = 4 * SIZE,
                                                     .general = GENERAL_AT,
                                                     .payload = SOFTGT_EU_LOCAL_IDS,
                                                     .data = data,
                                                     .data_bytes = sizeof data});
    for (unsigned n = 0; n < OFFSET_DW; n++)
        assert_int_equal(memory[n], 0);
    for (unsigned n = 0; n < GROUPS * SIZE; n++)
        assert_int_equal(memory[OFFSET_DW + n], 5 * (SIZE - 1 - n % SIZE) + 1000);
}

static uint32_t as_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* r1 has the first arguments: the global offset, the local size and where x is; at r0.0 in general memory are
 * the others, and behind them each thread's 32 IDs. */
static void a_compiled_kernel_runs(void **state)
{
    enum {
        GROUPS = 3,
        THREADS = 2,
        CHANNELS = 32,
        SIZE = THREADS * CHANNELS,
        X_DW = 1024,
        Y_DW = 2048,
        IDS_DW = 8,
        COUNT = GROUPS * SIZE
    };
    const uint64_t x_at = GENERAL_AT + X_DW * 4, y_at = GENERAL_AT + Y_DW * 4;
    uint32_t data[8] = {0, 0, 0, SIZE, 1, 1};
    struct softgt_eu *const eu = begin_groups();
    (void)state;
    memcpy(data + 6, &x_at, sizeof x_at);
    memcpy(memory, &y_at, sizeof y_at);
    memory[2] = as_bits(3);
    for (unsigned n = 0; n < SIZE; n++)
        ((uint16_t *)(memory + IDS_DW))[n] = (uint16_t)n;
    for (unsigned n = 0; n < 2 * COUNT; n++) {
        memory[X_DW + n] = as_bits((float)n);
        memory[Y_DW + n] = as_bits(0.5f);
    }
    assert_int_equal(softgt_eu_set_kernel(eu, saxpy_kernel, sizeof saxpy_kernel), 0);
    run_groups(eu, &(struct softgt_eu_launch_config){.groups = {GROUPS},
                                                     .threads = THREADS,
                                                     .channels = CHANNELS,
                                                     .general = GENERAL_AT,
                                                     .payload = SOFTGT_EU_SHARED_FIRST,
                                                     .data = data,
                                                     .data_bytes = sizeof data});
    for (unsigned n = 0; n < 2 * COUNT; n++)
        assert_int_equal(memory[Y_DW + n], as_bits(n < COUNT ? 3 * (float)n + 0.5f : 0.5f));
}

/* With the large GRF mode a thread has 256 registers of 64 bytes; payloads and responses may lie in all of
 * them. Else those from r128 on read as zeros. (Linux and Mesa: STATE_COMPUTE_MODE, Large GRF Mode) */
static void large_threads_have_256_registers(void **state)
{
    enum { IDS_AT = 2 * 160, ADDRESS = 2 * 200, LOADED = 2 * 240, LAST = 2 * 255, LOW = 20, THREADS = 2 };
    (void)state;
    for (unsigned large = 0; large < 2; large++) {
        struct softgt_eu *const eu = begin_groups();
        KERNEL_1(&k, EU_MOV, all, reg(IDS_AT, TYPE_D), region(IDS, TYPE_UW, 16, 16, 1));
        KERNEL_2(&k, EU_SHL, all, reg(LAST, TYPE_D), reg(IDS_AT, TYPE_D), imm(2, TYPE_UD));
        KERNEL_1(&k, EU_MOV, all, reg(LOW, TYPE_D), region(IDS, TYPE_UW, 16, 16, 1));
        KERNEL_2(&k, EU_SHL, all, reg(LOW, TYPE_D), reg(LOW, TYPE_D), imm(2, TYPE_UD));
        KERNEL_2(&k, EU_ADD, all, reg(LOW + 2, TYPE_D), reg(LAST, TYPE_D), imm(1, TYPE_D));
        put_access(SFID_UGM, true, LOW, 0, 0);
        if (large) {
            KERNEL_1(&k, EU_MOV, all, reg(ADDRESS, TYPE_D), reg(LAST, TYPE_D));
            KERNEL_2(&k, EU_ADD, all, reg(ADDRESS + 2, TYPE_D), reg(IDS_AT, TYPE_D), imm(1000, TYPE_D));
            put_access(SFID_UGM, true, ADDRESS, 0, 1024);
            put_access(SFID_UGM, false, ADDRESS, LOADED, 0);
            KERNEL_2(&k, EU_ADD, all, reg(ADDRESS + 2, TYPE_D), reg(LOADED, TYPE_D), imm(7, TYPE_D));
            put_access(SFID_UGM, true, ADDRESS, 0, 2048);
        }
        kernel_end(&k);
        kernel_finish(&k);
        assert_int_equal(softgt_eu_set_kernel(eu, k.bytes, k.count * (size_t)EU_NATIVE_BYTES), 0);
        run_groups(eu, &(struct softgt_eu_launch_config){.groups = {1},
                                                         .threads = THREADS,
                                                         .channels = SIMD,
                                                         .local_size = {THREADS * SIMD},
                                                         .general = GENERAL_AT,
                                                         .payload = SOFTGT_EU_LOCAL_IDS,
                                                         .large_registers = large});
        for (unsigned n = 0; n < THREADS * SIMD; n++) {
            assert_int_equal(memory[n], large ? 4 * n + 1 : 1);
            assert_int_equal(memory[256 + n], large ? n + 1000 : 0);
            assert_int_equal(memory[512 + n], large ? 4 * n + 8 : 0);
        }
    }
}

/* ---- Threads ---- */

static void begin(void)
{
    k.set = &eu_gen200;
    k.count = 0;
    eu_thread_start(&t, k.set, 0, UINT32_MAX);
    t.cr0[0] = 0x4c0;
}

static void run(void)
{
    uint64_t budget = 10000;
    kernel_end(&k);
    kernel_finish(&k);
    struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, NULL);
    p.port.context = &p;
    if (eu_thread_run(&t, &p.port, &budget) != EU_ENDED)
        fail_msg("%s", t.why ? t.why : "not ended");
}

static uint32_t dword(unsigned number, unsigned n)
{
    uint32_t value;
    memcpy(&value, t.grf + number * EU_REGISTER_BYTES + n * sizeof value, sizeof value);
    return value;
}

/* mul with a low word, then macl or mach: both halves of products of 32 bits, from any accumulator. */
static void products_have_two_halves(void **state)
{
    enum { A = 10, B = 12, LOW = 20, HIGH = 22, ROUNDS = 100 };
    uint64_t seed = 5;
    (void)state;
    for (unsigned n = 0; n < ROUNDS; n++) {
        const struct op acc0 = other(FILE_ACCUMULATOR, 0, 0, TYPE_UD),
                        low_words = region(B, TYPE_UW, 16, 8, 2);
        begin();
        for (unsigned m = 0; m < 2 * SIMD; m++)
            memcpy(t.grf + A * EU_REGISTER_BYTES + m * 4, &(uint32_t){(uint32_t)random_next(&seed)}, 4);
        KERNEL_2(&k, EU_MUL, all, acc0, reg(A, TYPE_UD), low_words);
        KERNEL_2(&k, EU_MACL, all, reg(LOW, TYPE_UD), reg(A, TYPE_UD), reg(B, TYPE_UD));
        KERNEL_2(&k, EU_MUL, all, acc0, reg(A, TYPE_UD), low_words);
        KERNEL_2(&k, EU_MACH, all, reg(HIGH, TYPE_UD), reg(A, TYPE_UD), reg(B, TYPE_UD));
        run();
        for (unsigned c = 0; c < SIMD; c++) {
            const uint64_t product = (uint64_t)dword(A, c) * dword(B, c);
            assert_int_equal(dword(LOW, c), (uint32_t)product);
            assert_int_equal(dword(HIGH, c), product >> 32);
        }
    }
}

/* 16 accumulators of 16 dwords, which keep what they have. */
static void accumulators_are_many(void **state)
{
    enum { COUNT = 16, TO = 64 };
    (void)state;
    begin();
    for (unsigned n = 0; n < COUNT; n++)
        KERNEL_1(&k, EU_MOV, all, other(FILE_ACCUMULATOR, 2 * n, 0, TYPE_F), imm(as_bits((float)n), TYPE_F));
    for (unsigned n = 0; n < COUNT; n++)
        KERNEL_1(&k, EU_MOV, all, reg(TO + 2 * n, TYPE_F), other(FILE_ACCUMULATOR, 2 * n, 0, TYPE_F));
    run();
    for (unsigned n = 0; n < COUNT * SIMD; n++)
        assert_int_equal(dword(TO, n), as_bits((float)(n / SIMD)));
}

/* mac of floats: channels from 16 on add to acc1, the others to acc0. Shaders of two polygons a half have
 * such pairs of mad and mac. (Mesa, emit_pixel_interpolater_alu_at_offset) */
static void halves_have_accumulators(void **state)
{
    enum { A = 10, LOW = 20, HIGH = 22, LOW_SUM = 6, HIGH_SUM = 7 };
    static const struct how high = {.channels = SIMD, .first = SIMD};
    (void)state;
    begin();
    for (unsigned n = 0; n < SIMD; n++)
        memcpy(t.grf + A * EU_REGISTER_BYTES + n * 4, &(uint32_t){as_bits((float)n)}, 4);
    KERNEL_1(&k, EU_MOV, all, other(FILE_ACCUMULATOR, 0, 0, TYPE_F), imm(as_bits(LOW_SUM), TYPE_F));
    KERNEL_1(&k, EU_MOV, high, other(FILE_ACCUMULATOR, 2, 0, TYPE_F), imm(as_bits(HIGH_SUM), TYPE_F));
    KERNEL_2(&k, EU_MAC, all, reg(LOW, TYPE_F), reg(A, TYPE_F), imm(as_bits(2), TYPE_F));
    KERNEL_2(&k, EU_MAC, high, reg(HIGH, TYPE_F), reg(A, TYPE_F), imm(as_bits(2), TYPE_F));
    run();
    for (unsigned n = 0; n < SIMD; n++) {
        assert_int_equal(dword(LOW, n), as_bits((float)n * 2 + LOW_SUM));
        assert_int_equal(dword(HIGH, n), as_bits((float)n * 2 + HIGH_SUM));
    }
}

/* A macro's fields of subregisters are the numbers of extended accumulators, 8 for none: its operands are
 * whole registers. The last madm of a root of NEO's, in doubles. */
static void macros_have_whole_registers(void **state)
{
    enum { PLUS = 20, ONE = 24, OTHER = 28, TO = 32, NONE = 8, FIELDS = 4 };
    static const enum eu_field subregisters[FIELDS] = {EU_DST_SUBREGISTER, EU_SRC0_SUBREGISTER,
                                                       EU_SRC0_SUBREGISTER + EU_SOURCE_STEP,
                                                       EU_SRC0_SUBREGISTER + 2 * EU_SOURCE_STEP};
    (void)state;
    for (unsigned mme = 0; mme <= NONE; mme += NONE) {
        begin();
        for (unsigned c = 0; c < SIMD; c++) {
            memcpy(t.grf + PLUS * EU_REGISTER_BYTES + c * 8, &(double){c * 100}, 8);
            memcpy(t.grf + ONE * EU_REGISTER_BYTES + c * 8, &(double){c + 1}, 8);
            memcpy(t.grf + OTHER * EU_REGISTER_BYTES + c * 8, &(double){c + 2}, 8);
        }
        KERNEL_3(&k, EU_MADM, all, reg(TO, TYPE_DF), reg(PLUS, TYPE_DF), reg(ONE, TYPE_DF),
                 reg(OTHER, TYPE_DF));
        for (unsigned n = 0; n < FIELDS; n++)
            k.i[k.count - 1].value[subregisters[n]] = n ? NONE : mme;
        run();
        for (unsigned c = 0; c < SIMD; c++) {
            double value;
            memcpy(&value, t.grf + TO * EU_REGISTER_BYTES + c * 8, 8);
            assert_true(value == c * 100 + (c + 1) * (c + 2));
        }
    }
}

/* The last register, and a region that crosses into the next one. */
static void registers_are_whole(void **state)
{
    (void)state;
    begin();
    KERNEL_1(&k, EU_MOV, all, reg(254, TYPE_UD), imm(7, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(21, TYPE_UD), reg(254, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(30, TYPE_Q), reg(21, TYPE_UD));
    run();
    for (unsigned n = 0; n < SIMD; n++) {
        assert_int_equal(dword(254, n), 7);
        assert_int_equal(dword(21, n), 7);
        assert_int_equal(dword(30, 2 * n), 7);
        assert_int_equal(dword(30, 2 * n + 1), 0);
    }
}

/* Flags f0 to f3; any and all look at the channels of the instruction alone. */
static void flags_are_four(void **state)
{
    (void)state;
    for (unsigned flag = 0; flag < 8; flag++)
        for (unsigned wide = 0; wide < 2; wide++) {
            const struct how how = {.channels = wide ? 32 : 16,
                                    .flag = (uint8_t)flag,
                                    .no_mask = true,
                                    .predicate = 4 /* any */},
                             of_all = {
                                 .channels = 16, .flag = (uint8_t)flag, .no_mask = true, .predicate = 5};
            if (wide && flag & 1u)
                continue;
            begin();
            KERNEL_1(&k, EU_MOV, single, other(FILE_FLAG, flag / 2, flag % 2 * 2, TYPE_UW),
                     imm(0x00010001, TYPE_UW));
            KERNEL_1(&k, EU_MOV, how, reg(20, TYPE_UD), imm(1, TYPE_UD));
            KERNEL_1(&k, EU_MOV, of_all, reg(30, TYPE_UD), imm(1, TYPE_UD));
            KERNEL_2(&k, EU_CMP, ((struct how){.channels = 16, .flag = (uint8_t)flag, .condition = 1}),
                     none(TYPE_UD), reg(20, TYPE_UD), reg(20, TYPE_UD));
            KERNEL_1(&k, EU_MOV, of_all, reg(40, TYPE_UD), imm(1, TYPE_UD));
            run();
            for (unsigned n = 0; n < (wide ? 32u : 16u); n++)
                assert_int_equal(dword(20, n), 1);
            for (unsigned n = 0; n < 16; n++) {
                assert_int_equal(dword(30, n), 0);
                assert_int_equal(dword(40, n), 1);
            }
            for (unsigned n = 0; n < 8; n++)
                assert_int_equal(t.flag[n], n == flag ? 0xffff : 0);
        }
}

TEST_PROGRAM(eu_gen200_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_share_memory),
        cmocka_unit_test(a_compiled_kernel_runs),
        cmocka_unit_test(large_threads_have_256_registers),
        cmocka_unit_test(products_have_two_halves),
        cmocka_unit_test(accumulators_are_many),
        cmocka_unit_test(halves_have_accumulators),
        cmocka_unit_test(macros_have_whole_registers),
        cmocka_unit_test(registers_are_whole),
        cmocka_unit_test(flags_are_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
