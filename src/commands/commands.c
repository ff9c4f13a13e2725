#include "commands/commands.h"

#define TABLE(name) &name,
const struct command_table *const command_tables[] = {COMMAND_TABLES(TABLE) NULL};
const struct command_table *const structure_tables[] = {STRUCTURE_TABLES(TABLE) NULL};
