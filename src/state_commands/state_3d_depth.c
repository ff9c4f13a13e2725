/* 3D state: depth and stencil: state is kept, work is counted. Field names and places as the public manuals
 * of each generation give them. (CSP-08) */
#include "pipeline3d/draw_work.h"
#include "engine/execution.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "state_commands/state_commands.h"
#include "structures/values.h"

static const struct field f_3dstate_clear_params[] = {
    {"Depth Clear Value Valid", 15, 15, FIELD_BOOL, .until = GEN6, ROLE(CLEAR_DEPTH_CLEAR_VALUE_VALID)},
    {"Depth Clear Value", 32, 63, FIELD_HEX, .until = GEN75, ROLE(CLEAR_DEPTH_CLEAR_VALUE)},
    {"Depth Clear Value", 32, 63, FIELD_FLOAT, .since = GEN8, ROLE(CLEAR_DEPTH_CLEAR_VALUE)},
    {"Depth Clear Value Valid", 64, 64, FIELD_BOOL, .since = GEN7, ROLE(CLEAR_DEPTH_CLEAR_VALUE_VALID)},
};
static const struct field f_3dstate_depth_bounds[] = {
    {"Length", 0, 7, FIELD_UINT},
    {"Depth Bounds Test Value Modify Disable", 14, 14, FIELD_BOOL},
    {"Depth Bounds Test Enable Modify Disable", 15, 15, FIELD_BOOL},
    {"Depth Bounds Test Enable", 32, 32, FIELD_UINT, ROLE(DEPTH_BOUNDS_TEST_ENABLE)},
    {"Depth Bounds Test Min Value", 64, 95, FIELD_FLOAT, ROLE(DEPTH_BOUNDS_TEST_MIN_VALUE)},
    {"Depth Bounds Test Max Value", 96, 127, FIELD_FLOAT, ROLE(DEPTH_BOUNDS_TEST_MAX_VALUE)},
};
static const struct field_value surface_format_2[] = {
    {"D32_FLOAT", 1}, {"D24_UNORM_X8_UINT", 3}, {"D16_UNORM", 5}, {NULL, 0}};
static const struct field_value software_tiled_rendering_mode[] = {
    {"NORMAL", 0}, {"STR1", 1}, {"STR2", 3}, {NULL, 0}};
static const struct field_value tile_walk[] = {{"TILEWALK_YMAJOR", 1}, {NULL, 0}};
static const struct field_value surface_type[] = {{"SURFTYPE_1D", 0},   {"SURFTYPE_2D", 1},
                                                  {"SURFTYPE_3D", 2},   {"SURFTYPE_CUBE", 3},
                                                  {"SURFTYPE_NULL", 7}, {NULL, 0}};
static const struct field_value surface_type_2[] = {
    {"SURFTYPE_2D", 1}, {"SURFTYPE_CUBE", 3}, {"SURFTYPE_NULL", 7}, {NULL, 0}};
static const struct field_value depth[] = {{"SURFTYPE_CUBE (must be zero)", 0}, {NULL, 0}};
static const struct field_value tiled_resource_mode[] = {
    {"NONE", 0}, {"TILEYF", 1}, {"TILEYS", 2}, {NULL, 0}};
