#include "hang/rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct register_slot *find_named(const struct register_file *file, const char *unit,
                                              const char *name)
{
    const struct register_slot *const own = register_find(file, unit, name);
    return own ? own : register_find(file, NULL, name);
}

const struct register_slot *error_register_slot(const struct register_file *file, const char *unit,
                                                const struct error_register *r)
{
    char name[ERROR_NAME + 16], stem[ERROR_NAME];
    snprintf(stem, sizeof stem, "%s", error_row_name(r->name));
    if (strncmp(stem, "REG-0x", 6) == 0 && isxdigit((unsigned char)stem[6])) {
        const uint32_t offset = (uint32_t)strtoul(stem + 6, NULL, 16);
        const struct register_slot *const at = register_slot_at(file, offset & ~3u);
        return at->row ? at : NULL;
    }
    const size_t length = strlen(stem);
    if (length > 4 && strcmp(stem + length - 4, "_LDW") == 0)
        stem[length - 4] = 0;
    const struct register_slot *s = find_named(file, unit, stem);
    if (!s && r->index[0] != ERROR_NO_INDEX) {
        snprintf(name, sizeof name, "%s[%d]", stem, r->index[0]);
        s = find_named(file, unit, name);
    }
    if (!s && length > 1 && stem[length - 1] >= '0' && stem[length - 1] <= '9') { /* PDP0 */
        snprintf(name, sizeof name, "%.*s[%c]", (int)length - 1, stem, stem[length - 1]);
        s = find_named(file, unit, name);
    }
    return s;
}

static void put_value(struct text *t, const struct field *f, uint64_t value)
{
    const char *const name = f->values ? field_value_name(f, value) : NULL;
    text_char(t, ' ');
    if (name) {
        text_string(t, name);
    } else if (f->kind == FIELD_UINT || f->kind == FIELD_INT) {
        text_decimal(t, value);
    } else {
        text_string(t, "0x");
        text_hex(t, value, 1);
    }
}

bool error_is_done_field(const struct field *f, size_t *name_length)
{
    const char *const done = strstr(f->name, " Done"), *const idle = strstr(f->name, " IDLE"),
                      *const end = done ? done : idle;
    *name_length = end ? (size_t)(end - f->name) : strlen(f->name);
    return end;
}

void error_register_fields(struct text *t, const struct reg *row, uint64_t value)
{
    const uint32_t dw[] = {(uint32_t)value, (uint32_t)(value >> 32)};
    const char *before = ": ";
    for (unsigned i = 0; value && i < row->field_count; i++) {
        const struct field *const f = &row->fields[i];
        const uint64_t part = field_get(f, dw, 2);
        size_t length;
        const bool is_done = error_is_done_field(f, &length);
        if (is_done == (part != 0))
            continue;
        text_string(t, before);
        text_bytes(t, f->name, length);
        if (is_done)
            text_string(t, " not done");
        else if (f->kind != FIELD_BOOL)
            put_value(t, f, part);
        before = ", ";
    }
}
