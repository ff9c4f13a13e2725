/*
 * The AVC encoder: executes MFC_AVC_PAK_INSERT_OBJECT and MFC_AVC_PAK_OBJECT, one macroblock at a time.
 *
 * Its saved sections are the position in the bitstream, the CABAC coder, and what neighbouring macroblocks
 * need. All other state is the engine's pipeline state. The counters of the bitstream are registers.
 *
 * Not modelled, and reported: fields, B slices, weighted prediction, partitions other than 16x16, the 8x8
 * transform, rate control. (VCS-10; SNB PRM vol 2 part 3)
 */
#ifndef VIDEO_ENCODER_H
#define VIDEO_ENCODER_H

#include "base/unit.h"
#include "engine/execution.h"
#include "video/avc.h"

/* ---- Roles of fields ---- */

enum {
    MODE_STANDARD_SELECT = 1,
    MODE_CODEC_SELECT_ENCODE,
    MODE_PRE_DEBLOCKING_OUTPUT_ENABLE,
    MODE_POST_DEBLOCKING_OUTPUT_ENABLE,
    MODE_STREAM_OUT_ENABLE
};
enum {
    CODEC_SURFACE_FORMAT = 1,
    CODEC_SURFACE_PITCH,
    CODEC_SURFACE_TILED_SURFACE,
    CODEC_SURFACE_TILE_WALK_Y_MAJOR,
    CODEC_SURFACE_X_OFFSET_FOR_U_CB,
    CODEC_SURFACE_Y_OFFSET_FOR_U_CB
};
enum {
    BUFFER_PRE_DEBLOCKING_DESTINATION_ADDRESS = 1,
    BUFFER_POST_DEBLOCKING_DESTINATION_ADDRESS,
    BUFFER_ORIGINAL_UNCOMPRESSED_PICTURE_ADDRESS
};
enum {
    INDIRECT_PAK_BSE_OBJECT_BASE_ADDRESS = 1,
    INDIRECT_PAK_BSE_OBJECT_ACCESS_UPPER_BOUND,
    INDIRECT_MV_OBJECT_BASE_ADDRESS,
    INDIRECT_MV_OBJECT_ACCESS_UPPER_BOUND
};
enum {
    IMAGE_FRAME_WIDTH = 1,
    IMAGE_FRAME_HEIGHT,
    IMAGE_STRUCTURE,
    IMAGE_FIRST_CHROMA_QP_OFFSET,
    IMAGE_SECOND_CHROMA_QP_OFFSET,
    IMAGE_FIELD_PICTURE_FLAG,
    IMAGE_MBAFF_FRAME_FLAG,
    IMAGE_8X8_TRANSFORM_FLAG,
    IMAGE_ENTROPY_CODING_FLAG_CABAC,
    IMAGE_CHROMA_FORMAT_IDC,
    IMAGE_LOAD_SLICE_POINTER_FLAG,
    IMAGE_MINIMUM_FRAME_SIZE_IN_WORDS,
    IMAGE_CONSTRAINED_INTRA_PREDICTION_FLAG
};
enum {
    SLICE_TYPE = 1,
    SLICE_QUANTIZATION_PARAMETER,
    SLICE_CABAC_INIT_IDC,
    SLICE_DISABLE_DEBLOCKING_FILTER_INDICATOR,
    SLICE_HORIZONTAL_POSITION,
    SLICE_VERTICAL_POSITION,
    SLICE_CABAC_ZERO_WORD_INSERTION_ENABLE,
    SLICE_EMULATION_BYTE_SLICE_INSERT_ENABLE,
    SLICE_TAIL_PRESENT_FLAG,
    SLICE_DATA_PRESENT_FLAG,
    SLICE_HEADER_PRESENT_FLAG,
    SLICE_BITSTREAM_OUTPUT_DISABLE,
    SLICE_IS_LAST_SLICE,
    SLICE_RATE_CONTROL_COUNTER_ENABLE,
    SLICE_INDIRECT_PAK_BSE_DATA_START_ADDRESS,
    SLICE_ROUND_INTRA,
    SLICE_ROUND_INTRA_ENABLE,
    SLICE_ALPHA_C0_OFFSET_DIV2,
    SLICE_BETA_OFFSET_DIV2,
    SLICE_ROUND_INTER,
    SLICE_ROUND_INTER_ENABLE,
    SLICE_REFERENCE_PICTURES_IN_LIST_0,
    SLICE_WEIGHTED_PREDICTION_INDICATOR,
    SLICE_MB_TYPE_SKIP_CONVERSION_DISABLE
};
enum {
    INSERT_BITSTREAM_START_RESET = 1,
    INSERT_END_OF_SLICE_FLAG,
    INSERT_LAST_HEADER_FLAG,
    INSERT_EMULATION_FLAG,
    INSERT_SKIP_EMULATION_BYTE_COUNT,
    INSERT_DATA_BITS_IN_LAST_DW,
    INSERT_DATA_BYTE_OFFSET
};
enum {
    PAK_INTRA_MB_MODE = 1,
    PAK_MB_TYPE,
    PAK_INTRA_MB_FLAG,
    PAK_FIELD,
    PAK_TRANSFORM_8X8_FLAG,
    PAK_DC_BLOCK_CODED_CR_FLAG,
    PAK_DC_BLOCK_CODED_CB_FLAG,
    PAK_DC_BLOCK_CODED_Y_FLAG,
    PAK_HORIZONTAL_ORIGIN,
    PAK_VERTICAL_ORIGIN,
    PAK_CODED_BLOCK_PATTERN_Y,
    PAK_CODED_BLOCK_PATTERN_CB,
    PAK_CODED_BLOCK_PATTERN_CR,
    PAK_QP_PRIME_Y,
    PAK_LAST_MB_FLAG,
    PAK_LUMA_INTRA_PREDICTION_MODES,
    PAK_CHROMA_INTRA_PREDICTION_MODE,
    PAK_SKIP_MB_FLAG,
    PAK_INTER_MB_MODE,
    PAK_INDIRECT_PAK_MV_DATA_START_ADDRESS_OFFSET,
    PAK_MB_SKIP_CONVERSION_DISABLE
};

