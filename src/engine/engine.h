/*
 * An engine: a command streamer. It parses a ring and its batch buffers and executes the row of each command.
 *
 * States (parse_state.state): IDLE, RUNNING, WAITING for a semaphore or an event, STOPPED by an error until a
 * reset. RUNNING ends at an empty ring, a wait, a preemption point, the end of the budget or an error. The
 * engine resumes exactly there: all that it needs is in the sections of engine_state.h.
 *
 * Who changes the state: the submission (ring.c, execlists.c, gen6_video_contexts.c) starts and switches
 * contexts, parse.c runs commands, context.c saves and restores images, register writes only set
 * `reschedule`.
 *
 * The engine names no command but those of context images (image.c). Not modelled: caches, prefetch of
 * commands, and, unless a time model is set, the time that commands take.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/unit.h"
#include "display/display.h"
#include "engine/engine_state.h"
#include "engine/image.h"
#include "engine/pipeline_state.h"
#include "interrupt/interrupt.h"
#include "memory/client.h"
#include "stream/bases.h"
#include "stream/index.h"

struct engine;
struct oa; /* oa/oa.h */

/* ---- The engine part of a data sheet ---- */

/* Where context descriptors are written, from the engine's base. Gen8: two descriptors to one port, the upper
 * half of the second first. Gen11: to a queue, then 1 to the register that loads the queue. */
struct submit_port {
    uint16_t offset;
    uint16_t load; /* 0: the last write submits */
};

/* How work is submitted. */
struct submission {
    /* The engine has nothing to run: loads the pending list. */
    void (*idle)(struct engine *e);
    /* The ring ran empty. */
    void (*ring_empty)(struct engine *e);
    /* At a command that allows preemption, while arbitration is enabled. */
    void (*arbitrate)(struct engine *e);
    /* The watchdog expired; optional. */
    void (*watchdog)(struct engine *e);
    struct submit_port port; /* of execlists */
    /* EXECLIST_STATUS, low dword; optional. */
    uint32_t (*status)(const struct engine *e);
};

/* Registers of a unit that belongs to an engine but lies outside the streamer's range. */
struct engine_unit {
    const struct register_block *block;
    uint32_t base;
};

/* Registers of a batch level: a context saves its address there. */
struct batch_registers {
    uint16_t address, address_udw, state;
};

/* The context status buffer in the hardware status page; entries 0: none. */
struct status_info {
    uint8_t entries, first_dw, pointer_dw;
    bool in_registers; /* too */
    /* Encodes a status buffer entry. */
    void (*entry)(const struct switch_report *report, uint32_t dw[2]);
};

struct fault_info {
    uint8_t id; /* of the engine, in the fault registers */
    /* Records a page fault in the registers of the generation. */
    void (*note)(struct engine *e, enum space space, uint64_t address, unsigned level);
};

/* Gen6: actions after a flush. */
struct flush_info {
    void (*flushed)(struct engine *e); /* one is complete */
    void (*drained)(struct engine *e); /* all that was parsed is complete: one that waited for it may be */
};

/* The watchdog counts timestamps or clocks while a context runs. */
struct watchdog_info {
    uint64_t clock_hz;
    bool counter_is_control; /* what is written to it starts and stops it */
    bool clocks_only;        /* with or without a context */
};

/* Time that commands take, in clocks of the GT. */
struct engine_costs {
    uint32_t command_clocks, dword_clocks;
    uint32_t job_clocks;     /* of a command that is COMMAND_WORK, in place of the first */
    uint32_t bytes_in_clock; /* that are stored */
};

/* To how many pixels and rows levels of depth and stencil buffers are aligned. (Mesa, isl) */
struct level_alignment {
    uint8_t x, y;
};
struct depth_alignments {
    struct level_alignment depth, depth_16bit, stencil;
};

/* The sizes of coarse pixels: by log2 of their columns and rows the most samples that they may have; 0: there
 * is no such size. */
struct coarse_pixel_sizes {
    uint8_t most_samples[3][3];
};

/* Threads of the stages before the pixel shader: as their state says; in SIMD4x2; a channel for each vertex,
 * object, patch or point, as many as a register has dwords. */
enum vertex_dispatch { VERTEX_DISPATCH_BY_MODE, VERTEX_DISPATCH_SIMD4X2, VERTEX_DISPATCH_SIMD };

