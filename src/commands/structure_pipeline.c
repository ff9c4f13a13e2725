/* Structures in memory: descriptors of compute and media threads, viewports, blending, depth and stencil.
 * (CSP-08, OVR-04) */
#include "dispatch/dispatch.h"
#include "draw/draw.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"

/* clang-format off */
static const struct field_value floating_point_mode[] = {
    {"IEEE-754", 0}, {"Alternate", 1}, {NULL, 0}
};
static const struct field_value thread_priority[] = {
    {"Normal Priority", 0}, {"High Priority", 1}, {NULL, 0}
};
static const struct field_value sampler_count[] = {
    {"No samplers used", 0}, {"Between 1 and 4 samplers used", 1}, {"Between 5 and 8 samplers used", 2},
    {"Between 9 and 12 samplers used", 3}, {"Between 13 and 16 samplers used", 4}, {NULL, 0}
};
static const struct field_value denorm_mode[] = {
    {"Ftz", 0}, {"SetByKernel", 1}, {NULL, 0}
};
static const struct field_value shared_local_memory_size[] = {
    {"Encodes 0K", 0}, {"Encodes 1K", 1}, {"Encodes 2K", 2}, {"Encodes 4K", 3}, {"Encodes 8K", 4},
    {"Encodes 16K", 5}, {"Encodes 32K", 6}, {"Encodes 64K", 7}, {NULL, 0}
};
static const struct field_value rounding_mode[] = {
    {"RTNE", 0}, {"RU", 1}, {"RD", 2}, {"RTZ", 3}, {NULL, 0}
};
static const struct field_value thread_group_dispatch_size[] = {
    {"TG size 8", 0}, {"TG size 4", 1}, {"TG size 2", 2}, {"TG size 1", 3}, {NULL, 0}
};
static const struct field_value number_of_barriers[] = {
    {"NONE", 0}, {"B1", 1}, {"B2", 2}, {"B4", 3}, {"B8", 4}, {"B16", 5}, {"B24", 6}, {"B32", 7}, {NULL, 0}
};
static const struct field_value shared_local_memory_size_2[] = {
    {"Encodes 0k", 0}, {"Encodes 4k", 1}, {"Encodes 8k", 2}, {"Encodes 16k", 4}, {"Encodes 32k", 8},
    {"Encodes 64k", 16}, {NULL, 0}
};
static const struct field f_interface_descriptor_data[] = {
    {"Kernel Start Pointer", 6, 31, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75, .role = DESCRIPTOR_KERNEL},
    {"Kernel Start Pointer", 6, 47, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8, .until = GEN12, .role = DESCRIPTOR_KERNEL},
    {"Kernel Start Pointer", 6, 31, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN125, .role = DESCRIPTOR_KERNEL},
    {"Software Exception Enable", 39, 39, FIELD_BOOL, .until = GEN75},
    {"Software Exception Enable", 71, 71, FIELD_BOOL, .since = GEN8, .role = DESCRIPTOR_SOFTWARE_EXCEPTIONS},
    {"Mask Stack Exception Enable", 43, 43, FIELD_BOOL, .until = GEN75},
    {"Mask Stack Exception Enable", 75, 75, FIELD_BOOL, .since = GEN8},
    {"Illegal Opcode Exception Enable", 45, 45, FIELD_BOOL, .until = GEN75},
    {"Illegal Opcode Exception Enable", 77, 77, FIELD_BOOL, .since = GEN8, .role = DESCRIPTOR_ILLEGAL_EXCEPTIONS},
    {"Floating Point Mode", 48, 48, FIELD_UINT, floating_point_mode, .until = GEN75, .role = DESCRIPTOR_FLOATING_POINT},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode, .since = GEN8, .role = DESCRIPTOR_FLOATING_POINT},
    {"Thread Priority", 49, 49, FIELD_UINT, thread_priority, .until = GEN75},
    {"Thread Priority", 81, 81, FIELD_UINT, thread_priority, .since = GEN8, .until = GEN12},
    {"Single Program Flow", 50, 50, FIELD_BOOL, .until = GEN75, .role = DESCRIPTOR_SINGLE_FLOW},
    {"Single Program Flow", 82, 82, FIELD_BOOL, .since = GEN8, .role = DESCRIPTOR_SINGLE_FLOW},
    {"Sampler Count", 66, 68, FIELD_UINT, sampler_count, .role = COUNT_SAMPLERS, .until = GEN75},
    {"Sampler State Pointer", 69, 95, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_STATE, .until = GEN75, .role = DESCRIPTOR_SAMPLERS},
    {"Denorm Mode", 83, 83, FIELD_UINT, denorm_mode, .since = GEN8, .role = DESCRIPTOR_DENORM},
    {"Thread Preemption Disable", 84, 84, FIELD_BOOL, .since = GEN12, .until = GEN12},
    {"Thread Preemption Disable", 84, 84, FIELD_UINT, .since = GEN125},
    {"Binding Table Entry Count", 96, 100, FIELD_UINT, .role = COUNT_BINDINGS, .until = GEN75},
    {"Sampler Count", 98, 100, FIELD_UINT, sampler_count, .role = COUNT_SAMPLERS, .since = GEN8},
    {"Binding Table Pointer", 101, 127, FIELD_OFFSET, .base = BASE_BINDING_TABLES, .target = BINDING_TABLE_STATE, .until = GEN6, .role = DESCRIPTOR_BINDINGS},
    {"Binding Table Pointer", 101, 111, FIELD_OFFSET, .base = BASE_BINDING_TABLES, .target = BINDING_TABLE_STATE, .since = GEN7, .until = GEN75, .role = DESCRIPTOR_BINDINGS},
    {"Sampler State Pointer", 101, 127, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_STATE, .since = GEN8, .role = DESCRIPTOR_SAMPLERS},
    {"Constant URB Entry Read Offset", 128, 143, FIELD_UINT, .until = GEN7, .role = DESCRIPTOR_CONSTANTS_START},
    {"Binding Table Entry Count", 128, 132, FIELD_UINT, .role = COUNT_BINDINGS, .since = GEN8},
    {"Binding Table Pointer", 133, 143, FIELD_OFFSET, .base = BASE_BINDING_TABLES, .target = BINDING_TABLE_STATE, .since = GEN8, .until = GEN12, .role = DESCRIPTOR_BINDINGS},
    {"Binding Table Pointer", 133, 148, FIELD_OFFSET, .base = BASE_BINDING_TABLES, .target = BINDING_TABLE_STATE, .since = GEN125, .role = DESCRIPTOR_BINDINGS},
    {"Constant URB Entry Read Length", 144, 159, FIELD_UINT, .until = GEN75, .role = DESCRIPTOR_CONSTANTS_LENGTH},
    {"Barrier ID", 160, 163, FIELD_UINT, .until = GEN6},
    {"Number of Threads in GPGPU Thread Group", 160, 167, FIELD_UINT, .since = GEN7, .until = GEN75, .role = DESCRIPTOR_THREADS},
    {"Number of Threads in GPGPU Thread Group", 160, 169, FIELD_UINT, .since = GEN125, .role = DESCRIPTOR_THREADS},
    {"Constant URB Entry Read Offset", 160, 175, FIELD_UINT, .since = GEN8, .until = GEN12, .role = DESCRIPTOR_CONSTANTS_START},
    {"Barrier Return Byte", 168, 175, FIELD_UINT, .until = GEN6},
    {"Shared Local Memory Size", 176, 180, FIELD_UINT, .since = GEN7, .until = GEN75, .role = DESCRIPTOR_LOCAL_BYTES},
    {"Shared Local Memory Size", 176, 180, FIELD_UINT, shared_local_memory_size, .since = GEN125, .role = DESCRIPTOR_LOCAL_BYTES},
    {"Constant URB Entry Read Length", 176, 191, FIELD_UINT, .since = GEN8, .until = GEN12, .role = DESCRIPTOR_CONSTANTS_LENGTH},
    {"Barrier Enable", 181, 181, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Barrier Enable", 181, 181, FIELD_BOOL, .since = GEN125},
    {"Rounding Mode", 182, 183, FIELD_UINT, rounding_mode, .since = GEN7, .until = GEN75, .role = DESCRIPTOR_ROUNDING},
    {"Rounding Mode", 182, 183, FIELD_UINT, rounding_mode, .since = GEN125, .role = DESCRIPTOR_ROUNDING},
    {"Barrier Return GRF Offset", 184, 191, FIELD_UINT, .until = GEN6},
    {"Thread Group Dispatch Size", 186, 187, FIELD_UINT, thread_group_dispatch_size, .since = GEN125},
    {"Number Of Barriers", 188, 190, FIELD_UINT, number_of_barriers, .since = GEN125},
    {"BTD Mode", 191, 191, FIELD_UINT, .since = GEN125},
    {"Cross-Thread Constant Data Read Length", 192, 199, FIELD_UINT, .since = GEN75, .until = GEN75, .role = DESCRIPTOR_CROSS_LENGTH},
    {"Number of Threads in GPGPU Thread Group", 192, 201, FIELD_UINT, .since = GEN8, .until = GEN12, .role = DESCRIPTOR_THREADS},
    {"Preferred SLM Allocation Size", 192, 195, FIELD_UINT, .since = GEN125},
    {"Global Barrier Enable", 207, 207, FIELD_BOOL, .since = GEN9, .until = GEN12},
    {"Shared Local Memory Size", 208, 212, FIELD_UINT, shared_local_memory_size_2, .since = GEN8, .until = GEN8, .role = DESCRIPTOR_LOCAL_PAGES},
    {"Shared Local Memory Size", 208, 212, FIELD_UINT, shared_local_memory_size, .since = GEN9, .until = GEN12, .role = DESCRIPTOR_LOCAL_BYTES},
    {"Barrier Enable", 213, 213, FIELD_BOOL, .since = GEN8, .until = GEN12},
    {"Rounding Mode", 214, 215, FIELD_UINT, rounding_mode, .since = GEN8, .until = GEN12, .role = DESCRIPTOR_ROUNDING},
    {"Cross-Thread Constant Data Read Length", 224, 231, FIELD_UINT, .since = GEN8, .until = GEN12, .role = DESCRIPTOR_CROSS_LENGTH},
};
static const struct field f_clip_viewport[] = {
    {"XMin Clip Guardband", 0, 31, FIELD_FLOAT, .role = GUARD_X_MIN}, {"XMax Clip Guardband", 32, 63, FIELD_FLOAT, .role = GUARD_X_MAX},
    {"YMin Clip Guardband", 64, 95, FIELD_FLOAT, .role = GUARD_Y_MIN}, {"YMax Clip Guardband", 96, 127, FIELD_FLOAT, .role = GUARD_Y_MAX},
};
static const struct field_value viewport_matrix_element_m22[] = {
    {"Excludes DWord (0,1)", 0}, {NULL, 0}
};
static const struct field f_sf_viewport[] = {
    {"Viewport Matrix Element m00", 0, 31, FIELD_FLOAT, .role = MATRIX_M00}, {"Viewport Matrix Element m11", 32, 63, FIELD_FLOAT, .role = MATRIX_M11},
    {"Viewport Matrix Element m22", 64, 95, FIELD_FLOAT, viewport_matrix_element_m22, .role = MATRIX_M22},
    {"Viewport Matrix Element m30", 96, 127, FIELD_FLOAT, .role = MATRIX_M30},
    {"Viewport Matrix Element m31", 128, 159, FIELD_FLOAT, .role = MATRIX_M31},
    {"Viewport Matrix Element m32", 160, 191, FIELD_FLOAT, .role = MATRIX_M32},
};
static const struct field f_sf_clip_viewport[] = {
    {"Viewport Matrix Element m00", 0, 31, FIELD_FLOAT, .role = MATRIX_M00}, {"Viewport Matrix Element m11", 32, 63, FIELD_FLOAT, .role = MATRIX_M11},
    {"Viewport Matrix Element m22", 64, 95, FIELD_FLOAT, .role = MATRIX_M22}, {"Viewport Matrix Element m30", 96, 127, FIELD_FLOAT, .role = MATRIX_M30},
    {"Viewport Matrix Element m31", 128, 159, FIELD_FLOAT, .role = MATRIX_M31},
    {"Viewport Matrix Element m32", 160, 191, FIELD_FLOAT, .role = MATRIX_M32}, {"X Min Clip Guardband", 256, 287, FIELD_FLOAT},
    {"X Max Clip Guardband", 288, 319, FIELD_FLOAT}, {"Y Min Clip Guardband", 320, 351, FIELD_FLOAT},
    {"Y Max Clip Guardband", 352, 383, FIELD_FLOAT}, {"X Min ViewPort", 384, 415, FIELD_FLOAT, .since = GEN8, .role = VIEWPORT_X_MIN},
    {"X Max ViewPort", 416, 447, FIELD_FLOAT, .since = GEN8, .role = VIEWPORT_X_MAX},
    {"Y Min ViewPort", 448, 479, FIELD_FLOAT, .since = GEN8, .role = VIEWPORT_Y_MIN},
    {"Y Max ViewPort", 480, 511, FIELD_FLOAT, .since = GEN8, .role = VIEWPORT_Y_MAX},
};
static const struct field f_cc_viewport[] = {
    {"Minimum Depth", 0, 31, FIELD_FLOAT, .role = DEPTH_LEAST}, {"Maximum Depth", 32, 63, FIELD_FLOAT, .role = DEPTH_MOST},
};
static const struct field f_scissor_rect[] = {
    {"Scissor Rectangle X Min", 0, 15, FIELD_UINT, .role = SCISSOR_X_MIN}, {"Scissor Rectangle Y Min", 16, 31, FIELD_UINT, .role = SCISSOR_Y_MIN},
    {"Scissor Rectangle X Max", 32, 47, FIELD_UINT, .role = SCISSOR_X_MAX}, {"Scissor Rectangle Y Max", 48, 63, FIELD_UINT, .role = SCISSOR_Y_MAX},
};
static const struct field_value alpha_test_function[] = {
    {"ALWAYS", 0}, {"NEVER", 1}, {"LESS", 2}, {"EQUAL", 3}, {"LEQUAL", 4}, {"GREATER", 5}, {"NOTEQUAL", 6},
    {"GEQUAL", 7}, {NULL, 0}
};
static const struct field f_blend_state[] = {
    {"Y Dither Offset", 19, 20, FIELD_UINT, .since = GEN8},
    {"X Dither Offset", 21, 22, FIELD_UINT, .since = GEN8},
    {"Color Dither Enable", 23, 23, FIELD_BOOL, .since = GEN8},
    {"Alpha Test Function", 24, 26, FIELD_UINT, alpha_test_function, .since = GEN8},
    {"Alpha Test Enable", 27, 27, FIELD_BOOL, .since = GEN8},
    {"Alpha To Coverage Dither Enable", 28, 28, FIELD_BOOL, .since = GEN8},
    {"Alpha To One Enable", 29, 29, FIELD_BOOL, .since = GEN8, .role = BLENDS_ALPHA_ONE},
    {"Independent Alpha Blend Enable", 30, 30, FIELD_BOOL, .since = GEN8, .role = BLENDS_ALPHA_APART},
    {"Alpha To Coverage Enable", 31, 31, FIELD_BOOL, .since = GEN8},
};
static const struct field_value destination_blend_factor[] = {
    {"ONE", 1}, {"SRC_COLOR", 2}, {"SRC_ALPHA", 3}, {"DST_ALPHA", 4}, {"DST_COLOR", 5},
    {"SRC_ALPHA_SATURATE", 6}, {"CONST_COLOR", 7}, {"CONST_ALPHA", 8}, {"SRC1_COLOR", 9}, {"SRC1_ALPHA", 10},
    {"ZERO", 17}, {"INV_SRC_COLOR", 18}, {"INV_SRC_ALPHA", 19}, {"INV_DST_ALPHA", 20}, {"INV_DST_COLOR", 21},
    {"INV_CONST_COLOR", 23}, {"INV_CONST_ALPHA", 24}, {"INV_SRC1_COLOR", 25}, {"INV_SRC1_ALPHA", 26}, {NULL, 0}
};
static const struct field_value alpha_blend_function[] = {
    {"ADD", 0}, {"SUBTRACT", 1}, {"REVERSE_SUBTRACT", 2}, {"MIN", 3}, {"MAX", 4}, {NULL, 0}
};
static const struct field_value color_clamp_range[] = {
    {"COLORCLAMP_UNORM", 0}, {"COLORCLAMP_SNORM", 1}, {"COLORCLAMP_RTFORMAT", 2}, {NULL, 0}
};
static const struct field_value logic_op_function[] = {
    {"CLEAR", 0}, {"NOR", 1}, {"AND_INVERTED", 2}, {"COPY_INVERTED", 3}, {"AND_REVERSE", 4}, {"INVERT", 5},
    {"XOR", 6}, {"NAND", 7}, {"AND", 8}, {"EQUIV", 9}, {"NOOP", 10}, {"OR_INVERTED", 11}, {"COPY", 12},
    {"OR_REVERSE", 13}, {"OR", 14}, {"SET", 15}, {NULL, 0}
};
static const struct field f_blend_state_entry[] = {
    {"Destination Blend Factor", 0, 4, FIELD_UINT, destination_blend_factor, .until = GEN75, .role = TARGET_DESTINATION},
    {"Write Disable Blue", 0, 0, FIELD_BOOL, .since = GEN8, .role = TARGET_NO_BLUE},
    {"Write Disable Green", 1, 1, FIELD_BOOL, .since = GEN8, .role = TARGET_NO_GREEN},
    {"Write Disable Red", 2, 2, FIELD_BOOL, .since = GEN8, .role = TARGET_NO_RED},
    {"Write Disable Alpha", 3, 3, FIELD_BOOL, .since = GEN8, .role = TARGET_NO_ALPHA},
    {"Source Blend Factor", 5, 9, FIELD_UINT, destination_blend_factor, .until = GEN75, .role = TARGET_SOURCE},
    {"Alpha Blend Function", 5, 7, FIELD_UINT, alpha_blend_function, .since = GEN8, .role = TARGET_ALPHA_FUNCTION},
    {"Destination Alpha Blend Factor", 8, 12, FIELD_UINT, destination_blend_factor, .since = GEN8, .role = TARGET_ALPHA_DESTINATION},
    {"Color Blend Function", 11, 13, FIELD_UINT, alpha_blend_function, .until = GEN75, .role = TARGET_FUNCTION},
    {"Source Alpha Blend Factor", 13, 17, FIELD_UINT, destination_blend_factor, .since = GEN8, .role = TARGET_ALPHA_SOURCE},
    {"Destination Alpha Blend Factor", 15, 19, FIELD_UINT, destination_blend_factor, .until = GEN75, .role = TARGET_ALPHA_DESTINATION},
    {"Color Blend Function", 18, 20, FIELD_UINT, alpha_blend_function, .since = GEN8, .role = TARGET_FUNCTION},
    {"Source Alpha Blend Factor", 20, 24, FIELD_UINT, destination_blend_factor, .until = GEN75, .role = TARGET_ALPHA_SOURCE},
    {"Destination Blend Factor", 21, 25, FIELD_UINT, destination_blend_factor, .since = GEN8, .role = TARGET_DESTINATION},
    {"Alpha Blend Function", 26, 28, FIELD_UINT, alpha_blend_function, .until = GEN75, .role = TARGET_ALPHA_FUNCTION},
    {"Source Blend Factor", 26, 30, FIELD_UINT, destination_blend_factor, .since = GEN8, .role = TARGET_SOURCE},
    {"Independent Alpha Blend Enable", 30, 30, FIELD_BOOL, .until = GEN75, .role = TARGET_ALPHA_APART},
    {"Color Buffer Blend Enable", 31, 31, FIELD_BOOL, .role = TARGET_BLENDS}, {"Post-Blend Color Clamp Enable", 32, 32, FIELD_BOOL, .role = TARGET_CLAMPS_BEHIND},
    {"Pre-Blend Color Clamp Enable", 33, 33, FIELD_BOOL, .role = TARGET_CLAMPS_BEFORE},
    {"Color Clamp Range", 34, 35, FIELD_UINT, color_clamp_range, .role = TARGET_CLAMP_RANGE},
    {"Pre-Blend Source Only Clamp Enable", 36, 36, FIELD_BOOL, .since = GEN8, .role = TARGET_CLAMPS_SOURCE},
    {"Y Dither Offset", 40, 41, FIELD_UINT, .until = GEN75},
    {"X Dither Offset", 42, 43, FIELD_UINT, .until = GEN75},
    {"Color Dither Enable", 44, 44, FIELD_BOOL, .until = GEN75},
    {"Alpha Test Function", 45, 47, FIELD_UINT, alpha_test_function, .until = GEN75, .role = TARGET_TEST_FUNCTION},
    {"Alpha Test Enable", 48, 48, FIELD_BOOL, .until = GEN75, .role = TARGET_ALPHA_TEST},
    {"Logic Op Function", 50, 53, FIELD_UINT, logic_op_function, .until = GEN75, .role = TARGET_LOGIC_FUNCTION},
    {"Logic Op Function", 59, 62, FIELD_UINT, logic_op_function, .since = GEN8, .role = TARGET_LOGIC_FUNCTION},
    {"Logic Op Enable", 54, 54, FIELD_BOOL, .until = GEN75, .role = TARGET_LOGIC},
    {"Logic Op Enable", 63, 63, FIELD_BOOL, .since = GEN8, .role = TARGET_LOGIC},
    {"Write Disable Blue", 56, 56, FIELD_BOOL, .until = GEN75, .role = TARGET_NO_BLUE},
    {"Write Disable Green", 57, 57, FIELD_BOOL, .until = GEN75, .role = TARGET_NO_GREEN},
    {"Write Disable Red", 58, 58, FIELD_BOOL, .until = GEN75, .role = TARGET_NO_RED},
    {"Write Disable Alpha", 59, 59, FIELD_BOOL, .until = GEN75, .role = TARGET_NO_ALPHA},
    {"AlphaToCoverage Dither Enable", 61, 61, FIELD_BOOL, .until = GEN75},
    {"AlphaToOne Enable", 62, 62, FIELD_BOOL, .until = GEN75, .role = TARGET_ALPHA_ONE},
    {"AlphaToCoverage Enable", 63, 63, FIELD_BOOL, .until = GEN75, .role = TARGET_ALPHA_COVERAGE},
};
static const struct field_value alpha_test_format[] = {
    {"ALPHATEST_UNORM8", 0}, {"ALPHATEST_FLOAT32", 1}, {NULL, 0}
};
static const struct field f_color_calc_state[] = {
    {"Alpha Test Format", 0, 0, FIELD_UINT, alpha_test_format, .role = CALC_ALPHA_IS_FLOAT},
    {"Round Disable Function Disable", 15, 15, FIELD_BOOL},
    {"Backface Stencil Reference Value", 16, 23, FIELD_UINT, .until = GEN8, .role = CALC_REFERENCE + 1},
    {"Stencil Reference Value", 24, 31, FIELD_UINT, .until = GEN8, .role = CALC_REFERENCE},
    {"Alpha Reference Value As FLOAT32", 32, 63, FIELD_FLOAT, .role = CALC_ALPHA_REFERENCE},
    {"Blend Constant Color Red", 64, 95, FIELD_FLOAT}, {"Blend Constant Color Green", 96, 127, FIELD_FLOAT},
    {"Blend Constant Color Blue", 128, 159, FIELD_FLOAT}, {"Blend Constant Color Alpha", 160, 191, FIELD_FLOAT},
};
static const struct field_value backface_stencil_pass_depth_pass_op[] = {
    {"KEEP", 0}, {"ZERO", 1}, {"REPLACE", 2}, {"INCRSAT", 3}, {"DECRSAT", 4}, {"INCR", 5}, {"DECR", 6},
    {"INVERT", 7}, {NULL, 0}
};
static const struct field f_depth_stencil_state[] = {
    {"Backface Stencil Pass Depth Pass Op", 3, 5, FIELD_UINT, backface_stencil_pass_depth_pass_op, .role = STENCIL_PASS + STENCIL_SIDE},
    {"Backface Stencil Pass Depth Fail Op", 6, 8, FIELD_UINT, backface_stencil_pass_depth_pass_op, .role = STENCIL_DEPTH_FAIL + STENCIL_SIDE},
    {"Backface Stencil Fail Op", 9, 11, FIELD_UINT, backface_stencil_pass_depth_pass_op, .role = STENCIL_FAIL + STENCIL_SIDE},
    {"Backface Stencil Test Function", 12, 14, FIELD_UINT, alpha_test_function, .role = STENCIL_FUNCTION + STENCIL_SIDE},
    {"Double Sided Stencil Enable", 15, 15, FIELD_BOOL, .role = STENCIL_TWO_SIDES}, {"Stencil Buffer Write Enable", 18, 18, FIELD_BOOL, .role = STENCIL_WRITES},
    {"Stencil Pass Depth Pass Op", 19, 21, FIELD_UINT, backface_stencil_pass_depth_pass_op, .role = STENCIL_PASS},
    {"Stencil Pass Depth Fail Op", 22, 24, FIELD_UINT, backface_stencil_pass_depth_pass_op, .role = STENCIL_DEPTH_FAIL},
    {"Stencil Fail Op", 25, 27, FIELD_UINT, backface_stencil_pass_depth_pass_op, .role = STENCIL_FAIL},
    {"Stencil Test Function", 28, 30, FIELD_UINT, alpha_test_function, .role = STENCIL_FUNCTION},
    {"Stencil Test Enable", 31, 31, FIELD_BOOL, .role = STENCIL_TESTS}, {"Backface Stencil Write Mask", 32, 39, FIELD_UINT, .role = STENCIL_WRITE_MASK + STENCIL_SIDE},
    {"Backface Stencil Test Mask", 40, 47, FIELD_UINT, .role = STENCIL_TEST_MASK + STENCIL_SIDE}, {"Stencil Write Mask", 48, 55, FIELD_UINT, .role = STENCIL_WRITE_MASK},
    {"Stencil Test Mask", 56, 63, FIELD_UINT, .role = STENCIL_TEST_MASK}, {"Depth Buffer Write Enable", 90, 90, FIELD_BOOL, .role = DEPTH_WRITES},
    {"Depth Test Function", 91, 93, FIELD_UINT, alpha_test_function, .role = DEPTH_FUNCTION}, {"Depth Test Enable", 95, 95, FIELD_BOOL, .role = DEPTH_TESTS},
};

