/* Stepping: which commands, events and instructions a move stops at, of a replay or a live device. */
#include "debugger/debuggee.h"
#include "host/event_text.h"

#include <inttypes.h>
#include <string.h>

/* ---- Moves ---- */

/* Lists the stops that count, and what they need. */
static void list_active(struct debuggee *d)
{
    struct debug_shared *const s = d->shared;
    d->active_count = d->events = 0;
    d->watches_threads = false;
    for (unsigned n = 0; n < DEBUG_STOPS && d->move.motion != MOTION_TO; n++) {
        struct stop *const stop = &s->stops[n];
        if (!stop->number || stop->disabled || (d->move.only && d->move.only != stop->number))
            continue;
        d->active[d->active_count++] = stop;
        d->events |= stop_kinds[stop->kind].events;
        d->watches_threads |= stop->kind == STOP_KERNEL || stop->kind == STOP_INSTRUCTION;
    }
}

static struct watched *watched_of(struct debuggee *d, const struct stop *s)
{
    return &d->watched[s - d->shared->stops];
}

static void read_watched(struct debuggee *d, const struct stop *s, struct watched *w)
{
    const size_t size_bytes = s->size_bytes < sizeof w->bytes ? s->size_bytes : sizeof w->bytes;
    memset(w->bytes, 0, sizeof w->bytes);
    w->known = s->physical.known ? device_physical_read(d->device, s->physical.address, w->bytes, size_bytes)
                                 : debuggee_read(d, s->unit, s->address, w->bytes, size_bytes);
}

void stepping_begin_move(struct debuggee *d)
{
    d->move = d->shared->move;
    list_active(d);
    d->pending[0] = 0;
    if (d->interrupted)
        *d->interrupted = 0;
    d->from.unit = d->command ? d->command->unit : NULL;
    d->from.depth = d->from.unit ? position_tracker_engine(&d->tracker, d->from.unit)->depth : 0;
    d->from.has_thread = d->thread != NULL;
    if (d->thread)
        softgt_eu_info(d->thread, &d->from.thread);
    d->watches_threads |= d->move.motion == MOTION_STEP_INSTRUCTION ||
                          ((d->move.motion == MOTION_TO || d->move.motion == MOTION_LOOK) &&
                           d->move.to.instruction && d->move.to.command == d->place.command);
    for (unsigned n = 0; n < d->active_count; n++)
        if (d->active[n]->kind == STOP_MEMORY)
            read_watched(d, d->active[n], watched_of(d, d->active[n]));
}

/* ---- Stops ---- */

