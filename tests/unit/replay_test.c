/* Traces on a device: what polls and compares say, and how hostile traces end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite.h"
#include "driver/driver.h"
#include "aub/aub.h"
#include "aub/replay.h"

enum { MMIO_BYTES = 8 << 20, GGTT_BYTES = 8 << 20 };
enum { LRCA = 0x2000, RING = 0x8000, BATCH = 0x10000, PML4 = 0x40000, BATCH_PAGE = 0x50000 };

/* ---- Playing ---- */

enum { TOLD = 128 };

static struct {
    struct {
        enum replay_message_kind kind;
        uint64_t offset;
        char text[384];
    } messages[TOLD];
    unsigned count, errors, finished;
    struct replay_result result;
    enum replay_outcome outcome;
} told;

/* Where the packet is that the test is about; set while the trace is written. */
static uint64_t marked;

static void mark(const struct aub_writer *w)
{
    marked = (uint64_t)ftell(w->file);
}

static void on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    assert_ptr_equal(user, &told);
    assert_true(told.count < TOLD);
    told.messages[told.count].kind = kind;
    told.messages[told.count].offset = offset;
    snprintf(told.messages[told.count].text, sizeof told.messages[0].text, "%s", text);
    told.count++;
    told.errors += kind == REPLAY_ERROR;
}

static void on_finished(void *user, struct softgt *device)
{
    assert_ptr_equal(user, &told);
    assert_non_null(device);
    told.finished++;
}

struct trace {
    char *data;
    size_t size;
    struct aub_writer w;
};

static struct aub_writer *begin(struct trace *t)
{
    *t = (struct trace){0};
    assert_true(aub_writer_open(&t->w, NULL, open_memstream(&t->data, &t->size)));
    marked = 0;
    return &t->w;
}

static struct aub_writer *begin_skl(struct trace *t)
{
    struct aub_writer *w = begin(t);
    aub_write_version(w, 0x0c, 0x1912, "test");
    return w;
}

static void play(struct trace *t, size_t cut, const struct replay_options *base)
{
    struct replay_options options = *base;
    memset(&told, 0, sizeof told);
    options.user = &told;
    options.message = on_message;
    options.finished = on_finished;
    told.outcome = replay_memory(t->data, t->size - cut, &options, &told.result);
    if (told.count < 100) /* each error is told, and counted */
        assert_int_equal(told.errors, told.result.errors);
    if (told.outcome == REPLAY_CLEAN)
        assert_int_equal(told.result.errors, 0);
    else
        assert_true(told.result.errors > 0);
}

static const struct replay_options small = {.budget_dw = 100000, .memory_limit_bytes = 4 << 20};

static void end(struct trace *t)
{
    assert_true(aub_writer_close(&t->w));
    play(t, 0, &small);
    free(t->data);
}

static void outcome_is(enum replay_outcome outcome, uint64_t errors)
{
    if (told.outcome != outcome || told.result.errors != errors)
        for (unsigned i = 0; i < told.count; i++)
            print_message("%llx: %s\n", (unsigned long long)told.messages[i].offset, told.messages[i].text);
    assert_int_equal(told.outcome, outcome);
    assert_int_equal(told.result.errors, errors);
}

static void said(enum replay_message_kind kind, uint64_t offset, const char *text)
{
    for (unsigned i = 0; i < told.count; i++)
        if (told.messages[i].kind == kind && told.messages[i].offset == offset &&
            strstr(told.messages[i].text, text))
            return;
    for (unsigned i = 0; i < told.count; i++)
        print_message("%llx: %s\n", (unsigned long long)told.messages[i].offset, told.messages[i].text);
    fail_msg("not said at %#llx: %s", (unsigned long long)offset, text);
}

/* ---- A context ---- */

static void write64(struct aub_writer *w, enum aub_space space, uint64_t at, uint64_t value)
{
    aub_write_memory(w, space, at, &value, 8);
}

static void write32(struct aub_writer *w, enum aub_space space, uint64_t at, uint32_t value)
{
    aub_write_memory(w, space, at, &value, 4);
}

static void write_registers(struct aub_writer *w, const struct driver_writes *writes)
{
    for (unsigned i = 0; i < writes->count; i++) {
        mark(w);
        aub_write_register(w, writes->list[i].offset, 4, UINT64_MAX, writes->list[i].value);
    }
}

/* The GGTT's first megabyte, one to one; a 4-level table that maps graphics address 10000h; `batch` there;
 * ring and image. */
