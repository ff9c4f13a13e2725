#include "host/timeline.h"

#include "device/host.h"
#include "host/event_text.h"
#include "host/output.h"
#include "host/timeline_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACKS = 64, DEPTH = 8, NAME_BYTES = 160 };

/* Open slices of a track, the outermost first. */
enum slice { CONTEXT, BATCH, WAIT };

struct track {
    char name[24];
    enum slice open[DEPTH];
    unsigned depth;
    uint64_t last_ns; /* of its last record: what a draw began no earlier than */
};

struct timeline {
    struct output output;
    FILE *file; /* the output's */
    const struct timeline_format *format;
    struct track tracks[TRACKS];
    unsigned track_count;
    uint64_t now_ns;
    bool all_commands;
};

/* Tracks are in the order in which their units appear. */
static unsigned track_of(struct timeline *t, const char *unit)
{
    unsigned i = 0;
    while (i < t->track_count && strcmp(t->tracks[i].name, unit) != 0)
        i++;
    if (i < t->track_count || i == TRACKS)
        return i < TRACKS ? i : TRACKS - 1;
    t->track_count++;
    snprintf(t->tracks[i].name, sizeof t->tracks[i].name, "%s", unit);
    t->format->track(t->file, i, t->tracks[i].name);
    return i;
}

static bool is_perfetto(const char *path)
{
    static const char suffix[] = ".pftrace";
    const size_t length = strlen(path), suffix_bytes = sizeof suffix - 1u;
    return length >= suffix_bytes && strcmp(path + length - suffix_bytes, suffix) == 0;
}

struct timeline *timeline_open(const char *path, const char *device, bool all_commands)
{
    char process[64];
    struct timeline *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->all_commands = all_commands;
    t->format = is_perfetto(path) ? &timeline_perfetto : &timeline_json;
    if (!output_open(&t->output, path)) {
        const int error = errno;
        free(t);
        errno = error;
        return NULL;
    }
    t->file = t->output.file;
    snprintf(process, sizeof process, "softgt %s", device);
    t->format->begin(t->file, process);
    return t;
}

/* ---- Records ---- */

static struct timeline_record record(const struct timeline *t, enum timeline_phase phase, unsigned track,
                                     const char *category, const char *name)
{
    return (struct timeline_record){
        .phase = phase, .track = track, .ns = t->now_ns, .category = category, .name = name};
}

__attribute__((format(printf, 3, 4))) static void add(struct timeline_record *r, const char *key,
                                                      const char *format, ...)
{
    va_list values;
    if (r->count == TIMELINE_ARGUMENTS)
        return;
    struct timeline_argument *const a = &r->arguments[r->count++];
    a->key = key;
    va_start(values, format);
    vsnprintf(a->value, sizeof a->value, format, values);
    va_end(values);
}

static void write_record(struct timeline *t, const struct timeline_record *r)
{
    t->format->record(t->file, r);
    t->tracks[r->track].last_ns = r->phase == TIMELINE_COMPLETE ? r->until_ns : r->ns;
}

/* ---- Slices ---- */

static void open_slice(struct timeline *t, unsigned track, enum slice slice)
{
    struct track *k = &t->tracks[track];
    if (k->depth < DEPTH)
        k->open[k->depth++] = slice;
}

static void end_slice(struct timeline *t, unsigned track)
{
    const struct timeline_record r = record(t, TIMELINE_END, track, "", "");
    write_record(t, &r);
    t->tracks[track].depth--;
}

/* Ends the innermost slice of that kind, and those inside it. */
static void close_slice(struct timeline *t, unsigned track, enum slice slice)
{
    const struct track *k = &t->tracks[track];
    unsigned at = k->depth;
    while (at && k->open[at - 1] != slice)
        at--;
    while (at && k->depth >= at)
        end_slice(t, track);
}

static void close_all(struct timeline *t, unsigned track)
{
    while (t->tracks[track].depth)
        end_slice(t, track);
}

/* ---- Events ---- */

static void on_context(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    char bits[120], name[NAME_BYTES];
    if (e->kind == SOFTGT_EVENT_RESTORE) {
        close_all(t, track);
        snprintf(name, sizeof name, "context %" PRIx64, e->value);
        struct timeline_record r = record(t, TIMELINE_BEGIN, track, "context", name);
        add(&r, "lrca", "%" PRIx64, e->address);
        add(&r, "id", "%" PRIx64, e->value);
        write_record(t, &r);
        open_slice(t, track, CONTEXT);
    } else if (e->kind == SOFTGT_EVENT_SAVE) {
        close_slice(t, track, CONTEXT);
    } else {
        snprintf(name, sizeof name, "%s: %s", e->name,
                 event_bits(engine_switch_names, e->value, bits, sizeof bits));
        struct timeline_record r = record(t, TIMELINE_INSTANT, track, "status", name);
        add(&r, "id", "%" PRIx64, e->address);
        add(&r, "value", "%" PRIx64, e->value);
        write_record(t, &r);
    }
}

