/* What threads of Gen20 find in their registers of 64 bytes: pixels of 16 and of 32 channels that ask for all
 * inputs, and groups. Kernels of vertices, patches and objects are in their own tests. (Mesa,
 * brw_fs_thread_payload.cpp: setup_fs_payload_gfx20, cs_thread_payload) */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../draws.h"

#include <math.h>

enum { ROWS = 2, HALF = 16, CORNERS_ = 3 };

/* x, y, z and w of each corner; the triangle covers the whole target. */
static const float large[CORNERS_][4] = {{-20, -10, 0.125f, 1}, {260, -20, 0.5f, 2}, {40, 400, 2, 4}};

/* Registers of what each 16 pixels have; positions and sample offsets of all follow those of the first. */
enum { PERSPECTIVE, LINEAR = 2, DEPTH_AT = 4, W_AT, COVERAGE_AT, OF_HALF };
enum { POSITIONS_AT = OF_HALF, OFFSETS_AT, OF_FIRST_HALF };

struct payload {
    unsigned halves, inputs, planes, linear_planes, attributes; /* registers */
};

static struct payload payload_of(unsigned halves)
{
    const unsigned planes = halves + OF_FIRST_HALF + (halves - 1) * OF_HALF;
    return (struct payload){halves, halves, planes, planes + 1, planes + 2};
}

static struct op whole_register(unsigned number, enum eu_type type)
{
    return reg(number * ROWS, type);
}

static struct op value_in(unsigned number, unsigned byte, enum eu_type type)
{
    return one(number * ROWS + byte / EU_REGISTER_BYTES, byte % EU_REGISTER_BYTES, type);
}

/* What a draw looks at: four numbers of each pixel. */
enum { BARYCENTRICS, PLACES_AND_COVERAGE, OTHERS, HEADERS, LOOKS };

static void look(const struct payload *p, unsigned what, unsigned half, struct how how)
{
    const unsigned from = half ? p->inputs + OF_FIRST_HALF : p->inputs;
    const struct op center[2] = {imm(0, TYPE_F), imm(0, TYPE_F)};
    struct op color[4];
    for (unsigned i = 0; i < 4; i++)
        color[i] = whole_register(from + i, TYPE_F);
    if (what == PLACES_AND_COVERAGE) {
        color[0] = whole_register(from + DEPTH_AT, TYPE_F);
        color[1] = whole_register(from + W_AT, TYPE_F);
        color[2] = whole_register(from + COVERAGE_AT, TYPE_UD);
        color[3] = region((p->inputs + POSITIONS_AT) * ROWS + half, TYPE_UW, 16, 16, 1);
    } else if (what == OTHERS) {
        color[0] = whole_register(from + LINEAR, TYPE_F);
        color[1] = whole_register(from + LINEAR + 1, TYPE_F);
        color[2] = value_in(p->attributes, 12, TYPE_UD);
        color[3] = value_in(p->inputs + OFFSETS_AT, 16, TYPE_UB);
    } else if (what == HEADERS) {
        for (unsigned axis = 0; axis < 2; axis++) {
            struct op subspans = region(half * ROWS + 1, TYPE_UW, 2, 4, 0);
            subspans.subregister = (uint8_t)(8 + 2 * axis);
            KERNEL_2(&k, EU_ADD, how, reg(60 + axis, TYPE_UW), subspans, imm(pixel_offsets(axis), TYPE_V));
            color[axis] = region(60 + axis, TYPE_UW, 16, 16, 1);
        }
        color[2] = value_in(half, 60, TYPE_UW);
        color[3] = value_in(half, 62, TYPE_UW);
    }
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD + 2 * i, TYPE_F), color[i]);
    if (what == OTHERS && !half)
        put_barycentrics_of_planes(PAYLOAD, p->linear_planes * ROWS, center, true);
}

