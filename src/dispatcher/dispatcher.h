/*
 * The thread dispatcher of an engine runs the threads of walkers, media objects and draws, group by group. A
 * command begins work: its fields and the state that it uses are read once, into struct work_state. The
 * command then runs slice by slice (OUTCOME_RESUME) until the work is done. The threads of a group run in
 * turn, each until it waits, ends, or has used its time slice: results do not depend on budgets. The
 * functions of this file and of struct dispatch_ops change phases (enum dispatch_phase). A reset of the
 * engine drops the work. A context switch happens between two groups; it drops the work, too, and the context
 * image keeps a cursor. Not modelled: threads of one group on several subslices, the time that threads take,
 * thread spawning.
 */
#ifndef DISPATCHER_DISPATCHER_H
#define DISPATCHER_DISPATCHER_H

#include "base/unit.h"
#include "interp/execute.h"
#include "isa/thread_state.h"
#include "oa/oa.h"
#include "shared_function/shared_function.h"
#include "stream/roles_compute.h"
#include "stream/structure.h"

#include <softgt/eu.h>

/* ---- State ---- */

enum {
    MAX_GROUP_THREADS = 128,
    MAX_PARALLEL_GROUPS = 1024,
    MAX_SLM_BYTES = LARGE_SLM_BYTES,
    INLINE_DW = 64,
    FETCH_PAGES = 4
};

/* The time slice of a thread in instructions. A thread may poll memory that the next thread stores to. */
enum { THREAD_SLICE_INSTRUCTIONS = 1 << 16 };

/* The threads of a group are distributed over execution units in turn. Units are in two rows. */
enum { EU_ROW_UNITS = 4, COUNTED_UNITS = 2 * EU_ROW_UNITS, THREAD_SLOTS = 8 };

/* Kinds of work that run threads. */
enum work_kind { WORK_COMPUTE, WORK_MEDIA, WORK_DRAW, WORK_KINDS };

/* The payload of compute threads and media objects, from r1 on; draws number payloads of their own. */
enum thread_payload_kind {
    PAYLOAD_CONSTANTS,      /* cross-thread constants, then the thread's, from CURBE */
    PAYLOAD_INDIRECT,       /* the thread's, then cross-thread ones, from indirect data (GPGPU_WALKER) */
    PAYLOAD_MEDIA_OBJECT,   /* constants, then inline data or indirect data (MEDIA_OBJECT) */
    PAYLOAD_COMPUTE_WALKER, /* local IDs, then inline data (COMPUTE_WALKER) */
    PAYLOAD_KINDS,
    MAX_PAYLOADS = 8 /* of any kind of work */
};

/*
 * The phase of the work. The order is protocol: the phases from NEXT_WORK on run (dispatch_has_work).
 *     IDLE, RESUME, REPEAT -> NEXT_WORK, FILL  a command begins its work; FILL: a single media object
 *     COLLECT   -> FILL                        the next MEDIA_OBJECT_GRPID adds a thread
 *     NEXT_WORK -> FILL, PARALLEL, IDLE        dispatch_ops.next; IDLE: no group is left
 *     FILL      -> RUN, COLLECT                COLLECT: more threads of the group follow
 *     RUN       -> NEXT_WORK, IDLE             dispatch_ops.done; IDLE: that was the last group
 *     PARALLEL  -> NEXT_WORK, IDLE             likewise, once for each group
 *     IDLE      -> REPEAT                      an indirect command has walkers or draws left
 */
enum dispatch_phase {
    DISPATCH_IDLE,    /* no work */
    DISPATCH_RESUME,  /* its command begins preempted work again, at the cursor of the context image */
    DISPATCH_REPEAT,  /* an indirect command: its walker or draw `indirect_index` begins */
    DISPATCH_COLLECT, /* MEDIA_OBJECT_GRPID: threads_started threads of a group; the next command adds one */
    DISPATCH_NEXT_WORK, /* the next group must be found */
    DISPATCH_FILL,      /* the group's threads get their registers */
    DISPATCH_RUN,       /* the group's threads run */
    DISPATCH_PARALLEL,  /* `parallel_groups` groups run */
    DISPATCH_PHASES
};

