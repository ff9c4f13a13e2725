/*
 * Vertices that threads shade: each is fetched into an entry of the URB, where it is as long as others have
 * counted more recently. What is missing for a primitive, and for those behind it, goes to one thread, as
 * many as it takes. (SKL PRM vol 7, Vertex Fetch, Vertex Cache)
 */
#include "draw/draw.h"

/* What makes two vertices one: the index, where they may be; else the place in the draw. */
static bool key_of(const struct drawing *d, struct bindings *b, uint32_t vertex, uint64_t *key)
{
    uint32_t number, identity = vertex;
    if (d->caches && !draw_vertex_number(d, b, vertex, &number, &identity))
        return false;
    *key = (uint64_t)d->instance << 32 | identity;
    return true;
}

unsigned draw_find_entry(const struct urb *u, unsigned first, uint64_t key)
{
    unsigned entry = first;
    while (entry < first + URB_ENTRIES && !(u->used[entry] && u->key[entry] == key))
        entry++;
    return entry;
}

unsigned draw_oldest_entry(const struct urb *u, unsigned first)
{
    const unsigned end = first + URB_ENTRIES;
    unsigned entry = end;
    for (unsigned i = first; i < end; i++)
        if (u->used[i] != u->turn && (entry == end || u->used[i] < u->used[entry]))
            entry = i;
    return entry;
}

void draw_turn(struct urb *u)
{
    if (u->turn == UINT32_MAX) { /* all are forgotten: they have no order any more */
        memset(u->used, 0, sizeof u->used);
        u->turn = 0;
    }
    u->turn++;
    u->count = 0;
}

/* A vertex that is to be there; false: it does not fit, or a fault. */
static bool gather(const struct drawing *d, struct bindings *b, uint32_t vertex)
{
    struct urb *const u = b->urb;
    uint64_t key;
    if (!key_of(d, b, vertex, &key))
        return false;
    unsigned entry = draw_find_entry(u, 0, key);
    if (entry == URB_ENTRIES) {
        entry = draw_oldest_entry(u, 0);
        const unsigned most = draw_state(b->engine, STATE_VS, VS_SIMD8_DISPATCH_ENABLE) ? THREAD_VERTICES : 2;
        if (entry == URB_ENTRIES || u->count >= most ||
            !draw_vertex(d, b, vertex, u->dw + (size_t)entry * URB_ENTRY_DW))
            return false;
        u->key[entry] = key;
        u->lanes[u->count++] = (uint8_t)entry;
    }
    u->used[entry] = u->turn;
    return true;
}

/* What the object at hand needs, and as many behind it as there is room for. */
static void gather_all(const struct drawing *d, struct bindings *b)
{
    enum { LOOKS = 64 };
    struct urb *const u = b->urb;
    struct drawing ahead = *d;
    struct object o;
    bool more = true;
    draw_turn(u);
    for (unsigned looks = 0; more && looks < LOOKS; looks++) {
        const enum assembly assembly = draw_assemble(&ahead, b, &o);
        more = assembly != ASSEMBLY_ENDS && !faulted(b->engine);
        for (unsigned i = 0; assembly == ASSEMBLY_DONE && i < o.count && more; i++)
            more = gather(&ahead, b, o.vertex[i]); /* of its own primitive */
        ahead.primitive += assembly == ASSEMBLY_DONE;
    }
}

bool draw_entered(const struct drawing *d, struct bindings *b, const struct object *o,
                  uint8_t entry[OBJECT_VERTICES])
{
    struct urb *const u = b->urb;
    for (unsigned i = 0; i < o->count; i++) {
        uint64_t key;
        if (!key_of(d, b, o->vertex[i], &key))
            return false;
        entry[i] = (uint8_t)draw_find_entry(u, 0, key);
        if (entry[i] == URB_ENTRIES)
            return false;
    }
    for (unsigned i = 0; i < o->count; i++)
        u->used[entry[i]] = u->turn;
    return true;
}

bool draw_gather(struct drawing *d, struct bindings *b, uint64_t *budget)
{
    enum { VERTEX_INSTRUCTIONS = 64 };
    struct urb *const u = b->urb;
    gather_all(d, b);
    budget_take(budget, u->count * (uint64_t)VERTEX_INSTRUCTIONS);
    if (faulted(b->engine) || !u->count)
        return false;
    if (d->shades_vertices)
        u->stage = STAGE_VERTICES;
    else
        u->count = 0; /* as they were fetched they go on */
    return true;
}

enum assembly draw_enter(struct drawing *d, struct bindings *b, const struct object *o,
                         uint8_t entry[OBJECT_VERTICES], uint64_t *budget)
{
    if (draw_entered(d, b, o, entry))
        return ASSEMBLY_DONE;
    return !faulted(b->engine) && draw_gather(d, b, budget) && !b->urb->count ? ASSEMBLY_GOES_ON
                                                                              : ASSEMBLY_WAITS;
}

uint64_t draw_entry_dw(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state)
{
    enum { UNIT_DW = 16 };
    const uint64_t size = draw_state(e, urb_state, URB_ENTRY_ALLOCATION_SIZE),
                   allocated = draw_state(e, urb_alloc_state, URB_ENTRY_ALLOCATION_SIZE);
    if (draw_has_role(e, urb_state, URB_ENTRY_ALLOCATION_SIZE_128B))
        return (draw_state(e, urb_state, URB_ENTRY_ALLOCATION_SIZE_128B) + 1u) * 2u * UNIT_DW;
    return ((size > allocated ? size : allocated) + 1u) * UNIT_DW;
}

uint32_t draw_first_handle(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state)
{
    enum { START_UNITS = 8192 / 64 };
    const uint64_t start = draw_state(e, urb_state, URB_STARTING_ADDRESS),
                   allocated = draw_state(e, urb_alloc_state, URB_STARTING_ADDRESS);
    return (uint32_t)(start > allocated ? start : allocated) * START_UNITS;
}

enum assembly draw_corners(struct drawing *d, struct bindings *b, const struct object *o, struct primitive *p,
                           uint64_t *budget)
{
    const unsigned corners = draw_corners_of(d->input);
    uint8_t entry[OBJECT_VERTICES];
    const enum assembly entered = d->shades_vertices ? draw_enter(d, b, o, entry, budget) : ASSEMBLY_DONE;
    if (entered != ASSEMBLY_DONE)
        return entered;
    for (unsigned i = 0; i < corners; i++) {
        const unsigned at = draw_corner_at(d->input, i);
        if (d->shades_vertices)
            memcpy(p->dw[i], b->urb->dw + (size_t)entry[at] * URB_ENTRY_DW, sizeof p->dw[i]);
        else if (!draw_vertex(d, b, o->vertex[at], p->dw[i]))
            return ASSEMBLY_WAITS;
    }
    for (unsigned i = corners; i < CORNERS; i++) /* what it does not have is the first one again */
        memcpy(p->dw[i], p->dw[0], sizeof p->dw[i]);
    return ASSEMBLY_DONE;
}
