/* Draws from the ring to memory, on every generation that runs threads: which pixels are covered, where
 * threads find them, attributes, targets, blending, counts; the same however the run is cut, saved and
 * loaded; what is not modelled is told and leaves memory alone. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../draws.h"

#include <softgt/eu.h>

#include "../saved.h"
#include "memory/tiling.h"

#include <float.h>
#include <math.h>

static const float rectangle[3][3] = {{37, 21, 0}, {3, 21, 0}, {3, 5, 0}};

static bool is_inside(uint32_t x, uint32_t y)
{
    return x >= 3 && x < 37 && y >= 5 && y < 21;
}

static void expect_places(const struct streamer *s, uint32_t element)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const uint32_t at = TARGET + (element * HEIGHT + y) * PITCH + x * 16;
            const bool in = is_inside(x, y);
            assert_int_equal(dword_at(s, at), in ? x : STALE);
            assert_int_equal(dword_at(s, at + 4), in ? y : STALE);
            assert_int_equal(dword_at(s, at + 8), in ? 100 : STALE);
            assert_int_equal(dword_at(s, at + 12), in ? 103 : STALE);
        }
}

static const struct scene places = {.topology = RECTLIST,
                                    .vertices = 3,
                                    .at = rectangle,
                                    .format = R32G32B32A32_UINT,
                                    .attributes = 1,
                                    .constant = 1,
                                    .statistics = true};

static void rectangles(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        draw_places(s, &places);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        expect_places(s, 0);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 34 * 16 * counts_a_pixel());
        assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), 34 * 16);
        assert_int_equal(counter_at(s, "GPGPU_THREADS_DISPATCHED"), 0); /* no compute thread */
        streamer_destroy(s);
    }
}

/* Null Render Target in the extended descriptor: from Gen11 on. On Gen9 the bit has no meaning. */
static void extended_descriptors(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const bool has_bit = k.set != &eu_gen8, is_null = has_bit && k.set != &eu_gen9;
        uint32_t dw[MOST_DW];
        for (unsigned i = 0; i < 4; i++)
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), imm(7 + i, TYPE_UD));
        put_write();
        k.i[k.count - 1].value[EU_EXTENDED] |= has_bit ? 1u << 20 : 0;
        put_kernel(s);
        batch_run(s, dw, put_scene(s, &places, dw), true);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(dword_at(s, TARGET + 5 * PITCH + 3 * 16 + i * 4), is_null ? STALE : 7 + i);
        streamer_destroy(s);
    }
}

/* A shader all of whose pixels are discarded has no target, yet ends with a write that has Null Render
 * Target: its binding table entry is another surface's, here a RAW one. (Mesa, brw: target 0, null_rt) */
static void null_target_of_any_surface(void **state)
{
    (void)state;
    enum { RAW = 0x1ff };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[MOST_DW];
        if (k.set != &eu_gen8 && k.set != &eu_gen9) {
            put_write();
            k.i[k.count - 1].value[EU_EXTENDED] |= 1u << 20;
            put_kernel(s);
            const uint32_t count = put_scene(s, &places, dw);
            STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                          {"Surface Type", .value_name = "SURFTYPE_BUFFER"}, {"Surface Format", RAW},
                          {"Width", PITCH - 1}, {"Surface Base Address", TARGET});
            batch_run(s, dw, count, true);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 34 * 16 * counts_a_pixel());
            assert_int_equal(dword_at(s, TARGET + 5 * PITCH + 3 * 16), STALE);
        }
        streamer_destroy(s);
    }
}

static void observed(void **state)
{
    (void)state;
    enum {
        FOURS = 18 * 9,
        THREADS = (FOURS + 3) / 4,
        SENDS_OF_PIXELS = 2u | 5u << 4,
        OF_VERTICES = 2u | 1u << 4
    };
    const uint32_t over = 1u << 31 | 3u << 26 | 19u << 21, xor = 1u << 31 | 6u << 27;
    const float color[4] = {1, 1, 0, 0.6f};
    static const struct {
        uint32_t blending[2];
        bool twice, integers;
        uint32_t written, blended;
    } cases[] = {
        {{0, 0}, false, true, FOURS, 0},
        {{over, 0}, false, false, FOURS, FOURS},
        {{over | 15u, 0}, false, false, 0, 0},          /* no component */
        {{over, xor}, false, false, FOURS, 0},          /* logic operations are none */
        {{over, 0}, false, true, FOURS, 0},             /* nor are integers blended */
        {{over, 0}, true, false, 2 * FOURS, 2 * FOURS}, /* each write */
    };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct streamer *const s = begin(*name);
            const struct scene c = {.topology = RECTLIST,
                                    .vertices = 3,
                                    .at = rectangle,
                                    .format = cases[i].integers ? R32G32B32A32_UINT : R8G8B8A8_UNORM,
                                    .blending = {cases[i].blending[0], cases[i].blending[1]}};
            uint32_t dw[MOST_DW];
            counters_start(s);
            register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL0"),
                         SENDS_OF_PIXELS | OF_VERTICES << 12);
            if (cases[i].twice)
                send_write(all, SIMD16_WRITE & ~LAST_RENDER_TARGET, false);
            put_color(s, color);
            batch_run(s, dw, put_scene(s, &c, dw), true);
            expect_seen(s, (const uint32_t[7]){FOURS, 0, 0, 0, 0, cases[i].written, cases[i].blended});
            for (unsigned a = 1; a < 7; a++)
                assert_int_equal(a_counter(s, a), a == 6 ? THREADS : 0);
            assert_int_equal(register_get(s, counters_of(s).free + 8), THREADS);
            assert_int_equal(a_counter(s, 7), THREADS * 8 * (cases[i].twice ? 2 : 1));
            assert_int_equal(a_counter(s, 8), 0);
            streamer_destroy(s);
        }
}

/* Of fours that its shader takes pixels of: those that keep one are written, and count whole; others are
 * killed. Here pixels left of 9 are kept. Those that passed are the ones that are kept, unless state has them
 * tested before the shader. */
static void observed_kills(void **state)
{
    (void)state;
    enum { FOURS = 18 * 9, KEPT = 4 * 9, LESS = 5 };
    const struct how compares = {.channels = 16, .condition = LESS}, kept = {.channels = 16, .predicate = 1};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned kills = 0; kills < 3; kills++) {
            struct streamer *const s = begin(*name);
            struct scene c = places;
            uint32_t dw[MOST_DW];
            c.attributes = 0;
            c.kills = kills;
            if (kills == 2)
                c.early_tests = 2; /* EDSC_PREPS */
            struct op fours = region(1, TYPE_UW, 2, 4, 0);
            fours.subregister = 8;
            KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UW), fours, imm(pixel_offsets(0), TYPE_V));
            KERNEL_2(&k, EU_CMP, compares, none(TYPE_UW), reg(20, TYPE_UW), imm(9, TYPE_UW));
            send_write(kept, SIMD16_WRITE, true);
            put_kernel(s);
            counters_start(s);
            batch_run(s, dw, put_scene(s, &c, dw), true);
            expect_seen(s, (const uint32_t[7]){FOURS, 0, 0, kills ? FOURS - KEPT : 0, 0, KEPT, 0});
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), kills == 1 ? 6 * 16 : 34 * 16);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 34 * 16 * counts_a_pixel());
            assert_int_not_equal(dword_at(s, TARGET + 6 * PITCH + 8 * 16), STALE);
            assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 9 * 16), STALE);
            streamer_destroy(s);
        }
}

