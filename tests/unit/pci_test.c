/* The PCI function through library calls: configuration space, BAR sizing, pin and message, resets. */
#include <softgt/softgt.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/pci_regs.h>

#include "../suite.h"
#include "device/device.h"
#include "../words.h"

enum {
    INTEL = 0x8086,
    GMCH_CONTROL = 0x50, /* GGC: the size of the GGTT's table */
    GMCH_TABLE_2M_GEN6 = 2 << 8,
    GMCH_TABLE_8M = 3 << 6,
    GMCH_STOLEN_8M = 0xf1 << 8,
    ENABLED = PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER,
    D3HOT = 3,
    GGTT_TABLE = 8 << 20, /* in BAR 0 */
    PTE_PRESENT = 1,
};
#define DEIER_MASTER (1u << 31)

struct host {
    struct softgt *device;
    unsigned messages, edges;
    bool level;
};

static bool no_memory(void *user, uint64_t address, void *data, size_t bytes)
{
    (void)user, (void)address;
    memset(data, 0, bytes);
    return true;
}

static void on_msi(void *user, unsigned vector)
{
    assert_int_equal(vector, 0);
    ((struct host *)user)->messages++;
}

static void on_intx(void *user, bool asserted)
{
    struct host *h = user;
    h->level = asserted;
    h->edges++;
}

static void open_device(struct host *h, const char *name)
{
    *h = (struct host){0};
    const struct softgt_config config = {
        .device = name, .memory = {.user = h, .read = no_memory}, .interrupt = {h, on_msi, on_intx}};
    assert_int_equal(softgt_create(&config, &h->device), 0);
}

static uint32_t reg_get(struct softgt *d, const char *name)
{
    return (uint32_t)softgt_bar_read(d, SOFTGT_BAR_GTTMMADR, register_offset(d, name), 4);
}

static void reg_put(struct softgt *d, const char *name, uint32_t value)
{
    softgt_bar_write(d, SOFTGT_BAR_GTTMMADR, register_offset(d, name), value, 4);
}

static uint32_t capability(const struct softgt *d, uint32_t id)
{
    uint32_t at = softgt_pci_config_read(d, PCI_CAPABILITY_LIST, 1);
    for (unsigned i = 0; at && i < 16; i++) {
        if (softgt_pci_config_read(d, at, 1) == id)
            return at;
        at = softgt_pci_config_read(d, at + 1, 1);
    }
    return 0;
}

/* An id finds its product. Ids without a product find none. */
static void ids(void **state)
{
    (void)state;
    static const uint16_t strange[] = {0, 0x2a02 /* Crestline */, 0x2a42 /* Cantiga */, UINT16_MAX};
    const struct softgt_device_info *info;
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++)
        assert_null(softgt_device_by_pci_id(strange[i]));
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++)
        if (info->pci_device_id)
            assert_ptr_equal(softgt_device_by_pci_id(info->pci_device_id), info);
    /* Data: ids as Linux lists them in include/drm/intel/pciids.h. */
    static const struct {
        uint16_t id;
        const char *name;
    } products[] = {
        {0x0126, "snb"}, {0x1606, "bdw"},     {0x162b, "bdw-gt3"}, {0x191b, "skl"}, {0x193b, "skl-gt3"},
        {0x5917, "kbl"}, {0x87c0, "kbl"},     {0x5927, "kbl-gt3"}, {0x3e9b, "cfl"}, {0x3ea0, "cfl"},
        {0x87ca, "cfl"}, {0x3ea8, "cfl-gt3"}, {0x9b41, "cml"},     {0x9bf6, "cml"}, {0x8a71, "icl"},
        {0x4541, "ehl"}, {0x4e55, "jsl"},     {0x9840, "lkf"},     {0x0156, "ivb"}, {0x0a1e, "hsw"},
        {0x0c06, "hsw"}, {0x0d2e, "hsw"},     {0x9a60, "tgl"},     {0x4688, "tgl"}, {0x46d2, "tgl"},
        {0xa780, "tgl"}, {0xa7a0, "tgl"},     {0xa7ac, "tgl"},     {0x4c8b, "rkl"},
    };
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        assert_ptr_equal(softgt_device_by_pci_id(products[i].id), softgt_device_find(products[i].name));
    assert_int_equal(softgt_device_find("cl")->pci_device_id, 0);
    assert_int_equal(softgt_device_find("ctg")->pci_device_id, 0);
}

