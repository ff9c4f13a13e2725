/* The PCI function through library calls: configuration space, BAR sizing, pin and message, resets. */
#include <softgt/softgt.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../suite.h"

enum { COMMAND = 4, CAPABILITIES = 0x34, ID_PM = 1, ID_MSI = 5, ID_EXPRESS = 0x10, ID_AF = 0x13 };

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

static uint32_t capability(const struct softgt *d, uint32_t id)
{
    uint32_t at = softgt_config_read(d, CAPABILITIES, 1);
    for (unsigned i = 0; at && i < 16; i++) {
        if (softgt_config_read(d, at, 1) == id)
            return at;
        at = softgt_config_read(d, at + 1, 1);
    }
    return 0;
}

/* Ids find products; what is no product has none. */
static void ids(void **state)
{
    (void)state;
    static const uint16_t strange[] = {0, 0x2a02 /* Crestline */, 0x2a42 /* Cantiga */, 0xffff};
    const struct softgt_device_info *info;
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++)
        assert_null(softgt_device_by_pci_id(strange[i]));
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++)
        if (info->pci_device_id)
            assert_ptr_equal(softgt_device_by_pci_id(info->pci_device_id), info);
    /* Linux's names of them. */
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
        assert_int_equal(softgt_config_read(d, 0, 4), 0x8086u | (uint32_t)info->pci_device_id << 16);
        const bool no_vga = strncmp(info->name, "atsm", 4) == 0;
        assert_int_equal(softgt_config_read(d, 8, 4),
                         (no_vga ? 0x03800000u : 0x03000000u) | info->pci_revision);
        assert_int_equal(softgt_config_read(d, 6, 2), 0x10);
        assert_int_equal(softgt_config_read(d, 0x3d, 1), 1);
        /* Sizing, as firmware does it. */
        static const struct {
            unsigned bar;
            uint32_t flags;
        } bars[] = {{0, 0x4}, {2, 0xc}, {4, 0x1}};
        for (size_t n = 0; n < (info->local_bytes ? 2 : 3); n++) {
            struct softgt_bar_info bar;
            const uint32_t at = 0x10 + bars[n].bar * 4;
            assert_true(softgt_bar_info(d, bars[n].bar, &bar));
            assert_int_equal(softgt_config_read(d, at, 4), bars[n].flags);
            softgt_config_write(d, at, 0xffffffff, 4);
            assert_int_equal(softgt_config_read(d, at, 4), (uint32_t) ~(bar.size_bytes - 1) | bars[n].flags);
            if (bar.is_64_bit) {
                softgt_config_write(d, at + 4, 0xffffffff, 4);
                assert_int_equal(softgt_config_read(d, at + 4, 4), 0xffffffff);
            }
        }
        struct softgt_bar_info none;
        static const unsigned absent[] = {1, 3, 5, 6, 99, 4};
        for (size_t n = 0; n < (info->local_bytes ? 6 : 5); n++)
            assert_false(softgt_bar_info(d, absent[n], &none));
        assert_int_equal(softgt_config_read(d, 0x14 + 16, 4), 0); /* BAR 5 */
        /* What is read only stays. */
        softgt_config_write(d, 0, 0, 4);
        softgt_config_write(d, 0x50, 0xffff, 2);
        assert_int_equal(softgt_config_read(d, 2, 2), info->pci_device_id);
        assert_int_equal(softgt_config_read(d, 0x50, 2), info->mmio_bytes == 2 << 20 ? 0x200 : 0xc0);
        softgt_config_write(d, 0xfe, 0xffffffff, 4); /* past the end */
        assert_int_equal(softgt_config_read(d, 0x100, 4), info->local_bytes ? 0x00010015 : 0);
        assert_true(capability(d, ID_MSI) && capability(d, ID_PM));
        assert_int_equal(softgt_config_bytes(d), capability(d, ID_EXPRESS) ? 4096 : 256);
        softgt_destroy(d);
    }
}

/* Local memory is BAR 2: its size is asked for, and changed by the resizable BAR capability. (PCI
 * Express 3.0, 7.22) An endpoint of its own, without I/O ports. */
