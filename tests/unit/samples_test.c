/* Draws of several samples, on every generation that runs threads: which samples are covered and where they
 * are written, where attributes are computed, threads of samples, masks of shaders, and counts; the same in
 * pieces, saved and loaded, interpreted, in vectors and translated. */
#include "../suite.h"
#include "../samples.h"

#include <math.h>

static const struct scene plain = {
    .topology = RECTLIST, .vertices = 3, .format = R32G32B32A32_UINT, .statistics = true};

/* The drawing rectangle's last pixel: the target's. */
enum { LAST_PIXEL = (HEIGHT - 1) << 16 | (WIDTH - 1) };

static unsigned next_way(void)
{
    static unsigned way;
    return way++ % RUN_WAYS;
}

/* ---- Coverage ---- */

/* A rectangle in 1/16 of a pixel. */
static const int32_t *rectangle_at(float corners[3][3], unsigned n)
{
    static int32_t edges[4]; /* left, top, right, bottom */
    const unsigned step = n % 16;
    edges[0] = 3 * 16 + (int32_t)step;
    edges[1] = 5 * 16 + 15 - (int32_t)step;
    edges[2] = 36 * 16 + (int32_t)(step * 7 % 16);
    edges[3] = 20 * 16 + (int32_t)(step * 11 % 16);
    const int32_t at[3][2] = {{edges[2], edges[3]}, {edges[0], edges[3]}, {edges[0], edges[1]}};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned axis = 0; axis < 2; axis++)
            corners[i][axis] = (float)at[i][axis] / 16;
    return edges;
}

/* The edges on the left and above are inside. */
static bool is_in(const int32_t edges[4], uint32_t x, uint32_t y, const uint8_t position[2])
{
    const int32_t x16 = (int32_t)x * 16 + position[0], y16 = (int32_t)y * 16 + position[1];
    return x16 >= edges[0] && x16 < edges[2] && y16 >= edges[1] && y16 < edges[3];
}

/* A sample is written where it is in the primitive and in the mask, to its own place, and counted; its pixel
 * is shaded once. (SKL PRM vol 7, Multisampling; vol 2a, 3DSTATE_SAMPLE_MASK) */
static void places_and_masks(void **state)
{
    (void)state;
    enum { CASES = 8, SHADED_AS = 3 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < CASES * SAMPLES_MOST_LOG2; n++) {
            struct streamer *const s = begin(*name);
            const unsigned log2 = 1 + n / CASES;
            const struct sampling a = {.log2 = log2,
                                       .mask = n % 3 ? 0x9e3779b9u * (n + 1) >> 7 & 0xffff : 0xffff};
            struct scene c = plain;
            float corners[3][3] = {{0}};
            uint32_t dw[MOST_DW], pixels = 0, counted = 0;
            const int32_t *const edges = rectangle_at(corners, n);
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            c.at = (const float(*)[3])(const void *)corners;
            c.attributes = c.constant = 1;
            put_places(s);
            run_sampled(s, dw, put_sampled_scene(s, &c, &a, dw), next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t before = counted;
                    for (uint32_t sample = 0; sample < 1u << log2; sample++) {
                        const uint32_t at = sample_place(s, 16, log2, 0, x, y, sample);
                        const bool in =
                            a.mask >> sample & 1 && is_in(edges, x, y, standard_positions[log2][sample]);
                        assert_int_equal(dword_at(s, at), in ? x : STALE);
                        assert_int_equal(dword_at(s, at + 4), in ? y : STALE);
                        assert_int_equal(dword_at(s, at + 4 * SHADED_AS), in ? 103 : STALE);
                        counted += in;
                    }
                    pixels += counted != before;
                }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), pixels * counts_a_pixel());
            streamer_destroy(s);
        }
}

/* A stipple discards all samples of a pixel, whatever it keeps of the pixel's subspan. (SNB PRM vol 2 part 1,
 * Line Stipple, Polygon Stipple) */
