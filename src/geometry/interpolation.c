/* What setup's equations give at pixels, a subspan at a time. Compiled once for each level of vectors: the
 * operations and their order are the same. */
#include "geometry/interpolation.h"
#include "geometry/vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Vectors of as many doubles as the level has; functions take pointers to them, as to those of vectors.h. */
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
enum { PART = 8 };
typedef double doubles __attribute__((vector_size(64)));
typedef int64_t doubles_mask __attribute__((vector_size(64)));
typedef float part_floats __attribute__((vector_size(32)));
typedef int32_t part_ints __attribute__((vector_size(32)));
#else
enum { PART = 4 };
typedef quad doubles;
typedef quad_mask doubles_mask;
typedef floats part_floats;
typedef ints part_ints;
#endif
enum { PART_SUBSPANS = PART / SUBSPAN_PIXELS };

/* Takes the lanes of `other` where the mask is set. */
static INLINE void replace(doubles *values, const doubles_mask *mask, const doubles *other)
{
    *values = (doubles)(((doubles_mask)*other & *mask) | ((doubles_mask)*values & ~*mask));
}

static INLINE bool has_zero(const doubles *values)
{
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
    return _mm512_cmp_pd_mask((__m512d)*values, _mm512_setzero_pd(), _CMP_EQ_OQ);
#elif defined(__AVX2__)
    return _mm256_movemask_pd((__m256d)(*values == 0));
#else
    return (*values)[0] == 0 || (*values)[1] == 0 || (*values)[2] == 0 || (*values)[3] == 0;
#endif
}

static INLINE void put_floats(float *to, const doubles *values)
{
    const part_floats rounded = __builtin_convertvector(*values, part_floats);
    memcpy(to, &rounded, sizeof rounded);
}

/* The same where the subspans end inside the part. */
static INLINE void put_subspans(float *to, const doubles *values, unsigned subspans)
{
    const part_floats rounded = __builtin_convertvector(*values, part_floats);
    if (subspans >= PART_SUBSPANS)
        memcpy(to, &rounded, sizeof rounded);
    else
        memcpy(to, &rounded, SUBSPAN_PIXELS * sizeof *to);
}

/* x and y of the pixels of a part, from a subspan on. Of a last subspan that is alone there are twice as
 * many. */
static INLINE void part_positions(const struct pixel_positions *p, unsigned subspan, doubles *x, doubles *y)
{
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
    const part_ints right = {0, 1, 0, 1, 0, 1, 0, 1}, below = {0, 0, 1, 1, 0, 0, 1, 1};
    const unsigned second = subspan + 1u < p->count ? subspan + 1u : subspan;
    const int32_t x0 = (int32_t)p->xy[subspan][0], x1 = (int32_t)p->xy[second][0],
                  y0 = (int32_t)p->xy[subspan][1], y1 = (int32_t)p->xy[second][1];
    const part_ints left = {x0, x0, x0, x0, x1, x1, x1, x1}, top = {y0, y0, y0, y0, y1, y1, y1, y1};
#else
    const part_ints right = {0, 1, 0, 1}, below = {0, 0, 1, 1};
    const part_ints left = (part_ints){0} + (int32_t)p->xy[subspan][0],
                    top = (part_ints){0} + (int32_t)p->xy[subspan][1];
#endif
    *x = __builtin_convertvector(left + right, doubles);
    *y = __builtin_convertvector(top + below, doubles);
    if (__builtin_expect(p->right != NULL, 0)) {
        doubles across, down;
        memcpy(&across, p->right + subspan * SUBSPAN_PIXELS, sizeof across);
        memcpy(&down, p->down + subspan * SUBSPAN_PIXELS, sizeof down);
        *x += across;
        *y += down;
    } else {
        *x += p->center;
        *y += p->center;
    }
}

/* The weights of each corner, and their sum. Weight / sum is the perspective barycentric, weight * w / area
 * the linear one. */
static INLINE void weights(const struct pixel_positions *p, unsigned subspan, doubles of[CORNERS],
                           doubles *sum)
{
    doubles x, y;
    part_positions(p, subspan, &x, &y);
    *sum = (doubles){0};
#pragma GCC unroll 3
    for (unsigned i = 0; i < CORNERS; i++) {
        const double *const weight = p->equations->weight[i];
        of[i] = weight[0] * x + weight[1] * y + weight[2];
        *sum += of[i];
    }
}

static void barycentrics(const struct pixel_positions *p, bool is_linear, float *rows)
{
    enum { ROW = 8 };
    const double area = p->equations->area;
    for (unsigned n = 0; n < p->count; n += PART_SUBSPANS) {
        doubles of[CORNERS], sum;
        weights(p, n, of, &sum);
        const bool some = is_linear || has_zero(&sum);
#pragma GCC unroll 2
        for (unsigned i = 1; i < CORNERS; i++) {
            doubles at = of[i] / sum;
            if (__builtin_expect(some, 0)) {
                const doubles_mask straight = is_linear ? ~(doubles_mask){0} : sum == 0;
                const doubles linear =
                    area != 0 ? of[i] * p->equations->vertex[i * CORNER + CORNER_W] / area : (doubles){0};
                replace(&at, &straight, &linear);
            }
            put_floats(rows + (n / 2 * 2 + i - 1u) * ROW + n % 2 * SUBSPAN_PIXELS, &at);
        }
    }
}

/* Depth is linear on the screen. */
static void depths(const struct pixel_positions *p, float *depth)
{
    const double area = p->equations->area, *const vertex = p->equations->vertex;
    const double straight = vertex[CORNER_W] != 0 ? vertex[CORNER_Z] / vertex[CORNER_W] : 0;
    for (unsigned n = 0; n < p->count; n += PART_SUBSPANS) {
        doubles of[CORNERS], sum, at = {0};
        weights(p, n, of, &sum);
#pragma GCC unroll 3
        for (unsigned i = 0; i < CORNERS; i++)
            at += of[i] * vertex[i * CORNER + CORNER_Z];
        at = (area == 0 ? (doubles){0} + straight : at / area) + p->equations->depth_bias;
        put_subspans(depth + n * SUBSPAN_PIXELS, &at, p->count - n);
    }
}

static void ws(const struct pixel_positions *p, float *w)
{
    const double area = p->equations->area;
    for (unsigned n = 0; n < p->count; n += PART_SUBSPANS) {
        doubles of[CORNERS], sum;
        weights(p, n, of, &sum);
        const doubles_mask has = area != 0 ? sum != 0 : (doubles_mask){0};
        const doubles by_sum = area / sum;
        doubles at = (doubles){0} + p->equations->vertex[CORNER_W];
        replace(&at, &has, &by_sum);
        put_subspans(w + n * SUBSPAN_PIXELS, &at, p->count - n);
    }
}

const struct interpolation OF_LEVEL(interpolation) = {barycentrics, depths, ws};

#if !defined(__AVX2__)
const struct interpolation *interpolation_of(enum eu_simd_level level)
{
#if defined(__x86_64__)
    static const struct interpolation *const levels[EU_SIMD_LEVELS] = {
        &interpolation_any,
        &interpolation_any,
        &interpolation_v3,
#if HAS_LEVEL_V4
        &interpolation_v4
#endif
    };
    return levels[level];
#else
    (void)level;
    return &interpolation_any;
#endif
}
#endif
