/* Pictures for the encoder of AVC: headers, state and macroblocks as commands, from random numbers. */
#ifndef TESTS_ENCODES_H
#define TESTS_ENCODES_H

#include "streamer.h"
#include "video/encoder.h"

enum {
    SOURCE = 0x200000,
    RECONSTRUCTED = 0x280000,
    SECOND = 0x300000, /* of every other picture, whose reference the other one is */
    VECTORS = 0x380000,
    STREAM = 0x400000,
    STREAM_END = 0x600000,
    CB_ROWS = 256, /* from the surface's first row to the first of chroma */
    PITCH = 256,
    WIDE_PITCH = 1024,
    UNTOUCHED = 0xa5,
    VIDEO_ENGINE = 2,
    COUNTS = 0x1240c /* bits, bytes of zero words, bytes of padding */
};
enum { USE_4X4 = 1, USE_16X16 = 2, USE_PCM = 4, USE_INTER = 8, USE_SKIP = 16 };

struct picture {
    uint32_t width, height; /* macroblocks */
    uint32_t qp, qp_spread, kinds;
    uint32_t slices;
    uint32_t number; /* in its sequence: P, but for the first */
    uint32_t init;   /* cabac_init_idc */
    uint32_t reach;  /* of vectors, quarters of pixels */
    uint32_t least_words;
    uint32_t cb_offset, cr_offset; /* five bits */
    uint32_t noise;                /* of the source, 0 to 255 */
    int32_t alpha, beta;           /* of deblocking, halves */
    uint32_t deblocking;           /* disable_deblocking_filter_idc */
    bool cabac, tiled, transform_8x8, weighted, zero_words, chops;
    bool wide;              /* up to 64 macroblocks, else up to 16 */
    uint64_t seed, weights; /* what is random */
};

/* Bits of a header, by itself. */
struct header_bits {
    uint8_t bytes[256];
    uint32_t count;
};

static inline void header_put(struct header_bits *h, uint32_t value, unsigned count)
{
    while (count--) {
        if (value >> count & 1u)
            h->bytes[h->count / 8] |= (uint8_t)(0x80u >> h->count % 8);
        h->count++;
    }
}

static inline void header_ue(struct header_bits *h, uint32_t value)
{
    unsigned length = 0;
    while ((value + 1) >> (length + 1))
        length++;
    header_put(h, 0, length);
    header_put(h, value + 1, length + 1);
}

static inline void header_se(struct header_bits *h, int32_t value)
{
    header_ue(h, value > 0 ? (uint32_t)(2 * value - 1) : (uint32_t)(-2 * value));
}

static inline struct header_bits header_begin(uint32_t nal)
{
    struct header_bits h = {0};
    header_put(&h, 1, 32);
    header_put(&h, nal, 8);
    return h;
}

/* The stop bit, and zeros to the end of the byte. */
static inline struct header_bits header_end(struct header_bits h)
{
    header_put(&h, 1, 1);
    header_put(&h, 0, (8 - h.count % 8) % 8);
    return h;
}

static inline struct header_bits sequence_header(const struct picture *p)
{
    struct header_bits h = header_begin(0x67);
    header_put(&h, 100, 8); /* High, level 4 */
    header_put(&h, 0, 8);
    header_put(&h, 40, 8);
    header_ue(&h, 0);
    header_ue(&h, 1);
    header_ue(&h, 0);
    header_ue(&h, 0);
    header_put(&h, 0, 2);
    header_ue(&h, 0);
    header_ue(&h, 2);
    header_ue(&h, 1);
    header_put(&h, 0, 1);
    header_ue(&h, p->width - 1);
    header_ue(&h, p->height - 1);
    header_put(&h, 0xc, 4); /* frames alone, direct 8x8 inference, no cropping, no VUI */
    return header_end(h);
}

static inline int32_t signed_offset(uint32_t five_bits)
{
    return (int32_t)five_bits - (five_bits & 16u ? 32 : 0);
}

