/* The coverage of blocks and tiles, at each level of vectors, against its definition: a pixel is inside where
 * every edge function is not negative, a point of a left or top edge included. (SKL PRM vol 7, Rasterization
 * Rules) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../random.h"
#include "../suite.h"

#include "raster/raster.h"

static uint64_t seed = 7;

static uint32_t random_below(uint32_t below)
{
    return (uint32_t)(random_next(&seed) % below);
}

enum { PARTS = 256 };

/* The side of an edge that a position is on, in exact numbers; edges go around the polygon clockwise. */
static bool inside_edge(const int32_t from[2], const int32_t to[2], int64_t x, int64_t y)
{
    const int64_t dx = (int64_t)to[0] - from[0], dy = (int64_t)to[1] - from[1];
    const int64_t side = dx * (y - from[1]) - dy * (x - from[0]);
    const bool left = dy < 0, top = dy == 0 && dx > 0;
    return side > 0 || (side == 0 && (left || top));
}

static bool inside(const struct raster_polygon *o, bool counter, int32_t x, int32_t y)
{
    bool all = true;
    for (unsigned i = 0; i < o->vertex_count; i++) {
        const unsigned next = (i + 1) % o->vertex_count;
        all &= inside_edge(o->vertex_xy[counter ? next : i], o->vertex_xy[counter ? i : next],
                           (int64_t)x * PARTS + PARTS / 2, (int64_t)y * PARTS + PARTS / 2);
    }
    return all;
}

/* A random triangle: small, large, or with corners on a grid, where centers are on edges. */
static int64_t random_triangle(struct raster_polygon *o)
{
    static const int32_t sizes[] = {4 * PARTS, 40 * PARTS, 300 * PARTS, 65535 * PARTS};
    const int32_t size = sizes[random_below(4)], grid = random_below(2) ? PARTS / 2 : 1;
    *o = (struct raster_polygon){.vertex_count = 3, .kind = RASTER_POLYGON};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned axis = 0; axis < 2; axis++)
            o->vertex_xy[i][axis] = (int32_t)random_below((uint32_t)size + 1u) / grid * grid;
    return ((int64_t)o->vertex_xy[1][0] - o->vertex_xy[0][0]) *
               ((int64_t)o->vertex_xy[2][1] - o->vertex_xy[0][1]) -
           ((int64_t)o->vertex_xy[1][1] - o->vertex_xy[0][1]) *
               ((int64_t)o->vertex_xy[2][0] - o->vertex_xy[0][0]);
}

static void blocks(void **state)
{
    (void)state;
    enum { TRIANGLES = 4000, BLOCKS = 24 };
    static struct draw d;
    uint64_t covered = 0, crossed = 0, outside = 0;
    for (unsigned n = 0; n < TRIANGLES; n++) {
        const int64_t area = random_triangle(&d.setup.polygon);
        if (!area)
            continue;
        raster_edge_functions(&d.setup.polygon, d.setup.edges);
        d.triangles = triangle_functions_of((enum eu_simd_level)(n % (eu_host_simd_level() + 1u)));
        for (unsigned i = 0; i < 2; i++) {
            d.setup.bbox[0][i] = (int32_t)random_below(20);
            d.setup.bbox[1][i] = random_below(2) ? 1 << 14 : 20 + (int32_t)random_below(40);
        }
        for (unsigned i = 0; i < BLOCKS; i++) {
            const int32_t *const near = d.setup.polygon.vertex_xy[random_below(3)];
            int32_t at[2];
            uint32_t edges;
            for (unsigned axis = 0; axis < 2; axis++)
                at[axis] = (near[axis] / PARTS + (int32_t)random_below(64) - 32) & -RASTER_BLOCK;
            uint64_t mask = 0, expected = 0;
            if (raster_classify_tile(&d, at[0] & -RASTER_TILE, at[1] & -RASTER_TILE, &edges))
                mask = raster_block_coverage(&d, at[0], at[1], edges);
            else
                outside++;
            for (int32_t y = 0; y < RASTER_BLOCK; y++)
                for (int32_t x = 0; x < RASTER_BLOCK; x++) {
                    unsigned pixel = 0;
                    for (unsigned bit = 0; bit < 3; bit++)
                        pixel |= ((uint32_t)x >> bit & 1u) << 2 * bit | ((uint32_t)y >> bit & 1u)
                                                                            << (2 * bit + 1);
                    const int32_t px = at[0] + x, py = at[1] + y;
                    if (px >= d.setup.bbox[0][0] && px < d.setup.bbox[1][0] && py >= d.setup.bbox[0][1] &&
                        py < d.setup.bbox[1][1] && inside(&d.setup.polygon, area < 0, px, py))
                        expected |= 1ull << pixel;
                }
            assert_int_equal(mask, expected);
            covered += mask != 0;
            crossed += mask && ~mask;
        }
    }
    assert_true(covered > 1000 && crossed > 1000 && outside > 1000);
}

/* Each pixel of a block has a number of its own, and its subspan's number follows from its position. */
static void numbers(void **state)
{
    (void)state;
    uint64_t seen = 0;
    for (unsigned pixel = 0; pixel < RASTER_BLOCK * RASTER_BLOCK; pixel++) {
        const int32_t at[2] = {(int32_t)raster_pixel_x(pixel) + 64, (int32_t)raster_pixel_y(pixel) + 8};
        assert_int_equal(raster_subspan_index(at), pixel / SUBSPAN_PIXELS);
        seen |= 1ull << ((at[1] - 8) * RASTER_BLOCK + at[0] - 64);
    }
    assert_int_equal(seen, UINT64_MAX);
}

TEST_PROGRAM(coverage_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks), cmocka_unit_test(numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
