/* The state of an engine's pipeline, and which commands set it. */
#include "debugger/debuggee.h"
#include "stream/state_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES = 64 };

/* Of an engine's context. */
struct state_context {
    int engine;
    uint64_t lrca;
    struct state_source *sources; /* by part: those of each row follow each other */
};

struct state_sources {
    struct state_context tables[TABLES];
    unsigned count, next; /* next: takes the place of this one, where all are used */
    uint32_t *first_part; /* by number of the row; the last is their count */
};

static void free_sources(struct state_sources *s)
{
    for (unsigned n = 0; s && n < s->count; n++)
        free(s->tables[n].sources);
    if (s)
        free(s->first_part);
    free(s);
}

void state_sources_free(struct debuggee *d)
{
    free_sources(d->state);
    d->state = NULL;
}

/* NULL: out of memory. */
static struct state_sources *create_sources(const struct command_set *set)
{
    struct state_sources *const s = calloc(1, sizeof *s);
    if (s)
        s->first_part = calloc(set->count + 1u, sizeof *s->first_part);
    if (!s || !s->first_part) {
        free_sources(s);
        return NULL;
    }
    for (unsigned n = 0; n < set->count; n++)
        s->first_part[n + 1] = s->first_part[n] + (set->rows[n] ? state_part_count(set->rows[n]) : 1);
    return s;
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
    const struct command_set *const set = softgt_command_set(d->device);
    d->state = d->state ? d->state : create_sources(set);
    struct state_sources *const all = d->state;
    struct state_source *const sources =
        all ? calloc(all->first_part[set->count] + 1u, sizeof *sources) : NULL;
    if (!sources)
        return NULL;
    struct state_context *const t = &all->tables[all->count < TABLES ? all->count++ : all->next++ % TABLES];
    const char *const unit = device_sheet(d->device)->engines[engine].name;
    free(t->sources);
    *t = (struct state_context){engine, position_tracker_engine(&d->tracker, unit)->lrca, sources};
    return t;
}

/* A command that sets state. */
struct setting {
    const struct debuggee *d;
    const struct state_context *table;
    const struct softgt_event *event;
};

static void note_part(void *user, uint16_t number, unsigned index)
{
    const struct setting *const s = user;
    const struct command *const row = softgt_command_set(s->d->device)->rows[number];
    struct state_source *const source = &s->table->sources[s->d->state->first_part[number] + index];
    *source = state_source_next(row, source, s->d->place.command, s->event->address);
}

void note_state_command(struct debuggee *d, const struct softgt_event *e)
{
    const struct sheet *const sheet = device_sheet(d->device);
    const int engine = sheet_engine_find(sheet, e->unit);
    if (e->kind != SOFTGT_EVENT_COMMAND || engine < 0)
        return;
    struct state_context *t = find_table(d, engine);
    t = t ? t : add_table(d, engine);
    struct setting setting = {d, t, e};
    if (t)
        state_parts_each(softgt_command_set(d->device), sheet->engines[engine].class, e->dwords, e->length_dw,
                         &setting, note_part);
}

/* ---- The line "state" ---- */

struct state_listing {
    struct debuggee *d;
    struct printing printing;
    const struct state_context *table; /* NULL: no command set anything */
    const char *pattern;
    struct state_source parts[STATE_PARTS]; /* of the current command */
    unsigned part_count;
};

static void add_part(void *user, uint16_t number, unsigned index)
{
    struct state_listing *const l = user;
    if (l->table && l->part_count < STATE_PARTS)
        l->parts[l->part_count++] = l->table->sources[l->d->state->first_part[number] + index];
}

static void add_source(void *user, struct text *t)
{
    const struct state_listing *const l = ((struct debuggee *)user)->state_listing;
    bool is_mixed;
    const struct state_source *const last = state_source_last(l->parts, l->part_count, &is_mixed);
    char text[80];
    if (last)
        snprintf(text, sizeof text, ", %sset by #%" PRIu64, is_mixed ? "last " : "", last->number);
    text_string(t, last ? text : ", of the context's image or earlier");
    if (is_mixed)
        state_sources_list(t, l->parts, l->part_count);
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
    l->part_count = 0;
    state_parts_each(softgt_command_set(l->d->device), l->printing.class, dwords, (uint32_t)length_dw, l,
                     add_part);
    bool is_mixed;
    const struct state_source *const s = state_source_last(l->parts, l->part_count, &is_mixed);
    dump_command(&l->printing.dumper, t, l->printing.class, dwords, length_dw, s ? s->address : 0, &length);
    const size_t cut = sizeof no_address - 1;
    if (!s && !t->failed && t->length - from > cut && memcmp(t->bytes + from, no_address, cut) == 0) {
        memmove(t->bytes + from, t->bytes + from + cut, t->length - from - cut);
        t->length -= cut;
    }
}

bool debuggee_state(struct debuggee *d, const char *arguments)
{
    struct state_listing l = {.d = d, .pattern = arguments};
    d->state_listing = &l;
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
    d->state_listing = NULL;
    return true;
}
