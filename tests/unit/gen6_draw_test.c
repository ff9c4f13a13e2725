/* Draws of Gen6: threads of two vertices and of pixels, the state that they take, and what statistics count
 * of them. (SNB PRM vol 2 part 1, vol 4; REN-17) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../random.h"
#include "../saved.h"
#include "../streamer.h"
#include "eu/eu.h"

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

static struct eu_instruction *next(struct eu_instruction *i, const char *name)
{
    *i = (struct eu_instruction){.size_bytes = EU_NATIVE_BYTES};
    for (unsigned n = 0; n < eu_operation_count; n++)
        if ((eu_operations[n].sets & EU_GEN6) && strcmp(eu_operations[n].name, name) == 0)
            i->operation = &eu_operations[n];
    assert_non_null(i->operation);
    i->value[EU_OPCODE] = i->operation->early;
    return i;
}

static void add(struct kernel *k, const struct eu_instruction *i)
{
    assert_true(eu_encode(&eu_gen6, i, k->bytes + k->count++ * EU_NATIVE_BYTES));
}

enum { FILE_R = 1, FILE_M = 2, FILE_IMM = 3, UD = 0, ANSWER = 20 };

/* mov (channels) m_to, a register's elements side by side, or one for all. */
static void move(struct kernel *k, unsigned channels, unsigned to, unsigned from, unsigned at, bool one)
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
static void put_all(struct kernel *k, unsigned to, uint32_t value)
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
static void put(struct kernel *k, unsigned to, unsigned dw, int from, unsigned at, uint32_t more)
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
static void send(struct kernel *k, unsigned channels, unsigned function, unsigned from, uint32_t descriptor,
                 bool ends)
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

static void keep(struct streamer *s, uint32_t at, const struct kernel *k)
{
    memcpy(s->memory + KERNELS + at, k->bytes, k->count * EU_NATIVE_BYTES);
}

/* What comes in goes out: four vectors of each vertex. */
static void put_vertex_kernel(struct streamer *s)
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

static void put_looking_kernel(struct streamer *s, const struct looks *l)
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

static void put_pixel_kernel(struct streamer *s, uint32_t kills)
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
static void put_rendering_kernel(struct streamer *s, const struct told *t)
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

static void put_object_kernel(struct streamer *s, const struct told *t)
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

static unsigned bytes_of(uint32_t format)
{
    return format == D16 ? 2 : format == D32_S8 ? 8 : 4;
}

/* Of a depth; a tile has columns of 16 bytes and 32 rows. (SNB PRM vol 1 part 2, Tile Format) */
static uint32_t depth_at(const struct depths *d, uint32_t x, uint32_t y)
{
    const uint32_t bytes = bytes_of(d->format), at = x * bytes, pitch = bytes == 8 ? 256 : 128;
    return DEPTHS + (d->linear ? y * pitch + at : at / 128 * 4096 + at % 128 / 16 * 512 + y * 16 + at % 16);
}

/* Of a stencil: behind the depth, or in tiles of 64 by 64 that go by bits of x and y in turns. */
static uint32_t stencil_at(const struct depths *d, uint32_t x, uint32_t y)
{
    if (!d->apart)
        return depth_at(d, x, y) + (d->format == D24_S8 ? 3 : 4);
    return STENCILS + x / 8 * 512 + y / 8 * 64 + (y >> 2 & 1) * 32 + (x >> 2 & 1) * 16 + (y >> 1 & 1) * 8 +
           (x >> 1 & 1) * 4 + (y & 1) * 2 + (x & 1);
}

/* A depth as its format has it, without what is behind it. */
static uint32_t depth_bits(uint32_t format, float depth)
{
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return format == D16                       ? (uint32_t)(depth * 65535 + 0.5f)
           : format == D24 || format == D24_S8 ? (uint32_t)((double)depth * 16777215 + 0.5)
                                               : bits;
}

static uint32_t depth_there(const struct streamer *s, const struct depths *d, uint32_t x, uint32_t y)
{
    uint32_t bits = 0;
    memcpy(&bits, s->memory + depth_at(d, x, y),
           d->format == D16                          ? 2
           : d->format == D24_S8 || d->format == D24 ? 3
                                                     : 4);
    return bits;
}

static uint32_t *command(uint32_t **to, uint32_t header, uint32_t length_dw)
{
    uint32_t *const dw = *to;
    memset(dw, 0, length_dw * sizeof *dw);
    dw[0] = header | (length_dw - 2u);
    *to += length_dw;
    return dw;
}

static void put_floats(struct streamer *s, uint32_t at, const float *values, unsigned count)
{
    memcpy(s->memory + at, values, count * sizeof *values);
}

/* Four by four texels, rows one behind the other; then two levels: two by two, and one beside their first.
 * A texel tells its place. (SNB PRM vol 1 part 1, Surface Layout) */
static uint32_t texel_of(uint32_t level, uint32_t x, uint32_t y)
{
    return 0xff000000 | level << 16 | (y * 64) << 8 | x * 64;
}

static void put_texture(struct streamer *s, const struct looks *l)
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

static void put_memory(struct streamer *s, const struct scene *c)
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
static bool counts_in(const struct scene *c, unsigned which)
{
    return c->statistics && !(c->without >> which & 1u);
}

static uint32_t put_scene(struct streamer *s, const struct scene *c, uint32_t dws[256])
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

