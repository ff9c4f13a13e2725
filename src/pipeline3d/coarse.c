/*
 * Coarse pixels: the pixel shader runs once for several pixels of the target, whose grid begins at its
 * origin. Each pixel and sample is covered and tested on its own; the shader's color goes to those that are
 * left. (ICL PRM vol 2a, 3DSTATE_CPS; Vulkan, VK_KHR_fragment_shading_rate)
 */
#include "memory/samples.h"
#include "output_merger/coarse_message.h"
#include "output_merger/fragment_trace.h"
#include "raster/raster.h"

/* ---- Subspans ---- */

/* The number of a part's subspan in its block; xy: where it is. */
static unsigned part_subspan(const struct ps_thread *p, const uint32_t first[2], unsigned part,
                             uint32_t xy[2])
{
    coarse_place(p, part, 0, xy);
    for (unsigned axis = 0; axis < 2; axis++)
        xy[axis] += first[axis];
    return raster_subspan_index((const int32_t[2]){(int32_t)xy[0], (int32_t)xy[1]});
}

/* The pixels of a subspan of coarse pixels, by part: from those of its block. */
static uint64_t pixels_of(const struct ps_thread *p, const uint32_t first[2], uint64_t of_block)
{
    uint64_t pixels = 0;
    uint32_t xy[2];
    for (unsigned part = 0; part < coarse_part_count(p); part++)
        pixels |= (of_block >> part_subspan(p, first, part, xy) * SUBSPAN_PIXELS & 15u)
                  << part * SUBSPAN_PIXELS;
    return pixels;
}

/* The next subspan of coarse pixels that has a covered one, from a subspan of the block on. False: none has.
 */
static bool next_covered(const struct draw *d, unsigned from, uint32_t xy[2])
{
    const struct ps_thread *const p = &d->ps;
    for (unsigned n = from; n < BLOCK_SUBSPANS; n++) {
        const uint32_t x = raster_pixel_x(n * SUBSPAN_PIXELS), y = raster_pixel_y(n * SUBSPAN_PIXELS);
        if (x & ((2u << p->cp_size_log2[0]) - 1u) || y & ((2u << p->cp_size_log2[1]) - 1u))
            continue;
        xy[0] = (uint32_t)d->setup.block.xy[0] + x;
        xy[1] = (uint32_t)d->setup.block.xy[1] + y;
        if (pixels_of(p, xy, d->setup.block.coverage))
            return true;
    }
    return false;
}

/* The depths of parts, at the pixels' places or those of their sample. */
static void depths_at(const struct draw *d, const uint32_t (*xy)[2], unsigned subspans, unsigned sample,
                      float *depth)
{
    uint8_t samples[SUBSPANS];
    memset(samples, (int)sample, sizeof samples);
    if (d->state.samples.enable)
        samples_depths(d, xy, samples, subspans, depth);
    else
        setup_depths_at(d, xy, subspans, depth);
}

/* Early tests of a sample's pixels. */
static uint64_t test_early(struct draw *d, struct message_context *b, const uint32_t first[2],
                           unsigned sample, uint64_t pixels)
{
    struct ps_thread *const p = &d->ps;
    uint64_t passed = 0;
    for (unsigned part = 0; part < coarse_part_count(p); part += SUBSPANS) {
        const uint32_t mask = (uint32_t)(pixels >> part * SUBSPAN_PIXELS);
        uint32_t xy[SUBSPANS][2], at[SUBSPANS][2];
        float depth[(SUBSPANS + 1) * SUBSPAN_PIXELS];
        for (unsigned n = 0; n < SUBSPANS; n++) {
            (void)part_subspan(p, first, part + n, xy[n]);
            memcpy(at[n], xy[n], sizeof at[n]);
            if (d->state.samples.enable)
                samples_interleave(d->state.samples.count_log2, sample, at[n]);
        }
        if (!mask)
            continue;
        depths_at(d, (const uint32_t(*)[2])xy, SUBSPANS, sample, depth);
        passed |= (uint64_t)depth_test_pixels(b, &d->state.om.depth_stencil, p, (const uint32_t(*)[2])at,
                                              mask, depth)
                  << part * SUBSPAN_PIXELS;
    }
    return passed;
}

