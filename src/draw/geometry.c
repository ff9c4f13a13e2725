/*
 * Geometry shaders: objects go to a thread, eight of them at once, or one as often as the state says; what it
 * makes of one is an entry of the URB: how many vertices, unless that is static; a bit or two of each
 * that cut or name its stream; the vertices. Primitives of these come one object behind the other. (Mesa,
 * brw_compile_gs)
 */
#include "draw/draw.h"

enum { PART_DW = 8, VECTOR_DW = 4 };

/* Vertices that a thread gets of an object. */
static unsigned vertices_of(const struct engine *e, uint64_t topology)
{
    return draw_state(e, STATE_GS, GS_DISCARD_ADJACENCY) && draw_corners_of(topology)
               ? draw_corners_of(topology)
               : draw_vertices_of(topology);
}

const char *draw_lacks_geometry(const struct engine *e, uint64_t topology)
{
    enum { SIMD8 = 3 };
    const unsigned vertices = vertices_of(e, topology);
    if (draw_state(e, STATE_GS, GS_DISPATCH_MODE) != SIMD8)
        return "a geometry shader of one object or two at once";
    if (!vertices || vertices > GEOMETRY_VERTICES)
        return "a geometry shader of quads or large patches";
    if (draw_state(e, STATE_GS, GS_EXPECTED_VERTEX_COUNT) != vertices)
        return "a geometry shader of other objects than come";
    if (!draw_step_of(draw_state(e, STATE_GS, GS_OUTPUT_TOPOLOGY)))
        return "a geometry shader that makes other than points, lines and triangles";
    return draw_entry_dw(e, STATE_URB_GS, STATE_URB_ALLOC_GS) > GEOMETRY_ENTRY_DW
               ? "a geometry shader's entries of more than 32 KB"
               : NULL;
}

void draw_take_geometry(struct drawing *d, struct bindings *b)
{
    const struct engine *const e = b->engine;
    b->urb->geometry =
        (struct geometry){.entry_dw = (uint32_t)draw_entry_dw(e, STATE_URB_GS, STATE_URB_ALLOC_GS),
                          .first = draw_first_handle(e, STATE_URB_GS, STATE_URB_ALLOC_GS),
                          .instanced = draw_state(e, STATE_GS, GS_INSTANCE_CONTROL) != 0,
                          .vertices = (uint8_t)vertices_of(e, d->input)};
    d->topology = (uint8_t)draw_state(e, STATE_GS, GS_OUTPUT_TOPOLOGY);
    d->counts_made = draw_state(e, STATE_GS, GS_STATISTICS_ENABLE);
    d->staged = true;
}

/* ---- Objects for a thread ---- */

/* Of a turned triangle the last corner comes first, where the state says so. */
static unsigned from(const struct drawing *d, const struct engine *e, const struct object *o, unsigned vertex)
{
    const bool trailing = o->turned && draw_state(e, STATE_GS, GS_REORDER_MODE);
    const unsigned corners = draw_corners_of(d->input), each = o->count / (corners ? corners : 1u);
    return trailing ? (vertex + o->count - each) % o->count : vertex;
}

/* As many of its invocations as there is room for; whether these are all. */
static bool take_object(const struct drawing *d, struct bindings *b, const struct object *o,
                        const uint8_t entry[OBJECT_VERTICES], uint8_t *invocation)
{
    struct geometry *const g = &b->urb->geometry;
    const uint64_t last = draw_state(b->engine, STATE_GS, GS_INSTANCE_CONTROL);
    const bool all = g->vertices == o->count;
    while (g->lanes < GEOMETRY_OBJECTS) {
        for (unsigned i = 0; i < g->vertices; i++) {
            const unsigned at = all ? i : draw_corner_at(d->input, i);
            g->entry[g->lanes][i] = entry[from(d, b->engine, o, at)];
        }
        g->identity[g->lanes] = o->primitive;
        g->invocation[g->lanes++] = *invocation;
        if (*invocation == last) {
            *invocation = 0;
            return true;
        }
        ++*invocation;
    }
    return false;
}

/* A thread gets what there is; false: a fault, or vertices are missing, which come first. */
static enum assembly gather_objects(struct drawing *d, struct bindings *b, uint64_t *budget)
{
    enum { LOOKS = 64, GS_INVOCATION_COUNT = 0x328 };
    struct urb *const u = b->urb;
    struct geometry *const g = &u->geometry;
    struct drawing ahead = *d;
    uint8_t invocation = g->next_invocation, entry[OBJECT_VERTICES];
    enum assembly assembly = ASSEMBLY_GOES_ON;
    const unsigned most = g->instanced ? 1 : GEOMETRY_OBJECTS; /* of an object all channels have the same */
    g->lane = g->lanes = 0;
    for (unsigned looks = 0; looks < LOOKS && g->lanes < most; looks++) {
        struct object o;
        assembly = draw_assemble(&ahead, b, &o);
        if (faulted(b->engine) || assembly == ASSEMBLY_ENDS)
            break;
        if (assembly != ASSEMBLY_DONE && !g->lanes)
            break; /* each cut costs */
        if (assembly != ASSEMBLY_DONE)
            continue;
        if (draw_entered(&ahead, b, &o, entry)) {
            ahead.primitive += take_object(d, b, &o, entry, &invocation);
            continue;
        }
        if (draw_gather(d, b, budget)) {
            g->lanes = 0;
            return u->count ? ASSEMBLY_WAITS : ASSEMBLY_GOES_ON;
        }
        break;
    }
    if (faulted(b->engine)) {
        g->lanes = 0;
        return ASSEMBLY_WAITS;
    }
    if (!g->lanes && assembly == ASSEMBLY_ENDS)
        return ASSEMBLY_ENDS;
    *d = ahead;
    if (!g->lanes)
        return ASSEMBLY_GOES_ON;
    g->next_invocation = invocation;
    for (unsigned i = 0; i < g->lanes; i++)
        memset(u->dw + URB_MADE_AT + i * (size_t)GEOMETRY_ENTRY_DW, 0, g->entry_dw * sizeof *u->dw);
    if (d->counts_made)
        engine_register64_add(b->engine, GS_INVOCATION_COUNT,
                              g->lanes *
                                  (draw_state(b->engine, STATE_GS, GS_INVOCATIONS_INCREMENT_VALUE) + 1u));
    u->count = g->lanes;
    u->stage = STAGE_GEOMETRY;
    d->midway = true;
    return ASSEMBLY_WAITS;
}

