/* Draws of Gen7 with four and eight samples: where 3DSTATE_MULTISAMPLE, 3DSTATE_SAMPLE_MASK, 3DSTATE_WM and
 * 3DSTATE_PS have their state, array elements of samples, threads of samples, input coverage; in pieces,
 * saved and loaded. (IVB PRM vol 2 part 1, Multisampling) */
#include "../suite.h"
#include "../samples.h"

static const char *const gen7_devices[] = {"ivb", "hsw"};

/* What a draw says of samples. */
struct gen7_sampling {
    unsigned log2;
    uint32_t mask, rasterization, dispatch;
    bool by_eights, position, coverage;
};
enum { OFF_PIXEL, OFF_PATTERN, ON_PIXEL, ON_PATTERN };
enum { PERSAMPLE, PERPIXEL };

/* Array elements follow each other without room for levels. */
static uint32_t gen7_sample_place(uint32_t x, uint32_t y, uint32_t sample)
{
    return TARGET + tiled_place(y_tile_bits, x * 16, sample * HEIGHT + y, 0, PITCH);
}

static void put_gen7_memory(struct streamer *s, const float at[3][3], unsigned log2)
{
    memcpy(s->memory + VERTICES, at, 3 * sizeof at[0]);
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Format", R32G32B32A32_UINT},
                  {"Tiled Surface", 1}, {"Tile Walk", 1}, {"Surface Array Spacing", 1},
                  {"Surface Base Address", TARGET}, {"Width", WIDTH - 1}, {"Height", HEIGHT - 1},
                  {"Surface Pitch", PITCH - 1}, {"Number of Multisamples", log2});
    dword_put(s, SURFACES + TABLE_AT, STATES_AT);
    for (uint32_t i = 0; i < (uint32_t)PITCH * HEIGHT << log2; i += 4)
        dword_put(s, TARGET + i, STALE);
}

/* A rectangle in pixels, to the target. */
static uint32_t put_gen7_scene(struct streamer *s, const struct gen7_sampling *a, uint32_t dw[MOST_DW])
{
    uint32_t *to = dw;
    commands_put(s->device, 0, &to,
                 GEN6_STATE_BASE_ADDRESS
                 "\n"
                 "3DSTATE_VS\n3DSTATE_HS\n3DSTATE_TE\n3DSTATE_DS\n3DSTATE_GS\n3DSTATE_STREAMOUT\n"
                 "3DSTATE_CLIP perspective_divide_disable\n"
                 "3DSTATE_SF cull_mode = none, multisample_rasterization_mode = %u\n"
                 "3DSTATE_SBE vertex_urb_entry_read_offset = 1, vertex_urb_entry_read_length = 1",
                 SURFACES, DYNAMIC, KERNELS, a->rasterization);
    commands_put(
        s->device, 0, &to,
        "3DSTATE_WM statistics_enable, thread_dispatch_enable, multisample_rasterization_mode = %u,"
        " multisample_dispatch_mode = %u, pixel_shader_uses_input_coverage_mask = %u\n"
        "3DSTATE_PS kernel_start_pointer_0 = 0, 8_pixel_dispatch_enable = %u,"
        " 16_pixel_dispatch_enable = %u, position_xy_offset_select = %u, maximum_number_of_threads = 47,"
        " dispatch_grf_start_register_for_constant_setup_data_0 = 16\n"
        "3DSTATE_MULTISAMPLE number_of_multisamples = %u, dw2 = %u, dw3 = %u\n"
        "3DSTATE_SAMPLE_MASK sample_mask = %u\n"
        "3DSTATE_BLEND_STATE_POINTERS blend_state_pointer = %u\n"
        "3DSTATE_CC_STATE_POINTERS color_calc_state_pointer = %u\n"
        "3DSTATE_DEPTH_BUFFER surface_type = surftype_null\n"
        "3DSTATE_BINDING_TABLE_POINTERS_PS pointer_to_ps_binding_table = %u",
        a->rasterization, a->dispatch, a->coverage, a->by_eights, !a->by_eights, a->position ? 3 : 0, a->log2,
        position_bytes(a->log2, 0), a->log2 == 3 ? position_bytes(3, 4) : 0, a->mask, BLENDING,
        CONSTANT_COLORS, TABLE_AT);
    commands_put(
        s->device, 0, &to,
        "3DSTATE_DRAWING_RECTANGLE dw1 = 0, dw2 = %u\n"
        "3DSTATE_VERTEX_BUFFERS { vertex_buffer_state_buffer_pitch = 12,"
        " vertex_buffer_state_address_modify_enable = 1,"
        " vertex_buffer_state_buffer_starting_address = %u, vertex_buffer_state_end_address = %u }\n"
        "3DSTATE_VERTEX_ELEMENTS"
        " { 0, 0, r32g32b32_float, 1, 0, store_0, store_0, store_0, store_0 },"
        " { 0, 0, r32g32b32_float, 1, 0, store_1_fp, store_src, store_src, store_src }\n"
        "3DPRIMITIVE primitive_topology_type = %u, vertex_count_per_instance = 3, instance_count = 1",
        (HEIGHT - 1) << 16 | (WIDTH - 1), VERTICES, VERTICES + 35, RECTLIST);
    assert_true(to <= dw + MOST_DW);
    return (uint32_t)(to - dw);
}

