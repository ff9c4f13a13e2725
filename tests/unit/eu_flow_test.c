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

/* Where channels and threads go: branches, calls, waits, messages, exceptions; and that a thread is the same
 * however it is cut, saved and loaded. Each test is of every generation. */

static struct kernel k;
static struct eu_thread t;

static void begin(const struct eu_isa *set)
{
    k.set = set;
    k.count = 0;
    eu_thread_start(&t, set, 0, 0xffff);
    for (unsigned n = 0; n < 16; n++) /* r1: the channels' numbers */
        memcpy(t.grf + 32 + 2 * n, &(uint16_t){(uint16_t)n}, 2);
}

/* Channels that wait where the thread never comes. */
static void switch_off(uint32_t channels)
{
    t.execution_mask = t.dispatch_mask & ~channels;
    for (unsigned n = 0; n < EU_MAX_CHANNELS; n++)
        t.channel_ip[n] = 0xfff8;
}

static const struct how on_all = {.channels = 16}, no_mask = {.channels = 1, .no_mask = true};

static void set_dwords(unsigned number, uint32_t value)
{
    KERNEL_1(&k, EU_MOV, on_all, reg(number, TYPE_UD), imm(value, TYPE_UD));
}

static void add(unsigned number, uint32_t value)
{
    KERNEL_2(&k, EU_ADD, on_all, reg(number, TYPE_UD), reg(number, TYPE_UD), imm(value, TYPE_UD));
}

/* f0.0: channels whose number is below. */
static void less_than(uint16_t limit)
{
    KERNEL_2(&k, EU_CMP, ((struct how){.channels = 16, .condition = 5}), none(TYPE_UW),
             region(1, TYPE_UW, 16, 16, 1), imm(limit, TYPE_UW));
}

static uint32_t dword(unsigned number, unsigned channel)
{
    uint32_t value;
    memcpy(&value, t.grf + number * EU_REGISTER_BYTES + 4 * channel, 4);
    return value;
}

/* The thread in one run; then in runs of every budget, saved and loaded between them, with kernels decoded by
 * each level of handlers there is: all the same. */
static struct test_port last_port;

static enum eu_stop run_in(struct eu_thread *thread, struct eu_cache *cache, uint64_t slice, unsigned piece,
                           bool save)
{
    static uint8_t bytes[sizeof(struct eu_thread) + 64];
    enum eu_stop stop = EU_BUDGET;
    struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
    p.port.context = &p;
    p.most_piece = piece;
    for (unsigned n = 0; n < 20000 && stop == EU_BUDGET; n++) {
        uint64_t budget = slice;
        stop = eu_thread_run(thread, &p.port, &budget);
        if (stop == EU_BUDGET)
            assert_int_equal(budget, 0);
        if (!save)
            continue;
        struct state out = {.saving = true, .output = bytes, .size = sizeof bytes}, in = {.input = bytes};
        const char *const why = thread->why;
        eu_thread_state(thread, &out);
        assert_false(out.failed);
        in.size = out.offset;
        eu_thread_start(thread, k.set, 0, 0);
        eu_thread_state(thread, &in);
        assert_false(in.failed);
        thread->why = why;
    }
    last_port = p;
    return stop;
}

static enum eu_stop go(void)
{
    struct eu_thread start = t;
    kernel_finish(&k);
    const enum eu_stop stop = run_in(&t, NULL, 100000, 0, false);
    for (unsigned level = EU_SIMD_NONE; level < TEST_WAYS; level++) {
        struct eu_cache *const cache = test_cache(level);
        for (uint64_t slice = 1; cache && slice < 20; slice += slice < 4 ? 1 : 5) {
            struct eu_thread cut = start;
            assert_int_equal(run_in(&cut, cache, slice, slice == 2 ? 24 : 0, slice != 3), stop);
            cut.why = t.why;
            assert_memory_equal(&cut, &t, sizeof t);
        }
        eu_cache_destroy(cache);
    }
    return stop;
}

