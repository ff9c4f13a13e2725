/* The text of a program as tokens, and messages about it. */
#ifndef GTS_SOURCE_H
#define GTS_SOURCE_H

#include "gts/gts.h"

enum gts_token_kind {
    TOKEN_END,
    TOKEN_LINE,   /* end of a line, or ';' */
    TOKEN_WORD,   /* letters, digits and underscores, not a number: MI_NOOP, 3DPRIMITIVE */
    TOKEN_NUMBER, /* 10, 0x10, 0b10, 4K */
    TOKEN_FLOAT,  /* 1.5: the bits of an IEEE single */
    TOKEN_STRING, /* text: between the quotes, with escapes */
    TOKEN_MARK,   /* punctuation, in `mark` */
};

#define TWO_MARKS(a, b) ((uint16_t)((unsigned)(a) | (unsigned)(b) << 8))

struct gts_token {
    enum gts_token_kind kind;
    uint16_t mark; /* a character, or TWO_MARKS */
    unsigned line, column;
    const char *text;
    uint32_t length;
    uint64_t value;
};

struct gts_source {
    const char *name;
    const char *device; /* named in messages, or NULL */
    const struct gts_options *options;
    struct gts_token *tokens; /* ends with TOKEN_END */
    size_t count, capacity;
    unsigned errors; /* messages of kind GTS_ERROR so far */
};

/* Splits `text` into tokens that point into it. False after messages. */
bool gts_source_read(struct gts_source *s, const char *name, const char *text, size_t size,
                     const struct gts_options *options);
void gts_source_free(struct gts_source *s);

/* Sends one message, if the caller wants messages. */
__attribute__((format(printf, 5, 6))) void gts_send_message(struct gts_source *s, enum gts_message_kind kind,
                                                            unsigned line, unsigned column,
                                                            const char *format, ...);

/* Reads a name on the line of 'device', which may contain '-'. Returns the next token. */
const struct gts_token *gts_device_name(const struct gts_token *t, char *name, size_t size);

/* Writes the bytes of a string token, at most `size`. Returns their number. */
size_t gts_unescape(const struct gts_token *t, char *bytes, size_t size);

#endif
