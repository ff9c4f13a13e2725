/* Geometry shaders and vertices that stream out, from the ring to memory, on every generation that runs
 * threads: payload, invocations, adjacent vertices, what cuts and what names streams, counts; declarations,
 * holes, buffers and their offsets, what has no room; the same however the run is cut, saved and loaded; what
 * is not modelled is told. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../counters.h"
#include "../walks.h"

#include "../saved.h"

enum {
    TARGET = 0x140000,
    WIDTH = 64,
    HEIGHT = 32,
    PITCH = 1024,
    VERTICES = 0x190000,
    STREAMED = 0x194000,
    STREAM_BYTES = 0x1000, /* from one buffer to the next */
    KEPT_OFFSETS = 0x199000,
    VERTEX_KERNEL = 0x2000, /* behind the pixels' */
    GEOMETRY_KERNEL = 0x4000,
    STALE = 0x6eeeeeee,
    MOST_DW = 320
};
enum { R32G32B32A32_UINT = 2, R32G32B32A32_FLOAT = 0 };
enum {
    POINTLIST = 1,
    LINELIST,
    LINESTRIP,
    TRILIST,
    TRISTRIP,
    LINELIST_ADJ = 9,
    LINESTRIP_ADJ,
    TRILIST_ADJ,
    TRISTRIP_ADJ
};
enum { PAYLOAD = 112, HANDLES = 1 };
enum { URB_WRITE = 7 | 1 << 19, URB_READ = 8 | 1 << 19 };
enum {
    VS_INVOCATION_COUNT = 0x320,
    GS_INVOCATION_COUNT = 0x328,
    GS_PRIMITIVES_COUNT = 0x330,
    CL_INVOCATION_COUNT = 0x338,
    SO_NUM_PRIMS_WRITTEN = 0x5200,
    SO_PRIM_STORAGE_NEEDED = 0x5240,
    SO_WRITE_OFFSET = 0x5280
};

static const struct how eight = {.channels = 8};

/* What a test draws: of each vertex a place, and its number. */
struct scene {
    uint32_t topology, vertices;
    uint32_t geometry; /* vertices that the shader expects; 0: there is none */
    uint32_t makes;    /* its output topology */
    uint32_t dw[3];    /* more of dwords 6 to 8 of 3DSTATE_GS */
    bool dynamic;      /* it says how many vertices it made */
    uint32_t made;     /* else: how many */
    bool streams, renders;
    uint32_t streamout;    /* more of dword 1 of 3DSTATE_STREAMOUT */
    uint32_t room;         /* bytes of each buffer; 0: all */
    const uint32_t *decls; /* 3DSTATE_SO_DECL_LIST from dword 1 on */
    uint32_t decls_dw;
    uint32_t offset; /* what the buffers' offsets are set to */
};

/* Stream 0 to buffer 0: the number of each vertex. */
static const uint32_t numbers[4] = {1, 1, 1u | 2u << 4, 0};

static uint32_t *command(uint32_t **to, uint32_t header, uint32_t length_dw)
{
    uint32_t *const dw = *to;
    memset(dw, 0, length_dw * sizeof *dw);
    dw[0] = header | (length_dw - 2u);
    *to += length_dw;
    return dw;
}

static void urb_write(uint32_t oword, unsigned at, unsigned registers, bool end)
{
    kernel_send(&k, eight, SFID_URB, URB_WRITE | oword << 4 | registers << 25, none(TYPE_UD),
                reg(at, TYPE_UD), end);
}

static void take_kernel(struct streamer *s, uint32_t at)
{
    kernel_finish(&k);
    memcpy(s->memory + KERNELS + at, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
    k.count = 0;
}

/* Header, place, number: as they were fetched. */
static void put_vertex_kernel(struct streamer *s)
{
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD, TYPE_UD), reg(HANDLES, TYPE_UD));
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 1 + i, TYPE_UD), imm(0, TYPE_UD));
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 5 + i, TYPE_UD), reg(2 + i, TYPE_UD));
    urb_write(0, PAYLOAD, 9, false);
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 9, TYPE_UD), reg(HANDLES, TYPE_UD));
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 10 + i, TYPE_UD), reg(6 + i, TYPE_UD));
    urb_write(2, PAYLOAD + 9, 5, true);
    take_kernel(s, VERTEX_KERNEL);
}

