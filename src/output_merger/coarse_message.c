/* A message of coarse pixels to a render target becomes one for each part of their subspans. */
#include "output_merger/coarse_message.h"

enum { PART = (1 << SUBSPAN_PIXELS) - 1 };

uint64_t coarse_pixel_mask(const struct ps_thread *p, unsigned coarse)
{
    uint64_t mask = 0;
    for (unsigned n = 0; n < coarse_part_count(p) * SUBSPAN_PIXELS; n++)
        if (coarse_pixel_of(p, n / SUBSPAN_PIXELS, n % SUBSPAN_PIXELS) == coarse)
            mask |= UINT64_C(1) << n;
    return mask;
}

void coarse_part_thread(const struct ps_thread *p, unsigned part, unsigned samples, uint32_t tested,
                        struct ps_thread *to)
{
    struct coarse_layout l;
    coarse_layout_part(&l, p, part);
    *to = (struct ps_thread){.array_index = p->array_index, .back_facing = p->back_facing};
    memcpy(to->viewport_depth_range, p->viewport_depth_range, sizeof to->viewport_depth_range);
    for (unsigned slot = 0; slot < SUBSPANS; slot++) {
        uint32_t xy[2];
        coarse_place(p, part, 0, xy);
        for (unsigned axis = 0; axis < 2; axis++)
            to->subspan_xy[slot][axis] = p->subspan_xy[slot][axis] + xy[axis];
        for (unsigned n = 0; n < samples; n++)
            to->samples[n] |= (uint32_t)(p->coarse_pixels[n][slot] >> part * SUBSPAN_PIXELS & PART)
                              << slot * SUBSPAN_PIXELS;
    }
    for (unsigned n = 0; n < samples; n++)
        to->coverage_mask |= to->samples[n];
    to->coverage_mask &= coarse_part_channels(&l, p->coverage_mask);
    to->unwritten_mask = to->coverage_mask;
    to->late_tested_mask = coarse_part_channels(&l, tested);
}

void coarse_part_done(struct ps_thread *p, unsigned part, unsigned samples, const struct ps_thread *from)
{
    struct coarse_layout l;
    coarse_layout_part(&l, p, part);
    const uint32_t written = from->coverage_mask & ~from->unwritten_mask;
    for (unsigned n = 0; n < SUBSPANS * SUBSPAN_PIXELS; n++) {
        const uint32_t coarse = 1u << ((n & ~(SUBSPAN_PIXELS - 1u)) | l.from[n % SUBSPAN_PIXELS]);
        if (written >> n & 1u)
            p->unwritten_mask &= ~coarse;
        if (from->late_tested_mask >> n & 1u)
            p->late_tested_mask |= coarse;
    }
    for (unsigned slot = 0; slot < SUBSPANS; slot++)
        for (unsigned n = 0; n < samples; n++) {
            const uint32_t left = from->samples[n] & ~from->late_failed_mask;
            const uint64_t failed = ~left >> slot * SUBSPAN_PIXELS & PART;
            p->coarse_pixels[n][slot] &= ~(failed << part * SUBSPAN_PIXELS);
        }
}

void coarse_layout_part(struct coarse_layout *l, const struct ps_thread *p, unsigned part)
{
    for (unsigned n = 0; n < SUBSPAN_PIXELS; n++)
        l->from[n] = (uint8_t)coarse_pixel_of(p, part, n);
}

uint32_t coarse_part_channels(const struct coarse_layout *l, uint32_t channels)
{
    enum { FIRSTS = 0x11111111 };
    uint32_t of_part = 0;
    for (unsigned n = 0; n < SUBSPAN_PIXELS; n++)
        of_part |= (channels >> l->from[n] & FIRSTS) << n;
    return of_part;
}

static void move_channels(uint8_t *to, const struct coarse_layout *l, unsigned bytes)
{
    uint8_t from[EU_REGISTER_BYTES];
    memcpy(from, to, sizeof from);
    for (unsigned n = 0; n < EU_REGISTER_BYTES / bytes; n++)
        memcpy(to + n * bytes, from + ((n & ~(SUBSPAN_PIXELS - 1u)) | l->from[n % SUBSPAN_PIXELS]) * bytes,
               bytes);
}

void coarse_message_make(struct message_copy *to, const struct eu_send *m, const struct coarse_layout *l)
{
    enum { BYTE = 1, WORD = 2, DWORD = 4 };
    message_copy_init(to, m);
    for (unsigned n = l->first; n < to->send.payload_registers[0]; n++)
        if (!l->replicated || n != l->replicated - 1u)
            move_channels(to->registers[n], l,
                          l->words && n == l->words - 1u   ? WORD
                          : l->bytes && n == l->bytes - 1u ? BYTE
                                                           : DWORD);
}
