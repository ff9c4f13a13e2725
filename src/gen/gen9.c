/* Gen9: Skylake. Engines and bases, tables, limits. (OVR-02, OVR-06 to OVR-09, CSP-01) */
#include "gen/gen9.h"

static const struct register_block *const render_blocks[] = {&ring_registers,
                                                             &gen8_ring_registers,
                                                             &gen8_submission_registers,
                                                             &pipeline_registers,
                                                             &gen8_render_registers,
                                                             &gen9_render_registers,
                                                             NULL};
static const struct register_block *const copy_blocks[] = {
    &ring_registers, &gen8_ring_registers, &gen8_submission_registers, &gen8_copy_registers, NULL};
static const struct register_block *const video_blocks[] = {&ring_registers, &gen8_ring_registers,
                                                            &gen8_submission_registers, NULL};

#define GEN9_ENGINE                                                                                          \
    .hws_pga = HWS_PGA, .privileges.nonpriv_list = true, .status.entry = gen8_status_entry,                  \
    .contexts.image_offset = PAGE_BYTES, .hwstam_isr_bits = INTERRUPT_MASTER_ERROR,                          \
    .faults.note = gen8_note_fault, .page_directory = gen8_page_directory, .batches = gen8_batch_registers,  \
    .contexts.execlists = &gen8_execlists, .timestamp_hz = 12000000, .watchdog.clock_hz = 1000000000,        \
    .status.entries = 6, .status.first_dw = 0x10, .status.pointer_dw = 0x1f, .status.in_registers = true,    \
    .contexts.execlist_enable = GFX_MODE_EXECLISTS

/* Registers that Linux opens to unprivileged batches. (Linux, intel_workarounds) */
static const uint32_t opened[] = {0x2248, 0x2580, 0x7304, 0xb118, 0};
#define RCS0(n)                                                                                              \
    {                                                                                                        \
        .name = "rcs0", .class = CLASS_RENDER, .mmio_base = 0x02000, .blocks = render_blocks,                \
        .interrupt.bank = 0, .faults.id = 0, .slices = (n), .reset_bits = 1u << 1,                           \
        .contexts.image = gen9_render_context, .privileges.default_whitelist = opened,                       \
        .constant_buffer_address_offset_disable = {{CS_DEBUG_MODE2, 1u << 4}, {INSTPM, 1u << 6}},            \
        .draws.has_3d_object_preemption = true, .draws.depth_clear_value_is_float = true,                    \
        .draws.z_near_far_clip_tests = true, GEN9_MESSAGES, GEN9_ENGINE                                      \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        .name = "bcs0", .class = CLASS_COPY, .mmio_base = 0x22000, .blocks = copy_blocks,                    \
        .interrupt.shift = 16, .faults.id = 4, .reset_bits = 1u << 3, .contexts.image = gen9_copy_context,   \
        .contexts.power_image = gen9_copy_power_context, GEN9_ENGINE                                         \
    }
#define VCS0                                                                                                 \
    {                                                                                                        \
        .name = "vcs0", .class = CLASS_VIDEO, .mmio_base = 0x12000, .class_alias = 0x1c000,                  \
        .blocks = video_blocks, .interrupt.bank = 1, .faults.id = 1, .reset_bits = 1u << 2,                  \
        .contexts.image = gen9_video_context, .contexts.power_image = gen9_video_power_context, GEN9_ENGINE  \
    }
#define VCS1                                                                                                 \
    {                                                                                                        \
        .name = "vcs1", .class = CLASS_VIDEO, .instance = 1, .mmio_base = 0x1c000, .class_alias = 0x12000,   \
        .blocks = video_blocks, .interrupt.bank = 1, .interrupt.shift = 16, .faults.id = 2,                  \
        .reset_bits = 1u << 7, .contexts.image = gen9_video_context,                                         \
        .contexts.power_image = gen9_video_power_context, GEN9_ENGINE                                        \
    }
#define VECS0                                                                                                \
    {                                                                                                        \
        .name = "vecs0", .class = CLASS_ENHANCE, .mmio_base = 0x1a000, .blocks = video_blocks,               \
        .interrupt.bank = 3, .faults.id = 3, .reset_bits = 1u << 4, .contexts.image = gen9_video_context,    \
        .contexts.power_image = gen9_enhance_power_context, GEN9_ENGINE                                      \
    }

static const struct engine_info gt2_engines[] = {RCS0(1), BCS0, VCS0, VECS0};
static const struct engine_info gt3_engines[] = {RCS0(2), BCS0, VCS0, VECS0, VCS1};

