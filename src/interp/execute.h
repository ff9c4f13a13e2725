/*
 * How instructions run: each is decoded once into an eu_decoded, whose handler runs it and says what comes
 * next. Decoded kernels are kept in chunks by address. A chunk holds the bytes that it was decoded from and
 * is good for as long as the kernel has them: that is asked once an epoch, which a run or a message begins.
 */
#ifndef INTERP_EXECUTE_H
#define INTERP_EXECUTE_H

#include "interp/thread.h"
#include "isa/thread_state.h"

__extension__ typedef __int128 eu_wide;
__extension__ typedef unsigned __int128 eu_unsigned_wide;

enum {
    EU_CHUNK_BYTES = 1024,
    EU_SLOTS = EU_CHUNK_BYTES / EU_COMPACT_BYTES,
    EU_CHUNKS = 512,
    EU_SMALL_FILE = EU_REGISTERS * EU_REGISTER_BYTES,
    EU_FILE_BYTES = EU_LARGE_GRF_REGISTERS * EU_REGISTER_BYTES,
};

enum eu_thread_rounding { ROUND_NEAREST, ROUND_UP, ROUND_DOWN, ROUND_TO_ZERO };

/* A channel's value on its way: what type it is, the operation knows. */
union eu_value {
    eu_wide i;
    double f;
};

struct eu_run;
struct eu_decoded;
/* What runs next; NULL: what lies at the thread's ip, if the run goes on. */
typedef struct eu_decoded *eu_handler(struct eu_run *r, struct eu_decoded *op);
/* The same on the way: `left` is the budget, this instruction in it. Steps go on with each other by jumps;
 * what comes back is where the run's loop goes on, and r->left what is left then. */
typedef struct eu_decoded *eu_threaded_handler(struct eu_run *r, struct eu_decoded *op, uint64_t left);

#if defined(__clang__)
#define EU_MUST_TAIL __attribute__((musttail)) return
#elif defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EU_MUST_TAIL return
#endif
/* Another step of the same instruction. */
#if defined(EU_MUST_TAIL)
#define EU_TAIL_CALL(step, r, op, left) EU_MUST_TAIL(step)(r, op, left)
#else
#define EU_TAIL_CALL(step, r, op, left) return (step)(r, op, left)
#endif
#if defined(EU_MUST_TAIL)
#define EU_DISPATCH(r, op, left)                                                                             \
    do {                                                                                                     \
        struct eu_decoded *const next_op = (op);                                                             \
        const uint64_t next_left = (left);                                                                   \
        if (__builtin_expect(!next_left, 0)) {                                                               \
            (r)->budget = 0;                                                                                 \
            return next_op;                                                                                  \
        }                                                                                                    \
        EU_MUST_TAIL next_op->handler(r, next_op, next_left);                                                \
    } while (0)
#else /* a call each would fill the stack */
#define EU_DISPATCH(r, op, left)                                                                             \
    do {                                                                                                     \
        (r)->budget = (left);                                                                                \
        return op;                                                                                           \
    } while (0)
#endif

/* Where an operand lies. */
enum eu_operand_file {
    OPERAND_GRF,          /* general ones: `at` counts their bytes */
    OPERAND_GRF_INDIRECT, /* the same by a0 */
    OPERAND_IMMEDIATE,
    OPERAND_ACCUMULATOR,
    OPERAND_ARF, /* other registers of the architecture: `at` counts the file's bytes */
    OPERAND_NULL
};

struct eu_region {
    uint8_t file, type, element_bytes; /* of an element */
    uint8_t vstride, width, hstride;   /* elements; width is never 0 */
    bool negate, absolute, address_per_row;
    uint8_t swizzle; /* of Align16: where each channel of four takes its element, two bits each */
    bool is_swizzled, is_signed;
    uint8_t layout; /* fast handlers': how its elements lie */
    uint8_t arf, address_subregister;
    uint16_t first_byte;
    int16_t address_offset;
    uint64_t immediate;
};

/* Elements from one channel's to the next, 0: one for all. EU_NO_STRIDE: they do not lie so. */
enum { EU_NO_STRIDE = 255 };
static inline unsigned eu_region_stride(const struct eu_region *p, unsigned channels)
{
    if (p->is_swizzled)
        return p->swizzle == 0xe4 && p->vstride ? 1 : EU_NO_STRIDE;
    if (p->width == 1)
        return p->vstride;
    if (p->width >= channels)
        return p->hstride;
    return p->vstride == p->width * p->hstride ? p->hstride : EU_NO_STRIDE;
}

