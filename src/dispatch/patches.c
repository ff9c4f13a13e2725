/*
 * Threads of patches. Those of a hull shader are one group, a patch's instances, which meet at a barrier:
 * each has eight channels of one patch, or one channel of as many as eight patches, of which ours has one.
 * Those of a domain shader have eight points. What a thread finds: of the hull shader r0, with the patch and
 * its number, and the handles of its vertices; of eight patches a register of each of these. Of the domain
 * shader r0, u, v, w, and handles of what it writes; then constants, and what it asked for of the patch, the
 * same for all. (BDW PRM vol 7, HS and DS Thread Payload; Mesa, brw_fs: how instances are told)
 */
#include "dispatcher/dispatcher.h"

enum { DISPATCH_MASK = 2, VECTOR_MASK = 3, CHANNELS = 8 };
enum { R0_PATCH = 0, R0_PRIMITIVE = 1, R0_INSTANCE = 2, R0_SCRATCH = 5 };

static const struct stage_commands hs_commands = {STATE_HS, STATE_BINDING_TABLE_POINTERS_HS,
                                                  STATE_SAMPLER_STATE_POINTERS_HS, STATE_CONSTANT_HS},
                                   ds_commands = {STATE_DS, STATE_BINDING_TABLE_POINTERS_DS,
                                                  STATE_SAMPLER_STATE_POINTERS_DS, STATE_CONSTANT_DS};

static void patch_stage_begin(struct thread_dispatcher *d, enum thread_payload_kind payload, uint32_t threads,
                              uint64_t *budget)
{
    enum { THREAD_INSTRUCTIONS = 64 };
    struct work_state *const g = &d->work;
    budget_charge(budget, (uint64_t)threads * THREAD_INSTRUCTIONS);
    g->payload = (uint8_t)payload;
    g->simd = CHANNELS;
    g->threads = g->thread_width_height_depth[0] = threads;
    g->seeks = false;
}

/* ---- Hull shaders ---- */

static void hs_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    enum { START_BITS = 5 };
    patch_stage_begin(d, PAYLOAD_HS, (uint32_t)pipeline_state_field(d, STATE_HS, HS_INSTANCE_COUNT) + 1u,
                      budget);
    d->work.kernel_start_pointer = pipeline_state_field(d, STATE_HS, HS_KERNEL_START_POINTER);
    d->work.thread_registers =
        (uint32_t)(pipeline_state_field(d, STATE_HS, HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA) |
                   pipeline_state_field(d, STATE_HS, HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5)
                       << START_BITS);
    stage_setup(d, &hs_commands);
}

/* Handles of vertices: of one patch one behind the other in four registers; of several a register of each
 * vertex. */
static void hs_put_handles(struct payload_writer *f, const struct urb *u, bool several)
{
    enum { HANDLES = 32 };
    uint32_t handles[HANDLES] = {0};
    if (!several) {
        for (unsigned i = 0; i + 1 < u->handle_count && i < HANDLES; i++)
            handles[i] = u->handles[1 + i].handle;
        for (unsigned i = 0; i < HANDLES; i += CHANNELS)
            payload_put(f, handles + i, CHANNELS * sizeof *handles);
        return;
    }
    for (unsigned i = 1; i < u->handle_count; i++) {
        const uint32_t of[CHANNELS] = {u->handles[i].handle};
        payload_put(f, of, sizeof of);
    }
}

static void hs_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    enum { SCRATCH_UNIT = 10, SCRATCH_SIZE = 15 };
    const struct work_state *const g = &d->work;
    const struct urb *const u = d->urb;
    const bool several = pipeline_state_field(d, STATE_HS, HS_DISPATCH_MODE) == HS_8_PATCHES;
    const uint32_t instance = (uint32_t)(t - d->threads);
    const uint32_t patch[CHANNELS] = {u->handles[0].handle}, number[CHANNELS] = {d->draw.primitive_id};
    struct payload_writer f = {.thread = t};
    uint32_t r0[CHANNELS];
    memcpy(r0, g->r0, sizeof r0);
    r0[R0_INSTANCE] |= instance << d->set->hs_instance_shift;
    if (!d->set->has_lsc && r0[R0_SCRATCH]) /* each instance has its own */
        r0[R0_SCRATCH] += instance << (SCRATCH_UNIT + (g->r0[3] & SCRATCH_SIZE));
    if (!several) {
        r0[R0_PATCH] = patch[0];
        r0[R0_PRIMITIVE] = number[0];
    }
    payload_put(&f, r0, sizeof r0);
    if (several) {
        payload_put(&f, patch, sizeof patch);
        if (pipeline_state_field(d, STATE_HS, HS_INCLUDE_PRIMITIVE_ID))
            payload_put(&f, number, sizeof number);
    }
    if (pipeline_state_field(d, STATE_HS, HS_INCLUDE_VERTEX_HANDLES))
        hs_put_handles(&f, u, several);
    f.grf = g->thread_registers;
    payload_push_constants(d, &f, &hs_commands);
    t->sr0[DISPATCH_MASK] = t->sr0[VECTOR_MASK] = stage_channels(d);
}