/* A36 and A37 of a discrete part count what is of its own memory: here all that the draw reads and the pixels
 * that it writes, 16 bytes each, or the target alone, or nothing of it. */
static void observed_memory(void **state)
{
    (void)state;
    enum { PIXELS = 34 * 16, LINES = PIXELS * 16 / 64 };
    for (unsigned local = 0; local < 2; local++) {
        struct streamer *const s = begin("dg2");
        uint32_t dw[MOST_DW];
        put_places(s);
        const uint32_t count = put_scene(s, &places, dw);
        if (local) {
            assert_true(driver_map(&s->driver, &s->ppgtt, 0, MEMORY_LOCAL | PAGE_2M, PAGE_2M, PAGE_2M));
            memcpy(s->memory + BATCH, dw, count * sizeof *dw);
            dword_put(s, BATCH + count * 4, MI_BATCH_BUFFER_END);
            memcpy(s->device->memory.local + PAGE_2M, s->memory, PAGE_2M);
        }
        counters_start(s);
        batch_run(s, dw, count, true);
        softgt_advance(s->device, 100000);
        const uint32_t loaded = counter_at(s, "OAPERF_A36[0]"), stored = counter_at(s, "OAPERF_A36[1]");
        assert_int_equal(stored, local ? LINES / 4 : 0);
        if (local)
            assert_in_range(loaded, 12, 20); /* 68 bytes of surface state a thread, vertices, commands */
        else
            assert_int_equal(loaded, 0);
        streamer_destroy(s);
    }
}

/* Each instance goes to its element of the array. */
static void arrays(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = places;
        c.instances = 3;
        c.elements = 4;
        draw_places(s, &c);
        for (uint32_t element = 0; element < 3; element++)
            expect_places(s, element);
        assert_int_equal(dword_at(s, TARGET + (3 * HEIGHT + 6) * PITCH + 6 * 16), STALE);
        streamer_destroy(s);
    }
}

/* The first buffer of constants is from the dynamic state base, or where it says: by INSTPM on Gen8 and Gen9,
 * by CS_DEBUG_MODE2 from Gen9 on. The others are where they say. (OVR-04) */
static void constants(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 4; way++) {
            struct streamer *const s = begin(*name);
            const bool absolute = way % 2, early = k.set == &eu_gen8 || (k.set == &eu_gen9 && way < 2);
            const uint32_t bit = early ? 1u << 6 : 1u << 4;
            enum { FIRST_CONSTANT = 1111, SECOND_CONSTANT = 2222 };
            struct scene c = places;
            uint32_t dw[MOST_DW];
            c.attributes = 0;
            c.constants = absolute ? DYNAMIC + PUSHED : PUSHED;
            for (unsigned i = 0; i < 4; i++)
                KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), one(4 + i % 2, 4, TYPE_UD));
            put_write();
            put_kernel(s);
            const uint32_t count = put_scene(s, &c, dw);
            dword_put(s, DYNAMIC + PUSHED + 4, FIRST_CONSTANT);
            dword_put(s, DYNAMIC + PUSHED + 32 + 4, SECOND_CONSTANT);
            masked_put(s, early ? "INSTPM" : "CS_DEBUG_MODE2", bit, absolute ? bit : 0);
            batch_run(s, dw, count, true);
            for (unsigned i = 0; i < 4; i++)
                assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 16 + 4 * i),
                                 i % 2 ? SECOND_CONSTANT : FIRST_CONSTANT);
            streamer_destroy(s);
        }
}

/* A generated vertex's identity counts from 0, wherever the draw starts; an index is it without the base
 * vertex.
 */
static void identities(void **state)
{
    (void)state;
    enum { INDICES = FLAT + 256 };
    static const float at[6][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {37, 21, 0}, {3, 21, 0}, {3, 5, 0}};
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t indexed = 0; indexed < 2; indexed++) {
            struct streamer *const s = begin(*name);
            struct scene c = places;
            uint32_t dw[MOST_DW];
            c.vertices = 6;
            c.at = at;
            put_places(s);
            uint32_t count = put_scene(s, &c, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_VF_SGVS"),
                        {"VertexID Enable", 1}, {"VertexID Element Offset", 2}); /* the attribute */
            COMMAND_PUT(s->device, primitive_of(s, dw, count), {"Vertex Count Per Instance", 3});
            if (indexed) { /* 1, 2, 3 from a base of 2 */
                insert_before_primitive(s, dw, &count,
                                        "3DSTATE_INDEX_BUFFER index_format = dword,"
                                        " buffer_starting_address = %u, buffer_size = 12",
                                        INDICES);
                for (uint32_t i = 0; i < 3; i++)
                    dword_put(s, INDICES + i * 4, i + 1);
                COMMAND_PUT(s->device, primitive_of(s, dw, count),
                            {"Vertex Access Type", .value_name = "RANDOM"}, {"Base Vertex Location", 2});
            } else {
                COMMAND_PUT(s->device, primitive_of(s, dw, count), {"Start Vertex Location", 3});
            }
            batch_run(s, dw, count, true);
            assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 16), 6);
            assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 16 + 8), indexed ? 1 : 0);
            streamer_destroy(s);
        }
}

/* ---- EXECUTE_INDIRECT_DRAW ---- */

/* Arguments are Vulkan's structures, one after the other or with a distance of their own; the third draws
 * nothing. (Mesa, anv: cmd_buffer_emit_execute_indirect_draws, STATE_BYTE_STRIDE) */
enum { ARGUMENTS = 1792 * KB, DRAW_COUNT = 1796 * KB, IDENTITY = 1800 * KB, RECTANGLES = 3, FIRST = 1 };
enum { RECTANGLE_WIDTH = 10, RECTANGLE_STEP = 16, INDIRECT_DRAWS = 4 };

struct indirect_way {
    uint32_t most, there;
    bool is_counted, is_indexed;
    uint32_t stride_bytes; /* 0: that of the structure */
    unsigned drawn;        /* rectangles, by bit */
};

