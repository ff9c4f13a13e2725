/* Vertices that threads shade, from the ring to memory, on every generation that runs threads: payload and
 * constants, the URB's messages, which vertices are shaded once and which again, what cuts, what is packed;
 * the same however the run is cut, saved and loaded; what a thread writes beyond its entries is nowhere. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../walks.h"

#include "../saved.h"

enum {
    TARGET = 0x140000,
    WIDTH = 64,
    HEIGHT = 32,
    PITCH = 1024,
    VERTICES = 0x190000,
    INDICES = 0x192000,
    PUSHED = 0x2200,
    VERTEX_KERNEL = 0x1000, /* behind the pixels' */
    GEOMETRY_KERNEL = 0x2000,
    STREAMED = 0x1a0000,
    STREAMED_BYTES = 0x1000,
    STALE = 0x6eeeeeee,
    MOST_DW = 256
};
enum { R32G32B32A32_UINT = 2, R32G32B32A32_FLOAT = 0, TRILIST = 4, TRISTRIP = 5, TRIFAN = 6 };
enum { PAYLOAD = 112, HANDLES = 1, CONSTANTS_IN = 2, FETCHED = 3 };
enum { URB_WRITE = 7 | 1 << 19, URB_READ = 8 | 1 << 19, MASKED = 1 << 15, PER_SLOT = 1 << 17 };
enum { VS_INVOCATION_COUNT = 0x320, IA_VERTICES_COUNT = 0x310, IA_PRIMITIVES_COUNT = 0x318 };

static const struct how eight = {.channels = 8};

/* What a test draws: of each vertex x, y, and two numbers, of which the first goes on to pixels. */
struct scene {
    uint32_t topology, vertices, instances;
    const float (*at)[4];
    const uint16_t *indices; /* NULL: none; then vertices is how many of them */
    uint32_t cut;            /* an index; 0: none cuts */
    uint32_t vertex_state;   /* more of dword 7 of 3DSTATE_VS */
    uint32_t entry;          /* its size, of 3DSTATE_URB_VS */
    bool packs, all;         /* components; constants of all stages */
    bool objects;            /* a geometry shader, and its vertices' colors stream out */
};

static const float square[4][4] = {{3, 5, 70, 1}, {37, 5, 70, 2}, {3, 21, 70, 3}, {37, 21, 70, 4}};
static const struct scene plain = {.topology = TRISTRIP, .vertices = 4, .at = square};

static uint32_t *command(uint32_t **to, uint32_t header, uint32_t length_dw)
{
    uint32_t *const dw = *to;
    memset(dw, 0, length_dw * sizeof *dw);
    dw[0] = header | (length_dw - 2u);
    *to += length_dw;
    return dw;
}

static void urb_send(uint32_t descriptor, unsigned oword, unsigned at, unsigned registers, bool end)
{
    kernel_send(&k, eight, SFID_URB, descriptor | oword << 4 | registers << 25, none(TYPE_UD),
                reg(at, TYPE_UD), end);
}

/* To the fetched place constants are added; the header names the instance; the color is the first number. */
static void put_head(void)
{
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD, TYPE_UD), reg(HANDLES, TYPE_UD));
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 1 + i, TYPE_UD),
                 i == 1 ? reg(FETCHED + 4, TYPE_UD) : imm(0, TYPE_UD));
    for (unsigned i = 0; i < 2; i++)
        KERNEL_2(&k, EU_ADD, eight, reg(PAYLOAD + 5 + i, TYPE_F), reg(FETCHED + i, TYPE_F),
                 one(CONSTANTS_IN, i * 4, TYPE_F));
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 7, TYPE_F), imm(0, TYPE_F));
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 8, TYPE_F), imm(0x3f800000, TYPE_F));
    urb_send(URB_WRITE, 0, PAYLOAD, 9, false);
}

static void put_tail(unsigned color)
{
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 9, TYPE_UD), reg(HANDLES, TYPE_UD));
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 10 + i, TYPE_UD), reg(color, TYPE_UD));
    urb_send(URB_WRITE, 2, PAYLOAD + 9, 5, true);
}

