/* Events of pixels, which the pixel pipeline reports and OA counters count. */
#ifndef OA_PIXEL_EVENTS_H
#define OA_PIXEL_EVENTS_H

/* Events of subspans, in the order of counters A21 to A27. */
enum pixel_event {
    PIXELS_RASTERIZED,   /* covered, before tests */
    PIXELS_FAST_FAILED,  /* failed early tests, by the depth of a block */
    PIXELS_EARLY_FAILED, /* failed early tests, by their own depth */
    PIXELS_KILLED,       /* killed by the shader */
    PIXELS_LATE_FAILED,  /* failed late tests */
    PIXELS_WRITTEN,      /* written, for each render target */
    PIXELS_BLENDED,      /* written with blending */
    PIXEL_EVENTS
};

/* Outcomes of enabled tests. For late tests, only failures count. */
enum pixel_test {
    EARLY_DEPTH_PASSED,
    EARLY_DEPTH_FAILED,
    EARLY_STENCIL_PASSED,
    EARLY_STENCIL_FAILED,
    ALPHA_FAILED,
    LATE_STENCIL_FAILED,
    LATE_DEPTH_FAILED,
    PIXEL_TESTS
};

#endif
