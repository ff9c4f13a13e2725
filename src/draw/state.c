/* What a draw asks for: of the state that is kept, and of structures in memory. */
#include "draw/draw.h"

#include <math.h>

static const struct state_field blending_fields[] = {
    STATE_FLAG(struct blending, enabled),
    STATE_NUMBER(struct blending, written, 16),
    STATE_NUMBER(struct blending, color, 8),
    STATE_NUMBER(struct blending, color_source, 32),
    STATE_NUMBER(struct blending, color_destination, 32),
    STATE_NUMBER(struct blending, alpha, 8),
    STATE_NUMBER(struct blending, alpha_source, 32),
    STATE_NUMBER(struct blending, alpha_destination, 32),
    STATE_NUMBER(struct blending, logic, LOGIC_NONE + 1),
    STATE_NUMBER(struct blending, clamps, 8),
    STATE_NUMBER(struct blending, clamped, CLAMP_RANGES),
    STATE_FLAG(struct blending, alpha_one),
};
static const struct state_field depth_surface_fields[] = {
    STATE_NUMBER(struct depth_surface, base, 0),
    STATE_NUMBER(struct depth_surface, pitch_bytes, 1 << 19),
    STATE_NUMBER(struct depth_surface, qpitch, 1 << 18),
    STATE_NUMBER(struct depth_surface, first_element, 1 << 12),
    STATE_NUMBER(struct depth_surface, elements, 1 << 12),
    STATE_NUMBER(struct depth_surface, width, 1 << 15),
    STATE_NUMBER(struct depth_surface, height, 1 << 15),
    STATE_NUMBER(struct depth_surface, tiling, SOFTGT_TILE_64 + 1),
    STATE_FLAG(struct depth_surface, tiled_w),
    STATE_FLAG(struct depth_surface, there),
    STATE_FLAG(struct depth_surface, among_depths),
    STATE_NUMBERS(struct depth_surface, reserved, 1),
};
static const struct state_field stencil_side_fields[] = {
    STATE_NUMBER(struct stencil_side, function, 8),   STATE_NUMBER(struct stencil_side, fail, 8),
    STATE_NUMBER(struct stencil_side, depth_fail, 8), STATE_NUMBER(struct stencil_side, pass, 8),
    STATE_NUMBER(struct stencil_side, reference, 0),  STATE_NUMBER(struct stencil_side, test_mask, 0),
    STATE_NUMBER(struct stencil_side, write_mask, 0), STATE_NUMBER(struct stencil_side, reserved, 1),
};
static const struct state_field depth_stencil_fields[] = {
    STATE_STRUCT(struct depth_stencil, depth, depth_surface_fields),
    STATE_STRUCT(struct depth_stencil, stencil, depth_surface_fields),
    STATE_STRUCTS(struct depth_stencil, side, stencil_side_fields),
    STATE_NUMBERS(struct depth_stencil, range, 0),
    STATE_NUMBER(struct depth_stencil, format, 8),
    STATE_NUMBER(struct depth_stencil, function, 8),
    STATE_FLAG(struct depth_stencil, tests_depth),
    STATE_FLAG(struct depth_stencil, writes_depth),
    STATE_FLAG(struct depth_stencil, tests_stencil),
    STATE_FLAG(struct depth_stencil, writes_stencil),
    STATE_FLAG(struct depth_stencil, back),
    STATE_FLAG(struct depth_stencil, works),
};
static const struct state_field viewport_fields[] = {
    STATE_NUMBERS(struct viewport, matrix, 0),
    STATE_NUMBERS(struct viewport, depth, 0),
    {.name = "guard", .offset = offsetof(struct viewport, guard), .size = sizeof(float), .count = 4},
    STATE_NUMBERS(struct viewport, low, 0),
    STATE_NUMBERS(struct viewport, high, 0),
};
static const struct state_field outline_fields[] = {
    {.name = "at", .offset = offsetof(struct outline, at), .size = sizeof(int32_t), .count = OUTLINE * 2},
    STATE_NUMBER(struct outline, count, OUTLINE + 1),
    STATE_NUMBER(struct outline, kind, OUTLINES),
};
static const struct state_field clipping_fields[] = {
    STATE_FLAG(struct clipping, clips),
    STATE_FLAG(struct clipping, near),
    STATE_FLAG(struct clipping, far),
    STATE_FLAG(struct clipping, xy),
    STATE_FLAG(struct clipping, near_is_zero),
    STATE_NUMBER(struct clipping, user_clip, 0),
    STATE_NUMBER(struct clipping, user_cull, 0),
    STATE_NUMBER(struct clipping, last_viewport, VIEWPORTS),
};
static const struct state_field depth_offset_fields[] = {
    STATE_NUMBER(struct depth_offset, constant, 0), STATE_NUMBER(struct depth_offset, scale, 0),
    STATE_NUMBER(struct depth_offset, clamp, 0),    STATE_NUMBERS(struct depth_offset, enabled, 2),
    STATE_FLAG(struct depth_offset, plain),
};
static const struct state_field tessellation_state_fields[] = {
    STATE_NUMBER(struct tessellation_state, domain, 4),
    STATE_NUMBER(struct tessellation_state, partitioning, 4),
    STATE_NUMBER(struct tessellation_state, output, 4),
    STATE_NUMBERS(struct tessellation_state, reserved, 1),
    STATE_NUMBER(struct tessellation_state, most_odd, 0),
    STATE_NUMBER(struct tessellation_state, most, 0),
};
static const struct state_field pixels_fields[] = {
    {.name = "at", .offset = offsetof(struct pixels, at), .size = sizeof(uint32_t), .count = SUBSPANS * 2},
    STATE_NUMBER(struct pixels, lit, 0),
    STATE_NUMBER(struct pixels, array_index, 0),
    STATE_NUMBER(struct pixels, killed, 0),
    STATE_NUMBER(struct pixels, tested, 0),
    STATE_NUMBERS(struct pixels, constant, 0),
    STATE_STRUCTS(struct pixels, blending, blending_fields),
    STATE_STRUCT(struct pixels, depth, depth_stencil_fields),
    STATE_NUMBERS(struct pixels, depths, 0),
    STATE_NUMBER(struct pixels, failed, 0),
    STATE_NUMBER(struct pixels, alpha_reference, 0),
    STATE_NUMBER(struct pixels, alpha_function, 8),
    STATE_FLAG(struct pixels, alpha_of_8_bits),
    STATE_FLAG(struct pixels, coverage_given),
    STATE_FLAG(struct pixels, depth_given),
    STATE_FLAG(struct pixels, tests_late),
    STATE_NUMBERS(struct pixels, reserved, 1),
};
const struct state_field drawing_fields[DRAWING_FIELDS] = {
    STATE_NUMBERS(struct drawing, corners, 0),
    STATE_STRUCTS(struct drawing, viewports, viewport_fields),
    STATE_STRUCT(struct drawing, outline, outline_fields),
    STATE_STRUCT(struct drawing, clipping, clipping_fields),
    STATE_STRUCT(struct drawing, offset_of_depth, depth_offset_fields),
    STATE_STRUCT(struct drawing, tessellation, tessellation_state_fields),
    STATE_NUMBER(struct drawing, added_depth, 0),
    STATE_NUMBER(struct drawing, line_width, 0),
    STATE_NUMBER(struct drawing, point_width, 0),
    STATE_NUMBER(struct drawing, least_point, 0),
    STATE_NUMBER(struct drawing, most_point, 0),
    STATE_NUMBERS(struct drawing, planes, 0),
    STATE_NUMBER(struct drawing, vertices, 0),
    STATE_NUMBER(struct drawing, instances, 0),
    STATE_NUMBER(struct drawing, start, 0),
    STATE_NUMBER(struct drawing, start_instance, 0),
    STATE_NUMBER(struct drawing, base_vertex, 0),
    STATE_NUMBER(struct drawing, constant, 0),
    STATE_NUMBERS(struct drawing, swizzle, 0),
    STATE_NUMBER(struct drawing, sprites, 0),
    STATE_NUMBERS(struct drawing, origin, 0),
    STATE_NUMBER(struct drawing, instance, 0),
    STATE_NUMBER(struct drawing, primitive, 0),
    STATE_NUMBER(struct drawing, identity, 0),
    STATE_NUMBER(struct drawing, run, 0),
    STATE_NUMBER(struct drawing, run_primitive, 0),
    STATE_NUMBER(struct drawing, cut_index, 0),
    STATE_NUMBERS(struct drawing, parameters, 0),
    {.name = "box", .offset = offsetof(struct drawing, box), .size = sizeof(int32_t), .count = 4},
    STATE_NUMBERS(struct drawing, at, 0),
    STATE_NUMBERS(struct drawing, resumes_at, 0),
    STATE_NUMBER(struct drawing, piece, 0),
    STATE_NUMBER(struct drawing, passed, 0),
    STATE_STRUCT(struct drawing, pixels, pixels_fields),
    STATE_NUMBER(struct drawing, topology, 64),
    STATE_NUMBER(struct drawing, input, 64),
    STATE_NUMBER(struct drawing, attributes, ATTRIBUTES + 1),
    STATE_NUMBER(struct drawing, offset, 64),
    STATE_NUMBER(struct drawing, barycentrics, 1u << MODES),
    STATE_NUMBER(struct drawing, provoking, CORNERS),
    STATE_NUMBER(struct drawing, viewport, VIEWPORTS),
    STATE_NUMBER(struct drawing, cull, 4),
    STATE_NUMBER(struct drawing, winding, 2),
    STATE_NUMBER(struct drawing, location, 2),
    STATE_FLAG(struct drawing, indexed),
    STATE_FLAG(struct drawing, transforms),
    STATE_FLAG(struct drawing, divides),
    STATE_FLAG(struct drawing, flat_array),
    STATE_FLAG(struct drawing, sprites_upwards),
    STATE_FLAG(struct drawing, last_pixel),
    STATE_FLAG(struct drawing, right_rule),
    STATE_FLAG(struct drawing, point_of_state),
    STATE_FLAG(struct drawing, counts_clipped),
    STATE_NUMBER(struct drawing, rendered, 4),
    STATE_FLAG(struct drawing, shades),
    STATE_FLAG(struct drawing, source_depth),
    STATE_FLAG(struct drawing, source_w),
    STATE_FLAG(struct drawing, offsets),
    STATE_FLAG(struct drawing, coverage),
    STATE_FLAG(struct drawing, vector_mask),
    STATE_FLAG(struct drawing, kills),
    STATE_FLAG(struct drawing, clearing),
    STATE_NUMBER(struct drawing, clears, CLEAR_KINDS),
    STATE_FLAG(struct drawing, statistics),
    STATE_FLAG(struct drawing, shows),
    STATE_FLAG(struct drawing, shades_vertices),
    STATE_FLAG(struct drawing, caches),
    STATE_FLAG(struct drawing, counts_vertices),
    STATE_FLAG(struct drawing, cuts),
    STATE_FLAG(struct drawing, resumes),
    STATE_FLAG(struct drawing, back),
    STATE_NUMBER(struct drawing, found, SUBSPANS),
    STATE_FLAG(struct drawing, discards),
    STATE_FLAG(struct drawing, turned),
    STATE_FLAG(struct drawing, staged),
    STATE_FLAG(struct drawing, makes_primitives),
    STATE_FLAG(struct drawing, streams),
    STATE_FLAG(struct drawing, executes),
    STATE_FLAG(struct drawing, counts_entering),
    STATE_FLAG(struct drawing, counts_made),
    STATE_FLAG(struct drawing, midway),
    STATE_NUMBER(struct drawing, id_attribute, ATTRIBUTES),
    STATE_NUMBER(struct drawing, id_components, 16),
    STATE_FLAG(struct drawing, tessellates),
    STATE_FLAG(struct drawing, patched),
    STATE_FLAG(struct drawing, shares_points),
    STATE_FLAG(struct drawing, objects_stream),
    STATE_FLAG(struct drawing, objects_render),
    STATE_FLAG(struct drawing, coarse),
    STATE_NUMBERS(struct drawing, reserved, 1),
};

