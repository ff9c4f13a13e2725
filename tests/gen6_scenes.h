/* What draws of Gen6 have for tests: kernels, structures in memory, and the commands of a scene. (SNB PRM vol
 * 2 part 1, vol 4) */
#ifndef TESTS_GEN6_SCENES_H
#define TESTS_GEN6_SCENES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "streamer.h"

enum {
    KERNELS = 0x100000,
    PIXEL_KERNEL = 0x1000,
    OBJECT_KERNEL = 0x2000,
    DYNAMIC = 0x110000,
    VIEWPORT = 0x100,
    DEPTH_RANGE = 0x200,
    BLENDING = 0x300,
    TESTS = 0x400,
    COLORS = 0x500,
    SAMPLER = 0x600,
    BORDER = 0x680,
    SURFACES = 0x120000,
    TABLE = 0x40,
    STATE = 0x100,
    BUFFER_STATE = 0x120,
    TEXTURE_STATE = 0x140,
    TEXTURE = 0x1b0000,
    WRITTEN = 0x1c0000,
    VERTICES = 0x130000,
    TARGET = 0x140000,
    DEPTHS = 0x180000,
    STENCILS = 0x190000,
    INDICES = 0x1a0000,
    WIDTH = 32,
    HEIGHT = 32,
    PITCH = WIDTH * 4,
    DEPTH_PITCH = 128,
    ROOM = 16 /* vertices */
};
enum { IA_VERTICES = 0x2310, IA_PRIMITIVES = 0x2318 };
enum { SO_NEEDED = 0x2280, SO_WRITTEN = 0x2288, GS_INVOCATIONS = 0x2328, GS_PRIMITIVES = 0x2330 };
enum { VS_INVOCATIONS = 0x2320, CL_INVOCATIONS = 0x2338, CL_PRIMITIVES = 0x2340, PS_DEPTH = 0x2350 };
enum { SAMPLER_FUNCTION = 2, RENDER_CACHE = 5, URB = 6 };
enum { TRILIST = 4, RECTLIST = 15 };
enum { D32_S8, D32, D24_S8, D24, D16 = 5 };
enum { ALWAYS, NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL };

/* ---- Kernels ---- */

struct kernel {
    uint8_t bytes[320 * EU_NATIVE_BYTES];
    unsigned count;
};

static inline struct eu_instruction *next(struct eu_instruction *i, const char *name)
{
    *i = (struct eu_instruction){.size_bytes = EU_NATIVE_BYTES};
    for (unsigned n = 0; n < eu_operation_count; n++)
        if ((eu_operations[n].generations & EU_GEN6) && strcmp(eu_operations[n].name, name) == 0)
            i->operation = &eu_operations[n];
    assert_non_null(i->operation);
    i->value[EU_OPCODE] = i->operation->gen6_code;
    return i;
}

static inline void add(struct kernel *k, const struct eu_instruction *i)
{
    assert_true(eu_encode(&eu_gen6, i, k->bytes + k->count++ * EU_NATIVE_BYTES));
}

enum { FILE_R = 1, FILE_M = 2, FILE_IMM = 3, UD = 0, ANSWER = 20 };

/* mov (channels) m_to, a register's elements side by side, or one for all. */
static inline void move(struct kernel *k, unsigned channels, unsigned to, unsigned from, unsigned at,
                        bool one)
{
    struct eu_instruction i;
    uint32_t *const v = next(&i, "mov")->value;
    v[EU_EXECUTION_SIZE] = channels == 16 ? 4 : 3;
    v[EU_NO_MASK] = 1;
    v[EU_DST_FILE] = FILE_M;
    v[EU_DST_TYPE] = v[EU_SRC0_TYPE] = UD;
    v[EU_DST_REGISTER] = to;
    v[EU_DST_STRIDE] = 1;
    v[EU_SRC0_FILE] = FILE_R;
    v[EU_SRC0_REGISTER] = from;
    v[EU_SRC0_SUBREGISTER] = at;
    v[EU_SRC0_VERTICAL] = one ? 0 : 4;
    v[EU_SRC0_WIDTH] = one ? 0 : 3;
    v[EU_SRC0_HORIZONTAL] = one ? 0 : 1;
    add(k, &i);
}

