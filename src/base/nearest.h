/* Suggestions: the nearest of many names to one that was not found. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
    char wanted[64], name[64];
    unsigned distance;
};

/* The name that was not found; `length` bytes. */
void nearest_start(struct nearest *n, const char *text, size_t length);
void nearest_compare(struct nearest *n, const char *name);
/* " (did you mean X?)" or "". */
const char *nearest_text(const struct nearest *n, char *text, size_t size);

#endif
