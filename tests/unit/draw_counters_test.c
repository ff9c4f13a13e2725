/* What counts draws whose vertices are shaded, on every generation that runs threads: registers of the
 * pipeline's statistics, and counters of performance; as queries read them; where others come in between,
 * saved and loaded; of draws that only shade vertices, too. (REN-17, SYS-20) */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../entries.h"

#include "../saved.h"

enum {
    VERTEX_KERNEL = 2 * KB,
    FETCHED = 2,
    HANDLES = 1,
    INDICES = 1608 * KB,
    VIEWPORT_AT = 12 * KB, /* from the base of dynamic state */
    CUT = UINT16_MAX
};
enum {
    IA_VERTICES,
    IA_PRIMITIVES,
    VS_INVOCATIONS,
    CL_INVOCATIONS,
    CL_PRIMITIVES,
    PS_INVOCATIONS,
    PS_DEPTHS,
    STATISTICS
};
enum { BY_VF = 1, BY_VS = 2, BY_CLIP = 4, BY_SF = 8, BY_WM = 16, BY_ALL = 31 };

static const char *const registers[STATISTICS] = {
    "IA_VERTICES_COUNT",   "IA_PRIMITIVES_COUNT", "VS_INVOCATION_COUNT", "CL_INVOCATION_COUNT",
    "CL_PRIMITIVES_COUNT", "PS_INVOCATION_COUNT", "PS_DEPTH_COUNT"};
static const uint8_t enabled_by[STATISTICS] = {BY_VF, BY_VF, BY_VS, BY_CLIP, BY_SF, BY_WM, BY_WM};

/* How they are drawn: what counts, which vertices, what is left out. */
struct way {
    unsigned counts;         /* BY_ */
    const uint16_t *indices; /* NULL: none */
    uint32_t count;          /* of them */
    bool apart, cuts;        /* no cache of vertices; CUT cuts */
    uint32_t clip_mode, streamout, no_mask;
};

/* Six triangles: one that is accepted; one that the near plane cuts a corner off; one behind the far plane;
 * one beside the view; one that is beside it in part; one that shows its back. */
static const float six[18][4] = {{-0.5f, -0.5f, 0.5f, 1}, {0.5f, -0.5f, 0.5f, 1}, {0, 0.5f, 0.5f, 1},
                                 {-0.5f, -0.5f, 0.5f, 1}, {0.5f, -0.5f, 0.5f, 1}, {0, 0.5f, -2, 1},
                                 {-0.5f, -0.5f, 2, 1},    {0.5f, -0.5f, 3, 1},    {0, 0.5f, 2, 1},
                                 {2, -0.5f, 0.5f, 1},     {3, -0.5f, 0.5f, 1},    {2, 0.5f, 0.5f, 1},
                                 {0.5f, -0.5f, 0.5f, 1},  {2, -0.5f, 0.5f, 1},    {1, 0.5f, 0.5f, 1},
                                 {-0.5f, -0.5f, 0.5f, 1}, {0, 0.5f, 0.5f, 1},     {0.5f, -0.5f, 0.5f, 1}};
enum { ONE_BY_ONE = 18, OBJECTS = 6, LEAVING = 5, INSTANCES = 2 };

/* What was fetched, header and place, goes on. */
static void put_vertex_kernel(struct streamer *s)
{
    for (unsigned i = 0; i < 8; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 1 + i, TYPE_UD), lane(FETCHED + i, TYPE_UD));
    urb_write(HANDLES, 0, PAYLOAD, 8, true);
    kernel_finish(&k);
    memcpy(s->memory + KERNELS + VERTEX_KERNEL, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
    k.count = 0;
}

static void put_kernels(struct streamer *s)
{
    static const float white[4] = {1, 1, 1, 1};
    put_vertex_kernel(s);
    put_color(s, white);
}

