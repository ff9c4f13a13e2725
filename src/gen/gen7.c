/* Gen7 and Gen7.5: Ivy Bridge and Haswell. Rings are as on Gen6; Haswell also has a video enhancement engine.
 * Addresses that no manual gives are those that Linux uses. (REN, VCS; IVB PRM vol 1, HSW PRM vol 2c, 7) */
#include "geometry/draw.h"
#include "gen/gen9.h"
#include "gen/image_rows.h"

static const struct register_block *const ivb_render_blocks[] = {&ring_registers,        &gen6_ring_registers,
                                                                 &gen7_ring_registers,   &pipeline_registers,
                                                                 &gen7_render_registers, NULL};
static const struct register_block *const hsw_render_blocks[] = {&ring_registers,
                                                                 &gen6_ring_registers,
                                                                 &gen7_ring_registers,
                                                                 &pipeline_registers,
                                                                 &gen7_render_registers,
                                                                 &gen75_render_registers,
                                                                 NULL};
static const struct register_block *const copy_blocks[] = {&ring_registers, &gen6_ring_registers,
                                                           &gen7_ring_registers, &gen7_copy_registers, NULL};
static const struct register_block *const video_blocks[] = {&ring_registers,       &gen6_ring_registers,
                                                            &gen7_ring_registers,  &gen6_any_video_registers,
                                                            &gen7_video_registers, NULL};
static const struct register_block *const enhance_blocks[] = {
    &ring_registers, &gen6_ring_registers, &gen7_ring_registers, &gen75_enhance_registers, NULL};

/* The render context: our own layout, as on Gen6. */
#define RENDER_CONTEXT(...)                                                                                  \
    END_OF_RING_CONTEXT, NOOP(1), LIST(IMAGE_POSTED), REGISTER(EXCC), REGISTER(INSTPM), REGISTERS(2, 0x290), \
        REGISTERS(4, 0x300), REGISTERS(18, 0x310 /* statistics */), REGISTERS(7, MI_PREDICATE_SRC0),         \
        REGISTER(0x420 /* 3DPRIM */), REGISTERS(5, 0x430 /* 3DPRIM */), REGISTERS(3, 0x500),                 \
        LIST(IMAGE_POSTED), GLOBAL(8, 0x5200), GLOBAL(8, 0x5240), GLOBAL(4, 0x5280), GLOBAL(3, 0x7000),      \
        GLOBAL(1, 0xb010), GLOBAL(3, 0xb01c), __VA_ARGS__ BATCH_END, PIPELINE_STATE(0x800), END_OF_IMAGE
static const struct image_row ivb_render_context[] = {RENDER_CONTEXT()};
static const struct image_row hsw_render_context[] = {
    RENDER_CONTEXT(LIST(IMAGE_POSTED), REGISTERS(32, CS_GPR), REGISTER(MI_PREDICATE_RESULT_1), )};

#define STATUS_PAGE(n)                                                                                       \
    (const struct engine_unit[])                                                                             \
    {                                                                                                        \
        {&gen6_status_page_registers, 0x4080 + (n)*0x100},                                                   \
        {                                                                                                    \
            NULL, 0                                                                                          \
        }                                                                                                    \
    }
#define GEN7_ENGINE(base, n)                                                                                 \
    .mmio_base = (base), .units = STATUS_PAGE(n), .hws_pga = 0x4080u + (n)*0x100u - (base),                  \
    .gfx_mode_register = (base) + GFX_MODE, .faults.id = (n), .faults.note = gen7_note_fault,                \
    .page_directory = gen6_page_directory,                                                                   \
    .hwstam_isr_bits = INTERRUPT_SYNC_STATUS | INTERRUPT_MASTER_ERROR | INTERRUPT_PAGE_FAULT,                \
    .timestamp_hz = 12500000, .watchdog.clock_hz = 1000000000, .watchdog.clocks_only = true,                 \
    .privileges.instpm_disables = true, .flush = &gen6_flush

/* Facts about draws and messages. (IVB PRM vol 2 part 1, vol 4 part 1) */
#define DRAWS                                                                                                \
    .draws.state_locations = gen7_state_locations, .draws.vertex_dispatch = VERTEX_DISPATCH_SIMD4X2,         \
    .draws.clip_distance_in_clip_state = true, .draws.rt_writes_unconditional = true,                        \
    .draws.viewport_without_extents = true, .draws.so_state_by_buffer = true,                                \
    .draws.stencil_reference_in_color_calc = true, .draws.multisample_modes_in_wm = true,                    \
    .messages.has_simd4x2 = true, .messages.ld_lod_is_second_parameter = true,                               \
    .messages.lod_preclamp_is_one_bit = true, .messages.gfx4_volume_layout = true,                           \
    .messages.alignment_in_pixels = true, .messages.binding_table_units = true,                              \
    .messages.ccs_is_surface = true, .messages.ccs_has_one_bit = true,                                       \
    .messages.clear_color_has_one_bit = true, .messages.array_spacing_rows = 12,                             \
    .messages.surface_y_offset_rows = 2

