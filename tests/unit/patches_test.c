/* Patches, from the ring to memory, on every generation that runs threads: what threads of hull shaders and
 * of domain shaders find, one patch or several at once, instances and their barrier, constants, what is
 * pushed of a patch; which points are shaded, what is culled, counted, told; the same however the run is cut,
 * saved, loaded, preempted; what threads reach beyond their entries is nowhere. (BDW PRM vol 7, Tessellation)
 */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../entries.h"

#include "../random.h"
#include "../saved.h"

#include <math.h>

enum {
    HULL_KERNEL = 8 * KB,
    DOMAIN_KERNEL = 16 * KB,
    GEOMETRY_KERNEL = 24 * KB,
    ENTRY_HANDLE = 4 * 128,
    PATCHLIST_1 = 32
};
enum { KEPT_HANDLE = 59, HANDLE = 60, FIELDS_AT = 61, READ = 80, SCRATCH = 90 };
enum { U = 1, V, W, HANDLES, CONSTANTS_IN, PUSHED_IN };
enum { QUADS, TRIANGLES, ISOLINES };
enum { INTEGER, ODD, EVEN };
enum { POINTS, LINES, CLOCKWISE, COUNTERCLOCKWISE };
enum { SINGLE_PATCH, DUAL_PATCH, PATCHES_8 };
enum { INDICES = FLAT + 256 };

/* Its vertices are at the corners of a box; each patch has three. */
struct patches {
    uint32_t vertices, instances;
    float factors[8]; /* the patch's first dwords */
    uint32_t domain, partitioning, output, mode;
    uint32_t hull_instances;
    uint32_t domain_state; /* more of dword 7 of 3DSTATE_DS */
    bool barrier, slow;
    bool geometry;        /* a geometry shader passes the triangles on */
    uint32_t invocations; /* of it, less one: the others' are drawn over */
};

static const float corners[6][3] = {{4, 6, 0}, {36, 6, 0}, {4, 22, 0}, {4, 6, 0}, {36, 6, 0}, {4, 22, 0}};
static const struct patches plain = {
    .vertices = 3,
    .factors = {0, 0, 2, 3, 4, 3, 2, 5}, /* v and u inside; v = 1, u = 1 ... */
    .output = CLOCKWISE};

/* Writes the fields to an oword of the entries whose handles are kept. */
static void write_fields(unsigned oword, unsigned dwords, bool end)
{
    urb_write(KEPT_HANDLE, oword, HANDLE, dwords, end);
}

static void put_at(struct streamer *s, uint32_t at)
{
    kernel_finish(&k);
    memcpy(s->memory + KERNELS + at, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
    k.count = 0;
}

/* Where a hull shader's instance is in r0.2. */
static unsigned instance_shift(void)
{
    return k.set == &eu_gen125 || has_wide_registers() ? 0 : k.set == &eu_gen8 || k.set == &eu_gen9 ? 17 : 16;
}

/* Slices end within threads. */
static void put_idle(const struct patches *p)
{
    for (unsigned i = 0; p->slow && i < 400; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(SCRATCH, TYPE_UD), imm(i, TYPE_UD));
}

/* An oword behind `oword`, the instance's, has what follows the first field. */
static void write_instance(unsigned oword, bool end)
{
    enum { INSTANCE = 104, OWORD_SHIFT = 4 };
    if (has_wide_registers()) {
        KERNEL_2(&k, EU_SHL, lanes(), lane(SCRATCH, TYPE_UD), lane(INSTANCE, TYPE_UD),
                 imm(OWORD_SHIFT, TYPE_UD));
        KERNEL_2(&k, EU_ADD, lanes(), lane(SCRATCH, TYPE_UD), lane(SCRATCH, TYPE_UD),
                 lane(KEPT_HANDLE, TYPE_UD));
        urb_write(SCRATCH, oword, FIELDS_AT, 4, end);
        return;
    }
    KERNEL_1(&k, EU_MOV, lanes(), lane(HANDLE, TYPE_UD), lane(KEPT_HANDLE, TYPE_UD));
    KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT, TYPE_UD), lane(INSTANCE, TYPE_UD));
    kernel_send(&k, lanes(), SFID_URB,
                URB_SIMD8_WRITE | URB_PER_SLOT_OFFSETS | URB_OFFSET(oword) | PAYLOAD_REGISTERS(6),
                none(TYPE_UD), lane(HANDLE, TYPE_UD), end);
}

/* From Gen20 on a thread has several patches. */
static bool has_several(const struct patches *p)
{
    return p->mode == PATCHES_8 || has_wide_registers();
}

/* Oword 2 of the patch has x and y of the first vertex, how far the others are; oword 3 + its instance that
 * one, or, behind the barrier, what the last one's says. */
