/*
 * A thread of an execution unit (EU): its state, and the functions that run it. A thread runs until it ends,
 * waits, faults or has used its budget; the next run resumes at the same instruction. It reaches the outside
 * only through struct eu_port: kernel bytes and messages.
 *
 * Where the manuals are silent, or a kernel is wrong:
 * - Floats: mad and mac round once. dp2 to dph, line, pln and lrp are computed in doubles and round at the
 *   end. Math functions are within 0.51 ulp; inv, fdiv, sqt and the like are exact to the nearest.
 * - NaN: a computed NaN is 7fc00000h, or its like in other types. Moves and selections copy bits.
 * - Math macros: invm and rsqtm give the final quotient or root, and set early out in all channels, so that
 *   the refining steps are skipped. madm is mad.
 * - Divergence: each channel has its own ip. Channels that wait at an instruction join whenever the thread
 *   arrives there.
 * - Registers beyond the GRF read as zeros and ignore writes. A message with a payload or response there is
 *   an illegal instruction. Subregisters may have any alignment.
 * - A message without channels is not sent, unless it has EOT.
 * - dpasw waits until the paired thread has reached as many dpasw instructions.
 * - Illegal instructions: what eu_decode rejects, types that an operation does not have, dpasw of a thread
 *   without a pair. With the exception enabled (cr0.1) and a system routine, the thread jumps there. Else,
 *   inside the routine, or where no instruction can be fetched, it stops with EU_EXCEPTION.
 * - sr0.2 and sr0.3 are the channels the thread was started with; ce0 is the active ones.
 */
#ifndef INTERP_THREAD_H
#define INTERP_THREAD_H

#include <softgt/softgt.h>

#include <string.h>

#include "base/state.h"
#include "isa/isa.h"

enum {
    EU_REGISTER_BYTES = 32, /* of a register of the thread state; those of Gen20 have two: eu_register_rows */
    EU_REGISTERS = 128,
    EU_GRF_ROWS = 512, /* the most of 32 bytes: 256 of Gen20, with the large GRF mode */
    EU_MAX_CHANNELS = 32,
    EU_ACCUMULATORS = 32, /* Gen20: 16 of twice the size; Gen9: 10, the last eight are for math macros */
    EU_FLAGS = 8,         /* of 16 bits each: f0.0 to f3.1 */
    EU_ADDRESSES = 16,    /* words of a0 */
    EU_DPASW_SHARED_DW =
        4 * EU_REGISTER_BYTES / 4 /* the most that one of two threads has of dpasw's operand */
};

/* Why eu_thread_run returned. */
enum eu_stop {
    EU_BUDGET,   /* the budget is used up: the next run resumes */
    EU_WAITS,    /* for a notification (barrier, event): see eu_thread_notify; or for the paired thread: see
                    eu_thread_dpasw_ready */
    EU_ENDED,    /* the message with EOT is sent */
    EU_EXCEPTION /* an illegal instruction, or memory that is not mapped: `why` says which */
};

/* The registers of the thread state that one register of the instruction set has. */
static inline unsigned eu_register_rows(const struct eu_isa *set)
{
    return set->register_bytes / (unsigned)EU_REGISTER_BYTES;
}

/* The registers of the thread state that a thread has: for message registers twice as many, too. */
static inline uint16_t eu_grf_rows(const struct eu_isa *set, bool is_large)
{
    return (uint16_t)(EU_REGISTERS * eu_register_rows(set) << (is_large || set->mrf_count));
}

/* A message that a thread sends. Payloads and response point into the thread's registers of 32 bytes, and
 * lengths count those. The receiver reads the whole payload before it writes the response. */
struct eu_send {
    uint8_t sfid;                       /* enum eu_sfid */
    uint32_t descriptor, ex_descriptor; /* complete, also if they came from a0 */
    bool end_of_thread;
    bool ex_bso;            /* ExBSO: the whole extended descriptor is a surface offset */
    int32_t address_offset; /* Gen20: bytes that are added to all addresses */
    uint8_t execution_size; /* 1 to 32 */
    uint8_t register_rows;  /* eu_register_rows: parts of a payload begin with whole registers of the set */
    uint32_t channels;      /* enabled channels; bit 0 is the instruction's first channel */
    uint8_t first_channel;  /* the thread's channel that bit 0 is */
    const uint8_t *payload[2]; /* NULL: the null register, which reads as zeros */
    uint8_t payload_registers[2];
    uint8_t *response; /* NULL: none, or the null register */
    uint8_t response_registers;
};

