/* The history of a pixel, and where its samples are: steps of fragments with values before and after, of
 * targets, depth, several samples. */
#include "../suite.h"
#include "../depths.h"
#include "../samples.h"

#include "draws/bound.h"
#include "draws/history.h"

enum { MOST_STEPS = 64, TEXT = 80 };

static struct {
    struct streamer *s;
    struct bound bound;
    struct draw_record record;
    struct draw_surface surfaces[DRAW_SURFACES];
    struct pixel_choice choice;
    struct pixel_watch watch;
    unsigned count;
    struct told {
        enum pixel_step_kind kind;
        enum softgt_fragment_step step;
        bool passed, has_values;
        const char *function;
        unsigned sample;
        uint32_t primitive;
        char before[TEXT], after[TEXT], blend[TEXT];
    } steps[MOST_STEPS];
} now;

static void on_step(void *user, const struct pixel_step *s)
{
    (void)user;
    assert_in_range(now.count, 0, MOST_STEPS - 1);
    struct told *const to = &now.steps[now.count++];
    *to = (struct told){.kind = s->kind,
                        .step = s->fragment ? s->fragment->step : SOFTGT_FRAGMENT_STEPS,
                        .passed = s->fragment && s->fragment->passed,
                        .has_values = s->has_values,
                        .function = s->function,
                        .sample = s->sample,
                        .primitive = s->primitive};
    assert_int_equal(s->number, now.count);
    snprintf(to->blend, sizeof to->blend, "%s", s->blend ? s->blend : "");
    if (!s->has_values)
        return;
    place_text(s->format, &s->before, to->before, sizeof to->before);
    place_text(s->format, &s->after, to->after, sizeof to->after);
}

static void on_event(void *user, const struct softgt_event *e)
{
    (void)user;
    if (e->what != SOFTGT_TRACE_COMMANDS) {
        pixel_watch_event(&now.watch, e);
        return;
    }
    if (!e->name || strcmp(e->name, "3DPRIMITIVE") != 0)
        return;
    now.record = (struct draw_record){.unit = e->unit, .name = e->name};
    memset(now.surfaces, 0, sizeof now.surfaces);
    bound_read(&now.bound, 0, &now.record, now.surfaces, e);
    now.watch = (struct pixel_watch){
        .device = now.s->device,
        .choice = &now.choice,
        .record = &now.record,
        .step = on_step,
        .blend_state = now.bound.structures.rows[structure_find(&now.bound.structures, BLEND_STATE)]};
    static const struct target_bindings unknown;
    const struct draw_surface *const surface =
        find_attachment(&now.choice, &unknown, &now.record, now.surfaces, now.bound.surface_count);
    if (surface)
        pixel_watch_begin(&now.watch, surface);
    now.count = 0;
}

static struct streamer *begin_watched(const char *device, uint32_t x, uint32_t y, unsigned attachment)
{
    memset(&now, 0, sizeof now);
    struct streamer *const s = now.s = begin(device);
    now.choice = (struct pixel_choice){.x = x,
                                       .y = y,
                                       .attachment = attachment,
                                       .level = PIXEL_ANY,
                                       .layer = PIXEL_ANY,
                                       .sample = PIXEL_ANY};
    assert_true(bound_create(&now.bound, s->device));
    s->device->log.trace = (struct softgt_trace_port){
        NULL, SOFTGT_TRACE_COMMANDS | SOFTGT_TRACE_MEMORY | SOFTGT_TRACE_FRAGMENTS, on_event};
    return s;
}

static void end_watched(struct streamer *s)
{
    bound_destroy(&now.bound);
    streamer_destroy(s);
}

static void expect_step(unsigned n, enum softgt_fragment_step step, bool passed, const char *before,
                        const char *after)
{
    const struct told *const t = &now.steps[n];
    assert_in_range(n, 0, now.count - 1);
    assert_int_equal(t->step, step);
    assert_int_equal(t->passed, passed);
    assert_int_equal(t->has_values, before != NULL);
    if (!before)
        return;
    assert_string_equal(t->before, before);
    assert_string_equal(t->after, after);
}

