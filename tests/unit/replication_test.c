/* Replicated primitives (3DSTATE_PRIMITIVE_REPLICATION, Gen12 and later): each replica has its own positions,
 * viewport and array element; the same however the run is cut, saved, loaded and preempted. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../draws.h"

#include "../saved.h"

enum { POSITIONS = 3, ELEMENTS = 6, VERTEX_BYTES = 64, VERTICES_OF_DRAW = 6, MOST_MORE_DW = 96 };
static const char *const with_replication[] = {"tgl", "dg2"};
#define EACH(name)                                                                                           \
    unsigned name = 0;                                                                                       \
    name < sizeof with_replication / sizeof with_replication[0];                                             \
    name++

struct replicas {
    uint32_t count, mask;     /* as in the command */
    uint32_t element_offsets; /* 4 bits for each */
    uint32_t fill_mode;
};

/* Two triangles, whose replica n is n * 16 pixels to the right. */
static uint32_t put_replicas(struct streamer *s, const struct replicas *r, uint32_t dws[MOST_DW])
{
    static const float corners[VERTICES_OF_DRAW][2] = {{2, 2}, {12, 2}, {2, 12}, {2, 16}, {12, 16}, {2, 26}};
    uint32_t more[MOST_MORE_DW], *to = more;
    for (unsigned i = 0; i < VERTICES_OF_DRAW; i++)
        for (unsigned n = 0; n < POSITIONS; n++) {
            const float at[4] = {corners[i][0] + 16 * (float)n, corners[i][1], 0, 1};
            memcpy(s->memory + VERTICES + i * VERTEX_BYTES + n * sizeof at, at, sizeof at);
        }
#define POSITION(offset)                                                                                     \
    " { " offset ", 0, r32g32b32a32_float, 1, 0, store_src, store_src, store_src, store_src }"
    commands_put(
        s->device, 0, &to,
        "3DSTATE_VERTEX_BUFFERS" VERTEX_BUFFER "," VERTEX_BUFFER "\n"
        "3DSTATE_VERTEX_ELEMENTS { 0, 0, r32g32b32a32_float, 1, 1, store_0, store_0, store_0, store_src "
        "}," POSITION("0") "," POSITION("16") "," POSITION(
            "32") "\n"
                  "3DSTATE_VF_SGVS\n"
                  "3DSTATE_CLIP clip_enable, perspective_divide_disable\n"
                  "3DSTATE_SF statistics_enable\n"
                  "3DSTATE_RASTER cull_mode = none, front_face_fill_mode = %u, back_face_fill_mode = %u\n"
                  "3DSTATE_PRIMITIVE_REPLICATION replication_count = %u, replica_mask = %u, dw4 = %u",
        0, VERTEX_BYTES, VERTICES, VERTEX_BYTES * VERTICES_OF_DRAW, 1, 0, FLAT, 48, r->fill_mode,
        r->fill_mode, r->count, r->mask, r->element_offsets);
    const struct scene scene = {.topology = TRILIST,
                                .vertices = VERTICES_OF_DRAW,
                                .format = R32G32B32A32_UINT,
                                .attributes = 1,
                                .constant = 1,
                                .elements = ELEMENTS,
                                .more = more,
                                .more_dw = (uint32_t)(to - more)};
    return put_scene(s, &scene, dws);
}

static bool is_drawn(const struct streamer *s, uint32_t element, uint32_t x, uint32_t y)
{
    return dword_at(s, TARGET + element * PITCH * HEIGHT + y * PITCH + x * 16) != STALE;
}

/* Each element has the triangles of the replicas that are drawn to it, and no others. */
static void expect_replicas(const struct streamer *s, const struct replicas *r)
{
    const uint32_t count = r->count + 1, mask = r->count ? r->mask : 1;
    for (uint32_t element = 0; element < ELEMENTS; element++)
        for (uint32_t n = 0; n < POSITIONS; n++) {
            const uint32_t offset = r->count ? r->element_offsets >> 4 * n & 15u : 0;
            const bool drawn = n < count && mask >> n & 1u && offset == element;
            assert_int_equal(is_drawn(s, element, 4 + 16 * n, 4), drawn);
            assert_int_equal(is_drawn(s, element, 4 + 16 * n, 18), drawn);
        }
}

