/*
 * A thread of an execution unit, and how it runs: registers, flags, masks, where each channel is. A pure
 * state machine: it runs until it ends, waits, faults or has used its budget, and goes on exactly there. What
 * lies beyond the unit it asks of ports: the bytes of its kernel, and every message it sends.
 *
 * What the manuals leave open, and what a kernel does wrong:
 * - Sums of products (mad, mac) are rounded once. dp2 to dph, line, pln and lrp are computed in doubles and
 * rounded at the end. Math functions: exact ones to the nearest, others within 0.51 units of the last place.
 * A result that is no number is 7fc00000h (or the type's like); moves and selections keep bits.
 * - Macros of division and root (math.invm, math.rsqtm) give the quotient or the root itself, and early out
 * in all channels, so that the steps that would refine them are left out; madm is mad.
 * - Each channel is where it is: whichever instruction the thread comes to, channels that wait there go on.
 * - Registers beyond the file (by region or address) read as zeros and take no write; a message whose payload
 * or response lies there is an illegal instruction. Subregisters may lie anywhere.
 * - A message of no channel is not sent, unless it ends the thread.
 * - dpasw waits until the other thread of a pair has come to as many of them.
 * - Illegal: what eu_decode says, types that an operation does not have, dpasw of a thread alone. With the
 * exception enabled (cr0.1) and a system routine the thread goes on there, else it stops with EU_EXCEPTION,
 * as it does in the routine itself, and where there is no instruction: nothing is fetched, or it ends inside
 * one.
 * - sr0.2 and sr0.3 are the channels that the thread was started with; ce0 those that are active.
 */
#ifndef INTERP_THREAD_H
#define INTERP_THREAD_H

#include <softgt/softgt.h>

#include "base/state.h"
#include "isa/isa.h"

enum {
    EU_REGISTER_BYTES = 32,
    EU_REGISTERS = 128,
    EU_LARGE_GRF_REGISTERS = 256, /* of a thread that has the registers of two (Gen12.5) */
    EU_MAX_CHANNELS = 32,
    EU_ACCUMULATORS = 10, /* of them Gen9 has the last eight for math macros */
    EU_FLAGS = 4,         /* of 16 bits each: f0.0 to f1.1 */
    EU_ADDRESSES = 16,    /* words of a0 */
    EU_DPASW_SHARED_DW =
        4 * EU_REGISTER_BYTES / 4 /* of dpasw's operand, at most: what one of two threads has */
};

/* Why eu_thread_run came back. */
enum eu_stop {
    EU_BUDGET, /* out of budget: the next run resumes */
    EU_WAITS,  /* for a notification (a barrier, an event): eu_thread_notify lets it go on; for a pair's other
                  thread: eu_thread_dpasw_ready */
    EU_ENDED,  /* its last message is sent */
    EU_EXCEPTION /* an illegal instruction or the like, or memory that is not there: `why` says it */
};

/* A message as it leaves a thread. Payloads and response lie in the thread's registers: first all of the
 * payload is read, then the response is written; registers are 32 bytes each. */
struct eu_send {
    uint8_t sfid;                       /* enum eu_sfid */
    uint32_t descriptor, ex_descriptor; /* whole, those in address registers read */
    bool end_of_thread;
    bool ex_bso;               /* the extended descriptor is a surface's offset, all of it (ExBSO) */
    uint8_t execution_size;    /* channels of the instruction: 1 to 32 */
    uint32_t channels;         /* those that take part; bit 0 is the instruction's first channel */
    uint8_t first_channel;     /* of the thread: which that is */
    const uint8_t *payload[2]; /* NULL: the null register, zeros */
    uint8_t payload_registers[2];
    uint8_t *response; /* NULL: none, or the null register */
    uint8_t response_registers;
};

enum eu_answer {
    EU_SENT,         /* done, the response is written */
    EU_SEND_BLOCKED, /* nothing is done yet, or a part that is remembered: the same message comes again when
                   the thread runs */
    EU_SEND_FAULT    /* it cannot be done: the thread's exception */
};

/* What computes an instruction, for who counts: the numbers it is about. */
enum eu_pipe_kind {
    EU_PIPE_NONE, /* nothing does, or not yet */
    EU_PIPE_FLOAT_16,
    EU_PIPE_FLOAT_32,
    EU_PIPE_FLOAT_64,
    EU_PIPE_INTEGER_16, /* bytes, too */
    EU_PIPE_INTEGER_32,
    EU_PIPE_INTEGER_64,
    EU_PIPE_MATH,
    EU_PIPE_FLOW, /* branches and calls */
    EU_PIPE_DPAS_HF,
    EU_PIPE_DPAS_BF,
    EU_PIPE_DPAS_INTEGER,
    EU_PIPE_KINDS
};

