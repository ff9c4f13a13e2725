/*
 * Threads of hull and domain shaders. The threads of a hull shader are one group, the instances of a patch,
 * which meet at a barrier. A thread has eight channels of one patch (SINGLE_PATCH), or a channel for each
 * of eight patches (8_PATCH), of which only one is used here. Payload: r0 with the output handle, primitive
 * ID and instance; the handles of input vertices. A domain shader has eight points: r0; u, v, w; output
 * handles; constants; then the pushed part of the patch, which all points share. (BDW PRM vol 7, HS and DS
 * Thread Payload; Mesa, brw_fs) On Gen7 a thread of a hull shader has two instances and one of a domain
 * shader two points, in SIMD4x2. On Gen20 a domain shader's thread has 16 points.
 */
#include "pipeline3d/draw_work.h"
#include "engine/statistics.h"

enum { CHANNELS = 8 };

static void patch_stage_begin(struct thread_dispatcher *d, unsigned stage, uint32_t threads, uint64_t *budget)
{
    enum { THREAD_INSTRUCTIONS = 64 };
    budget_charge(budget, (uint64_t)threads * THREAD_INSTRUCTIONS);
    stage_setup(d, stage);
    d->work.setup.threads = d->work.setup.thread_width_height_depth[0] = threads;
}

/* ---- Hull shaders ---- */

static void hs_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    patch_stage_begin(d, SHADER_STAGE_HS, d->draws->draw.state.te.hs_instance_count, budget);
}

/* Pushes vertex handles: of one patch eight a register in four registers; of several patches a register
 * for each vertex. */
static void hs_put_handles(const struct thread_dispatcher *d, struct payload_writer *f, bool several)
{
    const struct urb *const u = d->draws->urb;
    enum { HANDLES = 32 };
    uint32_t handles[HANDLES] = {0};
    if (!several) {
        for (unsigned i = 0; i + 1 < u->handle_count && i < HANDLES; i++)
            handles[i] = payload_handle(d, u->handles[1 + i].handle);
        for (unsigned i = 0; i < HANDLES; i += CHANNELS)
            payload_put(f, handles + i, CHANNELS * sizeof *handles);
        return;
    }
    for (unsigned i = 1; i < u->handle_count; i++) {
        const uint32_t of[CHANNELS] = {payload_handle(d, u->handles[i].handle)};
        payload_put(f, of, sizeof of);
    }
}

static void hs_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    const struct work_state *const g = &d->work;
    const struct urb *const u = d->draws->urb;
    const bool several = d->draws->draw.state.te.hs_dispatch_mode == HS_8_PATCHES;
    const uint32_t instance = (uint32_t)(t - d->threads);
    const uint32_t patch[CHANNELS] = {payload_handle(d, u->handles[0].handle)},
                   number[CHANNELS] = {d->draws->draw.cursor.primitive_id};
    struct payload_writer f = {.thread = t};
    uint32_t r0[CHANNELS];
    memcpy(r0, g->setup.r0, sizeof r0);
    r0[R0_HS_INSTANCE] |= instance << d->set->hs_instance_shift;
    if (!d->bindings.info.scratch_by_surface && r0[R0_SCRATCH]) /* each instance has its own scratch space */
        r0[R0_SCRATCH] +=
            instance << (R0_SCRATCH_SIZE_SHIFT + (g->setup.r0[R0_SAMPLERS] & R0_SCRATCH_SIZE_MASK));
    if (!several) {
        r0[R0_PATCH_HANDLE] = patch[0];
        r0[R0_PRIMITIVE_ID] = number[0];
    }
    payload_put(&f, r0, sizeof r0);
    if (several) {
        payload_put(&f, patch, sizeof patch);
        if (d->draws->draw.state.te.hs_include_primitive_id)
            payload_put(&f, number, sizeof number);
    }
    if (d->draws->draw.state.te.hs_include_vertex_handles)
        hs_put_handles(d, &f, several);
    f.grf = g->setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_HS);
    t->sr0[SR0_DISPATCH_MASK] = t->sr0[SR0_VECTOR_MASK] = stage_channels(d);
}

static void hs_done(struct thread_dispatcher *d)
{
    if (d->draws->draw.state.stage[SHADER_STAGE_HS].statistics_enable)
        engine_register64_add(d->engine, HS_INVOCATION_COUNT, 1);
    d->work.setup.threads = d->work.setup.thread_width_height_depth[0] = 1;
    d->work.group.current_thread = 0;
    tess_begin_patch(&d->draws->draw, &d->bindings);
    stage_thread_done(d);
}

const struct stage_ops hs_stage_ops = {hs_begin, hs_payload, stage_channels, hs_done};

/* ---- Domain shaders ---- */

