/* Structures in memory: samplers. (CSP-08, OVR-04) */
#include "stream/bases.h"
#include "shared_function/shared_function.h"
#include "stream/structure.h"

#include "structures/structures.h"
#include "structures/values.h"

static const struct field_value anisotropic_algorithm[] = {
    {"LEGACY", 0}, {"EWA Approximation", 1}, {NULL, 0}};
static const struct field_value min_mode_filter[] = {
    {"NEAREST", 0}, {"LINEAR", 1}, {"ANISOTROPIC", 2}, {"MONO", 6}, {NULL, 0}};
static const struct field_value mip_mode_filter[] = {{"NONE", 0}, {"NEAREST", 1}, {"LINEAR", 3}, {NULL, 0}};
static const struct field_value min_and_mag_state_not_equal[] = {
    {"MIN_MAG_EQ", 0}, {"MIN_MAG_NEQ", 1}, {NULL, 0}};
static const struct field_value lod_preclamp_mode[] = {{"NONE", 0}, {"OGL", 2}, {NULL, 0}};
static const struct field_value lod_preclamp_enable[] = {{"OGL", 1}, {NULL, 0}};
static const struct field_value texture_border_color_mode[] = {{"DX10/OGL", 0}, {"DX9", 1}, {NULL, 0}};
static const struct field_value tcz_address_control_mode[] = {
    {"WRAP", 0},         {"MIRROR", 1},      {"CLAMP", 2}, {"CUBE", 3},
    {"CLAMP_BORDER", 4}, {"MIRROR_ONCE", 5}, {NULL, 0}};
static const struct field_value cube_surface_control_mode[] = {{"PROGRAMMED", 0}, {"OVERRIDE", 1}, {NULL, 0}};
static const struct field_value chromakey_mode[] = {
    {"KEYFILTER_KILL_ON_ANY_MATCH", 0}, {"KEYFILTER_REPLACE_BLACK", 1}, {NULL, 0}};
static const struct field_value cube_surface_control_mode_2[] = {
    {"CUBECTRLMODE_PROGRAMMED", 0}, {"CUBECTRLMODE_OVERRIDE", 1}, {NULL, 0}};
static const struct field_value lod_clamp_magnification_mode[] = {
    {"MIPNONE", 0}, {"MIPFILTER", 1}, {NULL, 0}};
static const struct field_value srgb_decode[] = {{"DECODE_EXT", 0}, {"SKIP_DECODE_EXT", 1}, {NULL, 0}};
static const struct field_value tcz_address_control_mode_2[] = {
    {"WRAP", 0},         {"MIRROR", 1},      {"CLAMP", 2},       {"CUBE", 3},
    {"CLAMP_BORDER", 4}, {"MIRROR_ONCE", 5}, {"HALF_BORDER", 6}, {NULL, 0}};
static const struct field_value tcz_address_control_mode_3[] = {
    {"WRAP", 0},        {"MIRROR", 1},      {"CLAMP", 2},      {"CUBE", 3}, {"CLAMP_BORDER", 4},
    {"MIRROR_ONCE", 5}, {"HALF_BORDER", 6}, {"MIRROR_101", 7}, {NULL, 0}};
static const struct field_value trilinear_filter_quality[] = {{"FULL", 0}, {"MED", 2}, {"LOW", 3}, {NULL, 0}};
static const struct field_value trilinear_filter_quality_2[] = {
    {"FULL", 0}, {"TRIQUAL_HIGH/MAG_CLAMP_MIPFILTER", 1}, {"MED", 2}, {"LOW", 3}, {NULL, 0}};
static const struct field_value trilinear_filter_quality_3[] = {
    {"FULL", 0}, {"HIGH", 1}, {"MED", 2}, {"LOW", 3}, {NULL, 0}};
