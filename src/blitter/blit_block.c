/*
 * Block copies and fills, from Gen12 on: the commands describe their surfaces completely. From Gen12.5 on a
 * surface may have mips and slices, and a block lies in one of them. (TGL PRM vol 2a; DG2's fields as Mesa's
 * genxml has them)
 */
#include "blitter/blit.h"
#include "memory/mip.h"
#include "structures/structures.h"
#include "structures/values.h"

#include <stdarg.h>
#include <stdio.h>

/* The roles of a side of a block: a side is the role of its base address, a role of it that plus BLOCK_*. */
#define BLOCK_SIDE(side)                                                                                     \
    side##_BASE_ADDRESS, side##_PITCH, side##_TILING, side##_COMPRESSION_ENABLE, side##_X1_COORDINATE,       \
        side##_Y1_COORDINATE, side##_X_OFFSET, side##_Y_OFFSET, side##_SURFACE_TYPE, side##_SURFACE_WIDTH,   \
        side##_SURFACE_HEIGHT, side##_LOD, side##_MIP_TAIL_START_LOD, side##_SURFACE_QPITCH,                 \
        side##_ARRAY_INDEX, side##_HORIZONTAL_ALIGN, side##_VERTICAL_ALIGN
enum side_role { BLOCK_SIDE(BLOCK) };

enum role {
    BLOCK_NO_ROLE,
    BLOCK_SPECIAL_MODE_OF_OPERATION,
    BLOCK_COLOR_DEPTH,
    BLOCK_DESTINATION_X2_COORDINATE,
    BLOCK_DESTINATION_Y2_COORDINATE,
    BLOCK_FILL_COLOR_0,
    BLOCK_FILL_COLOR_1,
    BLOCK_FILL_COLOR_2,
    BLOCK_FILL_COLOR_3,
    BLOCK_SIDE(BLOCK_DESTINATION),
    BLOCK_SIDE(BLOCK_SOURCE)
};

static const struct field_value depths[] = {{"8_BIT", 0},  {"16_BIT", 1},  {"32_BIT", 2}, {"64_BIT", 3},
                                            {"96_BIT", 4}, {"128_BIT", 5}, {NULL, 0}};
static const struct field_value gen12_tilings[] = {{"LINEAR", 0}, {"Y", 1}, {NULL, 0}};
static const struct field_value gen125_tilings[] = {
    {"LINEAR", 0}, {"TILE_X", 1}, {"TILE_4", 2}, {"TILE_64", 3}, {NULL, 0}};
static const struct field_value aux_modes[] = {{"NONE", 0}, {"CCS_E", 5}, {NULL, 0}};
static const struct field_value memories[] = {{"LOCAL", 0}, {"SYSTEM", 1}, {NULL, 0}};
static const struct field_value copy_modes[] = {
    {"NONE", 0}, {"FULL_RESOLVE", 1}, {"PARTIAL_RESOLVE", 2}, {NULL, 0}};
static const struct field_value fill_modes[] = {
    {"NONE", 0}, {"FAST_CLEAR_1", 1}, {"FAST_CLEAR_0", 2}, {NULL, 0}};
static const struct field_value gen200_fill_modes[] = {
    {"NONE", 0}, {"USE_AUX_SPECIAL_OPERATIONS_MODE", 1}, {NULL, 0}};
static const struct field_value aux_operations[] = {{"FAST_CLEAR_HW_FORMAT_CONVERSION", 0},
                                                    {"FAST_CLEAR_BYPASS_HW_FORMAT_CONVERSION", 1},
                                                    {"FORCE_UNCOMPRESS", 2},
                                                    {NULL, 0}};
static const struct field_value samples[] = {{"MULTISAMPLECOUNT_1", 0},  {"MULTISAMPLECOUNT_2", 1},
                                             {"MULTISAMPLECOUNT_4", 2},  {"MULTISAMPLECOUNT_8", 3},
                                             {"MULTISAMPLECOUNT_16", 4}, {NULL, 0}};
static const struct field_value types[] = {{"1D", 0}, {"2D", 1}, {"3D", 2}, {"CUBE", 3}, {NULL, 0}};
static const struct field_value aligns_x[] = {
    {"HALIGN_16", 0}, {"HALIGN_32", 1}, {"HALIGN_64", 2}, {"HALIGN_128", 3}, {NULL, 0}};
static const struct field_value aligns_y[] = {{"VALIGN_4", 1}, {"VALIGN_8", 2}, {"VALIGN_16", 3}, {NULL, 0}};

/* Bits from dword dw on. */
#define AT(dw, first, last) (dw) * 32 + (first), (dw)*32 + (last)