static void put_vertex_kernel(struct streamer *s)
{
    kernel_finish(&k);
    memcpy(s->memory + KERNELS + VERTEX_KERNEL, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
    k.count = 0;
}

static void put_plain(struct streamer *s)
{
    put_head();
    put_tail(FETCHED + 2);
    put_vertex_kernel(s);
}

/* Pixels get the color, and where it is flat that of the first corner. */
static void put_pixels(struct streamer *s)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), one(4 + i / 2, i % 2 * 16 + 12, TYPE_UD));
    kernel_send(&k, all, SFID_RENDER_CACHE, 8u << 25 | 0xcu << 14 | 1u << 12, none(TYPE_UD),
                reg(PAYLOAD, TYPE_UD), true);
    put_kernel(s);
}

static void put_target(struct streamer *s, uint32_t elements)
{
    const uint32_t at = SURFACES + 0x1000;
    memset(s->memory + at, 0, 64);
    dword_put(s, at, 1u << 29 | 1u << 28 | R32G32B32A32_UINT << 18 | 1u << 16 | 1u << 14);
    dword_put(s, at + 4, HEIGHT / 4);
    dword_put(s, at + 8, (WIDTH - 1) | (HEIGHT - 1) << 16);
    dword_put(s, at + 12, (PITCH - 1) | (elements - 1) << 21);
    dword_put(s, at + 16, (elements - 1) << 7);
    dword_put(s, at + 32, TARGET);
    dword_put(s, SURFACES + TABLE_AT, 0x1000);
    for (uint32_t i = 0; i < PITCH * HEIGHT * elements; i += 4)
        dword_put(s, TARGET + i, STALE);
}

static void put_pixel_state(uint32_t **to)
{
    uint32_t *dw = command(to, 0x78200000, 12);
    dw[6] = 1u << 1;
    dw[7] = 4u << 16;
    command(to, 0x784f0000, 2)[1] = 1u << 31 | 1u << 8;
    dw = command(to, 0x781f0000, k.set == &eu_gen8 ? 4 : 6);
    dw[1] = 1u << 28 | 1u << 29 | 1u << 22 | 1u << 11 | 1u << 5;
    dw[3] = 1;
    command(to, 0x784d0000, 2)[1] = 1u << 30;
    command(to, 0x782a0000, 2)[1] = TABLE_AT;
    command(to, 0x78180000, 2)[1] = 1;
    command(to, 0x78120000, 4)[2] = 1u << 9; /* no division */
    command(to, 0x78500000, 5)[1] = 1u << 16;
    dw = command(to, 0x79000000, 4);
    dw[2] = 0x3fffu << 16 | 0x3fff;
}

/* Constants of one register, from the dynamic base on. */
static void put_constants(struct streamer *s, const struct scene *c, uint32_t **to)
{
    const float moved[2] = {2, 3};
    memcpy(s->memory + DYNAMIC + PUSHED, moved, sizeof moved);
    if (c->all) {
        uint32_t *const dw = command(to, 0x786d0000 | 1u << 8, 4);
        dw[1] = 1u << 16;
        dw[2] = PUSHED | 1;
        return;
    }
    uint32_t *const dw = command(to, 0x78150000, 11);
    dw[1] = 1;
    dw[3] = PUSHED;
}

static void put_vertex_state(struct streamer *s, const struct scene *c, uint32_t **to)
{
    uint32_t *dw = command(to, 0x78100000, 9);
    dw[1] = VERTEX_KERNEL;
    dw[6] = 1u << 11 | CONSTANTS_IN << 20;
    dw[7] = 1u | 1u << 2 | 1u << 10 | c->vertex_state;
    command(to, 0x78300000, 2)[1] = 64 | c->entry << 16 | 4u << 25;
    put_constants(s, c, to);
    dw = command(to, 0x78080000, 5);
    dw[1] = 16 | 1u << 14;
    dw[2] = VERTICES;
    dw[4] = 16 * 16;
    memcpy(s->memory + VERTICES, c->at, 16 * (c->indices ? 4 : c->vertices));
    dw = command(to, 0x78090000, 5);
    for (unsigned i = 0; i < 2; i++) /* place and numbers; the instance, generated */
        dw[1 + 2 * i] = R32G32B32A32_FLOAT << 16 | 1u << 25;
    dw[2] = 0x11110000;
    dw[4] = 0x22220000;
    command(to, 0x784a0000, 2)[1] = 1u << 31 | 1u << 16;
    if (c->packs) { /* of the first x, y and z, of the second x: behind w there is one register less */
        command(to, 0x78550000, 5)[1] = 7u | 1u << 4;
        command(to, 0x780c0000, 2)[0] |= 1u << 9;
    }
}

