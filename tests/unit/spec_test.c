/* What libsoftgt-tools says of a device's data sheet, and of its events: lists, names, filters, timelines.
 * (softgt/tools.h) */
#include <softgt/tools.h>

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka */
#include <setjmp.h>

#include <cmocka.h>

#include "../sink.h"
#include "../suite.h"

/* ---- Data sheets ---- */

/* What the rows say of commands, registers and messages. */
static void details_of_rows(void **state)
{
    (void)state;
    struct softgt_spec *const dg2 = spec_of("dg2");
    struct softgt_row_info info;
    char name[64];
    size_t index = 0;
    const struct softgt_row *row = softgt_spec_find(dg2, SOFTGT_ROW_COMMAND, "MI_STORE_DATA_IMM");
    softgt_row_get_info(row, &info);
    assert_int_equal(info.length_bits, 10);
    assert_int_equal(info.length_bias, 2);
    assert_int_equal(info.privileged_if, 1u << 22); /* Use Global GTT */
    assert_false(info.is_privileged);
    assert_true(softgt_row_find_field(row, "use_global_gtt", &index));
    index++;
    assert_false(softgt_row_find_field(row, "use_global_gtt", &index));
    index = 0;
    assert_false(softgt_row_find_field(row, NULL, &index));
    row = softgt_spec_find(dg2, SOFTGT_ROW_REGISTER, "rcs0.CS_GPR[1]");
    softgt_row_get_info(row, &info);
    assert_int_equal(info.array_length, 16);
    assert_true(info.is_user_writable && info.is_64_bit);
    assert_int_equal(softgt_spec_register_name(dg2, info.value + 4, name, sizeof name), 13);
    assert_string_equal(name, "CS_GPR[1]_UDW");
    assert_int_equal(softgt_spec_register_name(dg2, info.value, name, 4), 9);
    assert_string_equal(name, "CS_");
    assert_int_equal(softgt_spec_register_name(dg2, info.value, NULL, 0), 9);
    assert_int_equal(softgt_spec_register_name(dg2, UINT32_MAX, name, sizeof name), 0);
    assert_string_equal(name, "");
    row = softgt_spec_find(dg2, SOFTGT_ROW_REGISTER, "rcs0.RING_BUFFER_TAIL");
    softgt_row_get_info(row, &info);
    assert_int_equal(info.array_length, 1);
    assert_false(info.is_user_writable);
    const size_t registers = softgt_spec_rows(dg2, SOFTGT_ROW_REGISTER);
    assert_non_null(softgt_spec_unit_register(dg2, registers - 1));
    assert_null(softgt_spec_unit_register(dg2, registers));
    softgt_row_get_info(softgt_spec_find(dg2, SOFTGT_ROW_MESSAGE, "SCHED_CONTEXT"), &info);
    assert_true(info.most_length_dw >= info.length_dw);
    assert_true(info.flags & SOFTGT_MESSAGE_VIA_BUFFER);
    assert_false(info.flags & SOFTGT_MESSAGE_FROM_GUC);
    softgt_spec_destroy(dg2);
}

/* The items of an image follow each other without a gap. */
static void check_image(const struct softgt_spec *spec, size_t index)
{
    const struct softgt_image *const image = softgt_spec_image(spec, index);
    const struct softgt_image_item *item;
    uint32_t at = 0, names = 0;
    char name[96];
    for (size_t i = 0; (item = softgt_spec_image_item(spec, index, i)) != NULL; i++) {
        if (item->step == SOFTGT_IMAGE_PIPELINE_STATE)
            continue;
        assert_int_equal(item->first_dw, at);
        at += item->length_dw;
        names += item->step == SOFTGT_IMAGE_REGISTER &&
                 softgt_spec_register_name(spec, item->value, name, sizeof name) > 0;
    }
    assert_int_equal(at, image->length_dw);
    assert_true(image->ring_context_dw <= image->length_dw);
    assert_true(names);
}

