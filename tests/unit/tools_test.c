/* What libsoftgt-tools gives programs: rows, decoding, building, kernels, plays, surfaces. (softgt/tools.h)
 */
#include <softgt/tools.h>

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka */
#include <setjmp.h>

#include <cmocka.h>

#include "../sink.h"
#include "../suite.h"

/* ---- Rows ---- */

static void no_such_device(void **state)
{
    (void)state;
    struct softgt_spec *spec = (struct softgt_spec *)1;
    assert_int_equal(softgt_spec_create("i810", &spec), -ENODEV);
    assert_null(spec);
    assert_int_equal(softgt_spec_create(NULL, &spec), -EINVAL);
    softgt_spec_destroy(spec_of("dg1")); /* only decoded */
    softgt_spec_destroy(NULL);
}

/* A command is found by its header on the engines that it says, and by its name. */
static void check_command(const struct softgt_spec *spec, const struct softgt_row *row)
{
    struct softgt_row_info info, other;
    softgt_row_get_info(row, &info);
    assert_true(info.name && *info.name && info.summary && info.engine_classes && info.length_dw);
    assert_int_equal(info.value & ~info.mask, 0);
    for (unsigned class = 0; class <= SOFTGT_CLASS_COMPUTE; class ++) {
        const struct softgt_row *const found =
            softgt_spec_command(spec, (enum softgt_engine_class) class, info.value);
        if (info.engine_classes & 1u << class)
            assert_non_null(found);
        else if (found == row)
            fail_msg("%s is on class %u, which it does not say", info.name, class);
    }
    softgt_row_get_info(softgt_spec_find(spec, SOFTGT_ROW_COMMAND, info.name), &other);
    assert_string_equal(other.name, info.name);
}

static void check_register(const struct softgt_spec *spec, const struct softgt_row *row)
{
    struct softgt_row_info info;
    char name[200];
    softgt_row_get_info(row, &info);
    assert_ptr_equal(softgt_spec_register(spec, info.value), row);
    if (info.is_64_bit)
        assert_ptr_equal(softgt_spec_register(spec, info.value + 4), row);
    snprintf(name, sizeof name, "%s.%s", info.unit, info.name);
    assert_non_null(softgt_spec_find(spec, SOFTGT_ROW_REGISTER, name));
}

static void check_fields(const struct softgt_row *row)
{
    struct softgt_row_info info;
    struct softgt_field_info field;
    uint64_t value;
    size_t count = 0;
    softgt_row_get_info(row, &info);
    for (; softgt_row_get_field(row, count, &field); count++) {
        assert_true(field.name && field.first_bit <= field.last_bit && field.last_bit - field.first_bit < 64);
        size_t values = 0;
        while (softgt_row_value_name(row, count, values, &value))
            values++;
        assert_int_equal(values, field.values);
    }
    assert_int_equal(count, info.fields + info.group_fields);
}

static void rows_of_all_devices(void **state)
{
    (void)state;
    const struct softgt_device_info *device;
    for (size_t d = 0; (device = softgt_device_at(d)) != NULL; d++) {
        struct softgt_spec *const spec = spec_of(device->name);
        for (unsigned kind = 0; kind <= SOFTGT_ROW_MESSAGE; kind++) {
            const size_t count = softgt_spec_rows(spec, (enum softgt_row_kind)kind);
            assert_true(count > 10 || kind == SOFTGT_ROW_MESSAGE);
            assert_null(softgt_spec_row(spec, (enum softgt_row_kind)kind, count));
            /* Registers are many and differ little: every 7th. */
            for (size_t i = 0; i < count; i += kind == SOFTGT_ROW_REGISTER ? 7 : 1) {
                const struct softgt_row *const row = softgt_spec_row(spec, (enum softgt_row_kind)kind, i);
                check_fields(row);
                if (kind == SOFTGT_ROW_COMMAND)
                    check_command(spec, row);
                if (kind == SOFTGT_ROW_REGISTER && i % 49 == 0)
                    check_register(spec, row);
            }
        }
        softgt_spec_destroy(spec);
    }
}

static void names_and_classes(void **state)
{
    (void)state;
    struct softgt_spec *const skl = spec_of("skl");
    struct softgt_row_info info;
    enum softgt_engine_class class;
    softgt_row_get_info(softgt_spec_find(skl, SOFTGT_ROW_REGISTER, "rcs0.ring_buffer_tail"), &info);
    assert_int_equal(info.value, 0x2030);
    assert_string_equal(info.unit, "rcs0");
    assert_null(softgt_spec_find(skl, SOFTGT_ROW_REGISTER, "RING_BUFFER_TAIL")); /* of each engine */
    assert_non_null(softgt_spec_find(skl, SOFTGT_ROW_REGISTER, "FORCEWAKE_RENDER"));
    assert_null(softgt_spec_find(skl, SOFTGT_ROW_COMMAND, "MI_NOTHING"));
    assert_null(softgt_spec_find(skl, SOFTGT_ROW_COMMAND, NULL));
    softgt_row_get_info(softgt_spec_find(skl, SOFTGT_ROW_STRUCTURE, "render surface state"), &info);
    assert_int_equal(info.length_dw, 16);
    assert_int_equal(softgt_spec_engine_class(skl, "bcs0", &class), 0);
    assert_int_equal(class, SOFTGT_CLASS_COPY);
    assert_int_equal(softgt_spec_engine_class(skl, "video", &class), 0);
    assert_int_equal(class, SOFTGT_CLASS_VIDEO);
    assert_int_equal(softgt_spec_engine_class(skl, "ccs0", &class), -ENOENT);
    assert_null(softgt_spec_command(skl, (enum softgt_engine_class)9, 0));
    assert_int_equal(softgt_spec_rows(skl, (enum softgt_row_kind)9), 0);
    softgt_spec_destroy(skl);
}

