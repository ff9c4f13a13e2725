/*
 * Points lie on rings: the patch's edges are the first; each inner ring has two points less on each side.
 * The last one may be a row of points, or a point. Primitives lie between two rings, side by side, then in
 * the middle. Positions are in 1/65536, so that shared edges of two patches are equal to the bit. (Direct3D
 * 11 functional specification, Tessellator)
 */
#include "geometry/tessellator.h"

#include <math.h>
#include <string.h>

enum { ONE = 1 << 16, HALF = ONE / 2, ONE_THIRD = 0x5555, TWO_THIRDS = 0xaaaa };
enum { MOST_FACTOR = 64, MOST_ODD_FACTOR = 63 };
enum { U, V };

/* ---- A line ---- */

static uint32_t up(uint32_t fixed)
{
    return (fixed + ONE - 1u) >> 16;
}

/* n without its highest set bit. */
static uint32_t without_top_bit(uint32_t n)
{
    return n ? n & ~(1u << (31 - __builtin_clz(n))) : 0;
}

static struct partition partition(uint32_t factor, bool odd)
{
    uint32_t half = (factor + 1u) / 2;
    const uint32_t points = odd ? up(HALF + half) * 2u : up(half) * 2u + 1u;
    if (odd || half == HALF) /* one segment is divided like two if the partitioning is even */
        half += HALF;
    const uint32_t floor = half >> 16, ceiling = up(half);
    const uint32_t split = floor == ceiling ? ceiling + 1u
                           : !odd           ? without_top_bit(floor) * 2u + 1u
                           : floor == 1     ? 0
                                            : without_top_bit(floor - 1u) * 2u + 1u;
    return (struct partition){.fraction = half % ONE,
                              .points = (uint8_t)points,
                              .half = (uint8_t)ceiling,
                              .split = (uint8_t)split,
                              .floor = (uint8_t)(floor * 2u - odd),
                              .ceiling = (uint8_t)(ceiling * 2u - odd),
                              .odd = odd};
}

/* The length of one of `segments` segments, rounded. */
static uint32_t segment_length(unsigned segments)
{
    return segments ? (2u * ONE / segments + 1u) / 2u : 0;
}

static uint32_t partition_position(const struct partition *p, unsigned point)
{
    const bool turned = point >= p->half;
    if (turned)
        point = 2u * p->half - point - p->odd;
    if (point == p->half)
        return HALF;
    const uint32_t on_floor = (point - (point > p->split)) * segment_length(p->floor),
                   on_ceiling = point * segment_length(p->ceiling);
    const uint32_t at = (on_floor * (ONE - p->fraction) + on_ceiling * p->fraction + HALF) >> 16;
    return turned ? ONE - at : at;
}

/* ---- Rings ---- */

/* The partition along a side: of quads along v, u, v, u. */
static const struct partition *side_partition(const struct tessellation *t, unsigned side)
{
    return &t->inside[t->domain == DOMAIN_QUAD ? (side + 1u) & 1u : U];
}

static unsigned points_of(const struct tessellation *t, unsigned ring, unsigned side)
{
    return ring ? side_partition(t, side)->points - 2u * ring : t->edge[side].points;
}

/* The points of a ring; each corner counts once. */
static unsigned ring_points(const struct tessellation *t, unsigned ring)
{
    unsigned points = 0;
    for (unsigned side = 0; side < t->sides; side++)
        points += points_of(t, ring, side) - 1u;
    return points;
}

static unsigned ring_begin(const struct tessellation *t, unsigned ring)
{
    unsigned points = 0;
    for (unsigned i = 0; i < ring; i++)
        points += ring_points(t, i);
    return points;
}

/* Whether the row of points in the middle runs along u; else along v. */
static bool is_along_u(const struct tessellation *t)
{
    return t->domain == DOMAIN_QUAD && t->inside[U].points > t->inside[V].points;
}

/* The middle of a quad is a row. Two opposite sides run along it, in opposite directions; the other two are
 * its end points. */
static unsigned row_point(const struct tessellation *t, unsigned side, unsigned i)
{
    if (t->domain == DOMAIN_TRIANGLE)
        return 0;
    const unsigned turned = is_along_u(t) ? (side + 3u) % 4u : side, along = is_along_u(t) ? U : V,
                   last = t->inside[along].points - 2u * t->rings - 1u;
    return turned == 0 ? i : turned == 1 ? last : turned == 2 ? last - i : 0;
}

