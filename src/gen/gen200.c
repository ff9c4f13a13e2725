/* Gen20, Xe2: Lunar Lake and Battlemage. No manual is public: addresses are Linux' (xe), commands and
 * structures those of Mesa's genxml. Only commands and submission are described yet, so registers are those
 * of Gen12.5. */
#include "gen/gen125.h"
#include "gen/gen11.h"

static const struct register_block *const render_blocks[] = GEN125_RENDER_BLOCKS(GEN125_RING_BLOCKS),
                                          *const compute_blocks[] = GEN125_COMPUTE_BLOCKS(GEN125_RING_BLOCKS),
                                          *const copy_blocks[] = GEN125_COPY_BLOCKS(GEN125_RING_BLOCKS),
                                          *const video_blocks[] = {GEN125_RING_BLOCKS, NULL};

static const struct engine_unit vcs0_units[] = {GEN12_VCS_UNITS(0), {NULL, 0}},
                                vcs2_units[] = {GEN12_VCS_UNITS(2), {NULL, 0}};

#define RCS0                                                                                                 \
    {                                                                                                        \
        GEN11_RCS0, .contexts.image = gen125_render_context, GEN125_ENGINE                                   \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        GEN11_BCS0, .contexts.image = gen125_copy_context, GEN125_ENGINE                                     \
    }
/* The copy engine of the driver. (Linux, xe_hw_engine) */
#define BCS8                                                                                                 \
    {                                                                                                        \
        .name = "bcs8", .class = CLASS_COPY, .instance = 8, .mmio_base = 0x3ee000, .blocks = copy_blocks,    \
        .interrupt.bit = 23, .interrupt.class = 3, .faults.id = 4, .reset_bits = 1u << 2,                    \
        .contexts.image = gen125_copy_context, GEN125_ENGINE                                                 \
    }
#define VCS(n)                                                                                               \
    {                                                                                                        \
        GEN11_VCS(n), .units = vcs##n##_units, .contexts.image = gen125_video_context, GEN125_ENGINE         \
    }
#define VECS(n)                                                                                              \
    {                                                                                                        \
        GEN11_VECS(n), .contexts.image = gen125_video_context, GEN125_ENGINE                                 \
    }
#define CCS0                                                                                                 \
    {                                                                                                        \
        .name = "ccs0", .class = CLASS_COMPUTE, .mmio_base = 0x1a000, .blocks = compute_blocks,              \
        .interrupt.bit = 4, .interrupt.class = 5, .faults.id = 0, .reset_bits = 1u << 1,                     \
        .contexts.image = gen125_compute_context, GEN125_ENGINE                                              \
    }

/* Fuses say how many video engines a part has. Those of Battlemage are taken as on Alchemist. */
static const struct engine_info lnl_engines[] = {RCS0, BCS0, BCS8, VCS(0), VECS(0), CCS0},
                                bmg_engines[] = {RCS0, BCS0, BCS8, VCS(0), VCS(2), VECS(0), VECS(1), CCS0};

static const struct register_block *const gt_blocks[] = {&reset_registers,
                                                         &gen12_fault_registers,
                                                         &gen12_invalidation_registers,
                                                         &rc6_registers,
                                                         &gen8_rc6_registers,
                                                         &frequency_registers,
                                                         &busyness_registers,
                                                         &gen9_frequency_registers,
                                                         &gen8_setup_registers,
                                                         &gen11_setup_registers,
                                                         &gen12_setup_registers,
                                                         &gen125_setup_registers,
                                                         &gen200_tiled_range_registers,
                                                         &gen12_caching_registers,
                                                         &gen8_global_render_registers,
                                                         &gen11_global_render_registers,
                                                         &gen125_steering_registers,
                                                         &gen125_invalidation_registers,
                                                         &gen125_software_registers,
                                                         NULL};
#define GT                                                                                                   \
    {                                                                                                        \
        .blocks = gt_blocks, .frequency = &gen9_frequency_format, .power_line = GEN11_POWER_LINE,            \
        .wake_requests = gen125_wake_requests                                                                \
    }
static const struct gt_info lnl_gt = GT, bmg_gt = GT;

/* (Linux and Mesa, PCI ids) */
static const uint16_t lnl_ids[] = {0x64a0, 0x6420, 0x64b0, 0};
static const uint16_t bmg_ids[] = {0xe20b, 0xe202, 0xe209, 0xe20c, 0xe20d, 0xe210, 0xe211, 0xe212,
                                   0xe215, 0xe216, 0xe220, 0xe221, 0xe222, 0xe223, 0};

enum { GGTT_BYTES = 8 << 20 };
#define LOCAL_BYTES (UINT64_C(256) << 20)

static const struct pci_info bmg_pci = {
    .class_code = PCI_VGA,
    .gmch_control = 3u << 6, /* 8 MB of entries */
    .is_endpoint = true,
    .capabilities = {{PCI_EXPRESS, 0x70}, {PCI_MSI, 0xac}, {PCI_POWER_MANAGEMENT, 0xd0}}};

#define GEN200_SHEET(function, tables, local)                                                                \
    .info.generation = "gen200", .info.mmio_bytes = 8u << 20, .info.ggtt_bytes = GGTT_BYTES,                 \
    .info.local_bytes = (local), .generation = GEN200, .pci = &(function), .display = &gen9_display,         \
    .oa = &gen125_oa_info, .oam = &gen125_oam_info, .costs = &gen12_costs, .interrupt = &gen125_interrupts,  \
    .eu = &eu_gen200, .xe = true,                                                                            \
    .memory = {.format = &(tables),                                                                          \
               .ggtt_bytes = GGTT_BYTES,                                                                     \
               .physical_bits = 46,                                                                          \
               .address_bits = 48,                                                                           \
               .local_bytes = (local)}

const struct sheet lnl_sheet = {PRODUCT("lnl", "Lunar Lake (Gen20, Xe2)", 0x64a0, 4, lnl_ids, lnl),
                                GEN200_SHEET(gen9_pci, gen8_page_tables, 0)};
const struct sheet bmg_sheet = {PRODUCT("bmg", "Battlemage (Gen20, Xe2)", 0xe20b, 0, bmg_ids, bmg),
                                GEN200_SHEET(bmg_pci, gen125_page_tables, LOCAL_BYTES)};
