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

#include "../rows_device.h"

enum { MMIO_BYTES = 8 << 20, GGTT_BYTES = 8 << 20 };
/* BATCH is a graphics address of the PPGTT, which maps BATCH_PAGE there; the others are bus addresses, and
 * the same in the GGTT. */
enum {
    LRCA = 2 * PAGE_BYTES,
    RING = 8 * PAGE_BYTES,
    BATCH = 16 * PAGE_BYTES,
    PML4 = 64 * PAGE_BYTES,
    POINTERS = PML4 + PAGE_BYTES,
    PD = POINTERS + PAGE_BYTES,
    PT = PD + PAGE_BYTES,
    BATCH_PAGE = 80 * PAGE_BYTES,
    RESULT = 256, /* an offset from BATCH and BATCH_PAGE */
};
enum {
    PTE_PRESENT = 1,
    PTE_WRITABLE = 2,
    PTE = PTE_PRESENT | PTE_WRITABLE,
    PDE_LARGE = 1 << 7,
    LOCAL_PTE = 3
};
enum { RCS = 0x2000 }; /* the base of the render engine's registers */
enum { EXECLIST_STATUS = EXECLIST_SUBMITPORT + 4 };

/* The low dwords of context descriptors: valid, 32 or 48 bits of addresses, coherent, per process. */
enum {
    DESCRIPTOR_COMMON = 1 << 0 | 1 << 5 | 1 << 8 | 1 << 9,
    DESCRIPTOR_32 = DESCRIPTOR_COMMON | 1 << 3,
    DESCRIPTOR_48 = DESCRIPTOR_COMMON | 3 << 3,
};
/* Dwords of the context's image. */
enum { IMAGE_HEADER = 1, IMAGE_HEAD = 5, IMAGE_TAIL = 7, IMAGE_START = 9, IMAGE_CTL = 11, IMAGE_PDP = 45 };
#define IMAGE(dword) (LRCA + DRIVER_IMAGE_OFFSET + (dword)*4)

enum { STORED = 0xcafe, OTHER = 0xbeef }; /* what the batch stores, and another value */
enum { STATUS_PAGE = 15 * PAGE_BYTES };
enum { EXECLIST_ACTIVE = 1 << 4 }; /* of EXECLIST_STATUS */
enum { SKL_ID = 0x1912, I810_ID = 0x7121, DG2_ID = 0x56a0 };

/* Numbers of products in the header of a trace. */
#define SKL_SIMULATOR simulator_id("skl")
#define TGL_SIMULATOR simulator_id("tgl")

/* Of these two, the second is that of Intel's library. */
enum { DG2_SIMULATOR = 0x1d, DG2_SIMULATOR_2 = 0x24 };

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

/* The offset of the tested packet; set while the trace is written. */
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
    aub_write_version(w, SKL_SIMULATOR, SKL_ID, "test");
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
    if (told.count < 100) /* each error is a message, and is counted */
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

#define JUMP "MI_BATCH_BUFFER_START address_space_indicator = PPGTT, batch_buffer_start_address = %u"

static const uint32_t end_batch[] = {0x0a << 23}; /* MI_BATCH_BUFFER_END */

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

/* The GGTT maps the first megabyte to itself, a PPGTT of 4 levels maps BATCH. The batch, a ring that starts
 * it, and the context's image. */
static void write_context(struct aub_writer *w, const uint32_t *batch, size_t batch_dw)
{
    uint32_t ring[4] = {0};
    assemble(skl, 0, ring, JUMP, BATCH);
    const struct driver_ppgtt ppgtt = {.levels = 4, .root = {PML4}};
    const struct driver_context context = {
        .ring = {RING, PAGE_BYTES, 0, sizeof ring}, .control = DRIVER_FRESH_CONTEXT, .ppgtt = &ppgtt};
    struct driver_writes writes = {0};
    uint32_t image[128];
    const uint32_t image_dw = driver_image(&skl_sheet.engines[0], &context, image, 128);
    for (uint64_t page = 0; page < 256; page++)
        write64(w, AUB_GGTT_ENTRY, page * 8, page * PAGE_BYTES | PTE_PRESENT);
    write64(w, AUB_PML4_ENTRY, PML4, POINTERS | PTE);
    write64(w, AUB_PDP_ENTRY, POINTERS, PD | PTE);
    write64(w, AUB_PD_ENTRY, PD, PT | PTE);
    write64(w, AUB_PPGTT_ENTRY, PT + BATCH / PAGE_BYTES * 8, BATCH_PAGE | PTE);
    aub_write_memory(w, AUB_PHYSICAL, BATCH_PAGE, batch, batch_dw * 4);
    aub_write_memory(w, AUB_GGTT, RING, ring, sizeof ring);
    aub_write_memory(w, AUB_GGTT, LRCA + DRIVER_IMAGE_OFFSET, image, image_dw * 4);
    driver_enable_execlists(&writes, &skl_sheet.engines[0]);
    write_registers(w, &writes);
    aub_write_register(w, RCS + HWS_PGA, 4, UINT64_MAX, STATUS_PAGE);
}

