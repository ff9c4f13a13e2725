/* Fast clears: what they leave in memory and in the color control surface, which color a block has when it is
 * written, resolved or read, and which blocks of levels and elements are meant; the same however the run is
 * cut, saved and loaded. */
#include "../suite.h"
#include "draws.h"
#include "saved.h"

#include "draws/surfaces.h"
#include "memory/tiling.h"

enum {
    CCS = 1872 * KB,
    AUX_TABLES = 1792 * KB,
    COLOR = 1664 * KB,
    LOCAL_AT = 16 << 20, /* where in its local memory a part has the target */
    STATE = SURFACES + STATES_AT,
    CONTROL_BYTES = 4 * KB,
    TARGET_BYTES = 256 * KB
};
static const uint32_t RED = RGBA(255, 0, 0, 255), CYAN = RGBA(0, 255, 255, 0), BLUE = RGBA(0, 0, 255, 0);
enum { RESOLVE = 1, AMBIGUATE = 2 };
static const float rectangle[3][3] = {{6, 7, 0}, {3, 7, 0}, {3, 5, 0}};
static const float blue[4] = {0, 0, 1, 0};

/* How a device has the state of blocks. */
enum kind { IN_BITS, IN_PAIRS, BY_TABLE, FLAT_STATE };
struct bench {
    struct streamer *s;
    enum kind kind;
    bool cuts; /* the run, at each instruction; with saves */
};

static enum kind kind_of(const struct streamer *s)
{
    return has_compute_walker(s)                                 ? FLAT_STATE
           : k.set == &eu_gen8                                   ? IN_BITS
           : s->device->engines[0].info->aux_table_base_register ? BY_TABLE
                                                                 : IN_PAIRS;
}

/* Entries of three levels lead from 64 KB around the target to the state. (TGL PRM vol 5; Mesa's aux map) */
static void put_tables(struct streamer *s)
{
    enum { SECOND = AUX_TABLES + 32 * KB, FIRST = AUX_TABLES + 64 * KB };
    dword_put(s, AUX_TABLES, SECOND | 1);
    dword_put(s, SECOND, FIRST | 1);
    dword_put(s, FIRST + (TARGET >> 16) * 8, CCS | 1);
    register_put(s, register_offset(s->device, "GFX_AUX_TABLE_BASE_ADDR"), AUX_TABLES);
}

static void begin_clears(struct bench *c, const char *device, bool cuts)
{
    *c = (struct bench){.s = begin(device), .cuts = cuts};
    c->kind = kind_of(c->s);
    if (c->kind == BY_TABLE)
        put_tables(c->s);
    if (c->kind == FLAT_STATE)
        assert_true(
            driver_map(&c->s->driver, &c->s->ppgtt, 2 * PAGE_2M, MEMORY_LOCAL | LOCAL_AT, PAGE_2M, PAGE_2M));
}

static void put_clear_color(struct bench *c, bool red)
{
    const uint32_t one = float_bits(1);
    if (c->kind == IN_BITS)
        STRUCTURE_CHANGE(c->s->device, "RENDER_SURFACE_STATE", dwords_at(c->s, STATE),
                         {"Red Clear Color", red}, {"Green Clear Color", !red}, {"Blue Clear Color", !red},
                         {"Alpha Clear Color", red});
    for (uint32_t i = 0; i < 4 && c->kind != IN_BITS; i++)
        dword_put(c->s, (k.set == &eu_gen9 ? STATE + 48 : COLOR) + i * 4,
                  (i == 0 || i == 3) == red ? one : 0);
}

/* A target of one byte, two or four a component; `aux_qpitch`: rows of the control surface. */
static void put_state(struct bench *c, uint32_t level, uint32_t aux_qpitch)
{
    struct streamer *const s = c->s;
    uint32_t *const state = dwords_at(s, STATE);
    STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", state, {"MIP Count / LOD", level},
                     {"Auxiliary Surface Mode", .value_name = c->kind == IN_BITS ? "AUX_MCS" : "AUX_CCS_E"},
                     {"Auxiliary Surface QPitch", aux_qpitch / 4});
    if (c->kind == FLAT_STATE)
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", state, {"Surface Base Address", 2 * PAGE_2M});
    if (c->kind < BY_TABLE)
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", state, {"Auxiliary Surface Base Address", CCS});
    if (k.set != &eu_gen8 && k.set != &eu_gen9) {
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", state, {"Clear Value Address Enable", 1});
        dword_put(s, STATE + 48, COLOR);
    }
}

