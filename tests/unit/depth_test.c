/* Depth and stencil: what is tested, what is written where surfaces have it, what passes is counted; before
 * the shader, behind it and without one; clears. */
#include "../suite.h"
#include "../draws.h"

#include "../saved.h"
#include "memory/tiling.h"

#include <math.h>

enum {
    DEPTH = 1664 * KB,
    STENCIL = 1792 * KB,
    QPITCH = 32,
    DEPTH_PITCH = 512,
    STENCIL_PITCH = 256,
    RANGES_AT = 12 * KB /* from the base of dynamic state */
};
enum { ALWAYS, NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL };
enum { D32 = 1, D24 = 3, D16 = 5 };

/* State of both buffers, and what is done with them. */
struct tests {
    uint32_t format, function;
    bool test, write, stencil, stencil_write, two_sides, no_depth, no_stencil, in_parts;
    uint32_t operations[2]; /* of the front, the back: function, fail, depth fail, pass, three bits each */
    uint32_t masks;         /* dword 2 of 3DSTATE_WM_DEPTH_STENCIL */
    uint32_t references;    /* of the front in bits 15:8, of the back in 7:0 */
    float least, most;      /* of depths */
    uint32_t element;
    uint32_t dw[64], count;
};

/* Adds commands to the state. */
#define ADD(s, t, ...) ((t)->count += assemble((s)->device, 0, (t)->dw + (t)->count, __VA_ARGS__))

static bool is_late(void)
{
    return k.set == &eu_gen12 || k.set == &eu_gen125;
}

/* From Gen12 on the state of both buffers is alike. */
static void put_buffers(struct streamer *s, struct tests *t)
{
    const char *const tiled = k.set == &eu_gen125 ? ", tiled_mode = tile4" : "";
    if (t->no_depth)
        ADD(s, t, "3DSTATE_DEPTH_BUFFER surface_type = surftype_null, surface_base_address = %u", DEPTH);
    else
        ADD(s, t,
            "3DSTATE_DEPTH_BUFFER surface_type = surftype_2d, depth_write_enable = %u, surface_format = %u,"
            " surface_pitch = %u, surface_base_address = %u%s",
            t->write, t->format, DEPTH_PITCH - 1, DEPTH, tiled);
    uint32_t *const depth = command_named(s->device, t->dw, t->count, "3DSTATE_DEPTH_BUFFER");
    COMMAND_PUT(s->device, depth, {"Width", WIDTH - 1}, {"Height", HEIGHT - 1},
                {"Minimum Array Element", t->element}, {"Surface QPitch", QPITCH / 4});
    if (!is_late()) {
        if (!t->no_depth)
            COMMAND_PUT(s->device, depth, {"Stencil Write Enable", t->stencil_write});
        ADD(s, t,
            "3DSTATE_STENCIL_BUFFER stencil_buffer_enable = %u, surface_pitch = %u,"
            " surface_base_address = %u, surface_qpitch = %u",
            !t->no_stencil, STENCIL_PITCH - 1, STENCIL, QPITCH / 4);
        return;
    }
    ADD(s, t,
        "3DSTATE_STENCIL_BUFFER surface_type = %s, stencil_write_enable = %u, surface_pitch = %u,"
        " surface_base_address = %u, width = %u, height = %u, minimum_array_element = %u,"
        " surface_qpitch = %u%s",
        t->no_stencil ? "surftype_null" : "surftype_2d", !t->no_stencil && t->stencil_write,
        STENCIL_PITCH - 1, STENCIL, WIDTH - 1, HEIGHT - 1, t->element, QPITCH / 4, tiled);
}

/* Replaces the last command by one for each part of the state: the others are not to be modified, and have
 * all their bits inverted. */