bool stepping_is_quiet(const struct debuggee *d)
{
    return d->move.motion == MOTION_TO || d->move.motion == MOTION_LOOK;
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
static void note(struct debuggee *d, const char *reason)
{
    d->shared->noted.found = true;
    d->shared->noted.place = d->place;
    snprintf(d->shared->noted.reason, sizeof d->shared->noted.reason, "%s", reason);
}

/* Notes why the debuggee stops before the next command. */
static void pend(struct debuggee *d, struct stop *s, const char *what)
{
    if (*d->pending && d->move.motion != MOTION_LOOK)
        return;
    snprintf(d->pending, sizeof d->pending, "stop %u: %s", s->number, what);
    meet(d, s);
}

/* What the event did, and what command did it. */
static void event_reason(const struct debuggee *d, const struct softgt_event *e, char *text, size_t size)
{
    char name[200];
    int at = 0;
    switch (e->what) {
    case SOFTGT_TRACE_REGISTERS:
        at = snprintf(text, size, "%s.%s: 0x%" PRIx64 " -> 0x%" PRIx64 " by %s", e->unit,
                      event_register(e, name, sizeof name), e->old_value, e->value, e->by);
        break;
    case SOFTGT_TRACE_READS:
        at = snprintf(text, size, "%s.%s is read by %s: 0x%" PRIx64, e->unit,
                      event_register(e, name, sizeof name), e->by, e->value);
        break;
    case SOFTGT_TRACE_MEMORY:
        at = snprintf(text, size, "%s stores 0x%" PRIx64 ", %u bytes, at %s 0x%" PRIx64, e->unit, e->value,
                      e->size_bytes, e->is_ggtt ? "ggtt" : "ppgtt", e->address);
        break;
    default:
        at = snprintf(text, size, "%s %s%s%s at 0x%" PRIx64, e->unit, e->name ? e->name : "",
                      e->text ? ": " : "", e->text ? e->text : "", e->address);
        break;
    }
    const bool by_cpu = e->by && strcmp(e->by, "cpu") == 0;
    if (d->is_changing && at > 0 && (size_t)at < size)
        snprintf(text + at, size - (size_t)at, ", 'set %s' at %s",
                 d->shared->changes[d->change_count - 1].text, debug_place_text(&d->place, name));
    else if (by_cpu && d->tracker.is_trace && at > 0 && (size_t)at < size)
        snprintf(text + at, size - (size_t)at, ", packet at file offset 0x%" PRIx64,
                 d->tracker.position.offset);
    else if (!by_cpu && d->last.name && at > 0 && (size_t)at < size)
        snprintf(text + at, size - (size_t)at, ", in %s at %s:0x%" PRIx64, d->last.name, d->last.unit,
                 d->last.address);
}

/* Who changed memory without an event. */
static void add_changer(const struct debuggee *d, char *text, size_t size)
{
    const size_t at = strlen(text);
    char *const end = text + at;
    if (d->tracker.is_trace && !d->packet_runs)
        snprintf(end, size - at, ", by a packet at file offset 0x%" PRIx64, d->tracker.position.offset);
    else if (d->last.name)
        snprintf(end, size - at, ", in %s at %s:0x%" PRIx64 "%s", d->last.name, d->last.unit, d->last.address,
                 d->tracker.is_trace ? "" : ", or by the CPU");
    else if (!d->tracker.is_trace)
        snprintf(end, size - at, ", by the CPU");
}

/* Memory that changed without an event: a shader's store, a packet of the trace. Memory that a packet maps
 * has changed if it is not empty. */
static void compare_watched(struct debuggee *d, bool is_packet)
{
    static const uint8_t empty[STOP_WATCHED_BYTES];
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const s = d->active[n];
        struct watched now, *const before = watched_of(d, s);
        char text[DEBUG_REASON], old[24] = "not mapped";
        uint64_t was, is;
        if (s->kind != STOP_MEMORY)
            continue;
        read_watched(d, s, &now);
        if (!now.known)
            continue;
        const bool counts = before->known || (is_packet && !d->packet_runs);
        const bool same = memcmp(now.bytes, before->known ? before->bytes : empty, sizeof now.bytes) == 0;
        memcpy(&was, before->bytes, sizeof was);
        memcpy(&is, now.bytes, sizeof is);
        if (before->known)
            snprintf(old, sizeof old, "0x%" PRIx64, was);
        *before = now;
        if (same || !counts)
            continue;
        snprintf(text, sizeof text, "0x%" PRIx64 ": %s -> 0x%" PRIx64, s->address, old, is);
        add_changer(d, text, sizeof text);
        pend(d, s, text);
    }
}

/* ---- Changes ---- */

/* Who: the change wrote the stop's bytes. */
static void note_change(struct debuggee *d, const struct debug_change *c)
{
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const s = d->active[n];
        struct watched *const before = watched_of(d, s);
        struct watched now;
        char text[DEBUG_REASON], place[48];
        if (s->kind != STOP_MEMORY)
            continue;
        read_watched(d, s, &now);
        const bool same =
            now.known == before->known && memcmp(now.bytes, before->bytes, sizeof now.bytes) == 0;
        *before = now;
        if (same || !d->move.only)
            continue;
        snprintf(text, sizeof text, "'set %s' at %s", c->text, debug_place_text(&c->place, place));
        pend(d, s, text);
    }
}

void stepping_make_changes(struct debuggee *d)
{
    struct debug_shared *const s = d->shared;
    while (d->change_count < s->change_count &&
           debug_place_compare(&s->changes[d->change_count].place, &d->place) <= 0) {
        const struct debug_change *const c = &s->changes[d->change_count++];
        d->is_changing = true;
        debuggee_change(d, c->text);
        d->is_changing = false;
        note_change(d, c);
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
        return e->address == d->move.address && (!*d->move.unit || strcmp(d->move.unit, e->unit) == 0) ? ""
                                                                                                       : NULL;
    default:
        return NULL;
    }
}

/* A stop before this command. NULL: none. */
static const char *stop_before(struct debuggee *d, const struct softgt_event *e, char *text, size_t size)
{
    const struct command *row = NULL;
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const stop = d->active[n];
        if (!row && *stop->field)
            row = device_command_row(d->device, (unsigned)sheet_engine_find(device_sheet(d->device), e->unit),
                                     e->dwords[0]);
        if (!stop_is_command(stop, row, e))
            continue;
        snprintf(text, size, "stop %u: %s", stop->number, stop->text);
        meet(d, stop);
        return text;
    }
    return NULL;
}

