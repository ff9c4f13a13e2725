/* Where virtual functions are apart from the physical one: nothing that its driver does to an engine keeps
 * one of theirs from it, stops it, or makes it begin again; what its contexts do ends when their time to
 * leave is over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "functions.h"

#include "guc/schedule.h"

enum {
    NUMBER = PRIVATE,
    GATE = RESULTS + 64,
    FORGIVEN_NS = 1000000,
};

static uint32_t engine_base(const struct world *w)
{
    return engine_of(w, CLASS_OF_COPY)->mmio_base;
}

static struct engine *copy_engine(const struct world *w)
{
    return &w->device->engines[engine_of(w, CLASS_OF_COPY) - w->device->sheet->engines];
}

static void own(struct world *w, uint32_t offset, uint32_t value)
{
    host_put_at(w, engine_base(w) + offset, value);
}

/* Its context waits in the engine for a value of its memory, and stores another then. */
static struct job waits(struct world *w, unsigned number)
{
    struct vf *v = &w->vfs[number];
    struct job j = job_make(w, number, 0);
    at(v, RESULTS)[0] = at(v, GATE)[0] = 0;
    job_wait(&j, address(v, GATE), 1);
    job_store(&j, address(v, RESULTS), NUMBER);
    run(w);
    assert_int_equal(copy_engine(w)->parse.state, SOFTGT_ENGINE_WAITING);
    return j;
}

static void goes_on(struct world *w, unsigned number)
{
    at(&w->vfs[number], GATE)[0] = 1;
    softgt_advance(w->device, FORGIVEN_NS);
    run(w);
    assert_int_equal(at(&w->vfs[number], RESULTS)[0], NUMBER);
}

/* Before one of theirs comes, and while one is there. */
static void held(void **state)
{
    (void)state;
    const struct {
        uint32_t offset, value;
    } holds[] = {{RESET_CTL, 1 << 16 | 1}, {MI_MODE, MI_MODE_STOP_RING << 16 | MI_MODE_STOP_RING}};
    for (unsigned i = 0; i < 4; i++) {
        const bool first = i / 2;
        struct world *w = world_make(NULL, true);
        bring_up(w, 1);
        if (first)
            own(w, holds[i % 2].offset, holds[i % 2].value);
        waits(w, 1);
        if (!first)
            own(w, holds[i % 2].offset, holds[i % 2].value);
        goes_on(w, 1);
        assert_int_equal(w->device->gucs[0].totals.resets, 0);
        /* What was asked for is answered, and holds what is its own. */
        own(w, holds[i % 2].offset, holds[i % 2].value);
        assert_true(engine_is_halted(copy_engine(w)));
        own(w, RESET_CTL, 1 << 16 | 1);
        assert_int_equal(host_get_at(w, engine_base(w) + RESET_CTL) & 3, 3);
        world_destroy(w);
    }
}

