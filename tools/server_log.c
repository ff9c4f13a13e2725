#include "server_log.h"

#include "events.h"

#include <inttypes.h>
#include <poll.h>
#include <unistd.h>

/* ---- Signals ---- */

static volatile sig_atomic_t stop;

static void server_on_signal(int number)
{
    (void)number;
    stop = 1;
}

const volatile sig_atomic_t *server_stop(void)
{
    const struct sigaction action = {.sa_handler = server_on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* the log's reader may end */
    return &stop;
}

static volatile sig_atomic_t state_requested;

static void on_state_signal(int number)
{
    (void)number;
    state_requested = 1;
}

volatile sig_atomic_t *server_state_requested(void)
{
    const struct sigaction action = {.sa_handler = on_state_signal};
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, NULL); /* server_poll lets it in */
    sigaction(SIGUSR1, &action, NULL);
    return &state_requested;
}

/* ---- Lines ---- */

enum { LINE_BYTES = 4096 /* a ready pipe takes this many bytes */, PATIENCE_MS = 1000, LOOK_MS = 50 };

/* Waits once for a slow reader; then lines are dropped until it reads again. */
static bool line_taken(const struct server_log *l)
{
    for (int waited_ms = 0;; waited_ms += LOOK_MS) {
        struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
        if (poll(&p, 1, l->lost_lines ? 0 : LOOK_MS) > 0)
            return true;
        if (l->lost_lines || *l->stop || waited_ms >= PATIENCE_MS)
            return false;
    }
}

static ssize_t say(void *user, const char *line, size_t bytes)
{
    struct server_log *l = user;
    if (!line_taken(l)) {
        l->lost_lines++;
        return (ssize_t)bytes;
    }
    if (l->lost_lines)
        dprintf(STDERR_FILENO, "softgt: %s: nobody reads standard error: %" PRIu64 " lines are lost\n",
                l->name, l->lost_lines);
    l->lost_lines = 0;
    if (write(STDERR_FILENO, line, bytes) < 0) {
        /* Standard error is closed. */
    }
    return (ssize_t)bytes;
}

bool server_log_open(struct server_log *l)
{
    l->file = fopencookie(l, "w", (cookie_io_functions_t){.write = say});
    return l->file && setvbuf(l->file, NULL, _IOLBF, LINE_BYTES) == 0;
}

void server_log_close(struct server_log *l)
{
    fclose(l->file);
}

/* ---- Output ---- */

int server_log_level_of(const char *name, unsigned levels, char all[LOG_NAMES])
{
    static const char *const names[] = {"none", "hangs", "guest", "all", "guc", "access"};
    *all = 0;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(levels >> i & 1u))
            continue;
        if (strcmp(names[i], name) == 0)
            return (int)i;
        strncat(all, *all ? ", " : "", LOG_NAMES - strlen(all) - 1);
        strncat(all, names[i], LOG_NAMES - strlen(all) - 1);
    }
    return -1;
}

enum log_level server_log_level(struct argp_state *state, const char *name, unsigned levels)
{
    char all[LOG_NAMES];
    const int level = server_log_level_of(name, levels, all);
    if (level < 0)
        argp_error(state, "no log level is named '%s'; there are: %s", name, all);
    return (enum log_level)level;
}

void server_log_message(void *user, const char *text)
{
    const struct server_log *l = user;
    fprintf(l->file, "softgt: %s: %s\n", l->name, text);
}

void server_log_news(struct server_log *l, const char *sentence)
{
    fail_on_note(&l->fail_on, FAIL_HUNG, sentence);
    if (l->level >= LOG_HANGS)
        fprintf(l->file, "softgt: %s: %s\n", l->name, sentence);
}

void server_log_report(void *user, const struct softgt_report *report)
{
    struct server_log *l = user;
    fail_on_report(&l->fail_on, report);
    if (l->level < (report->complaint == SOFTGT_NOT_MODELLED ? LOG_ALL : LOG_GUEST))
        return;
    if (complaints_add(&l->complaints, report))
        fprintf(l->file, "%12" PRIu64 " ns  %s, %s: %s\n", report->now_ns, complaint_names[report->complaint],
                report->unit, report->text);
}

unsigned server_log_events(const struct server_log *l)
{
    return (l->level >= LOG_GUC ? SOFTGT_TRACE_GUC : 0u) |
           (l->level == LOG_ACCESS ? SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS : 0u);
}

void server_log_event(const struct server_log *l, const struct softgt_event *e)
{
    if (e->what == SOFTGT_TRACE_GUC && l->level >= LOG_GUC) {
        fprintf(l->file, "%12" PRIu64 " ns  ", e->now_ns);
        event_print_message(l->file, e);
    }
    const bool read = e->what == SOFTGT_TRACE_READS;
    if (l->level == LOG_ACCESS && (read || (e->what == SOFTGT_TRACE_REGISTERS && strcmp(e->by, "cpu") == 0)))
        fprintf(l->file, "%12" PRIu64 " ns  %-9s %s %06" PRIx64 " %-28s %08" PRIx64 "\n", e->now_ns, e->unit,
                read ? "read " : "write", e->address, e->name, e->value);
}

void server_log_engine(const struct server_log *l, const struct softgt_engine_status *e)
{
    fprintf(l->file, "  %-6s %10s batches  %12s commands  %8s switches  %8s interrupts  %6s faults\n",
            e->name, tool_number(e->batches), tool_number(e->commands), tool_number(e->context_switches),
            tool_number(e->interrupts), tool_number(e->faults));
}

void server_log_complaints(const struct server_log *l)
{
    for (unsigned i = 0; i < l->complaints.count; i++)
        complaint_print(l->file, &l->complaints.list[i]);
    if (l->complaints.dropped)
        fprintf(l->file, "  ... and %s of other kinds\n", tool_number(l->complaints.dropped));
}
