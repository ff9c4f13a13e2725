/*
 * Gen6 geometry shaders: a thread for each object. Its output vertices are URB entries, which come to the
 * clipper in the order of their completion. Each holds its topology and whether it begins or ends a
 * primitive. (SNB PRM vol 2 part 1, Geometry Shader; vol 4 part 2, URB_WRITE)
 */
#include "geometry/draw.h"

#include "engine/statistics.h"
enum { ENDS = 1, BEGINS = 2, TOPOLOGY_AT = 2 };

static unsigned gen6_gs_topology(const struct gen6_gs_output *m, unsigned vertex)
{
    return m->vertex_flags[vertex] >> TOPOLOGY_AT;
}

static bool topology_is_fan(unsigned topology)
{
    return topology == TOPOLOGY_TRIFAN || topology == TOPOLOGY_POLYGON;
}

/* The count of vertices from `first` that belong to one primitive, up to `wanted`. */
static unsigned gen6_gs_vertices_in_primitive(const struct gen6_gs_output *m, unsigned first, unsigned wanted)
{
    unsigned n = 0;
    while (n < wanted && first + n < m->vertex_count && (!n || !(m->vertex_flags[first + n] & BEGINS)) &&
           gen6_gs_topology(m, first + n) == gen6_gs_topology(m, first))
        if (m->vertex_flags[first + n++] & ENDS)
            break;
    return n;
}

/* The thread's last vertex does not end its fan: the next thread may continue it. */
static bool gen6_gs_has_open_fan(const struct gen6_gs_output *m)
{
    const unsigned last = m->vertex_count - 1u;
    return m->vertex_count && topology_is_fan(gen6_gs_topology(m, last)) && !(m->vertex_flags[last] & ENDS);
}

static uint32_t *gen6_gs_entry(struct urb *u, unsigned entry)
{
    return u->dw + URB_GS_OUTPUT_OFFSET_DW + entry * (size_t)URB_ENTRY_DW;
}

/* Another thread begins. Of an open fan the first and last vertex stay: quads and polygons come as triangles,
 * and the thread of each adds one vertex. (Mesa, brw_compile_ff_gs_prog) */
static void gen6_gs_begin_output(struct urb *u)
{
    struct gen6_gs_output *const m = &u->gen6_gs;
    uint32_t vertex[2][URB_ENTRY_DW];
    struct gen6_gs_output kept = {0};
    if (gen6_gs_has_open_fan(m)) {
        const unsigned from[2] = {m->strip_start_vertex, m->vertex_count - 1u};
        kept.kept_vertices = kept.vertex_count = kept.allocated_entries = from[0] < from[1] ? 2 : 1;
        for (unsigned i = 0; i < kept.kept_vertices; i++) {
            memcpy(vertex[i], gen6_gs_entry(u, m->vertex_entries[from[i]]), sizeof vertex[i]);
            kept.vertex_entries[i] = (uint8_t)i;
            kept.vertex_flags[i] = m->vertex_flags[from[i]];
        }
        for (unsigned i = 0; i < kept.kept_vertices; i++)
            memcpy(gen6_gs_entry(u, i), vertex[i], sizeof vertex[i]);
    }
    *m = kept;
}

/* Edges inside of a polygon are not those of its triangles. */
static uint8_t polygon_parts(const struct gen6_gs_output *m, unsigned first)
{
    const bool begins = first == m->strip_start_vertex && !m->kept_vertices,
               ends = m->vertex_flags[first + CORNERS - 1u] & ENDS;
    return (uint8_t)(ALL_PARTS & ~(begins ? 0 : FIRST_PART) & ~(ends ? 0 : LAST_PART));
}

/* The next primitive of the thread's output. Vertices that complete no primitive are skipped. */
static enum ia_result gen6_gs_output_primitive(struct draw *d, struct message_context *b,
                                               struct shaded_primitive *p)
{
    struct urb *const u = b->urb;
    struct gen6_gs_output *const m = &u->gen6_gs;
    if (m->vertex_flags[m->next_vertex] & BEGINS)
        m->strip_start_vertex = m->next_vertex;
    const unsigned topology = gen6_gs_topology(m, m->next_vertex),
                   reversed = topology == TOPOLOGY_TRISTRIP_REVERSE,
                   shape = reversed                        ? TOPOLOGY_TRISTRIP
                           : topology == TOPOLOGY_LINELOOP ? TOPOLOGY_LINESTRIP /* each thread has one line */
                                                           : topology,
                   corners = topology_vertices_per_primitive(shape);
    const bool fans = topology_is_fan(shape);
    if (!corners || corners != topology_vertices_per_object(shape) || (!fans && !topology_list_step(shape))) {
        m->next_vertex++;
        return IA_AGAIN;
    }
    const unsigned n = gen6_gs_vertices_in_primitive(m, m->next_vertex, corners);
    if (n < corners) {
        m->next_vertex += n;
        if (m->next_vertex < m->vertex_count || !gen6_gs_has_open_fan(m))
            m->strip_start_vertex = m->next_vertex;
        return IA_AGAIN;
    }
    const unsigned first = m->next_vertex;
    d->cursor.raster_topology = (uint8_t)shape;
    d->cursor.provoking_vertex = provoking_vertex_of(&d->state.raster, shape);
    d->cursor.reversed_winding =
        shape == TOPOLOGY_TRISTRIP && ((first - m->strip_start_vertex) ^ reversed) % 2u;
    for (unsigned i = 0; i < CORNERS; i++) {
        const unsigned corner = i < corners ? i : 0,
                       at = d->cursor.reversed_winding && corner ? CORNERS - corner : corner,
                       vertex = fans && !at ? m->strip_start_vertex : first + at;
        primitive_put_vertex(p, i, gen6_gs_entry(u, m->vertex_entries[vertex]), VUE_DW);
    }
    if (shape == TOPOLOGY_POLYGON)
        p->visible_parts = polygon_parts(m, first);
    p->continues_line = corners == 2 && shape != TOPOLOGY_LINELIST && first != m->strip_start_vertex;
    m->next_vertex += fans ? 1u : topology_list_step(shape);
    return IA_DONE;
}

enum ia_result gen6_gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                      uint64_t *budget)
{
    struct urb *const u = b->urb;
    struct ia_primitive o;
    uint8_t entry[IA_PRIMITIVE_VERTICES];
    p->stream = 0;
    if (u->gen6_gs.next_vertex < u->gen6_gs.vertex_count &&
        u->gen6_gs.kept_vertices < u->gen6_gs.vertex_count)
        return gen6_gs_output_primitive(d, b, p);
    d->cursor.phase = DRAW_ASSEMBLE;
    gen6_gs_begin_output(u);
    enum ia_result assembly = ia_assemble(d, &d->cursor, b, &o);
    if (assembly == IA_DONE && d->state.vs_enable)
        assembly = vs_lookup_or_dispatch(d, b, &o, entry, budget);
    if (assembly != IA_DONE)
        return assembly;
    d->cursor.reversed_winding = o.reversed_winding;
    d->cursor.primitive_id = o.primitive_id;
    d->cursor.phase = d->state.primitive_phase;
    if (d->state.gs.statistics_enable)
        engine_register64_add(b->engine, GS_INVOCATION_COUNT, 1);
    u->stage = SHADER_STAGE_GEN6_GS;
    u->channel_count = 1;
    return IA_WAIT;
}