static const struct field f_3dstate_depth_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, .until = GEN6, ROLE(BUFFER_SURFACE_PITCH)},
    {"Surface Pitch", 32, 49, FIELD_HEX, .since = GEN7, ROLE(BUFFER_SURFACE_PITCH)},
    {"Surface Format", 50, 52, FIELD_UINT, values_surface_format, .until = GEN6, ROLE(BUFFER_SURFACE_FORMAT)},
    {"Surface Format", 50, 52, FIELD_UINT, surface_format_2, .since = GEN7, .until = GEN11,
     ROLE(BUFFER_SURFACE_FORMAT)},
    {"Control Surface Enable", 51, 51, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"Separate Stencil Buffer Enable", 53, 53, FIELD_BOOL, .until = GEN6,
     ROLE(BUFFER_SEPARATE_STENCIL_BUFFER_ENABLE)},
    {"Depth Buffer Compression Enable", 53, 53, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"Hierarchical Depth Buffer Enable", 54, 54, FIELD_BOOL, ROLE(BUFFER_HIERARCHICAL_DEPTH_BUFFER_ENABLE)},
    {"Software Tiled Rendering Mode", 55, 56, FIELD_UINT, software_tiled_rendering_mode, .until = GEN6},
    {"Corner Texel Mode", 55, 55, FIELD_BOOL, .since = GEN12},
    {"Surface Format", 56, 58, FIELD_UINT, surface_format_2, .since = GEN12, ROLE(BUFFER_SURFACE_FORMAT)},
    {"Tile Walk", 58, 58, FIELD_UINT, tile_walk, .until = GEN6},
    {"Tiled Surface", 59, 59, FIELD_BOOL, .until = GEN6, ROLE(BUFFER_TILED_SURFACE)},
    {"Stencil Write Enable", 59, 59, FIELD_BOOL, .since = GEN7, .until = GEN11,
     ROLE(BUFFER_STENCIL_WRITE_ENABLE)},
    {"Null Page Coherency Enable", 59, 59, FIELD_BOOL, .since = GEN12},
    {"Depth Write Enable", 60, 60, FIELD_BOOL, .since = GEN7, ROLE(BUFFER_DEPTH_WRITE_ENABLE)},
    {"Surface Type", 61, 63, FIELD_UINT, surface_type, .until = GEN8, ROLE(BUFFER_SURFACE_TYPE)},
    {"Surface Type", 61, 63, FIELD_UINT, surface_type_2, .since = GEN9, ROLE(BUFFER_SURFACE_TYPE)},
    {"Surface Base Address", 64, 95, FIELD_ADDRESS, .until = GEN75, ROLE(BUFFER_SURFACE_BASE_ADDRESS)},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, .since = GEN8, ROLE(BUFFER_SURFACE_BASE_ADDRESS)},
    {"LOD", 96, 99, FIELD_UINT, .since = GEN7, .until = GEN75, ROLE(BUFFER_LOD)},
    {"LOD", 128, 131, FIELD_UINT, .since = GEN8, .until = GEN11, ROLE(BUFFER_LOD)},
    {"MIP Map Layout Mode", 97, 97, FIELD_UINT, values_mip_map_layout_mode, .until = GEN6},
    {"LOD", 98, 101, FIELD_UINT, .until = GEN6, ROLE(BUFFER_LOD)},
    {"Width", 100, 113, FIELD_UINT, .since = GEN7, .until = GEN75, ROLE(BUFFER_WIDTH)},
    {"Width", 102, 114, FIELD_UINT, .until = GEN6, ROLE(BUFFER_WIDTH)},
    {"Width", 132, 145, FIELD_UINT, .since = GEN8, .until = GEN11, ROLE(BUFFER_WIDTH)},
    {"Width", 129, 142, FIELD_UINT, .since = GEN12, ROLE(BUFFER_WIDTH)},
    {"Height", 114, 127, FIELD_UINT, .since = GEN7, .until = GEN75, ROLE(BUFFER_HEIGHT)},
    {"Height", 115, 127, FIELD_UINT, .until = GEN6, ROLE(BUFFER_HEIGHT)},
    {"Height", 146, 159, FIELD_UINT, .since = GEN8, .until = GEN11, ROLE(BUFFER_HEIGHT)},
    {"Height", 145, 158, FIELD_UINT, .since = GEN12, ROLE(BUFFER_HEIGHT)},
    {"MOCS", 128, 131, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"MOCS", 160, 166, FIELD_UINT, .since = GEN8},
    {"Render Target View Extent", 129, 137, FIELD_UINT, .until = GEN6,
     ROLE(BUFFER_RENDER_TARGET_VIEW_EXTENT)},
    {"Minimum Array Element", 138, 148, FIELD_UINT, .until = GEN75, ROLE(BUFFER_MINIMUM_ARRAY_ELEMENT)},
    {"Minimum Array Element", 170, 180, FIELD_UINT, .since = GEN8, .until = GEN11,
     ROLE(BUFFER_MINIMUM_ARRAY_ELEMENT)},
    {"Minimum Array Element", 168, 178, FIELD_UINT, .since = GEN12, ROLE(BUFFER_MINIMUM_ARRAY_ELEMENT)},
    {"Depth", 149, 159, FIELD_UINT, .until = GEN6},
    {"Depth", 149, 159, FIELD_UINT, depth, .since = GEN7, .until = GEN75},
    {"Depth", 181, 191, FIELD_UINT, .since = GEN8, .until = GEN11},
    {"Depth", 180, 190, FIELD_UINT, .since = GEN12},
    {"Depth Coordinate Offset X", 160, 175, FIELD_INT, .until = GEN75,
     ROLE(BUFFER_DEPTH_COORDINATE_OFFSET_X)},
    {"Depth Coordinate Offset Y", 176, 191, FIELD_INT, .until = GEN75,
     ROLE(BUFFER_DEPTH_COORDINATE_OFFSET_Y)},
    {"Render Compression Format", 192, 196, FIELD_UINT, .since = GEN125, .until = GEN125},
    {"Render Compression Format", 192, 195, FIELD_UINT, values_unified_compression_format, .since = GEN200},
    {"Compression Mode", 197, 197, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Render Target View Extent", 213, 223, FIELD_UINT, .since = GEN7, .until = GEN75,
     ROLE(BUFFER_RENDER_TARGET_VIEW_EXTENT)},
    {"Mip Tail Start LOD", 218, 221, FIELD_UINT, .since = GEN9},
    {"MOCS", 219, 223, FIELD_UINT, .until = GEN6},
    {"Tiled Resource Mode", 222, 223, FIELD_UINT, tiled_resource_mode, .since = GEN9, .until = GEN12,
     ROLE(BUFFER_TILED_RESOURCE_MODE)},
    {"Tiled Mode", 222, 223, FIELD_UINT, values_tiled_mode, .since = GEN125, ROLE(BUFFER_TILED_MODE)},
    {"Surface QPitch", 224, 238, FIELD_UINT, .since = GEN8, ROLE(BUFFER_SURFACE_QPITCH)},
    {"LOD", 240, 243, FIELD_UINT, .since = GEN12, ROLE(BUFFER_LOD)},
    {"Render Target View Extent", 245, 255, FIELD_UINT, .since = GEN8,
     ROLE(BUFFER_RENDER_TARGET_VIEW_EXTENT)},
};
static const struct field f_3dstate_depth_stencil_state_pointers[] = {
    {"mbo", 32, 32, FIELD_UINT},
    {"Pointer to DEPTH_STENCIL_STATE", 38, 63, FIELD_OFFSET, .base = BASE_DYNAMIC,
     .target = DEPTH_STENCIL_STATE, ROLE(DEPTH_POINTER_TO_DEPTH_STENCIL_STATE)},
};
static const struct field f_3dstate_hier_depth_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, ROLE(HIER_SURFACE_PITCH)},
    {"Hierarchical Depth Buffer Write Thru Enable", 52, 52, FIELD_BOOL, .since = GEN12},
    {"Tiled Resource Mode", 54, 55, FIELD_UINT, tiled_resource_mode, .since = GEN12, .until = GEN12},
    {"Tiled Resource Mode", 55, 56, FIELD_UINT, tiled_resource_mode, .since = GEN11, .until = GEN11},
    {"Tiled Mode", 54, 55, FIELD_UINT, values_tiled_mode, .since = GEN125},
    {"MOCS", 57, 60, FIELD_UINT, .until = GEN75},
    {"MOCS", 57, 63, FIELD_UINT, .since = GEN8},
    {"Surface Base Address", 64, 95, FIELD_ADDRESS, .until = GEN75, ROLE(HIER_SURFACE_BASE_ADDRESS)},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, .since = GEN8, ROLE(HIER_SURFACE_BASE_ADDRESS)},
    {"Surface QPitch", 128, 142, FIELD_UINT, .since = GEN8, ROLE(HIER_SURFACE_QPITCH)},
};
static const struct field f_3dstate_stencil_buffer[] = {
    {"Surface Pitch", 32, 48, FIELD_HEX, ROLE(BUFFER_SURFACE_PITCH)},
    {"MOCS", 54, 60, FIELD_UINT, .since = GEN8, .until = GEN11},
    {"MOCS", 57, 60, FIELD_UINT, .until = GEN75},
    {"Corner Texel Mode", 55, 55, FIELD_BOOL, .since = GEN12},
    {"Control Surface Enable", 56, 56, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"Stencil Compression Enable", 57, 57, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"Null Page Coherency Enable", 59, 59, FIELD_BOOL, .since = GEN12},
    {"Stencil Write Enable", 60, 60, FIELD_BOOL, .since = GEN12, ROLE(BUFFER_DEPTH_WRITE_ENABLE)},
    {"Surface Type", 61, 63, FIELD_UINT, surface_type_2, .since = GEN12, ROLE(BUFFER_SURFACE_TYPE)},
    {"Stencil Buffer Enable", 63, 63, FIELD_BOOL, .since = GEN75, .until = GEN11,
     ROLE(BUFFER_STENCIL_BUFFER_ENABLE)},
    {"Surface Base Address", 64, 95, FIELD_ADDRESS, .until = GEN75, ROLE(BUFFER_SURFACE_BASE_ADDRESS)},
    {"Surface Base Address", 64, 127, FIELD_ADDRESS, .since = GEN8, ROLE(BUFFER_SURFACE_BASE_ADDRESS)},
    {"Surface QPitch", 128, 142, FIELD_UINT, .since = GEN8, .until = GEN11, ROLE(BUFFER_SURFACE_QPITCH)},
    {"Width", 129, 142, FIELD_UINT, .since = GEN12, ROLE(BUFFER_WIDTH)},
    {"Height", 145, 158, FIELD_UINT, .since = GEN12, ROLE(BUFFER_HEIGHT)},
    {"MOCS", 160, 166, FIELD_UINT, .since = GEN12},
    {"Minimum Array Element", 168, 178, FIELD_UINT, .since = GEN12, ROLE(BUFFER_MINIMUM_ARRAY_ELEMENT)},
    {"Depth", 180, 190, FIELD_UINT, .since = GEN12},
    {"Render Compression Format", 192, 196, FIELD_UINT, .since = GEN125, .until = GEN125},
    {"Compression Format", 192, 195, FIELD_UINT, values_unified_compression_format, .since = GEN200},
    {"Compression Mode", 197, 197, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Mip Tail Start LOD", 218, 221, FIELD_UINT, .since = GEN12},
    {"Tiled Mode", 222, 223, FIELD_UINT, tiled_resource_mode, .since = GEN12, .until = GEN12,
     ROLE(BUFFER_TILED_RESOURCE_MODE)},
    {"Tiled Mode", 222, 223, FIELD_UINT, values_tiled_mode, .since = GEN125, ROLE(BUFFER_TILED_MODE)},
    {"Surface QPitch", 224, 238, FIELD_UINT, .since = GEN12, ROLE(BUFFER_SURFACE_QPITCH)},
    {"Surf LOD", 240, 243, FIELD_UINT, .since = GEN12, ROLE(BUFFER_LOD)},
    {"Render Target View Extent", 245, 255, FIELD_UINT, .since = GEN12,
     ROLE(BUFFER_RENDER_TARGET_VIEW_EXTENT)},
};
static const struct field f_3dstate_wm_depth_stencil[] = {
    {"Stencil Reference Value Modify Disable", 8, 8, FIELD_BOOL, .since = GEN12,
     ROLE(STENCIL_REFERENCE_VALUE_MODIFY_DISABLE)},
    {"Stencil Test Mask Modify Disable", 9, 9, FIELD_BOOL, .since = GEN12,
     ROLE(STENCIL_TEST_MASK_MODIFY_DISABLE)},
    {"Stencil Write Mask Modify Disable", 10, 10, FIELD_BOOL, .since = GEN12,
     ROLE(STENCIL_WRITE_MASK_MODIFY_DISABLE)},
    {"Stencil State Modify Disable", 11, 11, FIELD_BOOL, .since = GEN12, ROLE(STENCIL_STATE_MODIFY_DISABLE)},
    {"Depth State Modify Disable", 12, 12, FIELD_BOOL, .since = GEN12, ROLE(DEPTH_STATE_MODIFY_DISABLE)},
    {"Depth Buffer Write Enable", 32, 32, FIELD_BOOL, ROLE(DEPTH_BUFFER_WRITE_ENABLE)},
    {"Depth Test Enable", 33, 33, FIELD_BOOL, ROLE(DEPTH_TEST_ENABLE)},
    {"Stencil Buffer Write Enable", 34, 34, FIELD_BOOL, ROLE(STENCIL_BUFFER_WRITE_ENABLE)},
    {"Stencil Test Enable", 35, 35, FIELD_BOOL, ROLE(STENCIL_TEST_ENABLE)},
    {"Double Sided Stencil Enable", 36, 36, FIELD_BOOL, ROLE(STENCIL_DOUBLE_SIDED_STENCIL_ENABLE)},
    {"Depth Test Function", 37, 39, FIELD_UINT, values_shadow_function, ROLE(DEPTH_TEST_FUNCTION)},
    {"Stencil Test Function", 40, 42, FIELD_UINT, values_shadow_function, ROLE(STENCIL_TEST_FUNCTION)},
    {"Backface Stencil Pass Depth Pass Op", 43, 45, FIELD_UINT, values_backface_stencil_pass_depth_pass_op,
     ROLE(STENCIL_BACKFACE_STENCIL_PASS_DEPTH_PASS_OP)},
    {"Backface Stencil Pass Depth Fail Op", 46, 48, FIELD_UINT, values_backface_stencil_pass_depth_pass_op,
     ROLE(STENCIL_BACKFACE_STENCIL_PASS_DEPTH_FAIL_OP)},
    {"Backface Stencil Fail Op", 49, 51, FIELD_UINT, values_backface_stencil_pass_depth_pass_op,
     ROLE(STENCIL_BACKFACE_STENCIL_FAIL_OP)},
    {"Backface Stencil Test Function", 52, 54, FIELD_UINT, values_shadow_function,
     ROLE(STENCIL_BACKFACE_STENCIL_TEST_FUNCTION)},
    {"Stencil Pass Depth Pass Op", 55, 57, FIELD_UINT, values_backface_stencil_pass_depth_pass_op,
     ROLE(STENCIL_PASS_DEPTH_PASS_OP)},
    {"Stencil Pass Depth Fail Op", 58, 60, FIELD_UINT, values_backface_stencil_pass_depth_pass_op,
     ROLE(STENCIL_PASS_DEPTH_FAIL_OP)},
    {"Stencil Fail Op", 61, 63, FIELD_UINT, values_backface_stencil_pass_depth_pass_op,
     ROLE(STENCIL_FAIL_OP)},
    {"Backface Stencil Write Mask", 64, 71, FIELD_UINT, ROLE(STENCIL_BACKFACE_STENCIL_WRITE_MASK)},
    {"Backface Stencil Test Mask", 72, 79, FIELD_UINT, ROLE(STENCIL_BACKFACE_STENCIL_TEST_MASK)},
    {"Stencil Write Mask", 80, 87, FIELD_UINT, ROLE(STENCIL_WRITE_MASK)},
    {"Stencil Test Mask", 88, 95, FIELD_UINT, ROLE(STENCIL_TEST_MASK)},
    {"Backface Stencil Reference Value", 96, 103, FIELD_UINT, .since = GEN9,
     ROLE(STENCIL_BACKFACE_STENCIL_REFERENCE_VALUE)},
    {"Stencil Reference Value", 104, 111, FIELD_UINT, .since = GEN9, ROLE(STENCIL_REFERENCE_VALUE)},
};
static const struct field_value number_of_multisamples[] = {{"1", 0}, {"2", 1},  {"4", 2},
                                                            {"8", 3}, {"16", 4}, {NULL, 0}};
static const struct field f_3dstate_wm_hz_op[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, .since = GEN200},
    {"Depth Buffer Partial Resolve Enable", 41, 41, FIELD_BOOL, .since = GEN200},
    {"Number of Multisamples", 45, 47, FIELD_UINT, ROLE(HZ_NUMBER_OF_MULTISAMPLES), .until = GEN125},
    {"Number of Multisamples", 45, 47, FIELD_UINT, number_of_multisamples, ROLE(HZ_NUMBER_OF_MULTISAMPLES),
     .since = GEN200},
    {"Stencil Clear Value", 48, 55, FIELD_UINT, ROLE(HZ_STENCIL_CLEAR_VALUE)},
    {"Stencil Buffer Resolve Enable", 56, 56, FIELD_BOOL, .since = GEN12},
    {"Full Surface Depth and Stencil Clear", 57, 57, FIELD_BOOL,
     ROLE(HZ_FULL_SURFACE_DEPTH_AND_STENCIL_CLEAR)},
    {"Pixel Position Offset Enable", 58, 58, FIELD_BOOL},
    {"Hierarchical Depth Buffer Resolve Enable", 59, 59, FIELD_BOOL,
     ROLE(HZ_HIERARCHICAL_DEPTH_BUFFER_RESOLVE_ENABLE)},
    {"Depth Buffer Resolve Enable", 60, 60, FIELD_BOOL, ROLE(HZ_DEPTH_BUFFER_RESOLVE_ENABLE)},
    {"Scissor Rectangle Enable", 61, 61, FIELD_BOOL, ROLE(HZ_SCISSOR_RECTANGLE_ENABLE)},
    {"Depth Buffer Clear Enable", 62, 62, FIELD_BOOL, ROLE(HZ_DEPTH_BUFFER_CLEAR_ENABLE)},
    {"Stencil Buffer Clear Enable", 63, 63, FIELD_BOOL, ROLE(HZ_STENCIL_BUFFER_CLEAR_ENABLE)},
    {"Clear Rectangle X Min", 64, 79, FIELD_UINT, ROLE(HZ_CLEAR_RECTANGLE_X_MIN)},
    {"Clear Rectangle Y Min", 80, 95, FIELD_UINT, ROLE(HZ_CLEAR_RECTANGLE_Y_MIN)},
    {"Clear Rectangle X Max", 96, 111, FIELD_UINT, ROLE(HZ_CLEAR_RECTANGLE_X_MAX)},
    {"Clear Rectangle Y Max", 112, 127, FIELD_UINT, ROLE(HZ_CLEAR_RECTANGLE_Y_MAX)},
    {"Sample Mask", 128, 143, FIELD_UINT},
    {"Depth Clear Value", 160, 191, FIELD_FLOAT, ROLE(HZ_DEPTH_CLEAR_VALUE), .since = GEN200},
};