static void stipples_discard_samples(void **state)
{
    (void)state;
    enum { LEFT = 3, RIGHT = 61, TOP = 7, BOTTOM = 10, PATTERN = 0x1d35 };
    static const float square[4][3] = {{LEFT, TOP, 0},
                                       {RIGHT, TOP, 0},
                                       {RIGHT, BOTTOM, 0},
                                       {LEFT, BOTTOM, 0}},
                       line[2][3] = {{LEFT, 8.5f, 0}, {RIGHT, 8.5f, 0}};
    static const char *const more[2] = {
        "3DSTATE_WM polygon_stipple_enable\n3DSTATE_POLY_STIPPLE_PATTERN",
        "3DSTATE_WM line_stipple_enable\n3DSTATE_SF line_width = 384\n"
        "3DSTATE_LINE_STIPPLE line_stipple_pattern = 0x1d35, line_stipple_repeat_count = 1"};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 2 * SAMPLES_MOST_LOG2; n++) {
            struct streamer *const s = begin(*name);
            const unsigned of_line = n % 2, log2 = 1 + n / 2;
            const struct sampling a = {.log2 = log2, .mask = 0xffff, .more = more[of_line]};
            struct scene c = plain;
            uint32_t dw[MOST_DW];
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            c.topology = of_line ? 2 : QUADLIST;
            c.vertices = of_line ? 2 : 4;
            c.at = of_line ? line : square;
            c.attributes = c.constant = 1;
            put_places(s);
            const uint32_t count = put_sampled_scene(s, &c, &a, dw);
            for (uint32_t row = 0; row < 32 && !of_line; row++)
                command_named(s->device, dw, count, "3DSTATE_POLY_STIPPLE_PATTERN")[1 + row] =
                    (row + 1) * UINT32_C(0x9e3779b1);
            run_sampled(s, dw, count, next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const bool inside = x >= LEFT && x < RIGHT && y >= TOP && y < BOTTOM,
                               kept = of_line ? PATTERN >> (x - LEFT) % 16 & 1
                                              : (y + 1) * UINT32_C(0x9e3779b1) >> (31 - x % 32) & 1;
                    for (uint32_t sample = 0; sample < 1u << log2; sample++)
                        assert_int_equal(dword_at(s, sample_place(s, 16, log2, 0, x, y, sample)),
                                         inside && kept ? x : STALE);
                }
            streamer_destroy(s);
        }
}

/* ---- Places of attributes ---- */

enum { POSITIONS = 2 }; /* the payload's register of positions, where it has nothing before them */

/* The samples of a pixel that the rectangle and the mask cover. */
static uint32_t covered_samples(const int32_t edges[4], unsigned log2, uint32_t mask, uint32_t x, uint32_t y)
{
    uint32_t covered = 0;
    for (unsigned sample = 0; sample < 1u << log2; sample++)
        covered |= (uint32_t)(mask >> sample & 1 && is_in(edges, x, y, standard_positions[log2][sample]))
                   << sample;
    return covered;
}

/* The centroid is the center of a pixel whose samples are all covered, and not masked; else its first sample
 * that is covered; of a pixel that has none the first one of the mask, or the center, if the mask has all.
 * (SKL PRM vol 2a, 3DSTATE_SAMPLE_PATTERN: the order of samples; Direct3D 11.3, Centroid Sampling of
 * Attributes) */
static const uint8_t *centroid_of(unsigned log2, uint32_t mask, uint32_t covered)
{
    const uint32_t all_of = all_samples(log2), first = covered ? covered : mask & all_of;
    return covered == all_of || (!covered && first == all_of)
               ? standard_positions[0][0]
               : standard_positions[log2][__builtin_ctz(first)];
}

static uint32_t position_word(const uint8_t position[2])
{
    return position[0] | (uint32_t)position[1] << 8;
}

/* The payload's offsets of centroids: of the pixel, and of the first and the last pixel of its subspan, which
 * may not be covered. */
static void put_positions(struct streamer *s)
{
    struct op last = region(POSITIONS, TYPE_UW, 4, 4, 0);
    last.subregister = 6;
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD, TYPE_UD), region(POSITIONS, TYPE_UW, 16, 16, 1));
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2, TYPE_UD), region(POSITIONS, TYPE_UW, 4, 4, 0));
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 4, TYPE_UD), last);
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 6, TYPE_UD), imm(0, TYPE_UD));
    put_write();
    put_kernel(s);
}

static void centroids(void **state)
{
    (void)state;
    static const uint32_t masks[] = {0xffff, 0xfffe, 0x0a0a, 0x4320};
    enum { MASKS = sizeof masks / sizeof masks[0], EDGES = 3, CASES = MASKS * EDGES };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < CASES * SAMPLES_MOST_LOG2; n++) {
            struct streamer *const s = begin(*name);
            const unsigned log2 = 1 + n / CASES;
            const struct sampling a = {.log2 = log2, .mask = masks[n % MASKS]};
            struct scene c = plain;
            float corners[3][3] = {{0}};
            uint32_t dw[MOST_DW];
            const int32_t *const edges = rectangle_at(corners, n * 5);
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            c.at = (const float(*)[3])(const void *)corners;
            put_positions(s);
            uint32_t count = put_sampled_scene(s, &c, &a, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS"),
                        {"Position XY Offset Select", .value_name = "POSOFFSET_CENTROID"});
            run_sampled(s, dw, count, next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t covered = covered_samples(edges, log2, a.mask, x, y),
                                   first = covered_samples(edges, log2, a.mask, x & ~1u, y & ~1u),
                                   last = covered_samples(edges, log2, a.mask, x | 1, y | 1);
                    if (!covered)
                        continue;
                    const uint32_t at = sample_place(s, 16, log2, 0, x, y, (uint32_t)__builtin_ctz(covered));
                    assert_int_equal(dword_at(s, at), position_word(centroid_of(log2, a.mask, covered)));
                    assert_int_equal(dword_at(s, at + 4), position_word(centroid_of(log2, a.mask, first)));
                    assert_int_equal(dword_at(s, at + 8), position_word(centroid_of(log2, a.mask, last)));
                }
            streamer_destroy(s);
        }
}

