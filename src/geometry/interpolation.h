/* Barycentrics, depths and w of pixels, in vectors of the host's level. */
#ifndef GEOMETRY_INTERPOLATION_H
#define GEOMETRY_INTERPOLATION_H

#include "shared_function/target_plan.h"
#include "simd/levels.h"

enum { CORNERS = 3 };
/* A corner: x, y in pixels and depth, each times w; and w. */
enum { CORNER_X, CORNER_Y, CORNER_Z, CORNER_W, CORNER };

/* What setup derives from a primitive's vertices. */
struct plane_equations {
    double vertex[CORNERS * CORNER];
    double weight[CORNERS][4]; /* weight of each vertex at (X, Y): x * X + y * Y + c; and 0 */
    double area;
    float depth_bias;
};

/* Subspans, `count` of them, and where in a pixel its values are taken. */
struct pixel_positions {
    const struct plane_equations *equations;
    const uint32_t (*xy)[2];
    unsigned count;
    double center;
    const double *right, *down; /* for each pixel, if its place is another; else NULL */
};

struct interpolation {
    /* In groups of eight pixels: those of corner 1, then those of corner 2. */
    void (*barycentrics)(const struct pixel_positions *p, bool is_linear, float *rows);
    void (*depths)(const struct pixel_positions *p, float *depth);
    void (*ws)(const struct pixel_positions *p, float *w);
};
extern const struct interpolation interpolation_any;
#if defined(__x86_64__)
extern const struct interpolation interpolation_v3, interpolation_v4;
#endif
const struct interpolation *interpolation_of(enum eu_simd_level level);

#endif
