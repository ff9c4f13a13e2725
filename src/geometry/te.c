/*
 * Patches: the URB holds the vertices of one patch. Hull shader threads write the patch, tessellation
 * factors first. The tessellator makes primitives of it; domain shader threads shade their points, as many
 * at once as a thread takes. A point stays until LRU replacement. (SKL PRM vol 7, Tessellation)
 */
#include "geometry/draw.h"

/* The first URB entry of domain points. The bit of a cache key where the corner begins, for domain shaders
 * whose points are not cached. */
enum { FIRST_POINT_ENTRY = URB_ENTRIES, CORNER_AT = 32 };

const char *tess_unsupported(const struct engine *e, uint64_t topology)
{
    const bool hull = state_field(e, STATE_HS, HS_ENABLE), domain = state_field(e, STATE_DS, DS_ENABLE);
    if (!state_field(e, STATE_TE, TE_ENABLE))
        return hull || domain ? "a hull or domain shader without tessellation" : NULL;
    if (topology < TOPOLOGY_PATCHLIST_1)
        return "tessellation of a topology other than PATCHLIST";
    if (!hull || !domain)
        return "tessellation without a hull and a domain shader";
    if (state_field(e, STATE_TE, TE_MODE))
        return "tessellation mode SW_TESS";
    if (state_field(e, STATE_HS, HS_DISPATCH_MODE) == HS_DUAL_PATCH)
        return "hull shader dispatch mode DUAL_PATCH";
    if (state_field(e, STATE_HS, HS_VERTEX_URB_ENTRY_READ_LENGTH))
        return "a hull shader with pushed vertices (Vertex URB Entry Read Length > 0)";
    if (!state_field(e, STATE_DS, DS_DISPATCH_MODE) &&
        e->info->draws.vertex_dispatch == VERTEX_DISPATCH_BY_MODE)
        return "domain shader dispatch mode SIMD4x2";
    if (urb_entry_size_dw(e, STATE_URB_HS, STATE_URB_ALLOC_HS) > URB_PATCH_DW)
        return "a patch URB entry larger than 32 KB";
    return urb_entry_size_dw(e, STATE_URB_DS, STATE_URB_ALLOC_DS) > URB_ENTRY_DW
               ? "a vertex URB entry larger than 1 KB"
               : NULL;
}

/* The patch's first dwords hold the tessellation factors: in reverse order, or, reversed again, from the
 * first dword on; a triangle's inside factor then follows the others, or is where a quad's is. (SKL PRM vol
 * 7, Patch URB Entry) */
bool tess_make_patch(const struct draw *d, struct message_context *b)
{
    enum { LEGACY, REVERSED, REVERSED_TRI_INSIDE_SEPARATE, LAYOUTS };
    static const uint8_t offsets_dw[LAYOUTS][DOMAIN_ISOLINE + 1][FACTORS] = {
        [LEGACY] = {[DOMAIN_QUAD] = {7, 6, 5, 4, 3, 2},
                    [DOMAIN_TRIANGLE] = {7, 6, 5, 5, 4, 4},
                    [DOMAIN_ISOLINE] = {6, 7, 7, 7, 7, 7}},
        [REVERSED] = {[DOMAIN_QUAD] = {0, 1, 2, 3, 4, 5},
                      [DOMAIN_TRIANGLE] = {0, 1, 2, 2, 3, 3},
                      [DOMAIN_ISOLINE] = {1, 0, 0, 0, 0, 0}},
        [REVERSED_TRI_INSIDE_SEPARATE] = {[DOMAIN_QUAD] = {0, 1, 2, 3, 4, 5},
                                          [DOMAIN_TRIANGLE] = {0, 1, 2, 2, 4, 4},
                                          [DOMAIN_ISOLINE] = {1, 0, 0, 0, 0, 0}}};
    const struct tessellation_state *const s = &d->state.te.tessellation;
    const unsigned domain = s->domain <= DOMAIN_ISOLINE ? s->domain : (unsigned)DOMAIN_QUAD;
    const unsigned value = d->state.te.patch_header_layout, layout = value < 2 ? LEGACY : value - 1u;
    const uint8_t *const offset_dw = offsets_dw[layout][domain];
    float factors[FACTORS];
    for (unsigned i = 0; i < FACTORS; i++)
        factors[i] = float_from_bits(b->urb->dw[URB_PATCH_OFFSET_DW + offset_dw[i]]);
    return tessellate(b->tessellation, s, factors);
}

void tess_begin_patch(struct draw *d, struct message_context *b)
{
    vertex_cache_forget(b->urb, FIRST_POINT_ENTRY, URB_ENTRIES);
    d->cursor.phase = tess_make_patch(d, b) ? DRAW_PATCH : DRAW_ASSEMBLE;
    d->cursor.tess_primitive_index = 0;
    d->cursor.primitive_index += d->cursor.phase == DRAW_ASSEMBLE;
}

