/* SYS-13 to SYS-17, SYS-24: the GuC as the drivers of Linux talk to it, and with every field wrong. */
#include "../guc_host.h"
#include "saved.h"

#include "guc/message.h"
#include "guc/schedule.h"

#include <errno.h>

static const char *const devices[] = {"dg2", "atsm"};
enum { DEVICES = sizeof devices / sizeof devices[0] };

static struct host *up(const char *device)
{
    struct host *h = host_create(device);
    host_boot(h);
    host_enable_buffers(h);
    return h;
}

/* ---- SYS-13, SYS-15: load and boot ---- */

static void boots(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DEVICES; d++) {
        struct host *h = host_create(devices[d]);
        assert_int_equal(host_get(h, 0xc000), 1);
        for (unsigned i = 0; i < 3; i++) {
            host_boot(h);
            assert_int_equal(host_get(h, 0xc314) & 1, 0);
            host_put(h, 0x941c, 1 << 3);
            assert_int_equal(host_get(h, 0x941c), 0);
            assert_int_equal(host_get(h, 0xc000) & 1, 1);
        }
        /* Full reset, too. */
        host_boot(h);
        host_put(h, 0x941c, 1);
        assert_int_equal(host_get(h, 0xc000) & 1, 1);
        assert_int_equal(h->complaints, 0);
        host_destroy(h);
    }
}

/* i915 leaves the space of its source 0, xe says that it is the GGTT. */
static void source_needs_no_space(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    host_wopcm(h);
    const uint32_t bytes = host_firmware(h, FIRMWARE);
    host_put(h, 0xc300, FIRMWARE);
    host_put(h, 0xc304, 0);
    host_put(h, 0xc308, 0x2000);
    host_put(h, 0xc30c, 7 << 16);
    host_put(h, 0xc310, bytes);
    host_put(h, 0xc314, 0x110011);
    host_run(h);
    assert_int_equal(host_get(h, 0xc000), 0x8000f0ec);
    assert_int_equal(h->complaints, 0);
    host_destroy(h);
}

static void protected_memory_is_locked(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    host_put(h, 0xc050, 0x1f3000);
    host_put(h, 0xc340, 0x4002);
    assert_int_equal(host_get(h, 0xc050), 0x1f3001);
    assert_int_equal(host_get(h, 0xc340), 0x4003);
    host_put(h, 0xc050, 0x100000);
    host_put(h, 0x941c, 1);
    assert_int_equal(host_get(h, 0xc050), 0x1f3001);
    host_destroy(h);
}

/* What the DMA's registers are changed to, and why it must refuse then. */
static const struct {
    const char *why;
    uint32_t offset, value;
    bool no_wopcm, running;
} illegal[] = {
    {"protected memory not programmed", 0, 0, .no_wopcm = true},
    {"it does not fit: size", 0xc310, 0x400000},
    {"it does not fit: place", 0xc308, 0x1f2000},
    {"it does not fit: wraps around", 0xc308, 0xfffff000},
    {"size 0", 0xc310, 0},
    {"low bits differ", 0xc308, 0x2020},
    {"a kernel into the GGTT", 0xc30c, 8 << 16},
    {"a kernel into SRAM", 0xc30c, 0},
    {"a source that is none", 0xc304, 31 << 16},
    {"a destination that is none", 0xc30c, 5 << 16},
    {"a kernel runs", 0, 0, .running = true},
};

static void illegal_copies_are_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof illegal / sizeof illegal[0]; i++) {
        struct host *h = host_create("dg2");
        if (illegal[i].running)
            host_boot(h);
        else if (!illegal[i].no_wopcm)
            host_wopcm(h);
        const uint32_t bytes = host_firmware(h, FIRMWARE), before = host_get(h, 0xc000);
        host_put(h, 0xc300, FIRMWARE);
        host_put(h, 0xc304, 8 << 16);
        host_put(h, 0xc308, 0x2000);
        host_put(h, 0xc30c, 7 << 16);
        host_put(h, 0xc310, bytes);
        if (illegal[i].offset)
            host_put(h, illegal[i].offset, illegal[i].value);
        host_put(h, 0xc314, 0x110011);
        host_run(h);
        if (host_get(h, 0xc000) != before || !h->complaints || !strstr(h->said, "refused"))
            fail_msg("%s: status %x, '%s'", illegal[i].why, host_get(h, 0xc000), h->said);
        assert_int_equal(host_get(h, 0xc314) & 1, 0);
        host_destroy(h);
    }
}

/* SRAM is from 32 KB to 544 KB. */
static void copies_fall_off_the_edge(void **state)
{
    (void)state;
    static const struct {
        uint32_t to, bytes;
        bool good;
    } copies[] = {{0x8000, 0x80000, true},
                  {0x8000, 0x80040, false},
                  {0x87fc0, 64, true},
                  {0x88000, 64, false},
                  {0, 64, false}};
    for (unsigned i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        struct host *h = host_create("dg2");
        host_put(h, 0xc300, FIRMWARE);
        host_put(h, 0xc304, 8 << 16);
        host_put(h, 0xc308, copies[i].to);
        host_put(h, 0xc30c, 0);
        host_put(h, 0xc310, copies[i].bytes);
        host_put(h, 0xc314, 0x10001);
        assert_int_equal(h->complaints == 0, copies[i].good);
        host_destroy(h);
    }
    /* From memory to memory, and with the ends swapped. */
    for (unsigned swapped = 0; swapped < 2; swapped++) {
        struct host *h = host_create("dg2");
        memset(at(h, RESULTS), 0x5a, 0x2000);
        host_put(h, 0xc300, swapped ? RESULTS + 0x4000 : RESULTS);
        host_put(h, 0xc304, 8 << 16);
        host_put(h, 0xc308, swapped ? RESULTS : RESULTS + 0x4000);
        host_put(h, 0xc30c, 8 << 16);
        host_put(h, 0xc310, 0x1fc0);
        host_put(h, 0xc314, swapped ? 0x30003 : 0x10001);
        assert_memory_equal(at(h, RESULTS), at(h, RESULTS + 0x4000), 0x1fc0);
        assert_int_equal(at(h, RESULTS + 0x4000)[0x1fc0 / 4], 0);
        assert_int_equal(h->complaints, 0);
        host_destroy(h);
    }
}

/* Every memory to every other; 0 is the GGTT as a source, the SRAM as a destination. */
static void memories_are_copied(void **state)
{
    (void)state;
    enum { FAR = 0x1234, BYTES = 0x1040 };
    for (unsigned d = 0; d < DEVICES; d++) {
        struct host *h = host_create(devices[d]);
        struct driver_ppgtt ppgtt;
        assert_true(driver_ppgtt_make(&h->driver, &ppgtt, 0));
        assert_true(driver_map(&h->driver, &ppgtt, (uint64_t)FAR << 32, RESULTS, 0x10000, PAGE_BYTES));
        host_put(h, 0xc3b8, 3 << 3);
        host_put(h, 0xc3c0, (uint32_t)ppgtt.root[0]);
        host_put(h, 0xc3c4, (uint32_t)(ppgtt.root[0] >> 32));
        host_wopcm(h);
        memset(at(h, RESULTS), 0x5a, BYTES);
        for (uint32_t from = 0; from < 32; from++)
            for (uint32_t to = 0; to < 32; to++) {
                host_put(h, 0xc3f0, 1);
                memset(at(h, RESULTS + 0x8000), 0, BYTES + 4);
                h->complaints = 0;
                host_put(h, 0xc594, 1);
                host_put(h, 0xc300, from == 9 ? 0 : from == 6 || from == 7 ? 0x8000 : RESULTS);
                host_put(h, 0xc304, from << 16 | (from == 9 ? FAR : 0));
                host_put(h, 0xc308, to == 8 ? RESULTS + 0x8000 : 0x8000);
                host_put(h, 0xc30c, to << 16 | (to == 9 ? FAR : 0));
                host_put(h, 0xc310, BYTES);
                host_put(h, 0xc314, 0x10001);
                const bool good =
                    (from == 0 || (from >= 6 && from <= 9)) && (to == 0 || (to >= 6 && to <= 9));
                assert_int_equal(host_get(h, 0xc314), 0);
                assert_int_equal(h->complaints, !good);
                assert_int_equal(host_get(h, 0xc594), good);
                const bool seen = good && (to == 8 || to == 9);
                assert_int_equal(memcmp(at(h, RESULTS), at(h, RESULTS + 0x8000), BYTES) == 0, seen);
                assert_int_equal(at(h, RESULTS + 0x8000)[BYTES / 4], 0);
                if (!good || from != 9)
                    continue;
                /* Without its registers there is no PPGTT. */
                host_put(h, 0xc3f0, 0);
                memset(at(h, RESULTS + 0x8000), 0, BYTES);
                h->complaints = 0;
                host_put(h, 0xc314, 0x10001);
                assert_int_equal(h->complaints, 1);
                assert_int_equal(at(h, RESULTS + 0x8000)[0], 0);
            }
        host_destroy(h);
    }
}

/* What protected memory and SRAM hold outlives the GuC's reset, saving and loading, and goes with the
 * device's. */
static void memories_hold_what_is_copied(void **state)
{
    (void)state;
    struct host *h = host_create("dg2"), *other = host_create("dg2");
    host_wopcm(h);
    host_put(h, 0xc310, 0x1000);
    for (uint32_t space = 6; space <= 7; space++) {
        memset(at(h, RESULTS), (int)space, 0x1000);
        host_put(h, 0xc300, RESULTS);
        host_put(h, 0xc304, 8 << 16);
        host_put(h, 0xc308, 0x10000);
        host_put(h, 0xc30c, space << 16);
        host_put(h, 0xc314, 0x10001);
    }
    host_put(h, 0x941c, 1 << 3);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t space = 6; space <= 7; space++) {
            memset(at(other, RESULTS), 0x5a, 0x1000);
            host_wopcm(other);
            host_put(other, 0xc310, 0x1000);
            host_put(other, 0xc300, 0x10000);
            host_put(other, 0xc304, space << 16);
            host_put(other, 0xc308, RESULTS);
            host_put(other, 0xc30c, 8 << 16);
            host_put(other, 0xc314, 0x10001);
            assert_int_equal(at(other, RESULTS)[0x3ff], round ? 0 : space * 0x01010101);
        }
        softgt_reset(other->device);
        driver_map_ggtt(&other->driver, 0, 0, NOT_MAPPED);
    }
    host_destroy(h);
    host_destroy(other);
}

static void malformed_firmware_does_not_boot(void **state)
{
    (void)state;
    static const struct {
        uint8_t dw;
        uint32_t value;
    } wrong[] = {{1, 0}, {1, 0xffffffff}, {6, 0},  {6, 161}, {6, 0xffffffff},
                 {7, 0}, {7, 0x80000000}, {8, 63}, {9, 2}};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct host *h = host_create("dg2");
        host_wopcm(h);
        const uint32_t bytes = host_firmware(h, FIRMWARE);
        at(h, FIRMWARE)[wrong[i].dw] = wrong[i].value;
        host_dma(h, FIRMWARE, 0x2000, bytes, 1 << 4);
        host_run(h);
        /* Bad signature, told by the boot ROM. */
        assert_int_equal(host_get(h, 0xc000), 1u << 30 | 0x50 << 1);
        assert_int_equal(host_mailbox(h, 0x4100, 0, 0, 0), 0x4100); /* nobody answers */
        host_boot(h);
        host_destroy(h);
    }
    struct host *h = host_create("dg2");
    host_wopcm(h);
    host_dma(h, NOT_MAPPED, 0x2000, host_firmware(h, FIRMWARE), 1 << 4);
    assert_int_equal(host_get(h, 0xc000) >> 30, 1);
    /* What it is told when it boots is not there. */
    host_put(h, 0x941c, 1 << 3);
    host_put(h, 0xc184 + 4 * 4, NOT_MAPPED >> 12 << 1);
    host_dma(h, FIRMWARE, 0x2000, host_firmware(h, FIRMWARE), 1 << 4);
    host_run(h);
    assert_int_equal(host_get(h, 0xc000) >> 8 & 0xff, 0x71);
    host_destroy(h);
}

