/* What is left of a virtual function that has gone, or that another tenant has from now on: nobody reaches
 * its memory, and nothing that it had is found: compression state of its local memory, either. Lines are
 * those of the system interface's manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "driver/driver.h"
#include "functions.h"
#include "saved.h"

enum { CONTROL = PCI_SRIOV + 8, COUNT = PCI_SRIOV + 16, MEMORY = 8, ENABLE = 1 };
/* The PF's memory in the GGTT; a page of function 1. */
enum { OWN = 8 * MB, PAGE = 576 * KB };

/* The physical function has a context of each class, whose memory is from OWN on in the GGTT. */
static struct world *begin(struct job jobs[CLASSES])
{
    struct world *const w = world_at_work();
    struct vf *const pf = &w->vfs[0];
    pf->ggtt = OWN;
    for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
        softgt_bar_write(w->device, 0, TABLE + (OWN / 4096 + page) * 8, page * 4096 | 1, 8);
    for (uint32_t class = 0; class < CLASSES; class ++)
        jobs[class] = job_of(w, 0, class + 1, class, CONTEXTS + class * (64 * KB),
                             CONTEXTS + 48 * KB + class * (64 * KB), NULL);
    run(w);
    return w;
}

/* Whether a store of each class of engines to function 1's page gets to its memory, and a load from there. */
static void expect_reached(struct world *w, struct job jobs[CLASSES], bool reached)
{
    struct vf *const pf = &w->vfs[0], *const one = &w->vfs[1];
    const uint32_t page = (uint32_t)one->ggtt + PAGE;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t number = (GOOD << 8) + class;
        memset(at(one, PAGE), 0, 16);
        at(one, PAGE)[1] = number;
        at(pf, RESULTS)[0] = at(pf, RESULTS)[1] = 0;
        job_store(&jobs[class], page, number);
        run(w);
        job_do(&jobs[class],
               "MI_COPY_MEM_MEM use_global_gtt_destination, use_global_gtt_source, "
               "destination_memory_address = %u, source_memory_address = %u",
               address(pf, RESULTS), page + 4);
        run(w);
        assert_int_equal(at(one, PAGE)[0], reached ? number : 0);
        assert_int_equal(at(pf, RESULTS)[0], reached ? number : 0);
    }
}

/* 328-334: VF Enable is cleared, so no engine has a way to its memory, though entries name it still and
 * translations of it were known. */
static void nobody_reaches_one_that_has_gone(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 3; number++) {
        struct job jobs[CLASSES];
        struct world *w = begin(jobs);
        const uint64_t entry = TABLE + (w->vfs[1].ggtt + PAGE) / 4096 * 8;
        expect_reached(w, jobs, true);
        softgt_pci_config_write(w->device, CONTROL, MEMORY, 2);
        if (number == 1) /* others are */
            softgt_pci_config_write(w->device, COUNT, 0, 2),
                softgt_pci_config_write(w->device, CONTROL, ENABLE, 2);
        if (number == 2)
            reload(w->device);
        assert_false(softgt_function_enabled(w->device, 1));
        assert_int_equal(softgt_bar_read(w->device, 0, entry, 8), PAGE | 1 << 2 | 1);
        for (uint32_t class = 0; class < CLASSES; class ++) {
            struct job *const j = &jobs[class];
            memset(at(&w->vfs[1], PAGE), 0, 16);
            job_store(j, (uint32_t)w->vfs[1].ggtt + PAGE, BAD);
            run(w);
            assert_int_equal(at(&w->vfs[1], PAGE)[0], 0);
        }
        world_destroy(w);
    }
}

/* A context of its own that runs then is away, and does nothing more. */
static void its_contexts_go_with_it(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *const one = &w->vfs[1];
    struct job j = job_make(w, 1, 0);
    job_wait(&j, address(one, RESULTS), 1);
    job_store(&j, address(one, RESULTS) + 4, BAD);
    run(w);
    uint8_t *const before = malloc(MEMORY_BYTES);
    assert_non_null(before);
    softgt_pci_config_write(w->device, CONTROL, MEMORY, 2);
    memcpy(before, one->memory, MEMORY_BYTES);
    at(one, RESULTS)[0] = ((uint32_t *)(void *)before)[RESULTS / 4] = 1;
    run(w);
    softgt_advance(w->device, 1000000000);
    run(w);
    assert_memory_equal(before, one->memory, MEMORY_BYTES);
    assert_int_equal(w->device->gucs[0].functions[1].state.run_state, VF_STOPPED);
    free(before);
    /* It comes again, with nothing of what it had. */
    softgt_pci_config_write(w->device, CONTROL, ENABLE | MEMORY, 2);
    bring_up(w, 1);
    j = job_make(w, 1, 0);
    job_store(&j, address(one, RESULTS) + 8, GOOD);
    run(w);
    assert_int_equal(at(one, RESULTS)[2], GOOD);
    assert_int_equal(at(one, RESULTS)[1], 0);
    world_destroy(w);
}

/* ---- Compression state of local memory (SYS-08) ---- */

enum { BATCH = 456 * KB, STATE = 640 * KB, OUT = 704 * KB, VA_LOCAL = 1024 * MB, NOT_WRITTEN = 0xee };

/* The first 2 MB of system memory, and 2 MB of local memory from 2 MB on. */
static struct driver_ppgtt space(const struct vf *v)
{
    enum {
        TOP = 4 * KB,
        NEXT = 8 * KB,
        SYSTEM = 12 * KB,
        LOCAL = 16 * KB,
        VALID = 3,
        BIG = 1 << 7,
        LM = 1 << 11
    };
    static const uint64_t entries[][2] = {{TOP, NEXT | VALID},
                                          {NEXT, SYSTEM | VALID},
                                          {SYSTEM, BIG | VALID},
                                          {NEXT + 8, LOCAL | VALID},
                                          {LOCAL, 2 * MB | BIG | VALID | LM}};
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++)
        softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, entries[i][0], entries[i][1], 8);
    return space_by(v, TOP, 20 * KB);
}

