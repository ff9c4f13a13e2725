/*
 * Decoded instructions, and the functions that run them.
 *
 * An instruction is decoded once into an eu_decoded. Its handler runs it and returns the next one. The cache
 * keeps decoded instructions in chunks of 1 KB of kernel address. A chunk is valid while the kernel has the
 * bytes that it was decoded from. This is checked once an epoch; a run or a message that may have written
 * begins a new one.
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
    EU_FILE_BYTES = EU_GRF_ROWS * EU_REGISTER_BYTES,
};

/* Rounding modes, by their codes in cr0. */
enum eu_thread_rounding { ROUND_NEAREST, ROUND_UP, ROUND_DOWN, ROUND_TO_ZERO };

/* A channel's value during an operation. The operation's type says which member is valid. */
union eu_value {
    eu_wide i;
    double f;
};

struct eu_run;
struct eu_decoded;
/* Runs one instruction and returns the next; NULL: find the one at the thread's ip, unless the run has
 * stopped. */
typedef struct eu_decoded *eu_handler(struct eu_run *r, struct eu_decoded *op);
/* Runs one instruction and continues with the next by a tail call. `left` is the budget, including this
 * instruction. It returns to the run's loop with the next instruction; r->budget is then what is left. */
typedef struct eu_decoded *eu_threaded_handler(struct eu_run *r, struct eu_decoded *op, uint64_t left);

#if defined(__clang__)
#define EU_MUST_TAIL __attribute__((musttail)) return
#elif defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EU_MUST_TAIL return
#endif
/* Another handler for the same instruction. */
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
#else /* without tail calls, the loop calls each handler */
#define EU_DISPATCH(r, op, left)                                                                             \
    do {                                                                                                     \
        (r)->budget = (left);                                                                                \
        return op;                                                                                           \
    } while (0)
#endif

/* Kinds of operands. */
enum eu_operand_file {
    OPERAND_GRF,          /* registers; first_byte is the offset in the GRF */
    OPERAND_GRF_INDIRECT, /* indirect, by an address in a0 */
    OPERAND_IMMEDIATE,
    OPERAND_ACCUMULATOR,
    OPERAND_ARF, /* other architecture registers; first_byte is the offset in the file */
    OPERAND_NULL
};

/* A decoded operand: where its elements are. */
struct eu_region {
    uint8_t file, type, element_bytes;
    uint8_t vstride, width, hstride; /* elements; width is never 0 */
    bool negate, absolute, address_per_row;
    uint8_t swizzle; /* Align16: the source channel of each of four channels, two bits each */
    bool is_swizzled, is_signed;
    uint8_t layout; /* enum operand_layout of simd/layout.h */
    uint8_t arf, address_subregister;
    uint16_t first_byte;
    int16_t address_offset;
    uint16_t file_bytes; /* of the GRF, at least */
    uint64_t immediate;
};

/* The distance of channels in elements; 0: one element for all channels; EU_NO_STRIDE: the distance is not
 * constant. */
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

/* Predicates .x, .y, .z and .w of Align16 follow each other from here. All four channels use the same flag.
 */
enum { EU_PREDICATE_X = 16 };

enum { WRAP_MERGE = 1, WRAP_STRADDLES = 2, WRAP_BREAKPOINT = 4, WRAP_COUNT_KINDS = 8 };

/* Operands as vector handlers and the translator use them. Bit or index n is for source n. */
struct eu_simd_operands {
    uint16_t dst_byte, src_byte[3]; /* offsets in the GRF */
    uint8_t negate_bits, absolute_bits;
    uint8_t immediate_bits; /* sources that are immediates */
    uint8_t scalar_bits;    /* sources with one element for all channels */
    uint8_t rule;           /* enum simd_rule */
    bool is_wide;           /* some type has 64 bits, or is a float type that the host lacks */
    uint8_t pitch[2];       /* bytes from a channel's element to the next one's; 0: one for all channels */
    uint32_t flag_flip;     /* flag bits that a comparison inverts */
    uint32_t immediate[3], sign_mask[3];
};