/* Whether the command does something to buffers: a context restore only repeats the state. */
static bool acts(const struct engine *e)
{
    return !e->parse.restoring && dispatcher_of(e) && dispatcher_of(e)->draws->enabled;
}

/* The end of the rows from `y` on that a slice clears: one at least, and of rows of whole tiles if it clears
 * these. `width`: of all buffers. */
static uint32_t slice_end(uint32_t y, uint32_t end, uint32_t width)
{
    enum { PIXELS = 1 << 16, TILE_ROWS = 64 };
    const uint32_t rows = PIXELS / width + 1u, tiles_end = (y + rows) & -(uint32_t)TILE_ROWS;
    return end - y < rows ? end : tiles_end > y ? tiles_end : y + rows;
}

static void clear_cost(struct engine *e, uint32_t rows, uint32_t width)
{
    enum { PIXEL_NS = 1 };
    e->log->cost.ns += rows * (uint64_t)width * PIXEL_NS;
}

/* Clears rows of both buffers from `y` on; returns the end of the slice. */
static uint32_t clear_rows(struct execution *x, const struct depth_stencil *s, unsigned samples_log2,
                           uint32_t y, uint32_t end)
{
    struct engine *const e = x->engine;
    const bool all = command_field(x, HZ_FULL_SURFACE_DEPTH_AND_STENCIL_CLEAR);
    const uint32_t width = s->depth.width + s->stencil.width, last = slice_end(y, end, width),
                   left = (uint32_t)command_field(x, HZ_CLEAR_RECTANGLE_X_MIN),
                   right = (uint32_t)command_field(x, HZ_CLEAR_RECTANGLE_X_MAX),
                   rectangle[4] = {all ? 0 : samples_across(samples_log2, left), y,
                                   all ? UINT32_MAX : samples_across(samples_log2, right), last};
    memory_client_begin(&e->memory);
    if (command_field(x, HZ_DEPTH_BUFFER_CLEAR_ENABLE))
        depth_fill(&e->memory, &s->depth, depth_bytes(s->depth_format),
                   depth_from_float(s->depth_format, depth_clear_value(e)), rectangle);
    if (command_field(x, HZ_STENCIL_BUFFER_CLEAR_ENABLE))
        depth_fill(&e->memory, &s->stencil, 1, (uint32_t)command_field(x, HZ_STENCIL_CLEAR_VALUE), rectangle);
    clear_cost(e, last - y, width);
    return last;
}