/* ---- Building and decoding ---- */

/* The field by its name, with its lowest and highest value, comes back as it was given. */
static void round_trip(const struct softgt_row *row, size_t index)
{
    struct softgt_row_info info;
    struct softgt_field_info field;
    struct softgt_decoded_field decoded;
    uint32_t dw[512];
    softgt_row_get_info(row, &info);
    assert_true(softgt_row_get_field(row, index, &field));
    const unsigned width = field.last_bit - field.first_bit + 1;
    const bool keeps_place = field.kind == SOFTGT_FIELD_ADDRESS || field.kind == SOFTGT_FIELD_OFFSET;
    uint64_t value = UINT64_MAX >> (64 - width);
    if (keeps_place)
        value <<= field.first_bit % 32;
    if (field.kind == SOFTGT_FIELD_INT)
        value = UINT64_MAX; /* -1 */
    const struct softgt_field_setting setting = {.name = field.name, .value = value};
    size_t length = 0;
    const int status = softgt_build(row, &setting, 1, dw, 512, &length, NULL);
    if (status == -ENOENT || status == -ERANGE)
        return; /* the length, which is computed; a value that belongs to another command */
    assert_int_equal(status, 0);
    assert_true(length >= info.length_dw);
    bool found = false;
    for (size_t i = 0; softgt_decode_field(row, dw, length, i, &decoded); i++)
        if (strcmp(decoded.name, field.name) == 0 && decoded.value == value)
            found = true;
    if (!found)
        fail_msg("%s of %s does not come back", field.name, info.name);
}

static void fields_come_back(void **state)
{
    (void)state;
    static const char *const devices[] = {"snb", "hsw", "bdw", "skl", "icl", "tgl", "dg2"};
    for (unsigned d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        struct softgt_spec *const spec = spec_of(devices[d]);
        for (unsigned kind = SOFTGT_ROW_COMMAND; kind <= SOFTGT_ROW_MESSAGE; kind++) {
            const struct softgt_row *row;
            for (size_t i = 0; (row = softgt_spec_row(spec, (enum softgt_row_kind)kind, i)) != NULL;
                 i += kind == SOFTGT_ROW_REGISTER ? 13 : 1) {
                struct softgt_row_info info;
                softgt_row_get_info(row, &info);
                for (size_t f = 0; f < info.fields + info.group_fields; f++)
                    round_trip(row, f);
            }
        }
        softgt_spec_destroy(spec);
    }
}

static void a_command_is_built(void **state)
{
    (void)state;
    struct softgt_spec *const skl = spec_of("skl");
    const struct softgt_row *const store = softgt_spec_find(skl, SOFTGT_ROW_COMMAND, "MI_STORE_DATA_IMM");
    struct softgt_field_setting settings[] = {
        {.name = "use_global_gtt", .value = 1},
        {.name = "Address", .value = 0x2000},
        {.name = "immediate_data", .value = 42},
    };
    uint32_t dw[8] = {0};
    size_t length = 0, bad = 0;
    assert_int_equal(softgt_build(store, settings, 3, dw, 8, &length, &bad), 0);
    assert_int_equal(length, 4);
    assert_int_equal(dw[0], 0x10400002);
    assert_int_equal(dw[1], 0x2000);
    assert_int_equal(dw[3], 42);
    assert_int_equal(softgt_command_length(skl, SOFTGT_CLASS_RENDER, dw[0]), 4);
    length = 0;
    assert_int_equal(softgt_build(store, settings, 3, dw, 3, &length, &bad), -ENOSPC);
    assert_int_equal(length, 4);
    length = 0;
    settings[1].name = "Adress";
    assert_int_equal(softgt_build(store, settings, 3, dw, 8, &length, &bad), -ENOENT);
    assert_int_equal(bad, 1);
    settings[1] = (struct softgt_field_setting){.name = "use_global_gtt", .value = 2};
    assert_int_equal(softgt_build(store, settings, 3, dw, 8, &length, &bad), -ERANGE);
    assert_int_equal(bad, 1);
    settings[1].name = NULL;
    assert_int_equal(softgt_build(store, settings, 3, dw, 8, &length, &bad), -EINVAL);
    assert_int_equal(bad, 1);
    softgt_spec_destroy(skl);
}

