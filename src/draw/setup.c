/*
 * Setup: corners in pixels, by the viewport where it transforms; which side is seen; planes of attributes.
 * (SKL PRM vol 7, Strips and Fans, Setup Backend)
 */
#include "draw/draw.h"

#include <math.h>

enum { ARRAY_INDEX = 1, VIEWPORT_INDEX = 2, POINT_WIDTH = 3, POSITION = 4 };

static void place_corner(const struct drawing *d, const uint32_t *position, double corner[CORNER])
{
    const struct viewport *const v = &d->viewports[d->viewport];
    const double w = d->divides ? draw_float(position[3]) : 1;
    for (unsigned i = 0; i < 3; i++) {
        corner[i] = draw_float(position[i]);
        if (d->transforms)
            corner[i] = corner[i] * v->matrix[i] + w * v->matrix[3 + i];
        if (i < 2)
            corner[i] += w * d->origin[i];
    }
    corner[CORNER_W] = w;
}

/* How x, y and w of two corners lie: with those of a place it makes what the third corner weighs there. */
static void cross(const double *a, const double *b, double to[3])
{
    to[0] = a[CORNER_Y] * b[CORNER_W] - a[CORNER_W] * b[CORNER_Y];
    to[1] = a[CORNER_W] * b[CORNER_X] - a[CORNER_X] * b[CORNER_W];
    to[2] = a[CORNER_X] * b[CORNER_Y] - a[CORNER_Y] * b[CORNER_X];
}

static double area_of(const struct drawing *d)
{
    double of[3];
    cross(d->corners + CORNER, d->corners + 2 * CORNER, of);
    return of[0] * d->corners[CORNER_X] + of[1] * d->corners[CORNER_Y] + of[2] * d->corners[CORNER_W];
}

/* Of rectangles, lines and points both sides are seen. */
static bool is_seen(struct drawing *d)
{
    enum { CULL_BOTH, CULL_NONE, CULL_FRONT, CULL_BACK };
    const double area = area_of(d);
    const bool clockwise = area > 0; /* rows count downwards */
    d->back = area != 0 && clockwise == (d->winding != 0);
    if (d->topology == TOPOLOGY_RECTLIST || draw_corners_of(d->topology) < CORNERS) {
        d->back = false;
        return true;
    }
    return area != 0 && d->cull != CULL_BOTH && d->cull != (d->back ? CULL_BACK : CULL_FRONT);
}

/* ---- Points and lines: as attributes go along them, three corners of a plane ---- */

static float point_width(const struct drawing *d, uint32_t of_vertex)
{
    const float width = draw_float(of_vertex);
    if (d->point_of_state)
        return d->point_width;
    return width >= d->most_point ? d->most_point : width > d->least_point ? width : d->least_point;
}

