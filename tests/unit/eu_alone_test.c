/* Kernels alone, by the installed header: what a runner is given and what comes of it, on each instruction
 * set; however its run is cut; what is wrong of a caller, of a kernel; hooks, steps, breakpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <errno.h>
#include <softgt/eu.h>

#include "../suite.h"
#include "../eu_kernel.h"

#include "device/device.h"
#include "dispatcher/dispatcher.h"

static const char *const devices[] = {"skl", "icl", "ehl", "tgl", "dg2"};
#define EACH_DEVICE(name)                                                                                    \
    const char *const *name = devices;                                                                       \
    name < devices + sizeof devices / sizeof devices[0];                                                     \
    name++

enum { SIMD = 16, PAGE = 4096, OUT_AT = 0x10000, OUT_DW = 4096 };
static const struct how all = {.channels = SIMD}, whole = {.channels = 8, .no_mask = true},
                        single = {.channels = 1, .no_mask = true};

static struct kernel k;
static uint32_t out[OUT_DW];

static struct softgt_eu *begin(const char *device)
{
    struct softgt_eu *eu;
    const struct softgt_eu_config config = {.device = device};
    assert_int_equal(softgt_eu_create(&config, &eu), 0);
    k.set = sheet_find(device)->eu;
    k.count = 0;
    memset(out, 0, sizeof out);
    return eu;
}

static void load_kernel(struct softgt_eu *eu)
{
    kernel_finish(&k);
    assert_int_equal(softgt_eu_set_kernel(eu, k.bytes, k.count * (size_t)EU_NATIVE_BYTES), 0);
}

/* A dword a channel at the offsets in `offsets` of surface 0. */
static void put_store(unsigned offsets)
{
    kernel_send(&k, all, SFID_DC1, 4u << 25 | 9u << 14 | 0x1e00, none(TYPE_UD), reg(offsets, TYPE_UD), false);
}

static void put_barrier(void)
{
    kernel_send(&k, whole, SFID_GATEWAY, 1u << 25 | 4, none(TYPE_UD), reg(0, TYPE_UD), false);
}

static void put_wait(void)
{
    if (k.set->gen6_encoding) {
        KERNEL_1(&k, EU_WAIT, single, none(TYPE_UD), one(0, 0, TYPE_UD));
        struct op n0 = other(FILE_NOTIFICATION, 0, 0, TYPE_UD);
        n0.v = 0, n0.w = 1, n0.h = 0;
        kernel_source(&k, &k.i[k.count - 1], 0, &n0);
        return;
    }
    struct eu_instruction *const i = kernel_add(
        &k, EU_SYNC, 0, &(struct how){.channels = 1, .no_mask = true, .function = 14 /* barrier */});
    struct op nothing = none(TYPE_UD);
    nothing.v = 0, nothing.w = 1, nothing.h = 0;
    kernel_source(&k, i, 0, &nothing);
}

enum { IDS = 1, CONSTANT = 4 };

/* out[group * size + id] = 5 * id + the constant; IDs of 16 bits in r1, constants from r4 on. */
static void put_fives(unsigned size)
{
    KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD), region(IDS, TYPE_UW, 16, 16, 1));
    KERNEL_2(&k, EU_SHL, all, reg(10, TYPE_UD), one(0, 4, TYPE_UD),
             imm((unsigned)__builtin_ctz(size), TYPE_UD)); /* r0.1: the group's x */
    KERNEL_2(&k, EU_ADD, all, reg(10, TYPE_UD), reg(10, TYPE_UD), reg(20, TYPE_UD));
    KERNEL_2(&k, EU_SHL, all, reg(10, TYPE_UD), reg(10, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_SHL, all, reg(12, TYPE_UD), reg(20, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_UD), reg(12, TYPE_UD), reg(20, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_UD), reg(12, TYPE_UD), one(CONSTANT, 0, TYPE_UD));
    put_store(10);
    kernel_end(&k);
}

static const uint32_t constants[8] = {1000};

static struct softgt_eu_launch_config fives(unsigned groups, unsigned threads)
{
    return (struct softgt_eu_launch_config){
        .groups = {groups},
        .threads = threads,
        .channels = SIMD,
        .local_size = {threads * SIMD},
        .payload = SOFTGT_EU_LOCAL_IDS,
        .data = constants,
        .data_bytes = sizeof constants,
    };
}

static struct softgt_eu *begin_fives(const char *device, unsigned groups, unsigned threads)
{
    struct softgt_eu *const eu = begin(device);
    put_fives(threads * SIMD);
    load_kernel(eu);
    assert_int_equal(softgt_eu_map(eu, OUT_AT, out, sizeof out, true), 0);
    assert_int_equal(softgt_eu_set_surface(eu, 0, OUT_AT, sizeof out), 0);
    const struct softgt_eu_launch_config launch = fives(groups, threads);
    assert_int_equal(softgt_eu_launch(eu, &launch), 0);
    return eu;
}

static void expect_fives(unsigned groups, unsigned threads)
{
    const unsigned size = threads * SIMD;
    for (unsigned i = 0; i < OUT_DW; i++)
        assert_int_equal(out[i], i < groups * size ? 5 * (i % size) + 1000 : 0);
}

