/* Stipples of polygons and lines: which pixels their patterns keep. (SNB PRM vol 2 part 1, Line Stipple,
 * Polygon Stipple, and the state commands) */
#include "../suite.h"
#include "../draws.h"

#include "../random.h"
#include "../saved.h"

enum { LINELIST = 2, LINESTRIP = 3, LINELOOP = 16 };
enum { DIM = 16 };
static const float dim[4] = {DIM / 255.0f, 0, 0, 0};

/* Draws in slices of a few instructions, saved and loaded after each, or in one. Pixels are added. */
static void run_stippled(struct streamer *s, struct scene *c, const uint32_t *more, uint32_t more_dw,
                         bool in_pieces)
{
    uint32_t dw[2 * MOST_DW];
    c->format = R8G8B8A8_UNORM;
    c->blending[0] = 1u << 31 | 1u << 26 | 1u << 21;
    c->more = more;
    c->more_dw = more_dw;
    k.count = 0;
    put_color(s, dim);
    const uint32_t count = put_scene(s, c, dw);
    memset(s->memory + TARGET, 0, PITCH * HEIGHT);
    batch_put(s, dw, count, true);
    for (unsigned i = 0; softgt_run(s->device, in_pieces ? 1 + i % 90 : 1u << 20); i++) {
        if (in_pieces)
            reload(s->device);
        assert_true(i < 20000);
    }
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

static unsigned times_drawn(const struct streamer *s, uint32_t x, uint32_t y)
{
    return (dword_at(s, TARGET + y * PITCH + x * 4) & 0xff) / DIM;
}

/* Bit 31 of a row is the left pixel; the offsets move where the pattern begins. It is a pattern of the
 * target, not of the polygon. Rectangles and TRIFAN_NOSTIPPLE have none. */
static void polygons(void **state)
{
    (void)state;
    static const float square[4][3] = {{3, 2, 0}, {61, 2, 0}, {61, 30, 0}, {3, 30, 0}},
                       zigzag[4][3] = {{3, 2, 0}, {61, 2, 0}, {3, 30, 0}, {61, 30, 0}},
                       corners[3][3] = {{61, 30, 0}, {3, 30, 0}, {3, 2, 0}},
                       two[6][3] = {{3, 2, 0}, {61, 2, 0}, {61, 30, 0}, {3, 2, 0}, {61, 30, 0}, {3, 30, 0}};
    static const struct {
        uint32_t topology, vertices;
        const float (*at)[3];
        bool stippled;
    } shapes[] = {{TRILIST, 6, two, true},      {TRISTRIP, 4, zigzag, true},
                  {TRIFAN, 4, square, true},    {TRIFAN_NOSTIPPLE, 4, square, false},
                  {POLYGON, 4, square, true},   {QUADLIST, 4, square, true},
                  {QUADSTRIP, 4, zigzag, true}, {RECTLIST, 3, corners, false}};
    uint64_t seed = 7;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < sizeof shapes / sizeof shapes[0]; n++) {
            struct streamer *const s = begin(*name);
            struct scene c = {
                .topology = shapes[n].topology, .vertices = shapes[n].vertices, .at = shapes[n].at};
            uint32_t more[64], rows[32];
            const uint32_t x_offset = below(&seed, 32), y_offset = below(&seed, 32);
            uint32_t count = assemble(s->device, 0, more,
                                      "3DSTATE_RASTER cull_mode = none\n"
                                      "3DSTATE_WM polygon_stipple_enable\n"
                                      "3DSTATE_POLY_STIPPLE_OFFSET polygon_stipple_x_offset = %u,"
                                      " polygon_stipple_y_offset = %u\n"
                                      "3DSTATE_POLY_STIPPLE_PATTERN",
                                      x_offset, y_offset);
            for (unsigned i = 0; i < 32; i++)
                more[count - 32 + i] = rows[i] = (uint32_t)(random_next(&seed) >> 16);
            run_stippled(s, &c, more, count, n == 0);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const bool inside = x >= 3 && x < 61 && y >= 2 && y < 30,
                               kept = rows[(y + y_offset) % 32] >> (31 - (x + x_offset) % 32) & 1;
                    assert_int_equal(times_drawn(s, x, y), inside && (kept || !shapes[n].stippled));
                }
            streamer_destroy(s);
        }
}

/* A pixel of a border of 16 by 12 pixels by its number from the left upper corner on, rightwards. */
static void border_at(unsigned n, uint32_t *x, uint32_t *y)
{
    n %= 2 * (16 + 12);
    *x = 4 + (n < 16 ? n : n < 28 ? 16 : n < 44 ? 44 - n : 0);
    *y = 4 + (n < 16 ? 0 : n < 28 ? n - 16 : n < 44 ? 12 : 56 - n);
}

/* The counter counts a line's pixels from where it begins, also backwards; the lines of a strip continue it,
 * those of a list do not, LINESTRIP_CONT continues that of the last command. It is the same in pieces. */
