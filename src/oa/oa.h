/*
 * The observation architecture (OA): performance counters, and reports of them. Commands write reports to
 * memory, and the unit writes them to a circular buffer. A generation has a register block, an
 * oa_register_ops and rows of reports.
 *
 * Modelled: clocks, sixteen NOA signals, custom events, start and report triggers, the timer, reports of
 * context switches and frequency changes. Not modelled: cache counters, and signal muxing beyond the lists in
 * the data sheet. (REN-22 to REN-25, SYS-18 to SYS-20)
 *
 * Virtual time stands still while commands run. Their events become counts, clock by clock, when time
 * advances. Counters are current up to the last tick of the timestamp. The dispatcher reports what shader
 * threads do.
 */
#ifndef OA_OA_H
#define OA_OA_H

#include "base/unit.h"
#include "gt/gt.h"
#include "oa/pixel_events.h"
#include "oa/report.h"

/* What a counter counts or a NOA signal carries: levels, clock patterns, and events that last one clock. */
enum oa_signal {
    OA_LOW,
    OA_ALWAYS,
    OA_ODD_CLOCK,     /* every second clock */
    OA_CLOCK_MOD_3_0, /* bit 0 of the clock modulo 3 */
    OA_CLOCK_MOD_3_1, /* bit 1 of the clock modulo 3 */
    OA_BUSY,          /* any engine has work */
    OA_WAITING,       /* any engine waits in a command */
    OA_RENDER_BUSY,   /* engines of a class by instance */
    OA_COPY_BUSY,
    OA_VIDEO_BUSY,                         /* eight of them */
    OA_ENHANCE_BUSY = OA_VIDEO_BUSY + 8,   /* four of them */
    OA_COMPUTE_BUSY = OA_ENHANCE_BUSY + 4, /* four of them */
    OA_EVENTS = OA_COMPUTE_BUSY + 4,
    OA_BATCHES = OA_EVENTS, /* batches started, all engines */
    OA_CONTEXT_LOADS,       /* contexts switched in */
    OA_READS,   /* 64 bytes of commands fetched; on a device with local memory, of anything loaded */
    OA_WRITES,  /* 64 bytes stored */
    OA_DRAWS,   /* of the render engine */
    OA_WALKERS, /* of the render engine */
    OA_FLUSHES,
    OA_STALLING_FLUSHES, /* render engine: flushes that stall the streamer */
    OA_COMPUTE_WALKERS,  /* compute engines, four of them */
    OA_SIGNALS = OA_COMPUTE_WALKERS + 4,
    OA_EVENT_KINDS = OA_SIGNALS - OA_EVENTS,
};

enum { OA_FREE_RUNNING = 4 };
enum { OA_NOA_SIGNALS = 16, OA_MAX_TRIGGERS = 2, OA_CUSTOM_EVENTS = 8 };

/* A list of mux register writes, and the signals that it routes to the sixteen NOA inputs. */
struct oa_mux_config {
    const uint32_t
        *writes; /* the values written to the routing registers since they were enabled, in order */
    uint8_t count;
    uint8_t noa_signals[OA_NOA_SIGNALS];
};

/* A trigger's registers. NOA signals are selected (A), and combined four (B), two (C) and two (D) at a time;
 * each stage can invert. The outcome is counted against a threshold. */
struct oa_trigger {
    uint32_t control, threshold, select_high, select_low;
};

/* A custom event: a comparison of the NOA signals. */
struct oa_custom_event {
    uint32_t compare, mask;
};

struct oa;

/* The circular buffer, decoded from the registers. */
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