static void submit(struct aub_writer *w, uint32_t descriptor)
{
    struct driver_writes writes = {0};
    driver_submit(&writes, &skl_sheet.engines[0], descriptor | UINT64_C(7) << 32, 0);
    write_registers(w, &writes);
}

enum { STORE_DW = 5 };

static void assemble_store(uint32_t batch[STORE_DW])
{
    assert_int_equal(assemble(skl, 0, batch,
                              "MI_STORE_DATA_IMM address = %u, immediate_data = %u\n"
                              "MI_BATCH_BUFFER_END",
                              BATCH + RESULT, STORED),
                     STORE_DW);
}

static void write_store(struct aub_writer *w)
{
    uint32_t batch[STORE_DW];
    assemble_store(batch);
    write_context(w, batch, STORE_DW);
    submit(w, LRCA | DESCRIPTOR_48);
}

/* ---- Polls and compares ---- */

static void what_holds_is_clean(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    const uint32_t wanted = STORED, other = OTHER;
    write_store(w);
    aub_write_register_poll(w, RCS + EXECLIST_STATUS, 4, EXECLIST_ACTIVE, 0, false);
    aub_write_register_poll(w, RCS + HWS_PGA, 4, UINT16_MAX, 1234, true);
    aub_write_register_compare(w, RCS + HWS_PGA, 4, STATUS_PAGE, STATUS_PAGE);
    aub_write_register_compare(w, RCS + HWS_PGA + 1, 1, UINT8_MAX, STATUS_PAGE >> 8);
    aub_write_register_compare(w, RCS + HWS_PGA, 2, UINT16_MAX, STATUS_PAGE);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, &wanted, 4, false);
    aub_write_memory_compare(w, AUB_GGTT, BATCH_PAGE + RESULT, &wanted, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, &other, 4, true);
    const uint64_t entry = UINT64_C(123456789);
    write64(w, AUB_GGTT_ENTRY, 512 * 8, entry);
    aub_write_memory_compare(w, AUB_GGTT_ENTRY, 512 * 8, &entry, 8, false);
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
    assert_int_equal(told.result.pci_id, SKL_ID);
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
                write64(w, AUB_PHYSICAL, PAGE_BYTES, UINT64_MAX / 255 * 0xa0 | (5 + k));
                mark(w);
                aub_write_memory_poll(w, AUB_PHYSICAL, PAGE_BYTES, size, 0xf, 6, rules[i].compare);
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
    const uint32_t other = OTHER, same = STORED;
    uint64_t offsets[7];
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_store(w);
    offsets[0] = (uint64_t)ftell(w->file);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, &other, 4, false);
    offsets[1] = (uint64_t)ftell(w->file);
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, &same, 4, true);
    offsets[2] = (uint64_t)ftell(w->file);
    aub_write_register_compare(w, RCS + HWS_PGA, 4, UINT64_MAX, PAGE_BYTES);
    offsets[3] = (uint64_t)ftell(w->file);
    aub_write_register_poll(w, RCS + HWS_PGA, 4, UINT64_MAX, PAGE_BYTES, false);
    offsets[4] = (uint64_t)ftell(w->file);
    aub_write_register_poll(w, RCS + HWS_PGA, 4, UINT64_MAX, STATUS_PAGE, true);
    offsets[5] = (uint64_t)ftell(w->file);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, 4, UINT64_MAX, 0, AUB_EQUAL);
    offsets[6] = (uint64_t)ftell(w->file);
    aub_write_memory_compare(w, AUB_GGTT, 112 << 20, &same, 4, false);
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

