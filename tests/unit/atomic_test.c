/* CSP-14: MI_ATOMIC against a reference of its own: every operation on 4, 8 and 16 bytes, operands inline and
 * in registers, what is returned, on every engine of Gen9 and Gen11. */
#include "../suite.h"
#include "../streamer.h"

/* Values of registers and of memory beside the operand, which are not used. */
enum { FIRST_GPR = 1111, SECOND_GPR = 2222 };
#define GPR_4  (UINT64_MAX / 15 * 4)
#define GPR_5  (UINT64_MAX / 15 * 5)
#define BESIDE (UINT64_MAX / 15 * 14)

enum { ROUNDS = 12 };

/* The operations by name, on `bits` bits; *returned is what goes back to the streamer. */
static uint64_t reference(unsigned operation, unsigned bits, uint64_t old, uint64_t first, uint64_t second,
                          uint64_t *returned)
{
    const uint64_t all = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1u, sign = UINT64_C(1)
                                                                                        << (bits - 1u);
    uint64_t new_value = 0;
    first &= all;
    second &= all;
    *returned = old;
    switch (operation) {
    case 1: /* AND */
        new_value = ~(~old | ~first);
        break;
    case 2: /* OR */
        new_value = ~(~old & ~first);
        break;
    case 3: /* XOR */
        new_value = (old | first) & ~(old & first);
        break;
    case 4: /* MOVE */
        new_value = first;
        break;
    case 5: /* INC */
        new_value = old == all ? 0 : old + 1;
        break;
    case 6:  /* DEC */
    case 15: /* PREDEC: what is returned is the new value */
        new_value = old == 0 ? all : old - 1;
        *returned = operation == 15 ? new_value : old;
        break;
    case 7: /* ADD */
        new_value = old + first;
        break;
    case 8: /* SUB */
        new_value = old + ~first + 1;
        break;
    case 9: /* RSUB */
        new_value = first + ~old + 1;
        break;
    case 10: /* IMAX: with the sign bit turned, unsigned order is signed order */
        new_value = (old ^ sign) >= (first ^ sign) ? old : first;
        break;
    case 11: /* IMIN */
        new_value = (old ^ sign) <= (first ^ sign) ? old : first;
        break;
    case 12: /* UMAX */
        new_value = old >= first ? old : first;
        break;
    case 13: /* UMIN */
        new_value = old <= first ? old : first;
        break;
    case 14: /* CMP_WR */
        new_value = old == first ? second : old;
        break;
    default:
        fail();
    }
    return new_value & all;
}

static void put_gpr(struct streamer *s, unsigned gpr, uint64_t value)
{
    register_put(s, s->base + GPR_AT + gpr * 8u, (uint32_t)value);
    register_put(s, s->base + GPR_AT + gpr * 8u + 4u, (uint32_t)(value >> 32));
}

static uint64_t get_gpr(struct streamer *s, unsigned gpr)
{
    return register_get(s, s->base + GPR_AT + gpr * 8u) |
           (uint64_t)register_get(s, s->base + GPR_AT + gpr * 8u + 4u) << 32;
}

enum { RETURN = 1 << 16, STALL = 1 << 17, INLINE = 1 << 18, IN_GGTT = 1 << 22 };

struct operands {
    uint64_t first[2], second[2];
};

/* The command, with the operands where `flags` says. */
static void run(struct streamer *s, uint32_t opcode, unsigned size, uint32_t flags, const struct operands *o)
{
    uint32_t dw[11] = {0x2fu << 23 | flags | size << 19 | opcode << 8 | 1u, DATA + 0x40, 0};
    uint32_t length = 3;
    for (unsigned i = 0; i < 2; i++) { /* what must not be looked at is something else */
        put_gpr(s, i, flags & INLINE ? FIRST_GPR : o->first[i]);
        put_gpr(s, 2 + i, flags & INLINE ? SECOND_GPR : o->second[i]);
    }
    put_gpr(s, 4, GPR_4);
    put_gpr(s, 5, GPR_5);
    if (flags & INLINE) {
        for (unsigned i = 0; i < 4; i++) {
            dw[3 + i * 2] = (uint32_t)(o->first[i / 2] >> (i % 2 * 32));
            dw[4 + i * 2] = (uint32_t)(o->second[i / 2] >> (i % 2 * 32));
        }
        length = 11;
        dw[0] += 8;
    }
    batch_run(s, dw, length, !(flags & IN_GGTT));
}

static uint32_t place(uint32_t flags)
{
    return (flags & IN_GGTT ? (uint32_t)DATA : (uint32_t)USER_DATA) + 0x40;
}

