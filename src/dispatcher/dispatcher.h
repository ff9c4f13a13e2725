/*
 * Dispatch of compute threads: a walker's groups one after the other, in their order; the threads of a group
 * in turn, each until it waits, ends, or has had its share. So the same work gives the same memory, whatever
 * budget it comes in. A dispatch is a walker at hand: all that it asked for is read once, at its start, and
 * kept in sections with its threads; the command goes on as long as it says AGAIN, stands where it
 stood and * says what it said. A reset of the engine drops it, and so does another context: that may come in
 between
 * two groups, and where the walk was is left in the image of the context.
 */
#ifndef DISPATCHER_DISPATCHER_H
#define DISPATCHER_DISPATCHER_H

#include "base/unit.h"
#include "draw/draw.h"
#include "oa/oa.h"
#include "shared_function/shared_function.h"
#include "stream/roles_compute.h"
#include "stream/structure.h"

#include <softgt/eu.h>

/* ---- State ---- */

enum { MAX_GROUP_THREADS = 128, MAX_SLM_BYTES = 64 << 10, INLINE_DW = 64, FETCH_PAGES = 4 };

/* Instructions that a thread runs before the next one does, if nothing else stops it: it may wait for that
 * one in memory. */
enum { THREAD_SLICE_INSTRUCTIONS = 1 << 16 };

/* Threads of a group are in execution units by turns, units of two rows. */
enum { EU_ROW_UNITS = 4, COUNTED_UNITS = 2 * EU_ROW_UNITS, THREAD_SLOTS = 8 };

/* What a payload has behind r0. */
enum thread_payload_kind {
    PAYLOAD_CONSTANTS,      /* cross-thread constants, then the thread's, from CURBE */
    PAYLOAD_INDIRECT,       /* the thread's, then cross-thread ones, from indirect data (GPGPU_WALKER) */
    PAYLOAD_MEDIA_OBJECT,   /* constants, then inline data or indirect data (MEDIA_OBJECT) */
    PAYLOAD_COMPUTE_WALKER, /* local IDs, then inline data (COMPUTE_WALKER) */
    PAYLOAD_PS,             /* where they are, then constants and planes (3DPRIMITIVE) */
    PAYLOAD_VS,             /* handles, then constants and what was fetched; of the same draw */
    PAYLOAD_HS,             /* in the order of enum urb_stage */
    PAYLOAD_DS,
    PAYLOAD_GS,
    PAYLOAD_GEN6_GS, /* an object's vertices */
    PAYLOAD_KINDS
};

enum { X, Y };

/* The loops of MEDIA_OBJECT_WALKER: what a step of each adds, and where it is. Positions of the global ones
 * are of all that is walked, of the others of the block there. (IVB PRM vol 2 part 2, Parameterized Media
 * Walker) */
struct media_loops {
    int32_t block_resolution[2], local_start[2], outer_step[2], inner_step[2], global_resolution[2],
        global_start[2], global_outer_step[2], global_inner_step[2], middle_step[2];
    uint32_t global_loop_count, local_loop_count, extra_steps,
        last_color; /* steps of a loop behind its first */
    struct media_cursor {
        int32_t global_outer[2], global[2], outer[2], middle[2], inner[2];
        uint32_t global_step, step, extra_step, color;
    } cursor;
};