static void put_hull(struct streamer *s, const struct patches *p)
{
    const bool several = has_several(p);
    const unsigned inputs = several ? 3 : 1;
    put_idle(p);
    if (several)
        KERNEL_1(&k, EU_MOV, lanes(), lane(KEPT_HANDLE, TYPE_UD), lane(1, TYPE_UD));
    else
        KERNEL_1(&k, EU_MOV, lanes(), lane(KEPT_HANDLE, TYPE_UD), lane_value(0, 0, TYPE_UD));
    for (unsigned i = 0; i < 8; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + i, TYPE_F), imm(float_bits(p->factors[i]), TYPE_F));
    write_fields(0, 8, false);
    for (unsigned i = 0; i < 3; i++) {
        if (several)
            KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT, TYPE_UD), lane(inputs + i, TYPE_UD));
        else
            KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT, TYPE_UD), lane_value(inputs, i * 4, TYPE_UD));
        urb_read(FIELDS_AT, 1, READ, 4);
        if (!i) { /* the header names the instance */
            urb_read(FIELDS_AT, 0, 105, 4);
            KERNEL_1(&k, EU_MOV, lanes(), lane(100, TYPE_F), lane(READ, TYPE_F));
            KERNEL_1(&k, EU_MOV, lanes(), lane(101, TYPE_F), lane(READ + 1, TYPE_F));
        } else {
            KERNEL_2(&k, EU_ADD, lanes(), lane(101 + i, TYPE_F), lane(READ + i - 1, TYPE_F),
                     negated(lane(99 + i, TYPE_F)));
        }
    }
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + i, TYPE_F), lane(100 + i, TYPE_F));
    write_fields(2, 4, false);
    /* oword 3 + instance, by an offset of each channel */
    KERNEL_2(&k, EU_SHR, lanes(), lane(104, TYPE_UD), lane_value(0, 8, TYPE_UD),
             imm(instance_shift(), TYPE_UD));
    KERNEL_2(&k, EU_AND, lanes(), lane(104, TYPE_UD), lane(104, TYPE_UD), imm(0x7f, TYPE_UD));
    KERNEL_2(&k, EU_ADD, lanes(), lane(FIELDS_AT + 1, TYPE_UD), lane(104, TYPE_UD), imm(50, TYPE_UD));
    for (unsigned i = 1; i < 4; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + 1 + i, TYPE_UD), imm(70, TYPE_UD));
    KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + 4, TYPE_UD), lane(106, TYPE_UD));
    if (several) /* its number */
        KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + 2, TYPE_UD), lane(2, TYPE_UD));
    else
        KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + 2, TYPE_UD), lane_value(0, 4, TYPE_UD));
    write_instance(3, !p->barrier);
    if (p->barrier) {
        put_barrier();
        urb_read(KEPT_HANDLE, 3 + p->hull_instances, READ, 4); /* the last one's */
        for (unsigned i = 0; i < 4; i++)
            KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + 1 + i, TYPE_UD), lane(READ + i, TYPE_UD));
        write_instance(23, true);
    }
    put_at(s, HULL_KERNEL);
}

/* To u and v by the box, and to the constants, the vertex; the color has what the hull shader's instance
 * wrote, and what the domain shader was told. */
static void put_domain(struct streamer *s, const struct patches *p)
{
    put_idle(p);
    KERNEL_1(&k, EU_MOV, lanes(), lane(KEPT_HANDLE, TYPE_UD), lane(HANDLES, TYPE_UD));
    for (unsigned i = 0; i < 8; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + i, TYPE_F), imm(i == 7 ? float_bits(1) : 0, TYPE_F));
    KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + 1, TYPE_UD), lane_value(PUSHED_IN, 28, TYPE_UD));
    for (unsigned i = 0; i < 2; i++) {
        KERNEL_2(&k, EU_MUL, lanes(), lane(FIELDS_AT + 4 + i, TYPE_F), lane(U + i, TYPE_F),
                 lane_value(PUSHED_IN, 8 + i * 4, TYPE_F));
        KERNEL_2(&k, EU_ADD, lanes(), lane(FIELDS_AT + 4 + i, TYPE_F), lane(FIELDS_AT + 4 + i, TYPE_F),
                 lane_value(PUSHED_IN, i * 4, TYPE_F));
        KERNEL_2(&k, EU_ADD, lanes(), lane(FIELDS_AT + 4 + i, TYPE_F), lane(FIELDS_AT + 4 + i, TYPE_F),
                 lane_value(CONSTANTS_IN, i * 4, TYPE_F));
    }
    write_fields(0, 8, false);
    KERNEL_1(&k, EU_MOV, lanes(), lane(READ + 8, TYPE_UD), lane_value(0, 0, TYPE_UD));
    urb_read(READ + 8, p->barrier ? 23 : 3, READ, 4);
    KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT, TYPE_UD), lane(READ, TYPE_UD));
    for (unsigned i = 1; i < 3; i++)
        KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + i, TYPE_UD), lane(W, TYPE_UD));
    KERNEL_1(&k, EU_MOV, lanes(), lane(FIELDS_AT + 3, TYPE_UD), lane_value(0, 4, TYPE_UD));
    write_fields(2, 4, true);
    put_at(s, DOMAIN_KERNEL);
}

