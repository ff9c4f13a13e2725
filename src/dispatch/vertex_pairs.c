/*
 * Threads that shade two vertices, four channels each: handles in r0.0 and r0.1; constants, from the register
 * that the state names; then what was fetched, a vector of the first and one of the second in each register.
 * (SNB PRM vol 2 part 1, VS Thread Payload)
 */
#include "dispatch/dispatch.h"

enum { VECTOR_DW = 4 };

bool vertices_are_pairs(const struct dispatch *d)
{
    return !kept_state(d, STATE_VS, VS_SIMD8_DISPATCH_ENABLE);
}

uint32_t vertex_pair_channels(const struct urb *u)
{
    return u->count > 1 ? 0xffu : 0xfu;
}

void vertex_pair_fill(struct dispatch *d, struct eu_thread *t, const struct stage *stage)
{
    enum { PART_DW = 8, HANDLES = 0 };
    const struct urb *const u = d->urb;
    const unsigned first = (unsigned)kept_state(d, STATE_VS, VS_VERTEX_URB_ENTRY_READ_OFFSET) * PART_DW,
                   count = (unsigned)kept_state(d, STATE_VS, VS_VERTEX_URB_ENTRY_READ_LENGTH) * PART_DW;
    struct filling f = {.thread = t};
    uint32_t r[8];
    memcpy(r, d->grid.r0, sizeof r);
    for (unsigned i = 0; i < u->count && i < 2; i++)
        r[HANDLES + i] = urb_handle(u, u->lanes[i]);
    fill_put(&f, r, sizeof r);
    f.at = d->grid.thread_registers;
    fill_constants(d, &f, stage);
    for (unsigned at = first; at < first + count; at += VECTOR_DW) {
        memset(r, 0, sizeof r);
        for (unsigned i = 0; i < u->count && i < 2; i++)
            for (unsigned n = 0; n < VECTOR_DW && at + n < URB_ENTRY_DW; n++)
                r[i * VECTOR_DW + n] = u->dw[u->lanes[i] * (size_t)URB_ENTRY_DW + at + n];
        fill_put(&f, r, sizeof r);
    }
}