static uint32_t put_indirect_draw(struct streamer *s, const struct indirect_way *w, uint32_t *dw)
{
    static const uint32_t rectangle_of[INDIRECT_DRAWS] = {2, 0, 1, 0},
                          vertices_of[INDIRECT_DRAWS] = {3, 3, 0, 3};
    float at[RECTANGLES * 3][3] = {{0}};
    struct scene c = places;
    c.vertices = FIRST + RECTANGLES * 3;
    c.at = NULL;
    for (unsigned i = 0; i < RECTANGLES * 3; i++) {
        at[i][0] = (float)(i / 3 * RECTANGLE_STEP + (i % 3 == 0 ? RECTANGLE_WIDTH : 0));
        at[i][1] = i % 3 == 2 ? 5 : 21;
    }
    memcpy(s->memory + VERTICES + FIRST * sizeof at[0], at, sizeof at);
    put_places(s);
    const uint32_t count = put_scene(s, &c, dw);
    uint32_t *to = primitive_of(s, dw, count);
    for (uint32_t i = 0; i < RECTANGLES * 3; i++)
        dword_put(s, IDENTITY + i * 4, i);
    for (uint32_t i = 0; i < INDIRECT_DRAWS; i++) {
        const uint32_t first = rectangle_of[i] * 3, indexed[5] = {vertices_of[i], 1, first, FIRST, 0},
                       plain[4] = {vertices_of[i], 1, FIRST + first, 0}, bytes = w->is_indexed ? 20 : 16;
        memcpy(s->memory + ARGUMENTS + i * (w->stride_bytes ? w->stride_bytes : bytes),
               w->is_indexed ? indexed : plain, bytes);
    }
    dword_put(s, DRAW_COUNT, w->there);
    commands_put(s->device, 0, &to,
                 "3DSTATE_INDEX_BUFFER index_format = dword, buffer_starting_address = %u, buffer_size = 36",
                 IDENTITY);
    if (w->stride_bytes)
        commands_put(s->device, 0, &to, "STATE_BYTE_STRIDE byte_stride_enable, byte_stride = %u",
                     w->stride_bytes);
    commands_put(
        s->device, 0, &to,
        "EXECUTE_INDIRECT_DRAW argument_format = %u, max_count = %u, count_buffer_indirect_enable = %u,"
        " count_buffer_address = %u, argument_buffer_start_address = %u",
        w->is_indexed, w->most, w->is_counted, DRAW_COUNT, ARGUMENTS);
    return (uint32_t)(to - dw);
}

static void expect_rectangles(struct streamer *s, unsigned drawn)
{
    for (uint32_t x = 0; x < RECTANGLES * RECTANGLE_STEP; x++)
        assert_int_equal(dword_at(s, TARGET + 10 * PITCH + x * 16),
                         drawn >> x / RECTANGLE_STEP & 1u && x % RECTANGLE_STEP < RECTANGLE_WIDTH ? x
                                                                                                  : STALE);
}

static const struct indirect_way indirect_ways[] = {
    {4, 0, false, false, 0, 5}, {4, 0, false, true, 0, 5},   {1, 0, false, false, 0, 4},
    {4, 1, true, true, 0, 4},   {2, 9, true, false, 0, 5},   {4, 0, true, false, 0, 0},
    {0, 3, true, true, 0, 0},   {4, 0, false, false, 32, 5}, {4, 0, false, true, 44, 5},
    {3, 2, true, true, 64, 5},
};

static const char *const indirect_devices[] = {"dg2", "bmg"};

static void indirect_draws(void **state)
{
    (void)state;
    for (unsigned device = 0; device < 2; device++)
        for (unsigned way = 0; way < sizeof indirect_ways / sizeof indirect_ways[0]; way++) {
            const struct indirect_way *const w = &indirect_ways[way];
            if (w->stride_bytes && !device)
                continue; /* Gen12.5 has no STATE_BYTE_STRIDE */
            struct streamer *const s = begin(indirect_devices[device]);
            uint32_t dw[MOST_DW];
            batch_put(s, dw, put_indirect_draw(s, w, dw), true);
            for (unsigned i = 0; softgt_run(s->device, 1 + i % 300); i++) {
                reload(s->device);
                assert_true(i < 10000);
            }
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            expect_rectangles(s, w->drawn);
            streamer_destroy(s);
        }
}

/* Another context comes within the second draw: each pixel is shaded once. */
static void indirect_draws_are_preempted(void **state)
{
    (void)state;
    for (unsigned device = 0; device < 2; device++) {
        struct streamer *const s = begin(indirect_devices[device]);
        uint32_t dw[MOST_DW];
        context_put(s, 0, dw, put_indirect_draw(s, &indirect_ways[1], dw));
        context_submit(s, 0);
        for (unsigned i = 0;
             i < 1000 && dispatcher_of(&s->device->engines[0])->work.walker.indirect_index != 1; i++)
            softgt_run(s->device, 1);
        another_context_comes(s);
        softgt_run(s->device, 1 << 20);
        context_submit(s, 0);
        softgt_run(s->device, 1 << 22);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        expect_rectangles(s, 5);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 3 * RECTANGLE_WIDTH * 16);
        streamer_destroy(s);
    }
}

/* The drawing rectangle's edges are inside. */
static void bounds(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = places;
        uint32_t drawn = 0;
        c.scissor[0] = 7u << 16 | 10;
        c.scissor[1] = 9u << 16 | 12;
        draw_places(s, &c);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                drawn += dword_at(s, TARGET + y * PITCH + x * 16) != STALE;
        assert_int_equal(drawn, 9);
        assert_int_equal(dword_at(s, TARGET + 9 * PITCH + 12 * 16), 12);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 9 * counts_a_pixel());
        streamer_destroy(s);
    }
}

/* Triangles that share edges cover each pixel once, and none beside: sums say so. */
static void triangles(void **state)
{
    (void)state;
    enum { EACH = 16 };
    const uint32_t add_all = 1u << 31 | 1u << 26 | 1u << 21;
    static const float more[12][3] = {{3, 5, 0},      {37, 5, 0},     {11, 14.3f, 0}, {37, 5, 0},
                                      {37, 21, 0},    {11, 14.3f, 0}, {37, 21, 0},    {3, 21, 0},
                                      {11, 14.3f, 0}, {3, 21, 0},     {3, 5, 0},      {11, 14.3f, 0}};
    static const float strip[6][3] = {{3, 5, 0},   {37, 5, 0}, {3, 14, 0},
                                      {37, 14, 0}, {3, 21, 0}, {37, 21, 0}},
                       fan[4][3] = {{3, 5, 0}, {37, 5, 0}, {37, 21, 0}, {3, 21, 0}},
                       quads[8][3] = {{3, 5, 0},  {37, 5, 0},  {37, 14, 0}, {3, 14, 0},
                                      {3, 14, 0}, {37, 14, 0}, {37, 21, 0}, {3, 21, 0}};
    static const struct {
        uint32_t topology, vertices;
        const float (*at)[3];
    } ways[] = {{TRILIST, 12, more},      {TRISTRIP, 6, strip},  {TRISTRIP_REVERSE, 6, strip},
                {TRIFAN, 4, fan},         {POLYGON, 4, fan},     {TRIFAN_NOSTIPPLE, 4, fan},
                {QUADLIST, 8, quads},     {QUADSTRIP, 6, strip}, {QUADLIST, 8 + 3, quads},
                {QUADSTRIP, 6 + 1, strip}}; /* vertices that are left over make nothing */
    const float color[4] = {EACH / 255.0f, 0, 0, 0};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < sizeof ways / sizeof ways[0]; n++) {
            struct streamer *const s = begin(*name);
            float at[12][3] = {{0}};
            memcpy(at, ways[n].at,
                   sizeof at[0] * (ways[n].vertices & ~(ways[n].topology == QUADLIST ? 3u : 1u)));
            const struct scene c = {.topology = ways[n].topology,
                                    .vertices = ways[n].vertices,
                                    .at = (const float(*)[3])(const void *)at,
                                    .format = R8G8B8A8_UNORM,
                                    .blending = {add_all, 0}};
            uint32_t dw[MOST_DW];
            put_color(s, color);
            const uint32_t count = put_scene(s, &c, dw);
            memset(s->memory + TARGET, 0, PITCH * HEIGHT);
            batch_run(s, dw, count, true);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 4), is_inside(x, y) ? EACH : 0);
            streamer_destroy(s);
        }
}

