/* Writes commands as text for people and as JSON for programs, from the rows that also execute them. */
#ifndef STREAM_DUMP_H
#define STREAM_DUMP_H

#include "base/text.h"
#include "stream/bases.h"
#include "stream/index.h"

struct dump_options {
    bool colour;
    bool json;
    bool headers_only; /* no fields */
    bool nonzero;      /* no fields that are zero */
    bool no_address;
    void *user;
    /* Name of the register at an offset, or NULL; optional. */
    const char *(*register_name)(void *user, uint32_t offset);
    /* Offsets from base addresses are shown as addresses, too; commands that set the bases change them.
     * Optional. */
    struct bases *bases;
    /* Adds to the current command: in text after its name; in JSON as members after the address, each
     * followed by a comma. Optional. */
    void (*remark)(void *user, struct text *t);
};

struct dump_plan; /* of one row: its texts, prepared */

struct dumper {
    const struct command_set *set;
    struct dump_options options;
    struct dump_plan *plans; /* set->count */
    struct text ready;       /* the prepared texts */
};

/* False when out of memory. The set must outlive the dumper. */
bool dumper_create(struct dumper *d, const struct command_set *set, const struct dump_options *options);
void dumper_destroy(struct dumper *d);

enum dump_found { DUMP_COMMAND, DUMP_UNKNOWN, DUMP_CUT };

/*
 * Appends the command that starts at dw[0] (`available_dw` are there, at least one) at graphics address
 * `address`. *length_dw gets its length: 1 for an unknown header, what is there for a command that is cut
 * off.
 */
enum dump_found dump_command(const struct dumper *d, struct text *t, enum engine_class class,
                             const uint32_t *dw, size_t available_dw, uint64_t address, size_t *length_dw);

/* A structure that a command points to; the dumper's set is that of the structures (stream/structure.h). */
struct dump_structure {
    uint16_t number;
    unsigned depth; /* 1: the command itself points to it */
    int index;      /* of several; else negative */
    bool address_known;
    uint64_t address, command_address;
    const char *through; /* the field that points to it; NULL: none */
    const char *missing; /* why there is nothing to show; else NULL */
    const uint32_t *dw;  /* as long as the structure */
};

void dump_structure(const struct dumper *d, struct text *t, const struct dump_structure *s);

#endif
