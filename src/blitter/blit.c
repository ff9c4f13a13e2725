/*
 * The XY and other 2D commands. The fields of a command say which operands its blit has, and one function
 * draws them all. An address has one dword before Gen8, two from then on. (CSP-07; blitter volumes of the
 * public manuals)
 */
#include "blitter/blit.h"

/* Roles of the fields. */
enum role {
    BLIT_NO_ROLE,
    BLIT_32BPP_BYTE_MASK,
    BLIT_MONOCHROME_SOURCE_DATA_BIT_POSITION,
    BLIT_BIT_0_BYTE_1_PACKED,
    BLIT_FIXED_PATTERN,
    BLIT_TRANSPARENCY_RANGE_MODE,
    BLIT_SRC_TILING_ENABLE,
    BLIT_DEST_TILING_ENABLE,
    BLIT_PATTERN_HORIZONTAL_SEED,
    BLIT_PATTERN_VERTICAL_SEED,
    BLIT_DESTINATION_PITCH,
    BLIT_RASTER_OPERATION,
    BLIT_COLOR_DEPTH,
    BLIT_CLIPPING_ENABLE,
    BLIT_MONO_PATTERN_TRANSPARENCY_MODE,
    BLIT_MONO_SOURCE_TRANSPARENCY_MODE,
    BLIT_SOLID_PATTERN_SELECT,
    BLIT_HORIZONTAL_DIRECTION,
    BLIT_CLIP_X1_COORDINATE,
    BLIT_CLIP_Y1_COORDINATE,
    BLIT_CLIP_X2_COORDINATE,
    BLIT_CLIP_Y2_COORDINATE,
    BLIT_DESTINATION_X1_COORDINATE,
    BLIT_DESTINATION_Y1_COORDINATE,
    BLIT_DESTINATION_X2_COORDINATE,
    BLIT_DESTINATION_Y2_COORDINATE,
    BLIT_DESTINATION_WIDTH,
    BLIT_DESTINATION_HEIGHT,
    BLIT_DESTINATION_BASE_ADDRESS,
    BLIT_SOURCE_X1_COORDINATE,
    BLIT_SOURCE_Y1_COORDINATE,
    BLIT_SOURCE_PITCH,
    BLIT_SOURCE_BASE_ADDRESS,
    BLIT_MONO_SOURCE_ADDRESS,
    BLIT_PATTERN_BASE_ADDRESS,
    BLIT_SOLID_PATTERN_COLOR,
    BLIT_PATTERN_BACKGROUND_COLOR,
    BLIT_PATTERN_FOREGROUND_COLOR,
    BLIT_SOURCE_BACKGROUND_COLOR,
    BLIT_SOURCE_FOREGROUND_COLOR,
    BLIT_PATTERN_DATA_0,
    BLIT_PATTERN_DATA_1,
    BLIT_TRANSPARENCY_COLOR_LOW,
    BLIT_TRANSPARENCY_COLOR_HIGH,
    BLIT_IMMEDIATE_DATA_SOURCE,
    BLIT_IMMEDIATE_DATA_PATTERN,
    BLIT_SOURCE_TILING_METHOD,
    BLIT_DESTINATION_TILING_METHOD,
    BLIT_TILE_Y_TYPE_FOR_SOURCE,
    BLIT_TILE_Y_TYPE_FOR_DESTINATION,
    BLIT_ROLES
};

static const struct field_value color_depths[] = {{"8 Bit Color", 0},
                                                  {"16 Bit Color (565)", 1},
                                                  {"16 Bit Color (1555)", 2},
                                                  {"32 Bit Color", 3},
                                                  {NULL, 0}};
static const struct field_value fast_depths[] = {{"8 Bit Color", 0},   {"16 Bit Color", 1},
                                                 {"32 Bit Color", 3},  {"64 Bit Color", 4},
                                                 {"128 Bit Color", 5}, {NULL, 0}};
static const struct field_value tilings[] = {
    {"Linear", 0}, {"Tile-X", 1}, {"Tile-Y", 2}, {"Tile-64KB", 3}, {NULL, 0}};
static const struct field_value gen125_tilings[] = {
    {"Linear", 0}, {"Tile-X", 1}, {"Tile-4", 2}, {"Tile-64", 3}, {NULL, 0}};
static const struct field_value memories[] = {{"Local", 0}, {"System", 1}, {NULL, 0}};
static const struct field_value range_modes[] = {{"None", RANGE_NONE},
                                                 {"Source", RANGE_SOURCE},
                                                 {"Source And Alpha", RANGE_SOURCE_ALPHA},
                                                 {"Destination", RANGE_DESTINATION},
                                                 {"Destination And Alpha", RANGE_DESTINATION_ALPHA},
                                                 {NULL, 0}};
static const struct field_value fixed_patterns[] = {
    {"HS_HORIZONTAL", 0}, {"HS_VERTICAL", 1}, {"HS_FDIAGONAL", 2},
    {"HS_BDIAGONAL", 3},  {"HS_CROSS", 4},    {"HS_DIAGCROSS", 5},
    {"Screen Door", 8},   {"SD Wide", 9},     {"Walking Bit (one)", 10},
    {"Walking Zero", 11}, {NULL, 0}};
static const struct field immediate_source[] = {
    {"Immediate Data", 0, 31, FIELD_HEX, ROLE(BLIT_IMMEDIATE_DATA_SOURCE)}};
static const struct field immediate_pattern[] = {
    {"Immediate Data", 0, 31, FIELD_HEX, ROLE(BLIT_IMMEDIATE_DATA_PATTERN)}};

/* Fields of the header and of BR13. */
#define MASK                                                                                                 \
    {                                                                                                        \
        "32bpp Byte Mask", 20, 21, FIELD_HEX, ROLE(BLIT_32BPP_BYTE_MASK)                                     \
    }
#define MONO_BIT                                                                                             \
    {                                                                                                        \
        "Monochrome Source Data Bit Position", 17, 19, FIELD_UINT,                                           \
            ROLE(BLIT_MONOCHROME_SOURCE_DATA_BIT_POSITION)                                                   \
    }
#define RANGE                                                                                                \
    {                                                                                                        \
        "Transparency Range Mode", 17, 19, FIELD_UINT, range_modes, ROLE(BLIT_TRANSPARENCY_RANGE_MODE)       \
    }
#define PACKED                                                                                               \
    {                                                                                                        \
        "Bit (0) / Byte (1) Packed", 16, 16, FIELD_UINT, ROLE(BLIT_BIT_0_BYTE_1_PACKED)                      \
    }
#define FIXED                                                                                                \
    {                                                                                                        \
        "Fixed Pattern", 15, 18, FIELD_UINT, fixed_patterns, ROLE(BLIT_FIXED_PATTERN)                        \
    }
