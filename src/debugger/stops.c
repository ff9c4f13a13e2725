#include "debugger/stops.h"

#include "stream/names.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct stop_kind_info stop_kinds[STOP_KINDS] = {
    [STOP_COMMAND] = {"command", "NAME [FIELD=VALUE]: before a command"},
    [STOP_ADDRESS] = {"at", "[SPACE:]ADDRESS: before the command there"},
    [STOP_DRAW] = {"draw", "[ENGINE | NUMBER]: before a draw; by its number in softgt draws"},
    [STOP_DISPATCH] = {"dispatch", "[ENGINE | NUMBER]: before a dispatch of thread groups"},
    [STOP_REGISTER] = {"register", "[UNIT.]NAME or OFFSET: after a write", SOFTGT_TRACE_REGISTERS},
    [STOP_READ] = {"read", "[UNIT.]NAME or OFFSET: after a read", SOFTGT_TRACE_READS},
    [STOP_MEMORY] = {"memory", "[SPACE:]ADDRESS[,BYTES]: after a write, or a change", SOFTGT_TRACE_MEMORY},
    [STOP_CONTEXT] = {"context", "[ENGINE] or [ENGINE:]LRCA: after a context restore", SOFTGT_TRACE_CONTEXTS},
    [STOP_INTERRUPT] = {"interrupt", "[ENGINE]: after an interrupt is raised", SOFTGT_TRACE_INTERRUPTS},
    [STOP_ERROR] = {"error", "after a complaint of the device", SOFTGT_TRACE_COMPLAINTS},
    [STOP_BATCH] = {"batch", "[ENGINE]: after a batch begins", SOFTGT_TRACE_BATCHES},
    [STOP_KERNEL] = {"kernel", "[ENGINE:]ADDRESS: before the first instruction of the kernel there"},
    [STOP_INSTRUCTION] = {"instruction", "[ENGINE:]ADDRESS: before the instruction there"},
};

/* ---- Names ---- */

bool name_matches(const char *pattern, const char *name)
{
    char plain[2 * STOP_TEXT]; /* "CS_GPR[2]" is an element, no class of characters */
    size_t at = 0;
    if (!*pattern)
        return true;
    for (; *pattern && at + 2 < sizeof plain; pattern++) {
        if (*pattern == '[' || *pattern == '\\')
            plain[at++] = '\\';
        plain[at++] = *pattern;
    }
    plain[at] = 0;
    return name && fnmatch(plain, name, FNM_CASEFOLD) == 0;
}

/* ---- Parsing ---- */

static bool fail(char *error, size_t size, const char *text)
{
    snprintf(error, size, "%s", text);
    return false;
}

static bool parse_number(const char *text, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 0);
    return end != text && !*end && isdigit((unsigned char)*text);
}

bool stop_parse_address(const char *text, char *unit, size_t unit_size, uint64_t *address)
{
    const char *const colon = strchr(text, ':');
    snprintf(unit, unit_size, "%.*s", colon ? (int)(colon - text) : 0, text);
    return (!colon || (size_t)(colon - text) < unit_size) && parse_number(colon ? colon + 1 : text, address);
}

/* "rcs0.RING_*", "RING_*" or an offset. */
static bool parse_register(struct stop *s, const struct register_file *file, const char *text, char *error,
                           size_t size)
{
    uint64_t offset;
    char name[96];
    if (parse_number(text, &offset)) {
        const struct register_slot *const slot = register_slot_at(file, (uint32_t)offset);
        if (offset >= file->size_bytes || !slot->row)
            return fail(error, size, "no register is at this offset");
        register_slot_name(slot, name, sizeof name);
        snprintf(s->unit, sizeof s->unit, "%s", slot->unit);
        snprintf(s->pattern, sizeof s->pattern, "%s", name);
        return true;
    }
    const char *const dot = strchr(text, '.');
    snprintf(s->unit, sizeof s->unit, "%.*s", dot ? (int)(dot - text) : 0, text);
    snprintf(s->pattern, sizeof s->pattern, "%s", dot ? dot + 1 : text);
    for (uint32_t n = 1; n < file->slot_count; n++) {
        register_slot_name(&file->slots[n], name, sizeof name);
        if (name_matches(s->unit, file->slots[n].unit) && name_matches(s->pattern, name))
            return true;
    }
    return fail(error, size, "no register has this name");
}