static uint32_t put_more(struct streamer *s, const struct way *w, uint32_t *more)
{
    static const float viewport[12] = {
        WIDTH / 2, HEIGHT / 2, 0.5f, WIDTH / 2, HEIGHT / 2, 0.5f, [9] = WIDTH - 1, [11] = HEIGHT - 1};
    static const float extents[4] = {0, WIDTH - 1, 0, HEIGHT - 1};
    uint32_t *to = more;
    memset(s->memory + DYNAMIC + VIEWPORT_AT, 0, 64);
    memcpy(s->memory + DYNAMIC + VIEWPORT_AT, viewport, 24);
    memcpy(s->memory + DYNAMIC + VIEWPORT_AT + 48, extents, sizeof extents);
    commands_put(s->device, 0, &to,
                 "3DSTATE_VF_STATISTICS statistics_enable = %u\n"
                 "3DSTATE_VS kernel_start_pointer = %u, vertex_urb_entry_read_length = 1,"
                 " dispatch_grf_start_register_for_urb_data = %u, enable, vertex_cache_disable = %u,"
                 " statistics_enable = %u%s\n"
                 "3DSTATE_URB_VS vs_number_of_urb_entries = 64, vs_urb_starting_address = 4\n"
                 "3DSTATE_CLIP statistics_enable = %u, clip_enable, viewport_xy_clip_test_enable,"
                 " guardband_clip_test_enable, clip_mode = %u\n"
                 "3DSTATE_SF viewport_transform_enable, statistics_enable = %u\n"
                 "3DSTATE_RASTER cull_mode = back, %s\n"
                 "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP sf_clip_viewport_pointer = %u\n"
                 "3DSTATE_STREAMOUT dw1 = %u\n"
                 "3DSTATE_SAMPLE_MASK sample_mask = %u",
                 (w->counts & BY_VF) != 0, VERTEX_KERNEL, FETCHED, w->apart, (w->counts & BY_VS) != 0,
                 has_wide_registers() ? "" : ", simd8_dispatch_enable", (w->counts & BY_CLIP) != 0,
                 w->clip_mode, (w->counts & BY_SF) != 0,
                 k.set == &eu_gen8 ? "viewport_z_clip_test_enable"
                                   : "viewport_z_near_clip_test_enable, viewport_z_far_clip_test_enable",
                 VIEWPORT_AT, w->streamout, !w->no_mask);
    if (w->indices) {
        memcpy(s->memory + INDICES, w->indices, w->count * sizeof *w->indices);
        commands_put(
            s->device, 0, &to,
            "3DSTATE_INDEX_BUFFER index_format = word, buffer_starting_address = %u, buffer_size = %u",
            INDICES, w->count * 2);
    }
    if (w->cuts)
        commands_put(s->device, 0, &to, "3DSTATE_VF indexed_draw_cut_index_enable, cut_index = %u", CUT);
    return (uint32_t)(to - more);
}

static uint32_t put_draw(struct streamer *s, const struct way *w, uint32_t dw[MOST_DW])
{
    uint32_t more[80];
    const struct scene c = {.topology = TRILIST,
                            .vertices = ONE_BY_ONE,
                            .instances = INSTANCES,
                            .elements = INSTANCES,
                            .clip = six,
                            .format = R8G8B8A8_UNORM,
                            .statistics = w->counts & BY_WM,
                            .more = more,
                            .more_dw = put_more(s, w, more)};
    const uint32_t count = put_scene(s, &c, dw);
    if (w->indices)
        COMMAND_PUT(s->device, primitive_of(s, dw, count), {"Vertex Access Type", .value_name = "RANDOM"},
                    {"Vertex Count Per Instance", w->count});
    return count;
}