/* A large "differs" is several packets, of which all but the last are deferred: one difference satisfies all.
 */
static void deferred_compares_are_one(void **state)
{
    (void)state;
    static uint8_t bytes[3 << 16];
    enum { NOWHERE = sizeof bytes, PLACE = 64 << 10 };
    static const size_t differs[] = {5, (1 << 16) + 70, (3 << 16) - 1, NOWHERE};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    for (unsigned i = 0; i < 4; i++) {
        struct trace t;
        struct aub_writer *w = begin_skl(&t);
        aub_write_memory(w, AUB_PHYSICAL, PLACE, bytes, sizeof bytes);
        aub_write_memory_compare(w, AUB_PHYSICAL, PLACE, bytes, sizeof bytes, false);
        if (differs[i] != NOWHERE)
            bytes[differs[i]]++;
        aub_write_memory_compare(w, AUB_PHYSICAL, PLACE, bytes, sizeof bytes, true);
        if (differs[i] != NOWHERE)
            bytes[differs[i]]--;
        const uint64_t last = (uint64_t)ftell(w->file) - (1 << 16) - 20;
        /* The result of one compare has no effect on the next. */
        mark(w);
        aub_write_memory_compare(w, AUB_PHYSICAL, PLACE, bytes, 4, true);
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
    aub_write_version(w, SKL_SIMULATOR, I810_ID, "i810");
    end(&t);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, marked, "PCI id 7121 (skl) is no device modelled here (--device NAME ");

    /* Without an id its product's device, if there is one. */
    w = begin(&t);
    aub_write_version(w, TGL_SIMULATOR, 0, "tgllp");
    write32(w, AUB_PHYSICAL, 0, 1);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    w = begin(&t);
    aub_write_version(w, DG2_SIMULATOR, 0, "dg2");
    write32(w, AUB_PHYSICAL, 0, 1);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);

    w = begin(&t);
    aub_write_version(w, SKL_SIMULATOR, I810_ID, "i810");
    write32(w, AUB_PHYSICAL, 0, 1);
    assert_true(aub_writer_close(w));
    const struct replay_options nowhere = {.device = "i740"}, here = {.device = "skl"};
    play(&t, 0, &nowhere);
    outcome_is(REPLAY_UNUSABLE, 1);
    said(REPLAY_ERROR, 0, "no device is named 'i740'");
    assert_int_equal(told.finished, 0);
    play(&t, 0, &here); /* the caller's device overrides the trace's */
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.result.pci_id, I810_ID);
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
    const uint32_t wanted = STORED;
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, &wanted, 4, false);
    mark(w);
    aub_write_register_poll(w, RCS + EXECLIST_STATUS, 4, EXECLIST_ACTIVE, 0, false);
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
    uint32_t batch[4] = {0}, store[STORE_DW];
    assemble(skl, 0, batch, JUMP, BATCH);
    assemble_store(store);
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, 4);
    submit(w, LRCA | DESCRIPTOR_48);
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    said(REPLAY_ERROR, marked, "rcs0 is still busy after 100000 dwords, at graphics address 0x10000");

    /* Each submission uses a whole budget. A trace that submits many times is not run to its end. */
    w = begin_skl(&t);
    write_context(w, batch, 4);
    for (unsigned i = 0; i < 50; i++)
        submit(w, LRCA | DESCRIPTOR_48);
    aub_write_register_compare(w, RCS + HWS_PGA, 4, UINT64_MAX, 1);
    end(&t);
    outcome_is(REPLAY_FAILED, 4);
    said(REPLAY_ERROR, told.messages[told.count - 1].offset, "the trace loops too often");
    assert_true(told.messages[told.count - 1].offset < marked);
    assert_int_equal(told.result.compares, 0);

    /* The engine is reset and runs the next submission from another page; the loop stays in memory. */
    w = begin_skl(&t);
    write_context(w, batch, 4);
    submit(w, LRCA | DESCRIPTOR_48);
    write64(w, AUB_PPGTT_ENTRY, PT + (BATCH / PAGE_BYTES + 1) * 8, (BATCH_PAGE + PAGE_BYTES) | PTE);
    aub_write_memory(w, AUB_PHYSICAL, BATCH_PAGE + PAGE_BYTES, store, sizeof store);
    write32(w, AUB_GGTT, RING + 4, BATCH + PAGE_BYTES);
    write32(w, AUB_GGTT, IMAGE(IMAGE_HEAD), 0);
    submit(w, LRCA | DESCRIPTOR_48);
    aub_write_register_poll(w, RCS + EXECLIST_STATUS, 4, EXECLIST_ACTIVE, 0, false);
    const uint32_t wanted = STORED;
    aub_write_memory_compare(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, &wanted, 4, false);
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    assert_int_equal(told.result.compares, 1);
    assert_int_equal(told.result.submissions, 2);
}

