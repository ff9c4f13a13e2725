/* A walker of a virtual function whose function is reset in the middle of it: nothing of it goes on, for the
 * function, for another one on the same engine, and in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "function_walks.h"

static void reset_within(void **state)
{
    (void)state;
    static uint8_t before[MEMORY_BYTES];
    for (unsigned way = 0; way < 8; way++) {
        const bool apart = way & 1, endless = way & 2, waits = way & 4; /* another one waits for the engine */
        struct world *w = world_make(NULL, apart);
        struct vf *one = &w->vfs[1], *two = &w->vfs[2];
        bring_up(w, 1);
        bring_up(w, 2);
        walk(w, 1, 1u << 24, endless);
        for (unsigned i = 0; i < 1000 && groups_of(w) < (endless ? 1 : 9); i++)
            softgt_run(w->device, 1);
        assert_non_null(walking(w));
        assert_int_equal(walking(w)->mmu.function, 1);
        if (waits)
            walk(w, 2, 3, false);
        const uint64_t at_reset = groups_of(w);
        function_level_reset(w, 1);
        run(w);
        run(w);
        assert_null(walking(w));
        assert_int_equal(w->device->gucs[0].functions[1].state.run_state, VF_RUNNING);
        assert_int_equal(at(one, RESULTS)[0], 0);
        const uint64_t there = groups_of(w);
        assert_in_range(there - at_reset, waits ? 3 : 0, 1000);
        memcpy(before, one->memory, sizeof before);
        if (!waits)
            walk(w, 2, 3, false);
        run(w);
        assert_int_equal(at(two, RESULTS)[0], GOOD);
        assert_int_equal(groups_of(w), there + (waits ? 0 : 3));
        assert_memory_equal(before, one->memory, sizeof before);
        /* Its next driver walks from the start. */
        bring_up(w, 1);
        walk(w, 1, 5, false);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], GOOD);
        assert_int_equal(groups_of(w), there + (waits ? 5 : 8));
        world_destroy(w);
    }
}

/* An engine that its context's image stopped, as when its memory has gone, is everybody's again once the
 * function is reset. */
static void reset_of_one_that_stopped(void **state)
{
    enum { NO_COMMAND = 0x415c9e02 };
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        struct world *w = world_make(NULL, way);
        unsigned stopped = 0;
        bring_up(w, 1);
        bring_up(w, 2);
        walk(w, 1, 5, false);
        for (unsigned i = 0; i < 2 * IMAGE_DW; i++)
            at(&w->vfs[1], CONTEXTS)[i] = NO_COMMAND;
        run(w);
        for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++)
            stopped += w->device->engines[i].parse.state == SOFTGT_ENGINE_STOPPED;
        assert_int_equal(stopped, 1);
        function_level_reset(w, 1);
        run(w);
        for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++)
            assert_int_not_equal(w->device->engines[i].parse.state, SOFTGT_ENGINE_STOPPED);
        walk(w, 2, 3, false);
        run(w);
        assert_int_equal(at(&w->vfs[2], RESULTS)[0], GOOD);
        bring_up(w, 1);
        walk(w, 1, 5, false);
        run(w);
        assert_int_equal(at(&w->vfs[1], RESULTS)[0], GOOD);
        world_destroy(w);
    }
}

TEST_PROGRAM(function_walkers_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reset_within),
                                       cmocka_unit_test(reset_of_one_that_stopped)};
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
