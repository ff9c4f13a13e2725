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
#include "words.h"

/* Addresses; offsets from the bases of kernels, of dynamic state, of surface states. */
enum {
    KERNELS = 1024 << 10,
    PIXEL_KERNEL = 4 << 10,
    OBJECT_KERNEL = 8 << 10,
    DYNAMIC = 1088 << 10,
    VIEWPORT = 256,
    DEPTH_RANGE = 512,
    BLENDING = 768,
    TESTS = 1024,
    COLORS = 1280,
    SAMPLER = 1536,
    BORDER = 1664,
    SURFACES = 1152 << 10,
    TABLE = 64,
    STATE = 256,
    BUFFER_STATE = 288,
    TEXTURE_STATE = 320,
    VERTICES = 1216 << 10,
    TARGET = 1280 << 10,
    DEPTHS = 1536 << 10,
    STENCILS = 1600 << 10,
    INDICES = 1664 << 10,
    TEXTURE = 1728 << 10,
    WRITTEN = 1792 << 10
};
enum {
    WIDTH = 32,
    HEIGHT = 32,
    PITCH = WIDTH * 4,
    DEPTH_PITCH = 128,
    ROOM = 16, /* vertices */
    MOST_DW = 256
};

/* Pixels of R8G8B8A8_UNORM: what is drawn, and what was there. */
#define RGBA(r, g, b, a) ((r) | (g) << 8 | (b) << 16 | (uint32_t)(a) << 24)
#define GREEN            RGBA(0, 255, 0, 255)
#define BACKGROUND       RGBA(85, 85, 85, 85)

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
        put(&k, 3, 7, -1, 0, UINT16_MAX & ~kills);
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
    bool continues;    /* the first vertex begins no primitive */
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
    bool begins = !t->continues;
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

static inline void put_floats(struct streamer *s, uint32_t at, const float *values, unsigned count)
{
    memcpy(s->memory + at, values, count * sizeof *values);
}

/* Four by four texels, rows one behind the other; then two levels: two by two, and one beside their first.
 * The color of a texel is its place. (SNB PRM vol 1 part 1, Surface Layout) */
static inline uint32_t texel_of(uint32_t level, uint32_t x, uint32_t y)
{
    return RGBA(x * 64, y * 64, level, 255);
}

static inline void put_texture(struct streamer *s, const struct looks *l)
{
    enum { TEXTURE_PITCH = 32 };
    static const float border[4] = {0, 1, 0, 1};
    for (unsigned i = 0; i < 16; i++)
        dword_put(s, TEXTURE + i / 4 * TEXTURE_PITCH + i % 4 * 4, texel_of(0, i % 4, i / 4));
    for (unsigned i = 0; i < 4; i++)
        dword_put(s, TEXTURE + (4 + i / 2) * TEXTURE_PITCH + i % 2 * 4, texel_of(1, i % 2, i / 2));
    dword_put(s, TEXTURE + 4 * TEXTURE_PITCH + 4 * 4, texel_of(2, 0, 0));
    dword_put(s, SURFACES + TABLE + 8, TEXTURE_STATE);
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + TEXTURE_STATE),
                  {"Surface Type", .value_name = "SURFTYPE_2D"},
                  {"Surface Format", .value_name = "R8G8B8A8_UNORM"}, {"Surface Base Address", TEXTURE},
                  {"Width", 3}, {"Height", 3}, {"MIP Count / LOD", 2}, {"Surface Pitch", TEXTURE_PITCH - 1});
    for (unsigned i = 0; i < 4; i++)
        dword_put(s, DYNAMIC + SAMPLER + i * 4, l->state[i]);
    dword_put(s, DYNAMIC + SAMPLER + 8, l->state[2] | BORDER);
    dword_put(s, DYNAMIC + BORDER, RGBA(120, 86, 52, 18)); /* not the one that is used */
    put_floats(s, DYNAMIC + BORDER + 4, border, 4);
}