static void put_pixels(struct streamer *s)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), one(4 + i / 2, i % 2 * 16 + 12, TYPE_UD));
    kernel_send(&k, all, SFID_RENDER_CACHE, 8u << 25 | 0xcu << 14 | 1u << 12, none(TYPE_UD),
                reg(PAYLOAD, TYPE_UD), true);
    take_kernel(s, 0);
}

/* A geometry shader: eight dwords of header and place, then the number; made vertices are of twelve dwords
 * each, in 16 more: 64 bytes. Vertex v's is at oword `first` + 4 v. */
enum { VERTEX_OWORDS = 4, NUMBER = 90, PLACE = 80 };

static void put_vertex(unsigned oword)
{
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD, TYPE_UD), reg(HANDLES, TYPE_UD));
    for (unsigned i = 0; i < 8; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 1 + i, TYPE_UD),
                 i < 4 ? imm(0, TYPE_UD) : reg(PLACE + i - 4, TYPE_UD));
    urb_write(oword, PAYLOAD, 9, false);
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 1 + i, TYPE_UD), reg(NUMBER + i, TYPE_UD));
    urb_write(oword + 2, PAYLOAD, 5, false);
}

/* Reads a vertex where its handles are. */
static void get_vertex(struct op handles)
{
    KERNEL_1(&k, EU_MOV, eight, reg(70, TYPE_UD), handles);
    kernel_send(&k, eight, SFID_URB, URB_READ | 1u << 4 | 1u << 25 | 4u << 20, reg(PLACE, TYPE_UD),
                reg(70, TYPE_UD), false);
    kernel_send(&k, eight, SFID_URB, URB_READ | 2u << 4 | 1u << 25 | 4u << 20, reg(NUMBER, TYPE_UD),
                reg(70, TYPE_UD), false);
}

/* The first dword of the entry, or of its control data: at the oword. */
static void put_dword(unsigned oword, uint32_t value, bool end)
{
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD, TYPE_UD), reg(HANDLES, TYPE_UD));
    KERNEL_1(&k, EU_MOV, eight, reg(PAYLOAD + 1, TYPE_UD), imm(value, TYPE_UD));
    urb_write(oword, PAYLOAD, 2, end);
}

/* All vertices that it gets, as they are: numbers' second dword is the object's, the third the invocation. */
static void put_passing(struct streamer *s, unsigned vertices, bool instanced)
{
    for (unsigned i = 0; i < vertices; i++) {
        get_vertex(instanced ? one(3, i * 4, TYPE_UD) : reg(3 + i, TYPE_UD));
        KERNEL_1(&k, EU_MOV, eight, reg(NUMBER + 1, TYPE_UD), reg(2, TYPE_UD));
        KERNEL_2(&k, EU_SHR, eight, reg(NUMBER + 2, TYPE_UD), reg(HANDLES, TYPE_UD), imm(27, TYPE_UD));
        put_vertex(2 + i * VERTEX_OWORDS);
    }
    put_dword(0, vertices, true);
    take_kernel(s, GEOMETRY_KERNEL);
}

static void put_target(struct streamer *s)
{
    const uint32_t at = SURFACES + 0x1000;
    memset(s->memory + at, 0, 64);
    dword_put(s, at, 1u << 29 | R32G32B32A32_UINT << 18 | 1u << 16 | 1u << 14);
    dword_put(s, at + 4, HEIGHT / 4);
    dword_put(s, at + 8, (WIDTH - 1) | (HEIGHT - 1) << 16);
    dword_put(s, at + 12, PITCH - 1);
    dword_put(s, at + 32, TARGET);
    dword_put(s, SURFACES + TABLE_AT, 0x1000);
    for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4)
        dword_put(s, TARGET + i, STALE);
    for (uint32_t i = 0; i < 4 * STREAM_BYTES; i += 4)
        dword_put(s, STREAMED + i, STALE);
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
    dw = command(to, 0x78120000, 4);
    dw[1] = 1u << 10;
    dw[2] = 1u << 31 | 1u << 9;
    command(to, 0x78500000, 5)[1] = 1u << 16;
    command(to, 0x79000000, 4)[2] = 0x3fffu << 16 | 0x3fff;
}

