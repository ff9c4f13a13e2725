/* Messages of Gen20, whose registers have 64 bytes: where their parts are in registers, and what they do in
 * memory. Layouts are Mesa's (brw_lower_logical_sends.cpp, brw_eu_defines.h) and vISA's. */
#include "../suite.h"
#include "message_lab.h"

enum { ROWS = 2 /* of 32 bytes in a register */, ANSWER = 32 /* the first row of a response */ };
enum { SIMD16 = 16, SIMD32 = 32 };

/* Lengths count registers of 64 bytes. */
static bool send(struct lab *l, unsigned sfid, uint32_t descriptor, uint32_t extended,
                 const unsigned lengths[3], unsigned size, uint32_t channels)
{
    uint64_t budget = 1000;
    put_message(l, sfid, descriptor, extended, lengths[0] * ROWS, lengths[1] * ROWS, lengths[2] * ROWS, size,
                channels);
    l->m.descriptor = descriptor | lengths[0] << 25 | lengths[2] << 20;
    l->m.register_rows = ROWS;
    return shared_function_send(l->b, l->set, &l->m, &budget) == EU_SENT;
}
#define SEND(l, sfid, descriptor, extended, first, second, answer, size, channels)                           \
    send(l, sfid, descriptor, extended, (const unsigned[3]){first, second, answer}, size, channels)

/* A dword of a channel, in the registers from one of 64 bytes on. */
static uint32_t *channel_of(struct lab *l, unsigned number, unsigned channel)
{
    return dw(l, number * ROWS) + channel;
}

static uint32_t *answer_of(struct lab *l, unsigned number, unsigned channel)
{
    return dw(l, ANSWER + number * ROWS) + channel;
}

static void no_answer(struct lab *l)
{
    memset(l->grf[ANSWER], 0xee, (sizeof l->grf / sizeof l->grf[0] - ANSWER) * sizeof l->grf[0]);
}
static const uint32_t no_answer_dw = 0xeeeeeeee;

/* ---- URB ---- */

/* Descriptors as Mesa has them in tests/golden/eu/bmg/mesa-urb.asm, without lengths. */
enum {
    URB_LOAD_4 = 0x00023500,
    URB_LOAD = 0x00020500,
    URB_STORE_4 = 0x00023504,
    URB_STORE = 0x00020504,
    URB_STORE_MASKED = 0x00020506,
    URB_MASK_SHIFT = 12
};
enum { ENTRIES = 16, ENTRY_DW = 64 /* 256 bytes */, FIRST_HANDLE = 0x180 };

static void put_entries(struct lab *l)
{
    struct urb *const u = l->b->urb = calloc(1, sizeof *u);
    assert_non_null(u);
    u->handle_count = ENTRIES;
    for (unsigned n = 0; n < ENTRIES; n++) {
        u->handles[n] = (struct urb_handle_grant){.handle = FIRST_HANDLE + n * ENTRY_DW / 16,
                                                  .urb_offset_dw = n * URB_ENTRY_DW,
                                                  .entry_dw = ENTRY_DW};
        for (unsigned i = 0; i < URB_ENTRY_DW; i++)
            u->dw[n * URB_ENTRY_DW + i] = n << 16 | i;
    }
}

/* The low 24 bits of a handle are bytes; what the other bits have does not count. */
static uint32_t address_of(unsigned entry, unsigned dword)
{
    return 0x5b000000 + FIRST_HANDLE * 64 + entry * ENTRY_DW * 4 + dword * 4;
}

static void urb_loads(void **state)
{
    enum { COUNT = 4, AT = 17, CHANNELS = 0xbfff };
    struct lab l;
    (void)state;
    lab_begin(&l, "bmg");
    put_entries(&l);
    no_answer(&l);
    for (unsigned n = 0; n < SIMD16; n++) /* any channel may read any entry */
        *channel_of(&l, 0, n) = address_of(ENTRIES - 1 - n, AT + n);
    assert_true(SEND(&l, SFID_URB, URB_LOAD_4, 0, 1, 0, COUNT, SIMD16, CHANNELS));
    for (unsigned n = 0; n < SIMD16; n++)
        for (unsigned i = 0; i < COUNT; i++)
            assert_int_equal(*answer_of(&l, i, n),
                             CHANNELS >> n & 1u ? (ENTRIES - 1 - n) << 16 | (AT + n + i) : no_answer_dw);
    /* An offset in the extended descriptor; dwords behind the entry are zero. */
    for (unsigned n = 0; n < SIMD16; n++)
        *channel_of(&l, 0, n) = address_of(n, ENTRY_DW - 2);
    put_message(&l, SFID_URB, URB_LOAD_4 | 1u << 25 | COUNT << 20, 0, ROWS, 0, COUNT * ROWS, SIMD16, 0xffff);
    l.m.register_rows = ROWS;
    l.m.address_offset = -4;
    assert_int_equal(shared_function_send(l.b, l.set, &l.m, &(uint64_t){1000}), EU_SENT);
    for (unsigned n = 0; n < SIMD16; n++)
        for (unsigned i = 0; i < COUNT; i++)
            assert_int_equal(*answer_of(&l, i, n), i < 3 ? n << 16 | (ENTRY_DW - 3 + i) : 0);
    free(l.b->urb);
    lab_end(&l);
}

static void urb_stores(void **state)
{
    enum { COUNT = 4, AT = 8, CHANNELS = 0x7fff };
    struct lab l;
    (void)state;
    lab_begin(&l, "bmg");
    put_entries(&l);
    for (unsigned n = 0; n < SIMD16; n++)
        *channel_of(&l, 0, n) = address_of(n, AT);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned n = 0; n < SIMD16; n++)
            *channel_of(&l, 1 + i, n) = 0x1000 * i + n;
    assert_true(SEND(&l, SFID_URB, URB_STORE_4, 0, 1, COUNT, 0, SIMD16, CHANNELS));
    for (unsigned n = 0; n < ENTRIES; n++)
        for (unsigned i = 0; i < ENTRY_DW; i++)
            assert_int_equal(l.b->urb->dw[n * URB_ENTRY_DW + i],
                             i >= AT && i < AT + COUNT && CHANNELS >> n & 1u ? 0x1000 * (i - AT) + n
                                                                             : n << 16 | i);
    /* The last dwords of an entry are not those of the next one. */
    for (unsigned n = 0; n < SIMD16; n++)
        *channel_of(&l, 0, n) = address_of(n, ENTRY_DW - 1);
    assert_true(SEND(&l, SFID_URB, URB_STORE_4, 0, 1, COUNT, 0, SIMD16, 0xffff));
    for (unsigned n = 0; n < ENTRIES; n++) {
        assert_int_equal(l.b->urb->dw[n * URB_ENTRY_DW + ENTRY_DW - 1], n);
        assert_int_equal(l.b->urb->dw[n * URB_ENTRY_DW + ENTRY_DW], n << 16 | ENTRY_DW);
        assert_int_equal(l.b->urb->dw[n * URB_ENTRY_DW], n << 16);
    }
    free(l.b->urb);
    lab_end(&l);
}

/* A mask's components have the registers in their order; or, as Mesa 25.0 sends two of a quad's tessellation
 * levels, each has its own among those of all up to the last. */
