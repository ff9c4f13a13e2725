/* Tables of commands by chapter, beside those of MI commands and blits (commands.h). */
#ifndef COMMANDS_TABLES_H
#define COMMANDS_TABLES_H

#include "stream/command.h"

extern const struct command_table display_commands, draw_commands, state_common_commands,
    state_3d_vertex_commands, state_3d_tessellation_commands, state_3d_geometry_commands,
    state_3d_clip_commands, state_3d_raster_commands, state_3d_attributes_commands, state_3d_pixel_commands,
    state_3d_depth_commands, state_3d_resources_commands, media_state_commands, video_mfx_commands,
    video_hcp_commands, enhance_commands, blit_commands, listed_commands;

/* Structures that commands point to (stream/structure.h). */
extern const struct command_table structure_surface_table, structure_sampler_table, structure_pipeline_table,
    structure_vertex_table;
/* All of them; ends with NULL. */
extern const struct command_table *const structure_tables[];

#endif
