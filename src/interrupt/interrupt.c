#include "interrupt/interrupt.h"

void interrupt_update(struct interrupt *i)
{
    const bool line = i->info->asserted(i);
    if (line && !i->line && (i->by_message || !i->port.intx)) {
        i->messages++;
        if (tracing(i->witness, SOFTGT_TRACE_INTERRUPTS))
            trace_event(i->witness, (struct softgt_event){.what = SOFTGT_TRACE_INTERRUPTS,
                                                          .kind = SOFTGT_EVENT_MESSAGE,
                                                          .unit = "interrupt",
                                                          .name = "MSI"});
        if (i->port.msi)
            i->port.msi(i->port.user, 0);
    }
    i->line = line;
    const bool pin = line && !i->by_message && !i->pin_disabled;
    if (pin != i->pin_line && i->port.intx)
        i->port.intx(i->port.user, pin);
    i->pin_line = pin;
}

void interrupt_identify(struct interrupt *i, uint32_t iir, uint32_t *second, uint32_t bits)
{
    const uint32_t identity = register_value(i->mmio, iir);
    *second |= identity & bits;
    register_set(i->mmio, iir, identity | bits);
    interrupt_update(i);
}

void interrupt_identity_cleared(struct interrupt *i, uint32_t iir, uint32_t *second, uint32_t cleared)
{
    const uint32_t again = *second & cleared;
    *second &= ~cleared;
    interrupt_update(i);
    if (again)
        interrupt_identify(i, iir, second, again);
}

void interrupt_state(struct interrupt *i, struct state *s)
{
    STATE_ARRAY(s, i->second);
    for (unsigned dw = 0; dw < 2; dw++) {
        STATE_ARRAY(s, i->sources[dw]);
        STATE_ARRAY(s, i->identities[dw]);
    }
    STATE(s, i->line);
    STATE(s, i->by_message);
    STATE(s, i->pin_disabled);
    STATE(s, i->pin_line);
    STATE(s, i->messages);
}