/* And what form it has. */
enum eu_shape { EU_SHAPE_OTHER, EU_SHAPE_MOVE, EU_SHAPE_TWO_SOURCES, EU_SHAPE_THREE_SOURCES, EU_SHAPES };

/* An instruction's kind is both. */
enum { EU_INSTRUCTION_KINDS = EU_PIPE_KINDS * EU_SHAPES };

struct eu_thread;

/*
 * Decoded kernels, and the handlers for this host. Not state: what is found there is compared with the
 * kernel's bytes, so that a kernel that changes is seen at the next run, or after the message that changed
 * it. Create it by eu_cache_create of jit/jit.h.
 */
struct eu_cache;
void eu_cache_destroy(struct eu_cache *cache);

struct eu_port {
    void *context;
    struct eu_cache *cache;
    /* Bytes of the kernel from `address` on (an offset from the instruction base), up to *there_bytes; NULL:
     * nothing is there, which is the thread's exception if an instruction needs it: up to 1 KB is read ahead.
     * They stay until the thread has run. */
    const void *(*fetch)(void *context, uint64_t address, size_t *there_bytes);
    uint64_t *kind_counts; /* optional: EU_INSTRUCTION_KINDS counts of the instructions that ran */
    /* Optional: the thread that shares dpasw's operands with this one; *second: it has the upper half. NULL:
     * there is none. */
    struct eu_thread *(*dpasw_pair)(void *context, struct eu_thread *thread, bool *second);
    bool cache_is_warm;          /* nothing but messages has written since the cache ran a thread before */
    const uint64_t *store_count; /* optional: counts what messages wrote, as far as it may be a kernel */
    uint64_t
        *fetch_cost; /* optional: what fetches lasted, in instructions, which the budget is to have less */
    /* *budget counts instructions that are left: a message that does much takes some, as do going on in
     * another KB of the kernel and what is computed a channel at a time. */
    enum eu_answer (*send)(void *context, struct eu_thread *thread, const struct eu_send *message,
                           uint64_t *budget);
};

/* Fastest where it lies at a multiple of 64 bytes. */
struct eu_thread {
    uint8_t grf[EU_LARGE_GRF_REGISTERS * EU_REGISTER_BYTES];
    uint64_t accumulator[EU_ACCUMULATORS][EU_MAX_CHANNELS / 2]; /* 64 bits a channel of integers */
    uint16_t flag[EU_FLAGS];
    uint16_t address[EU_ADDRESSES];
    uint32_t sr0[4];         /* sr0 */
    uint32_t cr0[4];         /* cr0 */
    uint32_t n0[4];          /* n0 */
    uint64_t tm0;            /* tm0: from whoever runs it, and a clock more each instruction */
    uint64_t sip;            /* the system routine's: where exceptions go that are enabled; 0: none */
    uint64_t ip;             /* of the instruction to come, an offset from the instruction base */
    uint32_t dispatch_mask;  /* channels that the thread was started with */
    uint32_t execution_mask; /* channels that run at ip */
    uint64_t channel_ip[EU_MAX_CHANNELS]; /* of the others: where each goes on */
    bool large_grf;
    uint8_t stop; /* enum eu_stop of the last run */
    const char *why;
    uint64_t instruction_count; /* that it has run */
    /* Of dpasw: what it has to share for the last two that it came to, how many it came to, and whether it is
     * still at the last one. */
    uint32_t dpasw_shared_operand[2][EU_DPASW_SHARED_DW];
    uint32_t dpasw_count;
    bool dpasw_waiting;
    const struct eu_isa *isa; /* given at the start */
    uint8_t padding[32];      /* threads side by side all begin so */
};

/* A thread as hardware starts it: registers zero but for those that the payload fills later, all of
 * `channels` active at `ip`. */
void eu_thread_start(struct eu_thread *t, const struct eu_isa *set, uint64_t ip, uint32_t channels);
/* The same for one whose memory another has had, or that is all zeros: what that could not write is left. */
void eu_thread_restart(struct eu_thread *t, const struct eu_isa *set, uint64_t ip, uint32_t channels);
/* Runs up to *budget instructions, which it counts down. */
enum eu_stop eu_thread_run(struct eu_thread *t, const struct eu_port *port, uint64_t *budget);
/* Saves or loads all but `set` and `why`: it is started first. */
void eu_thread_state(struct eu_thread *t, struct state *s);
/* Notification `which` comes (n0: 0). */
void eu_thread_notify(struct eu_thread *t, unsigned which);
/* Whether the thread waits for the other one of its pair, which has come. */
static inline bool eu_thread_dpasw_ready(const struct eu_thread *t, const struct eu_thread *other)
{
    return t->stop == EU_WAITS && t->dpasw_waiting && (int32_t)(other->dpasw_count - t->dpasw_count) >= 0;
}

#endif