static void check_lists(const struct softgt_spec *spec)
{
    const struct softgt_operation *operation;
    const struct softgt_instruction_field *field;
    const struct softgt_thread_message *message;
    const struct softgt_register_range *range;
    size_t i;
    for (i = 0; (operation = softgt_spec_operation(spec, i)) != NULL; i++)
        assert_true(operation->name && operation->summary && operation->opcode < 128 &&
                    (unsigned)operation->form <= SOFTGT_FORM_DIM);
    assert_true(i > 40);
    for (i = 0; (field = softgt_spec_instruction_field(spec, i)) != NULL; i++) {
        assert_true(field->name && field->forms && field->shift < 64);
        for (unsigned p = 0; p < field->pieces; p++)
            assert_true(field->width_bits[p] && field->first_bits[p] + field->width_bits[p] <= 128);
        for (unsigned c = 0; c < field->conditions; c++)
            assert_true(field->condition_fields[c] && field->condition_values[c]);
    }
    assert_true(i > 40);
    for (i = 0; (message = softgt_spec_thread_message(spec, i)) != NULL; i++)
        assert_true(message->name && message->function && !(message->match & ~message->mask));
    assert_true(i > 10);
    assert_string_equal(softgt_spec_unit(spec, 0)->name, "command streamer");
    for (i = 0; (range = softgt_spec_range(spec, i)) != NULL; i++)
        assert_true(range->owner && range->first <= range->last &&
                    softgt_spec_range_owner(spec, range->last));
    assert_null(softgt_spec_function_id(spec, 16));
    assert_true(softgt_spec_memory_object(spec, 0)->type && !softgt_spec_memory_object(spec, 1000));
    assert_true(softgt_spec_base_address(spec, 1)->accesses && !softgt_spec_base_address(spec, 1000));
    for (i = 0; softgt_spec_image(spec, i); i++)
        check_image(spec, i);
    assert_true(i);
    assert_null(softgt_spec_image_item(spec, i, 0));
    assert_null(softgt_spec_image_item(spec, 0, 1u << 20));
}

static void lists_of_all_devices(void **state)
{
    (void)state;
    const struct softgt_device_info *device;
    for (size_t d = 0; (device = softgt_device_at(d)) != NULL; d++) {
        struct softgt_spec *const spec = spec_of(device->name);
        check_lists(spec);
        softgt_spec_destroy(spec);
        bool has_id = false;
        for (size_t i = 0; softgt_device_pci_id(device, i); i++)
            has_id |= softgt_device_pci_id(device, i) == device->pci_device_id;
        assert_true(has_id || !device->pci_device_id);
        assert_int_equal(softgt_device_pci_id(device, 1000), 0);
    }
    assert_int_equal(softgt_device_pci_id(NULL, 0), 0);
}

/* Outcomes of commands have names, other kinds of events and numbers that are no kind have none. */
static void check_outcomes(void)
{
    static const char *const names[] = {NULL,     "executed",  "unknown", "too_short", "dropped",
                                        "denied", "misplaced", "skipped", "disabled",  "not_run"};
    struct sink sink;
    const struct softgt_text_port out = port_of(&sink);
    static const uint32_t header = 0x2800000;
    struct softgt_event event = {.what = SOFTGT_TRACE_COMMANDS,
                                 .unit = "rcs0",
                                 .name = "MI_ARB_CHECK",
                                 .length_dw = 1,
                                 .dwords = &header};
    for (unsigned kind = 0; kind < 100; kind++) {
        const char *const name = kind < sizeof names / sizeof *names ? names[kind] : NULL;
        const char *const status = softgt_event_status((enum softgt_event_kind)kind);
        if (name)
            assert_string_equal(status, name);
        else
            assert_null(status);
        sink.length = 0;
        event.kind = (enum softgt_event_kind)kind;
        assert_int_equal(softgt_event_text(&event, &out), 0);
        assert_non_null(strstr(sink.bytes, !name                          ? "no outcome"
                                           : kind == SOFTGT_EVENT_COMMAND ? "MI_"
                                                                          : name));
        assert_int_equal(softgt_event_json(&event, &out), 0);
    }
    assert_null(softgt_event_status((enum softgt_event_kind) - 1));
}

