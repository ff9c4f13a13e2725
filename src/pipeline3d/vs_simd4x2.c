/*
 * Vertex shader threads in SIMD4x2: two vertices, four channels each. Payload: handles in r0.0 and r0.1;
 * constants, from the register that the state names; then the fetched elements, a vector of each vertex in
 * each register. (SNB PRM vol 2 part 1, VS Thread Payload)
 */
#include "pipeline3d/draw_work.h"

enum { VECTOR_DW = 4 };

uint32_t vs_simd4x2_channels(const struct urb *u)
{
    return u->channel_count > 1 ? 0xffu : 0xfu;
}

void vs_simd4x2_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    enum { HANDLES = 0 };
    const struct urb *const u = d->draws->urb;
    const unsigned first = d->draws->draw.state.stage[SHADER_STAGE_VS].urb_read_offset_dw,
                   count = d->draws->draw.state.stage[SHADER_STAGE_VS].urb_read_length_dw;
    struct payload_writer f = {.thread = t};
    uint32_t r[8];
    memcpy(r, d->work.setup.r0, sizeof r);
    for (unsigned i = 0; i < u->channel_count && i < 2; i++)
        r[HANDLES + i] = urb_handle(u, u->channel_entries[i]);
    payload_put(&f, r, sizeof r);
    f.grf = d->work.setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_VS);
    for (unsigned at = first; at < first + count; at += VECTOR_DW) {
        memset(r, 0, sizeof r);
        for (unsigned i = 0; i < u->channel_count && i < 2; i++)
            for (unsigned n = 0; n < VECTOR_DW && at + n < URB_ENTRY_DW; n++)
                r[i * VECTOR_DW + n] = u->dw[u->channel_entries[i] * (size_t)URB_ENTRY_DW + at + n];
        payload_put(&f, r, sizeof r);
    }
}
