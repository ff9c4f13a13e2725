#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../suite.h"
#include "../random.h"
#include "isa/isa.h"

/* Instructions and what Intel's assembler says they are (iga64 1.1.0, the blanks at a line's end left out).
 * Those of Gen20 are of IGC 2.40, ocloc's and Mesa's kernels. */
static const struct {
    const struct eu_isa *set;
    uint64_t high, low; /* high 0 and bit 29 of low: compacted */
    const char *text;
} lines[] = {
#include "eu_lines.h"
#include "eu_gen6_lines.h"
#include "eu_gen200_lines.h"
};

static void text_is_the_assemblers(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
        const uint64_t word[2] = {lines[n].low, lines[n].high};
        struct eu_instruction i;
        struct text t = {0};
        assert_true(eu_decode(lines[n].set, word, sizeof word, &i));
        eu_disassemble(lines[n].set, &i, 0, &t);
        text_char(&t, '\0');
        assert_string_equal(t.bytes, lines[n].text);
        text_free(&t);
    }
}

static void check_again(const struct eu_isa *set, const void *bytes, size_t size_bytes)
{
    struct eu_instruction i;
    uint8_t again[EU_NATIVE_BYTES];
    struct text t = {0};
    if (!eu_decode(set, bytes, size_bytes, &i))
        return;
    eu_disassemble(set, &i, 0, &t);
    assert_false(t.failed);
    text_free(&t);
    assert_true(eu_encode(set, &i, again));
    assert_memory_equal(again, bytes, i.size_bytes);
}

/* What decode takes apart, encode puts together: words of random bits, with each opcode. */
static void encode_is_decodes_inverse(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (const struct eu_isa *const *set = eu_isas; *set; set++)
        for (unsigned n = 0; n < 40000; n++) {
            uint64_t word[2] = {random_next(&seed), random_next(&seed)};
            if (n & 1u) /* many zeros: more of them are valid */
                word[0] &= random_next(&seed) & random_next(&seed),
                    word[1] &= random_next(&seed) & random_next(&seed);
            word[0] = (word[0] & ~UINT64_C(0x7f)) | n % 128u;
            check_again(*set, word, sizeof word);
        }
}

/* Compacted and not say the same, but for how long they are. */
static void compacted_is_the_same(void **state)
{
    uint64_t seed = 2;
    unsigned same = 0;
    (void)state;
    for (const struct eu_isa *const *set = eu_isas; *set; set++)
        for (unsigned n = 0; n < 30000; n++) {
            const uint64_t compact = random_next(&seed) | UINT64_C(1) << 29;
            struct eu_word word;
            uint64_t again;
            struct eu_instruction a, b;
            if (!eu_expand(*set, compact, &word))
                continue;
            assert_true(eu_compact(*set, &word, &again));
            assert_true(eu_decode(*set, &again, sizeof again, &a));
            assert_true(eu_decode(*set, &word, sizeof word, &b));
            assert_ptr_equal(a.operation, b.operation);
            assert_memory_equal(a.value, b.value, sizeof a.value);
            same++;
        }
    assert_true(same > 10000);
}

/* A function's name, worked out, gives its table. */
struct expression {
    const char *at;
    uint8_t s[3];
};

static uint8_t sum(struct expression *e);

static uint8_t atom(struct expression *e)
{
    uint8_t value;
    if (*e->at == '~') {
        e->at++;
        return (uint8_t)~atom(e);
    }
    if (*e->at == '(') {
        e->at++;
        value = sum(e);
        assert_int_equal(*e->at++, ')');
        return value;
    }
    assert_int_equal(e->at[0], 's');
    value = e->s[e->at[1] - '0'];
    e->at += 2;
    return value;
}

static uint8_t product(struct expression *e)
{
    uint8_t value = atom(e);
    while (*e->at == '&')
        e->at++, value &= atom(e);
    return value;
}

static uint8_t difference(struct expression *e)
{
    uint8_t value = product(e);
    while (*e->at == '^')
        e->at++, value ^= product(e);
    return value;
}