static void put_look(struct streamer *s, const struct payload *p, unsigned what)
{
    enum { HIGH_GROUP = 1 << 11 };
    for (unsigned half = 0; half < p->halves; half++) {
        const struct how how = {.channels = HALF, .first = (uint8_t)(half * HALF)};
        look(p, what, half, how);
        send_write(how, SIMD16_WRITE | (half ? HIGH_GROUP : 0), half + 1 == p->halves);
    }
    put_kernel(s);
}

static void put_state(struct streamer *s, const struct payload *p, uint32_t *dw, uint32_t *count)
{
    enum { BIM_PERSPECTIVE_PIXEL = 1, BIM_LINEAR_PIXEL = 8 };
    insert_before_primitive(
        s, dw, count,
        "3DSTATE_CLIP\n"
        "3DSTATE_WM barycentric_interpolation_mode = %u\n"
        "3DSTATE_PS_EXTRA pixel_shader_valid, pixel_shader_uses_source_depth,"
        " pixel_shader_uses_source_w, input_coverage_mask_state = normal,"
        " pixel_shader_requires_subpixel_sample_offsets" OF_LINEAR_PLANES OF_PERSPECTIVE_PLANES,
        BIM_PERSPECTIVE_PIXEL | BIM_LINEAR_PIXEL);
    uint32_t *const ps = command_named(s->device, dw, *count, "3DSTATE_PS");
    COMMAND_PUT(s->device, ps, {"Position XY Offset Select", .value_name = "POSOFFSET_CENTROID"},
                {"Dispatch GRF Start Register For Constant/Setup Data 0", p->attributes},
                {"Dispatch GRF Start Register For Constant/Setup Data 1", p->attributes},
                {"Kernel 0 Enable", p->halves == 1}, {"Kernel 1 Enable", p->halves > 1},
                {"Kernel[1] : SIMD Width", p->halves > 1});
}

/* Linear and perspective barycentrics of corners 1 and 2 at the center of a pixel; depth and w. */
struct expected {
    double perspective[2], linear[2], depth, w;
};

static struct expected expected_at(uint32_t x, uint32_t y)
{
    double at[CORNERS_][2], weight[CORNERS_], area = 0, by_w = 0;
    struct expected e = {.depth = 0};
    for (unsigned i = 0; i < CORNERS_; i++)
        for (unsigned axis = 0; axis < 2; axis++)
            at[i][axis] = (double)large[i][axis] / (double)large[i][3];
    for (unsigned i = 0; i < CORNERS_; i++) {
        const double *const a = at[(i + 1) % CORNERS_], *const b = at[(i + 2) % CORNERS_];
        weight[i] = (b[0] - a[0]) * (y + 0.5 - a[1]) - (b[1] - a[1]) * (x + 0.5 - a[0]);
        area += weight[i];
    }
    for (unsigned i = 0; i < CORNERS_; i++) {
        const double w = (double)large[i][3], of_corner = weight[i] / area;
        by_w += of_corner / w;
        e.depth += of_corner * (double)large[i][2] / w;
        if (i) {
            e.linear[i - 1] = of_corner;
            e.perspective[i - 1] = of_corner / w;
        }
    }
    e.w = 1 / by_w;
    for (unsigned i = 0; i < 2; i++)
        e.perspective[i] *= e.w;
    return e;
}

static void expect_look(const struct streamer *s, unsigned what, uint32_t x, uint32_t y)
{
    const struct expected e = expected_at(x, y);
    const double all_looks[LOOKS][4] = {
        [BARYCENTRICS] = {e.perspective[0], e.perspective[1], e.linear[0], e.linear[1]},
        [PLACES_AND_COVERAGE] = {e.depth, e.w, 1, 0x0808},
        [OTHERS] = {e.linear[0], e.linear[1], 101, 8},
        [HEADERS] = {x, y, 0xffff, 0xffff}};
    float found[4];
    memcpy(found, s->memory + TARGET + y * PITCH + x * 16, sizeof found);
    for (unsigned i = 0; i < 4; i++)
        if (!(fabs((double)found[i] - all_looks[what][i]) < 2e-6))
            fail_msg("look %u, number %u at %u, %u: %f, not %f", what, i, x, y, (double)found[i],
                     all_looks[what][i]);
}

