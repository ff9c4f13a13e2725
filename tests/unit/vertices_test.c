/* Vertices that threads shade, from the ring to memory, on every generation that runs threads: payload and
 * constants, the URB's messages, which vertices are shaded once and which again, what cuts, what is packed;
 * the same however the run is cut, saved and loaded; what a thread writes beyond its entries is nowhere. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../entries.h"

#include "../random.h"
#include "../saved.h"
#include "tiles/parallel_tiles.h"

enum {
    INDICES = 1608 * KB,
    STREAMED = 1664 * KB,
    STREAMED_BYTES = 4 * KB,
    VERTEX_KERNEL = 4 * KB, /* from the instruction base, like the next one */
    GEOMETRY_KERNEL = 8 * KB
};
enum { HANDLES = 1, CONSTANTS_IN = 2, FETCHED = 3 }; /* registers */
enum { MOST_MORE_DW = 128 };

/* What a test draws: of each vertex x, y, and two numbers, of which the first goes on to pixels. */
struct shaded {
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
static const struct shaded plain = {.topology = TRISTRIP, .vertices = 4, .at = square};

/* To the fetched place constants are added; the header names the instance; the color is the first number. */
static void put_head(void)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 1 + i, TYPE_UD),
                 i == 1 ? lane(FETCHED + 4, TYPE_UD) : imm(0, TYPE_UD));
    for (unsigned i = 0; i < 2; i++)
        KERNEL_2(&k, EU_ADD, lanes(), lane(PAYLOAD + 5 + i, TYPE_F), lane(FETCHED + i, TYPE_F),
                 lane_value(CONSTANTS_IN, i * 4, TYPE_F));
    KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 7, TYPE_F), imm(0, TYPE_F));
    KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 8, TYPE_F), imm(float_bits(1), TYPE_F));
    urb_write(HANDLES, 0, PAYLOAD, 8, false);
}

static void put_tail(unsigned color)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 10 + i, TYPE_UD), lane(color, TYPE_UD));
    urb_write(HANDLES, 2, PAYLOAD + 9, 4, true);
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
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), attribute(i));
    put_write();
    put_kernel(s);
}

/* Constants of one register of the device, from the base of dynamic state on. */
static void put_constants(struct streamer *s, const struct shaded *c, uint32_t **to)
{
    const float moved[2] = {2, 3};
    memcpy(s->memory + DYNAMIC + PUSHED, moved, sizeof moved);
    if (c->all)
        commands_put(s->device, 0, to,
                     "3DSTATE_CONSTANT_ALL vertex_shader_update_enable, pointer_buffer_mask = 1 { %u, %u }",
                     kernel_rows(k.set), PUSHED);
    else
        commands_put(s->device, 0, to, "3DSTATE_CONSTANT_VS read_length_0 = %u, buffer_0 = %u",
                     kernel_rows(k.set), PUSHED);
}

static void put_vertex_state(struct streamer *s, const struct shaded *c, uint32_t **to)
{
    enum { VERTEX_BYTES = 16, MOST_VERTICES = 16 };
    commands_put(s->device, 0, to,
                 "3DSTATE_VS kernel_start_pointer = %u, vertex_urb_entry_read_length = 1,"
                 " dispatch_grf_start_register_for_urb_data = %u, dw7 = %u, enable, statistics_enable%s\n"
                 "3DSTATE_URB_VS vs_number_of_urb_entries = 64, vs_urb_entry_allocation_size = %u,"
                 " vs_urb_starting_address = 4",
                 VERTEX_KERNEL, CONSTANTS_IN, c->vertex_state,
                 has_wide_registers() ? "" : ", simd8_dispatch_enable", c->entry);
    put_constants(s, c, to);
    memcpy(s->memory + VERTICES, c->at, VERTEX_BYTES * (c->indices ? 4 : c->vertices));
    /* place and numbers; the instance, which is generated */
    commands_put(s->device, 0, to,
                 "3DSTATE_VERTEX_BUFFERS" VERTEX_BUFFER "\n"
                 "3DSTATE_VERTEX_ELEMENTS"
                 " { 0, 0, r32g32b32a32_float, 1, 0, store_src, store_src, store_src, store_src },"
                 " { 0, 0, r32g32b32a32_float, 1, 0, store_0, store_0, store_0, store_0 }\n"
                 "3DSTATE_VF_SGVS instanceid_enable, instanceid_element_offset = 1",
                 0, VERTEX_BYTES, VERTICES, VERTEX_BYTES * MOST_VERTICES);
    if (c->packs) /* of the first x, y and z, of the second x: behind w there is one register less */
        commands_put(s->device, 0, to,
                     "3DSTATE_VF_COMPONENT_PACKING vertex_element_00_enables = 7,"
                     " vertex_element_01_enables = 1\n"
                     "3DSTATE_VF component_packing_enable");
}

