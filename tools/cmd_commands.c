/* softgt commands: lists a device's commands, from the rows that execute them. */
#include "sheet_arguments.h"
#include "sheet_rows.h"

static void add_fields(struct json_object *o, const struct softgt_row *row, uint32_t first, uint32_t count,
                       const char *key)
{
    struct json_object *const fields = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_append(fields, sheet_field_json(row, first + i));
    json_add(o, key, fields);
}

static void add_group(struct json_object *o, const struct softgt_row *row, const struct softgt_row_info *info)
{
    if (!info->group_fields)
        return;
    json_add(o, "group_dw", json_uint64(info->group_start_dw));
    json_add(o, "group_size_dw", json_uint64(info->group_length_dw));
    add_fields(o, row, info->fields, info->group_fields, "group");
}

static struct json_object *as_json(const struct softgt_row *row, const struct softgt_row_info *c)
{
    struct json_object *o = json_empty(), *engines = json_array();
    for (unsigned i = 0; i < ENGINE_CLASS_NAMES; i++)
        if (c->engine_classes & 1u << i)
            json_append(engines, json_string(sheet_class_names[i]));
    json_add(o, "name", json_string(c->name));
    json_add(o, "match", json_uint64(c->value));
    json_add(o, "mask", json_uint64(c->mask));
    json_add(o, "engines", engines);
    json_add(o, "length_bits", json_uint64(c->length_bits));
    json_add(o, "length_bias", json_uint64(c->length_bias));
    json_add(o, "min_dwords", json_uint64(c->length_dw));
    json_add(o, "model", json_string(command_model_name(c)));
    json_add(o, "privileged", json_boolean(c->is_privileged));
    json_add(o, "privileged_if", json_uint64(c->privileged_if));
    json_add(o, "predicated", json_boolean(c->is_predicated));
    json_add(o, "preemptable", json_boolean(c->is_preemptable));
    json_add(o, "summary", json_string(c->summary));
    json_add(o, "spec", json_string(c->source));
    add_fields(o, row, 0, c->fields, "fields");
    add_group(o, row, c);
    return o;
}

/* A command with what its row says, to sort by. */
struct listed {
    const struct softgt_row *row;
    struct softgt_row_info info;
};

static int by_header(const void *a, const void *b)
{
    const struct softgt_row_info *x = &((const struct listed *)a)->info,
                                 *y = &((const struct listed *)b)->info;
    return x->value != y->value ? (x->value < y->value ? -1 : 1) : strcmp(x->name, y->name);
}

static struct json_object *structure_json(const struct softgt_row *row, const struct softgt_row_info *s)
{
    struct json_object *o = json_empty(), *fields = json_array();
    struct softgt_field_info info;
    for (uint32_t i = 0; i < s->fields; i++) {
        struct json_object *field = sheet_field_json(row, i);
        softgt_row_get_field(row, i, &info);
        if (info.base)
            json_add(field, "base", json_string(info.base));
        json_append(fields, field);
    }
    json_add(o, "name", json_string(s->name));
    json_add(o, "length_dw", json_uint64(s->length_dw));
    json_add(o, "summary", json_string(s->summary));
    json_add(o, "spec", json_string(s->source));
    json_add(o, "fields", fields);
    add_group(o, row, s);
    return o;
}

/* ---- Messages of the GuC ---- */

static struct json_object *message_json(const struct softgt_row_info *m)
{
    struct json_object *o = json_empty();
    json_add(o, "name", json_string(m->name));
    json_add(o, "action", json_uint64(m->value));
    json_add(o, "way", json_string(message_way(m)));
    json_add(o, "least_dw", json_uint64(m->length_dw));
    json_add(o, "most_dw", json_uint64(m->most_length_dw));
    json_add(o, "summary", json_string(m->summary));
    return o;
}

static void list_messages(const struct sheet_arguments *a, struct json_object *all)
{
    const struct softgt_row *row;
    struct softgt_row_info m;
    struct softgt_field_info field;
    if (a->markdown && softgt_spec_rows(a->spec, SOFTGT_ROW_MESSAGE))
        puts("\nMessages of the GuC, after their first dword:\n\n| message | action | way | length, dwords | "
             "what it is | reference |\n| --- | --- | --- | --- | --- | --- |");
    for (size_t n = 0; (row = softgt_spec_row(a->spec, SOFTGT_ROW_MESSAGE, n)) != NULL; n++) {
        softgt_row_get_info(row, &m);
        if (a->json) {
            json_append(all, message_json(&m));
            continue;
        }
        printf(a->markdown ? "| %s | %04x | %s | %u to %u | %s | %s |\n"
                           : "%-36s %04x  %-15s %u to %u dwords  %s\n",
               m.name, m.value, message_way(&m), m.length_dw, m.most_length_dw, m.summary, m.source);
        for (size_t i = 0; a->fields && !a->markdown && softgt_row_get_field(row, i, &field); i++)
            printf("    %3u:%-3u %s\n", field.last_bit, field.first_bit, field.name);
    }
}

