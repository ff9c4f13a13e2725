/* Decodes the state of a draw: from the current state commands, and from structures in memory. */
#include "dispatcher/dispatcher.h"
#include "geometry/draw.h"

#include <math.h>

/* ---- Unsupported features ---- */

/* Fields that must be 0: nonzero values are not modelled; where wide_payload.c writes the payload some are.
 */
static const struct {
    uint32_t header;
    uint8_t role;
    bool is_in_wide_payload;
    const char *feature;
} unsupported[] = {
    {STATE_RASTER, RASTER_FORCED_SAMPLE_COUNT, false, "Forced Sample Count"},
    {STATE_PS_EXTRA, PSX_REQUIRES_SUBPIXEL_SAMPLE_OFFSETS, true, "the sample offset payload"},
    {STATE_PS_EXTRA, PSX_REQUIRES_PERSPECTIVE_BARY_PLANE_COEFFICIENTS, true,
     "the barycentric plane coefficient payload"},
    {STATE_PS_EXTRA, PSX_REQUIRES_NON_PERSPECTIVE_BARY_PLANE_COEFFICIENTS, true,
     "the barycentric plane coefficient payload"},
    {STATE_PS_EXTRA, PSX_REQUIRES_REQUESTED_COARSE_PIXEL_SHADING_SIZE, false,
     "the payload with the requested coarse pixel size"},
};

/* The topology that the last enabled geometry stage outputs. */
static uint64_t raster_topology_of(const struct engine *e, const struct draw_call *draw)
{
    static const uint8_t tessellated[] = {[TESSELLATES_POINTS] = TOPOLOGY_POINTLIST,
                                          [TESSELLATES_LINES] = TOPOLOGY_LINELIST,
                                          [TESSELLATES_CLOCKWISE] = TOPOLOGY_TRILIST,
                                          [TESSELLATES_COUNTERCLOCKWISE] = TOPOLOGY_TRILIST};
    return state_field(e, STATE_TE, TE_ENABLE)
               ? tessellated[state_field(e, STATE_TE, TE_OUTPUT_TOPOLOGY) & 3u]
               : draw->topology;
}

static const char *raster_unsupported(const struct engine *e, const struct draw_call *draw, uint64_t topology)
{
    const unsigned corners = topology_vertices_per_primitive(topology);
    if (topology_order_of(draw->topology) == TOPOLOGY_QUADS && state_field(e, STATE_GS, GS_ENABLE))
        return "a geometry shader with quads";
    return corners ? smooth_unsupported(e, corners) : topology_text(topology);
}

bool draw_rejects_all(const struct engine *e)
{
    enum { REJECT_ALL = 3 };
    return (state_field(e, STATE_CLIP, CLIP_ENABLE) && state_field(e, STATE_CLIP, CLIP_MODE) == REJECT_ALL) ||
           so_rendering_disabled(e);
}

/* Nothing reaches a pixel: primitives are rejected, or no output is enabled. */
static bool is_rasterizer_discard(const struct engine *e, const struct depth_stencil *s)
{
    return draw_rejects_all(e) ||
           !(state_field(e, STATE_PS_EXTRA, PSX_VALID) || s->enabled ||
             state_field(e, STATE_WM, WM_STATISTICS_ENABLE)) ||
           !draw_sample_mask(e);
}

/* Resolve type 2 only sets the CCS state: drivers call it an ambiguate. */
static enum fast_clear_op fast_clear_op_of(const struct engine *e)
{
    enum { FAST_CLEAR_0 = 2 };
    const uint64_t resolve = state_field(e, STATE_PS, PS_RENDER_TARGET_RESOLVE_ENABLE);
    if (e->info->messages.gen200_aux_surfaces) /* the pixel shader clears */
        return FAST_CLEAR_NONE;
    if (resolve)
        return resolve == FAST_CLEAR_0 ? FAST_CLEAR_AMBIGUATE : FAST_CLEAR_RESOLVE;
    return state_field(e, STATE_PS, PS_RENDER_TARGET_FAST_CLEAR_ENABLE) ? FAST_CLEAR_CLEAR : FAST_CLEAR_NONE;
}

bool draw_has_gs_or_so(const struct engine *e)
{
    return state_field(e, STATE_TE, TE_ENABLE) || state_field(e, STATE_GS, GS_ENABLE) ||
           state_field(e, STATE_GS, GS_ENABLE_GEN6) || state_field(e, STATE_STREAMOUT, SO_FUNCTION_ENABLE);
}

const char *draw_unsupported(const struct engine *e, const struct draw_call *draw, bool *nothing)
{
    struct depth_stencil s;
    const char *const depth_feature = depth_stencil_state_init(&s, e, draw_samples_log2(e), false);
    const bool is_wide = eu_register_rows(dispatcher_of(e)->set) > 1;
    *nothing =
        !draw->vertex_count || !draw->instance_count ||
        (is_rasterizer_discard(e, &s) && !state_field(e, STATE_VS, VS_ENABLE) && !draw_has_gs_or_so(e)) ||
        state_field(e, STATE_WM, WM_HIERARCHICAL_DEPTH_BUFFER_RESOLVE_ENABLE) ||
        state_field(e, STATE_WM,
                    WM_DEPTH_BUFFER_RESOLVE_ENABLE); /* depth is never compressed: a resolve does nothing */
    if (*nothing)
        return NULL;
    for (unsigned i = 0; i < sizeof unsupported / sizeof unsupported[0]; i++)
        if (!(is_wide && unsupported[i].is_in_wide_payload) &&
            state_field(e, unsupported[i].header, unsupported[i].role))
            return unsupported[i].feature;
    const bool makes = state_field(e, STATE_GS, GS_ENABLE);
    const char *const found[] = {vs_unsupported(e), tess_unsupported(e, draw->topology), depth_feature,
                                 makes ? gs_unsupported(e, raster_topology_of(e, draw)) : NULL};
    for (unsigned i = 0; i < sizeof found / sizeof found[0]; i++)
        if (found[i])
            return found[i];
    return raster_unsupported(
        e, draw, makes ? state_field(e, STATE_GS, GS_OUTPUT_TOPOLOGY) : raster_topology_of(e, draw));
}