/* A step of a sample of pixels in a subspan of coarse pixels. */
static void trace_pixels(const struct draw *d, const struct message_context *b, struct softgt_fragment f,
                         const uint32_t first[2], uint64_t pixels)
{
    f.layer = d->ps.array_index;
    for (unsigned part = 0; part < coarse_part_count(&d->ps); part++) {
        uint32_t xy[2];
        (void)part_subspan(&d->ps, first, part, xy);
        trace_fragments(b, f, (const uint32_t(*)[2]) & xy, (uint32_t)(pixels >> part * SUBSPAN_PIXELS) & 15u);
    }
}

void coarse_trace_killed(const struct draw *d, const struct message_context *b, uint32_t coarse)
{
    const struct ps_thread *const p = &d->ps;
    struct softgt_fragment f = {.step = SOFTGT_FRAGMENT_KILLED};
    FOR_EACH_CHANNEL(channel, coarse) {
        const unsigned slot = channel / SUBSPAN_PIXELS;
        for (f.sample = 0; f.sample < 1u << d->state.samples.count_log2; f.sample++)
            trace_pixels(d, b, f, p->subspan_xy[slot],
                         p->coarse_pixels[f.sample][slot] & coarse_pixel_mask(p, channel % SUBSPAN_PIXELS));
    }
}

static void count_event(struct message_context *b, enum pixel_event event, uint64_t were, uint64_t left)
{
    enum { HALF = 32 };
    pixel_event_count(b, event, (uint32_t)were, (uint32_t)left);
    pixel_event_count(b, event, (uint32_t)(were >> HALF), (uint32_t)(left >> HALF));
}

/* Gives the thread a subspan of coarse pixels, if a pixel of it has passed. */
static void put_slot(struct draw *d, const uint32_t first[2], const uint64_t *input, const uint64_t *passed)
{
    struct ps_thread *const p = &d->ps;
    const unsigned slot = d->cursor.subspan_count++;
    memcpy(p->subspan_xy[slot], first, sizeof p->subspan_xy[slot]);
    for (unsigned coarse = 0; coarse < SUBSPAN_PIXELS; coarse++) {
        const uint64_t own = coarse_pixel_mask(p, coarse);
        const unsigned channel = slot * SUBSPAN_PIXELS + coarse;
        for (unsigned n = 0; n < 1u << d->state.samples.count_log2; n++) {
            p->input_samples[n] |= (uint32_t)((input[n] & own) != 0) << channel;
            p->samples[n] |= (uint32_t)((passed[n] & own) != 0) << channel;
            p->coverage_mask |= (uint32_t)((passed[n] & own) != 0) << channel;
            p->coarse_pixels[n][slot] = passed[n];
        }
    }
}

void coarse_begin_thread(struct draw *d)
{
    memset(d->ps.coarse_pixels, 0, sizeof d->ps.coarse_pixels);
    memset(d->ps.samples, 0, sizeof d->ps.samples);
    memset(d->ps.input_samples, 0, sizeof d->ps.input_samples);
}

bool coarse_gather(struct draw *d, struct message_context *b, uint64_t *budget)
{
    struct ps_thread *const p = &d->ps;
    struct draw_cursor *const c = &d->cursor;
    const struct output_merger_state *const om = &d->state.om;
    uint64_t input[SAMPLES], passed[SAMPLES], all_input = 0, all_passed = 0;
    uint32_t first[2], next[2];
    if (!next_covered(d, raster_subspan_index(c->subspan_xy), first)) {
        budget_charge(budget, 1);
        (void)raster_next_block(d);
        return true;
    }
    for (unsigned n = 0; n < 1u << d->state.samples.count_log2; n++) {
        passed[n] = input[n] =
            pixels_of(p, first, d->state.samples.enable ? d->block_samples[n] : d->setup.block.coverage);
        if (traces_fragments(b))
            trace_pixels(d, b, (struct softgt_fragment){SOFTGT_FRAGMENT_COVERED, .passed = true, .sample = n},
                         first, input[n]);
        if (!om->late_depth_stencil && om->depth_stencil.enabled)
            passed[n] = test_early(d, b, first, n, input[n]);
        budget_charge(budget, coarse_part_count(p));
        all_input |= input[n];
        all_passed |= passed[n];
    }
    if (message_faulted(b))
        return false;
    count_event(b, PIXELS_RASTERIZED, all_input, 0);
    count_event(b, PIXELS_EARLY_FAILED, all_input, all_passed);
    if (all_passed)
        put_slot(d, first, input, passed);
    const unsigned subspan = raster_subspan_index((const int32_t[2]){(int32_t)first[0], (int32_t)first[1]});
    if (!next_covered(d, subspan + 1u, next)) {
        (void)raster_next_block(d);
        return true;
    }
    for (unsigned axis = 0; axis < 2; axis++)
        c->subspan_xy[axis] = (int32_t)next[axis];
    return true;
}