/* Of each triangle there is another one as it is. */
static void put_geometry_kernel(struct streamer *s)
{
    enum { VERTICES_IN = 2, OBJECT_CORNERS = 3, MADE_DW = 12, READ_DW = 16, LASTS = 2000 };
    const struct how counts = {.channels = lanes().channels, .condition = 2};
    KERNEL_1(&k, EU_MOV, lanes(), lane(90, TYPE_D), imm(LASTS, TYPE_D));
    const unsigned loop = k.count;
    KERNEL_2(&k, EU_ADD, counts, lane(90, TYPE_D), lane(90, TYPE_D), imm(0xffffffff, TYPE_D));
    const unsigned at_while =
        kernel_branch(&k, EU_WHILE, (struct how){.channels = lanes().channels, .predicate = 1});
    kernel_goes(&k, at_while, loop, loop);
    for (unsigned n = 0; n < OBJECT_CORNERS; n++) {
        for (unsigned i = 0; i < MADE_DW; i++)
            KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD + 1 + i, TYPE_UD),
                     lane(VERTICES_IN + n * READ_DW + i, TYPE_UD));
        urb_write(HANDLES, n * MADE_DW / 4, PAYLOAD, MADE_DW, n + 1 == OBJECT_CORNERS);
    }
    kernel_finish(&k);
    memcpy(s->memory + KERNELS + GEOMETRY_KERNEL, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
    k.count = 0;
}

/* Its entries begin at handle GEOMETRY_FIRST. */
enum { GEOMETRY_FIRST = 8 * 128 };
static void put_objects(struct streamer *s, uint32_t **to)
{
    commands_put(s->device, 0, to,
                 "3DSTATE_GS kernel_start_pointer = %u, expected_vertex_count = 3,"
                 " dispatch_grf_start_register_for_urb_data = 2, vertex_urb_entry_read_length = 2,"
                 " output_topology = trilist, output_vertex_size = 2, enable, static_output,"
                 " static_output_vertex_count = 3%s\n"
                 "3DSTATE_URB_GS gs_number_of_urb_entries = 64, gs_urb_entry_allocation_size = 2,"
                 " gs_urb_starting_address = 8\n"
                 "3DSTATE_STREAMOUT so_function_enable, buffer_0_surface_pitch = 4\n"
                 "3DSTATE_SO_DECL_LIST stream_to_buffer_selects_0 = 1, num_entries_0 = 1 { 1, 2 }\n"
                 "3DSTATE_SO_BUFFER so_buffer_enable, stream_offset_write_enable,"
                 " surface_base_address = %u, surface_size = %u",
                 GEOMETRY_KERNEL, has_wide_registers() ? "" : ", dispatch_mode = simd8", STREAMED,
                 STREAMED_BYTES / 4 - 1);
    memset(s->memory + STREAMED, 0, STREAMED_BYTES);
}

static uint32_t put_more(struct streamer *s, const struct shaded *c, uint32_t more[MOST_MORE_DW])
{
    uint32_t *to = more;
    put_vertex_state(s, c, &to);
    if (c->objects)
        put_objects(s, &to);
    if (c->indices) {
        memcpy(s->memory + INDICES, c->indices, c->vertices * sizeof *c->indices);
        commands_put(
            s->device, 0, &to,
            "3DSTATE_INDEX_BUFFER index_format = word, buffer_starting_address = %u, buffer_size = %u",
            INDICES, c->vertices * 2);
    }
    if (c->cut)
        commands_put(s->device, 0, &to, "3DSTATE_VF indexed_draw_cut_index_enable, cut_index = %u", c->cut);
    commands_put(s->device, 0, &to, "3DSTATE_VF_STATISTICS statistics_enable");
    assert_true(to <= more + MOST_MORE_DW);
    return (uint32_t)(to - more);
}

