/* Draws of Gen6 with four samples: where 3DSTATE_MULTISAMPLE, 3DSTATE_SAMPLE_MASK and 3DSTATE_WM have their
 * state, targets, depths and stencils that interleave samples, threads of samples, alpha to coverage; in
 * pieces, saved and loaded. (SNB PRM vol 2 part 1, Multisampling; vol 1 part 1, Multisampled Surfaces) */
#include "../suite.h"
#include "../gen6_scenes.h"
#include "../saved.h"

enum {
    SAMPLES_OF_GEN6 = 4,
    NUMSAMPLES_4 = 2,
    SAMPLED_PITCH = 256,
    SAMPLED_BYTES = SAMPLED_PITCH * 2 * HEIGHT
};
enum { OFF_PIXEL, OFF_PATTERN, ON_PIXEL, ON_PATTERN };
enum { PERSAMPLE, PERPIXEL };
static const uint8_t positions[SAMPLES_OF_GEN6][2] = {
    {6, 2}, {14, 6}, {2, 10}, {10, 14}}; /* 1/16 of a pixel */

/* Of a sample: a subspan becomes two by two subspans, one for each sample, in Y tiles. */
static uint32_t sample_place(uint32_t base, uint32_t x, uint32_t y, unsigned sample)
{
    const uint32_t column = ((x / 2 * 2 + sample % 2) * 2 + x % 2) * 4,
                   row = (y / 2 * 2 + sample / 2) * 2 + y % 2;
    return base + (row / 32 * (SAMPLED_PITCH / 128) + column / 128) * 4096 + column % 128 / 16 * 512 +
           row % 32 * 16 + column % 16;
}

/* A rectangle in 1/16 of a pixel, as two triangles of the clip space; the upper edge of the screen is at 1.
 */
static void put_rectangle(float at[6][4], const int32_t edges[4], float depth)
{
    static const uint8_t corners[6][2] = {{0, 1}, {2, 1}, {2, 3}, {0, 1}, {2, 3}, {0, 3}};
    for (unsigned i = 0; i < 6; i++) {
        at[i][0] = (float)edges[corners[i][0]] / (16 * WIDTH / 2) - 1;
        at[i][1] = 1 - (float)edges[corners[i][1]] / (16 * HEIGHT / 2);
        at[i][2] = depth;
        at[i][3] = 1;
    }
}

static bool is_in(const int32_t edges[4], uint32_t x, uint32_t y, const uint8_t position[2])
{
    const int32_t x16 = (int32_t)x * 16 + position[0], y16 = (int32_t)y * 16 + position[1];
    return x16 >= edges[0] && x16 < edges[2] && y16 >= edges[1] && y16 < edges[3];
}

/* Gives a scene four samples. */
static void sample_scene(struct made_scene *m, uint32_t mask, unsigned rasterization, unsigned dispatch)
{
    uint32_t *const multisample = command_of(m, "3DSTATE_MULTISAMPLE");
    COMMAND_PUT(m->s->device, multisample, {"Number of Multisamples", NUMSAMPLES_4});
    multisample[2] = 0xae2ae662;
    COMMAND_PUT(m->s->device, command_of(m, "3DSTATE_SAMPLE_MASK"), {"Sample Mask", mask});
    COMMAND_PUT(m->s->device, command_of(m, "3DSTATE_WM"), {"Multisample Rasterization Mode", rasterization},
                {"Multisample Dispatch Mode", dispatch});
    STRUCTURE_CHANGE(m->s->device, "RENDER_SURFACE_STATE", dwords_at(m->s, SURFACES + STATE),
                     {"Number of Multisamples", NUMSAMPLES_4}, {"Tiled Surface", 1}, {"Tile Walk", 1},
                     {"Surface Pitch", SAMPLED_PITCH - 1});
    memset(m->s->memory + TARGET, (uint8_t)BACKGROUND, SAMPLED_BYTES);
}

static void run_sampled(struct made_scene *m, bool in_pieces)
{
    ring_put(m->s, m->dws, m->count);
    while (softgt_run(m->s->device, in_pieces ? 40 : RUN_BUDGET_DW))
        if (in_pieces)
            reload(m->s->device);
    expect_parsed(m->s);
}

/* Samples in the primitive and in the mask are written and counted; in modes of the pixel's location all
 * samples of a pixel are there. */
