/*
 * Stream output: writes components of each primitive's vertices, as declared, into up to four buffers. A
 * primitive is written whole, or, if one buffer has no space for it, not at all. (OpenGL 4.6, 13.3; Mesa,
 * iris: 3DSTATE_SO_BUFFER)
 */
#include "geometry/draw.h"

#include "engine/execution.h"
#include "engine/statistics.h"

/* ---- Buffers ---- */

unsigned so_buffer_index(uint32_t header, uint32_t dw1)
{
    enum { INDEX_AT = 29 };
    const uint32_t of = header & 0xffff0000u;
    return (of == STATE_SO_BUFFER ? dw1 >> INDEX_AT : (of - STATE_SO_BUFFER_INDEX_0) >> 16) % SO_BUFFERS;
}

/* From Gen12 on each buffer also has a command of its own, which has precedence once it was executed. */
static uint64_t so_buffer_field(const struct engine *e, unsigned n, unsigned role)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t own = STATE_SO_BUFFER_INDEX_0 + (n << 16);
    return pipeline_command(&e->pipeline, own, &row, &length_dw)
               ? pipeline_field(&e->pipeline, own, role, 0)
               : pipeline_field(&e->pipeline, STATE_SO_BUFFER, role, n);
}

static uint32_t so_write_offset_register(const struct engine *e, unsigned n)
{
    return SO_WRITE_OFFSET + n * 4u - e->info->mmio_base;
}

static void so_write_offset_store(struct engine *e, unsigned n)
{
    if (so_buffer_field(e, n, SO_STREAM_OUTPUT_BUFFER_OFFSET_ADDRESS_ENABLE))
        engine_store32(e, SPACE_PPGTT, so_buffer_field(e, n, SO_STREAM_OUTPUT_BUFFER_OFFSET_ADDRESS),
                       engine_register(e, so_write_offset_register(e, n)));
}

/* An offset of all ones: load the offset that memory holds. */
bool so_write_offset_init(struct engine *e, unsigned buffer)
{
    uint32_t offset = (uint32_t)so_buffer_field(e, buffer, SO_STREAM_OFFSET);
    if (!so_buffer_field(e, buffer, SO_STREAM_OFFSET_WRITE_ENABLE))
        return true;
    if (offset == UINT32_MAX &&
        !engine_load_into(e, SPACE_PPGTT, so_buffer_field(e, buffer, SO_STREAM_OUTPUT_BUFFER_OFFSET_ADDRESS),
                          &offset, sizeof offset))
        return false;
    engine_register_set(e, so_write_offset_register(e, buffer), offset & ~3u);
    so_write_offset_store(e, buffer);
    return !engine_faulted(e);
}

void so_write_offsets_store(const struct sol_state *s, struct engine *e)
{
    for (unsigned n = 0; n < SO_BUFFERS && !engine_faulted(e); n++)
        if (s->buffer[n].enable && s->buffer[n].offset_write_enable)
            engine_store32(e, SPACE_PPGTT, s->buffer[n].offset_address,
                           engine_register(e, so_write_offset_register(e, n)));
}

bool so_rendering_disabled(const struct engine *e)
{
    enum { FORCE_OFF = 2, FORCE_ON = 3 };
    const uint64_t forced = state_field(e, STATE_STREAMOUT, SO_FORCE_RENDERING);
    return forced == FORCE_OFF ||
           (forced != FORCE_ON && state_field(e, STATE_STREAMOUT, SO_RENDERING_DISABLE));
}

/* ---- State ---- */

/* The distance in bits to the same field of the next stream or buffer. */
enum { BUFFERS_BITS = 4, BYTE_BITS = 8, PITCH_BITS = 16, DECL_BITS = 16 };

/* Reads a field `bits` beyond its first array element. */
static uint32_t array_field_get(const struct field *f, const uint32_t *dw, uint32_t length_dw, unsigned bits)
{
    struct field at = *f;
    if (at.first == UINT16_MAX)
        return 0;
    at.first = (uint16_t)(at.first + bits);
    at.last = (uint16_t)(at.last + bits);
    return (uint32_t)field_get(&at, dw, length_dw);
}

uint32_t state_array_field(const struct engine *e, uint32_t header, unsigned role, unsigned bits)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const dw = pipeline_command(&e->pipeline, header, &row, &length_dw);
    return dw && role < row->role_count ? array_field_get(&row->by_role[role], dw, length_dw, bits) : 0;
}