static void spread_point(struct drawing *d, double width, double seen[OUTLINE][2])
{
    double *const corner = d->corners, w = corner[CORNER_W];
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

/* A thin line stays one; a wide one is a parallelogram, whose ends go along the axis that it follows less.
 * (Mesa, anv: what is drawn where lines are neither antialiased nor multisampled) */
static unsigned spread_line(struct drawing *d, double seen[OUTLINE][2])
{
    double *const from = d->corners, *const beside = from + 2 * CORNER;
    const double along[2] = {seen[1][0] - seen[0][0], seen[1][1] - seen[0][1]};
    const double w = from[CORNER_W] != 0 ? from[CORNER_W] : 1;
    const unsigned minor = fabs(along[0]) >= fabs(along[1]);
    memcpy(beside, from, CORNER * sizeof *from);
    beside[CORNER_X] -= along[1] * w;
    beside[CORNER_Y] += along[0] * w;
    if (d->line_width <= 1)
        return 2;
    for (unsigned n = 0; n < 2; n++)
        memcpy(seen[3 - n], seen[n], sizeof seen[n]);
    for (unsigned n = 0; n < 4; n++)
        seen[n][minor] += (double)d->line_width / (n < 2 ? -2 : 2);
    return 4;
}

/* Which corner is the vertex that gives what is flat. */
static unsigned provoking_corner(const struct drawing *d)
{
    const unsigned corners = draw_corners_of(d->topology);
    if (d->provoking >= corners)
        return 0;
    return d->turned && d->provoking ? CORNERS - d->provoking : d->provoking;
}

/* Where the attribute is in the vertex, its swizzle's bits: 4:0 the source, 6 whether of a back the next one
 * is, 7 whether W is X, too, 10:9 the constant, 15:12 components that have it. */
static void take_plane(struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW], unsigned n)
{
    const unsigned corners = draw_corners_of(d->topology);
    enum { FACING = 1, W_IS_X = 2, PRIMITIVE = 3, W = 3 };
    static const float constants[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    const uint32_t swizzle = n < SWIZZLES ? d->swizzle[n] : n, which = swizzle >> 9 & 3u;
    const uint32_t source = (swizzle & 31u) + ((swizzle >> 6 & FACING) && d->back);
    const uint32_t first = d->offset * 8u + source * 4u;
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t at = first + (!c && swizzle >> 6 & W_IS_X ? W : c);
        float *const plane = d->planes + (n * 4u + c) * PLANE, value[CORNERS] = {0};
        for (unsigned i = 0; i < CORNERS; i++) {
            value[i] = draw_float(at < VERTEX_DW ? dw[i % corners][at] : 0);
            if (swizzle >> (12u + c) & 1u)
                value[i] = which == PRIMITIVE ? draw_float(d->identity) : constants[which][c];
        }
        if (n == d->id_attribute && d->id_components >> c & 1u) {
            memset(plane, 0, PLANE * sizeof *plane);
            memcpy(&plane[PLANE_0], &d->identity, sizeof d->identity);
            continue;
        }
        if (d->constant >> n & 1u) { /* bits, whatever they are of */
            const uint32_t zero = 0, bits = at < VERTEX_DW ? dw[provoking_corner(d)][at] : 0;
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

/* A place in a point: from 0 to 1, rightwards and downwards, or upwards. */
static void take_sprite(struct drawing *d, unsigned n)
{
    static const float across[PLANE] = {[PLANE_1] = 1}, down[PLANE] = {[PLANE_2] = 1},
                       up[PLANE] = {[PLANE_2] = -1, [PLANE_0] = 1}, zero[PLANE] = {0},
                       one[PLANE] = {[PLANE_0] = 1};
    const float *const parts[4] = {across, d->sprites_upwards ? up : down, zero, one};
    for (unsigned c = 0; c < 4; c++)
        memcpy(d->planes + (n * 4u + c) * PLANE, parts[c], sizeof across);
}

static int32_t floor_within(double value, int32_t low, int32_t high)
{
    if (!(value > low))
        return low;
    return value >= high ? high : (int32_t)floor(value);
}

/* In 1/256 of a pixel, or 1/16 where no more is wanted. */
static void take_outline(struct drawing *d, double seen[OUTLINE][2], unsigned count)
{
    enum { PARTS = 256, COARSE_PARTS = 16, FURTHEST = 1 << 16 };
    const int32_t parts = d->coarse ? COARSE_PARTS : PARTS;
    struct outline *const o = &d->outline;
    const struct viewport *const v = &d->viewports[d->viewport];
    o->count = count;
    for (unsigned axis = 0; axis < 2; axis++) {
        double low = seen[0][axis], high = low;
        for (unsigned i = 0; i < count; i++) {
            const double at = fmin(fmax(seen[i][axis], -FURTHEST), FURTHEST);
            o->at[i][axis] = (int32_t)lrint(at * parts) * (PARTS / parts);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        if (o->kind == OUTLINE_LINE)
            low -= 1, high += 1;
        d->box[0][axis] = floor_within(low, v->low[axis], v->high[axis]);
        d->box[1][axis] = floor_within(high + 1, v->low[axis], v->high[axis]);
        d->at[axis] = d->box[0][axis] & ~1;
    }
}

static double depth_at(const struct drawing *d, double x, double y);

/* Of the steepest slope, and of the least difference that depths have: our choice is that of the format that
 * is written to. (SKL PRM vol 7, Depth Offset) */
static float added_depth(const struct drawing *d)
{
    enum { FLOAT_BITS = 23, UNORM_BITS = 24, SHORT_BITS = 16 };
    const struct depth_offset *const o = &d->offset_of_depth;
    const unsigned format = d->pixels.depth.format;
    if (!o->enabled[draw_corners_of(d->topology) - 1u])
        return 0;
    const double here = depth_at(d, 0, 0),
                 slope = fmax(fabs(depth_at(d, 1, 0) - here), fabs(depth_at(d, 0, 1) - here));
    double least = ldexp(1, format == DEPTH_D16 ? -SHORT_BITS : -UNORM_BITS), most = 0;
    if (format == DEPTH_D32 || format == DEPTH_D32_S8) {
        int exponent;
        for (unsigned i = 0; i < CORNERS; i++)
            most = fmax(most, fabs(d->corners[i * CORNER + CORNER_Z] / d->corners[i * CORNER + CORNER_W]));
        (void)frexp(isfinite(most) ? most : 0, &exponent);
        least = ldexp(1, exponent - 1 - FLOAT_BITS);
    }
    const double sum = slope * o->scale + (o->plain ? 1 : least) * o->constant;
    const double limited = o->clamp > 0 ? fmin(sum, o->clamp) : o->clamp < 0 ? fmax(sum, o->clamp) : sum;
    return isfinite(limited) ? (float)limited : 0;
}

bool draw_setup(struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW], unsigned *clipped)
{
    static const uint8_t kinds[CORNERS + 1] = {0, OUTLINE_BOX, OUTLINE_LINE, OUTLINE_POLYGON};
    const unsigned corners = draw_corners_of(d->topology);
    const uint32_t viewport = dw[0][VIEWPORT_INDEX] & 15u;
    double seen[OUTLINE][2];
    d->viewport = (uint8_t)(viewport <= d->clipping.last_viewport ? viewport : 0);
    memset(d->corners, 0, sizeof d->corners);
    for (unsigned i = 0; i < corners; i++)
        place_corner(d, dw[i] + POSITION, d->corners + i * CORNER);
    unsigned count = draw_clip(d, dw, seen, clipped);
    if (!count) {
        memset(d->corners, 0, sizeof d->corners);
        return false;
    }
    d->outline.kind = d->topology == TOPOLOGY_RECTLIST ? OUTLINE_BOX : kinds[corners];
    if (corners == 1)
        spread_point(d, point_width(d, dw[0][POINT_WIDTH]), seen), count = 2;
    if (corners == 2 && (count = spread_line(d, seen)) > 2)
        d->outline.kind = OUTLINE_POLYGON;
    if (!is_seen(d))
        return false;
    take_outline(d, seen, count);
    for (unsigned n = 0; n < d->attributes; n++)
        if (corners == 1 && d->sprites >> n & 1u)
            take_sprite(d, n);
        else
            take_plane(d, dw, n);
    d->added_depth = added_depth(d);
    memcpy(d->pixels.depth.range, d->viewports[d->viewport].depth, sizeof d->pixels.depth.range);
    d->pixels.depth.back = d->back;
    d->pixels.array_index = d->flat_array ? 0 : dw[0][ARRAY_INDEX] & 0x7ffu;
    return d->box[0][0] < d->box[1][0] && d->box[0][1] < d->box[1][1];
}

/* ---- At a pixel ---- */

static double pixel_at(const struct drawing *d, unsigned pixel, unsigned axis)
{
    const uint32_t *const four = d->pixels.at[pixel / SUBSPAN_PIXELS];
    return (d->location ? 0 : 0.5) + four[axis] + (pixel >> axis & 1u);
}

/* What each corner weighs at a place: of their sum, in a perspective; times w, straight. */
static double weights(const struct drawing *d, double x, double y, double of[CORNERS])
{
    double sum = 0;
    for (unsigned i = 0; i < CORNERS; i++) {
        double edge[3];
        cross(d->corners + (i + 1) % CORNERS * CORNER, d->corners + (i + 2) % CORNERS * CORNER, edge);
        of[i] = edge[0] * x + edge[1] * y + edge[2];
        sum += of[i];
    }
    return sum;
}

void draw_barycentrics(const struct drawing *d, unsigned mode, unsigned pixel, float at[2])
{
    enum { STRAIGHT = 3 };
    double of[CORNERS], area = area_of(d);
    const double sum = weights(d, pixel_at(d, pixel, 0), pixel_at(d, pixel, 1), of);
    for (unsigned i = 1; i < CORNERS; i++) {
        const double straight = area != 0 ? of[i] * d->corners[i * CORNER + CORNER_W] / area : 0;
        at[i - 1] = (float)(mode >= STRAIGHT || sum == 0 ? straight : of[i] / sum);
    }
}

/* It goes straight on the screen. */
static double depth_at(const struct drawing *d, double x, double y)
{
    double of[CORNERS], depth = 0;
    const double area = area_of(d);
    (void)weights(d, x, y, of);
    if (area == 0)
        return d->corners[CORNER_W] != 0 ? d->corners[CORNER_Z] / d->corners[CORNER_W] : 0;
    for (unsigned i = 0; i < CORNERS; i++)
        depth += of[i] * d->corners[i * CORNER + CORNER_Z];
    return depth / area;
}

float draw_depth(const struct drawing *d, unsigned pixel)
{
    return (float)(depth_at(d, pixel_at(d, pixel, 0), pixel_at(d, pixel, 1)) + d->added_depth);
}

float draw_w(const struct drawing *d, unsigned pixel)
{
    double of[CORNERS];
    const double area = area_of(d), sum = weights(d, pixel_at(d, pixel, 0), pixel_at(d, pixel, 1), of);
    return (float)(area != 0 && sum != 0 ? area / sum : d->corners[CORNER_W]);
}
