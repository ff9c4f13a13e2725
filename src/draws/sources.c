#include "draws/sources.h"

#include <stdlib.h>

static struct command_source *find_source(const struct command_sources *s, const struct source_command *c,
                                          uint16_t row, unsigned index)
{
    for (size_t n = 0; n < s->count; n++) {
        struct command_source *const x = &s->list[n];
        if (x->row == row && x->index == index && x->engine == c->engine && x->context == c->context)
            return x;
    }
    return NULL;
}

struct noted {
    struct command_sources *sources;
    const struct source_command *command;
    uint64_t number, address;
    bool no_memory;
};

static void note_part(void *user, uint16_t row, unsigned index)
{
    enum { FIRST = 128 };
    struct noted *const noted = user;
    struct command_sources *const s = noted->sources;
    const struct source_command *const c = noted->command;
    struct command_source *x = find_source(s, c, row, index);
    if (!x && s->count == s->capacity) {
        const size_t capacity = s->capacity ? s->capacity * 2 : (size_t)FIRST;
        struct command_source *const list = realloc(s->list, capacity * sizeof *list);
        if (!list) {
            noted->no_memory = true;
            return;
        }
        s->list = list;
        s->capacity = capacity;
    }
    const struct state_source source =
        state_source_next(c->set->rows[row], x ? &x->source : NULL, noted->number, noted->address);
    x = x ? x : &s->list[s->count++];
    *x = (struct command_source){c->engine, row, (uint16_t)index, c->context, source};
}

bool command_sources_note(struct command_sources *s, const struct source_command *c, uint64_t number,
                          uint64_t address)
{
    struct noted noted = {s, c, number, address, false};
    state_parts_each(c->set, c->class, c->dw, c->length_dw, &noted, note_part);
    return !noted.no_memory;
}

struct found {
    const struct command_sources *sources;
    const struct source_command *command;
    struct state_source *parts;
    unsigned count;
};

static void find_part(void *user, uint16_t row, unsigned index)
{
    struct found *const f = user;
    if (f->count == STATE_PARTS)
        return;
    const struct command_source *const x = find_source(f->sources, f->command, row, index);
    f->parts[f->count++] = x ? x->source : (struct state_source){0};
}

unsigned command_sources_find(const struct command_sources *s, const struct source_command *c,
                              struct state_source parts[STATE_PARTS])
{
    struct found f = {s, c, parts, 0};
    state_parts_each(c->set, c->class, c->dw, c->length_dw, &f, find_part);
    return f.count;
}

void command_sources_free(struct command_sources *s)
{
    free(s->list);
    *s = (struct command_sources){0};
}