/* Of each triangle there is another one as it is. */
static void put_geometry_kernel(struct streamer *s)
{
    enum { VERTICES_IN = 2, OBJECT_CORNERS = 3, MADE_DW = 12, READ_DW = 16, LASTS = 2000 };
    KERNEL_1(&k, EU_MOV, eight, reg(90, TYPE_D), imm(LASTS, TYPE_D));
    const unsigned loop = k.count;
    KERNEL_2(&k, EU_ADD, ((struct how){.channels = 8, .condition = 2}), reg(90, TYPE_D), reg(90, TYPE_D),
             imm(0xffffffff, TYPE_D));
    const unsigned at_while = kernel_branch(&k, EU_WHILE, (struct how){.channels = 8, .predicate = 1});
    kernel_goes(&k, at_while, loop, loop);
    for (unsigned n = 0; n < OBJECT_CORNERS; n++) {
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD, TYPE_UD), reg(HANDLES, TYPE_UD));
        for (unsigned i = 0; i < MADE_DW; i++)
            KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 1 + i, TYPE_UD),
                     reg(VERTICES_IN + n * READ_DW + i, TYPE_UD));
        urb_send(URB_WRITE, n * MADE_DW / 4, PAYLOAD, 1 + MADE_DW, n + 1 == OBJECT_CORNERS);
    }
    kernel_finish(&k);
    memcpy(s->memory + KERNELS + GEOMETRY_KERNEL, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
    k.count = 0;
}

/* Its entries begin at handle GEOMETRY_FIRST. */
enum { GEOMETRY_FIRST = 8 * 128 };
static void put_objects(struct streamer *s, uint32_t **to)
{
    uint32_t *dw = command(to, 0x78110000, 10);
    dw[1] = GEOMETRY_KERNEL;
    dw[3] = 3;
    dw[6] = 2u | 2u << 11 | (uint32_t)TRILIST << 17 | 2u << 23;
    dw[7] = 1u | 3u << 11;
    dw[8] = 3u << 16 | 1u << 30;
    command(to, 0x78330000, 2)[1] = 64 | 2u << 16 | 8u << 25;
    dw = command(to, 0x781e0000, 5);
    dw[1] = 1u << 31;
    dw[3] = 4;
    dw = command(to, 0x79170000, 5);
    dw[1] = dw[2] = 1;
    dw[3] = 2u << 4 | 1;
    dw = command(to, 0x79180000, 8);
    dw[1] = 1u << 31 | 1u << 21;
    dw[2] = STREAMED;
    dw[4] = STREAMED_BYTES / 4 - 1;
    memset(s->memory + STREAMED, 0, STREAMED_BYTES);
}

static uint32_t put_scene(struct streamer *s, const struct scene *c, uint32_t dws[MOST_DW])
{
    const uint32_t bases[19] = {0x61010000 | 17, 1,          0,          0,         SURFACES | 1, 0,
                                DYNAMIC | 1,     0,          1,          0,         KERNELS | 1,  0,
                                0xfffff001,      0xfffff001, 0xfffff001, 0xfffff001};
    uint32_t *to = dws + 19, *dw;
    memcpy(dws, bases, sizeof bases);
    put_target(s, c->instances ? c->instances : 1);
    put_pixel_state(&to);
    put_vertex_state(s, c, &to);
    if (c->objects)
        put_objects(s, &to);
    if (c->indices) {
        memcpy(s->memory + INDICES, c->indices, c->vertices * sizeof *c->indices);
        dw = command(&to, 0x780a0000, 5);
        dw[1] = 1u << 8;
        dw[2] = INDICES;
        dw[4] = c->vertices * 2;
    }
    if (c->cut) {
        dw = command(&to, 0x780c0000, 2);
        dw[0] |= 1u << 8;
        dw[1] = c->cut;
    }
    command(&to, 0x784b0000, 2)[1] = c->topology;
    *to++ = 0x680b0001;
    dw = command(&to, 0x7b000000, 7);
    dw[1] = c->indices ? 1u << 8 : 0;
    dw[2] = c->vertices;
    dw[4] = c->instances ? c->instances : 1;
    assert_true(to <= dws + MOST_DW);
    return (uint32_t)(to - dws);
}