static void urb_stores_masked(void **state)
{
    enum { AT = 4 };
    static const struct {
        uint8_t mask, registers, from[4];
    } cases[] = {{0xe, 3, {9, 0, 1, 2}}, {0xc, 2, {9, 9, 0, 1}}, {0xc, 4, {9, 9, 2, 3}},
                 {0x5, 2, {0, 9, 1}},    {0x5, 3, {0, 9, 2}},    {0x1, 1, {0}},
                 {0x3, 2, {0, 1}},       {0xf, 4, {0, 1, 2, 3}}};
    struct lab l;
    (void)state;
    for (unsigned row = 0; row < sizeof cases / sizeof *cases; row++) {
        lab_begin(&l, "bmg");
        put_entries(&l);
        for (unsigned n = 0; n < SIMD16; n++) {
            *channel_of(&l, 0, n) = address_of(n, AT);
            for (unsigned i = 0; i < 4; i++)
                *channel_of(&l, 1 + i, n) = 0x1000 * (i + 1) + n;
        }
        assert_true(SEND(&l, SFID_URB, URB_STORE_MASKED | (uint32_t)cases[row].mask << URB_MASK_SHIFT, 0, 1,
                         cases[row].registers, 0, SIMD16, 0xffff));
        for (unsigned n = 0; n < ENTRIES; n++)
            for (unsigned i = 0; i < 6; i++)
                assert_int_equal(l.b->urb->dw[n * URB_ENTRY_DW + AT + i],
                                 i < 4 && cases[row].mask >> i & 1u ? 0x1000u * (cases[row].from[i] + 1u) + n
                                                                    : n << 16 | (AT + i));
        free(l.b->urb);
        lab_end(&l);
    }
}

/* ---- Render targets ---- */

enum {
    TARGET_WRITE = 12 << 14,
    TARGET_READ = 13 << 14,
    TYPE_SIMD32 = 1 << 8,
    TYPE_DUAL_SOURCE = 2 << 8,
    SLOT_GROUP_HIGH = 1 << 11,
    TARGET_INDEX_SHIFT = 21,
    NULL_TARGET = 1 << 20,
    SOURCE_0_ALPHA = 1 << 15,
    STENCIL = 1 << 14,
    SOURCE_DEPTH = 1 << 13,
    OMASK = 1 << 12,
    R32G32B32A32_FLOAT = 0,
    PIXEL_BYTES_16 = 16,
    WIDTH = 32,
    PITCH = WIDTH * PIXEL_BYTES_16,
    TARGET_AT = DATA
};

struct scene {
    struct lab l;
    struct output_merger_state om;
    struct ps_thread ps;
};

/* A thread of eight subspans in a row, in linear targets of four floats, one for each of the bindings. */
static void scene_begin(struct scene *s)
{
    memset(&s->om, 0, sizeof s->om);
    memset(&s->ps, 0, sizeof s->ps);
    lab_begin(&s->l, "bmg");
    for (unsigned n = 0; n < RENDER_TARGETS; n++) {
        s->om.blend[n] = (struct render_target_blend){.write_mask = WRITE_ALL, .logic_op = LOGIC_OP_NONE};
        put_surface(&s->l, n, SURFTYPE_2D, R32G32B32A32_FLOAT, TARGET_AT + n * PAGE_BYTES);
        STRUCTURE_CHANGE(s->l.s->device, "RENDER_SURFACE_STATE", surface_of(&s->l, n), {"Width", WIDTH - 1},
                         {"Height", 1}, {"Surface Pitch", PITCH - 1});
        bind_surface(&s->l, n);
    }
    for (unsigned n = 0; n < SUBSPANS; n++)
        s->ps.subspan_xy[n][0] = 2 * n;
    s->ps.coverage_mask = s->ps.unwritten_mask = UINT32_MAX;
    s->l.b->om = &s->om;
    s->l.b->ps = &s->ps;
}

/* A component of a pixel of the thread, in a target. */
static uint32_t pixel_of(struct scene *s, unsigned target, unsigned pixel, unsigned component)
{
    const unsigned x = pixel / 4 * 2 + pixel % 2, y = pixel / 2 % 2;
    return *dwords_at(s->l.s,
                      USER_DATA + target * PAGE_BYTES + y * PITCH + x * PIXEL_BYTES_16 + component * 4);
}

static uint32_t color_of(unsigned part, unsigned channel)
{
    return 0x3f000000 + part * 0x10000 + channel;
}

/* Fills registers with colors: a part has a dword of each channel. */
static void put_colors(struct scene *s, unsigned at, unsigned width, unsigned parts)
{
    for (unsigned part = 0; part < parts; part++)
        for (unsigned n = 0; n < width; n++)
            *channel_of(&s->l, at + part * width / SIMD16, n) = color_of(part, n);
}

/* Pixels of the mask have the colors of channels from `first` on; the others are as they were. */
static void check_colors(struct scene *s, unsigned target, uint32_t pixels, unsigned first)
{
    for (unsigned n = 0; n < SIMD32; n++)
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(pixel_of(s, target, n, c), pixels >> n & 1u ? color_of(c, n - first) : 0);
}

static void target_is_written(void **state)
{
    struct scene s;
    (void)state;
    for (unsigned high = 0; high < 2; high++) { /* the slot group */
        scene_begin(&s);
        put_colors(&s, 0, SIMD16, 4);
        assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE | 3 | (high ? SLOT_GROUP_HIGH : 0), 0, 4, 0, 0,
                         SIMD16, 0x7ffd));
        check_colors(&s, 3, high ? 0x7ffd0000 : 0x7ffd, high ? SIMD16 : 0);
        assert_int_equal(s.ps.unwritten_mask, high ? 0x8002ffff : 0xffff8002);
        lab_end(&s.l);
    }
}

/* A part of 32 pixels fills two registers. */
static void target_is_written_simd32(void **state)
{
    enum { PIXELS = 0x7ffefffd };
    struct scene s;
    (void)state;
    scene_begin(&s);
    put_colors(&s, 0, SIMD32, 4);
    assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE | TYPE_SIMD32, 0, 8, 0, 0, SIMD32, PIXELS));
    check_colors(&s, 0, PIXELS, 0);
    lab_end(&s.l);
    /* With source 0's alpha and oMask, which has 32 words in one register. */
    scene_begin(&s);
    for (unsigned n = 0; n < SIMD32; n++)
        ((uint16_t *)channel_of(&s.l, 2, 0))[n] = n % 3 == 0;
    put_colors(&s, 3, SIMD32, 4);
    assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE | TYPE_SIMD32 | 1,
                     SOURCE_0_ALPHA | OMASK | 1u << TARGET_INDEX_SHIFT, 11, 0, 0, SIMD32, UINT32_MAX));
    for (unsigned n = 0; n < SIMD32; n++)
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(pixel_of(&s, 1, n, c), n % 3 == 0 ? color_of(c, n) : 0);
    lab_end(&s.l);
}

/* A message of 32 pixels has all slots: its slot group is ignored, as that of a read. */
static void slot_group_of_32_pixels(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    put_colors(&s, 0, SIMD32, 4);
    assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE | TYPE_SIMD32 | SLOT_GROUP_HIGH, 0, 8, 0, 0,
                     SIMD32, UINT32_MAX));
    check_colors(&s, 0, UINT32_MAX, 0);
    assert_int_equal(s.ps.unwritten_mask, 0);
    lab_end(&s.l);
}

/* The words of the higher slot group are the higher ones of the register. */
static void omask_words(void **state)
{
    struct scene s;
    (void)state;
    for (unsigned high = 0; high < 2; high++) {
        scene_begin(&s);
        for (unsigned n = 0; n < SIMD32; n++)
            ((uint16_t *)channel_of(&s.l, 0, 0))[n] = n == 5 || n == 16 + 9;
        put_colors(&s, 1, SIMD16, 4);
        assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE | (high ? SLOT_GROUP_HIGH : 0), OMASK, 5, 0, 0,
                         SIMD16, 0xffff));
        check_colors(&s, 0, high ? 1u << 25 : 1u << 5, high ? SIMD16 : 0);
        lab_end(&s.l);
    }
}

static void null_target(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    put_colors(&s, 0, SIMD16, 4);
    assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE, NULL_TARGET, 4, 0, 0, SIMD16, 0xffff));
    check_colors(&s, 0, 0, 0);
    assert_int_equal(s.ps.unwritten_mask, 0xffff0000);
    /* Too short for what the extended descriptor says. */
    assert_false(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE, OMASK, 4, 0, 0, SIMD16, 0xffff));
    assert_false(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE | TYPE_SIMD32, 0, 7, 0, 0, SIMD32, 0xffff));
    lab_end(&s.l);
}