/* ---- What is lacking ---- */

/* State that must be as it is where nothing of it is modelled. */
static const struct {
    uint32_t header;
    uint8_t role;
    const char *lack;
} lacks[] = {
    {STATE_MULTISAMPLE, MULTISAMPLE_NUMBER_OF_MULTISAMPLES, "several samples"},
    {STATE_RASTER, RASTER_CONSERVATIVE_RASTERIZATION_ENABLE, "conservative rasterization"},
    {STATE_DEPTH_BOUNDS, DEPTH_BOUNDS_TEST_ENABLE, "depth bounds"},
    {STATE_PS_EXTRA, PSX_IS_PER_COARSE_PIXEL, "coarse pixels"},
    {STATE_PS_EXTRA, PSX_PULLS_BARY, "barycentrics that are asked for"},
    {STATE_PS_EXTRA, PSX_COMPUTES_STENCIL, "a computed stencil"},
    {STATE_PS_EXTRA, PSX_REQUIRES_SUBPIXEL_SAMPLE_OFFSETS, "offsets of samples"},
    {STATE_PS_EXTRA, PSX_REQUIRES_PERSPECTIVE_BARY_PLANE_COEFFICIENTS, "planes of barycentrics"},
    {STATE_PS_EXTRA, PSX_REQUIRES_NON_PERSPECTIVE_BARY_PLANE_COEFFICIENTS, "planes of barycentrics"},
    {STATE_PS_EXTRA, PSX_REQUIRES_SOURCE_DEPTH_AND_OR_W_PLANE_COEFFICIENTS, "planes of depth"},
    {STATE_PS_BLEND, BLEND_ALPHA_TEST_ENABLE, "an alpha test"},
    {STATE_PS_BLEND, BLEND_ALPHA_TO_COVERAGE_ENABLE, "coverage by alpha"},
};

