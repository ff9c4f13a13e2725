/* Gen12: Tiger Lake, Rocket Lake and Alder Lake, whose engines are those of Tiger Lake. Registers that Gen11
 * does not have, or has at another address, are where Linux and Mesa's genxml have them. (TGL PRM vol 2c) */
#include "gen/gen11.h"

static const struct register_block *const render_blocks[] = {&ring_registers,
                                                             &gen8_ring_registers,
                                                             &gen12_ring_registers,
                                                             &gen11_submission_registers,
                                                             &pipeline_registers,
                                                             &gen8_render_registers,
                                                             &gen11_render_registers,
                                                             &gen12_render_context_counters,
                                                             NULL};
static const struct register_block *const copy_blocks[] = {&ring_registers,
                                                           &gen8_ring_registers,
                                                           &gen12_ring_registers,
                                                           &gen11_submission_registers,
                                                           &gen8_copy_registers,
                                                           &gen12_copy_registers,
                                                           NULL};
static const struct register_block *const compute_blocks[] = {&ring_registers,
                                                              &gen8_ring_registers,
                                                              &gen12_ring_registers,
                                                              &gen11_submission_registers,
                                                              &gen125_compute_registers,
                                                              &gen125_compute_context_counters,
                                                              NULL};
static const struct register_block *const video_blocks[] = {
    &ring_registers, &gen8_ring_registers, &gen12_ring_registers, &gen11_submission_registers, NULL};

#define GEN12_ENGINE                                                                                         \
    GEN11_STREAMER, .status.entry = gen12_status_entry, .faults.note = gen12_note_fault,                     \
                    .batches = gen12_batch_registers, .timestamp_hz = 12000000

static const struct engine_unit rcs_units[] = {{&pocs_registers, 0x18000}, {NULL, 0}};
static const struct engine_unit vcs0_units[] = {GEN12_VCS_UNITS(0), {NULL, 0}},
                                vcs2_units[] = {GEN12_VCS_UNITS(2), {NULL, 0}};

const struct depth_alignments gen12_depth_alignments = {
    .depth = {8, 4}, .depth_16bit = {8, 8}, .stencil = {16, 8}};

/* Registers that Linux opens to unprivileged batches. (Linux, intel_workarounds) */
static const uint32_t opened[] = {0x10002349, 0x7010, 0x7018, 0x7304, 0};
#define RCS0                                                                                                 \
    {                                                                                                        \
        GEN11_RCS0, GEN11_RCS0_LINE,                                                                         \
            .draws.stencil_buffer_has_size = true, .draws.stencil_tiled_as_depth = true,                     \
            .draws.depth_state_in_ccs = true, .draws.depth_alignments = &gen12_depth_alignments,             \
            .aux_table_base_register = 0x4200, .units = rcs_units, .contexts.image = gen12_render_context,   \
            .privileges.default_whitelist = opened, GEN12_MESSAGES, GEN12_ENGINE                             \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        GEN11_BCS0, GEN11_BCS0_LINE, .aux_table_base_register = 0x4240,                                      \
                                     .contexts.image = gen12_copy_context, GEN12_ENGINE                      \
    }
#define VCS(n)                                                                                               \
    {                                                                                                        \
        GEN11_VCS(n), GEN11_VCS_LINE(n), .units = vcs##n##_units, .contexts.image = gen12_video_context,     \
                                         GEN12_ENGINE                                                        \
    }
#define VECS0                                                                                                \
    {                                                                                                        \
        GEN11_VECS(0), GEN11_VECS_LINE(0), .contexts.image = gen12_video_context, GEN12_ENGINE               \
    }

static const struct engine_info tgl_engines[] = {RCS0, BCS0, VCS(0), VCS(2), VECS0};
/* The compute engine is reset with the render engine. */
#define CCS0                                                                                                 \
    {                                                                                                        \
        .name = "ccs0", .class = CLASS_COMPUTE, .mmio_base = 0x1a000, .blocks = compute_blocks,              \
        .interrupt.bit = 4, .interrupt.class = 5, .faults.id = 0, .reset_bits = 1u << 1,                     \
        .aux_table_base_register = 0x42c0, .contexts.image = gen12_compute_context,                          \
        GEN11_LINE(0x190100, 16, 0x190048, 16), GEN12_MESSAGES, GEN12_ENGINE                                 \
    }