/* Makes each vertex as it is. */
static void put_geometry_kernel(struct streamer *s, const struct patches *p)
{
    enum { VERTEX_OWORDS = 4, OUTPUT = 1, INPUTS = 3 };
    put_idle(p);
    KERNEL_1(&k, EU_MOV, lanes(), lane(KEPT_HANDLE, TYPE_UD), lane(OUTPUT, TYPE_UD));
    for (unsigned i = 0; i < 3; i++) {
        if (p->invocations)
            KERNEL_1(&k, EU_MOV, lanes(), lane(READ + 8, TYPE_UD), lane_value(INPUTS, i * 4, TYPE_UD));
        else
            KERNEL_1(&k, EU_MOV, lanes(), lane(READ + 8, TYPE_UD), lane(INPUTS + i, TYPE_UD));
        urb_read(READ + 8, 0, FIELDS_AT, 4);
        urb_read(READ + 8, 1, FIELDS_AT + 4, 4);
        write_fields(i * VERTEX_OWORDS, 8, false);
        urb_read(READ + 8, 2, FIELDS_AT, 4);
        write_fields(i * VERTEX_OWORDS + 2, 4, i == 2);
    }
    put_at(s, GEOMETRY_KERNEL);
}

enum { MOST_MORE_DW = 96 };
static uint32_t put_state(struct streamer *s, const struct patches *p, uint32_t more[MOST_MORE_DW])
{
    static const float moved[2] = {2, 3};
    uint32_t count =
        assemble(s->device, 0, more,
                 "3DSTATE_HS enable, statistics_enable, instance_count = %u, kernel_start_pointer = %u,"
                 " include_vertex_handles%s, dispatch_grf_start_register_for_urb_data = 6\n"
                 "3DSTATE_TE te_enable, te_domain = %u, output_topology = %u, partitioning = %u,"
                 " maximum_tessellation_factor_odd = 63.0, maximum_tessellation_factor_not_odd = 64.0\n"
                 "3DSTATE_DS kernel_start_pointer = %u, patch_urb_entry_read_offset = 1,"
                 " patch_urb_entry_read_length = 1, dispatch_grf_start_register_for_urb_data = %u, dw7 = %u,"
                 " enable, statistics_enable%s, length = %u\n"
                 "3DSTATE_URB_HS hs_number_of_urb_entries = 16, hs_urb_entry_allocation_size = 8,"
                 " hs_urb_starting_address = 8\n"
                 "3DSTATE_URB_DS ds_number_of_urb_entries = 64, ds_urb_starting_address = 12\n"
                 "3DSTATE_CONSTANT_DS read_length_0 = %u, buffer_0 = %u\n"
                 "3DSTATE_VF_STATISTICS statistics_enable",
                 p->hull_instances, HULL_KERNEL,
                 has_wide_registers()   ? ", include_primitive_id"
                 : p->mode == PATCHES_8 ? ", include_primitive_id, dispatch_mode = 2"
                                        : "",
                 p->domain, p->output, p->partitioning, DOMAIN_KERNEL, CONSTANTS_IN, p->domain_state,
                 has_wide_registers() ? "" : ", dispatch_mode = 1", k.set == &eu_gen8 ? 9 : 11,
                 kernel_rows(k.set), PUSHED);
    memcpy(s->memory + DYNAMIC + PUSHED, moved, sizeof moved);
    if (p->geometry)
        count +=
            assemble(s->device, 0, more + count,
                     "3DSTATE_URB_GS gs_number_of_urb_entries = 16, gs_urb_entry_allocation_size = 31,"
                     " gs_urb_starting_address = 16\n"
                     "3DSTATE_GS kernel_start_pointer = %u, expected_vertex_count = 3,"
                     " include_vertex_handles, output_topology = trilist, output_vertex_size = 3,"
                     " dispatch_grf_start_register_for_urb_data = 6, instance_control = %u,"
                     " enable, include_primitive_id, statistics_enable, static_output,"
                     " static_output_vertex_count = 3%s",
                     GEOMETRY_KERNEL, p->invocations, has_wide_registers() ? "" : ", dispatch_mode = simd8");
    assert_true(count <= MOST_MORE_DW);
    return count;
}

static uint32_t put_all(struct streamer *s, const struct patches *p, uint32_t dw[MOST_DW])
{
    uint32_t more[MOST_MORE_DW];
    const struct scene c = {.topology = PATCHLIST_1 + 2,
                            .vertices = p->vertices,
                            .instances = p->instances,
                            .at = corners,
                            .format = R32G32B32A32_UINT,
                            .attributes = 1,
                            .constant = 1,
                            .elements = p->instances,
                            .statistics = true,
                            .more = more,
                            .more_dw = put_state(s, p, more)};
    put_hull(s, p);
    put_domain(s, p);
    if (p->geometry)
        put_geometry_kernel(s, p);
    put_places(s);
    return put_scene(s, &c, dw);
}