/* The same for all of 16 channels: two registers from m_to on. */
static inline void put_all(struct kernel *k, unsigned to, uint32_t value)
{
    struct eu_instruction i;
    uint32_t *const v = next(&i, "mov")->value;
    v[EU_EXECUTION_SIZE] = 4;
    v[EU_NO_MASK] = 1;
    v[EU_DST_FILE] = FILE_M;
    v[EU_DST_REGISTER] = to;
    v[EU_DST_STRIDE] = 1;
    v[EU_SRC0_FILE] = FILE_IMM;
    v[EU_SRC0_IMMEDIATE] = 1;
    v[EU_IMMEDIATE] = value;
    add(k, &i);
}

/* A dword of m_to: of a register, and what is added; or that alone. */
static inline void put(struct kernel *k, unsigned to, unsigned dw, int from, unsigned at, uint32_t more)
{
    struct eu_instruction i;
    uint32_t *const v = next(&i, from < 0 ? "mov" : "add")->value;
    v[EU_NO_MASK] = 1;
    v[EU_DST_FILE] = FILE_M;
    v[EU_DST_REGISTER] = to;
    v[EU_DST_SUBREGISTER] = dw * 4;
    v[EU_DST_STRIDE] = 1;
    v[EU_SRC0_FILE] = from < 0 ? FILE_IMM : FILE_R;
    v[EU_SRC0_IMMEDIATE] = from < 0;
    v[EU_SRC0_REGISTER] = from < 0 ? 0 : (uint32_t)from;
    v[EU_SRC0_SUBREGISTER] = from < 0 ? 0 : at * 4;
    v[EU_SRC1_FILE] = from < 0 ? 0 : FILE_IMM;
    v[EU_SRC1_IMMEDIATE] = from >= 0;
    v[EU_IMMEDIATE] = more;
    add(k, &i);
}

/* From m_from; a response goes to r20. */
static inline void send(struct kernel *k, unsigned channels, unsigned function, unsigned from,
                        uint32_t descriptor, bool ends)
{
    struct eu_instruction i;
    uint32_t *const v = next(&i, "send")->value;
    v[EU_EXECUTION_SIZE] = channels == 16 ? 4 : 3;
    v[EU_CONDITION] = function;
    v[EU_DST_FILE] = descriptor >> 20 & 31u ? FILE_R : 0;
    v[EU_DST_REGISTER] = descriptor >> 20 & 31u ? ANSWER : 0;
    v[EU_DST_TYPE] = v[EU_SRC0_TYPE] = UD;
    v[EU_DST_STRIDE] = 1;
    v[EU_SRC0_FILE] = FILE_M;
    v[EU_SRC0_REGISTER] = from;
    v[EU_SRC0_VERTICAL] = 4;
    v[EU_SRC0_WIDTH] = 3;
    v[EU_SRC0_HORIZONTAL] = 1;
    v[EU_DESCRIPTOR] = descriptor;
    v[EU_EOT] = ends;
    add(k, &i);
}

static inline void keep(struct streamer *s, uint32_t at, const struct kernel *k)
{
    memcpy(s->memory + KERNELS + at, k->bytes, k->count * EU_NATIVE_BYTES);
}

/* What comes in goes out: four vectors of each vertex. */
static inline void put_vertex_kernel(struct streamer *s)
{
    enum { INTERLEAVED = 1 << 10, USED = 1 << 14, COMPLETE = 1 << 15, HEADER = 1 << 19 };
    struct kernel k = {.count = 0};
    for (unsigned i = 0; i < 5; i++)
        move(&k, 8, 1 + i, i, 0, false);
    send(&k, 8, URB, 1, 5u << 25 | HEADER | INTERLEAVED | USED | COMPLETE, true);
    keep(s, 0, &k);
}

/* An attribute's constant planes as color: its components at corner 0; of pixels that it does not kill. */
/* What a message to the sampler has, and the color that comes. */
struct looks {
    uint32_t message, parameters;
    float at[11];
    bool integers;
    uint32_t state[4], color;
};

