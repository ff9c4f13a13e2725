/* Stepping: which commands, events and instructions a move stops at, of a replay or a live device. */
#include "debugger/debuggee.h"
#include "stream/names.h"

#include <inttypes.h>
#include <string.h>

/* ---- Moves ---- */

/* Lists the stops that count, and what they need. */
static void list_active(struct debuggee *d)
{
    struct debug_shared *const s = d->shared;
    d->active_count = d->events = 0;
    d->watches_threads = false;
    for (unsigned n = 0; n < DEBUG_STOPS && d->move.motion != MOTION_TO && d->move.motion != MOTION_DRAW;
         n++) {
        struct stop *const stop = &s->stops[n];
        if (!stop->number || stop->disabled || (d->move.only && d->move.only != stop->number))
            continue;
        d->active[d->active_count++] = stop;
        d->events |= stop_kinds[stop->kind].events;
        d->watches_threads |= stop->kind == STOP_KERNEL || stop->kind == STOP_INSTRUCTION;
    }
}

static void clear_pending(struct debuggee *d)
{
    d->pending.text[0] = 0;
    d->pending.stops = 0;
    d->pending.count = 0;
}

void stepping_begin_move(struct debuggee *d)
{
    d->move = d->shared->move;
    list_active(d);
    clear_pending(d);
    if (d->interrupted)
        *d->interrupted = 0;
    d->from.unit = d->command ? d->command->unit : NULL;
    d->from.depth = d->from.unit ? position_tracker_engine(&d->tracker, d->from.unit)->depth : 0;
    d->from.has_thread = d->thread != NULL;
    if (d->thread)
        softgt_eu_thread_get_info(d->thread, &d->from.thread);
    d->watches_threads |= d->move.motion == MOTION_STEP_INSTRUCTION ||
                          ((d->move.motion == MOTION_TO || d->move.motion == MOTION_LOOK) &&
                           d->move.to.instruction && d->move.to.command == d->place.command);
    for (unsigned n = 0; n < d->active_count; n++)
        if (d->active[n]->kind == STOP_MEMORY)
            watching_begin(d, d->active[n]);
}

/* ---- Stops ---- */

bool stepping_is_quiet(const struct debuggee *d)
{
    return d->move.motion == MOTION_TO || d->move.motion == MOTION_DRAW || d->move.motion == MOTION_LOOK;
}

/* A stop was met. */
static void meet(const struct debuggee *d, struct stop *s)
{
    if (d->move.motion == MOTION_LOOK)
        return;
    s->hits++;
    if (s->temporary)
        s->number = 0;
}

/* LOOK: a stop was met, here. */
static void note(struct debuggee *d, const char *reason, bool is_placed)
{
    d->shared->noted.found = true;
    d->shared->noted.place = d->place;
    d->shared->noted.is_placed = is_placed;
    snprintf(d->shared->noted.reason, sizeof d->shared->noted.reason, "%s", reason);
}

static void note_pending(struct debuggee *d)
{
    if (*d->pending.text)
        note(d, d->pending.text, d->pending.is_placed);
}

void stepping_pend(struct debuggee *d, struct stop *s, const char *what, bool is_placed)
{
    enum { LINES = 8 };
    struct pending *const p = &d->pending;
    const bool looks = d->move.motion == MOTION_LOOK;
    if (d->change && !(looks && d->move.only))
        return;
    if (looks && d->move.only)
        p->count = 0;
    p->last = !p->count ? 0 : p->count < LINES ? strlen(p->text) : p->last;
    size_t at = p->last;
    if (p->count >= LINES)
        at += (size_t)snprintf(p->text + at, sizeof p->text - at,
                               "\n%u more, the last of them:", p->count - LINES + 2);
    snprintf(p->text + at, sizeof p->text - at, "%sstop %u: %s", at ? "\n" : "", s->number, what);
    p->count++;
    p->stops |= UINT64_C(1) << (s - d->shared->stops);
    p->is_placed = is_placed;
}

const char *stepping_take_pending(struct debuggee *d)
{
    for (unsigned n = 0; n < DEBUG_STOPS; n++)
        if (d->pending.stops >> n & 1)
            meet(d, &d->shared->stops[n]);
    d->pending.stops = 0;
    d->pending.count = 0;
    return *d->pending.text ? d->pending.text : NULL;
}

/* ---- Changes ---- */

void stepping_make_changes(struct debuggee *d)
{
    struct debug_shared *const s = d->shared;
    while (d->change_count < s->change_count &&
           debug_place_compare(&s->changes[d->change_count].place, &d->place) <= 0) {
        const struct debug_change *const c = &s->changes[d->change_count++];
        d->change = c->text;
        debuggee_change(d, c->text);
        d->change = NULL;
    }
}

