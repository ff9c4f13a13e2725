/* Input assembly: makes primitives of vertices, by topology. A cut index ends a strip and begins the next. */
#include "geometry/series.h"

/* The vertices of a strip triangle with adjacency that begins at `first`. Its adjacent vertices are those
 * of its neighbours; the first and last triangle have one of their own. (OpenGL 4.6, 10.1.13) */
static void ia_strip_adjacency(struct ia_primitive *o, uint32_t first, bool is_first, bool is_last)
{
    const uint32_t before = is_first ? first + 1u : first - 2u, behind = first + (is_last ? 5u : 6u);
    const uint32_t straight[6] = {first, before, first + 2u, behind, first + 4u, first + 3u},
                   turned[6] = {first, first + 3u, first + 4u, behind, first + 2u, before};
    memcpy(o->vertex, o->reversed_winding ? turned : straight, sizeof straight);
}

/* Searches the primitive for a cut index. Returns false on a fault. */
static bool ia_find_cut(const struct draw *d, struct message_context *b, uint64_t first, uint64_t *end)
{
    if (*end > d->state.call.vertex_count)
        *end = d->state.call.vertex_count;
    for (uint64_t at = first; d->state.vf.index.cut_index_enable && at < *end; at++) {
        uint32_t index;
        if (!vf_fetch_index(d, b, (uint32_t)at, &index))
            return false;
        if (index == d->state.vf.index.cut_index)
            *end = at;
    }
    return true;
}

/* Half of a quad: it is a fan around its last vertex, which so is the first of both triangles. (SKL PRM vol
 * 7, 3D Primitive Topology Types; OpenGL 4.6 compatibility, 10.1.14 and table 13.2: the provoking vertex) */
static void ia_quad(struct ia_primitive *o, uint32_t first, bool is_strip, bool is_second)
{
    const uint32_t ring[4] = {first + 3u, is_strip ? first + 2u : first, is_strip ? first : first + 1u,
                              is_strip ? first + 1u : first + 2u};
    o->vertex[0] = ring[0];
    o->vertex[1] = ring[1u + is_second];
    o->vertex[2] = ring[2u + is_second];
    o->visible_parts = is_second ? ALL_PARTS & ~FIRST_PART : ALL_PARTS & ~LAST_PART;
}

enum ia_result ia_assemble(const struct draw *d, struct draw_cursor *c, struct message_context *b,
                           struct ia_primitive *o)
{
    const uint64_t topology = d->state.call.topology;
    const unsigned vertices = d->state.object.vertices;
    if (!vertices || c->primitive_index < c->strip_start_primitive)
        return IA_END;
    if (ia_has_series(d))
        return ia_assemble_series(d, c, o);
    const enum topology_order order = (enum topology_order)d->state.object.order;
    const bool adjacent = topology == TOPOLOGY_TRISTRIP_ADJ;
    const unsigned triangles = order == TOPOLOGY_QUADS ? TRIANGLES_OF_QUAD : 1; /* of an object */
    const uint32_t triangle = c->primitive_index - c->strip_start_primitive, number = triangle / triangles;
    const uint64_t step = d->state.object.step, first = c->strip_start_vertex + number * step;
    uint64_t end = first + vertices + (adjacent || topology == TOPOLOGY_POLYGON ? step : 0);
    if (!ia_find_cut(d, b, first, &end))
        return IA_AGAIN;
    const bool closing = order == TOPOLOGY_LOOP && end == first + 1u && first > c->strip_start_vertex;
    if (end < first + vertices && !closing) {
        if (end >= d->state.call.vertex_count)
            return IA_END;
        c->strip_start_vertex = (uint32_t)end + 1u;
        c->strip_start_primitive = c->primitive_index;
        return IA_AGAIN;
    }
    o->primitive_id = c->primitive_index / triangles;
    o->vertex_count = order == TOPOLOGY_QUADS ? CORNERS : (uint8_t)vertices;
    o->visible_parts = ALL_PARTS;
    o->reversed_winding = topology_is_reversed(topology, number);
    if (order == TOPOLOGY_QUADS) {
        ia_quad(o, (uint32_t)first, topology == TOPOLOGY_QUADSTRIP, triangle % triangles);
        return IA_DONE;
    }
    for (uint32_t i = 0; i < vertices; i++)
        o->vertex[i] = (uint32_t)first + i;
    if (closing)
        o->vertex[1] = c->strip_start_vertex;
    if (order == TOPOLOGY_FAN)
        o->vertex[0] = c->strip_start_vertex;
    if (topology == TOPOLOGY_POLYGON)
        o->visible_parts =
            (uint8_t)(ALL_PARTS & ~(number ? FIRST_PART : 0) & ~(end > first + vertices ? LAST_PART : 0));
    if (adjacent) {
        ia_strip_adjacency(o, (uint32_t)first, !number, end < first + vertices + step);
    } else if (o->reversed_winding) {
        o->vertex[1] = (uint32_t)first + 2u;
        o->vertex[2] = (uint32_t)first + 1u;
    }
    return IA_DONE;
}

uint8_t provoking_vertex_of(const struct raster_state *s, uint64_t topology)
{
    const unsigned of = topology_vertices_per_primitive(topology) < CORNERS ? PROVOKING_LINE
                        : topology == TOPOLOGY_TRIFAN || topology == TOPOLOGY_TRIFAN_NOSTIPPLE
                            ? PROVOKING_FAN
                            : PROVOKING_TRIANGLE;
    return topology == TOPOLOGY_POLYGON || topology_order_of(topology) == TOPOLOGY_QUADS
               ? 0
               : s->provoking_vertex[of];
}