/* An engine's interrupts by name, and the MSI. */
static void on_interrupt(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    char bits[120], name[NAME_BYTES];
    const bool raised = e->kind == SOFTGT_EVENT_RAISE;
    snprintf(name, sizeof name, "%s%s%s", e->name, raised ? ": " : "",
             raised ? event_bits(engine_interrupt_names, e->value, bits, sizeof bits) : "");
    struct timeline_record r = record(t, TIMELINE_INSTANT, track, "interrupt", name);
    if (raised)
        add(&r, "value", "%" PRIx64, e->value);
    write_record(t, &r);
}

/* A batch, by its address, or a wait. */
static void begin_batch_or_wait(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    char name[NAME_BYTES];
    const bool batch = e->kind == SOFTGT_EVENT_BATCH;
    if (t->tracks[track].depth == DEPTH)
        return;
    snprintf(name, sizeof name, batch ? "batch %" PRIx64 : "wait", e->address);
    struct timeline_record r = record(t, TIMELINE_BEGIN, track, e->name, name);
    add(&r, "address", "%" PRIx64, e->address);
    if (e->text)
        add(&r, "why", "%s", e->text);
    if (e->comparison) {
        add(&r, "found", "%" PRIx64, e->value);
        add(&r, "wanted", "%s %" PRIx64, e->comparison, e->old_value);
    }
    write_record(t, &r);
    open_slice(t, track, batch ? BATCH : WAIT);
}

static void on_batch(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    switch (e->kind) {
    case SOFTGT_EVENT_BATCH:
    case SOFTGT_EVENT_WAIT:
        begin_batch_or_wait(t, track, e);
        break;
    case SOFTGT_EVENT_BATCH_END:
        close_slice(t, track, BATCH);
        break;
    case SOFTGT_EVENT_WAIT_END:
        close_slice(t, track, WAIT);
        break;
    case SOFTGT_EVENT_CHAIN:
        break;
    default: /* stop, reset */
        if (e->kind == SOFTGT_EVENT_RESET)
            close_all(t, track);
        struct timeline_record r = record(t, TIMELINE_INSTANT, track, "error", e->name);
        add(&r, "address", "%" PRIx64, e->address);
        add(&r, "why", "%s", e->text ? e->text : "");
        write_record(t, &r);
        break;
    }
}

/* Draws that are counted and similar jobs always; other commands on request. */
static void on_command(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    const bool draws = e->kind == SOFTGT_EVENT_COMMAND && e->model == SOFTGT_COMMAND_COUNTED;
    t->tracks[track].last_ns = t->now_ns; /* a draw or dispatch begins here */
    if (e->is_late || !(draws || t->all_commands))
        return;
    struct timeline_record r =
        record(t, TIMELINE_INSTANT, track, draws ? "draw" : "command", e->name ? e->name : "unknown command");
    add(&r, "address", "%" PRIx64, e->address);
    add(&r, "header", "%08" PRIx32, e->dwords[0]);
    write_record(t, &r);
}

/* The threads that a draw or dispatch ran, on a track beside the engine's. */
static void on_threads(struct timeline *t, const struct softgt_event *e, uint64_t since_ns)
{
    char unit[24], name[NAME_BYTES];
    snprintf(unit, sizeof unit, "%.12s threads", e->unit);
    snprintf(name, sizeof name, "%" PRIu64 " EU threads of kernel %" PRIx64, e->draw->threads,
             e->draw->kernel);
    struct timeline_record r = record(t, TIMELINE_COMPLETE, track_of(t, unit), "threads", name);
    r.ns = since_ns;
    r.until_ns = t->now_ns;
    add(&r, "instructions", "%" PRIu64, e->draw->instructions);
    write_record(t, &r);
}