/* The clear of a whole level is noted in the HiZ. */
static void note_clear(struct execution *x, const struct depth_stencil *s, unsigned samples_log2)
{
    struct engine *const e = x->engine;
    const struct hiz_clear clear = {depth_clear_value(e), samples_log2};
    const uint32_t right = samples_across(samples_log2, (uint32_t)command_field(x, HZ_CLEAR_RECTANGLE_X_MAX)),
                   down = samples_down(samples_log2, (uint32_t)command_field(x, HZ_CLEAR_RECTANGLE_Y_MAX));
    const bool whole =
        command_field(x, HZ_FULL_SURFACE_DEPTH_AND_STENCIL_CLEAR) ||
        (!command_field(x, HZ_CLEAR_RECTANGLE_X_MIN) && !command_field(x, HZ_CLEAR_RECTANGLE_Y_MIN) &&
         right >= s->depth.width && down >= s->depth.height);
    if (whole && s->depth.present)
        hiz_note_cleared(e, s, s->depth.first_element, &clear);
}

/* A clear value other than that of the last clear: cleared levels of the depth buffer have it from now on. */
static enum outcome clear_params(struct execution *x)
{
    enum { ELEMENT_SHIFT = 32 };
    struct engine *const e = x->engine;
    struct depth_stencil s;
    struct hiz_clear clear;
    pipeline_store_command(&e->pipeline, command_find(e->commands.set, e->info->class, x->header), x->header,
                           x->dw, x->length_dw);
    if (!command_field(x, CLEAR_DEPTH_CLEAR_VALUE_VALID) || !acts(e) ||
        depth_stencil_state_init(&s, e, 0, true) || !s.depth.present)
        return OUTCOME_DONE;
    const float value = depth_clear_value(e);
    const uint32_t bits = depth_from_float(s.depth_format, value), elements = s.depth.elements;
    uint32_t element = (uint32_t)(x->progress >> ELEMENT_SHIFT), y = (uint32_t)x->progress;
    for (; element < elements; element++, y = 0) {
        if (!hiz_is_cleared(e, s.depth.first_element + element, &clear) ||
            depth_from_float(s.depth_format, clear.value) == bits)
            continue;
        struct depth_surface of = s.depth;
        of.width = samples_across(clear.samples_log2, of.width);
        of.height = samples_down(clear.samples_log2, of.height);
        of.first_element += element;
        const uint32_t end = y < of.height ? slice_end(y, of.height, of.width) : of.height;
        if (y < of.height) {
            memory_client_begin(&e->memory);
            depth_fill(&e->memory, &of, depth_bytes(s.depth_format), bits,
                       (const uint32_t[4]){0, y, UINT32_MAX, end});
            clear_cost(e, end - y, of.width);
        }
        if (engine_faulted(e))
            break;
        if (y < of.height && end < of.height) {
            x->progress = (uint64_t)element << ELEMENT_SHIFT | end;
            return OUTCOME_RESUME;
        }
        clear.value = value;
        hiz_note_cleared(e, &s, s.depth.first_element + element, &clear);
        if (element + 1u < elements) { /* a slice has one */
            x->progress = (uint64_t)(element + 1u) << ELEMENT_SHIFT;
            return OUTCOME_RESUME;
        }
    }
    x->progress = 0;
    return engine_faulted(e) ? OUTCOME_FAULT : OUTCOME_DONE;
}