static void run_cut(struct streamer *s)
{
    unsigned i = 0;
    do {
        softgt_run(s->device, 1);
        if (i % 7 == 0)
            reload(s->device);
        assert_in_range(i++, 0, 100000);
    } while (streamer_status(s).state != SOFTGT_ENGINE_IDLE);
}

static void draw(struct bench *c, const struct scene *scene, uint32_t level, uint32_t aux_qpitch, bool red)
{
    uint32_t dw[MOST_DW], before[CONTROL_BYTES / 4];
    k.count = 0;
    put_color(c->s, blue);
    uint8_t *const target = malloc(TARGET_BYTES);
    memcpy(target, c->s->memory + TARGET, TARGET_BYTES); /* put_scene() makes it anew */
    memcpy(before, c->s->memory + CCS, sizeof before);
    const uint32_t count = put_scene(c->s, scene, dw);
    memcpy(c->s->memory + TARGET, target, TARGET_BYTES);
    free(target);
    put_state(c, level, aux_qpitch);
    put_clear_color(c, red);
    if (c->cuts) {
        batch_put(c->s, dw, count, true);
        run_cut(c->s);
    } else {
        batch_run(c->s, dw, count, true);
    }
    assert_int_equal(streamer_status(c->s).state, SOFTGT_ENGINE_IDLE);
}

static uint32_t pixel_at(struct bench *c, uint32_t x, uint32_t y)
{
    const struct tile_layout *const layout =
        tile_layout(c->kind == FLAT_STATE ? SOFTGT_TILE_4 : SOFTGT_TILE_Y, 4);
    const uint32_t at = (uint32_t)tile_offset(layout, false, PITCH, (int32_t)x * 4, (int32_t)y);
    uint32_t pixel;
    if (c->kind != FLAT_STATE)
        return dword_at(c->s, TARGET + at);
    assert_true(softgt_local_read(c->s->device, LOCAL_AT + at, &pixel, sizeof pixel));
    return pixel;
}

static void fill_target(struct bench *c)
{
    static const uint32_t stale = STALE;
    for (uint32_t i = 0; i < TARGET_BYTES; i += 4) {
        dword_put(c->s, TARGET + i, STALE);
        if (c->kind == FLAT_STATE)
            assert_true(softgt_local_write(c->s->device, LOCAL_AT + i, &stale, sizeof stale));
    }
}

/* A byte of the state: that of a control surface, or of the target's first pages. */
static uint8_t state_at(struct bench *c, uint32_t at)
{
    uint8_t byte;
    if (c->kind != FLAT_STATE)
        return c->s->memory[CCS + at];
    assert_true(bus_read(&c->s->device->memory,
                         MEMORY_LOCAL | (local_layout(&c->s->device->memory).flat_ccs + LOCAL_AT / 256 + at),
                         &byte, 1));
    return byte;
}

static bool any_state(struct bench *c)
{
    for (uint32_t at = 0; at < (c->kind == FLAT_STATE ? 1024u : (uint32_t)CONTROL_BYTES); at++)
        if (state_at(c, at))
            return true;
    return false;
}

static const struct scene clear = {.topology = RECTLIST,
                                   .vertices = 3,
                                   .at = rectangle,
                                   .format = R8G8B8A8_UNORM,
                                   .tiled = true,
                                   .clears = true};

/* Pixels of the block of the rectangle. */
static bool is_near(const struct bench *c, uint32_t x, uint32_t y)
{
    return x < (c->kind == FLAT_STATE ? 16 : 8) && y >= 4 && y < 8;
}

static bool is_drawn(uint32_t x, uint32_t y)
{
    return x >= 3 && x < 6 && y >= 5 && y < 7;
}

/* Whether the byte is of the first blocks of a surface of 64 by 32. (Mesa, isl: ccs.rst; by address our own)
 */