static void draw(struct streamer *s, const struct scene *c)
{
    uint32_t dw[MOST_DW];
    put_pixels(s);
    batch_run(s, dw, put_scene(s, c, dw), true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

static uint32_t color_at(const struct streamer *s, uint32_t element, uint32_t x, uint32_t y)
{
    return dword_at(s, TARGET + (element * HEIGHT + y) * PITCH + x * 16);
}

static uint32_t as_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The square, moved by the constants, in this color. */
static void expect_square(const struct streamer *s, uint32_t element, float color)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(color_at(s, element, x, y),
                             x >= 5 && x < 39 && y >= 8 && y < 24 ? as_bits(color) : STALE);
}

static uint32_t counter_at(struct streamer *s, uint32_t offset)
{
    return register_get(s, s->base + offset);
}

static bool has_all(void)
{
    return k.set == &eu_gen12 || k.set == &eu_gen125;
}

static void places(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct scene c = plain;
            c.instances = 3;
            c.all = way && has_all();
            put_plain(s);
            draw(s, &c);
            for (uint32_t element = 0; element < 3; element++)
                expect_square(s, element, 70);
            assert_int_equal(counter_at(s, VS_INVOCATION_COUNT), 12);
            assert_int_equal(counter_at(s, IA_VERTICES_COUNT), 12);
            assert_int_equal(counter_at(s, IA_PRIMITIVES_COUNT), 6);
            streamer_destroy(s);
        }
}

/* Constants of the vertices stay when all stages' are set for others alone. */
static void constants_of_others(void **state)
{
    (void)state;
    enum { OTHERS = 0x786d1e00 };
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[MOST_DW], others[2] = {OTHERS, 0};
        if (has_all()) {
            put_plain(s);
            put_pixels(s);
            const uint32_t count = put_scene(s, &plain, dw);
            memmove(dw + count - 5, dw + count - 7, 7 * sizeof *dw);
            memcpy(dw + count - 7, others, sizeof others);
            batch_run(s, dw, count + 2, true);
            expect_square(s, 0, 70);
        }
        streamer_destroy(s);
    }
}

/* Of an index there is one vertex while it is kept, or one each time where nothing is. */
static void recurring_vertices(void **state)
{
    (void)state;
    static const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
    for (EACH_DEVICE(name))
        for (uint32_t apart = 0; apart < 2; apart++) {
            struct streamer *const s = begin(*name);
            struct scene c = plain;
            c.topology = TRILIST;
            c.vertices = 6;
            c.indices = indices;
            c.vertex_state = apart << 1;
            put_plain(s);
            draw(s, &c);
            expect_square(s, 0, 70);
            assert_int_equal(counter_at(s, VS_INVOCATION_COUNT), apart ? 6 : 4);
            assert_int_equal(counter_at(s, IA_VERTICES_COUNT), 6);
            streamer_destroy(s);
        }
}

/* Strips and fans that an index ends: what is left of one is nothing. */
static void cuts(void **state)
{
    (void)state;
    enum { CUT = 0xffff };
    static const uint16_t strips[] = {0, 1, CUT, CUT, 2, CUT, 0, 1, 2, CUT, 2, 1, 3, CUT, 0},
                          fans[] = {3, CUT, 0, 1, 3, 2, CUT, 0, 1};
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct scene c = plain;
            c.topology = way ? TRIFAN : TRISTRIP;
            c.indices = way ? fans : strips;
            c.vertices = way ? sizeof fans / 2 : sizeof strips / 2;
            c.cut = CUT;
            put_plain(s);
            draw(s, &c);
            expect_square(s, 0, 70);
            assert_int_equal(counter_at(s, IA_VERTICES_COUNT), way ? 7 : 10);
            assert_int_equal(counter_at(s, IA_PRIMITIVES_COUNT), 2);
            streamer_destroy(s);
        }
}