/* Clears write their values to memory at once, so a resolve has nothing to do. A context restore executes the
 * command without repeating the clear. (SKL PRM vol 2a) */
static enum outcome hz_op(struct execution *x)
{
    struct engine *const e = x->engine;
    struct depth_stencil s;
    const bool clears = command_field(x, HZ_DEPTH_BUFFER_CLEAR_ENABLE) ||
                        command_field(x, HZ_STENCIL_BUFFER_CLEAR_ENABLE),
               resolves = command_field(x, HZ_DEPTH_BUFFER_RESOLVE_ENABLE) ||
                          command_field(x, HZ_HIERARCHICAL_DEPTH_BUFFER_RESOLVE_ENABLE);
    pipeline_store_command(&e->pipeline, command_find(e->commands.set, e->info->class, x->header), x->header,
                           x->dw, x->length_dw);
    if (!acts(e))
        return OUTCOME_DONE;
    if (resolves && !depth_stencil_state_init(&s, e, 0, true) && s.depth.present)
        hiz_note_used(e, &s, s.depth.first_element, 1);
    if (!clears)
        return OUTCOME_DONE;
    const uint64_t number = command_field(x, HZ_NUMBER_OF_MULTISAMPLES);
    const unsigned samples_log2 = number < SAMPLES_LOG2 ? (unsigned)number : SAMPLES_LOG2;
    const char *const lack = command_field(x, HZ_SCISSOR_RECTANGLE_ENABLE)
                                 ? "a scissor"
                                 : depth_stencil_state_init(&s, e, samples_log2, true);
    if (lack) {
        report_error(e->log, SOFTGT_NOT_MODELLED, e->info->name, e->parse.command_address,
                     "3DSTATE_WM_HZ_OP with %s: nothing is cleared", lack);
        return OUTCOME_DONE;
    }
    const uint32_t height = s.depth.height > s.stencil.height ? s.depth.height : s.stencil.height,
                   first =
                       command_field(x, HZ_FULL_SURFACE_DEPTH_AND_STENCIL_CLEAR)
                           ? 0
                           : samples_down(samples_log2, (uint32_t)command_field(x, HZ_CLEAR_RECTANGLE_Y_MIN)),
                   named =
                       command_field(x, HZ_FULL_SURFACE_DEPTH_AND_STENCIL_CLEAR)
                           ? height
                           : samples_down(samples_log2, (uint32_t)command_field(x, HZ_CLEAR_RECTANGLE_Y_MAX)),
                   end = named < height ? named : height;
    const uint64_t y = x->progress > first ? x->progress : first;
    x->progress = y < end ? clear_rows(x, &s, samples_log2, (uint32_t)y, end) : end;
    if (engine_faulted(e) || x->progress >= end)
        x->progress = 0;
    if (engine_faulted(e))
        return OUTCOME_FAULT;
    if (!x->progress && command_field(x, HZ_DEPTH_BUFFER_CLEAR_ENABLE))
        note_clear(x, &s, samples_log2);
    return x->progress ? OUTCOME_RESUME : OUTCOME_DONE;
}