static bool is_of_clear(const struct bench *c, uint32_t at)
{
    if (c->kind == IN_BITS)
        return at < 4 || (at >= 16 && at < 20);
    if (c->kind == IN_PAIRS)
        return at < 32 && at % 8 < 4;
    return at < 32;
}

static void a_clear(struct bench *c)
{
    fill_target(c);
    draw(c, &clear, 0, 0, true);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < PITCH / 4; x++)
            assert_int_equal(pixel_at(c, x, y), STALE);
    for (uint32_t at = 0; at < 256; at++)
        assert_int_equal(state_at(c, at), !is_of_clear(c, at) ? 0 : c->kind < BY_TABLE ? 0xff : 0x44);
    if (k.set != &eu_gen8 && k.set != &eu_gen9) /* converted, too */
        assert_int_equal(dword_at(c->s, COLOR + 16), RED);
}

/* A color that changes is that of all blocks: of one when it is drawn to, of the others when they are
 * resolved. */
static void colors_that_change(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned cuts = 0; cuts < 2; cuts++) {
            struct bench c;
            struct scene scene = clear;
            begin_clears(&c, *name, cuts);
            a_clear(&c);
            scene.clears = false;
            draw(&c, &scene, 0, 0, false);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < PITCH / 4; x++)
                    assert_int_equal(pixel_at(&c, x, y), is_drawn(x, y)      ? BLUE
                                                         : is_near(&c, x, y) ? CYAN
                                                                             : STALE);
            scene.resolves = RESOLVE;
            draw(&c, &scene, 0, 0, true);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < PITCH / 4; x++)
                    assert_int_equal(pixel_at(&c, x, y), is_drawn(x, y)      ? BLUE
                                                         : is_near(&c, x, y) ? CYAN
                                                         : x < WIDTH         ? RED
                                                                             : STALE);
            assert_false(any_state(&c));
            draw(&c, &scene, 0, 0, false); /* nothing is left to it */
            assert_int_equal(pixel_at(&c, 40, 20), RED);
            streamer_destroy(c.s);
        }
}

/* A picture has the clear color where memory does not have it yet; it changes nothing. */
static void expect_picture(struct bench *c, bool drawn)
{
    struct image i;
    uint32_t dw[SURFACE_STATE_DW] = {0};
    const uint64_t loaded = c->s->device->engines[0].mmu.walks;
    memcpy(dw, dwords_at(c->s, STATE), sizeof dw);
    assert_true(surface_image(c->s->device, 0, dw, true, &i));
    uint32_t *const rgba = (uint32_t *)(void *)surface_picture(c->s->device, 0, &i, 0, 0);
    assert_non_null(rgba);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(rgba[y * WIDTH + x], drawn && is_drawn(x, y) ? BLUE : RED);
    assert_int_equal(c->s->device->engines[0].mmu.walks, loaded);
    free(rgba);
}

static void pictures(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct bench c;
        struct scene scene = clear;
        begin_clears(&c, *name, false);
        a_clear(&c);
        expect_picture(&c, false);
        scene.clears = false;
        draw(&c, &scene, 0, 0, true);
        assert_int_equal(pixel_at(&c, 40, 20), STALE);
        expect_picture(&c, true);
        streamer_destroy(c.s);
    }
}

static void count_event(void *user, const struct softgt_event *event)
{
    *(unsigned *)user += event->what == SOFTGT_TRACE_MEMORY;
}