static void split(struct streamer *s, struct tests *t, const uint32_t *all_parts)
{
    enum { STATE_DW = 3 };
/* Bits of a dword, from one to another. */
#define BITS(first, last) ((UINT32_MAX >> (31 - (last))) & ~((1u << (first)) - 1u))
    static const struct {
        uint32_t own[STATE_DW];
        const char *others;
    } parts[] = {
        {{0, 0, BITS(0, 15)},
         "stencil_test_mask_modify_disable, stencil_write_mask_modify_disable,"
         " stencil_state_modify_disable, depth_state_modify_disable"},
        {{0, BITS(8, 15) | BITS(24, 31), 0},
         "stencil_reference_value_modify_disable, stencil_write_mask_modify_disable,"
         " stencil_state_modify_disable, depth_state_modify_disable"},
        {{0, BITS(0, 7) | BITS(16, 23), 0},
         "stencil_reference_value_modify_disable, stencil_test_mask_modify_disable,"
         " stencil_state_modify_disable, depth_state_modify_disable"},
        {{BITS(2, 4) | BITS(8, 31)},
         "stencil_reference_value_modify_disable, stencil_test_mask_modify_disable,"
         " stencil_write_mask_modify_disable, depth_state_modify_disable"},
        {{BITS(0, 1) | BITS(5, 7)},
         "stencil_reference_value_modify_disable, stencil_test_mask_modify_disable,"
         " stencil_write_mask_modify_disable, stencil_state_modify_disable"},
    };
#undef BITS
    uint32_t state[STATE_DW];
    memcpy(state, all_parts + 1, sizeof state);
    t->count -= 1 + STATE_DW;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        uint32_t dw[STATE_DW];
        for (unsigned n = 0; n < STATE_DW; n++)
            dw[n] = (state[n] & parts[i].own[n]) | (~state[n] & ~parts[i].own[n]);
        ADD(s, t, "3DSTATE_WM_DEPTH_STENCIL dw1 = %u, dw2 = %u, dw3 = %u, %s", dw[0], dw[1], dw[2],
            parts[i].others);
    }
}

static void put_tests(struct streamer *s, struct tests *t)
{
    const uint32_t *const of = t->operations;
    t->count = 0;
    put_buffers(s, t);
    uint32_t *const dw = t->dw + t->count;
    ADD(s, t,
        "3DSTATE_WM_DEPTH_STENCIL dw2 = %u, depth_buffer_write_enable = %u, depth_test_enable = %u,"
        " stencil_buffer_write_enable = %u, stencil_test_enable = %u, double_sided_stencil_enable = %u,"
        " depth_test_function = %u, stencil_test_function = %u, stencil_fail_op = %u,"
        " stencil_pass_depth_fail_op = %u, stencil_pass_depth_pass_op = %u,"
        " backface_stencil_test_function = %u, backface_stencil_fail_op = %u,"
        " backface_stencil_pass_depth_fail_op = %u, backface_stencil_pass_depth_pass_op = %u",
        t->masks, t->write, t->test, t->stencil_write, t->stencil, t->two_sides, t->function, of[0] & 7u,
        of[0] >> 3 & 7u, of[0] >> 6 & 7u, of[0] >> 9 & 7u, of[1] & 7u, of[1] >> 3 & 7u, of[1] >> 6 & 7u,
        of[1] >> 9 & 7u);
    if (k.set != &eu_gen8) /* Gen8 has them in COLOR_CALC_STATE */
        COMMAND_PUT(s->device, dw, {"Stencil Reference Value", t->references >> 8},
                    {"Backface Stencil Reference Value", t->references % 256});
    if (t->in_parts)
        split(s, t, dw);
    ADD(s, t, "3DSTATE_VIEWPORT_STATE_POINTERS_CC cc_viewport_pointer = %u", RANGES_AT);
    const float range[2] = {t->least, t->most};
    memcpy(s->memory + DYNAMIC + RANGES_AT, range, sizeof range);
}

static struct tests usual(uint32_t format)
{
    return (struct tests){
        .format = format, .function = LESS, .test = true, .write = true, .no_stencil = true, .most = 1};
}

static const float white[4] = {1, 1, 1, 1};

