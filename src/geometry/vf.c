/*
 * Vertex fetch: reads the elements of a vertex from buffers, four dwords each; generated values replace
 * some dwords. Reads outside a buffer give zeros. The state is decoded once a draw. (SKL PRM vol 7, Vertex
 * Fetch)
 */
#include "geometry/draw.h"
#include "base/inline.h"

enum { ELEMENT_DW = 2, BUFFERS = 33, FIRST_DW = 1 };
enum {
    NOSTORE,
    STORE_SRC,
    STORE_0,
    STORE_1_FLOAT,
    STORE_1_INTEGER,
    STORE_VERTEX, /* the component, and up to Gen7 also the next one */
    STORE_INSTANCE,
    STORE_PRIMITIVE
};

/* The fields of VERTEX_ELEMENT_STATE, by role. */
struct vertex_element {
    uint32_t value[ELEMENT_COMPONENT_3_CONTROL + 1];
};

static void vf_read_element(const struct command *row, const uint32_t *dw, struct vertex_element *e)
{
    for (unsigned i = 0; i < row->group_count; i++)
        if (row->group[i].role && row->group[i].role <= ELEMENT_COMPONENT_3_CONTROL)
            e->value[row->group[i].role] = (uint32_t)field_get(&row->group[i], dw, ELEMENT_DW);
}

/* NULL: a format that is not modelled. */
static const struct softgt_format *vf_format_of(const struct message_context *b,
                                                const struct vertex_element *s)
{
    const uint32_t code = s->value[ELEMENT_SOURCE_ELEMENT_FORMAT] % SURFACE_FORMATS;
    const struct softgt_format *const format = b->structures.formats[code];
    return format ? format
                  : vf_double_format(
                        field_value_name(&b->structures.surface_state->by_role[SURFACE_FORMAT], code));
}

const char *vf_unsupported_elements(const struct message_context *b)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const state =
        pipeline_command(&b->engine->pipeline, STATE_VERTEX_ELEMENTS, &row, &length_dw);
    for (unsigned n = 0; state && n < VF_ELEMENTS && FIRST_DW + (n + 1) * ELEMENT_DW <= length_dw; n++) {
        struct vertex_element s = {{0}};
        bool stored = false;
        vf_read_element(row, state + FIRST_DW + n * ELEMENT_DW, &s);
        for (unsigned i = 0; i < 4; i++)
            stored |= (s.value[ELEMENT_COMPONENT_0_CONTROL + i] & 7u) == STORE_SRC;
        if (s.value[ELEMENT_VALID] && stored && !vf_format_of(b, &s))
            return "the format of a vertex element";
    }
    return NULL;
}

/* ---- Decoding ---- */

/* The buffer of an element; without a buffer the element reads as zeros. */
static void vf_buffer_init(struct vf_element *to, const struct message_context *b, unsigned n,
                           const struct vertex_element *s)
{
    const struct pipeline_state *const p = &b->engine->pipeline;
    const uint32_t buffer = s->value[ELEMENT_VERTEX_BUFFER_INDEX];
    const struct softgt_format *const format = vf_format_of(b, s);
    to->buffer = (uint8_t)buffer;
    if (buffer >= BUFFERS || !format ||
        pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_NULL_VERTEX_BUFFER, buffer))
        return;
    const bool by_buffer = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_ACCESS_TYPE, buffer);
    const uint64_t start = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_STARTING_ADDRESS, buffer),
                   last = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_END_ADDRESS, buffer);
    vf_source_format_init(&to->source, format);
    to->is_per_instance = by_buffer || pipeline_field(p, STATE_VF_INSTANCING, INSTANCING_ENABLE, n);
    to->instance_step_rate =
        (uint32_t)(by_buffer ? pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_INSTANCE_DATA_STEP_RATE,
                                              buffer)
                             : pipeline_field(p, STATE_VF_INSTANCING, INSTANCING_INSTANCE_DATA_STEP_RATE, n));
    to->pitch_bytes = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, buffer);
    to->start = start;
    to->size_bytes = last >= start && last
                         ? last + 1u - start
                         : pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_SIZE, buffer);
    to->offset_bytes = s->value[ELEMENT_SOURCE_ELEMENT_OFFSET];
}

