#include "sheet_arguments.h"

#include "sheet_rows.h"

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
            if (a->takes & SHEET_ACCEPTS_DECODED ? !tool_knows_device(argument) : !tool_device(argument))
                exit(TOOL_UNUSABLE);
            a->device = argument;
            a->spec = sheet_spec(argument);
        } else if (state->arg_num == 1 && a->takes & SHEET_ACCEPTS_ENGINE) {
            enum softgt_engine_class class = SOFTGT_CLASS_RENDER;
            a->engine = argument;
            if (softgt_spec_engine_class(a->spec, argument, &class) != 0) {
                tool_error(NULL, "%s has no engine '%s': name " ENGINE_ARGUMENT, a->device, argument);
                exit(TOOL_UNUSABLE);
            }
            a->classes = 1u << class;
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
    *a = (struct sheet_arguments){.classes = (1u << ENGINE_CLASS_NAMES) - 1u, .takes = takes};
    tool_parse(&argp, argc, argv, a);
}

void sheet_arguments_end(struct sheet_arguments *a)
{
    softgt_spec_destroy(a->spec);
}

struct softgt_spec *sheet_spec(const char *device)
{
    struct softgt_spec *spec;
    if (softgt_spec_create(device, &spec) != 0)
        tool_no_memory();
    return spec;
}

bool sheet_has_engine(const struct sheet_arguments *a, const char *engine)
{
    enum softgt_engine_class class;
    if (softgt_spec_engine_class(a->spec, engine, &class) != 0)
        return false;
    return !a->engine || strcmp(a->engine, engine) == 0 ||
           (!strpbrk(a->engine, "0123456789") && a->classes & 1u << class);
}

struct json_object *sheet_object(const struct sheet_arguments *a, const char *schema)
{
    struct json_object *o = json_report(schema);
    json_add(o, "device", json_string(a->device));
    return o;
}

struct json_object *sheet_field_json(const struct softgt_row *row, size_t index)
{
    struct json_object *const o = json_empty();
    struct softgt_field_info f;
    softgt_row_get_field(row, index, &f);
    json_add(o, "name", json_string(f.name));
    json_add(o, "first_bit", json_int((int)f.first_bit));
    json_add(o, "last_bit", json_int((int)f.last_bit));
    if (!f.values)
        return o;
    struct json_object *const values = json_empty();
    for (uint32_t i = 0; i < f.values; i++) {
        uint64_t value;
        const char *const name = softgt_row_value_name(row, index, i, &value);
        json_add(values, name, json_uint64(value));
    }
    json_add(o, "values", values);
    return o;
}
