/* SYS-13, SYS-15: firmware by DMA, and what a GuC boots with. */
#include "../suite.h"
#include "../guc_host.h"
#include "saved.h"

#define FOUR_BYTES_OF(byte) ((byte)*UINT32_C(0x01010101))

/* ---- SYS-13, SYS-15: load and boot ---- */

static void boots(void **state)
{
    (void)state;
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_create(host_devices[d]);
        assert_int_equal(host_get(h, "GUC_STATUS"), 1);
        for (unsigned i = 0; i < 3; i++) {
            host_boot(h);
            assert_int_equal(host_field(h, "DMA_CTRL", "Start"), 0);
            host_reset_guc(h);
            assert_int_equal(host_get(h, "GDRST"), 0);
            assert_int_equal(host_field(h, "GUC_STATUS", "In Reset"), 1);
        }
        /* Full reset, too. */
        host_boot(h);
        host_put(h, "GDRST", GDRST_FULL);
        assert_int_equal(host_field(h, "GUC_STATUS", "In Reset"), 1);
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
    host_dma_ends(h, (struct dma_end){0, FIRMWARE}, (struct dma_end){DMA_WOPCM, KERNEL_OFFSET}, bytes);
    host_dma_start(h, DMA_GUC_KERNEL);
    host_run(h);
    assert_int_equal(host_get(h, "GUC_STATUS"), host_ready_status(h));
    assert_int_equal(h->complaints, 0);
    host_destroy(h);
}

static void protected_memory_is_locked(void **state)
{
    enum { LOCKED = 1 << 0, LOADS_HUC = 1 << 1 };
    (void)state;
    struct host *h = host_create("dg2");
    host_put(h, "GUC_WOPCM_SIZE", WOPCM_BYTES);
    host_put(h, "DMA_GUC_WOPCM_OFFSET", WOPCM_OFFSET | LOADS_HUC);
    assert_int_equal(host_get(h, "GUC_WOPCM_SIZE"), WOPCM_BYTES | LOCKED);
    assert_int_equal(host_get(h, "DMA_GUC_WOPCM_OFFSET"), WOPCM_OFFSET | LOADS_HUC | LOCKED);
    host_put(h, "GUC_WOPCM_SIZE", 1 * MB);
    host_put(h, "GDRST", GDRST_FULL);
    assert_int_equal(host_get(h, "GUC_WOPCM_SIZE"), WOPCM_BYTES | LOCKED);
    host_destroy(h);
}

/* What of the DMA's registers is changed, and why it must refuse then. */
static const struct {
    const char *why, *name;
    uint32_t value;
    bool no_wopcm, running;
} illegal[] = {
    {"protected memory not programmed", NULL, 0, .no_wopcm = true},
    {"it does not fit: size", "DMA_COPY_SIZE", 4 * MB},
    {"it does not fit: place", "DMA_ADDR_1_LOW", WOPCM_BYTES - PAGE_BYTES},
    {"it does not fit: wraps around", "DMA_ADDR_1_LOW", UINT32_MAX - PAGE_BYTES + 1},
    {"size 0", "DMA_COPY_SIZE", 0},
    {"low bits differ", "DMA_ADDR_1_LOW", KERNEL_OFFSET + 32},
    {"a kernel into the GGTT", "DMA_ADDR_1_HIGH", DMA_GGTT << 16},
    {"a kernel below the SRAM", "DMA_ADDR_1_HIGH", 0},
    {"a source that does not exist", "DMA_ADDR_0_HIGH", 31 << 16},
    {"a destination that does not exist", "DMA_ADDR_1_HIGH", 5 << 16},
    {"a kernel runs", NULL, 0, .running = true},
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
        const uint32_t bytes = host_firmware(h, FIRMWARE), before = host_get(h, "GUC_STATUS");
        host_dma_ends(h, (struct dma_end){DMA_GGTT, FIRMWARE}, (struct dma_end){DMA_WOPCM, KERNEL_OFFSET},
                      bytes);
        if (illegal[i].name)
            host_put(h, illegal[i].name, illegal[i].value);
        host_dma_start(h, DMA_GUC_KERNEL);
        host_run(h);
        if (host_get(h, "GUC_STATUS") != before || !h->complaints || !strstr(h->said, "refused"))
            fail_msg("%s: status %x, '%s'", illegal[i].why, host_get(h, "GUC_STATUS"), h->said);
        assert_int_equal(host_field(h, "DMA_CTRL", "Start"), 0);
        host_destroy(h);
    }
}