/* Fuses: the units that the part has. Display pipes are fused off: the device is headless. */
#define FUSES(slices)                                                                                        \
    {                                                                                                        \
        {.name = "FUSE2",                                                                                    \
         .offset = 0x9120,                                                                                   \
         .reset = (uint32_t)(slices) << 25 | 8u << 20,                                                       \
         .summary = "Bits 27:25: slices there; 23:20: subslices not there.",                                 \
         .spec = "SKL PRM vol 2c"},                                                                          \
            {.name = "EU_DISABLE",                                                                           \
             .offset = 0x9134,                                                                               \
             .count = 3,                                                                                     \
             .stride = 4,                                                                                    \
             .summary = "Execution units not there.",                                                        \
             .spec = "SKL PRM vol 2c"},                                                                      \
            {.name = "DFSM",                                                                                 \
             .offset = 0x51000,                                                                              \
             .reset = 0x50200000,                                                                            \
             .summary = "Bits 30, 21 and 28: display pipes A, B and C are not there.",                       \
             .spec = "SKL PRM vol 2c"}, /* 24 MHz, halved. */                                                \
            {.name = "CTC_MODE",                                                                             \
             .offset = 0xa26c,                                                                               \
             .reset = 2u << 1,                                                                               \
             .summary = "Clock of the timestamps.",                                                          \
             .spec = "SKL PRM vol 2c"},                                                                      \
    }

static const struct reg gt2_fuses[] = FUSES(1), gt3_fuses[] = FUSES(3);
static const struct register_block gt2_fuse_registers = REGISTER_BLOCK("fuses", gt2_fuses),
                                   gt3_fuse_registers = REGISTER_BLOCK("fuses", gt3_fuses);

#define GT_BLOCKS(fuses)                                                                                     \
    {                                                                                                        \
        &reset_registers, &gen8_fault_registers, &gen8_invalidation_registers, &gen9_force_wake_registers,   \
            &fence_registers, &rc6_registers, &gen8_rc6_registers, &frequency_registers,                     \
            &busyness_registers, &gen9_frequency_registers, &gen75_display_power_registers,                  \
            &gen9_display_power_registers, &gen9_display_clock_registers, &gen9_display_setup_registers,     \
            &gen8_setup_registers, &gen8_memory_registers, &gen9_setup_registers, &gen9_caching_registers,   \
            &gen9_guc_registers, &gen9_reserved_registers, &gen8_global_render_registers, &(fuses), NULL     \
    }
static const struct register_block *const gt2_blocks[] = GT_BLOCKS(gt2_fuse_registers),
                                          *const gt3_blocks[] = GT_BLOCKS(gt3_fuse_registers);
#define GT                                                                                                   \
    .frequency = &gen9_frequency_format, .power_line.bank = 2, .wake_requests = gen9_wake_requests,          \
    .fences = 32, .power_contexts = true
/* The topology that the fuses report. */
#define TOPOLOGY(there)                                                                                      \
    {                                                                                                        \
        .most_slices = 3, .most_subslices = 4, .most_units = 8, .slices = (there), .subslices = 0x7,         \
        .units = 0xff, .threads = 7                                                                          \
    }
static const struct topology gt2_topology = TOPOLOGY(1), gt3_topology = TOPOLOGY(3);
static const struct gt_info gt2_gt = {.blocks = gt2_blocks, .topology = &gt2_topology, GT},
                            gt3_gt = {.blocks = gt3_blocks, .topology = &gt3_topology, GT};

static const struct register_block *const display_blocks[] = {&display_registers, NULL};
const struct display_info gen8_display = {.blocks = display_blocks, .flip_done = 4, .flip_planes = 2};
const struct display_info gen9_display = {.blocks = display_blocks, .flip_done = 3, .flip_planes = 4};

const struct pci_info gen9_pci = {
    .gmadr_bytes = 256u << 20,
    .class_code = PCI_VGA,
    .io_bytes = 64,
    .gmch_control = 3u << 6, /* 8 MB of entries, no stolen memory */
    .capabilities = {{PCI_EXPRESS, 0x70}, {PCI_MSI, 0xac}, {PCI_POWER_MANAGEMENT, 0xd0}},
};

/* PCI ids as Linux lists them. GT1 is GT2 with fewer execution units, GT4 is GT3 with more. */
static const uint16_t skl_ids[] = {0x1912, 0x1902, 0x1906, 0x190a, 0x190b, 0x190e, 0x1913, 0x1915,
                                   0x1916, 0x1917, 0x191a, 0x191b, 0x191d, 0x191e, 0x1921, 0};
static const uint16_t skl_gt3_ids[] = {0x1926, 0x1923, 0x1927, 0x192a, 0x192b, 0x192d,
                                       0x1932, 0x193a, 0x193b, 0x193d, 0};
/* Kaby Lake and Amber Lake. */
static const uint16_t kbl_ids[] = {0x5912, 0x5902, 0x5906, 0x5908, 0x590a, 0x590b, 0x590e,
                                   0x5913, 0x5915, 0x5916, 0x5917, 0x591a, 0x591b, 0x591c,
                                   0x591d, 0x591e, 0x5921, 0x87c0, 0};
