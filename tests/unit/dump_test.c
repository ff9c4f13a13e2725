/* The listing: exact texts from small rows, JSON parsed, commands that are cut off or unknown. The numbers in
 * expected texts, and the dwords that give them, are data. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "../suite.h"
#include "stream/dump.h"

/* ---- Rows of this test ---- */

static const struct field_value colours[] = {{"Red", 0}, {"Dark \"Blue\"", 2}, {NULL, 0}};

static const struct field mixed_fields[] = {
    {.name = "Colour", .first = 32, .last = 33, .kind = FIELD_UINT, .values = colours},
    {.name = "Enable", .first = 34, .last = 34, .kind = FIELD_BOOL},
    {.name = "Bias", .first = 40, .last = 47, .kind = FIELD_INT},
    {.name = "Mask", .first = 48, .last = 59, .kind = FIELD_HEX},
    {.name = "Address", .first = 66, .last = 111, .kind = FIELD_ADDRESS},
    {.name = "Scale", .first = 128, .last = 159, .kind = FIELD_FLOAT},
    {.name = "Data", .first = 160, .last = 223, .kind = FIELD_INT},
};

static const struct field pair[] = {
    {.name = "Register Offset", .first = 2, .last = 22, .kind = FIELD_OFFSET},
    {.name = "Data", .first = 32, .last = 63, .kind = FIELD_HEX},
};

static const struct field late_fields[] = {
    {.name = "Early", .first = 32, .last = 63, .kind = FIELD_UINT},
    {.name = "Late", .first = 64, .last = 95, .kind = FIELD_UINT},
};

static const struct command rows[] = {
    {.name = "TEST_MIXED",
     OPCODE_MI(0x30),
     .engines = RENDER,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 7,
     FIELDS(mixed_fields)},
    {.name = "TEST_PAIRS",
     OPCODE_MI(0x31),
     .engines = RENDER | COPY,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     GROUP(pair, 1, 2)},
    {.name = "TEST_SINGLE", OPCODE_MI(0x32), .engines = COPY, .min_dwords = 1},
    {.name = "TEST_LATE",
     OPCODE_MI(0x33),
     .engines = RENDER,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     FIELDS(late_fields)},
};
static const struct command_table table = COMMAND_TABLE(rows);
static const struct command_table *const tables[] = {&table, NULL};

#define MIXED(length) (0x30u << 23 | ((length)-2u))
#define PAIRS(length) (0x31u << 23 | ((length)-2u))
#define SINGLE        (0x32u << 23)
#define LATE(length)  (0x33u << 23 | ((length)-2u))

/* Floats by their bits. */
#define F_ONE            (0x7fu << 23)
#define F_MINUS_1_5      (1u << 31 | F_ONE | 1u << 22)
#define F_INFINITY       (0xffu << 23)
#define F_MINUS_INFINITY (1u << 31 | F_INFINITY)
#define F_NAN            (F_INFINITY | 1u << 22)

enum { TIMESTAMP = 0x2358, BELOW = TIMESTAMP - 8, ABOVE = TIMESTAMP + 8 }; /* register offsets */
enum { COMMAND_AT = 1 << 20 };
#define UNKNOWN (0x3eu << 23 | 1u)

static const uint32_t mixed[7] = {
    MIXED(7),   2u | 1u << 2 | (uint8_t)-5 << 8 | 0xa5u << 16, 0x60001004, 0x0000ff80, F_MINUS_1_5, -2u,
    UINT32_MAX,
};

/* ---- Help ---- */

static const char *name_of(void *user, uint32_t offset)
{
    assert_string_equal(user, "owner");
    return offset == TIMESTAMP ? "TIMESTAMP" : NULL;
}

struct result {
    char text[4096];
    enum dump_found found;
    size_t length_dw;
};

