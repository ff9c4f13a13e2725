/*
 * Reads a program in two passes. Pass 0 places blocks and labels and fixes the length of every command. Pass
 * 1 knows all addresses and emits operations. (reader.c, statements.c, expect.c, block.c, context.c,
 * expression.c)
 */
#ifndef GTS_READER_H
#define GTS_READER_H

#include "gts/machine.h"
#include "gts/program.h"
#include "gts/source.h"
#include "gts/space.h"
#include "gts/encoder.h"

#include "base/nearest.h"

enum symbol_kind { SYMBOL_LET, SYMBOL_ADDRESS, SYMBOL_CONTEXT, SYMBOL_PPGTT, SYMBOL_COUNTER };

struct symbol {
    char *name; /* "batch", "batch.label", "context.image" */
    enum symbol_kind kind;
    bool is_known;
    uint64_t value;        /* address, value, or number of a context */
    int space;             /* of an address; -1: plain number */
    bool is_used;          /* the text uses it */
    bool is_batch;         /* a batch without an explicit address */
    unsigned line, column; /* of the batch statement */
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
    const struct register_slot *slot; /* the value is the offset of this register */
};

/* The ring of a context, or of an engine in ring mode. */
struct command_queue {
    const char *name;
    const struct gts_engine *engine;
    int ppgtt;         /* number of the space, or -1 */
    bool is_ring_mode; /* ring buffer mode: no context */
    uint64_t ring, size_bytes, tail;
    uint64_t submitted_tail;       /* in ring buffer mode: the tail that the engine has */
    const struct gts_token *start; /* its statement */
    bool is_submitted;
    uint64_t image; /* PPHWSP; the register image is in the next page */
    uint64_t descriptor;
};

/* The address range of a block. */
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
    unsigned depth;           /* nesting of repeats */
    unsigned nesting;         /* nesting of expressions, including register indices */
    bool submits_by_register; /* the program writes a register that submits */
    uint64_t work_done;       /* repeats and commands done, bounded */
    uint64_t operation_bytes; /* bytes in operations, bounded */
    struct symbols symbols;
    struct gts_spaces spaces;
    char scope[72];               /* the current block: its labels need no block name */
    uint16_t *command_lengths_dw; /* lengths of commands in dwords from pass 0 */
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
bool accept_mark(struct reader *r, unsigned mark); /* consumes the mark if it is next */
bool accept_word(struct reader *r, const char *word);
bool require_mark(struct reader *r, unsigned mark); /* otherwise reports an error */
bool require_word(struct reader *r, const char *word);
bool is_line_end(const struct reader *r);
bool require_line_end(struct reader *r);
/* Reports an error at a token. Returns false. */
__attribute__((format(printf, 3, 4))) bool syntax_error(struct reader *r, const struct gts_token *t,
                                                        const char *format, ...);
/* A token as messages quote it: "'WORD'", or "the end of the line". */
const char *found_text(const struct gts_token *t, char *text, size_t size);
/* Reports "expected WANTED, found" and the text of the token. Returns false. */
bool expected_error(struct reader *r, const struct gts_token *t, const char *wanted);
bool reader_no_memory(struct reader *r);
bool program_too_large(struct reader *r, const struct gts_token *t);
/* Reports why an address range is invalid. Returns false. */
bool range_error(struct reader *r, const struct gts_token *t, int space, uint64_t address, uint64_t size,
                 const char *why);
bool token_is(const struct gts_token *t, const char *word);
/* " (a comment begins with #)" at another language's comment, otherwise "". */
const char *comment_hint(const struct gts_token *t);
/* Skips to the end of the line, over whole blocks. */
void skip_line(struct reader *r);
/* Appends ", NAME" to a list; "..." when it is too long. */
void append_name(char *list, size_t size, const char *name);

/* Counts work; false when it exceeds the bounds. */
bool count_steps(struct reader *r, const struct gts_token *t, uint64_t count);

/* ---- Symbols (symbols.c) ---- */