/* The SRAM. */
enum { SRAM_FIRST = 32 * KB, SRAM_END = GUC_SRAM_END };
static void copies_fall_off_the_edge(void **state)
{
    (void)state;
    static const struct {
        uint32_t to, bytes;
        bool good;
    } copies[] = {{SRAM_FIRST, SRAM_END - SRAM_FIRST, true},
                  {SRAM_FIRST, SRAM_END - SRAM_FIRST + 64, false},
                  {SRAM_END - 64, 64, true},
                  {SRAM_END, 64, false},
                  {0, 64, false}};
    for (unsigned i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        struct host *h = host_create("dg2");
        host_dma_ends(h, (struct dma_end){DMA_GGTT, FIRMWARE}, (struct dma_end){0, copies[i].to},
                      copies[i].bytes);
        host_dma_start(h, 0);
        assert_int_equal(h->complaints == 0, copies[i].good);
        host_destroy(h);
    }
    enum { BYTES = 8 * KB - 64, COPIED = RESULTS + 16 * KB };
    /* From memory to memory, and with the ends swapped. */
    for (unsigned swapped = 0; swapped < 2; swapped++) {
        struct host *h = host_create("dg2");
        memset(at(h, RESULTS), 0x5a, BYTES + 64);
        host_dma_ends(h, (struct dma_end){DMA_GGTT, swapped ? COPIED : RESULTS},
                      (struct dma_end){DMA_GGTT, swapped ? RESULTS : COPIED}, BYTES);
        host_dma_start(h, swapped ? DMA_SWAP : 0);
        assert_memory_equal(at(h, RESULTS), at(h, COPIED), BYTES);
        assert_int_equal(at(h, COPIED)[BYTES / 4], 0);
        assert_int_equal(h->complaints, 0);
        host_destroy(h);
    }
}