static void huc_is_copied(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    host_wopcm(h);
    assert_int_equal(host_get(h, 0xc010) >> 8 & 1, 0);
    host_dma(h, FIRMWARE, 0, 0x4000, 1 << 9);
    assert_int_equal(host_get(h, 0xc010) >> 8 & 1, 1);
    assert_int_equal(host_get(h, 0xd3b0) >> 7 & 1, 1);
    assert_int_equal(host_get(h, 0xc000), 1);
    /* It does not fit below the GuC's place. */
    h->complaints = 0;
    host_dma(h, FIRMWARE, 0, 0x4040, 1 << 9);
    assert_int_equal(h->complaints, 1);
    host_destroy(h);
    /* One that is not there was tried. */
    h = host_create("dg2");
    host_wopcm(h);
    host_dma(h, NOT_MAPPED, 0, 0x4000, 1 << 9);
    assert_int_equal(host_get(h, 0xc010) >> 8 & 1, 1);
    assert_int_equal(host_get(h, 0xd3b0) >> 7 & 1, 0);
    host_destroy(h);
}

/* The GuC's kernel authenticates what was copied before it booted. */
static void huc_is_authenticated(void **state)
{
    (void)state;
    for (unsigned copied = 0; copied < 2; copied++) {
        struct host *h = host_create("dg2");
        host_wopcm(h);
        if (copied)
            host_dma(h, FIRMWARE, 0, 0x4000, 1 << 9);
        assert_int_equal(host_get(h, 0xc594), copied); /* the DMA interrupts, until there is who looks */
        host_dma(h, FIRMWARE, 0x2000, host_firmware(h, FIRMWARE), 1 << 4);
        assert_int_equal(host_get(h, 0xc594), 1);
        host_run(h);
        assert_int_equal(host_get(h, 0xc594), 0);
        host_enable_buffers(h);
        assert_int_equal(host_get(h, 0xc1dc), 0);
        assert_int_equal(HOST_ASK(h, 0x4000, RESULTS), copied ? 0xf0000000 : 0xe0000041);
        assert_int_equal(host_get(h, 0xc1dc), copied);
        host_put(h, 0x941c, 1 << 3);
        assert_int_equal(host_get(h, 0xc1dc), 0);
        host_destroy(h);
    }
}

/* ---- The mailbox ---- */

static void mailbox_answers(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    assert_int_equal(host_mailbox(h, 0x4100, 0, 0, 0), 0x4100); /* in reset */
    host_boot(h);
    const uint32_t bytes = host_mailbox(h, 0x4100, 0, 0, 0) & 0xfffffff;
    assert_true(bytes > 0 && bytes % 4 == 0);
    assert_int_equal(host_mailbox(h, 0x4100, RESULTS, 0, bytes), 0xf0000000 | bytes);
    /* Keys, each with the dwords that follow it, to the end. */
    uint32_t dw = 0;
    while (dw < bytes / 4) {
        const uint32_t *entry = at(h, RESULTS) + dw;
        assert_true(entry[0] > 0 && entry[0] < 84 && entry[1] > 0);
        dw += 2 + entry[1];
    }
    assert_int_equal(dw, bytes / 4);
    assert_int_equal(host_mailbox(h, 0x4100, RESULTS, 0, 4), 0xe0000070);
    assert_int_equal(host_mailbox(h, 0x4100, NOT_MAPPED, 0, bytes), 0xe0000080);
    assert_int_equal(host_mailbox(h, 0x4100, RESULTS, 1, bytes), 0xe0000080);
    /* Unknown ones, types that are no request, what is not for the mailbox. */
    assert_int_equal(host_mailbox(h, 0x1234, 0, 0, 0), 0xe0000030);
    assert_int_equal(h->not_modelled, 1);
    assert_int_equal(host_mailbox(h, 0x10004100, 0, 0, 0), 0xe0000004);
    assert_int_equal(host_mailbox(h, 0x20004100, 0, 0, 0), 0xe0000004);
    assert_int_equal(host_mailbox(h, 0x70004100, 0, 0, 0), 0xe0000004);
    assert_int_equal(host_mailbox(h, 0x7000, 5, 0, 0), 0xe0000020);
    /* Its own answer is no request. */
    assert_int_equal(host_mailbox(h, 0xf0004100, 0, 0, 0), 0xf0004100);
    assert_int_equal(host_mailbox(h, 0x5507, 0, 0, 0), 0xf0000000);
    host_destroy(h);
}

static void buffers_are_configured(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    host_boot(h);
    assert_int_equal(host_mailbox(h, 0x4509, 1, 0, 0), 0xe000000a); /* nothing is known */
    assert_int_equal(host_configure(h, 0x8ff, 2, 0), 0xf0000000);   /* a key that is not: none parsed */
    /* SYS-22: where interrupts are told. */
    assert_int_equal(host_configure(h, 0x900, 1, 0x1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x901, 3, 0x1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x900, 2, 0x1008), 0xe0000050);
    assert_int_equal(host_configure(h, 0x901, 2, UINT64_C(1) << 32), 0xe0000050);
    assert_int_equal(host_configure(h, 0x901, 2, 0x1419), 0xf0000001);
    assert_int_equal(host_configure(h, 0x900, 2, 0x1190), 0xf0000001);
    assert_int_equal(host_configure(h, 0x900, 2, 0), 0xf0000001);
    assert_int_equal(host_configure(h, 0x902, 1, 0x4b1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x904, 2, 0x1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x904, 1, 0), 0xe0000050);
    assert_int_equal(host_configure(h, 0x904, 1, 0x1001), 0xe0000050);
    assert_int_equal(host_configure(h, 0x904, 1, 0x80000000), 0xe0000050);
    assert_int_equal(host_configure(h, 0x903, 2, 0x100000000), 0xe0000050);
    assert_int_equal(host_configure(h, 0x903, 2, 3), 0xe0000050);
    host_enable_buffers(h);
    assert_int_equal(host_configure(h, 0x902, 2, H2G_BUFFER), 0xe000000a); /* in use */
    assert_int_equal(host_mailbox(h, 0x4509, 2, 0, 0), 0xe0000060);
    assert_int_equal(host_mailbox(h, 0x4509, 0, 0, 0), 0xf0000000);
    assert_int_equal(host_configure(h, 0x903, 2, NOT_MAPPED), 0xf0000001);
    assert_int_equal(host_mailbox(h, 0x4509, 1, 0, 0), 0xe0000080);
    /* Both are enabled, or none. */
    assert_int_equal(host_configure(h, 0x903, 2, H2G_DESCRIPTOR), 0xf0000001);
    assert_int_equal(host_configure(h, 0x906, 2, NOT_MAPPED), 0xf0000001);
    assert_int_equal(host_mailbox(h, 0x4509, 1, 0, 0), 0xe0000080);
    assert_int_equal(host_configure(h, 0x902, 2, H2G_BUFFER), 0xf0000001);
    host_destroy(h);
}

/* ---- Buffers ---- */

static void requests_are_answered(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    host_put(h, 0x190008, 1u << 31);
    host_put(h, 0x190010, 1u << 31);
    host_put(h, 0x190038, 0x8000u << 16);
    host_put(h, 0x1900e8, ~(0x8000u << 16));
    assert_int_equal(HOST_ASK(h, 0x509, 0x10010002, 100, 50), 0xf0000001);
    assert_int_equal(h->messages, 1);
    assert_int_equal(host_get(h, 0x190018), 1u << 25);
    host_put(h, 0x190070, 1u << 25);
    assert_int_equal(host_get(h, 0x190060), 0x80048000u);
    /* No answer to what is none, or to a fast one that is done; a fast one that fails is told. */
    HOST_SEND(h, HOST_FAST, 0x30, 2);
    HOST_SEND(h, HOST_EVENT, 0x30, 2);
    HOST_SEND(h, HOST_EVENT, 0x7777, 2);
    host_run(h);
    host_expect_nothing(h);
    const uint32_t fence = HOST_SEND(h, HOST_FAST, 0x7777, 2);
    host_run(h);
    uint32_t dw[256], back = 0;
    assert_int_equal(host_receive(h, dw, &back), 1);
    assert_int_equal(back, fence);
    assert_int_equal(dw[0], 0xe0000030);
    assert_int_equal(h->not_modelled, 2);
    host_destroy(h);
}

/* Every action with every length that it must not have. */
static void lengths_are_checked(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count; i++) {
            const struct guc_message *row = &(*t)->rows[i];
            const uint32_t zeros[255] = {0};
            assert_true(row->least_dw <= row->most_dw && row->most_dw < 254);
            assert_ptr_equal(guc_message_find(row->action, row->from_guc), row);
            assert_true(row->from_guc == !row->handle);
            if (row->from_guc) {
                assert_int_equal(host_ask(h, row->action, zeros, row->least_dw),
                                 guc_message_find(row->action, false) ? 0xf0000000 : 0xe0000030);
                continue;
            }
            if (row->least_dw)
                assert_int_equal(host_ask(h, row->action, zeros, row->least_dw - 1u), 0xe0000060);
            assert_int_equal(host_ask(h, row->action, zeros, row->most_dw + 1u), 0xe0000060);
        }
    host_destroy(h);
}

/* A ring that wraps in the middle of messages, and zeros at its end. */
static void rings_wrap(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    for (unsigned i = 0; i < 4000; i++)
        assert_int_equal(HOST_ASK(h, 0x509, 0x10010002, i, 50, 0x20020001, 7), 0xf0000001);
    const uint32_t zeros[H2G_BYTES / 4] = {0};
    host_place(h, zeros, H2G_BYTES / 4 - h->tail_dw);
    assert_int_equal(h->tail_dw, 0);
    assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
    assert_int_equal(at(h, H2G_DESCRIPTOR)[2], 0);
    assert_int_equal(at(h, G2H_DESCRIPTOR)[2], 0);
    assert_int_equal(h->complaints, 0);
    host_destroy(h);
}

/* Messages of every length from every place of the ring; none is lost, none is read twice. */
static void messages_begin_everywhere(void **state)
{
    (void)state;
    struct host *h = up("atsm");
    uint32_t dw[256] = {0};
    for (uint32_t length_dw = 1; length_dw < 256; length_dw++)
        for (uint32_t place = 0; place < 4; place++) {
            const uint32_t payload_dw = length_dw - 1u;
            for (uint32_t i = 0; i < payload_dw; i++)
                dw[i] = 0; /* keys without values, that nobody knows */
            const uint32_t answer = payload_dw == 0 || payload_dw > 250 ? 0xe0000060 : 0xf0000000;
            assert_int_equal(host_ask(h, 0x509, dw, payload_dw), answer);
        }
    for (uint32_t place = 0; place < 2 * H2G_BYTES / 4; place++) {
        host_place(h, (const uint32_t[]){0}, 1); /* moves the next by one dword */
        assert_int_equal(HOST_ASK(h, 0x509, 0x10010002, place, 50), 0xf0000001);
        assert_int_equal(h->device->guc.power.yield_ms, place);
    }
    assert_int_equal(at(h, H2G_DESCRIPTOR)[2], 0);
    host_destroy(h);
}

