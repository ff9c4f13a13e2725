/* 3D state: clipper, viewports, strips and fans: state is kept, work is counted. Field names and places as
 * the public manuals of each generation give them. (CSP-08) */
#include "draw/draw.h"
#include "engine/pipeline_state.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"

static const struct field_value cull_mode[] = {
    {"BOTH", 0}, {"NONE", 1}, {"FRONT", 2}, {"BACK", 3}, {NULL, 0}};
static const struct field_value vertex_sub_pixel_precision_select[] = {{"8 Bit", 0}, {"4 Bit", 1}, {NULL, 0}};
static const struct field_value triangle_fan_provoking_vertex_select[] = {
    {"Vertex 0", 0}, {"Vertex 1", 1}, {"Vertex 2", 2}, {NULL, 0}};
static const struct field_value line_strip_list_provoking_vertex_select[] = {
    {"Vertex 0", 0}, {"Vertex 1", 1}, {NULL, 0}};
static const struct field_value clip_mode[] = {
    {"CLIPMODE_NORMAL", 0}, {"CLIPMODE_REJECT_ALL", 3}, {"CLIPMODE_ACCEPT_ALL", 4}, {NULL, 0}};
static const struct field_value api_mode[] = {{"APIMODE_OGL", 0}, {"APIMODE_D3D", 1}, {NULL, 0}};
static const struct field f_3dstate_clip[] = {
    {"User Clip Distance Cull Test Enable Bitmask", 32, 39, FIELD_UINT,
     ROLE(CLIP_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK)},
    {"Statistics Enable", 42, 42, FIELD_BOOL, ROLE(CLIP_STATISTICS_ENABLE)},
    {"Cull Mode", 48, 49, FIELD_UINT, cull_mode, .since = GEN7, .until = GEN75},
    {"Force Clip Mode", 48, 48, FIELD_BOOL, .since = GEN8},
    {"Force User Clip Distance Clip Test Enable Bitmask", 49, 49, FIELD_BOOL, .since = GEN8,
     ROLE(CLIP_FORCE_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK)},
    {"Early Cull Enable", 50, 50, FIELD_BOOL, .since = GEN7},
    {"Vertex Sub Pixel Precision Select", 51, 51, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Vertex Sub Pixel Precision Select", 51, 51, FIELD_UINT, vertex_sub_pixel_precision_select,
     .since = GEN8},
    {"Front Winding", 52, 52, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Force User Clip Distance Cull Test Enable Bitmask", 52, 52, FIELD_BOOL, .since = GEN8,
     ROLE(CLIP_FORCE_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK)},
    {"Triangle Fan Provoking Vertex Select", 64, 65, FIELD_UINT, triangle_fan_provoking_vertex_select,
     .until = GEN75},
    {"Triangle Fan Provoking Vertex Select", 64, 65, FIELD_UINT, .since = GEN8},
    {"Line Strip/List Provoking Vertex Select", 66, 67, FIELD_UINT, line_strip_list_provoking_vertex_select,
     .until = GEN75},
    {"Line Strip/List Provoking Vertex Select", 66, 67, FIELD_UINT, .since = GEN8},
    {"Triangle Strip/List Provoking Vertex Select", 68, 69, FIELD_UINT, triangle_fan_provoking_vertex_select,
     .until = GEN75},
    {"Triangle Strip/List Provoking Vertex Select", 68, 69, FIELD_UINT, .since = GEN8},
    {"Non-Perspective Barycentric Enable", 72, 72, FIELD_BOOL},
    {"Perspective Divide Disable", 73, 73, FIELD_BOOL, ROLE(CLIP_PERSPECTIVE_DIVIDE_DISABLE)},
    {"Clip Mode", 77, 79, FIELD_UINT, clip_mode, ROLE(CLIP_MODE)},
    {"User Clip Distance Clip Test Enable Bitmask", 80, 87, FIELD_UINT,
     ROLE(CLIP_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK)},
    {"Guardband Clip Test Enable", 90, 90, FIELD_BOOL, ROLE(CLIP_GUARDBAND_CLIP_TEST_ENABLE)},
    {"Viewport Z Clip Test Enable", 91, 91, FIELD_BOOL, .until = GEN75,
     ROLE_OF(STATE_RASTER, RASTER_VIEWPORT_Z_NEAR_CLIP_TEST_ENABLE)},
    {"Viewport XY Clip Test Enable", 92, 92, FIELD_BOOL, ROLE(CLIP_VIEWPORT_XY_CLIP_TEST_ENABLE)},
    {"API Mode", 94, 94, FIELD_UINT, api_mode, ROLE(CLIP_API_MODE)},
    {"Clip Enable", 95, 95, FIELD_BOOL, ROLE(CLIP_ENABLE)},
    {"Maximum VP Index", 96, 99, FIELD_UINT, ROLE(COUNT_MAXIMUM_VP_INDEX)},
    {"Force Zero RTA Index Enable", 101, 101, FIELD_BOOL, ROLE(CLIP_FORCE_ZERO_RTA_INDEX_ENABLE)},
    {"Maximum Point Width", 102, 112, FIELD_HEX, ROLE(CLIP_MAXIMUM_POINT_WIDTH)},
    {"Minimum Point Width", 113, 123, FIELD_HEX, ROLE(CLIP_MINIMUM_POINT_WIDTH)},
};
static const struct field_value core_mode_select[] = {
    {"Legacy", 0}, {"Core 0 Enabled", 1}, {"Core 1 Enabled", 2}, {NULL, 0}};