static void write_context(struct aub_writer *w, const uint32_t *batch, size_t batch_dw)
{
    static const uint32_t ring[] = {0x18800101, BATCH, 0, 0};
    const struct driver_ppgtt ppgtt = {.levels = 4, .root = {PML4}};
    const struct driver_context context = {
        .ring = {RING, PAGE_BYTES, 0, sizeof ring}, .control = DRIVER_FRESH_CONTEXT, .ppgtt = &ppgtt};
    struct driver_writes writes = {0};
    uint32_t image[128];
    const uint32_t image_dw = driver_image(&skl_sheet.engines[0], &context, image, 128);
    for (uint64_t page = 0; page < 256; page++)
        write64(w, AUB_GGTT_ENTRY, page * 8, page << 12 | 1);
    write64(w, AUB_PML4_ENTRY, PML4, (PML4 + 0x1000) | 3);
    write64(w, AUB_PDP_ENTRY, PML4 + 0x1000, (PML4 + 0x2000) | 3);
    write64(w, AUB_PD_ENTRY, PML4 + 0x2000, (PML4 + 0x3000) | 3);
    write64(w, AUB_PPGTT_ENTRY, PML4 + 0x3000 + 16 * 8, BATCH_PAGE | 3);
    aub_write_memory(w, AUB_PHYSICAL, BATCH_PAGE, batch, batch_dw * 4);
    aub_write_memory(w, AUB_GGTT, RING, ring, sizeof ring);
    aub_write_memory(w, AUB_GGTT, LRCA + DRIVER_IMAGE_OFFSET, image, image_dw * 4);
    driver_enable_execlists(&writes, &skl_sheet.engines[0]);
    write_registers(w, &writes);
    aub_write_register(w, 0x2080, 4, UINT64_MAX, 0xf000);
}

static void submit(struct aub_writer *w, uint32_t descriptor)
{
    struct driver_writes writes = {0};
    driver_submit(&writes, &skl_sheet.engines[0], descriptor | UINT64_C(7) << 32, 0);
    write_registers(w, &writes);
}

static const uint32_t store_batch[] = {0x10000002, BATCH + 0x100, 0, 0xcafe, 0x05000000};

static void write_store(struct aub_writer *w)
{
    write_context(w, store_batch, 5);
    submit(w, LRCA | 0x339);
}

/* ---- Polls and compares ---- */

static void what_holds_is_clean(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    const uint32_t wanted = 0xcafe, other = 0xbeef;
    write_store(w);
    aub_write_register_poll(w, 0x2234, 4, 0x10, 0, false);
    aub_write_register_poll(w, 0x2080, 4, 0xffff, 0x1234, true);
    aub_write_register_compare(w, 0x2080, 4, 0xf000, 0xf000);
    aub_write_register_compare(w, 0x2081, 1, 0xff, 0xf0);
    aub_write_register_compare(w, 0x2080, 2, 0xffff, 0xf000);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, &wanted, 4, false);
    aub_write_memory_compare(w, AUB_GGTT, BATCH_PAGE + 0x100, &wanted, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, &other, 4, true);
    write64(w, AUB_GGTT_ENTRY, 0x1000, 0x123456789);
    const uint64_t entry = 0x123456789;
    aub_write_memory_compare(w, AUB_GGTT_ENTRY, 0x1000, &entry, 8, false);
    aub_write_comment(w, "a comment");
    aub_write_delay(w, 1000);
    aub_write_frame_begin(w, 1);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.count, 0);
    assert_int_equal(told.finished, 1);
    assert_int_equal(told.result.polls, 2);
    assert_int_equal(told.result.polls_failed, 0);
    assert_int_equal(told.result.compares, 7);
    assert_int_equal(told.result.compares_failed, 0);
    assert_int_equal(told.result.pci_id, 0x1912);
    assert_int_equal(told.result.submissions, 1);
    assert_true(told.result.memory_bytes > 0 && told.result.memory_bytes <= 4 << 20);
    assert_string_equal(told.result.application, "PCI-ID=0x1912 test");
}

static void memory_polls_compare(void **state)
{
    (void)state;
    /* For 5, 6 and 7 against 6: which comparisons hold. */
    static const struct {
        enum aub_compare compare;
        bool holds[3];
    } rules[] = {
        {AUB_EQUAL, {false, true, false}},   {AUB_NOT_EQUAL, {true, false, true}},
        {AUB_LESS, {true, false, false}},    {AUB_LESS_EQUAL, {true, true, false}},
        {AUB_GREATER, {false, false, true}}, {AUB_GREATER_EQUAL, {false, true, true}},
    };
    for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned size = 1; size <= 8; size *= 2) {
                struct trace t;
                struct aub_writer *w = begin_skl(&t);
                write64(w, AUB_PHYSICAL, 0x1000, UINT64_C(0xa0a0a0a0a0a0a0a0) | (5 + k));
                mark(w);
                aub_write_memory_poll(w, AUB_PHYSICAL, 0x1000, size, 0xf, 6, rules[i].compare);
                end(&t);
                assert_int_equal(told.result.polls, 1);
                if (rules[i].holds[k]) {
                    outcome_is(REPLAY_CLEAN, 0);
                } else {
                    outcome_is(REPLAY_FAILED, 1);
                    said(REPLAY_ERROR, marked, "MEM_POLL: 0x1000 stays");
                    assert_int_equal(told.result.polls_failed, 1);
                }
            }
}