/* From Gen9 on components may be packed: what comes behind those that are left out is a register earlier. */
static void packed_components(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = plain;
        if (k.set != &eu_gen8) {
            c.packs = true;
            put_head();
            put_tail(FETCHED + 2);
            for (unsigned i = 0; i < k.count; i++)
                if (k.i[i].value[EU_SRC0_REGISTER] == FETCHED + 4)
                    k.i[i].value[EU_SRC0_REGISTER] = FETCHED + 3;
            put_vertex_kernel(s);
            c.instances = 2;
            draw(s, &c);
            expect_square(s, 0, 70);
            expect_square(s, 1, 70);
        }
        streamer_destroy(s);
    }
}

/* From Gen11 on parameters of the draw are among what is generated: the first two as they stand, or where it
 * starts; indirect draws have them in registers. */
static void parameters(void **state)
{
    (void)state;
    enum { INDIRECT = 1 << 10, EXTENDED = 1 << 11, ELEMENT = 1, SUM = 60 };
    static const uint32_t values[3] = {1000, 20000, 300000};
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            uint32_t dw[MOST_DW], sgvs[3] = {0x78560001, 0, 0}, expected = 0;
            if (k.set == &eu_gen8 || k.set == &eu_gen9) {
                streamer_destroy(s);
                continue;
            }
            put_head();
            KERNEL_2(&k, EU_ADD, eight, reg(SUM, TYPE_UD), reg(FETCHED + 5, TYPE_UD),
                     reg(FETCHED + 6, TYPE_UD));
            KERNEL_2(&k, EU_ADD, eight, reg(SUM, TYPE_UD), reg(SUM, TYPE_UD), reg(FETCHED + 7, TYPE_UD));
            put_tail(SUM);
            put_vertex_kernel(s);
            put_pixels(s);
            uint32_t count = put_scene(s, &plain, dw);
            memcpy(s->memory + VERTICES + 16, square, sizeof square);
            uint32_t *const primitive = dw + count - 7;
            sgvs[1] = 1u << 15 | ELEMENT | 1u << 13 | 1u << 31 | ELEMENT << 16 | 2u << 29;
            sgvs[2] = 1u << 15 | ELEMENT | 3u << 13;
            if (way == 1) /* the start vertex, and the start instance */
                sgvs[1] |= 1u << 12 | 1u << 28;
            memmove(primitive + 3, primitive, 7 * sizeof *dw);
            memcpy(primitive, sgvs, sizeof sgvs);
            uint32_t *const d = primitive + 3;
            d[0] += EXTENDED + 3;
            d[3] = 1;
            d[5] = 7;
            memcpy(d + 7, values, sizeof values);
            for (unsigned i = 0; i < 3; i++)
                expected += way == 1 && i < 2 ? (i ? 7 : 1) : values[i];
            if (way == 2) {
                static const uint32_t arguments[] = {1, 4, 1, 7};
                d[0] |= INDIRECT;
                for (unsigned i = 0; i < 4; i++)
                    register_put(s, s->base + 0x430 + i * 4, arguments[i]);
                for (unsigned i = 0; i < 3; i++)
                    register_put(s, s->base + 0x690 + i * 4, values[i] + 1);
                expected += 3;
            }
            batch_run(s, dw, count + 6, true);
            float color;
            memcpy(&color, &expected, sizeof color);
            expect_square(s, 0, color);
            streamer_destroy(s);
        }
}

/* Fetched vertices lie in the URB; channels' masks and offsets; what is behind the entry, or another's, reads
 * as zeros and takes nothing. */
