/* All command rows. */
#include "commands/commands.h"
#include "commands/tables.h"

const struct command_table *const command_tables[] = {
    &mi_flow_commands,   &mi_register_commands,  &mi_memory_commands,
    &mi_math_commands,   &mi_predicate_commands, &mi_sync_commands,
    &mi_report_commands, &flush_commands,        NULL,
};
