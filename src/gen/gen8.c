/* Gen8: Broadwell. Execlists; page tables of three and four levels. Addresses that no manual gives are those
 * that Linux uses. (BDW PRM vol 2c, 5, 7) */
#include "gen/gen9.h"

static const struct register_block *const render_blocks[] = {
    &ring_registers,     &gen8_ring_registers,   &gen8_submission_registers,
    &pipeline_registers, &gen8_render_registers, NULL};
static const struct register_block *const copy_blocks[] = {
    &ring_registers, &gen8_ring_registers, &gen8_submission_registers, &gen8_copy_registers, NULL};
static const struct register_block *const video_blocks[] = {&ring_registers, &gen8_ring_registers,
                                                            &gen8_submission_registers, NULL};

#define GEN8_ENGINE                                                                                          \
    .hws_pga = HWS_PGA, .privileges.nonpriv_list = true, .status.entry = gen8_status_entry,                  \
    .contexts.image_offset = PAGE_BYTES, .hwstam_isr_bits = INTERRUPT_MASTER_ERROR,                          \
    .faults.note = gen8_note_fault, .page_directory = gen8_page_directory, .batches = gen8_batch_registers,  \
    .contexts.execlists = &gen8_execlists, .timestamp_hz = 12500000, .watchdog.clock_hz = 1000000000,        \
    .status.entries = 6, .status.first_dw = 0x10, .status.pointer_dw = 0x1f, .status.in_registers = true,    \
    .contexts.execlist_enable = GFX_MODE_EXECLISTS

/* CTXT_PREMP_DBG: Intel's OpenCL writes it, although Linux opens it only on Gen9. */
static const uint32_t opened[] = {0x2248, 0};

#define GEN8_MESSAGES                                                                                        \
    .messages = {.ld_lod_is_second_parameter = true,                                                         \
                 .gfx4_volume_layout = true,                                                                 \
                 .alignment_in_pixels = true,                                                                \
                 .ccs_is_surface = true,                                                                     \
                 .ccs_has_one_bit = true,                                                                    \
                 .clear_color_has_one_bit = true,                                                            \
                 .binding_table_units = true,                                                                \
                 .private_memory_by_r0 = true,                                                               \
                 GEN9_SURFACES}
#define RCS0                                                                                                 \
    {                                                                                                        \
        .name = "rcs0", .class = CLASS_RENDER, .mmio_base = 0x02000, .blocks = render_blocks,                \
        .interrupt.bank = 0, .faults.id = 0, .reset_bits = 1u << 1, .contexts.image = gen8_render_context,   \
        .privileges.default_whitelist = opened,                                                              \
        .constant_buffer_address_offset_disable = {{INSTPM, 1u << 6}}, .draws.ps_invocations_per_pixel = 4,  \
        .draws.depth_clear_value_is_float = true, .draws.stencil_reference_in_color_calc = true,             \
        GEN8_MESSAGES, GEN8_ENGINE                                                                           \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        .name = "bcs0", .class = CLASS_COPY, .mmio_base = 0x22000, .blocks = copy_blocks,                    \
        .interrupt.shift = 16, .faults.id = 2, .reset_bits = 1u << 3, .contexts.image = gen8_copy_context,   \
        GEN8_ENGINE                                                                                          \
    }
#define VCS0                                                                                                 \
    {                                                                                                        \
        .name = "vcs0", .class = CLASS_VIDEO, .mmio_base = 0x12000, .class_alias = 0x1c000,                  \
        .blocks = video_blocks, .interrupt.bank = 1, .faults.id = 1, .reset_bits = 1u << 2,                  \
        .contexts.image = gen8_video_context, GEN8_ENGINE                                                    \
    }
#define VCS1                                                                                                 \
    {                                                                                                        \
        .name = "vcs1", .class = CLASS_VIDEO, .instance = 1, .mmio_base = 0x1c000, .class_alias = 0x12000,   \
        .blocks = video_blocks, .interrupt.bank = 1, .interrupt.shift = 16, .faults.id = 4,                  \
        .reset_bits = 1u << 7, .contexts.image = gen8_video_context, GEN8_ENGINE                             \
    }
#define VECS0                                                                                                \
    {                                                                                                        \
        .name = "vecs0", .class = CLASS_ENHANCE, .mmio_base = 0x1a000, .blocks = video_blocks,               \
        .interrupt.bank = 3, .faults.id = 3, .reset_bits = 1u << 4, .contexts.image = gen8_video_context,    \
        GEN8_ENGINE                                                                                          \
    }

static const struct engine_info gt2_engines[] = {RCS0, BCS0, VCS0, VECS0};
static const struct engine_info gt3_engines[] = {RCS0, BCS0, VCS0, VECS0, VCS1};

