/*
 * A draw as work of a thread dispatcher. Its threads are those of the pixel shader and of the shader stages
 * before it. The dispatcher knows a draw only by draw_dispatch_ops.
 */
#ifndef PIPELINE3D_DRAW_WORK_H
#define PIPELINE3D_DRAW_WORK_H

#include "dispatcher/dispatcher.h"
#include "geometry/draw.h"

/* The pipeline state that the draw's state was decoded from. It is no state: it is compared before use. */
enum kept_parts { KEPT_NOTHING, KEPT_ALL_BUT_BUFFERS, KEPT_ALL };
enum { KEPT_RANGES = 64 };
struct kept_state {
    uint32_t *dw; /* as in struct pipeline_state, like the next one */
    uint64_t *present_bits;
    uint64_t *excluded_bits; /* rows that are not compared, or on their own */
    struct kept_range {
        uint32_t first_dw, length_dw;
    } ranges[KEPT_RANGES]; /* of what is compared */
    unsigned range_count;
    uint64_t topology;
    bool is_indexed, valid;
    enum kept_parts parts; /* of the draw that begins */
    struct state_bases bases;
    uint8_t statistics; /* what draws that are kept count; 0: not known (commands/draw.c) */
};

struct draw_work {
    struct thread_dispatcher *dispatcher;
    bool enabled; /* draws are executed, not only counted */
    struct draw draw;
    struct kept_state kept;
    struct urb *urb; /* URB entries of the draw's shader stages */
    struct tessellation tessellation;
    const struct draw_parallel_ops *parallel; /* NULL: draws run on one host thread */
    struct parallel_tiles *tiles;             /* of these; NULL: no draw ran in parallel yet */
    struct closed_caches *closed_caches;      /* of these; NULL: none yet */
    struct softgt_background_port background; /* of the dispatcher's threads; without functions: none */
};

/* NOT_STARTED: stage_ops.begin must follow. ENDED: the pixel shader is selected, but messages are not bound
 * for it. NOT_ENDED: the dispatcher goes on with it, or the engine has faulted. */
enum stage_thread_result { STAGE_THREAD_NOT_STARTED, STAGE_THREAD_ENDED, STAGE_THREAD_NOT_ENDED };

/* How draws run on several host threads (tiles/parallel_tiles.h). */
struct draw_parallel_ops {
    /* Whether the current draw goes on in parallel. */
    bool (*can_run)(struct thread_dispatcher *d);
    /* Advances within the budget. Returns false on a fault. *ended: no primitive is left. */
    bool (*advance)(struct thread_dispatcher *d, uint64_t *budget, bool *ended);
    /* Draws what `advance` has gathered. Returns false on a fault. */
    bool (*flush)(struct thread_dispatcher *d, uint64_t *budget);
    /* Runs the pending thread of a stage before the pixel shader at once, if the dispatcher would do the
     * same. `first`: others may have run since the last one. */
    enum stage_thread_result (*run_stage_thread)(struct thread_dispatcher *d, bool first, uint64_t *budget);
    void (*destroy)(struct thread_dispatcher *d);
};

/* Begins a supported draw; *feature: an unsupported format, else NULL. The result is that of walkers;
 * OUTCOME_RESUME: depth textures are updated first, and the next slice goes on at textures->position.
 * (ps_threads.c) */
bool draw_begin(struct thread_dispatcher *d, struct execution *x, const struct draw_call *draw,
                struct hiz_update *textures, const char **feature, enum outcome *outcome);
/* As draw_unsupported, for the draw that begins next: what the last draw had is not looked at again. Which
 * parts of the decoded state the draw shares with the last one. (kept_state.c) */
const char *draw_find_unsupported(struct thread_dispatcher *d, const struct draw_call *call, bool *nothing);
void kept_state_destroy(struct kept_state *k);
void kept_state_put(struct kept_state *k, const struct engine *e, const struct draw_call *call,
                    const struct state_bases *bases);
