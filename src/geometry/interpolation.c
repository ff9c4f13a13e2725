/* What setup's equations give at pixels, a subspan at a time. Compiled once for each level of vectors: the
 * operations and their order are the same. */
#include "geometry/interpolation.h"
#include "geometry/vectors.h"

/* Takes the lanes of `other` where the mask is set. */
static INLINE void replace(quad *values, const quad_mask *mask, const quad *other)
{
    *values = (quad)(((quad_mask)*other & *mask) | ((quad_mask)*values & ~*mask));
}

static INLINE bool has_lane(const quad_mask *mask)
{
    return (*mask)[0] | (*mask)[1] | (*mask)[2] | (*mask)[3];
}

static INLINE void put_floats(float *to, const quad *values)
{
    const floats rounded = __builtin_convertvector(*values, floats);
    memcpy(to, &rounded, sizeof rounded);
}

/* The weights of each corner, and their sum. Weight / sum is the perspective barycentric, weight * w / area
 * the linear one. */
static INLINE void weights(const struct pixel_positions *p, unsigned subspan, quad of[CORNERS], quad *sum)
{
    const double left = p->center + p->xy[subspan][0], top = p->center + p->xy[subspan][1], right = left + 1,
                 below = top + 1;
    const quad x = {left, right, left, right}, y = {top, top, below, below};
    *sum = (quad){0};
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
    for (unsigned n = 0; n < p->count; n++) {
        quad of[CORNERS], sum;
        weights(p, n, of, &sum);
        const quad_mask straight = is_linear ? ~(quad_mask){0} : sum == 0;
        const bool some = has_lane(&straight);
        for (unsigned i = 1; i < CORNERS; i++) {
            quad at = of[i] / sum;
            if (some) {
                const quad linear =
                    area != 0 ? of[i] * p->equations->vertex[i * CORNER + CORNER_W] / area : (quad){0};
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
    for (unsigned n = 0; n < p->count; n++) {
        quad of[CORNERS], sum, at = {0};
        weights(p, n, of, &sum);
        for (unsigned i = 0; i < CORNERS; i++)
            at += of[i] * vertex[i * CORNER + CORNER_Z];
        at = (area == 0 ? (quad){0} + straight : at / area) + p->equations->depth_bias;
        put_floats(depth + n * SUBSPAN_PIXELS, &at);
    }
}

static void ws(const struct pixel_positions *p, float *w)
{
    const double area = p->equations->area;
    for (unsigned n = 0; n < p->count; n++) {
        quad of[CORNERS], sum;
        weights(p, n, of, &sum);
        const quad_mask has = area != 0 ? sum != 0 : (quad_mask){0};
        const quad by_sum = area / sum;
        quad at = (quad){0} + p->equations->vertex[CORNER_W];
        replace(&at, &has, &by_sum);
        put_floats(w + n * SUBSPAN_PIXELS, &at);
    }
}

const struct interpolation OF_LEVEL(interpolation) = {barycentrics, depths, ws};

#if !defined(__AVX2__)
const struct interpolation *interpolation_of(enum eu_simd_level level)
{
#if defined(__x86_64__)
    static const struct interpolation *const levels[EU_SIMD_LEVELS] = {&interpolation_any, &interpolation_any,
                                                                       &interpolation_v3, &interpolation_v4};
    return levels[level];
#else
    (void)level;
    return &interpolation_any;
#endif
}
#endif
