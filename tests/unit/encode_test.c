/* The encoder of AVC on the video ring of Gen6: its bitstream and the counts of it (VCS-10), headers, bounds,
 * slices and saves within a picture, what is not modelled. Decoders look at its pictures in tests/codec. */
#include "../suite.h"
#include "encodes.h"
#include "saved.h"

static const struct picture plain = {
    .width = 5, .height = 4, .qp = 28, .kinds = 7, .deblocking = 1, .noise = 20, .seed = 3};

static struct streamer *begin(void)
{
    struct streamer *const s = streamer_create("snb");
    streamer_start(s, VIDEO_ENGINE);
    return s;
}

static struct encoder *video_encoder(const struct streamer *s)
{
    return encoder_of(&s->device->engines[VIDEO_ENGINE]);
}

static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    while (size--)
        sum = (sum ^ *bytes++) * UINT64_C(0x100000001b3);
    return sum;
}

/* The bits before padding, of one slice: all of what came out but the zeros behind the stop bit. */
static uint32_t bits_before_padding(const struct streamer *s, uint32_t padding_bytes)
{
    const uint32_t size = stream_bytes(s) - padding_bytes;
    const uint8_t last = s->memory[STREAM + size - 1];
    assert_int_not_equal(last, 0); /* the stop bit is in it */
    return size * 8 - (uint32_t)__builtin_ctz(last);
}

static void test_bits_are_those_before_padding_with_the_stop_bit(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    for (uint32_t i = 0; i < 24; i++) {
        struct picture p = plain;
        p.cabac = i & 1;
        p.kinds = 1 + i % 7;
        p.qp = i * 2;
        p.seed = i;
        encode(s, &p);
        assert_int_equal(register_get(s, COUNTS), bits_before_padding(s, 0));
        assert_int_equal(register_get(s, COUNTS + 4), 0);
        assert_int_equal(register_get(s, COUNTS + 8), 0);
    }
    streamer_destroy(s);
}

/* The counts begin anew with each picture, and slices add to them. */
static void test_slices_of_a_picture_count_together(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    for (uint32_t slices = 1; slices <= 4; slices++) {
        struct picture p = plain;
        p.slices = slices;
        p.cabac = slices & 1;
        encode(s, &p);
        const uint32_t bits = register_get(s, COUNTS), bytes = stream_bytes(s);
        assert_true(bits <= bytes * 8 && bits + slices * 7 >= bytes * 8);
    }
    streamer_destroy(s);
}

static void test_padding_to_the_least_size_is_counted_in_bytes(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    for (uint32_t i = 0; i < 2; i++) {
        struct picture p = plain;
        p.cabac = i;
        encode(s, &p);
        const uint32_t size = stream_bytes(s), bits = register_get(s, COUNTS);
        p.least_words = size / 2 + 40000 / 2; /* more than a slice of the engine's has */
        encode(s, &p);
        assert_int_equal(stream_bytes(s), p.least_words * 2);
        assert_int_equal(register_get(s, COUNTS), bits);
        assert_int_equal(register_get(s, COUNTS + 4), 0);
        assert_int_equal(register_get(s, COUNTS + 8), p.least_words * 2 - size);
        for (uint32_t at = size; at < p.least_words * 2; at++)
            assert_int_equal(s->memory[STREAM + at], 0);
        p.least_words = size / 2; /* it is there already */
        encode(s, &p);
        assert_int_equal(stream_bytes(s), size);
        assert_int_equal(register_get(s, COUNTS + 8), 0);
    }
    streamer_destroy(s);
}

/* H.264 7.4.2.10: bins <= 32/3 bytes + 3072 bits of each macroblock / 32; a word is 00 00 03. A picture whose
 * levels are all the same has many bins in few bytes. */
static void test_zero_words_are_as_many_as_bins_ask_for(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    struct picture p = {
        .width = 4, .height = 4, .qp = 0, .kinds = USE_16X16, .deblocking = 1, .cabac = true, .seed = 1};
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    for (uint32_t i = 0; i < 2; i++) {
        p.zero_words = i;
        const uint32_t count = picture_commands(s, &p, dw);
        /* Stripes: the same levels everywhere. */
        for (uint32_t y = 0; y < 64 + 32; y++)
            for (uint32_t x = 0; x < 64; x++)
                s->memory[SOURCE + (y < 64 ? y : CB_ROWS + y - 64) * PITCH + x] = (x + y) & 1 ? 255 : 0;
        batch_run(s, dw, count, false);
        const uint32_t words = register_get(s, COUNTS + 4), size = stream_bytes(s);
        const struct encoder *const c = video_encoder(s);
        const uint64_t bins = c->cabac.bins, nal = size - c->slice.nal_start_byte, room = 16 * 9216;
        assert_int_equal(register_get(s, COUNTS), bits_before_padding(s, words));
        if (!i) {
            assert_int_equal(words, 0);
            assert_true(96 * bins > 1024 * nal + room);
            continue;
        }
        assert_true(words > 0 && words % 3 == 0);
        assert_true(96 * bins <= 1024 * nal + room && 96 * bins > 1024 * (nal - 3) + room);
        for (uint32_t at = size - words; at < size; at += 3)
            assert_memory_equal(s->memory + STREAM + at, "\0\0\3", 3);
    }
    free(dw);
    streamer_destroy(s);
}

