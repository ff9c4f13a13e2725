/* Edges of polygons, and extents of boxes and lines. */
#include "geometry/polygon.h"

static void raster_box(struct raster_polygon *o)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        o->box[0][axis] = o->box[1][axis] = o->vertex_xy[0][axis];
        for (unsigned i = 1; i < o->vertex_count; i++) {
            const int32_t at = o->vertex_xy[i][axis];
            o->box[0][axis] = at < o->box[0][axis] ? at : o->box[0][axis];
            o->box[1][axis] = at > o->box[1][axis] ? at : o->box[1][axis];
        }
    }
}

void raster_edge_functions(struct raster_polygon *o, struct edge *edges)
{
    int64_t area = 0;
    raster_box(o);
    if (o->kind != RASTER_POLYGON)
        return;
    for (unsigned i = 1; i + 1 < o->vertex_count; i++)
        area += ((int64_t)o->vertex_xy[i][0] - o->vertex_xy[0][0]) *
                    ((int64_t)o->vertex_xy[i + 1][1] - o->vertex_xy[0][1]) -
                ((int64_t)o->vertex_xy[i][1] - o->vertex_xy[0][1]) *
                    ((int64_t)o->vertex_xy[i + 1][0] - o->vertex_xy[0][0]);
    const int64_t sign = area < 0 ? -1 : 1;
    for (unsigned i = 0; i < o->vertex_count; i++) {
        const int32_t *const from = o->vertex_xy[i], *const to = o->vertex_xy[(i + 1) % o->vertex_count];
        const int64_t dx = sign * ((int64_t)to[0] - from[0]), dy = sign * ((int64_t)to[1] - from[1]);
        const bool takes = dy < 0 || (dy == 0 && dx >= 0); /* a left or top edge includes its points */
        edges[i] = edge_of(dy * from[0] - dx * from[1] - (takes ? 0 : 1), (int32_t)-dy, (int32_t)dx);
    }
    if (!area)
        edges[0] = (struct edge){.c = -1};
}
