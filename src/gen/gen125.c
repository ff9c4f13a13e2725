/* Gen12.5, Xe_HPG: Alchemist and Flex. The manual is "Xe_HPG system interface" (SYS items). Registers that it
 * does not describe are where Linux and Mesa's genxml have them. */
#include "gen/gen125.h"
#include "gen/gen11.h"

static const struct register_block *const render_blocks[] = GEN125_RENDER_BLOCKS(GEN125_RING_BLOCKS),
                                          *const compute_blocks[] = GEN125_COMPUTE_BLOCKS(GEN125_RING_BLOCKS),
                                          *const copy_blocks[] = GEN125_COPY_BLOCKS(GEN125_RING_BLOCKS),
                                          *const video_blocks[] = {GEN125_RING_BLOCKS, NULL};

static const struct engine_unit vcs0_units[] = {GEN12_VCS_UNITS(0), {NULL, 0}},
                                vcs2_units[] = {GEN12_VCS_UNITS(2), {NULL, 0}};

/* (Mesa, anv_GetPhysicalDeviceFragmentShadingRatesKHR) */
const struct coarse_pixel_sizes gen125_coarse_pixel_sizes = {
    .most_samples = {{16, 4, 0}, {4, 4, 2}, {0, 1, 1}}};

/* Registers that Linux opens to unprivileged batches. (Linux, intel_workarounds) */
static const uint32_t opened[] = {0x7304, 0x7010, 0};
#define RCS0                                                                                                 \
    {                                                                                                        \
        GEN11_RCS0, GEN125_DRAWS, .draws.depth_state_in_ccs = true, .draws.depth_clear_value_dw = 4,         \
                                  .contexts.image = gen125_render_context,                                   \
                                  .privileges.default_whitelist = opened, GEN125_MESSAGES, GEN125_ENGINE     \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        GEN11_BCS0, .contexts.image = gen125_copy_context, GEN125_ENGINE                                     \
    }
#define VCS(n)                                                                                               \
    {                                                                                                        \
        GEN11_VCS(n), .units = vcs##n##_units, .contexts.image = gen125_video_context, GEN125_ENGINE         \
    }
#define VECS(n)                                                                                              \
    {                                                                                                        \
        GEN11_VECS(n), .contexts.image = gen125_video_context, GEN125_ENGINE                                 \
    }
/* The compute engines are reset with the render engine. */
#define CCS(n, base)                                                                                         \
    {                                                                                                        \
        .name = "ccs" #n, .class = CLASS_COMPUTE, .instance = (n), .mmio_base = (base),                      \
        .blocks = compute_blocks, .interrupt.bit = 4 + (n), .interrupt.class = 5, .faults.id = 0,            \
        .reset_bits = 1u << 1, .contexts.image = gen125_compute_context, GEN125_MESSAGES, GEN125_ENGINE      \
    }

#define COMMON_ENGINES RCS0, BCS0, VCS(0), VCS(2), VECS(0), VECS(1), CCS(0, 0x1a000)
static const struct engine_info g10_engines[] = {COMMON_ENGINES, CCS(1, 0x1c000), CCS(2, 0x1e000),
                                                 CCS(3, 0x26000)},
                                g11_engines[] = {COMMON_ENGINES},
                                g12_engines[] = {COMMON_ENGINES, CCS(1, 0x1c000)};

/* Fuses: the units that the part has. Each of four quadrants has eight dual subslices, two slices, a memory
 * slice and a compute engine. The crystal runs at 38.4 MHz. */