static inline void put_looking_kernel(struct streamer *s, const struct looks *l)
{
    enum { WRITE = 12 << 13, LAST = 1 << 12, TEXTURE_INDEX = 2, MODE_16 = 2 << 16, TYPE_AT = 12 };
    struct kernel k = {.count = 0};
    for (unsigned n = 0; n < l->parameters; n++) {
        uint32_t bits;
        memcpy(&bits, &l->at[n], sizeof bits);
        put_all(&k, 2 + 2 * n, l->integers ? (uint32_t)l->at[n] : bits);
    }
    send(&k, 16, SAMPLER_FUNCTION, 2,
         2 * l->parameters << 25 | 8u << 20 | MODE_16 | l->message << TYPE_AT | TEXTURE_INDEX, false);
    for (unsigned n = 0; n < 4; n++)
        move(&k, 16, 2 + 2 * n, ANSWER + 2 * n, 0, false);
    send(&k, 16, RENDER_CACHE, 2, 8u << 25 | WRITE | LAST, true);
    keep(s, PIXEL_KERNEL, &k);
}

static inline void put_pixel_kernel(struct streamer *s, uint32_t kills)
{
    enum { WRITE = 12 << 13, LAST = 1 << 12, SETUP = 6, HEADER = 1 << 19 };
    struct kernel k = {.count = 0};
    const unsigned header = kills ? 2 : 0;
    for (unsigned n = 0; n < header; n++)
        move(&k, 8, 2 + n, n, 0, false);
    if (header)
        put(&k, 3, 7, -1, 0, 0xffff & ~kills);
    for (unsigned n = 0; n < 4; n++)
        move(&k, 16, 2 + header + 2 * n, SETUP + n / 2, n % 2 ? 28 : 12, true);
    send(&k, 16, RENDER_CACHE, 2, (8u + header) << 25 | WRITE | LAST | (header ? HEADER : 0), true);
    keep(s, PIXEL_KERNEL, &k);
}

/* Each vertex of an object to memory, behind those before it; what is told of it: primitives that were made,
 * that need room, that were written. */
struct told {
    uint32_t made, needed, written;
    bool steps;        /* the first index is in the payload */
    bool tells_names;  /* of what the object is, in place of each vertex's w */
    bool reorders;     /* every other triangle of a strip */
    bool renders;      /* its vertices: */
    uint32_t empty;    /* vertices that nothing is written of, before the others */
    uint32_t vertices; /* how many; else three */
    uint32_t topology; /* what they become */
    uint32_t ends;     /* bits: behind which of them a primitive ends */
    bool interleaved;  /* as messages of two vertices have them */
};

/* Each vertex of an object to an entry of its own, in the order in which they came. (SNB PRM vol 4 part 2,
 * URB_WRITE: the next entry comes with the message that completes one) */
static inline void put_rendering_kernel(struct streamer *s, const struct told *t)
{
    enum {
        HEADER = 1 << 19,
        SYNC = 1,
        COMPLETE = 1 << 15,
        USED = 1 << 14,
        ALLOCATE = 1 << 13,
        PAIRS = 1 << 10
    };
    enum { ENDS = 1, BEGINS = 2, NAME = 2, NAME_AT = 2 };
    struct kernel k = {.count = 0};
    move(&k, 8, 1, 0, 0, false);
    put(&k, 1, 0, -1, 0, 0);
    put(&k, 1, 1, -1, 0, t->made);
    send(&k, 8, URB, 1, 1u << 25 | 1u << 20 | HEADER | ALLOCATE | SYNC, false);
    put(&k, 1, 0, ANSWER, 0, 0);
    put(&k, 1, NAME, -1, 0, t->topology << NAME_AT | BEGINS | ENDS);
    for (unsigned i = 0; i < t->empty; i++)
        send(&k, 8, URB, 1, 1u << 25 | HEADER | USED | COMPLETE, false);
    bool begins = true;
    for (unsigned i = 0; i < t->vertices; i++) {
        const bool ends = t->ends >> i & 1u;
        const unsigned vectors = t->interleaved ? 3 : 2;
        put(&k, 1, 0, ANSWER, 0, 0);
        put(&k, 1, NAME, -1, 0, t->topology << NAME_AT | (begins ? BEGINS : 0) | (ends ? ENDS : 0));
        for (unsigned n = 0; n < vectors; n++)
            if (t->interleaved)
                move(&k, 8, 2 + n, 1 + 2 * i + n / 2, n % 2 * 16, false);
            else
                move(&k, 8, 2 + n, 1 + 2 * i + n, 0, false);
        send(&k, 8, URB, 1,
             (1u + vectors) << 25 | 1u << 20 | HEADER | ALLOCATE | USED | COMPLETE |
                 (t->interleaved ? PAIRS : 0),
             false);
        begins = ends;
    }
    put(&k, 1, 0, ANSWER, 0, 0);
    put(&k, 1, 2, -1, 0, 0);
    send(&k, 8, URB, 1, 1u << 25 | HEADER | COMPLETE, true);
    keep(s, OBJECT_KERNEL, &k);
}

