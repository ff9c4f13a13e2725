/* Depth and stencil of several samples: buffers that interleave them, tests that fail for some samples of a
 * pixel, before the shader, behind it and without one, and clears; the same in pieces, saved and loaded,
 * interpreted and translated. */
#include "../suite.h"
#include "../depths.h"
#include "../samples.h"

enum { SAMPLE_DEPTH_PITCH = 1024, SAMPLE_STENCIL_PITCH = 512, HIGH = 4 * HEIGHT };

/* Where a sample is among those of other pixels: a subspan becomes one for each sample, of which bit 0 of the
 * sample goes to the right, bit 1 down, bit 2 to the right, bit 3 down. (BDW PRM vol 5, Interleaved
 * Multisampled Surfaces) */
static void interleaved_place(unsigned log2, uint32_t x, uint32_t y, unsigned sample, uint32_t at[2])
{
    static const uint8_t across[] = {1, 2, 2, 4, 4}, down[] = {1, 1, 2, 2, 4};
    const unsigned right = (sample & 1) + (sample >> 2 & 1) * 2,
                   below = (sample >> 1 & 1) + (sample >> 3) * 2;
    at[0] = (x / 2 * across[log2] + right) * 2 + x % 2;
    at[1] = (y / 2 * down[log2] + below) * 2 + y % 2;
}

static uint32_t sample_depth_place(unsigned log2, uint32_t format, uint32_t x, uint32_t y, unsigned sample)
{
    const unsigned bytes = depth_bytes_of(format);
    uint32_t at[2];
    interleaved_place(log2, x, y, sample, at);
    return DEPTH + (k.set == &eu_gen125
                        ? tiled_place("yyxxyyxyxxyyxxxx", at[0] * bytes, at[1], 0, SAMPLE_DEPTH_PITCH)
                        : tiled_place(y_tile_bits, at[0] * bytes, at[1], 0, SAMPLE_DEPTH_PITCH));
}

/* Up to Gen11 in W tiles: 64 by 64, whose blocks of 8 by 8 go down first. (SKL PRM vol 5, W-Major Tile
 * Format) */
static uint32_t sample_stencil_place(unsigned log2, uint32_t x, uint32_t y, unsigned sample)
{
    uint32_t at[2];
    interleaved_place(log2, x, y, sample, at);
    if (k.set == &eu_gen125)
        return STENCIL + tiled_place("yyyxyyxyxxyyxxxx", at[0], at[1], 0, SAMPLE_STENCIL_PITCH);
    if (is_late())
        return STENCIL + tiled_place(y_tile_bits, at[0], at[1], 0, SAMPLE_STENCIL_PITCH);
    const uint32_t tile = at[1] / 64 * (SAMPLE_STENCIL_PITCH / 128) + at[0] / 64, u = at[0] % 64,
                   v = at[1] % 64;
    return STENCIL + tile * 4096 + u / 8 * 512 + v / 8 * 64 + (v >> 2 & 1) * 32 + (u >> 2 & 1) * 16 +
           (v >> 1 & 1) * 8 + (u >> 1 & 1) * 4 + (v & 1) * 2 + (u & 1);
}

static uint32_t sample_depth_at(const struct streamer *s, unsigned log2, uint32_t format, uint32_t x,
                                uint32_t y, unsigned sample)
{
    uint32_t value = 0;
    memcpy(&value, s->memory + sample_depth_place(log2, format, x, y, sample), depth_bytes_of(format));
    return value;
}

static void set_sample_depth(struct streamer *s, unsigned log2, uint32_t format, uint32_t x, uint32_t y,
                             unsigned sample, uint32_t value)
{
    memcpy(s->memory + sample_depth_place(log2, format, x, y, sample), &value, depth_bytes_of(format));
}

