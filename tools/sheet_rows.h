/* Rows of a data sheet as words: what several subcommands say of a command, a register, a message. */
#ifndef TOOLS_SHEET_ROWS_H
#define TOOLS_SHEET_ROWS_H

#include "device/host.h"

#include <stdio.h>

/* "executed", "kept", "counted" */
const char *command_model_name(const struct command *c);
/* "render copy" */
void command_engine_names(const struct command *c, char *text, size_t size);
/* "[7:0]+2, >=4": the bits of the length, what is added, the least */
void command_length_rule(const struct command *c, char *text, size_t size);
/* "masked", "rw, w1c" */
const char *register_access_name(const struct register_slot *s);
/* "from the GuC", "mailbox, buffer" */
const char *message_way(const struct guc_message *m);

/* Where a field is: "0.12-0.14", dwords and bits. */
void sheet_print_place(FILE *to, const struct field *f, const char *indent);
/* A line for each field: dword, bits, name, named values. */
void sheet_print_fields(FILE *to, const struct field *fields, unsigned count, const char *indent);
/* The fields of a command or structure, with those of its group. */
void sheet_print_command_fields(FILE *to, const struct command *c);

#endif