#define SRC_TILED                                                                                            \
    {                                                                                                        \
        "Src Tiling Enable", 15, 15, FIELD_BOOL, ROLE(BLIT_SRC_TILING_ENABLE)                                \
    }
#define SEEDS                                                                                                \
    {"Pattern Horizontal Seed", 12, 14, FIELD_UINT, ROLE(BLIT_PATTERN_HORIZONTAL_SEED)},                     \
    {                                                                                                        \
        "Pattern Vertical Seed", 8, 10, FIELD_UINT, ROLE(BLIT_PATTERN_VERTICAL_SEED)                         \
    }
#define DST_TILED                                                                                            \
    {                                                                                                        \
        "Dest Tiling Enable", 11, 11, FIELD_BOOL, ROLE(BLIT_DEST_TILING_ENABLE)                              \
    }
#define BR13                                                                                                 \
    {"Destination Pitch", 32, 47, FIELD_INT, ROLE(BLIT_DESTINATION_PITCH)},                                  \
        {"Raster Operation", 48, 55, FIELD_HEX, ROLE(BLIT_RASTER_OPERATION)},                                \
    {                                                                                                        \
        "Color Depth", 56, 57, FIELD_UINT, color_depths, ROLE(BLIT_COLOR_DEPTH)                              \
    }
#define CLIPPED                                                                                              \
    {                                                                                                        \
        "Clipping Enable", 62, 62, FIELD_BOOL, ROLE(BLIT_CLIPPING_ENABLE)                                    \
    }
#define PAT_CLEAR                                                                                            \
    {                                                                                                        \
        "Mono Pattern Transparency Mode", 60, 60, FIELD_BOOL, ROLE(BLIT_MONO_PATTERN_TRANSPARENCY_MODE)      \
    }
#define SRC_CLEAR                                                                                            \
    {                                                                                                        \
        "Mono Source Transparency Mode", 61, 61, FIELD_BOOL, ROLE(BLIT_MONO_SOURCE_TRANSPARENCY_MODE)        \
    }
#define SOLID                                                                                                \
    {                                                                                                        \
        "Solid Pattern Select", 63, 63, FIELD_BOOL, ROLE(BLIT_SOLID_PATTERN_SELECT)                          \
    }
#define BACKWARDS                                                                                            \
    {                                                                                                        \
        "Horizontal Direction", 62, 62, FIELD_BOOL, ROLE(BLIT_HORIZONTAL_DIRECTION)                          \
    }

/* Fields from dword dw on. */
#define LOW_HALF(text, role, dw)                                                                             \
    {                                                                                                        \
        text, (dw)*32, (dw)*32 + 15, FIELD_INT, ROLE(role)                                                   \
    }
#define HIGH_HALF(text, role, dw)                                                                            \
    {                                                                                                        \
        text, (dw)*32 + 16, (dw)*32 + 31, FIELD_INT, ROLE(role)                                              \
    }
#define WHOLE(text, role, dw)                                                                                \
    {                                                                                                        \
        text, (dw)*32, (dw)*32 + 31, FIELD_HEX, ROLE(role)                                                   \
    }
#define ADDRESS(text, role, dw, address_dw)                                                                  \
    {                                                                                                        \
        text, (dw)*32, (dw)*32 + ((address_dw) == 1 ? 31 : 47), FIELD_ADDRESS, ROLE(role)                    \
    }
#define CLIP(dw)                                                                                             \
    LOW_HALF("Clip X1 Coordinate", BLIT_CLIP_X1_COORDINATE, dw),                                             \
        HIGH_HALF("Clip Y1 Coordinate", BLIT_CLIP_Y1_COORDINATE, dw),                                        \
        LOW_HALF("Clip X2 Coordinate", BLIT_CLIP_X2_COORDINATE, (dw) + 1),                                   \
        HIGH_HALF("Clip Y2 Coordinate", BLIT_CLIP_Y2_COORDINATE, (dw) + 1)
#define PIXEL(dw)                                                                                            \
    LOW_HALF("Destination X1 Coordinate", BLIT_DESTINATION_X1_COORDINATE, dw),                               \
        HIGH_HALF("Destination Y1 Coordinate", BLIT_DESTINATION_Y1_COORDINATE, dw)
#define RECTANGLE(dw)                                                                                        \
    PIXEL(dw), LOW_HALF("Destination X2 Coordinate", BLIT_DESTINATION_X2_COORDINATE, (dw) + 1),              \
        HIGH_HALF("Destination Y2 Coordinate", BLIT_DESTINATION_Y2_COORDINATE, (dw) + 1)
#define EXTENT(dw)                                                                                           \
    {"Destination Width", (dw)*32, (dw)*32 + 15, FIELD_UINT, ROLE(BLIT_DESTINATION_WIDTH)},                  \
    {                                                                                                        \
        "Destination Height", (dw)*32 + 16, (dw)*32 + 31, FIELD_UINT, ROLE(BLIT_DESTINATION_HEIGHT)          \
    }
#define DEST(dw, a) ADDRESS("Destination Base Address", BLIT_DESTINATION_BASE_ADDRESS, dw, a)
#define SOURCE(dw, a)                                                                                        \
    LOW_HALF("Source X1 Coordinate", BLIT_SOURCE_X1_COORDINATE, dw),                                         \
        HIGH_HALF("Source Y1 Coordinate", BLIT_SOURCE_Y1_COORDINATE, dw),                                    \
        LOW_HALF("Source Pitch", BLIT_SOURCE_PITCH, (dw) + 1),                                               \
        ADDRESS("Source Base Address", BLIT_SOURCE_BASE_ADDRESS, (dw) + 2, a)
#define MONO_SOURCE(dw, a) ADDRESS("Mono Source Address", BLIT_MONO_SOURCE_ADDRESS, dw, a)
#define SRC_COLORS(dw)                                                                                       \
    WHOLE("Source Background Color", BLIT_SOURCE_BACKGROUND_COLOR, dw),                                      \
        WHOLE("Source Foreground Color", BLIT_SOURCE_FOREGROUND_COLOR, (dw) + 1)
#define COLOR_PATTERN(dw, a) ADDRESS("Pattern Base Address", BLIT_PATTERN_BASE_ADDRESS, dw, a)
#define PAT_COLORS(dw)                                                                                       \
    WHOLE("Pattern Background Color", BLIT_PATTERN_BACKGROUND_COLOR, dw),                                    \
        WHOLE("Pattern Foreground Color", BLIT_PATTERN_FOREGROUND_COLOR, (dw) + 1)