/* Its pitch is less one; offsets are pixels in its first tile. */
#define SURFACE(side, dw, of)                                                                                \
    {side " Pitch", AT(dw, 0, 17), FIELD_UINT, ROLE(of##_PITCH)},                                            \
        {side " Auxiliary Surface Mode", AT(dw, 18, 20), FIELD_UINT, .until = GEN12},                        \
        {side " Auxiliary Surface Mode",                                                                     \
         AT(dw, 18, 20),                                                                                     \
         FIELD_UINT,                                                                                         \
         aux_modes,                                                                                          \
         .since = GEN125,                                                                                    \
         .until = GEN125},                                                                                   \
        {side " MOCS", AT(dw, 21, 27), FIELD_UINT, .until = GEN125},                                         \
        {side " Encrypt En", AT(dw, 21, 21), FIELD_BOOL, .since = GEN200},                                   \
        {side " MOCS index", AT(dw, 24, 27), FIELD_UINT, .since = GEN200},                                   \
        {side " Control Surface Type", AT(dw, 28, 28), FIELD_UINT, .until = GEN125},                         \
        {side " Compression Enable", AT(dw, 29, 29), FIELD_BOOL, ROLE(of##_COMPRESSION_ENABLE),              \
         .until = GEN125},                                                                                   \
        {side " Tiling", AT(dw, 30, 31), FIELD_UINT, gen12_tilings, ROLE(of##_TILING), .until = GEN12},      \
    {                                                                                                        \
        side " Tiling", AT(dw, 30, 31), FIELD_UINT, gen125_tilings, ROLE(of##_TILING), .since = GEN125       \
    }
#define FIRST_PIXEL(side, dw, of)                                                                            \
    {side " X1 Coordinate", AT(dw, 0, 15), FIELD_INT, ROLE(of##_X1_COORDINATE)},                             \
    {                                                                                                        \
        side " Y1 Coordinate", AT(dw, 16, 31), FIELD_INT, ROLE(of##_Y1_COORDINATE)                           \
    }
#define ADDRESS(side, dw, of)                                                                                \
    {side " Base Address", (dw)*32, (dw)*32 + 47, FIELD_ADDRESS, ROLE(of##_BASE_ADDRESS)},                   \
        {side " X Offset", AT((dw) + 2, 0, 13), FIELD_UINT, ROLE(of##_X_OFFSET)},                            \
        {side " Y Offset", AT((dw) + 2, 16, 29), FIELD_UINT, ROLE(of##_Y_OFFSET)},                           \
    {                                                                                                        \
        side " Target Memory", AT((dw) + 2, 31, 31), FIELD_UINT, memories, .since = GEN125                   \
    }
#define COMPRESSION(side, dw, ...)                                                                           \
    {side " Compression Format", AT(dw, 0, 4), FIELD_UINT, .since = GEN125, __VA_ARGS__},                    \
        {side " Clear Value Enable", AT(dw, 5, 5), FIELD_BOOL, .since = GEN125, __VA_ARGS__},                \
    {                                                                                                        \
        side " Clear Address", (dw)*32 + 6, (dw)*32 + 47, FIELD_ADDRESS, .since = GEN125, __VA_ARGS__        \
    }
#define WHOLE_SURFACE(side, dw, of)                                                                          \
    {side " Surface Height", AT(dw, 0, 13), FIELD_UINT, ROLE(of##_SURFACE_HEIGHT), .since = GEN125},         \
        {side " Surface Width", AT(dw, 14, 27), FIELD_UINT, ROLE(of##_SURFACE_WIDTH), .since = GEN125},      \
        {side " Surface Type", AT(dw, 29, 31), FIELD_UINT, types, ROLE(of##_SURFACE_TYPE), .since = GEN125}, \
        {side " LOD", AT((dw) + 1, 0, 3), FIELD_UINT, ROLE(of##_LOD), .since = GEN125},                      \
        {side " Surface QPitch", AT((dw) + 1, 4, 18), FIELD_UINT, ROLE(of##_SURFACE_QPITCH),                 \
         .since = GEN125},                                                                                   \
        {side " Surface Depth", AT((dw) + 1, 21, 31), FIELD_UINT, .since = GEN125},                          \
        {side " Horizontal Align",    AT((dw) + 2, 0, 1), FIELD_UINT, aligns_x,                              \
         ROLE(of##_HORIZONTAL_ALIGN), .since = GEN125},                                                      \
        {side " Vertical Align",    AT((dw) + 2, 3, 4), FIELD_UINT, aligns_y,                                \
         ROLE(of##_VERTICAL_ALIGN), .since = GEN125},                                                        \
        {side " Mip Tail Start LOD", AT((dw) + 2, 8, 11), FIELD_UINT, ROLE(of##_MIP_TAIL_START_LOD),         \
         .since = GEN125},                                                                                   \
    {                                                                                                        \
        side " Array Index", AT((dw) + 2, 21, 31), FIELD_UINT, ROLE(of##_ARRAY_INDEX), .since = GEN125       \
    }
#define SPECIAL_MODE(modes, ...)                                                                             \
    {                                                                                                        \
        "Special Mode of Operation", 12, 13, FIELD_UINT, modes, ROLE(BLOCK_SPECIAL_MODE_OF_OPERATION),       \
            __VA_ARGS__                                                                                      \
    }
#define DEPTH_STENCIL(side, dw, ...)                                                                         \
    {                                                                                                        \
        side " Depth/Stencil Resource", AT(dw, 18, 18), FIELD_BOOL, .since = GEN125, __VA_ARGS__             \
    }
#define DESTINATION                                                                                          \
    {"Number of Multisamples", 9, 11, FIELD_UINT, .since = GEN125, .until = GEN125},                         \
        {"Number of Multisamples", 9, 11, FIELD_UINT, samples, .since = GEN200},                             \
        {"Color Depth", 19, 21, FIELD_UINT, depths, ROLE(BLOCK_COLOR_DEPTH)},                                \
        SURFACE("Destination", 1, BLOCK_DESTINATION), FIRST_PIXEL("Destination", 2, BLOCK_DESTINATION),      \
        {"Destination X2 Coordinate", AT(3, 0, 15), FIELD_INT, ROLE(BLOCK_DESTINATION_X2_COORDINATE)},       \
        {"Destination Y2 Coordinate", AT(3, 16, 31), FIELD_INT, ROLE(BLOCK_DESTINATION_Y2_COORDINATE)},      \
        ADDRESS("Destination", 4, BLOCK_DESTINATION)

static const struct field xy_block_copy_blt[] = {
    DESTINATION,
    SPECIAL_MODE(copy_modes, .since = GEN125),
    FIRST_PIXEL("Source", 7, BLOCK_SOURCE),
    SURFACE("Source", 8, BLOCK_SOURCE),
    ADDRESS("Source", 9, BLOCK_SOURCE),
    COMPRESSION("Source", 12, .until = 0),
    COMPRESSION("Destination", 14, .until = 0),
    WHOLE_SURFACE("Destination", 16, BLOCK_DESTINATION),
    WHOLE_SURFACE("Source", 19, BLOCK_SOURCE),
    DEPTH_STENCIL("Destination", 18, .until = GEN125),
    DEPTH_STENCIL("Source", 21, .until = GEN125),
};
static const struct field xy_fast_color_blt[] = {
    DESTINATION,
    SPECIAL_MODE(fill_modes, .since = GEN125, .until = GEN125),
    SPECIAL_MODE(gen200_fill_modes, .since = GEN200),
    {"Fill Color 0", AT(7, 0, 31), FIELD_HEX, ROLE(BLOCK_FILL_COLOR_0)},
    {"Fill Color 1", AT(8, 0, 31), FIELD_HEX, ROLE(BLOCK_FILL_COLOR_1)},
    {"Fill Color 2", AT(9, 0, 31), FIELD_HEX, ROLE(BLOCK_FILL_COLOR_2)},
    {"Fill Color 3", AT(10, 0, 31), FIELD_HEX, ROLE(BLOCK_FILL_COLOR_3)},
    COMPRESSION("Destination", 11, .until = GEN125),
    {"Destination Compression Format", AT(11, 0, 3), FIELD_UINT, values_unified_compression_format,
     .since = GEN200},
    {"Surface Format", AT(12, 0, 8), FIELD_UINT, surface_formats_of_9_bits, .since = GEN200},
    {"AUX_SPECIAL_OPERATIONS_MODE", AT(12, 29, 31), FIELD_UINT, aux_operations, .since = GEN200},
    WHOLE_SURFACE("Destination", 13, BLOCK_DESTINATION),
    DEPTH_STENCIL("Destination", 15, .until = 0),
};

/* Reports why the blit is not drawn; returns false. */
__attribute__((format(printf, 3, 4))) static bool refuse(const struct execution *x,
                                                         enum softgt_complaint kind, const char *why, ...)
{
    char text[96];
    va_list list;
    va_start(list, why);
    vsnprintf(text, sizeof text, why, list);
    va_end(list);
    report_error(x->engine->log, kind, x->engine->info->name, x->engine->parse.command_address,
                 "%s: %s, nothing is drawn", x->command->name, text);
    return false;
}

/* ---- Mips and slices: where in its surface a block's pixel 0, 0 is ---- */

struct pixel {
    int32_t x, y;
};

static struct pixel mip(const struct execution *x, enum role side, const struct surface *s, uint32_t bytes,
                        uint32_t lod)
{
    const uint32_t width = (uint32_t)command_field(x, side + BLOCK_SURFACE_WIDTH) + 1u,
                   height = (uint32_t)command_field(x, side + BLOCK_SURFACE_HEIGHT) + 1u;
    uint32_t across = 16u << command_field(x, side + BLOCK_HORIZONTAL_ALIGN),
             down = 2u << command_field(x, side + BLOCK_VERTICAL_ALIGN);
    if (s->tiling == SOFTGT_TILE_64) {
        across = 1u << s->tiles->width_shift;
        down = 1u << s->tiles->height_shift;
    }
    across = across < bytes ? 1u : across / bytes;
    const struct mip_position at = mip_position(width, height, lod, across, down);
    return (struct pixel){(int32_t)at.x, (int32_t)at.y};
}

/* A tile of a volume contains several slices; the slices of the next tiles lie QPitch further down. A page
 * and its compression state belong to several slices: a draw to one of them marks the page. */
static bool place_of(const struct execution *x, enum role side, struct surface *s, uint32_t bytes,
                     struct pixel *p)
{
    const uint32_t lod = (uint32_t)command_field(x, side + BLOCK_LOD),
                   tail_lod = (uint32_t)command_field(x, side + BLOCK_MIP_TAIL_START_LOD);
    const bool volume = s->tiles && s->tiles->z_bits,
               in_tail = s->tiling == SOFTGT_TILE_64 && lod && lod >= tail_lod;
    uint32_t index = (uint32_t)command_field(x, side + BLOCK_ARRAY_INDEX);
    const struct mip_tail_offset *const t =
        in_tail ? tile_mip_tail_offset(s->tiles, lod - tail_lod, bytes) : NULL;
    if (in_tail && !t)
        return refuse(x, SOFTGT_GUEST_ERROR, "no such mip %u", lod);
    *p = mip(x, side, s, bytes, in_tail ? tail_lod : lod);
    if (t) {
        p->x += t->x;
        p->y += t->y;
        index += t->z;
    }
    if (volume) {
        s->base += tile_deposit(index & ((1u << s->tiles->depth_shift) - 1u), s->tiles->z_bits);
        index >>= s->tiles->depth_shift;
    }
    p->x += (int32_t)command_field(x, side + BLOCK_X_OFFSET);
    p->y += (int32_t)command_field(x, side + BLOCK_Y_OFFSET) +
            (int32_t)(index * command_field(x, side + BLOCK_SURFACE_QPITCH) * 4u);
    return true;
}

/* ---- Drawing ---- */

/* The tilings by value of a tiling field. */
enum { NO_TILING = UINT8_MAX };
struct tilings {
    uint8_t of[4];
    bool wide_ones;      /* pixels of 96 bits may be tiled */
    bool flat_ccs;       /* local memory has compression state */
    bool pat_compresses; /* whether a surface is compressed is in its pages' attributes */
};

static bool side_of(const struct execution *x, enum role side, const struct tilings *t, uint32_t bytes,
                    struct surface *s, struct pixel *p)
{
    enum { IS_3D = 2 };
    const uint64_t number = command_field(x, side + BLOCK_TILING);
    const uint8_t tiling = t->of[number];
    if (tiling == NO_TILING)
        return refuse(x, SOFTGT_GUEST_ERROR, "no such tiling %u", (unsigned)number);
    if (tiling != SOFTGT_TILE_LINEAR && bytes == 12 && !t->wide_ones)
        return refuse(x, SOFTGT_GUEST_ERROR, "pixels of 96 bits in tiles");
    *s = blit_surface(x->engine, command_field(x, side + BLOCK_BASE_ADDRESS),
                      (int32_t)command_field(x, side + BLOCK_PITCH) + 1, (enum softgt_tiling)tiling, bytes);
    if (tiling == SOFTGT_TILE_64 && command_field(x, side + BLOCK_SURFACE_TYPE) == IS_3D)
        s->tiles = tile_volume_layout(bytes);
    return place_of(x, side, s, bytes, p);
}

/* The first page's attribute is the surface's: drivers bind a surface with one. (Linux, xe_pat) */
static bool pat_compresses(const struct execution *x, uint64_t address)
{
    enum { PAT_INDEX = 0x4800, PAT_INDEX_8 = 0x4848, COMPRESSES = 1u << 9 };
    const struct mmu *const u = &x->engine->mmu;
    struct walker walker = u->walker;
    struct translation t;
    if (!mmu_translate_by(u, &walker, SPACE_PPGTT, address, &t))
        return false;
    const uint32_t at = t.pat < 8 ? PAT_INDEX + t.pat * 4u : PAT_INDEX_8 + (t.pat - 8u) * 4u;
    return register_value(x->engine->mmio, at) & COMPRESSES;
}

/* Gen12 finds compression state through the engine's aux table. A surface without an entry is treated as not
 * compressed, which is reported once. */
static bool is_compressed(const struct execution *x, enum role side, const struct tilings *t,
                          struct surface *s)
{
    struct engine *e = x->engine;
    const uint64_t faults = e->mmu.faults;
    if (t->pat_compresses)
        return pat_compresses(x, s->base);
    if (!command_field(x, side + BLOCK_COMPRESSION_ENABLE) || t->flat_ccs)
        return command_field(x, side + BLOCK_COMPRESSION_ENABLE);
    s->aux_table = engine_aux_table(e);
    if (s->aux_table && ccs_exists(&e->mmu, s, s->base))
        return true;
    if (e->mmu.faults == faults && x->progress == 0)
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "%s: no auxiliary table leads to %#llx: taken as not compressed", x->command->name,
                     (unsigned long long)s->base);
    s->aux_table = 0;
    return false;
}

/* Drivers resolve a cleared surface before they blit it. If the page of the first pixel is still cleared,
 * that is reported. */
static void tell_cleared(const struct execution *x, const struct surface *s, int32_t x_bytes, int32_t y)
{
    struct engine *const e = x->engine;
    const uint64_t at = surface_address(s, x_bytes, y);
    if (x->progress == 0 && ccs_has_cleared_block(&e->mmu, s, at))
        report_error(e->log, SOFTGT_NOT_MODELLED, e->info->name, e->parse.command_address,
                     "%s: blocks at %#llx are fast cleared: taken as they lie in memory", x->command->name,
                     (unsigned long long)at);
}

/* Copies or, without a source, fills. */
static enum outcome block(struct execution *x, const struct tilings *t, bool copies)
{
    enum { WIDE = 7, FULL_RESOLVE = 1 };
    static const struct {
        uint8_t bytes, depth; /* as XY_FAST_COPY_BLT numbers it */
    } numbers[8] = {{1, 0}, {2, 1}, {4, 3}, {8, 4}, {12, WIDE}, {16, 5}};
    const uint32_t depth = header_field(x, BLOCK_COLOR_DEPTH);
    struct blit b = {.name = x->command->name,
                     .depth = numbers[depth].depth,
                     .bytes = numbers[depth].bytes,
                     .write_mask = UINT32_MAX};
    if (!b.bytes) {
        refuse(x, SOFTGT_GUEST_ERROR, "no such color depth %u", depth);
        return OUTCOME_DONE;
    }
    b.resolves = t->flat_ccs && copies && header_field(x, BLOCK_SPECIAL_MODE_OF_OPERATION) == FULL_RESOLVE;
    const uint64_t faults = x->engine->mmu.faults;
    struct pixel at;
    if (!side_of(x, BLOCK_DESTINATION_BASE_ADDRESS, t, b.bytes, &b.to, &at))
        return OUTCOME_DONE;
    b.to_compressed = is_compressed(x, BLOCK_DESTINATION_BASE_ADDRESS, t, &b.to);
    b.x1 = (int16_t)command_field(x, BLOCK_DESTINATION_X1_COORDINATE) + at.x;
    b.y1 = (int16_t)command_field(x, BLOCK_DESTINATION_Y1_COORDINATE) + at.y;
    b.x2 = (int16_t)command_field(x, BLOCK_DESTINATION_X2_COORDINATE) + at.x;
    b.y2 = (int16_t)command_field(x, BLOCK_DESTINATION_Y2_COORDINATE) + at.y;
    if (copies) {
        b.rop = ROP_SOURCE;
        b.source.operand = OPERAND_COLOR;
        if (!side_of(x, BLOCK_SOURCE_BASE_ADDRESS, t, b.bytes, &b.from, &at))
            return OUTCOME_DONE;
        b.from_compressed = is_compressed(x, BLOCK_SOURCE_BASE_ADDRESS, t, &b.from);
        b.from_x = (int16_t)command_field(x, BLOCK_SOURCE_X1_COORDINATE) + at.x;
        b.from_y = (int16_t)command_field(x, BLOCK_SOURCE_Y1_COORDINATE) + at.y;
    } else {
        b.rop = ROP_PATTERN;
        b.pattern.operand = OPERAND_SOLID;
        for (unsigned i = 0; i < 4; i++)
            b.pattern.colors[i] = (uint32_t)command_field(x, BLOCK_FILL_COLOR_0 + i);
    }
    if (b.from_compressed)
        tell_cleared(x, &b.from, b.from_x * b.bytes, b.from_y);
    if (b.to_compressed)
        tell_cleared(x, &b.to, b.x1 * b.bytes, b.y1);
    return x->engine->mmu.faults == faults ? blit_draw(x, &b) : OUTCOME_DONE;
}

static const struct tilings gen12 = {{SOFTGT_TILE_LINEAR, SOFTGT_TILE_Y, NO_TILING, NO_TILING},
                                     .wide_ones = true};
static const struct tilings gen125 = {{SOFTGT_TILE_LINEAR, SOFTGT_TILE_X, SOFTGT_TILE_4, SOFTGT_TILE_64},
                                      .flat_ccs = true},
                            gen200 = {{SOFTGT_TILE_LINEAR, SOFTGT_TILE_X, SOFTGT_TILE_4, SOFTGT_TILE_64},
                                      .pat_compresses = true};

static enum outcome copy_execute(struct execution *x)
{
    return block(x, &gen12, true);
}

static enum outcome fill_execute(struct execution *x)
{
    return block(x, &gen12, false);
}

static enum outcome gen125_copy_execute(struct execution *x)
{
    return block(x, &gen125, true);
}

static enum outcome gen125_fill_execute(struct execution *x)
{
    return block(x, &gen125, false);
}

static enum outcome gen200_copy_execute(struct execution *x)
{
    return block(x, &gen200, true);
}

static enum outcome gen200_fill_execute(struct execution *x)
{
    return block(x, &gen200, false);
}

/* ---- XY_CTRL_SURF_COPY_BLT ---- */

enum {
    CCS_COPY_SIZE_OF_CONTROL_SURFACE_COPY = 1,
    CCS_COPY_DESTINATION_ACCESS_TYPE,
    CCS_COPY_SOURCE_ACCESS_TYPE,
    CCS_COPY_SOURCE_ADDRESS,
    CCS_COPY_DESTINATION_ADDRESS
};
static const struct field_value accesses[] = {{"INDIRECT", 0}, {"DIRECT", 1}, {NULL, 0}};
static const struct field xy_ctrl_surf_copy_blt[] = {
    {"Size of Control Surface Copy", 8, 17, FIELD_UINT, ROLE(CCS_COPY_SIZE_OF_CONTROL_SURFACE_COPY)},
    {"Destination Access Type", 20, 20, FIELD_UINT, accesses, ROLE(CCS_COPY_DESTINATION_ACCESS_TYPE)},
    {"Source Access Type", 21, 21, FIELD_UINT, accesses, ROLE(CCS_COPY_SOURCE_ACCESS_TYPE)},
    {"Source Address", 32, 79, FIELD_ADDRESS, ROLE(CCS_COPY_SOURCE_ADDRESS)},
    {"Source MOCS", AT(2, 25, 31), FIELD_UINT},
    {"Destination Address", 96, 143, FIELD_ADDRESS, ROLE(CCS_COPY_DESTINATION_ADDRESS)},
    {"Destination MOCS", AT(4, 25, 31), FIELD_UINT},
};

/* The size is pages of 4 KB of the surface, less one. */
static const struct field gen200_xy_ctrl_surf_copy_blt[] = {
    {"Size of Control Surface Copy", 9, 18, FIELD_UINT, ROLE(CCS_COPY_SIZE_OF_CONTROL_SURFACE_COPY)},
    {"Destination Access Type", 20, 20, FIELD_UINT, accesses, ROLE(CCS_COPY_DESTINATION_ACCESS_TYPE)},
    {"Source Access Type", 21, 21, FIELD_UINT, accesses, ROLE(CCS_COPY_SOURCE_ACCESS_TYPE)},
    {"Source Address", 32, 79, FIELD_ADDRESS, ROLE(CCS_COPY_SOURCE_ADDRESS)},
    {"Source MOCS index", AT(2, 28, 31), FIELD_UINT},
    {"Destination Address", 96, 143, FIELD_ADDRESS, ROLE(CCS_COPY_DESTINATION_ADDRESS)},
    {"Destination MOCS index", AT(4, 28, 31), FIELD_UINT},
};

/* What one of the size's units is: bytes of the surface, and of its state. */
struct state_unit {
    uint32_t surface_bytes, state_bytes;
};
enum { MOST_STATE_BYTES = 256 };

/* A surface in local memory, which has its compression state. */
static const struct surface flat = {.space = SPACE_PPGTT};

/* The compression state of a unit: read directly, or through the surface's memory. False after a fault. */
static bool load_state(struct engine *e, const struct state_unit *u, bool direct, uint64_t address,
                       uint8_t *state)
{
    if (direct)
        return engine_load_into(e, SPACE_PPGTT, address, state, u->state_bytes);
    for (uint32_t page = 0; page < u->surface_bytes; page += PAGE_BYTES) {
        uint8_t of_page[CCS_PAGE_BYTES];
        if (!ccs_load(&e->mmu, &flat, address + page, of_page))
            return false;
        const uint32_t ratio = u->surface_bytes / u->state_bytes;
        memcpy(state + page / ratio, of_page, PAGE_BYTES / ratio);
    }
    return true;
}

static void store_state(struct engine *e, const struct state_unit *u, bool direct, uint64_t address,
                        const uint8_t *state)
{
    const uint64_t faults = e->mmu.faults;
    if (direct)
        engine_store(e, SPACE_PPGTT, address, state, u->state_bytes);
    for (uint32_t page = 0; !direct && page < u->surface_bytes && e->mmu.faults == faults; page += PAGE_BYTES)
        ccs_store(&e->mmu, &flat, address + page, state + page / (u->surface_bytes / u->state_bytes));
}

/* The size is less one. (Linux, intel_migrate and xe_migrate) */
static enum outcome copy_state(struct execution *x, const struct state_unit *u)
{
    enum { PART_BYTES = 1 << 20, NS_OF_64_KB = 1500 };
    struct engine *e = x->engine;
    const bool from_direct = command_flag(x, CCS_COPY_SOURCE_ACCESS_TYPE),
               to_direct = command_flag(x, CCS_COPY_DESTINATION_ACCESS_TYPE);
    const uint64_t from = command_field(x, CCS_COPY_SOURCE_ADDRESS),
                   to = command_field(x, CCS_COPY_DESTINATION_ADDRESS), faults = e->mmu.faults;
    const uint32_t units = header_field(x, CCS_COPY_SIZE_OF_CONTROL_SURFACE_COPY) + 1u,
                   part = PART_BYTES / u->surface_bytes;
    const uint32_t from_step = from_direct ? u->state_bytes : u->surface_bytes,
                   to_step = to_direct ? u->state_bytes : u->surface_bytes;
    uint32_t unit = (uint32_t)x->progress;
    const uint32_t end = unit + part < units ? unit + part : units;
    for (; unit < end && e->mmu.faults == faults; unit++) {
        uint8_t state[MOST_STATE_BYTES];
        if (load_state(e, u, from_direct, from + (uint64_t)unit * from_step, state))
            store_state(e, u, to_direct, to + (uint64_t)unit * to_step, state);
        e->log->cost.ns += NS_OF_64_KB * u->surface_bytes >> 16;
    }
    const bool again = unit < units && e->mmu.faults == faults;
    x->progress = again ? unit : 0;
    return again ? OUTCOME_RESUME : OUTCOME_DONE;
}

static enum outcome state_execute(struct execution *x)
{
    return copy_state(x, &(struct state_unit){64 << 10, 256});
}

static enum outcome gen200_state_execute(struct execution *x)
{
    return copy_state(x, &(struct state_unit){PAGE_BYTES, 8});
}

/* ---- MEM_COPY: bytes, or 256 at a time, in one run or in rows. (Linux's IGT, intel_blt.c, xe_exec_store.c)
 * ---- */

enum {
    MEM_COPY_TYPE = 1,
    MEM_COPY_MODE,
    MEM_COPY_WIDTH,
    MEM_COPY_HEIGHT,
    MEM_COPY_SOURCE_PITCH,
    MEM_COPY_DESTINATION_PITCH,
    MEM_COPY_SOURCE_ADDRESS,
    MEM_COPY_DESTINATION_ADDRESS
};
static const struct field_value copy_types[] = {{"LINEAR", 0}, {"MATRIX", 1}, {NULL, 0}};
static const struct field_value copy_units[] = {{"BYTE", 0}, {"PAGE", 1}, {NULL, 0}};
static const struct field mem_copy[] = {
    {"Copy Type", 17, 17, FIELD_UINT, copy_types, ROLE(MEM_COPY_TYPE)},
    {"Mode", 19, 19, FIELD_UINT, copy_units, ROLE(MEM_COPY_MODE)},
    {"Width", AT(1, 0, 17), FIELD_UINT, ROLE(MEM_COPY_WIDTH)},
    {"Height", AT(2, 0, 17), FIELD_UINT, ROLE(MEM_COPY_HEIGHT)},
    {"Source Pitch", AT(3, 0, 17), FIELD_UINT, ROLE(MEM_COPY_SOURCE_PITCH)},
    {"Destination Pitch", AT(4, 0, 17), FIELD_UINT, ROLE(MEM_COPY_DESTINATION_PITCH)},
    {"Source Address", 160, 207, FIELD_ADDRESS, ROLE(MEM_COPY_SOURCE_ADDRESS)},
    {"Destination Address", 224, 271, FIELD_ADDRESS, ROLE(MEM_COPY_DESTINATION_ADDRESS)},
    {"Destination MOCS", AT(9, 0, 6), FIELD_UINT, .until = GEN125},
    {"Source MOCS", AT(9, 25, 31), FIELD_UINT, .until = GEN125},
    {"Destination MOCS index", AT(9, 3, 6), FIELD_UINT, .since = GEN200},
    {"Source MOCS index", AT(9, 28, 31), FIELD_UINT, .since = GEN200},
};

/* Sizes and pitches are less one. */
static enum outcome mem_copy_execute(struct execution *x)
{
    enum { PAGE_UNIT = 256 };
    const bool rows = command_flag(x, MEM_COPY_TYPE);
    const int32_t unit = command_flag(x, MEM_COPY_MODE) ? PAGE_UNIT : 1;
    const struct blit b = {
        .name = x->command->name,
        .bytes = 1,
        .write_mask = UINT32_MAX,
        .rop = ROP_SOURCE,
        .source.operand = OPERAND_COLOR,
        .x2 = ((int32_t)command_field(x, MEM_COPY_WIDTH) + 1) * unit,
        .y2 = rows ? (int32_t)command_field(x, MEM_COPY_HEIGHT) + 1 : 1,
        .to = blit_surface(x->engine, command_field(x, MEM_COPY_DESTINATION_ADDRESS),
                           ((int32_t)command_field(x, MEM_COPY_DESTINATION_PITCH) + 1) * unit,
                           SOFTGT_TILE_LINEAR, 1),
        .from = blit_surface(x->engine, command_field(x, MEM_COPY_SOURCE_ADDRESS),
                             ((int32_t)command_field(x, MEM_COPY_SOURCE_PITCH) + 1) * unit,
                             SOFTGT_TILE_LINEAR, 1),
    };
    return blit_draw(x, &b);
}

/* ---- MEM_SET. Sizes and the pitch are less one. ---- */

enum {
    MEM_SET_FILL_TYPE = 1,
    MEM_SET_MODE,
    MEM_SET_FILL_WIDTH,
    MEM_SET_FILL_HEIGHT,
    MEM_SET_DESTINATION_PITCH,
    MEM_SET_DESTINATION_START_ADDRESS,
    MEM_SET_FILL_DATA
};
static const struct field_value fill_types[] = {{"LINEAR_FILL", 0},
                                                {"MATRIX_FILL", 1},
                                                {"FAST_CLEAR_LINEAR_FILL", 2},
                                                {"FAST_CLEAR_MATRIX_FILL", 3},
                                                {NULL, 0}};
static const struct field_value fill_or_evict[] = {{"FILL_MODE", 0}, {"EVICT_MODE", 1}, {NULL, 0}};
static const struct field mem_set[] = {
    {"Compression Format", 9, 12, FIELD_UINT, values_unified_compression_format},
    {"Fill Type", 17, 18, FIELD_UINT, fill_types, ROLE(MEM_SET_FILL_TYPE)},
    {"Mode", 19, 20, FIELD_UINT, fill_or_evict, ROLE(MEM_SET_MODE)},
    {"Fill Width", AT(1, 0, 23), FIELD_UINT, ROLE(MEM_SET_FILL_WIDTH)},
    {"Fill Height", AT(2, 0, 17), FIELD_UINT, ROLE(MEM_SET_FILL_HEIGHT)},
    {"Destination Pitch", AT(3, 0, 17), FIELD_UINT, ROLE(MEM_SET_DESTINATION_PITCH)},
    {"Destination Start Address", 128, 191, FIELD_ADDRESS, ROLE(MEM_SET_DESTINATION_START_ADDRESS)},
    {"Destination Encrypt En", AT(6, 0, 0), FIELD_BOOL},
    {"Destination MOCS index", AT(6, 3, 6), FIELD_UINT},
    {"Fill Data", AT(6, 24, 31), FIELD_HEX, ROLE(MEM_SET_FILL_DATA)},
};

/* A fast clear leaves the same bytes: nothing here is stored compressed. */
static enum outcome mem_set_execute(struct execution *x)
{
    enum { IS_MATRIX = 1 };
    const bool rows = header_field(x, MEM_SET_FILL_TYPE) & IS_MATRIX;
    struct blit b = {
        .name = x->command->name,
        .bytes = 1,
        .write_mask = UINT32_MAX,
        .rop = ROP_PATTERN,
        .pattern.operand = OPERAND_SOLID,
        .x2 = (int32_t)command_field(x, MEM_SET_FILL_WIDTH) + 1,
        .y2 = rows ? (int32_t)command_field(x, MEM_SET_FILL_HEIGHT) + 1 : 1,
        .to = blit_surface(x->engine, command_field(x, MEM_SET_DESTINATION_START_ADDRESS),
                           (int32_t)command_field(x, MEM_SET_DESTINATION_PITCH) + 1, SOFTGT_TILE_LINEAR, 1),
    };
    for (unsigned i = 0; i < 4; i++)
        b.pattern.colors[i] = (uint32_t)command_field(x, MEM_SET_FILL_DATA) * 0x01010101u;
    if (!header_field(x, MEM_SET_MODE))
        return blit_draw(x, &b);
    refuse(x, SOFTGT_NOT_MODELLED, "the mode to evict");
    return OUTCOME_DONE;
}

#define COMMON(opcode)                                                                                       \
    OPCODE_2D(opcode), .engines = COPY, .length_bits = 8, .length_bias = 2, .disabled_by = DISABLED_BLITS

static const struct command rows[] = {
    {.name = "XY_BLOCK_COPY_BLT",
     .summary = "Copies a rectangle between surfaces, compressed or not.",
     COMMON(0x41),
     .since = GEN12,
     .min_dwords = 12,
     FIELDS(xy_block_copy_blt),
     .execute = copy_execute,
     .spec = "CSP-07, TGL PRM vol 2a"},
    {.since = GEN125, .execute = gen125_copy_execute, .spec = "CSP-07, DG2 PRM vol 2a"},
    {.since = GEN200,
     .min_dwords = 22,
     .execute = gen200_copy_execute,
     .spec = "CSP-07; Mesa, genxml of gen200"},
    {.name = "XY_FAST_COLOR_BLT",
     .summary = "Fills a rectangle with a colour, in any tiling.",
     COMMON(0x44),
     .since = GEN12,
     .min_dwords = 11,
     FIELDS(xy_fast_color_blt),
     .execute = fill_execute,
     .spec = "CSP-07, TGL PRM vol 2a"},
    {.since = GEN125, .execute = gen125_fill_execute, .spec = "CSP-07, DG2 PRM vol 2a"},
    {.since = GEN200,
     .min_dwords = 16,
     .execute = gen200_fill_execute,
     .spec = "CSP-07; Mesa, genxml of gen200"},
    {.name = "XY_CTRL_SURF_COPY_BLT",
     .summary = "Copies compression control data.",
     COMMON(0x48),
     .since = GEN12,
     .until = GEN12,
     .min_dwords = 5,
     .flags = COMMAND_WORK,
     .spec = "CSP-07, TGL PRM vol 10"},
    {.name = "XY_CTRL_SURF_COPY_BLT",
     .summary = "Copies compression state, a surface's own or what is kept of it.",
     COMMON(0x48),
     .since = GEN125,
     .until = GEN125,
     .min_dwords = 5,
     FIELDS(xy_ctrl_surf_copy_blt),
     .execute = state_execute,
     .spec = "CSP-07, SYS-08, DG2 PRM vol 2a"},
    {.name = "XY_CTRL_SURF_COPY_BLT",
     .summary = "Copies compression state, a surface's own or what is kept of it.",
     COMMON(0x48),
     .since = GEN200,
     .min_dwords = 5,
     FIELDS(gen200_xy_ctrl_surf_copy_blt),
     .execute = gen200_state_execute,
     .spec = "CSP-07; Linux, xe_migrate"},
    {.name = "MEM_COPY",
     .summary = "Copies bytes in one run, or in rows.",
     COMMON(0x5a),
     .since = GEN125,
     .min_dwords = 10,
     FIELDS(mem_copy),
     .execute = mem_copy_execute,
     .spec = "CSP-07; Linux's IGT, intel_blt.c"},
    {.since = GEN200, .spec = "CSP-07; Linux, xe_migrate; Linux's IGT, intel_blt.c"},
    {.name = "MEM_SET",
     .summary = "Fills bytes with a value, in one run or in rows.",
     COMMON(0x5b),
     .since = GEN200,
     .min_dwords = 7,
     FIELDS(mem_set),
     .execute = mem_set_execute,
     .spec = "CSP-07; Linux, xe_migrate; NEO, hw_cmds_generated_xe2_hpg_core"},
};

const struct command_table blit_block_commands = COMMAND_TABLE(rows);
