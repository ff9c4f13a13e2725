/* Facts of a product's data sheet: a device of the sheet, another of a copy with one fact changed, and what
 * the same message finds on each. */
#include "../suite.h"
#include "../unit/message_lab.h"
#include "../words.h"
#include "geometry/draw.h"

enum { SIMD8_LD = 7 << 12 | 1 << 17, R32_FLOAT = 0x0d8, TYPE_2D = 1, TYPE_3D = 2, PITCH = 256, QPITCH = 64 };

/* A product's sheet and a copy of its engines. The device refers to both. */
struct changed_sheet {
    struct sheet sheet;
    struct engine_info engines[16];
};

static struct engine_info *changed_product(struct changed_sheet *c, const char *product)
{
    c->sheet = *sheet_find(product);
    assert_in_range(c->sheet.info.engine_count, 1, 16);
    memcpy(c->engines, c->sheet.engines, c->sheet.info.engine_count * sizeof *c->engines);
    c->sheet.engines = c->engines;
    return &c->engines[0];
}

static struct message_info *changed_sheet_init(struct changed_sheet *c)
{
    return &changed_product(c, "skl")->messages;
}

/* A texture of floats, each its row times 100 plus its column plus 1. */
static void put_texture(struct lab *l, unsigned type, unsigned depth, unsigned y_offset)
{
    enum { RED = 4, GREEN, BLUE, ALPHA, ROWS = 4 * QPITCH };
    const uint32_t at = SURFACES + 64u;
    put_surface(l, 0, type, R32_FLOAT, BYTES);
    dword_put(l->s, at,
              dword_at(l->s, at) | (uint32_t)(type == TYPE_2D && depth > 1) << 28 | 1u << 16 | 1u << 14);
    dword_put(l->s, at + 4, QPITCH / 4);
    dword_put(l->s, at + 8, 15 | 15 << 16);
    dword_put(l->s, at + 12, (PITCH - 1) | (depth - 1) << 21);
    dword_put(l->s, at + 20, y_offset << 21);
    dword_put(l->s, at + 28, RED << 25 | GREEN << 22 | BLUE << 19 | ALPHA << 16);
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < PITCH / 4; column++)
            dword_put(l->s, BYTES + row * PITCH + column * 4, float_bits((float)(row * 100 + column + 1)));
}

/* The sampler's ld with its parameters; the red channel, or -1: the message failed. */
static float load(struct lab *l, uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
    const uint32_t parameters[] = {first, second, third, fourth};
    float red;
    for (unsigned p = 0; p < 4; p++)
        for (unsigned c = 0; c < 8; c++)
            dw(l, p)[c] = parameters[p];
    another_slice(l);
    if (ask(l, SFID_SAMPLER, SIMD8_LD, 0, 4, 0, 4, 8, 1) != EU_SENT)
        return -1;
    memcpy(&red, l->grf[32], sizeof red);
    return red;
}

static void begin(struct lab *l, const struct changed_sheet *c)
{
    lab_begin_on(l, streamer_make("skl", c ? &c->sheet : NULL, streamer_event));
}

static void ld_lod_is_second_parameter(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_sheet_init(&c)->ld_lod_is_second_parameter = true;
    for (unsigned changed = 0; changed < 2; changed++) {
        struct lab l;
        begin(&l, changed ? &c : NULL);
        put_texture(&l, TYPE_2D, 1, 0);
        /* u, v, lod: there is no level 3; u, lod, v: row 3 */
        assert_int_equal((int)load(&l, 4, 0, 3, 0), changed ? 305 : 0);
        lab_end(&l);
    }
}

static void shader_channel_select(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_sheet_init(&c)->shader_channel_select = false;
    for (unsigned changed = 0; changed < 2; changed++) {
        struct lab l;
        begin(&l, changed ? &c : NULL);
        put_texture(&l, TYPE_2D, 1, 0);
        dword_put(l.s, SURFACES + 64 + 28, 0); /* each channel is zero */
        assert_int_equal((int)load(&l, 4, 3, 0, 0), changed ? 305 : 0);
        lab_end(&l);
    }
}