static unsigned green(const struct streamer *s)
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

static unsigned colored(const struct streamer *s, uint32_t color)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4)
        count += memcmp(s->memory + TARGET + i, &color, sizeof color) == 0;
    return count;
}

static uint64_t counted(struct streamer *s, uint32_t at)
{
    return register_get(s, at) | (uint64_t)register_get(s, at + 4) << 32;
}

static void tell(void *user, const struct softgt_report *report)
{
    (void)user;
    print_message("%s\n", report->text);
}

static void draw(struct streamer *s, const struct scene *c)
{
    uint32_t dws[256];
    s->reported = tell;
    const uint32_t count = put_scene(s, c, dws);
    assert_true(count <= sizeof dws / sizeof dws[0]);
    ring_run(s, dws, count);
    assert_int_equal(register_get(s, 0x2034) & 0x1ffffc, s->tail);
}

/* The left half of the target: two triangles. */
static const float half[6][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {0, 1, 0.5f, 1},
                                 {-1, -1, 0.5f, 1}, {0, 1, 0.5f, 1},  {-1, 1, 0.5f, 1}};

static void pixels_are_the_shaders(void **state)
{
    struct streamer *const s = streamer_create("snb");
    (void)state;
    draw(s, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
    assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
    for (unsigned at = VS_INVOCATIONS; at <= PS_DEPTH; at += 8)
        assert_int_equal(counted(s, at), 0);
    streamer_destroy(s);
}

/* 818-832, 852-882 of the manual: objects that enter the clipper and leave it, pixels that pass the depth
 * test, with their enables. */
static void statistics_count(void **state)
{
    struct streamer *const s = streamer_create("snb");
    (void)state;
    draw(s,
         &(struct scene){.topology = TRILIST, .vertices = 6, .at = half, .statistics = true, .clips = true});
    assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
    assert_int_equal(counted(s, VS_INVOCATIONS), 6);
    assert_int_equal(counted(s, CL_INVOCATIONS), 2);
    assert_int_equal(counted(s, CL_PRIMITIVES), 2);
    assert_int_equal(counted(s, PS_DEPTH), WIDTH / 2 * HEIGHT);
    streamer_destroy(s);
}

/* 780-882: each register with its own enable, of the state that the manual names; the other ones go on. */
static void each_has_its_enable(void **state)
{
    static const struct told renders = {
        .renders = true, .vertices = 3, .topology = TRILIST, .ends = 4, .made = 3};
    static const struct {
        uint32_t at;
        uint8_t enable;
        uint32_t count;
    } registers[] = {{IA_VERTICES, OF_VF, 6},    {IA_PRIMITIVES, OF_VF, 2},
                     {VS_INVOCATIONS, OF_VS, 6}, {GS_INVOCATIONS, OF_GS, 2},
                     {GS_PRIMITIVES, OF_GS, 6},  {CL_INVOCATIONS, OF_CLIP, 2},
                     {CL_PRIMITIVES, OF_SF, 2},  {PS_DEPTH, OF_WM, WIDTH / 2 * HEIGHT}};
    (void)state;
    for (unsigned without = 0; without <= ENABLES; without++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .told = &renders,
                                .statistics = true,
                                .clips = true,
                                .without = 1u << without});
        for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++)
            assert_int_equal(counted(s, registers[i].at),
                             registers[i].enable == without ? 0 : registers[i].count);
        streamer_destroy(s);
    }
}

/* What is outside does not leave the clipper; what is partly outside becomes as many triangles as its outline
 * needs, and only what is inside has pixels. */