enum { X, Y };

/*
 * The loops of MEDIA_OBJECT_WALKER: the step and the position of each. Global loops have positions in the
 * whole range, local loops in a block. (IVB PRM vol 2 part 2, Parameterized Media Walker)
 */
#define MEDIA_CURSOR(M, S)                                                                                   \
    M(S, NUMBERS, int32_t, global_outer, [2], 0)                                                             \
    M(S, NUMBERS, int32_t, global, [2], 0)                                                                   \
    M(S, NUMBERS, int32_t, outer, [2], 0)                                                                    \
    M(S, NUMBERS, int32_t, middle, [2], 0)                                                                   \
    M(S, NUMBERS, int32_t, inner, [2], 0)                                                                    \
    M(S, NUMBER, uint32_t, global_step, 0)                                                                   \
    M(S, NUMBER, uint32_t, step, 0)                                                                          \
    M(S, NUMBER, uint32_t, extra_step, 0)                                                                    \
    M(S, NUMBER, uint32_t, color, 0)
struct media_cursor {
    STATE_MEMBERS(MEDIA_CURSOR)
};
/* Counts do not include the first step. */
#define MEDIA_LOOPS(M, S)                                                                                    \
    M(S, NUMBERS, int32_t, block_resolution, [2], 1u << 16)                                                  \
    M(S, NUMBERS, int32_t, local_start, [2], 0)                                                              \
    M(S, NUMBERS, int32_t, outer_step, [2], 0)                                                               \
    M(S, NUMBERS, int32_t, inner_step, [2], 0)                                                               \
    M(S, NUMBERS, int32_t, global_resolution, [2], 0)                                                        \
    M(S, NUMBERS, int32_t, global_start, [2], 0)                                                             \
    M(S, NUMBERS, int32_t, global_outer_step, [2], 0)                                                        \
    M(S, NUMBERS, int32_t, global_inner_step, [2], 0)                                                        \
    M(S, NUMBERS, int32_t, middle_step, [2], 0)                                                              \
    M(S, NUMBER, uint32_t, global_loop_count, 0)                                                             \
    M(S, NUMBER, uint32_t, local_loop_count, 0)                                                              \
    M(S, NUMBER, uint32_t, extra_steps, 0)                                                                   \
    M(S, NUMBER, uint32_t, last_color, 0)                                                                    \
    M(S, STRUCT, struct media_cursor, cursor, media_cursor_fields)
struct media_loops {
    STATE_MEMBERS(MEDIA_LOOPS)
};

/* STATE_BASE_ADDRESS and STATE_SIP at the begin of the work; sip 0: no system routine. */
#define STATE_BASES(M, S)                                                                                    \
    M(S, NUMBER, uint64_t, general_state_base, 0)                                                            \
    M(S, NUMBER, uint64_t, surface_state_base, 0)                                                            \
    M(S, NUMBER, uint64_t, bindless_surface_state_base, 0)                                                   \
    M(S, NUMBER, uint64_t, dynamic_state_base, 0)                                                            \
    M(S, NUMBER, uint64_t, instruction_base, 0)                                                              \
    M(S, NUMBER, uint64_t, sip, 0)
struct state_bases {
    STATE_MEMBERS(STATE_BASES)
};

/*
 * The initial state of a group's threads. `constants` is the address of cross-thread constants; per-thread
 * constants follow. r0 and control (cr0.0, cr0.1) hold the bits that all threads share. Draws have
 * dispatch_grf_start instead of counts of constant registers.
 */
