/* A run of instructions as code of the host's: between who finds it (translate.c) and who writes it (code.c).
 */
#ifndef JIT_TRANSLATION_H
#define JIT_TRANSLATION_H

#include "interp/execute.h"
#include "simd/rules.h"
#include "jit/x86.h"

/* What is translated, and how. */
enum {
    RULE_IS = 1,
    RULE_NUMBERS = 2,
    RULE_COMPARES = 4,
    RULE_SELECTS = 8,
    RULE_FLOATS = 16,
    RULE_CALLED = 32
};
extern const uint8_t eu_code_rules[SIMD_RULES];

enum { VECTORS = 16, CODE_NUMBERS_BYTES = 256, CODE_MOST_BYTES = 2048 /* of an instruction */ };

/* What a vector register has, so that it need not be read again. */
enum held { HELD_NOTHING, HELD_ROW, HELD_ONE, HELD_ONE_REAL, HELD_NUMBER, HELD_FIXED, HELD_ACCUMULATOR };

struct vector {
    uint8_t held;  /* enum held */
    bool busy;     /* in this instruction */
    uint32_t what; /* byte of the registers, the number, or which accumulator */
    unsigned used;
};

enum { MOST_PARTS = 4, MOST_SPARES = 5 };

/* Behind the run: the way to an instruction's own step, or back. */
enum leaving { LEAVES, LEAVES_IF_NO_NUMBER, ROUNDS_AGAIN };

struct leave {
    size_t jump, back;
    unsigned instruction;
    uint8_t kind;
    bool masked;
    uint8_t result[MOST_PARTS], mask[2], spare[MOST_SPARES];
};

enum { MOST_RUN = EU_SLOTS, MOST_LEAVES = 2 * MOST_RUN };

struct translation {
    struct x86 x;
    struct eu_chunk *chunk;
    struct eu_decoded
        *ops[MOST_RUN + 1];       /* the last one: where it goes on, if it does not end with a branch */
    unsigned count, windows;      /* channels that the version for all needs */
    bool floats, branches, plain; /* what has halves or doubles wants the plain mode */
    bool masked;                  /* the version for some */
    struct vector vectors[VECTORS];
    unsigned clock, leaves;
    struct leave leave[MOST_LEAVES];
};

/* At the area's beginning: what all code reads. */
void eu_code_numbers(uint8_t *to);
/* All of a run; false: it does not fit. */
bool eu_code_write(struct translation *t);
/* The last instruction of a run, whatever follows. */
bool eu_ends_run(const struct eu_decoded *op);
/* The one that a branch goes to; NULL: it is not in the chunk. */
struct eu_decoded *eu_goes_to(struct eu_chunk *c, struct eu_decoded *op);

#endif
