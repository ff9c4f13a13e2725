/*
 * An engine's state in sections: the purpose of each and who changes it. engine_state.c describes them for
 * resets, saving and loading; engine_recompute_derived (engine.c) computes what is derived from them and from
 * the registers.
 */
#ifndef ENGINE_ENGINE_STATE_H
#define ENGINE_ENGINE_STATE_H

#include "base/field.h"
#include "base/state.h"
#include "memory/client.h"

/* Reasons of a stop and of a wait; stop_reason_text has them as text. */
enum stop_reason {
    STOP_NONE,
    /* Stopped until a reset. */
    STOP_PAGE_FAULT,
    STOP_PAST_END,
    STOP_NO_PAGE,
    STOP_IMAGE_END,
    STOP_UNKNOWN,
    STOP_FAULT,
    /* Waiting. */
    WAIT_RING_END,
    WAIT_SEMAPHORE,
    WAIT_MAILBOX,
    WAIT_CONDITION,
    WAIT_DISPLAY,
    WAIT_FLIP_QUEUE,
    WAIT_PROBE,
    STOP_REASONS
};
extern const char *const stop_reason_text[STOP_REASONS];
extern const char *const engine_state_names[SOFTGT_ENGINE_STOPPED + 1]; /* "idle" */
/* Bits of a context status, of an engine's interrupts. */
extern const struct field_value engine_switch_names[], engine_interrupt_names[];
extern const char *const wait_comparisons[7]; /* in the order of MI_SEMAPHORE_WAIT's, from 1 on */

/* ---- Where commands come from ---- */

enum stream_kind {
    STREAM_RING,
    STREAM_BATCH,
    STREAM_WORKAROUND,
    STREAM_RESTORE,
    STREAM_POWER_UP, /* the batch of CTX_WA_PTR: the engine is idle again at its end */
    STREAM_KINDS
};

/* The ring or an image, batches of every level, and a workaround batch on top. */
enum { BATCH_LEVELS = 3, STREAMS = BATCH_LEVELS + 3, SCRATCH_DW = 65536 + 16 };
_Static_assert((int)STREAMS == (int)READERS, "each stream reads its pages");

/* One ring, batch or image, and its position. Moves go through stream_seek, which resets the cursor: the
 * parser sees by the cursor that a command moved the stream. */
struct stream {
    uint64_t address;        /* of the next command while no cursor is in its page; see stream_address */
    uint64_t end;            /* images, INDIRECT_CTX: where it ends; others UINT64_MAX */
    uint64_t progress;       /* of the current command, begun and not done, in its own units; else 0 */
    uint32_t wraps;          /* the ring: HEAD 31:21 */
    uint8_t space;           /* enum space */
    uint8_t kind;            /* enum stream_kind */
    bool started_privileged; /* by a privileged command; stream_privileged decides the rest */
    bool started;            /* commands were parsed */
    bool encrypted;          /* Gen6: an encrypted batch: privileged commands are dropped */
    uint8_t reserved[7];
};

struct parse_state {
    struct stream streams[STREAMS];
    uint64_t command_address; /* of the current command or the last one */
    uint64_t image_end;       /* of the context image being restored */
    uint32_t header;          /* of the command parsed last: IPEHR */
    uint32_t depth;           /* of streams[]: the one that is parsed */
    uint8_t state;            /* enum softgt_engine_state */
    uint8_t stop_reason;      /* stopped: enum stop_reason */
    /* Something changed that may let the engine continue: it checks at its next run, which clears this. */
    bool reschedule;
    bool arbitration; /* MI_ARB_ON_OFF: preemption is allowed; set at each restore */
    /* A context is restored: registers are written by accessor.restore, and derived state is recomputed at
     * the end. Its commands are not counted, traced or skipped. Only context.c changes this. */
    bool restoring;
    bool indirect_done;    /* INDIRECT_CTX has run in this restore */
    bool stopped_past_end; /* stopped: the page after the last parsed one is not mapped */
    bool reset_requested;  /* RESET_CTL Request Reset: the engine does not parse */
    /* Power was lost: the engine runs the batch of CTX_WA_PTR first. */
    bool power_lost;
    uint8_t reserved[7];
};

/* The wait of the current command. It begins in wait_begin and ends in wait_end. */
struct wait {
    uint64_t since_ns;
    uint64_t until_ns;      /* when time ends it; 0: something else does */
    uint32_t switch_reason; /* SWITCH_WAIT bits of a context status */
    uint32_t ring_ctl_bit;  /* RING_BUFFER_CTL_WAIT bits that show it, and by which software ends it */
    uint32_t actual_value, expected_value; /* a value that was not what was wanted ... */
    uint8_t comparison;                    /* ... by wait_comparisons; 0: the wait is for no value */
    uint8_t reason;                        /* enum stop_reason; STOP_NONE: no wait */
    bool interrupt_raised;                 /* it raised its interrupt */
    bool cancelled;                        /* software ended it: the command is done at its next check */
    bool needs_signal;                     /* only a signal or a new execlist makes a check useful */
    uint8_t reserved[3];
};