static const char *target_unsupported(const struct message_context *b, const struct surface_state *s)
{
    const uint32_t format = surface_field(s, SURFACE_FORMAT) % SURFACE_FORMATS;
    return surface_field(s, SURFACE_TYPE) <= SURFTYPE_CUBE && !b->structures.formats[format]
               ? "the format of a render target"
               : NULL;
}

/* Render targets come first in a binding table. The table may have entries that no message uses, which need
 * not be surface states: an unsupported surface there ends the draw when a message uses it. Without rendering
 * none is used. */
static const char *surfaces_unsupported(struct message_context *b, struct hiz_update *u)
{
    enum { ENTRY_BYTES = 4, SURFACE_NS = 60 };
    struct engine *const e = b->engine;
    const bool drawn_to = state_field(e, STATE_PS_BLEND, BLEND_HAS_WRITEABLE_RT) || fast_clear_op_of(e) ||
                          e->info->draws.rt_writes_unconditional;
    const uint64_t named = state_field(e, STATE_PS, COUNT_BINDING_TABLE_ENTRY_COUNT),
                   count = named ? named : drawn_to;
    struct surface_state s = {.row = b->structures.surface_state};
    const char *feature = NULL;
    for (uint64_t n = 0; n < count && !feature && !(u && u->is_unfinished); n++) {
        uint32_t entry;
        load_or_zero(e, b->kernel.binding_table + n * ENTRY_BYTES, &entry, sizeof entry);
        load_or_zero(e, b->kernel.surface_state_base + surface_pointer(b, entry), s.dw, sizeof s.dw);
        feature = drawn_to && !n ? target_unsupported(b, &s) : NULL;
        if (!feature && u && surface_field(&s, SURFACE_AUXILIARY_SURFACE_MODE))
            hiz_update_texture(b, &s, (uint32_t)n, u);
        e->log->cost.ns += SURFACE_NS;
    }
    return feature;
}

const char *draw_unsupported_bindings(struct message_context *b, const struct command_set *structures,
                                      bool elements_known, struct hiz_update *u)
{
    const char *const elements = elements_known ? NULL : vf_unsupported_elements(b),
                      *const feature = elements ? elements : cps_unsupported(b, structures);
    return feature || draw_rejects_all(b->engine) ? feature : surfaces_unsupported(b, u);
}

void draw_report_unsupported(struct engine *e, const char *feature, bool begun)
{
    e->totals.draws_skipped++;
    report_error(e->log, SOFTGT_NOT_MODELLED, e->info->name, e->parse.command_address,
                 begun ? "3DPRIMITIVE stopped after some primitives: %s"
                       : "3DPRIMITIVE not drawn: %s is not modelled",
                 feature);
}

/* ---- Decoding ---- */

static uint64_t dynamic_state_address(const struct message_context *b, uint32_t header, unsigned role)
{
    return b->kernel.dynamic_state_base + state_field(b->engine, header, role);
}

static const struct command *structure_row(const struct command_set *set, enum structure structure)
{
    return set->rows[structure_find(set, structure)];
}