/* The next change is within the command that runs. */
static bool changes_thread(const struct debuggee *d)
{
    const struct debug_change *const c = &d->shared->changes[d->change_count];
    return d->change_count < d->shared->change_count && c->place.command == d->place.command &&
           c->place.instruction;
}

/* ---- Places ---- */

/* The move ends here: `reason`, or NULL. */
static const char *move_ends(struct debuggee *d, const struct softgt_event *e)
{
    switch (d->move.motion) {
    case MOTION_STEP:
        return --d->move.count ? NULL : "";
    case MOTION_NEXT:
        return (!d->from.unit || (strcmp(e->unit, d->from.unit) == 0 &&
                                  position_tracker_engine(&d->tracker, e->unit)->depth <= d->from.depth)) &&
                       !--d->move.count
                   ? ""
                   : NULL;
    case MOTION_FINISH:
        return d->from.unit && strcmp(e->unit, d->from.unit) == 0 &&
                       position_tracker_engine(&d->tracker, e->unit)->depth < d->from.depth
                   ? ""
                   : NULL;
    case MOTION_UNTIL:
        return stop_is_address(d->move.unit, d->move.address, e) ? "" : NULL;
    default:
        return NULL;
    }
}

/* Notes the stops that are before this command. */
static void meet_before(struct debuggee *d, const struct softgt_event *e)
{
    const struct command *row = NULL;
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const stop = d->active[n];
        if (!row && *stop->field)
            row = device_command_row(d->device, (unsigned)sheet_engine_find(device_sheet(d->device), e->unit),
                                     e->dwords[0]);
        const bool has_number = stop->kind == STOP_DRAW || stop->kind == STOP_DISPATCH;
        if (stop_is_command(stop, row, e) && debuggee_is_of(d, stop, e->unit) &&
            (!has_number || !stop->value || stop->value == d->draws))
            stepping_pend(d, stop, stop->text, true);
    }
}

static bool is_interrupted(const struct debuggee *d)
{
    return d->interrupted && *d->interrupted;
}

/* At the place to which it was sent? */
static bool arrived(const struct debuggee *d)
{
    if (d->move.motion == MOTION_DRAW)
        return d->draws >= d->move.count;
    return stepping_is_quiet(d) && debug_place_compare(&d->place, &d->move.to) >= 0;
}

static void keep_command(struct debuggee *d, const struct softgt_event *e)
{
    d->kept.length_dw = 0;
    if (!d->watches_threads || e->length_dw > KEPT_DW)
        return;
    memcpy(d->kept_dw, e->dwords, e->length_dw * sizeof d->kept_dw[0]);
    d->kept = *e;
    d->kept.dwords = d->kept_dw;
}

/* The command runs. */
static void pass_command(struct debuggee *d, const struct softgt_event *e)
{
    d->watches_threads |= changes_thread(d) || (stepping_is_quiet(d) && d->move.to.instruction &&
                                                d->move.to.command == d->place.command);
    d->last = (struct last_command){e->unit, e->name, e->address, d->place.command};
    struct engine_past *const past = debuggee_past(d, e->unit);
    if (past) {
        past->last = d->last;
        past->runs = true;
        past->switches = false;
    }
    d->packet_runs = true;
    keep_command(d, e);
    note_state_command(d, e);
    d->command = NULL;
}

/* Where the engine's batches are. */
static void note_batch(struct debuggee *d, const struct softgt_event *e)
{
    struct engine_past *const past = debuggee_past(d, e->unit);
    if (!past || !position_tracker_engine(&d->tracker, e->unit)->depth)
        return;
    past->has_batch = true;
    past->batch_is_ggtt = e->is_ggtt;
}

static void before_command(struct debuggee *d, const struct softgt_event *e)
{
    d->place.command++;
    d->place.instruction = 0;
    d->command = e;
    d->draws += command_is_counted(e);
    note_batch(d, e);
    if (d->events & SOFTGT_TRACE_MEMORY)
        watching_compare(d, false);
    stepping_make_changes(d);
    const bool is_arrived = arrived(d);
    const bool looks = !is_arrived || d->move.motion != MOTION_LOOK || d->move.passes_end;
    if (looks)
        meet_before(d, e);
    if (d->move.motion == MOTION_LOOK) {
        if (looks)
            note_pending(d);
        clear_pending(d);
    }
    const char *const ends = move_ends(d, e);
    if (is_interrupted(d))
        d->ops->stop(d, "interrupted");
    else if (stepping_is_quiet(d) && is_arrived)
        d->ops->stop(d, "");
    else if (!stepping_is_quiet(d) && (*d->pending.text || ends))
        d->ops->stop(d, *d->pending.text ? stepping_take_pending(d) : ends);
    else if (d->ops->pass)
        d->ops->pass(d);
    if (!d->is_held)
        pass_command(d, e);
}