static void places_masks_and_modes(void **state)
{
    (void)state;
    static const uint8_t center[2] = {8, 8};
    for (unsigned n = 0; n < 32; n++) {
        const unsigned mode = n % 4, mask = n < 8 ? 15 : n % 15 + 1;
        const int32_t edges[4] = {3 * 16 + (int32_t)(n % 16), 5 * 16 + 15 - (int32_t)(n % 16), 27 * 16 + 9,
                                  20 * 16 + 3};
        float at[6][4];
        struct made_scene m;
        unsigned counted_samples = 0;
        put_rectangle(at, edges, 0.5f);
        make_scene(&m, &(struct scene){.topology = TRILIST,
                                       .vertices = 6,
                                       .at = (const float(*)[4])(const void *)at,
                                       .statistics = true});
        sample_scene(&m, mask, mode, PERPIXEL);
        run_sampled(&m, n % 5 == 4);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                for (unsigned sample = 0; sample < SAMPLES_OF_GEN6; sample++) {
                    const bool in =
                        mask >> sample & 1 &&
                        is_in(edges, x, y,
                              mode == OFF_PATTERN || mode == ON_PATTERN ? positions[sample] : center);
                    assert_int_equal(dword_at(m.s, sample_place(TARGET, x, y, sample)),
                                     in ? GREEN : BACKGROUND);
                    counted_samples += in;
                }
        assert_int_equal(counted(m.s, "PS_DEPTH_COUNT"), counted_samples);
        streamer_destroy(m.s);
    }
}

/* Depths of samples are at their places, and some of a pixel fail. */
static void depths_of_samples(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        static const int32_t all_of_it[4] = {0, 0, WIDTH * 16, HEIGHT * 16};
        float at[6][4];
        struct made_scene m;
        unsigned counted_samples = 0;
        put_rectangle(at, all_of_it, 0);
        for (unsigned i = 0; i < 6; i++) /* from 0 on the left to 1 on the right */
            at[i][2] = (at[i][0] + 1) / 2;
        make_scene(&m, &(struct scene){.topology = TRILIST,
                                       .vertices = 6,
                                       .at = (const float(*)[4])(const void *)at,
                                       .depth = true,
                                       .depth_function = LESS,
                                       .kills = n & 1 ? 0x10000 : 0,
                                       .statistics = true});
        sample_scene(&m, 15, ON_PATTERN, PERPIXEL);
        COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_DEPTH_BUFFER"),
                    {"Surface Pitch", SAMPLED_PITCH - 1});
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                for (unsigned sample = 0; sample < SAMPLES_OF_GEN6; sample++)
                    dword_put(m.s, sample_place(DEPTHS, x, y, sample),
                              float_bits((float)((x + y + sample) % 2)));
        run_sampled(&m, n & 2);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                for (unsigned sample = 0; sample < SAMPLES_OF_GEN6; sample++) {
                    const bool passes = (x + y + sample) % 2;
                    const double depth = passes ? (x + positions[sample][0] / 16.0) / WIDTH : 0;
                    float found;
                    memcpy(&found, m.s->memory + sample_place(DEPTHS, x, y, sample), sizeof found);
                    assert_true(found - depth < 1e-6 && depth - found < 1e-6);
                    assert_int_equal(dword_at(m.s, sample_place(TARGET, x, y, sample)),
                                     passes ? GREEN : BACKGROUND);
                    counted_samples += passes;
                }
        assert_int_equal(counted(m.s, "PS_DEPTH_COUNT"), counted_samples);
        streamer_destroy(m.s);
    }
}

/* mov (16) of m_to, dwords, from words of a register. */
static void move_words(struct kernel *k, unsigned to, unsigned from)
{
    enum { UW = 2 };
    struct eu_instruction i;
    uint32_t *const v = next(&i, "mov")->value;
    v[EU_EXECUTION_SIZE] = 4;
    v[EU_NO_MASK] = 1;
    v[EU_DST_FILE] = FILE_M;
    v[EU_DST_TYPE] = UD;
    v[EU_DST_REGISTER] = to;
    v[EU_DST_STRIDE] = 1;
    v[EU_SRC0_FILE] = FILE_R;
    v[EU_SRC0_TYPE] = UW;
    v[EU_SRC0_REGISTER] = from;
    v[EU_SRC0_VERTICAL] = 5;
    v[EU_SRC0_WIDTH] = 4;
    v[EU_SRC0_HORIZONTAL] = 1;
    add(k, &i);
}

/* A shader that runs for each sample has its position in the payload: each sample gets its own. Threads of
 * eight pixels have two samples of a subspan; which pair is in r0.0. (SNB PRM vol 2 part 1, PS Thread
 * Payload: Starting Sample Pair Index) */
