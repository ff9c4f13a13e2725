/* Render target writes of rows of pixels agree with those of single pixels: random formats, layouts, blend
 * states and colors leave the same memory, counters, costs, translations and faults, at each level of
 * vectors. */
#include "../suite.h"
#include "message_lab.h"

#include "memory/flat_ccs.h"
#include "output_merger/pixel_rows.h"

enum {
    SCENES = 300,
    MESSAGES = 12, /* of a scene */
    TARGET_AT = DATA,
    TARGET_BYTES = 256 << 10,
    END_AT = 2 * PAGE_2M - 3 * PAGE_BYTES, /* the last pages of the address space */
    DEPTH_AT = DATA + (768 << 10),         /* and stencils */
    CONTROL_AT = DATA + (512 << 10),
    AUX_TABLE_AT = DATA + (640 << 10),
    COMPARED_BYTES = PAGE_2M
};

/* How messages are sent: some are planned, also to targets of which blocks are cleared. */
enum messages { ROWS, PLANNED, CLEARED };
static unsigned planned_messages;

/* Two devices with the same memory: one writes single pixels. */
struct pair {
    struct lab one, rows;
    struct output_merger_state om;
    struct ps_thread ps;
};

static uint32_t pick(uint64_t *seed, const uint8_t *values, size_t count)
{
    return values[below(seed, count)];
}
#define PICK(seed, ...) pick(seed, (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static uint32_t random_color(uint64_t *seed)
{
    static const uint32_t edges[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffc12345, 0x7f812345, 1,          0x80000001, 0x007fffff,
                                     0x3b008081, 0x3effffff, 0x3f000000, 0x477fe000, 0x477ff000, 0x7f7fffff,
                                     255,        256,        0xffffff00, 0xffffffff, 0x33000000, 0x387fc000};
    const uint32_t roll = below(seed, 8);
    const float unit = (float)below(seed, 1 << 24) / (float)(1 << 24), step = (float)below(seed, 512) / 510.f;
    uint32_t bits;
    memcpy(&bits, roll < 5 ? &unit : &step, sizeof bits);
    return roll < 6    ? bits
           : roll == 6 ? edges[below(seed, sizeof edges / sizeof *edges)]
                       : (uint32_t)random_next(seed);
}

static void random_blend(uint64_t *seed, struct output_merger_state *om)
{
    struct render_target_blend *const t = &om->blend[0];
    *t = (struct render_target_blend){
        .enabled = below(seed, 3) != 0,
        .write_mask = below(seed, 3) ? WRITE_ALL : (uint8_t)below(seed, 16),
        .logic_op = below(seed, 10) ? LOGIC_OP_NONE : (uint8_t)below(seed, 16),
        .clamp_enables = (uint8_t)below(seed, 8),
        .clamp_range = (uint8_t)below(seed, CLAMP_RANGES),
        .alpha_to_one = below(seed, 8) == 0,
        .color_function = (uint8_t)below(seed, 6),
        .alpha_function = (uint8_t)below(seed, 6),
        .color_source_factor = (uint8_t)below(seed, 28),
        .color_destination_factor = (uint8_t)below(seed, 28),
        .alpha_source_factor = (uint8_t)below(seed, 28),
        .alpha_destination_factor = (uint8_t)below(seed, 28),
    };
    if (below(seed, 5) == 0) { /* over what is there, by the source's alpha */
        t->enabled = true;
        t->write_mask = WRITE_ALL;
        t->logic_op = LOGIC_OP_NONE;
        t->alpha_to_one = false;
        t->color_function = t->alpha_function = BLENDFUNCTION_ADD;
        t->color_source_factor = t->alpha_source_factor = BLENDFACTOR_SRC_ALPHA;
        t->color_destination_factor = t->alpha_destination_factor =
            BLENDFACTOR_INVERSE | BLENDFACTOR_SRC_ALPHA;
    }
    for (unsigned n = 0; n < 4; n++) {
        const uint32_t bits = random_color(seed);
        memcpy(&om->blend_constant[n], &bits, sizeof bits);
    }
    om->omask_present = below(seed, 8) == 0;
    om->late_depth_stencil = below(seed, 3) == 0;
    om->computed_depth = om->late_depth_stencil && below(seed, 2);
    om->alpha_test_unorm8 = below(seed, 2);
    om->alpha_test_function = om->late_depth_stencil && below(seed, 2) ? (uint8_t)below(seed, 8) : 0;
    om->alpha_test_reference = 0.5f;
}