static void clipped_primitives(void **state)
{
    static const float outside[3][4] = {{2, -1, 0.5f, 1}, {4, -1, 0.5f, 1}, {2, 1, 0.5f, 1}},
                       corner[3][4] = {{-3, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {1, 3, 0.5f, 1}};
    struct streamer *const s = streamer_create("snb");
    (void)state;
    draw(s, &(struct scene){
                .topology = TRILIST, .vertices = 3, .at = outside, .statistics = true, .clips = true});
    assert_int_equal(green(s), 0);
    assert_int_equal(counted(s, CL_INVOCATIONS), 1);
    assert_int_equal(counted(s, CL_PRIMITIVES), 0);
    assert_int_equal(counted(s, PS_DEPTH), 0);
    draw(s, &(struct scene){
                .topology = TRILIST, .vertices = 3, .at = corner, .statistics = true, .clips = true});
    assert_int_equal(green(s), WIDTH * HEIGHT);
    assert_int_equal(counted(s, CL_INVOCATIONS), 2);
    assert_true(counted(s, CL_PRIMITIVES) >= 1);
    assert_int_equal(counted(s, PS_DEPTH), WIDTH * HEIGHT);
    streamer_destroy(s);
}

/* Each function, against what lies in front, behind, and there: 869-882, pixels that fail are not counted. */
static void depth_is_tested(void **state)
{
    static const float before[3] = {0.25f, 0.5f, 0.75f};
    static const uint8_t passes[8] = {7, 0, 4, 2, 6, 1, 5, 3}; /* bits: against each of them */
    (void)state;
    for (unsigned function = ALWAYS; function <= GEQUAL; function++)
        for (unsigned i = 0; i < 3; i++) {
            struct streamer *const s = streamer_create("snb");
            const bool lets = passes[function] >> i & 1u;
            float first;
            draw(s, &(struct scene){.topology = TRILIST,
                                    .vertices = 6,
                                    .at = half,
                                    .statistics = true,
                                    .depth = true,
                                    .depth_function = function,
                                    .depth_before = before[i]});
            assert_int_equal(green(s), lets ? WIDTH / 2 * HEIGHT : 0);
            assert_int_equal(counted(s, PS_DEPTH), lets ? WIDTH / 2 * HEIGHT : 0);
            memcpy(&first, s->memory + DEPTHS, sizeof first);
            assert_true(first == (lets ? 0.5f : before[i]));
            streamer_destroy(s);
        }
}

static const struct depths kinds[] = {{D32, false, false},   {D32, false, true},     {D32, true, false},
                                      {D24, false, false},   {D24, false, true},     {D24, true, false},
                                      {D16, false, false},   {D16, true, true},      {D24_S8, false, false},
                                      {D24_S8, true, false}, {D32_S8, false, false}, {D32_S8, true, false}};

static bool has_stencils(const struct depths *d)
{
    return d->apart || d->format == D24_S8 || d->format == D32_S8;
}

/* Of each format and in each layout: what a draw covers has the value, in the format's numbers, whatever its
 * own depth is; a resolve leaves all as it is. Neither counts what it is not told to. (SNB PRM vol 2 part 1,
 * 7.5.3 Hierarchical Depth Buffer) */
static void depth_is_cleared(void **state)
{
    enum { CLEAR = 1 << 30, RESOLVE = 1 << 28, RESOLVE_HIERARCHY = 1 << 27 };
    static const uint32_t whats[] = {CLEAR, RESOLVE, RESOLVE_HIERARCHY};
    (void)state;
    for (unsigned n = 0; n < 3 * sizeof kinds / sizeof kinds[0]; n++) {
        const struct depths *const d = &kinds[n / 3];
        struct streamer *const s = streamer_create("snb");
        const uint32_t value = depth_bits(d->format, 0.8125f);
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .depth = true,
                                .depths = d,
                                .depth_before = 0.25f,
                                .clear_value = value,
                                .wm = whats[n % 3]});
        assert_int_equal(green(s), 0);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
            const uint32_t x = i % WIDTH, y = i / WIDTH;
            assert_int_equal(depth_there(s, d, x, y), x < WIDTH / 2 && whats[n % 3] == (uint32_t)CLEAR
                                                          ? value
                                                          : depth_bits(d->format, 0.25f));
            assert_true(!has_stencils(d) || s->memory[stencil_at(d, x, y)] == 0xa5);
        }
        assert_int_equal(counted(s, PS_DEPTH), 0);
        streamer_destroy(s);
    }
}

/* Each function of a stencil test, and what is kept of each outcome; beside depths, and in a buffer of its
 * own. 869-882: who passes the depth test and fails the stencil test is not counted. */
static void stencils_are_tested(void **state)
{
    enum { KEEP, ZERO, REPLACE, INCREASE_SATURATED, DECREASE_SATURATED, INCREASE, DECREASE, INVERT };
    static const uint8_t passes[8] = {7, 0, 1, 2, 3, 4, 5, 6}, /* reference less, equal, greater */
        befores[3] = {0x35, 0x34, 0x33};
    static const uint32_t all = WIDTH / 2 * HEIGHT;
    (void)state;
    for (unsigned n = 0; n < 8 * 3 * 2 * sizeof kinds / sizeof kinds[0]; n++) {
        const struct depths *const d = &kinds[n / 48];
        const unsigned function = n / 6 % 8, which = n / 2 % 3;
        const bool depth_fails = n % 2;
        const struct stencil t = {.function = function,
                                  .fail = INVERT,
                                  .depth_fail = INCREASE,
                                  .pass = REPLACE,
                                  .reference = 0x34,
                                  .test_mask = 0x7f,
                                  .write_mask = 0xf7,
                                  .before = (uint8_t)(0x80 | befores[which])};
        if (!has_stencils(d))
            continue;
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .statistics = true,
                                .depth = true,
                                .depths = d,
                                .depth_function = depth_fails ? NEVER : ALWAYS,
                                .depth_before = 0.25f,
                                .stencil = &t});
        const bool lets = passes[function] >> which & 1u, shown = lets && !depth_fails;
        const uint8_t to = !lets         ? (uint8_t)~t.before
                           : depth_fails ? (uint8_t)(t.before + 1)
                                         : t.reference,
                      left = (uint8_t)((to & t.write_mask) | (t.before & ~t.write_mask));
        assert_int_equal(green(s), shown ? all : 0);
        assert_int_equal(counted(s, PS_DEPTH), shown ? all : 0);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
            const uint32_t x = i % WIDTH, y = i / WIDTH;
            const bool covered = x < WIDTH / 2;
            assert_int_equal(s->memory[stencil_at(d, x, y)], covered ? left : t.before);
            assert_int_equal(depth_there(s, d, x, y), depth_bits(d->format, covered && shown ? 0.5f : 0.25f));
        }
        streamer_destroy(s);
    }
}

/* Behind so many slices it is saved and loaded, and goes on. */
static struct streamer *draw_in_pieces(const struct scene *c, unsigned slices)
{
    uint32_t dws[256];
    struct streamer *const s = streamer_create("snb");
    const uint32_t count = put_scene(s, c, dws);
    ring_put(s, dws, count);
    for (unsigned i = 0; i < slices; i++)
        softgt_run(s->device, 16);
    reload(s->device);
    softgt_run(s->device, 1u << 28);
    return s;
}

