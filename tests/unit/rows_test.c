/* Rows made whole for a generation: variants, fields that come and go, arrays, roles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "engine/execution.h"
#include "stream/index.h"

enum { MODE = 1, ADDRESS, LATE, NEVER_HERE };

static enum outcome does(struct execution *x)
{
    (void)x;
    return OUTCOME_DONE;
}

static const struct field fields[] = {
    {"Mode", 8, 8, FIELD_BOOL, ROLE(MODE), .until = GEN9},
    {"Mode", 9, 10, FIELD_UINT, ROLE(MODE), .since = GEN11},
    {"Address", 34, 63, FIELD_ADDRESS, ROLE(ADDRESS), .until = GEN75},
    {"Address", 34, 95, FIELD_ADDRESS, ROLE(ADDRESS), .since = GEN8},
    {"Late", 96, 127, FIELD_HEX, ROLE(LATE), .since = GEN9},
    {"X#", 128, 135, FIELD_UINT, .count = 3, .stride = 16},
    {"Y[#] of all", 136, 143, FIELD_UINT, .count = 3, .stride = 16},
};
static const struct field others[] = {{"Never", 0, 1, FIELD_UINT, ROLE(NEVER_HERE)}};

static const struct command rows[] = {
    {.name = "TEST",
     .summary = "First.",
     .spec = "A",
     OPCODE_MI(0x30),
     .engines = RENDER,
     .since = GEN7,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_PREDICATED,
     FIELDS(fields),
     .execute = does},
    {.since = GEN8, .min_dwords = 3, .spec = "B"},
    {.since = GEN11, .until = GEN11, .spec = "C"},
    {.name = "OTHER",
     OPCODE_MI(0x31),
     .engines = COPY,
     .since = GEN12,
     .min_dwords = 1,
     FIELDS(others),
     .execute = does},
};
static const struct command_table table = COMMAND_TABLE(rows);
static const struct command_table *const tables[] = {&table, NULL};

static struct command_set set;

static const struct command *only(enum generation generation)
{
    assert_true(command_set_create(&set, tables, generation));
    assert_int_equal(set.count, 2);
    return set.rows[1];
}

static void a_variant_says_what_differs(void **state)
{
    (void)state;
    assert_true(command_set_create(&set, tables, GEN6));
    assert_int_equal(set.count, 1);
    command_set_destroy(&set);
    static const struct {
        enum generation generation;
        const char *spec;
        unsigned min_dwords;
    } wanted[] = {{GEN7, "A", 2}, {GEN75, "A", 2}, {GEN8, "B", 3}, {GEN9, "B", 3}, {GEN11, "C", 3}};
    for (unsigned i = 0; i < 5; i++) {
        const struct command *c = only(wanted[i].generation);
        assert_string_equal(c->name, "TEST");
        assert_string_equal(c->summary, "First.");
        assert_string_equal(c->spec, wanted[i].spec);
        assert_int_equal(c->min_dwords, wanted[i].min_dwords);
        assert_int_equal(c->length_bits, 8);
        assert_int_equal(c->flags, COMMAND_PREDICATED);
        assert_ptr_equal(c->execute, does);
        assert_int_equal(command_find(&set, CLASS_RENDER, 0x30u << 23), 1);
        command_set_destroy(&set);
    }
    assert_string_equal(only(GEN12)->name, "OTHER"); /* the last variant ends */
    command_set_destroy(&set);
}

static void fields_come_and_go_and_arrays_take_turns(void **state)
{
    (void)state;
    static const char *const gen75[] = {"Mode", "Address",     "X0", "Y[0] of all",
                                        "X1",   "Y[1] of all", "X2", "Y[2] of all"};
    static const char *const gen9[] = {"Mode", "Address",     "Late", "X0",         "Y[0] of all",
                                       "X1",   "Y[1] of all", "X2",   "Y[2] of all"};
    const struct command *c = only(GEN75);
    assert_int_equal(c->field_count, 8);
    for (unsigned i = 0; i < 8; i++)
        assert_string_equal(c->fields[i].name, gen75[i]);
    assert_int_equal(c->fields[1].last, 63);
    command_set_destroy(&set);
    c = only(GEN9);
    assert_int_equal(c->field_count, 9);
    for (unsigned i = 0; i < 9; i++)
        assert_string_equal(c->fields[i].name, gen9[i]);
    assert_int_equal(c->fields[1].last, 95);
    assert_int_equal(c->fields[5].first, 144);
    assert_int_equal(c->fields[8].last, 175);
    command_set_destroy(&set);
}

/* A function asks for what another generation or row has, too: it reads as zero. */
static void what_is_absent_reads_as_zero(void **state)
{
    (void)state;
    static const uint32_t dw[8] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    static const struct {
        enum generation generation;
        uint64_t mode, address, late;
    } wanted[] = {{GEN7, 1, 0xfffffffc, 0},
                  {GEN9, 1, 0xfffffffffffffffc, 0xffffffff},
                  {GEN11, 3, 0xfffffffffffffffc, 0xffffffff}};
    for (unsigned i = 0; i < 3; i++) {
        const struct execution x = {
            .command = only(wanted[i].generation), .dw = dw, .length_dw = 8, .header = 0x18ffffff};
        assert_int_equal(command_field(&x, MODE), wanted[i].mode);
        assert_int_equal(command_field(&x, ADDRESS), wanted[i].address);
        assert_int_equal(command_field(&x, LATE), wanted[i].late);
        assert_int_equal(command_field(&x, NEVER_HERE), 0);
        assert_false(command_flag(&x, NEVER_HERE));
        assert_true(command_flag(&x, MODE));
        command_set_destroy(&set);
    }
}

TEST_PROGRAM(rows_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variant_says_what_differs),
        cmocka_unit_test(fields_come_and_go_and_arrays_take_turns),
        cmocka_unit_test(what_is_absent_reads_as_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
