/* Rasterization beside plain triangles, lines and points: edge flags, antialiased lines, smooth points,
 * pixels that are touched; and attributes at other places than a pixel's center. (SNB PRM vol 2 part 1) */
#include "../suite.h"
#include "../draws.h"

#include "../random.h"
#include "../saved.h"

#include <math.h>

enum { FLAGS = VERTICES + KB };

static void run_in_pieces(struct streamer *s, const uint32_t *dw, uint32_t count, bool in_pieces)
{
    memset(s->memory + TARGET, 0, PITCH * HEIGHT);
    batch_put(s, dw, count, true);
    for (unsigned i = 0; softgt_run(s->device, in_pieces ? 1 + i % 90 : 1u << 20); i++) {
        if (in_pieces)
            reload(s->device);
        assert_true(i < 20000);
    }
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

/* ---- Edge flags ---- */

/* A corner of the polygon, and pixels in the middle of the edge after it. */
struct edge {
    float at[3];
    uint32_t middle[2];
};

/* An edge is drawn if the flag of the vertex before it is set; of points, the vertex. The flag is no part of
 * the vertex, and any value but zero sets it. Edges between the triangles of a polygon have none. (SNB PRM
 * vol 2 part 1, VERTEX_ELEMENT_STATE: Edge Flag Enable) */
static void edge_flags(void **state)
{
    (void)state;
    enum { WIREFRAME = 1, POINT = 2, OF_STATE = 1 << 11 };
    static const struct edge ring[4] = {{{4.5f, 4.5f, 0}, {12, 4}},
                                        {{20.5f, 4.5f, 0}, {20, 12}},
                                        {{20.5f, 20.5f, 0}, {12, 20}},
                                        {{4.5f, 20.5f, 0}, {4, 12}}};
    static const uint32_t topologies[] = {TRILIST, TRIFAN, POLYGON, QUADLIST};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        put_color(s, (const float[4]){1, 1, 1, 1});
        for (unsigned n = 0; n < 2 * 2 * 16 * sizeof topologies / sizeof topologies[0]; n++) {
            const unsigned flags = n / 4 % 16, topology = topologies[n / 64],
                           corners = topology == TRILIST ? 3 : 4;
            const bool points = n & 1, in_pieces = n & 2, is_fan = topology == TRIFAN;
            if (in_pieces && flags != 5 && flags != 10) /* each edge once */
                continue;
            float at[4][3];
            for (unsigned i = 0; i < 4; i++)
                memcpy(at[i], ring[i].at, sizeof at[i]);
            struct scene c = {.topology = topology,
                              .vertices = corners,
                              .at = (const float(*)[3])at,
                              .format = R8G8B8A8_UNORM};
            uint32_t dw[2 * MOST_DW];
            uint32_t count = put_scene(s, &c, dw);
            for (uint32_t i = 0; i < corners; i++)
                dword_put(s, FLAGS + 4 * i, flags >> i & 1 ? 1u << 7 * i : 0);
            insert_before_primitive(
                s, dw, &count,
                "3DSTATE_VERTEX_BUFFERS" VERTEX_BUFFER "," VERTEX_BUFFER "," VERTEX_BUFFER "\n"
                "3DSTATE_VERTEX_ELEMENTS"
                " { 0, 0, r32g32b32a32_float, 1, 1, store_0, store_0, store_0, store_src },"
                " { 0, 0, r32g32b32_float, 1, 0, store_1_fp, store_src, store_src, store_src },"
                " { 0, 1, r32_uint, 1, 2, store_src, nostore, nostore, nostore }\n"
                "3DSTATE_RASTER cull_mode = none, front_face_fill_mode = %u\n"
                "3DSTATE_SF dw3 = %u",
                0, 12, VERTICES, 48, 1, 0, FLAT, 48, 2, 4, FLAGS, 16, points ? POINT : WIREFRAME,
                OF_STATE | 8);
            run_in_pieces(s, dw, count, in_pieces);
            for (unsigned i = 0; i < corners; i++) {
                const unsigned last = i + 1 == corners && corners == 3; /* the diagonal */
                const uint32_t x = points ? (uint32_t)at[i][0]
                                   : last ? 12
                                          : ring[i].middle[0],
                               y = points ? (uint32_t)at[i][1]
                                   : last ? 12
                                          : ring[i].middle[1];
                const bool is_drawn = dword_at(s, TARGET + y * PITCH + x * 4) != 0;
                if (is_drawn != (flags >> i & 1))
                    fail_msg("%s, %u: %u, %u", *name, n, x, y);
            }
            if (corners == 4 && !points) /* a fan's triangles have all their edges */
                assert_int_equal(dword_at(s, TARGET + 12 * PITCH + 12 * 4) != 0,
                                 is_fan && (flags & 1 || flags & 4));
        }
        streamer_destroy(s);
    }
}

