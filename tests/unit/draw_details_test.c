/* Events of a draw's details: vertices as they are fetched, primitives and what becomes of them, steps of
 * fragments by sample. Who listens changes nothing. (REN-17) */
#include "../suite.h"
#include "../depths.h"
#include "../samples.h"

enum { MOST_VERTICES = 64, MOST_PRIMITIVES = 16, MOST_FRAGMENTS = 1 << 14, VERTEX_DW = 16 };
enum { DETAILS = SOFTGT_TRACE_PRIMITIVES | SOFTGT_TRACE_FRAGMENTS };

static struct {
    struct softgt_vertex vertices[MOST_VERTICES];
    uint32_t vertex_dw[MOST_VERTICES][VERTEX_DW];
    struct softgt_primitive primitives[MOST_PRIMITIVES];
    uint32_t position[3][4]; /* of the last primitive */
    struct softgt_fragment fragments[MOST_FRAGMENTS];
    unsigned vertex_count, primitive_count, fragment_count;
} seen;

static void on_details(void *user, const struct softgt_event *e)
{
    (void)user;
    if (e->vertex) {
        assert_in_range(seen.vertex_count, 0, MOST_VERTICES - 1);
        memcpy(seen.vertex_dw[seen.vertex_count], e->vertex->dw,
               (e->vertex->length_dw < VERTEX_DW ? e->vertex->length_dw : VERTEX_DW) * 4);
        seen.vertices[seen.vertex_count++] = *e->vertex;
    } else if (e->primitive) {
        assert_in_range(seen.primitive_count, 0, MOST_PRIMITIVES - 1);
        for (unsigned n = 0; n < e->primitive->vertices; n++)
            memcpy(seen.position[n], e->primitive->vertex[n] + 4, sizeof seen.position[n]);
        seen.primitives[seen.primitive_count++] = *e->primitive;
    } else {
        assert_non_null(e->fragment);
        assert_in_range(seen.fragment_count, 0, MOST_FRAGMENTS - 1);
        seen.fragments[seen.fragment_count++] = *e->fragment;
    }
}

static struct streamer *begin_traced(const char *device, bool traced)
{
    struct streamer *const s = begin(device);
    s->device->log.trace = (struct softgt_trace_port){NULL, traced ? DETAILS : 0, traced ? on_details : NULL};
    memset(&seen, 0, sizeof seen);
    return s;
}

/* The steps of a kind; of them those that passed, or not. */
static unsigned steps_of(enum softgt_fragment_step step, bool passed)
{
    unsigned n = 0;
    for (unsigned i = 0; i < seen.fragment_count; i++)
        n += seen.fragments[i].step == step && seen.fragments[i].passed == passed;
    return n;
}

static const struct softgt_fragment *step_at(enum softgt_fragment_step step, uint32_t x, uint32_t y,
                                             unsigned sample)
{
    for (unsigned i = 0; i < seen.fragment_count; i++) {
        const struct softgt_fragment *const f = &seen.fragments[i];
        if (f->step == step && f->x == x && f->y == y && f->sample == sample)
            return f;
    }
    return NULL;
}

/* The same draw without and with a listener: memory is the same. */
static uint8_t without[PITCH * HEIGHT + DEPTH_PITCH * 64];
static void expect_same(const struct streamer *s, bool traced)
{
    if (!traced) {
        memcpy(without, s->memory + TARGET, PITCH * HEIGHT);
        memcpy(without + PITCH * HEIGHT, s->memory + DEPTH, DEPTH_PITCH * 64);
        return;
    }
    assert_memory_equal(without, s->memory + TARGET, PITCH * HEIGHT);
    assert_memory_equal(without + PITCH * HEIGHT, s->memory + DEPTH, DEPTH_PITCH * 64);
}

/* ---- Vertices and primitives ---- */

