/*
 * The observation architecture (OA): performance counters, and reports of them in memory, by commands and
 * into a circular buffer. A generation has a register block, an oa_register_ops and rows of reports.
 * Modelled: clocks, sixteen NOA signals, custom events, start and report triggers, the timer, reports of
 * context switches and frequency changes. Virtual time stands still while commands run: their events become
 * counts clock by clock when time advances. Counters are current up to the last tick of the timestamp. The
 * dispatcher reports what shader threads do. Not modelled: cache counters; signal muxing beyond the lists in
 * the data sheet. (REN-22 to REN-25, SYS-18 to SYS-20)
 */
#ifndef OA_OA_H
#define OA_OA_H

#include "base/unit.h"
#include "gt/gt.h"
#include "oa/pixel_events.h"
#include "oa/report.h"

/* What a counter counts or a NOA signal carries: levels, clock patterns, and events, one clock each. */
enum oa_signal {
    OA_LOW,
    OA_ALWAYS,
    OA_ODD_CLOCK,     /* every second clock */
    OA_CLOCK_MOD_3_0, /* bit 0 of the clock modulo 3 */
    OA_CLOCK_MOD_3_1, /* bit 1 of it */
    OA_BUSY,          /* any engine has work */
    OA_WAITING,       /* any engine waits in a command */
    OA_RENDER_BUSY,   /* engines of a class, by instance */
    OA_COPY_BUSY,
    OA_VIDEO_BUSY,                         /* eight of them */
    OA_ENHANCE_BUSY = OA_VIDEO_BUSY + 8,   /* four of them */
    OA_COMPUTE_BUSY = OA_ENHANCE_BUSY + 4, /* four of them */
    OA_EVENTS = OA_COMPUTE_BUSY + 4,
    OA_BATCHES = OA_EVENTS, /* batches begun, of all engines */
    OA_CONTEXT_LOADS,       /* contexts that came in */
    OA_READS,               /* 64 bytes of commands fetched; of the device's own memory all that is loaded */
    OA_WRITES,              /* 64 bytes stored */
    OA_DRAWS,               /* of the render engine */
    OA_WALKERS,             /* of the render engine */
    OA_FLUSHES,
    OA_STALLING_FLUSHES, /* of the render engine: those that stall its streamer */
    OA_COMPUTE_WALKERS,  /* of the compute engines, four of them */
    OA_SIGNALS = OA_COMPUTE_WALKERS + 4,
    OA_EVENT_KINDS = OA_SIGNALS - OA_EVENTS,
};

enum { OA_FREE_RUNNING = 4 };
enum { OA_NOA_SIGNALS = 16, OA_MAX_TRIGGERS = 2, OA_CUSTOM_EVENTS = 8 };

/* A list of mux register writes, and the signals that it routes to the sixteen NOA inputs. */
struct oa_mux_config {
    const uint32_t *writes; /* to the routing registers since they were enabled, in their order */
    uint8_t count;
    uint8_t noa_signals[OA_NOA_SIGNALS];
};

/* A trigger's registers: NOA signals are picked (A), joined four by four (B), two by two (C), two by two (D),
 * each stage with inversions; its outcome counts against a threshold. */
struct oa_trigger {
    uint32_t control, threshold, select_high, select_low;
};

struct oa_custom_event {
    uint32_t compare, mask;
};

struct oa;

/* The circular buffer, as the registers have it. */
struct oa_buffer {
    uint32_t base, size_bytes, head, tail;
    bool in_ppgtt;
};

enum oa_status {
    OA_STATUS_REPORT_LOST = 1u << 0,
    OA_STATUS_BUFFER_OVERFLOW = 1u << 1,
    OA_STATUS_COUNTER_OVERFLOW = 1u << 2,
};

enum oa_reason {
    OA_REASON_TIMER = 1u << 0,
    OA_REASON_TRIGGER_1 = 1u << 1,
    OA_REASON_TRIGGER_2 = 1u << 2,
    OA_REASON_CONTEXT_SWITCH = 1u << 3,
    OA_REASON_GO_TRANSITION = 1u << 4,
    OA_REASON_FREQUENCY_CHANGE = 1u << 5,
    OA_REASON_MMIO_TRIGGER = 1u << 6,
};

