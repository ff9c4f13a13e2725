#include "draws/geometry.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_DW = 4 };

const char *const primitive_fate_names[GEOMETRY_FATES] = {
    [SOFTGT_PRIMITIVE_VISIBLE] = "visible",     [SOFTGT_PRIMITIVE_CLIPPED] = "clipped",
    [SOFTGT_PRIMITIVE_CULLED] = "culled",       [SOFTGT_PRIMITIVE_SCISSORED] = "scissored",
    [SOFTGT_PRIMITIVE_DISCARDED] = "discarded",
};

bool geometry_begin(struct draw_geometry *g, unsigned most)
{
    *g = (struct draw_geometry){.is_on = true, .most = most < GEOMETRY_MOST ? most : GEOMETRY_MOST};
    const size_t outlines = g->most > GEOMETRY_OUTLINES ? g->most : GEOMETRY_OUTLINES;
    g->vertices = calloc(g->most + 1u, sizeof *g->vertices);
    g->primitives = calloc(outlines, sizeof *g->primitives);
    g->vue_dw = calloc(g->most + 1u, sizeof *g->vue_dw);
    if (g->vertices && g->primitives && g->vue_dw)
        return true;
    geometry_free(g);
    return false;
}

void geometry_free(struct draw_geometry *g)
{
    free(g->vertices);
    free(g->primitives);
    free(g->vue_dw);
    *g = (struct draw_geometry){0};
}

/* A vertex that left the cache is fetched again. */
static bool is_known(const struct draw_geometry *g, const struct softgt_vertex *v)
{
    for (unsigned n = 0; n < g->vertex_count; n++)
        if (g->vertices[n].number == v->number && g->vertices[n].vertex_id == v->vertex_id &&
            g->vertices[n].instance == v->instance)
            return true;
    return false;
}

static void add_vertex(struct draw_geometry *g, const struct softgt_vertex *v)
{
    g->fetched++;
    if (g->vertex_count >= g->most || is_known(g, v))
        return;
    struct fetched_vertex *const to = &g->vertices[g->vertex_count++];
    const unsigned dw = v->length_dw < GEOMETRY_VERTEX_DW ? v->length_dw : GEOMETRY_VERTEX_DW;
    *to = (struct fetched_vertex){.number = v->number, .vertex_id = v->vertex_id, .instance = v->instance};
    memcpy(to->dw, v->dw, dw * sizeof *v->dw);
}

static void add_vues(struct draw_geometry *g, const struct softgt_primitive *p)
{
    uint32_t(*const to)[GEOMETRY_VUE_DW] = g->vue_dw[g->vue_count++];
    for (unsigned n = 0; n < p->vertices && n < CORNERS; n++) {
        const unsigned dw = p->length_dw[n] < GEOMETRY_VUE_DW ? p->length_dw[n] : GEOMETRY_VUE_DW;
        memcpy(to[n], p->vertex[n], dw * sizeof **to);
        for (unsigned at = GEOMETRY_SLOTS; at < dw; at++)
            if (to[n][at] && (at - GEOMETRY_SLOTS) / SLOT_DW >= g->slot_count)
                g->slot_count = (at - GEOMETRY_SLOTS) / SLOT_DW + 1u;
    }
}

static void add_primitive(struct draw_geometry *g, const struct softgt_primitive *p)
{
    g->fates[p->fate]++;
    memcpy(g->scissor, p->scissor, sizeof g->scissor);
    if (g->primitive_count >= (g->most > GEOMETRY_OUTLINES ? g->most : GEOMETRY_OUTLINES))
        return;
    struct drawn_primitive *const to = &g->primitives[g->primitive_count++];
    *to = (struct drawn_primitive){.number = p->number,
                                   .instance = p->instance,
                                   .primitive_id = p->primitive_id,
                                   .viewport = p->viewport,
                                   .layer = p->layer,
                                   .vertices = p->vertices < CORNERS ? p->vertices : CORNERS,
                                   .fate = p->fate,
                                   .is_back_facing = p->is_back_facing,
                                   .is_reversed = p->is_reversed};
    memcpy(to->screen, p->screen, sizeof to->screen);
    if (g->vue_count < g->most && g->vue_count + 1u == g->primitive_count)
        add_vues(g, p);
}