static void run(struct streamer *s, struct scene *c, struct tests *t)
{
    uint32_t dw[MOST_DW];
    if (!k.count)
        put_color(s, white);
    put_tests(s, t);
    c->more = t->dw;
    c->more_dw = t->count;
    c->format = R8G8B8A8_UNORM;
    c->statistics = true;
    const uint32_t count = put_scene(s, c, dw);
    dword_put(s, DYNAMIC + CONSTANT_COLORS, t->references << 16); /* up to Gen8 they are there */
    memset(s->memory + TARGET, 0, PITCH * HEIGHT);
    batch_run(s, dw, count, true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

/* A rectangle from 3, 5 to 37, 21 at a depth. */
static struct scene at_depth(float corners[3][3], float depth)
{
    static const float at[3][2] = {{37, 21}, {3, 21}, {3, 5}};
    for (unsigned i = 0; i < 3; i++) {
        corners[i][0] = at[i][0];
        corners[i][1] = at[i][1];
        corners[i][2] = depth;
    }
    return (struct scene){
        .topology = RECTLIST, .vertices = 3, .at = (const float(*)[3])(const void *)corners};
}

static bool is_inside(uint32_t x, uint32_t y)
{
    return x >= 3 && x < 37 && y >= 5 && y < 21;
}

static unsigned drawn(const struct streamer *s)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        n += dword_at(s, TARGET + i / WIDTH * PITCH + i % WIDTH * 4) != 0;
    return n;
}

enum { ALL = 34 * 16 };

static uint32_t depth_bytes_of(uint32_t format)
{
    return format == D16 ? 2 : 4;
}

static uint32_t depth_place(uint32_t format, uint32_t x, uint32_t y)
{
    const struct tile_layout *const layout =
        tile_layout(k.set == &eu_gen125 ? SOFTGT_TILE_4 : SOFTGT_TILE_Y, 4);
    return DEPTH + (uint32_t)tile_offset(layout, false, DEPTH_PITCH, (int32_t)(x * depth_bytes_of(format)),
                                         (int32_t)y);
}

static uint32_t depth_at(const struct streamer *s, uint32_t format, uint32_t x, uint32_t y)
{
    uint32_t value = 0;
    memcpy(&value, s->memory + depth_place(format, x, y), depth_bytes_of(format));
    return value;
}

/* Stencils lie in tiles of 64 rows of 64 up to Gen11, from Gen12 on as depths do: bits of x and y in turns,
 * from the lowest on, then x. (SKL PRM vol 5) */
static uint32_t stencil_place(uint32_t x, uint32_t y)
{
    if (is_late())
        return STENCIL +
               (uint32_t)tile_offset(tile_layout(k.set == &eu_gen125 ? SOFTGT_TILE_4 : SOFTGT_TILE_Y, 1),
                                     false, STENCIL_PITCH, (int32_t)x, (int32_t)y);
    const uint32_t tile = y / 64 * (STENCIL_PITCH / 128) + x / 64, u = x % 64, v = y % 64;
    return STENCIL + tile * 4096 + u / 8 * 512 + v / 8 * 64 + (v / 4 % 2) * 32 + (u / 4 % 2) * 16 +
           (v / 2 % 2) * 8 + (u / 2 % 2) * 4 + v % 2 * 2 + u % 2;
}

static uint32_t value_of(uint32_t format, double depth)
{
    const float value = (float)depth;
    return format == D24   ? (uint32_t)lrint((double)value * ((1 << 24) - 1))
           : format == D16 ? (uint32_t)lrint((double)value * UINT16_MAX)
                           : float_bits(value);
}

static void fill_depth(struct streamer *s, uint32_t format, uint32_t value)
{
    for (uint32_t i = 0; i < DEPTH_PITCH * 64; i += depth_bytes_of(format))
        memcpy(s->memory + DEPTH + i, &value, depth_bytes_of(format));
}

/* Each function, of each format: less than what is there, the same, more. What passes is written, drawn and
 * counted, and nothing else is. */
static void functions(void **state)
{
    (void)state;
    static const uint32_t formats[] = {D32, D24, D16};
    static const bool passing[8][3] = {{1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                       {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    for (EACH_DEVICE(name))
        for (unsigned f = 0; f < 3; f++) {
            struct streamer *const s = begin(*name);
            unsigned counted = 0;
            for (unsigned n = 0; n < 24; n++) {
                const bool expected = passing[n / 3][n % 3], writes = n % 2;
                float corners[3][3];
                struct scene c = at_depth(corners, 0.25f * (float)(n % 3 + 1));
                struct tests t = usual(formats[f]);
                t.function = n / 3;
                t.write = writes;
                fill_depth(s, t.format, value_of(t.format, 0.5));
                run(s, &c, &t);
                assert_int_equal(drawn(s), expected ? ALL : 0);
                counted += expected ? ALL : 0;
                assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
                assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), counted * counts_a_pixel());
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        assert_int_equal(depth_at(s, t.format, x, y),
                                         value_of(t.format, expected && writes && is_inside(x, y)
                                                                ? (double)corners[0][2]
                                                                : 0.5));
            }
            streamer_destroy(s);
        }
}

/* A triangle's depth goes straight over the screen; it is brought into the viewport's range; behind an
 * element it is that one's. */
static void slopes(void **state)
{
    (void)state;
    static const float at[3][3] = {{0, 0, 0}, {64, 0, 1}, {0, 64, 0}};
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = {.topology = TRILIST, .vertices = 3, .at = at};
        struct tests t = usual(D32);
        t.function = ALWAYS;
        t.least = 0.125f;
        t.most = 0.75f;
        t.element = 1;
        run(s, &c, &t);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x + y + 1 < WIDTH; x++) {
                const double depth = (x + 0.5) / WIDTH;
                const uint32_t bits = depth_at(s, D32, x, y + QPITCH);
                float value;
                memcpy(&value, &bits, sizeof value);
                assert_true(fabs((double)value - fmin(fmax(depth, 0.125), 0.75)) < 1e-6);
                assert_int_equal(depth_at(s, D32, x, y), 0);
            }
        streamer_destroy(s);
    }
}

