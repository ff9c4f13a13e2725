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
    .hws_pga = HWS_PGA, .nonpriv_list = true, .status.entry = gen8_status_entry, .image_offset = PAGE_BYTES, \
    .isr_shown = INTERRUPT_MASTER_ERROR, .faults.note = gen8_note_fault,                                     \
    .page_directory = gen8_page_directory, .batches = gen8_batch_registers, .execlists = &gen8_execlists,    \
    .timestamp_hz = 12000000, .watchdog.clock_hz = 1000000000, .status.entries = 6, .status.first_dw = 0x10, \
    .status.pointer_dw = 0x1f, .status.in_registers = true, .execlist_enable = GFX_MODE_EXECLISTS

#define RCS0(n)                                                                                              \
    {                                                                                                        \
        .name = "rcs0", .class = CLASS_RENDER, .mmio_base = 0x02000, .blocks = render_blocks,                \
        .interrupt.bank = 0, .faults.id = 0, .slices = (n), .reset_bits = 1u << 1,                           \
        .context = gen9_render_context, GEN9_ENGINE                                                          \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        .name = "bcs0", .class = CLASS_COPY, .mmio_base = 0x22000, .blocks = copy_blocks,                    \
        .interrupt.shift = 16, .faults.id = 4, .reset_bits = 1u << 3, .context = gen9_copy_context,          \
        .power_context = gen9_copy_power_context, GEN9_ENGINE                                                \
    }
#define VCS0                                                                                                 \
    {                                                                                                        \
        .name = "vcs0", .class = CLASS_VIDEO, .mmio_base = 0x12000, .class_alias = 0x1c000,                  \
        .blocks = video_blocks, .interrupt.bank = 1, .faults.id = 1, .reset_bits = 1u << 2,                  \
        .context = gen9_video_context, .power_context = gen9_video_power_context, GEN9_ENGINE                \
    }
#define VCS1                                                                                                 \
    {                                                                                                        \
        .name = "vcs1", .class = CLASS_VIDEO, .instance = 1, .mmio_base = 0x1c000, .class_alias = 0x12000,   \
        .blocks = video_blocks, .interrupt.bank = 1, .interrupt.shift = 16, .faults.id = 2,                  \
        .reset_bits = 1u << 7, .context = gen9_video_context, .power_context = gen9_video_power_context,     \
        GEN9_ENGINE                                                                                          \
    }
#define VECS0                                                                                                \
    {                                                                                                        \
        .name = "vecs0", .class = CLASS_ENHANCE, .mmio_base = 0x1a000, .blocks = video_blocks,               \
        .interrupt.bank = 3, .faults.id = 3, .reset_bits = 1u << 4, .context = gen9_video_context,           \
        .power_context = gen9_enhance_power_context, GEN9_ENGINE                                             \
    }

static const struct engine_info gt2_engines[] = {RCS0(1), BCS0, VCS0, VECS0};
static const struct engine_info gt3_engines[] = {RCS0(2), BCS0, VCS0, VECS0, VCS1};

/* What of the part is there. Display pipes are fused off: the device is headless. */
/* clang-format off */
#define FUSES(slices) {                                                                                                          \
    {.name = "FUSE2", .offset = 0x9120, .reset = (uint32_t)(slices) << 25 | 8u << 20, .summary = "Bits 27:25: slices there; 23:20: subslices not there.", .spec = "SKL PRM vol 2c"}, \
    {.name = "EU_DISABLE", .offset = 0x9134, .count = 3, .stride = 4, .summary = "Execution units not there.", .spec = "SKL PRM vol 2c"}, \
    {.name = "DFSM", .offset = 0x51000, .reset = 0x50200000, .summary = "Bits 30, 21 and 28: display pipes A, B and C are not there.", .spec = "SKL PRM vol 2c"}, \
    /* 24 MHz, halved. */                                                                                                        \
    {.name = "CTC_MODE", .offset = 0xa26c, .reset = 2u << 1, .summary = "Clock of the timestamps.", .spec = "SKL PRM vol 2c"}, \
}
/* clang-format on */

