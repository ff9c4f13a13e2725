/*
 * Vertex shader threads in SIMD8, or SIMD16 on Gen20: each is a thread group with the vertices that
 * primitives miss. Payload: r0; r1 with the vertices' handles; constants, from the register that the state
 * names; then the fetched elements, a dword of all vertices in each register. (BDW PRM vol 7, VS Thread
 * Payload; Mesa, vs_thread_payload)
 */
#include "pipeline3d/draw_work.h"
#include "base/four.h"

void vs_grant_entries(struct thread_dispatcher *d)
{
    struct urb *const u = d->draws->urb;
    u->handle_count = 0;
    for (unsigned i = 0; i < u->channel_count; i++)
        urb_grant_entry(d, urb_handle(u, u->channel_entries[i]), u->channel_entries[i] * (size_t)URB_ENTRY_DW,
                        u->entry_dw);
}

static void vs_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    (void)budget; /* vertices were charged when they were fetched */
    vs_grant_entries(d);
    stage_setup(d, SHADER_STAGE_VS);
}

uint32_t urb_entry_handle(const struct thread_dispatcher *d, unsigned entry)
{
    const struct shader_stage_state *const ds = &d->draws->draw.state.stage[SHADER_STAGE_DS];
    return entry < URB_ENTRIES
               ? urb_handle(d->draws->urb, entry)
               : urb_handle_of(ds->urb_start_handle, ds->urb_entry_dw, entry - (unsigned)URB_ENTRIES);
}

void urb_grant_entry(struct thread_dispatcher *d, uint32_t handle, size_t urb_offset_dw, uint32_t entry_dw)
{
    struct urb *const u = d->draws->urb;
    if (u->handle_count < URB_HANDLES)
        u->handles[u->handle_count++] = (struct urb_handle_grant){handle, (uint32_t)urb_offset_dw, entry_dw};
}

uint32_t stage_channels(const struct thread_dispatcher *d)
{
    const struct urb *const u = d->draws->urb;
    return d->draws->draw.state.stage[u->stage].is_simd4x2 ? simd4x2_channels(u)
                                                           : (1u << u->channel_count) - 1u;
}

/* Four dwords of four vertices. */
static INLINE void vs_put_square(uint8_t *to, size_t step, const struct urb *u, unsigned first,
                                 unsigned channel)
{
    four_dw square[FOUR] = {{0}};
    for (unsigned i = 0; i < FOUR; i++)
        memcpy(&square[i], u->dw + u->channel_entries[channel + i] * (size_t)URB_ENTRY_DW + first,
               sizeof square[i]);
    transpose_four(square);
    for (unsigned n = 0; n < FOUR; n++)
        memcpy(to + n * step, &square[n], sizeof square[n]);
}

/* A register has a dword of all vertices. Dwords beyond an entry and channels without a vertex are zero. */
static void vs_put_elements(struct payload_writer *f, const struct urb *u, unsigned first, unsigned count)
{
    const size_t step = f->thread->isa->register_bytes;
    const unsigned each = eu_register_rows(f->thread->isa), end = payload_registers_end(f),
                   at = f->grf < end ? f->grf : end, left = (end - at) / each,
                   held = first < URB_ENTRY_DW ? URB_ENTRY_DW - first : 0, rows = count < left ? count : left,
                   there = rows < held ? rows : held, channels = (unsigned)(step / sizeof *u->dw);
    uint8_t *const to = f->thread->grf + at * (size_t)EU_REGISTER_BYTES;
    f->grf += count * each;
    if (u->channel_count < channels || there < rows)
        memset(to, 0, rows * step);
    const unsigned whole = u->channel_count == channels ? there / FOUR * FOUR : 0;
    for (unsigned n = 0; n < whole; n += FOUR)
        for (unsigned i = 0; i < channels; i += FOUR)
            vs_put_square(to + n * step + i * sizeof *u->dw, step, u, first + n, i);
    for (unsigned i = 0; i < u->channel_count && whole < there; i++) {
        const uint32_t *const entry = u->dw + u->channel_entries[i] * (size_t)URB_ENTRY_DW + first;
        for (unsigned n = whole; n < there; n++)
            memcpy(to + n * step + i * sizeof *entry, entry + n, sizeof *entry);
    }
}

unsigned vs_elements_grf(const struct thread_dispatcher *d)
{
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[SHADER_STAGE_VS];
    const unsigned rows = eu_register_rows(d->set);
    uint64_t grf = s->grf_start;
    for (unsigned n = 0; n < PUSH_CONSTANT_BUFFERS; n++)
        grf += s->constants[n].length_registers;
    grf = (grf + rows - 1u) / rows * rows;
    return grf < grf_rows(d->set) ? (unsigned)grf : grf_rows(d->set);
}

