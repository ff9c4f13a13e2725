/* Error states, written here line by line as Linux writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "../suite.h"
#include "commands/commands.h"
#include "hang/first_look.h"
#include "hang/replay.h"

#include "../rows_device.h"

enum { LIMIT = 1 << 20, NOOP = 0, END = 0x0a << 23, START = 0x31 << 23 | 1 << 8 | 1, SECOND_LEVEL = 1 << 22 };
enum { WAIT = 0x1c << 23 | 1 << 15 | 4 << 12 | 2 };

struct rig {
    struct text text;
    struct error_state state;
    struct command_set set;
    struct text listing;
};

static void line(struct rig *r, const char *text)
{
    text_string(&r->text, text);
    text_char(&r->text, '\n');
}

/* A word as Linux writes it: lib/ascii85. */
static void ascii85(struct rig *r, const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 4) {
        uint32_t word;
        char digits[6] = "";
        memcpy(&word, (const char *)data + at, 4);
        for (int i = 5; i--; word /= 85)
            digits[i] = (char)('!' + word % 85);
        text_string(&r->text, strcmp(digits, "!!!!!") == 0 ? "z" : digits);
    }
}

static void raw(struct rig *r, const char *name, const uint32_t *dw, size_t count)
{
    line(r, name);
    text_char(&r->text, '~');
    ascii85(r, dw, count * 4);
    line(r, "");
}

static bool parse(struct rig *r)
{
    return error_state_parse(&r->state, r->text.bytes, r->text.length, LIMIT);
}

static void finish(struct rig *r)
{
    error_state_free(&r->state);
    text_free(&r->text);
    text_free(&r->listing);
    if (r->set.rows)
        command_set_destroy(&r->set);
    *r = (struct rig){0};
}

static void skylake_lines(struct rig *r)
{
    line(r, "GPU HANG: ecode 9:1:fffffffe, in a [b] c [12]");
    line(r, "Kernel: 6.12.1 x86_64");
    line(r, "Active process (on ring rcs0): a [b] c [12]");
    line(r, "PCI ID: 0x1912");
    line(r, "FAULT_TLB_DATA: 0x00000013 0x00045678");
    line(r, "rcs0 command stream:");
    line(r, "  START: 0x00010000");
    line(r, "  HEAD:  0x00400008 [0x00000000]");
    line(r, "  TAIL:  0x00000018 [0x00000010, 0x00000018]");
}

static void test_registers(void **state)
{
    struct rig r = {0};
    uint64_t value;
    (void)state;
    skylake_lines(&r);
    line(&r, "  ACTHD: 0x00000001 00002004");
    line(&r, "  ROW_INSTDONE[1][2]: 0xfffffffe");
    line(&r, "  BBADDR: 0x00000001_00002005");
    line(&r, "  RC PSMI: 0x00000005");
    line(&r, "  PDP3: 0x0000000123456000");
    line(&r, "  hung: 1");
    line(&r, "  Active context: x[1] prio 0, guilty 1 active 0, runtime total 0ns, avg 0ns");
    assert_true(parse(&r));
    assert_int_equal(r.state.problem_count, 0);
    assert_int_equal(r.state.pci_id, 0x1912);
    assert_string_equal(r.state.process, "a [b] c");
    const struct error_engine *const e = error_state_engine(&r.state, "rcs0");
    assert_non_null(e);
    assert_true(e->hung && e->is_guilty && e->request.is_known);
    assert_string_equal(e->process, "a [b] c");
    assert_int_equal(e->pid, 12);
    assert_int_equal(e->request.postfix, 0x10);
    assert_int_equal(e->request.tail, 0x18);
    assert_true(error_register_value(e, "ACTHD", &value));
    assert_int_equal(value, UINT64_C(0x100002004));
    assert_true(error_register_value(e, "BB_ADDR", &value));
    assert_int_equal(value, UINT64_C(0x100002005));
    assert_true(error_register_value(e, "RING_BUFFER_HEAD", &value));
    assert_int_equal(value, 0x400008);
    assert_true(error_register_value(e, "RC_PSMI_CONTROL", &value));
    assert_true(error_register_value(&r.state.global, "FAULT_TLB_DATA", &value));
    assert_int_equal(value, UINT64_C(0x1300045678));
    const struct error_register *const row = error_register_find(e, "ROW_INSTDONE");
    assert_int_equal(row->index[0], 1);
    assert_int_equal(row->index[1], 2);
    assert_int_equal(row->line, 11);
    finish(&r);
}

