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

enum { CLASSES = 5, CLASS_OF_RENDER = 0, LRCA = 0x10000, JOB_RING = 0x70000, BATCH = 0x78000 };
enum { GPR = 0x600, NONPRIV = 0x4d0, SLOTS = 12, SHIM = 0xc064, OPENED = 0x7304 };
#define TO_DRIVERS  (1u << 31)
#define DENIES      (1u << 30)
#define RANGE_OF_64 3u

static void own(const struct world *w, uint32_t offset, uint32_t value)
{
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static uint32_t seen(const struct world *w, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(w->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static void batch(struct world *w, struct job *j, const uint32_t *dw, uint32_t length_dw)
{
    memcpy(at(j->v, BATCH), dw, length_dw * 4);
    job_add(j, (const uint32_t[]){0x18800101, BATCH, 0, 0}, 4);
    run(w);
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
        uint32_t value = 0x100;
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            const uint32_t opens[] = {SHIM, TO_DRIVERS | SHIM, RANGE_OF_64 | SHIM};
            for (unsigned i = 0; i < sizeof opens / sizeof opens[0]; i++) {
                const uint32_t before = seen(w, SHIM);
                own(w, base + NONPRIV + slot * 4, opens[i]);
                assert_int_equal(seen(w, base + NONPRIV + slot * 4), opens[i]);
                job_add(&j, (const uint32_t[]){0x11000001, SHIM, ~before, 0}, 4);
                run(w);
                assert_int_equal(seen(w, SHIM), before);
                batch(w, &j, (const uint32_t[]){0x11000001, SHIM, ~before, 0x05000000}, 4);
                assert_int_equal(seen(w, SHIM), before);
            }
            own(w, base + NONPRIV + slot * 4, DENIES | RANGE_OF_64 | (base + GPR));
            job_add(&j, (const uint32_t[]){0x11000001, base + GPR, ++value, 0}, 4);
            job_read(&j, base + GPR, address(j.v, RESULTS));
            run(w);
            assert_int_equal(at(j.v, RESULTS)[0], value);
            batch(w, &j, (const uint32_t[]){0x11000001, base + GPR, ++value, 0x05000000}, 4);
            job_read(&j, base + GPR, address(j.v, RESULTS));
            run(w);
            assert_int_equal(at(j.v, RESULTS)[0], value);
            own(w, base + NONPRIV + slot * 4, 0);
        }
        assert_int_equal(w->device->guc.totals.resets, 0);
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
    for (unsigned i = 0; i < 2; i++) {
        own(w, base + NONPRIV, i ? DENIES | OPENED : 0);
        const uint32_t mask = UINT32_C(0xffff0000), bits = i ? 0x10 : 0x20;
        batch(w, &j, (const uint32_t[]){0x11000001, OPENED, mask | bits, 0x05000000}, 4);
        job_read(&j, OPENED, address(j.v, RESULTS));
        run(w);
        assert_int_equal(at(j.v, RESULTS)[0], bits);
    }
    world_destroy(w);
}

/* That no privileges are checked it can say of its own batches only. */
static void unchecked_batches(void **state)
{
    (void)state;
    enum { NO_CHECKS = 0x00020002 };
    for (uint32_t class = 0; class < CLASSES; class ++) {
        uint32_t base;
        struct job j;
        struct world *const w = begin(class, &j, &base);
        for (unsigned i = 0; i < 2; i++) {
            if (i)
                own(w, base + GFX_MODE, NO_CHECKS);
            at(j.v, RESULTS)[0] = at(j.v, RESULTS)[1] = 0;
            const uint32_t dw[] = {
                0x10400002, address(j.v, RESULTS), 0,
                0xbad,                                                   /* MI_STORE_DATA_IMM to the GGTT */
                0x11000001, base + EXCC,           UINT32_C(0x00010001), /* what users do not write */
                0x10000002, RESULTS + 4,           0,
                0x600d, /* to its own space */
                0x05000000,
            };
            uint32_t whole[16] = {0};
            memcpy(whole, dw, sizeof dw);
            whole[0] |= 1u << 22;
            batch(w, &j, whole, 12);
            job_read(&j, base + EXCC, address(j.v, RESULTS) + 8);
            run(w);
            assert_int_equal(at(j.v, RESULTS)[0], 0);
            assert_int_equal(at(j.v, RESULTS)[2] & 1, 0);
            assert_int_equal(at(j.v, RESULTS)[1], 0x600d);
        }
        world_destroy(w);
    }
}

/* Its status page is its own: no error of a function's context is told in a page of that function, whatever
 * is named and unmasked. (REN-14, SYS-06) */
static void status_pages(void **state)
{
    (void)state;
    enum { PAGE = 0xb000 };
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct world *w = world_make(NULL, true);
        bring_up(w, 1);
        const uint32_t base = engine_of(w, class)->mmio_base;
        own(w, base + HWS_PGA, address(&w->vfs[1], PAGE));
        own(w, base + HWSTAM, 0);
        own(w, base + RING_IMR, 0);
        own(w, base + EMR, 0);
        memset(at(&w->vfs[1], PAGE), 0xee, 4096);
        struct job j = job_of(w, 1, 1, class, LRCA, JOB_RING, NULL);
        job_add(&j, (const uint32_t[]){0x11000001, SHIM, 1, 0}, 4); /* which it may not */
        job_store(&j, address(j.v, RESULTS), 0x600d);
        run(w);
        assert_int_equal(at(j.v, RESULTS)[0], 0x600d);
        assert_true(w->complaints >= 1);
        for (unsigned i = 0; i < 1024; i++)
            if (at(j.v, PAGE)[i] != UINT32_C(0xeeeeeeee))
                fail_msg("class %u: dword %u of its page is %x", class, i, at(j.v, PAGE)[i]);
        assert_int_equal(w->device->guc.totals.resets, 0);
        world_destroy(w);
    }
}

/* Where a function's context has its interrupts told its image says, and nobody else while it is there.
 * (SYS-22; Linux, set_memory_based_intr) */
static void told_where_it_says(void **state)
{
    (void)state;
    enum { PAGE = 0xb000, ENABLE = EVENTS + 0x440, OWN_BIT = 15, SOFTWARE_DW = 0x50, GATE = RESULTS + 0x40 };
    struct world *w = world_make(NULL, true);
    bring_up(w, 1);
    struct vf *const one = &w->vfs[1];
    const uint32_t base = engine_of(w, CLASS_OF_COPY)->mmio_base;
    struct job j = job_make(w, 1, 0);
    const uint32_t events = address(one, EVENTS),
                   reports[] = {0x14c80002, 0xa8, events + 0x440, 0,    0,
                                0x11081003, 0xac, events,         0xa4, events + 0x400};
    memcpy(at(one, j.lrca + DRIVER_IMAGE_OFFSET) + SOFTWARE_DW, reports, sizeof reports);
    at(one, ENABLE)[0] = 1;
    memset(at(one, PAGE), 0, 4096);
    job_add(&j, (const uint32_t[]){0x0e40c002, 1, address(one, GATE), 0, 0x01000000, 0}, 6);
    run(w);
    own(w, base + INT_STATUS_RPT_PTR, address(one, PAGE));
    own(w, base + INT_SRC_RPT_PTR, address(one, PAGE) + 0x400);
    at(one, GATE)[0] = 1;
    softgt_advance(w->device, 1000000);
    run(w);
    assert_int_equal(one->memory[EVENTS + OWN_BIT * 16], 0xff);
    assert_int_equal(one->memory[EVENTS + 0x400 + OWN_BIT], 0xff);
    for (unsigned i = 0; i < 1024; i++)
        assert_int_equal(at(one, PAGE)[i], 0);
    world_destroy(w);
}

/* What a function's image does not bring (restore inhibit) is not what another one left: registers are as
 * after a reset, but for the clock. */
static void leftovers(void **state)
{
    (void)state;
    enum { SECRET = 0x5ec7e7, EXCC_BITS = 0x1f };
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct world *w = world_make(NULL, true);
        for (unsigned n = 1; n <= 2; n++)
            bring_up(w, n);
        const uint32_t base = engine_of(w, class)->mmio_base;
        own(w, base + GPR + 8, SECRET);
        own(w, base + EXCC, EXCC_BITS << 16 | EXCC_BITS);
        assert_int_equal(seen(w, base + GPR + 8), SECRET);
        for (unsigned n = 1; n <= 2; n++) { /* of the physical one, and of another */
            struct job j = job_of(w, n, 1, class, LRCA, JOB_RING, NULL);
            at(j.v, RESULTS)[0] = at(j.v, RESULTS)[1] = 0x99;
            job_read(&j, base + GPR + 8, address(j.v, RESULTS));
            job_read(&j, base + EXCC, address(j.v, RESULTS) + 4);
            job_add(&j, (const uint32_t[]){0x11000001, base + GPR + 8, SECRET, 0}, 4);
            job_read(&j, base + GPR + 8, address(j.v, RESULTS) + 8);
            run(w);
            if (at(j.v, RESULTS)[0] || at(j.v, RESULTS)[1] & EXCC_BITS || at(j.v, RESULTS)[2] != SECRET)
                fail_msg("class %u, function %u finds %x, %x, %x", class, n, at(j.v, RESULTS)[0],
                         at(j.v, RESULTS)[1], at(j.v, RESULTS)[2]);
            /* Its own comes back. */
            at(j.v, RESULTS)[0] = 0;
            softgt_advance(w->device, 1000000);
            run(w);
            job_read(&j, base + GPR + 8, address(j.v, RESULTS));
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
    for (unsigned i = 0; i < STEPS && at(&w->vfs[2], RESULTS)[0] != 0x600d; i++) {
        softgt_advance(w->device, STEP_NS);
        softgt_run(w->device, 1 << 12);
    }
    assert_int_equal(at(&w->vfs[2], RESULTS)[0], 0x600d);
    assert_int_equal(w->device->guc.totals.resets, 0);
    world_destroy(w);
}

TEST_PROGRAM(function_privileges_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opened_registers),     cmocka_unit_test(opened_for_users),
        cmocka_unit_test(unchecked_batches),    cmocka_unit_test(status_pages),
        cmocka_unit_test(told_where_it_says),   cmocka_unit_test(leftovers),
        cmocka_unit_test(levels_of_preemption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
