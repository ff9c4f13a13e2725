/* Input assembly of objects whose vertices follow each other. */
#ifndef GEOMETRY_SERIES_H
#define GEOMETRY_SERIES_H

#include "geometry/draw.h"

/* Whether the draw's objects are such, and no cut index ends them. */
static inline bool ia_has_series(const struct draw *d)
{
    return d->state.object.order == TOPOLOGY_SERIES && !d->state.vf.index.cut_index_enable &&
           d->state.call.topology != TOPOLOGY_TRISTRIP_ADJ;
}

/* Assembles the object at the cursor. */
static inline enum ia_result ia_assemble_series(const struct draw *d, const struct draw_cursor *c,
                                                struct ia_primitive *o)
{
    const unsigned vertices = d->state.object.vertices;
    const uint32_t number = c->primitive_index - c->strip_start_primitive;
    const uint64_t first = c->strip_start_vertex + number * (uint64_t)d->state.object.step;
    if (first + vertices > d->state.call.vertex_count)
        return IA_END;
    o->primitive_id = c->primitive_index;
    o->vertex_count = (uint8_t)vertices;
    o->visible_parts = ALL_PARTS;
    o->reversed_winding = topology_is_reversed(d->state.call.topology, number);
    for (uint32_t i = 0; i < vertices; i++)
        o->vertex[i] = (uint32_t)first + i;
    if (o->reversed_winding) {
        o->vertex[1] = (uint32_t)first + 2u;
        o->vertex[2] = (uint32_t)first + 1u;
    }
    return IA_DONE;
}

#endif