void geometry_event(struct draw_geometry *g, const struct softgt_event *e, const struct draw_state *state)
{
    if (!g->is_on)
        return;
    if (!g->has_plan) {
        g->plan = state->vf;
        g->is_indexed = state->call.is_indexed;
        g->start_instance = state->call.start_instance;
        g->has_plan = true;
    }
    if (e->vertex)
        add_vertex(g, e->vertex);
    else if (e->primitive)
        add_primitive(g, e->primitive);
}

/* The element reads a buffer, not all of whose components are constants. */
static bool reads_buffer(const struct vf_element *e)
{
    return e->source.format && e->size_bytes &&
           (e->source_mask[0] | e->source_mask[1] | e->source_mask[2] | e->source_mask[3]) != 0;
}

static void note_vertex(struct geometry_faults *f, const struct softgt_vertex *v,
                        const struct draw_state *state)
{
    f->vertices++;
    for (unsigned n = 0; n < state->vf.element_count; n++) {
        const struct vf_element *const e = &state->vf.element[n];
        uint64_t address;
        if (!reads_buffer(e) || (f->beyond_buffer && e->buffer != f->buffer) ||
            vf_element_address(e, state->call.start_instance, v->number, v->instance, &address))
            continue;
        f->beyond_buffer++;
        f->buffer = e->buffer;
        f->buffer_bytes = e->size_bytes;
        f->pitch_bytes = e->pitch_bytes;
        return;
    }
}

static void note_primitive(struct geometry_faults *f, const struct softgt_primitive *p)
{
    bool has_nan = false;
    f->primitives++;
    for (unsigned n = 0; n < p->vertices && n < CORNERS; n++)
        for (unsigned c = 0; c < VUE_POSITION_DW && VUE_POSITION + c < p->length_dw[n]; c++)
            has_nan |= isnan(float_from_bits(p->vertex[n][VUE_POSITION + c]));
    f->nan_positions += has_nan && p->fate != SOFTGT_PRIMITIVE_DISCARDED;
}

void geometry_note_faults(struct geometry_faults *f, const struct softgt_event *e,
                          const struct draw_state *state)
{
    if (e->vertex)
        note_vertex(f, e->vertex, state);
    else if (e->primitive)
        note_primitive(f, e->primitive);
}

bool geometry_fault_text(const struct geometry_faults *f, unsigned kind, char text[GEOMETRY_FAULT_TEXT])
{
    if (!kind && f->beyond_buffer)
        snprintf(text, GEOMETRY_FAULT_TEXT,
                 "%" PRIu64 " of %" PRIu64 " vertices are read beyond buffer %u (%" PRIu64
                 " bytes, pitch %" PRIu64 ")",
                 f->beyond_buffer, f->vertices, f->buffer, f->buffer_bytes, f->pitch_bytes);
    else if (kind && f->nan_positions)
        snprintf(text, GEOMETRY_FAULT_TEXT, "%" PRIu64 " of %" PRIu64 " primitives have a NaN in a position",
                 f->nan_positions, f->primitives);
    else
        return false;
    return true;
}

static void float_text(uint32_t dw, char *text, size_t size)
{
    snprintf(text, size, "%.6g", text_number((double)float_from_bits(dw)));
}

void geometry_component_text(const struct vf_element *e, unsigned component, uint32_t dw, char *text,
                             size_t size)
{
    enum { STORE_VERTEX = 5 };
    const enum softgt_component kind =
        e->source.format ? e->source.format->part[0].kind : SOFTGT_COMPONENT_FLOAT;
    if (e->component_control[component] >= STORE_VERTEX || kind == SOFTGT_COMPONENT_UINT)
        snprintf(text, size, "%" PRIu32, dw);
    else if (kind == SOFTGT_COMPONENT_SINT)
        snprintf(text, size, "%" PRId32, (int32_t)dw);
    else
        float_text(dw, text, size);
}

/* What is no plain float is shown by its bits. Of NaNs only the quiet ones that operations give are floats.
 */
void geometry_slot_text(uint32_t dw, char *text, size_t size)
{
    enum { NO_SIGN = 0x7fffffff, QUIET_NAN = 0x7fc00000 };
    if (!dw || isnormal(float_from_bits(dw)) || (dw & NO_SIGN) == QUIET_NAN)
        float_text(dw, text, size);
    else
        snprintf(text, size, "0x%" PRIx32, dw);
}