static inline struct header_bits picture_header(const struct picture *p, uint8_t lists[6][16])
{
    static const uint8_t scan[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
    struct header_bits h = header_begin(0x68);
    header_ue(&h, 0);
    header_ue(&h, 0);
    header_put(&h, p->cabac, 1);
    header_put(&h, 0, 1);
    header_ue(&h, 0);
    header_ue(&h, 0);
    header_ue(&h, 0);
    header_put(&h, 0, 3);
    header_se(&h, 0);
    header_se(&h, 0);
    header_se(&h, signed_offset(p->cb_offset));
    header_put(&h, 4, 3); /* deblocking is told by slices */
    header_put(&h, p->transform_8x8, 1);
    header_put(&h, p->weighted, 1);
    for (unsigned i = 0; p->weighted && i < (p->transform_8x8 ? 8 : 6); i++) {
        header_put(&h, i < 6, 1);
        for (unsigned k = 0; i < 6 && k < 16; k++) { /* the same to the end, after four */
            const int32_t last = k ? lists[i][scan[k - 1]] : 8;
            header_se(&h, lists[i][scan[k]] - last);
        }
    }
    header_se(&h, signed_offset(p->cr_offset));
    return header_end(h);
}

static inline struct header_bits slice_header(const struct picture *p, uint32_t first)
{
    struct header_bits h = header_begin(p->number ? 0x41 : 0x65);
    header_ue(&h, first);
    header_ue(&h, p->number ? 5 : 7);
    header_ue(&h, 0);
    header_put(&h, p->number, 4);
    if (!p->number) {
        header_ue(&h, 0);
        header_put(&h, 0, 2);
    } else { /* one reference picture, the last one */
        header_put(&h, 0, 3);
        if (p->cabac)
            header_ue(&h, p->init);
    }
    header_se(&h, (int32_t)p->qp - 26);
    header_ue(&h, p->deblocking);
    if (p->deblocking != 1) {
        header_se(&h, p->alpha);
        header_se(&h, p->beta);
    }
    return h;
}

static inline uint32_t *video_command(uint32_t **to, uint32_t header, uint32_t length_dw)
{
    uint32_t *const dw = *to;
    memset(dw, 0, length_dw * sizeof *dw);
    dw[0] = header | (length_dw - 2u);
    *to += length_dw;
    return dw;
}

enum { INSERT_DW1_LAST_HEADER = 1 << 2, INSERT_DW1_END_OF_SLICE = 1 << 1, INSERT_DW1_EMULATION = 1 << 3 };

static inline void put_header(uint32_t **to, const struct header_bits *h, uint32_t flags)
{
    const uint32_t data_dw = (h->count + 31) / 32;
    uint32_t *const dw = video_command(to, 0x71480000, 2 + data_dw);
    dw[1] = (h->count % 32) << 8 | 5u << 4 | flags;
    memcpy(dw + 2, h->bytes, data_dw * 4);
}

static inline uint32_t pitch_of(const struct picture *p)
{
    return p->wide ? WIDE_PITCH : PITCH;
}

static inline uint32_t reconstructed_at(const struct picture *p)
{
    return p->number % 2 ? SECOND : RECONSTRUCTED;
}

/* What a state of the picture is, up to MFC_AVC_FQM_STATE. */
static inline void put_picture_state(uint32_t **to, const struct picture *p, uint8_t lists[6][16])
{
    uint32_t *dw = video_command(to, 0x70000000, 4);
    dw[1] = (p->deblocking == 1 ? 1u << 8 : 1u << 9) | 1u << 4 | 2;
    dw = video_command(to, 0x70010000, 6);
    dw[2] = (p->height * 16 - 1) << 19 | (p->width * 16 - 1) << 6;
    dw[3] = 4u << 28 | 1u << 27 | (pitch_of(p) - 1) << 3 | (p->tiled ? 3 : 0);
    dw[4] = CB_ROWS;
    dw = video_command(to, 0x70020000, 24);
    dw[1] = dw[2] = reconstructed_at(p);
    dw[7 + 5] = p->number % 2 ? RECONSTRUCTED : SECOND;
    dw[3] = SOURCE;
    dw = video_command(to, 0x70030000, 11);
    dw[3] = VECTORS;
    dw[9] = STREAM;
    dw[10] = STREAM_END;
    dw = video_command(to, 0x71000000, 13);
    dw[1] = p->width * p->height;
    dw[2] = p->height << 16 | p->width;
    dw[3] = p->cr_offset << 24 | p->cb_offset << 16;
    dw[4] = p->least_words << 16 | 1u << 10 | (p->cabac ? 1u << 7 : 0) | (p->transform_8x8 ? 1u << 3 : 0) |
            1u << 2;
    dw = video_command(to, 0x71010000, 58);
    dw[1] = p->weighted ? 0x3f : 0;
    memcpy(dw + 2, lists, 96);
    dw = video_command(to, 0x71420000, 113);
    for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < 16; k++)
            dw[1 + i * 8 + k / 2] |=
                (p->weighted ? (65536u + lists[i][k % 4 * 4 + k / 4] / 2) / lists[i][k % 4 * 4 + k / 4]
                             : 4096u)
                << k % 2 * 16;
}

