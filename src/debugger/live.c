#include "debugger/live.h"

#include "debugger/commands.h"
#include "debugger/debuggee.h"

#include <stdlib.h>
#include <string.h>

struct live_debugger {
    struct debugger debugger;
    struct debuggee debuggee;
    struct debug_shared shared;
    struct live_port port;
    struct softgt_event held; /* the command before which an engine is held, with its dwords */
    uint32_t *held_dw;
    bool has_stopped; /* since the last live_take_stop */
};

static struct live_debugger *live_of_debuggee(struct debuggee *d)
{
    return (struct live_debugger *)((char *)d - offsetof(struct live_debugger, debuggee));
}

static struct live_debugger *live_of(struct debugger *d)
{
    return (struct live_debugger *)d; /* its first member */
}

/* ---- Stops ---- */

static void live_stop(struct debuggee *d, const char *reason)
{
    struct live_debugger *const l = live_of_debuggee(d);
    snprintf(l->shared.reason, sizeof l->shared.reason, "%s", reason);
    if (d->command) { /* it is valid in its event only */
        uint32_t *const dw = realloc(l->held_dw, d->command->length_dw * sizeof *dw);
        l->held = *d->command;
        l->held_dw = dw ? dw : l->held_dw;
        if (dw)
            memcpy(dw, l->held.dwords, l->held.length_dw * sizeof *dw);
        l->held.dwords = dw;
        d->command = dw ? &l->held : NULL;
    }
    if (d->thread)
        d->thread = device_keep_thread(d->device, d->thread);
    l->shared.draws = d->draws;
    d->is_held = l->has_stopped = true;
    device_hold(d->device, true);
}

static void live_write_register(struct debuggee *d, uint32_t offset, uint32_t value)
{
    const struct live_port *const port = &live_of_debuggee(d)->port;
    port->write_register(port->user, offset, value);
}

static const struct debuggee_ops debuggee_ops = {.stop = live_stop, .write_register = live_write_register};

/* The engine was reset: it does not come to its command again. */
static void forget_place(struct debuggee *d, const char *unit)
{
    struct softgt_eu_thread_info i;
    if (d->passed.unit && strcmp(d->passed.unit, unit) == 0)
        d->passed.unit = NULL;
    if (d->command && strcmp(d->command->unit, unit) == 0)
        d->command = NULL;
    if (d->kept.length_dw && strcmp(d->kept.unit, unit) == 0)
        d->kept.length_dw = 0;
    if (!d->thread)
        return;
    softgt_eu_thread_get_info(d->thread, &i);
    if (strcmp(i.unit, unit) == 0)
        d->thread = NULL;
}

void live_event(struct live_debugger *l, const struct softgt_event *e)
{
    struct debuggee *const d = &l->debuggee;
    if (e->what == SOFTGT_TRACE_BATCHES && e->kind == SOFTGT_EVENT_RESET)
        forget_place(d, e->unit);
    if (d->is_held) /* what the CPU does meanwhile is no step */
        position_tracker_event(&d->tracker, e);
    else
        stepping_event(d, e);
}

/* ---- Moves ---- */

static enum debugger_result live_move(struct debugger *debugger, const struct debug_move *move)
{
    struct live_debugger *const l = live_of(debugger);
    struct debuggee *const d = &l->debuggee;
    const struct softgt_eu_hooks hooks = stepping_hooks(d);
    l->shared.move = *move;
    d->watches_threads = false;
    stepping_begin_move(d);
    if (d->watches_threads && l->port.is_recorded) {
        fputs("a recording cannot stop within a kernel: step and stop at commands, or run without --record\n",
              debugger->out);
        return DEBUGGER_REFUSED;
    }
    if (!device_watch_threads(d->device, d->watches_threads ? &hooks : NULL)) {
        fputs("out of memory\n", debugger->out);
        return DEBUGGER_REFUSED;
    }
    d->passed.unit = NULL;
    if (d->thread) {
        softgt_eu_thread_get_info(d->thread, &d->passed.thread);
        d->passed.unit = d->passed.thread.unit;
    } else if (d->command) {
        d->passed.unit = d->command->unit;
        d->passed.address = d->command->address;
    }
    d->passed.in_thread = d->thread != NULL;
    d->command = NULL;
    d->thread = NULL;
    d->is_held = false;
    device_hold(d->device, false);
    return DEBUGGER_MOVES;
}