/* The GuC's capture: halves of pairs, groups, registers without a name. */
static void test_guc_capture(void **state)
{
    struct rig r = {0};
    uint64_t value;
    (void)state;
    line(&r, "global --- GuC Error Capture on ccs1 command stream:");
    line(&r, "    Coverage:  full-capture");
    line(&r, "      ACTHD_LDW:  0x00002000");
    line(&r, "      ACTHD_UDW:  0x00000001");
    line(&r, "      REG-0x0000209c:  0x00000200");
    line(&r, "  hung: 1");
    assert_true(parse(&r));
    const struct error_engine *const e = error_state_engine(&r.state, "ccs1");
    assert_non_null(e);
    assert_true(error_register_value(e, "ACTHD", &value));
    assert_int_equal(value, UINT64_C(0x100002000));
    assert_int_equal(e->register_count, 3);
    assert_int_equal(r.state.problem_count, 0);
    finish(&r);
}

/* Linux 4.x and earlier: other names, dwords by line. */
static void test_old_forms(void **state)
{
    struct rig r = {0};
    uint32_t dw;
    (void)state;
    line(&r, "GPU HANG: ecode 6:0:0xf288ffec, in ffmpeg [3825], reason: Hang on rcs0, action: reset");
    line(&r, "PCI ID: 0x0126");
    line(&r, "render command stream:");
    line(&r, "  ACTHD: 0x00000000 00002008");
    line(&r, "render ring (submitted by ffmpeg [3825]) --- gtt_offset = 0x00000000 00002000");
    line(&r, "00000000 :  00000000");
    line(&r, "00000004 :  7a000003");
    line(&r, "blitter ring --- 1 requests");
    line(&r, "bsd ring --- ringbuffer = 0x00009000");
    line(&r, "00000000 :  05000000");
    assert_true(parse(&r));
    assert_int_equal(r.state.problem_count, 0);
    assert_int_equal(r.state.engine_count, 2);
    assert_string_equal(r.state.engines[0].name, "rcs0");
    assert_true(r.state.engines[0].hung);
    assert_string_equal(r.state.engines[0].process, "ffmpeg");
    assert_int_equal(r.state.buffer_count, 2);
    assert_string_equal(r.state.buffers[0].name, "batch");
    assert_true(error_state_read(&r.state, 0, ERROR_PPGTT, 0x2004, &dw, 4));
    assert_int_equal(dw, 0x7a000003);
    assert_false(error_state_read(&r.state, 0, ERROR_PPGTT, 0x2008, &dw, 4));
    assert_string_equal(r.state.buffers[1].name, "ring");
    assert_true(error_state_read(&r.state, 1, ERROR_GGTT, 0x9000, &dw, 4));
    finish(&r);
}

static void test_compressed_data(void **state)
{
    enum { WORDS = 2048 };
    static uint32_t words[WORDS], packed[WORDS];
    struct rig r = {0};
    uint32_t dw;
    uLongf bytes = sizeof packed;
    (void)state;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i * 0x1000193u;
    assert_int_equal(compress((Bytef *)packed, &bytes, (const Bytef *)words, sizeof words), Z_OK);
    for (int cut = 0; cut < 2; cut++) {
        line(&r, "rcs0 --- user = 0x00000001 00002000");
        text_char(&r.text, ':');
        ascii85(&r, packed, cut ? bytes / 2 : bytes);
        line(&r, "");
        assert_true(parse(&r));
        assert_true(error_state_read(&r.state, 0, ERROR_PPGTT, UINT64_C(0x100002010), &dw, 4));
        assert_int_equal(dw, words[4]);
        assert_int_equal(r.state.problem_count, cut);
        assert_int_equal(r.state.buffers[0].is_cut, cut);
        if (cut) {
            assert_int_equal(r.state.problems[0].line, 2);
            assert_non_null(strstr(r.state.problems[0].text, "the zlib stream is cut"));
            assert_in_range(r.state.buffers[0].size_bytes, 64, sizeof words - 64);
        } else {
            assert_int_equal(r.state.buffers[0].size_bytes, sizeof words);
        }
        finish(&r);
    }
}