/* XY_CTRL_SURF_COPY_BLT: the state of 64 KB, from or to system memory. */
static void state_move(struct world *w, unsigned n, uint8_t byte, bool write)
{
    struct vf *const v = &w->vfs[n];
    const struct driver_ppgtt s = space(v);
    struct job j = job_of(w, n, 0, CLASS_OF_COPY, 64 * KB, 448 * KB, &s);
    memset(at(v, STATE), byte, MOST_STATE_BYTES);
    memset(at(v, OUT), NOT_WRITTEN, MOST_STATE_BYTES);
    assemble(w->device, j.engine, at(v, BATCH),
             "XY_CTRL_SURF_COPY_BLT %s = direct, source_address = %u, destination_address = %u, "
             "size_of_control_surface_copy = %u\n"
             "MI_BATCH_BUFFER_END",
             write ? "source_access_type" : "destination_access_type", write ? STATE : VA_LOCAL,
             write ? VA_LOCAL : OUT, surface_state().size);
    job_user_batch(&j, BATCH);
    job_store(&j, address(v, RESULTS), GOOD);
    run(w);
    assert_int_equal(at(v, RESULTS)[0], GOOD);
    at(v, RESULTS)[0] = 0;
    uint32_t message[256];
    SEND(v, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", 0, 0);
    run(w);
    SEND(v, GUC_FAST_REQUEST, "DEREGISTER_CONTEXT", 0);
    run(w);
    while (receive(v, message))
        ;
}

static void expect_state(struct world *w, unsigned n, uint8_t byte)
{
    const uint32_t bytes = surface_state().bytes;
    uint8_t want[MOST_STATE_BYTES];
    memset(want, NOT_WRITTEN, sizeof want);
    memset(want, byte, bytes);
    state_move(w, n, 0, false);
    assert_memory_equal(at(&w->vfs[n], OUT), want, sizeof want);
}

/* A byte of it, of the first page. */
static uint8_t state_in_memory(struct world *w, unsigned n)
{
    uint8_t byte = 0;
    const uint64_t place = local_ccs(&w->device->memory, w->pf.vf_configs[n - 1].local_start + 2 * MB);
    assert_true(softgt_local_read(w->device, place + 7, &byte, 1));
    return byte;
}

static void another_tenant(struct world *w, unsigned n)
{
    memset(w->vfs[n].memory, 0, MEMORY_BYTES);
    bring_up(w, n);
}

/* A function-level reset, as its driver's or its host's, clears its own and nobody else's. */
static void tenants_leave_no_compression_state(void **state)
{
    (void)state;
    for (unsigned apart = 0; apart < 2; apart++) {
        struct world *w = world_make(NULL, apart);
        for (unsigned n = 1; n <= 2; n++) {
            bring_up(w, n);
            state_move(w, n, (uint8_t)(0x40 + n), true);
            assert_int_equal(state_in_memory(w, n), 0x40 + n);
        }
        reload(w->device);
        expect_state(w, 1, 0x41);
        function_level_reset(w, 1);
        run(w);
        assert_int_equal(state_in_memory(w, 1), 0);
        another_tenant(w, 1);
        expect_state(w, 1, 0);
        expect_state(w, 2, 0x42);
        /* Another share: neither place keeps any. */
        state_move(w, 1, 0x43, true);
        const uint64_t before = local_ccs(&w->device->memory, w->pf.vf_configs[0].local_start + 2 * MB);
        struct driver_vf_config share = w->pf.vf_configs[0];
        share.local_bytes = 8 << 20;
        assert_null(driver_vf_provision(&w->pf, 1, &share));
        uint8_t byte = 0xff;
        assert_true(softgt_local_read(w->device, before + 7, &byte, 1));
        assert_int_equal(byte, 0);
        another_tenant(w, 1);
        expect_state(w, 1, 0);
        expect_state(w, 2, 0x42);
        world_destroy(w);
    }
}

/* A reset of the physical function beside them clears what is its own: with its local memory, its state. */
static void the_physical_one_clears_its_own(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        struct world *w = world_make(NULL, true);
        const struct memory *const m = &w->device->memory;
        const uint64_t own = m->isolation->pf_local_bytes,
                       places[] = {local_ccs(m, 0), local_ccs(m, own / 2), local_ccs(m, own - 1)};
        const uint8_t byte = 0x55;
        uint8_t found;
        bring_up(w, 1);
        state_move(w, 1, 0x41, true);
        for (unsigned i = 0; i < 3; i++)
            assert_true(softgt_local_write(w->device, places[i], &byte, 1));
        if (way)
            softgt_reset(w->device);
        else
            host_put(w, "GU_CNTL", 1u << 31); /* by its driver */
        for (unsigned i = 0; i < 3; i++) {
            assert_true(softgt_local_read(w->device, places[i], &found, 1));
            assert_int_equal(found, 0);
        }
        run(w);
        assert_int_equal(state_in_memory(w, 1), 0x41);
        expect_state(w, 1, 0x41);
        world_destroy(w);
    }
}

TEST_PROGRAM(function_ends_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_reaches_one_that_has_gone),
        cmocka_unit_test(its_contexts_go_with_it),
        cmocka_unit_test(tenants_leave_no_compression_state),
        cmocka_unit_test(the_physical_one_clears_its_own),
    };
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
