/* Draws for tests: a target, vertices, state and pixels' kernels, as commands on whatever generation. */
#ifndef TESTS_DRAWS_H
#define TESTS_DRAWS_H

#include "counters.h"
#include "walks.h"

/* Addresses, and offsets from the base of dynamic state. */
enum {
    TARGET = 1280 * KB,
    WIDTH = 64,
    HEIGHT = 32,
    PITCH = 1 * KB,
    VERTICES = 1600 * KB,
    FLAT = 1604 * KB, /* header and attributes, the same for all vertices */
    BLENDING = 8 * KB,
    CONSTANT_COLORS = BLENDING + 256,
    PUSHED = BLENDING + 512,
    MOST_DW = 384
};
enum { STALE = 0x6eeeeeee }; /* what the target has before a draw */
enum { R32G32B32A32_FLOAT = 0, R32G32B32A32_UINT = 2, R32G32B32_FLOAT = 64, R8G8B8A8_UNORM = 199 };
enum {
    TRILIST = 4,
    TRISTRIP = 5,
    TRIFAN = 6,
    QUADLIST = 7,
    QUADSTRIP = 8,
    TRISTRIP_REVERSE = 13,
    POLYGON = 14,
    RECTLIST = 15,
    POINTLIST_BF = 17,
    LINESTRIP_CONT = 18,
    LINESTRIP_BF = 19,
    LINESTRIP_CONT_BF = 20,
    TRIFAN_NOSTIPPLE = 22
};
enum { PAYLOAD = 112 }; /* a register, of 32 bytes */

/* Devices that draw. */
static const char *const draw_devices[] = {"bdw", "skl", "icl", "ehl", "tgl", "dg2", "bmg"};
#define EACH_DRAW_DEVICE(name)                                                                               \
    const char *const *name = draw_devices;                                                                  \
    name < draw_devices + sizeof draw_devices / sizeof draw_devices[0];                                      \
    name++
static inline bool has_wide_registers(void)
{
    return kernel_rows(k.set) > 1;
}

/* Messages to the render cache. */
enum { RENDER_TARGET_WRITE = 12 << 14, LAST_RENDER_TARGET = 1 << 12 };
enum { SIMD16_WRITE = 8 << 25 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET };

/* Messages to the URB, of eight channels: they have a header of handles, and an offset in owords. */
enum {
    URB_HEADER = 1 << 19,
    URB_SIMD8_WRITE = 7 | URB_HEADER,
    URB_SIMD8_READ = 8 | URB_HEADER,
    URB_CHANNEL_MASKS = 1 << 15,
    URB_PER_SLOT_OFFSETS = 1 << 17
};
#define URB_OFFSET(oword) ((uint32_t)(oword) << 4)

/* A pixel of R8G8B8A8_UNORM. */
#define RGBA(r, g, b, a) ((r) | (g) << 8 | (b) << 16 | (uint32_t)(a) << 24)

/* What a test draws. */
struct scene {
    uint32_t topology, vertices, instances;
    const float (*at)[3];   /* NULL: the vertices are put by the caller */
    const float (*clip)[4]; /* instead: x, y, z and w of the clip space */
    const uint32_t *more;   /* further commands, which replace the scene's state */
    uint32_t more_dw;
    uint32_t format, attributes, constant;
    uint32_t blending[2]; /* of target 0 */
    uint32_t elements;    /* of the target; 0: it is not an array */
    uint32_t scissor[2];  /* the drawing rectangle's corners; 0: all */
    uint32_t provoking;   /* dword 3 of 3DSTATE_SF */
    bool statistics, kills, vertex_shader, tiled, clears, computes_depth, no_shader;
    uint32_t bindings;      /* Binding Table Entry Count */
    uint32_t samples;       /* of the target, by their power of two */
    uint32_t constants;     /* where the first buffer of constants is: two of one register each */
    uint32_t vertex_format; /* of the attributes; 0: four floats */
    uint32_t resolves;      /* the resolve type of 3DSTATE_PS */
    uint32_t early_tests;   /* Early Depth/Stencil Control */
    bool places;            /* attribute 0 is the position */
};