static const struct command rows[] = {
    {STRUCTURE(INTERFACE_DESCRIPTOR_DATA),
     .summary = "A kernel of the media and GPGPU pipelines, its samplers and surfaces.", .since = GEN6,
     .min_dwords = 8, FIELDS(f_interface_descriptor_data), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2d"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2d"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2d"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2d"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2d"},
    {STRUCTURE(CLIP_VIEWPORT), .summary = "Guard band of the clipper.", .since = GEN6, .until = GEN6,
     .min_dwords = 4, FIELDS(f_clip_viewport), .spec = "CSP-08, SNB PRM vol 2a"},
    {STRUCTURE(SF_VIEWPORT), .summary = "Viewport transformation.", .since = GEN6, .until = GEN6,
     .min_dwords = 8, FIELDS(f_sf_viewport), .spec = "CSP-08, SNB PRM vol 2a"},
    {STRUCTURE(SF_CLIP_VIEWPORT), .summary = "Viewport transformation and guard band.", .since = GEN7,
     .min_dwords = 16, FIELDS(f_sf_clip_viewport), .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2d"},
    {STRUCTURE(CC_VIEWPORT), .summary = "Range of depth.", .since = GEN6, .min_dwords = 2,
     FIELDS(f_cc_viewport), .spec = "CSP-08, SNB PRM vol 2a"},
    {STRUCTURE(SCISSOR_RECT), .summary = "A scissor rectangle.", .since = GEN6, .min_dwords = 2,
     FIELDS(f_scissor_rect), .spec = "CSP-08, SNB PRM vol 2a"},
    {STRUCTURE(BLEND_STATE), .summary = "How eight render targets blend.", .since = GEN6, .min_dwords = 16,
     FIELDS(f_blend_state), GROUP(f_blend_state_entry, 0, 2), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 17, GROUP(f_blend_state_entry, 1, 2), .spec = "CSP-08, BDW PRM vol 2d"},
    {STRUCTURE(COLOR_CALC_STATE), .summary = "Constants of blending, references of alpha and stencil tests.",
     .since = GEN6, .min_dwords = 6, FIELDS(f_color_calc_state), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2d"},
    {STRUCTURE(DEPTH_STENCIL_STATE), .summary = "Depth and stencil tests.", .since = GEN6, .until = GEN75,
     .min_dwords = 3, FIELDS(f_depth_stencil_state), .spec = "CSP-08, SNB PRM vol 2a"},
};
/* clang-format on */

const struct command_table structure_pipeline_table = COMMAND_TABLE(rows);
