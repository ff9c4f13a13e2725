/* The multi-format codec: state is kept, work is counted, but for what the encoder of AVC performs. Field
 * names and places as the public manuals of each generation give them. (CSP-09, VCS-10) */
#include "commands/commands.h"
#include "engine/execution.h"
#include "video/encoder.h"

static void keep(struct execution *x)
{
    struct engine *const e = x->engine;
    pipeline_keep(&e->pipeline, command_find(e->set, e->info->class, x->header), x->header, x->dw,
                  x->length_dw);
}

static enum outcome image_state(struct execution *x)
{
    keep(x);
    if (x->engine->encoder)
        encoder_begin_picture(x->engine->encoder);
    return DONE;
}

static enum outcome slice_state(struct execution *x)
{
    keep(x);
    if (x->engine->encoder)
        encoder_begin_slice(x->engine->encoder);
    return DONE;
}

static enum outcome insert_object(struct execution *x)
{
    return x->engine->encoder ? encoder_insert(x->engine->encoder, x) : DONE;
}

static enum outcome pak_object(struct execution *x)
{
    return x->engine->encoder ? encoder_macroblock(x->engine->encoder, x) : DONE;
}

/* clang-format off */

static const struct field f_vd_control_state[] = {
    {"Pipeline Initialization", 32, 32, FIELD_BOOL}, {"Scalable Mode Pipe Lock", 64, 64, FIELD_BOOL},
    {"Scalable Mode Pipe Unlock", 65, 65, FIELD_BOOL}, {"Memory Implicit Flush", 66, 66, FIELD_BOOL},
};

static const struct field f_vd_pipeline_flush[] = {
    {"HEVC Pipeline Done", 32, 32, FIELD_BOOL}, {"VDENC Pipeline Done", 33, 33, FIELD_BOOL}, {"MFX Pipeline Done", 35, 35, FIELD_BOOL},
    {"VD Command/Message Parser Done", 36, 36, FIELD_BOOL}, {"AVP Pipeline Done", 37, 37, FIELD_BOOL, .since = GEN12},
    {"HEVC Pipeline Command Flush", 48, 48, FIELD_BOOL}, {"VDENC Pipeline Command Flush", 49, 49, FIELD_BOOL},
    {"MFX Pipeline Command Flush", 51, 51, FIELD_BOOL}, {"AVP Pipeline Command Flush", 52, 52, FIELD_BOOL, .since = GEN12},
};