static uint32_t put_shaded(struct streamer *s, const struct shaded *c, uint32_t dws[MOST_DW])
{
    uint32_t more[MOST_MORE_DW];
    const struct scene scene = {.topology = c->topology,
                                .vertices = c->indices ? 4 : c->vertices,
                                .instances = c->instances,
                                .elements = c->instances ? c->instances : 1,
                                .clip = c->at,
                                .format = R32G32B32A32_UINT,
                                .attributes = 1,
                                .constant = 1,
                                .more = more,
                                .more_dw = put_more(s, c, more)};
    const uint32_t count = put_scene(s, &scene, dws);
    if (c->indices)
        COMMAND_PUT(s->device, primitive_of(s, dws, count), {"Vertex Access Type", .value_name = "RANDOM"},
                    {"Vertex Count Per Instance", c->vertices});
    return count;
}

static void draw(struct streamer *s, const struct shaded *c)
{
    uint32_t dw[MOST_DW];
    put_pixels(s);
    batch_run(s, dw, put_shaded(s, c, dw), true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

static uint32_t color_at(const struct streamer *s, uint32_t element, uint32_t x, uint32_t y)
{
    return dword_at(s, TARGET + (element * HEIGHT + y) * PITCH + x * 16);
}

/* The square, moved by the constants, in this color. */
static void expect_square(const struct streamer *s, uint32_t element, float color)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(color_at(s, element, x, y),
                             x >= 5 && x < 39 && y >= 8 && y < 24 ? float_bits(color) : STALE);
}

static bool has_all(void)
{
    return k.set == &eu_gen12 || k.set == &eu_gen125 || has_wide_registers();
}

static void places(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct shaded c = plain;
            c.instances = 3;
            c.all = way && has_all();
            put_plain(s);
            draw(s, &c);
            for (uint32_t element = 0; element < 3; element++)
                expect_square(s, element, 70);
            assert_int_equal(counter_at(s, "VS_INVOCATION_COUNT"), 12);
            assert_int_equal(counter_at(s, "IA_VERTICES_COUNT"), 12);
            assert_int_equal(counter_at(s, "IA_PRIMITIVES_COUNT"), 6);
            streamer_destroy(s);
        }
}

/* Constants of the vertices stay when all stages' are set for others alone. */
static void constants_of_others(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[MOST_DW];
        if (has_all()) {
            put_plain(s);
            put_pixels(s);
            uint32_t count = put_shaded(s, &plain, dw);
            insert_before_primitive(s, dw, &count,
                                    "3DSTATE_CONSTANT_ALL hull_shader_update_enable,"
                                    " domain_shader_update_enable, geometry_shader_update_enable,"
                                    " pixel_shader_update_enable");
            batch_run(s, dw, count, true);
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
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t apart = 0; apart < 2; apart++) {
            struct streamer *const s = begin(*name);
            struct shaded c = plain;
            c.topology = TRILIST;
            c.vertices = 6;
            c.indices = indices;
            c.vertex_state = apart << 1;
            put_plain(s);
            draw(s, &c);
            expect_square(s, 0, 70);
            assert_int_equal(counter_at(s, "VS_INVOCATION_COUNT"), apart ? 6 : 4);
            assert_int_equal(counter_at(s, "IA_VERTICES_COUNT"), 6);
            streamer_destroy(s);
        }
}

/* Another target, which does not follow the kernels: a draw that might write these is not closed. */
enum { FAR_TARGET = 1408 * KB };
static void put_far_target(struct streamer *s)
{
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Format", R32G32B32A32_UINT},
                  {"Surface Vertical Alignment", .value_name = "VALIGN_4"},
                  {"Surface Horizontal Alignment", 1}, {"Tile Mode", .value_name = "LINEAR"},
                  {"Width", WIDTH - 1}, {"Height", HEIGHT - 1}, {"Surface Pitch", PITCH - 1},
                  {"Surface Base Address", FAR_TARGET});
    for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4)
        dword_put(s, FAR_TARGET + i, STALE);
}

/* Many vertices: threads of closed draws run one after the other at once. What they leave is what the
 * dispatcher's leave, also where a slice ends between two or in one, and is saved. */
