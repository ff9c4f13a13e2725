/* softgt run: executes traces and programs on the model. */
#include "json_errors.h"
#include "run.h"

#include "run_jobs.h"

#include "hang/replay.h"
#include "host/files.h"
#include "player/gts_run.h"
#include "host/output.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Tracing ---- */

static unsigned wanted_events(const struct run *run)
{
    return softgt_event_filter_mask(run->options.trace) | TRACKED_EVENTS |
           softgt_timeline_port(run->timeline).mask | (run->surfaces ? SURFACES_EVENTS : 0u);
}

static void show_event(void *user, const struct softgt_event *e)
{
    const struct run *run = user;
    const struct event_place place = position_tracker_place(&run->position_tracker, e->unit);
    if (!softgt_event_filter_takes(run->options.trace, e))
        return;
    if (run->options.json)
        event_json_print(stdout, &place, e);
    else
        tool_print_event(e);
}

static void run_on_event(void *user, const struct softgt_event *e)
{
    struct run *run = user;
    position_tracker_event(&run->position_tracker, e);
    if (run->timeline)
        run->timeline_port.event(run->timeline_port.user, e);
    if (run->surfaces && e->what & SURFACES_EVENTS)
        surfaces_event(run->surfaces, e);
    show_event(run, e);
    /* With --trace commands: lists the rest of the batch after an unknown command. */
    if (e->what & softgt_event_filter_mask(run->options.trace) && e->kind == SOFTGT_EVENT_UNKNOWN &&
        run->device_running)
        events_after_unknown(run->device_running, e, run, show_event);
}

static void show_instruction(void *user, const struct softgt_eu_thread *thread)
{
    const struct run *run = user;
    if (run->options.json)
        json_print(instruction_json(&run->position_tracker, thread));
    else if (!eu_trace_print(stdout, thread))
        tool_no_memory();
}

static void show_limit(void *user, uint64_t limit)
{
    const struct run *run = user;
    if (run->options.json)
        json_print(instruction_limit_json(limit));
    else
        eu_trace_print_limit(stdout, limit);
}

/* ---- Output ---- */

static volatile sig_atomic_t stop;

static void run_on_signal(int number)
{
    (void)number;
    stop = 1;
}

static bool run_is_stopped(void *user)
{
    (void)user;
    return stop;
}

static void hide_progress(struct run *run)
{
    if (run->progress_shown)
        fputs("\r\033[K", stderr);
    run->progress_shown = false;
}

static void on_progress(void *user, uint64_t offset, uint64_t read_bytes, uint64_t file_bytes)
{
    struct run *run = user;
    fprintf(stderr, "\r%s: %llu MB", run->file, (unsigned long long)(offset >> 20));
    if (file_bytes)
        fprintf(stderr, ", %llu %%", (unsigned long long)(read_bytes * 100u / file_bytes));
    run->progress_shown = true;
}

static void run_on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    struct run *run = user;
    hide_progress(run);
    if (offset != REPLAY_NO_OFFSET)
        tool_error(run->file, "offset %#llx: %s%s", (unsigned long long)offset,
                   kind == REPLAY_NOTE ? "note: " : "", text);
    else
        tool_error(run->file, "%s%s", kind == REPLAY_NOTE ? "note: " : "", text);
    if (kind != REPLAY_ERROR || !run->errors)
        return;
    struct json_object *error = json_empty();
    if (offset != REPLAY_NO_OFFSET)
        json_add(error, "offset", json_uint64(offset));
    json_add(error, "text", json_text(text));
    json_append(run->errors, error);
}

static void on_report(void *user, const struct softgt_report *report)
{
    struct run *run = user;
    fail_on_report(&run->fail_on, report);
    struct complaint *c = complaints_add(&run->complaints, report);
    if (!c)
        return;
    const struct engine_position *engine = position_tracker_engine(&run->position_tracker, report->unit);
    c->batch = engine_position_batch(engine);
    c->has_context = engine->has_context;
    c->context = engine->lrca;
    c->has_offset = run->position_tracker.is_trace;
    c->offset = run->position_tracker.position.offset;
    c->submission = run->position_tracker.position.submission;
}

