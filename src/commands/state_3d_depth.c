/* 3D state: depth and stencil: state is kept, work is counted. Field names and places as the public manuals
 * of each generation give them. (CSP-08) */
#include "stream/command.h"

#include "commands/tables.h"

/* clang-format off */
static const struct field f_clear_params[] = {
    {"Depth Clear Value Valid", 15, 15, FIELD_BOOL, NULL}, {"Depth Clear Value", 32, 63, FIELD_HEX, NULL},
};
static const struct field f_clear_params_2[] = {
    {"Depth Clear Value", 32, 63, FIELD_HEX, NULL}, {"Depth Clear Value Valid", 64, 64, FIELD_BOOL, NULL},
};
static const struct field f_clear_params_3[] = {
    {"Depth Clear Value", 32, 63, FIELD_FLOAT, NULL}, {"Depth Clear Value Valid", 64, 64, FIELD_BOOL, NULL},
};
static const struct field f_depth_bounds[] = {
    {"Length", 0, 7, FIELD_UINT, NULL}, {"Depth Bounds Test Value Modify Disable", 14, 14, FIELD_BOOL, NULL},
    {"Depth Bounds Test Enable Modify Disable", 15, 15, FIELD_BOOL, NULL},
    {"Depth Bounds Test Enable", 32, 32, FIELD_UINT, NULL},
    {"Depth Bounds Test Min Value", 64, 95, FIELD_FLOAT, NULL},
    {"Depth Bounds Test Max Value", 96, 127, FIELD_FLOAT, NULL},
};
static const struct field_value f_depth_buffer_surface_format[] = {
    {"D32_FLOAT_S8X24_UINT", 0}, {"D32_FLOAT", 1}, {"D24_UNORM_S8_UINT", 2}, {"D24_UNORM_X8_UINT", 3},
    {"D16_UNORM", 5}, {NULL, 0},
};
static const struct field_value f_depth_buffer_software_tiled_rendering_mode[] = {
    {"NORMAL", 0}, {"STR1", 1}, {"STR2", 3}, {NULL, 0},
};
static const struct field_value f_depth_buffer_tile_walk[] = {
    {"TILEWALK_YMAJOR", 1}, {NULL, 0},
};
static const struct field_value f_depth_buffer_surface_type[] = {
    {"SURFTYPE_1D", 0}, {"SURFTYPE_2D", 1}, {"SURFTYPE_3D", 2}, {"SURFTYPE_CUBE", 3}, {"SURFTYPE_NULL", 7}, {NULL, 0},
};
static const struct field_value f_depth_buffer_mip_map_layout_mode[] = {
    {"MIPLAYOUT_BELOW", 0}, {"MIPLAYOUT_RIGHT", 1}, {NULL, 0},
};
static const struct field f_depth_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL},
    {"Surface Format", 50, 52, FIELD_UINT, f_depth_buffer_surface_format},
    {"Separate Stencil Buffer Enable", 53, 53, FIELD_BOOL, NULL},
    {"Hierarchical Depth Buffer Enable", 54, 54, FIELD_BOOL, NULL},
    {"Software Tiled Rendering Mode", 55, 56, FIELD_UINT, f_depth_buffer_software_tiled_rendering_mode},
    {"Tile Walk", 58, 58, FIELD_UINT, f_depth_buffer_tile_walk}, {"Tiled Surface", 59, 59, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type},
    {"Surface Base Address", 64, 95, FIELD_ADDRESS, NULL},
    {"MIP Map Layout Mode", 97, 97, FIELD_UINT, f_depth_buffer_mip_map_layout_mode},
    {"LOD", 98, 101, FIELD_UINT, NULL}, {"Width", 102, 114, FIELD_UINT, NULL},
    {"Height", 115, 127, FIELD_UINT, NULL}, {"Render Target View Extent", 129, 137, FIELD_UINT, NULL},
    {"Minimum Array Element", 138, 148, FIELD_UINT, NULL}, {"Depth", 149, 159, FIELD_UINT, NULL},
    {"Depth Coordinate Offset X", 160, 175, FIELD_INT, NULL},
    {"Depth Coordinate Offset Y", 176, 191, FIELD_INT, NULL}, {"MOCS", 219, 223, FIELD_UINT, NULL},
};
static const struct field_value f_depth_buffer_surface_format_2[] = {
    {"D32_FLOAT", 1}, {"D24_UNORM_X8_UINT", 3}, {"D16_UNORM", 5}, {NULL, 0},
};
static const struct field_value f_depth_buffer_depth[] = {
    {"SURFTYPE_CUBE (must be zero)", 0}, {NULL, 0},
};
static const struct field f_depth_buffer_2[] = {
    {"Surface Pitch", 32, 49, FIELD_HEX, NULL},
    {"Surface Format", 50, 52, FIELD_UINT, f_depth_buffer_surface_format_2},
    {"Hierarchical Depth Buffer Enable", 54, 54, FIELD_BOOL, NULL},
    {"Stencil Write Enable", 59, 59, FIELD_BOOL, NULL}, {"Depth Write Enable", 60, 60, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type},
    {"Surface Base Address", 64, 95, FIELD_ADDRESS, NULL}, {"LOD", 96, 99, FIELD_UINT, NULL},
    {"Width", 100, 113, FIELD_UINT, NULL}, {"Height", 114, 127, FIELD_UINT, NULL},
    {"MOCS", 128, 131, FIELD_UINT, NULL}, {"Minimum Array Element", 138, 148, FIELD_UINT, NULL},
    {"Depth", 149, 159, FIELD_UINT, f_depth_buffer_depth},
    {"Depth Coordinate Offset X", 160, 175, FIELD_INT, NULL},
    {"Depth Coordinate Offset Y", 176, 191, FIELD_INT, NULL},
    {"Render Target View Extent", 213, 223, FIELD_UINT, NULL},
};
static const struct field f_depth_buffer_3[] = {
    {"Surface Pitch", 32, 49, FIELD_HEX, NULL},
    {"Surface Format", 50, 52, FIELD_UINT, f_depth_buffer_surface_format_2},
    {"Hierarchical Depth Buffer Enable", 54, 54, FIELD_BOOL, NULL},
    {"Stencil Write Enable", 59, 59, FIELD_BOOL, NULL}, {"Depth Write Enable", 60, 60, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"LOD", 128, 131, FIELD_UINT, NULL},
    {"Width", 132, 145, FIELD_UINT, NULL}, {"Height", 146, 159, FIELD_UINT, NULL},
    {"MOCS", 160, 166, FIELD_UINT, NULL}, {"Minimum Array Element", 170, 180, FIELD_UINT, NULL},
    {"Depth", 181, 191, FIELD_UINT, NULL}, {"Surface QPitch", 224, 238, FIELD_UINT, NULL},
    {"Render Target View Extent", 245, 255, FIELD_UINT, NULL},
};
static const struct field_value f_depth_buffer_surface_type_2[] = {
    {"SURFTYPE_2D", 1}, {"SURFTYPE_CUBE", 3}, {"SURFTYPE_NULL", 7}, {NULL, 0},
};
static const struct field_value f_depth_buffer_tiled_resource_mode[] = {
    {"NONE", 0}, {"TILEYF", 1}, {"TILEYS", 2}, {NULL, 0},
};
static const struct field f_depth_buffer_4[] = {
    {"Surface Pitch", 32, 49, FIELD_HEX, NULL},
    {"Surface Format", 50, 52, FIELD_UINT, f_depth_buffer_surface_format_2},
    {"Hierarchical Depth Buffer Enable", 54, 54, FIELD_BOOL, NULL},
    {"Stencil Write Enable", 59, 59, FIELD_BOOL, NULL}, {"Depth Write Enable", 60, 60, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type_2},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"LOD", 128, 131, FIELD_UINT, NULL},
    {"Width", 132, 145, FIELD_UINT, NULL}, {"Height", 146, 159, FIELD_UINT, NULL},
    {"MOCS", 160, 166, FIELD_UINT, NULL}, {"Minimum Array Element", 170, 180, FIELD_UINT, NULL},
    {"Depth", 181, 191, FIELD_UINT, NULL}, {"Mip Tail Start LOD", 218, 221, FIELD_UINT, NULL},
    {"Tiled Resource Mode", 222, 223, FIELD_UINT, f_depth_buffer_tiled_resource_mode},
    {"Surface QPitch", 224, 238, FIELD_UINT, NULL}, {"Render Target View Extent", 245, 255, FIELD_UINT, NULL},
};
static const struct field f_depth_buffer_5[] = {
    {"Surface Pitch", 32, 49, FIELD_HEX, NULL}, {"Control Surface Enable", 51, 51, FIELD_BOOL, NULL},
    {"Depth Buffer Compression Enable", 53, 53, FIELD_BOOL, NULL},
    {"Hierarchical Depth Buffer Enable", 54, 54, FIELD_BOOL, NULL},
    {"Corner Texel Mode", 55, 55, FIELD_BOOL, NULL},
    {"Surface Format", 56, 58, FIELD_UINT, f_depth_buffer_surface_format_2},
    {"Null Page Coherency Enable", 59, 59, FIELD_BOOL, NULL}, {"Depth Write Enable", 60, 60, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type_2},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"Width", 129, 142, FIELD_UINT, NULL},
    {"Height", 145, 158, FIELD_UINT, NULL}, {"MOCS", 160, 166, FIELD_UINT, NULL},
    {"Minimum Array Element", 168, 178, FIELD_UINT, NULL}, {"Depth", 180, 190, FIELD_UINT, NULL},
    {"Mip Tail Start LOD", 218, 221, FIELD_UINT, NULL},
    {"Tiled Resource Mode", 222, 223, FIELD_UINT, f_depth_buffer_tiled_resource_mode},
    {"Surface QPitch", 224, 238, FIELD_UINT, NULL}, {"LOD", 240, 243, FIELD_UINT, NULL},
    {"Render Target View Extent", 245, 255, FIELD_UINT, NULL},
};
static const struct field_value f_depth_buffer_tiled_mode[] = {
    {"TILE64", 1}, {"TILE4", 3}, {NULL, 0},
};
static const struct field f_depth_buffer_6[] = {
    {"Surface Pitch", 32, 49, FIELD_HEX, NULL}, {"Control Surface Enable", 51, 51, FIELD_BOOL, NULL},
    {"Depth Buffer Compression Enable", 53, 53, FIELD_BOOL, NULL},
    {"Hierarchical Depth Buffer Enable", 54, 54, FIELD_BOOL, NULL},
    {"Corner Texel Mode", 55, 55, FIELD_BOOL, NULL},
    {"Surface Format", 56, 58, FIELD_UINT, f_depth_buffer_surface_format_2},
    {"Null Page Coherency Enable", 59, 59, FIELD_BOOL, NULL}, {"Depth Write Enable", 60, 60, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type_2},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"Width", 129, 142, FIELD_UINT, NULL},
    {"Height", 145, 158, FIELD_UINT, NULL}, {"MOCS", 160, 166, FIELD_UINT, NULL},
    {"Minimum Array Element", 168, 178, FIELD_UINT, NULL}, {"Depth", 180, 190, FIELD_UINT, NULL},
    {"Render Compression Format", 192, 196, FIELD_UINT, NULL},
    {"Compression Mode", 197, 197, FIELD_BOOL, NULL}, {"Mip Tail Start LOD", 218, 221, FIELD_UINT, NULL},
    {"Tiled Mode", 222, 223, FIELD_UINT, f_depth_buffer_tiled_mode},
    {"Surface QPitch", 224, 238, FIELD_UINT, NULL}, {"LOD", 240, 243, FIELD_UINT, NULL},
    {"Render Target View Extent", 245, 255, FIELD_UINT, NULL},
};
static const struct field f_depth_stencil_state_pointers[] = {
    {"mbo", 32, 32, FIELD_UINT, NULL}, {"Pointer to DEPTH_STENCIL_STATE", 38, 63, FIELD_OFFSET, NULL},
};
static const struct field f_hier_depth_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL}, {"MOCS", 57, 60, FIELD_UINT, NULL},
    {"Surface Base Address", 64, 95, FIELD_ADDRESS, NULL},
};
static const struct field f_hier_depth_buffer_2[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL}, {"MOCS", 57, 63, FIELD_UINT, NULL},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"Surface QPitch", 128, 142, FIELD_UINT, NULL},
};
static const struct field f_hier_depth_buffer_3[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL},
    {"Tiled Resource Mode", 55, 56, FIELD_UINT, f_depth_buffer_tiled_resource_mode},
    {"MOCS", 57, 63, FIELD_UINT, NULL}, {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL},
    {"Surface QPitch", 128, 142, FIELD_UINT, NULL},
};
static const struct field f_hier_depth_buffer_4[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL},
    {"Hierarchical Depth Buffer Write Thru Enable", 52, 52, FIELD_BOOL, NULL},
    {"Tiled Resource Mode", 54, 55, FIELD_UINT, f_depth_buffer_tiled_resource_mode},
    {"MOCS", 57, 63, FIELD_UINT, NULL}, {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL},
    {"Surface QPitch", 128, 142, FIELD_UINT, NULL},
};
static const struct field f_hier_depth_buffer_5[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL},
    {"Hierarchical Depth Buffer Write Thru Enable", 52, 52, FIELD_BOOL, NULL},
    {"Tiled Mode", 54, 55, FIELD_UINT, f_depth_buffer_tiled_mode}, {"MOCS", 57, 63, FIELD_UINT, NULL},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"Surface QPitch", 128, 142, FIELD_UINT, NULL},
};
static const struct field f_stencil_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL}, {"MOCS", 57, 60, FIELD_UINT, NULL},
    {"Stencil Buffer Enable", 63, 63, FIELD_BOOL, NULL}, {"Surface Base Address", 64, 95, FIELD_ADDRESS, NULL},
};
static const struct field f_stencil_buffer_2[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL}, {"MOCS", 54, 60, FIELD_UINT, NULL},
    {"Stencil Buffer Enable", 63, 63, FIELD_BOOL, NULL},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"Surface QPitch", 128, 142, FIELD_UINT, NULL},
};
static const struct field f_stencil_buffer_3[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL}, {"Corner Texel Mode", 55, 55, FIELD_BOOL, NULL},
    {"Control Surface Enable", 56, 56, FIELD_BOOL, NULL},
    {"Stencil Compression Enable", 57, 57, FIELD_BOOL, NULL},
    {"Null Page Coherency Enable", 59, 59, FIELD_BOOL, NULL},
    {"Stencil Write Enable", 60, 60, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type_2},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"Width", 129, 142, FIELD_UINT, NULL},
    {"Height", 145, 158, FIELD_UINT, NULL}, {"MOCS", 160, 166, FIELD_UINT, NULL},
    {"Minimum Array Element", 168, 178, FIELD_UINT, NULL}, {"Depth", 180, 190, FIELD_UINT, NULL},
    {"Mip Tail Start LOD", 218, 221, FIELD_UINT, NULL},
    {"Tiled Mode", 222, 223, FIELD_UINT, f_depth_buffer_tiled_resource_mode},
    {"Surface QPitch", 224, 238, FIELD_UINT, NULL}, {"Surf LOD", 240, 243, FIELD_UINT, NULL},
    {"Render Target View Extent", 245, 255, FIELD_UINT, NULL},
};
static const struct field f_stencil_buffer_4[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL}, {"Corner Texel Mode", 55, 55, FIELD_BOOL, NULL},
    {"Control Surface Enable", 56, 56, FIELD_BOOL, NULL},
    {"Stencil Compression Enable", 57, 57, FIELD_BOOL, NULL},
    {"Null Page Coherency Enable", 59, 59, FIELD_BOOL, NULL},
    {"Stencil Write Enable", 60, 60, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, f_depth_buffer_surface_type_2},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL}, {"Width", 129, 142, FIELD_UINT, NULL},
    {"Height", 145, 158, FIELD_UINT, NULL}, {"MOCS", 160, 166, FIELD_UINT, NULL},
    {"Minimum Array Element", 168, 178, FIELD_UINT, NULL}, {"Depth", 180, 190, FIELD_UINT, NULL},
    {"Render Compression Format", 192, 196, FIELD_UINT, NULL},
    {"Compression Mode", 197, 197, FIELD_BOOL, NULL}, {"Mip Tail Start LOD", 218, 221, FIELD_UINT, NULL},
    {"Tiled Mode", 222, 223, FIELD_UINT, f_depth_buffer_tiled_mode},
    {"Surface QPitch", 224, 238, FIELD_UINT, NULL}, {"Surf LOD", 240, 243, FIELD_UINT, NULL},
    {"Render Target View Extent", 245, 255, FIELD_UINT, NULL},
};
static const struct field_value f_wm_depth_stencil_depth_test_function[] = {
    {"ALWAYS", 0}, {"NEVER", 1}, {"LESS", 2}, {"EQUAL", 3}, {"LEQUAL", 4}, {"GREATER", 5}, {"NOTEQUAL", 6},
    {"GEQUAL", 7}, {NULL, 0},
};
static const struct field_value f_wm_depth_stencil_backface_stencil_pass_depth_pass_op[] = {
    {"KEEP", 0}, {"ZERO", 1}, {"REPLACE", 2}, {"INCRSAT", 3}, {"DECRSAT", 4}, {"INCR", 5}, {"DECR", 6},
    {"INVERT", 7}, {NULL, 0},
};
static const struct field f_wm_depth_stencil[] = {
    {"Depth Buffer Write Enable", 32, 32, FIELD_BOOL, NULL}, {"Depth Test Enable", 33, 33, FIELD_BOOL, NULL},
    {"Stencil Buffer Write Enable", 34, 34, FIELD_BOOL, NULL},
    {"Stencil Test Enable", 35, 35, FIELD_BOOL, NULL},
    {"Double Sided Stencil Enable", 36, 36, FIELD_BOOL, NULL},
    {"Depth Test Function", 37, 39, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Stencil Test Function", 40, 42, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Backface Stencil Pass Depth Pass Op", 43, 45, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Pass Depth Fail Op", 46, 48, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Fail Op", 49, 51, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Test Function", 52, 54, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Stencil Pass Depth Pass Op", 55, 57, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Stencil Pass Depth Fail Op", 58, 60, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Stencil Fail Op", 61, 63, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Write Mask", 64, 71, FIELD_UINT, NULL},
    {"Backface Stencil Test Mask", 72, 79, FIELD_UINT, NULL}, {"Stencil Write Mask", 80, 87, FIELD_UINT, NULL},
    {"Stencil Test Mask", 88, 95, FIELD_UINT, NULL},
};
static const struct field f_wm_depth_stencil_2[] = {
    {"Depth Buffer Write Enable", 32, 32, FIELD_BOOL, NULL}, {"Depth Test Enable", 33, 33, FIELD_BOOL, NULL},
    {"Stencil Buffer Write Enable", 34, 34, FIELD_BOOL, NULL},
    {"Stencil Test Enable", 35, 35, FIELD_BOOL, NULL},
    {"Double Sided Stencil Enable", 36, 36, FIELD_BOOL, NULL},
    {"Depth Test Function", 37, 39, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Stencil Test Function", 40, 42, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Backface Stencil Pass Depth Pass Op", 43, 45, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Pass Depth Fail Op", 46, 48, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Fail Op", 49, 51, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Test Function", 52, 54, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Stencil Pass Depth Pass Op", 55, 57, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Stencil Pass Depth Fail Op", 58, 60, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Stencil Fail Op", 61, 63, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Write Mask", 64, 71, FIELD_UINT, NULL},
    {"Backface Stencil Test Mask", 72, 79, FIELD_UINT, NULL}, {"Stencil Write Mask", 80, 87, FIELD_UINT, NULL},
    {"Stencil Test Mask", 88, 95, FIELD_UINT, NULL},
    {"Backface Stencil Reference Value", 96, 103, FIELD_UINT, NULL},
    {"Stencil Reference Value", 104, 111, FIELD_UINT, NULL},
};
static const struct field f_wm_depth_stencil_3[] = {
    {"Stencil Reference Value Modify Disable", 8, 8, FIELD_BOOL, NULL},
    {"Stencil Test Mask Modify Disable", 9, 9, FIELD_BOOL, NULL},
    {"Stencil Write Mask Modify Disable", 10, 10, FIELD_BOOL, NULL},
    {"Stencil State Modify Disable", 11, 11, FIELD_BOOL, NULL},
    {"Depth State Modify Disable", 12, 12, FIELD_BOOL, NULL},
    {"Depth Buffer Write Enable", 32, 32, FIELD_BOOL, NULL}, {"Depth Test Enable", 33, 33, FIELD_BOOL, NULL},
    {"Stencil Buffer Write Enable", 34, 34, FIELD_BOOL, NULL},
    {"Stencil Test Enable", 35, 35, FIELD_BOOL, NULL},
    {"Double Sided Stencil Enable", 36, 36, FIELD_BOOL, NULL},
    {"Depth Test Function", 37, 39, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Stencil Test Function", 40, 42, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Backface Stencil Pass Depth Pass Op", 43, 45, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Pass Depth Fail Op", 46, 48, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Fail Op", 49, 51, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Test Function", 52, 54, FIELD_UINT, f_wm_depth_stencil_depth_test_function},
    {"Stencil Pass Depth Pass Op", 55, 57, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Stencil Pass Depth Fail Op", 58, 60, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Stencil Fail Op", 61, 63, FIELD_UINT, f_wm_depth_stencil_backface_stencil_pass_depth_pass_op},
    {"Backface Stencil Write Mask", 64, 71, FIELD_UINT, NULL},
    {"Backface Stencil Test Mask", 72, 79, FIELD_UINT, NULL}, {"Stencil Write Mask", 80, 87, FIELD_UINT, NULL},
    {"Stencil Test Mask", 88, 95, FIELD_UINT, NULL},
    {"Backface Stencil Reference Value", 96, 103, FIELD_UINT, NULL},
    {"Stencil Reference Value", 104, 111, FIELD_UINT, NULL},
};
static const struct field f_wm_hz_op[] = {
    {"Number of Multisamples", 45, 47, FIELD_UINT, NULL}, {"Stencil Clear Value", 48, 55, FIELD_UINT, NULL},
    {"Full Surface Depth and Stencil Clear", 57, 57, FIELD_BOOL, NULL},
    {"Pixel Position Offset Enable", 58, 58, FIELD_BOOL, NULL},
    {"Hierarchical Depth Buffer Resolve Enable", 59, 59, FIELD_BOOL, NULL},
    {"Depth Buffer Resolve Enable", 60, 60, FIELD_BOOL, NULL},
    {"Scissor Rectangle Enable", 61, 61, FIELD_BOOL, NULL},
    {"Depth Buffer Clear Enable", 62, 62, FIELD_BOOL, NULL},
    {"Stencil Buffer Clear Enable", 63, 63, FIELD_BOOL, NULL},
    {"Clear Rectangle X Min", 64, 79, FIELD_UINT, NULL}, {"Clear Rectangle Y Min", 80, 95, FIELD_UINT, NULL},
    {"Clear Rectangle X Max", 96, 111, FIELD_UINT, NULL},
    {"Clear Rectangle Y Max", 112, 127, FIELD_UINT, NULL}, {"Sample Mask", 128, 143, FIELD_UINT, NULL},
};
static const struct field f_wm_hz_op_2[] = {
    {"Number of Multisamples", 45, 47, FIELD_UINT, NULL}, {"Stencil Clear Value", 48, 55, FIELD_UINT, NULL},
    {"Stencil Buffer Resolve Enable", 56, 56, FIELD_BOOL, NULL},
    {"Full Surface Depth and Stencil Clear", 57, 57, FIELD_BOOL, NULL},
    {"Pixel Position Offset Enable", 58, 58, FIELD_BOOL, NULL},
    {"Hierarchical Depth Buffer Resolve Enable", 59, 59, FIELD_BOOL, NULL},
    {"Depth Buffer Resolve Enable", 60, 60, FIELD_BOOL, NULL},
    {"Scissor Rectangle Enable", 61, 61, FIELD_BOOL, NULL},
    {"Depth Buffer Clear Enable", 62, 62, FIELD_BOOL, NULL},
    {"Stencil Buffer Clear Enable", 63, 63, FIELD_BOOL, NULL},
    {"Clear Rectangle X Min", 64, 79, FIELD_UINT, NULL}, {"Clear Rectangle Y Min", 80, 95, FIELD_UINT, NULL},
    {"Clear Rectangle X Max", 96, 111, FIELD_UINT, NULL},
    {"Clear Rectangle Y Max", 112, 127, FIELD_UINT, NULL}, {"Sample Mask", 128, 143, FIELD_UINT, NULL},
};

static const struct command rows[] = {
    {.name = "3DSTATE_CLEAR_PARAMS", .summary = "Depth clear value.", .match = 0x79100000, .mask = 0xffff0000,
     .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_clear_params), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_CLEAR_PARAMS", .summary = "Depth clear value.", .match = 0x78040000, .mask = 0xffff0000,
     .engines = RENDER, .since = GEN7, .until = GEN75, .length_bits = 8, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT, FIELDS(f_clear_params_2), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_CLEAR_PARAMS", .summary = "Depth clear value.", .match = 0x78040000, .mask = 0xffff0000,
     .engines = RENDER, .since = GEN8, .length_bits = 8, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT, FIELDS(f_clear_params_3), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BOUNDS", .summary = "Depth bounds test.", .match = 0x78710000, .mask = 0xffff0000,
     .engines = RENDER, .since = GEN12, .min_dwords = 4, .flags = COMMAND_KEPT, FIELDS(f_depth_bounds),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BUFFER", .summary = "The depth buffer: surface, format, address.",
     .match = 0x79050000, .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6,
     .length_bits = 8, .length_bias = 2, .min_dwords = 7, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_depth_buffer),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BUFFER", .summary = "The depth buffer: surface, format, address.",
     .match = 0x78050000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 7, .flags = COMMAND_KEPT, FIELDS(f_depth_buffer_2),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BUFFER", .summary = "The depth buffer: surface, format, address.",
     .match = 0x78050000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8,
     .length_bits = 8, .length_bias = 2, .min_dwords = 8, .flags = COMMAND_KEPT, FIELDS(f_depth_buffer_3),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BUFFER", .summary = "The depth buffer: surface, format, address.",
     .match = 0x78050000, .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .until = GEN11,
     .length_bits = 8, .length_bias = 2, .min_dwords = 8, .flags = COMMAND_KEPT, FIELDS(f_depth_buffer_4),
     .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BUFFER", .summary = "The depth buffer: surface, format, address.",
     .match = 0x78050000, .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .until = GEN12,
     .length_bits = 8, .length_bias = 2, .min_dwords = 8, .flags = COMMAND_KEPT, FIELDS(f_depth_buffer_5),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BUFFER", .summary = "The depth buffer: surface, format, address.",
     .match = 0x78050000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 10, .flags = COMMAND_KEPT, FIELDS(f_depth_buffer_6),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_STENCIL_STATE_POINTERS", .summary = "Where the depth and stencil state is.",
     .match = 0x78250000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT,
     FIELDS(f_depth_stencil_state_pointers), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_HIER_DEPTH_BUFFER", .summary = "The hierarchical depth buffer.", .match = 0x790f0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_hier_depth_buffer), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_HIER_DEPTH_BUFFER", .summary = "The hierarchical depth buffer.", .match = 0x78070000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75, .length_bits = 8, .length_bias = 2,
     .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_hier_depth_buffer), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_HIER_DEPTH_BUFFER", .summary = "The hierarchical depth buffer.", .match = 0x78070000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN9, .length_bits = 8, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_hier_depth_buffer_2), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_HIER_DEPTH_BUFFER", .summary = "The hierarchical depth buffer.", .match = 0x78070000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN11, .until = GEN11, .length_bits = 8, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_hier_depth_buffer_3), .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "3DSTATE_HIER_DEPTH_BUFFER", .summary = "The hierarchical depth buffer.", .match = 0x78070000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .until = GEN12, .length_bits = 8, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_hier_depth_buffer_4), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_HIER_DEPTH_BUFFER", .summary = "The hierarchical depth buffer.", .match = 0x78070000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_hier_depth_buffer_5), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_STENCIL_BUFFER", .summary = "The stencil buffer: surface and address.",
     .match = 0x790e0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_hier_depth_buffer),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_STENCIL_BUFFER", .summary = "The stencil buffer: surface and address.",
     .match = 0x78060000, .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN7,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_hier_depth_buffer),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_STENCIL_BUFFER", .summary = "The stencil buffer: surface and address.",
     .match = 0x78060000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_stencil_buffer),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_STENCIL_BUFFER", .summary = "The stencil buffer: surface and address.",
     .match = 0x78060000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN11,
     .length_bits = 8, .length_bias = 2, .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_stencil_buffer_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_STENCIL_BUFFER", .summary = "The stencil buffer: surface and address.",
     .match = 0x78060000, .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .until = GEN12,
     .length_bits = 8, .length_bias = 2, .min_dwords = 8, .flags = COMMAND_KEPT, FIELDS(f_stencil_buffer_3),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_STENCIL_BUFFER", .summary = "The stencil buffer: surface and address.",
     .match = 0x78060000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 8, .flags = COMMAND_KEPT, FIELDS(f_stencil_buffer_4),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_WM_DEPTH_STENCIL", .summary = "Depth and stencil tests.", .match = 0x784e0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8, .length_bits = 8, .length_bias = 2,
     .min_dwords = 3, .flags = COMMAND_KEPT, FIELDS(f_wm_depth_stencil), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_WM_DEPTH_STENCIL", .summary = "Depth and stencil tests.", .match = 0x784e0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .until = GEN11, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT, FIELDS(f_wm_depth_stencil_2), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_WM_DEPTH_STENCIL", .summary = "Depth and stencil tests.", .match = 0x784e0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT, FIELDS(f_wm_depth_stencil_3), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_WM_HZ_OP", .summary = "Clears or resolves depth and stencil.", .match = 0x78520000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN11, .length_bits = 8, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT | COMMAND_PREDICATED, FIELDS(f_wm_hz_op),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_WM_HZ_OP", .summary = "Clears or resolves depth and stencil.", .match = 0x78520000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .until = GEN12, .length_bits = 8, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT | COMMAND_PREDICATED, FIELDS(f_wm_hz_op_2),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_WM_HZ_OP", .summary = "Clears or resolves depth and stencil.", .match = 0x78520000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8, .length_bias = 2,
     .min_dwords = 6, .flags = COMMAND_KEPT | COMMAND_PREDICATED, FIELDS(f_wm_hz_op_2),
     .spec = "CSP-08, DG2 PRM vol 2a"},
};
/* clang-format on */

const struct command_table state_3d_depth_commands = COMMAND_TABLE(rows);