/* A register file that has an upper half has it in every saved thread; a large GRF is a choice of others. */
static void saved_threads_have_their_registers(void **state)
{
    static const struct eu_isa *const sets[] = {&eu_gen6, &eu_gen200, &eu_gen125};
    static uint8_t bytes[sizeof(struct eu_thread) + 64];
    (void)state;
    for (unsigned n = 0; n < sizeof sets / sizeof *sets; n++) {
        static struct eu_thread thread;
        struct state out = {.saving = true, .output = bytes, .size = sizeof bytes}, in = {.input = bytes};
        eu_thread_start(&thread, sets[n], 0, 1);
        thread.grf_rows = EU_REGISTERS;
        eu_thread_state(&thread, &out);
        in.size = out.offset;
        eu_thread_start(&thread, sets[n], 0, 0);
        eu_thread_state(&thread, &in);
        assert_int_equal(in.failed, sets[n] != &eu_gen125);
    }
}

static void ends(void)
{
    kernel_end(&k);
    if (go() != EU_ENDED)
        fail_msg("%s: %s", k.set->name, t.why ? t.why : "not ended");
}

/* ---- Branches ---- */

static void if_and_else(void **state)
{
    (void)state;
    for (uint16_t limit = 0; limit <= 16; limit += 4)
        EVERY_SET(each)
        {
            begin(*each);
            set_dwords(10, 0);
            less_than(limit);
            const unsigned at_if = kernel_branch(&k, EU_IF, (struct how){.channels = 16, .predicate = 1});
            add(10, 1);
            const unsigned at_else = kernel_branch(&k, EU_ELSE, on_all);
            add(10, 2);
            const unsigned at_end = kernel_branch(&k, EU_ENDIF, on_all);
            add(10, 4);
            kernel_goes(&k, at_if, at_else + 1, at_end);
            kernel_goes(&k, at_else, at_end, at_end);
            kernel_goes(&k, at_end, at_end + 1, at_end + 1);
            ends();
            for (unsigned n = 0; n < 16; n++)
                assert_int_equal(dword(10, n), n < limit ? 5 : 6);
        }
}

/* Each channel leaves the loop after its number of rounds; one in four leaves out the rest of a round. */
static void loops(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0);
        set_dwords(12, 0);
        set_dwords(14, 0);
        KERNEL_1(&k, EU_MOV, on_all, reg(16, TYPE_UD), region(1, TYPE_UW, 16, 16, 1));
        const unsigned loop = k.count;
        add(10, 1);
        KERNEL_2(&k, EU_CMP, ((struct how){.channels = 16, .condition = 3}), none(TYPE_UD), reg(10, TYPE_UD),
                 reg(16, TYPE_UD));
        const unsigned at_break = kernel_branch(&k, EU_BREAK, (struct how){.channels = 16, .predicate = 1});
        KERNEL_2(&k, EU_AND, ((struct how){.channels = 16, .condition = 1}), none(TYPE_UD), reg(10, TYPE_UD),
                 imm(3, TYPE_UD));
        const unsigned at_cont = kernel_branch(&k, EU_CONT, (struct how){.channels = 16, .predicate = 1});
        add(12, 1);
        const unsigned at_while = kernel_branch(&k, EU_WHILE, on_all);
        add(14, 1);
        kernel_goes(&k, at_break, at_while, at_while);
        kernel_goes(&k, at_cont, at_while, at_while);
        kernel_goes(&k, at_while, loop, loop);
        ends();
        for (unsigned n = 0; n < 16; n++) {
            assert_int_equal(dword(10, n), n + 1);
            assert_int_equal(dword(12, n), n - n / 4);
            assert_int_equal(dword(14, n), 1);
        }
    }
}