/* Groups, names of values, whole dwords, and lengths that are asked for. */
static void other_settings(void **state)
{
    (void)state;
    struct softgt_spec *const skl = spec_of("skl");
    struct softgt_decoded_field field;
    uint32_t dw[16];
    size_t length = 0, bad;
    const struct softgt_row *row = softgt_spec_find(skl, SOFTGT_ROW_COMMAND, "MI_LOAD_REGISTER_IMM");
    const struct softgt_field_setting registers[] = {
        {.name = "register_offset", .group = 0, .value = 0x2600},
        {.name = "data_dword", .group = 0, .value = 7},
        {.name = "register_offset", .group = 1, .value = 0x2608},
        {.name = "data_dword", .group = 1, .value = 9},
    };
    const int status = softgt_build(row, registers, 4, dw, 16, &length, &bad);
    if (status)
        fail_msg("%d: setting %zu", status, bad);
    assert_int_equal(length, 5);
    assert_int_equal(dw[0], 0x11000003);
    assert_int_equal(dw[3], 0x2608);
    assert_int_equal(dw[4], 9);
    bool second = false;
    for (size_t i = 0; softgt_decode_field(row, dw, length, i, &field); i++)
        second |= field.group == 1 && field.value == 9;
    assert_true(second);
    row = softgt_spec_find(skl, SOFTGT_ROW_STRUCTURE, "RENDER_SURFACE_STATE");
    const struct softgt_field_setting surface[] = {
        {.name = "surface_type", .text = "SURFTYPE_2D"},
        {.name = "dw8", .value = 0x1000},
    };
    length = 0;
    assert_int_equal(softgt_build(row, surface, 2, dw, 16, &length, &bad), 0);
    assert_int_equal(length, 16);
    assert_int_equal(dw[0] >> 29, 1);
    assert_int_equal(dw[8], 0x1000);
    length = 17;
    assert_int_equal(softgt_build(row, surface, 2, dw, 16, &length, &bad), -ERANGE);
    static const struct softgt_field_setting no_dwords[] = {
        {.name = "dw8", .text = "SURFTYPE_2D"},
        {.name = "dw8", .group = 1},
    };
    for (unsigned i = 0; i < 2; i++) {
        length = 0;
        assert_int_equal(softgt_build(row, &no_dwords[i], 1, dw, 16, &length, &bad), -ENOENT);
    }
    const struct softgt_field_setting wrong = {.name = "surface_type", .text = "SURFTYPE_4D"};
    length = 0;
    assert_int_equal(softgt_build(row, &wrong, 1, dw, 16, &length, &bad), -ENOENT);
    softgt_spec_destroy(skl);
}

/* Numbers of groups, and of fields in groups, that are beyond all dwords. */
static void groups_that_are_far(void **state)
{
    (void)state;
    static const uint32_t groups[] = {8, 17, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    struct softgt_spec *const skl = spec_of("skl");
    const struct softgt_row *row = softgt_spec_find(skl, SOFTGT_ROW_STRUCTURE, "BLEND_STATE");
    struct softgt_row_info info;
    struct softgt_field_info field;
    struct softgt_decoded_field decoded;
    uint32_t dw[32] = {0};
    size_t length, bad;
    softgt_row_get_info(row, &info);
    assert_true(info.group_fields > 1);
    for (uint32_t f = 0; f < info.group_fields; f++) {
        assert_true(softgt_row_get_field(row, info.fields + f, &field));
        for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++) {
            const struct softgt_field_setting setting = {.name = field.name, .group = groups[i]};
            length = 0;
            assert_int_equal(softgt_build(row, &setting, 1, dw, 32, &length, &bad), -ERANGE);
            assert_int_equal(bad, 0);
        }
    }
    row = softgt_spec_find(skl, SOFTGT_ROW_COMMAND, "MI_LOAD_REGISTER_IMM");
    for (size_t back = 0; back < 64; back++)
        for (unsigned shift = 0; shift < 4; shift++)
            assert_false(softgt_decode_field(row, dw, 5, (SIZE_MAX >> shift) - back, &decoded));
    softgt_spec_destroy(skl);
}

static void batches_of_text(void **state)
{
    (void)state;
    static const char text[] = "MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[0], 20 }\n"
                               "MI_STORE_DATA_IMM use_global_gtt, address = 0x2000, immediate_data = 42\n"
                               "MI_BATCH_BUFFER_END\n";
    static const char wrong[] = "MI_NOOP\nMI_NOTHING 1\n";
    struct softgt_spec *const skl = spec_of("skl");
    struct sink out;
    struct softgt_text_port port = port_of(&out);
    uint32_t dw[32];
    size_t length = 0;
    assert_int_equal(
        softgt_build_text(skl, SOFTGT_CLASS_RENDER, "a", text, strlen(text), 0x1000, dw, 32, &length, &port),
        0);
    assert_int_equal(length, 8);
    assert_int_equal(dw[1], 0x2600);
    assert_int_equal(dw[7], 0x05000000);
    assert_int_equal(softgt_decode(skl, SOFTGT_CLASS_RENDER, dw, length, 0x1000, 0, &port), 0);
    assert_non_null(strstr(out.bytes, "MI_LOAD_REGISTER_IMM"));
    assert_non_null(strstr(out.bytes, "CS_GPR[0]"));
    assert_non_null(strstr(out.bytes, "0x0000100c:"));
    port = port_of(&out);
    assert_int_equal(softgt_decode(skl, SOFTGT_CLASS_RENDER, dw, length, 0, SOFTGT_DECODE_GTS, &port), 0);
    uint32_t back[32];
    size_t back_length = 0;
    assert_int_equal(softgt_build_text(skl, SOFTGT_CLASS_RENDER, "b", out.bytes, out.length, 0, back, 32,
                                       &back_length, NULL),
                     0);
    assert_int_equal(back_length, length);
    assert_memory_equal(back, dw, length * 4);
    port = port_of(&out);
    assert_int_equal(
        softgt_build_text(skl, SOFTGT_CLASS_RENDER, "c", wrong, strlen(wrong), 0, dw, 32, &length, &port),
        -EINVAL);
    assert_true(strncmp(out.bytes, "c:2:1: unknown command 'MI_NOTHING'", 35) == 0);
    softgt_spec_destroy(skl);
}

