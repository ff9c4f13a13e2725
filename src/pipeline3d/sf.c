/*
 * Setup: transforms corners to pixels by the viewport, culls by facing, and computes attribute planes. (SKL
 * PRM vol 7, Strips and Fans, Setup Backend)
 */
#include "output_merger/coarse_message.h"
#include "raster/raster.h"

#include <math.h>

enum { SHADING_RATE = 0, ARRAY_INDEX = 1, VIEWPORT_INDEX = 2, POINT_WIDTH = 3 };

static void setup_vertex(const struct draw *d, const uint32_t *position, double corner[CORNER])
{
    const struct viewport *const v = &d->state.viewports[d->setup.viewport_index];
    const double w = d->state.clip.perspective_divide_enable ? float_from_bits(position[3]) : 1;
    for (unsigned i = 0; i < 3; i++) {
        corner[i] = float_from_bits(position[i]);
        if (d->state.raster.viewport_transform_enable)
            corner[i] = corner[i] * v->matrix[i] + w * v->matrix[3 + i];
        if (i < 2)
            corner[i] += w * d->state.raster.drawing_rectangle_origin[i];
    }
    corner[CORNER_W] = w;
}

/* The cross product of two corners' (x, y, w): its dot product with (X, Y, 1) is the weight of the third
 * corner. */
static void setup_cross(const double *a, const double *b, double to[3])
{
    to[0] = a[CORNER_Y] * b[CORNER_W] - a[CORNER_W] * b[CORNER_Y];
    to[1] = a[CORNER_W] * b[CORNER_X] - a[CORNER_X] * b[CORNER_W];
    to[2] = a[CORNER_X] * b[CORNER_Y] - a[CORNER_Y] * b[CORNER_X];
}

/* The weight equation of each vertex, and the sum of the weights. */
static void setup_equations(struct plane_equations *s)
{
    for (unsigned i = 0; i < CORNERS; i++)
        setup_cross(s->vertex + (i + 1) % CORNERS * CORNER, s->vertex + (i + 2) % CORNERS * CORNER,
                    s->weight[i]);
    s->area = s->weight[0][0] * s->vertex[CORNER_X] + s->weight[0][1] * s->vertex[CORNER_Y] +
              s->weight[0][2] * s->vertex[CORNER_W];
}

/* Computes the facing; returns false if it is culled. Rectangles, lines and points are never culled. A
 * polygon without area has edges and vertices. */
static bool setup_is_front_or_kept(struct draw *d)
{
    enum { CULL_BOTH, CULL_NONE, CULL_FRONT, CULL_BACK };
    const double area = d->setup.equations.area;
    const bool clockwise = area > 0; /* y grows downwards */
    d->setup.back_facing = area != 0 && clockwise == (d->state.raster.front_winding != 0);
    d->setup.fate = SOFTGT_PRIMITIVE_CULLED;
    if (d->cursor.raster_topology == TOPOLOGY_RECTLIST ||
        topology_vertices_per_primitive(d->cursor.raster_topology) < CORNERS) {
        d->setup.back_facing = topology_is_back_facing(d->cursor.raster_topology);
        return true;
    }
    const bool is_seen = area != 0 || d->state.raster.fill_mode[d->setup.back_facing];
    return is_seen && d->state.raster.cull_mode != CULL_BOTH &&
           d->state.raster.cull_mode != (d->setup.back_facing ? CULL_BACK : CULL_FRONT);
}

/* ---- Points and lines: attributes need a plane of three corners ---- */

static float setup_point_width(const struct draw *d, uint32_t of_vertex)
{
    const float width = float_from_bits(of_vertex);
    if (d->state.raster.point_width_from_state)
        return d->state.raster.point_width;
    return width >= d->state.raster.max_point_width  ? d->state.raster.max_point_width
           : width > d->state.raster.min_point_width ? width
                                                     : d->state.raster.min_point_width;
}

/* Whether a square of pixels around the position is outside the scissored extent, as setup_polygon finds it.
 */
static bool setup_point_is_outside(const struct draw *d, double width, const double at[2])
{
    const struct viewport *const v = &d->state.viewports[d->setup.viewport_index];
    bool outside = false;
    for (unsigned axis = 0; axis < 2; axis++)
        outside |= at[axis] + width / 2 + 1 < v->scissor_min[axis] + 1.0 ||
                   at[axis] - width / 2 >= v->scissor_max[axis];
    return outside;
}