/* Saved while the host does not read, and messages wait on both sides: the other device goes on with them. */
static void waiting_messages_are_kept(void **state)
{
    (void)state;
    struct host *h = up("dg2"), *other = host_create("dg2");
    unsigned sent = 0;
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 100; i++)
            if ((at(h, H2G_DESCRIPTOR)[0] + H2G_BYTES / 4 - h->tail_dw - 1) % (H2G_BYTES / 4) > 8) {
                HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
                sent++;
            }
        host_run(h);
    }
    assert_true(h->device->guc.clients[0].outbox.count);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    uint32_t dw[256], fence;
    unsigned got = 0;
    for (unsigned round = 0; round < 100; round++) {
        while (host_receive(other, dw, &fence)) {
            assert_int_equal(dw[0], 0xf0000000);
            assert_int_equal(fence, ++got);
        }
        host_run(other);
    }
    assert_int_equal(got, sent);
    host_destroy(h);
    host_destroy(other);
}

/* What the host writes wrong is told in the status; the GuC takes no more from there until buffers are
 * enabled again.
 */
static void broken_rings_are_told(void **state)
{
    (void)state;
    static const struct {
        uint32_t dword, value, first, status;
    } wrong[] = {
        {0, 5, 0, 4},          /* the head moved */
        {0, 0xffffffff, 0, 1}, /* past the end */
        {1, 0x400, 0, 1},      /* the tail is past the end */
        {1, 0xffffffff, 0, 1}, /* far */
        {1, 3, 0x10005, 2},    /* a message of 5 dwords, 2 are there */
        {1, 1, 0x100ff, 2},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct host *h = up("dg2");
        at(h, H2G_BUFFER)[0] = wrong[i].first ? wrong[i].first : 0x10002;
        at(h, H2G_BUFFER)[1] = 0x3004;
        at(h, H2G_BUFFER)[2] = 1;
        at(h, H2G_DESCRIPTOR)[1] = 3;
        at(h, H2G_DESCRIPTOR)[wrong[i].dword] = wrong[i].value;
        host_put(h, 0x1901f0, 0);
        host_run(h);
        assert_int_equal(at(h, H2G_DESCRIPTOR)[2], wrong[i].status);
        host_expect_nothing(h);
        at(h, H2G_DESCRIPTOR)[2] = 0;
        at(h, H2G_DESCRIPTOR)[0] = 0;
        at(h, H2G_DESCRIPTOR)[1] = 3;
        host_put(h, 0x1901f0, 0);
        host_run(h);
        host_expect_nothing(h);
        assert_int_equal(host_mailbox(h, 0x4509, 0, 0, 0), 0xf0000000);
        host_enable_buffers(h);
        assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
        host_destroy(h);
    }
    /* The other ring. */
    struct host *h = up("dg2");
    at(h, G2H_DESCRIPTOR)[0] = 0x1000;
    HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
    host_run(h);
    assert_int_equal(at(h, G2H_DESCRIPTOR)[2], 1);
    host_destroy(h);
    static const struct {
        uint32_t dword, value, status;
    } back[] = {{0, 0xffffffff, 1}, {1, 5, 4}, {2, 8, 8}};
    for (unsigned i = 0; i < sizeof back / sizeof back[0]; i++) {
        h = up("dg2");
        at(h, G2H_DESCRIPTOR)[back[i].dword] = back[i].value;
        HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
        host_run(h);
        assert_int_equal(at(h, G2H_DESCRIPTOR)[2], back[i].status);
        assert_int_equal(at(h, G2H_BUFFER)[0], 0); /* nothing is written there any more */
        assert_int_equal(h->complaints, 1);
        /* The mailbox still works, and buffers that are enabled again. */
        assert_int_equal(host_mailbox(h, 0x4509, 0, 0, 0), 0xf0000000);
        host_enable_buffers(h);
        assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
        host_destroy(h);
    }
}

/* After the last message, and for a message in the mailbox, the buffer is the host's: it may be gone. */
static void buffers_are_not_looked_at_without_a_cause(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
    assert_false(h->device->guc.clients[0].channels.notified);
    memset(at(h, H2G_DESCRIPTOR), 0xff, 64);
    assert_true((host_mailbox(h, 0x4100, 0, 0, 0) & 0xf0000000) == 0xf0000000);
    host_run(h);
    assert_int_equal(h->complaints, 0);
    assert_int_equal(at(h, H2G_DESCRIPTOR)[2], 0xffffffff);
    host_destroy(h);
}

/* Formats and types that are not: told by the number that the message has, and the next one is taken. */
static void other_formats_are_refused(void **state)
{
    (void)state;
    static const uint32_t headers[][2] = {
        {0x11002, 0x3004},     {0x18002, 0x3004},     {0x10102, 0x3004},     {0x10802, 0x3004},
        {0x10002, 0x80003004}, {0x10002, 0x90003004}, {0x10002, 0x30003004}, {0x10002, 0x50003004},
        {0x10002, 0x60003004}, {0x10002, 0x70003004},
    };
    for (unsigned i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        struct host *h = up("dg2");
        uint32_t dw[256], fence = 0;
        host_place(h, (const uint32_t[]){headers[i][0], headers[i][1], 1}, 3);
        host_put(h, 0x1901f0, 0);
        host_run(h);
        assert_int_equal(host_receive(h, dw, &fence), 1);
        assert_int_equal(dw[0], 0xe0000004);
        assert_int_equal(fence, 1);
        assert_int_equal(h->complaints, 1);
        assert_int_equal(h->device->guc.totals.failures, 1);
        assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
        host_destroy(h);
    }
    /* A number, and nothing behind it. */
    struct host *h = up("dg2");
    uint32_t dw[256], fence = 0;
    host_place(h, (const uint32_t[]){0x50000}, 1);
    host_put(h, 0x1901f0, 0);
    host_run(h);
    assert_int_equal(host_receive(h, dw, &fence), 1);
    assert_int_equal(dw[0], 0xe0000004);
    assert_int_equal(fence, 5);
    /* An event that fails is counted, and not answered. */
    HOST_SEND(h, HOST_EVENT, 0x3004, 2);
    host_run(h);
    host_expect_nothing(h);
    assert_int_equal(h->device->guc.totals.failures, 2);
    /* No action, but data: by the mailbox, too. */
    assert_int_equal(host_mailbox(h, 0x10000, 0, 0, 0), 0xe0000030);
    assert_int_equal(host_mailbox(h, 0x00015507, 0, 0, 0), 0xe0000060);
    host_destroy(h);
}

/* Nothing is lost when the host does not read, and nothing is taken from it meanwhile. */
static void full_rings_wait(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    unsigned sent = 0, got = 0;
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 100; i++)
            if ((at(h, H2G_DESCRIPTOR)[0] + H2G_BYTES / 4 - h->tail_dw - 1) % (H2G_BYTES / 4) > 8) {
                HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
                sent++;
            }
        host_run(h);
    }
    assert_true(sent > 1500 && sent < 4000);
    uint32_t dw[256], fence;
    for (unsigned round = 0; round < 100; round++) {
        while (host_receive(h, dw, &fence)) {
            assert_int_equal(dw[0], 0xf0000000);
            assert_int_equal(fence, ++got);
        }
        host_run(h);
    }
    assert_int_equal(got, sent);
    assert_int_equal(h->complaints, 0);
    host_destroy(h);
}

/* ---- Power management, TLBs, and others ---- */

/* Limits in units of 50/3 MHz: this part has 350 to 1150 MHz. */
static uint32_t power_limits(struct host *h)
{
    assert_int_equal(HOST_ASK(h, 0x3003, 5 << 8 | 2, SHARED, 0), 0xf0000000);
    const uint32_t freq = at(h, SHARED + 0x80)[1];
    assert_int_equal(freq >> 16, freq & 0xffff); /* slice as unslice */
    return freq & 0xffff;
}

static void power_is_managed(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    assert_int_equal(HOST_ASK(h, 0x3003, 5 << 8 | 2, SHARED, 0), 0xe000000a); /* not started */
    assert_int_equal(HOST_ASK(h, 0x3003, 0 << 8 | 2, SHARED, 0), 0xf0000000);
    assert_int_equal(at(h, SHARED)[0], 8192);
    assert_int_equal(at(h, SHARED)[1], 3); /* running */
    assert_int_equal(at(h, SHARED + 0x80)[0], 1);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 7, 600), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 400), 0xf0000000);
    assert_int_equal(power_limits(h), 36 | 24 << 8);
    /* Nobody works: the least that may be. */
    assert_int_equal(host_get(h, 0xa008) >> 23, 24);
    /* A higher least, as drivers boost: at once; one above the most is both. (IGT, xe_gt_freq: freq_low_max)
     */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 550), 0xf0000000);
    assert_int_equal(host_get(h, 0xa008) >> 23, 33);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 4250), 0xf0000000);
    assert_int_equal(power_limits(h), 69 | 69 << 8);
    assert_int_equal(host_get(h, 0xa008) >> 23, 69);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 750), 0xf0000000);
    assert_int_equal(power_limits(h), 45 | 45 << 8);
    assert_int_equal(host_get(h, 0xa008) >> 23, 45);
    /* Outside of the part's. */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 0), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 7, 0xffffffff), 0xf0000000);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 7, 600), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x3003, 7 << 8 | 1, 7), 0xf0000000);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    /* The host asks itself. */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 11, 1), 0xf0000000);
    host_put(h, 0xa008, 30 << 23);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 1000), 0xf0000000);
    assert_int_equal(host_get(h, 0xa008) >> 23, 30);
    /* Parameters that are none, values that they cannot have. */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 32, 0), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 21, 4), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 24, 3), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 28, 2), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 0 << 8 | 2, NOT_MAPPED, 0), 0xe0000080);
    /* What the page says when it is started: bits of parameters, then values. */
    at(h, SHARED + 0xc0)[0] = 1 << 7;
    at(h, SHARED + 0xe0)[7] = 800;
    assert_int_equal(HOST_ASK(h, 0x3003, 0 << 8 | 2, SHARED, 0), 0xf0000000);
    assert_int_equal(power_limits(h), 48 | 21 << 8);
    assert_int_equal(HOST_ASK(h, 0x3003, 1 << 8 | 2, SHARED, 0), 0xf0000000);
    assert_int_equal(at(h, SHARED)[1], 0);
    host_destroy(h);
}

static void invalidations_are_done_in_order(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    HOST_SEND(h, HOST_FAST, 0x7000, 1, 0x80000000);
    HOST_SEND(h, HOST_FAST, 0x7000, 2, 0x80000001, 7, 0x1000, 0, 0);
    HOST_SEND(h, HOST_FAST, 0x7000, 3, 0x80000003);
    HOST_SEND(h, HOST_FAST, 0x7002, 4, 0x80000000);
    host_run(h);
    for (uint32_t number = 1; number <= 4; number++)
        HOST_EXPECT(h, 0x7001, number);
    host_expect_nothing(h);
    assert_int_equal(HOST_ASK(h, 0x7000, 5, 0x80000004), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x7000, 5, 0x80000001), 0xe0000060);
    host_destroy(h);
}

