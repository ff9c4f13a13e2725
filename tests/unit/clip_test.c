/* What is behind the vertices: clipping, viewports, culling, points and lines, and what pixels find of
 * perspective. Which pixels are covered is found anew here: by what a place weighs of the corners, not by
 * cutting. */
#include "../suite.h"
#include "../draws.h"

#include "../random.h"
#include "../saved.h"

#include <math.h>

enum { VIEWPORTS_AT = 12 * KB, SCISSORS_AT = 13 * KB }; /* from the base of dynamic state */
enum { XY_AND_GUARD = 5 << 26, D3D = 1 << 30 };         /* bits of dword 2 of 3DSTATE_CLIP */
enum { CULL_NONE = 1 << 16, CULL_FRONT = 2 << 16, CULL_BACK = 3 << 16, SCISSORS = 1 << 1 };
enum { POINTLIST = 1, LINELIST = 2, LINESTRIP = 3, LINELOOP = 16 };

/* State behind that of the scene. */
struct behind {
    uint32_t clip[3], sf[3], raster[4], wm, user; /* dwords from 1 on; user: distances that clip, that cull */
    uint32_t dw[64], count;
};

/* Depth ends where it does on each generation: Gen8 has one bit for both. */
static uint32_t both_ends(void)
{
    return k.set == &eu_gen8 ? 1u : 1u | 1u << 26;
}

static void put_behind(struct streamer *s, struct behind *b, struct scene *c)
{
    b->count = assemble(s->device, 0, b->dw,
                        "3DSTATE_CLIP dw1 = %u, dw2 = %u, dw3 = %u\n"
                        "3DSTATE_SF dw1 = %u, dw2 = %u, dw3 = %u\n"
                        "3DSTATE_RASTER dw1 = %u, dw2 = %u, dw3 = %u, dw4 = %u\n"
                        "3DSTATE_WM dw1 = %u\n"
                        "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP sf_clip_viewport_pointer = %u\n"
                        "3DSTATE_SCISSOR_STATE_POINTERS scissor_rect_pointer = %u\n"
                        "3DSTATE_VS dw8 = %u",
                        b->clip[0], b->clip[1], b->clip[2], b->sf[0], b->sf[1], b->sf[2], b->raster[0],
                        b->raster[1], b->raster[2], b->raster[3], b->wm, VIEWPORTS_AT, SCISSORS_AT, b->user);
    c->more = b->dw;
    c->more_dw = b->count;
}

/* All of the target, whose y goes downwards. */
static const float matrix[6] = {WIDTH / 2, HEIGHT / 2, 0.5f, WIDTH / 2, HEIGHT / 2, 0.5f};

static void put_viewport(struct streamer *s, unsigned number, const float of[6], const float extents[4])
{
    const uint32_t at = DYNAMIC + VIEWPORTS_AT + number * 64;
    memset(s->memory + at, 0, 64);
    memcpy(s->memory + at, of, 6 * sizeof *of);
    memcpy(s->memory + at + 48, extents, 4 * sizeof *extents);
}

static const float whole_extents[4] = {0, WIDTH - 1, 0, HEIGHT - 1};
static const float white[4] = {1, 1, 1, 1};

/* What is to be drawn in clip space: of triangles, from a kernel that gives a color. */
static struct behind clipped(struct scene *c, const float (*at)[4], uint32_t vertices)
{
    *c = (struct scene){.topology = TRILIST, .vertices = vertices, .clip = at, .format = R8G8B8A8_UNORM};
    return (struct behind){.clip = {1u << 10, 1u << 31 | XY_AND_GUARD, 15},
                           .sf = {1u << 1 | 1u << 10},
                           .raster = {CULL_NONE | both_ends()}};
}

