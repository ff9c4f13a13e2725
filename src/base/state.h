/*
 * One walk over a unit's state, for saving and loading alike: each unit names its fields once, in one
 * function. Numbers are little-endian, of their own size.
 */
#ifndef BASE_STATE_H
#define BASE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state {
    bool saving;
    bool failed; /* loading: the data ends early, or says what cannot be; nothing is taken from then on */
    const uint8_t *in; /* loading */
    uint8_t *out;      /* saving; NULL: only counts */
    size_t at, size;   /* bytes */
};

/* `size` bytes as they are. */
void state_bytes(struct state *s, void *data, size_t size);
/* A number of 1, 2, 4 or 8 bytes. */
void state_number(struct state *s, void *number, size_t size);
void state_flag(struct state *s, void *flag, size_t size);
/* `count` dwords; runs of zeros take no room. */
void state_dwords(struct state *s, uint32_t *dwords, size_t count);
/* Loading: fails unless `holds`. */
void state_check(struct state *s, bool holds);

/* A field, or an array of numbers. */
#define STATE(s, field)                                                                                      \
    _Generic(&(field), bool * : state_flag, default : state_number)((s), &(field), sizeof(field))
#define STATE_ARRAY(s, array)                                                                                \
    for (size_t state_i = 0; state_i < sizeof(array) / sizeof((array)[0]); state_i++)                        \
    STATE(s, (array)[state_i])

#endif
