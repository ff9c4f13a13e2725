/*
 * A field: a named range of bits in a command, a structure in memory or a register. Bits count from bit 0 of
 * the first dword. A table has the fields of all generations, each with the range of generations it exists
 * in: a field that moved stands there twice.
 */
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
    const char *name;     /* of an array: '#' is replaced by the element's number */
    uint16_t first, last; /* bits, both included; touches at most two dwords */
    uint8_t kind;         /* enum field_kind */
    const struct field_value *values;
    const char *role_name; /* the role as the source spells it */
    uint8_t role;          /* the number by which code asks for the field; 0: none */
    uint32_t of; /* header of the command that defines the role, or without one, whose body it is; 0: own */
    uint8_t since, until; /* generations, both included; 0: as long as its command */
    uint8_t count;        /* of an array: elements from 0 on ... */
    uint16_t stride;      /* ... that many bits from one to the next */
    uint8_t base;         /* enum base: what the value is an offset from */
    uint8_t target;       /* enum structure: what the value points to */
};

/* The role of a field: the name is a prefix and the field's own name, which tests/table checks. */
#define ROLE(id)            .role = (id), .role_name = #id
#define ROLE_OF(header, id) .of = (header), ROLE(id)

/* A table with more fields than the count holds does not compile. */
#define FIELDS(table) .fields = (table), .field_count = sizeof(table) / sizeof((table)[0])

/* An absent field: past the end of every command, and a bit that is zero in every header. */
#define FIELD_ABSENT                                                                                         \
    {                                                                                                        \
        .first = UINT16_MAX, .last = UINT16_MAX                                                              \
    }

static inline unsigned field_width(const struct field *f)
{
    return (unsigned)(f->last - f->first) + 1u;
}

/* An address keeps its low bits: how far the value is shifted left. */
static inline unsigned field_shift(const struct field *f)
{
    return f->kind == FIELD_ADDRESS || f->kind == FIELD_OFFSET ? f->first % 32u : 0u;
}

/* Where a field is, computed once for fast reads. */
struct field_place {
    uint64_t mask; /* of its bits, in the qword at its dword */
    uint16_t dword;
    uint8_t shift; /* right shift of the masked bits */
};

static inline struct field_place field_place(const struct field *f)
{
    const unsigned first = f->first % 32u;
    if (f->first == UINT16_MAX)
        return (struct field_place){.dword = UINT16_MAX};
    return (struct field_place){.mask = (UINT64_MAX >> (64u - field_width(f))) << first,
                                .dword = (uint16_t)(f->first / 32u),
                                .shift = (uint8_t)(first - field_shift(f))};
}

/* The value of a field; past the end of a short command it is zero. Guest memory is read once. */
static inline uint64_t field_read(const struct field_place *p, const uint32_t *dw, uint32_t length_dw)
{
    typedef uint64_t two __attribute__((aligned(4), may_alias));
    const uint32_t at = p->dword;
    uint64_t raw;
    if (at + 1u < length_dw)
        raw = *(const volatile two *)&dw[at];
    else if (at < length_dw)
        raw = *(const volatile uint32_t *)&dw[at];
    else
        return 0;
    return (raw & p->mask) >> p->shift;
}

static inline uint64_t field_get(const struct field *f, const uint32_t *dw, uint32_t length_dw)
{
    const struct field_place place = field_place(f);
    return field_read(&place, dw, length_dw);
}

/* Writes a value (as field_get returns it). False if it does not fit; dw is then unchanged. */
bool field_put(const struct field *f, uint32_t *dw, uint32_t length_dw, uint64_t value);

/* The name of a value, or NULL. */
const char *field_value_name(const struct field *f, uint64_t value);
/* The names of the bits that are set, with `between` between them; what has no name in hexadecimal. */
void field_value_bits(const struct field_value *names, uint64_t value, const char *between, char *text,
                      size_t size);

#endif