static void draw(struct streamer *s, const struct patches *p)
{
    uint32_t dw[MOST_DW];
    batch_run(s, dw, put_all(s, p, dw), true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

static uint32_t dword_of(const struct streamer *s, uint32_t element, uint32_t x, uint32_t y, unsigned i)
{
    return dword_at(s, TARGET + (element * HEIGHT + y) * PITCH + x * 16 + i * 4);
}

/* The box that the constants moved: each of its pixels was drawn once. */
static void expect_box(struct streamer *s, uint32_t element, uint32_t first, uint32_t last)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const bool inside = x >= 6 && x < 38 && y >= 9 && y < 25;
            assert_int_equal(dword_of(s, element, x, y, 0), inside ? x : STALE);
            assert_int_equal(dword_of(s, element, x, y, 2), inside ? first : STALE);
            assert_int_equal(dword_of(s, element, x, y, 3), inside ? last : STALE);
        }
}

static void boxes(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t way = 0; way < 6; way++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            p.partitioning = way % 3;
            p.output = way < 3 ? CLOCKWISE : COUNTERCLOCKWISE;
            p.instances = 3;
            draw(s, &p);
            for (uint32_t element = 0; element < 3; element++)
                expect_box(s, element, 50, 0);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 3 * 32 * 16 * counts_a_pixel());
            assert_int_equal(counter_at(s, "IA_VERTICES_COUNT"), 9);
            assert_int_equal(counter_at(s, "IA_PRIMITIVES_COUNT"), 3);
            assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 3);
            streamer_destroy(s);
        }
}

/* A geometry shader gets the tessellator's triangles, all of each patch's, and each of its invocations: what
 * it makes is drawn. (SKL PRM vol 7, Geometry Shader (GS) Stage) */
static void before_geometry(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t way = 0; way < 12; way++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            p.partitioning = way % 3;
            p.output = way / 3 % 2 ? COUNTERCLOCKWISE : CLOCKWISE;
            p.vertices = 6;
            p.instances = 3;
            p.geometry = true;
            p.invocations = way < 6 ? 0 : 10;
            draw(s, &p);
            const uint64_t times = 1 + p.invocations,
                           triangles = counter_at(s, "GS_PRIMITIVES_COUNT") / times;
            for (uint32_t element = 0; element < 3; element++)
                expect_box(s, element, 50, 1);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"),
                             times * 2 * 3 * 32 * 16 * counts_a_pixel());
            assert_int_equal(counter_at(s, "GS_INVOCATION_COUNT"), triangles * times);
            assert_in_range(triangles, 6 * 10, 6 * 60);
            assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 6);
            streamer_destroy(s);
        }
}

/* Numbers of patches, and the thread that has one of eight. */
static void several_at_once(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t mode = SINGLE_PATCH; mode <= PATCHES_8; mode += PATCHES_8) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            p.vertices = 6;
            p.mode = mode;
            if (mode && k.set == &eu_gen8) { /* has no such field */
                streamer_destroy(s);
                continue;
            }
            draw(s, &p);
            expect_box(s, 0, 50, 1); /* the second one is drawn over the first */
            assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 2);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 2 * 32 * 16 * counts_a_pixel());
            streamer_destroy(s);
        }
}

/* Instances are threads of one patch: the first reads behind the barrier what the last one wrote before it.
 */
static void instances_meet(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t last = 0; last < 16; last += 5)
            for (uint32_t mode = SINGLE_PATCH; mode <= PATCHES_8; mode += PATCHES_8) {
                struct streamer *const s = begin(*name);
                struct patches p = plain;
                p.hull_instances = last;
                p.barrier = true;
                p.mode = mode;
                if (mode && k.set == &eu_gen8) {
                    streamer_destroy(s);
                    continue;
                }
                draw(s, &p);
                expect_box(s, 0, 50 + last, 0);
                assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 1);
                streamer_destroy(s);
            }
}

/* Of a point there is one thread's channel, or one of each corner where nothing is shared. Nine points, eight
 * triangles. */
static void counts(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t apart = 0; apart < 2; apart++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            for (unsigned i = 2; i < 8; i++)
                p.factors[i] = 2;
            p.domain_state = apart << 1;
            draw(s, &p);
            expect_box(s, 0, 50, 0);
            assert_int_equal(counter_at(s, "DS_INVOCATION_COUNT"), apart ? 24 : 9);
            streamer_destroy(s);
        }
}

