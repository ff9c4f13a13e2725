/* What commands point to, in a made memory. Skylake's rows; places and bits as its manual has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "../suite.h"
#include "commands/commands.h"
#include "host/structure_dumper.h"

enum { SURFACES = 0x100000, DYNAMIC = 0x200000, BYTES = 0x400000 };

struct rig {
    struct command_set set;
    struct dumper dumper;
    struct structure_dumper follow;
    struct bases bases;
    struct text text;
    uint32_t *memory;
    uint64_t first_missing;
};

static bool read_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct rig *r = user;
    if (address > r->first_missing || size_bytes > r->first_missing - address)
        return false;
    memcpy(data, (const uint8_t *)r->memory + address, size_bytes);
    return true;
}

static void start(struct rig *r, bool json)
{
    *r = (struct rig){.first_missing = BYTES};
    r->memory = calloc(1, BYTES);
    const struct dump_options options = {.json = json, .bases = &r->bases};
    assert_non_null(r->memory);
    assert_true(command_set_create(&r->set, command_tables, GEN9));
    assert_true(dumper_create(&r->dumper, &r->set, &options));
    assert_true(structure_dumper_create(&r->follow, GEN9, &options));
    r->follow.user = r;
    r->follow.read = read_memory;
}

static void bases(struct rig *r)
{
    r->bases.address[BASE_SURFACE] = SURFACES;
    r->bases.address[BASE_DYNAMIC] = DYNAMIC;
    r->bases.known[BASE_SURFACE] = r->bases.known[BASE_DYNAMIC] = true;
}

static void end(struct rig *r)
{
    structure_dumper_destroy(&r->follow);
    dumper_destroy(&r->dumper);
    command_set_destroy(&r->set);
    text_free(&r->text);
    free(r->memory);
}

static const char *see(struct rig *r, const uint32_t *dw, uint32_t length_dw)
{
    const uint16_t number = command_find(&r->set, CLASS_RENDER, dw[0]);
    assert_int_not_equal(number, 0);
    r->text.length = 0;
    structure_dumper_command(&r->follow, &r->text, r->set.rows[number], dw, length_dw, 0x1000);
    text_char(&r->text, 0);
    assert_false(r->text.failed);
    return r->text.bytes;
}

static unsigned times(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        n++;
    return n;
}

static const uint32_t binding_table_ps[2] = {0x782a0000, 0x40}, samplers_ps[2] = {0x782f0000, 0x80};

/* 3DSTATE_PS: Sampler Count in dword 3, bits 29:27, Binding Table Entry Count in bits 25:18. */
static void tell_counts(struct rig *r, uint32_t samplers_in_fours, uint32_t bindings)
{
    const uint32_t ps[12] = {0x7820000a, 0, 0, samplers_in_fours << 27 | bindings << 18};
    assert_string_equal(see(r, ps, 12), "");
}

static void a_binding_table_of_a_length_that_the_stage_tells(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    bases(&r);
    r.memory[(SURFACES + 0x40) / 4] = 0x1000;
    r.memory[(SURFACES + 0x48) / 4] = 0x2000;     /* [1] is empty */
    r.memory[(SURFACES + 0x1000) / 4] = 1u << 29; /* 2D */
    r.memory[(SURFACES + 0x1000) / 4 + 2] = 719u << 16 | 1279;
    r.memory[(SURFACES + 0x2000) / 4] = 4u << 29; /* a buffer */
    tell_counts(&r, 0, 3);
    const char *text = see(&r, binding_table_ps, 2);
    assert_int_equal(times(text, "    BINDING_TABLE_STATE ["), 3);
    assert_non_null(strstr(text, "    BINDING_TABLE_STATE [0] at 0x00100040, Pointer to PS Binding Table\n"
                                 "        Surface State Pointer: 0x00001000 at 0x00101000\n"
                                 "        RENDER_SURFACE_STATE at 0x00101000, Surface State Pointer\n"));
    assert_int_equal(times(text, "        RENDER_SURFACE_STATE"), 2);
    assert_int_equal(times(text, "            Surface Type: 1 (SURFTYPE_2D)\n"), 1);
    assert_int_equal(times(text, "            Width: 1279\n"), 1);
    assert_int_equal(times(text, "            Height: 719\n"), 1);
    assert_int_equal(times(text, "            Surface Type: 4 (SURFTYPE_BUFFER)\n"), 1);
    end(&r);
}

