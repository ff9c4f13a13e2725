/*
 * Geometry shaders: a thread has eight objects, or one object with several invocations; in SIMD4x2 one or
 * two. The output for each object is a URB entry: the vertex count (unless static, or in SIMD4x2), control
 * data (cut bits or stream IDs), then the vertices. Primitives are drawn object by object. (Mesa,
 * brw_compile_gs)
 */
#include "geometry/draw.h"

#include "engine/statistics.h"
enum { PART_DW = 8, VECTOR_DW = 4 };

/* The vertices of an object in the thread payload. */
static unsigned gs_vertices_per_object(const struct engine *e, uint64_t topology)
{
    return state_field(e, STATE_GS, GS_DISCARD_ADJACENCY) && topology_vertices_per_primitive(topology)
               ? topology_vertices_per_primitive(topology)
               : topology_vertices_per_object(topology);
}

static uint8_t gs_dispatch_mode_of(const struct engine *e)
{
    return e->info->draws.vertex_dispatch == VERTEX_DISPATCH_SIMD
               ? (uint8_t)GS_SIMD8
               : (uint8_t)state_field(e, STATE_GS, GS_DISPATCH_MODE);
}

const char *gs_unsupported(const struct engine *e, uint64_t input_topology)
{
    const unsigned vertices = gs_vertices_per_object(e, input_topology);
    const bool is_simd4x2 = e->info->draws.vertex_dispatch == VERTEX_DISPATCH_SIMD4X2;
    if ((gs_dispatch_mode_of(e) == GS_SIMD8) == is_simd4x2)
        return is_simd4x2 ? "geometry shader dispatch mode SIMD8"
                          : "geometry shader dispatch mode SINGLE, DUAL_INSTANCE or DUAL_OBJECT";
    if (!vertices || vertices > GS_OBJECT_VERTICES)
        return "a geometry shader with this input topology";
    if (!is_simd4x2 && state_field(e, STATE_GS, GS_EXPECTED_VERTEX_COUNT) != vertices)
        return "a geometry shader Expected Vertex Count that does not match the topology";
    if (!topology_list_step(state_field(e, STATE_GS, GS_OUTPUT_TOPOLOGY)))
        return "a geometry shader output topology other than points, lines and triangles";
    return urb_entry_size_dw(e, STATE_URB_GS, STATE_URB_ALLOC_GS) > GS_ENTRY_DW
               ? "a geometry shader URB entry larger than 32 KB"
               : NULL;
}

/* The objects, or invocations of one object, that a thread has. */
static unsigned gs_channel_limit(const struct draw_state *s)
{
    static const uint8_t limits[] = {
        [GS_SINGLE] = 1, [GS_DUAL_INSTANCE] = 2, [GS_DUAL_OBJECT] = 2, [GS_SIMD8] = GS_OBJECTS};
    const unsigned limit = limits[s->gs.dispatch_mode % sizeof limits], simd = s->stage[SHADER_STAGE_GS].simd;
    return limit < simd ? limit : simd;
}

