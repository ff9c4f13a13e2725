/*
 * Threads of patches. Those of a hull shader are one group, a patch's instances, which meet at a barrier:
 * each has eight channels of one patch, or one channel of as many as eight patches, of which ours has one.
 * Those of a domain shader have eight points. What a thread finds: of the hull shader r0, with the patch and
 * its number, and the handles of its vertices; of eight patches a register of each of these. Of the domain
 * shader r0, u, v, w, and handles of what it writes; then constants, and what it asked for of the patch, the
 * same for all. (BDW PRM vol 7, HS and DS Thread Payload; Mesa, brw_fs: how instances are told)
 */
#include "dispatch/dispatch.h"

enum { DISPATCH_MASK = 2, VECTOR_MASK = 3, CHANNELS = 8 };
enum { R0_PATCH = 0, R0_PRIMITIVE = 1, R0_INSTANCE = 2, R0_SCRATCH = 5 };

static const struct stage hull_stage = {STATE_HS, STATE_BINDINGS_HS, STATE_SAMPLERS_HS, STATE_CONSTANT_HS},
                          domain_stage = {STATE_DS, STATE_BINDINGS_DS, STATE_SAMPLERS_DS, STATE_CONSTANT_DS};

static void begin(struct dispatch *d, enum payload payload, uint32_t threads, uint64_t *budget)
{
    enum { THREAD_INSTRUCTIONS = 64 };
    struct grid *const g = &d->grid;
    budget_take(budget, (uint64_t)threads * THREAD_INSTRUCTIONS);
    g->payload = (uint8_t)payload;
    g->simd = CHANNELS;
    g->threads = g->counters[0] = threads;
    g->seeks = false;
}

/* ---- Hull shaders ---- */

static void hull_begin(struct dispatch *d, uint64_t *budget)
{
    enum { START_BITS = 5 };
    begin(d, PAYLOAD_HULL, (uint32_t)kept_state(d, STATE_HS, HS_INSTANCE_COUNT) + 1u, budget);
    d->grid.kernel = kept_state(d, STATE_HS, HS_KERNEL_START_POINTER);
    d->grid.thread_registers =
        (uint32_t)(kept_state(d, STATE_HS, HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA) |
                   kept_state(d, STATE_HS, HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5) << START_BITS);
    stage_take(d, &hull_stage);
}

/* Handles of vertices: of one patch one behind the other in four registers; of several a register of each
 * vertex. */
static void put_inputs(struct filling *f, const struct urb *u, bool several)
{
    enum { HANDLES = 32 };
    uint32_t handles[HANDLES] = {0};
    if (!several) {
        for (unsigned i = 0; i + 1 < u->reaches && i < HANDLES; i++)
            handles[i] = u->reach[1 + i].handle;
        for (unsigned i = 0; i < HANDLES; i += CHANNELS)
            fill_put(f, handles + i, CHANNELS * sizeof *handles);
        return;
    }
    for (unsigned i = 1; i < u->reaches; i++) {
        const uint32_t of[CHANNELS] = {u->reach[i].handle};
        fill_put(f, of, sizeof of);
    }
}

static void hull_fill(struct dispatch *d, struct eu_thread *t)
{
    enum { SCRATCH_UNIT = 10, SCRATCH_SIZE = 15 };
    const struct grid *const g = &d->grid;
    const struct urb *const u = d->urb;
    const bool several = kept_state(d, STATE_HS, HS_DISPATCH_MODE) == HS_8_PATCHES;
    const uint32_t instance = (uint32_t)(t - d->threads);
    const uint32_t patch[CHANNELS] = {u->reach[0].handle}, number[CHANNELS] = {d->drawing.identity};
    struct filling f = {.thread = t};
    uint32_t r0[CHANNELS];
    memcpy(r0, g->r0, sizeof r0);
    r0[R0_INSTANCE] |= instance << d->set->instance_at;
    if (!d->set->load_store && r0[R0_SCRATCH]) /* each instance has its own */
        r0[R0_SCRATCH] += instance << (SCRATCH_UNIT + (g->r0[3] & SCRATCH_SIZE));
    if (!several) {
        r0[R0_PATCH] = patch[0];
        r0[R0_PRIMITIVE] = number[0];
    }
    fill_put(&f, r0, sizeof r0);
    if (several) {
        fill_put(&f, patch, sizeof patch);
        if (kept_state(d, STATE_HS, HS_INCLUDE_PRIMITIVE_ID))
            fill_put(&f, number, sizeof number);
    }
    if (kept_state(d, STATE_HS, HS_INCLUDE_VERTEX_HANDLES))
        put_inputs(&f, u, several);
    f.at = g->thread_registers;
    fill_constants(d, &f, &hull_stage);
    t->state[DISPATCH_MASK] = t->state[VECTOR_MASK] = stage_channels(d);
}