static int32_t min_int(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t max_int(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t floor_pixel(float value)
{
    enum { MOST = 1 << 14 };
    return value > -MOST ? value < MOST ? (int32_t)floorf(value) : MOST : -MOST;
}

/* Intersects an axis of the scissor with [first, last], both inclusive. */
static void scissor_intersect(struct viewport *v, unsigned axis, int32_t first, int32_t last)
{
    v->scissor_min[axis] = max_int(v->scissor_min[axis], first);
    v->scissor_max[axis] = min_int(v->scissor_max[axis], last + 1);
}

/* Reads element `number` of the structure that a field points to; zeros without a pointer. */
static bool load_structure(struct message_context *b, uint32_t header, unsigned role, unsigned number,
                           uint32_t *dw, unsigned length_dw)
{
    return engine_load_into(b->engine, SPACE_PPGTT,
                            dynamic_state_address(b, header, role) +
                                (uint64_t)number * length_dw * sizeof *dw,
                            dw, length_dw * sizeof *dw);
}

static bool has_state_command(const struct engine *e, uint32_t header)
{
    const struct command *row;
    uint32_t length_dw;
    return state_command(e, header, &row, &length_dw) != NULL;
}

/* Viewports without extents are clipped by the guardband, if that is programmed. (SNB PRM vol 2 part 1,
 * Guard Band; Mesa, i965: gen6_clip_state) */
static bool guardband_init(struct draw_state *d, struct message_context *b,
                           const struct command_set *structures, unsigned number,
                           const uint32_t *sf_clip_viewport)
{
    enum { GUARD_DW = 4, VIEWPORT_DW = 16 };
    const struct command *const row =
        structure_row(structures, sf_clip_viewport ? SF_CLIP_VIEWPORT : CLIP_VIEWPORT);
    struct viewport *const v = &d->viewports[number];
    uint32_t dw[GUARD_DW];
    if (!state_field(b->engine, STATE_CLIP, CLIP_GUARDBAND_CLIP_TEST_ENABLE)) {
        for (unsigned axis = 0; axis < 2 && d->clip.xy_clip_enable; axis++) {
            v->guardband[axis][0] = -1;
            v->guardband[axis][1] = 1;
        }
        return true;
    }
    if (!sf_clip_viewport && !load_structure(b, STATE_VIEWPORT_STATE_POINTERS_SF_CLIP,
                                             VIEWPORT_POINTER_TO_CLIP_VIEWPORT, number, dw, GUARD_DW))
        return false;
    for (unsigned i = 0; i < GUARD_DW; i++)
        v->guardband[i / 2][i % 2] = float_from_bits(
            (uint32_t)(sf_clip_viewport
                           ? field_read(&row->places[VIEWPORT_X_MIN_CLIP_GUARDBAND + i], sf_clip_viewport,
                                        VIEWPORT_DW)
                           : field_read(&row->places[CLIP_VIEWPORT_XMIN_CLIP_GUARDBAND + i], dw, GUARD_DW)));
    return true;
}

/* Loads a viewport: matrix and extents (used with Viewport Transform Enable), depth range, scissor. */
static bool viewport_init(struct draw_state *d, struct message_context *b,
                          const struct command_set *structures, unsigned number)
{
    enum { VIEWPORT_DW = 16, DEPTHS_DW = 2, SCISSOR_DW = 2 };
    const bool separate = b->engine->info->draws.clip_viewport_separate,
               has_extents = !separate && !b->engine->info->draws.viewport_without_extents;
    const struct command *row = structure_row(structures, separate ? SF_VIEWPORT : SF_CLIP_VIEWPORT);
    struct viewport *const v = &d->viewports[number];
    uint32_t dw[VIEWPORT_DW] = {0};
    if (d->raster.viewport_transform_enable) {
        if (!load_structure(b, STATE_VIEWPORT_STATE_POINTERS_SF_CLIP, VIEWPORT_SF_CLIP_VIEWPORT_POINTER,
                            number, dw, separate ? VIEWPORT_DW / 2 : VIEWPORT_DW))
            return false;
        float of[VIEWPORT_Y_MAX_VIEWPORT - VIEWPORT_MATRIX_ELEMENT_M00 + 1] = {0};
        for (unsigned i = 0;
             i < (has_extents ? VIEWPORT_Y_MAX_VIEWPORT + 1 : VIEWPORT_MATRIX_ELEMENT_M32 + 1) -
                     VIEWPORT_MATRIX_ELEMENT_M00;
             i++)
            of[i] = float_from_bits(
                (uint32_t)field_read(&row->places[VIEWPORT_MATRIX_ELEMENT_M00 + i], dw, VIEWPORT_DW));
        memcpy(v->matrix, of, sizeof v->matrix);
        for (unsigned axis = 0; axis < 2 && has_extents; axis++)
            scissor_intersect(
                v, axis,
                floor_pixel(of[VIEWPORT_X_MIN_VIEWPORT - VIEWPORT_MATRIX_ELEMENT_M00 + 2 * axis]) +
                    d->raster.drawing_rectangle_origin[axis],
                floor_pixel(of[VIEWPORT_X_MAX_VIEWPORT - VIEWPORT_MATRIX_ELEMENT_M00 + 2 * axis]) +
                    d->raster.drawing_rectangle_origin[axis]);
        if (!has_extents && d->clip.clip_enable &&
            !guardband_init(d, b, structures, number, separate ? NULL : dw))
            return false;
    }
    v->depth_range[0] = -INFINITY;
    v->depth_range[1] = INFINITY;
    if (d->om.depth_stencil.enabled && has_state_command(b->engine, STATE_VIEWPORT_STATE_POINTERS_CC)) {
        if (!load_structure(b, STATE_VIEWPORT_STATE_POINTERS_CC, DEPTH_RANGE_CC_VIEWPORT_POINTER, number, dw,
                            DEPTHS_DW))
            return false;
        row = structure_row(structures, CC_VIEWPORT);
        for (unsigned i = 0; i < 2; i++)
            v->depth_range[i] = float_from_bits(
                (uint32_t)field_read(&row->places[CC_VIEWPORT_MINIMUM_DEPTH + i], dw, DEPTHS_DW));
    }
    if (state_field(b->engine, STATE_WM, WM_DEPTH_BUFFER_CLEAR))
        v->depth_range[0] = v->depth_range[1] = depth_clear_value(b->engine);
    if (!state_field(b->engine, STATE_RASTER, RASTER_SCISSOR_RECTANGLE_ENABLE))
        return true;
    if (!load_structure(b, STATE_SCISSOR_STATE_POINTERS, SCISSOR_RECT_POINTER, number, dw, SCISSOR_DW))
        return false;
    row = structure_row(structures, SCISSOR_RECT);
    for (unsigned i = 0; i < 2; i++)
        scissor_intersect(v, i,
                          (int32_t)field_read(&row->places[SCISSOR_RECTANGLE_X_MIN + i], dw, SCISSOR_DW) +
                              d->raster.drawing_rectangle_origin[i],
                          (int32_t)field_read(&row->places[SCISSOR_RECTANGLE_X_MAX + i], dw, SCISSOR_DW) +
                              d->raster.drawing_rectangle_origin[i]);
    return true;
}

/* Loads every viewport that a vertex may select, clipped to the drawing rectangle; without
 * 3DSTATE_DRAWING_RECTANGLE to the maximum. */
static bool viewports_init(struct draw_state *d, struct message_context *b,
                           const struct command_set *structures)
{
    enum { MOST = 1 << 14 };
    const struct engine *const e = b->engine;
    struct viewport all = {.scissor_max = {MOST, MOST},
                           .guardband = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}}};
    if (has_state_command(e, STATE_DRAWING_RECTANGLE))
        for (unsigned i = 0; i < 2; i++) {
            all.scissor_min[i] =
                (int32_t)state_field(e, STATE_DRAWING_RECTANGLE, DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MIN + i);
            all.scissor_max[i] =
                min_int(MOST, (int32_t)state_field(e, STATE_DRAWING_RECTANGLE,
                                                   DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MAX + i) +
                                  1);
            d->raster.drawing_rectangle_origin[i] =
                (int16_t)state_field(e, STATE_DRAWING_RECTANGLE, DRAWING_RECTANGLE_ORIGIN_X + i);
        }
    for (unsigned n = 0; n <= d->clip.max_viewport_index; n++) {
        d->viewports[n] = all;
        if (!viewport_init(d, b, structures, n))
            return false;
        if (d->ps.is_per_coarse_pixel)
            cps_init(&d->viewports[n], b, structures, n);
    }
    return true;
}

/* The last vertex stage selects the clip distances, unless 3DSTATE_CLIP forces its own masks. Up to Gen8
 * one bit enables both depth planes. */