/* Facts about draws of a product. */
struct draw_info {
    const struct depth_alignments *depth_alignments;     /* NULL: those of Gen7 */
    const struct coarse_pixel_sizes *coarse_pixel_sizes; /* NULL: all, with any samples */
    const struct state_location
        *state_locations;              /* of state that is not where its command has it; optional */
    bool has_3d_object_preemption;     /* registers say whether another context comes in within a draw */
    bool clip_distance_in_clip_state;  /* 3DSTATE_CLIP has the masks of user clip distances, no shader's state
                                        */
    bool z_near_far_clip_tests;        /* each end of the depth has an enable; else one is for both */
    bool depth_clear_value_is_float;   /* in 3DSTATE_CLEAR_PARAMS; else a number of the buffer's format */
    bool rt_writes_unconditional;      /* 3DSTATE_PS_BLEND has no "Has Writeable RT" */
    bool push_constants_unconditional; /* 3DSTATE_PS has no "Push Constant Enable" */
    bool attributes_unconditional;     /* 3DSTATE_PS_EXTRA has no "Attribute Enable" */
    bool constant_length_in_buffer;    /* 3DSTATE_CONSTANT_*: a length is in the low bits of its address */
    bool urb_entry_size_128b;          /* 3DSTATE_URB counts the size of an entry in 128 bytes, not in 64 */
    bool clip_viewport_separate;       /* SF_VIEWPORT and CLIP_VIEWPORT are two structures, without extents */
    bool viewport_without_extents;     /* SF_CLIP_VIEWPORT has none */
    bool depth_tile_4;                 /* depth and stencil buffers are in tile 4; else in Y tiles */
    bool depth_state_in_ccs;           /* textures of depth buffers have no HiZ, but compression state */
    uint8_t depth_clear_value_dw;      /* with it: where memory has the clear value of such a texture */
    bool stencil_tiled_as_depth;       /* else stencil buffers are in W tiles */
    bool depth_may_be_linear;          /* 3DSTATE_DEPTH_BUFFER has "Tiled Surface" */
    bool depth_writes_unconditional;   /* 3DSTATE_DEPTH_BUFFER has no write enables */
    bool stencil_interleaved;          /* some formats of the depth buffer have stencil */
    bool stencil_has_one_level;        /* a stencil buffer of its own does */
    bool stencil_enabled_by_pitch;     /* 3DSTATE_STENCIL_BUFFER has no enable */
    bool so_state_by_buffer;           /* 3DSTATE_SO_BUFFER has pitch and end, 3DSTATE_STREAMOUT enables */
    bool stencil_buffer_has_size;      /* 3DSTATE_STENCIL_BUFFER has its type, size and write enable */
    bool stencil_reference_in_color_calc; /* COLOR_CALC_STATE has the references, no command */
    bool multisample_modes_in_wm;         /* 3DSTATE_WM says how samples are rasterized and shaded */
    uint8_t vertex_dispatch;              /* enum vertex_dispatch */
    uint8_t ps_invocations_per_pixel;     /* what PS_INVOCATION_COUNT counts for a pixel; 0: 1 */
};

/* Facts about threads' messages and surface states of a product. */
struct message_info {
    bool has_simd4x2;                 /* messages of two vertices, with four channels each */
    bool gen6_sampler_messages;       /* descriptors and parameters of sampler messages are Gen6's */
    bool gen200_sampler_messages;     /* likewise Gen20's */
    bool lod_is_u4_6;                 /* SAMPLER_STATE's LODs and bias have 6 fraction bits; else 8 */
    bool lod_preclamp_is_one_bit;     /* SAMPLER_STATE has LOD PreClamp Enable, no mode */
    bool border_color_unorm8_first;   /* SAMPLER_BORDER_COLOR_STATE begins with a UNORM8 color */
    uint8_t border_color_integers_dw; /* SAMPLER_BORDER_COLOR_STATE has integers from there on; 0: instead of
                                         floats */
    bool ld_lod_is_second_parameter;  /* the sampler's ld has its parameters as u, lod, v, r */
    bool shader_channel_select;       /* RENDER_SURFACE_STATE selects a channel for each of the shader's */
    bool gfx4_volume_layout;          /* slices of a volume lie in rows, 1D surfaces as 2D ones (Mesa, isl) */
    bool depth_makes_array;           /* no Surface Array: what has several elements is one */
    bool tile_64_has_all_samples;     /* of a pixel, as array elements; else up to four of them */
    bool samples_are_interleaved;     /* of all surfaces of several samples; else the surface state says so */
    bool alignment_in_pixels;     /* alignments and QPitch of compressed surfaces count pixels, not blocks */
    bool ccs_is_surface;          /* RENDER_SURFACE_STATE has its address; else it is found by address */
    bool ccs_has_one_bit;         /* a bit for each pair of cache lines; else two */
    bool clear_color_has_one_bit; /* a channel's clear color is zero or one */
    bool gen200_aux_surfaces;     /* no surface state has a CCS, nor a clear color: fast clears write it */
    bool scratch_by_surface;      /* scratch memory has a surface state; else each thread has an offset */
    bool r0_thread_index;         /* r0.2 has the thread's index in its group */
    bool private_memory_by_r0;  /* kernels have private memory by the thread's number in r0.5, without scratch
                                 */
    uint8_t target_index_shift; /* render target writes without header: the extended descriptor has the
                                 * target's number from this bit on, Null Render Target and Src0 Alpha
                                 * Present; 0: it has not */
    bool target_parts_in_ex_descriptor; /* and says whether there are oMask, depth and stencil */
    bool binding_table_pool_always;     /* the pool has no enable */
    bool binding_table_units;           /* GT_MODE selects the unit of a pool's offsets */
    uint8_t array_spacing_rows; /* unused rows of each array element, in alignments; 0: states have QPitch */
    uint8_t surface_y_offset_rows; /* unit of RENDER_SURFACE_STATE's Y Offset */
    bool slm_has_384_kb;           /* shared local memory of a group; else it has up to 64 KB */
    bool null_is_out_of_bounds;    /* accesses to null surfaces are counted; of no device, of softgt eu */
};