#define THREAD_SETUP(M, S)                                                                                   \
    M(S, NUMBER, uint64_t, kernel_start_pointer, 0)                                                          \
    M(S, NUMBER, uint64_t, binding_table, 0)                                                                 \
    M(S, NUMBER, uint64_t, constants, 0)                                                                     \
    M(S, NUMBER, uint32_t, cross_thread_constant_registers, 1u << 16)                                        \
    M(S, NUMBER, uint32_t, per_thread_constant_registers, 1u << 16)                                          \
    M(S, NUMBER, uint32_t, dispatch_grf_start, 1u << 16)                                                     \
    M(S, NUMBER, uint32_t, threads, MAX_GROUP_THREADS + 1)                                                   \
    M(S, NUMBERS, uint32_t, thread_width_height_depth, [3], MAX_GROUP_THREADS + 1)                           \
    M(S, NUMBER, uint32_t, right_mask, 0)                                                                    \
    M(S, NUMBER, uint32_t, bottom_mask, 0)                                                                   \
    M(S, NUMBER, uint32_t, slm_bytes, MAX_SLM_BYTES + 1)                                                     \
    M(S, NUMBERS, uint32_t, r0, [8], 0)                                                                      \
    M(S, NUMBERS, uint32_t, control, [2], 0)                                                                 \
    M(S, NUMBERS, uint32_t, inline_dw, [INLINE_DW], 0)                                                       \
    M(S, NUMBER, uint32_t, inline_length_dw, INLINE_DW + 1)                                                  \
    M(S, NUMBER, uint8_t, simd, 33)                                                                          \
    M(S, NUMBER, uint8_t, payload, MAX_PAYLOADS)                                                             \
    M(S, FLAG, large_grf)                                                                                    \
    M(S, PADDING, reserved, [1])
struct thread_setup {
    STATE_MEMBERS(THREAD_SETUP)
};

/*
 * GPGPU_WALKER and COMPUTE_WALKER walk group IDs along x, y, z, from first_group to before end_group.
 * local_size is the size of a group in channels, if hardware makes local IDs. tile_layout is the number of
 * IDs of a row in an oword of a tile; 0: linear. EXECUTE_INDIRECT_DISPATCH and EXECUTE_INDIRECT_DRAW use
 * indirect_index and indirect_count. parallel_groups groups run now, from the current one on;
 * next_parallel_groups run next; 0: not known yet.
 */
#define COMPUTE_WALK(M, S)                                                                                   \
    M(S, NUMBER, uint64_t, post_sync_address, 0)                                                             \
    M(S, NUMBER, uint64_t, post_sync_data, 0)                                                                \
    M(S, NUMBERS, uint32_t, first_group, [3], 0)                                                             \
    M(S, NUMBERS, uint32_t, end_group, [3], 0)                                                               \
    M(S, NUMBERS, uint32_t, local_size, [3], 1025)                                                           \
    M(S, NUMBER, uint32_t, indirect_index, 0)                                                                \
    M(S, NUMBER, uint32_t, indirect_count, 0)                                                                \
    M(S, NUMBER, uint32_t, parallel_groups, MAX_PARALLEL_GROUPS + 1)                                         \
    M(S, NUMBER, uint32_t, next_parallel_groups, MAX_PARALLEL_GROUPS + 1)                                    \
    M(S, NUMBER, uint8_t, walk_order, 8)                                                                     \
    M(S, NUMBER, uint8_t, tile_layout, 5)                                                                    \
    M(S, NUMBER, uint8_t, emit_local, 8)                                                                     \
    M(S, NUMBER, uint8_t, post_sync_operation, 4)
struct compute_walker {
    STATE_MEMBERS(COMPUTE_WALK)
};

/* Media objects. MEDIA_OBJECT_GRPID makes partial groups: further commands add threads. */
#define MEDIA_WORK(M, S)                                                                                     \
    M(S, STRUCT, struct media_loops, loops, media_loops_fields)                                              \
    M(S, NUMBER, uint64_t, data_address, 0)                                                                  \
    M(S, NUMBER, uint32_t, data_bytes, 1u << 17)                                                             \
    M(S, FLAG, is_walker)                                                                                    \
    M(S, FLAG, group_is_partial)                                                                             \
    M(S, PADDING, reserved, [2])
struct media_work {
    STATE_MEMBERS(MEDIA_WORK)
};

/* A group of threads. Media objects and draws use its ID for positions. current_thread runs for
 * instructions_left, then the next thread runs. */
#define THREAD_GROUP(M, S)                                                                                   \
    M(S, NUMBERS, uint32_t, group_id, [3], 0)                                                                \
    M(S, NUMBER, uint32_t, threads_started, MAX_GROUP_THREADS + 1)                                           \
    M(S, NUMBER, uint32_t, current_thread, MAX_GROUP_THREADS)                                                \
    M(S, NUMBER, uint32_t, instructions_left, THREAD_SLICE_INSTRUCTIONS + 1)                                 \
    M(S, NUMBER, uint32_t, barrier_count, MAX_GROUP_THREADS + 1)