/* Commands of a picture up to its slice's state, and whatever `more` has. */
static void insert(struct streamer *s, const uint32_t *more, uint32_t count)
{
    static const uint8_t lists[6][16];
    uint8_t flat[6][16];
    uint32_t dw[512], *to = dw;
    memcpy(flat, lists, sizeof flat);
    memset(s->memory + STREAM, UNTOUCHED, STREAM_END - STREAM);
    put_picture_state(&to, &plain, flat);
    put_slice_state(&to, &plain, 0, true);
    memcpy(to, more, count * 4);
    batch_run(s, dw, (uint32_t)(to - dw) + count, false);
}

enum { INSERT = 0x71480000, RESETS = 1, ENDS = 2, LAST = 4, EMULATES = 8 };

static void test_inserted_bits(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t dw[8], count;
        const char *bytes;
        uint32_t size, bits;
    } cases[] = {
        /* Whole dwords, in the order of memory; 0 bits in the last one are all. */
        {{INSERT | 2, 0, 0x04030201, 0x08070605}, 4, "\1\2\3\4\5\6\7\10", 8, 64},
        {{INSERT | 1, 32 << 8, 0x04030201}, 3, "\1\2\3\4", 4, 32},
        {{INSERT | 1, 8 << 8, 0x04030201}, 3, "\1", 1, 8},
        /* From a byte of the first dword on. */
        {{INSERT | 1, 2 << 16, 0x04030201}, 3, "\3\4", 2, 16},
        /* Bits of a byte: the next command goes on there; an end of the slice fills up with zeros. */
        {{INSERT | 1, 12 << 8, 0xffffabcd, INSERT | 1, 4 << 8, 0x70}, 6, "\xcd\xa7", 2, 16},
        {{INSERT | 1, 12 << 8 | ENDS, 0xffffffff}, 3, "\xff\xf0", 2, 12},
        /* Emulation is prevented, but within the bytes that are left out, and across commands. */
        {{INSERT | 1, EMULATES, 0x01000000}, 3, "\0\0\3\0\1", 5, 40},
        {{INSERT | 1, EMULATES | 4 << 4, 0x01000000}, 3, "\0\0\0\1", 4, 32},
        {{INSERT | 1, 0, 0x01000000}, 3, "\0\0\0\1", 4, 32},
        {{INSERT | 1, 16 << 8, 0, INSERT | 1, 8 << 8 | EMULATES, 2}, 6, "\0\0\3\2", 4, 32},
        {{INSERT | 1, 16 << 8 | EMULATES, 0, INSERT | 1, 8 << 8 | EMULATES, 4}, 6, "\0\0\4", 3, 24},
        /* Back to the start. */
        {{INSERT | 1, 0, 0x04030201, INSERT | 1, 8 << 8 | RESETS, 9}, 6, "\x9\2\3\4", 4, 40},
    };
    struct streamer *const s = begin();
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        insert(s, cases[i].dw, cases[i].count);
        assert_int_equal(stream_bytes(s), cases[i].size);
        assert_memory_equal(s->memory + STREAM, cases[i].bytes, cases[i].size);
        assert_int_equal(register_get(s, COUNTS), cases[i].bits);
    }
    streamer_destroy(s);
}

static void test_nothing_is_written_from_the_upper_bound_on(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    struct picture p = plain;
    p.kinds = USE_PCM;
    const uint32_t count = picture_commands(s, &p, dw);
    for (uint32_t i = 0; i < count; i++)
        if (dw[i] == STREAM_END)
            dw[i] = STREAM + 0x1000;
    batch_run(s, dw, count, false);
    assert_int_equal(stream_bytes(s), 0x1000);
    assert_true(register_get(s, COUNTS) > 20 * 384 * 8); /* the counts go on */
    free(dw);
    streamer_destroy(s);
}

/* The same picture in slices of any budget, saved and loaded between them. */
static void test_slices_and_saves_change_nothing(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 4; i++) {
        struct streamer *const s = begin();
        struct picture p = plain;
        p.cabac = i & 1;
        p.number = i >> 1;
        p.kinds = 31;
        p.reach = 50;
        p.slices = 2;
        p.least_words = 20000;
        p.zero_words = true;
        encode(s, &p);
        const uint64_t stream = sum_of(s->memory + STREAM, 0x20000),
                       picture = sum_of(s->memory + reconstructed_at(&p), 0x20000);
        const uint32_t bits = register_get(s, COUNTS), padding = register_get(s, COUNTS + 8);
        uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u), saves = 0;
        assert_non_null(dw);
        const uint32_t count = picture_commands(s, &p, dw);
        batch_put(s, dw, count, false);
        while (softgt_run(s->device, 16)) {
            reload(s->device);
            saves++;
        }
        assert_true(saves > 20);
        assert_int_equal(sum_of(s->memory + STREAM, 0x20000), stream);
        assert_int_equal(sum_of(s->memory + reconstructed_at(&p), 0x20000), picture);
        assert_int_equal(register_get(s, COUNTS), bits);
        assert_int_equal(register_get(s, COUNTS + 8), padding);
        free(dw);
        streamer_destroy(s);
    }
}

