/* Triangles in vectors: a lane is a corner, or a pixel. Compiled once for each level of vectors: the
 * operations on doubles and their order are the same. (SKL PRM vol 7, Strips and Fans, Rasterization Rules)
 */
#include "geometry/triangles.h"
#include "geometry/vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define SPLAT(value)       ((quad){0} + (double)(value))
/* The corners after the lanes' own: lane i has the one of lane i + 1 or i + 2. */
#define NEXT(v)     SHUFFLE(v, v, 1, 2, 0, 1)
#define NEXT_BUT(v) SHUFFLE(v, v, 2, 0, 1, 2)

static INLINE bool all_set(const quad_mask *mask)
{
#if defined(__AVX2__)
    return _mm256_movemask_pd((__m256d)*mask) == 15;
#else
    return ((*mask)[0] & (*mask)[1] & (*mask)[2] & (*mask)[3]) != 0;
#endif
}

static INLINE bool some_set(const ints *mask)
{
    return ((*mask)[0] | (*mask)[1] | (*mask)[2] | (*mask)[3]) != 0;
}

static INLINE void take(quad *values, const quad_mask *mask, const quad *other)
{
    *values = (quad)(((quad_mask)*other & *mask) | ((quad_mask)*values & ~*mask));
}

/* Rows of four lanes to four rows of a lane. */
static INLINE void transpose(quad *a, quad *b, quad *c, quad *d)
{
    const quad ab_even = SHUFFLE(*a, *b, 0, 4, 2, 6), ab_odd = SHUFFLE(*a, *b, 1, 5, 3, 7),
               cd_even = SHUFFLE(*c, *d, 0, 4, 2, 6), cd_odd = SHUFFLE(*c, *d, 1, 5, 3, 7);
    *a = SHUFFLE(ab_even, cd_even, 0, 1, 4, 5);
    *b = SHUFFLE(ab_odd, cd_odd, 0, 1, 4, 5);
    *c = SHUFFLE(ab_even, cd_even, 2, 3, 6, 7);
    *d = SHUFFLE(ab_odd, cd_odd, 2, 3, 6, 7);
}

/* ---- Setup ---- */

struct clip_lanes {
    quad x, y, z, w;
};

static INLINE void load_corners(const uint32_t *const position[CORNERS], struct clip_lanes *c, bool *outside)
{
    floats p[CORNERS] = {{0}};
    ints beyond = ~(ints){0};
    for (unsigned i = 0; i < CORNERS; i++) {
        memcpy(&p[i], position[i], sizeof p[i]);
        const floats sides = SHUFFLE(p[i], -p[i], 0, 4, 1, 5), w = SHUFFLE(p[i], p[i], 3, 3, 3, 3);
        beyond &= sides < -w;
    }
    *outside = some_set(&beyond);
    const floats xy_01 = SHUFFLE(p[0], p[1], 0, 4, 1, 5), xy_20 = SHUFFLE(p[2], p[0], 0, 4, 1, 5),
                 zw_01 = SHUFFLE(p[0], p[1], 2, 6, 3, 7), zw_20 = SHUFFLE(p[2], p[0], 2, 6, 3, 7);
    c->x = __builtin_convertvector(SHUFFLE(xy_01, xy_20, 0, 1, 4, 5), quad);
    c->y = __builtin_convertvector(SHUFFLE(xy_01, xy_20, 2, 3, 6, 7), quad);
    c->z = __builtin_convertvector(SHUFFLE(zw_01, zw_20, 0, 1, 4, 5), quad);
    c->w = __builtin_convertvector(SHUFFLE(zw_01, zw_20, 2, 3, 6, 7), quad);
}

