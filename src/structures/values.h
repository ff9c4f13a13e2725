/* Names of values that fields of several commands or structures share. */
#ifndef STRUCTURES_VALUES_H
#define STRUCTURES_VALUES_H

#include "base/field.h"

extern const struct field_value values_attribute_constant_source[], values_attribute_swizzle_select[],
    values_backface_fill_mode[], values_backface_stencil_pass_depth_pass_op[],
    values_coarse_pixel_shading_mode[], values_cull_mode[], values_denorm_mode[],
    values_destination_blend_factor[], values_fdw_operations[], values_floating_point_mode[],
    values_half_slice_destination_select[], values_l1_cache_control[],
    values_line_antialiasing_region_width[], values_message_simd[], values_mip_map_layout_mode[],
    values_multisample_rasterization_mode[], values_number_of_barriers[],
    values_point_sprite_texture_coordinate_origin[], values_rounding_mode[], values_scale_axis[],
    values_sampler_count[], values_sampler_count_2[], values_shadow_function[],
    values_shared_local_memory_size[], values_surface_format[], values_thread_group_dispatch_size[],
    values_thread_priority[], values_thread_priority_2[], values_tiled_mode[],
    values_thread_dispatch_priority[], values_dmask[], values_message_simt[],
    values_preferred_slm_allocation_size[], values_shared_local_memory_size_2[],
    values_unified_compression_format[];

/* Topologies of primitives, of draws and of the stages that make some; Gen6 has no patches. */
extern const struct field_value topologies[], topologies_gen6[];

#endif