/* A program has one report for each device that it names. */
static void on_started(void *user, struct softgt *device)
{
    struct run *run = user;
    if (json_object_object_get(run->report, "device")) {
        run->worst = tool_worse(
            run->worst,
            run_finish_report(run, json_object_array_length(run->errors) ? TOOL_FAILED : TOOL_CLEAN));
        run_begin_report(run);
    }
    run->position_tracker = (struct position_tracker){.is_trace = run->position_tracker.is_trace};
    run->device_running = device;
    const struct softgt_eu_hooks hooks = eu_trace_hooks(&run->eu_trace);
    if (run->eu_trace.limit && softgt_watch_threads(device, &hooks) != 0)
        tool_no_memory();
    if (run->surfaces)
        surfaces_device(run->surfaces, device);
}

static bool on_trace_started(void *user, struct softgt *device)
{
    struct run *run = user;
    on_started(user, device);
    if (!run->surface || surface_fits(run->surface, device))
        return true;
    run->surface = NULL; /* the program produced nothing to show */
    return false;
}

static void on_finished(void *user, struct softgt *device)
{
    struct run *run = user;
    hide_progress(run);
    if (run->surfaces && !surfaces_finish(run->surfaces, device, run->file))
        run->write_failed = true;
    if (run->surface && !surface_save(run->surface, device, run->surface_file))
        run->write_failed = true;
    run_report_device(run, device);
    run->device_running = NULL;
}

/* ---- Saved states ---- */

static bool save_state(void *user, const void *data, size_t size_bytes)
{
    struct run *run = user;
    const bool good = output_write(run->options.save_file, data, size_bytes);
    if (!good)
        tool_error(run->options.save_file, "cannot be written (--save-at): %s", files_error(errno));
    run->write_failed |= !good;
    return good;
}

/* ---- One file ---- */

static int run_trace(struct run *run)
{
    if (run->options.self_check) {
        tool_error(run->file, "--self-check is for programs (.gts)");
        return TOOL_UNUSABLE;
    }
    const struct replay_options options = {
        .device = run->options.device,
        .force = run->options.force,
        .tolerate = run->options.tolerate,
        .position = &run->position_tracker.position,
        .stop = run_is_stopped,
        .memory_limit_bytes = run->options.memory_limit,
        .budget_dw = run->options.budget,
        .timing = run->options.timing,
        .draws = run->options.draws,
        .last_draw = run->options.last_draw,
        .parallel = tool_threads(),
        .code = run->options.code,
        .trace = {run, wanted_events(run), run_on_event},
        .report = {run, on_report},
        .save_at_dw = run->options.save_at,
        .save = run->options.save_at ? save_state : NULL,
        .load = run->loaded_state,
        .load_bytes = run->loaded_bytes,
        .load_name = run->options.load_file,
        .user = run,
        .message = run_on_message,
        .progress = run->is_terminal ? on_progress : NULL,
        .started = on_trace_started,
        .finished = on_finished,
    };
    struct replay_result result;
    run->result = &result;
    run->position_tracker.is_trace = true;
    const enum replay_outcome outcome =
        run->input.data ? replay_memory(run->input.data, run->input.size, &options, &result)
                        : replay_file(run->file, &options, &result);
    run->result = NULL;
    if (result.hung)
        fail_on_note(&run->fail_on, FAIL_HUNG, "a submission was ended");
    if (result.undrawn)
        fail_on_note(&run->fail_on, FAIL_TROUBLE, "draws are not complete");
    hide_progress(run);
    struct json_object *r = run->report;
    json_add(r, "application", json_text(result.application));
    json_add(r, "compares", json_uint64(result.compares));
    json_add(r, "compares_failed", json_uint64(result.compares_failed));
    json_add(r, "polls", json_uint64(result.polls));
    json_add(r, "polls_failed", json_uint64(result.polls_failed));
    if (!run->options.json && outcome != REPLAY_UNUSABLE)
        printf("  compares: %s of %s failed; polls: %s of %s failed; %s MB of memory\n",
               tool_number(result.compares_failed), tool_number(result.compares),
               tool_number(result.polls_failed), tool_number(result.polls),
               tool_number(result.memory_bytes >> 20));
    return (int)outcome;
}

