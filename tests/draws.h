/* Draws for tests: a target, vertices, state and pixels' kernels, as commands on whatever generation. */
#ifndef TESTS_DRAWS_H
#define TESTS_DRAWS_H

#include "counters.h"
#include "walks.h"

enum {
    TARGET = 0x140000,
    WIDTH = 64,
    HEIGHT = 32,
    PITCH = 1024,
    VERTICES = 0x190000,
    FLAT = 0x191000, /* header and attributes, the same for all vertices */
    BLENDING = 0x2000,
    CONSTANT_COLORS = 0x2100,
    PUSHED = 0x2200,
    STALE = 0x6eeeeeee,
    MOST_DW = 256
};
enum { R32G32B32A32_UINT = 2, R32G32B32_FLOAT = 0x40, R32G32B32A32_FLOAT = 0, R8G8B8A8_UNORM = 0xc7 };
enum { RECTLIST = 15, TRILIST = 4, TRISTRIP = 5, TRIFAN = 6 };
enum { SIMD16_WRITE = 8u << 25 | 0xcu << 14 | 1u << 12, PAYLOAD = 112 };

/* What a test draws. */
struct scene {
    uint32_t topology, vertices, instances;
    const float (*at)[3];
    const float (*clip)[4]; /* instead: x, y, z and w of the clip space */
    const uint32_t *more;   /* further commands, whose state counts */
    uint32_t more_dw;
    uint32_t format, attributes, constant;
    uint32_t blending[2]; /* of target 0 */
    uint32_t elements;    /* of the target; 0: it is no array */
    uint32_t scissor[2];  /* the drawing rectangle's corners; 0: all */
    uint32_t provoking;   /* dword 3 of 3DSTATE_SF */
    bool statistics, kills, vertex_shader, tiled, clears, computes_depth, no_shader;
    uint32_t bindings;      /* entries of the table that the state names */
    uint32_t samples;       /* of the target, by their power of two */
    uint32_t constants;     /* the first buffer of constants, of one register, as another one */
    uint32_t vertex_format; /* of the attributes; 0: four floats */
    uint32_t resolves;      /* the resolve type of 3DSTATE_PS */
    uint32_t early_tests;   /* Early Depth/Stencil Control */
    bool places;            /* attribute 0 is the position */
};

static inline uint32_t *command(uint32_t **to, uint32_t header, uint32_t length_dw)
{
    uint32_t *const dw = *to;
    memset(dw, 0, length_dw * sizeof *dw);
    dw[0] = header | (length_dw - 2u);
    *to += length_dw;
    return dw;
}

static inline void put_target(struct streamer *s, const struct scene *c)
{
    const uint32_t at = SURFACES + 0x1000, elements = c->elements ? c->elements : 1,
                   tiling = c->tiled ? 3 : 0; /* Tile4, or Y */
    memset(s->memory + at, 0, 64);
    dword_put(s, at,
              1u << 29 | (c->elements ? 1u << 28 : 0) | c->format << 18 | 1u << 16 | 1u << 14 | tiling << 12);
    dword_put(s, at + 4, HEIGHT / 4);
    dword_put(s, at + 8, (WIDTH - 1) | (HEIGHT - 1) << 16);
    dword_put(s, at + 12, (PITCH - 1) | (elements - 1) << 21);
    dword_put(s, at + 16, (elements - 1) << 7 | c->samples << 3);
    dword_put(s, at + 32, TARGET);
    dword_put(s, SURFACES + TABLE_AT, 0x1000);
    for (uint32_t i = 0; i < PITCH * HEIGHT * elements; i += 4)
        dword_put(s, TARGET + i, STALE);
}

static inline void put_vertices(struct streamer *s, const struct scene *c)
{
    if (c->clip)
        memcpy(s->memory + VERTICES, c->clip, c->vertices * sizeof c->clip[0]);
    else
        memcpy(s->memory + VERTICES, c->at, c->vertices * sizeof c->at[0]);
    memset(s->memory + FLAT, 0, 16);
    for (uint32_t i = 0; i < 8; i++)
        dword_put(s, FLAT + 16 + i * 4, 100 + i);
}

static inline void put_shader(struct streamer *s, const struct scene *c, uint32_t **to)
{
    uint32_t *dw = command(to, 0x78200000, 12);
    dw[3] = c->bindings << 18;
    dw[6] = 1u << 1 | 63u << 23 | (c->clears ? 1u << 8 : 0) | c->resolves << 6; /* 16 pixels */
    dw[6] |= c->constants ? 1u << 11 : 0;
    dw[7] = 4u << 16; /* constants and setup from r4 on */
    dw = command(to, 0x78170000, 11);
    dw[1] = c->constants ? 1u << 16 | 1 : 0;
    dw[3] = c->constants;
    dw[5] = DYNAMIC + PUSHED + 32;
    dw = command(to, 0x784f0000, 2);
    dw[1] = (c->no_shader ? 0 : 1u << 31) | (c->attributes ? 1u << 8 : 0) | (c->kills ? 1u << 28 : 0) |
            (c->computes_depth ? 1u << 26 : 0);
    dw = command(to, 0x781f0000, k.set == &eu_gen8 ? 4 : 6);
    dw[1] = 1u << 28 | 1u << 29 | c->attributes << 22 | 1u << 11 | 1u << 5;
    dw[3] = c->constant;
    dw = command(to, 0x78140000, 2);
    dw[1] = (c->statistics ? 1u << 31 : 0) | c->early_tests << 21;
    dw = command(to, 0x784d0000, 2);
    dw[1] = 1u << 30;
    memset(s->memory + DYNAMIC + BLENDING, 0, 0x200);
    memcpy(s->memory + DYNAMIC + BLENDING + 4, c->blending, sizeof c->blending);
    command(to, 0x78240000, 2)[1] = BLENDING | 1;
    command(to, 0x780e0000, 2)[1] = CONSTANT_COLORS | 1;
    command(to, 0x782a0000, 2)[1] = TABLE_AT;
}

