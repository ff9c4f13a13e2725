/* softgt debug: a prompt that steps through a trace or a program, forward and back, or through a live device.
 */
#include "debug_client.h"
#include "fail_on.h"
#include "input.h"
#include "prompt.h"
#include "tool.h"

#include "host/code_memory.h"

#include <signal.h>
#include <unistd.h>

struct debug_arguments {
    const char *file, *device, *socket;
    struct prompt_scripts scripts;
    bool force, no_translation, timing;
    enum replay_draws draws;
    int colour; /* -1: on a terminal only */
    uint64_t memory_limit, budget;
    struct fail_on fail_on;
};

static bool is_coloured(const struct debug_arguments *a)
{
    return a->colour > 0 || (a->colour < 0 && tool_is_terminal(STDOUT_FILENO) && !getenv("NO_COLOR"));
}

/* ---- A replay ---- */

static enum debugger_result replay_line(void *user, const char *line)
{
    return debugger_line(user, line);
}

static const char *replay_complete(void *user, const char *line)
{
    return debugger_complete(user, line);
}

static void note_reports(struct fail_on *f, const struct debug_reports *r)
{
    for (unsigned bit = 0; bit < 8 * sizeof r->mistakes; bit++) {
        struct softgt_report report = {.complaint = (enum softgt_complaint)bit};
        if (report.complaint != SOFTGT_GUEST_ERROR && r->complaints >> bit & 1u)
            fail_on_report(f, &report);
        report = (struct softgt_report){.mistake = (enum softgt_mistake)bit};
        if (r->mistakes >> bit & 1u)
            fail_on_report(f, &report);
    }
    f->happened |= (r->is_counted ? FAIL_BIT(UNSUPPORTED) : 0) | (r->hung ? FAIL_BIT(HUNG) : 0);
}

static int debug_file(struct debug_arguments *a)
{
    struct input input;
    input_allow(a->file);
    if (!input_read(&input, a->file, a->device, a->memory_limit))
        return TOOL_UNUSABLE;
    struct code_memory *const code = a->no_translation ? NULL : code_memory_create(TOOL_CODE_PIECES);
    const struct replay_options replay = {
        .device = a->device,
        .force = a->force,
        .budget_dw = a->budget,
        .memory_limit_bytes = a->memory_limit,
        .timing = a->timing,
        .draws = a->draws,
    };
    const struct debugger_options options = {
        .trace = input.data,
        .trace_bytes = input.size,
        .replay = &replay,
        .code = code,
        .confine = tool_fork_sandbox,
        .colour = is_coloured(a),
    };
    signal(SIGINT, SIG_IGN); /* it stops the replay */
    struct debugger *const d = debugger_open(&options);
    struct prompt p = {.user = d, .line = replay_line, .complete = replay_complete};
    if (d) {
        debugger_where(d);
        prompt_run(&p, &a->scripts);
        const struct debug_reports reports = debugger_reports(d);
        note_reports(&a->fail_on, &reports);
    }
    debugger_close(d);
    code_memory_destroy(code);
    input_close(&input);
    const int status = !d ? TOOL_UNUSABLE : p.failed ? TOOL_FAILED : TOOL_CLEAN;
    return fail_on_status(&a->fail_on, a->file, status);
}

/* ---- A live device ---- */

static int debug_socket(const struct debug_arguments *a)
{
    struct debug_client client;
    debug_client_open(&client, a->socket);
    if (!debug_client_attach(&client, is_coloured(a))) {
        debug_client_close(&client);
        return TOOL_UNUSABLE;
    }
    struct prompt p = debug_client_prompt(&client);
    prompt_run(&p, &a->scripts);
    if (client.is_gone)
        puts("the device is gone");
    debug_client_close(&client);
    return p.failed ? TOOL_FAILED : TOOL_CLEAN;
}

static int debug(struct debug_arguments *a)
{
    const bool good = prompt_read_scripts(&a->scripts);
    const int status = !good ? TOOL_UNUSABLE : a->socket ? debug_socket(a) : debug_file(a);
    prompt_free_scripts(&a->scripts);
    return status;
}

/* ---- Options ---- */

enum { FORCE = 1000, NO_SANDBOX, NO_TRANSLATION, TIMING, DRAWS, NO_DRAWS, COLOUR, BATCH, CONNECT, FAIL_ON };

