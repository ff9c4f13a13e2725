/* Coarse pixels, on every generation that has them: one shading for all their pixels; coverage, depth tests
 * and counts by pixel and by sample; the size in the payload; where sizes come from, and which are not
 * modelled. */
#include "../suite.h"
#include "../draws.h"

#include "../random.h"
#include "../saved.h"

enum { CPS_AT = 12 * KB, RANGES_AT = 13 * KB, DEPTH = 1664 * KB, DEPTH_PITCH = 512, MOST_SIZE_LOG2 = 2 };
enum { PSEXEC = 1, PREPS = 2 };
enum { RADIAL = 2 };
static const char *const with_coarse_pixels[] = {"icl", "ehl", "tgl", "dg2"};
#define EACH_COARSE_DEVICE(name)                                                                             \
    const char *const *name = with_coarse_pixels;                                                            \
    name < with_coarse_pixels + sizeof with_coarse_pixels / sizeof with_coarse_pixels[0];                    \
    name++

static const float triangle[3][3] = {{36.5f, 22.25f, 0.75f}, {3.25f, 20.5f, 0.25f}, {9.5f, 2.75f, 0.5f}};

/* The state of coarse pixels. */
struct coarse {
    uint32_t mode, size_log2[2], samples_log2;
    bool per_coarse_pixel, statistics, depth;
    uint32_t early_tests;
    uint32_t combiners[2],
        header; /* of Gen12.5: with a primitive's size, which is in its vertices' headers */
};

/* Sizes are programmed in 1/128. */
static uint32_t size_of(const struct coarse *c, unsigned axis)
{
    return 128u << c->size_log2[axis];
}

static void put_state(struct streamer *s, const struct coarse *c, uint32_t *dw, uint32_t *count)
{
    insert_before_primitive(s, dw, count,
                            "3DSTATE_PS_EXTRA pixel_shader_valid = 1, attribute_enable = 1,"
                            " pixel_shader_is_per_coarse_pixel = %u",
                            c->per_coarse_pixel);
    if (k.set == &eu_gen11) {
        insert_before_primitive(s, dw, count,
                                "3DSTATE_CPS coarse_pixel_shading_mode = %u, min_cp_size_x = %u,"
                                " min_cp_size_y = %u, statistics_enable = %u",
                                c->mode, size_of(c, 0), size_of(c, 1), c->statistics);
    } else {
        STRUCTURE_PUT(s->device, "CPS_STATE", dwords_at(s, DYNAMIC + CPS_AT),
                      {"Coarse Pixel Shading Mode", c->mode}, {"Min CP Size X", size_of(c, 0)},
                      {"Min CP Size Y", size_of(c, 1)}, {"Statistics Enable", c->statistics});
        *dwords_at(s, DYNAMIC + CPS_AT) |= c->combiners[0] << 29 | c->combiners[1] << 26;
        insert_before_primitive(s, dw, count,
                                "3DSTATE_CPS_POINTERS coarse_pixel_shading_state_array_pointer = %u", CPS_AT);
    }
    if (c->samples_log2)
        insert_before_primitive(s, dw, count,
                                "3DSTATE_MULTISAMPLE number_of_multisamples = %u\n"
                                "3DSTATE_SAMPLE_MASK sample_mask = 255\n"
                                "3DSTATE_SAMPLE_PATTERN dw5 = 0x71b39d5f, dw6 = 0x1ce7862a, dw7 = 0xae2ae662,"
                                " dw8 = 0x0044cc88\n"
                                "3DSTATE_RASTER cull_mode = none, dx_multisample_rasterization_enable",
                                c->samples_log2);
    if (!c->depth)
        return;
    insert_before_primitive(
        s, dw, count,
        "3DSTATE_DEPTH_BUFFER surface_type = surftype_2d, depth_write_enable, surface_format = 1,"
        " surface_pitch = %u, surface_base_address = %u, width = %u, height = %u%s\n"
        "3DSTATE_WM_DEPTH_STENCIL depth_buffer_write_enable, depth_test_enable, depth_test_function = 2\n"
        "3DSTATE_VIEWPORT_STATE_POINTERS_CC cc_viewport_pointer = %u",
        DEPTH_PITCH - 1, DEPTH, WIDTH - 1, HEIGHT - 1, k.set == &eu_gen125 ? ", tiled_mode = tile4" : "",
        RANGES_AT);
    const float range[2] = {0, 1}, before = 0.5f;
    memcpy(s->memory + DYNAMIC + RANGES_AT, range, sizeof range);
    for (uint32_t i = 0; i < DEPTH_PITCH * HEIGHT * 4; i += 4)
        memcpy(s->memory + DEPTH + i, &before, sizeof before);
}