/* Modify Disable bits keep parts of the state. The stored command has these bits clear, so it is whole. (TGL
 * PRM vol 2a, 3DSTATE_WM_DEPTH_STENCIL) */
static enum outcome depth_stencil(struct execution *x)
{
    enum { HEADER_FLAGS = 0x1f00, LENGTH_DW = 4 };
    static const struct {
        uint8_t role;
        uint32_t part[LENGTH_DW];
    } parts[] = {
        {STENCIL_REFERENCE_VALUE_MODIFY_DISABLE, {0, 0, 0, 0x0000ffff}},
        {STENCIL_TEST_MASK_MODIFY_DISABLE, {0, 0, 0xff00ff00, 0}},
        {STENCIL_WRITE_MASK_MODIFY_DISABLE, {0, 0, 0x00ff00ff, 0}},
        {STENCIL_STATE_MODIFY_DISABLE, {0, 0xffffff1c, 0, 0}},
        {DEPTH_STATE_MODIFY_DISABLE, {0, 0x000000e3, 0, 0}},
    };
    struct engine *const e = x->engine;
    const uint16_t number = command_find(e->commands.set, e->info->class, x->header);
    const struct command *row;
    uint32_t kept_dw, mask[LENGTH_DW] = {0}, dw[LENGTH_DW] = {0};
    const uint32_t *const kept = pipeline_command(&e->pipeline, STATE_WM_DEPTH_STENCIL, &row, &kept_dw),
                          length_dw = x->length_dw < LENGTH_DW ? x->length_dw : LENGTH_DW;
    bool keeps = false;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (unsigned n = 0; command_field(x, parts[i].role) && n < LENGTH_DW; n++) {
            mask[n] |= parts[i].part[n];
            keeps = true;
        }
    for (uint32_t n = 1; n < length_dw; n++)
        dw[n] = (x->dw[n] & ~mask[n]) | (kept && n < kept_dw ? kept[n] & mask[n] : 0);
    pipeline_store_command(&e->pipeline, number, keeps ? x->header & ~(uint32_t)HEADER_FLAGS : x->header, dw,
                           length_dw);
    return OUTCOME_DONE;
}