static void clip_state_init(struct draw_state *d, const struct engine *e)
{
    enum { ACCEPT_ALL = 4 };
    const uint32_t last = d->gs.enable ? STATE_GS : d->te.enable ? STATE_DS : STATE_VS;
    const bool enabled = state_field(e, STATE_CLIP, CLIP_ENABLE),
               accepts = !enabled || state_field(e, STATE_CLIP, CLIP_MODE) == ACCEPT_ALL;
    struct clip_state *const c = &d->clip;
    c->clip_enable = state_field(e, STATE_CLIP, CLIP_ENABLE) && !state_field(e, STATE_CLIP, CLIP_MODE);
    c->z_near_clip_enable = state_field(e, STATE_RASTER, RASTER_VIEWPORT_Z_NEAR_CLIP_TEST_ENABLE);
    c->z_far_clip_enable = e->info->draws.z_near_far_clip_tests
                               ? state_field(e, STATE_RASTER, RASTER_VIEWPORT_Z_FAR_CLIP_TEST_ENABLE)
                               : c->z_near_clip_enable;
    c->xy_clip_enable = state_field(e, STATE_CLIP, CLIP_VIEWPORT_XY_CLIP_TEST_ENABLE);
    c->api_mode_d3d = state_field(e, STATE_CLIP, CLIP_API_MODE);
    const bool by_clipper = e->info->draws.clip_distance_in_clip_state || !has_state_command(e, STATE_CLIP);
    c->clip_distance_mask =
        (uint8_t)(by_clipper ||
                          state_field(e, STATE_CLIP, CLIP_FORCE_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK)
                      ? state_field(e, STATE_CLIP, CLIP_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK)
                      : state_field(e, last, SHADER_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK));
    c->cull_distance_mask =
        (uint8_t)(by_clipper ||
                          state_field(e, STATE_CLIP, CLIP_FORCE_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK)
                      ? state_field(e, STATE_CLIP, CLIP_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK)
                      : state_field(e, last, SHADER_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK));
    c->perspective_divide_enable = !state_field(e, STATE_CLIP, CLIP_PERSPECTIVE_DIVIDE_DISABLE);
    c->force_zero_rta_index = state_field(e, STATE_CLIP, CLIP_FORCE_ZERO_RTA_INDEX_ENABLE);
    c->max_viewport_index = (uint8_t)state_field(e, STATE_CLIP, COUNT_MAXIMUM_VP_INDEX) % VIEWPORTS;
    d->clip.cl_primitives_statistics = (c->clip_enable || (d->statistics_by_execution && accepts)) &&
                                       state_field(e, STATE_SF, SF_STATISTICS_ENABLE) &&
                                       !so_rendering_disabled(e);
    d->clip.cl_invocation_statistics = d->statistics_by_execution && enabled &&
                                       state_field(e, STATE_CLIP, CLIP_STATISTICS_ENABLE) &&
                                       !so_rendering_disabled(e);
}

/* Points, lines and depth bias. Point widths count eighths of a pixel, line widths 1/128. */
static void point_line_state_init(struct draw_state *d, const struct engine *e)
{
    enum { POINT_PARTS = 8, LINE_PARTS = 128 };
    static const uint8_t offsets[CORNERS] = {RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_POINT,
                                             RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_WIREFRAME,
                                             RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_SOLID};
    struct depth_bias_state *const o = &d->raster.depth_bias;
    d->raster.line_width = (float)state_field(e, STATE_SF, SF_LINE_WIDTH) / LINE_PARTS;
    d->raster.point_width = (float)state_field(e, STATE_SF, SF_POINT_WIDTH) / POINT_PARTS;
    d->raster.min_point_width = (float)state_field(e, STATE_CLIP, CLIP_MINIMUM_POINT_WIDTH) / POINT_PARTS;
    d->raster.max_point_width = (float)state_field(e, STATE_CLIP, CLIP_MAXIMUM_POINT_WIDTH) / POINT_PARTS;
    d->raster.point_width_from_state = state_field(e, STATE_SF, SF_POINT_WIDTH_SOURCE);
    d->raster.last_pixel_enable = state_field(e, STATE_SF, SF_LAST_PIXEL_ENABLE);
    d->raster.point_rule_upper_right = state_field(e, STATE_WM, WM_POINT_RASTERIZATION_RULE);
    d->sbe.point_sprite_enables =
        (uint32_t)state_field(e, STATE_SBE, SBE_POINT_SPRITE_TEXTURE_COORDINATE_ENABLE);
    d->sbe.point_sprite_origin_lower_left =
        state_field(e, STATE_SBE, SBE_POINT_SPRITE_TEXTURE_COORDINATE_ORIGIN);
    for (unsigned i = 0; i < CORNERS; i++)
        o->enable[i] = state_field(e, STATE_RASTER, offsets[i]);
    o->constant =
        float_from_bits((uint32_t)state_field(e, STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_CONSTANT));
    o->legacy_bias = state_field(e, STATE_SF, SF_LEGACY_GLOBAL_DEPTH_BIAS_ENABLE);
    o->scale = float_from_bits((uint32_t)state_field(e, STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_SCALE));
    o->clamp = float_from_bits((uint32_t)state_field(e, STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_CLAMP));
}

/* Whether a target's blend factors use the blend constant. */
static bool uses_blend_constant(const struct render_target_blend *t)
{
    enum { CONSTANT = 7, CONSTANT_ALPHA = 8, CODES = 15 }; /* bit 4: one minus the factor */
    const unsigned codes =
        1u << (t->color_source_factor & CODES) | 1u << (t->color_destination_factor & CODES) |
        1u << (t->alpha_source_factor & CODES) | 1u << (t->alpha_destination_factor & CODES);
    return t->enabled && codes & (1u << CONSTANT | 1u << CONSTANT_ALPHA);
}

/* The alpha reference is a float, or an integer of 0 to 255. */
static void alpha_reference_load(struct output_merger_state *p, struct message_context *b,
                                 const struct command_set *structures)
{
    enum { REFERENCE_DW = 2, STEPS = 0xff };
    const struct command *const row = structure_row(structures, COLOR_CALC_STATE);
    uint32_t dw[REFERENCE_DW];
    load_or_zero(b->engine, dynamic_state_address(b, STATE_CC_STATE_POINTERS, COLOR_CALC_STATE_POINTER), dw,
                 sizeof dw);
    const uint32_t reference =
        (uint32_t)field_read(&row->places[CALC_ALPHA_REFERENCE_VALUE_AS_FLOAT32], dw, REFERENCE_DW);
    p->alpha_test_unorm8 = !field_read(&row->places[CALC_ALPHA_TEST_FORMAT], dw, REFERENCE_DW);
    p->alpha_test_reference = p->alpha_test_unorm8 ? (float)(reference & STEPS) : float_from_bits(reference);
    p->late_depth_stencil = true;
}

/* BLEND_STATE: one dword for all targets (from Gen8 on), then two for each target. A driver may allocate only
 * the targets it uses: unmapped memory reads as zeros. */