/* What is flat is the provoking vertex's: that of the triangle in the order of the vertices, in a strip, too,
 * whose every other triangle has two of them in turn; fans have a choice of their own. Its x is drawn. (SKL
 * PRM vol 7, 3DSTATE_SF) */
static void provoking_vertices(void **state)
{
    (void)state;
    enum { STRIPS_AT = 29, FANS_AT = 25 };
    static const float strip[4][3] = {{3, 5, 0}, {37, 5, 0}, {4, 21, 0}, {38, 21, 0}},
                       fan[4][3] = {{3, 5, 0}, {37, 5, 0}, {38, 21, 0}, {4, 21, 0}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned which = 0; which < 6; which++) {
            const bool fans = which >= 3;
            const unsigned vertex = which % 3;
            struct streamer *const s = begin(*name);
            struct scene c = places;
            c.topology = fans ? TRIFAN : TRISTRIP;
            c.vertices = 4;
            c.at = fans ? fan : strip;
            c.provoking = vertex << (fans ? FANS_AT : STRIPS_AT) | 1u << (fans ? STRIPS_AT : FANS_AT);
            c.places = true;
            draw_places(s, &c);
            for (unsigned n = 0; n < 2; n++) { /* a pixel in each triangle */
                const uint32_t x = n == fans ? 6 : 35, y = n ? 19 : 7;
                const float of = fans && !vertex ? fan[0][0] : c.at[n + vertex][0];
                assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 16), x);
                assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 16 + 8), float_bits(of));
            }
            streamer_destroy(s);
        }
}

/* The alpha test compares what the shader gives with a float, or as one of 256 steps with such a step: what
 * fails is not written, whatever the blend state's other fields. (BDW PRM vol 2d, BLEND_STATE,
 * COLOR_CALC_STATE) */
static void alpha_tests(void **state)
{
    (void)state;
    enum { LESS = 1, EQUAL = 2, GREATER = 4, TEST = 1 << 27, FUNCTION_AT = 24, FUNCTIONS = 8 };
    static const uint8_t passing[FUNCTIONS] = {
        7, 0, LESS, EQUAL, LESS | EQUAL, GREATER, LESS | GREATER, GREATER | EQUAL};
    static const float alphas[] = {0.25f, 0.4999f, 0.5f, 0.75f};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < FUNCTIONS * 2 * 4; n++) {
            const unsigned function = n % FUNCTIONS;
            const bool is_float = n / FUNCTIONS & 1;
            const float alpha = alphas[n / FUNCTIONS / 2], color[4] = {1, 1, 1, alpha}, half = 0.5f;
            struct streamer *const s = begin(*name);
            const struct scene c = {
                .topology = RECTLIST, .vertices = 3, .at = rectangle, .format = R8G8B8A8_UNORM};
            uint32_t dw[MOST_DW];
            put_color(s, color);
            const uint32_t count = put_scene(s, &c, dw);
            dword_put(s, DYNAMIC + BLENDING, TEST | function << FUNCTION_AT);
            dword_put(s, DYNAMIC + CONSTANT_COLORS, is_float);
            dword_put(s, DYNAMIC + CONSTANT_COLORS + 4, is_float ? float_bits(half) : 128);
            batch_run(s, dw, count, true);
            /* 0.4999 and 0.5 are step 127 and, as halves go to the even one, 128. */
            const unsigned is = alpha < half ? LESS : alpha > half ? GREATER : EQUAL;
            assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 4) != STALE, (passing[function] & is) != 0);
            streamer_destroy(s);
        }
}

/* Of quads what is flat is the last vertex's, whatever 3DSTATE_SF says. (OpenGL 4.6 compatibility,
 * table 13.2; SKL PRM vol 7, 3D Primitive Topology Types: POLYGON) */
static void provoking_vertices_of_quads(void **state)
{
    (void)state;
    enum { FANS_AT = 25, STRIPS_AT = 29 };
    static const float list[4][3] = {{3, 5, 0}, {38, 5, 0}, {37, 21, 0}, {4, 21, 0}},
                       strip[4][3] = {{3, 5, 0}, {38, 5, 0}, {4, 21, 0}, {37, 21, 0}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned which = 0; which < 6; which++) {
            const bool strips = which >= 3;
            struct streamer *const s = begin(*name);
            struct scene c = places;
            c.topology = strips ? QUADSTRIP : QUADLIST;
            c.vertices = 4;
            c.at = strips ? strip : list;
            c.provoking = which % 3 << STRIPS_AT | which % 3 << FANS_AT;
            c.places = true;
            draw_places(s, &c);
            for (unsigned n = 0; n < 4; n++) { /* a pixel at each corner */
                const uint32_t x = n & 1 ? 34 : 6, y = n & 2 ? 19 : 7;
                assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 16), x);
                assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 16 + 8), float_bits(c.at[3][0]));
            }
            streamer_destroy(s);
        }
}

/* Source alpha over what is there; components that are disabled stay. */
static void blends(void **state)
{
    (void)state;
    enum { NO_GREEN = 1 << 1 };
    const uint32_t over = 1u << 31 | 3u << 26 | 19u << 21;
    const float color[4] = {1, 1, 0, 0.6f};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct scene c = {.topology = RECTLIST,
                                .vertices = 3,
                                .at = rectangle,
                                .format = R8G8B8A8_UNORM,
                                .blending = {over | NO_GREEN, 0}};
        uint32_t dw[MOST_DW];
        put_color(s, color);
        const uint32_t count = put_scene(s, &c, dw);
        dword_put(s, TARGET + 6 * PITCH + 6 * 4, RGBA(150, 50, 200, 100));
        batch_run(s, dw, count, true);
        /* red 0.6 + 0.4 * 150 / 255; blue 0.4 * 200; alpha 0.36 + 0.4 * 100 / 255, of 255 */
        assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 4), RGBA(213, 50, 80, 132));
        streamer_destroy(s);
    }
}

/* A state of blending may end where its memory does: 12 bytes for one target. The constant color is looked at
 * where a factor is it. */
