/* The structures that commands point to, in a memory of this test, with Skylake's rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "../suite.h"
#include "commands/commands.h"
#include "host/structure_dumper.h"

#include "../rows_device.h"

enum { SURFACES = 1 << 20, DYNAMIC = 2 << 20, BYTES = 4 << 20 };
/* Offsets from SURFACES. */
enum { TABLE = 64, SURFACE = PAGE_BYTES, SURFACE_2 = 2 * PAGE_BYTES };
/* Offsets from DYNAMIC. */
enum { SAMPLERS = 128, BORDER_COLOR = 1024, DESCRIPTORS = 2048, DESCRIPTOR_BYTES = 32 };
enum { KERNEL = 64 << 10, COMMAND_AT = PAGE_BYTES, ONE = 0x7f << 23 /* as a float */ };

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

static const char *see_dw(struct rig *r, const uint32_t *dw, uint32_t length_dw)
{
    const uint16_t number = command_find(&r->set, CLASS_RENDER, dw[0]);
    assert_int_not_equal(number, 0);
    r->text.length = 0;
    structure_dumper_command(&r->follow, &r->text, r->set.rows[number], dw, length_dw, COMMAND_AT);
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

static uint32_t *at(const struct rig *r, uint32_t address)
{
    return r->memory + address / 4;
}

/* What is shown of one command. */
#define SEE(r, ...) see_dw((r), command_dw, assemble(skl, 0, command_dw, __VA_ARGS__))
static uint32_t command_dw[32];

#define BINDING_TABLE_PS "3DSTATE_BINDING_TABLE_POINTERS_PS pointer_to_ps_binding_table = %u", TABLE
#define SAMPLERS_PS      "3DSTATE_SAMPLER_STATE_POINTERS_PS pointer_to_ps_sampler_state = %u", SAMPLERS
#define DESCRIPTOR_LOAD                                                                                      \
    "MEDIA_INTERFACE_DESCRIPTOR_LOAD interface_descriptor_total_length = %u,"                                \
    " interface_descriptor_data_start_address = %u"

/* The counts of the pixel shader. */
static void set_counts(struct rig *r, uint32_t samplers_in_fours, uint32_t bindings)
{
    assert_string_equal(
        SEE(r, "3DSTATE_PS sampler_count = %u, binding_table_entry_count = %u", samplers_in_fours, bindings),
        "");
}

static void a_binding_table_has_the_length_of_the_stage(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    bases(&r);
    at(&r, SURFACES + TABLE)[0] = SURFACE;
    at(&r, SURFACES + TABLE)[2] = SURFACE_2; /* [1] is empty */
    STRUCTURE_PUT(skl, "RENDER_SURFACE_STATE", at(&r, SURFACES + SURFACE),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Width", 1279}, {"Height", 719});
    STRUCTURE_PUT(skl, "RENDER_SURFACE_STATE", at(&r, SURFACES + SURFACE_2),
                  {"Surface Type", .value_name = "SURFTYPE_BUFFER"});
    set_counts(&r, 0, 3);
    const char *text = SEE(&r, BINDING_TABLE_PS);
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

static void a_table_of_unknown_length_ends_at_an_empty_entry(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    bases(&r);
    for (unsigned i = 0; i < 40; i++)
        at(&r, SURFACES + TABLE)[i] = SURFACE;
    at(&r, SURFACES + TABLE)[2] = 0;
    assert_int_equal(times(SEE(&r, BINDING_TABLE_PS), "BINDING_TABLE_STATE ["), 2);
    at(&r, SURFACES + TABLE)[2] = SURFACE;
    assert_int_equal(times(SEE(&r, BINDING_TABLE_PS), "BINDING_TABLE_STATE ["), 16);
    end(&r);
}

static void samplers_and_their_border_colour(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    bases(&r);
    STRUCTURE_PUT(skl, "SAMPLER_STATE", at(&r, DYNAMIC + SAMPLERS), {"Border Color Pointer", BORDER_COLOR});
    at(&r, DYNAMIC + BORDER_COLOR)[0] = ONE;
    assert_int_equal(times(SEE(&r, SAMPLERS_PS), "    SAMPLER_STATE at 0x00200080"), 1);
    set_counts(&r, 1, 0);
    const char *text = SEE(&r, SAMPLERS_PS);
    assert_int_equal(times(text, "    SAMPLER_STATE ["), 4);
    assert_int_equal(times(text, "        SAMPLER_BORDER_COLOR_STATE at 0x00200400"), 1);
    assert_int_equal(times(text, "            Border Color Float Red: 1\n"), 1);
    end(&r);
}

/* Two descriptors; the second has a table of one surface. */
static void descriptors_by_their_total_length(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    bases(&r);
    at(&r, DYNAMIC + DESCRIPTORS + DESCRIPTOR_BYTES)[4] = TABLE | 1; /* Binding Table Pointer, Entry Count */
    at(&r, SURFACES + TABLE)[0] = SURFACE;
    const char *text = SEE(&r, DESCRIPTOR_LOAD, 2 * DESCRIPTOR_BYTES, DESCRIPTORS);
    assert_int_equal(times(text, "    INTERFACE_DESCRIPTOR_DATA ["), 2);
    assert_int_equal(times(text, "        BINDING_TABLE_STATE at 0x00100040, Binding Table Pointer"), 1);
    assert_int_equal(times(text, "            RENDER_SURFACE_STATE"), 1);
    end(&r);
}

/* Data: mov (8|M0) r3.0<1>:ud r0.0<1;1,0>:ud; send to the thread spawner with EOT; a dword after the end,
 * which is not shown. */
static const uint32_t kernel[] = {0x00600001, 0x2060020c, 0x00200000, 0x00000000, 0x07600031,
                                  0x20000204, 0x06000fe0, 0x82000010, 0x00000001};

static void kernels_of_descriptors(void **state)
{
    (void)state;
    struct rig r;
    enum { MOV_TO_R4 = 0x2080020c /* the second dword */ };
    start(&r, false);
    bases(&r);
    r.follow.kernels.set = &eu_gen9;
    memcpy(at(&r, KERNEL), kernel, sizeof kernel);
    at(&r, DYNAMIC + DESCRIPTORS + DESCRIPTOR_BYTES)[0] = KERNEL;
    assert_int_equal(times(SEE(&r, DESCRIPTOR_LOAD, 2 * DESCRIPTOR_BYTES, DESCRIPTORS),
                           "Kernel, Kernel Start Pointer: its base address is not known"),
                     2);
    r.bases.known[BASE_INSTRUCTION] = true;
    const char *text = SEE(&r, DESCRIPTOR_LOAD, 2 * DESCRIPTOR_BYTES, DESCRIPTORS);
    assert_int_equal(times(text, "        Kernel at "), 2); /* the first descriptor has one at 0 */
    assert_non_null(strstr(text,
                           "        Kernel at 0x00010000, Kernel Start Pointer\n"
                           "            L0:\n"
                           "            (W)     mov (8|M0)               r3.0<1>:ud    r0.0<1;1,0>:ud\n"
                           "            (W)     send (8|M0)              null     r127    0x27            "
                           "0x02000010           {EOT} // wr:1+0, rd:0; spawner; end of thread\n"));
    assert_int_equal(times(text, "mov (8|M0)"), 1);
    text = SEE(&r, DESCRIPTOR_LOAD, 2 * DESCRIPTOR_BYTES, DESCRIPTORS);
    assert_non_null(strstr(text, "Kernel at 0x00010000, Kernel Start Pointer: as listed before\n"));
    at(&r, KERNEL)[1] = MOV_TO_R4;
    text = SEE(&r, DESCRIPTOR_LOAD, 2 * DESCRIPTOR_BYTES, DESCRIPTORS);
    assert_int_equal(times(text, "r4.0<1>:ud"), 1);
    /* A start address of 0 has descriptors, if the length is not 0. */
    at(&r, DYNAMIC)[0] = KERNEL;
    assert_int_equal(times(SEE(&r, DESCRIPTOR_LOAD, DESCRIPTOR_BYTES, 0), "Kernel at 0x00010000"), 1);
    assert_string_equal(SEE(&r, DESCRIPTOR_LOAD, 0, 0), "");
    at(&r, DYNAMIC + DESCRIPTORS + DESCRIPTOR_BYTES)[0] = BYTES;
    assert_int_equal(times(SEE(&r, DESCRIPTOR_LOAD, 2 * DESCRIPTOR_BYTES, DESCRIPTORS),
                           "Kernel Start Pointer: not in the trace"),
                     1);
    end(&r);
}

static void what_is_not_there_is_reported(void **state)
{
    (void)state;
    struct rig r;
    start(&r, false);
    assert_string_equal(SEE(&r, SAMPLERS_PS),
                        "    SAMPLER_STATE, Pointer to PS Sampler State: its base address is not known\n");
    bases(&r);
    r.first_missing = DYNAMIC;
    assert_string_equal(SEE(&r, SAMPLERS_PS),
                        "    SAMPLER_STATE at 0x00200080, Pointer to PS Sampler State: not in the trace\n");
    set_counts(&r, 0, 200); /* longer than the memory */
    r.first_missing = SURFACES + TABLE + 8;
    const char *text = SEE(&r, BINDING_TABLE_PS);
    assert_int_equal(times(text, "BINDING_TABLE_STATE ["), 3);
    assert_int_equal(
        times(text, "BINDING_TABLE_STATE [2] at 0x00100048, Pointer to PS Binding Table: not in the trace\n"),
        1);
    assert_string_equal(SEE(&r, "3DSTATE_BINDING_TABLE_POINTERS_PS"), "");
    uint32_t cut[2];
    assemble(skl, 0, cut, BINDING_TABLE_PS);
    assert_string_equal(see_dw(&r, cut, 1), ""); /* the first dword only */
    end(&r);
}

/* 64 descriptors of 31 bindings and 16 samplers each. */
static void a_command_shows_a_thousand_structures_at_most(void **state)
{
    (void)state;
    struct rig r;
    enum { COUNT = 64, MOST_BYTES = (128 << 10) - DESCRIPTOR_BYTES };
    start(&r, true);
    bases(&r);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t *const descriptor = at(&r, DYNAMIC + DESCRIPTORS + i * DESCRIPTOR_BYTES);
        descriptor[3] = (32 << 10) | 4u << 2; /* Sampler State Pointer, Sampler Count */
        descriptor[4] = TABLE | 31;           /* Binding Table Pointer, Entry Count */
    }
    for (unsigned i = 0; i < 31; i++)
        at(&r, SURFACES + TABLE)[i] = SURFACE;
    const char *text = SEE(&r, DESCRIPTOR_LOAD, MOST_BYTES, DESCRIPTORS);
    assert_int_equal(times(text, "\"structure\":"), 1024);
    end(&r);
}

static void json_is_a_line_for_each(void **state)
{
    (void)state;
    struct rig r;
    start(&r, true);
    bases(&r);
    at(&r, SURFACES + TABLE)[0] = SURFACE;
    const char *text = SEE(&r, BINDING_TABLE_PS);
    assert_int_equal(times(text, "\n"), 2);
    assert_non_null(strstr(text, "\"structure\":\"BINDING_TABLE_STATE\",\"command_address\":"));
    assert_non_null(strstr(text, "\"depth\":2,\"through\":\"Surface State Pointer\""));
    r.first_missing = 0;
    assert_non_null(strstr(SEE(&r, SAMPLERS_PS), "\"missing\":\"not in the trace\"}\n"));
    end(&r);
}

TEST_PROGRAM(follow_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binding_table_has_the_length_of_the_stage),
        cmocka_unit_test(a_table_of_unknown_length_ends_at_an_empty_entry),
        cmocka_unit_test(samplers_and_their_border_colour),
        cmocka_unit_test(descriptors_by_their_total_length),
        cmocka_unit_test(kernels_of_descriptors),
        cmocka_unit_test(what_is_not_there_is_reported),
        cmocka_unit_test(a_command_shows_a_thousand_structures_at_most),
        cmocka_unit_test(json_is_a_line_for_each),
    };
    return cmocka_run_group_tests(tests, open_skl, close_skl);
}
