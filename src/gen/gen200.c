/* Gen20, Xe2: Lunar Lake and Battlemage. No manual is public: registers are Linux' (xe), commands and
 * structures those of Mesa's genxml. */
#include "gen/gen200.h"
#include "gen/gen125.h"

#define RING_BLOCKS GEN125_RING_BLOCKS, &gen200_ring_registers
static const struct register_block *const render_blocks[] = GEN125_RENDER_BLOCKS(RING_BLOCKS),
                                          *const compute_blocks[] = GEN125_COMPUTE_BLOCKS(RING_BLOCKS),
                                          *const copy_blocks[] = GEN125_COPY_BLOCKS(RING_BLOCKS),
                                          *const video_blocks[] = {RING_BLOCKS, NULL};

#define GEN200_ENGINE GEN125_ENGINE, .contexts.timestamp_64_bits = true
#define GEN200_MESSAGES                                                                                      \
    .messages = {GEN9_SURFACES,                                                                              \
                 .gen200_sampler_messages = true,                                                            \
                 .gen200_aux_surfaces = true,                                                                \
                 .tile_64_has_all_samples = true,                                                            \
                 .scratch_by_surface = true,                                                                 \
                 .r0_thread_index = true,                                                                    \
                 .slm_has_384_kb = true,                                                                     \
                 .target_index_shift = 21,                                                                   \
                 .target_parts_in_ex_descriptor = true,                                                      \
                 .binding_table_pool_always = true}

/* Registers that Linux opens to unprivileged batches: FF_MODE, VFLSKPD. (Linux 7.2, xe_reg_whitelist) */
static const uint32_t opened[] = {0x6210, 0x62a8, 0};
#define RCS0                                                                                                 \
    {                                                                                                        \
        GEN11_RCS0, GEN125_DRAWS,                                                                            \
            .draws.push_constants_unconditional = true, .draws.attributes_unconditional = true,              \
            .draws.vertex_dispatch = VERTEX_DISPATCH_SIMD, .contexts.image = gen200_render_context,          \
            .privileges.default_whitelist = opened, GEN200_MESSAGES, GEN200_ENGINE                           \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        GEN11_BCS0, .contexts.image = gen200_copy_context, GEN200_ENGINE                                     \
    }
/* The copy engine of the driver. (Linux, xe_hw_engine) */
#define BCS8                                                                                                 \
    {                                                                                                        \
        .name = "bcs8", .class = CLASS_COPY, .instance = 8, .mmio_base = 0x3ee000, .blocks = copy_blocks,    \
        .interrupt.bit = 23, .interrupt.class = 3, .interrupt.instance = 8, .faults.id = 4,                  \
        .reset_bits = 1u << 31, .contexts.image = gen200_copy_context, GEN200_ENGINE                         \
    }
#define CCS0                                                                                                 \
    {                                                                                                        \
        .name = "ccs0", .class = CLASS_COMPUTE, .mmio_base = 0x1a000, .blocks = compute_blocks,              \
        .interrupt.bit = 4, .interrupt.class = 5, .faults.id = 0, .reset_bits = 1u << 1,                     \
        .contexts.image = gen200_compute_context, GEN200_MESSAGES, GEN200_ENGINE                             \
    }

/* Engines of the media GT. */
#define UNITS(n)                                                                                             \
    {                                                                                                        \
        GEN12_VCS_UNITS(n), {&gen200_clock_registers, VCS_BASE(n) + 0x3f00},                                 \
        {                                                                                                    \
            NULL, 0                                                                                          \
        }                                                                                                    \
    }
static const struct engine_unit vcs0_units[] = UNITS(0), vcs2_units[] = UNITS(2);
#define VCS(n)                                                                                               \
    {                                                                                                        \
        GEN11_VCS(n), .units = vcs##n##_units, .contexts.image = gen200_video_context, GEN200_ENGINE         \
    }
#define VECS(n)                                                                                              \
    {                                                                                                        \
        GEN11_VECS(n), .contexts.image = gen200_video_context, GEN200_ENGINE                                 \
    }