static void blending_at_the_end(void **state)
{
    (void)state;
    const uint32_t by_constant = 1u << 31 | 7u << 26 | 17u << 21; /* constant, zero */
    const uint32_t end = MEMORY_BYTES;
    const float color[4] = {1, 1, 1, 1};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 3; n++) {
            enum { PART, NOTHING, CONSTANT_FACTOR, NO_PAGE = INT32_MAX - 63 };
            struct streamer *const s = begin(*name);
            const struct scene c = {.topology = RECTLIST,
                                    .vertices = 3,
                                    .at = rectangle,
                                    .format = R8G8B8A8_UNORM,
                                    .blending = {n == CONSTANT_FACTOR ? by_constant : 0, 0}};
            uint32_t dw[MOST_DW];
            put_color(s, color);
            const uint32_t count = put_scene(s, &c, dw);
            if (n != CONSTANT_FACTOR) {
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_BLEND_STATE_POINTERS"),
                            {"Blend State Pointer", n == PART ? end - DYNAMIC - 64 : NO_PAGE});
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_CC_STATE_POINTERS"),
                            {"Color Calc State Pointer", NO_PAGE});
            }
            for (unsigned i = 0; i < 4; i++)
                dword_put(s, DYNAMIC + CONSTANT_COLORS + 8 + 4 * i, i == 1 ? float_bits(1) : 0);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 4),
                             n == CONSTANT_FACTOR ? RGBA(0, 255, 0, 0) : UINT32_MAX);
            streamer_destroy(s);
        }
}

/* Bits of both, by a table of truth: here exclusive or. */
static void logic_operations(void **state)
{
    (void)state;
    const float color[4] = {1, 0, 51 / 255.0f, 0};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct scene c = {.topology = RECTLIST,
                                .vertices = 3,
                                .at = rectangle,
                                .format = R8G8B8A8_UNORM,
                                .blending = {0, 1u << 31 | 6u << 27}};
        uint32_t dw[MOST_DW];
        put_color(s, color);
        const uint32_t count = put_scene(s, &c, dw);
        dword_put(s, TARGET + 6 * PITCH + 6 * 4, RGBA(150, 50, 200, 100));
        batch_run(s, dw, count, true);
        assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 4), RGBA(150 ^ 255, 50, 200 ^ 51, 100));
        streamer_destroy(s);
    }
}

/* A shader reads what the target has where its own pixels are: so each instance adds to what the one before
 * it wrote, whatever lies between them; other pixels stay. (SKL PRM vol 7, Render Target Read) */
static void reads_targets(void **state)
{
    (void)state;
    enum { READ = 13 << 14 | 1 << 19, HEADER = 100, INSTANCES = 7 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 2; n++) {
            struct streamer *const s = begin(*name);
            const unsigned rows = kernel_rows(k.set), eights = rows > 1 ? 0 : n;
            const struct scene c = {.topology = RECTLIST,
                                    .vertices = 3,
                                    .instances = INSTANCES,
                                    .at = rectangle,
                                    .format = R32G32B32A32_UINT};
            const struct how how = {.channels = eights ? 8 : 16};
            const unsigned registers = eights ? 1 : 2;
            uint32_t dw[MOST_DW];
            for (unsigned i = 0; i < 2; i++)
                KERNEL_1(&k, EU_MOV, whole, reg(HEADER + i, TYPE_UD), reg(i, TYPE_UD));
            kernel_send(&k, how, SFID_RENDER_CACHE,
                        READ | eights << 8 | PAYLOAD_REGISTERS(2 / rows) |
                            RESPONSE_REGISTERS(4 * registers / rows),
                        reg(PAYLOAD, TYPE_UD), reg(HEADER, TYPE_UD), false);
            for (unsigned i = 0; i < 4; i++)
                KERNEL_2(&k, EU_ADD, how, reg(PAYLOAD + i * registers, TYPE_UD),
                         reg(PAYLOAD + i * registers, TYPE_UD), imm(1u << 8 * i, TYPE_UD));
            send_write(how,
                       eights ? 4 << 25 | 4 << 8 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET : SIMD16_WRITE,
                       true);
            put_kernel(s);
            uint32_t count = put_scene(s, &c, dw);
            insert_before_primitive(s, dw, &count,
                                    "3DSTATE_CLIP perspective_divide_disable, force_zero_rta_index_enable");
            if (eights)
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS"),
                            {"8 Pixel Dispatch Enable", 1}, {"16 Pixel Dispatch Enable", 0});
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t i = 0; i < WIDTH * 4; i++)
                    dword_put(s, TARGET + y * PITCH + i * 4, y << 16 | i);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t i = 0; i < WIDTH * 4; i++)
                    assert_int_equal(dword_at(s, TARGET + y * PITCH + i * 4),
                                     (y << 16 | i) +
                                         (is_inside(i / 4, y) ? (uint32_t)INSTANCES << 8 * (i % 4) : 0));
            streamer_destroy(s);
        }
}

/* In tiles pixels lie where the tiling has them. */
static void tiles(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = places;
        c.tiled = true;
        const struct tile_layout *const layout =
            tile_layout(has_compute_walker(s) ? SOFTGT_TILE_4 : SOFTGT_TILE_Y, 16);
        draw_places(s, &c);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                assert_int_equal(dword_at(s, TARGET + (uint32_t)tile_offset(layout, false, PITCH,
                                                                            (int32_t)(x * 16), (int32_t)y)),
                                 is_inside(x, y) ? x : STALE);
        streamer_destroy(s);
    }
}

/* In pieces of every size, saved and loaded between them: the same. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = places;
        unsigned within = 0;
        uint32_t dw[MOST_DW];
        c.instances = c.elements = 7;
        put_places(s);
        const uint32_t count = put_scene(s, &c, dw);
        batch_put(s, dw, count, true);
        for (unsigned i = 0; softgt_run(s->device, 1 + i % 300); i++) {
            within += dispatch_has_work(&dispatcher_of(&s->device->engines[0])->work);
            reload(s->device);
            assert_true(i < 10000);
        }
        assert_true(within > 3);
        for (uint32_t element = 0; element < c.elements; element++)
            expect_places(s, element);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 7 * 34 * 16 * counts_a_pixel());
        streamer_destroy(s);
    }
}

/* What is not modelled is told, and nothing is drawn. */
struct told {
    const char *text;
    unsigned count;
};

static void not_modelled(void *user, const struct softgt_report *report)
{
    struct told *const told = user;
    told->count += report->complaint == SOFTGT_NOT_MODELLED && strstr(report->text, told->text) != NULL;
}

static void listen(struct streamer *s, struct told *told)
{
    s->reported = not_modelled;
    s->user = told;
}

static void expect_left(const char *device, const struct scene *c, const char *text)
{
    struct streamer *const s = begin(device);
    struct told told = {.text = text};
    listen(s, &told);
    draw_places(s, c);
    assert_int_equal(told.count, 1);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
    assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 16), STALE);
    assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 0);
    streamer_destroy(s);
}