/* The second source follows the first; the state is that of the extended descriptor's target. */
static void dual_source(void **state)
{
    enum { INDEX = 5 };
    struct scene s;
    (void)state;
    scene_begin(&s);
    s.om.blend[INDEX] = (struct render_target_blend){.enabled = true,
                                                     .write_mask = WRITE_ALL,
                                                     .logic_op = LOGIC_OP_NONE,
                                                     .color_source_factor = BLENDFACTOR_SRC1_COLOR,
                                                     .alpha_source_factor = BLENDFACTOR_SRC1_ALPHA};
    for (unsigned n = 0; n < SIMD16; n++)
        for (unsigned c = 0; c < 4; c++) {
            const float first = (float)(n + 1), second = (float)(c + 2);
            memcpy(channel_of(&s.l, c, n), &first, sizeof first);
            memcpy(channel_of(&s.l, 4 + c, n), &second, sizeof second);
        }
    assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE | TYPE_DUAL_SOURCE,
                     (uint32_t)INDEX << TARGET_INDEX_SHIFT, 8, 0, 0, SIMD16, 0xffff));
    for (unsigned n = 0; n < SIMD16; n++)
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t bits = pixel_of(&s, 0, n, c);
            float value;
            memcpy(&value, &bits, sizeof value);
            assert_true(value == (float)((n + 1) * (c + 2)));
        }
    lab_end(&s.l);
}

/* Depths follow the colors, then stencil values: a byte of each channel. */
static void depth_and_stencil(void **state)
{
    enum { DEPTH_AT = DATA + (512 << 10), STENCIL_AT = DATA + (516 << 10), PITCH_DEPTH = 128, TILE = 64 };
    enum { ALWAYS = 0, REPLACE = 2, TILE_ROW = 16 };
    struct scene s;
    (void)state;
    scene_begin(&s);
    s.om.late_depth_stencil = s.om.computed_depth = s.om.computed_stencil = true;
    s.om.depth_stencil = (struct depth_stencil){
        .depth = {.base = DEPTH_AT,
                  .pitch_bytes = PITCH_DEPTH,
                  .qpitch_rows = 32,
                  .elements = 1,
                  .width = WIDTH,
                  .height = 2,
                  .tiling = SOFTGT_TILE_LINEAR,
                  .present = true},
        .stencil = {.base = STENCIL_AT,
                    .pitch_bytes = PITCH_DEPTH,
                    .qpitch_rows = 32,
                    .elements = 1,
                    .width = WIDTH,
                    .height = 2,
                    .tiling = SOFTGT_TILE_LINEAR,
                    .present = true},
        .side = {{.pass_op = REPLACE, .write_mask = 0xff}, {.pass_op = REPLACE, .write_mask = 0xff}},
        .depth_format = DEPTH_D32,
        .depth_test_enable = true,
        .depth_write_enable = true,
        .stencil_test_enable = true,
        .stencil_write_enable = true,
        .enabled = true};
    s.ps.viewport_depth_range[1] = 1;
    put_colors(&s, 0, SIMD16, 4);
    for (unsigned n = 0; n < SIMD16; n++) {
        const float depth = (float)n / 32.f;
        memcpy(channel_of(&s.l, 4, n), &depth, sizeof depth);
        ((uint8_t *)channel_of(&s.l, 5, 0))[n] = (uint8_t)(0x40 + n);
    }
    assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_WRITE, SOURCE_DEPTH | STENCIL, 6, 0, 0, SIMD16, 0xffff));
    check_colors(&s, 0, 0xffff, 0);
    for (unsigned n = 0; n < SIMD16; n++) {
        const unsigned x = n / 4 * 2 + n % 2, y = n / 2 % 2;
        const float depth = (float)n / 32.f;
        const uint8_t *const depths = s.l.s->memory + USER_DATA + DEPTH_AT - DATA, *const stencils =
                                                                                       s.l.s->memory +
                                                                                       USER_DATA +
                                                                                       STENCIL_AT - DATA;
        assert_memory_equal(depths + y * PITCH_DEPTH + x * sizeof depth, &depth, sizeof depth);
        assert_int_equal(stencils[y * PITCH_DEPTH + x], 0x40 + n);
    }
    lab_end(&s.l);
}

/* Four registers for 16 pixels, eight for 32. */
static void target_is_read(void **state)
{
    struct scene s;
    (void)state;
    for (unsigned wide = 0; wide < 2; wide++) {
        const unsigned width = wide ? SIMD32 : SIMD16;
        scene_begin(&s);
        for (unsigned n = 0; n < SIMD32; n++)
            for (unsigned c = 0; c < 4; c++)
                *dwords_at(s.l.s, USER_DATA + (n / 2 % 2) * PITCH + (n / 4 * 2 + n % 2) * PIXEL_BYTES_16 +
                                      c * 4) = color_of(c, n);
        no_answer(&s.l);
        assert_true(SEND(&s.l, SFID_RENDER_CACHE, TARGET_READ | (wide ? TYPE_SIMD32 : 0), 0, 1, 0,
                         wide ? 8u : 4u, width, UINT32_MAX));
        for (unsigned n = 0; n < width; n++)
            for (unsigned c = 0; c < 4; c++)
                assert_int_equal(*answer_of(&s.l, c << wide, n), color_of(c, n));
        lab_end(&s.l);
    }
}

/* ---- The sampler ---- */

enum { DYNAMIC = 0x124000, SAMPLERS_AT = 0x100 };
enum { MODE_16 = 1, MODE_32 = 2, MODE_16_HALVES = 5, MODE_32_HALVES = 6, HALF_RETURN = 1 << 30 };
enum {
    TEXTURE_WIDTH = 32,
    TEXTURE_HEIGHT = 16,
    TEXTURE_LAYERS = 3,
    TEXTURE_PITCH = 1024,
    TEXTURE_QPITCH = 64
};
enum { R32_FLOAT = 0xd8, CLAMP_MODE = 2, MIP_NEAREST_FILTER = 1, MOST_PARAMETERS = 8 };

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float texel_of(unsigned x, unsigned y, unsigned layer, unsigned level)
{
    return (float)(1 + x + 100 * y + 10000 * layer) + (float)level * 0.5f;
}

static void put_level(struct lab *l, unsigned level, unsigned x0, unsigned y0)
{
    for (unsigned layer = 0; layer < 2 * 6; layer++)
        for (unsigned y = 0; y < (unsigned)TEXTURE_HEIGHT >> level; y++)
            for (unsigned x = 0; x < (unsigned)TEXTURE_WIDTH >> level; x++)
                dword_put(l->s, BYTES + (layer * TEXTURE_QPITCH + y0 + y) * TEXTURE_PITCH + (x0 + x) * 4,
                          bits_of(texel_of(x, y, layer, level)));
}

/* An array of two levels, or cubes of one; a sampler without filters. */
static void put_texture(struct lab *l, unsigned type, unsigned layers, unsigned levels)
{
    const uint32_t at = SURFACES + 64u;
    lab_begin(l, "bmg");
    put_level(l, 0, 0, 0);
    put_level(l, 1, 0, TEXTURE_HEIGHT);
    put_surface(l, 0, type, R32_FLOAT, BYTES);
    dword_put(l->s, at, dword_at(l->s, at) | 1u << 28 | 1u << 16 | 2u << 14);
    dword_put(l->s, at + 4, TEXTURE_QPITCH / 4);
    dword_put(l->s, at + 8,
              ((type == SURFTYPE_CUBE ? TEXTURE_HEIGHT : TEXTURE_WIDTH) - 1u) | (TEXTURE_HEIGHT - 1u) << 16);
    dword_put(l->s, at + 12, (TEXTURE_PITCH - 1u) | (layers - 1u) << 21);
    dword_put(l->s, at + 20, levels - 1u);
    dword_put(l->s, at + 28, 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16);
    l->b->kernel.dynamic_state_base = DYNAMIC;
    l->b->kernel.sampler_state_pointer = SAMPLERS_AT;
    dword_put(l->s, DYNAMIC + SAMPLERS_AT, MIP_NEAREST_FILTER << 20);
    dword_put(l->s, DYNAMIC + SAMPLERS_AT + 4, 14u << 16);
    dword_put(l->s, DYNAMIC + SAMPLERS_AT + 12, CLAMP_MODE | CLAMP_MODE << 3 | CLAMP_MODE << 6);
}