/* The translator's state of an instruction. */
struct eu_jit_state {
    uint8_t slots;            /* slots that the translation covers; 0: not translated */
    bool is_inside;           /* the translation of an earlier instruction covers it */
    bool is_loop_head;        /* a branch leads back to it */
    bool merges;              /* the translation around it makes channels active that wait at it */
    uint16_t execution_count; /* executions as the possible start of a translation */
};

/* Operands of a branch. */
struct eu_branch {
    int32_t jip, uip;
    bool control, inverts; /* Branch Control; `inverts`: channels whose predicate is false branch */
    bool has_label;        /* the target is an immediate */
    bool gen6_encoding;
    uint8_t unit_bytes; /* unit of an offset that is in a register */
    /* break: the bytes of its while instruction when it was last decoded. */
    bool while_in_chunk;
    uint8_t while_found_bytes, while_size_bytes, while_bytes[EU_NATIVE_BYTES];
};

/* Operands of a send. */
struct eu_message_operands {
    uint32_t descriptor, ex_descriptor;
    uint8_t sfid, ex_descriptor_subregister;
    int8_t src1_length; /* registers; -1: the length is in the extended descriptor */
    bool descriptor_in_register, ex_descriptor_in_register;
    bool end_of_thread, gen6_encoding, has_src1_payload, ex_bso;
    uint8_t register_rows;
    int32_t address_offset;
    struct eu_message_plan plan;
};

/* Steps and costs of an instruction besides its operation. */
struct eu_beside {
    uint8_t wrap;             /* WRAP_ bits: what runs before the instruction */
    uint8_t extra_cost;       /* budget it uses in addition to one instruction */
    uint8_t instruction_kind; /* EU_PIPE_ * EU_SHAPES + EU_SHAPE_ */
};

/* Operands of dpas. */
struct eu_dpas {
    uint8_t systolic_depth, repeat_count; /* codes of the fields */
};

/* A decoded instruction. The members that every handler reads come first. */
struct eu_decoded {
    eu_threaded_handler *handler;
    eu_threaded_handler *handler_unwrapped;    /* handler without the steps of `wrap` */
    eu_threaded_handler *handler_untranslated; /* handler that runs this instruction only */
    eu_handler *slow_path;                     /* handler that eu_run_slow_path calls */
    uint32_t channel_mask;                     /* the thread's channels that the instruction covers */
    uint32_t unmasked;                         /* all ones for NoMask, else 0 */
    uint8_t slots;                             /* size in units of 8 bytes */
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
    uint8_t execution_type; /* a float type; TYPE_NONE: integers */
    bool is_macro;
    uint8_t dst_channel_enable; /* Align16: four bits */
    struct eu_branch branch;
    struct eu_region dst, src[3];
    struct eu_message_operands message;
    const char *illegal_reason;
    struct eu_dpas dpas;
};

/* A chunk of the cache: 1 KB of a kernel. */
struct eu_chunk {
    uint64_t base;
    const struct eu_isa *isa; /* NULL: empty */
    uint64_t epoch, tail_epoch;
    uint16_t first_byte, end_byte; /* range of valid bytes */
    bool counts_kinds;             /* decoded for a port with kind_counts */
    struct eu_dirty writes;        /* what its decoded instructions may write */
    uint8_t bytes[EU_CHUNK_BYTES], tail[EU_COMPACT_BYTES];
    struct eu_decoded ops[EU_SLOTS + 2]; /* the last two change to the next chunk */
};

/* Sets op->handler_unwrapped or op->slow_path of an instruction. False: there is no vector handler. */
typedef bool eu_simd_selector(struct eu_decoded *op);

/*
 * What simd and jit give the interpreter when a cache is created. The interpreter calls these functions when
 * it decodes an instruction, not when it runs one.
 */
