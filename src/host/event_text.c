/* Events of a device as lines. */
#include "host/event_text.h"

#include "device/host.h"
#include "stream/index.h"

#include <inttypes.h>
#include <string.h>

const struct event_word event_words[] = {
    {"commands", SOFTGT_TRACE_COMMANDS},
    {"registers", SOFTGT_TRACE_REGISTERS},
    {"memory", SOFTGT_TRACE_MEMORY},
    {"contexts", SOFTGT_TRACE_CONTEXTS},
    {"interrupts", SOFTGT_TRACE_INTERRUPTS},
    {"reads", SOFTGT_TRACE_READS},
    {"batches", SOFTGT_TRACE_BATCHES},
    {"blits", SOFTGT_TRACE_BLITS},
    {"draws", SOFTGT_TRACE_DRAWS},
    {"complaints", SOFTGT_TRACE_COMPLAINTS},
    {"guc", SOFTGT_TRACE_GUC},
    {"all", SOFTGT_TRACE_ALL},
    {NULL, 0},
};

const char *event_status(enum softgt_event_kind kind)
{
    static const char *const names[] = {
        [SOFTGT_EVENT_COMMAND] = "executed", [SOFTGT_EVENT_UNKNOWN] = "unknown",
        [SOFTGT_EVENT_SHORT] = "too_short",  [SOFTGT_EVENT_DROPPED] = "dropped",
        [SOFTGT_EVENT_DENIED] = "denied",    [SOFTGT_EVENT_MISPLACED] = "misplaced",
        [SOFTGT_EVENT_SKIPPED] = "skipped",  [SOFTGT_EVENT_DISABLED] = "disabled",
        [SOFTGT_EVENT_NOT_RUN] = "not_run",
    };
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* The same for text. */
static const char *outcome(const struct softgt_event *e)
{
    const char *const status = event_status(e->kind);
    return status ? status : "no outcome";
}

/* "active to idle, context complete" */
const char *event_bits(const struct field_value *names, uint64_t value, char *text, size_t size)
{
    field_value_bits(names, value, ", ", text, size);
    return text;
}

const char *event_register(const struct softgt_event *e, char *text, size_t size)
{
    int at = snprintf(text, size, "%s", e->name);
    if (e->is_array)
        at += snprintf(text + at, size - (size_t)at, "[%u]", e->index);
    if (e->is_upper)
        snprintf(text + at, size - (size_t)at, "_UDW");
    return text;
}

static void print_command(FILE *to, const struct softgt_event *e)
{
    if (e->is_late) {
        fprintf(to, "command   %012" PRIx64 "            the same: %s\n", e->address, outcome(e));
        return;
    }
    if (!e->length_dw) {
        fprintf(to, "command   %012" PRIx64 "  given up here: %s\n", e->address, e->text);
        return;
    }
    fprintf(to, "command   %012" PRIx64 "  %08" PRIx32 "  %s", e->address, e->dwords[0],
            e->name ? e->name : "unknown command");
    if (e->name)
        fprintf(to, " (%u dwords)", e->length_dw);
    if (e->kind != SOFTGT_EVENT_COMMAND)
        fprintf(to, "  [%s]", outcome(e));
    fputc('\n', to);
}

static void print_draw(FILE *to, const struct softgt_event *e)
{
    const struct softgt_draw *const d = e->draw;
    fprintf(to, "draw      %012" PRIx64 "  %s", e->address, e->name ? e->name : "unknown command");
    if (d->topology)
        fprintf(to, ", %s, %s%" PRIu32 " vertices, %" PRIu32 " instances, %" PRIu64 " primitives",
                d->topology, d->is_indexed ? "indexed, " : "", d->vertices, d->instances, d->primitives);
    else
        fprintf(to, ", %" PRIu32 "x%" PRIu32 "x%" PRIu32 " groups", d->groups[0], d->groups[1], d->groups[2]);
    if (e->text) {
        fprintf(to, ", not drawn: %s\n", e->text);
        return;
    }
    if (d->topology)
        fprintf(to, ", %" PRIu64 " channels shaded", d->pixels);
    if (d->surface)
        fprintf(to, " on %" PRIu32 "x%" PRIu32 " at 0x%" PRIx64, d->width_px, d->height_px, d->surface);
    fprintf(to, ", %" PRIu64 " threads, %" PRIu64 " instructions, kernel 0x%" PRIx64 "\n", d->threads,
            d->instructions, d->kernel);
}

/* "to GuC SCHED_CONTEXT, fast request: 1001 5 1" */
void event_print_message(FILE *to, const struct softgt_event *e)
{
    enum { SHOWN_DW = 12 };
    fprintf(to, "%s %s, %s", e->kind == SOFTGT_EVENT_TO_GUC ? "to GuC  " : "from GuC", e->name, e->text);
    if (*e->by)
        fprintf(to, " (%s)", e->by);
    fputc(':', to);
    for (unsigned i = 0; i < e->length_dw && i < SHOWN_DW; i++)
        fprintf(to, " %" PRIx32, e->dwords[i]);
    fputs(e->length_dw > SHOWN_DW ? " ...\n" : "\n", to);
}

void event_print(FILE *to, const struct softgt_event *e)
{
    char text[200];
    fprintf(to, "%12" PRIu64 " ns  %-9s ", e->now_ns, e->unit);
    switch (e->what) {
    case SOFTGT_TRACE_COMMANDS:
        print_command(to, e);
        break;
    case SOFTGT_TRACE_REGISTERS:
        fprintf(to, "register  %05" PRIx64 " %-28s %08" PRIx64 " -> %08" PRIx64 "  by %s\n", e->address,
                event_register(e, text, sizeof text), e->old_value, e->value, e->by);
        break;
    case SOFTGT_TRACE_READS:
        fprintf(to, "read      %05" PRIx64 " %-28s %08" PRIx64 "  by %s\n", e->address,
                event_register(e, text, sizeof text), e->value, e->by);
        break;
    case SOFTGT_TRACE_MEMORY:
        fprintf(to, "memory    %s:%012" PRIx64 "  %u bytes  %" PRIx64 "\n", e->is_ggtt ? "ggtt" : "ppgtt",
                e->address, e->size_bytes, e->value);
        break;
    case SOFTGT_TRACE_BLITS:
        fprintf(to, "blit      %012" PRIx64 "  %d,%d to %d,%d, %u bits, pitch %d  %s\n", e->address,
                e->blit->x1, e->blit->y1, e->blit->x2, e->blit->y2, e->blit->bytes_per_pixel * 8u,
                e->blit->pitch_bytes, e->name);
        break;
    case SOFTGT_TRACE_DRAWS:
        print_draw(to, e);
        break;
    case SOFTGT_TRACE_BATCHES:
        fprintf(to, "%s at %08" PRIx64, e->name, e->address);
        if (e->text)
            fprintf(to, ": %s", e->text);
        if (e->comparison)
            fprintf(to, ": found %" PRIx64 ", waits for %s %" PRIx64, e->value, e->comparison, e->old_value);
        fputc('\n', to);
        break;
    case SOFTGT_TRACE_CONTEXTS:
        if (e->kind == SOFTGT_EVENT_STATUS)
            fprintf(to, "context   status id %08" PRIx64 " %08" PRIx64 ": %s\n", e->address, e->value,
                    event_bits(engine_switch_names, e->value, text, sizeof text));
        else
            fprintf(to, "context   %s %08" PRIx64 " id %08" PRIx64 "\n", e->name, e->address, e->value);
        break;
    case SOFTGT_TRACE_COMPLAINTS:
        fprintf(to, "%s at %08" PRIx64 ": %s\n", e->name, e->address, e->text);
        break;
    case SOFTGT_TRACE_GUC:
        event_print_message(to, e);
        break;
    default:
        if (e->kind == SOFTGT_EVENT_RAISE)
            fprintf(to, "interrupt raise %" PRIx64 ": %s\n", e->value,
                    event_bits(engine_interrupt_names, e->value, text, sizeof text));
        else
            fprintf(to, "interrupt %s\n", e->name);
        break;
    }
}