static void what_is_left(void **state)
{
    (void)state;
    enum { BC1_UNORM = 390 };
    for (EACH_DRAW_DEVICE(name)) {
        struct scene c = places;
        c.vertex_shader = true;
        if (strcmp(*name, "bmg") != 0) /* which has no such mode */
            expect_left(*name, &c, "not drawn: vertex shader dispatch mode SIMD4x2 is not modelled");
        c = places;
        c.vertex_format = BC1_UNORM;
        expect_left(*name, &c, "not drawn: the format of a vertex element is not modelled");
        uint32_t more[16], *to = more;
        struct streamer *const s = begin(*name);
        commands_put(s->device, 0, &to, "3DSTATE_RASTER cull_mode = none, forced_sample_count = 3");
        streamer_destroy(s);
        c = places;
        c.more = more;
        c.more_dw = (uint32_t)(to - more);
        expect_left(*name, &c, "not drawn: Forced Sample Count is not modelled");
        for (unsigned clears = 0; clears < 2; clears++)
            for (uint32_t bindings = 0; bindings < 2; bindings++) {
                c = places;
                c.clears = clears;
                c.bindings = bindings;
                c.format = BC1_UNORM;
                expect_left(*name, &c, "not drawn: the format of a render target is not modelled");
            }
    }
}

/* A device's own save is one that it loads. */
static void save_and_load(struct streamer *s)
{
    reload(s->device);
}

/* Entry 1 of the binding table: a surface like the target, of four samples. */
static void put_surface_of_samples(struct streamer *s)
{
    uint32_t *const state = dwords_at(s, SURFACES + STATES_AT + SURFACE_STATE_BYTES);
    memcpy(state, s->memory + SURFACES + STATES_AT, SURFACE_STATE_BYTES);
    STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", state,
                     {"Number of Multisamples", .value_name = "MULTISAMPLECOUNT_4"});
    dword_put(s, SURFACES + TABLE_AT + 4, STATES_AT + SURFACE_STATE_BYTES);
}

/* A surface of several samples behind the targets, a texture's, does not change what is drawn. */
static void textures_of_samples(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t bindings = 1; bindings < 3; bindings++) {
            struct streamer *const s = begin(*name);
            struct told told = {.text = "not drawn"};
            struct scene c = places;
            uint32_t dw[MOST_DW];
            c.bindings = bindings;
            listen(s, &told);
            put_places(s);
            const uint32_t count = put_scene(s, &c, dw);
            put_surface_of_samples(s);
            batch_run(s, dw, count, true);
            assert_int_equal(told.count, 0);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            expect_places(s, 0);
            streamer_destroy(s);
        }
}

/* A message that is not modelled ends the draw, not the engine: of half precision, which Gen8's sends do not
 * have. What comes behind is done. */
static void messages_that_are_left(void **state)
{
    (void)state;
    enum { HALF_PRECISION = 1 << 30 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct told told = {
            .text = "stopped after some primitives: messages of half precision to render targets"};
        struct scene c = places;
        uint32_t dw[MOST_DW];
        if (k.set == &eu_gen8) {
            streamer_destroy(s);
            continue;
        }
        listen(s, &told);
        c.bindings = 1;
        send_write(all, SIMD16_WRITE | HALF_PRECISION, true);
        put_kernel(s);
        batch_run(s, dw, put_scene(s, &c, dw), true);
        assert_int_equal(told.count, 1);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 16), STALE);
        save_and_load(s);
        streamer_destroy(s);
    }
}

/* Corners far away, at no place, or without a buffer: pixels that there are, or none; never more. What they
 * leave behind, at the end and between two instances, can be saved and loaded. */
static void strange_corners(void **state)
{
    (void)state;
    static const float values[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -32768, 32768, 131072, 0, FLT_TRUE_MIN};
    enum { VALUES = sizeof values / sizeof values[0] };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < VALUES * 2; n++) {
            struct streamer *const s = begin(*name);
            struct scene c = places;
            uint32_t dw[MOST_DW];
            c.topology = n < VALUES ? RECTLIST : TRILIST;
            c.instances = 100;
            put_places(s);
            const uint32_t count = put_scene(s, &c, dw);
            for (unsigned i = 0; i < 9; i++)
                dword_put(s, VERTICES + i * 4, float_bits(values[(n + i * (i + 1)) % VALUES]));
            batch_put(s, dw, count, true);
            softgt_run(s->device, 1);
            save_and_load(s);
            softgt_run(s->device, 1 << 20);
            save_and_load(s);
            assert_int_equal(dword_at(s, TARGET + HEIGHT * PITCH), 0);
            streamer_destroy(s);
        }
}

/* A fast clear is of the whole level, in the color of the surface's state: up to Gen8 a bit each, 1 as the
 * format has it; then a number each, in the state or in memory. */
static void fast_clears(void **state)
{
    (void)state;
    enum { COLOR = 1664 * KB, COLOR_AT = 48 };
    const uint32_t one = float_bits(1);
    const struct {
        uint32_t format, one, pixel[4], pixel_dw;
    } kinds[] = {{R8G8B8A8_UNORM, one, {RGBA(255, 255, 0, 255)}, 1},
                 {R32G32B32A32_FLOAT, one, {one, one, 0, one}, 4},
                 {R32G32B32A32_UINT, 1, {1, 1, 0, 1}, 4}};
    for (EACH_DEVICE(name))
        for (unsigned kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
            struct streamer *const s = begin(*name);
            const bool bits = k.set == &eu_gen8, in_state = k.set == &eu_gen9;
            const uint32_t surface = SURFACES + STATES_AT, width_dw = WIDTH * kinds[kind].pixel_dw,
                           at = in_state ? surface + COLOR_AT : COLOR;
            struct scene c = places;
            uint32_t dw[MOST_DW];
            c.format = kinds[kind].format;
            c.clears = true;
            put_places(s);
            const uint32_t count = put_scene(s, &c, dw);
            if (bits) {
                STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, surface),
                                 {"Red Clear Color", 1}, {"Green Clear Color", 1}, {"Alpha Clear Color", 1});
            } else {
                for (unsigned i = 0; i < 4; i++)
                    dword_put(s, at + i * 4, i == 2 ? 0 : kinds[kind].one);
                if (!in_state) {
                    STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, surface),
                                     {"Clear Value Address Enable", 1});
                    dword_put(s, surface + COLOR_AT, COLOR);
                }
            }
            batch_run(s, dw, count, true);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < PITCH / 4; x++)
                    assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 4),
                                     x < width_dw ? kinds[kind].pixel[x % kinds[kind].pixel_dw] : STALE);
            streamer_destroy(s);
        }
}

/* Without a primitive nothing is drawn, in however many instances: that takes no time. */
static void no_primitives(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = places;
        c.vertices = 2;
        c.instances = UINT32_MAX;
        draw_places(s, &c);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(dword_at(s, TARGET + 6 * PITCH + 6 * 16), STALE);
        streamer_destroy(s);
    }
}

/* Draws in context 0, until context 1 comes in; the threads that there were then. */
static uint64_t draw_and_preempt(struct streamer *s, const struct scene *c)
{
    uint32_t dw[MOST_DW + 1];
    const uint32_t count = assemble(s->device, 0, dw, "3DSTATE_VF_STATISTICS statistics_enable");
    context_put(s, 0, dw, count + put_scene(s, c, dw + count));
    context_submit(s, 0);
    for (unsigned i = 0;
         i < 100 && !streamer_status(s).thread_groups &&
         !(c->clears && dispatcher_of(&s->device->engines[0])->draws->draw.cursor.phase == DRAW_CLEAR);
         i++)
        softgt_run(s->device, 1);
    another_context_comes(s);
    const uint64_t groups = streamer_status(s).thread_groups;
    softgt_run(s->device, 1 << 20);
    assert_int_equal(streamer_status(s).thread_groups, groups);
    return groups;
}