/* What became of a message. */
enum eu_answer {
    EU_SENT,         /* done: the response is written */
    EU_SEND_BLOCKED, /* not done, or partly: the thread sends the same message again when it resumes */
    EU_SEND_FAULT    /* cannot be done: the thread stops with an exception */
};

/* The pipe that runs an instruction, and the type it computes in; for performance counters. */
enum eu_pipe_kind {
    EU_PIPE_NONE, /* no pipe */
    EU_PIPE_FLOAT_16,
    EU_PIPE_FLOAT_32,
    EU_PIPE_FLOAT_64,
    EU_PIPE_INTEGER_16, /* and bytes */
    EU_PIPE_INTEGER_32,
    EU_PIPE_INTEGER_64,
    EU_PIPE_MATH,
    EU_PIPE_FLOW, /* branches and calls */
    EU_PIPE_DPAS_HF,
    EU_PIPE_DPAS_BF,
    EU_PIPE_DPAS_INTEGER,
    EU_PIPE_KINDS
};

/* The shape of an instruction; for performance counters. */
enum eu_shape { EU_SHAPE_OTHER, EU_SHAPE_MOVE, EU_SHAPE_TWO_SOURCES, EU_SHAPE_THREE_SOURCES, EU_SHAPES };

/* An instruction kind is pipe * EU_SHAPES + shape. */
enum { EU_INSTRUCTION_KINDS = EU_PIPE_KINDS * EU_SHAPES };

struct eu_thread;

/*
 * The cache of decoded kernels, with the handlers for this host. It is not saved state. Its entries are
 * compared with the kernel's bytes at each run and after each message that may have written to a kernel.
 * Create it with eu_cache_create of jit/jit.h.
 */
struct eu_cache;
void eu_cache_destroy(struct eu_cache *cache);

/*
 * A message whose descriptors and registers are immediates: it is decoded once, with its instruction. Offsets
 * are in the GRF. The receiver's eu_port.plan fills the members from `space` on.
 */
struct eu_message_plan;
/* Does the whole message in `channels` (bit 0 is the instruction's first one). Returns its cost in
 * instructions; negative: nothing is done, and it must be sent by eu_port.send. */
typedef int eu_planned_message(void *receiver, struct eu_thread *t, const struct eu_message_plan *p,
                               uint32_t channels);
struct eu_message_plan {
    eu_planned_message *run; /* NULL: there is no plan */
    uint32_t descriptor, ex_descriptor;
    int32_t address_offset;
    uint16_t payload_byte[2], response_byte;
    uint8_t payload_registers[2], response_registers;
    uint8_t sfid, execution_size, register_rows;
    uint16_t grf_rows; /* the thread has as many, or it cannot run; 0: each thread has them */
    /* The address space, or the surface's index; the channels that can take part. */
    uint8_t space, index;
    uint32_t channel_mask;
    uint16_t address_byte, data_byte, block_bytes;
    uint8_t address_bytes, scale;
    bool has_header, has_global_offset, writes;
    bool computes;                             /* with floats, in the host's mode */
    bool is_plain;                             /* one element a channel, at its address */
    uint8_t step, element_count, last_element; /* elements of a channel; registers between them */
    uint8_t counted_registers;
    uint64_t present; /* a bit for each element */
};

/* What a thread asks of its surroundings. */
struct eu_port {
    void *context;
    struct eu_cache *cache;
    /* Kernel bytes from `address` on (an offset from the instruction base); *there_bytes is their number.
     * NULL: not mapped, an exception if an instruction needs them: up to 1 KB is read ahead. The bytes stay
     * valid during the run. */
    const void *(*fetch)(void *context, uint64_t address, size_t *there_bytes);
    uint64_t *kind_counts; /* optional: EU_INSTRUCTION_KINDS counts of instructions that ran */
    /* Optional: the paired thread of dpasw, NULL if there is none. *second: this thread has the upper half of
     * the operand. */
    struct eu_thread *(*dpasw_pair)(void *context, struct eu_thread *thread, bool *second);
    bool cache_is_warm;          /* only messages have written since the cache's last run */
    const uint64_t *store_count; /* optional: number of message writes that may change a kernel */
    uint64_t
        *fetch_cost; /* optional: time of fetches, in instructions: the run subtracts it from the budget */
    /* Sends a message. *budget is the instructions left: expensive messages use some of it, as do changing to
     * another KB of the kernel and code without vector handlers. */
    enum eu_answer (*send)(void *context, struct eu_thread *thread, const struct eu_send *message,
                           uint64_t *budget);
    /* Optional: plans a message, of which the members before `space` are set. Plans are kept in the cache:
     * all ports of a cache have the same function, and each its own receiver. */
    void (*plan)(const struct eu_isa *set, struct eu_message_plan *p);
    void *receiver;
    uint32_t host_mode; /* optional: eu_host_mode() of this host thread */
};