/* A render target of linear or tiled rows, full of STALE. */
static inline void put_target(struct streamer *s, const struct scene *c)
{
    const uint32_t elements = c->elements ? c->elements : 1;
    const char *const tiled = has_compute_walker(s) ? "TILE4" : "YMAJOR";
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Array", c->elements != 0},
                  {"Surface Format", c->format}, {"Surface Vertical Alignment", .value_name = "VALIGN_4"},
                  {"Surface Horizontal Alignment", 1},
                  {"Tile Mode", .value_name = c->tiled ? tiled : "LINEAR"}, {"Surface QPitch", HEIGHT / 4},
                  {"Width", WIDTH - 1}, {"Height", HEIGHT - 1}, {"Surface Pitch", PITCH - 1},
                  {"Depth", elements - 1}, {"Render Target View Extent", elements - 1},
                  {"Number of Multisamples", c->samples}, {"Surface Base Address", TARGET});
    dword_put(s, SURFACES + TABLE_AT, STATES_AT);
    for (uint32_t i = 0; i < PITCH * HEIGHT * elements; i += 4)
        dword_put(s, TARGET + i, STALE);
}

static inline void put_vertices(struct streamer *s, const struct scene *c)
{
    if (c->clip)
        memcpy(s->memory + VERTICES, c->clip, c->vertices * sizeof c->clip[0]);
    else if (c->at)
        memcpy(s->memory + VERTICES, c->at, c->vertices * sizeof c->at[0]);
    memset(s->memory + FLAT, 0, 16);
    for (uint32_t i = 0; i < 8; i++)
        dword_put(s, FLAT + 16 + i * 4, 100 + i);
}

static inline void put_shader(struct streamer *s, const struct scene *c, uint32_t **to)
{
    const bool wide = has_wide_registers();
    commands_put(s->device, 0, to,
                 "3DSTATE_PS dw6 = %u, binding_table_entry_count = %u, %s,"
                 " maximum_number_of_threads_per_psd = 63, render_target_fast_clear_enable = %u,"
                 " dispatch_grf_start_register_for_constant_setup_data_0 = %u\n"
                 "3DSTATE_CONSTANT_PS read_length_0 = %u, read_length_1 = %u, buffer_0 = %u, buffer_1 = %u\n"
                 "3DSTATE_PS_EXTRA pixel_shader_valid = %u%s,"
                 " pixel_shader_kills_pixel = %u, pixel_shader_computed_depth_mode = %u\n"
                 "3DSTATE_SBE force_vertex_urb_entry_read_offset, force_vertex_urb_entry_read_length,"
                 " vertex_urb_entry_read_offset = 1, vertex_urb_entry_read_length = 1,"
                 " number_of_sf_output_attributes = %u, constant_interpolation_enable = %u, length = %u\n"
                 "3DSTATE_WM statistics_enable = %u, early_depth_stencil_control = %u\n"
                 "3DSTATE_PS_BLEND has_writeable_rt\n"
                 "3DSTATE_BLEND_STATE_POINTERS blend_state_pointer_valid, blend_state_pointer = %u\n"
                 "3DSTATE_CC_STATE_POINTERS color_calc_state_pointer_valid, color_calc_state_pointer = %u\n"
                 "3DSTATE_BINDING_TABLE_POINTERS_PS pointer_to_ps_binding_table = %u",
                 c->resolves << 6, c->bindings,
                 wide           ? "kernel_0_enable, kernel_0_poly_packing_policy = poly_pack16_fixed"
                 : c->constants ? "16_pixel_dispatch_enable, push_constant_enable"
                                : "16_pixel_dispatch_enable",
                 c->clears, 4 / kernel_rows(k.set), c->constants != 0, c->constants != 0, c->constants,
                 DYNAMIC + PUSHED + 32, !c->no_shader, c->attributes && !wide ? ", attribute_enable" : "",
                 c->kills, c->computes_depth, c->attributes, c->constant, k.set == &eu_gen8 ? 4 : 6,
                 c->statistics, c->early_tests, BLENDING, CONSTANT_COLORS, TABLE_AT);
    memset(s->memory + DYNAMIC + BLENDING, 0, 512);
    memcpy(s->memory + DYNAMIC + BLENDING + 4, c->blending, sizeof c->blending);
}

