/* SYS-13, SYS-15: firmware by DMA, and what a GuC boots with. */
#include "../suite.h"
#include "../guc_host.h"
#include "saved.h"

/* ---- SYS-13, SYS-15: load and boot ---- */

static void boots(void **state)
{
    (void)state;
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_create(host_devices[d]);
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
    {"a kernel below the SRAM", 0xc30c, 0},
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
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_create(host_devices[d]);
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

/* A copy of 64 bytes from the GGTT; whether it is done. */
static bool copies(struct host *h, uint32_t to, uint32_t space, uint32_t bits)
{
    host_put(h, 0xc594, 1);
    host_put(h, 0xc300, FIRMWARE);
    host_put(h, 0xc304, 8 << 16);
    host_put(h, 0xc308, to);
    host_put(h, 0xc30c, space << 16);
    host_put(h, 0xc310, 64);
    host_put(h, 0xc314, (bits | 1) << 16 | bits | 1);
    host_put(h, 0xc314, bits << 16);
    return host_get(h, 0xc594);
}

/* SYS-15, 981 and 1133: a kernel that was authenticated and jumped to is loaded; that it gives up leaves the
 * DMA to it until it is reset. One whose signature is wrong was never loaded. */
static void one_that_gave_up_has_the_dma(void **state)
{
    (void)state;
    for (unsigned d = 0; d < HOST_DEVICES; d++)
        for (unsigned again = 0; again < 2; again++) {
            struct host *h = host_create(host_devices[d]);
            host_wopcm(h);
            assert_true(copies(h, 0x2000, 7, 0));
            host_put(h, 0xc184 + 4 * 4, NOT_MAPPED >> 12 << 1);
            host_dma(h, FIRMWARE, 0x2000, host_firmware(h, FIRMWARE), 1 << 4);
            host_run(h);
            const uint32_t gave_up = 2u << 30 | 0x71 << 8 | 0x76 << 1;
            assert_int_equal(host_get(h, 0xc000), gave_up);
            if (again)
                reload(h->device);
            for (uint32_t space = 6; space <= 8; space++) {
                h->complaints = 0;
                assert_false(copies(h, space == 8 ? RESULTS : 0x10000, space, 0));
                assert_int_equal(h->complaints, 1);
                assert_non_null(strstr(h->said, "kernel has failed"));
            }
            assert_int_equal(at(h, RESULTS)[0], 0);
            host_dma(h, FIRMWARE, 0x2000, DRIVER_FIRMWARE_BYTES, 1 << 4);
            host_dma(h, FIRMWARE, 0, 0x4000, 1 << 9);
            assert_int_equal(host_get(h, 0xc000), gave_up);
            assert_int_equal(host_get(h, 0xd3b0), 0);
            host_put(h, 0x941c, again ? 1 : 1 << 3);
            assert_true(copies(h, 0x2000, 7, 0));
            host_boot(h);
            host_put(h, 0x941c, 1 << 3);
            /* Wrong. */
            host_firmware(h, FIRMWARE);
            at(h, FIRMWARE)[1] = 0;
            host_dma(h, FIRMWARE, 0x2000, DRIVER_FIRMWARE_BYTES, 1 << 4);
            assert_int_equal(host_get(h, 0xc000) >> 30, 1);
            assert_true(copies(h, 0x2000, 7, 0));
            host_destroy(h);
        }
}

/* SYS-13, SYS-15, 1084 and 1137: the GuC's kernel may go to SRAM, and behind its edge, where the core has
 * protected memory; nothing else may. */
static void a_kernel_straddles_sram(void **state)
{
    (void)state;
    enum { SRAM_FIRST = 0x8000, SRAM_END = 0x88000, BYTES = DRIVER_FIRMWARE_BYTES };
    static const struct {
        uint32_t to, bits;
        bool wopcm, good;
    } t[] = {{SRAM_FIRST, 1 << 4, false, true},
             {SRAM_FIRST, 1 << 4, true, true},
             {SRAM_END - BYTES, 1 << 4, false, true},
             {SRAM_END - BYTES + 64, 1 << 4, true, true},
             {SRAM_END - 64, 1 << 4, true, true},
             {SRAM_END - 64, 1 << 4, false, false},
             {SRAM_END, 1 << 4, true, false},
             {SRAM_FIRST - 64, 1 << 4, true, false},
             {SRAM_END - 64, 0, true, false},
             {SRAM_FIRST, 1 << 9, true, false},
             {SRAM_END - BYTES + 64, 1 << 9, true, false}};
    for (unsigned d = 0; d < HOST_DEVICES; d++)
        for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
            struct host *h = host_create(host_devices[d]);
            if (t[i].wopcm)
                host_wopcm(h);
            host_put(h, 0xc300, FIRMWARE);
            host_put(h, 0xc304, 8 << 16);
            host_put(h, 0xc308, t[i].to);
            host_put(h, 0xc30c, 6 << 16);
            host_put(h, 0xc310, host_firmware(h, FIRMWARE));
            host_put(h, 0xc314, (t[i].bits | 1) << 16 | t[i].bits | 1);
            host_put(h, 0xc314, t[i].bits << 16);
            assert_int_equal(host_get(h, 0xc594), t[i].good);
            assert_int_equal(h->complaints, !t[i].good);
            host_run(h);
            assert_int_equal(host_get(h, 0xc000), t[i].good ? 0x8000f0ec : 1);
            host_put(h, 0x941c, 1 << 3);
            /* All of it is there: in SRAM, then in protected memory at the core's address. */
            for (uint32_t at_byte = 0; t[i].good && at_byte < BYTES; at_byte += 64) {
                const uint32_t place = t[i].to + at_byte;
                host_put(h, 0xc300, place);
                host_put(h, 0xc304, (place < SRAM_END ? 6u : 7u) << 16);
                host_put(h, 0xc308, RESULTS);
                host_put(h, 0xc30c, 8 << 16);
                host_put(h, 0xc310, 64);
                host_put(h, 0xc314, 0x10001);
                assert_memory_equal(at(h, RESULTS), at(h, FIRMWARE + at_byte), 64);
            }
            /* It straddles by no more than protected memory holds. */
            if (t[i].wopcm && t[i].good) {
                host_put(h, 0xc300, FIRMWARE);
                host_put(h, 0xc304, 8 << 16);
                host_put(h, 0xc308, SRAM_END - 64);
                host_put(h, 0xc30c, 6 << 16);
                host_put(h, 0xc310, 0x1f3000 - SRAM_END + 128);
                host_put(h, 0xc314, 0x110011);
                assert_int_equal(h->complaints, 1);
                assert_non_null(strstr(h->said, "does not fit into the WOPCM"));
            }
            host_destroy(h);
        }
}