/* A batch that runs past its last page ends there. Its caller calls it again. */
static void a_batch_that_calls_what_never_ends(void **state)
{
    (void)state;
    uint32_t batch[6];
    assemble(skl, 0, batch, JUMP ", second_level_batch_buffer = 1\n" JUMP, BATCH + PAGE_BYTES - 8, BATCH);
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, sizeof batch / 4);
    submit(w, LRCA | DESCRIPTOR_48);
    const uint64_t submitted = marked;
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    said(REPLAY_NOTE, submitted, "taken as its end");
    said(REPLAY_ERROR, submitted, "still busy after 100000 dwords");
}

static void tables_that_point_at_themselves(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, end_batch, 1);
    write64(w, AUB_PML4_ENTRY, PML4, PML4 | PTE);
    submit(w, LRCA | DESCRIPTOR_48); /* BATCH: entry 16 of the PML4, which is empty */
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");

    /* The table is the batch: it stores into itself, so that what it fetches next is its own entries. */
    w = begin_skl(&t);
    write_context(w, end_batch, 1);
    write64(w, AUB_PML4_ENTRY, PML4, PML4 | PTE);
    write64(w, AUB_PML4_ENTRY, PML4 + 16 * 8, PML4 | PTE);
    uint32_t inside[7];
    assemble(skl, 0, inside, "MI_STORE_DATA_IMM address = %u\n" JUMP, BATCH + 16 * 8, BATCH);
    aub_write_memory(w, AUB_PHYSICAL, PML4 + 8, inside, sizeof inside);
    submit(w, LRCA | DESCRIPTOR_48);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");

    /* Legacy context of three levels, each directory pointer the same page, which points at itself. */
    w = begin_skl(&t);
    write_context(w, end_batch, 1);
    for (unsigned i = 0; i < 512; i++)
        write64(w, AUB_PD_ENTRY, PML4 + i * 8, PML4 | PTE);
    for (unsigned i = 0; i < 4; i++)
        write32(w, AUB_GGTT, IMAGE(IMAGE_PDP + i * 2), i % 2 ? PML4 : 0);
    submit(w, LRCA | DESCRIPTOR_32);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");
}