/* Every memory to every other; 0 is the GGTT as a source, the SRAM as a destination. */
static void memories_are_copied(void **state)
{
    (void)state;
    enum { FAR = 4660 /* address 47:32 */, BYTES = 4 * KB + 64, COPIED = RESULTS + 32 * KB };
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_create(host_devices[d]);
        struct driver_ppgtt ppgtt;
        assert_true(driver_ppgtt_make(&h->driver, &ppgtt, 0));
        assert_true(driver_map(&h->driver, &ppgtt, (uint64_t)FAR << 32, RESULTS, 64 * KB, PAGE_BYTES));
        host_put(h, "GUC_CTXT_INFO", 3 << 3);
        host_put(h, "GUC_PDP[0]", (uint32_t)ppgtt.root[0]);
        host_put(h, "GUC_PDP[0]_UDW", (uint32_t)(ppgtt.root[0] >> 32));
        host_wopcm(h);
        memset(at(h, RESULTS), 0x5a, BYTES);
        for (uint32_t from = 0; from < 32; from++)
            for (uint32_t to = 0; to < 32; to++) {
                host_put(h, "GUC_PPGTT_ENABLE", 1);
                memset(at(h, COPIED), 0, BYTES + 4);
                h->complaints = 0;
                host_put(h, "GUC_DMA_IIR", 1);
                host_put(h, "DMA_ADDR_0_LOW",
                         from == DMA_PPGTT                       ? 0
                         : from == DMA_SRAM || from == DMA_WOPCM ? (uint32_t)SRAM_FIRST
                                                                 : (uint32_t)RESULTS);
                host_put(h, "DMA_ADDR_0_HIGH", from << 16 | (from == DMA_PPGTT ? FAR : 0));
                host_put(h, "DMA_ADDR_1_LOW", to == DMA_GGTT ? COPIED : SRAM_FIRST);
                host_put(h, "DMA_ADDR_1_HIGH", to << 16 | (to == DMA_PPGTT ? FAR : 0));
                host_put(h, "DMA_COPY_SIZE", BYTES);
                host_dma_start(h, 0);
                const bool good = (from == 0 || (from >= DMA_SRAM && from <= DMA_PPGTT)) &&
                                  (to == 0 || (to >= DMA_SRAM && to <= DMA_PPGTT));
                assert_int_equal(host_get(h, "DMA_CTRL"), 0);
                assert_int_equal(h->complaints, !good);
                assert_int_equal(host_get(h, "GUC_DMA_IIR"), good);
                const bool seen = good && (to == DMA_GGTT || to == DMA_PPGTT);
                assert_int_equal(memcmp(at(h, RESULTS), at(h, COPIED), BYTES) == 0, seen);
                assert_int_equal(at(h, COPIED)[BYTES / 4], 0);
                if (!good || from != DMA_PPGTT)
                    continue;
                /* Without its registers there is no PPGTT. */
                host_put(h, "GUC_PPGTT_ENABLE", 0);
                memset(at(h, COPIED), 0, BYTES);
                h->complaints = 0;
                host_dma_start(h, 0);
                assert_int_equal(h->complaints, 1);
                assert_int_equal(at(h, COPIED)[0], 0);
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
    host_put(h, "DMA_COPY_SIZE", PAGE_BYTES);
    for (uint32_t space = DMA_SRAM; space <= DMA_WOPCM; space++) {
        memset(at(h, RESULTS), (int)space, PAGE_BYTES);
        host_put(h, "DMA_ADDR_0_LOW", RESULTS);
        host_put(h, "DMA_ADDR_0_HIGH", DMA_GGTT << 16);
        host_put(h, "DMA_ADDR_1_LOW", 64 * KB);
        host_put(h, "DMA_ADDR_1_HIGH", space << 16);
        host_dma_start(h, 0);
    }
    host_reset_guc(h);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t space = DMA_SRAM; space <= DMA_WOPCM; space++) {
            memset(at(other, RESULTS), 0x5a, PAGE_BYTES);
            host_wopcm(other);
            host_put(other, "DMA_COPY_SIZE", PAGE_BYTES);
            host_put(other, "DMA_ADDR_0_LOW", 64 * KB);
            host_put(other, "DMA_ADDR_0_HIGH", space << 16);
            host_put(other, "DMA_ADDR_1_LOW", RESULTS);
            host_put(other, "DMA_ADDR_1_HIGH", DMA_GGTT << 16);
            host_dma_start(other, 0);
            assert_int_equal(at(other, RESULTS)[PAGE_BYTES / 4 - 1], round ? 0 : FOUR_BYTES_OF(space));
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
    } wrong[] = {{1, 0}, {1, UINT32_MAX}, {6, 0},  {6, 161}, {6, UINT32_MAX},
                 {7, 0}, {7, 1u << 31},   {8, 63}, {9, 2}};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct host *h = host_create("dg2");
        host_wopcm(h);
        const uint32_t bytes = host_firmware(h, FIRMWARE);
        at(h, FIRMWARE)[wrong[i].dw] = wrong[i].value;
        host_dma(h, FIRMWARE, KERNEL_OFFSET, bytes, DMA_GUC_KERNEL);
        host_run(h);
        /* Bad signature, told by the boot ROM. */
        assert_int_equal(host_get(h, "GUC_STATUS"),
                         REGISTER_BITS(h->device, "GUC_STATUS", {"Authentication", .value_name = "bad"},
                                       {"Boot ROM", .value_name = "signature wrong"}));
        assert_int_equal(host_mailbox(h, H2G("GET_HWCONFIG"), 0, 0, 0), H2G("GET_HWCONFIG")); /* no answer */
        host_boot(h);
        host_destroy(h);
    }
    struct host *h = host_create("dg2");
    host_wopcm(h);
    host_dma(h, NOT_MAPPED, KERNEL_OFFSET, host_firmware(h, FIRMWARE), DMA_GUC_KERNEL);
    assert_int_equal(host_field(h, "GUC_STATUS", "Authentication"), GUC_AUTH_BAD);
    /* What it is told when it boots is not there. */
    host_reset_guc(h);
    host_put(h, "SOFT_SCRATCH[5]", NOT_MAPPED >> 12 << 1); /* ADS */
    host_dma(h, FIRMWARE, KERNEL_OFFSET, host_firmware(h, FIRMWARE), DMA_GUC_KERNEL);
    host_run(h);
    assert_int_equal(host_field(h, "GUC_STATUS", "Kernel"), GUC_KERNEL_DATA_INVALID);
    host_destroy(h);
}