/* What comes to the clipper is what the tessellator made. */
static void counts_of_the_clipper(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t clips = 0; clips < 2; clips++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            uint32_t dw[MOST_DW];
            for (unsigned i = 2; i < 8; i++)
                p.factors[i] = 2;
            const uint32_t count = put_all(s, &p, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_CLIP"),
                        {"Statistics Enable", 1}, {"Perspective Divide Disable", 1}, {"Clip Enable", clips},
                        {"Clip Mode", .value_name = clips ? "CLIPMODE_ACCEPT_ALL" : "CLIPMODE_NORMAL"});
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_SF"),
                        {"Statistics Enable", 1});
            batch_run(s, dw, count, true);
            expect_box(s, 0, 50, 0);
            assert_int_equal(counter_at(s, "CL_INVOCATION_COUNT"), clips ? 8 : 0);
            assert_int_equal(counter_at(s, "CL_PRIMITIVES_COUNT"), 8);
            streamer_destroy(s);
        }
}

/* An edge's factor of 0, or none, culls; the next patch is drawn. */
static void culled(void **state)
{
    (void)state;
    static const float none[] = {0, -3, NAN};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned i = 0; i < 12; i++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            p.factors[4 + i / 3] = none[i % 3];
            p.vertices = 6;
            draw(s, &p);
            assert_int_equal(dword_of(s, 0, 10, 10, 0), STALE);
            assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 2);
            assert_int_equal(counter_at(s, "DS_INVOCATION_COUNT"), 0);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 0);
            streamer_destroy(s);
        }
}

/* Triangles cover u + v < 1; w is there where it is asked for. */
static void triangles(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t w = 0; w < 2; w++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            const float factors[8] = {0, 0, 0, 0, 1, 1, 1, 1};
            p.domain = TRIANGLES;
            p.domain_state = w << 2;
            memcpy(p.factors, factors, sizeof factors);
            draw(s, &p);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const bool inside = x >= 6 && y >= 9 && (x - 6 + 0.5) / 32 + (y - 9 + 0.5) / 16 < 1;
                    assert_int_equal(dword_of(s, 0, x, y, 2), inside ? 50 : STALE);
                }
            assert_int_equal(counter_at(s, "DS_INVOCATION_COUNT"), 3);
            const struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
            const uint32_t *const vertex = d->draws->urb->dw + (size_t)URB_ENTRIES * URB_ENTRY_DW + 9;
            /* The points are v = 1, w = 1, u = 1, in an order of the cache's. */
            uint32_t sum = 0;
            for (unsigned i = 0; i < 3; i++)
                sum += vertex[i * (size_t)URB_ENTRY_DW] == float_bits(1) ? 1
                       : vertex[i * (size_t)URB_ENTRY_DW]                ? 9
                                                                         : 0;
            assert_int_equal(sum, w);
            streamer_destroy(s);
        }
}

/* From Gen12 on the factors may be in their order: what is drawn is the same. Isolines have their detail
 * first. (Mesa 26.1's shaders: 3DSTATE_TE, Patch Header Layout) */
static void header_layouts(void **state)
{
    enum { REVERSED = 2, REVERSED_TRI_INSIDE_SEPARATE, DEVICES = 3 };
    static const char *const since_gen12[] = {"tgl", "dg2", "bmg"};
    static const struct {
        uint32_t domain, layout;
        float factors[8], legacy[8];
    } rows[] = {
        {QUADS, REVERSED, {5, 2, 3, 4, 3, 2, 9, 9}, {0, 0, 2, 3, 4, 3, 2, 5}},
        {QUADS, REVERSED_TRI_INSIDE_SEPARATE, {5, 2, 3, 4, 3, 2, 9, 9}, {0, 0, 2, 3, 4, 3, 2, 5}},
        {TRIANGLES, REVERSED, {2, 3, 4, 5, 9, 9, 9, 9}, {0, 0, 0, 0, 5, 4, 3, 2}},
        {TRIANGLES, REVERSED_TRI_INSIDE_SEPARATE, {2, 3, 4, 9, 5, 9, 9, 9}, {0, 0, 0, 0, 5, 4, 3, 2}},
        {ISOLINES, REVERSED, {4, 2, 9, 9, 9, 9, 9, 9}, {0, 0, 0, 0, 0, 0, 2, 4}},
        {ISOLINES, REVERSED_TRI_INSIDE_SEPARATE, {4, 2, 9, 9, 9, 9, 9, 9}, {0, 0, 0, 0, 0, 0, 2, 4}},
    };
    (void)state;
    for (unsigned n = 0; n < DEVICES * sizeof rows / sizeof *rows; n++) {
        uint64_t points[2];
        for (unsigned legacy = 0; legacy < 2; legacy++) {
            struct streamer *const s = begin(since_gen12[n % DEVICES]);
            struct patches p = plain;
            uint32_t dw[MOST_DW];
            p.domain = rows[n / DEVICES].domain;
            p.output = p.domain == ISOLINES ? LINES : CLOCKWISE;
            memcpy(p.factors, legacy ? rows[n / DEVICES].legacy : rows[n / DEVICES].factors,
                   sizeof p.factors);
            const uint32_t count = put_all(s, &p, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_TE"),
                        {"Patch Header Layout", legacy ? 0 : rows[n / DEVICES].layout});
            batch_run(s, dw, count, true);
            points[legacy] = counter_at(s, "DS_INVOCATION_COUNT");
            streamer_destroy(s);
        }
        assert_true(points[0] == points[1] && points[0] > 4);
    }
}