#define RCS0(own_blocks, image_rows, ...)                                                                    \
    {                                                                                                        \
        .name = "rcs0", .class = CLASS_RENDER, .blocks = (own_blocks), .interrupt.shift = 0,                 \
        .reset_bits = 1u << 1, .contexts.image = (image_rows), .slices = 1, DRAWS,                           \
        .constant_buffer_address_offset_disable = {{INSTPM, 1u << 6}}, __VA_ARGS__ GEN7_ENGINE(0x02000, 0)   \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        .name = "bcs0", .class = CLASS_COPY, .blocks = copy_blocks, .interrupt.shift = 22,                   \
        .reset_bits = 1u << 3, .batches = gen6_batch_registers, GEN7_ENGINE(0x22000, 2)                      \
    }
#define VCS0                                                                                                 \
    {                                                                                                        \
        .name = "vcs0", .class = CLASS_VIDEO, .blocks = video_blocks, .interrupt.shift = 12,                 \
        .reset_bits = 1u << 2, .watchdog.counter_is_control = true, .batches = gen6_batch_registers,         \
        GEN7_ENGINE(0x12000, 1)                                                                              \
    }
#define VECS0                                                                                                \
    {                                                                                                        \
        .name = "vecs0", .class = CLASS_ENHANCE, .blocks = enhance_blocks, .interrupt.bank = 1,              \
        .interrupt.shift = 10, .reset_bits = 1u << 4, .batches = gen6_batch_registers,                       \
        GEN7_ENGINE(0x1a000, 3)                                                                              \
    }

static const struct engine_info ivb_engines[] = {RCS0(ivb_render_blocks, ivb_render_context,
                                                      .batches = gen6_batch_registers,
                                                      .draws.stencil_enabled_by_pitch = true, ),
                                                 BCS0, VCS0};
static const struct engine_info hsw_engines[] = {
    RCS0(hsw_render_blocks, hsw_render_context, .batches = gen75_batch_registers,
         .draws.ps_invocations_per_pixel = 4, .messages.shader_channel_select = true,
         .messages.border_color_integers_dw = 16, .predicate_result_2_register = 0x214, ),
    BCS0, VCS0, VECS0};

static const struct register_block *const ivb_blocks[] = {&reset_registers,
                                                          &gen7_force_wake_registers,
                                                          &gen7_fence_registers,
                                                          &rc6_registers,
                                                          &frequency_registers,
                                                          &busyness_registers,
                                                          &gen6_frequency_registers,
                                                          &gen7_setup_registers,
                                                          &gen7_display_setup_registers,
                                                          &gen7_global_render_registers,
                                                          NULL};
static const struct register_block *const hsw_blocks[] = {&reset_registers,
                                                          &gen8_force_wake_registers,
                                                          &gen7_fence_registers,
                                                          &rc6_registers,
                                                          &frequency_registers,
                                                          &busyness_registers,
                                                          &gen75_frequency_registers,
                                                          &gen75_display_power_registers,
                                                          &gen75_display_clock_registers,
                                                          &gen7_setup_registers,
                                                          &gen7_display_setup_registers,
                                                          &gen7_global_render_registers,
                                                          NULL};
static const struct gt_info ivb_gt = {.blocks = ivb_blocks,
                                      .frequency = &gen6_frequency_format,
                                      .power_line.bank = 1,
                                      .wake_requests = gen7_wake_requests,
                                      .fences = 32,
                                      .swizzle_bit = 1u << 5};
/* The topology of GT2. (HSW PRM vol 1) */
static const struct topology hsw_topology = {.most_slices = 1,
                                             .most_subslices = 2,
                                             .most_units = 10,
                                             .slices = 1,
                                             .subslices = 0x3,
                                             .units = 0x3ff,
                                             .threads = 7};
static const struct gt_info hsw_gt = {.blocks = hsw_blocks,
                                      .topology = &hsw_topology,
                                      .frequency = &gen75_frequency_format,
                                      .power_line.bank = 1,
                                      .wake_requests = gen8_wake_requests,
                                      .fences = 32,
                                      .swizzle_bit = 1u << 5};