static void local_memory_is_a_bar(void **state)
{
    (void)state;
    enum { REBAR = 0x100, SIZES = REBAR + 4, CONTROL = REBAR + 8 };
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
                                             .local_memory.size_bytes = all[i / 2].mb << 20};
        assert_int_equal(softgt_create(&config, &h.device), 0);
        struct softgt *d = h.device;
        struct softgt_bar_info bar;
        const uint32_t express = capability(d, ID_EXPRESS), n = all[i / 2].n;
        assert_int_equal(softgt_config_read(d, express + 2, 2) & 0xff, 0x02); /* version 2, endpoint */
        assert_true(softgt_bar_info(d, SOFTGT_BAR_LOCAL, &bar));
        assert_true(bar.size_bytes == UINT64_C(1) << (20 + n) && bar.is_64_bit && bar.is_prefetchable);
        assert_int_equal(softgt_config_read(d, SIZES, 4), all[i / 2].sizes);
        assert_int_equal(softgt_config_read(d, CONTROL, 4), n << 8 | 1u << 5 | 2);
        assert_int_equal(softgt_config_read(d, CONTROL + 1, 1), n);
        for (uint32_t to = 0; to < 64; to++) { /* what cannot be is not taken */
            softgt_config_write(d, CONTROL, 0xffffc0ffu | to << 8, 4);
            if (to < 28 && all[i / 2].sizes >> (4 + to) & 1u)
                continue;
            assert_true(softgt_config_read(d, CONTROL + 1, 1) <= n);
            assert_true(all[i / 2].sizes >> (4 + softgt_config_read(d, CONTROL + 1, 1)) & 1u);
        }
        softgt_config_write(d, CONTROL + 1, n, 1);
        assert_int_equal(softgt_config_read(d, CONTROL + 1, 1), n);
        if (n > 8) {
            const uint64_t last = (UINT64_C(1) << 28) - 4;
            softgt_config_write(d, CONTROL, 8 << 8, 4);
            assert_true(softgt_bar_info(d, SOFTGT_BAR_LOCAL, &bar));
            assert_int_equal(bar.size_bytes, 256 << 20);
            softgt_config_write(d, 0x18, 0xffffffff, 4);
            assert_int_equal(softgt_config_read(d, 0x18, 4), 0xf000000c);
            softgt_bar_write(d, 2, last, 0x12345678, 4);
            assert_int_equal(softgt_bar_read(d, 2, last, 4), 0x12345678);
            softgt_bar_write(d, 2, last + 4, 0x12345678, 4); /* behind it */
            assert_int_equal(softgt_bar_read(d, 2, last + 4, 4), 0);
            uint32_t there = 1;
            assert_true(softgt_local_read(d, last + 4, &there, 4)); /* the memory is as large as it was */
            assert_int_equal(there, 0);
            softgt_reset(d);
            assert_int_equal(softgt_config_read(d, CONTROL + 1, 1), n);
            assert_int_equal(softgt_bar_read(d, 2, last, 4), 0);
        }
        assert_int_equal(softgt_config_read(d, REBAR + 12, 4), 0);
        softgt_destroy(d);
    }
    static const uint64_t wrong[] = {1, 63 << 20, 96 << 20, 32 << 20, UINT64_C(4) << 30, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct softgt *d;
        const struct softgt_config config = {
            .device = "dg2", .memory = {.read = no_memory}, .local_memory.size_bytes = wrong[i]};
        assert_int_equal(softgt_create(&config, &d), -22);
    }
}

