/* REN-26, REN-09: frame buffer compression on Crestline. Passes over a frame buffer in virtual time, whose
 * result this decodes; tags; modifications by the CPU and by blits; single and periodic passes. */
#include "../suite.h"
#include "../streamer.h"
#include "../tiles.h"

enum {
    FRAME_BUFFER = DATA,
    COMPRESSED = DATA + (1 << 20),
    LENGTHS = COMPRESSED + (512 << 10), /* of compressed lines, 16 bits each */
    DONE = DATA + (2 << 20) - (64 << 10),
    WIDTH = 300,
    LINES = 101,
    MOST_LINES = 1536,
    PITCH = 1536,
    STRIDE = 256,     /* of compressed lines, bytes */
    PART = 256 << 10, /* of the frame buffer, which a fence covers */
    FRAME_NS = 16666667,
    FRAME_LINES = 1125,
    STORED = 1234,
    RED = 0xff0000, /* colours of pixels */
    BLUE = 0xff,
    GRAY = 0x777777,
    RGB = 0xffffff,
};

/* Bits of FBC_CONTROL. */
#define ENABLE               (1u << 31)
#define PERIODIC(interval)   (1u << 30 | (uint32_t)(interval) << 16)
#define STOP_ON_MODIFICATION (1u << 15)
#define UNCOMPRESSIBLE       (1u << 14)
#define STRIDE_OF(bytes)     ((uint32_t)((bytes) / 64 - 1) << 5)
#define FENCE_NUMBER         5u
/* Of FBC_STATUS. */
enum { MODIFIED = 1 << 29, COMPRESSED_ALL = 1 << 30, LINE_MASK = (1 << 11) - 1 };
#define COMPRESSING (1u << 31)
#define STATE_BITS  (COMPRESSING | COMPRESSED_ALL | MODIFIED)
/* Of FBC_CONTROL2, FBC_COMMAND and FBC_MOD_NUM. */
enum { CPU_FENCE_ENABLE = 1 << 1, PASS = 1, MODIFICATIONS_VALID = 1 };
/* The two bits of a tag. */
enum { TAG_MODIFIED, TAG_UNCOMPRESSED, TAG_UNCOMPRESSIBLE, TAG_COMPRESSED };
/* Of DSPCNTR and PIPE_CONF. */
enum { FORMAT_X8R8G8B8 = 6 << 26, FORMAT_8_BITS = 2 << 26, TILED = 1 << 10 };
#define PIPE_ENABLE (1u << 31)

static const struct surface surface = {FRAME_BUFFER, PITCH, TILE_X};

static void put_pixel(struct streamer *s, int x, int y, uint32_t color)
{
    dword_put(s, (uint32_t)place(&surface, 4, x * 4, y, false), color);
}

static uint32_t pixel_at(const struct streamer *s, int x, int y)
{
    return dword_at(s, (uint32_t)place(&surface, 4, x * 4, y, false));
}

/* Bars of a width that grows with the line; every tenth line is noise. */
static void draw(struct streamer *s)
{
    uint64_t seed = 26;
    for (int y = 0; y < LINES; y++)
        for (int x = 0; x < WIDTH; x++)
            put_pixel(s, x, y,
                      y % 10 == 3 ? (uint32_t)random_next(&seed)
                                  : 0xffu << 24 | (uint32_t)(x / (5 + y)) * (1u << 16 | 3u << 8 | 7u));
}

static struct streamer *start(void)
{
    struct streamer *s = streamer_create("cl");
    draw(s);
    reg_put(s, "PIPESRC[0]", (WIDTH - 1) << 16 | (LINES - 1));
    reg_put(s, "DSPCNTR[0]", FORMAT_X8R8G8B8 | TILED);
    reg_put(s, "DSPSTRIDE[0]", PITCH);
    reg_put(s, "DSPSURF[0]", FRAME_BUFFER);
    reg_put(s, "PIPE_CONF[0]", PIPE_ENABLE);
    reg_put(s, "FBC_CFB_BASE", COMPRESSED);
    reg_put(s, "FBC_LL_BASE", LENGTHS);
    return s;
}