/* The reason of a failure, with --jobs. */
static void hear_gts_error(const struct gts_message *m)
{
    char text[512], line[32] = "";
    if (m->line)
        snprintf(line, sizeof line, "line %u: ", m->line);
    snprintf(text, sizeof text, "%s%s", line, m->text);
    jobs_hear(text);
}

static void on_gts_message(void *user, const struct gts_message *m)
{
    struct run *run = user;
    static const char *const kinds[] = {"", "note: ", "error: ", "failed: "};
    if (m->kind == GTS_OUTPUT && run->options.json) {
        struct json_object *line = json_empty();
        json_add(line, "line", json_uint64(m->line));
        json_add(line, "text", json_text(m->text));
        run->output = run->output ? run->output : json_array();
        json_append(run->output, line);
        return;
    }
    if (m->kind == GTS_OUTPUT) {
        puts(m->text);
        return;
    }
    fflush(stdout);
    fputs(m->file, stderr);
    if (m->line)
        fprintf(stderr, ":%u:%u", m->line, m->column);
    fprintf(stderr, m->device ? ": %s%s (%s)\n" : ": %s%s\n", kinds[m->kind], m->text, m->device);
    if (m->kind < GTS_ERROR)
        return;
    hear_gts_error(m);
    struct json_object *error = json_empty();
    if (m->line)
        json_add(error, "line", json_uint64(m->line));
    json_add(error, "text", json_text(m->text));
    json_append(run->errors, error);
}

/* Prints the number of expectations that held. */
static void on_ended(void *user, const struct gts_outcome *outcome)
{
    struct run *run = user;
    json_add(run->report, "expectations", json_uint64(outcome->expectations));
    json_add(run->report, "expectations_held", json_uint64(outcome->met));
    if (run->options.json || !outcome->expectations)
        return;
    if (outcome->met == outcome->expectations)
        printf("  %s expectation%s held\n", tool_number(outcome->met), outcome->met == 1 ? "" : "s");
    else
        printf("  %s of %s expectations held\n", tool_number(outcome->met),
               tool_number(outcome->expectations));
}

static int run_program(struct run *run)
{
    if (run->options.last_draw) {
        tool_error(run->file, "--stop-after-draw is for traces (softgt asm makes one of a program)");
        return TOOL_UNUSABLE;
    }
    if (run->options.save_at || run->loaded_state) {
        tool_error(run->file, "states are saved and loaded in traces (softgt asm makes one of a program)");
        return TOOL_UNUSABLE;
    }
    run->position_tracker.is_trace = false;
    const struct gts_options options = {
        .device = run->options.device,
        .stop = run_is_stopped,
        .self_check = run->options.self_check,
        .first_device = run->surface || run->surfaces || run->timeline, /* of one run */
        .memory_limit = run->options.memory_limit,
        .tolerate = run->options.tolerate,
        .budget_dw = run->options.budget,
        .timing = run->options.timing,
        .no_draws = run->options.draws == REPLAY_DRAWS_ARE_COUNTED,
        .parallel = tool_threads(),
        .code = run->options.code,
        .trace = {run, wanted_events(run), run_on_event},
        .report = {run, on_report},
        .user = run,
        .message = on_gts_message,
        .started = on_started,
        .finished = on_finished,
        .ended = on_ended,
    };
    if (run->input.data)
        return (int)gts_run_text(run->file, run->input.data, run->input.size, &options);
    return (int)gts_run_file(run->file, &options);
}