static void vertices_and_primitives(void **state)
{
    (void)state;
    static const float at[6][3] = {{2, 3, 0.5f},   {20, 3, 0.5f},  {2, 19, 0.5f},
                                   {40, 3, 0.25f}, {60, 3, 0.25f}, {40, 19, 0.25f}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned traced = 0; traced < 2; traced++) {
            struct streamer *const s = begin_traced(*name, traced);
            const struct scene c = {.topology = TRILIST,
                                    .vertices = 6,
                                    .instances = 2,
                                    .at = at,
                                    .attributes = 1,
                                    .format = R8G8B8A8_UNORM};
            uint32_t dw[MOST_DW];
            put_color(s, white);
            batch_run(s, dw, put_scene(s, &c, dw), true);
            expect_same(s, traced);
            for (unsigned n = 0; n < seen.vertex_count; n++) {
                const uint32_t *const of = seen.vertex_dw[n];
                assert_int_equal(seen.vertices[n].number, n % 6);
                assert_int_equal(seen.vertices[n].vertex_id, n % 6);
                assert_int_equal(seen.vertices[n].instance, n / 6);
                assert_int_equal(of[1], n / 6); /* the generated instance number */
                assert_memory_equal(of + 4, at[n % 6], sizeof at[0]);
                assert_int_equal(of[7], float_bits(1));
                assert_int_equal(of[8], 100);
                assert_int_equal(of[11], 103);
            }
            assert_int_equal(seen.vertex_count, traced ? 12 : 0);
            assert_int_equal(seen.primitive_count, traced ? 4 : 0);
            for (unsigned n = 0; n < seen.primitive_count; n++) {
                const struct softgt_primitive *const p = &seen.primitives[n];
                assert_int_equal(p->fate, SOFTGT_PRIMITIVE_VISIBLE);
                assert_int_equal(p->number, n % 2);
                assert_int_equal(p->instance, n / 2);
                assert_int_equal(p->vertices, 3);
                for (unsigned i = 0; i < 3; i++) {
                    assert_true(p->screen[i][0] == (double)at[n % 2 * 3 + i][0]);
                    assert_true(p->screen[i][1] == (double)at[n % 2 * 3 + i][1]);
                    assert_true(p->screen[i][2] == (double)at[n % 2 * 3 + i][2]);
                }
            }
            streamer_destroy(s);
        }
}

/* One that is seen, one whose back is, one beside the drawing rectangle, one that is nowhere. */
static void fates(void **state)
{
    (void)state;
    static const float at[12][3] = {{2, 3, 0},  {20, 3, 0}, {2, 19, 0},  {2, 3, 0},   {2, 19, 0}, {20, 3, 0},
                                    {50, 3, 0}, {60, 3, 0}, {50, 19, 0}, {NAN, 3, 0}, {20, 3, 0}, {2, 19, 0}};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin_traced(*name, true);
        uint32_t more[16], *to = more, dw[MOST_DW];
        struct scene c = {.topology = TRILIST,
                          .vertices = 12,
                          .at = at,
                          .format = R8G8B8A8_UNORM,
                          .scissor = {0, 31u << 16 | 31}};
        commands_put(s->device, 0, &to, "3DSTATE_RASTER cull_mode = back, front_winding = 1");
        c.more = more;
        c.more_dw = (uint32_t)(to - more);
        put_color(s, white);
        batch_run(s, dw, put_scene(s, &c, dw), true);
        assert_int_equal(seen.primitive_count, 4);
        const bool first_is_back = seen.primitives[0].is_back_facing;
        assert_int_equal(seen.primitives[1].is_back_facing, !first_is_back);
        assert_int_equal(seen.primitives[first_is_back ? 1 : 0].fate, SOFTGT_PRIMITIVE_VISIBLE);
        assert_int_equal(seen.primitives[first_is_back ? 0 : 1].fate, SOFTGT_PRIMITIVE_CULLED);
        assert_int_equal(seen.primitives[2].fate,
                         first_is_back ? SOFTGT_PRIMITIVE_CULLED : SOFTGT_PRIMITIVE_SCISSORED);
        assert_int_equal(seen.primitives[3].fate, SOFTGT_PRIMITIVE_CLIPPED);
        assert_int_equal(seen.primitives[2].scissor[2], 32);
        streamer_destroy(s);
    }
}

/* ---- Fragments ---- */