static bool is_interrupted(const struct debuggee *d)
{
    return d->interrupted && *d->interrupted;
}

/* At the place to which it was sent? */
static bool arrived(const struct debuggee *d)
{
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
    d->last = (struct last_command){e->unit, e->name, e->address};
    d->packet_runs = true;
    keep_command(d, e);
    d->command = NULL;
}

static void before_command(struct debuggee *d, const struct softgt_event *e)
{
    char text[DEBUG_REASON];
    d->place.command++;
    d->place.instruction = 0;
    d->command = e;
    if (d->events & SOFTGT_TRACE_MEMORY)
        compare_watched(d, false);
    stepping_make_changes(d);
    const bool is_arrived = arrived(d);
    const bool looks = !is_arrived || d->move.motion != MOTION_LOOK || d->move.passes_end;
    const char *reason = looks ? stop_before(d, e, text, sizeof text) : NULL;
    if (d->move.motion == MOTION_LOOK) {
        if (looks && (reason || *d->pending))
            note(d, reason ? reason : d->pending);
        d->pending[0] = 0;
    } else if (!reason && *d->pending) {
        reason = d->pending;
    }
    const char *const ends = move_ends(d, e);
    if (is_interrupted(d))
        d->ops->stop(d, "interrupted");
    else if (stepping_is_quiet(d) ? is_arrived : reason || ends)
        d->ops->stop(d, stepping_is_quiet(d) ? "" : reason ? reason : ends);
    else if (d->ops->pass)
        d->ops->pass(d);
    if (!d->is_held)
        pass_command(d, e);
}

/* The store is to the stop's bytes, by whatever address. */
static bool touches_physical(const struct debuggee *d, const struct stop *s, const struct softgt_event *e)
{
    const int engine = e->is_ggtt ? -1 : sheet_engine_find(device_sheet(d->device), e->unit);
    struct device_walk walk;
    uint64_t part;
    for (uint64_t at = 0; (e->is_ggtt || engine >= 0) && at < e->size_bytes; at += part) {
        const uint64_t address = e->address + at, left = e->size_bytes - at;
        part = PAGE_BYTES - address % PAGE_BYTES;
        part = part < left ? part : left;
        if (!device_walk(d->device, engine, address, &walk))
            continue;
        const uint64_t to = walk.translation.physical, at_stop = s->physical.address;
        if (to - at_stop < s->size_bytes || at_stop - to < part)
            return true;
    }
    return false;
}

static bool is_met(const struct debuggee *d, const struct stop *s, const struct softgt_event *e)
{
    return s->kind == STOP_MEMORY && s->physical.known
               ? e->what == SOFTGT_TRACE_MEMORY && touches_physical(d, s, e)
               : stop_is_event(s, e);
}

void stepping_packet(struct debuggee *d)
{
    if (d->events & SOFTGT_TRACE_MEMORY)
        compare_watched(d, true);
    d->packet_runs = false;
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
    if (d->is_changing && !(d->move.motion == MOTION_LOOK && d->move.only))
        return;
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const s = d->active[n];
        char text[DEBUG_REASON];
        if (!is_met(d, s, e))
            continue;
        event_reason(d, e, text, sizeof text);
        pend(d, s, text);
        if (s->kind == STOP_MEMORY)
            read_watched(d, s, watched_of(d, s));
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
        compare_watched(d, false);
    if (*d->pending)
        note(d, d->pending);
}

static bool before_instruction(void *user, struct softgt_eu_thread *thread)
{
    struct debuggee *const d = user;
    struct softgt_eu_thread_info i = {0};
    char text[DEBUG_REASON];
    const char *reason = NULL;
    if (d->watches_threads || d->passed.unit)
        softgt_eu_info(thread, &i);
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
        if (!stop_is_instruction(s, &i))
            continue;
        snprintf(text, sizeof text, "stop %u: %s", s->number, s->text);
        meet(d, s);
        reason = text;
    }
    const bool is_arrived = arrived(d);
    if (d->move.motion == MOTION_LOOK && reason && (!is_arrived || d->move.passes_end))
        note(d, reason);
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
    compare_watched(d, true);
    stepping_make_changes(d);
    if (d->move.motion == MOTION_LOOK && *d->pending && d->move.passes_end)
        note(d, d->pending);
}