static void run(struct streamer *s, struct scene *c, struct behind *b)
{
    uint32_t dw[MOST_DW];
    put_behind(s, b, c);
    if (!k.count)
        put_color(s, white);
    put_viewport(s, 0, matrix, whole_extents);
    const uint32_t count = put_scene(s, c, dw);
    memset(s->memory + TARGET, 0, PITCH * HEIGHT);
    batch_run(s, dw, count, true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

static bool is_drawn(const struct streamer *s, uint32_t x, uint32_t y)
{
    return dword_at(s, TARGET + y * PITCH + x * 4) != 0;
}

static unsigned drawn(const struct streamer *s)
{
    unsigned n = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            n += is_drawn(s, x, y);
    return n;
}

/* ---- What a place weighs ---- */

static double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Of corners in clip space at a place of -1 to 1: so much of each, in all 1, by Cramer's rule. False: it is
 * behind the eye, or the triangle is seen from its edge. */
static bool weigh(const float (*at)[4], double x, double y, double of[3], double *w)
{
    double m[3][3], parts[3], sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        m[0][i] = at[i][0];
        m[1][i] = at[i][1];
        m[2][i] = at[i][3];
    }
    const double area = determinant(m);
    if (fabs(area) < 1e-9)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        double n[3][3];
        memcpy(n, m, sizeof n);
        n[0][i] = x;
        n[1][i] = y;
        n[2][i] = 1;
        parts[i] = determinant(n) / area;
        sum += parts[i];
    }
    for (unsigned i = 0; i < 3; i++)
        of[i] = parts[i] / sum;
    *w = 1 / sum;
    return sum > 0;
}

/* How far inside a triangle and the view a place is: less than nothing, outside; nearly nothing: it may be
 * either. */
static double inside(const float (*at)[4], double x, double y, bool from_zero, unsigned user)
{
    double of[3], w, z = 0, distance = 0;
    if (!weigh(at, x, y, of, &w))
        return -1;
    for (unsigned i = 0; i < 3; i++) {
        z += of[i] * at[i][2];
        distance += of[i] * at[i][0];
    }
    double least = fmin(fmin(of[0], of[1]), of[2]);
    least = fmin(least, (from_zero ? z : z + w) / (fabs(w) + 1));
    least = fmin(least, (w - z) / (fabs(w) + 1));
    return user ? fmin(least, distance) : least;
}

/* Triangles of any corners, before and behind the eye: each pixel is covered where its center is inside.
 * Pixels within a small part of an edge are left out, of all no more than a tenth. */
static void triangles_in_view(void **state)
{
    (void)state;
    enum { TRIANGLES = 60 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint64_t random = 7;
        unsigned sure = 0, covered = 0;
        for (unsigned n = 0; n < TRIANGLES; n++) {
            float at[3][4];
            const float(*const corners)[4] = (const float(*)[4])(const void *)at;
            struct scene c;
            for (unsigned i = 0; i < 12; i++) /* -2 to 2; w rather before the eye */
                at[i / 4][i % 4] = (float)(random_next(&random) % 4001) / 1000 - (i % 4 == 3 ? 1.0f : 2.0f);
            struct behind b = clipped(&c, corners, 3);
            b.clip[1] |= n % 2 ? D3D : 0;
            b.user = n % 3 == 2 ? 1u << 8 : 0;
            c.attributes = 1;
            c.places = true; /* x is the first distance, too */
            run(s, &c, &b);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const double in = inside(corners, (x + 0.5) / (WIDTH / 2) - 1,
                                             (y + 0.5) / (HEIGHT / 2) - 1, n % 2, b.user);
                    if (fabs(in) < 0.01)
                        continue;
                    sure++;
                    covered += in > 0;
                    if (is_drawn(s, x, y) != (in > 0))
                        fail_msg("%s, triangle %u: pixel %u, %u is %u (%f)", *name, n, x, y,
                                 is_drawn(s, x, y), in);
                }
        }
        assert_true(sure > TRIANGLES * WIDTH * HEIGHT * 9u / 10u);
        assert_true(covered > TRIANGLES * WIDTH * HEIGHT / 50u);
        streamer_destroy(s);
    }
}

/* Triangles that share edges cover each pixel once, cut ones too: two that make up more than the view. */
static void shared_edges(void **state)
{
    (void)state;
    static const float at[6][4] = {{-9, -9, 0, 1}, {9, -9, 0, 1}, {-8, 9, 0, 1},
                                   {9, -9, 0, 1},  {8, 9, 0, 1},  {-8, 9, 0, 1}};
    static const float dim[4] = {16 / 255.0f, 0, 0, 0};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c;
        struct behind b = clipped(&c, at, 6);
        c.blending[0] = 1u << 31 | 1u << 26 | 1u << 21; /* what is there is added */
        put_color(s, dim);
        run(s, &c, &b);
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
            assert_int_equal(dword_at(s, TARGET + i / WIDTH * PITCH + i % WIDTH * 4), 16);
        streamer_destroy(s);
    }
}