static inline void put_object_kernel(struct streamer *s, const struct told *t)
{
    enum { HEADER = 1 << 19, SYNC = 1, COMPLETE = 1 << 15, STREAM = 13 << 13, ENTRY = 1, CORNERS_OF = 3 };
    const unsigned vertices = t->steps ? 2 : 1;
    struct kernel k = {.count = 0};
    move(&k, 8, 1, 0, 0, false);
    put(&k, 1, 0, -1, 0, CORNERS_OF << 16 | t->needed);
    put(&k, 1, 1, -1, 0, t->made);
    send(&k, 8, URB, 1, 1u << 25 | 1u << 20 | HEADER | SYNC, false);
    for (unsigned i = 0; i < CORNERS_OF; i++) {
        for (unsigned n = 0; n < 4; n++)
            put(&k, 2, n, n == 3 && t->tells_names ? 0 : (int)(vertices + 2 * i),
                n == 3 && t->tells_names ? 2 : 4 + n, 0);
        put(&k, 2, 5, t->steps ? 1 : ANSWER, t->steps ? 0 : 1, i);
        send(&k, 8, RENDER_CACHE, 2, 1u << 25 | STREAM | ENTRY, false);
    }
    put(&k, 1, 2, -1, 0, t->written << 16);
    send(&k, 8, URB, 1, 1u << 25 | HEADER | COMPLETE, true);
    keep(s, OBJECT_KERNEL, &k);
}

/* ---- Scenes ---- */

struct scene {
    uint32_t topology, vertices;
    const float (*at)[4];
    bool statistics, clips, depth, no_depth_test;
    unsigned without; /* enables of statistics that are left clear, by bit */
    uint32_t depth_function;
    float depth_before;
    const struct depths *depths;   /* where depths and stencils are, if not as plain ones */
    uint32_t clear_value, wm;      /* bits of 3DSTATE_WM's fourth dword */
    const struct stencil *stencil; /* its test */
    const struct alpha *alpha;
    const struct looks *looks;
    uint32_t kills;          /* bits: pixels of a thread */
    const struct told *told; /* by threads of objects */
    bool counts_output;
    uint32_t first, most;    /* where they write, and how far */
    const uint16_t *indices; /* as many as vertices; each has a vertex */
    float green;             /* 1, unless it says so */
    uint8_t clip_distances;  /* bits: that count */
};

/* Depths and stencils as they lie in memory: rows of pixels, or tiles. */
struct depths {
    uint32_t format;
    bool linear, apart;
};
struct stencil {
    uint32_t function, fail, depth_fail, pass;
    uint8_t reference, test_mask, write_mask, before;
};

struct alpha {
    uint32_t function;
    float reference; /* or, of steps, in 255ths */
    bool steps;
};

static inline unsigned bytes_of(uint32_t format)
{
    return format == D16 ? 2 : format == D32_S8 ? 8 : 4;
}

/* Of a depth; a tile has columns of 16 bytes and 32 rows. (SNB PRM vol 1 part 2, Tile Format) */
static inline uint32_t depth_at(const struct depths *d, uint32_t x, uint32_t y)
{
    const uint32_t bytes = bytes_of(d->format), at = x * bytes, pitch = bytes == 8 ? 256 : 128;
    return DEPTHS + (d->linear ? y * pitch + at : at / 128 * 4096 + at % 128 / 16 * 512 + y * 16 + at % 16);
}

/* Of a stencil: behind the depth, or in tiles of 64 by 64 that go by bits of x and y in turns. */
static inline uint32_t stencil_at(const struct depths *d, uint32_t x, uint32_t y)
{
    if (!d->apart)
        return depth_at(d, x, y) + (d->format == D24_S8 ? 3 : 4);
    return STENCILS + x / 8 * 512 + y / 8 * 64 + (y >> 2 & 1) * 32 + (x >> 2 & 1) * 16 + (y >> 1 & 1) * 8 +
           (x >> 1 & 1) * 4 + (y & 1) * 2 + (x & 1);
}

