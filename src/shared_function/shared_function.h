/*
 * Shared functions: they answer the messages of threads. Data ports and load and store units access memory
 * through the PPGTT of the context, and the group's shared local memory. The gateway counts barriers. A
 * message is done in order and at once, so a fence has nothing to wait for. A function reaches what its
 * message_context holds and nothing else. Not modelled: surface counters, thread events, threads that spawn
 * threads.
 */
#ifndef SHARED_FUNCTION_SHARED_FUNCTION_H
#define SHARED_FUNCTION_SHARED_FUNCTION_H

#include "engine/execution.h"
#include "interp/thread.h"
#include "memory/samples.h"
#include "oa/pixel_events.h"
#include "shared_function/sampler_plan.h"
#include "shared_function/target_plan.h"

#include <softgt/formats.h>

/* Roles of the fields of RENDER_SURFACE_STATE; lower ones are enum count's. */
enum {
    SURFACE_TYPE = COUNT_ROLES,
    SURFACE_FORMAT,
    SURFACE_ARRAY,
    SURFACE_ARRAY_SPACING, /* of Gen7: 1: elements have one level */
    SURFACE_TILE_MODE,
    SURFACE_HORIZONTAL_ALIGNMENT,
    SURFACE_HORIZONTAL_ALIGNMENT_BYTES, /* the same, where it counts bytes */
    SURFACE_VERTICAL_ALIGNMENT,
    SURFACE_QPITCH,
    SURFACE_QPITCH_ARRAY, /* where nothing else than arrays has one */
    SURFACE_WIDTH,
    SURFACE_HEIGHT,
    SURFACE_DEPTH,
    SURFACE_PITCH,
    SURFACE_MINIMUM_ARRAY_ELEMENT,
    SURFACE_RENDER_TARGET_VIEW_EXTENT,
    SURFACE_MIP_COUNT_LOD, /* levels less one, where it is sampled */
    SURFACE_MIN_LOD,
    SURFACE_MIP_TAIL_START_LOD,
    SURFACE_RESOURCE_MIN_LOD,
    SURFACE_NUMBER_OF_MULTISAMPLES,              /* log2 */
    SURFACE_MULTISAMPLED_SURFACE_STORAGE_FORMAT, /* 0: MSS, an array element for each sample */
    SURFACE_MULTISAMPLE_POSITION_PALETTE_INDEX,
    SURFACE_X_OFFSET,
    SURFACE_Y_OFFSET,
    SURFACE_BASE_ADDRESS,
    SURFACE_SHADER_CHANNEL_SELECT_RED,
    SURFACE_SHADER_CHANNEL_SELECT_GREEN,
    SURFACE_SHADER_CHANNEL_SELECT_BLUE,
    SURFACE_SHADER_CHANNEL_SELECT_ALPHA,
    SURFACE_RED_CLEAR_COLOR, /* what a fast clear writes */
    SURFACE_GREEN_CLEAR_COLOR,
    SURFACE_BLUE_CLEAR_COLOR,
    SURFACE_ALPHA_CLEAR_COLOR,
    SURFACE_CLEAR_VALUE_ADDRESS_ENABLE,
    SURFACE_CLEAR_VALUE_ADDRESS,
    SURFACE_AUXILIARY_SURFACE_MODE,
    SURFACE_AUXILIARY_SURFACE_PITCH, /* in tiles, less one */
    SURFACE_AUXILIARY_SURFACE_QPITCH,
    SURFACE_AUXILIARY_SURFACE_BASE_ADDRESS, /* of the CCS, where that is a surface, and of the MCS */
    SURFACE_DEPTH_STENCIL_RESOURCE,
    SURFACE_TILED_SURFACE, /* where no name says how */
    SURFACE_TILE_WALK      /* of these: Y, not X */
};

/* And of SAMPLER_STATE. */
enum {
    SAMPLER_TEXTURE_LOD_BIAS = COUNT_ROLES,
    SAMPLER_MIN_MODE_FILTER,
    SAMPLER_MAG_MODE_FILTER,
    SAMPLER_MIP_MODE_FILTER,
    SAMPLER_LOD_PRECLAMP_MODE,
    SAMPLER_SHADOW_FUNCTION,
    SAMPLER_CHROMAKEY_ENABLE,
    SAMPLER_MIN_LOD,
    SAMPLER_MAX_LOD,
    SAMPLER_LOD_CLAMP_MAGNIFICATION_MODE,
    SAMPLER_SRGB_DECODE,
    SAMPLER_BORDER_COLOR_POINTER,
    SAMPLER_CUBE_SURFACE_CONTROL_MODE,
    SAMPLER_TCX_ADDRESS_CONTROL_MODE,
    SAMPLER_TCY_ADDRESS_CONTROL_MODE,
    SAMPLER_TCZ_ADDRESS_CONTROL_MODE,
    SAMPLER_MAXIMUM_ANISOTROPY, /* half of the ratio, less one */
    SAMPLER_REDUCTION_TYPE_ENABLE,
    SAMPLER_REDUCTION_TYPE,
    SAMPLER_NON_NORMALIZED_COORDINATE_ENABLE,
    SAMPLER_U_ADDRESS_MIN_FILTER_ROUNDING_ENABLE,
    SAMPLER_V_ADDRESS_MIN_FILTER_ROUNDING_ENABLE,
    SAMPLER_R_ADDRESS_MIN_FILTER_ROUNDING_ENABLE,
    SAMPLER_U_ADDRESS_MAG_FILTER_ROUNDING_ENABLE,
    SAMPLER_V_ADDRESS_MAG_FILTER_ROUNDING_ENABLE,
    SAMPLER_R_ADDRESS_MAG_FILTER_ROUNDING_ENABLE
};

enum { SURFACE_FORMATS = 1 << 10 };