/* Functions that decode the registers of a generation. */
struct oa_register_ops {
    bool (*enabled)(const struct oa *oa);
    bool (*counting)(const struct oa *oa); /* whether counters that are not free running count */
    bool single_context;                   /* counters may be limited to one context */
    /* The timer: its period, and in *due the offset of a report in it, in timestamps; 0: it is off. */
    uint64_t (*timer)(const struct oa *oa, uint64_t *due);
    unsigned (*counter_select)(const struct oa *oa); /* Counter Select of the buffer's reports */
    struct oa_buffer (*buffer)(const struct oa *oa);
    void (*set_tail)(struct oa *oa, uint32_t tail, uint32_t status);
    uint32_t (*report_id)(const struct oa *oa, uint32_t reasons);
    /* Whether reports with this reason are enabled. */
    bool (*reason_enabled)(const struct oa *oa, uint32_t reason);
    bool (*half_full_unmasked)(const struct oa *oa); /* the half full interrupt is not masked */
    void (*half_full)(struct oa *oa);
};

/* Register offsets, from Gen8 on; 0: the register does not exist. */
struct oa_register_offsets {
    uint32_t control, status, head, tail, buffer, debug, mask;
    uint32_t timer; /* OACTXCONTROL, of the last loaded context, or of the unit */
};

/* Which stage dispatched a thread, as coarse filters count them. */
enum oa_shader_stage {
    OA_STAGE_VS = 1,
    OA_STAGE_HS,
    OA_STAGE_DS,
    OA_STAGE_GS,
    OA_STAGE_PS,
    OA_STAGE_GPGPU, /* render engine: the thread spawner */
    OA_STAGE_COMPUTE = 9,
    OA_STAGE_TASK,
    OA_STAGE_MESH,
    OA_SHADER_STAGES
};

/* A counters of shader threads. Those of dispatched threads are in oa_count_threads. Pixel counters count
 * samples of whole subspans. */
enum oa_a_counter {
    OA_PIXELS = 21, /* first of the counters of enum pixel_event */
    OA_SAMPLER_2X2 = OA_PIXELS + PIXEL_EVENTS,
    OA_SAMPLER_MISSES,
    OA_SLM_READS,
    OA_SLM_WRITES,
    OA_ATOMICS = 34,
    OA_BARRIERS,
};

/* Gen6: the numbers of A counters for the threads of each stage, and for pixels; 0: none. */
struct oa_stages {
    uint8_t active[OA_SHADER_STAGES],
        threads[OA_SHADER_STAGES]; /* clocks; threads summed over clocks; A0: all stages */
    uint8_t pixels[PIXEL_EVENTS];  /* by enum pixel_event */
    uint8_t tests[PIXEL_TESTS];    /* by enum pixel_test */
    uint8_t clipper, setup;        /* clocks */
};

/* The counters of a unit. */
struct oa_counter_info {
    const uint8_t *a_signals; /* enum oa_signal of each of the OA_A_COUNTERS */
    uint8_t a_bits;           /* width of an A counter */
    uint8_t b_count, c_count;
    uint32_t clock_select;     /* optional register: two bits for each B and C counter; 3: it has no clock */
    uint32_t transaction_unit; /* optional register: with bit 29, A36 and A37 count 128 bytes; else 256 */
    bool device_memory_only;   /* reads and writes of system memory do not count */
    bool a34_counts_slm_atomics;      /* A34 also counts SLM atomics */
    bool flexible_events;             /* registers select what A7 to A20 count */
    bool flexible_events_per_context; /* each context has its own selection */
};

/* The triggers of a unit; registers are the first of each kind. */
struct oa_trigger_info {
    uint8_t count;          /* number of start triggers and of report triggers */
    bool start_gates_all;   /* before the start trigger only free running counters count */
    bool registers_descend; /* the registers of a trigger are in descending order */
    uint32_t start, report, custom_events;
};

/* The report buffer of a unit. */
struct oa_buffer_info {
    bool ggtt_only, large_sizes, reports_tail_wrap;
    bool keeps_tlb; /* TLB entries survive context switches */
    const struct interrupt_line *half_full;
    uint32_t half_full_bits;
};

