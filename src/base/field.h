/* A named range of bits in a command or register. Bits count from bit 0 of the first dword. */
#ifndef BASE_FIELD_H
#define BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum field_kind {
    FIELD_UINT,
    FIELD_INT, /* two's complement of its width */
    FIELD_BOOL,
    FIELD_HEX,     /* unsigned, shown in hexadecimal */
    FIELD_ADDRESS, /* graphics address: keeps its place, low bits below `first` are zero */
    FIELD_OFFSET,  /* offset or register: keeps its place like an address, not a graphics address */
    FIELD_FLOAT,   /* 32 bits of IEEE single */
};

/* A value with a name; a list ends with a NULL name. */
struct field_value {
    const char *name;
    uint64_t value;
};

struct field {
    const char *name;
    uint16_t first, last; /* bits, both included; touches at most two dwords */
    uint8_t kind;         /* enum field_kind */
    const struct field_value *values;
    uint8_t role; /* what it is to the commands' function, where many tables share one; 0: nothing */
};

#define FIELDS(table) .fields = (table), .field_count = (uint8_t)(sizeof(table) / sizeof((table)[0]))

static inline unsigned field_width(const struct field *f)
{
    return (unsigned)(f->last - f->first) + 1u;
}

/* An address keeps its low bits: how far the value is shifted left. */
static inline unsigned field_shift(const struct field *f)
{
    return f->kind == FIELD_ADDRESS || f->kind == FIELD_OFFSET ? f->first % 32u : 0u;
}

/* The field's value; a field that lies past the end of a short command reads as zero. */
static inline uint64_t field_get(const struct field *f, const uint32_t *dw, uint32_t length_dw)
{
    const uint32_t at = f->first / 32u;
    uint64_t raw;
    if (at + 1u < length_dw)
        memcpy(&raw, dw + at, 8);
    else if (at < length_dw)
        raw = dw[at];
    else
        return 0;
    raw = raw >> f->first % 32u & UINT64_MAX >> (64u - field_width(f));
    return raw << field_shift(f);
}

/* Puts a value (as field_get gives it) in place. False if it does not fit; dw is then unchanged. */
bool field_put(const struct field *f, uint32_t *dw, uint32_t length_dw, uint64_t value);

/* The name of a value, or NULL. */
const char *field_value_name(const struct field *f, uint64_t value);

#endif
