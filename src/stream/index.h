/* The commands of one generation, found by header. Each engine class has an index, built once from the rows.
 */
#ifndef STREAM_INDEX_H
#define STREAM_INDEX_H

#include "stream/command.h"

/* A row as another generation's command: its roles are those that its fields have of that command. */
struct row_alias {
    uint32_t of; /* header of that command */
    uint16_t number;
    struct command row;
};

/* The rows of a generation with variants applied and arrays expanded, and their memory. */
struct row_store {
    struct command *rows;
    struct row_alias *aliases;
    struct field *fields;
    struct field_place *places; /* of fields, where they are by role */
    char *names;
    uint32_t row_count, alias_count, field_count, names_bytes;
};

/* Every row of a generation, of all engines. A row has the same number for all engine classes. */
struct command_set {
    struct row_store store;
    uint16_t count;
    const struct command **rows;         /* 1 ... count - 1; rows[0] is NULL, 'no such command' */
    uint32_t *by_header[ENGINE_CLASSES]; /* 65536 each, by header bits 31:16 */
    uint16_t *elsewhere;                 /* 65536: a row of any class, for commands on the wrong engine */
};

/* Builds the rows of a generation: applies variants, drops fields of other generations, expands arrays. False
 * when out of memory. */
bool rows_make(struct row_store *store, const struct command_table *const *tables,
               enum generation generation);
void rows_free(struct row_store *store);

/* Builds the set from `tables`, which end with NULL. False when out of memory. */
bool command_set_create(struct command_set *set, const struct command_table *const *tables,
                        enum generation generation);
void command_set_destroy(struct command_set *set);

/* An index entry has the row's number in 15:0 and its length rule: the width of DWord Length in 20:16, its
 * bias in 31:21. So the parser finds the next command without reading the row. 0: no row. */
static inline uint16_t entry_number(uint32_t entry)
{
    return (uint16_t)entry;
}

static inline uint32_t entry_length_dw(uint32_t entry, uint32_t header)
{
    return (header & ((1u << (entry >> 16 & 31u)) - 1u)) + (entry >> 21);
}

static inline uint16_t command_find(const struct command_set *set, enum engine_class class, uint32_t header)
{
    return entry_number(set->by_header[class][header >> 16]);
}

/* The row that has the field `role` of another generation's command; NULL: there is none. */
const struct row_alias *command_alias(const struct command_set *set, uint32_t header, unsigned role);

/* A hash of the rows' names in order. Saved state refers to rows by number, and is valid for one hash only.
 */
uint32_t command_set_sum(const struct command_set *set);

/* By name for one class; 0 if there is none. */
uint16_t command_find_name(const struct command_set *set, enum engine_class class, const char *name);

#endif