/* Counters of messages and pixels. */
struct message_counters {
    uint64_t slm_reads, slm_writes; /* an SLM atomic counts as both */
    uint64_t atomics, slm_atomics;  /* of memory and surfaces; of SLM */
    uint64_t barriers;
    uint64_t sampled_subspans; /* subspans of channels that sampled */
    uint64_t pixel_event_subspans[PIXEL_EVENTS],
        pixel_events[PIXEL_EVENTS]; /* whole subspans; single pixels */
    uint64_t pixel_tests[PIXEL_TESTS];
    uint64_t clipper_primitives, setup_primitives; /* primitives that reached the unit */
};

/* Shared local memory of a group. */
enum { SMALL_SLM_BYTES = 64 << 10, LARGE_SLM_BYTES = 384 << 10 };
static inline uint32_t slm_limit_bytes(const struct message_info *info)
{
    return info->slm_has_384_kb ? LARGE_SLM_BYTES : SMALL_SLM_BYTES;
}

/* Higher bits of an address are ignored: IGC sets bit 28 in generic pointers, so that none is null. */
static inline uint64_t slm_address_mask(uint64_t slm_bytes)
{
    return slm_bytes > SMALL_SLM_BYTES ? 0x7ffff : 0xffff;
}

enum slm_access { SLM_READ = 1, SLM_WRITE = 2, ANY_ATOMIC = 4 }; /* reads and writes are of SLM */

enum buffer_view_kind {
    BUFFER_VIEW_NULL, /* reads zero, drops writes */
    BUFFER_VIEW_MEMORY,
    BUFFER_VIEW_SLM
};

/*
 * The bytes that a message can access. Bounds are checked dword by dword. An element that crosses the end (an
 * unaligned dword, a qword) accesses the dwords that are wholly in bounds. The rest reads zero and drops
 * writes. Sizes of raw buffers are whole dwords: NEO and Mesa round them up (Buffer::getSurfaceSize; isl,
 * buffer_fill_state; anv's bounds check alignment of storage buffers is 4). OpenCV reads 3-byte pixels by
 * dwords at each byte; the last one crosses the end, and its tests pass on Intel's parts.
 */
struct buffer_view {
    uint8_t kind;
    uint64_t base, size_bytes;
};

enum { SUBSPANS = 8, RENDER_TARGETS = 8 };

/* State of a draw for render targets, depth and stencil. */
struct output_merger_state {
    struct render_target_blend blend[RENDER_TARGETS];
    struct depth_stencil depth_stencil;
    float blend_constant[4];
    float alpha_test_reference;
    uint8_t alpha_test_function; /* 0: always */
    bool alpha_test_unorm8;      /* the reference is one of 256 steps, and so is what is compared with it */
    uint8_t samples_log2;        /* of the draw's pixels */
    bool uses_samples;           /* the thread has their masks; also where alpha covers one */
    bool alpha_to_coverage, alpha_to_coverage_dither;
    bool omask_present, computed_depth, computed_stencil; /* in messages to render targets */
    bool late_depth_stencil;                              /* tests follow the pixel shader */
    bool fast_clear;                                      /* a pixel clears a block of the target */
};

/* A thread of a pixel shader: its subspans, their pixels that are covered, and what became of these. */
#define PS_THREAD(M, S)                                                                                      \
    M(S, NUMBERS, uint32_t, subspan_xy, [SUBSPANS][2], 0)                                                    \
    M(S, NUMBER, uint32_t, coverage_mask, 0)                                                                 \
    /* Pixels that no target took; that were tested late; that failed then. */                               \
    M(S, NUMBER, uint32_t, unwritten_mask, 0)                                                                \
    M(S, NUMBER, uint32_t, late_tested_mask, 0)                                                              \
    M(S, NUMBER, uint32_t, late_failed_mask, 0)                                                              \
    /* Depths of pixels that are tested late. */                                                             \
    M(S, NUMBERS, float, pixel_depth, [SUBSPANS * SUBSPAN_PIXELS], 0)                                        \
    /* Of the primitive. */                                                                                  \
    M(S, NUMBERS, float, viewport_depth_range, [2], 0)                                                       \
    M(S, NUMBER, uint32_t, array_index, 0)                                                                   \
    M(S, FLAG, back_facing)                                                                                  \
    /* The size of a coarse pixel; 0: each pixel is shaded. */                                               \
    M(S, NUMBERS, uint8_t, cp_size_log2, [2], 3)                                                             \
    M(S, PADDING, reserved, [1])                                                                             \
    /* Covered samples that the shader left out behind the tests: they are counted as passed. */             \
    M(S, NUMBER, uint32_t, left_out_samples, 0)                                                              \
    /* Of draws with several samples, by sample: the pixels that it is covered in, before and after tests,   \
     * and depths that are tested late. Where a subspan is one sample of its pixels: which. */               \
    M(S, NUMBERS, uint32_t, input_samples, [SAMPLES], 0)                                                     \
    M(S, NUMBERS, uint32_t, samples, [SAMPLES], 0)                                                           \
    M(S, NUMBERS, uint8_t, slot_sample, [SUBSPANS], SAMPLES)                                                 \
    M(S, NUMBERS, float, sample_depth, [SAMPLES][SUBSPANS * SUBSPAN_PIXELS], 0)                              \
    M(S, PADDING, reserved_too, [4])                                                                         \
    /* Of coarse pixels, by sample and subspan: their pixels that are covered                                \
     * (output_merger/coarse_message.h).                                                                     \
     */                                                                                                      \
    M(S, NUMBERS, uint64_t, coarse_pixels, [SAMPLES][SUBSPANS], 0)
struct ps_thread {
    STATE_MEMBERS(PS_THREAD)
};

