/*
 * SYS-09: the force wake table of the Xe_HPG manual, transcribed row by row, against what accesses do:
 * asleep, a register of a domain reads 0 and the mistake is told with the domain; with a wake of that domain
 * alone it is not; what is always on, and what the table leaves empty, needs none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <softgt/softgt.h>

#include "../suite.h"

enum { NONE, AON, GT, RENDER, VD_0, VE_0 = VD_0 + 8, DOMAINS = VE_0 + 4 };
#define VD(n) VD_0 + (n)
#define VE(n) VE_0 + (n)

/* clang-format off */
static const struct { uint32_t first, last; uint8_t domain; } rows[] = {
    {0x000000, 0x000aff, NONE}, {0x000b00, 0x000bff, AON}, {0x000c00, 0x000dff, AON}, {0x000e00, 0x000fff, AON},
    {0x001000, 0x001fff, AON}, {0x002000, 0x0026ff, RENDER}, {0x002700, 0x0027ff, GT}, {0x002800, 0x002aff, GT},
    {0x002b00, 0x002fff, GT}, {0x003000, 0x003fff, GT}, {0x004000, 0x0041ff, GT}, {0x004200, 0x0043ff, GT},
    {0x004400, 0x0048ff, GT}, {0x004900, 0x004aff, GT}, {0x004b00, 0x004fff, NONE}, {0x005000, 0x0050ff, AON},
    {0x005100, 0x0051ff, AON}, {0x005200, 0x0052ff, RENDER}, {0x005300, 0x0053ff, RENDER}, {0x005400, 0x0054ff, RENDER},
    {0x005500, 0x005fff, RENDER}, {0x006000, 0x006fff, RENDER}, {0x007000, 0x007fff, RENDER}, {0x008000, 0x0080ff, GT},
    {0x008100, 0x00813f, GT}, {0x008140, 0x00814f, RENDER}, {0x008150, 0x00815f, RENDER}, {0x008160, 0x00817f, NONE},
    {0x008180, 0x0081ff, AON}, {0x008200, 0x0082ff, GT}, {0x008300, 0x0084ff, RENDER}, {0x008500, 0x0085ff, GT},
    {0x008600, 0x0086ff, GT}, {0x008700, 0x0087ff, GT}, {0x008800, 0x00883f, NONE}, {0x008840, 0x0089ff, NONE},
    {0x008a00, 0x008bff, NONE}, {0x008c00, 0x008c7f, NONE}, {0x008c80, 0x008cff, GT}, {0x008d00, 0x008d7f, RENDER},
    {0x008d80, 0x008dff, RENDER}, {0x008e00, 0x008fff, NONE}, {0x009000, 0x0093ff, GT}, {0x009400, 0x00947f, GT},
    {0x009480, 0x0094cf, NONE}, {0x0094d0, 0x00951f, RENDER}, {0x009520, 0x00955f, RENDER}, {0x009560, 0x0095ff, AON},
    {0x009600, 0x00967f, NONE}, {0x009680, 0x0096ff, RENDER}, {0x009700, 0x0097ff, NONE}, {0x009800, 0x009fff, GT},
    {0x00a000, 0x00afff, GT}, {0x00b000, 0x00b0ff, GT}, {0x00b100, 0x00b3ff, GT}, {0x00b400, 0x00b4ff, GT},
    {0x00b500, 0x00bfff, NONE}, {0x00c000, 0x00c7ff, GT}, {0x00c800, 0x00cfff, GT}, {0x00d000, 0x00d3ff, AON},
    {0x00d400, 0x00d7ff, AON}, {0x00d800, 0x00d87f, RENDER}, {0x00d880, 0x00d8ff, GT}, {0x00d900, 0x00dbff, GT},
    {0x00dc00, 0x00dcff, RENDER}, {0x00dd00, 0x00ddff, GT}, {0x00de00, 0x00de7f, NONE}, {0x00de80, 0x00deff, RENDER},
    {0x00df00, 0x00dfff, RENDER}, {0x00e000, 0x00e0ff, NONE}, {0x00e100, 0x00e1ff, RENDER}, {0x00e200, 0x00e3ff, RENDER},
    {0x00e400, 0x00e7ff, RENDER}, {0x00e800, 0x00e8ff, RENDER}, {0x00e900, 0x00e9ff, GT}, {0x00ea00, 0x00efff, NONE},
    {0x00f000, 0x00f0ff, GT}, {0x00f100, 0x00ffff, GT}, {0x010000, 0x011fff, NONE}, {0x012000, 0x0127ff, AON},
    {0x012800, 0x012fff, NONE}, {0x013000, 0x0131ff, VD(0)}, {0x013200, 0x0133ff, VD(2)}, {0x013400, 0x013fff, NONE},
    {0x014000, 0x0141ff, VD(0)}, {0x014200, 0x0143ff, VD(2)}, {0x014400, 0x0145ff, VD(4)}, {0x014600, 0x0147ff, VD(6)},
    {0x014800, 0x014fff, RENDER}, {0x015000, 0x0153ff, GT}, {0x015400, 0x0157ff, GT}, {0x015800, 0x015bff, GT},
    {0x015c00, 0x015fff, GT}, {0x016000, 0x016dff, NONE}, {0x016e00, 0x016fff, RENDER}, {0x017000, 0x017fff, RENDER},
    {0x018000, 0x019fff, RENDER}, {0x01a000, 0x01bfff, RENDER}, {0x01c000, 0x01dfff, RENDER}, {0x01e000, 0x01ffff, RENDER},
    {0x020000, 0x020fff, VD(0)}, {0x021000, 0x021fff, NONE}, {0x022000, 0x022fff, GT}, {0x023000, 0x023fff, GT},
    {0x024000, 0x02407f, AON}, {0x024080, 0x02417f, NONE}, {0x024180, 0x0241ff, GT}, {0x024200, 0x0249ff, NONE},
    {0x024a00, 0x024a7f, RENDER}, {0x024a80, 0x0251ff, NONE}, {0x025200, 0x02527f, GT}, {0x025280, 0x0252ff, GT},
    {0x025300, 0x0255ff, NONE}, {0x025600, 0x02567f, NONE}, {0x025680, 0x0256ff, NONE}, {0x025700, 0x0259ff, NONE},
    {0x025a00, 0x025a7f, NONE}, {0x025a80, 0x025aff, NONE}, {0x026000, 0x027fff, RENDER}, {0x028000, 0x02ffff, NONE},
    {0x030000, 0x03ffff, GT}, {0x1c0000, 0x1c07ff, VD(0)}, {0x1c0800, 0x1c0fff, VD(0)}, {0x1c1000, 0x1c1fff, VD(0)},
    {0x1c2000, 0x1c27ff, VD(0)}, {0x1c2800, 0x1c2aff, VD(0)}, {0x1c2b00, 0x1c2bff, VD(0)}, {0x1c2c00, 0x1c2cff, NONE},
    {0x1c2d00, 0x1c2dff, VD(0)}, {0x1c2e00, 0x1c3dff, VD(0)}, {0x1c3e00, 0x1c3eff, NONE}, {0x1c3f00, 0x1c3fff, VD(0)},
    {0x1c4000, 0x1c47ff, VD(1)}, {0x1c4800, 0x1c4fff, VD(1)}, {0x1c5000, 0x1c5fff, VD(1)}, {0x1c6000, 0x1c67ff, VD(1)},
    {0x1c6800, 0x1c6aff, VD(1)}, {0x1c6b00, 0x1c6bff, VD(1)}, {0x1c6c00, 0x1c6cff, NONE}, {0x1c6d00, 0x1c6dff, VD(1)},
    {0x1c6e00, 0x1c7eff, NONE}, {0x1c7f00, 0x1c7fff, NONE}, {0x1c8000, 0x1c9fff, VE(0)}, {0x1ca000, 0x1ca0ff, VE(0)},
    {0x1ca100, 0x1cbeff, NONE}, {0x1cbf00, 0x1cbfff, NONE}, {0x1cc000, 0x1ccfff, VD(0)}, {0x1cd000, 0x1cdfff, VD(2)},
    {0x1ce000, 0x1cefff, VD(4)}, {0x1cf000, 0x1cffff, VD(6)}, {0x1d0000, 0x1d07ff, VD(2)}, {0x1d0800, 0x1d0fff, VD(2)},
    {0x1d1000, 0x1d1fff, VD(2)}, {0x1d2000, 0x1d27ff, VD(2)}, {0x1d2800, 0x1d2aff, VD(2)}, {0x1d2b00, 0x1d2bff, VD(2)},
    {0x1d2c00, 0x1d2cff, NONE}, {0x1d2d00, 0x1d2dff, VD(2)}, {0x1d2e00, 0x1d3dff, NONE}, {0x1d3e00, 0x1d3eff, NONE},
    {0x1d3f00, 0x1d3fff, VD(2)}, {0x1d4000, 0x1d47ff, VD(3)}, {0x1d4800, 0x1d4fff, VD(3)}, {0x1d5000, 0x1d5fff, VD(3)},
    {0x1d6800, 0x1d6aff, VD(3)}, {0x1d6b00, 0x1d6bff, VD(3)}, {0x1d6c00, 0x1d6cff, NONE}, {0x1d6d00, 0x1d6dff, VD(3)},
    {0x1d6e00, 0x1d7eff, NONE}, {0x1d7f00, 0x1d7fff, NONE}, {0x1d8000, 0x1d9fff, VE(1)}, {0x1da000, 0x1da0ff, VE(1)},
    {0x1da100, 0x1dbeff, NONE}, {0x1dbf00, 0x1dbfff, NONE}, {0x1dc000, 0x1dffff, NONE}, {0x1e0000, 0x1e07ff, VD(4)},
    {0x1e0800, 0x1e0fff, VD(4)}, {0x1e1000, 0x1e1fff, VD(4)}, {0x1e2800, 0x1e2aff, VD(4)}, {0x1e2b00, 0x1e2bff, VD(4)},
    {0x1e2c00, 0x1e2cff, NONE}, {0x1e2d00, 0x1e2dff, VD(4)}, {0x1e2e00, 0x1e3eff, NONE}, {0x1e3f00, 0x1e3fff, VD(4)},
    {0x1e4000, 0x1e47ff, VD(5)}, {0x1e4800, 0x1e4fff, VD(5)}, {0x1e5000, 0x1e5fff, VD(5)}, {0x1e6800, 0x1e6aff, VD(5)},
    {0x1e6b00, 0x1e6bff, VD(5)}, {0x1e6c00, 0x1e6cff, NONE}, {0x1e6d00, 0x1e6dff, VD(5)}, {0x1e6e00, 0x1e7eff, NONE},
    {0x1e7f00, 0x1e7fff, NONE}, {0x1e8000, 0x1e9fff, VE(2)}, {0x1ea000, 0x1ea0ff, VE(2)}, {0x1ea100, 0x1ebeff, NONE},
    {0x1ebf00, 0x1ebfff, NONE}, {0x1ec000, 0x1effff, NONE}, {0x1f0000, 0x1f07ff, VD(6)}, {0x1f0800, 0x1f0fff, VD(6)},
    {0x1f1000, 0x1f1fff, VD(6)}, {0x1f2000, 0x1f27ff, VD(6)}, {0x1f2800, 0x1f2aff, VD(6)}, {0x1f2b00, 0x1f2bff, VD(6)},
    {0x1f2c00, 0x1f2cff, NONE}, {0x1f2d00, 0x1f2dff, VD(6)}, {0x1f2e00, 0x1f3eff, NONE}, {0x1f3f00, 0x1f3fff, VD(6)},
    {0x1f4000, 0x1f47ff, VD(7)}, {0x1f4800, 0x1f4fff, VD(7)}, {0x1f5000, 0x1f5fff, VD(7)}, {0x1f6800, 0x1f6aff, VD(7)},
    {0x1f6b00, 0x1f6bff, VD(7)}, {0x1f6c00, 0x1f6cff, NONE}, {0x1f6d00, 0x1f6dff, VD(7)}, {0x1f6e00, 0x1f7eff, NONE},
    {0x1f7f00, 0x1f7fff, NONE}, {0x1f8000, 0x1f9fff, VE(3)}, {0x1fa000, 0x1fa0ff, VE(3)}, {0x1fa100, 0x1fbeff, NONE},
    {0x1fbf00, 0x1fbfff, NONE}, {0x1fc000, 0x1fffff, NONE}, {0x200000, 0x23ffff, NONE},
};
/* clang-format on */
static const struct {
    const char *name; /* as complaints have it, at their begin */
    uint32_t request;
} domains[DOMAINS] = {[GT] = {"GT", 0xa188},
                      [RENDER] = {"render", 0xa278},
                      [VD(0)] = {"video 0", 0xa540},
                      [VD(1)] = {"video 1", 0xa544},
                      [VD(2)] = {"video 2", 0xa548},
                      [VD(3)] = {"video 3", 0xa54c},
                      [VD(4)] = {"video 4", 0xa550},
                      [VD(5)] = {"video 5", 0xa554},
                      [VD(6)] = {"video 6", 0xa558},
                      [VD(7)] = {"video 7", 0xa55c},
                      [VE(0)] = {"enhancement 0", 0xa560},
                      [VE(1)] = {"enhancement 1", 0xa564},
                      [VE(2)] = {"enhancement 2", 0xa568},
                      [VE(3)] = {"enhancement 3", 0xa56c}};