/* A small stream can hold any number of bytes. */
static void test_data_are_bounded(void **state)
{
    enum { BYTES = 16 << 20 };
    struct rig r = {0};
    uint8_t *const zeros = calloc(1, BYTES), *const packed = calloc(1, BYTES);
    uLongf bytes = BYTES;
    (void)state;
    assert_int_equal(compress(packed, &bytes, zeros, BYTES), Z_OK);
    for (int i = 0; i < 3; i++) {
        line(&r, "rcs0 --- user = 0x00000001 00002000");
        text_char(&r.text, ':');
        ascii85(&r, packed, bytes);
        line(&r, "");
    }
    free(zeros);
    free(packed);
    assert_true(parse(&r));
    uint64_t all = 0;
    for (unsigned i = 0; i < r.state.buffer_count; i++)
        all += r.state.buffers[i].size_bytes;
    assert_in_range(all, 1, LIMIT);
    assert_int_equal(r.state.problem_count, 3);
    assert_non_null(strstr(r.state.problems[0].text, "--memory"));
    finish(&r);
}

static void test_bad_data_keep_what_is_before(void **state)
{
    static const struct {
        const char *line, *why;
        size_t kept;
    } cases[] = {
        {"~zzzz#", "inside a word", 16},
        {"~zz\x7f", "no ascii85", 8},
        {"~zuuuuu", "more than 32 bits", 4},
        {":zzz", "damaged", 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r = {0};
        line(&r, "rcs0 --- batch = 0x00000000 00002000");
        line(&r, cases[i].line);
        line(&r, "PCI ID: 0x1912");
        assert_true(parse(&r));
        assert_int_equal(r.state.problem_count, 1);
        assert_int_equal(r.state.problems[0].line, 2);
        assert_non_null(strstr(r.state.problems[0].text, cases[i].why));
        assert_int_equal(r.state.buffers[0].size_bytes, cases[i].kept);
        assert_true(r.state.has_pci_id);
        finish(&r);
    }
}

static void test_file_that_ends_early(void **state)
{
    struct rig r = {0};
    (void)state;
    skylake_lines(&r);
    text_string(&r.text, "  IPEHR: 0x7a00");
    assert_true(parse(&r));
    assert_int_equal(r.state.problem_count, 1);
    assert_int_equal(r.state.problems[0].line, 10);
    assert_non_null(strstr(r.state.problems[0].text, "ends inside a line"));
    finish(&r);
    line(&r, "hello");
    assert_false(parse(&r));
    assert_int_equal(r.state.problem_count, 1);
    finish(&r);
    assert_false(error_state_parse(&r.state, "", 0, LIMIT));
    assert_false(error_state_parse(&r.state, "\x7f\x45\x4c\x46\0\0", 6, LIMIT));
}

static void coredump(struct rig *r)
{
    line(r, "**** Xe Device Coredump ****");
    line(r, "Reason: Timedout job");
    line(r, "Process: xe_exec [152]");
    line(r, "PCI ID: 0x56a0");
    line(r, "");
    line(r, "**** Contexts ****");
    line(r, "GuC ID: 2");
    line(r, "\tClass: 3");
    line(r, "\tLogical mask: 0x2");
    line(r, "\tHW Context Desc: 0x006c4000");
    line(r, "\t[HWCTX].length: 0x8");
    line(r, "");
    line(r, "\t[HWCTX].replay_offset: 0x0");
    line(r, "\t[HWCTX].data: z!!!!\"");
    line(r, "**** Job ****");
    line(r, "batch_addr[0]: 0xffff800000002000");
    line(r, "**** HW Engines ****");
    line(r, "bcs1 (physical), logical instance=1");
    line(r, "\tACTHD: 0x0000800000002004");
    line(r, "\tRING_BBADDR: 0x0000800000002005");
    line(r, "**** VM state ****");
}

static void test_devcoredump(void **state)
{
    struct rig r = {0};
    uint32_t dw;
    (void)state;
    coredump(&r);
    line(&r, "[ffff800000002000].length: 0x10");
    line(&r, "[ffff800000002000].properties: read_write|bo|mem_region=0x1|pat_index=0|cpu_caching=0");
    line(&r, "[ffff800000002000].data: zz"); /* the rest on a line of its own */
    line(&r, "z!!!!#");
    line(&r, "[800000004000].length: 0x1000");
    line(&r, "[800000004000].error: -14");
    assert_true(parse(&r));
    assert_int_equal(r.state.problem_count, 0);
    assert_int_equal(r.state.driver, ERROR_DRIVER_XE);
    assert_int_equal(r.state.engine_count, 1);
    assert_true(r.state.engines[0].hung);
    assert_int_equal(r.state.batch[0], UINT64_C(0x800000002000));
    assert_true(error_state_read(&r.state, 0, ERROR_PPGTT, UINT64_C(0x80000000200c), &dw, 4));
    assert_int_equal(dw, 2);
    assert_true(error_state_read(&r.state, 0, ERROR_GGTT, 0x6c5004, &dw, 4)); /* behind the status page */
    assert_int_equal(dw, 1);
    assert_false(error_state_read(&r.state, 0, ERROR_PPGTT, UINT64_C(0x800000004000), &dw, 4));
    finish(&r);
}

static void test_short_mapping_is_a_problem(void **state)
{
    struct rig r = {0};
    (void)state;
    coredump(&r);
    line(&r, "[2000].length: 0x10");
    line(&r, "[2000].data: zz");
    line(&r, "[3000].length: 0x4");
    line(&r, "[3000].data: z");
    assert_true(parse(&r));
    assert_int_equal(r.state.problem_count, 1);
    assert_int_equal(r.state.problems[0].line, 23);
    assert_int_equal(r.state.buffer_count, 3);
    finish(&r);
}

/* ---- Walks ---- */

static void on_stream(void *user, const struct error_stream *s)
{
    struct rig *const r = user;
    char text[64];
    snprintf(text, sizeof text, "%s@%llx%s;", s->kind == ERROR_RING ? "ring" : "batch",
             (unsigned long long)s->address,
             s->is_repeated ? "(again)"
             : s->buffer    ? ""
                            : "(missing)");
    text_string(&r->listing, text);
}

static void on_command(void *user, const struct error_command *c)
{
    struct rig *const r = user;
    char text[96];
    snprintf(text, sizeof text, "%s%s%s%s", c->row ? c->row->name : "unknown", c->is_cut ? "(cut)" : "",
             c->marks & ERROR_AT_ACTHD ? "(ACTHD)" : "", c->marks & ERROR_AT_HEAD ? "(HEAD)" : "");
    text_string(&r->listing, text);
    if (c->count > 1) {
        snprintf(text, sizeof text, "*%llu", (unsigned long long)c->count);
        text_string(&r->listing, text);
    }
    text_char(&r->listing, ';');
}

static struct error_walk walk(struct rig *r)
{
    assert_true(parse(r));
    assert_true(command_set_create(&r->set, command_tables, GEN9));
    struct error_walk w = {.state = &r->state,
                           .set = &r->set,
                           .class = CLASS_RENDER,
                           .budget = 1000,
                           .user = r,
                           .stream = on_stream,
                           .command = on_command};
    error_walk(&w);
    text_char(&r->listing, 0);
    return w;
}

static const uint32_t ring[] = {NOOP, START, 0x2000, 0, NOOP, NOOP, END, END};

static void test_walk_goes_as_the_parser_does(void **state)
{
    static const uint32_t batch[] = {
        START | SECOND_LEVEL, 0x3000, 0, NOOP, NOOP, NOOP, START, 0x4000, 0, END};
    static const uint32_t called[] = {NOOP, END}, chained[] = {START, 0x2000, 0, END};
    struct rig r = {0};
    (void)state;
    skylake_lines(&r);
    line(&r, "  ACTHD: 0x00000000 00002010");
    line(&r, "  BBADDR: 0x00000000_00002011");
    raw(&r, "rcs0 --- ring = 0x00000000 00010000", ring, 8);
    raw(&r, "rcs0 --- batch = 0x00000000 00002000", batch, 10);
    raw(&r, "rcs0 --- user = 0x00000000 00003000", called, 2);
    raw(&r, "rcs0 --- user = 0x00000000 00004000", chained, 4);
    const struct error_walk w = walk(&r);
    assert_string_equal(r.listing.bytes, "ring@10000;MI_NOOP;MI_BATCH_BUFFER_START(HEAD);"
                                         "batch@2000;MI_BATCH_BUFFER_START;"
                                         "batch@3000;MI_NOOP;MI_BATCH_BUFFER_END;"
                                         "MI_NOOP;MI_NOOP(ACTHD);MI_NOOP;MI_BATCH_BUFFER_START;"
                                         "batch@4000;MI_BATCH_BUFFER_START;batch@2000(again);"
                                         "MI_NOOP*2;");
    assert_true(w.at.is_known);
    assert_int_equal(w.at.address, 0x2010);
    assert_int_equal(w.before.address, 0x200c);
    assert_int_equal(w.unknown + w.cut, 0);
    finish(&r);
}

static void test_walk_of_bad_batches(void **state)
{
    static const uint32_t batch[] = {0x1f << 23, WAIT};
    struct rig r = {0};
    (void)state;
    skylake_lines(&r);
    line(&r, "  ACTHD: 0x00000000 00005000");
    raw(&r, "rcs0 --- ring = 0x00000000 00010000", ring, 8);
    raw(&r, "rcs0 --- batch = 0x00000000 00006000", batch, 2);
    const struct error_walk w = walk(&r);
    assert_string_equal(r.listing.bytes, "ring@10000;MI_NOOP;MI_BATCH_BUFFER_START(HEAD);batch@2000(missing);"
                                         "MI_NOOP*2;batch@6000;unknown;MI_SEMAPHORE_WAIT(cut);");
    assert_false(w.at.is_known);
    assert_true(w.acthd_in_batch);
    assert_int_equal(w.unknown, 1);
    assert_int_equal(w.cut, 1);
    finish(&r);
}

/* The tail wraps around, and ACTHD is in the ring. */
static void test_walk_of_a_wrapped_ring(void **state)
{
    static const uint32_t wrapped[] = {NOOP, 0x02 << 23, END, END, END, END, NOOP, NOOP};
    struct rig r = {0};
    (void)state;
    line(&r, "rcs0 command stream:");
    line(&r, "  HEAD:  0x00000018");
    line(&r, "  TAIL:  0x00000008");
    line(&r, "  ACTHD: 0x00000000 00010004");
    raw(&r, "rcs0 --- ring = 0x00000000 00010000", wrapped, 8);
    const struct error_walk w = walk(&r);
    assert_string_equal(r.listing.bytes,
                        "ring@10018;MI_NOOP(HEAD);MI_NOOP;MI_NOOP;MI_USER_INTERRUPT(ACTHD);");
    assert_int_equal(w.at.address, 0x10004);
    finish(&r);
}

static void test_walk_ends_with_its_budget(void **state)
{
    static const uint32_t batch[] = {NOOP, 2 << 23, NOOP, 2 << 23, END};
    struct rig r = {0};
    (void)state;
    skylake_lines(&r);
    raw(&r, "rcs0 --- batch = 0x00000000 00002000", batch, 5);
    assert_true(parse(&r));
    assert_true(command_set_create(&r.set, command_tables, GEN9));
    struct error_walk w = {.state = &r.state, .set = &r.set, .budget = 3, .user = &r, .command = on_command};
    error_walk(&w);
    assert_true(w.budget_ended);
    text_char(&r.listing, 0);
    assert_string_equal(r.listing.bytes, "MI_NOOP;MI_USER_INTERRUPT;MI_NOOP;");
    finish(&r);
}

static void test_first_look(void **state)
{
    static const uint32_t batch[] = {WAIT, 5, 0x3000, 0, END}, semaphore[] = {7};
    struct rig r = {0};
    struct text look = {0};
    (void)state;
    skylake_lines(&r);
    line(&r, "  ACTHD: 0x00000000 00002000");
    line(&r, "  BBADDR: 0x00000000_00002001");
    line(&r, "  IPEHR: 0x0e00c002");
    line(&r, "  INSTDONE: 0xffdffffa"); /* without CS and VS */
    line(&r, "  FAULT_REG: 0x00000805");
    line(&r, "  hung: 1");
    raw(&r, "rcs0 --- batch = 0x00000000 00002000", batch, 5);
    raw(&r, "rcs0 --- user = 0x00000000 00003000", semaphore, 1);
    const struct error_walk w = walk(&r);
    error_first_look(&look, &w, softgt_register_file(skl));
    text_char(&look, 0);
    static const char *const parts[] = {
        "rcs0 hung in process a [b] c [12].",
        "ACTHD 0x2000 is in the batch at 0x2000, 0 bytes in, at MI_SEMAPHORE_WAIT (0x0e00c002).",
        "IPEHR 0x0e00c002 is MI_SEMAPHORE_WAIT, that command.",
        "It waits for the semaphore at 0x3000: SAD_EQUAL_SDD 0x5; memory has 0x7.",
        "HEAD is 0x8, its TAIL 0x18.",
        "INSTDONE 0xffdffffa: not done are VS, CS.",
        "FAULT_REG 0x00000805: a page fault at 0x300045678000 of the GGTT: ",
        "GTTSEL, Fault Type unloaded directory, Valid.",
    };
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(look.bytes, parts[i]))
            fail_msg("'%s' is not in '%s'", parts[i], look.bytes);
    text_free(&look);
    finish(&r);
}

