/*
 * How instructions run: each is decoded once into an eu_op, whose handler runs it and says what comes next.
 * Decoded kernels are kept in chunks by address. A chunk holds the bytes that it was decoded from and is good
 * for as long as the kernel has them: that is asked once an epoch, which a run or a message begins.
 */
#ifndef EU_EXECUTE_H
#define EU_EXECUTE_H

#include "eu/thread.h"

__extension__ typedef __int128 eu_wide;
__extension__ typedef unsigned __int128 eu_unsigned_wide;

enum {
    EU_CHUNK_BYTES = 1024,
    EU_SLOTS = EU_CHUNK_BYTES / EU_COMPACT_BYTES,
    EU_CHUNKS = 512,
    EU_SMALL_FILE = EU_REGISTERS * EU_REGISTER_BYTES,
    EU_FILE_BYTES = EU_LARGE_REGISTERS * EU_REGISTER_BYTES,
};

/* cr0 */
enum {
    CR0_ALTERNATIVE = 1 << 0, /* floats as Direct3D 9 has them */
    CR0_NO_ACCUMULATOR = 1 << 1,
    CR0_ONE_FLOW = 1 << 2,
    CR0_ROUNDING_SHIFT = 4,
    CR0_DF_DENORMALS = 1 << 6,
    CR0_F_DENORMALS = 1 << 7,
    CR0_HF_DENORMALS = 1 << 10,
    CR0_SUPPRESS = 1 << 15,
    CR1_ILLEGAL_ENABLE = 1 << 12,
    CR1_SOFTWARE_ENABLE = 1 << 13,
    CR1_BREAKPOINT_ENABLE = 1 << 15,
    CR1_ILLEGAL = 1 << 28,
    CR1_SOFTWARE = 1 << 29,
};
#define CR0_MASTER     (UINT32_C(1) << 31)
#define CR1_BREAKPOINT (UINT32_C(1) << 31)

enum eu_rounding { ROUND_NEAREST, ROUND_UP, ROUND_DOWN, ROUND_TO_ZERO };

/* A channel's value on its way: what type it is, the operation knows. */
union eu_value {
    eu_wide i;
    double f;
};

struct eu_run;
struct eu_op;
/* What runs next; NULL: what lies at the thread's ip, if the run goes on. */
typedef struct eu_op *eu_handler(struct eu_run *r, struct eu_op *op);
/* The same on the way: `left` is the budget, this instruction in it. Steps go on with each other by jumps;
 * what comes back is where the run's loop goes on, and r->left what is left then. */
typedef struct eu_op *eu_step(struct eu_run *r, struct eu_op *op, uint64_t left);

#if defined(__clang__)
#define EU_JUMP __attribute__((musttail)) return
#elif defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EU_JUMP return
#endif
/* Another step of the same instruction. */
#if defined(EU_JUMP)
#define EU_STEP(step, r, op, left) EU_JUMP(step)(r, op, left)
#else
#define EU_STEP(step, r, op, left) return (step)(r, op, left)
#endif
#if defined(EU_JUMP)
#define EU_GO_ON(r, op, budget)                                                                              \
    do {                                                                                                     \
        struct eu_op *const next_op = (op);                                                                  \
        const uint64_t next_left = (budget);                                                                 \
        if (__builtin_expect(!next_left, 0)) {                                                               \
            (r)->left = 0;                                                                                   \
            return next_op;                                                                                  \
        }                                                                                                    \
        EU_JUMP next_op->run(r, next_op, next_left);                                                         \
    } while (0)
#else /* a call each would fill the stack */
#define EU_GO_ON(r, op, budget)                                                                              \
    do {                                                                                                     \
        (r)->left = (budget);                                                                                \
        return op;                                                                                           \
    } while (0)
#endif

/* Where an operand lies. */
enum eu_way {
    WAY_REGISTERS, /* general ones: `at` counts their bytes */
    WAY_INDIRECT,  /* the same by a0 */
    WAY_IMMEDIATE,
    WAY_ACCUMULATOR,
    WAY_ARCHITECTURE, /* other registers of the architecture: `at` counts the file's bytes */
    WAY_NULL
};