static int run_error_state(struct run *run)
{
    struct hang_options options = {
        .budget_dw = run->options.budget,
        .memory_limit_bytes = run->options.memory_limit,
        .draws = run->options.draws != REPLAY_DRAWS_ARE_COUNTED,
        .timing = run->options.timing,
        .parallel = tool_threads(),
        .code = run->options.code,
        .trace = {run, wanted_events(run), run_on_event},
        .report = {run, on_report},
        .stop = &stop,
        .user = run,
        .started = on_started,
        .finished = on_finished,
    };
    run->position_tracker.is_trace = false;
    return run_hang(run, &options);
}

static int run_file(struct run *run)
{
    if (!run->options.is_error && !input_open(&run->input, run->file))
        return TOOL_UNUSABLE;
    run_begin_report(run);
    run->worst = TOOL_CLEAN;
    const int status = run->options.is_error   ? run_error_state(run)
                       : run->input.is_program ? run_program(run)
                                               : run_trace(run);
    const int reported = run_finish_report(run, status);
    input_close(&run->input);
    return status ? status : tool_worse(run->worst, reported);
}

/* ---- Options ---- */

enum {
    SAVE = 1000,
    FORCE,
    TOLERATE,
    SELF_CHECK,
    NO_SANDBOX,
    NO_TRANSLATION,
    THREADS,
    TIMING,
    DRAWS,
    NO_DRAWS,
    LAST_DRAW,
    EU_TRACE,
    EU_LIMIT,
    ERROR_STATE,
    FAIL_ON,
    TAP,
    JUNIT,
    TIMEOUT
};

