/* softgt functions: shows and changes the virtual functions of a server. */
#include "control_client.h"

#include "host/files.h"

#include <errno.h>
#include <unistd.h>

struct arguments {
    const char *folder, *verb, *function, *file; /* of save or restore */
    struct json_object *request;
    bool json;
};

static const struct argp_option options[] = {{"json", 'j', NULL, 0, "as JSON", 0}, {0}};

static void parse_key(struct arguments *a, char *argument, struct argp_state *state)
{
    char *const value = strchr(argument, '='), *end = NULL;
    errno = 0;
    const unsigned long long number = value ? strtoull(value + 1, &end, 0) : 0;
    if (!value || !value[1] || *end || value[1] == '-' || errno) {
        argp_error(state, "'%s' is no KEY=NUMBER", argument);
        return;
    }
    *value = 0;
    json_add(a->request, argument, json_uint64(number));
}

static bool uses_file(const struct arguments *a)
{
    return strcmp(a->verb, "save") == 0 || strcmp(a->verb, "restore") == 0;
}

static error_t functions_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'j':
        a->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!a->folder)
            a->folder = argument;
        else if (!a->verb)
            a->verb = argument;
        else if (!a->function)
            a->function = argument;
        else if (!uses_file(a))
            parse_key(a, argument, state);
        else if (!a->file)
            a->file = argument;
        else
            argp_error(state, "'%s' is one file too many", argument);
        return 0;
    case ARGP_KEY_END:
        if (!a->folder)
            argp_error(state, "DIR is missing: the server's folder of sockets");
        if (a->verb && !a->function)
            argp_error(state, "%s: FUNCTION is missing", a->verb);
        if (a->verb && uses_file(a) && !a->file)
            argp_error(state, "%s: FILE is missing", a->verb);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Output ---- */

static const char *word(struct json_object *o, const char *key)
{
    struct json_object *value;
    const char *const text = json_object_object_get_ex(o, key, &value) ? json_object_get_string(value) : NULL;
    return text ? text : "?";
}

static void functions_print(struct json_object *o)
{
    static const struct {
        const char *key, *title;
        int width;
    } columns[] = {{"function", "", 8},
                   {"state", "state", 9},
                   {"ggtt_mb", "GGTT MB", 8},
                   {"local_mb", "local MB", 9},
                   {"contexts", "contexts", 9},
                   {"doorbells", "doorbells", 10},
                   {"quantum_ms", "quantum ms", 11},
                   {"preemption_us", "preemption us", 14},
                   {"priority", "priority", 9},
                   {"busy_ms", "busy ms", 9},
                   {"client", "client", 7}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    struct json_object *all;
    printf("%s, driven by %s; pf: busy %s ms, client %s\n", word(o, "device"), word(o, "driver"),
           word(o, "pf_busy_ms"), word(o, "pf_client"));
    for (unsigned i = 0; i < COLUMNS; i++)
        printf("%*s", i ? columns[i].width : -columns[i].width, columns[i].title);
    putchar('\n');
    if (!json_object_object_get_ex(o, "functions", &all) || !json_object_is_type(all, json_type_array))
        return;
    for (size_t n = 0; n < json_object_array_length(all); n++) {
        for (unsigned i = 0; i < COLUMNS; i++)
            printf("%*s", i ? columns[i].width : -columns[i].width,
                   word(json_object_array_get_idx(all, n), columns[i].key));
        putchar('\n');
    }
}

/* Saves or restores part by part, so that the server serves others in between. */
static bool functions_transfer(struct control_connection *c, const struct arguments *a)
{
    const bool saves = strcmp(a->verb, "save") == 0;
    int number = 0;
    const int file = saves ? files_create(a->file, &number) : files_open(a->file);
    bool good = file >= 0;
    if (!good)
        tool_error(a->file, "%s", files_error(errno));
    for (uint64_t part = 0, parts = 1; good && part < parts; part++) {
        struct json_object *value, *o;
        json_add(a->request, "part", json_uint64(part));
        o = control_ask(c, a->request, file, a->function, NULL);
        good = o && json_object_object_get_ex(o, "parts", &value);
        parts = good ? json_object_get_uint64(value) : 0;
        json_object_put(o);
    }
    if (file >= 0)
        close(file);
    if (saves && file >= 0 && !files_finish(number, good) && good) {
        tool_error(a->file, "%s", strerror(errno));
        good = false;
    }
    return good;
}

int cmd_functions(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = functions_parse,
        .args_doc = "DIR [set|pause|resume|reset FUNCTION [KEY=NUMBER...]]\nDIR save|restore FUNCTION FILE",
        .doc = "Shows the functions of a server (softgt serve --functions) and changes them: set gives a "
               "function another share; pause, resume and reset act on one function; save and restore copy a "
               "paused function to and from a file.",
    };
    struct arguments a = {.request = json_empty()};
    tool_parse(&argp, argc, argv, &a);
    json_add(a.request, "do", json_text(a.verb ? a.verb : "show"));
    if (a.function)
        json_add(a.request, "function", json_text(a.function));
    struct control_connection c;
    const char *line = NULL;
    control_open(&c, a.folder, true);
    bool good = !a.verb || !a.file || functions_transfer(&c, &a);
    if (good && a.file) { /* the current state */
        json_object_put(a.request);
        a.request = json_empty();
        json_add(a.request, "do", json_text("show"));
    }
    struct json_object *const o = good ? control_ask(&c, a.request, -1, a.function, &line) : NULL;
    good = o;
    if (good && a.json)
        puts(line);
    else if (good)
        functions_print(o);
    json_object_put(o);
    json_object_put(a.request);
    control_close(&c);
    return good ? TOOL_CLEAN : TOOL_UNUSABLE;
}