static uint32_t sample_message(unsigned type, unsigned mode)
{
    return (type & 31u) << 12 | (type >> 5) << 31 | (mode & 3u) << 17 | (mode >> 2) << 29;
}

/* Sends parameters by their names: u, v, r (an array element), l (the LOD), b (the same as a bias), m (a
 * least LOD), a (an array index, which is 0), o (offsets and LOD, as `packed` has them), w (offsets alone), x
 * (offsets and the array element), y (a least LOD and the array element), s (a slice of a volume), d (a
 * derivative, 0), f (a reference: the texel that is `right` and `down`, of every second channel). A header
 * has a register. */
struct sampling {
    unsigned type, mode;
    const char *parameters;
    bool has_header;
    float level;
    uint32_t packed; /* the low bits of the LOD or bias, or a whole parameter */
    int right, down;
};

static unsigned texel_x(unsigned channel)
{
    return channel * 5 % 16;
}

static unsigned texel_y(unsigned channel)
{
    return channel * 3 % 8;
}

/* The texel of a channel, after the offsets; beyond the texture: the one at its side. */
static float offset_texel(const struct sampling *s, unsigned channel, unsigned layer)
{
    const unsigned level = (unsigned)s->level;
    const int last[2] = {(TEXTURE_WIDTH >> level) - 1, (TEXTURE_HEIGHT >> level) - 1};
    int x = (int)texel_x(channel) + s->right, y = (int)texel_y(channel) + s->down;
    x = x < 0 ? 0 : x > last[0] ? last[0] : x;
    y = y < 0 ? 0 : y > last[1] ? last[1] : y;
    return texel_of((unsigned)x, (unsigned)y, layer, level);
}

static uint32_t parameter_of(const struct sampling *s, char name, unsigned channel)
{
    const float size_x = (float)(TEXTURE_WIDTH >> (unsigned)s->level),
                size_y = (float)(TEXTURE_HEIGHT >> (unsigned)s->level);
    switch (name) {
    case 'u':
        return bits_of(((float)texel_x(channel) + 0.5f) / size_x);
    case 'v':
        return bits_of(((float)texel_y(channel) + 0.5f) / size_y);
    case 'r':
        return bits_of((float)(channel % TEXTURE_LAYERS));
    case 'l':
    case 'b':
    case 'm':
        return bits_of(s->level);
    case 'o':
        return (bits_of(s->level) & ~UINT32_C(0xfff)) | s->packed;
    case 'w':
        return s->packed;
    case 'x':
        return s->packed | channel % TEXTURE_LAYERS;
    case 'y':
        return (bits_of(s->level) & ~UINT32_C(0xfff)) | channel % TEXTURE_LAYERS;
    case 's':
        return bits_of(((float)(channel % TEXTURE_LAYERS) + 0.5f) / (float)TEXTURE_LAYERS);
    case 'f':
        return bits_of(offset_texel(s, channel, channel % TEXTURE_LAYERS) + (float)(channel % 2) / 4);
    default:
        return 0;
    }
}

static bool sample(struct lab *l, const struct sampling *s, unsigned answers, uint32_t channels)
{
    const bool wide = (s->mode & 3u) == MODE_32, halves = s->mode > 3;
    const unsigned size = wide ? SIMD32 : SIMD16, registers = wide && !halves ? 2 : 1;
    unsigned at = s->has_header;
    if (at)
        memset(channel_of(l, 0, 0), 0, 64);
    if (at)
        *channel_of(l, 0, 3) = SAMPLERS_AT;
    for (const char *p = s->parameters; *p; p++, at += registers)
        for (unsigned n = 0; n < size; n++)
            if (halves)
                ((uint16_t *)channel_of(l, at, 0))[n] = softgt_float32_to_16(parameter_of(s, *p, n));
            else
                *channel_of(l, at, n) = parameter_of(s, *p, n);
    no_answer(l);
    return SEND(l, SFID_SAMPLER, sample_message(s->type, s->mode) | (s->has_header ? HEADER : 0), 0, at, 0,
                answers, size, channels);
}

/* Where each message has its parameters, in 16 and 32 channels: texels of the level that it names. */
static void sampler_parameters(void **state)
{
    static const struct sampling messages[] = {
        {0, 0, "uvr", false, 0, 0},   {1, 0, "buvr", false, 1, 0},  {2, 0, "luvr", false, 1, 0},
        {0, 0, "uvram", false, 1, 0}, {1, 0, "buv", true, 1, 0},    {4, 0, "udduvddr", false, 0, 0},
        {18, 0, "muvr", false, 1, 0}, {24, 0, "uvr", false, 0, 0},  {24, 0, "uvr", true, 0, 0},
        {18, 0, "muvr", true, 1, 0},  {1, 0, "buvrm", false, 1, 0}, {2, 0, "luv", true, 0, 0},
    };
    (void)state;
    for (unsigned row = 0; row < sizeof messages / sizeof *messages; row++)
        for (unsigned mode = MODE_16; mode <= MODE_32; mode++) {
            struct lab l;
            struct sampling s = messages[row];
            const unsigned size = mode == MODE_32 ? SIMD32 : SIMD16;
            const bool has_layer = strchr(s.parameters, 'r');
            const uint32_t channels = 0xfeff7ffe;
            if (s.type == 4)
                s.parameters = "uddvddr";
            s.mode = mode;
            put_texture(&l, SURFTYPE_2D, TEXTURE_LAYERS, 2);
            assert_true(sample(&l, &s, size / 4, channels));
            for (unsigned n = 0; n < size; n++)
                if (channels >> n & 1u) {
                    assert_int_equal(
                        *answer_of(&l, 0, n),
                        bits_of(texel_of(texel_x(n), texel_y(n), has_layer ? n % TEXTURE_LAYERS : 0,
                                         (unsigned)s.level)));
                    assert_int_equal(*answer_of(&l, 3 * size / SIMD16, n), bits_of(1));
                } else {
                    assert_int_equal(*answer_of(&l, 0, n), no_answer_dw);
                }
            lab_end(&l);
        }
}

/* Parameters of 16 bits have a register each; responses of 16 bits likewise. */
static void sampler_halves(void **state)
{
    (void)state;
    for (unsigned mode = MODE_16_HALVES; mode <= MODE_32_HALVES; mode++)
        for (unsigned by_half = 0; by_half < 2; by_half++) {
            struct lab l;
            const struct sampling s = {2, mode, "luvr", false, 0, 0};
            const unsigned size = mode == MODE_32_HALVES ? SIMD32 : SIMD16;
            put_texture(&l, SURFTYPE_2D, TEXTURE_LAYERS, 2);
            put_message(&l, 0, 0, 0, 0, 0, 0, 16, 0);
            for (unsigned p = 0; s.parameters[p]; p++)
                for (unsigned n = 0; n < size; n++)
                    ((uint16_t *)channel_of(&l, p, 0))[n] =
                        softgt_float32_to_16(parameter_of(&s, s.parameters[p], n));
            no_answer(&l);
            assert_true(SEND(&l, SFID_SAMPLER, sample_message(s.type, mode) | (by_half ? HALF_RETURN : 0), 0,
                             4, 0, by_half ? 4 : size / 4, size, UINT32_MAX));
            for (unsigned n = 0; n < size; n++) {
                const uint32_t texel = bits_of(texel_of(texel_x(n), texel_y(n), n % TEXTURE_LAYERS, 0));
                if (by_half)
                    assert_int_equal(((uint16_t *)answer_of(&l, 0, 0))[n], softgt_float32_to_16(texel));
                else
                    assert_int_equal(*answer_of(&l, 0, n), texel);
                if (by_half)
                    assert_int_equal(((uint16_t *)answer_of(&l, 3, 0))[n], softgt_float32_to_16(bits_of(1)));
            }
            lab_end(&l);
        }
}

