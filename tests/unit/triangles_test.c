/* Setup of triangles in vectors, at each level, gives what setup of any primitive gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../random.h"
#include "../suite.h"

#include "raster/raster.h"

static uint64_t seed = 11;

static uint32_t random_below(uint32_t below)
{
    return (uint32_t)(random_next(&seed) % below);
}

static float random_float(float most)
{
    return ((float)random_below(1u << 24) / (1 << 23) - 1) * most;
}

enum { POSITION = 4 };

static void random_position(uint32_t dw[VUE_DW], float around, float size, bool is_flat)
{
    static const float special[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, 1e-20f, -1, 1e30f};
    const float w = is_flat ? 1 : 0.1f + (float)random_below(1000) / 100, grid = 1.0f / 64;
    float position[4] = {around * w + random_float(size), around * w + random_float(size),
                         random_float(1.1f) * w, w};
    for (unsigned i = 0; i < 2 && is_flat; i++)
        position[i] = floorf(position[i] / grid) * grid;
    if (!random_below(60))
        position[random_below(4)] = special[random_below(sizeof special / sizeof *special)];
    memcpy(dw + POSITION, position, sizeof position);
}

static void random_state(struct draw_state *s)
{
    struct viewport *const v = &s->viewports[0];
    *v = (struct viewport){.matrix = {128, -128, 0.5f, 128, 128, 0.5f},
                           .guardband = {{-30, 30}, {-30, 30}},
                           .scissor_max = {256, 256},
                           .depth_range = {0, 1}};
    if (random_below(2)) {
        v->matrix[1] = 100.25f;
        v->guardband[0][0] = -1;
        v->scissor_min[0] = (int32_t)random_below(100);
        v->scissor_max[1] = (int32_t)random_below(200);
        s->raster.drawing_rectangle_origin[0] = (int32_t)random_below(9) - 4;
    }
    s->clip.clip_enable = random_below(4) != 0;
    s->clip.xy_clip_enable = random_below(2);
    s->clip.z_near_clip_enable = random_below(2);
    s->clip.z_far_clip_enable = random_below(2);
    s->clip.api_mode_d3d = random_below(2);
    s->clip.perspective_divide_enable = s->raster.viewport_transform_enable = true;
    s->raster.cull_mode = (uint8_t)random_below(4);
    s->raster.front_winding = (uint8_t)random_below(2);
    s->raster.vertex_subpixel_4bit = !random_below(4);
    s->raster.depth_bias.enable[2] = random_below(2);
    s->raster.depth_bias.scale = s->raster.depth_bias.constant = 1;
    s->sbe.sf_output_attribute_count = 2;
    s->sbe.primitive_id_override_attribute = (uint8_t)random_below(3);
    s->sbe.primitive_id_override_components = (uint8_t)(random_below(2) * random_below(16));
    s->sbe.attribute_swizzles[1] = 1;
    s->sbe.vertex_urb_read_offset = 1;
    clip_ranges_init(s);
}

static void assert_same_setup(const struct setup_primitive *a, const struct setup_primitive *b)
{
    assert_memory_equal(&a->equations.vertex, &b->equations.vertex, sizeof a->equations.vertex);
    for (unsigned i = 0; i < CORNERS; i++)
        assert_memory_equal(a->equations.weight[i], b->equations.weight[i], 3 * sizeof(double));
    assert_memory_equal(&a->equations.area, &b->equations.area, sizeof a->equations.area);
    assert_memory_equal(&a->equations.depth_bias, &b->equations.depth_bias, sizeof a->equations.depth_bias);
    assert_memory_equal(a->bbox, b->bbox, sizeof a->bbox);
    assert_memory_equal(a->polygon.box, b->polygon.box, sizeof a->polygon.box);
    assert_memory_equal(a->planes, b->planes, sizeof(float) * 2 * 4 * PLANE);
    assert_int_equal(a->polygon.kind, b->polygon.kind);
    assert_int_equal(a->polygon.vertex_count, b->polygon.vertex_count);
    assert_int_equal(a->back_facing, b->back_facing);
    for (unsigned i = 0; i < a->polygon.vertex_count; i++) {
        assert_true(a->edges[i].c == b->edges[i].c);
        assert_int_equal(a->edges[i].x, b->edges[i].x);
        assert_int_equal(a->edges[i].y, b->edges[i].y);
    }
}

static void assert_planes(const struct draw *d)
{
    const struct sbe_state *const s = &d->state.sbe;
    for (unsigned i = 0; i < 8; i++) {
        float of[CORNERS];
        for (unsigned n = 0; n < CORNERS; n++)
            of[n] = float_from_bits(d->primitive.vue_dw[n][s->vertex_urb_read_offset * 8u + i]);
        const bool is_number =
            i / 4 == s->primitive_id_override_attribute && s->primitive_id_override_components >> i % 4 & 1u;
        const float plane[PLANE] = {of[1] - of[0], of[2] - of[0], 0, of[0]},
                    number[PLANE] = {[PLANE_0] = float_from_bits(d->cursor.primitive_id)};
        assert_memory_equal(d->setup.planes + i * PLANE, is_number ? number : plane, sizeof plane);
    }
}

static bool set_up(struct draw *d, unsigned *clipped)
{
    const uint32_t *dw[CORNERS];
    primitive_corners(&d->primitive, dw);
    return setup_primitive(d, dw, clipped);
}

static void as_others(void **state)
{
    (void)state;
    enum { TRIANGLES = 60000, LEAST = TRIANGLES / 50 };
    static const float sizes[] = {0.02f, 0.2f, 1, 4};
    static struct draw plain, any;
    unsigned seen = 0, rejected = 0, cut = 0, empty = 0;
    for (unsigned n = 0; n < TRIANGLES; n++) {
        if (n % 8 == 0)
            random_state(&any.state);
        const bool is_flat = random_below(2);
        const float around = random_float(1.2f), size = sizes[random_below(4)];
        for (unsigned i = 0; i < CORNERS; i++) {
            random_position(any.primitive.vue_dw[i], around, size, is_flat);
            for (unsigned at = POSITION + 4; at < POSITION + 12; at++)
                any.primitive.vue_dw[i][at] = (uint32_t)random_next(&seed) & 0xbfffffffu;
        }
        any.cursor.raster_topology = TOPOLOGY_TRILIST;
        any.cursor.primitive_id = n;
        plain = any;
        any.state.raster.plain_triangles = false;
        plain.triangles = any.triangles =
            triangle_functions_of((enum eu_simd_level)(n % (eu_host_simd_level() + 1u)));
        unsigned clipped[2] = {9, 9};
        const bool visible = set_up(&any, &clipped[0]);
        assert_int_equal(set_up(&plain, &clipped[1]), visible);
        assert_int_equal(clipped[0], clipped[1]);
        assert_memory_equal(&any.ps, &plain.ps, sizeof any.ps);
        if (visible) {
            assert_same_setup(&any.setup, &plain.setup);
            assert_planes(&any);
        }
        any.state.raster.plain_triangles = true;
        seen += visible;
        rejected += !clipped[0];
        cut += clipped[0] > 1;
        empty += clipped[0] && !visible;
    }
    assert_true(seen > LEAST && rejected > LEAST && cut > LEAST && empty > LEAST);
}

/* A point is visible if its square has a pixel in the scissored extent. */
static void points(void **state)
{
    (void)state;
    enum { POINTS = 20000, LEAST = POINTS / 50, PIXELS = 300 };
    static struct draw d;
    unsigned counts[2] = {0, 0};
    d.triangles = triangle_functions_of(eu_host_simd_level());
    for (unsigned n = 0; n < POINTS; n++) {
        if (n % 8 == 0)
            random_state(&d.state);
        struct viewport *const v = &d.state.viewports[0];
        *v = (struct viewport){
            .matrix = {1, 1, 1}, .guardband = {{-400, 400}, {-400, 400}}, .scissor_max = {200, 150}};
        v->scissor_min[0] = 40;
        d.state.clip.clip_enable = false;
        d.state.raster.drawing_rectangle_origin[0] = 0;
        d.state.raster.point_width_from_state = true;
        d.state.raster.point_width = (float)(1 + random_below(40)) / 4;
        clip_ranges_init(&d.state);
        d.cursor.raster_topology = TOPOLOGY_POINTLIST;
        const double half = (double)d.state.raster.point_width / 2;
        const float position[4] = {(float)random_below(PIXELS * 8) / 8, (float)random_below(PIXELS * 8) / 8,
                                   0, 1};
        memcpy(d.primitive.vue_dw[0] + POSITION, position, sizeof position);
        bool expected = true;
        for (unsigned axis = 0; axis < 2; axis++) {
            const double low = fmax(floor(position[axis] - half), v->scissor_min[axis]),
                         high = fmin(floor(position[axis] + half + 1), v->scissor_max[axis]);
            expected &= low < high;
        }
        unsigned clipped;
        assert_int_equal(set_up(&d, &clipped), expected);
        assert_int_equal(clipped, 1);
        counts[expected]++;
    }
    assert_true(counts[0] > LEAST && counts[1] > LEAST);
}

TEST_PROGRAM(triangles_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_others), cmocka_unit_test(points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
