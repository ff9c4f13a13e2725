/*
 * Reads a program. The text is walked twice: the first pass places blocks and labels and fixes the length of
 * every command, the second knows all addresses and writes operations. (reader.c, statements.c, expect.c,
 * block.c, context.c, expression.c)
 */
#ifndef GTS_READER_H
#define GTS_READER_H

#include "gts/machine.h"
#include "gts/program.h"
#include "gts/source.h"
#include "gts/space.h"
#include "gts/encoder.h"

enum symbol_kind { SYMBOL_LET, SYMBOL_ADDRESS, SYMBOL_CONTEXT, SYMBOL_PPGTT, SYMBOL_COUNTER };

struct symbol {
    char *name; /* "batch", "batch.label", "context.image" */
    enum symbol_kind kind;
    bool is_known;
    uint64_t value;        /* address, value, or number of a context */
    int space;             /* of an address; -1: plain number */
    bool is_used;          /* the text says its value */
    bool is_batch;         /* of commands, where the text does not say */
    unsigned line, column; /* then */
};

struct symbols {
    struct symbol *list;
    size_t count, capacity;
    struct gts_hash_map by_hash; /* hash to number + 1, linear from there */
};

struct symbol_value {
    uint64_t number;
    bool is_known;
    int space;                        /* of the last address in it; -1: none */
    const struct register_slot *slot; /* it is a register's offset, nothing else */
};

/* Where a context or ring-mode engine keeps its commands. */
struct command_queue {
    const char *name;
    const struct gts_engine *engine;
    int ppgtt;         /* number of the space, or -1 */
    bool is_ring_mode; /* ring buffer mode: no context */
    uint64_t ring, size_bytes, tail;
    uint64_t submitted_tail;       /* in ring buffer mode: what the engine has been given */
    const struct gts_token *start; /* where the text makes it */
    bool is_submitted;
    uint64_t image; /* PPHWSP; registers in the page behind it */
    uint64_t descriptor;
};

/* What a block took. */
struct block_range {
    int space;
    uint64_t address, size;
    const struct gts_token *start;
};

struct engine_setup {
    bool has_status_page; /* status page set */
    bool execlists, ring_mode, had_ring;
    uint64_t status_page;
    size_t ring_queue;
};

struct reader {
    struct gts_source *source;
    struct gts_program *program;
    const struct gts_machine *machine;
    unsigned pass; /* 0 and 1 */
    size_t token_index;
    unsigned depth;           /* of nested repeats */
    unsigned nesting;         /* of an expression, with those that number its registers */
    bool submits_by_register; /* a register that submits is written by name or offset */
    uint64_t work_done;       /* repeats and commands done, bounded */
    uint64_t operation_bytes; /* put into operations, bounded */
    struct symbols symbols;
    struct gts_spaces spaces;
    char scope[72];               /* block being read: its labels go without its name */
    uint16_t *command_lengths_dw; /* of commands in dwords, as pass 0 found them */
    size_t length_count, length_capacity, length_index;
    struct command_queue *queues;
    size_t queue_count, queue_capacity, queue_index;
    struct engine_setup setup[GTS_MAX_ENGINES];
    struct block_range *block_ranges; /* the first blocks, in pass 1 */
    size_t block_range_count;
    struct gts_encoder encoder;
    struct {
        uint8_t *data;
        size_t size, capacity;
    } block_bytes;
};

enum { ELSP = 0x230 }; /* EXECLIST_SUBMITPORT, from an engine's base */
enum { MAX_STEPS = 16 << 20, MAX_BYTES = 256 << 20, MAX_ERRORS = 20 };
enum { MAX_REPEATS = 16, MAX_NESTING = 64, MAX_SPACES = 4096 };

/* ---- Tokens (reader.c) ---- */

static inline const struct gts_token *peek(const struct reader *r)
{
    return &r->source->tokens[r->token_index];
}

bool is_mark(const struct reader *r, unsigned mark);
bool is_word(const struct reader *r, const char *word);
bool accept_mark(struct reader *r, unsigned mark); /* if it is there */
bool accept_word(struct reader *r, const char *word);
bool require_mark(struct reader *r, unsigned mark); /* else tells */
bool require_word(struct reader *r, const char *word);
bool is_line_end(const struct reader *r);
bool require_line_end(struct reader *r);
/* Tells an error at a token; always false. */
__attribute__((format(printf, 3, 4))) bool syntax_error(struct reader *r, const struct gts_token *t,
                                                        const char *format, ...);