/* ---- Replays ---- */

enum {
    GPR_0 = 0x2600,
    LOAD_REGISTERS = 0x22 << 23,
    STORE_REGISTER = 0x24 << 23 | 2,
    STORE_DATA = 0x20 << 23 | 1 << 22 | 2
};

static bool replay(struct rig *r, struct hang_result *result)
{
    const struct hang_options options = {
        .state = &r->state, .sheet = sheet_find("skl"), .budget_dw = 100000, .memory_limit_bytes = 64 << 20};
    assert_true(parse(r));
    return hang_replay(&options, result);
}

/* The batch stores a register of the context, then waits, where the engine stood. */
static void test_replay_ends_where_the_engine_stood(void **state)
{
    static const uint32_t batch[] = {STORE_REGISTER, GPR_0, 0x3000, 0, WAIT, 5, 0x3004, 0, END};
    static uint32_t data[] = {0x600d, 7};
    static uint32_t image[1024 + 4] = {[1024] = LOAD_REGISTERS | 1, GPR_0, 0x600d, END};
    static struct hang_result result;
    (void)state;
    for (int other = 0; other < 2; other++) {
        struct rig r = {0};
        skylake_lines(&r);
        line(&r, "  ACTHD: 0x00000000 00002010");
        line(&r, "  BBADDR: 0x00000000_00002011");
        line(&r, other ? "  IPEHR: 0x00000001" : "  IPEHR: 0x0e00c002");
        line(&r, "  hung: 1");
        data[0] = other ? 0xbad : 0x600d;
        raw(&r, "rcs0 --- batch = 0x00000000 00002000", batch, 9);
        raw(&r, "rcs0 --- user = 0x00000000 00003000", data, 2);
        raw(&r, "rcs0 --- HW context = 0x00000000 00100000", image, 1028);
        assert_true(replay(&r, &result));
        assert_int_equal(result.end, HANG_REACHED);
        assert_false(result.from_ring || result.used_missing);
        assert_int_equal(result.start, 0x2000);
        assert_int_equal(result.difference_count, other);
        assert_int_equal(result.change_count, other);
        if (other) {
            assert_string_equal(result.differences[0].name, "IPEHR");
            assert_int_equal(result.differences[0].in_file, 1);
            assert_int_equal(result.differences[0].here, 0x0e00c002);
            assert_int_equal(result.changes[0].first_address, 0x3000);
            assert_int_equal(result.changes[0].count_dw, 1);
            assert_int_equal(result.changes[0].in_file, 0xbad);
            assert_int_equal(result.changes[0].here, 0x600d);
        }
        finish(&r);
    }
}

