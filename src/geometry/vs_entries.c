/*
 * Vertices shaded by threads. Each is fetched into a URB entry and stays there until LRU replacement. One
 * thread shades up to 8 or 16 missing vertices (SIMD4x2: 2) of the current and the following primitives.
 * (SKL PRM vol 7, Vertex Fetch, Vertex Cache)
 */
#include "geometry/series.h"

/* The vertex cache key: the index if the cache is enabled, else the position in the draw. */
static inline bool vertex_cache_key(const struct draw *d, struct message_context *b, uint32_t vertex,
                                    uint64_t *key)
{
    uint32_t identity = vertex;
    if (d->state.vf.vertex_cache_enable && !vf_fetch_index(d, b, vertex, &identity))
        return false;
    *key = (uint64_t)d->cursor.instance << 32 | identity;
    return true;
}

void urb_entry_clear(struct urb *u, unsigned entry, uint32_t written_dw)
{
    memset(u->dw + (size_t)entry * URB_ENTRY_DW, 0, u->dirty_dw[entry] * sizeof *u->dw);
    u->dirty_dw[entry] = (uint16_t)(written_dw < URB_ENTRY_DW ? written_dw : URB_ENTRY_DW);
}

/* The TLB has the index that the key was made of, and loads of system memory are not counted. */
static bool fetch_vertex_of_key(const struct draw *d, struct message_context *b, uint64_t key,
                                uint32_t vertex, uint32_t primitive_id, uint32_t *dw)
{
    return d->state.vf.vertex_cache_enable && !b->engine->mmu.accounts_local
               ? vf_fetch_numbered(d, b, (uint32_t)key + (uint32_t)d->state.call.base_vertex, (uint32_t)key,
                                   primitive_id, dw)
           : !d->state.call.is_indexed
               ? vf_fetch_numbered(d, b, d->state.call.start_vertex + vertex, vertex, primitive_id, dw)
               : vf_fetch_vertex(d, b, vertex, primitive_id, dw);
}

/* Fetches a vertex for the next thread. Returns false if no entry is free, or on a fault. */
static bool vs_gather(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t primitive_id,
                      uint8_t *to)
{
    struct urb *const u = b->urb;
    const struct shader_stage_state *const vs = &d->state.stage[SHADER_STAGE_VS];
    const uint32_t vertex_dw = d->state.vf.vertex_dw;
    uint64_t key;
    if (!vertex_cache_key(d, b, vertex, &key))
        return false;
    unsigned entry = vertex_cache_find(u, 0, key);
    if (entry == URB_ENTRIES) {
        if (u->channel_count >= (vs->is_simd4x2 ? 2 : vs->simd))
            return false;
        entry = vertex_cache_lru(u, 0);
        if (entry == URB_ENTRIES)
            return false;
        urb_entry_clear(u, entry, vertex_dw > u->entry_dw ? vertex_dw : u->entry_dw);
        if (!fetch_vertex_of_key(d, b, key, vertex, primitive_id, u->dw + (size_t)entry * URB_ENTRY_DW))
            return false;
        vertex_cache_put(u, entry, key);
        u->channel_entries[u->channel_count++] = (uint8_t)entry;
    }
    u->last_use[entry] = u->epoch;
    *to = (uint8_t)entry;
    return true;
}

/* Whether gathered objects are remembered: all vertices of an object are a primitive's corners, and nothing
 * counts that indices are read again. */
static bool objects_are_kept(const struct draw *d, const struct draw_cursor *ahead,
                             const struct message_context *b)
{
    return ia_has_series(d) && !d->state.vf.has_edge_flags && d->state.object.vertices <= CORNERS &&
           ahead->primitive_index >= ahead->strip_start_primitive &&
           d->state.object.vertices == topology_vertices_per_primitive(d->state.call.topology) &&
           !b->engine->mmu.accounts_local;
}

const struct gathered_object *gathered_object_find(const struct draw *d, const struct urb *u)
{
    const struct gathered_objects *const g = &d->gathered;
    const uint32_t n = d->cursor.primitive_index - g->first;
    return n < g->count && !d->state.sol.enable && g->epoch == u->epoch && g->instance == d->cursor.instance
               ? &g->list[n]
               : NULL;
}

void gathered_object_corners(const struct gathered_object *o, const struct urb *u,
                             const uint32_t *dw[CORNERS])
{
    for (unsigned i = 0; i < CORNERS; i++)
        dw[i] = u->dw + (size_t)o->entry[i < o->vertex_count ? i : 0] * URB_ENTRY_DW;
}

void gathered_object_vertices(const struct gathered_object *o, const struct urb *u,
                              struct shaded_primitive *p)
{
    for (unsigned i = 0; i < o->vertex_count; i++)
        primitive_put_vertex(p, i, u->dw + (size_t)o->entry[i] * URB_ENTRY_DW, u->dirty_dw[o->entry[i]]);
}