static struct result dump(struct dump_options options, enum engine_class class, const uint32_t *dw,
                          size_t available_dw, uint64_t address)
{
    struct command_set set;
    struct dumper dumper;
    struct text t = {0};
    struct result r = {.length_dw = 12345};
    static char owner[] = "owner";
    options.user = owner;
    assert_true(command_set_create(&set, tables, GEN9));
    assert_true(dumper_create(&dumper, &set, &options));
    r.found = dump_command(&dumper, &t, class, dw, available_dw, address, &r.length_dw);
    assert_false(t.failed);
    assert_true(t.length < sizeof r.text);
    memcpy(r.text, t.bytes, t.length);
    text_free(&t);
    dumper_destroy(&dumper);
    command_set_destroy(&set);
    return r;
}

static const struct dump_options plain = {.register_name = name_of}, json = {.json = true};

/* ---- Text ---- */

static void every_kind_of_field(void **state)
{
    (void)state;
    const struct result r = dump(plain, CLASS_RENDER, mixed, 7, COMMAND_AT);
    assert_int_equal(r.found, DUMP_COMMAND);
    assert_int_equal(r.length_dw, 7);
    assert_string_equal(r.text, "0x00100000:  0x18000005:  TEST_MIXED\n"
                                "    Colour: 2 (Dark \"Blue\")\n"
                                "    Enable: true\n"
                                "    Bias: -5\n"
                                "    Mask: 0x0a5\n"
                                "    Address: 0xff8060001004\n"
                                "    Scale: -1.5\n"
                                "    Data: -2\n");
}

static void values_without_name_and_low_addresses(void **state)
{
    (void)state;
    const uint32_t dw[7] = {MIXED(7), 1, 0x1004, 0, F_ONE, 1u << 31, INT32_MAX};
    assert_string_equal(dump(plain, CLASS_RENDER, dw, 7, 0).text, "0x00000000:  0x18000005:  TEST_MIXED\n"
                                                                  "    Colour: 1\n"
                                                                  "    Enable: false\n"
                                                                  "    Bias: 0\n"
                                                                  "    Mask: 0x000\n"
                                                                  "    Address: 0x00001004\n"
                                                                  "    Scale: 1\n"
                                                                  "    Data: 9223372034707292160\n");
}

static void widths_of_addresses(void **state)
{
    (void)state;
    const uint32_t dw[7] = {MIXED(7), 0, 0x4, 1, 0, 0, 0};
    const struct dump_options headers = {.headers_only = true};
    assert_string_equal(dump(headers, CLASS_RENDER, dw, 7, UINT32_MAX - 3).text,
                        "0xfffffffc:  0x18000005:  TEST_MIXED\n");
    assert_string_equal(dump(headers, CLASS_RENDER, dw, 7, UINT64_C(1) << 32).text,
                        "0x000100000000:  0x18000005:  TEST_MIXED\n");
    assert_string_equal(dump(headers, CLASS_RENDER, dw, 7, -(UINT64_C(1) << 47)).text,
                        "0xffff800000000000:  0x18000005:  TEST_MIXED\n");
    assert_non_null(strstr(dump(plain, CLASS_RENDER, dw, 7, 0).text, "    Address: 0x000100000004\n"));
}

static void groups(void **state)
{
    (void)state;
    uint32_t dw[23] = {PAIRS(23)};
    for (uint32_t i = 0; i < 11; i++) {
        dw[1 + 2 * i] = BELOW + 4 * i;
        dw[2 + 2 * i] = i;
    }
    const struct result r = dump(plain, CLASS_RENDER, dw, 5, 0);
    assert_int_equal(r.found, DUMP_CUT);
    const char *const start = "0x00000000:  0x18800015:  TEST_PAIRS\n"
                              "    [0] Register Offset: 0x00002350\n"
                              "    [0] Data: 0x00000000\n"
                              "    [1] Register Offset: 0x00002354\n"
                              "    [1] Data: 0x00000001\n";
    assert_memory_equal(r.text, start, strlen(start));
    assert_string_equal(r.text + strlen(start), "    ends inside the command: 5 of 23 dwords\n");

    const struct result whole = dump(plain, CLASS_COPY, dw, 23, 0);
    assert_int_equal(whole.length_dw, 23);
    assert_memory_equal(whole.text, start, strlen(start));
    const char *const next = "    [2] Register Offset: 0x00002358 (TIMESTAMP)\n    [2] Data: 0x00000002\n";
    assert_memory_equal(whole.text + strlen(start), next, strlen(next));
    const char *const last =
        "    [10] Register Offset: 0x00002378\n    [10] Data: 0x0000000a\n"; /* two digits, and the end */
    assert_string_equal(strstr(whole.text, "    [10]"), last);
}