/* Rights of non-privileged batches. */
struct privilege_info {
    const uint32_t *default_whitelist; /* what drivers put in FORCE_TO_NONPRIV; ends with 0; optional */
    bool nonpriv_list;                 /* there are FORCE_TO_NONPRIV registers ... */
    bool nonpriv_ranges;               /* ... that open ranges and deny */
    bool ggtt_falls_back; /* GGTT accesses of non-privileged batches go to the PPGTT (REN-15), else nowhere */
    bool instpm_disables; /* INSTPM disables classes of commands (REN-06) */
};

/* Context images, and how contexts are submitted. Offsets count from the LRCA. */
struct context_info {
    const struct image_row *image;       /* register state: ring context, then engine context */
    const struct image_row *power_image; /* what RC6 saves and loads; optional */
    const struct submission *execlists;  /* while GFX_MODE enables them */
    const struct submission *legacy;     /* another kind, that starts with the first context */
    uint16_t pphwsp_offset;              /* of the per-process status page */
    uint16_t image_offset;               /* of the context image */
    uint16_t probe_list_offset;          /* of the probe list */
    uint16_t execlist_enable;            /* bits of GFX_MODE, any of which enables execlists */
    bool has_memirq;        /* memory-based interrupts, for contexts that enable them in their images */
    bool timestamp_64_bits; /* CTX_TIMESTAMP_UDW has the upper half of the context's time */
};

struct engine_info {
    const char *name; /* "rcs0" */
    enum engine_class class;
    uint8_t instance;
    uint32_t mmio_base;
    uint32_t class_alias; /* another base at which context images of this class may name registers, 0: none */
    const struct register_block *const *blocks; /* placed at mmio_base, ends with NULL */
    const struct engine_unit *units;            /* units the engine feeds, ends with a NULL block; optional */
    struct interrupt_line interrupt;
    uint32_t reset_bits; /* in GDRST */
    uint64_t timestamp_hz;
    uint32_t hws_pga; /* where HWS_PGA is, from mmio_base; before it, too */
    uint32_t
        aux_table_base_register; /* the register with its table of auxiliary surfaces; 0: there is none */
    uint32_t gfx_mode_register; /* where what Gen6 calls GFX_MODE is: the enable of page tables in the GGTT */
    uint16_t hwstam_isr_bits;   /* ISR bits that HWSTAM can let through to the status page */
    uint16_t predicate_result_2_register; /* where MI_PREDICATE_RESULT_2 is, if elsewhere */
    uint8_t slices;                       /* of the render engine, for MI_SET_PREDICATE */
    struct draw_info draws;
    struct message_info messages; /* of engines that have threads */
    struct status_info status;
    struct fault_info faults;
    struct watchdog_info watchdog;
    const struct batch_registers *batches; /* by level, BATCH_LEVELS of them at most; ends with address 0 */
    struct privilege_info privileges;
    bool encodes; /* AVC (VCS-10) */
    struct constants_flag constant_buffer_address_offset_disable[CONSTANTS_FLAGS];
    /* The page directory registers' current contents. */
    struct ppgtt_root (*page_directory)(const struct engine *e);
    const struct flush_info *flush; /* optional */
    struct context_info contexts;
};

/* ---- State ---- */

enum {
    SKIP_PREDICATED = 1u << 0, /* MI_SET_PREDICATE */
    SKIP_DISABLED = 1u << 1,   /* INSTPM */
    SKIP_PRIVILEGED = 1u << 2, /* an encrypted batch (REN-28) */
    SKIP_PHYSICAL = 1u << 3,   /* a virtual function's context (SYS-04) */
};

enum { INDIRECT_MAX = 8 };

/* The parser's position in a page of a stream; at == limit: the page must be looked up again. */
struct cursor {
    uint64_t page_address; /* graphics address of `page` */
    const uint32_t *page;  /* where the host has it; NULL: nowhere, the stream's own address counts */
    const uint32_t *at, *limit;
};

/*
 * A unit that works for an engine's contexts, slice by slice: the thread dispatcher
 * (dispatcher/dispatcher.h), the encoder (video/encoder.h). A context image has its state after the state
 * commands.
 */
struct work_ops {
    uint32_t image_mark;   /* upper half of the dword before the state; the lower half has the length */
    uint32_t image_dw;     /* the longest state */
    bool reset_by_switch;  /* another context comes, or none */
    bool reset_by_restore; /* a context's registers begin to be restored */
    void (*reset)(void *unit, enum reset_scope scope);
    /* Optional: it has begun what cannot be left: no other context comes in before it is done. */
    bool (*blocks_preemption)(const void *unit);
    /* Stores the data that a restore needs. Returns its length in dwords; 0: none. */
    uint32_t (*save)(void *unit, uint32_t *dw);
    /* Restores them; *progress: of the command that resumes. False: the data is invalid and nothing changes.
     */
    bool (*load)(void *unit, const uint32_t *dw, uint32_t count, uint64_t *progress);
    const char *name; /* a state that is not taken is reported by this name; NULL: it is not */
};
struct engine_work {
    const struct work_ops *ops; /* NULL: the engine has no such unit */
    void *unit;
};