/* The first draw passes, the second one is behind it. */
static void targets_and_depths(void **state)
{
    (void)state;
    static const float half[4] = {0.2f, 0.4f, 0.6f, 1};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned what = 0; what < 2; what++) {
            const bool is_depth = what != 0;
            struct streamer *const s = begin_watched(*name, 6, 8, is_depth ? ATTACHMENT_DEPTH : 0);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(D32);
            fill_depth(s, D32, value_of(D32, 0.5));
            put_color(s, half);
            run(s, &c, &t);
            pixel_watch_end(&now.watch);
            assert_true(now.watch.is_on);
            assert_int_equal(now.watch.count, 1);
            expect_step(0, SOFTGT_FRAGMENT_COVERED, true, NULL, NULL);
            expect_step(1, SOFTGT_FRAGMENT_DEPTH, true, NULL, NULL);
            if (is_depth) {
                expect_step(2, SOFTGT_FRAGMENT_STEPS, false, "0.5", "0.25");
                assert_int_equal(now.steps[2].kind, PIXEL_STORE);
                expect_step(3, SOFTGT_FRAGMENT_WRITTEN, true, NULL, NULL);
            } else {
                expect_step(2, SOFTGT_FRAGMENT_WRITTEN, true, "0 0 0 0", "0.2 0.4 0.6 1");
            }
            assert_int_equal(now.count, is_depth ? 4 : 3);
            corners[0][2] = corners[1][2] = corners[2][2] = 0.75f;
            run(s, &c, &t);
            pixel_watch_end(&now.watch);
            expect_step(0, SOFTGT_FRAGMENT_COVERED, true, NULL, NULL);
            expect_step(1, SOFTGT_FRAGMENT_DEPTH, false, NULL, NULL);
            assert_string_equal(now.steps[1].function, "LESS");
            assert_int_equal(now.count, 2);
            assert_false(now.watch.samples[0].is_stored);
            end_watched(s);
        }
}

/* Fragments of two triangles, in order, blended; the pixel is outside the drawing rectangle of a second
 * draw. */
static void primitives_in_order(void **state)
{
    (void)state;
    enum { BLEND = INT32_MIN, ONE = 1 };
    static const float at[6][3] = {{2, 3, 0}, {30, 3, 0}, {2, 31, 0}, {2, 3, 0}, {40, 3, 0}, {2, 31, 0}};
    static const float color[4] = {0.2f, 0.4f, 0, 0.2f};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin_watched(*name, 6, 8, 0);
        struct scene c = {.topology = TRILIST, .vertices = 6, .at = at, .format = R8G8B8A8_UNORM};
        uint32_t dw[MOST_DW];
        c.blending[0] = (uint32_t)BLEND | ONE << 26 | ONE << 21 | ONE << 13 | ONE << 8;
        put_color(s, color);
        uint32_t count = put_scene(s, &c, dw);
        memset(s->memory + TARGET, 0, PITCH * HEIGHT);
        batch_run(s, dw, count, true);
        pixel_watch_end(&now.watch);
        assert_int_equal(now.count, 4);
        for (unsigned n = 0; n < 2; n++) {
            expect_step(2 * n, SOFTGT_FRAGMENT_COVERED, true, NULL, NULL);
            expect_step(2 * n + 1, SOFTGT_FRAGMENT_WRITTEN, true, n ? "0.2 0.4 0 0.2" : "0 0 0 0",
                        n ? "0.4 0.8 0 0.4" : "0.2 0.4 0 0.2");
            assert_int_equal(now.steps[2 * n].primitive, n);
            assert_int_equal(now.steps[2 * n + 1].primitive, n);
        }
        c.scissor[1] = 7u << 16 | 5;
        batch_run(s, dw, put_scene(s, &c, dw), true);
        pixel_watch_end(&now.watch);
        assert_int_equal(now.count, 2);
        assert_int_equal(now.steps[0].kind, PIXEL_SCISSOR);
        assert_int_equal(now.steps[1].kind, PIXEL_SCISSOR);
        end_watched(s);
    }
}