static void what_fails_is_named_by_its_offset(void **state)
{
    (void)state;
    const uint32_t other = 0xbeef, same = 0xcafe;
    uint64_t offsets[7];
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_store(w);
    offsets[0] = (uint64_t)ftell(w->file);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, &other, 4, false);
    offsets[1] = (uint64_t)ftell(w->file);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, &same, 4, true);
    offsets[2] = (uint64_t)ftell(w->file);
    aub_write_register_compare(w, 0x2080, 4, UINT64_MAX, 0x1000);
    offsets[3] = (uint64_t)ftell(w->file);
    aub_write_register_poll(w, 0x2080, 4, UINT64_MAX, 0x1000, false);
    offsets[4] = (uint64_t)ftell(w->file);
    aub_write_register_poll(w, 0x2080, 4, UINT64_MAX, 0xf000, true);
    offsets[5] = (uint64_t)ftell(w->file);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, 4, UINT64_MAX, 0, AUB_EQUAL);
    offsets[6] = (uint64_t)ftell(w->file);
    aub_write_memory_compare(w, AUB_GGTT, 0x7000000, &same, 4, false);
    end(&t);
    outcome_is(REPLAY_FAILED, 7);
    said(REPLAY_ERROR, offsets[0], "MEM_CMP: byte at 0x50100 is fe, should be ef");
    said(REPLAY_ERROR, offsets[1], "MEM_CMP: 4 bytes at 0x50100 are equal, should differ");
    said(REPLAY_ERROR, offsets[2], "REG_CMP: register 0x2080 is 0xf000");
    said(REPLAY_ERROR, offsets[3], "REG_POLL: register 0x2080 stays 0xf000");
    said(REPLAY_ERROR, offsets[4], "other than 0xf000 was expected");
    said(REPLAY_ERROR, offsets[5], "MEM_POLL: 0x50100 stays 0xcafe");
    said(REPLAY_ERROR, offsets[6], "GGTT address 0x7000000 (4 bytes) is not mapped");
    assert_int_equal(told.result.compares, 4);
    assert_int_equal(told.result.compares_failed, 4);
    assert_int_equal(told.result.polls, 3);
    assert_int_equal(told.result.polls_failed, 3);
}

/* A large "differs" is a row of packets, all but the last deferred: one difference is enough for all. */
static void deferred_compares_are_one(void **state)
{
    (void)state;
    static uint8_t bytes[3 << 16];
    enum { NOWHERE = sizeof bytes };
    static const size_t differs[] = {5, (1 << 16) + 70, (3 << 16) - 1, NOWHERE};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    for (unsigned i = 0; i < 4; i++) {
        struct trace t;
        struct aub_writer *w = begin_skl(&t);
        aub_write_memory(w, AUB_PHYSICAL, 0x10000, bytes, sizeof bytes);
        aub_write_memory_compare(w, AUB_PHYSICAL, 0x10000, bytes, sizeof bytes, false);
        if (differs[i] != NOWHERE)
            bytes[differs[i]]++;
        aub_write_memory_compare(w, AUB_PHYSICAL, 0x10000, bytes, sizeof bytes, true);
        if (differs[i] != NOWHERE)
            bytes[differs[i]]--;
        const uint64_t last = (uint64_t)ftell(w->file) - (1 << 16) - 20;
        /* What the row found is not carried into the next. */
        mark(w);
        aub_write_memory_compare(w, AUB_PHYSICAL, 0x10000, bytes, 4, true);
        end(&t);
        assert_int_equal(told.result.compares, 7);
        outcome_is(REPLAY_FAILED, differs[i] == NOWHERE ? 2 : 1);
        said(REPLAY_ERROR, marked, "4 bytes at 0x10000 are equal, should differ");
        if (differs[i] == NOWHERE)
            said(REPLAY_ERROR, last, "are equal, should differ");
        assert_int_equal(told.result.compares_failed, told.result.errors);
    }
}

/* ---- Devices ---- */

