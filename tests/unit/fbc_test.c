/* REN-26, REN-09: frame buffer compression on Crestline: passes over a real frame buffer in virtual time,
 * whose result is decoded again here; tags, modifications by the CPU and by blits, single and periodic
 * passes. */
#include "../suite.h"
#include "../streamer.h"
#include "../tiles.h"

enum {
    CFB_BASE = 0x3200,
    LL_BASE = 0x3204,
    CONTROL = 0x3208,
    COMMAND = 0x320c,
    STATUS = 0x3210,
    CONTROL2 = 0x3214,
    DISPYOFF = 0x3218,
    MOD_NUM = 0x3220,
    TAG = 0x3300,
    RT_BASE = 0x2128,
    FENCE = 0x100000,
    PIPE_CONF = 0x70008,
    PIPESRC = 0x6001c,
    DSPCNTR = 0x70180,
    DSPSTRIDE = 0x70188,
    DSPSURF = 0x7019c,
    FRAME_BUFFER = DATA,
    COMPRESSED = DATA + 0x100000,
    LENGTHS = DATA + 0x180000,
    WIDTH = 300,
    LINES = 101,
    PITCH = 1536,
    STRIDE = 256, /* of compressed lines, bytes */
    FRAME_NS = 16666667,
};

#define ENABLE 0x80000000u

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
                                  : 0xff000000u | (uint32_t)(x / (5 + y)) * 0x010307u);
}

static struct streamer *start(void)
{
    struct streamer *s = streamer_create("cl");
    draw(s);
    register_put(s, PIPESRC, (WIDTH - 1) << 16 | (LINES - 1));
    register_put(s, DSPCNTR, 6u << 26 | 1u << 10);
    register_put(s, DSPSTRIDE, PITCH);
    register_put(s, DSPSURF, FRAME_BUFFER);
    register_put(s, PIPE_CONF, ENABLE);
    register_put(s, CFB_BASE, COMPRESSED);
    register_put(s, LL_BASE, LENGTHS);
    return s;
}

static unsigned tag_of(struct streamer *s, int line)
{
    const unsigned pair = ((unsigned)line + (register_get(s, DISPYOFF) & 1u)) / 2u;
    return register_get(s, TAG + pair / 16 * 4) >> pair % 16 * 2 & 3u;
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
            if (x >= WIDTH || (run & 0xffffff) != (pixel_at(s, x, line) & 0xffffff))
                return x;
    }
    return x == WIDTH ? -1 : x;
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
    assert_int_equal(register_get(s, STATUS), 0x20000000);
    register_put(s, CONTROL, ENABLE | (STRIDE / 64 - 1) << 5);
    to_next_blank(s);
    assert_int_equal(register_get(s, STATUS), 0x20000000); /* nobody asked */
    register_put(s, COMMAND, 1);
    assert_int_equal(register_get(s, STATUS), 0x20000000); /* not before the next blank */
    to_next_blank(s);
    assert_int_equal(register_get(s, STATUS) >> 29, 4);
    /* Lines go by as they are scanned; memory that a pass has not reached is untouched. */
    softgt_advance(s->device, FRAME_NS / 1125 * 40);
    const uint32_t line = register_get(s, STATUS) & 0x7ff;
    assert_in_range(line, 36, 40);
    assert_int_equal(tag_of(s, 10), 3);
    assert_int_equal(tag_of(s, 60), 0);
    assert_int_equal(dword_at(s, COMPRESSED + 60 * STRIDE), 0);
    register_put(s, STATUS, 0); /* read-only during a pass */
    assert_int_equal(register_get(s, STATUS) >> 29, 4);
    softgt_advance(s->device, FRAME_NS / 1125 * 70);
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    assert_int_equal(register_get(s, COMMAND), 0);
    for (int y = 0; y < LINES; y++) {
        assert_int_equal(tag_of(s, y), pair_is_noise(y) ? 1 : 3);
        if (!noise(y))
            assert_int_equal(difference(s, y), -1);
        else
            assert_int_equal(s->memory[LENGTHS + y * 2] | s->memory[LENGTHS + y * 2 + 1], 0);
    }
    assert_int_equal(tag_of(s, LINES + 1), 0);
    streamer_destroy(s);
}