static void test_replay_from_the_ring(void **state)
{
    static const uint32_t batch[] = {NOOP, NOOP, 2 << 23, END};
    static const uint32_t stores[] = {STORE_DATA, 0x9000, 0, 1, START, 0x2000, 0, NOOP, NOOP, NOOP};
    static struct hang_result result;
    struct rig r = {0};
    (void)state;
    line(&r, "rcs0 command stream:");
    line(&r, "  START: 0x00010000");
    line(&r, "  HEAD:  0x0000001c [0x00000000]");
    line(&r, "  TAIL:  0x00000020 [0x00000020, 0x00000020]");
    line(&r, "  CTL:   0x00000001");
    line(&r, "  ACTHD: 0x00000000 00002008");
    line(&r, "  BBADDR: 0x00000000_0000200d"); /* the next command */
    raw(&r, "rcs0 --- ring = 0x00000000 00010000", stores, 10);
    raw(&r, "rcs0 --- batch = 0x00000000 00002000", batch, 4);
    assert_true(replay(&r, &result));
    assert_int_equal(result.end, HANG_REACHED);
    assert_true(result.from_ring);
    assert_int_equal(result.start, 0x10000);
    assert_true(result.used_missing); /* the ring's store */
    assert_int_equal(result.difference_count, 0);
    finish(&r);
}