struct eu_place {
    uint8_t way, type, bytes;            /* of an element */
    uint8_t vertical, width, horizontal; /* elements; width is never 0 */
    bool negate, absolute, multi;
    uint8_t swizzle; /* of Align16: where each channel of four takes its element, two bits each */
    bool swizzled, is_signed;
    uint8_t lay; /* fast handlers': how its elements lie */
    uint8_t file, address;
    uint16_t at;
    int16_t offset;
    uint64_t immediate;
};

/* Elements from one channel's to the next, 0: one for all. EU_NO_STEPS: they do not lie so. */
enum { EU_NO_STEPS = 255 };
static inline unsigned eu_steps_of(const struct eu_place *p, unsigned channels)
{
    if (p->swizzled)
        return p->swizzle == 0xe4 && p->vertical ? 1 : EU_NO_STEPS;
    if (p->width == 1)
        return p->vertical;
    if (p->width >= channels)
        return p->horizontal;
    return p->vertical == p->width * p->horizontal ? p->horizontal : EU_NO_STEPS;
}

/* Of Align16: of four channels all are as x is; then y, z, w. */
enum { EU_PREDICATE_X = 16 };

enum { WRAP_MERGE = 1, WRAP_STRADDLES = 2, WRAP_BREAKPOINT = 4, WRAP_COUNTS = 8 };

struct eu_op {
    eu_step *run, *real; /* they differ if something comes before it */
    eu_step *plain;      /* its own; `real` may do instructions behind it, too (translate.c) */
    eu_handler *apart;   /* what eu_do_apart does */
    uint32_t window;     /* the thread's channels that it is about */
    uint8_t step;        /* slots */
    uint8_t channels, first;
    uint8_t predicate, flag;
    bool invert, no_mask, saturate, acc_write;
    uint8_t condition;
    /* Fast handlers': bytes in the registers, or of the immediate below, how many. */
    uint16_t to, from[3];
    uint8_t negates, absolutes, fixed_bits; /* bits by source */
    uint32_t always, flip;                  /* channels that are on whatever is active; flags to turn */
    bool is_wide;                           /* some value has 64 bits, or is none of the host's floats */
    uint32_t fixed[3], signs[3];
    uint8_t wrap, cost;    /* enum of what comes before it; what it takes of the budget besides itself */
    uint8_t kind;          /* by enum eu_work, then enum eu_shape */
    uint8_t rule, scalars; /* of a plain step: enum fast_rule, and which sources are one element for all */
    uint8_t covers;        /* slots that its translation is of; 0: it has none */
    bool covered;          /* a translation of one before it goes through it */
    bool returned_to;      /* a branch leads back to it */
    uint16_t entered;      /* times it ran as the first of what may be translated */

    uint8_t does, function; /* enum eu_does; of math, sync, bfn */
    uint8_t sources;
    uint8_t type; /* that it computes in */
    bool has_destination, branch_control, unless, label, macro, loop_here;
    uint8_t written; /* Align16: channels of four */
    int32_t jip, uip;
    uint8_t jump_bytes;                                         /* what an offset in a register counts */
    uint8_t loop_there, loop_step, loop_bytes[EU_NATIVE_BYTES]; /* of a break: its while, as it was found */
    struct eu_place dst, src[3];
    const char *illegal;
    /* Of messages. */
    uint32_t descriptor, extended;
    uint8_t shared, extended_at;
    int8_t second_length; /* -1: in the extended descriptor */
    bool descriptor_in_register, extended_in_register, end_of_thread, early, two_payloads, bindless;
    uint8_t depth, repeat; /* of blocks */
};

struct eu_chunk {
    uint64_t base;
    const struct eu_set *set; /* NULL: empty */
    uint64_t epoch, tail_epoch;
    uint16_t from, to; /* bytes that are there */
    bool counts;       /* for who counts by kinds */
    uint8_t bytes[EU_CHUNK_BYTES], tail[EU_COMPACT_BYTES];
    struct eu_op ops[EU_SLOTS + 2]; /* the last two lead out of it */
};

/* What a level of the host's vectors has for an instruction, to op->real or op->apart; false: nothing. */
typedef bool eu_fast(struct eu_op *op);
eu_fast eu_fast_v2, eu_fast_v3, eu_fast_v4;
enum eu_level { EU_LEVEL_NONE, EU_LEVEL_V2, EU_LEVEL_V3, EU_LEVEL_V4, EU_LEVELS };
extern eu_fast *const eu_levels[EU_LEVELS];