/* Vertices: x, y, 0 and 1; the number as a dword. */
static void put_vertex_state(struct streamer *s, const struct scene *c, uint32_t **to)
{
    uint32_t *dw = command(to, 0x78100000, 9);
    dw[1] = VERTEX_KERNEL;
    dw[6] = 1u << 11 | 2u << 20;
    dw[7] = 1u | 1u << 2 | 1u << 10;
    command(to, 0x78300000, 2)[1] = 64 | 4u << 25;
    dw = command(to, 0x78080000, 5);
    dw[1] = 32 | 1u << 14;
    dw[2] = VERTICES;
    dw[4] = 32 * 64;
    for (uint32_t i = 0; i < c->vertices; i++) {
        const float at[4] = {(float)(4 + i % 8 * 7), (float)(4 + i / 8 * 6 + i % 3 % 2 * 5), 0, 1};
        memcpy(s->memory + VERTICES + i * 32, at, sizeof at);
        for (uint32_t n = 0; n < 4; n++)
            dword_put(s, VERTICES + i * 32 + 16 + n * 4, 100 * n + i);
    }
    dw = command(to, 0x78090000, 5);
    dw[1] = R32G32B32A32_FLOAT << 16 | 1u << 25;
    dw[3] = 16 | R32G32B32A32_UINT << 16 | 1u << 25;
    dw[2] = dw[4] = 0x11110000;
}

static void put_geometry_state(const struct scene *c, uint32_t **to)
{
    uint32_t *const dw = command(to, 0x78110000, 10);
    command(to, 0x78330000, 2)[1] = 16 | 31u << 16 | 8u << 25; /* 2 KB each */
    dw[1] = GEOMETRY_KERNEL;
    dw[3] = c->geometry;
    dw[6] = 1u << 10 | c->makes << 17 | 3u << 23 | 20u | c->dw[0];
    dw[7] = 1u | 1u << 4 | 1u << 10 | 3u << 11 | c->dw[1];
    dw[8] = c->dw[2];
    if (!c->dynamic)
        dw[8] |= 1u << 30 | c->made << 16;
}

static void put_streams(const struct scene *c, uint32_t **to)
{
    uint32_t *dw = command(to, 0x79170000, c->decls_dw + 1);
    memcpy(dw + 1, c->decls, c->decls_dw * sizeof *dw);
    for (uint32_t n = 0; n < 4; n++) {
        dw = command(to, 0x79180000, 8);
        dw[1] = 1u << 31 | n << 29 | 1u << 21 | 1u << 20;
        dw[2] = STREAMED + n * STREAM_BYTES;
        dw[4] = (c->room ? c->room : STREAM_BYTES) / 4 - 1;
        dw[5] = KEPT_OFFSETS + n * 4;
        dw[7] = c->offset;
    }
    dw = command(to, 0x781e0000, 5);
    dw[1] = 1u << 31 | 1u << 25 | (c->renders ? 0 : 1u << 30) | c->streamout;
    dw[3] = 4 | 12u << 16;
    dw[4] = 8 | 4u << 16;
}

static uint32_t put_scene(struct streamer *s, const struct scene *c, uint32_t dws[MOST_DW])
{
    const uint32_t bases[19] = {0x61010000 | 17, 1,          0,          0,         SURFACES | 1, 0,
                                DYNAMIC | 1,     0,          1,          0,         KERNELS | 1,  0,
                                0xfffff001,      0xfffff001, 0xfffff001, 0xfffff001};
    uint32_t *to = dws + 19, *dw;
    memcpy(dws, bases, sizeof bases);
    put_target(s);
    put_pixel_state(&to);
    put_vertex_state(s, c, &to);
    if (c->geometry)
        put_geometry_state(c, &to);
    if (c->streams)
        put_streams(c, &to);
    command(&to, 0x784b0000, 2)[1] = c->topology;
    dw = command(&to, 0x7b000000, 7);
    dw[2] = c->vertices;
    dw[4] = 1;
    assert_true(to <= dws + MOST_DW);
    return (uint32_t)(to - dws);
}