static void header_and_bars(void **state)
{
    (void)state;
    const struct softgt_device_info *info;
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++) {
        struct host h;
        open_device(&h, info->name);
        struct softgt *d = h.device;
        assert_int_equal(softgt_pci_config_read(d, PCI_VENDOR_ID, 4),
                         INTEL | (uint32_t)info->pci_device_id << 16);
        const bool no_io = info->local_bytes || strcmp(info->name, "lnl") == 0;
        const bool no_vga = strncmp(info->name, "atsm", 4) == 0;
        assert_int_equal(softgt_pci_config_read(d, PCI_CLASS_REVISION, 4),
                         (uint32_t)(no_vga ? PCI_DISPLAY : PCI_VGA) << 8 | info->pci_revision);
        assert_int_equal(softgt_pci_config_read(d, PCI_STATUS, 2), PCI_STATUS_CAP_LIST);
        assert_int_equal(softgt_pci_config_read(d, PCI_INTERRUPT_PIN, 1), 1);
        /* Sizing, as firmware does it. */
        static const struct {
            unsigned bar;
            uint32_t flags;
        } bars[] = {{0, PCI_BASE_ADDRESS_MEM_TYPE_64},
                    {2, PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH},
                    {4, PCI_BASE_ADDRESS_SPACE_IO}};
        for (size_t n = 0; n < (no_io ? 2 : 3); n++) {
            struct softgt_bar_info bar;
            const uint32_t at = PCI_BASE_ADDRESS_0 + bars[n].bar * 4;
            assert_true(softgt_bar_get_info(d, bars[n].bar, &bar));
            assert_int_equal(softgt_pci_config_read(d, at, 4), bars[n].flags);
            softgt_pci_config_write(d, at, UINT32_MAX, 4);
            assert_int_equal(softgt_pci_config_read(d, at, 4),
                             (uint32_t) ~(bar.size_bytes - 1) | bars[n].flags);
            if (bar.is_64_bit) {
                softgt_pci_config_write(d, at + 4, UINT32_MAX, 4);
                assert_int_equal(softgt_pci_config_read(d, at + 4, 4), UINT32_MAX);
            }
        }
        struct softgt_bar_info none;
        static const unsigned absent[] = {1, 3, 5, 6, 99, 4};
        for (size_t n = 0; n < (no_io ? 6 : 5); n++)
            assert_false(softgt_bar_get_info(d, absent[n], &none));
        assert_int_equal(softgt_pci_config_read(d, PCI_BASE_ADDRESS_5, 4), 0);
        /* Read-only registers do not change. */
        softgt_pci_config_write(d, 0, 0, 4);
        softgt_pci_config_write(d, GMCH_CONTROL, UINT16_MAX, 2);
        assert_int_equal(softgt_pci_config_read(d, PCI_DEVICE_ID, 2), info->pci_device_id);
        assert_int_equal(softgt_pci_config_read(d, GMCH_CONTROL, 2),
                         (info->mmio_bytes == 2 << 20 ? GMCH_TABLE_2M_GEN6 : GMCH_TABLE_8M) |
                             (no_io && !info->local_bytes ? GMCH_STOLEN_8M : 0));
        softgt_pci_config_write(d, PCI_CFG_SPACE_SIZE - 2, UINT32_MAX, 4); /* past the end */
        assert_int_equal(softgt_pci_config_read(d, PCI_CFG_SPACE_SIZE, 4),
                         info->local_bytes ? PCI_EXT_CAP_ID_REBAR | 1u << 16 /* version */ : 0);
        assert_true(capability(d, PCI_CAP_ID_MSI) && capability(d, PCI_CAP_ID_PM));
        assert_int_equal(softgt_pci_config_bytes(d),
                         capability(d, PCI_CAP_ID_EXP) ? PCI_CFG_SPACE_EXP_SIZE : PCI_CFG_SPACE_SIZE);
        softgt_destroy(d);
    }
}