/* What a generation's registers mean. */
struct oa_register_ops {
    bool (*enabled)(const struct oa *oa);
    bool (*counting)(const struct oa *oa); /* what is not free running */
    bool single_context;                   /* counters may be of one context: events of others do not count */
    /* The period of the timer and where in it a report is due, in timestamps; 0: it is off. */
    uint64_t (*timer)(const struct oa *oa, uint64_t *due);
    unsigned (*counter_select)(const struct oa *oa); /* of reports in the buffer */
    struct oa_buffer (*buffer)(const struct oa *oa);
    void (*set_tail)(struct oa *oa, uint32_t tail, uint32_t status);
    uint32_t (*report_id)(const struct oa *oa, uint32_t reasons);
    /* Whether such a report is wanted. */
    bool (*reason_enabled)(const struct oa *oa, uint32_t reason);
    bool (*half_full_unmasked)(const struct oa *oa); /* the half full interrupt is not masked */
    void (*half_full)(struct oa *oa);
};

/* Register offsets, from Gen8 on; 0: the register does not exist. */
struct oa_register_offsets {
    uint32_t control, status, head, tail, buffer, debug, mask;
    uint32_t timer; /* of the context that was loaded last, or of all */
};

/* Who dispatched a thread: as coarse filters have it. */
enum oa_shader_stage {
    OA_STAGE_VS = 1,
    OA_STAGE_HS,
    OA_STAGE_DS,
    OA_STAGE_GS,
    OA_STAGE_PS,
    OA_STAGE_GPGPU, /* of the render engine: the thread spawner */
    OA_STAGE_COMPUTE = 9,
    OA_STAGE_TASK,
    OA_STAGE_MESH,
    OA_SHADER_STAGES
};

/* A counters of shader threads; oa_count_threads has those of dispatched threads. Pixel counters count
 * samples of whole subspans. */
enum oa_a_counter {
    OA_PIXELS = 21, /* and on by enum pixel_event */
    OA_SAMPLER_2X2 = OA_PIXELS + PIXEL_EVENTS,
    OA_SAMPLER_MISSES,
    OA_SLM_READS,
    OA_SLM_WRITES,
    OA_ATOMICS = 34,
    OA_BARRIERS,
};

/* A counters of what threads of each stage do, and of pixels: which they are; 0: none. (Gen6) */
struct oa_stages {
    uint8_t active[OA_SHADER_STAGES],
        threads[OA_SHADER_STAGES]; /* clocks; threads, each clock; A0: of all stages */
    uint8_t pixels[PIXEL_EVENTS];  /* by what became of them */
    uint8_t tests[PIXEL_TESTS];    /* by what came of them */
    uint8_t clipper, setup;        /* clocks */
};

/* The counters of a unit. */
struct oa_counter_info {
    const uint8_t *a_signals; /* enum oa_signal of each A counter, OA_A_COUNTERS of them */
    uint8_t a_bits;           /* of an A counter */
    uint8_t b_count, c_count;
    uint32_t clock_select; /* optional register: two bits for each B and C counter; 3: it has no clock */
    uint32_t
        transaction_unit; /* optional register: with bit 29 A36 and A37 count 128 bytes, else four accesses */
    bool device_memory_only;          /* reads and writes of system memory do not count */
    bool a34_counts_slm_atomics;      /* else A34 counts atomics of memory and surfaces alone */
    bool flexible_events;             /* registers select what A7 to A20 count */
    bool flexible_events_per_context; /* each context has its own selection */
};

/* The triggers of a unit; registers are the first of each kind. */
struct oa_trigger_info {
    uint8_t count;          /* of start triggers, and of report triggers */
    bool start_gates_all;   /* before the start trigger only free running counters count */
    bool registers_descend; /* a trigger's registers lie from the fourth to the first */
    uint32_t start, report, custom_events;
};

/* The report buffer of a unit. */
struct oa_buffer_info {
    bool ggtt_only, large_sizes, reports_tail_wrap;
    bool keeps_tlb; /* translations outlive a switch of contexts */
    const struct interrupt_line *half_full;
    uint32_t half_full_bits;
};