static bool live_look(struct debugger *debugger)
{
    struct live_debugger *const l = live_of(debugger);
    return debuggee_look(&l->debuggee, l->shared.line);
}

static bool live_complete_line(struct debugger *debugger)
{
    struct live_debugger *const l = live_of(debugger);
    debuggee_complete(&l->debuggee, l->shared.line, l->shared.completions, DEBUG_COMPLETIONS);
    return true;
}

static const struct debugger_ops debugger_ops = {
    .look = live_look,
    .complete = live_complete_line,
    .move = live_move,
    .no_past =
        "a live device has no past: record it (softgt exec --record T PROGRAM, softgt serve --record T), and "
        "go back in softgt debug T",
};

/* ---- Life ---- */

struct live_debugger *live_open(struct softgt *device, const struct live_port *port)
{
    struct live_debugger *const l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->debugger.ops = &debugger_ops;
    l->debugger.shared = l->debuggee.shared = &l->shared;
    l->debuggee.ops = &debuggee_ops;
    l->debuggee.device = device;
    l->port = *port;
    live_stop(&l->debuggee, "");
    return l;
}

void live_colour(struct live_debugger *l, bool colour)
{
    l->shared.colour = colour;
}

void live_close(struct live_debugger *l)
{
    if (!l)
        return;
    device_watch_threads(l->debuggee.device, NULL);
    device_hold(l->debuggee.device, false);
    free(l->held_dw);
    state_sources_free(&l->debuggee);
    free(l);
}

unsigned live_events(const struct live_debugger *l)
{
    return l ? ALWAYS_TRACED | l->debuggee.events : 0;
}

/* Both sides print there. False: out of memory. */
static bool begin_text(struct live_debugger *l, char **bytes, size_t *length)
{
    FILE *const file = open_memstream(bytes, length);
    l->debugger.out = l->debuggee.out = file;
    return file;
}

static void end_text(struct live_debugger *l, char **bytes, const size_t *length, struct text *out)
{
    if (fclose(l->debugger.out) == 0)
        text_bytes(out, *bytes, *length);
    else
        out->failed = true;
    free(*bytes);
    l->debugger.out = l->debuggee.out = NULL;
}

enum debugger_result live_line(struct live_debugger *l, const char *line, struct text *out)
{
    char *bytes = NULL;
    size_t length;
    if (!l->debuggee.is_held) {
        text_string(out, "the device runs: interrupt it first\n");
        return DEBUGGER_REFUSED;
    }
    if (!begin_text(l, &bytes, &length)) {
        out->failed = true;
        return DEBUGGER_REFUSED;
    }
    const enum debugger_result result = debugger_line(&l->debugger, line);
    end_text(l, &bytes, &length, out);
    return result;
}

void live_complete(struct live_debugger *l, const char *line, struct text *out)
{
    text_string(out, debugger_complete(&l->debugger, line));
}

void live_interrupt(struct live_debugger *l)
{
    if (!l->debuggee.is_held)
        live_stop(&l->debuggee, "interrupted");
}

bool live_has_stop(const struct live_debugger *l)
{
    const struct debuggee *const d = &l->debuggee;
    return l->has_stopped || (!d->is_held && *d->pending.text && !softgt_runnable(d->device));
}

void live_reset(struct live_debugger *l)
{
    struct debuggee *const d = &l->debuggee;
    d->passed.unit = NULL;
    d->command = NULL;
    d->thread = NULL;
    d->kept.length_dw = 0;
    d->tracker = (struct position_tracker){0};
}

bool live_take_stop(struct live_debugger *l, struct text *out)
{
    struct debuggee *const d = &l->debuggee;
    char *bytes = NULL;
    size_t length;
    if (!live_has_stop(l))
        return false;
    if (!l->has_stopped) /* no command follows */
        live_stop(d, stepping_take_pending(d));
    if (!begin_text(l, &bytes, &length))
        return false;
    l->has_stopped = false;
    l->debugger.place = d->place;
    debugger_where(&l->debugger);
    end_text(l, &bytes, &length, out);
    return true;
}