/* A break's while may be before it, and in another KB of the kernel, or at the last bytes of one. */
static void breaks_go_back(void **state)
{
    (void)state;
    enum { EDGE = 1024 / EU_NATIVE_BYTES };
    for (unsigned loop_end = EDGE - 3; loop_end < EDGE + 2; loop_end++)
        EVERY_SET(each)
        {
            begin(*each);
            set_dwords(10, 5);
            set_dwords(12, 0);
            const unsigned over = kernel_branch(&k, EU_JMPI, no_mask);
            while (k.count < loop_end - 1)
                set_dwords(14, 0);
            add(12, 1);
            const unsigned at_while = kernel_branch(&k, EU_WHILE, on_all);
            const unsigned behind = k.count;
            KERNEL_2(&k, EU_ADD, ((struct how){.channels = 16, .condition = 2}), reg(10, TYPE_UD),
                     reg(10, TYPE_UD), imm(UINT32_MAX, TYPE_UD));
            const unsigned out = kernel_branch(
                &k, EU_JMPI, (struct how){.channels = 1, .no_mask = true, .predicate = 1, .invert = true});
            const unsigned at_break = kernel_branch(&k, EU_BREAK, on_all);
            kernel_goes(&k, at_while, loop_end - 1, loop_end - 1);
            kernel_goes(&k, over, behind, behind);
            kernel_goes(&k, at_break, at_while, at_while);
            kernel_goes(&k, out, k.count, k.count);
            ends();
            for (unsigned n = 0; n < 16; n++) {
                assert_int_equal(dword(10, n), 0);
                assert_int_equal(dword(12, n), 0);
            }
        }
}

/* A loop whose while has the condition. */
static void while_with_a_predicate(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0);
        KERNEL_1(&k, EU_MOV, on_all, reg(16, TYPE_UD), region(1, TYPE_UW, 16, 16, 1));
        const unsigned loop = k.count;
        add(10, 1);
        KERNEL_2(&k, EU_CMP, ((struct how){.channels = 16, .condition = 6}), none(TYPE_UD), reg(10, TYPE_UD),
                 reg(16, TYPE_UD));
        const unsigned at_while = kernel_branch(&k, EU_WHILE, (struct how){.channels = 16, .predicate = 1});
        kernel_goes(&k, at_while, loop, loop);
        ends();
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(dword(10, n), n + 1);
    }
}

/* goto parks channels at UIP, join takes them up; when none is left, JIP. On Gen9 those leave whose predicate
 * is false, so that without predicate none does. */
static void goto_and_join(void **state)
{
    (void)state;
    for (uint16_t limit = 0; limit <= 16; limit += 4)
        EVERY_SET(each)
        {
            begin(*each);
            set_dwords(10, 0);
            less_than(limit);
            const bool unless = (*each)->generation & EU_GEN8_9;
            const unsigned none_leaves = kernel_branch(
                &k, EU_GOTO, unless ? on_all : (struct how){.channels = 16, .predicate = 1, .flag = 2});
            const unsigned first =
                kernel_branch(&k, EU_GOTO, (struct how){.channels = 16, .predicate = 1, .invert = unless});
            add(10, 1);
            const unsigned second = kernel_branch(
                &k, EU_GOTO, unless ? (struct how){.channels = 16, .predicate = 1, .flag = 2} : on_all);
            const unsigned other = kernel_branch(&k, EU_JOIN, on_all);
            add(10, 2);
            const unsigned end = kernel_branch(&k, EU_JOIN, on_all);
            add(10, 4);
            kernel_goes(&k, none_leaves, other, end);
            kernel_goes(&k, first, other, other);
            kernel_goes(&k, second, other, end);
            kernel_goes(&k, other, end, end);
            kernel_goes(&k, end, end + 1, end + 1);
            ends();
            for (unsigned n = 0; n < 16; n++)
                assert_int_equal(dword(10, n), n < limit ? 6 : 5);
        }
}

/* With branch control: a back edge, whose JIP is the join behind the loop. */
static void goto_back(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0);
        KERNEL_1(&k, EU_MOV, on_all, reg(16, TYPE_UD), region(1, TYPE_UW, 16, 16, 1));
        const unsigned loop = k.count;
        add(10, 1);
        KERNEL_2(&k, EU_CMP, ((struct how){.channels = 16, .condition = 6}), none(TYPE_UD), reg(10, TYPE_UD),
                 reg(16, TYPE_UD));
        const unsigned back =
            kernel_branch(&k, EU_GOTO, (struct how){.channels = 16, .predicate = 1, .branch_control = true});
        const unsigned end = kernel_branch(&k, EU_JOIN, on_all);
        add(10, 100);
        kernel_goes(&k, back, end, loop);
        kernel_goes(&k, end, end + 1, end + 1);
        ends();
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(dword(10, n), n + 101);
    }
}