static const struct field f_3dstate_drawing_rectangle[] = {
    {"Core Mode Select", 14, 15, FIELD_UINT, core_mode_select, .since = GEN75},
    {"Clipped Drawing Rectangle X Min", 32, 47, FIELD_UINT, ROLE(DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MIN)},
    {"Clipped Drawing Rectangle Y Min", 48, 63, FIELD_UINT, ROLE(DRAWING_CLIPPED_DRAWING_RECTANGLE_Y_MIN)},
    {"Clipped Drawing Rectangle X Max", 64, 79, FIELD_UINT, ROLE(DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MAX)},
    {"Clipped Drawing Rectangle Y Max", 80, 95, FIELD_UINT, ROLE(DRAWING_CLIPPED_DRAWING_RECTANGLE_Y_MAX)},
    {"Drawing Rectangle Origin X", 96, 111, FIELD_INT, ROLE(DRAWING_RECTANGLE_ORIGIN_X)},
    {"Drawing Rectangle Origin Y", 112, 127, FIELD_INT, ROLE(DRAWING_RECTANGLE_ORIGIN_Y)},
};
static const struct field f_3dstate_scissor_state_pointers[] = {
    {"Scissor Rect Pointer", 37, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SCISSOR_RECT,
     ROLE(SCISSOR_RECT_POINTER)},
};
static const struct field_value backface_fill_mode[] = {
    {"SOLID", 0}, {"WIREFRAME", 1}, {"POINT", 2}, {NULL, 0}};
static const struct field_value depth_buffer_surface_format[] = {
    {"D32_FLOAT_S8X24_UINT", 0}, {"D32_FLOAT", 1}, {"D24_UNORM_S8_UINT", 2},
    {"D24_UNORM_X8_UINT", 3},    {"D16_UNORM", 5}, {NULL, 0}};
static const struct field_value point_sprite_texture_coordinate_origin[] = {
    {"UPPERLEFT", 0}, {"LOWERLEFT", 1}, {NULL, 0}};
static const struct field_value front_winding[] = {
    {"FRONTWINDING_CW", 0}, {"FRONTWINDING_CCW", 1}, {NULL, 0}};
static const struct field_value multisample_rasterization_mode[] = {{"MSRASTMODE_OFF_PIXEL", 0},
                                                                    {"MSRASTMODE_OFF_PATTERN", 1},
                                                                    {"MSRASTMODE_ON_PIXEL", 2},
                                                                    {"MSRASTMODE_ON_PATTERN", 3},
                                                                    {NULL, 0}};