static void heard(void *user, const struct softgt_report *report)
{
    snprintf(user, 256, "%s", report->text);
}

/* What is not modelled is told by its name; the rest of its slice is left out. */
static void test_what_is_not_encoded_is_told(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t header, dw, clear, set;
        const char *what;
    } cases[] = {
        {0x71490000, 3, 1u << 13, 0, "inter prediction in an I slice"},
        {0x71490000, 3, 0, 1u << 15, "the 8x8 transform"},
        {0x71490000, 4, 0, 1, "a macroblock that is not the next of its slice"},
        {0x71030000, 1, 2, 1, "a B slice"},
        {0x71030000, 1, 2, 0, "other than one reference picture"},
        {0x71030000, 6, 0, 1u << 31, "rate control"},
        {0x71030000, 6, 1u << 16, 0, "slice data that is not inserted"},
        {0x71000000, 4, 0, 2, "fields"},
        {0x71000000, 4, 1u << 10, 1u << 11, "a chroma format that is not 4:2:0"},
        {0x70010000, 3, 1u << 30, 0, "a surface that is not PLANAR_420_8"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *const s = begin();
        char text[256] = "", expected[256];
        uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
        assert_non_null(dw);
        struct picture p = plain;
        p.kinds = USE_4X4;
        const uint32_t count = picture_commands(s, &p, dw);
        s->reported = heard;
        s->user = text;
        for (uint32_t at = 0; at < count; at += (dw[at] & 0xfff) + 2)
            if ((dw[at] & 0xffff0000) == cases[i].header) {
                dw[at + cases[i].dw] = (dw[at + cases[i].dw] & ~cases[i].clear) | cases[i].set;
                break;
            }
        batch_run(s, dw, count, false);
        snprintf(expected, sizeof expected,
                 "MFC_AVC_PAK_OBJECT with %s: not encoded: the rest of its slice is skipped", cases[i].what);
        assert_string_equal(text, expected);
        assert_int_equal(s->device->engines[VIDEO_ENGINE].totals.draws_skipped, 20);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        free(dw);
        streamer_destroy(s);
    }
}

static void test_other_generations_count_alone(void **unused)
{
    (void)unused;
    static const char *const devices[] = {"ivb", "hsw", "bdw", "skl"};
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct streamer *const s = streamer_create(devices[i]);
        const uint32_t pak[16] = {0x71490000 | 10};
        for (unsigned engine = 0; engine < s->device->sheet->info.engine_count; engine++)
            if (s->device->sheet->engines[engine].class == CLASS_VIDEO) {
                streamer_start(s, engine);
                assert_null(encoder_of(&s->device->engines[engine]));
                ring_run(s, pak, 12);
                assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            }
        streamer_destroy(s);
    }
}

/* Any dword of any command may be anything. */
static void test_hostile_pictures_end(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    uint64_t seed = 77;
    assert_non_null(dw);
    for (unsigned round = 0; round < 150; round++) {
        struct picture p = plain;
        p.seed = random_next(&seed);
        p.cabac = below(&seed, 2);
        p.tiled = below(&seed, 2);
        p.number = below(&seed, 2);
        p.kinds = 31;
        p.reach = 100;
        streamer_start(s, VIDEO_ENGINE);
        const uint32_t count = picture_commands(s, &p, dw);
        for (unsigned k = 1 + below(&seed, 20); k--;) {
            uint32_t at = 0;
            for (uint32_t n = below(&seed, 12); n && at < count; n--)
                at += (dw[at] & 0xfff) + 2;
            if (at < count)
                dw[at + 1 + below(&seed, (dw[at] & 0xfff) + 1)] = (uint32_t)random_value(&seed);
        }
        batch_run(s, dw, count, false);
        reload(s->device);
        assert_int_equal(softgt_run(s->device, 1 << 20), 0);
    }
    free(dw);
    streamer_destroy(s);
}

/* A reset of the engine within a slice leaves nothing of it. */
static void test_a_reset_ends_the_slice(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    const uint32_t count = picture_commands(s, &plain, dw);
    batch_put(s, dw, count, false);
    for (unsigned i = 0; i < 400 && video_encoder(s)->slice.next_macroblock < 7; i++)
        softgt_run(s->device, 16);
    assert_int_equal(video_encoder(s)->slice.phase, SLICE_PHASE_MACROBLOCKS);
    register_put(s, 0x941c, 1u << 2); /* GDRST */
    const struct slice_context none = {0};
    assert_memory_equal(&video_encoder(s)->slice, &none, sizeof none);
    free(dw);
    streamer_destroy(s);
}