/* A subroutine that some channels call from two places, one call inside the other's subroutine. */
static void calls_and_returns(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0);
        less_than(5);
        struct how some = {.channels = 16, .predicate = 1};
        unsigned calls[3], n = 0;
        const struct op links[3] = {one(5, 0, TYPE_UD), one(5, 0, TYPE_UD), one(6, 0, TYPE_UD)};
        for (unsigned c = 0; c < 3; c++) {
            if (c == 2) { /* outer: calls inner in its turn */
                kernel_end(&k);
                n = k.count;
                add(10, 16);
            }
            calls[c] = kernel_branch(&k, EU_CALL, c == 0 ? some : on_all);
            kernel_destination(&k, &k.i[calls[c]], &links[c]);
            add(10, c == 0 ? 1 : c == 1 ? 2 : 32);
        }
        struct op back = region(5, TYPE_UD, 2, 2, 1), inner_back = region(6, TYPE_UD, 2, 2, 1);
        back.h = inner_back.h = 1;
        struct eu_instruction *i = kernel_add(&k, EU_RET, 0, &on_all);
        kernel_source(&k, i, 0, &back);
        const unsigned inner = k.count;
        add(10, 256);
        i = kernel_add(&k, EU_RET, 0, &on_all);
        kernel_source(&k, i, 0, &inner_back);
        kernel_goes(&k, calls[0], n, n);
        kernel_goes(&k, calls[1], n, n);
        kernel_goes(&k, calls[2], inner, inner);
        if (go() != EU_ENDED)
            fail_msg("%s: %s", (*each)->name, t.why ? t.why : "not ended");
        for (unsigned c = 0; c < 16; c++)
            assert_int_equal(dword(10, c), (c < 5 ? 2u : 1u) * (16 + 32 + 256) + 3);
    }
}

/* halt sends channels to the program's end; jmpi takes all. */
static void halts_and_jumps(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0);
        less_than(9);
        const unsigned jump = kernel_branch(&k, EU_JMPI, no_mask);
        add(10, 1000);
        const unsigned at_if = kernel_branch(&k, EU_IF, (struct how){.channels = 16, .predicate = 1});
        add(10, 1);
        const unsigned halt = kernel_branch(&k, EU_HALT, (struct how){.channels = 16, .predicate = 1});
        add(10, 2);
        const unsigned at_end = kernel_branch(&k, EU_ENDIF, on_all);
        add(10, 4);
        const unsigned last = kernel_branch(&k, EU_HALT, on_all);
        kernel_goes(&k, jump, at_if, at_if);
        kernel_goes(&k, at_if, at_end, at_end);
        kernel_goes(&k, halt, at_end, last);
        kernel_goes(&k, at_end, at_end + 1, at_end + 1);
        kernel_goes(&k, last, last + 1, last + 1);
        add(10, 8);
        ends();
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(dword(10, n), n < 9 ? 9 : 12);
    }
}

/* brd: with those that branch at once; brc: with those that stay. */
static void branches_diverge_and_converge(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0);
        less_than(3);
        const unsigned brc = kernel_branch(&k, EU_BRC, (struct how){.channels = 16, .predicate = 1});
        add(10, 1);
        const unsigned brd =
            kernel_branch(&k, EU_BRD, (struct how){.channels = 16, .predicate = 1, .invert = true});
        add(10, 2);
        const unsigned join = kernel_branch(&k, EU_JOIN, on_all);
        add(10, 4);
        kernel_goes(&k, brc, join, join);
        kernel_goes(&k, brd, join, join);
        kernel_goes(&k, join, join + 1, join + 1);
        ends();
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(dword(10, n), n < 3 ? 4 : 5);
    }
}

/* An offset may be in a register of the architecture: in ip it is as far again as the branch is from the
 * kernel's beginning. Up to Gen11 jmpi counts from the instruction behind it. */
static void offsets_in_ip(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0);
        const unsigned at = k.count, to = 2 * at + ((*each)->gen6_encoding ? 1 : 0), last = 4 * at;
        struct op ip = other(FILE_IP, 0, 0, TYPE_D);
        ip.v = 0, ip.w = 1, ip.h = 0;
        struct eu_instruction *const i = kernel_add(&k, EU_JMPI, 0, &no_mask);
        kernel_source(&k, i, (*each)->gen6_encoding ? 1 : 0, &ip);
        while (k.count <= last)
            add(10, 1);
        ends();
        assert_int_equal(dword(10, 0), last + 1 - to);
    }
}