/* The state of both buffers. Those of several samples are in Tile64 where there is one. */
static void put_sample_tests(struct streamer *s, struct tests *t)
{
    put_tests(s, t);
    uint32_t *const depth = command_named(s->device, t->dw, t->count, "3DSTATE_DEPTH_BUFFER"),
                    *const stencil = command_named(s->device, t->dw, t->count, "3DSTATE_STENCIL_BUFFER");
    COMMAND_PUT(s->device, depth, {"Surface Pitch", SAMPLE_DEPTH_PITCH - 1});
    COMMAND_PUT(s->device, stencil, {"Surface Pitch", SAMPLE_STENCIL_PITCH - 1});
    if (k.set == &eu_gen125) {
        COMMAND_PUT(s->device, depth, {"Tiled Mode", .value_name = "TILE64"});
        COMMAND_PUT(s->device, stencil, {"Tiled Mode", .value_name = "TILE64"});
    }
}

static void run_depth_tests(struct streamer *s, struct scene *c, struct tests *t, const struct sampling *a,
                            unsigned way)
{
    uint32_t dw[MOST_DW];
    if (!k.count)
        put_color(s, white);
    put_sample_tests(s, t);
    c->more = t->dw;
    c->more_dw = t->count;
    c->format = R8G8B8A8_UNORM;
    c->statistics = true;
    const uint32_t count = put_sampled_scene(s, c, a, dw);
    dword_put(s, DYNAMIC + CONSTANT_COLORS, t->references << 16); /* up to Gen8 they are there */
    run_sampled(s, dw, count, way);
}

/* When the tests are: before the shader, behind one that may kill pixels, behind it by the state, without
 * one. */
enum when { EARLY, BEHIND_KILLS, BEHIND_SHADER, NO_SHADER, BY_SAMPLE, WHENS };
static void set_when(struct scene *c, struct sampling *a, enum when when)
{
    c->kills = when == BEHIND_KILLS;
    c->early_tests = when == BEHIND_SHADER; /* EDSC_PSEXEC */
    c->no_shader = when == NO_SHADER;
    if (when == BY_SAMPLE)
        a->more = "3DSTATE_PS_EXTRA pixel_shader_valid, pixel_shader_is_per_sample";
}

/* Each sample has the primitive's depth at its own place; where samples are at the pixel's location, at that.
 */
static void depths_at_samples(void **state)
{
    (void)state;
    static const uint32_t formats[] = {D32, D24, D16};
    static const float slope[3][3] = {{-20, -10, 0.05f}, {260, -20, 0.9f}, {40, 400, 0.6f}};
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 3 * WHENS * SAMPLES_MOST_LOG2; n++) {
            const uint32_t format = formats[n % 3];
            const unsigned log2 = 1 + n / (3 * WHENS);
            const bool at_location = n % 7 == 3 && n / 3 % WHENS != BY_SAMPLE;
            struct sampling a = {
                .log2 = log2, .mask = 0xffff, .more = at_location ? "3DSTATE_RASTER cull_mode = none" : NULL};
            struct streamer *const s = begin(*name);
            struct scene c = {.topology = TRILIST,
                              .vertices = 3,
                              .at = slope,
                              .scissor = {0, (HEIGHT - 1) << 16 | (WIDTH - 1)}};
            struct tests t = usual(format);
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            t.function = ALWAYS;
            set_when(&c, &a, (enum when)(n / 3 % WHENS));
            run_depth_tests(s, &c, &t, &a, n % RUN_WAYS);
            /* The plane of depths. */
            const double ax = slope[1][0] - (double)slope[0][0], ay = slope[1][1] - (double)slope[0][1],
                         az = slope[1][2] - (double)slope[0][2], bx = slope[2][0] - (double)slope[0][0],
                         by = slope[2][1] - (double)slope[0][1], bz = slope[2][2] - (double)slope[0][2],
                         area = ax * by - bx * ay;
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < 1u << log2; sample++) {
                        const uint8_t *const at =
                            at_location ? standard_positions[0][0] : standard_positions[log2][sample];
                        const double px = x + at[0] / 16.0 - slope[0][0], py = y + at[1] / 16.0 - slope[0][1],
                                     z = slope[0][2] +
                                         (az * (px * by - bx * py) + bz * (ax * py - px * ay)) / area;
                        const uint32_t found = sample_depth_at(s, log2, format, x, y, sample);
                        float depth;
                        memcpy(&depth, &found, sizeof depth);
                        const double is = format == D32   ? (double)depth
                                          : format == D24 ? (found & 0xffffff) / (double)0xffffff
                                                          : found / (double)UINT16_MAX;
                        if (!(fabs(is - z) < (format == D16 ? 0.51 / UINT16_MAX : 1e-6)))
                            fail_msg("%s, %u: %u, %u, sample %u: %f, not %f", *name, n, x, y, sample, is, z);
                    }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), WIDTH * HEIGHT << log2);
            streamer_destroy(s);
        }
}

