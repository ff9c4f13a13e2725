/* Gen11: Ice Lake, Elkhart Lake and Lakefield. (CSP-01, CSP-17 to CSP-19, CSP-23) */
#include "gen/gen11.h"

static const struct register_block *const render_blocks[] = {&ring_registers,
                                                             &gen8_ring_registers,
                                                             &gen11_submission_registers,
                                                             &pipeline_registers,
                                                             &gen8_render_registers,
                                                             &gen11_render_registers,
                                                             NULL};
static const struct register_block *const copy_blocks[] = {
    &ring_registers, &gen8_ring_registers, &gen11_submission_registers, &gen8_copy_registers, NULL};
static const struct register_block *const video_blocks[] = {&ring_registers, &gen8_ring_registers,
                                                            &gen11_submission_registers, NULL};

#define GEN11_ENGINE                                                                                         \
    GEN11_STREAMER, .status.entry = gen8_status_entry, .faults.note = gen8_note_fault,                       \
                    .batches = gen8_batch_registers, .timestamp_hz = 12000000

static const struct engine_unit rcs_units[] = {{&pocs_registers, 0x18000}, {NULL, 0}};
static const struct engine_unit vcs_units[8][5] = {{GEN11_VCS_UNITS(0), {&compression_registers, 0x15000}},
                                                   {GEN11_VCS_UNITS(1), {&compression_registers, 0x1a000}},
                                                   {GEN11_VCS_UNITS(2)},
                                                   {GEN11_VCS_UNITS(3)},
                                                   {GEN11_VCS_UNITS(4)},
                                                   {GEN11_VCS_UNITS(5)},
                                                   {GEN11_VCS_UNITS(6)},
                                                   {GEN11_VCS_UNITS(7)}};
static const struct engine_unit vecs_units[] = {{&compression_registers, 0x1b000}, {NULL, 0}};

/* Registers that Linux opens to unprivileged batches. (Linux, intel_workarounds) */
static const uint32_t opened[] = {0xe194, 0xe18c, 0x731c, 0x10002349, 0};
#define RCS0                                                                                                 \
    {                                                                                                        \
        GEN11_RCS0, GEN11_RCS0_LINE, .units = rcs_units, .contexts.image = gen11_render_context,             \
                                     .privileges.default_whitelist = opened,                                 \
                                     .draws.has_3d_object_preemption = true, GEN11_MESSAGES, GEN11_ENGINE    \
    }
#define BCS0                                                                                                 \
    {                                                                                                        \
        GEN11_BCS0, GEN11_BCS0_LINE, .contexts.image = gen11_copy_context, GEN11_ENGINE                      \
    }
#define VCS(n)                                                                                               \
    {                                                                                                        \
        GEN11_VCS(n), GEN11_VCS_LINE(n), .units = vcs_units[n], .contexts.image = gen11_video_context,       \
                                         GEN11_ENGINE                                                        \
    }
#define VECS(n)                                                                                              \
    {                                                                                                        \
        GEN11_VECS(n), GEN11_VECS_LINE(n), .units = (n) == 0 ? vecs_units : NULL,                            \
                                           .contexts.image = gen11_video_context, GEN11_ENGINE               \
    }

static const struct engine_info icl_engines[] = {RCS0, BCS0, VCS(0), VCS(2), VECS(0)};
static const struct engine_info ehl_engines[] = {RCS0, BCS0, VCS(0), VECS(0)};
/* All engines of CSP-01. */
static const struct engine_info lkf_engines[] = {RCS0,   BCS0,   VCS(0), VCS(1),  VCS(2),  VCS(3),  VCS(4),
                                                 VCS(5), VCS(6), VCS(7), VECS(0), VECS(1), VECS(2), VECS(3)};

/* Fuses: the units that the part has. The crystal runs at 24 MHz. */
#define FUSES(subslices_off, media_off)                                                                      \
    {                                                                                                        \
        {.name = "MIRROR_FUSE3",                                                                             \
         .offset = 0x9118,                                                                                   \
         .summary = "L3 banks not there.",                                                                   \
         .spec = "ICL PRM vol 2c"},                                                                          \
            {.name = "EU_DISABLE",                                                                           \
             .offset = 0x9134,                                                                               \
             .summary = "Execution units not there.",                                                        \
             .spec = "ICL PRM vol 2c"},                                                                      \
            {.name = "GT_SLICE_ENABLE",                                                                      \
             .offset = 0x9138,                                                                               \
             .reset = 1,                                                                                     \
             .summary = "Slices there.",                                                                     \
             .spec = "ICL PRM vol 2c"},                                                                      \
            {.name = "GT_SUBSLICE_DISABLE",                                                                  \
             .offset = 0x913c,                                                                               \
             .reset = (subslices_off),                                                                       \
             .summary = "Subslices not there.",                                                              \
             .spec = "ICL PRM vol 2c"},                                                                      \
            {.name = "GT_VEBOX_VDBOX_DISABLE",                                                               \
             .offset = 0x9140,                                                                               \
             .reset = (media_off),                                                                           \
             .summary = "Video engines (7:0) and enhancement engines (19:16) not there.",                    \
             .spec = "ICL PRM vol 2c"},                                                                      \
            GEN11_NO_PIPES("ICL PRM vol 2c"), GEN11_CRYSTAL(2u << 1, "ICL PRM vol 2c"),                      \
    }