/* Of Align16: of four channels all are as x is; then y, z, w. */
enum { EU_PREDICATE_X = 16 };

enum { WRAP_MERGE = 1, WRAP_STRADDLES = 2, WRAP_BREAKPOINT = 4, WRAP_COUNT_KINDS = 8 };

/* Operands as vector handlers and translations take them. Bits and arrays are by source. */
struct eu_simd_operands {
    uint16_t dst_byte, src_byte[3]; /* of the thread's registers */
    uint8_t negate_bits, absolute_bits;
    uint8_t immediate_bits; /* sources that are in `immediate` */
    uint8_t scalar_bits;    /* sources that are one element for all channels */
    uint8_t rule;           /* enum simd_rule */
    bool is_wide;           /* some value has 64 bits, or is no float of the host */
    uint32_t flag_flip;     /* flags that a comparison inverts */
    uint32_t immediate[3], sign_mask[3];
};

/* What the translator knows of an instruction. */
struct eu_jit_state {
    uint8_t slots;            /* that its translation covers; 0: it has none */
    bool is_inside;           /* the translation of an earlier instruction covers it */
    bool is_loop_head;        /* a branch leads back to it */
    uint16_t execution_count; /* as the first instruction of a possible translation */
};

struct eu_branch {
    int32_t jip, uip;
    bool control, inverts; /* branch control; without it, channels whose predicate is false branch */
    bool has_label;        /* the target is not in a register */
    bool gen6_encoding;
    uint8_t unit_bytes; /* what an offset in a register counts */
    /* break: its while instruction, as it was when it was last decoded. */
    bool while_in_chunk;
    uint8_t while_found_bytes, while_size_bytes, while_bytes[EU_NATIVE_BYTES];
};

struct eu_message_operands {
    uint32_t descriptor, ex_descriptor;
    uint8_t sfid, ex_descriptor_subregister;
    int8_t src1_length; /* registers; -1: in the extended descriptor */
    bool descriptor_in_register, ex_descriptor_in_register;
    bool end_of_thread, gen6_encoding, has_src1_payload, ex_bso;
};

/* What happens beside the operation itself. */
struct eu_beside {
    uint8_t wrap;             /* WRAP_ bits: what runs before it */
    uint8_t extra_cost;       /* instructions of the budget besides itself */
    uint8_t instruction_kind; /* by enum eu_pipe_kind, then enum eu_shape */
};

struct eu_dpas {
    uint8_t systolic_depth, repeat_count; /* as the fields' codes */
};

/* A decoded instruction. What every handler reads comes first; branches and messages read their own part. */
struct eu_decoded {
    eu_threaded_handler *handler;
    eu_threaded_handler *handler_unwrapped;    /* without what `wrap` runs before it */
    eu_threaded_handler *handler_untranslated; /* of this instruction alone */
    eu_handler *slow_path;                     /* what eu_run_slow_path calls */
    uint32_t channel_mask;                     /* the thread's channels that the instruction is about */
    uint32_t unmasked;                         /* all ones: channels run whatever is active (NoMask) */
    uint8_t slots;                             /* of 8 bytes */
    uint8_t channels, first_channel;
    uint8_t predicate, flag;
    bool predicate_invert, saturate, acc_write;
    uint8_t condition;
    struct eu_simd_operands simd;
    struct eu_beside beside;
    struct eu_jit_state jit;
    uint8_t opcode;   /* enum eu_opcode */
    uint8_t function; /* of math, sync, bfn */
    uint8_t source_count;
    uint8_t execution_type; /* a float type, or TYPE_NONE: integers */
    bool is_macro;
    uint8_t dst_channel_enable; /* Align16: four bits */
    struct eu_branch branch;
    struct eu_region dst, src[3];
    struct eu_message_operands message;
    const char *illegal_reason;
    struct eu_dpas dpas;
};

struct eu_chunk {
    uint64_t base;
    const struct eu_isa *isa; /* NULL: empty */
    uint64_t epoch, tail_epoch;
    uint16_t first_byte, end_byte; /* bytes that are there */
    bool counts_kinds;             /* for who counts by kinds */
    uint8_t bytes[EU_CHUNK_BYTES], tail[EU_COMPACT_BYTES];
    struct eu_decoded ops[EU_SLOTS + 2]; /* the last two lead out of it */
};

/* Sets the handler of an instruction in op->handler_unwrapped or op->slow_path; false: it has none. */
typedef bool eu_simd_selector(struct eu_decoded *op);

