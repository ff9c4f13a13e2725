#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gts/reader.h"

static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return hash >> 1;
}

static struct symbol *symbol_slot(const struct symbols *s, const char *name, size_t length)
{
    for (uint64_t hash = hash_of(name, length);; hash++) {
        const uint64_t number = gts_hash_map_get(&s->by_hash, hash);
        if (!number)
            return NULL;
        struct symbol *symbol = &s->list[number - 1];
        if (strlen(symbol->name) == length && memcmp(symbol->name, name, length) == 0)
            return symbol;
    }
}

struct symbol *symbol_find(const struct reader *r, const char *scope, const char *name, size_t length)
{
    char text[160];
    if (!scope || !*scope)
        return symbol_slot(&r->symbols, name, length);
    const int written = snprintf(text, sizeof text, "%s.%.*s", scope, (int)length, name);
    if (written < 0 || (size_t)written >= sizeof text)
        return NULL;
    return symbol_slot(&r->symbols, text, (size_t)written);
}

bool symbol_define(struct reader *r, const struct gts_token *t, const char *name, size_t length,
                   const char *part, enum symbol_kind kind, uint64_t value, bool known, int space)
{
    struct symbols *s = &r->symbols;
    char text[160];
    if (length > 63 || (part && strlen(part) > 63))
        return syntax_error(r, t, "name of %zu characters: expected at most 63",
                            length > 63 ? length : strlen(part));
    const size_t size =
        (size_t)snprintf(text, sizeof text, "%.*s%s%s", (int)length, name, part ? "." : "", part ? part : "");
    struct symbol *symbol = symbol_slot(s, text, size);
    if (!part && r->pass == 0 && !symbol) {
        for (unsigned i = 0; i < r->machine->engine_count; i++)
            if (strcmp(r->machine->engines[i].name, text) == 0)
                return syntax_error(r, t, "'%s' is an engine: expected another name", text);
        if (r->machine->registers && register_find(r->machine->registers, NULL, text))
            return syntax_error(r, t, "'%s' is a register: expected another name", text);
    }
    if (symbol && kind == SYMBOL_COUNTER ? symbol->kind != SYMBOL_COUNTER : symbol && r->pass == 0)
        return syntax_error(r, t, "'%s' is already defined", text);
    if (!symbol) {
        if (s->count == s->capacity) {
            const size_t room = s->capacity ? s->capacity * 2 : 64;
            struct symbol *list = realloc(s->list, room * sizeof *list);
            if (!list)
                return reader_no_memory(r);
            s->list = list;
            s->capacity = room;
        }
        char *copy = malloc(size + 1);
        if (!copy)
            return reader_no_memory(r);
        memcpy(copy, text, size + 1);
        uint64_t hash = hash_of(text, size);
        while (gts_hash_map_get(&s->by_hash, hash))
            hash++;
        s->list[s->count] = (struct symbol){.name = copy};
        if (!gts_hash_map_set(&s->by_hash, hash, ++s->count))
            return reader_no_memory(r);
        symbol = &s->list[s->count - 1];
    }
    symbol->kind = kind;
    symbol->value = value;
    symbol->is_known = known;
    symbol->space = space;
    return true;
}

void symbols_free(struct symbols *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->list[i].name);
    free(s->list);
    gts_hash_map_free(&s->by_hash);
    memset(s, 0, sizeof *s);
}
