/* Which pipes instructions are executed in, as flexible counters have it: each instruction by what it
 * computes with, and kernels of known numbers of each, on every generation that runs threads. (SYS-20) */
#include "../suite.h"
#include "../walks.h"

#include "../counters.h"
#include "../saved.h"

/* ---- Instructions ---- */

#define ALU0    (1u << OA_ALU0)
#define ALU1    (1u << OA_ALU1)
#define FP16    (ALU0 | 1u << OA_FP16)
#define FP32    (ALU0 | 1u << OA_FP32)
#define MATH    (1u << OA_MATH)
#define CONTROL (1u << OA_CONTROL)
#define MOVES   (1u << OA_MOV)
#define TWO     (1u << OA_BINARY)
#define THREE   (1u << OA_TERNARY)
/* Integers have a pipe of their own on Gen12.5 only; before, the second pipe does math. */
#define INTEGERS (1u << 31)
#define INT16    (INTEGERS | 1u << OA_INT16)
#define INT32    (INTEGERS | 1u << OA_INT32)

static uint32_t on(const struct eu_isa *set, uint32_t events)
{
    const bool apart = set == &eu_gen125;
    if (events & INTEGERS)
        return (events & ~INTEGERS) | (apart ? ALU1 : ALU0);
    return events & MATH && !apart ? events | ALU1 : events;
}

static const struct {
    enum eu_opcode does;
    enum eu_type to, from[3];
    uint32_t events, shape;
    uint8_t function, channels;
} instructions[] = {
    {EU_MOV, TYPE_F, {TYPE_F}, FP32, MOVES},
    {EU_MOV, TYPE_F, {TYPE_D}, FP32, MOVES},
    {EU_MOV, TYPE_D, {TYPE_F}, FP32, MOVES},
    {EU_MOV, TYPE_F, {TYPE_HF}, FP32, MOVES},
    {EU_MOV, TYPE_UD, {TYPE_UD}, INT32, MOVES},
    {EU_MOV, TYPE_UW, {TYPE_UW}, INT16, MOVES},
    {EU_MOV, TYPE_UD, {TYPE_UW}, INT16, MOVES},
    {EU_MOV, TYPE_UD, {TYPE_UB}, INT16, MOVES},
    {EU_MOV, TYPE_DF, {TYPE_DF}, ALU0, MOVES, .channels = 8},
    {EU_MOV, TYPE_Q, {TYPE_Q}, INTEGERS, MOVES, .channels = 8},
    {EU_NOT, TYPE_UD, {TYPE_UD}, INT32, 0},
    {EU_SEL, TYPE_F, {TYPE_F, TYPE_F}, FP32, TWO},
    {EU_AND, TYPE_UD, {TYPE_UD, TYPE_UD}, INT32, TWO},
    {EU_SHL, TYPE_D, {TYPE_D, TYPE_D}, INT32, TWO},
    {EU_CMP, TYPE_F, {TYPE_F, TYPE_F}, FP32, TWO},
    {EU_CMP, TYPE_D, {TYPE_D, TYPE_D}, INT32, TWO},
    {EU_ADD, TYPE_D, {TYPE_D, TYPE_D}, INT32, TWO},
    {EU_ADD, TYPE_D, {TYPE_D, TYPE_W}, INT32, TWO},
    {EU_ADD, TYPE_W, {TYPE_W, TYPE_W}, INT16, TWO},
    {EU_ADD, TYPE_F, {TYPE_F, TYPE_F}, FP32, TWO},
    {EU_MUL, TYPE_HF, {TYPE_HF, TYPE_HF}, FP16, TWO},
    {EU_MUL, TYPE_DF, {TYPE_DF, TYPE_DF}, ALU0, TWO, .channels = 8},
    {EU_FRC, TYPE_F, {TYPE_F}, FP32, 0},
    {EU_LZD, TYPE_UD, {TYPE_UD}, INT32, 0},
    {EU_CBIT, TYPE_UD, {TYPE_UD}, INT32, 0},
    {EU_BFREV, TYPE_UD, {TYPE_UD}, INT32, 0},
    {EU_MAD, TYPE_F, {TYPE_F, TYPE_F, TYPE_F}, FP32, THREE},
    {EU_MAD, TYPE_HF, {TYPE_HF, TYPE_HF, TYPE_HF}, FP16, THREE},
    {EU_BFE, TYPE_UD, {TYPE_UD, TYPE_UD, TYPE_UD}, INT32, THREE},
    {EU_ADD3, TYPE_D, {TYPE_D, TYPE_D, TYPE_D}, INT32, THREE},
    {EU_DP4A, TYPE_D, {TYPE_D, TYPE_D, TYPE_D}, INT32, THREE},
    {EU_LRP, TYPE_F, {TYPE_F, TYPE_F, TYPE_F}, FP32, THREE},
    {EU_MATH, TYPE_F, {TYPE_F}, MATH, 0, .function = 1},
    {EU_MATH, TYPE_F, {TYPE_F, TYPE_F}, MATH, TWO, .function = 10},
};
enum { INSTRUCTIONS = sizeof instructions / sizeof instructions[0] };