static void a_trace_must_name_its_device(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin(&t);
    write32(w, AUB_PHYSICAL, 0, 1);
    write32(w, AUB_PHYSICAL, 4, 1);
    end(&t);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, 0, "the trace does not name its PCI id");
    assert_int_equal(told.finished, 0);

    w = begin(&t);
    aub_write_comment(w, "only words");
    end(&t);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, REPLAY_NO_OFFSET, "nothing that a device would do");

    w = begin(&t);
    aub_write_comment(w, "a word before");
    mark(w);
    aub_write_version(w, 0x0c, 0x7121, "i810");
    end(&t);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, marked, "PCI id 7121 (skl) is no device modelled here (--device NAME ");

    /* Without an id its product's device, if there is one. */
    w = begin(&t);
    aub_write_version(w, 0x16, 0, "tgllp");
    write32(w, AUB_PHYSICAL, 0, 1);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    w = begin(&t);
    aub_write_version(w, 0x1d, 0, "dg2");
    write32(w, AUB_PHYSICAL, 0, 1);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);

    w = begin(&t);
    aub_write_version(w, 0x0c, 0x7121, "i810");
    write32(w, AUB_PHYSICAL, 0, 1);
    assert_true(aub_writer_close(w));
    const struct replay_options nowhere = {.device = "i740"}, here = {.device = "skl"};
    play(&t, 0, &nowhere);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, 0, "no device is named 'i740'");
    assert_int_equal(told.finished, 0);
    play(&t, 0, &here); /* what the caller says goes before what the trace says */
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.result.pci_id, 0x7121);
    free(t.data);

    w = begin(&t); /* no header at all */
    write32(w, AUB_PHYSICAL, 0, 1);
    assert_true(aub_writer_close(w));
    play(&t, 0, &here);
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.finished, 1);
    free(t.data);
}

static void an_unreadable_trace_is_played_up_to_there(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_store(w);
    const uint32_t wanted = 0xcafe;
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, &wanted, 4, false);
    mark(w);
    aub_write_register_poll(w, 0x2234, 4, 0x10, 0, false);
    assert_true(aub_writer_close(w));
    play(&t, 3, &small);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, marked, "the file ends inside a packet: 21 of 24 bytes are there");
    assert_int_equal(told.result.compares, 1);
    assert_int_equal(told.result.compares_failed, 0);
    assert_int_equal(told.result.polls, 0);
    assert_int_equal(told.finished, 1);
    play(&t, t.size, &small);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, 0, "the file is empty");
    free(t.data);
    struct replay_result result;
    assert_int_equal(replay_file("/nonexistent/trace.aub", &small, &result), REPLAY_UNUSABLE);
    assert_int_equal(result.errors, 1);
}

/* ---- Hostile traces ---- */

static void a_batch_that_jumps_to_itself(void **state)
{
    (void)state;
    static const uint32_t batch[] = {0x18800101, BATCH, 0, 0};
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, 4);
    submit(w, LRCA | 0x339);
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    said(REPLAY_ERROR, marked, "rcs0 is still busy after 100000 dwords, at graphics address 0x10000");

    /* Each time costs a whole budget: a trace that does it again and again is not run to its end. */
    w = begin_skl(&t);
    write_context(w, batch, 4);
    for (unsigned i = 0; i < 50; i++)
        submit(w, LRCA | 0x339);
    aub_write_register_compare(w, 0x2080, 4, UINT64_MAX, 1);
    end(&t);
    outcome_is(REPLAY_FAILED, 4);
    said(REPLAY_ERROR, told.messages[told.count - 1].offset, "the trace loops too often");
    assert_true(told.messages[told.count - 1].offset < marked);
    assert_int_equal(told.result.compares, 0);

    /* Reset, the engine takes the next, from another page: the loop is still there. */
    w = begin_skl(&t);
    write_context(w, batch, 4);
    submit(w, LRCA | 0x339);
    write64(w, AUB_PPGTT_ENTRY, PML4 + 0x3000 + 17 * 8, (BATCH_PAGE + 0x1000) | 3);
    aub_write_memory(w, AUB_PHYSICAL, BATCH_PAGE + 0x1000, store_batch, sizeof store_batch);
    write32(w, AUB_GGTT, RING + 4, BATCH + 0x1000);
    write32(w, AUB_GGTT, LRCA + 4096 + 5 * 4, 0);
    submit(w, LRCA | 0x339);
    aub_write_register_poll(w, 0x2234, 4, 0x10, 0, false);
    const uint32_t wanted = 0xcafe;
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, &wanted, 4, false);
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    assert_int_equal(told.result.compares, 1);
    assert_int_equal(told.result.submissions, 2);
}