static const struct field_value line_end_cap_antialiasing_region_width[] = {
    {"0.5 pixels", 0}, {"1.0 pixels", 1}, {"2.0 pixels", 2}, {"4.0 pixels", 3}, {NULL, 0}};
static const struct field_value deref_block_size[] = {
    {"Block Deref Size 32", 0}, {"Per Poly Deref Mode", 1}, {"Block Deref Size 8", 2}, {NULL, 0}};
static const struct field_value deref_block_size_2[] = {{"Block Deref Size 32", 0},
                                                        {"Per Poly Deref Mode", 1},
                                                        {"Block Deref Size 8", 2},
                                                        {"Mesh Shader EODB", 3},
                                                        {NULL, 0}};
static const struct field_value point_width_source[] = {{"Vertex", 0}, {"State", 1}, {NULL, 0}};
static const struct field_value aa_line_distance_mode[] = {{"AALINEDISTANCE_TRUE", 1}, {NULL, 0}};
static const struct field_value vertex_sub_pixel_precision_select_2[] = {
    {"8 Sub-Pixel Precision Bits", 0}, {"4 Sub-Pixel Precision Bits", 1}, {NULL, 0}};
static const struct field_value attribute_swizzle_select[] = {
    {"INPUTATTR", 0}, {"INPUTATTR_FACING", 1}, {"INPUTATTR_W", 2}, {"INPUTATTR_FACING_W", 3}, {NULL, 0}};
static const struct field_value attribute_constant_source[] = {
    {"CONST_0000", 0}, {"CONST_0001_FLOAT", 1}, {"CONST_1111_FLOAT", 2}, {"PRIM_ID", 3}, {NULL, 0}};