/* ---- Contexts ---- */

enum {
    CONTEXT_A = 0x20000,
    CONTEXT_B = 0x28000,
    RING_A = BATCH,
    RING_B = 0x1f0000,
    STREAM_B = 0x700000,
    BITS_B = 12, /* of each insertion of B's */
    IMAGE_INHIBIT_DW = 3,
    IMAGE_TAIL_DW = 7,
    RNCID = 0x12700,
    RCCID = 0x127c0
};

/* Nothing but the ring's part is there: the first restore is inhibited. */
static void context_put(struct streamer *s, uint32_t lrca, uint32_t ring, uint32_t pages)
{
    const uint32_t image[] = {0,       0x11001013,
                              0x12114, 1,
                              0x12034, 0,
                              0x12030, 0,
                              0x12038, ring,
                              0x1203c, (pages - 1) << 12 | 1,
                              0x12140, 0,
                              0x12110, 0,
                              0x12220, UINT32_MAX,
                              0x12224, 0,
                              0x12228, register_get(s, 0x12228)};
    memset(s->memory + lrca, 0, 0x8000);
    memcpy(s->memory + lrca, image, sizeof image);
}

static void context_submit(struct streamer *s, uint32_t lrca, uint32_t tail)
{
    dword_put(s, lrca + IMAGE_TAIL_DW * 4, tail);
    register_put(s, RNCID + 4, lrca);
    register_put(s, RNCID, lrca | 1);
}

static void context_run(struct streamer *s, uint32_t lrca, uint32_t tail)
{
    context_submit(s, lrca, tail);
    softgt_run(s->device, 1u << 28);
    assert_int_equal(register_get(s, RCCID), lrca | 1);
    assert_int_equal(register_get(s, 0x12034) & 0x1ffffc, tail);
}

static struct streamer *begin_contexts(void)
{
    struct streamer *const s = begin();
    struct driver_writes writes = {0};
    assert_true(driver_ppgtt_make(&s->driver, &s->ppgtt, 2));
    assert_true(driver_map(&s->driver, &s->ppgtt, 0, 0, MEMORY_BYTES, 4096));
    driver_set_directory(&writes, &s->device->sheet->engines[VIDEO_ENGINE], &s->ppgtt);
    driver_write(s->device, &writes);
    register_put(s, 0x2520, 0x02000200);
    register_put(s, 0x14080, STATUS_PAGE);
    return s;
}

/* Commands one by one into a ring, each at a QWord; where each ends. Returns how many. */
static unsigned ring_of(struct streamer *s, uint32_t ring, const uint32_t *dw, uint32_t count, uint32_t *ends)
{
    unsigned commands = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count;) {
        const uint32_t length_dw = (dw[i] & 0xfffu) + 2u;
        memcpy(s->memory + ring + at, dw + i, length_dw * 4u);
        at += length_dw * 4u;
        i += length_dw;
        if (at % 8u) {
            dword_put(s, ring + at, MI_NOOP);
            at += 4;
        }
        ends[commands++] = at;
    }
    return commands;
}

/* Another context, which changes all that A has: it is in a picture of its own, of which it puts some bits
 * out each time. */
static uint32_t start_b(struct streamer *s, uint32_t *ends)
{
    uint32_t dw[1024], *to = dw;
    const struct picture other = {
        .width = 1, .height = 1, .qp = 40, .deblocking = 2, .cabac = true, .weighted = true};
    uint8_t lists[6][16];
    memset(lists, 33, sizeof lists);
    put_picture_state(&to, &other, lists);
    dw[4 + 6 + 24 + 9] = STREAM_B; /* of MFX_IND_OBJ_BASE_ADDR_STATE */
    dw[4 + 6 + 24 + 10] = 0;
    put_slice_state(&to, &other, 0, true);
    const unsigned commands = ring_of(s, RING_B, dw, (uint32_t)(to - dw), ends);
    return ends[commands - 1];
}

/* What B put out so far: the numbers from 1 on, twelve bits each. */
static void expect_b(const struct streamer *s, uint32_t inserted)
{
    for (uint32_t i = 0; i < inserted * BITS_B / 8; i++) {
        const uint32_t first = i * 8 / BITS_B, skip = i * 8 % BITS_B;
        const uint32_t pair = (first + 1) << BITS_B | (first + 2);
        assert_int_equal(s->memory[STREAM_B + i], pair >> (2 * BITS_B - 8 - skip) & 0xffu);
    }
}

/* VCS-09, 1469-1585: MFX state and the encoder's place are the context's: with another one between any two
 * commands, the stream, the picture and the counts are those of a picture that is encoded at one go; the
 * image has all of it, and a context that begins finds none. */