/* Point i of a side of a ring; the last one is the first of the next side. */
static unsigned ring_point(const struct tessellation *t, unsigned ring, unsigned side, unsigned i)
{
    const unsigned begin = ring_begin(t, ring);
    if (ring == t->rings)
        return begin + row_point(t, side, i);
    unsigned at = i;
    for (unsigned n = 0; n < side; n++)
        at += points_of(t, ring, n) - 1u;
    return begin + (at < ring_points(t, ring) ? at : 0);
}

/* Sides run from v = 1 to 0, then from u = 0 to 1, and back. */
static void edge_point_position(const struct tessellation *t, unsigned side, unsigned i, uint32_t at[AXES])
{
    const bool forth = side == 1 || (side == 2 && t->domain == DOMAIN_QUAD);
    const struct partition *const p = &t->edge[side];
    const uint32_t along = partition_position(p, forth ? i : p->points - 1u - i);
    if (t->domain == DOMAIN_TRIANGLE) {
        at[U] = side ? along : 0;
        at[V] = side == 0 ? along : side == 1 ? 0 : ONE - along;
        return;
    }
    at[side & 1u ? U : V] = along;
    at[side & 1u ? V : U] = side < 2 ? 0 : ONE;
}

static void place_in_quad(const struct tessellation *t, unsigned ring, unsigned side, unsigned i,
                          uint32_t at[AXES])
{
    const unsigned across = side & 1u, along = across ^ 1u;
    const bool forth = side == 1 || side == 2;
    at[across] =
        partition_position(&t->inside[across], side < 2 ? ring : t->inside[across].points - 1u - ring);
    at[along] =
        partition_position(&t->inside[along], forth ? ring + i : t->inside[along].points - 1u - ring - i);
}

/* A ring of a triangle is two thirds as far from its edge as the same point of a line. */
static void triangle_point_position(const struct tessellation *t, unsigned ring, unsigned side, unsigned i,
                                    uint32_t at[AXES])
{
    const struct partition *const p = &t->inside[U];
    const uint32_t far = (partition_position(p, ring) * TWO_THIRDS + HALF) >> 16,
                   along = partition_position(p, side == 1 ? ring + i : p->points - 1u - ring - i) -
                           (far + 1u) / 2;
    at[U] = side == 0 ? far : along;
    at[V] = side == 0 ? along : side == 1 ? far : ONE - along - far;
}

static void place_on_line(const struct tessellation *t, uint32_t point, uint32_t at[AXES])
{
    const struct partition *const line = &t->inside[U];
    at[U] = partition_position(line, point % line->points);
    at[V] = partition_position(&t->inside[V], point / line->points);
}

static void place_point(const struct tessellation *t, uint32_t point, uint32_t at[AXES])
{
    unsigned ring = 0, side = 0;
    while (ring < t->rings && point >= ring_points(t, ring))
        point -= ring_points(t, ring++);
    if (ring == t->rings && t->domain == DOMAIN_TRIANGLE) {
        at[U] = at[V] = ONE_THIRD;
        return;
    }
    if (ring == t->rings) {
        place_in_quad(t, ring, is_along_u(t), point, at);
        return;
    }
    while (point >= points_of(t, ring, side) - 1u)
        point -= points_of(t, ring, side++) - 1u;
    if (!ring)
        edge_point_position(t, side, point, at);
    else if (t->domain == DOMAIN_QUAD)
        place_in_quad(t, ring, side, point, at);
    else
        triangle_point_position(t, ring, side, point, at);
}

void tessellation_point(const struct tessellation *t, uint32_t point, float to[3])
{
    /* An undivided quad: its corners in order. */
    static const uint8_t quad[EDGES] = {0, 1, 3, 2}; /* bits: u, v */
    uint32_t at[AXES] = {0};
    point = point < t->points ? point : 0;
    if (t->whole && t->domain == DOMAIN_QUAD)
        for (unsigned axis = 0; axis < AXES; axis++)
            at[axis] = (quad[point] >> axis & 1u) * ONE;
    else if (t->domain == DOMAIN_ISOLINE)
        place_on_line(t, point, at);
    else
        place_point(t, point, at);
    for (unsigned axis = 0; axis < AXES; axis++)
        to[axis] = (float)at[axis] / ONE;
    to[2] = 1 - to[U] - to[V];
}

/* ---- Triangles between two rows of points, the outer one and the inner one ---- */

