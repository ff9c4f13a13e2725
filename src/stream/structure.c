#include "stream/structure.h"

#include <stdlib.h>

bool structure_set_create(struct command_set *set, const struct command_table *const *tables,
                          enum generation generation)
{
    *set = (struct command_set){0};
    const bool made = rows_make(&set->store, tables, generation);
    set->rows = calloc(set->store.row_count + 1u, sizeof *set->rows);
    if (!made || !set->rows) {
        command_set_destroy(set);
        return false;
    }
    set->count = (uint16_t)(set->store.row_count + 1u);
    for (uint16_t i = 1; i < set->count; i++)
        set->rows[i] = &set->store.rows[i - 1u];
    return true;
}

uint16_t structure_find(const struct command_set *set, enum structure structure)
{
    for (uint16_t i = 1; i < set->count; i++)
        if (set->rows[i]->match == structure)
            return i;
    return 0;
}