/* Who accesses registers when a command does: the command of a batch that is not privileged, any other
 * command, the restore of a context. */
struct engine_accessors {
    struct accessor unprivileged, privileged, restore;
};

/* All engines of the device, this one included. */
struct engine_peers {
    struct engine *engines;
    unsigned count;
};

/* What was counted before power-on resets: the owner's tools tell it of a run that has resets. Not state. */
struct earlier_counts {
    struct totals totals;
    struct unknown_headers unknown_headers;
    uint64_t *commands; /* by row number */
};

/* The rows of its commands, and how often each was executed. */
struct engine_commands {
    const struct command_set *set;
    const struct command_set *structures;  /* structures in memory; NULL: nothing reads them here */
    uint32_t pipeline_select;              /* header of the row with COMMAND_SELECTS_PIPELINE */
    uint16_t indirect_state[INDIRECT_MAX]; /* rows with COMMAND_INDIRECT_STATE, in their order; then 0 */
    uint64_t *counts;                      /* a section: commands done, by row number */
    struct earlier_counts earlier;
};

/* Plans of info->contexts, made once. */
struct engine_images {
    struct image_plan context, power;
};

/* Memory of the parser: not state. */
struct engine_buffers {
    uint32_t *scratch; /* SCRATCH_DW: a command that crosses pages, an image that is written */
    uint8_t bounce[STREAMS][PAGE_BYTES] __attribute__((aligned(64))); /* pages that cannot be mapped */
};

/* Units that follow what the engine does. */
struct engine_listener {
    /* A scheduler's event mask, and the bit that the engine sets in it when it has a context status, stops or
     * waits. NULL: no listener. */
    uint32_t *event_mask, event_bit;
    /* The engine has another context or none, was reset, or begins a restore. Optional. */
    void (*context_changed)(struct oa *oa, struct engine *e, bool begins);
    struct oa *oa; /* the observation unit; it writes the reports of performance counters */
};

/* The time that commands take. */
struct engine_time_model {
    const struct engine_costs *costs;                     /* NULL: commands take no time */
    uint32_t (*frequency)(const struct register_file *f); /* of the GT, in 50/3 MHz */
};

/* Rights that registers give commands; derived from the registers. */
struct engine_rules {
    /* Bytes of registers, from the engine's base on, that commands may write without a check: those of
     * batches that are not privileged [0], all others [1]. */
    uint32_t short_bytes[2];
    uint8_t skip; /* SKIP bits: commands that are parsed and not executed */
};

struct engine {
    const struct engine_info *info;
    struct engine_accessors accessor;
    struct engine_peers peers;
    struct device_log *log;
    struct register_file *mmio;
    struct interrupt *interrupt;
    struct display *display;
    struct engine_commands commands;
    struct engine_images images;
    struct engine_buffers buffers;
    struct engine_listener listener;
    struct engine_time_model time_model;
    struct engine_work work;

    /* Sections of state, described in engine_state.h. */
    struct parse_state parse;
    struct wait wait;
    struct execlist_state execlists;
    struct status_fifo status_fifo;
    struct context_state context;
    struct status_state status;
    struct scan_windows scan_windows;
    struct alu_state alu;
    struct totals totals;
    struct unknown_headers unknown_headers;
    struct timing timing;
    struct pipeline_state pipeline;

    /* Derived from the sections and from the registers by engine_recompute_derived. */
    struct mmu mmu;
    struct memory_client memory; /* accesses through it, for units that know no engine */
    struct cursor cursors[STREAMS];
    const struct submission *submission;
    struct engine_rules rules;
};

bool engine_create(struct engine *e, const struct engine_info *info, struct device_log *log,
                   struct register_file *mmio, struct interrupt *interrupt, struct memory *memory,
                   const struct command_set *set);
void engine_destroy(struct engine *e);

extern const struct unit_shape engine_shape;
enum { ENGINE_SECTIONS = 11 };
extern const struct section engine_sections[ENGINE_SECTIONS];

void engine_reset(void *unit, enum reset_scope scope);
/* The same for the PF's driver: it does not reset an engine that runs a VF's context. */
void engine_reset_by_pf(void *unit, enum reset_scope scope);
void engine_drop_work(struct engine *e);
/* Earlier and current counts. (earlier_counts.c) */
void engine_keep_counts(struct engine *e); /* before a reset clears them */
void engine_forget_earlier(struct engine *e);
void engine_sum_totals(const struct engine *e, struct totals *sum);
void engine_sum_unknown(const struct engine *e, struct unknown_headers *sum);
void engine_recompute_derived(void *unit);
void engine_state(void *unit, struct state *s);
bool engine_end_batch(struct engine *e);
/* Skips the command of row `c` that stopped the engine in a batch. False: it is not in a batch. */
bool engine_skip_command(struct engine *e, const struct command *c);
/* Forgets host pointers: bus memory may have moved in the host. */
void engine_drop_host_pointers(struct engine *e);
/* Forgets all translations, including those of the pages that are being parsed. */
void engine_invalidate_tlb(struct engine *e);