static void many_vertices(void **state)
{
    enum { INDEX_COUNT = 1536, WAYS = 4, LONG_RUN_DW = 1 << 20 };
    static uint16_t indices[INDEX_COUNT];
    uint64_t seed = 5;
    (void)state;
    for (unsigned i = 0; i < INDEX_COUNT; i++)
        indices[i] = (uint16_t)(random_next(&seed) % 4u);
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *ways[WAYS];
        for (unsigned way = 0; way < WAYS; way++) {
            uint32_t dw[MOST_DW];
            struct streamer *const s = ways[way] = begin(*name);
            struct draw_work *const w = dispatcher_of(&s->device->engines[s->engine])->draws;
            const struct shaded c = {.topology = TRILIST,
                                     .vertices = INDEX_COUNT - 3,
                                     .at = square,
                                     .indices = indices,
                                     .vertex_state = 1 << 1};
            put_plain(s);
            put_pixels(s);
            const uint32_t count = put_shaded(s, &c, dw);
            put_far_target(s);
            batch_put(s, dw, count, true);
            if (!way)
                w->parallel = NULL;
            while (softgt_run(s->device, way == 2 ? LONG_RUN_DW : 1))
                if (way == 3)
                    reload(s->device);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_true(!way || way == 3 || w->draw.tiles_use == TILES_PARALLEL);
            assert_int_equal(streamer_status(s).threads, streamer_status(ways[0]).threads);
            assert_int_equal(streamer_status(s).invocations, streamer_status(ways[0]).invocations);
            assert_int_equal(streamer_status(s).instructions, streamer_status(ways[0]).instructions);
            assert_int_equal(counter_at(s, "VS_INVOCATION_COUNT"), INDEX_COUNT - 3);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"),
                             counter_at(ways[0], "PS_INVOCATION_COUNT"));
            assert_memory_equal(s->memory + FAR_TARGET, ways[0]->memory + FAR_TARGET, PITCH * HEIGHT);
        }
        assert_int_not_equal(dword_at(ways[0], FAR_TARGET + 12 * PITCH + 20 * 16), STALE);
        for (unsigned way = 0; way < WAYS; way++)
            streamer_destroy(ways[way]);
    }
}

/* Vertices that are read in the host's memory are those that the TLB's pages have: also where pages do not
 * follow each other, and beyond the end of a buffer. */
static void windows_of_buffers(void **state)
{
    enum {
        ROUNDS = 400,
        LOOKS = 16,
        MOST_BYTES = 16 * KB,
        BEFORE = 2048 * KB - MOST_BYTES / 2,
        BEHIND = 4096 * KB
    };
    static struct draw windowed, other;
    uint64_t seed = 11;
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[s->engine]);
        struct mmu *const mmu = &s->device->engines[s->engine].mmu;
        unsigned in_host = 0;
        put_plain(s);
        draw(s, &plain);
        for (uint32_t at = 0; at < 2 * MOST_BYTES; at += 4) /* the third 2 MB follow the first ones */
            dword_put(s, at < MOST_BYTES / 2 ? BEFORE + at : BEHIND + (at - MOST_BYTES / 2),
                      (uint32_t)random_next(&seed));
        windowed = d->draws->draw;
        for (unsigned round = 0; round < ROUNDS; round++) {
            struct vertex_fetch_plan *const v = &windowed.state.vf;
            v->has_windows = false;
            v->element[0].start = BEFORE + below(&seed, MOST_BYTES);
            v->element[0].size_bytes = below(&seed, MOST_BYTES);
            v->element[0].pitch_bytes = below(&seed, 40);
            v->element[0].offset_bytes = below(&seed, 8);
            v->index = (struct index_buffer){.start = BEFORE + (below(&seed, MOST_BYTES) & ~3u),
                                             .size_bytes = below(&seed, KB),
                                             .index_bytes = 1u << below(&seed, 3)};
            windowed.state.call.is_indexed = below(&seed, 2);
            windowed.state.call.start_vertex = below(&seed, 100);
            windowed.state.call.base_vertex = (int32_t)below(&seed, 40) - 20;
            windowed.state.call.vertex_count = 1 + below(&seed, 300);
            vf_windows_init(&windowed, mmu);
            in_host += v->element[0].window.places != 0;
            other = windowed;
            other.state.vf.windows_changes++;
            for (unsigned look = 0; look < LOOKS; look++) {
                const uint32_t vertex = below(&seed, 400);
                uint32_t of_window[VUE_DW] = {0}, of_tlb[VUE_DW] = {0};
                assert_true(vf_fetch_vertex(&windowed, &d->bindings, vertex, look, of_window));
                assert_true(vf_fetch_vertex(&other, &d->bindings, vertex, look, of_tlb));
                assert_memory_equal(of_window, of_tlb, sizeof of_tlb);
            }
        }
        assert_true(in_host || mmu->accounts_local);
        streamer_destroy(s);
    }
}

