/*
 * Where Gen6 has the state of draws: what later generations say in commands of their own is in few large ones
 * there, or in structures in memory. (SNB PRM vol 2 part 1)
 */
#include "draw/draw.h"

const struct state_location gen6_state_locations[] = {
    {STATE_RASTER, RASTER_VIEWPORT_Z_NEAR_CLIP_TEST_ENABLE, STATE_CLIP, CLIP_VIEWPORT_Z_CLIP_TEST_ENABLE, 0,
     0},
    {STATE_RASTER, 0, STATE_SF, SF_RASTER, 0, 0},
    {STATE_GS, GS_STREAMS, STATE_GS, GS_ENABLE, 0, 0},
    {STATE_GS, GS_ENABLE, 0, 0, 0, 0}, /* as others are */
    {STATE_SBE, 0, STATE_SF, SF_SBE, 0, 0},
    {STATE_SBE_SWIZ, 0, STATE_SF, SF_SWIZ, 0, 0},
    {STATE_PS, COUNT_BINDING_TABLE_ENTRY_COUNT, STATE_WM, COUNT_BINDING_TABLE_ENTRY_COUNT, 0, 0},
    {STATE_PS, 0, STATE_WM, WM_PS, 0, 0},
    {STATE_PS_EXTRA, 0, STATE_WM, WM_PSX, 0, 0},
    {STATE_BINDING_TABLE_POINTERS_VS, STAGE_POINTER_TO_BINDING_TABLE, STATE_BINDING_TABLE_POINTERS, STAGES_VS,
     0, 0},
    {STATE_BINDING_TABLE_POINTERS_GS, STAGE_POINTER_TO_BINDING_TABLE, STATE_BINDING_TABLE_POINTERS, STAGES_GS,
     0, 0},
    {STATE_SAMPLER_STATE_POINTERS_GS, STAGE_POINTER_TO_SAMPLER_STATE, STATE_SAMPLER_STATE_POINTERS, STAGES_GS,
     0, 0},
    {STATE_BINDING_TABLE_POINTERS_PS, STAGE_POINTER_TO_BINDING_TABLE, STATE_BINDING_TABLE_POINTERS, STAGES_PS,
     0, 0},
    {STATE_SAMPLER_STATE_POINTERS_VS, STAGE_POINTER_TO_SAMPLER_STATE, STATE_SAMPLER_STATE_POINTERS, STAGES_VS,
     0, 0},
    {STATE_SAMPLER_STATE_POINTERS_PS, STAGE_POINTER_TO_SAMPLER_STATE, STATE_SAMPLER_STATE_POINTERS, STAGES_PS,
     0, 0},
    {STATE_VIEWPORT_STATE_POINTERS_SF_CLIP, VIEWPORT_SF_CLIP_VIEWPORT_POINTER, STATE_VIEWPORT_STATE_POINTERS,
     VIEWPORTS_SF, 0, 0},
    {STATE_VIEWPORT_STATE_POINTERS_SF_CLIP, VIEWPORT_CLIP_VIEWPORT_POINTER, STATE_VIEWPORT_STATE_POINTERS,
     VIEWPORTS_CLIP, 0, 0},
    {STATE_VIEWPORT_STATE_POINTERS_CC, DEPTH_RANGE_CC_VIEWPORT_POINTER, STATE_VIEWPORT_STATE_POINTERS,
     VIEWPORTS_CC, 0, 0},
    {STATE_BLEND_STATE_POINTERS, BLEND_STATE_POINTER, STATE_CC_STATE_POINTERS, CC_BLEND, 0, 0},
    {STATE_WM_DEPTH_STENCIL, 0, STATE_CC_STATE_POINTERS, CC_DEPTH_STENCIL, DEPTH_STENCIL_STATE, 0},
    {STATE_PS_BLEND, BLEND_ALPHA_TO_COVERAGE_ENABLE, STATE_CC_STATE_POINTERS, CC_BLEND, BLEND_STATE,
     TARGET_ALPHATOCOVERAGE_ENABLE},
    {STATE_URB_VS, 0, STATE_URB, 0, 0, 0},
    {STATE_MULTISAMPLE, 0, STATE_MULTISAMPLE_GEN6, 0, 0, 0},
    {STATE_DEPTH_BUFFER, 0, STATE_DEPTH_BUFFER_GEN6, 0, 0, 0},
    {STATE_CLEAR_PARAMS, 0, STATE_CLEAR_PARAMS_GEN6, 0, 0, 0},
    {STATE_STENCIL_BUFFER, BUFFER_STENCIL_BUFFER_ENABLE, STATE_DEPTH_BUFFER_GEN6,
     BUFFER_SEPARATE_STENCIL_BUFFER_ENABLE, 0, 0},
    {STATE_STENCIL_BUFFER, 0, STATE_STENCIL_BUFFER_GEN6, 0, 0, 0},
    /* Headers that others have there. */
    {STATE_VF, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0},
};