/* The instruction of a row in so many channels; false: the set does not have it. */
static bool put(unsigned i)
{
    const enum eu_type *const from = instructions[i].from;
    const unsigned sources = !from[1] ? 1 : !from[2] ? 2 : 3;
    const bool three = sources == 3;
    if (!kernel_operation(k.set, instructions[i].does, sources) ||
        kernel_type(k.set, instructions[i].to, three, false) < 0)
        return false;
    for (unsigned n = 0; n < sources; n++)
        if (kernel_type(k.set, from[n], three, false) < 0)
            return false;
    const struct how how = {.channels = instructions[i].channels ? instructions[i].channels : 8,
                            .function = instructions[i].function,
                            .condition = instructions[i].does == EU_CMP ? 1 : 0};
    struct op source[3], to = reg(60, instructions[i].to);
    for (unsigned n = 0; n < sources; n++)
        source[n] = reg(40 + n * 4, from[n]);
    if (eu_types[to.type].bytes < eu_types[from[0]].bytes)
        to.h = (uint8_t)(eu_types[from[0]].bytes / eu_types[to.type].bytes);
    kernel_op(&k, instructions[i].does, how, to, &source[0], sources > 1 ? &source[1] : NULL,
              three ? &source[2] : NULL);
    return true;
}

static void an_instruction_is_of_a_kind(void **state)
{
    (void)state;
    EVERY_SET_7(set)
    {
        unsigned seen = 0;
        for (unsigned i = 0; i < INSTRUCTIONS; i++)
            for (unsigned level = EU_SIMD_NONE; level < TEST_WAYS; level++) {
                static _Alignas(64) struct eu_thread t;
                uint64_t ran[EU_INSTRUCTION_KINDS] = {0}, all_ran = 0, budget = UINT64_MAX;
                k = (struct kernel){.set = *set};
                if (!put(i))
                    break;
                seen++;
                kernel_end(&k);
                kernel_finish(&k);
                struct eu_cache *const cache = test_cache(level);
                struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
                p.port.context = &p;
                p.port.kind_counts = ran;
                eu_thread_start(&t, *set, 0, 0xffff);
                assert_int_equal(eu_thread_run(&t, &p.port, &budget), EU_ENDED);
                for (unsigned kind = 0; kind < EU_INSTRUCTION_KINDS; kind++)
                    all_ran += ran[kind];
                assert_int_equal(t.instruction_count, 2);
                assert_int_equal(all_ran, 2);
                assert_int_equal(ran[EU_PIPE_NONE], 1); /* the message: it is told when it is sent */
                eu_cache_destroy(cache);
            }
        assert_true(seen >= 20);
    }
}

/* Products of blocks, which only Gen12.5 has: by what they multiply. */
static const struct block {
    enum eu_type code;
    uint32_t precision;
    enum eu_pipe_kind work;
    enum oa_core_event event;
} blocks[] = {{TYPE_HF, 0, EU_PIPE_DPAS_HF, OA_SYSTOLIC_FP16},
              {TYPE_BF, 0, EU_PIPE_DPAS_BF, OA_SYSTOLIC_BF16},
              {TYPE_B, 0, EU_PIPE_DPAS_INTEGER, OA_SYSTOLIC_INT8},
              {TYPE_UB, 1, EU_PIPE_DPAS_INTEGER, OA_SYSTOLIC_INT8},
              {TYPE_B, 2, EU_PIPE_DPAS_INTEGER, OA_SYSTOLIC_INT8}};
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

