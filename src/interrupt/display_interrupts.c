/*
 * Display interrupts from Gen8 on. Each pipe has a bank of ISR, IMR, IIR and IER; its bits are events of the
 * pipe (vertical blank, flips). A control register shows the banks with enabled events. Up to Gen10 it is the
 * master control; from Gen11 on it belongs to the display, has an enable, and the display is one bit of the
 * tree. Events are pulses, so ISR reads 0. Modelled: pipes. Not modelled: ports, audio, hotplug. (SYS-23,
 * CSP-23; BDW, ICL PRM vol 2c)
 */
#include "interrupt/interrupt.h"

enum { PIPE_BANK = 0x44400 /* + 0x10 * pipe */, ISR = 0x0, IMR = 0x4, IIR = 0x8, IER = 0xc };
enum { DISPLAY_INT_CTL = 0x44200, PIPE_A = 16 /* its bit in the control */ };
#define DISPLAY_ENABLE (1u << 31)

static uint32_t bank_value(const struct interrupt *i, unsigned pipe, unsigned which)
{
    return register_value(i->mmio, PIPE_BANK + pipe * 0x10u + which);
}

uint32_t interrupt_display_pending(const struct interrupt *i)
{
    uint32_t bits = 0;
    for (unsigned pipe = 0; pipe < INTERRUPT_PIPES; pipe++)
        if (bank_value(i, pipe, IIR) & bank_value(i, pipe, IER))
            bits |= 1u << (PIPE_A + pipe);
    return bits;
}

bool interrupt_display_asserted(const struct interrupt *i)
{
    return register_value(i->mmio, DISPLAY_INT_CTL) & DISPLAY_ENABLE && interrupt_display_pending(i);
}

/* Notifies a tree that latches the display's bit at each rising edge. */
static void look(struct interrupt *i)
{
    const bool asserted = i->info->display_asserted && interrupt_display_asserted(i);
    const bool anew = asserted && !i->display.asserted;
    i->display.asserted = asserted;
    if (anew)
        i->info->display_asserted(i);
    interrupt_update(i);
}

void interrupt_pipe_raise(struct interrupt *i, unsigned pipe, uint32_t bits)
{
    const uint32_t set = bits & ~bank_value(i, pipe, IMR);
    if (!i->info->display_block || pipe >= INTERRUPT_PIPES || !set)
        return;
    iir_set_bits(i, PIPE_BANK + pipe * 0x10u + IIR, &i->display.second_events[pipe], set);
    look(i);
}

bool interrupt_pipe_wanted(const struct interrupt *i, unsigned pipe, uint32_t bits)
{
    return i->info->display_block && pipe < INTERRUPT_PIPES &&
           bits & ~bank_value(i, pipe, IMR) & bank_value(i, pipe, IER);
}

static void enable_written(const struct register_access *w)
{
    look(w->owner);
}

/* An event that came twice is still pending after one clear of its IIR bit. */
static void display_identity_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    const uint32_t pipe = (w->offset - PIPE_BANK) / 0x10u;
    iir_bits_cleared(i, w->offset, &i->display.second_events[pipe], w->written);
    look(i);
}

static uint32_t control_read(const struct register_access *at, uint32_t stored)
{
    return (stored & DISPLAY_ENABLE) | interrupt_display_pending(at->owner);
}

/* Flips of planes 1 to 4 from bit 3 on; Gen8's of the primary and the sprite from bit 4 on. */
static const struct field pipe_fields[] = {{"Flip Done", 3, 6, FIELD_HEX, NULL},
                                           {"Vertical Blank", 0, 0, FIELD_BOOL, NULL}};
static const struct field control_fields[] = {
    {"Enable", 31, 31, FIELD_BOOL, NULL}, {"Pipe D", 19, 19, FIELD_BOOL, NULL},
    {"Pipe C", 18, 18, FIELD_BOOL, NULL}, {"Pipe B", 17, 17, FIELD_BOOL, NULL},
    {"Pipe A", 16, 16, FIELD_BOOL, NULL},
};
#define SPEC .spec = "SYS-23, CSP-23; BDW PRM vol 2c"
#define PIPE(letter, at)                                                                                     \
    {.name = "DE_PIPE_" letter "_INTERRUPT_ISR",                                                             \
     .offset = (at) + ISR,                                                                                   \
     .summary = "Events of pipe " letter ": pulses, no status.",                                             \
     SPEC},                                                                                                  \
        {.name = "DE_PIPE_" letter "_INTERRUPT_IMR",                                                         \
         .offset = (at) + IMR,                                                                               \
         .writable = 0xffffffff,                                                                             \
         .reset = 0xffffffff,                                                                                \
         FIELDS(pipe_fields),                                                                                \
         .summary = "Events of pipe " letter ": mask, 1 keeps a bit out of IIR.",                            \
         SPEC},                                                                                              \
        {.name = "DE_PIPE_" letter "_INTERRUPT_IIR",                                                         \
         .offset = (at) + IIR,                                                                               \
         .w1c = 0xffffffff,                                                                                  \
         FIELDS(pipe_fields),                                                                                \
         .after_write = display_identity_written,                                                            \
         .summary = "Events of pipe " letter ": identity, write 1 to clear; it keeps two of each.",          \
         SPEC},                                                                                              \
    {                                                                                                        \
        .name = "DE_PIPE_" letter "_INTERRUPT_IER", .offset = (at) + IER, .writable = 0xffffffff,            \
        FIELDS(pipe_fields), .after_write = enable_written,                                                  \
        .summary = "Events of pipe " letter ": enable towards the control.", SPEC                            \
    }
#define PIPES                                                                                                \
    PIPE("A", PIPE_BANK), PIPE("B", PIPE_BANK + 0x10), PIPE("C", PIPE_BANK + 0x20),                          \
        PIPE("D", PIPE_BANK + 0x30)
static const struct reg gen8_rows[] = {PIPES};
static const struct reg gen11_rows[] = {
    {.name = "DISPLAY_INT_CTL",
     .offset = DISPLAY_INT_CTL,
     .writable = DISPLAY_ENABLE,
     FIELDS(control_fields),
     .before_read = control_read,
     .after_write = enable_written,
     .summary = "The display's enable in bit 31; which bank of it has something.",
     .spec = "SYS-23, ICL PRM vol 2c"},
    PIPES,
};

const struct register_block gen8_display_interrupts = REGISTER_BLOCK("interrupt", gen8_rows);
const struct register_block gen11_display_interrupts = REGISTER_BLOCK("interrupt", gen11_rows);