/* A group of 3DSTATE_VERTEX_BUFFERS: index, pitch, address, size. */
#define VERTEX_BUFFER                                                                                        \
    " { vertex_buffer_state_vertex_buffer_index = %u, vertex_buffer_state_address_modify_enable = 1,"        \
    " vertex_buffer_state_buffer_pitch = %u, vertex_buffer_state_buffer_starting_address = %u,"              \
    " vertex_buffer_state_buffer_size = %u }"

/* Elements of a vertex: a header of zeros, the position, attributes. */
static inline void put_vertex_elements(struct streamer *s, const struct scene *c, uint32_t **to)
{
    char text[1024];
    const char *const position =
        c->clip ? "{ 0, 0, r32g32b32a32_float, 1, 0, store_src, store_src, store_src, store_src }"
                : "{ 0, 0, r32g32b32_float, 1, 0, store_1_fp, store_src, store_src, store_src }";
    int length = snprintf(text, sizeof text,
                          "3DSTATE_VERTEX_ELEMENTS"
                          " { 0, 0, r32g32b32a32_float, 1, 1, store_0, store_0, store_0, store_src }, %s",
                          position);
    for (uint32_t i = 0; i < c->attributes; i++)
        if (c->places && i == 0)
            length += snprintf(text + length, sizeof text - (size_t)length, ", %s", position);
        else
            length += snprintf(text + length, sizeof text - (size_t)length,
                               ", { %u, 0, %u, 1, 1, store_src, store_src, store_src, store_src }",
                               16 + 16 * i, c->vertex_format);
    commands_put(s->device, 0, to, "%s", text);
}

/* Vertices that no shader changes: assembled, transformed or not, and set up. */
static inline void put_geometry(struct streamer *s, const struct scene *c, uint32_t **to)
{
    const uint32_t vertex_bytes = c->clip ? sizeof c->clip[0] : sizeof c->at[0];
    commands_put(s->device, 0, to, "3DSTATE_VERTEX_BUFFERS" VERTEX_BUFFER "," VERTEX_BUFFER, 0, vertex_bytes,
                 VERTICES, c->vertices * vertex_bytes, 1, 0, FLAT, 48);
    put_vertex_elements(s, c, to);
    commands_put(s->device, 0, to,
                 "3DSTATE_VF_SGVS instanceid_enable, instanceid_component_number = comp_1\n"
                 "3DSTATE_VF_TOPOLOGY primitive_topology_type = %u\n"
                 "3DSTATE_SAMPLE_MASK sample_mask = 1\n"
                 "3DSTATE_CLIP perspective_divide_disable\n"
                 "3DSTATE_SF dw3 = %u\n"
                 "3DSTATE_RASTER cull_mode = none\n"
                 "3DSTATE_VS enable = %u\n"
                 "3DSTATE_DRAWING_RECTANGLE dw1 = %u, dw2 = %u",
                 c->topology, c->provoking, c->vertex_shader, c->scissor[0],
                 c->scissor[1] ? c->scissor[1] : 16383u << 16 | 16383);
}

static inline uint32_t put_scene(struct streamer *s, const struct scene *c, uint32_t dws[MOST_DW])
{
    uint32_t *to = dws;
    put_target(s, c);
    put_vertices(s, c);
    put_bases(s, &to);
    put_shader(s, c, &to);
    put_geometry(s, c, &to);
    if (c->more_dw)
        memcpy(to, c->more, c->more_dw * sizeof *to);
    to += c->more_dw;
    commands_put(s->device, 0, &to, "3DPRIMITIVE vertex_count_per_instance = %u, instance_count = %u",
                 c->vertices, c->instances ? c->instances : 1);
    assert_true(to <= dws + MOST_DW);
    return (uint32_t)(to - dws);
}

static inline uint32_t *primitive_of(struct streamer *s, uint32_t *dw, uint32_t count)
{
    return command_named(s->device, dw, count, "3DPRIMITIVE");
}