static void test_pictures_are_of_contexts(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 6; i++) {
        struct streamer *s = begin();
        struct picture p = plain;
        uint32_t ends[1024], ends_b[64], inserted = 0;
        uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
        assert_non_null(dw);
        p.cabac = i & 1;
        p.number = i >> 1 & 1;
        p.kinds = 31;
        p.reach = 50;
        p.slices = 2;
        p.deblocking = i % 3;
        p.wide = i >= 4;
        p.width = i >= 4 ? 37 : 5;
        encode(s, &p);
        const uint64_t stream = sum_of(s->memory + STREAM, 0x20000),
                       picture = sum_of(s->memory + reconstructed_at(&p), 0x80000);
        const uint32_t bits = register_get(s, COUNTS);
        streamer_destroy(s);
        s = begin_contexts();
        const uint32_t count = picture_commands(s, &p, dw);
        const unsigned commands = ring_of(s, RING_A, dw, count, ends);
        context_put(s, CONTEXT_A, RING_A, ends[commands - 1] / 4096 + 1);
        context_put(s, CONTEXT_B, RING_B, 4);
        uint32_t tail_b = start_b(s, ends_b);
        const struct slice_context none = {0};
        for (unsigned n = 0; n < commands; n++) {
            context_run(s, CONTEXT_A, ends[n]);
            if (n % 7 == 3)
                reload(s->device);
            if (n == 0) { /* it begins: nothing of A's is there */
                context_run(s, CONTEXT_B, 0);
                assert_memory_equal(&video_encoder(s)->slice, &none, sizeof none);
            }
            const uint32_t insert[4] = {0x71480001, BITS_B << 8, 0, 0};
            if (inserted * BITS_B / 8 < 512 && n) {
                inserted++;
                memcpy(s->memory + RING_B + tail_b, insert, sizeof insert);
                /* The highest bits of the bytes in their order. */
                s->memory[RING_B + tail_b + 8] = (uint8_t)(inserted >> (BITS_B - 8));
                s->memory[RING_B + tail_b + 9] = (uint8_t)(inserted << (16 - BITS_B));
                tail_b += 16;
            }
            context_run(s, CONTEXT_B, tail_b);
        }
        context_run(s, CONTEXT_A, ends[commands - 1]);
        assert_true(inserted > 20);
        expect_b(s, inserted);
        assert_int_equal(sum_of(s->memory + STREAM, 0x20000), stream);
        assert_int_equal(sum_of(s->memory + reconstructed_at(&p), 0x80000), picture);
        assert_int_equal(register_get(s, COUNTS), bits);
        free(dw);
        streamer_destroy(s);
    }
}

/* The watchdog lets another context in while padding is put out, 20 KB in pieces: it goes on behind it. */
static void test_padding_goes_on_in_its_context(void **unused)
{
    (void)unused;
    struct streamer *s = begin();
    struct picture p = plain;
    uint32_t ends[1024], ends_b[64];
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    p.least_words = 40000;
    encode(s, &p);
    const uint64_t stream = sum_of(s->memory + STREAM, 0x20000);
    const uint32_t padding = register_get(s, COUNTS + 8);
    assert_in_range(padding, 3 * 16384, 80000);
    streamer_destroy(s);
    s = begin_contexts();
    const uint32_t count = picture_commands(s, &p, dw);
    const unsigned commands = ring_of(s, RING_A, dw, count, ends);
    context_put(s, CONTEXT_A, RING_A, ends[commands - 1] / 4096 + 1);
    context_put(s, CONTEXT_B, RING_B, 4);
    const uint32_t tail_b = start_b(s, ends_b);
    context_run(s, CONTEXT_A, ends[commands - 2]);
    context_submit(s, CONTEXT_A, ends[commands - 1]);
    while (!register_get(s, COUNTS + 8))
        softgt_run(s->device, 4);
    assert_in_range(register_get(s, COUNTS + 8), 1, padding - 1);
    context_submit(s, CONTEXT_B, tail_b);
    register_put(s, 0x1217c, 1);
    register_put(s, 0x12178, 0);
    softgt_advance(s->device, 10);
    register_put(s, 0x12178, UINT32_MAX);
    assert_int_equal(register_get(s, RCCID), CONTEXT_B | 1);
    softgt_run(s->device, 1u << 28);
    assert_int_equal(register_get(s, COUNTS + 8), 0);
    reload(s->device);
    context_run(s, CONTEXT_A, ends[commands - 1]);
    assert_int_equal(sum_of(s->memory + STREAM, 0x20000), stream);
    assert_int_equal(register_get(s, COUNTS + 8), padding);
    free(dw);
    streamer_destroy(s);
}

/* An image is guest memory: what is no state of an encoder is reported, and the context begins without any,
 * as it does where its image inhibits the restore. The status page, 20 KB behind the image's start, is never
 * touched. */