/* Local memory is BAR 2. The resizable BAR capability tells and changes its size. (PCI Express 3.0, 7.22) The
 * device is an endpoint without I/O ports. */
static void local_memory_is_a_bar(void **state)
{
    (void)state;
    enum {
        REBAR = PCI_CFG_SPACE_SIZE,
        SIZES = REBAR + PCI_REBAR_CAP,
        CONTROL = REBAR + PCI_REBAR_CTRL,
        BAR_2 = PCI_BASE_ADDRESS_2,
        VALUE = 12345678,
    };
    static const char *const names[] = {"dg2", "atsm"};
    static const struct {
        uint64_t mb;
        uint32_t sizes, n;
    } all[] = {
        {0, 1u << (4 + 8), 8}, {64, 1u << (4 + 6), 6}, {1024, 7u << (4 + 8), 10}, {2048, 15u << (4 + 8), 11}};
    for (size_t i = 0; i < 8; i++) {
        struct host h = {0};
        const struct softgt_config config = {.device = names[i % 2],
                                             .memory = {.user = &h, .read = no_memory},
                                             .local_bytes = all[i / 2].mb << 20};
        assert_int_equal(softgt_create(&config, &h.device), 0);
        struct softgt *d = h.device;
        struct softgt_bar_info bar;
        const uint32_t express = capability(d, PCI_CAP_ID_EXP), n = all[i / 2].n;
        assert_int_equal(softgt_pci_config_read(d, express + PCI_EXP_FLAGS, 2) & 0xff,
                         PCI_EXP_TYPE_ENDPOINT << 4 | 2 /* version */);
        assert_true(softgt_bar_get_info(d, SOFTGT_BAR_LOCAL, &bar));
        assert_true(bar.size_bytes == UINT64_C(1) << (20 + n) && bar.is_64_bit && bar.is_prefetchable);
        assert_int_equal(softgt_pci_config_read(d, SIZES, 4), all[i / 2].sizes);
        assert_int_equal(softgt_pci_config_read(d, CONTROL, 4),
                         n << 8 | 1u << 5 | 2 /* one BAR, which is BAR 2 */);
        assert_int_equal(softgt_pci_config_read(d, CONTROL + 1, 1), n);
        for (uint32_t to = 0; to < 64; to++) { /* a size that is invalid is not stored */
            softgt_pci_config_write(d, CONTROL, (UINT32_MAX & ~(63u << 8)) | to << 8, 4);
            if (to < 28 && all[i / 2].sizes >> (4 + to) & 1u)
                continue;
            assert_true(softgt_pci_config_read(d, CONTROL + 1, 1) <= n);
            assert_true(all[i / 2].sizes >> (4 + softgt_pci_config_read(d, CONTROL + 1, 1)) & 1u);
        }
        softgt_pci_config_write(d, CONTROL + 1, n, 1);
        assert_int_equal(softgt_pci_config_read(d, CONTROL + 1, 1), n);
        if (n > 8) {
            const uint64_t last = (UINT64_C(1) << 28) - 4;
            softgt_pci_config_write(d, CONTROL, 8 << 8, 4);
            assert_true(softgt_bar_get_info(d, SOFTGT_BAR_LOCAL, &bar));
            assert_int_equal(bar.size_bytes, 256 << 20);
            softgt_pci_config_write(d, BAR_2, UINT32_MAX, 4);
            assert_int_equal(softgt_pci_config_read(d, BAR_2, 4),
                             -(256u << 20) | PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH);
            softgt_bar_write(d, 2, last, VALUE, 4);
            assert_int_equal(softgt_bar_read(d, 2, last, 4), VALUE);
            softgt_bar_write(d, 2, last + 4, VALUE, 4); /* past its end */
            assert_int_equal(softgt_bar_read(d, 2, last + 4, 4), 0);
            uint32_t value = 1;
            assert_true(
                softgt_local_read(d, last + 4, &value, 4)); /* the size of the memory does not change */
            assert_int_equal(value, 0);
            softgt_reset(d);
            assert_int_equal(softgt_pci_config_read(d, CONTROL + 1, 1), n);
            assert_int_equal(softgt_bar_read(d, 2, last, 4), 0);
        }
        assert_int_equal(softgt_pci_config_read(d, REBAR + 12, 4), 0);
        softgt_destroy(d);
    }
    static const uint64_t wrong[] = {1, 63 << 20, 96 << 20, 32 << 20, UINT64_C(4) << 30, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct softgt *d;
        const struct softgt_config config = {
            .device = "dg2", .memory = {.read = no_memory}, .local_bytes = wrong[i]};
        assert_int_equal(softgt_create(&config, &d), -22);
    }
}