static const struct engine_info tgl_ccs_engines[] = {RCS0, BCS0, VCS(0), VCS(2), VECS0, CCS0};
static const struct engine_info rkl_engines[] = {RCS0, BCS0, VCS(0), VECS0};

/* Fuses: the units that the part has. The crystal runs at 24 MHz. */
#define FUSES(subslices, media_off)                                                                          \
    {                                                                                                        \
        {.name = "MIRROR_FUSE3",                                                                             \
         .offset = 0x9118,                                                                                   \
         .summary = "L3 banks not there.",                                                                   \
         .spec = "TGL PRM vol 2c"},                                                                          \
            {.name = "EU_DISABLE",                                                                           \
             .offset = 0x9134,                                                                               \
             .summary = "Execution units not there.",                                                        \
             .spec = "TGL PRM vol 2c"},                                                                      \
            {.name = "GT_SLICE_ENABLE",                                                                      \
             .offset = 0x9138,                                                                               \
             .reset = 1,                                                                                     \
             .summary = "Slices there.",                                                                     \
             .spec = "TGL PRM vol 2c"},                                                                      \
            {.name = "GT_DSS_ENABLE",                                                                        \
             .offset = 0x913c,                                                                               \
             .reset = (subslices),                                                                           \
             .summary = "Dual subslices there.",                                                             \
             .spec = "TGL PRM vol 2c"},                                                                      \
            {.name = "GT_VEBOX_VDBOX_DISABLE",                                                               \
             .offset = 0x9140,                                                                               \
             .reset = (media_off),                                                                           \
             .summary = "Video engines (7:0) and enhancement engines (19:16) not there.",                    \
             .spec = "TGL PRM vol 2c"},                                                                      \
            GEN11_NO_PIPES("TGL PRM vol 2c"), GEN11_CRYSTAL(2u << 1, "TGL PRM vol 2c"),                      \
    }

static const struct reg tgl_fuses[] = FUSES(0x3f, 0x000e00fa), rkl_fuses[] = FUSES(0x03, 0x000e00fe);
static const struct register_block tgl_fuse_registers = REGISTER_BLOCK("fuses", tgl_fuses),
                                   rkl_fuse_registers = REGISTER_BLOCK("fuses", rkl_fuses);

/* Interrupt registers of the compute engine. */
static const struct reg compute_line[] = {
    {.name = "CCS_RSVD_INTR_ENABLE",
     .offset = 0x190048,
     .writable = 0xffffffff,
     .summary = "Compute interrupts (31:16) that may become pending.",
     .spec = "Linux, i915_reg"},
    {.name = "CCS0_CCS1_INTR_MASK",
     .offset = 0x190100,
     .writable = 0xffffffff,
     .reset = 0xffffffff,
     .summary = "Interrupts of compute 0 (31:16) and 1 (15:0) kept back.",
     .spec = "Linux, i915_reg"},
};
static const struct register_block compute_line_registers = REGISTER_BLOCK("interrupt", compute_line);

#define GT_BLOCKS(fuses, ...)                                                                                \
    {                                                                                                        \
        &reset_registers, &gen12_fault_registers, &gen12_invalidation_registers, &gen9_force_wake_registers, \
            &gen11_force_wake_registers, &fence_registers, &rc6_registers, &gen8_rc6_registers,              \
            &frequency_registers, &busyness_registers, &gen9_frequency_registers,                            \
            &gen75_display_power_registers, &gen9_display_power_registers, &gen11_display_clock_registers,   \
            &gen9_display_setup_registers, &gen11_display_setup_registers, &gen8_setup_registers,            \
            &gen11_setup_registers, &gen12_setup_registers, &gen12_tiled_range_registers,                    \
            &gen12_own_setup_registers, &gen12_auxiliary_registers, &gen12_caching_registers,                \
            &gen9_guc_registers, &gen8_global_render_registers, &gen11_global_render_registers, &(fuses),    \
            __VA_ARGS__                                                                                      \
    }
static const struct register_block *const tgl_blocks[] = GT_BLOCKS(tgl_fuse_registers, NULL),
                                          *const tgl_ccs_blocks[] =
                                              GT_BLOCKS(tgl_fuse_registers, &compute_line_registers, NULL),
                                          *const rkl_blocks[] = GT_BLOCKS(rkl_fuse_registers, NULL);
#define GT                                                                                                   \
    .frequency = &gen9_frequency_format, .power_line = GEN11_POWER_LINE,                                     \
    .wake_requests = gen11_wake_requests, .fences = 32, .power_contexts = true
