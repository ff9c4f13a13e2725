/* The coverage of antialiased lines and smooth points, and what it does to messages to render targets. */
#include "output_merger/smooth.h"

#include <math.h>

static double clamp_coverage(double value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

/* Coverage rises from 0 at each edge of the line's rectangle; where a side and an end are near, both count.
 */
static double line_coverage(const struct smooth_shape *s, double x, double y)
{
    const double along = x * s->direction[0] + y * s->direction[1],
                 aside = x * s->direction[1] - y * s->direction[0], behind = s->length - along,
                 end = (along < behind ? along : behind) + s->cap;
    return clamp_coverage((s->half_width - fabs(aside)) / s->side_ramp) * clamp_coverage(end / s->cap_ramp);
}

/* The manual has no rule for points: coverage falls over one pixel around the edge. */
static double point_coverage(const struct smooth_shape *s, double x, double y)
{
    return clamp_coverage(s->half_width + 0.5 - sqrt(x * x + y * y));
}

float smooth_coverage(const struct smooth_shape *s, uint32_t x, uint32_t y)
{
    enum { STEPS = 255 };
    const double right = x + s->pixel_location - s->origin[0], down = y + s->pixel_location - s->origin[1],
                 value =
                     s->kind == SMOOTH_LINE ? line_coverage(s, right, down) : point_coverage(s, right, down);
    return (float)floor(value * STEPS + 0.5) / (float)STEPS;
}

const struct eu_send *smooth_message_make(struct message_copy *to, const struct message_context *b,
                                          const struct eu_send *m, const struct smooth_alphas *a)
{
    message_copy_init(to, m);
    const unsigned count = to->send.payload_registers[0];
    for (unsigned n = 0; n < a->count && a->alpha + a->count / 8u <= count; n++) {
        const unsigned pixel = a->first_pixel + n;
        const uint32_t *const xy = b->ps->subspan_xy[pixel / SUBSPAN_PIXELS];
        float alpha;
        uint8_t *const at = &to->registers[a->alpha + n / 8u][n % 8u * sizeof alpha];
        memcpy(&alpha, at, sizeof alpha);
        alpha *= smooth_coverage(b->smooth, xy[0] + (pixel & 1u), xy[1] + (pixel >> 1 & 1u));
        memcpy(at, &alpha, sizeof alpha);
    }
    return &to->send;
}