/* Without multisample rasterization all samples of a pixel are where the pixel's location is: its center, or
 * its upper left corner, and the centroid is, too. Direct3D 10.1 leaves polygons their pattern. (BDW PRM vol
 * 2d, 3DSTATE_RASTER: API Mode, DX Multisample Rasterization Enable, Force Multisampling; vol 7, Multisample
 * Modes) */
static void samples_at_the_pixel_location(void **state)
{
    (void)state;
    static const struct {
        const char *raster;
        bool of_pattern;
    } modes[] = {
        {"3DSTATE_RASTER cull_mode = none", false},
        {"3DSTATE_RASTER cull_mode = none, api_mode = 1", false},
        {"3DSTATE_RASTER cull_mode = none, api_mode = 2", true},
        {"3DSTATE_RASTER cull_mode = none, force_multisampling = 1, dx_multisample_rasterization_mode = 0",
         false},
        {"3DSTATE_RASTER cull_mode = none, force_multisampling = 1, dx_multisample_rasterization_mode = 1",
         true},
        {"3DSTATE_RASTER cull_mode = none, force_multisampling = 1, dx_multisample_rasterization_mode = 2,"
         " dx_multisample_rasterization_enable",
         false},
        {"3DSTATE_RASTER cull_mode = none, force_multisampling = 1, dx_multisample_rasterization_mode = 3",
         true},
    };
    enum { MODES = sizeof modes / sizeof modes[0], LOG2 = 2 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 2 * MODES; n++) {
            struct streamer *const s = begin(*name);
            const bool corner = n % 2;
            char more[256];
            snprintf(more, sizeof more,
                     "3DSTATE_MULTISAMPLE number_of_multisamples = %u, pixel_location = %u\n%s", LOG2, corner,
                     modes[n / 2].raster);
            const struct sampling a = {.log2 = LOG2, .mask = 7, .more = more};
            struct scene c = plain;
            float corners[3][3] = {{0}};
            uint32_t dw[MOST_DW];
            const int32_t *const edges = rectangle_at(corners, 5 * n + 3);
            c.at = (const float(*)[3])(const void *)corners;
            put_positions(s);
            uint32_t count = put_sampled_scene(s, &c, &a, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS"),
                        {"Position XY Offset Select", .value_name = "POSOFFSET_CENTROID"});
            run_sampled(s, dw, count, next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (uint32_t sample = 0; sample < 1u << LOG2; sample++) {
                        const uint8_t location[2] = {corner ? 0 : 8, corner ? 0 : 8};
                        const bool in =
                            a.mask >> sample & 1 &&
                            is_in(edges, x, y,
                                  modes[n / 2].of_pattern ? standard_positions[LOG2][sample] : location);
                        const uint32_t found = dword_at(s, sample_place(s, 16, LOG2, 0, x, y, sample));
                        assert_int_equal(found != STALE, in);
                        if (in && !modes[n / 2].of_pattern && !corner)
                            assert_int_equal(found, position_word(standard_positions[0][0]));
                    }
            streamer_destroy(s);
        }
}

/* A triangle that has all of the target, and its linear barycentrics at a place. */
static const float large[3][3] = {{-20, -10, 0}, {260, -20, 0}, {40, 400, 0}};

static void linear_barycentrics(double x, double y, double of[2])
{
    const double area = ((double)large[1][0] - large[0][0]) * ((double)large[2][1] - large[0][1]) -
                        ((double)large[2][0] - large[0][0]) * ((double)large[1][1] - large[0][1]);
    of[0] = ((x - large[0][0]) * ((double)large[2][1] - large[0][1]) -
             (y - large[0][1]) * ((double)large[2][0] - large[0][0])) /
            area;
    of[1] = (((double)large[1][0] - large[0][0]) * (y - large[0][1]) -
             ((double)large[1][1] - large[0][1]) * (x - large[0][0])) /
            area;
}

static void expect_barycentrics(const struct streamer *s, uint32_t at, uint32_t x, uint32_t y,
                                const uint8_t position[2])
{
    double of[2];
    float found[2];
    memcpy(found, s->memory + at, sizeof found);
    linear_barycentrics(x + position[0] / 16.0, y + position[1] / 16.0, of);
    for (unsigned i = 0; i < 2; i++)
        if (!(fabs(found[i] - of[i]) < 1e-6))
            fail_msg("%s: %u, %u: %f, not %f", s->device->sheet->info.name, x, y, (double)found[i], of[i]);
}

/* Target pixels are two modes' barycentrics of the payload. These lie by eights: of eight pixels both
 * barycentrics of a mode, then of the next eight; from Gen20 on a register has one of 16 pixels. (Mesa,
 * fetch_barycentric_reg) */
static void put_barycentrics(struct streamer *s, unsigned from)
{
    for (unsigned i = 0; i < 8; i++) {
        const unsigned mode = i / 4, eight = i % 4 / 2, barycentric = i % 2,
                       at = has_wide_registers() ? barycentric * 2 + eight : eight * 2 + barycentric;
        KERNEL_1(&k, EU_MOV, whole, reg(PAYLOAD + mode * 4 + barycentric * 2 + eight, TYPE_F),
                 reg(from + mode * 4 + at, TYPE_F));
    }
    put_write();
    put_kernel(s);
}

/* Barycentrics at pixels and at samples, of threads that run for each sample: at a pixel's own location, and
 * at the sample's. Depth and w of the payload are at the sample. */
static void barycentrics_of_samples(void **state)
{
    (void)state;
    enum { BIM_LINEAR_PIXEL = 8, BIM_LINEAR_SAMPLE = 32, PIXEL_AT = 2, SAMPLE_AT = 6 };
    for (EACH_DRAW_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2)) {
            struct streamer *const s = begin(*name);
            const struct sampling a = {.log2 = log2, .mask = 0xffff};
            struct scene c = plain;
            uint32_t dw[MOST_DW];
            c.topology = TRILIST;
            c.at = large;
            c.format = R32G32B32A32_FLOAT;
            put_barycentrics(s, 2);
            uint32_t count = put_sampled_scene(s, &c, &a, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                        {"Pixel Shader Is Per Sample", 1});
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_WM"),
                        {"Barycentric Interpolation Mode", BIM_LINEAR_PIXEL | BIM_LINEAR_SAMPLE});
            run_sampled(s, dw, count, next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (uint32_t sample = 0; sample < 1u << log2; sample++) {
                        const uint32_t at = sample_place(s, 16, log2, 0, x, y, sample);
                        expect_barycentrics(s, at, x, y, standard_positions[0][0]);
                        expect_barycentrics(s, at + 8, x, y, standard_positions[log2][sample]);
                    }
            streamer_destroy(s);
        }
}