#define PAT_BITS(dw)                                                                                         \
    WHOLE("Pattern Data 0", BLIT_PATTERN_DATA_0, dw), WHOLE("Pattern Data 1", BLIT_PATTERN_DATA_1, (dw) + 1)
#define COLOR_RANGE(dw)                                                                                      \
    WHOLE("Transparency Color Low", BLIT_TRANSPARENCY_COLOR_LOW, dw),                                        \
        WHOLE("Transparency Color High", BLIT_TRANSPARENCY_COLOR_HIGH, (dw) + 1)
#define COLORS(dw)                                                                                           \
    WHOLE("Background Color", BLIT_SOURCE_BACKGROUND_COLOR, dw),                                             \
        WHOLE("Foreground Color", BLIT_SOURCE_FOREGROUND_COLOR, (dw) + 1)

/* Each command's fields, by the dwords of an address. */
#define XY_SETUP_BLT(a)                                                                                      \
    MASK, DST_TILED, BR13, CLIPPED, PAT_CLEAR, SRC_CLEAR, CLIP(2), DEST(4, a), COLORS(4 + (a)),              \
        COLOR_PATTERN(6 + (a), a)
#define XY_SETUP_MONO_PATTERN_SL_BLT(a)                                                                      \
    MASK, DST_TILED, BR13, CLIPPED, PAT_CLEAR, SOLID, CLIP(2), DEST(4, a), COLORS(4 + (a)), PAT_BITS(6 + (a))
#define XY_TEXT_BLT(a) PACKED, DST_TILED, RECTANGLE(1), MONO_SOURCE(3, a)
#define COLOR_BLT(a)                                                                                         \
    MASK, BR13, EXTENT(2), ADDRESS("Destination Address", BLIT_DESTINATION_BASE_ADDRESS, 3, a),              \
        WHOLE("Solid Pattern Color", BLIT_SOLID_PATTERN_COLOR, 3 + (a))
#define SRC_COPY_BLT(a)                                                                                      \
    MASK, BR13, BACKWARDS, EXTENT(2), ADDRESS("Destination Address", BLIT_DESTINATION_BASE_ADDRESS, 3, a),   \
        LOW_HALF("Source Pitch", BLIT_SOURCE_PITCH, 3 + (a)),                                                \
        ADDRESS("Source Address", BLIT_SOURCE_BASE_ADDRESS, 4 + (a), a)
#define XY_COLOR_BLT(a)                                                                                      \
    MASK, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a),                                                \
        WHOLE("Solid Pattern Color", BLIT_SOLID_PATTERN_COLOR, 4 + (a))
#define XY_PAT_BLT(a)                                                                                        \
    MASK, SEEDS, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a), COLOR_PATTERN(4 + (a), a)
#define XY_MONO_PAT_BLT(a)                                                                                   \
    MASK, SEEDS, DST_TILED, BR13, CLIPPED, PAT_CLEAR, SOLID, RECTANGLE(2), DEST(4, a), PAT_COLORS(4 + (a)),  \
        PAT_BITS(6 + (a))
#define XY_SRC_COPY_BLT(a)                                                                                   \
    MASK, SRC_TILED, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a), SOURCE(4 + (a), a)
#define XY_MONO_SRC_COPY_BLT(a)                                                                              \
    MASK, MONO_BIT, DST_TILED, BR13, CLIPPED, SRC_CLEAR, RECTANGLE(2), DEST(4, a), MONO_SOURCE(4 + (a), a),  \
        SRC_COLORS(4 + 2 * (a))
#define XY_FULL_BLT(a)                                                                                       \
    MASK, SRC_TILED, SEEDS, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a), SOURCE(4 + (a), a),          \
        COLOR_PATTERN(6 + 2 * (a), a)
#define XY_FULL_MONO_SRC_BLT(a)                                                                              \
    MASK, MONO_BIT, SEEDS, DST_TILED, BR13, CLIPPED, SRC_CLEAR, RECTANGLE(2), DEST(4, a),                    \
        MONO_SOURCE(4 + (a), a), SRC_COLORS(4 + 2 * (a)), COLOR_PATTERN(6 + 2 * (a), a)
#define XY_FULL_MONO_PATTERN_BLT(a)                                                                          \
    MASK, SRC_TILED, SEEDS, DST_TILED, BR13, CLIPPED, PAT_CLEAR, SOLID, RECTANGLE(2), DEST(4, a),            \
        SOURCE(4 + (a), a), PAT_COLORS(6 + 2 * (a)), PAT_BITS(8 + 2 * (a))
#define XY_FULL_MONO_PATTERN_MONO_SRC_BLT(a)                                                                 \
    MASK, MONO_BIT, SEEDS, DST_TILED, BR13, CLIPPED, PAT_CLEAR, SRC_CLEAR, SOLID, RECTANGLE(2), DEST(4, a),  \
        MONO_SOURCE(4 + (a), a), SRC_COLORS(4 + 2 * (a)), PAT_COLORS(6 + 2 * (a)), PAT_BITS(8 + 2 * (a))
#define XY_MONO_PAT_FIXED_BLT(a)                                                                             \
    MASK, FIXED, SEEDS, DST_TILED, BR13, CLIPPED, PAT_CLEAR, RECTANGLE(2), DEST(4, a), PAT_COLORS(4 + (a))
#define XY_MONO_SRC_COPY_IMMEDIATE_BLT(a)                                                                    \
    MASK, MONO_BIT, DST_TILED, BR13, CLIPPED, SRC_CLEAR, RECTANGLE(2), DEST(4, a), SRC_COLORS(4 + (a))
#define XY_PAT_BLT_IMMEDIATE(a) MASK, SEEDS, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a)
#define XY_SRC_COPY_CHROMA_BLT(a)                                                                            \
    MASK, RANGE, SRC_TILED, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a), SOURCE(4 + (a), a),          \
        COLOR_RANGE(6 + 2 * (a))
#define XY_FULL_IMMEDIATE_PATTERN_BLT(a)                                                                     \
    MASK, SRC_TILED, SEEDS, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a), SOURCE(4 + (a), a)
#define XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT(a)                                                            \
    MASK, MONO_BIT, SEEDS, DST_TILED, BR13, CLIPPED, SRC_CLEAR, RECTANGLE(2), DEST(4, a),                    \
        MONO_SOURCE(4 + (a), a), SRC_COLORS(4 + 2 * (a))
#define XY_PAT_CHROMA_BLT(a)                                                                                 \
    MASK, RANGE, SEEDS, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a), COLOR_PATTERN(4 + (a), a),       \
        COLOR_RANGE(4 + 2 * (a))
#define XY_PAT_CHROMA_BLT_IMMEDIATE(a)                                                                       \
    MASK, RANGE, SEEDS, DST_TILED, BR13, CLIPPED, RECTANGLE(2), DEST(4, a), COLOR_RANGE(4 + (a))

