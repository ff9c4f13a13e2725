/* A translation in progress: jit.c finds the run, emit_x86.c writes its code. */
#ifndef JIT_TRANSLATION_H
#define JIT_TRANSLATION_H

#include "interp/execute.h"
#include "simd/rules.h"
#include "jit/x86.h"

/* How a rule is translated. */
enum {
    RULE_TRANSLATED = 1,
    RULE_CHECKS_NAN = 2, /* exits if a result is NaN */
    RULE_COMPARES = 4,
    RULE_SELECTS = 8,
    RULE_FLOATS = 16, /* needs the thread's rounding mode */
    RULE_CALLED = 32, /* calls the instruction's handler */
    RULE_SLOW = 64    /* calls eu_call_slow_path instead */
};
extern const uint8_t eu_code_rules[SIMD_RULES];

enum { VECTORS = 16, CODE_CONSTANTS_BYTES = 256, CODE_MAX_BYTES = 2048 /* per instruction */ };

/* What a vector register caches. */
enum held {
    HELD_NOTHING,
    HELD_ROW,
    HELD_SCALAR,
    HELD_SCALAR_DOUBLE,
    HELD_CONSTANT,
    HELD_IMMEDIATE,
    HELD_ACCUMULATOR, /* floats of eight channels */
    HELD_PRODUCTS     /* qwords of half an accumulator */
};

/* A vector register of the host. */
struct vector {
    uint8_t held;  /* enum held */
    bool busy;     /* in use by the current instruction */
    bool pending;  /* an accumulator that is not yet stored */
    uint8_t mask;  /* of a pending one: the register with the mask of active lanes, never 0; 0: all */
    uint32_t what; /* offset in the GRF, constant, immediate or accumulator */
    unsigned used; /* time of the last use */
};

enum { MAX_PARTS = 4, MAX_SPARES = 5, MAX_PENDING = 4 };

/* An accumulator to be stored. */
struct pending_store {
    uint8_t vector, held, mask, what;
};

/* Kinds of side exits: to the instruction's handler; the same only if a NaN is in an enabled channel; to
 * round a sum of halves to odd and return; after a call that left little budget or ended the run; to run a
 * branch that parts channels; to make channels active that wait, and return. */
enum side_exit_kind {
    EXIT_ALWAYS,
    EXIT_IF_NAN,
    EXIT_ROUNDS_TO_ODD,
    EXIT_AFTER_CALL,
    EXIT_BRANCHES,
    EXIT_MERGES
};

/* A side exit. Its code is emitted after the run. */
struct side_exit {
    size_t jump, back;
    unsigned instruction;
    uint8_t kind;
    bool masked;
    uint8_t result[MAX_PARTS], mask[MAX_PARTS], spare[MAX_SPARES], pending_count;
    struct pending_store pending[MAX_PENDING];
};

enum { MAX_RUN = EU_SLOTS, MAX_EXITS = 4 * MAX_RUN, MAX_JUMPS = 4 * MAX_RUN };

/* A jump to the code of an instruction, in the version for all or for some channels. */
struct code_jump {
    size_t jump;
    bool masked;
    uint8_t to;
};

/* What leads to an instruction besides the one before it: a jump, channels that wait there, or, in the
 * version for some channels, a branch before it. */
enum { JUMPED_TO = 1, MERGES = 2, FOLLOWS_BRANCH = 4 };

/* A run and the state of its translation. */
struct translation {
    struct x86 x;
    struct eu_chunk *chunk;
    struct eu_decoded *ops[MAX_RUN + 1]; /* the entry after the run is the next instruction */
    unsigned count, needed_channels;     /* channels that must be active for the unmasked version */
    unsigned cost_before[MAX_RUN + 1];   /* budget of the instructions before each one */
    bool floats, branches,
        needs_default_mode; /* default mode: rounds to nearest and keeps denormals; for halves and doubles */
    bool accumulates;       /* writes the accumulator implicitly */
    bool masked;            /* the version for some active channels */
    uint8_t entered[MAX_RUN + 1];
    size_t entry[2][MAX_RUN + 1]; /* code of entered instructions, by version */
    struct code_jump jumps[MAX_JUMPS];
    unsigned jump_count;
    struct vector vectors[VECTORS];
    unsigned clock, exit_count;
    struct side_exit exits[MAX_EXITS];
};

/* Writes the constants at the start of the code memory. */
void eu_code_constants(uint8_t *to);
/* Writes the code of a run. False: it does not fit. */
bool eu_code_write(struct translation *t);
/* Whether an instruction whose rule is to call its handler needs no call. */
bool eu_is_inline(const struct eu_decoded *op);
/* Whether the instruction always ends a run: it jumps back. */
bool eu_ends_run(const struct eu_decoded *op);
/* The instruction at an offset from a branch; NULL: it is not in the chunk. */
struct eu_decoded *eu_branch_op_at(struct eu_chunk *c, struct eu_decoded *op, int64_t offset);
/* Where channels go that take the branch back. */
struct eu_decoded *eu_branch_destination(struct eu_chunk *c, struct eu_decoded *op);

#endif