/* Decodes declaration n of a stream: components of a register, or a hole of that size. */
static bool so_decl_init(struct so_decl *d, const struct engine *e, unsigned stream, unsigned n)
{
    enum { FIRST_DW = 3, EACH_DW = 2 };
    const struct command *row;
    uint32_t length_dw, value[DECL_OUTPUT_BUFFER_SLOT + 1] = {0};
    const uint32_t *const dw = pipeline_command(&e->pipeline, STATE_SO_DECL_LIST, &row, &length_dw);
    const uint32_t at = FIRST_DW + n * EACH_DW;
    if (!dw || at + EACH_DW > length_dw)
        return false;
    for (unsigned i = row->group_count; i--;) /* the first stream's field is found last */
        if (row->group[i].role && row->group[i].role <= DECL_OUTPUT_BUFFER_SLOT)
            value[row->group[i].role] = array_field_get(&row->group[i], dw + at, EACH_DW, stream * DECL_BITS);
    *d = (struct so_decl){.component_mask = (uint8_t)value[DECL_COMPONENT_MASK],
                          .register_index = (uint8_t)value[DECL_REGISTER_INDEX],
                          .buffer = (uint8_t)(value[DECL_OUTPUT_BUFFER_SLOT] % SO_BUFFERS),
                          .is_hole = value[DECL_HOLE_FLAG]};
    return true;
}

void sol_state_init(struct sol_state *s, const struct engine *e)
{
    enum { PART_DW = 8 };
    s->enable = state_field(e, STATE_STREAMOUT, SO_FUNCTION_ENABLE);
    s->render_stream = (uint8_t)state_field(e, STATE_STREAMOUT, SO_RENDER_STREAM_SELECT);
    s->statistics_enable = state_field(e, STATE_STREAMOUT, SO_STATISTICS_ENABLE);
    s->reorder_trailing = state_field(e, STATE_STREAMOUT, SO_REORDER_MODE);
    for (unsigned n = 0; n < SO_BUFFERS && s->enable; n++) {
        s->buffer[n].base = so_buffer_field(e, n, SO_SURFACE_BASE_ADDRESS);
        s->buffer[n].size_bytes = (so_buffer_field(e, n, SO_SURFACE_SIZE) + 1u) * 4u;
        s->buffer[n].offset_address = so_buffer_field(e, n, SO_STREAM_OUTPUT_BUFFER_OFFSET_ADDRESS);
        s->buffer[n].pitch_bytes =
            state_array_field(e, STATE_STREAMOUT, SO_BUFFER_SURFACE_PITCH, n * PITCH_BITS);
        s->buffer[n].enable = so_buffer_field(e, n, SO_BUFFER_ENABLE);
        if (e->info->draws.so_state_by_buffer) {
            const uint64_t end = so_buffer_field(e, n, SO_SURFACE_END_ADDRESS);
            s->buffer[n].size_bytes = end > s->buffer[n].base ? end - s->buffer[n].base : 0;
            s->buffer[n].pitch_bytes = (uint32_t)so_buffer_field(e, n, SO_SURFACE_PITCH);
            s->buffer[n].enable = state_array_field(e, STATE_STREAMOUT, STREAMOUT_SO_BUFFER_ENABLE, n);
        }
        s->buffer[n].offset_write_enable =
            so_buffer_field(e, n, SO_STREAM_OUTPUT_BUFFER_OFFSET_ADDRESS_ENABLE);
    }
    for (unsigned i = 0; i < SO_STREAMS && s->enable; i++) {
        const uint32_t count = state_array_field(e, STATE_SO_DECL_LIST, DECLS_NUM_ENTRIES, i * BYTE_BITS);
        s->stream[i].declared_count = count;
        s->stream[i].read_offset_dw =
            state_array_field(e, STATE_STREAMOUT, SO_STREAM_VERTEX_READ_OFFSET, i * BYTE_BITS) * PART_DW;
        s->stream[i].buffer_mask = (uint8_t)state_array_field(
            e, STATE_SO_DECL_LIST, DECLS_STREAM_TO_BUFFER_SELECTS, i * BUFFERS_BITS);
        while (s->stream[i].decl_count < count && s->stream[i].decl_count < SO_DECLS &&
               so_decl_init(&s->stream[i].decl[s->stream[i].decl_count], e, i, s->stream[i].decl_count))
            s->stream[i].decl_count++;
    }
}

