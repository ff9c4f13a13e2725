/* Which command set each part of state last, of each engine and context. */
#ifndef DRAWS_SOURCES_H
#define DRAWS_SOURCES_H

#include "stream/state_parts.h"

struct command_source {
    unsigned engine;
    uint16_t row, index; /* of the part */
    uint64_t context;
    struct state_source source; /* number: as `softgt debug` counts commands */
};

/* Starts as {0}. */
struct command_sources {
    struct command_source *list;
    size_t count, capacity;
};

/* What an engine parses, and in which context. */
struct source_command {
    const struct command_set *set;
    enum engine_class class;
    unsigned engine;
    uint64_t context;
    const uint32_t *dw;
    uint32_t length_dw;
};

/* A command that an engine parses. False: out of memory. */
bool command_sources_note(struct command_sources *s, const struct source_command *c, uint64_t number,
                          uint64_t address);
/* The sources of the parts that this command of the state has: their count. */
unsigned command_sources_find(const struct command_sources *s, const struct source_command *c,
                              struct state_source parts[STATE_PARTS]);
void command_sources_free(struct command_sources *s);

#endif
