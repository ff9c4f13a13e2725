/* Rows of a device as words: what several subcommands say of a command, a register, a message. */
#ifndef TOOLS_SHEET_ROWS_H
#define TOOLS_SHEET_ROWS_H

#include <softgt/tools.h>
#include <stdio.h>

/* The names of engine classes, by enum softgt_engine_class. */
enum { ENGINE_CLASS_NAMES = SOFTGT_CLASS_OTHER + 1 };
extern const char *const sheet_class_names[ENGINE_CLASS_NAMES];
/* What messages say that an engine can be given as. */
#define ENGINE_ARGUMENT "one (rcs0) or a class (render, copy, video, enhance, compute, other)"

/* "executed", "kept", "counted" */
const char *command_model_name(const struct softgt_row_info *command);
/* "render copy" */
void command_engine_names(const struct softgt_row_info *command, char *text, size_t size);
/* "[7:0]+2, >=4": the bits of the length, what is added, the least */
void command_length_rule(const struct softgt_row_info *command, char *text, size_t size);
/* "from the GuC", "mailbox, buffer" */
const char *message_way(const struct softgt_row_info *message);

/* One dword of a register: a register of two is two of these. */
struct register_dword {
    const struct softgt_row *row;
    struct softgt_row_info info; /* the masks and the reset value are those of this dword */
    uint32_t offset;
    char name[96]; /* "CS_GPR[1]_UDW" */
};
/* Dword 0 or 1 of a register; false: it has no such dword. */
bool register_dword(const struct softgt_row *row, unsigned number, struct register_dword *dword);
/* "masked", "rw, w1c" */
const char *register_access_name(const struct register_dword *dword);
/* It is not the first of an array. */
bool register_is_later(const struct softgt_row_info *info);

/* Where a field is: "0.12-0.14", dwords and bits. */
void sheet_print_place(FILE *to, const struct softgt_field_info *field, const char *indent);
/* A line for a field: dword, bits, name, named values. */
void sheet_print_field(FILE *to, const struct softgt_row *row, size_t index, const char *indent);
/* A line for each field of a row, without those of its group. */
void sheet_print_fields(FILE *to, const struct softgt_row *row, const char *indent);
/* The fields of a command or structure, with those of its group. */
void sheet_print_command_fields(FILE *to, const struct softgt_row *row);

#endif