/* What a walker asked for, and how far it has come. */
struct work_state {
    uint64_t walker_id; /* of the command that began it: walker_identity */
    uint64_t general_state_base, surface_state_base, bindless_surface_state_base, dynamic_state_base,
        instruction_base, binding_table;
    uint64_t sip;                   /* of the system routine, likewise; 0: there is none */
    uint64_t kernel_start_pointer;  /* an offset from the instruction base */
    uint64_t constants;             /* where cross-thread constants are, threads' follow */
    uint64_t indirect_data_address; /* MEDIA_OBJECT's indirect data */
    uint64_t post_sync_address, post_sync_data;
    uint32_t indirect_data_bytes;
    uint32_t cross_thread_constant_registers, thread_registers;
    uint32_t first_group[3], end_group[3], group_id[3]; /* groups; end is the first that is not of it */
    uint32_t thread_width_height_depth[3];              /* threads of a group: width, height, depth */
    uint32_t threads;
    uint32_t right_mask, bottom_mask;
    uint32_t local_size[3]; /* channels of a group, where hardware makes their IDs */
    uint32_t slm_bytes;     /* of its memory */
    uint32_t r0[8];         /* as far as all threads have it */
    uint32_t control[2];    /* cr0.0, cr0.1 */
    uint32_t inline_dw[INLINE_DW];
    uint32_t inline_length_dw;
    struct media_loops loops;
    uint32_t indirect_index, indirect_count; /* of EXECUTE_INDIRECT_DISPATCH: which of how many */
    uint32_t threads_started;                /* threads of the group to come that have their registers */
    uint32_t current_thread;                 /* which runs */
    uint32_t instructions_left;              /* instructions that it may still run before the next does */
    uint32_t barrier_count;                  /* threads at the barrier */
    uint32_t parallel_groups; /* groups at hand at once, from `at` on (parallel_groups.c); 0: one, or none */
    uint32_t next_parallel_groups; /* how many come next so; 0: none came yet */
    uint8_t simd;                  /* channels of a thread */
    uint8_t payload;               /* enum payload */
    uint8_t walk_order;            /* of local IDs: WALKER_WALK_ORDER's */
    uint8_t tile_layout;           /* IDs of a row in an oword of a tile, which come one by one; 0: no tile */
    uint8_t emit_local;            /* bits: x, y, z of local IDs */
    uint8_t post_sync_operation;
    bool large_grf;    /* 256 registers */
    bool media_walker; /* media objects are walked ... */
    bool seeks;        /* ... and the next is to be found; of a draw, the next pixels */
    bool gathers;      /* MEDIA_OBJECT_GRPID: threads of a group that is not whole yet */
    bool resumes; /* it was preempted, and no command goes on with it yet: identity and where it was are all
                     there is */
    bool live;    /* a walker is at hand */
    bool group;   /* a group of it has its threads */
    uint8_t reserved[7];
};

/* What threads did and nobody was told yet: none of it outlives a slice. */
struct dispatch_counters {
    uint64_t threads, invocations;
    uint64_t pixels, depth_passed;    /* that were shaded; that passed all tests; where they are counted */
    uint64_t vertices, domain_points; /* the same */
    struct {
        uint64_t clocks, messages, registers; /* registers: of messages' payloads, at least one each */
        uint64_t loaded;                      /* threads that were, for each of the clocks */
        uint64_t ran[EU_INSTRUCTION_KINDS];   /* instructions; while somebody asks for it */
    } units[COUNTED_UNITS];
};

struct parallel_groups; /* several at once (parallel_groups.c) */

struct thread_dispatcher {
    struct engine *engine;
    struct oa *oa; /* NULL: nobody counts what threads do */
    const struct eu_isa *set;
    const struct command_set *structures;
    const struct softgt_format *formats[SURFACE_FORMATS]; /* by code */
    const struct softgt_block_format *blocks[SURFACE_FORMATS];
    struct work_state work;
    struct draw draw; /* of PAYLOAD_PIXELS */
    struct urb *urb;  /* vertices that are shaded */
    struct tessellation tessellation;
    struct eu_thread *threads; /* MOST_GROUP_THREADS of them, in thread_room */
    void *thread_storage;
    uint8_t *slm; /* MOST_LOCAL_BYTES */
    struct message_context bindings;
    struct dispatch_counters counters;
    bool counts_instruction_kinds; /* of instructions, in the slice at hand */
    struct softgt_parallel_port parallel;
    struct softgt_code_port code;
    bool draws_enabled;             /* are drawn */
    struct parallel_groups *groups; /* NULL: there never were several at once */
    struct eu_cache *cache;
    bool cache_is_warm;     /* a thread has run in this slice */
    uint64_t kernel_stores; /* by messages, as far as they may be of the kernel */
    /* Of the kernel, where memory cannot be mapped. */
    uint8_t fetch_pages[FETCH_PAGES][PAGE_BYTES] __attribute__((aligned(64)));
    unsigned fetch_page_count;
    uint64_t fetch_cost; /* for it, in instructions: not taken from the budget yet */
    /* Whoever looks at threads (debug.c); no state. */
    struct softgt_eu_hooks hooks;
    struct eu_thread *thread_before;  /* the thread before the instruction at hand */
    bool single_steps;                /* threads run an instruction at a time */
    bool hook_may_stop, hook_stopped; /* a hook may stop a run; has stopped it, before an instruction */
};

/* A thread for whoever looks at it. */
struct softgt_eu_thread {
    struct thread_dispatcher *dispatch;
    struct eu_thread *thread;
    uint32_t index; /* in the group */
    uint32_t channels;
    uint64_t ip;  /* of the instruction at hand */
    bool has_run; /* it has: what was before is there */
};

bool dispatch_create(struct thread_dispatcher *d, struct engine *e, struct oa *oa, const struct eu_isa *set,
                     const struct command_set *structures, const struct softgt_config *config);
