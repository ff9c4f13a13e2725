/*
 * Several samples of a pixel: where they are, which of them a primitive covers, and threads for pixels or for
 * samples. A sample is tested early like a pixel of its own. A thread of pixels has the masks of their
 * samples; a thread of samples has as many of a subspan's as it has room for, side by side. (BDW PRM vol 7,
 * Multisampling; SKL PRM vol 2a, 3DSTATE_MULTISAMPLE, 3DSTATE_SAMPLE_PATTERN, 3DSTATE_RASTER)
 */
#include "memory/samples.h"
#include "output_merger/fragment_trace.h"
#include "raster/raster.h"

/* ---- State ---- */

enum { XY_PARTS = 16, XY_CENTER = 8 };

/* The bytes of samples follow each other from a field on. */
static void sample_places_init(struct sample_state *s, const struct engine *e, uint32_t header, unsigned role,
                               unsigned first, unsigned count)
{
    enum { BYTE_BITS = 8 };
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const dw = state_command(e, header, &row, &length_dw);
    if (!dw || role >= row->role_count || !row->by_role[role].name)
        return;
    for (unsigned n = 0; n < count; n++) {
        const uint32_t bit = row->by_role[role].first + n * BYTE_BITS;
        const uint32_t byte = bit / 32u < length_dw ? dw[bit / 32u] >> bit % 32u : 0;
        s->xy[first + n][0] = byte >> 4 & 15u;
        s->xy[first + n][1] = byte & 15u;
    }
}

static void sample_pattern_init(struct sample_state *s, const struct engine *e)
{
    enum { HALF = 4 };
    static const uint8_t roles[SAMPLES_LOG2 + 1] = {0, PATTERN_2X_SAMPLE_Y_OFFSET, PATTERN_4X_SAMPLE_Y_OFFSET,
                                                    PATTERN_8X_SAMPLE_Y_OFFSET, PATTERN_16X_SAMPLE_Y_OFFSET};
    const unsigned count = 1u << s->count_log2;
    memset(s->xy, XY_CENTER, sizeof s->xy);
    if (!s->count_log2)
        return;
    sample_places_init(s, e, STATE_MULTISAMPLE, MULTISAMPLE_SAMPLE_Y_OFFSET, 0, count);
    sample_places_init(s, e, STATE_SAMPLE_PATTERN, roles[s->count_log2], 0, count == 2 * HALF ? HALF : count);
    if (count == 2 * HALF)
        sample_places_init(s, e, STATE_SAMPLE_PATTERN, PATTERN_8X_SAMPLE4_Y_OFFSET, HALF, HALF);
}

unsigned draw_samples_log2(const struct engine *e)
{
    const uint64_t log2 = state_field(e, STATE_MULTISAMPLE, MULTISAMPLE_NUMBER_OF_MULTISAMPLES);
    return log2 < SAMPLES_LOG2 ? (unsigned)log2 : SAMPLES_LOG2;
}

uint16_t draw_sample_mask(const struct engine *e)
{
    return (uint16_t)(state_field(e, STATE_SAMPLE_MASK, SAMPLE_MASK) &
                      ((1u << (1u << draw_samples_log2(e))) - 1u));
}

bool draw_has_alpha_to_coverage(const struct engine *e)
{
    return state_field(e, STATE_PS_EXTRA, PSX_VALID) &&
           state_field(e, STATE_PS_BLEND, BLEND_ALPHA_TO_COVERAGE_ENABLE) &&
           !state_field(e, STATE_PS_EXTRA, PSX_DISABLES_ALPHA_TO_COVERAGE);
}

/* MSRASTMODE: the mode of the state, or what 3DSTATE_RASTER's enable means to the API. */
static unsigned rasterization_mode(const struct engine *e)
{
    enum { OFF_PIXEL, OFF_PATTERN, ON_PATTERN = 3, DX10_1 = 2 };
    if (e->info->draws.multisample_modes_in_wm || state_field(e, STATE_RASTER, RASTER_FORCE_MULTISAMPLING))
        return (unsigned)state_field(e, STATE_RASTER, RASTER_DX_MULTISAMPLE_RASTERIZATION_MODE);
    if (state_field(e, STATE_RASTER, RASTER_DX_MULTISAMPLE_RASTERIZATION_ENABLE))
        return ON_PATTERN;
    return state_field(e, STATE_RASTER, RASTER_API_MODE) == DX10_1 ? OFF_PATTERN : OFF_PIXEL;
}