#define TABLES(name) static const struct field name##_GEN6[] = {name(1)}, name##_GEN8[] = {name(2)};
TABLES(XY_SETUP_BLT)
TABLES(XY_SETUP_MONO_PATTERN_SL_BLT)
TABLES(XY_TEXT_BLT)
TABLES(COLOR_BLT)
TABLES(SRC_COPY_BLT)
TABLES(XY_COLOR_BLT)
TABLES(XY_PAT_BLT)
TABLES(XY_MONO_PAT_BLT)
TABLES(XY_SRC_COPY_BLT)
TABLES(XY_MONO_SRC_COPY_BLT)
TABLES(XY_FULL_BLT)
TABLES(XY_FULL_MONO_SRC_BLT)
TABLES(XY_FULL_MONO_PATTERN_BLT)
TABLES(XY_FULL_MONO_PATTERN_MONO_SRC_BLT)
TABLES(XY_MONO_PAT_FIXED_BLT)
TABLES(XY_MONO_SRC_COPY_IMMEDIATE_BLT)
TABLES(XY_PAT_BLT_IMMEDIATE)
TABLES(XY_SRC_COPY_CHROMA_BLT)
TABLES(XY_FULL_IMMEDIATE_PATTERN_BLT)
TABLES(XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT)
TABLES(XY_PAT_CHROMA_BLT)
TABLES(XY_PAT_CHROMA_BLT_IMMEDIATE)
static const struct field xy_setup_clip_blt[] = {DST_TILED, CLIP(1)};
static const struct field xy_pixel_blt[] = {DST_TILED, PIXEL(1)};
static const struct field xy_scanlines_blt[] = {SEEDS, DST_TILED, RECTANGLE(1)};
static const struct field xy_text_immediate_blt[] = {PACKED, DST_TILED, RECTANGLE(1)};
static const struct field xy_fast_copy_blt[] = {
    {"Source Tiling Method", 20, 21, FIELD_UINT, tilings, ROLE(BLIT_SOURCE_TILING_METHOD), .until = GEN12},
    {"Source Tiling Method", 20, 21, FIELD_UINT, gen125_tilings, ROLE(BLIT_SOURCE_TILING_METHOD),
     .since = GEN125},
    {"Destination Tiling Method", 13, 14, FIELD_UINT, tilings, ROLE(BLIT_DESTINATION_TILING_METHOD),
     .until = GEN12},
    {"Destination Tiling Method", 13, 14, FIELD_UINT, gen125_tilings, ROLE(BLIT_DESTINATION_TILING_METHOD),
     .since = GEN125},
    {"Source Horizontal Alignment", 18, 19, FIELD_UINT},
    {"Source Vertical Alignment", 16, 17, FIELD_UINT},
    {"Destination Horizontal Alignment", 10, 11, FIELD_UINT},
    {"Destination Vertical Alignment", 8, 9, FIELD_UINT},
    {"Destination Pitch", 32, 47, FIELD_INT, ROLE(BLIT_DESTINATION_PITCH)},
    {"Color Depth", 56, 58, FIELD_UINT, fast_depths, ROLE(BLIT_COLOR_DEPTH)},
    {"Destination Memory Type", 60, 60, FIELD_UINT, memories, .since = GEN125},
    {"Source Memory Type", 61, 61, FIELD_UINT, memories, .since = GEN125},
    {"Tile Y Type For Destination", 62, 62, FIELD_UINT, ROLE(BLIT_TILE_Y_TYPE_FOR_DESTINATION),
     .until = GEN12},
    {"Tile Y Type For Source", 63, 63, FIELD_UINT, ROLE(BLIT_TILE_Y_TYPE_FOR_SOURCE), .until = GEN12},
    {"Destination Tile-4", 62, 62, FIELD_BOOL, ROLE(BLIT_TILE_Y_TYPE_FOR_DESTINATION), .since = GEN125},
    {"Source Tile-4", 63, 63, FIELD_BOOL, ROLE(BLIT_TILE_Y_TYPE_FOR_SOURCE), .since = GEN125},
    {"Destination MOCS index", 52, 55, FIELD_UINT, .since = GEN200},
    {"Source MOCS index", 244, 247, FIELD_UINT, .since = GEN200},
    RECTANGLE(2),
    DEST(4, 2),
    SOURCE(6, 2),
};

/* Rows of the fixed patterns, leftmost pixel in bit 7. 6, 7 and what follows 11 are reserved. (SNB PRM vol 1
 * part 5, 1.9.14) */
static const uint8_t fixed_pattern_bits[16][8] = {
    {0x00, 0x00, 0x00, 0xff, 0x00, 0x00, 0x00, 0x00},
    {0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08},
    {0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01},
    {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80},
    {0x08, 0x08, 0x08, 0xff, 0x08, 0x08, 0x08, 0x08},
    {0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81},
    [8] = {0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa},
    [9] = {0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33},
    [10] = {0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11},
    [11] = {0x77, 0xbb, 0xdd, 0xee, 0x77, 0xbb, 0xdd, 0xee},
};

/* The values of the command's fields by role, and the set of roles it has. */
struct values {
    uint64_t has;
    uint64_t of[BLIT_ROLES];
};

_Static_assert(BLIT_ROLES <= 64, "roles are bits");

/* The header was read already. */
static void gather(struct values *v, const struct command *c, uint32_t header, const uint32_t *dw,
                   uint32_t length_dw)
{
    v->has = c->group ? UINT64_C(1) << c->group->role : 0;
    for (unsigned i = 0; i < c->field_count; i++) {
        const uint8_t role = c->fields[i].role;
        const struct field_place *p = &c->places[role];
        v->of[role] = p->dword ? field_read(p, dw, length_dw) : (header & p->mask) >> p->shift;
        v->has |= UINT64_C(1) << role;
    }
}

static inline bool has(const struct values *v, enum role role)
{
    return v->has >> role & 1u;
}

static inline uint64_t value(const struct values *v, enum role role)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): gather sets it with its bit */
    return has(v, role) ? v->of[role] : 0;
}

static inline int32_t coordinate(const struct values *v, enum role role)
{
    return (int16_t)value(v, role);
}

static inline uint32_t color(const struct values *v, enum role role)
{
    return (uint32_t)value(v, role);
}

static const uint8_t depth_bytes[] = {1, 2, 2, 4, 8, 16, 4, 4};

/* ---- Setup ---- */

/* Headers of the commands that set up. */
enum { SETUP_BLT = 0x40400000, SETUP_CLIP_BLT = 0x40c00000, SETUP_MONO_PATTERN_SL_BLT = 0x44400000 };

