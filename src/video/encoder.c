/* The AVC encoder: pictures, slices, inserted headers, and the macroblocks of MFC_AVC_PAK_OBJECT. */
#include "video/encoder.h"

#include "memory/surface.h"

#include <assert.h>
#include <string.h>

/* Registers that count the bitstream: offsets from the engine's base. */
enum {
    MFC_BITSTREAM_SE_BITCOUNT = 0x40c,
    MFC_AVC_CABAC_INSERTION_COUNT = 0x410,
    MFC_AVC_MINSIZE_PADDING_COUNT = 0x414
};
enum { P_SLICE, B_SLICE, I_SLICE };
/* Approximate host time, for the log's cost. */
enum { BEGIN_NS = 500, MACROBLOCK_NS = 20000, BIN_NS = 8, INSERTED_BYTE_NS = 8 };
enum { FILL_BYTES = 16384, FILL_NS = 40000 };

/* ---- State ---- */

static STATE_TABLE(position_fields, struct bit_position, BIT_POSITION)
static STATE_TABLE(cabac_fields, struct cabac, CABAC)
static STATE_TABLE(slice_fields, struct slice_context, SLICE_CONTEXT)
static STATE_TABLE(neighbour_fields, struct neighbour, NEIGHBOUR)
static STATE_TABLE(neighbour_above_fields, struct neighbour_above, NEIGHBOUR_ABOVE)
static STATE_TABLE(neighbours_fields, struct neighbour_context, NEIGHBOUR_CONTEXT)
static const struct cabac cabac_initial = {.range = 510, .begins = 1};

const struct section encoder_sections[ENCODER_SECTIONS] = {
    SECTION(struct encoder, position, 1, SURVIVES_NOTHING, position_fields, NULL),
    SECTION(struct encoder, cabac, 1, SURVIVES_NOTHING, cabac_fields, &cabac_initial),
    SECTION(struct encoder, slice, 1, SURVIVES_NOTHING, slice_fields, NULL),
    SECTION(struct encoder, neighbours, 2, SURVIVES_NOTHING, neighbours_fields, NULL),
};

static void encoder_reset(void *unit, enum reset_scope scope)
{
    sections_reset(encoder_sections, ENCODER_SECTIONS, unit, scope);
}

static void encoder_state(void *unit, struct state *s)
{
    struct encoder *c = unit;
    sections_state(encoder_sections, ENCODER_SECTIONS, c, c->engine->info->name, s);
    state_check(s, s->failed || (c->cabac.range >= 256 && c->cabac.low <= 1024u - c->cabac.range));
}

/* A context image has the same sections as a saved state. (VCS-09) */
static uint32_t save_context(void *unit, uint32_t *dw)
{
    const struct encoder *const c = unit;
    struct encoder after_reset = *c;
    struct state s = {.saving = true, .output = (uint8_t *)dw, .size = ENCODER_IMAGE_DW * sizeof *dw};
    encoder_reset(&after_reset, RESET_ENGINE);
    if (memcmp(&after_reset, c, sizeof *c) == 0)
        return 0;
    memset(dw, 0, s.size);
    encoder_state(unit, &s);
    assert(s.offset <= s.size);
    return (uint32_t)((s.offset + sizeof *dw - 1u) / sizeof *dw);
}

/* Loads all sections or none: the image is guest memory and may be invalid. */
static bool load_context(void *unit, const uint32_t *dw, uint32_t count, uint64_t *progress)
{
    struct encoder *const c = unit;
    (void)progress; /* each command completes at once */
    struct encoder loaded = *c;
    struct state s = {.input = (const uint8_t *)dw, .size = count * sizeof *dw};
    encoder_state(&loaded, &s);
    if (s.failed)
        return false;
    *c = loaded;
    return true;
}

const struct work_ops encoder_work_ops = {.image_mark = 0x002c0000,
                                          .image_dw = ENCODER_IMAGE_DW,
                                          .reset_by_restore = true,
                                          .reset = encoder_reset,
                                          .save = save_context,
                                          .load = load_context,
                                          .name = "the encoder"};

const struct unit_shape encoder_shape = {.sections = encoder_sections,
                                         .section_count = ENCODER_SECTIONS,
                                         .reset = encoder_reset,
                                         .state = encoder_state};

void encoder_create(struct encoder *c, struct engine *e)
{
    *c = (struct encoder){.engine = e, .memory = e->memory, .cabac = cabac_initial};
    e->work = (struct engine_work){&encoder_work_ops, c};
}

/* ---- Fields of the pipeline state ---- */

static uint32_t mfx_field(const struct encoder *c, uint32_t header, unsigned role)
{
    return (uint32_t)pipeline_field(&c->engine->pipeline, header, role, 0);
}

static bool encodes(const struct encoder *c)
{
    enum { STANDARD_AVC = 2 };
    return mfx_field(c, MFX_PIPE_MODE_SELECT, MODE_CODEC_SELECT_ENCODE) &&
           mfx_field(c, MFX_PIPE_MODE_SELECT, MODE_STANDARD_SELECT) == STANDARD_AVC;
}

static bool predicts(const struct encoder *c)
{
    return mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_TYPE) == P_SLICE;
}

static void bitstream_counter_add(const struct encoder *c, uint32_t offset, uint64_t more)
{
    engine_register_set(c->engine, offset, engine_register(c->engine, offset) + (uint32_t)more);
}

static struct bits bitstream_begin(struct encoder *c, bool guards)
{
    return (struct bits){
        .memory = &c->memory,
        .position = &c->position,
        .base = mfx_field(c, MFX_IND_OBJ_BASE_ADDR_STATE, INDIRECT_PAK_BSE_OBJECT_BASE_ADDRESS),
        .end = mfx_field(c, MFX_IND_OBJ_BASE_ADDR_STATE, INDIRECT_PAK_BSE_OBJECT_ACCESS_UPPER_BOUND),
        .guards = guards,
        .silent = mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_BITSTREAM_OUTPUT_DISABLE)};
}

