/* Messages that are planned with their instruction. */
#ifndef PLANS_PLANS_H
#define PLANS_PLANS_H

#include "base/inline.h"
#include "shared_function/shared_function.h"

/* Plans a message for a struct message_context: see eu_port.plan. (message_plan.c) */
void message_plan(const struct eu_isa *set, struct eu_message_plan *p);

/* Writes of eight channels to the URB, and messages of the load and store unit to it. (urb_plan.c) */
void urb_plan_write(struct eu_message_plan *p);
void urb_plan_load_store(struct eu_message_plan *p, const struct eu_send *m);

enum { NOT_DONE = -1 }; /* the message is sent instead */

/* Of a message; returns its cost. */
static INLINE int plan_count_cost(struct message_context *b, const struct eu_message_plan *p, uint32_t cost)
{
    b->cost.messages += cost;
    b->planned.messages++;
    b->planned.registers += p->counted_registers;
    return (int)cost;
}

static INLINE int plan_count_message(struct message_context *b, const struct eu_message_plan *p,
                                     uint32_t accesses)
{
    return plan_count_cost(b, p, message_cost(accesses, 0));
}

/* The byte of payload register `at` in the GRF, if as many registers follow it there; false: they do not. */
static inline bool payload_place(const struct eu_message_plan *p, unsigned at, unsigned registers,
                                 uint16_t *byte)
{
    const unsigned second = at >= p->payload_registers[0];
    at -= second ? p->payload_registers[0] : 0u;
    *byte = (uint16_t)(p->payload_byte[second] + at * EU_REGISTER_BYTES);
    return at + registers <= p->payload_registers[second];
}

#endif