static void put_block(const struct block *b)
{
    struct eu_instruction *const i = kernel_add(&k, EU_DPAS, 3, &(struct how){.channels = 8});
    const bool floats = b->work != EU_PIPE_DPAS_INTEGER;
    const struct op sum = reg(40, floats ? TYPE_F : TYPE_D), factor = reg(60, b->code);
    kernel_destination(&k, i, &sum);
    for (int source = 0; source < 3; source++) {
        uint32_t *const v = i->value + source * EU_SOURCE_STEP;
        kernel_source(&k, i, source, source ? &factor : &sum);
        v[EU_SRC0_VERTICAL] = v[EU_SRC0_HORIZONTAL] = v[EU_SRC0_WIDTH] = 0;
    }
    i->value[EU_DST_STRIDE] = 0;
    i->value[EU_SRC1_SUBBYTE] = i->value[EU_SRC2_SUBBYTE] = b->precision;
    i->value[EU_DEPTH] = 3;
}

static void blocks_are_systolic(void **state)
{
    (void)state;
    for (unsigned n = 0; n < BLOCKS; n++) {
        struct eu_instruction decoded;
        struct eu_decoded op;
        k = (struct kernel){.set = &eu_gen125};
        put_block(&blocks[n]);
        kernel_finish(&k);
        assert_true(eu_decode(k.set, k.bytes, EU_NATIVE_BYTES, &decoded) && !decoded.illegal);
        eu_decode_instruction(k.set, &decoded, &op);
        assert_int_equal(op.beside.instruction_kind, blocks[n].work * EU_SHAPES + EU_SHAPE_THREE_SOURCES);
    }
}

/* ---- Counters ---- */

enum { FIRST = 7, EVENTS = 14 };

static uint64_t counter(struct streamer *s, unsigned a)
{
    const uint32_t at = counters_of(s).a + a * 8u;
    return register_get(s, at) | (uint64_t)register_get(s, at + 4) << 32;
}

/* An increment event, a coarse and a fine filter for each of A7 to A20. */
struct asked {
    uint8_t event, coarse, fine;
};

static void ask(struct streamer *s, const struct asked asked[EVENTS])
{
    static const uint32_t at[] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};
    for (unsigned i = 0; i < EVENTS; i += 2) {
        uint32_t value = 0;
        for (unsigned n = 0; n < 2; n++) {
            const struct asked *const a = &asked[i + n];
            value |= (a->event & 15u) << 12 * n | (uint32_t)a->coarse << (4 + 12 * n) |
                     (uint32_t)a->fine << (8 + 12 * n) | (uint32_t)(a->event >> 4) << (24 + n);
        }
        register_put(s, at[i / 2], value);
    }
}

/* What a row's instruction is, each event by its own counter. */
static void an_instruction_counts(void **state)
{
    (void)state;
    static const struct asked events[EVENTS] = {
        {OA_ALU0, 0, 0},         {OA_ALU1, 0, 0},         {OA_FP16, 0, 0},         {OA_FP32, 0, 0},
        {OA_INT16, 0, 0},        {OA_INT32, 0, 0},        {OA_MATH, 0, 0},         {OA_CONTROL, 0, 0},
        {OA_SYSTOLIC, 0, 0},     {OA_ALU0, 0, OA_MOV},    {OA_ALU0, 0, OA_BINARY}, {OA_ALU0, 0, OA_TERNARY},
        {OA_MATH, 0, OA_BINARY}, {OA_ALU0_AND_ALU1, 0, 0}};
    for (EACH_DEVICE(name))
        for (unsigned i = 0; i < INSTRUCTIONS; i++) {
            struct streamer *const s = begin(*name);
            const struct walk w = {.groups = {1, 1, 1}, .threads = 1, .mask = ALL_CHANNELS};
            const uint32_t is = on(k.set, instructions[i].events), shape = instructions[i].shape;
            uint32_t dw[128];
            if (put(i)) {
                kernel_end(&k);
                put_kernel(s);
                counters_start(s);
                ask(s, events);
                batch_run(s, dw, put_walk(s, &w, dw), true);
                softgt_advance(s->device, 100000);
                for (unsigned n = 0; n < EVENTS; n++) {
                    const bool counts =
                        is >> events[n].event & 1u && (!events[n].fine || shape >> events[n].fine & 1u);
                    if (counter(s, FIRST + n) != counts)
                        fail_msg("%s, instruction %u: A%u is not %u", *name, i, FIRST + n, counts);
                }
            }
            streamer_destroy(s);
        }
}