/* A depth as its format has it, without what is behind it. */
static inline uint32_t depth_bits(uint32_t format, float depth)
{
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return format == D16                       ? (uint32_t)(depth * 65535 + 0.5f)
           : format == D24 || format == D24_S8 ? (uint32_t)((double)depth * 16777215 + 0.5)
                                               : bits;
}

static inline uint32_t depth_there(const struct streamer *s, const struct depths *d, uint32_t x, uint32_t y)
{
    uint32_t bits = 0;
    memcpy(&bits, s->memory + depth_at(d, x, y),
           d->format == D16                          ? 2
           : d->format == D24_S8 || d->format == D24 ? 3
                                                     : 4);
    return bits;
}

static inline uint32_t *command(uint32_t **to, uint32_t header, uint32_t length_dw)
{
    uint32_t *const dw = *to;
    memset(dw, 0, length_dw * sizeof *dw);
    dw[0] = header | (length_dw - 2u);
    *to += length_dw;
    return dw;
}

static inline void put_floats(struct streamer *s, uint32_t at, const float *values, unsigned count)
{
    memcpy(s->memory + at, values, count * sizeof *values);
}

/* Four by four texels, rows one behind the other; then two levels: two by two, and one beside their first.
 * A texel tells its place. (SNB PRM vol 1 part 1, Surface Layout) */
static inline uint32_t texel_of(uint32_t level, uint32_t x, uint32_t y)
{
    return 0xff000000 | level << 16 | (y * 64) << 8 | x * 64;
}

static inline void put_texture(struct streamer *s, const struct looks *l)
{
    enum { R8G8B8A8_UNORM = 0xc7, SURFACE_2D = 1, TEXTURE_PITCH = 32 };
    static const float border[4] = {0, 1, 0, 1};
    for (unsigned i = 0; i < 16; i++)
        dword_put(s, TEXTURE + i / 4 * TEXTURE_PITCH + i % 4 * 4, texel_of(0, i % 4, i / 4));
    for (unsigned i = 0; i < 4; i++)
        dword_put(s, TEXTURE + (4 + i / 2) * TEXTURE_PITCH + i % 2 * 4, texel_of(1, i % 2, i / 2));
    dword_put(s, TEXTURE + 4 * TEXTURE_PITCH + 4 * 4, texel_of(2, 0, 0));
    dword_put(s, SURFACES + TABLE + 8, TEXTURE_STATE);
    dword_put(s, SURFACES + TEXTURE_STATE, (uint32_t)SURFACE_2D << 29 | (uint32_t)R8G8B8A8_UNORM << 18);
    dword_put(s, SURFACES + TEXTURE_STATE + 4, TEXTURE);
    dword_put(s, SURFACES + TEXTURE_STATE + 8, 3 << 6 | 3u << 19 | 2 << 2);
    dword_put(s, SURFACES + TEXTURE_STATE + 12, (TEXTURE_PITCH - 1) << 3);
    dword_put(s, SURFACES + TEXTURE_STATE + 16, 0);
    dword_put(s, SURFACES + TEXTURE_STATE + 20, 0);
    for (unsigned i = 0; i < 4; i++)
        dword_put(s, DYNAMIC + SAMPLER + i * 4, l->state[i]);
    dword_put(s, DYNAMIC + SAMPLER + 8, l->state[2] | BORDER);
    dword_put(s, DYNAMIC + BORDER, 0x12345678); /* in 8 bits a part */
    put_floats(s, DYNAMIC + BORDER + 4, border, 4);
}

