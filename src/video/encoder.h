/*
 * The encoder of AVC: what an engine puts out for MFC_AVC_PAK_INSERT_OBJECT and MFC_AVC_PAK_OBJECT, a
 * macroblock at a time. What lasts between two of them (where the bitstream is, the arithmetic coder, what
 * the macroblocks to the right and below ask for) lies in sections; all else is the engine's pipeline state.
 * The counts of the bitstream are the registers themselves. (VCS-10; SNB PRM vol 2 part 3)
 */
#ifndef VIDEO_ENCODER_H
#define VIDEO_ENCODER_H

#include "base/unit.h"
#include "video/avc.h"

/* ---- Roles of fields ---- */

enum { MODE_STANDARD = 1, MODE_ENCODES, MODE_PRE_DEBLOCKING, MODE_POST_DEBLOCKING, MODE_STREAM_OUT };
enum {
    CODEC_SURFACE_FORMAT = 1,
    CODEC_SURFACE_PITCH,
    CODEC_SURFACE_TILED,
    CODEC_SURFACE_Y_MAJOR,
    CODEC_SURFACE_CB_X,
    CODEC_SURFACE_CB_Y
};
enum { BUFFER_PRE_DEBLOCKING = 1, BUFFER_POST_DEBLOCKING, BUFFER_SOURCE };
enum { INDIRECT_BITSTREAM = 1, INDIRECT_BITSTREAM_END, INDIRECT_VECTORS, INDIRECT_VECTORS_END };
enum {
    IMAGE_WIDTH = 1,
    IMAGE_HEIGHT,
    IMAGE_STRUCTURE,
    IMAGE_CB_OFFSET,
    IMAGE_CR_OFFSET,
    IMAGE_FIELD,
    IMAGE_MBAFF,
    IMAGE_TRANSFORM_8X8,
    IMAGE_CABAC,
    IMAGE_CHROMA_FORMAT,
    IMAGE_LOADS_POINTER,
    IMAGE_LEAST_WORDS,
    IMAGE_CONSTRAINED
};
enum {
    SLICE_TYPE = 1,
    SLICE_QP,
    SLICE_CABAC_INIT,
    SLICE_NO_DEBLOCKING,
    SLICE_FIRST_X,
    SLICE_FIRST_Y,
    SLICE_ZERO_WORDS,
    SLICE_GUARDS,
    SLICE_TAIL,
    SLICE_DATA,
    SLICE_HEADER,
    SLICE_SILENT,
    SLICE_LAST,
    SLICE_RATE_CONTROL,
    SLICE_START,
    SLICE_ROUND_INTRA,
    SLICE_ROUNDS_INTRA,
    SLICE_ALPHA,
    SLICE_BETA,
    SLICE_ROUND_INTER,
    SLICE_ROUNDS_INTER,
    SLICE_REFERENCES,
    SLICE_WEIGHTED,
    SLICE_KEEPS_TYPES
};
enum {
    INSERT_RESETS = 1,
    INSERT_ENDS_SLICE,
    INSERT_LAST_HEADER,
    INSERT_GUARDS,
    INSERT_SKIPPED_BYTES,
    INSERT_LAST_BITS,
    INSERT_BYTE_OFFSET
};
enum {
    PAK_INTRA_MODE = 1,
    PAK_TYPE,
    PAK_INTRA,
    PAK_FIELD,
    PAK_TRANSFORM_8X8,
    PAK_DC_CR,
    PAK_DC_CB,
    PAK_DC_LUMA,
    PAK_X,
    PAK_Y,
    PAK_LUMA,
    PAK_CB,
    PAK_CR,
    PAK_QP,
    PAK_LAST,
    PAK_MODES,
    PAK_CHROMA_MODE,
    PAK_SKIPS,
    PAK_INTER_MODE,
    PAK_VECTORS,
    PAK_KEEPS_TYPE
};

/* ---- State ---- */

enum slice_phase { SLICE_OUTSIDE, SLICE_BEFORE, SLICE_WITHIN, SLICE_ENDING, SLICE_LEFT, SLICE_PHASES };

struct slice_state {
    uint64_t vcl_bytes;       /* of the picture's slices that are whole */
    uint64_t nal_first;       /* where the one at hand begins, of the picture's bytes */
    uint64_t zero_word_bytes; /* still to come behind it ... */
    uint64_t padding_bytes;   /* ... and these */
    uint32_t first, next;     /* macroblocks, by their number */
    int32_t qp;               /* of the one before */
    uint32_t skipped;
    uint8_t phase;     /* enum slice_phase */
    bool delta_before; /* mb_qp_delta was not zero */
    bool in_picture;   /* it is not the first slice */
    uint8_t reserved[5];
};

/* What macroblocks of the row above, and the one to the left, left. */
enum { MOST_WIDTH = 256 };
struct surroundings {
    struct neighbour_above above[MOST_WIDTH];
    struct neighbour left, above_left;
    uint8_t above_luma[MOST_WIDTH * 16], above_chroma[2][MOST_WIDTH * 8];
    uint8_t left_luma[16], left_chroma[2][8];
    uint8_t corner[3]; /* above and to the left: luma, Cb, Cr */
    uint8_t reserved[5];
};

struct encoder {
    struct engine *engine;
    struct bit_position position;
    struct cabac cabac;
    struct slice_state slice;
    struct surroundings surroundings;
};

enum { ENCODER_SECTIONS = 4 };
extern const struct section encoder_sections[ENCODER_SECTIONS];
extern const struct unit_shape encoder_shape;

void encoder_create(struct encoder *c, struct engine *e);

/* MFX_AVC_IMG_STATE and MFX_AVC_SLICE_STATE, which are kept by then. */
void encoder_begin_picture(struct encoder *c);
void encoder_begin_slice(struct encoder *c);
enum outcome encoder_insert(struct encoder *c, struct execution *x);
enum outcome encoder_macroblock(struct encoder *c, struct execution *x);

#endif