/* Centroid barycentrics, of threads of pixels. */
static void barycentrics_of_centroids(void **state)
{
    (void)state;
    enum { BIM_LINEAR_PIXEL = 8, BIM_LINEAR_CENTROID = 16 };
    for (EACH_DRAW_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2)) {
            struct streamer *const s = begin(*name);
            const struct sampling a = {.log2 = log2, .mask = log2 == 2 ? 0xfffc : 0xffff};
            struct scene c = plain;
            uint32_t dw[MOST_DW];
            c.topology = TRILIST;
            c.at = large;
            c.format = R32G32B32A32_FLOAT;
            put_barycentrics(s, 2);
            uint32_t count = put_sampled_scene(s, &c, &a, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_WM"),
                        {"Barycentric Interpolation Mode", BIM_LINEAR_PIXEL | BIM_LINEAR_CENTROID});
            run_sampled(s, dw, count, next_way());
            const uint32_t mask = a.mask & all_samples(log2);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t at = sample_place(s, 16, log2, 0, x, y, (uint32_t)__builtin_ctz(mask));
                    expect_barycentrics(s, at, x, y, standard_positions[0][0]);
                    expect_barycentrics(s, at + 8, x, y, centroid_of(log2, a.mask, mask));
                }
            streamer_destroy(s);
        }
}

enum { ANSWER = 40 };

/* Linear barycentrics at a sample and at the centroid, by messages. */
static void ask_interpolator(unsigned sample)
{
    enum { LINEAR = 1 << 14, WIDE = 1 << 16, SAMPLE = 1 << 12, CENTROID = 2 << 12 };
    for (unsigned i = 0; i < 2; i++)
        kernel_send(&k, all, SFID_PIXEL_INTERPOLATOR,
                    1 << 25 | 4 << 20 | WIDE | LINEAR | (i ? CENTROID : SAMPLE | sample << 4),
                    reg(ANSWER + 4 * i, TYPE_UD), reg(1, TYPE_UD), false);
}

/* Those at a sample, twice, which shaders of Gen20 compute: the payload has x, then y of each sample in 1/16
 * of a pixel, then planes. (Mesa, emit_pixel_interpolater_alu_at_sample) */