static const struct replicas rows[] = {
    {0, 0, 0, 0},     {0, 2, 0x11, 0}, {1, 3, 0x20, 0}, {2, 7, 0x521, 0},
    {2, 5, 0x013, 0}, {2, 2, 0, 0},    {2, 0, 0, 0},
};

static void replicas_are_drawn(void **state)
{
    (void)state;
    for (EACH(name))
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct streamer *const s = begin(with_replication[name]);
            uint32_t dw[MOST_DW];
            put_places(s);
            batch_run(s, dw, put_replicas(s, &rows[i], dw), true);
            expect_replicas(s, &rows[i]);
            assert_int_equal(counter_at(s, "CL_PRIMITIVES_COUNT"),
                             2 * (rows[i].count ? __builtin_popcount(rows[i].mask) : 1));
            streamer_destroy(s);
        }
}

static uint32_t sum_of_target(const struct streamer *s)
{
    uint32_t sum = 0;
    for (uint32_t at = 0; at < ELEMENTS * PITCH * HEIGHT; at += 4)
        sum = sum * 31 + dword_at(s, TARGET + at);
    return sum;
}

/* Before a kernel: threads that are longer than a slice run one by one. */
static void put_long_places(struct streamer *s)
{
    for (unsigned i = 0; i < 300; i++)
        KERNEL_1(&k, EU_MOV, all, reg(60, TYPE_UD), imm(i, TYPE_UD));
    put_places(s);
}

/* Filled triangles, and their edges. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH(name))
        for (uint32_t fill_mode = 0; fill_mode < 2; fill_mode++) {
            const struct replicas r = {2, 7, 0x521, fill_mode};
            struct streamer *const entire = begin(with_replication[name]);
            uint32_t dw[MOST_DW], most = 0;
            put_places(entire);
            batch_run(entire, dw, put_replicas(entire, &r, dw), true);
            struct streamer *const s = begin(with_replication[name]);
            put_long_places(s);
            batch_put(s, dw, put_replicas(s, &r, dw), true);
            for (unsigned i = 0; softgt_run(s->device, 1 + i % 30); i++) {
                const struct draw_cursor *const c =
                    &dispatcher_of(&s->device->engines[0])->draws->draw.cursor;
                most = c->phase == DRAW_RASTERIZE && c->replica > most ? c->replica : most;
                reload(s->device);
                assert_true(i < 100000);
            }
            assert_int_equal(most, 2);
            assert_int_equal(sum_of_target(s), sum_of_target(entire));
            assert_int_equal(counter_at(s, "CL_PRIMITIVES_COUNT"), counter_at(entire, "CL_PRIMITIVES_COUNT"));
            streamer_destroy(s);
            streamer_destroy(entire);
        }
}

/* Another context comes at each replica, and at its beginning. */
static void preempted(void **state)
{
    (void)state;
    for (EACH(name))
        for (unsigned at = 0; at < 6; at++) {
            const struct replicas r = {2, 7, 0x521, at & 1u};
            struct streamer *const entire = begin(with_replication[name]);
            uint32_t dw[MOST_DW];
            put_places(entire);
            batch_run(entire, dw, put_replicas(entire, &r, dw), true);
            struct streamer *const s = begin(with_replication[name]);
            put_long_places(s);
            masked_put(s, "FF_SLICE_CS_CHICKEN3", 1, 1);
            context_put(s, 0, dw, put_replicas(s, &r, dw));
            context_submit(s, 0);
            const struct draw_cursor *const c = &dispatcher_of(&s->device->engines[0])->draws->draw.cursor;
            while (c->replica != at / 2 || c->phase < DRAW_RASTERIZE)
                assert_true(softgt_run(s->device, 1));
            another_context_comes(s);
            context_submit(s, 0);
            softgt_run(s->device, 1 << 22);
            assert_int_equal(sum_of_target(s), sum_of_target(entire));
            assert_int_equal(counter_at(s, "CL_PRIMITIVES_COUNT"), counter_at(entire, "CL_PRIMITIVES_COUNT"));
            streamer_destroy(s);
            streamer_destroy(entire);
        }
}

TEST_PROGRAM(replication_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_are_drawn),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(preempted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
