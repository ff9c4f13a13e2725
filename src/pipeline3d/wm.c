/*
 * Rasterization: advances from primitive to primitive and over the subspans of each, left to right, top to
 * bottom. A pixel is covered if its center is inside. A center on an edge belongs to the primitive below or
 * right of it. Corners are in 1/256 of a pixel. (SKL PRM vol 7, Rasterization Rules)
 */
#include "pipeline3d/draw.h"

#include "engine/statistics.h"
enum { PARTS = 256 };

void raster_edge_functions(const struct raster_polygon *o, struct edge_functions *e)
{
    int64_t area = 0;
    for (unsigned axis = 0; axis < 2; axis++) {
        e->min[axis] = INT64_MAX;
        e->max[axis] = INT64_MIN;
        for (unsigned i = 0; i < o->vertex_count; i++) {
            e->min[axis] = o->vertex_xy[i][axis] < e->min[axis] ? o->vertex_xy[i][axis] : e->min[axis];
            e->max[axis] = o->vertex_xy[i][axis] > e->max[axis] ? o->vertex_xy[i][axis] : e->max[axis];
        }
    }
    if (o->kind != RASTER_POLYGON)
        return;
    for (unsigned i = 1; i + 1 < o->vertex_count; i++)
        area += ((int64_t)o->vertex_xy[i][0] - o->vertex_xy[0][0]) *
                    ((int64_t)o->vertex_xy[i + 1][1] - o->vertex_xy[0][1]) -
                ((int64_t)o->vertex_xy[i][1] - o->vertex_xy[0][1]) *
                    ((int64_t)o->vertex_xy[i + 1][0] - o->vertex_xy[0][0]);
    const int64_t sign = area < 0 ? -1 : 1;
    for (unsigned i = 0; i < o->vertex_count; i++) {
        const int32_t *const from = o->vertex_xy[i], *const to = o->vertex_xy[(i + 1) % o->vertex_count];
        const int64_t dx = sign * ((int64_t)to[0] - from[0]), dy = sign * ((int64_t)to[1] - from[1]);
        const bool takes = dy < 0 || (dy == 0 && dx >= 0); /* a left or top edge includes its points */
        e->x[i] = -dy;
        e->y[i] = dx;
        e->c[i] = dy * from[0] - dx * from[1] - (takes ? 0 : 1);
    }
    if (!area)
        e->c[0] = -1, e->x[0] = e->y[0] = 0;
}

/* Points include either the left or the right edge. */
static bool raster_box_covers(const struct draw *d, int64_t x, int64_t y)
{
    const struct edge_functions *const e = &d->setup.edges;
    const bool right =
        d->state.raster.point_rule_upper_right && d->cursor.raster_topology == TOPOLOGY_POINTLIST;
    return x >= e->min[0] + right && x < e->max[0] + right && y >= e->min[1] && y < e->max[1];
}

/* Whether a position is in a pixel's diamond. The diamond includes its lower edges and lowest corner; for
 * steep lines also its rightmost corner. */
static bool raster_in_diamond(int64_t x, int64_t y, bool steep)
{
    const int64_t far = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    return far < PARTS / 2 || (far == PARTS / 2 && (y > 0 || (steep && y == 0 && x > 0)));
}

/* A thin line covers the pixels whose diamonds it exits. It crosses a diamond at its widest line, or
 * begins or ends in it. (BDW PRM vol 7, Grid Intersect Quantization; Direct3D, Rasterization Rules) */
static bool raster_line_covers(const struct draw *d, int64_t x, int64_t y)
{
    const int32_t(*const at)[2] = d->setup.polygon.vertex_xy;
    const int64_t dx = (int64_t)at[1][0] - at[0][0], dy = (int64_t)at[1][1] - at[0][1];
    const bool steep = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
    const int64_t along = steep ? dy : dx, aside = steep ? dx : dy, sign = along < 0 ? -1 : 1;
    const int64_t first = (steep ? y - at[0][1] : x - at[0][0]) * sign, length = along * sign;
    /* The distance along the minor axis, times the length. */
    const int64_t off = ((steep ? at[0][0] - x : at[0][1] - y) * along + first * sign * aside) * sign;
    const bool begins = raster_in_diamond(at[0][0] - x, at[0][1] - y, steep),
               ends = raster_in_diamond(at[1][0] - x, at[1][1] - y, steep);
    if (ends && !d->state.raster.last_pixel_enable)
        return false;
    return begins || ends ||
           (first >= 0 && first <= length && 2 * off > -PARTS * length && 2 * off <= PARTS * length);
}