struct thread_group {
    STATE_MEMBERS(THREAD_GROUP)
};

/* The work of a command: its parameters and its position. walker_id: walker_identity of the command. */
#define WORK_STATE(M, S)                                                                                     \
    M(S, NUMBER, uint64_t, walker_id, 0)                                                                     \
    M(S, STRUCT, struct state_bases, bases, state_bases_fields)                                              \
    M(S, STRUCT, struct thread_setup, setup, thread_setup_fields)                                            \
    M(S, STRUCT, struct compute_walker, walker, compute_walker_fields)                                       \
    M(S, STRUCT, struct media_work, media, media_work_fields)                                                \
    M(S, STRUCT, struct thread_group, group, thread_group_fields)                                            \
    M(S, NUMBER, uint8_t, kind, WORK_KINDS)                                                                  \
    M(S, NUMBER, uint8_t, phase, DISPATCH_PHASES)                                                            \
    M(S, PADDING, reserved, [2])
struct work_state {
    STATE_MEMBERS(WORK_STATE)
};

/* Counters of an execution unit. */
struct unit_counters {
    uint64_t clocks, messages, registers; /* registers of messages' payloads, at least one each */
    uint64_t loaded;                      /* sum of threads over clocks */
    uint64_t ran[EU_INSTRUCTION_KINDS];   /* instructions by kind, if counts_instruction_kinds */
};

/* Counters of the current slice. Its end flushes them. */
struct dispatch_counters {
    uint64_t groups, instructions, started; /* for the engine's totals; started: channels */
    uint64_t threads, invocations;
    uint64_t pixels, depth_passed;    /* shaded; passed all tests, if counted */
    uint64_t vertices, domain_points; /* likewise */
    uint64_t coarse_pixels;           /* likewise, where their state counts them */
    struct unit_counters units[COUNTED_UNITS];
};

/* The registers of local IDs, for each thread of a group: the same in every group of a walker. A cache. */
enum { LOCAL_ID_REGISTERS = 6 };
struct local_ids {
    struct local_id_shape {
        uint32_t local_size[3];
        uint8_t simd, walk_order, tile_layout, emit_local;
    } shape;
    bool known[MAX_GROUP_THREADS];
    uint8_t registers[MAX_GROUP_THREADS][LOCAL_ID_REGISTERS * EU_REGISTER_BYTES];
};

/* The counters of a stage whose threads do not run at the moment. */
struct stage_counters {
    struct dispatch_counters counters;
    struct message_counters messages;
    bool used;
};

struct parallel_groups; /* (parallel_groups.c) */

/* Pages of the kernel, where memory cannot be mapped. */
struct kernel_fetches {
    uint8_t pages[FETCH_PAGES][PAGE_BYTES] __attribute__((aligned(64)));
    unsigned page_count;
    uint64_t cost; /* of these pages, in instructions, not charged to the budget yet */
};

/* What the current work has done since it began or resumed, for trace events. It is not saved. */
struct work_tally {
    uint64_t threads, instructions, pixels; /* in the slices before the current one */
};

/* A debugger's hooks (debug.c). They are not saved. */
struct debugger {
    struct softgt_eu_hooks hooks;
    struct eu_thread *thread_before;  /* the thread before the current instruction */
    bool single_steps;                /* threads run one instruction at a time */
    bool hook_may_stop, hook_stopped; /* a hook may stop a run; it did, before an instruction */
};

struct draw_work; /* pipeline3d/draw_work.h */