static void run_pass(struct streamer *s)
{
    register_put(s, COMMAND, 1);
    to_next_blank(s);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(register_get(s, STATUS) >> 30, 1);
}

/* Lines that do not fit are tried again, or not where the uncompressible mode is on; compressed ones are left
 * alone until a modification is told. */
static void candidates(void **state)
{
    (void)state;
    struct streamer *s = start();
    register_put(s, CONTROL, ENABLE | 1u << 14 | (STRIDE / 64 - 1) << 5);
    run_pass(s);
    assert_int_equal(tag_of(s, 3), 2);
    for (int x = 0; x < WIDTH; x++) {
        put_pixel(s, x, 3, 0x123456);
        put_pixel(s, x, 13, 0x123456);
        put_pixel(s, x, 40, 0x654321);
    }
    run_pass(s);
    assert_int_equal(tag_of(s, 3), 2);
    assert_int_equal(tag_of(s, 40), 3);
    assert_true(difference(s, 40) >= 0); /* still what it was */
    register_put(s, CONTROL, ENABLE | (STRIDE / 64 - 1) << 5);
    run_pass(s);
    assert_int_equal(tag_of(s, 3), 3);
    assert_int_equal(difference(s, 3), -1);
    assert_int_equal(difference(s, 13), -1);
    assert_true(difference(s, 40) >= 0);
    /* Software writes a tag: a candidate again. */
    register_put(s, TAG + 20 / 16 * 4, register_get(s, TAG + 20 / 16 * 4) & ~(3u << 20 % 16 * 2));
    run_pass(s);
    assert_int_equal(difference(s, 40), -1);
    /* A wider stride takes the noise, too. */
    register_put(s, CONTROL, ENABLE | (2048 / 64 - 1) << 5);
    run_pass(s);
    assert_int_equal(tag_of(s, 23), 3);
    streamer_destroy(s);
}