struct eu_backend {
    eu_simd_selector *select_simd;            /* for the level of this host; NULL: none */
    eu_simd_selector *select_any_level;       /* for the lowest level: so costs are the same on all hosts */
    eu_threaded_handler *run_slow_path;       /* eu_run_slow_path, or a wrapper for this host */
    eu_threaded_handler *run_planned_message; /* eu_run_planned_message, likewise */
};

struct eu_jit;
/* The functions of the translator. */
struct eu_translator {
    /* A decoded instruction may start a translation: begin to count its executions. */
    void (*consider)(struct eu_chunk *c, struct eu_decoded *op, bool has_slow_path);
    /* Drops the translations that cover the instruction, because a step must run before it. */
    void (*drop_around)(struct eu_chunk *c, struct eu_decoded *op);
    void (*destroy)(struct eu_jit *jit);
};

enum { EU_CACHED_MODES = 4 }; /* threads begin with one and change it */

/* Decoded kernels, direct mapped by address. */
struct eu_cache {
    struct eu_backend backend;
    const struct eu_translator *translator; /* NULL: no translator */
    struct eu_jit *jit;
    uint64_t epoch;
    struct { /* the MXCSR of threads with this cr0, on a host with that */
        const struct eu_isa *isa;
        uint32_t cr0, host, thread;
    } modes[EU_CACHED_MODES];
    struct eu_chunk *chunks[EU_CHUNKS]; /* allocated at first use; index: ip / 1 KB % EU_CHUNKS */
    struct eu_chunk own;                /* used if a chunk cannot be allocated */
};

/* Creates a cache; NULL: out of memory. eu_cache_create of jit/jit.h picks the best backend for the host. */
struct eu_cache *eu_cache_create_with(const struct eu_backend *backend);

enum { ROUNDING_HOST = 1, ROUNDING_THREAD = 2 };

/* A call of eu_thread_run. */
struct eu_run {
    struct eu_thread *t;
    const struct eu_port *port;
    struct eu_cache *cache;
    struct eu_chunk *chunk;
    uint64_t budget, budget_counted; /* the budget, and its value when instructions were last counted */
    bool stopped;
    uint8_t rounding; /* modes that the host's MXCSR is good for: ROUNDING_HOST, ROUNDING_THREAD or both */
    uint32_t host_mxcsr, thread_mxcsr;
    /* Inactive channels that wait, by ip. */
    unsigned wait_count;
    struct {
        uint64_t ip;
        uint32_t channels;
    } waits[EU_MAX_CHANNELS];
};

/* Runs of threads that begin at the same instruction, one after the other, while no kernel changes. */
struct eu_repeat {
    struct eu_run run;
    struct eu_chunk *chunk; /* of the first instruction, its address and the thread's ip */
    uint64_t base, ip;
    struct eu_decoded *first; /* NULL: no thread has run */
    /* The modes of threads with this cr0. */
    uint32_t cr0, thread_mxcsr;
    uint8_t rounding;
};
/* Begins runs of what is then in `t`, which each time has been started before. (thread.c) */
void eu_repeat_begin(struct eu_repeat *p, struct eu_thread *t, const struct eu_port *port);
enum eu_stop eu_repeat_run(struct eu_repeat *p, uint64_t *budget);

/* ---- cache.c ---- */

/* Finds or decodes the instruction at the thread's ip. NULL: the run has stopped. */
struct eu_decoded *eu_find_decoded(struct eu_run *r);
/* Notes in the thread what its current chunk may have written. */
static inline void eu_note_writes(struct eu_run *r)
{
    if (!r->chunk)
        return;
    for (unsigned n = 0; n < EU_GRF_ROWS / 64u; n++)
        r->t->dirty.registers[n] |= r->chunk->writes.registers[n];
    r->t->dirty.rare |= r->chunk->writes.rare;
}
/* Makes channels wait at `ip`. */
void eu_park_channels(struct eu_run *r, uint32_t channels, uint64_t ip);
/* Makes the channels that wait at the instruction active. */
void eu_merge_channels(struct eu_run *r, const struct eu_decoded *op);
/* The channels that wait at `ip`. */
uint32_t eu_channels_parked_at(const struct eu_run *r, uint64_t ip);
/* Charges the budget for a change of chunk. */
void eu_change_chunk(struct eu_run *r);

