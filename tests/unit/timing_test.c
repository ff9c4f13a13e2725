/* Commands that take time (softgt_config.timing): when an engine goes on, what they take of clocks, that cuts
 * and saves do not change it, and that counters of performance see it. */
#include "../suite.h"
#include "../streamer.h"

#include "engine/execution.h"

/* At power on the GT runs with 350 MHz, 21 units: a clock takes 60 / 21 ns. */
enum { CLOCK_NS_TIMES_21 = 60, STORE_CLOCKS = 12 + 4, UNITS = 21 };
enum { STORE = 0x20 << 23 | 1 << 22 | 2 /* MI_STORE_DATA_IMM into the GGTT */ };
enum { FILL_PITCH = 1024, FILL_LINES = 64, FILL_BYTES = FILL_PITCH * FILL_LINES };

static struct streamer *timed(const char *device)
{
    struct streamer *s = streamer_create(device);
    for (unsigned i = 0; i < s->device->sheet->info.engine_count; i++)
        s->device->engines[i].time_model.costs = s->device->sheet->costs;
    return s;
}

static void go_on_at(struct streamer *s, uint64_t ns)
{
    assert_int_equal(softgt_next_run_ns(s->device), ns);
    assert_int_equal(softgt_next_event_ns(s->device), ns);
    assert_false(softgt_runnable(s->device));
    softgt_advance(s->device, ns - 1 - softgt_now_ns(s->device));
    const uint64_t commands = streamer_status(s).commands;
    assert_false(softgt_run(s->device, 1000));
    assert_int_equal(streamer_status(s).commands, commands);
    softgt_advance(s->device, 1);
    assert_true(softgt_runnable(s->device));
    softgt_run(s->device, 1000);
    assert_int_equal(streamer_status(s).commands, commands + 1);
}

static void commands_take_their_clocks(void **state)
{
    (void)state;
    static const char *const devices[] = {"skl", "icl"};
    for (unsigned d = 0; d < 2; d++) {
        struct streamer *s = timed(devices[d]);
        const uint32_t stores[] = {STORE, DATA, 0, 1, STORE, DATA + 4, 0, 2, STORE, DATA + 8, 0, 3};
        softgt_advance(s->device, 1000);
        ring_run(s, stores, 12);
        /* What it does it does at once; the next one comes behind it. Parts of a nanosecond are not lost. */
        assert_int_equal(dword_at(s, DATA), 1);
        assert_int_equal(dword_at(s, DATA + 4), 0);
        go_on_at(s, 1000 + STORE_CLOCKS * CLOCK_NS_TIMES_21 / UNITS);
        assert_int_equal(dword_at(s, DATA + 4), 2);
        assert_int_equal(dword_at(s, DATA + 8), 0);
        go_on_at(s, 1000 + 2 * STORE_CLOCKS * CLOCK_NS_TIMES_21 / UNITS);
        assert_int_equal(dword_at(s, DATA + 8), 3);
        /* It works until the last one is through; what comes meanwhile waits for its turn. */
        ring_run(s, stores, 4);
        go_on_at(s, 1000 + 3 * STORE_CLOCKS * CLOCK_NS_TIMES_21 / UNITS);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_RUNNING);
        assert_int_equal(softgt_next_run_ns(s->device), 1000 + 4 * STORE_CLOCKS * CLOCK_NS_TIMES_21 / UNITS);
        softgt_advance(s->device, 1000);
        softgt_run(s->device, 1000);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(softgt_next_run_ns(s->device), UINT64_MAX);
        /* Late: it begins when it is asked, not when it could have. */
        softgt_advance(s->device, 5000);
        const uint64_t now_ns = softgt_now_ns(s->device);
        ring_run(s, stores, 8);
        go_on_at(s, now_ns + STORE_CLOCKS * CLOCK_NS_TIMES_21 / UNITS);
        streamer_destroy(s);
    }
}

