/* CSP-13: MI_MATH against a reference: every instruction on edge values, and random programs on every engine
 * of Gen9 and Gen11. */
#include "../suite.h"
#include "../streamer.h"

enum { PROGRAMS = 3000, LONGEST = 200, OPCODES = 12 };

/* Opcodes of the ALU: the kind from bit 7 on, what it does below, and bit 10 inverts. */
enum { LOADS = 1, COMPUTES = 2, STORES = 3, INVERTED = 1 << 10 };
enum {
    NOOP = 0,
    LOAD = LOADS << 7,
    LOAD0,
    LOADINV = INVERTED | LOAD,
    LOAD1 = INVERTED | LOAD0,
    ADD = COMPUTES << 7,
    SUB,
    AND,
    OR,
    XOR,
    STORE = STORES << 7,
    STOREINV = INVERTED | STORE,
};
/* Operands. */
enum { R0 = 0, SRCA = 0x20, SRCB, ACCU = 0x31, ZF, CF };
#define ALU(opcode, first, second) ((uint32_t)(opcode) << 20 | (uint32_t)(first) << 10 | (uint32_t)(second))

static const uint32_t opcodes[OPCODES] = {NOOP, LOAD, LOADINV, LOAD0, LOAD1, ADD,
                                          SUB,  AND,  OR,      XOR,   STORE, STOREINV};

/* The ALU as the manual describes it: an adder with a carry chain, and an array of registers. */
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
    if (which == ACCU)
        return m->accu;
    if (which == ZF)
        return m->zf ? ~UINT64_C(0) : 0;
    return m->cf ? ~UINT64_C(0) : 0; /* CF */
}

static void model_step(struct model *m, uint32_t instruction)
{
    const unsigned opcode = instruction >> 20, first = instruction >> 10 & 1023u,
                   second = instruction & 1023u;
    const unsigned kind = opcode >> 7 & 7u, inverted = opcode >> 10 & 1u, which = opcode & 0x7fu;
    unsigned carry = 0;
    switch (kind) {
    case LOADS: { /* from a register, or constant */
        uint64_t value = which ? 0 : model_read(m, second);
        if (inverted)
            value ^= ~UINT64_C(0);
        *(first == SRCA ? &m->srca : &m->srcb) = value;
        break;
    }
    case COMPUTES:
        if (which == 0) {
            m->accu = add_bits(m->srca, m->srcb, &carry);
        } else if (which == 1) { /* a - b = a + ~b + 1; no carry is a borrow */
            carry = 1;
            m->accu = add_bits(m->srca, ~m->srcb, &carry);
            carry ^= 1;
        } else {
            m->accu = which == 2 ? m->srca & m->srcb : which == 3 ? m->srca | m->srcb : m->srca ^ m->srcb;
        }
        m->zf = m->accu == 0;
        m->cf = carry;
        break;
    case STORES: {
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
    static const uint32_t outputs[] = {ACCU, ZF, CF};
    const uint64_t bits = random_next(seed);
    const uint32_t opcode = opcodes[bits % OPCODES], input = SRCA + (bits >> 8 & 1u), gpr = bits >> 16 & 0xfu;
    switch (opcode >> 7 & 7u) {
    case LOADS:
        return ALU(opcode, input, opcode & 1u ? 0 : gpr);
    case STORES:
        return ALU(opcode, gpr, outputs[(bits >> 24) % 3]);
    default:
        return ALU(opcode, 0, 0);
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
        struct model m = {.srca = 0}; /* inputs, accumulator and flags persist between commands */
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
            for (uint32_t operation = ADD; operation <= XOR; operation++) {
                struct model m = {.r = {random_edges[a], random_edges[b]}};
                const uint32_t ra = number % 16, rb = (number + 1) % 16;
                m.r[0] = m.r[1] = 21845;
                m.r[ra] = random_edges[a];
                m.r[rb] = random_edges[b];
                const uint32_t program[] = {
                    ALU(LOAD, SRCA, ra),
                    ALU(LOAD, SRCB, rb),
                    ALU(operation, 0, 0),
                    ALU(STORE, (ra + 2) % 16, ACCU),
                    ALU(STORE, (ra + 3) % 16, ZF),
                    ALU(STORE, (ra + 4) % 16, CF),
                    ALU(STOREINV, (ra + 5) % 16, ACCU),
                    ALU(STOREINV, (ra + 6) % 16, ZF),
                    ALU(STOREINV, (ra + 7) % 16, CF),
                    ALU(LOADINV, SRCA, ra),
                    ALU(LOADINV, SRCB, rb),
                    ALU(operation, 0, 0),
                    ALU(STORE, (ra + 8) % 16, ACCU),
                    ALU(STORE, (ra + 9) % 16, ZF),
                    ALU(STORE, (ra + 10) % 16, CF),
                };
                compare(s, &m, program, sizeof program / 4, number++);
            }
    /* Results that the reference must have, too. */
    struct model m = {.r = {UINT64_MAX, 1}};
    const uint32_t program[] = {
        ALU(LOAD, SRCA, 0),  ALU(LOAD, SRCB, 1),  ALU(ADD, 0, 0),    ALU(STORE, 2, ACCU), ALU(STORE, 3, ZF),
        ALU(STORE, 4, CF),   ALU(LOAD0, SRCA, 0), ALU(SUB, 0, 0),    ALU(STORE, 5, ACCU), ALU(STORE, 6, CF),
        ALU(LOAD1, SRCB, 0), ALU(AND, 0, 0),      ALU(STORE, 7, ZF), ALU(STORE, 8, CF)};
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
