/* Primitives of vertices, by topology; indices that cut end one run of them, and begin the next. */
#include "draw/draw.h"

/* So many vertices, from one primitive to the next so many further. */
static const struct {
    uint8_t corners, vertices, step;
    bool fans, closes; /* each has the first vertex; the last one goes back to it */
} shapes[TOPOLOGIES] = {
    [TOPOLOGY_POINTLIST] = {1, 1, 1, false, false},     [TOPOLOGY_LINELIST] = {2, 2, 2, false, false},
    [TOPOLOGY_LINESTRIP] = {2, 2, 1, false, false},     [TOPOLOGY_LINELOOP] = {2, 2, 1, false, true},
    [TOPOLOGY_TRILIST] = {3, 3, 3, false, false},       [TOPOLOGY_TRISTRIP] = {3, 3, 1, false, false},
    [TOPOLOGY_TRIFAN] = {3, 3, 1, true, false},         [TOPOLOGY_POLYGON] = {3, 3, 1, true, false},
    [TOPOLOGY_RECTLIST] = {3, 3, 3, false, false},      [TOPOLOGY_LINELIST_ADJ] = {2, 4, 4, false, false},
    [TOPOLOGY_LINESTRIP_ADJ] = {2, 4, 1, false, false}, [TOPOLOGY_TRILIST_ADJ] = {3, 6, 6, false, false},
    [TOPOLOGY_TRISTRIP_ADJ] = {3, 6, 2, false, false},
};

unsigned draw_corners_of(uint64_t topology)
{
    return topology < TOPOLOGIES ? shapes[topology].corners : 0;
}

static bool is_patch(uint64_t topology)
{
    return topology >= TOPOLOGY_PATCHLIST_1 && topology < TOPOLOGY_PATCHLIST_1 + OBJECT_VERTICES;
}

unsigned draw_vertices_of(uint64_t topology)
{
    return is_patch(topology)      ? (unsigned)(topology - TOPOLOGY_PATCHLIST_1 + 1u)
           : topology < TOPOLOGIES ? shapes[topology].vertices
                                   : 0;
}

unsigned draw_corner_at(uint64_t topology, unsigned corner)
{
    const unsigned vertices = draw_vertices_of(topology), corners = draw_corners_of(topology);
    return vertices == corners ? corner : corners == 2 ? corner + 1 : corner * 2;
}

unsigned draw_step_of(uint64_t topology)
{
    return topology < TOPOLOGIES && shapes[topology].vertices == shapes[topology].corners &&
                   !shapes[topology].fans && !shapes[topology].closes
               ? shapes[topology].step
               : 0;
}

/* A triangle of a strip begins at `first`; adjacent ones of its edges are those of the triangles beside it,
 * or one that only it has, at both ends. (OpenGL 4.6, 10.1.13) */
static void put_adjacent(struct object *o, uint32_t first, bool is_first, bool is_last)
{
    const uint32_t before = is_first ? first + 1u : first - 2u, behind = first + (is_last ? 5u : 6u);
    const uint32_t straight[6] = {first, before, first + 2u, behind, first + 4u, first + 3u},
                   turned[6] = {first, first + 3u, first + 4u, behind, first + 2u, before};
    memcpy(o->vertex, o->turned ? turned : straight, sizeof straight);
}

/* Where the run ends, as far as the primitive goes. False: a fault. */
static bool find_end(const struct drawing *d, struct bindings *b, uint64_t first, uint64_t *end)
{
    if (*end > d->vertices)
        *end = d->vertices;
    for (uint64_t at = first; d->cuts && at < *end; at++) {
        uint32_t index;
        if (!draw_index(d, b, (uint32_t)at, &index))
            return false;
        if (index == d->cut_index)
            *end = at;
    }
    return true;
}

enum assembly draw_assemble(struct drawing *d, struct bindings *b, struct object *o)
{
    const unsigned vertices = draw_vertices_of(d->input);
    if (!vertices || d->primitive < d->run_primitive)
        return ASSEMBLY_ENDS;
    const bool patch = is_patch(d->input), adjacent = d->input == TOPOLOGY_TRISTRIP_ADJ;
    const uint32_t number = d->primitive - d->run_primitive;
    const uint64_t step = patch ? vertices : shapes[d->input].step, first = d->run + number * step;
    uint64_t end = first + vertices + (adjacent ? step : 0);
    if (!find_end(d, b, first, &end))
        return ASSEMBLY_GOES_ON;
    const bool closing = !patch && shapes[d->input].closes && end == first + 1u && first > d->run;
    if (end < first + vertices && !closing) {
        if (end >= d->vertices)
            return ASSEMBLY_ENDS;
        d->run = (uint32_t)end + 1u;
        d->run_primitive = d->primitive;
        return ASSEMBLY_GOES_ON;
    }
    *o = (struct object){.primitive = d->primitive,
                         .count = (uint8_t)vertices,
                         .turned = (adjacent || d->input == TOPOLOGY_TRISTRIP) && number % 2u};
    for (uint32_t i = 0; i < vertices; i++)
        o->vertex[i] = (uint32_t)first + i;
    if (closing)
        o->vertex[1] = d->run;
    if (!patch && shapes[d->input].fans)
        o->vertex[0] = d->run;
    if (adjacent) {
        put_adjacent(o, (uint32_t)first, !number, end < first + vertices + step);
    } else if (o->turned) {
        o->vertex[1] = (uint32_t)first + 2u;
        o->vertex[2] = (uint32_t)first + 1u;
    }
    return ASSEMBLY_DONE;
}