static void what_cannot_be_decoded(void **state)
{
    (void)state;
    static const uint32_t dw[] = {0, 0x7fff0000, 0x10400002, 0}; /* unknown, and cut off */
    struct softgt_spec *const skl = spec_of("skl");
    struct sink out;
    struct softgt_text_port port = port_of(&out);
    assert_int_equal(softgt_decode(skl, SOFTGT_CLASS_RENDER, dw, 4, 0, SOFTGT_DECODE_JSON, &port), 2);
    assert_int_equal(softgt_decode(skl, SOFTGT_CLASS_RENDER, dw, 4, 0, 1u << 20, &port), -EINVAL);
    assert_int_equal(
        softgt_decode(skl, SOFTGT_CLASS_RENDER, dw, 4, 0, SOFTGT_DECODE_GTS | SOFTGT_DECODE_JSON, &port),
        -EINVAL);
    assert_int_equal(softgt_decode(skl, (enum softgt_engine_class)7, dw, 4, 0, 0, &port), -EINVAL);
    assert_int_equal(softgt_decode(skl, SOFTGT_CLASS_RENDER, dw, 4, 0, SOFTGT_DECODE_GTS, &port), 2);
    /* It ends at MI_BATCH_BUFFER_END, in each form. */
    static const uint32_t ended[] = {0x05000000, 0x7fff0000};
    static const unsigned forms[] = {0, SOFTGT_DECODE_JSON, SOFTGT_DECODE_GTS};
    for (unsigned i = 0; i < 3; i++) {
        port = port_of(&out);
        assert_int_equal(softgt_decode(skl, SOFTGT_CLASS_RENDER, ended, 2, 0, forms[i], &port), 0);
        assert_int_equal(strcspn(out.bytes, "\n") + 1, out.length);
        assert_int_equal(
            softgt_decode(skl, SOFTGT_CLASS_RENDER, ended, 2, 0, forms[i] | SOFTGT_DECODE_ALL, &port), 1);
    }
    assert_int_equal(softgt_command_length(skl, SOFTGT_CLASS_RENDER, 0x7fff0000), 0);
    softgt_spec_destroy(skl);
}

/* ---- Kernels ---- */

static void kernels(void **state)
{
    (void)state;
    static const uint32_t kernel[] = {
        0x00800001, 0x21001208, 0x00b10020, 0x00000000, /* mov (16) r8:ud r1:uw */
        0x07600031, 0x20000204, 0x04000fe0, 0x82000000, /* send (8) null r127: end of thread */
        0xffffffff,                                     /* cut off */
    };
    struct softgt_spec *const skl = spec_of("skl");
    struct softgt_instruction i;
    struct sink out;
    const struct softgt_text_port port = port_of(&out);
    assert_int_equal(softgt_decode_instruction(skl, kernel, sizeof kernel, 0, &i), 0);
    assert_string_equal(i.operation, "mov");
    assert_int_equal(i.size_bytes, 16);
    assert_int_equal(i.channels, 16);
    assert_false(i.ends_thread);
    assert_null(i.illegal);
    assert_int_equal(softgt_decode_instruction(skl, kernel, sizeof kernel, 16, &i), 0);
    assert_true(i.ends_thread);
    assert_non_null(strstr(i.text, "send"));
    assert_int_equal(softgt_decode_instruction(skl, kernel, sizeof kernel, 32, &i), -ENODATA);
    assert_int_equal(softgt_decode_instruction(skl, kernel, sizeof kernel, 36, &i), -ENODATA);
    assert_int_equal(softgt_disassemble(skl, kernel, 32, &port), 0);
    assert_non_null(strstr(out.bytes, "mov"));
    assert_int_equal(softgt_disassemble(skl, kernel, sizeof kernel, &port), 1);
    softgt_spec_destroy(skl);
}

/* ---- Plays ---- */

struct play {
    unsigned commands, started, finished, messages, failures;
    char last[200];
    struct sink text, json;
};

static void on_event(void *user, const struct softgt_event *e)
{
    struct play *const p = user;
    p->commands += e->what == SOFTGT_TRACE_COMMANDS;
    const struct softgt_text_port text = {&p->text, write_sink}, json = {&p->json, write_sink};
    assert_int_equal(softgt_event_text(e, &text), 0);
    assert_int_equal(softgt_event_json(e, &json), 0);
}

static void on_message(void *user, const struct softgt_play_message *m)
{
    struct play *const p = user;
    p->messages++;
    p->failures += m->kind == SOFTGT_MESSAGE_FAILURE || m->kind == SOFTGT_MESSAGE_ERROR;
    snprintf(p->last, sizeof p->last, "%s:%u:%u: %s", m->file, m->line, m->column, m->text);
}

