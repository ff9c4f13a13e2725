/*
 * A macroblock of AVC on its way from pixels to bits: what is asked of it, what its neighbours are, its
 * levels, its reconstruction (ITU-T H.264; frames of 4:2:0, eight bits, 4x4 transforms).
 */
#ifndef VIDEO_AVC_H
#define VIDEO_AVC_H

#include "video/cabac.h"

enum macroblock_kind { MB_NONE, MB_4X4, MB_16X16, MB_PCM, MB_SKIPPED, MB_INTER, MB_KINDS };
enum { BLOCKS = 24, CB_BLOCKS = 16, CR_BLOCKS = 20 }; /* 4x4 blocks of a macroblock: luma in rows, Cb, Cr */
enum { DC_LUMA = 1u << 0, DC_CB = 1u << 1, DC_CR = 1u << 2 };
enum { MODE_DC_4X4 = 2 };

/* What macroblocks to the right and below ask of one. */
#define NEIGHBOUR(M, S)                                                                                      \
    /* In quarters of a pixel: right, down; of the one reference picture. */                                 \
    M(S, NUMBERS, int16_t, vector, [2], 0)                                                                   \
    /* The difference from the prediction, 255 at most. */                                                   \
    M(S, NUMBERS, uint8_t, vector_delta, [2], 0)                                                             \
    /* enum macroblock_kind */                                                                               \
    M(S, NUMBER, uint8_t, kind, MB_KINDS)                                                                    \
    /* coded_block_pattern: luma 3:0, chroma 5:4 */                                                          \
    M(S, NUMBER, uint8_t, pattern, 48)                                                                       \
    /* DC blocks with coefficients. */                                                                       \
    M(S, NUMBER, uint8_t, dc, 8)                                                                             \
    M(S, NUMBER, uint8_t, chroma_mode, 4)                                                                    \
    /* For deblocking: 0 for I_PCM. */                                                                       \
    M(S, NUMBER, uint8_t, qp, 52)                                                                            \
    M(S, NUMBERS, uint8_t, coefficients, [BLOCKS], 17)                                                       \
    /* Intra_4x4 prediction modes, blocks in rows. */                                                        \
    M(S, NUMBERS, uint8_t, modes, [16], 9)                                                                   \
    M(S, PADDING, reserved, [1])
struct neighbour {
    STATE_MEMBERS(NEIGHBOUR)
};

#define NEIGHBOUR_ABOVE(M, S)                                                                                \
    M(S, NUMBERS, int16_t, vector, [2], 0)                                                                   \
    M(S, NUMBERS, uint8_t, vector_delta, [2], 0)                                                             \
    M(S, NUMBER, uint8_t, kind, MB_KINDS)                                                                    \
    M(S, NUMBER, uint8_t, pattern, 48)                                                                       \
    M(S, NUMBER, uint8_t, dc, 8)                                                                             \
    M(S, NUMBER, uint8_t, chroma_mode, 4)                                                                    \
    M(S, NUMBER, uint8_t, qp, 52)                                                                            \
    /* Four of luma, two of Cb, two of Cr. */                                                                \
    M(S, NUMBERS, uint8_t, coefficients, [8], 17)                                                            \
    M(S, NUMBERS, uint8_t, modes, [4], 9)                                                                    \
    M(S, PADDING, reserved, [1])
/* What the row below needs of a macroblock: its lowest blocks. */
struct neighbour_above {
    STATE_MEMBERS(NEIGHBOUR_ABOVE)
};

/* Codes and their lengths. */
struct vlc {
    uint8_t code, bits;
};

extern const struct vlc avc_coeff_token[5][17][4], avc_total_zeros[15][16], avc_total_zeros_dc[3][4],
    avc_run_before[7][15];
extern const uint8_t avc_pattern_code[2][48];
/* Where block n of luma is, in rows of four. */
extern const uint8_t avc_block_place[16];
extern const uint8_t avc_scan[16];

/* Levels of coefficients in their order (of blocks of AC from 1 on). */
struct levels {
    int32_t luma[16][16]; /* by the block's number */
    int32_t luma_dc[16];
    int32_t chroma_dc[2][4];
    int32_t chroma[2][4][16];
};

/* Pixels with four rows above and four columns to the left of them: CANVAS from a row to the next, the first
 * is at FIRST. */
enum { CANVAS = 32, CANVAS_FIRST = 4 * CANVAS + 8, CANVAS_BYTES = 21 * CANVAS };

struct scaling {
    uint8_t weight[16];   /* MFX_AVC_QM_STATE's */
    uint16_t forward[16]; /* MFC_AVC_FQM_STATE's: 65536 over the weight */
};