static void test_replay_that_does_not_get_there(void **state)
{
    static const uint32_t ends[] = {NOOP, END}, loops[] = {START, 0x2000, 0, NOOP},
                          waits[] = {WAIT, 5, 0x2000, 0, END}, unknown[] = {0x1f << 23, NOOP};
    static const struct {
        const uint32_t *dw;
        size_t count;
        enum hang_end end;
    } cases[] = {
        {ends, 2, HANG_IDLE}, {loops, 4, HANG_BUDGET}, {waits, 5, HANG_WAITS}, {unknown, 2, HANG_STOPPED}};
    static struct hang_result result;
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r = {0};
        skylake_lines(&r);
        line(&r, "  ACTHD: 0x00000000 00007000");
        line(&r, "  BBADDR: 0x00000000_00007001");
        raw(&r, "rcs0 --- batch = 0x00000000 00002000", cases[i].dw, cases[i].count);
        assert_true(replay(&r, &result));
        assert_int_equal(result.end, cases[i].end);
        assert_false(result.from_ring);
        finish(&r);
    }
}

static void test_replay_of_what_is_not_there(void **state)
{
    static const uint32_t batch[] = {NOOP, END};
    static struct hang_result result;
    struct rig r = {0};
    (void)state;
    skylake_lines(&r);
    assert_false(replay(&r, &result));
    assert_non_null(strstr(result.unusable, "no ring and no batch"));
    finish(&r);
    line(&r, "ccs3 command stream:");
    assert_false(replay(&r, &result));
    assert_non_null(strstr(result.unusable, "does not have the engine"));
    finish(&r);
    skylake_lines(&r); /* the second shares a page with the first, the third is beyond the GGTT */
    raw(&r, "rcs0 --- batch = 0x00000000 00002000", batch, 2);
    raw(&r, "rcs0 --- user = 0x00000000 00002800", batch, 2);
    raw(&r, "rcs0 --- HW Status = 0x00001000 00000000", batch, 2);
    assert_true(replay(&r, &result));
    assert_int_equal(result.left_out, 2);
    finish(&r);
}

TEST_PROGRAM(hang_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_guc_capture),
        cmocka_unit_test(test_old_forms),
        cmocka_unit_test(test_compressed_data),
        cmocka_unit_test(test_data_are_bounded),
        cmocka_unit_test(test_bad_data_keep_what_is_before),
        cmocka_unit_test(test_file_that_ends_early),
        cmocka_unit_test(test_devcoredump),
        cmocka_unit_test(test_short_mapping_is_a_problem),
        cmocka_unit_test(test_walk_goes_as_the_parser_does),
        cmocka_unit_test(test_walk_of_bad_batches),
        cmocka_unit_test(test_walk_of_a_wrapped_ring),
        cmocka_unit_test(test_walk_ends_with_its_budget),
        cmocka_unit_test(test_first_look),
        cmocka_unit_test(test_replay_ends_where_the_engine_stood),
        cmocka_unit_test(test_replay_from_the_ring),
        cmocka_unit_test(test_replay_that_does_not_get_there),
        cmocka_unit_test(test_replay_of_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, open_skl, close_skl);
}