/* STAGE_CHANNELS: the most that a thread before the pixel shader has. */
enum { URB_ENTRIES = 64, URB_ENTRY_DW = 256, SIMD8_CHANNELS = 8, STAGE_CHANNELS = 16 };

/* The shader stage of a draw's thread. */
enum shader_stage {
    SHADER_STAGE_PS,
    SHADER_STAGE_VS,
    SHADER_STAGE_HS,
    SHADER_STAGE_DS,
    SHADER_STAGE_GS,
    SHADER_STAGE_GEN6_GS,
    SHADER_STAGES
};

/* An entry that the running thread may access, with its handle. */
struct urb_handle_grant {
    uint32_t handle, urb_offset_dw, entry_dw;
};

/* The input primitives of a geometry shader thread, one a channel, and its output for each. */
enum { GS_OBJECTS = STAGE_CHANNELS, GS_OBJECT_VERTICES = 6, GS_ENTRY_DW = 8192 };
struct gs_thread {
    uint32_t primitive_id[GS_OBJECTS];                 /* the objects' numbers */
    uint32_t entry_dw, first_handle;                   /* of what is made */
    uint32_t channel, next_vertex, strip_start_vertex; /* which is next, and where its strip began */
    uint8_t invocation[GS_OBJECTS];
    uint8_t vertex_entries[GS_OBJECTS][GS_OBJECT_VERTICES];
    uint8_t channel_count, vertex_count; /* of each */
    uint8_t next_invocation;             /* of the next object */
    bool instanced;                      /* each comes several times */
    uint16_t written_vertices[2];        /* on Gen7, where entries do not have the counts */
};

/* The output of a Gen6 geometry shader thread: entries in the order of their completion, each with its
 * primitive's topology (bits 6:2), start (bit 1) and end (bit 0). */
enum { GEN6_GS_VERTICES = 256 };
struct gen6_gs_output {
    uint32_t allocated_entries;
    uint32_t vertex_count; /* that are complete */
    uint32_t next_vertex, strip_start_vertex;
    uint32_t kept_vertices; /* the first ones are of an earlier thread */
    uint8_t vertex_entries[GEN6_GS_VERTICES], vertex_flags[GEN6_GS_VERTICES];
};

/* The order of URB entries: vertices, control points of a patch, the patch, geometry shader output. */
enum { URB_SLOTS = 2 * URB_ENTRIES, URB_PATCH_OFFSET_DW = URB_SLOTS * URB_ENTRY_DW, URB_PATCH_DW = 8192 };
enum {
    URB_GS_OUTPUT_OFFSET_DW = URB_PATCH_OFFSET_DW + URB_PATCH_DW,
    URB_DW = URB_GS_OUTPUT_OFFSET_DW + GS_OBJECTS * GS_ENTRY_DW
};
enum { URB_HANDLES = 2 * URB_ENTRIES };

/* Entries of the vertex cache that have not been used for longest, as far as they are known. */
struct urb_oldest {
    uint64_t entries; /* bits, from `first` on */
    uint32_t epoch;   /* of their last use, unless they were used since */
    uint8_t first;
};

/* Entries of the URB. Vertices come first: an entry holds a fetched vertex, then the vertex shader's output.
 */
struct urb {
    uint32_t dw[URB_DW];
    uint64_t vertex_index_key[URB_SLOTS];
    /* Entries by bits of their keys: the first one, and after each the next one. They are entries plus one;
     * 0: none. Not saved. */
    uint8_t cache_first[URB_SLOTS], cache_next[URB_SLOTS];
    struct urb_oldest oldest;            /* not saved */
    uint16_t dirty_dw[URB_SLOTS];        /* dwords that may be nonzero; not saved */
    uint32_t epoch, last_use[URB_SLOTS]; /* the epoch of its last use; 0: the entry is empty */
    uint32_t entry_dw;                   /* the length of each that threads may access */
    uint32_t first_handle;               /* handle of entry 0; the next ones follow by `step` */
    struct urb_handle_grant handles[URB_HANDLES];
    struct gs_thread gs;
    struct gen6_gs_output gen6_gs;
    uint32_t handle_count;
    uint8_t stage; /* enum shader_stage: of the running thread, or of the next one */
    uint8_t channel_entries[STAGE_CHANNELS]; /* the entries that it shades: vertices or domain points */
    uint8_t channel_count;                   /* its channels; 0: no thread is pending */
    uint8_t reserved[2];
};

/* The handle of an entry: a count of 64 bytes. Entry 0 has `first`; each entry has entry_dw dwords.
 */
static inline uint32_t urb_handle_of(uint32_t first, uint32_t entry_dw, unsigned entry)
{
    return (first + entry * (entry_dw / 16u)) & 0xffffu;
}

static inline uint32_t urb_handle(const struct urb *u, unsigned entry)
{
    return urb_handle_of(u->first_handle, u->entry_dw, entry);
}

/* What threads of Gen20 have for a handle: the entry's first byte in the URB. */
enum { URB_ADDRESS_MASK = (1 << 24) - 1 };
static inline uint32_t urb_handle_address(uint32_t handle)
{
    return handle * 64u & URB_ADDRESS_MASK;
}

/* Stream output of a Gen6 geometry shader thread, from 3DSTATE_GS. */
struct gen6_sol_state {
    struct engine *engine; /* has the statistics registers and the streamed vertex buffer indices */
    bool primitives_statistics, output_statistics, svbi_post_increment, rendering_enable;
};
/* The write positions in the four buffers, their maxima, and whether they advance. (gen6_gs_messages.c) */
void svbi_load(const struct engine *e, uint32_t indices[8]);
void svbi_post_increment(struct engine *e, uint32_t vertices);