/* Components that are equal in all vertices, or come from the source. */
static void vf_control_init(struct vf_element *to, unsigned component, uint32_t control)
{
    static const uint32_t constants[] = {
        [STORE_1_FLOAT] = 0x3f800000, [STORE_1_INTEGER] = 1, [STORE_PRIMITIVE] = 0};
    to->component_control[component] = (uint8_t)control;
    to->constant[component] = constants[control];
    to->source_mask[component] = control == STORE_SRC ? UINT32_MAX : 0;
    to->has_generated |= control == STORE_VERTEX || control == STORE_INSTANCE || control == STORE_PRIMITIVE;
}

static void vf_elements_init(struct vertex_fetch_plan *v, const struct message_context *b)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const state =
        pipeline_command(&b->engine->pipeline, STATE_VERTEX_ELEMENTS, &row, &length_dw);
    v->has_elements = state != NULL;
    for (unsigned n = 0; state && n < VF_ELEMENTS && FIRST_DW + (n + 1) * ELEMENT_DW <= length_dw; n++) {
        struct vertex_element s = {{0}};
        vf_read_element(row, state + FIRST_DW + n * ELEMENT_DW, &s);
        if (!s.value[ELEMENT_VALID])
            continue;
        const bool flags = s.value[ELEMENT_EDGE_FLAG_ENABLE];
        struct vf_element *const to = flags ? &v->edge_flag : &v->element[v->element_count++];
        v->has_edge_flags |= flags;
        *to = (struct vf_element){.dw = (uint8_t)(n * 4u)};
        for (unsigned i = 0; i < 4; i++)
            vf_control_init(to, i, s.value[ELEMENT_COMPONENT_0_CONTROL + i] & 7u);
        v->vertex_dw = flags ? v->vertex_dw : to->dw + 4u;
        vf_buffer_init(to, b, n, &s);
    }
}

static void vf_sgvs_init(struct vertex_fetch_plan *v, const struct engine *e)
{
    static const struct {
        uint32_t header;
        uint8_t enable, element, component;
    } values[SGVS] = {
        [SGV_VERTEX_ID] = {STATE_VF_SGVS, SGVS_VERTEXID_ENABLE, SGVS_VERTEXID_ELEMENT_OFFSET,
                           SGVS_VERTEXID_COMPONENT_NUMBER},
        [SGV_INSTANCE_ID] = {STATE_VF_SGVS, SGVS_INSTANCEID_ENABLE, SGVS_INSTANCEID_ELEMENT_OFFSET,
                             SGVS_INSTANCEID_COMPONENT_NUMBER},
        [SGV_XP0] = {STATE_VF_SGVS_2, SGVS_XP0_ENABLE, SGVS_XP0_ELEMENT_OFFSET, SGVS_XP0_COMPONENT_NUMBER},
        [SGV_XP1] = {STATE_VF_SGVS_2, SGVS_XP1_ENABLE, SGVS_XP1_ELEMENT_OFFSET, SGVS_XP1_COMPONENT_NUMBER},
        [SGV_XP2] = {STATE_VF_SGVS_2, SGVS_XP2_ENABLE, SGVS_XP2_ELEMENT_OFFSET, SGVS_XP2_COMPONENT_NUMBER}};
    for (unsigned i = 0; i < SGVS; i++) {
        if (!state_field(e, values[i].header, values[i].enable))
            continue;
        const uint64_t at = state_field(e, values[i].header, values[i].element) * 4u +
                            state_field(e, values[i].header, values[i].component);
        if (at < VUE_DW) {
            v->vertex_dw = at < v->vertex_dw ? v->vertex_dw : (uint16_t)(at + 1u);
            v->sgv[v->sgv_count].dw = (uint8_t)at;
            v->sgv[v->sgv_count++].value = (uint8_t)i;
        }
    }
}

/* Component packing keeps only enabled components, in order. (SKL PRM vol 7, Component Packing) */
static void vf_packing_init(struct vertex_fetch_plan *v, const struct engine *e)
{
    enum { PACKED = 32, ELEMENT_BITS = 4 };
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const state =
        pipeline_command(&e->pipeline, STATE_VF_COMPONENT_PACKING, &row, &length_dw);
    v->component_packing_enable = state_field(e, STATE_VF, VF_COMPONENT_PACKING_ENABLE);
    for (unsigned at = 0; at < VF_ELEMENTS * 4u && v->component_packing_enable; at++) {
        const unsigned bit = FIRST_DW * 32u + at;
        if (at >= PACKED * ELEMENT_BITS || !state ||
            (bit / 32u < length_dw && state[bit / 32u] >> bit % 32u & 1u))
            v->packed_dw[v->packed_count++] = (uint8_t)at;
    }
    if (v->component_packing_enable && v->vertex_dw < VF_ELEMENTS * 4u)
        v->vertex_dw = VF_ELEMENTS * 4u;
}