/* A setup command replaces all earlier setup, the clip rectangle too. */
static enum outcome setup_execute(struct execution *x)
{
    struct engine *e = x->engine;
    static const uint32_t headers[] = {SETUP_BLT, SETUP_CLIP_BLT, SETUP_MONO_PATTERN_SL_BLT};
    for (unsigned i = 0; i < sizeof headers / sizeof headers[0]; i++)
        pipeline_invalidate(&e->pipeline, headers[i], 0xffc00000u);
    pipeline_store_command(&e->pipeline, command_find(e->commands.set, e->info->class, x->header), x->header,
                           x->dw, x->length_dw);
    return OUTCOME_DONE;
}

/* State that the XY_SETUP commands set for later blits. */
struct blit_setup {
    uint64_t to, pattern;
    uint32_t br13;
    uint32_t background, foreground;
    uint32_t pattern_bits[2];
    int32_t clip_x1, clip_y1, clip_x2, clip_y2;
    uint8_t byte_mask;
    bool mono_pattern;
};

/* The fields of the last setup command of this kind; false: there was none. */
static bool kept_values(const struct engine *e, uint32_t header, struct values *v, uint32_t *br13)
{
    uint32_t length_dw;
    const struct command *c;
    const uint32_t *dw = pipeline_command(&e->pipeline, header, &c, &length_dw);
    if (!dw)
        return false;
    gather(v, c, dw[0], dw, length_dw);
    *br13 = dw[1];
    return true;
}

static struct blit_setup setup_of(const struct engine *e)
{
    struct values v, clip;
    struct blit_setup s = {0};
    uint32_t ignored;
    if (!kept_values(e, SETUP_BLT, &v, &s.br13) && !kept_values(e, SETUP_MONO_PATTERN_SL_BLT, &v, &s.br13))
        v.has = 0;
    s.to = value(&v, BLIT_DESTINATION_BASE_ADDRESS);
    s.pattern = value(&v, BLIT_PATTERN_BASE_ADDRESS);
    s.byte_mask = (uint8_t)value(&v, BLIT_32BPP_BYTE_MASK);
    s.background = color(&v, BLIT_SOURCE_BACKGROUND_COLOR);
    s.foreground = color(&v, BLIT_SOURCE_FOREGROUND_COLOR);
    s.pattern_bits[0] = color(&v, BLIT_PATTERN_DATA_0);
    s.pattern_bits[1] = color(&v, BLIT_PATTERN_DATA_1);
    s.mono_pattern = has(&v, BLIT_PATTERN_DATA_0);
    if (!kept_values(e, SETUP_CLIP_BLT, &clip, &ignored))
        clip = v;
    s.clip_x1 = coordinate(&clip, BLIT_CLIP_X1_COORDINATE);
    s.clip_y1 = coordinate(&clip, BLIT_CLIP_Y1_COORDINATE);
    s.clip_x2 = coordinate(&clip, BLIT_CLIP_X2_COORDINATE);
    s.clip_y2 = coordinate(&clip, BLIT_CLIP_Y2_COORDINATE);
    return s;
}

/* A blit without BR13 uses that of the setup, and the operands set with it. */
static void use_setup(struct values *v, const struct blit_setup *s)
{
    static const struct {
        uint8_t role, first, width;
    } fields[] = {{BLIT_DESTINATION_PITCH, 0, 16},
                  {BLIT_RASTER_OPERATION, 16, 8},
                  {BLIT_COLOR_DEPTH, 24, 2},
                  {BLIT_MONO_PATTERN_TRANSPARENCY_MODE, 28, 1},
                  {BLIT_MONO_SOURCE_TRANSPARENCY_MODE, 29, 1},
                  {BLIT_CLIPPING_ENABLE, 30, 1}};
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        v->of[fields[i].role] = s->br13 >> fields[i].first & ((1u << fields[i].width) - 1u);
        v->has |= UINT64_C(1) << fields[i].role;
    }
    const struct {
        uint8_t role;
        uint64_t value;
    } others[] = {{BLIT_DESTINATION_BASE_ADDRESS, s->to},
                  {BLIT_32BPP_BYTE_MASK, s->byte_mask},
                  {BLIT_SOURCE_BACKGROUND_COLOR, s->background},
                  {BLIT_SOURCE_FOREGROUND_COLOR, s->foreground}};
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        v->of[others[i].role] = others[i].value;
        v->has |= UINT64_C(1) << others[i].role;
    }
    if (!has(v, BLIT_DESTINATION_X2_COORDINATE)) { /* one pixel: BR05 is its solid pattern */
        v->of[BLIT_SOLID_PATTERN_COLOR] = s->background;
        v->has |= UINT64_C(1) << BLIT_SOLID_PATTERN_COLOR;
    } else if (s->mono_pattern) {
        const struct {
            uint8_t role;
            uint32_t value;
        } pattern[] = {{BLIT_PATTERN_DATA_0, s->pattern_bits[0]},
                       {BLIT_PATTERN_DATA_1, s->pattern_bits[1]},
                       {BLIT_PATTERN_BACKGROUND_COLOR, s->background},
                       {BLIT_PATTERN_FOREGROUND_COLOR, s->foreground},
                       {BLIT_SOLID_PATTERN_SELECT, s->br13 >> 31}};
        for (unsigned i = 0; i < sizeof pattern / sizeof pattern[0]; i++) {
            v->of[pattern[i].role] = pattern[i].value;
            v->has |= UINT64_C(1) << pattern[i].role;
        }
    } else {
        v->of[BLIT_PATTERN_BASE_ADDRESS] = s->pattern;
        v->has |= UINT64_C(1) << BLIT_PATTERN_BASE_ADDRESS;
    }
}

/* ---- Operands ---- */

struct surface blit_surface(const struct engine *e, uint64_t base, int32_t pitch, enum softgt_tiling tiling,
                            unsigned bytes)
{
    struct surface s = {.base = base, .pitch_bytes = pitch, .space = SPACE_PPGTT, .tiling = (uint8_t)tiling};
    s.tiles = tile_layout(tiling, bytes);
    if (s.tiles) {
        s.base &= ~(uint64_t)(PAGE_BYTES - 1);
        s.pitch_bytes *= 4;
        s.swizzled = e->mmu.memory->swizzled && s.tiles->swizzle_from;
    }
    return s;
}

/* BCS_SWCTRL says whether "tiled" is X or Y, for source and destination. */
static enum softgt_tiling tiling_of(const struct engine *e, bool tiled, uint32_t y_bit)
{
    if (!tiled)
        return SOFTGT_TILE_LINEAR;
    return engine_register(e, BCS_SWCTRL) & y_bit ? SOFTGT_TILE_Y : SOFTGT_TILE_X;
}