struct eu_code;
struct eu_cache {
    eu_fast *fast;
    struct eu_code *code; /* NULL: nothing is translated */
    eu_step *apart;       /* eu_do_apart, as it is for the host */
    uint64_t epoch;
    struct eu_chunk *chunks[EU_CHUNKS]; /* each made when first used; if it cannot be: */
    struct eu_chunk own;
};

/* For tests: with the handlers of one level; NULL as well if the host does not have them. Nothing is
 * translated. */
struct eu_cache *eu_cache_create_at(enum eu_level level);
/* The best one that the host has. */
enum eu_level eu_host_level(void);

/* Each run of instructions is translated when it has run so often; false: the host has none of it. */
enum { EU_TRANSLATE_AFTER = 64 };
bool eu_cache_translate(struct eu_cache *cache, const struct softgt_code_port *memory, unsigned after);

enum { HOST_ROUNDS = 1, THREAD_ROUNDS = 2 };

struct eu_run {
    struct eu_thread *t;
    const struct eu_port *port;
    struct eu_cache *cache;
    struct eu_chunk *chunk;
    uint64_t left, given; /* of the budget; of it when what has run was last counted */
    bool stopped;
    uint8_t
        rounding; /* whose floats the host computes now: HOST_ROUNDS, THREAD_ROUNDS, both if they are one */
    uint32_t host_mode, thread_mode;
    /* Channels that wait, by where: what `resume` has of them. */
    unsigned waiting;
    struct {
        uint64_t ip;
        uint32_t channels;
    } waits[EU_MOST_CHANNELS];
};

/* ---- cache.c ---- */

/* The instruction at the thread's ip. NULL: the run has stopped. */
struct eu_op *eu_find(struct eu_run *r);
/* Channels wait at `ip`. */
void eu_wait_at(struct eu_run *r, uint32_t channels, uint64_t ip);
/* Which do. */
uint32_t eu_waiting_at(const struct eu_run *r, uint64_t ip);
/* From a handler: to another chunk. */
void eu_leave(struct eu_run *r);

static inline uint64_t eu_ip(const struct eu_run *r, const struct eu_op *op)
{
    return (r->chunk->base + (uint64_t)(op - r->chunk->ops) * EU_COMPACT_BYTES) & UINT32_MAX;
}

/* From a handler: to `ip`. */
static inline struct eu_op *eu_jump(struct eu_run *r, uint64_t ip)
{
    const uint64_t offset = (ip & UINT32_MAX) - r->chunk->base;
    r->t->ip = ip & UINT32_MAX & ~(uint64_t)(EU_COMPACT_BYTES - 1);
    if (offset >= r->chunk->from && offset < r->chunk->to)
        return &r->chunk->ops[offset / EU_COMPACT_BYTES];
    if (offset >= EU_CHUNK_BYTES)
        eu_leave(r);
    return NULL;
}

/* The one behind it. A branch of the host's, which it foresees: what it would load it would wait for. */
static inline struct eu_op *eu_next(struct eu_op *op)
{
    if (__builtin_expect(op->step == 1, 0)) {
        __asm__ volatile("");
        return op + 1;
    }
    return op + 2;
}

/* Steps for what has none of its own: op->apart. */
eu_step eu_do_apart;
/* A handler that gives what it does not do in the thread's mode to the exact way. */
struct eu_op *eu_do_slowly(struct eu_run *r, struct eu_op *op);

/* ---- translate.c ---- */

/* NULL: the host's code is not known, or there is no memory. */
struct eu_code *eu_code_create(const struct softgt_code_port *memory, unsigned after);
void eu_code_destroy(struct eu_code *code);
/* Where an instruction that was just decoded may begin what is translated, it counts how often it runs. */
void eu_code_begin(struct eu_chunk *c, struct eu_op *op, bool apart);
/* Something is to come before the instruction: translations that go through it are no more. */
void eu_code_uncover(struct eu_chunk *c, struct eu_op *op);

/* ---- decode.c ---- */

void eu_prepare(const struct eu_set *set, const struct eu_instruction *i, struct eu_op *op);
eu_handler *eu_handler_of(const struct eu_op *op);

/* ---- thread.c ---- */