/* The texels of a gather at the corner of four; offsets of 6 bits with the LOD or the bias; levels. */
static void sampler_gathers(void **state)
{
    enum { RIGHT = 3, UP = 0x3e /* two texels */ };
    static const struct sampling messages[] = {
        {8, 0, "uvr", true, 0, 0},
        {13, 0, "luvr", true, 1, 0},
        {14, 0, "buvr", true, 1, 0},
        {45, 0, "ouvr", true, 1, RIGHT | UP << 6},
        {46, 0, "ouvr", true, 0, RIGHT | UP << 6},
        {40, 0, "uvrw", true, 0, RIGHT | UP << 6},
    };
    static const uint8_t corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    (void)state;
    for (unsigned row = 0; row < sizeof messages / sizeof *messages; row++)
        for (unsigned mode = MODE_16; mode <= MODE_32; mode++) {
            struct lab l;
            struct sampling s = messages[row];
            const unsigned size = mode == MODE_32 ? SIMD32 : SIMD16, level = (unsigned)s.level;
            const int right = s.packed ? RIGHT : 0, down = s.packed ? UP - 0x40 : 0;
            const int last_x = (TEXTURE_WIDTH >> level) - 1, last_y = (TEXTURE_HEIGHT >> level) - 1;
            s.mode = mode;
            put_texture(&l, SURFTYPE_2D, TEXTURE_LAYERS, 2);
            assert_true(sample(&l, &s, size / 4, UINT32_MAX));
            for (unsigned n = 0; n < size; n++)
                for (unsigned c = 0; c < 4; c++) { /* at a texel's center, the filter's first is that one */
                    int x = (int)texel_x(n) + corner[c][0] + right, y = (int)texel_y(n) + corner[c][1] + down;
                    x = x > last_x ? last_x : x;
                    y = y < 0 ? 0 : y > last_y ? last_y : y;
                    assert_int_equal(*answer_of(&l, c * size / SIMD16, n),
                                     bits_of(texel_of((unsigned)x, (unsigned)y, n % TEXTURE_LAYERS, level)));
                }
            lab_end(&l);
        }
}

/* A comparison gives 0 where the texel is the reference, else 1. */
static void set_comparison(const struct lab *l)
{
    enum { EQUAL = 3 };
    const uint32_t at = DYNAMIC + SAMPLERS_AT + 4;
    dword_put(l->s, at, dword_at(l->s, at) | EQUAL << 1);
}

/* Offsets of 4 bits: alone, below a LOD or bias, and above an array index of 12 bits, which may also be below
 * a least LOD. (IGC, TranslateToProgrammableOffsetsPass; Mesa, brw_sampler.c) */
static void sampler_offsets(void **state)
{
    enum { RIGHT = 3, DOWN = -2, BELOW = RIGHT | 14 << 4, ABOVE = BELOW << 12 };
    static const struct sampling messages[] = {
        {32, 0, "uvrw", false, 0, BELOW, RIGHT, DOWN},
        {32, 0, "uvrwm", true, 1, BELOW, RIGHT, DOWN},
        {33, 0, "ouvr", false, 1, BELOW, RIGHT, DOWN},
        {33, 0, "ouvrm", false, 1, BELOW, RIGHT, DOWN},
        {34, 0, "ouvr", false, 1, BELOW, RIGHT, DOWN},
        {35, 0, "fuvx", false, 0, ABOVE, RIGHT, DOWN},
        {35, 0, "fuvxm", true, 1, ABOVE, RIGHT, DOWN},
        {36, 0, "uddvddx", false, 0, ABOVE, RIGHT, DOWN},
        {36, 0, "uddvddxm", true, 1, ABOVE, RIGHT, DOWN},
        {38, 0, "fouvr", false, 1, BELOW, RIGHT, DOWN},
        {52, 0, "fuddvddx", false, 0, ABOVE, RIGHT, DOWN},
        {56, 0, "uvrw", false, 0, BELOW, RIGHT, DOWN},
        {57, 0, "fuvx", false, 0, ABOVE, RIGHT, DOWN},
        {17, 0, "fuddvddr", false, 0, 0, 0, 0},
        {20, 0, "fuddvddy", false, 1, 0, 0, 0},
        {35, 0, "fuvx", false, 0, 0, 0, 0},
    };
    enum { MOST_REGISTERS = 15 };
    (void)state;
    for (unsigned row = 0; row < sizeof messages / sizeof *messages; row++)
        for (unsigned mode = MODE_16; mode <= MODE_32; mode++) {
            struct lab l;
            struct sampling s = messages[row];
            const unsigned size = mode == MODE_32 ? SIMD32 : SIMD16;
            const bool compares = strchr(s.parameters, 'f');
            if (strlen(s.parameters) * size / SIMD16 + s.has_header > MOST_REGISTERS)
                continue;
            s.mode = mode;
            put_texture(&l, SURFTYPE_2D, TEXTURE_LAYERS, 2);
            set_comparison(&l);
            assert_true(sample(&l, &s, size / 4, UINT32_MAX));
            for (unsigned n = 0; n < size; n++)
                assert_int_equal(
                    *answer_of(&l, 0, n),
                    bits_of(compares ? (float)(n % 2) : offset_texel(&s, n, n % TEXTURE_LAYERS)));
            lab_end(&l);
        }
}

/* The third offset is of slices. */
static void sampler_offsets_of_volumes(void **state)
{
    static const struct sampling messages[] = {{32, MODE_16, "uvsw", false, 0, 1 << 8, 0, 0},
                                               {34, MODE_16, "ouvs", false, 0, 1 << 8, 0, 0},
                                               {56, MODE_16, "uvsw", false, 0, 1 << 8, 0, 0}};
    (void)state;
    for (unsigned row = 0; row < sizeof messages / sizeof *messages; row++) {
        struct lab l;
        put_texture(&l, SURFTYPE_3D, TEXTURE_LAYERS, 1);
        dword_put(l.s, SURFACES + 64, dword_at(l.s, SURFACES + 64) & ~(UINT32_C(1) << 28));
        assert_true(sample(&l, &messages[row], 4, UINT16_MAX));
        for (unsigned n = 0; n < SIMD16; n++) {
            const unsigned layer = n % TEXTURE_LAYERS + 1;
            assert_int_equal(*answer_of(&l, 0, n),
                             bits_of(offset_texel(&messages[row], n,
                                                  layer < TEXTURE_LAYERS ? layer : TEXTURE_LAYERS - 1)));
        }
        lab_end(&l);
    }
}

/* Gathers that compare: offsets of 6 bits, above an array index or below a LOD. The reference is the upper
 * left texel, which is the fourth. */
static void sampler_offsets_of_comparing_gathers(void **state)
{
    enum { RIGHT = 9, DOWN = -3, BELOW = RIGHT | 0x3d << 6, ABOVE = BELOW << 12 };
    static const struct sampling messages[] = {
        {48, 0, "fuvx", true, 0, ABOVE, RIGHT, DOWN},
        {53, 0, "fuvx", true, 0, ABOVE, RIGHT, DOWN},
        {55, 0, "fouvr", true, 1, BELOW, RIGHT, DOWN},
        {16, 0, "fuvr", true, 0, 0, 0, 0},
    };
    (void)state;
    for (unsigned row = 0; row < sizeof messages / sizeof *messages; row++)
        for (unsigned mode = MODE_16; mode <= MODE_32; mode++) {
            struct lab l;
            struct sampling s = messages[row];
            const unsigned size = mode == MODE_32 ? SIMD32 : SIMD16;
            s.mode = mode;
            put_texture(&l, SURFTYPE_2D, TEXTURE_LAYERS, 2);
            set_comparison(&l);
            assert_true(sample(&l, &s, size / 4, UINT32_MAX));
            for (unsigned n = 0; n < size; n++)
                assert_int_equal(*answer_of(&l, 3 * size / SIMD16, n), bits_of((float)(n % 2)));
            lab_end(&l);
        }
}