static void keys_are_walked(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    at(h, RESULTS)[0] = 0x40010000;
    at(h, RESULTS)[1] = 0x40030001;
    assert_int_equal(HOST_ASK(h, 0x550e, RESULTS, 0, 3), 0xf0000002);
    at(h, RESULTS)[1] = 0x4003ffff;
    assert_int_equal(HOST_ASK(h, 0x550e, RESULTS, 0, 3), 0xe0000103);
    assert_int_equal(HOST_ASK(h, 0x550e, NOT_MAPPED, 0, 3), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x550e, RESULTS, 0, 0xffffffff), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x509, 0x10010003, 1, 2), 0xe0000103);
    host_destroy(h);
}

static void messages_are_told_by_name(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    h->traced = 0;
    HOST_SEND(h, HOST_FAST, 0x7000, 1, 0x80000000);
    host_run(h);
    assert_int_equal(h->traced, 2);
    assert_string_equal(h->name, "TLB_INVALIDATION_DONE");
    host_destroy(h);
}

/* ---- Scheduling ---- */

enum {
    CONTEXT_STEP = 0x20000,
    CONTEXT_RING = 0x18000,
    CONTEXT_RING_BYTES = 0x1000,
    GUC_COPY = 3,
    GUC_VIDEO = 1
};

/* A context with a ring of its own, at its place; what it has to do is added behind its tail. */
struct job {
    struct host *h;
    uint32_t id, lrca, ring, tail, class;
};

static const struct engine_info *engine_of(struct host *h, uint32_t class)
{
    for (unsigned i = 0;; i++)
        if (h->device->guc.class_of[i] == class)
            return &h->device->sheet->engines[i];
}

static void job_image(struct job *j)
{
    const struct driver_context context = {.ring = {j->ring, CONTEXT_RING_BYTES, 0, 0},
                                           .control = DRIVER_FRESH_CONTEXT};
    memset(at(j->h, j->lrca), 0, CONTEXT_RING);
    driver_image(engine_of(j->h, j->class), &context, at(j->h, j->lrca + DRIVER_IMAGE_OFFSET), 0x400);
    j->tail = 0;
}

static struct job job_make(struct host *h, uint32_t id, uint32_t place, uint32_t class)
{
    struct job j = {.h = h, .id = id, .lrca = CONTEXTS + place * CONTEXT_STEP, .class = class};
    j.ring = j.lrca + CONTEXT_RING;
    job_image(&j);
    return j;
}

static void job_register(const struct job *j, uint32_t mask)
{
    HOST_SEND(j->h, HOST_FAST, 0x4502, 1, j->id, j->class, mask, 0, 0, 0, 0, 0, j->lrca | 0x119, 0);
}

/* Dwords into the ring, and its tail into the image. */
static void job_add(struct job *j, const uint32_t *dw, uint32_t length_dw)
{
    memcpy(at(j->h, j->ring + j->tail), dw, length_dw * 4);
    j->tail += length_dw * 4;
    at(j->h, j->lrca + DRIVER_IMAGE_OFFSET)[7] = j->tail;
}

enum { STORE = 0x10400002, USER_INTERRUPT = 0x01000000, WAIT_EQUAL = 0x0e40c002, NEVER = 0x77 };

static void job_store(struct job *j, uint32_t address, uint32_t value)
{
    job_add(j, (const uint32_t[]){STORE, address, 0, value, USER_INTERRUPT, 0}, 6);
}

/* Waits in memory; `stubborn`: nothing else comes in meanwhile. */
static void job_wait(struct job *j, uint32_t address, uint32_t value, bool stubborn)
{
    job_add(j, (const uint32_t[]){0x04000000 | !stubborn, 0, WAIT_EQUAL, value, address, 0}, 6);
}

static void job_enable(const struct job *j)
{
    HOST_SEND(j->h, HOST_FAST, 0x1001, j->id, 1);
}

static void job_go(const struct job *j)
{
    HOST_SEND(j->h, HOST_FAST, 0x1000, j->id);
}

static void job_policies(const struct job *j, uint32_t quantum_us, uint32_t preemption_us, uint32_t priority)
{
    HOST_SEND(j->h, HOST_FAST, 0x100b, j->id, 0x20010001, quantum_us, 0x20020001, preemption_us, 0x20030001,
              priority);
}

static void contexts_run(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DEVICES; d++) {
        struct host *h = up(devices[d]);
        static const uint8_t classes[] = {0, 1, 2, 3, 4};
        for (unsigned i = 0; i < sizeof classes; i++) {
            struct job j = job_make(h, 4096 + i, i, classes[i]);
            job_register(&j, 1);
            job_store(&j, RESULTS + i * 64, 0x100 + i);
            job_enable(&j);
            host_run(h);
            HOST_EXPECT(h, 0x1002, j.id, 1);
            host_expect_nothing(h);
            assert_int_equal(at(h, RESULTS + i * 64)[0], 0x100 + i);
            /* More, told by SCHED_CONTEXT; the head in the image follows. */
            for (unsigned again = 0; again < 20; again++) {
                job_store(&j, RESULTS + i * 64, 0x200 + again);
                job_go(&j);
                host_run(h);
                assert_int_equal(at(h, RESULTS + i * 64)[0], 0x200 + again);
                assert_int_equal(at(h, j.lrca + DRIVER_IMAGE_OFFSET)[5], j.tail);
            }
            HOST_SEND(h, HOST_FAST, 0x1001, j.id, 0);
            HOST_SEND(h, HOST_FAST, 0x4503, j.id);
            host_run(h);
            HOST_EXPECT(h, 0x1002, j.id, 0);
            HOST_EXPECT(h, 0x4600, j.id);
            /* The id is free, and can be used again. */
            assert_int_equal(HOST_ASK(h, 0x1000, j.id), 0xe0000100);
            job_image(&j);
            job_register(&j, 1);
            host_run(h);
            host_expect_nothing(h);
        }
        assert_int_equal(h->complaints, 5); /* ids that were free */
        host_destroy(h);
    }
}

/* The highest frequency while there is work, the lowest some time after. */
static void frequency_follows_work(void **state)
{
    (void)state;
    struct host *h = up("dg2"), *other = host_create("dg2");
    assert_int_equal(HOST_ASK(h, 0x3003, 0 << 8 | 2, SHARED, 0), 0xf0000000);
    struct job j = job_make(h, 1, 0, GUC_COPY);
    job_register(&j, 1);
    job_wait(&j, RESULTS, 1, true);
    assert_int_equal(host_get(h, 0xa008) >> 23, 21);
    job_enable(&j);
    host_run(h);
    assert_int_equal(host_get(h, 0xa008) >> 23, 69);
    host_advance(h, 50000000);
    assert_int_equal(host_get(h, 0xa008) >> 23, 69);
    at(h, RESULTS)[0] = 1;
    host_run(h);
    host_advance(h, 1000000);
    assert_int_equal(host_get(h, 0xa008) >> 23, 69);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    host_advance(h, 20000000);
    host_advance(other, 20000000);
    assert_int_equal(host_get(h, 0xa008) >> 23, 21);
    assert_int_equal(host_get(other, 0xa008) >> 23, 21);
    host_destroy(h);
    host_destroy(other);
}

/* The GuC decides about RC6 where the host lets it: after a while without work. */
static void power_is_saved(void **state)
{
    (void)state;
    enum { CORE = 0x138060, RESIDENCY = 0x138108 };
    struct host *h = up("dg2"), *other = host_create("dg2");
    host_advance(h, 100000000);
    assert_int_equal(host_get(h, CORE), 0);
    assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
    host_advance(h, 100000000);
    assert_int_equal(host_get(h, CORE), 3);
    assert_true(host_get(h, RESIDENCY) > 0);
    struct job j = job_make(h, 1, 0, GUC_COPY);
    job_register(&j, 1);
    job_wait(&j, RESULTS, 1, true);
    job_enable(&j);
    host_run(h);
    assert_int_equal(host_get(h, CORE), 0);
    at(h, RESULTS)[0] = 1;
    host_run(h);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    host_advance(other, 100000000);
    assert_int_equal(host_get(other, CORE), 3);
    /* The host decides: it keeps the GT awake. */
    h->head_dw = at(h, G2H_DESCRIPTOR)[1];
    at(h, G2H_DESCRIPTOR)[0] = h->head_dw;
    assert_int_equal(HOST_ASK(h, 0x3004, 0), 0xf0000000);
    host_advance(h, 100000000);
    assert_int_equal(host_get(h, CORE), 0);
    host_destroy(h);
    host_destroy(other);
}

/* More contexts than engines: each has its turn, none starves; of a class with two engines both work. */
static void many_contexts_run(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job j[20];
    for (unsigned i = 0; i < 20; i++) {
        j[i] = job_make(h, 100 + i * 3000, i, i < 10 ? GUC_COPY : GUC_VIDEO);
        job_register(&j[i], 3);
        job_store(&j[i], RESULTS + i * 64, 1 + i);
        job_enable(&j[i]);
    }
    host_run(h);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(at(h, RESULTS + i * 64)[0], 1 + i);
    uint64_t switches[2] = {0};
    for (unsigned i = 0; i < h->device->sheet->info.engine_count; i++)
        if (h->device->guc.class_of[i] == GUC_VIDEO)
            switches[h->device->guc.logical_of[i]] = h->device->engines[i].totals.switches;
    assert_true(switches[0] && switches[1] && switches[0] + switches[1] == 10);
    host_destroy(h);
}

/* As urgent ones have an engine in the order in which they came to wait for it, whatever their ids are, and
 * whichever had it before; so they do where the device is loaded meanwhile. (IGT, gem_ctx_shared: Q-in-order)
 */
static void equals_wait_in_line(void **state)
{
    (void)state;
    static const uint32_t ids[] = {7000, 40, 65000, 41, 300, 6999, 7001};
    enum { ALL = sizeof ids / sizeof ids[0], LINE = RESULTS + 64 };
    for (uint32_t first = 0; first < 0xffff; first += 0x1fff) {
        struct host *h = up("dg2"), *other = host_create("dg2");
        struct job plug = job_make(h, first, 0, GUC_COPY), j[ALL];
        job_register(&plug, 1);
        job_policies(&plug, 0, 0, 0);
        job_wait(&plug, RESULTS, NEVER, true);
        job_enable(&plug);
        host_run(h);
        for (uint32_t i = 0; i < ALL; i++) {
            j[i] = job_make(h, ids[i], 1 + i, GUC_COPY);
            job_register(&j[i], 1);
            job_wait(&j[i], LINE, i, true);
            job_store(&j[i], LINE, 1 + i);
            job_enable(&j[i]);
        }
        host_run(h);
        assert_int_equal(at(h, LINE)[0], 0);
        struct blob blob = saved(h->device);
        memcpy(other->memory, h->memory, HOST_BYTES);
        assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
        free(blob.bytes);
        at(h, RESULTS)[0] = at(other, RESULTS)[0] = NEVER;
        host_run(h);
        host_run(other);
        assert_int_equal(at(h, LINE)[0], (uint32_t)ALL);
        assert_int_equal(at(other, LINE)[0], (uint32_t)ALL);
        host_destroy(h);
        host_destroy(other);
    }
}