static void gfx4_volume_layout(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_sheet_init(&c)->gfx4_volume_layout = true;
    for (unsigned changed = 0; changed < 2; changed++) {
        struct lab l;
        begin(&l, changed ? &c : NULL);
        put_texture(&l, TYPE_3D, 4, 0);
        /* slice 2: after two slices of 16 rows, or after QPitch twice */
        assert_int_equal((int)load(&l, 4, 3, 0, 2), (changed ? 2 * 16 : 2 * QPITCH) * 100 + 305);
        lab_end(&l);
    }
}

static void surface_y_offset_rows(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_sheet_init(&c)->surface_y_offset_rows = 2;
    for (unsigned changed = 0; changed < 2; changed++) {
        struct lab l;
        begin(&l, changed ? &c : NULL);
        put_texture(&l, TYPE_2D, 1, 1);
        assert_int_equal((int)load(&l, 4, 3, 0, 0), (changed ? 2 : 4) * 100 + 305);
        lab_end(&l);
    }
}

static void array_spacing_rows(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_sheet_init(&c)->array_spacing_rows = 3;
    for (unsigned changed = 0; changed < 2; changed++) {
        struct lab l;
        begin(&l, changed ? &c : NULL);
        put_texture(&l, TYPE_2D, 4, 0);
        /* levels 0 and 1, and three alignments */
        assert_int_equal((int)load(&l, 4, 3, 0, 2), 2 * (changed ? 16 + 8 + 3 * 4 : QPITCH) * 100 + 305);
        lab_end(&l);
    }
}

/* A sample has an array element of its own, or a place among those of other pixels. */
static void samples_are_interleaved(void **state)
{
    (void)state;
    enum { SIMD8_LD2DMS = 30 << 12 | 1 << 17, SAMPLE = 1, U = 4, V = 3, SAMPLES_4 = 2 };
    struct changed_sheet c;
    changed_sheet_init(&c)->samples_are_interleaved = true;
    for (unsigned changed = 0; changed < 2; changed++) {
        const uint32_t parameters[] = {SAMPLE, 0, U, V};
        struct lab l;
        float red;
        begin(&l, changed ? &c : NULL);
        put_texture(&l, TYPE_2D, 1, 0);
        STRUCTURE_CHANGE(l.s->device, "RENDER_SURFACE_STATE", surface_of(&l, 0),
                         {"Number of Multisamples", SAMPLES_4});
        for (unsigned p = 0; p < 4; p++)
            for (unsigned channel = 0; channel < 8; channel++)
                dw(&l, p)[channel] = parameters[p];
        another_slice(&l);
        assert_int_equal(ask(&l, SFID_SAMPLER, SIMD8_LD2DMS, 0, 4, 0, 4, 8, 1), EU_SENT);
        memcpy(&red, l.grf[32], sizeof red);
        /* sample 1 is to the right of a subspan's sample 0: subspan 2, 1 is at 8, 4, pixels are four across
         */
        const unsigned row = changed ? 5 : QPITCH + V, column = changed ? 10 : U;
        assert_int_equal((int)red, row * 100 + column + 1);
        lab_end(&l);
    }
}

/* ---- Facts of draws ---- */

enum { D24_UNORM_S8_UINT = 2, D32_FLOAT = 1 };

/* Depth and stencil as a draw decodes them after these commands; c: NULL, or a changed sheet. */
static struct depth_stencil depth_stencil_of(const struct changed_sheet *c, unsigned format, bool stencil)
{
    uint32_t dw[64];
    struct depth_stencil d;
    struct streamer *const s = streamer_make("skl", c ? &c->sheet : NULL, streamer_event);
    const uint32_t count = assemble(s->device, 0, dw,
                                    "3DSTATE_DEPTH_BUFFER surface_type = 1, surface_format = %u, width = 63, "
                                    "lod = 1, surface_pitch = 255\n"
                                    "3DSTATE_STENCIL_BUFFER stencil_buffer_enable = %u, surface_pitch = 127\n"
                                    "3DSTATE_WM_DEPTH_STENCIL depth_test_enable = 1, "
                                    "depth_buffer_write_enable = 1, stencil_test_enable = 1\n",
                                    format, stencil);
    batch_run(s, dw, count, false);
    depth_stencil_state_init(&d, &s->device->engines[0], 0, false);
    streamer_destroy(s);
    return d;
}

static struct draw_info *changed_draws(struct changed_sheet *c)
{
    return &changed_product(c, "skl")->draws;
}