static void test_images_are_not_trusted(void **unused)
{
    enum { CODEC_MARK = 0x2c, PAGE_AT = 20 << 10 };
    (void)unused;
    for (unsigned i = 0; i < 7; i++) {
        struct streamer *const s = begin_contexts();
        struct picture p = plain;
        uint32_t ends[1024], ends_b[64], mark = 0;
        uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
        char told[256] = "";
        assert_non_null(dw);
        const uint32_t count = picture_commands(s, &p, dw);
        const unsigned commands = ring_of(s, RING_A, dw, count, ends);
        context_put(s, CONTEXT_A, RING_A, ends[commands - 1] / 4096 + 1);
        context_put(s, CONTEXT_B, RING_B, 4);
        context_run(s, CONTEXT_A, ends[commands / 2]);
        const struct encoder before = *video_encoder(s);
        assert_int_equal(before.slice.phase, SLICE_PHASE_MACROBLOCKS);
        context_run(s, CONTEXT_B, start_b(s, ends_b));
        for (uint32_t at = 45 * 4; at < PAGE_AT && !mark; at += 4)
            if (dword_at(s, CONTEXT_A + at) >> 16 == CODEC_MARK)
                mark = CONTEXT_A + at;
        assert_true(mark);
        assert_in_range(mark + (dword_at(s, mark) & 0xffffu) * 4u, mark, CONTEXT_A + PAGE_AT - 4);
        for (uint32_t at = PAGE_AT; at < PAGE_AT + 4096; at += 4)
            assert_int_equal(dword_at(s, CONTEXT_A + at), 0);
        if (i == 1)
            dword_put(s, mark, dword_at(s, mark) - 1);
        if (i == 2)
            dword_put(s, mark, dword_at(s, mark) | 0xffffu);
        if (i == 3)
            dword_put(s, mark + 4, dword_at(s, mark + 4) ^ 0x100);
        for (uint32_t n = 1; i == 4 && n <= (dword_at(s, mark) & 0xffffu); n++)
            dword_put(s, mark + n * 4, UINT32_MAX);
        if (i == 5)
            dword_put(s, mark, 0);
        if (i == 6)
            dword_put(s, CONTEXT_A + IMAGE_INHIBIT_DW * 4, 1);
        s->reported = heard;
        s->user = told;
        context_submit(s, CONTEXT_A, ends[commands / 2]);
        softgt_run(s->device, 1u << 28);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        const struct slice_context none = {0};
        assert_memory_equal(&video_encoder(s)->slice, i ? &none : &before.slice, sizeof none);
        assert_int_equal(strstr(told, "no state of the encoder") != NULL, i >= 1 && i <= 4);
        assert_true(i || memcmp(video_encoder(s), &before, sizeof before) == 0);
        s->reported = NULL;
        free(dw);
        streamer_destroy(s);
    }
}

/* Streams that tests/codec has had decoded. */
static void test_golden_streams(void **unused)
{
    (void)unused;
    static const struct {
        struct picture p;
        uint64_t stream, picture;
    } golden[] = {
        {{.width = 3, .height = 2, .qp = 20, .kinds = 7, .deblocking = 1, .noise = 30, .seed = 1},
         UINT64_C(0x2ba02abd2199978e),
         UINT64_C(0x81da3eef7a5cbda8)},
        {{.width = 3,
          .height = 2,
          .qp = 20,
          .kinds = 7,
          .deblocking = 1,
          .noise = 30,
          .seed = 1,
          .cabac = true},
         UINT64_C(0x6c35374f68a04930),
         UINT64_C(0x81da3eef7a5cbda8)},
        {{.width = 5,
          .height = 3,
          .qp = 33,
          .qp_spread = 9,
          .kinds = 3,
          .slices = 2,
          .alpha = 2,
          .beta = -1,
          .noise = 12,
          .seed = 2,
          .tiled = true,
          .cb_offset = 3,
          .cr_offset = 29},
         UINT64_C(0xa6c3aa66fcb3df14),
         UINT64_C(0x163569a72697c256)},
        {{.width = 5,
          .height = 3,
          .qp = 7,
          .kinds = 3,
          .deblocking = 2,
          .noise = 255,
          .seed = 3,
          .cabac = true,
          .tiled = true,
          .weighted = true,
          .transform_8x8 = true},
         UINT64_C(0xee088c15a328305c),
         UINT64_C(0xf6fbcaee31534bc3)},
        {{.width = 4,
          .height = 3,
          .number = 1,
          .init = 1,
          .reach = 60,
          .qp = 25,
          .kinds = 31,
          .noise = 9,
          .seed = 8,
          .cabac = true,
          .tiled = true},
         UINT64_C(0x818885ef5972f819),
         UINT64_C(0xf3cb5786b914657b)},
        {{.width = 4,
          .height = 3,
          .number = 2,
          .reach = 200,
          .qp = 31,
          .kinds = 25,
          .noise = 4,
          .seed = 9,
          .weighted = true,
          .tiled = true},
         UINT64_C(0xaac6bf254ba0bc37),
         UINT64_C(0x3b88e3a6448fb66a)},
        {{.width = 40,
          .height = 3,
          .qp = 22,
          .qp_spread = 6,
          .kinds = 7,
          .slices = 2,
          .deblocking = 2,
          .alpha = 1,
          .noise = 20,
          .seed = 10,
          .cabac = true,
          .tiled = true,
          .wide = true},
         UINT64_C(0x3c7f3224eae71d93),
         UINT64_C(0x796658ce93b1c674)},
        {{.width = 64,
          .height = 2,
          .qp = 30,
          .kinds = 3,
          .slices = 1,
          .noise = 40,
          .seed = 11,
          .cb_offset = 2,
          .wide = true},
         UINT64_C(0xe46b60b5ae55f70c),
         UINT64_C(0x69ef389a10d23d2d)},
        {{.width = 16,
          .height = 4,
          .qp = 26,
          .kinds = 7,
          .slices = 3,
          .noise = 60,
          .seed = 12,
          .cabac = true,
          .transform_8x8 = true,
          .weighted = true},
         UINT64_C(0x94e90a3a154d09f7),
         UINT64_C(0x191d5d7e3a8235fb)},
    };
    struct streamer *const s = begin();
    for (unsigned i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        encode(s, &golden[i].p);
        const uint64_t stream = sum_of(s->memory + STREAM, stream_bytes(s)),
                       picture = sum_of(s->memory + reconstructed_at(&golden[i].p), 0x80000);
        assert_true(stream == golden[i].stream);
        assert_true(picture == golden[i].picture);
    }
    streamer_destroy(s);
}