/* Of a stencil: what it is where the test fails, where depth does, where both pass; under masks. */
static void stencils(void **state)
{
    (void)state;
    enum {
        KEEP,
        ZERO,
        REPLACE,
        INCRSAT,
        DECRSAT,
        INCR,
        DECR,
        INVERT,
        OPERATIONS,
        THERE = 0xff,
        REFERENCE = 0x35
    };
    static const uint8_t becomes[OPERATIONS] = {0xff, 0, REFERENCE, 0xff, 0xfe, 0, 0xfe, 0};
    enum { FAILS, DEPTH_FAILS, PASSES };
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        for (unsigned n = 0; n < 3 * OPERATIONS; n++) {
            const unsigned operation = n % OPERATIONS, what = n / OPERATIONS;
            float corners[3][3];
            struct scene c = at_depth(corners, what == DEPTH_FAILS ? 0.75f : 0.25f);
            struct tests t = usual(D24);
            t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = 0xffu << 24 | 0x3fu << 16;
            t.references = REFERENCE << 8;
            t.operations[0] = (what == FAILS ? EQUAL : NOTEQUAL) | operation << (3 + 3 * what);
            fill_depth(s, D24, value_of(D24, 0.5));
            memset(s->memory + STENCIL, THERE, STENCIL_PITCH * 64);
            run(s, &c, &t);
            assert_int_equal(drawn(s), what == PASSES ? ALL : 0);
            const uint8_t expected = (uint8_t)((becomes[operation] & 0x3f) | (THERE & 0xc0));
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    assert_int_equal(s->memory[stencil_place(x, y)], is_inside(x, y) ? expected : THERE);
                    assert_int_equal(depth_at(s, D24, x, y),
                                     value_of(D24, what == PASSES && is_inside(x, y) ? 0.25 : 0.5));
                }
        }
        streamer_destroy(s);
    }
}

/* Each side has its own, where state says so; the test's mask is of both numbers. From Gen12 on parts of the
 * state come alone. */
static void two_sides(void **state)
{
    (void)state;
    static const float back[3][3] = {{0, 0, 0.25f}, {0, 32, 0.25f}, {32, 0, 0.25f}};
    static const float front[3][3] = {{0, 0, 0.25f}, {32, 0, 0.25f}, {0, 32, 0.25f}};
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 8; n++) {
            struct streamer *const s = begin(*name);
            const bool is_back = n & 1, apart = n & 2;
            struct scene c = {.topology = TRILIST, .vertices = 3, .at = is_back ? back : front};
            struct tests t = usual(D24);
            t.test = t.write = t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.two_sides = apart;
            t.in_parts = n & 4 && is_late();
            t.masks = 0x0fu << 24 | 0xffu << 16 | 0xf0u << 8 | 0xff;
            t.references = 0x15 << 8 | 0x24;
            t.operations[0] = EQUAL | 2u << 9; /* replaced where it passes */
            t.operations[1] = EQUAL | 5u << 9; /* one more */
            memset(s->memory + STENCIL, 0x25, STENCIL_PITCH * 64);
            run(s, &c, &t);
            assert_true(drawn(s) > 400);
            assert_int_equal(s->memory[stencil_place(2, 2)], apart && is_back ? 0x26 : 0x15);
            streamer_destroy(s);
        }
}

/* A pixel that the shader kills is neither tested nor written, another one behind the shader; a depth that
 * the shader computes is the one that counts. */
static void late_tests(void **state)
{
    (void)state;
    enum {
        COMPUTES = 1 << 26,
        KILLS = 1 << 28,
        WRITE_WITH_DEPTH = 10 << 25 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET
    };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            const bool computes = n & 1, passes = n & 2;
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, computes == passes ? 0.75f : 0.25f);
            struct tests t = usual(D32);
            for (unsigned i = 0; i < 10; i += 2) /* the depth behind the color: the other one */
                KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + i, TYPE_F),
                         imm(float_bits(i < 8    ? 1
                                        : passes ? 0.25f
                                                 : 0.75f),
                             TYPE_F));
            kernel_send(&k, all, SFID_RENDER_CACHE, computes ? WRITE_WITH_DEPTH : SIMD16_WRITE, none(TYPE_UD),
                        reg(PAYLOAD, TYPE_UD), true);
            put_kernel(s);
            fill_depth(s, D32, value_of(D32, 0.5));
            put_tests(s, &t);
            c.kills = true;
            if (computes)
                corners[0][2] = corners[1][2] = corners[2][2] = passes ? 0.75f : 0.25f;
            else
                corners[0][2] = corners[1][2] = corners[2][2] = passes ? 0.25f : 0.75f;
            c.computes_depth = computes;
            run(s, &c, &t);
            assert_int_equal(drawn(s), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), ALL * counts_a_pixel());
            assert_int_equal(depth_at(s, D32, 4, 6), value_of(D32, passes ? 0.25 : 0.5));
            assert_int_equal(depth_at(s, D32, 38, 6), value_of(D32, 0.5));
            streamer_destroy(s);
        }
}

