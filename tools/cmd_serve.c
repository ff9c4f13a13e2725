/* softgt serve: presents a device to a virtual machine over vfio-user. */
#include "events.h"
#include "server_log.h"
#include "tool.h"

#include "aub/record.h"
#include "host/files.h"
#include "host/sandbox.h"
#include "server/function_shares.h"
#include "server/vfio_user.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <signal.h>

struct arguments {
    const char *device, *socket, *timeline_file, *record, *provision, *control;
    struct softgt_event_filter *trace; /* events that are printed */
    bool trace_json;
    struct engine_position positions[TRACKED_ENGINES]; /* for trace_json */
    unsigned patience_s;
    uint64_t local_mb;
    unsigned functions;
    bool pf_decides;
    mode_t mode;
    gid_t group;
    bool has_group;
    struct softgt_timeline *timeline;
    struct softgt_trace_port timeline_port;
    struct server_log log;
    unsigned threads;
    bool once, timing, no_draws, no_translation, awaits_debugger;
    const char *sandbox; /* the step of the sandbox that failed; NULL: none */
};

/* ---- Output ---- */

static void serve_on_message(void *user, const char *text)
{
    struct arguments *a = user;
    server_log_message(&a->log, text);
}

static void serve_on_event(void *user, const struct softgt_event *e)
{
    struct arguments *a = user;
    if (a->timeline)
        a->timeline_port.event(a->timeline_port.user, e);
    if (a->trace_json)
        engine_positions_event(a->positions, e);
    if (softgt_event_filter_takes(a->trace, e)) {
        const struct event_place place = {.engine = engine_positions_find(a->positions, e->unit)};
        if (a->trace_json)
            event_json_print(stdout, &place, e);
        else
            tool_print_event(e);
    }
    server_log_event(&a->log, e);
}

static unsigned serve_events(const struct arguments *a)
{
    return server_log_events(&a->log) | a->timeline_port.mask | softgt_event_filter_mask(a->trace) |
           (a->trace_json ? TRACKED_EVENTS : 0u);
}

static void on_news(void *user, const char *sentence)
{
    struct arguments *a = user;
    server_log_news(&a->log, sentence);
}

static void on_state(void *user, const char *text)
{
    const struct arguments *a = user;
    fputs(text, a->log.file);
}

static const char *on_set_log(void *user, const char *level, unsigned *trace_mask)
{
    static char why[LOG_NAMES + 80];
    struct arguments *a = user;
    char all[LOG_NAMES];
    const int number = server_log_level_of(level, LOG_EVERY, all);
    if (number < 0) {
        snprintf(why, sizeof why, "no log level is named '%.32s'; there are: %s", level, all);
        return why;
    }
    a->log.level = (enum log_level)number;
    *trace_mask = serve_events(a);
    return NULL;
}

static void on_end(void *user, struct softgt *device, const struct vfio_user_counts *counts)
{
    struct arguments *a = user;
    FILE *const said = a->log.file;
    fail_on_commands(&a->log.fail_on, device);
    for (unsigned i = 0; i < VFIO_USER_ENGINES && counts->engines[i].name; i++)
        fail_on_engine(&a->log.fail_on, &counts->engines[i]);
    if (a->log.level < LOG_GUEST)
        return;
    fprintf(said, "softgt: served %s for %.1f s, %s messages to the processor\n", softgt_info(device)->name,
            (double)counts->virtual_ns / 1e9, tool_number(counts->messages));
    fprintf(
        said,
        "  trapped: %s register reads, %s writes; %s aperture reads, %s writes; %s configuration accesses\n",
        tool_number(counts->register_reads), tool_number(counts->register_writes),
        tool_number(counts->aperture_reads), tool_number(counts->aperture_writes),
        tool_number(counts->config_accesses));
    for (const struct softgt_engine_status *e = counts->engines;
         e < counts->engines + VFIO_USER_ENGINES && e->name; e++)
        server_log_engine(&a->log, e);
    server_log_complaints(&a->log);
}

/* ---- The sandbox ---- */

static bool on_enclose(void *user, bool threads)
{
    struct arguments *a = user;
    if (!threads && sandbox_missing() && a->log.level >= LOG_GUEST)
        fprintf(a->log.file, "softgt: serve: no sandbox: %s\n", sandbox_missing());
    const char *what;
    const bool good = threads ? tool_begin_sandbox(&what) : tool_seal_sandbox(&what);
    if (good && !threads)
        tool_start_prepared_threads();
    if (!good)
        a->sandbox = what;
    return good;
}

