/*
 * Messages of Gen6's geometry shader threads: primitives that they emit, and vertices that they write
 * to streamed vertex buffers. The write positions in these buffers are context state:
 * 3DSTATE_GS_SVB_INDEX sets them, and each written primitive advances them. (SNB PRM vol 2 part 1,
 * Streamed Vertex Buffer; vol 4 part 1, 3.9.11; vol 4 part 2, FF_SYNC)
 */
#include "shared_function/shared_function.h"

#include "engine/statistics.h"
enum { BUFFERS = 4 };

void svbi_load(const struct engine *e, uint32_t indices[8])
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        indices[i] =
            (uint32_t)pipeline_field(&e->pipeline, STATE_GS_SVB_INDEX, SVB_STREAMED_VERTEX_BUFFER_INDEX, i);
        indices[BUFFERS + i] =
            (uint32_t)pipeline_field(&e->pipeline, STATE_GS_SVB_INDEX, SVB_MAXIMUM_INDEX, i);
    }
}

/* Advances the write positions by a number of vertices, up to their maxima. */
void svbi_post_increment(struct engine *e, uint32_t vertices)
{
    enum { INDEX_AT = 29, LENGTH_DW = 4 };
    uint32_t indices[8];
    const uint16_t row = command_find(e->pipeline.set, e->info->class, STATE_GS_SVB_INDEX);
    svbi_load(e, indices);
    for (uint32_t i = 0; i < BUFFERS && row && vertices; i++) {
        const uint32_t most = indices[BUFFERS + i], left = most > indices[i] ? most - indices[i] : 0;
        const uint32_t dw[LENGTH_DW] = {STATE_GS_SVB_INDEX | (LENGTH_DW - 2), i << INDEX_AT,
                                        indices[i] + (vertices < left ? vertices : left), most};
        if (most || indices[i])
            pipeline_merge(&e->pipeline, row, dw[0], dw, LENGTH_DW);
    }
}

static bool is_one(struct message_context *b)
{
    if (!b->is_gen6_gs)
        b->error_text = "a geometry shader message of another stage";
    return b->is_gen6_gs;
}

static void count_more(struct message_context *b, bool counts, uint32_t offset, uint32_t more)
{
    if (counts)
        engine_register64_add(b->gen6_sol.engine, offset, more);
}

/* Entries are as many as a thread asks for; those that have room are kept. A handle is the entry's number,
 * counted from 1. */
static uint32_t allocated(struct message_context *b, const struct eu_send *m)
{
    enum { ALLOCATE = 1 << 13, HANDLES = 0xffff };
    struct gen6_gs_output *const made = &b->urb->gen6_gs;
    if (!b->gen6_sol.rendering_enable || !(m->descriptor & ALLOCATE) || made->allocated_entries == HANDLES)
        return 0;
    if (made->allocated_entries < GEN6_GS_VERTICES)
        memset(b->urb->dw + URB_GS_OUTPUT_OFFSET_DW + made->allocated_entries * (size_t)URB_ENTRY_DW, 0,
               URB_ENTRY_DW * sizeof *b->urb->dw);
    return ++made->allocated_entries;
}

/* FF_SYNC: threads come here one by one, in their order. Who renders gets the handle of its first vertex. */
bool ff_sync(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { NEEDED = 0, GENERATED = 1, VERTICES_AT = 16, COUNT = 0xffff };
    const struct gen6_sol_state *const s = &b->gen6_sol;
    const uint32_t counts = payload_dw(m, 0, NEEDED);
    uint32_t indices[8];
    (void)kind;
    if (!is_one(b) || !has_header(m))
        return false;
    count_more(b, s->primitives_statistics, GS_PRIMITIVES_COUNT, payload_dw(m, 0, GENERATED) & COUNT);
    svbi_load(b->gen6_sol.engine, indices);
    for (unsigned i = 0; i < BUFFERS; i++)
        writeback(m, 0, (1u + i) * 4u, &indices[i], sizeof indices[i]);
    writeback(m, 0, 0, &(uint32_t){allocated(b, m)}, sizeof(uint32_t));
    if (s->svbi_post_increment)
        return true;
    count_more(b, s->output_statistics, GEN6_SO_PRIM_STORAGE_NEEDED, counts & COUNT);
    svbi_post_increment(b->gen6_sol.engine, counts >> VERTICES_AT);
    return true;
}