/* Tests are behind the shader where the state says so, or leaves it to a shader that kills: then it runs for
 * pixels that fail, too. Neither they nor their depths are written. (SKL PRM vol 2a, 3DSTATE_WM) */
static void when_tests_come(void **state)
{
    (void)state;
    enum { NORMAL, PSEXEC, PREPS, CONTROLS };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < CONTROLS * 2 * 2 * 2; n++) {
            const bool passes = n / CONTROLS & 1, kills = n / CONTROLS & 2, stencil = n / CONTROLS & 4;
            const uint32_t control = n % CONTROLS;
            const bool late = control == PSEXEC || (control == NORMAL && kills);
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, passes || stencil ? 0.25f : 0.75f);
            struct tests t = usual(D32);
            if (stencil) {
                t.no_stencil = false;
                t.stencil = true;
                t.operations[0] = passes ? ALWAYS : NEVER;
                t.masks = 0xffu << 24;
            }
            c.kills = kills;
            c.early_tests = control;
            fill_depth(s, D32, value_of(D32, 0.5));
            run(s, &c, &t);
            assert_int_equal(drawn(s), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"),
                             (late || passes ? ALL : 0) * counts_a_pixel());
            assert_int_equal(depth_at(s, D32, 4, 6), value_of(D32, passes ? 0.25 : 0.5));
            streamer_destroy(s);
        }
}

/* The stencil that a shader computes is what the buffer's is compared with and what replaces it: a byte for
 * each pixel of eight, behind the colors. (SKL PRM vol 2d, 3DSTATE_PS_EXTRA; Mesa, brw) */
static void computed_stencils(void **state)
{
    (void)state;
    enum {
        REPLACE = 2,
        FIRST = 0x30,
        THERE = FIRST + 1,
        COLORS = 4,
        SIMD8_STENCIL_WRITE = (COLORS + 1) << 25 | 4 << 8 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET
    };
    static const struct how eight = {.channels = 8};
    for (EACH_DEVICE(name))
        for (unsigned compares = 0; compares < 2; compares++) {
            struct streamer *const s = begin(*name);
            if (k.set == &eu_gen8) { /* its shaders compute none */
                streamer_destroy(s);
                continue;
            }
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(D32);
            uint32_t dw[MOST_DW];
            for (unsigned i = 0; i < COLORS; i++)
                KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + i, TYPE_F), imm(float_bits(1), TYPE_F));
            KERNEL_1(&k, EU_MOV, whole, reg(PAYLOAD + COLORS, TYPE_UD),
                     imm(0x03020100u + FIRST * 0x01010101u, TYPE_UD));
            kernel_send(&k, eight, SFID_RENDER_CACHE, SIMD8_STENCIL_WRITE, none(TYPE_UD),
                        reg(PAYLOAD, TYPE_UD), true);
            put_kernel(s);
            memset(s->memory + STENCIL, THERE, STENCIL_PITCH * 64);
            t.test = t.write = t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = UINT32_MAX;
            t.references = 0x7777;
            t.operations[0] = t.operations[1] = compares ? EQUAL | REPLACE << 3 : ALWAYS | REPLACE << 9;
            put_tests(s, &t);
            c.more = t.dw;
            c.more_dw = t.count;
            c.format = R8G8B8A8_UNORM;
            const uint32_t count = put_scene(s, &c, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS"),
                        {"8 Pixel Dispatch Enable", 1}, {"16 Pixel Dispatch Enable", 0});
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                        {"Pixel Shader Computes Stencil", 1});
            memset(s->memory + TARGET, 0, PITCH * HEIGHT);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < 60; x++) {
                    const uint32_t computed = FIRST + y % 2 * 2 + x % 2;
                    const bool passes = is_inside(x, y) && (!compares || computed == THERE);
                    assert_int_equal(s->memory[stencil_place(x, y)], is_inside(x, y) ? computed : THERE);
                    assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 4) != 0, passes);
                }
            streamer_destroy(s);
        }
}