static void pattern_operand(const struct execution *x, const struct values *v, struct blit *b)
{
    b->pattern.seed_x = (uint8_t)value(v, BLIT_PATTERN_HORIZONTAL_SEED);
    b->pattern.seed_y = (uint8_t)value(v, BLIT_PATTERN_VERTICAL_SEED);
    b->pattern.transparent = value(v, BLIT_MONO_PATTERN_TRANSPARENCY_MODE);
    b->pattern.colors[0] =
        color(v, has(v, BLIT_SOLID_PATTERN_COLOR) ? BLIT_SOLID_PATTERN_COLOR : BLIT_PATTERN_BACKGROUND_COLOR);
    b->pattern.colors[1] = color(v, BLIT_PATTERN_FOREGROUND_COLOR);
    if (has(v, BLIT_SOLID_PATTERN_COLOR) || value(v, BLIT_SOLID_PATTERN_SELECT)) {
        b->pattern.operand = OPERAND_SOLID;
    } else if (has(v, BLIT_PATTERN_DATA_0)) {
        b->pattern.operand = OPERAND_MONO;
        const uint32_t bits[2] = {color(v, BLIT_PATTERN_DATA_0), color(v, BLIT_PATTERN_DATA_1)};
        memcpy(b->pattern.bits, bits, sizeof bits);
    } else if (has(v, BLIT_FIXED_PATTERN)) {
        b->pattern.operand = OPERAND_MONO;
        memcpy(b->pattern.bits, fixed_pattern_bits[value(v, BLIT_FIXED_PATTERN)], sizeof b->pattern.bits);
    } else if (has(v, BLIT_PATTERN_BASE_ADDRESS) || has(v, BLIT_IMMEDIATE_DATA_PATTERN)) {
        b->pattern.operand = OPERAND_COLOR;
        b->pattern.address = value(v, BLIT_PATTERN_BASE_ADDRESS);
        if (has(v, BLIT_IMMEDIATE_DATA_PATTERN))
            b->pattern.immediate = x->dw + x->command->group_dw;
    }
}

/* Rows of a monochrome source start on words; of text, on the next bit or byte. */
static uint32_t mono_stride(const struct values *v, uint32_t width)
{
    if (!has(v, BLIT_BIT_0_BYTE_1_PACKED))
        return ((uint32_t)value(v, BLIT_MONOCHROME_SOURCE_DATA_BIT_POSITION) + width + 15u) & ~15u;
    return value(v, BLIT_BIT_0_BYTE_1_PACKED) ? (width + 7u) & ~7u : width;
}

static void source_operand(const struct execution *x, const struct values *v, struct blit *b)
{
    const struct engine *e = x->engine;
    enum { SOURCE_IS_Y = 1u << 0 };
    if (has(v, BLIT_SOURCE_BASE_ADDRESS)) {
        b->source.operand = OPERAND_COLOR;
        b->from = blit_surface(e, value(v, BLIT_SOURCE_BASE_ADDRESS), coordinate(v, BLIT_SOURCE_PITCH),
                               tiling_of(e, value(v, BLIT_SRC_TILING_ENABLE), SOURCE_IS_Y), b->bytes);
        b->from_x = coordinate(v, BLIT_SOURCE_X1_COORDINATE);
        b->from_y = coordinate(v, BLIT_SOURCE_Y1_COORDINATE);
    } else if (has(v, BLIT_MONO_SOURCE_ADDRESS) || has(v, BLIT_IMMEDIATE_DATA_SOURCE)) {
        b->source.operand = OPERAND_MONO;
        b->source.transparent = value(v, BLIT_MONO_SOURCE_TRANSPARENCY_MODE);
        b->source.colors[0] = color(v, BLIT_SOURCE_BACKGROUND_COLOR);
        b->source.colors[1] = color(v, BLIT_SOURCE_FOREGROUND_COLOR);
        b->source.mono_address = value(v, BLIT_MONO_SOURCE_ADDRESS);
        b->source.mono_stride_bits = mono_stride(v, (uint32_t)(b->x2 - b->x1));
        b->source.mono_first_bit = (uint32_t)value(v, BLIT_MONOCHROME_SOURCE_DATA_BIT_POSITION);
        if (has(v, BLIT_IMMEDIATE_DATA_SOURCE))
            b->source.immediate = x->dw + x->command->group_dw;
    }
}

static void clip(struct blit *b, int32_t x1, int32_t y1, int32_t x2, int32_t y2)
{
    const int32_t right = x1 > b->x1 ? x1 - b->x1 : 0, down = y1 > b->y1 ? y1 - b->y1 : 0;
    b->x1 += right;
    b->y1 += down;
    b->from_x += right;
    b->from_y += down;
    b->source.mono_first_bit += (uint32_t)down * b->source.mono_stride_bits + (uint32_t)right;
    if (b->x2 > x2)
        b->x2 = x2;
    if (b->y2 > y2)
        b->y2 = y2;
}

/* ---- Drawing ---- */

