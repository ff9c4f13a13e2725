/* softgt serve: a device for a virtual machine. */
#include "complaints.h"
#include "events.h"
#include "tool.h"

#include "frontend/record.h"
#include "frontend/sandbox.h"
#include "frontend/timeline.h"
#include "frontend/vfio_user/function_shares.h"
#include "frontend/vfio_user/vfio_user.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

enum log_level { LOG_NONE, LOG_GUEST, LOG_ALL, LOG_GUC, LOG_ACCESS };

struct arguments {
    const char *device, *socket, *trace, *record, *provision;
    uint64_t local_mb;
    unsigned functions;
    mode_t mode;
    gid_t group;
    bool has_group;
    struct timeline *timeline;
    enum log_level log;
    bool once, timing;
    struct complaints complaints;
    const char *sandbox; /* what of it could not be made; NULL: all was */
    FILE *said;          /* standard error, which nobody may be reading */
    uint64_t lost;       /* lines that it did not take */
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

/* ---- What is told ---- */

enum { LINE_BYTES = 4096 /* a pipe that is ready takes so many */, PATIENCE_MS = 1000, LOOK_MS = 50 };

/* A reader that stands still is waited for once; from then on lines are lost until it goes on. */
static bool taken(const struct arguments *a)
{
    for (int waited_ms = 0;; waited_ms += LOOK_MS) {
        struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
        if (poll(&p, 1, a->lost ? 0 : LOOK_MS) > 0)
            return true;
        if (a->lost || stop || waited_ms >= PATIENCE_MS)
            return false;
    }
}

static ssize_t say(void *user, const char *line, size_t bytes)
{
    struct arguments *a = user;
    if (!taken(a)) {
        a->lost++;
        return (ssize_t)bytes;
    }
    if (a->lost)
        dprintf(STDERR_FILENO, "softgt: serve: nobody read, and %" PRIu64 " lines are lost\n", a->lost);
    a->lost = 0;
    if (write(STDERR_FILENO, line, bytes) < 0) {
        /* Closed: there is nobody to tell. */
    }
    return (ssize_t)bytes;
}

static void on_message(void *user, const char *text)
{
    const struct arguments *a = user;
    fprintf(a->said, "softgt: serve: %s\n", text);
}

static void on_report(void *user, const struct softgt_report *report)
{
    struct arguments *a = user;
    if (a->log < (report->complaint == SOFTGT_NOT_MODELLED ? LOG_ALL : LOG_GUEST))
        return;
    if (complaints_add(&a->complaints, report))
        fprintf(a->said, "%12" PRIu64 " ns  %s, %s: %s\n", report->now_ns, complaint_names[report->complaint],
                report->unit, report->text);
}

static void on_event(void *user, const struct softgt_event *e)
{
    const struct arguments *a = user;
    if (a->timeline)
        timeline_event(a->timeline, e);
    if (e->what == SOFTGT_TRACE_GUC && a->log >= LOG_GUC) {
        fprintf(a->said, "%12" PRIu64 " ns  ", e->now_ns);
        event_print_message(a->said, e);
    }
    const bool read = e->what == SOFTGT_TRACE_READS;
    if (a->log == LOG_ACCESS && (read || (e->what == SOFTGT_TRACE_REGISTERS && strcmp(e->by, "cpu") == 0)))
        fprintf(a->said, "%12" PRIu64 " ns  %-9s %s %06" PRIx64 " %-28s %08" PRIx64 "\n", e->now_ns, e->unit,
                read ? "read " : "write", e->address, e->name, e->value);
}

static void on_end(void *user, struct softgt *device, const struct vfio_user_counts *counts)
{
    const struct arguments *a = user;
    if (a->log == LOG_NONE)
        return;
    fprintf(a->said, "softgt: served %s for %.1f s, %s messages to the processor\n",
            softgt_info(device)->name, (double)counts->virtual_ns / 1e9, tool_number(counts->messages));
    fprintf(
        a->said,
        "  trapped: %s register reads, %s writes; %s aperture reads, %s writes; %s configuration accesses\n",
        tool_number(counts->register_reads), tool_number(counts->register_writes),
        tool_number(counts->aperture_reads), tool_number(counts->aperture_writes),
        tool_number(counts->config_accesses));
    for (const struct softgt_engine_status *e = counts->engines;
         e < counts->engines + VFIO_USER_ENGINES && e->name; e++)
        fprintf(a->said, "  %-6s %10s batches  %12s commands  %8s switches  %8s interrupts  %6s faults\n",
                e->name, tool_number(e->batches), tool_number(e->commands), tool_number(e->context_switches),
                tool_number(e->interrupts), tool_number(e->faults));
    for (unsigned i = 0; i < a->complaints.count; i++)
        complaint_print(a->said, &a->complaints.list[i]);
    if (a->complaints.beyond)
        fprintf(a->said, "  ... and %s of other kinds\n", tool_number(a->complaints.beyond));
}

/* ---- The sandbox ---- */

static bool on_enclose(void *user, bool threads)
{
    struct arguments *a = user;
    if (!threads && sandbox_missing() && a->log != LOG_NONE)
        fprintf(a->said, "softgt: serve: no sandbox: %s\n", sandbox_missing());
    const char *what;
    const bool good = threads ? tool_enclose_threads(&what) : tool_enclose(&what);
    if (!good)
        a->sandbox = what;
    return good;
}

/* ---- Options ---- */

enum { MODE = 256, GROUP, NO_SANDBOX, TIMING, LOCAL_MEMORY, FUNCTIONS, PROVISION };
enum { LOCAL_LEAST_MB = 64, LOCAL_MOST_MB = 16384 };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "the device (softgt devices lists them); skl", 0},
    {"socket", 's', "PATH", 0, "the Unix socket to listen at", 0},
    {"mode", MODE, "MODE", 0, "who may connect, in octal; 0600, with --group 0660", 0},
    {"group", GROUP, "NAME", 0, "the group that the socket is given to", 0},
    {"local-memory", LOCAL_MEMORY, "MB", 0,
     "local memory of devices that have it, a power of two from 64 to 16384; 256", 0},
    {"functions", FUNCTIONS, "N", 0,
     "virtual functions, of devices that have them: the socket is a folder then, with one for each, pf, vf1 "
     "...",
     0},
    {"provision", PROVISION, "FILE", 0, "what each of them gets, as JSON; equal parts without", 0},
    {"log", 'l', "LEVEL", 0,
     "none; guest: what the guest did wrong; all: also what is not modelled; guc: also every message to "
     "and from the microcontroller; access: also every register "
     "access of "
     "the processor. Each once, and with their numbers at the end",
     0},
    {"trace", 't', "FILE", 0, "write a timeline that the Perfetto UI opens", 0},
    {"record", 'r', "FILE", 0,
     "write a trace of what the guest does, which softgt run repeats and checks; slower", 0},
    {"timing", TIMING, NULL, 0, "commands take virtual time, by a few figures of the device's; else none", 0},
    {"once", 'o', NULL, 0, "end when the first client leaves", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0, "keep files, network and all system calls within reach", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const char *const levels[] = {"none", "guest", "all", "guc", "access"};
    struct arguments *a = state->input;
    switch (key) {
    case 'd':
        a->device = argument;
        return 0;
    case 's':
        a->socket = argument;
        return 0;
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
    case FUNCTIONS:
        a->functions = (unsigned)tool_count(state, "functions", argument, 63);
        return 0;
    case PROVISION:
        a->provision = argument;
        return 0;
    case 'r':
        a->record = argument;
        return 0;
    case 't':
        a->trace = argument;
        return 0;
    case TIMING:
        a->timing = true;
        return 0;
    case 'o':
        a->once = true;
        return 0;
    case NO_SANDBOX:
        tool_no_sandbox();
        return 0;
    case 'l':
        for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++)
            if (strcmp(levels[i], argument) == 0) {
                a->log = (enum log_level)i;
                return 0;
            }
        argp_error(state, "no log level is named '%s'; there are: none, guest, all, guc, access", argument);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "no arguments are taken");
        return 0;
    case ARGP_KEY_END:
        if (!a->socket)
            argp_error(state, "--socket is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* False: told. */
static bool provision(const struct arguments *a, struct driver_share *shares)
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

int cmd_serve(int argc, char **argv)
{
    static struct driver_share shares[DRIVER_FUNCTIONS];
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Presents a device to a virtual machine over vfio-user. QEMU 10.1 or later connects with "
               "-device '{\"driver\":\"vfio-user-pci\",\"socket\":{\"type\":\"unix\",\"path\":\"PATH\"}}' "
               "and memory "
               "that is shared. SIGINT, SIGTERM and SIGHUP end it.",
    };
    static struct arguments a = {.device = "skl"};
    tool_parse(&argp, argc, argv, &a);
    const struct softgt_device_info *device = tool_device(a.device);
    if (!device)
        return TOOL_UNUSABLE;
    if (a.local_mb && !device->local_bytes) {
        tool_error(NULL, "--local-memory: %s has none", a.device);
        return TOOL_UNUSABLE;
    }
    if (a.functions > device->functions) {
        tool_error(NULL, "--functions: %s has %s%.0u", a.device, device->functions ? "at most " : "none",
                   device->functions);
        return TOOL_UNUSABLE;
    }
    if (a.functions && a.once) {
        tool_error(NULL, "--functions: there are clients that come and go: not with --once");
        return TOOL_UNUSABLE;
    }
    if (a.functions && a.record) {
        tool_error(NULL, "--functions: recordings are of one function: not with --record");
        return TOOL_UNUSABLE;
    }
    if (a.provision && !a.functions) {
        tool_error(NULL, "--provision: it is for functions: not without --functions");
        return TOOL_UNUSABLE;
    }
    if (!provision(&a, shares))
        return TOOL_UNUSABLE;
    if (a.record && a.local_mb > RECORD_LOCAL_MOST_MB) {
        tool_error(NULL, "--record: recordings hold up to %d MB of local memory", RECORD_LOCAL_MOST_MB);
        return TOOL_UNUSABLE;
    }
    if (a.record && a.timing) {
        tool_error(NULL, "--record: recordings do not hold what commands take of time (--timing)");
        return TOOL_UNUSABLE;
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* the log's reader may go */
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    if (a.trace && !(a.timeline = timeline_open(a.trace, a.device, false))) {
        tool_error(a.trace, "%s", strerror(errno));
        return TOOL_UNUSABLE;
    }
    a.said = fopencookie(&a, "w", (cookie_io_functions_t){.write = say});
    if (!a.said) {
        tool_error(NULL, "%s", strerror(errno));
        return TOOL_UNUSABLE;
    }
    setvbuf(a.said, NULL, _IOLBF, LINE_BYTES);
    const unsigned mask = (a.log >= LOG_GUC ? SOFTGT_TRACE_GUC : 0u) |
                          (a.log == LOG_ACCESS ? SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS : 0u) |
                          (a.timeline ? TIMELINE_EVENTS : 0u);
    const struct vfio_user_options serve = {.device = a.device,
                                            .socket = a.socket,
                                            .mode = a.mode        ? a.mode
                                                    : a.has_group ? 0660
                                                                  : 0600,
                                            .group = a.has_group ? &a.group : NULL,
                                            .report = {&a, on_report},
                                            .trace = {&a, mask, on_event},
                                            .functions = a.functions,
                                            .shares = shares,
                                            .local_bytes = a.local_mb << 20,
                                            .timing = a.timing,
                                            .record = a.record,
                                            .once = a.once,
                                            .stop = &stop,
                                            .user = &a,
                                            .message = on_message,
                                            .enclose = on_enclose,
                                            .device_ends = on_end};
    const char *what;
    const int error = vfio_user_serve(&serve, &what);
    fclose(a.said);
    if (!timeline_close(a.timeline, false)) {
        tool_error(a.trace, "%s", strerror(errno));
        return TOOL_UNUSABLE;
    }
    if (error && a.sandbox)
        tool_error(NULL, "the sandbox: %s: %s (--no-sandbox does without)", a.sandbox, strerror(error));
    else if (error < 0)
        tool_error(a.provision, "%s", what);
    else if (error)
        tool_error(NULL, "%s: %s", what, strerror(error));
    if (error)
        return TOOL_UNUSABLE;
    return TOOL_CLEAN;
}