static inline void put_memory(struct streamer *s, const struct scene *c)
{
    static const float matrix[6] = {WIDTH / 2, -HEIGHT / 2, 1, WIDTH / 2, HEIGHT / 2, 0}, range[2] = {0, 1};
    const float color[4] = {0, c->green != 0 ? c->green : 1, 0, 1};
    enum { R8G8B8A8_UNORM = 0xc7, SURFACE_2D = 1, SURFACE_BUFFER = 4 };
    put_vertex_kernel(s);
    if (c->looks)
        put_looking_kernel(s, c->looks);
    else
        put_pixel_kernel(s, c->kills);
    if (c->looks)
        put_texture(s, c->looks);
    put_floats(s, DYNAMIC + VIEWPORT, matrix, 6);
    put_floats(s, DYNAMIC + DEPTH_RANGE, range, 2);
    memset(s->memory + DYNAMIC + BLENDING, 0, 64);
    memset(s->memory + DYNAMIC + COLORS, 0, 24);
    dword_put(s, DYNAMIC + TESTS, 0);
    dword_put(s, DYNAMIC + TESTS + 4, 0);
    dword_put(s, DYNAMIC + TESTS + 8,
              c->depth && !c->no_depth_test ? 1u << 31 | c->depth_function << 27 | 1u << 26 : 0);
    dword_put(s, SURFACES + TABLE, STATE);
    dword_put(s, SURFACES + STATE, (uint32_t)SURFACE_2D << 29 | (uint32_t)R8G8B8A8_UNORM << 18);
    dword_put(s, SURFACES + STATE + 4, TARGET);
    dword_put(s, SURFACES + STATE + 8, (WIDTH - 1) << 6 | (uint32_t)(HEIGHT - 1) << 19);
    dword_put(s, SURFACES + STATE + 12, (PITCH - 1) << 3);
    dword_put(s, SURFACES + STATE + 16, 0);
    dword_put(s, SURFACES + STATE + 20, 0);
    dword_put(s, SURFACES + TABLE + 4, BUFFER_STATE);
    dword_put(s, SURFACES + BUFFER_STATE, (uint32_t)SURFACE_BUFFER << 29);
    dword_put(s, SURFACES + BUFFER_STATE + 4, WRITTEN);
    dword_put(s, SURFACES + BUFFER_STATE + 8, (ROOM - 1) << 6);
    dword_put(s, SURFACES + BUFFER_STATE + 12, (16 - 1) << 3);
    dword_put(s, SURFACES + BUFFER_STATE + 16, 0);
    dword_put(s, SURFACES + BUFFER_STATE + 20, 0);
    memset(s->memory + WRITTEN, 0, (ROOM + 8) * 16);
    if (c->told && c->told->renders)
        put_rendering_kernel(s, c->told);
    else if (c->told)
        put_object_kernel(s, c->told);
    if (c->indices)
        memcpy(s->memory + INDICES, c->indices, c->vertices * sizeof *c->indices);
    memset(s->memory + TARGET, 0x55, PITCH * HEIGHT);
    for (unsigned i = 0; i < DEPTH_PITCH * HEIGHT / 4u; i++)
        put_floats(s, DEPTHS + i * 4, &c->depth_before, 1);
    if (c->alpha) {
        const uint32_t steps = (uint32_t)c->alpha->reference;
        dword_put(s, DYNAMIC + BLENDING + 4, 1u << 16 | c->alpha->function << 13);
        dword_put(s, DYNAMIC + COLORS, c->alpha->steps ? 0 : 1);
        if (c->alpha->steps)
            dword_put(s, DYNAMIC + COLORS + 4, steps);
        else
            put_floats(s, DYNAMIC + COLORS + 4, &c->alpha->reference, 1);
    }
    if (c->stencil) {
        const struct stencil *const t = c->stencil;
        dword_put(s, DYNAMIC + TESTS,
                  1u << 31 | t->function << 28 | t->fail << 25 | t->depth_fail << 22 | t->pass << 19 |
                      1u << 18);
        dword_put(s, DYNAMIC + TESTS + 4, (uint32_t)t->test_mask << 24 | (uint32_t)t->write_mask << 16);
        dword_put(s, DYNAMIC + COLORS, (uint32_t)t->reference << 24 | (c->alpha && !c->alpha->steps));
    }
    for (unsigned i = 0; c->depths && i < WIDTH * HEIGHT; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH, bits = depth_bits(c->depths->format, c->depth_before);
        memcpy(s->memory + depth_at(c->depths, x, y), &bits, c->depths->format == D16 ? 2 : 4);
        if (c->depths->apart || c->depths->format == D24_S8 || c->depths->format == D32_S8)
            s->memory[stencil_at(c->depths, x, y)] = c->stencil ? c->stencil->before : 0xa5;
    }
    for (unsigned i = 0; i < c->vertices; i++) {
        put_floats(s, VERTICES + i * 32, c->at[i], 4);
        put_floats(s, VERTICES + i * 32 + 16, color, 4);
    }
}

