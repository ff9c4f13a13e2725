/* Stops that a debuggee parses, with its device's names and pages. */
#include "debugger/debuggee.h"
#include "stream/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

static bool is_engine(const struct debuggee *d, const char *pattern)
{
    const struct sheet *const sheet = device_sheet(d->device);
    bool found = !*pattern;
    for (unsigned n = 0; n < sheet->info.engine_count && !found; n++)
        found = name_matches(pattern, sheet->engines[n].name);
    return found;
}

static bool refuse_field(const struct debuggee *d, const struct stop *s, const struct command *row)
{
    fprintf(d->out, "%s has no field '%s'; it has", row->name, s->field);
    for (unsigned n = 0; n < row->field_count; n++)
        fprintf(d->out, "%s %s", n ? "," : "", row->fields[n].name);
    for (unsigned n = 0; n < row->group_count; n++)
        fprintf(d->out, "%s %s",
                n                  ? ","
                : row->field_count ? "; repeated:"
                                   : " repeated:",
                row->group[n].name);
    fputs(row->field_count || row->group_count ? "\n" : " none\n", d->out);
    return false;
}

static bool refuse_value(const struct debuggee *d, const struct stop *s, const struct field *f)
{
    if (*s->value_name)
        fprintf(d->out, "field '%s' has no value '%s'; it has", f->name, s->value_name);
    else if (s->is_negative)
        fprintf(d->out, "field '%s' has no value %" PRId64 "; it has", f->name, (int64_t)s->value);
    else
        fprintf(d->out, "field '%s' has no value 0x%" PRIx64 "; it has", f->name, s->value);
    fprintf(d->out, " %u bit%s", field_width(f), field_width(f) == 1 ? "" : "s");
    for (const struct field_value *v = f->values; v && v->name; v++)
        fprintf(d->out, ", %s", v->name);
    fputs("\n", d->out);
    return false;
}

/* The row's field, or repeated field, that the stop names. NULL: it has none. */
static const struct field *field_of(const struct stop *s, const struct command *row)
{
    const struct field *const f = *s->field && !s->entry ? named_field(row, s->field) : NULL;
    return !f && *s->field && row->group ? field_by_name(row->group, row->group_count, s->field) : f;
}

/* A command has the name, one of these the field, and it the value. False after a message. */
static bool is_command(const struct debuggee *d, const struct stop *s)
{
    const struct command_set *const set = softgt_command_set(d->device);
    const struct command *row = NULL;
    const struct field *field = NULL;
    for (unsigned n = 1; n < set->count; n++) {
        if (!set->rows[n]->name || !name_matches(s->pattern, set->rows[n]->name))
            continue;
        const struct field *const f = field_of(s, set->rows[n]);
        if (!*s->field || (f && stop_has_value(s, f)))
            return true;
        row = row ? row : set->rows[n];
        field = field ? field : f;
    }
    if (!row)
        return debuggee_refuse(d, "no command has this name: softgt commands lists them");
    return field ? refuse_value(d, s, field) : refuse_field(d, s, row);
}

static bool is_memory(const struct debuggee *d, struct stop *s)
{
    uint8_t byte;
    char text[40];
    struct debug_space space;
    if (!debuggee_space(d, s->unit, &space))
        return debuggee_refuse(d, "no engine has this name");
    if (space.kind == DEBUG_LOCAL || space.kind == DEBUG_BUS) {
        s->physical.known = debuggee_physical(d, &space, s->address, &s->physical.address);
        return device_physical_read(d->device, s->physical.address, &byte, 1) ||
               debuggee_refuse(d, "no memory is there");
    }
    const size_t length = strlen(s->text);
    if (!*s->unit && !d->command && !d->thread && !d->last.unit) {
        snprintf(s->text + length, sizeof s->text - length, ", in any space");
        return true; /* no engine is the current one yet */
    }
    if (strcmp(s->unit, "ggtt") != 0 && !strchr(s->unit, '.'))
        snprintf(s->text + length, sizeof s->text - length, ", in %s", debuggee_space_text(d, &space, text));
    if (space.kind == DEBUG_GGTT)
        snprintf(s->unit, sizeof s->unit, "ggtt");
    else
        snprintf(s->unit, sizeof s->unit, "%s.ppgtt", device_sheet(d->device)->engines[space.engine].name);
    return true;
}