/* A batch that runs past its last page is taken to end there; what called it calls it again. */
static void a_batch_that_calls_what_never_ends(void **state)
{
    (void)state;
    enum { SECOND_LEVEL = 0x18c00101, CHAIN = 0x18800101 };
    static const uint32_t batch[] = {SECOND_LEVEL, BATCH + PAGE_BYTES - 8, 0, CHAIN, BATCH, 0};
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, sizeof batch / 4);
    submit(w, LRCA | 0x339);
    const uint64_t submitted = marked;
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    said(REPLAY_NOTE, submitted, "taken as its end");
    said(REPLAY_ERROR, submitted, "still busy after 100000 dwords");
}

static void tables_that_point_at_themselves(void **state)
{
    (void)state;
    static const uint32_t batch[] = {0x05000000};
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, 1);
    write64(w, AUB_PML4_ENTRY, PML4, PML4 | 3);
    submit(w, LRCA | 0x339); /* 10000h: entry 16 of the PML4, which is empty */
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");

    /* The table is the batch: it stores into itself, so that what it fetches next is its own entries. */
    w = begin_skl(&t);
    write_context(w, batch, 1);
    write64(w, AUB_PML4_ENTRY, PML4, PML4 | 3);
    write64(w, AUB_PML4_ENTRY, PML4 + 16 * 8, PML4 | 3);
    static const uint32_t inside[] = {0x10000002, BATCH + 16 * 8, 0, 0, 0x18800101, BATCH, 0};
    aub_write_memory(w, AUB_PHYSICAL, PML4 + 8, inside, sizeof inside);
    submit(w, LRCA | 0x339);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");

    /* Legacy context of three levels, each directory pointer the same page, which points at itself. */
    w = begin_skl(&t);
    write_context(w, batch, 1);
    for (unsigned i = 0; i < 512; i++)
        write64(w, AUB_PD_ENTRY, PML4 + i * 8, PML4 | 3);
    for (unsigned i = 0; i < 4; i++)
        write32(w, AUB_GGTT, LRCA + 4096 + (0x2d + i * 2) * 4, i % 2 ? PML4 : 0);
    submit(w, LRCA | 0x329);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");
}

static void rings_and_images_that_are_nowhere(void **state)
{
    (void)state;
    static const uint32_t batch[] = {0x05000000};
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, 1);
    write32(w, AUB_GGTT, LRCA + 4096 + 9 * 4, 0x7ffff000); /* RING_BUFFER_START */
    submit(w, LRCA | 0x339);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0: ");
    said(REPLAY_ERROR, marked, "cannot be fetched");

    w = begin_skl(&t); /* ring buffer mode */
    write_context(w, batch, 1);
    aub_write_register(w, 0x229c, 4, UINT64_MAX, 0x80000000);
    aub_write_register(w, 0x2038, 4, UINT64_MAX, 0xfffff000);
    aub_write_register(w, 0x203c, 4, UINT64_MAX, 0x1001);
    mark(w);
    aub_write_register(w, 0x2030, 4, UINT64_MAX, 0x100);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0: ");

    w = begin_skl(&t); /* the context itself */
    write_context(w, batch, 1);
    submit(w, 0x7ffff000 | 0x339);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);

    w = begin_skl(&t); /* a tail past the ring, and a ring whose end is not mapped */
    write_context(w, batch, 1);
    write32(w, AUB_GGTT, LRCA + 4096 + 7 * 4, 0x1ffff8);
    write32(w, AUB_GGTT, LRCA + 4096 + 11 * 4, 0x1ff001);
    submit(w, LRCA | 0x339);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");

    static uint8_t noise[4096];
    uint32_t seed = 1;
    for (unsigned round = 0; round < 40; round++) { /* images of anything */
        w = begin_skl(&t);
        write_context(w, batch, 1);
        for (size_t i = 0; i < sizeof noise; i++) {
            seed = seed * 1664525u + 1013904223u;
            noise[i] = (uint8_t)(seed >> 24);
        }
        aub_write_memory(w, AUB_GGTT, LRCA + 4096 + round % 8 * 4, noise, sizeof noise - 64);
        if (round % 2) /* that begin as one should */
            write32(w, AUB_GGTT, LRCA + 4096 + 4, 0x110010ff);
        submit(w, LRCA | 0x339);
        end(&t);
        assert_true(told.outcome == REPLAY_CLEAN || told.outcome == REPLAY_FAILED);
        assert_int_equal(told.finished, 1);
    }
}

