/* A growing buffer of text with appenders that cost little more than the bytes they write. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Starts as {0}. When memory runs out, the text does not change and `failed` is set. */
struct text {
    char *bytes; /* not terminated */
    size_t length, capacity;
    bool failed;
};

void text_free(struct text *t);
bool text_grow(struct text *t, size_t more);

/* Room for `more` bytes at the end. */
static inline bool text_reserve(struct text *t, size_t more)
{
    return t->capacity - t->length >= more || text_grow(t, more);
}

static inline void text_bytes(struct text *t, const char *bytes, size_t length)
{
    if (length && text_reserve(t, length)) {
        memcpy(t->bytes + t->length, bytes, length);
        t->length += length;
    }
}

static inline void text_string(struct text *t, const char *string)
{
    text_bytes(t, string, strlen(string));
}

static inline void text_char(struct text *t, char c)
{
    if (text_reserve(t, 1))
        t->bytes[t->length++] = c;
}

/* Drops this many bytes at the front. */
void text_drop(struct text *t, size_t count);
/* At least `digits` hexadecimal digits (1 to 16). */
void text_hex(struct text *t, uint64_t value, unsigned digits);
void text_decimal(struct text *t, uint64_t value);
void text_signed(struct text *t, int64_t value);
void text_float(struct text *t, float value);
/* For printf, which shows the sign of a NaN: here each is "nan". */
static inline double text_number(double value)
{
    return isnan(value) ? (double)NAN : value;
}
/* As printf. */
__attribute__((format(printf, 2, 3))) void text_format(struct text *t, const char *format, ...);
/* With quotes, escaped for JSON. */
void text_json(struct text *t, const char *string);

/* The length of the UTF-8 sequence at `text`; 0: none. */
size_t text_character_bytes(const char *text);

#endif
