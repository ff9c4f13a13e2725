/* Fast clears of Gen20: a pixel of the rectangle stands for 64 bytes of 4 rows, of the target or of its
 * multisample control surface (MCS), and the pixel shader's color is the clear value. (Mesa, blorp:
 * get_fast_clear_rect; the MCS begins behind a page, blorp_mcs_ambiguate) */
#include "../suite.h"
#include "draws.h"
#include "saved.h"

#include "memory/tiling.h"

enum { STATE = SURFACES + STATES_AT, BLOCK_ROWS = 4, MCS = 1872 * KB, MCS_PITCH = 128, ELEMENT = 0xe4 };
static const float color[4] = {1, 0, 1, 0.2f};
static const float rectangle[3][3] = {{3, 5, 0}, {1, 5, 0}, {1, 2, 0}}; /* x 1 and 2, y 2 to 4 */
static const float everything[3][3] = {{64, 64, 0}, {0, 64, 0}, {0, 0, 0}};

static struct scene clear_of(const float at[3][3], uint32_t format, bool tiled)
{
    return (struct scene){
        .topology = RECTLIST, .vertices = 3, .at = at, .format = format, .tiled = tiled, .clears = true};
}

/* `cuts`: the run, at each instruction, with saves. */
static void run(struct streamer *s, const uint32_t *dw, uint32_t count, bool cuts)
{
    if (!cuts) {
        batch_run(s, dw, count, true);
    } else {
        batch_put(s, dw, count, true);
        while (softgt_run(s->device, 1))
            reload(s->device);
    }
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

/* The first dword of a pixel. */
static uint32_t pixel_at(struct streamer *s, const struct scene *c, uint32_t bytes, uint32_t x, uint32_t y)
{
    const struct tile_layout *const tiles = tile_layout(SOFTGT_TILE_4, bytes);
    const uint64_t at = c->tiled
                            ? (uint64_t)tile_offset(tiles, false, PITCH, (int32_t)(x * bytes), (int32_t)y)
                            : y * (uint64_t)PITCH + x * bytes;
    return dword_at(s, (uint32_t)(TARGET + at));
}

static void expect_cleared(struct streamer *s, const struct scene *c, uint32_t bytes, const uint32_t from[2],
                           const uint32_t end[2], uint32_t cleared)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const bool inside = x >= from[0] && x < end[0] && y >= from[1] && y < end[1];
            assert_int_equal(pixel_at(s, c, bytes, x, y), inside ? cleared : STALE);
        }
}

static void blocks_of_pixels(void **state)
{
    enum { WIDE = 16, RGBA8 = 4 };
    (void)state;
    for (unsigned tiled = 0; tiled < 2; tiled++)
        for (unsigned wide = 0; wide < 2; wide++)
            for (unsigned cuts = 0; cuts < 2; cuts++) {
                const uint32_t bytes = wide ? WIDE : RGBA8, across = 64 / bytes;
                const struct scene c = clear_of(rectangle, wide ? R32G32B32A32_FLOAT : R8G8B8A8_UNORM, tiled);
                struct streamer *const s = begin("bmg");
                uint32_t dw[MOST_DW];
                put_color(s, color);
                run(s, dw, put_scene(s, &c, dw), cuts);
                expect_cleared(s, &c, bytes, (const uint32_t[2]){across, 2 * BLOCK_ROWS},
                               (const uint32_t[2]){3 * across, 5 * BLOCK_ROWS},
                               wide ? float_bits(1) : RGBA(255, 0, 255, 51));
                assert_int_equal(streamer_status(s).threads, 1);
                streamer_destroy(s);
            }
}

/* Pixels that the target does not have are not cleared. */
static void edges_of_the_target(void **state)
{
    enum { ACROSS = 37, DOWN = 22, BYTES = 4 };
    (void)state;
    for (unsigned tiled = 0; tiled < 2; tiled++) {
        const struct scene c = clear_of(everything, R8G8B8A8_UNORM, tiled);
        struct streamer *const s = begin("bmg");
        uint32_t dw[MOST_DW];
        put_color(s, color);
        const uint32_t count = put_scene(s, &c, dw);
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, STATE), {"Width", ACROSS - 1},
                         {"Height", DOWN - 1});
        run(s, dw, count, false);
        expect_cleared(s, &c, BYTES, (const uint32_t[2]){0, 0}, (const uint32_t[2]){ACROSS, DOWN},
                       RGBA(255, 0, 255, 51));
        streamer_destroy(s);
    }
}