static void tables_and_registers_have_ends(void **state)
{
    (void)state;
    uint64_t offsets[12];
    unsigned n = 0;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
#define AT offsets[n++] = (uint64_t)ftell(w->file)
    write64(w, AUB_GGTT_ENTRY, GGTT_BYTES - 8, 0); /* the last: sound */
    AT, write64(w, AUB_GGTT_ENTRY, GGTT_BYTES, 1);
    AT, write64(w, AUB_GGTT_ENTRY, GGTT_BYTES - 4, 1);
    AT, write64(w, AUB_GGTT_ENTRY, UINT64_MAX - 3, 1);
    aub_write_register(w, MMIO_BYTES - 4, 4, UINT64_MAX, 0); /* no register, but inside */
    AT, aub_write_register(w, MMIO_BYTES, 4, UINT64_MAX, 1);
    AT, aub_write_register(w, MMIO_BYTES - 4, 8, UINT64_MAX, UINT64_MAX);
    AT, aub_write_register(w, 0xffffffff, 1, 0x0f, 1);
    AT, aub_write_register_compare(w, MMIO_BYTES, 4, UINT64_MAX, 0);
    AT, aub_write_register_poll(w, 0xfffffffc, 8, UINT64_MAX, 0, false);
    AT, write32(w, AUB_PPGTT, 0, 1);
    AT, write32(w, AUB_LOCAL, 0, 1);
    AT, write32(w, (enum aub_space)13, 0, 1);
    AT, write32(w, AUB_GGTT, 0x123000, 1);
#undef AT
    const uint64_t nothing = 0; /* none of this reached the table */
    aub_write_memory_compare(w, AUB_GGTT_ENTRY, 0, &nothing, 8, false);
    aub_write_memory_compare(w, AUB_GGTT_ENTRY, GGTT_BYTES - 8, &nothing, 8, false);
    end(&t);
    assert_int_equal(n, 12);
    outcome_is(REPLAY_FAILED, 12);
    for (unsigned i = 0; i < 3; i++)
        said(REPLAY_ERROR, offsets[i], "is past the GGTT's table");
    for (unsigned i = 3; i < 8; i++)
        said(REPLAY_ERROR, offsets[i], "is past the device's 8388608 bytes of registers");
    for (unsigned i = 8; i < 11; i++)
        said(REPLAY_ERROR, offsets[i], "does not exist on this device");
    said(REPLAY_ERROR, offsets[11], "is not mapped");
    assert_int_equal(told.result.compares, 2);
    assert_int_equal(told.result.compares_failed, 0);
}

/* Local memory is beside the bus from the first packet on that writes it; a trace whose writer knew one
 * memory only has it there. Mesa's has as much as the part, Intel's library's 2 GB. */
static void local_memory_of_traces(void **state)
{
    (void)state;
    enum { LOCAL_PAGE = 3, PLACE = 0x5000 };
    const uint32_t seven = 7, eight = 8, zero = 0;
    struct trace t;
    struct aub_writer *w = begin(&t);
    aub_write_version(w, 0x1d, 0x56a0, "one memory");
    write64(w, AUB_GGTT_ENTRY, 8, PLACE | LOCAL_PAGE);
    write32(w, AUB_PHYSICAL, PLACE, seven);
    aub_write_memory_compare(w, AUB_GGTT, 0x1000, &seven, 4, false);
    aub_write_memory_compare(w, AUB_LOCAL, PLACE, &seven, 4, false);
    write32(w, AUB_LOCAL, PLACE + 4, eight);
    aub_write_memory_compare(w, AUB_GGTT, 0x1000, &zero, 4, false);
    aub_write_memory_compare(w, AUB_GGTT, 0x1004, &eight, 4, false);
    aub_write_memory_compare(w, AUB_LOCAL, PLACE, &zero, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, PLACE, &seven, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, PLACE + 4, &zero, 4, false);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.result.compares, 7);

    w = begin(&t);
    aub_write_version(w, 0x1d, 0x56a0, "");
    write32(w, AUB_LOCAL, (256 << 20) - 4, 1);
    mark(w);
    write32(w, AUB_LOCAL, 256 << 20, 1);
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    said(REPLAY_ERROR, marked, "is past the end of local memory");
    for (unsigned i = 0; i < 2; i++) {
        w = begin(&t);
        aub_write_version(w, 0x24, 0, "");
        write32(w, AUB_LOCAL, (UINT64_C(1) << 30) + i * (UINT64_C(1) << 30) - 4, 1);
        mark(w);
        if (i)
            write32(w, AUB_LOCAL, UINT64_MAX - 1, 1);
        end(&t);
        outcome_is(i ? REPLAY_FAILED : REPLAY_CLEAN, i);
    }
    said(REPLAY_ERROR, marked, "is past the end of local memory");

    /* Intel's OpenCL, where it writes the file itself: tables of pages where addresses of 48 bits put them */
    const uint64_t far = 0x41007fff00;
    w = begin(&t);
    aub_write_version(w, 0x24, 0, "NEO");
    write64(w, AUB_GGTT_ENTRY, 8, PLACE | LOCAL_PAGE);
    write32(w, AUB_LOCAL, PLACE, seven);
    write32(w, AUB_LOCAL, far, eight);
    write32(w, AUB_PHYSICAL, PLACE, eight);
    aub_write_memory_compare(w, AUB_GGTT, 0x1000, &seven, 4, false);
    aub_write_memory_compare(w, AUB_LOCAL, far, &eight, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, far, &zero, 4, false);
    /* and what the driver of Linux opens is open */
    const uint64_t opened = 0x7304;
    aub_write_register_compare(w, 0x24d0, 4, UINT32_MAX, opened);
    mark(w);
    write32(w, AUB_LOCAL, UINT64_C(1) << 40, 1);
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    assert_int_equal(told.result.compares, 4);
    assert_int_equal(told.result.compares_failed, 0);
    said(REPLAY_ERROR, marked, "is past the end of local memory");
}

