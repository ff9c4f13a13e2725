/* 3D state: setup of pixel shader attributes: state is kept, work is counted. Field names and places as the
 * public manuals of each generation give them. (CSP-08) */
#include "geometry/draw.h"
#include "stream/command.h"

#include "state_commands/state_commands.h"
#include "structures/values.h"

static const struct field_value attribute_swizzle_control_mode[] = {
    {"SWIZ_0_15", 0}, {"SWIZ_16_31", 1}, {NULL, 0}};
static const struct field_value attribute_active_component_format[] = {
    {"DISABLED", 0}, {"XY", 1}, {"XYZ", 2}, {"XYZW", 3}, {NULL, 0}};
static const struct field f_3dstate_sbe[] = {
    {"Primitive ID Override Attribute Select", 32, 36, FIELD_UINT, .since = GEN8,
     ROLE(SBE_PRIMITIVE_ID_OVERRIDE_ATTRIBUTE_SELECT)},
    {"Vertex URB Entry Read Offset", 36, 41, FIELD_UINT, .until = GEN75,
     ROLE(SBE_VERTEX_URB_ENTRY_READ_OFFSET)},
    {"Vertex URB Entry Read Offset", 37, 42, FIELD_UINT, .since = GEN8,
     ROLE(SBE_VERTEX_URB_ENTRY_READ_OFFSET)},
    {"Vertex URB Entry Read Length", 43, 47, FIELD_UINT, ROLE(SBE_VERTEX_URB_ENTRY_READ_LENGTH)},
    {"Primitive ID Override Component X", 48, 48, FIELD_BOOL, .since = GEN8,
     ROLE(SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_X)},
    {"Primitive ID Override Component Y", 49, 49, FIELD_BOOL, .since = GEN8,
     ROLE(SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_Y)},
    {"Primitive ID Override Component Z", 50, 50, FIELD_BOOL, .since = GEN8,
     ROLE(SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_Z)},
    {"Primitive ID Override Component W", 51, 51, FIELD_BOOL, .since = GEN8,
     ROLE(SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_W)},
    {"Point Sprite Texture Coordinate Origin", 52, 52, FIELD_UINT,
     values_point_sprite_texture_coordinate_origin, ROLE(SBE_POINT_SPRITE_TEXTURE_COORDINATE_ORIGIN)},
    {"Attribute Swizzle Enable", 53, 53, FIELD_BOOL, ROLE(SBE_ATTRIBUTE_SWIZZLE_ENABLE)},
    {"Number of SF Output Attributes", 54, 59, FIELD_UINT, ROLE(SBE_NUMBER_OF_SF_OUTPUT_ATTRIBUTES)},
    {"Attribute Swizzle Control Mode", 60, 60, FIELD_UINT, attribute_swizzle_control_mode, .until = GEN7},
    {"Attribute Swizzle Control Mode", 60, 60, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Force Vertex URB Entry Read Offset", 60, 60, FIELD_BOOL, .since = GEN8},
    {"Force Vertex URB Entry Read Length", 61, 61, FIELD_BOOL, .since = GEN8},
    {"Attribute Source Attribute[#]", 64, 68, FIELD_UINT, .count = 16, .stride = 16, .until = GEN75,
     ROLE_OF(STATE_SBE_SWIZ, SWIZ_ATTRIBUTE_SOURCE_ATTRIBUTE)},
    {"Point Sprite Texture Coordinate Enable", 64, 95, FIELD_HEX, .since = GEN8,
     ROLE(SBE_POINT_SPRITE_TEXTURE_COORDINATE_ENABLE)},
    {"Attribute Swizzle Select[#]", 70, 71, FIELD_UINT, values_attribute_swizzle_select, .count = 16,
     .stride = 16, .until = GEN75},
    {"Attribute Constant Source[#]", 73, 74, FIELD_UINT, values_attribute_constant_source, .count = 16,
     .stride = 16, .until = GEN75},
    {"Attribute Swizzle Control Mode[#]", 75, 75, FIELD_UINT, .count = 16, .stride = 16, .until = GEN75},
    {"Attribute Component Override X[#]", 76, 76, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN75},
    {"Attribute Component Override Y[#]", 77, 77, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN75},
    {"Attribute Component Override Z[#]", 78, 78, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN75},
    {"Attribute Component Override W[#]", 79, 79, FIELD_BOOL, .count = 16, .stride = 16, .until = GEN75},
    {"Constant Interpolation Enable", 96, 127, FIELD_HEX, .since = GEN8,
     ROLE(SBE_CONSTANT_INTERPOLATION_ENABLE)},
    {"Attribute Active Component Format[#]", 128, 129, FIELD_UINT, attribute_active_component_format,
     .count = 32, .stride = 2, .since = GEN9},
    {"Point Sprite Texture Coordinate Enable", 320, 351, FIELD_HEX, .until = GEN75,
     ROLE(SBE_POINT_SPRITE_TEXTURE_COORDINATE_ENABLE)},
    {"Constant Interpolation Enable", 352, 383, FIELD_HEX, .until = GEN75,
     ROLE(SBE_CONSTANT_INTERPOLATION_ENABLE)},
    {"Attribute # WrapShortest Enables", 384, 387, FIELD_UINT, .count = 16, .stride = 4, .until = GEN75},
};
static const struct field f_3dstate_sbe_swiz[] = {
    {"Attribute Source Attribute[#]", 32, 36, FIELD_UINT, .count = 16, .stride = 16,
     ROLE(SWIZ_ATTRIBUTE_SOURCE_ATTRIBUTE)},
    {"Attribute Swizzle Select[#]", 38, 39, FIELD_UINT, values_attribute_swizzle_select, .count = 16,
     .stride = 16, ROLE(SWIZ_ATTRIBUTE_SWIZZLE_SELECT)},
    {"Attribute Constant Source[#]", 41, 42, FIELD_UINT, values_attribute_constant_source, .count = 16,
     .stride = 16, ROLE(SWIZ_ATTRIBUTE_CONSTANT_SOURCE)},
    {"Attribute Swizzle Control Mode[#]", 43, 43, FIELD_UINT, .count = 16, .stride = 16},
    {"Attribute Component Override X[#]", 44, 44, FIELD_BOOL, .count = 16, .stride = 16,
     ROLE(SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_X)},
    {"Attribute Component Override Y[#]", 45, 45, FIELD_BOOL, .count = 16, .stride = 16,
     ROLE(SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_Y)},
    {"Attribute Component Override Z[#]", 46, 46, FIELD_BOOL, .count = 16, .stride = 16,
     ROLE(SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_Z)},
    {"Attribute Component Override W[#]", 47, 47, FIELD_BOOL, .count = 16, .stride = 16,
     ROLE(SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_W)},
    {"Attribute Wrap Shortest Enables[#]", 288, 291, FIELD_UINT, .count = 16, .stride = 4},
};

static const struct command rows[] = {
    {.name = "3DSTATE_SBE",
     .summary = "Setup of pixel shader attributes.",
     STATE_3D(STATE_SBE),
     .since = GEN7,
     .min_dwords = 14,
     FIELDS(f_3dstate_sbe),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .min_dwords = 6, .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_SBE_SWIZ",
     .summary = "Order and overrides of pixel shader attributes.",
     STATE_3D(STATE_SBE_SWIZ),
     .since = GEN8,
     .min_dwords = 11,
     FIELDS(f_3dstate_sbe_swiz),
     .spec = "CSP-08, BDW PRM vol 2a"},
};

const struct command_table state_3d_attributes_commands = COMMAND_TABLE(rows);