static uint32_t tags(const struct streamer *s)
{
    return register_offset(s->device, "FBC_TAG[0]");
}

static unsigned tag_of(struct streamer *s, int line)
{
    const unsigned pair = ((unsigned)line + (reg_get(s, "FBC_DISPYOFF") & 1u)) / 2u;
    return register_get(s, tags(s) + pair / 16 * 4) >> pair % 16 * 2 & 3u;
}

/* The compressed line, decoded, is the source; the first difference, or -1. */
static int difference(const struct streamer *s, int line)
{
    uint16_t length;
    memcpy(&length, s->memory + LENGTHS + line * 2, 2);
    if (length == 0 || length > STRIDE || length % 4)
        return 0;
    int x = 0;
    for (unsigned at = 0; at < length; at += 4) {
        const uint32_t run = dword_at(s, (uint32_t)(COMPRESSED + line * STRIDE) + at);
        for (unsigned n = 0; n <= run >> 24; n++, x++)
            if (x >= WIDTH || (run & RGB) != (pixel_at(s, x, line) & RGB))
                return x;
    }
    return x == WIDTH ? -1 : x;
}

/* A fence over a part of the frame buffer. */
static void fence_put(struct streamer *s, unsigned number, uint32_t start, uint32_t pitch)
{
    const uint32_t at = register_offset(s->device, "FENCE[0]") + number * 8;
    register_put(s, at + 4, (start + PART - PAGE_BYTES) | (pitch / 128 - 1));
    register_put(s, at, start | 1);
}

static bool noise(int line)
{
    return line % 10 == 3;
}

static bool pair_is_noise(int line)
{
    return noise(line) || noise(line ^ 1);
}

static void to_next_blank(struct streamer *s)
{
    softgt_advance(s->device, FRAME_NS - softgt_now_ns(s->device) % FRAME_NS);
}

static void one_pass(void **state)
{
    (void)state;
    struct streamer *s = start();
    assert_int_equal(reg_get(s, "FBC_STATUS"), MODIFIED);
    reg_put(s, "FBC_CONTROL", ENABLE | STRIDE_OF(STRIDE));
    to_next_blank(s);
    assert_int_equal(reg_get(s, "FBC_STATUS"), MODIFIED); /* no command yet */
    reg_put(s, "FBC_COMMAND", PASS);
    assert_int_equal(reg_get(s, "FBC_STATUS"), MODIFIED); /* not before the next blank */
    to_next_blank(s);
    assert_int_equal(reg_get(s, "FBC_STATUS") & STATE_BITS, COMPRESSING);
    /* Lines go by as they are scanned; memory that a pass has not reached is untouched. */
    softgt_advance(s->device, FRAME_NS / FRAME_LINES * 40);
    const uint32_t line = reg_get(s, "FBC_STATUS") & LINE_MASK;
    assert_in_range(line, 36, 40);
    assert_int_equal(tag_of(s, 10), TAG_COMPRESSED);
    assert_int_equal(tag_of(s, 60), TAG_MODIFIED);
    assert_int_equal(dword_at(s, COMPRESSED + 60 * STRIDE), 0);
    reg_put(s, "FBC_STATUS", 0); /* read-only during a pass */
    assert_int_equal(reg_get(s, "FBC_STATUS") & STATE_BITS, COMPRESSING);
    softgt_advance(s->device, FRAME_NS / FRAME_LINES * 70);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    assert_int_equal(reg_get(s, "FBC_COMMAND"), 0);
    for (int y = 0; y < LINES; y++) {
        assert_int_equal(tag_of(s, y), pair_is_noise(y) ? TAG_UNCOMPRESSED : TAG_COMPRESSED);
        if (!noise(y))
            assert_int_equal(difference(s, y), -1);
        else
            assert_int_equal(s->memory[LENGTHS + y * 2] | s->memory[LENGTHS + y * 2 + 1], 0);
    }
    assert_int_equal(tag_of(s, LINES + 1), TAG_MODIFIED);
    streamer_destroy(s);
}

