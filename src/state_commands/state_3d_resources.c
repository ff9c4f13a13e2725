/* 3D state: constants, binding tables and samplers: state is kept, work is counted. Field names and places as
 * the public manuals of each generation give them. (CSP-08) */
#include "dispatcher/dispatcher.h"
#include "geometry/draw.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "state_commands/state_commands.h"

static const struct field_value binding_table_edit_target[] = {
    {"All Cores", 3}, {"Core 1", 2}, {"Core 0", 1}, {NULL, 0}};
static const struct field f_3dstate_binding_table_edit[] = {
    {"Binding Table Edit Target", 32, 33, FIELD_UINT, binding_table_edit_target},
    {"Binding Table Block Clear", 48, 63, FIELD_UINT},
};
static const struct field f_3dstate_binding_table_edit_group[] = {
    {"Entry [n] Surface State Pointer", 0, 15, FIELD_OFFSET},
    {"Entry [n] Binding Table Index", 16, 23, FIELD_UINT},
};
static const struct field f_3dstate_binding_table_pointers[] = {
    {"VS Binding Table Change", 8, 8, FIELD_BOOL},
    {"GS Binding Table Change", 9, 9, FIELD_BOOL},
    {"PS Binding Table Change", 12, 12, FIELD_BOOL},
    {"Pointer to VS Binding Table", 37, 63, FIELD_OFFSET, .base = BASE_BINDING_TABLES,
     .target = BINDING_TABLE_STATE, ROLE_OF(STATE_BINDING_TABLE_POINTERS_VS, STAGE_POINTER_TO_BINDING_TABLE)},
    {"Pointer to GS Binding Table", 69, 95, FIELD_OFFSET, .base = BASE_BINDING_TABLES,
     .target = BINDING_TABLE_STATE, ROLE_OF(STATE_BINDING_TABLE_POINTERS_GS, STAGE_POINTER_TO_BINDING_TABLE)},
    {"Pointer to PS Binding Table", 101, 127, FIELD_OFFSET, .base = BASE_BINDING_TABLES,
     .target = BINDING_TABLE_STATE, ROLE_OF(STATE_BINDING_TABLE_POINTERS_PS, STAGE_POINTER_TO_BINDING_TABLE)},
};
#define BINDING_TABLE_POINTER(stage)                                                                         \
    {"Pointer to " stage " Binding Table",                                                                   \
     37,                                                                                                     \
     47,                                                                                                     \
     FIELD_OFFSET,                                                                                           \
     .base = BASE_BINDING_TABLES,                                                                            \
     .target = BINDING_TABLE_STATE,                                                                          \
     .until = GEN12,                                                                                         \
     ROLE(STAGE_POINTER_TO_BINDING_TABLE)},                                                                  \
    {                                                                                                        \
        "Pointer to " stage " Binding Table", 37, 52, FIELD_OFFSET,                                          \
            .base = BASE_BINDING_TABLES, .target = BINDING_TABLE_STATE, .since = GEN125,                     \
            ROLE(STAGE_POINTER_TO_BINDING_TABLE)                                                             \
    }