static void messages(void **state)
{
    (void)state;
    enum { AT = 60 };
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 5; way++) {
            struct streamer *const s = begin(*name);
            const uint32_t read = way == 1 ? 4 : 0;
            put_head();
            KERNEL_1(&k, EU_MOV, eight, reg(AT, TYPE_UD), reg(HANDLES, TYPE_UD));
            KERNEL_1(&k, EU_MOV, eight, reg(AT + 1, TYPE_UD), imm(way == 2 ? 1 : 0x0fffffff, TYPE_UD));
            if (way == 3) /* none of its own */
                KERNEL_2(&k, EU_ADD, eight, reg(AT, TYPE_UD), reg(AT, TYPE_UD), imm(100, TYPE_UD));
            for (unsigned i = 0; i < 4; i++) /* header or place, written over */
                KERNEL_1(&k, EU_MOV, eight, reg(AT + 2 + i, TYPE_F), imm(as_bits(500), TYPE_F));
            if (way == 2) /* only w, by an offset of each */
                KERNEL_1(&k, EU_MOV, eight, reg(AT + 2, TYPE_UD), imm(8u << 16, TYPE_UD));
            if (way == 2)
                urb_send(URB_WRITE | MASKED | PER_SLOT, 0, AT, 7, false);
            else if (way == 3)
                urb_send(URB_WRITE, 1, AT, 6, false);
            else if (way == 4)
                urb_send(URB_WRITE | PER_SLOT, 1, AT, 6, false);
            /* y of the place as it was written, or of what is behind the entry */
            kernel_send(&k, eight, SFID_URB, URB_READ | (read ? read : 1) << 4 | 1u << 25 | 2u << 20,
                        reg(AT + 10, TYPE_UD), reg(HANDLES, TYPE_UD), false);
            put_tail(AT + 11);
            put_vertex_kernel(s);
            draw(s, &plain);
            expect_square(s, 0, way == 1 ? 0 : 8);
            streamer_destroy(s);
        }
}

/* In pieces of every size, saved and loaded between them: the same, and each vertex once. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = plain;
        unsigned within = 0;
        uint32_t dw[MOST_DW];
        c.instances = 7;
        put_head();
        for (unsigned i = 0; i < 400; i++)
            KERNEL_1(&k, EU_MOV, eight, reg(90, TYPE_UD), imm(i, TYPE_UD));
        put_tail(FETCHED + 2);
        put_vertex_kernel(s);
        put_pixels(s);
        const uint32_t count = put_scene(s, &c, dw);
        batch_put(s, dw, count, true);
        for (unsigned i = 0; softgt_run(s->device, 1 + i % 100); i++) {
            within += dispatcher_of(&s->device->engines[0])->work.setup.payload == SHADER_STAGE_VS;
            reload(s->device);
            assert_true(i < 10000);
        }
        assert_true(within > 0);
        for (uint32_t element = 0; element < c.instances; element++)
            expect_square(s, element, 70);
        assert_int_equal(counter_at(s, VS_INVOCATION_COUNT), 28);
        streamer_destroy(s);
    }
}

/* Another context comes in between two primitives: what is drawn stays, the rest is drawn when it is back. */
static void preempted(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        put_plain(s);
        put_pixels(s);
        register_put(s, FF_SLICE_CS_CHICKEN3, 1u << 16 | 1);
        context_put(s, 0, dw, put_scene(s, &c, dw));
        context_submit(s, 0);
        for (unsigned i = 0; i < 100 && !streamer_status(s).thread_groups; i++)
            softgt_run(s->device, 1);
        another_context_comes(s);
        assert_int_equal(color_at(s, c.instances - 1, 10, 10), STALE);
        context_submit(s, 0);
        softgt_run(s->device, 1 << 22);
        for (uint32_t element = 0; element < c.instances; element++)
            expect_square(s, element, 70);
        assert_int_equal(counter_at(s, VS_INVOCATION_COUNT), 36);
        streamer_destroy(s);
    }
}

/* Two vertices at once, and entries of more than 1 KB, are told; nothing is drawn. */
static void what_is_left(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct scene c = plain;
            uint32_t dw[MOST_DW];
            c.entry = way ? 16 : 0;
            put_plain(s);
            put_pixels(s);
            const uint32_t count = put_scene(s, &c, dw);
            for (uint32_t i = 19; !way && i < count; i += (dw[i] & 0xff) + 2)
                if (dw[i] == (0x78100000 | 7))
                    dw[i + 7] &= ~(1u << 2);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(color_at(s, 0, 10, 10), STALE);
            assert_int_equal(streamer_status(s).thread_groups, 0);
            streamer_destroy(s);
        }
}