int cmd_structures(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(&a, argc, argv, "Lists the structures in memory that a device's commands point to.",
                          SHEET_ACCEPTS_FIELDS | SHEET_ACCEPTS_DECODED);
    struct json_object *const all = json_array(), *const messages = json_array();
    const struct softgt_row *row;
    struct softgt_row_info s;
    if (a.markdown)
        puts("| structure | length, dwords | what it is | reference |\n| --- | --- | --- | --- |");
    for (size_t i = 0; (row = softgt_spec_row(a.spec, SOFTGT_ROW_STRUCTURE, i)) != NULL; i++) {
        softgt_row_get_info(row, &s);
        if (a.json)
            json_append(all, structure_json(row, &s));
        else if (a.markdown)
            printf("| %s | %u | %s | %s |\n", s.name, s.length_dw, s.summary, s.source);
        else
            printf("%-28s %2u dwords  %s\n", s.name, s.length_dw, s.summary);
        if (a.fields && !a.json && !a.markdown)
            sheet_print_command_fields(stdout, row);
    }
    list_messages(&a, messages);
    if (a.json) {
        struct json_object *o = sheet_object(&a, "softgt.structures");
        json_add(o, "structures", all);
        json_add(o, "messages", messages);
        json_print(o);
    } else {
        json_object_put(all);
        json_object_put(messages);
    }
    sheet_arguments_end(&a);
    return TOOL_CLEAN;
}

/* ---- Commands ---- */

static void print_listed(const struct sheet_arguments *a, const struct listed *l)
{
    const struct softgt_row_info *const c = &l->info;
    char engines[64], length[32];
    command_engine_names(c, engines, sizeof engines);
    command_length_rule(c, length, sizeof length);
    if (a->markdown)
        printf("| %08x | %08x | %s | %s | %s | %s | %s | %s |\n", c->value, c->mask, c->name, engines, length,
               command_model_name(c), c->summary, c->source);
    else
        printf("%08x/%08x  %-40s %-8s  %-16s %-26s %s\n", c->value, c->mask, c->name, command_model_name(c),
               length, engines, c->summary);
    if (a->fields && !a->markdown)
        sheet_print_command_fields(stdout, l->row);
}

/* All commands, sorted. */
static struct listed *list_commands(const struct softgt_spec *spec, size_t *count)
{
    *count = softgt_spec_rows(spec, SOFTGT_ROW_COMMAND);
    struct listed *const all = calloc(*count + 1, sizeof *all);
    if (!all)
        tool_no_memory();
    for (size_t i = 0; i < *count; i++) {
        all[i].row = softgt_spec_row(spec, SOFTGT_ROW_COMMAND, i);
        softgt_row_get_info(all[i].row, &all[i].info);
    }
    qsort(all, *count, sizeof *all, by_header);
    return all;
}

int cmd_commands(int argc, char **argv)
{
    struct sheet_arguments a;
    size_t count;
    sheet_arguments_parse(&a, argc, argv, "Lists the commands of a device, or of one engine.",
                          SHEET_ACCEPTS_FIELDS | SHEET_ACCEPTS_ENGINE | SHEET_ACCEPTS_DECODED);
    struct listed *const commands = list_commands(a.spec, &count);
    struct json_object *all = json_array();
    if (a.markdown)
        puts("| header | mask | command | engines | length, dwords | model | what it does | reference |\n"
             "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < count; i++) {
        if (!(commands[i].info.engine_classes & a.classes))
            continue;
        if (a.json)
            json_append(all, as_json(commands[i].row, &commands[i].info));
        else
            print_listed(&a, &commands[i]);
    }
    if (a.json) {
        struct json_object *o = sheet_object(&a, "softgt.commands");
        json_add(o, "commands", all);
        json_print(o);
    } else {
        json_object_put(all);
    }
    free(commands);
    sheet_arguments_end(&a);
    return TOOL_CLEAN;
}
