/* One command put together from its row: what the assembler writes and the disassembler checks itself
 * against. */
#ifndef GTS_ENCODER_H
#define GTS_ENCODER_H

#include "stream/index.h"

enum { ENCODER_MAX_DW = 65536 + 256 };

struct gts_argument {
    const struct field *field; /* or NULL: a whole dword */
    uint32_t dword;            /* of a whole dword: its number; of a group's field: the number of the group */
    bool in_group;
    bool known;
    bool whole; /* counts at its full width for the length */
    uint64_t value;
    uint32_t token; /* for messages */
};

struct gts_encoder {
    uint32_t *dw;           /* WORDS_MAX */
    uint32_t high_water_dw; /* high-water mark, to clear */
    struct gts_argument *arguments;
    size_t count, capacity;
    uint32_t groups;
    uint32_t requested_length_dw; /* asked for; 0: not */
};

/* Ready for the next command. False when out of memory. */
bool gts_encoder_start(struct gts_encoder *w);
bool gts_encoder_add(struct gts_encoder *w, const struct gts_argument *argument);
void gts_encoder_free(struct gts_encoder *w);

/* The length rule of gts.5. */
uint32_t gts_encoder_length_dw(const struct gts_encoder *w, const struct command *c);

/* A store of a qword, by its length, whose Store Qword bit is not given. */
bool gts_encoder_lacks_store_qword(const struct gts_encoder *w, const struct command *c, uint32_t length);

enum encode_error { ENCODE_OK, ENCODE_BAD_LENGTH, ENCODE_BAD_VALUE, ENCODE_PAST_END, ENCODE_NO_HEADER_FIT };

/* Fills dw[0 ... length - 1]. On an error *bad is the argument that does not fit, or NULL. */
enum encode_error gts_encoder_build(struct gts_encoder *w, const struct command *c, uint32_t length,
                                    const struct gts_argument **bad);

/* Whether a name in the text means this one: letters and digits count, in either case, nothing else. */
bool gts_name_matches(const char *name, const char *text, size_t length);
/* Lower case, '_' for what is between letters and digits. */
void gts_name_canonical(const char *name, char *text, size_t size);
/* The first field of that name, or NULL. */
const struct field *gts_field_find(const struct field *fields, unsigned count, const char *text,
                                   size_t length);
const struct field_value *gts_value_find(const struct field *f, const char *text, size_t length);
/* "dw7" -> 7; false if it is no such name. */
bool gts_dword_name(const char *text, size_t length, uint32_t *number);
/* DWord Length itself: computed, not given. */
bool gts_is_length_field(const struct command *c, const struct field *f);

#endif
