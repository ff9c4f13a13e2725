/*
 * From primitive to primitive, and over the pixels of each: rows of fours, left to right, then the rows
 * below. A pixel is covered if its center is inside; on an edge it is of what lies below or right of that.
 * Corners are in 1/256 of a pixel. (SKL PRM vol 7, Rasterization Rules)
 */
#include "draw/draw.h"

enum { PARTS = 256 };

void draw_edges(const struct drawing *d, struct edges *e)
{
    const struct outline *const o = &d->outline;
    int64_t area = 0;
    for (unsigned axis = 0; axis < 2; axis++) {
        e->low[axis] = INT64_MAX;
        e->high[axis] = INT64_MIN;
        for (unsigned i = 0; i < o->count; i++) {
            e->low[axis] = o->at[i][axis] < e->low[axis] ? o->at[i][axis] : e->low[axis];
            e->high[axis] = o->at[i][axis] > e->high[axis] ? o->at[i][axis] : e->high[axis];
        }
    }
    if (o->kind != OUTLINE_POLYGON)
        return;
    for (unsigned i = 1; i + 1 < o->count; i++)
        area += ((int64_t)o->at[i][0] - o->at[0][0]) * ((int64_t)o->at[i + 1][1] - o->at[0][1]) -
                ((int64_t)o->at[i][1] - o->at[0][1]) * ((int64_t)o->at[i + 1][0] - o->at[0][0]);
    const int64_t sign = area < 0 ? -1 : 1;
    for (unsigned i = 0; i < o->count; i++) {
        const int32_t *const from = o->at[i], *const to = o->at[(i + 1) % o->count];
        const int64_t dx = sign * ((int64_t)to[0] - from[0]), dy = sign * ((int64_t)to[1] - from[1]);
        const bool takes = dy < 0 || (dy == 0 && dx >= 0); /* a left one, or one at the top; or none at all */
        e->x[i] = -dy;
        e->y[i] = dx;
        e->c[i] = dy * from[0] - dx * from[1] - (takes ? 0 : 1);
    }
    if (!area)
        e->c[0] = -1, e->x[0] = e->y[0] = 0;
}

/* Of points either the left or the right edge is inside. */
static bool is_in_box(const struct drawing *d, const struct edges *e, int64_t x, int64_t y)
{
    const bool right = d->right_rule && d->topology == TOPOLOGY_POINTLIST;
    return x >= e->low[0] + right && x < e->high[0] + right && y >= e->low[1] && y < e->high[1];
}

/* Whether a place is in a pixel's diamond: with its lower edges and its lowest corner, and with the rightmost
 * one where the line goes down more than to the side. */
static bool is_in_diamond(int64_t x, int64_t y, bool steep)
{
    const int64_t far = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    return far < PARTS / 2 || (far == PARTS / 2 && (y > 0 || (steep && y == 0 && x > 0)));
}

/* A thin line has the pixels whose diamonds it leaves. As it goes along one axis it crosses a diamond where
 * that is as wide as a pixel, or begins or ends in it. (BDW PRM vol 7, Grid Intersect Quantization; Direct3D,
 * Rasterization Rules) */
static bool is_on_line(const struct drawing *d, int64_t x, int64_t y)
{
    const int32_t(*const at)[2] = d->outline.at;
    const int64_t dx = (int64_t)at[1][0] - at[0][0], dy = (int64_t)at[1][1] - at[0][1];
    const bool steep = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
    const int64_t along = steep ? dy : dx, aside = steep ? dx : dy, sign = along < 0 ? -1 : 1;
    const int64_t first = (steep ? y - at[0][1] : x - at[0][0]) * sign, length = along * sign;
    /* How far aside it is there, times the length. */
    const int64_t off = ((steep ? at[0][0] - x : at[0][1] - y) * along + first * sign * aside) * sign;
    const bool begins = is_in_diamond(at[0][0] - x, at[0][1] - y, steep),
               ends = is_in_diamond(at[1][0] - x, at[1][1] - y, steep);
    if (ends && !d->last_pixel)
        return false;
    return begins || ends ||
           (first >= 0 && first <= length && 2 * off > -PARTS * length && 2 * off <= PARTS * length);
}

