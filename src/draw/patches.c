/*
 * Patches: the vertices of one are in the URB; threads of the hull shader write the patch, factors first; the
 * tessellator makes primitives of it, whose points threads of the domain shader make vertices of, as many at
 * once as they take, each kept while others have not counted more recently. (SKL PRM vol 7, Tessellation)
 */
#include "draw/draw.h"

/* Where points' entries begin. What a key has beside the point: where none is shared the corner that it is.
 */
enum { POINTS = URB_ENTRIES, CORNER_AT = 32 };

/* Factors stand in the patch's first dwords, backwards. (SKL PRM vol 7, Patch URB Entry) */
bool draw_tessellate(const struct drawing *d, struct bindings *b)
{
    static const uint8_t at_dw[][FACTORS] = {[DOMAIN_QUAD] = {7, 6, 5, 4, 3, 2},
                                             [DOMAIN_TRIANGLE] = {7, 6, 5, 5, 4, 4},
                                             [DOMAIN_ISOLINE] = {6, 7, 7, 7, 7, 7}};
    const struct tessellation_state *const s = &d->tessellation;
    const unsigned domain = s->domain <= DOMAIN_ISOLINE ? s->domain : (unsigned)DOMAIN_QUAD;
    float factors[FACTORS];
    for (unsigned i = 0; i < FACTORS; i++)
        factors[i] = draw_float(b->urb->dw[PATCH_AT_DW + at_dw[domain][i]]);
    return tessellate(b->tessellation, s, factors);
}

void draw_begin_patch(struct drawing *d, struct bindings *b)
{
    memset(b->urb->used + POINTS, 0, URB_ENTRIES * sizeof b->urb->used[0]);
    d->patched = draw_tessellate(d, b);
    d->piece = 0;
    d->primitive += !d->patched;
}

/* Its vertices are there: what threads of the hull shader reach is their entries, behind the patch's. */
static void want_patch(const struct engine *e, struct urb *u, unsigned count,
                       const uint8_t entry[OBJECT_VERTICES])
{
    enum { CHANNELS = 8 };
    const uint32_t handle = draw_first_handle(e, STATE_URB_HS, STATE_URB_ALLOC_HS),
                   patch_dw = (uint32_t)draw_entry_dw(e, STATE_URB_HS, STATE_URB_ALLOC_HS);
    u->reach[0] = (struct urb_reach){handle & 0xffffu, PATCH_AT_DW, patch_dw};
    for (unsigned i = 0; i < count; i++)
        u->reach[1 + i] =
            (struct urb_reach){urb_handle(u, entry[i]), entry[i] * (uint32_t)URB_ENTRY_DW, u->entry_dw};
    u->reaches = count + 1u;
    memset(u->dw + PATCH_AT_DW, 0, patch_dw * sizeof *u->dw);
    u->stage = STAGE_HULL;
    u->count = draw_state(e, STATE_HS, HS_DISPATCH_MODE) == HS_8_PATCHES ? 1 : CHANNELS;
}

static enum assembly enter_patch(struct drawing *d, struct bindings *b, uint64_t *budget)
{
    struct object o;
    uint8_t entry[OBJECT_VERTICES];
    enum assembly assembly = draw_assemble(d, b, &o);
    if (assembly == ASSEMBLY_DONE)
        assembly = draw_enter(d, b, &o, entry, budget);
    if (assembly != ASSEMBLY_DONE)
        return assembly;
    d->identity = o.primitive;
    want_patch(b->engine, b->urb, o.count, entry);
    return ASSEMBLY_WAITS;
}

/* ---- Its points ---- */

static uint64_t key_of(const struct drawing *d, uint32_t point, uint32_t piece, unsigned corner)
{
    const uint64_t number = (uint64_t)piece * CORNERS + corner + 1u;
    return point | (d->shares_points ? 0 : number << CORNER_AT);
}

uint32_t draw_point_of(const struct urb *u, unsigned entry)
{
    return (uint32_t)u->key[entry];
}

static bool gather_point(struct urb *u, uint64_t key)
{
    unsigned entry = draw_find_entry(u, POINTS, key);
    if (entry == URB_PLACES) {
        entry = draw_oldest_entry(u, POINTS);
        if (entry == URB_PLACES || u->count == THREAD_VERTICES)
            return false;
        memset(u->dw + (size_t)entry * URB_ENTRY_DW, 0, URB_ENTRY_DW * sizeof *u->dw);
        u->key[entry] = key;
        u->lanes[u->count++] = (uint8_t)entry;
    }
    u->used[entry] = u->turn;
    return true;
}

/* Those of the primitive at hand, and of as many behind it as there is room for. */
static void gather_points(const struct drawing *d, struct bindings *b)
{
    enum { LOOKS = 32 };
    struct urb *const u = b->urb;
    const struct tessellation *const t = b->tessellation;
    bool more = true;
    draw_turn(u);
    for (uint32_t n = d->piece; more && n < t->primitives && n < d->piece + LOOKS; n++) {
        uint32_t point[CORNERS];
        tessellation_primitive(t, n, point);
        for (unsigned i = 0; i < t->corners && more; i++)
            more = gather_point(u, key_of(d, point[i], n, i));
    }
    u->stage = STAGE_DOMAIN;
}

enum assembly draw_patch(struct drawing *d, struct bindings *b, struct primitive *p, uint64_t *budget)
{
    const struct tessellation *const t = b->tessellation;
    struct urb *const u = b->urb;
    uint32_t point[CORNERS];
    unsigned entry[CORNERS] = {0};
    if (!d->patched)
        return enter_patch(d, b, budget);
    if (d->piece >= t->primitives) { /* between two another context may come in */
        d->patched = false;
        d->primitive++;
        return ASSEMBLY_WAITS;
    }
    tessellation_primitive(t, d->piece, point);
    for (unsigned i = 0; i < t->corners; i++) {
        entry[i] = draw_find_entry(u, POINTS, key_of(d, point[i], d->piece, i));
        if (entry[i] == URB_PLACES) {
            gather_points(d, b);
            return ASSEMBLY_WAITS;
        }
    }
    for (unsigned i = 0; i < CORNERS; i++) {
        const unsigned at = entry[i < t->corners ? i : 0];
        u->used[at] = u->turn;
        memcpy(p->dw[i], u->dw + (size_t)at * URB_ENTRY_DW, sizeof p->dw[i]);
    }
    d->turned = false;
    d->piece++;
    p->stream = 0;
    return ASSEMBLY_DONE;
}
