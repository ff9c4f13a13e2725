/*
 * The clipper: planes of the view volume, of vertices' own distances, and those beyond which places have no
 * numbers. Corners are homogeneous: what is cut is the primitive's outline, its attributes stay those of its
 * corners. (SKL PRM vol 7, Clip Stage)
 */
#include "draw/draw.h"

#include <math.h>

enum { POSITION = 4, DISTANCES = 8 };

/* How far inside of each a corner is: numbers that go linearly from one corner to the other. */
enum {
    PLANE_FRONT, /* of the eye */
    PLANE_LEFT,
    PLANE_RIGHT,
    PLANE_TOP,
    PLANE_BOTTOM,
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_USER,
    PLANES = PLANE_USER + USER_PLANES
};

struct place {
    double x, y, w;
    double inside[PLANES];
};

/* Those of the view volume that only say what is rejected as a whole. */
static unsigned outside_view(const float position[4])
{
    const float w = position[3];
    return (position[0] < -w ? 1u : 0) | (position[0] > w ? 2u : 0) | (position[1] < -w ? 4u : 0) |
           (position[1] > w ? 8u : 0);
}

/* Places that are seen, or not far from it, in pixels; further than `band` there are none. */
static void guard_of(const struct drawing *d, unsigned axis, double of[2])
{
    static const double band = 32767;
    const struct viewport *const v = &d->viewports[d->viewport];
    const double scale = v->matrix[axis], middle = (double)v->matrix[3 + axis] + d->origin[axis],
                 one = v->guard[axis][0] * scale + middle, other = v->guard[axis][1] * scale + middle;
    const bool none = isnan(one) || isnan(other) || d->topology == TOPOLOGY_RECTLIST;
    of[0] = none ? -band : fmax(fmin(one, other), -band);
    of[1] = none ? band : fmin(fmax(one, other), band);
}

static struct place place_of(const struct drawing *d, const uint32_t dw[VERTEX_DW], const double *corner)
{
    static const double eye = 1e-20;
    const struct clipping *const c = &d->clipping;
    const float z = draw_float(dw[POSITION + 2]), w = draw_float(dw[POSITION + 3]);
    struct place p = {corner[CORNER_X], corner[CORNER_Y], corner[CORNER_W], {0}};
    double x[2], y[2];
    guard_of(d, 0, x);
    guard_of(d, 1, y);
    p.inside[PLANE_FRONT] = p.w - eye;
    p.inside[PLANE_LEFT] = p.x - x[0] * p.w;
    p.inside[PLANE_RIGHT] = x[1] * p.w - p.x;
    p.inside[PLANE_TOP] = p.y - y[0] * p.w;
    p.inside[PLANE_BOTTOM] = y[1] * p.w - p.y;
    if (c->clips && c->near)
        p.inside[PLANE_NEAR] = c->near_is_zero ? (double)z : (double)z + w;
    if (c->clips && c->far)
        p.inside[PLANE_FAR] = (double)w - z;
    for (unsigned i = 0; i < USER_PLANES; i++)
        if (c->clips && c->user_clip >> i & 1u)
            p.inside[PLANE_USER + i] = draw_float(dw[DISTANCES + i]);
    return p;
}

static struct place between(const struct place *a, const struct place *b, unsigned plane)
{
    const double part = a->inside[plane] / (a->inside[plane] - b->inside[plane]);
    struct place p = {
        a->x + part * (b->x - a->x), a->y + part * (b->y - a->y), a->w + part * (b->w - a->w), {0}};
    for (unsigned i = 0; i < PLANES; i++)
        p.inside[i] = i == plane ? 0 : a->inside[i] + part * (b->inside[i] - a->inside[i]);
    return p;
}

/* A line's ends do not close it. */
static unsigned cut(const struct place *from, unsigned count, unsigned plane, bool closed, struct place *to)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count && kept + 2 <= OUTLINE; i++) { /* each plane adds one, but for rounding */
        const struct place *const next = &from[(i + 1) % count];
        const bool here = from[i].inside[plane] >= 0, there = next->inside[plane] >= 0;
        if (here)
            to[kept++] = from[i];
        if (here != there && (closed || i + 1 < count))
            to[kept++] = between(&from[i], next, plane);
    }
    return kept;
}

/* A distance that is negative at all corners culls, and so does one that is no number. */
static bool is_rejected(const struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW], unsigned corners)
{
    unsigned outside = 15, culled = d->clipping.user_cull;
    for (unsigned n = 0; n < corners; n++) {
        float position[4];
        memcpy(position, dw[n] + POSITION, sizeof position);
        outside &= outside_view(position);
        for (unsigned i = 0; i < USER_PLANES; i++) {
            const float distance = draw_float(dw[n][DISTANCES + i]);
            if (d->clipping.user_clip >> i & 1u && isnan(distance))
                return true;
            if (distance >= 0)
                culled &= ~(1u << i);
        }
    }
    return culled || (d->clipping.xy && outside);
}

unsigned draw_clip(const struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW], double seen[OUTLINE][2],
                   unsigned *clipped)
{
    struct place a[OUTLINE], b[OUTLINE], *from = a, *to = b;
    const unsigned corners = draw_corners_of(d->topology);
    unsigned count = corners;
    *clipped = 0;
    if (d->clipping.clips && is_rejected(d, dw, corners))
        return 0;
    for (unsigned n = 0; n < corners; n++) {
        for (unsigned i = 0; i < CORNER; i++)
            if (!isfinite(d->corners[n * CORNER + i]))
                return 0;
        from[n] = place_of(d, dw[n], d->corners + n * CORNER);
    }
    for (unsigned plane = 0; plane < PLANES && count; plane++) {
        bool all = true;
        for (unsigned n = 0; n < count; n++)
            all &= from[n].inside[plane] >= 0;
        if (all)
            continue;
        if (d->topology == TOPOLOGY_RECTLIST) /* none is cut */
            return 0;
        count = cut(from, count, plane, corners == CORNERS, to);
        struct place *const other = from;
        from = to;
        to = other;
    }
    if (count < corners)
        return 0;
    for (unsigned n = 0; n < count; n++) {
        seen[n][0] = from[n].x / from[n].w;
        seen[n][1] = from[n].y / from[n].w;
    }
    *clipped = corners == CORNERS ? count - 2 : 1;
    return count;
}