/* Of devices that are only decoded registers, units and images are not known, and no command runs. */
static void lists_of_decoded_devices(void **state)
{
    (void)state;
    static const char *const names[] = {"vlv", "chv", "bxt", "glk", "dg1"};
    char name[64];
    for (size_t d = 0; d < sizeof names / sizeof *names; d++) {
        struct softgt_spec *const spec = spec_of(names[d]);
        const struct softgt_row *row;
        assert_int_equal(softgt_spec_rows(spec, SOFTGT_ROW_REGISTER), 0);
        assert_null(softgt_spec_row(spec, SOFTGT_ROW_REGISTER, 0));
        assert_null(softgt_spec_unit_register(spec, 0));
        assert_null(softgt_spec_find(spec, SOFTGT_ROW_REGISTER, "rcs0.RING_BUFFER_TAIL"));
        assert_null(softgt_spec_register(spec, 0x2030));
        assert_int_equal(softgt_spec_register_name(spec, 0x2030, name, sizeof name), 0);
        assert_null(softgt_spec_unit(spec, 0));
        assert_null(softgt_spec_range(spec, 0));
        assert_null(softgt_spec_range_owner(spec, 0x2030));
        assert_null(softgt_spec_image(spec, 0));
        assert_null(softgt_spec_image_item(spec, 0, 0));
        for (size_t i = 0; (row = softgt_spec_row(spec, SOFTGT_ROW_COMMAND, i)) != NULL; i++) {
            struct softgt_row_info info;
            softgt_row_get_info(row, &info);
            assert_int_equal(info.model, SOFTGT_COMMAND_COUNTED);
            assert_false(info.flags & SOFTGT_COMMAND_IF_SUPPORTED);
        }
        assert_true(softgt_spec_rows(spec, SOFTGT_ROW_COMMAND) > 100);
        assert_non_null(softgt_spec_operation(spec, 0));
        softgt_spec_destroy(spec);
    }
}

static void names_of_states(void **state)
{
    (void)state;
    check_outcomes();
    assert_string_equal(softgt_engine_state_name(SOFTGT_ENGINE_STOPPED), "stopped");
    assert_null(softgt_engine_state_name((enum softgt_engine_state)9));
    assert_int_equal(softgt_mistake_bit("short"), 1u << SOFTGT_MISTAKE_SHORT);
    assert_int_equal(softgt_mistake_bit("shor"), 0);
    assert_int_equal(softgt_mistake_bit(NULL), 0);
    assert_string_equal(softgt_linux_register_name("RING_MODE"), "GFX_MODE");
    assert_string_equal(softgt_linux_register_name("INSTDONE"), "INSTDONE");
}

/* ---- Filters and timelines ---- */

static void events_are_filtered(void **state)
{
    (void)state;
    struct softgt_event_filter *filter;
    struct sink sink;
    const struct softgt_text_port errors = port_of(&sink);
    struct softgt_event event = {.what = SOFTGT_TRACE_COMMANDS, .unit = "rcs0", .name = "MI_NOOP"};
    assert_int_equal(softgt_event_filter_create(NULL), -EINVAL);
    assert_int_equal(softgt_event_filter_create(&filter), 0);
    assert_int_equal(softgt_event_filter_mask(filter), 0);
    assert_false(softgt_event_filter_takes(filter, &event));
    assert_int_equal(softgt_event_filter_add(filter, "commands:!MI_NOOP", &errors), 0);
    assert_int_equal(softgt_event_filter_mask(filter), SOFTGT_TRACE_COMMANDS);
    assert_false(softgt_event_filter_takes(filter, &event));
    event.name = "MI_ARB_CHECK";
    assert_true(softgt_event_filter_takes(filter, &event));
    assert_int_equal(sink.length, 0);
    assert_int_equal(softgt_event_filter_add(filter, "registers,comands", &errors), -EINVAL);
    assert_non_null(strstr(sink.bytes, "comands"));
    assert_int_equal(softgt_event_filter_mask(filter), SOFTGT_TRACE_COMMANDS); /* nothing has changed */
    assert_int_equal(softgt_event_filter_add(filter, "comands", NULL), -EINVAL);
    softgt_event_filter_destroy(filter);
    softgt_event_filter_destroy(NULL);
    assert_int_equal(softgt_event_filter_mask(NULL), 0);
    assert_false(softgt_event_filter_takes(NULL, &event));
}

