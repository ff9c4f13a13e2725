/*
 * softgt instructions: lists the instruction set of a device's execution units, from the rows that decode and
 * encode it.
 */
#include "sheet_arguments.h"

#include "isa/message_types.h"

static const char *const form_names[FORMS] = {
    [FORM_NONE] = "none",
    [FORM_UNARY] = "one source",
    [FORM_BINARY] = "two sources",
    [FORM_TERNARY] = "three sources",
    [FORM_MACRO] = "macro",
    [FORM_BFN] = "function",
    [FORM_DPAS] = "blocks",
    [FORM_JUMP] = "jump",
    [FORM_MERGE] = "merge",
    [FORM_BRANCH] = "branch",
    [FORM_SEND] = "message",
    [FORM_SENDS] = "split message",
    [FORM_DIM] = "immediate double",
};

static const char *const flag_names[] = {"predicate", "condition", "saturate",
                                         "modifiers", "not",       "branch control"};

static unsigned opcode_of(const struct eu_isa *set, const struct eu_operation *o)
{
    return set->gen6_encoding ? o->gen6_code : o->gen12_code;
}

static void flags_of(const struct eu_operation *o, char *text, size_t size)
{
    text[0] = 0;
    for (unsigned n = 0; n < sizeof flag_names / sizeof flag_names[0]; n++)
        if (o->flags >> n & 1u) {
            if (text[0])
                strncat(text, ", ", size - strlen(text) - 1);
            strncat(text, flag_names[n], size - strlen(text) - 1);
        }
}

/* Writes "71:67", the highest piece first. */
static void bit_ranges_text(const struct eu_field_row *r, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned n = EU_PIECES; n-- > 0;) {
        const struct eu_piece *const p = &r->pieces[n];
        if (p->width)
            at += (size_t)snprintf(text + at, size - at, p->width > 1 ? "%s%u:%u" : "%s%u", at ? " " : "",
                                   p->first + p->width - 1u, p->first);
    }
    if (!at)
        at = (size_t)snprintf(text, size, "always %u", r->flip);
    else if (r->flip)
        at += (size_t)snprintf(text + at, size - at, ", inverted");
    if (r->shift)
        snprintf(text + at, size - at, ", times %u", 1u << r->shift);
}

/* The conditions on other fields. */
static void condition_of(const struct eu_field_row *r, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned n = 0; n < EU_CONDITIONS && r->when[n].values; n++) {
        const unsigned values = r->when[n].values;
        at +=
            (size_t)snprintf(text + at, size - at, "%s%s", at ? "; " : "", eu_field_names[r->when[n].field]);
        for (unsigned v = 0, some = 0; v < 16; v++)
            if (values >> v & 1u)
                at += (size_t)snprintf(text + at, size - at, some++ ? ",%u" : " %u", v);
    }
}

static void forms_of(const struct eu_field_row *r, char *text, size_t size)
{
    text[0] = 0;
    if ((r->forms & ((1u << FORMS) - 1u)) == (1u << FORMS) - 1u)
        strncat(text, "all", size - 1);
    for (unsigned n = 0; n < FORMS && strcmp(text, "all") != 0; n++)
        if (r->forms >> n & 1u) {
            if (text[0])
                strncat(text, ", ", size - strlen(text) - 1);
            strncat(text, form_names[n], size - strlen(text) - 1);
        }
}