static void setup_point(struct draw *d, double width, double seen[RASTER_POLYGON_VERTICES][2])
{
    double *const corner = d->setup.equations.vertex, w = corner[CORNER_W];
    corner[CORNER_X] -= width / 2 * w;
    corner[CORNER_Y] -= width / 2 * w;
    memcpy(corner + CORNER, corner, CORNER * sizeof *corner);
    memcpy(corner + 2 * CORNER, corner, CORNER * sizeof *corner);
    corner[CORNER + CORNER_X] += width * w;
    corner[2 * CORNER + CORNER_Y] += width * w;
    seen[1][0] = seen[0][0] + width / 2;
    seen[1][1] = seen[0][1] + width / 2;
    seen[0][0] -= width / 2;
    seen[0][1] -= width / 2;
}

/* A thin line stays a line: up to width 1, as OpenGL wants it. A wider one is a parallelogram, whose ends are
 * parallel to its minor axis; where multisampling rasterization is on it is a rectangle, whose ends are at
 * right angles to it. (SNB PRM vol 2 part 1, 3DSTATE_SF: Line Width; Mesa, anv: lines that are neither
 * antialiased nor multisampled; OpenGL 4.6, 14.5.4) */
static unsigned setup_line(struct draw *d, double seen[RASTER_POLYGON_VERTICES][2])
{
    double *const from = d->setup.equations.vertex, *const corner = from + 2 * CORNER;
    const double along[2] = {seen[1][0] - seen[0][0], seen[1][1] - seen[0][1]};
    const double w = from[CORNER_W] != 0 ? from[CORNER_W] : 1;
    const unsigned minor = fabs(along[0]) >= fabs(along[1]);
    const bool is_rectangle = d->state.samples.lines_are_wide;
    memcpy(corner, from, CORNER * sizeof *from);
    corner[CORNER_X] -= along[1] * w;
    corner[CORNER_Y] += along[0] * w;
    if (d->state.smooth.lines)
        return smooth_line_setup(d, seen);
    const double length = sqrt(along[0] * along[0] + along[1] * along[1]);
    if (is_rectangle ? d->state.raster.line_width == 0 || length == 0 : d->state.raster.line_width <= 1)
        return 2;
    for (unsigned n = 0; n < 2; n++)
        memcpy(seen[3 - n], seen[n], sizeof seen[n]);
    for (unsigned n = 0; n < 4; n++) {
        const double half = (double)d->state.raster.line_width / (n < 2 ? -2 : 2);
        if (is_rectangle) {
            seen[n][0] -= along[1] * (half / length);
            seen[n][1] += along[0] * (half / length);
        } else {
            seen[n][minor] += half;
        }
    }
    return 4;
}

/* The corner of the primitive that is the provoking vertex. */
static unsigned provoking_corner(const struct draw *d)
{
    const unsigned corners = topology_vertices_per_primitive(d->cursor.raster_topology);
    if (d->cursor.provoking_vertex >= corners)
        return 0;
    return d->cursor.reversed_winding && d->cursor.provoking_vertex ? CORNERS - d->cursor.provoking_vertex
                                                                    : d->cursor.provoking_vertex;
}

/* The vertex that constant attributes are of: an edge or a vertex of a polygon has the polygon's as its
 * third. */
static unsigned setup_provoking_vertex(const struct draw *d)
{
    return d->setup.is_part ? CORNERS - 1u : provoking_corner(d);
}

typedef float vec4 __attribute__((vector_size(16)));

/* The planes of an attribute that is a part of the vertices as it is. */
static void setup_plain_plane(struct draw *d, const uint32_t *const dw[CORNERS], unsigned n, unsigned first)
{
    vec4 of[CORNERS] = {{0}};
    for (unsigned i = 0; i < CORNERS; i++)
        memcpy(&of[i], dw[i] + first, sizeof of[i]);
    const vec4 steps_1 = of[1] - of[0], steps_2 = of[2] - of[0], zero = {0};
    const vec4 low_steps = __builtin_shufflevector(steps_1, steps_2, 0, 4, 1, 5),
               high_steps = __builtin_shufflevector(steps_1, steps_2, 2, 6, 3, 7),
               low = __builtin_shufflevector(zero, of[0], 0, 4, 1, 5),
               high = __builtin_shufflevector(zero, of[0], 2, 6, 3, 7);
    const vec4 planes[4] = {__builtin_shufflevector(low_steps, low, 0, 1, 4, 5),
                            __builtin_shufflevector(low_steps, low, 2, 3, 6, 7),
                            __builtin_shufflevector(high_steps, high, 0, 1, 4, 5),
                            __builtin_shufflevector(high_steps, high, 2, 3, 6, 7)};
    memcpy(d->setup.planes + n * 4u * PLANE, planes, sizeof planes);
}