/* ---- Submission and contexts ---- */

struct context_descriptor {
    uint32_t low, high;
};
enum { DESCRIPTOR_VALID = 1u << 0 };

enum { EXECLIST_ELEMENTS = 8 };

struct execlist {
    struct context_descriptor element[EXECLIST_ELEMENTS];
};

struct execlist_state {
    struct execlist pending, executing;
    uint64_t submitted_ns;    /* the pending list */
    uint32_t current_element; /* of `executing` */
    uint32_t port[4];         /* written to the submit port so far */
    uint32_t port_count;
    uint32_t csb_write; /* entry written last */
    bool pending_valid, executing_valid;
    bool by_guc; /* lists come from the microcontroller: statuses go to its FIFO, nowhere else */
    uint8_t reserved[1];
};

/* A context switch: reasons are the bits of Gen8's status dword; 0: no valid status. (CSP-19) */
struct switch_report {
    uint32_t reasons;
    struct context_descriptor from, to;
    uint8_t instance; /* of the engine, in its class */
    uint8_t reserved[3];
};

/* Context statuses that the GuC has not read yet. (SYS-17) */
enum { STATUS_FIFO_ENTRIES = 16 };
struct status_fifo {
    struct switch_report entries[STATUS_FIFO_ENTRIES];
    uint32_t first, count;
    uint32_t lost; /* dropped because the FIFO was full */
    uint32_t half; /* of the first entry: the next one that the read port returns */
};

struct context_state {
    struct context_descriptor current; /* the context that runs, or ran last */
    uint64_t submitted_ns;             /* when its list was submitted */
    uint64_t restored_ns;
    uint64_t timestamp_ns; /* CTX_TIMESTAMP is right for this time */
    bool valid;            /* `current` is in the engine */
    bool begun;            /* the other kind of submission has started (engine_info.contexts) */
    uint8_t reserved[2];
    uint32_t
        interrupt_mask_in_memory; /* interrupt bits that it wants told where its pointers to memory say */
};

/* ---- Others ---- */

struct status_state {
    uint64_t indirect_mark;    /* indirect state pointers seen until the last flush (REN-07) */
    uint32_t isr;              /* in the order of the engine's interrupt bits */
    uint32_t head_report_page; /* of the ring, at the last look for an automatic report */
    uint32_t fault_slots;      /* Gen6: of the page fault log, that hold faults of this engine */
    uint32_t unlogged_fault;   /* the page of one that found the log closed; bit 0 valid */
    uint32_t probes_faulted;   /* of the surface probes looked at last */
    bool watchdog_counts;      /* VCS_CNTR does: 0 was written to it, all ones not since (VCS-07) */
    bool watchdog_expired;     /* the microcontroller has not seen to it yet */
    bool write_drop_reported;  /* a write to a read-only page was */
    uint8_t reserved[1];
};

/* The inputs, the accumulator and the flags of MI_MATH's ALU. (CSP-13) */
struct alu_state {
    uint64_t a, b, accumulator;
    bool zero, carry;
    uint8_t reserved[6];
};

/* Counted since power on. */
#define TOTALS(M, S)                                                                                         \
    M(S, NUMBER, uint64_t, batches, 0)                                                                       \
    M(S, NUMBER, uint64_t, dwords, 0)                                                                        \
    M(S, NUMBER, uint64_t, waits, 0)                                                                         \
    M(S, NUMBER, uint64_t, switches, 0)                                                                      \
    M(S, NUMBER, uint64_t, interrupts, 0)                                                                    \
    M(S, STRUCT, struct memory_counters, memory, memory_counters_fields)                                     \
    M(S, NUMBER, uint64_t, faults, 0)                                                                        \
    M(S, NUMBER, uint64_t, dropped, 0)                                                                       \
    M(S, NUMBER, uint64_t, unknown, 0)                                                                       \
    M(S, NUMBER, uint64_t, misplaced, 0)                                                                     \
    M(S, NUMBER, uint64_t, skipped, 0)                                                                       \
    M(S, NUMBER, uint64_t, too_short, 0)                                                                     \
    M(S, NUMBER, uint64_t, groups, 0)                                                                        \
    M(S, NUMBER, uint64_t, threads, 0)                                                                       \
    M(S, NUMBER, uint64_t, invocations, 0)                                                                   \
    M(S, NUMBER, uint64_t, instructions, 0)                                                                  \
    M(S, NUMBER, uint64_t, draws_left, 0)                                                                    \
    M(S, NUMBER, uint64_t, stalling_flushes, 0)
struct totals {
    STATE_MEMBERS(TOTALS)
};

/* Where commands take time: when those that were parsed are through, and what is left of a nanosecond, in
 * sixtieths of a clock. */
struct timing {
    uint64_t until_ns, left;
};

/* Headers that are no command, in the order of their coming. */
struct unknown_header {
    uint64_t count, first_address;
    uint32_t header, reserved;
};
enum { UNKNOWN_HEADERS = 64 };
struct unknown_headers {
    struct unknown_header seen[UNKNOWN_HEADERS];
};

#endif