static bool is_covered(const struct drawing *d, const struct edges *e, int64_t x, int64_t y)
{
    if (d->outline.kind == OUTLINE_LINE)
        return is_on_line(d, x, y);
    if (d->outline.kind == OUTLINE_BOX)
        return is_in_box(d, e, x, y);
    for (unsigned i = 0; i < d->outline.count; i++)
        if (e->x[i] * x + e->y[i] * y + e->c[i] < 0)
            return false;
    return true;
}

uint32_t draw_covered(const struct drawing *d, const struct edges *e, const int32_t at[2])
{
    const int64_t center = d->location ? 0 : PARTS / 2;
    uint32_t covered = 0;
    for (unsigned i = 0; i < SUBSPAN_PIXELS; i++) {
        const int32_t x = at[0] + (int32_t)(i & 1u), y = at[1] + (int32_t)(i >> 1);
        if (x >= d->box[0][0] && x < d->box[1][0] && y >= d->box[0][1] && y < d->box[1][1] &&
            is_covered(d, e, (int64_t)x * PARTS + center, (int64_t)y * PARTS + center))
            covered |= 1u << i;
    }
    return covered;
}

/* ---- Primitives ---- */

/* Where it was, if that is of the primitive. */
static void take_place(struct drawing *d)
{
    enum { MOST = 1 << 14 };
    bool inside = d->shows;
    d->resumes = false;
    for (unsigned axis = 0; axis < 2; axis++) {
        const int32_t at = d->resumes_at[axis], low = d->clears ? 0 : d->box[0][axis] & ~1;
        inside &= at >= low && at < (d->clears ? MOST : d->box[1][axis]) && (d->clears || at % 2 == 0);
    }
    if (inside)
        memcpy(d->at, d->resumes_at, sizeof d->at);
    d->clearing = d->clears && inside;
}

/* What comes to the clipper, and what leaves it. */
static void count_clipped(const struct drawing *d, struct engine *e, unsigned clipped)
{
    enum { CL_INVOCATION_COUNT = 0x338, CL_PRIMITIVES_COUNT = 0x340 };
    if (d->counts_entering)
        engine_register64_add(e, CL_INVOCATION_COUNT, 1);
    if (d->counts_clipped)
        engine_register64_add(e, CL_PRIMITIVES_COUNT, d->clipping.clips ? clipped : 1u);
}

/* From the assembly, by way of shaded vertices. */
static enum assembly assembled(struct drawing *d, struct bindings *b, struct primitive *p, uint64_t *budget)
{
    struct object o;
    p->stream = 0;
    if (d->tessellates)
        return draw_patch(d, b, p, budget);
    const enum assembly assembly = draw_assemble(d, b, &o);
    if (assembly != ASSEMBLY_DONE)
        return assembly;
    d->turned = o.turned;
    d->identity = o.primitive;
    return draw_corners(d, b, &o, p, budget);
}

/* Behind it; who has made several at once goes on by itself. */
static void leave_primitive(struct drawing *d)
{
    d->shows = false;
    d->primitive += !d->staged;
}

bool draw_next_primitive(struct drawing *d, struct bindings *b, uint64_t *budget, bool *ended)
{
    enum { PRIMITIVE_INSTRUCTIONS = 64 };
    const uint64_t before_ns = b->engine->witness->cost_ns;
    struct primitive p;
    while (*budget &&
           b->engine->witness->cost_ns == before_ns) { /* memory that cannot be mapped costs more */
        unsigned clipped;
        budget_take(budget, PRIMITIVE_INSTRUCTIONS);
        const enum assembly assembly = d->makes_primitives ? draw_made(d, b, &p, budget)
                                       : d->objects_stream ? draw_objects(d, b, &p, budget)
                                                           : assembled(d, b, &p, budget);
        if (assembly == ASSEMBLY_GOES_ON && !faulted(b->engine))
            continue;
        if (assembly == ASSEMBLY_GOES_ON || assembly == ASSEMBLY_WAITS)
            return false;
        if (assembly == ASSEMBLY_ENDS) {
            d->primitive = d->run = d->run_primitive = 0;
            if (++d->instance < d->instances)
                continue;
            *ended = true;
            return false;
        }
        if (d->streams && !d->resumes && !draw_stream_out(d, b, &p, budget))
            return false;
        if (p.stream != d->rendered) {
            leave_primitive(d);
            continue;
        }
        d->shows = draw_setup(d, p.dw, &clipped) && !d->discards;
        if (!d->resumes) {
            count_clipped(d, b->engine, clipped);
            b->done.clipped += d->clipping.clips;
            b->done.set_up += d->clipping.clips ? clipped : 1u;
        }
        if (d->resumes)
            take_place(d);
        if (d->shows)
            return true;
        leave_primitive(d);
    }
    return false;
}