static const struct field f_3dstate_binding_table_pointers_ds[] = {BINDING_TABLE_POINTER("DS")};
static const struct field f_3dstate_binding_table_pointers_gs[] = {BINDING_TABLE_POINTER("GS")};
static const struct field f_3dstate_binding_table_pointers_hs[] = {BINDING_TABLE_POINTER("HS")};
static const struct field f_3dstate_binding_table_pointers_ps[] = {BINDING_TABLE_POINTER("PS")};
static const struct field f_3dstate_binding_table_pointers_vs[] = {BINDING_TABLE_POINTER("VS")};
static const struct field_value binding_table_pool_buffer_size[] = {{"No Valid Data", 0}, {NULL, 0}};
static const struct field f_3dstate_binding_table_pool_alloc[] = {
    {"MOCS", 32, 38, FIELD_UINT, .since = GEN8},
    {"MOCS", 39, 42, FIELD_UINT, .until = GEN75},
    {"Binding Table Pool Enable", 43, 43, FIELD_BOOL, .until = GEN12, ROLE(POOL_BINDING_TABLE_POOL_ENABLE)},
    {"Binding Table Pool Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75,
     ROLE(POOL_BINDING_TABLE_POOL_BASE_ADDRESS)},
    {"Binding Table Pool Base Address", 44, 95, FIELD_ADDRESS, .since = GEN8,
     ROLE(POOL_BINDING_TABLE_POOL_BASE_ADDRESS)},
    {"Binding Table Pool Upper Bound", 76, 95, FIELD_ADDRESS, .until = GEN75},
    {"Binding Table Pool Buffer Size", 108, 127, FIELD_UINT, binding_table_pool_buffer_size, .since = GEN8},
};
static const struct field f_3dstate_chroma_key[] = {
    {"ChromaKey Table Index", 62, 63, FIELD_UINT},
    {"ChromaKey Low Value", 64, 95, FIELD_HEX},
    {"ChromaKey High Value", 96, 127, FIELD_HEX},
};
static const struct field f_3dstate_constant_all[] = {
    {"Vertex Shader Update Enable", 8, 8, FIELD_BOOL},
    {"Hull Shader Update Enable", 9, 9, FIELD_BOOL},
    {"Domain Shader Update Enable", 10, 10, FIELD_BOOL},
    {"Geometry Shader Update Enable", 11, 11, FIELD_BOOL},
    {"Pixel Shader Update Enable", 12, 12, FIELD_BOOL},
    {"MOCS", 32, 38, FIELD_UINT},
    {"Pointer Buffer Mask", 48, 51, FIELD_UINT},
    {"Update Mode", 63, 63, FIELD_BOOL},
};
static const struct field f_3dstate_constant_all_group[] = {
    {"Constant Buffer Read Length", 0, 4, FIELD_UINT},
    {"Pointer To Constant Buffer", 5, 63, FIELD_ADDRESS},
};
/* On Gen6 each buffer's pointer has its length below; from Gen7 on lengths come first. */
#define GEN6_CONSTANT_FIELDS                                                                                 \
    {"MOCS", 8, 11, FIELD_UINT, .until = GEN6},                                                              \
        {"Buffer # Valid", 12,         12,          FIELD_BOOL,                                              \
         .until = GEN6,    .count = 4, .stride = 1, ROLE(CONSTANT_BUFFER_VALID)},                            \
        {"Constant Buffer 0 Read Length",    32, 36, FIELD_UINT, .until = GEN6,                              \
         ROLE(CONSTANT_BUFFER_0_READ_LENGTH)},                                                               \
        {"Pointer to Constant Buffer 0", 37, 63, FIELD_OFFSET, .base = BASE_CONSTANTS, .until = GEN6},       \
        {"Constant Buffer 1 Read Length", 64, 68, FIELD_UINT, .until = GEN6},                                \
        {"Pointer to Constant Buffer 1", 69, 95, FIELD_ADDRESS, .until = GEN6},                              \
        {"Constant Buffer 2 Read Length", 96, 100, FIELD_UINT, .until = GEN6},                               \
        {"Pointer to Constant Buffer 2", 101, 127, FIELD_ADDRESS, .until = GEN6},                            \
        {"Constant Buffer 3 Read Length", 128, 132, FIELD_UINT, .until = GEN6},                              \
    {                                                                                                        \
        "Pointer to Constant Buffer 3", 133, 159, FIELD_ADDRESS, .until = GEN6                               \
    }
#define CONSTANT_FIELDS                                                                                      \
    {"Read Length[#]",                                                                                       \
     32,                                                                                                     \
     47,                                                                                                     \
     FIELD_UINT,                                                                                             \
     .count = 4,                                                                                             \
     .stride = 16,                                                                                           \
     .since = GEN7,                                                                                          \
     ROLE(CONSTANT_BUFFER_0_READ_LENGTH)},                                                                   \
        {"MOCS", 96, 100, FIELD_UINT, .since = GEN7, .until = GEN75},                                        \
        {"Buffer[0]",                                                                                        \
         101,                                                                                                \
         127,                                                                                                \
         FIELD_ADDRESS,                                                                                      \
         .base = BASE_CONSTANTS,                                                                             \
         .since = GEN7,                                                                                      \
         .until = GEN75,                                                                                     \
         ROLE(CONSTANT_BUFFER_0)},                                                                           \
        {"Buffer[0]",                                                                                        \
         101,                                                                                                \
         159,                                                                                                \
         FIELD_ADDRESS,                                                                                      \
         .base = BASE_CONSTANTS,                                                                             \
         .since = GEN8,                                                                                      \
         ROLE(CONSTANT_BUFFER_0)},                                                                           \
        {"Buffer[1]", 133, 159, FIELD_ADDRESS, .since = GEN7, .until = GEN75, ROLE(CONSTANT_BUFFER_1)},      \
        {"Buffer[1]", 165, 223, FIELD_ADDRESS, .since = GEN8, ROLE(CONSTANT_BUFFER_1)},                      \
        {"Buffer[2]", 165, 191, FIELD_ADDRESS, .since = GEN7, .until = GEN75, ROLE(CONSTANT_BUFFER_2)},      \
        {"Buffer[2]", 229, 287, FIELD_ADDRESS, .since = GEN8, ROLE(CONSTANT_BUFFER_2)},                      \
        {"Buffer[3]", 197, 223, FIELD_ADDRESS, .since = GEN7, .until = GEN75, ROLE(CONSTANT_BUFFER_3)},      \
    {                                                                                                        \
        "Buffer[3]", 293, 351, FIELD_ADDRESS, .since = GEN8, ROLE(CONSTANT_BUFFER_3)                         \
    }