static void list_operations(const struct sheet_arguments *a, const struct eu_isa *set,
                            struct json_object *all)
{
    char flags[120];
    if (a->markdown)
        puts("| opcode | operation | form | may have | what it does |\n| --- | --- | --- | --- | --- |");
    for (unsigned code = 0; code < 128; code++) {
        const struct eu_operation *const o = eu_operation_find(set, code);
        if (!o)
            continue;
        flags_of(o, flags, sizeof flags);
        if (a->json) {
            struct json_object *const row = json_empty();
            json_add(row, "name", json_string(o->name));
            json_add(row, "opcode", json_uint64(opcode_of(set, o)));
            json_add(row, "form", json_string(form_names[o->form]));
            json_add(row, "sources", json_uint64(o->sources));
            json_add(row, "may_have", json_string(flags));
            json_add(row, "summary", json_string(o->summary));
            json_append(all, row);
        } else {
            printf(a->markdown ? "| %02x | %s | %s | %s | %s |\n" : "%02x  %-8s %-14s %-50s %s\n", code,
                   o->name, form_names[o->form], flags, o->summary);
        }
    }
}

static void list_fields(const struct sheet_arguments *a, const struct eu_isa *set, struct json_object *all)
{
    char place[120], condition[400], forms[200];
    if (a->markdown)
        puts(
            "\nFields of the 128 bits of a native instruction, by form:\n\n| field | bits | forms | where |\n"
            "| --- | --- | --- | --- |");
    for (unsigned n = 0; n < eu_field_row_count; n++) {
        const struct eu_field_row *const r = &eu_field_rows[n];
        if (!(r->generations & set->generation))
            continue;
        bit_ranges_text(r, place, sizeof place);
        condition_of(r, condition, sizeof condition);
        forms_of(r, forms, sizeof forms);
        if (a->json) {
            struct json_object *const row = json_empty();
            json_add(row, "name", json_string(eu_field_names[r->field]));
            json_add(row, "bits", json_string(place));
            json_add(row, "forms", json_string(forms));
            json_add(row, "where", json_string(condition));
            json_append(all, row);
        } else {
            printf(a->markdown ? "| %s | %s | %s | %s |\n" : "    %-40s %-24s %s%s%s\n",
                   eu_field_names[r->field], place, forms, a->markdown || !condition[0] ? "" : "; where ",
                   condition);
        }
    }
}

static struct json_object *message_object(const struct eu_message_type *type)
{
    struct json_object *const row = json_empty(), *const ids = json_array();
    json_add(row, "name", json_string(type->name));
    json_add(row, "function", json_string(type->function));
    for (unsigned id = 0; id < 16; id++)
        if (type->sfids >> id & 1u)
            json_append(ids, json_uint64(id));
    json_add(row, "sfids", ids);
    json_add(row, "match", json_uint64(type->match));
    json_add(row, "mask", json_uint64(type->mask));
    return row;
}

static void list_messages(const struct sheet_arguments *a, const struct eu_isa *set, struct json_object *all)
{
    struct eu_message_type type;
    if (a->markdown)
        puts("\nMessages that threads send, by shared function and message descriptor:\n\n"
             "| function | descriptor | mask | message |\n| --- | --- | --- | --- |");
    for (unsigned n = 0; eu_message_type(set, n, &type); n++) {
        if (!type.name)
            continue;
        if (a->json)
            json_append(all, message_object(&type));
        else
            printf(a->markdown ? "| %s | %08x | %08x | %s |\n" : "    %-6s %08x under mask %08x  %s\n",
                   type.function, type.match, type.mask, type.name);
    }
}

int cmd_instructions(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(&a, argc, argv, "Lists the instruction set of a device's execution units.",
                          SHEET_ACCEPTS_FIELDS);
    const struct eu_isa *const set = a.sheet->eu;
    struct json_object *const operations = json_array(), *const fields = json_array(),
                              *const messages = json_array();
    list_operations(&a, set, operations);
    if (a.fields || a.json || a.markdown) {
        list_fields(&a, set, fields);
        list_messages(&a, set, messages);
    }
    if (!a.json) {
        json_object_put(operations);
        json_object_put(fields);
        json_object_put(messages);
        return TOOL_CLEAN;
    }
    struct json_object *const o = sheet_object(&a, "softgt.instructions");
    json_add(o, "operations", operations);
    json_add(o, "fields", fields);
    json_add(o, "messages", messages);
    json_print(o);
    return TOOL_CLEAN;
}
