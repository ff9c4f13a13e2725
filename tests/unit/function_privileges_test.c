/* Where virtual functions are apart from the physical one: what its driver says of privileges, of registers
 * and of levels of preemption is said of its own contexts; theirs may do what drivers let contexts do.
 * (SYS-04, CSP-15, CSP-16, CSP-21) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "function_walks.h"

enum { LRCA = 64 * KB, JOB_RING = 448 * KB, BATCH = 480 * KB };
enum { SLOTS = 12 }; /* FORCE_TO_NONPRIV */
#define TO_DRIVERS  (1u << 31)
#define DENIES      (1u << 30)
#define RANGE_OF_64 3u

static void own(const struct world *w, uint32_t offset, uint32_t value)
{
    host_put_at(w, offset, value);
}

static uint32_t seen(const struct world *w, uint32_t offset)
{
    return host_get_at(w, offset);
}

static void run_user_batch(struct world *w, struct job *j)
{
    job_user_batch(j, BATCH);
    run(w);
}

/* A register write in a batch that is not privileged. */
static void user_write(struct world *w, struct job *j, uint32_t offset, uint32_t value)
{
    vf_commands_put(j->v, BATCH, "MI_LOAD_REGISTER_IMM { %u, %u }; MI_BATCH_BUFFER_END", offset, value);
    run_user_batch(w, j);
}

/* Function 1 with a context of that class that has a space of its own. */
static struct world *begin(uint32_t class, struct job *j, uint32_t *base)
{
    struct world *const w = world_make(NULL, true);
    bring_up(w, 1);
    const struct driver_ppgtt space = space_of(&w->vfs[1]);
    *base = engine_of(w, class)->mmio_base;
    *j = job_of(w, 1, 1, class, LRCA, JOB_RING, &space);
    return w;
}

/* What it opens and denies, by each of the twelve, before a function's context comes and while it is there.
 */
static void opened_registers(void **state)
{
    (void)state;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        uint32_t base;
        struct job j;
        struct world *const w = begin(class, &j, &base);
        const uint32_t shim = offset_named(w, "GUC_SHIM_CONTROL");
        uint32_t value = 256;
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            const uint32_t opens[] = {shim, TO_DRIVERS | shim, RANGE_OF_64 | shim};
            for (unsigned i = 0; i < sizeof opens / sizeof opens[0]; i++) {
                const uint32_t before = seen(w, shim);
                own(w, base + FORCE_TO_NONPRIV + slot * 4, opens[i]);
                assert_int_equal(seen(w, base + FORCE_TO_NONPRIV + slot * 4), opens[i]);
                job_write(&j, shim, ~before);
                run(w);
                assert_int_equal(seen(w, shim), before);
                user_write(w, &j, shim, ~before);
                assert_int_equal(seen(w, shim), before);
            }
            own(w, base + FORCE_TO_NONPRIV + slot * 4, DENIES | RANGE_OF_64 | (base + CS_GPR));
            job_write(&j, base + CS_GPR, ++value);
            job_read(&j, base + CS_GPR, address(j.v, RESULTS));
            run(w);
            assert_int_equal(at(j.v, RESULTS)[0], value);
            user_write(w, &j, base + CS_GPR, ++value);
            job_read(&j, base + CS_GPR, address(j.v, RESULTS));
            run(w);
            assert_int_equal(at(j.v, RESULTS)[0], value);
            own(w, base + FORCE_TO_NONPRIV + slot * 4, 0);
        }
        assert_int_equal(w->device->gucs[0].totals.resets, 0);
        world_destroy(w);
    }
}

/* What drivers open for users a function's users have, whatever its registers say. */
static void opened_for_users(void **state)
{
    (void)state;
    uint32_t base;
    struct job j;
    struct world *const w = begin(CLASS_OF_RENDER, &j, &base);
    const uint32_t opened =
        offset_named(w, w->device->sheet->xe->gmd_id ? "VFLSKPD" : "COMMON_SLICE_CHICKEN3");
    for (unsigned i = 0; i < 2; i++) {
        own(w, base + FORCE_TO_NONPRIV, i ? DENIES | opened : 0);
        const uint32_t bits = i ? 1 << 4 : 1 << 5;
        user_write(w, &j, opened, (uint32_t)UINT16_MAX << 16 | bits);
        job_read(&j, opened, address(j.v, RESULTS));
        run(w);
        assert_int_equal(at(j.v, RESULTS)[0], bits);
    }
    world_destroy(w);
}

