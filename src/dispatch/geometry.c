/*
 * Threads of geometry shaders: each has up to eight objects, one a channel. What it finds: r0; r1 with
 * handles of what it makes, and which invocation of the object it is; numbers of the objects, handles of
 * their vertices, where the state asks for these; constants, from the register that it names, and behind them
 * parts of the vertices, the first one's, then the second one's, a dword of all eight in each. (Mesa,
 * gs_thread_payload)
 */
#include "dispatch/dispatch.h"

static const struct stage geometry_stage = {STATE_GS, STATE_BINDINGS_GS, STATE_SAMPLERS_GS,
                                            STATE_CONSTANT_GS};

enum { PART_DW = 8 };

static uint32_t handle_of(const struct geometry *g, unsigned lane)
{
    return urb_handle_of(g->first, g->entry_dw, lane);
}

static void begin(struct dispatch *d, uint64_t *budget)
{
    enum { OBJECT_INSTRUCTIONS = 64, INSTRUCTION_DW = 256, START_HIGH_AT = 4 };
    struct grid *const g = &d->grid;
    struct urb *const u = d->urb;
    const struct geometry *const w = &u->geometry;
    budget_take(budget, w->lanes * (uint64_t)(OBJECT_INSTRUCTIONS + w->entry_dw / INSTRUCTION_DW));
    g->payload = PAYLOAD_GEOMETRY;
    g->simd = GEOMETRY_OBJECTS;
    g->kernel = kept_state(d, STATE_GS, GS_KERNEL_START_POINTER);
    g->thread_registers =
        (uint32_t)(kept_state(d, STATE_GS, GS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA) |
                   kept_state(d, STATE_GS, GS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5_4) << START_HIGH_AT);
    g->seeks = false;
    u->reaches = 0;
    for (unsigned i = 0; i < w->lanes; i++)
        stage_reaches(d, handle_of(w, i), URB_MADE_AT + i * (size_t)GEOMETRY_ENTRY_DW, w->entry_dw);
    for (unsigned n = 0; n < w->vertices; n++)
        for (unsigned i = 0; i < w->lanes; i++)
            stage_reaches(d, urb_handle(u, w->entry[i][n]), w->entry[i][n] * (size_t)URB_ENTRY_DW,
                          u->entry_dw);
    stage_take(d, &geometry_stage);
}

/* Of each vertex, as its entry has them. */
static void put_vertices(struct dispatch *d, struct filling *f)
{
    const struct urb *const u = d->urb;
    const struct geometry *const w = &u->geometry;
    const unsigned first = (unsigned)kept_state(d, STATE_GS, GS_VERTEX_URB_ENTRY_READ_OFFSET) * PART_DW,
                   count = (unsigned)kept_state(d, STATE_GS, GS_VERTEX_URB_ENTRY_READ_LENGTH) * PART_DW;
    for (unsigned n = 0; n < w->vertices; n++)
        for (unsigned at = first; at < first + count; at++) {
            uint32_t values[GEOMETRY_OBJECTS] = {0};
            for (unsigned i = 0; i < w->lanes; i++)
                values[i] = at < URB_ENTRY_DW ? u->dw[w->entry[i][n] * (size_t)URB_ENTRY_DW + at] : 0;
            fill_put(f, values, sizeof values);
        }
}

/* A register for each vertex; or for those of the only object, which comes several times. */
static void put_handles(const struct urb *u, struct filling *f)
{
    const struct geometry *const w = &u->geometry;
    uint32_t values[GEOMETRY_OBJECTS] = {0};
    for (unsigned n = 0; n < w->vertices && w->instanced; n++)
        values[n] = urb_handle(u, w->entry[0][n]);
    if (w->instanced)
        fill_put(f, values, sizeof values);
    for (unsigned n = 0; n < w->vertices && !w->instanced; n++) {
        for (unsigned i = 0; i < w->lanes; i++)
            values[i] = urb_handle(u, w->entry[i][n]);
        fill_put(f, values, sizeof values);
    }
}

static void fill(struct dispatch *d, struct eu_thread *t)
{
    enum {
        DISPATCH_MASK = 2,
        VECTOR_MASK = 3,
        ABOUT = 2,
        TOPOLOGY_AT = 16,
        HINT_AT = 22,
        INVOCATION_AT = 27
    };
    const struct grid *const g = &d->grid;
    const struct urb *const u = d->urb;
    const struct geometry *const w = &u->geometry;
    struct filling f = {.thread = t};
    uint32_t r0[8], values[GEOMETRY_OBJECTS] = {0};
    memcpy(r0, g->r0, sizeof r0);
    r0[ABOUT] |= (d->drawing.input & 0x1fu) << TOPOLOGY_AT | (uint32_t)kept_state(d, STATE_GS, GS_HINT)
                                                                 << HINT_AT;
    fill_put(&f, r0, sizeof r0);
    for (unsigned i = 0; i < w->lanes; i++)
        values[i] = handle_of(w, i) | (uint32_t)w->invocation[i] << INVOCATION_AT;
    fill_put(&f, values, sizeof values);
    if (kept_state(d, STATE_GS, GS_INCLUDE_PRIMITIVE_ID))
        fill_put(&f, w->identity, sizeof w->identity);
    if (kept_state(d, STATE_GS, GS_INCLUDE_VERTEX_HANDLES))
        put_handles(u, &f);
    f.at = g->thread_registers;
    fill_constants(d, &f, &geometry_stage);
    put_vertices(d, &f);
    t->state[DISPATCH_MASK] = t->state[VECTOR_MASK] = stage_channels(d);
}

const struct shading geometry_shading = {begin, fill, stage_channels, stage_shaded};

/* ---- State ---- */

bool geometry_state(struct dispatch *d, struct state *s)
{
    struct geometry *const g = &d->urb->geometry;
    STATE_ARRAY(s, g->identity);
    STATE(s, g->entry_dw);
    STATE(s, g->first);
    STATE(s, g->lane);
    STATE(s, g->vertex);
    STATE(s, g->begin);
    STATE_ARRAY(s, g->invocation);
    for (unsigned i = 0; i < GEOMETRY_OBJECTS; i++)
        STATE_ARRAY(s, g->entry[i]);
    STATE(s, g->lanes);
    STATE(s, g->vertices);
    STATE(s, g->next_invocation);
    STATE(s, g->instanced);
    const bool at_hand = d->grid.payload == PAYLOAD_GEOMETRY;
    bool holds = g->entry_dw <= GEOMETRY_ENTRY_DW && g->lanes <= GEOMETRY_OBJECTS && g->lane <= g->lanes &&
                 g->vertices <= GEOMETRY_VERTICES && (!at_hand || (g->lanes && g->lanes == d->urb->count)) &&
                 (!at_hand || d->drawing.midway) && (d->drawing.makes_primitives || !g->lanes) &&
                 (g->lane == g->lanes || d->drawing.midway);
    const uint8_t input = d->drawing.input;
    holds &= !d->drawing.makes_primitives || g->vertices == draw_vertices_of(input) ||
             (g->vertices && g->vertices == draw_corners_of(input));
    for (unsigned i = 0; i < GEOMETRY_OBJECTS * GEOMETRY_VERTICES; i++)
        holds &= g->entry[i / GEOMETRY_VERTICES][i % GEOMETRY_VERTICES] < URB_ENTRIES;
    for (unsigned i = 0; holds && g->lane < g->lanes && i < g->lanes; i++)
        state_dwords(s, d->urb->dw + URB_MADE_AT + i * (size_t)GEOMETRY_ENTRY_DW, g->entry_dw);
    return holds;
}