static const uint16_t kbl_gt3_ids[] = {0x5926, 0x5923, 0x5927, 0x593b, 0};
/* Coffee Lake, Whiskey Lake and the second Amber Lake. */
static const uint16_t cfl_ids[] = {0x3e92, 0x3e90, 0x3e91, 0x3e93, 0x3e94, 0x3e96, 0x3e98, 0x3e99, 0x3e9a,
                                   0x3e9b, 0x3e9c, 0x3ea0, 0x3ea1, 0x3ea3, 0x3ea4, 0x3ea9, 0x87ca, 0};
static const uint16_t cfl_gt3_ids[] = {0x3ea5, 0x3ea2, 0x3ea6, 0x3ea7, 0x3ea8, 0};
static const uint16_t bxt_ids[] = {0x5a84, 0x0a84, 0x1a84, 0x1a85, 0x5a85, 0},
                      glk_ids[] = {0x3184, 0x3185, 0};
static const uint16_t cml_ids[] = {0x9bc5, 0x9b21, 0x9b41, 0x9ba2, 0x9ba4, 0x9ba5, 0x9ba8, 0x9baa, 0x9bac,
                                   0x9bc2, 0x9bc4, 0x9bc6, 0x9bc8, 0x9bca, 0x9bcc, 0x9be6, 0x9bf6, 0};

enum { GGTT_BYTES = 8 << 20 };

/* Registers that i915 opens to batches of the copy engine: timestamps, BCS_SWCTRL, the context's run time,
 * CS_GPR. */
static const struct checked_register gen9_checked[] = {{0x2358, 2, CLASS_COPY, 0},
                                                       {0x4358, 2, CLASS_COPY, 0},
                                                       {0x22200, 1, CLASS_COPY, 0},
                                                       {0x22358, 2, CLASS_COPY, 0},
                                                       {0x223a8, 1, CLASS_COPY, 0},
                                                       {0x22600, 32, CLASS_COPY, 0},
                                                       {0, 0, 0, 0}};

#define GEN9_SHEET                                                                                           \
    .info.generation = "gen9", .info.mmio_bytes = 8u << 20, .info.ggtt_bytes = GGTT_BYTES,                   \
    .generation = GEN9, .pci = &gen9_pci, .ranges = gen9_ranges, .function_ids = gen9_function_ids,          \
    .display = &gen9_display, .oa = &gen9_oa_info, .eu = &eu_gen9, .costs = &gen8_costs,                     \
    .interrupt = &gen8_interrupts, .checked = gen9_checked, .must_be_checked = 1u << CLASS_COPY,             \
    .memory = {.format = &gen8_page_tables,                                                                  \
               .ggtt_bytes = GGTT_BYTES,                                                                     \
               .physical_bits = 39,                                                                          \
               .address_bits = 48,                                                                           \
               .drops_read_only_writes = true}

const struct sheet skl_sheet = {PRODUCT("skl", "Skylake GT2 (Gen9)", 0x1912, 6, skl_ids, gt2), GEN9_SHEET};
const struct sheet skl_gt3_sheet = {
    PRODUCT("skl-gt3", "Skylake GT3 (Gen9), a second video engine", 0x1926, 10, skl_gt3_ids, gt3),
    GEN9_SHEET};
const struct sheet kbl_sheet = {PRODUCT("kbl", "Kaby Lake GT2 (Gen9)", 0x5912, 4, kbl_ids, gt2), GEN9_SHEET};
const struct sheet kbl_gt3_sheet = {
    PRODUCT("kbl-gt3", "Kaby Lake GT3 (Gen9), a second video engine", 0x5926, 6, kbl_gt3_ids, gt3),
    GEN9_SHEET};
const struct sheet cfl_sheet = {PRODUCT("cfl", "Coffee Lake GT2 (Gen9)", 0x3e92, 0, cfl_ids, gt2),
                                GEN9_SHEET};
const struct sheet cfl_gt3_sheet = {
    PRODUCT("cfl-gt3", "Coffee Lake GT3 (Gen9), a second video engine", 0x3ea5, 1, cfl_gt3_ids, gt3),
    GEN9_SHEET};
const struct sheet cml_sheet = {PRODUCT("cml", "Comet Lake GT2 (Gen9)", 0x9bc5, 5, cml_ids, gt2), GEN9_SHEET};

const struct sheet bxt_sheet = {PRODUCT("bxt", "Broxton (Gen9)", 0x5a84, 0, bxt_ids, gt2), GEN9_SHEET};
const struct sheet glk_sheet = {PRODUCT("glk", "Gemini Lake (Gen9)", 0x3184, 0, glk_ids, gt2), GEN9_SHEET};