bool reader_no_memory(struct reader *r);
bool token_is(const struct gts_token *t, const char *word);
/* " (a comment begins with #)" where another language's begins, else "". */
const char *comment_hint(const struct gts_token *t);
/* Skips to the end of the line, over whole blocks. */
void skip_line(struct reader *r);
/* Nearest of many names to one that was not found. */
struct nearest {
    char wanted[64], name[64];
    unsigned distance;
};
void nearest_start(struct nearest *n, const struct gts_token *t);
void nearest_compare(struct nearest *n, const char *name);
/* " (did you mean X?)" or "". */
const char *nearest_text(const struct nearest *n, char *text, size_t size);
/* Appends ", NAME" to a list of what there is; "..." where it grows too long. */
void append_name(char *list, size_t size, const char *name);

/* Counts work against the bounds. */
bool count_steps(struct reader *r, const struct gts_token *t, uint64_t count);

/* ---- Symbols (symbols.c) ---- */

struct symbol *symbol_find(const struct reader *r, const char *scope, const char *name, size_t length);
/* Defines in pass 0, sets again in pass 1. `part` may be NULL: the name is "name.part" then. */
bool symbol_define(struct reader *r, const struct gts_token *t, const char *name, size_t length,
                   const char *part, enum symbol_kind kind, uint64_t symbol_value, bool known, int space);
void symbols_free(struct symbols *s);

/* ---- Expressions (expression.c) ---- */

/* With `field`, names of its values count. */
bool read_expression(struct reader *r, const struct field *field, struct symbol_value *symbol_value);
/* The same without '&', '^' and '|' outside parentheses: what a mask may follow. */
bool read_sum(struct reader *r, struct symbol_value *symbol_value);
/* An expression whose value both passes know. */
bool read_known(struct reader *r, uint64_t *symbol_value);
/* [SPACE:]ADDRESS */
bool read_location(struct reader *r, int *space, struct symbol_value *address);
bool read_engine(struct reader *r, const struct gts_engine **engine);

/* ---- Blocks (block.c) ---- */

/* Where commands or data go. */
struct block {
    const struct gts_engine *engine; /* or NULL: any class */
    const struct gts_token *open;    /* its '{' */
    uint64_t address;
    size_t size; /* so far */
    bool commands;
    bool aligned; /* dwords lie at multiples of 4 */
};

/* '{' lines '}': the bytes are in r->bytes_of_block (pass 1). */
bool read_block(struct reader *r, struct block *b);
bool read_block_lines(struct reader *r, struct block *b); /* behind the '{' */
/* Items on one line: "1, qw 2, "text", fill 0 size 4K". */
bool read_items(struct reader *r, struct block *b);
bool block_put(struct reader *r, struct block *b, const struct gts_token *t, const void *data, size_t size);

/* ---- Statements ---- */

/* Up to the end, or to the '}' of the '{' given. (statements.c) */
bool read_statements(struct reader *r, const struct gts_token *open);
bool is_statement(const char *word);
/* Tells that a block has no end. */
bool unterminated_error(struct reader *r, const struct gts_token *open);
bool read_expect(struct reader *r, const struct gts_token *start); /* expect.c */
bool read_ignore(struct reader *r, const struct gts_token *start);
bool read_tolerate(struct reader *r, const struct gts_token *start);
bool read_wait(struct reader *r, const struct gts_token *start);
bool read_context(struct reader *r, const struct gts_token *start); /* context.c */
bool read_ring(struct reader *r, const struct gts_token *start);
bool read_append(struct reader *r, const struct gts_token *start);
bool read_submit(struct reader *r, const struct gts_token *start);
/* After a reset, as a driver does: its status page, and execlists or its ring. */
bool gts_set_up_after_reset(struct reader *r, const struct gts_token *t, const struct gts_engine *e);

/* What a write, read, wait or expectation is about: a register, a BAR or memory. */
struct access_place {
    enum gts_location_kind kind;
    unsigned bar, size; /* size of one access; 0: not said */
    int space;
    uint64_t address;
    bool is_known;
    const char *name;
};
bool read_place(struct reader *r, struct access_place *p);
bool read_mask(struct reader *r, uint64_t *mask); /* [& MASK] */
/* Bus address of one byte in a space, and how far it goes on; tells where nothing is mapped. */
bool resolve_address(struct reader *r, const struct gts_token *t, int space, uint64_t address,
                     uint64_t *physical, uint64_t *length_bytes);

/* Operations; nothing in pass 0. */
bool emit_store(struct reader *r, const struct gts_token *t, int space, uint64_t address, const void *data,
                size_t size);
bool emit_write(struct reader *r, const struct gts_token *t, uint64_t offset, uint64_t symbol_value,
                const char *name);
struct gts_operation *emit(struct reader *r, enum gts_verb verb, const struct gts_token *t);
char *text_of(struct reader *r, const struct gts_token *t); /* of a string token; NULL when out of memory */

/* All of it: false after messages. */
bool gts_read_program(struct gts_program *program, struct gts_source *source,
                      const struct gts_machine *machine);

#endif
