/* The next event of a device: flips, vertical and horizontal blanks, scan-line windows, passes of the
 * compressor, and the entry of RC6. (REN-26, REN-30, REN-37, CSP-19) */
#include "../suite.h"
#include "../streamer.h"

enum { FRAME_NS = 16666667, LINE_NS = FRAME_NS / 1125 };
#define PIPE_ENABLE (1u << 31)

/* The device runs these commands 1 us after the start of a frame. */
static struct streamer *start(const char *device, const char *commands)
{
    struct streamer *s = streamer_create(device);
    static const struct {
        const char *conf, *stat;
    } pipes[] = {{"PIPE_CONF[0]", "PIPESTAT[0]"}, {"PIPE_CONF[1]", "PIPESTAT[1]"}};
    for (unsigned i = 0; i < 2; i++) {
        reg_put(s, pipes[i].conf, PIPE_ENABLE);
        reg_put(s, pipes[i].stat, 1u << 17);
    }
    softgt_advance(s->device, 1000);
    RING_RUN(s, "%s", commands);
    return s;
}

/* The engine resumes at the next event, and not a nanosecond earlier. */
static void resumes_at(struct streamer *s, uint64_t at_ns, uint64_t slack_ns)
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

static void gen6_waits(void **state)
{
    (void)state;
#define INCL(first, last)                                                                                    \
    "MI_LOAD_SCAN_LINES_INCL start_scan_line_number = " first ", end_scan_line_number = " last
#define WAIT_WINDOW "\nMI_WAIT_FOR_EVENT \"Display Pipe A Scan Line Window Wait Enable\""
    static const struct {
        const char *commands;
        uint64_t at_ns;
    } cases[] = {
        {"MI_WAIT_FOR_EVENT \"Display Pipe A Vertical Blank Wait Enable\"", FRAME_NS},
        {"MI_WAIT_FOR_EVENT \"Display Pipe A Start of V Blank Wait Enable\"", FRAME_NS},
        {"MI_WAIT_FOR_EVENT \"Display Pipe B Vertical Blank Wait Enable\"", FRAME_NS},
        {"MI_WAIT_FOR_EVENT \"Display Pipe B Start of V Blank Wait Enable\"", FRAME_NS},
        {"MI_WAIT_FOR_EVENT \"Display Pipe A H Blank Wait Enable\"", LINE_NS * 7 / 8},
        {INCL("0", "100") WAIT_WINDOW, LINE_NS * 101},
        {INCL("0", "1123") WAIT_WINDOW, LINE_NS * 1124}, /* all lines but one */
        {"MI_LOAD_SCAN_LINES_EXCL start_scan_line_number = 100, end_scan_line_number = 112" WAIT_WINDOW,
         LINE_NS * 100},
        {"MI_LOAD_SCAN_LINES_INCL \"Display (Plane) Select\" = 1, end_scan_line_number = 5\n"
         "MI_WAIT_FOR_EVENT \"Display Pipe B Scan Line Window Wait Enable\"",
         LINE_NS * 6},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *s = start("snb", cases[i].commands);
        resumes_at(s, cases[i].at_ns, 1000);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        streamer_destroy(s);
    }
    /* All lines: it never ends. */
    struct streamer *s = start("snb", INCL("0", "8191") WAIT_WINDOW);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_WAITING);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    streamer_destroy(s);
}

static void gen9_waits(void **state)
{
    (void)state;
    const char *const devices[] = {"skl", "icl", "lkf"};
    for (unsigned i = 0; i < 3; i++) {
        struct streamer *s =
            start(devices[i], "MI_WAIT_FOR_EVENT \"Display Plane 1 A Vertical Blank Wait Enable\"");
        resumes_at(s, FRAME_NS, 0);
        streamer_destroy(s);
        s = start(devices[i],
                  INCL("0", "100") "\nMI_WAIT_FOR_EVENT \"Display Plane 1 A Scan Line Wait Enable\"");
        resumes_at(s, LINE_NS * 101, 1000);
        streamer_destroy(s);
    }
}

#define FLIP                                                                                                 \
    "MI_DISPLAY_FLIP dw1 = 2K, display_buffer_base_address = 2M" /* dword 1: a pitch of 2048 bytes           \
                                                                  */

/* A queued flip completes at the next blank, whether a streamer waits for it or not. */
static void flips(void **state)
{
    (void)state;
    const char *const devices[] = {"snb", "ctg", "skl", "icl"};
    for (unsigned i = 0; i < 4; i++) {
        struct streamer *s = start(devices[i], FLIP);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(softgt_next_event_ns(s->device), FRAME_NS);
        assert_int_equal(reg_get(s, "DSPSURF[0]"), 0);
        softgt_advance(s->device, FRAME_NS - softgt_now_ns(s->device));
        assert_int_equal(reg_get(s, "DSPSURF[0]"), 2 << 20);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        streamer_destroy(s);
    }
    struct streamer *s =
        start("snb", FLIP "\nMI_WAIT_FOR_EVENT \"Display Plane A Flip Pending Wait Enable\"");
    resumes_at(s, FRAME_NS, 0);
    streamer_destroy(s);
}