/* A depth test that fails, early and late; a stencil test that fails; both that pass. */
static void tests_of_depth(void **state)
{
    (void)state;
    enum { REFERENCE = 0x35 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 6 * 2; n++) {
            const bool traced = n & 1, late = n / 2 % 2;
            const unsigned what = n / 4; /* 0: depth fails, 1: stencil fails, 2: both pass */
            struct streamer *const s = begin_traced(*name, traced);
            float corners[3][3];
            struct scene c = at_depth(corners, what ? 0.25f : 0.75f);
            struct tests t = usual(D32);
            t.no_stencil = false;
            t.stencil = true;
            t.masks = 0xffu << 24;
            t.references = REFERENCE << 8;
            t.operations[0] = what == 1 ? NEVER : ALWAYS;
            c.kills = late;
            fill_depth(s, D32, value_of(D32, 0.5));
            run(s, &c, &t);
            expect_same(s, traced);
            if (!traced) {
                streamer_destroy(s);
                continue;
            }
            const struct softgt_fragment *const stencil = step_at(SOFTGT_FRAGMENT_STENCIL, 5, 7, 0),
                                                *const depth = step_at(SOFTGT_FRAGMENT_DEPTH, 5, 7, 0);
            assert_int_equal(steps_of(SOFTGT_FRAGMENT_COVERED, true), ALL);
            assert_int_equal(steps_of(SOFTGT_FRAGMENT_STENCIL, what != 1), ALL);
            assert_int_equal(steps_of(SOFTGT_FRAGMENT_STENCIL, what == 1), 0);
            assert_int_equal(steps_of(SOFTGT_FRAGMENT_DEPTH, what != 0), what == 1 ? 0 : ALL);
            assert_int_equal(steps_of(SOFTGT_FRAGMENT_WRITTEN, true), what == 2 ? ALL : 0);
            assert_int_equal(steps_of(SOFTGT_FRAGMENT_KILLED, false), 0);
            assert_non_null(stencil);
            assert_true(stencil->value == REFERENCE && stencil->is_late == late);
            assert_true(what == 1 ? !depth
                                  : depth && depth->value == (what ? 0.25 : 0.75) &&
                                        depth->compared_with == 0.5 && depth->is_late == late);
            streamer_destroy(s);
        }
}

/* A shader that does not write all pixels: the others end as killed. */
static void kills(void **state)
{
    (void)state;
    enum { KEPT = 19, LESS_THAN = 5 };
    const struct how compares = {.channels = 16, .condition = LESS_THAN},
                     kept = {.channels = 16, .predicate = 1};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin_traced(*name, true);
        float corners[3][3];
        struct scene c = at_depth(corners, 0);
        uint32_t dw[MOST_DW];
        struct op subspans = region(1, TYPE_UW, 2, 4, 0);
        subspans.subregister = 8;
        KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UW), subspans, imm(pixel_offsets(0), TYPE_V));
        KERNEL_2(&k, EU_CMP, compares, none(TYPE_UW), reg(20, TYPE_UW), imm(KEPT, TYPE_UW));
        for (unsigned i = 0; i < 4; i++)
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F), imm(float_bits(1), TYPE_F));
        kernel_send(&k, kept, SFID_RENDER_CACHE, SIMD16_WRITE, none(TYPE_UD), reg(PAYLOAD, TYPE_UD), true);
        put_kernel(s);
        c.kills = true;
        c.format = R8G8B8A8_UNORM;
        batch_run(s, dw, put_scene(s, &c, dw), true);
        assert_int_equal(steps_of(SOFTGT_FRAGMENT_KILLED, false), (37 - KEPT) * 16);
        assert_int_equal(steps_of(SOFTGT_FRAGMENT_WRITTEN, true), (KEPT - 3) * 16);
        assert_non_null(step_at(SOFTGT_FRAGMENT_KILLED, KEPT, 5, 0));
        assert_non_null(step_at(SOFTGT_FRAGMENT_WRITTEN, KEPT - 1, 5, 0));
        streamer_destroy(s);
    }
}