/* Pages of local memory that were never written are not saved. Written ones are saved and loaded. */
static void local_memory_is_kept(void **state)
{
    (void)state;
    struct host h, other;
    open_device(&h, "dg2");
    open_device(&other, "dg2");
    const size_t empty = softgt_save(h.device, NULL, 0);
    assert_true(empty < 1 << 20);
    enum { OTHER = 80 << 20 };
    static const uint64_t places[] = {0, PAGE_BYTES + 3, (1 << 20) - 2, (246 << 20) - 8};
    for (size_t i = 0; i < 4; i++)
        softgt_bar_write(h.device, 2, places[i], UINT64_MAX / 15 * (i + 1), 8);
    const size_t size = softgt_save(h.device, NULL, 0);
    assert_true(size > empty && size < empty + PAGE_BYTES);
    uint8_t *bytes = malloc(size);
    assert_int_equal(softgt_save(h.device, bytes, size), size);
    softgt_bar_write(other.device, 2, OTHER, 1, 4); /* lost by the load */
    assert_int_equal(softgt_load(other.device, bytes, size), 0);
    for (size_t i = 0; i < 4; i++)
        assert_true(softgt_bar_read(other.device, 2, places[i], 8) == UINT64_MAX / 15 * (i + 1));
    assert_int_equal(softgt_bar_read(other.device, 2, OTHER, 4), 0);
    assert_int_equal(softgt_save(other.device, NULL, 0), size);
    softgt_reset(other.device);
    assert_int_equal(softgt_bar_read(other.device, 2, 0, 8), 0);
    softgt_destroy(other.device);
    /* A device with more local memory refuses it. */
    const struct softgt_config config = {
        .device = "dg2", .memory = {.user = &h, .read = no_memory}, .local_bytes = 512 << 20};
    assert_int_equal(softgt_create(&config, &other.device), 0);
    assert_int_equal(softgt_load(other.device, bytes, size), -22);
    softgt_destroy(other.device);
    softgt_destroy(h.device);
    free(bytes);
}

static long resident_pages(void)
{
    long all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &all, &resident), 2);
    fclose(f);
    return resident;
}

/* 2 GB of local memory take as many pages of the host as are written. */
static void local_memory_is_sparse(void **state)
{
    (void)state;
    struct host h = {0};
    const struct softgt_config config = {
        .device = "dg2", .memory = {.user = &h, .read = no_memory}, .local_bytes = UINT64_C(2) << 30};
    assert_int_equal(softgt_create(&config, &h.device), 0);
    const long before = resident_pages();
    for (uint64_t at = 0; at < UINT64_C(1) << 30; at += 64 << 20) {
        softgt_bar_write(h.device, 2, at, at + 1, 8);
        assert_true(softgt_bar_read(h.device, 2, at + (32 << 20), 8) == 0);
    }
    assert_true(softgt_save(h.device, NULL, 0) < 1 << 20);
    softgt_reset(h.device);
    assert_true(resident_pages() - before < (16 << 20) / PAGE_BYTES); /* a save reads chunks of 64 KB */
    softgt_destroy(h.device);
}

/* Local memory that the owner provides is not saved. It is cleared at creation, unless the owner has done so,
 * and at resets. */