/* Of what was never touched nothing is kept; what was is saved, and found again where it is loaded. */
static void local_memory_is_kept(void **state)
{
    (void)state;
    struct host h, other;
    open_device(&h, "dg2");
    open_device(&other, "dg2");
    const size_t empty = softgt_save(h.device, NULL, 0);
    assert_true(empty < 1 << 20);
    static const uint64_t places[] = {0, 0x1003, 0xffffe, 0xf5ffff8};
    for (size_t i = 0; i < 4; i++)
        softgt_bar_write(h.device, 2, places[i], UINT64_C(0x1111111111111111) * (i + 1), 8);
    const size_t size = softgt_save(h.device, NULL, 0);
    assert_true(size > empty && size < empty + 4096);
    uint8_t *bytes = malloc(size);
    assert_int_equal(softgt_save(h.device, bytes, size), size);
    softgt_bar_write(other.device, 2, 0x5000000, 1, 4); /* goes */
    assert_int_equal(softgt_load(other.device, bytes, size), 0);
    for (size_t i = 0; i < 4; i++)
        assert_true(softgt_bar_read(other.device, 2, places[i], 8) == UINT64_C(0x1111111111111111) * (i + 1));
    assert_int_equal(softgt_bar_read(other.device, 2, 0x5000000, 4), 0);
    assert_int_equal(softgt_save(other.device, NULL, 0), size);
    softgt_reset(other.device);
    assert_int_equal(softgt_bar_read(other.device, 2, 0, 8), 0);
    softgt_destroy(other.device);
    /* A device with more does not take it. */
    const struct softgt_config config = {
        .device = "dg2", .memory = {.user = &h, .read = no_memory}, .local_memory.size_bytes = 512 << 20};
    assert_int_equal(softgt_create(&config, &other.device), 0);
    assert_int_equal(softgt_load(other.device, bytes, size), -22);
    softgt_destroy(other.device);
    softgt_destroy(h.device);
    free(bytes);
}

/* The owner's memory: neither kept nor cleared. */
static long resident_pages(void)
{
    long all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &all, &resident), 2);
    fclose(f);
    return resident;
}

/* 2 GB take what was touched of them. */
static void local_memory_is_sparse(void **state)
{
    (void)state;
    struct host h = {0};
    const struct softgt_config config = {.device = "dg2",
                                         .memory = {.user = &h, .read = no_memory},
                                         .local_memory.size_bytes = UINT64_C(2) << 30};
    assert_int_equal(softgt_create(&config, &h.device), 0);
    const long before = resident_pages();
    for (uint64_t at = 0; at < UINT64_C(1) << 30; at += 64 << 20) {
        softgt_bar_write(h.device, 2, at, at + 1, 8);
        assert_true(softgt_bar_read(h.device, 2, at + (32 << 20), 8) == 0);
    }
    assert_true(softgt_save(h.device, NULL, 0) < 1 << 20);
    softgt_reset(h.device);
    assert_true(resident_pages() - before < 4096); /* 16 MB; the walk of a save looks at chunks of 64 KB */
    softgt_destroy(h.device);
}