static void draw(struct streamer *s, const struct scene *c)
{
    uint32_t dw[MOST_DW];
    put_vertex_kernel(s);
    put_pixels(s);
    batch_run(s, dw, put_scene(s, c, dw), true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

static uint32_t counter_at(struct streamer *s, uint32_t offset)
{
    return register_get(s, offset < 0x1000 ? s->base + offset : offset);
}

static void expect_words(const struct streamer *s, unsigned buffer, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(dword_at(s, STREAMED + buffer * STREAM_BYTES + i * 4), words[i]);
    assert_int_equal(dword_at(s, STREAMED + buffer * STREAM_BYTES + count * 4), STALE);
}

/* ---- Streaming out of shaded vertices ---- */

/* Strips as separate primitives; of every other triangle the order is as the reorder mode says. */
static void primitives_stream_out(void **state)
{
    (void)state;
    static const struct {
        uint32_t topology, trailing, vertices, count, words[12];
    } rows[] = {
        {POINTLIST, 0, 3, 3, {0, 1, 2}},
        {LINESTRIP, 0, 4, 6, {0, 1, 1, 2, 2, 3}},
        {TRILIST, 0, 7, 6, {0, 1, 2, 3, 4, 5}},
        {TRISTRIP, 0, 5, 9, {0, 1, 2, 1, 3, 2, 2, 3, 4}},
        {TRISTRIP, 1, 5, 9, {0, 1, 2, 2, 1, 3, 2, 3, 4}},
        {LINELIST_ADJ, 0, 8, 4, {1, 2, 5, 6}},
        {LINESTRIP_ADJ, 0, 6, 6, {1, 2, 2, 3, 3, 4}},
        {TRILIST_ADJ, 0, 6, 3, {0, 2, 4}},
        {TRISTRIP_ADJ, 1, 8, 6, {0, 2, 4, 4, 2, 6}},
    };
    for (EACH_DEVICE(name))
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct streamer *const s = begin(*name);
            const unsigned corners = rows[i].topology == POINTLIST ? 1
                                     : rows[i].topology == LINESTRIP || rows[i].topology == LINELIST_ADJ ||
                                             rows[i].topology == LINESTRIP_ADJ
                                         ? 2
                                         : 3;
            const struct scene c = {.topology = rows[i].topology,
                                    .vertices = rows[i].vertices,
                                    .streams = true,
                                    .streamout = rows[i].trailing << 26,
                                    .decls = numbers,
                                    .decls_dw = 4};
            draw(s, &c);
            expect_words(s, 0, rows[i].words, rows[i].count);
            assert_int_equal(counter_at(s, SO_WRITE_OFFSET), rows[i].count * 4);
            assert_int_equal(dword_at(s, KEPT_OFFSETS), rows[i].count * 4);
            assert_int_equal(counter_at(s, SO_NUM_PRIMS_WRITTEN), rows[i].count / corners);
            assert_int_equal(counter_at(s, SO_PRIM_STORAGE_NEEDED), rows[i].count / corners);
            assert_int_equal(counter_at(s, CL_INVOCATION_COUNT), 0); /* nothing is rendered */
            streamer_destroy(s);
        }
}

/* A primitive is written whole or not at all: where one of its buffers is full, into none. Offsets are set by
 * the state, or come from memory. */
static void buffers_are_full(void **state)
{
    (void)state;
    /* To buffer 0 the number; to buffer 1 its second dword behind a hole, and its third. */
    static const uint32_t two[8] = {
        3, 3, 1u | 2u << 4, 0, 1u | 1u << 11 | 1u << 12, 0, 6u | 2u << 4 | 1u << 12, 0};
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            const struct scene c = {.topology = LINELIST,
                                    .vertices = 12,
                                    .streams = true,
                                    .room = 12 * 7, /* of buffer 1 seven vertices: three lines */
                                    .decls = two,
                                    .decls_dw = 8,
                                    .offset = way == 1   ? 12
                                              : way == 2 ? UINT32_MAX
                                                         : 0};
            for (uint32_t n = 0; n < 4; n++)
                dword_put(s, KEPT_OFFSETS + n * 4, 24);
            draw(s, &c);
            const uint32_t lines = way == 2 ? 2 : 3, from = way * 3;
            for (uint32_t i = 0; i < 2 * lines; i++) {
                assert_int_equal(dword_at(s, STREAMED + (from + i) * 4), i);
                const uint32_t at = STREAMED + STREAM_BYTES + from * 4 + i * 12;
                assert_int_equal(dword_at(s, at), STALE);
                assert_int_equal(dword_at(s, at + 4), 100 + i);
                assert_int_equal(dword_at(s, at + 8), 200 + i);
            }
            assert_int_equal(dword_at(s, STREAMED + (from + 2 * lines) * 4), STALE);
            assert_int_equal(counter_at(s, SO_NUM_PRIMS_WRITTEN), lines);
            assert_int_equal(counter_at(s, SO_PRIM_STORAGE_NEEDED), 6);
            assert_int_equal(counter_at(s, SO_WRITE_OFFSET + 4), from * 4 + lines * 24);
            assert_int_equal(dword_at(s, KEPT_OFFSETS + 4), from * 4 + lines * 24);
            streamer_destroy(s);
        }
}