/* The planes of an attribute whose components are all constant. False: some are not. */
static bool setup_constant_plane(struct draw *d, unsigned n, uint32_t swizzle)
{
    enum { ALL = 15, PRIMITIVE = 3 };
    static const float planes[PRIMITIVE][4][PLANE] = {
        {{0}}, {[3] = {[PLANE_0] = 1}}, {{[PLANE_0] = 1}, {[PLANE_0] = 1}, {[PLANE_0] = 1}, {[PLANE_0] = 1}}};
    const uint32_t which = swizzle >> 9 & 3u;
    if (swizzle >> 12 != ALL || which == PRIMITIVE ||
        (n == d->state.sbe.primitive_id_override_attribute && d->state.sbe.primitive_id_override_components))
        return false;
    memcpy(d->setup.planes + n * 4u * PLANE, planes[which], sizeof planes[which]);
    return true;
}

/* The plane of attribute n. Its swizzle, by bits: 4:0 source, 6 the next source if back-facing, 7 W is X,
 * 10:9 constant, 15:12 components that are the constant. */
static void setup_plane(struct draw *d, const uint32_t *const dw[CORNERS], unsigned corners, unsigned n)
{
    enum { FACING = 1, W_IS_X = 2, PRIMITIVE = 3, W = 3 };
    static const float constants[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    const uint32_t swizzle = n < SWIZZLES ? d->state.sbe.attribute_swizzles[n] : n, which = swizzle >> 9 & 3u;
    const uint32_t source = (swizzle & 31u) + ((swizzle >> 6 & FACING) && d->setup.back_facing);
    const uint32_t first = d->state.sbe.vertex_urb_read_offset * 8u + source * 4u;
    if (swizzle < 32 && corners == CORNERS && first + 4u <= VUE_DW &&
        (n != d->state.sbe.primitive_id_override_attribute ||
         !d->state.sbe.primitive_id_override_components) &&
        !(d->state.sbe.constant_interpolation_enables >> n & 1u)) {
        setup_plain_plane(d, dw, n, first);
        return;
    }
    if (setup_constant_plane(d, n, swizzle))
        return;
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t at = first + (!c && swizzle >> 6 & W_IS_X ? W : c);
        float *const plane = d->setup.planes + (n * 4u + c) * PLANE, value[CORNERS] = {0};
        for (unsigned i = 0; i < CORNERS; i++) {
            value[i] = float_from_bits(at < VUE_DW ? dw[i % corners][at] : 0);
            if (swizzle >> (12u + c) & 1u)
                value[i] = which == PRIMITIVE ? float_from_bits(d->cursor.primitive_id) : constants[which][c];
        }
        if (n == d->state.sbe.primitive_id_override_attribute &&
            d->state.sbe.primitive_id_override_components >> c & 1u) {
            memset(plane, 0, PLANE * sizeof *plane);
            memcpy(&plane[PLANE_0], &d->cursor.primitive_id, sizeof d->cursor.primitive_id);
            continue;
        }
        if (d->state.sbe.constant_interpolation_enables >> n & 1u) { /* raw bits of any type */
            const uint32_t zero = 0, bits = at < VUE_DW ? dw[setup_provoking_vertex(d)][at] : 0;
            memcpy(&plane[PLANE_1], &zero, sizeof zero);
            memcpy(&plane[PLANE_2], &zero, sizeof zero);
            memcpy(&plane[PLANE_0], &bits, sizeof bits);
            if (swizzle >> (12u + c) & 1u)
                plane[PLANE_0] = value[0];
            continue;
        }
        plane[PLANE_1] = value[1] - value[0];
        plane[PLANE_2] = value[2] - value[0];
        plane[PLANE_0] = value[0];
    }
}