/* ---- What a thread made ---- */

/* Where in an entry its parts are. */
struct layout {
    uint32_t control_dw, vertices_dw, vertex_dw;
    uint32_t vertices; /* as far as they are in it */
};

static struct layout layout_of(const struct engine *e, const struct geometry *g, const uint32_t *entry)
{
    const bool is_static = draw_state(e, STATE_GS, GS_STATIC_OUTPUT);
    struct layout l = {.control_dw = is_static ? 0 : PART_DW};
    l.vertices_dw = l.control_dw + (uint32_t)draw_state(e, STATE_GS, GS_CONTROL_DATA_HEADER_SIZE) * PART_DW;
    l.vertex_dw = ((uint32_t)draw_state(e, STATE_GS, GS_OUTPUT_VERTEX_SIZE) + 1u) * VECTOR_DW;
    l.vertices = is_static ? (uint32_t)draw_state(e, STATE_GS, GS_STATIC_OUTPUT_VERTEX_COUNT) : entry[0];
    const uint32_t most = g->entry_dw > l.vertices_dw ? (g->entry_dw - l.vertices_dw) / l.vertex_dw : 0;
    l.vertices = l.vertices < most ? l.vertices : most;
    return l;
}

/* Bits of a vertex: whether a strip ends behind it, or its stream. */
static uint32_t control_of(const struct layout *l, const uint32_t *entry, uint32_t vertex, unsigned bits)
{
    const uint32_t at = vertex * bits / 32u;
    return l->control_dw + at < l->vertices_dw
               ? entry[l->control_dw + at] >> vertex * bits % 32u & ((1u << bits) - 1u)
               : 0;
}

/* Behind the last vertex the next object's come; behind the last object another thread may. */
static enum assembly next_object(struct drawing *d, struct geometry *g)
{
    g->vertex = g->begin = 0;
    if (++g->lane == g->lanes)
        d->midway = g->next_invocation != 0;
    return ASSEMBLY_GOES_ON;
}

enum assembly draw_made(struct drawing *d, struct bindings *b, struct primitive *p, uint64_t *budget)
{
    enum { GS_PRIMITIVES_COUNT = 0x330, CUT_BITS = 1, STREAM_BITS = 2 };
    const struct engine *const e = b->engine;
    struct geometry *const g = &b->urb->geometry;
    const unsigned corners = draw_corners_of(d->topology);
    if (g->lane >= g->lanes)
        return gather_objects(d, b, budget);
    const uint32_t *const entry = b->urb->dw + URB_MADE_AT + g->lane * (size_t)GEOMETRY_ENTRY_DW;
    const struct layout l = layout_of(e, g, entry);
    const bool names_streams = draw_state(e, STATE_GS, GS_CONTROL_DATA_FORMAT);
    if (g->vertex >= l.vertices || l.vertices - g->vertex < corners)
        return next_object(d, g);
    for (unsigned i = 0; i + 1 < corners && !names_streams; i++)
        if (control_of(&l, entry, g->vertex + i, CUT_BITS)) {
            g->vertex = g->begin = g->vertex + i + 1u;
            return ASSEMBLY_GOES_ON;
        }
    d->turned = d->topology == TOPOLOGY_TRISTRIP && (g->vertex - g->begin) % 2u;
    d->identity = g->identity[g->lane];
    p->stream = (uint8_t)(names_streams && l.vertices_dw > l.control_dw
                              ? control_of(&l, entry, g->vertex, STREAM_BITS)
                              : draw_state(e, STATE_GS, GS_DEFAULT_STREAM_ID));
    memset(p->dw, 0, sizeof p->dw);
    for (unsigned i = 0; i < CORNERS; i++) {
        const uint32_t at = i >= corners ? 0 : d->turned && i ? CORNERS - i : i;
        memcpy(p->dw[i], entry + l.vertices_dw + (g->vertex + at) * l.vertex_dw, l.vertex_dw * sizeof *entry);
    }
    g->vertex += draw_step_of(d->topology);
    if (d->counts_made)
        engine_register64_add(b->engine, GS_PRIMITIVES_COUNT, 1);
    return ASSEMBLY_DONE;
}
