/*
 * The clipper: planes of the view volume, of clip distances, and of the guardband. Corners are homogeneous.
 * Only the polygon is cut; attributes stay those of the primitive's corners. (SKL PRM vol 7, Clip Stage)
 */
#include "geometry/draw.h"

#include <math.h>

/* The distance of a vertex from each plane, positive inside; it is linear along an edge. */
enum {
    PLANE_FRONT, /* the plane w = 0 */
    PLANE_LEFT,
    PLANE_RIGHT,
    PLANE_TOP,
    PLANE_BOTTOM,
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_USER,
    PLANES = PLANE_USER + CLIP_DISTANCES
};

struct clip_vertex {
    double x, y, w;
    double inside[PLANES];
};

/* Outcodes of the view volume planes: they only reject whole primitives. */
static unsigned clip_outcode(const float position[4])
{
    const float w = position[3];
    return (position[0] < -w ? 1u : 0) | (position[0] > w ? 2u : 0) | (position[1] < -w ? 4u : 0) |
           (position[1] > w ? 8u : 0);
}

/* The furthest position in pixels that can be rasterized. */
enum { FURTHEST = 32767 };

static void clip_range_init(struct viewport *v, unsigned axis, int32_t origin)
{
    const double scale = v->matrix[axis], middle = (double)v->matrix[3 + axis] + origin,
                 one = v->guardband[axis][0] * scale + middle, other = v->guardband[axis][1] * scale + middle;
    const bool none = isnan(one) || isnan(other);
    v->visible[axis][0] = none ? -FURTHEST : fmax(fmin(one, other), -FURTHEST);
    v->visible[axis][1] = none ? FURTHEST : fmin(fmax(one, other), FURTHEST);
}

void clip_ranges_init(struct draw_state *s)
{
    for (unsigned n = 0; n <= s->clip.max_viewport_index; n++)
        for (unsigned axis = 0; axis < 2; axis++)
            clip_range_init(&s->viewports[n], axis, s->raster.drawing_rectangle_origin[axis]);
    s->raster.plain_triangles =
        s->raster.viewport_transform_enable && s->clip.perspective_divide_enable && !s->raster.fill_mode[0] &&
        !s->raster.conservative && !s->raster.fill_mode[1] &&
        !(s->clip.clip_enable && (s->clip.clip_distance_mask || s->clip.cull_distance_mask));
}

/* The range of visible positions in pixels, including the guardband. Rectangles have none. */
static const double *clip_range(const struct draw *d, unsigned axis)
{
    static const double all[2] = {-FURTHEST, FURTHEST};
    return d->cursor.raster_topology == TOPOLOGY_RECTLIST
               ? all
               : d->state.viewports[d->setup.viewport_index].visible[axis];
}

static const double eye = 1e-20; /* the least w in front of the eye */

/* Whether a corner is inside all planes; not if a distance is NaN. */
static bool clip_is_inside(const struct draw *d, const uint32_t dw[VUE_DW], const double *corner)
{
    const struct clip_state *const c = &d->state.clip;
    const double *const x = clip_range(d, 0), *const y = clip_range(d, 1), w = corner[CORNER_W];
    bool inside = w - eye >= 0 && corner[CORNER_X] - x[0] * w >= 0 && x[1] * w - corner[CORNER_X] >= 0 &&
                  corner[CORNER_Y] - y[0] * w >= 0 && y[1] * w - corner[CORNER_Y] >= 0;
    if (c->clip_enable && (c->z_near_clip_enable || c->z_far_clip_enable)) {
        const uint32_t *const position = vue_position(d, dw);
        const float z = float_from_bits(position[2]), clip_w = float_from_bits(position[3]);
        inside &= !c->z_near_clip_enable || (c->api_mode_d3d ? (double)z : (double)z + clip_w) >= 0;
        inside &= !c->z_far_clip_enable || (double)clip_w - z >= 0;
    }
    for (unsigned i = 0; c->clip_enable && c->clip_distance_mask >> i; i++)
        inside &= !(c->clip_distance_mask >> i & 1u) || float_from_bits(vue_distances(d, dw)[i]) >= 0;
    return inside;
}

static struct clip_vertex clip_vertex_init(const struct draw *d, const uint32_t dw[VUE_DW],
                                           const double *corner)
{
    const struct clip_state *const c = &d->state.clip;
    const float z = float_from_bits(vue_position(d, dw)[2]), w = float_from_bits(vue_position(d, dw)[3]);
    struct clip_vertex p = {corner[CORNER_X], corner[CORNER_Y], corner[CORNER_W], {0}};
    const double *const x = clip_range(d, 0), *const y = clip_range(d, 1);
    p.inside[PLANE_FRONT] = p.w - eye;
    p.inside[PLANE_LEFT] = p.x - x[0] * p.w;
    p.inside[PLANE_RIGHT] = x[1] * p.w - p.x;
    p.inside[PLANE_TOP] = p.y - y[0] * p.w;
    p.inside[PLANE_BOTTOM] = y[1] * p.w - p.y;
    if (c->clip_enable && c->z_near_clip_enable)
        p.inside[PLANE_NEAR] = c->api_mode_d3d ? (double)z : (double)z + w;
    if (c->clip_enable && c->z_far_clip_enable)
        p.inside[PLANE_FAR] = (double)w - z;
    for (unsigned i = 0; i < CLIP_DISTANCES; i++)
        if (c->clip_enable && c->clip_distance_mask >> i & 1u)
            p.inside[PLANE_USER + i] = float_from_bits(vue_distances(d, dw)[i]);
    return p;
}