/* The data sheet of an observation unit. */
struct oa_info {
    const char *name;     /* name of the saved sections */
    uint32_t engine_mask; /* mask of engine classes whose events count; 0: all */
    const struct oa_register_ops *register_ops;
    const struct register_block *const *blocks; /* ends with NULL */
    uint64_t timestamp_hz;
    uint32_t (*frequency)(const struct register_file *f);  /* GT frequency in units of 50/3 MHz */
    const enum oa_report *reports;                         /* report formats by Counter Select, 8 of them */
    const enum oa_report *command_reports[ENGINE_CLASSES]; /* the same for MI_REPORT_PERF_COUNT */
    const struct oa_stages *stages;                        /* NULL: stages have no counters of their own */
    const uint8_t *noa_signals; /* the OA_NOA_SIGNALS signals while no known mux list is written */
    const struct oa_mux_config *mux_configs; /* optional; ends with count 0 */
    struct oa_counter_info counters;
    struct oa_trigger_info triggers;
    struct oa_buffer_info buffer;
    /* Gen8 on. */
    struct oa_register_offsets offsets;
    bool context_valid_at_switch_only; /* only the report of a context's load marks the context valid */
    bool frequency_in_report_id;
    uint8_t valid_bit;          /* Context Valid in a report's id */
    uint8_t counter_select_bit; /* lowest bit of Counter Select in OACONTROL */
    /* From Gen12 on, contexts have counters of their own: the registers that enable them and select their
     * reports. 0: commands report the unit's counters. */
    uint32_t context_control[ENGINE_CLASSES];
};

/* ---- Sections (base/state.h) ---- */

#define OA_CLOCK(M, S)                                                                                       \
    /* The counters are current up to this timestamp. */                                                     \
    M(S, NUMBER, uint64_t, timestamp, 0)                                                                     \
    /* The fraction of a GT clock after that, in sixtieths. */                                               \
    M(S, NUMBER, uint64_t, sixtieths, 0)                                                                     \
    /* RC6 time up to that timestamp, and at the last advance. */                                            \
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
    /* Transactions that do not fill a unit of A36 and A37 yet. */                                           \
    M(S, NUMBERS, uint64_t, transactions, [OA_MEMORY_COUNTERS], OA_MAX_TRANSACTIONS)
struct oa_counts {
    STATE_MEMBERS(OA_COUNTS)
};

#define OA_EU_COUNTERS(M, S)                                                                                 \
    /* Pending counts of A counters. */                                                                      \
    M(S, NUMBERS, uint64_t, pending, [OA_A_COUNTERS], 0)                                                     \
    /* Free running copies of A4, A6, A19 and A20. */                                                        \
    M(S, NUMBERS, uint64_t, free_running, [OA_FREE_RUNNING], 0)                                              \
    /* Occupied thread slots, modulo those of an execution unit. */                                          \
    M(S, NUMBERS, uint64_t, occupied_slots, [OA_A_COUNTERS], 256)
/* Counters of shader threads. */
struct oa_eu_counters {
    STATE_MEMBERS(OA_EU_COUNTERS)
};

#define OA_EVENT_COUNTS(M, S)                                                                                \
    /* The total of each event at the last sample. */                                                        \
    M(S, NUMBERS, uint64_t, seen, [OA_EVENT_KINDS], 0)                                                       \
    /* Pending events, which counters do not show yet. */                                                    \
    M(S, NUMBERS, uint64_t, pending, [OA_EVENT_KINDS], 0)
struct oa_events {
    STATE_MEMBERS(OA_EVENT_COUNTS)
};

