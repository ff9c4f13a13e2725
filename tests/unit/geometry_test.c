/* Geometry shaders and vertices that stream out, from the ring to memory, on every generation that runs
 * threads: payload, invocations, adjacent vertices, what cuts and what names streams, counts; declarations,
 * holes, buffers and their offsets, what has no room; the same however the run is cut, saved and loaded; what
 * is not modelled is told. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../entries.h"

#include "../saved.h"

enum {
    STREAMED = 1616 * KB,
    STREAM_BYTES = 4 * KB, /* from one buffer to the next */
    KEPT_OFFSETS = 1636 * KB,
    VERTEX_KERNEL = 8 * KB, /* from the instruction base, like the next one */
    GEOMETRY_KERNEL = 16 * KB
};
enum { POINTLIST = 1, LINELIST, LINESTRIP, LINELIST_ADJ = 9, LINESTRIP_ADJ, TRILIST_ADJ, TRISTRIP_ADJ };
enum { HANDLES = 1 }; /* a register */
enum { MOST_MORE_DW = 192 };

/* What a test draws: of each vertex a place, and its number. */
struct shaded {
    uint32_t topology, vertices;
    uint32_t geometry; /* vertices that the shader expects; 0: there is none */
    uint32_t makes;    /* its output topology */
    uint32_t dw[3];    /* more of dwords 6 to 8 of 3DSTATE_GS */
    bool dynamic;      /* it says how many vertices it made */
    uint32_t made;     /* else: how many */
    bool streams, renders;
    bool no_kernel;        /* 3DSTATE_PS enables none, 3DSTATE_PS_EXTRA has a valid pixel shader, and the
                              binding table no render target */
    uint32_t streamout;    /* more of dword 1 of 3DSTATE_STREAMOUT */
    uint32_t room;         /* bytes of each buffer; 0: all */
    const uint32_t *decls; /* 3DSTATE_SO_DECL_LIST from dword 1 on */
    uint32_t decls_dw;
    uint32_t offset; /* what the buffers' offsets are set to */
};

/* Stream 0 to buffer 0: the number of each vertex. */
static const uint32_t numbers[4] = {1, 1, 1u | 2u << 4, 0};

static void take_kernel(struct streamer *s, uint32_t at)
{
    kernel_finish(&k);
    memcpy(s->memory + KERNELS + at, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
    k.count = 0;
}

/* Header, place, number: as they were fetched. */
static void put_vertex_kernel(struct streamer *s)
{
    for (unsigned i = 0; i < 8; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 1 + i, TYPE_UD),
                 i < 4 ? imm(0, TYPE_UD) : lane(2 + i - 4, TYPE_UD));
    urb_write(HANDLES, 0, PAYLOAD, 8, false);
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 10 + i, TYPE_UD), lane(6 + i, TYPE_UD));
    urb_write(HANDLES, 2, PAYLOAD + 9, 4, true);
    take_kernel(s, VERTEX_KERNEL);
}

static void put_pixels(struct streamer *s)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), attribute(i));
    put_write();
    take_kernel(s, 0);
}

/* A geometry shader: eight dwords of header and place, then the number; made vertices are of twelve dwords
 * each, in 16 more: 64 bytes. Vertex v's is at oword `first` + 4 v. */
enum { VERTEX_OWORDS = 4, NUMBER = 90, PLACE = 80 };

static void put_vertex(unsigned oword)
{
    for (unsigned i = 0; i < 8; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 1 + i, TYPE_UD),
                 i < 4 ? imm(0, TYPE_UD) : lane(PLACE + i - 4, TYPE_UD));
    urb_write(HANDLES, oword, PAYLOAD, 8, false);
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 1 + i, TYPE_UD), lane(NUMBER + i, TYPE_UD));
    urb_write(HANDLES, oword + 2, PAYLOAD, 4, false);
}

/* Reads a vertex where its handles are. */
static void get_vertex(struct op handles)
{
    enum { OF_VERTEX = 70 };
    KERNEL_1(&k, EU_MOV, lanes(), lane(OF_VERTEX, TYPE_UD), handles);
    urb_read(OF_VERTEX, 1, PLACE, 4);
    urb_read(OF_VERTEX, 2, NUMBER, 4);
}

/* The first dword of the entry, or of its control data: at the oword. */
static void put_dword(unsigned oword, uint32_t value, bool end)
{
    KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 1, TYPE_UD), imm(value, TYPE_UD));
    urb_write(HANDLES, oword, PAYLOAD, 1, end);
}