static void count_stores(void *user, bool write, uint64_t address, const void *data, size_t size_bytes)
{
    struct streamer *const s = user;
    (void)data;
    assert_true(!write || address < STREAMED || address >= STREAMED + 4 * STREAM_BYTES || size_bytes == 12);
    s->blits += write && address >= STREAMED && address < STREAMED + 4 * STREAM_BYTES;
}

/* What of a vertex lies side by side is stored at once, where memory may be far. */
static void stores(void **state)
{
    (void)state;
    static const uint32_t three[4] = {2, 1, 7u | 2u << 4 | 1u << 12, 0};
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct scene c = {
            .topology = POINTLIST, .vertices = 5, .streams = true, .decls = three, .decls_dw = 4};
        uint32_t dw[MOST_DW];
        put_vertex_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_scene(s, &c, dw), true);
        s->blits = 0;
        s->unmapped = true;
        s->touched = count_stores;
        s->user = s;
        softgt_memory_changed(s->device);
        softgt_run(s->device, 1u << 28);
        assert_int_equal(s->blits, 5);
        for (uint32_t i = 0; i < 15; i++)
            assert_int_equal(dword_at(s, STREAMED + STREAM_BYTES + i * 4), i % 3 * 100 + i / 3);
        streamer_destroy(s);
    }
}

/* ---- Geometry shaders ---- */

/* What each topology's objects are, with adjacent vertices or without; their numbers. */
static void objects(void **state)
{
    (void)state;
    enum { TRAILING = 1 << 2, NO_ADJACENCY = 1 << 1 };
    static const struct {
        uint32_t topology, mode, in, vertices, count, words[24];
    } rows[] = {
        {POINTLIST, 0, 1, 10, 10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
        {LINESTRIP, 0, 2, 4, 6, {0, 1, 1, 2, 2, 3}},
        {TRISTRIP, 0, 3, 5, 9, {0, 1, 2, 1, 3, 2, 2, 3, 4}},
        {TRISTRIP, TRAILING, 3, 5, 9, {0, 1, 2, 2, 1, 3, 2, 3, 4}},
        {LINELIST_ADJ, 0, 4, 9, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
        {LINESTRIP_ADJ, 0, 4, 5, 8, {0, 1, 2, 3, 1, 2, 3, 4}},
        {LINESTRIP_ADJ, NO_ADJACENCY, 2, 5, 4, {1, 2, 2, 3}},
        {TRILIST_ADJ, 0, 6, 13, 12, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
        {TRISTRIP_ADJ, 0, 6, 6, 6, {0, 1, 2, 5, 4, 3}},
        {TRISTRIP_ADJ, TRAILING, 6, 10, 18, {0, 1, 2, 6, 4, 3, 4, 0, 2, 5, 6, 8, 4, 2, 6, 9, 8, 7}},
        {TRISTRIP_ADJ, NO_ADJACENCY, 3, 8, 6, {0, 2, 4, 2, 6, 4}},
    };
    static const uint32_t decls[4] = {1, 1, 3u | 2u << 4, 0};
    for (EACH_DEVICE(name))
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct streamer *const s = begin(*name);
            const struct scene c = {.topology = rows[i].topology,
                                    .vertices = rows[i].vertices,
                                    .geometry = rows[i].in,
                                    .makes = POINTLIST,
                                    .dw = {0, rows[i].mode, 0},
                                    .dynamic = true,
                                    .streams = true,
                                    .decls = decls,
                                    .decls_dw = 4};
            put_passing(s, rows[i].in, false);
            draw(s, &c);
            for (uint32_t n = 0; n < rows[i].count; n++)
                assert_int_equal(dword_at(s, STREAMED + n * 4),
                                 n + 1 < rows[i].count ? rows[i].words[n] : rows[i].words[n]);
            assert_int_equal(counter_at(s, GS_INVOCATION_COUNT), rows[i].count / rows[i].in);
            assert_int_equal(counter_at(s, GS_PRIMITIVES_COUNT), rows[i].count);
            streamer_destroy(s);
        }
}

/* An object several times: a thread of its own, whose channels are its invocations. */
static void invocations(void **state)
{
    (void)state;
    enum { INSTANCES = 10 };
    static const uint32_t decls[4] = {1, 1, 7u | 2u << 4, 0};
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct scene c = {.topology = LINELIST,
                                .vertices = 6,
                                .geometry = 2,
                                .makes = LINELIST,
                                .dw = {0, (INSTANCES - 1) << 15, 0},
                                .dynamic = true,
                                .streams = true,
                                .decls = decls,
                                .decls_dw = 4};
        put_passing(s, 2, true);
        draw(s, &c);
        /* Of 12 bytes in a pitch of 4 each covers what the last one left. */
        for (uint32_t n = 0; n < 3 * INSTANCES * 2; n++)
            assert_int_equal(dword_at(s, STREAMED + n * 4), n / (INSTANCES * 2) * 2 + n % 2);
        assert_int_equal(dword_at(s, STREAMED + 3 * INSTANCES * 2 * 4), 2); /* the object */
        assert_int_equal(dword_at(s, STREAMED + 3 * INSTANCES * 2 * 4 + 4), INSTANCES - 1);
        assert_int_equal(counter_at(s, GS_INVOCATION_COUNT), 3 * INSTANCES);
        assert_int_equal(counter_at(s, GS_PRIMITIVES_COUNT), 3 * INSTANCES);
        assert_int_equal(streamer_status(s).thread_groups, 1 + 3 * 2);
        streamer_destroy(s);
    }
}

/* Bits of the control data cut strips; how many vertices is in the entry, or static. */
static void strips_are_cut(void **state)
{
    (void)state;
    static const uint32_t entire[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6},
                          cut[] = {0, 1, 2, 3, 4, 5, 5, 4, 6}; /* behind the third */
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 4; way++) {
            struct streamer *const s = begin(*name);
            const bool cuts = way & 1u, dynamic = way & 2u;
            const struct scene c = {.topology = POINTLIST,
                                    .vertices = 1,
                                    .geometry = 1,
                                    .makes = TRISTRIP,
                                    .dw = {0, cuts ? 1u << 20 : 0, 0},
                                    .dynamic = dynamic,
                                    .made = 7,
                                    .streams = true,
                                    .streamout = 1u << 26,
                                    .decls = numbers,
                                    .decls_dw = 4};
            const unsigned control = dynamic ? 2 : 0, first = control + (cuts ? 2 : 0);
            get_vertex(reg(3, TYPE_UD));
            for (unsigned i = 0; i < 7; i++) {
                KERNEL_1(&k, EU_MOV, eight, reg(NUMBER, TYPE_UD), imm(i, TYPE_UD));
                put_vertex(first + i * VERTEX_OWORDS);
            }
            if (cuts)
                put_dword(control, 1u << 2, false);
            if (dynamic)
                put_dword(0, 7, true);
            else
                put_dword(first + 3, 0, true);
            take_kernel(s, GEOMETRY_KERNEL);
            draw(s, &c);
            expect_words(s, 0, cuts ? cut : entire, cuts ? 9 : 15);
            assert_int_equal(counter_at(s, GS_PRIMITIVES_COUNT), cuts ? 3 : 5);
            streamer_destroy(s);
        }
}