/* The data sheet of an observation unit. */
struct oa_info {
    const char *name;     /* of the unit's saved state */
    uint32_t engine_mask; /* engine classes whose events count, as in a command's row; 0: all */
    const struct oa_register_ops *register_ops;
    const struct register_block *const *blocks; /* ends with NULL */
    uint64_t timestamp_hz;
    uint32_t (*frequency)(const struct register_file *f);  /* of the GT, in 50/3 MHz */
    const enum oa_report *reports;                         /* by Counter Select, 8 of them */
    const enum oa_report *command_reports[ENGINE_CLASSES]; /* the same for MI_REPORT_PERF_COUNT */
    const struct oa_stages *stages;                        /* NULL: stages have no counters of their own */
    const uint8_t
        *noa_signals; /* enum oa_signal, OA_NOA_SIGNALS of them, while no known mux list is written */
    const struct oa_mux_config *mux_configs; /* optional; ends with count 0 */
    struct oa_counter_info counters;
    struct oa_trigger_info triggers;
    struct oa_buffer_info buffer;
    /* From Gen8 on. */
    struct oa_register_offsets offsets;
    bool context_valid_at_switch_only; /* only the report of a context's load marks the context valid */
    bool frequency_in_report_id;
    uint8_t valid_bit;          /* Context Valid in a report's id */
    uint8_t counter_select_bit; /* of OACONTROL: the lowest bit of Counter Select */
    /* From Gen12 on contexts have counters of their own: the registers that enable them and select their
     * reports; 0: commands report the unit's own counters. */
    uint32_t context_control[ENGINE_CLASSES];
};

/* ---- Sections (base/state.h) ---- */

#define OA_CLOCK(M, S)                                                                                       \
    /* The counters are current up to this timestamp. */                                                     \
    M(S, NUMBER, uint64_t, timestamp, 0)                                                                     \
    /* The fraction of a GT clock behind it, in sixtieths. */                                                \
    M(S, NUMBER, uint64_t, sixtieths, 0)                                                                     \
    /* Time in RC6 up to it; and RC6 time at the last advance. */                                            \
    M(S, NUMBER, uint64_t, rc6_until_ns, 0)                                                                  \
    M(S, NUMBER, uint64_t, rc6_ns, 0)
struct oa_clock {
    STATE_MEMBERS(OA_CLOCK)
};

enum { OA_MEMORY_READS = 36, OA_MEMORY_WRITES, OA_MEMORY_COUNTERS = 2, OA_MAX_TRANSACTIONS = 4 };
#define OA_COUNTS(M, S)                                                                                      \
    /* Each wraps as its register does. */                                                                   \
    M(S, NUMBERS, uint64_t, a, [OA_A_COUNTERS], 0)                                                           \
    M(S, NUMBERS, uint64_t, b, [OA_B_COUNTERS], 0)                                                           \
    M(S, NUMBERS, uint64_t, c, [OA_C_COUNTERS], 0)                                                           \
    /* Transactions of A36 and A37 that do not fill the unit of the counter yet. */                          \
    M(S, NUMBERS, uint64_t, transactions, [OA_MEMORY_COUNTERS], OA_MAX_TRANSACTIONS)
struct oa_counts {
    STATE_MEMBERS(OA_COUNTS)
};

#define OA_EU_COUNTERS(M, S)                                                                                 \
    /* Counts of A counters that the counter does not show yet. */                                           \
    M(S, NUMBERS, uint64_t, pending, [OA_A_COUNTERS], 0)                                                     \
    /* Free running copies of A4, A6, A19 and A20. */                                                        \
    M(S, NUMBERS, uint64_t, free_running, [OA_FREE_RUNNING], 0)                                              \
    /* Thread slots, modulo those of an execution unit. */                                                   \
    M(S, NUMBERS, uint64_t, occupied_slots, [OA_A_COUNTERS], 256)
/* What shader threads did. */
struct oa_eu_counters {
    STATE_MEMBERS(OA_EU_COUNTERS)
};

#define OA_EVENT_COUNTS(M, S)                                                                                \
    /* The total of each event at the last sample. */                                                        \
    M(S, NUMBERS, uint64_t, seen, [OA_EVENT_KINDS], 0)                                                       \
    /* Events that counters do not show yet. */                                                              \
    M(S, NUMBERS, uint64_t, pending, [OA_EVENT_KINDS], 0)
struct oa_events {
    STATE_MEMBERS(OA_EVENT_COUNTS)
};

/* Flexible events from Gen12 on (flexible.c). */
enum {
    OA_FLEXIBLE_CONTROLS = 7,
    OA_THREAD_ENGINES = 5,
    OA_NO_FLEXIBLE_EVENTS = 0x0300f00f /* 11111b, of both counters */
};
#define OA_FLEXIBLE(M, S)                                                                                    \
    /* The values that were written last. */                                                                 \
    M(S, NUMBERS, uint32_t, common, [OA_FLEXIBLE_CONTROLS], 0)                                               \
    /* The values of the contexts in the render engine and in each compute engine. */                        \
    M(S, NUMBERS, uint32_t, control, [OA_THREAD_ENGINES][OA_FLEXIBLE_CONTROLS], 0)                           \
    /* The context wrote values of its own. */                                                               \
    M(S, NUMBERS, uint8_t, is_set, [OA_THREAD_ENGINES], 2)                                                   \
    M(S, PADDING, reserved, [3])
