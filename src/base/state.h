/*
 * State is in sections: plain structs of fixed-width numbers, each with a name, a version and the resets that
 * it survives. One table describes a section: a reset assigns it, saving and loading walk it, and a test
 * checks that the table covers every byte. Numbers are little-endian and have the size that they have in
 * memory; big-endian hosts are not supported. Tables of registers or of counts are sections that their unit
 * walks itself.
 */
#ifndef BASE_STATE_H
#define BASE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state {
    bool saving;
    bool failed; /* loading: the data ends early or is invalid; nothing more is loaded */
    bool other_version;
    const char *unit, *section; /* loading: where it failed */
    const uint8_t *input;       /* loading */
    uint8_t *output;            /* saving; NULL: only counts */
    size_t offset, size;        /* bytes */
    /* Saving: stop, failed, at this offset, to find the field there; 0: do not stop. Then `offset` is its
     * start. */
    size_t wanted_offset;
    const char *outer_field, *field; /* "streams", "address"; NULL: none */
    size_t outer_index, index;       /* of an array's element, of a table's dword */
    size_t part_bytes;
};

/* ---- Sections ---- */

/* Resets; each includes the one before. */
enum reset_scope {
    RESET_ENGINE, /* one engine's */
    RESET_DEVICE, /* all engines and what they share */
    RESET_POWER,  /* everything, as after power on */
};

/* The resets that a section survives: it is reset by a scope that is not less. */
enum reset_survival {
    SURVIVES_NOTHING = RESET_ENGINE,
    SURVIVES_ENGINE_RESET = RESET_DEVICE,
    SURVIVES_DEVICE_RESET = RESET_POWER,
};

/* A member of a section: a number or an array of numbers, or an array of structs of such members. */
struct state_field {
    const char *name;
    uint16_t offset, size, count; /* bytes of an element: 1, 2, 4, 8, or a struct's */
    uint16_t sub_field_count;
    uint64_t limit; /* loading: every number is less; 0: any may be */
    const struct state_field *sub_fields;
};

/*
 * A struct of a section is written once, as a list of its members; the struct and its table come from the
 * list:
 *
 *     #define OA_CLOCK(M, S)                                     \
 *         M(S, NUMBER, uint64_t, timestamp, 0)  (limit: 0, any)  \
 *         M(S, NUMBERS, uint32_t, counts, [4][2], 0)             \
 *         M(S, FLAG, running)                                    \
 *         M(S, STRUCTS, struct flip, queue, [4], flip_fields)    \
 *         M(S, PADDING, reserved, [3])
 *     struct oa_clock { STATE_MEMBERS(OA_CLOCK) };
 *     static STATE_TABLE(clock_fields, struct oa_clock, OA_CLOCK)
 */
#define STATE_MEMBERS(list)           list(STATE_MEMBER, )
#define STATE_TABLE(name, type, list) const struct state_field name[] = {list(STATE_ROW, type)};
#define STATE_MEMBER(type, kind, ...) STATE_MEMBER_##kind(__VA_ARGS__)
#define STATE_ROW(type, kind, ...)    STATE_ROW_##kind(type, __VA_ARGS__)

#define STATE_MEMBER_NUMBER(of, member, limit)              of member;
#define STATE_MEMBER_NUMBERS(of, member, dimensions, limit) of member dimensions;
#define STATE_MEMBER_FLAG(member)                           bool member;
#define STATE_MEMBER_STRUCT(of, member, table)              of member;
#define STATE_MEMBER_STRUCTS(of, member, dimensions, table) of member dimensions;
#define STATE_MEMBER_PADDING(member, dimensions)            uint8_t member dimensions;

#define STATE_PLACE(type, of, member)                                                                        \
    .name = #member, .offset = offsetof(type, member), .size = sizeof(of),                                   \
    .count = sizeof(((type *)0)->member) / sizeof(of)
#define STATE_ROW_NUMBER(type, of, member, bound)              {STATE_PLACE(type, of, member), .limit = (bound)},
#define STATE_ROW_NUMBERS(type, of, member, dimensions, bound) STATE_ROW_NUMBER(type, of, member, bound)
#define STATE_ROW_FLAG(type, member)                           {STATE_PLACE(type, bool, member), .limit = 2},
#define STATE_ROW_STRUCT(type, of, member, table)                                                            \
    {STATE_PLACE(type, of, member), .sub_fields = (table),                                                   \
     .sub_field_count = sizeof(table) / sizeof((table)[0])},
#define STATE_ROW_STRUCTS(type, of, member, dimensions, table) STATE_ROW_STRUCT(type, of, member, table)
#define STATE_ROW_PADDING(type, member, dimensions)            {STATE_PLACE(type, uint8_t, member), .limit = 1},

struct section {
    const char *name;
    uint16_t version, field_count;
    uint8_t reset_survival; /* enum reset_survival */
    uint32_t offset, size;  /* in the unit, bytes */
    const struct state_field *fields;
    const void *initial; /* after a reset; NULL: zeros */
};

#define SECTION(unit, member, number, survival, table, start)                                                \
    {                                                                                                        \
        .name = #member, .version = (number), .field_count = sizeof(table) / sizeof((table)[0]),             \
        .reset_survival = (survival), .offset = offsetof(unit, member), .size = sizeof(((unit *)0)->member), \
        .fields = (table), .initial = (start)                                                                \
    }

void sections_reset(const struct section *sections, size_t count, void *unit, enum reset_scope scope);
/* `name` is the unit's: "rcs0". */
void sections_state(const struct section *sections, size_t count, void *unit, const char *name,
                    struct state *s);
/* Whether the fields cover the section from its first to its last byte, once. For tests. */
bool section_is_whole(const struct section *section);

/* ---- By hand ---- */

/* A section that the unit walks itself; returns what state_section_end takes. */
size_t state_section_begin(struct state *s, const char *unit, const char *name, uint16_t version);
void state_section_end(struct state *s, size_t begin);

/* `size` bytes, unchanged. */
void state_bytes(struct state *s, void *data, size_t size);
void state_flag(struct state *s, void *flag, size_t size);
/* `count` dwords; runs of zeros take no room. */
void state_dwords(struct state *s, uint32_t *dwords, size_t count);
/* A large table that is mostly never written: only parts that may hold a value are walked. */
enum { TABLE_PART = 1024 };
struct state_table {
    uint32_t *dwords; /* somebody else's */
    size_t count;
    bool *used; /* by part; free it */
};
bool state_table_create(struct state_table *t, uint32_t *dwords, size_t count);
void state_table(struct state *s, struct state_table *t);
void state_table_clear(struct state_table *t);
void state_table_clear_range(struct state_table *t, size_t first, size_t end);
/* Loading: fails if `holds` is false. */
void state_check(struct state *s, bool holds);

/* A field, or an array of numbers. */
#define STATE(s, field)                                                                                      \
    _Generic(&(field), bool * : state_flag, default : state_bytes)((s), &(field), sizeof(field))
#define STATE_ARRAY(s, array)                                                                                \
    for (size_t state_i = 0; state_i < sizeof(array) / sizeof((array)[0]); state_i++)                        \
    STATE(s, (array)[state_i])

#endif