/* Two bits of each vertex name its stream; one of them is rendered. */
static void streams(void **state)
{
    (void)state;
    static const uint32_t decls[4] = {1u | 2u << 4 | 4u << 8 | 8u << 12, 0x01010101, 0x21u | 0x1021u << 16,
                                      0x2021u | 0x3021u << 16};
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct scene c = {.topology = POINTLIST,
                                .vertices = 2,
                                .geometry = 1,
                                .makes = POINTLIST,
                                .dw = {0, 1u << 20, 1u << 31},
                                .dynamic = true,
                                .streams = true,
                                .renders = true,
                                .streamout = 2u << 27,
                                .decls = decls,
                                .decls_dw = 4};
        get_vertex(reg(3, TYPE_UD));
        for (unsigned i = 0; i < 6; i++) {
            KERNEL_1(&k, EU_MOV, eight, reg(NUMBER, TYPE_UD), imm(50 + i, TYPE_UD));
            put_vertex(4 + i * VERTEX_OWORDS);
        }
        put_dword(2, 0x0e4 | 2u << 8 | 1u << 10, false); /* 0, 1, 2, 3, 2, 1 */
        put_dword(0, 6, true);
        take_kernel(s, GEOMETRY_KERNEL);
        draw(s, &c);
        static const uint32_t written[4] = {2, 4, 4, 2};
        for (uint32_t n = 0; n < 4; n++) {
            assert_int_equal(counter_at(s, SO_NUM_PRIMS_WRITTEN + n * 8), written[n]);
            assert_int_equal(dword_at(s, STREAMED + n * STREAM_BYTES), 50 + n);
        }
        assert_int_equal(counter_at(s, CL_INVOCATION_COUNT), 4);
        assert_int_equal(counter_at(s, GS_PRIMITIVES_COUNT), 12);
        streamer_destroy(s);
    }
}