/* That no privileges are checked it can say of its own batches only. */
static void unchecked_batches(void **state)
{
    (void)state;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        uint32_t base;
        struct job j;
        struct world *const w = begin(class, &j, &base);
        for (unsigned i = 0; i < 2; i++) {
            if (i)
                own(w, base + GFX_MODE,
                    MASKED_BITS(w->device, "rcs0.GFX_MODE", {"Privilege Check Disable", 1}));
            at(j.v, RESULTS)[0] = at(j.v, RESULTS)[1] = 0;
            /* To the GGTT; what users do not write; to its own space. */
            vf_commands_put(j.v, BATCH,
                            "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u\n"
                            "MI_LOAD_REGISTER_IMM { %u, %u }\n"
                            "MI_STORE_DATA_IMM address = %u, immediate_data = %u\n"
                            "MI_BATCH_BUFFER_END",
                            address(j.v, RESULTS), BAD, base + EXCC, 1 << 16 | 1, RESULTS + 4, GOOD);
            run_user_batch(w, &j);
            job_read(&j, base + EXCC, address(j.v, RESULTS) + 8);
            run(w);
            assert_int_equal(at(j.v, RESULTS)[0], 0);
            assert_int_equal(at(j.v, RESULTS)[2] & 1, 0);
            assert_int_equal(at(j.v, RESULTS)[1], GOOD);
        }
        world_destroy(w);
    }
}

/* Its status page is its own: no error of a function's context is told in a page of that function, whatever
 * is named and unmasked. (REN-14, SYS-06) */
static void status_pages(void **state)
{
    (void)state;
    enum { PAGE = 44 * KB };
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct world *w = world_make(NULL, true);
        bring_up(w, 1);
        const uint32_t base = engine_of(w, class)->mmio_base;
        own(w, base + HWS_PGA, address(&w->vfs[1], PAGE));
        own(w, base + HWSTAM, 0);
        own(w, base + RING_IMR, 0);
        own(w, base + EMR, 0);
        memset(at(&w->vfs[1], PAGE), 0xee, 4096);
        const uint32_t untouched = at(&w->vfs[1], PAGE)[0];
        struct job j = job_of(w, 1, 1, class, LRCA, JOB_RING, NULL);
        job_write(&j, offset_named(w, "GUC_SHIM_CONTROL"), 1); /* which it may not */
        job_store(&j, address(j.v, RESULTS), GOOD);
        run(w);
        assert_int_equal(at(j.v, RESULTS)[0], GOOD);
        assert_true(w->complaints >= 1);
        for (unsigned i = 0; i < 1024; i++)
            if (at(j.v, PAGE)[i] != untouched)
                fail_msg("class %u: dword %u of its page is %x", class, i, at(j.v, PAGE)[i]);
        assert_int_equal(w->device->gucs[0].totals.resets, 0);
        world_destroy(w);
    }
}

/* Where a function's context has its interrupts told its image says, and nobody else while it is there.
 * (SYS-22; Linux, set_memory_based_intr) */
static void told_where_it_says(void **state)
{
    (void)state;
    enum { PAGE = 44 * KB, OWN_BIT = 15, GATE = RESULTS + 64 };
    struct world *w = world_make(NULL, true);
    bring_up(w, 1);
    struct vf *const one = &w->vfs[1];
    const uint32_t base = engine_of(w, CLASS_OF_COPY)->mmio_base;
    struct job j = job_make(w, 1, 0);
    job_enable_memirq(&j, INTERRUPT_USER);
    memset(at(one, PAGE), 0, 4096);
    job_do(&j, WAIT_EQUAL "; MI_USER_INTERRUPT", 1, address(one, GATE));
    run(w);
    own(w, base + INT_STATUS_RPT_PTR, address(one, PAGE));
    own(w, base + INT_SRC_RPT_PTR, address(one, PAGE) + MEMIRQ_SOURCE);
    at(one, GATE)[0] = 1;
    softgt_advance(w->device, 1000000);
    run(w);
    assert_int_equal(one->memory[EVENTS + OWN_BIT * 16], MEMIRQ_RAISED);
    assert_int_equal(one->memory[EVENTS + MEMIRQ_SOURCE + OWN_BIT], MEMIRQ_RAISED);
    for (unsigned i = 0; i < 1024; i++)
        assert_int_equal(at(one, PAGE)[i], 0);
    world_destroy(w);
}

/* What a function's image does not bring (restore inhibit) is not what another one left: registers are as
 * after a reset, but for the clock. */