static void a_kernel_runs(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned threads = 1; threads <= 16; threads *= 4) {
            struct softgt_eu *const eu = begin_fives(*name, 3, threads);
            struct softgt_eu_outcome o;
            assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
            expect_fives(3, threads);
            assert_int_equal(o.groups, 3);
            assert_int_equal(o.threads, 3 * threads);
            assert_int_equal(o.instructions, 3 * threads * k.count);
            assert_null(o.why);
            /* There is nothing left to run; and it can be launched again. */
            assert_int_equal(softgt_eu_run(eu, 1, &o), SOFTGT_EU_FINISHED);
            memset(out, 0, sizeof out);
            struct softgt_eu_launch_config again = fives(2, threads);
            again.first[0] = 1;
            assert_int_equal(softgt_eu_launch(eu, &again), 0);
            assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
            assert_int_equal(o.groups, 2);
            assert_int_equal(out[0], 0);
            assert_int_equal(out[threads * SIMD], 1000);
            softgt_eu_destroy(eu);
        }
}

static void budgets_change_nothing(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (uint64_t budget = 1; budget < 100; budget = budget * 3 + 1) {
            struct softgt_eu *const eu = begin_fives(*name, 4, 2);
            struct softgt_eu_outcome o;
            unsigned runs = 0;
            enum softgt_eu_result result;
            while ((result = softgt_eu_run(eu, budget, &o)) == SOFTGT_EU_UNFINISHED) {
                assert_true(++runs < 1000);
                /* It stands where there is something to run, between groups at the next one's start. */
                assert_true(o.ip < k.count * EU_NATIVE_BYTES);
                assert_true(o.ip != 0 || o.instructions % k.count == 0);
                if (!o.groups)
                    continue;
                struct softgt_eu_thread_info info;
                softgt_eu_thread_get_info(softgt_eu_get_thread(eu, o.thread), &info);
                assert_int_equal(info.ip, o.ip);
                assert_int_equal(info.state, SOFTGT_EU_RUNS);
                assert_memory_equal(info.group, o.group, sizeof info.group);
            }
            assert_int_equal(result, SOFTGT_EU_FINISHED);
            assert_true(runs > 0);
            assert_int_equal(o.instructions, 4 * 2 * k.count);
            expect_fives(4, 2);
            softgt_eu_destroy(eu);
        }
}

/* ---- Payloads ---- */

static uint32_t seen[SOFTGT_EU_THREADS][16 * 8];

static void see(void *user, struct softgt_eu_thread *t)
{
    struct softgt_eu_thread_info info;
    (void)user;
    softgt_eu_thread_get_info(t, &info);
    assert_true(softgt_eu_thread_read(t, SOFTGT_EU_GRF, 0, seen[info.thread], sizeof seen[0]));
}

static void payloads_are_where_they_are(void **state)
{
    (void)state;
    static uint32_t data[2 * 8], own[3][2 * 8];
    for (unsigned i = 0; i < 16; i++)
        data[i] = 0xd0 + i;
    for (unsigned i = 0; i < 3 * 16; i++)
        own[i / 16][i % 16] = 0x100 * (i / 16 + 1) + i % 16;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin(*name);
        const struct softgt_eu_hooks hooks = {.started = see};
        struct softgt_eu_launch_config l = {.groups = {1},
                                            .threads = 3,
                                            .channels = SIMD,
                                            .first = {7, 8, 9},
                                            .r0 = {0xabcd0000},
                                            .data = data,
                                            .data_bytes = sizeof data,
                                            .own_data = own,
                                            .own_bytes = sizeof own[0]};
        kernel_end(&k);
        load_kernel(eu);
        assert_int_equal(softgt_eu_watch(eu, &hooks), 0);
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
        for (unsigned t = 0; t < 3; t++) {
            assert_int_equal(seen[t][0], 0xabcd0000);
            assert_int_equal(seen[t][1], 7);
            assert_int_equal(seen[t][6], 8);
            assert_int_equal(seen[t][7], 9);
            assert_memory_equal(seen[t] + 8, data, sizeof data);
            assert_memory_equal(seen[t] + 3 * 8, own[t], sizeof own[t]);
        }
        l.payload = SOFTGT_EU_OWN_FIRST;
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
        for (unsigned t = 0; t < 3; t++) {
            assert_memory_equal(seen[t] + 8, own[t], sizeof own[t]);
            assert_memory_equal(seen[t] + 3 * 8, data, sizeof data);
        }
        /* 6 by 8 channels: x, y, z. */
        l = (struct softgt_eu_launch_config){.threads = 3,
                                             .channels = SIMD,
                                             .local_size = {6, 8},
                                             .payload = SOFTGT_EU_LOCAL_IDS,
                                             .data = data,
                                             .data_bytes = sizeof data};
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
        for (unsigned i = 0; i < 3 * SIMD; i++) {
            uint16_t id[3];
            for (unsigned n = 0; n < 3; n++)
                memcpy(&id[n], (const uint8_t *)&seen[i / SIMD][8 + 8 * n] + i % SIMD * 2, 2);
            assert_int_equal(id[0], i % 6);
            assert_int_equal(id[1], i / 6);
            assert_int_equal(id[2], 0);
        }
        assert_memory_equal(seen[2] + 4 * 8, data, sizeof data);
        softgt_eu_destroy(eu);
    }
}