/* What a sample has before. */
static bool is_near(uint32_t x, uint32_t y, unsigned sample)
{
    return (x * 7 + y * 13 + sample * 5) % 3 == 0;
}

/* Samples that fail leave their color, depth and stencil alone, or have the stencil operation of their
 * failure; those that pass are written and counted. */
static void some_samples_fail(void **state)
{
    (void)state;
    enum { INCREMENT = 3, DECREMENT = 4, BEFORE = 100 };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < WHENS * SAMPLES_MOST_LOG2; n++) {
            const unsigned log2 = 1 + n / WHENS;
            const enum when when = (enum when)(n % WHENS);
            struct sampling a = {.log2 = log2, .mask = 0xffdf};
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.5f);
            struct tests t = usual(D24);
            uint32_t counted = 0;
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.operations[0] = ALWAYS | DECREMENT << 6 | INCREMENT << 9;
            t.masks = UINT32_MAX;
            set_when(&c, &a, when);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < 1u << log2; sample++) {
                        set_sample_depth(s, log2, D24, x, y, sample,
                                         value_of(D24, is_near(x, y, sample) ? 0.25 : 0.75));
                        s->memory[sample_stencil_place(log2, x, y, sample)] = BEFORE;
                    }
            run_depth_tests(s, &c, &t, &a, n / 2 % RUN_WAYS);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < 1u << log2; sample++) {
                        const bool in = is_inside(x, y) && a.mask >> sample & 1,
                                   passes = in && !is_near(x, y, sample);
                        const double depth = passes ? 0.5 : is_near(x, y, sample) ? 0.25 : 0.75;
                        assert_int_equal(sample_depth_at(s, log2, D24, x, y, sample) & 0xffffff,
                                         value_of(D24, depth));
                        assert_int_equal(s->memory[sample_stencil_place(log2, x, y, sample)],
                                         !in      ? BEFORE
                                         : passes ? BEFORE + 1
                                                  : BEFORE - 1);
                        assert_int_equal(dword_at(s, sample_place(s, 4, log2, 0, x, y, sample)),
                                         passes && when != NO_SHADER ? UINT32_MAX : STALE);
                        counted += passes;
                    }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
            streamer_destroy(s);
        }
}

/* A depth of the shader's is that of all samples of its pixel. (SKL PRM vol 7, Render Target Write) */
static void computed_depths(void **state)
{
    (void)state;
    enum { COMPUTED = PAYLOAD + 8, WRITE = 10 << 25 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET };
    for (EACH_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2)) {
            const struct sampling a = {.log2 = log2, .mask = 0xffff};
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.5f);
            struct tests t = usual(D32);
            uint32_t counted = 0;
            for (unsigned i = 0; i < 5; i++)
                KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F),
                         imm(float_bits(PAYLOAD + 2 * i == COMPUTED ? 0.375f : 1), TYPE_F));
            kernel_send(&k, all, SFID_RENDER_CACHE, WRITE, none(TYPE_UD), reg(PAYLOAD, TYPE_UD), true);
            put_kernel(s);
            c.computes_depth = true;
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < 1u << log2; sample++)
                        set_sample_depth(s, log2, D32, x, y, sample,
                                         float_bits(is_near(x, y, sample) ? 0.3f : 0.4f));
            run_depth_tests(s, &c, &t, &a, log2 % RUN_WAYS);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < 1u << log2; sample++) {
                        const bool passes = is_inside(x, y) && !is_near(x, y, sample);
                        const float before = is_near(x, y, sample) ? 0.3f : 0.4f;
                        assert_int_equal(sample_depth_at(s, log2, D32, x, y, sample),
                                         float_bits(passes ? 0.375f : before));
                        assert_int_equal(dword_at(s, sample_place(s, 4, log2, 0, x, y, sample)),
                                         passes ? UINT32_MAX : STALE);
                        counted += passes;
                    }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
            streamer_destroy(s);
        }
}