/* Its triangles are seen: with places, and numbers for pixels. */
static uint32_t color_at(const struct streamer *s, uint32_t x, uint32_t y)
{
    return dword_at(s, TARGET + y * PITCH + x * 16);
}

static const struct scene seen = {.topology = TRILIST,
                                  .vertices = 24,
                                  .geometry = 3,
                                  .makes = TRILIST,
                                  .dynamic = true,
                                  .streams = true,
                                  .renders = true,
                                  .decls = numbers,
                                  .decls_dw = 4};

/* The numbers alone: beside them there is what only a geometry shader tells. */
static uint32_t image_of(const struct streamer *s)
{
    uint32_t sum = 2166136261u;
    for (uint32_t i = 0; i < PITCH * HEIGHT; i += 16)
        sum = (sum ^ dword_at(s, TARGET + i)) * 16777619u;
    return sum;
}

/* Rows of eight vertices: the third triangle goes from 6 and 7 to 8, in the next row. */
static void primitives_are_drawn(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name), *const without = begin(*name);
        struct scene c = seen;
        uint32_t lit = 0;
        put_passing(s, 3, false);
        draw(s, &c);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                lit += color_at(s, x, y) != STALE;
        assert_int_equal(color_at(s, 44, 4), 6); /* the first vertex's number: one is flat */
        assert_true(lit > 100);
        c.geometry = 0;
        c.streams = false;
        draw(without, &c);
        assert_int_equal(image_of(s), image_of(without));
        assert_int_equal(counter_at(s, CL_INVOCATION_COUNT), counter_at(without, CL_INVOCATION_COUNT));
        streamer_destroy(s);
        streamer_destroy(without);
    }
}

/* Instructions before a kernel, so that slices end in it. */
static void put_delay(void)
{
    for (unsigned i = 0; i < 300; i++)
        KERNEL_1(&k, EU_MOV, eight, reg(60, TYPE_UD), imm(i, TYPE_UD));
}

/* In pieces of every size, saved and loaded between them. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name), *const entire = begin(*name);
        unsigned within = 0, midway = 0;
        uint32_t dw[MOST_DW];
        struct scene c = seen;
        c.vertices = 60;
        put_passing(entire, 3, false);
        draw(entire, &c);
        put_delay();
        put_passing(s, 3, false);
        put_vertex_kernel(s);
        put_delay();
        put_pixels(s);
        batch_put(s, dw, put_scene(s, &c, dw), true);
        for (unsigned i = 0; softgt_run(s->device, 1 + i % 100); i++) {
            within += dispatcher_of(&s->device->engines[0])->work.setup.payload == SHADER_STAGE_GS;
            midway += dispatcher_of(&s->device->engines[0])->draws->draw.cursor.phase >= DRAW_GS_OUTPUT &&
                      draw_shades_pixels(dispatcher_of(&s->device->engines[0]));
            reload(s->device);
            assert_true(i < 10000);
        }
        assert_true(within && midway);
        assert_int_equal(image_of(s), image_of(entire));
        for (uint32_t i = 0; i < 62; i++)
            assert_int_equal(dword_at(s, STREAMED + i * 4), i < 60 ? i : STALE);
        assert_int_equal(counter_at(s, SO_NUM_PRIMS_WRITTEN), 20);
        assert_int_equal(counter_at(s, GS_INVOCATION_COUNT), 20);
        assert_int_equal(counter_at(s, VS_INVOCATION_COUNT), 60);
        streamer_destroy(s);
        streamer_destroy(entire);
    }
}

/* A draw ends with a reset in what a geometry shader made: of the one behind it there is nothing of that, and
 * its saves load. */
static void behind_a_reset(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[MOST_DW];
        struct scene c = seen;
        put_passing(s, 3, false);
        put_vertex_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_scene(s, &c, dw), true);
        while (dispatcher_of(&s->device->engines[0])->draws->draw.cursor.phase < DRAW_GS_OUTPUT ||
               !draw_shades_pixels(dispatcher_of(&s->device->engines[0])))
            assert_true(softgt_run(s->device, 1));
        streamer_start(s, 0);
        c.geometry = 0;
        put_delay();
        put_vertex_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_scene(s, &c, dw), true);
        while (!dispatch_has_work(&dispatcher_of(&s->device->engines[0])->work))
            assert_true(softgt_run(s->device, 1));
        do
            reload(s->device);
        while (softgt_run(s->device, 50));
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_not_equal(color_at(s, 44, 4), STALE);
        streamer_destroy(s);
    }
}