/* It is cut anywhere, saved and loaded: the same pixels and counts. */
static void saved_in_the_middle(void **state)
{
    const struct scene c = {.topology = TRILIST, .vertices = 6, .at = half, .statistics = true};
    (void)state;
    for (unsigned slices = 1; slices < 24; slices += 3) {
        struct streamer *const s = draw_in_pieces(&c, slices);
        assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
        assert_int_equal(counted(s, VS_INVOCATIONS), 6);
        assert_int_equal(counted(s, PS_DEPTH), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* 833-851, 905-935: what threads of objects tell counts where its enable is set; where they write goes on
 * from one to the next, by their message or by the state's step. */
static void objects_stream_out(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 8; how++) {
        const struct told told = {.made = 5, .needed = 3, .written = 2, .steps = how & 1u};
        const bool counts = how & 2u, counts_output = how & 4u;
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .told = &told,
                                .statistics = counts,
                                .counts_output = counts_output,
                                .first = 1,
                                .most = ROOM});
        assert_int_equal(green(s), 0);
        assert_memory_equal(s->memory + WRITTEN + 16, half, sizeof half);
        assert_int_equal(counted(s, GS_INVOCATIONS), counts ? 2 : 0);
        assert_int_equal(counted(s, GS_PRIMITIVES), counts ? 10 : 0);
        assert_int_equal(counted(s, SO_NEEDED), counts_output && !told.steps ? 6 : 0);
        assert_int_equal(counted(s, SO_WRITTEN), counts_output && !told.steps ? 4 : 0);
        assert_int_equal(counted(s, CL_INVOCATIONS), 0);
        assert_int_equal(counted(s, PS_DEPTH), 0);
        streamer_destroy(s);
    }
}

/* 833-851: what a thread makes of its object comes to the clipper as the primitives that it tells of each
 * vertex, and is counted there. Of every other triangle of a strip it has the vertices as they lie, and is
 * told so. */
static const float corners[4][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}},
                   around[4][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {0, 1, 0.5f, 1}, {-1, 1, 0.5f, 1}};
static const float rectangle[4][4] = {{0, 1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {-1, -1, 0.5f, 1}, {0, 0, 0, 1}};
static const struct rendered {
    struct told told;
    const float (*at)[4];
    unsigned entering; /* objects that enter the clipper of each */
    unsigned drawn;    /* pixels, in halves of the square; 0: of points and lines */
} rendered[] = {
    {{.topology = 5, .ends = 8}, corners, 2, 2},  /* a strip */
    {{.topology = 13, .ends = 8}, corners, 2, 2}, /* one whose first triangle is the other way round */
    {{.topology = 5, .ends = 12}, corners, 1, 1}, /* two, of which one is none */
    {{.topology = 6, .ends = 8}, around, 2, 2},   /* a fan */
    {{.topology = 14, .ends = 8}, around, 2, 2},  /* a polygon */
    {{.topology = 4, .ends = 4}, corners, 1, 1},  /* a triangle, and what is no triangle */
    {{.topology = 15, .ends = 4}, rectangle, 1, 2}, {{.topology = 1, .ends = 15}, corners, 4, 0},
    {{.topology = 2, .ends = 10}, corners, 2, 0},   {{.topology = 3, .ends = 8}, corners, 3, 0},
    {{.topology = 3, .ends = 0}, corners, 3, 0}, /* it ends with the thread */
    {{.topology = 30, .ends = 8}, corners, 0, 0},
};

static void objects_are_rendered(void **state)
{
    enum { LINELIST_ADJ = 9, MOST = sizeof rendered / sizeof rendered[0], SQUARE = WIDTH / 2 * HEIGHT };
    (void)state;
    for (unsigned n = 0; n < MOST * 4; n++) {
        const struct rendered *const r = &rendered[n / 4];
        const bool counts = n & 2u, solid = r->drawn == 2 || (r->drawn && r->entering);
        struct told told = r->told;
        told.renders = true;
        told.vertices = 4;
        told.made = 7;
        told.interleaved = n & 1u;
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = LINELIST_ADJ,
                                .vertices = 4,
                                .at = r->at,
                                .told = &told,
                                .clips = true,
                                .statistics = counts});
        const unsigned shown = green(s);
        if (r->drawn == 2)
            assert_int_equal(shown, SQUARE);
        else if (solid)
            assert_in_range(shown, SQUARE / 2 - HEIGHT, SQUARE / 2 + HEIGHT);
        else if (!r->entering)
            assert_int_equal(shown, 0);
        assert_int_equal(counted(s, IA_VERTICES), counts ? 4 : 0);
        assert_int_equal(counted(s, IA_PRIMITIVES), counts ? 1 : 0);
        assert_int_equal(counted(s, GS_INVOCATIONS), counts ? 1 : 0);
        assert_int_equal(counted(s, GS_PRIMITIVES), counts ? 7 : 0);
        assert_int_equal(counted(s, CL_INVOCATIONS), counts ? r->entering : 0);
        assert_int_equal(counted(s, CL_PRIMITIVES), counts ? r->entering : 0);
        if (r->drawn || !counts) /* lines may share pixels */
            assert_int_equal(counted(s, PS_DEPTH), counts ? shown : 0);
        streamer_destroy(s);
    }
}