static void local_memory_of_the_owner(void **state)
{
    (void)state;
    uint32_t *memory = calloc(1, 64 << 20);
    struct host h = {0};
    struct softgt_config config = {.device = "dg2",
                                   .memory = {.user = &h, .read = no_memory},
                                   .local_bytes = 64 << 20,
                                   .local_host = memory,
                                   .local_is_zero = true};
    memory[6] = 8;
    assert_int_equal(softgt_create(&config, &h.device), 0);
    assert_int_equal(memory[6], 8); /* the device has not looked */
    softgt_reset(h.device);
    assert_int_equal(memory[6], 0);
    softgt_destroy(h.device);
    config.local_is_zero = false;
    memory[6] = 8;
    assert_int_equal(softgt_create(&config, &h.device), 0);
    assert_int_equal(memory[6], 0);
    const size_t empty = softgt_save(h.device, NULL, 0);
    softgt_bar_write(h.device, 2, 1 << 20, 7, 4);
    assert_int_equal(memory[(1 << 20) / 4], 7);
    memory[5] = 9;
    assert_int_equal(softgt_bar_read(h.device, 2, 20, 4), 9);
    assert_int_equal(softgt_save(h.device, NULL, 0), empty);
    softgt_reset(h.device);
    assert_int_equal(memory[5], 0);
    assert_int_equal(memory[(1 << 20) / 4], 0);
    memory[5] = 9;
    softgt_destroy(h.device);
    assert_int_equal(memory[5], 9);
    free(memory);
}

static void pin_until_messages(void **state)
{
    (void)state;
    struct host h;
    open_device(&h, "snb");
    struct softgt *d = h.device;
    const uint32_t msi = capability(d, PCI_CAP_ID_MSI);
    assert_int_equal(msi, 0x90);
    /* Sandy Bridge's watchdog counts clocks even without a context. */
    reg_put(d, "rcs0.IMR", 0);
    reg_put(d, "GTIMR", 0);
    reg_put(d, "GTIER", UINT32_MAX);
    reg_put(d, "DEIER", DEIER_MASTER);
    reg_put(d, "rcs0.PR_CTR_THRSH", 1000);
    reg_put(d, "rcs0.PR_CTR_CTL", 0);
    assert_int_equal(softgt_next_event_ns(d), 1000);
    softgt_advance(d, 999);
    assert_int_equal(softgt_next_event_ns(d), 1000);
    assert_false(h.level);
    softgt_advance(d, 1);
    assert_true(h.level);
    assert_int_equal(h.edges, 1);
    assert_int_equal(h.messages, 0);
    assert_int_equal(softgt_pci_config_read(d, PCI_STATUS, 2) & PCI_STATUS_INTERRUPT, PCI_STATUS_INTERRUPT);
    /* Disabled, the pin falls; enabled, it is back. */
    softgt_pci_config_write(d, PCI_COMMAND, ENABLED | PCI_COMMAND_INTX_DISABLE, 2);
    assert_false(h.level);
    assert_int_equal(softgt_pci_config_read(d, PCI_STATUS, 2) & PCI_STATUS_INTERRUPT, 0);
    softgt_pci_config_write(d, PCI_COMMAND, ENABLED, 2);
    assert_true(h.level);
    /* Acknowledged. */
    reg_put(d, "GTIIR", UINT32_MAX);
    assert_false(h.level);
    assert_int_equal(h.edges, 4);
    softgt_pci_config_write(d, msi + PCI_MSI_FLAGS, PCI_MSI_FLAGS_ENABLE, 2);
    softgt_advance(d, 1000);
    assert_int_equal(h.messages, 1);
    assert_int_equal(h.edges, 4);
    softgt_destroy(d);
}

