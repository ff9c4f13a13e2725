/*
 * The interrupts of Gen6: one bank for the GT, in which each engine's bits have their place, and banks for
 * power management, display and south display; bit 31 of DEIER is the master enable. (REN-14, VCS-08; SNB PRM
 * vol 1 part 1)
 */
#include "interrupt/interrupt.h"

enum { DE = 0x44000, GT = 0x44010, PM = 0x44020, SDE = 0xc4000 };
enum { ISR = 0x0, IMR = 0x4, IIR = 0x8, IER = 0xc };

#define MASTER_ENABLE (1u << 31)

/* Those that engines have lines to: Haswell's enhancement engine to the second. */
enum { BANKS = 2 };
static const uint32_t banks[BANKS] = {GT, PM};

static uint32_t active(const struct interrupt *i, uint32_t bank)
{
    return register_value(i->mmio, bank + IIR) & register_value(i->mmio, bank + IER);
}

static bool gen6_asserted(const struct interrupt *i)
{
    return register_value(i->mmio, DE + IER) & MASTER_ENABLE &&
           (active(i, GT) || active(i, PM) || active(i, SDE) || active(i, DE) & ~MASTER_ENABLE);
}

static void gen6_raise(struct interrupt *i, struct interrupt_line line, uint32_t bits)
{
    const uint32_t bank = banks[line.bank], set = bits << line.shift & ~register_value(i->mmio, bank + IMR);
    iir_set_bits(i, bank + IIR, &i->pending.second_events[line.bank], set);
}

static void gen6_status(struct interrupt *i, struct interrupt_line line, uint32_t isr)
{
    const uint32_t mine = 0x1ffu << line.shift;
    const uint32_t offset = banks[line.bank] + ISR;
    register_set(i->mmio, offset, (register_value(i->mmio, offset) & ~mine) | (isr << line.shift & mine));
}

static void tree_written(const struct register_access *w)
{
    interrupt_update(w->owner);
}

static void gen6_identity_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    for (unsigned bank = 0; bank < BANKS; bank++)
        if (w->offset == banks[bank] + IIR) {
            iir_bits_cleared(i, w->offset, &i->pending.second_events[bank], w->written);
            return;
        }
    interrupt_update(i);
}

#define BANK(title, at, text)                                                                                \
    {.name = title "ISR", .offset = (at) + ISR, .summary = text ": status.", .spec = "REN-14"},              \
        {.name = title "IMR",                                                                                \
         .offset = (at) + IMR,                                                                               \
         .writable = 0xffffffff,                                                                             \
         .reset = 0xffffffff,                                                                                \
         .summary = text ": mask, 1 keeps a bit out of IIR.",                                                \
         .spec = "REN-15"},                                                                                  \
        {.name = title "IIR",                                                                                \
         .offset = (at) + IIR,                                                                               \
         .w1c = 0xffffffff,                                                                                  \
         .after_write = gen6_identity_written,                                                               \
         .summary = text ": identity, write 1 to clear.",                                                    \
         .spec = "REN-14"},                                                                                  \
    {                                                                                                        \
        .name = title "IER", .offset = (at) + IER, .writable = 0xffffffff, .after_write = tree_written,      \
        .summary = text ": enable.", .spec = "REN-14"                                                        \
    }

static const struct reg rows[] = {
    BANK("DE", DE, "Display; bit 31 of the enable is the master's"),
    BANK("GT", GT, "Render (8:0), video (20:12) and blitter (30:22)"),
    BANK("PM", PM, "Power management"),
    BANK("SDE", SDE, "South display"),
    {.name = "ERR_INT",
     .offset = 0x44040,
     .w1c = 0xffffffff,
     .summary = "Display errors.",
     .spec = "SNB PRM vol 3 part 2"},
    {.name = "SERR_INT",
     .offset = 0xc4040,
     .w1c = 0xffffffff,
     .summary = "South display errors.",
     .spec = "SNB PRM vol 3 part 3"},
};

static const struct register_block block = REGISTER_BLOCK("interrupt", rows);

const struct interrupt_info gen6_interrupts = {
    .block = &block, .raise = gen6_raise, .status = gen6_status, .asserted = gen6_asserted};
