/* Counts of objects and primitives by topology. */
#include "geometry/topology.h"

#define TOPOLOGY_SHAPE(name, text, code, object, step, primitive, order)                                     \
    [TOPOLOGY_##name] = {object, step, primitive, order},
const struct topology_shape topology_shapes[TOPOLOGIES] = {TOPOLOGY_ROWS(TOPOLOGY_SHAPE)};

const char *topology_text(uint64_t topology)
{
#define TOPOLOGY_TEXT(name, text, ...) [TOPOLOGY_##name] = "topology " text,
    static const char *const texts[TOPOLOGIES] = {TOPOLOGY_ROWS(TOPOLOGY_TEXT)};
    return topology < TOPOLOGIES && texts[topology] ? texts[topology] : "an undefined topology";
}

static bool is_patch_list(uint64_t topology)
{
    return topology >= TOPOLOGY_PATCHLIST_1 && topology < TOPOLOGY_PATCHLIST_1 + TOPOLOGY_PATCHLISTS;
}

unsigned topology_vertices_per_object(uint64_t topology)
{
    if (is_patch_list(topology))
        return (unsigned)(topology - TOPOLOGY_PATCHLIST_1 + 1u);
    return topology_vertices_per_primitive(topology) ? topology_shapes[topology].object_vertices : 0;
}

unsigned topology_vertex_of_object(uint64_t topology, unsigned n)
{
    const unsigned object = topology_vertices_per_object(topology),
                   primitive = topology_vertices_per_primitive(topology);
    return object == primitive ? n : primitive == 2 ? n + 1 : n * 2;
}

unsigned topology_step(uint64_t topology)
{
    return is_patch_list(topology) ? topology_vertices_per_object(topology)
           : topology < TOPOLOGIES ? topology_shapes[topology].step
                                   : 0;
}

enum topology_order topology_order_of(uint64_t topology)
{
    return topology < TOPOLOGIES ? (enum topology_order)topology_shapes[topology].order : TOPOLOGY_SERIES;
}

unsigned topology_list_step(uint64_t topology)
{
    const unsigned vertices = topology_vertices_per_primitive(topology);
    return vertices && vertices == topology_shapes[topology].object_vertices &&
                   topology_order_of(topology) == TOPOLOGY_SERIES
               ? topology_shapes[topology].step
               : 0;
}

uint64_t topology_objects(uint64_t topology, uint64_t vertices)
{
    const uint64_t object = topology >= TOPOLOGY_PATCHLIST_1 ? topology - TOPOLOGY_PATCHLIST_1 + 1u
                            : topology < TOPOLOGIES          ? topology_shapes[topology].object_vertices
                                                             : 0,
                   step = topology >= TOPOLOGY_PATCHLIST_1 ? object : topology_step(topology);
    if (!object || vertices < object)
        return 0;
    const uint64_t whole = (vertices - object) / step + 1u;
    switch (topology_order_of(topology)) {
    case TOPOLOGY_LOOP:
        return whole + 1u;
    case TOPOLOGY_QUADS:
        return whole * TRIANGLES_OF_QUAD;
    case TOPOLOGY_SERIES:
    case TOPOLOGY_FAN:
        break;
    }
    return whole;
}

uint64_t topology_ia_primitives(uint64_t topology, uint64_t vertices)
{
    const uint64_t objects = topology_objects(topology, vertices);
    if (topology_order_of(topology) == TOPOLOGY_QUADS)
        return objects / TRIANGLES_OF_QUAD;
    return topology == TOPOLOGY_POLYGON ? objects != 0
                                        : objects - (objects && topology_order_of(topology) == TOPOLOGY_LOOP);
}