/* Instructions without a mask run with no channel on; others do nothing. */
static void masks(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        switch_off(0xf00f);
        set_dwords(10, 1);
        KERNEL_1(&k, EU_MOV, ((struct how){.channels = 16, .no_mask = true}), reg(12, TYPE_UD),
                 imm(2, TYPE_UD));
        KERNEL_1(&k, EU_MOV, ((struct how){.channels = 8, .first = 8}), reg(14, TYPE_UD), imm(3, TYPE_UD));
        KERNEL_1(&k, EU_MOV, no_mask, one(16, 0, TYPE_UD), other(FILE_CHANNEL_ENABLE, 0, 0, TYPE_UD));
        KERNEL_1(&k, EU_MOV, no_mask, one(16, 4, TYPE_UD), other(FILE_STATE, 0, 8, TYPE_UD));
        ends();
        for (unsigned n = 0; n < 16; n++) {
            assert_int_equal(dword(10, n), n >= 4 && n < 12);
            assert_int_equal(dword(12, n), 2);
        }
        for (unsigned n = 0; n < 8; n++)
            assert_int_equal(dword(14, n), n < 4 ? 3 : 0);
        assert_int_equal(dword(16, 0), 0x0ff0);
        assert_int_equal(dword(16, 1), 0xffff);
    }
}

/* ---- Messages and waits ---- */

static void messages(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 0x01020304);
        less_than(6);
        kernel_send(&k, (struct how){.channels = 16, .predicate = 1}, SFID_DC1, 2u << 25 | 3u << 20 | 0x1234,
                    reg(20, TYPE_UD), reg(10, TYPE_UD), false);
        less_than(0); /* no channel: no message */
        kernel_send(&k, (struct how){.channels = 16, .predicate = 1}, SFID_DC1, 2u << 25 | 3u << 20,
                    reg(28, TYPE_UD), reg(10, TYPE_UD), false);
        ends();
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(dword(20, n), ~0x01020304u);
        assert_int_equal(dword(22, 0), UINT32_MAX); /* the third: no payload */
        assert_int_equal(dword(28, 0), 0);
        assert_int_equal(last_port.sent, 2);
        assert_true(last_port.last.end_of_thread);
    }
}

static struct eu_send seen;

static enum eu_answer keep(void *context, struct eu_thread *thread, const struct eu_send *m, uint64_t *budget)
{
    unsigned *const count = context;
    (void)thread;
    if (m->end_of_thread)
        return EU_SENT;
    seen = *m;
    if (++*count == 1)
        return EU_SEND_BLOCKED;
    *budget -= *budget < 5 ? *budget : 5;
    return *count == 2 ? EU_SENT : EU_SEND_FAULT;
}

static const void *fetch_kernel(void *context, uint64_t address, size_t *there)
{
    (void)context;
    *there = address < sizeof k.bytes ? sizeof k.bytes - (size_t)address : 0;
    return *there ? k.bytes + address : NULL;
}