/* All vertices that it gets, as they are: numbers' second dword is the object's, the third the invocation. */
static void put_passing(struct streamer *s, unsigned vertices, bool instanced)
{
    for (unsigned i = 0; i < vertices; i++) {
        get_vertex(instanced ? lane_value(3, i * 4, TYPE_UD) : lane(3 + i, TYPE_UD));
        KERNEL_1(&k, EU_MOV, lanes(), lane(NUMBER + 1, TYPE_UD), lane(2, TYPE_UD));
        KERNEL_2(&k, EU_SHR, lanes(), lane(NUMBER + 2, TYPE_UD), lane(HANDLES, TYPE_UD), imm(27, TYPE_UD));
        put_vertex(2 + i * VERTEX_OWORDS);
    }
    put_dword(0, vertices, true);
    take_kernel(s, GEOMETRY_KERNEL);
}

/* Vertices: x, y, 0 and 1; the number as a dword. */
static void put_vertex_state(struct streamer *s, const struct shaded *c, uint32_t **to)
{
    enum { VERTEX_BYTES = 32, MOST_VERTICES = 64 };
    for (uint32_t i = 0; i < c->vertices; i++) {
        const float at[4] = {(float)(4 + i % 8 * 7), (float)(4 + i / 8 * 6 + i % 3 % 2 * 5), 0, 1};
        memcpy(s->memory + VERTICES + i * VERTEX_BYTES, at, sizeof at);
        for (uint32_t n = 0; n < 4; n++)
            dword_put(s, VERTICES + i * VERTEX_BYTES + 16 + n * 4, 100 * n + i);
    }
    commands_put(s->device, 0, to,
                 "3DSTATE_CLIP statistics_enable, clip_enable, perspective_divide_disable\n"
                 "3DSTATE_VS kernel_start_pointer = %u, vertex_urb_entry_read_length = 1,"
                 " dispatch_grf_start_register_for_urb_data = 2, enable, statistics_enable%s\n"
                 "3DSTATE_URB_VS vs_number_of_urb_entries = 64, vs_urb_starting_address = 4\n"
                 "3DSTATE_VERTEX_BUFFERS" VERTEX_BUFFER "\n"
                 "3DSTATE_VERTEX_ELEMENTS"
                 " { 0, 0, r32g32b32a32_float, 1, 0, store_src, store_src, store_src, store_src },"
                 " { 16, 0, r32g32b32a32_uint, 1, 0, store_src, store_src, store_src, store_src }\n"
                 "3DSTATE_VF_SGVS",
                 VERTEX_KERNEL, has_wide_registers() ? "" : ", simd8_dispatch_enable", 0, VERTEX_BYTES,
                 VERTICES, VERTEX_BYTES * MOST_VERTICES);
}

/* Entries of 2 KB each. */
static void put_geometry_state(struct streamer *s, const struct shaded *c, uint32_t **to)
{
    commands_put(s->device, 0, to,
                 "3DSTATE_URB_GS gs_number_of_urb_entries = 16, gs_urb_entry_allocation_size = 31,"
                 " gs_urb_starting_address = 8\n"
                 "3DSTATE_GS kernel_start_pointer = %u, expected_vertex_count = %u, dw6 = %u,"
                 " include_vertex_handles, output_topology = %u, output_vertex_size = 3,"
                 " dispatch_grf_start_register_for_urb_data = 4, vertex_urb_entry_read_offset = 1, dw7 = %u,"
                 " enable, include_primitive_id, statistics_enable%s, dw8 = %u, static_output = %u,"
                 " static_output_vertex_count = %u",
                 GEOMETRY_KERNEL, c->geometry, c->dw[0], c->makes, c->dw[1],
                 has_wide_registers() ? "" : ", dispatch_mode = simd8", c->dw[2], !c->dynamic,
                 c->dynamic ? 0 : c->made);
}

