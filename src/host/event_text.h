/* Events of a device as lines of text. */
#ifndef HOST_EVENT_TEXT_H
#define HOST_EVENT_TEXT_H

#include <softgt/softgt.h>
#include <stdio.h>

#include "base/field.h"

/* "commands", "all" ...; the last entry has no name. */
struct event_word {
    const char *name;
    unsigned mask;
};
extern const struct event_word event_words[];
/* The outcome of a command: "executed", "unknown", "too_short" ...; NULL: the kind is none of a command. */
const char *event_status(enum softgt_event_kind kind);
/* Names of the bits that are set. Returns `text`. */
const char *event_bits(const struct field_value *names, uint64_t value, char *text, size_t size);
const char *event_register(const struct softgt_event *e, char *text, size_t size);
/* Prints a message of the GuC, without time and unit. */
void event_print_message(FILE *to, const struct softgt_event *e);
/* Prints one line. */
void event_print(FILE *to, const struct softgt_event *e);

#endif