static void what_does_not_fill_a_group(void **state)
{
    (void)state;
    const uint32_t dw[4] = {PAIRS(4), TIMESTAMP, 7, ABOVE};
    assert_string_equal(dump((struct dump_options){0}, CLASS_RENDER, dw, 4, 0).text,
                        "0x00000000:  0x18800002:  TEST_PAIRS\n"
                        "    [0] Register Offset: 0x00002358\n"
                        "    [0] Data: 0x00000007\n"
                        "    dw 3: 0x00002360\n");
}

static void a_command_cut_off(void **state)
{
    (void)state;
    const struct result r = dump(plain, CLASS_RENDER, mixed, 3, COMMAND_AT);
    assert_int_equal(r.found, DUMP_CUT);
    assert_int_equal(r.length_dw, 3);
    assert_string_equal(r.text, "0x00100000:  0x18000005:  TEST_MIXED\n"
                                "    Colour: 2 (Dark \"Blue\")\n"
                                "    Enable: true\n"
                                "    Bias: -5\n"
                                "    Mask: 0x0a5\n"
                                "    Address: 0x60001004\n"
                                "    ends inside the command: 3 of 7 dwords\n");
}

static void a_command_shorter_than_its_fields(void **state)
{
    (void)state;
    const uint32_t dw[3] = {LATE(2), 4000000000, 5};
    const struct result r = dump(plain, CLASS_RENDER, dw, 3, 0);
    assert_int_equal(r.found, DUMP_COMMAND);
    assert_int_equal(r.length_dw, 2);
    assert_string_equal(r.text, "0x00000000:  0x19800000:  TEST_LATE\n    Early: 4000000000\n");
}

static void unknown_headers(void **state)
{
    (void)state;
    const uint32_t dw[2] = {UNKNOWN, 0};
    const struct result r = dump(plain, CLASS_RENDER, dw, 2, COMMAND_AT + 64);
    assert_int_equal(r.found, DUMP_UNKNOWN);
    assert_int_equal(r.length_dw, 1);
    assert_string_equal(r.text, "0x00100040:  0x1f000001:  unknown command\n");
    const struct dump_options colour = {.colour = true};
    assert_string_equal(dump(colour, CLASS_RENDER, dw, 2, 0).text,
                        "0x00000000:  0x1f000001:  \033[1;31munknown command\033[0m\n");
}

static void a_command_of_another_engine_has_its_name(void **state)
{
    (void)state;
    const uint32_t dw[1] = {SINGLE};
    const struct result r = dump(plain, CLASS_RENDER, dw, 1, 0);
    assert_int_equal(r.found, DUMP_COMMAND);
    assert_string_equal(r.text, "0x00000000:  0x19000000:  TEST_SINGLE\n");
}

static void colours_only_when_asked(void **state)
{
    (void)state;
    const uint32_t dw[1] = {SINGLE};
    const struct dump_options colour = {.colour = true};
    assert_string_equal(dump(colour, CLASS_COPY, dw, 1, 0).text,
                        "0x00000000:  0x19000000:  \033[1;36mTEST_SINGLE\033[0m\n");
    assert_null(strchr(dump(plain, CLASS_COPY, dw, 1, 0).text, '\033'));
}

/* ---- JSON ---- */