/* Objects that come to the clipper, and that leave it: one that is accepted; one behind the far plane, or
 * beside the view, none; one that the near plane cuts a corner off two. (REN-17) */
static void counts(void **state)
{
    (void)state;
    static const struct {
        float at[3][4];
        unsigned left;
    } cases[] = {{{{-1, -1, 0, 1}, {1, -1, 0, 1}, {0, 1, 0, 1}}, 1},
                 {{{-1, -1, 2, 1}, {1, -1, 3, 1}, {0, 1, 2, 1}}, 0},
                 {{{2, -1, 0, 1}, {3, -1, 0, 1}, {2, 1, 0, 1}}, 0},
                 {{{-1, -1, 0, 1}, {1, -1, 0, 1}, {0, 1, -2, 1}}, 2},
                 {{{-1, -1, 0, 1}, {1, -1, -2, 1}, {0, 1, -2, 1}}, 1}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
            struct streamer *const s = begin(*name);
            struct scene c;
            struct behind b = clipped(&c, cases[n].at, 3);
            run(s, &c, &b);
            assert_int_equal(counter_at(s, "CL_INVOCATION_COUNT"), 1);
            assert_int_equal(counter_at(s, "CL_PRIMITIVES_COUNT"), cases[n].left);
            assert_int_equal(drawn(s) != 0, cases[n].left != 0);
            streamer_destroy(s);
        }
}

/* A distance that is negative at each corner culls; where it is not at one, all is drawn. The clipper's masks
 * count where it is told to force them, else those of the stage before. */
static void cull_distances(void **state)
{
    (void)state;
    enum { FORCES_CULL = 1 << 20, FORCES_CLIP = 1 << 17 };
    static const float out[3][4] = {{-0.9f, -0.9f, 0, 1}, {-0.1f, -0.9f, 0, 1}, {-0.5f, 0.9f, 0, 1}},
                       partly[3][4] = {{-0.9f, -0.9f, 0, 1}, {0.9f, -0.9f, 0, 1}, {-0.5f, 0.9f, 0, 1}};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        for (unsigned n = 0; n < 8; n++) {
            const bool outside = n & 1, forces = n & 2, clips = n & 4;
            struct scene c;
            struct behind b = clipped(&c, outside ? out : partly, 3);
            c.attributes = 1;
            c.places = true;
            run(s, &c, &b);
            const unsigned whole_area = drawn(s);
            b.user = forces ? 0 : clips ? 1u << 8 : 1;
            b.clip[0] |= forces ? (clips ? FORCES_CLIP : FORCES_CULL | 1) : 0;
            b.clip[1] |= forces && clips ? 1u << 16 : 0;
            run(s, &c, &b);
            if (outside)
                assert_int_equal(drawn(s), 0);
            else if (clips)
                assert_in_range(drawn(s), whole_area / 5, whole_area * 4 / 5);
            else
                assert_int_equal(drawn(s), whole_area);
        }
        streamer_destroy(s);
    }
}

/* Of viewports the one that the vertex names, by the header's third dword; a number that is too large is 0.
 * Pixels beyond its extents, and beyond its scissor, stay. */