static inline uint32_t put_scene(struct streamer *s, const struct scene *c, uint32_t dws[MOST_DW])
{
    const uint32_t bases[19] = {0x61010000 | 17, 1,          0,          0,         SURFACES | 1, 0,
                                DYNAMIC | 1,     0,          1,          0,         KERNELS | 1,  0,
                                0xfffff001,      0xfffff001, 0xfffff001, 0xfffff001};
    uint32_t *to = dws + 19, *dw;
    put_target(s, c);
    put_vertices(s, c);
    memcpy(dws, bases, sizeof bases);
    put_shader(s, c, &to);
    dw = command(&to, 0x78080000, 9);
    dw[1] = (c->clip ? 16 : 12) | 1u << 14;
    dw[2] = VERTICES;
    dw[4] = c->vertices * (c->clip ? 16 : 12);
    dw[5] = 1u << 14 | 1u << 26;
    dw[6] = FLAT;
    dw[8] = 48;
    dw = command(&to, 0x78090000, 1 + 2 * (2 + c->attributes));
    dw[1] = R32G32B32A32_FLOAT << 16 | 1u << 25 | 1u << 26;
    dw[2] = 0x12220000;
    dw[3] = (c->clip ? R32G32B32A32_FLOAT + 0u : R32G32B32_FLOAT) << 16 | 1u << 25;
    dw[4] = c->clip ? 0x11110000 : 0x11130000;
    for (uint32_t i = 0; i < c->attributes; i++) {
        dw[5 + 2 * i] = (16 + 16 * i) | c->vertex_format << 16 | 1u << 25 | 1u << 26;
        dw[6 + 2 * i] = 0x11110000;
    }
    if (c->places) {
        dw[5] = dw[3];
        dw[6] = dw[4];
    }
    command(&to, 0x784a0000, 2)[1] = 1u << 31 | 1u << 29; /* the instance is the element */
    command(&to, 0x784b0000, 2)[1] = c->topology;
    command(&to, 0x78180000, 2)[1] = 1;
    command(&to, 0x78120000, 4)[2] = 1u << 9; /* no division */
    command(&to, 0x78130000, 4)[3] = c->provoking;
    command(&to, 0x78500000, 5)[1] = 1u << 16; /* nothing is culled */
    command(&to, 0x78100000, 9)[7] = c->vertex_shader;
    dw = command(&to, 0x79000000, 4);
    dw[1] = c->scissor[0];
    dw[2] = c->scissor[1] ? c->scissor[1] : (0x3fffu << 16 | 0x3fff);
    if (c->more_dw)
        memcpy(to, c->more, c->more_dw * sizeof *to);
    to += c->more_dw;
    dw = command(&to, 0x7b000000, 7);
    dw[2] = c->vertices;
    dw[4] = c->instances ? c->instances : 1;
    assert_true(to <= dws + MOST_DW);
    return (uint32_t)(to - dws);
}

static inline void put_write(void)
{
    kernel_send(&k, all, SFID_RENDER_CACHE, SIMD16_WRITE, none(TYPE_UD), reg(PAYLOAD, TYPE_UD), true);
}

/* Red and green: where a pixel is. Blue and alpha: the first and the last component of attribute 0. */
static inline void put_places(struct streamer *s)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        struct op fours = region(1, TYPE_UW, 2, 4, 0);
        fours.subregister = (uint8_t)(8 + 2 * axis);
        KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UW), fours, imm(axis ? 0x11001100 : 0x10101010, TYPE_V));
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * axis, TYPE_UD), region(20, TYPE_UW, 16, 16, 1));
    }
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 4, TYPE_UD), one(4, 12, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 6, TYPE_UD), one(5, 28, TYPE_UD));
    put_write();
    put_kernel(s);
}

static inline void draw_places(struct streamer *s, const struct scene *c)
{
    uint32_t dw[MOST_DW];
    put_places(s);
    batch_run(s, dw, put_scene(s, c, dw), true);
}

static inline void put_color(struct streamer *s, const float color[4])
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t bits;
        memcpy(&bits, &color[i], sizeof bits);
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F), imm(bits, TYPE_F));
    }
    put_write();
    put_kernel(s);
}

static inline uint32_t counter_at(struct streamer *s, uint32_t offset)
{
    return register_get(s, s->base + offset);
}

/* PS_INVOCATION_COUNT of Gen8 is four times what it should be: drivers divide it. (Mesa:
 * WaDividePSInvocationCountBy4) */
static inline unsigned counts_a_pixel(void)
{
    return k.set == &eu_gen8 ? 4 : 1;
}

/* What counters of performance see of pixels: fours of them, each as four samples, and threads of them; those
 * that were covered, that their shader killed, that were written, that were blended. (SYS-20) */
static inline uint32_t a_counter(struct streamer *s, unsigned a)
{
    return register_get(s, counters_of(s).a + a * 8u);
}

static inline void expect_seen(struct streamer *s, const uint32_t seen[7])
{
    softgt_advance(s->device, 10000);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(a_counter(s, 21 + i), seen[i] * 4);
}

#endif