/* A context that waits leaves after its quantum, for one that is as urgent. */
static void slices_end(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job a = job_make(h, 5000, 0, GUC_COPY), b = job_make(h, 5001, 1, GUC_COPY),
               c = job_make(h, 5002, 2, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1), job_register(&c, 1);
    job_policies(&a, 1000, 0, 3), job_policies(&b, 1000, 0, 3), job_policies(&c, 1000, 0, 2);
    job_wait(&a, RESULTS, NEVER, false);
    job_store(&a, RESULTS + 64, 1);
    job_store(&b, RESULTS + 128, 2);
    job_store(&c, RESULTS + 192, 3);
    job_enable(&a);
    job_enable(&b);
    host_run(h);
    assert_int_equal(at(h, RESULTS + 128)[0], 0);
    assert_true(softgt_next_event_ns(h->device) <= softgt_now_ns(h->device) + 1000000);
    host_advance(h, 999000);
    assert_int_equal(at(h, RESULTS + 128)[0], 0);
    host_advance(h, 1000);
    assert_int_equal(at(h, RESULTS + 128)[0], 2);
    /* A more urgent one need not wait. */
    job_enable(&c);
    host_run(h);
    assert_int_equal(at(h, RESULTS + 192)[0], 3);
    assert_int_equal(at(h, RESULTS + 64)[0], 0);
    at(h, RESULTS)[0] = NEVER;
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 1);
    host_destroy(h);
}

/* One that does not leave is reset after its timeout: captured, then told; others go on. */
static void hangs_are_recovered(void **state)
{
    (void)state;
    for (unsigned asked = 0; asked < 3; asked++) {
        struct host *h = up("dg2");
        struct job a = job_make(h, 5000, 0, GUC_COPY), b = job_make(h, 5001, 1, GUC_COPY);
        job_register(&a, 1), job_register(&b, 1);
        job_policies(&a, 1000, 640000, 3), job_policies(&b, 1000, 640000, 3);
        job_wait(&a, RESULTS, NEVER, true);
        job_store(&b, RESULTS + 64, 5);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 1);
        if (asked == 0) { /* alone, nothing happens to it */
            host_advance(h, 5000000000);
            host_expect_nothing(h);
        }
        if (asked < 2) {
            job_enable(&b);
            host_run(h);
            HOST_EXPECT(h, 0x1002, b.id, 1);
            if (asked == 1) /* its slice */
                host_advance(h, 1000000);
        } else {
            HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
            host_run(h);
        }
        host_expect_nothing(h);
        host_advance(h, 639999000);
        host_expect_nothing(h);
        host_advance(h, 1000);
        HOST_EXPECT(h, 0x8002, 0);
        HOST_EXPECT(h, 0x1008, a.id);
        if (asked == 2)
            HOST_EXPECT(h, 0x1002, a.id, 0);
        else
            assert_int_equal(at(h, RESULTS + 64)[0], 5);
        /* The host asks for what it believes to be on. */
        HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 0);
        /* And it can go on. */
        job_image(&a);
        job_store(&a, RESULTS + 128, 6);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 1);
        assert_int_equal(at(h, RESULTS + 128)[0], 6);
        host_expect_nothing(h);
        host_destroy(h);
    }
}

static void faults_are_told(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job a = job_make(h, 7, 0, GUC_COPY), b = job_make(h, 8, 1, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1);
    job_store(&a, NOT_MAPPED, 1);
    job_store(&b, RESULTS, 2);
    job_enable(&a);
    job_enable(&b);
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 1);
    HOST_EXPECT(h, 0x1002, b.id, 1);
    HOST_EXPECT(h, 0x8002, 0);
    HOST_EXPECT(h, 0x6000, a.id);
    HOST_EXPECT(h, 0x1008, a.id);
    host_expect_nothing(h);
    assert_int_equal(at(h, RESULTS)[0], 2);
    /* An image that is not there is one, too. */
    HOST_SEND(h, HOST_FAST, 0x4502, 1, 9, GUC_COPY, 1, 0, 0, 0, 0, 0, NOT_MAPPED | 1, 0);
    HOST_SEND(h, HOST_FAST, 0x1001, 9, 1);
    host_run(h);
    HOST_EXPECT(h, 0x1002, 9, 1);
    HOST_EXPECT(h, 0x8002, 0);
    HOST_EXPECT(h, 0x6000, 9);
    HOST_EXPECT(h, 0x1008, 9);
    host_destroy(h);
}

/* The host asks for the opposite while the context still leaves: each request is told once, in that order. */
static void modes_change_while_leaving(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job a = job_make(h, 5000, 0, GUC_COPY);
    job_register(&a, 1);
    job_policies(&a, 1000, 640000, 3);
    job_wait(&a, RESULTS, 1, true);
    job_enable(&a);
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 1);
    HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
    HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
    HOST_SEND(h, HOST_FAST, 0x1001, a.id, 1);
    host_run(h);
    host_expect_nothing(h);
    assert_int_equal(HOST_ASK(h, 0x1001, a.id, 0), 0xe000000a); /* that would be too much */
    at(h, RESULTS)[0] = 1;
    job_store(&a, RESULTS + 64, 7);
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 0);
    HOST_EXPECT(h, 0x1002, a.id, 0);
    HOST_EXPECT(h, 0x1002, a.id, 1);
    host_expect_nothing(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 7);
    /* Deregistered while it leaves: both are told. */
    job_wait(&a, RESULTS, 2, true);
    job_go(&a);
    host_run(h);
    HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
    HOST_SEND(h, HOST_FAST, 0x4503, a.id);
    host_run(h);
    host_expect_nothing(h);
    assert_int_equal(HOST_ASK(h, 0x1001, a.id, 1), 0xe0000100);
    at(h, RESULTS)[0] = 2;
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 0);
    HOST_EXPECT(h, 0x4600, a.id);
    host_destroy(h);
}

/* A timeout that is set while it leaves counts, if it is shorter. (Linux, xe: 1 us before it kills a queue)
 */
static void timeouts_get_shorter(void **state)
{
    (void)state;
    static const uint32_t before_us[] = {0, 640000};
    for (unsigned i = 0; i < 2; i++) {
        struct host *h = up("dg2");
        struct job a = job_make(h, 5000, 0, GUC_COPY);
        job_register(&a, 1);
        job_policies(&a, 1000, before_us[i], 3);
        job_wait(&a, RESULTS, NEVER, true);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 1);
        HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
        host_run(h);
        host_advance(h, 1000);
        host_expect_nothing(h);
        HOST_SEND(h, HOST_FAST, 0x100b, a.id, 0x20020001, 1);
        host_run(h);
        host_expect_nothing(h);
        host_advance(h, 1000);
        HOST_EXPECT(h, 0x8002, 0);
        HOST_EXPECT(h, 0x1008, a.id);
        HOST_EXPECT(h, 0x1002, a.id, 0);
        host_destroy(h);
    }
}

/* A context that is always given more work has no longer slices for it. */
static void slices_end_though_there_is_more(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job a = job_make(h, 5000, 0, GUC_COPY), b = job_make(h, 5001, 1, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1);
    job_policies(&a, 1000, 0, 3), job_policies(&b, 1000, 0, 3);
    job_wait(&a, RESULTS, NEVER, false);
    job_store(&b, RESULTS + 64, 1);
    job_enable(&a), job_enable(&b);
    for (unsigned i = 0; i < 4; i++) {
        job_store(&a, RESULTS + 128, i);
        job_go(&a);
        host_run(h);
        assert_int_equal(at(h, RESULTS + 64)[0], 0);
        host_advance(h, 250000);
    }
    assert_int_equal(at(h, RESULTS + 64)[0], 1);
    host_destroy(h);
}

/* A reset of the GuC alone leaves its contexts in the engines; a kernel that boots finds no trace of them.
 * Nothing is lost of what the host said before it was up. (SYS-16, SYS-17) */
static void kernels_begin_anew(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DEVICES; d++) {
        struct host *h = up(devices[d]);
        const uint32_t base = engine_of(h, GUC_COPY)->mmio_base;
        struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 50, 1, GUC_COPY);
        job_register(&a, 1);
        job_wait(&a, RESULTS, NEVER, true);
        job_store(&a, RESULTS + 128, 9);
        job_enable(&a);
        host_run(h);
        assert_int_equal(host_get(h, base + 0x038), a.ring);
        host_put(h, 0x941c, 1 << 3);
        host_run(h);
        assert_int_equal(host_get(h, base + 0x038), a.ring); /* it runs on */
        /* It does not hear the host yet, but will. */
        host_put(h, 0xc4c8, 0x10);
        host_put(h, 0xc4c8, 0x2);
        assert_int_equal(host_get(h, 0xc590), 0x12);
        host_boot(h);
        assert_int_equal(host_get(h, 0xc590), 0);
        host_enable_buffers(h);
        job_register(&b, 1);
        job_store(&b, RESULTS + 64, 4);
        job_enable(&b);
        host_run(h);
        HOST_EXPECT(h, 0x1002, b.id, 1);
        host_expect_nothing(h);
        assert_int_equal(at(h, RESULTS + 64)[0], 4);
        at(h, RESULTS)[0] = NEVER;
        host_run(h);
        assert_int_equal(at(h, RESULTS + 128)[0], 0);
        host_destroy(h);
    }
}

/* Of registers that are there more than once each copy is captured, and kept, that the host names; the GuC's
 * own selector is as it was. (SYS-10) */
static void copies_are_captured(void **state)
{
    (void)state;
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x1800, CAPTURES = GUC_LOG + 0x1000 + 2 * 0x1000 };
    enum { LNCF = 0xb020, SLICE = 2 };
    struct host *h = up("dg2");
    host_put(h, 0xfdc, SLICE << 27); /* one copy, by the CPU */
    host_put(h, LNCF, 0x1234);
    host_put(h, 0xfdc, 3 << 27);
    host_put(h, LNCF, 0x5678);
    host_put(h, 0xc060, 1u << 31 | 5 << 24);
    at(h, ADS + 0x111c)[GUC_COPY] = LIST;
    at(h, LIST)[0] = 3;
    memcpy(at(h, LIST + 4),
           (const uint32_t[]){LNCF, 0, SLICE << 12, 0, LNCF, 0, 2 | 3 << 12, 0, LNCF, 0, 2 | 15 << 12, 0},
           48);
    /* The same is kept over the reset, another is put in. */
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = 3;
    memcpy(at(h, KEPT),
           (const uint32_t[]){LNCF, 0, 2 | SLICE << 12, 0, LNCF, 0x9abc, 2 | 8 | 3 << 12, 0, LNCF, 0x80,
                              2 | 4 | 4 << 12, 0xf0},
           48);
    struct job a = job_make(h, 50, 0, GUC_COPY);
    job_register(&a, 1);
    job_store(&a, NOT_MAPPED, 1);
    job_enable(&a);
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 1);
    HOST_EXPECT(h, 0x8002, 0);
    const uint32_t *const class = at(h, CAPTURES) + 2 + 5;
    assert_int_equal(class[4], 3);
    assert_int_equal(class[6], 0x1234);
    assert_int_equal(class[10], 0x5678);
    assert_int_equal(class[14], 0); /* there is no such copy */
    assert_int_equal(host_get(h, 0xc060), 1u << 31 | 5 << 24);
    static const uint32_t copies[][2] = {{SLICE, 0x1234}, {3, 0x9abc}, {4, 0x80}};
    for (unsigned i = 0; i < 3; i++) {
        host_put(h, 0xfdc, copies[i][0] << 27);
        assert_int_equal(host_get(h, LNCF), copies[i][1]);
    }
    host_destroy(h);
}