static void shaded_by_sample(void **state)
{
    (void)state;
    enum { WRITE = 12 << 13, LAST = 1 << 12, POSITION = 2, SIMD8 = 4 << 8, PAIR_SHIFT = 6 };
    for (unsigned n = 0; n < 4; n++) {
        const bool by_eights = n & 1;
        const int32_t edges[4] = {3 * 16 + 7, 5 * 16 + 5, 27 * 16 + 9, 20 * 16 + 3};
        float at[6][4];
        struct made_scene m;
        struct kernel k = {.count = 0};
        unsigned counted_samples = 0;
        put_rectangle(at, edges, 0.5f);
        make_scene(&m, &(struct scene){.topology = TRILIST,
                                       .vertices = 6,
                                       .at = (const float(*)[4])(const void *)at,
                                       .statistics = true});
        sample_scene(&m, 15, ON_PATTERN, PERSAMPLE);
        if (by_eights)
            move(&k, 8, 2, 0, 0, true);
        else
            move_words(&k, 2, POSITION);
        send(&k, by_eights ? 8 : 16, RENDER_CACHE, 2,
             (by_eights ? 4u : 8u) << 25 | WRITE | LAST | (by_eights ? (uint32_t)SIMD8 : 0), true);
        keep(m.s, PIXEL_KERNEL, &k);
        STRUCTURE_CHANGE(m.s->device, "RENDER_SURFACE_STATE", dwords_at(m.s, SURFACES + STATE),
                         {"Surface Format", .value_name = "R32_UINT"});
        COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_WM"),
                    {"Position XY Offset Select", .value_name = "POSOFFSET_SAMPLE"},
                    {"8 Pixel Dispatch Enable", by_eights}, {"16 Pixel Dispatch Enable", !by_eights});
        run_sampled(&m, n & 2);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                for (unsigned sample = 0; sample < SAMPLES_OF_GEN6; sample++) {
                    const uint32_t found = dword_at(m.s, sample_place(TARGET, x, y, sample));
                    const bool in = is_in(edges, x, y, positions[sample]);
                    counted_samples += in;
                    if (!in)
                        assert_int_equal(found, BACKGROUND);
                    else if (by_eights)
                        assert_int_equal(found >> PAIR_SHIFT & 3, sample / 2);
                    else
                        assert_int_equal(found, positions[sample][0] | (uint32_t)positions[sample][1] << 8);
                }
        assert_int_equal(counted(m.s, "PS_DEPTH_COUNT"), counted_samples);
        streamer_destroy(m.s);
    }
}

/* Alpha covers as many of the samples as it is a part of them; alpha to one comes behind it. (SNB PRM vol 2
 * part 1, BLEND_STATE: AlphaToCoverage Enable, AlphaToOne Enable) */
static void alpha_covers(void **state)
{
    (void)state;
    enum { ALPHA_TO_ONE = 1 << 30 };
    for (unsigned quarters = 0; quarters <= 4; quarters++)
        for (unsigned to_one = 0; to_one < 2; to_one++) {
            const float color[4] = {0, 1, 0, (float)quarters / 4};
            struct made_scene m;
            make_scene(&m,
                       &(struct scene){.topology = TRILIST, .vertices = 6, .at = half, .statistics = true});
            for (unsigned i = 0; i < 6; i++)
                put_floats(m.s, VERTICES + i * 32 + 16, color, 4);
            sample_scene(&m, 15, ON_PATTERN, PERPIXEL);
            COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_WM"), {"Pixel Shader Kills Pixel", 1});
            dword_put(m.s, DYNAMIC + BLENDING + 4, 1u << 31 | (to_one ? ALPHA_TO_ONE : 0u));
            run_sampled(&m, quarters % 2);
            const uint32_t alpha = to_one ? 255 : quarters * 255 / 4 + (quarters == 2 || quarters == 1);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH / 2; x++) {
                    unsigned covered = 0;
                    for (unsigned sample = 0; sample < SAMPLES_OF_GEN6; sample++) {
                        const uint32_t found = dword_at(m.s, sample_place(TARGET, x, y, sample));
                        covered += found != BACKGROUND;
                        if (found != BACKGROUND)
                            assert_int_equal(found, RGBA(0, 255, 0, alpha));
                    }
                    assert_int_equal(covered, quarters);
                }
            assert_int_equal(counted(m.s, "PS_DEPTH_COUNT"), quarters * (WIDTH / 2) * HEIGHT);
            streamer_destroy(m.s);
        }
}

TEST_PROGRAM(gen6_samples_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_masks_and_modes),
        cmocka_unit_test(depths_of_samples),
        cmocka_unit_test(shaded_by_sample),
        cmocka_unit_test(alpha_covers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
