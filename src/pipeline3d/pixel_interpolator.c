/*
 * The pixel interpolator: barycentrics of a thread's pixels at other places than the payload has them. The
 * descriptor: type in bits 13:12, linear interpolation in 14, 16 channels in 16, pixels from 16 on in 11. A
 * response has the barycentrics of eight pixels to corner 1, those to corner 2, then those of the next eight.
 * (BDW PRM vol 7, Pixel Interpolator; Mesa, brw: brw_pixel_interp_desc, brw_lower_barycentrics)
 */
#include "pipeline3d/draw_work.h"

enum { PER_MESSAGE_OFFSET, SAMPLE_POSITION, CENTROID, PER_SLOT_OFFSET };
enum { LANES = 8, TYPE_AT = 12 };

/* Offsets are four bits with a sign, in 1/16 of a pixel, from the pixel's center. */
static double offset_of(uint32_t bits)
{
    enum { SIGN = 8, OFFSETS = 16 };
    const int32_t steps = (int32_t)(bits % OFFSETS);
    return 0.5 + (steps < SIGN ? steps : steps - OFFSETS) / (double)OFFSETS;
}

/* A channel of a message, and its pixel in the thread. */
struct interpolated_channel {
    unsigned channel, channels, pixel;
};

/* The sample at whose place a pixel is interpolated; SAMPLES: the pixel's own place, which is that of all
 * samples where rasterization has no pattern. */
static unsigned sample_of(const struct draw *d, const struct eu_send *m, const struct interpolated_channel *c)
{
    enum { SAMPLE_AT = 4 };
    if (d->state.samples.at_center)
        return SAMPLES;
    return (m->descriptor >> TYPE_AT & 3u) == CENTROID ? samples_place_of(d, LOCATION_CENTROID, c->pixel)
                                                       : m->descriptor >> SAMPLE_AT & (SAMPLES - 1u);
}

/* Where in the pixel of a channel. */
static void place_of(const struct draw *d, const struct eu_send *m, const struct interpolated_channel *c,
                     double place[2])
{
    enum { OFFSET_BITS = 4, STEPS = 16 };
    const double location = draw_pixel_location(d);
    unsigned sample;
    for (unsigned axis = 0; axis < 2; axis++)
        switch (m->descriptor >> TYPE_AT & 3u) {
        case PER_MESSAGE_OFFSET:
            place[axis] = offset_of(m->descriptor >> axis * OFFSET_BITS);
            break;
        case PER_SLOT_OFFSET:
            place[axis] = offset_of(payload_channel(m, axis * (c->channels / LANES), c->channel));
            break;
        default:
            sample = sample_of(d, m, c);
            place[axis] = sample < SAMPLES ? d->state.samples.xy[sample][axis] / (double)STEPS : location;
            break;
        }
}

/* How far the place in a pixel moves, for what it is in a coarse pixel. Our choice: offsets from that one's
 * center count in pixels, too. */
static double coarse_offset(const struct ps_thread *p, unsigned channel, unsigned axis)
{
    return ((channel >> axis & 1u) + 0.5) * ((1u << p->cp_size_log2[axis]) - 1u);
}

static bool pixel_interpolator(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { HIGH_AT = 11, LINEAR_AT = 14, WIDE_AT = 16, HIGH_PIXEL = 16 };
    (void)kind;
    if (!b->ps) {
        b->error_text = "a message to the pixel interpolator, of a thread that has no pixels";
        return false;
    }
    const struct draw *const d = (const void *)((const uint8_t *)b->ps - offsetof(struct draw, ps));
    const unsigned channels = m->descriptor >> WIDE_AT & 1u ? 2 * LANES : LANES,
                   first = (m->descriptor >> HIGH_AT & 1u) * HIGH_PIXEL +
                           (channels == LANES ? m->first_channel & LANES : 0u);
    double right[2 * LANES], down[2 * LANES];
    float rows[(CORNERS - 1) * 2 * LANES];
    for (unsigned n = 0; n < channels; n++) {
        double place[2];
        place_of(d, m, &(struct interpolated_channel){n, channels, first + n}, place);
        right[n] = place[0] + coarse_offset(b->ps, first + n, 0);
        down[n] = place[1] + coarse_offset(b->ps, first + n, 1);
    }
    d->interpolation->barycentrics(
        &(struct pixel_positions){.equations = &d->setup.equations,
                                  .xy = (const uint32_t(*)[2])b->ps->subspan_xy + first / SUBSPAN_PIXELS,
                                  .count = channels / SUBSPAN_PIXELS,
                                  .right = right,
                                  .down = down},
        m->descriptor >> LINEAR_AT & 1u, rows);
    FOR_EACH_CHANNEL(n, m->channels & ((1u << channels) - 1u))
        for (unsigned i = 0; i + 1 < CORNERS; i++) {
            const unsigned row = n / LANES * 2u + i;
            uint32_t bits;
            memcpy(&bits, &rows[row * LANES + n % LANES], sizeof bits);
            writeback_channel(m, row, n % LANES, bits);
        }
    return true;
}

const struct pixel_units draw_pixel_units = {.sampler = sampler,
                                             .render_target = render_target,
                                             .pixel_interpolator = pixel_interpolator,
                                             .sampler_planned = sampler_planned,
                                             .render_target_planned = render_target_planned,
                                             .render_target_square = render_target_square,
                                             .pixel_depths = coarse_part_depths};