/* Inserts commands before the 3DPRIMITIVE, which is the last one. */
__attribute__((format(printf, 4, 5))) static inline void insert_before_primitive(struct streamer *s,
                                                                                 uint32_t *dw,
                                                                                 uint32_t *count,
                                                                                 const char *format, ...)
{
    uint32_t primitive[16], *const at = primitive_of(s, dw, *count);
    const uint32_t length_dw = (uint32_t)(dw + *count - at);
    memcpy(primitive, at, length_dw * sizeof *at);
    va_list values;
    va_start(values, format);
    const uint32_t inserted_dw = assemble_list(s->device, 0, at, format, values);
    va_end(values);
    memcpy(at + inserted_dw, primitive, length_dw * sizeof *at);
    *count += inserted_dw;
}

/* A message to the render cache from PAYLOAD on; its length counts registers of 32 bytes. */
static inline void send_write(struct how how, uint32_t descriptor, bool end)
{
    const uint32_t length = PAYLOAD_REGISTERS(descriptor >> 25 & 15u);
    kernel_send(&k, how, SFID_RENDER_CACHE, descriptor - length + length / kernel_rows(k.set), none(TYPE_UD),
                reg(PAYLOAD, TYPE_UD), end);
}

/* The parts of a payload besides colors. From Gen20 on the extended descriptor of a message names them;
 * before, state does. (Mesa, lower_fb_write_logical_send) */
enum { OMASK_PART = 1 << 12, DEPTH_PART = 1 << 13, STENCIL_PART = 1 << 14 };

static inline void send_parts(struct how how, uint32_t descriptor, uint32_t parts, unsigned from)
{
    const uint32_t length = PAYLOAD_REGISTERS(descriptor >> 25 & 15u);
    kernel_send(&k, how, SFID_RENDER_CACHE, descriptor - length + length / kernel_rows(k.set), none(TYPE_UD),
                reg(from, TYPE_UD), true);
    k.i[k.count - 1].value[EU_EXTENDED] |= has_wide_registers() ? parts : 0;
}

static inline void put_write(void)
{
    send_write(all, SIMD16_WRITE, true);
}

/* What is the same for all pixels of a component of the attributes, which are counted from 0 on. */
static inline struct op attribute(unsigned component)
{
    enum { FIRST = 4, ROW_BYTES = 32, EACH = 5, EACH_BYTES = 12 };
    const unsigned at = component % EACH * EACH_BYTES;
    return has_wide_registers() ? one(FIRST + component / EACH * 2 + at / ROW_BYTES, at % ROW_BYTES, TYPE_UD)
                                : one(FIRST + component / 2, 12 + component % 2 * 16, TYPE_UD);
}

/* Where the pixels of two subspans are in them, along x or y: eight numbers of type V. */
static inline uint32_t pixel_offsets(unsigned axis)
{
    uint32_t packed = 0;
    for (unsigned pixel = 0; pixel < 8; pixel++)
        packed |= (pixel >> axis & 1u) << 4 * pixel;
    return packed;
}

/* Steps of a plane by y and by x, and its value where planes begin: dwords of a polygon's register. (Mesa,
 * emit_pixel_interpolater_alu_at_offset) */
static inline void put_plane(unsigned to, unsigned from, unsigned dw, unsigned delta)
{
    enum { DW = 4, TERMS = 90 };
    for (unsigned axis = 0; axis < 2; axis++)
        KERNEL_2(&k, EU_MUL, all, reg(TERMS + 2 * axis, TYPE_F), reg(delta + 2 * axis, TYPE_F),
                 one(from, (dw + 1 - axis) * DW, TYPE_F));
    KERNEL_2(&k, EU_ADD, all, reg(to, TYPE_F), reg(TERMS, TYPE_F), reg(TERMS + 2, TYPE_F));
    KERNEL_2(&k, EU_ADD, all, reg(to, TYPE_F), reg(to, TYPE_F), one(from, (dw + 2) * DW, TYPE_F));
}

/* State of shaders that have these planes in their payload. */
#define OF_LINEAR_PLANES ", pixel_shader_requires_non_perspective_bary_plane_coefficients"
#define OF_PERSPECTIVE_PLANES                                                                                \
    ", pixel_shader_requires_perspective_bary_plane_coefficients"                                            \
    ", pixel_shader_requires_source_depth_and_or_w_plane_coefficients"

/* Both barycentrics of pixels of Gen20, by a polygon's planes: at an offset from the centers, in 1/16 of a
 * pixel. (The same) */
