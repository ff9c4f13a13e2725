/*
 * The interrupt tree of Gen8 to Gen10: a master control, banks of ISR / IMR / IIR / IER below it.
 * Modelled: the four GT banks, the display's pipes (display_interrupts.c); the PCU's is there, and nothing
 * raises it. (BDW PRM vol 2c; CSP-23)
 */
#include "interrupt/interrupt.h"

enum {
    MASTER_INTERRUPT_CONTROL = 0x44200,
    GT_BANK = 0x44300, /* + 0x10 * bank */
    GT_BANKS = 4,
    ISR = 0x0,
    IMR = 0x4,
    IIR = 0x8,
    IER = 0xc,
};

#define MASTER_ENABLE (1u << 31)

static uint32_t bank_value(const struct interrupt *i, unsigned bank, unsigned which)
{
    return register_value(i->mmio, GT_BANK + bank * 0x10u + which);
}

/* Bits 0-7 of the master control: RCS, BCS, VCS0, VCS1, PM, GuC, VECS, observation; 16 and on: pipes. */
static uint32_t pending(const struct interrupt *i)
{
    uint32_t bits = 0, active[GT_BANKS];
    for (unsigned bank = 0; bank < GT_BANKS; bank++)
        active[bank] = bank_value(i, bank, IIR) & bank_value(i, bank, IER);
    if (active[0] & 0xffffu)
        bits |= 1u << 0;
    if (active[0] >> 16)
        bits |= 1u << 1;
    if (active[1] & 0xffffu)
        bits |= 1u << 2;
    if (active[1] >> 16)
        bits |= 1u << 3;
    if (active[2] & 0xffffu)
        bits |= 1u << 4;
    if (active[2] >> 16)
        bits |= 1u << 5;
    if (active[3] & 0xffffu)
        bits |= 1u << 6;
    if (active[3] >> 16)
        bits |= 1u << 7;
    return bits | interrupt_display_pending(i);
}

static bool gen8_asserted(const struct interrupt *i)
{
    return register_value(i->mmio, MASTER_INTERRUPT_CONTROL) & MASTER_ENABLE && pending(i) != 0;
}

static void gen8_raise(struct interrupt *i, struct interrupt_line line, uint32_t bits)
{
    const uint32_t set = bits << line.shift & ~bank_value(i, line.bank, IMR);
    if (set)
        iir_set_bits(i, GT_BANK + line.bank * 0x10u + IIR, &i->pending.second_events[line.bank], set);
}

static void gen8_status(struct interrupt *i, struct interrupt_line line, uint32_t isr)
{
    const uint32_t at = GT_BANK + line.bank * 0x10u + ISR, mine = 0xffffu << line.shift;
    register_set(i->mmio, at, (register_value(i->mmio, at) & ~mine) | (isr << line.shift & mine));
}

static uint32_t master_read(const struct register_access *at, uint32_t stored)
{
    return (stored & MASTER_ENABLE) | pending(at->owner);
}

static void tree_written(const struct register_access *w)
{
    interrupt_update(w->owner);
}

static void gen8_identity_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    const uint32_t bank = (w->offset - GT_BANK) / 0x10u;
    if (bank < GT_BANKS)
        iir_bits_cleared(i, w->offset, &i->pending.second_events[bank], w->written);
}

#define BANK(title, at, text)                                                                                \
    {.name = title "_ISR", .offset = (at) + ISR, .summary = text ": status.", .spec = "CSP-23"},             \
        {.name = title "_IMR",                                                                               \
         .offset = (at) + IMR,                                                                               \
         .writable = 0xffffffff,                                                                             \
         .reset = 0xffffffff,                                                                                \
         .summary = text ": mask, 1 keeps a bit out of IIR.",                                                \
         .spec = "CSP-23"},                                                                                  \
        {.name = title "_IIR",                                                                               \
         .offset = (at) + IIR,                                                                               \
         .w1c = 0xffffffff,                                                                                  \
         .after_write = gen8_identity_written,                                                               \
         .summary = text ": identity, write 1 to clear.",                                                    \
         .spec = "CSP-23"},                                                                                  \
    {                                                                                                        \
        .name = title "_IER", .offset = (at) + IER, .writable = 0xffffffff, .after_write = tree_written,     \
        .summary = text ": enable towards the master control.", .spec = "CSP-23"                             \
    }

/* clang-format off */
static const struct reg rows[] = {
    {.name = "MASTER_INTERRUPT_CONTROL", .offset = MASTER_INTERRUPT_CONTROL, .writable = MASTER_ENABLE,
     .before_read = master_read, .after_write = tree_written,
     .summary = "Master enable in bit 31; which units have something pending below.", .spec = "CSP-23"},
    BANK("GT_INTERRUPT_0", 0x44300, "Render (15:0) and blitter (31:16) interrupts"),
    BANK("GT_INTERRUPT_1", 0x44310, "Video 0 (15:0) and video 1 (31:16) interrupts"),
    BANK("GT_INTERRUPT_2", 0x44320, "Power management (15:0) and GuC (31:16) interrupts"),
    BANK("GT_INTERRUPT_3", 0x44330, "Video enhancement (15:0) and observation (31:16) interrupts"),
    BANK("PCU_INTERRUPT", 0x444e0, "Power control unit interrupts"),
};
/* clang-format on */

static const struct register_block block = REGISTER_BLOCK("interrupt", rows);

const struct interrupt_info gen8_interrupts = {.block = &block,
                                               .raise = gen8_raise,
                                               .status = gen8_status,
                                               .asserted = gen8_asserted,
                                               .display_block = &gen8_display_interrupts};