static void pixels(void **state)
{
    (void)state;
    for (unsigned halves = 1; halves <= 2; halves++)
        for (unsigned what = 0; what < LOOKS; what++) {
            struct streamer *const s = begin("bmg");
            const struct payload p = payload_of(halves);
            const struct scene c = {.topology = TRILIST,
                                    .vertices = CORNERS_,
                                    .clip = large,
                                    .format = R32G32B32A32_FLOAT,
                                    .attributes = 1,
                                    .constant = 1};
            uint32_t dw[MOST_DW];
            put_look(s, &p, what);
            uint32_t count = put_scene(s, &c, dw);
            put_state(s, &p, dw, &count);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    expect_look(s, what, x, y);
            streamer_destroy(s);
        }
}

/* ---- Groups ---- */

/* r0.2 has the thread's number; of each dimension a register has the words of 16 or 32 channels; then comes
 * the inline data. */
static void groups(void **state)
{
    enum {
        WIDE = 8,
        HIGH = 4,
        DEEP = 2,
        SIZE = WIDE * HIGH * DEEP,
        INLINE_AT = 4,
        NUMBER_DW = 2,
        NUMBER_MASK = 0xff
    };
    (void)state;
    for (unsigned simd = HALF; simd <= 2 * HALF; simd += HALF) {
        struct streamer *const s = begin("bmg");
        const struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        const unsigned threads = SIZE / simd;
        unsigned found = 0;
        uint32_t dw[128], *to = dw;
        kernel_end(&k);
        put_kernel(s);
        put_bases(s, &to);
        commands_put(s->device, 0, &to,
                     "COMPUTE_WALKER simd_size = %s, generate_local_id, emit_local = emit_xyz,"
                     " emit_inline_parameter, execution_mask = %u, local_x_maximum = %u,"
                     " local_y_maximum = %u, local_z_maximum = %u, thread_group_id_x_dimension = 1,"
                     " thread_group_id_y_dimension = 1, thread_group_id_z_dimension = 1,"
                     " interface_descriptor_number_of_threads_in_gpgpu_thread_group = %u,"
                     " inline_data_0 = 1000, inline_data_7 = 1007",
                     simd == HALF ? "simt16" : "simt32", UINT32_MAX, WIDE - 1, HIGH - 1, DEEP - 1, threads);
        batch_run(s, dw, (uint32_t)(to - dw), true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(streamer_status(s).threads, threads);
        for (unsigned n = 0; n < threads; n++) {
            const uint8_t *const grf = d->threads[n].grf;
            const unsigned bytes = d->set->register_bytes;
            uint32_t number, inlined[8];
            memcpy(&number, grf + NUMBER_DW * 4, sizeof number);
            memcpy(inlined, grf + (size_t)INLINE_AT * bytes, sizeof inlined);
            number &= NUMBER_MASK;
            found |= 1u << number;
            assert_true(inlined[0] == 1000 && inlined[1] == 0 && inlined[7] == 1007);
            for (unsigned i = 0; i < simd; i++) {
                const unsigned id = number * simd + i;
                const uint16_t expected[3] = {(uint16_t)(id % WIDE), (uint16_t)(id / WIDE % HIGH),
                                              (uint16_t)(id / WIDE / HIGH)};
                for (unsigned axis = 0; axis < 3; axis++)
                    assert_memory_equal(grf + (1 + axis) * bytes + i * 2, &expected[axis], 2);
            }
        }
        assert_int_equal(found, (1u << threads) - 1u);
        streamer_destroy(s);
    }
}

TEST_PROGRAM(gen20_payloads_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pixels), cmocka_unit_test(groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