static void surround(struct streamer *s, uint32_t at, uint64_t low, uint64_t high)
{
    memset(s->memory + at - 16, 0xee, 48);
    memcpy(s->memory + at, &low, 8);
    memcpy(s->memory + at + 8, &high, 8);
}

static void one(struct streamer *s, unsigned operation, unsigned bits, uint32_t flags, uint64_t *seed)
{
    const uint32_t at = place(flags);
    const uint64_t memory = random_value(seed), beside = BESIDE;
    struct operands o = {{random_value(seed), random_value(seed)}, {random_value(seed), random_value(seed)}};
    if (operation == 14 && random_next(seed) & 1u)
        o.first[0] = memory;
    surround(s, at, memory, beside);
    run(s, operation + (bits == 64 ? 0x20u : 0), bits == 64, flags, &o);
    const uint64_t all = bits == 64 ? ~UINT64_C(0) : UINT32_MAX;
    uint64_t returned;
    const uint64_t expected =
        reference(operation, bits, memory & all, o.first[0], o.second[0], &returned) | (memory & ~all);
    const uint64_t untouched = GPR_4;
    const uint64_t r4 = flags & RETURN ? returned | (untouched & ~all) : untouched;
    if (qword_at(s, at) != expected || qword_at(s, at + 8) != beside || qword_at(s, at - 8) != beside ||
        get_gpr(s, 4) != r4 || get_gpr(s, 5) != GPR_5)
        fail_msg("%s, operation %u on %u bits, flags %x: %016llx of %016llx and %016llx, %016llx; R4 %016llx",
                 streamer_status(s).name, operation, bits, flags, (unsigned long long)qword_at(s, at),
                 (unsigned long long)memory, (unsigned long long)o.first[0], (unsigned long long)o.second[0],
                 (unsigned long long)get_gpr(s, 4));
}

/* Compare and exchange of 16 bytes: both halves count. */
static void sixteen(struct streamer *s, uint32_t flags, uint64_t *seed)
{
    const uint32_t at = place(flags);
    for (unsigned differs = 0; differs < 4; differs++) {
        const uint64_t memory[2] = {random_value(seed), random_value(seed)};
        const struct operands o = {{memory[0] ^ (differs & 1u), memory[1] ^ (uint64_t)(differs >> 1) << 63},
                                   {random_value(seed), random_value(seed)}};
        surround(s, at, memory[0], memory[1]);
        run(s, 0x4e, 2, flags, &o);
        const uint64_t *expected = differs ? memory : o.second;
        if (qword_at(s, at) != expected[0] || qword_at(s, at + 8) != expected[1])
            fail_msg("%s, CMP_WR16B, flags %x, halves that differ %x", streamer_status(s).name, flags,
                     differs);
        assert_true(qword_at(s, at - 8) == BESIDE && qword_at(s, at + 16) == BESIDE);
        assert_true(get_gpr(s, 4) == (flags & RETURN ? memory[0] : GPR_4));
        assert_true(get_gpr(s, 5) == (flags & RETURN ? memory[1] : GPR_5));
    }
}

static void atomics(const char *device)
{
    struct streamer *s = streamer_create(device);
    uint64_t seed = 14;
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++) {
        streamer_start(s, e);
        for (unsigned choice = 0; choice < 16; choice++) {
            const uint32_t flags = (choice & 1u ? INLINE : 0) | (choice & 2u ? RETURN : 0) |
                                   (choice & 4u ? STALL : 0) | (choice & 8u ? IN_GGTT : 0);
            for (unsigned operation = 1; operation < 16; operation++)
                for (unsigned n = 0; n < ROUNDS; n++) {
                    one(s, operation, 32, flags, &seed);
                    one(s, operation, 64, flags, &seed);
                }
            sixteen(s, flags, &seed);
        }
        assert_int_equal(streamer_status(s).dropped, 0);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
    }
    streamer_destroy(s);
}

static void atomics_gen9(void **state)
{
    (void)state;
    atomics("skl");
}

static void atomics_gen11(void **state)
{
    (void)state;
    atomics("icl");
}

/* No other opcode does anything. */
static void no_other_operation(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    const struct operands o = {{1, 1}, {1, 1}};
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        if ((opcode & 0xdf) >= 1 && (opcode & 0xdf) <= 15)
            continue;
        surround(s, place(0), 1, 1);
        run(s, opcode, 1, INLINE | RETURN, &o);
        assert_true(qword_at(s, place(0)) == 1 && qword_at(s, place(0) + 8) == 1);
        assert_true(get_gpr(s, 4) == (opcode == 0x4e ? 1 : GPR_4));
    }
    streamer_destroy(s);
}

TEST_PROGRAM(atomic_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_gen9),
        cmocka_unit_test(atomics_gen11),
        cmocka_unit_test(no_other_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