static const struct reg gt2_fuses[] = FUSES(1), gt3_fuses[] = FUSES(3);
static const struct register_block gt2_fuse_registers = REGISTER_BLOCK("fuses", gt2_fuses),
                                   gt3_fuse_registers = REGISTER_BLOCK("fuses", gt3_fuses);

#define GT_BLOCKS(fuses)                                                                                     \
    {                                                                                                        \
        &reset_registers, &gen8_fault_registers, &gen8_invalidation_registers, &gen9_force_wake_registers,   \
            &fence_registers, &rc6_registers, &gen8_rc6_registers, &frequency_registers,                     \
            &gen9_frequency_registers, &gen75_display_power_registers, &gen9_display_power_registers,        \
            &gen9_display_clock_registers, &gen9_display_setup_registers, &gen8_setup_registers,             \
            &gen9_setup_registers, &gen9_caching_registers, &gen9_guc_registers, &gen9_reserved_registers,   \
            &gen8_global_render_registers, &(fuses), NULL                                                    \
    }
static const struct register_block *const gt2_blocks[] = GT_BLOCKS(gt2_fuse_registers),
                                          *const gt3_blocks[] = GT_BLOCKS(gt3_fuse_registers);
#define GT .wake_requests = gen9_wake_requests, .fences = 32, .power_contexts = true
static const struct gt_info gt2 = {.blocks = gt2_blocks, GT}, gt3 = {.blocks = gt3_blocks, GT};

static const struct register_block *const display_blocks[] = {&display_registers, NULL};
const struct display_info gen9_display = {.blocks = display_blocks};

const struct pci_info gen9_pci = {
    .gmadr_bytes = 256u << 20,
    .gmch_control = 3u << 6, /* 8 MB of entries, no stolen memory */
    .capabilities = {{PCI_EXPRESS, 0x70}, {PCI_MSI, 0xac}, {PCI_POWER_MANAGEMENT, 0xd0}},
};

static const uint16_t gt2_ids[] = {0x1912, 0x1916, 0x191b, 0x191d, 0x191e, 0x1921, 0};
static const uint16_t gt3_ids[] = {0x1926, 0x1923, 0x1927, 0x192a, 0x192b, 0x192d, 0};

enum { GGTT_BYTES = 8 << 20 };

#define GEN9_INFO .generation = "gen9", .mmio_bytes = 8u << 20, .ggtt_bytes = GGTT_BYTES
#define GEN9_SHEET                                                                                           \
    .generation = GEN9, .pci = &gen9_pci, .ranges = gen9_ranges, .function_ids = gen9_function_ids,          \
    .display = &gen9_display, .interrupt = &gen8_interrupts,                                                 \
    .memory = {.format = &gen8_page_tables,                                                                  \
               .ggtt_bytes = GGTT_BYTES,                                                                     \
               .physical_bits = 39,                                                                          \
               .address_bits = 48,                                                                           \
               .drops_read_only_writes = true}

const struct sheet skl_sheet = {
    .info = {.name = "skl",
             .summary = "Skylake GT2 (Gen9)",
             .pci_device_id = 0x1912,
             .pci_revision = 6,
             .engine_count = ENGINE_COUNT(gt2_engines),
             GEN9_INFO},
    .pci_device_ids = gt2_ids,
    .engines = gt2_engines,
    .gt = &gt2,
    GEN9_SHEET,
};

const struct sheet skl_gt3_sheet = {
    .info = {.name = "skl-gt3",
             .summary = "Skylake GT3 (Gen9), a second video engine",
             .pci_device_id = 0x1926,
             .pci_revision = 10,
             .engine_count = ENGINE_COUNT(gt3_engines),
             GEN9_INFO},
    .pci_device_ids = gt3_ids,
    .engines = gt3_engines,
    .gt = &gt3,
    GEN9_SHEET,
};