static void compute_at_sample(unsigned sample)
{
    enum { SAMPLE_OFFSETS = 2, PLANES = 4, CENTER = 8, OFFSETS = 70 };
    struct op offset[2];
    for (unsigned axis = 0; axis < 2; axis++) {
        offset[axis] = region(OFFSETS + axis, TYPE_W, 16, 16, 1);
        KERNEL_2(&k, EU_ADD, all, reg(OFFSETS + axis, TYPE_W),
                 one(SAMPLE_OFFSETS, SAMPLES_MOST * axis + sample, TYPE_UB), imm(0x10000 - CENTER, TYPE_W));
    }
    for (unsigned i = 0; i < 2; i++)
        put_barycentrics_of_planes(ANSWER + 4 * i, PLANES, offset, true);
}

/* Messages to the pixel interpolator name a sample, or the centroid. In modes where all samples are at the
 * pixel's location they are there. (BDW PRM vol 7, Pixel Interpolator, Multisample Modes) */
static void interpolates(void **state)
{
    (void)state;
    enum { MASK = 0xfffe };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 4 * SAMPLES_MOST_LOG2; n++) {
            struct streamer *const s = begin(*name);
            const unsigned log2 = 1 + n / 4;
            const bool of_pattern = n % 4 < 3;
            const unsigned asked = n % 4 == 1 ? (1u << log2) - 1 : n * 5 % (1u << log2);
            const struct sampling a = {
                .log2 = log2, .mask = MASK, .more = of_pattern ? "" : "3DSTATE_RASTER cull_mode = none"};
            struct scene c = plain;
            uint32_t dw[MOST_DW];
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            c.topology = TRILIST;
            c.at = large;
            c.format = R32G32B32A32_FLOAT;
            const bool computes = has_wide_registers();
            if (computes)
                compute_at_sample(asked);
            else
                ask_interpolator(asked);
            put_barycentrics(s, ANSWER);
            uint32_t count = put_sampled_scene(s, &c, &a, dw);
            if (computes)
                insert_before_primitive(s, dw, &count,
                                        "3DSTATE_PS_EXTRA pixel_shader_valid,"
                                        " pixel_shader_requires_subpixel_sample_offsets" OF_LINEAR_PLANES);
            else if (k.set != &eu_gen8)
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                            {"Pixel Shader Pulls Bary", 1});
            run_sampled(s, dw, count, next_way());
            const uint8_t *const center = standard_positions[0][0];
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t at = sample_place(s, 16, log2, 0, x, y, 1);
                    for (unsigned i = 0; i < 2; i++)
                        expect_barycentrics(s, at + 8 * i, x, y,
                                            of_pattern ? standard_positions[log2][i && !computes ? 1 : asked]
                                                       : center);
                }
            streamer_destroy(s);
        }
}

/* ---- Threads of samples ---- */

/* The sample of each channel: four bits of r1.0 for each subspan. */
static void put_sample_numbers(struct how how, unsigned to)
{
    KERNEL_2(&k, EU_SHR, how, reg(20, TYPE_UW), region(1, TYPE_UB, 1, 8, 0), imm(0x44440000, TYPE_V));
    KERNEL_2(&k, EU_AND, how, reg(20, TYPE_UW), reg(20, TYPE_UW), imm(15, TYPE_UW));
    KERNEL_1(&k, EU_MOV, how, reg(to, TYPE_UD), region(20, TYPE_UW, 8, 8, 1));
}

/* A shader that runs for each sample has its number, its position and the coverage of its pixel. Each covered
 * sample is shaded, written and counted once. (SKL PRM vol 7, PS Thread Payload; vol 2a, 3DSTATE_PS_EXTRA:
 * Pixel Shader Is Per Sample) */
