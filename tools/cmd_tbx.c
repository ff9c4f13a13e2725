/* softgt tbx: presents a device to programs that drive a simulator by TBX. */
#include "events.h"
#include "server_log.h"
#include "tool.h"

#include "device/host.h"
#include "host/files.h"
#include "host/sandbox.h"
#include "tbx/tbx.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>

struct arguments {
    struct tbx_options serve;
    struct server_log log;
    struct softgt_event_filter *trace;
    bool trace_messages; /* of the connection */
    unsigned threads;
    bool no_translation;
    const char *sandbox; /* the step of the sandbox that failed; NULL: none */
};

/* ---- Output ---- */

static void tbx_on_message(void *user, const char *text)
{
    struct arguments *a = user;
    server_log_message(&a->log, text);
}

static void tbx_on_event(void *user, unsigned connection, const struct softgt_event *e)
{
    const struct arguments *a = user;
    if (!softgt_event_filter_takes(a->trace, e))
        return;
    printf("#%u ", connection);
    tool_print_event(e);
}

static void on_exchange(void *user, unsigned connection, const char *text)
{
    (void)user;
    printf("#%u %s\n", connection, text);
}

static void on_end(void *user, unsigned connection, struct softgt *device, uint64_t messages)
{
    struct arguments *a = user;
    struct softgt_engine_status e;
    fail_on_device(&a->log.fail_on, device);
    if (a->log.level == LOG_NONE)
        return;
    fprintf(a->log.file, "softgt: tbx: connection %u sent %s messages\n", connection, tool_number(messages));
    for (unsigned i = 0; device_engine_full_status(device, i, &e); i++)
        if (e.commands)
            server_log_engine(&a->log, &e);
}

static bool on_enclose(void *user)
{
    struct arguments *a = user;
    const char *what;
    if (sandbox_missing() && a->log.level >= LOG_GUEST)
        fprintf(a->log.file, "softgt: tbx: no sandbox: %s\n", sandbox_missing());
    bool good = tool_seal_sandbox(&what);
    if (good)
        tool_start_threads(a->threads);
    a->serve.parallel = tool_threads();
    a->serve.code = a->no_translation ? (struct softgt_code_port){0} : tool_code(TOOL_CODE_PIECES);
    good = good && tool_begin_sandbox(&what);
    if (!good)
        a->sandbox = what;
    return good;
}

/* ---- Options ---- */