const struct unsupported_state gen6_unsupported_state[] = {
    {STATE_PS_EXTRA, PSX_REQUIRES_SUBPIXEL_SAMPLE_OFFSETS, "offsets in pixels"},
    {0, 0, NULL},
};

static const struct state_location *state_location_find(const struct engine *e, uint32_t header,
                                                        unsigned role)
{
    const struct state_location *p = e->info->state_locations;
    while (p && p->header && !(p->header == header && (!p->role || p->role == role)))
        p++;
    return p && p->header ? p : NULL;
}

/* Of a structure that a pointer names; what no memory holds is zeros. */
static uint64_t structure_field_at(const struct engine *e, const struct state_location *p, unsigned role)
{
    enum { MOST_DW = 16 };
    const struct command_set *const set = e->structures;
    const struct command *row;
    uint32_t dw[MOST_DW] = {0}, length_dw;
    if (!set || !pipeline_command(&e->pipeline, p->at_header, &row, &length_dw))
        return 0;
    row = set->rows[structure_find(set, (enum structure)p->structure)];
    if (row->min_dwords > MOST_DW)
        return 0;
    load_or_zero(
        (struct engine *)(uintptr_t)e,
        pipeline_field(&e->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS, 0) +
            pipeline_field(&e->pipeline, p->at_header, p->at_role, 0),
        dw, row->min_dwords * sizeof *dw);
    for (unsigned i = 0; i < row->group_count; i++)
        if (row->group[i].role == role)
            return field_get(&row->group[i], dw + row->group_dw, row->group_size_dw);
    return role < row->role_count ? field_read(&row->places[role], dw, row->min_dwords) : 0;
}

uint64_t state_field_at_location(const struct engine *e, uint32_t header, unsigned role)
{
    const struct state_location *const p = state_location_find(e, header, role);
    if (!p)
        return pipeline_field(&e->pipeline, header, role, 0);
    if (!p->at_header)
        return 0;
    return p->structure
               ? structure_field_at(e, p, p->structure_role ? p->structure_role : role)
               : pipeline_field(&e->pipeline, p->at_header, p->role ? p->at_role : role + p->at_role, 0);
}

const uint32_t *state_command(const struct engine *e, uint32_t header, const struct command **row,
                              uint32_t *length_dw, unsigned *more)
{
    const struct state_location *p = NULL;
    for (const struct state_location *i = e->info->state_locations; i && i->header; i++)
        if (i->header == header && (!p || !i->role)) /* that of all roles, if there is one */
            p = i;
    const bool elsewhere = p;
    *more = elsewhere && !p->role ? p->at_role : 0;
    return elsewhere && !p->at_header
               ? NULL
               : pipeline_command(&e->pipeline, elsewhere ? p->at_header : header, row, length_dw);
}

bool state_has_field(const struct engine *e, uint32_t header, unsigned role)
{
    const struct command *row;
    uint32_t length_dw;
    unsigned more;
    return state_command(e, header, &row, &length_dw, &more) && role + more < row->role_count &&
           row->by_role[role + more].name;
}