static void a_table_whose_length_nobody_tells_ends_where_it_is_empty(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    bases(&r);
    for (unsigned i = 0; i < 40; i++)
        r.memory[(SURFACES + 0x40) / 4 + i] = 0x1000;
    r.memory[(SURFACES + 0x40) / 4 + 2] = 0;
    assert_int_equal(times(see(&r, binding_table_ps, 2), "BINDING_TABLE_STATE ["), 2);
    r.memory[(SURFACES + 0x40) / 4 + 2] = 0x1000;
    assert_int_equal(times(see(&r, binding_table_ps, 2), "BINDING_TABLE_STATE ["), 16);
    end(&r);
}

static void samplers_in_fours_and_their_border_colour(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    bases(&r);
    r.memory[(DYNAMIC + 0x80) / 4 + 2] = 0x400; /* Border Color Pointer */
    r.memory[(DYNAMIC + 0x400) / 4] = 0x3f800000;
    assert_int_equal(times(see(&r, samplers_ps, 2), "    SAMPLER_STATE at 0x00200080"), 1);
    tell_counts(&r, 1, 0);
    const char *text = see(&r, samplers_ps, 2);
    assert_int_equal(times(text, "    SAMPLER_STATE ["), 4);
    assert_int_equal(times(text, "        SAMPLER_BORDER_COLOR_STATE at 0x00200400"), 1);
    assert_int_equal(times(text, "            Border Color Float Red: 1\n"), 1);
    end(&r);
}

/* MEDIA_INTERFACE_DESCRIPTOR_LOAD of two descriptors; the second has a table of one surface. */
static void descriptors_by_their_total_length(void **state)
{
    (void)state;
    struct rig r;
    static const uint32_t load[4] = {0x70020002, 0, 64, 0x800};
    start(&r, false);
    bases(&r);
    r.memory[(DYNAMIC + 0x820) / 4 + 4] = 0x40 | 1;
    r.memory[(SURFACES + 0x40) / 4] = 0x1000;
    const char *text = see(&r, load, 4);
    assert_int_equal(times(text, "    INTERFACE_DESCRIPTOR_DATA ["), 2);
    assert_int_equal(times(text, "        BINDING_TABLE_STATE at 0x00100040, Binding Table Pointer"), 1);
    assert_int_equal(times(text, "            RENDER_SURFACE_STATE"), 1);
    end(&r);
}

/* mov (8|M0) r3.0<1>:ud r0.0<1;1,0>:ud; send to the thread spawner with EOT; what stands behind it is not
 * shown. */
static const uint32_t kernel[] = {0x00600001, 0x2060020c, 0x00200000, 0x00000000, 0x07600031,
                                  0x20000204, 0x06000fe0, 0x82000010, 0x00000001};

static void kernels_of_descriptors(void **state)
{
    (void)state;
    struct rig r;
    static const uint32_t load[4] = {0x70020002, 0, 64, 0x800}, first[4] = {0x70020002, 0, 32, 0},
                          empty[4] = {0x70020002, 0, 0, 0};
    start(&r, false);
    bases(&r);
    r.follow.kernels.set = &eu_gen9;
    memcpy(r.memory + 0x10000 / 4, kernel, sizeof kernel);
    r.memory[(DYNAMIC + 0x820) / 4] = 0x10000;
    assert_int_equal(times(see(&r, load, 4), "Kernel, Kernel Start Pointer: its base address is not known"),
                     2);
    r.bases.known[BASE_INSTRUCTION] = true;
    const char *text = see(&r, load, 4);
    assert_int_equal(times(text, "        Kernel at "), 2); /* one at 0: a descriptor has one */
    assert_non_null(strstr(text,
                           "        Kernel at 0x00010000, Kernel Start Pointer\n"
                           "            L0:\n"
                           "            (W)     mov (8|M0)               r3.0<1>:ud    r0.0<1;1,0>:ud\n"
                           "            (W)     send (8|M0)              null     r127    0x27            "
                           "0x02000010           {EOT} // wr:1+0, rd:0; spawner; end of thread\n"));
    assert_int_equal(times(text, "mov (8|M0)"), 1);
    text = see(&r, load, 4);
    assert_non_null(strstr(text, "Kernel at 0x00010000, Kernel Start Pointer: as listed before\n"));
    r.memory[0x10000 / 4 + 1] = 0x2080020c; /* another: r4 */
    text = see(&r, load, 4);
    assert_int_equal(times(text, "r4.0<1>:ud"), 1);
    /* where the base is, they are descriptors as well, if there are any */
    r.memory[DYNAMIC / 4] = 0x10000;
    assert_int_equal(times(see(&r, first, 4), "Kernel at 0x00010000"), 1);
    assert_string_equal(see(&r, empty, 4), "");
    r.memory[(DYNAMIC + 0x820) / 4] = BYTES;
    assert_int_equal(times(see(&r, load, 4), "Kernel Start Pointer: not in the trace"), 1);
    end(&r);
}

