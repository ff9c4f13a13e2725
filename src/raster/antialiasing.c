/*
 * Antialiased lines and smooth points: their shapes. A line is a rectangle around it, as wide as Line Width
 * at right angles to it, and longer at both ends by the end cap's region. What coverage does is in
 * output_merger/smooth.c. (SNB PRM vol 2 part 1, Anti-aliased Line Rasterization)
 */
#include "raster/raster.h"

#include <math.h>

/* A region width: half a pixel, then twice as much each. */
static double region_width(uint64_t field)
{
    return 0.5 * (double)(1u << (field & 3u));
}

/* Setup has the length of end caps, the windower the ramps: drivers set them apart. (Mesa, iris:
 * iris_create_rasterizer_state) Lines of width 0, and rectangles, are never antialiased. (SNB PRM vol 2 part
 * 1, 3DSTATE_SF: Line Width, Anti-aliasing Enable) */
void smooth_state_init(struct draw_state *d, const struct engine *e)
{
    d->smooth = (struct smooth_state){
        .lines = state_field(e, STATE_RASTER, RASTER_ANTIALIASING_ENABLE) && d->raster.line_width > 0 &&
                 !d->samples.lines_are_wide,
        .points = state_field(e, STATE_RASTER, RASTER_SMOOTH_POINT_ENABLE),
        .cap = region_width(state_field(e, STATE_SF, SF_LINE_END_CAP_ANTIALIASING_REGION_WIDTH)),
        .side_ramp = region_width(state_field(e, STATE_WM, WM_LINE_ANTIALIASING_REGION_WIDTH)) / 2,
        .cap_ramp = region_width(state_field(e, STATE_WM, WM_LINE_END_CAP_ANTIALIASING_REGION_WIDTH))};
}

const char *smooth_unsupported(const struct engine *e, unsigned corners)
{
    if (corners == 2 && state_field(e, STATE_RASTER, RASTER_ANTIALIASING_ENABLE) &&
        state_field(e, STATE_AA_LINE_PARAMETERS, AA_COVERAGE_SLOPE))
        return "line antialiasing with AA Coverage Slope";
    return corners == 1 && state_field(e, STATE_RASTER, RASTER_SMOOTH_POINT_ENABLE) &&
                   state_field(e, STATE_AA_LINE_PARAMETERS, AA_POINT_COVERAGE_SLOPE)
               ? "point smoothing with AA Point Coverage Slope"
               : NULL;
}

unsigned smooth_line_setup(struct draw *d, double seen[RASTER_POLYGON_VERTICES][2])
{
    enum { FOUR = 4 };
    struct smooth_shape *const s = &d->setup.smooth;
    const double along[2] = {seen[1][0] - seen[0][0], seen[1][1] - seen[0][1]},
                 length = sqrt(along[0] * along[0] + along[1] * along[1]);
    *s = (struct smooth_shape){
        .kind = SMOOTH_LINE,
        .origin = {seen[0][0], seen[0][1]},
        .direction = {length > 0 ? along[0] / length : 1, length > 0 ? along[1] / length : 0},
        .length = length,
        .half_width = (double)d->state.raster.line_width / 2,
        .cap = d->state.smooth.cap,
        .side_ramp = d->state.smooth.side_ramp,
        .cap_ramp = d->state.smooth.cap_ramp,
        .pixel_location = draw_pixel_location(d)};
    for (unsigned n = 0; n < FOUR; n++) {
        const double at = n == 0 || n == 3 ? -s->cap : length + s->cap,
                     aside = n < 2 ? -s->half_width : s->half_width;
        seen[n][0] = s->origin[0] + at * s->direction[0] - aside * s->direction[1];
        seen[n][1] = s->origin[1] + at * s->direction[1] + aside * s->direction[0];
    }
    return FOUR;
}

/* Coverage reaches half a pixel behind the edge. */
void smooth_point_setup(struct draw *d, double width, double seen[RASTER_POLYGON_VERTICES][2])
{
    const double center[2] = {(seen[0][0] + seen[1][0]) / 2, (seen[0][1] + seen[1][1]) / 2};
    d->setup.smooth = (struct smooth_shape){.kind = SMOOTH_POINT,
                                            .origin = {center[0], center[1]},
                                            .half_width = width / 2,
                                            .pixel_location = draw_pixel_location(d)};
    for (unsigned axis = 0; axis < 2; axis++) {
        seen[0][axis] -= 0.5;
        seen[1][axis] += 0.5;
    }
}

uint64_t smooth_point_pixels(const struct draw *d, const int32_t block[2], uint64_t covered)
{
    uint64_t kept = 0;
    for (; covered; covered &= covered - 1u) {
        const unsigned pixel = (unsigned)__builtin_ctzll(covered);
        if (smooth_coverage(&d->setup.smooth, (uint32_t)block[0] + raster_pixel_x(pixel),
                            (uint32_t)block[1] + raster_pixel_y(pixel)) > 0)
            kept |= UINT64_C(1) << pixel;
    }
    return kept;
}