static inline void put_memory(struct streamer *s, const struct scene *c)
{
    static const float matrix[6] = {WIDTH / 2, -HEIGHT / 2, 1, WIDTH / 2, HEIGHT / 2, 0}, range[2] = {0, 1};
    const float color[4] = {0, c->green != 0 ? c->green : 1, 0, 1};
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
    const bool tests = c->depth && !c->no_depth_test;
    STRUCTURE_PUT(s->device, "DEPTH_STENCIL_STATE", dwords_at(s, DYNAMIC + TESTS),
                  {"Depth Test Enable", tests}, {"Depth Test Function", tests ? c->depth_function : 0},
                  {"Depth Buffer Write Enable", tests});
    dword_put(s, SURFACES + TABLE, STATE);
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATE),
                  {"Surface Type", .value_name = "SURFTYPE_2D"},
                  {"Surface Format", .value_name = "R8G8B8A8_UNORM"}, {"Surface Base Address", TARGET},
                  {"Width", WIDTH - 1}, {"Height", HEIGHT - 1}, {"Surface Pitch", PITCH - 1});
    dword_put(s, SURFACES + TABLE + 4, BUFFER_STATE);
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + BUFFER_STATE),
                  {"Surface Type", .value_name = "SURFTYPE_BUFFER"}, {"Surface Base Address", WRITTEN},
                  {"Width", ROOM - 1}, {"Surface Pitch", 16 - 1});
    memset(s->memory + WRITTEN, 0, (ROOM + 8) * 16);
    if (c->told && c->told->renders)
        put_rendering_kernel(s, c->told);
    else if (c->told)
        put_object_kernel(s, c->told);
    if (c->indices)
        memcpy(s->memory + INDICES, c->indices, c->vertices * sizeof *c->indices);
    memset(s->memory + TARGET, (uint8_t)BACKGROUND, PITCH * HEIGHT);
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
        STRUCTURE_CHANGE(s->device, "DEPTH_STENCIL_STATE", dwords_at(s, DYNAMIC + TESTS),
                         {"Stencil Test Enable", 1}, {"Stencil Test Function", t->function},
                         {"Stencil Fail Op", t->fail}, {"Stencil Pass Depth Fail Op", t->depth_fail},
                         {"Stencil Pass Depth Pass Op", t->pass}, {"Stencil Buffer Write Enable", 1},
                         {"Stencil Test Mask", t->test_mask}, {"Stencil Write Mask", t->write_mask});
        STRUCTURE_CHANGE(s->device, "COLOR_CALC_STATE", dwords_at(s, DYNAMIC + COLORS),
                         {"Stencil Reference Value", t->reference});
    }
    for (unsigned i = 0; c->depths && i < WIDTH * HEIGHT; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH, bits = depth_bits(c->depths->format, c->depth_before);
        memcpy(s->memory + depth_at(c->depths, x, y), &bits, c->depths->format == D16 ? 2 : 4);
        if (c->depths->apart || c->depths->format == D24_S8 || c->depths->format == D32_S8)
            s->memory[stencil_at(c->depths, x, y)] = c->stencil ? c->stencil->before : 165;
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

/* Shaders of vertices and of objects, clipper, setup, windower. */
static inline void put_stages(struct streamer *s, const struct scene *c, uint32_t **to)
{
    const uint32_t clips = c->clips, clip_distances = c->clips ? c->clip_distances : 0;
    commands_put(s->device, 0, to,
                 "3DSTATE_URB vs_number_of_urb_entries = 24\n"
                 "3DSTATE_VS vertex_urb_entry_read_length = 2, dispatch_grf_start_register_for_urb_data = 1,"
                 " enable, statistics_enable = %u\n",
                 counts_in(c, OF_VS));
    if (c->told) {
        const bool steps = c->told->steps;
        commands_put(s->device, 0, to,
                     "3DSTATE_GS kernel_start_pointer = %u, vertex_urb_entry_read_length = 2,"
                     " dispatch_grf_start_register_for_urb_data = %u, statistics_enable = %u,"
                     " so_statistics_enable = %u, rendering_enabled = %u, enable, reorder_mode = %u,"
                     " svbi_payload_enable = %u, svbi_post_increment_enable = %u,"
                     " svbi_post_increment_value = %u\n"
                     "3DSTATE_GS_SVB_INDEX streamed_vertex_buffer_index = %u, maximum_index = %u",
                     OBJECT_KERNEL, steps ? 2 : 1, counts_in(c, OF_GS), c->counts_output, c->told->renders,
                     c->told->reorders, steps, steps, steps ? 3 : 0, c->first, c->most);
    } else {
        commands_put(s->device, 0, to, "3DSTATE_GS");
    }
    commands_put(s->device, 0, to,
                 "3DSTATE_CLIP statistics_enable = %u, clip_enable = %u, api_mode = %u,"
                 " viewport_xy_clip_test_enable = %u, viewport_z_clip_test_enable = %u,"
                 " user_clip_distance_clip_test_enable_bitmask = %u\n"
                 "3DSTATE_SF number_of_sf_output_attributes = 1, vertex_urb_entry_read_length = 1,"
                 " vertex_urb_entry_read_offset = 1, viewport_transform_enable, statistics_enable = %u,"
                 " cull_mode = none, constant_interpolation_enable = 1\n"
                 "3DSTATE_WM kernel_start_pointer_0 = %u, dw4 = %u,"
                 " dispatch_grf_start_register_for_constant_setup_data_0 = 6, statistics_enable = %u,"
                 " 16_pixel_dispatch_enable = %u, thread_dispatch_enable = %u, pixel_shader_kills_pixel = %u,"
                 " number_of_sf_output_attributes = 1\n"
                 "3DSTATE_CLEAR_PARAMS depth_clear_value_valid, depth_clear_value = %u\n"
                 "3DSTATE_SAMPLE_MASK sample_mask = 1\n"
                 "3DSTATE_MULTISAMPLE",
                 counts_in(c, OF_CLIP), clips, clips, clips, clips, clip_distances, counts_in(c, OF_SF),
                 PIXEL_KERNEL, c->wm, counts_in(c, OF_WM), !c->wm, !c->wm, !c->wm && c->kills,
                 c->clear_value);
}

static inline void put_depth_buffer(struct streamer *s, const struct scene *c, uint32_t **to)
{
    const struct depths plain = {.format = D32}, *const d = c->depths ? c->depths : &plain;
    if (c->depth || c->depths)
        commands_put(s->device, 0, to,
                     "3DSTATE_DEPTH_BUFFER surface_type = surftype_2d, tiled_surface = %u, tile_walk = %u,"
                     " separate_stencil_buffer_enable = %u, surface_format = %u, surface_pitch = %u,"
                     " surface_base_address = %u, width = %u, height = %u",
                     !d->linear, !d->linear, d->apart, d->format,
                     (bytes_of(d->format) == 8 ? 256 : DEPTH_PITCH) - 1, c->depth ? DEPTHS : 0,
                     c->depth ? WIDTH - 1 : 0, c->depth ? HEIGHT - 1 : 0);
    else
        commands_put(s->device, 0, to, "3DSTATE_DEPTH_BUFFER surface_type = surftype_null");
    if (c->depths)
        commands_put(s->device, 0, to,
                     "3DSTATE_STENCIL_BUFFER surface_pitch = 127, surface_base_address = %u", STENCILS);
}

static inline uint32_t put_scene(struct streamer *s, const struct scene *c, uint32_t dws[MOST_DW])
{
    enum { VERTEX_BYTES = 32 };
    uint32_t *to = dws;
    put_memory(s, c);
    commands_put(s->device, 0, &to, GEN6_STATE_BASE_ADDRESS, SURFACES, DYNAMIC, KERNELS);
    put_stages(s, c, &to);
    commands_put(s->device, 0, &to,
                 "3DSTATE_VIEWPORT_STATE_POINTERS sf_viewport_state_change, cc_viewport_state_change,"
                 " clip_viewport_state_change, pointer_to_sf_viewport = %u, pointer_to_cc_viewport = %u\n"
                 "3DSTATE_CC_STATE_POINTERS blend_state_change, pointer_to_blend_state = %u,"
                 " depth_stencil_state_change, pointer_to_depth_stencil_state = %u,"
                 " color_calc_state_pointer_valid, color_calc_state_pointer = %u\n"
                 "3DSTATE_BINDING_TABLE_POINTERS vs_binding_table_change, gs_binding_table_change,"
                 " ps_binding_table_change, pointer_to_gs_binding_table = %u,"
                 " pointer_to_ps_binding_table = %u\n"
                 "3DSTATE_SAMPLER_STATE_POINTERS ps_sampler_state_change, pointer_to_ps_sampler_state = %u\n"
                 "3DSTATE_DRAWING_RECTANGLE clipped_drawing_rectangle_x_max = %u,"
                 " clipped_drawing_rectangle_y_max = %u",
                 VIEWPORT, DEPTH_RANGE, BLENDING, TESTS, COLORS, TABLE, TABLE, SAMPLER, WIDTH - 1,
                 HEIGHT - 1);
    put_depth_buffer(s, c, &to);
    commands_put(s->device, 0, &to,
                 "3DSTATE_VERTEX_BUFFERS { vertex_buffer_state_buffer_pitch = %u,"
                 " vertex_buffer_state_buffer_starting_address = %u, vertex_buffer_state_end_address = %u }\n"
                 "3DSTATE_VERTEX_ELEMENTS"
                 " { 0, 0, r32g32b32a32_float, 1, 0, store_0, store_0, store_0, store_0 }," /* header */
                 " { 0, 0, r32g32b32a32_float, 1, 0, store_src, store_src, store_src, store_src },"
                 " { 16, 0, r32g32b32a32_float, 1, 0, store_src, store_src, store_src, store_src }\n"
                 "3DSTATE_VF_STATISTICS statistics_enable = %u",
                 VERTEX_BYTES, VERTICES, VERTICES + c->vertices * VERTEX_BYTES - 1, counts_in(c, OF_VF));
    if (c->indices)
        commands_put(s->device, 0, &to,
                     "3DSTATE_INDEX_BUFFER cut_index_enable, index_format = word,"
                     " buffer_starting_address = %u, buffer_ending_address = %u",
                     INDICES, INDICES + c->vertices * 2 - 1);
    commands_put(s->device, 0, &to,
                 "3DPRIMITIVE primitive_topology_type = %u, vertex_access_type = %u,"
                 " vertex_count_per_instance = %u, instance_count = 1",
                 c->topology, c->indices != NULL, c->vertices);
    assert_true(to <= dws + MOST_DW);
    return (uint32_t)(to - dws);
}

static inline unsigned green(const struct streamer *s)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4) {
        uint32_t pixel;
        memcpy(&pixel, s->memory + TARGET + i, sizeof pixel);
        assert_true(pixel == BACKGROUND || pixel == GREEN);
        count += pixel == GREEN;
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

/* A statistics register, by its name. */
static inline uint64_t counted(struct streamer *s, const char *name)
{
    const uint32_t at = register_offset(s->device, name);
    return register_get(s, at) | (uint64_t)register_get(s, at + 4) << 32;
}

static inline void tell(void *user, const struct softgt_report *report)
{
    (void)user;
    print_message("%s\n", report->text);
}

/* The ring was parsed to its end. */
static inline void expect_parsed(struct streamer *s)
{
    const struct register_slot *const head = register_named(s->device, "rcs0.RING_BUFFER_HEAD");
    const struct field *const f =
        gts_field_find(head->row->fields, head->row->field_count, "Head Offset", strlen("Head Offset"));
    const uint32_t value = register_get(s, head->offset);
    assert_non_null(f);
    assert_int_equal(field_get(f, &value, 1), s->tail);
}

static inline void draw(struct streamer *s, const struct scene *c)
{
    uint32_t dws[MOST_DW];
    s->reported = tell;
    const uint32_t count = put_scene(s, c, dws);
    assert_true(count <= sizeof dws / sizeof dws[0]);
    ring_run(s, dws, count);
    expect_parsed(s);
}

/* A scene's commands, to be changed before they are run. */
struct made_scene {
    struct streamer *s;
    uint32_t dws[MOST_DW], count;
};

static inline void make_scene(struct made_scene *m, const struct scene *c)
{
    m->s = streamer_create("snb");
    m->s->reported = tell;
    m->count = put_scene(m->s, c, m->dws);
}

static inline uint32_t *command_of(struct made_scene *m, const char *name)
{
    return command_named(m->s->device, m->dws, m->count, name);
}

/* Inserts commands before the 3DPRIMITIVE, which is the last one. */
__attribute__((format(printf, 2, 3))) static inline void insert_command(struct made_scene *m,
                                                                        const char *format, ...)
{
    uint32_t primitive[16], *const at = command_of(m, "3DPRIMITIVE");
    const uint32_t length_dw = (uint32_t)(m->dws + m->count - at);
    memcpy(primitive, at, length_dw * sizeof *at);
    va_list values;
    va_start(values, format);
    const uint32_t inserted_dw = assemble_list(m->s->device, 0, at, format, values);
    va_end(values);
    memcpy(at + inserted_dw, primitive, length_dw * sizeof *at);
    m->count += inserted_dw;
}

static inline void run_scene(struct made_scene *m)
{
    ring_run(m->s, m->dws, m->count);
    expect_parsed(m->s);
}

/* The left half of the target: two triangles. */
static const float half[6][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {0, 1, 0.5f, 1},
                                 {-1, -1, 0.5f, 1}, {0, 1, 0.5f, 1},  {-1, 1, 0.5f, 1}};

#endif