static bool is_space(const struct debuggee *d, const char *name)
{
    struct debug_space space;
    return is_engine(d, name) || (debuggee_space(d, name, &space) && space.kind < DEBUG_LOCAL);
}

/* What the stop names is there. False after a message. */
static bool is_there(const struct debuggee *d, struct stop *s)
{
    switch (s->kind) {
    case STOP_COMMAND:
        return is_command(d, s);
    case STOP_MEMORY:
        return is_memory(d, s);
    case STOP_ADDRESS:
        return is_space(d, s->unit) || debuggee_refuse(d, "no engine has this name");
    case STOP_REGISTER:
    case STOP_READ:
        return true; /* looked up when it was parsed */
    default:
        return is_engine(d, s->unit) || debuggee_refuse(d, "no engine has this name");
    }
}

/* ---- Stops ---- */

static struct stop *parse_stop(const struct debuggee *d, const char *arguments, unsigned *number)
{
    char *end, error[160];
    const unsigned long index = strtoul(arguments, &end, 10);
    *number = (unsigned)strtoul(end, &end, 10);
    if (index >= DEBUG_STOPS)
        return NULL;
    struct stop *const s = &d->shared->stops[index];
    if (!stop_parse(s, softgt_register_file(d->device), end, error, sizeof error)) {
        debuggee_refuse(d, error);
        return NULL;
    }
    if (!is_engine(d, s->engine)) {
        debuggee_refuse(d, "engine=: no engine has this name");
        return NULL;
    }
    return is_there(d, s) ? s : NULL;
}

bool debuggee_stop(struct debuggee *d, const char *arguments)
{
    unsigned number;
    struct stop *const s = parse_stop(d, arguments, &number);
    if (s)
        s->number = number;
    return s;
}

/* ---- Who ---- */

/* Finds the bytes of memory: they are one piece. False: no page is there. */
static bool find_bytes(const struct debuggee *d, struct stop *s)
{
    struct debug_space space;
    uint64_t last;
    const uint64_t end = s->size_bytes - 1;
    if (!debuggee_space(d, s->unit, &space) ||
        !debuggee_physical(d, &space, s->address, &s->physical.address))
        return false;
    s->physical.known =
        debuggee_physical(d, &space, s->address + end, &last) && last == s->physical.address + end;
    return true;
}

bool debuggee_who(struct debuggee *d, const char *arguments)
{
    unsigned number;
    struct stop *const s = parse_stop(d, arguments, &number);
    if (!s)
        return false;
    if (s->kind == STOP_MEMORY && !s->physical.known && !find_bytes(d, s) && *s->unit)
        return debuggee_refuse(d, "no memory is mapped there");
    s->number = number;
    return true;
}

bool debuggee_nobody(struct debuggee *d, const char *arguments)
{
    const unsigned long index = strtoul(arguments, NULL, 10);
    if (index >= DEBUG_STOPS)
        return false;
    const struct stop *const s = &d->shared->stops[index];
    const struct register_slot *const slot =
        s->kind == STOP_REGISTER
            ? register_find(softgt_register_file(d->device), *s->unit ? s->unit : NULL, s->pattern)
            : NULL;
    const uint32_t value = slot ? device_register_peek(d->device, slot) : 0;
    if (slot && value != slot->reset)
        fprintf(d->out,
                "nobody, up to here: the device itself counts or keeps it; its value is 0x%" PRIx32 "\n",
                value);
    else
        fputs("nobody, up to here\n", d->out);
    return true;
}