static inline void put_barycentrics_of_planes(unsigned to, unsigned planes, const struct op offset[2],
                                              bool is_linear)
{
    enum { PIXEL = 80, OFFSET = 82, DELTA = 84, BY_W = 88, INV = 1, BEGIN_BYTES = 24 };
    for (unsigned axis = 0; axis < 2; axis++) {
        const struct op delta = reg(DELTA + 2 * axis, TYPE_F);
        struct op subspans = region(1, TYPE_UW, 2, 4, 0);
        subspans.subregister = (uint8_t)(8 + 2 * axis);
        KERNEL_2(&k, EU_ADD, all, reg(PIXEL, TYPE_UW), subspans, imm(pixel_offsets(axis), TYPE_V));
        KERNEL_1(&k, EU_MOV, all, reg(OFFSET, TYPE_F), offset[axis]);
        KERNEL_2(&k, EU_MUL, all, reg(OFFSET, TYPE_F), reg(OFFSET, TYPE_F),
                 imm(float_bits(1 / 16.0f), TYPE_F));
        KERNEL_1(&k, EU_MOV, all, delta, region(PIXEL, TYPE_UW, 16, 16, 1));
        KERNEL_2(&k, EU_ADD, all, delta, delta, negated(one(planes, BEGIN_BYTES + 4 * axis, TYPE_F)));
        KERNEL_2(&k, EU_ADD, all, delta, delta, imm(float_bits(0.5f), TYPE_F));
        KERNEL_2(&k, EU_ADD, all, delta, delta, reg(OFFSET, TYPE_F));
    }
    for (unsigned i = 0; i < 2; i++)
        put_plane(to + 2 * i, planes, 3 * i, DELTA);
    if (is_linear)
        return;
    put_plane(BY_W, planes + 1, 3, DELTA);
    KERNEL_1(&k, EU_MATH, ((struct how){.channels = 16, .function = INV}), reg(BY_W, TYPE_F),
             reg(BY_W, TYPE_F));
    for (unsigned i = 0; i < 2; i++)
        KERNEL_2(&k, EU_MUL, all, reg(to + 2 * i, TYPE_F), reg(to + 2 * i, TYPE_F), reg(BY_W, TYPE_F));
}

/* Red and green: where the payload's subspans say that a pixel is. Alpha: the last component of attribute 0.
 */
static inline void put_places_and(struct streamer *s, struct op blue)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        struct op subspans = region(1, TYPE_UW, 2, 4, 0);
        subspans.subregister = (uint8_t)(8 + 2 * axis);
        KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UW), subspans, imm(pixel_offsets(axis), TYPE_V));
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * axis, TYPE_UD), region(20, TYPE_UW, 16, 16, 1));
    }
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 4, TYPE_UD), blue);
    KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 6, TYPE_UD), attribute(3));
    put_write();
    put_kernel(s);
}

/* Blue: the first component of attribute 0. */
static inline void put_places(struct streamer *s)
{
    put_places_and(s, attribute(0));
}

static inline void draw_places(struct streamer *s, const struct scene *c)
{
    uint32_t dw[MOST_DW];
    put_places(s);
    batch_run(s, dw, put_scene(s, c, dw), true);
}

static inline void put_color(struct streamer *s, const float color[4])
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F), imm(float_bits(color[i]), TYPE_F));
    put_write();
    put_kernel(s);
}

/* PS_INVOCATION_COUNT of Gen8 is four times what it should be: drivers divide it. (Mesa:
 * WaDividePSInvocationCountBy4) */
static inline unsigned counts_a_pixel(void)
{
    return k.set == &eu_gen8 ? 4 : 1;
}

/* Counter A of the performance counters. */
static inline uint32_t a_counter(struct streamer *s, unsigned a)
{
    return register_get(s, counters_of(s).a + a * 8u);
}

/* Counters of pixels, in subspans, which count as four samples each: A21 has those covered, A24 those that
 * the shader killed, A26 those written, A27 those blended. (SYS-20) */
static inline void expect_seen(struct streamer *s, const uint32_t seen[7])
{
    softgt_advance(s->device, 10000);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(a_counter(s, 21 + i), seen[i] * 4);
}

#endif