/* A resolve whose stores are traced goes block by block. Without, it leaves the same bytes and counts. */
static void resolves_at_once(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        uint8_t *const left[] = {malloc(TARGET_BYTES), malloc(TARGET_BYTES)};
        struct memory_counters counts[2];
        for (unsigned traced = 0; traced < 2; traced++) {
            struct bench c;
            struct scene scene = clear;
            unsigned events = 0;
            begin_clears(&c, *name, false);
            a_clear(&c);
            scene.clears = false;
            draw(&c, &scene, 0, 0, false);
            scene.resolves = RESOLVE;
            counts[traced] = c.s->device->engines[0].totals.memory;
            c.s->device->log.trace.user = &events;
            c.s->device->log.trace.event = count_event;
            c.s->device->log.trace.mask = traced ? SOFTGT_TRACE_MEMORY : 0;
            draw(&c, &scene, 0, 0, true);
            c.s->device->log.trace.mask = 0;
            assert_int_equal(events != 0, traced);
            assert_false(any_state(&c));
            counts[traced].stores = c.s->device->engines[0].totals.memory.stores - counts[traced].stores;
            counts[traced].bytes_stored =
                c.s->device->engines[0].totals.memory.bytes_stored - counts[traced].bytes_stored;
            memcpy(left[traced], c.s->memory + TARGET, TARGET_BYTES);
            streamer_destroy(c.s);
        }
        assert_memory_equal(left[0], left[1], TARGET_BYTES);
        assert_int_equal(counts[0].stores, counts[1].stores);
        assert_int_equal(counts[0].bytes_stored, counts[1].bytes_stored);
        free(left[0]), free(left[1]);
    }
}

/* What is to be blended, or to stay in part, is the color. */
static void read_by_targets(void **state)
{
    (void)state;
    static const uint32_t ADD = 1u << 31 | 1u << 26 | 1u << 21 | 1u << 13 | 1u << 8, NO_BLUE = 1;
    for (EACH_DEVICE(name)) {
        struct bench c;
        struct scene scene = clear;
        begin_clears(&c, *name, false);
        a_clear(&c);
        scene.clears = false;
        scene.blending[0] = ADD;
        draw(&c, &scene, 0, 0, true);
        assert_int_equal(pixel_at(&c, 4, 6), RED | BLUE);
        assert_int_equal(pixel_at(&c, 1, 6), RED);
        a_clear(&c);
        scene.blending[0] = NO_BLUE;
        draw(&c, &scene, 0, 0, false);
        assert_int_equal(pixel_at(&c, 4, 6), CYAN & BLUE);
        assert_int_equal(pixel_at(&c, 1, 6), CYAN);
        streamer_destroy(c.s);
    }
}

/* A stencil's state, which drivers do not initialise, says nothing: it is read and written as it lies in
 * memory. */
static void stencils(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct bench c;
        struct scene scene = clear;
        uint32_t dw[MOST_DW];
        begin_clears(&c, *name, false);
        if (c.kind >= BY_TABLE) {
            a_clear(&c);
            scene.clears = false;
            k.count = 0;
            put_color(c.s, blue);
            const uint32_t count = put_scene(c.s, &scene, dw);
            fill_target(&c);
            put_state(&c, 0, 0);
            STRUCTURE_CHANGE(c.s->device, "RENDER_SURFACE_STATE", dwords_at(c.s, STATE),
                             {"Depth Stencil Resource", 1});
            batch_run(c.s, dw, count, true);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    assert_int_equal(pixel_at(&c, x, y), is_drawn(x, y) ? BLUE : STALE);
            assert_true(any_state(&c));
        }
        streamer_destroy(c.s);
    }
}

/* The state alone is set; from Gen11 on. */
static void ambiguates(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct bench c;
        struct scene scene = clear;
        begin_clears(&c, *name, false);
        a_clear(&c);
        scene.resolves = AMBIGUATE;
        if (k.set != &eu_gen8 && k.set != &eu_gen9) {
            draw(&c, &scene, 0, 0, false);
            assert_false(any_state(&c));
            assert_int_equal(pixel_at(&c, 4, 6), STALE);
        }
        streamer_destroy(c.s);
    }
}

/* Elements are so many rows of the surface itself apart as the state says, levels are aligned to 128 by 64
 * pixels, up to Gen8 to 256 by 128. (BDW and SKL PRM vol 7, MCS Buffer for Render Target(s)) */