/* A thread makes 256 vertices at most here: of more it is told, and the ring goes on. */
static void vertices_without_end(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        const struct told told = {.renders = true, .topology = 1, .made = 1, .empty = 256 + more};
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 3,
                                .at = half,
                                .told = &told,
                                .clips = true,
                                .statistics = true});
        assert_int_equal(counted(s, CL_INVOCATIONS), more ? 0 : 256);
        draw(s, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
        assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* The same of many objects, cut anywhere, saved and loaded: what is made is all drawn, once. */
static void rendered_in_pieces(void **state)
{
    static const struct told told = {
        .renders = true, .vertices = 3, .topology = TRILIST, .ends = 4, .made = 1};
    const struct scene c = {
        .topology = TRILIST, .vertices = 6, .at = half, .statistics = true, .clips = true, .told = &told};
    (void)state;
    for (unsigned slices = 1; slices < 160; slices += 3) {
        struct streamer *const s = draw_in_pieces(&c, slices);
        assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
        assert_int_equal(counted(s, GS_INVOCATIONS), 2);
        assert_int_equal(counted(s, GS_PRIMITIVES), 2);
        assert_int_equal(counted(s, CL_INVOCATIONS), 2);
        assert_int_equal(counted(s, PS_DEPTH), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

static void strips_of_objects(void **state)
{
    enum { TRISTRIP = 5, REVERSED = 13 };
    static const uint8_t straight[6] = {0, 1, 2, 1, 2, 3}, reordered[6] = {0, 1, 2, 1, 3, 2};
    (void)state;
    for (unsigned how = 0; how < 2; how++) {
        const struct told told = {.made = 1, .tells_names = true, .reorders = how};
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){
                    .topology = TRISTRIP, .vertices = 4, .at = corners, .told = &told, .most = ROOM});
        for (unsigned i = 0; i < 6; i++) {
            float at[3];
            uint32_t name;
            memcpy(at, s->memory + WRITTEN + i * 16, sizeof at);
            memcpy(&name, s->memory + WRITTEN + i * 16 + 12, sizeof name);
            assert_memory_equal(at, corners[how ? reordered[i] : straight[i]], sizeof at);
            assert_int_equal(name, i >= 3 && !how ? REVERSED : TRISTRIP);
        }
        streamer_destroy(s);
    }
}

/* Messages to the sampler as Gen6 has them: parameters behind four coordinates, levels in 64ths, modes in the
 * state's second dword, borders behind one in 8 bits. (SNB PRM vol 4 part 1) */
static void texels_are_sampled(void **state)
{
    enum { PLAIN, LEVEL = 2, COMPARED, GRADIENTS, LOADED = 7, GATHERED };
    enum {
        MIPS = 1 << 20,
        MOST = 0x3ffu << 12,
        CLAMPED = 2 << 3 | 2 << 6,
        BORDERED = 4 << 3 | 4 << 6,
        LINEAR = 1 << 17 | 1 << 14
    };
    enum { UNNORMALIZED = 1 };
    static const struct looks cases[] = {
        {PLAIN, 2, {0.375f, 0.625f}, false, {0, CLAMPED, 0, 0}, 0xff008040},
        {PLAIN, 2, {1.375f, -0.375f}, false, {0, 0, 0, 0}, 0xff008040}, /* it wraps */
        {PLAIN, 2, {1.5f, -0.5f}, false, {0, CLAMPED, 0, 0}, 0xff0000c0},
        {PLAIN, 2, {1.5f, 0.5f}, false, {0, BORDERED, 0, 0}, 0xff00ff00},
        {PLAIN, 2, {0.5f, 0.625f}, false, {LINEAR, CLAMPED, 0, 0}, 0xff008060}, /* between two */
        {PLAIN, 2, {3, 1}, false, {0, CLAMPED, 0, UNNORMALIZED}, 0xff0040c0},
        {LEVEL, 5, {0.75f, 0.25f, 0, 0, 1}, false, {MIPS, CLAMPED | MOST, 0, 0}, 0xff010040},
        {LEVEL, 5, {0.75f, 0.25f, 0, 0, 2}, false, {MIPS, CLAMPED | MOST, 0, 0}, 0xff020000},
        {LEVEL, 5, {0.75f, 0.75f, 0, 0, 2}, false, {MIPS, CLAMPED | 64 << 12, 0, 0}, 0xff014040}, /* at most 1
                                                                                                   */
        {LEVEL,
         5,
         {0.75f, 0.75f, 0, 0, 0},
         false,
         {MIPS, (uint32_t)CLAMPED | MOST | 64u << 22, 0, 0},
         0xff014040},
        {LEVEL,
         5,
         {0.75f, 0.75f, 0, 0, 0},
         false,
         {MIPS | 64 << 3, CLAMPED | MOST, 0, 0},
         0xff014040}, /* a bias of 1 */
        {GRADIENTS, 6, {0.75f, 0.75f, 0, 0, 0.5f, 0}, false, {MIPS, CLAMPED | MOST, 0, 0}, 0xff014040},
        {COMPARED, 5, {0.625f, 0.5f, 0, 0, 0.25f}, false, {2, CLAMPED, 0, 0}, 0xff0080ff}, /* less: 0 */
        {COMPARED, 5, {0.625f, 0.5f, 0, 0, 0.75f}, false, {2, CLAMPED, 0, 0}, 0xff008000},
        {GATHERED, 2, {0.5f, 0.5f}, false, {0, CLAMPED, 0, 0}, 0x40808040},
        {LOADED, 4, {2, 3, 0, 0}, true, {0, 0, 0, 0}, 0xff00c080},
        {LOADED, 4, {1, 1, 0, 1}, true, {0, 0, 0, 0}, 0xff014040},
        {LOADED, 4, {4, 1, 0, 0}, true, {0, 0, 0, 0}, 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){
                    .topology = TRILIST, .vertices = 6, .at = half, .statistics = true, .looks = &cases[i]});
        assert_int_equal(colored(s, cases[i].color), WIDTH / 2 * HEIGHT);
        assert_int_equal(counted(s, PS_DEPTH), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* 780-817: an index that cuts is no vertex, and begins the next strip. */
static void indices_cut(void **state)
{
    enum { TRISTRIP = 5, CUT = 0xffff };
    static const uint16_t whole[7] = {0, 1, 2, 3, 3, 3, 3}, cut[7] = {0, 1, 2, CUT, 1, 2, 3},
                          none[7] = {0, 1, CUT, 2, 3, CUT, 0};
    static const float at[7][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}};
    static const struct {
        const uint16_t *indices;
        unsigned vertices, primitives, pixels;
    } cases[] = {{whole, 7, 5, WIDTH / 2 * HEIGHT}, {cut, 6, 2, WIDTH / 2 * HEIGHT}, {none, 5, 0, 0}};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRISTRIP,
                                .vertices = 7,
                                .at = at,
                                .indices = cases[i].indices,
                                .clips = true,
                                .statistics = true});
        assert_int_equal(green(s), cases[i].pixels);
        assert_int_equal(counted(s, IA_VERTICES), cases[i].vertices);
        assert_int_equal(counted(s, IA_PRIMITIVES), cases[i].primitives);
        assert_int_equal(counted(s, CL_INVOCATIONS), cases[i].primitives);
        assert_int_equal(counted(s, PS_DEPTH), cases[i].pixels);
        streamer_destroy(s);
    }
}