static void on_started(void *user, struct softgt *device)
{
    ((struct play *)user)->started += softgt_info(device) != NULL;
}

static void on_finished(void *user, struct softgt *device)
{
    ((struct play *)user)->finished += softgt_info(device) != NULL;
}

static const char program[] = "device skl\n"
                              "data result { fill 0 size 8 }\n"
                              "ring rcs0 {\n"
                              "    MI_STORE_DATA_IMM use_global_gtt, address = &result, immediate_data = 42\n"
                              "}\n"
                              "submit rcs0\n"
                              "run\n"
                              "expect mem &result = 42\n";

static int play_text(struct play *p, const char *text, const char *device)
{
    *p = (struct play){0};
    const struct softgt_play_config config = {.device = device,
                                              .trace = {p, SOFTGT_TRACE_ALL, on_event},
                                              .user = p,
                                              .message = on_message,
                                              .started = on_started,
                                              .finished = on_finished};
    return softgt_play_memory("p.gts", text, strlen(text), &config);
}

static void programs_play(void **state)
{
    (void)state;
    static struct play p;
    char wrong[sizeof program];
    assert_int_equal(play_text(&p, program, NULL), SOFTGT_PLAY_CLEAN);
    assert_true(p.commands >= 1 && p.started == 1 && p.finished == 1 && p.failures == 0);
    assert_non_null(strstr(p.text.bytes, "MI_STORE_DATA_IMM"));
    assert_non_null(strstr(p.json.bytes, "\"schema\":\"softgt.event\""));
    assert_int_equal(play_text(&p, program, "icl"), SOFTGT_PLAY_CLEAN);
    strcpy(wrong, program);
    memcpy(strstr(wrong, "= 42\n"), "= 43\n", 5);
    assert_int_equal(play_text(&p, wrong, NULL), SOFTGT_PLAY_FAILED);
    assert_int_equal(p.failures, 1);
    assert_true(strncmp(p.last, "p.gts:8:", 8) == 0);
    memcpy(strstr(wrong, "run\n"), "nur\n", 4);
    assert_int_equal(play_text(&p, wrong, NULL), SOFTGT_PLAY_UNUSABLE);
    assert_int_equal(p.started, 0);
    assert_true(p.failures >= 1);
}

static void traces_play(void **state)
{
    (void)state;
    static struct play p;
    static struct sink out;
    const struct softgt_text_port port = port_of(&out);
    struct softgt_play_config config = {.user = &p, .message = on_message, .started = on_started};
    void *trace = NULL;
    size_t size = 0;
    assert_int_equal(softgt_assemble("icl", "p.gts", program, strlen(program), &trace, &size, &port), 0);
    p = (struct play){0};
    assert_int_equal(softgt_play_memory("p.aub", trace, size, &config), SOFTGT_PLAY_CLEAN);
    assert_int_equal(p.started, 1);
    assert_int_not_equal(softgt_play_memory("p.aub", trace, size - 2, &config), SOFTGT_PLAY_CLEAN);
    assert_true(p.failures >= 1);
    free(trace);
    assert_int_equal(softgt_assemble(NULL, "p.gts", "device icl\nnur\n", 15, &trace, &size, &port), -EINVAL);
    assert_true(strncmp(out.bytes, "p.gts:2:", 8) == 0);
    assert_int_equal(softgt_play("/nowhere/p.aub", &config), SOFTGT_PLAY_UNUSABLE);
    assert_int_equal(softgt_play_memory("p.aub", "", 0, &config), SOFTGT_PLAY_UNUSABLE);
    assert_int_equal(softgt_play_memory(NULL, "", 0, &config), -EINVAL);
}

static void plays_of_other_versions(void **state)
{
    (void)state;
    struct {
        struct softgt_play_config config;
        uint64_t more;
    } newer = {.more = 0};
    assert_int_equal(softgt_play_memory_sized("p.gts", program, strlen(program), &newer.config, sizeof newer),
                     SOFTGT_PLAY_CLEAN);
    newer.more = 1;
    assert_int_equal(softgt_play_memory_sized("p.gts", program, strlen(program), &newer.config, sizeof newer),
                     -EINVAL);
}

static bool stop_after(void *user)
{
    unsigned *const left = user;
    *left -= *left != 0;
    return !*left;
}

static void plays_are_stopped(void **state)
{
    (void)state;
    static const char loop[] = "device skl\nring rcs0 {\n    again:\n    MI_BATCH_BUFFER_START "
                               "address_space_indicator = 0, batch_buffer_start_address = &b\n}\n"
                               "batch b {\n    start:\n    MI_BATCH_BUFFER_START "
                               "batch_buffer_start_address = &b\n}\nsubmit rcs0\nrun\n";
    unsigned asked = 1;
    const struct softgt_play_config config = {.user = &asked, .stop = stop_after};
    assert_int_equal(softgt_play_memory("p.gts", program, strlen(program), &config), SOFTGT_PLAY_FAILED);
    assert_int_equal(asked, 0);
    asked = 3; /* within a run that does not end by itself */
    assert_int_equal(softgt_play_memory("p.gts", loop, strlen(loop), &config), SOFTGT_PLAY_FAILED);
    assert_int_equal(asked, 0);
    char budget[sizeof loop + 20];
    snprintf(budget, sizeof budget, "%.*s budget 4000000000\n", (int)sizeof loop - 2, loop);
    asked = 3;
    assert_int_equal(softgt_play_memory("p.gts", budget, strlen(budget), &config), SOFTGT_PLAY_FAILED);
    assert_int_equal(asked, 0);
    asked = UINT32_MAX;
    assert_int_equal(softgt_play_memory("p.gts", program, strlen(program), &config), SOFTGT_PLAY_CLEAN);
    assert_int_not_equal(asked, UINT32_MAX);
    void *trace;
    size_t size;
    assert_int_equal(softgt_assemble(NULL, "p.gts", program, strlen(program), &trace, &size, NULL), 0);
    asked = 2;
    assert_int_equal(softgt_play_memory("p.aub", trace, size, &config), SOFTGT_PLAY_FAILED);
    assert_int_equal(asked, 0);
    free(trace);
}

