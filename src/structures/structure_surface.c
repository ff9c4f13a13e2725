/* Structures in memory: surfaces and the tables that bind them. Of words that have two readings the one of
 * the 3D pipeline is here, not the one of media. (CSP-08, OVR-04) */
#include "stream/bases.h"
#include "shared_function/shared_function.h"
#include "stream/structure.h"

#include "structures/structures.h"
#include "structures/values.h"

static const struct field_value media_boundary_pixel_mode[] = {
    {"NORMAL_MODE", 0}, {"PROGRESSIVE_FRAME", 2}, {"INTERLACED_FRAME", 3}, {NULL, 0}};
static const struct field_value render_cache_read_write_mode[] = {
    {"WRITE_ONLY", 0}, {"READ_WRITE", 1}, {NULL, 0}};
static const struct field_value render_cache_read_write_mode_2[] = {
    {"Write-Only Cache", 0}, {"Read-Write Cache", 1}, {NULL, 0}};
static const struct field_value cube_map_corner_mode[] = {
    {"CUBE_REPLICATE", 0}, {"CUBE_AVERAGE", 1}, {NULL, 0}};
static const struct field_value surface_array_spacing[] = {{"ARYSPC_FULL", 0}, {"ARYSPC_LOD0", 1}, {NULL, 0}};
static const struct field_value tile_mode[] = {
    {"LINEAR", 0}, {"WMAJOR", 1}, {"XMAJOR", 2}, {"YMAJOR", 3}, {NULL, 0}};
static const struct field_value tile_mode_2[] = {{"LINEAR", 0}, {"XMAJOR", 2}, {"YMAJOR", 3}, {NULL, 0}};
static const struct field_value tile_mode_3[] = {
    {"LINEAR", 0}, {"TILE64", 1}, {"XMAJOR", 2}, {"TILE4", 3}, {NULL, 0}};
static const struct field_value tile_walk[] = {{"TILEWALK_XMAJOR", 0}, {"TILEWALK_YMAJOR", 1}, {NULL, 0}};
static const struct field_value surface_horizontal_alignment[] = {
    {"HALIGN_4", 1}, {"HALIGN_8", 2}, {"HALIGN_16", 3}, {NULL, 0}};
static const struct field_value surface_horizontal_alignment_2[] = {
    {"HALIGN_4", 0}, {"HALIGN_8", 1}, {NULL, 0}};
static const struct field_value surface_horizontal_alignment_3[] = {
    {"HALIGN_16", 0}, {"HALIGN_32", 1}, {"HALIGN_64", 2}, {"HALIGN_128", 3}, {NULL, 0}};
static const struct field_value surface_vertical_alignment[] = {{"VALIGN_2", 0}, {"VALIGN_4", 1}, {NULL, 0}};
static const struct field_value surface_vertical_alignment_2[] = {
    {"VALIGN_4", 1}, {"VALIGN_8", 2}, {"VALIGN_16", 3}, {NULL, 0}};
static const struct field_value data_return_format[] = {{"DATA_RETURN_FLOAT32", 0}, {NULL, 0}};
static const struct field_value surface_type[] = {
    {"SURFTYPE_1D", 0},     {"SURFTYPE_2D", 1},   {"SURFTYPE_3D", 2}, {"SURFTYPE_CUBE", 3},
    {"SURFTYPE_BUFFER", 4}, {"SURFTYPE_NULL", 7}, {NULL, 0}};
static const struct field_value surface_type_2[] = {
    {"SURFTYPE_1D", 0},     {"SURFTYPE_2D", 1},     {"SURFTYPE_3D", 2},   {"SURFTYPE_CUBE", 3},
    {"SURFTYPE_BUFFER", 4}, {"SURFTYPE_STRBUF", 5}, {"SURFTYPE_NULL", 7}, {NULL, 0}};
static const struct field_value surface_type_3[] = {
    {"SURFTYPE_1D", 0},      {"SURFTYPE_2D", 1},     {"SURFTYPE_3D", 2},
    {"SURFTYPE_CUBE", 3},    {"SURFTYPE_BUFFER", 4}, {"SURFTYPE_RES5", 5},
    {"SURFTYPE_SCRATCH", 6}, {"SURFTYPE_NULL", 7},   {NULL, 0}};
static const struct field_value render_target_rotation[] = {
    {"RTROTATE_0DEG", 0}, {"RTROTATE_90DEG", 1}, {"RTROTATE_270DEG", 3}, {NULL, 0}};