static void shaded_by_sample(void **state)
{
    (void)state;
    enum { CASES = 4 };
    enum { SIMD8_WRITE = 4 << 25 | 4 << 8 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < CASES * SAMPLES_MOST_LOG2; n++) {
            struct streamer *const s = begin(*name);
            const bool by_eights = n & 2 && !has_wide_registers();
            const unsigned coverage = has_wide_registers() ? POSITIONS : POSITIONS + 1,
                           positions = has_wide_registers() ? POSITIONS + 2 : POSITIONS;
            const struct how how = {.channels = by_eights ? 8 : 16};
            const unsigned registers = by_eights ? 1 : 2;
            const unsigned log2 = 1 + n / CASES;
            const struct sampling a = {.log2 = log2, .mask = n % 2 ? 0xffff : 0x5a36};
            struct scene c = plain;
            float corners[3][3] = {{0}};
            uint32_t dw[MOST_DW], counted = 0;
            const int32_t *const edges = rectangle_at(corners, n * 5);
            if (log2 > most_samples_log2()) {
                streamer_destroy(s);
                break;
            }
            c.at = (const float(*)[3])(const void *)corners;
            put_sample_numbers(how, PAYLOAD);
            KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD + registers, TYPE_UD), region(positions, TYPE_UW, 8, 8, 1));
            KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD + 2 * registers, TYPE_UD), reg(coverage, TYPE_UD));
            KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD + 3 * registers, TYPE_UD), imm(1, TYPE_UD));
            send_write(how, by_eights ? (uint32_t)SIMD8_WRITE : (uint32_t)SIMD16_WRITE, true);
            put_kernel(s);
            const uint32_t count = put_sampled_scene(s, &c, &a, dw);
            uint32_t *const ps = command_named(s->device, dw, count, "3DSTATE_PS");
            COMMAND_PUT(s->device, ps, {"Position XY Offset Select", .value_name = "POSOFFSET_SAMPLE"});
            if (by_eights)
                COMMAND_PUT(s->device, ps, {"8 Pixel Dispatch Enable", 1}, {"16 Pixel Dispatch Enable", 0});
            uint32_t *const extra = command_named(s->device, dw, count, "3DSTATE_PS_EXTRA");
            COMMAND_PUT(s->device, extra, {"Pixel Shader Is Per Sample", 1});
            if (k.set == &eu_gen8)
                COMMAND_PUT(s->device, extra, {"Pixel Shader Uses Input Coverage Mask", 1});
            else
                COMMAND_PUT(s->device, extra, {"Input Coverage Mask State", .value_name = "NORMAL"});
            run_sampled(s, dw, count, next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t covered = covered_samples(edges, log2, a.mask, x, y);
                    for (uint32_t sample = 0; sample < 1u << log2; sample++) {
                        const uint32_t at = sample_place(s, 16, log2, 0, x, y, sample);
                        const bool in = covered >> sample & 1;
                        assert_int_equal(dword_at(s, at), in ? sample : STALE);
                        assert_int_equal(dword_at(s, at + 4),
                                         in ? position_word(standard_positions[log2][sample]) : STALE);
                        assert_int_equal(dword_at(s, at + 8), in ? covered : STALE);
                        counted += in;
                    }
                }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), counted * counts_a_pixel());
            streamer_destroy(s);
        }
}

/* ---- Masks of shaders ---- */

/* The mask that a shader writes leaves samples out: of each pixel another one. What is left out is not
 * counted. (SKL PRM vol 7, Render Target Write: oMask; vol 2a, 3DSTATE_PS_EXTRA) */
static void masks_of_shaders(void **state)
{
    (void)state;
    enum { OMASK_WRITE = RENDER_TARGET_WRITE | LAST_RENDER_TARGET };
    for (EACH_DRAW_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2))
            for (unsigned way = 0; way < 4; way++) {
                const bool by_sample = way & 1, early = way & 2;
                struct streamer *const s = begin(*name);
                const struct sampling a = {.log2 = log2, .mask = 0xfeff};
                struct scene c = plain;
                float corners[3][3] = {{0}};
                uint32_t dw[MOST_DW], counted = 0;
                const unsigned rows = kernel_rows(k.set), omask = PAYLOAD - rows;
                const int32_t *const edges = rectangle_at(corners, log2 * 3);
                c.at = (const float(*)[3])(const void *)corners;
                c.early_tests = early ? 2 : 0; /* EDSC_PREPS */
                /* x of the pixel, times 7: its low bits are the mask */
                struct op subspans = region(1, TYPE_UW, 2, 4, 0);
                subspans.subregister = 8;
                KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UW), subspans, imm(pixel_offsets(0), TYPE_V));
                KERNEL_2(&k, EU_SHL, all, reg(21, TYPE_UW), reg(20, TYPE_UW), imm(9, TYPE_UW));
                KERNEL_2(&k, EU_OR, all, reg(omask, TYPE_UW), reg(20, TYPE_UW), reg(21, TYPE_UW));
                for (unsigned i = 0; i < 4; i++)
                    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), region(20, TYPE_UW, 16, 16, 1));
                send_parts(all, OMASK_WRITE | PAYLOAD_REGISTERS(8 + rows), OMASK_PART, omask);
                put_kernel(s);
                uint32_t count = put_sampled_scene(s, &c, &a, dw);
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                            {"oMask Present to Render Target", 1}, {"Pixel Shader Is Per Sample", by_sample});
                run_sampled(s, dw, count, next_way());
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        for (uint32_t sample = 0; sample < 1u << log2; sample++) {
                            const bool in =
                                covered_samples(edges, log2, a.mask & (x | x << 9), x, y) >> sample & 1;
                            assert_int_equal(dword_at(s, sample_place(s, 16, log2, 0, x, y, sample)),
                                             in ? x : STALE);
                            counted += early ? covered_samples(edges, log2, a.mask, x, y) >> sample & 1 : in;
                        }
                assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
                streamer_destroy(s);
            }
}