static void hs_done(struct thread_dispatcher *d)
{
    enum { HS_INVOCATION_COUNT = 0x300 };
    if (pipeline_state_field(d, STATE_HS, HS_STATISTICS_ENABLE))
        engine_register64_add(d->engine, HS_INVOCATION_COUNT, 1);
    d->work.threads = d->work.thread_width_height_depth[0] = 1;
    d->work.current_thread = 0;
    tess_begin_patch(&d->draw, &d->bindings);
    stage_thread_done(d);
}

const struct stage_ops hs_stage_ops = {hs_begin, hs_payload, stage_channels, hs_done};

/* ---- Domain shaders ---- */

static void ds_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    struct urb *const u = d->urb;
    const uint32_t first = urb_start_handle(d->engine, STATE_URB_DS, STATE_URB_ALLOC_DS),
                   entry_dw = (uint32_t)urb_entry_size_dw(d->engine, STATE_URB_DS, STATE_URB_ALLOC_DS),
                   patch_dw = (uint32_t)urb_entry_size_dw(d->engine, STATE_URB_HS, STATE_URB_ALLOC_HS),
                   patch = urb_start_handle(d->engine, STATE_URB_HS, STATE_URB_ALLOC_HS);
    patch_stage_begin(d, PAYLOAD_DS, 1, budget);
    d->work.kernel_start_pointer = pipeline_state_field(d, STATE_DS, DS_KERNEL_START_POINTER);
    d->work.thread_registers =
        (uint32_t)pipeline_state_field(d, STATE_DS, DS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA);
    u->handle_count = 0;
    for (unsigned i = 0; i < u->channel_count; i++) {
        const uint32_t place = u->channel_entries[i] - (uint32_t)URB_ENTRIES;
        urb_grant_entry(d, urb_handle_of(first, entry_dw, place),
                        u->channel_entries[i] * (size_t)URB_ENTRY_DW, entry_dw);
    }
    urb_grant_entry(d, patch & 0xffffu, URB_PATCH_OFFSET_DW, patch_dw);
    stage_setup(d, &ds_commands);
}

static void ds_put_patch(struct thread_dispatcher *d, struct payload_writer *f)
{
    enum { PART_DW = 8 };
    const struct urb_handle_grant *const patch = &d->urb->handles[d->urb->channel_count];
    const uint32_t first =
                       (uint32_t)pipeline_state_field(d, STATE_DS, DS_PATCH_URB_ENTRY_READ_OFFSET) * PART_DW,
                   end = first + (uint32_t)pipeline_state_field(d, STATE_DS, DS_PATCH_URB_ENTRY_READ_LENGTH) *
                                     PART_DW;
    for (uint32_t at = first; at < end; at += PART_DW) {
        uint32_t part[PART_DW] = {0};
        if (at + PART_DW <= patch->entry_dw)
            memcpy(part, d->urb->dw + patch->urb_offset_dw + at, sizeof part);
        payload_put(f, part, sizeof part);
    }
}

static void ds_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    enum { U_V_W = 3, W = 2 };
    const struct work_state *const g = &d->work;
    const struct urb *const u = d->urb;
    const bool computes_w = pipeline_state_field(d, STATE_DS, DS_COMPUTE_W_COORDINATE_ENABLE);
    float places[U_V_W][CHANNELS] = {{0}};
    uint32_t handles[CHANNELS] = {0}, r0[CHANNELS];
    struct payload_writer f = {.thread = t};
    memcpy(r0, g->r0, sizeof r0);
    r0[R0_PATCH] = u->handles[u->channel_count].handle;
    r0[R0_PRIMITIVE] = d->draw.primitive_id;
    payload_put(&f, r0, sizeof r0);
    for (unsigned i = 0; i < u->channel_count; i++) {
        float at[U_V_W];
        tessellation_point(&d->tessellation, tess_entry_point(u, u->channel_entries[i]), at);
        for (unsigned axis = 0; axis < U_V_W; axis++)
            places[axis][i] = axis < W || computes_w ? at[axis] : 0;
        handles[i] = u->handles[i].handle;
    }
    for (unsigned axis = 0; axis < U_V_W; axis++)
        payload_put(&f, places[axis], sizeof places[axis]);
    payload_put(&f, handles, sizeof handles);
    f.grf = g->thread_registers;
    payload_push_constants(d, &f, &ds_commands);
    ds_put_patch(d, &f);
    t->sr0[DISPATCH_MASK] = t->sr0[VECTOR_MASK] = stage_channels(d);
}

static void ds_done(struct thread_dispatcher *d)
{
    d->counters.domain_points +=
        pipeline_state_field(d, STATE_DS, DS_STATISTICS_ENABLE) ? d->urb->channel_count : 0;
    stage_thread_done(d);
}

const struct stage_ops ds_stage_ops = {ds_begin, ds_payload, stage_channels, ds_done};