/* The input coverage of a pixel has the samples that the primitive covers, or those that passed the tests, if
 * the state asks for these. (SKL PRM vol 2a, 3DSTATE_PS_EXTRA: Input Coverage Mask State) */
static void input_coverage(void **state)
{
    (void)state;
    enum { COVERAGE = 2, NORMAL = 1, DEPTH_COVERAGE = 3 };
    for (EACH_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2))
            for (unsigned tested = 0; tested < 2; tested++) {
                const struct sampling a = {.log2 = log2, .mask = 0xffff};
                struct streamer *const s = begin(*name);
                float corners[3][3];
                struct scene c = at_depth(corners, 0.5f);
                struct tests t = usual(D32);
                uint32_t dw[MOST_DW];
                if (k.set == &eu_gen8 && tested) {
                    streamer_destroy(s);
                    break;
                }
                for (unsigned i = 0; i < 4; i++)
                    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), reg(COVERAGE, TYPE_UD));
                put_write();
                put_kernel(s);
                put_sample_tests(s, &t);
                c.more = t.dw;
                c.more_dw = t.count;
                c.format = R32G32B32A32_UINT;
                const uint32_t count = put_sampled_scene(s, &c, &a, dw);
                uint32_t *const extra = command_named(s->device, dw, count, "3DSTATE_PS_EXTRA");
                if (k.set == &eu_gen8)
                    COMMAND_PUT(s->device, extra, {"Pixel Shader Uses Input Coverage Mask", 1});
                else
                    COMMAND_PUT(s->device, extra,
                                {"Input Coverage Mask State", tested ? DEPTH_COVERAGE : NORMAL});
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        for (unsigned sample = 0; sample < 1u << log2; sample++)
                            set_sample_depth(s, log2, D32, x, y, sample,
                                             float_bits(is_near(x, y, sample) ? 0.25f : 0.75f));
                run_sampled(s, dw, count, log2 % RUN_WAYS);
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++) {
                        uint32_t passed = 0;
                        for (unsigned sample = 0; sample < 1u << log2; sample++)
                            passed |= (uint32_t)(is_inside(x, y) && !is_near(x, y, sample)) << sample;
                        for (unsigned sample = 0; sample < 1u << log2; sample++)
                            assert_int_equal(dword_at(s, sample_place(s, 16, log2, 0, x, y, sample)),
                                             !(passed >> sample & 1) ? (uint32_t)STALE
                                             : tested                ? passed
                                                                     : all_samples(log2));
                    }
                streamer_destroy(s);
            }
}

/* ---- Clears ---- */

enum { SAMPLE_HIZ = 1920 * KB, SAMPLE_HIZ_PITCH = 128 };

/* A clear's rectangle counts pixels, and has all samples of these. A further clear value is that of what the
 * HiZ has as cleared. (SKL PRM vol 2a, 3DSTATE_WM_HZ_OP, 3DSTATE_CLEAR_PARAMS) */