static void blend_state_decode(struct output_merger_state *p, const uint32_t dw[BLEND_STATE_DW],
                               const struct command *row)
{
    enum { FIRST_DW = 1, EACH_DW = 2 };
    const bool all_independent =
        row->group_dw && field_read(&row->places[BLEND_STATE_INDEPENDENT_ALPHA_BLEND_ENABLE], dw, FIRST_DW);
    const bool all_one =
        row->group_dw && field_read(&row->places[BLEND_STATE_ALPHA_TO_ONE_ENABLE], dw, FIRST_DW);
    p->alpha_to_coverage_dither =
        row->group_dw && field_read(&row->places[BLEND_STATE_ALPHA_TO_COVERAGE_DITHER_ENABLE], dw, FIRST_DW);
    p->alpha_test_function = 0;
    if (row->group_dw && field_read(&row->places[BLEND_STATE_ALPHA_TEST_ENABLE], dw, FIRST_DW))
        p->alpha_test_function =
            (uint8_t)field_read(&row->places[BLEND_STATE_ALPHA_TEST_FUNCTION], dw, FIRST_DW);
    for (unsigned n = 0; n < RENDER_TARGETS; n++) {
        struct render_target_blend *const to = &p->blend[n];
        const uint32_t *const from = dw + row->group_dw + n * EACH_DW;
        uint8_t value[TARGET_ROLES] = {0};
        for (unsigned i = 0; i < row->group_count; i++)
            if (row->group[i].role)
                value[row->group[i].role] = (uint8_t)field_get(&row->group[i], from, EACH_DW);
        const bool independent = all_independent || value[TARGET_INDEPENDENT_ALPHA_BLEND_ENABLE];
        *to = (struct render_target_blend){
            .enabled = value[TARGET_COLOR_BUFFER_BLEND_ENABLE],
            .write_mask = (uint8_t)(15u & ~(value[TARGET_WRITE_DISABLE_RED] |
                                            (unsigned)value[TARGET_WRITE_DISABLE_GREEN] << 1 |
                                            (unsigned)value[TARGET_WRITE_DISABLE_BLUE] << 2 |
                                            (unsigned)value[TARGET_WRITE_DISABLE_ALPHA] << 3)),
            .color_function = value[TARGET_COLOR_BLEND_FUNCTION],
            .color_source_factor = value[TARGET_SOURCE_BLEND_FACTOR],
            .color_destination_factor = value[TARGET_DESTINATION_BLEND_FACTOR],
            .alpha_function = value[independent ? TARGET_ALPHA_BLEND_FUNCTION : TARGET_COLOR_BLEND_FUNCTION],
            .alpha_source_factor =
                value[independent ? TARGET_SOURCE_ALPHA_BLEND_FACTOR : TARGET_SOURCE_BLEND_FACTOR],
            .logic_op = value[TARGET_LOGIC_OP_ENABLE] ? value[TARGET_LOGIC_OP_FUNCTION] : LOGIC_OP_NONE,
            .alpha_destination_factor =
                value[independent ? TARGET_DESTINATION_ALPHA_BLEND_FACTOR : TARGET_DESTINATION_BLEND_FACTOR],
            .clamp_enables =
                (uint8_t)((value[TARGET_PRE_BLEND_COLOR_CLAMP_ENABLE] ? CLAMP_PRE_BLEND : 0) |
                          (value[TARGET_PRE_BLEND_SOURCE_ONLY_CLAMP_ENABLE] ? CLAMP_PRE_BLEND_SOURCE_ONLY
                                                                            : 0) |
                          (value[TARGET_POST_BLEND_COLOR_CLAMP_ENABLE] ? CLAMP_POST_BLEND : 0)),
            .clamp_range = value[TARGET_COLOR_CLAMP_RANGE],
            .alpha_to_one = all_one || value[TARGET_ALPHATOONE_ENABLE]};
        if (!n && value[TARGET_ALPHA_TEST_ENABLE])
            p->alpha_test_function = value[TARGET_ALPHA_TEST_FUNCTION];
    }
}

/* kept: what the last draw's bytes said is there, and stays if they are the same. */
static void blend_state_init(struct draw_state *d, struct message_context *b,
                             const struct command_set *structures, bool kept)
{
    enum { CONSTANT_BYTES = 8 };
    struct output_merger_state *const p = &d->om;
    uint32_t dw[BLEND_STATE_DW] = {0};
    if (has_state_command(b->engine, STATE_BLEND_STATE_POINTERS))
        load_or_zero(b->engine, dynamic_state_address(b, STATE_BLEND_STATE_POINTERS, BLEND_STATE_POINTER), dw,
                     sizeof dw);
    if (!kept || memcmp(d->blend_state_dw, dw, sizeof dw) != 0) {
        blend_state_decode(p, dw, structure_row(structures, BLEND_STATE));
        memcpy(d->blend_state_dw, dw, sizeof dw);
        d->uses_blend_constant = false;
        for (unsigned n = 0; n < RENDER_TARGETS; n++)
            d->uses_blend_constant |= uses_blend_constant(&p->blend[n]);
    }
    p->alpha_test_reference = 0;
    p->alpha_test_unorm8 = false;
    memset(p->blend_constant, 0, sizeof p->blend_constant);
    if (p->alpha_test_function)
        alpha_reference_load(p, b, structures);
    if (d->uses_blend_constant)
        load_or_zero(b->engine,
                     dynamic_state_address(b, STATE_CC_STATE_POINTERS, COLOR_CALC_STATE_POINTER) +
                         CONSTANT_BYTES,
                     p->blend_constant, sizeof p->blend_constant);
}