/* A format of pixels that the devices have, by its code. */
static uint32_t random_format(uint64_t *seed, const struct lab *l)
{
    static const char *const frequent[] = {"R8G8B8A8_UNORM",      "B8G8R8A8_UNORM",     "R8G8B8A8_UINT",
                                           "R8G8B8A8_UNORM_SRGB", "R32G32B32A32_FLOAT", "R16G16B16A16_FLOAT",
                                           "R32G32_UINT",         "R11G11B10_FLOAT"};
    const char *const name =
        below(seed, 2) ? frequent[below(seed, sizeof frequent / sizeof *frequent)] : NULL;
    for (;;) {
        const uint32_t code = below(seed, SURFACE_FORMATS);
        const struct softgt_format *const f = l->b->structures.formats[code];
        if (f && (!name || strcmp(f->name, name) == 0))
            return code;
    }
}

/* A control surface; parts with local memory have none here. */
static void put_control(uint64_t *seed, const struct lab *l, const char *device, uint32_t *state)
{
    const bool by_bits = lab_is_early(l), by_table = strcmp(device, "tgl") == 0;
    if (strcmp(device, "dg2") == 0)
        return;
    STRUCTURE_CHANGE(l->s->device, "RENDER_SURFACE_STATE", state,
                     {"Auxiliary Surface Mode", .value_name = by_bits ? "AUX_MCS" : "AUX_CCS_E"},
                     {"Auxiliary Surface Pitch", below(seed, 4)}, {"Auxiliary Surface QPitch", 16});
    if (!by_table)
        STRUCTURE_CHANGE(l->s->device, "RENDER_SURFACE_STATE", state,
                         {"Auxiliary Surface Base Address", CONTROL_AT});
    for (unsigned n = 12; n < 16; n++)
        state[n] = by_bits || by_table ? state[n] : random_color(seed);
}

/* A surface of which blocks are cleared. */
static uint32_t *cleared_surface(uint64_t *seed, struct pair *p, const char *device)
{
    static uint32_t state[SURFACE_STATE_DW];
    enum { TILE_Y = 3, R8G8B8A8_UNORM = 0xc7, R16G16B16A16_FLOAT = 0x84 };
    memset(state, 0, sizeof state);
    STRUCTURE_PUT(
        p->one.s->device, "RENDER_SURFACE_STATE", state, {"Surface Type", .value_name = "SURFTYPE_2D"},
        {"Surface Format", PICK(seed, R8G8B8A8_UNORM, R16G16B16A16_FLOAT)}, {"Width", 83}, {"Height", 83},
        {"Surface Pitch", 1023}, {"Tile Mode", TILE_Y}, {"Surface Vertical Alignment", 1},
        {"Surface Horizontal Alignment", 1}, {"Surface Base Address", TARGET_AT});
    put_control(seed, &p->one, device, state);
    return state;
}