/* Parses until the engine cannot continue or the budget is used up. Returns the used dwords. (parse.c) */
uint64_t engine_parse(struct engine *e, uint64_t budget_dw);
/* The same with the time model: stops when the parsed commands last beyond now. (timing.c) */
uint64_t engine_parse_timed(struct engine *e, uint64_t budget_dw);
void engine_timing_begin(struct engine *e);
void engine_watchdog_advance(struct engine *e, uint64_t before_ns);
uint64_t engine_watchdog_next_ns(const struct engine *e);

/* ---- For submission and contexts ---- */

static inline bool engine_has_threads(const struct engine *e)
{
    return e->info->class == CLASS_RENDER || e->info->class == CLASS_COMPUTE;
}

static inline uint32_t engine_register(const struct engine *e, uint32_t offset)
{
    return register_value(e->mmio, e->info->mmio_base + offset);
}

/* Constant buffer 0 has an absolute address. (OVR-04) */
static inline bool engine_constants_absolute(const struct engine *e)
{
    const struct constants_flag *const f = e->info->constant_buffer_address_offset_disable;
    return (engine_register(e, f[0].offset) & f[0].bit) || (engine_register(e, f[1].offset) & f[1].bit);
}

static inline void engine_register_set(struct engine *e, uint32_t offset, uint32_t value)
{
    register_set(e->mmio, e->info->mmio_base + offset, value);
}

/* GGTT address of the current context, from its descriptor. */
static inline uint32_t context_lrca(const struct engine *e)
{
    return e->context.current.low & ~0xfffu;
}

/* 64-bit registers: the low dword comes first. */
static inline uint64_t engine_register64(const struct engine *e, uint32_t offset)
{
    return engine_register(e, offset) | (uint64_t)engine_register(e, offset + 4u) << 32;
}

static inline void engine_register64_set(struct engine *e, uint32_t offset, uint64_t value)
{
    engine_register_set(e, offset, (uint32_t)value);
    engine_register_set(e, offset + 4u, (uint32_t)(value >> 32));
}

/* Adds to a counter. */
static inline void engine_register64_add(struct engine *e, uint32_t offset, uint64_t more)
{
    if (more)
        engine_register64_set(e, offset, engine_register64(e, offset) + more);
}

enum { ENGINE_BYTES = 0x1000 /* of registers from its base on */ };

/* VFs are isolated: only the GuC submits the engine. */
static inline bool vfs_isolated(const struct engine *e)
{
    return vfs_are_isolated(e->mmu.memory->isolation);
}

/* Each recomputes a part of what is derived from registers; engine_recompute_derived does all. */
void engine_derive_submission(struct engine *e);
/* Sets the function (PF or VF) of the current context. */
void engine_derive_function(struct engine *e);
/* With isolated VFs: the register is it VF's mailbox, or belongs to the context that an engine, one of the
 * VF on an runs for a VF other than `function`. */
bool engine_register_belongs_to_vf(const struct engine *e, uint32_t offset, unsigned function);
void engine_derive_page_directory(struct engine *e);
void engine_derive_privileges(struct engine *e);
void engine_derive_skip(struct engine *e);

bool engine_execlists_enabled(const struct engine *e);
void engine_interrupt(struct engine *e, uint32_t bits);
/* The same, without setting ISR. */
void engine_raise(struct engine *e, uint32_t bits);
/* Sends a trace event: a batch begins or ends, a wait, a stop. */
void engine_trace(const struct engine *e, enum softgt_event_kind kind, uint64_t address);
/* The reason of a stop or a wait as text; "": neither. */
const char *engine_stop_reason(const struct engine *e);
/* Sets ISR bits to `value` and writes those that HWSTAM unmasks to the status page. (REN-14) */
void engine_isr(struct engine *e, uint32_t bits, uint32_t value);
void engine_stop(struct engine *e, enum stop_reason why);
void engine_error(struct engine *e, uint32_t eir_bits);
/* The registers that a FORCE_TO_NONPRIV register allows or denies. */
struct nonpriv_range {
    uint32_t first, end;
    bool denied;
};
struct nonpriv_range engine_nonpriv_range(const struct engine *e, uint32_t value);
/* Sets the MI_SET_PREDICATE condition; 0: no predication. */
void engine_predicate(struct engine *e, uint32_t enable);
/* TIMESTAMP at a virtual time: 36 bits. */
uint64_t engine_timestamp(const struct engine *e, uint64_t at_ns);
uint64_t engine_ticks(uint64_t ns, uint64_t hz);
/* The first time at which engine_ticks returns `ticks`. */
uint64_t engine_ticks_end_ns(uint64_t ticks, uint64_t hz);

/* The current command begins this wait or continues it. False: software ended the wait. (REN-10) */
bool wait_begin(struct engine *e, struct wait wait);
void wait_end(struct engine *e);
/* Raises the interrupt of the current wait, once. */
void wait_raise_interrupt(struct engine *e, uint32_t interrupt_bits);
/* A signal came: the engine checks its wait again. */
void wait_signal(struct engine *e);
/* Software ends the current wait if RING_BUFFER_CTL shows it by one of these bits. */
void wait_cancel(struct engine *e, uint32_t ring_ctl_bits);

/* ---- Streams (fetch.c) ---- */