/* Flexible events from Gen12 on (flexible.c). */
enum {
    OA_FLEXIBLE_CONTROLS = 7,
    OA_THREAD_ENGINES = 5,
    OA_NO_FLEXIBLE_EVENTS = 0x0300f00f /* event 11111b of both counters */
};
#define OA_FLEXIBLE(M, S)                                                                                    \
    /* The last written values. */                                                                           \
    M(S, NUMBERS, uint32_t, common, [OA_FLEXIBLE_CONTROLS], 0)                                               \
    /* The values of the contexts in the render engine and in each compute engine. */                        \
    M(S, NUMBERS, uint32_t, control, [OA_THREAD_ENGINES][OA_FLEXIBLE_CONTROLS], 0)                           \
    /* Whether the context has written its own values. */                                                    \
    M(S, NUMBERS, uint8_t, is_set, [OA_THREAD_ENGINES], 2)                                                   \
    M(S, PADDING, reserved, [3])
struct oa_flexible {
    STATE_MEMBERS(OA_FLEXIBLE)
};

#define OA_TRIGGER_STATE(M, S)                                                                               \
    /* A hash of the writes to the mux registers: see oa_mux_write. */                                       \
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
    struct oa *next; /* the next unit; the first one passes on the GT's calls */
    struct mmu mmu;
    struct oa_clock clock;
    struct oa_counts counts;
    struct oa_events events;
    struct oa_eu_counters eu_counters;
    struct oa_triggers triggers;
    struct oa_flexible flexible_events;
    const uint8_t *noa_signals; /* the signals routed to the NOA inputs, from mux_key */
    /* While time advances: the current position, for the time of a clock. */
    struct oa_clock span;
    uint32_t span_frequency;
    uint64_t go_transition_ns; /* UINT64_MAX: none */
    bool faulted;              /* the buffer is not mapped: reports are lost */
};

extern const struct unit_shape oa_shape;

/* Creates the registers; the pointers above must be set. A unit of some engines only is the `next` of a unit
 * that serves commands. */
bool oa_create(struct oa *oa, struct memory *memory);

/* Executes MI_REPORT_PERF_COUNT. */
void oa_command_report(struct oa *oa, struct engine *e, enum space space, uint64_t address, uint32_t id);
/* For register functions: the unit was enabled or disabled; a routing register was written. */
void oa_restart(struct oa *oa);
void oa_mux_write(struct oa *oa, uint32_t value);
void oa_reload_mux(struct oa *oa);
/* Writes a report of the current time to the buffer, if these reasons are enabled. */
void oa_report_now(struct oa *oa, uint32_t reasons);

/* Gen12 on: whether the context in an engine has counters that are enabled. */
bool oa_context_counts(const struct oa *oa, const struct engine *e);
/* An MMIO trigger: writes a report with this value as the context ID. */
void oa_trigger_report(struct oa *oa, const struct accessor *by, uint32_t value);

/* For counters.c: writes the report of a clock; returns whether the buffer has room. */
void oa_buffer_report(struct oa *oa, uint32_t reasons, uint64_t clock);
bool oa_can_write(const struct oa *oa);

/*
 * The dispatcher reports what shader threads did at the time they did it (eu_events.c; SYS-20). The counters
 * of the engine's context count it at once, the global ones at most OA_MAX_EVENTS_PER_CLOCK a clock as clocks
 * advance.
 */
enum { OA_MAX_EVENTS_PER_CLOCK = 16 };