static void blocks_count(void **state)
{
    (void)state;
    static const struct asked events[EVENTS] = {{OA_SYSTOLIC, 0, 0},
                                                {OA_SYSTOLIC_FP16, 0, 0},
                                                {OA_SYSTOLIC_BF16, 0, 0},
                                                {OA_SYSTOLIC_INT8, 0, 0},
                                                {OA_ALU0, 0, 0},
                                                {OA_SYSTOLIC, 0, OA_TERNARY},
                                                {OA_ALU1, 0, 0},
                                                {OA_FP16, 0, 0},
                                                {31, 0, 0},
                                                {31, 0, 0},
                                                {31, 0, 0},
                                                {31, 0, 0},
                                                {31, 0, 0},
                                                {31, 0, 0}};
    for (unsigned n = 0; n < BLOCKS; n++) {
        struct streamer *const s = begin("dg2");
        const struct walk w = {.groups = {1, 1, 1}, .threads = 1, .mask = ALL_CHANNELS};
        uint32_t dw[128];
        put_block(&blocks[n]);
        kernel_end(&k);
        put_kernel(s);
        counters_start(s);
        ask(s, events);
        batch_run(s, dw, put_walk(s, &w, dw), true);
        softgt_advance(s->device, 100000);
        for (unsigned i = 0; i < EVENTS; i++)
            assert_int_equal(counter(s, FIRST + i),
                             events[i].event == OA_SYSTOLIC || events[i].event == blocks[n].event);
        streamer_destroy(s);
    }
}

enum { ROUNDS = 7, THREADS = 16, GROUPS = 6, ALL = THREADS * GROUPS };

static struct how scalar(uint8_t condition, uint8_t predicate)
{
    return (struct how){.channels = 1, .no_mask = true, .condition = condition, .predicate = predicate};
}

/* Moves: 2 of 32 bits, 1 of floats; sums: 3 of 32 bits, 1 of 16; of floats 2 products, 4 mads, of halves 5
 * sums; 3 reciprocals; if and endif; a loop of 7 rounds with a sum, a comparison, a jump; a barrier. */
static void put_mix(struct streamer *s)
{
    for (unsigned n = 0; n < 2; n++)
        KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD), reg(22, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(24, TYPE_F), reg(26, TYPE_F));
    for (unsigned n = 0; n < 3; n++)
        KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_D), reg(22, TYPE_D), imm(n, TYPE_D));
    KERNEL_2(&k, EU_ADD, all, reg(28, TYPE_W), reg(29, TYPE_W), reg(30, TYPE_W));
    for (unsigned n = 0; n < 2; n++)
        KERNEL_2(&k, EU_MUL, all, reg(24, TYPE_F), reg(26, TYPE_F), reg(26, TYPE_F));
    for (unsigned n = 0; n < 4; n++)
        KERNEL_3(&k, EU_MAD, ((struct how){.channels = 8}), reg(24, TYPE_F), reg(26, TYPE_F), reg(26, TYPE_F),
                 reg(26, TYPE_F));
    for (unsigned n = 0; n < 5; n++)
        KERNEL_2(&k, EU_ADD, all, reg(31, TYPE_HF), reg(32, TYPE_HF), reg(33, TYPE_HF));
    for (unsigned n = 0; n < 3; n++)
        KERNEL_1(&k, EU_MATH, ((struct how){.channels = 16, .function = 1}), reg(24, TYPE_F),
                 reg(26, TYPE_F));
    const unsigned branch = kernel_branch(&k, EU_IF, (struct how){.channels = 16});
    const unsigned merge = kernel_branch(&k, EU_ENDIF, (struct how){.channels = 16});
    kernel_goes(&k, branch, merge, merge);
    kernel_goes(&k, merge, merge + 1, merge + 1);
    KERNEL_1(&k, EU_MOV, scalar(0, 0), one(35, 0, TYPE_W), imm(0, TYPE_W));
    const unsigned loop = k.count;
    KERNEL_2(&k, EU_ADD, scalar(0, 0), one(35, 0, TYPE_W), one(35, 0, TYPE_W), imm(1, TYPE_W));
    KERNEL_2(&k, EU_CMP, scalar(5, 0), none(TYPE_W), one(35, 0, TYPE_W), imm(ROUNDS, TYPE_W));
    const unsigned back = kernel_branch(&k, EU_JMPI, scalar(0, 1));
    kernel_goes(&k, back, loop, loop);
    put_barrier();
    kernel_end(&k);
    put_kernel(s);
}

