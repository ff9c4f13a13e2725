/*
 * The interface of a unit, a part of a device with state of its own: an engine, the interrupt tree, the
 * display, the GT. The device creates units by name and then loops over them.
 */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include "base/state.h"

/* Any may be NULL. */
struct unit_shape {
    const struct section *sections;
    size_t section_count;
    /* Assigns the sections that do not survive the reset; recompute_derived computes the rest. */
    void (*reset)(void *unit, enum reset_scope scope);
    /* Computes what is derived from state, after a load, a reset or a power-up. */
    void (*recompute_derived)(void *unit);
    /* Saves or loads the unit's sections. */
    void (*state)(void *unit, struct state *s);
    /* Virtual time advanced from before_ns to now. */
    void (*advance)(void *unit, uint64_t before_ns);
    /* Longest time step for which the unit's work stays bounded; UINT64_MAX: unlimited. */
    uint64_t (*max_step_ns)(const void *unit);
    /* When the unit does something by itself; UINT64_MAX: never. */
    uint64_t (*next_event_ns)(const void *unit);
    /* Whether run would do something now. */
    bool (*runnable)(const void *unit);
    /* Whether it polls a value in memory: run checks it. */
    bool (*polls)(const void *unit);
    /* Runs for up to budget_dw dwords; returns the dwords used. */
    uint64_t (*run)(void *unit, uint64_t budget_dw);
};

/* Subtracts from a budget, down to zero. */
static inline void budget_charge(uint64_t *budget, uint64_t used)
{
    *budget -= *budget < used ? *budget : used;
}

struct unit {
    const struct unit_shape *shape;
    void *self;
};

#endif