/* Red and green are where the subspan of coarse pixels is, and which of them it is; blue the payload's size.
 */
static void put_coarse_places(struct streamer *s)
{
    put_places_and(s, one(1, 0, TYPE_UD));
}

static struct streamer *put_draw(const char *name, const struct coarse *c, const struct scene *of,
                                 void (*reported)(void *user, const struct softgt_report *report))
{
    uint32_t dw[MOST_DW];
    struct streamer *const s = begin(name);
    struct scene scene = *of;
    s->reported = reported;
    scene.samples = c->samples_log2;
    scene.early_tests = c->early_tests;
    put_coarse_places(s);
    uint32_t count = put_scene(s, &scene, dw);
    put_state(s, c, dw, &count);
    if (c->header) {
        uint32_t *const header = command_named(s->device, dw, count, "3DSTATE_VERTEX_ELEMENTS") + 2;
        *header = (*header & ~(7u << 28)) | 1u << 28; /* component 0: VFCOMP_STORE_SRC */
        dword_put(s, FLAT, c->header);
    }
    for (uint32_t i = 0; i < (uint32_t)(PITCH * HEIGHT) << c->samples_log2; i += 4)
        dword_put(s, TARGET + i, STALE);
    batch_put(s, dw, count, true);
    return s;
}

static struct streamer *draw(const char *name, const struct coarse *c, const struct scene *of)
{
    struct streamer *const s = put_draw(name, c, of, NULL);
    while (softgt_run(s->device, 1 << 20))
        ;
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
    return s;
}

static const struct scene scene = {.topology = TRILIST,
                                   .vertices = 3,
                                   .at = triangle,
                                   .format = R32G32B32A32_UINT,
                                   .attributes = 1,
                                   .constant = 1,
                                   .statistics = true};

/* What a pixel has of the coarse one that it is in. */
static uint32_t seen_at(uint32_t at, uint32_t size_log2)
{
    return (at >> (size_log2 + 1) << (size_log2 + 1)) + (at >> size_log2 & 1u);
}

/* Whether any pixel is drawn of the coarse one that a pixel is the first of. */
static bool is_coarse_covered(const struct streamer *s, const struct coarse *c, uint32_t x, uint32_t y)
{
    bool is_first = !(x & ((1u << c->size_log2[0]) - 1u)) && !(y & ((1u << c->size_log2[1]) - 1u)),
         some = false;
    for (uint32_t down = 0; is_first && down < 1u << c->size_log2[1]; down++)
        for (uint32_t across = 0; across < 1u << c->size_log2[0]; across++)
            for (uint32_t sample = 0; sample < 1u << c->samples_log2; sample++)
                some |=
                    dword_at(s, TARGET + (sample * HEIGHT + y + down) * PITCH + (x + across) * 16) != STALE;
    return some;
}

/* Gen12.5 has not every size with every number of samples: another becomes the largest that is no wider and
 * no higher. (Mesa, anv_GetPhysicalDeviceFragmentShadingRatesKHR; Vulkan, Combining the Fragment Shading
 * Rates) */