/* Hosts name engines by what they are in hardware here: the second video engine is 2. (Linux, i915 and xe) */
static void engines_are_told_as_they_are(void **state)
{
    (void)state;
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x1800, CAPTURES = GUC_LOG + 0x1000 + 2 * 0x1000 };
    enum { VCS2 = 0x1d0000, POLICIES = SHARED + 0x2000 };
    for (unsigned failure = 0; failure < 2; failure++) {
        struct host *h = up("dg2");
        at(h, ADS + 0x1004)[0] = POLICIES;
        at(h, POLICIES)[19] = failure;
        at(h, ADS)[(GUC_VIDEO * 32 + 2) * 2] = KEPT;
        at(h, ADS)[(GUC_VIDEO * 32 + 2) * 2 + 1] = 1;
        memcpy(at(h, KEPT), (const uint32_t[]){VCS2 + 0x600, 0x1234, 8, 0}, 16);
        struct job a = job_make(h, 50, 0, GUC_VIDEO);
        job_register(&a, 2);
        job_store(&a, NOT_MAPPED, 1);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 1);
        HOST_EXPECT(h, 0x8002, 0);
        HOST_EXPECT(h, 0x6000, a.id);
        const uint32_t *const instance = at(h, CAPTURES) + 2 + 5 + 5;
        assert_int_equal(instance[1], 2 | GUC_VIDEO << 4 | 2 << 8);
        assert_int_equal(instance[2], a.lrca);
        if (failure)
            HOST_EXPECT(h, 0x1009, GUC_VIDEO, 2, 0);
        else
            HOST_EXPECT(h, 0x1008, a.id);
        assert_int_equal(host_get(h, VCS2 + 0x600), failure ? 0 : 0x1234);
        host_destroy(h);
    }
}

/* What the host forbids is not done: the engine stays as it is, and that is told. */
static void failures_are_told(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    at(h, ADS + 0x1004)[0] = SHARED + 0x1000;
    at(h, SHARED + 0x1000)[19] = 1;
    struct job a = job_make(h, 7, 0, GUC_COPY);
    job_register(&a, 1);
    job_store(&a, NOT_MAPPED, 1);
    job_enable(&a);
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 1);
    HOST_EXPECT(h, 0x8002, 0);
    HOST_EXPECT(h, 0x6000, a.id);
    HOST_EXPECT(h, 0x1009, GUC_COPY, 0, 0);
    host_expect_nothing(h);
    host_run(h);
    host_expect_nothing(h);
    /* Until all is reset. */
    host_put(h, 0x941c, 1);
    host_boot(h);
    host_enable_buffers(h);
    at(h, SHARED + 0x1000)[19] = 0;
    job_image(&a);
    job_register(&a, 1);
    job_store(&a, RESULTS, 8);
    job_enable(&a);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 8);
    host_destroy(h);
}

/* What one capture, or one reset that keeps registers, takes of the budget: each register its part, however
 * many the host names. */
static uint64_t charged_for(uint32_t captured, uint32_t kept)
{
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x2800 };
    struct host *h = up("dg2");
    at(h, ADS + 0x109c)[GUC_COPY] = LIST;
    at(h, LIST)[0] = captured;
    for (uint32_t i = 0; i < captured && i < 256; i++)
        at(h, LIST + 4)[i * 4] = 0x038; /* RING_BUFFER_START */
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = kept;
    for (uint32_t i = 0; i < kept; i++)
        at(h, KEPT)[i * 4] = engine_of(h, GUC_COPY)->mmio_base + 0x094; /* NOPID */
    struct job a = job_make(h, 0x1234, 0, GUC_COPY);
    job_register(&a, 1);
    job_store(&a, NOT_MAPPED, 1);
    host_run(h);
    const uint64_t before_dw = h->device->witness.charged_dw;
    job_enable(&a);
    host_run(h);
    const uint64_t charged_dw = h->device->witness.charged_dw - before_dw;
    host_destroy(h);
    return charged_dw;
}

static void captures_and_resets_are_charged(void **state)
{
    (void)state;
    enum { A_REGISTER_DW = 200 / 10 };
    const uint64_t none = charged_for(0, 0), some = charged_for(100, 0), many = charged_for(200, 0),
                   kept = charged_for(0, 100);
    assert_in_range(some - none, 100 * A_REGISTER_DW, 100 * A_REGISTER_DW * 2);
    assert_in_range(many - some, 100 * A_REGISTER_DW, 100 * A_REGISTER_DW * 2);
    assert_in_range(kept - none, 2 * 100 * A_REGISTER_DW,
                    2 * 100 * A_REGISTER_DW * 2); /* read, and written */
    /* A list that is longer than there may be registers costs as many as are taken. */
    assert_in_range(charged_for(0xffff, 0) - none, 256 * A_REGISTER_DW, 256 * A_REGISTER_DW * 2);
}

/* Registers that the host named are found in the log, with the context that hung; others are kept over the
 * reset. */
static void states_are_captured(void **state)
{
    (void)state;
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x1800, CAPTURES = GUC_LOG + 0x1000 + 2 * 0x1000 };
    struct host *h = up("dg2");
    const uint32_t base = engine_of(h, GUC_COPY)->mmio_base;
    at(h, ADS + 0x109c)[GUC_COPY] = LIST;
    at(h, LIST)[0] = 2;
    at(h, LIST)[1] = 0x038; /* RING_BUFFER_START */
    at(h, LIST)[5] = 0x068; /* IPEHR */
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = 1;
    at(h, KEPT)[0] = base + 0x080;
    host_put(h, base + 0x080, 0x4d0000);
    struct job a = job_make(h, 0x1234, 0, GUC_COPY);
    job_register(&a, 1);
    job_store(&a, NOT_MAPPED, 1);
    job_enable(&a);
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 1);
    HOST_EXPECT(h, 0x8002, 0);
    const uint32_t *const log = at(h, CAPTURES), *const instance = log + 2 + 5 + 5;
    assert_int_equal(at(h, GUC_LOG + 72)[3], (2 + 15 + 8) * 4); /* written so far */
    assert_int_equal(at(h, GUC_LOG + 72)[5], (2 + 15 + 8) * 4);
    assert_int_equal(log[1], 3);
    assert_int_equal(log[3], GUC_COPY << 4);
    assert_int_equal(instance[1], 2 | GUC_COPY << 4);
    assert_int_equal(instance[2], a.lrca); /* without its flags (Linux, xe_guc_capture.c) */
    assert_int_equal(instance[3], a.id);
    assert_int_equal(instance[4], 2);
    assert_int_equal(instance[5], 0x038);
    assert_int_equal(instance[6], a.ring);
    assert_int_equal(instance[10], STORE);
    assert_int_equal(host_get(h, base + 0x080), 0x4d0000);
    assert_int_equal(host_get(h, base + 0x038), 0); /* it was reset */
    /* A log that nobody reads is full at some time, and says so. */
    unsigned full = 0;
    for (unsigned i = 0; i < 100 && !full; i++) {
        uint32_t dw[256];
        job_image(&a);
        job_store(&a, NOT_MAPPED, 1);
        job_enable(&a);
        host_run(h);
        for (uint32_t length; (length = host_receive(h, dw, NULL));)
            full += dw[0] == 0x90008002 && dw[1] == 1;
    }
    assert_int_equal(full, 1);
    host_destroy(h);
}

/* Empty when firmware has booted, in parts as long as the host says; told of when the host asks. */
static void logs_have_states(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    memset(at(h, GUC_LOG), 0x5a, 0x1000);
    host_boot(h);
    host_enable_buffers(h);
    for (unsigned part = 0; part < 3; part++) {
        const uint32_t want[9] = {[4] = 0x1000};
        assert_memory_equal(at(h, GUC_LOG) + part * 9, want, sizeof want);
    }
    assert_int_equal(at(h, GUC_LOG)[27], 0x5a5a5a5a);
    HOST_SEND(h, HOST_FAST, 0x40, 0x31);
    HOST_SEND(h, HOST_FAST, 0x302, 0);
    host_run(h);
    uint32_t dw[256];
    assert_int_equal(host_receive(h, dw, NULL), 1);
    assert_int_equal(dw[0], 0x90008003);
    assert_int_equal(at(h, GUC_LOG)[7], 1); /* to be read */
    assert_int_equal(at(h, GUC_LOG)[9 + 7], 1);
    assert_int_equal(at(h, GUC_LOG)[18 + 7], 0); /* captures are told of by themselves */
    HOST_SEND(h, HOST_FAST, 0x30, 0);
    host_run(h);
    host_expect_nothing(h);
    host_destroy(h);
}

static void registrations_are_checked(void **state)
{
    (void)state;
    enum { MOST_BYTES = 1 << 20 };
    struct host *h = up("dg2");
    struct job a = job_make(h, 7, 0, GUC_COPY);
#define REGISTER(...) HOST_ASK(h, 0x4502, __VA_ARGS__)
    assert_int_equal(REGISTER(1, 65535, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xe0000104);
    assert_int_equal(REGISTER(1, 0xffffffff, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xe0000104);
    assert_int_equal(REGISTER(1, 7, 5, 1, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xe0000060);
    assert_int_equal(REGISTER(1, 7, 0xffffffff, 1, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xe0000060);
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 2, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xe0000060);
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 0, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xe0000060);
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xf0000000);
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | 1, 0), 0xe0000101);
    assert_int_equal(HOST_ASK(h, 0x1000, 8), 0xe0000100);
    assert_int_equal(HOST_ASK(h, 0x1000, 0x10007), 0xe0000104);
    assert_int_equal(HOST_ASK(h, 0x1001, 8, 1), 0xe0000100);
    assert_int_equal(HOST_ASK(h, 0x1001, 7, 2), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x4503, 8), 0xe0000100);
    assert_int_equal(HOST_ASK(h, 0x100b, 8, 0x20010001, 1), 0xe0000100);
    assert_int_equal(HOST_ASK(h, 0x100b, 7, 0x20010002, 1), 0xe0000103);
    assert_int_equal(HOST_ASK(h, 0x100b, 7, 0x2001ffff, 1), 0xe0000103);
    assert_int_equal(HOST_ASK(h, 0x100b, 7, 0x20030001, 4), 0xe0000050);
    assert_int_equal(HOST_ASK(h, 0x100b, 7, 0x20010001, 100000001), 0xe0000050);
    assert_int_equal(HOST_ASK(h, 0x100b, 7, 0x20040001, 1, 0x20050001, 5), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x506, NOT_MAPPED), 0xe0000080);
    /* Parallel: from an engine that is named on as many as contexts, each id free. */
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 20, GUC_COPY, 1, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 20, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 0, 1, 0), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 20, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 3, 1, 0, 1, 0), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 6, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0), 0xe0000101);
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 65534, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0), 0xe0000104);
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 20, GUC_VIDEO, 2, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0), 0xe0000060);
    /* Its queue has 1 MB at most. */
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 20, GUC_VIDEO, 1, 0, 0, 0, 0, MOST_BYTES + 4, 2, 1, 0, 1, 0),
                     0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 20, GUC_VIDEO, 1, 0, 0, 0, 0, 0xfffffffc, 2, 1, 0, 1, 0),
                     0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x4601, 1, 20, GUC_VIDEO, 1, 0, 0, 0, 0, MOST_BYTES, 2, 1, 0, 1, 0),
                     0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x1000, 21), 0xe0000104); /* a child */
    host_destroy(h);
}