/* Distances of a vertex, here its color: that of 0 and of 2 are zero, 1 and 3 are 1. One that is negative at
 * all corners culls; the state of the clipper says which count. (SNB PRM vol 2 part 1, 3DSTATE_CLIP) */
static void distances_clip(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .clips = true,
                                .statistics = true,
                                .clip_distances = how ? 1u << 1 : 0,
                                .green = how == 2 ? -1 : 1});
        assert_int_equal(counted(s, CL_PRIMITIVES), how == 2 ? 0 : 2);
        assert_int_equal(counted(s, PS_DEPTH), how == 2 ? 0 : WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* Behind a buffer nothing is written. */
static void buffers_end(void **state)
{
    const struct told told = {.made = 1};
    struct streamer *const s = streamer_create("snb");
    static const uint8_t zeros[8 * 16];
    (void)state;
    draw(s, &(struct scene){.topology = TRILIST,
                            .vertices = 6,
                            .at = half,
                            .told = &told,
                            .first = ROOM - 2,
                            .most = ROOM + 4});
    assert_memory_equal(s->memory + WRITTEN + (ROOM - 2) * 16, half, 2 * 16);
    assert_memory_equal(s->memory + WRITTEN + ROOM * 16, zeros, sizeof zeros);
    streamer_destroy(s);
}

/* The A counters of a report, when all that was done is told. (3040-3080; 1211-1247 for where they are) */
static void read_counters(struct streamer *s, uint32_t a[29])
{
    enum { REPORT = 0x1f0000, REPORT_PERF_COUNT = 0x28 << 23 | 1, GGTT = 1 };
    softgt_advance(s->device, UINT64_C(1000000000));
    ring_run(s, (const uint32_t[]){REPORT_PERF_COUNT, REPORT | GGTT, 1, MI_NOOP}, 4);
    for (unsigned n = 0; n < 29; n++) {
        const unsigned line = (n + 3u) / 8u,
                       end = line ? 4u : 7u; /* five, then eight each, the last one first */
        memcpy(&a[n], s->memory + REPORT + line * 32u + (line * 8u + end - n) * 4u, 4);
    }
}

static void performance_counters(void **state)
{
    enum { OACONTROL = 0x2360, ALL_A = 1 << 2, ENABLE = 1, PIXELS = WIDTH / 2 * HEIGHT };
    const struct told told = {.made = 1};
    (void)state;
    for (unsigned how = 0; how < 5; how++) {
        struct streamer *const s = streamer_create("snb");
        const bool enabled = how < 4, fails = how == 1 || how == 2, streams = how == 3;
        uint32_t a[29];
        register_put(s, OACONTROL, ALL_A | (enabled ? ENABLE : 0));
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .statistics = true,
                                .depth = true,
                                .depth_function = fails ? 2 : 0,
                                .depth_before = 0.25f,
                                .told = streams ? &told : NULL});
        register_put(s, OACONTROL, ALL_A | ENABLE);
        read_counters(s, a);
        const bool shades = enabled && !fails && !streams;
        assert_int_equal(a[2] != 0, enabled);
        assert_int_equal(a[6] != 0, streams);
        assert_int_equal(a[9] != 0, streams);
        assert_int_equal(a[11] != 0, shades);
        assert_int_equal(a[14] != 0, shades);
        assert_int_equal(a[0], a[2] + a[6] + a[11]);
        assert_int_equal(a[16], shades ? PIXELS : 0);
        assert_int_equal(a[17], enabled && fails ? PIXELS : 0);
        assert_int_equal(a[24], shades ? PIXELS : 0);
        for (unsigned n = 18; n < 24; n++)
            assert_int_equal(a[n], 0);
        streamer_destroy(s);
    }
}