static inline uint64_t eu_ip(const struct eu_run *r, const struct eu_decoded *op)
{
    return (r->chunk->base + (uint64_t)(op - r->chunk->ops) * EU_COMPACT_BYTES) & UINT32_MAX;
}

/* Jumps to `ip`; a handler returns the result. */
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

/* The next instruction in the kernel. The empty asm keeps this a branch, which the host predicts: a computed
 * address would wait for the load of `slots`. */
static inline struct eu_decoded *eu_next_decoded(struct eu_decoded *op)
{
    if (__builtin_expect(op->slots == 1, 0)) {
        __asm__ volatile("");
        return op + 1;
    }
    return op + 2;
}

/* The handler for instructions without a threaded one: calls op->slow_path. */
eu_threaded_handler eu_run_slow_path;
/* Runs the instruction's planned message or slow path, for a translation. Returns the budget that is left,
 * with the thread's rounding mode set. 0: the translation ends, and the run resumes at the thread's ip. */
uint64_t eu_call_slow_path(struct eu_run *r, struct eu_decoded *op, uint64_t left);
/* The exact handler, for a vector handler that does not support the thread's mode. */
struct eu_decoded *eu_run_exact(struct eu_run *r, struct eu_decoded *op);

/* ---- decode.c ---- */

void eu_decode_instruction(const struct eu_isa *set, const struct eu_instruction *i, struct eu_decoded *op);
/* Adds what the instruction may write, besides channels that wait. */
void eu_add_writes(const struct eu_isa *set, const struct eu_decoded *op, struct eu_dirty *writes);
eu_handler *eu_slow_path_of(const struct eu_decoded *op);

/* ---- thread.c ---- */

/* Counts instructions. Each takes one clock of tm0, which is our choice. */
static inline void eu_count_instructions(struct eu_thread *t, uint64_t instructions)
{
    t->instruction_count += instructions;
    t->tm0 += instructions;
}

struct eu_decoded *eu_stop_at(struct eu_run *r, uint64_t ip, enum eu_stop stop, const char *why);
/* Stops with EU_WAITS before the instruction, which is not counted as run. */
struct eu_decoded *eu_block_thread(struct eu_run *r, const struct eu_decoded *op);
/* Raises the illegal opcode exception. */
struct eu_decoded *eu_raise(struct eu_run *r, const struct eu_decoded *op, const char *why);
/* Handles a write of cr0: it may change the rounding mode, or enter or leave the system routine. */
struct eu_decoded *eu_cr0_written(struct eu_run *r, struct eu_decoded *op, uint32_t master_before);
void eu_set_rounding(struct eu_run *r, unsigned whose);
static inline void eu_set_host_rounding(struct eu_run *r)
{
    if (!(r->rounding & ROUNDING_HOST))
        eu_set_rounding(r, ROUNDING_HOST);
}

