/*
 * Interrupts of the core: seventeen groups, each with a pin. The pin's number is the urgency; 1F: no pin.
 * Interrupts are kept while their group has no pin, and before the firmware sets CORE_INTERRUPT_READY. The
 * offsets of these registers are our choice: no public document has them. (SYS-16)
 */
#include "guc/interrupts.h"
#include "guc/registers.h"

enum { PIN_ASSIGNMENT = 0xc540, CORE_READY = 0xc560, PINS_PER_REGISTER = 4, NO_PIN = 0x1f };

static uint8_t level_of(uint32_t pin)
{
    static const uint8_t last[] = {12, 17, 22, 25, 27};
    for (unsigned level = 0; level < sizeof last; level++)
        if (pin <= last[level])
            return (uint8_t)(level + 1u);
    return 0;
}

/* The firmware's assignment: engines before the host, the host before doorbells. */
static const uint8_t usual_pins[GUC_GROUPS] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, [GROUP_ENGINES] = 18, 19, [12] = 14, [GROUP_HOST] = 13, 10, 11, 12};

/* With isolated VFs all groups are enabled, whatever the pin registers say. */
void guc_interrupts_settle(struct guc *g)
{
    const bool ready = guc_register(g, CORE_READY) & 1u;
    for (unsigned i = 0; i < GUC_GROUPS; i++) {
        const uint32_t pins = guc_register(g, PIN_ASSIGNMENT + i / PINS_PER_REGISTER * 4u);
        g->derived.pin_level[i] = vfs_are_isolated(g->isolation) ? level_of(usual_pins[i])
                                  : ready ? level_of(pins >> i % PINS_PER_REGISTER * 8u & 0x1fu)
                                          : 0;
    }
    g->derived.engines_of_group[0] = g->derived.engines_of_group[1] = 0;
    for (unsigned e = 0; e < g->engine_count; e++)
        g->derived.engines_of_group[g->engines[e].info->interrupt.bank & 1u] |= 1u << e;
}

void guc_interrupts_enable(struct guc *g)
{
    for (unsigned i = 0; i < GUC_GROUPS; i += PINS_PER_REGISTER) {
        uint32_t value = 0;
        for (unsigned n = 0; n < PINS_PER_REGISTER; n++)
            value |= (uint32_t)(i + n < GUC_GROUPS ? usual_pins[i + n] : NO_PIN) << n * 8u;
        guc_register_set(g, PIN_ASSIGNMENT + i, value);
    }
    guc_register_set(g, CORE_READY, 1);
    guc_interrupts_settle(g);
}

/* The most urgent pending source. */
enum guc_source guc_interrupts_next(const struct guc *g)
{
    enum guc_source next = SOURCE_NONE;
    unsigned most = 0;
    for (unsigned i = 0; i < 2; i++)
        if (g->engine_states.service_mask & g->derived.engines_of_group[i] &&
            g->derived.pin_level[GROUP_ENGINES + i] > most) {
            most = g->derived.pin_level[GROUP_ENGINES + i];
            next = SOURCE_ENGINES_0 + i;
        }
    for (uint32_t left = g->derived.rung_groups; left; left &= left - 1u)
        if (g->derived.pin_level[__builtin_ctz(left)] > most) {
            most = g->derived.pin_level[__builtin_ctz(left)];
            next = SOURCE_DOORBELLS;
        }
    for (const struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
        if (guc_function_has_request(k) && g->derived.pin_level[guc_host_group(k->number)] > most) {
            most = g->derived.pin_level[guc_host_group(k->number)];
            next = SOURCE_HOST;
        }
    return next;
}

static void pins_written(const struct register_access *w)
{
    guc_interrupts_settle(w->owner);
    guc_service_host_interrupts(w->owner);
}

static const struct field pin_fields[] = {
    {.name = "Fourth Group", .first = 24, .last = 28, .kind = FIELD_UINT},
    {.name = "Third Group", .first = 16, .last = 20, .kind = FIELD_UINT},
    {.name = "Second Group", .first = 8, .last = 12, .kind = FIELD_UINT},
    {.name = "First Group", .first = 0, .last = 4, .kind = FIELD_UINT}};
static const struct reg rows[] = {
    {.name = "INTERRUPT_PIN_ASSIGNMENT",
     .offset = PIN_ASSIGNMENT,
     .count = 5,
     .stride = 4,
     .writable = 0x1f1f1f1f,
     .reset = 0x1f1f1f1f,
     FIELDS(pin_fields),
     .after_write = pins_written,
     .summary = "Pins of the core for four interrupt groups; 1F: none. The offset is our choice.",
     .spec = "SYS-16"},
    {.name = "CORE_INTERRUPT_READY",
     .offset = CORE_READY,
     .writable = 1,
     .after_write = pins_written,
     .summary = "Bit 0: the core takes interrupts; the firmware sets it. The offset is our choice.",
     .spec = "SYS-16"},
};
const struct register_block guc_interrupt_registers = REGISTER_BLOCK("guc interrupts", rows);