/* The modes of 3DSTATE_WM, which has none here, or what 3DSTATE_RASTER and 3DSTATE_PS_EXTRA enable. */
static void multisample_modes_in_wm(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->multisample_modes_in_wm = true;
    for (unsigned changed = 0; changed < 2; changed++) {
        uint32_t dw[64];
        struct sample_state samples;
        struct streamer *const s = streamer_make("skl", changed ? &c.sheet : NULL, streamer_event);
        batch_run(s, dw,
                  assemble(s->device, 0, dw,
                           "3DSTATE_MULTISAMPLE number_of_multisamples = 2\n"
                           "3DSTATE_RASTER dx_multisample_rasterization_enable"),
                  false);
        sample_state_init(&samples, &s->device->engines[0]);
        assert_int_equal(samples.at_center, changed);
        assert_int_equal(samples.lines_are_wide, !changed);
        assert_int_equal(samples.per_sample, changed);
        streamer_destroy(s);
    }
}

/* A depth buffer of Tiger Lake is cleared; then a texture has it whose clear value is in memory. Returns the
 * depth. */
static uint32_t cleared_texel(const struct changed_sheet *c)
{
    enum { DEPTH_AT = 1664 << 10, HIZ_AT = 1792 << 10, CLEAR_AT = 1856 << 10, AUX_HIZ = 3, D24_UNORM = 3 };
    enum { CLEAR_DW = 12, CLEAR_VALUES = 8, EACH = 0x100000, DEPTHS = 0xffffff };
    uint32_t words[64];
    struct surface_state texture;
    struct lab l;
    lab_begin_on(&l, streamer_make("tgl", c ? &c->sheet : NULL, streamer_event));
    batch_run(
        l.s, words,
        assemble(l.s->device, 0, words,
                 "3DSTATE_DEPTH_BUFFER surface_type = surftype_2d, depth_write_enable, surface_format = %u,"
                 " surface_pitch = 511, surface_base_address = %u, width = 63, height = 31,"
                 " hierarchical_depth_buffer_enable\n"
                 "3DSTATE_HIER_DEPTH_BUFFER surface_pitch = 127, surface_base_address = %u\n"
                 "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.75, depth_clear_value_valid\n"
                 "3DSTATE_WM_HZ_OP depth_buffer_clear_enable, full_surface_depth_and_stencil_clear",
                 D24_UNORM, DEPTH_AT, HIZ_AT),
        true);
    assert_int_equal(dword_at(l.s, DEPTH_AT) & DEPTHS, (DEPTHS + 1) / 4 * 3 - 1);
    for (uint32_t i = 0; i < CLEAR_VALUES; i++)
        dword_put(l.s, CLEAR_AT + i * 4, EACH * (i + 1));
    STRUCTURE_PUT(l.s->device, "RENDER_SURFACE_STATE", surface_of(&l, 0), {"Surface Type", TYPE_2D},
                  {"Surface Format", .value_name = "R24_UNORM_X8_TYPELESS"},
                  {"Surface Vertical Alignment", 1}, {"Surface Horizontal Alignment", 1},
                  {"Tile Mode", .value_name = "YMAJOR"}, {"Width", 63}, {"Height", 31},
                  {"Surface Pitch", 511}, {"Surface Base Address", DEPTH_AT},
                  {"Auxiliary Surface Mode", AUX_HIZ}, {"Auxiliary Surface Base Address", HIZ_AT},
                  {"Clear Value Address Enable", 1});
    surface_of(&l, 0)[CLEAR_DW] = CLEAR_AT;
    bind_surface(&l, 0);
    assert_true(binding_table_surface(l.b, 0, &texture));
    hiz_update_texture(l.b, &texture, 0, &(struct hiz_update){.position = 0});
    const uint32_t depth = dword_at(l.s, DEPTH_AT) & DEPTHS;
    lab_end(&l);
    return depth;
}

/* Memory has the value in the format's bits, or a float. */
static void depth_state_in_ccs(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_product(&c, "tgl")->draws.depth_state_in_ccs = false;
    assert_int_equal(cleared_texel(NULL), 0x100000);
    assert_int_equal(cleared_texel(&c), 0);
}

static void depth_clear_value_dw(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_product(&c, "tgl")->draws.depth_clear_value_dw = 4;
    assert_int_equal(cleared_texel(&c), 0x500000);
}