/* ---- Antialiasing ---- */

static double to_one(double value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

/* Lines are rectangles of their width, and go on behind their ends by the caps. Coverage rises from the sides
 * and from the ends to 1; the alpha that the shader sends is multiplied by it. A line of width 0 is not
 * antialiased. In a draw of many lines, too, which goes by tiles, and in pieces. (SNB PRM vol 2 part 1,
 * Anti-aliased Line Rasterization, Zero-Width Line Rasterization) */
static void smooth_lines(void **state)
{
    (void)state;
    enum { LINELIST = 2, MANY = 60 };
    static const float color[4] = {1, 0.25f, 0, 0.5f};
    static const struct {
        uint32_t width_16, region, cap; /* in 1/16 of a pixel; 0.5 pixels, times 2 for each */
        float at[2][2];
    } cases[] = {{16 * 4, 1, 1, {{10, 10}, {40, 10}}},
                 {16 * 4, 1, 1, {{40, 10}, {10, 25}}},
                 {16 * 7, 3, 2, {{30.25f, 5}, {25.75f, 26}}},
                 {16 * 2, 0, 0, {{12.5f, 20.5f}, {50, 7}}},
                 {0, 1, 1, {{10.5f, 10.5f}, {40.5f, 10.5f}}}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 3 * sizeof cases / sizeof cases[0]; n++) {
            const unsigned i = n / 3, lines = n % 3 == 1 ? MANY : 1;
            const bool in_pieces = n % 3 == 2;
            struct streamer *const s = begin(*name);
            float at[2 * MANY][3] = {{0}};
            for (unsigned vertex = 0; vertex < 2 * lines; vertex++)
                memcpy(at[vertex], cases[i].at[vertex % 2], sizeof cases[i].at[0]);
            struct scene c = {.topology = LINELIST,
                              .vertices = 2 * lines,
                              .at = (const float(*)[3])at,
                              .format = R8G8B8A8_UNORM};
            uint32_t dw[MOST_DW];
            put_color(s, color);
            uint32_t count = put_scene(s, &c, dw);
            insert_before_primitive(
                s, dw, &count,
                "3DSTATE_RASTER cull_mode = none, antialiasing_enable\n"
                "3DSTATE_SF line_width = %u, line_end_cap_antialiasing_region_width = %u\n"
                "3DSTATE_WM line_antialiasing_region_width = %u,"
                " line_end_cap_antialiasing_region_width = %u",
                cases[i].width_16 * 8, cases[i].cap, cases[i].region, cases[i].cap);
            run_in_pieces(s, dw, count, in_pieces);
            const double dx = cases[i].at[1][0] - cases[i].at[0][0],
                         dy = cases[i].at[1][1] - cases[i].at[0][1], length = sqrt(dx * dx + dy * dy),
                         half = cases[i].width_16 / 32.0, ramp = 0.25 * (1 << cases[i].region),
                         cap = 0.5 * (1 << cases[i].cap);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t pixel = dword_at(s, TARGET + y * PITCH + x * 4);
                    const double px = x + 0.5 - cases[i].at[0][0], py = y + 0.5 - cases[i].at[0][1],
                                 along = (px * dx + py * dy) / length,
                                 aside = fabs(px * dy - py * dx) / length,
                                 end = cap + fmin(along, length - along),
                                 coverage = to_one((half - aside) / ramp) * to_one(end / cap);
                    if (cases[i].width_16 == 0) {
                        assert_int_equal(pixel, x >= 10 && x < 40 && y == 10 ? RGBA(255, 64, 0, 128) : 0);
                        continue;
                    }
                    if (fabs(half - aside) < 0.01 || fabs(end) < 0.01)
                        continue;
                    assert_int_equal(pixel != 0, half > aside && end > 0);
                    if (pixel)
                        assert_int_equal(pixel & 0xffffff, RGBA(255, 64, 0, 0));
                    if (fabs((pixel >> 24) - coverage * 127.5) > 1.01)
                        fail_msg("%s, %u: %u, %u has %u, not %f", *name, n, x, y, pixel >> 24,
                                 coverage * 127.5);
                }
            streamer_destroy(s);
        }
}

