/* softgt: the table of subcommands, and what they share. */
#include "built_features.h"
#include "fail_on.h"
#include "json_errors.h"
#include "tool.h"

#include "base/nearest.h"
#include "gen/sheet.h"
#include "host/code_memory.h"
#include "host/event_text.h"
#include "host/files.h"
#include "host/picture.h"
#include "host/sandbox.h"
#include "host/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

const struct tool tools[] = {
    {"run", "run a trace or a .gts program on the model and show what happened", cmd_run},
    {"serve", "present a device to QEMU, over vfio-user", cmd_serve},
    {"tbx", "present a device to OpenCL's and aubstream's simulator mode, by sockets", cmd_tbx},
    {"exec", "run a program of the host on a device of its own, without a guest", cmd_exec},
    {"desktop", "a Wayland desktop on a device, in a window, over VNC or as a picture", cmd_desktop},
    {"eu", "run a kernel of the execution units alone", cmd_eu},
    {"control", "look into a served device: state, registers, memory, events", cmd_control},
    {"functions", "show and change the functions of a served device", cmd_functions},
    {"debug", "step through a trace or a program, forward and back, and look inside", cmd_debug},
    {"draws", "list the draws of a trace; show one, or who drew a pixel", cmd_draws},
    {"decode", "list the commands of a trace or a raw batch", cmd_decode},
    {"diff", "run two traces or programs and say where they differ", cmd_diff},
    {"asm", "assemble a .gts program into a trace", cmd_asm},
    {"devices", "the devices modelled", cmd_devices},
    {"commands", "the commands of a device", cmd_commands},
    {"structures", "the structures in memory that a device's commands point to", cmd_structures},
    {"instructions", "the instruction set of a device's execution units", cmd_instructions},
    {"registers", "the registers of a device", cmd_registers},
    {"contexts", "the context images of a device's engines", cmd_contexts},
    {"explain", "what a name, a header or an offset means", cmd_explain},
    {"map", "units, register ranges, function IDs, kinds of memory and base addresses of a device", cmd_map},
    {NULL, NULL, NULL},
};

void (*tool_error_hears)(const char *text);

/* "note: ..." or "offset 0x10: note: ...". */
static bool is_note(const char *text)
{
    const char *const behind = strncmp(text, "offset ", 7) == 0 ? strstr(text, ": ") : NULL;
    return strncmp(behind ? behind + 2 : text, "note: ", 6) == 0;
}

void tool_error(const char *file, const char *format, ...)
{
    va_list arguments;
    char text[512];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!is_note(text)) {
        json_errors_add(file, text);
        if (tool_error_hears)
            tool_error_hears(text);
    }
    fflush(stdout);
    fprintf(stderr, "softgt: ");
    if (file)
        fprintf(stderr, "%s: ", file);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* At exit: the object of an error, and a failed write of standard output, with the earlier reason. */
static void on_exit_output(void)
{
    json_errors_end();
    bool known = fflush(stdout) != 0;
    if (!known && !ferror(stdout))
        return;
    known = known || write(STDOUT_FILENO, "", 0) < 0;
    tool_error("standard output", "cannot be written%s%s", known ? ": " : "", known ? strerror(errno) : "");
    _exit(TOOL_UNUSABLE);
}

void tool_no_memory(void)
{
    tool_error(NULL, "out of memory");
    files_end();
    on_exit_output();
    _exit(TOOL_UNUSABLE); /* partial structures are not freed */
}

void tool_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    static char help[] = "--help";
    if (argc > 1 && strcmp(argv[1], "-h") == 0)
        argv[1] = help;
    json_errors_start(argp, argc, argv);
    if (argp_parse(argp, argc, argv, 0, NULL, input) != 0)
        tool_no_memory();
}

/* ---- The sandbox ---- */

static bool without_sandbox;

void tool_no_sandbox(void)
{
    without_sandbox = true;
    tool_error(NULL, "without the sandbox, input that exploits a fault in softgt has all your rights");
    json_errors_forget(); /* a warning */
}

bool tool_seal_sandbox(const char **what)
{
    *what = "the process that keeps files";
    return without_sandbox || sandbox_missing() || (files_start() && sandbox_begin(what));
}

bool tool_begin_sandbox(const char **what)
{
    return without_sandbox || sandbox_missing() || sandbox_seal(what, SANDBOX_RUNS);
}

static struct workers *workers; /* lives as long as the tool */

void tool_start_threads(unsigned threads)
{
    if (threads > 1 && !(workers = workers_create(threads)))
        tool_no_memory();
}

void tool_prepare_threads(unsigned threads)
{
    if (threads > 1 && !(workers = workers_prepare(threads)))
        tool_no_memory();
}