static void viewports(void **state)
{
    (void)state;
    enum { STORE_1_INTEGER = 4 };
    static const float at[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}},
                       second[6] = {8, 8, 0.5f, 40, 16, 0.5f}, second_extents[4] = {34, 46, 8, 22};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned last = 0; last < 2; last++)
            for (unsigned scissors = 0; scissors < 2; scissors++) {
                struct streamer *const s = begin(*name);
                struct scene c;
                struct behind b = clipped(&c, at, 3);
                uint32_t dw[MOST_DW];
                b.clip[2] = last;
                b.raster[0] |= scissors ? SCISSORS : 0;
                put_behind(s, &b, &c);
                put_color(s, white);
                put_viewport(s, 0, matrix, whole_extents);
                put_viewport(s, 1, second, second_extents);
                dword_put(s, DYNAMIC + SCISSORS_AT, 2u << 16 | 1);
                dword_put(s, DYNAMIC + SCISSORS_AT + 4, 4u << 16 | 6);
                dword_put(s, DYNAMIC + SCISSORS_AT + 8, 10u << 16 | 36);
                dword_put(s, DYNAMIC + SCISSORS_AT + 12, 12u << 16 | 39);
                const uint32_t count = put_scene(s, &c, dw);
                /* the header's third dword */
                COMMAND_GROUP_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_VERTEX_ELEMENTS"),
                                  0, {"Element Component 2 Control", .value_name = "STORE_1_INT"});
                memset(s->memory + TARGET, 0, PITCH * HEIGHT);
                batch_run(s, dw, count, true);
                const uint32_t low[2] = {last       ? (scissors ? 36 : 34)
                                         : scissors ? 1
                                                    : 0,
                                         last       ? (scissors ? 10 : 8)
                                         : scissors ? 2
                                                    : 0},
                               high[2] = {last       ? (scissors ? 39 : 46)
                                          : scissors ? 6
                                                     : WIDTH - 1,
                                          last       ? (scissors ? 12 : 22)
                                          : scissors ? 4
                                                     : HEIGHT - 1};
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        assert_int_equal(is_drawn(s, x, y),
                                         x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1]);
                streamer_destroy(s);
            }
}

