/* What no program of a driver does on Xe_HPG: the GuC's accesses of registers that are there more than once
 * (SYS-10), and interrupts of what is no engine (SYS-21). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "device/device.h"
#include "host/sparse_memory.h"

enum {
    SUBSLICE_CLOCKS = 0x9524,
    MCR_SELECTOR = 0xfdc,
    GUC_SELECTOR = 0xc060,
    TILE_INT = 0x190008,
    GFX_MSTR_INTR = 0x190010,
    INTR_DW = 0x190018,
    IDENTITY = 0x190060,
    SELECTOR = 0x190070,
};

static struct sparse_memory *memory;
static struct softgt *device;
static unsigned messages;

static void msi(void *user, unsigned vector)
{
    (void)user, (void)vector;
    messages++;
}

static int start(void **state)
{
    (void)state;
    memory = sparse_memory_create(64 << 20);
    messages = 0;
    const struct softgt_config config = {
        .device = "dg2", .memory = sparse_memory_port(memory), .interrupt = {.msi = msi}};
    return memory ? softgt_create(&config, &device) : -1;
}

static int end(void **state)
{
    (void)state;
    softgt_destroy(device);
    sparse_memory_destroy(memory);
    return 0;
}

static void put(uint32_t offset, uint32_t value)
{
    register_write(&device->mmio, offset, value, 0xf, &accessor_cpu);
}

static uint32_t get(uint32_t offset)
{
    return register_read(&device->mmio, offset, 0xf, &accessor_cpu);
}

static void the_guc_has_a_selector(void **state)
{
    (void)state;
    struct register_file *f = &device->mmio;
    put(MCR_SELECTOR, 3u << 27);
    register_write(f, SUBSLICE_CLOCKS, 0x11, 0xf, &accessor_guc);
    assert_int_equal(get(SUBSLICE_CLOCKS), 0x11); /* multicast as after power on */
    register_write(f, GUC_SELECTOR, 5u << 27 | 2u << 24, 0xf, &accessor_guc);
    register_write(f, SUBSLICE_CLOCKS, 0x22, 0xf, &accessor_guc);
    assert_int_equal(register_read(f, SUBSLICE_CLOCKS, 0xf, &accessor_guc), 0x22);
    assert_int_equal(get(SUBSLICE_CLOCKS), 0x11);
    put(MCR_SELECTOR, 5u << 27 | 2u << 24);
    assert_int_equal(get(SUBSLICE_CLOCKS), 0x22);
    /* Hardware itself knows what is there. */
    assert_int_equal(register_read(f, SUBSLICE_CLOCKS, 0xf, &accessor_unit), 0x11);
    register_write(f, GUC_SELECTOR, 9u << 27, 0xf, &accessor_guc);
    assert_int_equal(register_read(f, SUBSLICE_CLOCKS, 0xf, &accessor_guc), 0);
}

/* The manual's table of class Other: each instance has an enable and a mask of its own. */
static void what_is_no_engine_interrupts(void **state)
{
    (void)state;
    static const struct {
        uint8_t bit, instance, half;
        uint32_t enable, mask;
    } others[] = {
        {25, 0, 16, 0x190038, 0x1900e8}, /* GuC */
        {16, 1, 16, 0x19003c, 0x1900ec}, /* GTPM */
        {20, 2, 0, 0x19003c, 0x1900ec},  /* WDOAPerf */
        {19, 4, 16, 0x190040, 0x1900f0}, /* KCR */
        {28, 5, 16, 0x190044, 0x1900f4}, /* Gunit */
        {31, 6, 0, 0x190044, 0x1900f4},  /* CSME */
    };
    put(GFX_MSTR_INTR, 1u << 31);
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct interrupt *const tree = &device->interrupt;
        const struct interrupt_line line = {.bit = others[i].bit};
        const uint32_t bit = 1u << others[i].bit;
        put(TILE_INT, 1u << 31);
        tree->info->raise(tree, line, 0x8001);
        put(others[i].mask, ~(0xffffu << others[i].half));
        assert_int_equal(get(INTR_DW), 0); /* not enabled: dropped */
        put(others[i].enable, 0x8000u << others[i].half);
        messages = 0;
        tree->info->raise(tree, line, 0x8001);
        assert_int_equal(messages, 1);
        assert_int_equal(get(TILE_INT), 0x80000001);
        put(TILE_INT, 1);
        put(GFX_MSTR_INTR, 0x80000001);
        assert_int_equal(get(INTR_DW), bit);
        put(SELECTOR, bit);
        assert_int_equal(get(IDENTITY), 0x80048000 | (uint32_t)others[i].instance << 20);
        put(IDENTITY, 0x80000000);
        put(INTR_DW, bit);
        assert_int_equal(get(INTR_DW), 0);
        put(others[i].enable, 0);
        put(others[i].mask, 0xffffffff);
    }
}

TEST_PROGRAM(xe_hpg_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_guc_has_a_selector, start, end),
        cmocka_unit_test_setup_teardown(what_is_no_engine_interrupts, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
