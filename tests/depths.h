/* Depth and stencil buffers for tests of draws: their state, tests, and where a pixel is in them. */
#ifndef TESTS_DEPTHS_H
#define TESTS_DEPTHS_H

#include "draws.h"

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
    bool bounds_test;
    float bounds[2];
    uint32_t dw[64], count;
};

/* Adds commands to the state. */
#define ADD(s, t, ...) ((t)->count += assemble((s)->device, 0, (t)->dw + (t)->count, __VA_ARGS__))

static inline bool has_tile_4(void)
{
    return k.set == &eu_gen125 || has_wide_registers();
}

static inline bool is_late(void)
{
    return k.set == &eu_gen12 || has_tile_4();
}

/* From Gen12 on the state of both buffers is alike. */
static inline void put_buffers(struct streamer *s, struct tests *t)
{
    const char *const tiled = has_tile_4() ? ", tiled_mode = tile4" : "";
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
static inline void split(struct streamer *s, struct tests *t, const uint32_t *all_parts)
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

static inline void put_tests(struct streamer *s, struct tests *t)
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
    if (t->bounds_test)
        ADD(s, t, "3DSTATE_DEPTH_BOUNDS depth_bounds_test_enable = 1, dw2 = %u, dw3 = %u",
            float_bits(t->bounds[0]), float_bits(t->bounds[1]));
    const float range[2] = {t->least, t->most};
    memcpy(s->memory + DYNAMIC + RANGES_AT, range, sizeof range);
}

static inline struct tests usual(uint32_t format)
{
    return (struct tests){
        .format = format, .function = LESS, .test = true, .write = true, .no_stencil = true, .most = 1};
}

static const float white[4] = {1, 1, 1, 1};

static inline void run(struct streamer *s, struct scene *c, struct tests *t)
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
static inline struct scene at_depth(float corners[3][3], float depth)
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

static inline bool is_inside(uint32_t x, uint32_t y)
{
    return x >= 3 && x < 37 && y >= 5 && y < 21;
}

static inline unsigned drawn(const struct streamer *s)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        n += dword_at(s, TARGET + i / WIDTH * PITCH + i % WIDTH * 4) != 0;
    return n;
}

enum { ALL = 34 * 16 };

static inline uint32_t depth_bytes_of(uint32_t format)
{
    return format == D16 ? 2 : 4;
}

static inline uint32_t depth_place(uint32_t format, uint32_t x, uint32_t y)
{
    const struct tile_layout *const layout = tile_layout(has_tile_4() ? SOFTGT_TILE_4 : SOFTGT_TILE_Y, 4);
    return DEPTH + (uint32_t)tile_offset(layout, false, DEPTH_PITCH, (int32_t)(x * depth_bytes_of(format)),
                                         (int32_t)y);
}

static inline uint32_t depth_at(const struct streamer *s, uint32_t format, uint32_t x, uint32_t y)
{
    uint32_t value = 0;
    memcpy(&value, s->memory + depth_place(format, x, y), depth_bytes_of(format));
    return value;
}

/* Stencils lie in tiles of 64 rows of 64 up to Gen11, from Gen12 on as depths do: bits of x and y in turns,
 * from the lowest on, then x. (SKL PRM vol 5) */
static inline uint32_t stencil_place(uint32_t x, uint32_t y)
{
    if (is_late())
        return STENCIL + (uint32_t)tile_offset(tile_layout(has_tile_4() ? SOFTGT_TILE_4 : SOFTGT_TILE_Y, 1),
                                               false, STENCIL_PITCH, (int32_t)x, (int32_t)y);
    const uint32_t tile = y / 64 * (STENCIL_PITCH / 128) + x / 64, u = x % 64, v = y % 64;
    return STENCIL + tile * 4096 + u / 8 * 512 + v / 8 * 64 + (v / 4 % 2) * 32 + (u / 4 % 2) * 16 +
           (v / 2 % 2) * 8 + (u / 2 % 2) * 4 + v % 2 * 2 + u % 2;
}

static inline uint32_t value_of(uint32_t format, double depth)
{
    const float value = (float)depth;
    return format == D24   ? (uint32_t)lrint((double)value * ((1 << 24) - 1))
           : format == D16 ? (uint32_t)lrint((double)value * UINT16_MAX)
                           : float_bits(value);
}

static inline void fill_depth(struct streamer *s, uint32_t format, uint32_t value)
{
    for (uint32_t i = 0; i < DEPTH_PITCH * 64; i += depth_bytes_of(format))
        memcpy(s->memory + DEPTH + i, &value, depth_bytes_of(format));
}

#endif