static const struct reg icl_fuses[] = FUSES(0x00, 0x000e00fa), ehl_fuses[] = FUSES(0xf0, 0x000e00fe),
                        lkf_fuses[] = FUSES(0x00, 0x00000000);
static const struct register_block icl_fuse_registers = REGISTER_BLOCK("fuses", icl_fuses),
                                   ehl_fuse_registers = REGISTER_BLOCK("fuses", ehl_fuses),
                                   lkf_fuse_registers = REGISTER_BLOCK("fuses", lkf_fuses);

#define GT_BLOCKS(fuses)                                                                                     \
    {                                                                                                        \
        &reset_registers, &gen8_fault_registers, &gen8_invalidation_registers, &gen9_force_wake_registers,   \
            &gen11_force_wake_registers, &fence_registers, &rc6_registers, &gen8_rc6_registers,              \
            &frequency_registers, &busyness_registers, &gen9_frequency_registers,                            \
            &gen75_display_power_registers, &gen9_display_power_registers, &gen11_display_clock_registers,   \
            &gen9_display_setup_registers, &gen11_display_setup_registers, &gen8_setup_registers,            \
            &gen8_memory_registers, &gen11_setup_registers, &gen9_caching_registers,                         \
            &gen11_caching_registers, &gen9_guc_registers, &gen8_global_render_registers,                    \
            &gen11_global_render_registers, &(fuses), NULL                                                   \
    }
static const struct register_block *const icl_blocks[] = GT_BLOCKS(icl_fuse_registers),
                                          *const ehl_blocks[] = GT_BLOCKS(ehl_fuse_registers),
                                          *const lkf_blocks[] = GT_BLOCKS(lkf_fuse_registers);
#define GT                                                                                                   \
    .frequency = &gen9_frequency_format, .power_line = GEN11_POWER_LINE,                                     \
    .wake_requests = gen11_wake_requests, .fences = 32, .power_contexts = true
/* The topology that the fuses report. */
#define TOPOLOGY(there)                                                                                      \
    {                                                                                                        \
        .most_slices = 1, .most_subslices = 8, .most_units = 8, .slices = 1, .subslices = (there),           \
        .units = 0xff, .threads = 7                                                                          \
    }
static const struct topology icl_topology = TOPOLOGY(0xff), ehl_topology = TOPOLOGY(0x0f);
static const struct gt_info icl_gt = {.blocks = icl_blocks, .topology = &icl_topology, GT},
                            ehl_gt = {.blocks = ehl_blocks, .topology = &ehl_topology, GT},
                            lkf_gt = {.blocks = lkf_blocks, .topology = &icl_topology, GT};

static const uint16_t icl_ids[] = {0x8a52, 0x8a50, 0x8a51, 0x8a53, 0x8a54, 0x8a56, 0x8a57, 0x8a58,
                                   0x8a59, 0x8a5a, 0x8a5b, 0x8a5c, 0x8a5d, 0x8a70, 0x8a71, 0};
static const uint16_t ehl_ids[] = {0x4571, 0x4500, 0x4541, 0x4551, 0x4555, 0x4557, 0x4570, 0};
static const uint16_t jsl_ids[] = {0x4e71, 0x4e51, 0x4e55, 0x4e57, 0x4e61, 0};
static const uint16_t lkf_ids[] = {0x9840, 0};

enum { GGTT_BYTES = 8 << 20 };

#define GEN11_SHEET                                                                                          \
    .info.generation = "gen11", .info.mmio_bytes = 8u << 20, .info.ggtt_bytes = GGTT_BYTES,                  \
    .generation = GEN11, .pci = &gen9_pci, .display = &gen9_display, .oa = &gen11_oa_info, .eu = &eu_gen11,  \
    .costs = &gen8_costs, .interrupt = &gen11_interrupts,                                                    \
    .memory = {.format = &gen8_page_tables,                                                                  \
               .ggtt_bytes = GGTT_BYTES,                                                                     \
               .physical_bits = 39,                                                                          \
               .address_bits = 48,                                                                           \
               .aperture_updated_by_ggtt_write = true}

const struct sheet icl_sheet = {PRODUCT("icl", "Ice Lake GT2 (Gen11)", 0x8a52, 7, icl_ids, icl), GEN11_SHEET};

const struct sheet ehl_sheet = {
    PRODUCT("ehl", "Elkhart Lake (Gen11), one video engine", 0x4571, 1, ehl_ids, ehl), GEN11_SHEET};

const struct sheet jsl_sheet = {
    PRODUCT("jsl", "Jasper Lake (Gen11), one video engine", 0x4e71, 1, jsl_ids, ehl), GEN11_SHEET};

const struct sheet lkf_sheet = {
    PRODUCT("lkf", "Lakefield (Gen11), every engine of its manual", 0x9840, 1, lkf_ids, lkf), GEN11_SHEET};
