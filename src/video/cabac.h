/* Arithmetic coding (ITU-T H.264 9.3.4). */
#ifndef VIDEO_CABAC_H
#define VIDEO_CABAC_H

#include "video/bits.h"

/* The standard's contexts for frames with 4x4 blocks, and those of transform_size_8x8_flag, which are 399 to
 * 401 there. */
enum { CABAC_CONTEXTS = 279, CABAC_TRANSFORM_8X8 = 276 };
/* The limit of outstanding bits. More are lost, which no stream in practice reaches; they are written all at
 * once. */
enum { CABAC_OUTSTANDING = 1 << 17 };

#define CABAC(M, S)                                                                                          \
    /* Number of bins in the picture's slices. */                                                            \
    M(S, NUMBER, uint64_t, bins, BITS_LIMIT)                                                                 \
    M(S, NUMBER, uint32_t, low, 0)                                                                           \
    M(S, NUMBER, uint32_t, outstanding, CABAC_OUTSTANDING + 1)                                               \
    M(S, NUMBER, uint16_t, range, 511)                                                                       \
    /* The first bit of a slice is not written. */                                                           \
    M(S, NUMBER, uint8_t, begins, 2)                                                                         \
    /* pStateIdx and valMPS of each context. */                                                              \
    M(S, NUMBERS, uint8_t, states, [CABAC_CONTEXTS], 126)                                                    \
    M(S, PADDING, reserved, [6])
/* The arithmetic coder. */
struct cabac {
    STATE_MEMBERS(CABAC)
};

void cabac_start_slice(struct cabac *c, unsigned model, int qp);
/* Starts the coder after a flush; the contexts do not change. */
void cabac_start(struct cabac *c);
void cabac_bin(struct cabac *c, struct bits *b, unsigned context, bool bin);
void cabac_bypass(struct cabac *c, struct bits *b, bool bin);
/* Writes end_of_slice_flag, or whether a macroblock is I_PCM. A one flushes the coder, and its last bit is a
 * one. */
void cabac_terminate(struct cabac *c, struct bits *b, bool bin);

extern const int8_t cabac_starts[4][CABAC_CONTEXTS][2];
extern const uint8_t cabac_range_lps[64][4], cabac_next_lps[64];

#endif
