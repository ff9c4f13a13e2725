/*
 * A macroblock of AVC during encoding: its parameters, neighbours, levels and reconstruction (ITU-T H.264:
 * frames, 4:2:0, 8 bits, 4x4 transforms).
 */
#ifndef VIDEO_AVC_H
#define VIDEO_AVC_H

#include "video/cabac.h"

enum macroblock_kind { MB_NONE, MB_4X4, MB_16X16, MB_PCM, MB_SKIPPED, MB_INTER, MB_KINDS };
enum {
    BLOCKS = 24,
    CB_BLOCKS = 16,
    CR_BLOCKS = 20
}; /* 4x4 blocks of a macroblock: luma in rows, then Cb, then Cr */
enum { DC_LUMA = 1u << 0, DC_CB = 1u << 1, DC_CR = 1u << 2 };
enum { MODE_DC_4X4 = 2 };

/* What the macroblocks to the right and below need of a macroblock. */
#define NEIGHBOUR(M, S)                                                                                      \
    /* Motion vector in quarter pixels (x, y) into the only reference picture. */                            \
    M(S, NUMBERS, int16_t, vector, [2], 0)                                                                   \
    /* Motion vector difference (mvd), clamped to 255. */                                                    \
    M(S, NUMBERS, uint8_t, vector_delta, [2], 0)                                                             \
    /* enum macroblock_kind */                                                                               \
    M(S, NUMBER, uint8_t, kind, MB_KINDS)                                                                    \
    /* coded_block_pattern: luma 3:0, chroma 5:4 */                                                          \
    M(S, NUMBER, uint8_t, pattern, 48)                                                                       \
    /* DC blocks that have coefficients. */                                                                  \
    M(S, NUMBER, uint8_t, dc, 8)                                                                             \
    M(S, NUMBER, uint8_t, chroma_mode, 4)                                                                    \
    /* QP for deblocking; 0 for I_PCM. */                                                                    \
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
    /* Four luma blocks, two Cb and two Cr blocks. */                                                        \
    M(S, NUMBERS, uint8_t, coefficients, [8], 17)                                                            \
    M(S, NUMBERS, uint8_t, modes, [4], 9)                                                                    \
    M(S, PADDING, reserved, [1])
/* What the row below needs of a macroblock: its lowest row of blocks. */
struct neighbour_above {
    STATE_MEMBERS(NEIGHBOUR_ABOVE)
};

/* A variable length code: its bits and their number. */
struct vlc {
    uint8_t code, bits;
};

extern const struct vlc avc_coeff_token[5][17][4], avc_total_zeros[15][16], avc_total_zeros_dc[3][4],
    avc_run_before[7][15];
extern const uint8_t avc_pattern_code[2][48];
/* Position of luma block n in rows of four. */
extern const uint8_t avc_block_place[16];
extern const uint8_t avc_scan[16];

/* Levels (quantised coefficients) in scan order; AC blocks start at index 1. */
struct levels {
    int32_t luma[16][16]; /* by block number */
    int32_t luma_dc[16];
    int32_t chroma_dc[2][4];
    int32_t chroma[2][4][16];
};

/* A canvas holds pixels with four rows above and four columns to the left. Rows are CANVAS bytes apart; the
 * first pixel is at CANVAS_FIRST. */
enum { CANVAS = 32, CANVAS_FIRST = 4 * CANVAS + 8, CANVAS_BYTES = 21 * CANVAS };

/* Scaling matrices. */
struct scaling {
    uint8_t weight[16];   /* from MFX_AVC_QM_STATE */
    uint16_t forward[16]; /* from MFC_AVC_FQM_STATE: 65536 / weight */
};

enum { NEXT_LEFT = 1u << 0, NEXT_ABOVE = 1u << 1, NEXT_ABOVE_RIGHT = 1u << 2, NEXT_ABOVE_LEFT = 1u << 3 };

