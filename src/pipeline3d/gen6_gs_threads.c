/*
 * Threads of Gen6 geometry shaders: each has one object, which it streams out or passes on. Payload: r0
 * with the topology and the primitive ID; the streamed vertex buffer indices, if the state asks for them;
 * constants; the vertices in order, from the register that the state names. All eight channels run, which
 * the manual leaves open. (SNB PRM vol 2 part 1, GS Thread Payload)
 */
#include "pipeline3d/draw_work.h"

#include "engine/statistics.h"

static void gen6_gs_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    (void)budget;
    stage_setup(d, SHADER_STAGE_GEN6_GS);
}

void gen6_gs_bind(struct thread_dispatcher *d)
{
    d->bindings.is_gen6_gs = d->work.setup.payload == SHADER_STAGE_GEN6_GS;
    if (d->bindings.is_gen6_gs)
        d->bindings.gen6_sol = (struct gen6_sol_state){
            .engine = d->engine,
            .primitives_statistics = d->draws->draw.state.gs.statistics_enable,
            .output_statistics = d->draws->draw.state.gs.so_statistics_enable,
            .svbi_post_increment = d->draws->draw.state.gs.svbi_post_increment_enable,
            .rendering_enable = d->draws->draw.state.gs.gen6_rendering_enable,
        };
}

enum { PART_DW = 8 };

/* True for an odd triangle of a strip without Reorder Enable: its vertices keep the strip's order, and its
 * topology is TRISTRIP_REVERSE. */
static bool is_reversed_strip(const struct thread_dispatcher *d)
{
    return d->draws->draw.state.call.topology == TOPOLOGY_TRISTRIP &&
           d->draws->draw.cursor.reversed_winding && !d->draws->draw.state.gs.gen6_reorder_enable;
}

/* What r0 says of the object: its topology. Quads are polygons; of polygons two bits say whether the first
 * and the last edge of the triangle are the polygon's. (SNB PRM vol 2 part 1, GS Thread Payload) */
static uint32_t gen6_gs_object_topology(const struct thread_dispatcher *d, const struct ia_primitive *o)
{
    enum { EDGE_INDICATOR_0 = 1 << 8, EDGE_INDICATOR_1 = 1 << 9 };
    const uint64_t topology = d->draws->draw.state.call.topology;
    if (is_reversed_strip(d))
        return TOPOLOGY_TRISTRIP_REVERSE;
    if (topology_order_of(topology) != TOPOLOGY_QUADS && topology != TOPOLOGY_POLYGON)
        return (uint32_t)topology;
    return TOPOLOGY_POLYGON | (o->visible_parts & FIRST_PART ? EDGE_INDICATOR_0 : 0) |
           (o->visible_parts & LAST_PART ? EDGE_INDICATOR_1 : 0);
}

/* The vertices of the object, up to the length that the state names. */
static void gen6_gs_put_vertices(struct thread_dispatcher *d, struct payload_writer *f,
                                 const struct ia_primitive *object)
{
    const unsigned first = d->draws->draw.state.stage[SHADER_STAGE_GEN6_GS].urb_read_offset_dw,
                   count = d->draws->draw.state.stage[SHADER_STAGE_GEN6_GS].urb_read_length_dw;
    const struct draw_state *const state = &d->draws->draw.state;
    const struct ia_primitive o = *object;
    uint8_t entry[IA_PRIMITIVE_VERTICES];
    if (state->vs_enable && !vs_lookup(&d->draws->draw, &d->bindings, &o, entry))
        return;
    const bool in_strip_order = is_reversed_strip(d);
    const unsigned corners = topology_vertices_per_primitive(state->call.topology),
                   vertices = d->draws->draw.state.gs.discard_adjacency && corners ? corners : o.vertex_count;
    for (unsigned n = 0; n < vertices; n++) {
        const unsigned among =
                           vertices < o.vertex_count ? topology_vertex_of_object(state->call.topology, n) : n,
                       i = in_strip_order && n ? o.vertex_count - n : among;
        uint32_t dw[VUE_DW] = {0}, r[PART_DW];
        if (state->vs_enable)
            memcpy(dw, d->draws->urb->dw + (size_t)entry[i] * URB_ENTRY_DW, sizeof dw);
        else if (!vf_fetch_vertex(&d->draws->draw, &d->bindings, o.vertex[i], o.primitive_id, dw))
            return;
        for (unsigned from = first; from < first + count; from += PART_DW) {
            memset(r, 0, sizeof r);
            if (from + PART_DW <= VUE_DW)
                memcpy(r, &dw[from], sizeof r);
            payload_put(f, r, sizeof r);
        }
    }
}