static void run_pass(struct streamer *s)
{
    reg_put(s, "FBC_COMMAND", PASS);
    to_next_blank(s);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(reg_get(s, "FBC_STATUS") & (COMPRESSING | COMPRESSED_ALL), COMPRESSED_ALL);
}

/* Lines that do not fit are tried again, unless the uncompressible mode is on. Compressed lines are skipped
 * until they are modified. */
static void candidates(void **state)
{
    (void)state;
    struct streamer *s = start();
    reg_put(s, "FBC_CONTROL", ENABLE | UNCOMPRESSIBLE | STRIDE_OF(STRIDE));
    run_pass(s);
    assert_int_equal(tag_of(s, 3), TAG_UNCOMPRESSIBLE);
    for (int x = 0; x < WIDTH; x++) {
        put_pixel(s, x, 3, RED);
        put_pixel(s, x, 13, RED);
        put_pixel(s, x, 40, BLUE);
    }
    run_pass(s);
    assert_int_equal(tag_of(s, 3), TAG_UNCOMPRESSIBLE);
    assert_int_equal(tag_of(s, 40), TAG_COMPRESSED);
    assert_true(difference(s, 40) >= 0); /* not compressed again */
    reg_put(s, "FBC_CONTROL", ENABLE | STRIDE_OF(STRIDE));
    run_pass(s);
    assert_int_equal(tag_of(s, 3), TAG_COMPRESSED);
    assert_int_equal(difference(s, 3), -1);
    assert_int_equal(difference(s, 13), -1);
    assert_true(difference(s, 40) >= 0);
    /* Software writes a tag: a candidate again. */
    register_put(s, tags(s) + 20 / 16 * 4, register_get(s, tags(s) + 20 / 16 * 4) & ~(3u << 20 % 16 * 2));
    run_pass(s);
    assert_int_equal(difference(s, 40), -1);
    /* A wider stride takes the noise, too. */
    reg_put(s, "FBC_CONTROL", ENABLE | STRIDE_OF(2048));
    run_pass(s);
    assert_int_equal(tag_of(s, 23), TAG_COMPRESSED);
    streamer_destroy(s);
}