static uint32_t *random_surface(uint64_t *seed, struct pair *p, const char *device, uint64_t *base)
{
    static uint32_t state[SURFACE_STATE_DW];
    const struct lab *const l = &p->one;
    const bool volume = below(seed, 12) == 0, buffer = below(seed, 24) == 0;
    const uint32_t tiling = pick(seed, (const uint8_t[]){0, 2, 3, 3, 3}, 5);
    *base = below(seed, 6) ? TARGET_AT : END_AT;
    const uint64_t at = *base + (below(seed, 8) ? 0 : 4 * below(seed, 1024));
    memset(state, 0, sizeof state);
    STRUCTURE_PUT(l->s->device, "RENDER_SURFACE_STATE", state,
                  {"Surface Type", buffer   ? SURFTYPE_BUFFER
                                   : volume ? SURFTYPE_3D
                                            : PICK(seed, 1, 1, 1, 1, 0)},
                  {"Surface Format", random_format(seed, l)}, {"Width", below(seed, 70)},
                  {"Height", below(seed, 70)}, {"Surface Pitch", 512 * (1 + below(seed, 3)) - 1},
                  {"Surface Array", below(seed, 2)}, {"Depth", below(seed, 4)},
                  {"Render Target View Extent", below(seed, 4)}, {"Minimum Array Element", below(seed, 3)},
                  {"Surface QPitch", 4 * below(seed, 8)}, {"MIP Count / LOD", PICK(seed, 0, 0, 0, 1, 2)},
                  {"Tile Mode", tiling}, {"Surface Vertical Alignment", 1 + below(seed, 3)},
                  {"Surface Horizontal Alignment", 1 + below(seed, 3)}, {"X Offset", below(seed, 3) ? 0 : 1},
                  {"Surface Base Address", at});
    if (below(seed, 2) && at % PAGE_BYTES == 0) /* as hardware wants it, else a subspan may have two blocks */
        put_control(seed, l, device, state);
    return state;
}

/* A thread has each subspan once. */
static bool is_repeated(const struct ps_thread *p, unsigned n)
{
    for (unsigned before = 0; before < n; before++)
        if (memcmp(p->subspan_xy[before], p->subspan_xy[n], sizeof p->subspan_xy[n]) == 0)
            return true;
    return false;
}

static void random_subspans(uint64_t *seed, struct ps_thread *p)
{
    const uint32_t x = 4 * below(seed, 20), y = 4 * below(seed, 20);
    const uint32_t roll = below(seed, 4);
    memset(p, 0, sizeof *p);
    for (unsigned n = 0; n < SUBSPANS; n++) {
        do {
            p->subspan_xy[n][0] = roll ? x + 2 * (n & 1u) + 4 * (n / 4) : 2 * below(seed, 40);
            p->subspan_xy[n][1] = roll ? y + (n & 2u) : 2 * below(seed, 40);
        } while (is_repeated(p, n));
        if (below(seed, 64) == 0)
            p->subspan_xy[n][below(seed, 2)] = UINT32_MAX - 1u;
    }
    p->coverage_mask = below(seed, 2) ? UINT32_MAX : (uint32_t)(random_next(seed) | random_next(seed));
    p->unwritten_mask = p->coverage_mask;
    p->late_tested_mask = below(seed, 2) ? 0 : (uint32_t)random_next(seed);
    p->late_failed_mask = below(seed, 2) ? 0 : p->late_tested_mask & (uint32_t)random_next(seed);
    p->array_index = below(seed, 3) ? 0 : below(seed, 3);
    p->viewport_depth_range[1] = 1;
    p->back_facing = below(seed, 2);
    for (unsigned n = 0; n < SUBSPANS * SUBSPAN_PIXELS; n++)
        p->pixel_depth[n] = (float)below(seed, 1024) / 1024.f;
}

/* Sends a message, or does it at once where that is possible. */
static enum eu_answer ask_planned(struct lab *l, bool is_planned, uint32_t descriptor, unsigned registers,
                                  unsigned width, uint32_t channels)
{
    const struct eu_send m = {.sfid = SFID_RENDER_CACHE,
                              .descriptor = descriptor | registers << 25,
                              .execution_size = (uint8_t)width,
                              .channels = channels,
                              .payload = {l->grf[0], l->grf[registers]},
                              .payload_registers = {(uint8_t)registers}};
    const int cost = is_planned ? l->b->pixel_units->render_target_planned(l->b, &m) : -1;
    planned_messages += cost >= 0;
    if (cost < 0)
        return ask(l, SFID_RENDER_CACHE, descriptor, 0, registers, 0, 0, width, channels);
    l->b->cost.messages += (uint32_t)cost;
    return EU_SENT;
}