/* Statistics Enable of the state that has it. */
enum { OF_VF, OF_VS, OF_GS, OF_CLIP, OF_SF, OF_WM, ENABLES };
static inline bool counts_in(const struct scene *c, unsigned which)
{
    return c->statistics && !(c->without >> which & 1u);
}

static inline uint32_t put_scene(struct streamer *s, const struct scene *c, uint32_t dws[256])
{
    enum { COUNTS = 1 << 10, FLOAT4 = 0, VALID = 1 << 25, NULL_SURFACE = 7 };
    uint32_t *to = dws, *dw;
    put_memory(s, c);
    dw = command(&to, 0x61010000, 10);
    dw[1] = 1;
    dw[2] = SURFACES | 1;
    dw[3] = DYNAMIC | 1;
    dw[4] = 1;
    dw[5] = KERNELS | 1;
    for (unsigned i = 6; i < 10; i++)
        dw[i] = 1;
    command(&to, 0x78050000, 3)[1] = 0u << 16 | 24;
    dw = command(&to, 0x78100000, 6);
    dw[4] = 1u << 20 | 2u << 11;
    dw[5] = 1u | (counts_in(c, OF_VS) ? COUNTS : 0);
    dw = command(&to, 0x78110000, 7);
    if (c->told) {
        dw[1] = OBJECT_KERNEL;
        dw[4] = 2u << 11 | (c->told->steps ? 2u : 1u);
        dw[5] = (counts_in(c, OF_GS) ? COUNTS : 0) | (c->counts_output ? 1u << 9 : 0);
        dw[5] |= (uint32_t)c->told->renders << 8;
        dw[6] = 1u << 15 | (uint32_t)c->told->reorders << 30 |
                (c->told->steps ? 1u << 28 | 1u << 27 | 3u << 16 : 0);
        dw = command(&to, 0x790b0000, 4);
        dw[2] = c->first;
        dw[3] = c->most;
    }
    dw = command(&to, 0x78120000, 4);
    dw[1] = counts_in(c, OF_CLIP) ? COUNTS : 0;
    dw[2] = c->clips ? 1u << 31 | 1u << 30 | 1u << 28 | 1u << 27 | (uint32_t)c->clip_distances << 16 : 0;
    dw = command(&to, 0x78130000, 20);
    dw[1] = 1u << 22 | 1u << 11 | 1u << 4;
    dw[2] = 1u << 1 | (counts_in(c, OF_SF) ? COUNTS : 0);
    dw[3] = 1u << 29;
    dw[17] = 1;
    dw = command(&to, 0x78140000, 9);
    dw[1] = PIXEL_KERNEL;
    dw[4] = 6u << 16 | (counts_in(c, OF_WM) ? 1u << 31 : 0) | c->wm;
    dw[5] = c->wm ? 0 : 1u << 1 | 1u << 19 | (c->kills ? 1u << 22 : 0);
    command(&to, 0x79108000, 2)[1] = c->clear_value;
    dw[6] = 1u << 20;
    command(&to, 0x78180000, 2)[1] = 1;
    command(&to, 0x790d0000, 3);
    dw = command(&to, 0x780d1c00, 4);
    dw[2] = VIEWPORT;
    dw[3] = DEPTH_RANGE;
    dw = command(&to, 0x780e0000, 4);
    dw[1] = BLENDING | 1;
    dw[2] = TESTS | 1;
    dw[3] = COLORS | 1;
    dw = command(&to, 0x78011300, 4);
    dw[2] = dw[3] = TABLE;
    command(&to, 0x78021000, 4)[3] = SAMPLER;
    dw = command(&to, 0x79000000, 4);
    dw[2] = (WIDTH - 1) | (uint32_t)(HEIGHT - 1) << 16;
    dw = command(&to, 0x79050000, 7);
    dw[1] = (uint32_t)NULL_SURFACE << 29;
    if (c->depth) {
        dw[1] = 1u << 29 | 1u << 27 | 1u << 26 | (uint32_t)D32 << 18 | (DEPTH_PITCH - 1);
        dw[2] = DEPTHS;
        dw[3] = (WIDTH - 1) << 6 | (uint32_t)(HEIGHT - 1) << 19;
    }
    if (c->depths) {
        dw[1] = 1u << 29 | (c->depths->linear ? 0 : 3u << 26) | (uint32_t)c->depths->apart << 21 |
                c->depths->format << 18 | (bytes_of(c->depths->format) == 8 ? 255u : 127u);
        dw = command(&to, 0x790e0000, 3);
        dw[1] = 127;
        dw[2] = STENCILS;
    }
    dw = command(&to, 0x78080000, 5);
    dw[1] = 32;
    dw[2] = VERTICES;
    dw[3] = VERTICES + c->vertices * 32 - 1;
    dw = command(&to, 0x78090000, 7);
    dw[1] = FLOAT4 << 16 | VALID;
    dw[2] = 0x22220000; /* the vertex header: zeros */
    dw[3] = FLOAT4 << 16 | VALID;
    dw[4] = 0x11110000;
    dw[5] = FLOAT4 << 16 | VALID | 16;
    dw[6] = 0x11110000;
    command(&to, 0x680b0000, 2)[0] = 0x680b0000 | counts_in(c, OF_VF);
    to--;
    if (c->indices) {
        dw = command(&to, 0x780a0000, 3);
        dw[0] |= 1u << 10 | 1u << 8; /* of 16 bits; one of them cuts */
        dw[1] = INDICES;
        dw[2] = INDICES + c->vertices * 2 - 1;
    }
    dw = command(&to, 0x7b000000, 6);
    dw[0] |= c->topology << 10 | (c->indices ? 1u << 15 : 0);
    dw[1] = c->vertices;
    dw[3] = 1;
    return (uint32_t)(to - dws);
}

