/*
 * From primitive to primitive, and over the pixels of each: rows of fours, left to right, then the rows
 * below. A pixel is covered if its center is inside; on an edge it is of what lies below or right of that.
 * Corners are in 1/256 of a pixel. (SKL PRM vol 7, Rasterization Rules)
 */
#include "draw/draw.h"

#include <math.h>

enum { PARTS = 256 };

static int64_t parts_of(float value)
{
    return (int64_t)llrintf(value * PARTS);
}

void draw_edges(const struct drawing *d, struct edges *e)
{
    int64_t x[CORNERS], y[CORNERS];
    e->box = d->topology == TOPOLOGY_RECTLIST;
    for (unsigned i = 0; i < CORNERS; i++) {
        x[i] = parts_of(d->corners[i * CORNER + CORNER_X]);
        y[i] = parts_of(d->corners[i * CORNER + CORNER_Y]);
    }
    if (e->box) {
        for (unsigned i = 0; i < CORNERS; i++) { /* left, right, top, bottom of them */
            e->x[0] = i && e->x[0] < x[i] ? e->x[0] : x[i];
            e->x[1] = i && e->x[1] > x[i] ? e->x[1] : x[i];
            e->y[0] = i && e->y[0] < y[i] ? e->y[0] : y[i];
            e->y[1] = i && e->y[1] > y[i] ? e->y[1] : y[i];
        }
        return;
    }
    const int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    const int64_t sign = area < 0 ? -1 : 1;
    for (unsigned i = 0; i < CORNERS; i++) {
        const unsigned to = (i + 1) % CORNERS;
        const int64_t dx = sign * (x[to] - x[i]), dy = sign * (y[to] - y[i]);
        const bool takes = dy < 0 || (dy == 0 && dx > 0); /* a left one, or one at the top */
        e->x[i] = -dy;
        e->y[i] = dx;
        e->c[i] = dy * x[i] - dx * y[i] - (takes ? 0 : 1);
    }
    if (!area)
        e->c[0] = -1, e->x[0] = e->y[0] = 0;
}

static bool is_covered(const struct edges *e, int64_t x, int64_t y)
{
    if (e->box)
        return x >= e->x[0] && x < e->x[1] && y >= e->y[0] && y < e->y[1];
    for (unsigned i = 0; i < CORNERS; i++)
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
            is_covered(e, (int64_t)x * PARTS + center, (int64_t)y * PARTS + center))
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

bool draw_next_primitive(struct drawing *d, struct bindings *b, uint64_t *budget, bool *ended)
{
    enum { PRIMITIVE_INSTRUCTIONS = 64 };
    uint32_t vertex[CORNERS], dw[CORNERS][VERTEX_DW];
    while (*budget) {
        *budget -= *budget < PRIMITIVE_INSTRUCTIONS ? *budget : PRIMITIVE_INSTRUCTIONS;
        const enum assembly assembly = draw_assemble(d, b, vertex);
        if (assembly == ASSEMBLY_GOES_ON && !faulted(b->engine))
            continue;
        if (assembly == ASSEMBLY_GOES_ON)
            return false;
        if (assembly == ASSEMBLY_ENDS) {
            d->primitive = d->run = d->run_primitive = 0;
            if (++d->instance < d->instances)
                continue;
            *ended = true;
            return false;
        }
        if (!draw_corners(d, b, vertex, dw))
            return false;
        d->shows = draw_setup(d, dw);
        if (d->resumes)
            take_place(d);
        if (d->shows)
            return true;
        d->primitive++;
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
        const uint32_t covered = draw_covered(d, &edges, d->at);
        if (covered) {
            for (unsigned i = 0; i < 2; i++)
                p->at[d->found][i] = (uint32_t)d->at[i];
            p->lit |= covered << d->found++ * SUBSPAN_PIXELS;
            pixels_count(b, PIXELS_RASTERIZED, covered, 0);
        }
        *budget -= ++looks % LOOKS_AN_INSTRUCTION == 0;
        d->at[0] += 2;
        if (d->at[0] >= d->box[1][0]) {
            d->at[0] = d->box[0][0] & ~1;
            d->at[1] += 2;
        }
    }
    for (unsigned i = d->found; i < SUBSPANS; i++)
        p->at[i][0] = p->at[i][1] = 0;
    p->killed = p->lit;
    d->found = 0;
    if (d->at[1] >= d->box[1][1]) {
        d->shows = false;
        d->primitive++;
    }
    return p->lit;
}