/* A message to target 0 by index 2: without a header. */
static void random_message(uint64_t *seed, struct pair *p, enum messages how)
{
    const unsigned type = PICK(seed, 0, 0, 0, 0, 1, 2, 3, 4, 4, 5), width = type < 2 ? 16 : 8,
                   registers = (type == 1                ? 1
                                : type == 2 || type == 3 ? 8
                                                         : width / 2) +
                               p->om.omask_present + (p->om.computed_depth ? width / 8 : 0);
    const uint32_t channels = below(seed, 2) ? UINT32_MAX : (uint32_t)random_next(seed),
                   descriptor = 12 << 14 | type << 8 | below(seed, 2) << 11 | 2;
    for (unsigned n = 0; n < 12 * 8; n++)
        dw(&p->one, n / 8)[n % 8] = random_color(seed);
    memcpy(p->rows.grf, p->one.grf, sizeof p->one.grf);
    const bool is_planned = how != ROWS && below(seed, 4);
    const struct ps_thread before = p->ps;
    struct lab *const labs[2] = {&p->one, &p->rows};
    enum eu_answer answer[2];
    struct ps_thread after[2];
    for (unsigned n = 0; n < 2; n++) {
        p->ps = before;
        labs[n]->b->om = &p->om;
        labs[n]->b->ps = &p->ps;
        memory_client_begin(&labs[n]->b->memory);
        answer[n] = ask_planned(labs[n], n && is_planned, descriptor, registers, width, channels);
        after[n] = p->ps;
    }
    assert_int_equal(answer[0], answer[1]);
    assert_memory_equal(&after[0], &after[1], sizeof after[0]);
}

static void compare(const struct pair *p, enum messages how)
{
    const struct message_context *const a = p->one.b, *const b = p->rows.b;
    assert_memory_equal(&a->counters, &b->counters, sizeof a->counters);
    assert_memory_equal(a->memory.counters, b->memory.counters, sizeof *a->memory.counters);
    assert_int_equal(a->cost.messages, b->cost.messages);
    assert_int_equal(a->memory.mmu->faults, b->memory.mmu->faults);
    if (how == ROWS) /* planned messages may find pages that they do not need */
        assert_memory_equal(a->memory.mmu->translations, b->memory.mmu->translations,
                            sizeof a->memory.mmu->translations);
    assert_memory_equal(p->one.s->memory + USER_DATA, p->rows.s->memory + USER_DATA, COMPARED_BYTES);
}

/* ---- Depth and stencil ---- */

static struct depth_surface random_depth_surface(uint64_t *seed, bool stencil, const char *device)
{
    return (struct depth_surface){
        .base = (uint64_t)(below(seed, 12) ? DEPTH_AT : ABSENT) + (stencil ? TARGET_BYTES / 2u : 0u),
        .pitch_bytes = 512 * (1 + below(seed, 2)),
        .qpitch_rows = 4 * below(seed, 16),
        .first_element = below(seed, 2),
        .elements = 1 + below(seed, 3),
        .width = 1 + below(seed, 70),
        .height = 1 + below(seed, 70),
        .tiling = strcmp(device, "dg2") == 0 ? SOFTGT_TILE_4
                  : below(seed, 6)           ? SOFTGT_TILE_Y
                                             : SOFTGT_TILE_LINEAR,
        .tiled_w = stencil && strcmp(device, "dg2") != 0,
        .present = below(seed, 8) != 0,
    };
}

