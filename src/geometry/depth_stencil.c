/*
 * Depth and stencil of a draw, from the current state. Up to Gen11 the depth buffer holds the size of both.
 * Up to Gen11 stencil uses W tiles. On Gen6 stencil shares the depth buffer unless separate stencil is
 * enabled. (SKL PRM vol 2a, 3DSTATE_DEPTH_BUFFER, 3DSTATE_STENCIL_BUFFER; SNB PRM vol 2 part 1)
 */
#include "geometry/draw.h"
#include "memory/mip.h"
#include "memory/samples.h"

enum { NONE = 7, TILE_MODE_64 = 1 };

static void depth_surface_size(struct depth_surface *s, const struct engine *e, uint32_t header)
{
    s->width = (uint32_t)state_field(e, header, BUFFER_WIDTH) + 1u;
    s->height = (uint32_t)state_field(e, header, BUFFER_HEIGHT) + 1u;
    s->first_element = (uint32_t)state_field(e, header, BUFFER_MINIMUM_ARRAY_ELEMENT);
    s->elements = (uint32_t)state_field(e, header, BUFFER_RENDER_TARGET_VIEW_EXTENT) + 1u;
}

static void depth_surface_location(struct depth_surface *s, const struct engine *e, uint32_t header)
{
    s->present = true;
    s->base = state_field(e, header, BUFFER_SURFACE_BASE_ADDRESS);
    s->pitch_bytes = (uint32_t)state_field(e, header, BUFFER_SURFACE_PITCH) + 1u;
    s->qpitch_rows = (uint32_t)state_field(e, header, BUFFER_SURFACE_QPITCH) * 4u;
    s->tiling = !e->info->draws.depth_tile_4                                ? SOFTGT_TILE_Y
                : state_field(e, header, BUFFER_TILED_MODE) == TILE_MODE_64 ? SOFTGT_TILE_64
                                                                            : SOFTGT_TILE_4;
}

static void depth_surface_select_level(struct depth_surface *s, uint32_t level, struct level_alignment align)
{
    const struct mip_position at = mip_position(s->width, s->height, level, align.x, align.y);
    s->level_x = at.x;
    s->level_y = at.y;
    s->width = minify(s->width, level);
    s->height = minify(s->height, level);
}

/* Rows from one array element to the next, where no QPitch says it. */
static uint32_t depth_array_pitch(uint32_t height, uint32_t down, uint32_t spacing)
{
    return mip_array_pitch((const uint32_t[2]){height, minify(height, 1)}, down, spacing);
}

static void depth_levels_init(struct depth_stencil *s, const struct engine *e)
{
    static const struct depth_alignments gen7 = {.depth = {4, 4}, .depth_16bit = {8, 4}, .stencil = {8, 8}};
    const struct draw_info *const facts = &e->info->draws;
    const struct depth_alignments *const align = facts->depth_alignments ? facts->depth_alignments : &gen7;
    const uint32_t level = (uint32_t)state_field(e, STATE_DEPTH_BUFFER, BUFFER_LOD),
                   of_stencil = facts->stencil_buffer_has_size
                                    ? (uint32_t)state_field(e, STATE_STENCIL_BUFFER, BUFFER_LOD)
                                : facts->stencil_has_one_level && !s->stencil.interleaved_stencil ? 0
                                                                                                  : level;
    const uint32_t spacing = e->info->messages.array_spacing_rows;
    const struct level_alignment of_depth = s->depth_format == DEPTH_D16 ? align->depth_16bit : align->depth;
    if (spacing) { /* there is no QPitch */
        s->depth.qpitch_rows = depth_array_pitch(s->depth.height, of_depth.y, spacing);
        s->stencil.qpitch_rows = s->stencil.interleaved_stencil ? s->depth.qpitch_rows
                                 : facts->stencil_has_one_level
                                     ? mip_align(s->stencil.height, align->stencil.y)
                                     : depth_array_pitch(s->stencil.height, align->stencil.y, spacing);
    }
    depth_surface_select_level(&s->depth, level, of_depth);
    depth_surface_select_level(&s->stencil, of_stencil,
                               s->stencil.interleaved_stencil ? of_depth : align->stencil);
}

/* The sizes of buffers whose pixels' samples are interleaved. */
static void depth_surface_interleave(struct depth_surface *s, unsigned samples_log2)
{
    s->width = samples_across(samples_log2, s->width);
    s->height = samples_down(samples_log2, s->height);
}