/* A side that is culled is not drawn: which is the front its winding says, as it is seen, rows downwards. */
static void culls(void **state)
{
    (void)state;
    static const float clockwise[3][4] = {{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {-0.5f, 0.5f, 0, 1}},
                       behind_eye[3][4] = {{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {0.5f, 1.5f, -2, -1}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 16; n++) {
            const bool counter = n & 1, cut = n & 8;
            const unsigned mode = n >> 1 & 3u;
            struct streamer *const s = begin(*name);
            struct scene c;
            struct behind b = clipped(&c, cut ? behind_eye : clockwise, 3);
            b.raster[0] = mode << 16 | (counter ? 1u << 21 : 0) | both_ends();
            run(s, &c, &b);
            /* Cut, what is left turns the same way: the corner behind the eye is seen at the other side. */
            const bool expected = mode == 1 || (mode == 2 && counter) || (mode == 3 && !counter);
            assert_int_equal(drawn(s) != 0, expected);
            streamer_destroy(s);
        }
}

/* Every triangle of a strip turns as its first one; of a reversed strip all turn the other way. Quads turn as
 * their vertices do. */
static void culls_strips(void **state)
{
    (void)state;
    static const float
        strip[4][4] = {{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {-0.5f, 0.5f, 0, 1}, {0.5f, 0.5f, 0, 1}},
        ring[4][4] = {{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {0.5f, 0.5f, 0, 1}, {-0.5f, 0.5f, 0, 1}};
    static const uint32_t topologies[] = {TRISTRIP, TRISTRIP_REVERSE, QUADSTRIP, QUADLIST,
                                          TRIFAN,   TRIFAN_NOSTIPPLE, POLYGON};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < sizeof topologies / sizeof topologies[0]; n++)
            for (unsigned back = 0; back < 2; back++) {
                struct streamer *const s = begin(*name);
                struct scene c;
                struct behind b = clipped(&c, n < 3 ? strip : ring, 4);
                c.topology = topologies[n];
                b.raster[0] = (back ? CULL_BACK : CULL_FRONT) | both_ends();
                run(s, &c, &b);
                /* Clockwise as it is seen, which is the front. */
                const bool reversed = topologies[n] == TRISTRIP_REVERSE, kept = (back != 0) != reversed;
                assert_int_equal(drawn(s), kept ? WIDTH / 2 * (HEIGHT / 2) : 0);
                streamer_destroy(s);
            }
}

/* ---- Perspective ---- */

static float float_at(const struct streamer *s, uint32_t at)
{
    float value;
    memcpy(&value, s->memory + at, sizeof value);
    return value;
}

/* Pixels find what they weigh of the second and the third corner, depth and w: of what is cut too. */
static void weights(void **state)
{
    (void)state;
    static const float at[2][3][4] = {
        {{-0.8f, -0.9f, 0.2f, 1}, {1.8f, -1.4f, 1.0f, 2}, {-0.4f, 3.2f, 3.0f, 4}},
        {{-0.8f, -0.9f, 0.2f, 1}, {1.8f, -1.4f, 1.0f, 2}, {0.4f, -3.2f, -3.0f, -1}}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            const float(*const corners)[4] = at[n / 2];
            const bool straight = n % 2;
            struct streamer *const s = begin(*name);
            struct scene c;
            struct behind b = clipped(&c, corners, 3);
            unsigned looked = 0;
            c.format = R32G32B32A32_FLOAT;
            b.wm = (straight ? 8u : 1u) << 11;
            for (unsigned i = 0; i < 8; i++) { /* by eights: both weights; then depths, then w */
                static const uint8_t from[8] = {2, 4, 3, 5, 6, 7, 8, 9};
                KERNEL_1(&k, EU_MOV, whole, reg(PAYLOAD + i, TYPE_F),
                         reg(has_wide_registers() ? 2 + i : from[i], TYPE_F));
            }
            put_write();
            put_kernel(s);
            put_behind(s, &b, &c);
            c.more_dw += assemble(s->device, 0, b.dw + b.count,
                                  "3DSTATE_PS_EXTRA pixel_shader_valid, pixel_shader_uses_source_depth,"
                                  " pixel_shader_uses_source_w");
            put_viewport(s, 0, matrix, whole_extents);
            uint32_t dw[MOST_DW];
            batch_run(s, dw, put_scene(s, &c, dw), true);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t pixel = TARGET + y * PITCH + x * 16;
                    const double u = (x + 0.5) / (WIDTH / 2) - 1, v = (y + 0.5) / (HEIGHT / 2) - 1;
                    double of[3], w, z = 0;
                    if (dword_at(s, pixel) == STALE)
                        continue;
                    assert_true(weigh(corners, u, v, of, &w));
                    for (unsigned i = 0; i < 3; i++)
                        z += of[i] * corners[i][2];
                    looked++;
                    for (unsigned i = 1; i < 3; i++) {
                        const double expected = straight ? of[i] * corners[i][3] / w : of[i];
                        assert_true(fabs(float_at(s, pixel + 4 * (i - 1)) - expected) < 1e-4);
                    }
                    assert_true(fabs(float_at(s, pixel + 8) - (z / w * 0.5 + 0.5)) < 1e-5);
                    assert_true(fabs(float_at(s, pixel + 12) - w) < 1e-4);
                }
            assert_true(looked > 100);
            streamer_destroy(s);
        }
}

/* ---- Points and lines ---- */

static struct behind flat(struct scene *c, uint32_t topology, const float (*at)[3], uint32_t vertices)
{
    *c = (struct scene){.topology = topology, .vertices = vertices, .at = at, .format = R8G8B8A8_UNORM};
    return (struct behind){.clip = {0, 1u << 9}, .raster = {CULL_NONE}};
}

/* Points of 4 pixels and of a width that vertices give, which state limits: squares. The left edge is inside,
 * or the right one. */
static void points(void **state)
{
    (void)state;
    enum { OF_STATE = 1 << 11, RIGHT = 1 << 2 };
    static const float at[2][3] = {{8.5f, 8.5f, 0}, {20, 9, 0}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 3; n++) {
            struct streamer *const s = begin(*name);
            struct scene c;
            struct behind b = flat(&c, POINTLIST, at, 2);
            const uint32_t shift = n == 1; /* its centers lie on edges */
            b.sf[2] = n < 2 ? OF_STATE | 4 * 8 : 0;
            b.clip[2] = 16u << 17 | 2047u << 6; /* 2 at least: the header says 0 */
            b.wm = n == 1 ? RIGHT : 0;
            run(s, &c, &b);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t half = n < 2 ? 2 : 1, first = 8 - half + shift;
                    const bool one = x >= first && x < first + 2 * half && y >= 8 - half && y < 8 + half,
                               other = x >= 20 - half && x < 20 + half && y >= 9 - half && y < 9 + half;
                    assert_int_equal(is_drawn(s, x, y), one || other);
                }
            streamer_destroy(s);
        }
}

/* A thin line has a pixel for each step of its longer side, the last one only where state says so. A loop
 * goes back: each pixel of a square's border once. */
static void thin_lines(void **state)
{
    (void)state;
    static const float at[8][2][3] = {
        {{4.5f, 4.5f, 0}, {20.5f, 4.5f, 0}},  {{20.5f, 4.5f, 0}, {4.5f, 4.5f, 0}},
        {{4.5f, 4.5f, 0}, {4.5f, 20.5f, 0}},  {{4.5f, 20.5f, 0}, {4.5f, 4.5f, 0}},
        {{4.5f, 4.5f, 0}, {20.5f, 20.5f, 0}}, {{4.5f, 4.5f, 0}, {20.5f, 12.5f, 0}},
        {{20.5f, 12.5f, 0}, {4.5f, 4.5f, 0}}, {{4.5f, 20.5f, 0}, {12.5f, 4.5f, 0}}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 16; n++) {
            const float(*const line)[3] = at[n / 2];
            const bool last = n % 2;
            struct streamer *const s = begin(*name);
            struct scene c;
            struct behind b = flat(&c, LINELIST, line, 2);
            b.sf[2] = last ? 1u << 31 : 0;
            run(s, &c, &b);
            assert_int_equal(drawn(s), 16 + last);
            for (unsigned i = 0; i < 16 + (unsigned)last; i++) { /* the nearest one; between two, either */
                const double part = i / 16.0, x = line[0][0] + part * (line[1][0] - line[0][0]),
                             y = line[0][1] + part * (line[1][1] - line[0][1]);
                const bool here = is_drawn(s, (uint32_t)x, (uint32_t)y) ||
                                  is_drawn(s, (uint32_t)(x - 0.01), (uint32_t)(y - 0.01));
                if (!here)
                    fail_msg("%s, line %u: nothing at %f, %f", *name, n, x, y);
            }
            streamer_destroy(s);
        }
}

static void loops(void **state)
{
    (void)state;
    static const float at[4][3] = {{4.5f, 4.5f, 0}, {12.5f, 4.5f, 0}, {12.5f, 12.5f, 0}, {4.5f, 12.5f, 0}};
    static const float dim[4] = {16 / 255.0f, 0, 0, 0};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned strip = 0; strip < 2; strip++) {
            struct streamer *const s = begin(*name);
            struct scene c;
            struct behind b = flat(&c, strip ? LINESTRIP : LINELOOP, at, 4);
            c.blending[0] = 1u << 31 | 1u << 26 | 1u << 21;
            put_color(s, dim);
            run(s, &c, &b);
            assert_int_equal(drawn(s), strip ? 24 : 32);
            for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
                const uint32_t value = dword_at(s, TARGET + i / WIDTH * PITCH + i % WIDTH * 4);
                assert_true(value == 0 || value == 16);
            }
            streamer_destroy(s);
        }
}