static struct depth_stencil random_depth_stencil(uint64_t *seed, const char *device)
{
    struct depth_stencil s = {
        .depth = random_depth_surface(seed, false, device),
        .stencil = random_depth_surface(seed, true, device),
        .depth_format = (uint8_t)PICK(seed, DEPTH_D16, DEPTH_D24, DEPTH_D32, DEPTH_D24_S8, DEPTH_D32_S8),
        .depth_test_function = (uint8_t)below(seed, 8),
        .depth_test_enable = below(seed, 4) != 0,
        .depth_write_enable = below(seed, 2),
        .stencil_test_enable = below(seed, 2),
        .stencil_write_enable = below(seed, 2),
    };
    if (depth_has_stencils(s.depth_format)) {
        s.stencil = s.depth;
        s.stencil.interleaved_stencil = true;
    }
    for (unsigned n = 0; n < 2; n++)
        s.side[n] = (struct stencil_side){
            .test_function = (uint8_t)below(seed, 8),
            .fail_op = (uint8_t)below(seed, 8),
            .depth_fail_op = (uint8_t)below(seed, 8),
            .pass_op = (uint8_t)below(seed, 8),
            .reference = (uint8_t)random_next(seed),
            .test_mask = (uint8_t)(below(seed, 2) ? 0xff : random_next(seed)),
            .write_mask = (uint8_t)(below(seed, 2) ? 0xff : random_next(seed)),
        };
    s.enabled = s.depth_test_enable || s.depth_write_enable || s.stencil_test_enable;
    return s;
}

static void random_depth_test(uint64_t *seed, struct pair *p)
{
    const struct depth_stencil *const s = &p->om.depth_stencil;
    const uint32_t mask = p->ps.coverage_mask;
    float depth[SUBSPANS * SUBSPAN_PIXELS];
    for (unsigned n = 0; n < SUBSPANS * SUBSPAN_PIXELS; n++) {
        const uint32_t bits = random_color(seed);
        memcpy(&depth[n], &bits, sizeof bits);
    }
    p->ps.viewport_depth_range[0] = below(seed, 4) ? 0 : 0.25f;
    p->ps.viewport_depth_range[1] = below(seed, 4) ? 1 : 0.75f;
    p->ps.back_facing = below(seed, 2);
    memory_client_begin(&p->one.b->memory);
    memory_client_begin(&p->rows.b->memory);
    const uint32_t(*const xy)[2] = (const uint32_t(*)[2])p->ps.subspan_xy;
    assert_int_equal(depth_test_pixels(p->one.b, s, &p->ps, xy, mask, depth),
                     depth_test_pixels(p->rows.b, s, &p->ps, xy, mask, depth));
}

/* Often of blocks that are cleared. */
static uint8_t random_control_byte(uint64_t *seed)
{
    const uint32_t roll = below(seed, 8);
    return (uint8_t)(roll < 4 ? 0 : roll < 7 ? PICK(seed, 0x44, 0x04, 0x40, 0xff, 0x03) : random_next(seed));
}

/* The same memory for both, and the state of a new scene. */
static void begin_scene(uint64_t *seed, struct pair *p, const char *device, bool cleared)
{
    uint64_t base = TARGET_AT;
    struct lab *const labs[2] = {&p->one, &p->rows};
    uint8_t *const memory = p->one.s->memory;
    const uint32_t *const state =
        cleared ? cleared_surface(seed, p, device) : random_surface(seed, p, device, &base);
    for (uint32_t n = 0; n < TARGET_BYTES; n += 4) {
        const uint32_t value = below(seed, 2) ? random_color(seed) : (uint32_t)random_next(seed);
        memcpy(memory + base % PAGE_2M + USER_DATA + n % (base == END_AT ? 3 * PAGE_BYTES : TARGET_BYTES),
               &value, 4);
    }
    for (uint32_t n = 0; n < TARGET_BYTES; n++)
        memory[USER_DATA + DEPTH_AT - DATA + n] = (uint8_t)random_next(seed);
    for (uint32_t n = 0; n < 16 * PAGE_BYTES; n++)
        memory[USER_DATA + CONTROL_AT - DATA + n] = random_control_byte(seed);
    memcpy(p->rows.s->memory + USER_DATA, memory + USER_DATA, PAGE_2M);
    for (unsigned n = 0; n < 2; n++) {
        memcpy(surface_of(labs[n], 2), state, sizeof(uint32_t[SURFACE_STATE_DW]));
        bind_surface(labs[n], 2);
        ccs_cache_invalidate(labs[n]->b->memory.mmu);
        labs[n]->b->aux_table = strcmp(device, "tgl") == 0 ? AUX_TABLE_AT : 0;
        labs[n]->s->device->engines[0].parse.state = SOFTGT_ENGINE_IDLE; /* as after a fault's reset */
        if (below(seed, 2) && n == 0)
            mmu_invalidate(labs[0]->b->memory.mmu), mmu_invalidate(labs[1]->b->memory.mmu);
    }
}