static void put_streams(struct streamer *s, const struct shaded *c, uint32_t **to)
{
    uint32_t *const list = *to;
    commands_put(s->device, 0, to, "3DSTATE_SO_DECL_LIST length = %u", c->decls_dw + 1);
    memcpy(list + 1, c->decls, c->decls_dw * sizeof *list);
    for (uint32_t n = 0; n < 4; n++)
        commands_put(s->device, 0, to,
                     "3DSTATE_SO_BUFFER so_buffer_enable, so_buffer_index = %u, stream_offset_write_enable,"
                     " stream_output_buffer_offset_address_enable, surface_base_address = %u,"
                     " surface_size = %u, stream_output_buffer_offset_address = %u, stream_offset = %u",
                     n, STREAMED + n * STREAM_BYTES, (c->room ? c->room : STREAM_BYTES) / 4 - 1,
                     KEPT_OFFSETS + n * 4, c->offset);
    commands_put(s->device, 0, to,
                 "3DSTATE_STREAMOUT dw1 = %u, so_function_enable, so_statistics_enable,"
                 " rendering_disable = %u, buffer_0_surface_pitch = 4, buffer_1_surface_pitch = 12,"
                 " buffer_2_surface_pitch = 8, buffer_3_surface_pitch = 4",
                 c->streamout, !c->renders);
}

static uint32_t put_shaded(struct streamer *s, const struct shaded *c, uint32_t dws[MOST_DW])
{
    uint32_t more[MOST_MORE_DW], *to = more;
    for (uint32_t i = 0; i < 4 * STREAM_BYTES; i += 4)
        dword_put(s, STREAMED + i, STALE);
    put_vertex_state(s, c, &to);
    if (c->geometry)
        put_geometry_state(s, c, &to);
    if (c->streams)
        put_streams(s, c, &to);
    if (c->no_kernel)
        commands_put(s->device, 0, &to, "3DSTATE_PS");
    assert_true(to <= more + MOST_MORE_DW);
    const struct scene scene = {.topology = c->topology,
                                .vertices = c->vertices,
                                .format = R32G32B32A32_UINT,
                                .attributes = 1,
                                .constant = 1,
                                .more = more,
                                .more_dw = (uint32_t)(to - more)};
    const uint32_t count = put_scene(s, &scene, dws);
    if (c->no_kernel)
        memset(dwords_at(s, SURFACES + STATES_AT), 0x5f, 64);
    return count;
}

static void draw(struct streamer *s, const struct shaded *c)
{
    uint32_t dw[MOST_DW];
    put_vertex_kernel(s);
    put_pixels(s);
    batch_run(s, dw, put_shaded(s, c, dw), true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
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
    for (EACH_DRAW_DEVICE(name))
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct streamer *const s = begin(*name);
            const unsigned corners = rows[i].topology == POINTLIST ? 1
                                     : rows[i].topology == LINESTRIP || rows[i].topology == LINELIST_ADJ ||
                                             rows[i].topology == LINESTRIP_ADJ
                                         ? 2
                                         : 3;
            const struct shaded c = {.topology = rows[i].topology,
                                     .vertices = rows[i].vertices,
                                     .streams = true,
                                     .streamout = rows[i].trailing << 26,
                                     .decls = numbers,
                                     .decls_dw = 4};
            draw(s, &c);
            expect_words(s, 0, rows[i].words, rows[i].count);
            assert_int_equal(counter_at(s, "SO_WRITE_OFFSET[0]"), rows[i].count * 4);
            assert_int_equal(dword_at(s, KEPT_OFFSETS), rows[i].count * 4);
            assert_int_equal(counter_at(s, "SO_NUM_PRIMS_WRITTEN[0]"), rows[i].count / corners);
            assert_int_equal(counter_at(s, "SO_PRIM_STORAGE_NEEDED[0]"), rows[i].count / corners);
            assert_int_equal(counter_at(s, "CL_INVOCATION_COUNT"), 0); /* nothing is rendered */
            streamer_destroy(s);
        }
}

/* Without rendering no pixel shader runs: it needs no kernel and no surfaces. */
static void streams_out_without_pixel_kernel(void **state)
{
    (void)state;
    static const uint32_t words[3] = {0, 1, 2};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct shaded c = {.topology = POINTLIST,
                                 .vertices = 3,
                                 .streams = true,
                                 .no_kernel = true,
                                 .decls = numbers,
                                 .decls_dw = 4};
        draw(s, &c);
        expect_words(s, 0, words, 3);
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
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            const struct shaded c = {.topology = LINELIST,
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
            assert_int_equal(counter_at(s, "SO_NUM_PRIMS_WRITTEN[0]"), lines);
            assert_int_equal(counter_at(s, "SO_PRIM_STORAGE_NEEDED[0]"), 6);
            assert_int_equal(counter_at(s, "SO_WRITE_OFFSET[1]"), from * 4 + lines * 24);
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
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct shaded c = {
            .topology = POINTLIST, .vertices = 5, .streams = true, .decls = three, .decls_dw = 4};
        uint32_t dw[MOST_DW];
        put_vertex_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_shaded(s, &c, dw), true);
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
    for (EACH_DRAW_DEVICE(name))
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct streamer *const s = begin(*name);
            const struct shaded c = {.topology = rows[i].topology,
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
            assert_int_equal(counter_at(s, "GS_INVOCATION_COUNT"), rows[i].count / rows[i].in);
            assert_int_equal(counter_at(s, "GS_PRIMITIVES_COUNT"), rows[i].count);
            streamer_destroy(s);
        }
}