static enum outcome draw_execute(struct execution *x)
{
    struct engine *e = x->engine;
    enum { DESTINATION_IS_Y = 1u << 1, RGB = 1u << 0, ALPHA = 1u << 1 };
    struct values v;
    gather(&v, x->command, x->header, x->dw, x->length_dw);
    struct blit_setup s;
    const bool set_up = !has(&v, BLIT_DESTINATION_BASE_ADDRESS);
    if (set_up || value(&v, BLIT_CLIPPING_ENABLE))
        s = setup_of(e);
    if (set_up)
        use_setup(&v, &s);
    struct blit b = {.name = x->command->name,
                     .depth = (uint8_t)value(&v, BLIT_COLOR_DEPTH),
                     .rop = (uint8_t)value(&v, BLIT_RASTER_OPERATION)};
    b.bytes = depth_bytes[b.depth];
    b.x1 = coordinate(&v, BLIT_DESTINATION_X1_COORDINATE);
    b.y1 = coordinate(&v, BLIT_DESTINATION_Y1_COORDINATE);
    b.x2 = has(&v, BLIT_DESTINATION_X2_COORDINATE) ? coordinate(&v, BLIT_DESTINATION_X2_COORDINATE)
           : has(&v, BLIT_DESTINATION_WIDTH)       ? (int32_t)(value(&v, BLIT_DESTINATION_WIDTH) / b.bytes)
                                                   : b.x1 + 1;
    b.y2 = has(&v, BLIT_DESTINATION_Y2_COORDINATE) ? coordinate(&v, BLIT_DESTINATION_Y2_COORDINATE)
           : has(&v, BLIT_DESTINATION_HEIGHT)      ? (int32_t)value(&v, BLIT_DESTINATION_HEIGHT)
                                                   : b.y1 + 1;
    /* Our choice: all bits of a solid pattern are 0, so a transparent one draws nothing. */
    if (b.x2 <= b.x1 || b.y2 <= b.y1 ||
        (value(&v, BLIT_SOLID_PATTERN_SELECT) && value(&v, BLIT_MONO_PATTERN_TRANSPARENCY_MODE)))
        return OUTCOME_DONE;
    b.to = blit_surface(e, value(&v, BLIT_DESTINATION_BASE_ADDRESS), coordinate(&v, BLIT_DESTINATION_PITCH),
                        tiling_of(e, value(&v, BLIT_DEST_TILING_ENABLE), DESTINATION_IS_Y), b.bytes);
    b.write_mask = UINT32_MAX;
    if (b.bytes == 4)
        b.write_mask = (value(&v, BLIT_32BPP_BYTE_MASK) & RGB ? 0x00ffffffu : 0) |
                       (value(&v, BLIT_32BPP_BYTE_MASK) & ALPHA ? 0xff000000u : 0);
    b.range.mode = (uint8_t)value(&v, BLIT_TRANSPARENCY_RANGE_MODE);
    b.range.low = color(&v, BLIT_TRANSPARENCY_COLOR_LOW);
    b.range.high = color(&v, BLIT_TRANSPARENCY_COLOR_HIGH);
    b.immediate_dw = x->command->group ? x->length_dw - x->command->group_dw : 0;
    if (x->command->group && x->length_dw < x->command->group_dw)
        b.immediate_dw = 0;
    pattern_operand(x, &v, &b);
    source_operand(x, &v, &b);
    if (value(&v, BLIT_HORIZONTAL_DIRECTION)) { /* addresses are of the last byte of a row */
        b.right_to_left = true;
        b.to.base -= (uint64_t)(uint32_t)(b.x2 * b.bytes - 1);
        b.from.base -= (uint64_t)(uint32_t)(b.x2 * b.bytes - 1);
    } else if (has(&v, BLIT_SOURCE_X1_COORDINATE) && b.to.base == b.from.base) {
        b.right_to_left = b.from_x < b.x1;
        b.bottom_up = b.from_y < b.y1;
    }
    if (value(&v, BLIT_CLIPPING_ENABLE))
        clip(&b, s.clip_x1, s.clip_y1, s.clip_x2, s.clip_y2);
    return blit_draw(x, &b);
}

enum { TILED_Y = 2 };

static enum softgt_tiling fast_tiling(const struct values *v, enum role method, enum role is_yf)
{
    static const uint8_t of[] = {SOFTGT_TILE_LINEAR, SOFTGT_TILE_X, SOFTGT_TILE_Y, SOFTGT_TILE_YS};
    return value(v, method) == TILED_Y && value(v, is_yf) ? SOFTGT_TILE_YF
                                                          : (enum softgt_tiling)of[value(v, method)];
}

static enum softgt_tiling gen125_fast_tiling(const struct values *v, enum role method, enum role is_4)
{
    (void)is_4;
    static const uint8_t of[] = {SOFTGT_TILE_LINEAR, SOFTGT_TILE_X, SOFTGT_TILE_4, SOFTGT_TILE_64};
    return (enum softgt_tiling)of[value(v, method)];
}

static enum outcome fast_copy(struct execution *x, const struct values *v,
                              enum softgt_tiling (*tiling)(const struct values *v, enum role method,
                                                           enum role type))
{
    struct engine *e = x->engine;
    struct blit b = {.name = x->command->name,
                     .depth = (uint8_t)value(v, BLIT_COLOR_DEPTH),
                     .rop = ROP_SOURCE,
                     .source.operand = OPERAND_COLOR};
    b.bytes = depth_bytes[b.depth];
    b.write_mask = UINT32_MAX;
    b.x1 = coordinate(v, BLIT_DESTINATION_X1_COORDINATE);
    b.y1 = coordinate(v, BLIT_DESTINATION_Y1_COORDINATE);
    b.x2 = coordinate(v, BLIT_DESTINATION_X2_COORDINATE);
    b.y2 = coordinate(v, BLIT_DESTINATION_Y2_COORDINATE);
    b.from_x = coordinate(v, BLIT_SOURCE_X1_COORDINATE);
    b.from_y = coordinate(v, BLIT_SOURCE_Y1_COORDINATE);
    b.to = blit_surface(e, value(v, BLIT_DESTINATION_BASE_ADDRESS), coordinate(v, BLIT_DESTINATION_PITCH),
                        tiling(v, BLIT_DESTINATION_TILING_METHOD, BLIT_TILE_Y_TYPE_FOR_DESTINATION), b.bytes);
    b.from = blit_surface(e, value(v, BLIT_SOURCE_BASE_ADDRESS), coordinate(v, BLIT_SOURCE_PITCH),
                          tiling(v, BLIT_SOURCE_TILING_METHOD, BLIT_TILE_Y_TYPE_FOR_SOURCE), b.bytes);
    return blit_draw(x, &b);
}

static enum outcome fast_copy_execute(struct execution *x)
{
    struct values v;
    gather(&v, x->command, x->header, x->dw, x->length_dw);
    return fast_copy(x, &v, fast_tiling);
}

/* Gen12.5 has Tile4 in place of Tile Y and Yf, as a bit says. */
static enum outcome gen125_fast_copy_execute(struct execution *x)
{
    struct values v;
    gather(&v, x->command, x->header, x->dw, x->length_dw);
    if ((value(&v, BLIT_DESTINATION_TILING_METHOD) == TILED_Y &&
         !value(&v, BLIT_TILE_Y_TYPE_FOR_DESTINATION)) ||
        (value(&v, BLIT_SOURCE_TILING_METHOD) == TILED_Y && !value(&v, BLIT_TILE_Y_TYPE_FOR_SOURCE))) {
        report_error(x->engine->log, SOFTGT_GUEST_ERROR, x->engine->info->name,
                     x->engine->parse.command_address, "%s: there is no Tile Y, nothing is drawn",
                     x->command->name);
        return OUTCOME_DONE;
    }
    return fast_copy(x, &v, gen125_fast_tiling);
}

#define COMMON(opcode)                                                                                       \
    OPCODE_2D(opcode), .engines = COPY, .length_bits = 8, .length_bias = 2, .disabled_by = DISABLED_BLITS