/* The engine of the GSC. (Linux, xe_hw_engine and intel_engine_cs) */
static const struct engine_unit gsccs0_units[] = {{&gsc_registers, 0x116000}, {NULL, 0}};
#define GSCCS0                                                                                               \
    {                                                                                                        \
        .name = "gsccs0", .class = CLASS_OTHER, .instance = 6, .mmio_base = 0x11a000,                        \
        .blocks = video_blocks, .units = gsccs0_units, .interrupt.bit = 31, .interrupt.class = 4,            \
        .interrupt.instance = 6, .reset_bits = 1u << 21, .contexts.image = gen200_video_context,             \
        GEN200_ENGINE                                                                                        \
    }

static const struct engine_info lnl_engines[] = {RCS0, BCS0, BCS8, CCS0, VCS(0), VECS(0), GSCCS0},
                                bmg_engines[] = {RCS0, BCS0, BCS8, CCS0, VCS(0), VCS(2), VECS(0), VECS(1)};
_Static_assert(GEN200_GRAPHICS_ENGINES == 4, "the media engines follow");

/* Fuses: the units that the part has. Slices have four Xe-cores, L3 nodes four banks. Of compute engines
 * there is one. L3 nodes are a power of two: aubstream divides by their number, and expects addresses. The
 * crystal runs at 38.4 MHz. */
enum { GGTT_BYTES = 8 << 20, GMCH_CONTROL = 3 << 6 /* 8 MB of entries */, GMS_8_MB = 0xf1 << 8 };
#define FUSE(title, at, value, text)                                                                         \
    {                                                                                                        \
        .name = (title), .offset = (at), .reset = (value), .summary = (text), .spec = "Linux, xe_gt_regs.h"  \
    }
/* Frequencies in 50 MHz, and in a third of it: firmware goes by the first of these. */
#define FREQUENCIES(least, most)                                                                             \
    FUSE("RP_STATE_CAP", 0x145998, (least) << 16 | (least) << 8 | (most),                                    \
         "Lowest (23:16), efficient (15:8) and highest frequency (7:0) in 50 MHz."),                         \
        FUSE("GT_RP_STATE_CAP", 0x138000, (least)*3u << 16 | (most)*3u,                                      \
             "Lowest (24:16) and highest frequency (8:0) in 16.7 MHz."),                                     \
        FUSE("GT_RPA_FREQUENCY", 0x138008, (most)*3u,                                                        \
             "The highest frequency that is granted, in 16.7 MHz."),                                         \
        FUSE("GT_RPE_FREQUENCY", 0x13800c, (least)*3u, "The efficient frequency in 16.7 MHz."),              \
        FUSE("MEDIA_RP_STATE_CAP", 0x138020, (least)*3u << 16 | (most)*3u,                                   \
             "Lowest (24:16) and highest frequency (8:0) of media in 16.7 MHz."),                            \
        FUSE("MEDIA_RPA_FREQUENCY", 0x138028, (most)*3u,                                                     \
             "The highest frequency of media that is granted, in 16.7 MHz."),                                \
        FUSE("MEDIA_RPE_FREQUENCY", 0x13802c, (least)*3u, "The efficient frequency of media in 16.7 MHz.")