struct symbol *symbol_find(const struct reader *r, const char *scope, const char *name, size_t length);
/* Defines a symbol in pass 0 and sets it again in pass 1. With `part` its name is "name.part". */
bool symbol_define(struct reader *r, const struct gts_token *t, const char *name, size_t length,
                   const char *part, enum symbol_kind kind, uint64_t symbol_value, bool known, int space);
void symbols_free(struct symbols *s);

/* ---- Expressions (expression.c) ---- */

/* With `field`, the names of its values are known. */
bool read_expression(struct reader *r, const struct field *field, struct symbol_value *symbol_value);
/* The same without '&', '^' and '|' outside parentheses: a mask may follow. */
bool read_sum(struct reader *r, struct symbol_value *symbol_value);
/* Reads an expression whose value is known in both passes. */
bool read_known(struct reader *r, uint64_t *symbol_value);
/* [SPACE:]ADDRESS */
bool read_location(struct reader *r, int *space, struct symbol_value *address);
bool read_engine(struct reader *r, const struct gts_engine **engine);

/* ---- Blocks (block.c) ---- */

/* The target of commands or data. */
struct block {
    const struct gts_engine *engine; /* or NULL: any class */
    const struct gts_token *open;    /* its '{' */
    uint64_t address;
    size_t size; /* so far */
    bool commands;
    bool aligned; /* dwords lie at multiples of 4 */
};

/* Reads '{' lines '}'. In pass 1 the bytes are in r->block_bytes. */
bool read_block(struct reader *r, struct block *b);
bool read_block_lines(struct reader *r, struct block *b); /* after the '{' */
/* Reads items on one line: "1, qw 2, "text", fill 0 size 4K". */
bool read_items(struct reader *r, struct block *b);
bool block_put(struct reader *r, struct block *b, const struct gts_token *t, const void *data, size_t size);

/* ---- Statements ---- */

/* Reads up to the end, or to the '}' of the given '{'. (statements.c) */
bool read_statements(struct reader *r, const struct gts_token *open);
bool is_statement(const char *word);
/* Reports that a block has no end. */
bool unterminated_error(struct reader *r, const struct gts_token *open);
bool read_expect(struct reader *r, const struct gts_token *start); /* expect.c */
bool read_ignore(struct reader *r, const struct gts_token *start);
bool read_tolerate(struct reader *r, const struct gts_token *start);
bool read_wait(struct reader *r, const struct gts_token *start);
bool read_context(struct reader *r, const struct gts_token *start); /* context.c */
bool read_ring(struct reader *r, const struct gts_token *start);
bool read_append(struct reader *r, const struct gts_token *start);
bool read_submit(struct reader *r, const struct gts_token *start);
/* Sets an engine up after a reset as a driver does: status page, and execlists or the ring. */
bool gts_set_up_after_reset(struct reader *r, const struct gts_token *t, const struct gts_engine *e);

/* The operand of a write, read, wait or expectation: a register, a BAR or memory. */
struct access_place {
    enum gts_location_kind kind;
    unsigned bar, size; /* size: of one access; 0: not given */
    int space;
    uint64_t address;
    bool is_known;
    const char *name;
};
bool read_place(struct reader *r, struct access_place *p);
bool read_mask(struct reader *r, uint64_t *mask); /* [& MASK] */
/* The bus address of a byte in a space, and the length of the contiguous range. Reports an unmapped address.
 */
bool resolve_address(struct reader *r, const struct gts_token *t, int space, uint64_t address,
                     uint64_t *physical, uint64_t *length_bytes);

/* Emit operations; nothing in pass 0. */
bool emit_store(struct reader *r, const struct gts_token *t, int space, uint64_t address, const void *data,
                size_t size);
bool emit_write(struct reader *r, const struct gts_token *t, uint64_t offset, uint64_t symbol_value,
                const char *name);
struct gts_operation *emit(struct reader *r, enum gts_verb verb, const struct gts_token *t);
char *text_of(struct reader *r, const struct gts_token *t); /* of a string token; NULL when out of memory */

/* Reads a whole program. False after messages. */
bool gts_read_program(struct gts_program *program, struct gts_source *source,
                      const struct gts_machine *machine);

#endif
