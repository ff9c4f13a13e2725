/* What a draw asks for: of the state that is kept, and of structures in memory. */
#include "draw/draw.h"

/* clang-format off */
static const struct state_field blending_fields[] = {
    STATE_FLAG(struct blending, enabled), STATE_NUMBER(struct blending, written, 16), STATE_NUMBER(struct blending, color, 8),
    STATE_NUMBER(struct blending, color_source, 32), STATE_NUMBER(struct blending, color_destination, 32), STATE_NUMBER(struct blending, alpha, 8),
    STATE_NUMBER(struct blending, alpha_source, 32), STATE_NUMBER(struct blending, alpha_destination, 32), STATE_NUMBER(struct blending, logic, LOGIC_NONE + 1),
};
static const struct state_field pixels_fields[] = {
    {.name = "at", .offset = offsetof(struct pixels, at), .size = sizeof(uint32_t), .count = SUBSPANS * 2}, STATE_NUMBER(struct pixels, lit, 0),
    STATE_NUMBER(struct pixels, array_index, 0), STATE_NUMBER(struct pixels, killed, 0), STATE_NUMBERS(struct pixels, constant, 0),
    STATE_STRUCTS(struct pixels, blending, blending_fields), STATE_FLAG(struct pixels, coverage_given), STATE_FLAG(struct pixels, depth_given),
    STATE_NUMBERS(struct pixels, reserved, 1),
};
const struct state_field drawing_fields[DRAWING_FIELDS] = {
    STATE_NUMBERS(struct drawing, matrix, 0), STATE_NUMBERS(struct drawing, planes, 0), STATE_NUMBERS(struct drawing, corners, 0),
    STATE_NUMBER(struct drawing, vertices, 0), STATE_NUMBER(struct drawing, instances, 0), STATE_NUMBER(struct drawing, start, 0),
    STATE_NUMBER(struct drawing, start_instance, 0), STATE_NUMBER(struct drawing, base_vertex, 0), STATE_NUMBER(struct drawing, constant, 0),
    STATE_NUMBERS(struct drawing, swizzle, 0), STATE_NUMBERS(struct drawing, low, 0), STATE_NUMBERS(struct drawing, high, 0),
    STATE_NUMBERS(struct drawing, origin, 0), STATE_NUMBER(struct drawing, instance, 0), STATE_NUMBER(struct drawing, primitive, 0), STATE_NUMBER(struct drawing, run, 0), STATE_NUMBER(struct drawing, run_primitive, 0), STATE_NUMBER(struct drawing, cut_index, 0), STATE_NUMBERS(struct drawing, parameters, 0),
    {.name = "box", .offset = offsetof(struct drawing, box), .size = sizeof(int32_t), .count = 4}, STATE_NUMBERS(struct drawing, at, 0), STATE_NUMBERS(struct drawing, resumes_at, 0),
    STATE_STRUCT(struct drawing, pixels, pixels_fields), STATE_NUMBER(struct drawing, topology, 64), STATE_NUMBER(struct drawing, attributes, ATTRIBUTES + 1),
    STATE_NUMBER(struct drawing, offset, 64), STATE_NUMBER(struct drawing, barycentrics, 1u << MODES), STATE_NUMBER(struct drawing, provoking, CORNERS),
    STATE_NUMBER(struct drawing, cull, 4), STATE_NUMBER(struct drawing, winding, 2), STATE_NUMBER(struct drawing, location, 2),
    STATE_FLAG(struct drawing, indexed), STATE_FLAG(struct drawing, transforms), STATE_FLAG(struct drawing, divides), STATE_FLAG(struct drawing, flat_array),
    STATE_FLAG(struct drawing, source_depth), STATE_FLAG(struct drawing, source_w), STATE_FLAG(struct drawing, offsets), STATE_FLAG(struct drawing, coverage),
    STATE_FLAG(struct drawing, vector_mask), STATE_FLAG(struct drawing, kills), STATE_FLAG(struct drawing, clearing), STATE_FLAG(struct drawing, clears), STATE_FLAG(struct drawing, statistics), STATE_FLAG(struct drawing, shows), STATE_FLAG(struct drawing, shades_vertices), STATE_FLAG(struct drawing, caches), STATE_FLAG(struct drawing, counts_vertices), STATE_FLAG(struct drawing, cuts), STATE_FLAG(struct drawing, resumes), STATE_NUMBERS(struct drawing, reserved, 1), STATE_FLAG(struct drawing, back),
    STATE_NUMBER(struct drawing, found, SUBSPANS),
};
/* clang-format on */