static void bitstream_end(struct encoder *c, struct bits *b)
{
    bits_flush(b);
    bitstream_counter_add(c, MFC_BITSTREAM_SE_BITCOUNT, b->put);
}

/* ---- Pictures, slices and headers ---- */

void encoder_begin_picture(struct encoder *c)
{
    if (!encodes(c))
        return;
    if (mfx_field(c, MFX_PIPE_MODE_SELECT, MODE_STREAM_OUT_ENABLE))
        report_error(c->engine->log, SOFTGT_NOT_MODELLED, c->engine->info->name,
                     c->engine->parse.command_address,
                     "MFX_PIPE_MODE_SELECT with stream-out: nothing of it is written");
    sections_reset(encoder_sections, ENCODER_SECTIONS, c, RESET_ENGINE);
    c->engine->log->cost.ns += BEGIN_NS;
    engine_register_set(c->engine, MFC_BITSTREAM_SE_BITCOUNT, 0);
    engine_register_set(c->engine, MFC_AVC_CABAC_INSERTION_COUNT, 0);
    engine_register_set(c->engine, MFC_AVC_MINSIZE_PADDING_COUNT, 0);
}

void encoder_begin_slice(struct encoder *c)
{
    struct slice_context *const s = &c->slice;
    if (!encodes(c))
        return;
    const uint32_t qp = mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_QUANTIZATION_PARAMETER),
                   model = mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_CABAC_INIT_IDC);
    s->first_macroblock = s->next_macroblock =
        (mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_VERTICAL_POSITION) *
             mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_WIDTH) +
         mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_HORIZONTAL_POSITION)) &
        0xffffu;
    s->qp = qp > 51 ? 51 : (int32_t)qp;
    s->skip_run = 0;
    s->prev_mb_qp_delta_nonzero = false;
    s->zero_word_bytes_left = s->cabac_zero_padding_bytes = 0;
    s->phase = SLICE_PHASE_HEADER;
    s->nal_start_byte = c->position.bytes;
    cabac_start_slice(&c->cabac,
                      mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_TYPE) == I_SLICE ? 0
                      : model < 3                                              ? 1 + model
                                                                               : 3,
                      s->qp);
    if (!s->in_picture || mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_LOAD_SLICE_POINTER_FLAG)) {
        c->position.at = mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_INDIRECT_PAK_BSE_DATA_START_ADDRESS);
        c->position.partial = c->position.partial_bits = 0;
    }
    s->in_picture = true;
    c->engine->log->cost.ns += BEGIN_NS;
}

/* The size of the start code at the begin of the inserted data: zeros, and a one. */
static uint32_t start_code_bytes(const uint8_t *bytes, uint32_t size)
{
    uint32_t zeros = 0;
    while (zeros < size && !bytes[zeros])
        zeros++;
    return zeros >= 2 && zeros < size && bytes[zeros] == 1 ? zeros + 1u : 0;
}

enum outcome encoder_insert_object(struct encoder *c, struct execution *x)
{
    enum { DATA_DW = 2, MOST_DW = 4096 };
    struct slice_context *const s = &c->slice;
    uint32_t dw[MOST_DW];
    if (!encodes(c))
        return OUTCOME_DONE;
    memory_client_begin(&c->memory);
    const uint32_t size_dw = x->length_dw - DATA_DW < MOST_DW ? x->length_dw - DATA_DW : MOST_DW,
                   offset = (uint32_t)command_field(x, INSERT_DATA_BYTE_OFFSET),
                   last = (uint32_t)command_field(x, INSERT_DATA_BITS_IN_LAST_DW),
                   last_bits = last && last < 32 ? last : 32;
    memcpy(dw, x->dw + DATA_DW, size_dw * 4u);
    const bool before = s->phase <= SLICE_PHASE_HEADER,
               wanted = s->phase == SLICE_PHASE_NONE ||
                        mfx_field(c, MFX_AVC_SLICE_STATE,
                                  before ? SLICE_HEADER_PRESENT_FLAG : SLICE_TAIL_PRESENT_FLAG);
    struct bits b = bitstream_begin(c, command_field(x, INSERT_EMULATION_FLAG));
    b.unguarded = (uint32_t)command_field(x, INSERT_SKIP_EMULATION_BYTE_COUNT);
    if (command_field(x, INSERT_BITSTREAM_START_RESET)) {
        c->position.at = mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_INDIRECT_PAK_BSE_DATA_START_ADDRESS);
        c->position.partial = c->position.partial_bits = c->position.zeros = 0;
    }
    const uint8_t *const bytes = (const uint8_t *)dw + offset;
    const uint32_t bits = size_dw ? (size_dw - 1u) * 32u + last_bits : 0;
    if (wanted && bits > offset * 8u) {
        const uint32_t bitstream_counter_add = bits - offset * 8u;
        if (command_field(x, INSERT_LAST_HEADER_FLAG) && before)
            s->nal_start_byte =
                c->position.bytes + start_code_bytes(bytes, (bitstream_counter_add + 7u) / 8u);
        for (uint32_t i = 0; i < bitstream_counter_add / 8u; i++)
            bits_put(&b, bytes[i], 8);
        if (bitstream_counter_add % 8u)
            bits_put(&b, (uint32_t)bytes[bitstream_counter_add / 8u] >> (8u - bitstream_counter_add % 8u),
                     bitstream_counter_add % 8u);
    }
    if (command_field(x, INSERT_END_OF_SLICE_FLAG)) {
        bits_align(&b);
        s->phase = SLICE_PHASE_NONE;
    }
    bitstream_end(c, &b);
    c->engine->log->cost.ns += (uint64_t)size_dw * 4u * INSERTED_BYTE_NS;
    return OUTCOME_DONE;
}