/* Entries of three levels, from 64 KB around the target to the state of its blocks. */
static void put_tables(struct lab *l)
{
    enum { SECOND = AUX_TABLE_AT + (32 << 10), FIRST = AUX_TABLE_AT + (64 << 10) };
    const uint32_t entries[][2] = {{AUX_TABLE_AT, SECOND | 1}, {SECOND, FIRST | 1}};
    for (unsigned n = 0; n < 2; n++)
        dword_put(l->s, entries[n][0] - DATA + USER_DATA, entries[n][1]);
    for (uint32_t at = TARGET_AT >> 16; at < (TARGET_AT + TARGET_BYTES) >> 16; at++)
        dword_put(l->s, FIRST + at * 8 - DATA + USER_DATA, (CONTROL_AT + (at % 8) * PAGE_BYTES) | 1u);
}

static void agrees(enum eu_simd_level level, enum messages how)
{
    if (level > eu_host_simd_level())
        skip();
    for (EACH_DEVICE(name)) {
        static struct pair p;
        uint64_t seed = 5;
        lab_begin(&p.one, *name);
        lab_begin(&p.rows, *name);
        planned_messages = 0;
        p.one.b->pixels = NULL;
        p.rows.b->pixels = pixel_functions_of(level);
        put_tables(&p.one);
        put_tables(&p.rows);
        for (unsigned scene = 0; scene < SCENES; scene++) {
            begin_scene(&seed, &p, *name, how == CLEARED);
            for (unsigned n = 0; n < MESSAGES; n++) {
                if (n % 4 == 0) { /* another draw */
                    random_blend(&seed, &p.om);
                    forget_planned_targets(p.rows.b);
                }
                random_subspans(&seed, &p.ps);
                random_message(&seed, &p, how);
                if (n % 4 == 0)
                    p.om.depth_stencil =
                        how == CLEARED ? (struct depth_stencil){0} : random_depth_stencil(&seed, *name);
                random_subspans(&seed, &p.ps);
                random_depth_test(&seed, &p);
                p.one.s->device->engines[0].parse.state = SOFTGT_ENGINE_IDLE;
                p.rows.s->device->engines[0].parse.state = SOFTGT_ENGINE_IDLE;
            }
            compare(&p, how);
        }
        assert_true(how == ROWS || planned_messages > SCENES);
        lab_end(&p.one);
        lab_end(&p.rows);
    }
}

static void any_level(void **state)
{
    (void)state;
    agrees(EU_SIMD_NONE, ROWS);
}

static void fused_level(void **state)
{
    (void)state;
    agrees(EU_SIMD_V3, ROWS);
}

static void planned(void **state)
{
    (void)state;
    agrees(EU_SIMD_NONE, PLANNED);
}

static void cleared_blocks(void **state)
{
    (void)state;
    agrees(EU_SIMD_NONE, CLEARED);
}

TEST_PROGRAM(target_rows_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_level),
        cmocka_unit_test(fused_level),
        cmocka_unit_test(planned),
        cmocka_unit_test(cleared_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