/* Lines go along u, at v = 0 and 1/2; points are a pixel each. */
static void lines_and_points(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (uint32_t output = POINTS; output <= LINES; output++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            const float factors[8] = {0, 0, 0, 0, 0, 0, 2, 4};
            uint32_t dw[MOST_DW], lit = 0;
            p.domain = ISOLINES;
            p.output = output;
            memcpy(p.factors, factors, sizeof factors);
            const uint32_t count = put_all(s, &p, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_SF"),
                        {"Point Width Source", .value_name = "State"}, {"Point Width", 8}); /* 1 */
            batch_run(s, dw, count, true);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const bool is_lit = dword_of(s, 0, x, y, 2) != STALE;
                    lit += is_lit;
                    /* beside the line, which goes along the edge of two rows of pixels */
                    assert_true(!is_lit || ((y == 8 || y == 9 || y == 16 || y == 17) && x >= 5 && x <= 38));
                }
            assert_int_equal(lit, output == POINTS ? 10 : 64);
            assert_int_equal(counter_at(s, "DS_INVOCATION_COUNT"), 10);
            streamer_destroy(s);
        }
}

static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned geometry = 0; geometry < 2; geometry++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            unsigned within[MAX_PAYLOADS] = {0}, patched = 0;
            uint32_t dw[MOST_DW];
            p.geometry = geometry;
            p.vertices = 6;
            p.instances = 2;
            p.hull_instances = 2;
            p.slow = p.barrier = true;
            batch_put(s, dw, put_all(s, &p, dw), true);
            const struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
            for (unsigned i = 0; softgt_run(s->device, 1 + i % 7); i++) {
                within[dispatch_has_work(&d->work) ? d->work.setup.payload : 0]++;
                patched += d->draws->draw.cursor.phase == DRAW_PATCH;
                reload(s->device);
                assert_true(i < 100000);
            }
            assert_true(within[SHADER_STAGE_HS] && within[SHADER_STAGE_DS] && patched);
            assert_true(!geometry == !within[SHADER_STAGE_GS]);
            for (uint32_t element = 0; element < 2; element++)
                expect_box(s, element, 52, 1);
            assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 4);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 4 * 32 * 16 * counts_a_pixel());
            streamer_destroy(s);
        }
}

/* A saved draw without a geometry shader whose phase is GS_OUTPUT does not load. */
static void made_by_nobody(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        uint32_t dw[MOST_DW];
        batch_put(s, dw, put_all(s, &plain, dw), true);
        while (d->draws->draw.cursor.phase < DRAW_PATCH || !draw_shades_pixels(d))
            assert_true(softgt_run(s->device, 1));
        const uint8_t phase = d->draws->draw.cursor.phase;
        reload(s->device);
        assert_int_equal(d->draws->draw.cursor.phase, phase);
        d->draws->draw.cursor.phase = DRAW_GS_OUTPUT;
        struct blob b = saved(s->device);
        d->draws->draw.cursor.phase = phase;
        assert_int_not_equal(softgt_load(s->device, b.bytes, b.size), 0);
        free(b.bytes);
        streamer_destroy(s);
    }
}

/* A saved thread that has more channels than a register has dwords does not load. */
static void more_channels_than_a_thread_has(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
        struct patches p = plain;
        uint32_t dw[MOST_DW];
        p.vertices = 6;
        p.instances = p.hull_instances = 2;
        p.slow = p.barrier = true;
        batch_put(s, dw, put_all(s, &p, dw), true);
        for (unsigned i = 0; !d->draws->urb->channel_count; i++) {
            assert_true(softgt_run(s->device, 1 + i % 7));
            reload(s->device);
        }
        const uint8_t count = d->draws->urb->channel_count;
        assert_in_range(count, 1, d->set->register_bytes / 4u);
        d->draws->urb->channel_count = (uint8_t)(d->set->register_bytes / 4u + 1u);
        struct blob b = saved(s->device);
        d->draws->urb->channel_count = count;
        assert_int_not_equal(softgt_load(s->device, b.bytes, b.size), 0);
        free(b.bytes);
        streamer_destroy(s);
    }
}

