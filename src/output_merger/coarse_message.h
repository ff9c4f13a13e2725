/*
 * Coarse pixels: each stands for 1, 2 or 4 pixels of the target on either axis. A subspan of coarse pixels
 * has parts, which are subspans of the target's pixels, row by row. (ICL PRM vol 9, Coarse Pixel Shading; SKL
 * PRM vol 7, Render Target Write)
 */
#ifndef OUTPUT_MERGER_COARSE_MESSAGE_H
#define OUTPUT_MERGER_COARSE_MESSAGE_H

#include "output_merger/message_copy.h"

enum { COARSE_SIZE_LOG2 = 2 };

static inline bool ps_is_coarse(const struct ps_thread *p)
{
    return p->cp_size_log2[0] || p->cp_size_log2[1];
}

static inline unsigned coarse_part_count(const struct ps_thread *p)
{
    return 1u << (p->cp_size_log2[0] + p->cp_size_log2[1]);
}

/* A pixel's place in the subspan of coarse pixels, by its part. */
static inline void coarse_place(const struct ps_thread *p, unsigned part, unsigned pixel, uint32_t xy[2])
{
    xy[0] = (part & ((1u << p->cp_size_log2[0]) - 1u)) * 2u + (pixel & 1u);
    xy[1] = (part >> p->cp_size_log2[0]) * 2u + (pixel >> 1 & 1u);
}

/* The coarse pixel that a pixel of a part is in. */
static inline unsigned coarse_pixel_of(const struct ps_thread *p, unsigned part, unsigned pixel)
{
    uint32_t xy[2];
    coarse_place(p, part, pixel, xy);
    return (xy[0] >> p->cp_size_log2[0] & 1u) | (xy[1] >> p->cp_size_log2[1] & 1u) << 1;
}

/* The pixels of a coarse pixel: a bit for each, by part. */
uint64_t coarse_pixel_mask(const struct ps_thread *p, unsigned coarse);

/* The thread that would have shaded a part of each subspan. Depths are missing. `tested`: coarse pixels whose
 * late tests were done. */
void coarse_part_thread(const struct ps_thread *p, unsigned part, unsigned samples, uint32_t tested,
                        struct ps_thread *to);
/* What became of the part's pixels. */
void coarse_part_done(struct ps_thread *p, unsigned part, unsigned samples, const struct ps_thread *from);

/* A message: its registers have 32 bits for each channel, but for these. */
struct coarse_layout {
    unsigned first; /* of the registers that have channels */
    /* Numbers plus one, or 0: with 16 bits a channel, with 8, and with one color for all. */
    unsigned words, bytes, replicated;
    uint8_t from[SUBSPAN_PIXELS]; /* by pixel of the part: its coarse pixel */
};
void coarse_layout_part(struct coarse_layout *l, const struct ps_thread *p, unsigned part);
uint32_t coarse_part_channels(const struct coarse_layout *l, uint32_t channels);
/* Gives each channel what its coarse pixel's channel has. */
void coarse_message_make(struct message_copy *to, const struct eu_send *m, const struct coarse_layout *l);

#endif