static const struct field_value codec_standards[] = {{"MPEG2", 0}, {"VC1", 1}, {"AVC", 2}, {NULL, 0}};
static const struct field f_pipe_mode_gen6[] = {
    {"Standard Select", 32, 33, FIELD_UINT, codec_standards, MODE_STANDARD}, {"Codec Select: Encode", 36, 36, FIELD_BOOL, NULL, MODE_ENCODES},
    {"Stitch Mode", 37, 37, FIELD_BOOL}, {"Pre Deblocking Output Enable", 40, 40, FIELD_BOOL, NULL, MODE_PRE_DEBLOCKING},
    {"Post Deblocking Output Enable", 41, 41, FIELD_BOOL, NULL, MODE_POST_DEBLOCKING}, {"Stream-Out Enable", 42, 42, FIELD_BOOL, NULL, MODE_STREAM_OUT},
    {"Pic Error/Status Report", 96, 127, FIELD_HEX},
};
static const struct field_value codec_surface_formats[] = {{"PLANAR_420_8", 4}, {NULL, 0}};
static const struct field f_codec_surface[] = {
    {"Surface ID", 32, 35, FIELD_UINT}, {"Width", 70, 82, FIELD_UINT}, {"Height", 83, 95, FIELD_UINT},
    {"Tile Walk: Y Major", 96, 96, FIELD_BOOL, NULL, CODEC_SURFACE_Y_MAJOR}, {"Tiled Surface", 97, 97, FIELD_BOOL, NULL, CODEC_SURFACE_TILED},
    {"Surface Pitch", 99, 115, FIELD_UINT, NULL, CODEC_SURFACE_PITCH}, {"Interleave Chroma", 123, 123, FIELD_BOOL},
    {"Surface Format", 124, 127, FIELD_UINT, codec_surface_formats, CODEC_SURFACE_FORMAT},
    {"Y Offset for U(Cb)", 128, 142, FIELD_UINT, NULL, CODEC_SURFACE_CB_Y}, {"X Offset for U(Cb)", 144, 158, FIELD_UINT, NULL, CODEC_SURFACE_CB_X},
    {"Y Offset for V(Cr)", 160, 175, FIELD_UINT}, {"X Offset for V(Cr)", 176, 190, FIELD_UINT},
};
static const struct field f_pipe_buffers_gen6[] = {
    {"Pre Deblocking Destination Address", 44, 63, FIELD_ADDRESS, NULL, BUFFER_PRE_DEBLOCKING},
    {"Post Deblocking Destination Address", 76, 95, FIELD_ADDRESS, NULL, BUFFER_POST_DEBLOCKING},
    {"Original Uncompressed Picture Address", 108, 127, FIELD_ADDRESS, NULL, BUFFER_SOURCE}, {"Stream-Out Data Destination Address", 140, 159, FIELD_ADDRESS},
    {"Intra Row Store Scratch Buffer Address", 172, 191, FIELD_ADDRESS}, {"Deblocking Filter Row Store Scratch Address", 204, 223, FIELD_ADDRESS},
    {"Reference Picture Address #", 236, 255, FIELD_ADDRESS, .count = 16, .stride = 32}, {"Macroblock Status Buffer Address", 748, 767, FIELD_ADDRESS},
};
static const struct field f_indirect_objects_gen6[] = {
    {"Indirect Bitstream Object Base Address", 44, 63, FIELD_ADDRESS}, {"Indirect Bitstream Object Access Upper Bound", 76, 95, FIELD_ADDRESS},
    {"Indirect MV Object Base Address", 108, 127, FIELD_ADDRESS, NULL, INDIRECT_VECTORS}, {"Indirect MV Object Access Upper Bound", 140, 159, FIELD_ADDRESS, NULL, INDIRECT_VECTORS_END},
    {"Indirect IT-COEFF Object Base Address", 172, 191, FIELD_ADDRESS}, {"Indirect IT-COEFF Object Access Upper Bound", 204, 223, FIELD_ADDRESS},
    {"Indirect IT-DBLK Object Base Address", 236, 255, FIELD_ADDRESS}, {"Indirect IT-DBLK Object Access Upper Bound", 268, 287, FIELD_ADDRESS},
    {"Indirect PAK-BSE Object Base Address", 300, 319, FIELD_ADDRESS, NULL, INDIRECT_BITSTREAM},
    {"Indirect PAK-BSE Object Access Upper Bound", 332, 351, FIELD_ADDRESS, NULL, INDIRECT_BITSTREAM_END},
};
static const struct field_value image_structures[] = {{"Frame", 0}, {"Top Field", 1}, {"Bottom Field", 3}, {NULL, 0}};
static const struct field f_avc_image_gen6[] = {
    {"Frame Size", 32, 47, FIELD_UINT}, {"Frame Width", 64, 71, FIELD_UINT, NULL, IMAGE_WIDTH}, {"Frame Height", 80, 87, FIELD_UINT, NULL, IMAGE_HEIGHT},
    {"Image Structure", 104, 105, FIELD_UINT, image_structures, IMAGE_STRUCTURE}, {"First Chroma QP Offset", 112, 116, FIELD_INT, NULL, IMAGE_CB_OFFSET},
    {"Second Chroma QP Offset", 120, 124, FIELD_INT, NULL, IMAGE_CR_OFFSET}, {"Field Picture Flag", 128, 128, FIELD_BOOL, NULL, IMAGE_FIELD},
    {"MBAFF Frame Flag", 129, 129, FIELD_BOOL, NULL, IMAGE_MBAFF}, {"Frame MB Only Flag", 130, 130, FIELD_BOOL},
    {"8x8 Transform Flag", 131, 131, FIELD_BOOL, NULL, IMAGE_TRANSFORM_8X8}, {"Direct 8x8 Inference Flag", 132, 132, FIELD_BOOL},
    {"Constrained Intra Prediction Flag", 133, 133, FIELD_BOOL, NULL, IMAGE_CONSTRAINED}, {"Entropy Coding Flag: CABAC", 135, 135, FIELD_BOOL, NULL, IMAGE_CABAC},
    {"Chroma Format IDC", 138, 139, FIELD_UINT, NULL, IMAGE_CHROMA_FORMAT}, {"MV Unpacked Flag", 140, 140, FIELD_BOOL},
    {"Load Slice Pointer Flag", 142, 142, FIELD_BOOL, NULL, IMAGE_LOADS_POINTER}, {"Minimum Frame Size in words", 144, 159, FIELD_UINT, NULL, IMAGE_LEAST_WORDS},
    {"Intra MB Max Bits", 192, 203, FIELD_UINT}, {"Inter MB Max Bits", 208, 219, FIELD_UINT},
};
static const struct field_value slice_types[] = {{"P", 0}, {"B", 1}, {"I", 2}, {NULL, 0}};
static const struct field f_avc_slice[] = {
    {"Slice Type", 32, 35, FIELD_UINT, slice_types, SLICE_TYPE}, {"Log2 Weight Denominator Luma", 64, 66, FIELD_UINT}, {"Log2 Weight Denominator Chroma", 72, 74, FIELD_UINT},
    {"Reference Pictures in List 0", 80, 85, FIELD_UINT, NULL, SLICE_REFERENCES}, {"Reference Pictures in List 1", 88, 93, FIELD_UINT},
    {"Slice Alpha C0 Offset Div2", 96, 99, FIELD_INT, NULL, SLICE_ALPHA}, {"Slice Beta Offset Div2", 104, 107, FIELD_INT, NULL, SLICE_BETA}, {"Slice Quantization Parameter", 112, 117, FIELD_UINT, NULL, SLICE_QP},
    {"CABAC Init IDC", 120, 121, FIELD_UINT, NULL, SLICE_CABAC_INIT}, {"Disable Deblocking Filter Indicator", 123, 124, FIELD_UINT, NULL, SLICE_NO_DEBLOCKING},
    {"Direct Prediction Type: Spatial", 125, 125, FIELD_BOOL}, {"Weighted Prediction Indicator", 126, 127, FIELD_UINT, NULL, SLICE_WEIGHTED},
    {"Slice MB Start Number", 128, 143, FIELD_UINT}, {"Slice Horizontal Position", 144, 151, FIELD_UINT, NULL, SLICE_FIRST_X},
    {"Slice Vertical Position", 152, 159, FIELD_UINT, NULL, SLICE_FIRST_Y}, {"Next Slice Horizontal Position", 160, 167, FIELD_UINT},
    {"Next Slice Vertical Position", 176, 183, FIELD_UINT}, {"CABAC Zero Word Insertion Enable", 204, 204, FIELD_BOOL, NULL, SLICE_ZERO_WORDS},
    {"Emulation Byte Slice Insert Enable", 205, 205, FIELD_BOOL, NULL, SLICE_GUARDS}, {"Tail Present Flag", 207, 207, FIELD_BOOL, NULL, SLICE_TAIL},
    {"Slice Data Present Flag", 208, 208, FIELD_BOOL, NULL, SLICE_DATA}, {"Header Present Flag", 209, 209, FIELD_BOOL, NULL, SLICE_HEADER},
    {"Bitstream Output Disable", 210, 210, FIELD_BOOL, NULL, SLICE_SILENT}, {"Is Last Slice", 211, 211, FIELD_BOOL, NULL, SLICE_LAST},
    {"MB Type Skip Conversion Disable", 212, 212, FIELD_BOOL, NULL, SLICE_KEEPS_TYPES},
    {"Rate Control Counter Enable", 223, 223, FIELD_BOOL, NULL, SLICE_RATE_CONTROL}, {"Indirect PAK-BSE Data Start Address", 224, 252, FIELD_HEX, NULL, SLICE_START},
    {"Round Intra", 312, 314, FIELD_UINT, NULL, SLICE_ROUND_INTRA}, {"Round Intra Enable", 315, 315, FIELD_BOOL, NULL, SLICE_ROUNDS_INTRA},
    {"Round Inter", 316, 318, FIELD_UINT, NULL, SLICE_ROUND_INTER}, {"Round Inter Enable", 319, 319, FIELD_BOOL, NULL, SLICE_ROUNDS_INTER}, {"Clamp Values", 320, 351, FIELD_HEX},
};
static const struct field f_avc_references[] = {{"RefPicList Select: L1", 32, 32, FIELD_UINT}, {"Reference List Entry #", 64, 71, FIELD_HEX, .count = 32, .stride = 8}};
static const struct field f_insert_object[] = {
    {"Bitstream Start Reset", 32, 32, FIELD_BOOL, NULL, INSERT_RESETS}, {"End of Slice Flag", 33, 33, FIELD_BOOL, NULL, INSERT_ENDS_SLICE},
    {"Last Header Flag", 34, 34, FIELD_BOOL, NULL, INSERT_LAST_HEADER}, {"Emulation Flag", 35, 35, FIELD_BOOL, NULL, INSERT_GUARDS},
    {"Skip Emulation Byte Count", 36, 39, FIELD_UINT, NULL, INSERT_SKIPPED_BYTES}, {"Data Bits In Last DW", 40, 45, FIELD_UINT, NULL, INSERT_LAST_BITS},
    {"Data Byte Offset", 48, 49, FIELD_UINT, NULL, INSERT_BYTE_OFFSET},
};
static const struct field_value intra_modes[] = {{"Intra_16x16", 0}, {"Intra_8x8", 1}, {"Intra_4x4", 2}, {"I_PCM", 3}, {NULL, 0}};
static const struct field f_pak_object[] = {
    {"Indirect PAK-MV Data Length", 32, 41, FIELD_UINT}, {"Indirect PAK-MV Data Start Address Offset", 64, 92, FIELD_HEX, NULL, PAK_VECTORS},
    {"Inter MB Mode", 96, 97, FIELD_UINT, NULL, PAK_INTER_MODE}, {"Skip MB Flag", 98, 98, FIELD_BOOL, NULL, PAK_SKIPS}, {"Intra MB Mode", 100, 101, FIELD_UINT, intra_modes, PAK_INTRA_MODE},
    {"MB Type", 104, 108, FIELD_UINT, NULL, PAK_TYPE}, {"Intra MB Flag", 109, 109, FIELD_BOOL, NULL, PAK_INTRA}, {"Field MB Flag", 110, 110, FIELD_BOOL},
    {"Transform 8x8 Flag", 111, 111, FIELD_BOOL, NULL, PAK_TRANSFORM_8X8}, {"DC Block Coded Cr Flag", 113, 113, FIELD_BOOL, NULL, PAK_DC_CR},
    {"DC Block Coded Cb Flag", 114, 114, FIELD_BOOL, NULL, PAK_DC_CB}, {"DC Block Coded Y Flag", 115, 115, FIELD_BOOL, NULL, PAK_DC_LUMA},
    {"MV Format", 116, 118, FIELD_UINT}, {"Horizontal Origin", 128, 135, FIELD_UINT, NULL, PAK_X}, {"Vertical Origin", 136, 143, FIELD_UINT, NULL, PAK_Y},
    {"Coded Block Pattern Y", 144, 159, FIELD_HEX, NULL, PAK_LUMA}, {"Coded Block Pattern Cb", 160, 175, FIELD_HEX, NULL, PAK_CB},
    {"Coded Block Pattern Cr", 176, 191, FIELD_HEX, NULL, PAK_CR}, {"QP Prime Y", 192, 199, FIELD_UINT, NULL, PAK_QP},
    {"MB Skip Conversion Disable", 217, 217, FIELD_BOOL, NULL, PAK_KEEPS_TYPE}, {"Last MB Flag", 218, 218, FIELD_BOOL, NULL, PAK_LAST},
    {"Luma Intra Prediction Modes", 224, 287, FIELD_HEX, NULL, PAK_MODES}, {"Chroma Intra Prediction Mode", 288, 289, FIELD_UINT, NULL, PAK_CHROMA_MODE},
    {"Target Size In Word", 336, 343, FIELD_UINT}, {"Max Size In Word", 344, 351, FIELD_UINT},
};
/* Those of another generation are not known. */
static const struct field f_unknown[1] = {{0}};
#define NO_FIELDS .fields = f_unknown, .field_count = 0

