/* softgt commands: lists a device's commands, from the rows that execute them. */
#include "sheet_arguments.h"
#include "sheet_rows.h"

#include "commands/commands.h"
#include "device/host.h"

static void add_group(struct json_object *o, const struct command *c)
{
    if (!c->group)
        return;
    struct json_object *group = json_array();
    for (unsigned i = 0; i < c->group_count; i++)
        json_append(group, sheet_field_json(&c->group[i]));
    json_add(o, "group_dw", json_int(c->group_dw));
    json_add(o, "group_size_dw", json_int(c->group_size_dw));
    json_add(o, "group", group);
}

static struct json_object *as_json(const struct command *c)
{
    struct json_object *o = json_empty();
    struct json_object *engines = json_array(), *fields = json_array();
    for (unsigned i = 0; i < ENGINE_CLASSES; i++)
        if (c->engines & 1u << i)
            json_append(engines, json_string(engine_class_names[i]));
    for (unsigned i = 0; i < c->field_count; i++)
        json_append(fields, sheet_field_json(&c->fields[i]));
    json_add(o, "name", json_string(c->name));
    json_add(o, "match", json_uint64(c->match));
    json_add(o, "mask", json_uint64(c->mask));
    json_add(o, "engines", engines);
    json_add(o, "length_bits", json_int(c->length_bits));
    json_add(o, "length_bias", json_int(c->length_bias));
    json_add(o, "min_dwords", json_int(c->min_dwords));
    json_add(o, "model", json_string(command_model_name(c)));
    json_add(o, "privileged", json_boolean((c->flags & COMMAND_PRIVILEGED) != 0));
    json_add(o, "privileged_if", json_uint64(c->privileged_if));
    json_add(o, "predicated", json_boolean((c->flags & COMMAND_PREDICATED) != 0));
    json_add(o, "preemptable", json_boolean((c->flags & COMMAND_ARBITRATES) != 0));
    json_add(o, "summary", json_string(c->summary));
    json_add(o, "spec", json_string(c->spec));
    json_add(o, "fields", fields);
    add_group(o, c);
    return o;
}

static int by_header(const void *a, const void *b)
{
    const struct command *x = *(const struct command *const *)a, *y = *(const struct command *const *)b;
    return x->match != y->match ? (x->match < y->match ? -1 : 1) : strcmp(x->name, y->name);
}

static struct json_object *structure_json(const struct command *c)
{
    struct json_object *o = json_empty(), *fields = json_array();
    for (unsigned i = 0; i < c->field_count; i++) {
        struct json_object *field = sheet_field_json(&c->fields[i]);
        if (c->fields[i].base)
            json_add(field, "base", json_string(base_infos[c->fields[i].base].name));
        json_append(fields, field);
    }
    json_add(o, "name", json_string(c->name));
    json_add(o, "length_dw", json_int(c->min_dwords));
    json_add(o, "summary", json_string(c->summary));
    json_add(o, "spec", json_string(c->spec));
    json_add(o, "fields", fields);
    add_group(o, c);
    return o;
}

/* ---- Messages of the GuC ---- */

static struct json_object *message_json(const struct guc_message *m)
{
    struct json_object *o = json_empty();
    json_add(o, "name", json_string(m->name));
    json_add(o, "action", json_uint64(m->action));
    json_add(o, "way", json_string(message_way(m)));
    json_add(o, "least_dw", json_uint64(m->min_dw));
    json_add(o, "most_dw", json_uint64(m->max_dw));
    json_add(o, "summary", json_string(m->summary));
    return o;
}

static void list_messages(const struct sheet_arguments *a, struct json_object *all)
{
    if (a->markdown)
        puts("\nMessages of the GuC, after their first dword:\n\n| message | action | way | length, dwords | "
             "what it is | reference |\n| --- | --- | --- | --- | --- | --- |");
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++)
        for (const struct guc_message *m = (*t)->rows; m < (*t)->rows + (*t)->count; m++) {
            if (a->json) {
                json_append(all, message_json(m));
                continue;
            }
            printf(a->markdown ? "| %s | %04x | %s | %u to %u | %s | %s |\n"
                               : "%-36s %04x  %-15s %u to %u dwords  %s\n",
                   m->name, m->action, message_way(m), m->min_dw, m->max_dw, m->summary, m->spec);
            for (unsigned i = 0; a->fields && !a->markdown && i < m->field_count; i++)
                printf("    %3u:%-3u %s\n", m->fields[i].last, m->fields[i].first, m->fields[i].name);
        }
}

int cmd_structures(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(&a, argc, argv, "Lists the structures in memory that a device's commands point to.",
                          SHEET_ACCEPTS_FIELDS);
    struct command_set set;
    if (!structure_set_create(&set, structure_tables, a.sheet->generation)) {
        tool_error(NULL, "out of memory");
        return TOOL_UNUSABLE;
    }
    struct json_object *all = json_array();
    if (a.markdown)
        puts("| structure | length, dwords | what it is | reference |\n| --- | --- | --- | --- |");
    for (unsigned i = 1; i < set.count; i++) {
        const struct command *c = set.rows[i];
        if (a.json)
            json_append(all, structure_json(c));
        else if (a.markdown)
            printf("| %s | %u | %s | %s |\n", c->name, c->min_dwords, c->summary, c->spec);
        else
            printf("%-28s %2u dwords  %s\n", c->name, c->min_dwords, c->summary);
        if (a.fields && !a.json && !a.markdown)
            sheet_print_command_fields(stdout, c);
    }
    struct json_object *messages = json_array();
    if (a.sheet->guc)
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
    command_set_destroy(&set);
    return TOOL_CLEAN;
}

int cmd_commands(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(&a, argc, argv, "Lists the commands of a device, or of one engine.",
                          SHEET_ACCEPTS_FIELDS | SHEET_ACCEPTS_ENGINE);
    struct command_set set;
    if (!command_set_create(&set, command_tables, a.sheet->generation)) {
        tool_error(NULL, "out of memory");
        return TOOL_UNUSABLE;
    }
    qsort(set.rows + 1, set.count - 1u, sizeof *set.rows, by_header);
    struct json_object *all = json_array();
    if (a.markdown)
        puts("| header | mask | command | engines | length, dwords | model | what it does | reference |\n"
             "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (unsigned i = 1; i < set.count; i++) {
        const struct command *c = set.rows[i];
        char engines[64], length[32];
        if (!(c->engines & a.classes))
            continue;
        command_engine_names(c, engines, sizeof engines);
        command_length_rule(c, length, sizeof length);
        if (a.json)
            json_append(all, as_json(c));
        else if (a.markdown)
            printf("| %08x | %08x | %s | %s | %s | %s | %s | %s |\n", c->match, c->mask, c->name, engines,
                   length, command_model_name(c), c->summary, c->spec);
        else
            printf("%08x/%08x  %-40s %-8s  %-16s %-26s %s\n", c->match, c->mask, c->name,
                   command_model_name(c), length, engines, c->summary);
        if (a.fields && !a.json && !a.markdown)
            sheet_print_command_fields(stdout, c);
    }
    if (a.json) {
        struct json_object *o = sheet_object(&a, "softgt.commands");
        json_add(o, "commands", all);
        json_print(o);
    } else {
        json_object_put(all);
    }
    command_set_destroy(&set);
    return TOOL_CLEAN;
}