static void hull_shaded(struct dispatch *d)
{
    enum { HS_INVOCATION_COUNT = 0x300 };
    if (kept_state(d, STATE_HS, HS_STATISTICS_ENABLE))
        engine_register64_add(d->engine, HS_INVOCATION_COUNT, 1);
    d->grid.threads = d->grid.counters[0] = 1;
    d->grid.thread = 0;
    draw_begin_patch(&d->drawing, &d->bindings);
    stage_shaded(d);
}

const struct shading hull_shading = {hull_begin, hull_fill, stage_channels, hull_shaded};

/* ---- Domain shaders ---- */

static void domain_begin(struct dispatch *d, uint64_t *budget)
{
    struct urb *const u = d->urb;
    const uint32_t first = draw_first_handle(d->engine, STATE_URB_DS, STATE_URB_ALLOC_DS),
                   entry_dw = (uint32_t)draw_entry_dw(d->engine, STATE_URB_DS, STATE_URB_ALLOC_DS),
                   patch_dw = (uint32_t)draw_entry_dw(d->engine, STATE_URB_HS, STATE_URB_ALLOC_HS),
                   patch = draw_first_handle(d->engine, STATE_URB_HS, STATE_URB_ALLOC_HS);
    begin(d, PAYLOAD_DOMAIN, 1, budget);
    d->grid.kernel = kept_state(d, STATE_DS, DS_KERNEL_START_POINTER);
    d->grid.thread_registers = (uint32_t)kept_state(d, STATE_DS, DS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA);
    u->reaches = 0;
    for (unsigned i = 0; i < u->count; i++) {
        const uint32_t place = u->lanes[i] - (uint32_t)URB_ENTRIES;
        stage_reaches(d, urb_handle_of(first, entry_dw, place), u->lanes[i] * (size_t)URB_ENTRY_DW, entry_dw);
    }
    stage_reaches(d, patch & 0xffffu, PATCH_AT_DW, patch_dw);
    stage_take(d, &domain_stage);
}

static void put_patch(struct dispatch *d, struct filling *f)
{
    enum { PART_DW = 8 };
    const struct urb_reach *const patch = &d->urb->reach[d->urb->count];
    const uint32_t first = (uint32_t)kept_state(d, STATE_DS, DS_PATCH_URB_ENTRY_READ_OFFSET) * PART_DW,
                   end = first + (uint32_t)kept_state(d, STATE_DS, DS_PATCH_URB_ENTRY_READ_LENGTH) * PART_DW;
    for (uint32_t at = first; at < end; at += PART_DW) {
        uint32_t part[PART_DW] = {0};
        if (at + PART_DW <= patch->entry_dw)
            memcpy(part, d->urb->dw + patch->at_dw + at, sizeof part);
        fill_put(f, part, sizeof part);
    }
}

static void domain_fill(struct dispatch *d, struct eu_thread *t)
{
    enum { U_V_W = 3, W = 2 };
    const struct grid *const g = &d->grid;
    const struct urb *const u = d->urb;
    const bool computes_w = kept_state(d, STATE_DS, DS_COMPUTE_W_COORDINATE_ENABLE);
    float places[U_V_W][CHANNELS] = {{0}};
    uint32_t handles[CHANNELS] = {0}, r0[CHANNELS];
    struct filling f = {.thread = t};
    memcpy(r0, g->r0, sizeof r0);
    r0[R0_PATCH] = u->reach[u->count].handle;
    r0[R0_PRIMITIVE] = d->drawing.identity;
    fill_put(&f, r0, sizeof r0);
    for (unsigned i = 0; i < u->count; i++) {
        float at[U_V_W];
        tessellation_point(&d->tessellation, draw_point_of(u, u->lanes[i]), at);
        for (unsigned axis = 0; axis < U_V_W; axis++)
            places[axis][i] = axis < W || computes_w ? at[axis] : 0;
        handles[i] = u->reach[i].handle;
    }
    for (unsigned axis = 0; axis < U_V_W; axis++)
        fill_put(&f, places[axis], sizeof places[axis]);
    fill_put(&f, handles, sizeof handles);
    f.at = g->thread_registers;
    fill_constants(d, &f, &domain_stage);
    put_patch(d, &f);
    t->state[DISPATCH_MASK] = t->state[VECTOR_MASK] = stage_channels(d);
}

static void domain_shaded(struct dispatch *d)
{
    d->done.points += kept_state(d, STATE_DS, DS_STATISTICS_ENABLE) ? d->urb->count : 0;
    stage_shaded(d);
}

const struct shading domain_shading = {domain_begin, domain_fill, stage_channels, domain_shaded};