/* Parses from RING_BUFFER_HEAD: the ring registers changed. */
void ring_load(struct engine *e);
/* Makes a valid UHPTR the ring's head. True: the parser continues there. (REN-12) */
bool ring_apply_uhptr(struct engine *e);
/* Writes the automatic head report of RING_BUFFER_CTL when HEAD passed a boundary. (REN-11) */
void ring_report_head(struct engine *e);
uint32_t ring_head(const struct engine *e);
/* HEAD under a given RING_BUFFER_CTL: a disabled ring has no length to wrap at. */
uint32_t ring_head_with_ctl(const struct engine *e, uint32_t ctl);
/* HEAD after the ring's current command, or after the batch that it started. */
uint32_t ring_head_after_command(const struct engine *e);
/* MI_MODE bit 11: UHPTR is invalidated when HEAD reaches it. The first returns whether such a UHPTR is
 * pending, the second invalidates it. (VCS-03) */
bool ring_uhptr_is_pending(const struct engine *e);
void ring_invalidate_uhptr(struct engine *e);
enum { UHPTR_VALID = 1u << 0 };
void stream_push(struct engine *e, enum stream_kind kind, enum space space, uint64_t address, bool trusted);
/* Returns to the stream that started the current one. */
void stream_pop(struct engine *e);
/* The batch level of the current stream; 0: no batch. */
unsigned stream_batch_level(const struct engine *e);
/* Whether the current stream is a context image; INDIRECT_CTX is not. */
static inline bool stream_is_image(const struct engine *e)
{
    return e->parse.streams[e->parse.depth].kind == STREAM_RESTORE;
}

/* Whether commands of the stream are privileged. (CSP-15) */
bool stream_privileged(const struct engine *e, unsigned depth);

static inline uint64_t stream_address(const struct engine *e, unsigned depth)
{
    const struct cursor *c = &e->cursors[depth];
    return c->page ? c->page_address + (uint64_t)(c->at - c->page) * 4u : e->parse.streams[depth].address;
}

/* Continues at `address`; its page is looked up at the next fetch. */
static inline void stream_seek(struct engine *e, unsigned depth, uint64_t address)
{
    e->parse.streams[depth].address = address & ~UINT64_C(3);
    e->cursors[depth] = (struct cursor){0};
}

/* Jumps to `address`. */
static inline void stream_jump(struct engine *e, uint64_t address)
{
    e->parse.streams[e->parse.depth].started = false;
    stream_seek(e, e->parse.depth, address);
}

/* Reads the header after the current command. False: it is not available yet. */
bool stream_next_header(struct engine *e, uint32_t *header);

/* Makes the parser look up the page of the current stream, and its privileges, again. */
static inline void stream_refetch(struct engine *e)
{
    stream_seek(e, e->parse.depth, stream_address(e, e->parse.depth));
}

static inline void engine_notify_context_changed(struct engine *e, bool begins)
{
    if (e->listener.context_changed)
        e->listener.context_changed(e->listener.oa, e, begins);
}

/* context.c */
/* Advances CTX_TIMESTAMP to now and stores it. (CSP-22) */
uint64_t context_count_time(struct engine *e);
void context_begin_restore(struct engine *e);
void context_end_restore(struct engine *e);
/* MI_BATCH_BUFFER_END in an image. */
void context_end_image(struct engine *e);
/* False: a page of the image is not mapped; the engine stopped. */
bool context_save(struct engine *e);
bool context_reload_tail(struct engine *e);
/* Changes the image so that its context resumes after the ring's current command, outside batches. */
void context_skip_ring_command(struct engine *e);
/* Gen6: loads PP_DCLV, the valid page directory sets, from the image. (VCS-01) */
void context_reload_directory(struct engine *e);
/* Saves and restores the image's registers without a command stream: Gen6 and ring mode. A restore ends after
 * the ring context if the register `control`, as in the image, has one of `inhibit_bits`. */
void context_save_registers(struct engine *e);
void context_restore_registers(struct engine *e, uint32_t control, uint32_t inhibit_bits);
/* MI_SET_CONTEXT: the context switch of ring mode. True: the context was restored. */
bool context_set(struct engine *e, uint32_t lrca, bool force_restore, bool restore_inhibit);
/* Writes an image from the registers, at most room_dw dwords. Returns the length in dwords. */
uint32_t context_write_image(struct engine *e, struct image_plan *plan, uint32_t *dw, uint32_t room_dw);
/* Powers an idle engine down and up; the caller saves and restores its registers. */
void engine_power_down(struct engine *e);
void engine_power_up(struct engine *e);
/* Restores an idle engine's registers from its power context; dw is a whole power context. */
void context_power_up(struct engine *e, const uint32_t *dw);

/* execlists.c */
extern const struct submission gen8_execlists, gen11_execlists;
/* Writes of the CPU to the submit port, to the queue's load register and to the status pointer. */
void execlists_submit_port(struct engine *e, uint32_t value);
void execlists_load_queue(struct engine *e);
void execlists_status_pointer(struct engine *e, uint32_t value);
/* The GuC submits a list of one context or of none; it replaces the pending list. */
void execlists_command(struct engine *e, struct context_descriptor next);
/* False: there is none. */
bool engine_status_pop(struct engine *e, struct switch_report *report);
static inline void engine_signal_event(const struct engine *e)
{
    if (e->listener.event_mask)
        *e->listener.event_mask |= e->listener.event_bit;
}