static uint8_t sum(struct expression *e)
{
    uint8_t value = difference(e);
    while (*e->at == '|')
        e->at++, value |= difference(e);
    return value;
}

static void bfn_names_are_their_tables(void **state)
{
    (void)state;
    assert_string_equal(eu_bfn_names[0], "zeros");
    assert_string_equal(eu_bfn_names[255], "ones");
    for (unsigned n = 1; n < 255; n++) {
        struct expression e = {eu_bfn_names[n], {0xaa, 0xcc, 0xf0}};
        assert_int_equal(sum(&e), n);
        assert_int_equal(*e.at, '\0');
    }
}

/* The parts of Gen20's messages: payload 2's length, and what is added to addresses. (iga64 1.1.0) */
static void gen200_messages(void **state)
{
    static const struct {
        uint64_t high, low;
        int length;
        int32_t offset;
    } sends[] = {
        {0x06700314fa00028c, 0x010e020080000031, 2, 0},        /* ugm r3:2 bti[a0.2]: ExBSO is implied */
        {0x06700304ea00028c, 0x010e020080000031, -1, 0},       /* slm r3 bti[a0.2] */
        {0x06700314ea00028c, 0x010e028080000031, 2, 0},        /* the same, with ExBSO */
        {0xb6700003fa00020f, 0x010c000080000031, 0, 0},        /* ugm null ss[0xBF000000] */
        {0x02700000ea00020c, 0x010c020080000031, 0, 0x20},     /* slm null flat[A+0x20] */
        {0x06700000fa00028f, 0x010c801080000031, 0, -0x7ff},   /* ugm null bti[3][A-0x7FF] */
        {0x86700314fa00020c, 0x010e020080000031, 2, -0x10000}, /* ugm r3:2 ss[a0.2][A-0x10000] */
        {0x027003146a00020c, 0x010cfff080000031, 2, 0xfff},    /* urb r3:2 flat[A+0xFFF] */
    };
    (void)state;
    for (size_t n = 0; n < sizeof sends / sizeof sends[0]; n++) {
        const uint64_t word[2] = {sends[n].low, sends[n].high};
        struct eu_instruction i;
        assert_true(eu_decode(&eu_gen200, word, sizeof word, &i));
        const struct eu_message m = eu_message(&eu_gen200, &i);
        assert_int_equal(eu_message_kind(&eu_gen200, m.sfid, m.descriptor), MESSAGE_LSC);
        assert_int_equal(m.lengths[2], sends[n].length);
        assert_int_equal(eu_address_offset(&eu_gen200, &m), sends[n].offset);
    }
}

/* What is cut, and what is no instruction, is said and does no harm. */
static void hostile_bytes(void **state)
{
    static const uint8_t zeros[32];
    uint8_t ones[32];
    struct eu_instruction i;
    (void)state;
    memset(ones, 0xff, sizeof ones);
    for (const struct eu_isa *const *set = eu_isas; *set; set++) {
        assert_false(eu_decode(*set, zeros, 15, &i));
        assert_true(eu_decode(*set, zeros, 16, &i));
        assert_string_equal(i.operation->name, "illegal");
        assert_null(i.illegal);
        assert_false(eu_decode(*set, ones, 7, &i));
        assert_true(eu_decode(*set, ones, 8, &i));
        assert_non_null(i.illegal);
        check_again(*set, ones, 8);
        struct text t = {0};
        size_t listed;
        assert_int_equal(
            eu_disassemble_kernel(*set, ones, 30, &(struct eu_listing){.indent = ""}, &t, &listed), 3);
        assert_int_equal(listed, 24);
        text_free(&t);
    }
}

TEST_PROGRAM(eu_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_the_assemblers), cmocka_unit_test(encode_is_decodes_inverse),
        cmocka_unit_test(compacted_is_the_same),  cmocka_unit_test(bfn_names_are_their_tables),
        cmocka_unit_test(gen200_messages),        cmocka_unit_test(hostile_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