/*
 * What rooms to the right (simd, jit) give the interpreter when a cache is created. The interpreter calls
 * these when it decodes an instruction, never when it runs one.
 */
struct eu_backend {
    eu_simd_selector *select_simd;      /* vector handlers for this host; NULL: none */
    eu_simd_selector *select_any_level; /* those of the lowest level: costs are the same on all hosts */
    eu_threaded_handler *run_slow_path; /* eu_run_slow_path, or what calls it on this host */
};

struct eu_jit;
struct eu_translator {
    /* A decoded instruction may begin a translation: counts from now on how often it runs. */
    void (*consider)(struct eu_chunk *c, struct eu_decoded *op, bool has_slow_path);
    /* Drops the translations that go through the instruction, because something is to run before it. */
    void (*drop_around)(struct eu_chunk *c, struct eu_decoded *op);
    void (*destroy)(struct eu_jit *jit);
};

struct eu_cache {
    struct eu_backend backend;
    const struct eu_translator *translator; /* NULL: nothing is translated */
    struct eu_jit *jit;
    uint64_t epoch;
    struct eu_chunk *chunks[EU_CHUNKS]; /* each made when first used; if it cannot be: */
    struct eu_chunk own;
};

/* NULL: no memory. eu_cache_create of jit/jit.h makes the best one for the host. */
struct eu_cache *eu_cache_create_with(const struct eu_backend *backend);

enum { ROUNDING_HOST = 1, ROUNDING_THREAD = 2 };

struct eu_run {
    struct eu_thread *t;
    const struct eu_port *port;
    struct eu_cache *cache;
    struct eu_chunk *chunk;
    uint64_t budget, budget_counted; /* of the budget; of it when what has run was last counted */
    bool stopped;
    uint8_t rounding; /* whose floats the host computes now: ROUNDING_HOST, ROUNDING_THREAD, both if they are
                         one */
    uint32_t host_mxcsr, thread_mxcsr;
    /* Channels that wait, by where: what `resume` has of them. */
    unsigned wait_count;
    struct {
        uint64_t ip;
        uint32_t channels;
    } waits[EU_MAX_CHANNELS];
};

/* ---- cache.c ---- */

/* The instruction at the thread's ip. NULL: the run has stopped. */
struct eu_decoded *eu_find_decoded(struct eu_run *r);
/* Channels wait at `ip`. */
void eu_park_channels(struct eu_run *r, uint32_t channels, uint64_t ip);
/* Which do. */
uint32_t eu_channels_parked_at(const struct eu_run *r, uint64_t ip);
/* From a handler: to another chunk. */
void eu_change_chunk(struct eu_run *r);

static inline uint64_t eu_ip(const struct eu_run *r, const struct eu_decoded *op)
{
    return (r->chunk->base + (uint64_t)(op - r->chunk->ops) * EU_COMPACT_BYTES) & UINT32_MAX;
}

/* From a handler: to `ip`. */
static inline struct eu_decoded *eu_jump_to(struct eu_run *r, uint64_t ip)
{
    const uint64_t offset = (ip & UINT32_MAX) - r->chunk->base;
    r->t->ip = ip & UINT32_MAX & ~(uint64_t)(EU_COMPACT_BYTES - 1);
    if (offset >= r->chunk->first_byte && offset < r->chunk->end_byte)
        return &r->chunk->ops[offset / EU_COMPACT_BYTES];
    if (offset >= EU_CHUNK_BYTES)
        eu_change_chunk(r);
    return NULL;
}

/* The one behind it. A branch of the host's, which it foresees: what it would load it would wait for. */
static inline struct eu_decoded *eu_next_decoded(struct eu_decoded *op)
{
    if (__builtin_expect(op->slots == 1, 0)) {
        __asm__ volatile("");
        return op + 1;
    }
    return op + 2;
}

/* Steps for what has none of its own: op->apart. */
eu_threaded_handler eu_run_slow_path;
/* A handler that gives what it does not do in the thread's mode to the exact way. */
struct eu_decoded *eu_run_exact(struct eu_run *r, struct eu_decoded *op);

/* ---- decode.c ---- */

void eu_decode_instruction(const struct eu_isa *set, const struct eu_instruction *i, struct eu_decoded *op);
eu_handler *eu_slow_path_of(const struct eu_decoded *op);

/* ---- thread.c ---- */

/* So many instructions have run, in a clock each: our choice. */
static inline void eu_count_instructions(struct eu_thread *t, uint64_t instructions)
{
    t->instruction_count += instructions;
    t->tm0 += instructions;
}