struct oa_flexible {
    STATE_MEMBERS(OA_FLEXIBLE)
};

#define OA_TRIGGER_STATE(M, S)                                                                               \
    /* A hash of what was written to the mux registers: see oa_mux_write. */                                 \
    M(S, NUMBER, uint64_t, mux_key, 0)                                                                       \
    M(S, NUMBERS, uint32_t, start_counts, [OA_MAX_TRIGGERS], 0x10000)                                        \
    M(S, NUMBERS, uint32_t, report_counts, [OA_MAX_TRIGGERS], 0x10000)                                       \
    /* The NOA signals of the clock before. */                                                               \
    M(S, NUMBER, uint16_t, previous_signals, 0)                                                              \
    M(S, NUMBERS, uint8_t, started, [OA_MAX_TRIGGERS], 2)                                                    \
    /* The outcome of each report trigger in the clock before. */                                            \
    M(S, NUMBERS, uint8_t, report_outcome, [OA_MAX_TRIGGERS], 2)                                             \
    M(S, PADDING, reserved, [2])
struct oa_triggers {
    STATE_MEMBERS(OA_TRIGGER_STATE)
};

struct oa {
    const struct oa_info *info;
    struct device_log *log;
    struct register_file *mmio;
    struct interrupt *interrupt;
    struct gt *gt;
    struct engine *engines;
    unsigned engine_count;
    struct oa *next; /* a further unit: the first one passes it the GT's calls */
    struct mmu mmu;
    struct oa_clock clock;
    struct oa_counts counts;
    struct oa_events events;
    struct oa_eu_counters eu_counters;
    struct oa_triggers triggers;
    struct oa_flexible flexible_events;
    const uint8_t *noa_signals; /* what is routed to them: follows from the key */
    /* While time goes on: where it is, to tell when a clock was. */
    struct oa_clock span;
    uint32_t span_frequency;
    uint64_t go_transition_ns; /* UINT64_MAX: it does not */
    bool faulted;              /* its buffer is not there: what comes is lost */
};

extern const struct unit_shape oa_shape;

/* Places the registers; the pointers above have been set. A unit of some engines only is the next of another,
 * that serves commands. */
bool oa_create(struct oa *oa, struct memory *memory);

/* MI_REPORT_PERF_COUNT. */
void oa_command_report(struct oa *oa, struct engine *e, enum space space, uint64_t address, uint32_t id);
/* For registers' functions: it was enabled or disabled; the routing was written to. */
void oa_restart(struct oa *oa);
void oa_mux_write(struct oa *oa, uint32_t value);
void oa_reload_mux(struct oa *oa);
/* A report of now into the buffer, if such are wanted. */
void oa_report_now(struct oa *oa, uint32_t reasons);

/* Whether the context that is in an engine has counters that count, from Gen12 on. */
bool oa_context_counts(const struct oa *oa, const struct engine *e);
/* An MMIO trigger: a report with this value for the context. */
void oa_trigger_report(struct oa *oa, const struct accessor *by, uint32_t value);

/* For counting: a report of a clock; whether there is room for one. */
void oa_buffer_report(struct oa *oa, uint32_t reasons, uint64_t clock);
bool oa_can_write(const struct oa *oa);

/*
 * The dispatcher reports what shader threads did, when they did it (eu_events.c; SYS-20): to counters of the
 * engine's context at once, to the global ones up to OA_MAX_EVENTS_PER_CLOCK a clock as clocks go on.
 */
enum { OA_MAX_EVENTS_PER_CLOCK = 16 };

/* Increment events of flexible counters, by their numbers. */
enum oa_core_event {
    OA_ALU0,
    OA_ALU1,
    OA_SEND,
    OA_ALU0_AND_ALU1,
    OA_ACTIVE,
    OA_STALL,
    OA_FP16,
    OA_FP32,
    OA_OCCUPANCY, /* each clock, as many as threads are loaded: a count for each time all slots were */
    OA_SYSTOLIC,
    OA_ALU0_AND_SYSTOLIC,
    OA_INT16 = 12,
    OA_INT32,
    OA_SYSTOLIC_BF16,
    OA_SYSTOLIC_INT8,
    OA_MATH,
    OA_CONTROL,
    OA_SYSTOLIC_FP16,
    OA_CORE_EVENTS,
};