enum {
    FLOATS = 1 + 2 + 4,
    HALVES = 5,
    WORDS = 1 + 1 + 2 * ROUNDS,
    DWORDS = 2 + 3,
    RECIPROCALS = 3,
    FLOW = 2 + ROUNDS,
    OF_ALU0 = FLOATS + HALVES,
    OF_INTEGERS = WORDS + DWORDS,
    REST = 3 /* two messages, one wait */
};

/* Runs it at once, or in pieces, each on a device that was loaded. */
static void run_mix(struct streamer *s, bool cut)
{
    const struct walk w = {.groups = {GROUPS, 1, 1}, .threads = THREADS, .mask = ALL_CHANNELS};
    uint32_t dw[128];
    const uint32_t n = put_walk(s, &w, dw);
    if (!cut) {
        batch_run(s, dw, n, true);
    } else {
        batch_put(s, dw, n, true);
        while (softgt_run(s->device, 333)) {
            reload(s->device);
        }
    }
    assert_int_equal(streamer_status(s).threads, ALL);
    softgt_advance(s->device, 1000000);
}

static void kernels_count(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned cut = 0; cut < 2; cut++) {
            static const struct asked pipes[EVENTS] = {
                {OA_ALU0, 0, 0},      {OA_ALU1, 0, 0},          {OA_FP16, 0, 0},          {OA_FP32, 0, 0},
                {OA_INT16, 0, 0},     {OA_INT32, 0, 0},         {OA_MATH, 0, 0},          {OA_CONTROL, 0, 0},
                {OA_FP32, 0, OA_MOV}, {OA_FP32, 6, OA_TERNARY}, {OA_INT32, 0, OA_BINARY}, {OA_FP16, 0, 7},
                {OA_INT16, 7, 0},     {OA_ALU0, 9, 0}};
            struct streamer *const s = begin(*name);
            const bool apart = k.set == &eu_gen125;
            const uint64_t per_thread[EVENTS - 3] = {apart ? OF_ALU0 : OF_ALU0 + OF_INTEGERS,
                                                     apart ? OF_INTEGERS : RECIPROCALS,
                                                     HALVES,
                                                     FLOATS,
                                                     WORDS,
                                                     DWORDS,
                                                     RECIPROCALS,
                                                     FLOW,
                                                     1,
                                                     4,
                                                     3};
            put_mix(s);
            counters_start(s);
            ask(s, pipes);
            run_mix(s, cut);
            for (unsigned n = 0; n < EVENTS - 3; n++)
                if (counter(s, FIRST + n) != per_thread[n] * ALL)
                    fail_msg("%s: A%u is %u, not %u", *name, FIRST + n, (unsigned)counter(s, FIRST + n),
                             (unsigned)per_thread[n] * ALL);
            assert_int_equal(counter(s, 18), HALVES * ALL / 4); /* unit 0 of four */
            assert_int_equal(counter(s, 19), WORDS * ALL / 2);  /* row 0 of two */
            assert_int_equal(counter(s, 20), 0);                /* no thread is the compute engine's */
            streamer_destroy(s);
        }
}

/* A clock has one instruction, and each has one: pipes are never busy together, and all together are what the
 * unit is active. */
