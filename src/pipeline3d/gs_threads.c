/*
 * Threads of geometry shaders: each has up to eight objects, on Gen20 up to 16, one a channel. Payload: r0;
 * r1 with output handles and the instance ID; primitive IDs and vertex handles, if the state asks for them;
 * constants, from the register that the state names; then the pushed parts of the vertices, vertex by vertex,
 * a dword of all objects in each register. (Mesa, gs_thread_payload)
 */
#include "pipeline3d/draw_work.h"

static uint32_t gs_output_handle(const struct gs_thread *g, unsigned lane)
{
    return urb_handle_of(g->first_handle, g->entry_dw, lane);
}

/* An object's vertex is one of the vertex shader, or a point of the domain shader. */
static void gs_grant_vertex(struct thread_dispatcher *d, unsigned entry)
{
    const struct urb *const u = d->draws->urb;
    urb_grant_entry(d, urb_entry_handle(d, entry), entry * (size_t)URB_ENTRY_DW,
                    entry < URB_ENTRIES ? u->entry_dw
                                        : d->draws->draw.state.stage[SHADER_STAGE_DS].urb_entry_dw);
}

static void gs_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    enum { OBJECT_INSTRUCTIONS = 64, INSTRUCTION_DW = 256 };
    struct urb *const u = d->draws->urb;
    const struct gs_thread *const w = &u->gs;
    budget_charge(budget, w->channel_count * (uint64_t)(OBJECT_INSTRUCTIONS + w->entry_dw / INSTRUCTION_DW));
    u->handle_count = 0;
    for (unsigned i = 0; i < w->channel_count; i++)
        urb_grant_entry(d, gs_output_handle(w, i), URB_GS_OUTPUT_OFFSET_DW + i * (size_t)GS_ENTRY_DW,
                        w->entry_dw);
    for (unsigned n = 0; n < w->vertex_count; n++)
        for (unsigned i = 0; i < w->channel_count; i++)
            gs_grant_vertex(d, w->vertex_entries[i][n]);
    stage_setup(d, SHADER_STAGE_GS);
}

/* Pushes the parts of the vertices that the state names. */
static void gs_put_vertices(struct thread_dispatcher *d, struct payload_writer *f)
{
    const struct urb *const u = d->draws->urb;
    const struct gs_thread *const w = &u->gs;
    const unsigned first = d->draws->draw.state.stage[SHADER_STAGE_GS].urb_read_offset_dw,
                   count = d->draws->draw.state.stage[SHADER_STAGE_GS].urb_read_length_dw;
    for (unsigned n = 0; n < w->vertex_count; n++)
        for (unsigned at = first; at < first + count; at++) {
            uint32_t values[GS_OBJECTS] = {0};
            for (unsigned i = 0; i < w->channel_count; i++)
                values[i] =
                    at < URB_ENTRY_DW ? u->dw[w->vertex_entries[i][n] * (size_t)URB_ENTRY_DW + at] : 0;
            payload_put(f, values, sizeof values);
        }
}

/* Pushes vertex handles: a register for each vertex, or one register for all vertices of a single
 * instanced object. */
static void gs_put_handles(const struct thread_dispatcher *d, struct payload_writer *f)
{
    const struct gs_thread *const w = &d->draws->urb->gs;
    uint32_t values[GS_OBJECTS] = {0};
    for (unsigned n = 0; n < w->vertex_count && w->instanced; n++)
        values[n] = payload_handle(d, urb_entry_handle(d, w->vertex_entries[0][n]));
    if (w->instanced)
        payload_put(f, values, sizeof values);
    for (unsigned n = 0; n < w->vertex_count && !w->instanced; n++) {
        for (unsigned i = 0; i < w->channel_count; i++)
            values[i] = payload_handle(d, urb_entry_handle(d, w->vertex_entries[i][n]));
        payload_put(f, values, sizeof values);
    }
}

