/*
 * Threads of Gen6 that have an object each, whose vertices they write to memory, or go on with: r0 with the
 * topology and the object's number; where in the buffers the next vertices go, if they ask for it; constants,
 * and the vertices one behind the other, from the register that the state names. All of eight channels run,
 * which the manual leaves open. (SNB PRM vol 2 part 1, GS Thread Payload)
 */
#include "dispatch/dispatch.h"

static const struct stage stage = {STATE_GS, STATE_BINDINGS_GS, STATE_SAMPLERS_GS, STATE_CONSTANT_GS};

static void begin(struct dispatch *d, uint64_t *budget)
{
    struct grid *const g = &d->grid;
    (void)budget;
    g->payload = PAYLOAD_STREAM;
    g->simd = THREAD_VERTICES;
    g->kernel = kept_state(d, STATE_GS, GS_KERNEL_START_POINTER);
    g->thread_registers = (uint32_t)kept_state(d, STATE_GS, GS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA);
    g->seeks = false;
    stage_take(d, &stage);
}

void streams_bind(struct dispatch *d)
{
    d->bindings.streams = d->grid.payload == PAYLOAD_STREAM;
    if (d->bindings.streams)
        d->bindings.streaming = (struct streaming){
            .counts_primitives = kept_state(d, STATE_GS, GS_STATISTICS_ENABLE),
            .counts_output = kept_state(d, STATE_GS, GS_SO_STATISTICS_ENABLE),
            .steps = kept_state(d, STATE_GS, GS_SVBI_POST_INCREMENT_ENABLE),
            .renders = d->drawing.objects_render,
        };
}

enum { PART_DW = 8 };

/* Every other triangle of a strip: as it lies there, unless its vertices are to be in another order. */
static bool is_reversed(const struct dispatch *d)
{
    return d->drawing.input == TOPOLOGY_TRISTRIP && d->drawing.turned &&
           !kept_state(d, STATE_GS, GS_REORDER_MODE_GEN6);
}

/* Those of the object, as far as they are there still. */
static void put_vertices(struct dispatch *d, struct filling *f)
{
    const unsigned first = (unsigned)kept_state(d, STATE_GS, GS_VERTEX_URB_ENTRY_READ_OFFSET) * PART_DW,
                   count = (unsigned)kept_state(d, STATE_GS, GS_VERTEX_URB_ENTRY_READ_LENGTH) * PART_DW;
    struct drawing at = d->drawing;
    struct object o;
    uint8_t entry[OBJECT_VERTICES];
    if (draw_assemble(&at, &d->bindings, &o) != ASSEMBLY_DONE ||
        (at.shades_vertices && !draw_entered(&at, &d->bindings, &o, entry)))
        return;
    const bool straight = is_reversed(d); /* by the topology's name */
    const unsigned corners = draw_corners_of(at.input),
                   vertices = kept_state(d, STATE_GS, GS_DISCARD_ADJACENCY) && corners ? corners : o.count;
    for (unsigned n = 0; n < vertices; n++) {
        const unsigned among = vertices < o.count ? draw_corner_at(at.input, n) : n,
                       i = straight && n ? o.count - n : among;
        uint32_t dw[VERTEX_DW] = {0}, r[PART_DW];
        if (at.shades_vertices)
            memcpy(dw, d->urb->dw + (size_t)entry[i] * URB_ENTRY_DW, sizeof dw);
        else if (!draw_vertex(&at, &d->bindings, o.vertex[i], dw))
            return;
        for (unsigned from = first; from < first + count; from += PART_DW) {
            memset(r, 0, sizeof r);
            if (from + PART_DW <= VERTEX_DW)
                memcpy(r, &dw[from], sizeof r);
            fill_put(f, r, sizeof r);
        }
    }
}

static uint32_t channels(const struct dispatch *d)
{
    (void)d;
    return 0xff;
}

static void fill(struct dispatch *d, struct eu_thread *t)
{
    enum { NUMBER = 1, TOPOLOGY = 2, DISPATCH_MASK = 2, VECTOR_MASK = 3 };
    struct filling f = {.thread = t};
    uint32_t r[PART_DW];
    memcpy(r, d->grid.r0, sizeof r);
    r[NUMBER] = d->drawing.identity;
    r[TOPOLOGY] = is_reversed(d) ? (uint32_t)TOPOLOGY_TRISTRIP_REVERSE : d->drawing.input;
    fill_put(&f, r, sizeof r);
    if (kept_state(d, STATE_GS, GS_SVBI_PAYLOAD_ENABLE)) {
        stream_indices(d->engine, r);
        fill_put(&f, r, sizeof r);
    }
    if (kept_state(d, STATE_GS, GS_SVBI_POST_INCREMENT_ENABLE))
        stream_step(d->engine, (uint32_t)kept_state(d, STATE_GS, GS_SVBI_POST_INCREMENT_VALUE));
    f.at = d->grid.thread_registers;
    fill_constants(d, &f, &stage);
    put_vertices(d, &f);
    t->state[DISPATCH_MASK] = t->state[VECTOR_MASK] = channels(d);
}

static void ended(struct dispatch *d)
{
    d->drawing.primitive++;
    stage_shaded(d);
}

/* While a draw is at hand that has such threads. */
bool streams_state(struct dispatch *d, struct state *s)
{
    struct made *const m = &d->urb->made;
    if (!d->drawing.objects_render)
        return true;
    STATE(s, m->allocated);
    STATE(s, m->vertices);
    STATE(s, m->next);
    STATE(s, m->begin);
    STATE_ARRAY(s, m->order);
    STATE_ARRAY(s, m->about);
    const bool holds = m->allocated <= UINT16_MAX && m->vertices <= MADE_VERTICES && m->next <= m->vertices &&
                       m->begin <= m->next && (d->drawing.midway || !m->vertices);
    for (unsigned i = 0; holds && i < m->allocated && i < MADE_VERTICES; i++)
        state_dwords(s, d->urb->dw + URB_MADE_AT + i * (size_t)URB_ENTRY_DW, URB_ENTRY_DW);
    return holds;
}

const struct shading streams_shading = {begin, fill, channels, ended};