/* No source says where offsets are in parameters of 16 bits. */
static void sampler_offsets_of_halves_are_reported(void **state)
{
    static const uint8_t types[] = {32, 33, 34, 35, 36, 38, 40, 45, 46, 47, 48, 52, 53, 55, 56, 57};
    (void)state;
    for (unsigned n = 0; n < sizeof types; n++) {
        struct lab l;
        const struct sampling s = {types[n], MODE_16_HALVES, "uvr", false, 0, 0, 0, 0};
        put_texture(&l, SURFTYPE_2D, TEXTURE_LAYERS, 1);
        assert_false(sample(&l, &s, 4, UINT16_MAX));
        assert_string_equal(l.b->error_text, "a sampler message that is not modelled");
        lab_end(&l);
    }
}

/* A cube's array index is in the low nine bits of the LOD or the bias. */
static void sampler_cube_arrays(void **state)
{
    enum { CUBE = 1 };
    (void)state;
    for (unsigned type = 1; type <= 2; type++) {
        struct lab l;
        put_texture(&l, SURFTYPE_CUBE, 2, 1);
        for (unsigned n = 0; n < SIMD16; n++) { /* in the middle of side +x: between texels 7 and 8 */
            *channel_of(&l, 0, n) = (n % 2) * CUBE;
            *channel_of(&l, 1, n) = bits_of(1);
            *channel_of(&l, 2, n) = *channel_of(&l, 3, n) = bits_of(-1 / 64.f);
        }
        no_answer(&l);
        assert_true(SEND(&l, SFID_SAMPLER, sample_message(type, MODE_16), 0, 4, 0, 4, SIMD16, UINT16_MAX));
        for (unsigned n = 0; n < SIMD16; n++)
            assert_int_equal(*answer_of(&l, 0, n), bits_of(texel_of(8, 8, n % 2 * 6, 0)));
        lab_end(&l);
    }
}

/* Responses of any length: registers behind the components are as they were. */
static void sampler_responses_of_any_length(void **state)
{
    enum { MOST = 31, COMPONENTS = 4, ROW_BYTES = 32 };
    (void)state;
    for (unsigned registers = 1; registers <= MOST; registers += registers < 10 ? 1 : 7)
        for (unsigned by_half = 0; by_half < 2; by_half++) {
            uint8_t answer[MOST * ROWS * ROW_BYTES];
            struct lab l;
            const struct sampling s = {24, MODE_32, "uvr", false, 0, 0};
            const unsigned each = by_half ? 1 : 2;
            put_texture(&l, SURFTYPE_2D, TEXTURE_LAYERS, 2);
            memset(answer, 0xee, sizeof answer);
            assert_true(sample(&l, &s, 8, UINT32_MAX)); /* puts the parameters */
            put_message(&l, SFID_SAMPLER, sample_message(s.type, s.mode) | (by_half ? HALF_RETURN : 0), 0,
                        6 * ROWS, 0, registers * ROWS, SIMD32, UINT32_MAX);
            l.m.descriptor =
                sample_message(s.type, s.mode) | (by_half ? HALF_RETURN : 0) | 6u << 25 | registers << 20;
            l.m.register_rows = ROWS;
            l.m.response = answer;
            assert_int_equal(shared_function_send(l.b, l.set, &l.m, &(uint64_t){1000}), EU_SENT);
            for (unsigned n = 0; n < SIMD32 && registers >= each; n++) {
                const uint32_t texel = bits_of(texel_of(texel_x(n), texel_y(n), n % TEXTURE_LAYERS, 0));
                uint32_t value = 0;
                memcpy(&value, answer + (by_half ? 2u : 4u) * n, by_half ? 2 : 4);
                assert_int_equal(value, by_half ? softgt_float32_to_16(texel) : texel);
            }
            for (unsigned n = COMPONENTS * each * ROWS * ROW_BYTES; n < registers * ROWS * ROW_BYTES; n++)
                assert_int_equal(answer[n], 0xee);
            lab_end(&l);
        }
}

/* ---- Typed messages ---- */

/* The descriptor of tests/golden/eu/bmg/image.asm, with a binding table index; loads and atomics likewise. */
enum {
    TYPED_STORE = 0x60000506,
    TYPED_LOAD = 0x60000502,
    TYPED_ADD = 0x60000500 | 12,
    TYPED_ADD_64 = 0x60000700 | 12,
    TYPED_EXCHANGE = 0x60000500 | 18,
    CHANNEL_MASK_SHIFT = 12,
    INDEX_SHIFT = 24,
    R32G32B32A32_UINT = 2,
    R32_UINT = 0xd7,
    R32G32_UINT = 0x87,
    IMAGE_WIDTH = 32,
    IMAGE_PITCH = 1024
};

static void put_image(struct lab *l, unsigned format)
{
    lab_begin(l, "bmg");
    put_surface(l, 2, SURFTYPE_2D, format, DATA);
    STRUCTURE_CHANGE(l->s->device, "RENDER_SURFACE_STATE", surface_of(l, 2), {"Width", IMAGE_WIDTH - 1},
                     {"Height", 7}, {"Surface Pitch", IMAGE_PITCH - 1});
    bind_surface(l, 2);
}

static uint32_t *image_at(struct lab *l, unsigned x, unsigned y, unsigned bytes)
{
    return dwords_at(l->s, USER_DATA + y * IMAGE_PITCH + x * bytes);
}

/* Values of some components, of channels each in one pixel; what is outside the image is dropped, or zero. */
static void typed_loads_and_stores(void **state)
{
    static const uint8_t masks[] = {0xf, 0x3, 0x1, 0xa};
    (void)state;
    for (unsigned way = 0; way < 2 * sizeof masks; way++) {
        const unsigned size = way & 1u ? SIMD32 : SIMD16, registers = size / SIMD16, mask = masks[way / 2],
                       count = (unsigned)__builtin_popcount(mask);
        const uint32_t channels = 0xfffefdff, outside = 1u << 14;
        struct lab l;
        put_image(&l, R32G32B32A32_UINT);
        for (unsigned n = 0; n < size; n++) {
            *channel_of(&l, 0, n) = outside >> n & 1u ? IMAGE_WIDTH : n;
            *channel_of(&l, registers, n) = n % 8;
            for (unsigned c = 0; c < count; c++)
                *channel_of(&l, (2 + c) * registers, n) = 0x100 * (c + 1) + n;
        }
        assert_true(SEND(&l, SFID_TGM, TYPED_STORE | mask << CHANNEL_MASK_SHIFT, 2u << INDEX_SHIFT,
                         2 * registers, count * registers, 0, size, channels));
        for (unsigned n = 0; n < size; n++)
            for (unsigned c = 0, from = 1; c < 4; c++) {
                const bool stored = mask >> c & 1u && channels >> n & 1u && !(outside >> n & 1u);
                assert_int_equal(image_at(&l, n, n % 8, 16)[c], stored ? 0x100 * from + n : 0);
                from += mask >> c & 1u;
            }
        /* A load may overwrite its coordinates: here it does not, but each has its place. The second one may
         * be the second part of the payload. (Mesa, brw_opt_split_sends) */
        const unsigned second = way & 2u ? registers : 0;
        no_answer(&l);
        assert_true(SEND(&l, SFID_TGM, TYPED_LOAD | mask << CHANNEL_MASK_SHIFT, 2u << INDEX_SHIFT,
                         2 * registers - second, second, count * registers, size, channels));
        for (unsigned n = 0; n < size; n++)
            for (unsigned c = 0; c < count; c++)
                assert_int_equal(*answer_of(&l, c * registers, n), !(channels >> n & 1u) ? no_answer_dw
                                                                   : outside >> n & 1u   ? 0
                                                                                       : 0x100 * (c + 1) + n);
        lab_end(&l);
    }
}