/* Strips and fans that an index ends: what is left of one is nothing. */
static void cuts(void **state)
{
    (void)state;
    enum { CUT = UINT16_MAX };
    static const uint16_t strips[] = {0, 1, CUT, CUT, 2, CUT, 0, 1, 2, CUT, 2, 1, 3, CUT, 0},
                          fans[] = {3, CUT, 0, 1, 3, 2, CUT, 0, 1};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct shaded c = plain;
            c.topology = way ? TRIFAN : TRISTRIP;
            c.indices = way ? fans : strips;
            c.vertices = way ? sizeof fans / 2 : sizeof strips / 2;
            c.cut = CUT;
            put_plain(s);
            draw(s, &c);
            expect_square(s, 0, 70);
            assert_int_equal(counter_at(s, "IA_VERTICES_COUNT"), way ? 7 : 10);
            assert_int_equal(counter_at(s, "IA_PRIMITIVES_COUNT"), 2);
            streamer_destroy(s);
        }
}

/* From Gen9 on components may be packed: what comes behind those that are left out is a register earlier. */
static void packed_components(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct shaded c = plain;
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
    enum { SUM = 60 };
    static const uint32_t values[3] = {1000, 20000, 300000};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            uint32_t dw[MOST_DW], expected = 0;
            if (k.set == &eu_gen8 || k.set == &eu_gen9) {
                streamer_destroy(s);
                continue;
            }
            put_head();
            KERNEL_2(&k, EU_ADD, lanes(), lane(SUM, TYPE_UD), lane(FETCHED + 5, TYPE_UD),
                     lane(FETCHED + 6, TYPE_UD));
            KERNEL_2(&k, EU_ADD, lanes(), lane(SUM, TYPE_UD), lane(SUM, TYPE_UD), lane(FETCHED + 7, TYPE_UD));
            put_tail(SUM);
            put_vertex_kernel(s);
            put_pixels(s);
            uint32_t count = put_shaded(s, &plain, dw);
            memcpy(s->memory + VERTICES + 16, square, sizeof square);
            count = (uint32_t)(primitive_of(s, dw, count) - dw); /* replaced */
            count += assemble(
                s->device, 0, dw + count,
                "3DSTATE_VF_SGVS_2 xp0_enable, xp0_element_offset = 1, xp0_component_number = comp_1,"
                " xp0_source_select = %u, xp1_enable, xp1_element_offset = 1, xp1_component_number = comp_2,"
                " xp1_source_select = %u, xp2_enable, xp2_element_offset = 1, xp2_component_number = comp_3\n"
                "3DPRIMITIVE extended_parameters_present, indirect_parameter_enable = %u,"
                " vertex_count_per_instance = 4, start_vertex_location = 1, instance_count = 1,"
                " start_instance_location = 7, extended_parameter_0 = %u, extended_parameter_1 = %u,"
                " extended_parameter_2 = %u",
                way == 1, way == 1, way == 2, values[0], values[1], values[2]);
            for (unsigned i = 0; i < 3; i++)
                expected += way == 1 && i < 2 ? (i ? 7 : 1) : values[i];
            if (way == 2) {
                register_put(s, register_offset(s->device, "3DPRIM_START_VERTEX"), 1);
                register_put(s, register_offset(s->device, "3DPRIM_VERTEX_COUNT"), 4);
                register_put(s, register_offset(s->device, "3DPRIM_INSTANCE_COUNT"), 1);
                register_put(s, register_offset(s->device, "3DPRIM_START_INSTANCE"), 7);
                for (unsigned i = 0; i < 3; i++)
                    register_put(s, register_offset(s->device, "3DPRIM_XP0") + i * 4, values[i] + 1);
                expected += 3;
            }
            batch_run(s, dw, count, true);
            float color;
            memcpy(&color, &expected, sizeof color);
            expect_square(s, 0, color);
            streamer_destroy(s);
        }
}

static void urb_send(uint32_t descriptor, unsigned oword, unsigned at, unsigned registers, bool end)
{
    kernel_send(&k, lanes(), SFID_URB, descriptor | URB_OFFSET(oword) | PAYLOAD_REGISTERS(registers),
                none(TYPE_UD), reg(at, TYPE_UD), end);
}