/* The same of points, lines, polygons. */
static const struct {
    uint32_t header;
    uint8_t role, corners;
    const char *lack;
} shapes_lack[] = {
    {STATE_RASTER, RASTER_SMOOTH_POINT_ENABLE, 1, "smooth points"},
    {STATE_RASTER, RASTER_ANTIALIASING_ENABLE, 2, "antialiased lines"},
    {STATE_WM, WM_LINE_STIPPLE_ENABLE, 2, "a stipple"},
    {STATE_RASTER, RASTER_BACK_FACE_FILL_MODE, 3, "lines or points of polygons"},
    {STATE_RASTER, RASTER_FRONT_FACE_FILL_MODE, 3, "lines or points of polygons"},
    {STATE_WM, WM_POLYGON_STIPPLE_ENABLE, 3, "a stipple"},
};

static const char *shading_lacks(const struct engine *e)
{
    if (!draw_state(e, STATE_VS, VS_ENABLE))
        return NULL;
    if (!draw_state(e, STATE_VS, VS_SIMD8_DISPATCH_ENABLE) &&
        draw_has_role(e, STATE_VS, VS_SIMD8_DISPATCH_ENABLE))
        return "a vertex shader of two vertices at once";
    return draw_entry_dw(e, STATE_URB_VS, STATE_URB_ALLOC_VS) > URB_ENTRY_DW ? "vertices of more than 1 KB"
                                                                             : NULL;
}

/* What goes wrong where a patch is to be tessellated. */
static const char *tessellation_lacks(const struct engine *e, const struct draw *draw)
{
    const bool hull = draw_state(e, STATE_HS, HS_ENABLE), domain = draw_state(e, STATE_DS, DS_ENABLE);
    if (!draw_state(e, STATE_TE, TE_ENABLE))
        return hull || domain ? "shaders of patches without tessellation" : NULL;
    if (draw->topology < TOPOLOGY_PATCHLIST_1)
        return "tessellation of other topologies than patches";
    if (!hull || !domain)
        return "tessellation without both of its shaders";
    if (draw_state(e, STATE_GS, GS_ENABLE))
        return "a geometry shader behind tessellation";
    if (draw_state(e, STATE_TE, TE_MODE))
        return "tessellation by software";
    if (draw_state(e, STATE_HS, HS_DISPATCH_MODE) == HS_DUAL_PATCH)
        return "a hull shader of two patches at once";
    if (draw_state(e, STATE_HS, HS_VERTEX_URB_ENTRY_READ_LENGTH))
        return "vertices in a hull shader's registers";
    if (!draw_state(e, STATE_DS, DS_DISPATCH_MODE))
        return "a domain shader of two points at once";
    if (draw_entry_dw(e, STATE_URB_HS, STATE_URB_ALLOC_HS) > PATCH_DW)
        return "patches of more than 32 KB";
    return draw_entry_dw(e, STATE_URB_DS, STATE_URB_ALLOC_DS) > URB_ENTRY_DW ? "vertices of more than 1 KB"
                                                                             : NULL;
}

/* Of what is drawn: what the last stage makes that makes primitives. */
static uint64_t drawn_topology(const struct engine *e, const struct draw *draw)
{
    static const uint8_t tessellated[] = {[TESSELLATES_POINTS] = TOPOLOGY_POINTLIST,
                                          [TESSELLATES_LINES] = TOPOLOGY_LINELIST,
                                          [TESSELLATES_CLOCKWISE] = TOPOLOGY_TRILIST,
                                          [TESSELLATES_COUNTERCLOCKWISE] = TOPOLOGY_TRILIST};
    return draw_state(e, STATE_TE, TE_ENABLE) ? tessellated[draw_state(e, STATE_TE, TE_OUTPUT_TOPOLOGY) & 3u]
                                              : draw->topology;
}

static const char *shape_lacks(const struct engine *e, uint64_t topology)
{
    const unsigned corners = draw_corners_of(topology);
    for (unsigned i = 0; i < sizeof shapes_lack / sizeof shapes_lack[0]; i++)
        if (shapes_lack[i].corners == corners && topology != TOPOLOGY_RECTLIST &&
            draw_state(e, shapes_lack[i].header, shapes_lack[i].role))
            return shapes_lack[i].lack;
    return corners ? NULL : "quads, patches or other topologies";
}

/* No pixel comes of it: nothing leaves the clipper, or nothing is done with what does. */
static bool discards(const struct engine *e, const struct depth_stencil *s)
{
    enum { REJECT_ALL = 3 };
    return (draw_state(e, STATE_CLIP, CLIP_ENABLE) && draw_state(e, STATE_CLIP, CLIP_MODE) == REJECT_ALL) ||
           draw_renders_nothing(e) ||
           !(draw_state(e, STATE_PS_EXTRA, PSX_VALID) || s->works ||
             draw_state(e, STATE_WM, WM_STATISTICS_ENABLE)) ||
           !(draw_state(e, STATE_SAMPLE_MASK, SAMPLE_MASK) & 1u);
}

/* Of resolve types 2 sets the state alone: drivers call that an ambiguate. */
static enum clears clears(const struct engine *e)
{
    enum { FAST_CLEAR_0 = 2 };
    const uint64_t resolve = draw_state(e, STATE_PS, PS_RENDER_TARGET_RESOLVE_ENABLE);
    if (resolve)
        return resolve == FAST_CLEAR_0 ? CLEARS_AMBIGUATE : CLEARS_RESOLVE;
    return draw_state(e, STATE_PS, PS_RENDER_TARGET_FAST_CLEAR_ENABLE) ? CLEARS_FAST : CLEARS_NOTHING;
}

bool draw_executes(const struct engine *e)
{
    return draw_state(e, STATE_TE, TE_ENABLE) || draw_state(e, STATE_GS, GS_ENABLE) ||
           draw_state(e, STATE_GS, GS_STREAMS) || draw_state(e, STATE_STREAMOUT, SO_FUNCTION_ENABLE);
}