static struct coarse with_size_of_device(const char *name, const struct coarse *c)
{
    static const struct {
        uint8_t size_log2[2], samples_log2;
    } by_area[] = {{{0, 0}, 4}, {{0, 1}, 2}, {{1, 0}, 2}, {{1, 1}, 2}, {{1, 2}, 1}, {{2, 1}, 0}, {{2, 2}, 0}};
    struct coarse becomes = *c;
    for (unsigned n = 0; strcmp(name, "dg2") == 0 && n < sizeof by_area / sizeof by_area[0]; n++)
        if (by_area[n].size_log2[0] <= c->size_log2[0] && by_area[n].size_log2[1] <= c->size_log2[1] &&
            c->samples_log2 <= by_area[n].samples_log2)
            memcpy(becomes.size_log2, (const uint32_t[2]){by_area[n].size_log2[0], by_area[n].size_log2[1]},
                   sizeof becomes.size_log2);
    return becomes;
}

/* The draw is that of single pixels, but for the colors. */
static void expect_coarse(const struct streamer *one, struct streamer *s, const struct coarse *c)
{
    uint32_t pixels = 0, coarse = 0;
    for (uint32_t sample = 0; sample < 1u << c->samples_log2; sample++)
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                const uint32_t at = TARGET + (sample * HEIGHT + y) * PITCH + x * 16;
                const bool in = dword_at(one, at) != STALE;
                assert_int_equal(dword_at(s, at), in ? seen_at(x, c->size_log2[0]) : STALE);
                assert_int_equal(dword_at(s, at + 4), in ? seen_at(y, c->size_log2[1]) : STALE);
                assert_int_equal(dword_at(s, at + 8),
                                 in ? 1u << c->size_log2[0] | 256u << c->size_log2[1] : STALE);
                assert_int_equal(dword_at(s, at + 12), in ? 103 : STALE);
                pixels += in;
                coarse += !sample && is_coarse_covered(one, c, x, y);
            }
    assert_memory_equal(one->memory + DEPTH, s->memory + DEPTH, DEPTH_PITCH * HEIGHT * 4);
    assert_int_not_equal(pixels, 0);
    assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), pixels);
    assert_int_equal(counter_at(s, "CPS_INVOCATION_COUNT"), c->statistics ? coarse : 0);
    if (c->early_tests != PSEXEC) /* else pixels that fail later are shaded */
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), coarse);
}

/* Every size, with and without depth tests before and behind the shader, with one sample to eight. */
static void sizes(void **state)
{
    (void)state;
    static const struct coarse ways[] = {{.statistics = true},
                                         {.samples_log2 = 1, .statistics = true},
                                         {.samples_log2 = 3, .statistics = true},
                                         {.depth = true, .early_tests = PREPS},
                                         {.depth = true, .early_tests = PSEXEC},
                                         {.samples_log2 = 2, .statistics = true},
                                         {.samples_log2 = 2, .depth = true, .early_tests = PREPS},
                                         {.samples_log2 = 2, .depth = true, .early_tests = PSEXEC}};
    for (EACH_COARSE_DEVICE(name))
        for (unsigned way = 0; way < sizeof ways / sizeof ways[0]; way++) {
            struct coarse c = ways[way];
            struct streamer *const one = draw(*name, &c, &scene);
            c.mode = c.per_coarse_pixel = true;
            for (c.size_log2[0] = 0; c.size_log2[0] <= MOST_SIZE_LOG2; c.size_log2[0]++)
                for (c.size_log2[1] = 0; c.size_log2[1] <= MOST_SIZE_LOG2; c.size_log2[1]++) {
                    struct coarse own = c;
                    own.statistics = ways[way].statistics && c.early_tests != PSEXEC;
                    struct streamer *const s = draw(*name, &own, &scene);
                    const struct coarse becomes = with_size_of_device(*name, &own);
                    expect_coarse(one, s, &becomes);
                    streamer_destroy(s);
                }
            streamer_destroy(one);
        }
}