/* Whether a pixel's center is in a line: in a rectangle, or in a parallelogram whose ends are parallel to the
 * minor axis. *margin: how far it is from the next edge. */
static bool is_in_line(const float at[2][2], double width, bool is_rectangle, const double pixel[2],
                       double *margin)
{
    const double step[2] = {at[1][0] - at[0][0], at[1][1] - at[0][1]},
                 off[2] = {pixel[0] - at[0][0], pixel[1] - at[0][1]};
    const unsigned major = fabs(step[1]) > fabs(step[0]);
    double length = fabs(step[major]), along = off[major] * step[major] / length,
           aside = fabs(off[!major] - off[major] * step[!major] / step[major]);
    if (is_rectangle) {
        length = sqrt(step[0] * step[0] + step[1] * step[1]);
        along = (off[0] * step[0] + off[1] * step[1]) / length;
        aside = fabs(off[0] * step[1] - off[1] * step[0]) / length;
    }
    const double in = fmin(fmin(along, length - along), width / 2 - aside);
    *margin = fabs(in);
    return in > 0;
}

/* A line up to width 1 has the pixels whose diamonds it leaves, as OpenGL wants. A wider one is a
 * parallelogram, as wide as Line Width on its minor axis. Where multisampling rasterization is on, also of
 * one sample, it is a rectangle, and not antialiased. (SNB PRM vol 2 part 1, 3DSTATE_SF: Line Width,
 * Anti-aliasing Enable; Line Rasterization; Mesa, anv: anv_rasterization_mode) */
static void shapes_of_lines(void **state)
{
    (void)state;
    enum { LINELIST = 2, SHAPES = 2, EDGE_256 = 2 };
    static const float color[4] = {1, 0.25f, 0, 0.5f};
    static const float lines[][2][2] = {{{40.26f, 20.65f}, {20.3f, 15}},
                                        {{10, 10}, {30, 12}},
                                        {{30.2f, 3.4f}, {25.75f, 26}},
                                        {{12.5f, 20.5f}, {50, 7}}};
    static const uint32_t widths_128[] = {0, 128, 300, 128 * 5};
    enum { LINES = sizeof lines / sizeof lines[0], WIDTHS = sizeof widths_128 / sizeof widths_128[0] };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < LINES * WIDTHS * SHAPES; n++) {
            const unsigned line = n % LINES;
            const uint32_t width_128 = widths_128[n / LINES % WIDTHS];
            const bool is_rectangle = n / LINES / WIDTHS;
            struct streamer *const s = begin(*name);
            const float at[2][3] = {{lines[line][0][0], lines[line][0][1], 0},
                                    {lines[line][1][0], lines[line][1][1], 0}};
            struct scene c = {.topology = LINELIST, .vertices = 2, .at = at, .format = R8G8B8A8_UNORM};
            uint32_t dw[MOST_DW];
            put_color(s, color);
            uint32_t count = put_scene(s, &c, dw);
            insert_before_primitive(
                s, dw, &count, "3DSTATE_RASTER cull_mode = none%s\n3DSTATE_SF line_width = %u",
                is_rectangle ? ", antialiasing_enable, dx_multisample_rasterization_enable" : "", width_128);
            run_in_pieces(s, dw, count, n % 3 == 0);
            const bool has_shape = width_128 > (is_rectangle ? 0 : 128);
            if (!has_shape && line == 0 && !is_rectangle) /* it begins in this diamond, left of the center */
                assert_int_not_equal(dword_at(s, TARGET + 20 * PITCH + 40 * 4), 0);
            for (uint32_t y = 0; y < HEIGHT && has_shape; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const double center[2] = {x + 0.5, y + 0.5};
                    const uint32_t pixel = dword_at(s, TARGET + y * PITCH + x * 4);
                    double margin;
                    const bool in = is_in_line(lines[line], width_128 / 128.0, is_rectangle, center, &margin);
                    if (margin > EDGE_256 / 256.0 && pixel != (in ? RGBA(255, 64, 0, 128) : 0))
                        fail_msg("%s, %u: %u, %u has %08x", *name, n, x, y, pixel);
                }
            streamer_destroy(s);
        }
}