/* A polygon that is not filled is its edges, or its vertices: those between its triangles are none. Each side
 * has a mode. It is the same in pieces, saved and loaded after each. (SKL PRM vol 2a, 3DSTATE_RASTER: Front
 * Face Fill Mode; OpenGL 4.6, 14.6.4) */
static void unfilled(void **state)
{
    (void)state;
    enum { SOLID, WIREFRAME, POINT, FRONT_FILL = 5, BACK_FILL = 3, OF_STATE = 1 << 11, ADD = 16 };
    static const float ring[5][3] = {{4.5f, 4.5f, 0},
                                     {20.5f, 2.5f, 0},
                                     {30.5f, 12.5f, 0},
                                     {22.5f, 22.5f, 0},
                                     {6.5f, 18.5f, 0}},
                       strip[4][3] = {{4.5f, 4.5f, 0}, {20.5f, 2.5f, 0}, {6.5f, 18.5f, 0}, {30.5f, 12.5f, 0}},
                       of_strip[4][3] = {
                           {4.5f, 4.5f, 0}, {20.5f, 2.5f, 0}, {30.5f, 12.5f, 0}, {6.5f, 18.5f, 0}};
    static const struct {
        uint32_t topology, vertices;
        const float (*at)[3], (*border)[3];
    } shapes[] = {{TRILIST, 3, ring, ring},
                  {QUADLIST, 4, ring, ring},
                  {POLYGON, 5, ring, ring},
                  {POLYGON, 3, ring, ring},
                  {QUADSTRIP, 4, strip, of_strip}};
    static const float dim[4] = {ADD / 255.0f, 0, 0, 0};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 2 * 2 * 2 * sizeof shapes / sizeof shapes[0]; n++) {
            const bool points = n & 1, in_pieces = n & 2, other_side = n & 4;
            const unsigned shape = n / 8;
            static uint8_t picture[2][PITCH * HEIGHT];
            for (unsigned polygon = 0; polygon < 2; polygon++) {
                struct streamer *const s = begin(*name);
                struct scene c;
                struct behind b =
                    flat(&c,
                         polygon  ? shapes[shape].topology
                         : points ? POINTLIST
                                  : LINELOOP,
                         polygon ? shapes[shape].at : shapes[shape].border, shapes[shape].vertices);
                const uint32_t mode = points ? POINT : WIREFRAME;
                uint32_t dw[MOST_DW];
                /* Clockwise as it is seen is the front. */
                b.raster[0] |= polygon ? mode << (other_side ? BACK_FILL : FRONT_FILL) : 0;
                b.raster[0] |= other_side ? 1u << 21 : 0;
                b.sf[2] = OF_STATE | 2 * 8;
                c.blending[0] = 1u << 31 | 1u << 26 | 1u << 21;
                k.count = 0;
                put_color(s, dim);
                put_behind(s, &b, &c);
                put_viewport(s, 0, matrix, whole_extents);
                const uint32_t count = put_scene(s, &c, dw);
                memset(s->memory + TARGET, 0, PITCH * HEIGHT);
                batch_put(s, dw, count, true);
                for (unsigned i = 0; softgt_run(s->device, polygon && in_pieces ? 1 + i % 90 : 1u << 20);
                     i++) {
                    if (polygon && in_pieces)
                        reload(s->device);
                    assert_true(i < 20000);
                }
                assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
                assert_true(drawn(s) > 10);
                memcpy(picture[polygon], s->memory + TARGET, sizeof picture[0]);
                streamer_destroy(s);
            }
            assert_memory_equal(picture[0], picture[1], sizeof picture[0]);
        }
}