/* Two combiners make a size of the state's, the primitive's, and that of a control buffer, which is missing.
 * (Vulkan, VkFragmentShadingRateCombinerOpKHR; Mesa, anv and lower_shading_rate_output) */
static void sizes_of_primitives(void **state)
{
    (void)state;
    enum { PASSTHROUGH, OVERRIDE, HIGH_QUALITY, LOW_QUALITY, RELATIVE, OPERATIONS, MOST = 4, CASES = 4 };
    static const uint8_t of_state_log2[CASES][2] = {{0, 1}, {2, 1}, {1, 1}, {0, 2}},
                         of_primitive_log2[CASES][2] = {{1, 0}, {2, 2}, {0, 1}, {2, 0}};
    static const uint32_t halves[] = {0x3c00, 0x4000, 0x4400}; /* 1, 2, 4 */
    struct coarse c = {0};
    struct streamer *const one = draw("dg2", &c, &scene);
    c.mode = c.per_coarse_pixel = c.statistics = true;
    for (unsigned n = 0; n < CASES * OPERATIONS * OPERATIONS; n++) {
        const unsigned which = n % CASES;
        struct coarse expected = c;
        expected.size_log2[0] = expected.size_log2[1] = 0;
        c.combiners[0] = n / CASES % OPERATIONS;
        c.combiners[1] = n / CASES / OPERATIONS;
        c.header = halves[of_primitive_log2[which][0]] | halves[of_primitive_log2[which][1]] << 16;
        for (unsigned axis = 0; axis < 2; axis++) {
            uint32_t size = 1u << of_state_log2[which][axis];
            for (unsigned step = 0; step < 2; step++) {
                const uint32_t other = step ? 1 : 1u << of_primitive_log2[which][axis];
                const uint32_t results[OPERATIONS] = {[PASSTHROUGH] = size,
                                                      [OVERRIDE] = other,
                                                      [HIGH_QUALITY] = size < other ? size : other,
                                                      [LOW_QUALITY] = size > other ? size : other,
                                                      [RELATIVE] = size * other};
                size = results[c.combiners[step]] < MOST ? results[c.combiners[step]] : MOST;
            }
            c.size_log2[axis] = of_state_log2[which][axis];
            while (1u << expected.size_log2[axis] < size)
                expected.size_log2[axis]++;
        }
        struct streamer *const s = draw("dg2", &c, &scene);
        const struct coarse becomes = with_size_of_device("dg2", &expected);
        expect_coarse(one, s, &becomes);
        streamer_destroy(s);
    }
    streamer_destroy(one);
}

/* Without the shader's bit, or with mode NONE, each pixel is shaded. */
static void single_pixels(void **state)
{
    (void)state;
    static const struct coarse ways[] = {{.mode = 1, .size_log2 = {2, 2}},
                                         {.per_coarse_pixel = true, .size_log2 = {2, 2}}};
    for (EACH_COARSE_DEVICE(name))
        for (unsigned way = 0; way < sizeof ways / sizeof ways[0]; way++) {
            struct coarse c = ways[way];
            struct streamer *const s = draw(*name, &c, &scene);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t at = TARGET + y * PITCH + x * 16;
                    if (dword_at(s, at) == STALE)
                        continue;
                    assert_int_equal(dword_at(s, at), x);
                    assert_int_equal(dword_at(s, at + 4), y);
                    assert_int_equal(dword_at(s, at + 8), c.per_coarse_pixel ? 0x101 : 0);
                }
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), counter_at(s, "PS_DEPTH_COUNT"));
            streamer_destroy(s);
        }
}