struct eu_decoded *eu_stop_at(struct eu_run *r, uint64_t ip, enum eu_stop stop, const char *why);
/* It has to wait, and has not run. */
struct eu_decoded *eu_block_thread(struct eu_run *r, const struct eu_decoded *op);
/* An illegal instruction. */
struct eu_decoded *eu_raise(struct eu_run *r, const struct eu_decoded *op, const char *why);
/* Behind a write of cr0: it may have changed where the thread goes on, and how floats are rounded. */
struct eu_decoded *eu_cr0_written(struct eu_run *r, struct eu_decoded *op, uint32_t master_before);
void eu_set_rounding(struct eu_run *r, unsigned whose);
static inline void eu_set_host_rounding(struct eu_run *r)
{
    if (!(r->rounding & ROUNDING_HOST))
        eu_set_rounding(r, ROUNDING_HOST);
}

/* Channels of the thread that the predicate lets through. */
uint32_t eu_predicate_mask_any(const struct eu_thread *t, const struct eu_decoded *op);
static inline uint32_t eu_flag(const struct eu_thread *t, unsigned flag)
{
    const uint32_t bits = t->flag[flag & 2u] | (uint32_t)t->flag[(flag & 2u) + 1u] << 16;
    return flag & 1u ? bits >> 16 | bits << 16 : bits;
}
static inline uint32_t eu_predicate_mask(const struct eu_thread *t, const struct eu_decoded *op)
{
    if (op->predicate != 1) /* the plain one */
        return eu_predicate_mask_any(t, op);
    return op->predicate_invert ? ~eu_flag(t, op->flag) : eu_flag(t, op->flag);
}
/* Channels of the thread that the instruction is about and that are on. */
static inline uint32_t eu_enabled_channels(const struct eu_thread *t, const struct eu_decoded *op)
{
    uint32_t on = (t->execution_mask | op->unmasked) & op->channel_mask;
    if (op->predicate)
        on &= eu_predicate_mask(t, op);
    return on;
}

/* ---- region.c ---- */

/* The elements of a source of the instruction, which stands in its chunk, as bits, its modifier left out: for
 * operations that read otherwise. */
void eu_load_region(const struct eu_run *r, const struct eu_decoded *op, const struct eu_region *s,
                    unsigned channels, uint64_t *bits);
/* A source as the type that the operation computes in: floats or integers. */
void eu_load_source(const struct eu_run *r, const struct eu_decoded *op, unsigned which, union eu_value *v);
/* Bits as they are to the channels `on`. */
void eu_store_destination(struct eu_run *r, const struct eu_decoded *op, uint32_t on, const uint64_t *bits);
/* Its channel where the element at a byte lies, from acc0 on; NULL: there is none. */
uint64_t *eu_accumulator(struct eu_thread *t, unsigned at, unsigned size_bytes);

/* ---- number.c ---- */

bool eu_is_float(unsigned type);
bool eu_is_signed(unsigned type);
/* x + error, where error is less than half of x's last place, as a number of the type. */
double eu_round_to_type(double x, double error, unsigned type, enum eu_thread_rounding how, bool flush);
double eu_to_double(uint64_t bits, unsigned type);
uint64_t eu_from_double(double x, unsigned type); /* one that the type has */
double eu_from_wide(eu_wide x, unsigned type, enum eu_thread_rounding how);
eu_wide eu_to_wide(double x, unsigned type); /* rounded to zero, within the type */
eu_wide eu_clamp(eu_wide x, unsigned type);
eu_wide eu_extend(uint64_t bits, unsigned type);
/* Whether denormals of the type become zeros. */
bool eu_flushes_denormals(const struct eu_thread *t, unsigned type);
enum eu_thread_rounding eu_thread_rounding(const struct eu_thread *t);
bool eu_is_denormal(double x, unsigned type);

/* ---- Handlers ---- */

eu_handler eu_exec_generic, eu_exec_illegal, eu_exec_nop; /* values.c */
eu_handler eu_exec_dpas;                                  /* blocks.c */
eu_handler eu_exec_indirect_move;
eu_handler eu_exec_send, eu_exec_wait;
eu_handler eu_exec_branch;
/* Of a branch to labels; NULL: it has none. */
eu_threaded_handler *eu_branch_handler_of(const struct eu_decoded *op);

/* math.c */
double eu_math_function(unsigned function, double a, double b, double *error);

#endif