/* SYS-13, 1080-1086: what the core has of the GGTT is what lies between its own memory and the registers,
 * whatever is mapped elsewhere. */
static void the_core_has_graphics_memory_between(void **state)
{
    (void)state;
    enum { WOPCM_TOP = 0x1f3000, SRAM_END = 0x88000, PAGE = 0x600000 };
    static const struct {
        uint32_t address, wopcm;
        bool good;
    } t[] = {{0, WOPCM_TOP, false},
             {0x7000, WOPCM_TOP, false},
             {0x10000, WOPCM_TOP, false},
             {SRAM_END, WOPCM_TOP, false},
             {0x100000, WOPCM_TOP, false},
             {WOPCM_TOP - 0x1000, WOPCM_TOP, false},
             {WOPCM_TOP, WOPCM_TOP, true},
             {PAGE, WOPCM_TOP, true},
             {0xff7ff000, WOPCM_TOP, true},
             {0xff800000, WOPCM_TOP, false},
             {0xff900000, WOPCM_TOP, false},
             {0xfffff000, WOPCM_TOP, false},
             {SRAM_END - 0x1000, 0x8000, false},
             {SRAM_END, 0x8000, true},
             {0x1ff000, 0xfffff000, false},
             {PAGE, 0xfffff000, true}};
    for (unsigned d = 0; d < HOST_DEVICES; d++)
        for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
            struct host *h = host_create(host_devices[d]);
            host_put(h, 0xc050, t[i].wopcm);
            host_boot(h);
            softgt_bar_write(h->device, 0,
                             softgt_info(h->device)->mmio_bytes + t[i].address / 4096 * UINT64_C(8), PAGE | 1,
                             8);
            memset(at(h, PAGE), 0x5a, 0x1000);
            uint32_t size = host_mailbox(h, 0x4100, 0, 0, 0) & 0xfffffff;
            assert_in_range(size, 4, 0x1000);
            h->complaints = 0;
            const uint32_t answer = host_mailbox(h, 0x4100, t[i].address, 0, size);
            assert_int_equal(answer >> 28, t[i].good ? 15 : 14);
            assert_int_equal(at(h, PAGE)[0] != 0x5a5a5a5a, t[i].good);
            assert_int_equal(h->complaints != 0, !t[i].good);
            /* Nor is it read there: a buffer of messages. */
            const uint32_t buffer = t[i].address;
            memset(at(h, PAGE), 0, 0x1000);
            memset(at(h, H2G_DESCRIPTOR), 0, 64), memset(at(h, G2H_DESCRIPTOR), 0, 64);
            at(h, PAGE)[0] = 1 << 16 | 2, at(h, PAGE)[1] = 0x4503, at(h, PAGE)[2] = 5;
            driver_guc_enable_ct(h->device, &(struct driver_ctbs){buffer, H2G_DESCRIPTOR, 0x1000, G2H_BUFFER,
                                                                  G2H_DESCRIPTOR, G2H_BYTES});
            at(h, H2G_DESCRIPTOR)[1] = 3;
            host_put(h, 0x1901f0, 0);
            host_run(h);
            assert_int_equal(at(h, G2H_DESCRIPTOR)[1] != 0, t[i].good);
            /* The DMA names memories by their numbers: to it the GGTT is all of it. */
            host_put(h, 0x941c, 1 << 3);
            memset(at(h, FIRMWARE), 0x77, 64);
            assert_true(copies(h, t[i].address, 8, 0));
            assert_int_equal(at(h, PAGE)[0], 0x77777777);
            host_destroy(h);
        }
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

TEST_PROGRAM(guc_boot_test)
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
        cmocka_unit_test(one_that_gave_up_has_the_dma),
        cmocka_unit_test(a_kernel_straddles_sram),
        cmocka_unit_test(the_core_has_graphics_memory_between),
        cmocka_unit_test(huc_is_copied),
        cmocka_unit_test(huc_is_authenticated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