/* ---- Macroblocks ---- */

enum { LOWEST = 12, LOWEST_CHROMA = 2 }; /* first block of the lowest row: luma, and each chroma */

static struct neighbour_above for_below(const struct neighbour *n)
{
    struct neighbour_above a = {.vector = {n->vector[0], n->vector[1]},
                                .vector_delta = {n->vector_delta[0], n->vector_delta[1]},
                                .kind = n->kind,
                                .pattern = n->pattern,
                                .dc = n->dc,
                                .chroma_mode = n->chroma_mode,
                                .qp = n->qp};
    memcpy(a.coefficients, n->coefficients + LOWEST, 4);
    memcpy(a.coefficients + 4, n->coefficients + CB_BLOCKS + LOWEST_CHROMA, 2);
    memcpy(a.coefficients + 6, n->coefficients + CR_BLOCKS + LOWEST_CHROMA, 2);
    memcpy(a.modes, n->modes + LOWEST, 4);
    return a;
}

static struct neighbour from_above(const struct neighbour_above *a)
{
    struct neighbour n = {.vector = {a->vector[0], a->vector[1]},
                          .vector_delta = {a->vector_delta[0], a->vector_delta[1]},
                          .kind = a->kind,
                          .pattern = a->pattern,
                          .dc = a->dc,
                          .chroma_mode = a->chroma_mode,
                          .qp = a->qp};
    memcpy(n.coefficients + LOWEST, a->coefficients, 4);
    memcpy(n.coefficients + CB_BLOCKS + LOWEST_CHROMA, a->coefficients + 4, 2);
    memcpy(n.coefficients + CR_BLOCKS + LOWEST_CHROMA, a->coefficients + 6, 2);
    memcpy(n.modes + LOWEST, a->modes, 4);
    return n;
}

static const char *picture_unsupported(const struct encoder *c)
{
    enum { FORMAT_420 = 1, PLANAR_420_8 = 4 };
    const struct {
        bool lacking;
        const char *what;
    } table[] = {
        {mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_STRUCTURE) ||
             mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FIELD_PICTURE_FLAG) ||
             mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_MBAFF_FRAME_FLAG),
         "fields"},
        {mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_CHROMA_FORMAT_IDC) != FORMAT_420,
         "a chroma format that is not 4:2:0"},
        {mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_FORMAT) != PLANAR_420_8,
         "a surface that is not PLANAR_420_8"},
        {mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_TYPE) != I_SLICE &&
             mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_TYPE) != P_SLICE,
         "a B slice"},
        {predicts(c) && mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_REFERENCE_PICTURES_IN_LIST_0) != 1,
         "other than one reference picture"},
        {predicts(c) && mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_WEIGHTED_PREDICTION_INDICATOR),
         "weighted prediction"},
        {predicts(c) && mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_CONSTRAINED_INTRA_PREDICTION_FLAG),
         "constrained intra prediction"},
        {mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_RATE_CONTROL_COUNTER_ENABLE), "rate control"},
        {!mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_DATA_PRESENT_FLAG), "slice data that is not inserted"},
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].lacking)
            return table[i].what;
    return NULL;
}

/* The address of the first picture of list 0; 0: none. */
static uint32_t reference_of(const struct encoder *c)
{
    enum { FIRST_DW = 2, BUFFERS_DW = 7, NOT_THERE = 0x80 };
    const struct command *row;
    uint32_t list_dw, buffers_dw;
    const uint32_t *const list =
                              pipeline_command(&c->engine->pipeline, MFX_AVC_REF_IDX_STATE, &row, &list_dw),
                          *const buffers = pipeline_command(&c->engine->pipeline, MFX_PIPE_BUF_ADDR_STATE,
                                                            &row, &buffers_dw);
    if (!list || !buffers || list[FIRST_DW] & NOT_THERE)
        return 0;
    const uint32_t at = BUFFERS_DW + (list[FIRST_DW] >> 1 & 15u);
    return at < buffers_dw ? buffers[at] & ~(uint32_t)(PAGE_BYTES - 1) : 0;
}

static const char *macroblock_unsupported(const struct encoder *c, const struct execution *x)
{
    enum { MODE_8X8 = 1, I_PCM = 25, L0_16X16 = 1 };
    const uint32_t width = mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_WIDTH),
                   height = mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_HEIGHT),
                   at = (uint32_t)command_field(x, PAK_HORIZONTAL_ORIGIN) +
                        (uint32_t)command_field(x, PAK_VERTICAL_ORIGIN) * width;
    if (!command_field(x, PAK_INTRA_MB_FLAG) && !predicts(c))
        return "inter prediction in an I slice";
    if (!command_field(x, PAK_INTRA_MB_FLAG) && !command_field(x, PAK_SKIP_MB_FLAG) &&
        (command_field(x, PAK_MB_TYPE) != L0_16X16 || command_field(x, PAK_INTER_MB_MODE)))
        return "a partition that is not 16x16";
    if (!command_field(x, PAK_INTRA_MB_FLAG) && !reference_of(c))
        return "a missing reference picture ";
    if (command_field(x, PAK_MB_TYPE) != I_PCM &&
        (command_field(x, PAK_TRANSFORM_8X8_FLAG) ||
         (command_field(x, PAK_INTRA_MB_FLAG) && command_field(x, PAK_INTRA_MB_MODE) == MODE_8X8)))
        return "the 8x8 transform";
    if (command_field(x, PAK_HORIZONTAL_ORIGIN) >= width || command_field(x, PAK_VERTICAL_ORIGIN) >= height ||
        at != c->slice.next_macroblock)
        return "a macroblock that is not the next of its slice";
    return NULL;
}