static void depth_tile_4(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->depth_tile_4 = true;
    const struct depth_stencil is = depth_stencil_of(NULL, D32_FLOAT, true),
                               becomes = depth_stencil_of(&c, D32_FLOAT, true);
    assert_int_equal(is.depth.tiling, SOFTGT_TILE_Y);
    assert_true(is.stencil.present && is.stencil.tiled_w);
    assert_int_equal(becomes.depth.tiling, SOFTGT_TILE_4);
}

static void stencil_tiled_as_depth(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->stencil_tiled_as_depth = true;
    const struct depth_stencil is = depth_stencil_of(NULL, D32_FLOAT, true),
                               becomes = depth_stencil_of(&c, D32_FLOAT, true);
    assert_true(is.stencil.present && is.stencil.tiled_w);
    assert_true(becomes.stencil.present && !becomes.stencil.tiled_w);
    assert_int_equal(becomes.stencil.tiling, SOFTGT_TILE_Y);
}

static void stencil_has_one_level(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->stencil_has_one_level = true;
    const struct depth_stencil is = depth_stencil_of(NULL, D32_FLOAT, true),
                               becomes = depth_stencil_of(&c, D32_FLOAT, true);
    assert_int_equal(is.stencil.width, 64 / 2);
    assert_int_equal(becomes.stencil.width, 64);
    assert_int_equal(becomes.stencil.level_y, 0);
    assert_int_equal(becomes.depth.width, 64 / 2);
}

static void depth_alignments(void **state)
{
    (void)state;
    static const struct depth_alignments others = {
        .depth = {16, 32}, .depth_16bit = {1, 1}, .stencil = {32, 64}};
    struct changed_sheet c;
    changed_draws(&c)->depth_alignments = &others;
    const struct depth_stencil is = depth_stencil_of(NULL, D32_FLOAT, true),
                               becomes = depth_stencil_of(&c, D32_FLOAT, true);
    /* Level 1 of a buffer of one row is below it. */
    assert_int_equal(is.depth.level_y, 4);
    assert_int_equal(is.stencil.level_y, 8);
    assert_int_equal(becomes.depth.level_y, 32);
    assert_int_equal(becomes.stencil.level_y, 64);
}

static void depth_may_be_linear(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->depth_may_be_linear = true;
    assert_int_equal(depth_stencil_of(&c, D32_FLOAT, false).depth.tiling, SOFTGT_TILE_LINEAR);
}

static void depth_writes_unconditional(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->depth_writes_unconditional = true;
    assert_false(depth_stencil_of(NULL, D32_FLOAT, false).depth_write_enable);
    assert_true(depth_stencil_of(&c, D32_FLOAT, false).depth_write_enable);
}

static void stencil_interleaved(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->stencil_interleaved = true;
    assert_false(depth_stencil_of(NULL, D24_UNORM_S8_UINT, false).stencil.present);
    assert_true(depth_stencil_of(&c, D24_UNORM_S8_UINT, false).stencil.interleaved_stencil);
    assert_false(depth_stencil_of(&c, D32_FLOAT, false).stencil.present);
}

static void stencil_buffer_has_size(void **state)
{
    (void)state;
    struct changed_sheet c;
    changed_draws(&c)->stencil_buffer_has_size = true;
    assert_int_equal(depth_stencil_of(NULL, D32_FLOAT, true).stencil.width, 64 / 2); /* of level 1 */
    assert_int_equal(depth_stencil_of(&c, D32_FLOAT, true).stencil.width, 1);
}

TEST_PROGRAM(facts_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ld_lod_is_second_parameter), cmocka_unit_test(shader_channel_select),
        cmocka_unit_test(gfx4_volume_layout),         cmocka_unit_test(surface_y_offset_rows),
        cmocka_unit_test(array_spacing_rows),         cmocka_unit_test(depth_tile_4),
        cmocka_unit_test(stencil_tiled_as_depth),     cmocka_unit_test(depth_alignments),
        cmocka_unit_test(stencil_has_one_level),      cmocka_unit_test(depth_may_be_linear),
        cmocka_unit_test(depth_writes_unconditional), cmocka_unit_test(stencil_interleaved),
        cmocka_unit_test(stencil_buffer_has_size),    cmocka_unit_test(multisample_modes_in_wm),
        cmocka_unit_test(samples_are_interleaved),    cmocka_unit_test(depth_state_in_ccs),
        cmocka_unit_test(depth_clear_value_dw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
