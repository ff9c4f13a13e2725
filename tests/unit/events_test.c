/* Events of a device: which ones a filter takes, and what those of draws and dispatches say. */
#include "../suite.h"
#include "../draws.h"

#include "host/event_filter.h"
#include "host/event_json.h"

#include <json-c/json.h>

/* ---- Filters ---- */

static bool takes(const char *list, enum softgt_trace_what what, const char *unit, const char *name)
{
    struct event_filter f = {0};
    char why[EVENT_FILTER_WHY];
    const struct softgt_event e = {.what = what, .unit = unit, .name = name};
    assert_true(event_filter_parse(&f, list, why));
    return event_filter_takes(&f, &e);
}

static void filters(void **state)
{
    (void)state;
    const enum softgt_trace_what C = SOFTGT_TRACE_COMMANDS, R = SOFTGT_TRACE_REGISTERS,
                                 D = SOFTGT_TRACE_DRAWS;
    assert_true(takes("commands", C, "rcs0", "MI_NOOP"));
    assert_false(takes("commands", R, "rcs0", "RING_BUFFER_TAIL"));
    assert_true(takes("commands:MI_*", C, "rcs0", "MI_NOOP"));
    assert_true(takes("commands:mi_n?op", C, "rcs0", "MI_NOOP"));
    assert_false(takes("commands:MI_*", C, "rcs0", "3DPRIMITIVE"));
    assert_false(takes("commands:!MI_NOOP", C, "rcs0", "MI_NOOP"));
    assert_true(takes("commands:!MI_NOOP", C, "rcs0", "3DPRIMITIVE"));
    assert_false(takes("commands:MI_*,commands:!MI_NOOP", C, "rcs0", "MI_NOOP"));
    assert_true(takes("commands:MI_*,commands:3D*", C, "rcs0", "3DPRIMITIVE"));
    assert_true(takes("commands:MI_*,commands", C, "rcs0", "3DPRIMITIVE"));
    assert_true(takes("commands:bcs0", C, "bcs0", "MI_NOOP"));
    assert_false(takes("commands:bcs0", C, "rcs0", "MI_NOOP"));
    assert_true(takes("registers:rcs0.RING_*,commands:MI_*", R, "rcs0", "RING_BUFFER_TAIL"));
    assert_false(takes("registers:rcs0.RING_*", R, "bcs0", "RING_BUFFER_TAIL"));
    assert_false(takes("registers:rcs0.RING_*,registers:!*TAIL", R, "rcs0", "RING_BUFFER_TAIL"));
    assert_true(takes("all:rcs0", D, "rcs0", "3DPRIMITIVE"));
    assert_false(takes("all:rcs0", D, "ccs0", "COMPUTE_WALKER"));
    assert_true(takes(",draws,", D, "rcs0", NULL));
    assert_false(takes("registers:!*,commands", R, "rcs0", "RING_BUFFER_TAIL"));
    assert_true(takes("commands:MI_*", C, "rcs0", "MI_NOOP"));
    assert_false(takes("commands:MI_*", C, "rcs0", NULL)); /* an unknown command */
}

static void wrong_filters(void **state)
{
    (void)state;
    static const struct {
        const char *list, *why;
    } wrong[] = {{"", "it names nothing"},
                 {",", "it names nothing"},
                 {"noise", "'noise' is none of commands, registers"},
                 {"commands:", "has no pattern of 1 to 63 characters"},
                 {"commands:!", "has no pattern of 1 to 63 characters"},
                 {"commands,:x", "'' is none of"}};
    char why[EVENT_FILTER_WHY], many[EVENT_PATTERNS * 16 + 32] = "", word[EVENT_PATTERN_BYTES + 16];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct event_filter f = {0};
        assert_false(event_filter_parse(&f, wrong[i].list, why));
        assert_non_null(strstr(why, wrong[i].why));
        assert_int_equal(f.mask, 0);
    }
    struct event_filter f = {0};
    for (unsigned i = 0; i <= EVENT_PATTERNS; i++)
        strcat(many, "commands:MI_,");
    assert_false(event_filter_parse(&f, many, why));
    assert_non_null(strstr(why, "more than 32 patterns"));
    assert_int_equal(f.count, 0);
    snprintf(word, sizeof word, "commands:%0*d", EVENT_PATTERN_BYTES, 0);
    assert_false(event_filter_parse(&f, word, why));
}

/* ---- Draws ---- */

static struct {
    struct softgt_event event;
    struct softgt_draw draw;
    unsigned count;
    char json[1024];
} seen;

static void on_draw(void *user, const struct softgt_event *e)
{
    (void)user;
    assert_int_equal(e->what, SOFTGT_TRACE_DRAWS);
    static const struct engine_position nowhere;
    const struct event_place place = {.engine = &nowhere};
    struct text t = {0};
    seen.event = *e;
    seen.draw = *e->draw;
    seen.count++;
    event_json_write(&t, &place, e);
    assert_true(t.length < sizeof seen.json);
    memcpy(seen.json, t.bytes, t.length);
    seen.json[t.length] = 0;
    text_free(&t);
}

static struct streamer *begin_traced(const char *device)
{
    struct streamer *const s = begin(device);
    s->device->log.trace = (struct softgt_trace_port){NULL, SOFTGT_TRACE_DRAWS, on_draw};
    memset(&seen, 0, sizeof seen);
    return s;
}