const char *draw_lacks(const struct engine *e, const struct draw *draw, bool *nothing)
{
    struct depth_stencil s;
    const char *const depth_lack = draw_take_depth(&s, e, false);
    *nothing = !draw->vertices || !draw->instances ||
               (discards(e, &s) && !draw_state(e, STATE_VS, VS_ENABLE) && !draw_executes(e)) ||
               draw_state(e, STATE_WM, WM_HIERARCHICAL_DEPTH_BUFFER_RESOLVE_ENABLE) ||
               draw_state(e, STATE_WM, WM_DEPTH_BUFFER_RESOLVE_ENABLE); /* depths are not compressed */
    if (*nothing)
        return NULL;
    for (unsigned i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
        if (draw_state(e, lacks[i].header, lacks[i].role))
            return lacks[i].lack;
    for (const struct draw_lack *l = e->info->draw_lacks; l && l->lack; l++)
        if (draw_state(e, l->header, l->role))
            return l->lack;
    const bool makes = draw_state(e, STATE_GS, GS_ENABLE);
    const char *const found[] = {shading_lacks(e), tessellation_lacks(e, draw), depth_lack,
                                 makes ? draw_lacks_geometry(e, draw->topology) : NULL};
    for (unsigned i = 0; i < sizeof found / sizeof found[0]; i++)
        if (found[i])
            return found[i];
    return shape_lacks(e, makes ? draw_state(e, STATE_GS, GS_OUTPUT_TOPOLOGY) : drawn_topology(e, draw));
}

void draw_load_there(struct engine *e, uint64_t at, void *to, size_t size_bytes)
{
    uint8_t *bytes = to;
    while (size_bytes) {
        struct translation t;
        const uint64_t address = mmu_address(&e->mmu, SPACE_PPGTT, at),
                       left = PAGE_BYTES - address % PAGE_BYTES;
        const size_t part = left < size_bytes ? left : size_bytes;
        memset(bytes, 0, part);
        if (mmu_translate(&e->mmu, SPACE_PPGTT, address, &t))
            load_into(e, SPACE_PPGTT, address, bytes, part);
        at += part;
        bytes += part;
        size_bytes -= part;
    }
}

static const char *surface_lacks(const struct bindings *b, const struct surface_state *s, bool drawn_to)
{
    const uint32_t format = surface_field(s, SURFACE_FORMAT) % SURFACE_FORMATS;
    if (surface_field(s, SURFACE_TYPE) > SURFTYPE_CUBE)
        return NULL;
    if (surface_field(s, SURFACE_NUMBER_OF_MULTISAMPLES))
        return "a surface of several samples";
    if (surface_field(s, SURFACE_DEPTH) && !s->row->by_role[SURFACE_QPITCH].name &&
        !s->row->by_role[SURFACE_QPITCH_ARRAY].name)
        return "a surface whose elements are where no state says";
    if (!b->formats[format] && (drawn_to || !b->blocks[format]))
        return "a surface whose format has no pixels";
    return NULL;
}

/* Render targets come first in a binding table; how many entries it has is a hint: what turns up behind them
 * leaves the draw when it does. */
static const char *surfaces_lack(struct bindings *b)
{
    enum { ENTRY_BYTES = 4, SURFACE_NS = 60 };
    struct engine *const e = b->engine;
    const bool drawn_to =
        draw_state(e, STATE_PS_BLEND, BLEND_HAS_WRITEABLE_RT) || clears(e) || e->info->draw_places;
    const uint64_t named = draw_state(e, STATE_PS, COUNT_BINDING_TABLE_ENTRY_COUNT),
                   count = named ? named : drawn_to;
    struct surface_state s = {.row = b->surface_state};
    const char *lack = NULL;
    for (uint64_t n = 0; n < count && !lack; n++) {
        uint32_t entry;
        draw_load_there(e, b->binding_table + n * ENTRY_BYTES, &entry, sizeof entry);
        draw_load_there(e, b->surfaces + surface_pointer(b, entry), s.dw, sizeof s.dw);
        lack = surface_lacks(b, &s, drawn_to && !n);
        e->witness->cost_ns += SURFACE_NS;
    }
    return lack;
}

const char *draw_lacks_bound(struct bindings *b)
{
    const char *const lack = draw_lacks_elements(b);
    return lack ? lack : surfaces_lack(b);
}

void draw_leave(struct engine *e, const char *lack, const char *how)
{
    e->totals.draws_left++;
    complain(e->witness, SOFTGT_NOT_MODELLED, e->info->name, e->parse.command_address,
             "3DPRIMITIVE with %s: counted, %s", lack, how);
}

/* ---- What it is ---- */

static uint64_t pointer_of(const struct bindings *b, uint32_t header, unsigned role)
{
    return b->dynamic + draw_state(b->engine, header, role);
}

static const struct command *structure_row(const struct command_set *set, enum structure structure)
{
    return set->rows[structure_find(set, structure)];
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t whole(float value)
{
    enum { MOST = 1 << 14 };
    return value > -MOST ? value < MOST ? (int32_t)floorf(value) : MOST : -MOST;
}

/* Pixels of the first and of the last are inside. */
static void bound(struct viewport *v, unsigned axis, int32_t first, int32_t last)
{
    v->low[axis] = most(v->low[axis], first);
    v->high[axis] = least(v->high[axis], last + 1);
}

/* What of the structure that a pointer names has so many dwords; zeros where there is no pointer. */
static bool load_structure(struct bindings *b, uint32_t header, unsigned role, unsigned number, uint32_t *dw,
                           unsigned length_dw)
{
    return load_into(b->engine, SPACE_PPGTT,
                     pointer_of(b, header, role) + (uint64_t)number * length_dw * sizeof *dw, dw,
                     length_dw * sizeof *dw);
}

static bool is_kept(const struct engine *e, uint32_t header)
{
    const struct command *row;
    uint32_t length_dw;
    unsigned more;
    return draw_kept(e, header, &row, &length_dw, &more) != NULL;
}

/* Where a viewport has no extents it is the clipper that keeps to it, unless it is told of a band around it.
 * (SNB PRM vol 2 part 1, Guard Band; Mesa, i965: gen6_clip_state) */
static bool take_guard(struct drawing *d, struct bindings *b, const struct command_set *structures,
                       unsigned number)
{
    enum { GUARD_DW = 4 };
    const struct command *const row = structure_row(structures, CLIP_VIEWPORT);
    struct viewport *const v = &d->viewports[number];
    uint32_t dw[GUARD_DW];
    if (!draw_state(b->engine, STATE_CLIP, CLIP_GUARDBAND_CLIP_TEST_ENABLE)) {
        for (unsigned axis = 0; axis < 2 && d->clipping.xy; axis++) {
            v->guard[axis][0] = -1;
            v->guard[axis][1] = 1;
        }
        return true;
    }
    if (!load_structure(b, STATE_VIEWPORT_POINTERS, VIEWPORT_CLIP_VIEWPORT_POINTER, number, dw, GUARD_DW))
        return false;
    for (unsigned i = 0; i < GUARD_DW; i++)
        v->guard[i / 2][i % 2] =
            draw_float((uint32_t)field_at(&row->places[CLIP_VIEWPORT_XMIN_CLIP_GUARDBAND + i], dw, GUARD_DW));
    return true;
}

/* A viewport's matrix and extents, which count where it transforms, its depths, and its scissor. */
static bool take_viewport(struct drawing *d, struct bindings *b, const struct command_set *structures,
                          unsigned number)
{
    enum { VIEWPORT_DW = 16, DEPTHS_DW = 2, SCISSOR_DW = 2 };
    const bool apart = !structure_find(structures, SF_CLIP_VIEWPORT); /* and without extents, on Gen6 */
    const struct command *row = structure_row(structures, apart ? SF_VIEWPORT : SF_CLIP_VIEWPORT);
    struct viewport *const v = &d->viewports[number];
    uint32_t dw[VIEWPORT_DW] = {0};
    if (d->transforms) {
        if (!load_structure(b, STATE_VIEWPORT_POINTERS, VIEWPORT_SF_CLIP_VIEWPORT_POINTER, number, dw,
                            apart ? VIEWPORT_DW / 2 : VIEWPORT_DW))
            return false;
        float of[VIEWPORT_Y_MAX_VIEWPORT - VIEWPORT_MATRIX_ELEMENT_M00 + 1] = {0};
        for (unsigned i = 0; i < (apart ? VIEWPORT_MATRIX_ELEMENT_M32 + 1 : VIEWPORT_Y_MAX_VIEWPORT + 1) -
                                     VIEWPORT_MATRIX_ELEMENT_M00;
             i++)
            of[i] = draw_float(
                (uint32_t)field_at(&row->places[VIEWPORT_MATRIX_ELEMENT_M00 + i], dw, VIEWPORT_DW));
        memcpy(v->matrix, of, sizeof v->matrix);
        for (unsigned axis = 0; axis < 2 && !apart; axis++)
            bound(v, axis,
                  whole(of[VIEWPORT_X_MIN_VIEWPORT - VIEWPORT_MATRIX_ELEMENT_M00 + 2 * axis]) +
                      d->origin[axis],
                  whole(of[VIEWPORT_X_MAX_VIEWPORT - VIEWPORT_MATRIX_ELEMENT_M00 + 2 * axis]) +
                      d->origin[axis]);
        if (apart && d->clipping.clips && !take_guard(d, b, structures, number))
            return false;
    }
    v->depth[0] = -INFINITY;
    v->depth[1] = INFINITY;
    if (d->pixels.depth.works && is_kept(b->engine, STATE_DEPTH_RANGE_POINTERS)) {
        if (!load_structure(b, STATE_DEPTH_RANGE_POINTERS, DEPTH_RANGE_CC_VIEWPORT_POINTER, number, dw,
                            DEPTHS_DW))
            return false;
        row = structure_row(structures, CC_VIEWPORT);
        for (unsigned i = 0; i < 2; i++)
            v->depth[i] =
                draw_float((uint32_t)field_at(&row->places[CC_VIEWPORT_MINIMUM_DEPTH + i], dw, DEPTHS_DW));
    }
    if (draw_state(b->engine, STATE_WM, WM_DEPTH_BUFFER_CLEAR))
        v->depth[0] = v->depth[1] = draw_cleared_depth(b->engine);
    if (!draw_state(b->engine, STATE_RASTER, RASTER_SCISSOR_RECTANGLE_ENABLE))
        return true;
    if (!load_structure(b, STATE_SCISSOR_POINTERS, SCISSOR_RECT_POINTER, number, dw, SCISSOR_DW))
        return false;
    row = structure_row(structures, SCISSOR_RECT);
    for (unsigned i = 0; i < 2; i++)
        bound(v, i,
              (int32_t)field_at(&row->places[SCISSOR_RECTANGLE_X_MIN + i], dw, SCISSOR_DW) + d->origin[i],
              (int32_t)field_at(&row->places[SCISSOR_RECTANGLE_X_MAX + i], dw, SCISSOR_DW) + d->origin[i]);
    return true;
}

/* All that may be named, in the drawing rectangle; where that never came it is all. */
static bool take_viewports(struct drawing *d, struct bindings *b, const struct command_set *structures)
{
    enum { MOST = 1 << 14 };
    const struct engine *const e = b->engine;
    struct viewport all = {.high = {MOST, MOST}, .guard = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}}};
    if (is_kept(e, STATE_DRAWING_RECTANGLE))
        for (unsigned i = 0; i < 2; i++) {
            all.low[i] =
                (int32_t)draw_state(e, STATE_DRAWING_RECTANGLE, DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MIN + i);
            all.high[i] = least(MOST, (int32_t)draw_state(e, STATE_DRAWING_RECTANGLE,
                                                          DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MAX + i) +
                                          1);
            d->origin[i] = (int16_t)draw_state(e, STATE_DRAWING_RECTANGLE, DRAWING_RECTANGLE_ORIGIN_X + i);
        }
    for (unsigned n = 0; n <= d->clipping.last_viewport; n++) {
        d->viewports[n] = all;
        if (!take_viewport(d, b, structures, n))
            return false;
    }
    return true;
}

