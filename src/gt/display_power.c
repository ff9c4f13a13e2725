/*
 * Power of the display. The device has no display outputs, but has power wells, clocks and the data buffer,
 * because drivers turn them on when they probe. A well is on when any of its four requesters requests it. A
 * PLL locks, and a slice of the buffer has power, as soon as it is requested. (SKL, ICL PRM vol 2c)
 */
#include "gt/gt.h"

enum { REQUESTERS = 4 };
#define REQUESTS 0xaaaaaaaau /* odd bits; the even bit below tells that the well is on */

/* Index 0 to 3: firmware, driver, virtualisation, debug. */
static void well_written(const struct register_access *w)
{
    const uint32_t first = w->offset - w->index * 4u;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < REQUESTERS; i++)
        asked |= register_value(w->file, first + i * 4u) & REQUESTS;
    for (uint32_t i = 0; i < REQUESTERS; i++)
        register_set(w->file, first + i * 4u,
                     (register_value(w->file, first + i * 4u) & REQUESTS) | asked >> 1);
}

/* A PLL's enable and lock, a slice's request and state. */
#define ASKED   0x80000000u
#define GRANTED 0x40000000u
static void display_power_request_written(const struct register_access *w)
{
    register_set(w->file, w->offset, (w->value & ~GRANTED) | (w->value & ASKED) >> 1);
}

#define SKL "SKL PRM vol 2c"
#define ICL "ICL PRM vol 2c"
#define WELLS(title, at, text)                                                                               \
    {                                                                                                        \
        .name = (title), .offset = (at), .count = REQUESTERS, .stride = 4, .writable = REQUESTS,             \
        .after_write = well_written, .summary = (text), .spec = SKL                                          \
    }
#define ON_REQUEST(title, at, text, source)                                                                  \
    {                                                                                                        \
        .name = (title), .offset = (at), .writable = ~GRANTED, .after_write = display_power_request_written, \
        .summary = (text), .spec = (source)                                                                  \
    }
#define KEPT(title, at, text)                                                                                \
    {                                                                                                        \
        .name = (title), .offset = (at), .writable = 0xffffffff, .summary = (text), .spec = SKL              \
    }

/* The display clock's PLL before Gen9: bit 31 disables it, and 30 tells that it is locked; bit 21 asks for
 * another source, and 19 tells that it is there. (HSW PRM vol 2c) */
static void lcpll_written(const struct register_access *w)
{
    enum { LOCKED = 1u << 30, OTHER_SOURCE = 1u << 21, OTHER_SOURCE_THERE = 1u << 19 };
    const uint32_t asked = w->value & ~(uint32_t)(LOCKED | OTHER_SOURCE_THERE);
    register_set(w->file, w->offset,
                 asked | (asked >> 31 ? 0 : (uint32_t)LOCKED) |
                     (asked & OTHER_SOURCE ? (uint32_t)OTHER_SOURCE_THERE : 0));
}

static const struct reg well_rows[] = {
    WELLS("PWR_WELL_CTL", 0x45400, "Power wells of the display: requests and states."),
};

static const struct reg rows[] = {
    WELLS("PWR_WELL_CTL_AUX", 0x45440, "Power wells of the AUX channels: requests and states."),
    WELLS("PWR_WELL_CTL_DDI", 0x45450, "Power wells of the ports: requests and states."),
    {.name = "FUSE_STATUS",
     .offset = 0x42000,
     .reset = 0x8fc00000,
     .summary = "Fuses are read, and distributed to each power gate.",
     .spec = SKL},
    KEPT("CLKGATE_DIS_4", 0x43224, "Display clock gates."),
    KEPT("DC_STATE_EN", 0x45504, "Display sleep states; none is entered."),
    ON_REQUEST("DBUF_CTL", 0x45008, "Display buffer, first slice: bit 31 asks for power, 30 tells it.", SKL),
    KEPT("CDCLK_CTL", 0x46000, "Display clock: divider."),
    KEPT("NDE_RSTWRN_OPT", 0x46408, "Handshake of display resets."),
    KEPT("RAWCLK_FREQ", 0xc6204, "Divider of the south display's clock."),
    {.name = "SFUSE_STRAP", .offset = 0xc2014, .summary = "Ports of the south display: none.", .spec = SKL},
};

static const struct reg gen75_clock_rows[] = {
    {.name = "LCPLL_CTL",
     .offset = 0x130040,
     .writable = ~0x40080000u,
     .reset = 0x40000000,
     .after_write = lcpll_written,
     .summary = "The display clock's PLL.",
     .spec = "HSW PRM vol 2c"},
};

static const struct reg gen9_clock_rows[] = {
    ON_REQUEST("LCPLL1_CTL", 0x46010, "DPLL0, the display clock's: bit 31 enables, 30 tells the lock.", SKL),
    KEPT("DPLL_CTRL1", 0x6c058, "Rates of the display's PLLs."),
};

static const struct reg gen11_clock_rows[] = {
    ON_REQUEST("CDCLK_PLL_ENABLE", 0x46070,
               "The display clock's PLL: bit 31 enables, 30 tells the lock; 7:0 ratio.", ICL),
    ON_REQUEST("DBUF_CTL_S2", 0x44fe8, "Display buffer, second slice: bit 31 asks for power, 30 tells it.",
               ICL),
};

const struct register_block gen75_display_power_registers = REGISTER_BLOCK("display wells", well_rows);
const struct register_block gen9_display_power_registers = REGISTER_BLOCK("display power", rows);
const struct register_block gen75_display_clock_registers = REGISTER_BLOCK("display clock", gen75_clock_rows);
const struct register_block gen9_display_clock_registers = REGISTER_BLOCK("display clock", gen9_clock_rows);
const struct register_block gen11_display_clock_registers = REGISTER_BLOCK("display clock", gen11_clock_rows);