/* How messages read structures in memory: the rows, and formats by their codes, SURFACE_FORMATS of them. */
struct surface_structures {
    const struct command *surface_state, *sampler_state; /* RENDER_SURFACE_STATE, SAMPLER_STATE */
    const struct softgt_format *const *formats;
    const struct softgt_block_format *const *blocks;
};

/* Where the running kernel's state is. */
struct kernel_state {
    uint64_t general_state_base, surface_state_base, bindless_surface_state_base, dynamic_state_base;
    uint64_t binding_table;         /* its address */
    uint32_t sampler_state_pointer; /* from the dynamic state base */
};

/* Effects of the current message. */
struct message_work {
    uint32_t slm_accesses;    /* enum slm_access */
    uint32_t memory_accesses; /* loads and stores */
    uint32_t sampled_levels;  /* of the sampler's surface */
};

/* Planned messages of a run, for who counts messages. */
struct planned_messages {
    uint64_t messages, registers; /* registers of payloads, at least one each */
    uint32_t barriers;
};

enum { KNOWN_BITS = 4, KNOWN = 1 << KNOWN_BITS, TARGET_PLANS = 8, PLANNED_TARGETS = 4 };
enum { SAMPLER_PLAN_BITS = 3, SAMPLER_PLANS = 1 << SAMPLER_PLAN_BITS };

/* The entry of a key among 2^bits, by all bits of the key. */
static inline uint32_t cache_index(uint32_t key, unsigned bits)
{
    return key * UINT32_C(0x9e3779b1) >> (32u - bits);
}

/* Caches. They are not state: each entry is compared with its key before use. */
struct message_caches {
    struct message_decode_cache_entry {
        const struct eu_isa *isa;
        uint32_t descriptor;
        uint8_t function, kind;
    } decode[KNOWN];
    struct surface_state_cache_entry {
        struct surface_state state;
        struct buffer_view buffer;
    } surfaces[KNOWN];
    struct image_cache_entry {
        unsigned depth_role; /* the role that counts its slices; 0: the entry is empty */
        struct image image;
    } images[KNOWN];
    /* The host's pointers to an entry of the binding table and to its surface state are valid for one TLB
     * generation. The buffer is valid until the next store of this group that may change them; stores of
     * parallel groups count from the next slice on, as hardware caches surface states. */
    struct binding_table_cache_entry {
        uint64_t tlb_generation, binding_table, surface_state_base, stores;
        const void *entry_host, *state_host; /* NULL: not known */
        uint32_t index, entry;
        bool has_buffer;
        struct buffer_view buffer;
    } binding_table[KNOWN];
    /* Plans of render targets. A binding is valid for one pages_generation and one slice. */
    struct target_plan_cache_entry {
        uint64_t pages_generation, binding_table, surface_state_base, stores;
        uint32_t index;
        uint32_t local_bytes; /* of the binding table entry and the surface state */
        bool is_bound;
        struct target_plan plan;
    } targets[TARGET_PLANS];
    struct planned_target planned_targets[PLANNED_TARGETS]; /* of one draw and one slice */
    struct cleared_line {                                   /* the bytes of the last one */
        bool is_made;
        uint8_t codec;
        union softgt_color color;
        struct softgt_format format;
        uint8_t line[64];
    } cleared_line;
    struct depth_plan depth; /* of the last draw */
    struct sampler_plan samplers[SAMPLER_PLANS];
    uint64_t sampler_plans_made;
    uint64_t slice;                                         /* counts slices */
    struct planned_sampler planned_samplers[SAMPLER_PLANS]; /* of one draw and one slice */
    /* Pages of these entries and surface states: see mmu_page_bit; and stores to other pages. */
    uint64_t binding_pages, stores_outside_bindings;
};

struct message_context;
struct ps_thread;
struct smooth_shape;
/* Shared functions that come after this folder. */
struct pixel_units {
    bool (*sampler)(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind);
    bool (*render_target)(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind);
    /* NULL: threads are no draw's. */
    bool (*pixel_interpolator)(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind);
    /* Do the whole message of a plan and return its cost; negative: do nothing. */
    int (*sampler_planned)(struct message_context *b, const struct eu_send *m);
    int (*render_target_planned)(struct message_context *b, const struct eu_send *m);
    /* Likewise of a message of 16 channels that is like one before. */
    int (*render_target_square)(struct message_context *b, const struct eu_thread *t,
                                const struct eu_message_plan *p);
    /* Sets the depths that late tests need, of a part of the running thread's coarse pixels. */
    void (*pixel_depths)(const struct message_context *b, struct ps_thread *of_part);
};

/* What stores may change that was read before. */
struct store_effects {
    bool nothing;          /* no kernel, binding table or surface state: their pages are not noted */
    uint64_t kernel_pages; /* pages that kernels were fetched from in this slice: see mmu_page_bit */
    uint64_t stores_outside_kernels; /* stores to other pages */
};

/* In instructions. */
struct message_costs {
    uint64_t messages; /* since the dispatcher cleared it */
    uint64_t group;    /* messages and instructions of the current group, in this process */
};