/* Point sprite coordinates: 0 to 1, rightwards, and downwards or upwards. */
static void setup_point_sprite(struct draw *d, unsigned n)
{
    static const float across[PLANE] = {[PLANE_1] = 1}, down[PLANE] = {[PLANE_2] = 1},
                       up[PLANE] = {[PLANE_2] = -1, [PLANE_0] = 1}, zero[PLANE] = {0},
                       one[PLANE] = {[PLANE_0] = 1};
    const float *const parts[4] = {across, d->state.sbe.point_sprite_origin_lower_left ? up : down, zero,
                                   one};
    for (unsigned c = 0; c < 4; c++)
        memcpy(d->setup.planes + (n * 4u + c) * PLANE, parts[c], sizeof across);
}

static int32_t floor_clamped(double value, int32_t low, int32_t high)
{
    if (!(value > low))
        return low;
    if (value >= high)
        return high;
    const int32_t whole = (int32_t)value;
    return whole - (value < whole);
}

/* To the nearest integer; of numbers below 2^31 in magnitude. */
static int32_t rounded(double value)
{
    static const double bias = 0x1.8p52;
    return (int32_t)((value + bias) - bias);
}

static double clamped(double value, double limit)
{
    return value > -limit ? value < limit ? value : limit : -limit;
}