struct final_state {
    uint8_t *bytes;
    size_t size_bytes;
    unsigned asked;
};

static void keep_final_state(void *user, struct softgt *device)
{
    struct final_state *const f = user;
    f->size_bytes = softgt_save(device, NULL, 0);
    f->bytes = malloc(f->size_bytes);
    assert_int_equal(softgt_save(device, f->bytes, f->size_bytes), f->size_bytes);
}

static bool never_stop(void *user)
{
    ((struct final_state *)user)->asked++;
    return false;
}

/* Two engines that loop: a run that may be stopped ends in the same state. */
static void questions_change_nothing(void **state)
{
    (void)state;
#define LOOP(engine)                                                                                         \
    "ring " engine " {\n    MI_BATCH_BUFFER_START address_space_indicator = 0, "                             \
    "batch_buffer_start_address = &" engine "_b\n}\nbatch " engine "_b {\n    start:\n    MI_NOOP\n    "     \
    "MI_STORE_DATA_IMM use_global_gtt = 1, address = &" engine "_b + 0x800, immediate_data = 1\n    "        \
    "MI_BATCH_BUFFER_START batch_buffer_start_address = &" engine "_b\n}\nsubmit " engine "\n"
    static const char loops[] =
        "device skl\n" LOOP("rcs0") LOOP("bcs0") "run budget 300001\nrun budget 77777\n";
#undef LOOP
    struct final_state with = {0}, without = {0};
    struct softgt_play_config config = {.user = &without, .finished = keep_final_state};
    softgt_play_memory("p.gts", loops, strlen(loops), &config);
    config.user = &with;
    config.stop = never_stop;
    softgt_play_memory("p.gts", loops, strlen(loops), &config);
    assert_true(with.asked > 5);
    assert_non_null(without.bytes);
    assert_int_equal(with.size_bytes, without.size_bytes);
    assert_memory_equal(with.bytes, without.bytes, with.size_bytes);
    free(with.bytes);
    free(without.bytes);
}

/* ---- Threads ---- */

struct decoder {
    const struct softgt_spec *spec;
    unsigned flags;
    struct sink out;
};

static const uint32_t shared_batch[] = {0x10400002, 0x2000, 0, 42, 0x05000000};

static void *decode_shared(void *user)
{
    struct decoder *const d = user;
    const struct softgt_text_port port = {&d->out, write_sink};
    softgt_decode(d->spec, SOFTGT_CLASS_RENDER, shared_batch, 5, 0x1000, d->flags, &port);
    return NULL;
}

/* The first listings of a spec come at once, from several threads, as text and as JSON. */
static void threads_share_a_spec(void **state)
{
    (void)state;
    enum { THREADS = 4, ROUNDS = 5 };
    static struct decoder all[THREADS];
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct softgt_spec *spec;
        pthread_t threads[THREADS];
        assert_int_equal(softgt_spec_create("skl", &spec), 0);
        for (unsigned i = 0; i < THREADS; i++) {
            all[i] = (struct decoder){.spec = spec, .flags = i % 2 ? SOFTGT_DECODE_JSON : 0};
            assert_int_equal(pthread_create(&threads[i], NULL, decode_shared, &all[i]), 0);
        }
        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (unsigned i = 0; i < THREADS; i++) {
            assert_true(all[i].out.length > 50);
            assert_int_equal(all[i].out.length, all[i % 2].out.length);
            assert_memory_equal(all[i].out.bytes, all[i % 2].out.bytes, all[i].out.length);
        }
        softgt_spec_destroy(spec);
    }
}

/* ---- Devices ---- */

static uint8_t ram[1 << 16];
static uint64_t asked; /* the last bus address */

static void *map_ram(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)write;
    asked = address;
    *length_bytes = address < sizeof ram ? sizeof ram - address : 0;
    return *length_bytes ? ram + address : NULL;
}