static void timelines_are_files(void **state)
{
    (void)state;
    struct softgt_timeline *timeline = (struct softgt_timeline *)1;
    char path[] = "/tmp/timeline-XXXXXX.json", text[4096] = "";
    const int made = mkstemps(path, 5);
    assert_true(made >= 0);
    close(made);
    assert_int_equal(softgt_timeline_create("/nowhere/file", "skl", 0, &timeline), -ENOENT);
    assert_null(timeline);
    assert_int_equal(softgt_timeline_create(path, "skl", 8, &timeline), -EINVAL);
    assert_int_equal(softgt_timeline_port(NULL).mask, 0);
    assert_int_equal(softgt_timeline_close(NULL, false), 0);
    assert_int_equal(softgt_timeline_create(path, "skl", SOFTGT_TIMELINE_COMMANDS, &timeline), 0);
    const struct softgt_trace_port port = softgt_timeline_port(timeline);
    const uint32_t header = 5u << 23;
    const struct softgt_event event = {.what = SOFTGT_TRACE_COMMANDS,
                                       .kind = SOFTGT_EVENT_COMMAND,
                                       .unit = "rcs0",
                                       .name = "MI_ARB_CHECK",
                                       .now_ns = 7,
                                       .length_dw = 1,
                                       .dwords = &header};
    assert_true(port.mask & SOFTGT_TRACE_COMMANDS);
    port.event(port.user, &event);
    assert_int_equal(softgt_timeline_close(timeline, false), 0);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    remove(path);
    assert_non_null(strstr(text, "MI_ARB_CHECK"));
}

enum { WRITERS = 4, FILES_EACH = 60, OPEN_AT_ONCE = 40, PATH_BYTES = 80 };

struct timeline_writer {
    const char *folder;
    unsigned number, good;
};

static void *write_timelines(void *user)
{
    struct timeline_writer *const w = user;
    for (unsigned i = 0; i < FILES_EACH; i++) {
        char path[PATH_BYTES];
        struct softgt_timeline *timeline;
        snprintf(path, sizeof path, "%s/%u-%u", w->folder, w->number, i);
        if (softgt_timeline_create(path, "skl", 0, &timeline) == 0 &&
            softgt_timeline_close(timeline, false) == 0 && remove(path) == 0)
            w->good++;
    }
    return NULL;
}

static void threads_write_their_own_timelines(void **state)
{
    (void)state;
    char folder[] = "/tmp/timelines-XXXXXX";
    assert_non_null(mkdtemp(folder));
    pthread_t threads[WRITERS];
    struct timeline_writer writers[WRITERS];
    for (unsigned i = 0; i < WRITERS; i++) {
        writers[i] = (struct timeline_writer){folder, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, write_timelines, &writers[i]), 0);
    }
    for (unsigned i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < WRITERS; i++)
        assert_int_equal(writers[i].good, FILES_EACH);
    assert_int_equal(rmdir(folder), 0); /* nothing is left */
}