static void draw(struct streamer *s, const struct way *w)
{
    uint32_t dw[MOST_DW];
    put_kernels(s);
    batch_run(s, dw, put_draw(s, w, dw), true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

static uint32_t statistic(struct streamer *s, unsigned n)
{
    return counter_at(s, registers[n]);
}

static uint32_t pixels_drawn(const struct streamer *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT * INSTANCES; i++)
        n += dword_at(s, TARGET + i / WIDTH * PITCH + i % WIDTH * 4) == UINT32_MAX;
    return n;
}

/* Pixels of the second triangle lie on those of the first. */
static void expect(struct streamer *s, const struct way *w, const uint32_t is[STATISTICS])
{
    for (unsigned n = 0; n < STATISTICS; n++)
        assert_int_equal(statistic(s, n), w->counts & enabled_by[n] ? is[n] : 0);
}

/* Each counts where its stage is told to, and nowhere else. */
static void enables(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        uint32_t shaded = 0;
        for (unsigned n = 0; n < 6; n++) {
            struct streamer *const s = begin(*name);
            const struct way w = {.counts = n ? BY_ALL & ~(1u << (n - 1)) : BY_ALL};
            draw(s, &w);
            if (!n)
                shaded = statistic(s, PS_DEPTHS);
            assert_in_range(shaded, pixels_drawn(s), 2 * pixels_drawn(s));
            expect(s, &w,
                   (const uint32_t[STATISTICS]){ONE_BY_ONE * INSTANCES, OBJECTS * INSTANCES,
                                                ONE_BY_ONE * INSTANCES, OBJECTS * INSTANCES,
                                                LEAVING * INSTANCES, shaded * counts_a_pixel(), shaded});
            streamer_destroy(s);
        }
    }
}

/* A vertex that recurs is shaded once in an instance where vertices are kept; cut ones are none. */
static void indexed(void **state)
{
    (void)state;
    static const uint16_t twice[] = {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2},
                          cut[] = {0, 1, 2, CUT, 0, 1, CUT, 3, 4, 5, CUT, CUT, 6, 7, 8};
    static const struct {
        struct way way;
        uint32_t vertices, objects, kept, leaving;
    } cases[] = {{{BY_ALL, twice, sizeof twice / 2}, 15, 5, 6, 1 + 1 + 2 + 2 + 1},
                 {{BY_ALL, cut, sizeof cut / 2, .cuts = true}, 11, 3, 9, 1 + 2}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            struct streamer *const s = begin(*name);
            struct way w = cases[n / 2].way;
            w.apart = n % 2;
            draw(s, &w);
            const uint32_t shaded = statistic(s, PS_DEPTHS);
            assert_true(shaded);
            expect(s, &w,
                   (const uint32_t[STATISTICS]){
                       cases[n / 2].vertices * INSTANCES, cases[n / 2].objects * INSTANCES,
                       (w.apart ? cases[n / 2].vertices : cases[n / 2].kept) * INSTANCES,
                       cases[n / 2].objects * INSTANCES, cases[n / 2].leaving * INSTANCES,
                       shaded * counts_a_pixel(), shaded});
            streamer_destroy(s);
        }
}

/* Threads of vertices, a channel for each, with what they do; those of pixels are apart from them. What is
 * sent is counted in 32 bytes. */
static void observed(void **state)
{
    (void)state;
    enum { SENDS = 2, ACTIVE = 4, OF_VS = 1 << 4, OF_PS = 5 << 4, SENT = 9, WIDE_SENT = 2 * (5 + 5) };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct way w = {.counts = BY_ALL};
        const unsigned threads = (ONE_BY_ONE - 1u) / lanes().channels + 1u,
                       sent = has_wide_registers() ? WIDE_SENT : SENT;
        counters_start(s);
        register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL0"),
                     SENDS | OF_VS | (SENDS | OF_PS) << 12);
        register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL1"),
                     ACTIVE | OF_VS | (ACTIVE | OF_PS) << 12);
        register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL2"), ACTIVE);
        draw(s, &w);
        softgt_advance(s->device, 1000000);
        assert_int_equal(a_counter(s, 1), threads * INSTANCES);
        for (unsigned a = 2; a < 6; a++)
            assert_int_equal(a_counter(s, a), 0);
        assert_true(a_counter(s, 6) > 0);
        assert_int_equal(a_counter(s, 7), threads * INSTANCES * sent);
        assert_int_equal(a_counter(s, 8), a_counter(s, 6) * 8);
        assert_true(a_counter(s, 9) >= threads * INSTANCES * (sent + 9));
        assert_true(a_counter(s, 10) > a_counter(s, 8));
        assert_int_equal(a_counter(s, 11), a_counter(s, 9) + a_counter(s, 10));
        assert_int_equal(register_get(s, counters_of(s).free + 8), a_counter(s, 6));
        streamer_destroy(s);
    }
}

