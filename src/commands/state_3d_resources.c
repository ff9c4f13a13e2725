/* 3D state: constants, binding tables and samplers: state is kept, work is counted. Field names and places as
 * the public manuals of each generation give them. (CSP-08) */
#include "stream/command.h"

#include "commands/tables.h"

/* clang-format off */
static const struct field_value f_binding_table_edit_ds_binding_table_edit_target[] = {
    {"All Cores", 3}, {"Core 1", 2}, {"Core 0", 1}, {NULL, 0},
};
static const struct field f_binding_table_edit_ds[] = {
    {"Binding Table Edit Target", 32, 33, FIELD_UINT, f_binding_table_edit_ds_binding_table_edit_target},
    {"Binding Table Block Clear", 48, 63, FIELD_UINT, NULL},
};
static const struct field f_binding_table_edit_ds_group[] = {
    {"Entry [n] Surface State Pointer", 0, 15, FIELD_OFFSET, NULL},
    {"Entry [n] Binding Table Index", 16, 23, FIELD_UINT, NULL},
};
static const struct field f_binding_table_pointers[] = {
    {"VS Binding Table Change", 8, 8, FIELD_BOOL, NULL}, {"GS Binding Table Change", 9, 9, FIELD_BOOL, NULL},
    {"PS Binding Table Change", 12, 12, FIELD_BOOL, NULL},
    {"Pointer to VS Binding Table", 37, 63, FIELD_OFFSET, NULL},
    {"Pointer to GS Binding Table", 69, 95, FIELD_OFFSET, NULL},
    {"Pointer to PS Binding Table", 101, 127, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_ds[] = {
    {"Pointer to DS Binding Table", 37, 47, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_ds_2[] = {
    {"Pointer to DS Binding Table", 37, 52, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_gs[] = {
    {"Pointer to GS Binding Table", 37, 47, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_gs_2[] = {
    {"Pointer to GS Binding Table", 37, 52, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_hs[] = {
    {"Pointer to HS Binding Table", 37, 47, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_hs_2[] = {
    {"Pointer to HS Binding Table", 37, 52, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_ps[] = {
    {"Pointer to PS Binding Table", 37, 47, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_ps_2[] = {
    {"Pointer to PS Binding Table", 37, 52, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_vs[] = {
    {"Pointer to VS Binding Table", 37, 47, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pointers_vs_2[] = {
    {"Pointer to VS Binding Table", 37, 52, FIELD_OFFSET, NULL},
};
static const struct field f_binding_table_pool_alloc[] = {
    {"MOCS", 39, 42, FIELD_UINT, NULL}, {"Binding Table Pool Enable", 43, 43, FIELD_BOOL, NULL},
    {"Binding Table Pool Base Address", 44, 63, FIELD_ADDRESS, NULL},
    {"Binding Table Pool Upper Bound", 76, 95, FIELD_ADDRESS, NULL},
};
static const struct field_value f_binding_table_pool_alloc_binding_table_pool_buffer_size[] = {
    {"No Valid Data", 0}, {NULL, 0},
};
static const struct field f_binding_table_pool_alloc_2[] = {
    {"MOCS", 32, 38, FIELD_UINT, NULL}, {"Binding Table Pool Enable", 43, 43, FIELD_BOOL, NULL},
    {"Binding Table Pool Base Address", 44, 95, FIELD_ADDRESS, NULL},
    {"Binding Table Pool Buffer Size", 108, 127, FIELD_UINT, f_binding_table_pool_alloc_binding_table_pool_buffer_size},
};
static const struct field f_binding_table_pool_alloc_3[] = {
    {"MOCS", 32, 38, FIELD_UINT, NULL}, {"Binding Table Pool Base Address", 44, 95, FIELD_ADDRESS, NULL},
    {"Binding Table Pool Buffer Size", 108, 127, FIELD_UINT, f_binding_table_pool_alloc_binding_table_pool_buffer_size},
};
static const struct field f_chroma_key[] = {
    {"ChromaKey Table Index", 62, 63, FIELD_UINT, NULL}, {"ChromaKey Low Value", 64, 95, FIELD_HEX, NULL},
    {"ChromaKey High Value", 96, 127, FIELD_HEX, NULL},
};
static const struct field f_constant_all[] = {
    {"Vertex Shader Update Enable", 8, 8, FIELD_BOOL, NULL},
    {"Hull Shader Update Enable", 9, 9, FIELD_BOOL, NULL},
    {"Domain Shader Update Enable", 10, 10, FIELD_BOOL, NULL},
    {"Geometry Shader Update Enable", 11, 11, FIELD_BOOL, NULL},
    {"Pixel Shader Update Enable", 12, 12, FIELD_BOOL, NULL}, {"MOCS", 32, 38, FIELD_UINT, NULL},
    {"Pointer Buffer Mask", 48, 51, FIELD_UINT, NULL}, {"Update Mode", 63, 63, FIELD_BOOL, NULL},
};
static const struct field f_constant_all_group[] = {
    {"Constant Buffer Read Length", 0, 4, FIELD_UINT, NULL},
    {"Pointer To Constant Buffer", 5, 63, FIELD_ADDRESS, NULL},
};
static const struct field f_constant_ds[] = {
    {"Read Length[0]", 32, 47, FIELD_UINT, NULL}, {"Read Length[1]", 48, 63, FIELD_UINT, NULL},
    {"Read Length[2]", 64, 79, FIELD_UINT, NULL}, {"Read Length[3]", 80, 95, FIELD_UINT, NULL},
    {"MOCS", 96, 100, FIELD_UINT, NULL}, {"Buffer[0]", 101, 127, FIELD_ADDRESS, NULL},
    {"Buffer[1]", 133, 159, FIELD_ADDRESS, NULL}, {"Buffer[2]", 165, 191, FIELD_ADDRESS, NULL},
    {"Buffer[3]", 197, 223, FIELD_ADDRESS, NULL},
};
static const struct field f_constant_ds_2[] = {
    {"MOCS", 8, 14, FIELD_UINT, NULL}, {"Read Length[0]", 32, 47, FIELD_UINT, NULL},
    {"Read Length[1]", 48, 63, FIELD_UINT, NULL}, {"Read Length[2]", 64, 79, FIELD_UINT, NULL},
    {"Read Length[3]", 80, 95, FIELD_UINT, NULL}, {"Buffer[0]", 101, 159, FIELD_ADDRESS, NULL},
    {"Buffer[1]", 165, 223, FIELD_ADDRESS, NULL}, {"Buffer[2]", 229, 287, FIELD_ADDRESS, NULL},
    {"Buffer[3]", 293, 351, FIELD_ADDRESS, NULL},
};
static const struct field f_constant_gs[] = {
    {"MOCS", 8, 11, FIELD_UINT, NULL}, {"Buffer 0 Valid", 12, 12, FIELD_BOOL, NULL},
    {"Buffer 1 Valid", 13, 13, FIELD_BOOL, NULL}, {"Buffer 2 Valid", 14, 14, FIELD_BOOL, NULL},
    {"Buffer 3 Valid", 15, 15, FIELD_BOOL, NULL}, {"Constant Buffer 0 Read Length", 32, 36, FIELD_UINT, NULL},
    {"Pointer to Constant Buffer 0", 37, 63, FIELD_OFFSET, NULL},
    {"Constant Buffer 1 Read Length", 64, 68, FIELD_UINT, NULL},
    {"Pointer to Constant Buffer 1", 69, 95, FIELD_ADDRESS, NULL},
    {"Constant Buffer 2 Read Length", 96, 100, FIELD_UINT, NULL},
    {"Pointer to Constant Buffer 2", 101, 127, FIELD_ADDRESS, NULL},
    {"Constant Buffer 3 Read Length", 128, 132, FIELD_UINT, NULL},
    {"Pointer to Constant Buffer 3", 133, 159, FIELD_ADDRESS, NULL},
};
static const struct field f_constant_ps[] = {
    {"MOCS", 8, 14, FIELD_UINT, NULL}, {"Disable Gather at Set Shader Hint", 15, 15, FIELD_UINT, NULL},
    {"Read Length[0]", 32, 47, FIELD_UINT, NULL}, {"Read Length[1]", 48, 63, FIELD_UINT, NULL},
    {"Read Length[2]", 64, 79, FIELD_UINT, NULL}, {"Read Length[3]", 80, 95, FIELD_UINT, NULL},
    {"Buffer[0]", 101, 159, FIELD_ADDRESS, NULL}, {"Buffer[1]", 165, 223, FIELD_ADDRESS, NULL},
    {"Buffer[2]", 229, 287, FIELD_ADDRESS, NULL}, {"Buffer[3]", 293, 351, FIELD_ADDRESS, NULL},
};
static const struct field f_gather_constant_ds[] = {
    {"Constant Buffer Binding Table Block", 44, 47, FIELD_UINT, NULL},
    {"Constant Buffer Valid", 48, 63, FIELD_UINT, NULL}, {"Gather Buffer Offset", 70, 86, FIELD_OFFSET, NULL},
};
static const struct field f_gather_constant_ds_group[] = {
    {"Entry_0 Binding Table Index Offset", 0, 3, FIELD_UINT, NULL},
    {"Entry_0 Channel Mask", 4, 7, FIELD_UINT, NULL},
    {"Entry_0 Constant Buffer Offset", 8, 15, FIELD_OFFSET, NULL},
    {"Entry_1 Binding Table Index Offset", 16, 19, FIELD_UINT, NULL},
    {"Entry_1 Channel Mask", 20, 23, FIELD_UINT, NULL},
    {"Entry_1 Constant Buffer Offset", 24, 31, FIELD_OFFSET, NULL},
};
static const struct field f_gather_constant_ds_2[] = {
    {"Constant Buffer Binding Table Block", 44, 47, FIELD_UINT, NULL},
    {"Constant Buffer Valid", 48, 63, FIELD_UINT, NULL},
    {"Constant Buffer Dx9 Generate Stall", 69, 69, FIELD_BOOL, NULL},
    {"Gather Buffer Offset", 70, 86, FIELD_OFFSET, NULL},
};
static const struct field_value f_gather_constant_ds_update_gather_table_only[] = {
    {"Commit Gather", 0}, {"Non-Commit Gather", 1}, {NULL, 0},
};
static const struct field_value f_gather_constant_ds_on_die_table[] = {
    {"Load", 0}, {"Read", 1}, {NULL, 0},
};
static const struct field f_gather_constant_ds_3[] = {
    {"Update Gather Table Only", 33, 33, FIELD_UINT, f_gather_constant_ds_update_gather_table_only},
    {"Constant Buffer Binding Table Block", 44, 47, FIELD_UINT, NULL},
    {"Constant Buffer Valid", 48, 63, FIELD_UINT, NULL},
    {"On-Die Table", 67, 67, FIELD_UINT, f_gather_constant_ds_on_die_table},
    {"Constant Buffer Dx9 Generate Stall", 69, 69, FIELD_BOOL, NULL},
    {"Gather Buffer Offset", 70, 86, FIELD_OFFSET, NULL},
};
static const struct field f_gather_constant_ps[] = {
    {"Constant Buffer Binding Table Block", 44, 47, FIELD_UINT, NULL},
    {"Constant Buffer Valid", 48, 63, FIELD_UINT, NULL},
    {"Constant Buffer Dx9 Enable", 68, 68, FIELD_BOOL, NULL},
    {"Gather Buffer Offset", 70, 86, FIELD_OFFSET, NULL},
};
static const struct field f_gather_constant_ps_2[] = {
    {"Constant Buffer Binding Table Block", 44, 47, FIELD_UINT, NULL},
    {"Constant Buffer Valid", 48, 63, FIELD_UINT, NULL},
    {"Constant Buffer Dx9 Enable", 68, 68, FIELD_BOOL, NULL},
    {"Constant Buffer Dx9 Generate Stall", 69, 69, FIELD_BOOL, NULL},
    {"Gather Buffer Offset", 70, 86, FIELD_OFFSET, NULL},
};
static const struct field f_gather_constant_ps_3[] = {
    {"DX9 On-Die Register Read Enable", 32, 32, FIELD_BOOL, NULL},
    {"Update Gather Table Only", 33, 33, FIELD_UINT, f_gather_constant_ds_update_gather_table_only},
    {"Constant Buffer Binding Table Block", 44, 47, FIELD_UINT, NULL},
    {"Constant Buffer Valid", 48, 63, FIELD_UINT, NULL},
    {"On-Die Table", 67, 67, FIELD_UINT, f_gather_constant_ds_on_die_table},
    {"Constant Buffer Dx9 Enable", 68, 68, FIELD_BOOL, NULL},
    {"Constant Buffer Dx9 Generate Stall", 69, 69, FIELD_BOOL, NULL},
    {"Gather Buffer Offset", 70, 86, FIELD_OFFSET, NULL},
};
static const struct field f_gather_pool_alloc[] = {
    {"MOCS", 32, 35, FIELD_UINT, NULL}, {"mbo", 36, 37, FIELD_UINT, NULL},
    {"Gather Pool Enable", 43, 43, FIELD_BOOL, NULL},
    {"Gather Pool Base Address", 44, 63, FIELD_ADDRESS, NULL},
    {"Gather Pool Upper Bound", 76, 95, FIELD_ADDRESS, NULL},
};
static const struct field f_gather_pool_alloc_2[] = {
    {"MOCS", 32, 38, FIELD_UINT, NULL}, {"Gather Pool Enable", 43, 43, FIELD_BOOL, NULL},
    {"Gather Pool Base Address", 44, 95, FIELD_ADDRESS, NULL},
    {"Gather Pool Buffer Size", 108, 127, FIELD_HEX, NULL},
};
static const struct field_value f_push_constant_alloc_ds_constant_buffer_size[] = {
    {"0KB", 0}, {NULL, 0},
};
static const struct field f_push_constant_alloc_ds[] = {
    {"Constant Buffer Size", 32, 36, FIELD_UINT, f_push_constant_alloc_ds_constant_buffer_size},
    {"Constant Buffer Offset", 48, 51, FIELD_UINT, f_push_constant_alloc_ds_constant_buffer_size},
};
static const struct field f_push_constant_alloc_ds_2[] = {
    {"Constant Buffer Size", 32, 37, FIELD_UINT, NULL}, {"Constant Buffer Offset", 48, 52, FIELD_UINT, NULL},
};
static const struct field_value f_rs_constant_pointer_operation_load_or_store[] = {
    {"Store", 0}, {"Load", 1}, {NULL, 0},
};
static const struct field_value f_rs_constant_pointer_shader_select[] = {
    {"VS", 0}, {"PS", 4}, {NULL, 0},
};
static const struct field f_rs_constant_pointer[] = {
    {"Operation Load or Store", 44, 44, FIELD_UINT, f_rs_constant_pointer_operation_load_or_store},
    {"Shader Select", 60, 62, FIELD_UINT, f_rs_constant_pointer_shader_select},
    {"Global Constant Buffer Address", 70, 95, FIELD_ADDRESS, NULL},
    {"Global Constant Buffer Address High", 96, 127, FIELD_ADDRESS, NULL},
};
static const struct field f_sampler_palette_load0_group[] = {
    {"Entry Blue", 0, 7, FIELD_UINT, NULL}, {"Entry Green", 8, 15, FIELD_UINT, NULL},
    {"Entry Red", 16, 23, FIELD_UINT, NULL}, {"Entry Alpha", 24, 31, FIELD_UINT, NULL},
};
static const struct field f_sampler_palette_load1_group[] = {
    {"Palette Blue[0:N-1]", 0, 7, FIELD_UINT, NULL}, {"Palette Green[0:N-1]", 8, 15, FIELD_UINT, NULL},
    {"Palette Red[0:N-1]", 16, 23, FIELD_UINT, NULL}, {"Palette Alpha[0:N-1]", 24, 31, FIELD_UINT, NULL},
};
static const struct field f_sampler_state_pointers[] = {
    {"VS Sampler State Change", 8, 8, FIELD_UINT, NULL}, {"GS Sampler State Change", 9, 9, FIELD_UINT, NULL},
    {"PS Sampler State Change", 12, 12, FIELD_UINT, NULL},
    {"Pointer to VS Sampler State", 37, 63, FIELD_OFFSET, NULL},
    {"Pointer to GS Sampler State", 69, 95, FIELD_OFFSET, NULL},
    {"Pointer to PS Sampler State", 101, 127, FIELD_OFFSET, NULL},
};
static const struct field f_sampler_state_pointers_ds[] = {
    {"Pointer to DS Sampler State", 37, 63, FIELD_OFFSET, NULL},
};
static const struct field f_sampler_state_pointers_gs[] = {
    {"Pointer to GS Sampler State", 37, 63, FIELD_OFFSET, NULL},
};
static const struct field f_sampler_state_pointers_hs[] = {
    {"Pointer to HS Sampler State", 37, 63, FIELD_OFFSET, NULL},
};
static const struct field f_sampler_state_pointers_ps[] = {
    {"Pointer to PS Sampler State", 37, 63, FIELD_OFFSET, NULL},
};
static const struct field f_sampler_state_pointers_vs[] = {
    {"Pointer to VS Sampler State", 37, 63, FIELD_OFFSET, NULL},
};
static const struct field f_viewport_state_pointers_cc[] = {
    {"CC Viewport Pointer", 37, 63, FIELD_OFFSET, NULL},
};
static const struct field f_viewport_state_pointers_sf_clip[] = {
    {"SF Clip Viewport Pointer", 38, 63, FIELD_OFFSET, NULL},
};

static const struct command rows[] = {
    {.name = "3DSTATE_BINDING_TABLE_EDIT_DS", .summary = "Edits binding table entries of the domain shader.",
     .match = 0x78460000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 9,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_edit_ds),
     GROUP(f_binding_table_edit_ds_group, 2, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_GS", .summary = "Edits binding table entries of the geometry shader.",
     .match = 0x78440000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 9,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_edit_ds),
     GROUP(f_binding_table_edit_ds_group, 2, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_HS", .summary = "Edits binding table entries of the hull shader.",
     .match = 0x78450000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 9,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_edit_ds),
     GROUP(f_binding_table_edit_ds_group, 2, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_PS", .summary = "Edits binding table entries of the pixel shader.",
     .match = 0x78470000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 9,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_edit_ds),
     GROUP(f_binding_table_edit_ds_group, 2, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_EDIT_VS", .summary = "Edits binding table entries of the vertex shader.",
     .match = 0x78430000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 9,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_edit_ds),
     GROUP(f_binding_table_edit_ds_group, 2, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS", .summary = "Binding tables of the stages.", .match = 0x78010000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT, FIELDS(f_binding_table_pointers),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_DS", .summary = "Binding table of the domain shader.",
     .match = 0x78280000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN12,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT,
     FIELDS(f_binding_table_pointers_ds), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_DS", .summary = "Binding table of the domain shader.",
     .match = 0x78280000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_pointers_ds_2),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_GS", .summary = "Binding table of the geometry shader.",
     .match = 0x78290000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN12,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT,
     FIELDS(f_binding_table_pointers_gs), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_GS", .summary = "Binding table of the geometry shader.",
     .match = 0x78290000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_pointers_gs_2),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_HS", .summary = "Binding table of the hull shader.",
     .match = 0x78270000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN12,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT,
     FIELDS(f_binding_table_pointers_hs), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_HS", .summary = "Binding table of the hull shader.",
     .match = 0x78270000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_pointers_hs_2),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_PS", .summary = "Binding table of the pixel shader.",
     .match = 0x782a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN12,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT,
     FIELDS(f_binding_table_pointers_ps), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_PS", .summary = "Binding table of the pixel shader.",
     .match = 0x782a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_pointers_ps_2),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_VS", .summary = "Binding table of the vertex shader.",
     .match = 0x78260000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN12,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT,
     FIELDS(f_binding_table_pointers_vs), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POINTERS_VS", .summary = "Binding table of the vertex shader.",
     .match = 0x78260000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_binding_table_pointers_vs_2),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POOL_ALLOC",
     .summary = "Memory that the resource streamer makes binding tables in.", .match = 0x79190000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75, .length_bits = 8, .length_bias = 2,
     .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_binding_table_pool_alloc),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POOL_ALLOC",
     .summary = "Memory that the resource streamer makes binding tables in.", .match = 0x79190000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN12, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_binding_table_pool_alloc_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_BINDING_TABLE_POOL_ALLOC",
     .summary = "Memory that the resource streamer makes binding tables in.", .match = 0x79190000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_binding_table_pool_alloc_3),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_CHROMA_KEY", .summary = "A range of texel colours to be keyed out.", .match = 0x79040000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .length_bits = 8, .length_bias = 2, .min_dwords = 4,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_chroma_key), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_ALL", .summary = "Push constant buffers of several stages at once.",
     .match = 0x786d0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_constant_all),
     GROUP(f_constant_all_group, 2, 2), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_DS", .summary = "Push constant buffers of the domain shader.",
     .match = 0x781a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 7, .flags = COMMAND_KEPT, FIELDS(f_constant_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_DS", .summary = "Push constant buffers of the domain shader.",
     .match = 0x781a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8,
     .length_bias = 2, .min_dwords = 11, .flags = COMMAND_KEPT, FIELDS(f_constant_ds_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_GS", .summary = "Push constant buffers of the geometry shader.",
     .match = 0x78160000, .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6,
     .length_bits = 8, .length_bias = 2, .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_constant_gs),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_GS", .summary = "Push constant buffers of the geometry shader.",
     .match = 0x78160000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 7, .flags = COMMAND_KEPT, FIELDS(f_constant_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_GS", .summary = "Push constant buffers of the geometry shader.",
     .match = 0x78160000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8,
     .length_bias = 2, .min_dwords = 11, .flags = COMMAND_KEPT, FIELDS(f_constant_ds_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_HS", .summary = "Push constant buffers of the hull shader.",
     .match = 0x78190000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 7, .flags = COMMAND_KEPT, FIELDS(f_constant_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_HS", .summary = "Push constant buffers of the hull shader.",
     .match = 0x78190000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8,
     .length_bias = 2, .min_dwords = 11, .flags = COMMAND_KEPT, FIELDS(f_constant_ds_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_PS", .summary = "Push constant buffers of the pixel shader.",
     .match = 0x78170000, .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6,
     .length_bits = 8, .length_bias = 2, .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_constant_gs),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_PS", .summary = "Push constant buffers of the pixel shader.",
     .match = 0x78170000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 7, .flags = COMMAND_KEPT, FIELDS(f_constant_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_PS", .summary = "Push constant buffers of the pixel shader.",
     .match = 0x78170000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN9,
     .length_bits = 8, .length_bias = 2, .min_dwords = 11, .flags = COMMAND_KEPT, FIELDS(f_constant_ds_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_PS", .summary = "Push constant buffers of the pixel shader.",
     .match = 0x78170000, .mask = 0xffff0000, .engines = RENDER, .since = GEN11, .length_bits = 8,
     .length_bias = 2, .min_dwords = 11, .flags = COMMAND_KEPT, FIELDS(f_constant_ps),
     .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_VS", .summary = "Push constant buffers of the vertex shader.",
     .match = 0x78150000, .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6,
     .length_bits = 8, .length_bias = 2, .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_constant_gs),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_VS", .summary = "Push constant buffers of the vertex shader.",
     .match = 0x78150000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 7, .flags = COMMAND_KEPT, FIELDS(f_constant_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_CONSTANT_VS", .summary = "Push constant buffers of the vertex shader.",
     .match = 0x78150000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8,
     .length_bias = 2, .min_dwords = 11, .flags = COMMAND_KEPT, FIELDS(f_constant_ds_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC",
     .summary = "Memory of constant buffers the resource streamer fills.", .match = 0x791b0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN11, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_DS", .summary = "Constants gathered of the domain shader.",
     .match = 0x78370000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ds),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_DS", .summary = "Constants gathered of the domain shader.",
     .match = 0x78370000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT,
     FIELDS(f_gather_constant_ds_2), GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_DS", .summary = "Constants gathered of the domain shader.",
     .match = 0x78370000, .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8,
     .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ds_3),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_GS", .summary = "Constants gathered of the geometry shader.",
     .match = 0x78350000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ds),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_GS", .summary = "Constants gathered of the geometry shader.",
     .match = 0x78350000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT,
     FIELDS(f_gather_constant_ds_2), GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_GS", .summary = "Constants gathered of the geometry shader.",
     .match = 0x78350000, .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8,
     .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ds_3),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_HS", .summary = "Constants gathered of the hull shader.",
     .match = 0x78360000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ds),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_HS", .summary = "Constants gathered of the hull shader.",
     .match = 0x78360000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT,
     FIELDS(f_gather_constant_ds_2), GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_HS", .summary = "Constants gathered of the hull shader.",
     .match = 0x78360000, .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8,
     .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ds_3),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_PS", .summary = "Constants gathered of the pixel shader.",
     .match = 0x78380000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ps),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_PS", .summary = "Constants gathered of the pixel shader.",
     .match = 0x78380000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT,
     FIELDS(f_gather_constant_ps_2), GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_PS", .summary = "Constants gathered of the pixel shader.",
     .match = 0x78380000, .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8,
     .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ps_3),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_VS", .summary = "Constants gathered of the vertex shader.",
     .match = 0x78340000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ps),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_VS", .summary = "Constants gathered of the vertex shader.",
     .match = 0x78340000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT,
     FIELDS(f_gather_constant_ps_2), GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_CONSTANT_VS", .summary = "Constants gathered of the vertex shader.",
     .match = 0x78340000, .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8,
     .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_gather_constant_ps_3),
     GROUP(f_gather_constant_ds_group, 3, 1), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_GATHER_POOL_ALLOC", .summary = "Memory that gathered constants go to.",
     .match = 0x791a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_gather_pool_alloc),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_GATHER_POOL_ALLOC", .summary = "Memory that gathered constants go to.",
     .match = 0x791a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8,
     .length_bias = 2, .min_dwords = 4, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_gather_pool_alloc_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_DS", .summary = "URB space for push constants of the domain shader.",
     .match = 0x79140000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN7,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_DS", .summary = "URB space for push constants of the domain shader.",
     .match = 0x79140000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds_2), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_GS",
     .summary = "URB space for push constants of the geometry shader.", .match = 0x79150000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN7, .length_bits = 8, .length_bias = 2,
     .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA, FIELDS(f_push_constant_alloc_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_GS",
     .summary = "URB space for push constants of the geometry shader.", .match = 0x79150000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 8, .length_bias = 2,
     .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA, FIELDS(f_push_constant_alloc_ds_2),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_HS", .summary = "URB space for push constants of the hull shader.",
     .match = 0x79130000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN7,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_HS", .summary = "URB space for push constants of the hull shader.",
     .match = 0x79130000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds_2), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_PS", .summary = "URB space for push constants of the pixel shader.",
     .match = 0x79160000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN7,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_PS", .summary = "URB space for push constants of the pixel shader.",
     .match = 0x79160000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds_2), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_VS", .summary = "URB space for push constants of the vertex shader.",
     .match = 0x79120000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN7,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_PUSH_CONSTANT_ALLOC_VS", .summary = "URB space for push constants of the vertex shader.",
     .match = 0x79120000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_PREDICATED | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_push_constant_alloc_ds_2), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_RS_CONSTANT_POINTER", .summary = "Constants the resource streamer manages.",
     .match = 0x78540000, .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8,
     .length_bias = 2, .min_dwords = 4, .flags = COMMAND_KEPT, FIELDS(f_rs_constant_pointer),
     .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_PALETTE_LOAD0", .summary = "Loads texture palette 0.", .match = 0x79020000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, GROUP(f_sampler_palette_load0_group, 1, 1), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_PALETTE_LOAD1", .summary = "Loads texture palette 1.", .match = 0x790c0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, GROUP(f_sampler_palette_load1_group, 1, 1), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS", .summary = "Sampler states of the stages.", .match = 0x78020000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT, FIELDS(f_sampler_state_pointers),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_DS", .summary = "Sampler states of the domain shader.",
     .match = 0x782d0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_sampler_state_pointers_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_GS", .summary = "Sampler states of the geometry shader.",
     .match = 0x782e0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_sampler_state_pointers_gs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_HS", .summary = "Sampler states of the hull shader.",
     .match = 0x782c0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_sampler_state_pointers_hs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_PS", .summary = "Sampler states of the pixel shader.",
     .match = 0x782f0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_sampler_state_pointers_ps),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLER_STATE_POINTERS_VS", .summary = "Sampler states of the vertex shader.",
     .match = 0x782b0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_sampler_state_pointers_vs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_VIEWPORT_STATE_POINTERS_CC", .summary = "Where the depth ranges of viewports are.",
     .match = 0x78230000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_viewport_state_pointers_cc),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", .summary = "Where the viewports are.",
     .match = 0x78210000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_viewport_state_pointers_sf_clip),
     .spec = "CSP-08, IVB PRM vol 2a"},
};
/* clang-format on */

const struct command_table state_3d_resources_commands = COMMAND_TABLE(rows);
