/* Commands that set the state of the 3D, media and compute pipelines, and those that start media and compute
 * threads. */
#ifndef STATE_COMMANDS_STATE_COMMANDS_H
#define STATE_COMMANDS_STATE_COMMANDS_H

#include "structures/structures.h"

#define STATE_COMMAND_TABLES(TABLE)                                                                          \
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
    TABLE(media_state_commands)
/* Commands of which the manual says only the opcode; they come last. */
#define OPCODE_ONLY_TABLES(TABLE) TABLE(opcode_only_commands)

#define DECLARE_TABLE(name) extern const struct command_table name;
STATE_COMMAND_TABLES(DECLARE_TABLE)
OPCODE_ONLY_TABLES(DECLARE_TABLE)
#undef DECLARE_TABLE

#endif