static inline unsigned green(const struct streamer *s)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4) {
        uint32_t pixel;
        memcpy(&pixel, s->memory + TARGET + i, sizeof pixel);
        assert_true(pixel == 0x55555555 || pixel == 0xff00ff00);
        count += pixel == 0xff00ff00;
    }
    return count;
}

static inline unsigned colored(const struct streamer *s, uint32_t color)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4)
        count += memcmp(s->memory + TARGET + i, &color, sizeof color) == 0;
    return count;
}

static inline uint64_t counted(struct streamer *s, uint32_t at)
{
    return register_get(s, at) | (uint64_t)register_get(s, at + 4) << 32;
}

static inline void tell(void *user, const struct softgt_report *report)
{
    (void)user;
    print_message("%s\n", report->text);
}

static inline void draw(struct streamer *s, const struct scene *c)
{
    uint32_t dws[256];
    s->reported = tell;
    const uint32_t count = put_scene(s, c, dws);
    assert_true(count <= sizeof dws / sizeof dws[0]);
    ring_run(s, dws, count);
    assert_int_equal(register_get(s, 0x2034) & 0x1ffffc, s->tail);
}

/* A scene's commands, to be changed before they are run. */
struct made_scene {
    struct streamer *s;
    uint32_t dws[256], count;
};

static inline void make_scene(struct made_scene *m, const struct scene *c)
{
    m->s = streamer_create("snb");
    m->s->reported = tell;
    m->count = put_scene(m->s, c, m->dws);
}

static inline uint32_t *command_of(struct made_scene *m, uint32_t header)
{
    for (uint32_t at = 0; at < m->count; at++)
        if ((m->dws[at] & 0xffff0000) == header)
            return m->dws + at;
    fail();
    return NULL;
}

/* A command ahead of the draw. */
static inline void insert_command(struct made_scene *m, const uint32_t *dw, uint32_t count)
{
    enum { DRAW_DW = 6 };
    memmove(m->dws + m->count - DRAW_DW + count, m->dws + m->count - DRAW_DW, DRAW_DW * sizeof *dw);
    memcpy(m->dws + m->count - DRAW_DW, dw, count * sizeof *dw);
    m->count += count;
}

static inline void run_scene(struct made_scene *m)
{
    ring_run(m->s, m->dws, m->count);
    assert_int_equal(register_get(m->s, 0x2034) & 0x1ffffc, m->s->tail);
}

/* The left half of the target: two triangles. */
static const float half[6][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {0, 1, 0.5f, 1},
                                 {-1, -1, 0.5f, 1}, {0, 1, 0.5f, 1},  {-1, 1, 0.5f, 1}};

#endif