enum { NO_SANDBOX = 256, THREADS, NO_TRANSLATION, FAIL_ON, MEMORY_MOST_MB = 1 << 20, PORT_MOST = 65535 };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "the device (softgt devices lists them); skl", 0},
    {"listen", 'L', "ADDRESS[:PORT]", 0, "IPv4 address to listen at (127.0.0.1:4321)", 0},
    {"port", 'p', "PORT", 0, "port (4321); 0: any free port, which is printed", 0},
    {"memory", 'm', "MB", 0, "memory that a connection may use, besides local memory (1024)", 0},
    {"log", 'l', "LEVEL", 0,
     "none; guest: mistakes of the client; all: also what is not modelled. Each is printed once, with its "
     "count at the end",
     0},
    {"trace", 't', "WHAT", 0,
     "print events as they happen, separated by commas: messages of the connection, and those of softgt run "
     "--trace",
     0},
    {"timeline", 'T', "FILE", 0, "write a timeline for the Perfetto UI", 0},
    {"record", 'r', "FILE", 0, "record a trace that softgt run repeats and checks", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and one of these happened: unsupported, unknown, hung, "
     "faults, bounds, errors, trouble, unused or all, separated by commas",
     0},
    {"once", 'o', NULL, 0, "end when the last client leaves", 0},
    {"threads", THREADS, "COUNT", 0, "host threads that run thread groups in parallel, up to 64 (1)", 0},
    {"no-translation", NO_TRANSLATION, NULL, 0,
     "interpret all kernels, do not translate them to host code; slower", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static uint16_t parse_port(struct argp_state *state, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long port = strtoul(text, &end, 0);
    if (!*text || *end || *text == '-' || errno || port > PORT_MOST)
        argp_error(state, "--port: '%s' is not a number from 0 to %d", text, PORT_MOST);
    return (uint16_t)port;
}

static void parse_address(struct argp_state *state, struct tbx_options *o, char *text)
{
    char *const port = strchr(text, ':');
    if (port)
        *port = 0;
    if (inet_pton(AF_INET, text, &o->address) != 1)
        argp_error(state, "--listen: '%s' is no IPv4 address", text);
    if (port)
        o->port = parse_port(state, port + 1);
}

/* "messages" is a class of its own here. */
static void parse_trace(struct argp_state *state, char *list)
{
    struct arguments *a = state->input;
    char *rest = NULL;
    for (char *item = strtok_r(list, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        if (strcmp(item, "messages") == 0)
            a->trace_messages = true;
        else
            tool_trace(state, item, &a->trace);
    }
    if (!softgt_event_filter_mask(a->trace) && !a->trace_messages)
        argp_error(state, "--trace: it names nothing");
}

static error_t tbx_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'd':
        a->serve.device = argument;
        return 0;
    case 'L':
        parse_address(state, &a->serve, argument);
        return 0;
    case 'p':
        a->serve.port = parse_port(state, argument);
        return 0;
    case 'm':
        a->serve.memory_bytes = tool_count(state, "memory", argument, MEMORY_MOST_MB) << 20;
        return 0;
    case 'l':
        a->log.level = server_log_level(state, argument, 1u << LOG_NONE | 1u << LOG_GUEST | 1u << LOG_ALL);
        return 0;
    case 't':
        parse_trace(state, argument);
        return 0;
    case 'T':
        a->serve.timeline = argument;
        return 0;
    case 'r':
        a->serve.record = argument;
        return 0;
    case 'o':
        a->serve.once = true;
        return 0;
    case NO_TRANSLATION:
        a->no_translation = true;
        return 0;
    case THREADS:
        a->threads = (unsigned)tool_count(state, "threads", argument, TOOL_MAX_THREADS);
        return 0;
    case FAIL_ON:
        fail_on_parse(&a->log.fail_on, argument, state);
        return 0;
    case NO_SANDBOX:
        tool_no_sandbox();
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "takes no arguments");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Allows the files that connections may open. The names live as long as the tool. */
static void name_files(char **names, const char *path)
{
    for (unsigned i = 0; path && i < TBX_FILES; i++) {
        names[i] = tbx_path(path, i + 1);
        if (!names[i])
            tool_no_memory();
        files_allow(FILES_WRITE, names[i]);
    }
}

int cmd_tbx(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = tbx_parse,
        .doc = "Presents a device to programs that drive simulators by TBX: Intel's OpenCL runtime with "
               "SetCommandStreamReceiver=2, aubstream. Each connection has a device of its own. SIGINT, "
               "SIGTERM and "
               "SIGHUP end it.",
    };
    static struct arguments a = {
        .serve = {.device = "skl", .port = TBX_PORT, .memory_bytes = (uint64_t)TBX_MEMORY_MB << 20},
        .log = {.name = "tbx", .fail_on.words = FAIL_ON_SERVER}};
    static char *records[TBX_FILES], *timelines[TBX_FILES];
    struct tbx_options *const o = &a.serve;
    o->address.s_addr = htonl(INADDR_LOOPBACK);
    tool_parse(&argp, argc, argv, &a);
    if (!tool_device(o->device))
        return TOOL_UNUSABLE;
    o->stop = a.log.stop = server_stop();
    if (!server_log_open(&a.log)) {
        tool_error(NULL, "%s", strerror(errno));
        return TOOL_UNUSABLE;
    }
    name_files(records, o->record);
    name_files(timelines, o->timeline);
    o->user = &a;
    o->report = (struct softgt_report_port){&a.log, server_log_report};
    o->message = tbx_on_message;
    o->trace = softgt_event_filter_mask(a.trace);
    o->event = o->trace ? tbx_on_event : NULL;
    o->exchanged = a.trace_messages ? on_exchange : NULL;
    o->enclose = on_enclose;
    o->ends = on_end;
    if (softgt_event_filter_mask(a.trace) || a.trace_messages)
        setvbuf(stdout, NULL, _IOLBF, 0);
    const char *what;
    const int error = tbx_serve(o, &what);
    if (a.log.level >= LOG_GUEST)
        server_log_complaints(&a.log);
    server_log_close(&a.log);
    if (error && a.sandbox)
        tool_error(NULL, "the sandbox: %s: %s (--no-sandbox does without)", a.sandbox, strerror(error));
    else if (error)
        tool_error(NULL, "%s: %s", what, strerror(error));
    fail_on_end(&a.log.fail_on);
    return error ? TOOL_UNUSABLE : fail_on_status(&a.log.fail_on, NULL, TOOL_CLEAN);
}