static const struct command rows[] = {
    {.name = "3DSTATE_CLEAR_PARAMS",
     .summary = "Depth clear value.",
     STATE_3D_WITH(STATE_CLEAR_PARAMS_GEN6, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 2,
     FIELDS(f_3dstate_clear_params),
     .execute = clear_params,
     .spec = "CSP-08, SNB PRM vol 2a"},
    {HEADER(STATE_CLEAR_PARAMS), .since = GEN7, .min_dwords = 3, .flags = COMMAND_STATE,
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .until = GEN125, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BOUNDS",
     .summary = "Depth bounds test.",
     HEADER(STATE_DEPTH_BOUNDS),
     .engines = RENDER,
     .since = GEN12,
     .min_dwords = 4,
     .flags = COMMAND_STATE,
     .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_depth_bounds),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_DEPTH_BUFFER",
     .summary = "The depth buffer: surface, format, address.",
     STATE_3D_WITH(STATE_DEPTH_BUFFER_GEN6, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 7,
     FIELDS(f_3dstate_depth_buffer),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {HEADER(STATE_DEPTH_BUFFER), .since = GEN7, .flags = COMMAND_STATE, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .min_dwords = 10, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .min_dwords = 8, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "3DSTATE_DEPTH_STENCIL_STATE_POINTERS",
     .summary = "Where the depth and stencil state is.",
     STATE_3D(STATE_DEPTH_STENCIL_STATE_POINTERS),
     .since = GEN7,
     .until = GEN75,
     .min_dwords = 2,
     FIELDS(f_3dstate_depth_stencil_state_pointers),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_HIER_DEPTH_BUFFER",
     .summary = "The hierarchical depth buffer.",
     STATE_3D_WITH(STATE_HIER_DEPTH_BUFFER_GEN6, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 3,
     FIELDS(f_3dstate_hier_depth_buffer),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {HEADER(STATE_HIER_DEPTH_BUFFER), .since = GEN7, .flags = COMMAND_STATE,
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 5, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_STENCIL_BUFFER",
     .summary = "The stencil buffer: surface and address.",
     STATE_3D_WITH(STATE_STENCIL_BUFFER_GEN6, COMMAND_ARBITRATES_MEDIA),
     .since = GEN6,
     .min_dwords = 3,
     FIELDS(f_3dstate_stencil_buffer),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {HEADER(STATE_STENCIL_BUFFER), .since = GEN7, .flags = COMMAND_STATE, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 5, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "3DSTATE_WM_DEPTH_STENCIL",
     .summary = "Depth and stencil tests.",
     STATE_3D(STATE_WM_DEPTH_STENCIL),
     .since = GEN8,
     .min_dwords = 3,
     FIELDS(f_3dstate_wm_depth_stencil),
     .execute = depth_stencil,
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .min_dwords = 4, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_WM_HZ_OP",
     .summary = "Clears or resolves depth and stencil.",
     STATE_3D_WITH(STATE_WM_HZ_OP, COMMAND_PREDICATED),
     .since = GEN8,
     .min_dwords = 5,
     FIELDS(f_3dstate_wm_hz_op),
     .execute = hz_op,
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .min_dwords = 6, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
};

const struct command_table state_3d_depth_commands = COMMAND_TABLE(rows);
