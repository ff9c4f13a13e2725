#include "host/timeline.h"

#include "base/text.h"
#include "device/host.h"
#include "host/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACKS = 32, DEPTH = 8 };

/* Open slices of a track, the outermost first. */
enum slice { CONTEXT, BATCH, WAIT };

struct track {
    char name[16];
    enum slice open[DEPTH];
    unsigned depth;
};

struct timeline {
    struct output output;
    FILE *file; /* the output's */
    struct track tracks[TRACKS];
    unsigned track_count;
    uint64_t now_ns;
    bool all_commands;
};

static void begin_line(struct timeline *t, char phase, unsigned track)
{
    fprintf(t->file, ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ".%03u", phase, track + 1,
            t->now_ns / 1000u, (unsigned)(t->now_ns % 1000u));
}

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
    fprintf(t->file,
            ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
            i + 1, t->tracks[i].name);
    return i;
}

struct timeline *timeline_open(const char *path, const char *device, bool all_commands)
{
    struct timeline *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->all_commands = all_commands;
    if (!output_open(&t->output, path)) {
        const int error = errno;
        free(t);
        errno = error;
        return NULL;
    }
    t->file = t->output.file;
    fprintf(t->file,
            "[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"softgt %s\"}}",
            device);
    return t;
}

static void open_slice(struct timeline *t, unsigned track, enum slice slice)
{
    struct track *k = &t->tracks[track];
    if (k->depth < DEPTH)
        k->open[k->depth++] = slice;
}

/* Ends the innermost slice of that kind, and those inside it. */
static void close_slice(struct timeline *t, unsigned track, enum slice slice)
{
    struct track *k = &t->tracks[track];
    unsigned at = k->depth;
    while (at && k->open[at - 1] != slice)
        at--;
    if (!at)
        return;
    for (; k->depth >= at; k->depth--) {
        begin_line(t, 'E', track);
        fputc('}', t->file);
    }
}

static void close_all(struct timeline *t, unsigned track)
{
    for (struct track *k = &t->tracks[track]; k->depth; k->depth--) {
        begin_line(t, 'E', track);
        fputc('}', t->file);
    }
}

static bool full(const struct timeline *t, unsigned track)
{
    return t->tracks[track].depth == DEPTH;
}

static void on_context(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    char bits[200];
    if (e->kind == SOFTGT_EVENT_RESTORE) {
        close_all(t, track);
        begin_line(t, 'B', track);
        fprintf(t->file,
                ",\"cat\":\"context\",\"name\":\"context %" PRIx64 "\",\"args\":{\"lrca\":\"%" PRIx64
                "\",\"id\":\"%" PRIx64 "\"}}",
                e->value, e->address, e->value);
        open_slice(t, track, CONTEXT);
    } else if (e->kind == SOFTGT_EVENT_SAVE) {
        close_slice(t, track, CONTEXT);
    } else {
        field_value_bits(engine_switch_names, e->value, ", ", bits, sizeof bits);
        begin_line(t, 'i', track);
        fprintf(t->file,
                ",\"s\":\"t\",\"cat\":\"status\",\"name\":\"%s: %s\",\"args\":{\"id\":\"%" PRIx64
                "\",\"value\":\"%" PRIx64 "\"}}",
                e->name, bits, e->address, e->value);
    }
}

/* An engine's interrupts by name, and the MSI. */
static void on_interrupt(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    char bits[200];
    begin_line(t, 'i', track);
    fprintf(t->file, ",\"s\":\"t\",\"cat\":\"interrupt\",\"name\":\"%s", e->name);
    if (e->kind == SOFTGT_EVENT_RAISE) {
        field_value_bits(engine_interrupt_names, e->value, ", ", bits, sizeof bits);
        fprintf(t->file, ": %s\",\"args\":{\"value\":\"%" PRIx64 "\"}}", bits, e->value);
    } else {
        fputs("\"}", t->file);
    }
}

static void track_descend(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    switch (e->kind) {
    case SOFTGT_EVENT_BATCH:
    case SOFTGT_EVENT_WAIT:
        if (full(t, track))
            return;
        begin_line(t, 'B', track);
        fprintf(t->file, ",\"cat\":\"%s\",\"name\":\"%s\",\"args\":{\"address\":\"%" PRIx64 "\"", e->name,
                e->name, e->address);
        if (e->text)
            fprintf(t->file, ",\"why\":\"%s\"", e->text);
        if (e->comparison)
            fprintf(t->file, ",\"found\":\"%" PRIx64 "\",\"wanted\":\"%s %" PRIx64 "\"", e->value,
                    e->comparison, e->old_value);
        fputs("}}", t->file);
        open_slice(t, track, e->kind == SOFTGT_EVENT_BATCH ? BATCH : WAIT);
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
        begin_line(t, 'i', track);
        fprintf(t->file,
                ",\"s\":\"t\",\"cat\":\"error\",\"name\":\"%s\",\"args\":{\"address\":\"%" PRIx64
                "\",\"why\":\"%s\"}}",
                e->name, e->address, e->text ? e->text : "");
        break;
    }
}