/* A smooth point is a disc: inside all is covered, and nothing beyond half a pixel from its edge. Without an
 * antialiasing it is a square. */
static void smooth_points(void **state)
{
    (void)state;
    enum { OF_STATE = 1 << 11, POINTLIST = 1, WIDTH_8 = 8 * 9 };
    static const float at[1][3] = {{20.25f, 14.5f, 0}}, color[4] = {1, 1, 1, 1};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            const bool smooth = n & 1, in_pieces = n & 2;
            struct streamer *const s = begin(*name);
            struct scene c = {.topology = POINTLIST, .vertices = 1, .at = at, .format = R8G8B8A8_UNORM};
            uint32_t dw[MOST_DW];
            put_color(s, color);
            uint32_t count = put_scene(s, &c, dw);
            insert_before_primitive(s, dw, &count,
                                    "3DSTATE_RASTER cull_mode = none, smooth_point_enable = %u\n"
                                    "3DSTATE_SF dw3 = %u",
                                    smooth, OF_STATE | WIDTH_8);
            run_in_pieces(s, dw, count, in_pieces);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t alpha = dword_at(s, TARGET + y * PITCH + x * 4) >> 24;
                    const double dx = x + 0.5 - at[0][0], dy = y + 0.5 - at[0][1], half = WIDTH_8 / 16.0,
                                 far = sqrt(dx * dx + dy * dy);
                    if (!smooth)
                        assert_int_equal(alpha,
                                         dx >= -half && dx < half && dy >= -half && dy < half ? 255 : 0);
                    else
                        assert_true(fabs(alpha - 255 * to_one(half + 0.5 - far)) < 1.01);
                }
            streamer_destroy(s);
        }
}

/* ---- Pixel interpolator ---- */

/* Barycentrics of the second and third corner at a place. */
static void barycentrics_at(const float (*at)[4], double x, double y, bool is_linear, double of[2])
{
    double weight[3], sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        const float *const a = at[(i + 1) % 3], *const b = at[(i + 2) % 3];
        weight[i] = ((double)a[1] * b[3] - (double)a[3] * b[1]) * x +
                    ((double)a[3] * b[0] - (double)a[0] * b[3]) * y +
                    ((double)a[0] * b[1] - (double)a[1] * b[0]);
        if (is_linear)
            weight[i] *= at[i][3];
        sum += weight[i];
    }
    for (unsigned i = 0; i < 2; i++)
        of[i] = weight[i + 1] / sum;
}

enum { X_OFFSET = 3, Y_OFFSET = -7, X_OFFSETS = 0x7f3ed081, Y_OFFSETS = 0x12f8c054, PER_SLOT = 3 };

/* An offset of four bits with a sign, of those of eight pixels. */
static double offset_at(unsigned type, bool down, uint32_t pixel)
{
    const uint32_t bits = (uint32_t)(down ? Y_OFFSETS : X_OFFSETS) >> 4 * pixel & 15;
    return type == 0          ? (down ? Y_OFFSET : X_OFFSET) / 16.0
           : type == PER_SLOT ? (bits < 8 ? bits : bits - 16.0) / 16
                              : 0;
}

enum { LINEAR_BARYCENTRICS = 1 << 14, ANSWER = 40, OFFSETS = 60 };