/* Up to Gen7 the cut index is the greatest index of its size. The reserved index format is read as DWORD. */
struct index_buffer index_buffer_init(const struct engine *e)
{
    enum { DWORD = 2 };
    const uint64_t format = state_field(e, STATE_INDEX_BUFFER, INDEX_FORMAT),
                   start = state_field(e, STATE_INDEX_BUFFER, INDEX_BUFFER_STARTING_ADDRESS),
                   last = state_field(e, STATE_INDEX_BUFFER, INDEX_BUFFER_ENDING_ADDRESS);
    const uint32_t bytes = 1u << (format < DWORD ? format : DWORD);
    const bool in_vf = state_field(e, STATE_VF, VF_INDEXED_DRAW_CUT_INDEX_ENABLE);
    return (struct index_buffer){
        .start = start,
        .size_bytes =
            last >= start && last ? last + 1u - start : state_field(e, STATE_INDEX_BUFFER, INDEX_BUFFER_SIZE),
        .index_bytes = bytes,
        .cut_index_enable = in_vf || state_field(e, STATE_INDEX_BUFFER, INDEX_CUT_INDEX_ENABLE),
        .cut_index =
            in_vf ? (uint32_t)state_field(e, STATE_VF, VF_CUT_INDEX) : UINT32_MAX >> (32u - bytes * 8u),
    };
}

void vf_plan_init(struct vertex_fetch_plan *v, const struct message_context *b, const struct draw_call *call)
{
    const struct engine *const e = b->engine;
    vf_elements_init(v, b);
    vf_sgvs_init(v, e);
    vf_packing_init(v, e);
    v->index = index_buffer_init(e);
    v->index.cut_index_enable &= call->is_indexed;
    vf_parameters_init(v, e, call);
}

void vf_parameters_init(struct vertex_fetch_plan *v, const struct engine *e, const struct draw_call *call)
{
    memcpy(v->parameters, call->parameters, sizeof v->parameters);
    v->has_windows = false;
    if (state_field(e, STATE_VF_SGVS_2, SGVS_XP0_SOURCE_SELECT))
        v->parameters[0] = call->is_indexed ? (uint32_t)call->base_vertex : call->start_vertex;
    if (state_field(e, STATE_VF_SGVS_2, SGVS_XP1_SOURCE_SELECT))
        v->parameters[1] = call->start_instance;
}

/* ---- Windows ---- */

/* A window of the bytes that `count` elements may have from `first` on. */
static void vf_window_make(struct vf_window *to, struct mmu *mmu, uint64_t start, uint64_t size_bytes,
                           uint64_t first, uint64_t count, uint32_t bytes)
{
    struct memory_window w;
    const uint64_t there = first < size_bytes ? size_bytes - first : 0, most = count < there ? count : there;
    *to = (struct vf_window){.first = first};
    if (most < bytes ||
        !memory_window_make_by(&w, mmu, &mmu->walker, SPACE_PPGTT,
                               mmu_address(mmu, SPACE_PPGTT, start + first), most, false) ||
        w.size_bytes < bytes)
        return;
    to->host = w.host;
    to->places = w.size_bytes - bytes + 1u;
}

/* Indexed vertices are mostly the first ones. */
void vf_windows_init(struct draw *d, struct mmu *mmu)
{
    enum { LEAST_VERTICES = 64, SPARE_VERTICES = 256, MOST_ELEMENT_BYTES = 64 }; /* a pitch may be 0 */
    struct vertex_fetch_plan *const v = &d->state.vf;
    const struct draw_call *const call = &d->state.call;
    const bool is_small = call->vertex_count < LEAST_VERTICES || mmu->accounts_local;
    const uint64_t first = !call->is_indexed       ? call->start_vertex
                           : call->base_vertex > 0 ? (uint64_t)call->base_vertex
                                                   : 0,
                   count = (uint64_t)call->vertex_count + SPARE_VERTICES;
    if (v->has_windows && v->windows_changes == mmu->changes)
        return;
    v->has_windows = true;
    v->windows_changes = mmu->changes;
    for (unsigned n = 0; n < v->element_count; n++) {
        struct vf_element *const s = &v->element[n];
        s->window = (struct vf_window){0};
        if (!is_small && s->source.format && !s->is_per_instance)
            vf_window_make(&s->window, mmu, s->start, s->size_bytes, first * s->pitch_bytes,
                           count * s->pitch_bytes + MOST_ELEMENT_BYTES, s->source.bytes);
    }
    v->index.window = (struct vf_window){0};
    if (!is_small && call->is_indexed)
        vf_window_make(&v->index.window, mmu, v->index.start, v->index.size_bytes,
                       call->start_vertex * (uint64_t)v->index.index_bytes, count * v->index.index_bytes,
                       v->index.index_bytes);
}