/* The CPU through the fence, and blits to the render target, if the registers enable them. */
static void modifications(void **state)
{
    (void)state;
    struct streamer *s = start();
    fence_put(s, FENCE_NUMBER, FRAME_BUFFER, PITCH);
    reg_put(s, "FBC_CONTROL", ENABLE | STRIDE_OF(STRIDE) | FENCE_NUMBER);
    run_pass(s);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 21 * PITCH + 40, RED, 4);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL); /* the fence is not enabled */
    assert_int_equal(pixel_at(s, 10, 21), RED);
    reg_put(s, "FBC_CONTROL2", CPU_FENCE_ENABLE);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 21 * PITCH + 44, BLUE, 4);
    assert_int_equal(reg_get(s, "FBC_STATUS"), (COMPRESSED_ALL | MODIFIED));
    assert_int_equal(tag_of(s, 20), TAG_MODIFIED);
    assert_int_equal(tag_of(s, 21), TAG_MODIFIED);
    assert_int_equal(tag_of(s, 18), TAG_COMPRESSED);
    assert_int_equal(tag_of(s, 24), TAG_COMPRESSED);
    assert_true(difference(s, 21) >= 0);
    run_pass(s);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    assert_int_equal(difference(s, 21), -1);
    /* A write through another fence modifies nothing. */
    fence_put(s, FENCE_NUMBER + 1, FRAME_BUFFER + PART, PITCH);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + PART, 1, 4);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    /* A blit: lines 50 to 59, where the render target's base is valid and this. */
    struct softgt_engine_status e;
    unsigned copy = 0;
    for (unsigned i = 0; softgt_engine_get_status(s->device, i, &e); i++)
        if (strcmp(e.name, "bcs0") == 0)
            copy = i;
    s->engine = copy;
    s->base = s->device->sheet->engines[copy].mmio_base;
    register_put(s, s->base + RING_BUFFER_START, RING);
    register_put(s, s->base + RING_BUFFER_CTL, 1);
    uint32_t fill[6];
    assert_int_equal(assemble(s->device, copy, fill,
                              "XY_COLOR_BLT \"32bpp Byte Mask\" = 3, dest_tiling_enable = 1,"
                              " color_depth = \"32 Bit Color\", raster_operation = 0xf0,"
                              " destination_pitch = %u, destination_x1_coordinate = 10,"
                              " destination_y1_coordinate = 50, destination_x2_coordinate = 100,"
                              " destination_y2_coordinate = 60, destination_base_address = %u,"
                              " solid_pattern_color = %u",
                              PITCH / 4, FRAME_BUFFER, GRAY),
                     6);
    const uint32_t targets[] = {0, FRAME_BUFFER, FRAME_BUFFER + PAGE_BYTES + 1, FRAME_BUFFER | 1};
    for (unsigned i = 0; i < 4; i++) {
        reg_put(s, "rcs0.FBC_RT_BASE_ADDR_REGISTER", targets[i]);
        ring_run(s, fill, 6);
        assert_int_equal(reg_get(s, "FBC_STATUS"), i == 3 ? COMPRESSED_ALL | MODIFIED : COMPRESSED_ALL);
    }
    assert_int_equal(pixel_at(s, 50, 55), GRAY);
    for (int y = 0; y < LINES; y++)
        assert_int_equal(tag_of(s, y), y >= 50 && y < 60  ? TAG_MODIFIED
                                       : pair_is_noise(y) ? TAG_UNCOMPRESSED
                                                          : TAG_COMPRESSED);
    run_pass(s);
    assert_int_equal(difference(s, 55), -1);
    /* Stop on modification: no pass starts after one. */
    reg_put(s, "FBC_CONTROL", ENABLE | STOP_ON_MODIFICATION | STRIDE_OF(STRIDE) | FENCE_NUMBER);
    ring_run(s, fill, 6);
    reg_put(s, "FBC_COMMAND", PASS);
    to_next_blank(s);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(reg_get(s, "FBC_STATUS"), (COMPRESSED_ALL | MODIFIED));
    streamer_destroy(s);
}

static void periodic(void **state)
{
    (void)state;
    struct streamer *s = start();
    reg_put(s, "FBC_CONTROL", ENABLE | PERIODIC(3) | STRIDE_OF(STRIDE) | FENCE_NUMBER);
    reg_put(s, "FBC_COMMAND", PASS);
    assert_int_equal(reg_get(s, "FBC_COMMAND"), 0); /* ignored in this mode */
    for (unsigned frame = 1; frame <= 3; frame++) {
        assert_int_equal(reg_get(s, "FBC_STATUS"), MODIFIED);
        to_next_blank(s);
    }
    assert_int_equal(reg_get(s, "FBC_STATUS") & COMPRESSING, COMPRESSING);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    /* Recompression only after exactly two modifications. */
    reg_put(s, "FBC_MOD_NUM", 2u << 1 | MODIFICATIONS_VALID);
    reg_put(s, "FBC_CONTROL2", CPU_FENCE_ENABLE);
    fence_put(s, FENCE_NUMBER, FRAME_BUFFER, PITCH);
    for (unsigned writes = 1; writes <= 2; writes++) {
        softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + writes * 4 * PITCH, 0x55, 4);
        for (unsigned frame = 0; frame < 3; frame++)
            to_next_blank(s);
        assert_int_equal(reg_get(s, "FBC_STATUS") & COMPRESSING, writes == 2 ? COMPRESSING : 0);
    }
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(difference(s, 8), -1);
    /* One long step of time is as many short ones. */
    reg_put(s, "FBC_MOD_NUM", 0);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 16 * PITCH, 0x66, 4);
    softgt_advance(s->device, UINT64_C(20) * FRAME_NS);
    assert_int_equal(difference(s, 16), -1);
    assert_int_equal(tag_of(s, 16), TAG_COMPRESSED);
    /* Off: no pass any more. */
    reg_put(s, "FBC_CONTROL", STRIDE_OF(STRIDE) | FENCE_NUMBER);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 16 * PITCH, 0x67, 4);
    softgt_advance(s->device, UINT64_C(20) * FRAME_NS);
    assert_int_equal(tag_of(s, 16), TAG_MODIFIED);
    /* A disabled pipe has no blanks. */
    reg_put(s, "FBC_CONTROL", ENABLE | PERIODIC(1) | STRIDE_OF(STRIDE));
    reg_put(s, "PIPE_CONF[0]", 0);
    softgt_advance(s->device, UINT64_C(20) * FRAME_NS);
    assert_int_equal(tag_of(s, 16), TAG_MODIFIED);
    streamer_destroy(s);
}