/* Registers that i915 opens to batches that it has checked. The clocks are at 2358h, 4358h and 22358h. */
/* clang-format off */
#define CHECKED                                                                                              \
    {0x2290, 2, CLASS_RENDER, 0},  /* GPGPU_THREADS_DISPATCHED */                                            \
    {0x2300, 22, CLASS_RENDER, 0}, /* HS_INVOCATION_COUNT ... PS_DEPTH_COUNT */                              \
    {0x2358, 2, CLASS_RENDER, 0}, {0x4358, 2, CLASS_RENDER, 0}, {0x22358, 2, CLASS_RENDER, 0},               \
    {0x2400, 4, CLASS_RENDER, 0},  /* MI_PREDICATE_SRC0, _SRC1 */                                            \
    {0x2420, 1, CLASS_RENDER, 0}, {0x2430, 5, CLASS_RENDER, 0}, /* 3DPRIM_* */                               \
    {0x2500, 3, CLASS_RENDER, 0},  /* GPGPU_DISPATCHDIM* */                                                  \
    {0x5200, 8, CLASS_RENDER, 0}, {0x5240, 8, CLASS_RENDER, 0}, {0x5280, 4, CLASS_RENDER, 0}, /* SO_* */     \
    {0xb010, 1, CLASS_RENDER, 0}, {0xb020, 2, CLASS_RENDER, 0}, /* L3SQCREG1, L3CNTLREG2, L3CNTLREG3 */      \
    {0x2358, 2, CLASS_COPY, 0}, {0x4358, 2, CLASS_COPY, 0}, {0x22358, 2, CLASS_COPY, 0},                     \
    {0x22200, 1, CLASS_COPY, 0}    /* BCS_SWCTRL */
static const struct checked_register ivb_checked[] = {
    CHECKED,
    /* INSTPM: not i915's, but hardware takes from users what Mesa's crocus writes: Constant Buffer Address Offset
     * Disable, on which its constants depend. */
    {0x20c0, 1, CLASS_RENDER, ~0x00400040u},
    {0, 0, 0, 0}};
static const struct checked_register hsw_checked[] = {
    CHECKED,
    {0x2600, 32, CLASS_RENDER, 0},            /* CS_GPR */
    {0xb038, 1, CLASS_RENDER, ~(1u << 27)},   /* HSW_SCRATCH1: L3 atomics */
    {0xe49c, 1, CLASS_RENDER, ~0x00400040u},  /* HSW_ROW_CHICKEN3: the same, a masked bit */
    {0, 0, 0, 0}};
/* clang-format on */

static const struct register_block *const display_blocks[] = {&display_registers, NULL};
static const struct display_info display = {.blocks = display_blocks};

static const uint16_t ivb_ids[] = {0x0162, 0x0152, 0x0156, 0x015a, 0x0166, 0x016a, 0};
static const uint16_t hsw_ids[] = {
    0x0412, 0x0402, 0x0406, 0x040a, 0x040b, 0x040e, 0x0416, 0x041a, 0x041b, 0x041e, 0x0422, 0x0426, 0x042a,
    0x042b, 0x042e, 0x0a02, 0x0a06, 0x0a0a, 0x0a0b, 0x0a0e, 0x0a12, 0x0a16, 0x0a1a, 0x0a1b, 0x0a1e, 0x0a22,
    0x0a26, 0x0a2a, 0x0a2b, 0x0a2e, 0x0c02, 0x0c06, 0x0c0a, 0x0c0b, 0x0c0e, 0x0c12, 0x0c16, 0x0c1a, 0x0c1b,
    0x0c1e, 0x0c22, 0x0c26, 0x0c2a, 0x0c2b, 0x0c2e, 0x0d02, 0x0d06, 0x0d0a, 0x0d0b, 0x0d0e, 0x0d12, 0x0d16,
    0x0d1a, 0x0d1b, 0x0d1e, 0x0d22, 0x0d26, 0x0d2a, 0x0d2b, 0x0d2e, 0};

static const uint16_t vlv_ids[] = {0x0f31, 0x0f30, 0x0f32, 0x0f33, 0};

enum { GGTT_BYTES = 2 << 20 };

#define GEN7_SHEET(number, text, page_tables, bits, observation, set)                                        \
    .info.generation = (text), .info.mmio_bytes = 2u << 20, .info.ggtt_bytes = GGTT_BYTES,                   \
    .generation = (number), .pci = &gen6_pci, .interrupt = &gen6_interrupts, .display = &display,            \
    .oa = &(observation), .costs = &gen6_costs, .eu = &(set),                                                \
    .memory = {                                                                                              \
        .format = &(page_tables), .ggtt_bytes = GGTT_BYTES, .physical_bits = (bits), .address_bits = 32}

const struct sheet ivb_sheet = {PRODUCT("ivb", "Ivy Bridge (Gen7), legacy rings", 0x0162, 9, ivb_ids, ivb),
                                .checked = ivb_checked,
                                GEN7_SHEET(GEN7, "gen7", gen6_page_tables, 40, gen7_oa_info, eu_gen7)};

const struct sheet hsw_sheet = {
    PRODUCT("hsw", "Haswell (Gen7.5), legacy rings, an enhancement engine", 0x0412, 6, hsw_ids, hsw),
    .checked = hsw_checked, GEN7_SHEET(GEN75, "gen75", gen75_page_tables, 39, gen75_oa_info, eu_gen75)};

const struct sheet vlv_sheet = {PRODUCT("vlv", "Bay Trail (Gen7)", 0x0f31, 0, vlv_ids, ivb),
                                GEN7_SHEET(GEN7, "gen7", gen6_page_tables, 40, gen7_oa_info, eu_gen7)};