/* A requested pass begins at the next blank, or after its interval. It ends after its lines. */
static void passes(void **state)
{
    (void)state;
    struct streamer *s = start("cl", "MI_NOOP");
    reg_put(s, "PIPESRC[0]", 63u << 16 | 63u);
    reg_put(s, "FBC_CONTROL",
            REGISTER_BITS(s->device, "FBC_CONTROL", {"Enable Frame Buffer Compression", 1},
                          {"Compressed Frame Buffer Stride", 3}));
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    reg_put(s, "FBC_COMMAND", 1);
    assert_int_equal(softgt_next_event_ns(s->device), FRAME_NS);
    softgt_advance(s->device, FRAME_NS - softgt_now_ns(s->device));
    assert_int_equal(reg_get(s, "FBC_STATUS") >> 31, 1);
    const uint64_t end_ns = softgt_next_event_ns(s->device);
    assert_in_range(end_ns, FRAME_NS + LINE_NS * 64, FRAME_NS + LINE_NS * 64 + 1000);
    softgt_advance(s->device, end_ns - softgt_now_ns(s->device));
    assert_int_equal(reg_get(s, "FBC_STATUS") >> 31, 0);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    reg_put(s, "FBC_CONTROL",
            REGISTER_BITS(s->device, "FBC_CONTROL", {"Enable Frame Buffer Compression", 1},
                          {"Mode Select", 1}, {"Interval", 3}, {"Compressed Frame Buffer Stride", 3}));
    const uint64_t begin_ns = softgt_next_event_ns(s->device);
    assert_int_equal(begin_ns, UINT64_C(4) * FRAME_NS);
    softgt_advance(s->device, begin_ns - 1u - softgt_now_ns(s->device));
    assert_int_equal(reg_get(s, "FBC_STATUS") >> 31, 0);
    softgt_advance(s->device, 1);
    assert_int_equal(reg_get(s, "FBC_STATUS") >> 31, 1);
    streamer_destroy(s);
}

/* Hardware enters RC6 after the threshold of idle time, if the images have a location. (OVR-07) */
static void render_standby(void **state)
{
    (void)state;
    struct streamer *s = start("skl", "MI_NOOP");
    reg_put(s, "RC6_CTX_BASE", DATA);
    reg_put(s, "RC6_THRESHOLD", 100);
    reg_put(s, "RC_CONTROL", 1u << 31 /* by hardware */ | 1u << 18 /* RC6 */);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    reg_put(s, "RC6_LOCATION", 1);
    softgt_run(s->device, UINT64_MAX);
    assert_int_equal(softgt_next_event_ns(s->device), 1000 + 128000);
    softgt_advance(s->device, 127999);
    assert_int_equal(reg_get(s, "GT_CORE_STATUS"), 0);
    assert_int_equal(softgt_next_event_ns(s->device), 1000 + 128000);
    softgt_advance(s->device, 1);
    assert_int_equal(reg_get(s, "GT_CORE_STATUS"), 3);
    assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
    streamer_destroy(s);
}

/* A blank is an event if its pipe is on and its interrupt is unmasked and enabled. One step of time and many
 * steps raise the same interrupts. (SYS-23, CSP-23) */
static void blanks_interrupt(void **state)
{
    enum { STEPS = 1000, FRAMES = 3, VERTICAL_BLANK = 1, OTHER_BIT = 2 };
    static const char imr[] = "DE_PIPE_A_INTERRUPT_IMR", iir[] = "DE_PIPE_A_INTERRUPT_IIR",
                      ier[] = "DE_PIPE_A_INTERRUPT_IER";
    static const char *const devices[] = {"bdw", "skl", "icl", "tgl", "dg2"};
    (void)state;
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct streamer *s = streamer_create(devices[i]), *steps = streamer_create(devices[i]);
        softgt_advance(s->device, 1000);
        reg_put(s, imr, 0);
        reg_put(s, ier, VERTICAL_BLANK);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        reg_put(s, "PIPE_CONF[0]", PIPE_ENABLE);
        assert_int_equal(softgt_next_event_ns(s->device), FRAME_NS);
        reg_put(s, ier, OTHER_BIT);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        reg_put(s, ier, VERTICAL_BLANK);
        reg_put(s, imr, VERTICAL_BLANK);
        assert_int_equal(softgt_next_event_ns(s->device), UINT64_MAX);
        reg_put(s, imr, 0);
        softgt_advance(s->device, FRAME_NS - 1001);
        assert_int_equal(reg_get(s, iir), 0);
        softgt_advance(s->device, 1);
        assert_int_equal(reg_get(s, iir), 1);
        softgt_advance(s->device, FRAMES * (uint64_t)FRAME_NS);
        reg_put(steps, "PIPE_CONF[0]", PIPE_ENABLE);
        reg_put(steps, imr, 0);
        for (unsigned n = 0; n < STEPS; n++)
            softgt_advance(steps->device,
                           (FRAMES + 1) * (uint64_t)FRAME_NS / STEPS + (n == STEPS - 1 ? STEPS : 0));
        for (unsigned cleared = 0; cleared < 3; cleared++) {
            assert_int_equal(reg_get(s, iir), cleared < 2);
            assert_int_equal(reg_get(steps, iir), cleared < 2);
            reg_put(s, iir, VERTICAL_BLANK);
            reg_put(steps, iir, VERTICAL_BLANK);
        }
        streamer_destroy(s);
        streamer_destroy(steps);
    }
}

TEST_PROGRAM(display_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gen6_waits), cmocka_unit_test(gen9_waits),     cmocka_unit_test(flips),
        cmocka_unit_test(passes),     cmocka_unit_test(render_standby), cmocka_unit_test(blanks_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