static const struct field f_3dstate_sf[] = {
    {"Front Winding", 32, 32, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Viewport Transform Enable", 33, 33, FIELD_BOOL, .since = GEN7, ROLE(SF_VIEWPORT_TRANSFORM_ENABLE)},
    {"BackFace Fill Mode", 35, 36, FIELD_UINT, backface_fill_mode, .since = GEN7, .until = GEN75},
    {"Vertex URB Entry Read Offset", 36, 41, FIELD_UINT, .until = GEN6,
     ROLE_OF(STATE_SBE, SBE_VERTEX_URB_ENTRY_READ_OFFSET)},
    {"FrontFace Fill Mode", 37, 38, FIELD_UINT, backface_fill_mode, .since = GEN7, .until = GEN75},
    {"Global Depth Offset Enable Point", 39, 39, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Global Depth Offset Enable Wireframe", 40, 40, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Global Depth Offset Enable Solid", 41, 41, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Statistics Enable", 42, 42, FIELD_BOOL, ROLE(SF_STATISTICS_ENABLE), .since = GEN7},
    {"Vertex URB Entry Read Length", 43, 47, FIELD_UINT, .until = GEN6,
     ROLE_OF(STATE_SBE, SBE_VERTEX_URB_ENTRY_READ_LENGTH)},
    {"Legacy Global Depth Bias Enable", 43, 43, FIELD_BOOL, .since = GEN7,
     ROLE(SF_LEGACY_GLOBAL_DEPTH_BIAS_ENABLE)},
    {"Depth Buffer Surface Format", 44, 46, FIELD_UINT, depth_buffer_surface_format, .since = GEN7,
     .until = GEN75},
    {"CHV Line Width", 44, 61, FIELD_HEX, .since = GEN8, .until = GEN8},
    {"Line Width", 44, 61, FIELD_HEX, .since = GEN9, ROLE(SF_LINE_WIDTH)},
    {"Point Sprite Texture Coordinate Origin", 52, 52, FIELD_UINT, point_sprite_texture_coordinate_origin,
     .until = GEN6, ROLE_OF(STATE_SBE, SBE_POINT_SPRITE_TEXTURE_COORDINATE_ORIGIN)},
    {"Attribute Swizzle Enable", 53, 53, FIELD_BOOL, .until = GEN6,
     ROLE_OF(STATE_SBE, SBE_ATTRIBUTE_SWIZZLE_ENABLE)},
    {"Number of SF Output Attributes", 54, 59, FIELD_UINT, .until = GEN6,
     ROLE_OF(STATE_SBE, SBE_NUMBER_OF_SF_OUTPUT_ATTRIBUTES)},
    {"Front Winding", 64, 64, FIELD_UINT, front_winding, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_FRONT_WINDING)},
    {"Viewport Transform Enable", 65, 65, FIELD_BOOL, .until = GEN6, ROLE(SF_VIEWPORT_TRANSFORM_ENABLE)},
    {"BackFace Fill Mode", 67, 68, FIELD_UINT, backface_fill_mode, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_BACK_FACE_FILL_MODE)},
    {"FrontFace Fill Mode", 69, 70, FIELD_UINT, backface_fill_mode, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_FRONT_FACE_FILL_MODE)},
    {"Global Depth Offset Enable Point", 71, 71, FIELD_BOOL, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_POINT)},
    {"Global Depth Offset Enable Wireframe", 72, 72, FIELD_BOOL, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_WIREFRAME)},
    {"Multisample Rasterization Mode", 72, 73, FIELD_UINT, multisample_rasterization_mode, .since = GEN7,
     .until = GEN7},
    {"Multisample Rasterization Mode", 72, 73, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Global Depth Offset Enable Solid", 73, 73, FIELD_BOOL, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_SOLID)},
    {"Statistics Enable", 74, 74, FIELD_BOOL, ROLE(SF_STATISTICS_ENABLE), .until = GEN6},
    {"RT Independent Rasterization Enable", 74, 74, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Legacy Global Depth Bias Enable", 75, 75, FIELD_BOOL, .until = GEN6,
     ROLE(SF_LEGACY_GLOBAL_DEPTH_BIAS_ENABLE)},
    {"Scissor Rectangle Enable", 75, 75, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Line Stipple Enable", 78, 78, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Line End Cap Antialiasing Region Width", 80, 81, FIELD_UINT, line_end_cap_antialiasing_region_width,
     .since = GEN7},
    {"Line Width", 82, 91, FIELD_HEX, .since = GEN7, .until = GEN8, ROLE(SF_LINE_WIDTH)},
    {"Cull Mode", 93, 94, FIELD_UINT, cull_mode, .since = GEN7, .until = GEN75},
    {"Deref Block Size", 93, 94, FIELD_UINT, deref_block_size, .since = GEN12, .until = GEN12},
    {"Deref Block Size", 93, 94, FIELD_UINT, deref_block_size_2, .since = GEN125},
    {"Antialiasing Enable", 95, 95, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Point Width", 96, 106, FIELD_HEX, .since = GEN7, ROLE(SF_POINT_WIDTH)},
    {"Multisample Rasterization Mode", 104, 105, FIELD_UINT, multisample_rasterization_mode, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_FORCED_SAMPLE_COUNT)},
    {"Scissor Rectangle Enable", 107, 107, FIELD_BOOL, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_SCISSOR_RECTANGLE_ENABLE)},
    {"Point Width Source", 107, 107, FIELD_UINT, point_width_source, .since = GEN7,
     ROLE(SF_POINT_WIDTH_SOURCE)},
    {"Vertex Sub Pixel Precision Select", 108, 108, FIELD_UINT, vertex_sub_pixel_precision_select,
     .since = GEN7, ROLE(SF_VERTEX_SUB_PIXEL_PRECISION_SELECT)},
    {"Smooth Point Enable", 109, 109, FIELD_BOOL, .since = GEN8},
    {"AA Line Distance Mode", 110, 110, FIELD_UINT, aa_line_distance_mode, .since = GEN7},
    {"Line End Cap Antialiasing Region Width", 112, 113, FIELD_UINT, line_end_cap_antialiasing_region_width,
     .until = GEN6},
    {"Line Width", 114, 123, FIELD_HEX, .until = GEN6, ROLE(SF_LINE_WIDTH)},
    {"Triangle Fan Provoking Vertex Select", 121, 122, FIELD_UINT, triangle_fan_provoking_vertex_select,
     .since = GEN7, .until = GEN75},
    {"Triangle Fan Provoking Vertex Select", 121, 122, FIELD_UINT, .since = GEN8,
     ROLE(SF_TRIANGLE_FAN_PROVOKING_VERTEX_SELECT)},
    {"Line Strip/List Provoking Vertex Select", 123, 124, FIELD_UINT, .since = GEN7,
     ROLE(SF_LINE_STRIP_LIST_PROVOKING_VERTEX_SELECT)},
    {"Cull Mode", 125, 126, FIELD_UINT, cull_mode, .until = GEN6, ROLE_OF(STATE_RASTER, RASTER_CULL_MODE)},
    {"Triangle Strip/List Provoking Vertex Select", 125, 126, FIELD_UINT,
     triangle_fan_provoking_vertex_select, .since = GEN7, .until = GEN75},
    {"Triangle Strip/List Provoking Vertex Select", 125, 126, FIELD_UINT, .since = GEN8,
     ROLE(SF_TRIANGLE_STRIP_LIST_PROVOKING_VERTEX_SELECT)},
    {"Antialiasing Enable", 127, 127, FIELD_BOOL, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_ANTIALIASING_ENABLE)},
    {"Last Pixel Enable", 127, 127, FIELD_BOOL, .since = GEN7, ROLE(SF_LAST_PIXEL_ENABLE)},
    {"Point Width", 128, 138, FIELD_HEX, .until = GEN6, ROLE(SF_POINT_WIDTH)},
    {"Global Depth Offset Constant", 128, 159, FIELD_FLOAT, .since = GEN7, .until = GEN75},
    {"Point Width Source", 139, 139, FIELD_UINT, point_width_source, .until = GEN6,
     ROLE(SF_POINT_WIDTH_SOURCE)},
    {"Vertex Sub Pixel Precision Select", 140, 140, FIELD_UINT, vertex_sub_pixel_precision_select_2,
     .until = GEN6, ROLE(SF_VERTEX_SUB_PIXEL_PRECISION_SELECT)},
    {"AA Line Distance Mode", 142, 142, FIELD_UINT, aa_line_distance_mode, .until = GEN6},
    {"Triangle Fan Provoking Vertex Select", 153, 154, FIELD_UINT, triangle_fan_provoking_vertex_select,
     .until = GEN6, ROLE(SF_TRIANGLE_FAN_PROVOKING_VERTEX_SELECT)},
    {"Line Strip/List Provoking Vertex Select", 155, 156, FIELD_UINT, line_strip_list_provoking_vertex_select,
     .until = GEN6, ROLE(SF_LINE_STRIP_LIST_PROVOKING_VERTEX_SELECT)},
    {"Triangle Strip/List Provoking Vertex Select", 157, 158, FIELD_UINT,
     triangle_fan_provoking_vertex_select, .until = GEN6,
     ROLE(SF_TRIANGLE_STRIP_LIST_PROVOKING_VERTEX_SELECT)},
    {"Last Pixel Enable", 159, 159, FIELD_BOOL, .until = GEN6, ROLE(SF_LAST_PIXEL_ENABLE)},
    {"Global Depth Offset Constant", 160, 191, FIELD_FLOAT, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_CONSTANT)},
    {"Global Depth Offset Scale", 160, 191, FIELD_FLOAT, .since = GEN7, .until = GEN75},
    {"Global Depth Offset Scale", 192, 223, FIELD_FLOAT, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_SCALE)},
    {"Global Depth Offset Clamp", 192, 223, FIELD_FLOAT, .since = GEN7, .until = GEN75},
    {"Global Depth Offset Clamp", 224, 255, FIELD_FLOAT, .until = GEN6,
     ROLE_OF(STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_CLAMP)},
    {"Attribute Source Attribute[#]", 256, 260, FIELD_UINT, .count = 16, .stride = 16, .until = GEN6,
     ROLE_OF(STATE_SBE_SWIZ, SWIZ_ATTRIBUTE_SOURCE_ATTRIBUTE)},
    {"Attribute Swizzle Select[#]", 262, 263, FIELD_UINT, attribute_swizzle_select, .count = 16, .stride = 16,
     .until = GEN6},
    {"Attribute Constant Source[#]", 265, 266, FIELD_UINT, attribute_constant_source, .count = 16,
     .stride = 16, .until = GEN6},
    {"Attribute Swizzle Control Mode[#]", 267, 267, FIELD_UINT, .count = 16, .stride = 16, .until = GEN6},
    {"Attribute Component Override X[#]", 268, 268, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN6},
    {"Attribute Component Override Y[#]", 269, 269, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN6},
    {"Attribute Component Override Z[#]", 270, 270, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN6},
    {"Attribute Component Override W[#]", 271, 271, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN6},
    {"Point Sprite Texture Coordinate Enable", 512, 543, FIELD_HEX, .until = GEN6,
     ROLE_OF(STATE_SBE, SBE_POINT_SPRITE_TEXTURE_COORDINATE_ENABLE)},
    {"Constant Interpolation Enable", 544, 575, FIELD_HEX, .until = GEN6,
     ROLE_OF(STATE_SBE, SBE_CONSTANT_INTERPOLATION_ENABLE)},
    {"Attribute # WrapShortest Enables", 576, 579, FIELD_UINT, .count = 16, .stride = 4, .until = GEN6},
};
static const struct field f_3dstate_viewport_state_pointers[] = {
    {"CLIP Viewport State Change", 10, 10, FIELD_UINT},
    {"SF Viewport State Change", 11, 11, FIELD_UINT},
    {"CC Viewport State Change", 12, 12, FIELD_UINT},
    {"Pointer to CLIP_VIEWPORT", 37, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = CLIP_VIEWPORT,
     ROLE_OF(STATE_VIEWPORT_STATE_POINTERS_SF_CLIP, VIEWPORT_POINTER_TO_CLIP_VIEWPORT)},
    {"Pointer to SF_VIEWPORT", 69, 95, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SF_VIEWPORT,
     ROLE_OF(STATE_VIEWPORT_STATE_POINTERS_SF_CLIP, VIEWPORT_SF_CLIP_VIEWPORT_POINTER)},
    {"Pointer to CC_VIEWPORT", 101, 127, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = CC_VIEWPORT,
     ROLE_OF(STATE_VIEWPORT_STATE_POINTERS_CC, DEPTH_RANGE_CC_VIEWPORT_POINTER)},
};