static void function_level_reset(void **state)
{
    (void)state;
    static const char *const names[] = {"snb", "skl", "icl", "ehl", "dg2"};
    for (size_t i = 0; i < 5; i++) {
        struct host h;
        open_device(&h, names[i]);
        struct softgt *d = h.device;
        const uint32_t express = capability(d, PCI_CAP_ID_EXP), af = capability(d, PCI_CAP_ID_AF),
                       pm = capability(d, PCI_CAP_ID_PM);
        assert_true(!express != !af); /* one of them */
        softgt_pci_config_write(d, PCI_COMMAND, ENABLED, 2);
        softgt_pci_config_write(d, pm + PCI_PM_CTRL, D3HOT, 2);
        assert_int_equal(softgt_pci_config_read(d, pm + PCI_PM_CTRL, 2) & PCI_PM_CTRL_STATE_MASK, D3HOT);
        softgt_pci_config_write(d, pm + PCI_PM_CTRL, 0, 2);
        assert_int_equal(softgt_pci_config_read(d, pm + PCI_PM_CTRL, 2) & PCI_PM_CTRL_STATE_MASK, 0);
        reg_put(d, "rcs0.RING_BUFFER_START", PAGE_BYTES);
        if (express)
            softgt_pci_config_write(d, express + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_BCR_FLR, 2);
        else
            softgt_pci_config_write(d, af + PCI_AF_CTRL, PCI_AF_CTRL_FLR, 1);
        assert_int_equal(reg_get(d, "rcs0.RING_BUFFER_START"), 0);
        assert_int_equal(softgt_pci_config_read(d, PCI_COMMAND, 2), 0);
        softgt_destroy(d);
    }
}

static void registers_through_io(void **state)
{
    enum { MMIO_INDEX = 0, MMIO_DATA = 4, MMIO_INDEX_TABLE = 1 << 0, ENTRY = 85 * PAGE_BYTES | PTE_PRESENT };
    (void)state;
    struct host h;
    open_device(&h, "skl");
    struct softgt *d = h.device;
    reg_put(d, "rcs0.RING_BUFFER_START", PAGE_BYTES);
    softgt_bar_write(d, 4, MMIO_INDEX, register_offset(d, "rcs0.RING_BUFFER_START"), 4);
    assert_int_equal(softgt_bar_read(d, 4, MMIO_DATA, 4), PAGE_BYTES);
    softgt_bar_write(d, 4, MMIO_DATA, 3 * PAGE_BYTES, 4);
    assert_int_equal(reg_get(d, "rcs0.RING_BUFFER_START"), 3 * PAGE_BYTES);
    /* With bit 0: the table. */
    softgt_bar_write(d, 4, MMIO_INDEX, 2 * 8 | MMIO_INDEX_TABLE, 4);
    softgt_bar_write(d, 4, MMIO_DATA, ENTRY, 4);
    assert_int_equal(softgt_bar_read(d, 0, GGTT_TABLE + 2 * 8, 4), ENTRY);
    softgt_destroy(d);
}

/* The owner provides the memory of the GGTT's table, and reads and writes it as the device does. */
static void table_of_the_owner(void **state)
{
    (void)state;
    enum { FIRST = 4660 * PAGE_BYTES | PTE_PRESENT, SECOND = 1911 * PAGE_BYTES | PTE_PRESENT };
    uint8_t *table = calloc(1, 8 << 20);
    struct host h = {0};
    const struct softgt_config config = {
        .device = "skl", .memory = {.user = &h, .read = no_memory}, .ggtt_table = table};
    assert_int_equal(softgt_create(&config, &h.device), 0);
    softgt_bar_write(h.device, 0, GGTT_TABLE + 8, FIRST, 8);
    assert_int_equal(*(uint64_t *)(void *)(table + 8), FIRST);
    *(uint64_t *)(void *)(table + 16) = SECOND;
    assert_int_equal(softgt_bar_read(h.device, 0, GGTT_TABLE + 16, 8), SECOND);
    uint32_t word;
    assert_true(softgt_ggtt_read(h.device, 2 * PAGE_BYTES, &word, 4));
    assert_false(softgt_ggtt_read(h.device, 5 * PAGE_BYTES, &word, 4));
    softgt_destroy(h.device);
    free(table); /* the device did not free it */
}

TEST_PROGRAM(pci_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids),
        cmocka_unit_test(header_and_bars),
        cmocka_unit_test(local_memory_is_a_bar),
        cmocka_unit_test(local_memory_is_kept),
        cmocka_unit_test(local_memory_is_sparse),
        cmocka_unit_test(local_memory_of_the_owner),
        cmocka_unit_test(pin_until_messages),
        cmocka_unit_test(function_level_reset),
        cmocka_unit_test(registers_through_io),
        cmocka_unit_test(table_of_the_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