/* Fetched vertices lie in the URB; channels' masks and offsets; what is behind the entry, or another's, reads
 * as zeros and takes nothing. */
static void messages(void **state)
{
    (void)state;
    enum { AT = 60, FAR = (1 << 28) - 1 };
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 5; way++) {
            struct streamer *const s = begin(*name);
            const uint32_t read = way == 1 ? 4 : 0;
            put_head();
            KERNEL_1(&k, EU_MOV, lanes(), reg(AT, TYPE_UD), reg(HANDLES, TYPE_UD));
            KERNEL_1(&k, EU_MOV, lanes(), reg(AT + 1, TYPE_UD), imm(way == 2 ? 1 : FAR, TYPE_UD));
            if (way == 3) /* none of its own */
                KERNEL_2(&k, EU_ADD, lanes(), reg(AT, TYPE_UD), reg(AT, TYPE_UD), imm(100, TYPE_UD));
            for (unsigned i = 0; i < 4; i++) /* header or place, written over */
                KERNEL_1(&k, EU_MOV, lanes(), reg(AT + 2 + i, TYPE_F), imm(float_bits(500), TYPE_F));
            if (way == 2) /* only w, by an offset of each */
                KERNEL_1(&k, EU_MOV, lanes(), reg(AT + 2, TYPE_UD), imm(8u << 16, TYPE_UD));
            if (way == 2)
                urb_send(URB_SIMD8_WRITE | URB_CHANNEL_MASKS | URB_PER_SLOT_OFFSETS, 0, AT, 7, false);
            else if (way == 3)
                urb_send(URB_SIMD8_WRITE, 1, AT, 6, false);
            else if (way == 4)
                urb_send(URB_SIMD8_WRITE | URB_PER_SLOT_OFFSETS, 1, AT, 6, false);
            /* y of the place as it was written, or of what is behind the entry */
            kernel_send(&k, lanes(), SFID_URB,
                        URB_SIMD8_READ | URB_OFFSET(read ? read : 1) | PAYLOAD_REGISTERS(1) |
                            RESPONSE_REGISTERS(2),
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
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct shaded c = plain;
        unsigned within = 0;
        uint32_t dw[MOST_DW];
        c.instances = 7;
        put_head();
        for (unsigned i = 0; i < 400; i++)
            KERNEL_1(&k, EU_MOV, lanes(), lane(90, TYPE_UD), imm(i, TYPE_UD));
        put_tail(FETCHED + 2);
        put_vertex_kernel(s);
        put_pixels(s);
        const uint32_t count = put_shaded(s, &c, dw);
        batch_put(s, dw, count, true);
        for (unsigned i = 0; softgt_run(s->device, 1 + i % 100); i++) {
            within += dispatcher_of(&s->device->engines[0])->work.setup.payload == SHADER_STAGE_VS;
            reload(s->device);
            assert_true(i < 10000);
        }
        assert_true(within > 0);
        for (uint32_t element = 0; element < c.instances; element++)
            expect_square(s, element, 70);
        assert_int_equal(counter_at(s, "VS_INVOCATION_COUNT"), 28);
        streamer_destroy(s);
    }
}

/* Another context comes in between two primitives: what is drawn stays, the rest is drawn when it is back. */
static void preempted(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct shaded c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        put_plain(s);
        put_pixels(s);
        masked_put(s, "FF_SLICE_CS_CHICKEN3", 1, 1);
        context_put(s, 0, dw, put_shaded(s, &c, dw));
        context_submit(s, 0);
        for (unsigned i = 0; i < 100 && !streamer_status(s).thread_groups; i++)
            softgt_run(s->device, 1);
        another_context_comes(s);
        assert_int_equal(color_at(s, c.instances - 1, 10, 10), STALE);
        context_submit(s, 0);
        softgt_run(s->device, 1 << 22);
        for (uint32_t element = 0; element < c.instances; element++)
            expect_square(s, element, 70);
        assert_int_equal(counter_at(s, "VS_INVOCATION_COUNT"), 36);
        streamer_destroy(s);
    }
}

