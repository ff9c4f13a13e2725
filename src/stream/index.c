#include "stream/index.h"

#include <stdlib.h>
#include <string.h>

static uint32_t make_entry(const struct command *c, uint16_t number)
{
    const uint32_t added = c->length_bits ? c->length_bias : c->min_dwords;
    return number | (uint32_t)c->length_bits << 16 | added << 21;
}

/* Enters the row for every value of header bits 31:16 that selects it. */
static void index_row(const struct command *c, uint16_t number, uint32_t *entries, uint16_t *numbers)
{
    const uint32_t match = c->match >> 16, free_bits = ~c->mask >> 16;
    for (uint32_t bits = 0;; bits = (bits - free_bits) & free_bits) { /* every subset of the free bits */
        if (entries)
            entries[match | bits] = make_entry(c, number);
        else
            numbers[match | bits] = number;
        if (bits == free_bits)
            break;
    }
}

bool command_set_create(struct command_set *set, const struct command_table *const *tables,
                        enum generation generation)
{
    memset(set, 0, sizeof *set);
    bool ok = rows_make(&set->store, tables, generation);
    set->rows = calloc(set->store.row_count + 1u, sizeof *set->rows);
    set->elsewhere = calloc(65536, sizeof *set->elsewhere);
    ok = ok && set->rows && set->elsewhere;
    for (unsigned class = 0; class < ENGINE_CLASSES; class ++) {
        set->by_header[class] = calloc(65536, sizeof *set->by_header[class]);
        ok = ok && set->by_header[class];
    }
    if (!ok) {
        command_set_destroy(set);
        return false;
    }
    set->count = (uint16_t)(set->store.row_count + 1u);
    for (uint16_t number = 1; number < set->count; number++) {
        const struct command *c = set->rows[number] = &set->store.rows[number - 1u];
        index_row(c, number, NULL, set->elsewhere);
        for (unsigned class = 0; class < ENGINE_CLASSES; class ++)
            if (c->engines & 1u << class)
                index_row(c, number, set->by_header[class], NULL);
    }
    return true;
}

void command_set_destroy(struct command_set *set)
{
    rows_free(&set->store);
    free(set->rows);
    free(set->elsewhere);
    for (unsigned class = 0; class < ENGINE_CLASSES; class ++)
        free(set->by_header[class]);
    memset(set, 0, sizeof *set);
}

const struct row_alias *command_alias(const struct command_set *set, uint32_t header, unsigned role)
{
    for (uint32_t i = 0; i < set->store.alias_count; i++) {
        const struct row_alias *const a = &set->store.aliases[i];
        if (a->of == header && role < a->row.role_count && a->row.by_role[role].name)
            return a;
    }
    return NULL;
}

uint32_t command_set_sum(const struct command_set *set)
{
    uint32_t sum = 0x811c9dc5u;
    for (uint16_t i = 1; i < set->count; i++)
        for (const char *c = set->rows[i]->name;; c++) {
            sum = (sum ^ (uint8_t)*c) * 0x01000193u;
            if (!*c)
                break;
        }
    return sum;
}

uint16_t command_find_name(const struct command_set *set, enum engine_class class, const char *name)
{
    for (uint16_t i = 1; i < set->count; i++)
        if (set->rows[i]->engines & 1u << class && strcmp(set->rows[i]->name, name) == 0)
            return i;
    return 0;
}
