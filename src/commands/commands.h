/* The tables of the commands that the streamers themselves execute; tables.h has the others. */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include "stream/command.h"

extern const struct command_table mi_flow_commands, mi_math_commands, mi_memory_commands,
    mi_predicate_commands, mi_register_commands, mi_report_commands, mi_sync_commands, flush_commands,
    mi_gen6_commands;
/* All command rows of all generations; ends with NULL. */
extern const struct command_table *const command_tables[];

#endif