static struct json_object *parse(const struct result *r)
{
    const char *const newline = strchr(r->text, '\n');
    assert_non_null(newline);
    assert_int_equal(newline[1], 0); /* one line */
    struct json_object *o = json_tokener_parse(r->text);
    assert_true(json_object_is_type(o, json_type_object));
    return o;
}

static struct json_object *member(struct json_object *o, const char *name, enum json_type type)
{
    struct json_object *value = NULL;
    assert_true(json_object_object_get_ex(o, name, &value));
    assert_true(json_object_is_type(value, type));
    return value;
}

static uint64_t number(struct json_object *o, const char *name)
{
    return json_object_get_uint64(member(o, name, json_type_int));
}

static const char *string(struct json_object *o, const char *name)
{
    return json_object_get_string(member(o, name, json_type_string));
}

static void json_of_every_kind(void **state)
{
    (void)state;
    const struct result r = dump(json, CLASS_RENDER, mixed, 7, (UINT64_C(511) << 39) + 4096);
    struct json_object *o = parse(&r);
    assert_int_equal(json_object_object_length(o), 9);
    assert_string_equal(string(o, "schema"), "softgt.command");
    assert_int_equal(number(o, "version"), 1);
    assert_string_equal(string(o, "address"), "0xff8000001000");
    assert_int_equal(number(o, "header"), mixed[0]);
    assert_string_equal(string(o, "name"), "TEST_MIXED");
    assert_string_equal(string(o, "class"), "render");
    assert_int_equal(number(o, "length_dw"), 7);
    struct json_object *fields = member(o, "fields", json_type_object);
    assert_int_equal(json_object_object_length(fields), 7);
    assert_int_equal(number(fields, "Colour"), 2);
    assert_true(json_object_get_boolean(member(fields, "Enable", json_type_boolean)));
    assert_int_equal(json_object_get_int64(member(fields, "Bias", json_type_int)), -5);
    assert_int_equal(number(fields, "Mask"), 0xa5);
    assert_string_equal(string(fields, "Address"), "0xff8060001004");
    assert_true(json_object_get_double(member(fields, "Scale", json_type_double)) == -1.5);
    assert_string_equal(string(fields, "Data"), "0xfffffffffffffffe");
    json_object_put(o);
}

static void json_has_no_infinities(void **state)
{
    (void)state;
    static const uint32_t odd[] = {F_INFINITY, F_MINUS_INFINITY, F_NAN};
    for (size_t i = 0; i < 3; i++) {
        const uint32_t dw[7] = {MIXED(7), 0, 0, 0, odd[i]};
        const struct result r = dump(json, CLASS_RENDER, dw, 7, 0);
        struct json_object *o = parse(&r);
        assert_null(member(member(o, "fields", json_type_object), "Scale", json_type_null));
        json_object_put(o);
    }
}

static void json_of_groups(void **state)
{
    (void)state;
    const uint32_t dw[5] = {PAIRS(5), TIMESTAMP, 7, ABOVE, UINT32_MAX};
    const struct result r = dump(json, CLASS_COPY, dw, 5, 0);
    struct json_object *o = parse(&r);
    assert_string_equal(string(o, "class"), "copy");
    assert_int_equal(json_object_object_length(member(o, "fields", json_type_object)), 0);
    struct json_object *group = member(o, "group", json_type_array);
    assert_int_equal(json_object_array_length(group), 2);
    assert_int_equal(number(json_object_array_get_idx(group, 0), "Register Offset"), TIMESTAMP);
    assert_int_equal(number(json_object_array_get_idx(group, 0), "Data"), 7);
    assert_int_equal(number(json_object_array_get_idx(group, 1), "Register Offset"), ABOVE);
    assert_int_equal(number(json_object_array_get_idx(group, 1), "Data"), UINT32_MAX);
    json_object_put(o);
}