static const struct command rows[] = {
    {.name = "3DSTATE_CLIP",
     .summary = "The clipper: tests, modes, statistics.",
     STATE_3D(STATE_CLIP),
     .since = GEN6,
     .min_dwords = 4,
     FIELDS(f_3dstate_clip),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_DRAWING_RECTANGLE",
     .summary = "Rectangle that all drawing is clipped to.",
     STATE_3D_WITH(STATE_DRAWING_RECTANGLE, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 4,
     FIELDS(f_3dstate_drawing_rectangle),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "3DSTATE_SCISSOR_STATE_POINTERS",
     .summary = "Where the scissor rectangles are.",
     STATE_3D_WITH(STATE_SCISSOR_STATE_POINTERS, COMMAND_INDIRECT_STATE),
     .since = GEN6,
     .min_dwords = 2,
     FIELDS(f_3dstate_scissor_state_pointers),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .flags = COMMAND_STATE, .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SF",
     .summary = "Strips and fans: lines, points, viewport transform.",
     STATE_3D(STATE_SF),
     .since = GEN6,
     .min_dwords = 20,
     FIELDS(f_3dstate_sf),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_VIEWPORT_STATE_POINTERS",
     .summary = "Where the viewport states are.",
     STATE_3D_WITH(STATE_VIEWPORT_STATE_POINTERS, COMMAND_INDIRECT_STATE),
     .since = GEN6,
     .until = GEN6,
     .min_dwords = 4,
     FIELDS(f_3dstate_viewport_state_pointers),
     BY_CHANGES(10, 11, 12),
     .spec = "CSP-08, SNB PRM vol 2a"},
};

const struct command_table state_3d_clip_commands = COMMAND_TABLE(rows);