/* Pixels that the shader does not write are not counted, unless the state has tests before the shader. */
static void killed_pixels(void **state)
{
    (void)state;
    enum { KEPT = 19, LESS_THAN = 5 };
    const struct how compares = {.channels = 16, .condition = LESS_THAN},
                     kept = {.channels = 16, .predicate = 1};
    for (EACH_DRAW_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2))
            for (unsigned way = 0; way < 4; way++) {
                struct streamer *const s = begin(*name);
                const bool by_sample = way & 1, early = way & 2;
                const struct sampling a = {.log2 = log2, .mask = 0xfeff};
                struct scene c = plain;
                float corners[3][3] = {{0}};
                uint32_t dw[MOST_DW], counted = 0;
                const int32_t *const edges = rectangle_at(corners, log2 * 5);
                c.at = (const float(*)[3])(const void *)corners;
                c.kills = true;
                c.early_tests = early ? 2 : 0;
                struct op subspans = region(1, TYPE_UW, 2, 4, 0);
                subspans.subregister = 8;
                KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UW), subspans, imm(pixel_offsets(0), TYPE_V));
                KERNEL_2(&k, EU_CMP, compares, none(TYPE_UW), reg(20, TYPE_UW), imm(KEPT, TYPE_UW));
                for (unsigned i = 0; i < 4; i++)
                    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), imm(i, TYPE_UD));
                kernel_send(&k, kept, SFID_RENDER_CACHE, SIMD16_WRITE, none(TYPE_UD), reg(PAYLOAD, TYPE_UD),
                            true);
                put_kernel(s);
                const uint32_t count = put_sampled_scene(s, &c, &a, dw);
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                            {"Pixel Shader Is Per Sample", by_sample});
                run_sampled(s, dw, count, next_way());
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        for (uint32_t sample = 0; sample < 1u << log2; sample++) {
                            const bool in = covered_samples(edges, log2, a.mask, x, y) >> sample & 1;
                            assert_int_equal(dword_at(s, sample_place(s, 16, log2, 0, x, y, sample)),
                                             in && x < KEPT ? 0 : STALE);
                            counted += in && (early || x < KEPT);
                        }
                assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
                streamer_destroy(s);
            }
}

enum { ALPHA_TO_COVERAGE = INT32_MIN, ALPHA_TO_ONE = 1 << 29, ALPHA_TO_COVERAGE_DITHER = 1 << 28 };

/* Alpha covers as many of a pixel's samples as it is a part of them: none of 0, all of 1, and of a greater
 * alpha those of a smaller one, too. Alpha to one comes behind it. With dithering a subspan's pixels have
 * other samples, as many each. (SKL PRM vol 2d, BLEND_STATE) */
static void alpha_covers(void **state)
{
    (void)state;
    enum { STEPS = 17 };
    for (EACH_DRAW_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2))
            for (unsigned way = 0; way < 3; way++) {
                uint32_t before = 0;
                for (unsigned step = 0; step < STEPS; step += way ? 4 : 1) {
                    struct streamer *const s = begin(*name);
                    const unsigned samples = 1u << log2;
                    const bool to_one = way == 1, dithers = way == 2;
                    const struct sampling a = {.log2 = log2, .mask = 0xffff};
                    struct scene c = plain;
                    uint32_t dw[MOST_DW], counted = 0;
                    const float color[4] = {1, 1, 1, (float)step / (STEPS - 1)};
                    c.topology = TRILIST;
                    c.at = large;
                    c.format = R8G8B8A8_UNORM;
                    c.scissor[1] = LAST_PIXEL;
                    put_color(s, color);
                    uint32_t count = put_sampled_scene(s, &c, &a, dw);
                    COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_BLEND"),
                                {"Alpha To Coverage Enable", 1});
                    COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                                {"Pixel Shader Kills Pixel", 1});
                    dword_put(s, DYNAMIC + BLENDING,
                              (uint32_t)ALPHA_TO_COVERAGE | (to_one ? ALPHA_TO_ONE : 0u) |
                                  (dithers ? ALPHA_TO_COVERAGE_DITHER : 0u));
                    run_sampled(s, dw, count, next_way());
                    const uint32_t alpha = to_one ? 255 : (uint32_t)lrint((double)color[3] * 255);
                    for (uint32_t y = 0; y < HEIGHT; y++)
                        for (uint32_t x = 0; x < WIDTH; x++) {
                            uint32_t covered = 0;
                            for (uint32_t sample = 0; sample < samples; sample++) {
                                const uint32_t pixel = dword_at(s, sample_place(s, 4, log2, 0, x, y, sample));
                                if (pixel == STALE)
                                    continue;
                                assert_int_equal(pixel, RGBA(255, 255, 255, alpha));
                                covered |= 1u << sample;
                            }
                            const unsigned found = (unsigned)__builtin_popcount(covered);
                            counted += found;
                            assert_true(fabs(found - (double)color[3] * samples) <= 0.5);
                            if (!dithers && x + y == 0) {
                                assert_int_equal(before & ~covered, 0);
                                before = covered;
                            }
                        }
                    assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
                    streamer_destroy(s);
                }
            }
}

