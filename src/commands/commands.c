/* All command rows. */
#include "commands/commands.h"
#include "commands/tables.h"

const struct command_table *const command_tables[] = {
    &mi_flow_commands,
    &mi_register_commands,
    &mi_memory_commands,
    &mi_math_commands,
    &mi_predicate_commands,
    &mi_sync_commands,
    &mi_report_commands,
    &mi_gen6_commands,
    &flush_commands,
    &display_commands,
    &draw_commands,
    &state_common_commands,
    &state_3d_vertex_commands,
    &state_3d_tessellation_commands,
    &state_3d_geometry_commands,
    &state_3d_clip_commands,
    &state_3d_raster_commands,
    &state_3d_attributes_commands,
    &state_3d_pixel_commands,
    &state_3d_depth_commands,
    &state_3d_resources_commands,
    &media_state_commands,
    &video_mfx_commands,
    &video_hcp_commands,
    &enhance_commands,
    &blit_commands,
    &listed_commands,
    NULL,
};

const struct command_table *const structure_tables[] = {
    &structure_surface_table,
    &structure_sampler_table,
    &structure_pipeline_table,
    &structure_vertex_table,
    NULL,
};