void gs_state_init(struct gs_state *s, const struct engine *e, uint64_t input_topology)
{
#define GET(role) ((uint32_t)state_field(e, STATE_GS, role))
    *s = (struct gs_state){
        .enable = GET(GS_ENABLE),
        .gen6_enable = GET(GS_ENABLE_GEN6),
        .gen6_rendering_enable = GET(GS_ENABLE_GEN6) && GET(GS_RENDERING_ENABLED),
        .statistics_enable = GET(GS_STATISTICS_ENABLE),
        .last_instance = GET(GS_INSTANCE_CONTROL),
        .invocations_increment = GET(GS_INVOCATIONS_INCREMENT_VALUE),
        .control_data_dw = GET(GS_CONTROL_DATA_HEADER_SIZE) * PART_DW,
        .control_data_is_stream = GET(GS_CONTROL_DATA_FORMAT),
        .vertex_dw = (GET(GS_OUTPUT_VERTEX_SIZE) + 1u) * VECTOR_DW,
        .static_output = GET(GS_STATIC_OUTPUT),
        .static_vertex_count = GET(GS_STATIC_OUTPUT_VERTEX_COUNT),
        .default_stream = GET(GS_DEFAULT_STREAM_ID),
        .hint = GET(GS_HINT),
        .dispatch_mode = gs_dispatch_mode_of(e),
        .input_topology = (uint8_t)input_topology,
        .output_topology = (uint8_t)GET(GS_OUTPUT_TOPOLOGY),
        .vertex_count = (uint8_t)gs_vertices_per_object(e, input_topology),
        .discard_adjacency = GET(GS_DISCARD_ADJACENCY),
        .reorder_trailing = GET(GS_REORDER_MODE),
        .include_primitive_id = GET(GS_INCLUDE_PRIMITIVE_ID),
        .include_vertex_handles = GET(GS_INCLUDE_VERTEX_HANDLES),
        .gen6_reorder_enable = GET(GS_REORDER_MODE_GEN6),
        .so_statistics_enable = GET(GS_SO_STATISTICS_ENABLE),
        .svbi_payload_enable = GET(GS_SVBI_PAYLOAD_ENABLE),
        .svbi_post_increment_enable = GET(GS_SVBI_POST_INCREMENT_ENABLE),
        .svbi_post_increment_value = GET(GS_SVBI_POST_INCREMENT_VALUE),
    };
#undef GET
}

/* ---- Objects for a thread ---- */

/* An odd triangle of a strip begins with its last vertex if the reorder mode is TRAILING. */
static unsigned gs_object_vertex(const struct draw *d, const struct ia_primitive *o, unsigned vertex)
{
    const bool trailing = o->reversed_winding && d->state.gs.reorder_trailing;
    const unsigned corners = topology_vertices_per_primitive(d->state.gs.input_topology),
                   each = o->vertex_count / (corners ? corners : 1u);
    return trailing && o->vertex_count ? (vertex + o->vertex_count - each) % o->vertex_count : vertex;
}

/* Adds as many invocations of the object as the thread has channels free. Returns whether all are added. */
static bool gs_add_object(const struct draw *d, struct message_context *b, const struct ia_primitive *o,
                          const uint8_t entry[IA_PRIMITIVE_VERTICES], uint8_t *invocation)
{
    struct gs_thread *const g = &b->urb->gs;
    const uint32_t last = d->state.gs.last_instance;
    const bool all = g->vertex_count == o->vertex_count;
    while (g->channel_count < gs_channel_limit(&d->state)) {
        for (unsigned i = 0; i < g->vertex_count; i++) {
            const unsigned at = all ? i : topology_vertex_of_object(d->state.gs.input_topology, i);
            g->vertex_entries[g->channel_count][i] = entry[gs_object_vertex(d, o, at)];
        }
        g->primitive_id[g->channel_count] = o->primitive_id;
        g->invocation[g->channel_count++] = *invocation;
        if (*invocation == last) {
            *invocation = 0;
            return true;
        }
        ++*invocation;
    }
    return false;
}

/* The thread of the gathered objects runs next. */
static enum ia_result gs_run_thread(struct draw *d, struct message_context *b, uint8_t next_invocation)
{
    struct urb *const u = b->urb;
    struct gs_thread *const g = &u->gs;
    g->next_invocation = next_invocation;
    memset(g->written_vertices, 0, sizeof g->written_vertices);
    for (unsigned i = 0; i < g->channel_count; i++)
        memset(u->dw + URB_GS_OUTPUT_OFFSET_DW + i * (size_t)GS_ENTRY_DW, 0, g->entry_dw * sizeof *u->dw);
    if (d->state.gs.statistics_enable)
        engine_register64_add(b->engine, GS_INVOCATION_COUNT,
                              g->channel_count * (d->state.gs.invocations_increment + 1u));
    u->channel_count = g->channel_count;
    u->stage = SHADER_STAGE_GS;
    d->cursor.phase = DRAW_GS_OUTPUT;
    return IA_WAIT;
}