/* Another context comes in between two patches, and no pixel is drawn twice. */
static void preempted(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned geometry = 0; geometry < 2; geometry++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            uint32_t dw[MOST_DW];
            p.geometry = geometry;
            p.vertices = 6;
            p.instances = 9;
            masked_put(s, "FF_SLICE_CS_CHICKEN3", 1, 1);
            context_put(s, 0, dw, put_all(s, &p, dw));
            context_submit(s, 0);
            for (unsigned i = 0; i < 1000 && streamer_status(s).thread_groups < 30; i++)
                softgt_run(s->device, 1);
            another_context_comes(s);
            assert_int_equal(dword_of(s, p.instances - 1, 10, 10, 0), STALE);
            context_submit(s, 0);
            softgt_run(s->device, 1 << 24);
            for (uint32_t element = 0; element < p.instances; element++)
                expect_box(s, element, 50, 1);
            assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 18);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 18 * 32 * 16 * counts_a_pixel());
            streamer_destroy(s);
        }
}

/* What is not modelled of it is told, and nothing is drawn. */
static void what_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *command, *field;
        uint32_t value;
        bool is_mode, later; /* a dispatch mode, which Gen20 does not have; later than Gen8 */
    } ways[] = {
        {"3DSTATE_HS", "Enable", 0, false, false},
        {"3DSTATE_HS", "Vertex URB Entry Read Length", 1, false, false},
        {"3DSTATE_HS", "Dispatch Mode", DUAL_PATCH, true, true},
        {"3DSTATE_TE", "TE Enable", 0, false, false},
        {"3DSTATE_DS", "Enable", 0, false, false},
        {"3DSTATE_DS", "Dispatch Mode", 0, true, false},                      /* two points at once */
        {"3DSTATE_URB_DS", "DS URB Entry Allocation Size", 16, false, false}, /* vertices of more than 1 KB */
        {"3DSTATE_VF_TOPOLOGY", "Primitive Topology Type", TRILIST, false, false},
    };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned way = 0; way < sizeof ways / sizeof ways[0]; way++) {
            struct streamer *const s = begin(*name);
            uint32_t dw[MOST_DW];
            if ((ways[way].later && k.set == &eu_gen8) || (ways[way].is_mode && has_wide_registers())) {
                streamer_destroy(s);
                continue;
            }
            const uint32_t count = put_all(s, &plain, dw);
            COMMAND_PUT(s->device, command_named(s->device, dw, count, ways[way].command),
                        {ways[way].field, ways[way].value});
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(streamer_status(s).thread_groups, 0);
            assert_int_equal(dword_of(s, 0, 10, 10, 0), STALE);
            streamer_destroy(s);
        }
}

/* Threads of each stage are counted, and told apart: two patches of three instances, each of nine points and
 * so of two threads. */
static void observed(void **state)
{
    (void)state;
    enum {
        SENDS = 2,
        OF_HS = 2 << 4,
        OF_DS = 3 << 4,
        HULL_SENT = 9 + 4 + 5 + 6,
        DOMAIN_SENT = 9 + 1 + 5,
        /* of Gen20, whose messages have four dwords of a channel at most; counted in 32 bytes */
        WIDE_HULL_SENT = 2 * (5 + 5 + 4 + 5 + 5),
        WIDE_DOMAIN_SENT = 2 * (5 + 5 + 1 + 5)
    };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct patches p = plain;
        p.vertices = 6;
        p.hull_instances = 2;
        for (unsigned i = 2; i < 8; i++)
            p.factors[i] = 2;
        counters_start(s);
        register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL0"),
                     SENDS | OF_HS | (SENDS | OF_DS) << 12);
        draw(s, &p);
        softgt_advance(s->device, 1000000);
        const bool wide = has_wide_registers(); /* all points of a patch are a thread's */
        const unsigned hulls = 2 * 3, domains = wide ? 2 : 2 * 2;
        assert_int_equal(a_counter(s, 2), hulls);
        assert_int_equal(a_counter(s, 3), domains);
        for (unsigned a = 1; a < 6; a += a == 1 ? 3 : 1)
            assert_int_equal(a_counter(s, a), 0);
        assert_int_equal(a_counter(s, 7), hulls * (wide ? WIDE_HULL_SENT : HULL_SENT));
        assert_int_equal(a_counter(s, 8), domains * (wide ? WIDE_DOMAIN_SENT : DOMAIN_SENT));
        streamer_destroy(s);
    }
}

/* The number of a patch is in the attribute's components that the state names, whatever its vertices have. */
static void numbers(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct patches p = plain;
        uint32_t dw[MOST_DW];
        p.vertices = 6;
        const uint32_t count = put_all(s, &p, dw);
        COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_SBE"),
                    {"Primitive ID Override Component X", 1}, {"Constant Interpolation Enable", 0});
        batch_run(s, dw, count, true);
        assert_int_equal(dword_of(s, 0, 10, 10, 2), 1);
        streamer_destroy(s);
    }
}