static inline void put_slice_state(uint32_t **to, const struct picture *p, uint32_t first, bool last)
{
    for (uint32_t list = 0; list < 2 && p->number; list++) {
        uint32_t *const references = video_command(to, 0x71040000, 10);
        memset(references + 1, 0x80, 36);
        references[1] = list;
        if (!list)
            references[2] = 0x80808000 | 5 << 1;
    }
    uint32_t *const dw = video_command(to, 0x71030000, 11);
    dw[1] = p->number ? 0 : 2;
    dw[2] = p->number ? 1u << 16 : 0;
    dw[3] = p->deblocking << 27 | p->init << 24 | p->qp << 16 | ((uint32_t)p->beta & 15) << 8 |
            ((uint32_t)p->alpha & 15);
    dw[4] = first / p->width << 24 | first % p->width << 16 | first;
    dw[6] = (last ? 1u << 19 : 0) | 7u << 15 | 1u << 13 | (p->zero_words ? 1u << 12 : 0);
}

/* Modes that the standard allows there. */
static inline uint32_t random_mode_4x4(uint64_t *seed, bool left, bool above, bool corner)
{
    for (;;) {
        const uint32_t mode = below(seed, 9);
        const bool needs_left = mode == 1 || mode == 8 || (mode >= 4 && mode <= 6),
                   needs_above = mode == 0 || mode == 3 || mode == 7 || (mode >= 4 && mode <= 6);
        if ((!needs_left || left) && (!needs_above || above) && (mode < 4 || mode > 6 || corner))
            return mode;
    }
}

static inline uint32_t random_mode_16x16(uint64_t *seed, bool left, bool above, bool corner)
{
    for (;;) { /* vertical, horizontal, DC, plane */
        const uint32_t mode = below(seed, 4);
        if (mode == 2 || (mode == 0 && above) || (mode == 1 && left) ||
            (mode == 3 && left && above && corner))
            return mode;
    }
}

static inline void put_macroblock(struct streamer *s, uint32_t **to, const struct picture *p, uint64_t *seed,
                                  uint32_t first, uint32_t at, bool last)
{
    static const uint8_t places[16] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
    static const uint32_t chroma_of[4] = {2, 1, 0, 3};
    const uint32_t w = p->width, x = at % w, y = at / w;
    const bool left = x && at > first, above = at >= first + w, corner = x && at > first + w;
    uint32_t kind, *const dw = video_command(to, 0x71490000, 11);
    do
        kind = 1u << below(seed, 5);
    while (!(kind & (p->number ? p->kinds : p->kinds & 7)));
    const bool rare = kind == USE_PCM && (p->kinds & 3) && below(seed, 8);
    if (rare)
        kind = p->kinds & USE_4X4 ? USE_4X4 : USE_16X16;
    dw[3] = 7u << 17 | 1u << 13 |
            (kind == USE_PCM   ? 25u << 8 | 3u << 4
             : kind == USE_4X4 ? 2u << 4
                               : 1u << 8);
    dw[4] = (p->chops ? (uint32_t)random_next(seed) & 0xffffu : 0xffffu) << 16 | y << 8 | x;
    dw[5] = 0x000f000f;
    dw[6] = (last ? 1u << 26 : 0) | (p->qp_spread ? (p->qp + below(seed, p->qp_spread)) % 52 : p->qp);
    if (kind == USE_4X4)
        for (unsigned i = 0; i < 16; i++) {
            const unsigned bx = places[i] % 4, by = places[i] / 4;
            const bool l = bx || left, a = by || above, c = bx && by ? true : bx ? above : by ? left : corner;
            dw[7 + i / 8] |= random_mode_4x4(seed, l, a, c) << i % 8 * 4;
        }
    else
        dw[7] = random_mode_16x16(seed, left, above, corner) * 0x11111111u;
    dw[9] = chroma_of[random_mode_16x16(seed, left, above, corner)];
    if (kind >= USE_INTER) {
        const uint32_t reach = 2 * p->reach + 1, still = below(seed, 3);
        const int32_t right = still ? 0 : (int32_t)below(seed, reach) - (int32_t)p->reach,
                      down = still ? 0 : (int32_t)below(seed, reach) - (int32_t)p->reach;
        dw[1] = 128;
        dw[2] = at * 128;
        dword_put(s, VECTORS + at * 128, ((uint32_t)right & 0xffffu) | (uint32_t)down << 16);
        dw[3] = 6u << 20 | 7u << 17 | 1u << 8 | (kind == USE_SKIP ? 1u << 2 : 0);
        dw[6] |= below(seed, 2) << 25;
        dw[7] = dw[8] = dw[9] = 0;
    }
}