/* ---- Layers, counts of pieces ---- */

/* Each element of an array has the samples of its own, one behind the other. */
static void elements_of_arrays(void **state)
{
    (void)state;
    enum { ELEMENTS = 3, LOG2 = 2 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < RUN_WAYS; way++) {
            struct streamer *const s = begin(*name);
            const struct sampling a = {.log2 = LOG2, .mask = 0xffff};
            struct scene c = plain;
            float corners[3][3] = {{0}};
            uint32_t dw[MOST_DW];
            const int32_t *const edges = rectangle_at(corners, 9);
            c.at = (const float(*)[3])(const void *)corners;
            c.instances = c.elements = ELEMENTS;
            put_places(s);
            run_sampled(s, dw, put_sampled_scene(s, &c, &a, dw), way);
            for (uint32_t element = 0; element < ELEMENTS; element++)
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        for (uint32_t sample = 0; sample < 1u << LOG2; sample++) {
                            const bool in = is_in(edges, x, y, standard_positions[LOG2][sample]);
                            assert_int_equal(dword_at(s, sample_place(s, 16, LOG2, element, x, y, sample)),
                                             in ? x : STALE);
                        }
            streamer_destroy(s);
        }
}

/* ---- Other contexts ---- */

/* Another context comes in within a draw whose samples are shaded one by one, also between those of a
 * subspan: each sample is shaded, written and counted once. A place in the image that is none of the draw's
 * has it begin anew. */
static void preempted_between_samples(void **state)
{
    (void)state;
    enum { STEPS = 12, WORK_MARK = 43 << 16 | 11, FLAGS_AT = 8, ALL_FLAGS = 0xf << 4 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < STEPS; n++) {
            struct streamer *const s = begin(*name);
            const unsigned log2 = most_samples_log2();
            const bool is_changed = n % 4 == 3;
            const struct sampling a = {.log2 = log2, .mask = 0xffff};
            struct scene c = plain;
            float corners[3][3] = {{0}};
            uint32_t dw[MOST_DW], counted = 0;
            unsigned marks = 0;
            const int32_t *const edges = rectangle_at(corners, n);
            c.at = (const float(*)[3])(const void *)corners;
            masked_put(s, "FF_SLICE_CS_CHICKEN1", BY_CONTEXT, 0);
            masked_put(s, "FF_SLICE_CS_CHICKEN3", LEVEL_OF_DRAWS, LEVEL_OF_DRAWS);
            put_sample_numbers(all, PAYLOAD);
            for (unsigned i = 1; i < 4; i++)
                KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), imm(i, TYPE_UD));
            put_write();
            put_kernel(s);
            const uint32_t count = put_sampled_scene(s, &c, &a, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                        {"Pixel Shader Is Per Sample", 1});
            context_put(s, 0, dw, count);
            context_submit(s, 0);
            for (unsigned i = 0; i < 10000 && !streamer_status(s).thread_groups; i++)
                softgt_run(s->device, 1);
            for (unsigned i = 0; i < n % 3; i++)
                softgt_run(s->device, 1);
            another_context_comes(s);
            for (uint32_t at = CONTEXTS; is_changed && at < CONTEXTS + CONTEXT_RING_AT; at += 4)
                if (dword_at(s, at) == WORK_MARK && ++marks)
                    dword_put(s, at + FLAGS_AT * 4u, dword_at(s, at + FLAGS_AT * 4u) | ALL_FLAGS);
            assert_int_equal(marks, is_changed);
            context_submit(s, 0);
            softgt_run(s->device, 1 << 24);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (uint32_t sample = 0; sample < 1u << log2; sample++) {
                        const bool in = is_in(edges, x, y, standard_positions[log2][sample]);
                        const uint32_t found = dword_at(s, sample_place(s, 16, log2, 0, x, y, sample));
                        if (found != STALE || !is_changed)
                            assert_int_equal(found, in ? sample : STALE);
                        counted += in;
                    }
            if (!is_changed) {
                assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
                assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), counted * counts_a_pixel());
            }
            streamer_destroy(s);
        }
}

TEST_PROGRAM(samples_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_masks),
        cmocka_unit_test(stipples_discard_samples),
        cmocka_unit_test(samples_at_the_pixel_location),
        cmocka_unit_test(centroids),
        cmocka_unit_test(barycentrics_of_samples),
        cmocka_unit_test(barycentrics_of_centroids),
        cmocka_unit_test(interpolates),
        cmocka_unit_test(shaded_by_sample),
        cmocka_unit_test(masks_of_shaders),
        cmocka_unit_test(killed_pixels),
        cmocka_unit_test(alpha_covers),
        cmocka_unit_test(elements_of_arrays),
        cmocka_unit_test(preempted_between_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
