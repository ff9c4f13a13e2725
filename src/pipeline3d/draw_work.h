/*
 * A draw as work of a thread dispatcher: its threads are those of pixels and of the shader stages before
 * them. The dispatcher knows a draw by draw_dispatch_ops alone.
 */
#ifndef PIPELINE3D_DRAW_WORK_H
#define PIPELINE3D_DRAW_WORK_H

#include "dispatcher/dispatcher.h"
#include "pipeline3d/draw.h"

struct draw_work {
    struct thread_dispatcher *dispatcher;
    bool enabled; /* draws are executed, not only counted */
    struct draw draw;
    struct urb *urb; /* vertices that are shaded */
    struct tessellation tessellation;
};

/* A supported draw begins; an unsupported format is in *lack, else NULL. The rest is as for walkers.
 * (pixels.c) */
bool draw_begin(struct thread_dispatcher *d, struct execution *x, const struct draw_call *draw,
                const char **lack, enum outcome *outcome);
/* Whether draw_begin would succeed, as far as formats and shaders say; nothing begins. */
bool draw_can_begin(struct thread_dispatcher *d);
/* The draw of a loaded device is decoded again. False: the loaded work is not of this command. */
bool draw_restore(struct thread_dispatcher *d, const struct draw_call *call);

/* The stages of a draw, by enum shader_stage; SHADER_STAGE_PS: pixels. (draw_work.c) */
extern const struct dispatch_ops draw_dispatch_ops;
extern const struct unit_shape draw_work_shape;
bool draw_work_create(struct thread_dispatcher *d, bool enabled);
void draw_work_destroy(struct thread_dispatcher *d);
/* Threads of a stage: one begins (of pixels: they come next again), its registers, its
 * channels, its end. */
struct stage_ops {
    void (*begin)(struct thread_dispatcher *d, uint64_t *budget);
    void (*payload)(struct thread_dispatcher *d, struct eu_thread *t);
    uint32_t (*channels)(const struct thread_dispatcher *d);
    void (*done)(struct thread_dispatcher *d);
};
extern const struct stage_ops ps_stage_ops, vs_stage_ops, gs_stage_ops, hs_stage_ops, ds_stage_ops,
    gen6_gs_stage_ops;
const struct stage_ops *stage_ops_of(unsigned stage);
static inline bool draw_shades_pixels(const struct thread_dispatcher *d)
{
    return d->work.kind == WORK_DRAW && d->work.setup.payload == SHADER_STAGE_PS;
}
/* The next pixels, as far as the budget goes; false: a fault. (pixels.c) */
bool draw_advance(struct thread_dispatcher *d, uint64_t *budget);
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

#endif