/* What a message says; it comes again after EU_SEND_BLOCKED; a port takes budget; a fault is the thread's. */
static void messages_say_all(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        unsigned count = 0;
        uint64_t budget = 100;
        const struct eu_port port = {
            .context = &count, .cache = test_exact_cache(), .fetch = fetch_kernel, .send = keep};
        begin(*each);
        switch_off(0x00c3);
        kernel_send(&k, (struct how){.channels = 8, .first = 8}, SFID_SAMPLER, 1u << 25 | 2u << 20 | 7,
                    reg(20, TYPE_UD), reg(10, TYPE_UD), false);
        kernel_send(&k, (struct how){.channels = 8}, SFID_SAMPLER, 1u << 25, none(TYPE_UD), reg(10, TYPE_UD),
                    false);
        kernel_end(&k);
        kernel_finish(&k);
        assert_int_equal(eu_thread_run(&t, &port, &budget), EU_WAITS);
        assert_int_equal(budget, 100);
        assert_int_equal(t.ip, 0);
        assert_int_equal(eu_thread_run(&t, &port, &budget), EU_EXCEPTION);
        assert_int_equal(seen.channels, 0x3c);
        assert_int_equal(seen.first_channel, 0);
        assert_null(seen.response);
        assert_int_equal(t.ip, EU_NATIVE_BYTES);
        assert_int_equal(budget, 100 - 2 - 10);
        begin(*each);
        switch_off(0x00c3);
        count = 1;
        budget = 100;
        k.count = 3;
        assert_int_equal(eu_thread_run(&t, &port, &(uint64_t){1}), EU_BUDGET);
        assert_int_equal(seen.sfid, SFID_SAMPLER);
        assert_int_equal(seen.descriptor, 1u << 25 | 2u << 20 | 7);
        assert_int_equal(seen.execution_size, 8);
        assert_int_equal(seen.channels, 0xff);
        assert_int_equal(seen.first_channel, 8);
        assert_ptr_equal(seen.payload[0], t.grf + 10 * 32);
        assert_ptr_equal(seen.response, t.grf + 20 * 32);
        assert_int_equal(seen.register_rows, kernel_rows(*each));
        assert_int_equal(seen.payload_registers[0], kernel_rows(*each));
        assert_int_equal(seen.response_registers, 2 * kernel_rows(*each));
    }
}

static void waits_for_notifications(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        uint64_t budget = 100;
        begin(*each);
        if ((*each)->gen6_encoding) {
            KERNEL_1(&k, EU_WAIT, no_mask, none(TYPE_UD), one(0, 0, TYPE_UD));
            struct op n0 = other(FILE_NOTIFICATION, 0, 0, TYPE_UD);
            n0.v = 0, n0.w = 1, n0.h = 0;
            kernel_source(&k, &k.i[0], 0, &n0);
        } else {
            k.count = 0;
            struct eu_instruction *const i =
                kernel_add(&k, EU_SYNC, 0, &(struct how){.channels = 1, .no_mask = true, .function = 14});
            struct op nothing = none(TYPE_UD);
            nothing.v = 0, nothing.w = 1, nothing.h = 0;
            kernel_source(&k, i, 0, &nothing);
        }
        kernel_end(&k);
        kernel_finish(&k);
        struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, NULL);
        p.port.context = &p;
        for (unsigned n = 0; n < 3; n++)
            assert_int_equal(eu_thread_run(&t, &p.port, &budget), EU_WAITS);
        assert_int_equal(budget, 100);
        eu_thread_notify(&t, 0);
        eu_thread_notify(&t, 0);
        assert_int_equal(eu_thread_run(&t, &p.port, &budget), EU_ENDED);
        assert_int_equal(t.n0[0], 1);
        assert_int_equal(budget, 98);
    }
}

/* ---- Exceptions ---- */

static void illegal_instructions_stop(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        set_dwords(10, 1);
        kernel_add(&k, EU_ILLEGAL, 0, &on_all);
        assert_int_equal(go(), EU_EXCEPTION);
        assert_int_equal(t.ip, EU_NATIVE_BYTES);
        assert_true(t.cr0[1] >> 28 & 1);
        assert_non_null(t.why);
        /* Enabled, with a system routine: it goes on there, AIP says where it was. */
        begin(*each);
        kernel_add(&k, EU_ILLEGAL, 0, &on_all);
        set_dwords(10, 7);
        t.sip = EU_NATIVE_BYTES;
        t.cr0[1] = 1 << 12;
        ends();
        assert_int_equal(dword(10, 3), 7);
        assert_int_equal(t.cr0[2], 0);
        assert_int_equal(t.cr0[0] >> 31, 1);
        /* Behind the kernel there is nothing. */
        begin(*each);
        set_dwords(10, 7);
        assert_int_equal(go(), EU_EXCEPTION);
        assert_int_equal(t.ip, EU_NATIVE_BYTES);
    }
}

