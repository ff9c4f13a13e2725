/*
 * Stipples: patterns that discard pixels of polygons and of lines. A polygon's pattern repeats every 32
 * pixels of the render target. A line's counter counts its pixels along its major axis; the pattern's bits
 * are used from the lowest one on, each for Line Stipple Repeat Count pixels. Lines of a strip continue the
 * counter. (SNB PRM vol 2 part 1, Line Stipple, Polygon Stipple)
 */
#include "raster/raster.h"

enum { PATTERN_BITS = 16 };

void stipple_state_init(struct draw_state *d, const struct engine *e)
{
    struct stipple_state *const s = &d->stipple;
    const struct command *row;
    uint32_t length_dw;
    *s = (struct stipple_state){
        .polygon_enable = state_field(e, STATE_WM, WM_POLYGON_STIPPLE_ENABLE),
        .line_enable = state_field(e, STATE_WM, WM_LINE_STIPPLE_ENABLE),
        .polygon_xy = {(uint8_t)state_field(e, STATE_POLY_STIPPLE_OFFSET, STIPPLE_POLYGON_STIPPLE_X_OFFSET),
                       (uint8_t)state_field(e, STATE_POLY_STIPPLE_OFFSET, STIPPLE_POLYGON_STIPPLE_Y_OFFSET)},
        .line_pattern = (uint16_t)state_field(e, STATE_LINE_STIPPLE, STIPPLE_LINE_STIPPLE_PATTERN),
        .line_repeat_count = (uint16_t)state_field(e, STATE_LINE_STIPPLE, STIPPLE_LINE_STIPPLE_REPEAT_COUNT)};
    if (!s->line_repeat_count)
        s->line_repeat_count = 1;
    const uint32_t *const dw = state_command(e, STATE_POLY_STIPPLE_PATTERN, &row, &length_dw);
    for (unsigned n = 0; dw && n < STIPPLE_ROWS && 1u + n < length_dw; n++)
        s->polygon_rows[n] = dw[1u + n];
}

/* ---- Polygons ---- */

/* Rectangles, and the fans that emulate points, have no stipple. What is drawn of a polygon that is not
 * filled is lines or points. */
static bool polygon_stipple_applies(const struct draw *d)
{
    return d->state.stipple.polygon_enable && d->setup.corners == CORNERS &&
           d->cursor.raster_topology != TOPOLOGY_RECTLIST &&
           d->cursor.raster_topology != TOPOLOGY_TRIFAN_NOSTIPPLE;
}

/* Bit 31 of a row is its left pixel. */
static uint64_t polygon_stipple_mask(const struct stipple_state *s, int32_t x, int32_t y)
{
    enum { LAST = STIPPLE_ROWS - 1 };
    uint64_t mask = 0;
    for (unsigned pixel = 0; pixel < RASTER_BLOCK * RASTER_BLOCK; pixel++) {
        const uint32_t column = ((uint32_t)x + raster_pixel_x(pixel) + s->polygon_xy[0]) & LAST,
                       row = ((uint32_t)y + raster_pixel_y(pixel) + s->polygon_xy[1]) & LAST;
        mask |= (uint64_t)(s->polygon_rows[row] >> (LAST - column) & 1u) << pixel;
    }
    return mask;
}

/* ---- Lines ---- */

static int32_t pixel_of(const struct draw *d, int64_t at)
{
    return (int32_t)((at - raster_location(d, 0)) >> SUBPIXEL_BITS);
}

/* Whether a thin line has a pixel at this place of its major axis. */
static bool thin_line_has(const struct draw *d, unsigned major, int32_t pixel)
{
    enum { NEAR = 2 };
    const int32_t(*const end)[2] = d->setup.polygon.vertex_xy;
    const int64_t dx = (int64_t)end[1][major] - end[0][major], dy = (int64_t)end[1][!major] - end[0][!major];
    const int64_t low = dx < 0 ? end[1][major] : end[0][major], high = dx < 0 ? end[0][major] : end[1][major];
    int64_t at[2], along = raster_location(d, pixel);
    at[major] = along;
    along = along < low ? low : along > high ? high : along;
    const int32_t middle = pixel_of(d, end[0][!major] + (dx ? dy * (along - end[0][major]) / dx : 0));
    for (int32_t n = middle - NEAR; n <= middle + NEAR; n++) {
        at[!major] = raster_location(d, n);
        if (raster_line_covers(d, at[0], at[1]))
            return true;
    }
    return false;
}