enum { NEXT_LEFT = 1u << 0, NEXT_ABOVE = 1u << 1, NEXT_ABOVE_RIGHT = 1u << 2, NEXT_ABOVE_LEFT = 1u << 3 };

struct macroblock {
    /* What it is to be. */
    uint8_t kind;      /* enum macroblock_kind */
    uint8_t modes[16]; /* by the block's number; of Intra_16x16 the first */
    uint8_t chroma_mode;
    uint8_t qp, chroma_qp[2];
    uint8_t rounding;                /* in sixteenths */
    uint8_t dc_mask;                 /* DC blocks that may have coefficients */
    uint16_t luma_mask;              /* the same of blocks: bit 15 is block 0 */
    uint8_t chroma_mask[2];          /* bit 3 is block 0 */
    int16_t vector[2], predicted[2]; /* of MB_INTER and MB_SKIPPED */
    uint8_t available;               /* NEXT bits */
    const struct scaling *scaling[3];
    /* Its pixels: of the source, of what a decoder will have. */
    uint8_t source[256], chroma_source[2][64];
    uint8_t luma[CANVAS_BYTES], chroma[2][CANVAS_BYTES];
    struct levels levels;
    struct neighbour now;
};

/* Prediction, transform, quantisation and back: levels, reconstruction, and what neighbours ask. */
void avc_reconstruct(struct macroblock *m);

/* transform.c: residuals of a block in rows, and their levels. */
void forward_4x4(const int32_t *residual, int32_t *coefficients);
void inverse_4x4(const int32_t *coefficients, int32_t *residual);
int32_t quantise(int32_t coefficient, unsigned place, unsigned qp, const struct scaling *s, unsigned rounding,
                 bool dc);
int32_t scale_4x4(int32_t level, unsigned place, unsigned qp, const struct scaling *s);
void hadamard_4x4(int32_t *values);
int32_t scale_luma_dc(int32_t value, unsigned qp, const struct scaling *s);
int32_t scale_chroma_dc(int32_t value, unsigned qp, const struct scaling *s);

/* deblock.c: a macroblock in canvases whose surroundings are as they have been filtered so far. */
struct deblocking {
    const struct neighbour *left, *above; /* NULL: that edge is left alone */
    int alpha_offset, beta_offset;        /* FilterOffsetA, FilterOffsetB */
    uint8_t chroma_offset[2];             /* as avc_chroma_qp takes it */
};
void avc_deblock(const struct deblocking *d, const struct neighbour *now, uint8_t *luma, uint8_t *chroma[2]);
/* The offset is in five bits. */
uint8_t avc_chroma_qp(uint32_t qp, uint32_t offset);

/* inter.c: the macroblocks beside, NULL: not available. */
struct vector_neighbours {
    const struct neighbour *left, *above, *above_right, *above_left;
};
/* What is predicted; `skips`: what P_Skip has. */
void predict_vector(const struct vector_neighbours *n, bool skips, int16_t vector[2]);
/* From pixels of the reference, REFERENCE in a row: of luma from two rows above and two columns to the left
 * on. */
enum { REFERENCE = 21 };
void predict_inter_luma(uint8_t *canvas, const uint8_t *reference, const int16_t vector[2]);
void predict_inter_chroma(uint8_t *canvas, const uint8_t *reference, const int16_t vector[2]);

/* intra.c: into the canvas, at x, y. */
void predict_4x4(uint8_t *canvas, unsigned x, unsigned y, unsigned mode, unsigned available);
void predict_16x16(uint8_t *canvas, unsigned mode, unsigned available);
void predict_chroma(uint8_t *canvas, unsigned mode, unsigned available);

/* What the coders of syntax elements are given. */
struct slice_coder {
    struct bits *bits;
    struct cabac *cabac;                  /* NULL: CAVLC */
    const struct neighbour *left, *above; /* NULL: not available */
    int32_t *qp;                          /* of the macroblock before; becomes this one's */
    bool *delta_before;                   /* mb_qp_delta of the one before was not zero */
    bool codes_transform_size;            /* transform_8x8_mode_flag */
    bool predicted;                       /* a P slice */
    uint32_t *skipped;
};
void avc_write(struct slice_coder *c, const struct macroblock *m);

/* A block's levels, `count` of them; nc: of CAVLC, -1 for the DC of chroma. */
void cavlc_block(struct bits *b, const int32_t *levels, unsigned count, int nc);
/* The same by CABAC, whose coded_block_flag has this context. */
enum block_category { BLOCK_LUMA_DC, BLOCK_LUMA_AC, BLOCK_LUMA, BLOCK_CHROMA_DC, BLOCK_CHROMA_AC };
void cabac_block(struct cabac *c, struct bits *b, const int32_t *levels, unsigned count,
                 enum block_category category, unsigned flag_context);

#endif
