#include "draws/sources.h"

#include <stdlib.h>
#include <string.h>

static struct command_source *find_source(const struct command_sources *s, unsigned engine, uint64_t context,
                                          const char *name)
{
    for (size_t n = 0; n < s->count; n++) {
        struct command_source *const c = &s->list[n];
        if (c->engine == engine && c->context == context && (c->name == name || strcmp(c->name, name) == 0))
            return c;
    }
    return NULL;
}

bool command_sources_note(struct command_sources *s, const struct command_source *source)
{
    enum { FIRST = 128 };
    struct command_source *c = find_source(s, source->engine, source->context, source->name);
    if (!c && s->count == s->capacity) {
        const size_t capacity = s->capacity ? s->capacity * 2 : (size_t)FIRST;
        struct command_source *const list = realloc(s->list, capacity * sizeof *list);
        if (!list)
            return false;
        s->list = list;
        s->capacity = capacity;
    }
    c = c ? c : &s->list[s->count++];
    *c = *source;
    return true;
}

const struct command_source *command_sources_find(const struct command_sources *s, unsigned engine,
                                                  uint64_t context, const char *name)
{
    return find_source(s, engine, context, name);
}

void command_sources_free(struct command_sources *s)
{
    free(s->list);
    *s = (struct command_sources){0};
}