void dispatch_destroy(struct thread_dispatcher *d);
extern const struct unit_shape dispatch_shape;
extern const struct section dispatch_sections[];

/* ---- For commands ---- */

/* A command's dispatch begins; false: it has nothing to do, or *outcome is FAULT. */
bool dispatch_gpgpu_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_compute_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_execute_indirect(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_media_object(struct thread_dispatcher *d, struct execution *x,
                           enum outcome *outcome); /* media.c */
bool dispatch_media_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_media_root(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
bool dispatch_media_group(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome);
/* By a state that lacks nothing. What its formats lack is in *lack, or NULL: then all is as of the others.
 * (pixels.c) */
bool draw_begin(struct thread_dispatcher *d, struct execution *x, const struct draw_call *draw,
                const char **lack, enum outcome *outcome);
/* Whether it will be, as far as formats and shaders say; nothing begins. */
bool draw_can_begin(struct thread_dispatcher *d);
/* The draw of a loaded device goes on; false: what was loaded is none of the command's. */
bool draw_restore(struct thread_dispatcher *d, const struct draw_call *call);
/* A number that two commands have alike only if they stand in the same place and say the same; never 0. */
uint64_t walker_identity(const struct execution *x);
/* Whether the command is the one at hand, in its place since it last said AGAIN; else what is at
 hand is * dropped. */
bool dispatch_is_current(struct thread_dispatcher *d, const struct execution *x);
/* Goes on with it: AGAIN until it is done. */
enum outcome dispatch_run(struct thread_dispatcher *d, struct execution *x);
/* As far as the budget goes, which it counts down. */
enum outcome dispatch_run_budget(struct thread_dispatcher *d, struct execution *x, uint64_t *budget);

/* What stopped a thread. */
const char *dispatch_exception_text(const struct thread_dispatcher *d, const struct eu_thread *t);
/* Why none of a group's threads can go on. */
const char *dispatch_deadlock_text(const struct thread_dispatcher *d);

/* ---- Looking at threads (debug.c) ---- */

/* NULL: none. False: no memory. */
bool dispatch_set_hooks(struct thread_dispatcher *d, const struct softgt_eu_hooks *hooks);
struct softgt_eu_thread dispatch_thread(struct thread_dispatcher *d, uint32_t index);
/* It is that one's turn, which can run. */
void dispatch_select_thread(struct thread_dispatcher *d, uint32_t index);
/* eu_thread_run of the thread whose turn it is, an instruction at a time, with hooks. */
enum eu_stop dispatch_run_single_steps(struct thread_dispatcher *d, const struct eu_port *port,
                                       uint64_t *budget);

/* ---- Among its files ---- */

/* What a command before it left is dropped; of itself, preempted or in parts, where it is stays. (walker.c)
 */
struct work_state *dispatch_begin_work(struct thread_dispatcher *d, const struct execution *x);
/* Bases, scratch memory, constants and the descriptor `index`. False: there is none, or *outcome is
 FAULT. */
bool load_interface_descriptor(struct thread_dispatcher *d, struct work_state *g, uint64_t index,
                               enum outcome *outcome);
uint64_t pipeline_state_field(const struct thread_dispatcher *d, uint32_t header, unsigned role);
uint64_t binding_table_base(const struct thread_dispatcher *d, uint64_t offset);
void load_base_addresses(struct thread_dispatcher *d, struct work_state *g);
/* The next pixels, as far as the budget goes; false: a fault. (pixels.c) */
bool draw_advance(struct thread_dispatcher *d, uint64_t *budget);
/* Threads of a draw, by their payloads: one begins (of pixels: they come next again), its registers, its
 * channels, its end. */
struct stage_ops {
    void (*begin)(struct thread_dispatcher *d, uint64_t *budget);
    void (*payload)(struct thread_dispatcher *d, struct eu_thread *t);
    uint32_t (*channels)(const struct thread_dispatcher *d);
    void (*done)(struct thread_dispatcher *d);
};
extern const struct stage_ops ps_stage_ops, vs_stage_ops, gs_stage_ops, hs_stage_ops, ds_stage_ops,
    gen6_gs_stage_ops;
static inline const struct stage_ops *stage_ops_of(unsigned payload)
{
    static const struct stage_ops *const shadings[PAYLOAD_KINDS] = {
        [PAYLOAD_PS] = &ps_stage_ops, [PAYLOAD_VS] = &vs_stage_ops, [PAYLOAD_GS] = &gs_stage_ops,
        [PAYLOAD_HS] = &hs_stage_ops, [PAYLOAD_DS] = &ds_stage_ops, [PAYLOAD_GEN6_GS] = &gen6_gs_stage_ops};
    return shadings[payload];
}
/* What threads of a stage have alike; its state is of the commands with these headers. */
struct stage_commands {
    uint32_t shader, bindings, samplers, constants, urb, urb_alloc;
};
/* Its threads come next. */
void stage_setup(struct thread_dispatcher *d, unsigned stage);
/* Registers that are written one behind the other; those that are not there are passed over. */
struct payload_writer {
    struct eu_thread *thread;
    unsigned grf;
};
void payload_put(struct payload_writer *f, const void *from, size_t bytes);
void payload_push_constants(struct thread_dispatcher *d, struct payload_writer *f, unsigned stage);
/* Channels of a thread that has so many. */
uint32_t stage_channels(const struct thread_dispatcher *d);
/* An entry that the thread to come reaches, beside those before it. */
void urb_grant_entry(struct thread_dispatcher *d, uint32_t handle, size_t at_dw, uint32_t entry_dw);
/* The thread has ended: pixels come next again. */
void stage_thread_done(struct thread_dispatcher *d);
/* The same of vertices, where a thread has two. (vertex_pairs.c) */
uint32_t vs_simd4x2_channels(const struct urb *u);
void vs_simd4x2_payload(struct thread_dispatcher *d, struct eu_thread *t);
/* What messages of objects that stream out reach. (streams.c) */
void gen6_gs_bind(struct thread_dispatcher *d);
void urb_state(struct thread_dispatcher *d, struct state *s);
/* Of the URB's part; whether it may be so. (geometry.c) */
bool gs_thread_state(struct thread_dispatcher *d, struct state *s);
bool gen6_gs_output_state(struct thread_dispatcher *d, struct state *s);
/* The next thread of the loops, as far as the budget goes. (media.c) */
void media_walker_next(struct work_state *g, uint64_t *budget);
extern const struct state_field media_loops_fields[];
enum { MEDIA_LOOPS_FIELDS = 14 };

/* The group gets its threads, as far as the budget goes; false: a fault. */
bool dispatch_begin_group(struct thread_dispatcher *d, uint64_t *budget);
/* One thread's turn, as far as the budget goes: AGAIN, or FAULT and why. */
enum outcome dispatch_run_thread(struct thread_dispatcher *d, uint64_t *budget, const char **why);
/* From a group to the one behind it. */
void dispatch_next_group(struct thread_dispatcher *d);
/* Takes from the budget what memory that cannot be mapped lasted. */
void dispatch_charge_memory(const struct thread_dispatcher *d, uint64_t since_ns, uint64_t *budget);
static inline bool is_draw(const struct work_state *g)
{
    return g->payload >= PAYLOAD_PS;
}
/* Its groups never come several at once. */
static inline bool runs_one_group_at_a_time(const struct work_state *g)
{
    return g->payload == PAYLOAD_MEDIA_OBJECT || is_draw(g);
}
/* What messages reach. */
void dispatch_setup_bindings(struct thread_dispatcher *d);
/* Whose threads those at hand are; what was counted of them is told, when a slice ends, or when others' come.
 * (statistics.c) */
enum oa_shader_stage dispatch_oa_client(const struct thread_dispatcher *d);
void dispatch_flush_counters(struct thread_dispatcher *d, enum oa_shader_stage stage);

/* Several groups at once. (parallel_groups.c) */
enum { MAX_PARALLEL_GROUPS = 1024 };
bool groups_create(struct thread_dispatcher *d);
void groups_destroy(struct thread_dispatcher *d);
/* Whether groups come several at once, where there are several. */
bool groups_can_run_parallel(const struct thread_dispatcher *d);
/* From the next one on; false: they come one by one. */
bool groups_begin(struct thread_dispatcher *d);
/* Each goes on, as far as the budget goes for all; FAULT and why: of the one that is at hand then. */
enum outcome groups_run(struct thread_dispatcher *d, uint64_t *budget, const char **why);
/* Where the group is that somebody holds, or the first of those at hand. */
void groups_current_id(const struct thread_dispatcher *d, uint32_t at[3]);
void groups_state(struct thread_dispatcher *d, struct state *s);

/* Fills the registers of thread `index` of the group at hand. (payload.c) */
void payload_fill(struct thread_dispatcher *d, struct eu_thread *t, unsigned index);
/* Its sr0.0. Groups at hand at once, in the order of the walk, are told apart if they are that many or fewer.
 */
uint32_t sr0_thread_id(const struct thread_dispatcher *d, unsigned index);
uint32_t max_concurrent_groups(const struct thread_dispatcher *d);
/* Its channels. */
uint32_t payload_channels(const struct work_state *g, unsigned index);

#endif