#define FUSES(release, cores, nodes, least, most, control)                                                   \
    {                                                                                                        \
        FUSE("GMD_ID", 0xd8c, GEN200_GMD_ID(20, release),                                                    \
             "Version of the graphics part: architecture (31:22), release (21:14), stepping (5:0)."),        \
            FUSE("FUSE4", 0x9114, 1u << 16, "Compute engines there (19:16)."),                               \
            FUSE("MIRROR_FUSE3", 0x9118, (nodes) << 16 | 0xf << 4,                                           \
                 "L3 nodes there (31:16), banks of each (7:4)."),                                            \
            FUSE("FUSE2", 0x9120, 1u << 2, "Bit 2: sold, not a sample."),                                    \
            FUSE("EU_ENABLE", 0x9134, 0xff, "Execution units there, in every Xe-core."),                     \
            FUSE("GEOMETRY_DSS_ENABLE", 0x913c, (cores), "Xe-cores there for geometry."),                    \
            FUSE("GEOMETRY_DSS_ENABLE_1", 0x9150, 0, "The same, from the 33rd on."),                         \
            FUSE("GEOMETRY_DSS_ENABLE_2", 0x9154, 0, "The same, from the 65th on."),                         \
            FUSE("COMPUTE_DSS_ENABLE", 0x9144, (cores), "Xe-cores there for compute."),                      \
            FUSE("COMPUTE_DSS_ENABLE_1", 0x9148, 0, "The same, from the 33rd on."),                          \
            FUSE("COMPUTE_DSS_ENABLE_2", 0x914c, 0, "The same, from the 65th on."),                          \
            FUSE("GT_VEBOX_VDBOX_ENABLE", 0x9140, 0, "Video engines there: they are in the media GT."),      \
            FUSE("GMD_ID_DISPLAY", 0x510a0, 0, "Version of the display part: there is none."),               \
            FUSE("DIST_DBS_POPULATED", 0xd08, 63u << 16 | 0xf,                                               \
                 "Doorbells of each distributor, minus one (23:16), and the distributors there (15:0)."),    \
            FUSE("GGC", 0x108040, control, "Sizes of the GGTT's table (7:6) and of stolen memory (15:8)."),  \
            FREQUENCIES(least, most), GEN11_NO_PIPES("Linux, intel_display"),                                \
            GEN11_CRYSTAL(2u << 3 | 2u << 1, "Linux, xe_gt_clock"),                                          \
    }
static const struct reg bmg_fuses[] = FUSES(1u, 0xfffff, 0xffu, 8u, 57u, GMCH_CONTROL),
                        lnl_fuses[] = FUSES(4u, 0xff, 0x3u, 8u, 41u, GMCH_CONTROL | GMS_8_MB);
static const struct register_block bmg_fuse_registers = REGISTER_BLOCK("fuses", bmg_fuses),
                                   lnl_fuse_registers = REGISTER_BLOCK("fuses", lnl_fuses);

#define GT_BLOCKS(fuses)                                                                                     \
    &(fuses), &reset_registers, &gen12_fault_registers, &gen12_invalidation_registers,                       \
        &gen125_invalidation_registers, &gen200_invalidation_registers, &gen200_force_wake_registers,        \
        &rc6_registers, &gen8_rc6_registers, &frequency_registers, &busyness_registers,                      \
        &gen200_frequency_registers, &gen8_setup_registers, &gen11_setup_registers, &gen12_setup_registers,  \
        &gen125_setup_registers, &gen200_setup_registers, &gen200_tiled_range_registers,                     \
        &gen12_caching_registers, &gen8_global_render_registers, &gen11_global_render_registers,             \
        &gen200_steering_registers, &gen11_display_setup_registers, &gen125_error_registers,                 \
        &gen125_software_registers
static const struct register_block *const bmg_blocks[] = {GT_BLOCKS(bmg_fuse_registers),
                                                          &gen200_local_memory_registers, NULL},
                                          *const lnl_blocks[] = {GT_BLOCKS(lnl_fuse_registers),
                                                                 &gen200_stolen_registers, NULL};

#define TOPOLOGY(there)                                                                                      \
    {                                                                                                        \
        .most_slices = 1, .most_subslices = 32, .most_units = 8, .slices = 1, .subslices = (there),          \
        .units = 0xff, .threads = 8                                                                          \
    }
static const struct topology bmg_topology = TOPOLOGY(0xfffff), lnl_topology = TOPOLOGY(0xff);
#define GT                                                                                                   \
    .frequency = &gen9_frequency_format, .power_line = GEN11_POWER_LINE,                                     \
    .wake_requests = gen200_wake_requests, .keeps_contexts = true, .mailbox_has_board = true,                \
    .steer = gen200_steering_target