/* A hook may fill registers itself. */
static void give_ids(void *user, struct softgt_eu_thread *t)
{
    uint16_t ids[SIMD];
    const uint32_t constant = 1000;
    (void)user;
    for (uint16_t i = 0; i < SIMD; i++)
        ids[i] = i;
    assert_true(softgt_eu_thread_write(t, SOFTGT_EU_GRF, 32 * IDS, ids, sizeof ids));
    assert_true(softgt_eu_thread_write(t, SOFTGT_EU_GRF, 32 * CONSTANT, &constant, sizeof constant));
}

static void a_hook_makes_a_payload(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin_fives(*name, 1, 1);
        const struct softgt_eu_hooks hooks = {.started = give_ids};
        const struct softgt_eu_launch_config l = {.channels = SIMD};
        assert_int_equal(softgt_eu_watch(eu, &hooks), 0);
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
        expect_fives(1, 1);
        softgt_eu_destroy(eu);
    }
}

/* ---- What goes wrong ---- */

static void what_is_illegal_says_where(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin(*name);
        struct softgt_eu_outcome o;
        struct softgt_eu_launch_config l = {.groups = {2}, .threads = 2};
        KERNEL_1(&k, EU_MOV, whole, reg(20, TYPE_UD), imm(7, TYPE_UD));
        load_kernel(eu); /* and no end: zeros behind it */
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_EXCEPTION);
        assert_int_equal(o.ip, 16);
        assert_int_equal(o.group[0] + o.group[1] + o.group[2] + o.thread, 0);
        assert_non_null(o.why);
        assert_int_equal(o.instructions, 2);
        /* It stays, and its registers can be read. */
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_EXCEPTION);
        uint32_t seven = 0;
        assert_true(
            softgt_eu_thread_read(softgt_eu_get_thread(eu, 0), SOFTGT_EU_GRF, 20 * 32, &seven, sizeof seven));
        assert_int_equal(seven, 7);
        struct softgt_eu_thread_info info;
        softgt_eu_thread_get_info(softgt_eu_get_thread(eu, 0), &info);
        assert_int_equal(info.state, SOFTGT_EU_STOPPED);
        assert_string_equal(info.why, o.why);
        assert_int_equal(info.ip, 16);
        /* Where there is no memory at all, it is a fault. */
        k.count = 0;
        kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true});
        k.i[0].value[EU_JIP] = 0x100000;
        load_kernel(eu);
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_FAULT);
        assert_in_range(o.ip, 0x100000, 0x100010);
        softgt_eu_destroy(eu);
    }
}

/* A dword of the flat address in r10 (and r11) to r14, or from r14. */
static void put_flat(bool writes)
{
    if (k.set->has_lsc) {
        kernel_send(&k, single, SFID_UGM,
                    (writes ? 4u : 0u) | 3u << 7 | 2u << 9 | 1u << 15 | 1u << 25 | (writes ? 0 : 1u << 20),
                    writes ? none(TYPE_UD) : reg(14, TYPE_UD), reg(10, TYPE_UD), false);
        if (writes) { /* the data is the second payload */
            struct eu_instruction *const i = &k.i[k.count - 1];
            const struct op data = reg(14, TYPE_UD);
            kernel_source(&k, i, 1, &data);
            i->value[EU_SRC1_LENGTH] = 1;
        }
        return;
    }
    /* An A64 oword block, its address in the header. */
    kernel_send(&k, whole, SFID_DC1,
                (writes ? 2u << 25 | 0x15u << 14 : 1u << 25 | 1u << 20 | 0x14u << 14) | 1u << 19 | 0xff,
                writes ? none(TYPE_UD) : reg(14, TYPE_UD), reg(10, TYPE_UD), false);
}

static enum softgt_eu_result run_flat(struct softgt_eu *eu, bool writes, uint64_t address,
                                      struct softgt_eu_outcome *o)
{
    const struct softgt_eu_launch_config l = {0};
    k.count = 0;
    KERNEL_1(&k, EU_MOV, whole, reg(10, TYPE_UD), imm(0, TYPE_UD));
    KERNEL_1(&k, EU_MOV, whole, reg(11, TYPE_UD), imm(0x1234567, TYPE_UD));
    KERNEL_1(&k, EU_MOV, whole, reg(14, TYPE_UD), imm(0x1234567, TYPE_UD));
    KERNEL_1(&k, EU_MOV, single, one(10, 0, TYPE_UD), imm((uint32_t)address, TYPE_UD));
    KERNEL_1(&k, EU_MOV, single, one(10, 4, TYPE_UD), imm((uint32_t)(address >> 32), TYPE_UD));
    put_flat(writes);
    kernel_end(&k);
    load_kernel(eu);
    assert_int_equal(softgt_eu_launch(eu, &l), 0);
    return softgt_eu_run(eu, UINT64_MAX, o);
}