/* Draws and similar jobs always; other commands on request. */
static void on_command(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    const bool draws = e->kind == SOFTGT_EVENT_COMMAND && e->model == SOFTGT_COMMAND_COUNTED;
    if (e->is_late || !(draws || t->all_commands))
        return;
    begin_line(t, 'i', track);
    fprintf(t->file,
            ",\"s\":\"t\",\"cat\":\"%s\",\"name\":\"%s\",\"args\":{\"address\":\"%" PRIx64
            "\",\"header\":\"%08" PRIx32 "\"}}",
            draws ? "draw" : "command", e->name ? e->name : "unknown command", e->address, e->dwords[0]);
}

static void on_blit(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    begin_line(t, 'i', track);
    fprintf(t->file,
            ",\"s\":\"t\",\"cat\":\"draw\",\"name\":\"%s\",\"args\":{\"surface\":\"%" PRIx64
            "\",\"from\":\"%d,%d\",\"to\":\"%d,%d\"}}",
            e->name, e->address, e->blit->x1, e->blit->y1, e->blit->x2, e->blit->y2);
}

/* The text may contain any bytes. */
static void on_complaint(struct timeline *t, unsigned track, const struct softgt_event *e)
{
    struct text name = {0};
    text_json(&name, e->text);
    begin_line(t, 'i', track);
    fprintf(t->file,
            ",\"s\":\"t\",\"cat\":\"complaint\",\"name\":%.*s,\"args\":{\"address\":\"%" PRIx64
            "\",\"kind\":\"%s\"}}",
            name.failed ? 2 : (int)name.length, name.failed ? "\"\"" : name.bytes, e->address, e->name);
    text_free(&name);
}

void timeline_event(void *timeline, const struct softgt_event *e)
{
    struct timeline *t = timeline;
    t->now_ns = e->now_ns > t->now_ns ? e->now_ns : t->now_ns + 1u;
    const bool access = e->what == SOFTGT_TRACE_READS || e->what == SOFTGT_TRACE_REGISTERS;
    if (e->what == SOFTGT_TRACE_REGISTERS && strcmp(e->by, "cpu") != 0)
        return; /* skipped: engines make too many */
    const unsigned track = track_of(t, access ? e->by : e->unit);
    if (e->what == SOFTGT_TRACE_COMMANDS) {
        on_command(t, track, e);
    } else if (e->what == SOFTGT_TRACE_BLITS) {
        on_blit(t, track, e);
    } else if (e->what == SOFTGT_TRACE_CONTEXTS) {
        on_context(t, track, e);
    } else if (e->what == SOFTGT_TRACE_BATCHES) {
        track_descend(t, track, e);
    } else if (e->what == SOFTGT_TRACE_INTERRUPTS) {
        on_interrupt(t, track, e);
    } else if (e->what == SOFTGT_TRACE_COMPLAINTS) {
        on_complaint(t, track, e);
    } else if (e->what == SOFTGT_TRACE_GUC) {
        begin_line(t, 'i', track);
        fprintf(t->file,
                ",\"s\":\"t\",\"cat\":\"guc\",\"name\":\"%s\",\"args\":{\"from\":\"%s\",\"type\":\"%s\","
                "\"first\":"
                "\"%08" PRIx32 "\"}}",
                e->name, e->kind == SOFTGT_EVENT_TO_GUC ? "host" : "guc", e->text,
                e->length_dw > 1 ? e->dwords[1] : 0);
    } else if (access) {
        begin_line(t, 'i', track);
        fprintf(t->file,
                ",\"s\":\"t\",\"cat\":\"%s\",\"name\":\"%s\",\"args\":{\"offset\":\"%06" PRIx64
                "\",\"value\":\"%08" PRIx64 "\"}}",
                e->what == SOFTGT_TRACE_READS ? "read" : "write", e->name, e->address, e->value);
    }
}

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
    fputs("\n]\n", t->file);
    const bool good = output_close(&t->output);
    const int error = errno;
    free(t);
    errno = error;
    return good;
}