static bool raster_covers(const struct draw *d, int64_t x, int64_t y)
{
    const struct edge_functions *const e = &d->setup.edges;
    if (d->setup.polygon.kind == RASTER_LINE)
        return raster_line_covers(d, x, y);
    if (d->setup.polygon.kind == RASTER_BOX)
        return raster_box_covers(d, x, y);
    for (unsigned i = 0; i < d->setup.polygon.vertex_count; i++)
        if (e->x[i] * x + e->y[i] * y + e->c[i] < 0)
            return false;
    return true;
}

uint32_t raster_subspan_coverage(const struct draw *d, const int32_t xy[2])
{
    const int32_t(*const bbox)[2] = d->setup.bbox;
    const int64_t center = d->state.raster.pixel_location_upper_left ? 0 : PARTS / 2;
    uint32_t covered = 0;
    for (unsigned i = 0; i < SUBSPAN_PIXELS; i++) {
        const int32_t x = xy[0] + (int32_t)(i & 1u), y = xy[1] + (int32_t)(i >> 1);
        if (x >= bbox[0][0] && x < bbox[1][0] && y >= bbox[0][1] && y < bbox[1][1] &&
            raster_covers(d, (int64_t)x * PARTS + center, (int64_t)y * PARTS + center))
            covered |= 1u << i;
    }
    return covered;
}

/* ---- Primitives ---- */

/* Begins the pixels of the primitive. A preempted primitive resumes at its subspan, if that is inside. */
static void raster_begin(struct draw *d, bool resumes)
{
    enum { MOST = 1 << 14 };
    struct draw_cursor *const c = &d->cursor;
    const bool clears = d->state.raster.fast_clear;
    bool inside = resumes;
    for (unsigned axis = 0; axis < 2 && inside; axis++) {
        const int32_t at = c->subspan_xy[axis], low = clears ? 0 : d->setup.bbox[0][axis] & ~1;
        inside = at >= low && at < (clears ? MOST : d->setup.bbox[1][axis]) && (clears || at % 2 == 0);
    }
    for (unsigned axis = 0; axis < 2 && !inside; axis++)
        c->subspan_xy[axis] = d->setup.bbox[0][axis] & ~1;
    c->phase = clears && inside ? DRAW_CLEAR : DRAW_RASTERIZE;
}

/* Counts the primitives that enter and leave the clipper. */
static void cl_count_statistics(const struct draw *d, struct engine *e, unsigned clipped)
{
    if (d->state.clip.cl_invocation_statistics)
        engine_register64_add(e, CL_INVOCATION_COUNT, 1);
    if (d->state.clip.cl_primitives_statistics)
        engine_register64_add(e, CL_PRIMITIVES_COUNT, d->state.clip.clip_enable ? clipped : 1u);
}

/* Takes the next primitive from input assembly and shades its vertices. */
static enum ia_result ia_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                        uint64_t *budget)
{
    struct ia_primitive o;
    p->stream = 0;
    if (d->state.te.enable)
        return tess_next_primitive(d, b, p, budget);
    const enum ia_result assembly = ia_assemble(d, &d->cursor, b, &o);
    if (assembly != IA_DONE)
        return assembly;
    d->cursor.reversed_winding = o.reversed_winding;
    d->cursor.primitive_id = o.primitive_id;
    return ia_primitive_vertices(d, b, &o, p, budget);
}

bool draw_next_primitive(struct draw *d, struct message_context *b, uint64_t *budget, bool *ended)
{
    enum { PRIMITIVE_INSTRUCTIONS = 64 };
    const uint64_t before_ns = b->engine->log->cost.ns;
    struct shaded_primitive *const p = &d->primitive;
    while (*budget && b->engine->log->cost.ns == before_ns) { /* unmappable memory was accessed: stop */
        unsigned clipped;
        budget_charge(budget, PRIMITIVE_INSTRUCTIONS);
        const enum ia_result assembly = d->state.gs.enable        ? gs_next_primitive(d, b, p, budget)
                                        : d->state.gs.gen6_enable ? gen6_gs_next_primitive(d, b, p, budget)
                                                                  : ia_next_primitive(d, b, p, budget);
        if (assembly == IA_AGAIN && !engine_faulted(b->engine))
            continue;
        if (assembly == IA_AGAIN || assembly == IA_WAIT)
            return false;
        if (assembly == IA_END) {
            d->cursor.primitive_index = d->cursor.strip_start_vertex = d->cursor.strip_start_primitive = 0;
            if (++d->cursor.instance < d->state.call.instance_count)
                continue;
            *ended = true;
            return false;
        }
        const bool resumes = d->cursor.phase == DRAW_RESUME;
        if (d->state.sol.enable && !resumes && !so_write_primitive(d, b, p, budget))
            return false;
        if (p->stream != d->state.sol.render_stream) {
            draw_primitive_done(d);
            continue;
        }
        d->cursor.is_set_up = setup_primitive(d, p->vue_dw, &clipped);
        if (!resumes) {
            cl_count_statistics(d, b->engine, clipped);
            b->counters.clipper_primitives += d->state.clip.clip_enable;
            b->counters.setup_primitives += d->state.clip.clip_enable ? clipped : 1u;
        }
        if (d->cursor.is_set_up && !d->state.raster.rasterizer_discard) {
            raster_begin(d, resumes);
            return true;
        }
        draw_primitive_done(d);
    }
    return false;
}

