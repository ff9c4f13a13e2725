/*
 * Depth and stencil of a draw, by the state that is kept. Up to Gen11 the depth buffer says how large both
 * are; up to Gen12 stencils lie in tiles of their own, on Gen6 among depths where no buffer has them apart.
 * (SKL PRM vol 2a, 3DSTATE_DEPTH_BUFFER, 3DSTATE_STENCIL_BUFFER; SNB PRM vol 2 part 1)
 */
#include "draw/draw.h"

enum { NONE = 7, FIRST_TILED_MODE = 1 };

static bool has_field(const struct command *row, unsigned role)
{
    return role < row->role_count && row->by_role[role].name;
}

static void take_size(struct depth_surface *s, const struct engine *e, uint32_t header)
{
    s->width = (uint32_t)draw_state(e, header, BUFFER_WIDTH) + 1u;
    s->height = (uint32_t)draw_state(e, header, BUFFER_HEIGHT) + 1u;
    s->first_element = (uint32_t)draw_state(e, header, BUFFER_MINIMUM_ARRAY_ELEMENT);
    s->elements = (uint32_t)draw_state(e, header, BUFFER_RENDER_TARGET_VIEW_EXTENT) + 1u;
}

static void take_place(struct depth_surface *s, const struct engine *e, uint32_t header, bool of_one_kind)
{
    s->there = true;
    s->base = draw_state(e, header, BUFFER_SURFACE_BASE_ADDRESS);
    s->pitch_bytes = (uint32_t)draw_state(e, header, BUFFER_SURFACE_PITCH) + 1u;
    s->qpitch = (uint32_t)draw_state(e, header, BUFFER_SURFACE_QPITCH) * 4u;
    s->tiling = of_one_kind ? SOFTGT_TILE_Y : SOFTGT_TILE_4;
}

static bool has_other_tiles(const struct engine *e, uint32_t header)
{
    return draw_state(e, header, BUFFER_TILED_RESOURCE_MODE) ||
           draw_state(e, header, BUFFER_TILED_MODE) == FIRST_TILED_MODE;
}

static void take_side(struct stencil_side *side, const struct engine *e, unsigned from)
{
#define GET(role) ((uint8_t)draw_state(e, STATE_WM_DEPTH_STENCIL, (role) + from))
    *side = (struct stencil_side){.function = GET(STENCIL_TEST_FUNCTION),
                                  .fail = GET(STENCIL_FAIL_OP),
                                  .depth_fail = GET(STENCIL_PASS_DEPTH_FAIL_OP),
                                  .pass = GET(STENCIL_PASS_DEPTH_PASS_OP),
                                  .reference = GET(STENCIL_REFERENCE_VALUE),
                                  .test_mask = GET(STENCIL_TEST_MASK),
                                  .write_mask = GET(STENCIL_WRITE_MASK)};
#undef GET
}