static bool parse_memory(struct stop *s, const char *text, char *error, size_t size)
{
    char start[STOP_NAME];
    const char *const comma = strchr(text, ',');
    snprintf(start, sizeof start, "%.*s", comma ? (int)(comma - text) : (int)strlen(text), text);
    s->size_bytes = 4;
    if (!stop_parse_address(start, s->unit, sizeof s->unit, &s->address) ||
        (comma && (!parse_number(comma + 1, &s->size_bytes) || !s->size_bytes)))
        return fail(error, size,
                    "expected [SPACE:]ADDRESS[,BYTES]; SPACE: ggtt, ppgtt, local, bus or ENGINE");
    return true;
}

/* Copies a text without quotes, and blanks at its ends. */
static void copy_plain(char *to, size_t size, const char *text, size_t length)
{
    size_t at = 0;
    for (size_t n = 0; n < length && at + 1 < size; n++)
        if (text[n] != '"' && text[n] != '\'' && (at || text[n] != ' '))
            to[at++] = text[n];
    while (at && to[at - 1] == ' ')
        at--;
    to[at] = 0;
}

/* What a listing adds to a number: a name, or where it points to. */
static bool is_remark(const char *text)
{
    return !*text || strncmp(text, " (", 2) == 0 || strncmp(text, " at ", 4) == 0 ||
           strncmp(text, " from ", 6) == 0;
}

/* A number, also as "4 (NAME)" or "0x40 at 0x1040"; true, false, or a name. */
static void parse_value(struct stop *s, const char *text)
{
    char number[STOP_NAME], *end;
    snprintf(number, sizeof number, "%.*s", (int)strcspn(text, " "), text);
    const char *const rest = text + strlen(number);
    s->real = strtod(number, &end);
    s->is_real = end != number && !*end && is_remark(rest) && !strpbrk(number, "xX");
    s->is_negative = *number == '-';
    if (parse_number(number + s->is_negative, &s->value) && is_remark(rest)) {
        s->is_negative = s->is_negative && s->value;
        s->value = s->is_negative ? 0 - s->value : s->value;
        return;
    }
    s->is_negative = false;
    s->value = strcasecmp(text, "true") == 0;
    if (!s->value && strcasecmp(text, "false") != 0)
        snprintf(s->value_name, sizeof s->value_name, "%s", text);
}

/* "FIELD", or "[1] FIELD" of a repeated one. */
static void parse_field(struct stop *s, const char *text, size_t length)
{
    char plain[STOP_NAME], *end;
    copy_plain(plain, sizeof plain, text, length);
    const char *name = plain;
    if (*plain == '[' && isdigit((unsigned char)plain[1])) {
        const unsigned long entry = strtoul(plain + 1, &end, 10);
        if (*end == ']' && entry < UINT16_MAX) {
            s->entry = (unsigned)entry + 1;
            name = end + 1 + strspn(end + 1, " ");
        }
    }
    snprintf(s->field, sizeof s->field, "%s", name);
}

/* "NAME" or "NAME FIELD=VALUE". */
static bool parse_command(struct stop *s, const char *text, char *error, size_t size)
{
    char value[STOP_NAME];
    const size_t name = strcspn(text, " ");
    const char *const equals = strchr(text, '=');
    copy_plain(s->pattern, sizeof s->pattern, text, name);
    const char *const field = text + name + strspn(text + name, " ");
    if (!*field)
        return true;
    if (!equals || equals < field) {
        snprintf(error, size, "expected NAME FIELD=VALUE: '%.80s' has no '='", field);
        return false;
    }
    parse_field(s, field, (size_t)(equals - field));
    copy_plain(value, sizeof value, equals + 1, strlen(equals + 1));
    if (!*s->field || !*value)
        return fail(error, size,
                    *value ? "expected NAME FIELD=VALUE: there is no field"
                           : "expected NAME FIELD=VALUE: there is no value");
    parse_value(s, value);
    return true;
}