/* ring.c, fault.c, execlists.c */
extern const struct submission ring_submission;
void gen7_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level);
void gen8_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level);
void gen12_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level);
void gen125_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level);
void gen8_status_entry(const struct switch_report *report, uint32_t dw[2]);
void gen12_status_entry(const struct switch_report *report, uint32_t dw[2]);
void gen125_status_entry(const struct switch_report *report, uint32_t dw[2]);
void engine_fault(void *user, enum space space, uint64_t address, bool write, unsigned level);
void engine_write_dropped(void *user, enum space space, uint64_t address);
enum { GEN6_GFX_MODE = 0x2520 /* one register of the render engine serves all engines */ };

/* gen6_faults.c */
extern const struct register_block gen6_fault_registers;
void gen6_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level);
/* Entries of MI_PROBE: page address 31:12, slot 9:0. (REN-03) */
enum outcome probe_surfaces(struct execution *x);
enum outcome unprobe_surface(struct execution *x, uint32_t slot);
/* Probes the list of a restored context. */
enum outcome probe_context(struct execution *x);

/* Offsets of registers that units share, from the engine's base. */
enum {
    EXCC = 0x028,
    SYNC_0 = 0x040, /* Gen6's mailbox registers */
    SYNC_1 = 0x044,
    SYNC_2 = 0x048,
    RING_BUFFER_TAIL = 0x030,
    RING_BUFFER_HEAD = 0x034,
    RING_BUFFER_START = 0x038,
    RING_BUFFER_CTL = 0x03c,
    HWS_PGA = 0x080, /* from Gen8 on */
    CMD_BUFF_CTL = 0x084,
    CTX_WA_PTR = 0x058,
    NOPID = 0x094,
    HWSTAM = 0x098,
    MI_MODE = 0x09c,
    INT_SRC_RPT_PTR = 0x0a4, /* Gen12.5 */
    RING_IMR = 0x0a8,
    INT_STATUS_RPT_PTR = 0x0ac,
    EIR = 0x0b0,
    EMR = 0x0b4,
    ESR = 0x0b8,
    INSTPM = 0x0c0,
    R_PWR_CLK_STATE = 0x0c8,
    CS_DEBUG_MODE2 = 0x0d8,
    BB_STATE = 0x110,
    UHPTR = 0x134,
    BB_PREEMPT_ADDR = 0x148,
    RING_BUFFER_HEAD_PREEMPT_REG = 0x14c,
    SBB_ADDR = 0x114,
    SBB_STATE = 0x118,
    SBB_ADDR_UDW = 0x11c,
    BB_ADDR = 0x140,
    BB_ADDR_UDW = 0x168,
    BB_OFFSET = 0x158,
    PR_CTR_CTL = 0x178,
    CCID = 0x180,
    PR_CTR_THRSH = 0x17c,
    PR_CTR = 0x190,
    RESET_CTL = 0x0d0,
    BB_PER_CTX_PTR = 0x1c0,
    INDIRECT_CTX = 0x1c4,
    INDIRECT_CTX_OFFSET = 0x1c8,
    CSB_INTERRUPT_MASK = 0x218,
    THIRD_BB_ADDR = 0x5e0,
    THIRD_BB_ADDR_UDW = 0x5e4,
    THIRD_BB_STATE = 0x5e8,
    PP_DCLV = 0x220, /* Gen6 */
    PP_DIR_BASE = 0x228,
    EXECLIST_SUBMITPORT = 0x230,
    CTXT_SR_CTL = 0x244,
    BCS_SWCTRL = 0x200,
    PDP = 0x270,
    GFX_MODE = 0x29c,
    CONTEXT_STATUS_BUF = 0x370,
    CONTEXT_STATUS_PTR = 0x3a0,
    CTX_TIMESTAMP = 0x3a8,
    CTX_TIMESTAMP_UDW = 0x3ac,
    MI_PREDICATE_RESULT_2 = 0x3bc,
    MI_PREDICATE_SRC0 = 0x400,
    MI_PREDICATE_SRC1 = 0x408,
    MI_PREDICATE_DATA = 0x410,
    MI_PREDICATE_RESULT = 0x418,
    MI_PREDICATE_RESULT_1 = 0x41c,
    FORCE_TO_NONPRIV = 0x4d0,
    EXECLIST_SQ_CONTENTS = 0x510,
    EXECLIST_CONTROL = 0x550,
    CS_GPR = 0x600,
};

enum { RESET_CTL_CATASTROPHIC = 1u << 2 };

/* Engine interrupt bits (CSP-23). */
enum {
    INTERRUPT_USER = 1u << 0,
    INTERRUPT_SYNC_STATUS = 1u << 2, /* Gen6 */
    INTERRUPT_MASTER_ERROR = 1u << 3,
    INTERRUPT_FLUSH_NOTIFY = 1u << 4,
    INTERRUPT_WATCHDOG = 1u << 6,
    INTERRUPT_PAGE_FAULT = 1u << 7,
    INTERRUPT_CONTEXT_SWITCH = 1u << 8,
    INTERRUPT_SEMAPHORE_WAIT = 1u << 11,
    INTERRUPT_CATASTROPHIC = 1u << 15, /* Gen12.5 */
};