/* Many at once; new files get the mode of the process, others keep theirs, and programs stay. */
static void timelines_have_modes(void **state)
{
    (void)state;
    char folder[] = "/tmp/timelines-XXXXXX", paths[OPEN_AT_ONCE][PATH_BYTES];
    struct softgt_timeline *timelines[OPEN_AT_ONCE];
    struct stat file;
    assert_non_null(mkdtemp(folder));
    for (unsigned i = 0; i < OPEN_AT_ONCE; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%u", folder, i);
    FILE *const old = fopen(paths[0], "w");
    assert_non_null(old);
    fclose(old);
    assert_int_equal(chmod(paths[0], 0604), 0);
    const mode_t mask = umask(027);
    for (unsigned i = 0; i < OPEN_AT_ONCE; i++)
        assert_int_equal(softgt_timeline_create(paths[i], "skl", 0, &timelines[i]), 0);
    umask(mask);
    for (unsigned i = 0; i < OPEN_AT_ONCE; i++) {
        assert_int_equal(softgt_timeline_close(timelines[i], false), 0);
        assert_int_equal(stat(paths[i], &file), 0);
        assert_int_equal(file.st_mode & 0777, i ? 0640 : 0604);
    }
    FILE *const program = fopen(paths[0], "w");
    assert_non_null(program);
    fputs("#!/bin/sh\n", program);
    fclose(program);
    assert_int_equal(softgt_timeline_create(paths[0], "skl", 0, &timelines[0]), -EEXIST);
    for (unsigned i = 0; i < OPEN_AT_ONCE; i++)
        remove(paths[i]);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- Decoders ---- */

static void add_remark(void *user, const struct softgt_text_port *out)
{
    out->write(out->user, user, strlen(user));
}

static void commands_one_by_one(void **state)
{
    (void)state;
    static const uint32_t batch[] = {0x10400002, 0x2000, 0, 42, 0x6fff0000};
    static char remark[] = "  <== here";
    struct softgt_spec *const skl = spec_of("skl");
    struct softgt_decoder *decoder;
    struct softgt_decoder_config config = {.user = remark, .remark = add_remark};
    struct sink sink;
    const struct softgt_text_port out = port_of(&sink);
    size_t length = 0;
    assert_int_equal(softgt_decoder_create(skl, &config, &decoder), 0);
    assert_int_equal(softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, batch, 4, 0x1000, &out, &length),
                     SOFTGT_DECODED_COMMAND);
    assert_int_equal(length, 4);
    assert_non_null(strstr(sink.bytes, "MI_STORE_DATA_IMM"));
    assert_non_null(strstr(sink.bytes, remark));
    assert_int_equal(softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, batch, 3, 0x1000, &out, &length),
                     SOFTGT_DECODED_CUT);
    assert_int_equal(length, 3);
    assert_int_equal(
        softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, batch + 4, 1, 0x1010, &out, &length),
        SOFTGT_DECODED_UNKNOWN);
    assert_int_equal(length, 1);
    assert_int_equal(softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, batch, 0, 0, &out, &length),
                     -EINVAL);
    assert_int_equal(softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, batch, 4, 0, NULL, &length),
                     -EINVAL);
    assert_int_equal(softgt_decoder_follow(decoder, SOFTGT_CLASS_RENDER, batch, 4, 0, &out), -EINVAL);
    softgt_decoder_destroy(decoder);
    config.flags = SOFTGT_DECODER_FOLLOW; /* without `read` */
    assert_int_equal(softgt_decoder_create(skl, &config, &decoder), -EINVAL);
    assert_null(decoder);
    config.flags = 1u << 30;
    assert_int_equal(softgt_decoder_create(skl, &config, &decoder), -EINVAL);
    assert_int_equal(softgt_decoder_create(skl, NULL, &decoder), -EINVAL);
    softgt_decoder_destroy(NULL);
    softgt_spec_destroy(skl);
}

/* A program that was built with a later library, or an earlier one. */
static void configs_of_other_versions(void **state)
{
    (void)state;
    static const uint32_t batch[] = {0x02800000};
    struct softgt_spec *const skl = spec_of("skl");
    struct softgt_decoder *decoder;
    struct sink sink;
    const struct softgt_text_port out = port_of(&sink);
    size_t length = 0;
    struct {
        struct softgt_decoder_config known;
        uint64_t later;
    } config = {.later = 1};
    assert_int_equal(softgt_decoder_create_sized(skl, &config.known, sizeof config, &decoder), -EINVAL);
    assert_null(decoder);
    config.later = 0;
    assert_int_equal(softgt_decoder_create_sized(skl, &config.known, sizeof config, &decoder), 0);
    softgt_decoder_destroy(decoder);
    config.known.remark = add_remark; /* which a program whose struct ends before it has not set */
    assert_int_equal(softgt_decoder_create_sized(skl, &config.known,
                                                 offsetof(struct softgt_decoder_config, remark), &decoder),
                     0);
    assert_int_equal(softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, batch, 1, 0x1000, &out, &length),
                     SOFTGT_DECODED_COMMAND);
    softgt_decoder_destroy(decoder);
    softgt_spec_destroy(skl);
}

/* Whether the binding table's address, which needs the base address, is in the listing. */
static bool has_resolved(struct softgt_decoder *decoder)
{
    static const uint32_t pointer[] = {0x782a0000, 0x80};
    struct sink sink;
    const struct softgt_text_port out = port_of(&sink);
    size_t length;
    assert_int_equal(softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, pointer, 2, 0x1000, &out, &length),
                     SOFTGT_DECODED_COMMAND);
    return strstr(sink.bytes, "at 0x000123000080");
}