static void rings_and_images_that_are_nowhere(void **state)
{
    (void)state;
    enum { NOWHERE = INT32_MAX - PAGE_BYTES + 1, RING_ENABLE = 1 };
    const uint32_t header = 0x11001000 | 0xff; /* MI_LOAD_REGISTER_IMM of the longest length */
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, end_batch, 1);
    write32(w, AUB_GGTT, IMAGE(IMAGE_START), NOWHERE);
    submit(w, LRCA | DESCRIPTOR_48);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0: ");
    said(REPLAY_ERROR, marked, "cannot be fetched");

    w = begin_skl(&t); /* ring buffer mode */
    write_context(w, end_batch, 1);
    aub_write_register(w, RCS + GFX_MODE, 4, UINT64_MAX, 1u << (15 + 16)); /* no execlists */
    aub_write_register(w, RCS + RING_BUFFER_START, 4, UINT64_MAX, UINT32_MAX - PAGE_BYTES + 1);
    aub_write_register(w, RCS + RING_BUFFER_CTL, 4, UINT64_MAX, PAGE_BYTES | RING_ENABLE);
    mark(w);
    aub_write_register(w, RCS + RING_BUFFER_TAIL, 4, UINT64_MAX, 256);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0: ");

    w = begin_skl(&t); /* the context itself */
    write_context(w, end_batch, 1);
    submit(w, NOWHERE | DESCRIPTOR_48);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);

    w = begin_skl(&t); /* a tail past the ring, and a ring whose end is not mapped */
    write_context(w, end_batch, 1);
    write32(w, AUB_GGTT, IMAGE(IMAGE_TAIL), (2 << 20) - 8);
    write32(w, AUB_GGTT, IMAGE(IMAGE_CTL), ((2 << 20) - PAGE_BYTES) | RING_ENABLE);
    submit(w, LRCA | DESCRIPTOR_48);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    said(REPLAY_ERROR, marked, "rcs0");

    static uint8_t noise[PAGE_BYTES];
    uint32_t seed = 1;
    for (unsigned round = 0; round < 40; round++) { /* random images */
        w = begin_skl(&t);
        write_context(w, end_batch, 1);
        for (size_t i = 0; i < sizeof noise; i++) {
            seed = seed * 1664525u + 1013904223u;
            noise[i] = (uint8_t)(seed >> 24);
        }
        aub_write_memory(w, AUB_GGTT, IMAGE(round % 8), noise, sizeof noise - 64);
        if (round % 2) /* with the header of a valid one */
            write32(w, AUB_GGTT, IMAGE(IMAGE_HEADER), header);
        submit(w, LRCA | DESCRIPTOR_48);
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
    AT, aub_write_register(w, UINT32_MAX, 1, 0x0f, 1);
    AT, aub_write_register_compare(w, MMIO_BYTES, 4, UINT64_MAX, 0);
    AT, aub_write_register_poll(w, UINT32_MAX - 3, 8, UINT64_MAX, 0, false);
    AT, write32(w, AUB_PPGTT, 0, 1);
    AT, write32(w, AUB_LOCAL, 0, 1);
    AT, write32(w, (enum aub_space)13, 0, 1);
    AT, write32(w, AUB_GGTT, 291 * PAGE_BYTES, 1);
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

/* A trace has local memory from its first packet that writes it. Without such a packet, bus memory serves
 * both. Traces of Mesa have as much as the product, those of Intel's library 2 GB. */
static void local_memory_of_traces(void **state)
{
    (void)state;
    enum { PLACE = 5 * PAGE_BYTES };
    const uint32_t seven = 7, eight = 8, zero = 0;
    struct trace t;
    struct aub_writer *w = begin(&t);
    aub_write_version(w, DG2_SIMULATOR, DG2_ID, "one memory");
    write64(w, AUB_GGTT_ENTRY, 8, PLACE | LOCAL_PTE);
    write32(w, AUB_PHYSICAL, PLACE, seven);
    aub_write_memory_compare(w, AUB_GGTT, PAGE_BYTES, &seven, 4, false);
    aub_write_memory_compare(w, AUB_LOCAL, PLACE, &seven, 4, false);
    write32(w, AUB_LOCAL, PLACE + 4, eight);
    aub_write_memory_compare(w, AUB_GGTT, PAGE_BYTES, &zero, 4, false);
    aub_write_memory_compare(w, AUB_GGTT, PAGE_BYTES + 4, &eight, 4, false);
    aub_write_memory_compare(w, AUB_LOCAL, PLACE, &zero, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, PLACE, &seven, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, PLACE + 4, &zero, 4, false);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.result.compares, 7);

    w = begin(&t);
    aub_write_version(w, DG2_SIMULATOR, DG2_ID, "");
    write32(w, AUB_LOCAL, (256 << 20) - 4, 1);
    mark(w);
    write32(w, AUB_LOCAL, 256 << 20, 1);
    end(&t);
    outcome_is(REPLAY_FAILED, 1);
    said(REPLAY_ERROR, marked, "is past the end of local memory");
    for (unsigned i = 0; i < 2; i++) {
        w = begin(&t);
        aub_write_version(w, DG2_SIMULATOR_2, 0, "");
        write32(w, AUB_LOCAL, (UINT64_C(1) << 30) + i * (UINT64_C(1) << 30) - 4, 1);
        mark(w);
        if (i)
            write32(w, AUB_LOCAL, UINT64_MAX - 1, 1);
        end(&t);
        outcome_is(i ? REPLAY_FAILED : REPLAY_CLEAN, i);
    }
    said(REPLAY_ERROR, marked, "is past the end of local memory");

    /* Intel's OpenCL, when it writes the file itself: page tables at addresses of 48 bits. */
    const uint64_t far = (UINT64_C(260) << 30) + (8 << 20) - 256;
    w = begin(&t);
    aub_write_version(w, DG2_SIMULATOR_2, 0, "NEO");
    write64(w, AUB_GGTT_ENTRY, 8, PLACE | LOCAL_PTE);
    write32(w, AUB_LOCAL, PLACE, seven);
    write32(w, AUB_LOCAL, far, eight);
    write32(w, AUB_PHYSICAL, PLACE, eight);
    aub_write_memory_compare(w, AUB_GGTT, PAGE_BYTES, &seven, 4, false);
    aub_write_memory_compare(w, AUB_LOCAL, far, &eight, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, far, &zero, 4, false);
    /* Registers that Linux' driver opens to batches are open. */
    const uint64_t opened = 0x7304;
    aub_write_register_compare(w, RCS + FORCE_TO_NONPRIV, 4, UINT32_MAX, opened);
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
        write32(w, AUB_PHYSICAL, i << 20, 1); /* not read any more */
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

    w = begin_skl(&t); /* reads allocate none */
    static uint8_t zeros[1 << 16];
    for (uint64_t i = 0; i < 100; i++)
        aub_write_memory_compare(w, AUB_PHYSICAL, i << 24, zeros, sizeof zeros, false);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
    assert_int_equal(told.result.memory_bytes, 0);

    /* A batch stores all over memory: 64 MB in pages of 2 MB, 64 KB apart. */
    enum { STORES = 200 };
    static uint32_t batch[STORES * 4 + 1];
    for (uint32_t i = 0; i < STORES; i++)
        assemble(skl, 0, batch + i * 4, "MI_STORE_DATA_IMM address = %u, immediate_data = %u",
                 (128u << 20) + (i << 16), i);
    batch[STORES * 4] = end_batch[0];
    w = begin_skl(&t);
    write_context(w, batch, STORES * 4 + 1);
    for (uint64_t i = 0; i < 32; i++)
        write64(w, AUB_PD_ENTRY, PD + (64 + i) * 8, (64 + i) << 21 | PDE_LARGE | PTE);
    submit(w, LRCA | DESCRIPTOR_48);
    end(&t);
    assert_int_equal(told.outcome, REPLAY_FAILED);
    assert_int_equal(told.result.memory_bytes, 4 << 20);
}