static void sbe_state_init(struct draw_state *d, const struct engine *e)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const dw = state_command(e, STATE_SBE_SWIZ, &row, &length_dw);
    const uint64_t count = state_field(e, STATE_SBE, SBE_NUMBER_OF_SF_OUTPUT_ATTRIBUTES);
    d->sbe.sf_output_attribute_count = (uint8_t)(count < ATTRIBUTES ? count : ATTRIBUTES);
    if (!state_field(e, STATE_PS_EXTRA, PSX_ATTRIBUTE_ENABLE) && !e->info->draws.attributes_unconditional)
        d->sbe.sf_output_attribute_count = 0;
    d->sbe.vertex_urb_read_offset = (uint8_t)state_field(e, STATE_SBE, SBE_VERTEX_URB_ENTRY_READ_OFFSET);
    d->sbe.constant_interpolation_enables =
        (uint32_t)state_field(e, STATE_SBE, SBE_CONSTANT_INTERPOLATION_ENABLE);
    d->sbe.primitive_id_override_attribute =
        (uint8_t)state_field(e, STATE_SBE, SBE_PRIMITIVE_ID_OVERRIDE_ATTRIBUTE_SELECT) % ATTRIBUTES;
    for (unsigned i = 0; i < 4; i++)
        d->sbe.primitive_id_override_components |=
            (uint8_t)(state_field(e, STATE_SBE, SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_X + i) << i);
    for (unsigned n = 0; n < SWIZZLES; n++)
        d->sbe.attribute_swizzles[n] = n;
    if (!dw || !state_field(e, STATE_SBE, SBE_ATTRIBUTE_SWIZZLE_ENABLE))
        return;
    for (unsigned n = 0; n < SWIZZLES; n++) {
        enum { EACH_BITS = 16 };
        const uint32_t first = row->by_role[SWIZ_ATTRIBUTE_SOURCE_ATTRIBUTE].first + n * EACH_BITS;
        d->sbe.attribute_swizzles[n] = first / 32u < length_dw ? dw[first / 32u] >> first % 32u & 0xffffu : n;
    }
}

void urb_layout_init(struct urb *u, const struct draw_state *s)
{
    const struct shader_stage_state *const gs = &s->stage[SHADER_STAGE_GS];
    u->entry_dw = s->stage[SHADER_STAGE_VS].urb_entry_dw;
    u->first_handle = s->stage[SHADER_STAGE_VS].urb_start_handle;
    if (!s->gs.enable)
        return;
    u->gs.entry_dw = gs->urb_entry_dw;
    u->gs.first_handle = gs->urb_start_handle;
    u->gs.instanced = s->gs.last_instance != 0;
    u->gs.vertex_count = s->gs.vertex_count;
}

static uint8_t draw_stages_of(const struct draw_state *s)
{
    return (uint8_t)((s->vs_enable ? 1u << SHADER_STAGE_VS : 0) |
                     (s->te.enable ? 1u << SHADER_STAGE_HS | 1u << SHADER_STAGE_DS : 0) |
                     (s->gs.enable ? 1u << SHADER_STAGE_GS : 0) |
                     (s->gs.gen6_enable ? 1u << SHADER_STAGE_GEN6_GS : 0));
}

void draw_cursor_init(struct draw *d, struct urb *u)
{
    const struct draw_state *const s = &d->state;
    /* LINESTRIP_CONT continues the stipple of the last line of any draw. */
    d->cursor = (struct draw_cursor){.phase = DRAW_ASSEMBLE,
                                     .line_stipple = d->cursor.line_stipple,
                                     .raster_topology = s->raster_topology,
                                     .provoking_vertex = provoking_vertex_of(&s->raster, s->raster_topology),
                                     .stages = draw_stages_of(s)};
    vertex_cache_forget(u, 0, URB_SLOTS);
    u->epoch = 0;
    u->stage = SHADER_STAGE_PS;
    u->handle_count = u->channel_count = 0;
    u->gs = (struct gs_thread){0}; /* drop what an unfinished draw left */
    u->gen6_gs = (struct gen6_gs_output){0};
    urb_layout_init(u, s);
}

static void te_state_init(struct draw_state *d, const struct engine *e)
{
    d->te.enable = state_field(e, STATE_TE, TE_ENABLE);
    d->te.ds_cache_enable = !state_field(e, STATE_DS, DS_CACHE_DISABLE);
    d->te.ds_compute_w = state_field(e, STATE_DS, DS_COMPUTE_W_COORDINATE_ENABLE);
    d->te.hs_instance_count = (uint32_t)state_field(e, STATE_HS, HS_INSTANCE_COUNT) + 1u;
    d->te.hs_dispatch_mode = e->info->draws.vertex_dispatch == VERTEX_DISPATCH_SIMD
                                 ? (uint8_t)HS_8_PATCHES
                                 : (uint8_t)state_field(e, STATE_HS, HS_DISPATCH_MODE);
    d->te.patch_header_layout = (uint8_t)state_field(e, STATE_TE, TE_PATCH_HEADER_LAYOUT);
    d->te.hs_include_primitive_id = state_field(e, STATE_HS, HS_INCLUDE_PRIMITIVE_ID);
    d->te.hs_include_vertex_handles = state_field(e, STATE_HS, HS_INCLUDE_VERTEX_HANDLES);
    d->te.tessellation = (struct tessellation_state){
        .domain = (uint8_t)state_field(e, STATE_TE, TE_DOMAIN),
        .partitioning = (uint8_t)state_field(e, STATE_TE, TE_PARTITIONING),
        .output = (uint8_t)state_field(e, STATE_TE, TE_OUTPUT_TOPOLOGY),
        .max_tess_factor_odd =
            float_from_bits((uint32_t)state_field(e, STATE_TE, TE_MAXIMUM_TESSELLATION_FACTOR_ODD)),
        .max_tess_factor =
            float_from_bits((uint32_t)state_field(e, STATE_TE, TE_MAXIMUM_TESSELLATION_FACTOR_NOT_ODD)),
    };
}

/* Depth and stencil are tested after the pixel shader if Early Depth/Stencil Control is PSEXEC; unless it is
 * PREPS, also if the shader computes depth, writes oMask or kills pixels, or alpha covers samples. Drivers
 * set PSEXEC for shaders with side effects. (SKL PRM vol 2a, 3DSTATE_WM: Early Depth/Stencil Control) */
static bool is_late_depth_stencil(const struct engine *e)
{
    enum { EDSC_PSEXEC = 1, EDSC_PREPS = 2 };
    const uint64_t control = state_field(e, STATE_WM, WM_EARLY_DEPTH_STENCIL_CONTROL);
    if (control == EDSC_PSEXEC)
        return true;
    return control != EDSC_PREPS &&
           (draw_has_alpha_to_coverage(e) || state_field(e, STATE_PS_EXTRA, PSX_KILLS_PIXEL) ||
            state_field(e, STATE_PS_EXTRA, PSX_COMPUTED_DEPTH_MODE) ||
            state_field(e, STATE_PS_EXTRA, PSX_COMPUTES_STENCIL) ||
            state_field(e, STATE_PS_EXTRA, PSX_OMASK_PRESENT_TO_RENDER_TARGET));
}