/* One row before Gen8 and one from there on; `fixed` dwords beside `addresses`. */
#define GEN6_ROW(command, text, opcode, dw)                                                                  \
    .name = #command, .summary = (text), COMMON(opcode), .since = GEN6, .until = GEN75, .min_dwords = (dw),  \
    FIELDS(command##_GEN6), .spec = "CSP-07, SNB PRM vol 10"
#define GEN8_ROW(command, text, opcode, dw)                                                                  \
    .name = #command, .summary = (text), COMMON(opcode), .since = GEN8, .min_dwords = (dw),                  \
    FIELDS(command##_GEN8), .spec = "CSP-07, BDW PRM vol 10"
#define SETUP .flags = COMMAND_STATE, .execute = setup_execute
#define DRAWS .execute = draw_execute
#define PAIR(command, text, opcode, fixed, addresses, does)                                                  \
    {GEN6_ROW(command, text, opcode, (fixed) + (addresses)), does},                                          \
    {                                                                                                        \
        GEN8_ROW(command, text, opcode, (fixed) + 2 * (addresses)), does                                     \
    }
#define PAIR_WITH(data, command, text, opcode, fixed, addresses, does)                                       \
    {GEN6_ROW(command, text, opcode, (fixed) + (addresses)), GROUP(data, (fixed) + (addresses), 1), does},   \
    {                                                                                                        \
        GEN8_ROW(command, text, opcode, (fixed) + 2 * (addresses)),                                          \
            GROUP(data, (fixed) + 2 * (addresses), 1), does                                                  \
    }

static const struct command rows[] = {
    PAIR(XY_SETUP_BLT, "Sets destination, clip, colours and pattern for the blits that follow.", 0x01, 6, 2,
         SETUP),
    {.name = "XY_SETUP_CLIP_BLT",
     .summary = "Sets the clip rectangle.",
     COMMON(0x03),
     .since = GEN6,
     .min_dwords = 3,
     .flags = COMMAND_STATE,
     FIELDS(xy_setup_clip_blt),
     .spec = "CSP-07, SNB PRM vol 10"},
    PAIR(XY_SETUP_MONO_PATTERN_SL_BLT, "Sets up scan-line blits with a monochrome pattern.", 0x11, 8, 1,
         SETUP),
    {.name = "XY_PIXEL_BLT",
     .summary = "Draws one pixel.",
     COMMON(0x24),
     .since = GEN6,
     .min_dwords = 2,
     FIELDS(xy_pixel_blt),
     DRAWS,
     .spec = "CSP-07, SNB PRM vol 10"},
    {.name = "XY_SCANLINES_BLT",
     .summary = "Fills scan lines with the pattern set up.",
     COMMON(0x25),
     .since = GEN6,
     .min_dwords = 3,
     FIELDS(xy_scanlines_blt),
     DRAWS,
     .spec = "CSP-07, SNB PRM vol 10"},
    PAIR(XY_TEXT_BLT, "Draws a monochrome glyph from memory.", 0x26, 3, 1, DRAWS),
    {.name = "XY_TEXT_IMMEDIATE_BLT",
     .summary = "Draws a monochrome glyph that follows.",
     COMMON(0x31),
     .since = GEN6,
     .min_dwords = 3,
     FIELDS(xy_text_immediate_blt),
     GROUP(immediate_source, 3, 1),
     DRAWS,
     .spec = "CSP-07, SNB PRM vol 10"},
    PAIR(COLOR_BLT, "Fills a rectangle with a colour, linear.", 0x40, 4, 1, DRAWS),
    PAIR(SRC_COPY_BLT, "Copies a rectangle, linear.", 0x43, 4, 2, DRAWS),
    PAIR(XY_COLOR_BLT, "Fills a rectangle with a colour.", 0x50, 5, 1, DRAWS),
    PAIR(XY_PAT_BLT, "Fills a rectangle with a colour pattern.", 0x51, 4, 2, DRAWS),
    PAIR(XY_MONO_PAT_BLT, "Fills a rectangle with a monochrome pattern.", 0x52, 8, 1, DRAWS),
    PAIR(XY_SRC_COPY_BLT, "Copies a rectangle.", 0x53, 6, 2, DRAWS),
    PAIR(XY_MONO_SRC_COPY_BLT, "Expands a monochrome source.", 0x54, 6, 2, DRAWS),
    PAIR(XY_FULL_BLT, "Combines source, colour pattern and destination.", 0x55, 6, 3, DRAWS),
    PAIR(XY_FULL_MONO_SRC_BLT, "Combines monochrome source, colour pattern and destination.", 0x56, 6, 3,
         DRAWS),
    PAIR(XY_FULL_MONO_PATTERN_BLT, "Combines source, monochrome pattern and destination.", 0x57, 10, 2,
         DRAWS),
    PAIR(XY_FULL_MONO_PATTERN_MONO_SRC_BLT, "Combines monochrome source, monochrome pattern and destination.",
         0x58, 10, 2, DRAWS),
    PAIR(XY_MONO_PAT_FIXED_BLT, "Fills a rectangle with one of the fixed monochrome patterns.", 0x59, 6, 1,
         DRAWS),
    PAIR_WITH(immediate_source, XY_MONO_SRC_COPY_IMMEDIATE_BLT, "Expands a monochrome source that follows.",
              0x71, 6, 1, DRAWS),
    PAIR_WITH(immediate_pattern, XY_PAT_BLT_IMMEDIATE,
              "Fills a rectangle with a colour pattern that follows.", 0x72, 4, 1, DRAWS),
    PAIR(XY_SRC_COPY_CHROMA_BLT, "Copies a rectangle but for a range of colours.", 0x73, 8, 2, DRAWS),
    PAIR_WITH(immediate_pattern, XY_FULL_IMMEDIATE_PATTERN_BLT,
              "Combines source, a colour pattern that follows and destination.", 0x74, 6, 2, DRAWS),
    PAIR_WITH(immediate_pattern, XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT,
              "Combines monochrome source, a colour pattern that follows and destination.", 0x75, 6, 2,
              DRAWS),
    PAIR(XY_PAT_CHROMA_BLT, "Fills with a colour pattern where the destination is in a range of colours.",
         0x76, 6, 2, DRAWS),
    PAIR_WITH(immediate_pattern, XY_PAT_CHROMA_BLT_IMMEDIATE, "The same with a pattern that follows.", 0x77,
              6, 1, DRAWS),
    {.name = "XY_FAST_COPY_BLT",
     .summary = "Copies a rectangle without raster operation, in any tiling.",
     COMMON(0x42),
     .since = GEN9,
     .min_dwords = 10,
     FIELDS(xy_fast_copy_blt),
     .execute = fast_copy_execute,
     .spec = "CSP-07, SKL PRM vol 10"},
    {.since = GEN125, .execute = gen125_fast_copy_execute, .spec = "CSP-07, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-07; Linux, xe_migrate"},
};

const struct command_table blit_commands = COMMAND_TABLE(rows);
