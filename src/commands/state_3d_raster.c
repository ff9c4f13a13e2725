/* 3D state: rasteriser and samples: state is kept, work is counted. Field names and places as the public
 * manuals of each generation give them. (CSP-08) */
#include "draw/draw.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"

static const struct field f_3dstate_aa_line_parameters[] = {
    {"AA Coverage Slope", 32, 39, FIELD_HEX},
    {"AA Point Coverage Slope", 40, 47, FIELD_HEX, .since = GEN8},
    {"AA Coverage Bias", 48, 55, FIELD_HEX},
    {"AA Point Coverage Bias", 56, 63, FIELD_HEX, .since = GEN8},
    {"AA Coverage EndCap Slope", 64, 71, FIELD_HEX},
    {"AA Point Coverage EndCap Slope", 72, 79, FIELD_HEX, .since = GEN8},
    {"AA Coverage EndCap Bias", 80, 87, FIELD_HEX},
    {"AA Point Coverage EndCap Bias", 88, 95, FIELD_HEX, .since = GEN8},
};
static const struct field_value coarse_pixel_shading_mode[] = {
    {"CPS_MODE_NONE", 0}, {"CPS_MODE_CONSTANT", 1}, {"CPS_MODE_RADIAL", 2}, {NULL, 0}};
static const struct field_value scale_axis[] = {{"X axis", 0}, {"Y axis", 1}, {NULL, 0}};
static const struct field f_3dstate_cps[] = {
    {"Min CP Size X", 32, 42, FIELD_HEX},
    {"Statistics Enable", 43, 43, FIELD_BOOL},
    {"Coarse Pixel Shading Mode", 44, 45, FIELD_UINT, coarse_pixel_shading_mode},
    {"Scale Axis", 46, 46, FIELD_UINT, scale_axis},
    {"Min CP Size Y", 48, 58, FIELD_HEX},
    {"Max CP Size X", 64, 74, FIELD_HEX},
    {"Max CP Size Y", 80, 90, FIELD_HEX},
    {"Y Focal", 96, 111, FIELD_INT},
    {"X Focal", 128, 143, FIELD_INT},
    {"M y", 160, 191, FIELD_FLOAT},
    {"M x", 192, 223, FIELD_FLOAT},
    {"R min", 224, 255, FIELD_FLOAT},
    {"Aspect", 256, 287, FIELD_FLOAT},
};
static const struct field_value tiled_mode[] = {{"TILE64", 1}, {"TILE4", 3}, {NULL, 0}};
static const struct field f_3dstate_cpsize_control_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX},
    {"CPCB Compression Enable", 57, 57, FIELD_BOOL},
    {"Surface Type", 61, 63, FIELD_UINT},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS},
    {"Width", 129, 142, FIELD_UINT},
    {"Height", 145, 158, FIELD_UINT},
    {"MOCS", 160, 166, FIELD_UINT},
    {"Minimum Array Element", 168, 178, FIELD_UINT},
    {"Depth", 180, 190, FIELD_UINT},
    {"Mip Tail Start LOD", 218, 221, FIELD_UINT},
    {"Tiled Mode", 222, 223, FIELD_UINT, tiled_mode},
    {"Surface QPitch", 224, 238, FIELD_UINT},
    {"Surf LOD", 240, 243, FIELD_UINT},
    {"Render Target View Extent", 245, 255, FIELD_UINT},
};
static const struct field f_3dstate_cps_pointers[] = {
    {"Coarse Pixel Shading State Array Pointer", 37, 63, FIELD_OFFSET, .base = BASE_DYNAMIC},
};
static const struct field f_3dstate_line_stipple[] = {
    {"Line Stipple Pattern", 32, 47, FIELD_UINT},
    {"Current Stipple Index", 48, 51, FIELD_UINT},
    {"Current Repeat Counter", 53, 61, FIELD_UINT},
    {"Modify Enable (Current Repeat Counter, Current Stipple Index)", 63, 63, FIELD_BOOL},
    {"Line Stipple Repeat Count", 64, 72, FIELD_UINT},
    {"Line Stipple Inverse Repeat Count", 79, 95, FIELD_HEX, .since = GEN7},
    {"Line Stipple Inverse Repeat Count", 80, 95, FIELD_HEX, .until = GEN6},
};
static const struct field_value number_of_multisamples[] = {
    {"NUMSAMPLES_1", 0}, {"NUMSAMPLES_4", 2}, {NULL, 0}};
static const struct field_value number_of_multisamples_2[] = {
    {"NUMSAMPLES_1", 0}, {"NUMSAMPLES_4", 2}, {"NUMSAMPLES_8", 3}, {NULL, 0}};