static void read_scaling(const struct encoder *c, unsigned which, struct scaling *s)
{
    enum { WEIGHTS_DW = 2, FORWARD_DW = 1, FLAT = 16, FLAT_FORWARD = 4096 };
    const struct command *row;
    uint32_t length_dw = 0;
    const uint32_t *dw = pipeline_command(&c->engine->pipeline, MFX_AVC_QM_STATE, &row, &length_dw);
    const bool weighted = dw && dw[1] >> which & 1u && length_dw >= WEIGHTS_DW + (which + 1u) * 4u;
    for (unsigned i = 0; i < 16; i++)
        s->weight[i] = weighted ? (uint8_t)(dw[WEIGHTS_DW + which * 4u + i / 4u] >> i % 4u * 8u) : FLAT;
    dw = pipeline_command(&c->engine->pipeline, MFC_AVC_FQM_STATE, &row, &length_dw);
    const bool forward = dw && length_dw >= FORWARD_DW + (which + 1u) * 8u;
    for (unsigned i = 0; i < 16; i++) { /* columns; a dword has two elements */
        const unsigned at = (i & 3u) * 4u + (i >> 2);
        s->forward[i] =
            forward ? (uint16_t)(dw[FORWARD_DW + which * 8u + at / 2u] >> at % 2u * 16u) : FLAT_FORWARD;
    }
}

static struct surface planar_surface(const struct encoder *c, uint32_t base)
{
    const bool tiled = mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_TILED_SURFACE);
    struct surface s = {.base = base,
                        .pitch_bytes = (int32_t)mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_PITCH) + 1,
                        .space = SPACE_PPGTT,
                        .tiling = !tiled ? SOFTGT_TILE_LINEAR
                                  : mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_TILE_WALK_Y_MAJOR)
                                      ? SOFTGT_TILE_Y
                                      : SOFTGT_TILE_X};
    s.tiles = tile_layout((enum softgt_tiling)s.tiling, 1);
    s.swizzled = s.tiles && c->memory.mmu->memory->swizzled && s.tiles->swizzle_from;
    return s;
}

static struct surface surface_of(const struct encoder *c, unsigned buffer)
{
    return planar_surface(c, mfx_field(c, MFX_PIPE_BUF_ADDR_STATE, buffer));
}

static void read_pixels(const struct encoder *c, struct macroblock *m, uint32_t x, uint32_t y)
{
    const struct surface s = surface_of(c, BUFFER_ORIGINAL_UNCOMPRESSED_PICTURE_ADDRESS);
    const int32_t cb_x = (int32_t)mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_X_OFFSET_FOR_U_CB),
                  cb_y = (int32_t)mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_Y_OFFSET_FOR_U_CB);
    uint8_t pairs[16];
    for (int32_t row = 0; row < 16; row++)
        surface_load(c->memory.mmu, &s, (int32_t)x * 16, (int32_t)y * 16 + row, m->source + row * 16, 16);
    for (int32_t row = 0; row < 8; row++) {
        surface_load(c->memory.mmu, &s, cb_x + (int32_t)x * 16, cb_y + (int32_t)y * 8 + row, pairs, 16);
        for (unsigned i = 0; i < 16; i++)
            m->chroma_source[i & 1u][row * 8 + (int32_t)(i / 2u)] = pairs[i];
    }
}

/* A macroblock in canvases, with four pixels of the left and upper neighbours if `left` and `above`. */
struct canvases {
    uint8_t *luma, *chroma[2];
    uint32_t x, y; /* position in macroblocks */
    bool left, above;
};

static void move_row(struct mmu *u, const struct surface *s, int32_t x, int32_t y, uint8_t *bytes,
                     uint32_t size, bool out)
{
    if (out)
        surface_store(u, s, x, y, bytes, size);
    else
        surface_load(u, s, x, y, bytes, size);
}

static void move_pixels(const struct encoder *c, unsigned buffer, const struct canvases *k, bool out)
{
    const struct surface s = surface_of(c, buffer);
    const int32_t cb_x = (int32_t)mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_X_OFFSET_FOR_U_CB),
                  cb_y = (int32_t)mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_Y_OFFSET_FOR_U_CB),
                  x = (int32_t)k->x * 16, y = (int32_t)k->y, left = k->left ? 4 : 0;
    struct mmu *const u = c->memory.mmu;
    for (int32_t row = k->above ? -4 : 0; row < 16; row++)
        move_row(u, &s, x - left, y * 16 + row, k->luma + CANVAS_FIRST + row * CANVAS - left,
                 (uint32_t)(16 + left), out);
    for (int32_t row = k->above ? -4 : 0; row < 8; row++) {
        uint8_t pairs[24];
        uint8_t *const at[2] = {k->chroma[0] + CANVAS_FIRST + row * CANVAS,
                                k->chroma[1] + CANVAS_FIRST + row * CANVAS};
        for (int32_t i = -left; out && i < 8; i++)
            for (int32_t which = 0; which < 2; which++)
                pairs[(i + left) * 2 + which] = at[which][i];
        move_row(u, &s, cb_x + x - 2 * left, cb_y + y * 8 + row, pairs, (uint32_t)(16 + 2 * left), out);
        for (int32_t i = -left; !out && i < 8; i++)
            for (int32_t which = 0; which < 2; which++)
                at[which][i] = pairs[(i + left) * 2 + which];
    }
}

static int32_t clamp_to_edge(int64_t at, int32_t size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : (int32_t)at;
}

