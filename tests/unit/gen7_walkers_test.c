/* GPGPU_WALKER of Gen7, from the ring to memory: groups, threads, local memory, barriers, and where a thread
 * has its constants; the same however the run is cut, saved and loaded. (IVB PRM vol 2 part 2, GPGPU_WALKER;
 * Mesa, crocus: crocus_upload_gpgpu_walker) */
#include "../suite.h"
#include "../walks.h"

#include "../saved.h"

static const char *const gen7_devices[] = {"ivb", "hsw"};

static void expect_walk(const struct streamer *s, const struct walk *w)
{
    const uint32_t groups =
        (w->groups[0] - w->start[0]) * (w->groups[1] - w->start[1]) * (w->groups[2] - w->start[2]);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
    expect_reversal(s, w);
    assert_int_equal(dword_at(s, OUT), 0); /* group 0 was none of them */
    assert_int_equal(dword_at(s, COUNTER), groups * w->threads * SIMD);
    assert_int_equal(streamer_status(s).thread_groups, groups);
    assert_int_equal(streamer_status(s).threads, groups * w->threads);
}

static void groups_threads_and_barriers(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++)
        for (uint32_t threads = 1; threads <= MOST_THREADS; threads *= 4) {
            struct streamer *const s = begin(gen7_devices[n]);
            const struct walk w = {{5, 2, 3}, {1, 1, 0}, threads, ALL_CHANNELS, 3, false, 0};
            uint32_t dw[128];
            put_reversal(s, threads);
            batch_run(s, dw, put_walk(s, &w, dw), true);
            expect_walk(s, &w);
            streamer_destroy(s);
        }
}

static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct streamer *const s = begin(gen7_devices[n]);
        const struct walk w = {{3, 1, 1}, {1, 0, 0}, 4, ALL_CHANNELS, 3, false, 0};
        uint32_t dw[128];
        unsigned slices = 0;
        put_reversal(s, w.threads);
        batch_put(s, dw, put_walk(s, &w, dw), true);
        for (; softgt_run(s->device, 1); slices++)
            reload(s->device);
        assert_true(slices > 4);
        expect_reversal(s, &w);
        assert_int_equal(dword_at(s, COUNTER), 2 * w.threads * SIMD);
        streamer_destroy(s);
    }
}

TEST_PROGRAM(gen7_walkers_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_threads_and_barriers),
        cmocka_unit_test(cut_saved_and_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
