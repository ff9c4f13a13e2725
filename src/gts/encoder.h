/* Encodes one command from its row: for the assembler, and for the disassembler's check. */
#ifndef GTS_ENCODER_H
#define GTS_ENCODER_H

#include "stream/index.h"

enum { ENCODER_MAX_DW = 65536 + 256 };

struct gts_argument {
    const struct field *field; /* or NULL: a whole dword */
    uint32_t dword;            /* whole dword: its index; field of a group: index of the group */
    bool in_group;
    bool known;
    bool whole; /* the full width counts for the command's length */
    uint64_t value;
    uint32_t token; /* for messages */
};

struct gts_encoder {
    uint32_t *dw;           /* WORDS_MAX */
    uint32_t high_water_dw; /* dwords to clear for the next command */
    struct gts_argument *arguments;
    size_t count, capacity;
    uint32_t groups;
    uint32_t requested_length_dw; /* given by the text; 0: not given */
};

/* Prepares for the next command. False: out of memory. */
bool gts_encoder_start(struct gts_encoder *w);
bool gts_encoder_add(struct gts_encoder *w, const struct gts_argument *argument);
void gts_encoder_free(struct gts_encoder *w);

/* The command's length by the rule of gts(5). */
uint32_t gts_encoder_length_dw(const struct gts_encoder *w, const struct command *c);

/* The command's length says qword, and its Store Qword bit is not given. */
bool gts_encoder_lacks_store_qword(const struct gts_encoder *w, const struct command *c, uint32_t length);

enum encode_error { ENCODE_OK, ENCODE_BAD_LENGTH, ENCODE_BAD_VALUE, ENCODE_PAST_END, ENCODE_NO_HEADER_FIT };

/* Encodes into dw[0 ... length - 1]. On an error *bad is the argument that does not fit, or NULL. */
enum encode_error gts_encoder_build(struct gts_encoder *w, const struct command *c, uint32_t length,
                                    const struct gts_argument **bad);

/* Compares names: only letters and digits count, in either case. */
bool gts_name_matches(const char *name, const char *text, size_t length);
/* The name in lower case, with '_' between words. */
void gts_name_canonical(const char *name, char *text, size_t size);
/* The first field of that name, or NULL. */
const struct field *gts_field_find(const struct field *fields, unsigned count, const char *text,
                                   size_t length);
const struct field_value *gts_value_find(const struct field *f, const char *text, size_t length);
/* "dw7" -> 7; false if it is no such name. */
bool gts_dword_name(const char *text, size_t length, uint32_t *number);
/* The DWord Length field, which is computed. */
bool gts_is_length_field(const struct command *c, const struct field *f);

#endif