static const struct field f_3dstate_constant[] = {
    GEN6_CONSTANT_FIELDS,
    {"MOCS", 8, 14, FIELD_UINT, .since = GEN8},
    CONSTANT_FIELDS,
};
static const struct field f_3dstate_constant_ps[] = {
    GEN6_CONSTANT_FIELDS,
    {"MOCS", 8, 14, FIELD_UINT, .since = GEN8},
    {"Disable Gather at Set Shader Hint", 15, 15, FIELD_UINT, .since = GEN11},
    CONSTANT_FIELDS,
};
static const struct field_value update_gather_table_only[] = {
    {"Commit Gather", 0}, {"Non-Commit Gather", 1}, {NULL, 0}};
static const struct field_value on_die_table[] = {{"Load", 0}, {"Read", 1}, {NULL, 0}};
#define GATHER_CONSTANT_FIELDS                                                                               \
    {"Update Gather Table Only", 33, 33, FIELD_UINT, update_gather_table_only, .since = GEN9},               \
        {"Constant Buffer Binding Table Block", 44, 47, FIELD_UINT},                                         \
        {"Constant Buffer Valid", 48, 63, FIELD_UINT},                                                       \
    {                                                                                                        \
        "On-Die Table", 67, 67, FIELD_UINT, on_die_table, .since = GEN9                                      \
    }
#define GATHER_BUFFER_FIELDS                                                                                 \
    {"Constant Buffer Dx9 Generate Stall", 69, 69, FIELD_BOOL, .since = GEN8},                               \
    {                                                                                                        \
        "Gather Buffer Offset", 70, 86, FIELD_OFFSET                                                         \
    }
static const struct field f_3dstate_gather_constant_ds_gs_hs[] = {GATHER_CONSTANT_FIELDS,
                                                                  GATHER_BUFFER_FIELDS};