static const struct field_value maximum_anisotropy[] = {
    {"RATIO 2:1", 0},  {"RATIO 4:1", 1},  {"RATIO 6:1", 2},  {"RATIO 8:1", 3}, {"RATIO 10:1", 4},
    {"RATIO 12:1", 5}, {"RATIO 14:1", 6}, {"RATIO 16:1", 7}, {NULL, 0}};
static const struct field_value reduction_type[] = {
    {"STD_FILTER", 0}, {"COMPARISON", 1}, {"MINIMUM", 2}, {"MAXIMUM", 3}, {NULL, 0}};
static const struct field f_sampler_state[] = {
    {"Shadow Function", 0, 2, FIELD_UINT, values_shadow_function, .until = GEN6,
     ROLE(SAMPLER_SHADOW_FUNCTION)},
    {"Anisotropic Algorithm", 0, 0, FIELD_UINT, anisotropic_algorithm, .since = GEN7},
    {"Texture LOD Bias", 1, 13, FIELD_INT, .since = GEN7, ROLE(SAMPLER_TEXTURE_LOD_BIAS)},
    {"Texture LOD Bias", 3, 13, FIELD_INT, .until = GEN6, ROLE(SAMPLER_TEXTURE_LOD_BIAS)},
    {"Min Mode Filter", 14, 16, FIELD_UINT, .until = GEN6, ROLE(SAMPLER_MIN_MODE_FILTER)},
    {"Min Mode Filter", 14, 16, FIELD_UINT, min_mode_filter, .since = GEN7, ROLE(SAMPLER_MIN_MODE_FILTER)},
    {"Mag Mode Filter", 17, 19, FIELD_UINT, min_mode_filter, ROLE(SAMPLER_MAG_MODE_FILTER)},
    {"Mip Mode Filter", 20, 21, FIELD_UINT, mip_mode_filter, ROLE(SAMPLER_MIP_MODE_FILTER)},
    {"Base Mip Level", 22, 26, FIELD_HEX, .until = GEN8},
    {"Coarse LOD Quality Mode", 22, 26, FIELD_UINT, .since = GEN9},
    {"Min and Mag State Not Equal", 27, 27, FIELD_UINT, min_and_mag_state_not_equal, .until = GEN6},
    {"LOD PreClamp Mode", 27, 28, FIELD_UINT, lod_preclamp_mode, .since = GEN8,
     ROLE(SAMPLER_LOD_PRECLAMP_MODE)},
    {"LOD PreClamp Enable", 28, 28, FIELD_UINT, lod_preclamp_enable, .until = GEN75,
     ROLE(SAMPLER_LOD_PRECLAMP_MODE)},
    {"Texture Border Color Mode", 29, 29, FIELD_UINT, texture_border_color_mode},
    {"CPS LOD Compensation Enable", 30, 30, FIELD_BOOL, .since = GEN11},
    {"Sampler Disable", 31, 31, FIELD_BOOL},
    {"TCZ Address Control Mode", 32, 34, FIELD_UINT, tcz_address_control_mode, .until = GEN6,
     ROLE(SAMPLER_TCZ_ADDRESS_CONTROL_MODE)},
    {"Cube Surface Control Mode", 32, 32, FIELD_UINT, cube_surface_control_mode, .since = GEN7,
     ROLE(SAMPLER_CUBE_SURFACE_CONTROL_MODE)},
    {"Shadow Function", 33, 35, FIELD_UINT, values_shadow_function, .since = GEN7,
     ROLE(SAMPLER_SHADOW_FUNCTION)},
    {"TCY Address Control Mode", 35, 37, FIELD_UINT, tcz_address_control_mode, .until = GEN6,
     ROLE(SAMPLER_TCY_ADDRESS_CONTROL_MODE)},
    {"ChromaKey Mode", 36, 36, FIELD_UINT, chromakey_mode, .since = GEN8},
    {"ChromaKey Index", 37, 38, FIELD_UINT, .since = GEN8},
    {"TCX Address Control Mode", 38, 40, FIELD_UINT, tcz_address_control_mode, .until = GEN6,
     ROLE(SAMPLER_TCX_ADDRESS_CONTROL_MODE)},
    {"ChromaKey Enable", 39, 39, FIELD_BOOL, .since = GEN8, ROLE(SAMPLER_CHROMAKEY_ENABLE)},
    {"Max LOD", 40, 51, FIELD_HEX, .since = GEN7, ROLE(SAMPLER_MAX_LOD)},
    {"Cube Surface Control Mode", 41, 41, FIELD_UINT, cube_surface_control_mode_2, .until = GEN6,
     ROLE(SAMPLER_CUBE_SURFACE_CONTROL_MODE)},
    {"Max LOD", 44, 53, FIELD_HEX, .until = GEN6, ROLE(SAMPLER_MAX_LOD)},
    {"Min LOD", 52, 63, FIELD_HEX, .since = GEN7, ROLE(SAMPLER_MIN_LOD)},
    {"Min LOD", 54, 63, FIELD_HEX, .until = GEN6, ROLE(SAMPLER_MIN_LOD)},
    {"LOD Clamp Magnification Mode", 64, 64, FIELD_UINT, lod_clamp_magnification_mode, .since = GEN8,
     ROLE(SAMPLER_LOD_CLAMP_MAGNIFICATION_MODE)},
    {"SRGB DECODE", 65, 65, FIELD_UINT, srgb_decode, .since = GEN11, ROLE(SAMPLER_SRGB_DECODE)},
    {"Return Filter Weight for Null Texels", 66, 66, FIELD_UINT, .since = GEN11},
    {"Return Filter Weight for Border Texels", 67, 67, FIELD_UINT, .since = GEN11},
    {"Border Color Pointer", 69, 95, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_BORDER_COLOR_STATE,
     .until = GEN75, ROLE(SAMPLER_BORDER_COLOR_POINTER)},
    {"Force gather4 Behavior", 69, 69, FIELD_BOOL, .since = GEN11},
    {"Border Color Pointer", 70, 87, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_BORDER_COLOR_STATE,
     .since = GEN8, .until = GEN11, ROLE(SAMPLER_BORDER_COLOR_POINTER)},
    {"Border Color Pointer", 70, 95, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = SAMPLER_BORDER_COLOR_STATE,
     .since = GEN12, ROLE(SAMPLER_BORDER_COLOR_POINTER)},
    {"Non-normalized Coordinate Enable", 96, 96, FIELD_BOOL, .until = GEN6,
     ROLE(SAMPLER_NON_NORMALIZED_COORDINATE_ENABLE)},
    {"TCZ Address Control Mode", 96, 98, FIELD_UINT, tcz_address_control_mode, .since = GEN7, .until = GEN75,
     ROLE(SAMPLER_TCZ_ADDRESS_CONTROL_MODE)},
    {"TCZ Address Control Mode", 96, 98, FIELD_UINT, tcz_address_control_mode_2, .since = GEN8, .until = GEN9,
     ROLE(SAMPLER_TCZ_ADDRESS_CONTROL_MODE)},
    {"TCZ Address Control Mode", 96, 98, FIELD_UINT, tcz_address_control_mode_3, .since = GEN11,
     ROLE(SAMPLER_TCZ_ADDRESS_CONTROL_MODE)},
    {"TCY Address Control Mode", 99, 101, FIELD_UINT, tcz_address_control_mode, .since = GEN7, .until = GEN75,
     ROLE(SAMPLER_TCY_ADDRESS_CONTROL_MODE)},
    {"TCY Address Control Mode", 99, 101, FIELD_UINT, tcz_address_control_mode_2, .since = GEN8,
     .until = GEN9, ROLE(SAMPLER_TCY_ADDRESS_CONTROL_MODE)},
    {"TCY Address Control Mode", 99, 101, FIELD_UINT, tcz_address_control_mode_3, .since = GEN11,
     ROLE(SAMPLER_TCY_ADDRESS_CONTROL_MODE)},
    {"TCX Address Control Mode", 102, 104, FIELD_UINT, tcz_address_control_mode, .since = GEN7,
     .until = GEN75, ROLE(SAMPLER_TCX_ADDRESS_CONTROL_MODE)},
    {"TCX Address Control Mode", 102, 104, FIELD_UINT, tcz_address_control_mode_2, .since = GEN8,
     .until = GEN9, ROLE(SAMPLER_TCX_ADDRESS_CONTROL_MODE)},
    {"TCX Address Control Mode", 102, 104, FIELD_UINT, tcz_address_control_mode_3, .since = GEN11,
     ROLE(SAMPLER_TCX_ADDRESS_CONTROL_MODE)},
    {"Reduction Type Enable", 105, 105, FIELD_BOOL, .since = GEN9, ROLE(SAMPLER_REDUCTION_TYPE_ENABLE)},
    {"Non-normalized Coordinate Enable", 106, 106, FIELD_BOOL, .since = GEN7,
     ROLE(SAMPLER_NON_NORMALIZED_COORDINATE_ENABLE)},
    {"Trilinear Filter Quality", 107, 108, FIELD_UINT, trilinear_filter_quality, .since = GEN7,
     .until = GEN7},
    {"Trilinear Filter Quality", 107, 108, FIELD_UINT, trilinear_filter_quality_2, .since = GEN75,
     .until = GEN75},
    {"Trilinear Filter Quality", 107, 108, FIELD_UINT, trilinear_filter_quality_3, .since = GEN8},
    {"R Address Min Filter Rounding Enable", 109, 109, FIELD_BOOL,
     ROLE(SAMPLER_R_ADDRESS_MIN_FILTER_ROUNDING_ENABLE)},
    {"R Address Mag Filter Rounding Enable", 110, 110, FIELD_BOOL,
     ROLE(SAMPLER_R_ADDRESS_MAG_FILTER_ROUNDING_ENABLE)},
    {"V Address Min Filter Rounding Enable", 111, 111, FIELD_BOOL,
     ROLE(SAMPLER_V_ADDRESS_MIN_FILTER_ROUNDING_ENABLE)},
    {"V Address Mag Filter Rounding Enable", 112, 112, FIELD_BOOL,
     ROLE(SAMPLER_V_ADDRESS_MAG_FILTER_ROUNDING_ENABLE)},
    {"U Address Min Filter Rounding Enable", 113, 113, FIELD_BOOL,
     ROLE(SAMPLER_U_ADDRESS_MIN_FILTER_ROUNDING_ENABLE)},
    {"U Address Mag Filter Rounding Enable", 114, 114, FIELD_BOOL,
     ROLE(SAMPLER_U_ADDRESS_MAG_FILTER_ROUNDING_ENABLE)},
    {"Maximum Anisotropy", 115, 117, FIELD_UINT, maximum_anisotropy, ROLE(SAMPLER_MAXIMUM_ANISOTROPY)},
    {"ChromaKey Mode", 118, 118, FIELD_UINT, chromakey_mode, .until = GEN75},
    {"Reduction Type", 118, 119, FIELD_UINT, reduction_type, .since = GEN9, ROLE(SAMPLER_REDUCTION_TYPE)},
    {"ChromaKey Index", 119, 120, FIELD_UINT, .until = GEN75},
    {"Allow Low Quality LOD Calculation", 120, 120, FIELD_BOOL, .since = GEN11},
    {"ChromaKey Enable", 121, 121, FIELD_BOOL, .until = GEN75, ROLE(SAMPLER_CHROMAKEY_ENABLE)},
    {"Monochrome Filter Width", 122, 124, FIELD_UINT, .until = GEN6},
    {"Low Quality Filter", 122, 122, FIELD_BOOL, .since = GEN12},
    {"Monochrome Filter Height: Reserved", 125, 127, FIELD_UINT, .until = GEN6},
};
static const struct field f_sampler_border_color_state[] = {
    {"Border Color Unorm Red", 0, 7, FIELD_UINT, .until = GEN6},
    {"Border Color Float Red", 0, 31, FIELD_FLOAT, .since = GEN7},
    {"Border Color Unorm Green", 8, 15, FIELD_UINT, .until = GEN6},
    {"Border Color Unorm Blue", 16, 23, FIELD_UINT, .until = GEN6},
    {"Border Color Unorm Alpha", 24, 31, FIELD_UINT, .until = GEN6},
    {"Border Color Float Red", 32, 63, FIELD_FLOAT, .until = GEN6},
    {"Border Color Float Green", 32, 63, FIELD_FLOAT, .since = GEN7},
    {"Border Color Float Green", 64, 95, FIELD_FLOAT, .until = GEN6},
    {"Border Color Float Blue", 64, 95, FIELD_FLOAT, .since = GEN7},
    {"Border Color Float Blue", 96, 127, FIELD_FLOAT, .until = GEN6},
    {"Border Color Float Alpha", 96, 127, FIELD_FLOAT, .since = GEN7},
    {"Border Color Float Alpha", 128, 159, FIELD_FLOAT, .until = GEN6},
    {"Border Color Float16 Red", 160, 175, FIELD_UINT, .until = GEN6},
    {"Border Color Float16 Green", 176, 191, FIELD_UINT, .until = GEN6},
    {"Border Color Float16 Blue", 192, 207, FIELD_UINT, .until = GEN6},
    {"Border Color Float16 Alpha", 208, 223, FIELD_UINT, .until = GEN6},
    {"Border Color Unorm16 Red", 224, 239, FIELD_UINT, .until = GEN6},
    {"Border Color Unorm16 Green", 240, 255, FIELD_UINT, .until = GEN6},
    {"Border Color Unorm16 Blue", 256, 271, FIELD_UINT, .until = GEN6},
    {"Border Color Unorm16 Alpha", 272, 287, FIELD_UINT, .until = GEN6},
    {"Border Color Snorm16 Red", 288, 303, FIELD_INT, .until = GEN6},
    {"Border Color Snorm16 Green", 304, 319, FIELD_INT, .until = GEN6},
    {"Border Color Snorm16 Blue", 320, 335, FIELD_INT, .until = GEN6},
    {"Border Color Snorm16 Alpha", 336, 351, FIELD_INT, .until = GEN6},
    {"Border Color Snorm8 Red", 352, 359, FIELD_INT, .until = GEN6},
    {"Border Color Snorm8 Green", 360, 367, FIELD_INT, .until = GEN6},
    {"Border Color Snorm8 Blue", 368, 375, FIELD_INT, .until = GEN6},
    {"Border Color Snorm8 Alpha", 376, 383, FIELD_INT, .until = GEN6},
    {"Border Color 32bit Red", 512, 543, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Border Color 32bit Green", 544, 575, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Border Color 32bit Blue", 576, 607, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Border Color 32bit Alpha", 608, 639, FIELD_UINT, .since = GEN75, .until = GEN75},
};

static const struct command rows[] = {
    {STRUCTURE(SAMPLER_STATE), .summary = "How a texture is filtered and addressed.", .since = GEN6,
     .min_dwords = 4, FIELDS(f_sampler_state), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2d"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2d"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2d"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2d"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2d"},
    {STRUCTURE(SAMPLER_BORDER_COLOR_STATE), .summary = "Colour beyond the border of a texture.",
     .since = GEN6, .min_dwords = 12, FIELDS(f_sampler_border_color_state), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 4, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 20, .spec = "CSP-08, HSW PRM vol 2d"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-08, BDW PRM vol 2d"},
};

const struct command_table structure_sampler_table = COMMAND_TABLE(rows);