/* Each sample has a place of its own; those that the edge leaves out, or the mask, have no value. */
static void samples(void **state)
{
    (void)state;
    enum { LOG2 = 2, MASK = 0xd };
    static const float at[3][3] = {{37, 21, 0}, {3.5f, 21, 0}, {3.5f, 5, 0}};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin_watched(*name, 3, 6, 0);
        const struct sampling a = {.log2 = LOG2, .mask = MASK};
        const struct scene c = {.topology = RECTLIST, .vertices = 3, .at = at, .format = R8G8B8A8_UNORM};
        uint32_t dw[MOST_DW];
        unsigned step = 0;
        put_color(s, white);
        batch_run(s, dw, put_sampled_scene(s, &c, &a, dw), true);
        pixel_watch_end(&now.watch);
        assert_int_equal(now.watch.count, 1u << LOG2);
        for (unsigned n = 0; n < now.watch.count; n++)
            assert_int_equal(now.watch.samples[n].place.address,
                             SAMPLE_TARGET + sample_place(s, 4, LOG2, 0, 3, 6, n) - SAMPLE_MEMORY);
        assert_int_equal(now.steps[step].sample, 1);
        expect_step(step++, SOFTGT_FRAGMENT_SAMPLE_MASK, false, NULL, NULL);
        assert_int_equal(now.steps[step].sample, 3);
        expect_step(step++, SOFTGT_FRAGMENT_COVERED, true, NULL, NULL);
        expect_step(step, SOFTGT_FRAGMENT_WRITTEN, true, "0.933333 0.933333 0.933333 0.431373", "1 1 1 1");
        assert_int_equal(now.steps[step].sample, 3);
        assert_int_equal(now.count, step + 1);
        end_watched(s);
    }
}

/* How a write is blended and masked, by the names of the field's values. */
static void blending(void **state)
{
    (void)state;
    enum {
        BLEND = INT32_MIN,
        ZERO = 17,
        SRC_ALPHA = 3,
        INV_SRC_ALPHA = 19,
        ONE = 1,
        SUBTRACT = 1,
        MAX = 4,
        NO_GREEN = 2
    };
    static const float color[4] = {0.25f, 0.5f, 0.75f, 0.25f};
    static const struct {
        uint32_t entry;
        const char *text;
    } entries[] = {
        {0, "none"},
        {NO_GREEN, "none, mask R-BA"},
        {(uint32_t)BLEND | (uint32_t)SRC_ALPHA << 26 | (uint32_t)INV_SRC_ALPHA << 21 | NO_GREEN,
         "SRC_ALPHA*s + INV_SRC_ALPHA*d, mask R-BA"},
        {(uint32_t)BLEND | ONE << 26 | ZERO << 21 | SUBTRACT << 18, "ONE*s - ZERO*d"},
        {(uint32_t)BLEND | ONE << 26 | ONE << 21 | MAX << 18, "MAX(s, d)"},
    };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < sizeof entries / sizeof entries[0]; n++) {
            struct streamer *const s = begin_watched(*name, 6, 8, 0);
            float corners[3][3];
            struct scene c = at_depth(corners, 0);
            uint32_t dw[MOST_DW];
            c.format = R8G8B8A8_UNORM;
            c.blending[0] = entries[n].entry;
            put_color(s, color);
            batch_run(s, dw, put_scene(s, &c, dw), true);
            pixel_watch_end(&now.watch);
            assert_in_range(now.count, 1, MOST_STEPS);
            assert_int_equal(now.steps[now.count - 1].step, SOFTGT_FRAGMENT_WRITTEN);
            assert_string_equal(now.steps[now.count - 1].blend, entries[n].text);
            end_watched(s);
        }
}

/* Messages name the surface of a target, by kernel; of others the first one is target 0. */
static void surfaces_of_targets(void **state)
{
    (void)state;
    static struct target_bindings targets;
    static const struct draw_surface surfaces[3] = {
        {.stage = DRAW_PS, .binding = 0}, {.stage = DRAW_PS, .binding = 1}, {.stage = DRAW_VS, .binding = 2}};
    const struct draw_record named = {.kernels[DRAW_PS] = {.known = true, .sum = 1}},
                             other = {.kernels[DRAW_PS] = {.known = true, .sum = 2}};
    const struct softgt_fragment at_1 = {.binding = 1}, at_2 = {.binding = 2};
    struct pixel_choice choice = {.attachment = 1};
    assert_null(find_attachment(&choice, &targets, &named, surfaces, 3));
    target_bindings_add(&targets, &named, &at_1);
    assert_ptr_equal(find_attachment(&choice, &targets, &named, surfaces, 3), &surfaces[1]);
    assert_null(find_attachment(&choice, &targets, &other, surfaces, 3));
    target_bindings_add(&targets, &other, &at_2);
    assert_null(find_attachment(&choice, &targets, &other, surfaces, 3));
    targets.count = 0;
    choice.attachment = 0;
    assert_ptr_equal(find_attachment(&choice, &targets, &named, surfaces, 3), &surfaces[0]);
}

TEST_PROGRAM(draws_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_and_depths),
        cmocka_unit_test(primitives_in_order),
        cmocka_unit_test(samples),
        cmocka_unit_test(blending),
        cmocka_unit_test(surfaces_of_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