static const struct field_value tile_address_mapping_mode[] = {{"Gfx9", 0}, {"Gfx10+", 1}, {NULL, 0}};
static const struct field_value number_of_multisamples[] = {
    {"MULTISAMPLECOUNT_1", 0}, {"MULTISAMPLECOUNT_4", 2}, {"MULTISAMPLECOUNT_8", 3}, {NULL, 0}};
static const struct field_value number_of_multisamples_2[] = {
    {"MULTISAMPLECOUNT_1", 0}, {"MULTISAMPLECOUNT_4", 2}, {NULL, 0}};
static const struct field_value number_of_multisamples_3[] = {{"MULTISAMPLECOUNT_1", 0},
                                                              {"MULTISAMPLECOUNT_2", 1},
                                                              {"MULTISAMPLECOUNT_4", 2},
                                                              {"MULTISAMPLECOUNT_8", 3},
                                                              {NULL, 0}};
static const struct field_value number_of_multisamples_4[] = {
    {"MULTISAMPLECOUNT_1", 0}, {"MULTISAMPLECOUNT_2", 1},  {"MULTISAMPLECOUNT_4", 2},
    {"MULTISAMPLECOUNT_8", 3}, {"MULTISAMPLECOUNT_16", 4}, {NULL, 0}};
static const struct field_value multisampled_surface_storage_format[] = {
    {"MSFMT_MSS", 0}, {"MSFMT_DEPTH_STENCIL", 1}, {NULL, 0}};
static const struct field_value render_target_and_sample_unorm_rotation[] = {
    {"0DEG", 0}, {"90DEG", 1}, {"270DEG", 3}, {NULL, 0}};
static const struct field_value render_target_and_sample_unorm_rotation_2[] = {
    {"0DEG", 0}, {"90DEG", 1}, {"180DEG", 2}, {"270DEG", 3}, {NULL, 0}};
static const struct field_value coherency_type[] = {{"GPU coherent", 0}, {"IA coherent", 1}, {NULL, 0}};
static const struct field_value tiled_resource_mode[] = {{"NONE", 0}, {"4KB", 1}, {"64KB", 2}, {NULL, 0}};
static const struct field_value auxiliary_surface_mode[] = {
    {"AUX_NONE", 0}, {"AUX_MCS", 1}, {"AUX_APPEND", 2}, {"AUX_HIZ", 3}, {NULL, 0}};
static const struct field_value auxiliary_surface_mode_2[] = {
    {"AUX_NONE", 0}, {"AUX_CCS_D", 1}, {"AUX_APPEND", 2}, {"AUX_HIZ", 3}, {"AUX_CCS_E", 5}, {NULL, 0}};
static const struct field_value auxiliary_surface_mode_3[] = {
    {"AUX_NONE", 0}, {"AUX_CCS_D", 1}, {"AUX_APPEND", 2}, {"AUX_MCS_LCE", 4}, {"AUX_CCS_E", 5}, {NULL, 0}};
static const struct field_value auxiliary_surface_mode_4[] = {
    {"AUX_NONE", 0}, {"AUX_APPEND", 1}, {"AUX_MCS", 2}, {NULL, 0}};
static const struct field_value shader_channel_select_alpha[] = {
    {"ZERO", 0}, {"ONE", 1}, {"RED", 4}, {"GREEN", 5}, {"BLUE", 6}, {"ALPHA", 7}, {NULL, 0}};
static const struct field_value alpha_clear_color[] = {{"CC_ZERO", 0}, {"CC_ONE", 1}, {NULL, 0}};
static const struct field_value memory_compression_mode[] = {{"Horizontal", 0}, {"Vertical", 1}, {NULL, 0}};
static const struct field_value memory_compression_mode_2[] = {{"Horizontal", 0}, {NULL, 0}};
static const struct field_value memory_compression_mode_3[] = {
    {"Media Compression", 0}, {"3D Compression", 1}, {NULL, 0}};