/* Reads a square of `size` pixels of a plane of `width` by `height`. Pixels outside repeat the edge. */
static void read_reference(const struct encoder *c, const struct surface *s, int32_t x, int32_t y,
                           int32_t size, uint8_t *pixels)
{
    const int32_t width = (int32_t)mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_WIDTH) * 16,
                  height = (int32_t)mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_HEIGHT) * 16,
                  first = clamp_to_edge(x, width), last = clamp_to_edge(x + size - 1, width);
    uint8_t row[REFERENCE];
    for (int32_t i = 0; i < size; i++) {
        surface_load(c->memory.mmu, s, first, clamp_to_edge(y + i, height), row,
                     (uint32_t)(last - first + 1));
        for (int32_t k = 0; k < size; k++)
            pixels[i * REFERENCE + k] = row[clamp_to_edge(x + k, width) - first];
    }
}

static void read_reference_chroma(const struct encoder *c, const struct surface *s, int32_t x, int32_t y,
                                  uint8_t pixels[2][REFERENCE * REFERENCE])
{
    enum { SIZE = 9 };
    const int32_t width = (int32_t)mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_WIDTH) * 8,
                  height = (int32_t)mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_HEIGHT) * 8,
                  first = clamp_to_edge(x, width), last = clamp_to_edge(x + SIZE - 1, width),
                  cb_x = (int32_t)mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_X_OFFSET_FOR_U_CB),
                  cb_y = (int32_t)mfx_field(c, MFX_SURFACE_STATE, CODEC_SURFACE_Y_OFFSET_FOR_U_CB);
    uint8_t row[2 * SIZE];
    for (int32_t i = 0; i < SIZE; i++) {
        surface_load(c->memory.mmu, s, cb_x + 2 * first, cb_y + clamp_to_edge(y + i, height), row,
                     (uint32_t)(2 * (last - first + 1)));
        for (int32_t k = 0; k < 2 * SIZE; k++)
            pixels[k & 1][i * REFERENCE + k / 2] =
                row[2 * (clamp_to_edge(x + k / 2, width) - first) + (k & 1)];
    }
}

static void predict_inter(const struct encoder *c, struct macroblock *m, uint32_t x, uint32_t y)
{
    const struct surface s = planar_surface(c, reference_of(c));
    uint8_t luma[REFERENCE * REFERENCE], chroma[2][REFERENCE * REFERENCE];
    read_reference(c, &s, (int32_t)x * 16 + (m->vector[0] >> 2) - 2,
                   (int32_t)y * 16 + (m->vector[1] >> 2) - 2, REFERENCE, luma);
    read_reference_chroma(c, &s, (int32_t)x * 8 + (m->vector[0] >> 3), (int32_t)y * 8 + (m->vector[1] >> 3),
                          chroma);
    predict_inter_luma(m->luma, luma, m->vector);
    for (unsigned which = 0; which < 2; which++)
        predict_inter_chroma(m->chroma[which], chroma[which], m->vector);
}

/* Sets the motion vector from the command, or predicts that of P_Skip. */
static void read_vector(struct encoder *c, const struct execution *x, struct macroblock *m,
                        const struct vector_neighbours *n)
{
    const uint32_t base = mfx_field(c, MFX_IND_OBJ_BASE_ADDR_STATE, INDIRECT_MV_OBJECT_BASE_ADDRESS),
                   end = mfx_field(c, MFX_IND_OBJ_BASE_ADDR_STATE, INDIRECT_MV_OBJECT_ACCESS_UPPER_BOUND),
                   at = base + (uint32_t)command_field(x, PAK_INDIRECT_PAK_MV_DATA_START_ADDRESS_OFFSET);
    predict_vector(n, m->kind == MB_SKIPPED, m->predicted);
    memcpy(m->vector, m->predicted, sizeof m->vector);
    if (m->kind == MB_SKIPPED)
        return;
    memset(m->vector, 0, sizeof m->vector);
    if (!end || at < end)
        memory_client_load(&c->memory, SPACE_PPGTT, at, m->vector, sizeof m->vector);
}

/* Converts an inter macroblock without coefficients whose vector is that of P_Skip to P_Skip. */
static void convert_to_skip(const struct encoder *c, const struct execution *x, struct macroblock *m,
                            const struct vector_neighbours *n)
{
    int16_t skip[2];
    if (m->now.pattern || command_field(x, PAK_MB_SKIP_CONVERSION_DISABLE) ||
        mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_MB_TYPE_SKIP_CONVERSION_DISABLE))
        return;
    predict_vector(n, true, skip);
    if (memcmp(skip, m->vector, sizeof skip) == 0)
        m->kind = m->now.kind = MB_SKIPPED;
}

static uint8_t size_of(int32_t difference)
{
    const int32_t size = difference < 0 ? -difference : difference;
    return (uint8_t)(size > 255 ? 255 : size);
}

static int filter_offset(uint32_t half)
{
    return 2 * ((int)half - (half & 8u ? 16 : 0));
}

/* Filters and writes the macroblock. The filter also changes pixels of the left and upper neighbours, which
 * are written again. */