/* How the host thread rounds floats now; 0: ask for it at each run. */
uint32_t eu_host_mode(void);

/* What may be other than zero: registers, a bit for each; accumulators and operands of dpasw; channel_ip.
 * Not saved. */
struct eu_dirty {
    uint64_t registers[EU_GRF_ROWS / 64];
    bool rare, channel_ip;
};

extern const struct eu_dirty eu_all_dirty;

/* The state of a thread. Runs are fastest if it is aligned to 64 bytes. */
struct eu_thread {
    uint8_t grf[EU_GRF_ROWS * EU_REGISTER_BYTES];
    uint64_t accumulator[EU_ACCUMULATORS][EU_MAX_CHANNELS / 2]; /* 64 bits for each channel */
    uint64_t channel_ip[EU_MAX_CHANNELS]; /* of inactive channels: the ip where each resumes */
    /* dpasw: the halves of the operand that this thread gives to its pair, for the last two dpasw
     * instructions. */
    uint32_t dpasw_shared_operand[2][EU_DPASW_SHARED_DW];
    uint16_t flag[EU_FLAGS];
    uint16_t address[EU_ADDRESSES];
    uint32_t sr0[4];         /* state register */
    uint32_t cr0[4];         /* control register */
    uint32_t n0[4];          /* notification counts */
    uint64_t tm0;            /* tm0: the caller sets it; each instruction adds a clock */
    uint64_t sip;            /* address of the system routine, for enabled exceptions; 0: none */
    uint64_t ip;             /* next instruction, an offset from the instruction base */
    uint32_t dispatch_mask;  /* channels the thread was started with */
    uint32_t execution_mask; /* channels that are active at ip */
    uint16_t grf_rows;       /* registers of 32 bytes that it has */
    uint8_t stop;            /* enum eu_stop of the last run */
    const char *why;
    uint64_t instruction_count; /* instructions that have run */
    uint32_t dpasw_count;       /* dpasw instructions that it has reached */
    bool dpasw_waiting;         /* at the last one */
    const struct eu_isa *isa;   /* set by eu_thread_start */
    struct eu_dirty dirty;
    uint8_t padding[16]; /* the size is a multiple of 64: all threads of an array are aligned */
};

/* Clears the members from `accumulator` to before `flag`, as far as they may be other than zero. */
static inline void eu_thread_clear_rare(struct eu_thread *t)
{
    if (t->dirty.rare) {
        /* Registers of 32 bytes: not more than 16 accumulators, with those of math macros. */
        const bool all = !t->isa || eu_register_rows(t->isa) > 1;
        memset(t->accumulator, 0, all ? sizeof t->accumulator : sizeof t->accumulator / 2);
        memset(t->dpasw_shared_operand, 0, sizeof t->dpasw_shared_operand);
    }
    if (t->dirty.channel_ip)
        memset(t->channel_ip, 0, sizeof t->channel_ip);
}

/* Starts a thread at `ip` with all of `channels` active. Registers are zero; the caller then writes the
 * payload. */
void eu_thread_start(struct eu_thread *t, const struct eu_isa *set, uint64_t ip, uint32_t channels);
/* The same for a thread that has run before or is all zeros: it clears only what can have changed. */
void eu_thread_restart(struct eu_thread *t, const struct eu_isa *set, uint64_t ip, uint32_t channels);
/* The caller has written the payload, and no register from `registers` on: the next restart is faster. */
void eu_thread_has_payload(struct eu_thread *t, unsigned registers);
/* Runs up to *budget instructions and subtracts those that ran. */
enum eu_stop eu_thread_run(struct eu_thread *t, const struct eu_port *port, uint64_t *budget);
/* Saves or loads a thread that has been started: all but `isa` and `why`. */
void eu_thread_state(struct eu_thread *t, struct state *s);
/* Counts a notification in n0.`which`. */
void eu_thread_notify(struct eu_thread *t, unsigned which);
/* Whether the thread waits in dpasw for `other`, which has arrived. */
static inline bool eu_thread_dpasw_ready(const struct eu_thread *t, const struct eu_thread *other)
{
    return t->stop == EU_WAITS && t->dpasw_waiting && (int32_t)(other->dpasw_count - t->dpasw_count) >= 0;
}

#endif