static void memory_has_a_limit(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    for (uint64_t i = 0; i < 64; i++)
        write32(w, AUB_PHYSICAL, i << 16, 1); /* exactly 4 MB */
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.result.memory_bytes, 4 << 20);

    w = begin_skl(&t);
    for (uint64_t i = 0; i < 65; i++) {
        mark(w);
        write32(w, AUB_PHYSICAL, i << 30, 1);
    }
    const uint64_t at = marked;
    for (uint64_t i = 0; i < 200; i++)
        write32(w, AUB_PHYSICAL, i << 20, 1); /* not looked at any more */
    end(&t);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, at, "more than 4 MB of memory are wanted");
    assert_int_equal(told.result.memory_bytes, 4 << 20);

    w = begin_skl(&t); /* through the GGTT */
    for (uint64_t i = 0; i < 70; i++)
        write64(w, AUB_GGTT_ENTRY, i * 8, i << 20 | 1);
    for (uint64_t i = 0; i < 70; i++) {
        if (i == 64)
            mark(w);
        write32(w, AUB_GGTT, i << 12, 1);
    }
    end(&t);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, marked, "more than 4 MB");

    w = begin_skl(&t); /* reads take none */
    static uint8_t zeros[1 << 16];
    for (uint64_t i = 0; i < 100; i++)
        aub_write_memory_compare(w, AUB_PHYSICAL, i << 24, zeros, sizeof zeros, false);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.result.memory_bytes, 0);

    /* A batch stores all over memory: 64 MB in pages of 2 MB, 64 KB apart. */
    static uint32_t batch[512 * 4 + 1];
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t dw[] = {0x10000002, 0x8000000u + (i << 16), 0, i};
        memcpy(batch + i * 4, dw, sizeof dw);
    }
    batch[800] = 0x05000000;
    w = begin_skl(&t);
    write_context(w, batch, 801);
    for (uint64_t i = 0; i < 32; i++)
        write64(w, AUB_PD_ENTRY, PML4 + 0x2000 + (64 + i) * 8, (64 + i) << 21 | 0x83);
    submit(w, LRCA | 0x339);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    assert_int_equal(told.result.memory_bytes, 4 << 20);
}

static void an_engine_that_waits_for_ever(void **state)
{
    (void)state;
    /* MI_SEMAPHORE_WAIT, polling, until the dword at 10200h equals 5. */
    static const uint32_t batch[] = {0x0e00c002, 5, BATCH + 0x200, 0, 0x05000000};
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, 5);
    submit(w, LRCA | 0x339);
    mark(w);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + 0x300, 4, UINT32_MAX, 1, AUB_EQUAL);
    end(&t);
    outcome_is(REPLAY_FAILED, 2);
    said(REPLAY_ERROR, marked, "MEM_POLL: 0x50300 stays 0");
    said(REPLAY_ERROR, REPLAY_NO_OFFSET, "rcs0 did not finish");

    w = begin_skl(&t); /* the trace gives it what it waits for */
    write_context(w, batch, 5);
    submit(w, LRCA | 0x339);
    write32(w, AUB_PHYSICAL, BATCH_PAGE + 0x200, 5);
    aub_write_delay(w, 1000);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
}