/* Vertices are shaded and counted though no pixel comes of them: the clipper rejects all, streaming out does
 * not render, no sample counts. What does not render does not come to the clipper. */
static void discarded(void **state)
{
    (void)state;
    static const uint16_t indices[] = {0, 1, 2, 0, 1, 2};
    static const struct {
        struct way way;
        uint32_t entering, leaving;
    } cases[] = {{{BY_ALL, indices, 6, .clip_mode = 3}, 2, 0},
                 {{BY_ALL, indices, 6, .streamout = 1u << 30}, 0, 0},
                 {{BY_ALL, indices, 6, .no_mask = 1}, 2, 2}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
            struct streamer *const s = begin(*name);
            const struct way *const w = &cases[n].way;
            counters_start(s);
            draw(s, w);
            softgt_advance(s->device, 100000);
            expect(s, w,
                   (const uint32_t[STATISTICS]){6 * INSTANCES, 2 * INSTANCES, 3 * INSTANCES,
                                                cases[n].entering * INSTANCES, cases[n].leaving * INSTANCES,
                                                0, 0});
            assert_int_equal(a_counter(s, 1), INSTANCES);
            for (unsigned a = 6; a < 28; a += a == 6 ? 15 : 1)
                assert_int_equal(a_counter(s, a), 0);
            assert_int_equal(pixels_drawn(s), 0);
            streamer_destroy(s);
        }
}

/* A query's two numbers: pixels that passed by PIPE_CONTROL_6DW, all statistics by MI_STORE_REGISTER_MEM,
 * around a draw and behind another one. */
static void queries(void **state)
{
    (void)state;
    enum { AT = 1984 * KB, EACH = 256 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct way w = {.counts = BY_ALL};
        uint32_t dw[3 * MOST_DW], count = 0, primitive[7];
        put_kernels(s);
        for (unsigned n = 0; n < 3; n++) {
            if (n == 1) {
                count += put_draw(s, &w, dw + count);
                memcpy(primitive, dw + count - 7, sizeof primitive);
            } else if (n) {
                memcpy(dw + count, primitive, sizeof primitive);
                count += 7;
            }
            count += assemble(s->device, 0, dw + count,
                              "PIPE_CONTROL depth_stall_enable, post_sync_operation = write_ps_depth_count,"
                              " address = %u, length = 6",
                              AT + n * EACH);
            for (unsigned i = 0; i < 2 * STATISTICS; i++)
                count += assemble(s->device, 0, dw + count,
                                  "MI_STORE_REGISTER_MEM register_address = %u, memory_address = %u",
                                  register_offset(s->device, registers[i / 2]) + i % 2 * 4,
                                  AT + n * EACH + 8 + i * 4);
        }
        memset(s->memory + AT, 0xee, 3 * EACH);
        batch_run(s, dw, count, true);
        const uint32_t shaded = dword_at(s, AT + EACH);
        assert_true(shaded);
        const uint32_t of_draw[STATISTICS] = {ONE_BY_ONE * INSTANCES,
                                              OBJECTS * INSTANCES,
                                              ONE_BY_ONE * INSTANCES,
                                              OBJECTS * INSTANCES,
                                              LEAVING * INSTANCES,
                                              shaded * counts_a_pixel(),
                                              shaded};
        for (unsigned n = 0; n < 3; n++) {
            assert_int_equal(dword_at(s, AT + n * EACH), n * shaded);
            assert_int_equal(dword_at(s, AT + n * EACH + 4), 0);
            for (unsigned i = 0; i < STATISTICS; i++) {
                assert_int_equal(dword_at(s, AT + n * EACH + 8 + i * 8), n * of_draw[i]);
                assert_int_equal(dword_at(s, AT + n * EACH + 12 + i * 8), 0);
            }
        }
        streamer_destroy(s);
    }
}