static void run_gen7(struct streamer *s, const uint32_t *dw, uint32_t count, bool in_pieces)
{
    s->reported = sampled_report;
    batch_put(s, dw, count, false);
    while (softgt_run(s->device, in_pieces ? 60 : RUN_BUDGET_DW))
        if (in_pieces)
            reload(s->device);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

/* A rectangle in 1/16 of a pixel. */
static const int32_t drawn[4] = {3 * 16 + 7, 5 * 16 + 5, 36 * 16 + 9, 20 * 16 + 11};
static const float corners[3][3] = {{36.5625f, 20.6875f, 0}, {3.4375f, 20.6875f, 0}, {3.4375f, 5.3125f, 0}};

static uint32_t covered_samples(const struct gen7_sampling *a, uint32_t x, uint32_t y)
{
    const bool of_pattern = a->rasterization == OFF_PATTERN || a->rasterization == ON_PATTERN;
    uint32_t covered = 0;
    for (unsigned sample = 0; sample < 1u << a->log2; sample++) {
        const uint8_t *const at = of_pattern ? standard_positions[a->log2][sample] : standard_positions[0][0];
        const int32_t x16 = (int32_t)x * 16 + at[0], y16 = (int32_t)y * 16 + at[1];
        covered |= (uint32_t)(a->mask >> sample & 1 && x16 >= drawn[0] && x16 < drawn[2] && y16 >= drawn[1] &&
                              y16 < drawn[3])
                   << sample;
    }
    return covered;
}

/* PS_INVOCATION_COUNT of Haswell is four times what it should be. (Mesa: WaDividePSInvocationCountBy4) */
static unsigned gen7_counts_a_pixel(const char *device)
{
    return strcmp(device, "hsw") == 0 ? 4 : 1;
}

/* Samples in the primitive and in the mask are written and counted, with one thread of their pixel. */
static void places_masks_and_modes(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 32; n++) {
        const char *const name = gen7_devices[n % 2];
        const struct gen7_sampling a = {.log2 = 2 + n / 16,
                                        .mask = n % 3 ? 0xff : 0x9d,
                                        .rasterization = n / 2 % 4,
                                        .dispatch = PERPIXEL,
                                        .coverage = true};
        struct streamer *const s = begin(name);
        uint32_t dw[MOST_DW], counted = 0, pixels = 0;
        for (unsigned i = 0; i < 4; i++)
            KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), reg(2, TYPE_UD)); /* the coverage */
        put_write();
        put_kernel(s);
        put_gen7_memory(s, corners, a.log2);
        run_gen7(s, dw, put_gen7_scene(s, &a, dw), n / 8 % 2);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                const uint32_t covered = covered_samples(&a, x, y);
                for (unsigned sample = 0; sample < 1u << a.log2; sample++)
                    assert_int_equal(dword_at(s, gen7_sample_place(x, y, sample)),
                                     covered >> sample & 1 ? covered : STALE);
                counted += (uint32_t)__builtin_popcount(covered);
                pixels += covered != 0;
            }
        assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), pixels * gen7_counts_a_pixel(name));
        streamer_destroy(s);
    }
}

/* A shader that runs for each sample has its position; the first of its samples is that of a pair which r0.0
 * names, the others follow it. (IVB PRM vol 2 part 1, PS Thread Payload: Starting Sample Pair Index; Mesa,
 * brw) */
static void shaded_by_sample(void **state)
{
    (void)state;
    enum { PAIR_SHIFT = 6, SIMD8_WRITE = 4 << 25 | 4 << 8 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET };
    for (unsigned n = 0; n < 16; n++) {
        const char *const name = gen7_devices[n % 2];
        const struct gen7_sampling a = {.log2 = 2 + n / 8,
                                        .mask = n % 3 ? 0xff : 0xb6,
                                        .rasterization = ON_PATTERN,
                                        .dispatch = PERSAMPLE,
                                        .by_eights = n & 2,
                                        .position = true};
        const struct how how = {.channels = a.by_eights ? 8 : 16};
        const unsigned registers = a.by_eights ? 1 : 2, slots = a.by_eights ? 2 : 4;
        struct streamer *const s = begin(name);
        uint32_t dw[MOST_DW], counted = 0;
        KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD, TYPE_UD), region(2, TYPE_UW, 8, 8, 1));
        KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD + registers, TYPE_UD), one(0, 0, TYPE_UD));
        for (unsigned i = 2; i < 4; i++)
            KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD + registers * i, TYPE_UD), imm(i, TYPE_UD));
        kernel_send(&k, how, SFID_RENDER_CACHE, a.by_eights ? (uint32_t)SIMD8_WRITE : (uint32_t)SIMD16_WRITE,
                    none(TYPE_UD), reg(PAYLOAD, TYPE_UD), true);
        put_kernel(s);
        put_gen7_memory(s, corners, a.log2);
        run_gen7(s, dw, put_gen7_scene(s, &a, dw), n & 4);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                const uint32_t covered = covered_samples(&a, x, y);
                counted += (uint32_t)__builtin_popcount(covered);
                for (unsigned sample = 0; sample < 1u << a.log2; sample++) {
                    const uint32_t at = gen7_sample_place(x, y, sample);
                    const bool in = covered >> sample & 1;
                    const uint8_t *const position = standard_positions[a.log2][sample];
                    assert_int_equal(dword_at(s, at), in ? position[0] | (uint32_t)position[1] << 8 : STALE);
                    if (in)
                        assert_int_equal(dword_at(s, at + 4) >> PAIR_SHIFT & 3, sample / slots * slots / 2);
                }
            }
        assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), counted * gen7_counts_a_pixel(name));
        streamer_destroy(s);
    }
}

TEST_PROGRAM(gen7_samples_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_masks_and_modes),
        cmocka_unit_test(shaded_by_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