/* ---- Vertices ---- */

/* Reads bytes, in place if the TLB has their page, else by `copy`. NULL after a fault. */
static INLINE const void *vf_read(struct engine *e, uint64_t address, void *copy, uint32_t bytes)
{
    const uint8_t *const host = mmu_cached(&e->mmu, SPACE_PPGTT, address, bytes, false);
    if (__builtin_expect(!host, 0))
        return engine_load_into(e, SPACE_PPGTT, address, copy, bytes) ? copy : NULL;
    engine_count_loaded(e, SPACE_PPGTT, address, bytes);
    return host;
}

/* Likewise, of a buffer that may have a window. */
static INLINE const void *vf_read_buffer(const struct draw *d, struct engine *e, const struct vf_window *w,
                                         uint64_t start, uint64_t at, void *copy, uint32_t bytes)
{
    if (at - w->first < w->places && d->state.vf.windows_changes == e->mmu.changes)
        return w->host + (at - w->first);
    return vf_read(e, start + at, copy, bytes);
}

/* Reads an index in place: its bytes are constant where this is inlined. */
static INLINE bool vf_read_index(const struct draw *d, struct engine *e, uint64_t at, uint32_t bytes,
                                 uint32_t *index)
{
    const struct index_buffer *const i = &d->state.vf.index;
    uint32_t copy;
    uint16_t word;
    const void *const from = vf_read_buffer(d, e, &i->window, i->start, at, &copy, bytes);
    if (!from)
        return false;
    if (bytes == sizeof word) {
        memcpy(&word, from, sizeof word);
        *index = word;
    } else if (bytes == 1) {
        *index = *(const uint8_t *)from;
    } else {
        memcpy(index, from, sizeof *index);
    }
    return true;
}

bool vf_fetch_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *index)
{
    const struct index_buffer *const i = &d->state.vf.index;
    const uint64_t at = (uint64_t)d->state.call.start_vertex + vertex;
    *index = 0;
    if ((at + 1u) * i->index_bytes > i->size_bytes)
        return true;
    return i->index_bytes == 2   ? vf_read_index(d, b->engine, at * 2, 2, index)
           : i->index_bytes == 1 ? vf_read_index(d, b->engine, at, 1, index)
                                 : vf_read_index(d, b->engine, at * 4, 4, index);
}

bool vf_vertex_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *number,
                     uint32_t *identity)
{
    *number = d->state.call.start_vertex + vertex;
    *identity = vertex;
    if (!d->state.call.is_indexed)
        return true;
    if (!vf_fetch_index(d, b, vertex, identity))
        return false;
    *number = *identity + (uint32_t)d->state.call.base_vertex;
    return true;
}

static INLINE vf_dwords vf_decode_source(const struct vf_source_format *f, const void *from)
{
    union softgt_color color = {{0}};
    vf_dwords value;
    if (__builtin_expect(f->codec == VF_CODEC_DWORDS, 1))
        return vf_decode_dwords(f, from);
    if (f->codec == VF_CODEC_UNORM_BYTES)
        return vf_decode_unorm_bytes(f, from);
    vf_decode(f, from, &color);
    memcpy(&value, color.u, sizeof value);
    return value;
}

/* Reads the element's source; zeros without one. Returns false on a fault. */
static inline bool vf_load_source(const struct draw *d, struct message_context *b, const struct vf_element *s,
                                  uint32_t number, vf_dwords *value)
{
    uint32_t copy[VF_ELEMENT_BYTES / 4];
    *value = (vf_dwords){0};
    if (!s->source.format)
        return true;
    uint64_t address;
    if (!vf_element_address(s, d->state.call.start_instance, number, d->cursor.instance, &address))
        return true;
    const void *const from = vf_read(b->engine, address, copy, s->source.bytes);
    if (!from)
        return false;
    *value = vf_decode_source(&s->source, from);
    return true;
}