/* In pieces of every size, saved and loaded between them: what is counted is the same. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    static const uint16_t indices[] = {0, 1, 2, 3, 4, 5, CUT, 0, 1, 2, 12, 13, 14};
    const struct way w = {BY_ALL, indices, sizeof indices / 2, .cuts = true};
    for (EACH_DRAW_DEVICE(name)) {
        uint32_t is[STATISTICS], seen[28], dw[MOST_DW];
        for (unsigned pieces = 0; pieces < 2; pieces++) {
            struct streamer *const s = begin(*name);
            unsigned cuts = 0;
            put_kernels(s);
            counters_start(s);
            const uint32_t count = put_draw(s, &w, dw);
            batch_put(s, dw, count, true);
            while (softgt_run(s->device, pieces ? 1 + cuts % 20 : 1u << 22) && ++cuts) {
                reload(s->device);
                assert_true(cuts < 10000);
            }
            assert_true(!pieces || cuts > 10);
            softgt_advance(s->device, 1000000);
            for (unsigned n = 0; n < STATISTICS; n++)
                if (pieces)
                    assert_int_equal(statistic(s, n), is[n]);
                else
                    assert_true((is[n] = statistic(s, n)) != 0);
            for (unsigned a = 1; a < 28; a++)
                if (pieces)
                    assert_int_equal(a_counter(s, a), seen[a]);
                else
                    seen[a] = a_counter(s, a);
            streamer_destroy(s);
        }
    }
}

/* Another context comes in between two primitives: its statistics are its own, the first one's go on where
 * they were. Vertices that were kept are gone: those that are shaded again count again. */
static void preempted(void **state)
{
    (void)state;
    static const uint16_t indices[] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 12, 13, 14};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned kept = 0; kept < 2; kept++) {
            const struct way w = {BY_ALL, indices, sizeof indices / 2, .apart = !kept};
            uint32_t is[STATISTICS], dw[MOST_DW];
            struct streamer *s = begin(*name);
            draw(s, &w);
            for (unsigned n = 0; n < STATISTICS; n++)
                is[n] = statistic(s, n);
            streamer_destroy(s);
            s = begin(*name);
            put_kernels(s);
            masked_put(s, "FF_SLICE_CS_CHICKEN3", 1, 1);
            context_put(s, 0, dw, put_draw(s, &w, dw));
            context_submit(s, 0);
            for (unsigned i = 0; i < 100 && !streamer_status(s).thread_groups; i++)
                softgt_run(s->device, 1);
            another_context_comes(s);
            context_submit(s, 0);
            softgt_run(s->device, 1 << 22);
            for (unsigned n = 0; n < STATISTICS; n++)
                if (kept && n == VS_INVOCATIONS)
                    assert_in_range(statistic(s, n), is[n] + 1, is[n] + 9);
                else
                    assert_int_equal(statistic(s, n), is[n]);
            streamer_destroy(s);
        }
}

/* Indices of more than a page, of which some cut: another context comes in wherever it can, while they are
 * counted or while they are drawn. All is counted once. */