/* The first registers that every mode has. In SIMD4x2 handles and instance IDs are in them. */
static void gs_put_r0(struct thread_dispatcher *d, struct payload_writer *f)
{
    enum { ABOUT = 2, TOPOLOGY_AT = 16, HINT_AT = 22, INVOCATION_AT = 27 };
    const struct gs_state *const s = &d->draws->draw.state.gs;
    const struct gs_thread *const w = &d->draws->urb->gs;
    uint32_t r0[8], values[GS_OBJECTS] = {0};
    memcpy(r0, d->work.setup.r0, sizeof r0);
    r0[ABOUT] |= (s->input_topology & 0x1fu) << TOPOLOGY_AT | s->hint << HINT_AT;
    for (unsigned i = 0; i < w->channel_count; i++)
        values[i] = payload_handle(d, gs_output_handle(w, i)) | (uint32_t)w->invocation[i] << INVOCATION_AT;
    if (s->dispatch_mode != GS_SIMD8)
        memcpy(r0, values, 2 * sizeof *values);
    payload_put(f, r0, sizeof r0);
    if (s->dispatch_mode == GS_SIMD8)
        payload_put(f, values, sizeof values);
}

static void gs_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    const struct gs_state *const s = &d->draws->draw.state.gs;
    const struct gs_thread *const w = &d->draws->urb->gs;
    const bool is_simd8 = s->dispatch_mode == GS_SIMD8;
    struct payload_writer f = {.thread = t};
    gs_put_r0(d, &f);
    if (s->include_primitive_id && is_simd8)
        payload_put(&f, w->primitive_id, sizeof w->primitive_id);
    else if (s->include_primitive_id)
        simd4x2_put(&f, &w->primitive_id[0], &w->primitive_id[1], 1);
    if (s->include_vertex_handles)
        gs_put_handles(d, &f);
    f.grf = d->work.setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_GS);
    if (is_simd8)
        gs_put_vertices(d, &f);
    else
        gs_simd4x2_put_vertices(d, &f);
    t->sr0[SR0_DISPATCH_MASK] = t->sr0[SR0_VECTOR_MASK] = stage_channels(d);
}

const struct stage_ops gs_stage_ops = {gs_begin, gs_payload, stage_channels, stage_thread_done};

/* ---- State ---- */

bool gs_thread_state(struct thread_dispatcher *d, struct state *s)
{
    struct gs_thread *const g = &d->draws->urb->gs;
    STATE_ARRAY(s, g->primitive_id);
    STATE(s, g->entry_dw);
    STATE(s, g->first_handle);
    STATE(s, g->channel);
    STATE(s, g->next_vertex);
    STATE(s, g->strip_start_vertex);
    STATE_ARRAY(s, g->invocation);
    STATE_ARRAY(s, g->written_vertices);
    for (unsigned i = 0; i < GS_OBJECTS; i++)
        STATE_ARRAY(s, g->vertex_entries[i]);
    STATE(s, g->channel_count);
    STATE(s, g->vertex_count);
    STATE(s, g->next_invocation);
    STATE(s, g->instanced);
    const bool is_running = d->work.setup.payload == SHADER_STAGE_GS,
               has_gs = d->draws->draw.cursor.stages >> SHADER_STAGE_GS & 1u;
    bool holds =
        g->entry_dw <= GS_ENTRY_DW && g->channel_count <= GS_OBJECTS && g->channel <= g->channel_count &&
        g->vertex_count <= GS_OBJECT_VERTICES &&
        (!is_running || (g->channel_count && g->channel_count == d->draws->urb->channel_count)) &&
        (has_gs || !g->channel_count) &&
        (g->channel == g->channel_count || draw_phase_may_have_gs_output(d->draws->draw.cursor.phase));
    for (unsigned i = 0; i < GS_OBJECTS * GS_OBJECT_VERTICES; i++)
        holds &= g->vertex_entries[i / GS_OBJECT_VERTICES][i % GS_OBJECT_VERTICES] < URB_SLOTS;
    for (unsigned i = 0; holds && g->channel < g->channel_count && i < g->channel_count; i++)
        state_dwords(s, d->draws->urb->dw + URB_GS_OUTPUT_OFFSET_DW + i * (size_t)GS_ENTRY_DW, g->entry_dw);
    return holds;
}