/* A copy of 64 bytes from the GGTT; whether it is done. */
static bool copies(struct host *h, uint32_t to, uint32_t space, uint32_t bits)
{
    host_put(h, "GUC_DMA_IIR", 1);
    host_dma_ends(h, (struct dma_end){DMA_GGTT, FIRMWARE}, (struct dma_end){space, to}, 64);
    host_dma_start(h, bits);
    host_put(h, "DMA_CTRL", bits << 16);
    return host_get(h, "GUC_DMA_IIR");
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
            assert_true(copies(h, KERNEL_OFFSET, DMA_WOPCM, 0));
            host_put(h, "SOFT_SCRATCH[5]", NOT_MAPPED >> 12 << 1); /* ADS */
            host_dma(h, FIRMWARE, KERNEL_OFFSET, host_firmware(h, FIRMWARE), DMA_GUC_KERNEL);
            host_run(h);
            const uint32_t gave_up =
                REGISTER_BITS(h->device, "GUC_STATUS", {"Authentication", .value_name = "good"},
                              {"Kernel", .value_name = "initial data invalid"},
                              {"Boot ROM", .value_name = "jumped to the kernel"});
            assert_int_equal(host_get(h, "GUC_STATUS"), gave_up);
            if (again)
                reload(h->device);
            for (uint32_t space = DMA_SRAM; space <= DMA_GGTT; space++) {
                h->complaints = 0;
                assert_false(copies(h, space == DMA_GGTT ? RESULTS : 64 * KB, space, 0));
                assert_int_equal(h->complaints, 1);
                assert_non_null(strstr(h->said, "kernel has failed"));
            }
            assert_int_equal(at(h, RESULTS)[0], 0);
            host_dma(h, FIRMWARE, KERNEL_OFFSET, DRIVER_FIRMWARE_BYTES, DMA_GUC_KERNEL);
            host_dma(h, FIRMWARE, 0, WOPCM_OFFSET, DMA_HUC_KERNEL);
            assert_int_equal(host_get(h, "GUC_STATUS"), gave_up);
            assert_int_equal(host_get(h, "HUC_STATUS2"), 0);
            host_put(h, "GDRST", again ? 1 : 1 << 3);
            assert_true(copies(h, KERNEL_OFFSET, DMA_WOPCM, 0));
            host_boot(h);
            host_reset_guc(h);
            /* Wrong. */
            host_firmware(h, FIRMWARE);
            at(h, FIRMWARE)[1] = 0;
            host_dma(h, FIRMWARE, KERNEL_OFFSET, DRIVER_FIRMWARE_BYTES, DMA_GUC_KERNEL);
            assert_int_equal(host_field(h, "GUC_STATUS", "Authentication"), GUC_AUTH_BAD);
            assert_true(copies(h, KERNEL_OFFSET, DMA_WOPCM, 0));
            host_destroy(h);
        }
}

/* SYS-13, SYS-15, 1084 and 1137: the GuC's kernel may go to SRAM, and behind its edge, where the core has
 * protected memory; nothing else may. */
