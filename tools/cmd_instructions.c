/*
 * softgt instructions: lists the instruction set of a device's execution units, from the rows that decode and
 * encode it.
 */
#include "sheet_arguments.h"

enum { FORMS = SOFTGT_FORM_DIM + 1 };

static const char *const form_names[FORMS] = {
    [SOFTGT_FORM_NONE] = "none",
    [SOFTGT_FORM_UNARY] = "one source",
    [SOFTGT_FORM_BINARY] = "two sources",
    [SOFTGT_FORM_TERNARY] = "three sources",
    [SOFTGT_FORM_MACRO] = "macro",
    [SOFTGT_FORM_BFN] = "function",
    [SOFTGT_FORM_DPAS] = "blocks",
    [SOFTGT_FORM_JUMP] = "jump",
    [SOFTGT_FORM_MERGE] = "merge",
    [SOFTGT_FORM_BRANCH] = "branch",
    [SOFTGT_FORM_SEND] = "message",
    [SOFTGT_FORM_SENDS] = "split message",
    [SOFTGT_FORM_DIM] = "immediate double",
};

static const char *const flag_names[] = {"predicate", "condition", "saturate",
                                         "modifiers", "not",       "branch control"};

static void flags_of(const struct softgt_operation *o, char *text, size_t size)
{
    text[0] = 0;
    for (unsigned n = 0; n < sizeof flag_names / sizeof flag_names[0]; n++)
        if (o->modifiers >> n & 1u) {
            if (text[0])
                strncat(text, ", ", size - strlen(text) - 1);
            strncat(text, flag_names[n], size - strlen(text) - 1);
        }
}

/* Writes "71:67", the highest piece first. */
static void bit_ranges_text(const struct softgt_instruction_field *f, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned n = f->pieces; n-- > 0;)
        at += (size_t)snprintf(text + at, size - at, f->width_bits[n] > 1 ? "%s%u:%u" : "%s%u", at ? " " : "",
                               f->first_bits[n] + f->width_bits[n] - 1u, f->first_bits[n]);
    if (!at)
        at = (size_t)snprintf(text, size, "always %llu", (unsigned long long)f->inverted);
    else if (f->inverted)
        at += (size_t)snprintf(text + at, size - at, ", inverted");
    if (f->shift)
        snprintf(text + at, size - at, ", times %u", 1u << f->shift);
}

/* The conditions on other fields. */
static void condition_of(const struct softgt_instruction_field *f, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned n = 0; n < f->conditions; n++) {
        const uint64_t values = f->condition_values[n];
        at += (size_t)snprintf(text + at, size - at, "%s%s", at ? "; " : "", f->condition_fields[n]);
        for (unsigned v = 0, some = 0; v < 64; v++)
            if (values >> v & 1u)
                at += (size_t)snprintf(text + at, size - at, some++ ? ",%u" : " %u", v);
    }
}

static void forms_of(const struct softgt_instruction_field *f, char *text, size_t size)
{
    text[0] = 0;
    if (f->forms == (1u << FORMS) - 1u)
        strncat(text, "all", size - 1);
    for (unsigned n = 0; n < FORMS && strcmp(text, "all") != 0; n++)
        if (f->forms >> n & 1u) {
            if (text[0])
                strncat(text, ", ", size - strlen(text) - 1);
            strncat(text, form_names[n], size - strlen(text) - 1);
        }
}

static void list_operations(const struct sheet_arguments *a, struct json_object *all)
{
    const struct softgt_operation *o;
    char flags[120];
    if (a->markdown)
        puts("| opcode | operation | form | may have | what it does |\n| --- | --- | --- | --- | --- |");
    for (size_t n = 0; (o = softgt_spec_operation(a->spec, n)) != NULL; n++) {
        flags_of(o, flags, sizeof flags);
        if (a->json) {
            struct json_object *const row = json_empty();
            json_add(row, "name", json_string(o->name));
            json_add(row, "opcode", json_uint64(o->opcode));
            json_add(row, "form", json_string(form_names[o->form]));
            json_add(row, "sources", json_uint64(o->sources));
            json_add(row, "may_have", json_string(flags));
            json_add(row, "summary", json_string(o->summary));
            json_append(all, row);
        } else {
            printf(a->markdown ? "| %02x | %s | %s | %s | %s |\n" : "%02x  %-8s %-14s %-50s %s\n", o->opcode,
                   o->name, form_names[o->form], flags, o->summary);
        }
    }
}

static void list_fields(const struct sheet_arguments *a, struct json_object *all)
{
    const struct softgt_instruction_field *f;
    char place[120], condition[400], forms[200];
    if (a->markdown)
        puts(
            "\nFields of the 128 bits of a native instruction, by form:\n\n| field | bits | forms | where |\n"
            "| --- | --- | --- | --- |");
    for (size_t n = 0; (f = softgt_spec_instruction_field(a->spec, n)) != NULL; n++) {
        bit_ranges_text(f, place, sizeof place);
        condition_of(f, condition, sizeof condition);
        forms_of(f, forms, sizeof forms);
        if (a->json) {
            struct json_object *const row = json_empty();
            json_add(row, "name", json_string(f->name));
            json_add(row, "bits", json_string(place));
            json_add(row, "forms", json_string(forms));
            json_add(row, "where", json_string(condition));
            json_append(all, row);
        } else {
            printf(a->markdown ? "| %s | %s | %s | %s |\n" : "    %-40s %-24s %s%s%s\n", f->name, place,
                   forms, a->markdown || !condition[0] ? "" : "; where ", condition);
        }
    }
}

static struct json_object *message_object(const struct softgt_thread_message *type)
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

static void list_messages(const struct sheet_arguments *a, struct json_object *all)
{
    const struct softgt_thread_message *type;
    if (a->markdown)
        puts("\nMessages that threads send, by shared function and message descriptor:\n\n"
             "| function | descriptor | mask | message |\n| --- | --- | --- | --- |");
    for (size_t n = 0; (type = softgt_spec_thread_message(a->spec, n)) != NULL; n++) {
        if (a->json)
            json_append(all, message_object(type));
        else
            printf(a->markdown ? "| %s | %08x | %08x | %s |\n" : "    %-6s %08x under mask %08x  %s\n",
                   type->function, type->match, type->mask, type->name);
    }
}

int cmd_instructions(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(&a, argc, argv, "Lists the instruction set of a device's execution units.",
                          SHEET_ACCEPTS_FIELDS | SHEET_ACCEPTS_DECODED);
    struct json_object *const operations = json_array(), *const fields = json_array(),
                              *const messages = json_array();
    list_operations(&a, operations);
    if (a.fields || a.json || a.markdown) {
        list_fields(&a, fields);
        list_messages(&a, messages);
    }
    if (!a.json) {
        json_object_put(operations);
        json_object_put(fields);
        json_object_put(messages);
        sheet_arguments_end(&a);
        return TOOL_CLEAN;
    }
    struct json_object *const o = sheet_object(&a, "softgt.instructions");
    json_add(o, "operations", operations);
    json_add(o, "fields", fields);
    json_add(o, "messages", messages);
    json_print(o);
    sheet_arguments_end(&a);
    return TOOL_CLEAN;
}