/* ---- What is lacking ---- */

/* State that must be as it is where nothing of it is modelled. */
static const struct {
    uint32_t header;
    uint8_t role;
    const char *lack;
} lacks[] = {
    {STATE_TE, TE_ENABLE, "tessellation"},
    {STATE_GS, GS_ENABLE, "a geometry shader"},
    {STATE_STREAMOUT, SO_FUNCTION_ENABLE, "vertices that stream out"},
    {STATE_MULTISAMPLE, MULTISAMPLE_NUMBER, "several samples"},
    {STATE_RASTER, RASTER_BACK_FILL, "lines or points of polygons"},
    {STATE_RASTER, RASTER_FRONT_FILL, "lines or points of polygons"},
    {STATE_RASTER, RASTER_CONSERVATIVE, "conservative rasterization"},
    {STATE_WM, WM_STIPPLE, "a stipple"},
    {STATE_WM, WM_DEPTH_CLEAR, "a depth clear"},
    {STATE_WM_DEPTH_STENCIL, DEPTH_TESTS, "a depth test"},
    {STATE_WM_DEPTH_STENCIL, STENCIL_TESTS, "a stencil test"},
    {STATE_PS_EXTRA, PSX_COARSE, "coarse pixels"},
    {STATE_PS_EXTRA, PSX_PULLS, "barycentrics that are asked for"},
    {STATE_PS_EXTRA, PSX_COMPUTES_STENCIL, "a computed stencil"},
    {STATE_PS_EXTRA, PSX_COMPUTES_DEPTH, "a computed depth"},
    {STATE_PS_EXTRA, PSX_OFFSETS, "offsets of samples"},
    {STATE_PS_EXTRA, PSX_PLANES, "planes of barycentrics"},
    {STATE_PS_EXTRA, PSX_STRAIGHT_PLANES, "planes of barycentrics"},
    {STATE_PS_EXTRA, PSX_DEPTH_PLANES, "planes of depth"},
    {STATE_PS_BLEND, BLEND_ALPHA_TEST, "an alpha test"},
    {STATE_PS_BLEND, BLEND_ALPHA_COVERAGE, "coverage by alpha"},
};

static bool writes_depth(const struct engine *e)
{
    enum { NONE = 7 };
    return draw_state(e, STATE_WM_DEPTH_STENCIL, DEPTH_WRITES) &&
           draw_state(e, STATE_DEPTH_BUFFER, DEPTH_BUFFER_WRITES) &&
           draw_state(e, STATE_DEPTH_BUFFER, DEPTH_TYPE) != NONE;
}

/* Of an entry of the URB that vertices are in; where two commands say it, the larger one. */
static uint64_t entry_dw(const struct engine *e)
{
    enum { UNIT_DW = 16 };
    const uint64_t size = draw_state(e, STATE_URB_VS, URB_ENTRY_SIZE),
                   allocated = draw_state(e, STATE_URB_ALLOC_VS, URB_ENTRY_SIZE);
    return ((size > allocated ? size : allocated) + 1u) * UNIT_DW;
}

static const char *shading_lacks(const struct engine *e)
{
    if (!draw_state(e, STATE_VS, VS_ENABLE))
        return NULL;
    if (!draw_state(e, STATE_VS, VS_8_VERTICES))
        return "a vertex shader of two vertices at once";
    return entry_dw(e) > URB_ENTRY_DW ? "vertices of more than 1 KB" : NULL;
}

static bool draws_topology(uint64_t topology)
{
    return topology == TOPOLOGY_RECTLIST || topology == TOPOLOGY_TRILIST || topology == TOPOLOGY_TRISTRIP ||
           topology == TOPOLOGY_TRIFAN;
}

