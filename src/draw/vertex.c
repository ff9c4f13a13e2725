/*
 * Vertex fetch: elements of a vertex from buffers, four dwords each, one behind the other; then generated
 * values in their places. What lies outside a buffer reads as zeros. (SKL PRM vol 7, Vertex Fetch)
 */
#include "draw/draw.h"

enum { ELEMENTS = 34, ELEMENT_DW = 2, BUFFERS = 33, FIRST_DW = 1 };
enum {
    NOSTORE,
    STORE_SRC,
    STORE_0,
    STORE_1_FLOAT,
    STORE_1_INTEGER,
    STORE_VERTEX, /* it and the next up to Gen7 */
    STORE_INSTANCE,
    STORE_PRIMITIVE
};

/* An element as the state has it. */
struct vertex_element {
    uint32_t value[ELEMENT_COMPONENT_3_CONTROL + 1];
};

static void vf_read_element(const struct command *row, const uint32_t *dw, struct vertex_element *e)
{
    for (unsigned i = 0; i < row->group_count; i++)
        if (row->group[i].role && row->group[i].role <= ELEMENT_COMPONENT_3_CONTROL)
            e->value[row->group[i].role] = (uint32_t)field_get(&row->group[i], dw, ELEMENT_DW);
}

/* Floats of 64 bits are not made ones of 32. */
static bool vf_has_source(const struct message_context *b, const struct vertex_element *s)
{
    const struct softgt_format *const format =
        b->formats[s->value[ELEMENT_SOURCE_ELEMENT_FORMAT] % SURFACE_FORMATS];
    return format && format->part[0].bits <= 32;
}

const char *vf_unsupported_elements(const struct message_context *b)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const state =
        pipeline_command(&b->engine->pipeline, STATE_VERTEX_ELEMENTS, &row, &length_dw);
    for (unsigned n = 0; state && n < ELEMENTS && FIRST_DW + (n + 1) * ELEMENT_DW <= length_dw; n++) {
        struct vertex_element s = {{0}};
        bool stored = false;
        vf_read_element(row, state + FIRST_DW + n * ELEMENT_DW, &s);
        for (unsigned i = 0; i < 4; i++)
            stored |= (s.value[ELEMENT_COMPONENT_0_CONTROL + i] & 7u) == STORE_SRC;
        if (s.value[ELEMENT_VALID] && stored && !vf_has_source(b, &s))
            return "vertices of a format that is not fetched";
    }
    return NULL;
}

bool vf_fetch_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *index)
{
    const struct engine *const e = b->engine;
    const uint64_t at = (uint64_t)d->start_vertex + vertex,
                   format = state_field(e, STATE_INDEX_BUFFER, INDEX_FORMAT) & 3u,
                   start = state_field(e, STATE_INDEX_BUFFER, INDEX_BUFFER_STARTING_ADDRESS),
                   last = state_field(e, STATE_INDEX_BUFFER, INDEX_BUFFER_ENDING_ADDRESS),
                   size = last >= start && last ? last + 1u - start
                                                : state_field(e, STATE_INDEX_BUFFER, INDEX_BUFFER_SIZE);
    const uint32_t bytes = format < 3 ? 1u << format : 4;
    *index = 0;
    return (at + 1u) * bytes > size ||
           engine_load_into(b->engine, SPACE_PPGTT, start + at * bytes, index, bytes);
}

bool vf_vertex_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *number,
                     uint32_t *identity)
{
    *number = d->start_vertex + vertex;
    *identity = vertex;
    if (!d->is_indexed)
        return true;
    if (!vf_fetch_index(d, b, vertex, identity))
        return false;
    *number = *identity + d->base_vertex;
    return true;
}

/* The element's source; zeros where there is none. False: a fault. */
static bool vf_load_source(const struct draw *d, struct message_context *b, unsigned n,
                           const struct vertex_element *s, uint32_t number, union softgt_color *color)
{
    enum { PIXEL = 16 };
    const struct pipeline_state *const p = &b->engine->pipeline;
    const uint32_t buffer = s->value[ELEMENT_VERTEX_BUFFER_INDEX];
    const struct softgt_format *const format =
        b->formats[s->value[ELEMENT_SOURCE_ELEMENT_FORMAT] % SURFACE_FORMATS];
    uint8_t bytes[PIXEL] = {0};
    *color = (union softgt_color){.u = {0}};
    if (buffer >= BUFFERS || !format ||
        pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_NULL_VERTEX_BUFFER, buffer))
        return true;
    const bool of_instances = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_ACCESS_TYPE, buffer);
    if (of_instances || pipeline_field(p, STATE_VF_INSTANCING, INSTANCING_ENABLE, n)) {
        const uint32_t rate =
            (uint32_t)(of_instances
                           ? pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_INSTANCE_DATA_STEP_RATE,
                                            buffer)
                           : pipeline_field(p, STATE_VF_INSTANCING, INSTANCING_INSTANCE_DATA_STEP_RATE, n));
        number = d->start_instance + (rate ? d->instance / rate : 0);
    }
    const uint64_t pitch = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, buffer),
                   start = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_STARTING_ADDRESS, buffer),
                   last = pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_END_ADDRESS, buffer),
                   size = last >= start && last
                              ? last + 1u - start
                              : pipeline_field(p, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_SIZE, buffer);
    const uint64_t at = number * pitch + s->value[ELEMENT_SOURCE_ELEMENT_OFFSET];
    if (at + format->bytes <= size) {
        if (!engine_load_into(b->engine, SPACE_PPGTT, start + at, bytes, format->bytes))
            return false;
        softgt_pixel_decode(format, bytes, color);
    }
    return true;
}