/* A software exception, and the way back. */
static void system_routine_returns(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        KERNEL_1(&k, EU_MOV, no_mask, other(FILE_CONTROL, 0, 4, TYPE_UD), imm(1u << 29 | 1u << 13, TYPE_UD));
        set_dwords(10, 7);
        kernel_end(&k);
        t.sip = k.count * EU_NATIVE_BYTES;
        set_dwords(12, 5);
        KERNEL_1(&k, EU_MOV, no_mask, other(FILE_CONTROL, 0, 4, TYPE_UD), imm(0, TYPE_UD));
        KERNEL_1(&k, EU_MOV, no_mask, other(FILE_CONTROL, 0, 0, TYPE_UD), imm(0, TYPE_UD));
        assert_int_equal(go(), EU_ENDED);
        assert_int_equal(dword(10, 0), 7);
        assert_int_equal(dword(12, 0), 5);
        assert_int_equal(t.cr0[0], 0);
    }
}

/* Payloads and responses beyond the registers. */
static void messages_beyond_the_registers(void **state)
{
    (void)state;
    EVERY_SET(each)
    for (unsigned which = 0; which < 2; which++) {
        const unsigned last = EU_REGISTERS * kernel_rows(*each) - 2u;
        begin(*each);
        kernel_send(&k, on_all, SFID_DC1, 3u << 25 | 3u << 20, reg(which ? last : 10, TYPE_UD),
                    reg(which ? 10 : last, TYPE_UD), false);
        assert_int_equal(go(), EU_EXCEPTION);
        assert_int_equal(last_port.sent, 0);
    }
}

static void endless_loops_take_their_budget(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        const unsigned at = kernel_branch(&k, EU_JMPI, no_mask);
        kernel_goes(&k, at, at, at);
        kernel_finish(&k);
        assert_int_equal(run_in(&t, NULL, 1, 0, true), EU_BUDGET);
        assert_int_equal(t.instruction_count, 20000);
    }
}

/* ---- Kernels ---- */

/* A kernel that is written over is seen, in the next run or behind a message; and one that lies elsewhere,
 * across the pieces that are decoded together, with instructions of 8 bytes before it. */
static void kernels_change(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        struct eu_cache *const cache = eu_cache_create(NULL);
        assert_non_null(cache);
        for (uint32_t value = 1; value < 4; value++) {
            begin(*each);
            set_dwords(10, value);
            kernel_end(&k);
            kernel_finish(&k);
            assert_int_equal(run_in(&t, cache, 100, 0, false), EU_ENDED);
            assert_int_equal(dword(10, 0), value);
        }
        for (uint64_t at = 1024 - 40; at <= 1024 + 8; at += 8)
            for (uint32_t value = 1; value < 3; value++) {
                uint64_t budget = 1000;
                begin(*each);
                set_dwords(10, 0);
                for (unsigned n = 0; n < 4; n++)
                    add(10, value + n);
                kernel_end(&k);
                kernel_finish(&k);
                struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
                p.port.context = &p;
                p.at = t.ip = at;
                assert_int_equal(eu_thread_run(&t, &p.port, &budget), EU_ENDED);
                assert_int_equal(dword(10, 3), 4 * value + 6);
            }
        eu_cache_destroy(cache);
    }
}

/* Any instructions that are ones: whatever they do, the same in every cut and with every level of handlers.
 */