static void ds_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    const struct shader_stage_state *const hs = &d->draws->draw.state.stage[SHADER_STAGE_HS],
                                           *const ds = &d->draws->draw.state.stage[SHADER_STAGE_DS];
    struct urb *const u = d->draws->urb;
    u->handle_count = 0;
    for (unsigned i = 0; i < u->channel_count; i++) {
        const unsigned entry = u->channel_entries[i];
        urb_grant_entry(d, urb_entry_handle(d, entry), entry * (size_t)URB_ENTRY_DW, ds->urb_entry_dw);
    }
    urb_grant_entry(d, hs->urb_start_handle & 0xffffu, URB_PATCH_OFFSET_DW, hs->urb_entry_dw);
    patch_stage_begin(d, SHADER_STAGE_DS, 1, budget);
}

static void ds_put_patch(struct thread_dispatcher *d, struct payload_writer *f)
{
    enum { PART_DW = 8 };
    const struct urb_handle_grant *const patch = &d->draws->urb->handles[d->draws->urb->channel_count];
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[SHADER_STAGE_DS];
    const uint32_t first = s->urb_read_offset_dw, end = first + s->urb_read_length_dw;
    for (uint32_t at = first; at < end; at += PART_DW) {
        uint32_t part[PART_DW] = {0};
        if (at + PART_DW <= patch->entry_dw)
            memcpy(part, d->draws->urb->dw + patch->urb_offset_dw + at, sizeof part);
        payload_put_row(f, part, sizeof part);
    }
}

/* Two points: handles in r0.0 and r0.1; u, v and w of each in a half of r1, before the patch's handle and the
 * primitive ID. (IVB PRM vol 2 part 1, DS Thread Payload; Mesa, brw_vec4_tes) */
static void ds_put_simd4x2(struct thread_dispatcher *d, struct payload_writer *f)
{
    enum { U_V_W = 3, W = 2 };
    const struct urb *const u = d->draws->urb;
    uint32_t r0[CHANNELS], r1[2][U_V_W + 1] = {{0}};
    memcpy(r0, d->work.setup.r0, sizeof r0);
    for (unsigned i = 0; i < u->channel_count && i < 2; i++) {
        float at[U_V_W];
        tessellation_point(&d->draws->tessellation, tess_entry_point(u, u->channel_entries[i]), at);
        if (!d->draws->draw.state.te.ds_compute_w)
            at[W] = 0;
        memcpy(r1[i], at, sizeof at);
        r0[i] = u->handles[i].handle;
    }
    r1[0][U_V_W] = u->handles[u->channel_count].handle;
    r1[1][U_V_W] = d->draws->draw.cursor.primitive_id;
    payload_put(f, r0, sizeof r0);
    payload_put(f, r1, sizeof r1);
}

static void ds_put_points(struct thread_dispatcher *d, struct payload_writer *f)
{
    enum { U_V_W = 3, W = 2 };
    const struct work_state *const g = &d->work;
    const struct urb *const u = d->draws->urb;
    const bool computes_w = d->draws->draw.state.te.ds_compute_w;
    float places[U_V_W][STAGE_CHANNELS] = {{0}};
    uint32_t handles[STAGE_CHANNELS] = {0}, r0[CHANNELS];
    memcpy(r0, g->setup.r0, sizeof r0);
    r0[R0_PATCH_HANDLE] = payload_handle(d, u->handles[u->channel_count].handle);
    r0[R0_PRIMITIVE_ID] = d->draws->draw.cursor.primitive_id;
    payload_put(f, r0, sizeof r0);
    for (unsigned i = 0; i < u->channel_count; i++) {
        float at[U_V_W];
        tessellation_point(&d->draws->tessellation, tess_entry_point(u, u->channel_entries[i]), at);
        for (unsigned axis = 0; axis < U_V_W; axis++)
            places[axis][i] = axis < W || computes_w ? at[axis] : 0;
        handles[i] = payload_handle(d, u->handles[i].handle);
    }
    for (unsigned axis = 0; axis < U_V_W; axis++)
        payload_put(f, places[axis], sizeof places[axis]);
    payload_put(f, handles, sizeof handles);
}

static void ds_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    struct payload_writer f = {.thread = t};
    if (d->draws->draw.state.stage[SHADER_STAGE_DS].is_simd4x2)
        ds_put_simd4x2(d, &f);
    else
        ds_put_points(d, &f);
    f.grf = d->work.setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_DS);
    ds_put_patch(d, &f);
    t->sr0[SR0_DISPATCH_MASK] = t->sr0[SR0_VECTOR_MASK] = stage_channels(d);
}

static void ds_done(struct thread_dispatcher *d)
{
    d->counters.domain_points +=
        d->draws->draw.state.stage[SHADER_STAGE_DS].statistics_enable ? d->draws->urb->channel_count : 0;
    stage_thread_done(d);
}

const struct stage_ops ds_stage_ops = {ds_begin, ds_payload, stage_channels, ds_done};