static const struct field f_3dstate_gather_constant_ps_vs[] = {
    {"DX9 On-Die Register Read Enable", 32, 32, FIELD_BOOL, .since = GEN9},
    GATHER_CONSTANT_FIELDS,
    {"Constant Buffer Dx9 Enable", 68, 68, FIELD_BOOL},
    GATHER_BUFFER_FIELDS,
};
static const struct field f_3dstate_gather_constant_group[] = {
    {"Entry_# Binding Table Index Offset", 0, 3, FIELD_UINT, .count = 2, .stride = 16},
    {"Entry_# Channel Mask", 4, 7, FIELD_UINT, .count = 2, .stride = 16},
    {"Entry_# Constant Buffer Offset", 8, 15, FIELD_OFFSET, .count = 2, .stride = 16},
};
static const struct field f_3dstate_gather_pool_alloc[] = {
    {"MOCS", 32, 35, FIELD_UINT, .until = GEN75},
    {"MOCS", 32, 38, FIELD_UINT, .since = GEN8},
    {"mbo", 36, 37, FIELD_UINT, .until = GEN75},
    {"Gather Pool Enable", 43, 43, FIELD_BOOL},
    {"Gather Pool Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75},
    {"Gather Pool Base Address", 44, 95, FIELD_ADDRESS, .since = GEN8},
    {"Gather Pool Upper Bound", 76, 95, FIELD_ADDRESS, .until = GEN75},
    {"Gather Pool Buffer Size", 108, 127, FIELD_HEX, .since = GEN8},
};
static const struct field_value constant_buffer_size[] = {{"0KB", 0}, {NULL, 0}};
static const struct field f_3dstate_push_constant_alloc[] = {
    {"Constant Buffer Size", 32, 36, FIELD_UINT, constant_buffer_size, .until = GEN7},
    {"Constant Buffer Size", 32, 37, FIELD_UINT, .since = GEN75},
    {"Constant Buffer Offset", 48, 51, FIELD_UINT, constant_buffer_size, .until = GEN7},
    {"Constant Buffer Offset", 48, 52, FIELD_UINT, .since = GEN75},
};
static const struct field_value operation_load_or_store[] = {{"Store", 0}, {"Load", 1}, {NULL, 0}};
static const struct field_value shader_select[] = {{"VS", 0}, {"PS", 4}, {NULL, 0}};
static const struct field f_3dstate_rs_constant_pointer[] = {
    {"Operation Load or Store", 44, 44, FIELD_UINT, operation_load_or_store},
    {"Shader Select", 60, 62, FIELD_UINT, shader_select},
    {"Global Constant Buffer Address", 70, 95, FIELD_ADDRESS},
    {"Global Constant Buffer Address High", 96, 127, FIELD_ADDRESS},
};
static const struct field f_3dstate_sampler_palette_load0_group[] = {
    {"Entry Blue", 0, 7, FIELD_UINT},
    {"Entry Green", 8, 15, FIELD_UINT},
    {"Entry Red", 16, 23, FIELD_UINT},
    {"Entry Alpha", 24, 31, FIELD_UINT},
};
static const struct field f_3dstate_sampler_palette_load1_group[] = {
    {"Palette Blue[0:N-1]", 0, 7, FIELD_UINT},
    {"Palette Green[0:N-1]", 8, 15, FIELD_UINT},
    {"Palette Red[0:N-1]", 16, 23, FIELD_UINT},
    {"Palette Alpha[0:N-1]", 24, 31, FIELD_UINT},
};
static const struct field f_3dstate_sampler_state_pointers[] = {
    {"VS Sampler State Change", 8, 8, FIELD_UINT},
    {"GS Sampler State Change", 9, 9, FIELD_UINT},
    {"PS Sampler State Change", 12, 12, FIELD_UINT},
    {"Pointer to VS Sampler State", 37, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_STATE,
     ROLE_OF(STATE_SAMPLER_STATE_POINTERS_VS, STAGE_POINTER_TO_SAMPLER_STATE)},
    {"Pointer to GS Sampler State", 69, 95, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_STATE,
     ROLE_OF(STATE_SAMPLER_STATE_POINTERS_GS, STAGE_POINTER_TO_SAMPLER_STATE)},
    {"Pointer to PS Sampler State", 101, 127, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_STATE,
     ROLE_OF(STATE_SAMPLER_STATE_POINTERS_PS, STAGE_POINTER_TO_SAMPLER_STATE)},
};
#define SAMPLER_STATE_POINTER(stage)                                                                         \
    {                                                                                                        \
        "Pointer to " stage " Sampler State", 37, 63, FIELD_OFFSET,                                          \
            .base = BASE_DYNAMIC, .target = SAMPLER_STATE, ROLE(STAGE_POINTER_TO_SAMPLER_STATE)              \
    }
static const struct field f_3dstate_sampler_state_pointers_ds[] = {SAMPLER_STATE_POINTER("DS")};
static const struct field f_3dstate_sampler_state_pointers_gs[] = {SAMPLER_STATE_POINTER("GS")};
static const struct field f_3dstate_sampler_state_pointers_hs[] = {SAMPLER_STATE_POINTER("HS")};
static const struct field f_3dstate_sampler_state_pointers_ps[] = {SAMPLER_STATE_POINTER("PS")};
static const struct field f_3dstate_sampler_state_pointers_vs[] = {SAMPLER_STATE_POINTER("VS")};
static const struct field f_3dstate_viewport_state_pointers_cc[] = {
    {"CC Viewport Pointer", 37, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = CC_VIEWPORT,
     ROLE(DEPTH_RANGE_CC_VIEWPORT_POINTER)},
};
static const struct field f_3dstate_viewport_state_pointers_sf_clip[] = {
    {"SF Clip Viewport Pointer", 38, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SF_CLIP_VIEWPORT,
     ROLE(VIEWPORT_SF_CLIP_VIEWPORT_POINTER)},
};

/* Becomes the constants command of each stage that it names; buffers that it leaves out are empty. */
static enum outcome constant_all(struct execution *x)
{
    enum { STAGES = 5, STAGES_AT = 8, MASK_AT = 16, ENTRIES = 2, ENTRY_DW = 2, LENGTH_DW = 11 };
    enum { LENGTHS = 1, BUFFERS = 3, LENGTH_MASK = 31 };
    static const uint32_t headers[STAGES] = {STATE_CONSTANT_VS, STATE_CONSTANT_HS, STATE_CONSTANT_DS,
                                             STATE_CONSTANT_GS, STATE_CONSTANT_PS};
    struct pipeline_state *const p = &x->engine->pipeline;
    const uint32_t mask = x->dw[1] >> MASK_AT;
    uint32_t dw[LENGTH_DW] = {0}, entry = ENTRIES;
    for (unsigned n = 0; n < CONSTANT_BUFFERS; n++) {
        if (!(mask >> n & 1u) || entry + ENTRY_DW > x->length_dw)
            continue;
        dw[LENGTHS + n / 2u] |= (x->dw[entry] & LENGTH_MASK) << n % 2u * 16u;
        dw[BUFFERS + n * 2u] = x->dw[entry] & ~(uint32_t)LENGTH_MASK;
        dw[BUFFERS + n * 2u + 1u] = x->dw[entry + 1u];
        entry += ENTRY_DW;
    }
    for (unsigned stage = 0; stage < STAGES; stage++) {
        const uint32_t header = headers[stage] | (LENGTH_DW - 2u);
        if (x->header >> (STAGES_AT + stage) & 1u)
            pipeline_merge(p, command_find(p->set, p->class, header), header, dw, LENGTH_DW);
    }
    return OUTCOME_DONE;
}

static const struct command rows[] = {
    {.name = "3DSTATE_BINDING_TABLE_EDIT_DS",
     .summary = "Edits binding table entries of the domain shader.",
     HEADER(STATE_BINDING_TABLE_EDIT_DS),
     .engines = RENDER,
     .since = GEN75,
     .length_bits = 9,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_binding_table_edit),
     GROUP(f_3dstate_binding_table_edit_group, 2, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_GS",
     .summary = "Edits binding table entries of the geometry shader.",
     HEADER(STATE_BINDING_TABLE_EDIT_GS),
     .engines = RENDER,
     .since = GEN75,
     .length_bits = 9,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_binding_table_edit),
     GROUP(f_3dstate_binding_table_edit_group, 2, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_HS",
     .summary = "Edits binding table entries of the hull shader.",
     HEADER(STATE_BINDING_TABLE_EDIT_HS),
     .engines = RENDER,
     .since = GEN75,
     .length_bits = 9,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_binding_table_edit),
     GROUP(f_3dstate_binding_table_edit_group, 2, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_PS",
     .summary = "Edits binding table entries of the pixel shader.",
     HEADER(STATE_BINDING_TABLE_EDIT_PS),
     .engines = RENDER,
     .since = GEN75,
     .length_bits = 9,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_binding_table_edit),
     GROUP(f_3dstate_binding_table_edit_group, 2, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_VS",
     .summary = "Edits binding table entries of the vertex shader.",
     HEADER(STATE_BINDING_TABLE_EDIT_VS),
     .engines = RENDER,
     .since = GEN75,
     .length_bits = 9,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_binding_table_edit),
     GROUP(f_3dstate_binding_table_edit_group, 2, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS",
     .summary = "Binding tables of the stages.",
     STATE_3D_WITH(STATE_BINDING_TABLE_POINTERS, COMMAND_INDIRECT_STATE),
     .since = GEN6,
     .until = GEN6,
     .min_dwords = 4,
     FIELDS(f_3dstate_binding_table_pointers),
     BY_CHANGES(8, 9, 12),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_DS",
     .summary = "Binding table of the domain shader.",
     STATE_3D(STATE_BINDING_TABLE_POINTERS_DS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_binding_table_pointers_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_GS",
     .summary = "Binding table of the geometry shader.",
     STATE_3D(STATE_BINDING_TABLE_POINTERS_GS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_binding_table_pointers_gs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_HS",
     .summary = "Binding table of the hull shader.",
     STATE_3D(STATE_BINDING_TABLE_POINTERS_HS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_binding_table_pointers_hs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_PS",
     .summary = "Binding table of the pixel shader.",
     STATE_3D(STATE_BINDING_TABLE_POINTERS_PS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_binding_table_pointers_ps),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_VS",
     .summary = "Binding table of the vertex shader.",
     STATE_3D(STATE_BINDING_TABLE_POINTERS_VS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_binding_table_pointers_vs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POOL_ALLOC",
     .summary = "Memory that the resource streamer makes binding tables in.",
     STATE_3D_WITH(STATE_BINDING_TABLE_POOL_ALLOC, COMMAND_ARBITRATES_MEDIA),
     .since = GEN75,
     .min_dwords = 3,
     FIELDS(f_3dstate_binding_table_pool_alloc),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_CHROMA_KEY",
     .summary = "A range of texel colours to be keyed out.",
     STATE_3D_WITH(STATE_CHROMA_KEY, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 4,
     FIELDS(f_3dstate_chroma_key),
     BY_INDEX(62, 63),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_ALL",
     .summary = "Push constant buffers of several stages at once.",
     HEADER(STATE_CONSTANT_ALL),
     .engines = RENDER,
     .since = GEN12,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_constant_all),
     GROUP(f_3dstate_constant_all_group, 2, 2),
     .execute = constant_all,
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_DS",
     .summary = "Push constant buffers of the domain shader.",
     STATE_3D(STATE_CONSTANT_DS),
     .since = GEN7,
     .min_dwords = 7,
     FIELDS(f_3dstate_constant),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 11, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_GS",
     .summary = "Push constant buffers of the geometry shader.",
     STATE_3D(STATE_CONSTANT_GS),
     .since = GEN6,
     .min_dwords = 5,
     FIELDS(f_3dstate_constant),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 11, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_HS",
     .summary = "Push constant buffers of the hull shader.",
     STATE_3D(STATE_CONSTANT_HS),
     .since = GEN7,
     .min_dwords = 7,
     FIELDS(f_3dstate_constant),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 11, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_PS",
     .summary = "Push constant buffers of the pixel shader.",
     STATE_3D(STATE_CONSTANT_PS),
     .since = GEN6,
     .min_dwords = 5,
     FIELDS(f_3dstate_constant_ps),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 11, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_VS",
     .summary = "Push constant buffers of the vertex shader.",
     STATE_3D(STATE_CONSTANT_VS),
     .since = GEN6,
     .min_dwords = 5,
     FIELDS(f_3dstate_constant),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 11, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC",
     .summary = "Memory of constant buffers the resource streamer fills.",
     STATE_3D_WITH(STATE_DX9_CONSTANT_BUFFER_POOL_ALLOC, COMMAND_ARBITRATES_MEDIA),
     .since = GEN75,
     .until = GEN11,
     .min_dwords = 4,
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_DS",
     .summary = "Constants gathered of the domain shader.",
     STATE_3D(STATE_GATHER_CONSTANT_DS),
     .since = GEN75,
     .min_dwords = 3,
     FIELDS(f_3dstate_gather_constant_ds_gs_hs),
     GROUP(f_3dstate_gather_constant_group, 3, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_GS",
     .summary = "Constants gathered of the geometry shader.",
     STATE_3D(STATE_GATHER_CONSTANT_GS),
     .since = GEN75,
     .min_dwords = 3,
     FIELDS(f_3dstate_gather_constant_ds_gs_hs),
     GROUP(f_3dstate_gather_constant_group, 3, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_HS",
     .summary = "Constants gathered of the hull shader.",
     STATE_3D(STATE_GATHER_CONSTANT_HS),
     .since = GEN75,
     .min_dwords = 3,
     FIELDS(f_3dstate_gather_constant_ds_gs_hs),
     GROUP(f_3dstate_gather_constant_group, 3, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_PS",
     .summary = "Constants gathered of the pixel shader.",
     STATE_3D(STATE_GATHER_CONSTANT_PS),
     .since = GEN75,
     .min_dwords = 3,
     FIELDS(f_3dstate_gather_constant_ps_vs),
     GROUP(f_3dstate_gather_constant_group, 3, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_VS",
     .summary = "Constants gathered of the vertex shader.",
     STATE_3D(STATE_GATHER_CONSTANT_VS),
     .since = GEN75,
     .min_dwords = 3,
     FIELDS(f_3dstate_gather_constant_ps_vs),
     GROUP(f_3dstate_gather_constant_group, 3, 1),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_POOL_ALLOC",
     .summary = "Memory that gathered constants go to.",
     STATE_3D_WITH(STATE_GATHER_POOL_ALLOC, COMMAND_ARBITRATES_MEDIA),
     .since = GEN75,
     .min_dwords = 3,
     FIELDS(f_3dstate_gather_pool_alloc),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_DS",
     .summary = "URB space for push constants of the domain shader.",
     STATE_3D_WITH(STATE_PUSH_CONSTANT_ALLOC_DS, COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_push_constant_alloc),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_GS",
     .summary = "URB space for push constants of the geometry shader.",
     STATE_3D_WITH(STATE_PUSH_CONSTANT_ALLOC_GS, COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_push_constant_alloc),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_HS",
     .summary = "URB space for push constants of the hull shader.",
     STATE_3D_WITH(STATE_PUSH_CONSTANT_ALLOC_HS, COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_push_constant_alloc),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_PS",
     .summary = "URB space for push constants of the pixel shader.",
     STATE_3D_WITH(STATE_PUSH_CONSTANT_ALLOC_PS, COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_push_constant_alloc),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_VS",
     .summary = "URB space for push constants of the vertex shader.",
     STATE_3D_WITH(STATE_PUSH_CONSTANT_ALLOC_VS, COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_push_constant_alloc),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_RS_CONSTANT_POINTER",
     .summary = "Constants the resource streamer manages.",
     STATE_3D(STATE_RS_CONSTANT_POINTER),
     .since = GEN9,
     .min_dwords = 4,
     FIELDS(f_3dstate_rs_constant_pointer),
     .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_PALETTE_LOAD0",
     .summary = "Loads texture palette 0.",
     HEADER(STATE_SAMPLER_PALETTE_LOAD0),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     .disabled_by = DISABLED_TEXTURE_PALETTES,
     GROUP(f_3dstate_sampler_palette_load0_group, 1, 1),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_PALETTE_LOAD1",
     .summary = "Loads texture palette 1.",
     HEADER(STATE_SAMPLER_PALETTE_LOAD1),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     .disabled_by = DISABLED_TEXTURE_PALETTES,
     GROUP(f_3dstate_sampler_palette_load1_group, 1, 1),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS",
     .summary = "Sampler states of the stages.",
     STATE_3D_WITH(STATE_SAMPLER_STATE_POINTERS, COMMAND_INDIRECT_STATE),
     .since = GEN6,
     .until = GEN6,
     .min_dwords = 4,
     FIELDS(f_3dstate_sampler_state_pointers),
     BY_CHANGES(8, 9, 12),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_DS",
     .summary = "Sampler states of the domain shader.",
     STATE_3D(STATE_SAMPLER_STATE_POINTERS_DS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_sampler_state_pointers_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_GS",
     .summary = "Sampler states of the geometry shader.",
     STATE_3D(STATE_SAMPLER_STATE_POINTERS_GS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_sampler_state_pointers_gs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_HS",
     .summary = "Sampler states of the hull shader.",
     STATE_3D(STATE_SAMPLER_STATE_POINTERS_HS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_sampler_state_pointers_hs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_PS",
     .summary = "Sampler states of the pixel shader.",
     STATE_3D(STATE_SAMPLER_STATE_POINTERS_PS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_sampler_state_pointers_ps),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_VS",
     .summary = "Sampler states of the vertex shader.",
     STATE_3D(STATE_SAMPLER_STATE_POINTERS_VS),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_sampler_state_pointers_vs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_VIEWPORT_STATE_POINTERS_CC",
     .summary = "Where the depth ranges of viewports are.",
     STATE_3D(STATE_VIEWPORT_STATE_POINTERS_CC),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_viewport_state_pointers_cc),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP",
     .summary = "Where the viewports are.",
     STATE_3D(STATE_VIEWPORT_STATE_POINTERS_SF_CLIP),
     .since = GEN7,
     .min_dwords = 2,
     FIELDS(f_3dstate_viewport_state_pointers_sf_clip),
     .spec = "CSP-08, IVB PRM vol 2a"},
};

const struct command_table state_3d_resources_commands = COMMAND_TABLE(rows);
