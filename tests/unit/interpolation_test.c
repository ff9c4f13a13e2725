/* Barycentrics, depths and w at pixels: each level of vectors gives what the equations give one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../random.h"
#include "../suite.h"

#include "geometry/draw.h"
#include "geometry/interpolation.h"

enum { SUBSPAN_COUNT = 8, PIXELS = SUBSPAN_COUNT * SUBSPAN_PIXELS, ROUNDS = 2000 };

static double random_number(uint64_t *seed)
{
    const uint64_t random = random_next(seed);
    return random % 9 ? (double)(int64_t)random * 0x1p-55 : 0;
}

static void random_equations(struct plane_equations *e, uint64_t *seed)
{
    for (unsigned i = 0; i < CORNERS * CORNER; i++)
        e->vertex[i] = random_number(seed);
    for (unsigned i = 0; i < CORNERS * 3; i++)
        e->weight[i / 3][i % 3] = random_number(seed);
    e->area = random_number(seed);
    e->depth_bias = (float)random_number(seed);
}

struct pixel {
    float barycentric[2][2]; /* perspective and linear, of corners 1 and 2 */
    float depth, w;
};

static struct pixel pixel_of(const struct plane_equations *e, double x, double y)
{
    struct pixel p = {.depth = 0};
    double of[CORNERS], sum = 0, depth = 0;
    for (unsigned i = 0; i < CORNERS; i++) {
        of[i] = e->weight[i][0] * x + e->weight[i][1] * y + e->weight[i][2];
        sum += of[i];
        depth += of[i] * e->vertex[i * CORNER + CORNER_Z];
    }
    for (unsigned i = 1; i < CORNERS; i++) {
        const double linear = e->area != 0 ? of[i] * e->vertex[i * CORNER + CORNER_W] / e->area : 0;
        p.barycentric[0][i - 1] = (float)(sum == 0 ? linear : of[i] / sum);
        p.barycentric[1][i - 1] = (float)linear;
    }
    const double w = e->vertex[CORNER_W], straight = w != 0 ? e->vertex[CORNER_Z] / w : 0;
    p.depth = (float)((e->area == 0 ? straight : depth / e->area) + e->depth_bias);
    p.w = (float)(e->area != 0 && sum != 0 ? e->area / sum : w);
    return p;
}

/* Fewer subspans have the same depths and w, and nothing is written behind them. */
static void expect_parts(const struct interpolation *f, const struct pixel_positions *all, const float *depth,
                         const float *w)
{
    for (unsigned count = 1; count < SUBSPAN_COUNT; count++) {
        float part[2][PIXELS] = {{0}}, expected[2][PIXELS] = {{0}};
        struct pixel_positions some = *all;
        some.count = count;
        f->depths(&some, part[0]);
        f->ws(&some, part[1]);
        memcpy(expected[0], depth, count * SUBSPAN_PIXELS * sizeof *depth);
        memcpy(expected[1], w, count * SUBSPAN_PIXELS * sizeof *w);
        assert_memory_equal(part, expected, sizeof part);
    }
}

static void as_one_by_one(void **state)
{
    (void)state;
    uint64_t seed = 33;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t xy[SUBSPAN_COUNT][2];
        struct plane_equations e;
        random_equations(&e, &seed);
        for (unsigned i = 0; i < SUBSPAN_COUNT * 2; i++)
            xy[i / 2][i % 2] = (uint32_t)(random_next(&seed) % 8192) * 2;
        const struct pixel_positions at = {&e, (const uint32_t(*)[2])xy, SUBSPAN_COUNT, round % 2 ? 0.5 : 0};
        for (unsigned level = 0; level <= eu_host_simd_level(); level++) {
            const struct interpolation *const f = interpolation_of((enum eu_simd_level)level);
            float rows[2][2 * PIXELS], depth[PIXELS], w[PIXELS];
            f->barycentrics(&at, false, rows[0]);
            f->barycentrics(&at, true, rows[1]);
            f->depths(&at, depth);
            f->ws(&at, w);
            expect_parts(f, &at, depth, w);
            for (unsigned n = 0; n < PIXELS; n++) {
                const uint32_t *const four = xy[n / SUBSPAN_PIXELS];
                const struct pixel p =
                    pixel_of(&e, at.center + four[0] + (n & 1u), at.center + four[1] + (n >> 1 & 1u));
                for (unsigned i = 0; i < 4; i++) {
                    const float found = rows[i / 2][(n / 8 * 2 + i % 2) * 8 + n % 8];
                    assert_memory_equal(&found, &p.barycentric[i / 2][i % 2], sizeof found);
                }
                assert_memory_equal(&depth[n], &p.depth, sizeof p.depth);
                assert_memory_equal(&w[n], &p.w, sizeof p.w);
            }
        }
    }
}

/* A plane of depth has the bias before it is a float: three quarters of a float's last place are rounded up,
 * which a quarter and then a half are not. */
static void bias_of_planes(void **state)
{
    const double last_place = 0x1p-24;
    struct draw *const d = calloc(1, sizeof *d);
    double depth[SCREEN_PLANE], by_w[SCREEN_PLANE];
    (void)state;
    assert_non_null(d);
    d->setup.equations = (struct plane_equations){
        .weight = {{0, 0, 0.75}, {0, 0, 0.25}}, .area = 1, .depth_bias = (float)(last_place / 2)};
    d->setup.equations.vertex[CORNER_Z] = 0.5;
    d->setup.equations.vertex[CORNER + CORNER_Z] = 0.5 + last_place;
    setup_depth_w_planes(d, depth, by_w);
    assert_true((float)depth[SCREEN_VALUE] == (float)(0.5 + last_place));
    assert_true(depth[SCREEN_STEP_X] == 0 && depth[SCREEN_STEP_Y] == 0);
    free(d);
}

TEST_PROGRAM(interpolation_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_one_by_one), cmocka_unit_test(bias_of_planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