void tool_start_prepared_threads(void)
{
    workers_start(workers);
}

struct softgt_parallel_port tool_threads(void)
{
    return workers_port(workers);
}

struct softgt_code_port tool_code(unsigned pieces)
{
    static struct code_memory *memory; /* to the process's end */
    if (!memory)
        memory = code_memory_create(pieces);
    return code_memory_port(memory);
}

bool tool_sandbox(unsigned threads)
{
    const char *what;
    bool good = tool_seal_sandbox(&what);
    if (good)
        tool_start_threads(threads);
    if (good && tool_begin_sandbox(&what))
        return true;
    tool_error(NULL, "the sandbox: %s: %s (--no-sandbox does without)", what, strerror(errno));
    return false;
}

bool tool_fork_sandbox(void)
{
    const char *what;
    if (without_sandbox || sandbox_missing() || (sandbox_begin(&what) && sandbox_seal(&what, SANDBOX_FORKS)))
        return true;
    tool_error(NULL, "the sandbox: %s: %s (--no-sandbox does without)", what, strerror(errno));
    return false;
}

/* ---- Shared by subcommands ---- */

bool tool_writes_pictures(const char *option)
{
    if (picture_missing())
        tool_error(option, "%s", picture_missing());
    return !picture_missing();
}

int tool_worse(int status, int other)
{
    static const int rank[] = {
        [TOOL_CLEAN] = 0, [TOOL_FAILED_ON] = 1, [TOOL_FAILED] = 2, [TOOL_UNUSABLE] = 3};
    return rank[other] > rank[status] ? other : status;
}

struct device_names {
    char all[400];
    struct nearest near;
};

static void add_device_name(struct device_names *names, const char *name)
{
    nearest_compare(&names->near, name);
    strncat(names->all, *names->all ? ", " : "", sizeof names->all - strlen(names->all) - 1);
    strncat(names->all, name, sizeof names->all - strlen(names->all) - 1);
}

static void unknown_device(const char *name, bool takes_decoded)
{
    const struct softgt_device_info *info;
    char hint[96];
    struct device_names names = {.all = ""};
    nearest_start(&names.near, name, strlen(name));
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++)
        add_device_name(&names, info->name);
    for (size_t i = 0; takes_decoded && decoded_sheets[i]; i++)
        add_device_name(&names, decoded_sheets[i]->info.name);
    tool_error(NULL, "no device is named '%s'%s; there are: %s", name,
               nearest_text(&names.near, hint, sizeof hint), names.all);
}

const struct softgt_device_info *tool_device(const char *name)
{
    const struct softgt_device_info *const info = softgt_device_find(name);
    if (!info && decoded_find(name))
        tool_error(NULL, "%s is only decoded: commands, structures, instructions, explain and decode take it",
                   name);
    else if (!info)
        unknown_device(name, false);
    return info;
}

bool tool_knows_device(const char *name)
{
    const bool is_known = softgt_device_find(name) || decoded_find(name);
    if (!is_known)
        unknown_device(name, true);
    return is_known;
}

const char *tool_outcome(enum softgt_event_kind kind)
{
    const char *const status = softgt_event_status(kind);
    return status ? status : "none";
}

bool tool_is_terminal(int descriptor)
{
    const char *terminal = getenv("TERM");
    return isatty(descriptor) == 1 && terminal && strcmp(terminal, "dumb") != 0;
}

uint64_t tool_count(struct argp_state *state, const char *option, const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (!*text || *end || *text == '-' || errno || value == 0 || value > most)
        argp_error(state, "--%s: '%s' is not a number from 1 to %llu", option, text,
                   (unsigned long long)most);
    return value;
}

static void on_trace_error(void *user, const char *bytes, size_t size_bytes)
{
    argp_error(user, "--trace: %.*s", (int)size_bytes, bytes);
}

void tool_trace(struct argp_state *state, const char *list, struct softgt_event_filter **filter)
{
    const struct softgt_text_port errors = {state, on_trace_error};
    if (!*filter && softgt_event_filter_create(filter) != 0)
        tool_no_memory();
    softgt_event_filter_add(*filter, list, &errors);
}

void tool_print_event(const struct softgt_event *event)
{
    event_print(stdout, event); /* softgt_event_text makes a copy of each line */
}

unsigned tool_tolerate(struct argp_state *state, char *words)
{
    unsigned mask = 0;
    char *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        const unsigned bit = softgt_mistake_bit(word);
        if (!bit)
            argp_error(state, "--tolerate: '%s' is none of short, dropped, misplaced, faults", word);
        mask |= bit;
    }
    if (!mask)
        argp_error(state, "--tolerate names nothing");
    return mask;
}