/* Levels of a buffer in Tile64 begin with tiles; small ones share one. */
static bool has_unsupported_tiling(const struct engine *e, uint32_t header, const struct depth_surface *s)
{
    return state_field(e, header, BUFFER_TILED_RESOURCE_MODE) ||
           (s->tiling == SOFTGT_TILE_64 && (s->level_x || s->level_y));
}

/* Moves the render target's first pixel within both buffers, whose sizes count from their own. False: it is
 * before them. (SNB PRM vol 2 part 1, 3DSTATE_DEPTH_BUFFER; Mesa, i965: gen6_emit_depth_stencil_hiz) */
static bool depth_offset_init(struct depth_stencil *s, const struct engine *e)
{
    const int64_t x = (int64_t)state_field(e, STATE_DEPTH_BUFFER, BUFFER_DEPTH_COORDINATE_OFFSET_X),
                  y = (int64_t)state_field(e, STATE_DEPTH_BUFFER, BUFFER_DEPTH_COORDINATE_OFFSET_Y);
    struct depth_surface *const both[2] = {&s->depth, &s->stencil};
    if (x < 0 || y < 0 || x > INT16_MAX || y > INT16_MAX)
        return false;
    for (unsigned n = 0; n < 2; n++) {
        both[n]->level_x += (uint32_t)x;
        both[n]->level_y += (uint32_t)y;
        both[n]->width = both[n]->width > (uint32_t)x ? both[n]->width - (uint32_t)x : 0;
        both[n]->height = both[n]->height > (uint32_t)y ? both[n]->height - (uint32_t)y : 0;
    }
    return true;
}

static void stencil_side_init(struct stencil_side *side, const struct engine *e, unsigned from)
{
#define GET(role) ((uint8_t)state_field(e, STATE_WM_DEPTH_STENCIL, (role) + from))
    *side = (struct stencil_side){.test_function = GET(STENCIL_TEST_FUNCTION),
                                  .fail_op = GET(STENCIL_FAIL_OP),
                                  .depth_fail_op = GET(STENCIL_PASS_DEPTH_FAIL_OP),
                                  .pass_op = GET(STENCIL_PASS_DEPTH_PASS_OP),
                                  .reference = GET(STENCIL_REFERENCE_VALUE),
                                  .test_mask = GET(STENCIL_TEST_MASK),
                                  .write_mask = GET(STENCIL_WRITE_MASK)};
#undef GET
}

