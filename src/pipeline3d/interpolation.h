/* Barycentrics, depths and w of pixels, in vectors of the host's level. */
#ifndef PIPELINE3D_INTERPOLATION_H
#define PIPELINE3D_INTERPOLATION_H

#include "pipeline3d/draw.h"

/* Subspans, `count` of them, and where in a pixel its values are taken. */
struct pixel_positions {
    const struct setup_primitive *setup;
    const uint32_t (*xy)[2];
    unsigned count;
    double center;
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
/* For the host's level. (sf.c) */
const struct interpolation *host_interpolation(void);

#endif