/* Two contexts beside each other, each waits for the other; the GuC writes their tails. */
static void parallel_contexts_run(void **state)
{
    (void)state;
    enum { QUEUE_AT = SHARED + 0x1000, QUEUE_BYTES = 64 };
    for (unsigned wrong = 0; wrong < 6; wrong++) {
        struct host *h = up("dg2");
        struct job a = job_make(h, 20, 0, GUC_VIDEO), b = job_make(h, 21, 1, GUC_VIDEO);
        job_store(&a, RESULTS, 1);
        job_wait(&a, RESULTS + 64, 1, true);
        job_store(&a, RESULTS + 128, 3);
        job_wait(&b, RESULTS, 1, true);
        job_store(&b, RESULTS + 64, 1);
        for (unsigned i = 0; i < 2; i++)
            at(h, (i ? b : a).lrca + DRIVER_IMAGE_OFFSET)[7] = 0;
        uint32_t *const descriptor = at(h, QUEUE_AT - 64), *const queue = at(h, QUEUE_AT);
        const uint32_t items[] = {2 << 16 | 4,           0, 0,         4 << 16 | 5, a.lrca,
                                  20 | a.tail / 8 << 18, 0, b.tail / 8};
        memcpy(queue, items, sizeof items);
        descriptor[1] = sizeof items;
        descriptor[3] = 1;
        switch (wrong) {
        case 1:
            queue[3] = 0xffff0005;
            break;
        case 2:
            queue[3] = 4 << 16 | 9;
            break;
        case 3:
            descriptor[0] = 0xfffffffc;
            break;
        case 4:
            queue[5] = 19;
            break;
        case 5:
            descriptor[1] = 2;
            break;
        default:
            break;
        }
        HOST_SEND(h, HOST_FAST, 0x4601, 1, 20, GUC_VIDEO, wrong ? 3 : 1, QUEUE_AT - 64, 0, QUEUE_AT, 0,
                  QUEUE_BYTES, 2, a.lrca | 1, 0, b.lrca | 1, 0);
        job_enable(&a);
        job_go(&a);
        host_run(h);
        HOST_EXPECT(h, 0x1002, 20, 1);
        host_expect_nothing(h);
        if (wrong) {
            assert_int_equal(descriptor[3], 3);
            assert_int_equal(at(h, RESULTS + 128)[0], 0);
        } else {
            assert_int_equal(descriptor[0], sizeof items);
            assert_int_equal(descriptor[3], 1);
            assert_int_equal(at(h, RESULTS + 128)[0], 3);
            HOST_SEND(h, HOST_FAST, 0x1001, 20, 0);
            HOST_SEND(h, HOST_FAST, 0x4503, 20);
            host_run(h);
            HOST_EXPECT(h, 0x1002, 20, 0);
            HOST_EXPECT(h, 0x4600, 20);
            assert_int_equal(HOST_ASK(h, 0x1000, 21), 0xe0000100);
        }
        host_destroy(h);
    }
}

/* SYS-14: both kinds. */
static void doorbells_ring(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 51, 1, GUC_VIDEO);
    job_register(&a, 1), job_register(&b, 3);
    job_enable(&a), job_enable(&b);
    host_run(h);
    HOST_EXPECT(h, 0x1002, 50, 1);
    HOST_EXPECT(h, 0x1002, 51, 1);
    assert_int_equal(HOST_ASK(h, 0x10, 52, 0, 0, 0x400000), 0xe0000100);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 256, 0, 0x400000), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x3ff000), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x800000), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x400800), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 1, SHARED + 4), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 1, NOT_MAPPED), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x7ff000), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x10, 51, 255, 0, 0x7fe000), 0xe0000101);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 254, 0, 0x7fe000), 0xe0000101);
    at(h, SHARED)[0] = 1;
    assert_int_equal(HOST_ASK(h, 0x10, 51, 3, 1, SHARED), 0xf0000000);
    assert_int_equal(host_get(h, 0x3ff7f8), 0x7ff001);
    assert_int_equal(host_get(h, 0x1018), SHARED | 1);
    /* Software cannot arm one. */
    host_put(h, 0x3ff7f8, 0);
    host_put(h, 0x1018, 0);
    assert_int_equal(host_get(h, 0x3ff7f8), 0x7ff001);
    assert_int_equal(host_get(h, 0x1018), SHARED | 1);
    job_store(&a, RESULTS, 1);
    job_store(&b, RESULTS + 64, 2);
    host_put(h, 0x7fe000, 1); /* nobody's */
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 0);
    host_put(h, 0x7ff000, 1);
    host_put(h, 0x7ff000, 1); /* collapses */
    assert_int_equal(host_get(h, 0x191c), 1u << 31);
    host_run(h);
    assert_int_equal(host_get(h, 0x191c), 0);
    assert_int_equal(at(h, RESULTS)[0], 1);
    assert_int_equal(at(h, RESULTS + 64)[0], 0);
    at(h, SHARED)[1] = 1;
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 2);
    /* A line that begins with zero is none any more. */
    at(h, SHARED)[0] = 0;
    host_run(h);
    assert_int_equal(host_get(h, 0x1018), 0);
    at(h, SHARED)[0] = 1;
    job_store(&b, RESULTS + 64, 3);
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 2);
    assert_int_equal(HOST_ASK(h, 0x20, 50), 0xf0000000);
    assert_int_equal(host_get(h, 0x3ff7f8), 0);
    host_destroy(h);
}

enum { PINS = 0xc540, CORE_READY = 0xc560, DOORBELL_CTRL = 0xc570, DB_ISR = 0xc5a0 };
#define TO_CORE (1u << 31)

static void enable_guc_interrupts(struct host *h)
{
    host_put(h, 0x190008, 1u << 31);
    host_put(h, 0x190010, 1u << 31);
    host_put(h, 0x190038, 0xffffu << 16);
    host_put(h, 0x1900e8, 0);
}

/* What the GuC interrupts the host for. */
static uint32_t guc_identity(struct host *h)
{
    if (!(host_get(h, 0x190018) >> 25 & 1u))
        return 0;
    host_put(h, 0x190070, 1u << 25);
    const uint32_t identity = host_get(h, 0x190060);
    host_put(h, 0x190060, identity);
    host_put(h, 0x190018, 1u << 25);
    return identity;
}

/* SYS-14: 1024 pages, of which 256 can ring; each rings its own doorbell and no other. A line of memory that
 * has rung is what any of the two kinds is. */
static void pages_ring_their_doorbells(void **state)
{
    (void)state;
    enum { IDS = 1000 };
    struct host *h = up("atsm");
    struct job a = job_make(h, IDS, 0, GUC_COPY);
    for (uint32_t i = 0; i < 256; i++) {
        a.id = IDS + i;
        job_register(&a, 1);
        const uint32_t place = i % 3 == 2 ? SHARED + i * 64 : 0x400000 + (i * 4 + i % 4) * 0x1000;
        at(h, SHARED)[i * 16] = 1;
        assert_int_equal(HOST_ASK(h, 0x10, a.id, i, i % 3 == 2, place), 0xf0000000);
        assert_int_equal(host_get(h, (i % 3 == 2 ? 0x1000 : 0x3ff000) + i * 8), place | 1);
        assert_int_equal(host_get(h, (i % 3 == 2 ? 0x3ff000 : 0x1000) + i * 8), 0);
    }
    for (uint32_t page = 0; page < 1024; page++) {
        host_put(h, 0x400000 + page * 0x1000, page);
        const uint32_t i = page / 4;
        const bool rings = page % 4 == i % 4 && i % 3 != 2;
        for (uint32_t group = 0; group < 8; group++)
            assert_int_equal(host_get(h, 0x1900 + group * 4), rings && group == i / 32 ? 1u << i % 32 : 0);
        host_run(h);
        assert_int_equal(host_get(h, 0x1900 + i / 32 * 4), 0);
    }
    const uint64_t before = h->device->guc.totals.doorbells;
    for (uint32_t i = 2; i < 256; i += 3) {
        at(h, SHARED)[i * 16 + 2] = 1; /* behind the cookie: nothing */
        host_run(h);
        assert_int_equal(h->device->guc.totals.doorbells, before + i / 3);
        at(h, SHARED)[i * 16] = i % 2 ? 2 : 1;
        at(h, SHARED)[i * 16 + 1] = 1;
        host_run(h);
        assert_int_equal(h->device->guc.totals.doorbells, before + i / 3 + 1);
    }
    host_destroy(h);
}

/* SYS-14, SYS-16: by groups of 32, told when the first of a group rings; to the host, or to the core. */
static void doorbells_are_routed(void **state)
{
    (void)state;
    enum { NUMBER = 40, GROUP = 1, BIT = 1 << 8, PAGE = 0x405000 };
    for (unsigned d = 0; d < DEVICES; d++) {
        struct host *h = host_create(devices[d]);
        assert_int_equal(host_get(h, DOORBELL_CTRL), 0); /* to the host */
        host_boot(h);
        host_enable_buffers(h);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE);
        struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 51, 1, GUC_COPY);
        job_register(&a, 1), job_register(&b, 1);
        job_enable(&a), job_enable(&b);
        host_run(h);
        HOST_EXPECT(h, 0x1002, 50, 1);
        HOST_EXPECT(h, 0x1002, 51, 1);
        assert_int_equal(HOST_ASK(h, 0x10, 50, NUMBER, 0, PAGE), 0xf0000000);
        assert_int_equal(HOST_ASK(h, 0x10, 51, 255, 0, PAGE + 0x1000), 0xf0000000);
        enable_guc_interrupts(h);
        while (guc_identity(h))
            ;
        /* To the core: two groups, each until they are looked at. */
        host_put(h, PAGE, 1);
        host_put(h, PAGE + 0x1000, 1);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1 << GROUP | 1 << 7);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), 0);
        host_put(h, DOORBELL_CTRL, TO_CORE); /* software does not clear them */
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1 << GROUP | 1 << 7);
        host_run(h);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE);
        assert_int_equal(guc_identity(h), 0);
        /* To the host. */
        host_put(h, DOORBELL_CTRL, 0);
        job_store(&a, RESULTS, 1);
        for (unsigned twice = 0; twice < 2; twice++) {
            host_put(h, PAGE, 1);
            assert_int_equal(guc_identity(h), 0x80040400);
            assert_int_equal(host_get(h, DB_ISR + GROUP * 4), BIT);
            assert_int_equal(host_get(h, 0x1900 + GROUP * 4), 0);
        }
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        host_put(h, DB_ISR + GROUP * 4, ~(uint32_t)BIT);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), BIT);
        host_put(h, DB_ISR + GROUP * 4, BIT);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), 0);
        host_put(h, DOORBELL_CTRL, TO_CORE);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        /* What is not served yet is, when the core is told; saved and loaded before. */
        host_put(h, DOORBELL_CTRL, 0);
        host_put(h, PAGE, 1);
        reload(h->device);
        host_put(h, DOORBELL_CTRL, TO_CORE);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 1);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), 0);
        /* Resets take it. */
        host_put(h, PAGE, 1);
        host_put(h, 0x941c, 1 << 3);
        assert_int_equal(host_get(h, DOORBELL_CTRL), 0);
        assert_int_equal(host_get(h, 0x1900 + GROUP * 4), 0);
        assert_int_equal(host_get(h, 0x3ff000 + NUMBER * 8), 0);
        host_destroy(h);
    }
}

