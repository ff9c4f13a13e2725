/*
 * Coverage: which pixels of a block are inside a primitive. A pixel is covered if its location is inside; one
 * on an edge belongs to the primitive below or right of it. (SKL PRM vol 7, Rasterization Rules)
 */
#include "raster/raster.h"

#include <stdlib.h>

/* ---- Lines and boxes ---- */

/* Whether a position is in a pixel's diamond. The diamond includes its lower edges and lowest corner; for
 * steep lines also its rightmost corner. */
static bool raster_in_diamond(int64_t x, int64_t y, bool steep)
{
    const int64_t far = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    return far < SUBPIXELS / 2 || (far == SUBPIXELS / 2 && (y > 0 || (steep && y == 0 && x > 0)));
}

/* A thin line covers the pixels whose diamonds it exits. It crosses a diamond at its widest line, or
 * begins or ends in it. (BDW PRM vol 7, Grid Intersect Quantization; Direct3D, Rasterization Rules) */
bool raster_line_covers(const struct draw *d, int64_t x, int64_t y)
{
    const int32_t(*const at)[2] = d->setup.polygon.vertex_xy;
    const int64_t dx = (int64_t)at[1][0] - at[0][0], dy = (int64_t)at[1][1] - at[0][1];
    const bool steep = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
    const int64_t along = steep ? dy : dx, aside = steep ? dx : dy, sign = along < 0 ? -1 : 1;
    const int64_t first = (steep ? y - at[0][1] : x - at[0][0]) * sign, length = along * sign;
    /* The distance along the minor axis, times the length. */
    const int64_t off = ((steep ? at[0][0] - x : at[0][1] - y) * along + first * sign * aside) * sign;
    const bool begins = raster_in_diamond(at[0][0] - x, at[0][1] - y, steep),
               ends = raster_in_diamond(at[1][0] - x, at[1][1] - y, steep);
    if (ends && !d->state.raster.last_pixel_enable)
        return false;
    return begins || ends ||
           (first >= 0 && first <= length && 2 * off > -SUBPIXELS * length && 2 * off <= SUBPIXELS * length);
}

/* The pixels of a block with these coordinates, in Morton order. */
static uint64_t block_column(unsigned x)
{
    return 0x0000050500000505u << ((x & 1u) + (x & 2u) * 2u + (x & 4u) * 4u);
}

static uint64_t block_row(unsigned y)
{
    return (uint64_t)0x00330033 << ((y & 1u) * 2u + (y & 2u) * 4u + (y & 4u) * 8u);
}

/* The columns or rows of a block before one. */
#define COLUMN(n) (UINT64_C(0x0000050500000505) << (((n)&1) + ((n)&2) * 2 + ((n)&4) * 4))
#define ROW(n)    (UINT64_C(0x00330033) << (((n)&1) * 2 + ((n)&2) * 4 + ((n)&4) * 8))
#define BEFORE(of)                                                                                           \
    {                                                                                                        \
        0, of(0), of(0) | of(1), of(0) | of(1) | of(2), of(0) | of(1) | of(2) | of(3),                       \
            of(0) | of(1) | of(2) | of(3) | of(4), of(0) | of(1) | of(2) | of(3) | of(4) | of(5),            \
            of(0) | of(1) | of(2) | of(3) | of(4) | of(5) | of(6), UINT64_MAX                                \
    }
static const uint64_t columns_before[RASTER_BLOCK + 1] = BEFORE(COLUMN),
                                                    rows_before[RASTER_BLOCK + 1] = BEFORE(ROW);

/* The pixels of the block from `low` to `high` on an axis, `high` excluded. */
static uint64_t block_range(int64_t low, int64_t high, const uint64_t before[RASTER_BLOCK + 1])
{
    low = low < 0 ? 0 : low < RASTER_BLOCK ? low : RASTER_BLOCK;
    high = high < 0 ? 0 : high < RASTER_BLOCK ? high : RASTER_BLOCK;
    return before[high] & ~before[low];
}

static uint64_t line_coverage(const struct draw *d, int64_t x, int64_t y, uint64_t inside)
{
    uint64_t covered = 0;
    for (; inside; inside &= inside - 1u) {
        const unsigned pixel = (unsigned)__builtin_ctzll(inside);
        if (raster_line_covers(d, x + raster_pixel_x(pixel) * SUBPIXELS,
                               y + raster_pixel_y(pixel) * SUBPIXELS))
            covered |= 1ull << pixel;
    }
    return covered;
}