static void addresses_are_as_they_are_mapped(void **state)
{
    (void)state;
    const uint64_t high = UINT64_C(0x123456000);
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin(*name);
        struct softgt_eu_outcome o;
        const unsigned width = k.set->has_lsc ? 4 : 16;
        assert_int_equal(softgt_eu_map(eu, high, out, sizeof out, true), 0);
        assert_int_equal(run_flat(eu, true, high + 0x40, &o), SOFTGT_EU_FINISHED);
        assert_int_equal(out[16], 0x1234567);
        assert_int_equal(run_flat(eu, false, high + 0x40, &o), SOFTGT_EU_FINISHED);
        uint32_t read = 0;
        assert_true(softgt_eu_thread_read(softgt_eu_get_thread(eu, 0), SOFTGT_EU_GRF, 14 * 32, &read, 4));
        assert_int_equal(read, 0x1234567);
        /* Behind its end, before its start, and unmapped. */
        for (unsigned writes = 0; writes < 2; writes++) {
            assert_int_equal(run_flat(eu, writes, high + sizeof out, &o), SOFTGT_EU_FAULT);
            assert_int_equal(o.address, high + sizeof out);
            assert_int_equal(o.is_write, writes);
            assert_int_equal(o.ip, 5 * 16);
            assert_non_null(o.why);
            assert_int_equal(run_flat(eu, writes, high - 16, &o), SOFTGT_EU_FAULT);
            assert_int_equal(o.address, high - 16);
        }
        assert_int_equal(softgt_eu_unmap(eu, high), 0);
        assert_int_equal(run_flat(eu, true, high, &o), SOFTGT_EU_FAULT);
        /* To the byte: what is not whole pages. */
        memset(out, 0, sizeof out);
        assert_int_equal(softgt_eu_map(eu, high, out, PAGE + 0x40, true), 0);
        assert_int_equal(run_flat(eu, true, high + PAGE + 0x40 - width, &o), SOFTGT_EU_FINISHED);
        assert_int_equal(out[(PAGE + 0x40 - width) / 4], 0x1234567);
        assert_int_equal(run_flat(eu, true, high + PAGE + 0x40, &o), SOFTGT_EU_FAULT);
        assert_int_equal(o.address, high + PAGE + 0x40);
        assert_int_equal(out[(PAGE + 0x40) / 4], 0);
        /* What may only be read, is. */
        assert_int_equal(softgt_eu_unmap(eu, high), 0);
        assert_int_equal(softgt_eu_map(eu, high, out, sizeof out, false), 0);
        assert_int_equal(run_flat(eu, false, high, &o), SOFTGT_EU_FINISHED);
        memset(out, 0, sizeof out);
        const bool drops = sheet_find(*name)->memory.drops_read_only_writes;
        assert_int_equal(run_flat(eu, true, high, &o), drops ? SOFTGT_EU_FINISHED : SOFTGT_EU_FAULT);
        assert_int_equal(out[0], 0);
        softgt_eu_destroy(eu);
    }
}

static bool load_port(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user;
    memset(data, (int)(address >> 12 & 0xff), size_bytes);
    return address >> 32 == 1;
}

static uint64_t stored_at, stored;
static bool store_port(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    (void)user;
    stored_at = address;
    stored = 0;
    memcpy(&stored, data, size_bytes < 4 ? size_bytes : 4);
    return address >> 32 == 1;
}

static void a_port_has_the_rest(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *eu = begin(*name);
        softgt_eu_destroy(eu);
        const struct softgt_eu_config config = {.device = *name,
                                                .memory = {.read = load_port, .write = store_port}};
        struct softgt_eu_outcome o;
        assert_int_equal(softgt_eu_create(&config, &eu), 0);
        assert_int_equal(softgt_eu_map(eu, UINT64_C(0x100042000), out, PAGE, true), 0);
        assert_int_equal(run_flat(eu, false, UINT64_C(0x100077000), &o), SOFTGT_EU_FINISHED);
        uint32_t read = 0;
        assert_true(softgt_eu_thread_read(softgt_eu_get_thread(eu, 0), SOFTGT_EU_GRF, 14 * 32, &read, 4));
        assert_int_equal(read, 0x77777777);
        assert_int_equal(run_flat(eu, true, UINT64_C(0x100077010), &o), SOFTGT_EU_FINISHED);
        assert_int_equal(stored_at, UINT64_C(0x100077010));
        assert_int_equal(stored, 0x1234567);
        assert_int_equal(run_flat(eu, true, UINT64_C(0x100042010), &o), SOFTGT_EU_FINISHED);
        assert_int_equal(stored_at, UINT64_C(0x100077010)); /* not this one */
        assert_int_equal(out[4], 0x1234567);
        assert_int_equal(run_flat(eu, false, UINT64_C(0x200000000), &o), SOFTGT_EU_FAULT);
        assert_int_equal(o.address, UINT64_C(0x200000000));
        softgt_eu_destroy(eu);
    }
}

static void barriers_meet_and_others_wait_for_ever(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin(*name);
        const struct softgt_eu_launch_config l = {.threads = 5};
        struct softgt_eu_outcome o;
        put_barrier();
        put_wait();
        kernel_end(&k);
        load_kernel(eu);
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
        assert_int_equal(o.instructions, 15);
        k.count = 0;
        put_wait();
        kernel_end(&k);
        load_kernel(eu);
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_DEADLOCK);
        assert_int_equal(o.ip, 0);
        assert_string_equal(o.why, "deadlock: every remaining thread waits");
        softgt_eu_destroy(eu);
    }
}