/* A wide line is as wide across the axis that it follows more. */
static void wide_lines(void **state)
{
    (void)state;
    enum { WIDE = 4 };
    static const float at[2][2][3] = {{{4, 8, 0}, {20, 12, 0}}, {{8, 4, 0}, {12, 20, 0}}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned steep = 0; steep < 2; steep++) {
            struct streamer *const s = begin(*name);
            struct scene c;
            struct behind b = flat(&c, LINELIST, at[steep], 2);
            if (k.set == &eu_gen8)
                b.sf[1] = WIDE << 7 << 18;
            else
                b.sf[0] = WIDE << 7 << 12;
            run(s, &c, &b);
            assert_int_equal(drawn(s), 16 * WIDE);
            for (uint32_t i = 4; i < 20; i++) {
                unsigned across = 0;
                for (uint32_t j = 0; j < HEIGHT; j++)
                    across += steep ? is_drawn(s, j, i) : is_drawn(s, i, j);
                assert_int_equal(across, WIDE);
            }
            streamer_destroy(s);
        }
}

TEST_PROGRAM(clip_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_in_view), cmocka_unit_test(shared_edges), cmocka_unit_test(counts),
        cmocka_unit_test(cull_distances),    cmocka_unit_test(viewports),    cmocka_unit_test(culls),
        cmocka_unit_test(culls_strips),      cmocka_unit_test(weights),      cmocka_unit_test(points),
        cmocka_unit_test(thin_lines),        cmocka_unit_test(loops),        cmocka_unit_test(unfilled),
        cmocka_unit_test(wide_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