/* instanced: all channels share one object. */
static unsigned gs_most_objects(const struct draw *d, const struct gs_thread *g)
{
    return g->instanced ? 1 : gs_channel_limit(&d->state);
}

/* Fills the next thread with objects. Returns IA_WAIT if a vertex or geometry shader thread must run, or on a
 * fault; IA_AGAIN after a cut index, or if nothing was gathered; IA_END if no object is left. */
static enum ia_result gs_gather_objects(struct draw *d, struct message_context *b, uint64_t *budget)
{
    enum { LOOKS = 64 };
    struct urb *const u = b->urb;
    struct gs_thread *const g = &u->gs;
    struct draw_cursor ahead = d->cursor;
    uint8_t invocation = g->next_invocation, entry[IA_PRIMITIVE_VERTICES];
    enum ia_result assembly = IA_AGAIN;
    const unsigned most = gs_most_objects(d, g);
    g->channel = g->channel_count = 0;
    for (unsigned looks = 0; looks < LOOKS && g->channel_count < most; looks++) {
        struct ia_primitive o;
        assembly = ia_assemble(d, &ahead, b, &o);
        if (engine_faulted(b->engine) || assembly == IA_END)
            break;
        if (assembly != IA_DONE && !g->channel_count)
            break; /* each cut index costs budget */
        if (assembly != IA_DONE)
            continue;
        if (vs_lookup(d, b, &o, entry)) {
            ahead.primitive_index += gs_add_object(d, b, &o, entry, &invocation);
            continue;
        }
        if (vs_gather_misses(d, b, budget)) {
            g->channel_count = 0;
            return u->channel_count ? IA_WAIT : IA_AGAIN;
        }
        break;
    }
    if (engine_faulted(b->engine)) {
        g->channel_count = 0;
        return IA_WAIT;
    }
    if (!g->channel_count && assembly == IA_END)
        return IA_END;
    d->cursor = ahead;
    return g->channel_count ? gs_run_thread(d, b, invocation) : IA_AGAIN;
}

/* Likewise, with primitives of the tessellator. A thread's objects are of one patch. */
static enum ia_result gs_gather_patch_primitives(struct draw *d, struct message_context *b, uint64_t *budget)
{
    struct gs_thread *const g = &b->urb->gs;
    const struct tessellation *const t = b->tessellation;
    const unsigned most = gs_most_objects(d, g);
    uint8_t invocation = g->next_invocation, entry[IA_PRIMITIVE_VERTICES] = {0};
    g->channel = g->channel_count = 0;
    while (g->channel_count < most &&
           !(g->channel_count && d->cursor.tess_primitive_index >= t->primitives)) {
        const enum ia_result found = tess_find_primitive(d, b, entry, budget);
        if (found == IA_DONE) {
            const struct ia_primitive o = {.primitive_id = d->cursor.primitive_id,
                                           .vertex_count = (uint8_t)t->corners};
            d->cursor.tess_primitive_index += gs_add_object(d, b, &o, entry, &invocation);
            continue;
        }
        if (g->channel_count)
            break;
        if (found == IA_AGAIN && d->cursor.phase == DRAW_PATCH) {
            tess_gather_points(d, b);
            return IA_WAIT;
        }
        return found;
    }
    return gs_run_thread(d, b, invocation);
}

/* ---- The output of a thread ---- */

/* The layout of an output entry. */
struct gs_entry_layout {
    uint32_t control_dw, vertices_dw, vertex_dw;
    uint32_t vertices; /* limited to the size of the entry */
};