/* A state that was made up: a primitive that is not set up is none; vertices that have counted as often as *
 there are numbers are forgotten, and the draw is the same, as is its next save. */
static void made_up_states(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        struct scene c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        put_plain(s);
        put_pixels(s);
        const uint32_t count = put_scene(s, &c, dw);
        batch_put(s, dw, count, true);
        while (softgt_run(s->device, 1) &&
               !(d->draws->draw.cursor.phase == DRAW_RASTERIZE && draw_shades_pixels(d)))
            ;
        assert_true(dispatch_has_work(&d->work) && d->draws->draw.cursor.is_set_up);
        d->draws->draw.cursor.is_set_up = false;
        struct blob b = saved(s->device);
        d->draws->draw.cursor.is_set_up = true;
        assert_int_not_equal(softgt_load(s->device, b.bytes, b.size), 0);
        free(b.bytes);
        d->draws->urb->epoch = UINT32_MAX;
        while (softgt_run(s->device, 1)) {
            b = saved(s->device);
            assert_int_equal(softgt_load(s->device, b.bytes, b.size), 0);
            free(b.bytes);
        }
        for (uint32_t element = 0; element < c.instances; element++)
            expect_square(s, element, 70);
        streamer_destroy(s);
    }
}

/* What a draw that a reset ended had in its entries no other thread reads: a walker's has no entries. */
static void entries_of_others(void **state)
{
    (void)state;
    enum { READ_INTO = 20, GUARD = 0x1234 };
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        const struct walk walk = {.groups = {1, 1, 1}, .threads = 1, .mask = UINT32_MAX};
        struct scene c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        for (unsigned i = 0; i < 400; i++)
            KERNEL_1(&k, EU_MOV, eight, reg(90, TYPE_UD), imm(i, TYPE_UD));
        put_plain(s);
        put_pixels(s);
        const uint32_t count = put_scene(s, &c, dw);
        batch_put(s, dw, count, true);
        while (softgt_run(s->device, 1) && !d->draws->urb->channel_count)
            ;
        assert_true(d->draws->urb->channel_count);
        const uint32_t handle = urb_handle(d->draws->urb, d->draws->urb->channel_entries[0]);
        streamer_start(s, 0);
        k.count = 0;
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD, TYPE_UD), imm(handle, TYPE_UD));
        KERNEL_1(&k, EU_MOV, eight, reg(READ_INTO, TYPE_UD), imm(GUARD, TYPE_UD));
        kernel_send(&k, eight, SFID_URB, URB_READ | 1u << 4 | 1u << 25 | 1u << 20, reg(READ_INTO, TYPE_UD),
                    reg(PAYLOAD, TYPE_UD), false);
        kernel_end(&k);
        put_kernel(s);
        batch_run(s, dw, put_walk(s, &walk, dw), true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        for (unsigned i = 0; i < 8; i++) {
            uint32_t value;
            memcpy(&value, d->threads[0].grf + READ_INTO * EU_REGISTER_BYTES + i * 4, sizeof value);
            assert_int_equal(value, 0);
        }
        streamer_destroy(s);
    }
}

/* ---- Objects ---- */

/* Two triangles of each instance, whose colors stream out: nothing is missing, nothing comes twice. */
static void expect_objects(struct streamer *s, const struct scene *c)
{
    for (uint32_t element = 0; element < c->instances; element++)
        expect_square(s, element, 70);
    for (uint32_t i = 0; i < STREAMED_BYTES / 4; i++)
        assert_int_equal(dword_at(s, STREAMED + i * 4), i < c->instances * 6 ? as_bits(70) : 0);
}

/* In pieces of every size, saved and loaded between them. */
static void objects_cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
            struct scene c = plain;
            unsigned within = 0, midway = 0;
            uint32_t dw[MOST_DW];
            c.instances = 7;
            c.objects = true;
            put_plain(s);
            put_geometry_kernel(s);
            put_pixels(s);
            batch_put(s, dw, put_scene(s, &c, dw), true);
            for (unsigned i = 0; softgt_run(s->device, way ? 1 + i % 100 : 1 << 20); i++) {
                within += d->work.setup.payload == SHADER_STAGE_GS;
                midway += d->draws->draw.cursor.phase >= DRAW_GS_OUTPUT && draw_shades_pixels(d);
                if (way)
                    reload(s->device);
                assert_true(i < 100000);
            }
            assert_true(!way || (within && midway));
            expect_objects(s, &c);
            streamer_destroy(s);
        }
}