struct thread_dispatcher {
    struct engine *engine;
    struct oa *oa; /* NULL: not counted */
    const struct eu_isa *set;
    const struct command_set *structures;
    const struct softgt_format *formats[SURFACE_FORMATS]; /* by code */
    const struct softgt_block_format *blocks[SURFACE_FORMATS];
    const struct dispatch_ops *kinds[WORK_KINDS]; /* NULL: this dispatcher has no such work */
    struct work_state work;
    struct draw_work *draws;   /* of WORK_DRAW; NULL: there is no 3D pipeline */
    struct eu_thread *threads; /* MAX_GROUP_THREADS, in thread_storage */
    void *thread_storage;
    uint8_t *slm; /* MAX_SLM_BYTES */
    struct message_context bindings;
    struct dispatch_counters counters;
    enum oa_shader_stage counted_stage;             /* that `counters` and the messages' are for */
    struct stage_counters stages[OA_SHADER_STAGES]; /* of the current slice */
    bool counts_instruction_kinds;                  /* in the current slice */
    struct softgt_parallel_port parallel;
    struct softgt_code_port code;
    struct parallel_groups *groups; /* NULL: none ran yet */
    struct eu_cache *cache;
    struct {
        uint64_t ns, ticks; /* tm0 of threads that start at this time */
    } start_time;
    uint32_t host_mode;     /* eu_host_mode() in this slice; 0: not known */
    bool cache_is_warm;     /* a thread has run in this slice: decoded kernels are valid */
    uint64_t kernel_stores; /* stores of messages that may have changed the kernel */
    struct kernel_fetches fetches;
    struct debugger debugger;
    struct local_ids local_ids;
    struct work_tally tally;
};

/* A thread for the debugger. */
struct softgt_eu_thread {
    struct thread_dispatcher *dispatch;
    struct eu_thread *thread;
    uint32_t index; /* in the group */
    uint32_t channels;
    uint64_t ip;  /* of the current instruction */
    bool has_run; /* thread_before is valid */
};

bool dispatch_create(struct thread_dispatcher *d, struct engine *e, struct oa *oa, const struct eu_isa *set,
                     const struct command_set *structures, const struct softgt_config *config);
void dispatch_destroy(struct thread_dispatcher *d);
extern const struct unit_shape dispatch_shape;
extern const struct work_ops dispatch_work_ops;
/* NULL: the engine runs no threads. */
static inline struct thread_dispatcher *dispatcher_of(const struct engine *e)
{
    return e->work.ops == &dispatch_work_ops ? e->work.unit : NULL;
}
extern const struct section dispatch_sections[];

/* ---- Commands ---- */

