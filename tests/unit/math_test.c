/* CSP-13: MI_MATH against a reference of its own: every instruction on values at the edges, and random
 * programs on every engine of Gen9 and Gen11. */
#include "../suite.h"
#include "../streamer.h"

enum { PROGRAMS = 3000, LONGEST = 200, OPCODES = 12 };

static const uint32_t opcodes[OPCODES] = {0x000, 0x080, 0x480, 0x081, 0x481, 0x100,
                                          0x101, 0x102, 0x103, 0x104, 0x180, 0x580};

/* The ALU of the manual's lines, in bits: an adder with a carry chain, and a plain look-up of registers. */
struct model {
    uint64_t r[16], srca, srcb, accu;
    unsigned zf, cf;
};

static uint64_t add_bits(uint64_t a, uint64_t b, unsigned *carry)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 64; i++) {
        const unsigned x = a >> i & 1u, y = b >> i & 1u;
        sum |= (uint64_t)(x ^ y ^ *carry) << i;
        *carry = (x & y) | (x & *carry) | (y & *carry);
    }
    return sum;
}

static uint64_t model_read(const struct model *m, unsigned which)
{
    if (which <= 0xf)
        return m->r[which];
    if (which == 0x31)
        return m->accu;
    if (which == 0x32)
        return m->zf ? ~UINT64_C(0) : 0;
    return m->cf ? ~UINT64_C(0) : 0; /* 0x33 */
}

static void model_step(struct model *m, uint32_t instruction)
{
    const unsigned opcode = instruction >> 20, first = instruction >> 10 & 0x3ff,
                   second = instruction & 0x3ff;
    const unsigned kind = opcode >> 7 & 7u, inverted = opcode >> 10 & 1u, which = opcode & 0x7fu;
    unsigned carry = 0;
    switch (kind) {
    case 1: { /* LOAD: from a register, or constant */
        uint64_t value = which ? 0 : model_read(m, second);
        if (inverted)
            value ^= ~UINT64_C(0);
        *(first == 0x20 ? &m->srca : &m->srcb) = value;
        break;
    }
    case 2:
        if (which == 0) {
            m->accu = add_bits(m->srca, m->srcb, &carry);
        } else if (which == 1) { /* a - b = a + ~b + 1; it borrows where that does not carry */
            carry = 1;
            m->accu = add_bits(m->srca, ~m->srcb, &carry);
            carry ^= 1;
        } else {
            m->accu = which == 2 ? m->srca & m->srcb : which == 3 ? m->srca | m->srcb : m->srca ^ m->srcb;
        }
        m->zf = m->accu == 0;
        m->cf = carry;
        break;
    case 3: { /* STORE */
        const uint64_t value = model_read(m, second);
        m->r[first] = inverted ? ~value : value;
        break;
    }
    default:
        break;
    }
}

static uint32_t random_instruction(uint64_t *seed)
{
    static const uint32_t outputs[] = {0x31, 0x32, 0x33};
    const uint64_t bits = random_next(seed);
    const uint32_t opcode = opcodes[bits % OPCODES], input = 0x20 + (bits >> 8 & 1u), gpr = bits >> 16 & 0xfu;
    switch (opcode >> 7 & 7u) {
    case 1:
        return opcode << 20 | input << 10 | (opcode & 1u ? 0 : gpr);
    case 3:
        return opcode << 20 | gpr << 10 | outputs[(bits >> 24) % 3];
    default:
        return opcode << 20;
    }
}

/* Loads the GPRs by MI_LOAD_REGISTER_IMM, runs the program, compares all of them. */
static void compare(struct streamer *s, struct model *m, const uint32_t *program, uint32_t count,
                    unsigned number)
{
    uint32_t dw[65 + 1 + LONGEST], at = 0;
    dw[at++] = (uint32_t)MI_LOAD_REGISTER_IMM | (64 - 1);
    for (unsigned i = 0; i < 32; i++) {
        dw[at++] = s->base + GPR_AT + i * 4u;
        dw[at++] = (uint32_t)(m->r[i / 2] >> (i % 2 * 32));
    }
    dw[at++] = 0x1au << 23 | (count - 1);
    memcpy(dw + at, program, count * 4u);
    batch_run(s, dw, at + count, true);
    for (uint32_t i = 0; i < count; i++)
        model_step(m, program[i]);
    for (unsigned i = 0; i < 16; i++) {
        const uint64_t got = register_get(s, s->base + GPR_AT + i * 8u) |
                             (uint64_t)register_get(s, s->base + GPR_AT + i * 8u + 4u) << 32;
        if (got != m->r[i])
            fail_msg("engine %u, program %u: R%u is %016llx, the reference has %016llx", s->engine, number, i,
                     (unsigned long long)got, (unsigned long long)m->r[i]);
    }
}

