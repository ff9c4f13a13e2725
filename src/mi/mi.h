/* The memory interface's commands, flushes among them: rows, and what each does. */
#ifndef MI_MI_H
#define MI_MI_H

#include "stream/command.h"

/* By the manuals' chapters. */
#define MI_TABLES(TABLE)                                                                                     \
    TABLE(mi_flow_commands)                                                                                  \
    TABLE(mi_register_commands)                                                                              \
    TABLE(mi_memory_commands)                                                                                \
    TABLE(mi_math_commands)                                                                                  \
    TABLE(mi_predicate_commands)                                                                             \
    TABLE(mi_sync_commands)                                                                                  \
    TABLE(mi_report_commands)                                                                                \
    TABLE(mi_gen6_commands)                                                                                  \
    TABLE(flush_commands)                                                                                    \
    TABLE(mi_display_commands)

#define DECLARE_TABLE(name) extern const struct command_table name;
MI_TABLES(DECLARE_TABLE)
#undef DECLARE_TABLE

/* The function of a command that has no effect here. */
enum outcome mi_no_effect(struct execution *x);

#endif