/* ---- Options ---- */

enum {
    MODE = 256,
    GROUP,
    NO_SANDBOX,
    TIMING,
    LOCAL_MEMORY,
    FUNCTIONS,
    PROVISION,
    PF_DECIDES,
    NO_DRAWS,
    THREADS,
    NO_TRANSLATION,
    CONTROL,
    PATIENCE,
    TRACE_JSON,
    DEBUG,
    FAIL_ON
};
enum { MOST_PATIENCE_S = 86400, PATIENCE_S = 2 };
enum { LOCAL_LEAST_MB = 64, LOCAL_MOST_MB = 16384 };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "the device (softgt devices lists them); skl", 0},
    {"socket", 's', "PATH", 0, "the Unix socket to listen at", 0},
    {"mode", MODE, "MODE", 0, "mode of the socket, in octal; 0600, with --group 0660", 0},
    {"group", GROUP, "NAME", 0, "group of the socket", 0},
    {"local-memory", LOCAL_MEMORY, "MB", 0,
     "local memory of devices that have it, a power of two from 64 to 16384; 256", 0},
    {"functions", FUNCTIONS, "N", 0,
     "number of virtual functions; PATH is then a folder with a socket for each function: pf, vf1 ...; "
     "softgt provisions them, and pf sees a device without SR-IOV",
     0},
    {"pf-decides", PF_DECIDES, NULL, 0,
     "the client at pf provisions the functions, by its SR-IOV capability; softgt does while there is none",
     0},
    {"provision", PROVISION, "FILE", 0, "shares of the functions, as JSON; equal shares without the option",
     0},
    {"log", 'l', "LEVEL", 0,
     "none; hangs (the default): engines that hang, are reset with work, or make no progress; guest: also "
     "mistakes of the guest; all: also what is not modelled; guc: also each message to and from the "
     "microcontroller; access: also each register access of the CPU. Mistakes are printed once, with their "
     "count at the end",
     0},
    {"patience", PATIENCE, "SECONDS", 0, "time after which an engine without progress is reported (2)", 0},
    {"control", CONTROL, "PATH", 0,
     "listen there for softgt control and softgt debug --connect; with --functions it is the socket control "
     "in "
     "their folder",
     0},
    {"debug", DEBUG, "PATH", 0,
     "as --control, and engines stand still until softgt debug --connect lets them go on", 0},
    {"trace", 't', "WHAT", 0, "print events as they happen: " TOOL_TRACE_HELP, 0},
    {"trace-json", TRACE_JSON, NULL, 0, "print the events of --trace as JSON, an object a line", 0},
    {"timeline", 'T', "FILE", 0, "write a timeline for the Perfetto UI", 0},
    {"record", 'r', "FILE", 0, "record a trace that softgt run repeats and checks; slower", 0},
    {"timing", TIMING, NULL, 0,
     "commands take virtual time, by round figures of the device; without the option they take none", 0},
    {"no-draws", NO_DRAWS, NULL, 0, "count 3D draws, do not run them", 0},
    {"threads", THREADS, "COUNT", 0,
     "host threads that run thread groups and draws in parallel, up to 64 (1)", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and one of these happened: unsupported, unknown, hung, "
     "faults, bounds, errors, trouble, unused or all, separated by commas",
     0},
    {"once", 'o', NULL, 0, "end when the first client leaves", 0},
    {"no-translation", NO_TRANSLATION, NULL, 0,
     "interpret all kernels, do not translate them to host code; slower", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static const struct tool_option serve_members[] = {
    {'d', TOOL_TEXT, offsetof(struct arguments, device)},
    {'s', TOOL_TEXT, offsetof(struct arguments, socket)},
    {FUNCTIONS, TOOL_UNSIGNED, offsetof(struct arguments, functions), "functions", 63},
    {PF_DECIDES, TOOL_FLAG, offsetof(struct arguments, pf_decides)},
    {PROVISION, TOOL_TEXT, offsetof(struct arguments, provision)},
    {'r', TOOL_TEXT, offsetof(struct arguments, record)},
    {'T', TOOL_TEXT, offsetof(struct arguments, timeline_file)},
    {CONTROL, TOOL_TEXT, offsetof(struct arguments, control)},
    {PATIENCE, TOOL_UNSIGNED, offsetof(struct arguments, patience_s), "patience", MOST_PATIENCE_S},
    {TRACE_JSON, TOOL_FLAG, offsetof(struct arguments, trace_json)},
    {TIMING, TOOL_FLAG, offsetof(struct arguments, timing)},
    {NO_DRAWS, TOOL_FLAG, offsetof(struct arguments, no_draws)},
    {'o', TOOL_FLAG, offsetof(struct arguments, once)},
    {FAIL_ON, TOOL_FAIL_ON, offsetof(struct arguments, log.fail_on)},
    {NO_TRANSLATION, TOOL_FLAG, offsetof(struct arguments, no_translation)},
    {NO_SANDBOX, TOOL_NO_SANDBOX},
    {0},
};

static error_t serve_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    if (tool_set_option(serve_members, key, argument, state))
        return 0;
    switch (key) {
    case MODE: {
        char *end;
        const unsigned long mode = strtoul(argument, &end, 8);
        if (!*argument || *end || mode == 0 || mode > 0777)
            argp_error(state, "--mode: '%s' is no mode in octal, from 1 to 777", argument);
        a->mode = (mode_t)mode;
        return 0;
    }
    case GROUP: {
        const struct group *group = getgrnam(argument);
        char *end;
        const unsigned long number = strtoul(argument, &end, 10);
        if (!group && (!*argument || *end || number >= UINT32_MAX))
            argp_error(state, "--group: no group is named '%s'", argument);
        a->group = group ? group->gr_gid : (gid_t)number;
        a->has_group = true;
        return 0;
    }
    case LOCAL_MEMORY:
        a->local_mb = tool_count(state, "local-memory", argument, LOCAL_MOST_MB);
        if (a->local_mb < LOCAL_LEAST_MB || a->local_mb & (a->local_mb - 1))
            argp_error(state, "--local-memory: '%s' is no power of two from %d to %d", argument,
                       LOCAL_LEAST_MB, LOCAL_MOST_MB);
        return 0;
    case DEBUG:
        a->control = argument;
        a->awaits_debugger = true;
        return 0;
    case THREADS:
        a->threads = (unsigned)tool_count(state, "threads", argument, TOOL_MAX_THREADS);
        return 0;
    case 't':
        tool_trace(state, argument, &a->trace);
        return 0;
    case 'l':
        a->log.level = server_log_level(state, argument, LOG_EVERY);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "takes no arguments");
        return 0;
    case ARGP_KEY_END:
        if (!a->socket)
            argp_error(state, "--socket is missing");
        if (a->trace_json && !softgt_event_filter_mask(a->trace))
            argp_error(state, "--trace-json does nothing without --trace");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* False after a message. */
static bool provision(const struct arguments *a, struct driver_vf_config *shares)
{
    enum { MOST_BYTES = 1 << 20 };
    char why[SHARE_WHY];
    size_t size;
    shares_default(shares, a->functions);
    char *const text = a->provision ? tool_read(a->provision, MOST_BYTES, &size) : NULL;
    const bool good = text && shares_read(shares, a->functions, text, size, why);
    if (text && !good)
        tool_error(a->provision, "%s", why);
    free(text);
    return good || !a->provision;
}

/* The reason why options do not go together; NULL: they do. */
static const char *wrong_combination(const struct arguments *a)
{
    if (a->functions && a->once)
        return "--functions does not go with --once: clients come and go";
    if (a->functions && a->control)
        return "--control does not go with --functions: their folder has the socket control";
    if (a->functions && a->record)
        return "--functions does not go with --record: a recording holds one function";
    if (a->pf_decides && !a->functions)
        return "--pf-decides needs --functions";
    if (a->provision && !a->functions)
        return "--provision needs --functions";
    if (a->record && a->timing)
        return "--record does not go with --timing: a recording does not hold the time that commands take";
    return NULL;
}

/* False after a message. */
static bool options_fit(const struct arguments *a)
{
    const struct softgt_device_info *device = tool_device(a->device);
    if (!device)
        return false;
    const char *wrong = wrong_combination(a);
    if (a->local_mb && !device->local_bytes)
        tool_error(NULL, "--local-memory: %s has no local memory", a->device);
    else if (a->functions > device->functions && device->functions)
        tool_error(NULL, "--functions: %s has at most %u virtual functions", a->device, device->functions);
    else if (a->functions > device->functions)
        tool_error(NULL, "--functions: %s has no virtual functions", a->device);
    else if (wrong)
        tool_error(NULL, "%s", wrong);
    else if (a->record && a->local_mb > RECORD_LOCAL_MOST_MB)
        tool_error(NULL, "--record: a recording holds at most %d MB of local memory", RECORD_LOCAL_MOST_MB);
    else
        return true;
    return false;
}

static void serve_report_error(const struct arguments *a, int error, const char *what)
{
    if (error && a->sandbox)
        tool_error(NULL, "the sandbox: %s: %s (--no-sandbox does without)", a->sandbox, strerror(error));
    else if (error < 0)
        tool_error(a->provision, "%s", what);
    else if (error == EEXIST)
        tool_error(what, "is a file, and no socket: name another path for the socket, or remove it");
    else if (error)
        tool_error(NULL, "%s: %s", what, strerror(error));
}

int cmd_serve(int argc, char **argv)
{
    static struct driver_vf_config shares[DRIVER_VFS];
    static const struct argp argp = {
        .options = options,
        .parser = serve_parse,
        .doc = "Presents a device to a virtual machine over vfio-user. QEMU 10.1 or later connects with "
               "-device '{\"driver\":\"vfio-user-pci\",\"socket\":{\"type\":\"unix\",\"path\":\"PATH\"}}' "
               "and memory "
               "that is shared. SIGINT, SIGTERM and SIGHUP end it.\v"
               "Exit status: 0 ended by a signal or, with --once, its client, 2 it cannot serve, 3 by "
               "--fail-on.",
    };
    static struct arguments a = {
        .device = "skl",
        .log = {.name = "serve", .level = LOG_HANGS, .fail_on.words = FAIL_ON_SERVER},
        .patience_s = PATIENCE_S};
    tool_parse(&argp, argc, argv, &a);
    if (!options_fit(&a) || !provision(&a, shares))
        return TOOL_UNUSABLE;
    a.log.stop = server_stop();
    signal(SIGUSR2, SIG_IGN);
    if (softgt_event_filter_mask(a.trace))
        setvbuf(stdout, NULL, _IOLBF, 0);
    int failed = a.timeline_file ? softgt_timeline_create(a.timeline_file, a.device, 0, &a.timeline) : 0;
    if (failed) {
        tool_error(a.timeline_file, "cannot be written (--timeline): %s", files_error(-failed));
        return TOOL_UNUSABLE;
    }
    a.timeline_port = softgt_timeline_port(a.timeline);
    if (!server_log_open(&a.log)) {
        tool_error(NULL, "%s", strerror(errno));
        return TOOL_UNUSABLE;
    }
    tool_prepare_threads(a.threads);
    const struct vfio_user_options serve = {.device = a.device,
                                            .socket = a.socket,
                                            .mode = a.mode        ? a.mode
                                                    : a.has_group ? 0660
                                                                  : 0600,
                                            .group = a.has_group ? &a.group : NULL,
                                            .report = {&a.log, server_log_report},
                                            .trace = {&a, serve_events(&a), serve_on_event},
                                            .functions = a.functions,
                                            .pf_decides = a.pf_decides,
                                            .shares = shares,
                                            .local_bytes = a.local_mb << 20,
                                            .code = a.no_translation ? (struct softgt_code_port){0}
                                                                     : tool_code(TOOL_CODE_PIECES),
                                            .timing = a.timing,
                                            .draws = !a.no_draws,
                                            .parallel = tool_threads(),
                                            .record = a.record,
                                            .once = a.once,
                                            .stop = a.log.stop,
                                            .user = &a,
                                            .message = serve_on_message,
                                            .news = on_news,
                                            .patience_ns = a.patience_s * UINT64_C(1000000000),
                                            .control = a.control,
                                            .awaits_debugger = a.awaits_debugger,
                                            .state_requested = server_state_requested(),
                                            .state = on_state,
                                            .set_log = on_set_log,
                                            .enclose = on_enclose,
                                            .device_ends = on_end};
    const char *what;
    const int error = vfio_user_serve(&serve, &what);
    server_log_close(&a.log);
    failed = softgt_timeline_close(a.timeline, false);
    if (failed) {
        tool_error(a.timeline_file, "%s", strerror(-failed));
        return TOOL_UNUSABLE;
    }
    serve_report_error(&a, error, what);
    fail_on_end(&a.log.fail_on);
    return error ? TOOL_UNUSABLE : fail_on_status(&a.log.fail_on, NULL, TOOL_CLEAN);
}