static void typed_load_overlaps(void **state)
{
    struct lab l;
    (void)state;
    put_image(&l, R32G32B32A32_UINT);
    for (unsigned n = 0; n < SIMD16; n++) {
        *channel_of(&l, 0, n) = SIMD16 - 1 - n;
        *channel_of(&l, 1, n) = 3;
        for (unsigned c = 0; c < 4; c++)
            image_at(&l, n, 3, 16)[c] = 0x10 * n + c;
    }
    put_message(&l, SFID_TGM, TYPED_LOAD | 0xf << CHANNEL_MASK_SHIFT, 2u << INDEX_SHIFT, 2 * ROWS, 0,
                4 * ROWS, SIMD16, UINT16_MAX);
    l.m.descriptor = TYPED_LOAD | 0xf << CHANNEL_MASK_SHIFT | 2u << 25 | 4u << 20;
    l.m.register_rows = ROWS;
    l.m.response = l.grf[0];
    assert_int_equal(shared_function_send(l.b, l.set, &l.m, &(uint64_t){1000}), EU_SENT);
    for (unsigned n = 0; n < SIMD16; n++)
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(*channel_of(&l, c, n), 0x10 * (SIMD16 - 1 - n) + c);
    lab_end(&l);
}

/* Coordinates in both parts of a payload, as Mesa's anv sends them: the second part is no value. */
static void typed_coordinates_in_two_parts(void **state)
{
    enum { ADD = 7 };
    struct lab l;
    (void)state;
    for (unsigned first = 1; first <= 2; first++) {
        put_image(&l, R32_UINT);
        for (unsigned n = 0; n < SIMD16; n++) {
            *channel_of(&l, 0, n) = n;
            *channel_of(&l, 1, n) = n % 8;
            *channel_of(&l, 2, n) = ADD;
            *image_at(&l, n, n % 8, 4) = 0x100 + n;
        }
        assert_true(SEND(&l, SFID_TGM, TYPED_LOAD | 1u << CHANNEL_MASK_SHIFT, 2u << INDEX_SHIFT, first,
                         2 - first, 1, SIMD16, UINT16_MAX));
        for (unsigned n = 0; n < SIMD16; n++)
            assert_int_equal(*answer_of(&l, 0, n), 0x100 + n);
        assert_true(
            SEND(&l, SFID_TGM, TYPED_ADD, 2u << INDEX_SHIFT, first, 3 - first, 1, SIMD16, UINT16_MAX));
        for (unsigned n = 0; n < SIMD16; n++)
            assert_int_equal(*image_at(&l, n, n % 8, 4), 0x100 + n + ADD);
        lab_end(&l);
    }
}

static void typed_atomics(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 3; way++) {
        const bool wide = way == 1, exchanges = way == 2;
        const unsigned bytes = wide ? 8 : 4, registers = bytes / 4;
        struct lab l;
        put_image(&l, wide ? R32G32_UINT : R32_UINT);
        for (unsigned n = 0; n < SIMD16; n++) {
            const uint64_t there = (wide ? UINT64_C(1) << 32 : 0) + 100 + n, added = wide ? UINT32_MAX : 7;
            memcpy(image_at(&l, n, 1, bytes), &there, bytes);
            *channel_of(&l, 0, n) = n;
            *channel_of(&l, 1, n) = 1;
            memcpy((uint8_t *)channel_of(&l, 2, 0) + (size_t)n * bytes, &added, bytes);
            if (exchanges) { /* those of even numbers */
                *channel_of(&l, 2, n) = 100 + n + n % 2;
                *channel_of(&l, 3, n) = 5;
            }
        }
        no_answer(&l);
        assert_true(SEND(&l, SFID_TGM,
                         exchanges ? TYPED_EXCHANGE
                         : wide    ? TYPED_ADD_64
                                   : TYPED_ADD,
                         2u << INDEX_SHIFT, 2, exchanges ? 2 : registers, registers, SIMD16, UINT16_MAX));
        for (unsigned n = 0; n < SIMD16; n++) {
            const uint64_t there = (wide ? UINT64_C(1) << 32 : 0) + 100 + n;
            uint64_t old = 0, now = 0;
            memcpy(&old, (uint8_t *)answer_of(&l, 0, 0) + (size_t)n * bytes, bytes);
            memcpy(&now, image_at(&l, n, 1, bytes), bytes);
            assert_true(old == there);
            assert_true(now == (exchanges ? (n % 2 ? there : 5) : there + (wide ? UINT32_MAX : 7)));
        }
        lab_end(&l);
    }
}

/* Blocks of bytes: the origin in dwords 5 and 6, the extents in dword 7, and data behind them. (IGT,
 * gpgpu_fill.c and gpgpu_shader.c) */
static void typed_blocks(void **state)
{
    enum { STORE_TYPED = 0x60000007, LOAD_TYPED = 0x60000003, R8_UNORM = 0x140 };
    enum { ACROSS = 12, ROW_BYTES = 16, DOWN = 6, LEFT = 24, TOP = 4 };
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        struct lab l;
        put_image(&l, R8_UNORM); /* 32 by 8 bytes: 8 by 4 of the block are inside */
        uint32_t *const payload = dw(&l, 0);
        payload[5] = LEFT;
        payload[6] = TOP;
        payload[7] = (ACROSS - 1) | (DOWN - 1) << 8;
        for (unsigned n = 0; n < 128; n++)
            ((uint8_t *)channel_of(&l, 1, 0))[n] = (uint8_t)(n + 1);
        /* Data is of the first part or of the second. */
        assert_true(
            SEND(&l, SFID_TGM, STORE_TYPED, 2u << INDEX_SHIFT, way ? 1 : 3, way ? 2 : 0, 0, SIMD16, 0xffff));
        for (unsigned y = 0; y < 16; y++)
            for (unsigned x = 0; x < 64; x++) {
                const bool stored = x >= LEFT && x < IMAGE_WIDTH && y >= TOP && y < 8;
                assert_int_equal(((uint8_t *)image_at(&l, 0, y, 1))[x],
                                 stored ? (y - TOP) * ROW_BYTES + x - LEFT + 1 : 0);
            }
        no_answer(&l);
        assert_true(SEND(&l, SFID_TGM, LOAD_TYPED, 2u << INDEX_SHIFT, 1, 0, 2, 1, 1));
        for (unsigned n = 0; n < DOWN * ROW_BYTES; n++) {
            const unsigned x = n % ROW_BYTES;
            assert_int_equal(((uint8_t *)answer_of(&l, 0, 0))[n],
                             x >= ACROSS                                         ? 0xee
                             : LEFT + x < IMAGE_WIDTH && TOP + n / ROW_BYTES < 8 ? n + 1
                                                                                 : 0);
        }
        lab_end(&l);
    }
}

/* ---- Blocks of matrices ---- */

/* Descriptors as IGC makes them: d8.v, d16.v and d32, transposed, in the ugm unit at flat addresses. */
enum {
    BLOCK_LOAD = 3,
    BLOCK_STORE = 7,
    BLOCK_TRANSFORMED = 1 << 7,
    BLOCK_D16 = 1 << 9,
    BLOCK_D32 = 2 << 9,
    BLOCK_TRANSPOSED = 1 << 15
};
enum { MATRIX_WIDTH = 40, MATRIX_HEIGHT = 12, MATRIX_PITCH = 64 /* bytes */ };

static void put_block(struct lab *l, int x, int y, unsigned width, unsigned height, unsigned blocks)
{
    uint32_t *const to = dw(l, 0);
    to[0] = BYTES;
    to[1] = 0;
    to[2] = MATRIX_WIDTH - 1;
    to[3] = MATRIX_HEIGHT - 1;
    to[4] = MATRIX_PITCH - 1;
    to[5] = (uint32_t)x;
    to[6] = (uint32_t)y;
    to[7] = (width - 1) | (height - 1) << 8 | (blocks - 1) << 16;
}

static void put_matrix(struct lab *l)
{
    for (unsigned n = 0; n < MATRIX_PITCH * (MATRIX_HEIGHT + 1); n++)
        l->s->memory[BYTES + n] = (uint8_t)(n * 7 + n / 256);
}