static uint32_t gen6_gs_channels(const struct thread_dispatcher *d)
{
    (void)d;
    return 0xff;
}

/* The write positions advance past the object that the thread writes; one that does not fit is not written.
 */
static void svbi_post_increment_object(struct engine *e, const struct gs_state *gs)
{
    enum { BUFFERS = 4 };
    uint32_t indices[2 * BUFFERS];
    svbi_load(e, indices);
    const bool fits = (uint64_t)indices[0] + gs->svbi_post_increment_value <= indices[BUFFERS];
    if (gs->so_statistics_enable) {
        engine_register64_add(e, GEN6_SO_PRIM_STORAGE_NEEDED, 1);
        engine_register64_add(e, GEN6_SO_NUM_PRIMS_WRITTEN, fits);
    }
    svbi_post_increment(e, gs->svbi_post_increment_value);
}

static void gen6_gs_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    enum { NUMBER = 1, TOPOLOGY = 2 };
    struct payload_writer f = {.thread = t};
    struct draw_cursor at = d->draws->draw.cursor;
    struct ia_primitive o = {0};
    uint32_t r[PART_DW];
    const bool found = ia_assemble(&d->draws->draw, &at, &d->bindings, &o) == IA_DONE;
    memcpy(r, d->work.setup.r0, sizeof r);
    r[NUMBER] = d->draws->draw.cursor.primitive_id;
    r[TOPOLOGY] = gen6_gs_object_topology(d, &o);
    payload_put(&f, r, sizeof r);
    if (d->draws->draw.state.gs.svbi_payload_enable) {
        svbi_load(d->engine, r);
        payload_put(&f, r, sizeof r);
    }
    if (d->draws->draw.state.gs.svbi_post_increment_enable)
        svbi_post_increment_object(d->engine, &d->draws->draw.state.gs);
    f.grf = d->work.setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_GEN6_GS);
    if (found)
        gen6_gs_put_vertices(d, &f, &o);
    t->sr0[SR0_DISPATCH_MASK] = t->sr0[SR0_VECTOR_MASK] = gen6_gs_channels(d);
}

static void gen6_gs_done(struct thread_dispatcher *d)
{
    d->draws->draw.cursor.primitive_index++;
    stage_thread_done(d);
}

/* Saved while the current draw has such threads. */
bool gen6_gs_output_state(struct thread_dispatcher *d, struct state *s)
{
    struct gen6_gs_output *const m = &d->draws->urb->gen6_gs;
    if (!(d->draws->draw.cursor.stages >> SHADER_STAGE_GEN6_GS & 1u))
        return true;
    STATE(s, m->allocated_entries);
    STATE(s, m->vertex_count);
    STATE(s, m->next_vertex);
    STATE(s, m->strip_start_vertex);
    STATE(s, m->kept_vertices);
    STATE_ARRAY(s, m->vertex_entries);
    STATE_ARRAY(s, m->vertex_flags);
    const bool holds =
        m->allocated_entries <= UINT16_MAX && m->vertex_count <= GEN6_GS_VERTICES &&
        m->next_vertex <= m->vertex_count && m->strip_start_vertex <= m->next_vertex &&
        m->kept_vertices <= m->vertex_count && m->kept_vertices <= 2 &&
        (draw_phase_may_have_gs_output(d->draws->draw.cursor.phase) || m->vertex_count == m->kept_vertices);
    for (unsigned i = 0; holds && i < m->allocated_entries && i < GEN6_GS_VERTICES; i++)
        state_dwords(s, d->draws->urb->dw + URB_GS_OUTPUT_OFFSET_DW + i * (size_t)URB_ENTRY_DW, URB_ENTRY_DW);
    return holds;
}

const struct stage_ops gen6_gs_stage_ops = {gen6_gs_begin, gen6_gs_payload, gen6_gs_channels, gen6_gs_done};
