/*
 * What every part of a device that has a state of its own is to the device, which loops over them and knows
 * none by name: engines, the interrupt tree, the display, the GT.
 */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include "base/state.h"

/* Any may be NULL. */
struct unit_shape {
    const struct section *sections;
    size_t section_count;
    /* Assigns the sections that a reset of this scope takes; what is computed from them comes by settle. */
    void (*reset)(void *unit, enum reset_scope scope);
    /* State was written at once (a load, a reset, a power-up): computes what follows from it. */
    void (*recompute_derived)(void *unit);
    /* Saves or loads the unit's sections. */
    void (*state)(void *unit, struct state *s);
    /* Virtual time went on from before_ns to now. */
    void (*advance)(void *unit, uint64_t before_ns);
    /* How much of it may pass at once for what the unit does meanwhile to be little; UINT64_MAX: any. */
    uint64_t (*max_step_ns)(const void *unit);
    /* When the unit does something by itself; UINT64_MAX: never. */
    uint64_t (*next_event_ns)(const void *unit);
    /* Whether run would do something now. */
    bool (*runnable)(const void *unit);
    /* Whether it waits for what nobody tells it, a value in memory: run looks whether that is there. */
    bool (*polls)(const void *unit);
    /* Uses up to budget_dw; returns what it used. */
    uint64_t (*run)(void *unit, uint64_t budget_dw);
};

/* From what may be used up, down to nothing. */
static inline void budget_charge(uint64_t *budget, uint64_t used)
{
    *budget -= *budget < used ? *budget : used;
}

struct unit {
    const struct unit_shape *shape;
    void *self;
};

#endif