/* Increment events of flexible counters; the values are the hardware's. */
enum oa_core_event {
    OA_ALU0,
    OA_ALU1,
    OA_SEND,
    OA_ALU0_AND_ALU1,
    OA_ACTIVE,
    OA_STALL,
    OA_FP16,
    OA_FP32,
    OA_OCCUPANCY, /* the threads loaded, each clock; counts each time all slots were */
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

/* Kinds of instructions for fine filters. */
enum oa_instruction { OA_HYBRID = 1, OA_TERNARY, OA_BINARY, OA_MOV, OA_SEND_START };

/* An event in an execution unit: how often, or how many clocks long. */
struct oa_eu_event {
    uint32_t events;       /* mask of enum oa_core_event */
    uint32_t instructions; /* mask of enum oa_instruction */
    uint32_t stages; /* mask of enum oa_shader_stage: the thread's; of a clock, those of all loaded threads */
    uint8_t row, eu; /* position of the execution unit */
    uint8_t slots;   /* OA_OCCUPANCY: thread slots of a unit */
    uint64_t count;
};

void oa_count_threads(struct oa *oa, struct engine *e, enum oa_shader_stage by, uint64_t count);
void oa_count_accesses(struct oa *oa, struct engine *e, enum oa_a_counter which, uint64_t count);
/* Counts pixels: by what became of them, and by the outcome of their tests. */
void oa_count_pixels(struct oa *oa, const uint64_t became[PIXEL_EVENTS], const uint64_t tests[PIXEL_TESTS]);
/* Counts primitives at the clipper and at setup. Each takes a clock, which is our choice. */
void oa_count_primitives(struct oa *oa, uint64_t clipper, uint64_t setup);
void oa_count_eu_event(struct oa *oa, struct engine *e, const struct oa_eu_event *h);
/* The mask of events that flexible counters select: others need not be reported. */
uint32_t oa_eu_events_enabled(const struct oa *oa, const struct engine *e);
/* Whether an enabled flexible counter selects events of pipes. */
bool oa_pipe_events_enabled(const struct oa *oa, const struct engine *e);
/* The value of flexible register n for the context in an engine, or that it has none of its own. */
uint32_t oa_flexible_control(const struct oa *oa, const struct engine *e, unsigned n);
void oa_flexible_controls(const struct oa *oa, const struct engine *e, uint32_t values[OA_FLEXIBLE_CONTROLS]);
void oa_flexible_reset_context(struct oa *oa, const struct engine *e);
/* For counters.c: takes the pending counts that a counter shows in so many clocks. */
uint64_t oa_take_pending(struct oa *oa, unsigned a, uint64_t clocks);

/* counters.c: advances clocks, and writes the reports of triggers when they fire. */
void oa_advance_clocks(struct oa *oa, uint64_t from, uint64_t to);
uint64_t oa_gpu_ticks(const struct oa *oa);
/* The clocks that can pass before triggers have written so many reports, whatever happened up to now. */
uint64_t oa_clocks_until_reports(const struct oa *oa, uint64_t reports);
/* Samples the totals of events. `counted`: adds the differences to the pending counts. */
void oa_sample_events(struct oa *oa, bool counted);
/* The same for the context in the engine, before it is switched out. */
void oa_sample_context_events(struct oa *oa);
/* Whether the current context is counted. */
bool oa_is_counting_context(const struct oa *oa);
/* The clocks until a report trigger fires or a signal changes, if no unit changes. */
uint64_t oa_clocks_until_trigger(const struct oa *oa);

/* Registers of the counters of an engine's context, and of their control: offsets from the engine's base. */
enum {
    OA_CONTEXT_A0 = 0x800,
    OA_CONTEXT_A32 = 0x900, /* 32 bits each */
    OA_CONTEXT_GPU_TICKS = 0x910,
    OA_CONTEXT_B = 0x920,
    OA_CONTEXT_C = 0x940,
    OA_CONTEXT_CONTROL = 0x360,
};
#define OA_CONTEXT_A_BITS UINT64_C(0xffffffffff) /* width of A0 to A31 */
/* Adds to an A counter of the engine's context; it wraps. */
void oa_context_add(struct engine *e, unsigned a, uint64_t count);

extern const struct oa_register_ops gen6_oa, gen7_oa, gen8_oa;
extern const struct register_block gen6_oa_registers, gen7_oa_registers, gen75_trigger_registers,
    gen11_routing_registers, gen8_oa_registers, gen9_oa_registers, gen75_routing_registers,
    flexible_event_registers, gen12_flexible_event_registers, gen12_oa_registers, gen125_oa_registers,
    gen125_media_oa_registers, gen125_media_trigger_registers, gen12_trigger_registers,
    gen12_render_context_counters, gen125_compute_context_counters;

#endif
