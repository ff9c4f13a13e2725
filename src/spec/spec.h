/* Rows of one device as the public interface shows them (softgt/tools.h). */
#ifndef SPEC_SPEC_H
#define SPEC_SPEC_H

#include <softgt/tools.h>

#include <stdatomic.h>

#include "device/host.h"
#include "isa/isa.h"
#include "stream/dump.h"

enum { SPEC_ROW_KINDS = SOFTGT_ROW_MESSAGE + 1 };

struct softgt_row {
    const struct softgt_spec *spec;
    enum softgt_row_kind kind;
    const char *name;
    const struct command *command;    /* of commands and structures */
    const struct register_slot *slot; /* of registers: their first dword */
    const struct guc_message *message;
    bool in_order; /* its fields begin in ascending dwords: those that are there are found without a search */
};

/* All rows of a kind, and what holds names that no table has. */
struct spec_rows {
    struct softgt_row *list;
    size_t count;
    char *names;
};

/* What the data sheet has besides rows, as lists of public structs; count: of each. */
enum spec_list {
    SPEC_OPERATIONS,
    SPEC_INSTRUCTION_FIELDS,
    SPEC_THREAD_MESSAGES,
    SPEC_UNITS,
    SPEC_RANGES,
    SPEC_FUNCTION_IDS,
    SPEC_MEMORY_OBJECTS,
    SPEC_BASE_ADDRESSES,
    SPEC_IMAGES,
    SPEC_LISTS
};

/* A field of instructions with the arrays that it points to. */
struct spec_instruction_field {
    struct softgt_instruction_field field;
    uint32_t first_bits[EU_PIECES], width_bits[EU_PIECES];
    const char *condition_fields[EU_CONDITIONS];
    uint64_t condition_values[EU_CONDITIONS];
};

struct spec_image {
    struct softgt_image image;
    struct softgt_image_item *items;
    size_t count;
};

struct softgt_spec {
    const struct sheet *sheet;
    bool is_decoded;       /* only: its registers, units and images are not known, and nothing runs */
    struct softgt *device; /* has the registers; it never runs */
    struct command_set commands, structures;
    struct spec_rows rows[SPEC_ROW_KINDS];
    const struct softgt_row **unit_registers; /* in the order in which they were placed */
    struct {
        void *items;
        size_t count;
    } lists[SPEC_LISTS];
    /* For listings as text and as JSON; made by the first that needs one. */
    _Atomic(struct dumper *) dumpers[2];
};

/* Makes the lists. False: out of memory. */
bool spec_lists_create(struct softgt_spec *spec);
void spec_lists_destroy(struct softgt_spec *spec);

/* What SOFTGT_DECODE_COLOR ... SOFTGT_DECODE_NONZERO say of a dump. */
static inline struct dump_options spec_dump_options(unsigned flags)
{
    return (struct dump_options){.colour = flags & SOFTGT_DECODE_COLOR,
                                 .json = flags & SOFTGT_DECODE_JSON,
                                 .headers_only = flags & SOFTGT_DECODE_HEADERS,
                                 .nonzero = flags & SOFTGT_DECODE_NONZERO};
}

/* The fields of a row, and those of its group. */
struct spec_fields {
    const struct field *list, *group;
    unsigned count, group_count;
};
struct spec_fields spec_fields(const struct softgt_row *row);
/* The dumper of listings as text or as JSON, which the spec owns; NULL: out of memory. (decode.c) */
const struct dumper *spec_dumper(const struct softgt_spec *spec, bool json);
void spec_destroy_dumpers(struct softgt_spec *spec);
/* The name of the register at an offset in `text`; NULL: there is none. */
const char *spec_register_name(const struct softgt_spec *spec, uint32_t offset, char *text, size_t size);

/* Passes an error of a program's text on as a line, "NAME:LINE:COLUMN: TEXT"; false: it is none. The port may
 * be NULL. */
struct gts_message;
bool spec_send_error(const struct gts_message *m, const struct softgt_text_port *errors);
/* Passes a text on and frees it. 0, or -ENOMEM. */
int spec_send(struct text *t, const struct softgt_text_port *out);

#endif
