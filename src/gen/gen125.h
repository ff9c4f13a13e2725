/* Declarations that the files of Gen12.5 share. */
#ifndef GEN_GEN125_H
#define GEN_GEN125_H

#include "gen/gen11.h"

/* Register blocks of a streamer, and those of its engine, by class. */
#define GEN125_RING_BLOCKS                                                                                   \
    &ring_registers, &gen8_ring_registers, &gen12_ring_registers, &gen125_ring_registers,                    \
        &gen11_submission_registers, &gen125_streamer_steering_registers
#define GEN125_RENDER_BLOCKS(ring)                                                                           \
    {                                                                                                        \
        ring, &pipeline_registers, &gen8_render_registers, &gen11_render_registers,                          \
            &gen125_render_registers, &gen12_render_context_counters, NULL                                   \
    }
#define GEN125_COMPUTE_BLOCKS(ring)                                                                          \
    {                                                                                                        \
        ring, &gen125_compute_registers, &gen125_compute_context_counters, NULL                              \
    }
#define GEN125_COPY_BLOCKS(ring)                                                                             \
    {                                                                                                        \
        ring, &gen8_copy_registers, &gen12_copy_registers, NULL                                              \
    }

#define GEN125_MESSAGES                                                                                      \
    .messages = {GEN9_SURFACES, .scratch_by_surface = true, .r0_thread_index = true,                         \
                 .target_index_shift = 12, .binding_table_pool_always = true}

#define GEN125_ENGINE                                                                                        \
    GEN11_STREAMER, .contexts.has_memirq = true, .status.entry = gen125_status_entry,                        \
                    .faults.note = gen125_note_fault, .batches = gen12_batch_registers,                      \
                    .timestamp_hz = 19200000

/* What GuCs of all GTs have; `table` is their hardware configuration. */
extern const struct register_block *const gen125_guc_blocks[];
#define GEN125_ANY_GUC(table)                                                                                \
    .blocks = gen125_guc_blocks, .reset_bits = 1u << 3, .wopcm_bytes = 4u << 20, .timestamp_hz = 19200000,   \
    .config = (table), .config_dw = sizeof(table) / sizeof((table)[0]),                                      \
    .class_of = {[CLASS_RENDER] = 0, [CLASS_VIDEO] = 1,   [CLASS_ENHANCE] = 2,                               \
                 [CLASS_COPY] = 3,   [CLASS_COMPUTE] = 4, [CLASS_OTHER] = 5}
/* The one of the graphics GT, with doorbells in pages. */
#define GEN125_GRAPHICS_GUC(table)                                                                           \
    GEN125_ANY_GUC(table), .function_registers = &guc_function_registers, .mailbox = GUC_MAILBOX,            \
                           .host_interrupt = GUC_HOST_INTERRUPT, .has_doorbell_pages = true,                 \
                           .interrupt.bit = 25, .vf_unit_name = vf_name
#define GEN125_GUC(table)                                                                                    \
    {                                                                                                        \
        GEN125_GRAPHICS_GUC(table), .vf_interface_minor = 1, .runtime_registers = gen125_runtime_registers   \
    }
extern const uint32_t gen125_runtime_registers[];

/* Facts about draws that Gen20 shares. */
#define GEN125_DRAWS                                                                                         \
    .draws.stencil_buffer_has_size = true, .draws.stencil_tiled_as_depth = true,                             \
    .draws.depth_alignments = &gen12_depth_alignments, .draws.depth_tile_4 = true,                           \
    .draws.coarse_pixel_sizes = &gen125_coarse_pixel_sizes

extern const struct coarse_pixel_sizes gen125_coarse_pixel_sizes;
extern const struct guc_info gen125_g10_guc, gen125_g11_guc, gen125_g12_guc;

#endif