static void raster_state_init(struct draw_state *d, const struct engine *e)
{
    static const uint8_t provoking[] = {
        [PROVOKING_LINE] = SF_LINE_STRIP_LIST_PROVOKING_VERTEX_SELECT,
        [PROVOKING_FAN] = SF_TRIANGLE_FAN_PROVOKING_VERTEX_SELECT,
        [PROVOKING_TRIANGLE] = SF_TRIANGLE_STRIP_LIST_PROVOKING_VERTEX_SELECT,
    };
    struct raster_state *const s = &d->raster;
    s->viewport_transform_enable = state_field(e, STATE_SF, SF_VIEWPORT_TRANSFORM_ENABLE);
    s->cull_mode = (uint8_t)state_field(e, STATE_RASTER, RASTER_CULL_MODE);
    s->front_winding = (uint8_t)state_field(e, STATE_RASTER, RASTER_FRONT_WINDING);
    s->pixel_location_upper_left = (uint8_t)state_field(e, STATE_MULTISAMPLE, MULTISAMPLE_PIXEL_LOCATION);
    s->wm_statistics = state_field(e, STATE_WM, WM_STATISTICS_ENABLE);
    s->conservative = state_field(e, STATE_RASTER, RASTER_CONSERVATIVE_RASTERIZATION_ENABLE);
    s->fill_mode[0] = (uint8_t)state_field(e, STATE_RASTER, RASTER_FRONT_FACE_FILL_MODE);
    s->fill_mode[1] = (uint8_t)state_field(e, STATE_RASTER, RASTER_BACK_FACE_FILL_MODE);
    s->fast_clear = (uint8_t)fast_clear_op_of(e);
    s->vertex_subpixel_4bit = state_field(e, STATE_SF, SF_VERTEX_SUB_PIXEL_PRECISION_SELECT);
    for (unsigned i = 0; i < sizeof provoking; i++)
        s->provoking_vertex[i] = (uint8_t)(state_field(e, STATE_SF, provoking[i]) % CORNERS);
}

static void ps_state_init(struct ps_state *s, const struct engine *e)
{
    *s = (struct ps_state){
        .barycentric_interpolation_modes =
            (uint8_t)state_field(e, STATE_WM, WM_BARYCENTRIC_INTERPOLATION_MODE),
        .valid = state_field(e, STATE_PS_EXTRA, PSX_VALID),
        .vector_mask_enable = state_field(e, STATE_PS, SHADER_VECTOR_MASK_ENABLE),
        .position_xy_offset = (uint8_t)state_field(e, STATE_PS, PS_POSITION_XY_OFFSET_SELECT),
        .uses_source_depth = state_field(e, STATE_PS_EXTRA, PSX_USES_SOURCE_DEPTH),
        .uses_source_w = state_field(e, STATE_PS_EXTRA, PSX_USES_SOURCE_W),
        .input_coverage = (uint8_t)state_field(e, STATE_PS_EXTRA, PSX_INPUT_COVERAGE_MASK_STATE),
        .kills_pixel = state_field(e, STATE_PS_EXTRA, PSX_KILLS_PIXEL),
        .is_per_coarse_pixel = state_field(e, STATE_PS_EXTRA, PSX_IS_PER_COARSE_PIXEL),
        .requires_depth_w_planes =
            state_field(e, STATE_PS_EXTRA, PSX_REQUIRES_SOURCE_DEPTH_AND_OR_W_PLANE_COEFFICIENTS),
        .requires_perspective_planes =
            state_field(e, STATE_PS_EXTRA, PSX_REQUIRES_PERSPECTIVE_BARY_PLANE_COEFFICIENTS),
        .requires_linear_planes =
            state_field(e, STATE_PS_EXTRA, PSX_REQUIRES_NON_PERSPECTIVE_BARY_PLANE_COEFFICIENTS),
        .requires_sample_offsets = state_field(e, STATE_PS_EXTRA, PSX_REQUIRES_SUBPIXEL_SAMPLE_OFFSETS),
    };
}

static void om_state_init(struct draw_state *d, struct message_context *b,
                          const struct command_set *structures, bool kept)
{
    const struct engine *const e = b->engine;
    struct output_merger_state *const s = &d->om;
    if (!kept) {
        *s = (struct output_merger_state){0};
        s->fast_clear = e->info->messages.gen200_aux_surfaces &&
                        state_field(e, STATE_PS, PS_RENDER_TARGET_FAST_CLEAR_ENABLE);
        s->computed_depth = state_field(e, STATE_PS_EXTRA, PSX_COMPUTED_DEPTH_MODE) != 0;
        s->computed_stencil = state_field(e, STATE_PS_EXTRA, PSX_COMPUTES_STENCIL) != 0;
        s->omask_present = state_field(e, STATE_PS_EXTRA, PSX_OMASK_PRESENT_TO_RENDER_TARGET) != 0;
        d->late_depth_stencil = is_late_depth_stencil(e);
        (void)depth_stencil_state_init(&s->depth_stencil, e, d->samples.count_log2, false);
        s->samples_log2 = d->samples.count_log2;
        s->uses_samples = d->samples.enable;
        s->alpha_to_coverage = draw_has_alpha_to_coverage(e);
    }
    s->late_depth_stencil = d->late_depth_stencil;
    stencil_reference_load(&s->depth_stencil, b, structures);
    blend_state_init(d, b, structures, kept);
    s->late_depth_stencil &= d->ps.valid;
}

/* A count of zero is one replica, whatever the mask. (TGL PRM vol 2a, 3DSTATE_PRIMITIVE_REPLICATION) */
static void replication_state_init(struct replication_state *r, const struct engine *e)
{
    enum { OFFSET_BITS = 4 };
    const uint32_t count = (uint32_t)state_field(e, STATE_PRIMITIVE_REPLICATION, REPLICATION_COUNT);
    *r = (struct replication_state){.positions = 1, .mask = 1};
    if (!count)
        return;
    r->positions = (uint8_t)(count + 1u);
    r->mask = (uint16_t)(state_field(e, STATE_PRIMITIVE_REPLICATION, REPLICATION_REPLICA_MASK) &
                         ((2u << count) - 1u));
    for (unsigned n = 0; n <= count; n++) {
        r->viewport_offset[n] = (uint8_t)state_array_field(e, STATE_PRIMITIVE_REPLICATION,
                                                           REPLICATION_VIEWPORT_OFFSET, n * OFFSET_BITS);
        r->rtai_offset[n] = (uint8_t)state_array_field(e, STATE_PRIMITIVE_REPLICATION,
                                                       REPLICATION_RTAI_OFFSET, n * OFFSET_BITS);
    }
}