static bool parse_kind(struct stop *s, const struct register_file *file, const char *text, char *error,
                       size_t size)
{
    switch (s->kind) {
    case STOP_COMMAND:
        return *text ? parse_command(s, text, error, size) : fail(error, size, "which command?");
    case STOP_REGISTER:
    case STOP_READ:
        return parse_register(s, file, text, error, size);
    case STOP_MEMORY:
        return parse_memory(s, text, error, size);
    case STOP_ADDRESS:
    case STOP_KERNEL:
    case STOP_INSTRUCTION:
        return stop_parse_address(text, s->unit, sizeof s->unit, &s->address) ||
               fail(error, size, "expected [ENGINE:]ADDRESS");
    case STOP_CONTEXT:
        if (!strchr(text, ':') && !isdigit((unsigned char)*text)) {
            snprintf(s->unit, sizeof s->unit, "%s", text);
            return true;
        }
        return stop_parse_address(text, s->unit, sizeof s->unit, &s->address) ||
               fail(error, size, "expected ENGINE, or [ENGINE:]LRCA");
    case STOP_DRAW:
    case STOP_DISPATCH:
        if (isdigit((unsigned char)*text))
            return (parse_number(text, &s->value) && s->value) ||
                   fail(error, size, "expected an engine, or a number from 1 on, as softgt draws counts");
        /* fall through */
    default:
        snprintf(s->unit, sizeof s->unit, "%s", text);
        return true;
    }
}

/* Cuts "engine=NAME" and "context=NUMBER" out. */
static bool parse_conditions(struct stop *s, char *text, char *error, size_t size)
{
    for (char *blank = strchr(text, ' '); blank;) {
        char word[STOP_TEXT];
        const size_t length = strcspn(blank + 1, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, blank + 1);
        if (strncmp(word, "engine=", 7) == 0) {
            if (!word[7] || strlen(word + 7) >= sizeof s->engine)
                return fail(error, size, "expected engine=NAME");
            snprintf(s->engine, sizeof s->engine, "%s", word + 7);
        } else if (strncmp(word, "context=", 8) == 0) {
            s->has_context = parse_number(word + 8, &s->context);
            if (!s->has_context)
                return fail(error, size, "expected context=LRCA or context=ID");
        } else {
            blank = strchr(blank + 1, ' ');
            continue;
        }
        memmove(blank, blank + 1 + length, strlen(blank + 1 + length) + 1);
        blank = strchr(blank, ' ');
    }
    return true;
}

bool stop_parse(struct stop *s, const struct register_file *file, const char *text, char *error, size_t size)
{
    char unit[16], plain[STOP_TEXT];
    uint64_t address;
    *s = (struct stop){.kind = STOP_KINDS};
    text += strspn(text, " ");
    snprintf(s->text, sizeof s->text, "%s", text);
    if (strlen(text) >= sizeof s->text)
        return fail(error, size, "that is too long");
    snprintf(plain, sizeof plain, "%s", text);
    if (!parse_conditions(s, plain, error, size))
        return false;
    text = plain;
    const size_t word = strcspn(text, " ");
    for (unsigned n = 0; n < STOP_KINDS; n++)
        if (strlen(stop_kinds[n].word) == word && strncmp(stop_kinds[n].word, text, word) == 0)
            s->kind = (enum stop_kind)n;
    if (s->kind < STOP_KINDS)
        return parse_kind(s, file, text + word + strspn(text + word, " "), error, size);
    s->kind = stop_parse_address(text, unit, sizeof unit, &address) ? STOP_ADDRESS : STOP_COMMAND;
    return parse_kind(s, file, text, error, size);
}

/* ---- Matching ---- */

/* "rcs0", "rcs0.ppgtt", "ppgtt", "ggtt", or "" for all. */
static bool names_space(const char *name, const struct softgt_event *e, bool engine_has_both)
{
    char engine[16];
    if (!*name || strcmp(name, "ggtt") == 0)
        return !*name || e->is_ggtt;
    snprintf(engine, sizeof engine, "%.*s", (int)strcspn(name, "."), name);
    if (strcmp(engine, "ppgtt") == 0)
        return !e->is_ggtt;
    return name_matches(engine, e->unit) && (!e->is_ggtt || (engine_has_both && !strchr(name, '.')));
}

bool stop_is_of(const struct stop *s, const char *engine, uint64_t lrca, uint64_t context_id)
{
    if (*s->engine && (!engine || !name_matches(s->engine, engine)))
        return false;
    return !s->has_context || (engine && (s->context == lrca || s->context == context_id));
}

bool stop_is_address(const char *space, uint64_t address, const struct softgt_event *e)
{
    return e->address == address && names_space(space, e, true);
}

bool stop_has_value(const struct stop *s, const struct field *f)
{
    const unsigned width = field_width(f) + field_shift(f);
    if (f->kind == FIELD_FLOAT && s->is_real)
        return true;
    if (s->is_negative)
        return f->kind == FIELD_INT && (width >= 64 || ~s->value >> (width - 1) == 0);
    if (!*s->value_name)
        return width >= 64 || s->value >> width == 0;
    for (const struct field_value *v = f->values; v && v->name; v++)
        if (names_are_same(v->name, s->value_name))
            return true;
    return false;
}

