/*
 * Power wells of the display. The device has no pipes, but its wells are there, and drivers turn them on to
 * see what else is: a well is on as soon as one of its four requesters asks for it. (SKL, ICL PRM vol 2c)
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

#define WELLS(title, at, text)                                                                               \
    {                                                                                                        \
        .name = (title), .offset = (at), .count = REQUESTERS, .stride = 4, .writable = REQUESTS,             \
        .after_write = well_written, .summary = (text), .spec = "SKL PRM vol 2c"                             \
    }
#define KEPT(title, at, text)                                                                                \
    {                                                                                                        \
        .name = (title), .offset = (at), .writable = 0xffffffff, .summary = (text), .spec = "SKL PRM vol 2c" \
    }

static const struct reg rows[] = {
    WELLS("PWR_WELL_CTL", 0x45400, "Power wells of the display: requests and states."),
    WELLS("PWR_WELL_CTL_AUX", 0x45440, "Power wells of the AUX channels: requests and states."),
    WELLS("PWR_WELL_CTL_DDI", 0x45450, "Power wells of the ports: requests and states."),
    {.name = "FUSE_STATUS",
     .offset = 0x42000,
     .reset = 0x8fc00000,
     .summary = "Fuses are read, and distributed to each power gate.",
     .spec = "SKL PRM vol 2c"},
    KEPT("CLKGATE_DIS_4", 0x43224, "Display clock gates."),
    KEPT("DC_STATE_EN", 0x45504, "Display sleep states; none is entered."),
    KEPT("NDE_RSTWRN_OPT", 0x46408, "Handshake of display resets."),
    KEPT("RAWCLK_FREQ", 0xc6204, "Divider of the south display's clock."),
    {.name = "SFUSE_STRAP",
     .offset = 0xc2014,
     .summary = "Ports of the south display: none.",
     .spec = "SKL PRM vol 2c"},
};

const struct register_block gen9_display_power_registers = REGISTER_BLOCK("display power", rows);