/* Fours of which tests leave nothing, before the shader or without one and behind it; of those that tests
 * leave a part of none is. (SYS-20) */
static void observed(void **state)
{
    (void)state;
    enum { FOURS = 18 * 9, COLUMNS = 5 * 9, REST = FOURS - COLUMNS };
    enum { EARLY, LATE, NO_SHADER, WAYS };
    enum { FAIL, PASS, IN_PART, STENCIL_FAILS, TESTS };
    static const uint32_t failing[TESTS] = {FOURS, 0, REST, FOURS};
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < WAYS * TESTS; n++) {
            const unsigned way = n / TESTS, what = n % TESTS;
            const uint32_t fails = failing[what], early = way == LATE ? 0 : fails,
                           late = way == LATE ? fails : 0, written = way == NO_SHADER ? 0 : FOURS - fails,
                           pixels = what == IN_PART ? 8 * 16
                                    : fails         ? 0
                                                    : ALL;
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, what == PASS || what == STENCIL_FAILS ? 0.25f : 0.75f);
            struct tests t = usual(D32);
            c.kills = way == LATE;
            c.no_shader = way == NO_SHADER;
            fill_depth(s, D32, value_of(D32, 0.5));
            for (uint32_t i = 0; what == IN_PART && i < 11 * HEIGHT; i++)
                dword_put(s, depth_place(D32, i % 11, i / 11), value_of(D32, 1));
            if (what == STENCIL_FAILS) {
                t.no_stencil = false;
                t.stencil = true;
                t.operations[0] = NEVER;
                t.masks = 0xffu << 24;
            }
            counters_start(s);
            run(s, &c, &t);
            expect_seen(s, (const uint32_t[7]){FOURS, 0, early, 0, late, written, 0});
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), pixels);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"),
                             way == NO_SHADER ? 0 : (way == LATE ? ALL : pixels) * counts_a_pixel());
            assert_int_equal(a_counter(s, 6) != 0, counter_at(s, "PS_INVOCATION_COUNT") != 0);
            streamer_destroy(s);
        }
}

/* Without a shader depths are written and pixels counted all the same. */
static void no_shader(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        float corners[3][3];
        struct scene c = at_depth(corners, 0.25f);
        struct tests t = usual(D16);
        c.no_shader = true;
        fill_depth(s, D16, UINT16_MAX);
        run(s, &c, &t);
        assert_int_equal(drawn(s), 0);
        assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), ALL);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 0);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                assert_int_equal(depth_at(s, D16, x, y), is_inside(x, y) ? value_of(D16, 0.25) : UINT16_MAX);
        streamer_destroy(s);
    }
}

/* A clear writes its rectangle of both at once; resolves change nothing. */
static void clears(void **state)
{
    (void)state;
    enum { VALUE = 90 };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 6; n++) {
            const bool resolves = n >= 4, all_of_it = n & 1, only_depth = n & 2;
            struct streamer *const s = begin(*name);
            struct tests t = usual(D24);
            t.no_stencil = false;
            t.stencil_write = true;
            put_tests(s, &t);
            ADD(s, &t,
                "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.75\n"
                "3DSTATE_WM_HZ_OP depth_buffer_resolve_enable = %u,"
                " hierarchical_depth_buffer_resolve_enable = %u, depth_buffer_clear_enable = %u,"
                " stencil_buffer_clear_enable = %u, stencil_clear_value = %u,"
                " full_surface_depth_and_stencil_clear = %u, clear_rectangle_x_min = 3,"
                " clear_rectangle_y_min = 5, clear_rectangle_x_max = 37, clear_rectangle_y_max = 21,"
                " sample_mask = %u",
                resolves, resolves, !resolves, !resolves && !only_depth, VALUE, all_of_it, UINT16_MAX);
            fill_depth(s, D24, 7);
            memset(s->memory + STENCIL, 9, STENCIL_PITCH * 64);
            batch_run(s, t.dw, t.count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const bool in = !resolves && (all_of_it || is_inside(x, y));
                    assert_int_equal(depth_at(s, D24, x, y), in ? value_of(D24, 0.75) : 7);
                    assert_int_equal(s->memory[stencil_place(x, y)], in && !only_depth ? VALUE : 9);
                }
            streamer_destroy(s);
        }
}

