/*
 * Antialiased lines and smooth points: each pixel has a coverage of 0 to 1, in 255 steps. The alpha of color
 * that a thread sends to a render target is multiplied by it. (SNB PRM vol 2 part 1, Anti-aliased Line
 * Rasterization; vol 4 part 1, Render Target Write: the antialias alpha is bypassed data)
 */
#ifndef OUTPUT_MERGER_SMOOTH_H
#define OUTPUT_MERGER_SMOOTH_H

#include "output_merger/message_copy.h"

enum smooth_kind { SMOOTH_NONE, SMOOTH_LINE, SMOOTH_POINT };

/* A line's rectangle, or a point's disc, in pixels. */
struct smooth_shape {
    uint8_t kind;          /* enum smooth_kind */
    double origin[2];      /* a line's first end, or a point's center */
    double direction[2];   /* of a line, of length 1 */
    double length;         /* of a line without its caps */
    double half_width;     /* half of a line's width, or a point's radius */
    double cap;            /* how far a line goes on behind each of its ends */
    double side_ramp;      /* pixels from a side of a line to where coverage is 1 */
    double cap_ramp;       /* the same from its ends */
    double pixel_location; /* in each pixel */
};

/* The coverage of a pixel. */
float smooth_coverage(const struct smooth_shape *s, uint32_t x, uint32_t y);

/* Where the alphas of a message to a render target are. */
struct smooth_alphas {
    unsigned first_pixel, count; /* of the thread */
    unsigned alpha;              /* the first register */
};

/* A copy of a message, with alphas that are multiplied by the coverage of their pixels. */
const struct eu_send *smooth_message_make(struct message_copy *to, const struct message_context *b,
                                          const struct eu_send *m, const struct smooth_alphas *a);

#endif