const char *draw_lacks(const struct engine *e, const struct draw *draw, bool *nothing)
{
    enum { REJECT_ALL = 3, ACCEPT_ALL = 4 };
    const uint64_t mode = draw_state(e, STATE_CLIP, CLIP_MODE);
    const bool clips = draw_state(e, STATE_CLIP, CLIP_ENABLE), depth = writes_depth(e),
               shades = draw_state(e, STATE_PS_EXTRA, PSX_VALID);
    *nothing = !draw->vertices || !draw->instances || (clips && mode == REJECT_ALL) ||
               draw_state(e, STATE_STREAMOUT, SO_RENDERING_DISABLE) || !(shades || depth) ||
               !(draw_state(e, STATE_SAMPLE_MASK, SAMPLE_MASK) & 1u) ||
               draw_state(e, STATE_PS, PS_RESOLVE); /* nothing is compressed */
    if (*nothing)
        return NULL;
    for (unsigned i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
        if (draw_state(e, lacks[i].header, lacks[i].role))
            return lacks[i].lack;
    if (shading_lacks(e))
        return shading_lacks(e);
    if (clips && mode != ACCEPT_ALL)
        return "clipping";
    if (depth)
        return "depth that is written";
    return draws_topology(draw->topology) ? NULL : "points, lines or other topologies";
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
    if (surface_field(s, SURFACE_SAMPLES))
        return "a surface of several samples";
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
        draw_state(e, STATE_PS_BLEND, BLEND_WRITES) || draw_state(e, STATE_PS, PS_FAST_CLEAR);
    const uint64_t named = draw_state(e, STATE_PS, COUNT_BINDINGS), count = named ? named : drawn_to;
    struct surface_state s = {.row = b->surface_state};
    const char *lack = NULL;
    for (uint64_t n = 0; n < count && !lack; n++) {
        uint32_t entry;
        draw_load_there(e, b->binding_table + n * ENTRY_BYTES, &entry, sizeof entry);
        draw_load_there(e, b->surfaces + (entry & ~0x3fu), s.dw, sizeof s.dw);
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

static bool take_viewport(struct drawing *d, struct bindings *b, const struct command_set *structures)
{
    enum { VIEWPORT_DW = 16 };
    const struct command *const row = structure_row(structures, SF_CLIP_VIEWPORT);
    uint32_t dw[VIEWPORT_DW];
    if (!d->transforms)
        return true;
    if (!load_into(b->engine, SPACE_PPGTT, pointer_of(b, STATE_VIEWPORT_POINTERS, VIEWPORT_POINTER), dw,
                   sizeof dw))
        return false;
    for (unsigned i = 0; i < 6; i++)
        d->matrix[i] = draw_float((uint32_t)field_at(&row->places[MATRIX_M00 + i], dw, VIEWPORT_DW));
    return true;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* The drawing rectangle, and the scissor's; where the first never came it is all. */
static bool take_bounds(struct drawing *d, struct bindings *b, const struct command_set *structures)
{
    enum { MOST = 1 << 14, SCISSOR_DW = 2 };
    const struct engine *const e = b->engine;
    const struct command *row;
    uint32_t dw[SCISSOR_DW], length_dw;
    d->high[0] = d->high[1] = MOST;
    if (pipeline_kept(&e->pipeline, STATE_DRAWING_RECTANGLE, &row, &length_dw))
        for (unsigned i = 0; i < 2; i++) {
            d->low[i] = (int32_t)draw_state(e, STATE_DRAWING_RECTANGLE, DRAWING_X_MIN + i);
            d->high[i] = least(MOST, (int32_t)draw_state(e, STATE_DRAWING_RECTANGLE, DRAWING_X_MAX + i) + 1);
            d->origin[i] = (int16_t)draw_state(e, STATE_DRAWING_RECTANGLE, DRAWING_ORIGIN_X + i);
        }
    if (!draw_state(e, STATE_RASTER, RASTER_SCISSOR))
        return true;
    if (!load_into(b->engine, SPACE_PPGTT, pointer_of(b, STATE_SCISSOR_POINTERS, SCISSOR_POINTER), dw,
                   sizeof dw))
        return false;
    row = structure_row(structures, SCISSOR_RECT);
    for (unsigned i = 0; i < 2; i++) {
        const int32_t first = (int32_t)field_at(&row->places[SCISSOR_X_MIN + i], dw, SCISSOR_DW),
                      last = (int32_t)field_at(&row->places[SCISSOR_X_MAX + i], dw, SCISSOR_DW);
        d->low[i] = most(d->low[i], first + d->origin[i]);
        d->high[i] = least(d->high[i], last + 1 + d->origin[i]);
    }
    return true;
}

/* Whether a target is blended by the constant color. */
static bool takes_constant(const struct blending *t)
{
    enum { CONSTANT = 7, CONSTANT_ALPHA = 8, CODES = 15 }; /* bit 4: one less it */
    const unsigned codes = 1u << (t->color_source & CODES) | 1u << (t->color_destination & CODES) |
                           1u << (t->alpha_source & CODES) | 1u << (t->alpha_destination & CODES);
    return t->enabled && codes & (1u << CONSTANT | 1u << CONSTANT_ALPHA);
}

/* BLEND_STATE: a dword for all, then two for each target; who draws to one may have written no more. */
static void take_blending(struct pixels *p, struct bindings *b, const struct command_set *structures)
{
    enum { FIRST_DW = 1, EACH_DW = 2, CONSTANT_BYTES = 8 };
    const struct command *const row = structure_row(structures, BLEND_STATE), *kept;
    uint32_t dw[FIRST_DW + RENDER_TARGETS * EACH_DW] = {0}, length_dw;
    bool constant = false;
    if (pipeline_kept(&b->engine->pipeline, STATE_BLEND_POINTERS, &kept, &length_dw))
        draw_load_there(b->engine, pointer_of(b, STATE_BLEND_POINTERS, BLEND_POINTER), dw, sizeof dw);
    const bool independent = field_at(&row->places[BLENDS_ALPHA_APART], dw, FIRST_DW);
    for (unsigned n = 0; n < RENDER_TARGETS; n++) {
        struct blending *const to = &p->blending[n];
        const uint32_t *const from = dw + FIRST_DW + n * EACH_DW;
        uint8_t value[TARGET_ROLES] = {0};
        for (unsigned i = 0; i < row->group_count; i++)
            if (row->group[i].role)
                value[row->group[i].role] = (uint8_t)field_get(&row->group[i], from, EACH_DW);
        *to = (struct blending){
            .enabled = value[TARGET_BLENDS],
            .written = (uint8_t)(15u & ~(value[TARGET_NO_RED] | (unsigned)value[TARGET_NO_GREEN] << 1 |
                                         (unsigned)value[TARGET_NO_BLUE] << 2 |
                                         (unsigned)value[TARGET_NO_ALPHA] << 3)),
            .color = value[TARGET_FUNCTION],
            .color_source = value[TARGET_SOURCE],
            .color_destination = value[TARGET_DESTINATION],
            .alpha = value[independent ? TARGET_ALPHA_FUNCTION : TARGET_FUNCTION],
            .alpha_source = value[independent ? TARGET_ALPHA_SOURCE : TARGET_SOURCE],
            .logic = value[TARGET_LOGIC] ? value[TARGET_LOGIC_FUNCTION] : LOGIC_NONE,
            .alpha_destination = value[independent ? TARGET_ALPHA_DESTINATION : TARGET_DESTINATION]};
        constant |= takes_constant(to);
    }
    if (constant)
        draw_load_there(b->engine, pointer_of(b, STATE_CC_POINTERS, COLOR_CALC_POINTER) + CONSTANT_BYTES,
                        p->constant, sizeof p->constant);
}

static void take_attributes(struct drawing *d, const struct engine *e)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const dw = pipeline_kept(&e->pipeline, STATE_SBE_SWIZ, &row, &length_dw);
    const uint64_t count = draw_state(e, STATE_SBE, SBE_ATTRIBUTES);
    d->attributes = (uint8_t)(count < ATTRIBUTES ? count : ATTRIBUTES);
    if (!draw_state(e, STATE_PS_EXTRA, PSX_ATTRIBUTES))
        d->attributes = 0;
    d->offset = (uint8_t)draw_state(e, STATE_SBE, SBE_OFFSET);
    d->constant = (uint32_t)draw_state(e, STATE_SBE, SBE_CONSTANT);
    for (unsigned n = 0; n < SWIZZLES; n++)
        d->swizzle[n] = n;
    if (!dw || !draw_state(e, STATE_SBE, SBE_SWIZZLES))
        return;
    for (unsigned n = 0; n < SWIZZLES; n++) {
        enum { EACH_BITS = 16 };
        const uint32_t first = row->by_role[SWIZ_SOURCE].first + n * EACH_BITS;
        d->swizzle[n] = first / 32u < length_dw ? dw[first / 32u] >> first % 32u & 0xffffu : n;
    }
}

/* What is generated beside a vertex's number and its instance: parameters, or where the draw starts. */
static void take_parameters(struct drawing *d, const struct engine *e, const struct draw *draw)
{
    memcpy(d->parameters, draw->parameters, sizeof d->parameters);
    if (draw_state(e, STATE_VF_SGVS_2, SGVS_PARAMETER_0_LOCATION))
        d->parameters[0] = draw->indexed ? (uint32_t)draw->base_vertex : draw->start;
    if (draw_state(e, STATE_VF_SGVS_2, SGVS_PARAMETER_1_LOCATION))
        d->parameters[1] = draw->start_instance;
}

static void take_entries(struct urb *u, const struct engine *e)
{
    enum { START_UNITS = 8192 / 64 };
    memset(u->used, 0, sizeof u->used);
    u->turn = 0;
    u->count = 0;
    u->entry_dw = (uint32_t)entry_dw(e);
    u->first = (uint32_t)draw_state(e, STATE_URB_VS, URB_START) * START_UNITS;
}

bool draw_take(struct drawing *d, struct bindings *b, const struct command_set *structures,
               const struct draw *draw)
{
    const struct engine *const e = b->engine;
    *d = (struct drawing){
        .topology = (uint8_t)draw->topology,
        .vertices = draw->vertices,
        .instances = draw->instances,
        .start = draw->start,
        .start_instance = draw->start_instance,
        .base_vertex = (uint32_t)draw->base_vertex,
        .indexed = draw->indexed,
        .transforms = draw_state(e, STATE_SF, SF_VIEWPORT_TRANSFORM),
        .divides = !draw_state(e, STATE_CLIP, CLIP_NO_DIVIDE),
        .flat_array = draw_state(e, STATE_CLIP, CLIP_ZERO_ARRAY_INDEX),
        .provoking =
            (uint8_t)(draw_state(e, STATE_SF,
                                 draw->topology == TOPOLOGY_TRIFAN ? SF_PROVOKING_FAN : SF_PROVOKING) %
                      CORNERS),
        .cull = (uint8_t)draw_state(e, STATE_RASTER, RASTER_CULL),
        .winding = (uint8_t)draw_state(e, STATE_RASTER, RASTER_WINDING),
        .location = (uint8_t)draw_state(e, STATE_MULTISAMPLE, MULTISAMPLE_LOCATION),
        .barycentrics = (uint8_t)draw_state(e, STATE_WM, WM_BARYCENTRICS),
        .statistics = draw_state(e, STATE_WM, WM_STATISTICS),
        .vector_mask = draw_state(e, STATE_PS, SHADER_VECTOR_MASK),
        .clears = draw_state(e, STATE_PS, PS_FAST_CLEAR),
        .shades_vertices = draw_state(e, STATE_VS, VS_ENABLE),
        .cuts = draw->indexed && draw_state(e, STATE_VF, VF_CUTS),
        .cut_index = (uint32_t)draw_state(e, STATE_VF, VF_CUT_INDEX),
        .caches = draw->indexed && !draw_state(e, STATE_VS, VS_NO_CACHE),
        .kills = draw_state(e, STATE_PS_EXTRA, PSX_KILLS),
        .offsets = draw_state(e, STATE_PS, PS_POSITION_OFFSETS),
        .source_depth = draw_state(e, STATE_PS_EXTRA, PSX_SOURCE_DEPTH),
        .source_w = draw_state(e, STATE_PS_EXTRA, PSX_SOURCE_W),
        .coverage = draw_state(e, STATE_PS_EXTRA, PSX_COVERAGE),
        .pixels.coverage_given = draw_state(e, STATE_PS_EXTRA, PSX_OMASK) != 0,
    };
    d->counts_vertices = d->shades_vertices && d->caches && draw_state(e, STATE_VS, VS_STATISTICS_ENABLE);
    take_entries(b->urb, e);
    take_parameters(d, e, draw);
    take_attributes(d, e);
    take_blending(&d->pixels, b, structures);
    return take_viewport(d, b, structures) && take_bounds(d, b, structures);
}

/* Where what is at hand may be: a made up state says anything. Without a drawing there are no instances. */
bool draw_holds(const struct drawing *d)
{
    enum { FURTHEST = 1 << 15, MOST = 1 << 17 };
    bool inside = draws_topology(d->topology) && d->vertices && d->instance < d->instances;
    for (unsigned i = 0; i < CORNERS; i++)
        for (unsigned axis = CORNER_X; axis <= CORNER_Y; axis++)
            inside &= d->corners[i * CORNER + axis] >= -FURTHEST && d->corners[i * CORNER + axis] <= FURTHEST;
    for (unsigned axis = 0; axis < 2; axis++)
        inside &= d->at[axis] >= -MOST && d->at[axis] <= MOST && d->box[0][axis] >= -MOST &&
                  d->box[0][axis] <= MOST && d->box[1][axis] >= -MOST && d->box[1][axis] <= MOST &&
                  d->low[axis] >= -MOST && d->low[axis] <= MOST && d->high[axis] >= -MOST &&
                  d->high[axis] <= MOST && d->origin[axis] >= -MOST && d->origin[axis] <= MOST;
    return inside;
}