/* What only the pipeline state says, before the output merger's state. */
static void shader_states_init(struct draw_state *d, struct message_context *b, const struct draw_call *call)
{
    const struct engine *const e = b->engine;
    d->vs_enable = state_field(e, STATE_VS, VS_ENABLE);
    te_state_init(d, e);
    gs_state_init(&d->gs, e, raster_topology_of(e, call));
    d->sol = (struct sol_state){0};
    sol_state_init(&d->sol, e);
    d->primitive_phase = d->gs.enable || d->gs.gen6_rendering_enable ? DRAW_GS_OUTPUT
                         : d->te.enable                              ? DRAW_PATCH
                                                                     : DRAW_ASSEMBLE;
    d->statistics_by_execution = draw_has_gs_or_so(e);
    d->raster_topology = d->gs.enable ? d->gs.output_topology : (uint8_t)raster_topology_of(e, call);
    d->raster = (struct raster_state){0};
    d->sbe = (struct sbe_state){0};
    raster_state_init(d, e);
    replication_state_init(&d->replication, e);
    sample_state_init(&d->samples, e);
    point_line_state_init(d, e);
    stipple_state_init(d, e);
    smooth_state_init(d, e);
    ps_state_init(&d->ps, e);
    d->ps.is_per_coarse_pixel &= d->ps.valid && !d->samples.per_sample;
}

static void fetch_state_init(struct draw_state *d, struct message_context *b, const struct draw_call *call)
{
    const struct engine *const e = b->engine;
    d->vf = (struct vertex_fetch_plan){
        .vertex_cache_enable = call->is_indexed && !state_field(e, STATE_VS, VS_VERTEX_CACHE_DISABLE)};
    vf_plan_init(&d->vf, b, call);
    d->vs_statistics =
        d->vs_enable && d->vf.vertex_cache_enable && state_field(e, STATE_VS, VS_STATISTICS_ENABLE);
}

bool draw_state_init(struct draw_state *d, struct message_context *b, const struct command_set *structures,
                     const struct draw_call *call, bool kept, bool fetch_kept)
{
    const struct engine *const e = b->engine;
    d->call = *call;
    d->object.vertices = (uint8_t)topology_vertices_per_object(call->topology);
    d->object.step = (uint8_t)topology_step(call->topology);
    d->object.order = (uint8_t)topology_order_of(call->topology);
    if (!kept)
        shader_states_init(d, b, call);
    if (fetch_kept)
        vf_parameters_init(&d->vf, e, call);
    else
        fetch_state_init(d, b, call);
    om_state_init(d, b, structures, kept);
    if (!kept) {
        d->raster.rasterizer_discard = is_rasterizer_discard(e, &d->om.depth_stencil);
        d->clip = (struct clip_state){0};
        clip_state_init(d, e);
        sbe_state_init(d, e);
    }
    d->is_decoded = viewports_init(d, b, structures);
    clip_ranges_init(d);
    return d->is_decoded;
}

/* Whether the phase is possible with the decoded state. draw_is_valid has checked the cursor without it. */
static bool draw_phase_valid(const struct draw_state *s, const struct draw_cursor *c)
{
    switch ((enum draw_phase)c->phase) {
    case DRAW_ASSEMBLE:
        return true;
    case DRAW_PATCH:
        return s->te.enable;
    case DRAW_RESUME:
    case DRAW_GS_OUTPUT:
        return s->primitive_phase == (c->phase == DRAW_RESUME ? DRAW_ASSEMBLE : c->phase);
    case DRAW_PART:
        return s->raster.fill_mode[0] || s->raster.fill_mode[1] || draw_has_next_replica(s, c);
    case DRAW_RASTERIZE:
    case DRAW_CLEAR:
        return (s->raster.fast_clear != FAST_CLEAR_NONE) == (c->phase == DRAW_CLEAR);
    case DRAW_IDLE:
    case DRAW_PHASES:
        break;
    }
    return false;
}

/* Validates a loaded cursor: every position is in range. A forged file may hold anything. */
static bool draw_cursor_valid(const struct draw *d, const struct urb *u)
{
    enum { MOST = 1 << 17 };
    const struct draw_cursor *const c = &d->cursor;
    const struct draw_state *const s = &d->state;
    bool valid = c->instance < s->call.instance_count && s->call.vertex_count &&
                 topology_vertices_per_primitive(c->raster_topology) &&
                 topology_vertices_per_object(s->call.topology) &&
                 (s->gs.gen6_enable || c->raster_topology == s->raster_topology) &&
                 (s->gs.enable || s->te.enable || s->gs.gen6_rendering_enable ||
                  topology_vertices_per_primitive(s->call.topology) ==
                      topology_vertices_per_primitive(c->raster_topology)) &&
                 (!c->is_set_up || s->replication.mask >> c->replica & 1u) && draw_phase_valid(s, c) &&
                 u->entry_dw <= URB_ENTRY_DW && u->gs.entry_dw <= GS_ENTRY_DW &&
                 (!s->gs.enable || (s->gs.vertex_count && s->gs.vertex_count <= GS_OBJECT_VERTICES));
    for (unsigned axis = 0; axis < 2 && draw_phase_has_primitive(c->phase); axis++)
        valid &= c->subspan_xy[axis] >= -MOST && c->subspan_xy[axis] <= MOST;
    return valid;
}

bool draw_cursor_restore(struct draw *d, struct message_context *b)
{
    const struct draw_cursor at = d->cursor;
    const uint32_t *dw[CORNERS];
    unsigned clipped;
    d->setup.line_stipple.applies = false;
    urb_layout_init(b->urb, &d->state);
    if (draw_stages_of(&d->state) != at.stages || !draw_cursor_valid(d, b->urb))
        return false;
    primitive_corners(&d->primitive, dw);
    if (at.is_set_up && (!setup_primitive(d, dw, &clipped) || d->cursor.part != at.part))
        return false;
    if (at.phase != DRAW_RASTERIZE) /* the counter is the next line's */
        d->setup.line_stipple.applies = false;
    return !d->state.te.enable || at.phase == DRAW_ASSEMBLE || tess_make_patch(d, b);
}