static void elements_and_levels(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct bench c;
        struct scene scene = clear;
        begin_clears(&c, *name, false);
        fill_target(&c);
        scene.elements = 2;
        scene.instances = 2;
        draw(&c, &scene, 0, 128, true);
        for (uint32_t at = 0; at < 256 && c.kind < BY_TABLE; at++) {
            const uint32_t second = c.kind == IN_BITS ? 64 : 128; /* of row 128 */
            assert_int_equal(state_at(&c, at),
                             is_of_clear(&c, at) || (at >= second && is_of_clear(&c, at - second)) ? 0xff
                                                                                                   : 0);
        }
        scene.clears = false;
        scene.resolves = RESOLVE;
        scene.instances = 1;
        draw(&c, &scene, 0, 128, true);
        assert_int_equal(pixel_at(&c, 4, 6), RED);
        assert_int_equal(pixel_at(&c, 4, HEIGHT + 6), STALE);
        scene.instances = 2;
        draw(&c, &scene, 0, 128, false);
        assert_int_equal(pixel_at(&c, 4, 6), RED);
        assert_int_equal(pixel_at(&c, WIDTH - 1, 2 * HEIGHT - 1), CYAN);
        assert_int_equal(pixel_at(&c, WIDTH, HEIGHT), STALE);
        assert_false(any_state(&c));
        fill_target(&c);
        scene = clear;
        draw(&c, &scene, 1, 0, true);
        for (uint32_t at = 0; at < 256 && c.kind < BY_TABLE; at++)
            assert_int_equal(state_at(&c, at),
                             at == 64 || at == 65 || (c.kind == IN_PAIRS && (at == 72 || at == 73)) ? 0xff
                                                                                                    : 0);
        scene.clears = false;
        scene.resolves = RESOLVE;
        draw(&c, &scene, 1, 0, false);
        assert_int_equal(pixel_at(&c, 0, HEIGHT - 1), STALE);
        assert_int_equal(pixel_at(&c, 0, HEIGHT), CYAN);
        assert_int_equal(pixel_at(&c, WIDTH / 2 - 1, HEIGHT + HEIGHT / 2 - 1), CYAN);
        assert_int_equal(pixel_at(&c, WIDTH / 2, HEIGHT), STALE);
        assert_int_equal(pixel_at(&c, 0, HEIGHT + HEIGHT / 2), STALE);
        streamer_destroy(c.s);
    }
}

/* What has no state of its blocks: without the mode, not tiled, or where no table leads to it. It is told. */
static void told(void *user, const struct softgt_report *report)
{
    *(unsigned *)user += strstr(report->text, "fast clears a surface without a CCS") != NULL;
}

static void without_state(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct bench c;
            struct scene scene = clear;
            uint32_t dw[MOST_DW];
            unsigned count = 0;
            begin_clears(&c, *name, false);
            fill_target(&c);
            c.s->reported = told;
            c.s->user = &count;
            scene.tiled = way != 1;
            k.count = 0;
            put_color(c.s, blue);
            const uint32_t length = put_scene(c.s, &scene, dw);
            put_state(&c, 0, 0);
            put_clear_color(&c, true);
            if (way == 0)
                STRUCTURE_CHANGE(c.s->device, "RENDER_SURFACE_STATE", dwords_at(c.s, STATE),
                                 {"Auxiliary Surface Mode", .value_name = "AUX_NONE"});
            if (way == 2 && c.kind == FLAT_STATE)
                dword_put(c.s, STATE + 32, TARGET); /* which is on the bus */
            if (way == 2 && c.kind == BY_TABLE)
                register_put(c.s, register_offset(c.s->device, "GFX_AUX_TABLE_BASE_ADDR"), 0);
            batch_run(c.s, dw, length, true);
            if (way < 2 || c.kind >= BY_TABLE)
                assert_int_equal(count, 1);
            if (way == 2 && c.kind >= BY_TABLE)
                assert_int_equal(dword_at(c.s, TARGET), RED);
            if (way == 0)
                assert_int_equal(pixel_at(&c, 40, 20), RED);
            streamer_destroy(c.s);
        }
}

TEST_PROGRAM(fast_clear_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors_that_change), cmocka_unit_test(pictures),
        cmocka_unit_test(resolves_at_once),   cmocka_unit_test(read_by_targets),
        cmocka_unit_test(ambiguates),         cmocka_unit_test(elements_and_levels),
        cmocka_unit_test(without_state),      cmocka_unit_test(stencils),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