/* A16 to A24: pixels by what tests and the shader say of each, as far as a test is enabled: stencils before
 * depths, alpha before both. Those of which it is not known before the shader are tested behind it. */
static void tests_are_counted(void **state)
{
    enum { OACONTROL = 0x2360, ALL_A = 1 << 2, ENABLE = 1, ALL = WIDTH / 2 * HEIGHT, REPLACE = 2 };
    static const struct depths apart = {D24, false, true}, among = {D24_S8, false, false};
    static const struct alpha lets = {LEQUAL, 1, false}, stops = {GREATER, 255, true},
                              lets_steps = {GEQUAL, 255, true}, stops_too = {LESS, 1, false};
    static const struct {
        const struct alpha *alpha;
        uint32_t kills;
        uint8_t stencil,
            depth; /* 0: not enabled; functions, of a stencil that is equal and a depth in front */
        uint8_t count[9], shown; /* A16 to A24, in quarters of what is covered */
    } cases[] = {
        {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, 0, LESS, {4, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, 0, GREATER, {0, 4, 0, 0, 0, 0, 0, 0, 0}, 0},
        {NULL, 0, EQUAL, 0, {0, 0, 4, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, EQUAL, LESS, {4, 0, 4, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, EQUAL, GREATER, {0, 4, 4, 0, 0, 0, 0, 0, 0}, 0},
        {NULL, 0, NOTEQUAL, LESS, {0, 0, 0, 4, 0, 0, 0, 0, 0}, 0},
        {&lets, 0, EQUAL, LESS, {0, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {&lets_steps, 0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {&stops, 0, EQUAL, LESS, {0, 0, 0, 0, 0, 4, 0, 0, 0}, 0},
        {&stops_too, 0, 0, 0, {0, 0, 0, 0, 0, 4, 0, 0, 0}, 0},
        {&lets, 0, NOTEQUAL, LESS, {0, 0, 0, 0, 0, 0, 4, 0, 0}, 0},
        {&lets, 0, EQUAL, GREATER, {0, 0, 0, 0, 0, 0, 0, 4, 0}, 0},
        {NULL, 0x1111, 0, 0, {0, 0, 0, 0, 1, 0, 0, 0, 3}, 3},
        {NULL, 0x7777, EQUAL, LESS, {0, 0, 0, 0, 3, 0, 0, 0, 1}, 1},
        {NULL, 0x1111, EQUAL, GREATER, {0, 0, 0, 0, 1, 0, 0, 3, 0}, 0},
        {NULL, 0x1111, NOTEQUAL, 0, {0, 0, 0, 0, 1, 0, 3, 0, 0}, 0},
        {&stops, 0x1111, EQUAL, LESS, {0, 0, 0, 0, 1, 3, 0, 0, 0}, 0},
    };
    (void)state;
    for (unsigned n = 0; n < 2 * sizeof cases / sizeof cases[0]; n++) {
        const unsigned i = n / 2;
        const struct stencil t = {.function = cases[i].stencil,
                                  .pass = REPLACE,
                                  .reference = 7,
                                  .test_mask = 0xff,
                                  .write_mask = 0xff,
                                  .before = 7};
        struct streamer *const s = streamer_create("snb");
        uint32_t a[29];
        register_put(s, OACONTROL, ALL_A | ENABLE);
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .statistics = true,
                                .depth = cases[i].depth || cases[i].stencil,
                                .depths = n % 2 ? &apart : &among,
                                .no_depth_test = !cases[i].depth,
                                .depth_function = cases[i].depth,
                                .depth_before = 0.75f,
                                .stencil = cases[i].stencil ? &t : NULL,
                                .alpha = cases[i].alpha,
                                .kills = cases[i].kills});
        read_counters(s, a);
        for (unsigned c = 0; c < 9; c++)
            assert_int_equal(a[16 + c], cases[i].count[c] * ALL / 4);
        assert_int_equal(green(s), cases[i].shown * ALL / 4);
        assert_int_equal(counted(s, PS_DEPTH), cases[i].shown * ALL / 4);
        streamer_destroy(s);
    }
}

/* A26 and A27: clocks of the clipper, which takes none where it lets all pass, and of what is behind it: as
 * many as primitives that leave it. Nothing stalls: A1, A3 to A5, A7, A8, A10, A12, A13, A15. */
static void fixed_functions_count(void **state)
{
    enum { OACONTROL = 0x2360, ALL_A = 1 << 2, ENABLE = 1 };
    static const float outside[3][4] = {{2, -1, 0.5f, 1}, {4, -1, 0.5f, 1}, {2, 1, 0.5f, 1}};
    static const uint8_t stalls[] = {1, 3, 4, 5, 7, 8, 10, 12, 13, 15};
    static const struct told renders = {
        .renders = true, .vertices = 3, .topology = TRILIST, .ends = 4, .made = 1};
    static const struct {
        const float (*at)[4];
        const struct told *told;
        uint32_t vertices, clipper, setup;
        bool clips, enabled;
    } cases[] = {{half, NULL, 6, 2, 2, true, true},
                 {half, NULL, 6, 0, 2, false, true},
                 {outside, NULL, 3, 1, 0, true, true},
                 {half, &renders, 6, 2, 2, true, true},
                 {half, NULL, 6, 0, 0, true, false}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *const s = streamer_create("snb");
        uint32_t a[29];
        register_put(s, OACONTROL, ALL_A | (cases[i].enabled ? ENABLE : 0));
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = cases[i].vertices,
                                .at = cases[i].at,
                                .told = cases[i].told,
                                .clips = cases[i].clips});
        register_put(s, OACONTROL, ALL_A | ENABLE);
        read_counters(s, a);
        assert_int_equal(a[26], cases[i].clipper);
        assert_int_equal(a[27], cases[i].setup);
        assert_int_equal(a[6] != 0, cases[i].told != NULL);
        for (unsigned n = 0; n < sizeof stalls; n++)
            assert_int_equal(a[stalls[n]], 0);
        streamer_destroy(s);
    }
}

/* State, kernels and structures with bits turned: it may draw anything, or hang; no more. */
static void hostile_draws(void **state)
{
    enum { ROUNDS = 512 };
    static const uint32_t places[] = {
        KERNELS,           KERNELS + PIXEL_KERNEL, KERNELS + OBJECT_KERNEL, DYNAMIC + VIEWPORT,
        DYNAMIC + TESTS,   SURFACES + STATE,       SURFACES + TABLE,        SURFACES + TEXTURE_STATE,
        DYNAMIC + SAMPLER, DYNAMIC + COLORS,       DYNAMIC + BLENDING,      SURFACES + BUFFER_STATE,
        VERTICES};
    const struct told streams = {.made = 1, .needed = 1, .written = 1, .steps = true},
                      renders = {.renders = true, .vertices = 3, .topology = 5, .ends = 4, .made = 1};
    static const uint16_t indices[6] = {0, 1, 2, 0xffff, 1, 2};
    static const struct stencil test = {.function = EQUAL, .pass = 5, .test_mask = 0xff, .write_mask = 0xff};
    static const struct alpha alpha = {LEQUAL, 1, false};
    static const struct looks looks = {
        2, 5, {0.75f, 0.25f, 0, 0, 1}, false, {1 << 20 | 1 << 17, 0x3ff << 12, 0, 0}, 0};
    struct streamer *const s = streamer_create("snb");
    uint64_t seed = 6;
    unsigned drawn = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t dws[256];
        streamer_start(s, 0);
        const uint32_t count = put_scene(s,
                                         &(struct scene){.topology = TRILIST,
                                                         .vertices = 6,
                                                         .at = half,
                                                         .statistics = true,
                                                         .clips = round & 1u,
                                                         .depth = round & 2u,
                                                         .told = round & 8u   ? &renders
                                                                 : round & 4u ? &streams
                                                                              : NULL,
                                                         .indices = round & 16u ? indices : NULL,
                                                         .depths = round & 32u ? &kinds[round % 12u] : NULL,
                                                         .stencil = round & 64u ? &test : NULL,
                                                         .alpha = round & 128u ? &alpha : NULL,
                                                         .looks = round & 256u ? &looks : NULL,
                                                         .most = ROOM},
                                         dws);
        for (unsigned i = 0; i < 1u + round % 6u; i++) {
            const uint32_t which = (uint32_t)random_next(&seed) % count;
            if (dws[which] >> 29 != 3 && which > 9) /* headers stay */
                dws[which] ^= 1u << random_next(&seed) % 32u;
        }
        for (unsigned i = 0; i < round % 4u; i++) {
            const uint32_t at = places[random_next(&seed) % (sizeof places / sizeof places[0])] +
                                (uint32_t)random_next(&seed) % 24u * 4u;
            uint32_t dw;
            memcpy(&dw, s->memory + at, sizeof dw);
            dword_put(s, at, dw ^ 1u << random_next(&seed) % 32u);
        }
        ring_put(s, dws, count);
        for (unsigned i = 0; i < 40; i++)
            softgt_run(s->device, 1u << 14);
        drawn += counted(s, PS_DEPTH) || counted(s, GS_PRIMITIVES);
    }
    assert_true(drawn > ROUNDS / 4);
    streamer_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_the_shaders),
        cmocka_unit_test(statistics_count),
        cmocka_unit_test(each_has_its_enable),
        cmocka_unit_test(clipped_primitives),
        cmocka_unit_test(depth_is_tested),
        cmocka_unit_test(depth_is_cleared),
        cmocka_unit_test(stencils_are_tested),
        cmocka_unit_test(saved_in_the_middle),
        cmocka_unit_test(objects_stream_out),
        cmocka_unit_test(objects_are_rendered),
        cmocka_unit_test(rendered_in_pieces),
        cmocka_unit_test(vertices_without_end),
        cmocka_unit_test(strips_of_objects),
        cmocka_unit_test(texels_are_sampled),
        cmocka_unit_test(indices_cut),
        cmocka_unit_test(distances_clip),
        cmocka_unit_test(buffers_end),
        cmocka_unit_test(performance_counters),
        cmocka_unit_test(tests_are_counted),
        cmocka_unit_test(fixed_functions_count),
        cmocka_unit_test(hostile_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