/* The state that a thread's messages access. The dispatcher fills it for the running group. */
struct message_context {
    struct memory_client memory; /* of the kernel's address space, the PPGTT */
    struct engine *engine;       /* of the 3D pipeline; messages use it only through gen6_sol */
    struct display *display;     /* compresses the frame buffer */
    uint64_t aux_table;          /* address of the table of auxiliary surfaces; 0: none */
    const struct softgt_parallel_port *parallel_port; /* other groups run in parallel; NULL: none */
    const struct pixel_units *pixel_units;
    struct surface_structures structures;
    struct kernel_state kernel;
    uint8_t *slm; /* the group's shared local memory */
    uint32_t slm_bytes;
    struct message_info info;             /* a copy of the engine's */
    const struct pixel_functions *pixels; /* of the host's level; NULL: pixel by pixel */
    const struct output_merger_state *om; /* of the current draw */
    struct ps_thread *ps;                 /* NULL: the thread is no pixel shader's */
    const struct smooth_shape *smooth;    /* of its primitive; NULL: the draw has no smooth ones */
    struct urb *urb;
    struct tessellation *tessellation; /* of the current patch; not state */
    bool is_gen6_gs;                   /* the thread is a geometry shader's of Gen6 */
    struct gen6_sol_state gen6_sol;
    uint32_t scratch_slot; /* of the thread, among those that have scratch memory at once */
    /* Requests of the current message. The dispatcher reads and clears them. */
    bool at_barrier;
    bool needs_exclusive; /* the message waits until no other group runs in parallel */
    struct message_work work;
    struct planned_messages planned;
    struct store_effects effects;
    struct message_costs cost;
    struct message_counters counters;
    const char *error_text; /* of a message that failed; NULL: none did */
    bool not_modelled;      /* hardware performs that message */
    struct message_caches caches;
};

/* Forgets what messages to targets share: a target's plan changes. */
static inline void forget_planned_targets(struct message_context *b)
{
    for (unsigned n = 0; n < PLANNED_TARGETS; n++)
        b->caches.planned_targets[n].payload[0] = NULL;
}

/* Forgets which surface states an index had: another slice begins. */
static inline void forget_bindings(struct message_context *b)
{
    b->caches.slice++;
    memset(b->caches.binding_table, 0, sizeof b->caches.binding_table);
    for (unsigned n = 0; n < TARGET_PLANS; n++)
        b->caches.targets[n].is_bound = false;
    forget_planned_targets(b);
    for (unsigned n = 0; n < SAMPLER_PLANS; n++)
        b->caches.planned_samplers[n].plan = NULL;
}

/* Loads from the kernel's address space. False after a page fault: what could not be read is zero. */
static inline bool message_load(struct message_context *b, uint64_t address, void *to, size_t size_bytes)
{
    return memory_client_load(&b->memory, SPACE_PPGTT, address, to, size_bytes);
}

static inline void message_store(struct message_context *b, uint64_t address, const void *from,
                                 size_t size_bytes)
{
    memory_client_store(&b->memory, SPACE_PPGTT, address, from, size_bytes);
}

/* Whether each load or store of a data port is reported. */
static inline bool message_is_traced(const struct message_context *b, bool writes)
{
    return tracing(b->memory.log, writes ? SOFTGT_TRACE_MEMORY : SOFTGT_TRACE_LOADS);
}

/* The bytes of an address, whose page enters the TLB; NULL: not on one page, or instead of a fault.
 * (buffer_view.c) */
uint8_t *message_fetch_bytes(struct message_context *b, uint64_t address, uint64_t bytes, bool writes);
/* A whole page likewise, which is written; NULL also if kernels were fetched from it. */
uint8_t *message_fetch_written_page(struct message_context *b, uint64_t page, uint64_t *page_bit);

/* The message had a page fault: it does nothing further. */
static inline bool message_faulted(const struct message_context *b)
{
    return memory_client_faulted(&b->memory);
}

/* Pages that were found stay where they are while this is the same. Where stores change no binding, the TLB
 * need not have them any more. */
static inline uint64_t pages_generation(const struct message_context *b)
{
    return b->effects.nothing ? b->memory.mmu->changes : b->memory.mmu->tlb_generation;
}

/* The number of pixels in the mask; hosts have no instruction for it that all of them know. */
static inline unsigned count_pixels(uint32_t pixels)
{
    enum { PAIRS = 0x55555555, NIBBLES = 0x33333333, BYTES = 0x0f0f0f0f, ONES = 0x01010101 };
    pixels -= pixels >> 1 & PAIRS;
    pixels = (pixels & NIBBLES) + (pixels >> 2 & NIBBLES);
    return ((pixels + (pixels >> 4)) & BYTES) * ONES >> 24;
}

/* The number of subspans with a pixel in the mask. */
static inline unsigned covered_subspans(uint32_t pixels)
{
    enum { FIRSTS = 0x11111111 };
    return ((pixels | pixels >> 1 | pixels >> 2 | pixels >> 3) & FIRSTS) * FIRSTS >> 28;
}

/* Counts the subspans and pixels that an event removed: those in `were` and no longer in `left`. */
static inline void pixel_event_count(struct message_context *b, enum pixel_event event, uint32_t were,
                                     uint32_t left)
{
    if (!(were & ~left))
        return;
    b->counters.pixel_event_subspans[event] += covered_subspans(were) - covered_subspans(were & left);
    b->counters.pixel_events[event] += count_pixels(were & ~left);
}

enum eu_answer shared_function_send(struct message_context *b, const struct eu_isa *set,
                                    const struct eu_send *m, uint64_t *budget);

/* The estimated host cost of a message, in instructions. */
static inline uint32_t message_cost(uint32_t memory_accesses, uint32_t sampled_levels)
{
    enum { MESSAGE_INSTRUCTIONS = 8, SAMPLE_INSTRUCTIONS = 16, ACCESSES_AN_INSTRUCTION = 2 };
    return MESSAGE_INSTRUCTIONS + sampled_levels * SAMPLE_INSTRUCTIONS +
           memory_accesses / ACCESSES_AN_INSTRUCTION;
}

/* Counts stores to pages with these bits (mmu_page_bit). */
static inline void count_stores_of_pages(struct message_context *b, uint64_t page_bits, uint64_t count)
{
    b->memory.counters->stores += count;
    b->effects.stores_outside_kernels += b->effects.kernel_pages & page_bits ? 0 : count;
    b->caches.stores_outside_bindings += b->caches.binding_pages & page_bits ? 0 : count;
}

