/* A debuggee that replays a trace: its turns with the debugger, and copies of itself. */
#include "debugger/debuggee.h"

#include "aub/aub.h"
#include "debugger/turns.h"
#include "host/code_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct replay_debuggee {
    struct debuggee d;
    int socket;
    struct code_memory *code;
    const struct replay_result *result;
    uint64_t past_ns; /* when it last left a copy of itself behind, on the host's clock */
};

static struct replay_debuggee *replay_of(struct debuggee *d)
{
    return (struct replay_debuggee *)d; /* its first member */
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static uint64_t host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- Turns ---- */

static void hand_over(struct replay_debuggee *r, enum turn turn, int fd)
{
    const struct turn_message message = {turn, r->d.place, r->d.draws};
    fflush(stdout);
    if (!turn_send(r->socket, &message, fd))
        _exit(0);
}

static void answer(struct replay_debuggee *r, enum turn turn)
{
    r->d.shared->at_end = r->d.at_end;
    r->d.shared->draws = r->d.draws;
    if (r->d.at_end) {
        r->d.shared->all_draws = r->d.draws;
        r->d.shared->knows_draws = true;
    }
    hand_over(r, turn, -1);
}

/* Makes a copy that stands still here. True: this is the copy. */
static bool leave_copy(struct replay_debuggee *r, enum turn turn)
{
    int pair[2];
    fflush(stdout);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false; /* the past has one place less */
    code_memory_before_fork(r->code);
    const pid_t copy = fork();
    code_memory_after_fork(r->code, copy == 0);
    if (copy == 0) {
        close(r->socket);
        close(pair[0]);
        r->socket = pair[1];
        return true;
    }
    close(pair[1]);
    if (copy > 0)
        hand_over(r, turn, pair[0]);
    close(pair[0]);
    if (copy < 0 && turn == TURN_COPY)
        answer(r, TURN_NO_COPY);
    return false;
}

/* Stands still until the debugger sends it on. */
static void stand(struct replay_debuggee *r, bool tells)
{
    struct debuggee *const d = &r->d;
    if (tells)
        answer(r, TURN_STOPPED);
    struct turn_message message;
    for (int fd;;) {
        switch (turn_receive(r->socket, &message, &fd)) {
        case TURN_GO:
            stepping_begin_move(d);
            stepping_make_changes(d);
            softgt_set_trace_mask(d->device, ALWAYS_TRACED | d->events);
            r->past_ns = host_ns();
            return;
        case TURN_LOOK:
            stepping_make_changes(d);
            d->shared->failed = !debuggee_look(d, d->shared->line);
            answer(r, TURN_DONE);
            break;
        case TURN_COMPLETE:
            debuggee_complete(d, d->shared->line, d->shared->completions, DEBUG_COMPLETIONS);
            answer(r, TURN_DONE);
            break;
        case TURN_COPY:
            leave_copy(r, TURN_COPY);
            break;
        default:
            _exit(0);
        }
    }
}

static void replay_stop(struct debuggee *d, const char *reason)
{
    snprintf(d->shared->reason, sizeof d->shared->reason, "%s", reason);
    stand(replay_of(d), true);
}

/* Leaves a copy behind from time to time, as long as it runs on. */
static void keep_past(struct debuggee *d)
{
    enum { EVERY = 16, PAUSE_NS = 250000000 };
    struct replay_debuggee *const r = replay_of(d);
    if (d->place.command % EVERY)
        return;
    const uint64_t now = host_ns();
    if (now - r->past_ns < PAUSE_NS)
        return;
    r->past_ns = now;
    if (leave_copy(r, TURN_PAST))
        stand(r, false);
    r->past_ns = host_ns();
}

static const struct debuggee_ops replay_ops = {.stop = replay_stop, .pass = keep_past, .keeps_changes = true};

/* ---- The replay ---- */

static void on_event(void *user, const struct softgt_event *e)
{
    stepping_event(user, e);
}

static void on_packet(void *user)
{
    stepping_packet(user);
}

/* A packet wrote memory: page by page. */
static void on_written(void *user, uint64_t offset, const struct aub_memory *m)
{
    struct debuggee *const d = user;
    const bool is_ggtt = m->space == AUB_GGTT || m->space == AUB_GGTT_NON_APERTURE;
    (void)offset;
    if (!(d->events & SOFTGT_TRACE_MEMORY))
        return;
    for (uint64_t n = 0, part; n < m->size_bytes; n += part) {
        const uint64_t address = m->address + n, left = m->size_bytes - n;
        struct device_walk walk;
        part = is_ggtt ? PAGE_BYTES - address % PAGE_BYTES : left;
        part = part < left ? part : left;
        if (!is_ggtt)
            watching_wrote(d, m->space == AUB_LOCAL ? address | MEMORY_LOCAL : address, part);
        else if (device_walk(d->device, -1, address, &walk))
            watching_wrote(d, walk.translation.physical, part);
    }
}

static void on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    const struct debuggee *const d = user;
    if (stepping_is_quiet(d))
        return;
    if (offset != REPLAY_NO_OFFSET)
        fprintf(d->out, "%s0x%" PRIx64 ": %s\n", kind == REPLAY_NOTE ? "note: offset " : "error: offset ",
                offset, text);
    else
        fprintf(d->out, "%s%s\n", kind == REPLAY_NOTE ? "note: " : "error: ", text);
}