static void clears(void **state)
{
    (void)state;
    enum { VALUE = 90, BEFORE = 7, LEFT = 8, TOP = 4, RIGHT = 40, BOTTOM = 20 };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 4 * SAMPLES_MOST_LOG2; n++) {
            const unsigned log2 = 1 + n / 4;
            const bool full = n & 1, changes = n & 2;
            struct streamer *const s = begin(*name);
            struct tests t = usual(D24);
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            t.no_stencil = false;
            t.stencil_write = true;
            put_sample_tests(s, &t);
            COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_DEPTH_BUFFER"),
                        {"Hierarchical Depth Buffer Enable", 1});
            ADD(s, &t,
                "3DSTATE_HIER_DEPTH_BUFFER surface_pitch = %u, surface_base_address = %u\n"
                "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.75, depth_clear_value_valid\n"
                "3DSTATE_WM_HZ_OP depth_buffer_clear_enable, stencil_buffer_clear_enable, "
                "stencil_clear_value = %u,"
                " number_of_multisamples = %u, full_surface_depth_and_stencil_clear = %u, "
                "clear_rectangle_x_min = %u,"
                " clear_rectangle_y_min = %u, clear_rectangle_x_max = %u, clear_rectangle_y_max = %u,"
                " sample_mask = 65535",
                SAMPLE_HIZ_PITCH - 1, SAMPLE_HIZ, VALUE, log2, full, LEFT, TOP, RIGHT, BOTTOM);
            if (changes)
                ADD(s, &t, "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.25, depth_clear_value_valid");
            for (uint32_t i = 0; i < SAMPLE_DEPTH_PITCH * HIGH; i += 4)
                dword_put(s, DEPTH + i, BEFORE);
            memset(s->memory + STENCIL, BEFORE, SAMPLE_STENCIL_PITCH * HIGH);
            run_sampled(s, t.dw, t.count, n % 3 ? RUN_CUT : RUN_WHOLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < 1u << log2; sample++) {
                        const bool in = full || (x >= LEFT && x < RIGHT && y >= TOP && y < BOTTOM);
                        assert_int_equal(sample_depth_at(s, log2, D24, x, y, sample),
                                         in ? value_of(D24, full && changes ? 0.25 : 0.75) : BEFORE);
                        assert_int_equal(s->memory[sample_stencil_place(log2, x, y, sample)],
                                         in ? VALUE : BEFORE);
                    }
            streamer_destroy(s);
        }
}

/* More samples than there are, in commands: those that there are, and nothing but the buffers is written. */
static void more_samples_than_there_are(void **state)
{
    (void)state;
    enum { VALUE = 90, MOST = 7 };
    for (EACH_DEVICE(name))
        for (unsigned log2 = SAMPLES_MOST_LOG2; log2 <= MOST; log2++) {
            struct streamer *const s = begin(*name);
            struct tests t = usual(D24);
            t.no_stencil = false;
            t.stencil_write = true;
            put_sample_tests(s, &t);
            ADD(s, &t,
                "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.75, depth_clear_value_valid\n"
                "3DSTATE_WM_HZ_OP depth_buffer_clear_enable, stencil_buffer_clear_enable, "
                "stencil_clear_value = %u,"
                " number_of_multisamples = %u, clear_rectangle_x_min = 8, clear_rectangle_y_min = 4,"
                " clear_rectangle_x_max = 40, clear_rectangle_y_max = 20, sample_mask = 65535",
                VALUE, log2);
            run_sampled(s, t.dw, t.count, RUN_WHOLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < SAMPLES_MOST; sample++) {
                        const bool in = x >= 8 && x < 40 && y >= 4 && y < 20;
                        assert_int_equal(sample_depth_at(s, SAMPLES_MOST_LOG2, D24, x, y, sample),
                                         in ? value_of(D24, 0.75) : 0);
                        assert_int_equal(s->memory[sample_stencil_place(SAMPLES_MOST_LOG2, x, y, sample)],
                                         in ? VALUE : 0);
                    }
            streamer_destroy(s);
        }
}

TEST_PROGRAM(sample_depth_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_at_samples),
        cmocka_unit_test(some_samples_fail),
        cmocka_unit_test(computed_depths),
        cmocka_unit_test(input_coverage),
        cmocka_unit_test(clears),
        cmocka_unit_test(more_samples_than_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
