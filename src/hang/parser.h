/* What the parsers of both drivers' files share: lines, problems, engines, registers, buffers. */
#ifndef HANG_PARSER_H
#define HANG_PARSER_H

#include "hang/data.h"
#include "hang/state.h"

struct span {
    const char *at, *end;
};

struct parser {
    struct error_state *s;
    struct span rest;  /* after the current line */
    struct span text;  /* the current line, without its end */
    unsigned line;     /* its number */
    bool is_ended;     /* the line has an end: it is not cut */
    size_t left_bytes; /* of the limit for buffers */
    int engine;        /* that lines are about; ERROR_GLOBAL */
    int buffer;        /* whose contents come next; -1: none */
    struct data words; /* of that buffer, if the file has a line for each */
    int context;       /* xe: engine of the context that lines are about */
    uint64_t context_lrca;
    char section[ERROR_NAME]; /* xe */
};

/* The next line. False: there is none. */
bool parser_next(struct parser *p);
/* Adds a problem of the current line. */
__attribute__((format(printf, 2, 3))) void parser_problem(struct parser *p, const char *format, ...);

/* ---- Text ---- */
bool span_skip(struct span *t, const char *word); /* true: it began with the word, which is skipped */
bool span_ends(struct span t, const char *word);
void span_trim(struct span *t);
const char *span_find(struct span t, const char *word); /* NULL: not in it */
bool span_hex(struct span *t, uint64_t *value);         /* digits, with or without 0x */
bool span_decimal(struct span *t, uint64_t *value);
/* Copies as much as there is space for. Control characters become '?'. */
void span_copy(struct span t, char *to, size_t size);
/* "COMM [PID]" or "COMM[PID]", at its end or followed by other text. */
bool span_process(struct span t, char *process, int64_t *pid);

/* ---- Parts of the state; a part beyond a limit is a problem and dropped ---- */
/* The engine of a name, new or old. */
int parser_engine(struct parser *p, struct span name);
struct error_engine *parser_engine_at(struct parser *p, int engine);
/* "NAME: 0x...", "NAME[i][j]: 0x... ..." and Linux' other spellings. False: it is no register. */
bool parser_register(struct parser *p, struct span t);
void parser_note(struct parser *p, struct span t);
/* A new buffer becomes the current one. */
struct error_buffer *parser_buffer(struct parser *p, struct span name, int engine);
/* The contents of the current buffer, in ascii85, maybe compressed. */
void parser_data(struct parser *p, struct span t, bool is_compressed);

/* ---- Drivers ---- */
void parse_i915(struct parser *p);
void parse_devcoredump(struct parser *p);

#endif