/* Two vertices at once, and entries of more than 1 KB, are told; nothing is drawn. */
static void what_is_left(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct shaded c = plain;
            uint32_t dw[MOST_DW];
            if (!way && has_wide_registers()) { /* whose threads are all of 16 vertices */
                streamer_destroy(s);
                continue;
            }
            c.entry = way ? 16 : 0;
            put_plain(s);
            put_pixels(s);
            const uint32_t count = put_shaded(s, &c, dw);
            if (!way)
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_VS"),
                            {"SIMD8 Dispatch Enable", 0});
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
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        struct shaded c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        put_plain(s);
        put_pixels(s);
        const uint32_t count = put_shaded(s, &c, dw);
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
    enum { READ_INTO = 20, GUARD = 1234 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        const struct walk walk = {.groups = {1, 1, 1}, .threads = 1, .mask = UINT32_MAX};
        struct shaded c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        for (unsigned i = 0; i < 400; i++)
            KERNEL_1(&k, EU_MOV, lanes(), lane(90, TYPE_UD), imm(i, TYPE_UD));
        put_plain(s);
        put_pixels(s);
        const uint32_t count = put_shaded(s, &c, dw);
        batch_put(s, dw, count, true);
        while (softgt_run(s->device, 1) && !d->draws->urb->channel_count)
            ;
        assert_true(d->draws->urb->channel_count);
        const uint32_t handle = urb_handle(d->draws->urb, d->draws->urb->channel_entries[0]);
        streamer_start(s, 0);
        k.count = 0;
        KERNEL_1(&k, EU_MOV, lanes(), lane(PAYLOAD, TYPE_UD), imm(handle, TYPE_UD));
        KERNEL_1(&k, EU_MOV, lanes(), lane(READ_INTO, TYPE_UD), imm(GUARD, TYPE_UD));
        urb_read(PAYLOAD, 1, READ_INTO, 1);
        kernel_end(&k);
        put_kernel(s);
        batch_run(s, dw, put_walk(s, &walk, dw), true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        for (unsigned i = 0; i < 8; i++) {
            uint32_t value;
            memcpy(&value, d->threads[0].grf + READ_INTO * kernel_rows(k.set) * EU_REGISTER_BYTES + i * 4,
                   sizeof value);
            assert_int_equal(value, 0);
        }
        streamer_destroy(s);
    }
}

/* ---- Objects ---- */

/* Two triangles of each instance, whose colors stream out: nothing is missing, nothing comes twice. */
static void expect_objects(struct streamer *s, const struct shaded *c)
{
    for (uint32_t element = 0; element < c->instances; element++)
        expect_square(s, element, 70);
    for (uint32_t i = 0; i < STREAMED_BYTES / 4; i++)
        assert_int_equal(dword_at(s, STREAMED + i * 4), i < c->instances * 6 ? float_bits(70) : 0);
}

/* In pieces of every size, saved and loaded between them. */
static void objects_cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
            struct shaded c = plain;
            unsigned within = 0, midway = 0;
            uint32_t dw[MOST_DW];
            c.instances = 7;
            c.objects = true;
            put_plain(s);
            put_geometry_kernel(s);
            put_pixels(s);
            batch_put(s, dw, put_shaded(s, &c, dw), true);
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
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct shaded c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 9;
        c.objects = true;
        put_plain(s);
        put_geometry_kernel(s);
        put_pixels(s);
        masked_put(s, "FF_SLICE_CS_CHICKEN3", 1, 1);
        context_put(s, 0, dw, put_shaded(s, &c, dw));
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
    enum { READ_INTO = 50, HANDLES_OF_OBJECTS = 70 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct shaded c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 1;
        c.objects = true;
        put_plain(s);
        put_geometry_kernel(s);
        KERNEL_1(&k, EU_MOV, lanes(), lane(HANDLES_OF_OBJECTS, TYPE_UD),
                 imm(handle_of(GEOMETRY_FIRST), TYPE_UD));
        KERNEL_1(&k, EU_MOV, lanes(), lane(READ_INTO, TYPE_UD), imm(0, TYPE_UD));
        urb_read(HANDLES_OF_OBJECTS, 2, READ_INTO, 1);
        for (unsigned i = 0; i < 4; i++)
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), lane_value(READ_INTO, 0, TYPE_UD));
        put_write();
        put_kernel(s);
        batch_run(s, dw, put_shaded(s, &c, dw), true);
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
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        struct shaded c = plain;
        uint32_t dw[MOST_DW];
        c.instances = 3;
        c.objects = true;
        put_plain(s);
        put_geometry_kernel(s);
        put_pixels(s);
        batch_put(s, dw, put_shaded(s, &c, dw), true);
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

