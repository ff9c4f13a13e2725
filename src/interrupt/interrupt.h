/*
 * The interrupt tree: from an engine's interrupt bits to the MSI or the pin. A generation's tree is a
 * register block and an ops table. Common part: a message is sent when "pending and enabled" becomes true.
 */
#ifndef INTERRUPT_INTERRUPT_H
#define INTERRUPT_INTERRUPT_H

#include "base/unit.h"
#include "memory/memory.h"
#include "mmio/register_file.h"

/* Where an engine's bits arrive in the tree. */
struct interrupt_line {
    uint8_t bank, shift; /* gen8: bits from `shift` on in a bank, and in the engine's IMR */
    uint8_t bit;         /* since gen11: of double word `bank` */
    /* gen11: who the identity names, and which half of which mask and enable registers is the engine's.
     * Gen12.5's tree has its own table of these; there the class is what the engine says of itself. */
    uint8_t class, instance;
    uint32_t mask_offset, enable_offset;
    uint8_t mask_shift, enable_shift;
};

struct interrupt;

struct interrupt_info {
    const struct register_block *block;
    /* Bits of a line become pending where they are not masked. */
    void (*raise)(struct interrupt *i, struct interrupt_line line, uint32_t bits);
    /* A line's ISR changed; NULL where the tree shows none. */
    void (*status)(struct interrupt *i, struct interrupt_line line, uint32_t isr);
    /* An enabled interrupt is pending, and the master enable is on. */
    bool (*asserted)(const struct interrupt *i);
    const struct register_block *display_block; /* the display's; NULL: it raises no interrupts */
    /* Asserts the display's own control again; NULL: its level is read. */
    void (*display_asserted)(struct interrupt *i);
};

/* State that no register shows. */
#define INTERRUPT_PENDING_MEMBERS(M, S)                                                                      \
    /* gen6, gen8: bits of each bank's IIR that came again before they were cleared; gen12.5: bits of the    \
     * two double words that came while software served them. */                                             \
    M(S, NUMBERS, uint32_t, second_events, [4], 0)                                                           \
    /* gen12.5: 1, software has read the double word and not cleared it whole. */                            \
    M(S, NUMBERS, uint32_t, in_service, [2], 2)                                                              \
    /* gen11: pending bits of the sources in the two double words. */                                        \
    M(S, NUMBERS, uint16_t, sources, [2][32], 0)                                                             \
    M(S, NUMBERS, uint16_t, identities, [2][32], 0)
struct interrupt_pending {
    STATE_MEMBERS(INTERRUPT_PENDING_MEMBERS)
};

/* Hidden state of the display's interrupts. */
enum { INTERRUPT_PIPES = 4 };
#define INTERRUPT_DISPLAY_MEMBERS(M, S)                                                                      \
    /* Bits of each pipe's IIR that came again. */                                                           \
    M(S, NUMBERS, uint32_t, second_events, [INTERRUPT_PIPES], 0)                                             \
    M(S, FLAG, asserted) /* at the last update; where the tree reports it */                                 \
    M(S, PADDING, reserved, [3])
struct interrupt_display {
    STATE_MEMBERS(INTERRUPT_DISPLAY_MEMBERS)
};

/* The output to the host. */
#define INTERRUPT_LINE_STATE_MEMBERS(M, S)                                                                   \
    M(S, NUMBER, uint64_t, messages, 0) /* since power on */                                                 \
    M(S, FLAG, line)                    /* asserted, as of the last look */                                  \
    M(S, FLAG, msi_enabled)             /* configuration space: MSI is enabled */                            \
    M(S, FLAG, pin_disabled)            /* configuration space: INTx is disabled */                          \
    M(S, FLAG, pin_line)                /* the pin's level */                                                \
    M(S, PADDING, reserved, [4])
struct interrupt_line_state {
    STATE_MEMBERS(INTERRUPT_LINE_STATE_MEMBERS)
};

/* The output of a VF: messages only. */
struct interrupt_function {
    struct softgt_interrupt_port port;
    bool msi_enabled; /* its configuration space: MSI is enabled */
};

struct interrupt {
    const struct interrupt_info *info;
    struct device_log *log;
    struct register_file *mmio;
    struct softgt_interrupt_port port;
    struct interrupt_function *functions; /* of each virtual one; the first is function 1's */
    struct interrupt_pending pending;
    struct interrupt_display display;
    struct interrupt_line_state output;
};

extern const struct unit_shape interrupt_shape;
/* Clears all pending events. */
void interrupt_clear_pending(struct interrupt *i);
/* Evaluates the tree; sends a message on a rising edge, or sets the pin. */
void interrupt_update(struct interrupt *i);
/* Sends a message without changing the tree; the pin is not changed. */
void interrupt_send_message(struct interrupt *i);
/* The same of a function; 0: the physical one. */
void interrupt_send_function_message(struct interrupt *i, unsigned function);
/* GGTT addresses of a source's memory-based interrupts: sixteen status bytes, in the order of its bits, and
 * its source byte. */
struct memirq_addresses {
    uint32_t status, source;
};
void memirq_raise(struct interrupt *i, struct mmu *mmu, struct memirq_addresses at, uint32_t bits);
/*
 * An IIR keeps a second event of a bit that is set already: cleared, the bit goes low and is set again, so
 * what came while software served the first is not lost. (BDW PRM vol 2c, IIR) `iir` is the offset, `second`
 * the bank's own.
 */
void iir_set_bits(struct interrupt *i, uint32_t iir, uint32_t *second, uint32_t bits);
void iir_bits_cleared(struct interrupt *i, uint32_t iir, uint32_t *second, uint32_t cleared);

/* display_interrupts.c: events of a pipe; whether such ones lead on; which pipes have something, from bit 16
 * on; whether that leads out of the display, from Gen11 on. */
void interrupt_pipe_raise(struct interrupt *i, unsigned pipe, uint32_t bits);
bool interrupt_pipe_wanted(const struct interrupt *i, unsigned pipe, uint32_t bits);
uint32_t interrupt_display_pending(const struct interrupt *i);
bool interrupt_display_asserted(const struct interrupt *i);
extern const struct register_block gen8_display_interrupts, gen11_display_interrupts;

extern const struct interrupt_info gen6_interrupts, gen8_interrupts, gen11_interrupts, gen125_interrupts,
    gen200_interrupts;

/* Gen12.5: bits of the primary register that have no double word below. */
void gen125_primary_raise(struct interrupt *i, uint32_t bits);

#endif