static const char *said(const char *key)
{
    static char text[128];
    struct json_object *const o = json_tokener_parse(seen.json), *value = NULL;
    assert_non_null(o);
    snprintf(text, sizeof text, "%s",
             json_object_object_get_ex(o, key, &value) ? json_object_get_string(value) : "none");
    json_object_put(o);
    return text;
}

static void draws(void **state)
{
    (void)state;
    static const float color[4] = {1, 1, 1, 1};
    static const float two[6][3] = {{1, 1, 0}, {9, 1, 0}, {1, 9, 0}, {1, 1, 0}, {9, 1, 0}, {1, 9, 0}};
    const struct scene c = {
        .topology = TRILIST, .vertices = 6, .instances = 1, .at = two, .format = R8G8B8A8_UNORM};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin_traced(*name);
        uint32_t dw[MOST_DW];
        put_color(s, color);
        batch_run(s, dw, put_scene(s, &c, dw), true);
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.event.unit, "rcs0");
        assert_string_equal(seen.event.name, "3DPRIMITIVE");
        assert_string_equal(seen.draw.topology, "TRILIST");
        assert_null(seen.event.text);
        assert_int_equal(seen.draw.vertices, 6);
        assert_int_equal(seen.draw.instances, 1);
        assert_int_equal(seen.draw.primitives, 2);
        assert_int_equal(seen.draw.surface, TARGET);
        assert_int_equal(seen.draw.width_px, WIDTH);
        assert_int_equal(seen.draw.height_px, HEIGHT);
        assert_true(seen.draw.pixels > 32 && seen.draw.threads > 0 &&
                    seen.draw.instructions > seen.draw.threads);
        assert_string_equal(said("event"), "draw");
        assert_string_equal(said("primitives"), "2");
        const struct softgt_draw once = seen.draw;
        /* So does the same draw once more. */
        batch_run(s, dw, put_scene(s, &c, dw), true);
        assert_int_equal(seen.count, 2);
        assert_memory_equal(&seen.draw, &once, sizeof once);
        streamer_destroy(s);
    }
}

/* A draw that draws nothing says why. */
static void draws_of_nothing(void **state)
{
    (void)state;
    static const float color[4] = {1, 1, 1, 1};
    static const float one[3][3] = {{1, 1, 0}, {9, 1, 0}, {1, 9, 0}};
    const struct scene c = {
        .topology = TRILIST, .vertices = 3, .instances = 0, .at = one, .format = R8G8B8A8_UNORM};
    struct streamer *const s = begin_traced("skl");
    uint32_t dw[MOST_DW];
    put_color(s, color);
    const uint32_t count = put_scene(s, &c, dw);
    COMMAND_PUT(s->device, primitive_of(s, dw, count), {"Instance Count", 0});
    batch_run(s, dw, count, true);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.draw.primitives, 0);
    streamer_destroy(s);
}

static void dispatches(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin_traced(*name);
        const struct walk w = {.groups = {3, 2, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 3};
        uint32_t dw[128];
        kernel_end(&k);
        put_kernel(s);
        batch_run(s, dw, put_walk(s, &w, dw), true);
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.event.name, has_compute_walker(s) ? "COMPUTE_WALKER" : "GPGPU_WALKER");
        assert_null(seen.draw.topology);
        assert_int_equal(seen.draw.groups[0] * 100 + seen.draw.groups[1] * 10 + seen.draw.groups[2], 321);
        assert_int_equal(seen.draw.threads, 24);
        assert_int_equal(seen.draw.instructions, 24);
        assert_true(seen.draw.kernel);
        assert_string_equal(said("groups"), "[ 3, 2, 1 ]");
        streamer_destroy(s);
    }
}

/* ---- Places ---- */

static void places(void **state)
{
    (void)state;
    struct engine_position engines[TRACKED_ENGINES] = {{0}};
    const struct softgt_event events[] = {
        {.what = SOFTGT_TRACE_CONTEXTS,
         .kind = SOFTGT_EVENT_RESTORE,
         .unit = "rcs0",
         .address = 0x5000,
         .value = 7},
        {.what = SOFTGT_TRACE_BATCHES, .kind = SOFTGT_EVENT_BATCH, .unit = "rcs0", .address = 0x10000},
        {.what = SOFTGT_TRACE_BATCHES, .kind = SOFTGT_EVENT_BATCH, .unit = "rcs0", .address = 0x20000},
        {.what = SOFTGT_TRACE_BATCHES, .kind = SOFTGT_EVENT_BATCH_END, .unit = "rcs0"},
        {.what = SOFTGT_TRACE_COMMANDS, .kind = SOFTGT_EVENT_COMMAND, .unit = "bcs0"}};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        engine_positions_event(engines, &events[i]);
    const struct engine_position *const rcs = engine_positions_find(engines, "rcs0");
    assert_int_equal(rcs->lrca, 0x5000);
    assert_int_equal(engine_position_batch(rcs), 1);
    assert_int_equal(engine_position_address(rcs), 0x10000);
    assert_int_equal(engine_position_batch(engine_positions_find(engines, "bcs0")), 0);
}

TEST_PROGRAM(events_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters),          cmocka_unit_test(wrong_filters), cmocka_unit_test(draws),
        cmocka_unit_test(draws_of_nothing), cmocka_unit_test(dispatches),    cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