static bool on_started(void *user, struct softgt *device)
{
    struct debuggee *const d = user;
    const struct softgt_eu_hooks hooks = stepping_hooks(d);
    d->device = device;
    if (softgt_watch_threads(device, &hooks) != 0)
        return false;
    replay_stop(d, "nothing has run");
    return true;
}

static void debuggee_on_report(void *user, const struct softgt_report *report)
{
    const struct debuggee *const d = user;
    d->shared->reports.complaints |= 1u << report->complaint;
    if (report->complaint == SOFTGT_GUEST_ERROR)
        d->shared->reports.mistakes |= 1u << report->mistake;
}

static void note_counted(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    const struct debuggee *const d = user;
    (void)name;
    d->shared->reports.is_counted |= count && model == SOFTGT_COMMAND_COUNTED;
}

static void on_finished(void *user, struct softgt *device)
{
    struct debuggee *const d = user;
    struct softgt_engine_status s;
    d->shared->reports.hung |= replay_of(d)->result->hung != 0;
    for (unsigned i = 0; softgt_engine_get_status(device, i, &s); i++) {
        d->shared->reports.hung |= s.state != SOFTGT_ENGINE_IDLE;
        softgt_engine_commands(device, i, d, note_counted);
    }
    d->place.command++;
    d->place.instruction = 0;
    d->at_end = true;
    stepping_end(d);
    for (;;) { /* there is nothing to go on to */
        const char *const reason = stepping_is_quiet(d) ? "" : stepping_take_pending(d);
        replay_stop(d, reason ? reason : "the replay has ended");
    }
}

void debuggee_run(struct debug_shared *shared, int socket, const struct debugger_options *options)
{
    struct replay_debuggee *const r = calloc(1, sizeof *r);
    const struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    struct replay_result result;
    if (!r)
        return;
    sigaction(SIGINT, &action, NULL);
    struct debuggee *const d = &r->d;
    d->shared = shared;
    d->ops = &replay_ops;
    d->out = stdout;
    d->interrupted = &interrupted;
    d->tracker.is_trace = true;
    r->socket = socket;
    r->result = &result;
    r->code = options->code;
    struct replay_options with = *options->replay;
    with.code = code_memory_port(options->code);
    with.position = &d->tracker.position;
    with.trace = (struct softgt_trace_port){d, ALWAYS_TRACED, on_event};
    with.report = (struct softgt_report_port){d, debuggee_on_report};
    with.user = d;
    with.message = on_message;
    with.packet = on_packet;
    with.written = on_written;
    with.started = on_started;
    with.finished = on_finished;
    replay_memory(options->trace, options->trace_bytes, &with, &result);
    fflush(stdout);
    state_sources_free(d);
    free(r);
}
