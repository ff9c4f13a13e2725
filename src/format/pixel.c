/* Formats of surfaces: where their components are. (OVR-11, OVR-12) */
#include <softgt/formats.h>

#include <string.h>

/* Kinds of components, short as the table needs them. */
#define UNORM   SOFTGT_COMPONENT_UNORM
#define SRGB    SOFTGT_COMPONENT_SRGB
#define SNORM   SOFTGT_COMPONENT_SNORM
#define UINT    SOFTGT_COMPONENT_UINT
#define SINT    SOFTGT_COMPONENT_SINT
#define USCALED SOFTGT_COMPONENT_USCALED
#define SSCALED SOFTGT_COMPONENT_SSCALED
#define FLOAT   SOFTGT_COMPONENT_FLOAT
#define SFIXED  SOFTGT_COMPONENT_SFIXED
#define NONE                                                                                                 \
    {                                                                                                        \
        0, 0, SOFTGT_COMPONENT_UNUSED                                                                        \
    }

static const struct softgt_format formats[] = {
    {"R8_UNORM", 1, false, {{0, 8, UNORM}, NONE, NONE, NONE}},
    {"R8_SNORM", 1, false, {{0, 8, SNORM}, NONE, NONE, NONE}},
    {"R8_UINT", 1, false, {{0, 8, UINT}, NONE, NONE, NONE}},
    {"R8_SINT", 1, false, {{0, 8, SINT}, NONE, NONE, NONE}},
    {"R8_USCALED", 1, false, {{0, 8, USCALED}, NONE, NONE, NONE}},
    {"R8_SSCALED", 1, false, {{0, 8, SSCALED}, NONE, NONE, NONE}},
    {"A8_UNORM", 1, false, {NONE, NONE, NONE, {0, 8, UNORM}}},
    {"L8_UNORM", 1, false, {{0, 8, UNORM}, {0, 8, UNORM}, {0, 8, UNORM}, NONE}},
    {"L8_UNORM_SRGB", 1, false, {{0, 8, SRGB}, {0, 8, SRGB}, {0, 8, SRGB}, NONE}},
    {"I8_UNORM", 1, false, {{0, 8, UNORM}, {0, 8, UNORM}, {0, 8, UNORM}, {0, 8, UNORM}}},
    {"L8_UINT", 1, false, {{0, 8, UINT}, {0, 8, UINT}, {0, 8, UINT}, NONE}},
    {"L8_SINT", 1, false, {{0, 8, SINT}, {0, 8, SINT}, {0, 8, SINT}, NONE}},
    {"I8_UINT", 1, false, {{0, 8, UINT}, {0, 8, UINT}, {0, 8, UINT}, {0, 8, UINT}}},
    {"I8_SINT", 1, false, {{0, 8, SINT}, {0, 8, SINT}, {0, 8, SINT}, {0, 8, SINT}}},
    {"R8G8_UNORM", 2, false, {{0, 8, UNORM}, {8, 8, UNORM}, NONE, NONE}},
    {"R8G8_SNORM", 2, false, {{0, 8, SNORM}, {8, 8, SNORM}, NONE, NONE}},
    {"B5G6R5_UNORM", 2, false, {{11, 5, UNORM}, {5, 6, UNORM}, {0, 5, UNORM}, NONE}},
    {"B5G6R5_UNORM_SRGB", 2, false, {{11, 5, SRGB}, {5, 6, SRGB}, {0, 5, SRGB}, NONE}},
    {"B5G5R5A1_UNORM", 2, false, {{10, 5, UNORM}, {5, 5, UNORM}, {0, 5, UNORM}, {15, 1, UNORM}}},
    {"B5G5R5X1_UNORM", 2, false, {{10, 5, UNORM}, {5, 5, UNORM}, {0, 5, UNORM}, NONE}},
    {"B4G4R4A4_UNORM", 2, false, {{8, 4, UNORM}, {4, 4, UNORM}, {0, 4, UNORM}, {12, 4, UNORM}}},
    {"R16_UNORM", 2, false, {{0, 16, UNORM}, NONE, NONE, NONE}},
    {"R16_SNORM", 2, false, {{0, 16, SNORM}, NONE, NONE, NONE}},
    {"R16_UINT", 2, false, {{0, 16, UINT}, NONE, NONE, NONE}},
    {"R16_SINT", 2, false, {{0, 16, SINT}, NONE, NONE, NONE}},
    {"R16_USCALED", 2, false, {{0, 16, USCALED}, NONE, NONE, NONE}},
    {"R16_SSCALED", 2, false, {{0, 16, SSCALED}, NONE, NONE, NONE}},
    {"R16_FLOAT", 2, false, {{0, 16, FLOAT}, NONE, NONE, NONE}},
    {"R8G8_UINT", 2, false, {{0, 8, UINT}, {8, 8, UINT}, NONE, NONE}},
    {"R8G8_SINT", 2, false, {{0, 8, SINT}, {8, 8, SINT}, NONE, NONE}},
    {"R8G8_USCALED", 2, false, {{0, 8, USCALED}, {8, 8, USCALED}, NONE, NONE}},
    {"R8G8_SSCALED", 2, false, {{0, 8, SSCALED}, {8, 8, SSCALED}, NONE, NONE}},
    {"B5G5R5A1_UNORM_SRGB", 2, false, {{10, 5, SRGB}, {5, 5, SRGB}, {0, 5, SRGB}, {15, 1, UNORM}}},
    {"B5G5R5X1_UNORM_SRGB", 2, false, {{10, 5, SRGB}, {5, 5, SRGB}, {0, 5, SRGB}, NONE}},
    {"B4G4R4A4_UNORM_SRGB", 2, false, {{8, 4, SRGB}, {4, 4, SRGB}, {0, 4, SRGB}, {12, 4, UNORM}}},
    {"A1B5G5R5_UNORM", 2, false, {{11, 5, UNORM}, {6, 5, UNORM}, {1, 5, UNORM}, {0, 1, UNORM}}},
    {"A4B4G4R4_UNORM", 2, false, {{12, 4, UNORM}, {8, 4, UNORM}, {4, 4, UNORM}, {0, 4, UNORM}}},
    {"L8A8_UNORM", 2, false, {{0, 8, UNORM}, {0, 8, UNORM}, {0, 8, UNORM}, {8, 8, UNORM}}},
    {"L8A8_UNORM_SRGB", 2, false, {{0, 8, SRGB}, {0, 8, SRGB}, {0, 8, SRGB}, {8, 8, UNORM}}},
    {"L8A8_UINT", 2, false, {{0, 8, UINT}, {0, 8, UINT}, {0, 8, UINT}, {8, 8, UINT}}},
    {"L8A8_SINT", 2, false, {{0, 8, SINT}, {0, 8, SINT}, {0, 8, SINT}, {8, 8, SINT}}},
    {"A16_UNORM", 2, false, {NONE, NONE, NONE, {0, 16, UNORM}}},
    {"L16_UNORM", 2, false, {{0, 16, UNORM}, {0, 16, UNORM}, {0, 16, UNORM}, NONE}},
    {"I16_UNORM", 2, false, {{0, 16, UNORM}, {0, 16, UNORM}, {0, 16, UNORM}, {0, 16, UNORM}}},
    {"A16_FLOAT", 2, false, {NONE, NONE, NONE, {0, 16, FLOAT}}},
    {"L16_FLOAT", 2, false, {{0, 16, FLOAT}, {0, 16, FLOAT}, {0, 16, FLOAT}, NONE}},
    {"I16_FLOAT", 2, false, {{0, 16, FLOAT}, {0, 16, FLOAT}, {0, 16, FLOAT}, {0, 16, FLOAT}}},
    {"R8G8B8_UNORM", 3, false, {{0, 8, UNORM}, {8, 8, UNORM}, {16, 8, UNORM}, NONE}},
    {"R8G8B8_SNORM", 3, false, {{0, 8, SNORM}, {8, 8, SNORM}, {16, 8, SNORM}, NONE}},
    {"R8G8B8_UINT", 3, false, {{0, 8, UINT}, {8, 8, UINT}, {16, 8, UINT}, NONE}},
    {"R8G8B8_SINT", 3, false, {{0, 8, SINT}, {8, 8, SINT}, {16, 8, SINT}, NONE}},
    {"R8G8B8_UNORM_SRGB", 3, false, {{0, 8, SRGB}, {8, 8, SRGB}, {16, 8, SRGB}, NONE}},
    {"B8G8R8A8_UNORM", 4, false, {{16, 8, UNORM}, {8, 8, UNORM}, {0, 8, UNORM}, {24, 8, UNORM}}},
    {"B8G8R8A8_UNORM_SRGB", 4, false, {{16, 8, SRGB}, {8, 8, SRGB}, {0, 8, SRGB}, {24, 8, UNORM}}},
    {"B8G8R8X8_UNORM", 4, false, {{16, 8, UNORM}, {8, 8, UNORM}, {0, 8, UNORM}, NONE}},
    {"B8G8R8X8_UNORM_SRGB", 4, false, {{16, 8, SRGB}, {8, 8, SRGB}, {0, 8, SRGB}, NONE}},
    {"R8G8B8A8_UNORM", 4, false, {{0, 8, UNORM}, {8, 8, UNORM}, {16, 8, UNORM}, {24, 8, UNORM}}},
    {"R8G8B8A8_UNORM_SRGB", 4, false, {{0, 8, SRGB}, {8, 8, SRGB}, {16, 8, SRGB}, {24, 8, UNORM}}},
    {"R8G8B8X8_UNORM", 4, false, {{0, 8, UNORM}, {8, 8, UNORM}, {16, 8, UNORM}, NONE}},
    {"R8G8B8A8_SNORM", 4, false, {{0, 8, SNORM}, {8, 8, SNORM}, {16, 8, SNORM}, {24, 8, SNORM}}},
    {"R8G8B8A8_UINT", 4, false, {{0, 8, UINT}, {8, 8, UINT}, {16, 8, UINT}, {24, 8, UINT}}},
    {"R8G8B8A8_SINT", 4, false, {{0, 8, SINT}, {8, 8, SINT}, {16, 8, SINT}, {24, 8, SINT}}},
    {"R8G8B8A8_USCALED", 4, false, {{0, 8, USCALED}, {8, 8, USCALED}, {16, 8, USCALED}, {24, 8, USCALED}}},
    {"R8G8B8A8_SSCALED", 4, false, {{0, 8, SSCALED}, {8, 8, SSCALED}, {16, 8, SSCALED}, {24, 8, SSCALED}}},
    {"R10G10B10A2_UNORM", 4, false, {{0, 10, UNORM}, {10, 10, UNORM}, {20, 10, UNORM}, {30, 2, UNORM}}},
    {"R10G10B10A2_UINT", 4, false, {{0, 10, UINT}, {10, 10, UINT}, {20, 10, UINT}, {30, 2, UINT}}},
    {"B10G10R10A2_UNORM", 4, false, {{20, 10, UNORM}, {10, 10, UNORM}, {0, 10, UNORM}, {30, 2, UNORM}}},
    {"B10G10R10X2_UNORM", 4, false, {{20, 10, UNORM}, {10, 10, UNORM}, {0, 10, UNORM}, NONE}},
    {"R11G11B10_FLOAT", 4, false, {{0, 11, FLOAT}, {11, 11, FLOAT}, {22, 10, FLOAT}, NONE}},
    {"R9G9B9E5_SHAREDEXP", 4, true, {{0, 9, FLOAT}, {9, 9, FLOAT}, {18, 9, FLOAT}, NONE}},
    {"R16G16_UNORM", 4, false, {{0, 16, UNORM}, {16, 16, UNORM}, NONE, NONE}},
    {"R16G16_FLOAT", 4, false, {{0, 16, FLOAT}, {16, 16, FLOAT}, NONE, NONE}},
    {"R32_UINT", 4, false, {{0, 32, UINT}, NONE, NONE, NONE}},
    {"R32_SINT", 4, false, {{0, 32, SINT}, NONE, NONE, NONE}},
    {"R32_UNORM", 4, false, {{0, 32, UNORM}, NONE, NONE, NONE}},
    {"R32_SNORM", 4, false, {{0, 32, SNORM}, NONE, NONE, NONE}},
    {"R32_USCALED", 4, false, {{0, 32, USCALED}, NONE, NONE, NONE}},
    {"R32_SSCALED", 4, false, {{0, 32, SSCALED}, NONE, NONE, NONE}},
    {"R32_FLOAT", 4, false, {{0, 32, FLOAT}, NONE, NONE, NONE}},
    {"R8G8B8X8_UNORM_SRGB", 4, false, {{0, 8, SRGB}, {8, 8, SRGB}, {16, 8, SRGB}, NONE}},
    {"R10G10B10A2_UNORM_SRGB", 4, false, {{0, 10, SRGB}, {10, 10, SRGB}, {20, 10, SRGB}, {30, 2, UNORM}}},
    {"R10G10B10A2_SNORM", 4, false, {{0, 10, SNORM}, {10, 10, SNORM}, {20, 10, SNORM}, {30, 2, SNORM}}},
    {"R10G10B10A2_SINT", 4, false, {{0, 10, SINT}, {10, 10, SINT}, {20, 10, SINT}, {30, 2, SINT}}},
    {"B10G10R10A2_UNORM_SRGB", 4, false, {{20, 10, SRGB}, {10, 10, SRGB}, {0, 10, SRGB}, {30, 2, UNORM}}},
    {"B10G10R10A2_UINT", 4, false, {{20, 10, UINT}, {10, 10, UINT}, {0, 10, UINT}, {30, 2, UINT}}},
    {"B10G10R10A2_SNORM", 4, false, {{20, 10, SNORM}, {10, 10, SNORM}, {0, 10, SNORM}, {30, 2, SNORM}}},
    {"B10G10R10A2_SINT", 4, false, {{20, 10, SINT}, {10, 10, SINT}, {0, 10, SINT}, {30, 2, SINT}}},
    {"R16G16_SNORM", 4, false, {{0, 16, SNORM}, {16, 16, SNORM}, NONE, NONE}},
    {"R16G16_UINT", 4, false, {{0, 16, UINT}, {16, 16, UINT}, NONE, NONE}},
    {"R16G16_SINT", 4, false, {{0, 16, SINT}, {16, 16, SINT}, NONE, NONE}},
    {"R16G16_USCALED", 4, false, {{0, 16, USCALED}, {16, 16, USCALED}, NONE, NONE}},
    {"R16G16_SSCALED", 4, false, {{0, 16, SSCALED}, {16, 16, SSCALED}, NONE, NONE}},
    {"R24_UNORM_X8_TYPELESS", 4, false, {{0, 24, UNORM}, NONE, NONE, NONE}},
    {"X24_TYPELESS_G8_UINT", 4, false, {NONE, {24, 8, UINT}, NONE, NONE}},
    {"L16A16_UNORM", 4, false, {{0, 16, UNORM}, {0, 16, UNORM}, {0, 16, UNORM}, {16, 16, UNORM}}},
    {"L16A16_FLOAT", 4, false, {{0, 16, FLOAT}, {0, 16, FLOAT}, {0, 16, FLOAT}, {16, 16, FLOAT}}},
    {"I32_FLOAT", 4, false, {{0, 32, FLOAT}, {0, 32, FLOAT}, {0, 32, FLOAT}, {0, 32, FLOAT}}},
    {"L32_FLOAT", 4, false, {{0, 32, FLOAT}, {0, 32, FLOAT}, {0, 32, FLOAT}, NONE}},
    {"A32_FLOAT", 4, false, {NONE, NONE, NONE, {0, 32, FLOAT}}},
    {"R16G16B16_UNORM", 6, false, {{0, 16, UNORM}, {16, 16, UNORM}, {32, 16, UNORM}, NONE}},
    {"R16G16B16_SNORM", 6, false, {{0, 16, SNORM}, {16, 16, SNORM}, {32, 16, SNORM}, NONE}},
    {"R16G16B16_FLOAT", 6, false, {{0, 16, FLOAT}, {16, 16, FLOAT}, {32, 16, FLOAT}, NONE}},
    {"R16G16B16_UINT", 6, false, {{0, 16, UINT}, {16, 16, UINT}, {32, 16, UINT}, NONE}},
    {"R16G16B16_SINT", 6, false, {{0, 16, SINT}, {16, 16, SINT}, {32, 16, SINT}, NONE}},
    {"R16G16B16A16_UNORM", 8, false, {{0, 16, UNORM}, {16, 16, UNORM}, {32, 16, UNORM}, {48, 16, UNORM}}},
    {"R16G16B16A16_FLOAT", 8, false, {{0, 16, FLOAT}, {16, 16, FLOAT}, {32, 16, FLOAT}, {48, 16, FLOAT}}},
    {"R16G16B16X16_FLOAT", 8, false, {{0, 16, FLOAT}, {16, 16, FLOAT}, {32, 16, FLOAT}, NONE}},
    {"R64_FLOAT", 8, false, {{0, 64, FLOAT}, NONE, NONE, NONE}},
    {"R32G32_FLOAT", 8, false, {{0, 32, FLOAT}, {32, 32, FLOAT}, NONE, NONE}},
    /* Gen7: gather4 finds its green by the name of blue. (Mesa, crocus) */
    {"R32G32_FLOAT_LD", 8, false, {{0, 32, FLOAT}, {32, 32, FLOAT}, {32, 32, FLOAT}, NONE}},
    {"R16G16B16A16_SNORM", 8, false, {{0, 16, SNORM}, {16, 16, SNORM}, {32, 16, SNORM}, {48, 16, SNORM}}},
    {"R16G16B16A16_UINT", 8, false, {{0, 16, UINT}, {16, 16, UINT}, {32, 16, UINT}, {48, 16, UINT}}},
    {"R16G16B16A16_SINT", 8, false, {{0, 16, SINT}, {16, 16, SINT}, {32, 16, SINT}, {48, 16, SINT}}},
    {"R16G16B16A16_USCALED",
     8,
     false,
     {{0, 16, USCALED}, {16, 16, USCALED}, {32, 16, USCALED}, {48, 16, USCALED}}},
    {"R16G16B16A16_SSCALED",
     8,
     false,
     {{0, 16, SSCALED}, {16, 16, SSCALED}, {32, 16, SSCALED}, {48, 16, SSCALED}}},
    {"R16G16B16X16_UNORM", 8, false, {{0, 16, UNORM}, {16, 16, UNORM}, {32, 16, UNORM}, NONE}},
    {"R32G32_UINT", 8, false, {{0, 32, UINT}, {32, 32, UINT}, NONE, NONE}},
    {"R32G32_SINT", 8, false, {{0, 32, SINT}, {32, 32, SINT}, NONE, NONE}},
    {"R32G32_UNORM", 8, false, {{0, 32, UNORM}, {32, 32, UNORM}, NONE, NONE}},
    {"R32G32_SNORM", 8, false, {{0, 32, SNORM}, {32, 32, SNORM}, NONE, NONE}},
    {"L32A32_FLOAT", 8, false, {{0, 32, FLOAT}, {0, 32, FLOAT}, {0, 32, FLOAT}, {32, 32, FLOAT}}},
    {"R32_FLOAT_X8X24_TYPELESS", 8, false, {{0, 32, FLOAT}, NONE, NONE, NONE}},
    {"X32_TYPELESS_G8X24_UINT", 8, false, {NONE, {32, 8, UINT}, NONE, NONE}},
    {"R32G32B32_FLOAT", 12, false, {{0, 32, FLOAT}, {32, 32, FLOAT}, {64, 32, FLOAT}, NONE}},
    {"R32G32B32_UINT", 12, false, {{0, 32, UINT}, {32, 32, UINT}, {64, 32, UINT}, NONE}},
    {"R32G32B32_SINT", 12, false, {{0, 32, SINT}, {32, 32, SINT}, {64, 32, SINT}, NONE}},
    {"R32G32B32A32_FLOAT", 16, false, {{0, 32, FLOAT}, {32, 32, FLOAT}, {64, 32, FLOAT}, {96, 32, FLOAT}}},
    {"R32G32B32A32_UINT", 16, false, {{0, 32, UINT}, {32, 32, UINT}, {64, 32, UINT}, {96, 32, UINT}}},
    {"R32G32B32A32_SINT", 16, false, {{0, 32, SINT}, {32, 32, SINT}, {64, 32, SINT}, {96, 32, SINT}}},
    {"R32G32B32A32_UNORM", 16, false, {{0, 32, UNORM}, {32, 32, UNORM}, {64, 32, UNORM}, {96, 32, UNORM}}},
    {"R32G32B32A32_SNORM", 16, false, {{0, 32, SNORM}, {32, 32, SNORM}, {64, 32, SNORM}, {96, 32, SNORM}}},
    {"R32G32B32X32_FLOAT", 16, false, {{0, 32, FLOAT}, {32, 32, FLOAT}, {64, 32, FLOAT}, NONE}},
    /* Of vertices only. What passes through is words of its components. */
    {"R8G8B8_USCALED", 3, false, {{0, 8, USCALED}, {8, 8, USCALED}, {16, 8, USCALED}, NONE}},
    {"R16G16B16_USCALED", 6, false, {{0, 16, USCALED}, {16, 16, USCALED}, {32, 16, USCALED}, NONE}},
    {"R10G10B10A2_USCALED",
     4,
     false,
     {{0, 10, USCALED}, {10, 10, USCALED}, {20, 10, USCALED}, {30, 2, USCALED}}},
    {"B10G10R10A2_USCALED",
     4,
     false,
     {{20, 10, USCALED}, {10, 10, USCALED}, {0, 10, USCALED}, {30, 2, USCALED}}},
    {"R8G8B8_SSCALED", 3, false, {{0, 8, SSCALED}, {8, 8, SSCALED}, {16, 8, SSCALED}, NONE}},
    {"R16G16B16_SSCALED", 6, false, {{0, 16, SSCALED}, {16, 16, SSCALED}, {32, 16, SSCALED}, NONE}},
    {"R10G10B10A2_SSCALED",
     4,
     false,
     {{0, 10, SSCALED}, {10, 10, SSCALED}, {20, 10, SSCALED}, {30, 2, SSCALED}}},
    {"B10G10R10A2_SSCALED",
     4,
     false,
     {{20, 10, SSCALED}, {10, 10, SSCALED}, {0, 10, SSCALED}, {30, 2, SSCALED}}},
    {"R10G10B10X2_USCALED", 4, false, {{0, 10, USCALED}, {10, 10, USCALED}, {20, 10, USCALED}, NONE}},
    {"R32_SFIXED", 4, false, {{0, 32, SFIXED}, NONE, NONE, NONE}},
    {"R32G32_USCALED", 8, false, {{0, 32, USCALED}, {32, 32, USCALED}, NONE, NONE}},
    {"R32G32_SSCALED", 8, false, {{0, 32, SSCALED}, {32, 32, SSCALED}, NONE, NONE}},
    {"R32G32_SFIXED", 8, false, {{0, 32, SFIXED}, {32, 32, SFIXED}, NONE, NONE}},
    {"R32G32B32_USCALED", 12, false, {{0, 32, USCALED}, {32, 32, USCALED}, {64, 32, USCALED}, NONE}},
    {"R32G32B32_SSCALED", 12, false, {{0, 32, SSCALED}, {32, 32, SSCALED}, {64, 32, SSCALED}, NONE}},
    {"R32G32B32_SFIXED", 12, false, {{0, 32, SFIXED}, {32, 32, SFIXED}, {64, 32, SFIXED}, NONE}},
    {"R32G32B32_UNORM", 12, false, {{0, 32, UNORM}, {32, 32, UNORM}, {64, 32, UNORM}, NONE}},
    {"R32G32B32_SNORM", 12, false, {{0, 32, SNORM}, {32, 32, SNORM}, {64, 32, SNORM}, NONE}},
    {"R32G32B32A32_USCALED",
     16,
     false,
     {{0, 32, USCALED}, {32, 32, USCALED}, {64, 32, USCALED}, {96, 32, USCALED}}},
    {"R32G32B32A32_SSCALED",
     16,
     false,
     {{0, 32, SSCALED}, {32, 32, SSCALED}, {64, 32, SSCALED}, {96, 32, SSCALED}}},
    {"R32G32B32A32_SFIXED",
     16,
     false,
     {{0, 32, SFIXED}, {32, 32, SFIXED}, {64, 32, SFIXED}, {96, 32, SFIXED}}},
    {"R64_PASSTHRU", 8, false, {{0, 32, UINT}, {32, 32, UINT}, NONE, NONE}},
    {"R64G64_PASSTHRU", 16, false, {{0, 32, UINT}, {32, 32, UINT}, {64, 32, UINT}, {96, 32, UINT}}},
};