/* SYS-16: a group without a pin is not heard, and nothing of it is lost; nor before the core is ready. */
static void groups_have_pins(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(host_get(h, PINS + i * 4), 0x1f1f1f1f);
    assert_int_equal(host_get(h, CORE_READY), 0);
    host_boot(h);
    host_enable_buffers(h);
    assert_int_equal(host_get(h, CORE_READY), 1);
    static const uint32_t offsets[] = {PINS + 12, CORE_READY}, bits[] = {0x1f00, 1}, off[] = {0x1f00, 0};
    for (unsigned i = 0; i < 2; i++) { /* group 13: the host */
        const uint32_t before = host_get(h, offsets[i]);
        host_put(h, offsets[i], (before & ~bits[i]) | off[i]);
        HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
        host_put(h, 0xc4c8, 0x80);
        host_run(h);
        host_expect_nothing(h);
        assert_int_equal(host_get(h, 0xc590), 0x80);
        host_put(h, offsets[i], before);
        assert_int_equal(host_get(h, 0xc590), 0);
        host_run(h);
        uint32_t dw[256];
        assert_int_equal(host_receive(h, dw, NULL), 1);
        assert_int_equal(dw[0], 0xf0000000);
    }
    struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 51, 1, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1);
    job_enable(&a), job_enable(&b);
    host_run(h);
    HOST_EXPECT(h, 0x1002, 50, 1);
    HOST_EXPECT(h, 0x1002, 51, 1);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 0, 0, 0x400000), 0xf0000000);
    const uint32_t doorbells = host_get(h, PINS);
    host_put(h, PINS, doorbells | 0x1f);
    job_store(&a, RESULTS, 1);
    host_put(h, 0x400000, 1);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 0);
    assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1);
    host_put(h, PINS, doorbells);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 1);
    /* The one whose pin is more urgent is first; the other's store is the last. */
    static const uint8_t pins[] = {12, 17, 22, 25, 27};
    for (unsigned doorbell = 0; doorbell < 5; doorbell++)
        for (unsigned host = 0; host < 5; host++) {
            if (doorbell == host)
                continue;
            host_put(h, PINS, (doorbells & ~0x1fu) | pins[doorbell]);
            host_put(h, PINS + 12, (host_get(h, PINS + 12) & ~0x1f00u) | (uint32_t)pins[host] << 8);
            job_store(&a, RESULTS, 1);
            job_store(&b, RESULTS, 2);
            host_put(h, 0x400000, 1);
            job_go(&b);
            host_run(h);
            assert_int_equal(at(h, RESULTS)[0], doorbell > host ? 2 : 1);
        }
    host_destroy(h);
}

/* A fence of a compute engine waits for the GuC. */
static void compute_engines_are_let_go_on(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job a = job_make(h, 50, 0, 4);
    job_register(&a, 1);
    job_add(&a, (const uint32_t[]){STORE, a.lrca + 0x540, 0, 1}, 4);
    job_wait(&a, a.lrca + 0x540, 0, true);
    job_store(&a, RESULTS, 9);
    job_enable(&a);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 9);
    host_destroy(h);
}

/* SYS-17: what an engine says while there is no GuC waits for whoever reads it, by halves; one that boots
 * takes it. */
static void statuses_wait(void **state)
{
    (void)state;
    enum { PORT = 0xc680, COUNT = 0xc6c0, SECOND = 1 }; /* of the second engine */
    for (unsigned read = 0; read < 2; read++) {
        struct host *h = up("dg2");
        struct job a = job_make(h, 50, 0, GUC_COPY);
        job_register(&a, 1);
        job_wait(&a, RESULTS, 1, true);
        job_enable(&a);
        host_run(h);
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 0);
        assert_int_equal(host_get(h, PORT + SECOND * 4), 0);
        host_put(h, 0x941c, 1 << 3);
        at(h, RESULTS)[0] = 1;
        host_run(h);
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 1);
        /* All engines' reset leaves it. */
        host_put(h, 0x941c, 1);
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 1);
        if (read) {
            const struct switch_report r = {.reasons = 1u << 3 | 1u << 4, .from = {a.lrca | 0x119, 50 << 7}};
            uint32_t dw[2];
            engine_of(h, GUC_COPY)->status.entry(&r, dw);
            assert_int_equal(host_get(h, PORT + SECOND * 4), dw[0]);
            assert_int_equal(host_get(h, COUNT + SECOND * 4), 1);
            assert_int_equal(host_get(h, PORT + SECOND * 4), dw[1]);
        } else {
            host_boot(h);
        }
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 0);
        host_destroy(h);
    }
}

/* Both forms of records: since when an engine is busy, and how long it was. */
static void engines_are_seen_busy(void **state)
{
    (void)state;
    enum { RECORDS = SHARED + 0x4000, ACTIVITY = SHARED + 0xa000, METADATA = SHARED + 0x9000 };
    struct host *h = up("dg2");
    uint32_t *const record = at(h, RECORDS + GUC_COPY * 32 * 32), *const activity =
                                                                      at(h, ACTIVITY + GUC_COPY * 32 * 16);
    assert_int_equal(HOST_ASK(h, 0x550a, RECORDS, 0), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x550c, METADATA, 0, ACTIVITY, 0), 0xf0000000);
    const uint32_t hz = at(h, METADATA)[0];
    struct job a = job_make(h, 50, 0, GUC_COPY);
    job_register(&a, 1);
    job_wait(&a, RESULTS, 1, true);
    host_advance(h, 3000000);
    job_enable(&a);
    host_run(h);
    assert_int_equal(record[0], 50);
    assert_int_equal(record[1], hz / 1000 * 3);
    assert_int_equal(activity[1], hz / 1000 * 3);
    host_advance(h, 5000000);
    at(h, RESULTS)[0] = 1;
    host_run(h);
    assert_int_equal(record[0], 0xffffffff);
    assert_int_equal(record[1], 0);
    assert_int_equal(record[3], hz / 1000 * 5);
    assert_int_equal(activity[2], hz / 1000 * 5);
    assert_int_equal(at(h, METADATA)[2], 2);
    host_destroy(h);
}

/* A client's reset forgets everything, in the middle of anything. */
static void clients_are_reset(void **state)
{
    (void)state;
    struct host *h = up("dg2");
    struct job a = job_make(h, 50, 0, GUC_COPY);
    for (unsigned i = 0; i < 3; i++) {
        job_image(&a);
        job_register(&a, 1);
        job_wait(&a, RESULTS, NEVER, true);
        job_enable(&a);
        host_run(h);
        assert_int_equal(host_mailbox(h, 0x5507, 0, 0, 0), 0xf0000000);
        host_enable_buffers(h);
        job_image(&a);
        job_register(&a, 1);
        job_store(&a, RESULTS + 64, i + 1);
        job_enable(&a);
        host_run(h);
        assert_int_equal(at(h, RESULTS + 64)[0], i + 1);
        assert_int_equal(host_mailbox(h, 0x5507, 0, 0, 0), 0xf0000000);
        host_enable_buffers(h);
    }
    host_destroy(h);
}

/* Saved in the middle, loaded into another device: it goes on there. */
static void states_are_loaded(void **state)
{
    (void)state;
    struct host *h = up("dg2"), *other = host_create("dg2");
    struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 60000, 1, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1);
    job_policies(&a, 1000, 1000, 3), job_policies(&b, 1000, 1000, 3);
    job_wait(&a, RESULTS, NEVER, true);
    job_store(&b, RESULTS + 64, 4);
    job_enable(&a), job_enable(&b);
    host_run(h);
    host_advance(h, 1500000);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    other->head_dw = h->head_dw, other->tail_dw = h->tail_dw;
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    struct blob again = saved(other->device);
    assert_int_equal(blob.size, again.size);
    assert_memory_equal(blob.bytes, again.bytes, blob.size);
    struct host *both[] = {h, other};
    for (unsigned i = 0; i < 2; i++) {
        host_advance(both[i], 2000000);
        HOST_EXPECT(both[i], 0x1002, 50, 1);
        HOST_EXPECT(both[i], 0x1002, 60000, 1);
        HOST_EXPECT(both[i], 0x8002, 0);
        HOST_EXPECT(both[i], 0x1008, 50);
        assert_int_equal(at(both[i], RESULTS + 64)[0], 4);
    }
    free(blob.bytes);
    free(again.bytes);
    host_destroy(h);
    host_destroy(other);
}

/* A state in which a context that is not registered has a turn is none. */
static void made_up_turns_are_refused(void **state)
{
    (void)state;
    enum { REGISTERED = 7 };
    struct host *h = up("dg2"), *other = host_create("dg2");
    struct guc *const g = &h->device->guc;
    struct job a = job_make(h, REGISTERED, 0, GUC_COPY);
    job_register(&a, 1);
    host_run(h);
    static const uint32_t ids[] = {REGISTERED, REGISTERED + 1, 0, GUC_CONTEXTS - 1};
    for (unsigned i = 0; i < 4; i++) {
        guc_context_used(g, ids[i]);
        guc_context(g, ids[i])->turn = ids[i] + 1;
        const struct blob b = saved(h->device);
        guc_context(g, ids[i])->turn = 0;
        assert_int_equal(softgt_load(other->device, b.bytes, b.size), ids[i] == REGISTERED ? 0 : -EINVAL);
        free(b.bytes);
    }
    host_destroy(h);
    host_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boots),
        cmocka_unit_test(source_needs_no_space),
        cmocka_unit_test(protected_memory_is_locked),
        cmocka_unit_test(illegal_copies_are_refused),
        cmocka_unit_test(copies_fall_off_the_edge),
        cmocka_unit_test(memories_are_copied),
        cmocka_unit_test(memories_hold_what_is_copied),
        cmocka_unit_test(malformed_firmware_does_not_boot),
        cmocka_unit_test(huc_is_copied),
        cmocka_unit_test(huc_is_authenticated),
        cmocka_unit_test(mailbox_answers),
        cmocka_unit_test(buffers_are_configured),
        cmocka_unit_test(requests_are_answered),
        cmocka_unit_test(lengths_are_checked),
        cmocka_unit_test(rings_wrap),
        cmocka_unit_test(messages_begin_everywhere),
        cmocka_unit_test(waiting_messages_are_kept),
        cmocka_unit_test(broken_rings_are_told),
        cmocka_unit_test(other_formats_are_refused),
        cmocka_unit_test(buffers_are_not_looked_at_without_a_cause),
        cmocka_unit_test(full_rings_wait),
        cmocka_unit_test(power_is_managed),
        cmocka_unit_test(invalidations_are_done_in_order),
        cmocka_unit_test(keys_are_walked),
        cmocka_unit_test(messages_are_told_by_name),
        cmocka_unit_test(contexts_run),
        cmocka_unit_test(frequency_follows_work),
        cmocka_unit_test(power_is_saved),
        cmocka_unit_test(many_contexts_run),
        cmocka_unit_test(equals_wait_in_line),
        cmocka_unit_test(slices_end),
        cmocka_unit_test(hangs_are_recovered),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(modes_change_while_leaving),
        cmocka_unit_test(timeouts_get_shorter),
        cmocka_unit_test(slices_end_though_there_is_more),
        cmocka_unit_test(kernels_begin_anew),
        cmocka_unit_test(copies_are_captured),
        cmocka_unit_test(engines_are_told_as_they_are),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(states_are_captured),
        cmocka_unit_test(captures_and_resets_are_charged),
        cmocka_unit_test(logs_have_states),
        cmocka_unit_test(registrations_are_checked),
        cmocka_unit_test(parallel_contexts_run),
        cmocka_unit_test(doorbells_ring),
        cmocka_unit_test(pages_ring_their_doorbells),
        cmocka_unit_test(doorbells_are_routed),
        cmocka_unit_test(groups_have_pins),
        cmocka_unit_test(compute_engines_are_let_go_on),
        cmocka_unit_test(statuses_wait),
        cmocka_unit_test(engines_are_seen_busy),
        cmocka_unit_test(clients_are_reset),
        cmocka_unit_test(states_are_loaded),
        cmocka_unit_test(made_up_turns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