static void leftovers(void **state)
{
    (void)state;
    enum { SECRET = PRIVATE, EXCC_BITS = 0x1f };
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct world *w = world_make(NULL, true);
        for (unsigned n = 1; n <= 2; n++)
            bring_up(w, n);
        const uint32_t base = engine_of(w, class)->mmio_base;
        own(w, base + CS_GPR + 8, SECRET);
        own(w, base + EXCC, EXCC_BITS << 16 | EXCC_BITS);
        assert_int_equal(seen(w, base + CS_GPR + 8), SECRET);
        for (unsigned n = 1; n <= 2; n++) { /* of the physical one, and of another */
            struct job j = job_of(w, n, 1, class, LRCA, JOB_RING, NULL);
            at(j.v, RESULTS)[0] = at(j.v, RESULTS)[1] = 0x99;
            job_read(&j, base + CS_GPR + 8, address(j.v, RESULTS));
            job_read(&j, base + EXCC, address(j.v, RESULTS) + 4);
            job_write(&j, base + CS_GPR + 8, SECRET);
            job_read(&j, base + CS_GPR + 8, address(j.v, RESULTS) + 8);
            run(w);
            if (at(j.v, RESULTS)[0] || at(j.v, RESULTS)[1] & EXCC_BITS || at(j.v, RESULTS)[2] != SECRET)
                fail_msg("class %u, function %u finds %x, %x, %x", class, n, at(j.v, RESULTS)[0],
                         at(j.v, RESULTS)[1], at(j.v, RESULTS)[2]);
            /* Its own comes back. */
            at(j.v, RESULTS)[0] = 0;
            softgt_advance(w->device, 1000000);
            run(w);
            job_read(&j, base + CS_GPR + 8, address(j.v, RESULTS));
            run(w);
            assert_int_equal(at(j.v, RESULTS)[0], SECRET);
        }
        world_destroy(w);
    }
}

/* Where a function's walker may be left its context says, and not the engine's registers: so nothing that is
 * said there has it stay until it is reset for it. */
static void levels_of_preemption(void **state)
{
    (void)state;
    enum {
        CHICKEN1 = 0xe0,
        CHICKEN2 = 0xe4,
        OWN_LEVEL = 0x580,
        OF_THE_CONTEXT = 1 << 14,
        COMMANDS_ONLY = 1 << 2
    };
    enum { STEP_NS = 100000, STEPS = 40 };
    const struct driver_vf_config given[VFS] = {{.exec_quantum_ms = 1, .preempt_timeout_us = 1000},
                                                {.exec_quantum_ms = 1, .preempt_timeout_us = 1000},
                                                {.exec_quantum_ms = 1, .preempt_timeout_us = 1000}};
    struct world *w = world_make(given, true);
    bring_up(w, 1);
    bring_up(w, 2);
    const uint32_t base = engine_of(w, CLASS_OF_COMPUTE)->mmio_base;
    own(w, base + CHICKEN1, OF_THE_CONTEXT << 16);
    own(w, base + CHICKEN2, COMMANDS_ONLY << 16 | COMMANDS_ONLY);
    own(w, base + OWN_LEVEL, COMMANDS_ONLY << 16 | COMMANDS_ONLY);
    walk(w, 1, 1u << 24, false);
    for (unsigned i = 0; i < 1000 && groups_of(w) < 9; i++)
        softgt_run(w->device, 1);
    assert_non_null(walking(w));
    walk(w, 2, 3, false);
    for (unsigned i = 0; i < STEPS && at(&w->vfs[2], RESULTS)[0] != GOOD; i++) {
        softgt_advance(w->device, STEP_NS);
        softgt_run(w->device, 1 << 12);
    }
    assert_int_equal(at(&w->vfs[2], RESULTS)[0], GOOD);
    assert_int_equal(w->device->gucs[0].totals.resets, 0);
    world_destroy(w);
}

/* A context reads its engine's registers wherever they are: those of the last copy engine of Battlemage are
 * behind the GT's, and each job stores its CTX_TIMESTAMP. (Linux, xe_ring_ops' emit_copy_timestamp) */
static void own_registers_are_read(void **state)
{
    enum { RING_START = 0x38 };
    (void)state;
    struct world *const w = world_make(NULL, true);
    bring_up(w, 1);
    for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++) {
        const struct engine_info *const e = &w->device->sheet->engines[i];
        if (e->class == CLASS_OTHER)
            continue;
        struct job j = job_on(w, 1, i, e, LRCA, JOB_RING, NULL);
        job_read(&j, e->mmio_base + RING_START, address(j.v, RESULTS));
        run(w);
        assert_int_equal(at(j.v, RESULTS)[0], address(j.v, JOB_RING));
        SEND(j.v, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", i, 0);
        run(w);
    }
    assert_int_equal(w->complaints, 0);
    world_destroy(w);
}

TEST_PROGRAM(function_privileges_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opened_registers),     cmocka_unit_test(opened_for_users),
        cmocka_unit_test(unchecked_batches),    cmocka_unit_test(status_pages),
        cmocka_unit_test(told_where_it_says),   cmocka_unit_test(leftovers),
        cmocka_unit_test(levels_of_preemption), cmocka_unit_test(own_registers_are_read),
    };
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