/* A macroblock during encoding. */
struct macroblock {
    /* The parameters. */
    uint8_t kind;      /* enum macroblock_kind */
    uint8_t modes[16]; /* by block number; Intra_16x16: the first */
    uint8_t chroma_mode;
    uint8_t qp, chroma_qp[2];
    uint8_t rounding;                /* in sixteenths */
    uint8_t dc_mask;                 /* DC blocks that may have coefficients */
    uint16_t luma_mask;              /* luma blocks that may have coefficients: bit 15 is block 0 */
    uint8_t chroma_mask[2];          /* bit 3 is block 0 */
    int16_t vector[2], predicted[2]; /* for MB_INTER and MB_SKIPPED */
    uint8_t available;               /* available neighbours: NEXT_ bits */
    const struct scaling *scaling[3];
    /* Pixels of the source, and of the reconstruction. */
    uint8_t source[256], chroma_source[2][64];
    uint8_t luma[CANVAS_BYTES], chroma[2][CANVAS_BYTES];
    struct levels levels;
    struct neighbour now;
};

/* Predicts, transforms, quantises and reconstructs: sets the levels, the reconstruction and what neighbours
 * need. */
void avc_reconstruct(struct macroblock *m);

/* transform.c: transforms of a block in rows, and quantisation. */
void forward_4x4(const int32_t *residual, int32_t *coefficients);
void inverse_4x4(const int32_t *coefficients, int32_t *residual);
int32_t quantise(int32_t coefficient, unsigned place, unsigned qp, const struct scaling *s, unsigned rounding,
                 bool dc);
int32_t scale_4x4(int32_t level, unsigned place, unsigned qp, const struct scaling *s);
void hadamard_4x4(int32_t *values);
int32_t scale_luma_dc(int32_t value, unsigned qp, const struct scaling *s);
int32_t scale_chroma_dc(int32_t value, unsigned qp, const struct scaling *s);

/* deblock.c: a macroblock in canvases. The pixels around it are filtered as far as its predecessors did. */
struct deblocking {
    const struct neighbour *left, *above; /* NULL: that edge is not filtered */
    int alpha_offset, beta_offset;        /* FilterOffsetA, FilterOffsetB */
    uint8_t chroma_offset[2];             /* chroma_qp_index_offset, five bits */
};
void avc_deblock(const struct deblocking *d, const struct neighbour *now, uint8_t *luma, uint8_t *chroma[2]);
/* `offset` is a signed number of five bits. */
uint8_t avc_chroma_qp(uint32_t qp, uint32_t offset);

/* inter.c: the neighbouring macroblocks; NULL: not available. */
struct vector_neighbours {
    const struct neighbour *left, *above, *above_right, *above_left;
};
/* The motion vector prediction; `skips`: that of P_Skip. */
void predict_vector(const struct vector_neighbours *n, bool skips, int16_t vector[2]);
/* Luma prediction from reference pixels, REFERENCE in a row, which start two rows above and two columns left
 * of the block. */
enum { REFERENCE = 21 };
void predict_inter_luma(uint8_t *canvas, const uint8_t *reference, const int16_t vector[2]);
void predict_inter_chroma(uint8_t *canvas, const uint8_t *reference, const int16_t vector[2]);

/* intra.c: prediction into the canvas, at x, y. */
void predict_4x4(uint8_t *canvas, unsigned x, unsigned y, unsigned mode, unsigned available);
void predict_16x16(uint8_t *canvas, unsigned mode, unsigned available);
void predict_chroma(uint8_t *canvas, unsigned mode, unsigned available);

/* The state of the coders of syntax elements. */
struct slice_coder {
    struct bits *bits;
    struct cabac *cabac;                  /* NULL: CAVLC */
    const struct neighbour *left, *above; /* NULL: not available */
    int32_t *qp;                          /* QP of the previous macroblock; updated to this one's */
    bool *delta_before;                   /* mb_qp_delta of the previous macroblock was not zero */
    bool codes_transform_size;            /* transform_8x8_mode_flag */
    bool predicted;                       /* a P slice */
    uint32_t *skipped;
};
void avc_write(struct slice_coder *c, const struct macroblock *m);

/* Writes a block's levels, `count` of them, by CAVLC. nc: nC, -1 for chroma DC. */
void cavlc_block(struct bits *b, const int32_t *levels, unsigned count, int nc);
/* The same by CABAC. `context` is the context of coded_block_flag. */
enum block_category { BLOCK_LUMA_DC, BLOCK_LUMA_AC, BLOCK_LUMA, BLOCK_CHROMA_DC, BLOCK_CHROMA_AC };
void cabac_block(struct cabac *c, struct bits *b, const int32_t *levels, unsigned count,
                 enum block_category category, unsigned flag_context);

#endif