static void an_engine_that_waits_for_ever(void **state)
{
    (void)state;
    enum { AWAITED = 512, POLLED = 768 }; /* offsets from BATCH */
    uint32_t batch[5];
    assemble(skl, 0, batch,
             "MI_SEMAPHORE_WAIT wait_mode = \"Polling Mode\", compare_operation = SAD_EQUAL_SDD,"
             " semaphore_data_dword = 5, semaphore_address = %u\n"
             "MI_BATCH_BUFFER_END",
             BATCH + AWAITED);
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    write_context(w, batch, 5);
    submit(w, LRCA | DESCRIPTOR_48);
    mark(w);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + POLLED, 4, UINT32_MAX, 1, AUB_EQUAL);
    end(&t);
    outcome_is(REPLAY_FAILED, 2);
    said(REPLAY_ERROR, marked, "MEM_POLL: 0x50300 stays 0");
    said(REPLAY_ERROR, REPLAY_NO_OFFSET, "rcs0 did not finish");

    w = begin_skl(&t); /* the trace writes the awaited value */
    write_context(w, batch, 5);
    submit(w, LRCA | DESCRIPTOR_48);
    write32(w, AUB_PHYSICAL, BATCH_PAGE + AWAITED, 5);
    aub_write_delay(w, 1000);
    end(&t);
    outcome_is(REPLAY_CLEAN, 0);
}

/* Headers of packets: memtrace, by its opcode and its length in dwords; a classic block of 5 and more. */
#define MEMTRACE(opcode, length_dw) (7u << 29 | 0x2eu << 23 | (uint32_t)(opcode) << 16 | ((length_dw)-1u))
#define CLASSIC_BLOCK               (7u << 29 | 1u << 23 | 0x41u << 16 | 3u)
#define JUMP_GGTT                   (0x31u << 23)