const char *draw_take_depth(struct depth_stencil *s, const struct engine *e, bool clears)
{
    const struct command *depth, *stencil;
    uint32_t length_dw;
    unsigned more;
    *s = (struct depth_stencil){.function =
                                    (uint8_t)draw_state(e, STATE_WM_DEPTH_STENCIL, DEPTH_TEST_FUNCTION)};
    const bool depth_kept = draw_kept(e, STATE_DEPTH_BUFFER, &depth, &length_dw, &more),
               stencil_kept = draw_kept(e, STATE_STENCIL_BUFFER, &stencil, &length_dw, &more);
    if (depth_kept && draw_state(e, STATE_DEPTH_BUFFER, BUFFER_SURFACE_TYPE) != NONE) {
        take_place(&s->depth, e, STATE_DEPTH_BUFFER, !has_field(depth, BUFFER_TILED_MODE));
        take_size(&s->depth, e, STATE_DEPTH_BUFFER);
        s->format = (uint8_t)draw_state(e, STATE_DEPTH_BUFFER, BUFFER_SURFACE_FORMAT);
        s->tests_depth = draw_state(e, STATE_WM_DEPTH_STENCIL, DEPTH_TEST_ENABLE);
        s->writes_depth = draw_state(e, STATE_WM_DEPTH_STENCIL, DEPTH_BUFFER_WRITE_ENABLE) &&
                          (draw_state(e, STATE_DEPTH_BUFFER, BUFFER_DEPTH_WRITE_ENABLE) ||
                           !has_field(depth, BUFFER_DEPTH_WRITE_ENABLE));
    }
    if (depth_kept && has_field(depth, BUFFER_TILED_SURFACE) &&
        !draw_state(e, STATE_DEPTH_BUFFER, BUFFER_TILED_SURFACE))
        s->depth.tiling = SOFTGT_LINEAR;
    const bool among = depth_kept && has_field(depth, BUFFER_SEPARATE_STENCIL_BUFFER_ENABLE) &&
                       depth_has_stencils(s->format),
               apart = stencil_kept && has_field(stencil, BUFFER_WIDTH);
    if (stencil_kept &&
        (apart ? draw_state(e, STATE_STENCIL_BUFFER, BUFFER_SURFACE_TYPE) != NONE
               : depth_kept && draw_state(e, STATE_STENCIL_BUFFER, BUFFER_STENCIL_BUFFER_ENABLE))) {
        take_place(&s->stencil, e, STATE_STENCIL_BUFFER, !has_field(stencil, BUFFER_TILED_MODE));
        take_size(&s->stencil, e, apart ? STATE_STENCIL_BUFFER : STATE_DEPTH_BUFFER);
        s->stencil.tiled_w = !has_field(stencil, BUFFER_TILED_MODE);
    } else if (among && s->depth.there) {
        s->stencil = s->depth;
        s->stencil.among_depths = true;
    }
    if (s->stencil.there) {
        s->tests_stencil = draw_state(e, STATE_WM_DEPTH_STENCIL, STENCIL_TEST_ENABLE);
        s->writes_stencil = draw_state(e, STATE_WM_DEPTH_STENCIL, STENCIL_BUFFER_WRITE_ENABLE) &&
                            (apart ? draw_state(e, STATE_STENCIL_BUFFER, BUFFER_DEPTH_WRITE_ENABLE)
                                   : draw_state(e, STATE_DEPTH_BUFFER, BUFFER_STENCIL_WRITE_ENABLE) ||
                                         !has_field(depth, BUFFER_STENCIL_WRITE_ENABLE));
        take_side(&s->side[0], e, 0);
        take_side(&s->side[1], e,
                  draw_state(e, STATE_WM_DEPTH_STENCIL, STENCIL_DOUBLE_SIDED_STENCIL_ENABLE) ? STENCIL_SIDE
                                                                                             : 0);
    }
    s->works = s->tests_depth || s->writes_depth || s->tests_stencil;
    if (!s->works && !clears)
        return NULL;
    if (draw_state(e, STATE_DEPTH_BUFFER, BUFFER_LOD) || draw_state(e, STATE_STENCIL_BUFFER, BUFFER_LOD))
        return "a level of a depth or stencil buffer";
    if (has_other_tiles(e, STATE_DEPTH_BUFFER) || has_other_tiles(e, STATE_STENCIL_BUFFER))
        return "a depth or stencil buffer in large tiles";
    if (draw_state(e, STATE_DEPTH_BUFFER, BUFFER_DEPTH_COORDINATE_OFFSET_X) ||
        draw_state(e, STATE_DEPTH_BUFFER, BUFFER_DEPTH_COORDINATE_OFFSET_Y))
        return "an offset of depths";
    if (depth_kept && !has_field(depth, BUFFER_SURFACE_QPITCH) &&
        (s->depth.first_element || s->depth.elements > 1))
        return "a depth buffer whose elements are where no state says";
    if (!among && s->format != DEPTH_D32 && s->format != DEPTH_D24 && s->format != DEPTH_D16 &&
        s->depth.there)
        return "depths of another format";
    return NULL;
}

/* Up to Gen7 in the numbers of the format. */
float draw_cleared_depth(const struct engine *e)
{
    const struct command *row;
    uint32_t length_dw;
    unsigned more;
    const uint32_t value = (uint32_t)draw_state(e, STATE_CLEAR_PARAMS, CLEAR_DEPTH_CLEAR_VALUE);
    const bool is_float = draw_kept(e, STATE_CLEAR_PARAMS, &row, &length_dw, &more) &&
                          row->by_role[CLEAR_DEPTH_CLEAR_VALUE].kind == FIELD_FLOAT;
    return is_float ? draw_float(value)
                    : depth_number((unsigned)draw_state(e, STATE_DEPTH_BUFFER, BUFFER_SURFACE_FORMAT), value);
}

void draw_take_references(struct depth_stencil *s, struct bindings *b, const struct command_set *structures)
{
    const struct command *const row = structures->rows[structure_find(structures, COLOR_CALC_STATE)], *kept;
    uint32_t dw, length_dw;
    if (!has_field(row, CALC_STENCIL_REFERENCE_VALUE) || !s->tests_stencil ||
        !pipeline_kept(&b->engine->pipeline, STATE_CC_POINTERS, &kept, &length_dw))
        return;
    draw_load_there(b->engine,
                    b->dynamic + draw_state(b->engine, STATE_CC_POINTERS, COLOR_CALC_STATE_POINTER), &dw,
                    sizeof dw);
    const bool two_sides = draw_state(b->engine, STATE_WM_DEPTH_STENCIL, STENCIL_DOUBLE_SIDED_STENCIL_ENABLE);
    for (unsigned i = 0; i < 2; i++)
        s->side[i].reference =
            (uint8_t)field_at(&row->places[CALC_STENCIL_REFERENCE_VALUE + (two_sides ? i : 0)], &dw, 1);
}