/* ---- Threads ---- */

/* The covered pixel whose place is a coarse pixel's centroid: the first one. False: all are covered, or none.
 */
static bool centroid_of(const struct draw *d, unsigned channel, uint32_t xy[2], unsigned *sample)
{
    const struct ps_thread *const p = &d->ps;
    const uint64_t own = coarse_pixel_mask(p, channel % SUBSPAN_PIXELS);
    const unsigned samples = 1u << d->state.samples.count_log2;
    bool all = true;
    *sample = samples;
    for (unsigned n = samples; n-- > 0;) {
        const uint64_t covered = p->coarse_pixels[n][channel / SUBSPAN_PIXELS] & own;
        all &= covered == own;
        if (!covered)
            continue;
        const unsigned pixel = (unsigned)__builtin_ctzll(covered);
        coarse_place(p, pixel / SUBSPAN_PIXELS, pixel % SUBSPAN_PIXELS, xy);
        *sample = n;
    }
    return !all && *sample < samples;
}

void coarse_locations(const struct draw *d, enum sample_location where, unsigned first, unsigned pixels,
                      double right[], double down[])
{
    const struct ps_thread *const p = &d->ps;
    for (unsigned n = 0; n < pixels; n++) {
        const unsigned channel = first + n;
        const uint32_t in_subspan[2] = {channel & 1u, channel >> 1 & 1u};
        double place[2], in_pixel[2];
        uint32_t xy[2];
        unsigned sample;
        const bool has_centroid = where != LOCATION_PIXEL && centroid_of(d, channel, xy, &sample);
        if (has_centroid)
            samples_place(d, sample, &in_pixel[0], &in_pixel[1]);
        for (unsigned axis = 0; axis < 2; axis++) {
            const uint32_t size = 1u << p->cp_size_log2[axis];
            place[axis] = (has_centroid ? xy[axis] + in_pixel[axis]
                                        : (in_subspan[axis] + draw_pixel_location(d)) * size) -
                          in_subspan[axis];
        }
        right[n] = place[0];
        down[n] = place[1];
    }
}

unsigned coarse_count_covered(const struct draw *d, uint32_t coarse)
{
    const struct ps_thread *const p = &d->ps;
    unsigned count = 0;
    FOR_EACH_CHANNEL(channel, coarse)
        for (unsigned n = 0; n < 1u << d->state.samples.count_log2; n++)
            count += (unsigned)__builtin_popcountll(p->coarse_pixels[n][channel / SUBSPAN_PIXELS] &
                                                    coarse_pixel_mask(p, channel % SUBSPAN_PIXELS));
    return count;
}

void coarse_part_depths(const struct message_context *b, struct ps_thread *of_part)
{
    const struct draw *const d = (const void *)((const uint8_t *)b->ps - offsetof(struct draw, ps));
    const uint32_t(*const xy)[2] = (const uint32_t(*)[2])of_part->subspan_xy;
    if (!d->state.samples.enable)
        depths_at(d, xy, SUBSPANS, 0, of_part->pixel_depth);
    for (unsigned n = 0; d->state.samples.enable && n < 1u << d->state.samples.count_log2; n++)
        if (of_part->samples[n])
            depths_at(d, xy, SUBSPANS, n, of_part->sample_depth[n]);
}
