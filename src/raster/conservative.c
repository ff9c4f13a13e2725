/*
 * Conservative rasterization: a polygon covers each pixel that it touches, and all samples of it. Its edges
 * are moved outwards by half a pixel on both axes, and by what rounding positions to 1/256 may have moved
 * them; its extent limits the corners. (SKL PRM vol 7, Conservative Rasterization; Direct3D 11.3, 15.17)
 */
#include "raster/raster.h"

#include <stdlib.h>

enum { HALF = SUBPIXELS / 2, ROUNDING = 1 };

/* What an edge gains over half a pixel. */
static int64_t edge_reach(const struct edge *e)
{
    return llabs(e->x) + llabs(e->y);
}

static int32_t limited(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

void conservative_setup(struct draw *d)
{
    struct setup_primitive *const s = &d->setup;
    const struct viewport *const v = &d->state.viewports[s->viewport_index];
    if (!edge_reach(&s->edges[0])) /* it has no area */
        return;
    for (unsigned i = 0; i < s->polygon.vertex_count; i++)
        s->edges[i].c += edge_reach(&s->edges[i]) * (HALF + ROUNDING) + 1;
    for (unsigned axis = 0; axis < 2; axis++) {
        int32_t *const low = &s->polygon.box[0][axis], *const high = &s->polygon.box[1][axis];
        s->bbox[0][axis] =
            limited((*low - ROUNDING) >> SUBPIXEL_BITS, v->scissor_min[axis], v->scissor_max[axis]);
        s->bbox[1][axis] =
            limited(((*high + ROUNDING) >> SUBPIXEL_BITS) + 1, v->scissor_min[axis], v->scissor_max[axis]);
        *low -= HALF + ROUNDING;
        *high += HALF + ROUNDING;
    }
}

bool conservative_is_inner(const struct draw *d, uint32_t x, uint32_t y)
{
    const struct setup_primitive *const s = &d->setup;
    const int64_t center_x = (int64_t)x * SUBPIXELS + HALF, center_y = (int64_t)y * SUBPIXELS + HALF;
    const int64_t halves = d->state.raster.conservative ? 2 : 1; /* edges are moved already */
    if (s->polygon.kind != RASTER_POLYGON)
        return false;
    for (unsigned i = 0; i < s->polygon.vertex_count; i++) {
        const struct edge *const e = &s->edges[i];
        if (e->x * center_x + e->y * center_y + e->c < halves * edge_reach(e) * (HALF + ROUNDING))
            return false;
    }
    return true;
}