/* The field has the stop's value. */
static bool meets_value(const struct stop *s, const struct field *f, const uint32_t *dw, uint32_t length_dw)
{
    const uint64_t value = field_get(f, dw, length_dw);
    if (f->kind == FIELD_FLOAT && s->is_real)
        return field_float(value) == (float)s->real;
    if (s->is_negative)
        return f->kind == FIELD_INT && (uint64_t)field_signed(f, value) == s->value;
    const char *const name = *s->value_name ? field_value_name(f, value) : NULL;
    return *s->value_name ? name && names_are_same(name, s->value_name) : value == s->value;
}

/* The command has a field of the stop's name and value; of a repeated field any has it. */
static bool meets_field(const struct stop *s, const struct command *row, const struct softgt_event *e)
{
    const struct field *const f = s->entry ? NULL : named_field(row, s->field);
    if (f)
        return meets_value(s, f, e->dwords, e->length_dw);
    const struct field *const repeated =
        row && row->group ? field_by_name(row->group, row->group_count, s->field) : NULL;
    unsigned entry = 1;
    if (!repeated)
        return false;
    for (uint32_t at = row->group_dw; at + row->group_size_dw <= e->length_dw;
         at += row->group_size_dw, entry++)
        if ((!s->entry || s->entry == entry) && meets_value(s, repeated, e->dwords + at, row->group_size_dw))
            return true;
    return false;
}

bool stop_is_command(const struct stop *s, const struct command *row, const struct softgt_event *e)
{
    if (s->kind == STOP_ADDRESS)
        return stop_is_address(s->unit, s->address, e);
    if (!name_matches(s->unit, e->unit))
        return false;
    if (s->kind == STOP_DRAW || s->kind == STOP_DISPATCH)
        return s->value               ? command_is_draw(e->name) || command_is_dispatch(e->name)
               : s->kind == STOP_DRAW ? command_is_draw(e->name)
                                      : command_is_dispatch(e->name);
    if (s->kind != STOP_COMMAND || !e->name || !name_matches(s->pattern, e->name))
        return false;
    return !*s->field || meets_field(s, row, e);
}

/* The event's bytes and the stop's have one in common. */
static bool touches(const struct stop *s, const struct softgt_event *e)
{
    return e->address < s->address + s->size_bytes && s->address < e->address + e->size_bytes &&
           names_space(s->unit, e, false);
}

/* "RING_TAIL", or "RCS_GPR[3]" of an array. */
static bool names_register(const struct stop *s, const struct softgt_event *e)
{
    char name[128];
    int length = snprintf(name, sizeof name, "%s", e->name ? e->name : "");
    if (e->is_array && length > 0 && (size_t)length < sizeof name)
        length += snprintf(name + length, sizeof name - (size_t)length, "[%u]", e->index);
    if (e->is_upper && length > 0 && (size_t)length < sizeof name)
        snprintf(name + length, sizeof name - (size_t)length, "_UDW");
    return name_matches(s->unit, e->unit) && name_matches(s->pattern, name);
}

bool stop_is_event(const struct stop *s, const struct softgt_event *e)
{
    if (!(stop_kinds[s->kind].events & e->what))
        return false;
    switch (s->kind) {
    case STOP_REGISTER:
    case STOP_READ:
        return names_register(s, e);
    case STOP_MEMORY:
        return touches(s, e);
    case STOP_CONTEXT:
        return e->kind == SOFTGT_EVENT_RESTORE && name_matches(s->unit, e->unit) &&
               (!s->address || s->address == e->address);
    case STOP_INTERRUPT:
        return e->kind == SOFTGT_EVENT_RAISE && name_matches(s->unit, e->unit);
    case STOP_BATCH:
        return (e->kind == SOFTGT_EVENT_BATCH || e->kind == SOFTGT_EVENT_CHAIN) &&
               name_matches(s->unit, e->unit);
    default:
        return s->kind == STOP_ERROR;
    }
}

bool stop_is_instruction(const struct stop *s, const struct softgt_eu_thread_info *i)
{
    if (!name_matches(s->unit, i->unit) || i->base + i->ip != s->address)
        return false;
    return s->kind == STOP_INSTRUCTION || (s->kind == STOP_KERNEL && i->ip == i->kernel);
}
