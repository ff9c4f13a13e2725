/* The text form: what assembles, what comes back, what is told about mistakes, what expectations find. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../suite.h"
#include "device/device.h"
#include "player/gts_run.h"
#include "gts/encoder.h"

struct told {
    char text[16384];
    size_t at;
    unsigned errors, failures, notes;
};

static void on_message(void *user, const struct gts_message *m)
{
    struct told *t = user;
    t->errors += m->kind == GTS_ERROR;
    t->failures += m->kind == GTS_FAILURE;
    t->notes += m->kind == GTS_NOTE;
    t->at +=
        (size_t)snprintf(t->text + t->at, sizeof t->text - t->at, "%u:%u: %s\n", m->line, m->column, m->text);
    if (t->at >= sizeof t->text)
        t->at = sizeof t->text - 1;
}

static enum gts_result run(const char *text, struct told *told)
{
    memset(told, 0, sizeof *told);
    const struct gts_options options = {.user = told, .message = on_message};
    return gts_run_text("test", text, strlen(text), &options);
}

/* ---- Commands to dwords and back ---- */

static bool nothing(void *user, uint64_t address, void *data, size_t size)
{
    (void)user, (void)address, (void)data, (void)size;
    return false;
}

static int make_device(void **state)
{
    const struct softgt_config config = {.device = "skl", .memory = {.read = nothing}};
    struct softgt *device;
    const int error = softgt_create(&config, &device);
    *state = device;
    return error;
}

static int end_device(void **state)
{
    softgt_destroy(*state);
    return 0;
}

static void assemble_is(void **state, const char *text, const uint32_t *wanted, size_t count)
{
    struct told told = {0};
    const struct gts_options options = {.user = &told, .message = on_message};
    uint32_t *dw = NULL;
    size_t length = 0;
    const bool good = gts_assemble_commands(softgt_command_set(*state), NULL, CLASS_RENDER, "test", text,
                                            strlen(text), 0x10000, &options, &dw, &length);
    if (!good)
        print_message("%s", told.text);
    assert_true(good);
    assert_int_equal(length, count);
    assert_memory_equal(dw, wanted, count * sizeof *dw);
    free(dw);
}

#define ASSEMBLES(text, ...)                                                                                 \
    do {                                                                                                     \
        static const uint32_t wanted_[] = {__VA_ARGS__};                                                     \
        assemble_is(state, text, wanted_, sizeof wanted_ / sizeof wanted_[0]);                               \
    } while (0)

static void test_assembles(void **state)
{
    ASSEMBLES("MI_NOOP", 0x00000000);
    ASSEMBLES("MI_NOOP identification_number_register_write_enable, identification_number = 0x12345",
              0x00412345);
    ASSEMBLES("MI_BATCH_BUFFER_END", 0x05000000);
    ASSEMBLES("MI_STORE_DATA_IMM use_global_gtt, address = 0x1000, immediate_data = 5", 0x10400002, 0x1000, 0,
              5);
    ASSEMBLES("MI_LOAD_REGISTER_IMM { 0x2600, 5 }, { 0x2604, 6 }", 0x11000003, 0x2600, 5, 0x2604, 6);
    ASSEMBLES("MI_LOAD_REGISTER_IMM { data_dword = 5, register_offset = 0x2600 }", 0x11000001, 0x2600, 5);
    ASSEMBLES("MI_MATH { LOAD, SRCA, R3 }, { ADD }, { STORE, R2, ACCU }", 0x0d000002, 0x08008003, 0x10000000,
              0x18000831);
    ASSEMBLES(
        "MI_BATCH_BUFFER_START address_space_indicator = PPGTT, batch_buffer_start_address = 0x7f0012345678",
        0x18800101, 0x12345678, 0x7f00);
}

static void test_names_match_loosely(void **state)
{
    ASSEMBLES("MI_STORE_DATA_IMM \"Use Global GTT\" = 1, Address = 0x1000, \"immediate-data\" = 5",
              0x10400002, 0x1000, 0, 5);
    ASSEMBLES("MI_STORE_DATA_IMM UseGlobalGTT, ADDRESS = 0x1000, immediatedata = 5", 0x10400002, 0x1000, 0,
              5);
}