/* In pieces of every size, saved and loaded between them: each pixel is tested and counted once, an instance
 * in front of another, clears too. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    enum { INSTANCES = 3, INCRSAT = 3, THERE = 5 };
    for (EACH_DEVICE(name))
        for (unsigned shades = 0; shades < 2; shades++) {
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(D24);
            uint32_t dw[MOST_DW];
            t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = 0xffu << 24 | 0xffu << 16;
            t.operations[0] = ALWAYS | INCRSAT << 6 | INCRSAT << 9; /* one more, whatever depth says */
            c.instances = INSTANCES;
            c.no_shader = !shades;
            c.statistics = true;
            c.format = R8G8B8A8_UNORM;
            put_color(s, white);
            put_tests(s, &t);
            ADD(s, &t,
                "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.75\n"
                "3DSTATE_WM_HZ_OP depth_buffer_clear_enable, stencil_buffer_clear_enable,"
                " stencil_clear_value = %u, full_surface_depth_and_stencil_clear\n"
                "3DSTATE_CLIP perspective_divide_disable, force_zero_rta_index_enable",
                THERE);
            c.more = t.dw;
            c.more_dw = t.count;
            const uint32_t count = put_scene(s, &c, dw);
            batch_put(s, dw, count, true);
            for (unsigned i = 0; softgt_run(s->device, 1 + i % 300); i++) {
                reload(s->device);
                assert_true(i < 20000);
            }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"),
                             ALL); /* the first instance: the others are not less */
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    assert_int_equal(depth_at(s, D24, x, y), value_of(D24, is_inside(x, y) ? 0.25 : 0.75));
                    assert_int_equal(s->memory[stencil_place(x, y)],
                                     THERE + (is_inside(x, y) ? INSTANCES : 0));
                }
            streamer_destroy(s);
        }
}

/* A slice ends where its budget does, whatever of a rectangle it has come to: of no slice are more pixels
 * than its instructions pay for. */
static void slices(void **state)
{
    (void)state;
    enum { INSTANCES = 40, MOST = 2048 };
    for (EACH_DEVICE(name))
        for (unsigned width = 1; width < WIDTH; width += 7) {
            struct streamer *const s = begin(*name);
            const float at[3][3] = {{(float)width, HEIGHT, 0.25f}, {0, HEIGHT, 0.25f}, {0, 0, 0.25f}};
            struct scene c = {.topology = RECTLIST, .vertices = 3, .instances = INSTANCES, .at = at};
            struct tests t = usual(D32);
            uint32_t dw[MOST_DW];
            t.function = ALWAYS;
            c.no_shader = c.statistics = true;
            c.format = R8G8B8A8_UNORM;
            put_tests(s, &t);
            c.more = t.dw;
            c.more_dw = t.count;
            const uint32_t count = put_scene(s, &c, dw);
            batch_put(s, dw, count, true);
            uint32_t was = 0;
            while (softgt_run(s->device, 1)) {
                const uint32_t now = counter_at(s, "PS_DEPTH_COUNT");
                assert_in_range(now - was, 0, MOST);
                was = now;
            }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), width * HEIGHT * INSTANCES);
            streamer_destroy(s);
        }
}

/* So do clears of the widest buffers: a few rows of both are a slice. */
static void slices_of_clears(void **state)
{
    (void)state;
    enum { WIDEST = 16383, ROWS = 16 };
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct tests t = usual(D32);
        unsigned runs = 0;
        t.no_stencil = false;
        t.stencil_write = true;
        put_buffers(s, &t);
        COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_DEPTH_BUFFER"),
                    {"Width", WIDEST}, {"Height", ROWS - 1});
        if (is_late())
            COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_STENCIL_BUFFER"),
                        {"Width", WIDEST}, {"Height", ROWS - 1});
        ADD(s, &t,
            "3DSTATE_WM_HZ_OP depth_buffer_clear_enable, stencil_buffer_clear_enable,"
            " stencil_clear_value = 7, full_surface_depth_and_stencil_clear");
        batch_put(s, t.dw, t.count, true);
        while (softgt_run(s->device, 1))
            runs++;
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_in_range(runs, ROWS / 4, 1000);
        assert_int_equal(s->memory[stencil_place(WIDTH - 1, ROWS - 1)], 7);
        streamer_destroy(s);
    }
}