/* A triangle steps along one of the rows; the value also names its first corner. */
enum step {
    OUTER_FIRST, /* outer, next outer, inner */
    OUTER_LAST,  /* inner, outer, next outer */
    INNER_FIRST, /* inner, outer, next inner */
    INNER_LAST   /* outer, next inner, inner */
};

/* An iterator that counts down to triangle `left` of a seam. */
struct seam {
    uint32_t left;
    unsigned outer, inner;
    enum step step;
    bool found;
};

static void go(struct seam *s, enum step step)
{
    if (s->found)
        return;
    s->step = step;
    s->found = !s->left;
    if (s->found)
        return;
    s->left--;
    if (step <= OUTER_LAST)
        s->outer++;
    else
        s->inner++;
}

static void go_twice(struct seam *s, enum step first, enum step second, unsigned times)
{
    for (unsigned i = 0; i < times && !s->found; i++) {
        go(s, first);
        go(s, second);
    }
}

/* Steps between rows with different partitions. In each half, points come in the order in which a growing
 * factor adds them. */
static void seam_step_unequal(struct seam *s, const struct partition *outer, const struct partition *inner)
{
    enum { MOST_HALF = 32 };
    static const uint8_t order[MOST_HALF + 1] = {0,  32, 16, 8,  17, 4,  18, 9,  19, 2,  20,
                                                 10, 21, 5,  22, 11, 23, 1,  24, 12, 25, 6,
                                                 26, 13, 27, 3,  28, 14, 29, 7,  30, 15, 31};
    const unsigned outer_half = outer->half - outer->odd, inner_half = inner->half - inner->odd;
    if (outer_half)
        go(s, OUTER_FIRST);
    for (unsigned i = 1; i <= MOST_HALF; i++) {
        if (order[i] < inner_half)
            go(s, INNER_FIRST);
        if (order[i] < outer_half)
            go(s, OUTER_FIRST);
    }
    if (inner->odd)
        go(s, INNER_FIRST);
    if (outer->odd)
        go(s, OUTER_LAST);
    for (unsigned i = MOST_HALF; i; i--) {
        if (order[i] < outer_half)
            go(s, OUTER_FIRST);
        if (order[i] < inner_half)
            go(s, INNER_FIRST);
    }
    if (outer_half)
        go(s, OUTER_FIRST);
}

/* Steps between rows with the same partition; the outer row has one more point at each end. */
static void seam_step_equal(struct seam *s, unsigned inner_points)
{
    const unsigned first = inner_points / 2;
    go(s, OUTER_FIRST);
    go_twice(s, INNER_LAST, OUTER_FIRST, first);
    go_twice(s, OUTER_LAST, INNER_FIRST, inner_points > first + 1u ? inner_points - 1u - first : 0);
    go(s, OUTER_FIRST);
}

/* Steps through the middle of a quad: a strip of quads. */
static void seam_step_strip(struct seam *s, unsigned quads, bool turns)
{
    if (!turns) {
        go_twice(s, OUTER_LAST, INNER_FIRST, quads);
        return;
    }
    const unsigned first = (quads - 1u) / 2;
    go_twice(s, OUTER_FIRST, INNER_FIRST, first);
    go_twice(s, INNER_LAST, OUTER_FIRST, 1);
    go_twice(s, OUTER_FIRST, INNER_FIRST, quads - 1u - first);
}

/* The triangles of a seam between two rings, or in the middle. */
static unsigned seam_triangles(const struct tessellation *t, unsigned ring, unsigned side)
{
    return points_of(t, ring - 1u, side) + points_of(t, ring, side) - 2u;
}

static unsigned seam_rings(const struct tessellation *t)
{
    return t->rings + t->row;
}

static unsigned strip_side(const struct tessellation *t)
{
    return is_along_u(t) ? 1 : 0;
}

static unsigned strip_quads(const struct tessellation *t)
{
    return points_of(t, t->rings - 1u, strip_side(t)) - 1u;
}

static void corners_of(const struct seam *s, unsigned outer[2], unsigned inner[2], uint32_t points[3])
{
    const unsigned of[4][3] = {[OUTER_FIRST] = {outer[0], outer[1], inner[0]},
                               [OUTER_LAST] = {inner[0], outer[0], outer[1]},
                               [INNER_FIRST] = {inner[0], outer[0], inner[1]},
                               [INNER_LAST] = {outer[0], inner[1], inner[0]}};
    for (unsigned i = 0; i < 3; i++)
        points[i] = of[s->step][i];
}