const char *tool_number(uint64_t value)
{
    static char texts[16][32];
    static unsigned next;
    char *text = texts[next++ % 16];
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return text;
}

void *tool_read(const char *path, uint64_t most_bytes, size_t *size_bytes)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : files_open_stream(path);
    size_t room = 1 << 16, size = 0, got;
    uint8_t *data = file ? malloc(room) : NULL;
    errno = file ? 0 : errno;
    while (data && (got = fread(data + size, 1, room - size, file)) > 0) {
        size += got;
        if (size < room)
            continue;
        uint8_t *more = size <= most_bytes ? realloc(data, room *= 2) : NULL;
        if (!more)
            free(data);
        data = more;
    }
    if (!file || ferror(file))
        tool_error(path, "cannot be read: %s", strerror(errno));
    else if (size <= most_bytes && !data)
        tool_error(path, "cannot be read: out of memory");
    else if (size > most_bytes)
        tool_error(path, "cannot be read: it has more than %llu MB", (unsigned long long)most_bytes >> 20);
    const bool good = data && !ferror(file) && size <= most_bytes;
    if (file && file != stdin)
        fclose(file);
    if (!good)
        free(data);
    *size_bytes = size;
    return good ? data : NULL;
}

bool tool_set_option(const struct tool_option *list, int key, char *argument, struct argp_state *state)
{
    while (list->key && list->key != key)
        list++;
    void *const member = (char *)state->input + list->offset;
    if (!list->key)
        return false;
    switch (list->kind) {
    case TOOL_FLAG:
        *(bool *)member = true;
        break;
    case TOOL_COUNT:
        *(uint64_t *)member = tool_count(state, list->name, argument, list->max);
        break;
    case TOOL_UNSIGNED:
        *(unsigned *)member = (unsigned)tool_count(state, list->name, argument, list->max);
        break;
    case TOOL_MEGABYTES:
        *(uint64_t *)member = tool_count(state, list->name, argument, list->max) << 20;
        break;
    case TOOL_DEVICE:
        if (!tool_device(argument))
            exit(TOOL_UNUSABLE);
        *(const char **)member = argument;
        break;
    case TOOL_TEXT:
        *(const char **)member = argument;
        break;
    case TOOL_FAIL_ON:
        fail_on_parse(member, argument, state);
        break;
    case TOOL_NO_SANDBOX:
        tool_no_sandbox();
    }
    return true;
}

bool tool_ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void usage(FILE *to)
{
    fprintf(to, "usage: softgt SUBCOMMAND [OPTION...]\n\n");
    for (const struct tool *t = tools; t->name; t++)
        fprintf(to, "  %-12s %s\n", t->name, t->summary);
    fprintf(to, "\n'softgt SUBCOMMAND --help' lists its options; softgt(1) is the manual.\n");
}

/* Standard streams that the caller closed become files that fail, so that no other file gets their number. */
static void keep_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
            _exit(TOOL_UNUSABLE);
}

static void unknown_subcommand(const char *name)
{
    struct nearest near;
    char hint[96];
    nearest_start(&near, name, strlen(name));
    for (const struct tool *t = tools; t->name; t++)
        nearest_compare(&near, t->name);
    tool_error(NULL, "no subcommand is named '%s'%s; softgt --help lists them", name,
               nearest_text(&near, hint, sizeof hint));
}

int main(int argc, char **argv)
{
    keep_streams();
    atexit(on_exit_output);
    argp_err_exit_status = TOOL_UNUSABLE;
    argp_program_version = SOFTGT_VERSION_LINES;
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is a write error */
    const char *what = argc > 1 ? argv[1] : NULL;
    if (!what) {
        usage(stderr);
        return TOOL_UNUSABLE;
    }
    static char help[] = "--help";
    if (strcmp(what, "help") == 0 && argc > 2) { /* help SUBCOMMAND */
        what = argv[2];
        argv[2] = help;
    }
    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0 || strcmp(what, "help") == 0) {
        usage(stdout);
        return TOOL_CLEAN;
    }
    if (strcmp(what, "--version") == 0 || strcmp(what, "-V") == 0) {
        puts(SOFTGT_VERSION_LINES);
        return TOOL_CLEAN;
    }
    for (const struct tool *t = tools; t->name; t++) {
        if (strcmp(t->name, what) != 0)
            continue;
        char name[64];
        snprintf(name, sizeof name, "softgt %s", t->name);
        argv[1] = name;
        const int status = t->run(argc - 1, argv + 1);
        json_errors_status(status);
        files_end();
        return status;
    }
    unknown_subcommand(what);
    return TOOL_UNUSABLE;
}