static void come_back(struct streamer *s)
{
    context_submit(s, 0);
    softgt_run(s->device, 1 << 22);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

/* Whether another context may come in within a draw: on Gen9 and Gen11 bit 0 of a register of the engine's
 * says so, or of the context's; else it always may. Levels of compute threads do not count. (CSP-21; Linux,
 * gen9_ctx_workarounds_init) */
static void put_level(struct streamer *s, bool of_the_context, bool within)
{
    enum { COMMANDS = 2 << 1 };
    masked_put(s, "FF_SLICE_CS_CHICKEN1", BY_CONTEXT, of_the_context ? BY_CONTEXT : 0);
    masked_put(s, "FF_SLICE_CS_CHICKEN2", LEVEL_OF_THREADS, COMMANDS);
    masked_put(s, "FF_SLICE_CS_CHICKEN3", LEVEL_OF_DRAWS, !of_the_context && within);
    masked_put(s, "CS_CHICKEN1", LEVEL_OF_THREADS | LEVEL_OF_DRAWS, COMMANDS | (of_the_context && within));
}

/* Whether the register counts: where it does not, it is always so. */
static bool has_levels(void)
{
    return k.set == &eu_gen9 || k.set == &eu_gen11;
}

static void levels_of_preemption(void **state)
{
    (void)state;
    enum { INSTANCES = 9 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 4; way++) {
            struct streamer *const s = begin(*name);
            struct scene c = places;
            c.instances = c.elements = INSTANCES;
            put_places(s);
            put_level(s, way & 1u, way & 2u);
            const uint64_t before = draw_and_preempt(s, &c);
            come_back(s);
            if ((way & 2u) || !has_levels())
                assert_true(streamer_status(s).thread_groups > before);
            else
                assert_int_equal(streamer_status(s).thread_groups, before);
            for (uint32_t element = 0; element < INSTANCES; element++)
                expect_places(s, element);
            streamer_destroy(s);
        }
}

static void look(void *user, struct softgt_eu_thread *thread)
{
    (void)user, (void)thread;
}

/* A recorded run ends within a draw or not: one that repeats it ends at the same command, as it is, with
 * threads watched, and saved and loaded between any two. Within a draw it may have come less far, never
 * farther by a command; what it draws is there when the recorded run's is. */
static void recorded_runs_repeat(void **state)
{
    (void)state;
    enum { INSTANCES = 9, WAYS = 3, RUNS = 4000 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < WAYS; way++) {
            const struct softgt_eu_hooks hooks = {.after = look};
            struct streamer *const s[2] = {begin(*name), begin(*name)};
            struct scene c = places;
            uint32_t dw[MOST_DW];
            uint64_t seed = 7, ahead_dw = 0;
            unsigned within = 0, compared = 0;
            bool more = true;
            c.instances = c.elements = INSTANCES;
            for (unsigned i = 0; i < 2; i++) {
                put_places(s[i]);
                context_put(s[i], 0, dw, put_scene(s[i], &c, dw));
                context_submit(s[i], 0);
            }
            if (way == 1)
                assert_int_equal(softgt_watch_threads(s[1]->device, &hooks), 0);
            for (unsigned i = 0; i < RUNS && more; i++) {
                struct run_extent first = {.budget_dw = 1 + random_next(&seed) % 64, .is_recording = true};
                more = device_run(s[0]->device, &first);
                struct run_extent again = {.budget_dw = UINT64_MAX,
                                           .done_dw = first.done_dw,
                                           .partial_dw = first.partial_dw,
                                           .surplus_dw = ahead_dw,
                                           .is_replay = true,
                                           .slice_ended = first.slice_ended};
                device_run(s[1]->device, &again);
                assert_int_equal(again.done_dw, 0);
                ahead_dw = again.surplus_dw;
                if (way == 2)
                    save_and_load(s[1]);
                within += device_within_command(s[0]->device);
                if (device_within_command(s[0]->device))
                    continue;
                compared++;
                assert_int_equal(ahead_dw, 0);
                assert_int_equal(streamer_status(s[1]).commands, streamer_status(s[0]).commands);
                assert_int_equal(streamer_status(s[1]).threads, streamer_status(s[0]).threads);
                assert_memory_equal(s[1]->memory + TARGET, s[0]->memory + TARGET, PITCH * HEIGHT * INSTANCES);
            }
            assert_false(more);
            assert_true(within && compared > 1);
            expect_places(s[1], INSTANCES - 1);
            streamer_destroy(s[0]);
            streamer_destroy(s[1]);
        }
}

/* Within a primitive, too: each of its pixels is shaded once; a place in the image that is none of it has it
 * begin anew. */
static void one_large_primitive(void **state)
{
    (void)state;
    enum { RIGHT = 4003, WORK_MARK = 43 << 16 | 11, AT = 6 };
    static const float large[3][3] = {{RIGHT, 21, 0}, {3, 21, 0}, {3, 5, 0}};
    static const uint32_t places_x[] = {0, 1u << 31, INT32_MAX, 4004, 5, UINT32_MAX - 1};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < sizeof places_x / sizeof places_x[0]; way++) {
            struct streamer *const s = begin(*name);
            struct scene c = places;
            unsigned changes = 0;
            c.at = large;
            put_places(s);
            put_level(s, false, true);
            const uint64_t before = draw_and_preempt(s, &c);
            const uint32_t shaded = (RIGHT - 3) * 16 * counts_a_pixel();
            for (uint32_t at = CONTEXTS; way && at < CONTEXTS + CONTEXT_RING_AT; at += 4)
                if (dword_at(s, at) == WORK_MARK && ++changes)
                    dword_put(s, at + AT * 4u, places_x[way]);
            assert_int_equal(changes, way != 0);
            come_back(s);
            assert_true(streamer_status(s).thread_groups > before);
            if (!way)
                assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), shaded);
            else
                assert_in_range(counter_at(s, "PS_INVOCATION_COUNT"), shaded, 2 * shaded);
            for (uint32_t x = 0; x < WIDTH; x++)
                assert_int_equal(dword_at(s, TARGET + 20 * PITCH + x * 16), x < 3 ? STALE : x);
            streamer_destroy(s);
        }
}

/* Within a clear, too: it goes on where it was. What has been cleared is left as the other context made it.
 */
static void preempted_clears(void **state)
{
    (void)state;
    enum { ELEMENTS = 9 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = places;
        uint32_t cleared = 0;
        if (has_wide_registers()) { /* clears are draws: clear_blocks_test.c */
            streamer_destroy(s);
            continue;
        }
        c.instances = c.elements = ELEMENTS;
        c.clears = true;
        put_places(s);
        put_level(s, false, true);
        draw_and_preempt(s, &c);
        for (uint32_t i = 0; i < ELEMENTS * HEIGHT * PITCH; i += 4)
            if (dword_at(s, TARGET + i) != STALE) {
                dword_put(s, TARGET + i, 7);
                cleared++;
            }
        assert_in_range(cleared, 1, ELEMENTS * HEIGHT * PITCH / 4 - 1);
        come_back(s);
        for (uint32_t i = 0; i < ELEMENTS * HEIGHT * PITCH; i += 4)
            assert_int_equal(dword_at(s, TARGET + i), i / 4 < cleared ? 7 : 0);
        streamer_destroy(s);
    }
}