/* The mask of the thread's channels whose predicate is true. */
uint32_t eu_predicate_mask_any(const struct eu_thread *t, const struct eu_decoded *op);
static inline uint32_t eu_flag(const struct eu_thread *t, unsigned flag)
{
    const uint32_t bits = t->flag[flag & 6u] | (uint32_t)t->flag[(flag & 6u) + 1u] << 16;
    return flag & 1u ? bits >> 16 | bits << 16 : bits;
}
static inline uint32_t eu_predicate_mask(const struct eu_thread *t, const struct eu_decoded *op)
{
    if (op->predicate != 1) /* the channel's own flag */
        return eu_predicate_mask_any(t, op);
    return op->predicate_invert ? ~eu_flag(t, op->flag) : eu_flag(t, op->flag);
}
/* The thread's channels in which the instruction runs: active, or NoMask, and predicated. */
static inline uint32_t eu_enabled_channels(const struct eu_thread *t, const struct eu_decoded *op)
{
    uint32_t on = (t->execution_mask | op->unmasked) & op->channel_mask;
    if (op->predicate)
        on &= eu_predicate_mask(t, op);
    return on;
}

/* ---- region.c ---- */

/* Loads the elements of a source as bits, without its modifier. The instruction must be in its chunk. */
void eu_load_region(const struct eu_run *r, const struct eu_decoded *op, const struct eu_region *s,
                    unsigned channels, uint64_t *bits);
/* Loads a source with its modifier, converted to the operation's type: float or integer. */
void eu_load_source(const struct eu_run *r, const struct eu_decoded *op, unsigned which, union eu_value *v);
/* Stores bits to the destination in the channels `on`. */
void eu_store_destination(struct eu_run *r, const struct eu_decoded *op, uint32_t on, const uint64_t *bits);
/* The accumulator's channel for the element at a byte, counted from acc0; NULL: there is none. */
uint64_t *eu_accumulator(struct eu_thread *t, unsigned at, unsigned size_bytes);

/* ---- number.c ---- */

bool eu_is_float(unsigned type);
bool eu_is_signed(unsigned type);
/* Rounds x + error to the type. The magnitude of `error` is less than half an ulp of x. */
double eu_round_to_type(double x, double error, unsigned type, enum eu_thread_rounding how, bool flush);
double eu_to_double(uint64_t bits, unsigned type);
uint64_t eu_from_double(double x, unsigned type); /* x must be a value of the type */
double eu_from_wide(eu_wide x, unsigned type, enum eu_thread_rounding how);
eu_wide eu_to_wide(double x, unsigned type); /* truncated and clamped to the type */
eu_wide eu_clamp(eu_wide x, unsigned type);
eu_wide eu_extend(uint64_t bits, unsigned type);
/* The float that a byte of a VF immediate is: sign, 3 bits of exponent, 4 bits of fraction. */
static inline uint32_t eu_packed_float(uint32_t byte)
{
    const uint32_t rest = byte & 0x7fu;
    return (byte & 0x80u) << 24 | (rest ? ((rest >> 4) + 124u) << 23 | (rest & 15u) << 19 : 0);
}
/* Whether the thread flushes denormals of the type to zero. */
bool eu_flushes_denormals(const struct eu_thread *t, unsigned type);
enum eu_thread_rounding eu_thread_rounding(const struct eu_thread *t);
bool eu_is_denormal(double x, unsigned type);

/* ---- Handlers ---- */

eu_handler eu_exec_generic, eu_exec_illegal, eu_exec_nop; /* exec_generic.c, flow.c */
eu_handler eu_exec_dpas;                                  /* dpas.c */
eu_handler eu_exec_indirect_move;
eu_handler eu_exec_send, eu_exec_wait;
/* Plans the message of a send, if the port has plans. False: there is none. */
bool eu_plan_message(const struct eu_run *r, struct eu_decoded *op);
eu_threaded_handler eu_run_planned_message;
eu_handler eu_exec_branch;
/* Runs the branch for a translation, with its budget in r->budget afterwards, and makes channels active that
 * wait at the next instruction. */
struct eu_decoded *eu_call_branch(struct eu_run *r, struct eu_decoded *op, uint64_t left);
/* The threaded handler of nop, or of a branch with labels; NULL: there is none. */
eu_threaded_handler *eu_branch_handler_of(const struct eu_decoded *op);

/* math.c */
double eu_math_function(unsigned function, double a, double b, double *error);

#endif