/* Sets up the hull shader's thread group: it may access the patch's entry and the entries of its vertices. */
static void hs_request_patch(const struct draw_state *s, struct urb *u, unsigned count,
                             const uint8_t entry[IA_PRIMITIVE_VERTICES])
{
    enum { CHANNELS = 8 };
    const struct shader_stage_state *const hs = &s->stage[SHADER_STAGE_HS];
    u->handles[0] =
        (struct urb_handle_grant){hs->urb_start_handle & 0xffffu, URB_PATCH_OFFSET_DW, hs->urb_entry_dw};
    for (unsigned i = 0; i < count; i++)
        u->handles[1 + i] = (struct urb_handle_grant){urb_handle(u, entry[i]),
                                                      entry[i] * (uint32_t)URB_ENTRY_DW, u->entry_dw};
    u->handle_count = count + 1u;
    memset(u->dw + URB_PATCH_OFFSET_DW, 0, hs->urb_entry_dw * sizeof *u->dw);
    u->stage = SHADER_STAGE_HS;
    u->channel_count = s->te.hs_dispatch_mode == HS_8_PATCHES ? 1 : CHANNELS;
}

static enum ia_result hs_next_patch(struct draw *d, struct message_context *b, uint64_t *budget)
{
    struct ia_primitive o;
    uint8_t entry[IA_PRIMITIVE_VERTICES];
    enum ia_result assembly = ia_assemble(d, &d->cursor, b, &o);
    if (assembly == IA_DONE)
        assembly = vs_lookup_or_dispatch(d, b, &o, entry, budget);
    if (assembly != IA_DONE)
        return assembly;
    d->cursor.primitive_id = o.primitive_id;
    hs_request_patch(&d->state, b->urb, o.vertex_count, entry);
    return IA_WAIT;
}

/* ---- Points of a patch ---- */

static uint64_t ds_point_key(const struct draw *d, uint32_t point, uint32_t piece, unsigned corner)
{
    const uint64_t number = (uint64_t)piece * CORNERS + corner + 1u;
    return point | (d->state.te.ds_cache_enable ? 0 : number << CORNER_AT);
}

uint32_t tess_entry_point(const struct urb *u, unsigned entry)
{
    return (uint32_t)u->vertex_index_key[entry];
}

static bool ds_gather_point(struct urb *u, const struct shader_stage_state *ds, uint64_t key)
{
    unsigned entry = vertex_cache_find(u, FIRST_POINT_ENTRY, key);
    if (entry == URB_SLOTS) {
        entry = vertex_cache_lru(u, FIRST_POINT_ENTRY);
        if (entry == URB_SLOTS || u->channel_count == (ds->is_simd4x2 ? 2 : ds->simd))
            return false;
        urb_entry_clear(u, entry, ds->urb_entry_dw);
        vertex_cache_put(u, entry, key);
        u->channel_entries[u->channel_count++] = (uint8_t)entry;
    }
    u->last_use[entry] = u->epoch;
    return true;
}

void tess_gather_points(const struct draw *d, struct message_context *b)
{
    enum { LOOKS = 32 };
    struct urb *const u = b->urb;
    const struct tessellation *const t = b->tessellation;
    bool more = true;
    vertex_cache_new_epoch(u);
    for (uint32_t n = d->cursor.tess_primitive_index;
         more && n < t->primitives && n < d->cursor.tess_primitive_index + LOOKS; n++) {
        uint32_t point[CORNERS];
        tessellation_primitive(t, n, point);
        for (unsigned i = 0; i < t->corners && more; i++)
            more = ds_gather_point(u, &d->state.stage[SHADER_STAGE_DS], ds_point_key(d, point[i], n, i));
    }
    u->stage = SHADER_STAGE_DS;
}

enum ia_result tess_find_primitive(struct draw *d, struct message_context *b, uint8_t entry[CORNERS],
                                   uint64_t *budget)
{
    const struct tessellation *const t = b->tessellation;
    struct urb *const u = b->urb;
    uint32_t point[CORNERS];
    if (d->cursor.phase != DRAW_PATCH)
        return hs_next_patch(d, b, budget);
    if (d->cursor.tess_primitive_index >= t->primitives) { /* contexts may switch between two patches */
        d->cursor.phase = DRAW_ASSEMBLE;
        d->cursor.primitive_index++;
        return IA_WAIT;
    }
    tessellation_primitive(t, d->cursor.tess_primitive_index, point);
    for (unsigned i = 0; i < t->corners; i++) {
        const unsigned found = vertex_cache_find(
            u, FIRST_POINT_ENTRY, ds_point_key(d, point[i], d->cursor.tess_primitive_index, i));
        if (found == URB_SLOTS)
            return IA_AGAIN;
        entry[i] = (uint8_t)found;
    }
    return IA_DONE;
}

enum ia_result tess_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                   uint64_t *budget)
{
    const struct tessellation *const t = b->tessellation;
    struct urb *const u = b->urb;
    uint8_t entry[CORNERS] = {0};
    const enum ia_result found = tess_find_primitive(d, b, entry, budget);
    if (found == IA_AGAIN && d->cursor.phase == DRAW_PATCH) {
        tess_gather_points(d, b);
        return IA_WAIT;
    }
    if (found != IA_DONE)
        return found;
    for (unsigned i = 0; i < CORNERS; i++) {
        const unsigned at = entry[i < t->corners ? i : 0];
        u->last_use[at] = u->epoch;
        primitive_put_vertex(p, i, u->dw + (size_t)at * URB_ENTRY_DW, u->dirty_dw[at]);
    }
    d->cursor.reversed_winding = false;
    d->cursor.tess_primitive_index++;
    p->stream = 0;
    return IA_DONE;
}
