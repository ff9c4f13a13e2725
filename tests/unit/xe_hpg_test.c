/* Xe_HPG: accesses of the GuC to multicast registers (SYS-10), and interrupts of units other than engines
 * (SYS-21). Drivers use neither. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "device/device.h"
#include "host/sparse_memory.h"

#include "../words.h"

/* Registers. */
#define SUBSLICE_CLOCKS "SUBSLICE_UNIT_LEVEL_CLKGATE"
#define INTR_DW         "GT_INTR_DW[0]"
#define IDENTITY        "INTR_IDENTITY_REG[0]"
#define SELECTOR        "IIR_REG_SELECTOR[0]"

enum { ALL_BYTES = 0xf, IDENTITY_OTHER = 4 };
#define MASTER_ENABLE  (1u << 31)
#define IDENTITY_VALID (1u << 31)

/* The slice and subslice that a selector names. */
static uint32_t steer(uint32_t slice, uint32_t subslice)
{
    return slice << 27 | subslice << 24;
}

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

static void put_as(const struct accessor *accessor, const char *name, uint32_t value)
{
    register_write(&device->mmio, register_offset(device, name), value, ALL_BYTES, accessor);
}

static uint32_t get_as(const struct accessor *accessor, const char *name)
{
    return register_read(&device->mmio, register_offset(device, name), ALL_BYTES, accessor);
}

static void put(const char *name, uint32_t value)
{
    put_as(&accessor_cpu, name, value);
}

static uint32_t get(const char *name)
{
    return get_as(&accessor_cpu, name);
}

static void the_guc_has_a_selector(void **state)
{
    (void)state;
    put("MCR_SELECTOR", steer(3, 0));
    put_as(&accessor_guc, SUBSLICE_CLOCKS, 0x11);
    assert_int_equal(get(SUBSLICE_CLOCKS), 0x11); /* multicast as after power on */
    put_as(&accessor_guc, "GUC_MCR_SELECTOR", steer(5, 2));
    put_as(&accessor_guc, SUBSLICE_CLOCKS, 0x22);
    assert_int_equal(get_as(&accessor_guc, SUBSLICE_CLOCKS), 0x22);
    assert_int_equal(get(SUBSLICE_CLOCKS), 0x11);
    put("MCR_SELECTOR", steer(5, 2));
    assert_int_equal(get(SUBSLICE_CLOCKS), 0x22);
    /* Units of the device read the first instance. */
    assert_int_equal(get_as(&accessor_unit, SUBSLICE_CLOCKS), 0x11);
    put_as(&accessor_guc, "GUC_MCR_SELECTOR", steer(9, 0));
    assert_int_equal(get_as(&accessor_guc, SUBSLICE_CLOCKS), 0);
}

/* The manual's table of class Other: each instance has its own enable and mask. */
static void other_units_interrupt(void **state)
{
    (void)state;
    static const struct {
        uint8_t bit, instance, half;
        const char *unit;
    } others[] = {
        {25, 0, 16, "GUC_SG"},        /* GuC */
        {16, 1, 16, "GPM_WGBOXPERF"}, /* GTPM */
        {20, 2, 0, "GPM_WGBOXPERF"},  /* WDOAPerf */
        {19, 4, 16, "CRYPTO_RSVD"},   /* KCR */
        {28, 5, 16, "GUNIT_CSME"},    /* Gunit */
        {31, 6, 0, "GUNIT_CSME"},     /* CSME */
    };
    put("GFX_MSTR_INTR", MASTER_ENABLE);
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct interrupt *const tree = &device->interrupt;
        const struct interrupt_line line = {.bit = others[i].bit};
        const uint32_t bit = 1u << others[i].bit;
        enum { EVENTS = 1 << 15 | 1, ENABLED = 1 << 15 };
        char enable[48], mask[48];
        snprintf(enable, sizeof enable, "%s_INTR_ENABLE", others[i].unit);
        snprintf(mask, sizeof mask, "%s_INTR_MASK", others[i].unit);
        put("TILE_INT", MASTER_ENABLE);
        tree->info->raise(tree, line, EVENTS);
        put(mask, ~((uint32_t)UINT16_MAX << others[i].half));
        assert_int_equal(get(INTR_DW), 0); /* not enabled: dropped */
        put(enable, (uint32_t)ENABLED << others[i].half);
        messages = 0;
        tree->info->raise(tree, line, EVENTS);
        assert_int_equal(messages, 1);
        assert_int_equal(get("TILE_INT"), MASTER_ENABLE | 1);
        put("TILE_INT", 1);
        put("GFX_MSTR_INTR", MASTER_ENABLE | 1);
        assert_int_equal(get(INTR_DW), bit);
        put(SELECTOR, bit);
        assert_int_equal(get(IDENTITY), IDENTITY_VALID | ENABLED | IDENTITY_OTHER << 16 |
                                            (uint32_t)others[i].instance << 20);
        put(IDENTITY, IDENTITY_VALID);
        put(INTR_DW, bit);
        assert_int_equal(get(INTR_DW), 0);
        put(enable, 0);
        put(mask, UINT32_MAX);
    }
}

TEST_PROGRAM(xe_hpg_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_guc_has_a_selector, start, end),
        cmocka_unit_test_setup_teardown(other_units_interrupt, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
