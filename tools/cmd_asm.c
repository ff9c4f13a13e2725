/* softgt asm: writes programs of the text form as AUB traces. */
#include "tool.h"

#include "host/files.h"
#include "player/gts_run.h"

struct arguments {
    const char *device, *output;
    bool json, quiet;
    char **files;
    int file_count;
};

struct result {
    const struct arguments *arguments;
    struct json_object *errors, *notes;
};

static void asm_on_message(void *user, const struct gts_message *m)
{
    struct result *r = user;
    static const char *const kinds[] = {"", "note: ", "error: ", "failed: "};
    if (m->kind == GTS_ERROR || m->kind == GTS_NOTE) {
        struct json_object *entry = json_empty();
        if (m->line) {
            json_add(entry, "line", json_uint64(m->line));
            json_add(entry, "column", json_uint64(m->column));
        }
        json_add(entry, "text", json_text(m->text));
        json_append(m->kind == GTS_ERROR ? r->errors : r->notes, entry);
    }
    if (m->kind == GTS_NOTE && r->arguments->quiet)
        return;
    if (m->line)
        fprintf(stderr, "%s:%u:%u: %s%s\n", m->file, m->line, m->column, kinds[m->kind], m->text);
    else
        fprintf(stderr, "%s: %s%s\n", m->file, kinds[m->kind], m->text);
}

enum { NO_SANDBOX = 256 };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "the trace to write, - is standard output; by default the program's name with .aub", 0},
    {"device", 'd', "NAME", 0, "use this device instead of the program's", 0},
    {"json", 'j', NULL, 0, "print as JSON the output, errors, and statements that AUB cannot express", 0},
    {"quiet", 'q', NULL, 0, "do not report statements that AUB cannot express", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static error_t asm_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = argument;
        return 0;
    case 'd':
        if (!tool_device(argument))
            exit(TOOL_UNUSABLE);
        a->device = argument;
        return 0;
    case 'j':
        a->json = true;
        return 0;
    case 'q':
        a->quiet = true;
        return 0;
    case NO_SANDBOX:
        tool_no_sandbox();
        return 0;
    case ARGP_KEY_ARGS:
        a->files = state->argv + state->next;
        a->file_count = state->argc - state->next;
        if (a->output && a->file_count > 1)
            argp_error(state, "--output is for one program");
        if (a->output && files_are_same(a->files[0], a->output))
            argp_error(state, "--output: '%s' is the program itself", a->output);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which program?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "hello.gts" -> "hello.aub", in the program's folder. */
static char *output_name(const char *file)
{
    if (strcmp(file, "-") == 0)
        return strdup(file);
    const size_t length = strlen(file) - (tool_ends_with(file, ".gts") ? 4 : 0);
    char *name = malloc(length + 5);
    if (!name)
        return NULL;
    memcpy(name, file, length);
    memcpy(name + length, ".aub", 5);
    return name;
}

static int assemble(const struct arguments *a, const char *file, const char *output)
{
    struct result r = {a, json_array(), json_array()};
    const struct gts_options o = {.device = a->device, .user = &r, .message = asm_on_message};
    const int status = (int)gts_assemble_file(file, output, &o);
    if (a->json) {
        struct json_object *report = json_report("softgt.asm");
        json_add(report, "program", json_text(file));
        json_add(report, "output", status == TOOL_CLEAN ? json_text(output) : NULL);
        json_add(report, "result", json_string(status == TOOL_CLEAN ? "pass" : "unusable"));
        json_add(report, "exit_status", json_int(status));
        json_add(report, "errors", r.errors);
        json_add(report, "notes", r.notes);
        json_print(report);
    } else {
        json_object_put(r.errors);
        json_object_put(r.notes);
    }
    return status;
}

/* Allows the files that are read and written. */
static bool name_files(const struct arguments *a, char **outputs)
{
    for (int i = 0; i < a->file_count; i++) {
        outputs[i] = a->output ? strdup(a->output) : output_name(a->files[i]);
        if (!outputs[i])
            return false;
        files_allow(FILES_READ, a->files[i]);
        files_allow(FILES_WRITE, outputs[i]);
    }
    return true;
}

int cmd_asm(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = asm_parse,
        .args_doc = "PROGRAM.gts...",
        .doc = "Assembles programs in the text form (gts(5)) into AUB traces."
               "\vExit status: 0 when the traces were written, 2 when a program has errors or a file cannot "
               "be used.",
    };
    struct arguments a = {0};
    tool_parse(&argp, argc, argv, &a);
    char **const outputs = calloc((size_t)a.file_count, sizeof *outputs);
    const bool named = outputs && name_files(&a, outputs);
    if (!named)
        tool_error(NULL, "out of memory");
    const bool ready = named && tool_sandbox(1);
    int worst = ready ? TOOL_CLEAN : TOOL_UNUSABLE;
    for (int i = 0; ready && i < a.file_count; i++) {
        const int status = assemble(&a, a.files[i], outputs[i]);
        worst = status > worst ? status : worst;
    }
    for (int i = 0; outputs && i < a.file_count; i++)
        free(outputs[i]);
    free(outputs);
    return worst;
}