/* The CPU through the fence, and blits to the render target, if the registers let them. */
static void modifications(void **state)
{
    (void)state;
    struct streamer *s = start();
    register_put(s, FENCE + 5 * 8 + 4, (FRAME_BUFFER + 0x40000 - 0x1000) | (PITCH / 128 - 1));
    register_put(s, FENCE + 5 * 8, FRAME_BUFFER | 1);
    register_put(s, CONTROL, ENABLE | (STRIDE / 64 - 1) << 5 | 5);
    run_pass(s);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 21 * PITCH + 40, 0xabcdef, 4);
    assert_int_equal(register_get(s, STATUS), 0x40000000); /* no fence is looked at */
    assert_int_equal(pixel_at(s, 10, 21), 0xabcdef);
    register_put(s, CONTROL2, 2);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 21 * PITCH + 44, 0xabcdee, 4);
    assert_int_equal(register_get(s, STATUS), 0x60000000);
    assert_int_equal(tag_of(s, 20), 0);
    assert_int_equal(tag_of(s, 21), 0);
    assert_int_equal(tag_of(s, 18), 3);
    assert_int_equal(tag_of(s, 24), 3);
    assert_true(difference(s, 21) >= 0);
    run_pass(s);
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    assert_int_equal(difference(s, 21), -1);
    /* Another fence's write is none of it. */
    register_put(s, FENCE + 6 * 8 + 4, (FRAME_BUFFER + 0x80000 - 0x1000) | (PITCH / 128 - 1));
    register_put(s, FENCE + 6 * 8, (FRAME_BUFFER + 0x40000) | 1);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 0x40000, 1, 4);
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    /* A blit: lines 50 to 59, where the render target's base is valid and this. */
    struct softgt_engine_status e;
    unsigned copy = 0;
    for (unsigned i = 0; softgt_engine_status(s->device, i, &e); i++)
        if (strcmp(e.name, "bcs0") == 0)
            copy = i;
    s->engine = copy;
    s->base = 0x22000;
    register_put(s, 0x22038, RING);
    register_put(s, 0x2203c, 1);
    const uint32_t fill[] = {2u << 29 | 0x50u << 22 | 3u << 20 | 1u << 11 | 4,
                             3u << 24 | 0xf0u << 16 | PITCH / 4,
                             50u << 16 | 10,
                             60u << 16 | 100,
                             FRAME_BUFFER,
                             0x00777777};
    const uint32_t targets[] = {0, FRAME_BUFFER, FRAME_BUFFER + 0x1001, FRAME_BUFFER | 1};
    for (unsigned i = 0; i < 4; i++) {
        register_put(s, RT_BASE, targets[i]);
        ring_run(s, fill, 6);
        assert_int_equal(register_get(s, STATUS), i == 3 ? 0x60000000 : 0x40000000);
    }
    assert_int_equal(pixel_at(s, 50, 55), 0x777777);
    for (int y = 0; y < LINES; y++)
        assert_int_equal(tag_of(s, y), y >= 50 && y < 60 ? 0 : pair_is_noise(y) ? 1 : 3);
    run_pass(s);
    assert_int_equal(difference(s, 55), -1);
    /* Stop on modification: no pass starts after one. */
    register_put(s, CONTROL, ENABLE | 1u << 15 | (STRIDE / 64 - 1) << 5 | 5);
    ring_run(s, fill, 6);
    register_put(s, COMMAND, 1);
    to_next_blank(s);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(register_get(s, STATUS), 0x60000000);
    streamer_destroy(s);
}

static void periodic(void **state)
{
    (void)state;
    struct streamer *s = start();
    register_put(s, CONTROL, ENABLE | 1u << 30 | 3u << 16 | (STRIDE / 64 - 1) << 5 | 5);
    register_put(s, COMMAND, 1);
    assert_int_equal(register_get(s, COMMAND), 0); /* ignored in this mode */
    for (unsigned frame = 1; frame <= 3; frame++) {
        assert_int_equal(register_get(s, STATUS), 0x20000000);
        to_next_blank(s);
    }
    assert_int_equal(register_get(s, STATUS) >> 31, 1);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    /* Recompression only after exactly two modifications. */
    register_put(s, MOD_NUM, 2u << 1 | 1);
    register_put(s, CONTROL2, 2);
    register_put(s, FENCE + 5 * 8 + 4, (FRAME_BUFFER + 0x40000 - 0x1000) | (PITCH / 128 - 1));
    register_put(s, FENCE + 5 * 8, FRAME_BUFFER | 1);
    for (unsigned writes = 1; writes <= 2; writes++) {
        softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + writes * 4 * PITCH, 0x55, 4);
        for (unsigned frame = 0; frame < 3; frame++)
            to_next_blank(s);
        assert_int_equal(register_get(s, STATUS) >> 31, writes == 2);
    }
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(difference(s, 8), -1);
    /* One long step of time is as many short ones. */
    register_put(s, MOD_NUM, 0);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 16 * PITCH, 0x66, 4);
    softgt_advance(s->device, UINT64_C(20) * FRAME_NS);
    assert_int_equal(difference(s, 16), -1);
    assert_int_equal(tag_of(s, 16), 3);
    /* Off: no pass any more. */
    register_put(s, CONTROL, (STRIDE / 64 - 1) << 5 | 5);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 16 * PITCH, 0x67, 4);
    softgt_advance(s->device, UINT64_C(20) * FRAME_NS);
    assert_int_equal(tag_of(s, 16), 0);
    /* A pipe that is off has no blanks. */
    register_put(s, CONTROL, ENABLE | 1u << 30 | 1u << 16 | (STRIDE / 64 - 1) << 5);
    register_put(s, PIPE_CONF, 0);
    softgt_advance(s->device, UINT64_C(20) * FRAME_NS);
    assert_int_equal(tag_of(s, 16), 0);
    streamer_destroy(s);
}

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