void sample_state_init(struct sample_state *s, const struct engine *e)
{
    enum { PATTERN = 1, ON = 2 };
    const unsigned mode = rasterization_mode(e);
    *s = (struct sample_state){.count_log2 = (uint8_t)draw_samples_log2(e), .mask = draw_sample_mask(e)};
    s->enable = s->count_log2 || draw_has_alpha_to_coverage(e);
    s->at_center = !s->count_log2 || !(mode & PATTERN);
    s->lines_are_wide = mode & ON;
    s->per_sample = s->count_log2 && (e->info->draws.multisample_modes_in_wm
                                          ? !state_field(e, STATE_WM, WM_MULTISAMPLE_DISPATCH_MODE)
                                          : state_field(e, STATE_PS_EXTRA, PSX_IS_PER_SAMPLE) != 0);
    sample_pattern_init(s, e);
}

/* ---- Coverage ---- */

uint64_t samples_block_coverage(struct draw *d, int32_t x, int32_t y, uint32_t crossing_edges)
{
    const struct sample_state *const s = &d->state.samples;
    const bool at_center =
        s->at_center || d->setup.polygon.kind == RASTER_LINE || d->state.raster.conservative;
    const uint64_t center = at_center ? raster_block_coverage(d, x, y, crossing_edges) : 0;
    uint64_t any = 0;
    for (unsigned n = 0; n < 1u << s->count_log2; n++) {
        const struct block_position at = {x, y, (int64_t)x * SUBPIXELS + s->xy[n][0] * (SUBPIXELS / XY_PARTS),
                                          (int64_t)y * SUBPIXELS + s->xy[n][1] * (SUBPIXELS / XY_PARTS)};
        uint64_t *const covered = &d->block_samples[n];
        *covered = !(s->mask >> n & 1u) ? 0
                   : at_center          ? center
                                        : raster_block_coverage_at(d, &at, crossing_edges);
        any |= *covered;
    }
    return any;
}

void samples_keep_pixels(struct draw *d, uint64_t pixels)
{
    for (unsigned n = 0; n < 1u << d->state.samples.count_log2; n++)
        d->block_samples[n] &= pixels;
}

void samples_trace_masked(const struct draw *d, const struct message_context *b, const int32_t xy[2],
                          uint32_t crossing_edges)
{
    const struct sample_state *const s = &d->state.samples;
    struct softgt_fragment f = {.step = SOFTGT_FRAGMENT_SAMPLE_MASK, .layer = d->ps.array_index};
    for (f.sample = 0; f.sample < 1u << s->count_log2; f.sample++) {
        const struct block_position at = {
            xy[0], xy[1], (int64_t)xy[0] * SUBPIXELS + s->xy[f.sample][0] * (SUBPIXELS / XY_PARTS),
            (int64_t)xy[1] * SUBPIXELS + s->xy[f.sample][1] * (SUBPIXELS / XY_PARTS)};
        uint64_t left_out = s->mask >> f.sample & 1u ? 0 : raster_block_coverage_at(d, &at, crossing_edges);
        for (unsigned n = 0; left_out; n++, left_out >>= SUBSPAN_PIXELS) {
            const uint32_t subspan[2] = {(uint32_t)xy[0] + raster_pixel_x(n * SUBSPAN_PIXELS),
                                         (uint32_t)xy[1] + raster_pixel_y(n * SUBSPAN_PIXELS)};
            trace_fragments(b, f, &subspan, (uint32_t)left_out & 15u);
        }
    }
}

/* ---- Places in pixels ---- */

void samples_place(const struct draw *d, unsigned sample, double *right, double *down)
{
    const struct sample_state *const s = &d->state.samples;
    const double center = draw_pixel_location(d);
    *right = s->at_center ? center : (double)s->xy[sample][0] / XY_PARTS;
    *down = s->at_center ? center : (double)s->xy[sample][1] / XY_PARTS;
}

/* The sample whose place is a pixel's centroid: the first covered one, which is the nearest to the center; of
 * a pixel without one the first in the mask. SAMPLES: all are. (SKL PRM vol 2a, 3DSTATE_SAMPLE_PATTERN;
 * Direct3D 11.3, Centroid Sampling of Attributes) */
static unsigned centroid_sample(const struct draw *d, unsigned pixel)
{
    const struct sample_state *const s = &d->state.samples;
    const unsigned count = 1u << s->count_log2;
    uint32_t covered = 0;
    for (unsigned n = 0; n < count; n++)
        covered |= (d->ps.input_samples[n] >> pixel & 1u) << n;
    if (!covered)
        covered = s->mask;
    return covered == (1u << count) - 1u ? SAMPLES : (unsigned)__builtin_ctz(covered | 1u << SAMPLES);
}