/* The topology that the fuses report. Software counts dual subslices. */
#define TOPOLOGY(there)                                                                                      \
    {                                                                                                        \
        .most_slices = 1, .most_subslices = 6, .most_units = 16, .slices = 1, .subslices = (there),          \
        .units = 0xffff, .threads = 7                                                                        \
    }
static const struct topology tgl_topology = TOPOLOGY(0x3f), rkl_topology = TOPOLOGY(0x03);
static const struct gt_info tgl_gt = {.blocks = tgl_blocks, .topology = &tgl_topology, GT},
                            tgl_ccs_gt = {.blocks = tgl_ccs_blocks, .topology = &tgl_topology, GT},
                            rkl_gt = {.blocks = rkl_blocks, .topology = &rkl_topology, GT};

/* Tiger Lake, Alder Lake-S, -P and -N, and Raptor Lake. */
static const uint16_t tgl_ids[] = {
    0x9a49, 0x9a40, 0x9a59, 0x9a60, 0x9a68, 0x9a70, 0x9a78, 0x9ac0, 0x9ac9, 0x9ad9, 0x9af8, 0x4680, 0x4682,
    0x4688, 0x468a, 0x468b, 0x4690, 0x4692, 0x4693, 0x46a0, 0x46a1, 0x46a2, 0x46a3, 0x46a6, 0x46a8, 0x46aa,
    0x462a, 0x4626, 0x4628, 0x46b0, 0x46b1, 0x46b2, 0x46b3, 0x46c0, 0x46c1, 0x46c2, 0x46c3, 0x46d0, 0x46d1,
    0x46d2, 0x46d3, 0x46d4, 0xa720, 0xa721, 0xa780, 0xa781, 0xa782, 0xa783, 0xa788, 0xa789, 0xa78a, 0xa78b,
    0xa7a0, 0xa7a1, 0xa7a8, 0xa7a9, 0xa7aa, 0xa7ab, 0xa7ac, 0xa7ad, 0};
static const uint16_t rkl_ids[] = {0x4c8a, 0x4c80, 0x4c8b, 0x4c8c, 0x4c90, 0x4c9a, 0};

static const uint16_t dg1_ids[] = {0x4905, 0x4906, 0x4907, 0x4908, 0x4909, 0};

enum { GGTT_BYTES = 8 << 20 };

/* Only write-back is coherent. (Linux, xe_pat) */
static const struct xe_info gen12_xe = {.pats = 0xf, .coherent_pats = 1, .timestamp_bits = 36};

#define GEN12_SHEET(number, text, bits)                                                                      \
    .info.generation = (text), .info.mmio_bytes = 8u << 20, .info.ggtt_bytes = GGTT_BYTES,                   \
    .generation = (number), .pci = &gen9_pci, .display = &gen9_display, .oa = &gen12_oa_info,                \
    .eu = &eu_gen12, .costs = &gen12_costs, .interrupt = &gen11_interrupts, .xe = &gen12_xe,                 \
    .memory = {.format = &gen8_page_tables,                                                                  \
               .ggtt_bytes = GGTT_BYTES,                                                                     \
               .physical_bits = (bits),                                                                      \
               .address_bits = 48,                                                                           \
               .aperture_updated_by_ggtt_write = true}

const struct sheet tgl_sheet = {PRODUCT("tgl", "Tiger Lake GT2 (Gen12)", 0x9a49, 1, tgl_ids, tgl),
                                GEN12_SHEET(GEN12, "gen12", 39)};

/* Programs that drive simulators expect the compute engine, which no product uses. (aubstream, gen12lp) */
static const uint16_t no_ids[] = {0};
const struct sheet tgl_ccs_sheet = {
    PRODUCT("tgl-ccs", "No product: Tiger Lake with the compute engine that simulators have", 0, 1, no_ids,
            tgl_ccs),
    GEN12_SHEET(GEN12, "gen12", 39)};

const struct sheet rkl_sheet = {
    PRODUCT("rkl", "Rocket Lake (Gen12), one video engine", 0x4c8a, 4, rkl_ids, rkl),
    GEN12_SHEET(GEN12, "gen12", 39)};

const struct sheet dg1_sheet = {PRODUCT("dg1", "DG1 (Gen12)", 0x4905, 0, dg1_ids, tgl),
                                GEN12_SHEET(GEN12, "gen12", 39)};