/* Gathers the vertices of the current object, and of following ones while entries are free. */
static void vs_gather_ahead(struct draw *d, struct message_context *b)
{
    enum { LOOKS = GATHERED_OBJECTS };
    struct urb *const u = b->urb;
    struct gathered_objects *const g = &d->gathered;
    const uint64_t before_ns = b->engine->log->cost.ns;
    struct draw_cursor ahead = d->cursor;
    struct ia_primitive o;
    bool more = true;
    const bool is_kept = objects_are_kept(d, &ahead, b);
    vertex_cache_new_epoch(u);
    g->epoch = u->epoch;
    g->instance = ahead.instance;
    g->first = ahead.primitive_index;
    g->count = 0;
    for (unsigned looks = 0; more && looks < LOOKS; looks++) {
        const enum ia_result assembly =
            is_kept ? ia_assemble_series(d, &ahead, &o) : ia_assemble(d, &ahead, b, &o);
        more = assembly != IA_END && !engine_faulted(b->engine);
        uint8_t entry[IA_PRIMITIVE_VERTICES] = {0};
        for (unsigned i = 0; assembly == IA_DONE && i < o.vertex_count && more; i++)
            more = vs_gather(d, b, o.vertex[i], o.primitive_id, &entry[i]);
        ahead.primitive_index += assembly == IA_DONE;
        if (more && is_kept) {
            struct gathered_object *const to = &g->list[g->count++];
            *to = (struct gathered_object){.reversed_winding = o.reversed_winding,
                                           .vertex_count = o.vertex_count};
            memcpy(to->entry, entry, sizeof to->entry);
        }
    }
    if (b->engine->log->cost.ns != before_ns) /* so will it be when indices are read again */
        g->count = 0;
}

bool vs_lookup(const struct draw *d, struct message_context *b, const struct ia_primitive *o,
               uint8_t entry[IA_PRIMITIVE_VERTICES])
{
    struct urb *const u = b->urb;
    for (unsigned i = 0; i < o->vertex_count; i++) {
        uint64_t key;
        if (!vertex_cache_key(d, b, o->vertex[i], &key))
            return false;
        entry[i] = (uint8_t)vertex_cache_find(u, 0, key);
        if (entry[i] == URB_ENTRIES)
            return false;
    }
    for (unsigned i = 0; i < o->vertex_count; i++)
        u->last_use[entry[i]] = u->epoch;
    return true;
}

bool vs_gather_misses(struct draw *d, struct message_context *b, uint64_t *budget)
{
    enum { VERTEX_INSTRUCTIONS = 64 };
    struct urb *const u = b->urb;
    vf_windows_init(d, &b->engine->mmu);
    vs_gather_ahead(d, b);
    budget_charge(budget, u->channel_count * (uint64_t)VERTEX_INSTRUCTIONS);
    if (engine_faulted(b->engine) || !u->channel_count)
        return false;
    if (d->state.vs_enable)
        u->stage = SHADER_STAGE_VS;
    else
        u->channel_count = 0; /* without a vertex shader, entries are used as fetched */
    return true;
}

enum ia_result vs_lookup_or_dispatch(struct draw *d, struct message_context *b, const struct ia_primitive *o,
                                     uint8_t entry[IA_PRIMITIVE_VERTICES], uint64_t *budget)
{
    if (vs_lookup(d, b, o, entry))
        return IA_DONE;
    return !engine_faulted(b->engine) && vs_gather_misses(d, b, budget) && !b->urb->channel_count ? IA_AGAIN
                                                                                                  : IA_WAIT;
}

uint64_t urb_entry_size_dw(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state)
{
    enum { UNIT_DW = 16 };
    const uint64_t size = state_field(e, urb_state, URB_ENTRY_ALLOCATION_SIZE),
                   allocated = state_field(e, urb_alloc_state, URB_ENTRY_ALLOCATION_SIZE);
    if (e->info->draws.urb_entry_size_128b)
        return (state_field(e, urb_state, URB_ENTRY_ALLOCATION_SIZE_128B) + 1u) * 2u * UNIT_DW;
    return ((size > allocated ? size : allocated) + 1u) * UNIT_DW;
}

uint32_t urb_start_handle(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state)
{
    enum { START_UNITS = 8192 / 64 };
    const uint64_t start = state_field(e, urb_state, URB_STARTING_ADDRESS),
                   allocated = state_field(e, urb_alloc_state, URB_STARTING_ADDRESS);
    return (uint32_t)(start > allocated ? start : allocated) * START_UNITS;
}

enum ia_result ia_primitive_vertices(struct draw *d, struct message_context *b, const struct ia_primitive *o,
                                     struct shaded_primitive *p, uint64_t *budget)
{
    const unsigned corners = topology_vertices_per_primitive(d->state.call.topology),
                   vertices = o->vertex_count;
    uint8_t entry[IA_PRIMITIVE_VERTICES] = {0};
    const enum ia_result entered =
        d->state.vs_enable ? vs_lookup_or_dispatch(d, b, o, entry, budget) : IA_DONE;
    if (entered != IA_DONE)
        return entered;
    for (unsigned i = 0; i < corners; i++) {
        const unsigned at = vertices == corners ? i : topology_vertex_of_object(d->state.call.topology, i);
        if (d->state.vs_enable)
            primitive_put_vertex(p, i, b->urb->dw + (size_t)entry[at] * URB_ENTRY_DW,
                                 b->urb->dirty_dw[entry[at]]);
        else {
            primitive_put_vertex(p, i, NULL, 0);
            p->filled_dw[i] = VUE_DW;
            if (!vf_fetch_vertex(d, b, o->vertex[at], o->primitive_id, p->vue_dw[i]))
                return IA_WAIT;
        }
    }
    return IA_DONE;
}

const char *vs_unsupported(const struct engine *e)
{
    if (!state_field(e, STATE_VS, VS_ENABLE))
        return NULL;
    if (!state_field(e, STATE_VS, VS_SIMD8_DISPATCH_ENABLE) &&
        e->info->draws.vertex_dispatch == VERTEX_DISPATCH_BY_MODE)
        return "vertex shader dispatch mode SIMD4x2";
    return urb_entry_size_dw(e, STATE_URB_VS, STATE_URB_ALLOC_VS) > URB_ENTRY_DW
               ? "a vertex URB entry larger than 1 KB"
               : NULL;
}
