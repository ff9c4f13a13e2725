#include "structures/values.h"

#include "geometry/topology.h"

#include "stream/command.h"

const struct field_value values_attribute_constant_source[] = {
    {"CONST_0000", 0}, {"CONST_0001_FLOAT", 1}, {"CONST_1111_FLOAT", 2}, {"PRIM_ID", 3}, {NULL, 0}};
const struct field_value values_attribute_swizzle_select[] = {
    {"INPUTATTR", 0}, {"INPUTATTR_FACING", 1}, {"INPUTATTR_W", 2}, {"INPUTATTR_FACING_W", 3}, {NULL, 0}};
const struct field_value values_backface_fill_mode[] = {
    {"SOLID", 0}, {"WIREFRAME", 1}, {"POINT", 2}, {NULL, 0}};
const struct field_value values_backface_stencil_pass_depth_pass_op[] = {
    {"KEEP", 0}, {"ZERO", 1}, {"REPLACE", 2}, {"INCRSAT", 3}, {"DECRSAT", 4},
    {"INCR", 5}, {"DECR", 6}, {"INVERT", 7},  {NULL, 0}};
const struct field_value values_cull_mode[] = {
    {"BOTH", 0}, {"NONE", 1}, {"FRONT", 2}, {"BACK", 3}, {NULL, 0}};
const struct field_value values_denorm_mode[] = {{"Ftz", 0}, {"SetByKernel", 1}, {NULL, 0}};
const struct field_value values_destination_blend_factor[] = {{"ONE", 1},
                                                              {"SRC_COLOR", 2},
                                                              {"SRC_ALPHA", 3},
                                                              {"DST_ALPHA", 4},
                                                              {"DST_COLOR", 5},
                                                              {"SRC_ALPHA_SATURATE", 6},
                                                              {"CONST_COLOR", 7},
                                                              {"CONST_ALPHA", 8},
                                                              {"SRC1_COLOR", 9},
                                                              {"SRC1_ALPHA", 10},
                                                              {"ZERO", 17},
                                                              {"INV_SRC_COLOR", 18},
                                                              {"INV_SRC_ALPHA", 19},
                                                              {"INV_DST_ALPHA", 20},
                                                              {"INV_DST_COLOR", 21},
                                                              {"INV_CONST_COLOR", 23},
                                                              {"INV_CONST_ALPHA", 24},
                                                              {"INV_SRC1_COLOR", 25},
                                                              {"INV_SRC1_ALPHA", 26},
                                                              {NULL, 0}};
const struct field_value values_fdw_operations[] = {
    {"No Write", 0}, {"Write Immediate Data", 1}, {"Write Timestamp", 3}, {NULL, 0}};
const struct field_value values_floating_point_mode[] = {{"IEEE-754", 0}, {"Alternate", 1}, {NULL, 0}};
const struct field_value values_half_slice_destination_select[] = {
    {"Half-Slice 1", 2}, {"Half-Slice 0", 1}, {"Either half-slice", 0}, {NULL, 0}};
const struct field_value values_l1_cache_control[] = {{"WBP", 0}, {"UC", 1}, {"WB", 2},
                                                      {"WT", 3},  {"WS", 4}, {NULL, 0}};
const struct field_value values_line_antialiasing_region_width[] = {
    {"0.5 pixels", 0}, {"1.0 pixels", 1}, {"2.0 pixels", 2}, {"4.0 pixels", 3}, {NULL, 0}};
const struct field_value values_message_simd[] = {{"SIMD8", 0}, {"SIMD16", 1}, {"SIMD32", 2}, {NULL, 0}};
const struct field_value values_mip_map_layout_mode[] = {
    {"MIPLAYOUT_BELOW", 0}, {"MIPLAYOUT_RIGHT", 1}, {NULL, 0}};
const struct field_value values_multisample_rasterization_mode[] = {{"MSRASTMODE_OFF_PIXEL", 0},
                                                                    {"MSRASTMODE_OFF_PATTERN", 1},
                                                                    {"MSRASTMODE_ON_PIXEL", 2},
                                                                    {"MSRASTMODE_ON_PATTERN", 3},
                                                                    {NULL, 0}};
const struct field_value values_number_of_barriers[] = {
    {"NONE", 0}, {"B1", 1}, {"B2", 2}, {"B4", 3}, {"B8", 4}, {"B16", 5}, {"B24", 6}, {"B32", 7}, {NULL, 0}};
const struct field_value values_point_sprite_texture_coordinate_origin[] = {
    {"UPPERLEFT", 0}, {"LOWERLEFT", 1}, {NULL, 0}};
const struct field_value values_rounding_mode[] = {{"RTNE", 0}, {"RU", 1}, {"RD", 2}, {"RTZ", 3}, {NULL, 0}};
const struct field_value values_sampler_count[] = {{"No Samplers", 0},    {"1-4 Samplers", 1},
                                                   {"5-8 Samplers", 2},   {"9-12 Samplers", 3},
                                                   {"13-16 Samplers", 4}, {NULL, 0}};
const struct field_value values_sampler_count_2[] = {{"No samplers used", 0},
                                                     {"Between 1 and 4 samplers used", 1},
                                                     {"Between 5 and 8 samplers used", 2},
                                                     {"Between 9 and 12 samplers used", 3},
                                                     {"Between 13 and 16 samplers used", 4},
                                                     {NULL, 0}};
const struct field_value values_shadow_function[] = {{"ALWAYS", 0},   {"NEVER", 1},  {"LESS", 2},
                                                     {"EQUAL", 3},    {"LEQUAL", 4}, {"GREATER", 5},
                                                     {"NOTEQUAL", 6}, {"GEQUAL", 7}, {NULL, 0}};