/* Rounds the polygon to 1/256 of a pixel, or to 1/16 with 4 bit subpixel precision. */
static void setup_polygon(struct draw *d, double seen[RASTER_POLYGON_VERTICES][2], unsigned count)
{
    enum { PARTS = 256, COARSE_PARTS = 16, FURTHEST = 1 << 16 };
    const int32_t parts = d->state.raster.vertex_subpixel_4bit ? COARSE_PARTS : PARTS;
    struct raster_polygon *const o = &d->setup.polygon;
    const struct viewport *const v = &d->state.viewports[d->setup.viewport_index];
    o->vertex_count = count;
    for (unsigned axis = 0; axis < 2; axis++) {
        double low = clamped(seen[0][axis], FURTHEST), high = low;
        for (unsigned i = 0; i < count; i++) {
            const double at = clamped(seen[i][axis], FURTHEST);
            o->vertex_xy[i][axis] = rounded(at * parts) * (PARTS / parts);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (o->kind == RASTER_LINE)
            low -= 1, high += 1;
        d->setup.bbox[0][axis] = floor_clamped(low, v->scissor_min[axis], v->scissor_max[axis]);
        d->setup.bbox[1][axis] = floor_clamped(high + 1, v->scissor_min[axis], v->scissor_max[axis]);
    }
}

/* ---- At positions ---- */

/* Two positions in a row, as the pixels of a subspan. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_mask __attribute__((vector_size(16)));
enum { PAIR = 2 };

/* The weights of each corner at two positions. Returns their sum. Weight / sum is the perspective
 * barycentric, weight * w / area the linear one. */
static pair setup_weights(const struct draw *d, pair x, double y, pair of[CORNERS])
{
    pair sum = {0, 0};
    for (unsigned i = 0; i < CORNERS; i++) {
        const double *const weight = d->setup.equations.weight[i];
        of[i] = weight[0] * x + weight[1] * y + weight[2];
        sum += of[i];
    }
    return sum;
}

/* The depths of weights, without a bias. Depth is linear on the screen. */
static pair setup_weighted_depths(const struct draw *d, const pair of[CORNERS])
{
    const double area = d->setup.equations.area, *const vertex = d->setup.equations.vertex;
    pair depth = {0, 0};
    if (area == 0)
        return depth + (vertex[CORNER_W] != 0 ? vertex[CORNER_Z] / vertex[CORNER_W] : 0);
    for (unsigned i = 0; i < CORNERS; i++)
        depth += of[i] * vertex[i * CORNER + CORNER_Z];
    return depth / area;
}

static bool depth_is_biased(const struct draw *d)
{
    const bool *const enable = d->state.raster.depth_bias.enable;
    return enable[0] || enable[1] || enable[2];
}

/* The maximum slope of the primitive's depth. */
static double setup_max_slope(const struct draw *d)
{
    pair of[CORNERS], below[CORNERS];
    (void)setup_weights(d, (pair){0, 1}, 0, of);
    (void)setup_weights(d, (pair){0, 1}, 1, below);
    const pair depth = setup_weighted_depths(d, of);
    const double here = depth[0];
    return fmax(fabs(depth[1] - here), fabs(setup_weighted_depths(d, below)[0] - here));
}

/* Depth bias: the slope scale times the maximum slope, plus the constant times the smallest representable
 * depth difference. That difference is taken from the bound depth format: our choice. Lines and points have
 * none; of the edges and vertices of a polygon the slope is the polygon's. (SKL PRM vol 7, Depth Offset;
 * OpenGL 4.6, 14.6.5) */
static float setup_depth_bias(const struct draw *d)
{
    enum { FLOAT_BITS = 23, UNORM_BITS = 24, SHORT_BITS = 16 };
    const struct depth_bias_state *const o = &d->state.raster.depth_bias;
    const unsigned format = d->state.om.depth_stencil.depth_format;
    const unsigned polygon = topology_vertices_per_primitive(d->cursor.raster_topology) == CORNERS;
    if (!polygon || !o->enable[d->setup.corners - 1u])
        return 0;
    double least = ldexp(1, format == DEPTH_D16 ? -SHORT_BITS : -UNORM_BITS), most = 0;
    if (format == DEPTH_D32 || format == DEPTH_D32_S8) {
        int exponent;
        for (unsigned i = 0; i < CORNERS; i++)
            most = fmax(most, fabs(d->setup.equations.vertex[i * CORNER + CORNER_Z] /
                                   d->setup.equations.vertex[i * CORNER + CORNER_W]));
        (void)frexp(isfinite(most) ? most : 0, &exponent);
        least = ldexp(1, exponent - 1 - FLOAT_BITS);
    }
    const double sum = d->setup.max_slope * o->scale + (o->legacy_bias ? 1 : least) * o->constant;
    const double limited = o->clamp > 0 ? fmin(sum, o->clamp) : o->clamp < 0 ? fmax(sum, o->clamp) : sum;
    return isfinite(limited) ? (float)limited : 0;
}

static uint32_t setup_array_index(const struct draw *d, const uint32_t *vue_dw)
{
    return (d->state.clip.force_zero_rta_index ? 0 : vue_dw[ARRAY_INDEX] & 0x7ffu) +
           d->state.replication.rtai_offset[d->cursor.replica];
}

/* What the pixels of the primitive share. */
static void setup_pixel_state(struct draw *d, const uint32_t *const dw[CORNERS])
{
    memcpy(d->ps.viewport_depth_range, d->state.viewports[d->setup.viewport_index].depth_range,
           sizeof d->ps.viewport_depth_range);
    cps_primitive_size(&d->state.viewports[d->setup.viewport_index], d->state.samples.count_log2,
                       dw[provoking_corner(d)][SHADING_RATE], d->ps.cp_size_log2);
    d->ps.back_facing = d->setup.back_facing;
    d->ps.array_index = setup_array_index(d, dw[0]);
}

/* Attributes and the rest, once equations, polygon and extent are known. Returns false if the primitive has
 * no pixel. */
static bool setup_attributes(struct draw *d, const uint32_t *const dw[CORNERS], unsigned corners)
{
    d->setup.block.valid = false;
    d->setup.fate = SOFTGT_PRIMITIVE_SCISSORED;
    if (d->setup.bbox[0][0] >= d->setup.bbox[1][0] || d->setup.bbox[0][1] >= d->setup.bbox[1][1])
        return false;
    for (unsigned n = 0; n < d->state.sbe.sf_output_attribute_count; n++)
        if (corners == 1 && d->state.sbe.point_sprite_enables >> n & 1u)
            setup_point_sprite(d, n);
        else
            setup_plane(d, dw, corners, n);
    if (depth_is_biased(d)) {
        if (!d->setup.is_part)
            d->setup.max_slope = setup_max_slope(d);
        d->setup.equations.depth_bias = setup_depth_bias(d);
    } else {
        d->setup.equations.depth_bias = 0;
    }
    d->setup.fate = SOFTGT_PRIMITIVE_VISIBLE;
    return true;
}

/* Sets up a triangle that planes do not cut. False: setup_primitive does it. */
static bool setup_plain_triangle(struct draw *d, const uint32_t *const dw[CORNERS], unsigned *clipped,
                                 bool *visible)
{
    const struct viewport *const v = &d->state.viewports[d->setup.viewport_index];
    const struct clip_state *const c = &d->state.clip;
    const struct triangle_state s = {.matrix = v->matrix,
                                     .origin = d->state.raster.drawing_rectangle_origin,
                                     .visible = v->visible,
                                     .scissor_min = v->scissor_min,
                                     .scissor_max = v->scissor_max,
                                     .near_plane = c->clip_enable && c->z_near_clip_enable,
                                     .near_is_zero = c->api_mode_d3d,
                                     .far_plane = c->clip_enable && c->z_far_clip_enable,
                                     .rejects_outside = c->clip_enable && c->xy_clip_enable,
                                     .subpixel_4bit = d->state.raster.vertex_subpixel_4bit};
    const uint32_t *const position[CORNERS] = {vue_position(d, dw[0]), vue_position(d, dw[1]),
                                               vue_position(d, dw[2])};
    struct triangle_corners corners;
    *visible = false;
    switch (d->triangles->transform(&s, position, &corners, &d->setup.equations)) {
    case TRIANGLE_OUTSIDE:
        *clipped = 0;
        return true;
    case TRIANGLE_MUST_BE_CLIPPED:
        return false;
    case TRIANGLE_INSIDE:
        break;
    }
    *clipped = 1;
    if (!setup_is_front_or_kept(d))
        return true;
    d->setup.polygon.kind = RASTER_POLYGON;
    d->setup.polygon.vertex_count = CORNERS;
    d->triangles->edges(&s, &corners, d->setup.edges, d->setup.bbox, d->setup.polygon.box);
    setup_pixel_state(d, dw);
    *visible = setup_attributes(d, dw, CORNERS);
    return true;
}

/* The corners on the screen, after clipping. Returns the count of their vertices; 0: it is outside. */
static unsigned setup_corners(struct draw *d, const uint32_t *const dw[CORNERS],
                              double seen[RASTER_POLYGON_VERTICES][2], unsigned *clipped)
{
    memset(d->setup.equations.vertex, 0, sizeof d->setup.equations.vertex);
    for (unsigned i = 0; i < d->setup.corners; i++)
        setup_vertex(d, vue_position(d, dw[i]), d->setup.equations.vertex + i * CORNER);
    return clip_primitive(d, dw, seen, clipped);
}

/* Makes a polygon of the clipped points and lines, too. Returns the count of its vertices; 0: it is outside.
 */
static unsigned setup_shape(struct draw *d, const uint32_t *const dw[CORNERS], unsigned count,
                            double seen[RASTER_POLYGON_VERTICES][2])
{
    static const uint8_t kinds[CORNERS + 1] = {0, RASTER_BOX, RASTER_LINE, RASTER_POLYGON};
    const unsigned corners = d->setup.corners;
    d->setup.polygon.kind = d->cursor.raster_topology == TOPOLOGY_RECTLIST ? RASTER_BOX : kinds[corners];
    if (corners == 1) {
        const float width = setup_point_width(d, dw[0][POINT_WIDTH]);
        if (setup_point_is_outside(d, width + (d->state.smooth.points ? 1 : 0), seen[0]))
            return 0;
        setup_point(d, width, seen);
        if (d->state.smooth.points)
            smooth_point_setup(d, width, seen);
        return 2;
    }
    if (corners == 2 && (count = setup_line(d, seen)) > 2)
        d->setup.polygon.kind = RASTER_POLYGON;
    return count;
}

static bool setup_shape_done(struct draw *d, const uint32_t *const dw[CORNERS], unsigned count,
                             double seen[RASTER_POLYGON_VERTICES][2])
{
    setup_polygon(d, seen, count);
    if (d->setup.corners == 2 && d->state.stipple.line_enable && d->setup.smooth.kind == SMOOTH_NONE)
        line_stipple_setup(d);
    raster_edge_functions(&d->setup.polygon, d->setup.edges);
    if (d->state.raster.conservative && d->setup.corners == CORNERS &&
        d->setup.polygon.kind == RASTER_POLYGON)
        conservative_setup(d);
    return setup_attributes(d, dw, d->setup.corners);
}

/* Sets up an edge, or a vertex, of a polygon. What clipping adds to a polygon is none of its edges: each is
 * clipped on its own. */
static bool setup_one_part(struct draw *d, const uint32_t *const dw[CORNERS])
{
    const bool back_facing = d->setup.back_facing;
    const unsigned part = d->cursor.part;
    const uint32_t *const of_part[CORNERS] = {dw[part], dw[(part + 1u) % CORNERS], dw[provoking_corner(d)]};
    double seen[RASTER_POLYGON_VERTICES][2];
    unsigned clipped;
    d->setup.is_part = true;
    d->setup.smooth.kind = SMOOTH_NONE;
    d->setup.corners = d->state.raster.fill_mode[back_facing] == FILL_MODE_POINT ? 1 : 2;
    unsigned count = setup_corners(d, of_part, seen, &clipped);
    if (count)
        count = setup_shape(d, of_part, count, seen);
    if (!count)
        return false;
    setup_equations(&d->setup.equations);
    setup_pixel_state(d, dw); /* the layer is the polygon's */
    return setup_shape_done(d, of_part, count, seen);
}

bool setup_part(struct draw *d, const uint32_t *const dw[CORNERS])
{
    for (; d->cursor.part < CORNERS; d->cursor.part++)
        if (d->cursor.visible_parts >> d->cursor.part & 1u) {
            if (setup_one_part(d, dw))
                return true;
            line_stipple_advance(d);
        }
    d->cursor.part = 0; /* in a cursor it is one of the primitive */
    return false;
}

bool setup_primitive(struct draw *d, const uint32_t *const dw[CORNERS], unsigned *clipped)
{
    const unsigned corners = topology_vertices_per_primitive(d->cursor.raster_topology);
    const uint32_t viewport =
        (dw[0][VIEWPORT_INDEX] & 15u) + d->state.replication.viewport_offset[d->cursor.replica];
    const bool is_rectangle = d->cursor.raster_topology == TOPOLOGY_RECTLIST;
    double seen[RASTER_POLYGON_VERTICES][2];
    bool visible;
    d->setup.viewport_index = (uint8_t)(viewport <= d->state.clip.max_viewport_index ? viewport : 0);
    d->setup.corners = (uint8_t)corners;
    d->setup.is_part = false;
    d->setup.fate = SOFTGT_PRIMITIVE_CLIPPED;
    d->setup.line_stipple.applies = false;
    d->setup.smooth.kind = SMOOTH_NONE;
    if (d->state.raster.plain_triangles && corners == CORNERS && !is_rectangle &&
        setup_plain_triangle(d, dw, clipped, &visible))
        return visible;
    unsigned count = setup_corners(d, dw, seen, clipped);
    if (!count) {
        memset(d->setup.equations.vertex, 0, sizeof d->setup.equations.vertex);
        return false;
    }
    count = setup_shape(d, dw, count, seen);
    if (!count) {
        d->setup.back_facing = topology_is_back_facing(d->cursor.raster_topology);
        setup_pixel_state(d, dw);
        return false;
    }
    setup_equations(&d->setup.equations);
    if (!setup_is_front_or_kept(d))
        return false;
    if (corners == CORNERS && !is_rectangle && d->state.raster.fill_mode[d->setup.back_facing]) {
        d->setup.max_slope = depth_is_biased(d) ? setup_max_slope(d) : 0;
        return setup_part(d, dw);
    }
    setup_pixel_state(d, dw);
    return setup_shape_done(d, dw, count, seen);
}

/* Vertices that are not set up have places, too. */
static void setup_trace_vertex(const struct draw *d, const uint32_t *dw, double screen[4])
{
    double corner[CORNER];
    setup_vertex(d, vue_position(d, dw), corner);
    for (unsigned i = 0; i < 3; i++)
        screen[i] = corner[i] / corner[CORNER_W];
    screen[3] = corner[CORNER_W];
}

void setup_trace(const struct draw *d, const struct message_context *b, const uint32_t *const dw[CORNERS])
{
    const struct viewport *const v = &d->state.viewports[d->setup.viewport_index];
    const bool discards = d->setup.fate == SOFTGT_PRIMITIVE_VISIBLE && d->state.raster.rasterizer_discard;
    struct softgt_primitive p = {
        .fate = discards ? SOFTGT_PRIMITIVE_DISCARDED : (enum softgt_primitive_fate)d->setup.fate,
        .number = d->cursor.primitive_index,
        .instance = d->cursor.instance,
        .primitive_id = d->cursor.primitive_id,
        .is_back_facing = d->setup.back_facing,
        .is_reversed = d->cursor.reversed_winding,
        .viewport = d->setup.viewport_index,
        .layer = setup_array_index(d, dw[0]),
        .vertices = topology_vertices_per_primitive(d->cursor.raster_topology),
        .scissor = {v->scissor_min[0], v->scissor_min[1], v->scissor_max[0], v->scissor_max[1]}};
    for (unsigned i = 0; i < p.vertices; i++) {
        p.vertex[i] = dw[i];
        p.length_dw[i] = VUE_DW;
        setup_trace_vertex(d, dw[i], p.screen[i]);
    }
    trace_event(b->memory.log, (struct softgt_event){.what = SOFTGT_TRACE_PRIMITIVES,
                                                     .unit = b->memory.unit,
                                                     .name = "primitive",
                                                     .primitive = &p});
}

/* ---- At pixels ---- */

/* The subspans of pixels from `first` on. */
static struct pixel_positions positions(const struct draw *d, unsigned first, unsigned pixels)
{
    return (struct pixel_positions){.equations = &d->setup.equations,
                                    .xy = (const uint32_t(*)[2])d->ps.subspan_xy + first / SUBSPAN_PIXELS,
                                    .count = pixels / SUBSPAN_PIXELS,
                                    .center = draw_pixel_location(d)};
}

/* The places of pixels that are not their own. */
struct pixel_places {
    double right[SUBSPANS * SUBSPAN_PIXELS], down[SUBSPANS * SUBSPAN_PIXELS];
};

static void place_samples(const struct draw *d, enum sample_location where, unsigned first, unsigned pixels,
                          struct pixel_places *places, struct pixel_positions *p)
{
    const bool is_coarse = ps_is_coarse(&d->ps);
    if (is_coarse)
        coarse_locations(d, where, first, pixels, places->right, places->down);
    if (is_coarse || samples_locations(d, where, first, pixels, places->right, places->down)) {
        p->right = places->right;
        p->down = places->down;
    }
}

void setup_barycentrics(const struct draw *d, unsigned mode, unsigned first, unsigned pixels, float *rows)
{
    struct pixel_places places;
    struct pixel_positions p = positions(d, first, pixels);
    place_samples(d, (enum sample_location)(mode % LOCATIONS), first, pixels, &places, &p);
    d->interpolation->barycentrics(&p, mode >= LOCATIONS, rows);
}

/* Where a shader that runs for each sample has its depth and w. */
static enum sample_location shader_location(const struct draw *d)
{
    return d->state.samples.per_sample ? LOCATION_SAMPLE : LOCATION_PIXEL;
}

void setup_depths(const struct draw *d, unsigned first, unsigned pixels, float *depth)
{
    struct pixel_places places;
    struct pixel_positions p = positions(d, first, pixels);
    place_samples(d, shader_location(d), first, pixels, &places, &p);
    d->interpolation->depths(&p, depth);
}

void setup_depths_at(const struct draw *d, const uint32_t (*xy)[2], unsigned subspans, float *depth)
{
    struct pixel_positions p = positions(d, 0, 0);
    p.xy = xy;
    p.count = subspans;
    d->interpolation->depths(&p, depth);
}

void setup_ws(const struct draw *d, unsigned first, unsigned pixels, float *w)
{
    struct pixel_places places;
    struct pixel_positions p = positions(d, first, pixels);
    place_samples(d, shader_location(d), first, pixels, &places, &p);
    d->interpolation->ws(&p, w);
}

void setup_screen_plane(const struct draw *d, const double of_corner[CORNERS], double plane[SCREEN_PLANE])
{
    const struct plane_equations *const e = &d->setup.equations;
    const double x = d->setup.first_xy[0], y = d->setup.first_xy[1];
    memset(plane, 0, SCREEN_PLANE * sizeof *plane);
    for (unsigned i = 0; i < CORNERS && e->area != 0; i++) {
        const double *const weight = e->weight[i];
        plane[SCREEN_STEP_X] += weight[0] * of_corner[i] / e->area;
        plane[SCREEN_STEP_Y] += weight[1] * of_corner[i] / e->area;
        plane[SCREEN_VALUE] += (weight[0] * x + weight[1] * y + weight[2]) * of_corner[i] / e->area;
    }
}

void setup_depth_w_planes(const struct draw *d, double depth[SCREEN_PLANE], double by_w[SCREEN_PLANE])
{
    const struct plane_equations *const e = &d->setup.equations;
    setup_screen_plane(d,
                       (const double[CORNERS]){e->vertex[CORNER_Z], e->vertex[CORNER + CORNER_Z],
                                               e->vertex[2 * CORNER + CORNER_Z]},
                       depth);
    setup_screen_plane(d, (const double[CORNERS]){1, 1, 1}, by_w);
    if (e->area == 0 && e->vertex[CORNER_W] != 0) {
        depth[SCREEN_VALUE] = e->vertex[CORNER_Z] / e->vertex[CORNER_W];
        by_w[SCREEN_VALUE] = 1 / e->vertex[CORNER_W];
    }
    depth[SCREEN_VALUE] += e->depth_bias;
}
