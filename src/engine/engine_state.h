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
#define STREAM_MEMBERS(M, S)                                                                                 \
    /* The address of the next command while no cursor is in its page; see stream_address. */                \
    M(S, NUMBER, uint64_t, address, 0)                                                                       \
    M(S, NUMBER, uint64_t, end, 0) /* images, INDIRECT_CTX: where it ends; others UINT64_MAX */              \
    /* Progress of the current command in its own units; 0: not begun. */                                    \
    M(S, NUMBER, uint64_t, progress, 0)                                                                      \
    M(S, NUMBER, uint32_t, wraps, 0)              /* the ring: HEAD 31:21 */                                 \
    M(S, NUMBER, uint8_t, space, SPACE_PPGTT + 1) /* enum space */                                           \
    M(S, NUMBER, uint8_t, kind, STREAM_KINDS)     /* enum stream_kind */                                     \
    M(S, FLAG, started_privileged) /* by a privileged command; stream_privileged decides the rest */         \
    M(S, FLAG, started)            /* commands were parsed */                                                \
    M(S, FLAG, encrypted)          /* Gen6: an encrypted batch: privileged commands are dropped */           \
    M(S, PADDING, reserved, [7])
struct stream {
    STATE_MEMBERS(STREAM_MEMBERS)
};

#define PARSE_STATE_MEMBERS(M, S)                                                                            \
    M(S, STRUCTS, struct stream, streams, [STREAMS], stream_fields)                                          \
    M(S, NUMBER, uint64_t, command_address, 0)              /* of the current command or the last one */     \
    M(S, NUMBER, uint64_t, image_end, 0)                    /* of the context image being restored */        \
    M(S, NUMBER, uint32_t, header, 0)                       /* of the command parsed last: IPEHR */          \
    M(S, NUMBER, uint32_t, depth, STREAMS)                  /* of streams[]: the one that is parsed */       \
    M(S, NUMBER, uint8_t, state, SOFTGT_ENGINE_STOPPED + 1) /* enum softgt_engine_state */                   \
    M(S, NUMBER, uint8_t, stop_reason, STOP_REASONS)        /* stopped: enum stop_reason */                  \
    /* Something changed that may let the engine continue: it checks at its next run, which clears this. */  \
    M(S, FLAG, reschedule)                                                                                   \
    M(S, FLAG, arbitration) /* MI_ARB_ON_OFF: preemption is allowed; set at each restore */                  \
    /* A context is restored: registers are written by accessor.restore, and derived state is recomputed at  \
     * the end. Its commands are not counted, traced or skipped. Only context.c changes this. */             \
    M(S, FLAG, restoring)                                                                                    \
    M(S, FLAG, indirect_done)    /* INDIRECT_CTX has run in this restore */                                  \
    M(S, FLAG, stopped_past_end) /* stopped: the page after the last parsed one is not mapped */             \
    M(S, FLAG, reset_requested)  /* RESET_CTL Request Reset: the engine does not parse */                    \
    /* Power was lost: the engine runs the batch of CTX_WA_PTR first. */                                     \
    M(S, FLAG, power_lost)                                                                                   \
    M(S, PADDING, reserved, [7])
struct parse_state {
    STATE_MEMBERS(PARSE_STATE_MEMBERS)
};

/* The wait of the current command. It begins in wait_begin and ends in wait_end. */
#define WAIT_MEMBERS(M, S)                                                                                   \
    M(S, NUMBER, uint64_t, since_ns, 0)                                                                      \
    M(S, NUMBER, uint64_t, until_ns, 0)      /* time at which the wait ends; 0: no time limit */             \
    M(S, NUMBER, uint32_t, switch_reason, 0) /* SWITCH_WAIT bits of a context status */                      \
    /* RING_BUFFER_CTL_WAIT bits that show it, and by which software ends it. */                             \
    M(S, NUMBER, uint32_t, ring_ctl_bit, 0)                                                                  \
    M(S, NUMBER, uint32_t, actual_value, 0)                                                                  \
    M(S, NUMBER, uint32_t, expected_value, 0) /* a value that was not what was wanted ... */                 \
    /* ... by wait_comparisons; 0: the wait is for no value. */                                              \
    M(S, NUMBER, uint8_t, comparison, sizeof wait_comparisons / sizeof wait_comparisons[0])                  \
    M(S, NUMBER, uint8_t, reason, STOP_REASONS) /* enum stop_reason; STOP_NONE: no wait */                   \
    M(S, FLAG, interrupt_raised)                /* it raised its interrupt */                                \
    M(S, FLAG, cancelled)    /* software ended it: the command is done at its next check */                  \
    M(S, FLAG, needs_signal) /* only a signal or a new execlist makes a check useful */                      \
    M(S, PADDING, reserved, [3])