static void ggtt_entries_of_all_devices(void **state)
{
    (void)state;
    const struct softgt_device_info *info;
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++) {
        const struct softgt_config config = {.device = info->name, .memory = {.map = map_ram}};
        struct softgt *d;
        uint32_t value = 0;
        assert_int_equal(softgt_create(&config, &d), 0);
        memcpy(ram + 0x5000, &(uint32_t){0x12345678}, 4);
        assert_int_equal(softgt_ggtt_map(d, 0x10000, 0x4000, 0x2000, 0), 0);
        assert_true(softgt_ggtt_read(d, 0x11000, &value, 4));
        assert_int_equal(value, 0x12345678);
        assert_int_equal(softgt_ggtt_map(d, 0x10001, 0x4000, 0x1000, 0), -EINVAL);
        assert_int_equal(softgt_ggtt_map(d, 0x10000, 0x4000, UINT64_C(1) << 40, 0), -EINVAL);
        assert_int_equal(softgt_ggtt_map(d, UINT64_MAX - 4095, 0, 4096, 0), -EINVAL);
        assert_int_equal(softgt_ggtt_map(d, 0x10000, UINT64_MAX - 4095, 0x2000, 0), -EINVAL);
        assert_int_equal(softgt_ggtt_map(d, 0x10000, 0x4000, 0x1000, 2), -EINVAL);
        for (unsigned bit = 30; bit < 64; bit++) { /* an entry has the whole address, or is not written */
            const uint64_t physical = UINT64_C(1) << bit;
            const int error = softgt_ggtt_map(d, 0x50000, physical, 0x1000, 0);
            assert_true(error == 0 || error == -EINVAL);
            asked = UINT64_MAX;
            if (error == 0)
                assert_false(softgt_ggtt_read(d, 0x50000, &value, 4));
            assert_true(asked == (error ? UINT64_MAX : physical));
            assert_int_equal(softgt_ggtt_map(d, 0x50000, physical - 0x1000, 0x2000, 0), error);
        }
        assert_int_equal(softgt_ggtt_map(d, 0x10000, softgt_local_bytes(d), 0x1000, SOFTGT_GGTT_LOCAL),
                         -EINVAL);
        assert_true(softgt_local_bytes(d) >= info->local_bytes);
        if (softgt_local_bytes(d)) {
            assert_true(softgt_local_write(d, 0x7000, &(uint32_t){0x87654321}, 4));
            assert_int_equal(softgt_ggtt_map(d, 0x30000, 0x7000, 0x1000, SOFTGT_GGTT_LOCAL), 0);
            assert_true(softgt_ggtt_read(d, 0x30000, &value, 4));
            assert_int_equal(value, 0x87654321);
        }
        softgt_destroy(d);
    }
}

/* Entries for all of local memory, whatever its size. */
static void ggtt_entries_of_local_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t bytes = i ? UINT64_C(2) << 30 : UINT64_C(64) << 20;
        const struct softgt_config config = {
            .device = "dg2", .memory = {.map = map_ram}, .local_bytes = bytes};
        struct softgt *d;
        uint32_t value = 0;
        assert_int_equal(softgt_create(&config, &d), 0);
        assert_int_equal(softgt_local_bytes(d), bytes);
        assert_int_equal(softgt_ggtt_map(d, 0x30000, bytes, 0x1000, SOFTGT_GGTT_LOCAL), -EINVAL);
        const uint64_t page = i ? UINT64_C(1) << 30 : bytes - (16 << 20);
        assert_true(softgt_local_write(d, page, &(uint32_t){0x87654321}, 4));
        assert_int_equal(softgt_ggtt_map(d, 0x30000, page, 0x1000, SOFTGT_GGTT_LOCAL), 0);
        assert_true(softgt_ggtt_read(d, 0x30000, &value, 4));
        assert_int_equal(value, 0x87654321);
        softgt_destroy(d);
    }
}

/* A memory port that uses its device while the device reads. */
struct caller {
    struct softgt *device;
    bool calls;
    int mapped;
    unsigned refused;
};

static bool calling_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    struct caller *const c = user;
    (void)address;
    memset(data, 0x5a, size_bytes);
    if (c->calls) {
        c->mapped = softgt_ggtt_map(c->device, 0x20000, 0x8000, 0x1000, 0);
        softgt_reset(c->device);
        softgt_destroy(c->device);
    }
    return true;
}

static void count_refused(void *user, const struct softgt_report *report)
{
    ((struct caller *)user)->refused += strstr(report->text, " refused: ") != NULL;
}

static void ports_do_not_map(void **state)
{
    (void)state;
    struct caller c = {0};
    const struct softgt_config config = {
        .device = "skl", .memory = {.user = &c, .read = calling_read}, .report = {&c, count_refused}};
    uint32_t value = 0;
    assert_int_equal(softgt_create(&config, &c.device), 0);
    assert_int_equal(softgt_ggtt_map(c.device, 0x10000, 0x4000, 0x1000, 0), 0);
    c.calls = true;
    assert_true(softgt_ggtt_read(c.device, 0x10000, &value, 4));
    c.calls = false;
    assert_int_equal(value, 0x5a5a5a5a);
    assert_int_equal(c.mapped, -EBUSY);
    assert_int_equal(c.refused, 3);
    assert_true(softgt_ggtt_read(c.device, 0x10000, &value, 4));
    assert_false(softgt_ggtt_read(c.device, 0x20000, &value, 4));
    assert_int_equal(softgt_ggtt_map(c.device, 0x20000, 0x8000, 0x1000, 0), 0);
    softgt_destroy(c.device);
}