/* Which distances count is said by the last stage of vertices, unless the clipper is told to say it. Up to
 * Gen8 one bit is for both ends of the depth. */
static void take_clipping(struct drawing *d, const struct engine *e)
{
    enum { ACCEPT_ALL = 4 };
    const uint32_t last = d->makes_primitives ? STATE_GS : d->tessellates ? STATE_DS : STATE_VS;
    const bool enabled = draw_state(e, STATE_CLIP, CLIP_ENABLE),
               accepts = !enabled || draw_state(e, STATE_CLIP, CLIP_MODE) == ACCEPT_ALL;
    struct clipping *const c = &d->clipping;
    const struct command *row;
    uint32_t length_dw;
    const bool ends_apart = pipeline_kept(&e->pipeline, STATE_RASTER, &row, &length_dw) &&
                            row->by_role[RASTER_VIEWPORT_Z_FAR_CLIP_TEST_ENABLE].name;
    c->clips = draw_state(e, STATE_CLIP, CLIP_ENABLE) && !draw_state(e, STATE_CLIP, CLIP_MODE);
    c->near = draw_state(e, STATE_RASTER, RASTER_VIEWPORT_Z_NEAR_CLIP_TEST_ENABLE);
    c->far = ends_apart ? draw_state(e, STATE_RASTER, RASTER_VIEWPORT_Z_FAR_CLIP_TEST_ENABLE) : c->near;
    c->xy = draw_state(e, STATE_CLIP, CLIP_VIEWPORT_XY_CLIP_TEST_ENABLE);
    c->near_is_zero = draw_state(e, STATE_CLIP, CLIP_API_MODE);
    const bool by_clipper = !draw_has_role(
        e, STATE_CLIP, CLIP_FORCE_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK); /* up to Gen7 */
    c->user_clip = (uint8_t)(by_clipper || draw_state(e, STATE_CLIP,
                                                      CLIP_FORCE_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK)
                                 ? draw_state(e, STATE_CLIP, CLIP_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK)
                                 : draw_state(e, last, SHADER_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK));
    c->user_cull = (uint8_t)(by_clipper || draw_state(e, STATE_CLIP,
                                                      CLIP_FORCE_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK)
                                 ? draw_state(e, STATE_CLIP, CLIP_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK)
                                 : draw_state(e, last, SHADER_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK));
    c->last_viewport = (uint8_t)draw_state(e, STATE_CLIP, COUNT_MAXIMUM_VP_INDEX) % VIEWPORTS;
    d->counts_clipped = (c->clips || (d->executes && accepts)) &&
                        draw_state(e, STATE_SF, SF_STATISTICS_ENABLE) && !draw_renders_nothing(e);
    d->counts_entering = d->executes && enabled && draw_state(e, STATE_CLIP, CLIP_STATISTICS_ENABLE) &&
                         !draw_renders_nothing(e);
}