/* Polygons that are not filled, of shaded vertices: the same in order, in tiles, and in pieces, saved and
 * loaded after each: also while the last part's thread runs, or the next vertices' one. */
static void unfilled_in_pieces(void **state)
{
    (void)state;
    enum { VERTICES_ = 40, WAYS = 4 }; /* in order, in tiles; the same in pieces */
    static const uint32_t topologies[] = {TRILIST, TRISTRIP, TRIFAN, QUADLIST, QUADSTRIP, POLYGON};
    static uint8_t pictures[WAYS][PITCH * HEIGHT];
    float at[VERTICES_][4];
    for (unsigned i = 0; i < VERTICES_; i++) {
        at[i][0] = (float)(i / 3 % 10 * 6 + (i % 3 ? 9 + i % 7 : 0)) - 1.6f;
        at[i][1] = (float)(i / 3 / 10 * 5 + (i % 3 == 2 ? 7 + i % 5 : 0)) - 2.7f;
        at[i][2] = (float)(70 + i * 3);
        at[i][3] = (float)i;
    }
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 2 * sizeof topologies / sizeof topologies[0]; n++) {
            uint64_t threads[WAYS];
            for (unsigned way = 0; way < WAYS; way++) {
                struct streamer *const s = begin(*name);
                struct draw_work *const w = dispatcher_of(&s->device->engines[s->engine])->draws;
                const struct shaded c = {.topology = topologies[n / 2],
                                         .vertices = VERTICES_,
                                         .at = (const float(*)[4])(const void *)at};
                const bool in_order = way % 2 == 0, in_pieces = way >= 2;
                uint32_t dw[MOST_DW];
                put_plain(s);
                put_pixels(s);
                uint32_t count = put_shaded(s, &c, dw);
                put_far_target(s);
                insert_before_primitive(s, dw, &count, "3DSTATE_RASTER dw1 = %u",
                                        1u << 16 | (1 + n % 2) << 5 | 1 << 3);
                batch_put(s, dw, count, true);
                if (in_order)
                    w->parallel = NULL;
                for (unsigned i = 0; softgt_run(s->device, in_pieces ? 1 + i % 50 : 1u << 20); i++) {
                    if (in_pieces)
                        reload(s->device);
                    assert_true(i < 100000);
                }
                assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
                threads[way] = streamer_status(s).invocations;
                memcpy(pictures[way], s->memory + FAR_TARGET, sizeof pictures[0]);
                assert_memory_equal(pictures[way], pictures[0], sizeof pictures[0]);
                assert_int_equal(threads[way], threads[0]);
                streamer_destroy(s);
            }
            assert_true(threads[0] > 10);
        }
}

/* A context without 3DSTATE_CONSTANT_VS has no push constants, also where the state that is decoded once
 * stays from the last context's draw. */
static void constants_of_contexts(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *ways[2];
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = ways[way] = begin(*name);
            uint32_t dw[MOST_DW];
            put_plain(s);
            put_pixels(s);
            const uint32_t count = put_shaded(s, &plain, dw);
            context_put(s, 0, dw, count);
            context_submit(s, 0);
            softgt_run(s->device, 1 << 22);
            uint32_t *const at = command_named(s->device, dw, count, "3DSTATE_CONSTANT_VS");
            const uint32_t length_dw = (at[0] & 0xff) + 2;
            memset(at, 0, length_dw * sizeof *at); /* MI_NOOP */
            for (uint32_t i = 0; i < PITCH * HEIGHT; i += 4)
                dword_put(s, TARGET + i, STALE);
            if (way)
                dispatcher_of(&s->device->engines[0])->draws->kept.valid = false;
            context_put(s, 1, dw, count);
            context_submit(s, 1);
            softgt_run(s->device, 1 << 22);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        }
        assert_memory_equal(ways[0]->memory + TARGET, ways[1]->memory + TARGET, PITCH * HEIGHT);
        streamer_destroy(ways[0]);
        streamer_destroy(ways[1]);
    }
}

TEST_PROGRAM(vertices_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(constants_of_others),
        cmocka_unit_test(recurring_vertices),
        cmocka_unit_test(many_vertices),
        cmocka_unit_test(unfilled_in_pieces),
        cmocka_unit_test(constants_of_contexts),
        cmocka_unit_test(windows_of_buffers),
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