/* Whether the corners are inside all planes; not if a distance is NaN or a coordinate is not finite. */
static INLINE bool is_within_planes(const struct triangle_state *s, const struct clip_lanes *clip,
                                    const struct clip_lanes *pixels)
{
    static const double eye = 1e-20; /* the least w in front of the eye */
    const quad x = pixels->x, y = pixels->y, w = pixels->w;
    quad_mask inside = w - eye >= 0;
    inside &= x - SPLAT(s->visible[0][0]) * w >= 0;
    inside &= SPLAT(s->visible[0][1]) * w - x >= 0;
    inside &= y - SPLAT(s->visible[1][0]) * w >= 0;
    inside &= SPLAT(s->visible[1][1]) * w - y >= 0;
    inside &= (x - x == 0) & (y - y == 0) & (w - w == 0) & /* NOLINT(misc-redundant-expression) */
              (pixels->z - pixels->z == 0);                /* NOLINT(misc-redundant-expression) */
    if (s->near_plane)
        inside &= (s->near_is_zero ? clip->z : clip->z + clip->w) >= 0;
    if (s->far_plane)
        inside &= clip->w - clip->z >= 0;
    return all_set(&inside);
}

/* The weight equation of each corner: the cross product of the other two; and the sum of the weights. */
static INLINE void put_equations(const struct clip_lanes *p, struct plane_equations *e)
{
    const quad xa = NEXT(p->x), ya = NEXT(p->y), wa = NEXT(p->w), xb = NEXT_BUT(p->x), yb = NEXT_BUT(p->y),
               wb = NEXT_BUT(p->w);
    quad of_x = ya * wb - wa * yb, of_y = wa * xb - xa * wb, of_1 = xa * yb - ya * xb, none = {0};
    e->area = of_x[0] * p->x[0] + of_y[0] * p->y[0] + of_1[0] * p->w[0];
    transpose(&of_x, &of_y, &of_1, &none);
    memcpy(e->weight[0], &of_x, sizeof of_x);
    memcpy(e->weight[1], &of_y, sizeof of_y);
    memcpy(e->weight[2], &of_1, sizeof of_1);
    quad first = p->x, second = p->y, third = p->z, fourth = p->w;
    transpose(&first, &second, &third, &fourth);
    memcpy(e->vertex, &first, sizeof first);
    memcpy(e->vertex + CORNER, &second, sizeof second);
    memcpy(e->vertex + 2 * CORNER, &third, sizeof third);
}

static enum triangle_place transform(const struct triangle_state *s, const uint32_t *const position[CORNERS],
                                     struct triangle_corners *corners, struct plane_equations *e)
{
    struct clip_lanes clip, p;
    bool outside;
    load_corners(position, &clip, &outside);
    if (outside && s->rejects_outside)
        return TRIANGLE_OUTSIDE;
    p.w = clip.w;
    p.x = clip.x * SPLAT(s->matrix[0]) + p.w * SPLAT(s->matrix[3]);
    p.y = clip.y * SPLAT(s->matrix[1]) + p.w * SPLAT(s->matrix[4]);
    p.z = clip.z * SPLAT(s->matrix[2]) + p.w * SPLAT(s->matrix[5]);
    p.x += p.w * SPLAT(s->origin[0]);
    p.y += p.w * SPLAT(s->origin[1]);
    if (!is_within_planes(s, &clip, &p))
        return TRIANGLE_MUST_BE_CLIPPED;
    put_equations(&p, e);
    memcpy(corners->x, &p.x, sizeof p.x);
    memcpy(corners->y, &p.y, sizeof p.y);
    memcpy(corners->w, &p.w, sizeof p.w);
    return TRIANGLE_INSIDE;
}

static const double round_bias = 0x1.8p52;

static INLINE double lowest(const quad *v)
{
    const double first = (*v)[0] < (*v)[1] ? (*v)[0] : (*v)[1];
    return (*v)[2] < first ? (*v)[2] : first;
}

static INLINE double highest(const quad *v)
{
    const double first = (*v)[0] > (*v)[1] ? (*v)[0] : (*v)[1];
    return (*v)[2] > first ? (*v)[2] : first;
}