/* A barrier opens when all of the group's threads have come, those too that ended before. */
static void ended_without_the_barrier(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin(*name);
        static const uint32_t ends[4][8] = {{0}, {0}, {1}, {0}};
        const struct softgt_eu_launch_config l = {
            .threads = 4, .own_data = ends, .own_bytes = sizeof ends[0]};
        struct softgt_eu_outcome o;
        KERNEL_2(&k, EU_CMP, ((struct how){.channels = 1, .no_mask = true, .condition = 2 /* NE */}),
                 none(TYPE_UD), one(1, 0, TYPE_UD), imm(0, TYPE_UD));
        const unsigned over =
            kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true, .predicate = 1});
        put_barrier();
        put_wait();
        kernel_goes(&k, over, k.count, k.count);
        kernel_end(&k);
        load_kernel(eu);
        assert_int_equal(softgt_eu_launch(eu, &l), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_DEADLOCK);
        assert_string_equal(o.why,
                            "threads wait at a barrier, but the other threads of the group ended before it");
        assert_int_equal(o.instructions, 4 * 3); /* the waits have not run */
        softgt_eu_destroy(eu);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct softgt_eu *eu = NULL;
    const char *const none_such[] = {NULL, "", "voodoo", "snb", "hsw"};
    for (unsigned i = 0; i < sizeof none_such / sizeof none_such[0]; i++) {
        const struct softgt_eu_config config = {.device = none_such[i]};
        assert_int_equal(softgt_eu_create(&config, &eu), -EINVAL);
        assert_null(eu);
    }
    softgt_eu_destroy(NULL);
    eu = begin("skl");
    const uint64_t end = softgt_eu_address_end(eu);
    const uint32_t words[16] = {0};
    struct softgt_eu_launch_config l = {0};
    assert_int_equal(softgt_eu_launch(eu, &l), -EINVAL); /* no kernel */
    assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
    assert_int_equal(softgt_eu_step(eu, NULL), SOFTGT_EU_FINISHED);
    assert_null(softgt_eu_get_thread(eu, 0));
    assert_int_equal(softgt_eu_select(eu, 0), -EINVAL);
    assert_int_equal(softgt_eu_set_kernel(eu, NULL, 16), -EINVAL);
    assert_int_equal(softgt_eu_set_kernel(eu, words, 0), -EINVAL);
    assert_int_equal(softgt_eu_set_kernel(eu, words, (16u << 20) + 1u), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, PAGE, NULL, PAGE, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, PAGE, out, 0, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, 16, out, PAGE, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, end, out, PAGE, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, end - PAGE, out, PAGE + 1, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, UINT64_MAX - 4095, out, PAGE, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, PAGE, out, UINT64_MAX, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, end - PAGE, out, PAGE, true), 0);
    assert_int_equal(softgt_eu_map(eu, end - PAGE, out, PAGE, true), -EINVAL); /* twice */
    assert_int_equal(softgt_eu_map(eu, end - 2 * PAGE, out, 2 * PAGE, true), -EINVAL);
    assert_int_equal(softgt_eu_map(eu, end - 2 * PAGE, out, PAGE, true), 0);
    assert_int_equal(softgt_eu_unmap(eu, end - 3 * PAGE), -EINVAL);
    assert_int_equal(softgt_eu_unmap(eu, end - PAGE + 16), -EINVAL);
    assert_int_equal(softgt_eu_unmap(eu, end), -EINVAL);
    assert_int_equal(softgt_eu_set_surface(eu, SOFTGT_EU_SURFACES, 0, 16), -EINVAL);
    assert_int_equal(softgt_eu_set_surface(eu, 0, 0, UINT64_C(1) << 40), -EINVAL);
    assert_int_equal(softgt_eu_set_surface_state(eu, 0, NULL), -EINVAL);
    assert_int_equal(softgt_eu_set_surface_state(eu, SOFTGT_EU_SURFACES, words), -EINVAL);
    assert_int_equal(softgt_eu_set_sampler_state(eu, SOFTGT_EU_SAMPLERS, words), -EINVAL);
    assert_int_equal(softgt_eu_set_sampler_state(eu, 0, NULL), -EINVAL);
    kernel_end(&k);
    load_kernel(eu);
    assert_int_equal(softgt_eu_launch(eu, NULL), -EINVAL);
    const struct softgt_eu_launch_config wrong[] = {
        {.ip = 16},
        {.ip = 4},
        {.ip = UINT64_MAX - 7},
        {.channels = 4},
        {.channels = 24},
        {.channels = 64},
        {.threads = SOFTGT_EU_THREADS + 1},
        {.threads = UINT32_MAX},
        {.groups = {UINT32_MAX}, .first = {1}},
        {.first = {0, UINT32_MAX}},
        {.local_size = {1025}},
        {.local_size = {1024, 2}},
        {.local_size = {65536, 65536, 65536}},
        {.shared_bytes = (64 << 10) + 1},
        {.large_registers = true},
        {.data_bytes = 32},
        {.own_bytes = 32},
        {.data = words, .data_bytes = 16},
        {.data = words, .data_bytes = 128 * 32},
        {.data = words, .data_bytes = SIZE_MAX - 31},
        {.data = words, .data_bytes = 32, .own_data = words, .own_bytes = 127 * 32},
        {.payload = (enum softgt_eu_payload)3},
        {.payload = SOFTGT_EU_LOCAL_IDS, .data = words, .data_bytes = 288},
        {.payload = SOFTGT_EU_LOCAL_IDS, .own_data = words, .own_bytes = 32},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(softgt_eu_launch(eu, &wrong[i]), -EINVAL);
    assert_int_equal(softgt_eu_launch(eu, &l), 0);
    assert_null(softgt_eu_get_thread(eu, 0)); /* it has not begun */
    assert_int_equal(softgt_eu_run(eu, 0, NULL), SOFTGT_EU_UNFINISHED);
    assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
    struct softgt_eu_thread *const t = softgt_eu_get_thread(eu, 0);
    uint8_t bytes[64];
    assert_non_null(t);
    assert_null(softgt_eu_get_thread(eu, 1));
    assert_int_equal(softgt_eu_file_bytes(t, SOFTGT_EU_GRF), 4096);
    for (unsigned file = 0; file <= SOFTGT_EU_FILES; file++) {
        const size_t size = softgt_eu_file_bytes(t, (enum softgt_eu_file)file);
        assert_int_equal(softgt_eu_file_name((enum softgt_eu_file)file) != NULL, file < SOFTGT_EU_FILES);
        assert_int_equal(size != 0, file < SOFTGT_EU_FILES);
        assert_false(softgt_eu_thread_read(t, (enum softgt_eu_file)file, size, bytes, 1));
        assert_false(softgt_eu_thread_read(t, (enum softgt_eu_file)file, SIZE_MAX, bytes, 2));
        assert_false(softgt_eu_thread_write(t, (enum softgt_eu_file)file, size - 1, bytes, 2));
        if (size)
            assert_true(softgt_eu_thread_read(t, (enum softgt_eu_file)file, size - 1, bytes, 1));
    }
    assert_false(softgt_eu_thread_write(t, SOFTGT_EU_ACTIVE, 0, bytes, 4));
    assert_false(softgt_eu_thread_write(t, SOFTGT_EU_STARTED, 0, bytes, 4));
    assert_int_equal(softgt_eu_register_bytes(SOFTGT_EU_FILES), 0);
    softgt_eu_destroy(eu);
}