/* Notes the pages of a binding table's entry and of a surface state. */
static inline void note_binding_pages(struct message_context *b, uint64_t entry, uint64_t state)
{
    if (!b->effects.nothing)
        b->caches.binding_pages |=
            mmu_page_bit(b->memory.mmu, SPACE_PPGTT, entry) | mmu_page_bit(b->memory.mmu, SPACE_PPGTT, state);
}

/* Stores that may have changed binding tables or surface states. */
static inline uint64_t stores_to_bindings(const struct message_context *b)
{
    return b->effects.nothing ? 0 : b->memory.counters->stores - b->caches.stores_outside_bindings;
}

static inline bool stores_are_outside_kernels(const struct message_context *b, uint64_t address)
{
    return !(b->effects.kernel_pages & mmu_page_bit(b->memory.mmu, SPACE_PPGTT, address));
}

/* ---- Surfaces ---- */

enum { RAW_FORMAT = 0x1ff };
enum {
    SURFTYPE_1D,
    SURFTYPE_2D,
    SURFTYPE_3D,
    SURFTYPE_CUBE,
    SURFTYPE_BUFFER,
    SURFTYPE_STRBUF,
    SURFTYPE_SCRATCH,
    SURFTYPE_NULL
};

static inline uint32_t surface_field(const struct surface_state *s, unsigned role)
{
    return (uint32_t)field_read(&s->row->places[role], s->dw, SURFACE_STATE_DW);
}

/* The surface state's offset in a binding table entry, in units of the state's size: 32 or 64 bytes. */
static inline uint32_t surface_pointer(const struct message_context *b, uint32_t entry)
{
    return entry & (b->structures.surface_state->min_dwords > 8 ? ~0x3fu : ~0x1fu);
}

static inline uint32_t surface_state_bytes(const struct command *row)
{
    return row->min_dwords < SURFACE_STATE_DW ? row->min_dwords * 4u : SURFACE_STATE_DW * 4u;
}

/* Load a surface state by its binding table index, or by its address. False after a page fault. */
bool binding_table_surface(struct message_context *b, uint32_t index, struct surface_state *s);
bool surface_state_load(struct message_context *b, uint64_t address, struct surface_state *s);
/* The bytes of a surface as a buffer, for messages without a format. */
struct buffer_view surface_buffer_view(struct message_context *b, const struct surface_state *s);
/* The same for a binding table index. */
struct buffer_view binding_table_buffer(struct message_context *b, uint32_t index);
/* Whether the cache entry is of this index, and its host pointers are valid. */
static inline bool binding_table_is_known(const struct message_context *b,
                                          const struct binding_table_cache_entry *known, uint32_t index)
{
    return known->entry_host && known->tlb_generation == b->memory.mmu->tlb_generation &&
           known->index == index && known->binding_table == b->kernel.binding_table &&
           known->surface_state_base == b->kernel.surface_state_base;
}
/* The buffer of an index, if the TLB has its surface state and that is known; else NULL. */
const struct buffer_view *binding_table_find_buffer(struct message_context *b, uint32_t index);
/* The cached buffer of an index; NULL: it must be looked up. */
static inline const struct buffer_view *binding_table_known_buffer(const struct message_context *b,
                                                                   uint32_t index)
{
    const struct binding_table_cache_entry *const known = &b->caches.binding_table[index % KNOWN];
    return known->has_buffer && known->stores == stores_to_bindings(b) &&
                   binding_table_is_known(b, known, index)
               ? &known->buffer
               : NULL;
}

void buffer_view_load(struct message_context *b, const struct buffer_view *t, uint64_t offset, void *to,
                      uint32_t size);
void buffer_view_store(struct message_context *b, const struct buffer_view *t, uint64_t offset,
                       const void *from, uint32_t size);
/* How many of the `size` bytes are in bounds, in whole dwords. */
uint32_t buffer_view_bytes_in_bounds(const struct buffer_view *t, uint64_t offset, uint32_t size);

/* Whether the message is modelled where registers have 64 bytes. (shared_function.c) */
bool message_has_wide_registers(enum eu_message_kind kind);

/* ---- Payloads ---- */

extern const uint8_t payload_zeros[EU_REGISTER_BYTES];

/* Register `n` of the payload: the first part's registers, then the second part's, then zeros. */
static inline const uint8_t *payload_register(const struct eu_send *m, unsigned n)
{
    const unsigned second = n - m->payload_registers[0];
    const uint8_t *from = NULL;
    if (n < m->payload_registers[0])
        from = m->payload[0] ? m->payload[0] + n * EU_REGISTER_BYTES : NULL;
    else if (second < m->payload_registers[1])
        from = m->payload[1] ? m->payload[1] + second * EU_REGISTER_BYTES : NULL;
    return from ? from : payload_zeros;
}

static inline uint32_t payload_dw(const struct eu_send *m, unsigned n, unsigned dw)
{
    uint32_t value;
    memcpy(&value, payload_register(m, n) + dw * 4u, 4);
    return value;
}

/* A dword of a channel; a register has eight. */
static inline uint32_t payload_channel(const struct eu_send *m, unsigned n, unsigned channel)
{
    return payload_dw(m, n + channel / 8u, channel % 8u);
}

static inline uint64_t payload_channel64(const struct eu_send *m, unsigned n, unsigned channel)
{
    uint64_t value;
    memcpy(&value, payload_register(m, n + channel / 4u) + channel % 4u * 8u, 8);
    return value;
}

static inline void writeback(const struct eu_send *m, unsigned n, unsigned byte, const void *from,
                             unsigned size)
{
    if (m->response && n < m->response_registers)
        memcpy(m->response + n * EU_REGISTER_BYTES + byte, from, size);
}