/* An element in memory; 0: it is outside. */
static uint32_t element_at(struct lab *l, int x, int y, unsigned bytes)
{
    uint32_t value = 0;
    if (x >= 0 && y >= 0 && (unsigned)(x + 1) * bytes <= MATRIX_WIDTH && y < MATRIX_HEIGHT)
        memcpy(&value, l->s->memory + BYTES + y * MATRIX_PITCH + x * (int)bytes, bytes);
    return value;
}

static uint32_t answered(struct lab *l, unsigned byte, unsigned bytes)
{
    uint32_t value = 0;
    memcpy(&value, (const uint8_t *)answer_of(l, 0, 0) + byte, bytes);
    return value;
}

/* Two blocks of 6 x 4 dwords, of which columns are outside: a row has the room of eight, a block that of two
 * registers. An offset of (1, -1) is in the extended descriptor. */
static void block_loads(void **state)
{
    enum {
        W = 6,
        H = 4,
        AT_X = 2,
        AT_Y = -2,
        OFFSET_X = 1 << 12,
        OFFSET_Y = (int)(0x3ffu << 22),
        BLOCK_BYTES = 128
    };
    struct lab l;
    (void)state;
    lab_begin(&l, "bmg");
    put_matrix(&l);
    no_answer(&l);
    put_block(&l, AT_X, AT_Y, W, H, 2);
    assert_true(
        SEND(&l, SFID_UGM, BLOCK_LOAD | BLOCK_D32, (uint32_t)OFFSET_X | (uint32_t)OFFSET_Y, 1, 0, 4, 1, 1));
    for (unsigned block = 0; block < 2; block++)
        for (unsigned y = 0; y < H; y++)
            for (unsigned x = 0; x < 8; x++)
                assert_int_equal(answered(&l, block * BLOCK_BYTES + (y * 8 + x) * 4, 4),
                                 x < W ? element_at(&l, AT_X + 1 + (int)(block * W + x), AT_Y - 1 + (int)y, 4)
                                       : no_answer_dw);
    lab_end(&l);
}

/* Words of two rows side by side; bytes of four. */
static void transformed_block_loads(void **state)
{
    struct lab l;
    (void)state;
    lab_begin(&l, "bmg");
    put_matrix(&l);
    put_block(&l, 3, 1, 16, 4, 1);
    assert_true(SEND(&l, SFID_UGM, BLOCK_LOAD | BLOCK_D16 | BLOCK_TRANSFORMED, 0, 1, 0, 2, 1, 1));
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 16; x++)
            assert_int_equal(answered(&l, y / 2 * 64 + x * 4 + y % 2 * 2, 2),
                             element_at(&l, 3 + (int)x, 1 + (int)y, 2));
    put_block(&l, 0, 0, 16, 8, 1);
    assert_true(SEND(&l, SFID_UGM, BLOCK_LOAD | BLOCK_TRANSFORMED, 0, 1, 0, 2, 1, 1));
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = 0; x < 16; x++)
            assert_int_equal(answered(&l, y / 4 * 64 + x * 4 + y % 4, 1), element_at(&l, (int)x, (int)y, 1));
    lab_end(&l);
}

static void transposed_block_loads(void **state)
{
    enum { W = 3, H = 8 };
    struct lab l;
    (void)state;
    lab_begin(&l, "bmg");
    put_matrix(&l);
    put_block(&l, 4, 6, W, H, 1);
    assert_true(SEND(&l, SFID_UGM, BLOCK_LOAD | BLOCK_D32 | BLOCK_TRANSPOSED, 0, 1, 0, 2, 1, 1));
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            assert_int_equal(answered(&l, (x * H + y) * 4, 4), element_at(&l, 4 + (int)x, 6 + (int)y, 4));
    put_block(&l, 4, 6, W, H, 1); /* a prefetch */
    assert_true(SEND(&l, SFID_UGM, BLOCK_LOAD | BLOCK_D32, 0, 1, 0, 0, 1, 1));
    lab_end(&l);
}

static void block_stores(void **state)
{
    enum { W = 8, H = 4, AT_X = 6, AT_Y = 10 };
    static uint8_t before[MATRIX_PITCH * (MATRIX_HEIGHT + 1)];
    struct lab l;
    (void)state;
    lab_begin(&l, "bmg");
    put_matrix(&l);
    memcpy(before, l.s->memory + BYTES, sizeof before);
    put_block(&l, AT_X, AT_Y, W, H, 1);
    for (unsigned n = 0; n < W * H; n++)
        dw(&l, ROWS)[n] = 0xabc00000 + n;
    assert_true(SEND(&l, SFID_UGM, BLOCK_STORE | BLOCK_D32, 0, 1, 2, 0, 1, 1));
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            if ((AT_X + x + 1) * 4 <= MATRIX_WIDTH && AT_Y + y < MATRIX_HEIGHT)
                memcpy(before + (AT_Y + y) * MATRIX_PITCH + (AT_X + x) * 4,
                       &(uint32_t){0xabc00000 + y * W + x}, 4);
    assert_memory_equal(l.s->memory + BYTES, before, sizeof before);
    lab_end(&l);
}

/* A block fills 32 registers at most, wherever it is; what its elements take of the host is charged. */
static void blocks_of_any_size(void **state)
{
    static const struct {
        unsigned width, height, blocks;
        bool is_known;
    } shapes[] = {
        {16, 32, 1, true}, {16, 8, 4, true}, {16, 33, 1, false}, {256, 256, 16, false}, {1, 33, 16, false}};
    struct lab l;
    (void)state;
    for (unsigned n = 0; n < sizeof shapes / sizeof *shapes; n++)
        for (unsigned stores = 0; stores < 2; stores++) {
            uint64_t budget = 1000;
            lab_begin(&l, "bmg");
            put_block(&l, 1 << 20, 1 << 20, shapes[n].width, shapes[n].height, shapes[n].blocks);
            put_message(&l, SFID_UGM, (stores ? BLOCK_STORE : BLOCK_LOAD) | BLOCK_D32 | 1u << 25, 0, ROWS, 0,
                        0, 1, 1);
            l.m.register_rows = ROWS;
            assert_int_equal(shared_function_send(l.b, l.set, &l.m, &budget) == EU_SENT, shapes[n].is_known);
            assert_true(!shapes[n].is_known || budget <= 1000 - 16 * 32 / 2);
            lab_end(&l);
        }
}

TEST_PROGRAM(eu_gen200_messages_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urb_loads),
        cmocka_unit_test(urb_stores),
        cmocka_unit_test(urb_stores_masked),
        cmocka_unit_test(target_is_written),
        cmocka_unit_test(target_is_written_simd32),
        cmocka_unit_test(slot_group_of_32_pixels),
        cmocka_unit_test(omask_words),
        cmocka_unit_test(null_target),
        cmocka_unit_test(dual_source),
        cmocka_unit_test(depth_and_stencil),
        cmocka_unit_test(target_is_read),
        cmocka_unit_test(sampler_parameters),
        cmocka_unit_test(sampler_halves),
        cmocka_unit_test(sampler_gathers),
        cmocka_unit_test(sampler_offsets),
        cmocka_unit_test(sampler_offsets_of_volumes),
        cmocka_unit_test(sampler_offsets_of_comparing_gathers),
        cmocka_unit_test(sampler_offsets_of_halves_are_reported),
        cmocka_unit_test(sampler_cube_arrays),
        cmocka_unit_test(sampler_responses_of_any_length),
        cmocka_unit_test(typed_loads_and_stores),
        cmocka_unit_test(typed_load_overlaps),
        cmocka_unit_test(typed_coordinates_in_two_parts),
        cmocka_unit_test(typed_atomics),
        cmocka_unit_test(typed_blocks),
        cmocka_unit_test(block_loads),
        cmocka_unit_test(transformed_block_loads),
        cmocka_unit_test(transposed_block_loads),
        cmocka_unit_test(block_stores),
        cmocka_unit_test(blocks_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
