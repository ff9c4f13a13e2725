/* 3D state: rasteriser and samples: state is kept, work is counted. Field names and places as the public
 * manuals of each generation give them. (CSP-08) */
#include "stream/command.h"

#include "commands/tables.h"

/* clang-format off */
static const struct field f_aa_line_parameters[] = {
    {"AA Coverage Slope", 32, 39, FIELD_HEX, NULL}, {"AA Coverage Bias", 48, 55, FIELD_HEX, NULL},
    {"AA Coverage EndCap Slope", 64, 71, FIELD_HEX, NULL},
    {"AA Coverage EndCap Bias", 80, 87, FIELD_HEX, NULL},
};
static const struct field f_aa_line_parameters_2[] = {
    {"AA Coverage Slope", 32, 39, FIELD_HEX, NULL}, {"AA Point Coverage Slope", 40, 47, FIELD_HEX, NULL},
    {"AA Coverage Bias", 48, 55, FIELD_HEX, NULL}, {"AA Point Coverage Bias", 56, 63, FIELD_HEX, NULL},
    {"AA Coverage EndCap Slope", 64, 71, FIELD_HEX, NULL},
    {"AA Point Coverage EndCap Slope", 72, 79, FIELD_HEX, NULL},
    {"AA Coverage EndCap Bias", 80, 87, FIELD_HEX, NULL},
    {"AA Point Coverage EndCap Bias", 88, 95, FIELD_HEX, NULL},
};
static const struct field_value f_cps_coarse_pixel_shading_mode[] = {
    {"CPS_MODE_NONE", 0}, {"CPS_MODE_CONSTANT", 1}, {"CPS_MODE_RADIAL", 2}, {NULL, 0},
};
static const struct field_value f_cps_scale_axis[] = {
    {"X axis", 0}, {"Y axis", 1}, {NULL, 0},
};
static const struct field f_cps[] = {
    {"Min CP Size X", 32, 42, FIELD_HEX, NULL}, {"Statistics Enable", 43, 43, FIELD_BOOL, NULL},
    {"Coarse Pixel Shading Mode", 44, 45, FIELD_UINT, f_cps_coarse_pixel_shading_mode},
    {"Scale Axis", 46, 46, FIELD_UINT, f_cps_scale_axis}, {"Min CP Size Y", 48, 58, FIELD_HEX, NULL},
    {"Max CP Size X", 64, 74, FIELD_HEX, NULL}, {"Max CP Size Y", 80, 90, FIELD_HEX, NULL},
    {"Y Focal", 96, 111, FIELD_INT, NULL}, {"X Focal", 128, 143, FIELD_INT, NULL},
    {"M y", 160, 191, FIELD_FLOAT, NULL}, {"M x", 192, 223, FIELD_FLOAT, NULL},
    {"R min", 224, 255, FIELD_FLOAT, NULL}, {"Aspect", 256, 287, FIELD_FLOAT, NULL},
};
static const struct field_value f_cpsize_control_buffer_tiled_mode[] = {
    {"TILE64", 1}, {"TILE4", 3}, {NULL, 0},
};
static const struct field f_cpsize_control_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, NULL}, {"CPCB Compression Enable", 57, 57, FIELD_BOOL, NULL},
    {"Surface Type", 61, 63, FIELD_UINT, NULL}, {"Surface Base Address", 64, 127, FIELD_ADDRESS, NULL},
    {"Width", 129, 142, FIELD_UINT, NULL}, {"Height", 145, 158, FIELD_UINT, NULL},
    {"MOCS", 160, 166, FIELD_UINT, NULL}, {"Minimum Array Element", 168, 178, FIELD_UINT, NULL},
    {"Depth", 180, 190, FIELD_UINT, NULL}, {"Mip Tail Start LOD", 218, 221, FIELD_UINT, NULL},
    {"Tiled Mode", 222, 223, FIELD_UINT, f_cpsize_control_buffer_tiled_mode},
    {"Surface QPitch", 224, 238, FIELD_UINT, NULL}, {"Surf LOD", 240, 243, FIELD_UINT, NULL},
    {"Render Target View Extent", 245, 255, FIELD_UINT, NULL},
};
static const struct field f_cps_pointers[] = {
    {"Coarse Pixel Shading State Array Pointer", 37, 63, FIELD_OFFSET, NULL},
};
static const struct field f_line_stipple[] = {
    {"Line Stipple Pattern", 32, 47, FIELD_UINT, NULL}, {"Current Stipple Index", 48, 51, FIELD_UINT, NULL},
    {"Current Repeat Counter", 53, 61, FIELD_UINT, NULL},
    {"Modify Enable (Current Repeat Counter, Current Stipple Index)", 63, 63, FIELD_BOOL, NULL},
    {"Line Stipple Repeat Count", 64, 72, FIELD_UINT, NULL},
    {"Line Stipple Inverse Repeat Count", 80, 95, FIELD_HEX, NULL},
};
static const struct field f_line_stipple_2[] = {
    {"Line Stipple Pattern", 32, 47, FIELD_UINT, NULL}, {"Current Stipple Index", 48, 51, FIELD_UINT, NULL},
    {"Current Repeat Counter", 53, 61, FIELD_UINT, NULL},
    {"Modify Enable (Current Repeat Counter, Current Stipple Index)", 63, 63, FIELD_BOOL, NULL},
    {"Line Stipple Repeat Count", 64, 72, FIELD_UINT, NULL},
    {"Line Stipple Inverse Repeat Count", 79, 95, FIELD_HEX, NULL},
};
static const struct field_value f_multisample_number_of_multisamples[] = {
    {"NUMSAMPLES_1", 0}, {"NUMSAMPLES_4", 2}, {NULL, 0},
};
static const struct field_value f_multisample_pixel_location[] = {
    {"CENTER", 0}, {"UL_CORNER", 1}, {NULL, 0},
};
static const struct field f_multisample[] = {
    {"Number of Multisamples", 33, 35, FIELD_UINT, f_multisample_number_of_multisamples},
    {"Pixel Location", 36, 36, FIELD_UINT, f_multisample_pixel_location},
    {"Sample0 Y Offset", 64, 67, FIELD_HEX, NULL}, {"Sample0 X Offset", 68, 71, FIELD_HEX, NULL},
    {"Sample1 Y Offset", 72, 75, FIELD_HEX, NULL}, {"Sample1 X Offset", 76, 79, FIELD_HEX, NULL},
    {"Sample2 Y Offset", 80, 83, FIELD_HEX, NULL}, {"Sample2 X Offset", 84, 87, FIELD_HEX, NULL},
    {"Sample3 Y Offset", 88, 91, FIELD_HEX, NULL}, {"Sample3 X Offset", 92, 95, FIELD_HEX, NULL},
};
static const struct field_value f_multisample_number_of_multisamples_2[] = {
    {"NUMSAMPLES_1", 0}, {"NUMSAMPLES_4", 2}, {"NUMSAMPLES_8", 3}, {NULL, 0},
};
static const struct field f_multisample_2[] = {
    {"Number of Multisamples", 33, 35, FIELD_UINT, f_multisample_number_of_multisamples_2},
    {"Pixel Location", 36, 36, FIELD_UINT, f_multisample_pixel_location},
    {"Sample0 Y Offset", 64, 67, FIELD_HEX, NULL}, {"Sample0 X Offset", 68, 71, FIELD_HEX, NULL},
    {"Sample1 Y Offset", 72, 75, FIELD_HEX, NULL}, {"Sample1 X Offset", 76, 79, FIELD_HEX, NULL},
    {"Sample2 Y Offset", 80, 83, FIELD_HEX, NULL}, {"Sample2 X Offset", 84, 87, FIELD_HEX, NULL},
    {"Sample3 Y Offset", 88, 91, FIELD_HEX, NULL}, {"Sample3 X Offset", 92, 95, FIELD_HEX, NULL},
    {"Sample4 Y Offset", 96, 99, FIELD_HEX, NULL}, {"Sample4 X Offset", 100, 103, FIELD_HEX, NULL},
    {"Sample5 Y Offset", 104, 107, FIELD_HEX, NULL}, {"Sample5 X Offset", 108, 111, FIELD_HEX, NULL},
    {"Sample6 Y Offset", 112, 115, FIELD_HEX, NULL}, {"Sample6 X Offset", 116, 119, FIELD_HEX, NULL},
    {"Sample7 Y Offset", 120, 123, FIELD_HEX, NULL}, {"Sample7 X Offset", 124, 127, FIELD_HEX, NULL},
};
static const struct field f_multisample_3[] = {
    {"Number of Multisamples", 33, 35, FIELD_UINT, f_multisample_number_of_multisamples_2},
    {"Pixel Location", 36, 36, FIELD_UINT, f_multisample_pixel_location},
    {"Multi Sample Enable", 37, 37, FIELD_BOOL, NULL}, {"Sample0 Y Offset", 64, 67, FIELD_HEX, NULL},
    {"Sample0 X Offset", 68, 71, FIELD_HEX, NULL}, {"Sample1 Y Offset", 72, 75, FIELD_HEX, NULL},
    {"Sample1 X Offset", 76, 79, FIELD_HEX, NULL}, {"Sample2 Y Offset", 80, 83, FIELD_HEX, NULL},
    {"Sample2 X Offset", 84, 87, FIELD_HEX, NULL}, {"Sample3 Y Offset", 88, 91, FIELD_HEX, NULL},
    {"Sample3 X Offset", 92, 95, FIELD_HEX, NULL}, {"Sample4 Y Offset", 96, 99, FIELD_HEX, NULL},
    {"Sample4 X Offset", 100, 103, FIELD_HEX, NULL}, {"Sample5 Y Offset", 104, 107, FIELD_HEX, NULL},
    {"Sample5 X Offset", 108, 111, FIELD_HEX, NULL}, {"Sample6 Y Offset", 112, 115, FIELD_HEX, NULL},
    {"Sample6 X Offset", 116, 119, FIELD_HEX, NULL}, {"Sample7 Y Offset", 120, 123, FIELD_HEX, NULL},
    {"Sample7 X Offset", 124, 127, FIELD_HEX, NULL},
};
static const struct field f_multisample_4[] = {
    {"Number of Multisamples", 33, 35, FIELD_UINT, NULL},
    {"Pixel Location", 36, 36, FIELD_UINT, f_multisample_pixel_location},
    {"Pixel Position Offset Enable", 37, 37, FIELD_BOOL, NULL},
};
static const struct field f_poly_stipple_offset[] = {
    {"Polygon Stipple Y Offset", 32, 36, FIELD_UINT, NULL},
    {"Polygon Stipple X Offset", 40, 44, FIELD_UINT, NULL},
};
static const struct field f_poly_stipple_pattern[] = {
    {"Pattern Row[0]", 32, 63, FIELD_HEX, NULL}, {"Pattern Row[1]", 64, 95, FIELD_HEX, NULL},
    {"Pattern Row[2]", 96, 127, FIELD_HEX, NULL}, {"Pattern Row[3]", 128, 159, FIELD_HEX, NULL},
    {"Pattern Row[4]", 160, 191, FIELD_HEX, NULL}, {"Pattern Row[5]", 192, 223, FIELD_HEX, NULL},
    {"Pattern Row[6]", 224, 255, FIELD_HEX, NULL}, {"Pattern Row[7]", 256, 287, FIELD_HEX, NULL},
    {"Pattern Row[8]", 288, 319, FIELD_HEX, NULL}, {"Pattern Row[9]", 320, 351, FIELD_HEX, NULL},
    {"Pattern Row[10]", 352, 383, FIELD_HEX, NULL}, {"Pattern Row[11]", 384, 415, FIELD_HEX, NULL},
    {"Pattern Row[12]", 416, 447, FIELD_HEX, NULL}, {"Pattern Row[13]", 448, 479, FIELD_HEX, NULL},
    {"Pattern Row[14]", 480, 511, FIELD_HEX, NULL}, {"Pattern Row[15]", 512, 543, FIELD_HEX, NULL},
    {"Pattern Row[16]", 544, 575, FIELD_HEX, NULL}, {"Pattern Row[17]", 576, 607, FIELD_HEX, NULL},
    {"Pattern Row[18]", 608, 639, FIELD_HEX, NULL}, {"Pattern Row[19]", 640, 671, FIELD_HEX, NULL},
    {"Pattern Row[20]", 672, 703, FIELD_HEX, NULL}, {"Pattern Row[21]", 704, 735, FIELD_HEX, NULL},
    {"Pattern Row[22]", 736, 767, FIELD_HEX, NULL}, {"Pattern Row[23]", 768, 799, FIELD_HEX, NULL},
    {"Pattern Row[24]", 800, 831, FIELD_HEX, NULL}, {"Pattern Row[25]", 832, 863, FIELD_HEX, NULL},
    {"Pattern Row[26]", 864, 895, FIELD_HEX, NULL}, {"Pattern Row[27]", 896, 927, FIELD_HEX, NULL},
    {"Pattern Row[28]", 928, 959, FIELD_HEX, NULL}, {"Pattern Row[29]", 960, 991, FIELD_HEX, NULL},
    {"Pattern Row[30]", 992, 1023, FIELD_HEX, NULL}, {"Pattern Row[31]", 1024, 1055, FIELD_HEX, NULL},
};
static const struct field f_primitive_replication[] = {
    {"Replication Count", 32, 35, FIELD_UINT, NULL}, {"Replica Mask", 48, 63, FIELD_UINT, NULL},
    {"Viewport Offset[0]", 64, 67, FIELD_UINT, NULL}, {"Viewport Offset[1]", 68, 71, FIELD_UINT, NULL},
    {"Viewport Offset[2]", 72, 75, FIELD_UINT, NULL}, {"Viewport Offset[3]", 76, 79, FIELD_UINT, NULL},
    {"Viewport Offset[4]", 80, 83, FIELD_UINT, NULL}, {"Viewport Offset[5]", 84, 87, FIELD_UINT, NULL},
    {"Viewport Offset[6]", 88, 91, FIELD_UINT, NULL}, {"Viewport Offset[7]", 92, 95, FIELD_UINT, NULL},
    {"Viewport Offset[8]", 96, 99, FIELD_UINT, NULL}, {"Viewport Offset[9]", 100, 103, FIELD_UINT, NULL},
    {"Viewport Offset[10]", 104, 107, FIELD_UINT, NULL}, {"Viewport Offset[11]", 108, 111, FIELD_UINT, NULL},
    {"Viewport Offset[12]", 112, 115, FIELD_UINT, NULL}, {"Viewport Offset[13]", 116, 119, FIELD_UINT, NULL},
    {"Viewport Offset[14]", 120, 123, FIELD_UINT, NULL}, {"Viewport Offset[15]", 124, 127, FIELD_UINT, NULL},
    {"RTAI Offset[0]", 128, 131, FIELD_UINT, NULL}, {"RTAI Offset[1]", 132, 135, FIELD_UINT, NULL},
    {"RTAI Offset[2]", 136, 139, FIELD_UINT, NULL}, {"RTAI Offset[3]", 140, 143, FIELD_UINT, NULL},
    {"RTAI Offset[4]", 144, 147, FIELD_UINT, NULL}, {"RTAI Offset[5]", 148, 151, FIELD_UINT, NULL},
    {"RTAI Offset[6]", 152, 155, FIELD_UINT, NULL}, {"RTAI Offset[7]", 156, 159, FIELD_UINT, NULL},
    {"RTAI Offset[8]", 160, 163, FIELD_UINT, NULL}, {"RTAI Offset[9]", 164, 167, FIELD_UINT, NULL},
    {"RTAI Offset[10]", 168, 171, FIELD_UINT, NULL}, {"RTAI Offset[11]", 172, 175, FIELD_UINT, NULL},
    {"RTAI Offset[12]", 176, 179, FIELD_UINT, NULL}, {"RTAI Offset[13]", 180, 183, FIELD_UINT, NULL},
    {"RTAI Offset[14]", 184, 187, FIELD_UINT, NULL}, {"RTAI Offset[15]", 188, 191, FIELD_UINT, NULL},
};
static const struct field_value f_raster_back_face_fill_mode[] = {
    {"SOLID", 0}, {"WIREFRAME", 1}, {"POINT", 2}, {NULL, 0},
};
static const struct field_value f_raster_dx_multisample_rasterization_mode[] = {
    {"MSRASTMODE_ OFF_PIXEL", 0}, {"MSRASTMODE_ OFF_PATTERN", 1}, {"MSRASTMODE_ ON_PIXEL", 2},
    {"MSRASTMODE_ ON_PATTERN", 3}, {NULL, 0},
};
static const struct field_value f_raster_cull_mode[] = {
    {"BOTH", 0}, {"NONE", 1}, {"FRONT", 2}, {"BACK", 3}, {NULL, 0},
};
static const struct field_value f_raster_forced_sample_count[] = {
    {"NUMRASTSAMPLES_0", 0}, {"NUMRASTSAMPLES_1", 1}, {"NUMRASTSAMPLES_2", 2}, {"NUMRASTSAMPLES_4", 3},
    {"NUMRASTSAMPLES_8", 4}, {"NUMRASTSAMPLES_16", 5}, {NULL, 0},
};
static const struct field_value f_raster_front_winding[] = {
    {"Clockwise", 0}, {"Counter Clockwise", 1}, {NULL, 0},
};
static const struct field_value f_raster_api_mode[] = {
    {"DX9/OGL", 0}, {"DX10.0", 1}, {"DX10.1+", 2}, {NULL, 0},
};
static const struct field f_raster[] = {
    {"Viewport Z Clip Test Enable", 32, 32, FIELD_BOOL, NULL},
    {"Scissor Rectangle Enable", 33, 33, FIELD_BOOL, NULL}, {"Antialiasing Enable", 34, 34, FIELD_BOOL, NULL},
    {"Back Face Fill Mode", 35, 36, FIELD_UINT, f_raster_back_face_fill_mode},
    {"Front Face Fill Mode", 37, 38, FIELD_UINT, f_raster_back_face_fill_mode},
    {"Global Depth Offset Enable Point", 39, 39, FIELD_BOOL, NULL},
    {"Global Depth Offset Enable Wireframe", 40, 40, FIELD_BOOL, NULL},
    {"Global Depth Offset Enable Solid", 41, 41, FIELD_BOOL, NULL},
    {"DX Multisample Rasterization Mode", 42, 43, FIELD_UINT, f_raster_dx_multisample_rasterization_mode},
    {"DX Multisample Rasterization Enable", 44, 44, FIELD_BOOL, NULL},
    {"Smooth Point Enable", 45, 45, FIELD_BOOL, NULL}, {"Force Multisampling", 46, 46, FIELD_UINT, NULL},
    {"Cull Mode", 48, 49, FIELD_UINT, f_raster_cull_mode},
    {"Forced Sample Count", 50, 52, FIELD_UINT, f_raster_forced_sample_count},
    {"Front Winding", 53, 53, FIELD_UINT, f_raster_front_winding},
    {"API Mode", 54, 55, FIELD_UINT, f_raster_api_mode},
    {"Global Depth Offset Constant", 64, 95, FIELD_FLOAT, NULL},
    {"Global Depth Offset Scale", 96, 127, FIELD_FLOAT, NULL},
    {"Global Depth Offset Clamp", 128, 159, FIELD_FLOAT, NULL},
};
static const struct field f_raster_2[] = {
    {"Viewport Z Near Clip Test Enable", 32, 32, FIELD_BOOL, NULL},
    {"Scissor Rectangle Enable", 33, 33, FIELD_BOOL, NULL}, {"Antialiasing Enable", 34, 34, FIELD_BOOL, NULL},
    {"Back Face Fill Mode", 35, 36, FIELD_UINT, f_raster_back_face_fill_mode},
    {"Front Face Fill Mode", 37, 38, FIELD_UINT, f_raster_back_face_fill_mode},
    {"Global Depth Offset Enable Point", 39, 39, FIELD_BOOL, NULL},
    {"Global Depth Offset Enable Wireframe", 40, 40, FIELD_BOOL, NULL},
    {"Global Depth Offset Enable Solid", 41, 41, FIELD_BOOL, NULL},
    {"DX Multisample Rasterization Mode", 42, 43, FIELD_UINT, f_raster_dx_multisample_rasterization_mode},
    {"DX Multisample Rasterization Enable", 44, 44, FIELD_BOOL, NULL},
    {"Smooth Point Enable", 45, 45, FIELD_BOOL, NULL}, {"Force Multisampling", 46, 46, FIELD_UINT, NULL},
    {"Cull Mode", 48, 49, FIELD_UINT, f_raster_cull_mode},
    {"Forced Sample Count", 50, 52, FIELD_UINT, f_raster_forced_sample_count},
    {"Front Winding", 53, 53, FIELD_UINT, f_raster_front_winding},
    {"API Mode", 54, 55, FIELD_UINT, f_raster_api_mode},
    {"Conservative Rasterization Enable", 56, 56, FIELD_BOOL, NULL},
    {"Viewport Z Far Clip Test Enable", 58, 58, FIELD_BOOL, NULL},
    {"Global Depth Offset Constant", 64, 95, FIELD_FLOAT, NULL},
    {"Global Depth Offset Scale", 96, 127, FIELD_FLOAT, NULL},
    {"Global Depth Offset Clamp", 128, 159, FIELD_FLOAT, NULL},
};
static const struct field_value f_rast_multisample_number_of_rasterization_multisamples[] = {
    {"NUMRASTSAMPLES_1", 0}, {"NUMRASTSAMPLES_2", 1}, {"NUMRASTSAMPLES_4", 2}, {"NUMRASTSAMPLES_8", 3},
    {"NUMRASTSAMPLES_16", 4}, {NULL, 0},
};
static const struct field f_rast_multisample[] = {
    {"Number of Rasterization Multisamples", 33, 35, FIELD_UINT, f_rast_multisample_number_of_rasterization_multisamples},
    {"Sample0 Y Offset", 64, 67, FIELD_HEX, NULL}, {"Sample0 X Offset", 68, 71, FIELD_HEX, NULL},
    {"Sample1 Y Offset", 72, 75, FIELD_HEX, NULL}, {"Sample1 X Offset", 76, 79, FIELD_HEX, NULL},
    {"Sample2 Y Offset", 80, 83, FIELD_HEX, NULL}, {"Sample2 X Offset", 84, 87, FIELD_HEX, NULL},
    {"Sample3 Y Offset", 88, 91, FIELD_HEX, NULL}, {"Sample3 X Offset", 92, 95, FIELD_HEX, NULL},
    {"Sample4 Y Offset", 96, 99, FIELD_HEX, NULL}, {"Sample4 X Offset", 100, 103, FIELD_HEX, NULL},
    {"Sample5 Y Offset", 104, 107, FIELD_HEX, NULL}, {"Sample5 X Offset", 108, 111, FIELD_HEX, NULL},
    {"Sample6 Y Offset", 112, 115, FIELD_HEX, NULL}, {"Sample6 X Offset", 116, 119, FIELD_HEX, NULL},
    {"Sample7 Y Offset", 120, 123, FIELD_HEX, NULL}, {"Sample7 X Offset", 124, 127, FIELD_HEX, NULL},
    {"Sample8 Y Offset", 128, 131, FIELD_HEX, NULL}, {"Sample8 X Offset", 132, 135, FIELD_HEX, NULL},
    {"Sample9 Y Offset", 136, 139, FIELD_HEX, NULL}, {"Sample9 X Offset", 140, 143, FIELD_HEX, NULL},
    {"Sample10 Y Offset", 144, 147, FIELD_HEX, NULL}, {"Sample10 X Offset", 148, 151, FIELD_HEX, NULL},
    {"Sample11 Y Offset", 152, 155, FIELD_HEX, NULL}, {"Sample11 X Offset", 156, 159, FIELD_HEX, NULL},
    {"Sample12 Y Offset", 160, 163, FIELD_HEX, NULL}, {"Sample12 X Offset", 164, 167, FIELD_HEX, NULL},
    {"Sample13 Y Offset", 168, 171, FIELD_HEX, NULL}, {"Sample13 X Offset", 172, 175, FIELD_HEX, NULL},
    {"Sample14 Y Offset", 176, 179, FIELD_HEX, NULL}, {"Sample14 X Offset", 180, 183, FIELD_HEX, NULL},
    {"Sample15 Y Offset", 184, 187, FIELD_HEX, NULL}, {"Sample15 X Offset", 188, 191, FIELD_HEX, NULL},
};
static const struct field f_sample_mask[] = {
    {"Sample Mask", 32, 35, FIELD_UINT, NULL},
};
static const struct field f_sample_mask_2[] = {
    {"Sample Mask", 32, 39, FIELD_UINT, NULL},
};
static const struct field f_sample_mask_3[] = {
    {"Sample Mask", 32, 47, FIELD_UINT, NULL},
};
static const struct field f_sample_pattern[] = {
    {"8x Sample4 Y Offset", 160, 163, FIELD_HEX, NULL}, {"8x Sample4 X Offset", 164, 167, FIELD_HEX, NULL},
    {"8x Sample5 Y Offset", 168, 171, FIELD_HEX, NULL}, {"8x Sample5 X Offset", 172, 175, FIELD_HEX, NULL},
    {"8x Sample6 Y Offset", 176, 179, FIELD_HEX, NULL}, {"8x Sample6 X Offset", 180, 183, FIELD_HEX, NULL},
    {"8x Sample7 Y Offset", 184, 187, FIELD_HEX, NULL}, {"8x Sample7 X Offset", 188, 191, FIELD_HEX, NULL},
    {"8x Sample0 Y Offset", 192, 195, FIELD_HEX, NULL}, {"8x Sample0 X Offset", 196, 199, FIELD_HEX, NULL},
    {"8x Sample1 Y Offset", 200, 203, FIELD_HEX, NULL}, {"8x Sample1 X Offset", 204, 207, FIELD_HEX, NULL},
    {"8x Sample2 Y Offset", 208, 211, FIELD_HEX, NULL}, {"8x Sample2 X Offset", 212, 215, FIELD_HEX, NULL},
    {"8x Sample3 Y Offset", 216, 219, FIELD_HEX, NULL}, {"8x Sample3 X Offset", 220, 223, FIELD_HEX, NULL},
    {"4x Sample0 Y Offset", 224, 227, FIELD_HEX, NULL}, {"4x Sample0 X Offset", 228, 231, FIELD_HEX, NULL},
    {"4x Sample1 Y Offset", 232, 235, FIELD_HEX, NULL}, {"4x Sample1 X Offset", 236, 239, FIELD_HEX, NULL},
    {"4x Sample2 Y Offset", 240, 243, FIELD_HEX, NULL}, {"4x Sample2 X Offset", 244, 247, FIELD_HEX, NULL},
    {"4x Sample3 Y Offset", 248, 251, FIELD_HEX, NULL}, {"4x Sample3 X Offset", 252, 255, FIELD_HEX, NULL},
    {"2x Sample0 Y Offset", 256, 259, FIELD_HEX, NULL}, {"2x Sample0 X Offset", 260, 263, FIELD_HEX, NULL},
    {"2x Sample1 Y Offset", 264, 267, FIELD_HEX, NULL}, {"2x Sample1 X Offset", 268, 271, FIELD_HEX, NULL},
    {"1x Sample0 Y Offset", 272, 275, FIELD_HEX, NULL}, {"1x Sample0 X Offset", 276, 279, FIELD_HEX, NULL},
};
static const struct field f_sample_pattern_2[] = {
    {"16x Sample0 Y Offset", 32, 35, FIELD_HEX, NULL}, {"16x Sample0 X Offset", 36, 39, FIELD_HEX, NULL},
    {"16x Sample1 Y Offset", 40, 43, FIELD_HEX, NULL}, {"16x Sample1 X Offset", 44, 47, FIELD_HEX, NULL},
    {"16x Sample2 Y Offset", 48, 51, FIELD_HEX, NULL}, {"16x Sample2 X Offset", 52, 55, FIELD_HEX, NULL},
    {"16x Sample3 Y Offset", 56, 59, FIELD_HEX, NULL}, {"16x Sample3 X Offset", 60, 63, FIELD_HEX, NULL},
    {"16x Sample4 Y Offset", 64, 67, FIELD_HEX, NULL}, {"16x Sample4 X Offset", 68, 71, FIELD_HEX, NULL},
    {"16x Sample5 Y Offset", 72, 75, FIELD_HEX, NULL}, {"16x Sample5 X Offset", 76, 79, FIELD_HEX, NULL},
    {"16x Sample6 Y Offset", 80, 83, FIELD_HEX, NULL}, {"16x Sample6 X Offset", 84, 87, FIELD_HEX, NULL},
    {"16x Sample7 Y Offset", 88, 91, FIELD_HEX, NULL}, {"16x Sample7 X Offset", 92, 95, FIELD_HEX, NULL},
    {"16x Sample8 Y Offset", 96, 99, FIELD_HEX, NULL}, {"16x Sample8 X Offset", 100, 103, FIELD_HEX, NULL},
    {"16x Sample9 Y Offset", 104, 107, FIELD_HEX, NULL}, {"16x Sample9 X Offset", 108, 111, FIELD_HEX, NULL},
    {"16x Sample10 Y Offset", 112, 115, FIELD_HEX, NULL}, {"16x Sample10 X Offset", 116, 119, FIELD_HEX, NULL},
    {"16x Sample11 Y Offset", 120, 123, FIELD_HEX, NULL}, {"16x Sample11 X Offset", 124, 127, FIELD_HEX, NULL},
    {"16x Sample12 Y Offset", 128, 131, FIELD_HEX, NULL}, {"16x Sample12 X Offset", 132, 135, FIELD_HEX, NULL},
    {"16x Sample13 Y Offset", 136, 139, FIELD_HEX, NULL}, {"16x Sample13 X Offset", 140, 143, FIELD_HEX, NULL},
    {"16x Sample14 Y Offset", 144, 147, FIELD_HEX, NULL}, {"16x Sample14 X Offset", 148, 151, FIELD_HEX, NULL},
    {"16x Sample15 Y Offset", 152, 155, FIELD_HEX, NULL}, {"16x Sample15 X Offset", 156, 159, FIELD_HEX, NULL},
    {"8x Sample4 Y Offset", 160, 163, FIELD_HEX, NULL}, {"8x Sample4 X Offset", 164, 167, FIELD_HEX, NULL},
    {"8x Sample5 Y Offset", 168, 171, FIELD_HEX, NULL}, {"8x Sample5 X Offset", 172, 175, FIELD_HEX, NULL},
    {"8x Sample6 Y Offset", 176, 179, FIELD_HEX, NULL}, {"8x Sample6 X Offset", 180, 183, FIELD_HEX, NULL},
    {"8x Sample7 Y Offset", 184, 187, FIELD_HEX, NULL}, {"8x Sample7 X Offset", 188, 191, FIELD_HEX, NULL},
    {"8x Sample0 Y Offset", 192, 195, FIELD_HEX, NULL}, {"8x Sample0 X Offset", 196, 199, FIELD_HEX, NULL},
    {"8x Sample1 Y Offset", 200, 203, FIELD_HEX, NULL}, {"8x Sample1 X Offset", 204, 207, FIELD_HEX, NULL},
    {"8x Sample2 Y Offset", 208, 211, FIELD_HEX, NULL}, {"8x Sample2 X Offset", 212, 215, FIELD_HEX, NULL},
    {"8x Sample3 Y Offset", 216, 219, FIELD_HEX, NULL}, {"8x Sample3 X Offset", 220, 223, FIELD_HEX, NULL},
    {"4x Sample0 Y Offset", 224, 227, FIELD_HEX, NULL}, {"4x Sample0 X Offset", 228, 231, FIELD_HEX, NULL},
    {"4x Sample1 Y Offset", 232, 235, FIELD_HEX, NULL}, {"4x Sample1 X Offset", 236, 239, FIELD_HEX, NULL},
    {"4x Sample2 Y Offset", 240, 243, FIELD_HEX, NULL}, {"4x Sample2 X Offset", 244, 247, FIELD_HEX, NULL},
    {"4x Sample3 Y Offset", 248, 251, FIELD_HEX, NULL}, {"4x Sample3 X Offset", 252, 255, FIELD_HEX, NULL},
    {"2x Sample0 Y Offset", 256, 259, FIELD_HEX, NULL}, {"2x Sample0 X Offset", 260, 263, FIELD_HEX, NULL},
    {"2x Sample1 Y Offset", 264, 267, FIELD_HEX, NULL}, {"2x Sample1 X Offset", 268, 271, FIELD_HEX, NULL},
    {"1x Sample0 Y Offset", 272, 275, FIELD_HEX, NULL}, {"1x Sample0 X Offset", 276, 279, FIELD_HEX, NULL},
};