void stepping_packet(struct debuggee *d)
{
    if (d->events & SOFTGT_TRACE_MEMORY)
        watching_compare(d, true);
    d->packet_runs = false;
    for (unsigned n = 0; n < TRACKED_ENGINES; n++)
        d->engines[n].runs = false;
}

/* A context comes or goes: no command did it, but where a command is there for it. */
static void note_switch(struct debuggee *d, const struct softgt_event *e)
{
    struct engine_past *const past = e->what == SOFTGT_TRACE_CONTEXTS ? debuggee_past(d, e->unit) : NULL;
    if (past && !(past->runs && past->last.name && strcmp(past->last.name, "MI_SET_CONTEXT") == 0))
        past->switches = true;
}

void stepping_event(struct debuggee *d, const struct softgt_event *e)
{
    position_tracker_event(&d->tracker, e);
    if (e->what == SOFTGT_TRACE_COMMANDS) {
        if (e->is_late || !e->length_dw)
            return;
        if (d->passed.unit && !d->passed.in_thread && d->passed.address == e->address &&
            strcmp(d->passed.unit, e->unit) == 0) {
            d->passed.unit = NULL;
            pass_command(d, e);
        } else {
            before_command(d, e);
        }
        return;
    }
    note_switch(d, e);
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const s = d->active[n];
        char text[DEBUG_REASON];
        if (!watching_is_met(d, s, e) || !debuggee_is_of(d, s, debuggee_cause(d, e)))
            continue;
        const bool is_placed = debuggee_event_reason(d, e, text, sizeof text);
        stepping_pend(d, s, text, is_placed);
        if (s->kind == STOP_MEMORY)
            watching_begin(d, s);
    }
}

/* ---- Threads ---- */

static bool wants_thread(void *user, const struct softgt_eu_thread *thread)
{
    (void)thread;
    return ((struct debuggee *)user)->watches_threads;
}

static bool is_same_thread(const struct softgt_eu_thread_info *a, const struct softgt_eu_thread_info *b)
{
    return a->thread == b->thread && memcmp(a->group, b->group, sizeof a->group) == 0;
}

static bool is_thread_of_move(const struct debuggee *d, const struct softgt_eu_thread_info *i)
{
    return !d->from.has_thread || is_same_thread(&d->from.thread, i);
}

/* LOOK: what the command that runs has done. */
static void note_so_far(struct debuggee *d)
{
    if (d->events & SOFTGT_TRACE_MEMORY)
        watching_compare(d, false);
    note_pending(d);
}

static bool before_instruction(void *user, struct softgt_eu_thread *thread)
{
    struct debuggee *const d = user;
    struct softgt_eu_thread_info i = {0};
    char text[DEBUG_REASON];
    const char *reason = NULL;
    if (d->watches_threads || d->passed.unit)
        softgt_eu_thread_get_info(thread, &i);
    if (d->passed.in_thread && d->passed.unit && is_same_thread(&d->passed.thread, &i) &&
        d->passed.thread.ip == i.ip) {
        d->passed.unit = NULL;
        return true;
    }
    d->place.instruction++;
    if (!d->watches_threads)
        return true;
    d->thread = thread;
    stepping_make_changes(d);
    for (unsigned n = 0; n < d->active_count && !reason; n++) {
        struct stop *const s = d->active[n];
        if (!stop_is_instruction(s, &i) || !debuggee_is_of(d, s, i.unit))
            continue;
        snprintf(text, sizeof text, "stop %u: %s", s->number, s->text);
        meet(d, s);
        reason = text;
    }
    const bool is_arrived = arrived(d);
    if (d->move.motion == MOTION_LOOK && reason && (!is_arrived || d->move.passes_end))
        note(d, reason, true);
    if (d->move.motion == MOTION_LOOK && is_arrived && d->move.passes_end)
        note_so_far(d);
    if (d->move.motion == MOTION_STEP_INSTRUCTION && is_thread_of_move(d, &i) && !--d->move.count && !reason)
        reason = "";
    if (is_interrupted(d))
        d->ops->stop(d, "interrupted");
    else if (stepping_is_quiet(d) ? is_arrived : reason != NULL)
        d->ops->stop(d, stepping_is_quiet(d) ? "" : reason);
    if (d->is_held) /* it comes again */
        return false;
    d->thread = NULL;
    return true;
}

struct softgt_eu_hooks stepping_hooks(struct debuggee *d)
{
    return (struct softgt_eu_hooks){.user = d, .wanted = wants_thread, .before = before_instruction};
}

void stepping_end(struct debuggee *d)
{
    watching_compare(d, true);
    stepping_make_changes(d);
    if (d->move.motion == MOTION_LOOK && d->move.passes_end)
        note_pending(d);
}
