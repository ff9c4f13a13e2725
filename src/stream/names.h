/* Fields by their names, as people write them: blanks, underscores and case do not count. */
#ifndef STREAM_NAMES_H
#define STREAM_NAMES_H

#include "stream/command.h"

/* Whether both name the same. */
bool names_are_same(const char *a, const char *b);
/* NULL: there is none. */
const struct field *field_by_name(const struct field *fields, unsigned count, const char *name);
/* The same of a command or a structure; row: may be NULL. */
const struct field *named_field(const struct command *row, const char *name);
/* Its value; 0 where it has none, or ends before the field. */
uint64_t named_number(const struct command *row, const char *name, const uint32_t *dw, size_t length_dw);

/* A field's value as a signed number, and as a float. */
static inline int64_t field_signed(const struct field *f, uint64_t value)
{
    const unsigned width = field_width(f);
    return width < 64 && value >> (width - 1u) ? (int64_t)(value | UINT64_MAX << width) : (int64_t)value;
}

static inline float field_float(uint64_t value)
{
    const uint32_t bits = (uint32_t)value;
    float number;
    memcpy(&number, &bits, 4);
    return number;
}

/* The name of a command that draws; of one that starts thread groups without a draw. NULL: no command. */
bool command_is_draw(const char *name);
bool command_is_dispatch(const char *name);
/* The command event is one that has a number as a draw or a dispatch. */
bool command_is_counted(const struct softgt_event *e);

#endif
