/*
 * Draws with the state of the last one are not decoded again. The pipeline state is compared by content,
 * except for constants, binding tables and samplers, which every draw reads, and buffers, which only fetch
 * reads.
 */
#include "pipeline3d/draw_work.h"

#include <stdlib.h>

/* Read by stage_state_init, at each draw. */
static const uint32_t stage_headers[] = {
    STATE_CONSTANT_VS,
    STATE_CONSTANT_HS,
    STATE_CONSTANT_DS,
    STATE_CONSTANT_GS,
    STATE_CONSTANT_PS,
    STATE_BINDING_TABLE_POINTERS_VS,
    STATE_BINDING_TABLE_POINTERS_HS,
    STATE_BINDING_TABLE_POINTERS_DS,
    STATE_BINDING_TABLE_POINTERS_GS,
    STATE_BINDING_TABLE_POINTERS_PS,
    STATE_SAMPLER_STATE_POINTERS_VS,
    STATE_SAMPLER_STATE_POINTERS_HS,
    STATE_SAMPLER_STATE_POINTERS_DS,
    STATE_SAMPLER_STATE_POINTERS_GS,
    STATE_SAMPLER_STATE_POINTERS_PS,
};
static const uint32_t buffer_headers[] = {STATE_VERTEX_BUFFERS, STATE_INDEX_BUFFER};

static uint16_t row_of(const struct pipeline_state *p, uint32_t header)
{
    return command_find(p->set, p->class, header);
}

static void exclude(struct kept_state *k, const struct pipeline_state *p, const uint32_t *headers,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint16_t row = row_of(p, headers[i]);
        k->excluded_bits[row / 64u] |= UINT64_C(1) << row % 64u;
    }
}

/* False: there is no memory, or a part of the state of draws is in memory. */
static bool kept_state_create(struct kept_state *k, const struct engine *e)
{
    const struct pipeline_state *const p = &e->pipeline;
    if (!e->info->draws.state_locations && !k->dw) {
        k->dw = calloc(p->count_dw + 1u, sizeof *k->dw);
        k->present_bits = calloc(p->words, sizeof *k->present_bits);
        k->excluded_bits = calloc(p->words, sizeof *k->excluded_bits);
        if (k->excluded_bits) {
            exclude(k, p, stage_headers, sizeof stage_headers / sizeof *stage_headers);
            exclude(k, p, buffer_headers, sizeof buffer_headers / sizeof *buffer_headers);
        }
    }
    return k->dw && k->present_bits && k->excluded_bits;
}

void kept_state_destroy(struct kept_state *k)
{
    free(k->dw);
    free(k->present_bits);
    free(k->excluded_bits);
}

static bool kept_buffers_equal(const struct kept_state *k, const struct pipeline_state *p)
{
    bool equal = true;
    for (unsigned i = 0; i < sizeof buffer_headers / sizeof *buffer_headers; i++) {
        const uint16_t row = row_of(p, buffer_headers[i]);
        const uint32_t first = p->slots[row].first_dw;
        equal &= memcmp(k->dw + first, p->dw + first, pipeline_row_dw(p, row) * sizeof *p->dw) == 0;
    }
    return equal;
}

static enum kept_parts kept_state_find(const struct kept_state *k, const struct engine *e,
                                       const struct draw_call *call)
{
    const struct pipeline_state *const p = &e->pipeline;
    if (!k->valid || k->topology != call->topology || k->is_indexed != call->is_indexed)
        return KEPT_NOTHING;
    for (unsigned i = 0; i < p->words; i++)
        if ((k->present_bits[i] ^ p->present_bits[i]) & ~k->excluded_bits[i])
            return KEPT_NOTHING;
    for (unsigned i = 0; i < k->range_count; i++) {
        const struct kept_range *const r = &k->ranges[i];
        if (memcmp(k->dw + r->first_dw, p->dw + r->first_dw, r->length_dw * sizeof *p->dw) != 0)
            return KEPT_NOTHING;
    }
    return kept_buffers_equal(k, p) ? KEPT_ALL : KEPT_ALL_BUT_BUFFERS;
}

/* The rows that are compared, neighbours as one range. */
static bool kept_ranges_init(struct kept_state *k, const struct pipeline_state *p)
{
    k->range_count = 0;
    for (unsigned row = pipeline_next_present(p, 1); row; row = pipeline_next_present(p, row + 1u)) {
        struct kept_range *const last = k->range_count ? &k->ranges[k->range_count - 1u] : NULL;
        const uint32_t first = p->slots[row].first_dw, length_dw = pipeline_row_dw(p, row);
        if (k->excluded_bits[row / 64u] >> row % 64u & 1u)
            continue;
        if (last && last->first_dw + last->length_dw == first) {
            last->length_dw += length_dw;
            continue;
        }
        if (k->range_count == KEPT_RANGES)
            return false;
        k->ranges[k->range_count++] = (struct kept_range){first, length_dw};
    }
    return true;
}

void kept_state_put(struct kept_state *k, const struct engine *e, const struct draw_call *call,
                    const struct state_bases *bases)
{
    const struct pipeline_state *const p = &e->pipeline;
    k->valid = kept_state_create(k, e) && kept_ranges_init(k, p);
    if (!k->valid)
        return;
    memcpy(k->dw, p->dw, p->count_dw * sizeof *k->dw);
    memcpy(k->present_bits, p->present_bits, p->words * sizeof *k->present_bits);
    k->topology = call->topology;
    k->is_indexed = call->is_indexed;
    k->statistics = 0;
    k->bases = *bases;
}

/* A resolve ends the clear: from then on the depth buffer has the value. Up to Gen7.5 it is a draw. (SNB PRM
 * vol 2 part 1, 7.5.3 Hierarchical Depth Buffer) */
static void note_resolve(struct engine *e)
{
    struct depth_stencil s;
    if ((state_field(e, STATE_WM, WM_HIERARCHICAL_DEPTH_BUFFER_RESOLVE_ENABLE) ||
         state_field(e, STATE_WM, WM_DEPTH_BUFFER_RESOLVE_ENABLE)) &&
        !depth_stencil_state_init(&s, e, draw_samples_log2(e), true) && s.depth.present)
        hiz_note_used(e, &s, s.depth.first_element, s.depth.elements);
}

const char *draw_find_unsupported(struct thread_dispatcher *d, const struct draw_call *call, bool *nothing)
{
    d->draws->kept.parts = kept_state_find(&d->draws->kept, d->engine, call);
    *nothing = !call->vertex_count || !call->instance_count;
    if (d->draws->kept.parts != KEPT_NOTHING)
        return NULL;
    if (!*nothing)
        note_resolve(d->engine);
    return draw_unsupported(d->engine, call, nothing);
}
