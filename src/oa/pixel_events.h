/* Events of pixels: the pixel pipeline counts them, and OA counters show them. */
#ifndef OA_PIXEL_EVENTS_H
#define OA_PIXEL_EVENTS_H

/* Events of subspans, in the order of counters A21 to A27. */
enum pixel_event {
    PIXELS_RASTERIZED,   /* covered, whatever tests say then */
    PIXELS_FAST_FAILED,  /* tests before the shader, by a block's depth */
    PIXELS_EARLY_FAILED, /* those by their own */
    PIXELS_KILLED,       /* by the shader */
    PIXELS_LATE_FAILED,  /* tests behind it */
    PIXELS_WRITTEN,      /* to a target, each time */
    PIXELS_BLENDED,      /* those of them that were blended */
    PIXEL_EVENTS
};

/* What becomes of pixels that are tested, by test, as far as it is enabled; those behind the shader only
 * where they fail. */
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