/* A message to the pixel interpolator; it answers by eights: both barycentrics. */
static void ask_interpolator(unsigned type, bool is_linear)
{
    enum { WIDE = 1 << 16 };
    const uint32_t payload = type == PER_SLOT ? 4 : 1, data = type == 0 ? X_OFFSET | (Y_OFFSET & 15) << 4 : 0;
    for (unsigned down = 0; down < 2; down++)
        KERNEL_1(&k, EU_MOV, all, reg(OFFSETS + 2 * down, TYPE_D), region(70 + down, TYPE_W, 16, 16, 1));
    kernel_send(&k, all, SFID_PIXEL_INTERPOLATOR,
                payload << 25 | 4 << 20 | WIDE | (is_linear ? LINEAR_BARYCENTRICS : 0) | type << 12 | data,
                reg(ANSWER, TYPE_UD), reg(OFFSETS, TYPE_UD), false);
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, whole, reg(PAYLOAD + i % 2 * 2 + i / 2, TYPE_F), reg(ANSWER + i, TYPE_F));
}

/* Gen20 has no such messages: shaders compute from the planes behind the payload's header. */
static void compute_barycentrics(unsigned type, bool is_linear)
{
    enum { PLANES = 2 };
    const struct op none_of_both[2] = {imm(0, TYPE_F), imm(0, TYPE_F)},
                    for_all[2] = {imm(float_bits(X_OFFSET), TYPE_F), imm(float_bits(Y_OFFSET), TYPE_F)},
                    per_slot[2] = {region(70, TYPE_W, 16, 16, 1), region(71, TYPE_W, 16, 16, 1)};
    put_barycentrics_of_planes(PAYLOAD, PLANES,
                               type == 0          ? for_all
                               : type == PER_SLOT ? per_slot
                                                  : none_of_both,
                               is_linear);
}

/* Messages to the pixel interpolator return barycentrics at an offset for all pixels, at one for each pixel,
 * at the sample and at the centroid, which both are at the center where there is one sample. Offsets are in
 * 1/16 of a pixel and have a sign. (BDW PRM vol 7, Pixel Interpolator) */
static void interpolates(void **state)
{
    (void)state;
    static const float at[3][4] = {{-20, -10, 0.5f, 1}, {260, -20, 1, 2}, {40, 400, 2, 4}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 16; n++) {
            const unsigned type = n / 4;
            const bool is_linear = n & 1, in_pieces = n & 2;
            struct streamer *const s = begin(*name);
            struct scene c = {.topology = TRILIST, .vertices = 3, .clip = at, .format = R32G32B32A32_FLOAT};
            uint32_t dw[MOST_DW];
            for (unsigned down = 0; down < 2; down++)
                KERNEL_1(&k, EU_MOV, all, reg(70 + down, TYPE_W),
                         imm((uint32_t)(down ? Y_OFFSETS : X_OFFSETS), TYPE_V));
            if (has_wide_registers())
                compute_barycentrics(type, is_linear);
            else
                ask_interpolator(type, is_linear);
            put_write();
            put_kernel(s);
            uint32_t count = put_scene(s, &c, dw);
            insert_before_primitive(s, dw, &count, "3DSTATE_CLIP\n3DSTATE_PS_EXTRA pixel_shader_valid%s",
                                    k.set == &eu_gen8       ? ""
                                    : !has_wide_registers() ? ", pixel_shader_pulls_bary"
                                    : is_linear             ? OF_LINEAR_PLANES
                                                            : OF_PERSPECTIVE_PLANES);
            run_in_pieces(s, dw, count, in_pieces);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint32_t pixel = x % 2 + y % 2 * 2 + x / 2 % 2 * 4; /* of two subspans */
                    double of[2];
                    float found[2];
                    barycentrics_at(at, x + 0.5 + offset_at(type, false, pixel),
                                    y + 0.5 + offset_at(type, true, pixel), is_linear, of);
                    memcpy(found, s->memory + TARGET + y * PITCH + x * 16, sizeof found);
                    for (unsigned i = 0; i < 2; i++)
                        if (!(fabs(found[i] - of[i]) < 1e-6))
                            fail_msg("%s, %u: %u, %u: %f, not %f", *name, n, x, y, (double)found[i], of[i]);
                }
            streamer_destroy(s);
        }
}

/* ---- Conservative rasterization ---- */