/* Another context comes in between two primitives: each is drawn once, and counted once. If the image then
 * says that there is a vertex shader, what is left is told, and not drawn, but not counted again. */
static void preempted_within(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned changed = 0; changed < 2; changed++) {
            enum { INSTANCES = 9 };
            if (changed && strcmp(*name, "bmg") == 0) /* which draws with vertex shaders of all kinds */
                continue;
            uint32_t vs[16];
            struct streamer *const s = begin(*name);
            struct scene c = places;
            struct told told = {.text = "3DPRIMITIVE not drawn: "};
            unsigned changes = 0;
            c.instances = c.elements = INSTANCES;
            listen(s, &told);
            put_places(s);
            put_level(s, false, true);
            const uint64_t before = draw_and_preempt(s, &c);
            assemble(s->device, 0, vs, "3DSTATE_VS");
            for (uint32_t at = CONTEXTS; changed && at < CONTEXTS + CONTEXT_RING_AT; at += 4)
                if (dword_at(s, at) == vs[0] && ++changes)
                    COMMAND_PUT(s->device, dwords_at(s, at), {"Enable", 1});
            assert_int_equal(changes, changed);
            come_back(s);
            assert_int_equal(told.count, changed);
            assert_int_equal(counter_at(s, "IA_VERTICES_COUNT"), 3 * INSTANCES);
            if (changed)
                assert_int_equal(streamer_status(s).thread_groups, before);
            else
                assert_true(streamer_status(s).thread_groups > before);
            for (uint32_t element = 0; element < INSTANCES && !changed; element++)
                expect_places(s, element);
            streamer_destroy(s);
        }
}

/* Of the surfaces that a draw is asked for each costs budget, though what is found of the last one leaves it.
 */
/* Writes a color by a message whose header names the target. */
static void put_header_write(float red, float other, uint32_t target)
{
    const struct how one = {.channels = 1, .no_mask = true}, eight = {.channels = 8, .no_mask = true};
    struct op number = reg(PAYLOAD - 2, TYPE_UD);
    number.subregister = 8;
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F), imm(float_bits(i ? other : red), TYPE_F));
    for (unsigned i = 0; i < 2; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD - 2 + i, TYPE_UD), reg(i, TYPE_UD));
    KERNEL_1(&k, EU_MOV, one, number, imm(target, TYPE_UD));
    kernel_send(&k, all, SFID_RENDER_CACHE, 10 << 25 | 1 << 19 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET,
                none(TYPE_UD), reg(PAYLOAD - 2, TYPE_UD), false);
}

/* The blend state of a message is that of the target in its header, whatever messages of the same registers
 * had before: the one of target 1 keeps red. */
static void targets_of_headers(void **state)
{
    enum { BLEND_STATE_1 = 12, DISABLE_RED = 1 << 2, RED_ONLY = 0xff };
    static const float at[3][3] = {{-8, -8, 0}, {400, -8, 0}, {-8, 400, 0}};
    (void)state;
    for (unsigned tiled = 0; tiled < 2; tiled++) {
        uint32_t dw[MOST_DW];
        struct streamer *const s = begin("bdw");
        const struct scene c = {
            .topology = TRILIST, .vertices = 3, .at = at, .format = R8G8B8A8_UNORM, .tiled = tiled};
        for (unsigned i = 0; i < 3; i++)
            put_header_write(i < 2, i < 2, i == 2);
        kernel_end(&k);
        put_kernel(s);
        const uint32_t count = put_scene(s, &c, dw);
        dword_put(s, DYNAMIC + BLENDING + BLEND_STATE_1, DISABLE_RED);
        batch_run(s, dw, count, true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        unsigned right = 0;
        for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4)
            right += dword_at(s, TARGET + i) == RED_ONLY;
        assert_int_equal(right, WIDTH * HEIGHT);
        streamer_destroy(s);
    }
}

/* What budgets lose to a draw besides its dwords. What no message uses may be anything. */
static uint64_t dwords_lost(const char *device, uint32_t bindings)
{
    enum { NO_FORMAT = 510 };
    struct streamer *const s = begin(device);
    struct scene c = places;
    c.bindings = bindings;
    for (uint32_t i = 1; i < bindings; i++)
        dword_put(s, SURFACES + TABLE_AT + i * 4u, STATES_AT + SURFACE_STATE_BYTES);
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT + SURFACE_STATE_BYTES),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Format", NO_FORMAT});
    draw_places(s, &c);
    expect_places(s, 0);
    const uint64_t lost_dw = s->device->log.cost.charged_dw;
    streamer_destroy(s);
    return lost_dw;
}

static void surfaces_cost_budget(void **state)
{
    (void)state;
    enum { BINDINGS = 255, SURFACE_NS = 60, DWORD_NS = 10 };
    for (EACH_DRAW_DEVICE(name)) {
        const uint64_t one_dw = dwords_lost(*name, 1), all_dw = dwords_lost(*name, BINDINGS);
        assert_in_range(all_dw, one_dw + (BINDINGS - 1) * SURFACE_NS / DWORD_NS, UINT32_MAX);
    }
}

TEST_PROGRAM(draw_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles),
        cmocka_unit_test(extended_descriptors),
        cmocka_unit_test(null_target_of_any_surface),
        cmocka_unit_test(observed),
        cmocka_unit_test(observed_kills),
        cmocka_unit_test(observed_memory),
        cmocka_unit_test(arrays),
        cmocka_unit_test(indirect_draws),
        cmocka_unit_test(indirect_draws_are_preempted),
        cmocka_unit_test(bounds),
        cmocka_unit_test(triangles),
        cmocka_unit_test(blends),
        cmocka_unit_test(tiles),
        cmocka_unit_test(reads_targets),
        cmocka_unit_test(logic_operations),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(what_is_left),
        cmocka_unit_test(strange_corners),
        cmocka_unit_test(textures_of_samples),
        cmocka_unit_test(messages_that_are_left),
        cmocka_unit_test(blending_at_the_end),
        cmocka_unit_test(constants),
        cmocka_unit_test(identities),
        cmocka_unit_test(provoking_vertices),
        cmocka_unit_test(provoking_vertices_of_quads),
        cmocka_unit_test(alpha_tests),
        cmocka_unit_test(no_primitives),
        cmocka_unit_test(fast_clears),
        cmocka_unit_test(preempted_within),
        cmocka_unit_test(levels_of_preemption),
        cmocka_unit_test(recorded_runs_repeat),
        cmocka_unit_test(one_large_primitive),
        cmocka_unit_test(preempted_clears),
        cmocka_unit_test(targets_of_headers),
        cmocka_unit_test(surfaces_cost_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