static const struct argp_option options[] = {
    {"jobs", 'J', "COUNT", OPTION_ARG_OPTIONAL,
     "run so many files at once, each in a process of its own; 0, or no COUNT: one for each processor", 0},
    {"tap", TAP, NULL, 0, "print the results as TAP 14, a test for each file; implies --jobs=1", 0},
    {"junit", JUNIT, "FILE", 0, "write the results as JUnit's XML; implies --jobs=1", 0},
    {"timeout", TIMEOUT, "SECONDS", 0, "with --jobs: time after which a file counts as hung (1800)", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and one of these happened: unsupported, unknown, hung, "
     "faults, bounds, errors, trouble, unused or all, separated by commas",
     0},
    {"device", 'd', "NAME", 0, "run on this device, not on those that the trace or program names", 0},
    {"error", ERROR_STATE, NULL, 0,
     "FILE is an i915 error state or a devcoredump of xe: run to where the engine stood, and compare", 0},
    {"trace", 't', "WHAT", 0, "print events as they happen: " TOOL_TRACE_HELP, 0},
    {"eu-trace", EU_TRACE, "WHICH", OPTION_ARG_OPTIONAL,
     "print each EU instruction and the registers that it changes; WHICH is a list of kernel=ADDRESS, "
     "group=X[:Y[:Z]], thread=N, ip=FIRST[:LAST], separated by commas",
     0},
    {"eu-trace-limit", EU_LIMIT, "COUNT", 0, "number of instructions that --eu-trace prints (10000)", 0},
    {"surface", 'u', "ADDRESS,WIDTHxHEIGHT,FORMAT,TILING[,PITCH]", 0,
     "write this surface as a PNG picture at the end; ADDRESS may begin with an engine's name or ggtt and a "
     "colon, TILING is linear, x, y, yf, ys, 4 or 64, PITCH is in bytes",
     0},
    {"output", 'o', "FILE", 0, "the file of --surface (surface.png), or of --save-at", 0},
    {"surfaces", 'U', "DIR", 0,
     "write every surface that blits drew on as a picture, and a page that shows them", 0},
    {"timeline", 'T', "FILE", 0, "write a timeline for the Perfetto UI; --trace commands adds all commands",
     0},
    {"json", 'j', NULL, 0, "print one JSON object a line: each event of --trace, then each trace", 0},
    {"state", 's', NULL, 0, "print the state commands that each engine ends with, with their fields", 0},
    {"quiet", 'q', NULL, 0, "do not print the device's complaints", 0},
    {"budget", 'b', "DWORDS", 0, "dwords after which a submission counts as looping (268435456)", 0},
    {"threads", THREADS, "COUNT", 0, "host threads that run thread groups in parallel, up to 64 (1)", 0},
    {"no-translation", NO_TRANSLATION, NULL, 0,
     "interpret all kernels, do not translate them to host code; slower", 0},
    {"timing", TIMING, NULL, 0,
     "commands take virtual time, by round figures of the device; without the option they take none", 0},
    {"no-draws", NO_DRAWS, NULL, 0, "count 3D draws, do not run them", 0},
    {"draws", DRAWS, NULL, 0, "also run the draws of a recording whose device did not run them", 0},
    {"stop-after-draw", LAST_DRAW, "COUNT", 0,
     "end a trace after this many draws; --state and --surface then show that moment", 0},
    {"save-at", 'S', "DWORDS", 0, "save the whole state after this many dwords of commands, and continue", 0},
    {"save", SAVE, "FILE", 0, "the file of --save-at (softgt.state)", 0},
    {"load", 'l', "FILE", 0, "continue from a saved state, with the same trace", 0},
    {"force", FORCE, NULL, 0, "run a trace on a device of another generation than it was recorded on", 0},
    {"tolerate", TOLERATE, "WHAT", 0,
     "do not fail a trace or program for these, separated by commas: short, dropped or misplaced commands, "
     "faults",
     0},
    {"self-check", SELF_CHECK, "CUTS", OPTION_ARG_OPTIONAL,
     "play a .gts program also in budgets of 1 and 7 dwords, saved and loaded after each command, with time "
     "in pieces, and after a reset; all must have the same result; after CUTS (1000) cuts the pieces become "
     "longer",
     0},
    {"memory", 'm', "MB", 0, "memory that a trace may use (8192)", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

enum { MOST_JOBS = 256, TIMEOUT_S = 1800, MOST_TIMEOUT_S = 86400 * 7 };

/* A saved state holds the memory and the device. */
#define MEMORY_MB   UINT64_C(8192)
#define STATE_BYTES (UINT64_C(64) << 20)

struct arguments {
    struct run run;
    char **files;
    int file_count;
    const char *timeline, *output, *folder;
    struct surface_request surface;
    struct jobs_options jobs; /* count 0: none */
    bool has_surface, has_save, has_eu_trace, has_eu_limit;
};

/* --junit without its FILE takes the first trace for it. */
static bool is_other_file(const char *path)
{
    char begins[5];
    struct stat st;
    FILE *const file = stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    const bool is_xml =
        fread(begins, sizeof begins, 1, file) == 1 && memcmp(begins, "<?xml", sizeof begins) == 0;
    fclose(file);
    return !is_xml;
}

/* Completes the options of --jobs. */
static void refuse_idle_jobs(struct arguments *a, struct argp_state *state)
{
    unsigned from_input = 0;
    if (!a->jobs.count && (a->jobs.tap || a->jobs.junit))
        a->jobs.count = 1;
    if (a->jobs.timeout_s && !a->jobs.count)
        argp_error(state, "--timeout does nothing without --jobs, --tap or --junit");
    if (a->jobs.junit && strcmp(a->jobs.junit, "-") == 0 && (a->jobs.tap || a->run.options.json))
        argp_error(state, "--junit=- and --%s both go to standard output", a->jobs.tap ? "tap" : "json");
    if (a->jobs.junit && is_other_file(a->jobs.junit))
        argp_error(state, "--junit: '%s' is there and is no XML; --junit=FILE is the file to write",
                   a->jobs.junit);
    for (int i = 0; a->jobs.count && i < a->file_count; i++)
        from_input += strcmp(a->files[i], "-") == 0;
    if (from_input > 1)
        argp_error(state, "standard input (-) is of one trace at a time");
    if (a->jobs.count && from_input && a->run.options.load_file && strcmp(a->run.options.load_file, "-") == 0)
        argp_error(state, "standard input (-) is the trace or the state, not both");
    a->jobs.json = a->run.options.json;
    a->jobs.timeout_s = a->jobs.timeout_s ? a->jobs.timeout_s : TIMEOUT_S;
}

/* A number may be a word of its own: -J 4. */
static void parse_jobs(struct arguments *a, const char *argument, struct argp_state *state)
{
    char *end;
    const char *const next = state->next < state->argc ? state->argv[state->next] : "";
    if (!argument && *next && next[strspn(next, "0123456789")] == 0)
        argument = state->argv[state->next++];
    const unsigned long count = argument ? strtoul(argument, &end, 10) : 0;
    if (argument && (*argument < '0' || *argument > '9' || *end || count > MOST_JOBS))
        argp_error(state, "--jobs: '%s' is not a number from 0 to %d", argument, MOST_JOBS);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    a->jobs.count = count                    ? (unsigned)count
                    : processors < 1         ? 1
                    : processors > MOST_JOBS ? MOST_JOBS
                                             : (unsigned)processors;
}

/* Refuses options that would do nothing or contradict each other. */
static void refuse_idle_options(struct arguments *a, struct argp_state *state)
{
    const char *single = a->has_surface || a->folder ? "pictures are"
                         : a->timeline               ? "a timeline is"
                         : a->run.options.save_at    ? "a saved state is"
                         : a->run.options.load_file  ? "a saved state is"
                                                     : NULL;
    if (single && a->file_count > 1)
        argp_error(state, "%s of one trace at a time", single);
    if (a->has_save && !a->run.options.save_at)
        argp_error(state, "--save does nothing without --save-at");
    if (a->output && !a->has_surface && !a->run.options.save_at)
        argp_error(state, "--output does nothing without --surface or --save-at");
    if (a->output && a->has_save && !a->has_surface)
        argp_error(state, "--output and --save both name the file of --save-at");
    if (a->has_eu_limit && !a->has_eu_trace)
        argp_error(state, "--eu-trace-limit does nothing without --eu-trace");
    if (a->run.options.json && a->run.options.print_state)
        argp_error(state, "--state does nothing with --json");
    if (a->run.options.json && a->run.options.quiet)
        argp_error(state, "--quiet does nothing with --json");
    if (a->run.options.is_error &&
        (a->run.options.self_check || a->run.options.save_at || a->run.options.load_file ||
         a->run.options.last_draw || a->run.options.force || a->run.options.tolerate))
        argp_error(state,
                   "--error takes none of --self-check, --save-at, --load, --stop-after-draw, --force and "
                   "--tolerate");
    if (a->run.options.force && !a->run.options.device)
        argp_error(state, "--force does nothing without --device");
    refuse_idle_jobs(a, state);
}

static const struct tool_option run_members[] = {
    {'d', TOOL_DEVICE, offsetof(struct arguments, run.options.device)},
    {ERROR_STATE, TOOL_FLAG, offsetof(struct arguments, run.options.is_error)},
    {'j', TOOL_FLAG, offsetof(struct arguments, run.options.json)},
    {'s', TOOL_FLAG, offsetof(struct arguments, run.options.print_state)},
    {'q', TOOL_FLAG, offsetof(struct arguments, run.options.quiet)},
    {'T', TOOL_TEXT, offsetof(struct arguments, timeline)},
    {'m', TOOL_MEGABYTES, offsetof(struct arguments, run.options.memory_limit), "memory", UINT64_C(1) << 20},
    {'b', TOOL_COUNT, offsetof(struct arguments, run.options.budget), "budget", UINT64_C(1) << 40},
    {TIMING, TOOL_FLAG, offsetof(struct arguments, run.options.timing)},
    {LAST_DRAW, TOOL_COUNT, offsetof(struct arguments, run.options.last_draw), "stop-after-draw", UINT64_MAX},
    {'S', TOOL_COUNT, offsetof(struct arguments, run.options.save_at), "save-at", UINT64_MAX},
    {THREADS, TOOL_UNSIGNED, offsetof(struct arguments, run.options.threads), "threads", TOOL_MAX_THREADS},
    {FORCE, TOOL_FLAG, offsetof(struct arguments, run.options.force)},
    {'o', TOOL_TEXT, offsetof(struct arguments, output)},
    {'U', TOOL_TEXT, offsetof(struct arguments, folder)},
    {'l', TOOL_TEXT, offsetof(struct arguments, run.options.load_file)},
    {FAIL_ON, TOOL_FAIL_ON, offsetof(struct arguments, run.fail_on)},
    {TAP, TOOL_FLAG, offsetof(struct arguments, jobs.tap)},
    {JUNIT, TOOL_TEXT, offsetof(struct arguments, jobs.junit)},
    {TIMEOUT, TOOL_UNSIGNED, offsetof(struct arguments, jobs.timeout_s), "timeout", MOST_TIMEOUT_S},
    {NO_TRANSLATION, TOOL_FLAG, offsetof(struct arguments, run.options.no_translation)},
    {NO_SANDBOX, TOOL_NO_SANDBOX},
    {0},
};

static error_t run_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    if (tool_set_option(run_members, key, argument, state))
        return 0;
    switch (key) {
    case 'J':
        parse_jobs(a, argument, state);
        return 0;
    case 't':
        tool_trace(state, argument, &a->run.options.trace);
        return 0;
    case EU_TRACE:
        a->has_eu_trace = true;
        tool_eu_filter(state, "eu-trace", argument, &a->run.eu_trace.filter);
        a->run.eu_trace.limit = a->run.eu_trace.limit ? a->run.eu_trace.limit : EU_TRACE_LIMIT;
        return 0;
    case EU_LIMIT:
        a->has_eu_limit = true;
        a->run.eu_trace.limit = tool_count(state, "eu-trace-limit", argument, UINT64_MAX);
        return 0;
    case DRAWS:
        a->run.options.draws = REPLAY_DRAWS_ALWAYS;
        return 0;
    case NO_DRAWS:
        a->run.options.draws = REPLAY_DRAWS_ARE_COUNTED;
        return 0;
    case SAVE:
        a->run.options.save_file = argument;
        a->has_save = true;
        return 0;
    case TOLERATE:
        a->run.options.tolerate = tool_tolerate(state, argument);
        return 0;
    case SELF_CHECK:
        a->run.options.self_check =
            argument ? tool_count(state, "self-check", argument, UINT64_C(1) << 32) : 1000;
        return 0;
    case 'u': {
        char why[2048] = "";
        if (a->has_surface)
            argp_error(state, "one --surface at a time");
        if (!surface_parse(argument, &a->surface, why, sizeof why))
            argp_error(state, "--surface %s: %s", argument, why);
        a->has_surface = true;
        return 0;
    }
    case ARGP_KEY_ARGS:
        a->files = state->argv + state->next;
        a->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "TRACE is missing");
        return 0;
    case ARGP_KEY_END:
        refuse_idle_options(a, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Allows the files that are read and written later. */
static void name_files(const struct arguments *a)
{
    for (int i = 0; i < a->file_count; i++)
        input_allow(a->files[i]);
    if (a->run.surface)
        files_allow(FILES_WRITE, a->run.surface_file);
    if (a->run.options.save_at)
        files_allow(FILES_WRITE, a->run.options.save_file);
    if (a->folder)
        files_allow(FILES_WRITE_INSIDE, a->folder);
}

static bool open_timeline(struct arguments *a)
{
    const unsigned commands = softgt_event_filter_mask(a->run.options.trace) & SOFTGT_TRACE_COMMANDS;
    const int error = a->timeline
                          ? softgt_timeline_create(a->timeline, "run",
                                                   commands ? SOFTGT_TIMELINE_COMMANDS : 0, &a->run.timeline)
                          : 0;
    if (error)
        tool_error(a->timeline, "cannot be written (--timeline): %s", files_error(-error));
    a->run.timeline_port = softgt_timeline_port(a->run.timeline);
    return error == 0;
}

/* Runs the files one after the other, in this process. */
static int run_files(struct arguments *a)
{
    int worst = TOOL_CLEAN;
    const uint64_t most_memory = a->run.options.memory_limit ? a->run.options.memory_limit : MEMORY_MB << 20;
    if (a->run.options.load_file &&
        !(a->run.loaded_state =
              tool_read(a->run.options.load_file, most_memory + (most_memory >> 6) + STATE_BYTES,
                        &a->run.loaded_bytes)))
        return TOOL_UNUSABLE;
    if (a->has_surface) {
        a->run.surface = &a->surface;
        a->run.surface_file = a->output ? a->output : "surface.png";
    } else if (a->output) {
        a->run.options.save_file = a->output;
    }
    if (a->folder && !(a->run.surfaces = surfaces_open(a->folder)))
        return TOOL_UNUSABLE;
    if (!open_timeline(a))
        return TOOL_UNUSABLE;
    name_files(a);
    if (!a->run.options.no_translation)
        a->run.options.code = tool_code(TOOL_CODE_PIECES);
    if (!tool_sandbox(a->run.options.threads))
        return TOOL_UNUSABLE;
    struct sigaction action = {.sa_handler = run_on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    for (int i = 0; i < a->file_count && !stop; i++) {
        a->run.file = a->files[i];
        worst = tool_worse(worst, run_file(&a->run));
    }
    const int error = softgt_timeline_close(a->run.timeline, worst == TOOL_UNUSABLE);
    if (error) {
        tool_error(a->timeline, "%s", strerror(-error));
        worst = TOOL_UNUSABLE;
    }
    surfaces_close(a->run.surfaces);
    free(a->run.loaded_state);
    return a->run.write_failed ? TOOL_UNUSABLE : worst;
}

/* ---- Workers of --jobs ---- */

static int run_in_worker(void *user, char **file)
{
    struct arguments *const a = user;
    const struct sigaction action = {.sa_handler = run_on_signal};
    a->files = file;
    a->file_count = 1;
    a->run.is_terminal = false;
    tool_error_hears = jobs_hear;
    sigaction(SIGTERM, &action, NULL); /* by the parent */
    const int status = run_files(a);
    files_end();
    return status;
}

static int run_all(struct arguments *a)
{
    if ((a->has_surface || a->folder) && !tool_writes_pictures(a->has_surface ? "--surface" : "--surfaces"))
        return TOOL_UNUSABLE;
    if (!a->jobs.count)
        return run_files(a);
    a->jobs.user = a;
    a->jobs.run = run_in_worker;
    const int status = jobs_run(&a->jobs, a->files, (unsigned)a->file_count);
    if (a->jobs.tap)
        json_errors_forget(); /* TAP has the messages */
    return status;
}

int cmd_run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = run_parse,
        .args_doc = "TRACE...",
        .doc =
            "Executes AUB traces (also .xz, .gz, .zst) and .gts programs on the model and shows what "
            "happened.\vExit status: 0 clean, 1 when something in a trace failed, was unknown or not "
            "executed, 2 for unusable input, 3 by --fail-on. Of several traces it is the worst: 2, 1, 3, 0.",
    };
    struct arguments a = {.run = {.eu_trace = {.show = show_instruction, .limited = show_limit},
                                  .is_terminal = tool_is_terminal(STDERR_FILENO),
                                  .fail_on.words = FAIL_ON_RUN,
                                  .options.save_file = "softgt.state"}};
    a.run.eu_trace.user = &a.run;
    tool_parse(&argp, argc, argv, &a);
    const int status = run_all(&a);
    softgt_event_filter_destroy(a.run.options.trace);
    return status;
}
