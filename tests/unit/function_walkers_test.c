/* A walker of a virtual function whose function is reset in the middle of it: nothing of it goes on, for the
 * function, for another one on the same engine, and in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "functions.h"

#include "eu_kernel.h"

enum { CLASS_OF_COMPUTE = 4, KERNEL_AT = 0x90000, DEVICE_CONTROL = 0x78, RESET = 0x8000 };

/* Its PPGTT has its memory from 0 on; tables are in its local memory. */
static struct driver_ppgtt space_of(const struct vf *v)
{
    enum { TOP = 0x1000, NEXT = 0x2000, LARGE = 0x3000, VALID = 3, BIG = 1 << 7 };
    const uint64_t entries[][2] = {{TOP, NEXT | VALID}, {NEXT, LARGE | VALID}, {LARGE, BIG | VALID}};
    for (unsigned i = 0; i < 3; i++)
        softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, entries[i][0], entries[i][1], 8);
    return (struct driver_ppgtt){.levels = 4, .root = {TOP}};
}

/* A kernel that ends at once, or never. */
static void put_kernel(const struct vf *v, const struct eu_set *set, bool endless)
{
    static struct kernel k;
    k = (struct kernel){.set = set};
    if (endless) {
        const unsigned loop = kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true});
        kernel_goes(&k, loop, loop, loop);
    }
    kernel_end(&k);
    kernel_finish(&k);
    memcpy(v->memory + KERNEL_AT, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
}

/* A walk over so many groups of two threads, then a store. */
static void walk(struct world *w, unsigned number, uint32_t groups, bool endless)
{
    const struct engine_info *const info = engine_of(w, CLASS_OF_COMPUTE);
    const struct driver_ppgtt space = space_of(&w->vfs[number]);
    struct job j =
        job_of(w, number, 0, CLASS_OF_COMPUTE, CONTEXTS, CONTEXTS + driver_context_bytes(info), &space);
    const uint32_t bases[19] = {
        [0] = 0x61010000 | 17, [1] = 1,           [4] = 1,           [6] = 1,           [8] = 1,
        [10] = KERNEL_AT | 1,  [12] = 0xfffff001, [13] = 0xfffff001, [14] = 0xfffff001, [15] = 0xfffff001};
    const uint32_t walker[39] = {[0] = 0x72080000 | 37, [4] = 1u << 30, [5] = 0xffff, [6] = 31,
                                 [7] = groups,          [8] = 1,        [9] = 1,      [23] = 2};
    put_kernel(&w->vfs[number], w->device->sheet->eu, endless);
    at(&w->vfs[number], RESULTS)[0] = 0;
    job_add(&j, bases, 19);
    job_add(&j, walker, 39);
    job_store(&j, address(&w->vfs[number], RESULTS), 0x600d);
}

/* The engine that has a context of that class; NULL: none does. */
static struct engine *walking(const struct world *w)
{
    for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++) {
        struct engine *const e = &w->device->engines[i];
        if (w->device->guc.class_of[i] == CLASS_OF_COMPUTE && e->context.valid)
            return e;
    }
    return NULL;
}

static uint64_t groups_of(const struct world *w)
{
    uint64_t groups = 0;
    for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++)
        groups += w->device->engines[i].totals.groups;
    return groups;
}

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
        softgt_function_config_write(w->device, 1, DEVICE_CONTROL, RESET, 2);
        run(w);
        run(w);
        assert_null(walking(w));
        assert_int_equal(w->device->guc.clients[1].presence.condition, GUC_FUNCTION_RUNS);
        assert_int_equal(at(one, RESULTS)[0], 0);
        const uint64_t there = groups_of(w);
        assert_in_range(there - at_reset, waits ? 3 : 0, 1000);
        memcpy(before, one->memory, sizeof before);
        if (!waits)
            walk(w, 2, 3, false);
        run(w);
        assert_int_equal(at(two, RESULTS)[0], 0x600d);
        assert_int_equal(groups_of(w), there + (waits ? 0 : 3));
        assert_memory_equal(before, one->memory, sizeof before);
        /* Its next driver walks from the start. */
        bring_up(w, 1);
        walk(w, 1, 5, false);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], 0x600d);
        assert_int_equal(groups_of(w), there + (waits ? 5 : 8));
        world_destroy(w);
    }
}

/* An engine that its context's image stopped, as when its memory has gone, is everybody's again once the
 * function is reset. */
static void reset_of_one_that_stopped(void **state)
{
    enum { NO_COMMAND = 0x415c9e02, IMAGE_DW = 1024 };
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
        softgt_function_config_write(w->device, 1, DEVICE_CONTROL, RESET, 2);
        run(w);
        for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++)
            assert_int_not_equal(w->device->engines[i].parse.state, SOFTGT_ENGINE_STOPPED);
        walk(w, 2, 3, false);
        run(w);
        assert_int_equal(at(&w->vfs[2], RESULTS)[0], 0x600d);
        bring_up(w, 1);
        walk(w, 1, 5, false);
        run(w);
        assert_int_equal(at(&w->vfs[1], RESULTS)[0], 0x600d);
        world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reset_within),
                                       cmocka_unit_test(reset_of_one_that_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