/* How far a pixel's square is from a triangle along the axis that tells them most apart, and how far its
 * corners are inside; negative: it overlaps, or one is outside. */
static double square_apart(const float (*at)[3], double x, double y, double *least_inside)
{
    const double turn = ((double)at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) -
                        ((double)at[1][1] - at[0][1]) * (at[2][0] - at[0][0]);
    double apart = -HUGE_VAL;
    *least_inside = HUGE_VAL;
    for (unsigned axis = 0; axis < 2; axis++) {
        const double low = fmin(fmin(at[0][axis], at[1][axis]), at[2][axis]),
                     high = fmax(fmax(at[0][axis], at[1][axis]), at[2][axis]), here = axis ? y : x;
        apart = fmax(apart, fmax(low - here - 1, here - high));
    }
    for (unsigned i = 0; i < 3; i++) {
        const float *const a = at[i], *const b = at[(i + 1) % 3];
        const double dx = (double)b[0] - a[0], dy = (double)b[1] - a[1], length = sqrt(dx * dx + dy * dy);
        double nearest = HUGE_VAL;
        for (unsigned corner = 0; corner < 4; corner++) {
            const double cx = x + corner % 2 - a[0], cy = y + corner / 2 - a[1],
                         inside = (dx * cy - dy * cx) / length * (turn > 0 ? 1 : -1);
            nearest = -inside < nearest ? -inside : nearest;
            *least_inside = inside < *least_inside ? inside : *least_inside;
        }
        apart = fmax(apart, nearest);
    }
    return apart;
}

/* A triangle covers the pixels that it touches; of these the input coverage says which are inside as a whole,
 * if the state asks for that. (SKL PRM vol 7, Conservative Rasterization; vol 2a, 3DSTATE_PS_EXTRA: Input
 * Coverage Mask State) */
static void touched_pixels(void **state)
{
    (void)state;
    enum { NORMAL = 1, INNER = 2, R32G32B32A32_UINT_ = 2 };
    uint64_t seed = 11;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 40; n++) {
            const bool inner = n & 1, in_pieces = n % 10 == 9, conservative = n % 8 < 6;
            struct streamer *const s = begin(*name);
            float at[3][3] = {{0}};
            for (unsigned i = 0; i < 6; i++)
                at[i / 2][i % 2] = (float)below(&seed, (i % 2 ? HEIGHT : WIDTH) * 64) / 64;
            struct scene c = {.topology = TRILIST,
                              .vertices = 3,
                              .at = (const float(*)[3])at,
                              .format = R32G32B32A32_UINT_};
            uint32_t dw[MOST_DW];
            if (k.set == &eu_gen8) {
                streamer_destroy(s);
                break;
            }
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD, TYPE_UD), reg(2, TYPE_UD));
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 6, TYPE_UD), imm(1, TYPE_UD));
            put_write();
            put_kernel(s);
            uint32_t count = put_scene(s, &c, dw);
            insert_before_primitive(
                s, dw, &count,
                "3DSTATE_RASTER cull_mode = none, conservative_rasterization_enable = %u\n"
                "3DSTATE_PS_EXTRA pixel_shader_valid, input_coverage_mask_state = %u",
                conservative, inner ? INNER : NORMAL);
            run_in_pieces(s, dw, count, in_pieces);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    double least_inside;
                    const uint32_t pixel = TARGET + y * PITCH + x * 16, mask = dword_at(s, pixel);
                    const double apart = square_apart((const float(*)[3])at, x, y, &least_inside);
                    const bool is_drawn = dword_at(s, pixel + 12);
                    if (conservative && fabs(apart) > 0.02)
                        assert_int_equal(is_drawn, apart < 0);
                    if (!inner)
                        assert_int_equal(mask, is_drawn);
                    else if (is_drawn && fabs(least_inside) > 0.02)
                        assert_int_equal(mask, least_inside > 0);
                }
            streamer_destroy(s);
        }
}

TEST_PROGRAM(raster_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_flags),    cmocka_unit_test(smooth_lines), cmocka_unit_test(shapes_of_lines),
        cmocka_unit_test(smooth_points), cmocka_unit_test(interpolates), cmocka_unit_test(touched_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