static void counted_once(void **state)
{
    (void)state;
    enum { INDICES_OF_ALL = 2600, PARTS = INDICES_OF_ALL / 4, STEPS = 48 };
    static uint16_t indices[INDICES_OF_ALL];
    for (unsigned i = 0; i < INDICES_OF_ALL; i++)
        indices[i] = i % 4 == 3 ? CUT : (uint16_t)(6 + i % 4); /* behind the far plane */
    const struct way w = {BY_ALL, indices, INDICES_OF_ALL, .apart = true, .cuts = true};
    static const uint32_t is[STATISTICS] = {PARTS * 3 * INSTANCES, PARTS * INSTANCES, PARTS * 3 * INSTANCES,
                                            PARTS * INSTANCES};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct blob fresh = saved(s->device);
        unsigned while_counted = 0, while_drawn = 0;
        for (unsigned steps = 16; steps < STEPS; steps++) {
            uint32_t dw[MOST_DW];
            assert_int_equal(softgt_load(s->device, fresh.bytes, fresh.size), 0);
            k.count = 0;
            put_kernels(s);
            masked_put(s, "FF_SLICE_CS_CHICKEN3", 1, 1);
            context_put(s, 0, dw, put_draw(s, &w, dw));
            context_submit(s, 0);
            for (unsigned i = 0; i < steps; i++)
                softgt_run(s->device, 1);
            const uint32_t counted = statistic(s, IA_VERTICES);
            while_counted += counted && counted < is[IA_VERTICES];
            while_drawn += counted == is[IA_VERTICES];
            another_context_comes(s);
            context_submit(s, 0);
            softgt_run(s->device, 1 << 26);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            expect(s, &w, is);
        }
        assert_true(while_counted && while_drawn);
        free(fresh.bytes);
        streamer_destroy(s);
    }
}

/* A draw counts the same whether it is drawn or only counted, for each topology: stream output sees all of
 * its objects, and the clipper accepts them. */
static void counted_and_drawn(void **state)
{
    (void)state;
    enum { ACCEPT_ALL = 4, PATCHLIST_3 = 34 };
    static const uint8_t vertices[] = {1, 2, 3, 5, 6, 8};
    const struct way w = {
        .counts = BY_VF | BY_VS | BY_CLIP | BY_SF, .clip_mode = ACCEPT_ALL, .streamout = 1u << 31 | 1u << 25};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s[2] = {begin(*name), begin(*name)};
        uint32_t dw[MOST_DW], more[80];
        dispatcher_of(&s[0]->device->engines[0])->draws->enabled = false;
        for (uint32_t topology = 1; topology <= PATCHLIST_3; topology++)
            for (unsigned i = 0; i < sizeof vertices; i++) {
                for (unsigned drawn = 0; drawn < 2; drawn++) {
                    struct scene c = {.topology = topology,
                                      .vertices = vertices[i],
                                      .instances = INSTANCES,
                                      .elements = INSTANCES,
                                      .clip = six,
                                      .format = R8G8B8A8_UNORM,
                                      .more = more};
                    c.more_dw = put_more(s[drawn], &w, more);
                    k.count = 0;
                    put_kernels(s[drawn]);
                    batch_run(s[drawn], dw, put_scene(s[drawn], &c, dw), true);
                    assert_int_equal(streamer_status(s[drawn]).state, SOFTGT_ENGINE_IDLE);
                }
                for (unsigned n = 0; n < STATISTICS; n++)
                    assert_int_equal(statistic(s[0], n), statistic(s[1], n));
                assert_int_equal(counter_at(s[0], "SO_PRIM_STORAGE_NEEDED[0]"),
                                 counter_at(s[1], "SO_PRIM_STORAGE_NEEDED[0]"));
            }
        assert_int_not_equal(counter_at(s[1], "SO_PRIM_STORAGE_NEEDED[0]"), 0);
        streamer_destroy(s[0]);
        streamer_destroy(s[1]);
    }
}

TEST_PROGRAM(draw_counters_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_and_drawn),
        cmocka_unit_test(enables),
        cmocka_unit_test(indexed),
        cmocka_unit_test(observed),
        cmocka_unit_test(discarded),
        cmocka_unit_test(queries),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(preempted),
        cmocka_unit_test(counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