static uint64_t time_of_fill(uint32_t ratio)
{
    struct streamer *s = timed("skl");
    unsigned bcs = 0;
    while (strcmp(s->device->sheet->engines[bcs].name, "bcs0") != 0)
        bcs++;
    streamer_start(s, bcs);
    if (ratio)
        reg_put(s, "RPNSWREQ", ratio << 23); /* the requested frequency */
    RING_RUN(s,
             "XY_COLOR_BLT \"32bpp Byte Mask\" = 3, color_depth = \"32 bit Color\", raster_operation = 0xf0,"
             " destination_pitch = %u, destination_x2_coordinate = %u, destination_y2_coordinate = %u,"
             " destination_base_address = %u, solid_pattern_color = 0x55\n"
             "MI_NOOP",
             FILL_PITCH, FILL_PITCH / 4, FILL_LINES, DATA);
    for (uint64_t at_ns; (at_ns = softgt_next_run_ns(s->device)) != UINT64_MAX; softgt_run(s->device, 1000))
        softgt_advance(s->device, at_ns - softgt_now_ns(s->device));
    assert_int_equal(streamer_status(s).bytes_written, FILL_BYTES);
    const uint64_t took_ns = softgt_now_ns(s->device);
    streamer_destroy(s);
    return took_ns;
}

/* 32 bytes a clock; at twice the frequency in half the time. */
static void stores_take_time_by_their_bytes(void **state)
{
    (void)state;
    const uint64_t slow_ns = time_of_fill(21), fast_ns = time_of_fill(42), clocks = FILL_BYTES / 32;
    assert_in_range(slow_ns, clocks * 60 / 21, (clocks + 40) * 60 / 21);
    assert_in_range(fast_ns, slow_ns / 2, slow_ns / 2 + 1);
}

/* The final state of a program in runs of so many dwords, with or without a load into another device between
 * them. */
static size_t final_state(const char *device, uint64_t budget_dw, bool reload, uint8_t **out,
                          uint64_t *took_ns)
{
    struct streamer *s = timed(device), *other = timed(device);
    uint32_t dw[400], n = 0;
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t store[] = {
            STORE, DATA + i * 4u, 0, i, MI_NOOP, MI_LOAD_REGISTER_IMM | 1, s->base + GPR_AT, i};
        memcpy(dw + n, store, (4 + i % 5) * 4);
        n += i % 5 == 2 || i % 5 == 3 ? 5 : 4 + i % 5;
    }
    dw[n++] = MI_BATCH_BUFFER_END;
    memcpy(s->memory + BATCH, dw, n * 4u);
    const uint32_t start[] = {batch_start(false, false), BATCH, 0, MI_NOOP};
    memcpy(s->memory + RING, start, sizeof start);
    register_put(s, s->base + RING_BUFFER_TAIL, sizeof start);
    size_t size = softgt_save(s->device, NULL, 0);
    uint8_t *bytes = malloc(size + PAGE_BYTES);
    assert_non_null(bytes);
    for (bool more = true; more;) {
        more = softgt_run(s->device, budget_dw) || device_wait_for_time(s->device);
        if (!reload)
            continue;
        size = softgt_save(s->device, bytes, size + PAGE_BYTES);
        memcpy(other->memory, s->memory, MEMORY_BYTES);
        assert_int_equal(softgt_load(other->device, bytes, size), 0);
        struct streamer *const was = s;
        s = other;
        other = was;
    }
    *took_ns = softgt_now_ns(s->device);
    size = softgt_save(s->device, NULL, 0);
    *out = realloc(bytes, size);
    softgt_save(s->device, *out, size);
    streamer_destroy(s);
    streamer_destroy(other);
    return size;
}

static void cuts_and_saves_change_nothing(void **state)
{
    (void)state;
    static const char *const devices[] = {"snb", "skl", "icl", "tgl", "dg2"};
    for (unsigned d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        uint8_t *whole, *part;
        uint64_t whole_ns, part_ns;
        const size_t size = final_state(devices[d], 1 << 20, false, &whole, &whole_ns);
        assert_in_range(whole_ns, 1000, 100000);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(final_state(devices[d], 1 + i * i * 5, i & 1u, &part, &part_ns), size);
            assert_int_equal(part_ns, whole_ns);
            assert_memory_equal(part, whole, size);
            free(part);
        }
        free(whole);
    }
}

/* Without it no time passes. */
static void none_is_taken_unless_asked(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    ring_run(s, (const uint32_t[]){STORE, DATA, 0, 1, STORE, DATA + 4, 0, 2}, 8);
    assert_int_equal(dword_at(s, DATA + 4), 2);
    assert_int_equal(softgt_next_run_ns(s->device), UINT64_MAX);
    assert_false(device_wait_for_time(s->device));
    streamer_destroy(s);
}