static void a_kernel_straddles_sram(void **state)
{
    (void)state;
    enum { BYTES = DRIVER_FIRMWARE_BYTES };
    static const struct {
        uint32_t to, bits;
        bool wopcm, good;
    } t[] = {{SRAM_FIRST, DMA_GUC_KERNEL, false, true},
             {SRAM_FIRST, DMA_GUC_KERNEL, true, true},
             {SRAM_END - BYTES, DMA_GUC_KERNEL, false, true},
             {SRAM_END - BYTES + 64, DMA_GUC_KERNEL, true, true},
             {SRAM_END - 64, DMA_GUC_KERNEL, true, true},
             {SRAM_END - 64, DMA_GUC_KERNEL, false, false},
             {SRAM_END, DMA_GUC_KERNEL, true, false},
             {SRAM_FIRST - 64, DMA_GUC_KERNEL, true, false},
             {SRAM_END - 64, 0, true, false},
             {SRAM_FIRST, DMA_HUC_KERNEL, true, false},
             {SRAM_END - BYTES + 64, DMA_HUC_KERNEL, true, false}};
    for (unsigned d = 0; d < HOST_DEVICES; d++)
        for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
            struct host *h = host_create(host_devices[d]);
            if (t[i].wopcm)
                host_wopcm(h);
            host_dma_ends(h, (struct dma_end){DMA_GGTT, FIRMWARE}, (struct dma_end){DMA_SRAM, t[i].to},
                          host_firmware(h, FIRMWARE));
            host_dma_start(h, t[i].bits);
            host_put(h, "DMA_CTRL", t[i].bits << 16);
            assert_int_equal(host_get(h, "GUC_DMA_IIR"), t[i].good);
            assert_int_equal(h->complaints, !t[i].good);
            host_run(h);
            assert_int_equal(host_get(h, "GUC_STATUS"), t[i].good ? host_ready_status(h) : 1);
            host_reset_guc(h);
            /* All of it is there: in SRAM, then in protected memory at the core's address. */
            for (uint32_t at_byte = 0; t[i].good && at_byte < BYTES; at_byte += 64) {
                const uint32_t place = t[i].to + at_byte;
                host_dma_ends(h, (struct dma_end){(place < SRAM_END ? 6u : 7u), place},
                              (struct dma_end){DMA_GGTT, RESULTS}, 64);
                host_dma_start(h, 0);
                assert_memory_equal(at(h, RESULTS), at(h, FIRMWARE + at_byte), 64);
            }
            /* It straddles by no more than protected memory holds. */
            if (t[i].wopcm && t[i].good) {
                host_dma_ends(h, (struct dma_end){DMA_GGTT, FIRMWARE},
                              (struct dma_end){DMA_SRAM, SRAM_END - 64}, WOPCM_BYTES - SRAM_END + 128);
                host_dma_start(h, DMA_GUC_KERNEL);
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
    enum { WOPCM_TOP = WOPCM_BYTES, PAGE = 6 * MB };
    const uint32_t no_wopcm = SRAM_FIRST, large = UINT32_MAX - PAGE_BYTES + 1;
    /* The end of what the core reaches: then registers. */
    const uint32_t end = UINT32_MAX - 8 * MB + 1;
    const struct {
        uint32_t address, wopcm;
        bool good;
    } t[] = {{0, WOPCM_TOP, false},
             {SRAM_FIRST - PAGE_BYTES, WOPCM_TOP, false},
             {64 * KB, WOPCM_TOP, false},
             {SRAM_END, WOPCM_TOP, false},
             {1 * MB, WOPCM_TOP, false},
             {WOPCM_TOP - PAGE_BYTES, WOPCM_TOP, false},
             {WOPCM_TOP, WOPCM_TOP, true},
             {PAGE, WOPCM_TOP, true},
             {end - PAGE_BYTES, WOPCM_TOP, true},
             {end, WOPCM_TOP, false},
             {end + 1 * MB, WOPCM_TOP, false},
             {large, WOPCM_TOP, false},
             {SRAM_END - PAGE_BYTES, no_wopcm, false},
             {SRAM_END, no_wopcm, true},
             {2 * MB - PAGE_BYTES, large, false},
             {PAGE, large, true}};
    for (unsigned d = 0; d < HOST_DEVICES; d++)
        for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
            struct host *h = host_create(host_devices[d]);
            host_put(h, "GUC_WOPCM_SIZE", t[i].wopcm);
            host_boot(h);
            softgt_bar_write(h->device, 0,
                             softgt_info(h->device)->mmio_bytes + t[i].address / 4096 * UINT64_C(8), PAGE | 1,
                             8);
            memset(at(h, PAGE), 0x5a, PAGE_BYTES);
            uint32_t size = GUC_REPLY(host_mailbox(h, H2G("GET_HWCONFIG"), 0, 0, 0));
            assert_in_range(size, 4, PAGE_BYTES);
            h->complaints = 0;
            const uint32_t answer = host_mailbox(h, H2G("GET_HWCONFIG"), t[i].address, 0, size);
            assert_int_equal(answer >> 28, (t[i].good ? SUCCESS : FAILURE(ADDRESS)) >> 28);
            assert_int_equal(at(h, PAGE)[0] != FOUR_BYTES_OF(0x5a), t[i].good);
            assert_int_equal(h->complaints != 0, !t[i].good);
            /* Nor is it read there: a buffer of messages. */
            const uint32_t buffer = t[i].address;
            memset(at(h, PAGE), 0, PAGE_BYTES);
            memset(at(h, H2G_DESCRIPTOR), 0, 64), memset(at(h, G2H_DESCRIPTOR), 0, 64);
            at(h, PAGE)[0] = ctb_header(1, 2), at(h, PAGE)[1] = H2G("DEREGISTER_CONTEXT"), at(h, PAGE)[2] = 5;
            driver_guc_enable_ct(h->device, &(struct driver_ctbs){buffer, H2G_DESCRIPTOR, PAGE_BYTES,
                                                                  G2H_BUFFER, G2H_DESCRIPTOR, G2H_BYTES});
            at(h, H2G_DESCRIPTOR)[CTB_TAIL] = 3;
            host_interrupt(h);
            host_run(h);
            assert_int_equal(at(h, G2H_DESCRIPTOR)[CTB_TAIL] != 0, t[i].good);
            /* The DMA names memories by their numbers: to it the GGTT is all of it. */
            host_reset_guc(h);
            memset(at(h, FIRMWARE), 0x77, 64);
            assert_true(copies(h, t[i].address, DMA_GGTT, 0));
            assert_int_equal(at(h, PAGE)[0], FOUR_BYTES_OF(0x77));
            host_destroy(h);
        }
}

