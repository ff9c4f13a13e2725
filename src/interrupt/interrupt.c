#include "interrupt/interrupt.h"

static void send(struct interrupt *i, const struct softgt_interrupt_port *port, unsigned function)
{
    i->output.messages++;
    i->log->cost.ns += MESSAGE_COST_NS;
    if (tracing(i->log, SOFTGT_TRACE_INTERRUPTS))
        trace_event(i->log, (struct softgt_event){.what = SOFTGT_TRACE_INTERRUPTS,
                                                  .kind = SOFTGT_EVENT_MESSAGE,
                                                  .unit = "interrupt",
                                                  .index = function,
                                                  .name = "MSI"});
    if (port->msi)
        port->msi(port->user, 0);
}

void interrupt_send_message(struct interrupt *i)
{
    if (i->output.msi_enabled || !i->port.intx)
        send(i, &i->port, 0);
}

void interrupt_send_function_message(struct interrupt *i, unsigned function)
{
    if (!function)
        interrupt_send_message(i);
    else if (i->functions[function - 1u].msi_enabled)
        send(i, &i->functions[function - 1u].port, function);
}

void interrupt_update(struct interrupt *i)
{
    const bool line = i->info->asserted(i);
    if (line && !i->output.line)
        interrupt_send_message(i);
    i->output.line = line;
    const bool pin = line && !i->output.msi_enabled && !i->output.pin_disabled;
    if (pin != i->output.pin_line && i->port.intx) {
        i->log->cost.ns += MESSAGE_COST_NS;
        i->port.intx(i->port.user, pin);
    }
    i->output.pin_line = pin;
}

void interrupt_clear_pending(struct interrupt *i)
{
    i->pending = (struct interrupt_pending){0};
    i->display = (struct interrupt_display){0};
    interrupt_update(i);
}

void iir_set_bits(struct interrupt *i, uint32_t iir, uint32_t *second, uint32_t bits)
{
    const uint32_t identity = register_value(i->mmio, iir);
    *second |= identity & bits;
    register_set(i->mmio, iir, identity | bits);
    interrupt_update(i);
}

void iir_bits_cleared(struct interrupt *i, uint32_t iir, uint32_t *second, uint32_t cleared)
{
    const uint32_t again = *second & cleared;
    *second &= ~cleared;
    interrupt_update(i);
    if (again)
        iir_set_bits(i, iir, second, again);
}

static STATE_TABLE(pending_fields, struct interrupt_pending, INTERRUPT_PENDING_MEMBERS)
static STATE_TABLE(display_fields, struct interrupt_display, INTERRUPT_DISPLAY_MEMBERS)
static STATE_TABLE(out_fields, struct interrupt_line_state, INTERRUPT_LINE_STATE_MEMBERS)

static const struct section sections[] = {
    SECTION(struct interrupt, pending, 2, SURVIVES_DEVICE_RESET, pending_fields, NULL),
    SECTION(struct interrupt, display, 1, SURVIVES_DEVICE_RESET, display_fields, NULL),
    SECTION(struct interrupt, output, 1, SURVIVES_DEVICE_RESET, out_fields, NULL),
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static void reset(void *unit, enum reset_scope scope)
{
    struct interrupt *i = unit;
    const bool pin = i->output.pin_line;
    sections_reset(sections, SECTIONS, i, scope);
    if (pin && !i->output.pin_line && i->port.intx)
        i->port.intx(i->port.user, false);
}

static void state(void *unit, struct state *s)
{
    struct interrupt *i = unit;
    sections_state(sections, SECTIONS, i, "interrupt", s);
}

/* The pin is where the owner sees it. */
static void settle(void *unit)
{
    const struct interrupt *i = unit;
    if (i->port.intx)
        i->port.intx(i->port.user, i->output.pin_line);
}

const struct unit_shape interrupt_shape = {.sections = sections,
                                           .section_count = SECTIONS,
                                           .reset = reset,
                                           .recompute_derived = settle,
                                           .state = state};
