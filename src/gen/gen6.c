/* Gen6: Sandy Bridge. Three engines with legacy rings, no execlists. (REN, VCS) */
#include "gen/sheet.h"

static const struct register_block *const render_blocks[] = {
    &ring_registers, &gen6_ring_registers, &pipeline_registers, &gen6_render_registers, NULL};
static const struct register_block *const copy_blocks[] = {&ring_registers, &gen6_ring_registers,
                                                           &gen6_copy_registers, NULL};
static const struct register_block *const video_blocks[] = {&ring_registers, &gen6_ring_registers,
                                                            &gen6_video_registers, NULL};

#define GEN6_ENGINE                                                                                          \
    .hws_pga = 0x2080, .note_fault = gen6_note_fault, .load_page_directory = gen6_load_page_directory,       \
    .isr_shown = INTERRUPT_SYNC_STATUS | INTERRUPT_MASTER_ERROR | INTERRUPT_PAGE_FAULT,                      \
    .timestamp_hz = 12500000, .clock_hz = 1000000000, .clock_watchdog = true

static const struct engine_info engines[] = {
    {.name = "rcs0",
     .class = CLASS_RENDER,
     .mmio_base = 0x02000,
     .blocks = render_blocks,
     .interrupt = {0, 0},
     .fault_id = 0,
     .reset_bits = 1u << 1,
     GEN6_ENGINE},
    {.name = "bcs0",
     .class = CLASS_COPY,
     .mmio_base = 0x22000,
     .blocks = copy_blocks,
     .interrupt = {0, 22},
     .fault_id = 2,
     .reset_bits = 1u << 3,
     GEN6_ENGINE},
    {.name = "vcs0",
     .class = CLASS_VIDEO,
     .mmio_base = 0x12000,
     .blocks = video_blocks,
     .interrupt = {0, 12},
     .fault_id = 1,
     .reset_bits = 1u << 2,
     GEN6_ENGINE},
};

static const struct placed_block global_blocks[] = {{&gen6_gt_registers, 0}, {NULL, 0}};

static const uint16_t snb_ids[] = {0x0102, 0x0106, 0x010a, 0x0112, 0x0116, 0x0122, 0x0126, 0};

const struct sheet snb_sheet = {
    .info = {.name = "snb",
             .summary = "Sandy Bridge (Gen6), legacy rings",
             .pci_device_id = 0x0102,
             .pci_revision = 9,
             .engine_count = 3,
             .mmio_bytes = 2u << 20,
             .ggtt_bytes = 2u << 20},
    .pci_device_ids = snb_ids,
    .generation = GEN6,
    .memory = {.format = &gen6_page_tables, .ggtt_bytes = 2u << 20, .physical_bits = 40, .address_bits = 32},
    .interrupt = &gen6_interrupts,
    .engines = engines,
    .global_blocks = global_blocks,
};