/* Whether formats and shaders allow draw_begin to succeed. Nothing begins. */
bool draw_can_begin(struct thread_dispatcher *d);
/* Decodes the draw of a loaded device again. Returns false if the draw is unsupported or has no effect now,
 * on a fault, or if the loaded cursor is invalid for it. */
bool draw_restore(struct thread_dispatcher *d, const struct draw_call *call);

/* The pixel shader's kernels that the state enables, with the pixels of a thread and the number of the Kernel
 * Start Pointer: 0 of the SIMD8 kernel and of the only one, 1 of SIMD32, 2 of SIMD16; and with the polygons
 * of a thread. The device runs the first one. Returns how many. (ps_threads.c; SKL PRM vol 2a, 3DSTATE_PS)
 */
enum { PS_KERNELS = 3 };
struct ps_kernel {
    uint8_t simd, pointer, polygons;
};
unsigned ps_kernels(const struct engine *e, struct ps_kernel kernels[PS_KERNELS]);

/* While draws are traced: the current draw is done; a draw was counted, for a reason. (draw_trace.c) */
void draw_trace_end(struct thread_dispatcher *d);
void draw_trace_counted(const struct engine *e, const char *name, const struct draw_call *call,
                        const char *why);

/* The shader stages of a draw, by enum shader_stage. (draw_work.c) */
extern const struct dispatch_ops draw_dispatch_ops;
extern const struct unit_shape draw_work_shape;
bool draw_work_create(struct thread_dispatcher *d, const struct softgt_config *config,
                      const struct draw_parallel_ops *parallel);
void draw_work_destroy(struct thread_dispatcher *d);
/* Callbacks of a shader stage: start a thread; write its payload; return its channel mask; finish it.
 * draw_advance follows. */
struct stage_ops {
    void (*begin)(struct thread_dispatcher *d, uint64_t *budget);
    void (*payload)(struct thread_dispatcher *d, struct eu_thread *t);
    uint32_t (*channels)(const struct thread_dispatcher *d);
    void (*done)(struct thread_dispatcher *d);
};
/* With the pixel interpolator. (pixel_interpolator.c) */
extern const struct pixel_units draw_pixel_units;
extern const struct stage_ops ps_stage_ops, vs_stage_ops, gs_stage_ops, hs_stage_ops, ds_stage_ops,
    gen6_gs_stage_ops;
const struct stage_ops *stage_ops_of(unsigned stage);
static inline bool draw_shades_pixels(const struct thread_dispatcher *d)
{
    return d->work.kind == WORK_DRAW && d->work.setup.payload == SHADER_STAGE_PS;
}
/* Parts of the payload of a pixel shader thread: subspans and inputs, from r1 on, which are the thread's own;
 * then r0, constants and planes, which are the primitive's. Return the register after the part.
 * (ps_threads.c) */
unsigned ps_put_subspans_inputs(const struct thread_dispatcher *d, struct eu_thread *t);
unsigned ps_put_primitive(struct thread_dispatcher *d, struct eu_thread *t);
/* ps_put_subspans_inputs of a thread of 16 whose pixels are a covered square. */
void ps_put_square_inputs(const struct thread_dispatcher *d, struct eu_thread *t);
/* Writes payload registers in order; grf counts those of the thread state, of which one of the set may have
 * two. Registers beyond the last one are ignored. payload_put writes a register of the set, payload_put_row
 * one of the thread state. */
struct payload_writer {
    struct eu_thread *thread;
    unsigned grf;
};
static inline unsigned grf_rows(const struct eu_isa *set)
{
    return EU_REGISTERS * eu_register_rows(set);
}
static inline unsigned payload_registers_end(const struct payload_writer *f)
{
    return grf_rows(f->thread->isa);
}
void payload_put_row(struct payload_writer *f, const void *from, size_t bytes);
void payload_put(struct payload_writer *f, const void *from, size_t bytes);
/* Parts of ps_put_subspans_inputs, for PS_HALF_PIXELS pixels or fewer: a float for each; the place of a
 * sample in each; the samples that are covered; and the sample of each subspan of a half, or the size of
 * coarse pixels. */