#define FUSES(subslices, memory_slices)                                                                      \
    {                                                                                                        \
        {.name = "GMD_ID",                                                                                   \
         .offset = 0xd8c,                                                                                    \
         .summary = "Release of the graphics part: 0, since parts say so from Gen12.7 on.",                  \
         .spec = "Linux, xe_gt_regs.h"},                                                                     \
            {.name = "MIRROR_FUSE3",                                                                         \
             .offset = 0x9118,                                                                               \
             .reset = (memory_slices),                                                                       \
             .summary = "Memory slices there, bits 3:0.",                                                    \
             .spec = "SYS-10; Linux, intel_gt_mcr"},                                                         \
            {.name = "FUSE2",                                                                                \
             .offset = 0x9120,                                                                               \
             .reset = 1u << 2,                                                                               \
             .summary = "Bit 2: sold, not a sample.",                                                        \
             .spec = "Linux, xe_gt_regs.h"},                                                                 \
            {.name = "EU_ENABLE",                                                                            \
             .offset = 0x9134,                                                                               \
             .reset = 0xff,                                                                                  \
             .summary = "Pairs of execution units there, in every dual subslice.",                           \
             .spec = "Linux, intel_sseu"},                                                                   \
            {.name = "GEOMETRY_DSS_ENABLE",                                                                  \
             .offset = 0x913c,                                                                               \
             .reset = (subslices),                                                                           \
             .summary = "Dual subslices there for geometry.",                                                \
             .spec = "Linux, intel_sseu"},                                                                   \
            {.name = "COMPUTE_DSS_ENABLE",                                                                   \
             .offset = 0x9144,                                                                               \
             .reset = (subslices),                                                                           \
             .summary = "Dual subslices there for compute.",                                                 \
             .spec = "Linux, intel_sseu"},                                                                   \
            {.name = "GT_VEBOX_VDBOX_ENABLE",                                                                \
             .offset = 0x9140,                                                                               \
             .reset = 0x00030005,                                                                            \
             .summary = "Video engines (7:0) and enhancement engines (19:16) there.",                        \
             .spec = "Linux, intel_engine_cs"},                                                              \
            GEN11_NO_PIPES("TGL PRM vol 2c"), GEN11_CRYSTAL(2u << 3 | 2u << 1, "TGL PRM vol 2c"),            \
    }
static const struct reg g10_fuses[] = FUSES(0xffffffff, 0xf), g11_fuses[] = FUSES(0xff, 0x1),
                        g12_fuses[] = FUSES(0xffff, 0x3);
static const struct register_block g10_fuse_registers = REGISTER_BLOCK("fuses", g10_fuses),
                                   g11_fuse_registers = REGISTER_BLOCK("fuses", g11_fuses),
                                   g12_fuse_registers = REGISTER_BLOCK("fuses", g12_fuses);

#define GT_BLOCKS(fuses)                                                                                     \
    {                                                                                                        \
        &(fuses), &reset_registers, &gen12_fault_registers, &gen12_invalidation_registers,                   \
            &gen125_invalidation_registers, &gen125_force_wake_registers, &fence_registers, &rc6_registers,  \
            &gen8_rc6_registers, &frequency_registers, &busyness_registers, &gen9_frequency_registers,       \
            &gen75_display_power_registers, &gen9_display_power_registers, &gen11_display_clock_registers,   \
            &gen9_display_setup_registers, &gen11_display_setup_registers, &gen8_setup_registers,            \
            &gen11_setup_registers, &gen12_setup_registers, &gen12_tiled_range_registers,                    \
            &gen125_setup_registers, &gen12_caching_registers, &local_memory_registers,                      \
            &gen8_global_render_registers, &gen11_global_render_registers, &gen125_steering_registers,       \
            &gen125_error_registers, &gen125_software_registers, NULL                                        \
    }
static const struct register_block *const g10_blocks[] = GT_BLOCKS(g10_fuse_registers),
                                          *const g11_blocks[] = GT_BLOCKS(g11_fuse_registers),
                                          *const g12_blocks[] = GT_BLOCKS(g12_fuse_registers);
#define GT                                                                                                   \
    .frequency = &gen9_frequency_format, .power_line = GEN11_POWER_LINE,                                     \
    .wake_requests = gen125_wake_requests, .fences = 32, .keeps_contexts = true
/* The topology that the fuses report. Software counts dual subslices, and no slices. */
#define TOPOLOGY(there)                                                                                      \
    {                                                                                                        \
        .most_slices = 1, .most_subslices = 32, .most_units = 16, .slices = 1, .subslices = (there),         \
        .units = 0xffff, .threads = 8                                                                        \
    }
static const struct topology g10_topology = TOPOLOGY(0xffffffff), g11_topology = TOPOLOGY(0xff),
                             g12_topology = TOPOLOGY(0xffff);
static const struct gt_info g10_gt = {.blocks = g10_blocks, .topology = &g10_topology, GT},
                            g11_gt = {.blocks = g11_blocks, .topology = &g11_topology, GT},
                            g12_gt = {.blocks = g12_blocks, .topology = &g12_topology, GT};