/* ---- Looking ---- */

static struct {
    unsigned before, after, changes;
    uint64_t ips[64];
    char text[64][240], changed[64][40];
    uint64_t hold_at; /* UINT64_MAX: nowhere */
    unsigned wanted_thread;
} log_;

static bool log_wanted(void *user, const struct softgt_eu_thread *t)
{
    struct softgt_eu_thread_info info;
    (void)user;
    softgt_eu_thread_get_info(t, &info);
    return info.thread == log_.wanted_thread;
}

static bool log_before(void *user, struct softgt_eu_thread *t)
{
    struct softgt_eu_thread_info info;
    (void)user;
    softgt_eu_thread_get_info(t, &info);
    log_.before++;
    return info.ip != log_.hold_at;
}

static void log_change(void *user, const struct softgt_eu_change *c)
{
    char *const text = user;
    const size_t at = strlen(text);
    uint32_t before = 0, after = 0;
    log_.changes++;
    memcpy(&before, c->before, 4);
    memcpy(&after, c->after, 4);
    snprintf(text + at, 40 - at, "%s%u %x>%x;", softgt_eu_file_name(c->file), c->number, before, after);
}

static void log_after(void *user, struct softgt_eu_thread *t)
{
    struct softgt_eu_thread_info info;
    (void)user;
    softgt_eu_thread_get_info(t, &info);
    assert_true(log_.after < 64);
    log_.ips[log_.after] = info.ip;
    softgt_eu_thread_disassemble(t, log_.text[log_.after], sizeof log_.text[0]);
    softgt_eu_thread_changes(t, log_.changed[log_.after], log_change);
    log_.after++;
}

static void begin_log(unsigned thread)
{
    memset(&log_, 0, sizeof log_);
    log_.hold_at = UINT64_MAX;
    log_.wanted_thread = thread;
}

static const struct softgt_eu_hooks logs = {.wanted = log_wanted, .before = log_before, .after = log_after};

static void hooks_see_each_instruction(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin_fives(*name, 1, 2);
        begin_log(1);
        assert_int_equal(softgt_eu_watch(eu, &logs), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
        expect_fives(1, 2);
        assert_int_equal(log_.before, k.count); /* of one thread of two */
        assert_int_equal(log_.after, k.count);
        for (unsigned i = 0; i < k.count; i++) {
            struct text line = {0};
            assert_int_equal(log_.ips[i], i * 16);
            eu_disassemble(k.set, &k.i[i], i * 16, &line);
            text_char(&line, '\0');
            assert_string_equal(log_.text[i], line.bytes);
            text_free(&line);
        }
        /* r20 becomes 16 and so on, of 16 channels in two registers. */
        assert_string_equal(log_.changed[0], "r20 0>10;r21 0>18;");
        assert_string_equal(log_.changed[1], ""); /* the group is 0: what it wrote was there */
        assert_string_equal(log_.changed[2], "r10 0>10;r11 0>18;");
        assert_string_equal(log_.changed[6], "r12 50>438;r13 78>460;");
        softgt_eu_destroy(eu);
    }
}