enum { PS_HALF_PIXELS = 16 };
void ps_put_floats(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels,
                   void (*numbers)(const struct draw *w, unsigned first, unsigned pixels, float *to));
void ps_put_positions(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels);
void ps_put_coverage(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels);
uint32_t ps_samples_or_size(const struct draw *w, unsigned half);
/* Likewise with registers of 64 bytes. (wide_payload.c) */
unsigned ps_put_wide_inputs(const struct thread_dispatcher *d, struct eu_thread *t);
void ps_put_wide_planes(struct payload_writer *f, const struct draw *w);
/* All channels of a subspan run if one does. */
uint32_t whole_subspans(uint32_t lit);
uint32_t ps_channels(const struct thread_dispatcher *d);
void ps_done(struct thread_dispatcher *d);
/* Advances to the next thread within the budget. Returns false on a fault. (ps_threads.c) */
bool draw_advance(struct thread_dispatcher *d, uint64_t *budget);
/* The next thread of the primitive at the cursor. Returns false if there is none. (ps_threads.c) */
bool ps_next_thread(struct thread_dispatcher *d, uint64_t *budget, bool *ended);
/* The headers of the commands that hold a stage's state. */
struct stage_commands {
    uint32_t shader, bindings, samplers, constants, urb, urb_alloc;
};
/* Makes the stage's threads the next ones; stage_setup also binds what their messages access. */
void stage_select(struct thread_dispatcher *d, unsigned stage);
void stage_setup(struct thread_dispatcher *d, unsigned stage);
/* Ends with a whole register of the set. */
void payload_push_constants(struct thread_dispatcher *d, struct payload_writer *f, unsigned stage);
/* The channel mask of a thread of the URB's stage, with u->channel_count channels or vertices. */
uint32_t stage_channels(const struct thread_dispatcher *d);
/* Lets the next thread access one more URB entry. */
void urb_grant_entry(struct thread_dispatcher *d, uint32_t handle, size_t at_dw, uint32_t entry_dw);
/* What the payload has for a handle. */
static inline uint32_t payload_handle(const struct thread_dispatcher *d, uint32_t handle)
{
    return d->set->lsc_only ? urb_handle_address(handle) : handle;
}
/* The handle of a vertex, or of a domain point. */
uint32_t urb_entry_handle(const struct thread_dispatcher *d, unsigned entry);
/* No thread of an earlier stage is pending, and none has URB entries. */
void urb_revoke_entries(struct thread_dispatcher *d);
/* Vertex shader threads (vs_threads.c): the pending thread may access its entries; the register of the first
 * fetched element; the part of the payload that threads do not share; the vertices of an ended thread. */
void vs_grant_entries(struct thread_dispatcher *d);
unsigned vs_elements_grf(const struct thread_dispatcher *d);
void vs_put_vertices(const struct thread_dispatcher *d, struct eu_thread *t, unsigned elements_grf);
void vs_count_vertices(struct thread_dispatcher *d);
/* Ends a thread of an earlier stage; makes the pixel shader the current stage. */
void stage_thread_done(struct thread_dispatcher *d);
/* Threads of two vertices, objects or points, with four channels each. (simd4x2_threads.c) */
uint32_t simd4x2_channels(const struct urb *u);
/* A register with `count` dwords of each; second may be NULL. */
void simd4x2_put(struct payload_writer *f, const uint32_t *first, const uint32_t *second, unsigned count);
void vs_simd4x2_payload(struct thread_dispatcher *d, struct eu_thread *t);
void gs_simd4x2_put_vertices(struct thread_dispatcher *d, struct payload_writer *f);
/* Binds the stream output state that Gen6 geometry shader messages use. (gen6_gs_threads.c) */
void gen6_gs_bind(struct thread_dispatcher *d);
void urb_state(struct thread_dispatcher *d, struct state *s);
/* The geometry shader's part of the URB. Returns whether it is valid. (gs_threads.c, gen6_gs_threads.c) */
bool gs_thread_state(struct thread_dispatcher *d, struct state *s);
bool gen6_gs_output_state(struct thread_dispatcher *d, struct state *s);

#endif