/* What the shader gives comes before the alpha test and blending; a write says where its pixel is. */
static void alpha_and_blending(void **state)
{
    (void)state;
    enum { TEST = 1 << 27, FUNCTION_AT = 24, BLEND = INT32_MIN, ONE = 1, ADD = 0 };
    static const float color[4] = {0.25f, 0.5f, 0.75f, 0.25f};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            const bool traced = n & 1, passes = n & 2;
            struct streamer *const s = begin_traced(*name, traced);
            float corners[3][3];
            struct scene c = at_depth(corners, 0);
            uint32_t dw[MOST_DW];
            c.format = R8G8B8A8_UNORM;
            c.blending[0] = (uint32_t)BLEND | ONE << 26 | ONE << 21 | ADD << 18 | ONE << 13 | ONE << 8;
            put_color(s, color);
            const uint32_t count = put_scene(s, &c, dw);
            dword_put(s, DYNAMIC + BLENDING, TEST | GREATER << FUNCTION_AT);
            dword_put(s, DYNAMIC + CONSTANT_COLORS, 1);
            dword_put(s, DYNAMIC + CONSTANT_COLORS + 4, float_bits(passes ? 0.125f : 0.5f));
            batch_run(s, dw, count, true);
            expect_same(s, traced);
            if (traced) {
                const struct softgt_fragment *const alpha = step_at(SOFTGT_FRAGMENT_ALPHA, 6, 8, 0),
                                                    *const written =
                                                        step_at(SOFTGT_FRAGMENT_WRITTEN, 6, 8, 0);
                assert_int_equal(steps_of(SOFTGT_FRAGMENT_ALPHA, passes), ALL);
                assert_true(alpha && alpha->value == 0.25 && alpha->compared_with == (passes ? 0.125 : 0.5));
                assert_int_equal(written != NULL, passes);
                if (written) {
                    assert_memory_equal(written->color, color, sizeof color);
                    assert_int_equal(written->address, TARGET + 8 * PITCH + 6 * 4);
                    assert_int_equal(written->target, 0);
                }
                assert_int_equal(dword_at(s, TARGET + 8 * PITCH + 6 * 4) != STALE, passes);
            }
            streamer_destroy(s);
        }
}

/* Of four samples: those right of the edge through the middle of a pixel, without those of the mask. */
static void samples(void **state)
{
    (void)state;
    enum { LOG2 = 2, MASK = 0xd };
    static const float at[3][3] = {{37, 21, 0}, {3.5f, 21, 0}, {3.5f, 5, 0}};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin_traced(*name, true);
        const struct sampling a = {.log2 = LOG2, .mask = MASK};
        const struct scene c = {
            .topology = RECTLIST, .vertices = 3, .at = at, .format = R8G8B8A8_UNORM, .kills = true};
        uint32_t dw[MOST_DW];
        put_color(s, white);
        batch_run(s, dw, put_sampled_scene(s, &c, &a, dw), true);
        for (unsigned sample = 0; sample < 1u << LOG2; sample++) {
            const bool in = standard_positions[LOG2][sample][0] > 8, kept = MASK >> sample & 1;
            for (unsigned step = SOFTGT_FRAGMENT_COVERED; step <= SOFTGT_FRAGMENT_SAMPLE_MASK; step++) {
                const bool here = kept == (step == SOFTGT_FRAGMENT_COVERED);
                assert_int_equal(step_at(step, 3, 6, sample) != NULL, in && here);
                assert_int_equal(step_at(step, 4, 6, sample) != NULL, here);
                assert_null(step_at(step, 2, 6, sample));
            }
            assert_int_equal(step_at(SOFTGT_FRAGMENT_WRITTEN, 3, 6, sample) != NULL, in && kept);
            assert_int_equal(step_at(SOFTGT_FRAGMENT_WRITTEN, 4, 6, sample) != NULL, kept);
        }
        assert_int_equal(steps_of(SOFTGT_FRAGMENT_WRITTEN, true), steps_of(SOFTGT_FRAGMENT_COVERED, true));
        streamer_destroy(s);
    }
}

TEST_PROGRAM(draw_details_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_and_primitives), cmocka_unit_test(fates),
        cmocka_unit_test(tests_of_depth),          cmocka_unit_test(kills),
        cmocka_unit_test(alpha_and_blending),      cmocka_unit_test(samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
