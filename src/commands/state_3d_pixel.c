/* 3D state: windower, pixel shader and blending: state is kept, work is counted. Field names and places as
 * the public manuals of each generation give them. (CSP-08) */
#include "draw/draw.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"

/* clang-format off */
static const struct field_value cross_slice_hashing_mode[] = {
    {"Normal Mode", 0}, {"Disable", 1}, {"hashing 32x32", 3}, {NULL, 0}
};
static const struct field_value subslice_hashing_mode[] = {
    {"hashing 8x8", 0}, {"hashing 16x4", 1}, {"hashing 8x4", 2}, {"hashing 16x16", 3}, {NULL, 0}
};
static const struct field f_3dstate_3d_mode[] = {
    {"Cross Slice Hashing Mode", 32, 33, FIELD_UINT, cross_slice_hashing_mode},
    {"Subslice Hashing Mode", 34, 35, FIELD_UINT, subslice_hashing_mode, .until = GEN11},
    {"3D Scoreboard Hashing Mode", 36, 36, FIELD_BOOL, .since = GEN12},
    {"Subslice Hashing Table Enable", 37, 37, FIELD_BOOL, .since = GEN12},
    {"Slice Hashing Table Enable", 38, 38, FIELD_BOOL}, {"Mask", 48, 63, FIELD_UINT, .until = GEN11},
    {"Cross Slice Hashing Mode Mask", 48, 49, FIELD_UINT, .since = GEN12, .until = GEN12},
    {"Cross Slice Hashing Mode Mask", 48, 49, FIELD_INT, .since = GEN125},
    {"3D Scoreboard Hashing Mode Mask", 52, 52, FIELD_BOOL, .since = GEN12},
    {"Subslice Hashing Table Enable Mask", 53, 53, FIELD_BOOL, .since = GEN12},
    {"Slice Hashing Table Enable Mask", 54, 54, FIELD_BOOL, .since = GEN12},
    {"Fast Clear Optimization Enable", 106, 106, FIELD_BOOL, .since = GEN125},
    {"Fast Clear Optimization Enable Mask", 122, 122, FIELD_BOOL, .since = GEN125},
};
static const struct field f_3dstate_blend_state_pointers[] = {
    {"mbo", 32, 32, FIELD_UINT, .until = GEN75},
    {"Blend State Pointer Valid", 32, 32, FIELD_BOOL, .since = GEN8},
    {"Blend State Pointer", 38, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = BLEND_STATE, .role = BLEND_POINTER},
};
static const struct field_value dispatch_timeout_counter[] = {
    {"64 clocks", 0}, {"128 clocks", 1}, {"192 clocks", 2}, {"256 clocks", 3}, {NULL, 0}
};
static const struct field_value amfs_mode[] = {
    {"NORMAL", 0}, {"TOUCH", 1}, {"BACKFILL", 2}, {"FALLBACK", 3}, {NULL, 0}
};
static const struct field f_3dstate_btd[] = {
    {"Dispatch Timeout Counter", 32, 33, FIELD_UINT, dispatch_timeout_counter},
    {"AMFS Mode", 35, 36, FIELD_UINT, amfs_mode}, {"Per DSS Memory Backed Buffer Size", 64, 66, FIELD_UINT},
    {"Memory Backed Buffer Base Pointer", 74, 127, FIELD_ADDRESS},
    {"Scratch Space Buffer", 138, 159, FIELD_HEX},
};
static const struct field f_3dstate_cc_state_pointers[] = {
    {"BLEND_STATE Change", 32, 32, FIELD_BOOL, .until = GEN6},
    {"mbo", 32, 32, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Color Calc State Pointer Valid", 32, 32, FIELD_BOOL, .since = GEN8},
    {"Pointer to BLEND_STATE", 38, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = BLEND_STATE, .until = GEN6, .role = CC_BLEND},
    {"Color Calc State Pointer", 38, 63, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = COLOR_CALC_STATE, .since = GEN7, .role = COLOR_CALC_POINTER},
    {"DEPTH_STENCIL_STATE Change", 64, 64, FIELD_BOOL, .until = GEN6},
    {"Pointer to DEPTH_STENCIL_STATE", 70, 95, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = DEPTH_STENCIL_STATE, .until = GEN6, .role = CC_DEPTH_STENCIL},
    {"Color Calc State Pointer Valid", 96, 96, FIELD_BOOL, .until = GEN6},
    {"Color Calc State Pointer", 102, 127, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = COLOR_CALC_STATE, .until = GEN6, .role = COLOR_CALC_POINTER},
};
static const struct field f_3dstate_monofilter_size[] = {
    {"Monochrome Filter Height", 32, 34, FIELD_UINT}, {"Monochrome Filter Width", 35, 37, FIELD_UINT},
};
static const struct field_value rounding_mode[] = {
    {"RTNE", 0}, {"RU", 1}, {"RD", 2}, {"RTZ", 3}, {NULL, 0}
};
static const struct field_value floating_point_mode[] = {
    {"IEEE-745", 0}, {"Alt", 1}, {NULL, 0}
};
static const struct field_value floating_point_mode_2[] = {
    {"IEEE-754", 0}, {"Alternate", 1}, {NULL, 0}
};
static const struct field_value thread_priority[] = {
    {"High", 1}, {NULL, 0}
};
static const struct field_value denormal_mode[] = {
    {"FTZ", 0}, {"RET", 1}, {NULL, 0}
};
static const struct field_value single_precision_denormal_mode[] = {
    {"Flushed to Zero", 0}, {"Retained", 1}, {NULL, 0}
};
static const struct field_value sampler_count[] = {
    {"No Samplers", 0}, {"1-4 Samplers", 1}, {"5-8 Samplers", 2}, {"9-12 Samplers", 3}, {"13-16 Samplers", 4},
    {NULL, 0}
};
static const struct field_value position_xy_offset_select[] = {
    {"POSOFFSET_NONE", 0}, {"POSOFFSET_CENTROID", 2}, {"POSOFFSET_SAMPLE", 3}, {NULL, 0}
};
static const struct field_value render_target_resolve_type[] = {
    {"RESOLVE_DISABLED", 0}, {"RESOLVE_PARTIAL", 1}, {"RESOLVE_FULL", 3}, {NULL, 0}
};
static const struct field_value render_target_resolve_type_2[] = {
    {"RESOLVE_DISABLED", 0}, {"RESOLVE_PARTIAL", 1}, {"FAST_CLEAR_0", 2}, {"RESOLVE_FULL", 3}, {NULL, 0}
};
static const struct field f_3dstate_ps[] = {
    {"Kernel Start Pointer 0", 38, 63, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75},
    {"Kernel Start Pointer 0", 38, 95, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8, .role = PS_KERNEL_0},
    {"Software Exception Enable", 71, 71, FIELD_BOOL, .until = GEN75},
    {"Software Exception Enable", 103, 103, FIELD_BOOL, .since = GEN8, .role = SHADER_SOFTWARE_EXCEPTIONS},
    {"Mask Stack Exception Enable", 75, 75, FIELD_BOOL, .until = GEN75},
    {"Mask Stack Exception Enable", 107, 107, FIELD_BOOL, .since = GEN8},
    {"Illegal Opcode Exception Enable", 77, 77, FIELD_BOOL, .until = GEN75},
    {"Illegal Opcode Exception Enable", 109, 109, FIELD_BOOL, .since = GEN8, .role = SHADER_ILLEGAL_EXCEPTIONS},
    {"Rounding Mode", 78, 79, FIELD_UINT, rounding_mode, .until = GEN75},
    {"Rounding Mode", 110, 111, FIELD_UINT, rounding_mode, .since = GEN8, .role = SHADER_ROUNDING},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode, .until = GEN7},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode_2, .since = GEN75, .until = GEN75},
    {"Floating Point Mode", 112, 112, FIELD_UINT, floating_point_mode_2, .since = GEN8, .role = SHADER_FLOATING_POINT},
    {"Thread Priority", 81, 81, FIELD_UINT, thread_priority, .since = GEN75, .until = GEN75},
    {"Binding Table Entry Count", 82, 89, FIELD_UINT, .role = COUNT_BINDINGS, .until = GEN75},
    {"Denormal Mode", 90, 90, FIELD_UINT, denormal_mode, .until = GEN75},
    {"Sampler Count", 91, 93, FIELD_UINT, .role = COUNT_SAMPLERS, .until = GEN75},
    {"Vector Mask Enable", 94, 94, FIELD_BOOL, .until = GEN75},
    {"Single Program Flow", 95, 95, FIELD_BOOL, .until = GEN75},
    {"Per Thread Scratch Space", 96, 99, FIELD_UINT, .until = GEN75},
    {"Scratch Space Base Pointer", 106, 127, FIELD_ADDRESS, .base = BASE_GENERAL, .until = GEN75},
    {"Thread Dispatch Priority", 113, 113, FIELD_UINT, thread_priority, .since = GEN8},
    {"Binding Table Entry Count", 114, 121, FIELD_UINT, .role = COUNT_BINDINGS, .since = GEN8},
    {"Single Precision Denormal Mode", 122, 122, FIELD_UINT, single_precision_denormal_mode, .since = GEN8, .role = SHADER_DENORMS},
    {"Sampler Count", 123, 125, FIELD_UINT, sampler_count, .role = COUNT_SAMPLERS, .since = GEN8},
    {"Vector Mask Enable", 126, 126, FIELD_BOOL, .since = GEN8, .role = SHADER_VECTOR_MASK},
    {"Single Program Flow", 127, 127, FIELD_BOOL, .since = GEN8, .role = SHADER_SINGLE_FLOW},
    {"8 Pixel Dispatch Enable", 128, 128, FIELD_BOOL, .until = GEN75},
    {"Per Thread Scratch Space", 128, 131, FIELD_UINT, .since = GEN8, .until = GEN12, .role = SHADER_SCRATCH_SIZE},
    {"16 Pixel Dispatch Enable", 129, 129, FIELD_BOOL, .until = GEN75},
    {"32 Pixel Dispatch Enable", 130, 130, FIELD_BOOL, .until = GEN75},
    {"Position XY Offset Select", 131, 132, FIELD_UINT, position_xy_offset_select, .until = GEN75},
    {"PS Accesses UAV", 133, 133, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Render Target Resolve Enable", 134, 134, FIELD_BOOL, .until = GEN75},
    {"Dual Source Blend Enable", 135, 135, FIELD_BOOL, .until = GEN75},
    {"Render Target Fast Clear Enable", 136, 136, FIELD_BOOL, .until = GEN75},
    {"oMask Present to RenderTarget", 137, 137, FIELD_BOOL, .until = GEN75},
    {"Attribute Enable", 138, 138, FIELD_BOOL, .until = GEN75},
    {"Scratch Space Base Pointer", 138, 191, FIELD_ADDRESS, .base = BASE_GENERAL, .since = GEN8, .until = GEN12, .role = SHADER_SCRATCH},
    {"Scratch Space Buffer", 138, 159, FIELD_HEX, .since = GEN125, .role = SHADER_SCRATCH_BUFFER},
    {"Push Constant Enable", 139, 139, FIELD_BOOL, .until = GEN75},
    {"Sample Mask", 140, 147, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Maximum Number of Threads", 151, 159, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Maximum Number of Threads", 152, 159, FIELD_UINT, .until = GEN7},
    {"Dispatch GRF Start Register For Constant/Setup Data 2", 160, 166, FIELD_UINT, .until = GEN75},
    {"Dispatch GRF Start Register For Constant/Setup Data 1", 168, 174, FIELD_UINT, .until = GEN75},
    {"Dispatch GRF Start Register For Constant/Setup Data 0", 176, 182, FIELD_UINT, .until = GEN75},
    {"8 Pixel Dispatch Enable", 192, 192, FIELD_BOOL, .since = GEN8, .role = PS_8_PIXELS},
    {"16 Pixel Dispatch Enable", 193, 193, FIELD_BOOL, .since = GEN8, .role = PS_16_PIXELS},
    {"32 Pixel Dispatch Enable", 194, 194, FIELD_BOOL, .since = GEN8, .role = PS_32_PIXELS},
    {"Position XY Offset Select", 195, 196, FIELD_UINT, position_xy_offset_select, .since = GEN8, .role = PS_POSITION_OFFSETS},
    {"Dual SIMD8 Dispatch Enable", 197, 197, FIELD_BOOL, .since = GEN12},
    {"Overlapping Subspans Enable", 201, 201, FIELD_BOOL, .since = GEN12},
    {"Kernel Start Pointer 1", 198, 223, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75},
    {"Render Target Resolve Enable", 198, 198, FIELD_BOOL, .since = GEN8, .until = GEN8, .role = PS_RESOLVE},
    {"Render Target Resolve Type", 198, 199, FIELD_UINT, render_target_resolve_type, .since = GEN9, .until = GEN9, .role = PS_RESOLVE},
    {"Render Target Resolve Type", 198, 199, FIELD_UINT, render_target_resolve_type_2, .since = GEN11, .role = PS_RESOLVE},
    {"Render Target Fast Clear Enable", 200, 200, FIELD_BOOL, .since = GEN8, .role = PS_FAST_CLEAR},
    {"Push Constant Enable", 203, 203, FIELD_BOOL, .since = GEN8, .role = PS_CONSTANTS},
    {"Maximum Number of Threads Per PSD", 215, 223, FIELD_UINT, .since = GEN8},
    {"Dispatch GRF Start Register For Constant/Setup Data 2", 224, 230, FIELD_UINT, .since = GEN8, .role = PS_START_2},
    {"Kernel Start Pointer 2", 230, 255, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75},
    {"Dispatch GRF Start Register For Constant/Setup Data 1", 232, 238, FIELD_UINT, .since = GEN8, .role = PS_START_1},
    {"Dispatch GRF Start Register For Constant/Setup Data 0", 240, 246, FIELD_UINT, .since = GEN8, .role = PS_START_0},
    {"Kernel Start Pointer 1", 262, 319, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8, .role = PS_KERNEL_1},
    {"Kernel Start Pointer 2", 326, 383, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8, .role = PS_KERNEL_2},
};
static const struct field_value destination_blend_factor[] = {
    {"ONE", 1}, {"SRC_COLOR", 2}, {"SRC_ALPHA", 3}, {"DST_ALPHA", 4}, {"DST_COLOR", 5},
    {"SRC_ALPHA_SATURATE", 6}, {"CONST_COLOR", 7}, {"CONST_ALPHA", 8}, {"SRC1_COLOR", 9}, {"SRC1_ALPHA", 10},
    {"ZERO", 17}, {"INV_SRC_COLOR", 18}, {"INV_SRC_ALPHA", 19}, {"INV_DST_ALPHA", 20}, {"INV_DST_COLOR", 21},
    {"INV_CONST_COLOR", 23}, {"INV_CONST_ALPHA", 24}, {"INV_SRC1_COLOR", 25}, {"INV_SRC1_ALPHA", 26}, {NULL, 0}
};
static const struct field f_3dstate_ps_blend[] = {
    {"Independent Alpha Blend Enable", 39, 39, FIELD_BOOL}, {"Alpha Test Enable", 40, 40, FIELD_BOOL, .role = BLEND_ALPHA_TEST},
    {"Destination Blend Factor", 41, 45, FIELD_UINT, .until = GEN8},
    {"Destination Blend Factor", 41, 45, FIELD_UINT, destination_blend_factor, .since = GEN9},
    {"Source Blend Factor", 46, 50, FIELD_UINT, .until = GEN8},
    {"Source Blend Factor", 46, 50, FIELD_UINT, destination_blend_factor, .since = GEN9},
    {"Destination Alpha Blend Factor", 51, 55, FIELD_UINT, .until = GEN8},
    {"Destination Alpha Blend Factor", 51, 55, FIELD_UINT, destination_blend_factor, .since = GEN9},
    {"Source Alpha Blend Factor", 56, 60, FIELD_UINT, .until = GEN8},
    {"Source Alpha Blend Factor", 56, 60, FIELD_UINT, destination_blend_factor, .since = GEN9},
    {"Color Buffer Blend Enable", 61, 61, FIELD_BOOL}, {"Has Writeable RT", 62, 62, FIELD_BOOL, .role = BLEND_WRITES},
    {"Alpha To Coverage Enable", 63, 63, FIELD_BOOL, .role = BLEND_ALPHA_COVERAGE},
};
static const struct field_value input_coverage_mask_state[] = {
    {"NONE", 0}, {"NORMAL", 1}, {"INNER_CONSERVATIVE", 2}, {"DEPTH_COVERAGE", 3}, {NULL, 0}
};
static const struct field_value pixel_shader_computed_depth_mode[] = {
    {"PSCDEPTH_OFF", 0}, {"PSCDEPTH_ON", 1}, {"PSCDEPTH_ON_GE", 2}, {"PSCDEPTH_ON_LE", 3}, {NULL, 0}
};
static const struct field f_3dstate_ps_extra[] = {
    {"Input Coverage Mask State", 32, 33, FIELD_UINT, input_coverage_mask_state, .since = GEN9, .role = PSX_COVERAGE},
    {"Pixel Shader Uses Input Coverage Mask", 33, 33, FIELD_BOOL, .until = GEN8, .role = PSX_COVERAGE},
    {"Pixel Shader Has UAV", 34, 34, FIELD_BOOL},
    {"Pixel Shader Pulls Bary", 35, 35, FIELD_BOOL, .since = GEN9, .role = PSX_PULLS},
    {"Pixel Shader Is Per Coarse Pixel", 36, 36, FIELD_BOOL, .since = GEN11, .role = PSX_COARSE},
    {"Pixel Shader Computes Stencil", 37, 37, FIELD_BOOL, .since = GEN9, .role = PSX_COMPUTES_STENCIL},
    {"Pixel Shader Is Per Sample", 38, 38, FIELD_BOOL},
    {"Pixel Shader Disables Alpha To Coverage", 39, 39, FIELD_BOOL}, {"Attribute Enable", 40, 40, FIELD_BOOL, .role = PSX_ATTRIBUTES},
    {"Simple PS Hint", 41, 41, FIELD_BOOL, .since = GEN11},
    {"Enable PS Dependency On CPsize Change", 49, 49, FIELD_BOOL, .since = GEN125},
    {"Pixel Shader Requires Subpixel Sample Offsets", 50, 50, FIELD_BOOL, .since = GEN11, .role = PSX_OFFSETS},
    {"Pixel Shader Requires Non-Perspective Bary Plane Coefficients", 51, 51, FIELD_BOOL, .since = GEN11, .role = PSX_STRAIGHT_PLANES},
    {"Pixel Shader Requires Perspective Bary Plane Coefficients", 52, 52, FIELD_BOOL, .since = GEN11, .role = PSX_PLANES},
    {"Pixel Shader Requires Source Depth and/or W Plane Coefficients", 53, 53, FIELD_BOOL, .since = GEN11, .role = PSX_DEPTH_PLANES},
    {"Pixel Shader Requires Requested Coarse Pixel Shading Size", 54, 54, FIELD_BOOL, .since = GEN11, .role = PSX_COARSE_SIZE},
    {"Pixel Shader Uses Source W", 55, 55, FIELD_BOOL, .role = PSX_SOURCE_W}, {"Pixel Shader Uses Source Depth", 56, 56, FIELD_BOOL, .role = PSX_SOURCE_DEPTH},
    {"Force Computed Depth", 57, 57, FIELD_BOOL},
    {"Pixel Shader Computed Depth Mode", 58, 59, FIELD_UINT, pixel_shader_computed_depth_mode, .role = PSX_COMPUTES_DEPTH},
    {"Pixel Shader Kills Pixel", 60, 60, FIELD_BOOL, .role = PSX_KILLS}, {"oMask Present to Render Target", 61, 61, FIELD_BOOL, .role = PSX_OMASK},
    {"Pixel Shader Does not write to RT", 62, 62, FIELD_BOOL}, {"Pixel Shader Valid", 63, 63, FIELD_BOOL, .role = PSX_VALID},
};
static const struct field f_3dstate_slice_table_state_pointers[] = {
    {"Slice Hash State Pointer Valid", 32, 32, FIELD_BOOL},
    {"Slice Hash Table State Pointer", 38, 63, FIELD_OFFSET, .base = BASE_DYNAMIC},
};
static const struct field_value slice_hash_control[] = {
    {"COMPUTED", 0}, {"UNBALANCED_TABLE_0", 1}, {"TABLE_0", 2}, {"TABLE_1", 3}, {NULL, 0}
};
static const struct field_value slice_table_mode[] = {
    {"SINGLE_TABLE", 0}, {"DUAL_TABLE", 1}, {NULL, 0}
};
static const struct field f_3dstate_subslice_hash_table[] = {
    {"Slice Hash Control[#]", 32, 33, FIELD_UINT, slice_hash_control, .count = 8, .stride = 2},
    {"Slice Table Mode", 62, 63, FIELD_UINT, slice_table_mode},
    {"Two Way Table Entry[#][0]", 64, 64, FIELD_UINT, .count = 16, .stride = 1},
    {"Two Way Table Entry[#][1]", 80, 80, FIELD_UINT, .count = 16, .stride = 1},
    {"Two Way Table Entry[#][2]", 96, 96, FIELD_UINT, .count = 16, .stride = 1},
    {"Two Way Table Entry[#][3]", 112, 112, FIELD_UINT, .count = 16, .stride = 1},
    {"Two Way Table Entry[#][4]", 128, 128, FIELD_UINT, .count = 16, .stride = 1},
    {"Two Way Table Entry[#][5]", 144, 144, FIELD_UINT, .count = 16, .stride = 1},
    {"Two Way Table Entry[#][6]", 160, 160, FIELD_UINT, .count = 16, .stride = 1},
    {"Two Way Table Entry[#][7]", 176, 176, FIELD_UINT, .count = 16, .stride = 1},
    {"Three Way Table Entry[#][0]", 192, 193, FIELD_UINT, .count = 16, .stride = 2},
    {"Three Way Table Entry[#][1]", 224, 225, FIELD_UINT, .count = 16, .stride = 2},
    {"Three Way Table Entry[#][2]", 256, 257, FIELD_UINT, .count = 16, .stride = 2},
    {"Three Way Table Entry[#][3]", 288, 289, FIELD_UINT, .count = 16, .stride = 2},
    {"Three Way Table Entry[#][4]", 320, 321, FIELD_UINT, .count = 16, .stride = 2},
    {"Three Way Table Entry[#][5]", 352, 353, FIELD_UINT, .count = 16, .stride = 2},
    {"Three Way Table Entry[#][6]", 384, 385, FIELD_UINT, .count = 16, .stride = 2},
    {"Three Way Table Entry[#][7]", 416, 417, FIELD_UINT, .count = 6, .stride = 2, .until = GEN12},
    {"Three Way Table Entry[#][7]", 416, 417, FIELD_UINT, .count = 16, .stride = 2, .since = GEN125},
};
static const struct field_value multisample_rasterization_mode[] = {
    {"MSRASTMODE_OFF_PIXEL", 0}, {"MSRASTMODE_OFF_PATTERN", 1}, {"MSRASTMODE_ON_PIXEL", 2},
    {"MSRASTMODE_ON_PATTERN", 3}, {NULL, 0}
};
static const struct field_value force_kill_pixel_enable[] = {
    {"ForceOff", 1}, {"ForceON", 2}, {NULL, 0}
};
static const struct field_value point_rasterization_rule[] = {
    {"RASTRULE_UPPER_LEFT", 0}, {"RASTRULE_UPPER_RIGHT", 1}, {NULL, 0}
};
static const struct field_value line_antialiasing_region_width[] = {
    {"0.5 pixels", 0}, {"1.0 pixels", 1}, {"2.0 pixels", 2}, {"4.0 pixels", 3}, {NULL, 0}
};
static const struct field_value barycentric_interpolation_mode[] = {
    {"BIM_PERSPECTIVE_PIXEL", 1}, {"BIM_PERSPECTIVE_CENTROID", 2}, {"BIM_PERSPECTIVE_SAMPLE", 4},
    {"BIM_LINEAR_PIXEL", 8}, {"BIM_LINEAR_CENTROID", 16}, {"BIM_LINEAR_SAMPLE", 32}, {NULL, 0}
};
static const struct field_value position_zw_interpolation_mode[] = {
    {"INTERP_PIXEL", 0}, {"INTERP_CENTROID", 2}, {"INTERP_SAMPLE", 3}, {NULL, 0}
};
static const struct field_value early_depth_stencil_control[] = {
    {"EDSC_NORMAL", 0}, {"EDSC_PSEXEC", 1}, {"EDSC_PREPS", 2}, {NULL, 0}
};
static const struct field_value floating_point_mode_3[] = {
    {"IEEE-745", 0}, {"Alternate", 1}, {NULL, 0}
};
static const struct field_value ps_uav_only[] = {
    {"OFF", 0}, {"ON", 1}, {NULL, 0}
};
static const struct field_value multisample_dispatch_mode[] = {
    {"MSDISPMODE_PERSAMPLE", 0}, {"MSDISPMODE_PERPIXEL", 1}, {NULL, 0}
};
static const struct field f_3dstate_tbimr_tile_pass_info[] = {
    {"Tile Rectangle Height", 32, 46, FIELD_UINT}, {"Tile Rectangle Width", 48, 62, FIELD_UINT},
    {"Vertical Tile Count", 64, 79, FIELD_UINT}, {"Horizontal Tile Count", 80, 95, FIELD_UINT},
    {"Walk Pattern", 96, 96, FIELD_UINT}, {"Tile Box Check", 98, 98, FIELD_BOOL}, {"TBIMR Batch Size", 99, 101, FIELD_UINT},
};
static const struct field f_3dstate_wm[] = {
    {"Multisample Rasterization Mode", 32, 33, FIELD_UINT, multisample_rasterization_mode, .since = GEN7, .until = GEN75},
    {"Force Kill Pixel Enable", 32, 33, FIELD_UINT, force_kill_pixel_enable, .since = GEN8},
    {"Point Rasterization Rule", 34, 34, FIELD_UINT, point_rasterization_rule, .since = GEN7, .role = WM_POINT_RULE},
    {"Line Stipple Enable", 35, 35, FIELD_BOOL, .since = GEN7, .role = WM_LINE_STIPPLE},
    {"Polygon Stipple Enable", 36, 36, FIELD_BOOL, .since = GEN7, .role = WM_STIPPLE},
    {"RT Independent Rasterization Enable", 37, 37, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Kernel Start Pointer 0", 38, 63, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN6, .role = WM_PS + PS_KERNEL_0},
    {"Line Antialiasing Region Width", 38, 39, FIELD_UINT, line_antialiasing_region_width, .since = GEN7},
    {"Line End Cap Antialiasing Region Width", 40, 41, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Line End Cap Antialiasing Region Width", 40, 41, FIELD_UINT, line_antialiasing_region_width, .since = GEN8},
    {"Pixel Shader Uses Input Coverage Mask", 42, 42, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Barycentric Interpolation Mode", 43, 48, FIELD_UINT, barycentric_interpolation_mode, .since = GEN7, .role = WM_BARYCENTRICS},
    {"Position ZW Interpolation Mode", 49, 50, FIELD_UINT, position_zw_interpolation_mode, .since = GEN7},
    {"Pixel Shader Uses Source W", 51, 51, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Force Thread Dispatch Enable", 51, 52, FIELD_UINT, force_kill_pixel_enable, .since = GEN8, .role = WM_FORCE_DISPATCH},
    {"Pixel Shader Uses Source Depth", 52, 52, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Early Depth/Stencil Control", 53, 54, FIELD_UINT, early_depth_stencil_control, .since = GEN7, .role = WM_EARLY_TESTS},
    {"Pixel Shader Computed Depth Mode", 55, 56, FIELD_UINT, pixel_shader_computed_depth_mode, .since = GEN7, .until = GEN75},
    {"Pixel Shader Kills Pixel", 57, 57, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Walker Direction", 55, 55, FIELD_UINT, .since = GEN125}, {"Walking Granularity", 56, 57, FIELD_UINT, .since = GEN125},
    {"Legacy Diamond Line Rasterization", 58, 58, FIELD_BOOL, .since = GEN7},
    {"Hierarchical Depth Buffer Resolve Enable", 59, 59, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Legacy Hierarchical Depth Buffer Resolve Enable", 59, 59, FIELD_BOOL, .since = GEN8, .role = WM_HIZ_RESOLVE},
    {"Depth Buffer Resolve Enable", 60, 60, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Legacy Depth Buffer Resolve Enable", 60, 60, FIELD_BOOL, .since = GEN8, .role = WM_DEPTH_RESOLVE},
    {"Thread Dispatch Enable", 61, 61, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Depth Buffer Clear", 62, 62, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Legacy Depth Buffer Clear Enable", 62, 62, FIELD_BOOL, .since = GEN8, .role = WM_DEPTH_CLEAR},
    {"Statistics Enable", 63, 63, FIELD_BOOL, .since = GEN7, .role = WM_STATISTICS},
    {"Software Exception Enable", 71, 71, FIELD_BOOL, .until = GEN6, .role = WM_PS + SHADER_SOFTWARE_EXCEPTIONS},
    {"MaskStack Exception Enable", 75, 75, FIELD_BOOL, .until = GEN6},
    {"Illegal Opcode Exception Enable", 77, 77, FIELD_BOOL, .until = GEN6, .role = WM_PS + SHADER_ILLEGAL_EXCEPTIONS},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode_3, .until = GEN6, .role = WM_PS + SHADER_FLOATING_POINT},
    {"Thread Priority", 81, 81, FIELD_UINT, thread_priority, .until = GEN6},
    {"Binding Table Entry Count", 82, 89, FIELD_UINT, .role = COUNT_BINDINGS, .until = GEN6},
    {"Sampler Count", 91, 93, FIELD_UINT, .role = COUNT_SAMPLERS, .until = GEN6},
    {"Vector Mask Enable", 94, 94, FIELD_BOOL, .until = GEN6, .role = WM_PS + SHADER_VECTOR_MASK},
    {"PS UAV-only", 94, 94, FIELD_UINT, ps_uav_only, .since = GEN75, .until = GEN75},
    {"Single Program Flow", 95, 95, FIELD_BOOL, .until = GEN6, .role = WM_PS + SHADER_SINGLE_FLOW},
    {"Multisample Dispatch Mode", 95, 95, FIELD_UINT, multisample_dispatch_mode, .since = GEN7, .until = GEN75},
    {"Per Thread Scratch Space", 96, 99, FIELD_UINT, .until = GEN6, .role = WM_PS + SHADER_SCRATCH_SIZE},
    {"Scratch Space Base Pointer", 106, 127, FIELD_ADDRESS, .base = BASE_GENERAL, .until = GEN6, .role = WM_PS + SHADER_SCRATCH},
    {"Dispatch GRF Start Register For Constant/Setup Data 2", 128, 134, FIELD_UINT, .until = GEN6, .role = WM_PS + PS_START_2},
    {"Dispatch GRF Start Register For Constant/Setup Data 1", 136, 142, FIELD_UINT, .until = GEN6, .role = WM_PS + PS_START_1},
    {"Dispatch GRF Start Register For Constant/Setup Data 0", 144, 150, FIELD_UINT, .until = GEN6, .role = WM_PS + PS_START_0},
    {"Hierarchical Depth Buffer Resolve Enable", 155, 155, FIELD_BOOL, .until = GEN6, .role = WM_HIZ_RESOLVE},
    {"Depth Buffer Resolve Enable", 156, 156, FIELD_BOOL, .until = GEN6, .role = WM_DEPTH_RESOLVE},
    {"Depth Buffer Clear", 158, 158, FIELD_BOOL, .until = GEN6, .role = WM_DEPTH_CLEAR},
    {"Statistics Enable", 159, 159, FIELD_BOOL, .until = GEN6, .role = WM_STATISTICS},
    {"8 Pixel Dispatch Enable", 160, 160, FIELD_BOOL, .until = GEN6, .role = WM_PS + PS_8_PIXELS},
    {"16 Pixel Dispatch Enable", 161, 161, FIELD_BOOL, .until = GEN6, .role = WM_PS + PS_16_PIXELS},
    {"32 Pixel Dispatch Enable", 162, 162, FIELD_BOOL, .until = GEN6, .role = WM_PS + PS_32_PIXELS},
    {"Dual Source Blend Enable", 167, 167, FIELD_BOOL, .until = GEN6},
    {"Pixel Shader Uses Source W", 168, 168, FIELD_BOOL, .until = GEN6, .role = WM_PSX + PSX_SOURCE_W},
    {"oMask Present to RenderTarget", 169, 169, FIELD_BOOL, .until = GEN6, .role = WM_PSX + PSX_OMASK},
    {"Line Stipple Enable", 171, 171, FIELD_BOOL, .until = GEN6, .role = WM_LINE_STIPPLE},
    {"Polygon Stipple Enable", 173, 173, FIELD_BOOL, .until = GEN6, .role = WM_STIPPLE},
    {"Line Antialiasing Region Width", 174, 175, FIELD_UINT, line_antialiasing_region_width, .until = GEN6},
    {"Line End Cap Antialiasing Region Width", 176, 177, FIELD_UINT, line_antialiasing_region_width, .until = GEN6},
    {"Thread Dispatch Enable", 179, 179, FIELD_BOOL, .until = GEN6, .role = WM_PSX + PSX_VALID},
    {"Pixel Shader Uses Source Depth", 180, 180, FIELD_BOOL, .until = GEN6, .role = WM_PSX + PSX_SOURCE_DEPTH},
    {"Pixel Shader Computed Depth", 181, 181, FIELD_BOOL, .until = GEN6, .role = WM_PSX + PSX_COMPUTES_DEPTH},
    {"Pixel Shader Kills Pixel", 182, 182, FIELD_BOOL, .until = GEN6, .role = WM_PSX + PSX_KILLS},
    {"Legacy Diamond Line Rasterization", 183, 183, FIELD_BOOL, .until = GEN6},
    {"Maximum Number of Threads", 185, 191, FIELD_UINT, .until = GEN6},
    {"Multisample Dispatch Mode", 192, 192, FIELD_UINT, multisample_dispatch_mode, .until = GEN6},
    {"Multisample Rasterization Mode", 193, 194, FIELD_UINT, multisample_rasterization_mode, .until = GEN6},
    {"Point Rasterization Rule", 201, 201, FIELD_UINT, point_rasterization_rule, .until = GEN6, .role = WM_POINT_RULE},
    {"Barycentric Interpolation Mode", 202, 207, FIELD_UINT, barycentric_interpolation_mode, .until = GEN6, .role = WM_BARYCENTRICS},
    {"Position ZW Interpolation Mode", 208, 209, FIELD_UINT, position_zw_interpolation_mode, .until = GEN6},
    {"Position XY Offset Select", 210, 211, FIELD_UINT, position_xy_offset_select, .until = GEN6, .role = WM_PSX + PSX_OFFSETS},
    {"Number of SF Output Attributes", 212, 217, FIELD_UINT, .until = GEN6, .role = WM_PSX + PSX_ATTRIBUTES},
    {"Kernel Start Pointer 1", 230, 255, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN6, .role = WM_PS + PS_KERNEL_1},
    {"Kernel Start Pointer 2", 262, 287, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN6, .role = WM_PS + PS_KERNEL_2},
};
static const struct field f_3dstate_wm_chromakey[] = {
    {"ChromaKey Kill Enable", 63, 63, FIELD_BOOL},
};

static const struct command rows[] = {
    {.name = "3DSTATE_3D_MODE", .summary = "Modes of the 3D pipeline.",
     STATE_3D_WITH(1, 0x1e, COMMAND_ARBITRATES_MEDIA), .since = GEN11, .min_dwords = 2,
     FIELDS(f_3dstate_3d_mode), .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_BLEND_STATE_POINTERS", .summary = "Where the blend state is.", STATE_3D(0, 0x24),
     .since = GEN7, .min_dwords = 2, FIELDS(f_3dstate_blend_state_pointers), BY_ENABLES,
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_BTD", .summary = "Bindless thread dispatch of ray tracing.", OPCODE_3D(0, 1, 0x06),
     .engines = RENDER | COMPUTE, .since = GEN125, .length_bits = 8, .length_bias = 2, .min_dwords = 6,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_3dstate_btd), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_CC_STATE_POINTERS", .summary = "Where the colour calculator state is.",
     STATE_3D_WITH(0, 0x0e, COMMAND_INDIRECT_STATE), .since = GEN6, .min_dwords = 4,
     FIELDS(f_3dstate_cc_state_pointers), BY_ENABLES, .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 2, .flags = COMMAND_KEPT, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_MONOFILTER_SIZE", .summary = "Filter size of monochrome textures.",
     STATE_3D_WITH(1, 0x11, COMMAND_ARBITRATES_MEDIA), .since = GEN6, .min_dwords = 2,
     FIELDS(f_3dstate_monofilter_size), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_PS", .summary = "The pixel shader: kernels and dispatch.", STATE_3D(0, 0x20),
     .since = GEN7, .min_dwords = 8, FIELDS(f_3dstate_ps), .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 12, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_PS_BLEND", .summary = "What the pixel shader needs to know of blending.",
     STATE_3D(0, 0x4d), .since = GEN8, .min_dwords = 2, FIELDS(f_3dstate_ps_blend),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_PS_EXTRA", .summary = "What the pixel shader reads and writes.", STATE_3D(0, 0x4f),
     .since = GEN8, .min_dwords = 2, FIELDS(f_3dstate_ps_extra), .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_SLICE_TABLE_STATE_POINTERS", .summary = "Where the slice hashing tables are.",
     STATE_3D_WITH(1, 0x20, COMMAND_ARBITRATES_MEDIA), .since = GEN11, .min_dwords = 2,
     FIELDS(f_3dstate_slice_table_state_pointers), BY_ENABLES, .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "3DSTATE_SUBSLICE_HASH_TABLE", .summary = "How pixels are spread over subslices.",
     STATE_3D_WITH(1, 0x1f, COMMAND_ARBITRATES_MEDIA), .since = GEN12, .min_dwords = 14,
     FIELDS(f_3dstate_subslice_hash_table), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_TBIMR_TILE_PASS_INFO", .summary = "Tile passes of tile based rendering.", STATE_3D(0, 0x6e), .since = GEN125,
     .min_dwords = 4, FIELDS(f_3dstate_tbimr_tile_pass_info), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_WM", .summary = "The windower: interpolation, early tests, statistics.",
     STATE_3D(0, 0x14), .since = GEN6, .min_dwords = 9, FIELDS(f_3dstate_wm),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 3, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 2, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_WM_CHROMAKEY", .summary = "Kills pixels by chroma key, or not.", STATE_3D(0, 0x4c),
     .since = GEN8, .min_dwords = 2, FIELDS(f_3dstate_wm_chromakey), .spec = "CSP-08, BDW PRM vol 2a"},
};
/* clang-format on */

const struct command_table state_3d_pixel_commands = COMMAND_TABLE(rows);