static void packets_that_are_no_ones(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    static const uint32_t strange[] = {0xf7000000 | 0x55u << 16 | 1u, 0xdeadbeef};
    static const uint32_t pci_write[] = {0xf7030005, 0x10, 2u << 28 | 2u << 16, 0xffffffff, 0, 1};
    static const uint32_t ignored_poll[] = {0xf7020005, 0x2080, 2u << 16 | 1u << 1, 0xffffffff, 0, 7};
    static const uint32_t unread[] = {0xf7010005, 0x2080, 2u << 16 | 1u, 0xffffffff, 0, 7};
    static const uint32_t crc[] = {0xf7040005, 0, 0, 2u << 28 | 1u << 6, 4, 0x12345678};
    static const uint32_t classic_ring[] = {0xe0c10003, 0x00000202, 0, 0x20000, 8, 0x18800000, 0x10000};
    const uint64_t first = (uint64_t)ftell(w->file);
    fwrite(strange, 1, sizeof strange, w->file);
    const uint64_t second = (uint64_t)ftell(w->file);
    fwrite(pci_write, 1, sizeof pci_write, w->file);
    const uint64_t third = (uint64_t)ftell(w->file);
    fwrite(ignored_poll, 1, sizeof ignored_poll, w->file);
    fwrite(unread, 1, sizeof unread, w->file);
    const uint64_t fourth = (uint64_t)ftell(w->file);
    fwrite(crc, 1, sizeof crc, w->file);
    const uint64_t fifth = (uint64_t)ftell(w->file);
    fwrite(classic_ring, 1, sizeof classic_ring, w->file);
    end(&t);
    outcome_is(REPLAY_FAILED, 2);
    said(REPLAY_ERROR, first, "unknown memtrace packet, skipped");
    said(REPLAY_NOTE, second, "register space 2 is not modelled");
    said(REPLAY_NOTE, third, "REG_POLL: register 0x2080 stays 0");
    said(REPLAY_NOTE, fourth, "CRC is not modelled");
    said(REPLAY_ERROR, fifth, "BLOCK: GGTT address 0x20000 (8 bytes) is not mapped");
    assert_int_equal(told.result.unknown_packets, 1);
    assert_int_equal(told.result.polls_failed, 1);
    assert_int_equal(told.result.compares_failed, 0);
    assert_int_equal(told.result.packets, 7);
}

static void messages_are_bounded_errors_are_counted(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    for (unsigned i = 0; i < 250; i++)
        aub_write_register_compare(w, 0x2080, 4, UINT64_MAX, 0x1000);
    end(&t);
    outcome_is(REPLAY_FAILED, 250);
    assert_int_equal(told.result.compares_failed, 250);
    assert_int_equal(told.count, 101);
    assert_string_equal(told.messages[100].text, "further messages are counted, not shown");
    assert_int_equal(told.messages[100].kind, REPLAY_NOTE);
}

/* The same trace twice is the same run. */
static void runs_repeat(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    static const uint32_t batch[] = {0x12000002, 0x2358, BATCH + 0x100, 0, 0x05000000};
    write_context(w, batch, 5); /* a timestamp */
    submit(w, LRCA | 0x339);
    aub_write_delay(w, 12345);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, 4, UINT32_MAX, 0xffffffff, AUB_EQUAL);
    write32(w, AUB_GGTT, LRCA + 4096 + 5 * 4, 0); /* the ring from its start */
    submit(w, LRCA | 0x339);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + 0x100, 4, UINT32_MAX, 0xffffffff, AUB_EQUAL);
    assert_true(aub_writer_close(w));
    play(&t, 0, &small);
    static char first[TOLD][384];
    const unsigned count = told.count;
    const struct replay_result result = told.result;
    outcome_is(REPLAY_FAILED, 2);
    assert_int_equal(count, 2);
    assert_string_not_equal(told.messages[0].text, told.messages[1].text); /* time went on */
    for (unsigned i = 0; i < count; i++)
        memcpy(first[i], told.messages[i].text, 384);
    play(&t, 0, &small);
    assert_int_equal(told.count, count);
    for (unsigned i = 0; i < count; i++)
        assert_string_equal(told.messages[i].text, first[i]);
    assert_int_equal(told.result.memory_bytes, result.memory_bytes);
    assert_int_equal(told.result.errors, result.errors);
    free(t.data);
}

TEST_PROGRAM(replay_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_is_clean),
        cmocka_unit_test(memory_polls_compare),
        cmocka_unit_test(what_fails_is_named_by_its_offset),
        cmocka_unit_test(deferred_compares_are_one),
        cmocka_unit_test(a_trace_must_name_its_device),
        cmocka_unit_test(an_unreadable_trace_is_played_up_to_there),
        cmocka_unit_test(a_batch_that_jumps_to_itself),
        cmocka_unit_test(a_batch_that_calls_what_never_ends),
        cmocka_unit_test(tables_that_point_at_themselves),
        cmocka_unit_test(rings_and_images_that_are_nowhere),
        cmocka_unit_test(tables_and_registers_have_ends),
        cmocka_unit_test(local_memory_of_traces),
        cmocka_unit_test(memory_has_a_limit),
        cmocka_unit_test(an_engine_that_waits_for_ever),
        cmocka_unit_test(packets_that_are_no_ones),
        cmocka_unit_test(messages_are_bounded_errors_are_counted),
        cmocka_unit_test(runs_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