static void packets_that_are_no_ones(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    enum { REG_CMP = 1, REG_POLL = 2, REG_WRITE = 3, MEM_CMP = 4, UNKNOWN = 0x55 };
    enum { DWORD = 2 << 16, PCI = AUB_PCI_CONFIG << 28, NO_READ = 1, IGNORE = 2, CRC = 1 << 6 };
    static const uint32_t strange[] = {MEMTRACE(UNKNOWN, 2), 1234};
    static const uint32_t pci_write[] = {MEMTRACE(REG_WRITE, 6), 16, PCI | DWORD, UINT32_MAX, 0, 1};
    static const uint32_t ignored_poll[] = {
        MEMTRACE(REG_POLL, 6), RCS + HWS_PGA, DWORD | IGNORE, UINT32_MAX, 0, 7};
    static const uint32_t unread[] = {MEMTRACE(REG_CMP, 6), RCS + HWS_PGA, DWORD | NO_READ, UINT32_MAX, 0, 7};
    static const uint32_t crc[] = {MEMTRACE(MEM_CMP, 6), 0, 0, (uint32_t)AUB_PHYSICAL << 28 | CRC, 4, 1234};
    static const uint32_t classic_ring[] = {
        CLASSIC_BLOCK, AUB_RING_RENDER << 8 | 2, 0, 32 * PAGE_BYTES, 8, JUMP_GGTT, BATCH};
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
    uint32_t batch[STORE_DW];
    struct aub_writer *w = begin_skl(&t);
    assemble(skl, 0, batch,
             "MI_STORE_DATA_IMM address = %u, immediate_data = 1\n"
             "MI_BATCH_BUFFER_END",
             BATCH + PAGE_BYTES);
    write_context(w, batch, STORE_DW);
    for (unsigned i = 0; i < 250; i++)
        aub_write_register_compare(w, RCS + HWS_PGA, 4, UINT64_MAX, PAGE_BYTES);
    submit(w, LRCA | DESCRIPTOR_48);
    mark(w);
    aub_write_register_compare(w, RCS + HWS_PGA, 4, UINT64_MAX, PAGE_BYTES);
    end(&t);
    outcome_is(REPLAY_FAILED, 253);
    assert_int_equal(told.result.compares_failed, 251);
    assert_int_equal(told.count, 104);
    assert_non_null(strstr(told.messages[101].text, "page fault: write of PPGTT address"));
    said(REPLAY_ERROR, REPLAY_NO_OFFSET, "1 page faults");
    assert_string_equal(told.messages[100].text, "further failed compares are counted, not shown");
    assert_int_equal(told.messages[100].kind, REPLAY_NOTE);
}

/* The same trace twice is the same run. */
static void runs_repeat(void **state)
{
    (void)state;
    struct trace t;
    struct aub_writer *w = begin_skl(&t);
    uint32_t batch[5];
    assemble(skl, 0, batch,
             "MI_STORE_REGISTER_MEM register_address = %u, memory_address = %u\nMI_BATCH_BUFFER_END",
             register_offset(skl, "rcs0.TIMESTAMP"), BATCH + RESULT);
    write_context(w, batch, 5);
    submit(w, LRCA | DESCRIPTOR_48);
    aub_write_delay(w, 12345);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, 4, UINT32_MAX, UINT32_MAX, AUB_EQUAL);
    write32(w, AUB_GGTT, IMAGE(IMAGE_HEAD), 0); /* the ring from its start */
    submit(w, LRCA | DESCRIPTOR_48);
    aub_write_memory_poll(w, AUB_PHYSICAL, BATCH_PAGE + RESULT, 4, UINT32_MAX, UINT32_MAX, AUB_EQUAL);
    assert_true(aub_writer_close(w));
    play(&t, 0, &small);
    static char first[TOLD][384];
    const unsigned count = told.count;
    const struct replay_result result = told.result;
    outcome_is(REPLAY_FAILED, 2);
    assert_int_equal(count, 2);
    assert_string_not_equal(told.messages[0].text, told.messages[1].text); /* the times differ */
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
    return cmocka_run_group_tests(tests, open_skl, close_skl);
}