static void lines(void **state)
{
    (void)state;
    static const float ring[5][3] = {
        {4.5f, 4.5f, 0}, {20.5f, 4.5f, 0}, {20.5f, 16.5f, 0}, {4.5f, 16.5f, 0}, {4.5f, 4.5f, 0}};
    static const struct {
        uint32_t topology, vertices;
        bool again; /* drawn once more */
    } shapes[] = {{LINESTRIP, 5, false},   {LINELOOP, 4, false},      {LINELIST, 4, false},
                  {LINESTRIP_BF, 5, true}, {LINESTRIP_CONT, 5, true}, {POLYGON, 4, false}};
    enum { PATTERN = 0x1d35 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 2 * 2 * 3 * sizeof shapes / sizeof shapes[0]; n++) {
            const unsigned shape = n / 12, repeat = n / 4 % 3 == 0 ? 1 : n / 4 % 3 == 1 ? 3 : 7;
            const bool wide = n & 1, in_pieces = n & 2, list = shapes[shape].topology == LINELIST;
            struct streamer *const s = begin(*name);
            struct scene c = {
                .topology = shapes[shape].topology, .vertices = shapes[shape].vertices, .at = ring};
            uint32_t more[64], expected[HEIGHT][WIDTH] = {{0}};
            uint32_t count = assemble(s->device, 0, more,
                                      "3DSTATE_RASTER cull_mode = none, front_face_fill_mode = wireframe\n"
                                      "3DSTATE_WM line_stipple_enable\n"
                                      "3DSTATE_LINE_STIPPLE line_stipple_pattern = %u,"
                                      " line_stipple_repeat_count = %u\n"
                                      "3DSTATE_SF line_width = %u",
                                      PATTERN, repeat, wide ? 3 << 7 : 0);
            if (shapes[shape].again)
                count += assemble(s->device, 0, more + count,
                                  "3DPRIMITIVE vertex_count_per_instance = 5, instance_count = 1");
            run_stippled(s, &c, more, count, in_pieces);
            for (unsigned i = 0; i < (shapes[shape].again ? 2u : 1u) * 56; i++) {
                const bool goes_on = shapes[shape].topology == LINESTRIP_CONT;
                const unsigned counter = list ? (i < 28 ? i : i - 28) : goes_on ? i : i % 56;
                uint32_t x, y;
                border_at(i, &x, &y);
                if (list && (i % 28 >= 16)) /* two lines, the second one backward */
                    continue;
                expected[y][x] += PATTERN >> counter / repeat % 16 & 1;
            }
            for (uint32_t y = 0; y < HEIGHT && !wide; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    if (times_drawn(s, x, y) != expected[y][x])
                        fail_msg("%s, %u: %u, %u has %u, not %u", *name, n, x, y, times_drawn(s, x, y),
                                 expected[y][x]);
            for (uint32_t x = 6; x < 19 && wide; x++) /* between the corners */
                for (uint32_t y = 3; y < 6; y++)
                    assert_int_equal(times_drawn(s, x, y), expected[4][x]);
            streamer_destroy(s);
        }
}

/* Draws of many vertices, which go by tiles, are the same in pieces, which do not. */
static void many(void **state)
{
    (void)state;
    enum { MANY = 120, PATTERN = 0x3a5c };
    static const uint32_t topologies[] = {TRILIST, LINESTRIP, LINELIST};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 3 * 2; n++) {
            static uint8_t picture[2][PITCH * HEIGHT];
            for (unsigned in_pieces = 0; in_pieces < 2; in_pieces++) {
                struct streamer *const s = begin(*name);
                uint64_t seed = n;
                float at[MANY][3] = {{0}};
                for (unsigned i = 0; i < MANY * 2; i++)
                    at[i / 2][i % 2] = (float)below(&seed, (i % 2 ? HEIGHT : WIDTH) * 16) / 16;
                struct scene c = {
                    .topology = topologies[n / 2], .vertices = MANY, .at = (const float(*)[3])at};
                uint32_t more[64];
                uint32_t count = assemble(s->device, 0, more,
                                          "3DSTATE_RASTER cull_mode = none\n"
                                          "3DSTATE_SF line_width = %u\n"
                                          "3DSTATE_WM polygon_stipple_enable, line_stipple_enable\n"
                                          "3DSTATE_LINE_STIPPLE line_stipple_pattern = %u,"
                                          " line_stipple_repeat_count = 2\n"
                                          "3DSTATE_POLY_STIPPLE_PATTERN",
                                          n % 2 ? 3 << 7 : 0, PATTERN);
                for (unsigned i = 0; i < 32; i++)
                    more[count - 32 + i] = (uint32_t)(random_next(&seed) >> 16);
                run_stippled(s, &c, more, count, in_pieces);
                memcpy(picture[in_pieces], s->memory + TARGET, sizeof picture[0]);
                streamer_destroy(s);
            }
            assert_memory_equal(picture[0], picture[1], sizeof picture[0]);
        }
}

TEST_PROGRAM(stipple_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons),
        cmocka_unit_test(lines),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