/* Buffers that begin within the last mapped page: clears fault behind it, and write nothing there. */
static void clears_end_at_mappings(void **state)
{
    enum { END = 2 * PAGE_2M, BYTES = 16, LOOKED_AT = 1 << 16 };
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned of_stencil = 0; of_stencil < 2; of_stencil++) {
            struct streamer *const s = begin(*name);
            struct tests t = usual(D32);
            t.no_stencil = false;
            t.stencil_write = true;
            put_tests(s, &t);
            COMMAND_PUT(s->device,
                        command_named(s->device, t.dw, t.count,
                                      of_stencil ? "3DSTATE_STENCIL_BUFFER" : "3DSTATE_DEPTH_BUFFER"),
                        {"Surface Base Address", END - BYTES});
            ADD(s, &t,
                "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.75\n"
                "3DSTATE_WM_HZ_OP stencil_buffer_clear_enable = %u, depth_buffer_clear_enable = %u,"
                " stencil_clear_value = 7, full_surface_depth_and_stencil_clear",
                of_stencil, !of_stencil);
            const bool has_end = !s->gen6;
            if (has_end)
                batch_run(s, t.dw, t.count, true);
            for (uint32_t i = 0; has_end && i < LOOKED_AT; i++)
                assert_int_equal(s->memory[USER_DATA + PAGE_2M + i], 0);
            streamer_destroy(s);
        }
}

/* Levels: the first is below level 0, the second to its right; their places are aligned by what the buffer
 * holds. (SKL PRM vol 5, 2D Surfaces; Mesa, isl) */
static void levels(void **state)
{
    (void)state;
    enum { WIDTH_0 = 38, HEIGHT_0 = 18, LEVELS = 3 };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 3 * LEVELS; n++) {
            struct streamer *const s = begin(*name);
            const uint32_t format = n % 3 == 0 ? D32 : n % 3 == 1 ? D24 : D16, level = n / 3;
            const uint32_t across = is_late() || format == D16 ? 8 : 4,
                           down = is_late() && format == D16 ? 8 : 4, stencil_across = is_late() ? 16 : 8,
                           stencil_down = 8;
            const uint32_t of_1[2] = {WIDTH_0 / 2, HEIGHT_0};
#define ALIGNED(to, size) (((size) + (to)-1) / (to) * (to))
            const uint32_t x = level == 2 ? ALIGNED(across, of_1[0]) : 0,
                           y = level ? ALIGNED(down, of_1[1]) : 0,
                           stencil_x = level == 2 ? ALIGNED(stencil_across, of_1[0]) : 0,
                           stencil_y = level ? ALIGNED(stencil_down, of_1[1]) : 0;
#undef ALIGNED
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(format);
            const uint32_t there = value_of(format, 0.5), drawn_depth = value_of(format, 0.25);
            uint32_t dw[MOST_DW];
            fill_depth(s, format, there);
            memset(s->memory + STENCIL, 9, STENCIL_PITCH * 64);
            t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = UINT32_MAX;
            t.references = 0x21 << 8;
            t.operations[0] = ALWAYS | 2u << 9; /* replaced where it passes */
            put_color(s, white);
            put_tests(s, &t);
            COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_DEPTH_BUFFER"),
                        {"Width", WIDTH_0 - 1}, {"Height", HEIGHT_0 - 1}, {"LOD", level});
            if (is_late())
                COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_STENCIL_BUFFER"),
                            {"Width", WIDTH_0 - 1}, {"Height", HEIGHT_0 - 1}, {"Surf LOD", level});
            c.more = t.dw;
            c.more_dw = t.count;
            c.format = R8G8B8A8_UNORM;
            const uint32_t count = put_scene(s, &c, dw);
            dword_put(s, DYNAMIC + CONSTANT_COLORS, t.references << 16);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t v = 0; v < 56; v++)
                for (uint32_t u = 0; u < 60; u++) {
                    const uint32_t width = WIDTH_0 >> level, height = HEIGHT_0 >> level;
                    const bool in_depth = u >= x && v >= y && u - x < width && v - y < height &&
                                          is_inside(u - x, v - y),
                               in_stencil = u >= stencil_x && v >= stencil_y && u - stencil_x < width &&
                                            v - stencil_y < height && is_inside(u - stencil_x, v - stencil_y);
                    assert_int_equal(depth_at(s, format, u, v), in_depth ? drawn_depth : there);
                    assert_int_equal(s->memory[stencil_place(u, v)], in_stencil ? 0x21 : 9);
                }
            streamer_destroy(s);
        }
}

TEST_PROGRAM(depth_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions),
        cmocka_unit_test(slopes),
        cmocka_unit_test(stencils),
        cmocka_unit_test(two_sides),
        cmocka_unit_test(late_tests),
        cmocka_unit_test(when_tests_come),
        cmocka_unit_test(computed_stencils),
        cmocka_unit_test(observed),
        cmocka_unit_test(no_shader),
        cmocka_unit_test(clears),
        cmocka_unit_test(clears_end_at_mappings),
        cmocka_unit_test(levels),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(slices),
        cmocka_unit_test(slices_of_clears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