unsigned samples_place_of(const struct draw *d, enum sample_location where, unsigned pixel)
{
    if (where == LOCATION_PIXEL || d->state.samples.at_center)
        return SAMPLES;
    if (d->state.samples.per_sample)
        return d->ps.slot_sample[pixel / SUBSPAN_PIXELS];
    return where == LOCATION_CENTROID ? centroid_sample(d, pixel) : SAMPLES;
}

bool samples_locations(const struct draw *d, enum sample_location where, unsigned first, unsigned pixels,
                       double right[], double down[])
{
    const double center = draw_pixel_location(d);
    if (where == LOCATION_PIXEL || d->state.samples.at_center)
        return false;
    for (unsigned n = 0; n < pixels; n++) {
        const unsigned sample = samples_place_of(d, where, first + n);
        right[n] = down[n] = center;
        if (sample < SAMPLES)
            samples_place(d, sample, &right[n], &down[n]);
    }
    return true;
}

void samples_depths(const struct draw *d, const uint32_t (*xy)[2], const uint8_t *sample, unsigned subspans,
                    float *depth)
{
    double right[SAMPLES * SUBSPAN_PIXELS], down[SAMPLES * SUBSPAN_PIXELS];
    const struct pixel_positions p = {
        .equations = &d->setup.equations, .xy = xy, .count = subspans, .right = right, .down = down};
    for (unsigned n = 0; n < subspans; n++)
        for (unsigned i = 0; i < SUBSPAN_PIXELS; i++)
            samples_place(d, sample[n], &right[n * SUBSPAN_PIXELS + i], &down[n * SUBSPAN_PIXELS + i]);
    d->interpolation->depths(&p, depth);
}

void samples_late_depths(struct draw *d, unsigned subspans)
{
    uint8_t sample[SUBSPANS];
    for (unsigned n = 0; n < 1u << d->state.samples.count_log2; n++) {
        if (!d->ps.samples[n])
            continue;
        memset(sample, (int)n, sizeof sample);
        samples_depths(d, (const uint32_t(*)[2])d->ps.subspan_xy, sample, subspans, d->ps.sample_depth[n]);
    }
}

/* ---- Threads ---- */

/* A subspan, and its samples that a visit is about. */
struct sample_visit {
    uint32_t xy[2];
    unsigned first, count;                     /* samples */
    uint8_t covered[SAMPLES], passed[SAMPLES]; /* pixels of each */
};

/* Early depth and stencil tests. False: a fault. */
static bool test_early(struct draw *d, struct message_context *b, struct sample_visit *v, uint64_t *budget)
{
    enum { ROUND = SUBSPANS, SUBSPAN = (1 << SUBSPAN_PIXELS) - 1, PIXEL_INSTRUCTIONS = 2 };
    const struct depth_stencil *const s = &d->state.om.depth_stencil;
    memcpy(v->passed, v->covered, sizeof v->passed);
    if (d->state.om.late_depth_stencil || (!s->enabled && d->state.ps.valid))
        return true;
    for (unsigned first = v->first; first < v->first + v->count; first += ROUND) {
        const unsigned left = v->first + v->count - first, count = left < ROUND ? left : ROUND;
        uint32_t xy[ROUND][2], at[ROUND][2], mask = 0;
        uint8_t sample[ROUND];
        float depth[(ROUND + 1) * SUBSPAN_PIXELS];
        memset(at, 0, sizeof at);
        for (unsigned n = 0; n < count; n++) {
            memcpy(xy[n], v->xy, sizeof xy[n]);
            memcpy(at[n], v->xy, sizeof at[n]);
            samples_interleave(d->state.samples.count_log2, first + n, at[n]);
            sample[n] = (uint8_t)(first + n);
            mask |= (uint32_t)v->covered[first + n] << n * SUBSPAN_PIXELS;
        }
        budget_charge(budget, PIXEL_INSTRUCTIONS * count_pixels(mask));
        samples_depths(d, (const uint32_t(*)[2])xy, sample, count, depth);
        const uint32_t passed = depth_test_pixels(b, s, &d->ps, (const uint32_t(*)[2])at, mask, depth);
        for (unsigned n = 0; n < count; n++)
            v->passed[first + n] = (uint8_t)(passed >> n * SUBSPAN_PIXELS & SUBSPAN);
        if (!d->state.ps.valid)
            d->ps_depth_count_pending += count_pixels(passed);
    }
    return !message_faulted(b);
}

/* Gives the thread a slot for a subspan, or for one of its samples. */
static void put_slot(struct draw *d, const struct sample_visit *v, const uint8_t input[SAMPLES],
                     unsigned first, unsigned count)
{
    struct ps_thread *const p = &d->ps;
    const unsigned slot = d->cursor.subspan_count++, shift = slot * SUBSPAN_PIXELS;
    memcpy(p->subspan_xy[slot], v->xy, sizeof v->xy);
    p->slot_sample[slot] = (uint8_t)first;
    for (unsigned n = 0; n < 1u << d->state.samples.count_log2; n++)
        p->input_samples[n] |= (uint32_t)input[n] << shift;
    for (unsigned n = first; n < first + count; n++) {
        p->samples[n] |= (uint32_t)v->passed[n] << shift;
        p->coverage_mask |= (uint32_t)v->passed[n] << shift;
    }
}