struct wait {
    STATE_MEMBERS(WAIT_MEMBERS)
};

/* ---- Submission and contexts ---- */

#define CONTEXT_DESCRIPTOR_MEMBERS(M, S)                                                                     \
    M(S, NUMBER, uint32_t, low, 0)                                                                           \
    M(S, NUMBER, uint32_t, high, 0)
struct context_descriptor {
    STATE_MEMBERS(CONTEXT_DESCRIPTOR_MEMBERS)
};
enum { DESCRIPTOR_VALID = 1u << 0 };

enum { EXECLIST_ELEMENTS = 8 };

#define EXECLIST_MEMBERS(M, S)                                                                               \
    M(S, STRUCTS, struct context_descriptor, element, [EXECLIST_ELEMENTS], descriptor_fields)
struct execlist {
    STATE_MEMBERS(EXECLIST_MEMBERS)
};

#define EXECLIST_STATE_MEMBERS(M, S)                                                                         \
    M(S, STRUCT, struct execlist, pending, execlist_fields)                                                  \
    M(S, STRUCT, struct execlist, executing, execlist_fields)                                                \
    M(S, NUMBER, uint64_t, submitted_ns, 0)                    /* the pending list */                        \
    M(S, NUMBER, uint32_t, current_element, EXECLIST_ELEMENTS) /* of `executing` */                          \
    M(S, NUMBERS, uint32_t, port, [4], 0)                      /* written to the submit port so far */       \
    M(S, NUMBER, uint32_t, port_count, 4)                                                                    \
    M(S, NUMBER, uint32_t, csb_write, 0) /* entry written last */                                            \
    M(S, FLAG, pending_valid)                                                                                \
    M(S, FLAG, executing_valid)                                                                              \
    /* Lists come from the microcontroller: statuses go to its FIFO, nowhere else. */                        \
    M(S, FLAG, by_guc)                                                                                       \
    M(S, PADDING, reserved, [1])
struct execlist_state {
    STATE_MEMBERS(EXECLIST_STATE_MEMBERS)
};

/* A context switch: reasons are the bits of Gen8's status dword; 0: no valid status. (CSP-19) */
#define SWITCH_REPORT_MEMBERS(M, S)                                                                          \
    M(S, NUMBER, uint32_t, reasons, 0)                                                                       \
    M(S, STRUCT, struct context_descriptor, from, descriptor_fields)                                         \
    M(S, STRUCT, struct context_descriptor, to, descriptor_fields)                                           \
    M(S, NUMBER, uint8_t, instance, 0) /* of the engine, in its class */                                     \
    M(S, PADDING, reserved, [3])
struct switch_report {
    STATE_MEMBERS(SWITCH_REPORT_MEMBERS)
};

/* Context statuses that the GuC has not read yet. (SYS-17) */
enum { STATUS_FIFO_ENTRIES = 16 };
#define STATUS_FIFO_MEMBERS(M, S)                                                                            \
    M(S, STRUCTS, struct switch_report, entries, [STATUS_FIFO_ENTRIES], report_fields)                       \
    M(S, NUMBER, uint32_t, first, STATUS_FIFO_ENTRIES)                                                       \
    M(S, NUMBER, uint32_t, count, STATUS_FIFO_ENTRIES + 1)                                                   \
    M(S, NUMBER, uint32_t, lost, 0) /* dropped because the FIFO was full */                                  \
    M(S, NUMBER, uint32_t, half, 2) /* of the first entry: the next one that the read port returns */
struct status_fifo {
    STATE_MEMBERS(STATUS_FIFO_MEMBERS)
};