static const struct field f_render_surface_state[] = {
    {"Cube Face Enable - Positive Z", 0, 0, FIELD_BOOL},
    {"Cube Face Enable - Negative Z", 1, 1, FIELD_BOOL},
    {"Cube Face Enable - Positive Y", 2, 2, FIELD_BOOL},
    {"Cube Face Enable - Negative Y", 3, 3, FIELD_BOOL},
    {"Cube Face Enable - Positive X", 4, 4, FIELD_BOOL},
    {"Cube Face Enable - Negative X", 5, 5, FIELD_BOOL},
    {"Media Boundary Pixel Mode", 6, 7, FIELD_UINT, media_boundary_pixel_mode},
    {"Render Cache Read Write Mode", 8, 8, FIELD_UINT, render_cache_read_write_mode, .until = GEN6},
    {"Render Cache Read Write Mode", 8, 8, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Render Cache Read Write Mode", 8, 8, FIELD_UINT, render_cache_read_write_mode_2, .since = GEN8},
    {"Cube Map Corner Mode", 9, 9, FIELD_UINT, cube_map_corner_mode, .until = GEN6},
    {"Sampler L2 Bypass Mode Disable", 9, 9, FIELD_BOOL, .since = GEN8, .until = GEN125},
    {"Enable Sampler Route to LSC", 9, 9, FIELD_BOOL, .since = GEN200},
    {"MIP Map Layout Mode", 10, 10, FIELD_UINT, values_mip_map_layout_mode, .until = GEN6},
    {"Surface Array Spacing", 10, 10, FIELD_UINT, surface_array_spacing, .since = GEN7, .until = GEN75,
     ROLE(SURFACE_ARRAY_SPACING)},
    {"Vertical Line Stride Offset", 10, 10, FIELD_UINT, .since = GEN8},
    {"Vertical Line Stride Offset", 11, 11, FIELD_UINT, .until = GEN75},
    {"Vertical Line Stride", 11, 11, FIELD_UINT, .since = GEN8},
    {"Vertical Line Stride", 12, 12, FIELD_UINT, .until = GEN75},
    {"Tile Mode", 12, 13, FIELD_UINT, tile_mode, .since = GEN8, .until = GEN11, ROLE(SURFACE_TILE_MODE)},
    {"Tile Mode", 12, 13, FIELD_UINT, tile_mode_2, .since = GEN12, .until = GEN12, ROLE(SURFACE_TILE_MODE)},
    {"Tile Mode", 12, 13, FIELD_UINT, tile_mode_3, .since = GEN125, ROLE(SURFACE_TILE_MODE)},
    {"Tile Walk", 13, 13, FIELD_UINT, tile_walk, .since = GEN7, .until = GEN75, ROLE(SURFACE_TILE_WALK)},
    {"Tiled Surface", 14, 14, FIELD_BOOL, .since = GEN7, .until = GEN75, ROLE(SURFACE_TILED_SURFACE)},
    {"Surface Horizontal Alignment", 14, 15, FIELD_UINT, surface_horizontal_alignment, .since = GEN8,
     .until = GEN12, ROLE(SURFACE_HORIZONTAL_ALIGNMENT)},
    {"Surface Horizontal Alignment", 15, 15, FIELD_UINT, surface_horizontal_alignment_2, .since = GEN7,
     .until = GEN75, ROLE(SURFACE_HORIZONTAL_ALIGNMENT)},
    {"Surface Horizontal Alignment", 14, 15, FIELD_UINT, surface_horizontal_alignment_3, .since = GEN125,
     ROLE(SURFACE_HORIZONTAL_ALIGNMENT_BYTES)},
    {"Surface Vertical Alignment", 16, 17, FIELD_UINT, surface_vertical_alignment, .since = GEN7,
     .until = GEN75, ROLE(SURFACE_VERTICAL_ALIGNMENT)},
    {"Surface Vertical Alignment", 16, 17, FIELD_UINT, surface_vertical_alignment_2, .since = GEN8,
     ROLE(SURFACE_VERTICAL_ALIGNMENT)},
    {"Surface Format", 18, 26, FIELD_UINT, surface_formats_of_9_bits, .until = GEN8, ROLE(SURFACE_FORMAT)},
    {"Surface Format", 18, 27, FIELD_UINT, surface_formats, .since = GEN9, .until = GEN12,
     ROLE(SURFACE_FORMAT)},
    {"Surface Format", 18, 26, FIELD_UINT, surface_formats_of_9_bits, .since = GEN125, ROLE(SURFACE_FORMAT)},
    {"Data Return Format", 27, 27, FIELD_UINT, data_return_format, .until = GEN6},
    {"Surface Array", 28, 28, FIELD_BOOL, .since = GEN7, ROLE(SURFACE_ARRAY)},
    {"Surface Type", 29, 31, FIELD_UINT, surface_type, .until = GEN6, ROLE(SURFACE_TYPE)},
    {"Surface Type", 29, 31, FIELD_UINT, surface_type_2, .since = GEN7, .until = GEN12, ROLE(SURFACE_TYPE)},
    {"Surface Type", 29, 31, FIELD_UINT, surface_type_3, .since = GEN125, ROLE(SURFACE_TYPE)},
    {"Surface Base Address", 32, 63, FIELD_ADDRESS, .until = GEN75, ROLE(SURFACE_BASE_ADDRESS)},
    {"Surface QPitch", 32, 46, FIELD_UINT, .since = GEN8, .until = GEN8, ROLE(SURFACE_QPITCH_ARRAY)},
    {"Surface QPitch", 32, 46, FIELD_UINT, .since = GEN9, ROLE(SURFACE_QPITCH)},
    {"Sample Tap Discard Disable", 47, 47, FIELD_BOOL, .since = GEN12},
    {"Double Fetch Disable", 49, 49, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"Corner Texel Mode", 50, 50, FIELD_UINT, .since = GEN12},
    {"Base Mip Level", 51, 55, FIELD_HEX, .since = GEN8},
    {"MOCS", 56, 62, FIELD_UINT, .since = GEN8},
    {"Enable Unorm Path In Color Pipe", 63, 63, FIELD_BOOL, .since = GEN11, .until = GEN12},
    {"Render Target Rotation", 64, 65, FIELD_UINT, render_target_rotation, .until = GEN6},
    {"Width", 64, 77, FIELD_UINT, .since = GEN7, ROLE(SURFACE_WIDTH)},
    {"MIP Count / LOD", 66, 69, FIELD_UINT, .until = GEN6, ROLE(SURFACE_MIP_COUNT_LOD)},
    {"Width", 70, 82, FIELD_UINT, .until = GEN6, ROLE(SURFACE_WIDTH)},
    {"Height", 80, 93, FIELD_UINT, .since = GEN7, ROLE(SURFACE_HEIGHT)},
    {"Height", 83, 95, FIELD_UINT, .until = GEN6, ROLE(SURFACE_HEIGHT)},
    {"Depth Stencil Resource", 95, 95, FIELD_BOOL, .since = GEN12, ROLE(SURFACE_DEPTH_STENCIL_RESOURCE)},
    {"Tile Walk", 96, 96, FIELD_UINT, tile_walk, .until = GEN6, ROLE(SURFACE_TILE_WALK)},
    {"Surface Pitch", 96, 113, FIELD_UINT, .since = GEN7, ROLE(SURFACE_PITCH)},
    {"Tiled Surface", 97, 97, FIELD_BOOL, .until = GEN6, ROLE(SURFACE_TILED_SURFACE)},
    {"Surface Pitch", 99, 115, FIELD_UINT, .until = GEN6, ROLE(SURFACE_PITCH)},
    {"Integer Surface Format", 114, 116, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Null Probing Enable", 114, 114, FIELD_UINT, .since = GEN12, .until = GEN125},
    {"Standard Tiling Mode Extensions", 115, 115, FIELD_UINT, .since = GEN12, .until = GEN12},
    {"Tile Address Mapping Mode", 116, 116, FIELD_UINT, tile_address_mapping_mode, .since = GEN11,
     .until = GEN12},
    {"Depth", 117, 127, FIELD_UINT, ROLE(SURFACE_DEPTH)},
    {"Multisample Position Palette Index", 128, 130, FIELD_UINT,
     ROLE(SURFACE_MULTISAMPLE_POSITION_PALETTE_INDEX)},
    {"Number of Multisamples", 131, 133, FIELD_UINT, number_of_multisamples, .since = GEN7, .until = GEN75,
     ROLE(SURFACE_NUMBER_OF_MULTISAMPLES)},
    {"Number of Multisamples", 132, 134, FIELD_UINT, number_of_multisamples_2, .until = GEN6,
     ROLE(SURFACE_NUMBER_OF_MULTISAMPLES)},
    {"Number of Multisamples", 131, 133, FIELD_UINT, number_of_multisamples_3, .since = GEN8, .until = GEN8,
     ROLE(SURFACE_NUMBER_OF_MULTISAMPLES)},
    {"Number of Multisamples", 131, 133, FIELD_UINT, number_of_multisamples_4, .since = GEN9,
     ROLE(SURFACE_NUMBER_OF_MULTISAMPLES)},
    {"Multisampled Surface Storage Format", 134, 134, FIELD_UINT, multisampled_surface_storage_format,
     .since = GEN7, ROLE(SURFACE_MULTISAMPLED_SURFACE_STORAGE_FORMAT)},
    {"Render Target View Extent", 135, 145, FIELD_UINT, .since = GEN7,
     ROLE(SURFACE_RENDER_TARGET_VIEW_EXTENT)},
    {"Render Target View Extent", 136, 144, FIELD_UINT, .until = GEN6,
     ROLE(SURFACE_RENDER_TARGET_VIEW_EXTENT)},
    {"Minimum Array Element", 145, 155, FIELD_UINT, .until = GEN6, ROLE(SURFACE_MINIMUM_ARRAY_ELEMENT)},
    {"Minimum Array Element", 146, 156, FIELD_UINT, .since = GEN7, ROLE(SURFACE_MINIMUM_ARRAY_ELEMENT)},
    {"Surface Min LOD", 156, 159, FIELD_UINT, .until = GEN6, ROLE(SURFACE_MIN_LOD)},
    {"Render Target Rotation", 157, 158, FIELD_UINT, render_target_rotation, .since = GEN7, .until = GEN75},
    {"Render Target And Sample Unorm Rotation", 157, 158, FIELD_UINT, render_target_and_sample_unorm_rotation,
     .since = GEN8, .until = GEN8},
    {"Render Target And Sample Unorm Rotation", 157, 158, FIELD_UINT,
     render_target_and_sample_unorm_rotation_2, .since = GEN9},
    {"Decompress In L3", 159, 159, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"MIP Count / LOD", 160, 163, FIELD_UINT, .since = GEN7, ROLE(SURFACE_MIP_COUNT_LOD)},
    {"Surface Min LOD", 164, 167, FIELD_UINT, .since = GEN7, ROLE(SURFACE_MIN_LOD)},
    {"Mip Tail Start LOD", 168, 171, FIELD_UINT, .since = GEN9, ROLE(SURFACE_MIP_TAIL_START_LOD)},
    {"Coherency Type", 174, 174, FIELD_UINT, coherency_type, .since = GEN8, .until = GEN12},
    {"Coherency Type", 174, 174, FIELD_UINT, .since = GEN125, .until = GEN125},
    {"MOCS", 176, 179, FIELD_UINT, .until = GEN75},
    {"L1 Cache Control", 176, 178, FIELD_UINT, values_l1_cache_control, .since = GEN125},
    {"Tiled Resource Mode", 178, 179, FIELD_UINT, tiled_resource_mode, .since = GEN9, .until = GEN12},
    {"Y Offset", 180, 183, FIELD_UINT, .until = GEN75, ROLE(SURFACE_Y_OFFSET)},
    {"EWA Disable For Cube", 180, 180, FIELD_BOOL, .since = GEN8},
    {"Y Offset", 181, 183, FIELD_UINT, .since = GEN8, ROLE(SURFACE_Y_OFFSET)},
    {"Surface Vertical Alignment", 184, 184, FIELD_UINT, surface_vertical_alignment, .until = GEN6,
     ROLE(SURFACE_VERTICAL_ALIGNMENT)},
    {"X Offset", 185, 191, FIELD_UINT, ROLE(SURFACE_X_OFFSET)},
    {"MCS Enable", 192, 192, FIELD_BOOL, .since = GEN7, .until = GEN75, ROLE(SURFACE_AUXILIARY_SURFACE_MODE)},
    {"Auxiliary Surface Mode", 192, 194, FIELD_UINT, auxiliary_surface_mode, .since = GEN8, .until = GEN8,
     ROLE(SURFACE_AUXILIARY_SURFACE_MODE)},
    {"Auxiliary Surface Mode", 192, 194, FIELD_UINT, auxiliary_surface_mode_2, .since = GEN9, .until = GEN11,
     ROLE(SURFACE_AUXILIARY_SURFACE_MODE)},
    {"Auxiliary Surface Mode", 192, 194, FIELD_UINT, auxiliary_surface_mode_3, .since = GEN12,
     ROLE(SURFACE_AUXILIARY_SURFACE_MODE), .until = GEN125},
    {"Auxiliary Surface Mode", 192, 194, FIELD_UINT, auxiliary_surface_mode_4,
     ROLE(SURFACE_AUXILIARY_SURFACE_MODE), .since = GEN200},
    {"Auxiliary Surface Pitch", 195, 203, FIELD_UINT, .since = GEN7, .until = GEN12,
     ROLE(SURFACE_AUXILIARY_SURFACE_PITCH)},
    {"Auxiliary Surface Pitch", 195, 204, FIELD_UINT, .since = GEN125, ROLE(SURFACE_AUXILIARY_SURFACE_PITCH)},
    {"Auxiliary Surface Base Address", 204, 223, FIELD_ADDRESS, .since = GEN7, .until = GEN75,
     ROLE(SURFACE_AUXILIARY_SURFACE_BASE_ADDRESS)},
    {"YUV Interpolation Enable", 207, 207, FIELD_BOOL, .since = GEN12},
    {"Auxiliary Surface QPitch", 208, 222, FIELD_UINT, .since = GEN8, ROLE(SURFACE_AUXILIARY_SURFACE_QPITCH)},
    {"Separate UV Plane Enable", 223, 223, FIELD_BOOL, .since = GEN8, .until = GEN125},
    {"Resource Min LOD", 224, 235, FIELD_HEX, .since = GEN7, ROLE(SURFACE_RESOURCE_MIN_LOD)},
    {"Shader Channel Select Alpha", 240, 242, FIELD_UINT, shader_channel_select_alpha, .since = GEN75,
     ROLE(SURFACE_SHADER_CHANNEL_SELECT_ALPHA)},
    {"Shader Channel Select Blue", 243, 245, FIELD_UINT, shader_channel_select_alpha, .since = GEN75,
     ROLE(SURFACE_SHADER_CHANNEL_SELECT_BLUE)},
    {"Shader Channel Select Green", 246, 248, FIELD_UINT, shader_channel_select_alpha, .since = GEN75,
     ROLE(SURFACE_SHADER_CHANNEL_SELECT_GREEN)},
    {"Shader Channel Select Red", 249, 251, FIELD_UINT, shader_channel_select_alpha, .since = GEN75,
     ROLE(SURFACE_SHADER_CHANNEL_SELECT_RED)},
    {"Alpha Clear Color", 252, 252, FIELD_UINT, alpha_clear_color, .since = GEN7, .until = GEN7,
     ROLE(SURFACE_ALPHA_CLEAR_COLOR)},
    {"Alpha Clear Color", 252, 252, FIELD_UINT, .since = GEN75, .until = GEN75,
     ROLE(SURFACE_ALPHA_CLEAR_COLOR)},
    {"Alpha Clear Color", 252, 252, FIELD_UINT, alpha_clear_color, .since = GEN8, .until = GEN8,
     ROLE(SURFACE_ALPHA_CLEAR_COLOR)},
    {"Blue Clear Color", 253, 253, FIELD_UINT, alpha_clear_color, .since = GEN7, .until = GEN7,
     ROLE(SURFACE_BLUE_CLEAR_COLOR)},
    {"Blue Clear Color", 253, 253, FIELD_UINT, .since = GEN75, .until = GEN75,
     ROLE(SURFACE_BLUE_CLEAR_COLOR)},
    {"Blue Clear Color", 253, 253, FIELD_UINT, alpha_clear_color, .since = GEN8, .until = GEN8,
     ROLE(SURFACE_BLUE_CLEAR_COLOR)},
    {"Green Clear Color", 254, 254, FIELD_UINT, alpha_clear_color, .since = GEN7, .until = GEN7,
     ROLE(SURFACE_GREEN_CLEAR_COLOR)},
    {"Green Clear Color", 254, 254, FIELD_UINT, .since = GEN75, .until = GEN75,
     ROLE(SURFACE_GREEN_CLEAR_COLOR)},
    {"Green Clear Color", 254, 254, FIELD_UINT, alpha_clear_color, .since = GEN8, .until = GEN8,
     ROLE(SURFACE_GREEN_CLEAR_COLOR)},
    {"Memory Compression Enable", 254, 254, FIELD_BOOL, .since = GEN9, .until = GEN125},
    {"Red Clear Color", 255, 255, FIELD_UINT, alpha_clear_color, .since = GEN7, .until = GEN7,
     ROLE(SURFACE_RED_CLEAR_COLOR)},
    {"Red Clear Color", 255, 255, FIELD_UINT, .since = GEN75, .until = GEN75, ROLE(SURFACE_RED_CLEAR_COLOR)},
    {"Red Clear Color", 255, 255, FIELD_UINT, alpha_clear_color, .since = GEN8, .until = GEN8,
     ROLE(SURFACE_RED_CLEAR_COLOR)},
    {"Memory Compression Mode", 255, 255, FIELD_UINT, memory_compression_mode, .since = GEN9, .until = GEN11},
    {"Memory Compression Mode", 255, 255, FIELD_UINT, memory_compression_mode_2, .since = GEN12,
     .until = GEN12},
    {"Memory Compression Mode", 255, 255, FIELD_UINT, memory_compression_mode_3, .since = GEN125,
     .until = GEN125},
    {"Surface Base Address", 256, 319, FIELD_ADDRESS, .since = GEN8, ROLE(SURFACE_BASE_ADDRESS)},
    {"Quilt Width", 320, 324, FIELD_UINT, .since = GEN9, .until = GEN11},
    {"Quilt Height", 325, 329, FIELD_UINT, .since = GEN9, .until = GEN11},
    {"Mip Region Width In Log2", 320, 323, FIELD_UINT, .since = GEN200},
    {"Mip Region Height In Log2", 324, 327, FIELD_UINT, .since = GEN200},
    {"Procedural Texture", 331, 331, FIELD_BOOL, .since = GEN200},
    {"Clear Value Address Enable", 330, 330, FIELD_BOOL, .since = GEN11,
     ROLE(SURFACE_CLEAR_VALUE_ADDRESS_ENABLE), .until = GEN125},
    {"Caching Expanded Formats", 331, 331, FIELD_UINT, .since = GEN12, .until = GEN125},
    {"Auxiliary Surface Base Address", 332, 383, FIELD_ADDRESS, .since = GEN8,
     ROLE(SURFACE_AUXILIARY_SURFACE_BASE_ADDRESS)},
    {"Red Clear Color", 384, 415, FIELD_INT, .since = GEN9, .until = GEN9, ROLE(SURFACE_RED_CLEAR_COLOR)},
    {"Compression Format", 384, 388, FIELD_UINT, .since = GEN125, .until = GEN125},
    {"Compression Format", 384, 387, FIELD_UINT, values_unified_compression_format, .since = GEN200},
    {"Mip Region Depth In Log2", 388, 391, FIELD_UINT, .since = GEN200},
    {"Clear Value Address", 390, 431, FIELD_ADDRESS, .since = GEN11, ROLE(SURFACE_CLEAR_VALUE_ADDRESS),
     .until = GEN125},
    {"Green Clear Color", 416, 447, FIELD_INT, .since = GEN9, .until = GEN9, ROLE(SURFACE_GREEN_CLEAR_COLOR)},
    {"Disallow low quality filtering", 447, 447, FIELD_BOOL, .since = GEN200},
    {"Blue Clear Color", 448, 479, FIELD_INT, .since = GEN9, .until = GEN9, ROLE(SURFACE_BLUE_CLEAR_COLOR)},
    {"Alpha Clear Color", 480, 511, FIELD_INT, .since = GEN9, .until = GEN9, ROLE(SURFACE_ALPHA_CLEAR_COLOR)},
};
static const struct field f_binding_table_state[] = {
    {"Surface State Pointer", 5, 31, FIELD_OFFSET, .base = BASE_SURFACE, .target = RENDER_SURFACE_STATE,
     .until = GEN75},
    {"Surface State Pointer", 6, 31, FIELD_OFFSET, .base = BASE_SURFACE, .target = RENDER_SURFACE_STATE,
     .since = GEN8},
};

static const struct command rows[] = {
    {STRUCTURE(RENDER_SURFACE_STATE), .summary = "A surface: type, format, layout, address.", .since = GEN6,
     .min_dwords = 6, FIELDS(f_render_surface_state), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 8, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2d"},
    {.since = GEN8, .min_dwords = 16, .spec = "CSP-08, BDW PRM vol 2d"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2d"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2d"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2d"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2d"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
    {STRUCTURE(BINDING_TABLE_STATE), .summary = "An entry of a binding table: where a surface state is.",
     .since = GEN6, .min_dwords = 1, FIELDS(f_binding_table_state), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2d"},
};

const struct command_table structure_surface_table = COMMAND_TABLE(rows);
