/* What a device does next by itself, as its owner is told: flips, vertical and horizontal
 * blanks, scan-line windows, passes of the compressor; and when hardware enters RC6. (REN-26, REN-30, REN-37,
 * CSP-19) */
#include "../suite.h"
#include "../streamer.h"

enum { PIPE_CONF = 0x70008, PIPESTAT = 0x70024, FRAME_NS = 16666667, LINE_NS = FRAME_NS / 1125 };

/* The device runs these commands; it stands 1 us behind the start of a frame. */
static struct streamer *start(const char *device, const uint32_t *commands, unsigned count_dw)
{
    struct streamer *s = streamer_create(device);
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        register_put(s, PIPE_CONF + pipe * 0x1000u, 0x80000000u);
        register_put(s, PIPESTAT + pipe * 0x1000u, 1u << 17);
    }
    softgt_advance(s->device, 1000);
    ring_run(s, commands, count_dw);
    return s;
}

/* At the next event the engine goes on, a nanosecond earlier it does not. */
static void goes_on_at(struct streamer *s, uint64_t at_ns, uint64_t slack_ns)
{
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
    const uint64_t next_ns = softgt_next_event_ns(s->device);
    assert_in_range(next_ns, at_ns, at_ns + slack_ns);
    softgt_advance(s->device, next_ns - 1u - softgt_now_ns(s->device));
    softgt_run(s->device, UINT64_MAX);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
    assert_int_equal(softgt_next_event_ns(s->device), next_ns);
    softgt_advance(s->device, 1);
    softgt_run(s->device, UINT64_MAX);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

#define COMMANDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4

static void gen6_waits(void **state)
{
    (void)state;
    static const struct {
        uint32_t commands[4];
        unsigned count_dw;
        uint64_t at_ns;
    } cases[] = {
        {{0x01800008, 0}, 2, FRAME_NS}, /* vertical blank of A, its start, B's */
        {{0x01820000, 0}, 2, FRAME_NS},
        {{0x01800080, 0}, 2, FRAME_NS},
        {{0x01840000, 0}, 2, FRAME_NS},
        {{0x01802000, 0}, 2, LINE_NS * 7 / 8},                       /* horizontal blank */
        {{0x09000000, 100, 0x01800002, 0}, 4, LINE_NS * 101},        /* lines 0 to 100, from inside */
        {{0x09000000, 1123, 0x01800002, 0}, 4, LINE_NS * 1124},      /* all but one */
        {{0x09800000, 0x00640070, 0x01800002, 0}, 4, LINE_NS * 100}, /* 100 to 112, from outside */
        {{0x09100000, 5, 0x01800020, 0}, 4, LINE_NS * 6},            /* pipe B */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *s = start("snb", cases[i].commands, cases[i].count_dw);
        goes_on_at(s, cases[i].at_ns, 1000);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        streamer_destroy(s);
    }
    /* All lines: it never ends. */
    struct streamer *s = start("snb", COMMANDS(0x09000000, 0x1fff, 0x01800002, 0));
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    streamer_destroy(s);
}

static void gen9_waits(void **state)
{
    (void)state;
    const char *const devices[] = {"skl", "icl", "lkf"};
    for (unsigned i = 0; i < 3; i++) {
        struct streamer *s = start(devices[i], COMMANDS(0x01800008, 0));
        goes_on_at(s, FRAME_NS, 0);
        streamer_destroy(s);
        s = start(devices[i], COMMANDS(0x09000000, 100, 0x01800001, 0));
        goes_on_at(s, LINE_NS * 101, 1000);
        streamer_destroy(s);
    }
}

/* A queued flip comes true by itself, whether a streamer waits for it or not. */
static void flips(void **state)
{
    (void)state;
    const char *const devices[] = {"snb", "ctg", "skl", "icl"};
    for (unsigned i = 0; i < 4; i++) {
        struct streamer *s = start(devices[i], COMMANDS(0x0a000001, 0x800, 0x200000, 0));
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(softgt_next_event_ns(s->device), FRAME_NS);
        assert_int_equal(register_get(s, 0x7019c), 0);
        softgt_advance(s->device, FRAME_NS - softgt_now_ns(s->device));
        assert_int_equal(register_get(s, 0x7019c), 0x200000);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        streamer_destroy(s);
    }
    struct streamer *s = start("snb", COMMANDS(0x0a000001, 0x800, 0x200000, 0x01800004));
    goes_on_at(s, FRAME_NS, 0);
    streamer_destroy(s);
}

/* A pass that is asked for begins at the next blank, or after its interval; the lines of a pass end it. */
static void passes(void **state)
{
    (void)state;
    enum { CONTROL = 0x3208, COMMAND = 0x320c, STATUS = 0x3210, PIPESRC = 0x6001c };
    struct streamer *s = start("cl", COMMANDS(0, 0));
    register_put(s, PIPESRC, 63u << 16 | 63u);
    register_put(s, CONTROL, 0x80000060u);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    register_put(s, COMMAND, 1);
    assert_int_equal(softgt_next_event_ns(s->device), FRAME_NS);
    softgt_advance(s->device, FRAME_NS - softgt_now_ns(s->device));
    assert_int_equal(register_get(s, STATUS) >> 31, 1);
    const uint64_t end_ns = softgt_next_event_ns(s->device);
    assert_in_range(end_ns, FRAME_NS + LINE_NS * 64, FRAME_NS + LINE_NS * 64 + 1000);
    softgt_advance(s->device, end_ns - softgt_now_ns(s->device));
    assert_int_equal(register_get(s, STATUS) >> 31, 0);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    register_put(s, CONTROL, 0xc0000060u | 3u << 16);
    const uint64_t begin_ns = softgt_next_event_ns(s->device);
    assert_int_equal(begin_ns, UINT64_C(4) * FRAME_NS);
    softgt_advance(s->device, begin_ns - 1u - softgt_now_ns(s->device));
    assert_int_equal(register_get(s, STATUS) >> 31, 0);
    softgt_advance(s->device, 1);
    assert_int_equal(register_get(s, STATUS) >> 31, 1);
    streamer_destroy(s);
}

/* RC6 where hardware decides: after its time of idleness, if there is a place for the images. (OVR-07) */
static void render_standby(void **state)
{
    (void)state;
    enum {
        RC_CONTROL = 0xa090,
        THRESHOLD = 0xa0b8,
        RC6_LOCATION = 0xd40,
        RC6_CTX_BASE = 0xd48,
        STATUS = 0x138060
    };
    struct streamer *s = start("skl", COMMANDS(0, 0));
    register_put(s, RC6_CTX_BASE, DATA);
    register_put(s, THRESHOLD, 100);
    register_put(s, RC_CONTROL, 0x80040000u);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    register_put(s, RC6_LOCATION, 1);
    softgt_run(s->device, UINT64_MAX);
    assert_int_equal(softgt_next_event_ns(s->device), 1000 + 128000);
    softgt_advance(s->device, 127999);
    assert_int_equal(register_get(s, STATUS), 0);
    assert_int_equal(softgt_next_event_ns(s->device), 1000 + 128000);
    softgt_advance(s->device, 1);
    assert_int_equal(register_get(s, STATUS), 3);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    streamer_destroy(s);
}

/* A blank that is to be told of is an event: only of a pipe that is on, unmasked and enabled. Time that
 * passes in one step tells what it tells in many. (SYS-23, CSP-23) */
static void blanks_are_told(void **state)
{
    enum { PIPE_A_IMR = 0x44404, PIPE_A_IIR = 0x44408, PIPE_A_IER = 0x4440c, STEPS = 1000, FRAMES = 3 };
    static const char *const devices[] = {"bdw", "skl", "icl", "tgl", "dg2"};
    (void)state;
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct streamer *s = streamer_create(devices[i]), *steps = streamer_create(devices[i]);
        softgt_advance(s->device, 1000);
        register_put(s, PIPE_A_IMR, 0);
        register_put(s, PIPE_A_IER, 1);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        register_put(s, PIPE_CONF, 0x80000000u);
        assert_int_equal(softgt_next_event_ns(s->device), FRAME_NS);
        register_put(s, PIPE_A_IER, 2);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        register_put(s, PIPE_A_IER, 1);
        register_put(s, PIPE_A_IMR, 1);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        register_put(s, PIPE_A_IMR, 0);
        softgt_advance(s->device, FRAME_NS - 1001);
        assert_int_equal(register_get(s, PIPE_A_IIR), 0);
        softgt_advance(s->device, 1);
        assert_int_equal(register_get(s, PIPE_A_IIR), 1);
        softgt_advance(s->device, FRAMES * (uint64_t)FRAME_NS);
        register_put(steps, PIPE_CONF, 0x80000000u);
        register_put(steps, PIPE_A_IMR, 0);
        for (unsigned n = 0; n < STEPS; n++)
            softgt_advance(steps->device,
                           (FRAMES + 1) * (uint64_t)FRAME_NS / STEPS + (n == STEPS - 1 ? STEPS : 0));
        for (unsigned cleared = 0; cleared < 3; cleared++) {
            assert_int_equal(register_get(s, PIPE_A_IIR), cleared < 2);
            assert_int_equal(register_get(steps, PIPE_A_IIR), cleared < 2);
            register_put(s, PIPE_A_IIR, 1);
            register_put(steps, PIPE_A_IIR, 1);
        }
        streamer_destroy(s);
        streamer_destroy(steps);
    }
}

TEST_PROGRAM(display_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gen6_waits), cmocka_unit_test(gen9_waits),     cmocka_unit_test(flips),
        cmocka_unit_test(passes),     cmocka_unit_test(render_standby), cmocka_unit_test(blanks_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
