/* Declarations that the data sheets from Gen8 on share. */
#ifndef GEN_GEN9_H
#define GEN_GEN9_H

#include "gen/sheet.h"

extern const struct image_row gen8_render_context[], gen8_copy_context[], gen8_video_context[];
extern const struct image_row gen9_render_context[], gen9_copy_context[], gen9_video_context[],
    gen11_render_context[], gen11_copy_context[], gen11_video_context[];
extern const struct image_row gen12_render_context[], gen12_copy_context[], gen12_video_context[],
    gen12_compute_context[];
extern const struct image_row gen125_render_context[], gen125_compute_context[], gen125_copy_context[],
    gen125_video_context[];
extern const struct image_row gen9_video_power_context[], gen9_copy_power_context[],
    gen9_enhance_power_context[];
extern const struct register_range gen9_ranges[], gen125_ranges[];
extern const struct function_id gen9_function_ids[FUNCTION_IDS];

/* The PCI function, from Gen9 on. */
extern const struct depth_alignments gen12_depth_alignments;
extern const struct pci_info gen9_pci;
extern const struct display_info gen8_display, gen9_display;

/* Facts about messages of threads and about surface state. */
#define GEN9_SURFACES .shader_channel_select = true, .surface_y_offset_rows = 4
#define GEN9_MESSAGES .messages = {GEN9_SURFACES, .ccs_is_surface = true, .binding_table_units = true}
#define GEN11_MESSAGES                                                                                       \
    .messages = {GEN9_SURFACES, .ccs_is_surface = true, .binding_table_units = true, .target_index_shift = 12}
#define GEN12_MESSAGES .messages = {GEN9_SURFACES, .binding_table_units = true, .target_index_shift = 12}

#endif
