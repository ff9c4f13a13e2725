/*
 * Setup: corners in pixels, by the viewport where it transforms; which side is seen; planes of attributes.
 * (SKL PRM vol 7, Strips and Fans, Setup Backend)
 */
#include "draw/draw.h"

#include <math.h>

enum { ARRAY_INDEX = 1, POSITION = 4 };

/* False: it lies nowhere, or further away than the guard band may. */
static bool place_corner(const struct drawing *d, const uint32_t *position, float corner[CORNER])
{
    static const float furthest = 32768;
    const float w = draw_float(position[3]);
    float at[3];
    corner[CORNER_W] = d->divides ? 1 / w : 1;
    for (unsigned i = 0; i < 3; i++) {
        at[i] = draw_float(position[i]) * corner[CORNER_W];
        if (d->transforms)
            at[i] = at[i] * d->matrix[i] + d->matrix[3 + i];
    }
    corner[CORNER_X] = at[0] + (float)d->origin[0];
    corner[CORNER_Y] = at[1] + (float)d->origin[1];
    corner[CORNER_Z] = at[2];
    return fabsf(corner[CORNER_X]) <= furthest && fabsf(corner[CORNER_Y]) <= furthest &&
           isfinite(corner[CORNER_W]);
}

static double area_of(const struct drawing *d)
{
    const float *const a = d->corners, *const b = a + CORNER, *const c = b + CORNER;
    return ((double)b[0] - a[0]) * ((double)c[1] - a[1]) - ((double)b[1] - a[1]) * ((double)c[0] - a[0]);
}

/* Of rectangles both sides are seen. */
static bool is_seen(struct drawing *d)
{
    enum { CULL_BOTH, CULL_NONE, CULL_FRONT, CULL_BACK };
    const double area = area_of(d);
    const bool clockwise = area > 0; /* rows count downwards */
    d->back = area != 0 && clockwise == (d->winding != 0);
    if (d->topology == TOPOLOGY_RECTLIST) {
        d->back = false;
        return true;
    }
    return area != 0 && d->cull != CULL_BOTH && d->cull != (d->back ? CULL_BACK : CULL_FRONT);
}

/* Which corner is the vertex that gives what is flat. */
static unsigned provoking_corner(const struct drawing *d)
{
    return draw_is_turned(d) && d->provoking ? CORNERS - d->provoking : d->provoking;
}

/* Where the attribute is in the vertex, its swizzle's bits: 4:0 the source, 7:6 the select, 10:9 the
 * constant, 15:12 components that have it. */
static void take_plane(struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW], unsigned n)
{
    enum { FACING = 1, PRIMITIVE = 3 };
    static const float constants[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    const uint32_t swizzle = n < SWIZZLES ? d->swizzle[n] : n, which = swizzle >> 9 & 3u;
    const uint32_t source = (swizzle & 31u) + ((swizzle >> 6 & FACING) && d->back);
    const uint32_t at = d->offset * 8u + source * 4u;
    for (unsigned c = 0; c < 4; c++) {
        float *const plane = d->planes + (n * 4u + c) * PLANE, value[CORNERS] = {0};
        for (unsigned i = 0; i < CORNERS; i++) {
            value[i] = draw_float(at + c < VERTEX_DW ? dw[i][at + c] : 0);
            if (swizzle >> (12u + c) & 1u)
                value[i] = which == PRIMITIVE ? draw_float(d->primitive) : constants[which][c];
        }
        if (d->constant >> n & 1u) { /* bits, whatever they are of */
            const uint32_t zero = 0, bits = at + c < VERTEX_DW ? dw[provoking_corner(d)][at + c] : 0;
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

static int32_t floor_within(float value, int32_t low, int32_t high)
{
    const int32_t whole = (int32_t)floorf(value);
    return whole < low ? low : whole > high ? high : whole;
}

bool draw_setup(struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW])
{
    float corners[CORNERS * CORNER];
    for (unsigned i = 0; i < CORNERS; i++)
        if (!place_corner(d, dw[i] + POSITION, corners + i * CORNER))
            return false;
    memcpy(d->corners, corners, sizeof corners);
    if (!is_seen(d))
        return false;
    for (unsigned axis = 0; axis < 2; axis++) {
        float low = d->corners[axis], high = low;
        for (unsigned i = 1; i < CORNERS; i++) {
            low = fminf(low, d->corners[i * CORNER + axis]);
            high = fmaxf(high, d->corners[i * CORNER + axis]);
        }
        d->box[0][axis] = floor_within(low, d->low[axis], d->high[axis]);
        d->box[1][axis] = floor_within(high + 1, d->low[axis], d->high[axis]);
        d->at[axis] = d->box[0][axis] & ~1;
    }
    for (unsigned n = 0; n < d->attributes; n++)
        take_plane(d, dw, n);
    d->pixels.array_index = d->flat_array ? 0 : dw[0][ARRAY_INDEX] & 0x7ffu;
    return d->box[0][0] < d->box[1][0] && d->box[0][1] < d->box[1][1];
}

/* ---- At a pixel ---- */

static double pixel_at(const struct drawing *d, unsigned pixel, unsigned axis)
{
    const uint32_t *const four = d->pixels.at[pixel / SUBSPAN_PIXELS];
    return (d->location ? 0 : 0.5) + four[axis] + (pixel >> axis & 1u);
}

/* Of the corners, on the screen: parts of the triangle's area. */
static void straight(const struct drawing *d, unsigned pixel, double of[CORNERS])
{
    const float *const a = d->corners, *const b = a + CORNER, *const c = b + CORNER;
    const double area = area_of(d), x = pixel_at(d, pixel, 0), y = pixel_at(d, pixel, 1);
    of[1] = of[2] = 0;
    if (area != 0) {
        of[1] = ((x - a[0]) * ((double)c[1] - a[1]) - (y - a[1]) * ((double)c[0] - a[0])) / area;
        of[2] = (((double)b[0] - a[0]) * (y - a[1]) - ((double)b[1] - a[1]) * (x - a[0])) / area;
    }
    of[0] = 1 - of[1] - of[2];
}

static double over_w(const struct drawing *d, const double of[CORNERS])
{
    double sum = 0;
    for (unsigned i = 0; i < CORNERS; i++)
        sum += of[i] * d->corners[i * CORNER + CORNER_W];
    return sum;
}

void draw_barycentrics(const struct drawing *d, unsigned mode, unsigned pixel, float at[2])
{
    enum { STRAIGHT = 3 };
    double of[CORNERS];
    straight(d, pixel, of);
    const double sum = over_w(d, of);
    for (unsigned i = 1; i < CORNERS; i++) {
        const double w = d->corners[i * CORNER + CORNER_W];
        at[i - 1] = (float)(mode >= STRAIGHT || sum == 0 ? of[i] : of[i] * w / sum);
    }
}

float draw_depth(const struct drawing *d, unsigned pixel)
{
    double of[CORNERS], depth = 0;
    straight(d, pixel, of);
    for (unsigned i = 0; i < CORNERS; i++)
        depth += of[i] * d->corners[i * CORNER + CORNER_Z];
    return (float)depth;
}

float draw_w(const struct drawing *d, unsigned pixel)
{
    double of[CORNERS];
    straight(d, pixel, of);
    const double sum = over_w(d, of);
    return (float)(sum != 0 ? 1 / sum : 0);
}
