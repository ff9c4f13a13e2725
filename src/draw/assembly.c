/* Primitives of vertices, by topology; indices that cut end one run of them, and begin the next. */
#include "draw/draw.h"

/* So many vertices, from one primitive to the next so many further. */
static const struct {
    uint8_t corners, vertices, step;
    bool fans, closes; /* each has the first vertex; the last one goes back to it */
} topologies_drawn[TOPOLOGIES] = {
    [TOPOLOGY_POINTLIST] = {1, 1, 1, false, false},     [TOPOLOGY_LINELIST] = {2, 2, 2, false, false},
    [TOPOLOGY_LINESTRIP] = {2, 2, 1, false, false},     [TOPOLOGY_LINELOOP] = {2, 2, 1, false, true},
    [TOPOLOGY_TRILIST] = {3, 3, 3, false, false},       [TOPOLOGY_TRISTRIP] = {3, 3, 1, false, false},
    [TOPOLOGY_TRIFAN] = {3, 3, 1, true, false},         [TOPOLOGY_POLYGON] = {3, 3, 1, true, false},
    [TOPOLOGY_RECTLIST] = {3, 3, 3, false, false},      [TOPOLOGY_LINELIST_ADJ] = {2, 4, 4, false, false},
    [TOPOLOGY_LINESTRIP_ADJ] = {2, 4, 1, false, false}, [TOPOLOGY_TRILIST_ADJ] = {3, 6, 6, false, false},
    [TOPOLOGY_TRISTRIP_ADJ] = {3, 6, 2, false, false},
};

unsigned topology_vertices_per_primitive(uint64_t topology)
{
    return topology < TOPOLOGIES ? topologies_drawn[topology].corners : 0;
}

static bool topology_is_patch_list(uint64_t topology)
{
    return topology >= TOPOLOGY_PATCHLIST_1 && topology < TOPOLOGY_PATCHLIST_1 + IA_PRIMITIVE_VERTICES;
}

unsigned topology_vertices_per_object(uint64_t topology)
{
    return topology_is_patch_list(topology) ? (unsigned)(topology - TOPOLOGY_PATCHLIST_1 + 1u)
           : topology < TOPOLOGIES          ? topologies_drawn[topology].vertices
                                            : 0;
}

unsigned topology_vertex_of_object(uint64_t topology, unsigned corner)
{
    const unsigned vertices = topology_vertices_per_object(topology),
                   corners = topology_vertices_per_primitive(topology);
    return vertices == corners ? corner : corners == 2 ? corner + 1 : corner * 2;
}

unsigned topology_list_step(uint64_t topology)
{
    return topology < TOPOLOGIES &&
                   topologies_drawn[topology].vertices == topologies_drawn[topology].corners &&
                   !topologies_drawn[topology].fans && !topologies_drawn[topology].closes
               ? topologies_drawn[topology].step
               : 0;
}

/* A triangle of a strip begins at `first`; adjacent ones of its edges are those of the triangles beside it,
 * or one that only it has, at both ends. (OpenGL 4.6, 10.1.13) */
static void ia_strip_adjacency(struct ia_primitive *o, uint32_t first, bool is_first, bool is_last)
{
    const uint32_t before = is_first ? first + 1u : first - 2u, behind = first + (is_last ? 5u : 6u);
    const uint32_t straight[6] = {first, before, first + 2u, behind, first + 4u, first + 3u},
                   turned[6] = {first, first + 3u, first + 4u, behind, first + 2u, before};
    memcpy(o->vertex, o->reversed_winding ? turned : straight, sizeof straight);
}

/* Where the run ends, as far as the primitive goes. False: a fault. */
static bool ia_find_cut(const struct draw *d, struct message_context *b, uint64_t first, uint64_t *end)
{
    if (*end > d->state.call.vertex_count)
        *end = d->state.call.vertex_count;
    for (uint64_t at = first; d->state.vf.cut_index_enable && at < *end; at++) {
        uint32_t index;
        if (!vf_fetch_index(d, b, (uint32_t)at, &index))
            return false;
        if (index == d->state.vf.cut_index)
            *end = at;
    }
    return true;
}

enum ia_result ia_assemble(const struct draw *d, struct draw_cursor *c, struct message_context *b,
                           struct ia_primitive *o)
{
    const uint64_t topology = d->state.call.topology;
    const unsigned vertices = topology_vertices_per_object(topology);
    if (!vertices || c->primitive_index < c->strip_start_primitive)
        return IA_END;
    const bool patch = topology_is_patch_list(topology), adjacent = topology == TOPOLOGY_TRISTRIP_ADJ;
    const uint32_t number = c->primitive_index - c->strip_start_primitive;
    const uint64_t step = patch ? vertices : topologies_drawn[topology].step,
                   first = c->strip_start_vertex + number * step;
    uint64_t end = first + vertices + (adjacent ? step : 0);
    if (!ia_find_cut(d, b, first, &end))
        return IA_AGAIN;
    const bool closing =
        !patch && topologies_drawn[topology].closes && end == first + 1u && first > c->strip_start_vertex;
    if (end < first + vertices && !closing) {
        if (end >= d->state.call.vertex_count)
            return IA_END;
        c->strip_start_vertex = (uint32_t)end + 1u;
        c->strip_start_primitive = c->primitive_index;
        return IA_AGAIN;
    }
    *o =
        (struct ia_primitive){.primitive_id = c->primitive_index,
                              .vertex_count = (uint8_t)vertices,
                              .reversed_winding = (adjacent || topology == TOPOLOGY_TRISTRIP) && number % 2u};
    for (uint32_t i = 0; i < vertices; i++)
        o->vertex[i] = (uint32_t)first + i;
    if (closing)
        o->vertex[1] = c->strip_start_vertex;
    if (!patch && topologies_drawn[topology].fans)
        o->vertex[0] = c->strip_start_vertex;
    if (adjacent) {
        ia_strip_adjacency(o, (uint32_t)first, !number, end < first + vertices + step);
    } else if (o->reversed_winding) {
        o->vertex[1] = (uint32_t)first + 2u;
        o->vertex[2] = (uint32_t)first + 1u;
    }
    return IA_DONE;
}