static struct clip_vertex clip_intersect(const struct clip_vertex *a, const struct clip_vertex *b,
                                         unsigned plane)
{
    const double part = a->inside[plane] / (a->inside[plane] - b->inside[plane]);
    struct clip_vertex p = {
        a->x + part * (b->x - a->x), a->y + part * (b->y - a->y), a->w + part * (b->w - a->w), {0}};
    for (unsigned i = 0; i < PLANES; i++)
        p.inside[i] = i == plane ? 0 : a->inside[i] + part * (b->inside[i] - a->inside[i]);
    return p;
}

/* Lines are open: they have no edge from the last vertex to the first. */
static unsigned clip_by_plane(const struct clip_vertex *from, unsigned count, unsigned plane, bool closed,
                              struct clip_vertex *to)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count && kept + 2 <= RASTER_POLYGON_VERTICES;
         i++) { /* each plane adds at most one vertex, except for rounding */
        const struct clip_vertex *const next = &from[(i + 1) % count];
        const bool here = from[i].inside[plane] >= 0, there = next->inside[plane] >= 0;
        if (here)
            to[kept++] = from[i];
        if (here != there && (closed || i + 1 < count))
            to[kept++] = clip_intersect(&from[i], next, plane);
    }
    return kept;
}

/* A cull distance that is negative or NaN at all corners rejects the primitive. */
static bool clip_trivially_rejects(const struct draw *d, const uint32_t *const dw[CORNERS], unsigned corners)
{
    const unsigned clips = d->state.clip.clip_distance_mask,
                   distances = clips | d->state.clip.cull_distance_mask;
    /* The edges of a polygon are culled with it. */
    unsigned outside = 15, culled = d->setup.is_part ? 0 : d->state.clip.cull_distance_mask;
    for (unsigned n = 0; n < corners; n++) {
        float position[4];
        memcpy(position, vue_position(d, dw[n]), sizeof position);
        outside &= clip_outcode(position);
        for (unsigned i = 0; i < CLIP_DISTANCES && distances >> i; i++) {
            const float distance = float_from_bits(vue_distances(d, dw[n])[i]);
            if (clips >> i & 1u && isnan(distance))
                return true;
            if (distance >= 0)
                culled &= ~(1u << i);
        }
    }
    return culled || (d->state.clip.xy_clip_enable && outside);
}

/* Cuts the primitive by the planes that it crosses. */
static unsigned clip_by_planes(const struct draw *d, const uint32_t *const dw[CORNERS], unsigned corners,
                               double seen[RASTER_POLYGON_VERTICES][2])
{
    struct clip_vertex a[RASTER_POLYGON_VERTICES], b[RASTER_POLYGON_VERTICES], *from = a, *to = b;
    unsigned count = corners;
    for (unsigned n = 0; n < corners; n++)
        from[n] = clip_vertex_init(d, dw[n], d->setup.equations.vertex + n * CORNER);
    for (unsigned plane = 0; plane < PLANES && count; plane++) {
        bool all = true;
        for (unsigned n = 0; n < count; n++)
            all &= from[n].inside[plane] >= 0;
        if (all)
            continue;
        if (d->cursor.raster_topology == TOPOLOGY_RECTLIST) /* rectangles are not clipped */
            return 0;
        count = clip_by_plane(from, count, plane, corners == CORNERS, to);
        struct clip_vertex *const other = from;
        from = to;
        to = other;
    }
    if (count < corners)
        return 0;
    for (unsigned n = 0; n < count; n++) {
        seen[n][0] = from[n].x / from[n].w;
        seen[n][1] = from[n].y / from[n].w;
    }
    return count;
}

unsigned clip_primitive(const struct draw *d, const uint32_t *const dw[CORNERS],
                        double seen[RASTER_POLYGON_VERTICES][2], unsigned *clipped)
{
    const unsigned corners = d->setup.corners;
    bool all_inside = true;
    *clipped = 0;
    if (d->state.clip.clip_enable && clip_trivially_rejects(d, dw, corners))
        return 0;
    for (unsigned n = 0; n < corners; n++) {
        for (unsigned i = 0; i < CORNER; i++)
            if (!isfinite(d->setup.equations.vertex[n * CORNER + i]))
                return 0;
        all_inside = all_inside && clip_is_inside(d, dw[n], d->setup.equations.vertex + n * CORNER);
    }
    if (all_inside) {
        for (unsigned n = 0; n < corners; n++)
            for (unsigned axis = 0; axis < 2; axis++)
                seen[n][axis] = d->setup.equations.vertex[n * CORNER + axis] /
                                d->setup.equations.vertex[n * CORNER + CORNER_W];
        *clipped = 1;
        return corners;
    }
    const unsigned count = clip_by_planes(d, dw, corners, seen);
    *clipped = !count ? 0 : corners == CORNERS ? count - 2 : 1;
    return count;
}
