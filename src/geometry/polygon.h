/* The outline of a primitive in pixels. */
#ifndef GEOMETRY_POLYGON_H
#define GEOMETRY_POLYGON_H

#include "geometry/triangles.h"

/* The visible part of a primitive in 1/256 of a pixel: a convex polygon, or the two ends of a line. */
enum { RASTER_POLYGON_VERTICES = 24 };
enum { RASTER_POLYGON, RASTER_BOX, RASTER_LINE, RASTER_KINDS };
struct raster_polygon {
    uint32_t vertex_count, kind;
    int32_t box[2][2];                             /* the extent: minimum, maximum */
    int32_t vertex_xy[RASTER_POLYGON_VERTICES][2]; /* of a triangle that is not clipped: not kept */
};

/* The extent, and the edge functions of a polygon. */
void raster_edge_functions(struct raster_polygon *polygon, struct edge *edges);

#endif