static bool read_zeros(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address;
    memset(data, 0, size_bytes);
    return true;
}

/* How many entries of the vertex shader's binding table are listed. */
static unsigned entries_listed(struct softgt_decoder *decoder)
{
    static const uint32_t pointer[] = {0x78260000, 0x40};
    struct sink sink;
    const struct softgt_text_port out = port_of(&sink);
    unsigned count = 0;
    assert_int_equal(softgt_decoder_follow(decoder, SOFTGT_CLASS_RENDER, pointer, 2, 0x1000, &out), 0);
    for (const char *at = sink.bytes; (at = strstr(at, "BINDING_TABLE_STATE [")) != NULL; at++)
        count++;
    return count;
}

static void contexts_have_counts_of_their_own(void **state)
{
    (void)state;
    const uint32_t bases[19] = {0x61010011, [4] = 0x00100001}, shader[9] = {0x78100007, [3] = 2u << 18};
    struct softgt_spec *const skl = spec_of("skl");
    struct softgt_decoder *decoder;
    const struct softgt_decoder_config config = {.flags = SOFTGT_DECODER_FOLLOW, .read = read_zeros};
    struct sink sink;
    const struct softgt_text_port out = port_of(&sink);
    size_t length;
    assert_int_equal(softgt_decoder_create(skl, &config, &decoder), 0);
    for (unsigned round = 0; round < 3; round++) {
        softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, bases, 19, 0x1000, &out, &length);
        assert_int_equal(entries_listed(decoder), 0);
        assert_int_equal(softgt_decoder_follow(decoder, SOFTGT_CLASS_RENDER, shader, 9, 0x1000, &out), 0);
        assert_int_equal(entries_listed(decoder), 2);
        sink.length = 0;
        if (round == 1)
            softgt_decoder_forget(decoder);
        else
            assert_int_equal(softgt_decoder_select(decoder, round + 1), 0);
    }
    assert_int_equal(softgt_decoder_select(decoder, 0), 0);
    assert_int_equal(entries_listed(decoder), 2);
    softgt_decoder_destroy(decoder);
    softgt_spec_destroy(skl);
}

static void contexts_have_bases_of_their_own(void **state)
{
    (void)state;
    const uint32_t bases[19] = {0x61010011, [4] = 0x23000001, [5] = 0x1};
    struct softgt_spec *const skl = spec_of("skl");
    struct softgt_decoder *decoder;
    const struct softgt_decoder_config config = {.flags = SOFTGT_DECODER_RESOLVE};
    struct sink sink;
    const struct softgt_text_port out = port_of(&sink);
    size_t length;
    assert_int_equal(softgt_decoder_create(skl, &config, &decoder), 0);
    assert_int_equal(softgt_decoder_select(decoder, 0x2000), 0);
    assert_false(has_resolved(decoder));
    softgt_decoder_command(decoder, SOFTGT_CLASS_RENDER, bases, 19, 0x1000, &out, &length);
    assert_true(has_resolved(decoder));
    for (uint64_t context = 3; context < 40; context++) {
        assert_int_equal(softgt_decoder_select(decoder, context << 12), 0);
        assert_false(has_resolved(decoder));
    }
    assert_int_equal(softgt_decoder_select(decoder, 0x2000), 0);
    assert_true(has_resolved(decoder));
    softgt_decoder_forget(decoder);
    assert_false(has_resolved(decoder));
    softgt_decoder_destroy(decoder);
    softgt_spec_destroy(skl);
}

TEST_PROGRAM(spec_test)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(details_of_rows),
        cmocka_unit_test(lists_of_all_devices),
        cmocka_unit_test(lists_of_decoded_devices),
        cmocka_unit_test(names_of_states),
        cmocka_unit_test(events_are_filtered),
        cmocka_unit_test(timelines_are_files),
        cmocka_unit_test(threads_write_their_own_timelines),
        cmocka_unit_test(timelines_have_modes),
        cmocka_unit_test(commands_one_by_one),
        cmocka_unit_test(configs_of_other_versions),
        cmocka_unit_test(contexts_have_bases_of_their_own),
        cmocka_unit_test(contexts_have_counts_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