const char *depth_stencil_state_init(struct depth_stencil *s, const struct engine *e, unsigned samples_log2,
                                     bool clears)
{
    const struct draw_info *const facts = &e->info->draws;
    const struct command *row;
    uint32_t length_dw;
    *s = (struct depth_stencil){.depth_test_function =
                                    (uint8_t)state_field(e, STATE_WM_DEPTH_STENCIL, DEPTH_TEST_FUNCTION)};
    const bool has_depth = state_command(e, STATE_DEPTH_BUFFER, &row, &length_dw),
               has_stencil = state_command(e, STATE_STENCIL_BUFFER, &row, &length_dw);
    if (has_depth && state_field(e, STATE_DEPTH_BUFFER, BUFFER_SURFACE_TYPE) != NONE) {
        depth_surface_location(&s->depth, e, STATE_DEPTH_BUFFER);
        depth_surface_size(&s->depth, e, STATE_DEPTH_BUFFER);
        s->depth_format = (uint8_t)state_field(e, STATE_DEPTH_BUFFER, BUFFER_SURFACE_FORMAT);
        s->depth_test_enable = state_field(e, STATE_WM_DEPTH_STENCIL, DEPTH_TEST_ENABLE);
        s->depth_write_enable = state_field(e, STATE_WM_DEPTH_STENCIL, DEPTH_BUFFER_WRITE_ENABLE) &&
                                (state_field(e, STATE_DEPTH_BUFFER, BUFFER_DEPTH_WRITE_ENABLE) ||
                                 facts->depth_writes_unconditional);
    }
    if (has_depth && facts->depth_may_be_linear && !state_field(e, STATE_DEPTH_BUFFER, BUFFER_TILED_SURFACE))
        s->depth.tiling = SOFTGT_TILE_LINEAR;
    const bool interleaved = has_depth && facts->stencil_interleaved && depth_has_stencils(s->depth_format),
               has_size = has_stencil && facts->stencil_buffer_has_size;
    if (has_stencil && (has_size ? state_field(e, STATE_STENCIL_BUFFER, BUFFER_SURFACE_TYPE) != NONE
                                 : has_depth && state_field(e, STATE_STENCIL_BUFFER,
                                                            facts->stencil_enabled_by_pitch
                                                                ? BUFFER_SURFACE_PITCH
                                                                : BUFFER_STENCIL_BUFFER_ENABLE))) {
        depth_surface_location(&s->stencil, e, STATE_STENCIL_BUFFER);
        depth_surface_size(&s->stencil, e, has_size ? STATE_STENCIL_BUFFER : STATE_DEPTH_BUFFER);
        s->stencil.tiled_w = !facts->stencil_tiled_as_depth;
    } else if (interleaved && s->depth.present) {
        s->stencil = s->depth;
        s->stencil.interleaved_stencil = true;
    }
    if (s->stencil.present) {
        s->stencil_test_enable = state_field(e, STATE_WM_DEPTH_STENCIL, STENCIL_TEST_ENABLE);
        s->stencil_write_enable =
            state_field(e, STATE_WM_DEPTH_STENCIL, STENCIL_BUFFER_WRITE_ENABLE) &&
            (has_size ? state_field(e, STATE_STENCIL_BUFFER, BUFFER_DEPTH_WRITE_ENABLE)
                      : state_field(e, STATE_DEPTH_BUFFER, BUFFER_STENCIL_WRITE_ENABLE) ||
                            facts->depth_writes_unconditional);
        stencil_side_init(&s->side[0], e, 0);
        stencil_side_init(
            &s->side[1], e,
            state_field(e, STATE_WM_DEPTH_STENCIL, STENCIL_DOUBLE_SIDED_STENCIL_ENABLE) ? STENCIL_SIDE : 0);
    }
    s->bounds_test_enable = s->depth.present && state_field(e, STATE_DEPTH_BOUNDS, DEPTH_BOUNDS_TEST_ENABLE);
    for (unsigned i = 0; i < 2; i++)
        s->bounds[i] =
            float_from_bits((uint32_t)state_field(e, STATE_DEPTH_BOUNDS, DEPTH_BOUNDS_TEST_MIN_VALUE + i));
    s->enabled =
        s->depth_test_enable || s->depth_write_enable || s->stencil_test_enable || s->bounds_test_enable;
    if (!s->enabled && !clears)
        return NULL;
    depth_surface_interleave(&s->depth, samples_log2);
    depth_surface_interleave(&s->stencil, samples_log2);
    depth_levels_init(s, e);
    if (has_unsupported_tiling(e, STATE_DEPTH_BUFFER, &s->depth) ||
        has_unsupported_tiling(e, STATE_STENCIL_BUFFER, &s->stencil))
        return "a depth or stencil buffer with levels in 64 KB tiles";
    if (!depth_offset_init(s, e))
        return "a negative Depth Coordinate Offset";
    if (!interleaved && s->depth_format != DEPTH_D32 && s->depth_format != DEPTH_D24 &&
        s->depth_format != DEPTH_D16 && s->depth.present)
        return "the depth buffer format";
    return NULL;
}

/* Up to Gen7 the value has the depth buffer's format. On Gen20 the command that clears has it: no command
 * other than these two of a generation has it. */
float depth_clear_value(const struct engine *e)
{
    const uint32_t value = (uint32_t)(state_field(e, STATE_CLEAR_PARAMS, CLEAR_DEPTH_CLEAR_VALUE) |
                                      state_field(e, STATE_WM_HZ_OP, HZ_DEPTH_CLEAR_VALUE));
    return e->info->draws.depth_clear_value_is_float
               ? float_from_bits(value)
               : depth_to_float((unsigned)state_field(e, STATE_DEPTH_BUFFER, BUFFER_SURFACE_FORMAT), value);
}

void stencil_reference_load(struct depth_stencil *s, struct message_context *b,
                            const struct command_set *structures)
{
    const struct command *const row = structures->rows[structure_find(structures, COLOR_CALC_STATE)],
                                *command;
    uint32_t dw, length_dw;
    if (!b->engine->info->draws.stencil_reference_in_color_calc || !s->stencil_test_enable ||
        !pipeline_command(&b->engine->pipeline, STATE_CC_STATE_POINTERS, &command, &length_dw))
        return;
    load_or_zero(b->engine,
                 b->kernel.dynamic_state_base +
                     state_field(b->engine, STATE_CC_STATE_POINTERS, COLOR_CALC_STATE_POINTER),
                 &dw, sizeof dw);
    const bool two_sides =
        state_field(b->engine, STATE_WM_DEPTH_STENCIL, STENCIL_DOUBLE_SIDED_STENCIL_ENABLE);
    for (unsigned i = 0; i < 2; i++)
        s->side[i].reference =
            (uint8_t)field_read(&row->places[CALC_STENCIL_REFERENCE_VALUE + (two_sides ? i : 0)], &dw, 1);
}
