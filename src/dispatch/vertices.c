/*
 * Threads that shade vertices, eight at once: each is a group of its own, between two of pixels, with the
 * vertices that primitives lack. What a thread finds: r0; r1 with their handles; constants, from the register
 * that the state names, and behind them what was fetched, a dword of all eight in each. (BDW PRM vol 7, VS
 * Thread Payload)
 */
#include "dispatch/dispatch.h"

static const struct stage vertex_stage = {STATE_VS, STATE_BINDINGS_VS, STATE_SAMPLERS_VS, STATE_CONSTANT_VS};

static void begin(struct dispatch *d, uint64_t *budget)
{
    (void)budget; /* each has cost what it does when it was fetched */
    struct grid *const g = &d->grid;
    g->payload = PAYLOAD_VERTICES;
    g->simd = THREAD_VERTICES;
    g->kernel = kept_state(d, STATE_VS, VS_KERNEL_START_POINTER);
    g->thread_registers = (uint32_t)kept_state(d, STATE_VS, VS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA);
    g->seeks = false;
    struct urb *const u = d->urb;
    u->reaches = 0;
    for (unsigned i = 0; i < u->count; i++)
        stage_reaches(d, urb_handle(u, u->lanes[i]), u->lanes[i] * (size_t)URB_ENTRY_DW, u->entry_dw);
    stage_take(d, &vertex_stage);
}

void stage_reaches(struct dispatch *d, uint32_t handle, size_t at_dw, uint32_t entry_dw)
{
    struct urb *const u = d->urb;
    if (u->reaches < REACHES)
        u->reach[u->reaches++] = (struct urb_reach){handle, (uint32_t)at_dw, entry_dw};
}

uint32_t stage_channels(const struct dispatch *d)
{
    return (1u << d->urb->count) - 1u;
}

static uint32_t channels(const struct dispatch *d)
{
    return vertices_are_pairs(d) ? vertex_pair_channels(d->urb) : stage_channels(d);
}

static void fill(struct dispatch *d, struct eu_thread *t)
{
    enum { PART_DW = 8, DISPATCH_MASK = 2, VECTOR_MASK = 3 };
    const struct grid *const g = &d->grid;
    const struct urb *const u = d->urb;
    const unsigned first = (unsigned)kept_state(d, STATE_VS, VS_VERTEX_URB_ENTRY_READ_OFFSET) * PART_DW,
                   count = (unsigned)kept_state(d, STATE_VS, VS_VERTEX_URB_ENTRY_READ_LENGTH) * PART_DW;
    struct filling f = {.thread = t};
    uint32_t values[THREAD_VERTICES] = {0};
    t->state[DISPATCH_MASK] = t->state[VECTOR_MASK] = channels(d);
    if (vertices_are_pairs(d)) {
        vertex_pair_fill(d, t, &vertex_stage);
        return;
    }
    fill_put(&f, g->r0, sizeof g->r0);
    for (unsigned i = 0; i < u->count; i++)
        values[i] = urb_handle(u, u->lanes[i]);
    fill_put(&f, values, sizeof values);
    f.at = g->thread_registers;
    fill_constants(d, &f, &vertex_stage);
    for (unsigned at = first; at < first + count; at++) {
        for (unsigned i = 0; i < u->count; i++)
            values[i] = at < URB_ENTRY_DW ? u->dw[u->lanes[i] * (size_t)URB_ENTRY_DW + at] : 0;
        fill_put(&f, values, sizeof values);
    }
}

static void shaded(struct dispatch *d)
{
    d->done.vertices += d->drawing.counts_vertices ? d->urb->count : 0;
    stage_shaded(d);
}

const struct shading vertices_shading = {begin, fill, channels, shaded};

/* ---- State ---- */

/* While a draw is at hand that has some. */
void vertices_state(struct dispatch *d, struct state *s)
{
    struct urb *const u = d->urb;
    if (!s->saving)
        *u = (struct urb){0};
    if (!(d->grid.live && is_draw(&d->grid) &&
          (d->drawing.shades_vertices || d->drawing.staged || d->drawing.objects_stream)))
        return;
    const size_t begin = state_section_begin(s, d->engine->info->name, "vertices", 4);
    state_dwords(s, u->dw, PATCH_AT_DW);
    if (d->drawing.tessellates)
        state_dwords(s, u->dw + PATCH_AT_DW, PATCH_DW);
    STATE_ARRAY(s, u->key);
    STATE_ARRAY(s, u->used);
    STATE_ARRAY(s, u->lanes);
    STATE(s, u->turn);
    STATE(s, u->entry_dw);
    STATE(s, u->first);
    STATE(s, u->count);
    STATE(s, u->stage);
    STATE(s, u->reaches);
    bool holds = u->entry_dw <= URB_ENTRY_DW && u->count <= THREAD_VERTICES && u->reaches <= REACHES &&
                 (d->grid.payload > PAYLOAD_PIXELS) == (u->count != 0) &&
                 d->grid.payload == PAYLOAD_PIXELS + u->stage;
    for (unsigned i = 0; holds && i < u->reaches; i++) {
        struct urb_reach *const r = &u->reach[i];
        STATE(s, r->handle);
        STATE(s, r->at_dw);
        STATE(s, r->entry_dw);
        holds &= r->at_dw <= URB_DW && r->entry_dw <= URB_DW - r->at_dw;
    }
    holds &= geometry_state(d, s) && streams_state(d, s);
    for (unsigned i = 0; i < URB_PLACES; i++)
        holds &= u->used[i] <= u->turn;
    for (unsigned i = 0; i < THREAD_VERTICES; i++)
        holds &= u->lanes[i] < URB_PLACES;
    holds &= u->stage != STAGE_HULL || d->drawing.tessellates;
    holds &= u->stage != STAGE_DOMAIN || d->drawing.patched;
    if (holds && !s->saving && !s->failed && d->drawing.patched)
        holds = draw_tessellate(&d->drawing, &d->bindings);
    state_check(s, s->failed || holds);
    state_section_end(s, begin);
}