/* Points include either the left or the right edge. */
static uint64_t box_coverage(const struct draw *d, int64_t x, int64_t y)
{
    const int32_t(*const box)[2] = (const int32_t(*)[2])d->setup.polygon.box;
    const bool right = d->state.raster.point_rule_upper_right && d->setup.corners == 1;
    uint64_t columns = 0, rows = 0;
    for (unsigned n = 0; n < RASTER_BLOCK; n++, x += SUBPIXELS, y += SUBPIXELS) {
        columns |= x >= box[0][0] + right && x < box[1][0] + right ? block_column(n) : 0;
        rows |= y >= box[0][1] && y < box[1][1] ? block_row(n) : 0;
    }
    return columns & rows;
}

/* ---- Polygons ---- */

bool raster_classify_tile(const struct draw *d, int32_t x, int32_t y, uint32_t *crossing_edges)
{
    enum { STEPS = (RASTER_TILE - 1) / (RASTER_BLOCK - 1) };
    const int64_t center_x = raster_location(d, x), center_y = raster_location(d, y);
    const unsigned edges = d->setup.polygon.kind == RASTER_POLYGON ? d->setup.polygon.vertex_count : 0;
    const int32_t(*const box)[2] = (const int32_t(*)[2])d->setup.polygon.box;
    const bool has_all = box[0][0] >= center_x && box[1][0] <= center_x + (RASTER_TILE - 1) * SUBPIXELS &&
                         box[0][1] >= center_y && box[1][1] <= center_y + (RASTER_TILE - 1) * SUBPIXELS;
    *crossing_edges = 0;
    /* Within a tile no edge is without pixels: each is positive at the corners that it does not have. */
    if (has_all && edges == CORNERS && (d->setup.edges[0].x || d->setup.edges[0].y)) {
        *crossing_edges = (1u << CORNERS) - 1u;
        return true;
    }
    for (unsigned i = 0; i < edges; i++) {
        const struct edge *const e = &d->setup.edges[i];
        const int64_t at = (e->x * center_x + e->y * center_y + e->c) >> SUBPIXEL_BITS;
        /* Samples are within a pixel of its location. */
        const int64_t around = d->state.samples.at_center ? 0 : llabs(e->x) + llabs(e->y) + 1;
        if (at + (int64_t)e->most * STEPS + around < 0)
            return false;
        *crossing_edges |= (uint32_t)(at + (int64_t)e->least * STEPS - around < 0) << i;
    }
    return true;
}

uint64_t raster_block_coverage(const struct draw *d, int32_t x, int32_t y, uint32_t crossing_edges)
{
    const struct block_position at = {x, y, raster_location(d, x), raster_location(d, y)};
    return raster_block_coverage_at(d, &at, crossing_edges);
}

uint64_t raster_block_coverage_at(const struct draw *d, const struct block_position *at,
                                  uint32_t crossing_edges)
{
    const struct setup_primitive *const s = &d->setup;
    const int32_t x = at->x, y = at->y;
    const int64_t center_x = at->at_x, center_y = at->at_y;
    const int32_t(*const box)[2] = (const int32_t(*)[2])s->polygon.box;
    enum { LAST = (RASTER_BLOCK - 1) * SUBPIXELS };
    /* The extent in pixels may have one row and column more than positions that can be inside. */
    if (s->polygon.kind == RASTER_POLYGON && (center_x > box[1][0] || center_y > box[1][1] ||
                                              center_x + LAST < box[0][0] || center_y + LAST < box[0][1]))
        return 0;
    const uint64_t inside = block_range(s->bbox[0][0] - x, s->bbox[1][0] - x, columns_before) &
                            block_range(s->bbox[0][1] - y, s->bbox[1][1] - y, rows_before);
    if (d->setup.polygon.kind == RASTER_LINE)
        return line_coverage(d, center_x, center_y, inside);
    if (d->setup.polygon.kind == RASTER_BOX)
        return inside & box_coverage(d, center_x, center_y);
    return inside & d->triangles->coverage(d->setup.edges, crossing_edges, center_x, center_y);
}