static void vs_put_handles(const struct thread_dispatcher *d, struct eu_thread *t)
{
    const struct urb *const u = d->draws->urb;
    uint32_t values[STAGE_CHANNELS] = {0};
    struct payload_writer f = {.thread = t, .grf = eu_register_rows(d->set)};
    for (unsigned i = 0; i < u->channel_count; i++)
        values[i] = payload_handle(d, urb_handle(u, u->channel_entries[i]));
    payload_put(&f, values, sizeof values);
}

void vs_put_vertices(const struct thread_dispatcher *d, struct eu_thread *t, unsigned elements_grf)
{
    const struct urb *const u = d->draws->urb;
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[SHADER_STAGE_VS];
    struct payload_writer f = {.thread = t, .grf = elements_grf};
    vs_put_handles(d, t);
    vs_put_elements(&f, u, s->urb_read_offset_dw, s->urb_read_length_dw);
    t->sr0[SR0_DISPATCH_MASK] = t->sr0[SR0_VECTOR_MASK] = stage_channels(d);
}

static void vs_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    const struct work_state *const g = &d->work;
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[SHADER_STAGE_VS];
    struct payload_writer f = {.thread = t};
    t->sr0[SR0_DISPATCH_MASK] = t->sr0[SR0_VECTOR_MASK] = stage_channels(d);
    if (s->is_simd4x2) {
        vs_simd4x2_payload(d, t);
        return;
    }
    payload_put(&f, g->setup.r0, sizeof g->setup.r0);
    vs_put_handles(d, t);
    f.grf = g->setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_VS);
    vs_put_elements(&f, d->draws->urb, s->urb_read_offset_dw, s->urb_read_length_dw);
}

void vs_count_vertices(struct thread_dispatcher *d)
{
    d->counters.vertices += d->draws->draw.state.vs_statistics ? d->draws->urb->channel_count : 0;
}

static void vs_done(struct thread_dispatcher *d)
{
    vs_count_vertices(d);
    stage_thread_done(d);
}

const struct stage_ops vs_stage_ops = {vs_begin, vs_payload, stage_channels, vs_done};

/* ---- State ---- */

/* Saved while the current draw has shader stages before the pixel shader. */
void urb_state(struct thread_dispatcher *d, struct state *s)
{
    struct urb *const u = d->draws->urb;
    if (!s->saving)
        *u = (struct urb){0};
    if (!(dispatch_has_work(&d->work) && d->work.kind == WORK_DRAW && d->draws->draw.cursor.stages))
        return;
    const size_t begin = state_section_begin(s, d->engine->info->name, "vertices", 7);
    state_dwords(s, u->dw, URB_PATCH_OFFSET_DW);
    if (d->draws->draw.cursor.stages >> SHADER_STAGE_HS & 1u)
        state_dwords(s, u->dw + URB_PATCH_OFFSET_DW, URB_PATCH_DW);
    STATE_ARRAY(s, u->vertex_index_key);
    STATE_ARRAY(s, u->last_use);
    STATE_ARRAY(s, u->channel_entries);
    STATE(s, u->epoch);
    STATE(s, u->entry_dw);
    STATE(s, u->first_handle);
    STATE(s, u->channel_count);
    STATE(s, u->stage);
    STATE(s, u->handle_count);
    bool holds = u->entry_dw <= URB_ENTRY_DW && u->channel_count <= d->set->register_bytes / sizeof *u->dw &&
                 u->handle_count <= URB_HANDLES && (u->stage != SHADER_STAGE_PS) == (u->channel_count != 0) &&
                 d->work.setup.payload == u->stage;
    for (unsigned i = 0; holds && i < u->handle_count; i++) {
        struct urb_handle_grant *const r = &u->handles[i];
        STATE(s, r->handle);
        STATE(s, r->urb_offset_dw);
        STATE(s, r->entry_dw);
        holds &= r->urb_offset_dw <= URB_DW && r->entry_dw <= URB_DW - r->urb_offset_dw;
    }
    holds &= gs_thread_state(d, s) && gen6_gs_output_state(d, s);
    for (unsigned i = 0; i < URB_SLOTS; i++)
        holds &= u->last_use[i] <= u->epoch;
    for (unsigned i = 0; i < STAGE_CHANNELS; i++)
        holds &= u->channel_entries[i] < URB_SLOTS;
    holds &= u->stage == SHADER_STAGE_PS || d->draws->draw.cursor.stages >> u->stage & 1u;
    for (unsigned i = 0; !s->saving && i < URB_SLOTS; i++)
        u->dirty_dw[i] = URB_ENTRY_DW;
    vertex_cache_count(u);
    state_check(s, s->failed || holds);
    state_section_end(s, begin);
}