/* A mode may want what is not available, another slice's pixels among it: those count as 128. */
static void test_what_is_not_available_counts_as_128(void **unused)
{
    (void)unused;
    enum { AT = 8, INTRA_4X4 = 2 << 4 };
    struct streamer *const s = begin();
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    for (uint32_t mode = 0; mode < 13; mode++) {
        struct picture p = plain;
        p.width = 4;
        p.slices = 2;
        p.kinds = USE_16X16;
        const uint32_t count = picture_commands(s, &p, dw);
        for (uint32_t at = 0; at < count; at += (dw[at] & 0xfff) + 2)
            if ((dw[at] & 0xffff0000) == 0x71490000 && (dw[at + 4] & 0xffff) == (AT / 4) << 8) {
                dw[at + 3] = 1u << 13 | (mode < 4 ? 0 : INTRA_4X4); /* no levels */
                dw[at + 4] &= 0xffff;
                dw[at + 5] = 0;
                dw[at + 7] = dw[at + 8] = (mode < 4 ? mode : mode - 4) * 0x11111111u;
                dw[at + 9] = mode & 3;
            }
        batch_run(s, dw, count, false);
        for (uint32_t y = 0; y < 16; y++)
            for (uint32_t x = 0; x < 16; x++) {
                assert_int_equal(s->memory[RECONSTRUCTED + (AT / 4 * 16 + y) * PITCH + x], 128);
                assert_int_equal(s->memory[RECONSTRUCTED + (CB_ROWS + AT / 4 * 8 + y / 2) * PITCH + x], 128);
            }
    }
    free(dw);
    streamer_destroy(s);
}

/* A state that no engine comes to is none. */
static void test_made_up_states_are_refused(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    struct encoder *const c = video_encoder(s), kept = *c;
    for (unsigned i = 0; i < 12; i++) {
        c->cabac.range = i == 0 ? 511 : i == 1 ? 255 : 510;
        c->cabac.low = i == 2 ? 515 : i == 3 ? UINT32_MAX : i < 2 ? 0 : 514;
        c->cabac.outstanding = i == 4 ? CABAC_OUTSTANDING + 1 : CABAC_OUTSTANDING;
        c->cabac.states[CABAC_CONTEXTS - 1] = i == 5 ? 126 : 125;
        c->slice.qp = i == 6 ? -1 : i == 7 ? 52 : 51;
        c->position.at = i == 8 ? UINT64_MAX : 0;
        c->slice.zero_word_bytes_left = i == 9 ? UINT64_MAX : 0;
        c->neighbours.above[MAX_WIDTH_MB - 1].coefficients[7] = i == 10 ? 17 : 16;
        const struct blob b = saved(s->device);
        *c = kept;
        assert_int_equal(softgt_load(s->device, b.bytes, b.size) == 0, i == 11);
        free(b.bytes);
    }
    streamer_destroy(s);
}

