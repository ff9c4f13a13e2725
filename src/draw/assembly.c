/* Primitives of vertices, by topology; indices that cut end one run of them, and begin the next. */
#include "draw/draw.h"

/* So many vertices, from one primitive to the next so many further. */
static const struct {
    uint8_t corners, step;
    bool fans, closes; /* each has the first vertex; the last one goes back to it */
} shapes[TOPOLOGIES] = {
    [TOPOLOGY_POINTLIST] = {1, 1, false, false}, [TOPOLOGY_LINELIST] = {2, 2, false, false},
    [TOPOLOGY_LINESTRIP] = {2, 1, false, false}, [TOPOLOGY_LINELOOP] = {2, 1, false, true},
    [TOPOLOGY_TRILIST] = {3, 3, false, false},   [TOPOLOGY_TRISTRIP] = {3, 1, false, false},
    [TOPOLOGY_TRIFAN] = {3, 1, true, false},     [TOPOLOGY_POLYGON] = {3, 1, true, false},
    [TOPOLOGY_RECTLIST] = {3, 3, false, false},
};

unsigned draw_corners_of(uint64_t topology)
{
    return topology < TOPOLOGIES ? shapes[topology].corners : 0;
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

enum assembly draw_assemble(struct drawing *d, struct bindings *b, uint32_t vertex[CORNERS])
{
    const unsigned corners = draw_corners_of(d->topology);
    if (!corners || d->primitive < d->run_primitive)
        return ASSEMBLY_ENDS;
    const uint64_t first = d->run + (uint64_t)(d->primitive - d->run_primitive) * shapes[d->topology].step;
    uint64_t end = first + corners;
    if (!find_end(d, b, first, &end))
        return ASSEMBLY_GOES_ON;
    const bool closing = shapes[d->topology].closes && end == first + 1u && first > d->run;
    if (end < first + corners && !closing) {
        if (end >= d->vertices)
            return ASSEMBLY_ENDS;
        d->run = (uint32_t)end + 1u;
        d->run_primitive = d->primitive;
        return ASSEMBLY_GOES_ON;
    }
    for (uint32_t i = 0; i < CORNERS; i++)
        vertex[i] = (uint32_t)first + (i < corners ? i : 0);
    if (closing)
        vertex[1] = d->run;
    if (shapes[d->topology].fans)
        vertex[0] = d->run;
    if (draw_is_turned(d)) {
        const uint32_t second = vertex[1];
        vertex[1] = vertex[2];
        vertex[2] = second;
    }
    return ASSEMBLY_DONE;
}