/* A register of Gen20 has 16 dwords: its changes are one, with the number that the instruction has. */
static void changes_of_wide_registers(void **state)
{
    (void)state;
    struct softgt_eu *const eu = begin("bmg");
    const struct op r10 = reg(10 * kernel_rows(k.set), TYPE_UD);
    KERNEL_1(&k, EU_MOV, all, r10, imm(5, TYPE_UD));
    KERNEL_2(&k, EU_ADD, ((struct how){.channels = 8, .first = 8}), r10, r10, imm(1, TYPE_UD));
    kernel_end(&k);
    load_kernel(eu);
    const struct softgt_eu_launch_config launch = fives(1, 1);
    assert_int_equal(softgt_eu_launch(eu, &launch), 0);
    begin_log(0);
    assert_int_equal(softgt_eu_watch(eu, &logs), 0);
    assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
    assert_non_null(strstr(log_.text[0], "r10.0<1>:ud"));
    assert_string_equal(log_.changed[0], "r10 0>5;");
    assert_string_equal(log_.changed[1], "r10 5>6;");
    softgt_eu_destroy(eu);
}

static void a_hook_holds_and_it_runs_on(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin_fives(*name, 2, 1);
        struct softgt_eu_outcome o;
        begin_log(0);
        log_.hold_at = 32;
        assert_int_equal(softgt_eu_watch(eu, &logs), 0);
        for (unsigned group = 0; group < 2; group++) {
            assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_HELD);
            assert_int_equal(o.ip, 32);
            assert_int_equal(o.group[0], group);
            assert_int_equal(o.instructions, group * k.count + 2);
        }
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
        expect_fives(2, 1);
        assert_int_equal(log_.after, 2 * k.count);
        assert_int_equal(log_.before, 2 * k.count); /* each is asked for once */
        softgt_eu_destroy(eu);
    }
}

static void breakpoints_and_steps(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin_fives(*name, 1, 2);
        struct softgt_eu_outcome o;
        char text[16];
        assert_int_equal(softgt_eu_set_breakpoint(eu, 48, true), 0);
        assert_int_equal(softgt_eu_set_breakpoint(eu, 48, true), 0);
        assert_int_equal(softgt_eu_set_breakpoint(eu, 80, true), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_HELD);
        assert_int_equal(o.ip, 48);
        assert_int_equal(o.thread, 0);
        struct softgt_eu_thread *t = softgt_eu_get_thread(eu, 0);
        assert_non_null(t);
        const size_t length = softgt_eu_thread_disassemble(t, text, sizeof text);
        assert_true(length > sizeof text); /* it is cut */
        assert_int_equal(strlen(text), sizeof text - 1);
        assert_int_equal(softgt_eu_thread_disassemble(t, NULL, 0), length);
        /* A step goes on from there, and the next. */
        assert_int_equal(softgt_eu_step(eu, &o), SOFTGT_EU_HELD);
        assert_int_equal(o.ip, 64);
        assert_int_equal(o.instructions, 4);
        /* The constant becomes another one for this thread. */
        const uint32_t other_constant = 2000;
        t = softgt_eu_get_thread(eu, 0);
        assert_true(softgt_eu_thread_write(t, SOFTGT_EU_GRF, 32 * CONSTANT, &other_constant, 4));
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_HELD);
        assert_int_equal(o.ip, 80);
        assert_int_equal(softgt_eu_set_breakpoint(eu, 80, false), 0);
        assert_int_equal(softgt_eu_set_breakpoint(eu, 80, false), 0);
        /* The other thread's turn. */
        assert_int_equal(softgt_eu_select(eu, 2), -EINVAL);
        assert_int_equal(softgt_eu_select(eu, 1), 0);
        assert_int_equal(softgt_eu_step(eu, &o), SOFTGT_EU_HELD);
        assert_int_equal(o.thread, 1);
        assert_int_equal(o.ip, 16);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_HELD);
        assert_int_equal(o.ip, 48);
        assert_int_equal(o.thread, 1);
        /* It leaves out the store. */
        const uint64_t to = (k.count - 1) * 16u;
        assert_true(softgt_eu_thread_write(softgt_eu_get_thread(eu, 1), SOFTGT_EU_IP, 0, &to, sizeof to));
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
        for (unsigned i = 0; i < OUT_DW; i++)
            assert_int_equal(out[i], i < SIMD ? 5 * i + 2000 : 0);
        assert_int_equal(softgt_eu_step(eu, &o), SOFTGT_EU_FINISHED);
        softgt_eu_destroy(eu);
    }
}

/* Step by step it is the same. */
static void steps_come_to_the_same(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin_fives(*name, 2, 4);
        struct softgt_eu_outcome o;
        uint64_t steps = 0;
        while (softgt_eu_step(eu, &o) == SOFTGT_EU_HELD)
            assert_int_equal(o.instructions, ++steps);
        assert_int_equal(o.result, SOFTGT_EU_FINISHED);
        assert_int_equal(o.instructions, 8 * k.count);
        assert_int_equal(steps, 8 * k.count - 1);
        expect_fives(2, 4);
        softgt_eu_destroy(eu);
    }
}