static inline void writeback_channel(const struct eu_send *m, unsigned n, unsigned channel, uint32_t value)
{
    writeback(m, n + channel / 8u, channel % 8u * 4u, &value, 4);
}

static inline void writeback_channel64(const struct eu_send *m, unsigned n, unsigned channel, uint64_t value)
{
    writeback(m, n + channel / 4u, channel % 4u * 8u, &value, 8);
}

/* The registers of 32 bytes that `bytes` of one part of a payload fill: whole ones of the instruction set. */
static inline unsigned payload_part_registers(const struct eu_send *m, unsigned bytes)
{
    const unsigned rows = m->register_rows > 1 ? m->register_rows : 1u, all = rows * EU_REGISTER_BYTES;
    return (bytes + all - 1u) / all * rows;
}

/* The room of a block's row in a payload: a power of two. */
static inline unsigned block_pitch(unsigned width)
{
    unsigned pitch = 1;
    while (pitch < width)
        pitch *= 2u;
    return pitch;
}

static inline bool has_header(const struct eu_send *m)
{
    return m->descriptor >> 19 & 1u;
}

/* SIMD4x2: each half of a register has four dwords of a vertex. */
enum { SIMD4X2_VERTICES = 2, SIMD4X2_DW = 4 };

/* A vertex takes part if one of its channels is enabled. */
static inline uint32_t simd4x2_vertices(uint32_t channels)
{
    uint32_t vertices = 0;
    for (unsigned n = 0; n < SIMD4X2_VERTICES; n++)
        vertices |= (uint32_t)((channels >> n * SIMD4X2_DW & 0xfu) != 0) << n;
    return vertices;
}

static inline unsigned payload_registers(const struct eu_send *m)
{
    return (unsigned)m->payload_registers[0] + m->payload_registers[1];
}

/* The active channels of a message, and the offset of each in the buffer. */
struct channels {
    uint8_t count; /* 8, 16 or 32 */
    uint32_t mask; /* of active channels */
    uint64_t offset[EU_MAX_CHANNELS];
};

/* How a payload holds the channels' offsets: `bytes` each, from register `at` on. The byte offset in the
 * buffer is the value times `scale`, plus `plus`. */
struct channel_addresses {
    unsigned at, bytes;
    uint64_t scale, plus;
};

/* Reads the offset of each channel. (channel_access.c) */
void read_channel_offsets(const struct eu_send *m, const struct channel_addresses *a, struct channels *c);

/* A transfer between a buffer and registers. A channel's elements are consecutive in the buffer; registers
 * hold all channels' first elements, then all second ones. */
struct element_transfer {
    uint8_t bytes, in_register; /* of one */
    bool writes;
    unsigned at, step; /* the register of the first elements; registers from one element to the next */
    uint64_t present;  /* a bit for each element that has registers */
};

/* Moves one element between memory and a register, where a shorter one is extended by zeros. */
static inline __attribute__((always_inline)) void move_element(uint8_t *there, uint8_t *here, unsigned bytes,
                                                               unsigned in_register, bool writes)
{
    uint64_t value = 0;
    if (writes) {
        memcpy(there, here, bytes);
    } else {
        memcpy(&value, there, bytes);
        memcpy(here, &value, in_register);
    }
}

/* Transfers the elements of the channels in `mask`, of `count` channels. */
void transfer_elements(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                       unsigned count, uint32_t mask, const struct channel_addresses *a,
                       const struct element_transfer *e);

/* Four dwords of each channel, `step` bytes apart in memory; consecutive dwords are `apart` bytes from each
 * other in the registers. */
void transpose_dwords(uint8_t *memory, uint64_t step, uint8_t *registers, size_t apart, unsigned count,
                      bool writes);

/* What a message with an address for each channel transfers. The global offset is dword 2 of the header.
 * is_block: the first channel's `count` consecutive elements instead. */
struct message_layout {
    unsigned count;
    struct channel_addresses addresses;
    struct element_transfer elements;
    bool has_global_offset, is_block;
};
/* The layout by the descriptor and lengths of a message. False: no layout describes it. (data_port.c,
 * load_store.c) */
bool data_port_layout(const struct eu_send *m, enum eu_message_kind kind, struct message_layout *l);
bool load_store_layout(const struct eu_send *m, struct message_layout *l);

/* A block message: it starts at `byte` of a register; its offset in the header counts `scale` bytes.
 * (oword_block.c) */
struct block_layout {
    uint32_t size_bytes;
    uint8_t scale, byte;
    bool is_flat, writes;
    bool by_channels; /* only dwords of active channels are written */
};
struct block_layout block_layout(const struct eu_send *m, enum eu_message_kind kind);

