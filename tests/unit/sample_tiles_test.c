/* Draws of several samples tile by tile leave the same memory and counts as in order, with one thread of the
 * host or several. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../depths.h"
#include "../samples.h"

enum {
    TILED_WIDTH = 256,
    TILED_HEIGHT = 128,
    TILED_DEPTH = SAMPLE_TARGET + SAMPLE_TARGET_BYTES,
    TILED_DEPTH_PITCH = 2048,
    TRIANGLES = 14
};

/* How the shader runs, and when tests are. */
enum shading { BY_PIXEL, BY_PIXEL_KILLS, BY_SAMPLE, SHADINGS };

static void put_random_triangles(float at[3 * TRIANGLES][3], uint64_t *seed)
{
    for (unsigned i = 0; i < 3 * TRIANGLES; i++) {
        at[i][0] = (float)below(seed, (TILED_WIDTH + 64) * 16) / 16 - 32;
        at[i][1] = (float)below(seed, (TILED_HEIGHT + 64) * 16) / 16 - 32;
        at[i][2] = (float)below(seed, 1000) / 1000;
    }
}

/* Barycentrics as colors, which are added to what is there. */
static void put_barycentric_colors(struct streamer *s)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, whole, reg(PAYLOAD + i % 2 * 2 + i / 2, TYPE_F), reg(2 + i, TYPE_F));
    for (unsigned i = 2; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F), imm(float_bits(i == 2 ? 0.125f : 1), TYPE_F));
    put_write();
    put_kernel(s);
}

static uint32_t put_tiled_scene(struct streamer *s, unsigned log2, enum shading shading, uint64_t seed,
                                uint32_t dw[MOST_DW])
{
    enum { BIM_LINEAR_CENTROID = 16, BIM_LINEAR_SAMPLE = 32 };
    const uint32_t add_all = 1u << 31 | 1u << 26 | 1u << 21;
    const struct sampling a = {.log2 = log2, .mask = 0xffff};
    float at[3 * TRIANGLES][3];
    struct tests t = usual(D16);
    struct scene c = {.topology = TRILIST,
                      .vertices = 3 * TRIANGLES,
                      .at = (const float(*)[3])(const void *)at,
                      .format = R8G8B8A8_UNORM,
                      .blending = {add_all, 0},
                      .scissor = {0, (TILED_HEIGHT - 1) << 16 | (TILED_WIDTH - 1)},
                      .kills = shading == BY_PIXEL_KILLS,
                      .statistics = true};
    put_random_triangles(at, &seed);
    put_barycentric_colors(s);
    put_tests(s, &t);
    COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_DEPTH_BUFFER"),
                {"Surface Base Address", TILED_DEPTH}, {"Surface Pitch", TILED_DEPTH_PITCH - 1},
                {"Width", TILED_WIDTH - 1}, {"Height", TILED_HEIGHT - 1});
    if (k.set == &eu_gen125)
        COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_DEPTH_BUFFER"),
                    {"Tiled Mode", .value_name = "TILE64"});
    c.more = t.dw;
    c.more_dw = t.count;
    const uint32_t count = put_sampled_scene(s, &c, &a, dw);
    STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                     {"Surface QPitch", TILED_HEIGHT / 4}, {"Width", TILED_WIDTH - 1},
                     {"Height", TILED_HEIGHT - 1});
    COMMAND_PUT(
        s->device, command_named(s->device, dw, count, "3DSTATE_WM"),
        {"Barycentric Interpolation Mode", shading == BY_SAMPLE ? BIM_LINEAR_SAMPLE : BIM_LINEAR_CENTROID});
    COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                {"Pixel Shader Is Per Sample", shading == BY_SAMPLE});
    memset(s->memory + SAMPLE_MEMORY, 0, SAMPLE_TARGET_BYTES);
    memset(s->memory + SAMPLE_MEMORY + SAMPLE_TARGET_BYTES, 0xff, PAGE_2M - SAMPLE_TARGET_BYTES);
    return count;
}

static void tiles_and_order(void **state)
{
    (void)state;
    enum { IN_ORDER, BY_TILES };
    uint64_t seed = 3;
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 3 * SHADINGS; n++) {
            struct streamer *s[2];
            uint32_t counts[2][2];
            uint64_t threads[2];
            seed = random_next(&seed);
            for (unsigned way = IN_ORDER; way <= BY_TILES; way++) {
                uint32_t dw[MOST_DW];
                s[way] = begin(*name);
                struct thread_dispatcher *const d = dispatcher_of(&s[way]->device->engines[0]);
                if (way == IN_ORDER)
                    d->draws->parallel = NULL;
                const uint32_t count =
                    put_tiled_scene(s[way], 1 + n / SHADINGS, (enum shading)(n % SHADINGS), seed, dw);
                run_sampled(s[way], dw, count, RUN_WHOLE);
                if (way == BY_TILES)
                    assert_int_equal(d->draws->draw.tiles_use, TILES_PARALLEL);
                counts[way][0] = counter_at(s[way], "PS_DEPTH_COUNT");
                counts[way][1] = counter_at(s[way], "PS_INVOCATION_COUNT");
                threads[way] = streamer_status(s[way]).threads;
            }
            assert_true(counts[0][0] > TILED_WIDTH * TILED_HEIGHT);
            assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
            assert_int_equal(threads[0], threads[1]);
            assert_memory_equal(s[0]->memory + SAMPLE_MEMORY, s[1]->memory + SAMPLE_MEMORY, PAGE_2M);
            streamer_destroy(s[0]);
            streamer_destroy(s[1]);
        }
}

TEST_PROGRAM(sample_tiles_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_and_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
