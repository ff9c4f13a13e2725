/* The parts of state that a state command sets: rows of the set, and of an array that commands set by index
 * its elements. */
#ifndef STREAM_STATE_PARTS_H
#define STREAM_STATE_PARTS_H

#include "base/text.h"
#include "stream/index.h"

/* How many parts the row's state has. */
unsigned state_part_count(const struct command *row);
/* Each part that the command sets, in the order of its groups: the row's number, and the element's index or
 * 0. */
void state_parts_each(const struct command_set *set, enum engine_class class, const uint32_t *dw,
                      uint32_t length_dw, void *user,
                      void (*each)(void *user, uint16_t number, unsigned index));

enum { STATE_PARTS = 64 }; /* a command has no more */

/* What set a part. */
struct state_source {
    uint64_t number, address; /* of the last command; number 0: none */
    bool is_merged;           /* commands before set some of it, too */
};

/* A command with this row sets the part that `before` set. */
struct state_source state_source_next(const struct command *row, const struct state_source *before,
                                      uint64_t number, uint64_t address);
/* Of a command's parts the source that is the last. is_mixed: others set some. NULL: none is known. */
const struct state_source *state_source_last(const struct state_source *parts, unsigned count,
                                             bool *is_mixed);
/* ": [0] by #5, [1] by #4"; nothing of a single part. */
void state_sources_list(struct text *t, const struct state_source *parts, unsigned count);

#endif