/* The pixels from the lowest position to behind the highest one, within the scissored extent. */
static INLINE void put_bbox(const struct triangle_state *s, const quad *x, const quad *y, int32_t bbox[2][2])
{
    quad at = {lowest(x), lowest(y), highest(x) + 1, highest(y) + 1};
    const quad least = {s->scissor_min[0], s->scissor_min[1], s->scissor_min[0], s->scissor_min[1]},
               most = {s->scissor_max[0], s->scissor_max[1], s->scissor_max[0], s->scissor_max[1]};
    const quad_mask above = at >= most, below = ~(at > least);
    take(&at, &above, &most);
    take(&at, &below, &least);
    const ints whole = __builtin_convertvector(at, ints);
    const quad_mask rounded_up = at < __builtin_convertvector(whole, quad);
    const ints result = whole + __builtin_convertvector(rounded_up, ints);
    memcpy(bbox, &result, sizeof result);
}

/* Edges go around clockwise. A left or top edge includes its points. All numbers are whole, and exact:
 * positions are below 2^24, areas and constants below 2^52. */
static void edges(const struct triangle_state *s, const struct triangle_corners *corners, struct edge *to,
                  int32_t bbox[2][2], int32_t box[2][2])
{
    enum { PARTS = 256, COARSE_PARTS = 16 };
    const double parts = s->subpixel_4bit ? COARSE_PARTS : PARTS, units = PARTS / parts;
    quad x, y, w;
    memcpy(&x, corners->x, sizeof x);
    memcpy(&y, corners->y, sizeof y);
    memcpy(&w, corners->w, sizeof w);
    x /= w;
    y /= w;
    put_bbox(s, &x, &y, bbox);
    x = ((x * parts + round_bias) - round_bias) * units;
    y = ((y * parts + round_bias) - round_bias) * units;
    const ints extent =
        __builtin_convertvector(((quad){lowest(&x), lowest(&y), highest(&x), highest(&y)}), ints);
    memcpy(box, &extent, sizeof extent);
    quad dx = NEXT(x) - x, dy = NEXT(y) - y;
    const double area = -dx[0] * dy[2] + dy[0] * dx[2];
    if (area < 0)
        dx = -dx, dy = -dy;
    const quad_mask takes = (dy < 0) | ((dy == 0) & (dx >= 0));
    const quad off = (quad)(~takes & (quad_mask)SPLAT(1));
    const quad c = dy * x - dx * y - off;
    const ints step_x = __builtin_convertvector(-dy, ints), step_y = __builtin_convertvector(dx, ints);
    const quad_mask constant = (quad_mask)(c + round_bias) - (quad_mask)SPLAT(round_bias);
    for (unsigned i = 0; i < CORNERS; i++)
        to[i] = edge_of(constant[i], step_x[i], step_y[i]);
    if (area == 0)
        to[0] = (struct edge){.c = -1};
}

/* ---- Coverage ---- */