static inline uint32_t tiled_at(const struct picture *p, uint32_t x, uint32_t y)
{
    /* Y tiles: 128 bytes of 32 rows, in columns of 16 bytes. */
    return !p->tiled
               ? y * pitch_of(p) + x
               : (y / 32 * (pitch_of(p) / 128) + x / 128) * 4096 + x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
}

/* A source that is smooth, with noise. */
static inline void put_source(struct streamer *s, const struct picture *p, uint64_t *seed)
{
    const uint32_t a = below(seed, 5) + 1, b = below(seed, 5) + 1;
    for (uint32_t y = 0; y < p->height * 16; y++)
        for (uint32_t x = 0; x < p->width * 16; x++)
            s->memory[SOURCE + tiled_at(p, x, y)] =
                (uint8_t)((x * a + y * b + (x / 8 + y / 8) % 2 * 40 + below(seed, p->noise + 1)) & 255u);
    for (uint32_t y = 0; y < p->height * 8; y++)
        for (uint32_t x = 0; x < p->width * 16; x++)
            s->memory[SOURCE + tiled_at(p, x, CB_ROWS + y)] =
                (uint8_t)((x * b + y * a + (x % 2) * 90 + below(seed, p->noise + 1)) & 255u);
}

/* The commands of a picture; returns the dwords. */
static inline uint32_t picture_commands(struct streamer *s, const struct picture *p, uint32_t *dw)
{
    uint64_t seed = p->seed, weights = p->weights;
    uint8_t lists[6][16];
    uint32_t *to = dw;
    for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < 16; k++)
            lists[i][k] = (uint8_t)(p->weighted ? 6 + k + i * 3 + below(&weights, 20) : 16);
    memset(s->memory + STREAM, UNTOUCHED, STREAM_END - STREAM);
    memset(s->memory + reconstructed_at(p), UNTOUCHED, 0x80000);
    put_source(s, p, &seed);
    put_picture_state(&to, p, lists);
    const uint32_t all = p->width * p->height, slices = p->slices ? p->slices : 1;
    for (uint32_t i = 0; i < slices; i++) {
        const uint32_t first = all * i / slices, end = all * (i + 1) / slices;
        const struct header_bits h = slice_header(p, first), sequence = sequence_header(p),
                                 picture = picture_header(p, lists);
        put_slice_state(&to, p, first, i + 1 == slices);
        if (!i && !p->number) {
            put_header(&to, &sequence, INSERT_DW1_EMULATION);
            put_header(&to, &picture, INSERT_DW1_EMULATION);
        }
        put_header(&to, &h, INSERT_DW1_EMULATION | INSERT_DW1_LAST_HEADER);
        for (uint32_t at = first; at < end; at++)
            put_macroblock(s, &to, p, &seed, first, at, at + 1 == end);
    }
    return (uint32_t)(to - dw);
}

/* How many bytes came out. */
static inline uint32_t stream_bytes(const struct streamer *s)
{
    uint32_t size = STREAM_END - STREAM;
    while (size && s->memory[STREAM + size - 1] == UNTOUCHED)
        size--;
    return size;
}

static inline void encode(struct streamer *s, const struct picture *p)
{
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    const uint32_t count = picture_commands(s, p, dw);
    assert_true(count < BATCH_ROOM_DW);
    batch_run(s, dw, count, false);
    free(dw);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

#endif