static const struct command rows[] = {
    {.name = "MFC_AVC_FQM_STATE", .summary = "Encoder: AVC forward quantiser matrices state.",
     OPCODE_MEDIA(2, 1, 2, 0x02), .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12,
     .length_bias = 2, .min_dwords = 113, .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFC_AVC_PAK_INSERT_OBJECT", .summary = "Encoder: AVC encode insert object.",
     OPCODE_MEDIA(2, 1, 2, 0x08), .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12,
     .length_bias = 2, .min_dwords = 2, .flags = COMMAND_WORK | COMMAND_PERFORMED, FIELDS(f_insert_object), .execute = insert_object, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFC_AVC_PAK_OBJECT", .summary = "Encoder: AVC encode object.", OPCODE_MEDIA(2, 1, 2, 0x09),
     .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 11,
     .flags = COMMAND_WORK | COMMAND_SOMETIMES, FIELDS(f_pak_object), .execute = pak_object, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN7, .flags = COMMAND_WORK, .spec = "CSP-09, IVB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 12, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFC_JPEG_HUFF_TABLE_STATE", .summary = "Encoder: JPEG Huffman table state.",
     OPCODE_MEDIA(2, 7, 2, 0x03), .engines = VIDEO, .since = GEN9, .length_bits = 12, .length_bias = 2,
     .min_dwords = 176, .flags = COMMAND_KEPT, .spec = "CSP-09, SKL PRM vol 2a"},
    {.name = "MFC_JPEG_SCAN_OBJECT", .summary = "Encoder: JPEG scan object.", OPCODE_MEDIA(2, 7, 2, 0x09),
     .engines = VIDEO, .since = GEN9, .length_bits = 12, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_WORK, .spec = "CSP-09, SKL PRM vol 2a"},
    {.name = "MFC_MPEG2_PAK_OBJECT", .summary = "Encoder: MPEG2 encode object.", OPCODE_MEDIA(2, 3, 2, 0x09),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 9,
     .flags = COMMAND_WORK, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFC_MPEG2_SLICEGROUP_STATE", .summary = "Encoder: MPEG2 slice group state.",
     OPCODE_MEDIA(2, 3, 2, 0x03), .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2,
     .min_dwords = 8, .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFC_STITCH_OBJECT", .summary = "Encoder: stitch object.", OPCODE_MEDIA(2, 1, 2, 0x0a),
     .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 4,
     .flags = COMMAND_WORK, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFD_AVC_BSD_OBJECT", .summary = "Decoder: AVC bitstream decode object.",
     OPCODE_MEDIA(2, 1, 1, 0x08), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 6, .flags = COMMAND_WORK, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN11, .min_dwords = 7, .spec = "CSP-09, ICL PRM vol 2a"},
    {.name = "MFD_AVC_DPB_STATE", .summary = "Decoder: AVC decoded picture buffer state.",
     OPCODE_MEDIA(2, 1, 1, 0x06), .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2,
     .min_dwords = 11, .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 27, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFD_AVC_PICID_STATE", .summary = "Decoder: AVC picture ids state.", OPCODE_MEDIA(2, 1, 1, 0x05),
     .engines = VIDEO, .since = GEN75, .length_bits = 12, .length_bias = 2, .min_dwords = 10,
     .flags = COMMAND_KEPT, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFD_AVC_SLICEADDR", .summary = "Decoder: AVC slice addresses.", OPCODE_MEDIA(2, 1, 1, 0x07),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.since = GEN11, .min_dwords = 4, .spec = "CSP-09, ICL PRM vol 2a"},
    {.name = "MFD_IT_OBJECT", .summary = "Decoder: inverse transform object.", OPCODE_MEDIA(2, 0, 1, 0x09),
     .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 7,
     .flags = COMMAND_WORK, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFD_JPEG_BSD_OBJECT", .summary = "Decoder: JPEG bitstream decode object.",
     OPCODE_MEDIA(2, 7, 1, 0x08), .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2,
     .min_dwords = 6, .flags = COMMAND_WORK, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFD_MPEG2_BSD_OBJECT", .summary = "Decoder: MPEG2 bitstream decode object.",
     OPCODE_MEDIA(2, 3, 1, 0x08), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_WORK, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFD_VC1_BSD_OBJECT", .summary = "Decoder: VC1 bitstream decode object.",
     OPCODE_MEDIA(2, 2, 1, 0x08), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_WORK, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 5, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFD_VC1_LONG_PIC_STATE", .summary = "Decoder: VC1 long picture state.",
     OPCODE_MEDIA(2, 2, 1, 0x01), .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2,
     .min_dwords = 6, .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFD_VC1_SHORT_PIC_STATE", .summary = "Decoder: VC1 short picture state.",
     OPCODE_MEDIA(2, 2, 1, 0x00), .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2,
     .min_dwords = 5, .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFD_VP8_BSD_OBJECT", .summary = "Decoder: VP8 bitstream decode object.",
     OPCODE_MEDIA(2, 4, 1, 0x08), .engines = VIDEO, .since = GEN8, .length_bits = 12, .length_bias = 2,
     .min_dwords = 22, .flags = COMMAND_WORK, .spec = "CSP-09, BDW PRM vol 2a"},
    {.name = "MFX_AVC_DIRECTMODE_STATE", .summary = "Codec: AVC direct mode state.",
     OPCODE_MEDIA(2, 1, 0, 0x02), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 69, .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 71, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFX_AVC_IMG_STATE", .summary = "Codec: AVC picture state.", OPCODE_MEDIA(2, 1, 0, 0x00),
     .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 13,
     .flags = COMMAND_KEPT, FIELDS(f_avc_image_gen6), .execute = image_state, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_AVC_IMG_STATE", .summary = "Codec: AVC picture state.", OPCODE_MEDIA(2, 1, 0, 0x00),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 14,
     .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_AVC_QM_STATE", .summary = "Codec: AVC quantiser matrices state.", OPCODE_MEDIA(2, 1, 0, 0x01),
     .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_AVC_REF_IDX_STATE", .summary = "Codec: AVC reference lists state.",
     OPCODE_MEDIA(2, 1, 0, 0x04), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 10, .flags = COMMAND_KEPT, FIELDS(f_avc_references), BY_INDEX(32, 32), .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_AVC_SLICE_STATE", .summary = "Codec: AVC slice state.", OPCODE_MEDIA(2, 1, 0, 0x03),
     .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 10,
     .flags = COMMAND_KEPT, FIELDS(f_avc_slice), .execute = slice_state, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_AVC_SLICE_STATE", .summary = "Codec: AVC slice state.", OPCODE_MEDIA(2, 1, 0, 0x03),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 10,
     .flags = COMMAND_KEPT, FIELDS(f_avc_slice), .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_AVC_WEIGHTOFFSET_STATE", .summary = "Codec: AVC weights and offsets state.",
     OPCODE_MEDIA(2, 1, 0, 0x05), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 50, .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 98, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_BSP_BUF_BASE_ADDR_STATE", .summary = "Codec: bitstream pipe buffer base addresses state.",
     OPCODE_MEDIA(2, 0, 0, 0x04), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 10, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFX_DBK_OBJECT", .summary = "Codec: deblocking object.", OPCODE_MEDIA(2, 0, 0, 0x09),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 5,
     .flags = COMMAND_WORK, .spec = "CSP-09, IVB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 13, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFX_FQM_STATE", .summary = "Codec: forward quantiser matrices state.",
     OPCODE_MEDIA(2, 0, 0, 0x08), .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2,
     .min_dwords = 34, .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_IND_OBJ_BASE_ADDR_STATE", .summary = "Codec: indirect object base addresses state.",
     OPCODE_MEDIA(2, 0, 0, 0x03), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 11, .flags = COMMAND_KEPT, FIELDS(f_indirect_objects_gen6), .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 26, NO_FIELDS, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFX_JPEG_HUFF_TABLE_STATE", .summary = "Codec: JPEG Huffman table state.",
     OPCODE_MEDIA(2, 7, 0, 0x02), .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2,
     .min_dwords = 53, .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_JPEG_PIC_STATE", .summary = "Codec: JPEG picture state.", OPCODE_MEDIA(2, 7, 0, 0x00),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_MPEG2_PIC_STATE", .summary = "Codec: MPEG2 picture state.", OPCODE_MEDIA(2, 3, 0, 0x00),
     .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 2, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_MPEG2_QM_STATE", .summary = "Codec: MPEG2 quantiser matrices state.",
     OPCODE_MEDIA(2, 3, 0, 0x01), .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12,
     .length_bias = 2, .min_dwords = 18, .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_MPEG_TS_CONTROL", .summary = "Codec: MPEG transport stream control.",
     OPCODE_MEDIA(2, 0, 2, 0x0b), .engines = VIDEO, .since = GEN9, .until = GEN9, .length_bits = 12,
     .length_bias = 2, .min_dwords = 5, .flags = COMMAND_KEPT, .spec = "CSP-09, SKL PRM vol 2a"},
    {.name = "MFX_PAK_INSERT_OBJECT", .summary = "Codec: encode insert object.", OPCODE_MEDIA(2, 0, 2, 0x08),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_PIPE_BUF_ADDR_STATE", .summary = "Codec: pipe buffer addresses state.",
     OPCODE_MEDIA(2, 0, 0, 0x02), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 24, .flags = COMMAND_KEPT, FIELDS(f_pipe_buffers_gen6), .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 61, NO_FIELDS, .spec = "CSP-09, HSW PRM vol 2a"},
    {.since = GEN9, .min_dwords = 65, .spec = "CSP-09, SKL PRM vol 2a"},
    {.name = "MFX_PIPE_MODE_SELECT", .summary = "Codec: pipe mode select.", OPCODE_MEDIA(2, 0, 0, 0x00),
     .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 4,
     .flags = COMMAND_KEPT, FIELDS(f_pipe_mode_gen6), .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 5, NO_FIELDS, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_QM_STATE", .summary = "Codec: quantiser matrices state.", OPCODE_MEDIA(2, 0, 0, 0x07),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 18,
     .flags = COMMAND_KEPT, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_STATE_POINTER", .summary = "Codec: state pointer.", OPCODE_MEDIA(2, 0, 0, 0x06),
     .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_STITCH_OBJECT", .summary = "Codec: stitch object.", OPCODE_MEDIA(2, 0, 2, 0x0a),
     .engines = VIDEO, .since = GEN7, .length_bits = 12, .length_bias = 2, .min_dwords = 4,
     .flags = COMMAND_WORK, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_SURFACE_STATE", .summary = "Codec: surface state.", OPCODE_MEDIA(2, 0, 0, 0x01),
     .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 6,
     .flags = COMMAND_KEPT, FIELDS(f_codec_surface), .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN7, NO_FIELDS, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_VC1_DIRECTMODE_STATE", .summary = "Codec: VC1 direct mode state.",
     OPCODE_MEDIA(2, 2, 0, 0x02), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 3, .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN75, .min_dwords = 7, .spec = "CSP-09, HSW PRM vol 2a"},
    {.name = "MFX_VC1_PIC_STATE", .summary = "Codec: VC1 picture state.", OPCODE_MEDIA(2, 2, 0, 0x00),
     .engines = VIDEO, .since = GEN6, .until = GEN6, .length_bits = 12, .length_bias = 2, .min_dwords = 6,
     .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "MFX_VC1_PRED_PIPE_STATE", .summary = "Codec: VC1 prediction pipe state.",
     OPCODE_MEDIA(2, 2, 0, 0x01), .engines = VIDEO, .since = GEN6, .length_bits = 12, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_KEPT, .spec = "CSP-09, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 6, .spec = "CSP-09, IVB PRM vol 2a"},
    {.name = "MFX_VP8_BSP_BUF_BASE_ADDR_STATE",
     .summary = "Codec: VP8 bitstream pipe buffer base addresses state.", OPCODE_MEDIA(2, 4, 2, 0x03),
     .engines = VIDEO, .since = GEN9, .length_bits = 12, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, .spec = "CSP-09, SKL PRM vol 2a"},
    {.name = "MFX_VP8_ENCODER_CFG", .summary = "Codec: VP8 encoder configuration.", OPCODE_MEDIA(2, 4, 2, 0x01),
     .engines = VIDEO, .since = GEN9, .length_bits = 12, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, .spec = "CSP-09, SKL PRM vol 2a"},
    {.name = "MFX_VP8_PAK_OBJECT", .summary = "Codec: VP8 encode object.", OPCODE_MEDIA(2, 4, 2, 0x09),
     .engines = VIDEO, .since = GEN8, .length_bits = 12, .length_bias = 2, .min_dwords = 7,
     .flags = COMMAND_WORK, .spec = "CSP-09, BDW PRM vol 2a"},
    {.name = "MFX_VP8_PIC_STATE", .summary = "Codec: VP8 picture state.", OPCODE_MEDIA(2, 4, 0, 0x00),
     .engines = VIDEO, .since = GEN8, .length_bits = 12, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, .spec = "CSP-09, BDW PRM vol 2a"},
    {.name = "MFX_WAIT", .summary = "Codec: wait.", OPCODE_MEDIA(1, 0, 0, 0x00), .engines = VIDEO,
     .since = GEN6, .length_bits = 6, .length_bias = 1, .min_dwords = 1, .flags = COMMAND_WORK,
     .spec = "CSP-09, SNB PRM vol 2a"},
    {.name = "VD_CONTROL_STATE", .summary = "Video: initialises the pipeline, locks it for scalable modes.", OPCODE_MEDIA(2, 3, 4, 0x0a),
     .engines = VIDEO, .since = GEN12, .length_bits = 12, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT, FIELDS(f_vd_control_state), .spec = "CSP-09, TGL PRM vol 2a"},
    {.name = "VD_PIPELINE_FLUSH", .summary = "Video: pipeline flush.", OPCODE_MEDIA(2, 7, 4, 0x00),
     .engines = VIDEO, .since = GEN9, .length_bits = 12, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_WORK, FIELDS(f_vd_pipeline_flush), .spec = "CSP-09, SKL PRM vol 2a"},
};
/* clang-format on */

const struct command_table video_mfx_commands = COMMAND_TABLE(rows);