/* An object several times: a thread of its own, whose channels are its invocations. */
static void invocations(void **state)
{
    (void)state;
    enum { INSTANCES = 10 };
    static const uint32_t decls[4] = {1, 1, 7u | 2u << 4, 0};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct shaded c = {.topology = LINELIST,
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
        assert_int_equal(counter_at(s, "GS_INVOCATION_COUNT"), 3 * INSTANCES);
        assert_int_equal(counter_at(s, "GS_PRIMITIVES_COUNT"), 3 * INSTANCES);
        assert_int_equal(streamer_status(s).thread_groups, 1 + 3 * (INSTANCES / lanes().channels + 1));
        streamer_destroy(s);
    }
}

/* Bits of the control data cut strips; how many vertices is in the entry, or static. */
static void strips_are_cut(void **state)
{
    (void)state;
    static const uint32_t entire[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6},
                          cut[] = {0, 1, 2, 3, 4, 5, 5, 4, 6}; /* behind the third */
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 4; way++) {
            struct streamer *const s = begin(*name);
            const bool cuts = way & 1u, dynamic = way & 2u;
            const struct shaded c = {.topology = POINTLIST,
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
            get_vertex(lane(3, TYPE_UD));
            for (unsigned i = 0; i < 7; i++) {
                KERNEL_1(&k, EU_MOV, lanes(), lane(NUMBER, TYPE_UD), imm(i, TYPE_UD));
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
            assert_int_equal(counter_at(s, "GS_PRIMITIVES_COUNT"), cuts ? 3 : 5);
            streamer_destroy(s);
        }
}

/* Two bits of each vertex name its stream; one of them is rendered. */
static void streams(void **state)
{
    (void)state;
    /* Buffer n has stream n: the first component of register 2. */
    enum { DECL = 1 | 2 << 4, SLOT_AT = 12 };
    static const uint32_t decls[4] = {1 | 2 << 4 | 4 << 8 | 8 << 12, 1 | 1 << 8 | 1 << 16 | 1 << 24,
                                      DECL | (DECL | 1 << SLOT_AT) << 16,
                                      (DECL | 2 << SLOT_AT) | (uint32_t)(DECL | 3 << SLOT_AT) << 16};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct shaded c = {.topology = POINTLIST,
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
        get_vertex(lane(3, TYPE_UD));
        for (unsigned i = 0; i < 6; i++) {
            KERNEL_1(&k, EU_MOV, lanes(), lane(NUMBER, TYPE_UD), imm(50 + i, TYPE_UD));
            put_vertex(4 + i * VERTEX_OWORDS);
        }
        put_dword(2, 0 | 1 << 2 | 2 << 4 | 3 << 6 | 2 << 8 | 1 << 10, false);
        put_dword(0, 6, true);
        take_kernel(s, GEOMETRY_KERNEL);
        draw(s, &c);
        static const uint32_t written[4] = {2, 4, 4, 2};
        for (uint32_t n = 0; n < 4; n++) {
            assert_int_equal(register_get(s, register_offset(s->device, "SO_NUM_PRIMS_WRITTEN[0]") + n * 8),
                             written[n]);
            assert_int_equal(dword_at(s, STREAMED + n * STREAM_BYTES), 50 + n);
        }
        assert_int_equal(counter_at(s, "CL_INVOCATION_COUNT"), 4);
        assert_int_equal(counter_at(s, "GS_PRIMITIVES_COUNT"), 12);
        streamer_destroy(s);
    }
}

/* Its triangles are seen: with places, and numbers for pixels. */
static uint32_t color_at(const struct streamer *s, uint32_t x, uint32_t y)
{
    return dword_at(s, TARGET + y * PITCH + x * 16);
}

static const struct shaded seen = {.topology = TRILIST,
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
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name), *const without = begin(*name);
        struct shaded c = seen;
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
        assert_int_equal(counter_at(s, "CL_INVOCATION_COUNT"), counter_at(without, "CL_INVOCATION_COUNT"));
        streamer_destroy(s);
        streamer_destroy(without);
    }
}