/* Contexts come by the microcontroller only: not by a ring, nor by its lists. */
static void submitted(void **state)
{
    (void)state;
    enum { WAITS = 40 * KB, IN_GGTT = PF_GGTT, ENABLE = 1 };
    for (unsigned i = 0; i < 3; i++) {
        struct world *w = world_make(NULL, true);
        struct vf *pf = physical_begin(w);
        bring_up(w, 1);
        const uint32_t wait_bytes = 4 * vf_commands_put(pf, WAITS, WAIT_EQUAL, 1, address(pf, GATE));
        if (i != 1)
            waits(w, 1);
        if (i < 2) {
            own(w, GFX_MODE, (uint32_t)UINT16_MAX << 16);
            own(w, RING_BUFFER_START, address(pf, WAITS));
            own(w, RING_BUFFER_CTL, ENABLE);
            w->complaints = 0;
            own(w, RING_BUFFER_TAIL, wait_bytes);
            assert_int_equal(w->complaints, 1); /* it is told */
            if (i == 1)
                assert_non_null(strstr(w->said, "the microcontroller alone submits"));
        } else {
            struct job j = {.v = pf, .lrca = CONTEXTS, .ring = CONTEXTS + RING};
            const struct driver_context context = {.ring = {address(pf, j.ring), RING_BYTES, 0, wait_bytes},
                                                   .control = DRIVER_FRESH_CONTEXT};
            memcpy(at(pf, j.ring), at(pf, WAITS), wait_bytes);
            driver_image(engine_of(w, CLASS_OF_COPY), &context, at(pf, j.lrca + DRIVER_IMAGE_OFFSET),
                         IMAGE_DW);
            own(w, GFX_MODE, GFX_MODE_NO_LEGACY << 16 | GFX_MODE_NO_LEGACY);
            own(w, EXECLIST_SQ_CONTENTS, address(pf, j.lrca) | CTX_FLAGS | CTX_FORCE_RESTORE);
            own(w, EXECLIST_SQ_CONTENTS + 4, 0);
            w->complaints = 0;
            own(w, EXECLIST_CONTROL, 1);
            assert_int_equal(w->complaints, 1);
            assert_non_null(strstr(w->said, "enable_guc=0"));
        }
        run(w);
        if (i == 1)
            waits(w, 1);
        goes_on(w, 1);
        assert_int_equal(w->device->gucs[0].totals.resets, 0);
        world_destroy(w);
    }
}

/* Its resets leave what an engine does for another one as it is, however often they come. */
static void resets(void **state)
{
    (void)state;
    enum { STORES = 240, TIMES = 400, SLICE_DW = 512 };
    for (unsigned i = 0; i < 4; i++) {
        struct world *w = world_make(NULL, true);
        struct vf *one = &w->vfs[1];
        bring_up(w, 1);
        struct job j = job_make(w, 1, 0);
        run(w);
        uint32_t ring[STORES][4];
        for (uint32_t n = 0; n < STORES; n++)
            assemble(w->device, 0, ring[n],
                     "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u",
                     address(one, RESULTS), n + 1);
        job_add(&j, ring[0], sizeof ring / 4);
        for (unsigned n = 0; n < TIMES; n++) {
            if (i < 3)
                host_put(w, i == 2 ? "GU_CNTL" : "GDRST",
                         i == 0   ? copy_engine(w)->info->reset_bits
                         : i == 1 ? GDRST_FULL
                                  : 1u << 31);
            else
                softgt_reset(w->device);
            softgt_run(w->device, SLICE_DW);
        }
        assert_int_equal(at(one, RESULTS)[0], STORES);
        /* One that has nothing of theirs is reset. */
        own(w, RESET_CTL, 1 << 16 | 1);
        host_put(w, "GDRST", copy_engine(w)->info->reset_bits);
        assert_int_equal(host_get_at(w, engine_base(w) + RESET_CTL) & 3, 0);
        world_destroy(w);
    }
}

/* So do those of the other GT, and of an engine of its own, for an engine of media. */
static void resets_of_both_gts(void **state)
{
    (void)state;
    enum { STORES = 100, TIMES = 100, SLICE_DW = 512 };
    for (unsigned i = 0; i < 6; i++) {
        struct world *w = world_make(NULL, true);
        bring_up(w, 1);
        const struct engine_info *const e = engine_of(w, CLASS_OF_VIDEO);
        const uint32_t values[] = {e->reset_bits, GDRST_FULL, GDRST_GUC},
                       reset = (i < 3 ? media_gt(w) : 0) + offset_named(w, "GDRST");
        struct job j = job_of(w, 1, 0, CLASS_OF_VIDEO, CONTEXTS, CONTEXTS + RING, NULL);
        run(w);
        for (uint32_t n = 1; n <= STORES; n++)
            job_store(&j, address(j.v, RESULTS), n);
        for (unsigned n = 0; n < TIMES; n++) {
            host_put_at(w, reset, values[i % 3]);
            softgt_run(w->device, SLICE_DW);
        }
        assert_int_equal(at(j.v, RESULTS)[0], STORES);
        world_destroy(w);
    }
}