/* What instructions are, as fine filters ask. */
enum oa_instruction { OA_HYBRID = 1, OA_TERNARY, OA_BINARY, OA_MOV, OA_SEND_START };

/* Something that happened in an execution unit so many times, or so many clocks long. */
struct oa_eu_event {
    uint32_t events;       /* bit by enum oa_core_event: all that it is */
    uint32_t instructions; /* bit by enum oa_instruction */
    uint32_t stages; /* bit by enum oa_shader_stage: of the thread that runs; of a clock, of all that are
                             loaded */
    uint8_t row, eu; /* which execution unit it was */
    uint8_t slots;   /* threads that a unit has room for: of OA_OCCUPANCY */
    uint64_t count;
};

void oa_count_threads(struct oa *oa, struct engine *e, enum oa_shader_stage by, uint64_t count);
void oa_count_accesses(struct oa *oa, struct engine *e, enum oa_a_counter which, uint64_t count);
/* The same of pixels, one by one: what became of them, and of their tests. */
void oa_count_pixels(struct oa *oa, const uint64_t became[PIXEL_EVENTS], const uint64_t tests[PIXEL_TESTS]);
/* Primitives that came to the clipper and to what is behind it: a clock each, our choice. */
void oa_count_primitives(struct oa *oa, uint64_t clipper, uint64_t setup);
void oa_count_eu_event(struct oa *oa, struct engine *e, const struct oa_eu_event *h);
/* Events that flexible counters ask for, by bit: nobody counts others. */
uint32_t oa_eu_events_enabled(const struct oa *oa, const struct engine *e);
/* Whether a flexible counter that counts asks for what pipes do. */
bool oa_pipe_events_enabled(const struct oa *oa, const struct engine *e);
/* What the register number n asks for, of the context that is in an engine; that it has none of its own. */
uint32_t oa_flexible_control(const struct oa *oa, const struct engine *e, unsigned n);
void oa_flexible_reset_context(struct oa *oa, const struct engine *e);
/* For counting: the counts that a counter takes in so many clocks. */
uint64_t oa_take_pending(struct oa *oa, unsigned a, uint64_t clocks);

/* counters.c: clocks go on; reports of triggers are written where they fall. */
void oa_advance_clocks(struct oa *oa, uint64_t from, uint64_t to);
uint64_t oa_gpu_ticks(const struct oa *oa);
/* So many clocks may go on, whatever happened up to now, before triggers have made so many reports. */
uint64_t oa_clocks_until_reports(const struct oa *oa, uint64_t reports);
/* Samples the totals of events. `counted`: the difference becomes pending counts. */
void oa_sample_events(struct oa *oa, bool counted);
/* The same for the context that is still in the engine. */
void oa_sample_context_events(struct oa *oa);
/* Whether what is done now is of those who count. */
bool oa_is_counting_context(const struct oa *oa);
/* Clocks until, as things are, a report trigger fires or something changes. */
uint64_t oa_clocks_until_trigger(const struct oa *oa);

/* Counters of the context that is in an engine, and what it says of them: from the engine's base. */
enum {
    OA_CONTEXT_A0 = 0x800,
    OA_CONTEXT_A32 = 0x900, /* 32 bits each */
    OA_CONTEXT_GPU_TICKS = 0x910,
    OA_CONTEXT_B = 0x920,
    OA_CONTEXT_C = 0x940,
    OA_CONTEXT_CONTROL = 0x360,
};
#define OA_CONTEXT_A_BITS UINT64_C(0xffffffffff) /* of A0 to A31 */
/* An A counter of the context that is in an engine goes on, and wraps. */
void oa_context_add(struct engine *e, unsigned a, uint64_t count);

extern const struct oa_register_ops gen6_oa, gen7_oa, gen8_oa;
extern const struct register_block gen6_oa_registers, gen7_oa_registers, gen75_trigger_registers,
    gen11_routing_registers, gen8_oa_registers, gen9_oa_registers, gen75_routing_registers,
    flexible_event_registers, gen12_flexible_event_registers, gen12_oa_registers, gen125_oa_registers,
    gen125_media_oa_registers, gen125_media_trigger_registers, gen12_trigger_registers,
    gen12_render_context_counters, gen125_compute_context_counters;

#endif
