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

static unsigned find(const struct urb *u, uint64_t key)
{
    unsigned entry = 0;
    while (entry < URB_ENTRIES && !(u->used[entry] && u->key[entry] == key))
        entry++;
    return entry;
}

/* The one that waited longest, but for those of this turn. */
static unsigned oldest(const struct urb *u)
{
    unsigned entry = URB_ENTRIES;
    for (unsigned i = 0; i < URB_ENTRIES; i++)
        if (u->used[i] != u->turn && (entry == URB_ENTRIES || u->used[i] < u->used[entry]))
            entry = i;
    return entry;
}

/* A vertex that is to be there; false: it does not fit, or a fault. */
static bool gather(const struct drawing *d, struct bindings *b, uint32_t vertex)
{
    struct urb *const u = b->urb;
    uint64_t key;
    if (!key_of(d, b, vertex, &key))
        return false;
    unsigned entry = find(u, key);
    if (entry == URB_ENTRIES) {
        entry = oldest(u);
        if (entry == URB_ENTRIES || u->count == THREAD_VERTICES ||
            !draw_vertex(d, b, vertex, u->dw + (size_t)entry * URB_ENTRY_DW))
            return false;
        u->key[entry] = key;
        u->lanes[u->count++] = (uint8_t)entry;
    }
    u->used[entry] = u->turn;
    return true;
}

/* What the primitive at hand needs, and as many behind it as there is room for. */
static void gather_all(const struct drawing *d, struct bindings *b)
{
    enum { LOOKS = 64 };
    struct urb *const u = b->urb;
    struct drawing ahead = *d;
    uint32_t vertex[CORNERS];
    bool more = true;
    if (u->turn == UINT32_MAX) { /* all are forgotten: they have no order any more */
        memset(u->used, 0, sizeof u->used);
        u->turn = 0;
    }
    u->turn++;
    u->count = 0;
    for (unsigned looks = 0; more && looks < LOOKS; looks++) {
        const enum assembly assembly = draw_assemble(&ahead, b, vertex);
        more = assembly != ASSEMBLY_ENDS && !faulted(b->engine);
        for (unsigned i = 0; assembly == ASSEMBLY_DONE && i < CORNERS && more; i++)
            more = gather(d, b, vertex[i]);
        ahead.primitive += assembly == ASSEMBLY_DONE;
    }
}

bool draw_corners(struct drawing *d, struct bindings *b, const uint32_t vertex[CORNERS],
                  uint32_t dw[CORNERS][VERTEX_DW])
{
    struct urb *const u = b->urb;
    for (unsigned i = 0; i < CORNERS; i++) {
        uint64_t key;
        if (!d->shades_vertices) {
            if (!draw_vertex(d, b, vertex[i], dw[i]))
                return false;
            continue;
        }
        if (!key_of(d, b, vertex[i], &key))
            return false;
        const unsigned entry = find(u, key);
        if (entry == URB_ENTRIES) {
            gather_all(d, b);
            return false;
        }
        u->used[entry] = u->turn;
        memcpy(dw[i], u->dw + (size_t)entry * URB_ENTRY_DW, VERTEX_DW * sizeof *dw[i]);
    }
    return true;
}