/* So many instructions have run, in a clock each: our choice. */
static inline void eu_count(struct eu_thread *t, uint64_t instructions)
{
    t->instructions += instructions;
    t->timestamp += instructions;
}

struct eu_op *eu_stop_at(struct eu_run *r, uint64_t ip, enum eu_stop stop, const char *why);
/* It has to wait, and has not run. */
struct eu_op *eu_not_yet(struct eu_run *r, const struct eu_op *op);
/* An illegal instruction. */
struct eu_op *eu_raise(struct eu_run *r, const struct eu_op *op, const char *why);
/* Behind a write of cr0: it may have changed where the thread goes on, and how floats are rounded. */
struct eu_op *eu_control_written(struct eu_run *r, struct eu_op *op, uint32_t master_before);
void eu_round_as(struct eu_run *r, unsigned whose);
static inline void eu_round_as_host(struct eu_run *r)
{
    if (!(r->rounding & HOST_ROUNDS))
        eu_round_as(r, HOST_ROUNDS);
}

/* Channels of the thread that the predicate lets through. */
uint32_t eu_predicate_of(const struct eu_thread *t, const struct eu_op *op);
static inline uint32_t eu_flag(const struct eu_thread *t, unsigned flag)
{
    const uint32_t bits = t->flags[flag & 2u] | (uint32_t)t->flags[(flag & 2u) + 1u] << 16;
    return flag & 1u ? bits >> 16 | bits << 16 : bits;
}
static inline uint32_t eu_predicate(const struct eu_thread *t, const struct eu_op *op)
{
    if (op->predicate != 1) /* the plain one */
        return eu_predicate_of(t, op);
    return op->invert ? ~eu_flag(t, op->flag) : eu_flag(t, op->flag);
}
/* Channels of the thread that the instruction is about and that are on. */
static inline uint32_t eu_enabled(const struct eu_thread *t, const struct eu_op *op)
{
    uint32_t on = (t->active | op->always) & op->window;
    if (op->predicate)
        on &= eu_predicate(t, op);
    return on;
}

/* ---- region.c ---- */

/* The elements of a source of the instruction, which stands in its chunk, as bits, its modifier left out: for
 * operations that read otherwise. */
void eu_load_bits(const struct eu_run *r, const struct eu_op *op, const struct eu_place *s, unsigned channels,
                  uint64_t *bits);
/* A source as the type that the operation computes in: floats or integers. */
void eu_load(const struct eu_run *r, const struct eu_op *op, unsigned which, union eu_value *v);
/* Bits as they are to the channels `on`. */
void eu_store_bits(struct eu_run *r, const struct eu_op *op, uint32_t on, const uint64_t *bits);
/* Its channel where the element at a byte lies, from acc0 on; NULL: there is none. */
uint64_t *eu_accumulator(struct eu_thread *t, unsigned at, unsigned size_bytes);

/* ---- number.c ---- */

bool eu_is_float(unsigned type);
bool eu_is_signed(unsigned type);
/* x + error, where error is less than half of x's last place, as a number of the type. */
double eu_round(double x, double error, unsigned type, enum eu_rounding how, bool flush);
double eu_to_double(uint64_t bits, unsigned type);
uint64_t eu_from_double(double x, unsigned type); /* one that the type has */
double eu_from_wide(eu_wide x, unsigned type, enum eu_rounding how);
eu_wide eu_to_wide(double x, unsigned type); /* rounded to zero, within the type */
eu_wide eu_clamp(eu_wide x, unsigned type);
eu_wide eu_extend(uint64_t bits, unsigned type);
/* Whether denormals of the type become zeros. */
bool eu_flushes(const struct eu_thread *t, unsigned type);
enum eu_rounding eu_rounding(const struct eu_thread *t);
bool eu_is_denormal(double x, unsigned type);

/* ---- Handlers ---- */

eu_handler eu_do_values, eu_do_illegal, eu_do_nop; /* values.c */
eu_handler eu_do_blocks;                           /* blocks.c */
eu_handler eu_do_move_address;
eu_handler eu_do_send, eu_do_wait;
eu_handler eu_do_branch;
/* Of a branch to labels; NULL: it has none. */
eu_step *eu_branch_of(const struct eu_op *op);

/* math.c */
double eu_math_real(unsigned function, double a, double b, double *error);

#endif