/* State whose bits are anything, and factors, sizes, registers: all of it ends, and its saves load. */
static void hostile_states(void **state)
{
    (void)state;
    enum { TESSELLATION = 66 << 24 | ((1 << 23) - 1) }; /* bits of floats below 64 */
    static const struct {
        const char *command;
        unsigned dword; /* not one of a kernel's address */
    } ours[] = {{"3DSTATE_HS", 7},
                {"3DSTATE_DS", 6},
                {"3DSTATE_URB_HS", 1},
                {"3DSTATE_URB_DS", 1},
                {"3DSTATE_CONSTANT_DS", 1}};
    uint64_t seed = 5;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned i = 0; i < CASES(60); i++) {
            struct streamer *const s = begin(*name);
            struct patches p = plain;
            uint32_t dw[MOST_DW];
            for (unsigned n = 0; n < 8; n++) {
                const uint32_t bits = (uint32_t)random_next(&seed) & (i % 3 ? TESSELLATION : UINT32_MAX);
                memcpy(&p.factors[n], &bits, sizeof bits);
            }
            p.vertices = 6;
            p.domain = below(&seed, 4);
            p.output = below(&seed, 4);
            p.partitioning = below(&seed, 4);
            p.hull_instances = below(&seed, 16);
            p.domain_state = below(&seed, 2) << 1;
            const uint32_t count = put_all(s, &p, dw);
            for (unsigned n = 0; n < sizeof ours / sizeof ours[0] && i % 2; n++)
                command_named(s->device, dw, count, ours[n].command)[ours[n].dword] ^= 1u << below(&seed, 32);
            batch_put(s, dw, count, true);
            for (unsigned n = 0; n < 40 && softgt_run(s->device, 1000); n++)
                if (n % 8 == 0)
                    reload(s->device);
            streamer_destroy(s);
        }
}

/* Patches of 32 vertices that no thread shades, by indices. */
static void put_large(struct streamer *s, const struct patches *p, uint32_t vertices, uint32_t dw[MOST_DW])
{
    uint32_t count = put_all(s, p, dw);
    COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_VF_TOPOLOGY"),
                {"Primitive Topology Type", PATCHLIST_1 + 31});
    insert_before_primitive(
        s, dw, &count,
        "3DSTATE_INDEX_BUFFER index_format = dword, buffer_starting_address = %u, buffer_size = %u", INDICES,
        vertices * 4);
    COMMAND_PUT(s->device, primitive_of(s, dw, count), {"Vertex Access Type", .value_name = "RANDOM"},
                {"Vertex Count Per Instance", vertices});
    for (uint32_t i = 0; i < vertices; i++)
        dword_put(s, INDICES + i * 4, i);
    batch_put(s, dw, count, true);
}

/* What is fetched costs, whoever shades it: a slice comes to 64 vertices and a few more. */
static void fetches_cost(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct patches p = plain;
        uint32_t dw[MOST_DW], before = 0, after = 0;
        p.factors[4] = 0; /* all are culled */
        put_large(s, &p, 32 * 40, dw);
        while (softgt_run(s->device, 1)) {
            after = counter_at(s, "HS_INVOCATION_COUNT");
            assert_true(after - before <= 3);
            before = after;
        }
        assert_int_equal(counter_at(s, "HS_INVOCATION_COUNT"), 40);
        streamer_destroy(s);
    }
}

/* Indices that are others whenever they are read: no slice waits for them to stay. */
static void change(void *user, bool write, uint64_t address, const void *data, size_t size_bytes)
{
    enum { ENOUGH = 1 << 20, INDICES_BYTES = 64 * 4 };
    struct streamer *const s = user;
    uint32_t before;
    memcpy(&before, data, sizeof before);
    if (!write && size_bytes == 4 && address >= INDICES && address < INDICES + INDICES_BYTES &&
        s->blits++ < ENOUGH)
        dword_put(s, (uint32_t)address, before + 100);
}

static void indices_change(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[MOST_DW];
        put_large(s, &plain, 64, dw);
        s->unmapped = true;
        s->touched = change;
        s->user = s;
        softgt_memory_changed(s->device);
        for (unsigned i = 0; i < 100; i++) {
            s->blits = 0;
            softgt_run(s->device, 1);
            assert_in_range(s->blits, 0, 10000);
        }
        streamer_destroy(s);
    }
}

TEST_PROGRAM(patches_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(before_geometry),
        cmocka_unit_test(several_at_once),
        cmocka_unit_test(instances_meet),
        cmocka_unit_test(counts),
        cmocka_unit_test(counts_of_the_clipper),
        cmocka_unit_test(culled),
        cmocka_unit_test(triangles),
        cmocka_unit_test(header_layouts),
        cmocka_unit_test(lines_and_points),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(made_by_nobody),
        cmocka_unit_test(more_channels_than_a_thread_has),
        cmocka_unit_test(preempted),
        cmocka_unit_test(what_is_left),
        cmocka_unit_test(observed),
        cmocka_unit_test(numbers),
        cmocka_unit_test(hostile_states),
        cmocka_unit_test(fetches_cost),
        cmocka_unit_test(indices_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
