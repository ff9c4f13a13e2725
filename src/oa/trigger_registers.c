/* Registers of triggers (two of each kind), custom events (eight) and signal routing from Gen7.5 to Gen11.
 * (REN-23, REN-24; HSW PRM vol 2c, SKL PRM vol 2c) */
#include "oa/oa.h"

static void route_written(const struct register_access *w)
{
    oa_mux_write(w->owner, w->written);
}

/* Routing is enabled or disabled: a new list of writes begins. */
static void enable_written(const struct register_access *w)
{
    oa_reload_mux(w->owner);
}

#define ALL 0xffffffffu
#define KEPT(title, at, more, text)                                                                          \
    {                                                                                                        \
        .name = (title), .offset = (at), .flags = REG_SURVIVES_ENGINE_RESET | (more), .writable = ALL,       \
        .summary = (text), .spec = "REN-23, HSW PRM vol 2c"                                                  \
    }
#define TRIGGER(kind, more, a, b, c, d, at, text)                                                            \
    KEPT(kind #a, at, more, "Threshold of " text "; from bit 16 on occurrences or duration."),               \
        KEPT(kind #b, (at) + 4, more,                                                                        \
             "Stages of " text ": inversions, threshold, which events B counters count."),                   \
        KEPT(kind #c, (at) + 8, more, "NOA signals 15 to 8 of " text "."),                                   \
        KEPT(kind #d, (at) + 12, more, "NOA signals 7 to 0 of " text ".")

#define EVENT(title, at, more, text, source)                                                                 \
    {                                                                                                        \
        .name = (title), .offset = (at), .count = 8, .stride = 8,                                            \
        .flags = REG_SURVIVES_ENGINE_RESET | (more), .writable = ALL, .summary = "Custom event: " text,      \
        .spec = source                                                                                       \
    }
#define TRIGGERS(unit, more, start, report, event, source)                                                   \
    TRIGGER(unit "OASTARTTRIG", more, 1, 2, 3, 4, start, "the first start trigger"),                         \
        TRIGGER(unit "OASTARTTRIG", more, 5, 6, 7, 8, (start) + 0x10, "the second start trigger"),           \
        TRIGGER(unit "OAREPORTTRIG", more, 1, 2, 3, 4, report, "the first report trigger"),                  \
        TRIGGER(unit "OAREPORTTRIG", more, 5, 6, 7, 8, (report) + 0x10, "the second report trigger"),        \
        EVENT(unit "CEC_0", event, more, "what is compared, and how.", source),                              \
        EVENT(unit "CEC_1", (event) + 4, more, "signals delayed, signals left out.", source)

static const struct reg rows[] = {TRIGGERS("", 0, 0x2710, 0x2740, 0x2770, "REN-24, HSW PRM vol 2c")};
/* Gen12 has other offsets. */
static const struct reg gen12_rows[] = {
    TRIGGERS("OAG_", REG_NONPRIV_READ_DENIED, 0xd900, 0xd920, 0xd940, "REN-24, SYS-19")};
static const struct reg media_rows[] = {
    TRIGGERS("OAM_", REG_NONPRIV_READ_DENIED, 0x393000, 0x393020, 0x393040, "SYS-19; Linux, xe_oa_regs")};
static const struct reg routing_rows[] = {
    {.name = "GDT_CHICKEN_BITS",
     .offset = 0x9840,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = ALL,
     .after_write = enable_written,
     .summary = "Bit 7: signals are routed; a write begins a list of routes.",
     .spec = "HSW PRM vol 2c"},
    {.name = "NOA_SELECT",
     .offset = 0x9884,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = ALL,
     .after_write = route_written,
     .summary = "Routes of signals: which units' are written.",
     .spec = "ICL PRM vol 2c"},
    {.name = "NOA_WRITE",
     .offset = 0x9888,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = ALL,
     .after_write = route_written,
     .summary = "Routes of signals, a route a write.",
     .spec = "HSW PRM vol 2c"},
};
/* Gen10 and later enable routing here. */
static const struct reg gen11_rows[] = {
    {.name = "RPM_CONFIG1",
     .offset = 0xd04,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = ALL,
     .after_write = enable_written,
     .summary = "Bit 9: signals are routed; a write begins a list of routes.",
     .spec = "ICL PRM vol 2c"},
};

const struct register_block gen75_trigger_registers = REGISTER_BLOCK("observation triggers", rows);
const struct register_block gen11_routing_registers = REGISTER_BLOCK("observation routing", gen11_rows);
const struct register_block gen75_routing_registers = REGISTER_BLOCK("observation routing", routing_rows);
const struct register_block gen12_trigger_registers = REGISTER_BLOCK("observation triggers", gen12_rows);
const struct register_block gen125_media_trigger_registers =
    REGISTER_BLOCK("observation triggers", media_rows);