static const struct gt_info bmg_gt = {.blocks = bmg_blocks, .topology = &bmg_topology, GT},
                            lnl_gt = {.blocks = lnl_blocks, .topology = &lnl_topology, GT};
/* (Linux and Mesa, PCI ids) */
static const uint16_t lnl_ids[] = {0x64a0, 0x6420, 0x64b0, 0};
static const uint16_t bmg_ids[] = {0xe20b, 0xe202, 0xe209, 0xe20c, 0xe20d, 0xe210, 0xe211, 0xe212,
                                   0xe215, 0xe216, 0xe220, 0xe221, 0xe222, 0xe223, 0};

#define LOCAL_BYTES (UINT64_C(256) << 20)

static const struct pci_info bmg_pci = {
    .class_code = PCI_VGA,
    .gmch_control = GMCH_CONTROL,
    .is_endpoint = true,
    .capabilities = {{PCI_EXPRESS, 0x70}, {PCI_MSI, 0xac}, {PCI_POWER_MANAGEMENT, 0xd0}}};

static const struct pci_info lnl_pci = {
    .class_code = PCI_VGA,
    .gmch_control = GMCH_CONTROL | GMS_8_MB,
    .capabilities = {{PCI_EXPRESS, 0x70}, {PCI_MSI, 0xac}, {PCI_POWER_MANAGEMENT, 0xd0}}};

/* 1 << PAT index: 16 to 19 are reserved. Four banks are an L3 node. (Linux, xe_pat and xe_gt_topology) */
#define XE(release, media, there, banks)                                                                     \
    {                                                                                                        \
        .gmd_id = GEN200_GMD_ID(20, release), .media_gmd_id = (media), .local_page_bytes = 4096,             \
        .pats = (there), .coherent_pats = 0xccc000b6 & (there), .l3_banks = (banks), .timestamp_bits = 64,   \
        .simd16_units = true, .compute_subslices = true, .alone = true, .reserved_engine = "bcs8"            \
    }
static const struct xe_info bmg_xe = XE(1u, GEN200_GMD_ID(13, 1), 0x0ff0ffff, 0xffffffff),
                            lnl_xe = XE(4u, GEN200_GMD_ID(20, 0), 0xfff0ffff, 0xff);

#define GEN200_SHEET(tables, part)                                                                           \
    .info.generation = "gen200", .info.mmio_bytes = 8u << 20, .info.ggtt_bytes = GGTT_BYTES,                 \
    .generation = GEN200, .oa = &gen125_oa_info, .costs = &gen12_costs, .interrupt = &gen200_interrupts,     \
    .guc = &gen200_##part##_guc, .media = &gen200_##part##_media, .ranges = gen200_ranges, .eu = &eu_gen200, \
    .display = &gen9_display, .memory.format = &(tables), .memory.ccs_ratio = 512,                           \
    .memory.ggtt_bytes = GGTT_BYTES, .memory.physical_bits = 46, .memory.address_bits = 48,                  \
    .memory.aperture_updated_by_ggtt_write = true

const struct sheet bmg_sheet = {PRODUCT("bmg", "Battlemage (Gen20, Xe2)", 0xe20b, 0, bmg_ids, bmg),
                                GEN200_SHEET(gen200_local_page_tables, bmg),
                                .pci = &bmg_pci,
                                .xe = &bmg_xe,
                                .info.functions = 12, /* how many is our choice */
                                .info.local_bytes = LOCAL_BYTES,
                                .memory.local_bytes = LOCAL_BYTES,
                                .memory.gsm_below_dsm = true};
const struct sheet lnl_sheet = {PRODUCT("lnl", "Lunar Lake (Gen20, Xe2)", 0x64a0, 4, lnl_ids, lnl),
                                GEN200_SHEET(gen200_page_tables, lnl), .pci = &lnl_pci, .xe = &lnl_xe,
                                .memory.stolen_bytes = (8u << 20) + GGTT_BYTES};
