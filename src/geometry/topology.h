/*
 * Primitive topologies, a row each: name in commands, vertices of an object for a shader, vertices to the
 * next object, vertices of a drawn primitive. (SNB PRM vol 2 part 1, 3D Primitive Topology Types)
 */
#ifndef GEOMETRY_TOPOLOGY_H
#define GEOMETRY_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

/* The order of objects: FAN objects all use the first vertex; LOOP adds an object that closes it; each of
 * QUADS is drawn as two triangles. */
enum { TRIANGLES_OF_QUAD = 2 };
enum topology_order { TOPOLOGY_SERIES, TOPOLOGY_FAN, TOPOLOGY_LOOP, TOPOLOGY_QUADS };

/* T(name, text, code, vertices of an object, step, vertices of a drawn primitive or 0, order) */
#define TOPOLOGY_ROWS(T)                                                                                     \
    T(POINTLIST, "POINTLIST", 1, 1, 1, 1, TOPOLOGY_SERIES)                                                   \
    T(LINELIST, "LINELIST", 2, 2, 2, 2, TOPOLOGY_SERIES)                                                     \
    T(LINESTRIP, "LINESTRIP", 3, 2, 1, 2, TOPOLOGY_SERIES)                                                   \
    T(TRILIST, "TRILIST", 4, 3, 3, 3, TOPOLOGY_SERIES)                                                       \
    T(TRISTRIP, "TRISTRIP", 5, 3, 1, 3, TOPOLOGY_SERIES)                                                     \
    T(TRIFAN, "TRIFAN", 6, 3, 1, 3, TOPOLOGY_FAN)                                                            \
    T(QUADLIST, "QUADLIST", 7, 4, 4, 3, TOPOLOGY_QUADS)                                                      \
    T(QUADSTRIP, "QUADSTRIP", 8, 4, 2, 3, TOPOLOGY_QUADS)                                                    \
    T(LINELIST_ADJ, "LINELIST_ADJ", 9, 4, 4, 2, TOPOLOGY_SERIES)                                             \
    T(LINESTRIP_ADJ, "LINESTRIP_ADJ", 10, 4, 1, 2, TOPOLOGY_SERIES)                                          \
    T(TRILIST_ADJ, "TRILIST_ADJ", 11, 6, 6, 3, TOPOLOGY_SERIES)                                              \
    T(TRISTRIP_ADJ, "TRISTRIP_ADJ", 12, 6, 2, 3, TOPOLOGY_SERIES)                                            \
    T(TRISTRIP_REVERSE, "TRISTRIP_REVERSE", 13, 3, 1, 3, TOPOLOGY_SERIES)                                    \
    T(POLYGON, "POLYGON", 14, 3, 1, 3, TOPOLOGY_FAN)                                                         \
    T(RECTLIST, "RECTLIST", 15, 3, 3, 3, TOPOLOGY_SERIES)                                                    \
    T(LINELOOP, "LINELOOP", 16, 2, 1, 2, TOPOLOGY_LOOP)                                                      \
    T(POINTLIST_BF, "POINTLIST _BF", 17, 1, 1, 1, TOPOLOGY_SERIES)                                           \
    T(LINESTRIP_CONT, "LINESTRIP_CONT", 18, 2, 1, 2, TOPOLOGY_SERIES)                                        \
    T(LINESTRIP_BF, "LINESTRIP_BF", 19, 2, 1, 2, TOPOLOGY_SERIES)                                            \
    T(LINESTRIP_CONT_BF, "LINESTRIP_CONT_BF", 20, 2, 1, 2, TOPOLOGY_SERIES)                                  \
    T(TRIFAN_NOSTIPPLE, "TRIFAN_NOSTIPPLE", 22, 3, 1, 3, TOPOLOGY_FAN)

#define TOPOLOGY_CODE(name, text, code, ...) TOPOLOGY_##name = (code),
enum primitive_topology {
    TOPOLOGY_ROWS(TOPOLOGY_CODE) TOPOLOGIES,
    TOPOLOGY_PATCHLIST_1 = 32,
    TOPOLOGY_PATCHLISTS = 32
};
/* Names of the codes: value tables of commands begin with these. */
#define TOPOLOGY_NAME(name, text, code, ...) {text, code},

struct topology_shape {
    uint8_t object_vertices, step, primitive_vertices, order;
};
extern const struct topology_shape topology_shapes[TOPOLOGIES];

/* Vertices of a drawn primitive; 0: the topology is not drawn. */
static inline unsigned topology_vertices_per_primitive(uint64_t topology)
{
    return topology < TOPOLOGIES ? topology_shapes[topology].primitive_vertices : 0;
}
/* Vertices of an object, with adjacent ones and those of a patch; 0: the topology is not drawn. */
unsigned topology_vertices_per_object(uint64_t topology);
/* The vertex of an object that is vertex n of the primitive. */
unsigned topology_vertex_of_object(uint64_t topology, unsigned n);
/* Vertices from an object to the next; 0: the topology is no list or strip. */
unsigned topology_list_step(uint64_t topology);
unsigned topology_step(uint64_t topology);
enum topology_order topology_order_of(uint64_t topology);
/* Whether triangle `number` of a strip winds the other way. */
static inline bool topology_is_reversed(uint64_t topology, uint32_t number)
{
    return topology == TOPOLOGY_TRISTRIP || topology == TOPOLOGY_TRISTRIP_ADJ ? number % 2u
           : topology == TOPOLOGY_TRISTRIP_REVERSE                            ? number % 2u == 0
                                                                              : false;
}
/* Points and lines that are the edges of a polygon's back. */
static inline bool topology_is_back_facing(uint64_t topology)
{
    return topology == TOPOLOGY_POINTLIST_BF || topology == TOPOLOGY_LINESTRIP_BF ||
           topology == TOPOLOGY_LINESTRIP_CONT_BF;
}
/* The number of objects in `vertices` vertices; of quads, that of their triangles. */
uint64_t topology_objects(uint64_t topology, uint64_t vertices);
/* The number that IA_PRIMITIVES_COUNT adds: one for a polygon or a quad; the line that closes a loop does not
 * count. */
uint64_t topology_ia_primitives(uint64_t topology, uint64_t vertices);
/* The topology for a message: "topology QUADLIST". */
const char *topology_text(uint64_t topology);

#endif