/* 1952, 1993: disabled in the middle of a pass, by the next start of a vertical blank it is over: what it has
 * not come to is not compressed. Enabled again before, it goes on. */
static void disabled_in_a_pass(void **state)
{
    enum { LAST = 1535 };
    const uint32_t control = (STRIDE / 64 - 1) << 5;
    (void)state;
    for (unsigned again = 0; again < 2; again++) {
        struct streamer *s = start();
        register_put(s, PIPESRC, (WIDTH - 1) << 16 | LAST);
        register_put(s, DSPCNTR, 6u << 26);
        register_put(s, DSPSTRIDE, 64); /* lines lie over each other: there is memory for all of them */
        register_put(s, CONTROL, ENABLE | control);
        register_put(s, COMMAND, 1);
        to_next_blank(s);
        assert_int_equal(register_get(s, STATUS) >> 31, 1);
        softgt_advance(s->device, FRAME_NS / 2);
        register_put(s, CONTROL, control);
        assert_int_equal(register_get(s, STATUS) >> 31, 1);
        softgt_advance(s->device, FRAME_NS / 4);
        assert_int_equal(register_get(s, STATUS) >> 31, 1);
        if (again)
            register_put(s, CONTROL, ENABLE | control);
        else /* whoever waits for it is told of the blank */
            assert_int_equal(softgt_next_event_ns(s->device), 2 * FRAME_NS);
        to_next_blank(s);
        assert_int_equal(register_get(s, STATUS) >> 31, again);
        if (!again)
            assert_int_equal(register_get(s, STATUS), 0);
        softgt_advance(s->device, FRAME_NS);
        assert_int_equal(register_get(s, STATUS), again ? 0x40000000 : 0);
        assert_int_equal(tag_of(s, 100), 3);
        assert_int_equal(tag_of(s, LAST), again ? 3 : 0);
        /* A single pass that was not completed is still asked for. */
        assert_int_equal(register_get(s, COMMAND), !again);
        register_put(s, CONTROL, ENABLE | control);
        to_next_blank(s);
        softgt_advance(s->device, 2 * FRAME_NS);
        assert_int_equal(register_get(s, STATUS), 0x40000000);
        assert_int_equal(tag_of(s, LAST), 3);
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
        register_put(s, 0x2038, RING);
        register_put(s, 0x203c, 1);
        register_put(s, PIPESRC, (WIDTH - 1) << 16 | 1535);
        register_put(s, CONTROL, ENABLE | 1u << 30 | 1u << 16 | (STRIDE / 64 - 1) << 5);
        to_next_blank(s);
        softgt_advance(s->device, FRAME_NS / 2);
        register_put(s, CONTROL, 1u << 30 | 1u << 16 | (STRIDE / 64 - 1) << 5);
        ring_run(
            s, (const uint32_t[]){3u << 23 | 1u << 4, 0x20u << 23 | 1u << 22 | 2, 0, DATA + 0x1f0000, 0x600d},
            5);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
        for (uint64_t left_ns = 3 * FRAME_NS, n; left_ns; left_ns -= n) {
            n = k == 0 ? left_ns : FRAME_NS / 7 + 3;
            n = n < left_ns ? n : left_ns;
            softgt_advance(s->device, n);
        }
        softgt_run(s->device, 1 << 20);
        assert_int_equal(dword_at(s, DATA + 0x1f0000), 0x600d);
        assert_int_equal(register_get(s, STATUS), 0);
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
    register_put(s, DISPYOFF, 0xfffff001);
    assert_int_equal(register_get(s, DISPYOFF), 1);
    register_put(s, PIPESRC, 1535);
    register_put(s, DSPCNTR, 2u << 26);
    register_put(s, DSPSTRIDE, 64);
    register_put(s, CONTROL, ENABLE | 5);
    register_put(s, COMMAND, 1);
    to_next_blank(s);
    softgt_advance(s->device, 2 * FRAME_NS);
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(register_get(s, TAG + i * 4), 0xffffffff);
    assert_int_equal(register_get(s, TAG + 48 * 4), 3);
    register_put(s, CONTROL2, 2);
    register_put(s, FENCE + 5 * 8 + 4, (FRAME_BUFFER + 0x40000 - 0x1000) | 3);
    register_put(s, FENCE + 5 * 8, FRAME_BUFFER | 1);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER, 1, 4); /* above the buffer */
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, FRAME_BUFFER + 2 * 512, 1, 4); /* its line 1 */
    assert_int_equal(register_get(s, TAG), 0xfffffff3);
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
        {1u << 30 | 1u << 16, 0, 0, LINES},
        {1u << 30 | 1u << 16, 0, 0, 1536},
        {1u << 30 | 3u << 16, 0, 0, 1536},
        {1u << 30 | 7u << 16, 0, 0, LINES},
        {1u << 30 | 5u << 16, 0, 1, LINES},
        {1u << 30 | 5u << 16, 0, 2 << 1 | 1, LINES},
        {1u << 30 | 0x3fffu << 16, 0, 0, LINES},
        {1u << 30, 0, 0, LINES},
        {0, 0, 0, LINES},
        {0, 1, 0, 1536},
        {1u << 30 | 1u << 16 | 1u << 14, 0, 0, LINES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *two[2] = {start(), start()};
        const uint64_t span_ns = UINT64_C(1003) * FRAME_NS + 12345;
        for (unsigned k = 0; k < 2; k++) {
            struct streamer *s = two[k];
            register_put(s, PIPESRC, (WIDTH - 1) << 16 | (cases[i].lines - 1));
            register_put(s, MOD_NUM, cases[i].mod_num);
            register_put(s, CONTROL, ENABLE | cases[i].control | (STRIDE / 64 - 1) << 5);
            register_put(s, COMMAND, cases[i].command);
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
    register_put(s, 0x2038, RING);
    register_put(s, 0x203c, 1);
    register_put(s, CONTROL, ENABLE | (STRIDE / 64 - 1) << 5);
    register_put(s, COMMAND, 1);
    to_next_blank(s);
    ring_run(
        s, (const uint32_t[]){3u << 23 | 1u << 4, 0x20u << 23 | 1u << 22 | 2, 0, DATA + 0x1f0000, 0x600d}, 5);
    assert_int_equal(dword_at(s, DATA + 0x1f0000), 0);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
    const uint64_t next_ns = softgt_next_event_ns(s->device);
    softgt_advance(s->device, next_ns - softgt_now_ns(s->device));
    softgt_run(s->device, 1 << 20);
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    assert_int_equal(dword_at(s, DATA + 0x1f0000), 0x600d);
    register_put(s, STATUS, 0x20000000);
    assert_int_equal(register_get(s, STATUS), 0x20000000);
    register_put(s, STATUS, 0xffffffff);
    assert_int_equal(register_get(s, STATUS), 0x60000000);
    /* Saved and loaded in a pass. */
    register_put(s, TAG, 0);
    register_put(s, COMMAND, 1);
    to_next_blank(s);
    softgt_advance(s->device, FRAME_NS / 1125 * 3);
    const size_t size = softgt_save(s->device, NULL, 0);
    void *saved = malloc(size);
    assert_int_equal(softgt_save(s->device, saved, size), size);
    softgt_reset(s->device);
    assert_int_equal(softgt_load(s->device, saved, size), 0);
    softgt_advance(s->device, FRAME_NS / 2);
    assert_int_equal(register_get(s, STATUS), 0x40000000);
    assert_int_equal(tag_of(s, 0), 3);
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