bool vf_select_parts(const struct draw *d, struct message_context *b, const struct ia_primitive *o,
                     uint8_t *visible_parts)
{
    const uint8_t *const modes = d->state.raster.fill_mode;
    const bool edges = modes[0] == FILL_MODE_WIREFRAME || modes[1] == FILL_MODE_WIREFRAME;
    if (!d->state.vf.has_edge_flags || (!modes[0] && !modes[1]) || o->vertex_count != CORNERS)
        return true;
    for (unsigned i = 0; i < CORNERS; i++) {
        /* An edge has the flag of the vertex that was its first one in the strip. */
        const unsigned at = o->reversed_winding && edges ? (i + 1u) % CORNERS : i;
        uint32_t number, identity;
        vf_dwords value;
        if (!vf_vertex_index(d, b, o->vertex[at], &number, &identity) ||
            !vf_load_source(d, b, &d->state.vf.edge_flag, number, &value))
            return false;
        if (!value[0])
            *visible_parts &= (uint8_t)(ALL_PARTS & ~(1u << i));
    }
    return true;
}

static void vf_store_sgvs(const struct draw *d, uint32_t vertex, uint32_t dw[VUE_DW])
{
    const struct vertex_fetch_plan *const v = &d->state.vf;
    for (unsigned i = 0; i < v->sgv_count; i++) {
        const unsigned value = v->sgv[i].value;
        dw[v->sgv[i].dw] = value == SGV_VERTEX_ID     ? vertex
                           : value == SGV_INSTANCE_ID ? d->cursor.instance
                                                      : v->parameters[value - SGV_XP0];
    }
}

static void vf_pack_components(const struct vertex_fetch_plan *v, uint32_t dw[VUE_DW])
{
    if (!v->component_packing_enable)
        return;
    for (unsigned i = 0; i < v->packed_count; i++)
        dw[i] = dw[v->packed_dw[i]];
    memset(dw + v->packed_count, 0, (VF_ELEMENTS * 4u - v->packed_count) * sizeof *dw);
}

static void vf_trace_vertex(const struct draw *d, const struct message_context *b, uint32_t number,
                            uint32_t identity, const uint32_t dw[VUE_DW])
{
    const struct softgt_vertex v = {.number = number,
                                    .vertex_id = identity,
                                    .instance = d->cursor.instance,
                                    .dw = dw,
                                    .length_dw = d->state.vf.vertex_dw};
    trace_event(b->memory.log,
                (struct softgt_event){
                    .what = SOFTGT_TRACE_PRIMITIVES, .unit = b->memory.unit, .name = "vertex", .vertex = &v});
}

/* Replaces generated values of an element. */
static void vf_store_generated(const struct draw *d, const struct vf_element *s, uint32_t identity,
                               uint32_t primitive_index, uint32_t dw[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t control = s->component_control[i];
        dw[i] = control == STORE_PRIMITIVE  ? primitive_index
                : control == STORE_VERTEX   ? identity
                : control == STORE_INSTANCE ? d->cursor.instance
                                            : dw[i];
    }
}

bool vf_fetch_numbered(const struct draw *d, struct message_context *b, uint32_t number, uint32_t identity,
                       uint32_t primitive_index, uint32_t dw[VUE_DW])
{
    const struct vertex_fetch_plan *const v = &d->state.vf;
    const bool has_windows = v->windows_changes == b->engine->mmu.changes;
    if (!v->has_elements)
        return true;
    for (unsigned n = 0; n < v->element_count; n++) {
        const struct vf_element *const s = &v->element[n];
        uint32_t *const to = dw + s->dw;
        vf_dwords value, mask, constant;
        const uint64_t ahead = number * s->pitch_bytes + s->offset_bytes - s->window.first;
        if (has_windows && ahead < s->window.places)
            value = vf_decode_source(&s->source, s->window.host + ahead);
        else if (!vf_load_source(d, b, s, number, &value))
            return false;
        memcpy(&mask, s->source_mask, sizeof mask);
        memcpy(&constant, s->constant, sizeof constant);
        value = (value & mask) | constant;
        memcpy(to, &value, sizeof value);
        if (s->has_generated)
            vf_store_generated(d, s, identity, primitive_index, to);
    }
    vf_store_sgvs(d, identity, dw);
    if (tracing(b->memory.log, SOFTGT_TRACE_PRIMITIVES))
        vf_trace_vertex(d, b, number, identity, dw);
    vf_pack_components(v, dw);
    return true;
}

bool vf_fetch_vertex(const struct draw *d, struct message_context *b, uint32_t vertex,
                     uint32_t primitive_index, uint32_t dw[VUE_DW])
{
    uint32_t number, identity;
    if (!d->state.vf.has_elements)
        return true;
    return vf_vertex_index(d, b, vertex, &number, &identity) &&
           vf_fetch_numbered(d, b, number, identity, primitive_index, dw);
}
