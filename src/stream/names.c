#include "stream/names.h"

#include <string.h>

#include <ctype.h>

/* The next letter that counts. */
static int next_letter(const char **text)
{
    while (**text == ' ' || **text == '_' || **text == '-')
        (*text)++;
    return **text ? tolower((unsigned char)*(*text)++) : 0;
}

bool names_are_same(const char *a, const char *b)
{
    for (;;) {
        const int x = next_letter(&a), y = next_letter(&b);
        if (x != y || !x)
            return x == y;
    }
}

const struct field *field_by_name(const struct field *fields, unsigned count, const char *name)
{
    for (unsigned n = 0; n < count; n++)
        if (names_are_same(fields[n].name, name))
            return &fields[n];
    return NULL;
}

const struct field *named_field(const struct command *row, const char *name)
{
    return row ? field_by_name(row->fields, row->field_count, name) : NULL;
}

uint64_t named_number(const struct command *row, const char *name, const uint32_t *dw, size_t length_dw)
{
    const struct field *const f = named_field(row, name);
    return f && f->last / 32u < length_dw ? field_get(f, dw, (uint32_t)length_dw) : 0;
}

bool command_is_draw(const char *name)
{
    return name && strcmp(name, "3DPRIMITIVE") == 0;
}

bool command_is_dispatch(const char *name)
{
    return name && (strcmp(name, "GPGPU_WALKER") == 0 || strcmp(name, "COMPUTE_WALKER") == 0 ||
                    strcmp(name, "MEDIA_OBJECT") == 0 || strcmp(name, "MEDIA_OBJECT_WALKER") == 0);
}

bool command_is_counted(const struct softgt_event *e)
{
    enum { MOST_COMMAND_DW = 256 };
    return e->kind == SOFTGT_EVENT_COMMAND && e->length_dw <= MOST_COMMAND_DW &&
           (command_is_draw(e->name) || command_is_dispatch(e->name));
}