static struct softgt_eu *reentered;
static bool run_inside(void *user, struct softgt_eu_thread *t)
{
    const struct softgt_eu_launch_config l = {0};
    (void)user, (void)t;
    softgt_eu_run(reentered, UINT64_MAX, NULL);
    softgt_eu_step(reentered, NULL);
    assert_int_equal(softgt_eu_launch(reentered, &l), -EBUSY);
    for (uint32_t thread = 0; thread < 2; thread++)
        assert_int_equal(softgt_eu_select(reentered, thread), -EBUSY);
    assert_int_equal(softgt_eu_set_kernel(reentered, &l, sizeof l), -EBUSY);
    assert_int_equal(softgt_eu_map(reentered, UINT64_C(1) << 40, out, 4096, true), -EBUSY);
    assert_int_equal(softgt_eu_unmap(reentered, UINT64_C(1) << 40), -EBUSY);
    softgt_eu_destroy(reentered);
    return true;
}

static void a_hook_cannot_run_the_runner(void **state)
{
    (void)state;
    const struct softgt_eu_hooks hooks = {.before = run_inside};
    struct softgt_eu_outcome o;
    reentered = begin_fives("tgl", 1, 1);
    assert_int_equal(softgt_eu_watch(reentered, &hooks), 0);
    assert_int_equal(softgt_eu_run(reentered, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
    assert_int_equal(o.instructions, k.count);
    expect_fives(1, 1);
    softgt_eu_destroy(reentered);
    /* A step stays one. */
    reentered = begin_fives("tgl", 1, 2);
    assert_int_equal(softgt_eu_watch(reentered, &hooks), 0);
    assert_int_equal(softgt_eu_step(reentered, &o), SOFTGT_EU_HELD);
    assert_int_equal(o.instructions, 1);
    assert_int_equal(softgt_eu_run(reentered, UINT64_MAX, &o), SOFTGT_EU_FINISHED);
    expect_fives(1, 2);
    softgt_eu_destroy(reentered);
}

/* 256 registers are of Gen12.5. */
static void registers_are_as_many_as_there_are(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin(*name);
        const struct softgt_eu_launch_config large = {.large_registers = true};
        kernel_end(&k);
        load_kernel(eu);
        assert_int_equal(softgt_eu_launch(eu, &large), strcmp(*name, "dg2") == 0 ? 0 : -EINVAL);
        softgt_eu_destroy(eu);
    }
}

/* Any bytes, any numbers: an end or a budget. */
static void noise_does_no_harm(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (EACH_DEVICE(name)) {
        struct softgt_eu *const eu = begin(*name);
        assert_int_equal(softgt_eu_map(eu, 0, out, sizeof out, true), 0);
        for (unsigned n = 0; n < SOFTGT_EU_SURFACES; n++)
            assert_int_equal(softgt_eu_set_surface(eu, n, n * 16, n * 64), 0);
        for (unsigned round = 0; round < 200; round++) {
            uint32_t bytes[256];
            for (unsigned i = 0; i < 256; i++)
                bytes[i] = seed = seed * 1664525u + 1013904223u;
            struct softgt_eu_launch_config l = {.groups = {2, 2},
                                                .threads = round % 8 + 1,
                                                .channels = 8u << round % 3,
                                                .shared_bytes = 1024,
                                                .payload = SOFTGT_EU_SHARED_FIRST,
                                                .data = bytes,
                                                .data_bytes = 512};
            for (unsigned i = 0; i < 256; i += 4) { /* operations that there are, more often than not */
                const struct eu_operation *const o = &eu_operations[bytes[i] % eu_operation_count];
                if (o->generations & k.set->generation)
                    bytes[i] = (bytes[i] & ~0x7fu & ~(1u << 29)) |
                               (k.set->gen6_encoding ? o->gen6_code : o->gen12_code);
            }
            assert_int_equal(softgt_eu_set_kernel(eu, bytes, sizeof bytes - round % 16), 0);
            assert_int_equal(softgt_eu_launch(eu, &l), 0);
            softgt_eu_run(eu, 20000, NULL);
        }
        softgt_eu_destroy(eu);
    }
}

TEST_PROGRAM(eu_alone_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_runs),
        cmocka_unit_test(budgets_change_nothing),
        cmocka_unit_test(payloads_are_where_they_are),
        cmocka_unit_test(a_hook_makes_a_payload),
        cmocka_unit_test(what_is_illegal_says_where),
        cmocka_unit_test(addresses_are_as_they_are_mapped),
        cmocka_unit_test(a_port_has_the_rest),
        cmocka_unit_test(barriers_meet_and_others_wait_for_ever),
        cmocka_unit_test(ended_without_the_barrier),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(hooks_see_each_instruction),
        cmocka_unit_test(changes_of_wide_registers),
        cmocka_unit_test(a_hook_holds_and_it_runs_on),
        cmocka_unit_test(breakpoints_and_steps),
        cmocka_unit_test(steps_come_to_the_same),
        cmocka_unit_test(a_hook_cannot_run_the_runner),
        cmocka_unit_test(registers_are_as_many_as_there_are),
        cmocka_unit_test(noise_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