static void write_deblocked(const struct encoder *c, const struct macroblock *m, uint32_t x, uint32_t y)
{
    enum { NEVER = 1, WITHIN_SLICES = 2 };
    uint8_t luma[CANVAS_BYTES] = {0}, chroma[2][CANVAS_BYTES] = {{0}};
    const uint32_t how = mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_DISABLE_DEBLOCKING_FILTER_INDICATOR);
    const struct neighbour_context *const s = &c->neighbours;
    const bool filters = how != NEVER;
    struct canvases k = {.luma = luma, .chroma = {chroma[0], chroma[1]}, .x = x, .y = y};
    k.left = filters && (how == WITHIN_SLICES ? (m->available & NEXT_LEFT) != 0 : x > 0);
    k.above = filters && (how == WITHIN_SLICES ? (m->available & NEXT_ABOVE) != 0 : y > 0);
    if (filters)
        move_pixels(c, BUFFER_POST_DEBLOCKING_DESTINATION_ADDRESS, &k, false);
    for (unsigned row = 0; row < 16; row++)
        memcpy(luma + CANVAS_FIRST + row * CANVAS, m->luma + CANVAS_FIRST + row * CANVAS, 16);
    for (unsigned row = 0; row < 16; row++)
        memcpy(chroma[row & 1u] + CANVAS_FIRST + row / 2 * CANVAS,
               m->chroma[row & 1u] + CANVAS_FIRST + row / 2 * CANVAS, 8);
    const struct neighbour above = from_above(&s->above[x]);
    const struct deblocking d = {
        .left = k.left ? &s->left : NULL,
        .above = k.above ? &above : NULL,
        .alpha_offset = filter_offset(mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_ALPHA_C0_OFFSET_DIV2)),
        .beta_offset = filter_offset(mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_BETA_OFFSET_DIV2)),
        .chroma_offset = {(uint8_t)mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FIRST_CHROMA_QP_OFFSET),
                          (uint8_t)mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_SECOND_CHROMA_QP_OFFSET)}};
    if (filters)
        avc_deblock(&d, &m->now, luma + CANVAS_FIRST,
                    (uint8_t *[2]){chroma[0] + CANVAS_FIRST, chroma[1] + CANVAS_FIRST});
    move_pixels(c, BUFFER_POST_DEBLOCKING_DESTINATION_ADDRESS, &k, true);
}

/* Sets the pixels above and to the left of a canvas. Those of other slices are 128. */
static void surround_canvas(uint8_t *canvas, unsigned available, const uint8_t *above, unsigned above_size,
                            const uint8_t *left, unsigned left_size, uint8_t corner)
{
    enum { NOT_AVAILABLE = 128 };
    uint8_t *const at = canvas + CANVAS_FIRST;
    memset(canvas, NOT_AVAILABLE, CANVAS_BYTES);
    if (available & NEXT_ABOVE)
        memcpy(at - CANVAS, above, above_size);
    if (available & NEXT_ABOVE_LEFT)
        at[-CANVAS - 1] = corner;
    for (unsigned i = 0; available & NEXT_LEFT && i < left_size; i++)
        at[(int)(i * CANVAS) - 1] = left[i];
}

static void load_neighbours(const struct neighbour_context *s, struct macroblock *m, uint32_t x)
{
    const unsigned of = m->available;
    surround_canvas(m->luma, of, s->above_luma + x * 16u, of & NEXT_ABOVE_RIGHT ? 20 : 16, s->left_luma, 16,
                    s->corner[0]);
    for (unsigned which = 0; which < 2; which++)
        surround_canvas(m->chroma[which], of, s->above_chroma[which] + x * 8u, 8, s->left_chroma[which], 8,
                        s->corner[1 + which]);
}

static void save_neighbours(struct neighbour_context *s, const struct macroblock *m, uint32_t x)
{
    const uint8_t *const luma = m->luma + CANVAS_FIRST;
    s->corner[0] = s->above_luma[x * 16u + 15u];
    memcpy(s->above_luma + x * 16u, luma + 15 * CANVAS, 16);
    for (unsigned i = 0; i < 16; i++)
        s->left_luma[i] = luma[i * CANVAS + 15];
    for (unsigned which = 0; which < 2; which++) {
        const uint8_t *const chroma = m->chroma[which] + CANVAS_FIRST;
        s->corner[1 + which] = s->above_chroma[which][x * 8u + 7u];
        memcpy(s->above_chroma[which] + x * 8u, chroma + 7 * CANVAS, 8);
        for (unsigned i = 0; i < 8; i++)
            s->left_chroma[which][i] = chroma[i * CANVAS + 7];
    }
    s->above_left = from_above(&s->above[x]);
    s->above[x] = for_below(&m->now);
    s->left = m->now;
}

uint8_t avc_chroma_qp(uint32_t qp, uint32_t offset)
{
    static const uint8_t high[] = {29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36,
                                   36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39};
    const int32_t at = (int32_t)qp + (offset & 16u ? (int32_t)offset - 32 : (int32_t)offset);
    return (uint8_t)(at < 0 ? 0 : at < 30 ? at : at > 51 ? 39 : high[at - 30]);
}