static struct gs_entry_layout gs_entry_layout_init(const struct gs_state *s, const struct gs_thread *g,
                                                   const uint32_t *entry)
{
    const bool counts_in_message = s->dispatch_mode != GS_SIMD8;
    struct gs_entry_layout l = {.control_dw = s->static_output || counts_in_message ? 0 : PART_DW,
                                .vertex_dw = s->vertex_dw};
    l.vertices_dw = l.control_dw + s->control_data_dw;
    l.vertices = s->static_output    ? s->static_vertex_count
                 : counts_in_message ? g->written_vertices[g->channel % 2u]
                                     : entry[0];
    const uint32_t most = g->entry_dw > l.vertices_dw ? (g->entry_dw - l.vertices_dw) / l.vertex_dw : 0;
    l.vertices = l.vertices < most ? l.vertices : most;
    return l;
}

/* The control data of a vertex: its cut bit, or its stream ID. */
static uint32_t gs_control_bits(const struct gs_entry_layout *l, const uint32_t *entry, uint32_t vertex,
                                unsigned bits)
{
    const uint32_t at = vertex * bits / 32u;
    return l->control_dw + at < l->vertices_dw
               ? entry[l->control_dw + at] >> vertex * bits % 32u & ((1u << bits) - 1u)
               : 0;
}

/* Advances to the next object's vertices; after the last object another thread may run. */
static enum ia_result gs_next_object(struct draw *d, struct gs_thread *g)
{
    g->next_vertex = g->strip_start_vertex = 0;
    if (++g->channel == g->channel_count)
        d->cursor.phase = d->state.te.enable    ? DRAW_PATCH
                          : !g->next_invocation ? DRAW_ASSEMBLE
                                                : DRAW_GS_OUTPUT;
    return IA_AGAIN;
}

enum ia_result gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                 uint64_t *budget)
{
    enum { CUT_BITS = 1, STREAM_BITS = 2 };
    const struct gs_state *const s = &d->state.gs;
    struct gs_thread *const g = &b->urb->gs;
    const unsigned corners = topology_vertices_per_primitive(d->cursor.raster_topology);
    if (g->channel >= g->channel_count)
        return d->state.te.enable ? gs_gather_patch_primitives(d, b, budget)
                                  : gs_gather_objects(d, b, budget);
    const uint32_t *const entry = b->urb->dw + URB_GS_OUTPUT_OFFSET_DW + g->channel * (size_t)GS_ENTRY_DW;
    const struct gs_entry_layout l = gs_entry_layout_init(s, g, entry);
    const bool names_streams = s->control_data_is_stream;
    if (g->next_vertex >= l.vertices || l.vertices - g->next_vertex < corners)
        return gs_next_object(d, g);
    for (unsigned i = 0; i + 1 < corners && !names_streams; i++)
        if (gs_control_bits(&l, entry, g->next_vertex + i, CUT_BITS)) {
            g->next_vertex = g->strip_start_vertex = g->next_vertex + i + 1u;
            return IA_AGAIN;
        }
    d->cursor.reversed_winding =
        topology_is_reversed(d->cursor.raster_topology, g->next_vertex - g->strip_start_vertex);
    d->cursor.primitive_id = g->primitive_id[g->channel];
    p->stream = (uint8_t)(names_streams && l.vertices_dw > l.control_dw
                              ? gs_control_bits(&l, entry, g->next_vertex, STREAM_BITS)
                              : s->default_stream);
    for (unsigned i = 0; i < CORNERS; i++) {
        const uint32_t at = i >= corners ? 0 : d->cursor.reversed_winding && i ? CORNERS - i : i;
        primitive_put_vertex(p, i, entry + l.vertices_dw + (g->next_vertex + at) * l.vertex_dw, l.vertex_dw);
    }
    p->continues_line =
        d->cursor.raster_topology == TOPOLOGY_LINESTRIP && g->next_vertex != g->strip_start_vertex;
    g->next_vertex += topology_list_step(d->cursor.raster_topology);
    if (d->state.gs.statistics_enable)
        engine_register64_add(b->engine, GS_PRIMITIVES_COUNT, 1);
    return IA_DONE;
}