static const struct command rows[] = {
    {.name = "3DSTATE_AA_LINE_PARAMETERS", .summary = "Coverage slopes of antialiased lines.",
     .match = 0x790a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_aa_line_parameters),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_AA_LINE_PARAMETERS", .summary = "Coverage slopes of antialiased lines.",
     .match = 0x790a0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8,
     .length_bias = 2, .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_aa_line_parameters_2),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CPS", .summary = "Coarse pixel shading.", .match = 0x78220000, .mask = 0xffff0000,
     .engines = RENDER, .since = GEN11, .until = GEN11, .length_bits = 8, .length_bias = 2, .min_dwords = 9,
     .flags = COMMAND_KEPT, FIELDS(f_cps), .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "3DSTATE_CPSIZE_CONTROL_BUFFER", .summary = "Cpsize control buffer of the 3D pipeline.",
     .match = 0x78830000, .mask = 0xffff0000, .engines = RENDER, .since = GEN125, .length_bits = 8,
     .length_bias = 2, .min_dwords = 8, .flags = COMMAND_KEPT, FIELDS(f_cpsize_control_buffer),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_CPS_POINTERS", .summary = "Where the coarse pixel state is.", .match = 0x78220000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .length_bits = 16, .length_bias = 2,
     .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_cps_pointers), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_LINE_STIPPLE", .summary = "Stipple pattern of lines.", .match = 0x79080000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_line_stipple), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_LINE_STIPPLE", .summary = "Stipple pattern of lines.", .match = 0x79080000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .length_bits = 8, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_line_stipple_2), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_MULTISAMPLE", .summary = "Number and place of samples in a pixel.", .match = 0x790d0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 3, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_multisample), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_MULTISAMPLE", .summary = "Number and place of samples in a pixel.", .match = 0x790d0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN7, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_multisample_2), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_MULTISAMPLE", .summary = "Number and place of samples in a pixel.", .match = 0x790d0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_multisample_3), .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_MULTISAMPLE", .summary = "Number and place of samples in a pixel.", .match = 0x780d0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, FIELDS(f_multisample_4), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_POLY_STIPPLE_OFFSET", .summary = "Where the polygon stipple starts.",
     .match = 0x79060000, .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .length_bits = 8,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_poly_stipple_offset),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_POLY_STIPPLE_PATTERN", .summary = "Stipple pattern of polygons.", .match = 0x79070000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 33, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_poly_stipple_pattern), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_PRIMITIVE_REPLICATION", .summary = "Replicates primitives over views.",
     .match = 0x786c0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN12, .length_bits = 8,
     .length_bias = 2, .min_dwords = 6, .flags = COMMAND_KEPT, FIELDS(f_primitive_replication),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_RASTER", .summary = "The rasteriser: fill, cull, depth offset.", .match = 0x78500000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8, .length_bits = 8, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT, FIELDS(f_raster), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_RASTER", .summary = "The rasteriser: fill, cull, depth offset.", .match = 0x78500000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8, .length_bias = 2, .min_dwords = 5,
     .flags = COMMAND_KEPT, FIELDS(f_raster_2), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_RAST_MULTISAMPLE", .summary = "Rast multisample of the 3D pipeline.",
     .match = 0x790e0000, .mask = 0xffff0000, .engines = RENDER, .since = GEN75, .until = GEN75,
     .length_bits = 8, .length_bias = 2, .min_dwords = 6, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_rast_multisample),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_SAMPLE_MASK", .summary = "Samples that may be written.", .match = 0x78180000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_sample_mask), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLE_MASK", .summary = "Samples that may be written.", .match = 0x78180000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN7, .until = GEN75, .length_bits = 8, .length_bias = 2,
     .min_dwords = 2, .flags = COMMAND_KEPT, FIELDS(f_sample_mask_2), .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_SAMPLE_MASK", .summary = "Samples that may be written.", .match = 0x78180000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, FIELDS(f_sample_mask_3), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_SAMPLE_PATTERN", .summary = "Places of the samples in a pixel.", .match = 0x791c0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN8, .until = GEN8, .length_bits = 8, .length_bias = 2,
     .min_dwords = 9, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_sample_pattern), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_SAMPLE_PATTERN", .summary = "Places of the samples in a pixel.", .match = 0x791c0000,
     .mask = 0xffff0000, .engines = RENDER, .since = GEN9, .length_bits = 8, .length_bias = 2, .min_dwords = 9,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_sample_pattern_2), .spec = "CSP-08, SKL PRM vol 2a"},
};
/* clang-format on */

const struct command_table state_3d_raster_commands = COMMAND_TABLE(rows);
