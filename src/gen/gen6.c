/* Gen6: Sandy Bridge. Three engines with legacy rings, no execlists. (REN, VCS) */
#include "geometry/draw.h"
#include "gen/image_rows.h"
#include "gen/sheet.h"

static const struct register_block *const render_blocks[] = {&ring_registers,       &gen6_ring_registers,
                                                             &pipeline_registers,   &gen6_render_registers,
                                                             &gen6_fault_registers, NULL};
static const struct register_block *const copy_blocks[] = {&ring_registers, &gen6_ring_registers,
                                                           &gen6_copy_registers, NULL};
static const struct register_block *const video_blocks[] = {
    &ring_registers, &gen6_ring_registers, &gen6_any_video_registers, &gen6_video_registers, NULL};

/* The render context. The manual has no layout. Ours has lists of registers from LRCA on, then the pipeline
 * state. */
/* clang-format off */
static const struct image_row render_context[] = {
    END_OF_RING_CONTEXT, NOOP(1),
    LIST(IMAGE_POSTED),
    REGISTERS(2, 0x220 /* PP_DCLV */), REGISTER(0x228 /* PP_DIR_BASE */), REGISTER(EXCC),
    REGISTER(INSTPM), REGISTERS(2, 0x120 /* CACHE_MODE */), REGISTER(0x128 /* FBC_RT_BASE_ADDR_REGISTER */),
    REGISTERS(4, 0x280 /* SO */), REGISTERS(18, 0x310 /* statistics */), REGISTERS(7, MI_PREDICATE_SRC0),
    REGISTER(0x420 /* 3DPRIM */), REGISTERS(5, 0x430 /* 3DPRIM */),
    LIST(IMAGE_POSTED),
    REGISTERS(32, 0x540 /* PROBE_SLOT_VALID */),
    BATCH_END,
    PIPELINE_STATE(63 * 16 /* as CXT_SIZE says */),
    END_OF_IMAGE,
};
/* The video context, our own layout too: the ring's registers, the engine's registers, then the codec's state. */
static const struct image_row video_context[] = {
    NOOP(1),
    LIST(IMAGE_POSTED),
    REGISTER(0x114 /* CTXT_SR_CTL */), REGISTER(RING_BUFFER_HEAD), OF_SOFTWARE(1, RING_BUFFER_TAIL),
    REGISTER(RING_BUFFER_START), REGISTER(RING_BUFFER_CTL), REGISTER(BB_ADDR), REGISTER(BB_STATE),
    OF_SOFTWARE(2, PP_DCLV), REGISTER(0x228 /* PP_DIR_BASE */),
    NOOP(10), END_OF_RING_CONTEXT,
    NOOP(1),
    LIST(IMAGE_POSTED),
    REGISTER(EXCC), REGISTER(INSTPM), REGISTERS(3, 0x40c /* MFC counts */),
    BATCH_END,
    PIPELINE_STATE(5120 - 64 /* up to the status page, at 20 KB */),
    END_OF_IMAGE,
};
/* clang-format on */

#define GEN6_ENGINE                                                                                          \
    .hws_pga = 0x2080, .gfx_mode_register = GEN6_GFX_MODE, .faults.note = gen6_note_fault,                   \
    .page_directory = gen6_page_directory, .batches = gen6_batch_registers,                                  \
    .hwstam_isr_bits = INTERRUPT_SYNC_STATUS | INTERRUPT_MASTER_ERROR | INTERRUPT_PAGE_FAULT,                \
    .timestamp_hz = 12500000, .watchdog.clock_hz = 1000000000, .watchdog.clocks_only = true,                 \
    .privileges.ggtt_falls_back = true, .privileges.instpm_disables = true, .flush = &gen6_flush

#define STATUS_PAGE(base)                                                                                    \
    (const struct engine_unit[])                                                                             \
    {                                                                                                        \
        {&gen6_status_page_registers, (base) + 0x2080},                                                      \
        {                                                                                                    \
            NULL, 0                                                                                          \
        }                                                                                                    \
    }

static const struct depth_alignments depth_alignments = {
    .depth = {4, 4}, .depth_16bit = {4, 4}, .stencil = {8, 8}};