/* ---- Primitives ---- */

struct so_target {
    uint64_t base;
    uint64_t size_bytes;
    uint64_t at; /* of the current vertex */
    uint32_t pitch_bytes;
    uint32_t written_bytes; /* bytes of that vertex, holes included */
    uint32_t run_dw;        /* its last dwords that are not stored yet */
    bool there;
};
enum { RUN_DW = 512 }; /* the greatest length of a run */

/* The buffers of a stream. Returns false if one has no space. */
static bool so_targets_init(const struct sol_state *s, const struct engine *e, unsigned stream,
                            unsigned vertices, struct so_target of[SO_BUFFERS])
{
    const uint32_t mask = s->stream[stream].buffer_mask;
    bool has_space = mask != 0;
    for (unsigned n = 0; n < SO_BUFFERS; n++) {
        of[n] = (struct so_target){
            .base = s->buffer[n].base,
            .size_bytes = s->buffer[n].size_bytes,
            .at = engine_register(e, so_write_offset_register(e, n)),
            .pitch_bytes = s->buffer[n].pitch_bytes,
            .there = mask >> n & 1u && s->buffer[n].enable,
        };
        has_space &= !of[n].there || of[n].at + (uint64_t)vertices * of[n].pitch_bytes <= of[n].size_bytes;
    }
    return has_space;
}

/* Adjacent components are stored at once. */
static void so_store_run(struct engine *e, struct so_target *to, const uint32_t *dw)
{
    const uint32_t bytes = to->run_dw * 4u;
    if (bytes)
        engine_store(e, SPACE_PPGTT, to->base + to->at + to->written_bytes - bytes, dw, bytes);
    to->run_dw = 0;
}

static void so_write_decl(struct engine *e, const struct so_decl *d, const uint32_t *vertex,
                          uint32_t first_dw, struct so_target *to, uint32_t run[RUN_DW])
{
    const uint32_t from = first_dw + d->register_index * 4u;
    for (unsigned i = 0; i < 4; i++) {
        if (!(d->component_mask >> i & 1u))
            continue;
        const bool written = to->there && !d->is_hole && to->at + to->written_bytes + 4u <= to->size_bytes;
        if (!written || to->run_dw == RUN_DW)
            so_store_run(e, to, run);
        if (written)
            run[to->run_dw++] = from + i < VUE_DW ? vertex[from + i] : 0;
        to->written_bytes += 4;
    }
}

bool so_write_primitive(struct draw *d, struct message_context *b, const struct shaded_primitive *p,
                        uint64_t *budget)
{
    const struct sol_state *const s = &d->state.sol;
    struct engine *const e = b->engine;
    const unsigned vertices = topology_vertices_per_primitive(d->cursor.raster_topology),
                   stream = p->stream % SO_STREAMS;
    const bool trailing = d->cursor.reversed_winding && s->reorder_trailing;
    struct so_target of[SO_BUFFERS];
    uint32_t runs[SO_BUFFERS][RUN_DW];
    if (s->statistics_enable)
        engine_register64_add(e, SO_PRIM_STORAGE_NEEDED + stream * 8u - e->info->mmio_base, 1);
    if (!so_targets_init(s, e, stream, vertices, of))
        return true;
    budget_charge(budget, vertices * s->stream[stream].declared_count);
    for (unsigned i = 0; i < vertices && !engine_faulted(e); i++) {
        const uint32_t *const vertex = p->vue_dw[trailing ? (i + vertices - 1u) % vertices : i];
        for (unsigned n = 0; n < s->stream[stream].decl_count; n++) {
            const struct so_decl *const decl = &s->stream[stream].decl[n];
            so_write_decl(e, decl, vertex, s->stream[stream].read_offset_dw, &of[decl->buffer],
                          runs[decl->buffer]);
        }
        for (unsigned n = 0; n < SO_BUFFERS; n++) {
            so_store_run(e, &of[n], runs[n]);
            of[n].at += of[n].pitch_bytes;
            of[n].written_bytes = 0;
        }
    }
    for (unsigned n = 0; n < SO_BUFFERS; n++)
        if (of[n].there)
            engine_register_set(e, so_write_offset_register(e, n), (uint32_t)of[n].at);
    if (s->statistics_enable)
        engine_register64_add(e, SO_NUM_PRIMS_WRITTEN + stream * 8u - e->info->mmio_base, 1);
    return !engine_faulted(e);
}
