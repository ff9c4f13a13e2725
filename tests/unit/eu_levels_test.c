#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../eu_kernel.h"
#include "../random.h"

/* The handlers for each level of the host's vectors give what the exact ones give, bit for bit: operations of
 * all shapes that they take, with modifiers, predicates, masks, saturation, in each mode of floats. */

static struct kernel k;

static uint32_t random_bits(uint64_t *seed)
{
    static const uint32_t edges[] = {0,          0x80000000, 1,          0x807fffff, 0x007fffff, 0x00800000,
                                     0x80800001, 0x3f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffffffff, 0x7f800001, 0x4f000000, 0xcf000000, 0x1f800000,
                                     0x20000000, 0x9f800001, 0x7fffffff, 0x3effffff, 0xbf800001, 0x4effffff};
    const uint64_t choice = random_next(seed);
    switch (choice & 3u) {
    case 0:
        return edges[(choice >> 2) % (sizeof edges / sizeof edges[0])];
    case 1: /* small ones, whose products are denormal or round at half */
        return (uint32_t)(0x1f000000 + (random_next(seed) & 0x80ff000f));
    case 2:
        return 0x3f000000 + (uint32_t)(random_next(seed) & 0x80ffffff);
    default:
        return (uint32_t)random_next(seed);
    }
}

static struct op any_source(uint64_t *seed, enum eu_type type, bool three, bool may_be_immediate)
{
    const uint64_t choice = random_next(seed);
    const unsigned number = 10 + (unsigned)(choice >> 8) % 8u;
    struct op o = reg(number, type);
    if ((choice & 3u) == 0)
        o = one(number, (unsigned)(choice >> 16) % 8u * 4u, type);
    else if ((choice & 3u) == 1 && may_be_immediate && !three)
        return imm(random_bits(seed), type);
    else if (!three && (choice & 12u) == 0)
        o = region(number, type, 4, 4, 1);
    else if (!three && (choice & 12u) == 4)
        o = region(number, type, 1, 1, 0);
    if (three && o.w == 1)
        o.v = o.h = 0;
    o.negate = choice >> 24 & 1u && choice >> 25 & 1u;
    o.absolute = choice >> 26 & 1u && choice >> 27 & 1u;
    return o;
}

static const struct {
    enum eu_does does;
    uint8_t sources;
    bool conditional, floats, only_integers, saturates, modified;
} operations[] = {
    {EU_MOV, 1, false, true, false, true, true},   {EU_NOT, 1, false, false, true, false, true},
    {EU_AND, 2, false, false, true, false, true},  {EU_OR, 2, false, false, true, false, true},
    {EU_XOR, 2, false, false, true, false, true},  {EU_ADD, 2, false, true, false, true, true},
    {EU_MUL, 2, false, true, false, true, true},   {EU_SHL, 2, false, false, true, false, false},
    {EU_SHR, 2, false, false, true, false, false}, {EU_ASR, 2, false, false, true, false, false},
    {EU_ROL, 2, false, false, true, false, false}, {EU_ROR, 2, false, false, true, false, false},
    {EU_SEL, 2, true, true, false, true, true},    {EU_CMP, 2, true, true, false, false, true},
    {EU_MAD, 3, false, true, false, true, true},   {EU_ADD3, 3, false, false, true, false, true},
    {EU_BFN, 3, false, false, true, false, false},
};

static bool add_any(uint64_t *seed)
{
    const uint64_t choice = random_next(seed);
    const unsigned row = (unsigned)choice % (sizeof operations / sizeof operations[0]);
    const unsigned sources = operations[row].sources;
    const bool three = sources == 3;
    const enum eu_type a =
        operations[row].only_integers || choice >> 16 & 1u ? (choice >> 17 & 1u ? TYPE_D : TYPE_UD) : TYPE_F;
    enum eu_type d = a;
    if (!kernel_has(k.set, operations[row].does))
        return false;
    if (operations[row].does == EU_MOV && choice >> 18 & 1u)
        d = choice >> 19 & 1u ? TYPE_D : TYPE_F;
    struct how how = {.channels = (uint8_t[]){1, 8, 16, 16}[choice >> 20 & 3u],
                      .first = choice >> 22 & 1u ? 8 : 0,
                      .predicate = (uint8_t[]){0, 0, 1, 1, 4, 13, 0, 1}[choice >> 23 & 7u],
                      .invert = choice >> 26 & 1u,
                      .flag = choice >> 27 & 3u,
                      .no_mask = choice >> 29 & 1u,
                      .saturate = operations[row].saturates && choice >> 30 & 1u && choice >> 31 & 1u};
    if (operations[row].conditional)
        how.condition = operations[row].does == EU_CMP ? (uint8_t)(1 + (choice >> 32) % 6u)
                                                       : (uint8_t[]){0, 4, 5, 3}[choice >> 32 & 3u];
    if (operations[row].does == EU_BFN)
        how.function = (uint8_t)(choice >> 40);
    struct op s[3];
    for (unsigned n = 0; n < sources; n++) {
        s[n] = any_source(seed, a, three, n == sources - 1);
        if (!operations[row].modified)
            s[n].negate = s[n].absolute = false;
        if (n && s[n].type != TYPE_F && choice >> 50 & 1u && !three && !s[n].immediate)
            s[n].type = s[n].type == TYPE_D ? TYPE_UD : TYPE_D;
        if (n && s[n].immediate && s[n].type != TYPE_F && choice >> 51 & 1u)
            s[n].type = choice >> 52 & 1u ? TYPE_W : TYPE_UW, s[n].value = (s[n].value & 0xffff) * 0x10001;
    }
    struct op to = reg(20 + (unsigned)(choice >> 44) % 3u - (choice >> 47 & 1u ? 8u : 0), d);
    if (operations[row].does == EU_CMP && choice >> 48 & 1u)
        to = none(d);
    kernel_op(&k, operations[row].does, how, to, &s[0], sources > 1 ? &s[1] : NULL, three ? &s[2] : NULL);
    return true;
}