/* Another context comes in between two objects' threads. */
static void objects_preempted(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        c.objects = true;
        put_plain(s);
        put_geometry_kernel(s);
        put_pixels(s);
        register_put(s, FF_SLICE_CS_CHICKEN3, 1u << 16 | 1);
        context_put(s, 0, dw, put_scene(s, &c, dw));
        context_submit(s, 0);
        for (unsigned i = 0; i < 1000 && color_at(s, 1, 10, 10) == STALE; i++)
            softgt_run(s->device, 1);
        another_context_comes(s);
        assert_int_equal(color_at(s, c.instances - 1, 10, 10), STALE);
        context_submit(s, 0);
        softgt_run(s->device, 1 << 22);
        expect_objects(s, &c);
        streamer_destroy(s);
    }
}

/* A thread of pixels has no entries, not those either that a thread before it in the draw made. */
static void entries_behind_objects(void **state)
{
    (void)state;
    enum { READ_INTO = 60 };
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 1;
        c.objects = true;
        put_plain(s);
        put_geometry_kernel(s);
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD, TYPE_UD), imm(GEOMETRY_FIRST, TYPE_UD));
        KERNEL_1(&k, EU_MOV, all, reg(READ_INTO, TYPE_UD), imm(0, TYPE_UD));
        kernel_send(&k, eight, SFID_URB, URB_READ | 2u << 4 | 1u << 25 | 1u << 20, reg(READ_INTO, TYPE_UD),
                    reg(PAYLOAD, TYPE_UD), false);
        for (unsigned i = 0; i < 4; i++)
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), one(READ_INTO, 0, TYPE_UD));
        kernel_send(&k, all, SFID_RENDER_CACHE, 8u << 25 | 0xcu << 14 | 1u << 12, none(TYPE_UD),
                    reg(PAYLOAD, TYPE_UD), true);
        put_kernel(s);
        batch_run(s, dw, put_scene(s, &c, dw), true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        expect_square(s, 0, 0);
        streamer_destroy(s);
    }
}

/* States that were made up: objects with other vertices than the topology's; a thread of objects in a draw
 * that has none. */
static void made_up_objects(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        struct scene c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 3;
        c.objects = true;
        put_plain(s);
        put_geometry_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_scene(s, &c, dw), true);
        while (softgt_run(s->device, 1) && d->work.setup.payload != SHADER_STAGE_GS)
            ;
        assert_int_equal(d->work.setup.payload, SHADER_STAGE_GS);
        d->draws->urb->gs.vertex_count = GS_OBJECT_VERTICES + 1;
        struct blob b = saved(s->device);
        d->draws->urb->gs.vertex_count = 3;
        assert_int_not_equal(softgt_load(s->device, b.bytes, b.size), 0);
        free(b.bytes);
        const uint8_t stages = d->draws->draw.cursor.stages;
        d->draws->draw.cursor.stages = 0;
        b = saved(s->device);
        d->draws->draw.cursor.stages = stages;
        assert_int_not_equal(softgt_load(s->device, b.bytes, b.size), 0);
        free(b.bytes);
        streamer_destroy(s);
    }
}

TEST_PROGRAM(vertices_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(constants_of_others),
        cmocka_unit_test(recurring_vertices),
        cmocka_unit_test(cuts),
        cmocka_unit_test(packed_components),
        cmocka_unit_test(parameters),
        cmocka_unit_test(messages),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(made_up_states),
        cmocka_unit_test(entries_of_others),
        cmocka_unit_test(preempted),
        cmocka_unit_test(what_is_left),
        cmocka_unit_test(objects_cut_saved_and_loaded),
        cmocka_unit_test(objects_preempted),
        cmocka_unit_test(entries_behind_objects),
        cmocka_unit_test(made_up_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