/* The first pixel of a thin line from its end `from` on towards the other one. False: it has none. */
static bool thin_line_first(const struct draw *d, unsigned major, unsigned from, int32_t *first)
{
    enum { LOOKS = 4 };
    const int32_t(*const end)[2] = d->setup.polygon.vertex_xy;
    const int32_t step = end[!from][major] < end[from][major] ? -1 : 1;
    *first = pixel_of(d, end[from][major]) - step;
    for (unsigned n = 0; n < LOOKS; n++, *first += step)
        if (thin_line_has(d, major, *first))
            return true;
    return false;
}

/* An end of a line on an axis: in the middle of a wide line's side. */
static int64_t line_end(const struct draw *d, unsigned end, unsigned axis)
{
    const int32_t(*const at)[2] = d->setup.polygon.vertex_xy;
    return d->setup.polygon.kind == RASTER_LINE ? at[end][axis]
                                                : ((int64_t)at[end][axis] + at[3 - end][axis]) / 2;
}

/* A wide line has the pixels whose locations are between its ends, the left or upper end included. */
static void wide_line_range(const struct draw *d, unsigned major, int32_t range[2])
{
    const bool backward = line_end(d, 1, major) < line_end(d, 0, major);
    const int32_t low = pixel_of(d, line_end(d, backward, major) + SUBPIXELS - 1),
                  behind = pixel_of(d, line_end(d, !backward, major) + SUBPIXELS - 1);
    range[0] = backward ? behind - 1 : low;
    range[1] = backward ? low : behind - 1;
}

void line_stipple_setup(struct draw *d)
{
    struct line_stipple *const l = &d->setup.line_stipple;
    int32_t range[2] = {0, 0};
    int64_t along[2];
    *l = (struct line_stipple){.applies = true, .counter = d->cursor.line_stipple};
    for (unsigned axis = 0; axis < 2; axis++) {
        const int64_t length = line_end(d, 1, axis) - line_end(d, 0, axis);
        along[axis] = length < 0 ? -length : length;
    }
    l->major = along[1] > along[0];
    if (d->setup.polygon.kind == RASTER_LINE) {
        if (!thin_line_first(d, l->major, 0, &range[0]) || !thin_line_first(d, l->major, 1, &range[1]))
            return;
    } else {
        wide_line_range(d, l->major, range);
    }
    l->first = range[0];
    l->backward = line_end(d, 1, l->major) < line_end(d, 0, l->major);
    const int32_t pixels = (l->backward ? range[0] - range[1] : range[1] - range[0]) + 1;
    l->pixels = pixels > 0 ? (uint32_t)pixels : 0;
}

/* The pixels of a block in its column or row n, in Morton order. */
static uint64_t block_line(unsigned major, unsigned n)
{
    const uint64_t columns = 0x0000050500000505u << ((n & 1u) + (n & 2u) * 2u + (n & 4u) * 4u),
                   rows = (uint64_t)0x00330033 << ((n & 1u) * 2u + (n & 2u) * 4u + (n & 4u) * 8u);
    return major ? rows : columns;
}

static uint64_t line_stipple_mask(const struct draw *d, int32_t at)
{
    const struct line_stipple *const l = &d->setup.line_stipple;
    const struct stipple_state *const s = &d->state.stipple;
    uint64_t mask = 0;
    for (unsigned n = 0; n < RASTER_BLOCK; n++) {
        const int32_t pixel = at + (int32_t)n, number = l->backward ? l->first - pixel : pixel - l->first;
        const uint32_t counter = l->counter + (number > 0 ? (uint32_t)number : 0);
        if (s->line_pattern >> counter / s->line_repeat_count % PATTERN_BITS & 1u)
            mask |= block_line(l->major, n);
    }
    return mask;
}

bool line_stipple_continues(const struct draw *d)
{
    const uint64_t topology = d->state.call.topology;
    const uint32_t number = d->cursor.primitive_index - d->cursor.strip_start_primitive;
    switch (topology) {
    case TOPOLOGY_LINESTRIP:
    case TOPOLOGY_LINESTRIP_BF:
    case TOPOLOGY_LINESTRIP_ADJ:
    case TOPOLOGY_LINELOOP:
    case TOPOLOGY_POLYGON:
        return number != 0;
    case TOPOLOGY_LINESTRIP_CONT:
    case TOPOLOGY_LINESTRIP_CONT_BF:
        return true;
    default:
        return topology_order_of(topology) == TOPOLOGY_QUADS && number % TRIANGLES_OF_QUAD;
    }
}

/* ---- Both ---- */

/* Antialiased lines have no stipple: their pixels have no order. */
uint64_t raster_stipple_mask(const struct draw *d, const int32_t block[2])
{
    if (polygon_stipple_applies(d))
        return polygon_stipple_mask(&d->state.stipple, block[0], block[1]);
    return d->setup.line_stipple.applies ? line_stipple_mask(d, block[d->setup.line_stipple.major])
                                         : UINT64_MAX;
}