/* Requests, and what has a shadow; the manual's table has no exceptions, drivers' lists do. */
static bool is_shadowed(uint32_t offset)
{
    return (offset >= 0xa008 && offset <= 0xa00c) || offset == 0xa090 || offset == 0xa094;
}

struct told {
    unsigned count;
    char text[256];
};

static void on_report(void *user, const struct softgt_report *report)
{
    struct told *t = user;
    if (report->complaint != SOFTGT_GUEST_ERROR || strcmp(report->unit, "force wake") != 0)
        return;
    t->count++;
    snprintf(t->text, sizeof t->text, "%s", report->text);
}

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static struct softgt *start(const char *device, struct told *told)
{
    struct softgt *d;
    const struct softgt_config config = {
        .device = device, .memory = {.read = no_memory}, .report = {told, on_report}};
    assert_int_equal(softgt_create(&config, &d), 0);
    return d;
}

static uint32_t read32(struct softgt *d, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(d, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static void write32(struct softgt *d, uint32_t offset, uint32_t value)
{
    softgt_bar_write(d, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

/* RC6, by hardware at once. */
static void put_to_sleep(struct softgt *d)
{
    softgt_reset(d);
    write32(d, 0xa090, 0x80040000);
    softgt_advance(d, 1000000);
    assert_int_equal(read32(d, 0x138060) & 7, 3);
}

static void look(struct softgt *d, struct told *told, uint32_t offset, unsigned domain)
{
    char expected[64];
    put_to_sleep(d);
    *told = (struct told){0};
    const uint32_t value = read32(d, offset);
    if (domain == NONE || domain == AON || is_shadowed(offset)) {
        if (told->count)
            fail_msg("%06x needs no wake: %s", offset, told->text);
        return;
    }
    snprintf(expected, sizeof expected, "read of register %05x, whose domain (%s", offset,
             domains[domain].name);
    if (told->count != 1 || strncmp(told->text, expected, strlen(expected)) != 0 ||
        !strstr(told->text, ": reads 0") || value)
        fail_msg("%06x, asleep, reads %x: %s", offset, value, told->text);
    write32(d, domains[domain].request, 0x00010001);
    *told = (struct told){0};
    read32(d, offset);
    if (told->count)
        fail_msg("%06x, kept awake: %s", offset, told->text);
}

static void every_row_needs_its_domain(void **state)
{
    static const char *const devices[] = {"dg2", "atsm"};
    (void)state;
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct told told;
        struct softgt *d = start(devices[i], &told);
        for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
            look(d, &told, rows[row].first, rows[row].domain);
            look(d, &told, rows[row].last & ~3u, rows[row].domain);
        }
        softgt_destroy(d);
    }
}

TEST_PROGRAM(wake_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_needs_its_domain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