/* The first time at which clocks are so many: a nanosecond before they are one fewer, hours on, too. */
static void ticks_end_when_they_are(void **state)
{
    (void)state;
    for (unsigned i = 0; sheets[i]; i++) {
        const uint64_t hz = sheets[i]->engines[0].timestamp_hz;
        for (uint64_t ticks = 1; ticks < hz * 100000; ticks = ticks * 3 + 1) {
            const uint64_t end_ns = engine_ticks_end_ns(ticks, hz);
            assert_int_equal(engine_ticks(end_ns, hz), ticks);
            assert_int_equal(engine_ticks(end_ns - 1, hz), ticks - 1);
        }
    }
}

/* REN-06, VCS-03: a parsed command is under way until its time is over. Ring Idle is set and a sync flush
 * complete only then. A sync flush of an idle streamer is complete at once. */
static void flushes_wait_for_the_time(void **state)
{
    enum { INSTPM_SYNC_FLUSH = 1 << 5, STOP = 1 << 8, IDLE = 1 << 9 };
    static const char *const devices[] = {"snb", "ivb", "hsw"};
    (void)state;
    for (unsigned d = 0; d < 3; d++)
        for (unsigned stops = 0; stops < 2; stops++)
            for (unsigned late = 0; late < 2; late++) {
                struct streamer *s = timed(devices[d]);
                softgt_advance(s->device, 1000);
                ring_run(s, (const uint32_t[]){STORE, 0, DATA, 1, STORE, 0, DATA + 4, 2}, 8);
                const uint64_t until_ns = softgt_next_run_ns(s->device);
                assert_in_range(until_ns, 1001, 2000);
                assert_int_equal(dword_at(s, DATA), 1);
                if (stops)
                    reg_put(s, "rcs0.MI_MODE", STOP << 16 | STOP);
                assert_int_equal(reg_get(s, "rcs0.MI_MODE") & (STOP | IDLE), stops ? STOP : 0);
                reg_put(s, "rcs0.INSTPM", INSTPM_SYNC_FLUSH << 16 | INSTPM_SYNC_FLUSH);
                assert_int_equal(reg_get(s, "rcs0.INSTPM"), INSTPM_SYNC_FLUSH);
                assert_int_equal(softgt_next_event_ns(s->device), until_ns);
                softgt_advance(s->device, until_ns - softgt_now_ns(s->device) - 1);
                softgt_run(s->device, 1000);
                assert_int_equal(reg_get(s, "rcs0.INSTPM"), INSTPM_SYNC_FLUSH);
                assert_int_equal(reg_get(s, "rcs0.MI_MODE") & (STOP | IDLE), stops ? STOP : 0);
                assert_int_equal(reg_get(s, "GTISR"), 0);
                softgt_advance(s->device, late ? 100000 : 1);
                assert_int_equal(reg_get(s, "rcs0.INSTPM"), 0);
                assert_int_equal(reg_get(s, "rcs0.MI_MODE") & (STOP | IDLE), stops ? STOP | IDLE : 0);
                assert_int_equal(reg_get(s, "GTISR"), 4);
                softgt_run(s->device, 1000);
                assert_int_equal(dword_at(s, DATA + 4), stops ? 0 : 2);
                reg_put(s, "rcs0.MI_MODE", STOP << 16);
                softgt_run(s->device, 1000);
                softgt_advance(s->device, 100000);
                softgt_run(s->device, 1000);
                assert_int_equal(dword_at(s, DATA + 4), 2);
                assert_int_equal(reg_get(s, "rcs0.MI_MODE") & (STOP | IDLE), IDLE);
                reg_put(s, "rcs0.INSTPM", INSTPM_SYNC_FLUSH << 16 | INSTPM_SYNC_FLUSH);
                assert_int_equal(reg_get(s, "rcs0.INSTPM"), 0);
                assert_int_equal(reg_get(s, "GTISR"), 0);
                streamer_destroy(s);
            }
}

TEST_PROGRAM(timing_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_take_their_clocks),    cmocka_unit_test(stores_take_time_by_their_bytes),
        cmocka_unit_test(cuts_and_saves_change_nothing), cmocka_unit_test(none_is_taken_unless_asked),
        cmocka_unit_test(ticks_end_when_they_are),       cmocka_unit_test(flushes_wait_for_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