/* Points, lines, and what is added to depths. Widths count eighths of a pixel, those of lines 1/128. */
static void take_shapes(struct drawing *d, const struct engine *e)
{
    enum { POINT_PARTS = 8, LINE_PARTS = 128 };
    static const uint8_t offsets[CORNERS] = {RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_POINT,
                                             RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_WIREFRAME,
                                             RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_SOLID};
    struct depth_offset *const o = &d->offset_of_depth;
    d->line_width = (float)draw_state(e, STATE_SF, SF_LINE_WIDTH) / LINE_PARTS;
    d->point_width = (float)draw_state(e, STATE_SF, SF_POINT_WIDTH) / POINT_PARTS;
    d->least_point = (float)draw_state(e, STATE_CLIP, CLIP_MINIMUM_POINT_WIDTH) / POINT_PARTS;
    d->most_point = (float)draw_state(e, STATE_CLIP, CLIP_MAXIMUM_POINT_WIDTH) / POINT_PARTS;
    d->point_of_state = draw_state(e, STATE_SF, SF_POINT_WIDTH_SOURCE);
    d->last_pixel = draw_state(e, STATE_SF, SF_LAST_PIXEL_ENABLE);
    d->right_rule = draw_state(e, STATE_WM, WM_POINT_RASTERIZATION_RULE);
    d->sprites = (uint32_t)draw_state(e, STATE_SBE, SBE_POINT_SPRITE_TEXTURE_COORDINATE_ENABLE);
    d->sprites_upwards = draw_state(e, STATE_SBE, SBE_POINT_SPRITE_TEXTURE_COORDINATE_ORIGIN);
    for (unsigned i = 0; i < CORNERS; i++)
        o->enabled[i] = draw_state(e, STATE_RASTER, offsets[i]);
    o->constant = draw_float((uint32_t)draw_state(e, STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_CONSTANT));
    o->plain = draw_state(e, STATE_SF, SF_LEGACY_GLOBAL_DEPTH_BIAS_ENABLE);
    o->scale = draw_float((uint32_t)draw_state(e, STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_SCALE));
    o->clamp = draw_float((uint32_t)draw_state(e, STATE_RASTER, RASTER_GLOBAL_DEPTH_OFFSET_CLAMP));
}

/* Whether a target is blended by the constant color. */
static bool takes_constant(const struct blending *t)
{
    enum { CONSTANT = 7, CONSTANT_ALPHA = 8, CODES = 15 }; /* bit 4: one less it */
    const unsigned codes = 1u << (t->color_source & CODES) | 1u << (t->color_destination & CODES) |
                           1u << (t->alpha_source & CODES) | 1u << (t->alpha_destination & CODES);
    return t->enabled && codes & (1u << CONSTANT | 1u << CONSTANT_ALPHA);
}

/* A float, or of 255. */
static void take_alpha_reference(struct pixels *p, struct bindings *b, const struct command_set *structures)
{
    enum { REFERENCE_DW = 2, STEPS = 0xff };
    const struct command *const row = structure_row(structures, COLOR_CALC_STATE);
    uint32_t dw[REFERENCE_DW];
    draw_load_there(b->engine, pointer_of(b, STATE_CC_POINTERS, COLOR_CALC_STATE_POINTER), dw, sizeof dw);
    const uint32_t reference =
        (uint32_t)field_at(&row->places[CALC_ALPHA_REFERENCE_VALUE_AS_FLOAT32], dw, REFERENCE_DW);
    p->alpha_of_8_bits = !field_at(&row->places[CALC_ALPHA_TEST_FORMAT], dw, REFERENCE_DW);
    p->alpha_reference = p->alpha_of_8_bits ? (float)(reference & STEPS) : draw_float(reference);
    p->tests_late = true;
}

/* BLEND_STATE: a dword for all, then two for each target; who draws to one may have written no more. */
static void take_blending(struct pixels *p, struct bindings *b, const struct command_set *structures)
{
    enum { FIRST_DW = 1, EACH_DW = 2, CONSTANT_BYTES = 8 };
    const struct command *const row = structure_row(structures, BLEND_STATE);
    uint32_t dw[FIRST_DW + RENDER_TARGETS * EACH_DW] = {0};
    bool constant = false;
    if (is_kept(b->engine, STATE_BLEND_POINTERS))
        draw_load_there(b->engine, pointer_of(b, STATE_BLEND_POINTERS, BLEND_STATE_POINTER), dw, sizeof dw);
    const bool all_apart =
        row->group_dw && field_at(&row->places[BLEND_STATE_INDEPENDENT_ALPHA_BLEND_ENABLE], dw, FIRST_DW);
    const bool all_one =
        row->group_dw && field_at(&row->places[BLEND_STATE_ALPHA_TO_ONE_ENABLE], dw, FIRST_DW);
    for (unsigned n = 0; n < RENDER_TARGETS; n++) {
        struct blending *const to = &p->blending[n];
        const uint32_t *const from = dw + row->group_dw + n * EACH_DW;
        uint8_t value[TARGET_ROLES] = {0};
        for (unsigned i = 0; i < row->group_count; i++)
            if (row->group[i].role)
                value[row->group[i].role] = (uint8_t)field_get(&row->group[i], from, EACH_DW);
        const bool independent = all_apart || value[TARGET_INDEPENDENT_ALPHA_BLEND_ENABLE];
        *to = (struct blending){
            .enabled = value[TARGET_COLOR_BUFFER_BLEND_ENABLE],
            .written = (uint8_t)(15u & ~(value[TARGET_WRITE_DISABLE_RED] |
                                         (unsigned)value[TARGET_WRITE_DISABLE_GREEN] << 1 |
                                         (unsigned)value[TARGET_WRITE_DISABLE_BLUE] << 2 |
                                         (unsigned)value[TARGET_WRITE_DISABLE_ALPHA] << 3)),
            .color = value[TARGET_COLOR_BLEND_FUNCTION],
            .color_source = value[TARGET_SOURCE_BLEND_FACTOR],
            .color_destination = value[TARGET_DESTINATION_BLEND_FACTOR],
            .alpha = value[independent ? TARGET_ALPHA_BLEND_FUNCTION : TARGET_COLOR_BLEND_FUNCTION],
            .alpha_source =
                value[independent ? TARGET_SOURCE_ALPHA_BLEND_FACTOR : TARGET_SOURCE_BLEND_FACTOR],
            .logic = value[TARGET_LOGIC_OP_ENABLE] ? value[TARGET_LOGIC_OP_FUNCTION] : LOGIC_NONE,
            .alpha_destination =
                value[independent ? TARGET_DESTINATION_ALPHA_BLEND_FACTOR : TARGET_DESTINATION_BLEND_FACTOR],
            .clamps = (uint8_t)((value[TARGET_PRE_BLEND_COLOR_CLAMP_ENABLE] ? CLAMPS_INPUTS : 0) |
                                (value[TARGET_PRE_BLEND_SOURCE_ONLY_CLAMP_ENABLE] ? CLAMPS_SOURCE : 0) |
                                (value[TARGET_POST_BLEND_COLOR_CLAMP_ENABLE] ? CLAMPS_RESULT : 0)),
            .clamped = value[TARGET_COLOR_CLAMP_RANGE],
            .alpha_one = all_one || value[TARGET_ALPHATOONE_ENABLE]};
        constant |= takes_constant(to);
        if (!n && value[TARGET_ALPHA_TEST_ENABLE])
            p->alpha_function = value[TARGET_ALPHA_TEST_FUNCTION];
    }
    if (p->alpha_function)
        take_alpha_reference(p, b, structures);
    if (constant)
        draw_load_there(b->engine,
                        pointer_of(b, STATE_CC_POINTERS, COLOR_CALC_STATE_POINTER) + CONSTANT_BYTES,
                        p->constant, sizeof p->constant);
}