static void clocks_add_up(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        static const struct asked clocks[EVENTS] = {{OA_ACTIVE, 0, 0},        {OA_ALU0, 0, 0},
                                                    {OA_ALU1, 0, 0},          {OA_MATH, 0, 0},
                                                    {OA_CONTROL, 0, 0},       {OA_SEND, 0, 0},
                                                    {OA_ALU0_AND_ALU1, 0, 0}, {OA_ALU0_AND_SYSTOLIC, 0, 0},
                                                    {OA_STALL, 0, 0},         {OA_SYSTOLIC, 0, 0},
                                                    {OA_SYSTOLIC_BF16, 0, 0}, {OA_SYSTOLIC_INT8, 0, 0},
                                                    {OA_SYSTOLIC_FP16, 0, 0}, {OA_OCCUPANCY, 0, 0}};
        struct streamer *const s = begin(*name);
        put_mix(s);
        counters_start(s);
        ask(s, clocks);
        run_mix(s, false);
        const bool apart = k.set == &eu_gen125;
        const uint64_t pipes =
            counter(s, 8) + counter(s, 9) + (apart ? counter(s, 10) : 0) + counter(s, 11) + counter(s, 12);
        assert_int_equal(counter(s, 7), streamer_status(s).instructions);
        assert_int_equal(counter(s, 7), (OF_ALU0 + OF_INTEGERS + RECIPROCALS + FLOW + REST) * ALL);
        assert_int_equal(pipes + ALL /* waits */, counter(s, 7));
        assert_int_equal(counter(s, 12), 2 * ALL);
        for (unsigned a = 13; a < 20; a++)
            assert_int_equal(counter(s, a), 0);
        assert_int_equal(counter(s, 20), counter(s, 7) * 2 / 8); /* two threads of a group in eight slots */
        streamer_destroy(s);
    }
}

/* As it comes out of reset nobody asks; the free running counters count without being enabled. */
static void nobody_asks(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned freely = 0; freely < 2; freely++) {
            struct streamer *const s = begin(*name);
            const struct counters c = counters_of(s);
            assert_int_equal(register_get(s, register_offset(s->device, "EU_PERF_CNT_CTL6")),
                             0x0300f00f); /* 11111b of both */
            put_mix(s);
            if (!freely)
                counters_start(s);
            else
                register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL6"), OA_INT32 | OA_FP32 << 12);
            run_mix(s, false);
            for (unsigned a = FIRST; a < FIRST + EVENTS; a++)
                assert_int_equal(counter(s, a), 0);
            assert_int_equal(dispatcher_of(&s->device->engines[0])->counts_instruction_kinds, freely);
            assert_int_equal(register_get(s, c.free + 16), freely ? DWORDS * ALL : 0);
            assert_int_equal(register_get(s, c.free + 24), freely ? FLOATS * ALL : 0);
            streamer_destroy(s);
        }
}

/* From Gen12 on a context's own counters have them, the global unit may be off. */
static void of_a_context(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct engine *const e = s->device->engines;
        if (s->device->oa.info->context_control[CLASS_RENDER]) {
            put_mix(s);
            register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL0"), OA_FP32 | OA_FP16 << 12);
            register_put(s, register_offset(s->device, "OAR_OACONTROL"), 5u << 1 | 1u);
            masked_put(s, "CTXT_SR_CTL", 1 << 8, 1 << 8);
            register_put(s, register_offset(s->device, "OACTXCONTROL"), 1);
            e->context.valid = true;
            run_mix(s, false);
            e->context.valid = false;
            assert_int_equal(counter_at(s, "OAR_A[7]"), FLOATS * ALL);
            assert_int_equal(counter_at(s, "OAR_A[8]"), HALVES * ALL);
            assert_int_equal(counter(s, 7), 0);
        }
        streamer_destroy(s);
    }
}

TEST_PROGRAM(pipes_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_is_of_a_kind),
        cmocka_unit_test(blocks_are_systolic),
        cmocka_unit_test(an_instruction_counts),
        cmocka_unit_test(blocks_count),
        cmocka_unit_test(kernels_count),
        cmocka_unit_test(clocks_add_up),
        cmocka_unit_test(nobody_asks),
        cmocka_unit_test(of_a_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