/* Before a scene's draw: so many samples, of which it draws those of the mask. */
static void put_samples(struct streamer *s, uint32_t *dw, uint32_t *count, unsigned samples_log2,
                        unsigned mask)
{
    insert_before_primitive(s, dw, count,
                            "3DSTATE_MULTISAMPLE number_of_multisamples = %u\n"
                            "3DSTATE_SAMPLE_MASK sample_mask = %u\n"
                            "3DSTATE_RASTER cull_mode = none, dx_multisample_rasterization_enable",
                            samples_log2, mask);
}

/* Of four samples a byte of the MCS is a pixel's: a block has 64 of these. The elements say then that all
 * samples are in the first array element. */
static void blocks_of_samples(void **state)
{
    enum { FOUR = 2, BYTES = 4, BLOCKS_DOWN = 2, ELEMENT_BYTES = 4 * KB };
    static const float left[3][3] = {{1, 4, 0}, {0, 4, 0}, {0, BLOCKS_DOWN, 0}};
    (void)state;
    for (unsigned cuts = 0; cuts < 2; cuts++) {
        struct scene c = clear_of(left, R8G8B8A8_UNORM, true);
        struct streamer *const s = begin("bmg");
        uint32_t dw[MOST_DW];
        c.samples = FOUR;
        put_color(s, color);
        uint32_t count = put_scene(s, &c, dw);
        put_samples(s, dw, &count, FOUR, 15);
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, STATE),
                         {"Auxiliary Surface Mode", .value_name = "AUX_MCS"}, {"Auxiliary Surface Pitch", 0},
                         {"Auxiliary Surface Base Address", MCS});
        memset(s->memory + MCS, ELEMENT, 2 * ELEMENT_BYTES);
        run(s, dw, count, cuts);
        expect_cleared(s, &c, BYTES, (const uint32_t[2]){0, BLOCKS_DOWN * BLOCK_ROWS},
                       (const uint32_t[2]){WIDTH, 4 * BLOCK_ROWS}, RGBA(255, 0, 255, 51));
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                const uint64_t at = (uint64_t)tile_offset(tile_layout(SOFTGT_TILE_4, 1), false, MCS_PITCH,
                                                          (int32_t)x, (int32_t)y);
                const bool inside = y >= BLOCKS_DOWN * BLOCK_ROWS && y < 4 * BLOCK_ROWS;
                assert_int_equal(s->memory[MCS + at], ELEMENT);
                assert_int_equal(s->memory[MCS + ELEMENT_BYTES + at], inside ? 0 : ELEMENT);
            }
        streamer_destroy(s);
    }
}

/* A draw that follows gives each sample of its pixels an array element. */
static void draws_after_clears(void **state)
{
    enum { FOUR = 2, ELEMENT_BYTES = 4 * KB };
    static const float first[3][3] = {{1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    static const float black[4] = {0, 0, 0, 0};
    (void)state;
    struct streamer *const s = begin("bmg");
    for (unsigned draws = 0; draws < 2; draws++) {
        struct scene c = clear_of(first, R8G8B8A8_UNORM, true);
        uint32_t dw[MOST_DW], target[2] = {dword_at(s, TARGET), dword_at(s, TARGET + HEIGHT * PITCH)};
        c.samples = FOUR;
        c.clears = !draws;
        k.count = 0;
        put_color(s, draws ? black : color);
        uint32_t count = put_scene(s, &c, dw);
        if (draws)
            memcpy(s->memory + TARGET, &target[0], sizeof target[0]);
        put_samples(s, dw, &count, FOUR, 2);
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, STATE),
                         {"Auxiliary Surface Mode", .value_name = "AUX_MCS"},
                         {"Auxiliary Surface Base Address", MCS});
        run(s, dw, count, false);
    }
    for (uint32_t sample = 0; sample < 4; sample++)
        assert_int_equal(dword_at(s, TARGET + sample * HEIGHT * PITCH),
                         sample == 1 ? 0 : RGBA(255, 0, 255, 51));
    assert_int_equal(s->memory[MCS + ELEMENT_BYTES], ELEMENT);
    streamer_destroy(s);
}

TEST_PROGRAM(clear_blocks_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_pixels), cmocka_unit_test(edges_of_the_target),
        cmocka_unit_test(blocks_of_samples), cmocka_unit_test(draws_after_clears)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