static void huc_is_copied(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    host_wopcm(h);
    assert_int_equal(host_get(h, "BOOT_HASH_CHK") >> 8 & 1, 0);
    host_dma(h, FIRMWARE, 0, WOPCM_OFFSET, DMA_HUC_KERNEL);
    assert_int_equal(host_get(h, "BOOT_HASH_CHK") >> 8 & 1, 1);
    assert_int_equal(host_get(h, "HUC_STATUS2") >> 7 & 1, 1);
    assert_int_equal(host_get(h, "GUC_STATUS"), 1);
    /* It does not fit below the GuC's place. */
    h->complaints = 0;
    host_dma(h, FIRMWARE, 0, WOPCM_OFFSET + 64, DMA_HUC_KERNEL);
    assert_int_equal(h->complaints, 1);
    host_destroy(h);
    /* One that is not there was tried. */
    h = host_create("dg2");
    host_wopcm(h);
    host_dma(h, NOT_MAPPED, 0, WOPCM_OFFSET, DMA_HUC_KERNEL);
    assert_int_equal(host_get(h, "BOOT_HASH_CHK") >> 8 & 1, 1);
    assert_int_equal(host_get(h, "HUC_STATUS2") >> 7 & 1, 0);
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
            host_dma(h, FIRMWARE, 0, WOPCM_OFFSET, DMA_HUC_KERNEL);
        assert_int_equal(host_get(h, "GUC_DMA_IIR"),
                         copied); /* the DMA interrupts, until there is who looks */
        host_dma(h, FIRMWARE, KERNEL_OFFSET, host_firmware(h, FIRMWARE), DMA_GUC_KERNEL);
        assert_int_equal(host_get(h, "GUC_DMA_IIR"), 1);
        host_run(h);
        assert_int_equal(host_get(h, "GUC_DMA_IIR"), 0);
        host_enable_buffers(h);
        assert_int_equal(host_get(h, "HUC_KERNEL_LOAD_INFO"), 0);
        assert_int_equal(HOST_ASK(h, "AUTHENTICATE_HUC", RESULTS),
                         copied ? SUCCESS : FAILURE(CANNOT_COMPLETE));
        assert_int_equal(host_get(h, "HUC_KERNEL_LOAD_INFO"), copied);
        host_reset_guc(h);
        assert_int_equal(host_get(h, "HUC_KERNEL_LOAD_INFO"), 0);
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