static const struct argp_option options[] = {
    {"execute", 'x', "FILE", 0, "carry out the lines of this file first; may be repeated", 0},
    {"batch", BATCH, NULL, 0, "end after the files of --execute", 0},
    {"connect", CONNECT, "SOCKET", 0,
     "debug the live device at the control socket of softgt serve or softgt exec, instead of FILE", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and one of these happened: unsupported, unknown, hung, "
     "faults, errors, trouble or all, separated by commas",
     0},
    {"device", 'd', "NAME", 0, "run on this device, not on the one that the trace or program names", 0},
    {"force", FORCE, NULL, 0, "run a trace on a device of another generation than it was recorded on", 0},
    {"budget", 'b', "DWORDS", 0, "dwords after which a submission counts as looping (268435456)", 0},
    {"memory", 'm', "MB", 0, "memory that a trace may use (8192)", 0},
    {"timing", TIMING, NULL, 0, "commands take virtual time, by round figures of the device", 0},
    {"no-draws", NO_DRAWS, NULL, 0, "count 3D draws, do not run them", 0},
    {"draws", DRAWS, NULL, 0, "also run the draws of a recording whose device did not run them", 0},
    {"color", COLOUR, "WHEN", 0, "always, never or auto (on a terminal)", 0},
    {"no-translation", NO_TRANSLATION, NULL, 0,
     "interpret all kernels, do not translate them to host code; slower", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static const struct tool_option debug_members[] = {
    {'d', TOOL_DEVICE, offsetof(struct debug_arguments, device)},
    {'m', TOOL_MEGABYTES, offsetof(struct debug_arguments, memory_limit), "memory", UINT64_C(1) << 20},
    {'b', TOOL_COUNT, offsetof(struct debug_arguments, budget), "budget", UINT64_C(1) << 40},
    {FORCE, TOOL_FLAG, offsetof(struct debug_arguments, force)},
    {BATCH, TOOL_FLAG, offsetof(struct debug_arguments, scripts.ends)},
    {CONNECT, TOOL_TEXT, offsetof(struct debug_arguments, socket)},
    {TIMING, TOOL_FLAG, offsetof(struct debug_arguments, timing)},
    {NO_TRANSLATION, TOOL_FLAG, offsetof(struct debug_arguments, no_translation)},
    {FAIL_ON, TOOL_FAIL_ON, offsetof(struct debug_arguments, fail_on)},
    {NO_SANDBOX, TOOL_NO_SANDBOX},
    {0},
};

static error_t debug_parse(int key, char *argument, struct argp_state *state)
{
    struct debug_arguments *const a = state->input;
    if (tool_set_option(debug_members, key, argument, state))
        return 0;
    switch (key) {
    case 'x':
        prompt_add_script(&a->scripts, state, argument);
        return 0;
    case DRAWS:
        a->draws = REPLAY_DRAWS_ALWAYS;
        return 0;
    case NO_DRAWS:
        a->draws = REPLAY_DRAWS_ARE_COUNTED;
        return 0;
    case COLOUR:
        a->colour = strcmp(argument, "always") == 0 ? 1 : strcmp(argument, "never") == 0 ? 0 : -1;
        if (a->colour < 0 && strcmp(argument, "auto") != 0)
            argp_error(state, "--color: '%s' is none of always, never, auto", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (a->file)
            argp_error(state, "one FILE at a time");
        a->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!a->file && !a->socket)
            argp_error(state, "no FILE, and no --connect");
        if (a->file && a->socket)
            argp_error(state, "FILE or --connect, not both");
        if (a->socket && a->fail_on.wanted)
            argp_error(state, "--fail-on does nothing with --connect: softgt serve and softgt exec have it");
        if (a->force && !a->device)
            argp_error(state, "--force does nothing without --device");
        if (a->scripts.ends && !a->scripts.count)
            argp_error(state, "--batch does nothing without --execute");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_debug(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = debug_parse,
        .args_doc = "FILE\n--connect=SOCKET",
        .doc =
            "Steps through an AUB trace (also .xz, .gz, .zst) or a .gts program, forward and back: stops at "
            "commands, writes, events and instructions; shows commands, registers, memory, state and "
            "threads; says what wrote where. 'help' at the prompt lists its commands. A live device stops, "
            "shows and "
            "changes the same; it has no way back.\v"
            "Exit status: 0 clean, 1 when a line could not be carried out, 2 for unusable input, 3 by "
            "--fail-on.",
    };
    struct debug_arguments a = {.colour = -1, .fail_on.words = FAIL_ON_DEBUG};
    tool_parse(&argp, argc, argv, &a);
    return debug(&a);
}