static void surfaces_without_tiling(void **state)
{
    (void)state;
    const struct softgt_config config = {.device = "skl", .memory = {.map = map_ram}};
    struct softgt_surface s = {.engine = SOFTGT_SURFACE_GGTT,
                               .width = 16,
                               .height = 8,
                               .tiling = SOFTGT_TILE_X,
                               .format = softgt_format_find("B8G8R8A8_UNORM")};
    uint8_t rows[16 * 8 * 4], rgba[sizeof rows];
    uint64_t missing = 1;
    struct softgt *d;
    assert_int_equal(softgt_create(&config, &d), 0);
    assert_int_equal(softgt_ggtt_map(d, 0, 0, 4096, 0), 0);
    for (unsigned i = 0; i < 4096; i++)
        ram[i] = (uint8_t)(i / 512 * 16 + i % 4); /* a tile has 8 rows of 512 bytes */
    assert_int_equal(softgt_surface_read(d, &s, rows, sizeof rows, &missing), 0);
    assert_int_equal(missing, 0);
    assert_int_equal(rows[3 * 64 + 5], 3 * 16 + 1);
    assert_int_equal(softgt_surface_read_rgba(d, &s, rgba, sizeof rgba, NULL), 0);
    /* Of a program that was compiled with a later minor version. */
    struct {
        struct softgt_surface known;
        uint64_t unknown;
    } later = {.known = s};
    assert_int_equal(softgt_surface_read_sized(d, &later.known, sizeof later, rows, sizeof rows, &missing),
                     0);
    later.unknown = 1;
    assert_int_equal(softgt_surface_read_sized(d, &later.known, sizeof later, rows, sizeof rows, &missing),
                     -EINVAL);
    assert_int_equal(
        softgt_surface_read_rgba_sized(d, &later.known, sizeof later, rgba, sizeof rgba, &missing), -EINVAL);
    assert_int_equal(softgt_surface_read(d, NULL, rows, sizeof rows, &missing), -EINVAL);
    assert_int_equal(rgba[3 * 64 + 4], 3 * 16 + 2); /* red is the third byte */
    s.address = 1 << 20;
    assert_int_equal(softgt_surface_read(d, &s, rows, sizeof rows, &missing), 0);
    assert_int_equal(missing, 16 * 8);
    assert_int_equal(softgt_surface_read(d, &s, rows, sizeof rows - 1, NULL), -ENOSPC);
    s.pitch_bytes = 32;
    assert_int_equal(softgt_surface_read(d, &s, rows, sizeof rows, NULL), -EINVAL);
    s.pitch_bytes = 0;
    s.engine = 99;
    assert_int_equal(softgt_surface_read(d, &s, rows, sizeof rows, NULL), -EINVAL);
    s.engine = SOFTGT_SURFACE_GGTT;
    s.format = NULL;
    assert_int_equal(softgt_surface_read(d, &s, rows, sizeof rows, NULL), -EINVAL);
    softgt_destroy(d);
}

static void a_host_gives_ports(void **state)
{
    (void)state;
    struct softgt_host *host;
    struct softgt *d;
    assert_int_equal(softgt_host_create(0, &host), -EINVAL);
    assert_int_equal(softgt_host_create(65, &host), -EINVAL);
    for (unsigned threads = 1; threads <= 2; threads++) {
        assert_int_equal(softgt_host_create(threads, &host), 0);
        const struct softgt_config config = {.device = "skl",
                                             .memory = {.map = map_ram},
                                             .parallel = softgt_host_parallel(host),
                                             .background = softgt_host_background(host),
                                             .code = softgt_host_code(host)};
        assert_int_equal(softgt_create(&config, &d), 0);
        softgt_destroy(d);
        softgt_host_destroy(host);
    }
    softgt_host_destroy(NULL);
}

/* Takes away what address space is left, but for some for objects. */
static bool leave_little_space(void)
{
    unsigned long pages = 0;
    FILE *const f = fopen("/proc/self/statm", "r");
    const bool read = f && fscanf(f, "%lu", &pages) == 1;
    if (f)
        fclose(f);
    const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (16 << 20);
    return read && setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}) == 0;
}

/* Some systems let no process run memory that it has written. Devices interpret there. */
static void a_host_without_code_memory(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        struct softgt_host *host = NULL;
        if (!leave_little_space() || softgt_host_create(1, &host))
            _exit(1);
        _exit(softgt_host_code(host).map ? 2 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

TEST_PROGRAM(tools_test)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_such_device),
        cmocka_unit_test(rows_of_all_devices),
        cmocka_unit_test(names_and_classes),
        cmocka_unit_test(fields_come_back),
        cmocka_unit_test(a_command_is_built),
        cmocka_unit_test(other_settings),
        cmocka_unit_test(groups_that_are_far),
        cmocka_unit_test(batches_of_text),
        cmocka_unit_test(what_cannot_be_decoded),
        cmocka_unit_test(kernels),
        cmocka_unit_test(programs_play),
        cmocka_unit_test(traces_play),
        cmocka_unit_test(plays_of_other_versions),
        cmocka_unit_test(plays_are_stopped),
        cmocka_unit_test(questions_change_nothing),
        cmocka_unit_test(threads_share_a_spec),
        cmocka_unit_test(ggtt_entries_of_all_devices),
        cmocka_unit_test(ggtt_entries_of_local_memory),
        cmocka_unit_test(ports_do_not_map),
        cmocka_unit_test(surfaces_without_tiling),
        cmocka_unit_test(a_host_gives_ports),
        cmocka_unit_test(a_host_without_code_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
