/*
 * A parsed program: a list of operations with all names, addresses and commands resolved. A player needs only
 * this list.
 */
#ifndef GTS_PROGRAM_H
#define GTS_PROGRAM_H

#include <softgt/softgt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gts_verb {
    GTS_STORE,          /* a CPU store of data to memory or the GGTT */
    GTS_WRITE,          /* a write of value to a register or BAR */
    GTS_READ,           /* prints a register, BAR or memory */
    GTS_SAY,            /* prints text */
    GTS_RUN,            /* value: budget in dwords; 0: until no engine can run */
    GTS_ADVANCE,        /* advances virtual time by value nanoseconds */
    GTS_RESET,          /* power-on reset */
    GTS_HARDWARE_ERROR, /* a hardware error: severity in size, sources in value */
    GTS_WAIT,           /* until (read & mask) == value */
    GTS_MARK,           /* expectations of interrupts, reports and order count from here */
    GTS_IGNORE,         /* ignores complaints of kind value whose text contains `text` */
    GTS_TOLERATE,       /* tolerates the mistakes in value */
    GTS_EXPECT,         /* memory or register equals (or differs) */
    GTS_EXPECT_INTERRUPTS,
    GTS_EXPECT_FAULTS,
    GTS_EXPECT_COUNT,  /* counter `name` of an engine */
    GTS_EXPECT_STATE,  /* state of an engine; text: part of its reason */
    GTS_EXPECT_STATUS, /* context status entries of an engine */
    GTS_EXPECT_REPORT, /* a complaint of kind value whose text contains `text` */
    GTS_EXPECT_ORDER,  /* events, in this order */
};

enum gts_location_kind {
    PLACE_NONE,
    PLACE_REGISTER,   /* by offset; size 8: a pair */
    PLACE_BAR,        /* BAR number in `unit` */
    PLACE_PHYSICAL,   /* bus address */
    PLACE_GGTT,       /* through the GGTT */
    PLACE_GGTT_TABLE, /* byte offset in the table */
};

enum gts_unit { UNIT_NONE, UNIT_NS, UNIT_DWORDS };

enum gts_format { FORMAT_DWORDS, FORMAT_QWORDS, FORMAT_NUMBERS, FORMAT_BITS, FORMAT_TEXT };

/* A list element: a context status entry, or an event of an order. */
struct gts_item {
    unsigned line, column;
    unsigned event_class;        /* order: enum softgt_trace_what */
    enum softgt_event_kind kind; /* order; SOFTGT_EVENT_ONLY: any */
    const char *unit;            /* order: engine or NULL */
    const char *name;            /* order: command; NULL: any */
    bool has_address, has_value;
    uint64_t address;     /* order */
    uint64_t value, mask; /* order: value; status: status dword */
    bool has_id;
    uint64_t id; /* status: context id */
};

struct gts_operation {
    enum gts_verb verb;
    enum gts_location_kind location;
    enum gts_unit bound_unit;
    enum gts_format format;
    unsigned line, column;
    unsigned size;            /* bytes of one access */
    unsigned unit;            /* number of a BAR or engine */
    bool expect_differs;      /* the expectation is != */
    bool continues_statement; /* part of the previous operation's statement */
    bool ends_submit;         /* the last write of a submit statement */
    uint64_t address;         /* as the player needs it */
    uint64_t shown_address;   /* as the program gives it */
    uint64_t value, mask, bound;
    const char *name; /* register, counter, space or engine: for messages */
    char *text;
    uint8_t *data;
    size_t data_size;
    struct gts_item *items;
    size_t item_count;
};

/* Source position of a command by address and header: two address spaces may share an address. */
struct gts_command_source {
    uint64_t address;
    uint32_t header;
    unsigned line, column;
};

struct gts_program {
    const char *name; /* of the file */
    const char *device;
    bool counts_draws; /* draws are counted and not run */
    struct gts_operation *operations;
    size_t count, capacity;
    struct gts_command_source *command_sources;
    size_t command_source_count, command_source_capacity;
    char **names; /* storage of the names of operations and items */
    size_t name_count, name_capacity;
};

void gts_program_free(struct gts_program *p);
/* Appends an operation; NULL: out of memory. */
struct gts_operation *gts_program_add(struct gts_program *p, enum gts_verb verb, unsigned line,
                                      unsigned column);
/* Notes the source position of a command, for a program's first million. False: out of memory. */
bool gts_program_add_command(struct gts_program *p, uint64_t address, uint32_t header, unsigned line,
                             unsigned column);
/* The position of the command with that address and header, or NULL. */
const struct gts_command_source *gts_program_find_command(const struct gts_program *p, uint64_t address,
                                                          uint32_t header);
/* The position of the last command in the page before that address, or NULL. */
const struct gts_command_source *gts_program_find_command_before(const struct gts_program *p,
                                                                 uint64_t address);
/* A copy of a name that lives as long as the program; NULL: out of memory. */
const char *gts_program_name(struct gts_program *p, const char *text, size_t length);

/* The counters of "expect count": members of softgt_engine_status. */
struct gts_counter {
    const char *name; /* a list ends with NULL */
    size_t offset;
};
extern const struct gts_counter gts_counters[];

/* The text of a status dword, such as "context_complete, active_to_idle" joined by a bar; other bits in
 * hexadecimal. (expect.c) */
void gts_status_text(uint64_t value, char *text, size_t size);

#endif