/* "3DPRIMITIVE TRILIST, 12 primitives", "GPGPU_WALKER 8x8x1 groups" */
static void on_draw(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    const struct softgt_draw *const d = e->draw;
    char name[NAME_BYTES];
    const char *const command = e->name ? e->name : "draw";
    if (d->topology)
        snprintf(name, sizeof name, "%s %s, %" PRIu64 " primitives", command, d->topology, d->primitives);
    else
        snprintf(name, sizeof name, "%s %" PRIu32 "x%" PRIu32 "x%" PRIu32 " groups", command, d->groups[0],
                 d->groups[1], d->groups[2]);
    struct timeline_record r = record(t, TIMELINE_COMPLETE, track, "draw", name);
    const uint64_t since_ns = t->tracks[track].last_ns ? t->tracks[track].last_ns : t->now_ns;
    r.ns = since_ns;
    r.until_ns = t->now_ns;
    add(&r, "address", "%" PRIx64, e->address);
    if (e->text)
        add(&r, "not drawn", "%s", e->text);
    if (d->topology)
        add(&r, "vertices", "%" PRIu32 " in %" PRIu32 " instances", d->vertices, d->instances);
    if (d->surface)
        add(&r, "surface", "%" PRIx64 ", %" PRIu32 "x%" PRIu32, d->surface, d->width_px, d->height_px);
    if (d->topology && !e->text)
        add(&r, "channels shaded", "%" PRIu64, d->pixels);
    write_record(t, &r);
    if (d->threads)
        on_threads(t, e, since_ns);
}

static void on_blit(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    struct timeline_record r = record(t, TIMELINE_INSTANT, track, "draw", e->name);
    add(&r, "surface", "%" PRIx64, e->address);
    add(&r, "from", "%d,%d", e->blit->x1, e->blit->y1);
    add(&r, "to", "%d,%d", e->blit->x2, e->blit->y2);
    write_record(t, &r);
}

static void on_complaint(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    struct timeline_record r = record(t, TIMELINE_INSTANT, track, "complaint", e->text);
    add(&r, "address", "%" PRIx64, e->address);
    add(&r, "kind", "%s", e->name);
    write_record(t, &r);
}

static void on_message(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    struct timeline_record r = record(t, TIMELINE_INSTANT, track, "guc", e->name);
    add(&r, "from", "%s", e->kind == SOFTGT_EVENT_TO_GUC ? "host" : "guc");
    add(&r, "type", "%s", e->text);
    add(&r, "first", "%08" PRIx32, e->length_dw > 1 ? e->dwords[1] : 0);
    write_record(t, &r);
}

static void on_access(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    struct timeline_record r =
        record(t, TIMELINE_INSTANT, track, e->what == SOFTGT_TRACE_READS ? "read" : "write", e->name);
    add(&r, "offset", "%06" PRIx64, e->address);
    add(&r, "value", "%08" PRIx64, e->value);
    write_record(t, &r);
}

void timeline_event(void *timeline, const struct softgt_event *e)
{
    static const struct {
        enum softgt_trace_what what;
        void (*function)(struct timeline *t, unsigned track, const struct softgt_event *e);
    } functions[] = {{SOFTGT_TRACE_COMMANDS, on_command},     {SOFTGT_TRACE_BLITS, on_blit},
                     {SOFTGT_TRACE_DRAWS, on_draw},           {SOFTGT_TRACE_CONTEXTS, on_context},
                     {SOFTGT_TRACE_BATCHES, on_batch},        {SOFTGT_TRACE_INTERRUPTS, on_interrupt},
                     {SOFTGT_TRACE_COMPLAINTS, on_complaint}, {SOFTGT_TRACE_GUC, on_message},
                     {SOFTGT_TRACE_READS, on_access},         {SOFTGT_TRACE_REGISTERS, on_access}};
    struct timeline *t = timeline;
    t->now_ns = e->now_ns > t->now_ns ? e->now_ns : t->now_ns + 1u;
    const bool access = e->what == SOFTGT_TRACE_READS || e->what == SOFTGT_TRACE_REGISTERS;
    if (e->what == SOFTGT_TRACE_REGISTERS && strcmp(e->by, "cpu") != 0)
        return; /* skipped: engines make too many */
    const unsigned track = track_of(t, access ? e->by : e->unit);
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].what == e->what)
            functions[i].function(t, track, e);
}

/* ---- The end ---- */

int timeline_descriptor(const struct timeline *t)
{
    return fileno(t->file);
}

void timeline_abandon_in_child(struct timeline *t)
{
    output_abandon_in_child(&t->output);
}

bool timeline_close(struct timeline *t, bool failed)
{
    if (!t)
        return true;
    if (failed && !t->track_count) {
        output_drop(&t->output);
        free(t);
        return true;
    }
    for (unsigned i = 0; i < t->track_count; i++)
        close_all(t, i);
    t->format->end(t->file);
    const bool good = output_close(&t->output);
    const int error = errno;
    free(t);
    errno = error;
    return good;
}