#define CONTEXT_STATE_MEMBERS(M, S)                                                                          \
    /* The context that runs, or ran last. */                                                                \
    M(S, STRUCT, struct context_descriptor, current, descriptor_fields)                                      \
    M(S, NUMBER, uint64_t, submitted_ns, 0) /* when its list was submitted */                                \
    M(S, NUMBER, uint64_t, restored_ns, 0)                                                                   \
    M(S, NUMBER, uint64_t, timestamp_ns, 0) /* CTX_TIMESTAMP is right for this time */                       \
    M(S, FLAG, valid)                       /* `current` is in the engine */                                 \
    M(S, FLAG, begun) /* the other kind of submission has started (engine_info.contexts) */                  \
    M(S, PADDING, reserved, [2])                                                                             \
    /* Interrupt bits that the context requests at the memory addresses of its pointers. */                  \
    M(S, NUMBER, uint32_t, interrupt_mask_in_memory, 0)
struct context_state {
    STATE_MEMBERS(CONTEXT_STATE_MEMBERS)
};

/* ---- Others ---- */

#define STATUS_STATE_MEMBERS(M, S)                                                                           \
    /* Indirect state pointers seen until the last flush (REN-07). */                                        \
    M(S, NUMBER, uint64_t, indirect_mark, 0)                                                                 \
    M(S, NUMBER, uint32_t, isr, 0) /* in the order of the engine's interrupt bits */                         \
    /* Of the ring, at the last look for an automatic report. */                                             \
    M(S, NUMBER, uint32_t, head_report_page, 0)                                                              \
    /* Gen6: of the page fault log, that hold faults of this engine. */                                      \
    M(S, NUMBER, uint32_t, fault_slots, 0)                                                                   \
    /* The page of one that found the log closed; bit 0 valid. */                                            \
    M(S, NUMBER, uint32_t, unlogged_fault, 0)                                                                \
    M(S, NUMBER, uint32_t, probes_faulted, 2) /* of the surface probes looked at last */                     \
    M(S, FLAG, watchdog_counts)     /* VCS_CNTR does: 0 was written to it, all ones not since (VCS-07) */    \
    M(S, FLAG, watchdog_expired)    /* the microcontroller has not seen to it yet */                         \
    M(S, FLAG, write_drop_reported) /* a write to a read-only page was */                                    \
    M(S, PADDING, reserved, [1])
struct status_state {
    STATE_MEMBERS(STATUS_STATE_MEMBERS)
};

/* The inputs, the accumulator and the flags of MI_MATH's ALU. (CSP-13) */
#define ALU_STATE_MEMBERS(M, S)                                                                              \
    M(S, NUMBER, uint64_t, a, 0)                                                                             \
    M(S, NUMBER, uint64_t, b, 0)                                                                             \
    M(S, NUMBER, uint64_t, accumulator, 0)                                                                   \
    M(S, FLAG, zero)                                                                                         \
    M(S, FLAG, carry)                                                                                        \
    M(S, PADDING, reserved, [6])
struct alu_state {
    STATE_MEMBERS(ALU_STATE_MEMBERS)
};

/* Counters since power on. */
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
    M(S, NUMBER, uint64_t, draws_skipped, 0)                                                                 \
    M(S, NUMBER, uint64_t, stalling_flushes, 0)
struct totals {
    STATE_MEMBERS(TOTALS)
};

/* Where commands take time: when those that were parsed are through, and what is left of a nanosecond, in
 * sixtieths of a clock. */
#define TIMING_MEMBERS(M, S)                                                                                 \
    M(S, NUMBER, uint64_t, until_ns, SOFTGT_LAST_NS)                                                         \
    M(S, NUMBER, uint64_t, left, 0x10000)
struct timing {
    STATE_MEMBERS(TIMING_MEMBERS)
};

/* Headers of unknown commands, in order of occurrence. */
#define UNKNOWN_HEADER_MEMBERS(M, S)                                                                         \
    M(S, NUMBER, uint64_t, count, 0)                                                                         \
    M(S, NUMBER, uint64_t, first_address, 0)                                                                 \
    M(S, NUMBER, uint32_t, header, 0)                                                                        \
    M(S, NUMBER, uint32_t, reserved, 1)
struct unknown_header {
    STATE_MEMBERS(UNKNOWN_HEADER_MEMBERS)
};
enum { UNKNOWN_HEADERS = 64 };
#define UNKNOWN_HEADERS_MEMBERS(M, S)                                                                        \
    M(S, STRUCTS, struct unknown_header, seen, [UNKNOWN_HEADERS], unknown_header_fields)
struct unknown_headers {
    STATE_MEMBERS(UNKNOWN_HEADERS_MEMBERS)
};

#endif