static void random_programs(const char *device)
{
    struct streamer *s = streamer_create(device);
    uint64_t seed = 13;
    const unsigned engines = softgt_info(s->device)->engine_count;
    for (unsigned e = 0; e < engines; e++) {
        struct model m = {.srca = 0}; /* inputs, accumulator and flags stay from one command to the next */
        streamer_start(s, e);
        for (unsigned n = 0; n < PROGRAMS; n++) {
            uint32_t program[LONGEST];
            for (unsigned i = 0; i < 16; i++)
                m.r[i] = random_value(&seed);
            const uint32_t count = 1 + (uint32_t)(random_next(&seed) % LONGEST);
            for (uint32_t i = 0; i < count; i++)
                program[i] = random_instruction(&seed);
            compare(s, &m, program, count, n);
        }
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(streamer_status(s).dropped, 0);
    }
    streamer_destroy(s);
}

static void random_programs_gen9(void **state)
{
    (void)state;
    random_programs("skl");
}

static void random_programs_gen11(void **state)
{
    (void)state;
    random_programs("icl");
}

/* Every operation on every pair of edge values, its result and both flags, straight and inverted, in every
 * register. */
static void edges(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    unsigned number = 0;
    for (unsigned a = 0; a < RANDOM_EDGES; a++)
        for (unsigned b = 0; b < RANDOM_EDGES; b++)
            for (uint32_t operation = 0x100; operation <= 0x104; operation++) {
                struct model m = {.r = {random_edges[a], random_edges[b]}};
                const uint32_t ra = number % 16, rb = (number + 1) % 16;
                m.r[0] = m.r[1] = 0x5555;
                m.r[ra] = random_edges[a];
                m.r[rb] = random_edges[b];
                const uint32_t program[] = {
                    0x080u << 20 | 0x20 << 10 | ra,
                    0x080u << 20 | 0x21 << 10 | rb,
                    operation << 20,
                    0x180u << 20 | ((ra + 2) % 16) << 10 | 0x31,
                    0x180u << 20 | ((ra + 3) % 16) << 10 | 0x32,
                    0x180u << 20 | ((ra + 4) % 16) << 10 | 0x33,
                    0x580u << 20 | ((ra + 5) % 16) << 10 | 0x31,
                    0x580u << 20 | ((ra + 6) % 16) << 10 | 0x32,
                    0x580u << 20 | ((ra + 7) % 16) << 10 | 0x33,
                    0x480u << 20 | 0x20 << 10 | ra,
                    0x480u << 20 | 0x21 << 10 | rb,
                    operation << 20,
                    0x180u << 20 | ((ra + 8) % 16) << 10 | 0x31,
                    0x180u << 20 | ((ra + 9) % 16) << 10 | 0x32,
                    0x180u << 20 | ((ra + 10) % 16) << 10 | 0x33,
                };
                compare(s, &m, program, sizeof program / 4, number++);
            }
    /* By hand: what the reference, too, must say. */
    struct model m = {.r = {UINT64_MAX, 1}};
    const uint32_t program[] = {0x080u << 20 | 0x20 << 10 | 0,
                                0x080u << 20 | 0x21 << 10 | 1,
                                0x100u << 20,
                                0x180u << 20 | 2 << 10 | 0x31,
                                0x180u << 20 | 3 << 10 | 0x32,
                                0x180u << 20 | 4 << 10 | 0x33,
                                0x081u << 20 | 0x20 << 10,
                                0x101u << 20,
                                0x180u << 20 | 5 << 10 | 0x31,
                                0x180u << 20 | 6 << 10 | 0x33,
                                0x481u << 20 | 0x21 << 10,
                                0x102u << 20,
                                0x180u << 20 | 7 << 10 | 0x32,
                                0x180u << 20 | 8 << 10 | 0x33};
    compare(s, &m, program, sizeof program / 4, number);
    const uint64_t expected[9] = {UINT64_MAX, 1,          0,          UINT64_MAX, UINT64_MAX,
                                  UINT64_MAX, UINT64_MAX, UINT64_MAX, 0};
    assert_memory_equal(m.r, expected, sizeof expected);
    streamer_destroy(s);
}

TEST_PROGRAM(math_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges),
        cmocka_unit_test(random_programs_gen9),
        cmocka_unit_test(random_programs_gen11),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