/* Nor does what it wants to run when power is back run before theirs. */
static void power(void **state)
{
    (void)state;
    enum { BATCH = 40 * KB };
    struct world *w = world_make(NULL, true);
    struct vf *pf = physical_begin(w);
    bring_up(w, 1);
    vf_commands_put(pf, BATCH, WAIT_EQUAL, 1, address(pf, GATE));
    own(w, CTX_WA_PTR, address(pf, BATCH) | 1);
    engine_power_down(copy_engine(w));
    engine_power_up(copy_engine(w));
    run(w);
    waits(w, 1);
    goes_on(w, 1);
    world_destroy(w);
}

/* That engines are not to be reset is said for its own: one in which another's context failed is. */
static void policies(void **state)
{
    (void)state;
    enum { POLICIES = 40 * KB, FLAGS = 76, NO_RESETS = 1 };
    struct world *w = world_make(NULL, true);
    struct vf *pf = physical_begin(w), *two = &w->vfs[2];
    bring_up(w, 1);
    bring_up(w, 2);
    physical_load(w);
    at(pf, POLICIES + FLAGS)[0] = NO_RESETS;
    SEND(pf, GUC_FAST_REQUEST, "GLOBAL_SCHED_POLICY_CHANGE", address(pf, POLICIES));
    run(w);
    assert_int_equal(w->device->gucs[0].boot.policies, address(pf, POLICIES));
    const uint64_t before = w->device->gucs[0].totals.resets;
    struct job bad = job_make(w, 1, 0);
    job_store(&bad, address(pf, RESULTS), 1); /* not its page */
    run(w);
    struct job j = job_make(w, 2, 0);
    job_store(&j, address(two, RESULTS), NUMBER);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], NUMBER);
    assert_int_equal(w->device->gucs[0].totals.resets, before + 1);
    world_destroy(w);
}

/* Its own context, that waits for a reset which never comes: in the engine, or to come into it. Each costs
 * the others as long as it may take to leave. */
static void own_contexts(void **state)
{
    (void)state;
    enum { PREEMPTION_US = 1000, STEPS = 30 };
    const struct driver_vf_config given[VFS] = {{.exec_quantum_ms = 1, .preempt_timeout_us = PREEMPTION_US},
                                                {.exec_quantum_ms = 1, .preempt_timeout_us = PREEMPTION_US},
                                                {.exec_quantum_ms = 1, .preempt_timeout_us = PREEMPTION_US}};
    for (unsigned way = 0; way < 4; way++) {
        const bool comes = way & 1, unsaid = way & 2; /* functions have time without end: it has not */
        const uint64_t step_ns = unsaid ? 50000000 : 100000;
        struct world *w = world_make(unsaid ? NULL : given, true);
        struct vf *pf = physical_begin(w), *one = &w->vfs[1];
        bring_up(w, 1);
        physical_load(w);
        if (comes)
            own(w, RESET_CTL, 1 << 16 | 1);
        struct job p = job_make(w, 0, 0);
        job_wait(&p, address(p.v, GATE), 1);
        run(w);
        if (!comes)
            own(w, RESET_CTL, 1 << 16 | 1);
        assert_int_equal(w->device->gucs[0].engine_states.list[copy_engine(w) - w->device->engines].active,
                         comes ? GUC_NO_CONTEXT : 0);
        assert_true(engine_is_halted(copy_engine(w)));
        struct job j = job_make(w, 1, 0);
        job_store(&j, address(one, RESULTS), NUMBER);
        unsigned steps = 0;
        for (; steps < STEPS && at(one, RESULTS)[0] != NUMBER; steps++) {
            softgt_advance(w->device, step_ns);
            run(w);
        }
        assert_true(steps < STEPS);
        assert_int_equal(at(pf, RESULTS)[0], 0);
        world_destroy(w);
    }
}

TEST_PROGRAM(function_stalls_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held),         cmocka_unit_test(submitted),
        cmocka_unit_test(resets),       cmocka_unit_test(resets_of_both_gts),
        cmocka_unit_test(power),        cmocka_unit_test(policies),
        cmocka_unit_test(own_contexts),
    };
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
