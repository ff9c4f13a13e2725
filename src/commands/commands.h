/* The tables of commands, one a file, and of structures in memory that commands point to. */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include "stream/command.h"

/* By the manuals' chapters. */
#define COMMAND_TABLES(TABLE)                                                                                \
    TABLE(mi_flow_commands)                                                                                  \
    TABLE(mi_register_commands)                                                                              \
    TABLE(mi_memory_commands)                                                                                \
    TABLE(mi_math_commands)                                                                                  \
    TABLE(mi_predicate_commands)                                                                             \
    TABLE(mi_sync_commands)                                                                                  \
    TABLE(mi_report_commands)                                                                                \
    TABLE(mi_gen6_commands)                                                                                  \
    TABLE(flush_commands)                                                                                    \
    TABLE(mi_display_commands)                                                                               \
    TABLE(draw_commands)                                                                                     \
    TABLE(state_common_commands)                                                                             \
    TABLE(state_3d_vertex_commands)                                                                          \
    TABLE(state_3d_tessellation_commands)                                                                    \
    TABLE(state_3d_geometry_commands)                                                                        \
    TABLE(state_3d_clip_commands)                                                                            \
    TABLE(state_3d_raster_commands)                                                                          \
    TABLE(state_3d_attributes_commands)                                                                      \
    TABLE(state_3d_pixel_commands)                                                                           \
    TABLE(state_3d_depth_commands)                                                                           \
    TABLE(state_3d_resources_commands)                                                                       \
    TABLE(media_state_commands)                                                                              \
    TABLE(video_mfx_commands)                                                                                \
    TABLE(video_hcp_commands)                                                                                \
    TABLE(enhance_commands)                                                                                  \
    TABLE(blit_commands)                                                                                     \
    TABLE(blit_block_commands)                                                                               \
    TABLE(opcode_only_commands)

/* stream/structure.h */
#define STRUCTURE_TABLES(TABLE)                                                                              \
    TABLE(structure_surface_table)                                                                           \
    TABLE(structure_sampler_table)                                                                           \
    TABLE(structure_pipeline_table)                                                                          \
    TABLE(structure_vertex_table)                                                                            \
    TABLE(structure_report_table)

#define DECLARE_TABLE(name) extern const struct command_table name;
COMMAND_TABLES(DECLARE_TABLE)
STRUCTURE_TABLES(DECLARE_TABLE)
#undef DECLARE_TABLE

/* All of them, of all generations; each ends with NULL. */
extern const struct command_table *const command_tables[], *const structure_tables[];

/* The function of a command that has no effect here. */
enum outcome nothing_to_do(struct execution *x);

/* Whether the command is a draw. */
bool command_draws(const struct command *c);

/* SURFACE_FORMAT, of structures and of vertex elements. */
extern const struct field_value surface_formats[];
/* Topologies of primitives, of draws and of the stages that make some. */
extern const struct field_value topologies[];

#endif