static void take_attributes(struct drawing *d, const struct engine *e)
{
    const struct command *row;
    uint32_t length_dw;
    unsigned more;
    const uint32_t *const dw = draw_kept(e, STATE_SBE_SWIZ, &row, &length_dw, &more);
    const uint64_t count = draw_state(e, STATE_SBE, SBE_NUMBER_OF_SF_OUTPUT_ATTRIBUTES);
    d->attributes = (uint8_t)(count < ATTRIBUTES ? count : ATTRIBUTES);
    if (!draw_state(e, STATE_PS_EXTRA, PSX_ATTRIBUTE_ENABLE))
        d->attributes = 0;
    d->offset = (uint8_t)draw_state(e, STATE_SBE, SBE_VERTEX_URB_ENTRY_READ_OFFSET);
    d->constant = (uint32_t)draw_state(e, STATE_SBE, SBE_CONSTANT_INTERPOLATION_ENABLE);
    d->id_attribute =
        (uint8_t)draw_state(e, STATE_SBE, SBE_PRIMITIVE_ID_OVERRIDE_ATTRIBUTE_SELECT) % ATTRIBUTES;
    for (unsigned i = 0; i < 4; i++)
        d->id_components |=
            (uint8_t)(draw_state(e, STATE_SBE, SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_X + i) << i);
    for (unsigned n = 0; n < SWIZZLES; n++)
        d->swizzle[n] = n;
    if (!dw || !draw_state(e, STATE_SBE, SBE_ATTRIBUTE_SWIZZLE_ENABLE))
        return;
    for (unsigned n = 0; n < SWIZZLES; n++) {
        enum { EACH_BITS = 16 };
        const uint32_t first = row->by_role[SWIZ_ATTRIBUTE_SOURCE_ATTRIBUTE + more].first + n * EACH_BITS;
        d->swizzle[n] = first / 32u < length_dw ? dw[first / 32u] >> first % 32u & 0xffffu : n;
    }
}

/* What is generated beside a vertex's number and its instance: parameters, or where the draw starts. */
static void take_parameters(struct drawing *d, const struct engine *e, const struct draw *draw)
{
    memcpy(d->parameters, draw->parameters, sizeof d->parameters);
    if (draw_state(e, STATE_VF_SGVS_2, SGVS_XP0_SOURCE_SELECT))
        d->parameters[0] = draw->indexed ? (uint32_t)draw->base_vertex : draw->start;
    if (draw_state(e, STATE_VF_SGVS_2, SGVS_XP1_SOURCE_SELECT))
        d->parameters[1] = draw->start_instance;
}

static void take_entries(struct urb *u, const struct engine *e)
{
    memset(u->used, 0, sizeof u->used);
    u->turn = 0;
    u->stage = STAGE_NONE;
    u->reaches = u->count = 0;
    u->geometry = (struct geometry){0}; /* of a draw that did not come to its end */
    u->made = (struct made){0};
    u->entry_dw = (uint32_t)draw_entry_dw(e, STATE_URB_VS, STATE_URB_ALLOC_VS);
    u->first = draw_first_handle(e, STATE_URB_VS, STATE_URB_ALLOC_VS);
}

static void take_tessellation(struct drawing *d, const struct engine *e)
{
    d->tessellates = d->staged = draw_state(e, STATE_TE, TE_ENABLE);
    d->shares_points = !draw_state(e, STATE_DS, DS_CACHE_DISABLE);
    d->tessellation = (struct tessellation_state){
        .domain = (uint8_t)draw_state(e, STATE_TE, TE_DOMAIN),
        .partitioning = (uint8_t)draw_state(e, STATE_TE, TE_PARTITIONING),
        .output = (uint8_t)draw_state(e, STATE_TE, TE_OUTPUT_TOPOLOGY),
        .most_odd = draw_float((uint32_t)draw_state(e, STATE_TE, TE_MAXIMUM_TESSELLATION_FACTOR_ODD)),
        .most = draw_float((uint32_t)draw_state(e, STATE_TE, TE_MAXIMUM_TESSELLATION_FACTOR_NOT_ODD)),
    };
}

/* Up to Gen7 the greatest index of its size is the one that cuts. */
static void take_cuts(struct drawing *d, const struct engine *e)
{
    enum { FORMATS = 4 };
    static const uint32_t greatest[FORMATS] = {UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT32_MAX};
    const bool by_state = draw_state(e, STATE_VF, VF_INDEXED_DRAW_CUT_INDEX_ENABLE);
    d->cuts = d->indexed && (by_state || draw_state(e, STATE_INDEX_BUFFER, INDEX_CUT_INDEX_ENABLE));
    d->cut_index = by_state ? (uint32_t)draw_state(e, STATE_VF, VF_CUT_INDEX)
                            : greatest[draw_state(e, STATE_INDEX_BUFFER, INDEX_FORMAT) % FORMATS];
}

uint8_t draw_provoking(const struct engine *e, uint64_t topology)
{
    const unsigned role = draw_corners_of(topology) < CORNERS ? SF_LINE_STRIP_LIST_PROVOKING_VERTEX_SELECT
                          : topology == TOPOLOGY_TRIFAN       ? SF_TRIANGLE_FAN_PROVOKING_VERTEX_SELECT
                                                        : SF_TRIANGLE_STRIP_LIST_PROVOKING_VERTEX_SELECT;
    return (uint8_t)(topology == TOPOLOGY_POLYGON ? 0 : draw_state(e, STATE_SF, role) % CORNERS);
}

/* Whether the shader runs before pixels are tested: where it says something of them, or the state wants it
 * so, as drivers do of shaders with side effects. (SKL PRM vol 2a, 3DSTATE_WM: Early Depth/Stencil Control)
 */