static void json_of_what_is_cut_or_unknown(void **state)
{
    (void)state;
    const struct result cut = dump(json, CLASS_RENDER, mixed, 2, 0);
    assert_int_equal(cut.found, DUMP_CUT);
    struct json_object *o = parse(&cut);
    assert_int_equal(number(o, "length_dw"), 2);
    assert_int_equal(number(o, "missing_dw"), 5);
    assert_int_equal(json_object_object_length(member(o, "fields", json_type_object)), 4);
    json_object_put(o);

    const uint32_t dw[1] = {UNKNOWN};
    const struct result unknown = dump(json, CLASS_RENDER, dw, 1, 0x40);
    assert_int_equal(unknown.found, DUMP_UNKNOWN);
    o = parse(&unknown);
    assert_null(member(o, "name", json_type_null));
    assert_int_equal(number(o, "header"), UNKNOWN);
    assert_int_equal(number(o, "length_dw"), 1);
    json_object_put(o);
}

/* ---- The buffer ---- */

static void text_appends(void **state)
{
    (void)state;
    struct text t = {0};
    text_hex(&t, 0, 1);
    text_char(&t, ' ');
    text_hex(&t, 0xabcdef, 8);
    text_char(&t, ' ');
    text_hex(&t, 0xabcdef, 2); /* as many digits as needed */
    text_char(&t, ' ');
    text_hex(&t, UINT64_MAX, 1);
    text_char(&t, ' ');
    text_decimal(&t, UINT64_MAX);
    text_char(&t, ' ');
    text_signed(&t, INT64_MIN);
    text_char(&t, ' ');
    text_float(&t, 0.1f);
    text_json(&t, "a\"b\\c\n");
    text_char(&t, 0);
    assert_string_equal(t.bytes,
                        "0 00abcdef abcdef ffffffffffffffff 18446744073709551615 -9223372036854775808 "
                        "0.100000001\"a\\\"b\\\\c\\u000a\"");
    text_free(&t);
    for (unsigned i = 0; i < 100000; i++)
        text_decimal(&t, i % 10);
    assert_int_equal(t.length, 100000);
    for (unsigned i = 0; i < 100000; i++)
        assert_int_equal(t.bytes[i], '0' + i % 10);
    text_free(&t);
    assert_null(t.bytes);
}

static void floats_are_written_as_printf_does(void **state)
{
    (void)state;
    struct text t = {0};
    uint32_t bits = 1;
    for (unsigned i = 0; i < 600000; i++) {
        float value;
        if (i < 400000) {
            value = (float)((int)i * 5 - 1000000) / 8; /* the fast path, its limits and past them */
        } else {
            bits = bits * 1664525 + 1013904223;
            memcpy(&value, &bits, 4);
        }
        char expected[64];
        const int length =
            snprintf(expected, sizeof expected, "%.9g", isnan(value) ? (double)NAN : (double)value);
        t.length = 0;
        text_float(&t, value);
        assert_int_equal(t.length, length);
        assert_memory_equal(t.bytes, expected, t.length);
    }
    t.length = 0;
    text_float(&t, -0.0f);
    text_float(&t, 0.0f);
    text_char(&t, 0);
    assert_string_equal(t.bytes, "-00");
    text_free(&t);
}

TEST_PROGRAM(dump_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_field),
        cmocka_unit_test(values_without_name_and_low_addresses),
        cmocka_unit_test(widths_of_addresses),
        cmocka_unit_test(groups),
        cmocka_unit_test(what_does_not_fill_a_group),
        cmocka_unit_test(a_command_cut_off),
        cmocka_unit_test(a_command_shorter_than_its_fields),
        cmocka_unit_test(unknown_headers),
        cmocka_unit_test(a_command_of_another_engine_has_its_name),
        cmocka_unit_test(colours_only_when_asked),
        cmocka_unit_test(json_of_every_kind),
        cmocka_unit_test(json_has_no_infinities),
        cmocka_unit_test(json_of_groups),
        cmocka_unit_test(json_of_what_is_cut_or_unknown),
        cmocka_unit_test(text_appends),
        cmocka_unit_test(floats_are_written_as_printf_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