static void any_kernel_is_the_same_in_all_ways(void **state)
{
    uint64_t seed = 11;
    (void)state;
    EVERY_SET(each)
    for (unsigned n = 0; n < 150; n++) {
        begin(*each);
        for (unsigned b = 0; b < sizeof t.grf; b += 8)
            memcpy(t.grf + b, &(uint64_t){random_next(&seed)}, 8);
        t.cr0[0] = (uint32_t)random_next(&seed) & 0x4f0;
        for (unsigned m = 0; m < 16; m++)
            t.address[m] = (uint16_t)(random_next(&seed) % 5000);
        while (k.count < 24) {
            struct eu_instruction i;
            uint64_t word[2] = {random_next(&seed), random_next(&seed)};
            word[0] &= ~(UINT64_C(1) << 29);
            if (!eu_decode(*each, word, sizeof word, &i) || i.illegal || i.operation->opcode == EU_ILLEGAL)
                continue;
            k.i[k.count++] = i;
        }
        for (unsigned m = 0; m < k.count; m++) { /* branches stay near */
            k.i[m].value[EU_JIP] = (uint32_t)((int)(random_next(&seed) % 24) - (int)m) * EU_NATIVE_BYTES;
            k.i[m].value[EU_UIP] = (uint32_t)((int)(random_next(&seed) % 24) - (int)m) * EU_NATIVE_BYTES;
        }
        for (unsigned m = 0; m < k.count; m++)
            if (!eu_encode(*each, &k.i[m], k.bytes + m * EU_NATIVE_BYTES))
                memset(k.bytes + m * EU_NATIVE_BYTES, 0x60, 1);
        struct eu_thread start = t, first;
        bool is_first = true;
        for (unsigned level = EU_SIMD_NONE; level < TEST_WAYS; level++)
            for (uint64_t slice = 1; slice <= 300; slice = slice * 3 + 4) {
                struct eu_cache *const cache = test_cache(level);
                struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
                enum eu_stop stop = EU_BUDGET;
                p.port.context = &p;
                t = start;
                for (uint64_t left = 300; cache && left && stop == EU_BUDGET;) {
                    uint64_t budget = slice < left ? slice : left;
                    stop = eu_thread_run(&t, &p.port, &budget);
                    left =
                        300 - (t.instruction_count - start.instruction_count); /* what is slow takes more */
                }
                t.why = NULL;
                if (cache && is_first)
                    first = t;
                else if (cache)
                    assert_memory_equal(&t, &first, sizeof t);
                is_first = is_first && !cache;
                eu_cache_destroy(cache);
            }
    }
}

/* tm0: a clock for each instruction, however the run is cut and whatever runs it; not for what a message or
 * another part of the kernel takes. */
static void timestamps_advance(void **state)
{
    (void)state;
    EVERY_SET(each)
    {
        begin(*each);
        t.tm0 = UINT64_C(0x1fffffff0);
        struct op tm0 = other(FILE_TIMESTAMP, 0, 0, TYPE_UD);
        tm0.v = 2, tm0.w = 2;
        const struct how two = {.channels = 2, .no_mask = true};
        KERNEL_1(&k, EU_MOV, two, reg(20, TYPE_UD), tm0);
        for (unsigned n = 0; n < 5; n++)
            set_dwords(22 + 2 * n, n);
        KERNEL_1(&k, EU_MOV, two, reg(40, TYPE_UD), tm0);
        kernel_send(&k, on_all, SFID_DC1, 2u << 25 | 2u << 20, reg(50, TYPE_UD), reg(60, TYPE_UD), false);
        for (unsigned n = 0; n < 100; n++) /* more than a KB */
            add(22, 1);
        KERNEL_1(&k, EU_MOV, two, reg(42, TYPE_UD), tm0);
        ends();
        const uint64_t first = dword(20, 0) | (uint64_t)dword(20, 1) << 32;
        assert_in_range(first, UINT64_C(0x1fffffff0), UINT64_C(0x1fffffff0) + 1);
        assert_int_equal((dword(40, 0) | (uint64_t)dword(40, 1) << 32) - first, 6);
        assert_int_equal((dword(42, 0) | (uint64_t)dword(42, 1) << 32) - first, 6 + 1 + 100 + 1);
        assert_int_equal(t.tm0, UINT64_C(0x1fffffff0) + k.count);
    }
}

TEST_PROGRAM(eu_flow_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(if_and_else),
        cmocka_unit_test(loops),
        cmocka_unit_test(breaks_go_back),
        cmocka_unit_test(while_with_a_predicate),
        cmocka_unit_test(goto_and_join),
        cmocka_unit_test(goto_back),
        cmocka_unit_test(calls_and_returns),
        cmocka_unit_test(halts_and_jumps),
        cmocka_unit_test(branches_diverge_and_converge),
        cmocka_unit_test(offsets_in_ip),
        cmocka_unit_test(masks),
        cmocka_unit_test(messages),
        cmocka_unit_test(messages_say_all),
        cmocka_unit_test(waits_for_notifications),
        cmocka_unit_test(timestamps_advance),
        cmocka_unit_test(illegal_instructions_stop),
        cmocka_unit_test(system_routine_returns),
        cmocka_unit_test(messages_beyond_the_registers),
        cmocka_unit_test(endless_loops_take_their_budget),
        cmocka_unit_test(kernels_change),
        cmocka_unit_test(any_kernel_is_the_same_in_all_ways),
        cmocka_unit_test(saved_threads_have_their_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