#define FOR_EACH_CHANNEL(c, mask)                                                                            \
    for (uint32_t left_##c = (mask), c; left_##c && (c = (uint32_t)__builtin_ctz(left_##c), true);           \
         left_##c &= left_##c - 1u)

/* The buffer that the descriptor's binding table index (BTI) names: SLM, stateless, or a surface.
 * (data_port.c) */
struct buffer_view bti_buffer(struct message_context *b, const struct eu_send *m);

/* The surface state's offset in the extended descriptor: bits 25:6 in bits 31:12, or the whole dword. */
static inline uint32_t surface_offset(const struct eu_send *m)
{
    return m->ex_bso ? m->ex_descriptor & ~0x3fu : m->ex_descriptor >> 12 << 6;
}

/* ---- Atomics (atomic.c) ---- */

/* Data port codes, then float operations. */
enum atomic_operation {
    ATOMIC_AND = 1,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_MOV,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_REVSUB,
    ATOMIC_IMAX,
    ATOMIC_IMIN,
    ATOMIC_UMAX,
    ATOMIC_UMIN,
    ATOMIC_CMPWR,
    ATOMIC_PREDEC,
    ATOMIC_LOAD,
    ATOMIC_FMAX,
    ATOMIC_FMIN,
    ATOMIC_FCMPWR,
    ATOMIC_FADD,
    ATOMIC_FSUB,
    ATOMIC_OPERATIONS
};

/* The number of source values. */
unsigned atomic_sources(enum atomic_operation operation);

struct atomic_message {
    enum atomic_operation operation;
    unsigned bytes; /* 2, 4 or 8 */
    unsigned data;  /* register of the first values */
    bool returns;
};

void atomic_message_execute(struct message_context *b, const struct buffer_view *t, const struct eu_send *m,
                            const struct channels *c, const struct atomic_message *a);
/* One atomic on memory: returns its result. With parallel groups it is one exchange of the host. After a page
 * fault nothing is changed. */
uint64_t atomic_memory(struct message_context *b, uint64_t address, enum atomic_operation operation,
                       unsigned bytes, uint64_t source, uint64_t second);
/* The atomic is unaligned and other groups run in parallel: the host has no exchange that they would see, so
 * the message waits. Asked before any channel is done. */
static inline bool atomic_needs_exclusive(struct message_context *b, uint64_t address, unsigned bytes)
{
    b->needs_exclusive |= b->parallel_port && bytes && address % bytes != 0;
    return b->needs_exclusive;
}
/* The value and the result of one operation. */
uint64_t atomic_apply(enum atomic_operation operation, unsigned bytes, uint64_t old, uint64_t source,
                      uint64_t second, uint64_t *value);

/* Orders accesses of parallel groups: those before the fence are visible before those after it. */
static inline void fence_for_others(const struct message_context *b)
{
    if (b->parallel_port)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* ---- Functions by message kind ---- */

/* Tests a pixel, and writes depth and stencil. Returns whether it passes. (depth.c) */
bool depth_test(struct message_context *b, const struct depth_stencil *s, const struct ps_thread *p,
                const uint32_t at[3], float depth, bool late);
/* Tests the pixels of a thread in the mask before it runs, in order; returns those that pass. (depth.c) */
uint32_t depth_test_pixels(struct message_context *b, const struct depth_stencil *s,
                           const struct ps_thread *p, const uint32_t (*subspan_xy)[2], uint32_t mask,
                           const float *depth);
bool alpha_test(struct message_context *b, const struct output_merger_state *om, float alpha);
/* Fills a rectangle of pixels, right and bottom edges excluded. (depth.c) */
void depth_fill(struct memory_client *c, const struct depth_surface *s, unsigned bytes, uint32_t value,
                const uint32_t rectangle[4]);
/* Where a pixel is: x, y, array element; `bytes` of each, `within`: from there on. False: outside. (depth.c)
 */
bool depth_pixel_address(const struct depth_surface *s, unsigned bytes, const uint32_t at[3], unsigned within,
                         uint64_t *address);
/* The bytes of a depth, without a stencil, or what has its place. (depth.c) */
unsigned depth_value_bytes(unsigned format);
/* Where the level of an array element begins. (depth.c) */
uint64_t depth_level_address(const struct depth_surface *s, unsigned bytes, uint32_t element);
/* Depth formats: bytes of a pixel, whether it has a stencil, and conversion. (depth.c) */
unsigned depth_bytes(unsigned format);
bool depth_has_stencils(unsigned format);
uint32_t depth_from_float(unsigned format, float depth);
float depth_to_float(unsigned format, uint32_t value);

typedef bool shared_function(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind);
shared_function untyped_access, scattered_access, untyped_atomic; /* data_port.c */
shared_function block_access, scratch_access, dual_block_access;  /* oword_block.c */
shared_function media_access, typed_access, typed_atomic;         /* image.c */
/* A typed message of the load and store units; operation 0: not an atomic. (image.c) */
bool typed_load_store(struct message_context *b, const struct eu_send *m, const struct surface_state *s,
                      uint8_t operation, bool writes);
/* A block of bytes of a surface. (image.c) */
bool typed_block(struct message_context *b, const struct eu_send *m, const struct surface_state *s,
                 bool writes);
shared_function load_store; /* load_store.c */
/* A block of a matrix. (block2d.c) */
bool load_store_block2d(struct message_context *b, const struct eu_send *m, bool stores);
shared_function render_target; /* render_target.c */
int sampler_planned(struct message_context *b, const struct eu_send *m);
int render_target_planned(struct message_context *b, const struct eu_send *m);
int render_target_square(struct message_context *b, const struct eu_thread *t,
                         const struct eu_message_plan *m);
shared_function sampler;                                                 /* sampler.c */
shared_function urb_access;                                              /* urb.c */
bool urb_load_store(struct message_context *b, const struct eu_send *m); /* urb.c */
/* Whether a load or store of the URB has the elements that urb_load_store knows; the register of an element
 * among the `registers` of its data. (urb.c) */
bool urb_load_store_is_known(const struct eu_send *m, const struct message_layout *l);
unsigned urb_element_register(const struct element_transfer *e, unsigned registers, unsigned element);
shared_function gen6_urb_write;                                           /* gen6_urb.c */
shared_function gen7_urb_access;                                          /* gen7_urb.c */
shared_function ff_sync, streamed_vertex_buffer_write, gen6_gs_urb_write; /* gen6_gs_messages.c */
/* Writes a vertex of the message to its entry; vertices of a message may be interleaved. (gen6_urb.c) */
void gen6_urb_put_vertex(const struct eu_send *m, unsigned vertex, bool interleaved, uint32_t *dw,
                         uint32_t entry_dw);
/* The entry of a handle, if the thread may access it; the channel's own handle is tried first. NULL: it may
 * not. (urb.c) */
const struct urb_handle_grant *urb_entry(const struct message_context *b, uint32_t handle, unsigned channel);

#endif