enum { BB_STATE_PPGTT = 1u << 5 }; /* Gen6: and it is not secure */
enum { CTXT_SR_CTL_NO_SYNCHRONOUS_SWITCH = 1u << 3 };
enum {
    MI_MODE_PREDICATE = 0xf,
    MI_MODE_STOP_RING = 1u << 8,
    MI_MODE_RING_IDLE = 1u << 9,
    MI_MODE_NESTED_BATCHES = 1u << 12, /* from Gen12 on */
    MI_MODE_SUSPEND_FLUSH = 1u << 15,
};
enum {
    GFX_MODE_EXECLISTS = 1u << 15,
    GFX_MODE_NO_LEGACY = 1u << 3,
    GFX_MODE_PPGTT = 1u << 9,
    GFX_MODE_NO_PRIVILEGE_CHECK = 1u << 1
};

enum {
    RING_BUFFER_CTL_WAIT_EVENT = 1u << 11,
    RING_BUFFER_CTL_WAIT_SEMAPHORE = 1u << 10,
    RING_BUFFER_CTL_NO_REGISTERS = 1u << 8,
    RING_BUFFER_CTL_ENABLE = 1u << 0,
};

/* Reasons of a context status (CSP-19). */
enum {
    SWITCH_IDLE_TO_ACTIVE = 1u << 0,
    SWITCH_PREEMPTED = 1u << 1,
    SWITCH_ELEMENT = 1u << 2,
    SWITCH_ACTIVE_TO_IDLE = 1u << 3,
    SWITCH_CONTEXT_COMPLETE = 1u << 4,
    SWITCH_WAIT_ON_SYNC_FLIP = 1u << 5,
    SWITCH_WAIT_ON_VBLANK = 1u << 6,
    SWITCH_WAIT_ON_SCANLINE = 1u << 7,
    SWITCH_WAIT_ON_SEMAPHORE = 1u << 8,
    SWITCH_LITE_RESTORE = 1u << 15,
};

/* EIR bits (CSP-23; REN-15, where bit 3 is a GGTT access of a non-secure batch). */
enum {
    EIR_INSTRUCTION = 1u << 0,
    EIR_PRIVILEGE = 1u << 2,
    EIR_MEMORY_PRIVILEGE = 1u << 3,
    EIR_PAGE_TABLE = 1u << 4,
};

/* Commands that were parsed are not complete yet (time model). */
static inline bool engine_is_busy(const struct engine *e)
{
    return e->timing.until_ns > e->log->now_ns;
}

/* Runs, waits, or has commands that are not complete. */
static inline bool engine_has_work(const struct engine *e)
{
    return (e->parse.state != SOFTGT_ENGINE_IDLE && e->parse.state != SOFTGT_ENGINE_STOPPED) ||
           engine_is_busy(e);
}

/* Continues to parse once the parsed commands are complete. */
static inline bool engine_continues_when_done(const struct engine *e)
{
    return engine_is_busy(e) && (e->parse.state == SOFTGT_ENGINE_RUNNING || e->parse.reschedule);
}

/* With isolated VFs: the running or next context belongs to a VF, so the PF driver's control of the engine
 * must not affect it. */
static inline bool engine_runs_vf_context(const struct engine *e)
{
    const struct execlist_state *const x = &e->execlists;
    const struct context_descriptor d = e->context.valid ? e->context.current : x->pending.element[0];
    return vfs_isolated(e) && (e->context.valid || x->pending_valid) && d.high & VF_MAX;
}

/* The current command has begun and is not done: it resumes in another slice. */
static inline bool engine_is_within_command(const struct engine *e)
{
    return e->parse.streams[e->parse.depth].progress;
}

/* Hung by a page fault of a command or of its fetch: waits for the engine never end. (REN-02) */
static inline bool engine_is_hung(const struct engine *e)
{
    const enum stop_reason why = (enum stop_reason)e->parse.stop_reason;
    return e->parse.state == SOFTGT_ENGINE_STOPPED &&
           (why == STOP_PAGE_FAULT || why == STOP_FAULT || why == STOP_NO_PAGE || why == STOP_PAST_END);
}

/* All parsed commands are complete. (REN-06, VCS-03) */
static inline bool engine_is_drained(const struct engine *e)
{
    return !engine_is_hung(e) && !engine_is_within_command(e) && !engine_is_busy(e);
}

/* Called when the last parsed command may have completed. */
static inline void engine_notify_drained(struct engine *e)
{
    if (e->info->flush && engine_is_drained(e))
        e->info->flush->drained(e);
}

/* Does not parse: Stop Ring is set and the current command is done, or a reset was requested. Setting either
 * makes the parser check again. (REN-06, CSP-19) */
static inline bool engine_is_halted(const struct engine *e)
{
    const bool stopped = engine_register(e, MI_MODE) & MI_MODE_STOP_RING;
    return ((stopped && !engine_is_within_command(e)) || e->parse.reset_requested) &&
           !engine_runs_vf_context(e);
}

#endif