/* Another context comes in: no object is shaded twice, none is streamed twice. */
static void preempted(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name), *const entire = begin(*name);
        uint32_t dw[MOST_DW];
        struct scene c = seen;
        c.vertices = 60;
        put_passing(entire, 3, false);
        draw(entire, &c);
        put_passing(s, 3, false);
        put_vertex_kernel(s);
        put_pixels(s);
        register_put(s, FF_SLICE_CS_CHICKEN3, 1u << 16 | 1);
        context_put(s, 0, dw, put_scene(s, &c, dw));
        context_submit(s, 0);
        while (dispatcher_of(&s->device->engines[0])->draws->draw.cursor.phase < DRAW_GS_OUTPUT)
            assert_true(softgt_run(s->device, 1));
        another_context_comes(s);
        assert_int_equal(dword_at(s, STREAMED + 59 * 4), STALE);
        context_submit(s, 0);
        softgt_run(s->device, 1 << 22);
        for (uint32_t i = 0; i < 60; i++)
            assert_int_equal(dword_at(s, STREAMED + i * 4), i);
        assert_int_equal(image_of(s), image_of(entire));
        assert_int_equal(counter_at(s, GS_INVOCATION_COUNT), 20);
        streamer_destroy(s);
        streamer_destroy(entire);
    }
}

/* Counters of performance: threads of geometry shaders are A5; of those that are flexible one sees what they
 * send, by the filter of theirs. (SYS-20) */
static void observed(void **state)
{
    (void)state;
    enum {
        SENDS = 2,
        OF_GS = 4 << 4,
        OF_HS = 2 << 4,
        THREADS = 1,
        SENT = 3 * (1 + 1 + 9 + 5) + 2
    }; /* registers */
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const uint32_t a = counters_of(s).a;
        counters_start(s);
        register_put(s, 0xe458, SENDS | OF_GS | (SENDS | OF_HS) << 12);
        put_passing(s, 3, false);
        draw(s, &seen);
        softgt_advance(s->device, 1000000);
        assert_int_equal(register_get(s, a + 5 * 8), THREADS);
        assert_int_equal(register_get(s, a + 2 * 8), 0);
        assert_int_equal(register_get(s, a + 7 * 8), THREADS * SENT);
        assert_int_equal(register_get(s, a + 8 * 8), 0);
        streamer_destroy(s);
    }
}

/* A count that the entry has no room for, and one that is not there, make what fits. */
static void counts_beyond_the_entry(void **state)
{
    (void)state;
    enum { FIT = (32 * 16 - 8) / 16 };
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct scene c = {.topology = POINTLIST,
                                .vertices = 3,
                                .geometry = 1,
                                .makes = POINTLIST,
                                .dynamic = true,
                                .streams = true,
                                .decls = numbers,
                                .decls_dw = 4};
        put_dword(0, UINT32_MAX, true);
        take_kernel(s, GEOMETRY_KERNEL);
        draw(s, &c);
        assert_int_equal(counter_at(s, GS_PRIMITIVES_COUNT), 3 * FIT);
        streamer_destroy(s);
    }
}

/* What is not modelled is told by name, and nothing is drawn. */
static void what_is_left(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            struct scene c = seen;
            uint32_t dw[MOST_DW];
            put_passing(s, 3, false);
            put_vertex_kernel(s);
            put_pixels(s);
            if (way == 1)
                c.makes = 7; /* quads */
            if (way == 2)
                c.geometry = 2;
            const uint32_t count = put_scene(s, &c, dw);
            for (uint32_t i = 19; !way && i < count; i += (dw[i] & 0xff) + 2)
                if (dw[i] == (0x78110000 | 8))
                    dw[i + 7] ^= 1u << 11; /* two objects at once */
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(streamer_status(s).thread_groups, 0);
            assert_int_equal(dword_at(s, STREAMED), STALE);
            streamer_destroy(s);
        }
}

TEST_PROGRAM(geometry_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_stream_out),
        cmocka_unit_test(buffers_are_full),
        cmocka_unit_test(stores),
        cmocka_unit_test(objects),
        cmocka_unit_test(invocations),
        cmocka_unit_test(strips_are_cut),
        cmocka_unit_test(streams),
        cmocka_unit_test(primitives_are_drawn),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(behind_a_reset),
        cmocka_unit_test(preempted),
        cmocka_unit_test(observed),
        cmocka_unit_test(counts_beyond_the_entry),
        cmocka_unit_test(what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
