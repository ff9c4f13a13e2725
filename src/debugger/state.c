/* The state of an engine's pipeline, and which commands set it. */
#include "debugger/debuggee.h"
#include "stream/index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES = 64 };

struct state_source {
    uint64_t number, address; /* of the last command with this row; number 0: none */
};

/* Of an engine's context. */
struct state_context {
    int engine;
    uint64_t lrca;
    struct state_source *sources; /* by number of the row */
};

struct state_sources {
    struct state_context tables[TABLES];
    unsigned count, next; /* next: takes the place of this one, where all are used */
};

void state_sources_free(struct debuggee *d)
{
    for (unsigned n = 0; d->state && n < d->state->count; n++)
        free(d->state->tables[n].sources);
    free(d->state);
    d->state = NULL;
}

static struct state_context *find_table(const struct debuggee *d, int engine)
{
    const struct engine_position *const at =
        position_tracker_engine(&d->tracker, device_sheet(d->device)->engines[engine].name);
    for (unsigned n = 0; d->state && n < d->state->count; n++) {
        struct state_context *const t = &d->state->tables[n];
        if (t->engine == engine && t->lrca == at->lrca)
            return t;
    }
    return NULL;
}

/* NULL: out of memory. */
static struct state_context *add_table(struct debuggee *d, int engine)
{
    if (!d->state)
        d->state = calloc(1, sizeof *d->state);
    struct state_source *const sources = calloc(softgt_command_set(d->device)->count, sizeof *sources);
    if (!d->state || !sources) {
        free(sources);
        return NULL;
    }
    struct state_sources *const all = d->state;
    struct state_context *const t = &all->tables[all->count < TABLES ? all->count++ : all->next++ % TABLES];
    const char *const unit = device_sheet(d->device)->engines[engine].name;
    free(t->sources);
    *t = (struct state_context){engine, position_tracker_engine(&d->tracker, unit)->lrca, sources};
    return t;
}

void note_state_command(struct debuggee *d, const struct softgt_event *e)
{
    const struct sheet *const sheet = device_sheet(d->device);
    const int engine = sheet_engine_find(sheet, e->unit);
    if (e->kind != SOFTGT_EVENT_COMMAND || engine < 0)
        return;
    struct state_context *t = find_table(d, engine);
    t = t ? t : add_table(d, engine);
    const uint16_t row =
        command_find(softgt_command_set(d->device), sheet->engines[engine].class, e->dwords[0]);
    if (t)
        t->sources[row] = (struct state_source){d->place.command, e->address};
}

/* ---- The line "state" ---- */

struct state_listing {
    struct debuggee *d;
    struct printing printing;
    const struct state_context *table; /* NULL: no command set anything */
    const char *pattern;
    const struct state_source *source; /* of the current command */
};

static void add_source(void *user, struct text *t)
{
    const struct state_source *const s = ((struct debuggee *)user)->state_source;
    char text[64];
    if (s && s->number)
        snprintf(text, sizeof text, ", set by #%" PRIu64, s->number);
    text_string(t, s && s->number ? text : ", of the context's image or earlier");
}

static void list_command(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    static const char no_address[] = "0x00000000:  ";
    struct state_listing *const l = user;
    struct text *const t = &l->printing.text;
    const size_t from = t->length;
    size_t length;
    if (!name_matches(l->pattern, name))
        return;
    const uint16_t row = command_find(softgt_command_set(l->d->device), l->printing.class, dwords[0]);
    const struct state_source *const s = l->table ? &l->table->sources[row] : NULL;
    l->d->state_source = s;
    dump_command(&l->printing.dumper, t, l->printing.class, dwords, length_dw, s ? s->address : 0, &length);
    const size_t cut = sizeof no_address - 1;
    if (!(s && s->number) && !t->failed && t->length - from > cut &&
        memcmp(t->bytes + from, no_address, cut) == 0) {
        memmove(t->bytes + from, t->bytes + from + cut, t->length - from - cut);
        t->length -= cut;
    }
}

bool debuggee_state(struct debuggee *d, const char *arguments)
{
    struct state_listing l = {.d = d, .pattern = arguments};
    const int engine = debuggee_engine(d, "");
    if (engine < 0)
        return debuggee_refuse(d, "no engine has this name");
    if (!printing_begin(d, &l.printing, (unsigned)engine, false, add_source))
        return false;
    l.table = find_table(d, engine);
    softgt_engine_state_commands(d->device, (unsigned)engine, &l, list_command);
    if (!l.printing.text.length)
        fputs("the engine has no such state\n", d->out);
    printing_end(d, &l.printing);
    return true;
}
