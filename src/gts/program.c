#include "gts/program.h"

#include <stdlib.h>
#include <string.h>

void gts_program_free(struct gts_program *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->operations[i].text);
        free(p->operations[i].data);

        free(p->operations[i].items);
    }
    for (size_t i = 0; i < p->name_count; i++)
        free(p->names[i]);
    free(p->operations);
    free(p->command_sources);
    free(p->names);
    memset(p, 0, sizeof *p);
}

struct gts_operation *gts_program_add(struct gts_program *p, enum gts_verb verb, unsigned line,
                                      unsigned column)
{
    if (p->count == p->capacity) {
        const size_t room = p->capacity ? p->capacity * 2 : 64;
        struct gts_operation *operations = realloc(p->operations, room * sizeof *operations);
        if (!operations)
            return NULL;
        p->operations = operations;
        p->capacity = room;
    }
    struct gts_operation *o = &p->operations[p->count++];
    *o = (struct gts_operation){.verb = verb, .line = line, .column = column, .mask = UINT64_MAX};
    return o;
}

bool gts_program_add_command(struct gts_program *p, uint64_t address, uint32_t header, unsigned line,
                             unsigned column)
{
    enum { MAX_PLACES = 1 << 20 };
    if (p->command_source_count == MAX_PLACES)
        return true;
    if (p->command_source_count == p->command_source_capacity) {
        const size_t room = p->command_source_capacity ? p->command_source_capacity * 2 : 256;
        struct gts_command_source *places = realloc(p->command_sources, room * sizeof *places);
        if (!places)
            return false;
        p->command_sources = places;
        p->command_source_capacity = room;
    }
    p->command_sources[p->command_source_count++] =
        (struct gts_command_source){address, header, line, column};
    return true;
}

const struct gts_command_source *gts_program_find_command(const struct gts_program *p, uint64_t address,
                                                          uint32_t header)
{
    for (size_t i = p->command_source_count; i-- > 0;) /* a later command overwrites an earlier one */
        if (p->command_sources[i].address == address && p->command_sources[i].header == header)
            return &p->command_sources[i];
    return NULL;
}

const struct gts_command_source *gts_program_find_command_before(const struct gts_program *p,
                                                                 uint64_t address)
{
    const struct gts_command_source *best = NULL;
    for (size_t i = 0; i < p->command_source_count; i++)
        if (p->command_sources[i].address < address && address - p->command_sources[i].address <= 4096 &&
            (!best || p->command_sources[i].address > best->address))
            best = &p->command_sources[i];
    return best;
}

const char *gts_program_name(struct gts_program *p, const char *text, size_t length)
{
    for (size_t i = p->name_count; i > 0 && i + 16 > p->name_count;
         i--) /* the last names are the most frequent ones */
        if (strlen(p->names[i - 1]) == length && memcmp(p->names[i - 1], text, length) == 0)
            return p->names[i - 1];
    if (p->name_count == p->name_capacity) {
        const size_t room = p->name_capacity ? p->name_capacity * 2 : 64;
        char **names = realloc(p->names, room * sizeof *names);
        if (!names)
            return NULL;
        p->names = names;
        p->name_capacity = room;
    }
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    p->names[p->name_count++] = copy;
    return copy;
}
