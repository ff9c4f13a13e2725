/*
 * Payloads of threads in SIMD4x2: a register has a vector of four channels for each of two vertices. A vertex
 * shader: handles in r0.0 and r0.1; constants, from the register that the state names; then the fetched
 * elements. A geometry shader has pushed vertices of two objects, or two vectors of one object's vertex in
 * each register. (SNB PRM vol 2 part 1, VS Thread Payload; IVB PRM vol 2 part 1, GS Thread Payload)
 */
#include "pipeline3d/draw_work.h"

enum { VECTOR_DW = 4, REGISTER_DW = 8, VERTICES = 2 };

uint32_t simd4x2_channels(const struct urb *u)
{
    return u->channel_count > 1 ? 0xffu : 0xfu;
}

void simd4x2_put(struct payload_writer *f, const uint32_t *first, const uint32_t *second, unsigned count)
{
    uint32_t r[REGISTER_DW] = {0};
    memcpy(r, first, count * sizeof *r);
    if (second)
        memcpy(r + VECTOR_DW, second, count * sizeof *r);
    payload_put(f, r, sizeof r);
}

/* A vector of an entry; what is beyond the entry is zero. */
static void load_vector(const struct urb *u, unsigned entry, unsigned at, uint32_t to[VECTOR_DW])
{
    for (unsigned n = 0; n < VECTOR_DW; n++)
        to[n] = at + n < URB_ENTRY_DW ? u->dw[entry * (size_t)URB_ENTRY_DW + at + n] : 0;
}

void vs_simd4x2_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    enum { HANDLES = 0 };
    const struct urb *const u = d->draws->urb;
    const unsigned first = d->draws->draw.state.stage[SHADER_STAGE_VS].urb_read_offset_dw,
                   count = d->draws->draw.state.stage[SHADER_STAGE_VS].urb_read_length_dw;
    struct payload_writer f = {.thread = t};
    uint32_t r[REGISTER_DW];
    memcpy(r, d->work.setup.r0, sizeof r);
    for (unsigned i = 0; i < u->channel_count && i < VERTICES; i++)
        r[HANDLES + i] = urb_handle(u, u->channel_entries[i]);
    payload_put(&f, r, sizeof r);
    f.grf = d->work.setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_VS);
    for (unsigned at = first; at < first + count; at += VECTOR_DW) {
        uint32_t vector[VERTICES][VECTOR_DW] = {{0}};
        for (unsigned i = 0; i < u->channel_count && i < VERTICES; i++)
            load_vector(u, u->channel_entries[i], at, vector[i]);
        simd4x2_put(&f, vector[0], vector[1], VECTOR_DW);
    }
}

void gs_simd4x2_put_vertices(struct thread_dispatcher *d, struct payload_writer *f)
{
    const struct urb *const u = d->draws->urb;
    const struct gs_thread *const w = &u->gs;
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[SHADER_STAGE_GS];
    const bool two_objects = d->draws->draw.state.gs.dispatch_mode == GS_DUAL_OBJECT;
    const unsigned step = two_objects ? VECTOR_DW : REGISTER_DW;
    for (unsigned n = 0; n < w->vertex_count; n++)
        for (unsigned i = 0; i < s->urb_read_length_dw; i += step) {
            const unsigned at = s->urb_read_offset_dw + i;
            uint32_t vector[VERTICES][VECTOR_DW] = {{0}};
            load_vector(u, w->vertex_entries[0][n], at, vector[0]);
            if (!two_objects)
                load_vector(u, w->vertex_entries[0][n], at + VECTOR_DW, vector[1]);
            else if (w->channel_count > 1)
                load_vector(u, w->vertex_entries[1][n], at, vector[1]);
            simd4x2_put(f, vector[0], vector[1], VECTOR_DW);
        }
}
