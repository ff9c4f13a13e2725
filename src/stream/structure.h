/*
 * Structures in memory that commands point to. A structure is a row like a command's, without a header;
 * `min_dwords` is its length. A pointer field names the structure it points to (`target`) and the base
 * address it is an offset from (`base`). Structures are decoded, not executed.
 */
#ifndef STREAM_STRUCTURE_H
#define STREAM_STRUCTURE_H

#include "stream/index.h"

enum structure {
    STRUCTURE_NONE,
    BINDING_TABLE_STATE,
    RENDER_SURFACE_STATE,
    SAMPLER_STATE,
    SAMPLER_BORDER_COLOR_STATE,
    INTERFACE_DESCRIPTOR_DATA,
    CLIP_VIEWPORT,
    SF_VIEWPORT,
    SF_CLIP_VIEWPORT,
    CC_VIEWPORT,
    SCISSOR_RECT,
    CPS_STATE,
    BLEND_STATE,
    COLOR_CALC_STATE,
    DEPTH_STENCIL_STATE,
    VERTEX_BUFFER_STATE,
    VERTEX_ELEMENT_STATE,
    OA_REPORT_0, /* by counter select */
    OA_REPORT_1,
    OA_REPORT_2,
    OA_REPORT_3,
    OA_REPORT_4,
    OA_REPORT_5,
    OA_REPORT_6,
    OA_REPORT_7,
    OAG_REPORT_1, /* Gen12.5: by unit and counter select; OAR's 5 is OA_REPORT_5 */
    OAG_REPORT_5,
    OAR_REPORT_1,
    OAC_REPORT_1,
    OAC_REPORT_2,
    OAM_REPORT_1,
    OAM_REPORT_5,
    STRUCTURES
};

#define STRUCTURE(id) .name = #id, .match = (id), .mask = UINT32_MAX

/* Roles of fields that say how many structures a pointer points to. */
enum count {
    COUNT_NOTHING,
    COUNT_BINDING_TABLE_ENTRY_COUNT, /* entries of the binding table */
    COUNT_SAMPLER_COUNT,             /* samplers, in units of four */
    COUNT_MAXIMUM_VP_INDEX,          /* the highest number of a viewport */
    COUNT_INTERFACE_DESCRIPTOR_TOTAL_LENGTH,
    COUNT_ROLES /* the roles of a row begin here */
};

/* The structures of a generation, without an index. False when out of memory. */
bool structure_set_create(struct command_set *set, const struct command_table *const *tables,
                          enum generation generation);

/* The number of its row; 0: the generation has no such structure. */
uint16_t structure_find(const struct command_set *set, enum structure structure);

#endif