/* Fuses: the units that the part has. The display is fused off: the device is headless. */
#define FUSES(slices)                                                                                        \
    {                                                                                                        \
        {.name = "FUSE2",                                                                                    \
         .offset = 0x9120,                                                                                   \
         .reset = (uint32_t)(slices) << 25,                                                                  \
         .summary = "Bits 27:25: slices there; 23:21: subslices not there.",                                 \
         .spec = "BDW PRM vol 2c"},                                                                          \
            {.name = "EU_DISABLE",                                                                           \
             .offset = 0x9134,                                                                               \
             .count = 3,                                                                                     \
             .stride = 4,                                                                                    \
             .summary = "Execution units not there.",                                                        \
             .spec = "BDW PRM vol 2c"},                                                                      \
            {.name = "FUSE_STRAP",                                                                           \
             .offset = 0x42014,                                                                              \
             .reset = 1u << 31,                                                                              \
             .summary = "Bit 31: there is no display.",                                                      \
             .spec = "BDW PRM vol 2c"},                                                                      \
    }

static const struct reg gt2_fuses[] = FUSES(1), gt3_fuses[] = FUSES(3);
static const struct register_block gt2_fuse_registers = REGISTER_BLOCK("fuses", gt2_fuses),
                                   gt3_fuse_registers = REGISTER_BLOCK("fuses", gt3_fuses);

#define GT_BLOCKS(fuses)                                                                                     \
    {                                                                                                        \
        &reset_registers, &gen8_fault_registers, &gen8_invalidation_registers, &gen8_force_wake_registers,   \
            &fence_registers, &rc6_registers, &gen8_rc6_registers, &frequency_registers,                     \
            &busyness_registers, &gen75_frequency_registers, &gen75_display_power_registers,                 \
            &gen75_display_clock_registers, &gen8_setup_registers, &gen8_memory_registers,                   \
            &gen8_own_setup_registers, &gen8_display_setup_registers, &gen8_global_render_registers,         \
            &(fuses), NULL                                                                                   \
    }
static const struct register_block *const gt2_blocks[] = GT_BLOCKS(gt2_fuse_registers),
                                          *const gt3_blocks[] = GT_BLOCKS(gt3_fuse_registers);
#define GT                                                                                                   \
    .frequency = &gen75_frequency_format, .power_line.bank = 2, .wake_requests = gen8_wake_requests,         \
    .fences = 32
/* The topology that the fuses report. */
#define TOPOLOGY(there)                                                                                      \
    {                                                                                                        \
        .most_slices = 3, .most_subslices = 3, .most_units = 8, .slices = (there), .subslices = 0x7,         \
        .units = 0xff, .threads = 7                                                                          \
    }
static const struct topology gt2_topology = TOPOLOGY(1), gt3_topology = TOPOLOGY(3);
static const struct gt_info gt2_gt = {.blocks = gt2_blocks, .topology = &gt2_topology, GT},
                            gt3_gt = {.blocks = gt3_blocks, .topology = &gt3_topology, GT};

static const uint16_t gt2_ids[] = {0x1612, 0x1616, 0x161a, 0x161b, 0x161d, 0x161e, 0x1602,
                                   0x1606, 0x160a, 0x160b, 0x160d, 0x160e, 0};
static const uint16_t chv_ids[] = {0x22b0, 0x22b1, 0x22b2, 0x22b3, 0};
static const uint16_t gt3_ids[] = {0x1622, 0x1626, 0x162a, 0x162b, 0x162d, 0x162e, 0};

enum { GGTT_BYTES = 8 << 20 };

#define GEN8_SHEET                                                                                           \
    .info.generation = "gen8", .info.mmio_bytes = 8u << 20, .info.ggtt_bytes = GGTT_BYTES,                   \
    .generation = GEN8, .pci = &gen9_pci, .display = &gen8_display, .oa = &gen8_oa_info, .eu = &eu_gen8,     \
    .costs = &gen8_costs, .interrupt = &gen8_interrupts,                                                     \
    .memory = {.format = &gen8_page_tables,                                                                  \
               .ggtt_bytes = GGTT_BYTES,                                                                     \
               .physical_bits = 39,                                                                          \
               .address_bits = 48,                                                                           \
               .drops_read_only_writes = true}

const struct sheet bdw_sheet = {PRODUCT("bdw", "Broadwell GT2 (Gen8)", 0x1616, 9, gt2_ids, gt2), GEN8_SHEET};

const struct sheet bdw_gt3_sheet = {
    PRODUCT("bdw-gt3", "Broadwell GT3 (Gen8), a second video engine", 0x162e, 9, gt3_ids, gt3), GEN8_SHEET};

const struct sheet chv_sheet = {PRODUCT("chv", "Cherry Trail (Gen8)", 0x22b0, 0, chv_ids, gt2), GEN8_SHEET};