const struct field_value values_shared_local_memory_size[] = {
    {"Encodes 0K", 0},  {"Encodes 1K", 1},  {"Encodes 2K", 2},  {"Encodes 4K", 3}, {"Encodes 8K", 4},
    {"Encodes 16K", 5}, {"Encodes 32K", 6}, {"Encodes 64K", 7}, {NULL, 0}};
const struct field_value values_surface_format[] = {
    {"D32_FLOAT_S8X24_UINT", 0}, {"D32_FLOAT", 1}, {"D24_UNORM_S8_UINT", 2},
    {"D24_UNORM_X8_UINT", 3},    {"D16_UNORM", 5}, {NULL, 0}};
const struct field_value values_thread_group_dispatch_size[] = {
    {"TG size 8", 0}, {"TG size 4", 1}, {"TG size 2", 2}, {"TG size 1", 3}, {NULL, 0}};
const struct field_value values_thread_priority[] = {{"Normal Priority", 0}, {"High Priority", 1}, {NULL, 0}};
const struct field_value values_thread_priority_2[] = {{"High", 1}, {NULL, 0}};
const struct field_value values_thread_dispatch_priority[] = {{"Normal", 0}, {"High", 1}, {NULL, 0}};
const struct field_value values_dmask[] = {{"Dmask", 0}, {NULL, 0}};
const struct field_value values_message_simt[] = {{"SIMT16", 1}, {"SIMT32", 2}, {NULL, 0}};
const struct field_value values_preferred_slm_allocation_size[] = {
    {"SLM_ENCODES_0K", 0},   {"SLM_ENCODES_16K", 1},  {"SLM_ENCODES_32K", 2},   {"SLM_ENCODES_64K", 3},
    {"SLM_ENCODES_96K", 4},  {"SLM_ENCODES_128K", 5}, {"SLM_ENCODES_160K", 6},  {"SLM_ENCODES_192K", 7},
    {"SLM_ENCODES_224K", 8}, {"SLM_ENCODES_256K", 9}, {"SLM_ENCODES_384K", 10}, {NULL, 0}};
/* 24K and 48K as NEO has them. */
const struct field_value values_shared_local_memory_size_2[] = {
    {"Encodes 0K", 0},    {"Encodes 1K", 1},    {"Encodes 2K", 2},    {"Encodes 4K", 3},
    {"Encodes 8K", 4},    {"Encodes 16K", 5},   {"Encodes 32K", 6},   {"Encodes 64K", 7},
    {"Encodes 24K", 8},   {"Encodes 48K", 9},   {"Encodes 96K", 10},  {"Encodes 128K", 11},
    {"Encodes 192K", 12}, {"Encodes 256K", 13}, {"Encodes 384K", 14}, {NULL, 0}};
const struct field_value values_unified_compression_format[] = {
    {"CMF_R8", 0},          {"CMF_R8_G8", 1},   {"CMF_R8_G8_B8_A8", 2},      {"CMF_R10_G10_B10_A2", 3},
    {"CMF_R11_G11_B10", 4}, {"CMF_R16", 5},     {"CMF_R16_G16", 6},          {"CMF_R16_G16_B16_A16", 7},
    {"CMF_R32", 8},         {"CMF_R32_G32", 9}, {"CMF_R32_G32_B32_A32", 10}, {"CMF_Y16_U16_Y16_V16", 11},
    {"CMF_ML8", 15},        {NULL, 0}};
const struct field_value values_tiled_mode[] = {{"TILE64", 1}, {"TILE4", 3}, {NULL, 0}};

const struct field_value values_coarse_pixel_shading_mode[] = {
    {"CPS_MODE_NONE", 0}, {"CPS_MODE_CONSTANT", 1}, {"CPS_MODE_RADIAL", 2}, {NULL, 0}};
const struct field_value values_scale_axis[] = {{"X axis", 0}, {"Y axis", 1}, {NULL, 0}};
const struct field_value topologies_gen6[] = {TOPOLOGY_ROWS(TOPOLOGY_NAME){NULL, 0}};
const struct field_value topologies[] = {
    TOPOLOGY_ROWS(TOPOLOGY_NAME){"PATCHLIST_1", 32},
    {"PATCHLIST_2", 33},
    {"PATCHLIST_3", 34},
    {"PATCHLIST_4", 35},
    {"PATCHLIST_5", 36},
    {"PATCHLIST_6", 37},
    {"PATCHLIST_7", 38},
    {"PATCHLIST_8", 39},
    {"PATCHLIST_9", 40},
    {"PATCHLIST_10", 41},
    {"PATCHLIST_11", 42},
    {"PATCHLIST_12", 43},
    {"PATCHLIST_13", 44},
    {"PATCHLIST_14", 45},
    {"PATCHLIST_15", 46},
    {"PATCHLIST_16", 47},
    {"PATCHLIST_17", 48},
    {"PATCHLIST_18", 49},
    {"PATCHLIST_19", 50},
    {"PATCHLIST_20", 51},
    {"PATCHLIST_21", 52},
    {"PATCHLIST_22", 53},
    {"PATCHLIST_23", 54},
    {"PATCHLIST_24", 55},
    {"PATCHLIST_25", 56},
    {"PATCHLIST_26", 57},
    {"PATCHLIST_27", 58},
    {"PATCHLIST_28", 59},
    {"PATCHLIST_29", 60},
    {"PATCHLIST_30", 61},
    {"PATCHLIST_31", 62},
    {"PATCHLIST_32", 63},
    {NULL, 0},
};