/* Writes dwords to the thread's entry; a complete and used vertex is emitted. */
static bool put_made(struct message_context *b, const struct eu_send *m)
{
    enum {
        HANDLE = 0xffff,
        INTERLEAVED = 1,
        USED = 1 << 14,
        COMPLETE = 1 << 15,
        ABOUT = 2,
        ABOUT_BITS = 0x7f
    };
    struct gen6_gs_output *const made = &b->urb->gen6_gs;
    const uint32_t d = m->descriptor, entry = (payload_dw(m, 0, 0) & HANDLE) - 1u;
    const bool completes = d & USED && d & COMPLETE;
    if (entry >= made->allocated_entries)
        return true;
    if (entry >= GEN6_GS_VERTICES || (completes && made->vertex_count == GEN6_GS_VERTICES)) {
        b->not_modelled = completes || payload_registers(m) > 1;
        b->error_text = "a geometry shader of more than 256 vertices";
        return !b->not_modelled;
    }
    gen6_urb_put_vertex(m, 0, (d >> 10 & 3u) == INTERLEAVED,
                        b->urb->dw + URB_GS_OUTPUT_OFFSET_DW + entry * (size_t)URB_ENTRY_DW, URB_ENTRY_DW);
    if (completes) {
        made->vertex_flags[made->vertex_count] = payload_dw(m, 0, ABOUT) & ABOUT_BITS;
        made->vertex_entries[made->vertex_count++] = (uint8_t)entry;
    }
    return true;
}

/* A URB write: emits a vertex if the draw renders, otherwise its data is unused. The last one returns the
 * write positions. */
bool gen6_gs_urb_write(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { WRITTEN = 2, WRITTEN_AT = 16, COUNT = 0x7ff };
    uint32_t r[8] = {0};
    (void)kind;
    if (!has_header(m) || (b->gen6_sol.rendering_enable && !put_made(b, m)))
        return false;
    r[0] = allocated(b, m);
    writeback(m, 0, 0, r, sizeof r);
    b->work.memory_accesses += payload_registers(m);
    if (!b->gen6_sol.svbi_post_increment)
        count_more(b, b->gen6_sol.output_statistics, GEN6_SO_NUM_PRIMS_WRITTEN,
                   payload_dw(m, 0, WRITTEN) >> WRITTEN_AT & COUNT);
    return true;
}

/* Writes up to four dwords to an entry of a buffer, by the low channels; none past the buffer's end. */
bool streamed_vertex_buffer_write(struct message_context *b, const struct eu_send *m,
                                  enum eu_message_kind kind)
{
    enum { INDEX = 5, MOST_DW = 4, HEIGHT_AT = 7, DEPTH_AT = 20 };
    struct surface_state s;
    (void)kind;
    if (!is_one(b))
        return false;
    if (!binding_table_surface(b, m->descriptor & 0xffu, &s) ||
        surface_field(&s, SURFACE_TYPE) != SURFTYPE_BUFFER)
        return true;
    const uint32_t index = payload_dw(m, 0, INDEX),
                   format = surface_field(&s, SURFACE_FORMAT) % SURFACE_FORMATS;
    const uint64_t entries =
                       ((uint64_t)surface_field(&s, SURFACE_DEPTH) << DEPTH_AT |
                        surface_field(&s, SURFACE_HEIGHT) << HEIGHT_AT | surface_field(&s, SURFACE_WIDTH)) +
                       1u,
                   pitch_bytes = surface_field(&s, SURFACE_PITCH) + 1u;
    const unsigned count = b->structures.formats[format] ? b->structures.formats[format]->bytes / 4u : 0;
    const struct buffer_view t = {.kind = BUFFER_VIEW_MEMORY,
                                  .base = surface_field(&s, SURFACE_BASE_ADDRESS),
                                  .size_bytes = entries * pitch_bytes};
    for (unsigned i = 0; i < count && i < MOST_DW && index < entries; i++) {
        const uint32_t value = payload_dw(m, 0, i);
        if (m->channels >> i & 1u)
            buffer_view_store(b, &t, index * pitch_bytes + i * 4u, &value, sizeof value);
    }
    return true;
}