static const struct field_value pixel_location[] = {{"CENTER", 0}, {"UL_CORNER", 1}, {NULL, 0}};
static const struct field f_3dstate_multisample[] = {
    {"Number of Multisamples", 33, 35, FIELD_UINT, number_of_multisamples, .until = GEN6,
     ROLE(MULTISAMPLE_NUMBER_OF_MULTISAMPLES)},
    {"Number of Multisamples", 33, 35, FIELD_UINT, number_of_multisamples_2, .since = GEN7, .until = GEN75},
    {"Number of Multisamples", 33, 35, FIELD_UINT, .since = GEN8, ROLE(MULTISAMPLE_NUMBER_OF_MULTISAMPLES)},
    {"Pixel Location", 36, 36, FIELD_UINT, pixel_location, ROLE(MULTISAMPLE_PIXEL_LOCATION)},
    {"Multi Sample Enable", 37, 37, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Pixel Position Offset Enable", 37, 37, FIELD_BOOL, .since = GEN8},
    {"Sample# Y Offset", 64, 67, FIELD_HEX, .count = 4, .stride = 8, .until = GEN6},
    {"Sample# Y Offset", 64, 67, FIELD_HEX, .count = 8, .stride = 8, .since = GEN7, .until = GEN75},
    {"Sample# X Offset", 68, 71, FIELD_HEX, .count = 4, .stride = 8, .until = GEN6},
    {"Sample# X Offset", 68, 71, FIELD_HEX, .count = 8, .stride = 8, .since = GEN7, .until = GEN75},
};
static const struct field f_3dstate_poly_stipple_offset[] = {
    {"Polygon Stipple Y Offset", 32, 36, FIELD_UINT},
    {"Polygon Stipple X Offset", 40, 44, FIELD_UINT},
};
static const struct field f_3dstate_poly_stipple_pattern[] = {
    {"Pattern Row[#]", 32, 63, FIELD_HEX, .count = 32, .stride = 32},
};
static const struct field f_3dstate_primitive_replication[] = {
    {"Replication Count", 32, 35, FIELD_UINT},
    {"Replica Mask", 48, 63, FIELD_UINT},
    {"Viewport Offset[#]", 64, 67, FIELD_UINT, .count = 16, .stride = 4},
    {"RTAI Offset[#]", 128, 131, FIELD_UINT, .count = 16, .stride = 4},
};
static const struct field_value back_face_fill_mode[] = {
    {"SOLID", 0}, {"WIREFRAME", 1}, {"POINT", 2}, {NULL, 0}};
static const struct field_value dx_multisample_rasterization_mode[] = {{"MSRASTMODE_ OFF_PIXEL", 0},
                                                                       {"MSRASTMODE_ OFF_PATTERN", 1},
                                                                       {"MSRASTMODE_ ON_PIXEL", 2},
                                                                       {"MSRASTMODE_ ON_PATTERN", 3},
                                                                       {NULL, 0}};
static const struct field_value cull_mode[] = {
    {"BOTH", 0}, {"NONE", 1}, {"FRONT", 2}, {"BACK", 3}, {NULL, 0}};
static const struct field_value forced_sample_count[] = {{"NUMRASTSAMPLES_0", 0},
                                                         {"NUMRASTSAMPLES_1", 1},
                                                         {"NUMRASTSAMPLES_2", 2},
                                                         {"NUMRASTSAMPLES_4", 3},
                                                         {"NUMRASTSAMPLES_8", 4},
                                                         {"NUMRASTSAMPLES_16", 5},
                                                         {NULL, 0}};
static const struct field_value front_winding[] = {{"Clockwise", 0}, {"Counter Clockwise", 1}, {NULL, 0}};
static const struct field_value api_mode[] = {{"DX9/OGL", 0}, {"DX10.0", 1}, {"DX10.1+", 2}, {NULL, 0}};
static const struct field f_3dstate_raster[] = {
    {"Viewport Z Clip Test Enable", 32, 32, FIELD_BOOL, .until = GEN8,
     ROLE(RASTER_VIEWPORT_Z_NEAR_CLIP_TEST_ENABLE)},
    {"Viewport Z Near Clip Test Enable", 32, 32, FIELD_BOOL, .since = GEN9,
     ROLE(RASTER_VIEWPORT_Z_NEAR_CLIP_TEST_ENABLE)},
    {"Scissor Rectangle Enable", 33, 33, FIELD_BOOL, ROLE(RASTER_SCISSOR_RECTANGLE_ENABLE)},
    {"Antialiasing Enable", 34, 34, FIELD_BOOL, ROLE(RASTER_ANTIALIASING_ENABLE)},
    {"Back Face Fill Mode", 35, 36, FIELD_UINT, back_face_fill_mode, ROLE(RASTER_BACK_FACE_FILL_MODE)},
    {"Front Face Fill Mode", 37, 38, FIELD_UINT, back_face_fill_mode, ROLE(RASTER_FRONT_FACE_FILL_MODE)},
    {"Global Depth Offset Enable Point", 39, 39, FIELD_BOOL, ROLE(RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_POINT)},
    {"Global Depth Offset Enable Wireframe", 40, 40, FIELD_BOOL,
     ROLE(RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_WIREFRAME)},
    {"Global Depth Offset Enable Solid", 41, 41, FIELD_BOOL, ROLE(RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_SOLID)},
    {"DX Multisample Rasterization Mode", 42, 43, FIELD_UINT, dx_multisample_rasterization_mode},
    {"DX Multisample Rasterization Enable", 44, 44, FIELD_BOOL},
    {"Smooth Point Enable", 45, 45, FIELD_BOOL, ROLE(RASTER_SMOOTH_POINT_ENABLE)},
    {"Force Multisampling", 46, 46, FIELD_UINT},
    {"Cull Mode", 48, 49, FIELD_UINT, cull_mode, ROLE(RASTER_CULL_MODE)},
    {"Forced Sample Count", 50, 52, FIELD_UINT, forced_sample_count, ROLE(RASTER_FORCED_SAMPLE_COUNT)},
    {"Front Winding", 53, 53, FIELD_UINT, front_winding, ROLE(RASTER_FRONT_WINDING)},
    {"API Mode", 54, 55, FIELD_UINT, api_mode},
    {"Conservative Rasterization Enable", 56, 56, FIELD_BOOL, .since = GEN9,
     ROLE(RASTER_CONSERVATIVE_RASTERIZATION_ENABLE)},
    {"Viewport Z Far Clip Test Enable", 58, 58, FIELD_BOOL, .since = GEN9,
     ROLE(RASTER_VIEWPORT_Z_FAR_CLIP_TEST_ENABLE)},
    {"Global Depth Offset Constant", 64, 95, FIELD_FLOAT, ROLE(RASTER_GLOBAL_DEPTH_OFFSET_CONSTANT)},
    {"Global Depth Offset Scale", 96, 127, FIELD_FLOAT, ROLE(RASTER_GLOBAL_DEPTH_OFFSET_SCALE)},
    {"Global Depth Offset Clamp", 128, 159, FIELD_FLOAT, ROLE(RASTER_GLOBAL_DEPTH_OFFSET_CLAMP)},
};
static const struct field_value number_of_rasterization_multisamples[] = {
    {"NUMRASTSAMPLES_1", 0}, {"NUMRASTSAMPLES_2", 1},  {"NUMRASTSAMPLES_4", 2},
    {"NUMRASTSAMPLES_8", 3}, {"NUMRASTSAMPLES_16", 4}, {NULL, 0}};
static const struct field f_3dstate_rast_multisample[] = {
    {"Number of Rasterization Multisamples", 33, 35, FIELD_UINT, number_of_rasterization_multisamples},
    {"Sample# Y Offset", 64, 67, FIELD_HEX, .count = 16, .stride = 8},
    {"Sample# X Offset", 68, 71, FIELD_HEX, .count = 16, .stride = 8},
};
static const struct field f_3dstate_sample_mask[] = {
    {"Sample Mask", 32, 35, FIELD_UINT, .until = GEN6, ROLE(SAMPLE_MASK)},
    {"Sample Mask", 32, 39, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Sample Mask", 32, 47, FIELD_UINT, .since = GEN8, ROLE(SAMPLE_MASK)},
};
static const struct field f_3dstate_sample_pattern[] = {
    {"16x Sample# Y Offset", 32, 35, FIELD_HEX, .count = 16, .stride = 8, .since = GEN9},
    {"16x Sample# X Offset", 36, 39, FIELD_HEX, .count = 16, .stride = 8, .since = GEN9},
    {"8x Sample4 Y Offset", 160, 163, FIELD_HEX},
    {"8x Sample4 X Offset", 164, 167, FIELD_HEX},
    {"8x Sample5 Y Offset", 168, 171, FIELD_HEX},
    {"8x Sample5 X Offset", 172, 175, FIELD_HEX},
    {"8x Sample6 Y Offset", 176, 179, FIELD_HEX},
    {"8x Sample6 X Offset", 180, 183, FIELD_HEX},
    {"8x Sample7 Y Offset", 184, 187, FIELD_HEX},
    {"8x Sample7 X Offset", 188, 191, FIELD_HEX},
    {"8x Sample# Y Offset", 192, 195, FIELD_HEX, .count = 4, .stride = 8},
    {"8x Sample# X Offset", 196, 199, FIELD_HEX, .count = 4, .stride = 8},
    {"4x Sample# Y Offset", 224, 227, FIELD_HEX, .count = 4, .stride = 8},
    {"4x Sample# X Offset", 228, 231, FIELD_HEX, .count = 4, .stride = 8},
    {"2x Sample# Y Offset", 256, 259, FIELD_HEX, .count = 2, .stride = 8},
    {"2x Sample# X Offset", 260, 263, FIELD_HEX, .count = 2, .stride = 8},
    {"1x Sample0 Y Offset", 272, 275, FIELD_HEX},
    {"1x Sample0 X Offset", 276, 279, FIELD_HEX},
};

static const struct command rows[] = {
    {.name = "3DSTATE_AA_LINE_PARAMETERS",
     .summary = "Coverage slopes of antialiased lines.",
     STATE_3D_WITH(STATE_AA_LINE_PARAMETERS, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 3,
     FIELDS(f_3dstate_aa_line_parameters),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_CPS",
     .summary = "Coarse pixel shading.",
     STATE_3D(STATE_CPS),
     .since = GEN11,
     .until = GEN11,
     .min_dwords = 9,
     FIELDS(f_3dstate_cps),
     .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "3DSTATE_CPSIZE_CONTROL_BUFFER",
     .summary = "Cpsize control buffer of the 3D pipeline.",
     STATE_3D(STATE_CPSIZE_CONTROL_BUFFER),
     .since = GEN125,
     .min_dwords = 8,
     FIELDS(f_3dstate_cpsize_control_buffer),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_CPS_POINTERS",
     .summary = "Where the coarse pixel state is.",
     HEADER(STATE_CPS_POINTERS),
     .engines = RENDER,
     .since = GEN12,
     .length_bits = 16,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_cps_pointers),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_LINE_STIPPLE",
     .summary = "Stipple pattern of lines.",
     STATE_3D_WITH(STATE_LINE_STIPPLE, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 3,
     FIELDS(f_3dstate_line_stipple),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_MULTISAMPLE",
     .summary = "Number and place of samples in a pixel.",
     STATE_3D_WITH(STATE_MULTISAMPLE_GEN6, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 3,
     FIELDS(f_3dstate_multisample),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 4, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {HEADER(STATE_MULTISAMPLE), .since = GEN8, .min_dwords = 2, .flags = COMMAND_STATE,
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_POLY_STIPPLE_OFFSET",
     .summary = "Where the polygon stipple starts.",
     STATE_3D_WITH(STATE_POLY_STIPPLE_OFFSET, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 2,
     FIELDS(f_3dstate_poly_stipple_offset),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_POLY_STIPPLE_PATTERN",
     .summary = "Stipple pattern of polygons.",
     STATE_3D_WITH(STATE_POLY_STIPPLE_PATTERN, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 33,
     FIELDS(f_3dstate_poly_stipple_pattern),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_PRIMITIVE_REPLICATION",
     .summary = "Replicates primitives over views.",
     STATE_3D(STATE_PRIMITIVE_REPLICATION),
     .since = GEN12,
     .min_dwords = 6,
     FIELDS(f_3dstate_primitive_replication),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_RASTER",
     .summary = "The rasteriser: fill, cull, depth offset.",
     STATE_3D(STATE_RASTER),
     .since = GEN8,
     .min_dwords = 5,
     FIELDS(f_3dstate_raster),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_RAST_MULTISAMPLE",
     .summary = "Rast multisample of the 3D pipeline.",
     STATE_3D_WITH(STATE_RAST_MULTISAMPLE, COMMAND_ARBITRATES_MEDIA),
     .since = GEN75,
     .until = GEN75,
     .min_dwords = 6,
     FIELDS(f_3dstate_rast_multisample),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_SAMPLE_MASK",
     .summary = "Samples that may be written.",
     STATE_3D(STATE_SAMPLE_MASK),
     .since = GEN6,
     .min_dwords = 2,
     FIELDS(f_3dstate_sample_mask),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_SAMPLE_PATTERN",
     .summary = "Places of the samples in a pixel.",
     STATE_3D_WITH(STATE_SAMPLE_PATTERN, COMMAND_ARBITRATES_MEDIA),
     .since = GEN8,
     .min_dwords = 9,
     FIELDS(f_3dstate_sample_pattern),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
};

const struct command_table state_3d_raster_commands = COMMAND_TABLE(rows);