/* Moves the cursor to the subspan's next samples, to the block's next covered subspan, or to the next block.
 */
static void advance(struct draw *d, const struct sample_visit *v, uint64_t ahead, unsigned subspan)
{
    struct draw_cursor *const c = &d->cursor;
    const int32_t block[2] = {c->subspan_xy[0] & -RASTER_BLOCK, c->subspan_xy[1] & -RASTER_BLOCK};
    const uint64_t left = ahead & ~(15ull << subspan * SUBSPAN_PIXELS);
    const bool same = v->first + v->count < 1u << d->state.samples.count_log2;
    c->first_sample = same ? (uint8_t)(v->first + v->count) : 0;
    if (!same && !left) {
        (void)raster_next_block(d);
        return;
    }
    const unsigned pixel =
        same ? subspan * SUBSPAN_PIXELS : (unsigned)__builtin_ctzll(left) & ~(SUBSPAN_PIXELS - 1u);
    c->subspan_xy[0] = block[0] + (int32_t)raster_pixel_x(pixel);
    c->subspan_xy[1] = block[1] + (int32_t)raster_pixel_y(pixel);
}

static void trace_covered(const struct draw *d, const struct message_context *b, const struct sample_visit *v)
{
    struct softgt_fragment f = {.step = SOFTGT_FRAGMENT_COVERED, .passed = true, .layer = d->ps.array_index};
    for (f.sample = v->first; f.sample < v->first + v->count; f.sample++)
        trace_fragments(b, f, &v->xy, v->covered[f.sample]);
}

bool samples_gather(struct draw *d, struct message_context *b, uint64_t ahead, unsigned count,
                    uint64_t *budget, bool *full)
{
    enum { SUBSPAN = (1 << SUBSPAN_PIXELS) - 1 };
    const struct sample_state *const s = &d->state.samples;
    const struct draw_cursor *const c = &d->cursor;
    const unsigned samples = 1u << s->count_log2, subspan = (unsigned)__builtin_ctzll(ahead) / SUBSPAN_PIXELS;
    const bool apart = s->per_sample && d->state.ps.valid;
    const unsigned together = apart && count < samples ? count : samples, slots = apart ? together : 1;
    const int32_t block[2] = {c->subspan_xy[0] & -RASTER_BLOCK, c->subspan_xy[1] & -RASTER_BLOCK};
    struct sample_visit v = {.xy = {(uint32_t)block[0] + raster_pixel_x(subspan * SUBSPAN_PIXELS),
                                    (uint32_t)block[1] + raster_pixel_y(subspan * SUBSPAN_PIXELS)},
                             .first = apart && c->first_sample < samples ? c->first_sample : 0};
    uint8_t input[SAMPLES] = {0};
    uint32_t covered = 0, passed = 0;
    v.count = samples - v.first < together ? samples - v.first : together;
    *full = c->subspan_count + slots > count;
    if (*full)
        return true;
    for (unsigned n = 0; n < samples; n++) {
        input[n] = (uint8_t)(d->block_samples[n] >> subspan * SUBSPAN_PIXELS & SUBSPAN);
        v.covered[n] = n >= v.first && n < v.first + v.count ? input[n] : 0;
        covered |= v.covered[n];
    }
    if (traces_fragments(b))
        trace_covered(d, b, &v);
    if (!test_early(d, b, &v, budget))
        return false;
    for (unsigned n = v.first; n < v.first + v.count; n++)
        passed |= v.passed[n];
    budget_charge(budget, v.count);
    pixel_event_count(b, PIXELS_RASTERIZED, covered, 0);
    pixel_event_count(b, PIXELS_EARLY_FAILED, covered, passed);
    if (d->state.ps.valid && passed && !apart)
        put_slot(d, &v, input, 0, samples);
    for (unsigned n = v.first; n < v.first + v.count && d->state.ps.valid && passed && apart; n++)
        put_slot(d, &v, input, n, 1);
    advance(d, &v, ahead, subspan);
    return true;
}

unsigned samples_count_covered(const struct draw *d, uint32_t pixels)
{
    unsigned count = 0;
    for (unsigned n = 0; n < 1u << d->state.samples.count_log2; n++)
        count += count_pixels(d->ps.samples[n] & pixels);
    return count;
}