void draw_resume(struct drawing *d, const struct drawing *was)
{
    if (was->instance >= d->instances)
        return;
    d->instance = was->instance;
    d->primitive = was->primitive;
    d->run = was->run;
    d->run_primitive = was->run_primitive;
    d->resumes = was->shows;
    memcpy(d->resumes_at, was->at, sizeof d->resumes_at);
}

/* Before a shader runs, or where there is none: those that pass. False: a fault. */
static bool test_early(struct drawing *d, struct bindings *b, uint32_t *covered, uint64_t *budget)
{
    enum { PIXEL_INSTRUCTIONS = 2 };
    struct depth_stencil *const s = &d->pixels.depth;
    const unsigned first = d->found * SUBSPAN_PIXELS;
    if (!s->works && d->shades)
        return true;
    for (unsigned i = 0; i < 2; i++)
        d->pixels.at[d->found][i] = (uint32_t)d->at[i];
    FOR_EACH_CHANNEL(n, *covered) {
        const uint32_t at[3] = {(uint32_t)d->at[0] + (n & 1u), (uint32_t)d->at[1] + (n >> 1),
                                d->pixels.array_index};
        budget_take(budget, PIXEL_INSTRUCTIONS);
        if (!depth_test(b, s, at, draw_depth(d, first + n), false))
            *covered &= ~(1u << n);
    }
    if (!d->shades)
        d->passed += (uint32_t)__builtin_popcount(*covered);
    return !faulted(b->engine);
}

bool draw_seek(struct drawing *d, struct bindings *b, unsigned count, uint64_t *budget, bool *ended)
{
    enum { LOOKS_AN_INSTRUCTION = 4 };
    struct pixels *const p = &d->pixels;
    struct edges edges;
    *ended = false;
    if (!d->shows && !draw_next_primitive(d, b, budget, ended))
        return false;
    draw_edges(d, &edges);
    unsigned looks = 0;
    if (!d->found)
        p->lit = 0;
    while (d->found < count && d->at[1] < d->box[1][1]) {
        if (!*budget)
            return false;
        const uint32_t rasterized = draw_covered(d, &edges, d->at);
        uint32_t covered = rasterized;
        if (covered && !p->tests_late && !test_early(d, b, &covered, budget))
            return false;
        pixels_count(b, PIXELS_RASTERIZED, rasterized, 0);
        pixels_count(b, PIXELS_EARLY_FAILED, rasterized, covered);
        if (covered && d->shades) {
            for (unsigned i = 0; i < 2; i++)
                p->at[d->found][i] = (uint32_t)d->at[i];
            p->lit |= covered << d->found++ * SUBSPAN_PIXELS;
        }
        *budget -= ++looks % LOOKS_AN_INSTRUCTION == 0 && *budget; /* tests may have had all of it */
        d->at[0] += 2;
        if (d->at[0] >= d->box[1][0]) {
            d->at[0] = d->box[0][0] & ~1;
            d->at[1] += 2;
        }
    }
    for (unsigned i = d->found; i < SUBSPANS; i++)
        p->at[i][0] = p->at[i][1] = 0;
    p->killed = p->lit;
    p->tested = p->failed = 0;
    for (unsigned i = 0; i < d->found * SUBSPAN_PIXELS && p->tests_late; i++)
        p->depths[i] = draw_depth(d, i);
    d->found = 0;
    if (d->at[1] >= d->box[1][1])
        leave_primitive(d);
    return p->lit;
}