static void vf_store_sgvs(const struct draw *d, const struct engine *e, uint32_t vertex, uint32_t dw[VUE_DW])
{
    const struct {
        uint32_t header;
        uint8_t enable, element, component;
        uint32_t value;
    } values[] = {{STATE_VF_SGVS, SGVS_VERTEXID_ENABLE, SGVS_VERTEXID_ELEMENT_OFFSET,
                   SGVS_VERTEXID_COMPONENT_NUMBER, vertex},
                  {STATE_VF_SGVS, SGVS_INSTANCEID_ENABLE, SGVS_INSTANCEID_ELEMENT_OFFSET,
                   SGVS_INSTANCEID_COMPONENT_NUMBER, d->instance},
                  {STATE_VF_SGVS_2, SGVS_XP0_ENABLE, SGVS_XP0_ELEMENT_OFFSET, SGVS_XP0_COMPONENT_NUMBER,
                   d->parameters[0]},
                  {STATE_VF_SGVS_2, SGVS_XP1_ENABLE, SGVS_XP1_ELEMENT_OFFSET, SGVS_XP1_COMPONENT_NUMBER,
                   d->parameters[1]},
                  {STATE_VF_SGVS_2, SGVS_XP2_ENABLE, SGVS_XP2_ELEMENT_OFFSET, SGVS_XP2_COMPONENT_NUMBER,
                   d->parameters[2]}};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (!state_field(e, values[i].header, values[i].enable))
            continue;
        const uint64_t at = state_field(e, values[i].header, values[i].element) * 4u +
                            state_field(e, values[i].header, values[i].component);
        if (at < VUE_DW)
            dw[at] = values[i].value;
    }
}

/* Only components that are wanted stay, one behind the other. (SKL PRM vol 7, Component Packing) */
static void vf_pack_components(const struct engine *e, uint32_t dw[VUE_DW])
{
    enum { PACKED = 32, ELEMENT_BITS = 4 };
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const state =
        pipeline_command(&e->pipeline, STATE_VF_COMPONENT_PACKING, &row, &length_dw);
    unsigned to = 0;
    if (!state_field(e, STATE_VF, VF_COMPONENT_PACKING_ENABLE))
        return; /* Gen8 has no such thing */
    for (unsigned at = 0; at < ELEMENTS * 4u; at++) {
        const unsigned bit = FIRST_DW * 32u + at;
        const bool wanted = at >= PACKED * ELEMENT_BITS || !state ||
                            (bit / 32u < length_dw && state[bit / 32u] >> bit % 32u & 1u);
        if (wanted)
            dw[to++] = dw[at];
    }
    memset(dw + to, 0, (ELEMENTS * 4u - to) * sizeof *dw);
}

bool vf_fetch_vertex(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t dw[VUE_DW])
{
    static const uint32_t constants[] = {
        [STORE_1_FLOAT] = 0x3f800000, [STORE_1_INTEGER] = 1, [STORE_PRIMITIVE] = 0};
    const struct command *row;
    uint32_t length_dw, number, identity;
    const uint32_t *const state =
        pipeline_command(&b->engine->pipeline, STATE_VERTEX_ELEMENTS, &row, &length_dw);
    memset(dw, 0, VUE_DW * sizeof *dw);
    if (!state)
        return true;
    if (!vf_vertex_index(d, b, vertex, &number, &identity))
        return false;
    for (unsigned n = 0; n < ELEMENTS && FIRST_DW + (n + 1) * ELEMENT_DW <= length_dw; n++) {
        struct vertex_element s = {{0}};
        union softgt_color color;
        vf_read_element(row, state + FIRST_DW + n * ELEMENT_DW, &s);
        if (!s.value[ELEMENT_VALID])
            continue;
        if (!vf_load_source(d, b, n, &s, number, &color))
            return false;
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t control = s.value[ELEMENT_COMPONENT_0_CONTROL + i] & 7u;
            dw[n * 4u + i] = control == STORE_SRC         ? color.u[i]
                             : control == STORE_PRIMITIVE ? d->primitive_index
                             : control == STORE_VERTEX    ? identity
                             : control == STORE_INSTANCE  ? d->instance
                                                          : constants[control];
        }
    }
    vf_store_sgvs(d, b->engine, identity, dw);
    vf_pack_components(b->engine, dw);
    return true;
}
