#include "sheet_arguments.h"

#include "device/host.h"

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "as JSON, with all fields", 0},
    {"markdown", 'm', NULL, 0, "as a Markdown table", 0},
    {"fields", 'f', NULL, 0, "with the fields of each, as text", 0},
    {0},
};

static const struct argp_option options_without_fields[] = {
    {"json", 'j', NULL, 0, "as JSON", 0},
    {"markdown", 'm', NULL, 0, "as Markdown tables", 0},
    {0},
};

static error_t sheet_parse(int key, char *argument, struct argp_state *state)
{
    struct sheet_arguments *a = state->input;
    switch (key) {
    case 'j':
        a->json = true;
        return 0;
    case 'm':
        a->markdown = true;
        return 0;
    case 'f':
        a->fields = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0) {
            if (!tool_device(argument))
                exit(TOOL_UNUSABLE);
            a->sheet = sheet_find(argument);
        } else if (state->arg_num == 1 && a->takes & SHEET_ACCEPTS_ENGINE) {
            a->engine = argument;
            a->classes = sheet_engine_classes(a->sheet, argument);
            if (!a->classes)
                argp_error(state,
                           "%s has no engine '%s': name one (rcs0) or a class (render, copy, video, enhance, "
                           "compute)",
                           a->sheet->info.name, argument);
        } else {
            argp_error(state, "'%s' is too much: %s", argument,
                       a->takes & SHEET_ACCEPTS_ENGINE ? "a device and an engine are all"
                                                       : "a device is all");
        }
        return 0;
    case ARGP_KEY_END:
        if (a->json && a->markdown)
            argp_error(state, "--json or --markdown, not both");
        if (a->fields && (a->json || a->markdown))
            argp_error(state, "--fields does nothing with %s",
                       a->json ? "--json, which has them" : "--markdown, which has none");
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "DEVICE is missing (softgt devices lists them)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void sheet_arguments_parse(struct sheet_arguments *a, int argc, char **argv, const char *doc, unsigned takes)
{
    const struct argp argp = {.options = takes & SHEET_ACCEPTS_FIELDS ? options : options_without_fields,
                              .parser = sheet_parse,
                              .args_doc = takes & SHEET_ACCEPTS_ENGINE ? "DEVICE [ENGINE]" : "DEVICE",
                              .doc = doc};
    *a = (struct sheet_arguments){.classes = ALL_ENGINES, .takes = takes};
    tool_parse(&argp, argc, argv, a);
}

struct json_object *sheet_object(const struct sheet_arguments *a, const char *schema)
{
    struct json_object *o = json_report(schema);
    json_add(o, "device", json_string(a->sheet->info.name));
    return o;
}

struct json_object *sheet_field_json(const struct field *f)
{
    struct json_object *o = json_empty();
    json_add(o, "name", json_string(f->name));
    json_add(o, "first_bit", json_int(f->first));
    json_add(o, "last_bit", json_int(f->last));
    if (f->values) {
        struct json_object *values = json_empty();
        for (const struct field_value *v = f->values; v->name; v++)
            json_add(values, v->name, json_uint64(v->value));
        json_add(o, "values", values);
    }
    return o;
}