/* The interval keeps the middle in it, and nothing is decided: what waits is bounded, and goes out. */
static void test_bits_that_wait_are_bounded(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    struct encoder *const c = video_encoder(s);
    struct bits b = {.memory = &c->memory, .position = &c->position, .silent = true};
    c->cabac.begins = 0;
    c->cabac.low = 400;
    c->cabac.range = 301;
    for (uint32_t i = 0; i < 2 * CABAC_OUTSTANDING; i++)
        cabac_bypass(&c->cabac, &b, 2 * c->cabac.low + c->cabac.range < 1024);
    assert_int_equal(b.put, 0);
    assert_int_equal(c->cabac.outstanding, CABAC_OUTSTANDING);
    reload(s->device);
    cabac_terminate(&c->cabac, &b, true);
    assert_int_equal(c->cabac.outstanding, 0);
    assert_in_range(b.put, CABAC_OUTSTANDING, CABAC_OUTSTANDING + 16);
    reload(s->device);
    streamer_destroy(s);
}

/* What a register's read waits for: a slice's bins are as many as its budget has time for. */
static void test_bins_use_up_a_slice(void **unused)
{
    (void)unused;
    enum { SLICE_DW = 65536, DW_NS = 10, BIN_NS = 8, MACROBLOCK_BINS = 16384 };
    const struct picture p = {
        .width = 14, .height = 10, .kinds = USE_4X4, .deblocking = 1, .cabac = true, .noise = 255, .seed = 5};
    struct streamer *const s = begin();
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    const uint32_t count = picture_commands(s, &p, dw);
    batch_put(s, dw, count, false);
    uint64_t before = 0, all = 0;
    for (bool more = true; more; before = video_encoder(s)->cabac.bins) {
        more = softgt_run(s->device, SLICE_DW);
        assert_true(video_encoder(s)->cabac.bins - before <= SLICE_DW * DW_NS / BIN_NS + MACROBLOCK_BINS);
        all = video_encoder(s)->cabac.bins;
    }
    assert_true(all > 140 * 8192);
    free(dw);
    streamer_destroy(s);
}

/* The largest levels and weights of every QP, from pixels that are black or white. */
static void test_extreme_matrices(void **unused)
{
    (void)unused;
    struct streamer *const s = begin();
    uint32_t *const dw = malloc(BATCH_ROOM_DW * 4u);
    assert_non_null(dw);
    for (uint32_t i = 0; i < 2 * 52; i++) {
        uint64_t seed = i;
        const struct picture p = {.width = 2,
                                  .height = 2,
                                  .qp = i / 2,
                                  .kinds = USE_4X4 | USE_16X16,
                                  .deblocking = 1,
                                  .cabac = i & 1,
                                  .cb_offset = i & 31,
                                  .cr_offset = 31 - (i & 31),
                                  .seed = i + 200};
        const uint32_t count = picture_commands(s, &p, dw);
        for (uint32_t at = 0; at < count; at += (dw[at] & 0xfff) + 2) {
            if (dw[at] >> 16 == 0x7142)
                memset(dw + at + 1, 0xff, (dw[at] & 0xfff) * 4u + 4u);
            if (dw[at] >> 16 == 0x7101)
                memset(dw + at + 1, i & 2 ? 0xff : 0, (dw[at] & 0xfff) * 4u + 4u);
        }
        for (uint32_t at = 0; at < PITCH * (CB_ROWS + 16); at++)
            s->memory[SOURCE + at] = i < 8 || below(&seed, 2) ? 255 * (at / 3 % 2) : 0;
        batch_run(s, dw, count, false);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(register_get(s, COUNTS), bits_before_padding(s, 0));
    }
    assert_int_equal(s->device->engines[VIDEO_ENGINE].totals.draws_skipped, 0);
    free(dw);
    streamer_destroy(s);
}

TEST_PROGRAM(encode_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_are_those_before_padding_with_the_stop_bit),
        cmocka_unit_test(test_slices_of_a_picture_count_together),
        cmocka_unit_test(test_padding_to_the_least_size_is_counted_in_bytes),
        cmocka_unit_test(test_zero_words_are_as_many_as_bins_ask_for),
        cmocka_unit_test(test_inserted_bits),
        cmocka_unit_test(test_nothing_is_written_from_the_upper_bound_on),
        cmocka_unit_test(test_slices_and_saves_change_nothing),
        cmocka_unit_test(test_what_is_not_encoded_is_told),
        cmocka_unit_test(test_other_generations_count_alone),
        cmocka_unit_test(test_hostile_pictures_end),
        cmocka_unit_test(test_a_reset_ends_the_slice),
        cmocka_unit_test(test_pictures_are_of_contexts),
        cmocka_unit_test(test_padding_goes_on_in_its_context),
        cmocka_unit_test(test_images_are_not_trusted),
        cmocka_unit_test(test_golden_streams),
        cmocka_unit_test(test_what_is_not_available_counts_as_128),
        cmocka_unit_test(test_made_up_states_are_refused),
        cmocka_unit_test(test_bits_that_wait_are_bounded),
        cmocka_unit_test(test_bins_use_up_a_slice),
        cmocka_unit_test(test_extreme_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