static void read_macroblock(const struct encoder *c, const struct execution *x, struct macroblock *m)
{
    enum { I_PCM = 25, INTRA_ROUNDING = 5, INTER_ROUNDING = 3 };
    const struct slice_context *const s = &c->slice;
    const uint32_t width = mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_WIDTH),
                   across = (uint32_t)command_field(x, PAK_HORIZONTAL_ORIGIN), here = s->next_macroblock;
    const uint64_t modes = command_field(x, PAK_LUMA_INTRA_PREDICTION_MODES);
    const uint32_t qp = (uint32_t)command_field(x, PAK_QP_PRIME_Y);
    static const uint8_t kinds[4] = {MB_16X16, MB_4X4, MB_4X4, MB_PCM};
    const bool intra = command_field(x, PAK_INTRA_MB_FLAG);
    m->kind = !intra ? (command_field(x, PAK_SKIP_MB_FLAG) ? MB_SKIPPED : MB_INTER)
              : command_field(x, PAK_MB_TYPE) == I_PCM ? MB_PCM
                                                       : kinds[command_field(x, PAK_INTRA_MB_MODE)];
    for (unsigned i = 0; i < 16; i++) {
        const unsigned mode = (unsigned)(modes >> 4u * i) & 15u;
        m->modes[i] = (uint8_t)(m->kind == MB_16X16 ? mode & 3u : mode > 8 ? MODE_DC_4X4 : mode);
    }
    m->chroma_mode = (uint8_t)(intra ? command_field(x, PAK_CHROMA_INTRA_PREDICTION_MODE) : 0);
    m->qp = (uint8_t)(qp > 51 ? 51 : qp);
    m->chroma_qp[0] = avc_chroma_qp(m->qp, mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FIRST_CHROMA_QP_OFFSET));
    m->chroma_qp[1] = avc_chroma_qp(m->qp, mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_SECOND_CHROMA_QP_OFFSET));
    m->rounding =
        mfx_field(c, MFX_AVC_SLICE_STATE, intra ? SLICE_ROUND_INTRA_ENABLE : SLICE_ROUND_INTER_ENABLE)
            ? (uint8_t)(mfx_field(c, MFX_AVC_SLICE_STATE, intra ? SLICE_ROUND_INTRA : SLICE_ROUND_INTER) + 1u)
        : intra ? INTRA_ROUNDING
                : INTER_ROUNDING;
    m->dc_mask = (uint8_t)((command_field(x, PAK_DC_BLOCK_CODED_Y_FLAG) ? DC_LUMA : 0u) |
                           (command_field(x, PAK_DC_BLOCK_CODED_CB_FLAG) ? DC_CB : 0u) |
                           (command_field(x, PAK_DC_BLOCK_CODED_CR_FLAG) ? DC_CR : 0u));
    m->luma_mask = (uint16_t)command_field(x, PAK_CODED_BLOCK_PATTERN_Y);
    m->chroma_mask[0] = (uint8_t)command_field(x, PAK_CODED_BLOCK_PATTERN_CB) & 15u;
    m->chroma_mask[1] = (uint8_t)command_field(x, PAK_CODED_BLOCK_PATTERN_CR) & 15u;
    if (m->kind == MB_SKIPPED)
        m->dc_mask = m->chroma_mask[0] = m->chroma_mask[1] = 0, m->luma_mask = 0;
    m->available =
        (uint8_t)((across && here > s->first_macroblock ? NEXT_LEFT : 0u) |
                  (here >= s->first_macroblock + width ? NEXT_ABOVE : 0u) |
                  (across + 1u < width && here + 1u >= s->first_macroblock + width ? NEXT_ABOVE_RIGHT : 0u) |
                  (across && here > s->first_macroblock + width ? NEXT_ABOVE_LEFT : 0u));
}

/* cabac_zero_words by H.264 7.4.2.10: a picture has at most 32/3 bins for each byte of its slices' NAL units,
 * and 96 for each macroblock. Words of three bytes add what is missing. */
static uint64_t zero_word_bytes(uint64_t bins, uint64_t bytes, uint64_t macroblocks)
{
    enum { RAW_BITS = 3072 };
    const uint64_t wanted = bins * 96u, had = bytes * 1024u + macroblocks * RAW_BITS * 3u;
    return wanted > had ? ((wanted - had + 1023u) / 1024u + 2u) / 3u * 3u : 0;
}

static void end_slice(struct encoder *c, struct bits *b, bool arithmetic)
{
    struct slice_context *const s = &c->slice;
    if (s->skip_run)
        bits_ue(b, s->skip_run);
    s->skip_run = 0;
    if (!arithmetic)
        bits_put(b, 1, 1);
    bits_align(b);
    s->vcl_bytes += c->position.bytes - s->nal_start_byte;
    s->zero_word_bytes_left =
        arithmetic && mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_CABAC_ZERO_WORD_INSERTION_ENABLE)
            ? zero_word_bytes(c->cabac.bins, s->vcl_bytes,
                              mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_WIDTH) *
                                  mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_FRAME_HEIGHT))
            : 0;
    const uint64_t least = mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_MINIMUM_FRAME_SIZE_IN_WORDS) * 2u,
                   so_far = c->position.bytes + s->zero_word_bytes_left;
    s->cabac_zero_padding_bytes =
        mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_IS_LAST_SLICE) && so_far < least ? least - so_far : 0;
    s->vcl_bytes += s->zero_word_bytes_left;
    s->phase = SLICE_PHASE_ENDING;
}

/* Writes zero words and padding, a time slice at a time. */
static enum outcome write_padding(struct encoder *c, struct execution *x)
{
    struct slice_context *const s = &c->slice;
    struct bits b = bitstream_begin(c, false);
    uint64_t words = 0, padding = 0;
    for (; words < FILL_BYTES && words < s->zero_word_bytes_left; words += 3)
        bits_put(&b, 3, 24);
    s->zero_word_bytes_left -= words < s->zero_word_bytes_left ? words : s->zero_word_bytes_left;
    if (!s->zero_word_bytes_left)
        padding = s->cabac_zero_padding_bytes < FILL_BYTES ? s->cabac_zero_padding_bytes : FILL_BYTES;
    bits_fill(&b, padding);
    s->cabac_zero_padding_bytes -= padding;
    bits_flush(&b);
    bitstream_counter_add(c, MFC_AVC_CABAC_INSERTION_COUNT, words);
    bitstream_counter_add(c, MFC_AVC_MINSIZE_PADDING_COUNT, padding);
    c->engine->log->cost.ns += FILL_NS;
    x->progress = s->zero_word_bytes_left || s->cabac_zero_padding_bytes;
    return x->progress ? OUTCOME_RESUME : OUTCOME_DONE;
}