/* A command's work begins. False: it has nothing to do, or *outcome is OUTCOME_FAULT. */
bool dispatch_gpgpu_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_compute_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_execute_indirect(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_media_object(struct thread_dispatcher *d, struct execution *x,
                           enum outcome *outcome); /* media.c */
bool dispatch_media_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_media_root(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_media_group(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
/* Identity of a command: a hash of its address and its dwords; never 0. */
uint64_t walker_identity(const struct execution *x);
/* Whether the command has work to resume: it has the same place and dwords. If not, the work is dropped,
 * except a group that MEDIA_OBJECT_GRPID collects (DISPATCH_COLLECT). */
bool dispatch_is_current(struct thread_dispatcher *d, const struct execution *x);
/* Traces the end of the current work. `draw` has what its kind knows. (statistics.c) */
void dispatch_trace_end(struct thread_dispatcher *d, const struct softgt_draw *draw);
/* Runs a slice of the work: OUTCOME_RESUME until it is done. */
enum outcome dispatch_run(struct thread_dispatcher *d, struct execution *x);
/* The same with a budget, which is counted down. */
enum outcome dispatch_run_budget(struct thread_dispatcher *d, struct execution *x, uint64_t *budget);

/* The reason why a thread stopped. */
const char *dispatch_exception_text(const struct thread_dispatcher *d, const struct eu_thread *t);
/* The reason why no thread of the group can run. */
const char *dispatch_deadlock_text(const struct thread_dispatcher *d);

/* ---- Debugger (debug.c) ---- */

/* Sets hooks; NULL: none. Returns false without memory. */
bool dispatch_set_hooks(struct thread_dispatcher *d, const struct softgt_eu_hooks *hooks);
struct softgt_eu_thread dispatch_thread(struct thread_dispatcher *d, uint32_t index);
/* Selects the thread to run next, with a full time slice. It must be able to run. */
void dispatch_select_thread(struct thread_dispatcher *d, uint32_t index);
/* Runs the current thread one instruction at a time, with hooks. */
enum eu_stop dispatch_run_single_steps(struct thread_dispatcher *d, const struct eu_port *port,
                                       uint64_t *budget);

/* ---- Between its files ---- */

/* Discards earlier work. Keeps the cursor that a context image restored (DISPATCH_RESUME). (walker.c) */
struct work_state *dispatch_begin_work(struct thread_dispatcher *d, const struct execution *x,
                                       enum work_kind kind);
/* Reads bases, scratch memory, constants and the descriptor `index`. False: it is not loaded, or *outcome is
 * OUTCOME_FAULT. */
bool load_interface_descriptor(struct thread_dispatcher *d, struct work_state *g, uint64_t index,
                               enum outcome *outcome);
uint64_t binding_table_base(const struct thread_dispatcher *d, uint64_t offset);
void load_base_addresses(struct thread_dispatcher *d, struct work_state *g);
/* The operations of a kind of work. */
struct dispatch_ops {
    /* Finds the next group within the budget, and sets the phase. False: a fault, or an unsupported feature.
     * Draws and media objects choose the group here. Compute walkers choose it in `done`. */
    bool (*next)(struct thread_dispatcher *d, uint64_t *budget);
    /* The channel mask of thread `index` of the group; and its registers. */
    uint32_t (*channels)(const struct thread_dispatcher *d, unsigned index);
    void (*fill)(struct thread_dispatcher *d, struct eu_thread *t, unsigned index);
    /* The group's threads have ended. */
    void (*done)(struct thread_dispatcher *d);
    /* Optional: all groups are done. */
    void (*end)(struct thread_dispatcher *d);
    /* Optional: binds what only messages of this kind of work access. */
    void (*bind)(struct thread_dispatcher *d);
    /* Optional: ends the work at an unsupported feature. Returns false if the engine must hang instead. */
    bool (*abandon)(struct thread_dispatcher *d);
    /* Optional: whether a context switch is possible before the next group. */
    bool (*can_leave)(const struct thread_dispatcher *d);
    /* Whether registers allow a context switch before the work is done. */
    bool (*is_preemptable)(const struct engine *e);
    /* Writes the position of the work to a context image, and reads it. */
    uint32_t cursor_dw;
    void (*save)(const struct thread_dispatcher *d, uint32_t *cursor);
    void (*load)(struct thread_dispatcher *d, const uint32_t *cursor);
    /* Optional: after a load, whether the work is valid. */
    bool (*is_valid)(const struct thread_dispatcher *d);
    /* Optional. Returns false after a load until the command has decoded its state again. dispatch_run_budget
     * drops work that is not ready. */
    bool (*is_ready)(const struct thread_dispatcher *d);
    /* Optional: the work is dropped. */
    void (*drop)(struct thread_dispatcher *d);
    /* Optional: does what `next` has put off, at the end of a slice. False: as for `next`. */
    bool (*settle)(struct thread_dispatcher *d, uint64_t *budget);
    /* Optional: whether a slice gathers work in batches, which host threads share. */
    bool (*runs_batches)(struct thread_dispatcher *d);
    /* Optional: adds counters of the kind to registers. */
    void (*flush_counters)(struct thread_dispatcher *d);
    enum oa_shader_stage (*oa_client)(const struct thread_dispatcher *d);
    const char *next_failed_text;
    bool runs_parallel_groups;
    bool counts_invocations; /* in TS_GPGPU_THREADS_DISPATCHED */
};
extern const struct dispatch_ops compute_dispatch_ops, media_dispatch_ops;
static inline const struct dispatch_ops *dispatch_ops_of(const struct thread_dispatcher *d)
{
    return d->kinds[d->work.kind];
}
/* A command has begun work that is not done. */
static inline bool dispatch_has_work(const struct work_state *w)
{
    return w->phase >= DISPATCH_NEXT_WORK;
}
/* Somebody waits for the end of the run, as the clients of a server do. */
bool dispatch_is_short(const struct thread_dispatcher *d);
/* The budget of a slice with batches or parallel groups, in instructions. */
uint64_t dispatch_parallel_budget(const struct thread_dispatcher *d);
/* A bit of a FF_SLICE_CS_CHICKEN register, or of the context's CS_CHICKEN1 if FF_SLICE_CS_CHICKEN1 says so.
 */
bool dispatch_preemption_bit(const struct engine *e, uint32_t engine_register, uint32_t bit);

/* Fills the group's threads within the budget. Returns false on a fault. */
bool dispatch_begin_group(struct thread_dispatcher *d, uint64_t *budget);
/* Runs the current thread within the budget: OUTCOME_RESUME, or OUTCOME_FAULT and why. */
enum outcome dispatch_run_thread(struct thread_dispatcher *d, uint64_t *budget, const char **why);
/* Starts thread `index` of the group: its state and payload. */
void dispatch_start_thread(struct thread_dispatcher *d, unsigned index);
/* Groups of one thread that run one after the other, within a slice, and change no kernel. The caller starts
 * the thread each time. */
struct dispatch_repeat {
    struct eu_port port;
    struct eu_repeat threads;
};
void dispatch_repeat_begin(struct thread_dispatcher *d, struct dispatch_repeat *r);
/* Runs the started thread to its end, and counts it. Returns false if it has not ended, or after a fault:
 * dispatch_run_thread then says why. */
bool dispatch_repeat_run(struct thread_dispatcher *d, struct dispatch_repeat *r, uint64_t *budget);
/* Threads that follow each other. */
struct dispatch_thread_source {
    void *context;
    bool (*start)(void *context);                /* starts the next one in d->threads; false: there is none */
    void (*ended)(void *context, uint64_t used); /* it has used so much of its budget */
};
/* Runs the threads of a source in one go, each with a budget, and counts them together. Returns false if one
 * has not ended, or after a fault: then dispatch_run_thread goes on with what is left of its budget. */
bool dispatch_repeat_run_all(struct thread_dispatcher *d, struct dispatch_repeat *r,
                             const struct dispatch_thread_source *s, uint64_t budget, uint64_t *left);
/* Charges the budget for memory that cannot be mapped. */
void dispatch_charge_memory(const struct thread_dispatcher *d, uint64_t since_ns, uint64_t *budget);
/* Binds what messages of the work's threads access. */
void dispatch_setup_bindings(struct thread_dispatcher *d);
/* The stage that the current threads count for. (statistics.c) */
enum oa_shader_stage dispatch_oa_client(const struct thread_dispatcher *d);
/* Counts for another stage from now on; and flushes the counters of all stages at the end of a slice. */
void dispatch_count_for(struct thread_dispatcher *d, enum oa_shader_stage stage);
void dispatch_flush_counters(struct thread_dispatcher *d);

/* ---- Groups on several host threads (parallel_groups.c) ---- */

bool groups_create(struct thread_dispatcher *d);
void groups_destroy(struct thread_dispatcher *d);
/* Whether the next groups, if there are several, can run in parallel. */
bool groups_can_run_parallel(const struct thread_dispatcher *d);
/* Begins parallel groups with the next group. Returns false if it runs alone. */
bool groups_begin(struct thread_dispatcher *d);
/* Runs all groups within the budget: OUTCOME_RESUME, or OUTCOME_FAULT and why. The current group is then the
 * failed one. */
enum outcome groups_run(struct thread_dispatcher *d, uint64_t *budget, const char **why);
/* The id of the group that a hook stopped, or of the current one. */
void groups_current_id(const struct thread_dispatcher *d, uint32_t at[3]);
void groups_state(struct thread_dispatcher *d, struct state *s);

/* Fills the registers of thread `index` of the group. (payload.c) */
void payload_fill(struct thread_dispatcher *d, struct eu_thread *t, unsigned index);
/* The thread's sr0.0: unique among max_concurrent_groups successive groups. */
uint32_t sr0_thread_id(const struct thread_dispatcher *d, unsigned index);
uint32_t max_concurrent_groups(const struct thread_dispatcher *d);
/* The thread's dispatch mask. */
uint32_t payload_channels(const struct thread_dispatcher *d, unsigned index);

bool walker_is_preemptable(const struct engine *e);
enum oa_shader_stage walker_oa_client(const struct thread_dispatcher *d);

#endif