static const struct engine_info engines[] = {
    {.name = "rcs0",
     .class = CLASS_RENDER,
     .mmio_base = 0x02000,
     .blocks = render_blocks,
     .units = STATUS_PAGE(0x02000),
     .interrupt.shift = 0,
     .faults.id = 0,
     .reset_bits = 1u << 1,
     .contexts.image = render_context,
     .draws.state_locations = gen6_state_locations,
     .draws.vertex_dispatch = VERTEX_DISPATCH_SIMD4X2,
     .draws.clip_distance_in_clip_state = true,
     .draws.rt_writes_unconditional = true,
     .draws.push_constants_unconditional = true,
     .draws.constant_length_in_buffer = true,
     .draws.urb_entry_size_128b = true,
     .draws.clip_viewport_separate = true,
     .draws.depth_may_be_linear = true,
     .draws.depth_writes_unconditional = true,
     .draws.stencil_interleaved = true,
     .draws.stencil_has_one_level = true,
     .draws.depth_alignments = &depth_alignments,
     .draws.stencil_reference_in_color_calc = true,
     .draws.multisample_modes_in_wm = true,
     .messages = {.gen6_sampler_messages = true,
                  .has_simd4x2 = true,
                  .samples_are_interleaved = true,
                  .depth_makes_array = true,
                  .gfx4_volume_layout = true,
                  .alignment_in_pixels = true,
                  .lod_is_u4_6 = true,
                  .lod_preclamp_is_one_bit = true,
                  .border_color_unorm8_first = true,
                  .binding_table_units = true,
                  .surface_y_offset_rows = 2,
                  .array_spacing_rows = 11},
     .constant_buffer_address_offset_disable = {{INSTPM, 1u << 6}},
     .contexts.pphwsp_offset = 28 << 10,
     .contexts.probe_list_offset = 24 << 10,
     GEN6_ENGINE},
    {.name = "bcs0",
     .class = CLASS_COPY,
     .mmio_base = 0x22000,
     .blocks = copy_blocks,
     .units = STATUS_PAGE(0x22000),
     .interrupt.shift = 22,
     .faults.id = 2,
     .reset_bits = 1u << 3,
     GEN6_ENGINE},
    {.name = "vcs0",
     .class = CLASS_VIDEO,
     .mmio_base = 0x12000,
     .blocks = video_blocks,
     .units = STATUS_PAGE(0x12000),
     .interrupt.shift = 12,
     .faults.id = 1,
     .reset_bits = 1u << 2,
     .contexts.image = video_context,
     .contexts.pphwsp_offset = 20 << 10,
     .status.entries = 12,
     .status.first_dw = 0x10,
     .status.pointer_dw = 0x1f,
     .watchdog.counter_is_control = true,
     .contexts.legacy = &gen6_video_contexts,
     .encodes = true,
     GEN6_ENGINE},
};

static const struct register_block *const gt_blocks[] = {&reset_registers,
                                                         &gen6_force_wake_registers,
                                                         &gen6_fence_registers,
                                                         &rc6_registers,
                                                         &frequency_registers,
                                                         &busyness_registers,
                                                         &gen6_frequency_registers,
                                                         &gen6_setup_registers,
                                                         NULL};
static const struct gt_info gt = {.blocks = gt_blocks,
                                  .frequency = &gen6_frequency_format,
                                  .power_line.bank = 1,
                                  .wake_requests = gen6_wake_requests,
                                  .fences = 16,
                                  .swizzle_bit = 1u << 4,
                                  .gen6_fences = true};

static const struct register_block *const display_blocks[] = {&display_registers, NULL};
static const struct display_info display = {.blocks = display_blocks};
/* Display units of two mobile parts. */
static const struct register_block *const cl_display_blocks[] = {&display_registers, &fbc_registers, NULL};
static const struct display_info cl_display = {.blocks = cl_display_blocks, .compresses = true};
static const struct register_block *const ctg_display_blocks[] = {&display_registers, &flip_queue_registers,
                                                                  NULL};
static const struct display_info ctg_display = {.blocks = ctg_display_blocks, .limits_flips = true};

const struct pci_info gen6_pci = {
    .gmadr_bytes = 256u << 20,
    .class_code = PCI_VGA,
    .io_bytes = 64,
    .gmch_control = 2u << 8, /* 2 MB of entries, no stolen memory */
    .capabilities = {{PCI_MSI, 0x90}, {PCI_POWER_MANAGEMENT, 0xd0}, {PCI_ADVANCED_FEATURES, 0xa4}},
};

static const uint16_t snb_ids[] = {0x0102, 0x0106, 0x010a, 0x0112, 0x0116, 0x0122, 0x0126, 0};

enum { GGTT_BYTES = 2 << 20 };

#define GEN6_SHEET                                                                                           \
    .generation = GEN6, .pci = &gen6_pci, .interrupt = &gen6_interrupts, .engines = engines, .gt = &gt,      \
    .oa = &gen6_oa_info, .eu = &eu_gen6, .costs = &gen6_costs,                                               \
    .memory = {                                                                                              \
        .format = &gen6_page_tables, .ggtt_bytes = GGTT_BYTES, .physical_bits = 40, .address_bits = 32}
#define GEN6_INFO                                                                                            \
    .generation = "gen6", .engine_count = ENGINE_COUNT(engines), .mmio_bytes = 2u << 20,                     \
    .ggtt_bytes = GGTT_BYTES

const struct sheet snb_sheet = {
    .info = {.name = "snb",
             .summary = "Sandy Bridge (Gen6), legacy rings",
             .pci_device_id = 0x0102,
             .pci_revision = 9,
             GEN6_INFO},
    .pci_device_ids = snb_ids,
    .display = &display,
    .stores_registers = true,
    GEN6_SHEET,
};

/* Registers of DevCL and DevCTG in the render manual, on the command streamers of Gen6. They are not products
 * and have no PCI ids. */
static const uint16_t no_ids[] = {0};

const struct sheet cl_sheet = {
    .info = {.name = "cl", .summary = "No product: Gen6 with Crestline's buffer compression", GEN6_INFO},
    .pci_device_ids = no_ids,
    .display = &cl_display,
    GEN6_SHEET,
};

const struct sheet ctg_sheet = {
    .info = {.name = "ctg", .summary = "No product: Gen6 with Cantiga's flip queue", GEN6_INFO},
    .pci_device_ids = no_ids,
    .display = &ctg_display,
    GEN6_SHEET,
};