static const uint16_t dg2_ids[] = {0x56a0, 0x5690, 0x5691, 0x5692, 0x56a1, 0x56a2, 0x56be, 0x56bf, 0};
static const uint16_t dg2_g11_ids[] = {0x56a5, 0x5693, 0x5694, 0x5695, 0x56a6, 0x56b0,
                                       0x56b1, 0x56ba, 0x56bb, 0x56bc, 0x56bd, 0};
static const uint16_t dg2_g12_ids[] = {0x56a3, 0x5696, 0x5697, 0x56a4, 0x56b2, 0x56b3, 0};
static const uint16_t atsm_ids[] = {0x56c0, 0x56c2, 0}, atsm_g11_ids[] = {0x56c1, 0};

enum { GGTT_BYTES = 8 << 20 };
#define LOCAL_BYTES (UINT64_C(256) << 20)

#define CAPABILITIES                                                                                         \
    {                                                                                                        \
        {PCI_EXPRESS, 0x70}, {PCI_MSI, 0xac},                                                                \
        {                                                                                                    \
            PCI_POWER_MANAGEMENT, 0xd0                                                                       \
        }                                                                                                    \
    }
static const struct pci_info dg2_pci = {.class_code = PCI_VGA,
                                        .gmch_control = 3u << 6, /* 8 MB of entries */
                                        .is_endpoint = true,
                                        .capabilities = CAPABILITIES},
                             atsm_pci = {.class_code = PCI_DISPLAY,
                                         .gmch_control = 3u << 6,
                                         .is_endpoint = true,
                                         .capabilities = CAPABILITIES};

/* The PAT table is Gen12's. (Linux, xe_pat) */
static const struct xe_info gen125_xe = {.local_page_bytes = 1u << 16,
                                         .pats = 0xf,
                                         .coherent_pats = 1,
                                         .timestamp_bits = 36,
                                         .compute_subslices = true};

#define GEN125_SHEET(function, part)                                                                         \
    .info.generation = "gen125", .info.mmio_bytes = 8u << 20, .info.ggtt_bytes = GGTT_BYTES,                 \
    .info.local_bytes = LOCAL_BYTES, .generation = GEN125, .pci = &(function), .display = &gen9_display,     \
    .oa = &gen125_oa_info, .oam = &gen125_oam_info, .eu = &eu_gen125, .costs = &gen12_costs,                 \
    .interrupt = &gen125_interrupts, .guc = &(part), .ranges = gen125_ranges, .xe = &gen125_xe,              \
    .memory = {.format = &gen125_page_tables,                                                                \
               .ggtt_bytes = GGTT_BYTES,                                                                     \
               .physical_bits = 46,                                                                          \
               .address_bits = 48,                                                                           \
               .aperture_updated_by_ggtt_write = true,                                                       \
               .local_bytes = LOCAL_BYTES}

const struct sheet dg2_sheet = {PRODUCT("dg2", "Alchemist (Gen12.5)", 0x56a0, 8, dg2_ids, g10),
                                GEN125_SHEET(dg2_pci, gen125_g10_guc)};
const struct sheet dg2_g11_sheet = {
    PRODUCT("dg2-g11", "Alchemist (Gen12.5), a quarter", 0x56a5, 5, dg2_g11_ids, g11),
    GEN125_SHEET(dg2_pci, gen125_g11_guc), .fused = true};
const struct sheet dg2_g12_sheet = {
    PRODUCT("dg2-g12", "Alchemist (Gen12.5), a half", 0x56a3, 1, dg2_g12_ids, g12),
    GEN125_SHEET(dg2_pci, gen125_g12_guc), .fused = true};

const struct sheet atsm_sheet = {PRODUCT("atsm", "Flex 170 (Gen12.5)", 0x56c0, 8, atsm_ids, g10),
                                 .info.functions = 31, GEN125_SHEET(atsm_pci, gen125_g10_guc)};
const struct sheet atsm_g11_sheet = {PRODUCT("atsm-g11", "Flex 140 (Gen12.5)", 0x56c1, 5, atsm_g11_ids, g11),
                                     .info.functions = 31, GEN125_SHEET(atsm_pci, gen125_g11_guc),
                                     .fused = true};
