/* What an event did, and which command, packet or switch of contexts did it, as text. */
#include "debugger/debuggee.h"
#include "host/event_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Text that grows, up to its size. */
struct reason {
    char *text;
    size_t size, length;
};

static void __attribute__((format(printf, 2, 3))) append(struct reason *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(r->text + r->length, r->size - r->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        r->length = r->length + (size_t)length < r->size ? r->length + (size_t)length : r->size - 1;
}

struct engine_past *debuggee_past(struct debuggee *d, const char *unit)
{
    const int n = unit ? sheet_engine_find(device_sheet(d->device), unit) : -1;
    return n >= 0 && n < TRACKED_ENGINES ? &d->engines[n] : NULL;
}

/* ---- Conditions ---- */

const char *debuggee_cause(const struct debuggee *d, const struct softgt_event *e)
{
    const char *const unit = e->what & (SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS) ? e->by : e->unit;
    return !d->change && unit && sheet_engine_find(device_sheet(d->device), unit) >= 0 ? unit : NULL;
}

bool debuggee_is_of(const struct debuggee *d, const struct stop *s, const char *unit)
{
    if (!unit)
        return stop_is_of(s, NULL, 0, 0);
    const struct engine_position *const at = position_tracker_engine(&d->tracker, unit);
    return (at->has_context || !s->has_context) && stop_is_of(s, unit, at->lrca, at->context_id);
}

/* ---- Causes ---- */

/* "context 0x1000, id 0x22"; unit: NULL: nothing. */
static void append_context(const struct debuggee *d, struct reason *r, const char *before, const char *unit)
{
    char text[80];
    if (unit && *debuggee_context_text(d, unit, text, sizeof text))
        append(r, "%s%s", before, text);
}

static void append_command(const struct debuggee *d, struct reason *r, const struct last_command *c)
{
    append(r, ", in #%" PRIu64 " %s at %s:0x%" PRIx64, c->number, c->name ? c->name : "an unknown command",
           c->unit, c->address);
    append_context(d, r, ", ", c->unit);
}

static void append_packet(const struct debuggee *d, struct reason *r)
{
    append(r, ", packet at file offset 0x%" PRIx64, d->tracker.position.offset);
}

/* The engine of which a command may have caused the event. NULL: none. */
static struct engine_past *causer(struct debuggee *d, const struct softgt_event *e)
{
    struct engine_past *const p =
        debuggee_past(d, e->what & (SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS) ? e->by : e->unit);
    return p && (p->last.unit || p->switches) ? p : NULL;
}

/* Returns whether it says where that is in the order of commands. */
static bool append_cause(struct debuggee *d, struct reason *r, const struct softgt_event *e)
{
    const struct engine_past *const p = causer(d, e);
    const bool runs = p && p->runs && !p->switches;
    if (d->change) {
        char place[48];
        append(r, ", 'set %s' at %s", d->change, debug_place_text(&d->place, place));
        return true;
    }
    if (e->by && strcmp(e->by, "cpu") == 0) {
        if (d->tracker.is_trace)
            append_packet(d, r);
        return false;
    }
    if (e->what == SOFTGT_TRACE_CONTEXTS && !runs) {
        append(r, ", by a submission");
        return false;
    }
    if (p && p->switches) {
        append(r, ", in a switch of contexts");
        append_context(d, r, ", ", debuggee_cause(d, e));
        return false;
    }
    if (runs || (p && e->what & (SOFTGT_TRACE_MEMORY | SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS))) {
        append_command(d, r, &p->last);
        return true;
    }
    if (d->tracker.is_trace)
        append_packet(d, r);
    return false;
}

bool debuggee_event_reason(struct debuggee *d, const struct softgt_event *e, char *text, size_t size)
{
    struct reason r = {text, size, 0};
    char name[200];
    text[0] = 0;
    switch (e->what) {
    case SOFTGT_TRACE_REGISTERS:
        append(&r, "%s.%s: 0x%" PRIx64 " -> 0x%" PRIx64 " by %s", e->unit,
               event_register(e, name, sizeof name), e->old_value, e->value, e->by);
        break;
    case SOFTGT_TRACE_READS:
        append(&r, "%s.%s is read by %s: 0x%" PRIx64, e->unit, event_register(e, name, sizeof name), e->by,
               e->value);
        break;
    case SOFTGT_TRACE_MEMORY:
        append(&r, "%s stores 0x%" PRIx64 ", %u bytes, at %s 0x%" PRIx64, e->unit, e->value, e->size_bytes,
               e->is_ggtt ? "ggtt" : "ppgtt", e->address);
        break;
    case SOFTGT_TRACE_CONTEXTS:
        append(&r, "%s restore", e->unit);
        append_context(d, &r, " of ", e->unit);
        break;
    case SOFTGT_TRACE_INTERRUPTS:
        append(&r, "%s raises 0x%" PRIx64 ": %s", e->unit, e->value,
               event_bits(engine_interrupt_names, e->value, name, sizeof name));
        break;
    default:
        append(&r, "%s %s%s%s at 0x%" PRIx64, e->unit, e->name ? e->name : "", e->text ? ": " : "",
               e->text ? e->text : "", e->address);
        break;
    }
    return append_cause(d, &r, e);
}

/* Who changed memory without an event. */
bool debuggee_change_reason(struct debuggee *d, char *text, size_t size)
{
    struct reason r = {text, size, strlen(text)};
    char place[48];
    if (d->change) {
        append(&r, ", 'set %s' at %s", d->change, debug_place_text(&d->place, place));
        return true;
    }
    if (d->tracker.is_trace && !d->packet_runs) {
        append(&r, ", by a packet at file offset 0x%" PRIx64, d->tracker.position.offset);
        return false;
    }
    if (d->last.unit) {
        append_command(d, &r, &d->last);
        append(&r, "%s", d->tracker.is_trace ? "" : ", or by the CPU");
        return true;
    }
    append(&r, "%s", d->tracker.is_trace ? "" : ", by the CPU");
    return false;
}