#define WAIT_AND_STORE                                                                                       \
    "MI_WAIT_FOR_EVENT \"Frame Buffer Compression Idle Wait Enable\" = 1\n"                                  \
    "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u"

static bool same_state(struct streamer *a, struct streamer *b)
{
    const size_t size = softgt_save(a->device, NULL, 0);
    uint8_t *const first = malloc(size), *const second = malloc(size);
    assert_true(first && second && softgt_save(b->device, NULL, 0) == size);
    softgt_save(a->device, first, size);
    softgt_save(b->device, second, size);
    const bool same = memcmp(first, second, size) == 0 && memcmp(a->memory, b->memory, MEMORY_BYTES) == 0;
    free(first);
    free(second);
    return same;
}

/* 1952, 1993: a pass that is disabled ends at the next start of a vertical blank; its other lines are not
 * compressed. Enabled again before that, it continues. */
static void disabled_in_a_pass(void **state)
{
    enum { LAST = MOST_LINES - 1 };
    const uint32_t control = STRIDE_OF(STRIDE);
    (void)state;
    for (unsigned again = 0; again < 2; again++) {
        struct streamer *s = start();
        reg_put(s, "PIPESRC[0]", (WIDTH - 1) << 16 | LAST);
        reg_put(s, "DSPCNTR[0]", FORMAT_X8R8G8B8);
        reg_put(s, "DSPSTRIDE[0]", 64); /* lines overlap: all of them fit into memory */
        reg_put(s, "FBC_CONTROL", ENABLE | control);
        reg_put(s, "FBC_COMMAND", PASS);
        to_next_blank(s);
        assert_int_equal(reg_get(s, "FBC_STATUS") & COMPRESSING, COMPRESSING);
        softgt_advance(s->device, FRAME_NS / 2);
        reg_put(s, "FBC_CONTROL", control);
        assert_int_equal(reg_get(s, "FBC_STATUS") & COMPRESSING, COMPRESSING);
        softgt_advance(s->device, FRAME_NS / 4);
        assert_int_equal(reg_get(s, "FBC_STATUS") & COMPRESSING, COMPRESSING);
        if (again)
            reg_put(s, "FBC_CONTROL", ENABLE | control);
        else /* the blank is the next event */
            assert_int_equal(softgt_next_event_ns(s->device), 2 * FRAME_NS);
        to_next_blank(s);
        assert_int_equal(reg_get(s, "FBC_STATUS") & COMPRESSING, again ? COMPRESSING : 0);
        if (!again)
            assert_int_equal(reg_get(s, "FBC_STATUS"), 0);
        softgt_advance(s->device, FRAME_NS);
        assert_int_equal(reg_get(s, "FBC_STATUS"), again ? COMPRESSED_ALL : 0);
        assert_int_equal(tag_of(s, 100), TAG_COMPRESSED);
        assert_int_equal(tag_of(s, LAST), again ? TAG_COMPRESSED : TAG_MODIFIED);
        /* A single pass that was not completed is still asked for. */
        assert_int_equal(reg_get(s, "FBC_COMMAND"), !again);
        reg_put(s, "FBC_CONTROL", ENABLE | control);
        to_next_blank(s);
        softgt_advance(s->device, 2 * FRAME_NS);
        assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
        assert_int_equal(tag_of(s, LAST), TAG_COMPRESSED);
        streamer_destroy(s);
    }
}

