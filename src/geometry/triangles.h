/* Setup of triangles that need no clipping, and coverage of blocks of pixels, in vectors of the host's level.
 */
#ifndef GEOMETRY_TRIANGLES_H
#define GEOMETRY_TRIANGLES_H

#include "geometry/interpolation.h"

/* Inside where c + x * X + y * Y >= 0; in 1/256 of a pixel. */
struct edge {
    int64_t c;
    int32_t x, y;
    int32_t least,
        most; /* what x and y add at least and at most within a block, whose last pixel is the seventh */
};
static inline struct edge edge_of(int64_t c, int32_t x, int32_t y)
{
    enum { LAST = 7 };
    return (struct edge){.c = c,
                         .x = x,
                         .y = y,
                         .least = LAST * ((x < 0 ? x : 0) + (y < 0 ? y : 0)),
                         .most = LAST * ((x > 0 ? x : 0) + (y > 0 ? y : 0))};
}

/* What a viewport and the state of the clipper say of triangles. */
struct triangle_state {
    const float *matrix; /* three scales, then three offsets */
    const int32_t *origin;
    const double (*visible)[2]; /* x and y in pixels: minimum, maximum */
    const int32_t *scissor_min, *scissor_max;
    bool near_plane, near_is_zero, far_plane, rejects_outside;
    bool subpixel_4bit;
};

/* The corners of a triangle, each lane one; the last lane is the first corner again. */
struct triangle_corners {
    double x[4], y[4], w[4];
};

enum triangle_place { TRIANGLE_OUTSIDE, TRIANGLE_INSIDE, TRIANGLE_MUST_BE_CLIPPED };

struct triangle_functions {
    /* Transforms positions, four floats each, to pixels. Of a triangle that is inside all planes it computes
     * the equations but the depth bias. */
    enum triangle_place (*transform)(const struct triangle_state *s, const uint32_t *const position[CORNERS],
                                     struct triangle_corners *corners, struct plane_equations *e);
    /* The edges of a triangle that is inside; the pixels that it may cover, the maximum exclusive;
     * and its extent in 1/256 of a pixel. */
    void (*edges)(const struct triangle_state *s, const struct triangle_corners *corners, struct edge *edges,
                  int32_t bbox[2][2], int32_t box[2][2]);
    /* The pixels of a block of 8 x 8 that the edges of the mask cover, in Morton order. x, y: the location in
     * the first pixel, in 1/256 of a pixel. */
    uint64_t (*coverage)(const struct edge *edges, uint32_t mask, int64_t x, int64_t y);
};
extern const struct triangle_functions triangles_any;
#if defined(__x86_64__)
extern const struct triangle_functions triangles_v3, triangles_v4;
#endif
const struct triangle_functions *triangle_functions_of(enum eu_simd_level level);

#endif
