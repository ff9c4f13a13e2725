/* Arithmetic coding (ITU-T H.264 9.3.4). */
#ifndef VIDEO_CABAC_H
#define VIDEO_CABAC_H

#include "video/bits.h"

/* The standard's of frames with blocks of 4x4, and transform_size_8x8_flag's, which are 399 on there. */
enum { CABAC_CONTEXTS = 279, CABAC_TRANSFORM_8X8 = 276 };
/* Bits that wait for a carry, at most: more, of what nobody has seen, are lost; they all go out at once. */
enum { CABAC_OUTSTANDING = 1 << 17 };

#define CABAC(M, S)                                                                                          \
    /* Bins of the picture's slices. */                                                                      \
    M(S, NUMBER, uint64_t, bins, BITS_LIMIT)                                                                 \
    M(S, NUMBER, uint32_t, low, 0)                                                                           \
    M(S, NUMBER, uint32_t, outstanding, CABAC_OUTSTANDING + 1)                                               \
    M(S, NUMBER, uint16_t, range, 511)                                                                       \
    /* The first bit of a slice is not put out. */                                                           \
    M(S, NUMBER, uint8_t, begins, 2)                                                                         \
    /* pStateIdx and valMPS of each context. */                                                              \
    M(S, NUMBERS, uint8_t, states, [CABAC_CONTEXTS], 126)                                                    \
    M(S, PADDING, reserved, [6])
struct cabac {
    STATE_MEMBERS(CABAC)
};

void cabac_start_slice(struct cabac *c, unsigned model, int qp);
/* After a flush: contexts stay. */
void cabac_start(struct cabac *c);
void cabac_bin(struct cabac *c, struct bits *b, unsigned context, bool bin);
void cabac_bypass(struct cabac *c, struct bits *b, bool bin);
/* end_of_slice_flag, and whether a macroblock is I_PCM: a one flushes, and its last bit is a one. */
void cabac_terminate(struct cabac *c, struct bits *b, bool bin);

extern const int8_t cabac_starts[4][CABAC_CONTEXTS][2];
extern const uint8_t cabac_range_lps[64][4], cabac_next_lps[64];

#endif