/* The same in one step of time as in many, with a streamer that waits for it. */
static void disabled_in_steps(void **state)
{
    (void)state;
    struct streamer *two[2] = {start(), start()};
    for (unsigned k = 0; k < 2; k++) {
        struct streamer *s = two[k];
        reg_put(s, "rcs0.RING_BUFFER_START", RING);
        reg_put(s, "rcs0.RING_BUFFER_CTL", 1);
        reg_put(s, "PIPESRC[0]", (WIDTH - 1) << 16 | (MOST_LINES - 1));
        reg_put(s, "FBC_CONTROL", ENABLE | PERIODIC(1) | STRIDE_OF(STRIDE));
        to_next_blank(s);
        softgt_advance(s->device, FRAME_NS / 2);
        reg_put(s, "FBC_CONTROL", PERIODIC(1) | STRIDE_OF(STRIDE));
        RING_RUN(s, WAIT_AND_STORE, DONE, STORED);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
        for (uint64_t left_ns = 3 * FRAME_NS, n; left_ns; left_ns -= n) {
            n = k == 0 ? left_ns : FRAME_NS / 7 + 3;
            n = n < left_ns ? n : left_ns;
            softgt_advance(s->device, n);
        }
        softgt_run(s->device, 1 << 20);
        assert_int_equal(dword_at(s, DONE), STORED);
        assert_int_equal(reg_get(s, "FBC_STATUS"), 0);
    }
    assert_true(same_state(two[0], two[1]));
    streamer_destroy(two[0]);
    streamer_destroy(two[1]);
}

/* A buffer that starts on an odd line of its fence: line 0 is the second of the first tag; 1536 lines need 49
 * dwords. */
static void odd_start(void **state)
{
    (void)state;
    struct streamer *s = start();
    reg_put(s, "FBC_DISPYOFF", (UINT32_MAX & ~(PAGE_BYTES - 1u)) | 1);
    assert_int_equal(reg_get(s, "FBC_DISPYOFF"), 1);
    reg_put(s, "PIPESRC[0]", MOST_LINES - 1);
    reg_put(s, "DSPCNTR[0]", FORMAT_8_BITS);
    reg_put(s, "DSPSTRIDE[0]", 64);
    reg_put(s, "FBC_CONTROL", ENABLE | FENCE_NUMBER);
    reg_put(s, "FBC_COMMAND", PASS);
    to_next_blank(s);
    softgt_advance(s->device, 2 * FRAME_NS);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(register_get(s, tags(s) + i * 4), UINT32_MAX);
    assert_int_equal(register_get(s, tags(s) + 48 * 4), 3);
    reg_put(s, "FBC_CONTROL2", CPU_FENCE_ENABLE);
    fence_put(s, FENCE_NUMBER, FRAME_BUFFER, 512);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER, 1, 4); /* above the buffer */
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 2 * 512, 1, 4); /* its line 1 */
    assert_int_equal(reg_get(s, "FBC_TAG[0]"), UINT32_MAX & ~(3u << 2));
    streamer_destroy(s);
}

/* Any number of frames in one step, or in many: memory, tags, status and the frames counted are the same; so
 * to the end of time. */