/* ---- State ---- */

enum slice_phase {
    SLICE_PHASE_NONE,
    SLICE_PHASE_HEADER,
    SLICE_PHASE_MACROBLOCKS,
    SLICE_PHASE_ENDING,
    SLICE_PHASE_ABANDONED,
    SLICE_PHASES
};

#define SLICE_CONTEXT(M, S)                                                                                  \
    /* Bytes of the picture's complete slices. */                                                            \
    M(S, NUMBER, uint64_t, vcl_bytes, BITS_LIMIT)                                                            \
    /* Offset in the picture of the current NAL unit. */                                                     \
    M(S, NUMBER, uint64_t, nal_start_byte, BITS_LIMIT)                                                       \
    /* Zero words and padding still to write after the slice. */                                             \
    M(S, NUMBER, uint64_t, zero_word_bytes_left, BITS_LIMIT)                                                 \
    M(S, NUMBER, uint64_t, cabac_zero_padding_bytes, BITS_LIMIT)                                             \
    /* Numbers of macroblocks. */                                                                            \
    M(S, NUMBER, uint32_t, first_macroblock, 0x10000)                                                        \
    M(S, NUMBER, uint32_t, next_macroblock, 0x10001)                                                         \
    /* QP of the previous macroblock. */                                                                     \
    M(S, NUMBER, int32_t, qp, 52)                                                                            \
    M(S, NUMBER, uint32_t, skip_run, 0x10001)                                                                \
    /* enum slice_phase */                                                                                   \
    M(S, NUMBER, uint8_t, phase, SLICE_PHASES)                                                               \
    /* mb_qp_delta of the previous macroblock was not zero. */                                               \
    M(S, FLAG, prev_mb_qp_delta_nonzero)                                                                     \
    /* Not the first slice of the picture. */                                                                \
    M(S, FLAG, in_picture)                                                                                   \
    M(S, PADDING, reserved, [5])
struct slice_context {
    STATE_MEMBERS(SLICE_CONTEXT)
};

enum { MAX_WIDTH_MB = 256 };
#define NEIGHBOUR_CONTEXT(M, S)                                                                              \
    M(S, STRUCTS, struct neighbour_above, above, [MAX_WIDTH_MB], neighbour_above_fields)                     \
    M(S, STRUCT, struct neighbour, left, neighbour_fields)                                                   \
    M(S, STRUCT, struct neighbour, above_left, neighbour_fields)                                             \
    M(S, NUMBERS, uint8_t, above_luma, [MAX_WIDTH_MB * 16], 0)                                               \
    M(S, NUMBERS, uint8_t, above_chroma, [2][MAX_WIDTH_MB * 8], 0)                                           \
    M(S, NUMBERS, uint8_t, left_luma, [16], 0)                                                               \
    M(S, NUMBERS, uint8_t, left_chroma, [2][8], 0)                                                           \
    /* The pixel above and to the left: luma, Cb, Cr. */                                                     \
    M(S, NUMBERS, uint8_t, corner, [3], 0)                                                                   \
    M(S, PADDING, reserved, [5])
/* What the upper row and the left macroblock leave for the next ones. */
struct neighbour_context {
    STATE_MEMBERS(NEIGHBOUR_CONTEXT)
};

struct encoder {
    struct engine *engine;       /* the engine, for its pipeline state and registers */
    struct memory_client memory; /* client for pictures and the bitstream */
    struct bit_position position;
    struct cabac cabac;
    struct slice_context slice;
    struct neighbour_context neighbours;
};

enum { ENCODER_SECTIONS = 4 };
extern const struct section encoder_sections[ENCODER_SECTIONS];
extern const struct unit_shape encoder_shape;

void encoder_create(struct encoder *c, struct engine *e);
enum { ENCODER_IMAGE_DW = 3840 };
extern const struct work_ops encoder_work_ops;
/* NULL: the engine has no encoder. */
static inline struct encoder *encoder_of(const struct engine *e)
{
    return e->work.ops == &encoder_work_ops ? e->work.unit : NULL;
}

/* Called after MFX_AVC_IMG_STATE and MFX_AVC_SLICE_STATE are stored. */
void encoder_begin_picture(struct encoder *c);
void encoder_begin_slice(struct encoder *c);
enum outcome encoder_insert_object(struct encoder *c, struct execution *x);
enum outcome encoder_pak_object(struct encoder *c, struct execution *x);

#endif