static void test_length_rule(void **state)
{
    /* the value decides, qw counts at full width, length overrides */
    ASSEMBLES("MI_STORE_DATA_IMM store_qword, address = 8, immediate_data = 0x1_0000_0002", 0x10200003, 8, 0,
              2, 1);
    ASSEMBLES("MI_STORE_DATA_IMM store_qword, address = 8, immediate_data = qw 2", 0x10200003, 8, 0, 2, 0);
    ASSEMBLES("MI_STORE_DATA_IMM address = 8, immediate_data = 2, length = 5", 0x10000003, 8, 0, 2, 0);
    ASSEMBLES("MI_STORE_DATA_IMM address = 8, immediate_data = 2, dword_length = 3", 0x10000003, 8, 0, 2, 0);
    ASSEMBLES("MI_STORE_DATA_IMM dw5 = 9", 0x10000004, 0, 0, 0, 0, 9);
    ASSEMBLES("MI_MATH length = 3", 0x0d000001, 0, 0);
    ASSEMBLES("MI_NOOP length = 1", 0);
}

static void test_raw_and_expressions(void **state)
{
    ASSEMBLES("dw 1, 0x2 + 3 * 4, (1 << 4) | 1\nqw 0x1_0000_0002", 1, 14, 17, 2, 1);
    ASSEMBLES("dw 4K, 1M, 0b101, ~0 & 0xffffffff, -1, 1.5", 4096, 1 << 20, 5, 0xffffffff, 0xffffffff,
              0x3fc00000);
    ASSEMBLES("dw 7 / 2, 7 % 4, 1 << 3 + 1, 6 ^ 3, 0xf0 >> 4", 3, 3, 16, 5, 15);
    ASSEMBLES("repeat 3 as i { dw i * 2 }", 0, 2, 4);
    ASSEMBLES("repeat 2 as i { repeat 2 as j { dw i * 16 + j } }", 0, 1, 16, 17);
    ASSEMBLES("MI_NOOP dw0 = 0x5", 5);
    ASSEMBLES("dw 1,  # a comma goes on\n   2\ndw 3; dw 4", 1, 2, 3, 4);
    ASSEMBLES("repeat 0 { MI_NOOP }\ndw 1", 1);
}

static void test_labels(void **state)
{
    ASSEMBLES("MI_BATCH_BUFFER_START batch_buffer_start_address = &there\ndw 0xffffffff\n"
              "there: MI_BATCH_BUFFER_END\nalign 32\ndw &there",
              0x18800001, 0x10010, 0, 0xffffffff, 0x05000000, 0, 0, 0, 0x10010);
}

struct lines {
    char text[1 << 19];
    size_t at;
};

static void on_line(void *user, size_t index, const char *text)
{
    struct lines *l = user;
    (void)index;
    assert_true(l->at + strlen(text) + 2 < sizeof l->text);
    l->at += (size_t)sprintf(l->text + l->at, "%s\n", text);
}

static void round_trip(const struct command_set *set, enum engine_class class, const uint32_t *dw,
                       size_t length)
{
    static struct lines l;
    struct told told = {0};
    const struct gts_options options = {.user = &told, .message = on_message};
    uint32_t *back = NULL;
    size_t back_length = 0;
    l.at = 0;
    l.text[0] = 0;
    assert_true(gts_disassemble(set, class, dw, length, &l, on_line));
    const bool good =
        gts_assemble_commands(set, NULL, class, "back", l.text, l.at, 0x1000, &options, &back, &back_length);
    if (!good || back_length != length || memcmp(back, dw, length * 4) != 0)
        print_message("%s%s", l.text, told.text);
    assert_true(good);
    assert_int_equal(back_length, length);
    assert_memory_equal(back, dw, length * 4);
    free(back);
}