static void middle_triangle(const struct tessellation *t, uint32_t n, uint32_t points[3])
{
    const unsigned ring = t->rings - 1u, side = strip_side(t), quads = strip_quads(t);
    if (t->domain == DOMAIN_TRIANGLE) {
        for (unsigned i = 0; i < 3; i++)
            points[i] = ring_begin(t, ring) + i;
        return;
    }
    struct seam s = {.left = n};
    seam_step_strip(&s, quads, !is_along_u(t) && t->inside[V].odd);
    unsigned outer[2], inner[2];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned at = s.inner + i <= quads ? quads - s.inner - i : 0;
        outer[i] = ring_point(t, ring, side, s.outer + i <= quads ? s.outer + i : quads);
        inner[i] = ring_point(t, ring, side + 2u, at);
    }
    corners_of(&s, outer, inner, points);
}

static void triangle(const struct tessellation *t, uint32_t n, uint32_t points[3])
{
    unsigned ring = 1, side = 0;
    while (ring < seam_rings(t) && n >= seam_triangles(t, ring, side)) {
        n -= seam_triangles(t, ring, side);
        side = (side + 1u) % t->sides;
        ring += !side;
    }
    if (ring == seam_rings(t)) {
        middle_triangle(t, n, points);
        return;
    }
    struct seam s = {.left = n};
    if (ring == 1)
        seam_step_unequal(&s, &t->edge[side], side_partition(t, side));
    else
        seam_step_equal(&s, points_of(t, ring, side));
    unsigned outer[2], inner[2];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned outer_last = points_of(t, ring - 1u, side) - 1u,
                       inner_last = points_of(t, ring, side) - 1u;
        outer[i] = ring_point(t, ring - 1u, side, s.outer + i < outer_last ? s.outer + i : outer_last);
        inner[i] = ring_point(t, ring, side, s.inner + i < inner_last ? s.inner + i : inner_last);
    }
    corners_of(&s, outer, inner, points);
}

void tessellation_primitive(const struct tessellation *t, uint32_t n, uint32_t points[3])
{
    static const uint8_t quad[2][3] = {{0, 1, 3}, {1, 2, 3}};
    n = n < t->primitives ? n : 0;
    if (t->corners < 3) {
        /* A line ends at its isoline. */
        const uint32_t segments = t->domain == DOMAIN_ISOLINE ? t->inside[U].points - 1u : UINT32_MAX,
                       first = t->corners == 2 ? n + n / segments : n;
        for (unsigned i = 0; i < 3; i++)
            points[i] = first + (i < t->corners ? i : 0);
        return;
    }
    if (t->whole)
        for (unsigned i = 0; i < 3; i++)
            points[i] = t->domain == DOMAIN_QUAD ? quad[n][i] : i;
    else
        triangle(t, n, points);
    if (t->output == TESSELLATES_COUNTERCLOCKWISE) {
        const uint32_t second = points[1];
        points[1] = points[2];
        points[2] = second;
    }
}

/* ---- A patch ---- */

static float within(float factor, float low, float high)
{
    return !(factor > low) ? low : factor < high ? factor : high; /* NaN gives the low bound */
}

static uint32_t fixed(float factor)
{
    return (uint32_t)lrintf(factor * ONE);
}

/* The partition of a factor. With integer partitioning the factor's parity selects odd or even. A factor
 * of one inside is divided like two. */
static struct partition divide(uint8_t partitioning, float factor, bool one_is_even)
{
    if (partitioning == PARTITION_ODD || partitioning == PARTITION_EVEN)
        return partition(fixed(factor), partitioning == PARTITION_ODD);
    const uint32_t whole = (uint32_t)ceilf(factor);
    return partition(whole * ONE, whole % 2u && !(one_is_even && whole == 1));
}

static void take_lines(struct tessellation *t, uint8_t partitioning, const float factors[FACTORS], float low,
                       float high)
{
    t->inside[U] = divide(partitioning, within(factors[1], low, high), false);
    t->inside[V] = divide(PARTITION_INTEGER, within(factors[0], 1, MOST_FACTOR), false);
    const uint32_t lines = t->inside[V].points - 1u; /* no isoline at v = 1 */
    t->points = lines * t->inside[U].points;
    t->corners = t->output == TESSELLATES_POINTS ? 1 : 2;
    t->primitives = t->corners == 1 ? t->points : lines * (t->inside[U].points - 1u);
}

