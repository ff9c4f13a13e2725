/* Which command set each piece of an engine's pipeline state last, by context: state itself does not know. */
#ifndef DRAWS_SOURCES_H
#define DRAWS_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct command_source {
    const char *name; /* of the command; static */
    unsigned engine;
    uint64_t context, address, number; /* number: as `softgt debug` counts commands */
};

/* Starts as {0}. */
struct command_sources {
    struct command_source *list;
    size_t count, capacity;
};

/* A command that an engine parses. False: out of memory. */
bool command_sources_note(struct command_sources *s, const struct command_source *source);
/* NULL: the context has executed none of that name. */
const struct command_source *command_sources_find(const struct command_sources *s, unsigned engine,
                                                  uint64_t context, const char *name);
void command_sources_free(struct command_sources *s);

#endif