const struct softgt_format *softgt_format_at(size_t index)
{
    return index < sizeof formats / sizeof formats[0] ? &formats[index] : NULL;
}

const struct softgt_format *softgt_format_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static uint64_t pixel_bits(const uint64_t words[2], unsigned first, unsigned bits)
{
    const uint64_t word = words[first / 64u] >> first % 64u; /* no component crosses */
    return bits == 64 ? word : word & ((UINT64_C(1) << bits) - 1u);
}

/* How a component is held between memory and shaders. */
enum held { HELD_FLOAT, HELD_UINT, HELD_SINT, HELD_DOUBLE };

static enum held held_as(const struct softgt_format_part *c)
{
    return c->kind == UINT   ? HELD_UINT
           : c->kind == SINT ? HELD_SINT
           : c->bits == 64   ? HELD_DOUBLE
                             : HELD_FLOAT;
}

void softgt_pixel_decode(const struct softgt_format *f, const void *pixel, union softgt_color *rgba)
{
    uint64_t words[2] = {0, 0};
    memcpy(words, pixel, f->bytes);
    *rgba = (union softgt_color){{0, 0, 0, 1}};
    if (f->shared_exponent) {
        softgt_r9g9b9e5_decode((uint32_t)words[0], rgba->f);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        if (f->part[i].kind == UINT || f->part[i].kind == SINT)
            rgba->u[3] = 1;
    for (unsigned i = 0; i < 4; i++) {
        const struct softgt_format_part *c = &f->part[i];
        if (!c->bits)
            continue;
        const uint64_t raw = pixel_bits(words, c->first, c->bits);
        switch (held_as(c)) {
        case HELD_UINT:
            rgba->u[i] = (uint32_t)raw;
            break;
        case HELD_SINT:
            rgba->s[i] = (int32_t)(raw << (64u - c->bits) >> 32) >> (32u - c->bits);
            break;
        case HELD_DOUBLE:
            memcpy(&rgba->d[i], &raw, sizeof raw);
            break;
        case HELD_FLOAT:
            if (c->kind == FLOAT && c->bits == 32) /* as it is: NaNs keep their bits */
                rgba->u[i] = (uint32_t)raw;
            else
                rgba->f[i] = softgt_component_to_float(c->kind, c->bits, raw);
            break;
        }
    }
}

static uint64_t encode_part(const struct softgt_format_part *c, unsigned i, const union softgt_color *rgba)
{
    uint64_t raw;
    const uint32_t most = UINT32_MAX >> (32u - (c->bits < 32 ? c->bits : 32));
    const int32_t high = (int32_t)(most >> 1);
    switch (held_as(c)) {
    case HELD_UINT:
        return rgba->u[i] < most ? rgba->u[i] : most;
    case HELD_SINT:
        return (uint32_t)(rgba->s[i] > high ? high : rgba->s[i] < -high - 1 ? -high - 1 : rgba->s[i]) & most;
    case HELD_DOUBLE:
        memcpy(&raw, &rgba->d[i], sizeof raw);
        return raw;
    default:
        return softgt_component_encode(c->kind, c->bits, (double)rgba->f[i]);
    }
}

void softgt_pixel_encode(const struct softgt_format *f, const union softgt_color *rgba, void *pixel)
{
    uint64_t words[2] = {0, 0};
    uint64_t written[2] = {0, 0}; /* first bits of components: L8 has one for three colours */
    if (f->shared_exponent)
        words[0] = softgt_r9g9b9e5_encode(rgba->f);
    for (unsigned i = 0; !f->shared_exponent && i < 4; i++) {
        const struct softgt_format_part *c = &f->part[i];
        const uint64_t first = UINT64_C(1) << c->first % 64u;
        if (!c->bits || written[c->first / 64u] & first)
            continue;
        written[c->first / 64u] |= first;
        words[c->first / 64u] |= encode_part(c, i, rgba) << c->first % 64u;
    }
    memcpy(pixel, words, f->bytes);
}