static void local_memory_of_the_owner(void **state)
{
    (void)state;
    uint32_t *memory = calloc(1, 64 << 20);
    struct host h = {0};
    const struct softgt_config config = {.device = "dg2",
                                         .memory = {.user = &h, .read = no_memory},
                                         .local_memory = {.size_bytes = 64 << 20, .host = memory}};
    assert_int_equal(softgt_create(&config, &h.device), 0);
    const size_t empty = softgt_save(h.device, NULL, 0);
    softgt_bar_write(h.device, 2, 0x100000, 7, 4);
    assert_int_equal(memory[0x40000], 7);
    memory[5] = 9;
    assert_int_equal(softgt_bar_read(h.device, 2, 20, 4), 9);
    assert_int_equal(softgt_save(h.device, NULL, 0), empty);
    softgt_reset(h.device);
    assert_int_equal(memory[5], 0);
    assert_int_equal(memory[0x40000], 0);
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
    const uint32_t msi = capability(d, ID_MSI);
    assert_int_equal(msi, 0x90);
    /* Sandy Bridge's watchdog counts clocks without a context. */
    softgt_bar_write(d, 0, 0x20a8, 0, 4);
    softgt_bar_write(d, 0, 0x44014, 0, 4);
    softgt_bar_write(d, 0, 0x4401c, 0xffffffff, 4);
    softgt_bar_write(d, 0, 0x4400c, 0x80000000, 4);
    softgt_bar_write(d, 0, 0x217c, 1000, 4);
    softgt_bar_write(d, 0, 0x2178, 0, 4);
    assert_int_equal(softgt_next_event_ns(d), 1000);
    softgt_advance(d, 999);
    assert_int_equal(softgt_next_event_ns(d), 1000);
    assert_false(h.level);
    softgt_advance(d, 1);
    assert_true(h.level);
    assert_int_equal(h.edges, 1);
    assert_int_equal(h.messages, 0);
    assert_int_equal(softgt_config_read(d, 6, 2) & 8, 8);
    /* Disabled, the pin falls; enabled, it is back. */
    softgt_config_write(d, COMMAND, 0x406, 2);
    assert_false(h.level);
    assert_int_equal(softgt_config_read(d, 6, 2) & 8, 0);
    softgt_config_write(d, COMMAND, 0x006, 2);
    assert_true(h.level);
    /* Acknowledged. */
    softgt_bar_write(d, 0, 0x44018, 0xffffffff, 4);
    assert_false(h.level);
    assert_int_equal(h.edges, 4);
    softgt_config_write(d, msi + 2, 1, 2);
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
        const uint32_t express = capability(d, ID_EXPRESS), af = capability(d, ID_AF),
                       pm = capability(d, ID_PM);
        assert_true(!express != !af); /* one of them */
        softgt_config_write(d, COMMAND, 6, 2);
        softgt_config_write(d, pm + 4, 3, 2);
        assert_int_equal(softgt_config_read(d, pm + 4, 2) & 3, 3); /* D3hot */
        softgt_config_write(d, pm + 4, 0, 2);
        assert_int_equal(softgt_config_read(d, pm + 4, 2) & 3, 0);
        softgt_bar_write(d, 0, 0x2038, 0x1000, 4);
        if (express)
            softgt_config_write(d, express + 8, 0x8000, 2);
        else
            softgt_config_write(d, af + 4, 1, 1);
        assert_int_equal(softgt_bar_read(d, 0, 0x2038, 4), 0);
        assert_int_equal(softgt_config_read(d, COMMAND, 2), 0);
        softgt_destroy(d);
    }
}

static void registers_through_io(void **state)
{
    (void)state;
    struct host h;
    open_device(&h, "skl");
    struct softgt *d = h.device;
    softgt_bar_write(d, 0, 0x2038, 0x1000, 4);
    softgt_bar_write(d, 4, 0, 0x2038, 4);
    assert_int_equal(softgt_bar_read(d, 4, 4, 4), 0x1000);
    softgt_bar_write(d, 4, 4, 0x3000, 4);
    assert_int_equal(softgt_bar_read(d, 0, 0x2038, 4), 0x3000);
    /* Bit 0: the table. */
    softgt_bar_write(d, 4, 0, 0x10 | 1, 4);
    softgt_bar_write(d, 4, 4, 0x55001, 4);
    assert_int_equal(softgt_bar_read(d, 0, (8 << 20) + 0x10, 4), 0x55001);
    softgt_destroy(d);
}

/* The owner's table: what it holds counts after a flush. */
static void table_of_the_owner(void **state)
{
    (void)state;
    uint8_t *table = calloc(1, 8 << 20);
    struct host h = {0};
    const struct softgt_config config = {
        .device = "skl", .memory = {.user = &h, .read = no_memory}, .ggtt_table = table};
    assert_int_equal(softgt_create(&config, &h.device), 0);
    softgt_bar_write(h.device, 0, (8 << 20) + 8, 0x1234001, 8);
    assert_int_equal(*(uint64_t *)(void *)(table + 8), 0x1234001);
    *(uint64_t *)(void *)(table + 16) = 0x777001;
    assert_int_equal(softgt_bar_read(h.device, 0, (8 << 20) + 16, 8), 0x777001);
    uint32_t word;
    assert_true(softgt_ggtt_read(h.device, 0x2000, &word, 4));
    assert_false(softgt_ggtt_read(h.device, 0x5000, &word, 4));
    softgt_destroy(h.device);
    free(table); /* the owner's still */
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