/* A run that is cut, saved and loaded between any two threads draws the same. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_COARSE_DEVICE(name))
        for (unsigned samples_log2 = 0; samples_log2 <= 2; samples_log2 += 2) {
            const struct coarse c = {.mode = 1,
                                     .per_coarse_pixel = true,
                                     .size_log2 = {1, 2},
                                     .samples_log2 = samples_log2,
                                     .depth = true,
                                     .early_tests = PSEXEC};
            struct streamer *const one = draw(*name, &c, &scene), *const s =
                                                                      put_draw(*name, &c, &scene, NULL);
            unsigned slices = 0;
            for (; softgt_run(s->device, 1); slices++)
                reload(s->device);
            assert_true(slices > 4);
            assert_memory_equal(one->memory + TARGET, s->memory + TARGET, PITCH * HEIGHT << samples_log2);
            assert_memory_equal(one->memory + DEPTH, s->memory + DEPTH, DEPTH_PITCH * HEIGHT * 4);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), counter_at(one, "PS_INVOCATION_COUNT"));
            streamer_destroy(one);
            streamer_destroy(s);
        }
}

/* The plane of depth, which constants and attributes follow in the next register. */
static void planes_of_depth(void **state)
{
    (void)state;
    enum { STEP_Y, STEP_X, VALUE = 3 };
    static const unsigned from[3] = {STEP_X, STEP_Y, VALUE};
    for (EACH_COARSE_DEVICE(name)) {
        uint32_t dw[MOST_DW];
        struct streamer *const s = begin(*name);
        for (unsigned i = 0; i < 3; i++)
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), one(2, from[i] * 4, TYPE_UD));
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 6, TYPE_UD), one(3, 12, TYPE_UD));
        put_write();
        put_kernel(s);
        uint32_t count = put_scene(s, &scene, dw);
        COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS"),
                    {"Dispatch GRF Start Register For Constant/Setup Data 0", 3});
        insert_before_primitive(s, dw, &count,
                                "3DSTATE_PS_EXTRA pixel_shader_valid = 1, attribute_enable = 1,"
                                " pixel_shader_requires_source_depth_and_or_w_plane_coefficients = 1");
        const float ax = triangle[1][0] - triangle[0][0], ay = triangle[1][1] - triangle[0][1],
                    bx = triangle[2][0] - triangle[0][0], by = triangle[2][1] - triangle[0][1],
                    az = triangle[1][2] - triangle[0][2], bz = triangle[2][2] - triangle[0][2],
                    area = ax * by - bx * ay, step_x = (az * by - bz * ay) / area,
                    step_y = (bz * ax - az * bx) / area;
        batch_run(s, dw, count, true);
        float seen[3];
        memcpy(seen, s->memory + TARGET + 15 * PITCH + 12 * 16, sizeof seen);
        assert_float_equal(seen[0], step_x, 1e-6f);
        assert_float_equal(seen[1], step_y, 1e-6f);
        assert_int_equal(dword_at(s, TARGET + 15 * PITCH + 12 * 16 + 12), 100);
        /* The value is that where the primitive's pixels begin. */
        assert_float_equal(seen[2], 0.75f + step_x * (3 - 36.5f) + step_y * (2 - 22.25f), 1e-5f);
        streamer_destroy(s);
    }
}

static void is_about_places(void *user, const struct softgt_report *report)
{
    (void)user;
    assert_int_equal(report->complaint, SOFTGT_NOT_MODELLED);
    assert_non_null(strstr(report->text, "not drawn: a coarse pixel size that depends on the place"));
}

static void radial_sizes(void **state)
{
    (void)state;
    for (EACH_COARSE_DEVICE(name)) {
        const struct coarse c = {.mode = RADIAL, .per_coarse_pixel = true};
        struct streamer *const s = put_draw(*name, &c, &scene, is_about_places);
        while (softgt_run(s->device, 1 << 20))
            ;
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 0);
        streamer_destroy(s);
    }
}

TEST_PROGRAM(coarse_pixels_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),           cmocka_unit_test(sizes_of_primitives),
        cmocka_unit_test(single_pixels),   cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(planes_of_depth), cmocka_unit_test(radial_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