static bool tests_late(const struct engine *e)
{
    enum { EDSC_PSEXEC = 1, EDSC_PREPS = 2 };
    const uint64_t control = draw_state(e, STATE_WM, WM_EARLY_DEPTH_STENCIL_CONTROL);
    if (control == EDSC_PSEXEC)
        return true;
    return control != EDSC_PREPS && (draw_state(e, STATE_PS_EXTRA, PSX_KILLS_PIXEL) ||
                                     draw_state(e, STATE_PS_EXTRA, PSX_COMPUTED_DEPTH_MODE) ||
                                     draw_state(e, STATE_PS_EXTRA, PSX_OMASK_PRESENT_TO_RENDER_TARGET));
}

bool draw_take(struct drawing *d, struct bindings *b, const struct command_set *structures,
               const struct draw *draw)
{
    const struct engine *const e = b->engine;
    *d = (struct drawing){
        .topology = (uint8_t)drawn_topology(e, draw),
        .input = (uint8_t)draw->topology,
        .vertices = draw->vertices,
        .instances = draw->instances,
        .start = draw->start,
        .start_instance = draw->start_instance,
        .base_vertex = (uint32_t)draw->base_vertex,
        .indexed = draw->indexed,
        .transforms = draw_state(e, STATE_SF, SF_VIEWPORT_TRANSFORM_ENABLE),
        .divides = !draw_state(e, STATE_CLIP, CLIP_PERSPECTIVE_DIVIDE_DISABLE),
        .flat_array = draw_state(e, STATE_CLIP, CLIP_FORCE_ZERO_RTA_INDEX_ENABLE),
        .cull = (uint8_t)draw_state(e, STATE_RASTER, RASTER_CULL_MODE),
        .winding = (uint8_t)draw_state(e, STATE_RASTER, RASTER_FRONT_WINDING),
        .location = (uint8_t)draw_state(e, STATE_MULTISAMPLE, MULTISAMPLE_PIXEL_LOCATION),
        .barycentrics = (uint8_t)draw_state(e, STATE_WM, WM_BARYCENTRIC_INTERPOLATION_MODE),
        .statistics = draw_state(e, STATE_WM, WM_STATISTICS_ENABLE),
        .vector_mask = draw_state(e, STATE_PS, SHADER_VECTOR_MASK_ENABLE),
        .clears = (uint8_t)clears(e),
        .shades_vertices = draw_state(e, STATE_VS, VS_ENABLE),
        .caches = draw->indexed && !draw_state(e, STATE_VS, VS_VERTEX_CACHE_DISABLE),
        .offsets = draw_state(e, STATE_PS, PS_POSITION_XY_OFFSET_SELECT),
        .source_depth = draw_state(e, STATE_PS_EXTRA, PSX_USES_SOURCE_DEPTH),
        .source_w = draw_state(e, STATE_PS_EXTRA, PSX_USES_SOURCE_W),
        .coverage = draw_state(e, STATE_PS_EXTRA, PSX_INPUT_COVERAGE_MASK_STATE),
        .shades = draw_state(e, STATE_PS_EXTRA, PSX_VALID),
        .kills = draw_state(e, STATE_PS_EXTRA, PSX_KILLS_PIXEL),
        .makes_primitives = draw_state(e, STATE_GS, GS_ENABLE),
        .streams = draw_state(e, STATE_STREAMOUT, SO_FUNCTION_ENABLE),
        .objects_stream = draw_state(e, STATE_GS, GS_STREAMS),
        .objects_render =
            draw_state(e, STATE_GS, GS_STREAMS) && draw_state(e, STATE_GS, GS_RENDERING_ENABLED),
        .executes = draw_executes(e),
        .rendered = (uint8_t)draw_state(e, STATE_STREAMOUT, SO_RENDER_STREAM_SELECT),
        .coarse = draw_state(e, STATE_SF, SF_VERTEX_SUB_PIXEL_PRECISION_SELECT),
        .pixels.tests_late = tests_late(e),
        .pixels.depth_given = draw_state(e, STATE_PS_EXTRA, PSX_COMPUTED_DEPTH_MODE) != 0,
        .pixels.coverage_given = draw_state(e, STATE_PS_EXTRA, PSX_OMASK_PRESENT_TO_RENDER_TARGET) != 0,
    };
    take_tessellation(d, e);
    take_cuts(d, e);
    d->staged |= d->objects_render;
    d->counts_vertices = d->shades_vertices && d->caches && draw_state(e, STATE_VS, VS_STATISTICS_ENABLE);
    take_entries(b->urb, e);
    if (d->makes_primitives)
        draw_take_geometry(d, b);
    d->provoking = draw_provoking(e, d->topology);
    take_parameters(d, e, draw);
    (void)draw_take_depth(&d->pixels.depth, e, false);
    draw_take_references(&d->pixels.depth, b, structures);
    d->discards = discards(e, &d->pixels.depth);
    take_clipping(d, e);
    take_shapes(d, e);
    take_attributes(d, e);
    take_blending(&d->pixels, b, structures);
    d->pixels.tests_late &= d->shades;
    return take_viewports(d, b, structures);
}

/* Where what is at hand may be: a made up state says anything. Without a drawing there are no instances. */
bool draw_holds(const struct drawing *d)
{
    enum { FURTHEST = 1 << 25, MOST = 1 << 17 };
    bool inside = (!d->patched || d->tessellates) &&
                  (!d->midway || d->makes_primitives || d->objects_render) &&
                  d->staged == (d->tessellates || d->makes_primitives || d->objects_render) &&
                  draw_corners_of(d->topology) && draw_vertices_of(d->input) &&
                  (!d->makes_primitives ||
                   (draw_step_of(d->topology) && draw_vertices_of(d->input) <= GEOMETRY_VERTICES)) &&
                  (d->makes_primitives || d->tessellates || d->objects_render ||
                   draw_corners_of(d->input) == draw_corners_of(d->topology)) &&
                  d->vertices && d->instance < d->instances && (!d->shows || d->outline.count);
    for (unsigned axis = 0; axis < 2; axis++) {
        for (unsigned i = 0; i < OUTLINE; i++)
            inside &= d->outline.at[i][axis] >= -FURTHEST && d->outline.at[i][axis] <= FURTHEST;
        for (unsigned n = 0; n < VIEWPORTS; n++)
            inside &= d->viewports[n].low[axis] >= -MOST && d->viewports[n].low[axis] <= MOST &&
                      d->viewports[n].high[axis] >= -MOST && d->viewports[n].high[axis] <= MOST;
        inside &= d->at[axis] >= -MOST && d->at[axis] <= MOST && d->box[0][axis] >= -MOST &&
                  d->box[0][axis] <= MOST && d->box[1][axis] >= -MOST && d->box[1][axis] <= MOST &&
                  d->origin[axis] >= -MOST && d->origin[axis] <= MOST;
    }
    return inside;
}