static uint32_t noise(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

/* Every row of every engine class, empty, full of noise, with each field alone. */
static void test_every_row_comes_back(void **state)
{
    const struct command_set *set = softgt_command_set(*state);
    uint64_t seed = 1;
    static uint32_t dw[4096];
    assert_true(set->count > 30);
    for (unsigned i = 1; i < set->count; i++) {
        const struct command *c = set->rows[i];
        for (unsigned class = 0; class < ENGINE_CLASSES; class ++) {
            if (!(c->engines & 1u << class) || command_find(set, class, c->match) != i)
                continue;
            uint32_t length = c->min_dwords;
            for (unsigned round = 0; round < 6; round++) {
                if (round == 4 && c->length_bits)
                    length += c->group_size_dw ? c->group_size_dw * 3u : 2u;
                if (c->length_bits &&
                    (length < c->length_bias || length - c->length_bias >= 1u << c->length_bits))
                    continue;
                assert_true(length < 4096);
                for (uint32_t j = 0; j < length; j++)
                    dw[j] = round == 0 ? 0 : round == 1 ? UINT32_MAX : noise(&seed);
                if (round == 3) /* only what fields name */
                    memset(dw, 0, sizeof dw);
                for (unsigned f = 0; round == 3 && f < c->field_count; f++)
                    field_put(&c->fields[f], dw, length, (uint64_t)1 << field_shift(&c->fields[f]));
                dw[0] = (dw[0] & ~c->mask) | c->match;
                if (command_find(set, class, dw[0]) != i)
                    dw[0] = c->match;
                if (c->length_bits)
                    dw[0] = (dw[0] & ~((1u << c->length_bits) - 1u)) | (length - c->length_bias);
                round_trip(set, class, dw, length);
            }
        }
    }
}

static void test_any_dwords_come_back(void **state)
{
    const struct command_set *set = softgt_command_set(*state);
    uint64_t seed = 7;
    uint32_t dw[400];
    for (unsigned round = 0; round < 60; round++) {
        const size_t length = 1 + noise(&seed) % 400;
        for (size_t i = 0; i < length; i++)
            dw[i] = round % 3 == 0 ? noise(&seed) : noise(&seed) & noise(&seed) & noise(&seed) & noise(&seed);
        round_trip(set, round % ENGINE_CLASSES, dw, length);
    }
}

static void test_says_names(void **state)
{
    static struct lines l;
    static const uint32_t dw[] = {0x10400002, 0x1000,     0,          5,          0x11000001, 0x2600,
                                  5,          0,          0,          0,          0,          0,
                                  0,          0x0d000002, 0x08008003, 0x10000000, 0x18000831, 0x05000000};
    l.at = 0;
    assert_true(
        gts_disassemble(softgt_command_set(*state), CLASS_RENDER, dw, sizeof dw / sizeof dw[0], &l, on_line));
    assert_string_equal(l.text, "MI_STORE_DATA_IMM use_global_gtt, address = 0x1000, immediate_data = 0x5\n"
                                "MI_LOAD_REGISTER_IMM { 0x2600, 0x5 }\n"
                                "repeat 6 { MI_NOOP }\n"
                                "MI_MATH { load, srca, r3 }, { add }, { store, r2, accu }\n"
                                "MI_BATCH_BUFFER_END\n");
}

/* ---- Mistakes ---- */

static void wrong_is(const char *text, const char *wanted)
{
    static struct told told;
    const enum gts_result result = run(text, &told);
    if (result != GTS_UNUSABLE || !strstr(told.text, wanted))
        print_message("%s=> %s", text, told.text);
    assert_int_equal(result, GTS_UNUSABLE);
    assert_true(told.errors > 0);
    assert_non_null(strstr(told.text, wanted));
}

/* `open` and `close` so often around the middle that no stack has room for it. */
static void wrong_in_many(const char *begin, const char *open, const char *middle, const char *close,
                          const char *end, const char *wanted)
{
    enum { TIMES = 200000 };
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fputs(begin, file);
    for (unsigned i = 0; i < TIMES; i++)
        fputs(open, file);
    fputs(middle, file);
    for (unsigned i = 0; i < TIMES; i++)
        fputs(close, file);
    fputs(end, file);
    assert_int_equal(fclose(file), 0);
    static struct told told;
    assert_int_equal(run(text, &told), GTS_UNUSABLE);
    assert_non_null(strstr(told.text, wanted));
    free(text);
}

/* Each is looked for among all by its name. */
static void test_many_address_spaces(void **state)
{
    (void)state;
    enum { MOST = 4096 - 2 /* ggtt and phys */ };
    static struct told told;
    char *text = NULL;
    size_t size;
    for (unsigned more = 0; more < 2; more++) {
        FILE *file = open_memstream(&text, &size);
        assert_non_null(file);
        fputs("device skl\n", file);
        for (unsigned i = 0; i < MOST + more; i++)
            fprintf(file, "ppgtt p%u\n", i);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(run(text, &told), more ? GTS_UNUSABLE : GTS_CLEAN);
        assert_string_equal(told.text, more ? "4096:1: the program has more than 4096 address spaces\n" : "");
        free(text);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    wrong_is("", "1:1: expected 'device NAME' as the first statement");
    wrong_is("device zx81\n", "1:8: unknown device 'zx81'");
    wrong_is("device skl\nlet a = 99999999999999999999\n", "2:9: number '99999999999999999999' does not fit");
    wrong_is("device skl\nsay \"abc\n", "2:5: expected '\"' at the end of the string");
    wrong_is("device skl\nlet a = 1 / 0\n", "2:11: '/' by zero");
    wrong_is("device skl\nlet a = $\n", "2:9: unexpected '$'");
    wrong_is("device skl\nlet a = 1\nlet a = 2\n", "3:5: 'a' is already defined");
    wrong_is("device skl\nbatch b at 0x1000 {\n MI_NOOP\n", "expected '}' for the '{' at 2:19");
    wrong_is("device skl\nmap ggtt:0x1001\n",
             "2:1: ggtt:0x1001, 0x1000 bytes: expected an address and a size that are multiples");
    wrong_is("device skl\nmap ggtt:0x100000000\n", "2:10: address 0x100000000 is outside ggtt");
    wrong_is("device skl\nmap ggtt:0x1000 unmapped\ndata at 0x1000 { 1 }\n",
             "3:1: ggtt:0x1000 is not mapped");
    wrong_is("device skl\nexpect mem &nowhere = 1\n", "2:13: unknown name 'nowhere'");
    wrong_is("device skl\ndata at 0x1000 { 0x1_0000_0000 }\n", "2:18: 0x100000000 does not fit in 32 bits");
    wrong_is("device skl\nlet a = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1",
             "nested more than 64 levels deep");
    wrong_in_many("device skl\nlet a = ", "rcs0.CS_GPR[", "1", "]", "\n",
                  "the expression is nested more than 64 levels deep");
    wrong_in_many("device skl\nlet a = ", "rcs0.CS_GPR[-(", "1", ")]", "\n",
                  "the expression is nested more than 64 levels deep");
    wrong_in_many("device skl\nbatch b at 0x1000 {\n", "repeat 1 {\n", "MI_NOOP", "\n}", "\n}\n",
                  ": repeat is nested more than 16 levels deep");
    wrong_in_many("device skl\n", "repeat 1 {\n", "run", "\n}", "\n",
                  ": repeat is nested more than 16 levels deep");
    wrong_is("device skl\nbatch b at 0x1000 { repeat 99999999 { } }\n",
             "the program has more than 16777216 statements");
    wrong_is("device skl\nrepeat 8000000 { write 0x2358 = 1 }\n",
             "the data of the program is larger than 256 MB");
    wrong_is("device skl\ndata at 0x1000 { fill 0 size 100G }\n", "the block is larger than 256 MB");
    wrong_is("device skl\nmap ggtt:0 size 4G\nppgtt p\nmap p:0 size 16G\n",
             "the program maps more than 4M pages");
}

/* Several mistakes are told in one go, each once. */
static void test_mistakes_are_all_told(void **state)
{
    static struct told told;
    (void)state;
    assert_int_equal(
        run("device skl\nrum\nbatch b at 0x1000 {\n MI_NOP\n MI_NOOP\n MI_MATH { FOO }\n}\nlet = 3\n", &told),
        GTS_UNUSABLE);
    assert_string_equal(
        told.text,
        "2:1: unknown statement 'rum' (did you mean run?)\n"
        "4:2: unknown command 'MI_NOP' (did you mean MI_NOOP?)\n"
        "6:12: unknown name 'FOO': expected a constant, register or value of this field; its values: noop, "
        "load, loadinv, load0, load1, add, sub, and, or, xor, store, storeinv\n"
        "8:5: expected a name after 'let', found '='\n");
}

/* ---- Running ---- */

static const char hello[] = "device skl\n"
                            "data answer { 0, 0 }\n"
                            "context hello rcs0 id 5 {\n"
                            "    MI_STORE_DATA_IMM use_global_gtt, address = &answer, immediate_data = 42\n"
                            "}\n"
                            "submit hello\n"
                            "run\n";

static enum gts_result run_more(const char *more, struct told *told)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s", hello, more);
    return run(text, told);
}

static void holds(const char *more)
{
    static struct told told;
    const enum gts_result result = run_more(more, &told);
    if (result != GTS_CLEAN)
        print_message("%s=> %s", more, told.text);
    assert_int_equal(result, GTS_CLEAN);
}

static void fails(const char *more, const char *wanted)
{
    static struct told told;
    const enum gts_result result = run_more(more, &told);
    if (result != GTS_FAILED || !strstr(told.text, wanted))
        print_message("%s=> %s", more, told.text);
    assert_int_equal(result, GTS_FAILED);
    assert_int_equal(told.failures, 1);
    assert_non_null(strstr(told.text, wanted));
}

static void test_expectations(void **state)
{
    (void)state;
    holds("expect mem &answer = 42, 0\n");
    fails("expect mem &answer = 42, 1\n", "8:1: ggtt:0x1000004: expected 0x00000001, got 0x00000000");
    holds("expect mem &answer != 43\n");
    fails("expect mem &answer != 42\n", "8:1: ggtt:0x1000000: expected other data than these 4 bytes");
    holds("expect mem &answer & 0xf = 10\n");
    fails("expect mem &answer & 0xf = 11\n", "expected 0x0000000b, got 0x0000000a");
    holds("expect rcs0.RING_BUFFER_TAIL = 16\n");
    fails("expect rcs0.RING_BUFFER_TAIL = 8\n", "8:1: rcs0.RING_BUFFER_TAIL: expected 0x8, got 0x10");
    holds("expect 0x2030 != 8\n");
    holds("expect status rcs0 { idle_to_active, * } { active_to_idle | context_complete, 5 }\n");
    fails("expect status rcs0 { idle_to_active, * } { active_to_idle | context_complete, 6 }\n",
          "status entry 2 of rcs0 differs");
    fails("expect status rcs0 { idle_to_active, * }\n", "status entries of rcs0: expected 1, got 2");
    fails("expect status rcs0 { * } { * } { * }\n", "status entries of rcs0: expected 3, got 2");
    holds("expect status bcs0 none\n");
    holds("expect order store &answer = 42, status rcs0 = active_to_idle | context_complete\n");
    fails("expect order status rcs0 = active_to_idle | context_complete,\n  store &answer = 42\n",
          "9:3: event 2 of the order occurred, but not after");
    fails("expect order store &answer = 41\n", "event 1 of the order did not occur");
    holds("expect order restore hello, command rcs0 MI_STORE_DATA_IMM, save hello\n");
    holds("expect state rcs0 idle\n");
    fails("expect state rcs0 stopped\n", "rcs0: expected stopped, got idle");
    holds("expect interrupts 0\nexpect faults 0\nexpect count rcs0 memory_writes = 1\n");
    fails("expect interrupts 1\n", "interrupts: expected 1, got 0");
    fails("expect count rcs0 memory_writes = 2\n", "rcs0 memory_writes: expected 2, got 1");
    fails("expect report guest_error \"nothing like it\"\n",
          "expected a report of guest_error with \"nothing like it\"");
    fails("wait rcs0.RING_BUFFER_TAIL = 8 within 10 us\n",
          "rcs0.RING_BUFFER_TAIL: expected 0x8 within 10000 ns, got 0x10");
    holds("wait mem &answer = 42 within 10 dwords\n");
    holds("write mem &answer = 7, \"ab\"\nexpect mem &answer = 7, 0x6261\n");
    holds("write aperture:&answer = 7\nexpect aperture:&answer = 7\nexpect aperture:&answer size 1 = 7\n");
}

/* All failures of a run are told, in order. */
static void test_failures_are_all_told(void **state)
{
    static struct told told;
    (void)state;
    assert_int_equal(
        run_more("expect mem &answer = 1\nexpect faults 3\nexpect mem &answer = 42\nexpect faults 4\n",
                 &told),
        GTS_FAILED);
    assert_int_equal(told.failures, 3);
    assert_string_equal(told.text, "8:1: ggtt:0x1000000: expected 0x00000001, got 0x0000002a\n"
                                   "9:1: faults: expected 3, got 0\n"
                                   "11:1: faults: expected 4, got 0\n");
}

static void test_unexpected_complaint_fails(void **state)
{
    (void)state;
    const char *bad = "append hello { dw 0x7fff0000 }\nsubmit hello\nrun\n";
    static struct told told;
    assert_int_equal(run_more(bad, &told), GTS_FAILED);
    assert_non_null(strstr(told.text, "10:1: unexpected guest_error: rcs0 0x"));
}

static void test_output(void **state)
{
    static struct told told;
    (void)state;
    assert_int_equal(
        run_more("say \"a\\tb\"\nread mem &answer size 8\nread mem &answer as qwords size 8\n", &told),
        GTS_UNUSABLE);
    assert_int_equal(run_more("say \"words\"\nread mem &answer size 8\nread rcs0.RING_BUFFER_TAIL\n"
                              "data text { \"top\\nend\\0\" }\nread mem &text size 100 as text\n",
                              &told),
                     GTS_CLEAN);
    assert_string_equal(told.text, "8:1: words\n"
                                   "9:1: ggtt:0x1000000 0000002a 00000000\n"
                                   "10:1: rcs0.RING_BUFFER_TAIL = 0x00000010\n"
                                   "12:1: top\n"
                                   "12:1: end\n");
}

/* Two runs of one text say the same. */
static void test_deterministic(void **state)
{
    static struct told a, b;
    (void)state;
    assert_int_equal(run_more("read mem &hello.image size 512\nread mem &rcs0.hwsp size 256\n", &a),
                     GTS_CLEAN);
    assert_int_equal(run_more("read mem &hello.image size 512\nread mem &rcs0.hwsp size 256\n", &b),
                     GTS_CLEAN);
    assert_true(a.at > 1000);
    assert_string_equal(a.text, b.text);
}

/* ---- Devices ---- */

static void on_device(void *user, struct softgt *device)
{
    strcat(user, softgt_info(device)->name);
    strcat(user, " ");
}

static void runs_on(const char *text, const struct gts_options *base, const char *wanted)
{
    char ran[256] = "";
    struct gts_options options = *base;
    options.user = ran;
    options.started = on_device;
    assert_int_equal(gts_run_text("test", text, strlen(text), &options), GTS_CLEAN);
    assert_string_equal(ran, wanted);
}

static void test_every_named_device(void **state)
{
    (void)state;
    const struct gts_options all = {0}, first = {.first_device = true}, other = {.device = "icl"};
    struct told told;
    runs_on("device skl\n", &all, "skl ");
    runs_on("device skl-gt3 snb; say \"x\"\n", &all, "skl-gt3 snb ");
    runs_on("device gen11 skl icl\n", &all, "icl ehl lkf skl ");
    runs_on("device gen6\n", &first, "snb ");
    runs_on("device gen6\n", &other, "icl ");
    /* The failure of one device is told with its name, and ends nothing. */
    assert_int_equal(run("device gen9\nexpect FUSE2 & 0x4000000 = 0\n", &told), GTS_FAILED);
    assert_int_equal(told.failures, 1);
}

TEST_PROGRAM(gts_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_assembles, make_device, end_device),
        cmocka_unit_test_setup_teardown(test_names_match_loosely, make_device, end_device),
        cmocka_unit_test_setup_teardown(test_length_rule, make_device, end_device),
        cmocka_unit_test_setup_teardown(test_raw_and_expressions, make_device, end_device),
        cmocka_unit_test_setup_teardown(test_labels, make_device, end_device),
        cmocka_unit_test_setup_teardown(test_every_row_comes_back, make_device, end_device),
        cmocka_unit_test_setup_teardown(test_any_dwords_come_back, make_device, end_device),
        cmocka_unit_test_setup_teardown(test_says_names, make_device, end_device),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_many_address_spaces),
        cmocka_unit_test(test_mistakes_are_all_told),
        cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_failures_are_all_told),
        cmocka_unit_test(test_unexpected_complaint_fails),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_every_named_device),
    };
    return cmocka_run_group_tests_name("gts", tests, NULL, NULL);
}