static void long_steps(void **state)
{
    (void)state;
    static const struct {
        uint32_t control, command, mod_num, lines;
    } cases[] = {
        {PERIODIC(1), 0, 0, LINES},
        {PERIODIC(1), 0, 0, MOST_LINES},
        {PERIODIC(3), 0, 0, MOST_LINES},
        {PERIODIC(7), 0, 0, LINES},
        {PERIODIC(5), 0, MODIFICATIONS_VALID, LINES},
        {PERIODIC(5), 0, 2 << 1 | MODIFICATIONS_VALID, LINES},
        {PERIODIC(16383), 0, 0, LINES},
        {PERIODIC(0), 0, 0, LINES},
        {0, 0, 0, LINES},
        {0, PASS, 0, MOST_LINES},
        {PERIODIC(1) | UNCOMPRESSIBLE, 0, 0, LINES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *two[2] = {start(), start()};
        const uint64_t span_ns = UINT64_C(1003) * FRAME_NS + 12345;
        for (unsigned k = 0; k < 2; k++) {
            struct streamer *s = two[k];
            reg_put(s, "PIPESRC[0]", (WIDTH - 1) << 16 | (cases[i].lines - 1));
            reg_put(s, "FBC_MOD_NUM", cases[i].mod_num);
            reg_put(s, "FBC_CONTROL", ENABLE | cases[i].control | STRIDE_OF(STRIDE));
            reg_put(s, "FBC_COMMAND", cases[i].command);
            for (uint64_t left_ns = span_ns, n; left_ns; left_ns -= n) {
                n = k == 0 ? left_ns : FRAME_NS / 3 + 7;
                n = n < left_ns ? n : left_ns;
                softgt_advance(s->device, n);
            }
        }
        assert_true(same_state(two[0], two[1]));
        for (unsigned k = 0; k < 2; k++) {
            softgt_advance(two[k]->device, UINT64_MAX - k);
            assert_int_equal(softgt_now_ns(two[k]->device), SOFTGT_LAST_NS);
            softgt_advance(two[k]->device, 1);
            assert_int_equal(softgt_now_ns(two[k]->device), SOFTGT_LAST_NS);
        }
        assert_true(same_state(two[0], two[1]));
        streamer_destroy(two[0]);
        streamer_destroy(two[1]);
    }
}

/* A streamer waits until the compressor is idle. The test mode of the status register. */
static void waiting_for_it(void **state)
{
    (void)state;
    struct streamer *s = start();
    reg_put(s, "rcs0.RING_BUFFER_START", RING);
    reg_put(s, "rcs0.RING_BUFFER_CTL", 1);
    reg_put(s, "FBC_CONTROL", ENABLE | STRIDE_OF(STRIDE));
    reg_put(s, "FBC_COMMAND", PASS);
    to_next_blank(s);
    RING_RUN(s, WAIT_AND_STORE, DONE, STORED);
    assert_int_equal(dword_at(s, DONE), 0);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
    const uint64_t next_ns = softgt_next_event_ns(s->device);
    softgt_advance(s->device, next_ns - softgt_now_ns(s->device));
    softgt_run(s->device, 1 << 20);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    assert_int_equal(dword_at(s, DONE), STORED);
    reg_put(s, "FBC_STATUS", MODIFIED);
    assert_int_equal(reg_get(s, "FBC_STATUS"), MODIFIED);
    reg_put(s, "FBC_STATUS", UINT32_MAX);
    assert_int_equal(reg_get(s, "FBC_STATUS"), (COMPRESSED_ALL | MODIFIED));
    /* Saved and loaded in a pass. */
    reg_put(s, "FBC_TAG[0]", 0);
    reg_put(s, "FBC_COMMAND", PASS);
    to_next_blank(s);
    softgt_advance(s->device, FRAME_NS / FRAME_LINES * 3);
    const size_t size = softgt_save(s->device, NULL, 0);
    void *saved = malloc(size);
    assert_int_equal(softgt_save(s->device, saved, size), size);
    softgt_reset(s->device);
    assert_int_equal(softgt_load(s->device, saved, size), 0);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(reg_get(s, "FBC_STATUS"), COMPRESSED_ALL);
    assert_int_equal(tag_of(s, 0), TAG_COMPRESSED);
    free(saved);
    streamer_destroy(s);
}

TEST_PROGRAM(fbc_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass),          cmocka_unit_test(candidates),
        cmocka_unit_test(modifications),     cmocka_unit_test(periodic),
        cmocka_unit_test(odd_start),         cmocka_unit_test(long_steps),
        cmocka_unit_test(waiting_for_it),    cmocka_unit_test(disabled_in_a_pass),
        cmocka_unit_test(disabled_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