static void write_macroblock(struct encoder *c, const struct macroblock *m, uint32_t x, bool last)
{
    struct slice_context *const s = &c->slice;
    const bool arithmetic = mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_ENTROPY_CODING_FLAG_CABAC);
    struct bits b =
        bitstream_begin(c, mfx_field(c, MFX_AVC_SLICE_STATE, SLICE_EMULATION_BYTE_SLICE_INSERT_ENABLE));
    if (s->phase == SLICE_PHASE_HEADER && arithmetic) /* cabac_alignment_one_bit */
        bits_put(&b, 255, bits_to_byte(&b));
    s->phase = SLICE_PHASE_MACROBLOCKS;
    const struct neighbour above = from_above(&c->neighbours.above[x]);
    struct slice_coder coder = {.bits = &b,
                                .cabac = arithmetic ? &c->cabac : NULL,
                                .left = m->available & NEXT_LEFT ? &c->neighbours.left : NULL,
                                .above = m->available & NEXT_ABOVE ? &above : NULL,
                                .qp = &s->qp,
                                .delta_before = &s->prev_mb_qp_delta_nonzero,
                                .codes_transform_size =
                                    mfx_field(c, MFX_AVC_IMG_STATE, IMAGE_8X8_TRANSFORM_FLAG),
                                .predicted = predicts(c),
                                .skipped = &s->skip_run};
    avc_write(&coder, m);
    if (arithmetic)
        cabac_terminate(&c->cabac, &b, last);
    if (last)
        end_slice(c, &b, arithmetic);
    bitstream_end(c, &b);
}

static enum outcome encode_macroblock(struct encoder *c, struct execution *x)
{
    struct engine *const e = c->engine;
    struct slice_context *const s = &c->slice;
    /* The saved phase decides, not only x->progress: a context that was switched out inside the padding
     * resumes without it. */
    if (s->phase == SLICE_PHASE_ENDING && (s->zero_word_bytes_left || s->cabac_zero_padding_bytes))
        return write_padding(c, x);
    x->progress = 0;
    const bool runs = encodes(c) && (s->phase == SLICE_PHASE_HEADER || s->phase == SLICE_PHASE_MACROBLOCKS);
    const char *lack = !runs ? NULL : s->phase == SLICE_PHASE_HEADER ? picture_unsupported(c) : NULL;
    if (runs && !lack)
        lack = macroblock_unsupported(c, x);
    if (lack) {
        report_error(e->log, SOFTGT_NOT_MODELLED, e->info->name, e->parse.command_address,
                     "MFC_AVC_PAK_OBJECT with %s: not encoded: the rest of its slice is skipped", lack);
        s->phase = SLICE_PHASE_ABANDONED;
    }
    if (!runs || lack) {
        e->totals.draws_skipped++;
        return OUTCOME_DONE;
    }
    const uint32_t across = (uint32_t)command_field(x, PAK_HORIZONTAL_ORIGIN),
                   down = (uint32_t)command_field(x, PAK_VERTICAL_ORIGIN);
    const uint64_t bins = c->cabac.bins;
    struct macroblock m = {0};
    struct scaling scaling[3];
    read_macroblock(c, x, &m);
    const bool inter = m.kind == MB_INTER || m.kind == MB_SKIPPED;
    for (unsigned i = 0; i < 3; i++) {
        read_scaling(c, inter ? 3 + i : i, &scaling[i]);
        m.scaling[i] = &scaling[i];
    }
    load_neighbours(&c->neighbours, &m, across);
    read_pixels(c, &m, across, down);
    const struct neighbour_context *const beside = &c->neighbours;
    const struct neighbour above = from_above(&beside->above[across]),
                           right = from_above(&beside->above[(across + 1u) % MAX_WIDTH_MB]);
    const struct vector_neighbours n = {.left = m.available & NEXT_LEFT ? &beside->left : NULL,
                                        .above = m.available & NEXT_ABOVE ? &above : NULL,
                                        .above_right = m.available & NEXT_ABOVE_RIGHT ? &right : NULL,
                                        .above_left =
                                            m.available & NEXT_ABOVE_LEFT ? &beside->above_left : NULL};
    if (inter) {
        read_vector(c, x, &m, &n);
        predict_inter(c, &m, across, down);
    }
    avc_reconstruct(&m);
    if (m.kind == MB_INTER)
        convert_to_skip(c, x, &m, &n);
    for (unsigned i = 0; i < 2 && inter; i++) {
        m.now.vector[i] = m.vector[i];
        m.now.vector_delta[i] = m.kind == MB_INTER ? size_of(m.vector[i] - m.predicted[i]) : 0;
    }
    write_macroblock(c, &m, across, command_field(x, PAK_LAST_MB_FLAG));
    m.now.qp = (uint8_t)(m.kind == MB_PCM ? 0 : s->qp);
    if (mfx_field(c, MFX_PIPE_MODE_SELECT, MODE_PRE_DEBLOCKING_OUTPUT_ENABLE)) {
        const struct canvases k = {
            .luma = m.luma, .chroma = {m.chroma[0], m.chroma[1]}, .x = across, .y = down};
        move_pixels(c, BUFFER_PRE_DEBLOCKING_DESTINATION_ADDRESS, &k, true);
    }
    if (mfx_field(c, MFX_PIPE_MODE_SELECT, MODE_POST_DEBLOCKING_OUTPUT_ENABLE))
        write_deblocked(c, &m, across, down);
    save_neighbours(&c->neighbours, &m, across);
    s->next_macroblock++;
    e->log->cost.ns += MACROBLOCK_NS + (c->cabac.bins - bins) * BIN_NS;
    return s->phase == SLICE_PHASE_ENDING ? write_padding(c, x) : OUTCOME_DONE;
}

/* Copies the command first: it is read more than once, and guest memory may change. */
enum outcome encoder_pak_object(struct encoder *c, struct execution *x)
{
    enum { OBJECT_DW = 11 };
    uint32_t dw[OBJECT_DW];
    struct execution once = *x;
    once.length_dw = x->length_dw < OBJECT_DW ? x->length_dw : OBJECT_DW;
    memcpy(dw, x->dw, once.length_dw * sizeof *dw);
    once.dw = dw;
    memory_client_begin(&c->memory);
    const enum outcome outcome = encode_macroblock(c, &once);
    x->progress = once.progress;
    return outcome;
}
