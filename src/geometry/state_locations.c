/*
 * Where Gen6 and Gen7 have the state of draws. Later generations have a command for each piece of state;
 * these have few large commands, or structures in memory. A field names the later command and role itself
 * (ROLE_OF). This table holds the commands that moved as a whole, and the structures. (SNB PRM vol 2 part 1,
 * IVB PRM vol 2 part 1)
 */
#include "geometry/draw.h"

const struct state_location gen6_state_locations[] = {
    {STATE_PS, COUNT_BINDING_TABLE_ENTRY_COUNT, STATE_WM, COUNT_BINDING_TABLE_ENTRY_COUNT, 0, 0},
    {STATE_WM_DEPTH_STENCIL, 0, STATE_CC_STATE_POINTERS, CC_POINTER_TO_DEPTH_STENCIL_STATE,
     DEPTH_STENCIL_STATE, 0},
    {STATE_PS_BLEND, BLEND_ALPHA_TO_COVERAGE_ENABLE, STATE_BLEND_STATE_POINTERS, BLEND_STATE_POINTER,
     BLEND_STATE, TARGET_ALPHATOCOVERAGE_ENABLE},
    {STATE_URB_VS, 0, STATE_URB, 0, 0, 0},
    {STATE_MULTISAMPLE, 0, STATE_MULTISAMPLE_GEN6, 0, 0, 0},
    {STATE_DEPTH_BUFFER, 0, STATE_DEPTH_BUFFER_GEN6, 0, 0, 0},
    {STATE_HIER_DEPTH_BUFFER, 0, STATE_HIER_DEPTH_BUFFER_GEN6, 0, 0, 0},
    {STATE_CLEAR_PARAMS, 0, STATE_CLEAR_PARAMS_GEN6, 0, 0, 0},
    {STATE_STENCIL_BUFFER, BUFFER_STENCIL_BUFFER_ENABLE, STATE_DEPTH_BUFFER_GEN6,
     BUFFER_SEPARATE_STENCIL_BUFFER_ENABLE, 0, 0},
    {STATE_STENCIL_BUFFER, 0, STATE_STENCIL_BUFFER_GEN6, 0, 0, 0},
    {0, 0, 0, 0, 0, 0},
};

const struct state_location gen7_state_locations[] = {
    {STATE_WM_DEPTH_STENCIL, 0, STATE_DEPTH_STENCIL_STATE_POINTERS, DEPTH_POINTER_TO_DEPTH_STENCIL_STATE,
     DEPTH_STENCIL_STATE, 0},
    {STATE_PS_BLEND, BLEND_ALPHA_TO_COVERAGE_ENABLE, STATE_BLEND_STATE_POINTERS, BLEND_STATE_POINTER,
     BLEND_STATE, TARGET_ALPHATOCOVERAGE_ENABLE},
    {STATE_MULTISAMPLE, 0, STATE_MULTISAMPLE_GEN6, 0, 0, 0},
    {0, 0, 0, 0, 0, 0},
};

static const struct state_location *state_location_find(const struct engine *e, uint32_t header,
                                                        unsigned role)
{
    const struct state_location *p = e->info->draws.state_locations;
    while (p && p->header && !(p->header == header && (!p->role || p->role == role)))
        p++;
    return p && p->header ? p : NULL;
}

/* Reads a field of a structure in memory. Unmapped memory reads as zeros. */
static uint64_t structure_field_read(const struct engine *e, const struct state_location *p, unsigned role)
{
    enum { MOST_DW = 16 };
    const struct command_set *const set = e->commands.structures;
    const struct command *row;
    uint32_t dw[MOST_DW] = {0}, length_dw;
    if (!set || !state_command(e, p->at_header, &row, &length_dw))
        return 0;
    row = set->rows[structure_find(set, (enum structure)p->structure)];
    if (row->min_dwords > MOST_DW)
        return 0;
    load_or_zero(
        (struct engine *)(uintptr_t)e,
        pipeline_field(&e->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS, 0) +
            state_field_at_location(e, p->at_header, p->at_role),
        dw, row->min_dwords * sizeof *dw);
    for (unsigned i = 0; i < row->group_count; i++)
        if (row->group[i].role == role)
            return field_get(&row->group[i], dw + row->group_dw, row->group_size_dw);
    return role < row->role_count ? field_read(&row->places[role], dw, row->min_dwords) : 0;
}

uint64_t state_field_at_location(const struct engine *e, uint32_t header, unsigned role)
{
    const struct state_location *const p = state_location_find(e, header, role);
    const struct row_alias *const a = p ? NULL : command_alias(e->commands.set, header, role);
    if (a) {
        const struct pipeline_slot *const slot = &e->pipeline.slots[a->number];
        return slot->capacity_dw
                   ? field_read(&a->row.places[role], e->pipeline.dw + slot->first_dw, slot->capacity_dw)
                   : 0;
    }
    if (!p)
        return pipeline_field(&e->pipeline, header, role, 0);
    return p->structure ? structure_field_read(e, p, p->structure_role ? p->structure_role : role)
                        : pipeline_field(&e->pipeline, p->at_header, p->role ? p->at_role : role, 0);
}

/* The row that holds the command's fields, also if it is part of a larger command. */
const uint32_t *state_command(const struct engine *e, uint32_t header, const struct command **row,
                              uint32_t *length_dw)
{
    const struct state_location *p = NULL;
    for (const struct state_location *i = e->info->draws.state_locations; i && i->header; i++)
        if (i->header == header && (!p || !i->role)) /* the row for all roles, if there is one */
            p = i;
    const struct row_alias *a = NULL;
    for (uint32_t i = 0; e->info->draws.state_locations && i < e->commands.set->store.alias_count && !a; i++)
        a = e->commands.set->store.aliases[i].of == header ? &e->commands.set->store.aliases[i] : NULL;
    const uint32_t *const dw = pipeline_command(&e->pipeline,
                                                a   ? a->row.match
                                                : p ? p->at_header
                                                    : header,
                                                row, length_dw);
    if (a && dw)
        *row = &a->row;
    return dw;
}

void load_or_zero(struct engine *e, uint64_t at, void *to, size_t size_bytes)
{
    uint8_t *bytes = to;
    while (size_bytes) {
        struct translation t;
        const uint64_t address = mmu_address(&e->mmu, SPACE_PPGTT, at),
                       left = PAGE_BYTES - address % PAGE_BYTES;
        const size_t part = left < size_bytes ? left : size_bytes;
        memset(bytes, 0, part);
        if (mmu_cached(&e->mmu, SPACE_PPGTT, address, part, false) ||
            mmu_translate_by(&e->mmu, &e->mmu.walker, SPACE_PPGTT, address, &t))
            engine_load_into(e, SPACE_PPGTT, address, bytes, part);
        at += part;
        bytes += part;
        size_bytes -= part;
    }
}
