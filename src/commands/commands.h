/* The tables of commands, one a file, and of structures in memory that commands point to. */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include "mi/mi.h"
#include "state_commands/state_commands.h"

#define COMMAND_TABLES(TABLE)                                                                                \
    MI_TABLES(TABLE)                                                                                         \
    TABLE(draw_commands)                                                                                     \
    STATE_COMMAND_TABLES(TABLE)                                                                              \
    TABLE(video_mfx_commands)                                                                                \
    TABLE(video_hcp_commands)                                                                                \
    TABLE(enhance_commands)                                                                                  \
    TABLE(gsc_commands)                                                                                      \
    TABLE(blit_commands)                                                                                     \
    TABLE(blit_block_commands)                                                                               \
    OPCODE_ONLY_TABLES(TABLE)

#define DECLARE_TABLE(name) extern const struct command_table name;
COMMAND_TABLES(DECLARE_TABLE)
#undef DECLARE_TABLE

/* All of them, of all generations; each ends with NULL. */
extern const struct command_table *const command_tables[], *const structure_tables[];

/* Whether the command is a draw. */
bool command_draws(const struct command *c);

#endif