static void what_is_not_there_is_told(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    assert_string_equal(see(&r, samplers_ps, 2),
                        "    SAMPLER_STATE, Pointer to PS Sampler State: its base address is not known\n");
    bases(&r);
    r.first_missing = DYNAMIC;
    assert_string_equal(see(&r, samplers_ps, 2),
                        "    SAMPLER_STATE at 0x00200080, Pointer to PS Sampler State: not in the trace\n");
    tell_counts(&r, 0, 200); /* longer than what is there */
    r.first_missing = SURFACES + 0x48;
    const char *text = see(&r, binding_table_ps, 2);
    assert_int_equal(times(text, "BINDING_TABLE_STATE ["), 3);
    assert_int_equal(
        times(text, "BINDING_TABLE_STATE [2] at 0x00100048, Pointer to PS Binding Table: not in the trace\n"),
        1);
    const uint32_t nothing[2] = {0x782a0000, 0};
    assert_string_equal(see(&r, nothing, 2), "");
    assert_string_equal(see(&r, binding_table_ps, 1), ""); /* cut off */
    end(&r);
}

/* 64 descriptors of 31 bindings and 16 samplers each: it ends. */
static void a_command_shows_a_thousand_structures_at_most(void **state)
{
    (void)state;
    struct rig r;
    static const uint32_t load[4] = {0x70020002, 0, 0x1ffe0, 0x800};
    start(&r, true);
    bases(&r);
    for (unsigned i = 0; i < 64; i++) {
        r.memory[(DYNAMIC + 0x800) / 4 + i * 8 + 3] = 0x8000 | 4u << 2;
        r.memory[(DYNAMIC + 0x800) / 4 + i * 8 + 4] = 0x40 | 31;
    }
    for (unsigned i = 0; i < 31; i++)
        r.memory[(SURFACES + 0x40) / 4 + i] = 0x1000;
    const char *text = see(&r, load, 4);
    assert_int_equal(times(text, "\"structure\":"), 1024);
    end(&r);
}

static void json_is_a_line_for_each(void **state)
{
    (void)state;
    struct rig r;
    start(&r, true);
    bases(&r);
    r.memory[(SURFACES + 0x40) / 4] = 0x1000;
    const char *text = see(&r, binding_table_ps, 2);
    assert_int_equal(times(text, "\n"), 2);
    assert_non_null(strstr(text, "\"structure\":\"BINDING_TABLE_STATE\",\"command_address\":"));
    assert_non_null(strstr(text, "\"depth\":2,\"through\":\"Surface State Pointer\""));
    r.first_missing = 0;
    assert_non_null(strstr(see(&r, samplers_ps, 2), "\"missing\":\"not in the trace\"}\n"));
    end(&r);
}

TEST_PROGRAM(follow_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binding_table_of_a_length_that_the_stage_tells),
        cmocka_unit_test(a_table_whose_length_nobody_tells_ends_where_it_is_empty),
        cmocka_unit_test(samplers_in_fours_and_their_border_colour),
        cmocka_unit_test(descriptors_by_their_total_length),
        cmocka_unit_test(kernels_of_descriptors),
        cmocka_unit_test(what_is_not_there_is_told),
        cmocka_unit_test(a_command_shows_a_thousand_structures_at_most),
        cmocka_unit_test(json_is_a_line_for_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
