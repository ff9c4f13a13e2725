/*
 * Objects that Gen6 gives a thread each: what it makes of one is vertices in entries of the URB, which come
 * to the clipper in the order in which they are complete. Each has its topology, and whether a primitive
 * begins or ends with it. (SNB PRM vol 2 part 1, Geometry Shader; vol 4 part 2, URB_WRITE)
 */
#include "draw/draw.h"

enum { ENDS = 1, BEGINS = 2, TOPOLOGY_AT = 2 };

static unsigned topology_of(const struct made *m, unsigned vertex)
{
    return m->about[vertex] >> TOPOLOGY_AT;
}

static bool is_fan(unsigned topology)
{
    return topology == TOPOLOGY_TRIFAN || topology == TOPOLOGY_POLYGON;
}

/* How many vertices further there is none of the same primitive. */
static unsigned together(const struct made *m, unsigned first, unsigned wanted)
{
    unsigned n = 0;
    while (n < wanted && first + n < m->vertices && (!n || !(m->about[first + n] & BEGINS)) &&
           topology_of(m, first + n) == topology_of(m, first))
        if (m->about[first + n++] & ENDS)
            break;
    return n;
}

/* The next one of what the thread made; a vertex that none is made of is left out. */
static enum assembly made_primitive(struct drawing *d, struct bindings *b, struct primitive *p)
{
    struct urb *const u = b->urb;
    struct made *const m = &u->made;
    if (m->about[m->next] & BEGINS)
        m->begin = m->next;
    const unsigned topology = topology_of(m, m->next), reversed = topology == TOPOLOGY_TRISTRIP_REVERSE,
                   shape = reversed ? TOPOLOGY_TRISTRIP : topology, corners = draw_corners_of(shape);
    const bool fans = is_fan(shape);
    if (!corners || corners != draw_vertices_of(shape) || (!fans && !draw_step_of(shape))) {
        m->next++;
        return ASSEMBLY_GOES_ON;
    }
    const unsigned n = together(m, m->next, corners);
    if (n < corners) {
        m->next = m->begin = m->next + n;
        return ASSEMBLY_GOES_ON;
    }
    const unsigned first = m->next;
    d->topology = (uint8_t)shape;
    d->provoking = draw_provoking(b->engine, shape);
    d->turned = shape == TOPOLOGY_TRISTRIP && ((first - m->begin) ^ reversed) % 2u;
    for (unsigned i = 0; i < CORNERS; i++) {
        const unsigned corner = i < corners ? i : 0, at = d->turned && corner ? CORNERS - corner : corner,
                       vertex = fans && !at ? m->begin : first + at;
        memcpy(p->dw[i], u->dw + URB_MADE_AT + m->order[vertex] * (size_t)URB_ENTRY_DW, sizeof p->dw[i]);
    }
    m->next += fans ? 1u : draw_step_of(shape);
    return ASSEMBLY_DONE;
}

enum assembly draw_objects(struct drawing *d, struct bindings *b, struct primitive *p, uint64_t *budget)
{
    enum { GS_INVOCATION_COUNT = 0x328 };
    struct urb *const u = b->urb;
    struct object o;
    uint8_t entry[OBJECT_VERTICES];
    p->stream = 0;
    if (u->made.next < u->made.vertices)
        return made_primitive(d, b, p);
    d->midway = false;
    u->made = (struct made){0};
    enum assembly assembly = draw_assemble(d, b, &o);
    if (assembly == ASSEMBLY_DONE && d->shades_vertices)
        assembly = draw_enter(d, b, &o, entry, budget);
    if (assembly != ASSEMBLY_DONE)
        return assembly;
    d->turned = o.turned;
    d->identity = o.primitive;
    d->midway = d->objects_render;
    if (draw_state(b->engine, STATE_GS, GS_STATISTICS_ENABLE))
        engine_register64_add(b->engine, GS_INVOCATION_COUNT, 1);
    u->stage = STAGE_STREAM;
    u->count = 1;
    return ASSEMBLY_WAITS;
}