static void levels_are_the_same(void **state)
{
    static const uint32_t modes[] = {0x4c0, 0,    0x400, 0x4d0, 0x4e0, 0x4f0,
                                     0x10,  0x20, 0x30,  0x4c1, 0x80,  0x1};
    unsigned fast = 0, all = 0;
    (void)state;
    for (enum eu_level level = EU_LEVEL_NONE + 1; level < EU_LEVELS; level++) {
        struct eu_cache *const cache = eu_cache_create_at(level), *const exact =
                                                                      eu_cache_create_at(EU_LEVEL_NONE);
        uint64_t seed = 3;
        assert_non_null(exact);
        for (unsigned n = 0; cache && n < 12000; n++) {
            struct eu_thread a, b;
            k.set = eu_sets[n & 3u];
            k.count = 0;
            for (unsigned tries = 0; k.count < 3 && tries < 50; tries++)
                add_any(&seed);
            const unsigned operations_of_it = k.count;
            kernel_end(&k);
            kernel_finish(&k);
            eu_thread_start(&a, k.set, 0, 0xffffff);
            for (unsigned m = 10 * 32; m < 30 * 32; m += 4)
                memcpy(a.grf + m, &(uint32_t){random_bits(&seed)}, 4);
            for (unsigned m = 0; m < 4; m++)
                a.flags[m] = (uint16_t)random_next(&seed);
            a.control[0] = modes[n / 4 % (sizeof modes / sizeof modes[0])];
            if (n % 3 == 0) {
                a.active = (uint32_t)random_next(&seed) & a.dispatched;
                for (unsigned m = 0; m < EU_MOST_CHANNELS; m++)
                    a.resume[m] = 0xfff8;
            }
            const struct eu_thread start = a;
            b = a;
            for (unsigned way = 0; way < 2; way++) {
                uint64_t budget = 100;
                struct test_port p =
                    test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, way ? cache : exact);
                p.port.context = &p;
                assert_int_equal(eu_thread_run(way ? &b : &a, &p.port, &budget), EU_ENDED);
            }
            a.why = b.why;
            if (memcmp(&a, &b, sizeof a) != 0) {
                for (unsigned m = 0; m < operations_of_it; m++) {
                    struct text text = {0};
                    eu_write(k.set, &k.i[m], 0, &text);
                    text_char(&text, '\0');
                    fprintf(stderr, "%s\n", (const char *)text.bytes);
                    text_free(&text);
                }
                for (unsigned m = 0; m < sizeof a.grf; m += 4)
                    if (memcmp(a.grf + m, b.grf + m, 4) != 0) {
                        uint32_t x, y, z;
                        memcpy(&x, a.grf + m, 4);
                        memcpy(&y, b.grf + m, 4);
                        memcpy(&z, start.grf + m, 4);
                        fprintf(stderr, "r%u.%u: %08x, not %08x; before %08x\n", m / 32, m / 4 % 8, y, x, z);
                    }
                fail_msg("level %d, cr0 %x, %s, flags %x %x, not %x %x", (int)level, start.control[0],
                         k.set->name, b.flags[0], b.flags[2], a.flags[0], a.flags[2]);
            }
            for (unsigned m = 0; m < operations_of_it; m++) {
                struct eu_op op;
                struct eu_instruction i;
                assert_true(eu_decode(k.set, k.bytes + m * EU_NATIVE_BYTES, EU_NATIVE_BYTES, &i));
                eu_prepare(k.set, &i, &op);
                all++;
                fast += eu_levels[level](&op) != NULL;
            }
        }
        eu_cache_destroy(cache);
        eu_cache_destroy(exact);
    }
    assert_true(fast > all / 2 || eu_host_level() == EU_LEVEL_NONE); /* it is them that are compared */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