void draw_cursor_resume(struct draw_cursor *c, const struct draw_state *s, const struct draw_cursor *was)
{
    if (was->instance >= s->call.instance_count)
        return;
    c->instance = was->instance;
    c->primitive_index = was->primitive_index;
    c->strip_start_vertex = was->strip_start_vertex;
    c->strip_start_primitive = was->strip_start_primitive;
    if (s->primitive_phase != DRAW_ASSEMBLE) /* it was preempted between patches or objects */
        return;
    c->phase = was->phase;
    memcpy(c->subspan_xy, was->subspan_xy, sizeof c->subspan_xy);
}

/* Early depth and stencil test, also of draws without a pixel shader: keeps the pixels that pass. Returns
 * false on a fault. */
static bool raster_early_depth_stencil(struct draw *d, struct message_context *b, uint32_t *covered,
                                       uint64_t *budget)
{
    enum { PIXEL_INSTRUCTIONS = 2 };
    const struct depth_stencil *const s = &d->state.om.depth_stencil;
    const unsigned first = d->cursor.subspan_count * SUBSPAN_PIXELS;
    if (!s->enabled && d->state.ps.valid)
        return true;
    for (unsigned i = 0; i < 2; i++)
        d->ps.subspan_xy[d->cursor.subspan_count][i] = (uint32_t)d->cursor.subspan_xy[i];
    FOR_EACH_CHANNEL(n, *covered) {
        const uint32_t at[3] = {(uint32_t)d->cursor.subspan_xy[0] + (n & 1u),
                                (uint32_t)d->cursor.subspan_xy[1] + (n >> 1), d->ps.array_index};
        budget_charge(budget, PIXEL_INSTRUCTIONS);
        if (!depth_test(b, s, &d->ps, at, setup_depth(d, first + n), false))
            *covered &= ~(1u << n);
    }
    if (!d->state.ps.valid)
        d->ps_depth_count_pending += (uint32_t)__builtin_popcount(*covered);
    return !engine_faulted(b->engine);
}

bool raster_next_subspans(struct draw *d, struct message_context *b, unsigned count, uint64_t *budget,
                          bool *ended)
{
    enum { LOOKS_AN_INSTRUCTION = 4 };
    struct ps_thread *const p = &d->ps;
    struct draw_cursor *const c = &d->cursor;
    const bool late = d->state.om.late_depth_stencil;
    *ended = false;
    if (c->phase != DRAW_RASTERIZE && !draw_next_primitive(d, b, budget, ended))
        return false;
    unsigned looks = 0;
    if (!c->subspan_count)
        p->coverage_mask = 0;
    while (c->subspan_count < count && c->subspan_xy[1] < d->setup.bbox[1][1]) {
        if (!*budget)
            return false;
        const uint32_t rasterized = raster_subspan_coverage(d, c->subspan_xy);
        uint32_t covered = rasterized;
        if (covered && !late && !raster_early_depth_stencil(d, b, &covered, budget))
            return false;
        pixel_event_count(b, PIXELS_RASTERIZED, rasterized, 0);
        pixel_event_count(b, PIXELS_EARLY_FAILED, rasterized, covered);
        if (covered && d->state.ps.valid) {
            for (unsigned i = 0; i < 2; i++)
                p->subspan_xy[c->subspan_count][i] = (uint32_t)c->subspan_xy[i];
            p->coverage_mask |= covered << c->subspan_count++ * SUBSPAN_PIXELS;
        }
        *budget -= ++looks % LOOKS_AN_INSTRUCTION == 0 && *budget; /* the tests may have used it up */
        c->subspan_xy[0] += 2;
        if (c->subspan_xy[0] >= d->setup.bbox[1][0]) {
            c->subspan_xy[0] = d->setup.bbox[0][0] & ~1;
            c->subspan_xy[1] += 2;
        }
    }
    for (unsigned i = c->subspan_count; i < SUBSPANS; i++)
        p->subspan_xy[i][0] = p->subspan_xy[i][1] = 0;
    p->unwritten_mask = p->coverage_mask;
    p->late_tested_mask = p->late_failed_mask = 0;
    for (unsigned i = 0; i < c->subspan_count * SUBSPAN_PIXELS && late; i++)
        p->pixel_depth[i] = setup_depth(d, i);
    c->subspan_count = 0;
    if (c->subspan_xy[1] >= d->setup.bbox[1][1])
        draw_primitive_done(d);
    return p->coverage_mask;
}