/* Instructions before a kernel, so that slices end in it. */
static void put_delay(void)
{
    for (unsigned i = 0; i < 300; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(60, TYPE_UD), imm(i, TYPE_UD));
}

/* In pieces of every size, saved and loaded between them. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name), *const entire = begin(*name);
        unsigned within = 0, midway = 0;
        uint32_t dw[MOST_DW];
        struct shaded c = seen;
        c.vertices = 60;
        put_passing(entire, 3, false);
        draw(entire, &c);
        put_delay();
        put_passing(s, 3, false);
        put_vertex_kernel(s);
        put_delay();
        put_pixels(s);
        batch_put(s, dw, put_shaded(s, &c, dw), true);
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
        assert_int_equal(counter_at(s, "SO_NUM_PRIMS_WRITTEN[0]"), 20);
        assert_int_equal(counter_at(s, "GS_INVOCATION_COUNT"), 20);
        assert_int_equal(counter_at(s, "VS_INVOCATION_COUNT"), 60);
        streamer_destroy(s);
        streamer_destroy(entire);
    }
}

/* A draw ends with a reset in what a geometry shader made: of the one behind it there is nothing of that, and
 * its saves load. */
static void behind_a_reset(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[MOST_DW];
        struct shaded c = seen;
        put_passing(s, 3, false);
        put_vertex_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_shaded(s, &c, dw), true);
        while (dispatcher_of(&s->device->engines[0])->draws->draw.cursor.phase < DRAW_GS_OUTPUT ||
               !draw_shades_pixels(dispatcher_of(&s->device->engines[0])))
            assert_true(softgt_run(s->device, 1));
        streamer_start(s, 0);
        c.geometry = 0;
        put_delay();
        put_vertex_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_shaded(s, &c, dw), true);
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
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name), *const entire = begin(*name);
        uint32_t dw[MOST_DW];
        struct shaded c = seen;
        c.vertices = 60;
        put_passing(entire, 3, false);
        draw(entire, &c);
        put_passing(s, 3, false);
        put_vertex_kernel(s);
        put_pixels(s);
        masked_put(s, "FF_SLICE_CS_CHICKEN3", 1, 1);
        context_put(s, 0, dw, put_shaded(s, &c, dw));
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
        assert_int_equal(counter_at(s, "GS_INVOCATION_COUNT"), 20);
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
        SENT = 3 * (1 + 1 + 9 + 5) + 2,
        SENT_IN_FOURS = 3 * (1 + 1 + 5 + 5 + 5) + 2, /* a message has four dwords of a channel at most */
    };                                               /* registers, which are counted in 32 bytes */
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const uint32_t a = counters_of(s).a;
        counters_start(s);
        register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL0"),
                     SENDS | OF_GS | (SENDS | OF_HS) << 12);
        put_passing(s, 3, false);
        draw(s, &seen);
        softgt_advance(s->device, 1000000);
        assert_int_equal(register_get(s, a + 5 * 8), THREADS);
        assert_int_equal(register_get(s, a + 2 * 8), 0);
        assert_int_equal(register_get(s, a + 7 * 8),
                         THREADS * (has_wide_registers() ? 2 * SENT_IN_FOURS : SENT));
        assert_int_equal(register_get(s, a + 8 * 8), 0);
        streamer_destroy(s);
    }
}

/* A count that the entry has no room for, and one that is not there, make what fits. */
static void counts_beyond_the_entry(void **state)
{
    (void)state;
    enum { FIT = (32 * 16 - 8) / 16 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct shaded c = {.topology = POINTLIST,
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
        assert_int_equal(counter_at(s, "GS_PRIMITIVES_COUNT"), 3 * FIT);
        streamer_destroy(s);
    }
}

/* What is not modelled is told by name, and nothing is drawn. */
static void what_is_left(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            struct shaded c = seen;
            uint32_t dw[MOST_DW];
            if (!way && has_wide_registers()) { /* which has no dispatch modes */
                streamer_destroy(s);
                continue;
            }
            put_passing(s, 3, false);
            put_vertex_kernel(s);
            put_pixels(s);
            if (way == 1)
                c.makes = 7; /* quads */
            if (way == 2)
                c.geometry = 2;
            const uint32_t count = put_shaded(s, &c, dw);
            if (!way) /* two objects at once */
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_GS"),
                            {"Dispatch Mode", 2});
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
        cmocka_unit_test(streams_out_without_pixel_kernel),
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
