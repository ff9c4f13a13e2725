/* The parts of state that a state command sets: rows of the set, and of an array that commands set by index
 * its elements. */
#ifndef STREAM_STATE_PARTS_H
#define STREAM_STATE_PARTS_H

#include "stream/index.h"

/* How many parts the row's state has. */
unsigned state_part_count(const struct command *row);
/* Each part that the command sets, in the order of its groups: the row's number, and the element's index or
 * 0. */
void state_parts_each(const struct command_set *set, enum engine_class class, const uint32_t *dw,
                      uint32_t length_dw, void *user,
                      void (*each)(void *user, uint16_t number, unsigned index));

#endif