/* The pixels of a block inside an edge. `at`: the edge function at the first pixel, in 1/256, rounded down;
 * its steps are whole: the signs are those of the exact values. */
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
static INLINE uint64_t edge_coverage(int32_t at, int32_t step_x, int32_t step_y)
{
    typedef int32_t ints16 __attribute__((vector_size(64)));
    const ints16 x = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3},
                 y = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
    const ints16 quarter = x * step_x + y * step_y + at;
    const uint32_t first = _mm512_movepi32_mask((__m512i)quarter),
                   right = _mm512_movepi32_mask((__m512i)(quarter + step_x * 4)),
                   below = _mm512_movepi32_mask((__m512i)(quarter + step_y * 4)),
                   last = _mm512_movepi32_mask((__m512i)(quarter + (step_x * 4 + step_y * 4)));
    return ~((uint64_t)(below | last << 16) << 32 | (first | right << 16));
}
#elif defined(__SSE2__)
#if defined(__AVX2__)
/* The pixels of two subspans side by side. */
typedef int32_t part __attribute__((vector_size(32)));
#define FIRST(at, x, y) ((part){0, 1, 0, 1, 2, 3, 2, 3} * (x) + (part){0, 0, 1, 1, 0, 0, 1, 1} * (y) + (at))
#define SIGNS(v, x2)    (uint32_t) _mm256_movemask_ps((__m256)(v))
#else
/* The pixels of a subspan; the next one follows. */
typedef int32_t part __attribute__((vector_size(16)));
#define FIRST(at, x, y) ((part){(at), (at) + (x), (at) + (y), (at) + (x) + (y)})
#define SIGNS(v, x2)    (uint32_t)(_mm_movemask_ps((__m128)(v)) | _mm_movemask_ps((__m128)((v) + (x2))) << 4)
#endif
static INLINE uint64_t edge_coverage(int32_t at, int32_t step_x, int32_t step_y)
{
    const part zero = {0}, x4 = zero + step_x * 4, y2 = zero + step_y * 2, y4 = zero + step_y * 4;
    __attribute__((unused)) const part x2 = zero + step_x * 2;
    const part top = FIRST(at, step_x, step_y), right = top + x4, low = top + y4, last = right + y4;
    const uint32_t upper = SIGNS(top, x2) | SIGNS(top + y2, x2) << 8 | SIGNS(right, x2) << 16 |
                           SIGNS(right + y2, x2) << 24,
                   lower = SIGNS(low, x2) | SIGNS(low + y2, x2) << 8 | SIGNS(last, x2) << 16 |
                           SIGNS(last + y2, x2) << 24;
    return ~((uint64_t)lower << 32 | upper);
}
#else
static INLINE uint64_t edge_coverage(int32_t at, int32_t step_x, int32_t step_y)
{
    uint64_t outside = 0;
    for (unsigned n = 0; n < 64u; n++) {
        const int32_t x = (int32_t)((n & 1u) | (n >> 1 & 2u) | (n >> 2 & 4u)),
                      y = (int32_t)((n >> 1 & 1u) | (n >> 2 & 2u) | (n >> 3 & 4u));
        outside |= (uint64_t)(at + x * step_x + y * step_y < 0) << n;
    }
    return ~outside;
}
#endif

/* In a block that an edge crosses, the edge function is small: 7 * (|x| + |y|) < 2^30. */
static uint64_t coverage(const struct edge *edges, uint32_t mask, int64_t x, int64_t y)
{
    enum { PARTS_SHIFT = 8, MOST_EDGES = 32 };
    int32_t crossing_at[MOST_EDGES];
    const struct edge *crossing[MOST_EDGES];
    unsigned count = 0;
    uint64_t covered = UINT64_MAX;
    for (; mask; mask &= mask - 1u) {
        const struct edge *const e = &edges[__builtin_ctz(mask)];
        const int64_t at = (e->x * x + e->y * y + e->c) >> PARTS_SHIFT;
        if (at + e->most < 0)
            return 0;
        crossing_at[count] = (int32_t)at;
        crossing[count] = e;
        count += at + e->least < 0;
    }
    for (unsigned i = 0; i < count; i++)
        covered &= edge_coverage(crossing_at[i], crossing[i]->x, crossing[i]->y);
    return covered;
}

const struct triangle_functions OF_LEVEL(triangles) = {transform, edges, coverage};

#if !defined(__AVX2__)
const struct triangle_functions *triangle_functions_of(enum eu_simd_level level)
{
#if defined(__x86_64__)
    static const struct triangle_functions *const levels[EU_SIMD_LEVELS] = {
        &triangles_any,
        &triangles_any,
        &triangles_v3,
#if HAS_LEVEL_V4
        &triangles_v4
#endif
    };
    return levels[level];
#else
    (void)level;
    return &triangles_any;
#endif
}
#endif