static bool is_whole(const struct tessellation *t, const float edges[EDGES], const float insides[AXES])
{
    bool whole = true;
    for (unsigned i = 0; i < t->sides; i++)
        whole &= fixed(edges[i]) == ONE;
    for (unsigned i = 0; i < (t->domain == DOMAIN_QUAD ? 2u : 1u); i++)
        whole &= fixed(insides[i]) == ONE;
    return whole;
}

static void count_rings(struct tessellation *t)
{
    enum { LEAST = 3, LEAST_ODD = 4 };
    unsigned least = UINT8_MAX;
    for (unsigned axis = 0; axis < (t->domain == DOMAIN_QUAD ? 2u : 1u); axis++) {
        struct partition *const p = &t->inside[axis];
        const uint8_t fewest = p->odd ? LEAST_ODD : LEAST;
        p->points = p->points < fewest ? fewest : p->points;
        least = p->points < least ? p->points : least;
    }
    t->rings = (uint8_t)(least >> 1);
    t->row = least % 2u;
    t->points = ring_begin(t, t->rings);
    if (t->row)
        t->points +=
            t->domain == DOMAIN_TRIANGLE ? 1u : t->inside[is_along_u(t) ? U : V].points - 2u * t->rings;
    for (unsigned ring = 1; ring < seam_rings(t); ring++)
        for (unsigned side = 0; side < t->sides; side++)
            t->primitives += seam_triangles(t, ring, side);
    if (!t->row)
        t->primitives += t->domain == DOMAIN_TRIANGLE ? 1 : 2u * strip_quads(t);
}

bool tessellate(struct tessellation *t, const struct tessellation_state *s, const float factors[FACTORS])
{
    const bool odd = s->partitioning == PARTITION_ODD;
    float low = s->partitioning == PARTITION_EVEN ? 2 : 1, edges[EDGES], insides[AXES];
    const float most = odd ? MOST_ODD_FACTOR : MOST_FACTOR,
                high = within(odd ? s->max_tess_factor_odd : s->max_tess_factor, low, most);
    bool culled = false, divides = false;
    *t = (struct tessellation){
        .domain = s->domain == DOMAIN_TRIANGLE || s->domain == DOMAIN_ISOLINE ? s->domain : DOMAIN_QUAD,
        .output = s->output,
        .corners = 3};
    t->sides = t->domain == DOMAIN_QUAD ? 4 : t->domain == DOMAIN_TRIANGLE ? 3 : 2;
    for (unsigned i = 0; i < t->sides; i++) {
        culled |= !(factors[i] > 0);
        edges[i] = within(factors[i], low, high);
        divides |= fixed(edges[i]) > ONE;
    }
    if (culled)
        return false;
    if (t->domain == DOMAIN_ISOLINE) {
        take_lines(t, s->partitioning, factors, low, high);
        return true;
    }
    for (unsigned i = 0; i < AXES; i++)
        divides |= t->domain == DOMAIN_QUAD && factors[EDGES + i] > 1 + 0.5F / ONE;
    if (odd && divides && high > 1) /* then the inside has a frame */
        low = 1 + 1.0F / ONE;
    for (unsigned i = 0; i < AXES; i++)
        insides[i] = within(factors[EDGES + i], low, high);
    if (s->partitioning != PARTITION_ODD && s->partitioning != PARTITION_EVEN) {
        for (unsigned i = 0; i < EDGES; i++)
            edges[i] = i < t->sides ? ceilf(edges[i]) : 1;
        for (unsigned i = 0; i < AXES; i++)
            insides[i] = ceilf(insides[i]);
    }
    for (unsigned i = 0; i < t->sides; i++)
        t->edge[i] = divide(s->partitioning, edges[i], false);
    for (unsigned i = 0; i < AXES; i++)
        t->inside[i] = divide(s->partitioning, insides[i], true);
    if (is_whole(t, edges, insides)) {
        t->whole = true;
        t->points = t->sides;
        t->primitives = t->sides - 2u;
        t->edge[0].points = t->edge[1].points = t->edge[2].points = t->edge[3].points = 2;
        t->rings = 1;
    } else {
        count_rings(t);
    }
    if (s->output <= TESSELLATES_LINES) {
        t->corners = s->output == TESSELLATES_POINTS ? 1 : 2;
        t->primitives = t->points + 1u - t->corners;
    }
    return true;
}
