/* What contexts of virtual functions may do, on every class of engines: the manual's table of commands, which
 * registers, whose interrupts, whose memory. Lines are those of the system interface's manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "driver/driver.h"
#include "functions.h"

enum { LRCA = 64 * KB, JOB_RING = 448 * KB, BATCH = 480 * KB };
enum { SLOTS = 12 }; /* FORCE_TO_NONPRIV */
#define TO_DRIVERS (1u << 31)
#define DENIES     (1u << 30)

static bool has_pipe(uint32_t class)
{
    return class == CLASS_OF_RENDER || class == CLASS_OF_COMPUTE;
}

static uint32_t base_of(const struct world *w, uint32_t class)
{
    return engine_of(w, class)->mmio_base;
}

/* Another engine's, where others' contexts run. */
static uint32_t other_base(const struct world *w, uint32_t class)
{
    return base_of(w, class == CLASS_OF_COPY ? 1 : CLASS_OF_COPY);
}

/* The numbers of contexts are not used again, their memory is. */
static uint32_t next_id;

static struct job job_at(struct world *w, unsigned number, uint32_t class, const struct driver_ppgtt *ppgtt)
{
    return job_of(w, number, next_id++, class, LRCA, JOB_RING, ppgtt);
}

/* An address space whose tables lie in local memory of the function's own (376-404): its first 2 MB are the
 * function's memory; from 1 GB on, pages of 4 KB and then one of 2 MB of its local memory. */
enum { LOCAL_4K = 4 * MB, LOCAL_2M = 6 * MB };

static void entry(struct world *w, unsigned number, uint32_t at, uint64_t value)
{
    softgt_function_bar_write(w->device, number, SOFTGT_BAR_LOCAL, at, value, 8);
}

static struct driver_ppgtt space_of_pages(struct world *w, unsigned number)
{
    enum {
        ROOT = 1 * MB,
        TABLES = ROOT + 4 * KB,
        PAGES = TABLES + 8 * KB,
        LOCAL_TABLE = PAGES + 4 * KB,
        LOCAL_PAGES = LOCAL_TABLE + 4 * KB
    };
    enum { WRITABLE = 3, WHOLE = 1 << 7, LOCAL = 1 << 11 };
    entry(w, number, ROOT, TABLES | WRITABLE);
    entry(w, number, TABLES, (TABLES + 4 * KB) | WRITABLE);
    entry(w, number, TABLES + 4 * KB, PAGES | WRITABLE);
    entry(w, number, TABLES + 8, LOCAL_TABLE | WRITABLE);
    entry(w, number, LOCAL_TABLE, LOCAL_PAGES | WRITABLE);
    entry(w, number, LOCAL_TABLE + 8, LOCAL_2M | WHOLE | LOCAL | WRITABLE);
    for (uint32_t i = 0; i < 512; i++) {
        entry(w, number, PAGES + i * 8, i * 4096 | WRITABLE);
        entry(w, number, LOCAL_PAGES + i * 8, (LOCAL_4K + i * 4096) | LOCAL | WRITABLE);
    }
    return space_by(&w->vfs[number], ROOT, ROOT + 60 * KB);
}

/* ---- SYS-04, 204-246: registers ---- */

enum way { BY_IMMEDIATE, BY_MEMORY, BY_REGISTER, BY_FLUSH, WAYS };

static void write_register(struct world *w, struct job *j, uint32_t class, enum way way, uint32_t offset,
                           uint32_t value)
{
    const uint32_t from = base_of(w, class) + CS_GPR + 8, kept = address(j->v, RESULTS + 2 * KB);
    at(j->v, RESULTS + 2 * KB)[0] = value;
    switch (way) {
    case BY_IMMEDIATE:
        job_write(j, offset, value);
        break;
    case BY_MEMORY:
        job_do(j, "MI_LOAD_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = %u", offset,
               kept);
        break;
    case BY_REGISTER:
        job_write(j, from, value);
        job_do(j, "MI_LOAD_REGISTER_REG source_register_address = %u, destination_register_address = %u",
               from, offset);
        break;
    default:
        job_do(j,
               "PIPE_CONTROL post_sync_operation = write_immediate_data, lri_post_sync_operation, "
               "address = %u, immediate_data = %u, length = 6",
               offset, value);
    }
    run(w);
}

static void registers(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t base = base_of(w, class), others = other_base(w, class);
        enum { OACONTROL = 0x2b00 }; /* no register here */
        const uint32_t denied[] = {
            others + CS_GPR, /* another engine's */
            others + FORCE_TO_NONPRIV,
            base + HWS_PGA,
            base + HWSTAM,
            base + RING_IMR,
            base + INT_STATUS_RPT_PTR,
            base + FORCE_TO_NONPRIV,          /* what opens registers */
            base + FORCE_TO_NONPRIV + 11 * 4, /* the last of them */
            base + RESET_CTL,                 /* it may reset no engine (336) */
            base + EXECLIST_SQ_CONTENTS,
            base + EXECLIST_CONTROL,
            OACONTROL, /* of users where there are no functions */
            offset_named(w, "OAG_OACONTROL"),
            offset_named(w, "OAG_MMIOTRIGGER"),
            offset_named(w, "GDRST"),
            offset_named(w, "LMEM_CFG"),
            offset_named(w, "GUC_SHIM_CONTROL"),
            GUC_HOST_INTERRUPT, /* the PF's */
            GUC_MAILBOX + 4,    /* the PF's */
            offset_of_vf(GUC_MAILBOX + 4, 2),
            offset_named(w, "RENDER_COPY_INTR_ENABLE"),
            media_gt(w) + offset_named(w, "GDRST"),
            media_gt(w) + offset_named(w, "LMEM_CFG"),
            media_gt(w) + offset_named(w, "GUC_SHIM_CONTROL"),
            media_mailbox(w) + 4,
            offset_of_vf(media_mailbox(w) + 4, 2),
        };
        for (enum way way = 0; way < (has_pipe(class) ? WAYS : BY_FLUSH); way++) {
            struct job j = job_at(w, 1, class, NULL);
            write_register(w, &j, class, way, base + CS_GPR, 17 + way);
            job_read(&j, base + CS_GPR, address(j.v, RESULTS));
            run(w);
            if (at(j.v, RESULTS)[0] != 17 + way)
                fail_msg("class %u, way %u: its own register is %x", class, way, at(j.v, RESULTS)[0]);
            for (unsigned i = 0; i < sizeof denied / sizeof denied[0]; i++) {
                const uint32_t before = host_get_at(w, denied[i]), complaints = w->complaints;
                write_register(w, &j, class, way, denied[i], ~before);
                if (host_get_at(w, denied[i]) != before || w->complaints == complaints)
                    fail_msg("class %u, way %u: %05x was written: %x", class, way, denied[i],
                             host_get_at(w, denied[i]));
            }
            /* Nothing of it hung. */
            job_store(&j, address(j.v, RESULTS) + 4, GOOD + way);
            run(w);
            assert_int_equal(at(j.v, RESULTS)[1], GOOD + way);
            SEND(j.v, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j.id, 0);
            run(w);
        }
    }
    assert_int_equal(w->device->gucs[0].totals.resets, 0);
    world_destroy(w);
}

/* What a context's image holds is its own, whoever else runs there: of the render engine the registers of the
 * 3D pipeline, too, which are not another engine's to write. */
static void registers_of_images(void **state)
{
    (void)state;
    static const char *const render[] = {"CACHE_MODE_1",  "PSS_MODE2",
                                         "PSS_CHICKEN",   "SLICE_COMMON_ECO_CHICKEN1",
                                         "VF_PREEMPTION", "SAMPLER_MODE"},
                             /* (Linux, xe_wa, lrc_was) */
        *const xe2[] = {"WM_CHICKEN3",  "CHICKEN_RASTER_1",      "CHICKEN_RASTER_2", "FF_MODE",
                        "VFLSKPD",      "COMMON_SLICE_CHICKEN1", "PSS_CHICKEN",      "COMMON_SLICE_CHICKEN4",
                        "VF_SCRATCHPAD"};
    const uint32_t bit_4 = 1 << 20 | 1 << 4, bit_5 = 1 << 21 | 1 << 5; /* with their masks */
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_at(w, 1, CLASS_OF_RENDER, NULL), b = job_at(w, 2, CLASS_OF_RENDER, NULL),
               c = job_of(w, 1, next_id++, CLASS_OF_COPY, 192 * KB, 256 * KB, NULL);
    const unsigned count = sizeof render / sizeof render[0], more = sizeof xe2 / sizeof xe2[0];
    for (unsigned i = 0; i < count + (is_xe2() ? more : 0); i++) {
        const uint32_t results = RESULTS + i * 8,
                       offset = offset_named(w, i < count ? render[i] : xe2[i - count]);
        job_read(&b, offset, address(two, results)); /* it has a saved image from then on */
        run(w);
        job_write(&a, offset, bit_4);
        job_read(&a, offset, address(one, results));
        run(w);
        job_read(&b, offset, address(two, results));
        run(w);
        job_write(&c, offset, bit_5);
        run(w);
        job_read(&a, offset, address(one, results) + 4);
        run(w);
        if (!(at(one, results)[0] & 0x10) || at(two, results)[0] & 0x10 ||
            at(one, results)[1] != at(one, results)[0])
            fail_msg("%05x: %x, then %x; another's %x", offset, at(one, results)[0], at(one, results)[1],
                     at(two, results)[0]);
    }
    /* The copy engine's own, which drivers write when they make its contexts. (Linux, BLIT_CCTL) */
    enum { CCTL = 3 << 9 | 3 << 1 };
    const uint32_t cctl = offset_named(w, "bcs0.BLIT_CCTL");
    struct job d = job_of(w, 2, next_id++, CLASS_OF_COPY, 192 * KB, 256 * KB, NULL);
    job_read(&d, cctl, address(two, RESULTS + 256));
    run(w);
    job_write(&c, cctl, CCTL);
    job_read(&c, cctl, address(one, RESULTS + 256));
    run(w);
    job_read(&d, cctl, address(two, RESULTS + 260));
    run(w);
    assert_int_equal(at(one, RESULTS + 256)[0], CCTL);
    assert_int_equal(at(two, RESULTS + 256)[1], at(two, RESULTS + 256)[0]);
    world_destroy(w);
}

/* 248-258: the twelve that the physical function's driver programs, for users or for drivers of functions. */
static void programmed_registers(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    uint32_t value = 256;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t base = base_of(w, class);
        const struct driver_ppgtt pages = space_of_pages(w, 1);
        struct job j = job_at(w, 1, class, &pages);
        const uint32_t shim = offset_named(w, "GUC_SHIM_CONTROL") + w->device->gts[j.v->gt].base;
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            const struct {
                uint32_t bits;
                bool driver, user;
            } cases[] = {{TO_DRIVERS, true, false}, {0, true, true}, {DENIES, false, false}};
            for (unsigned i = 0; i < 3; i++) {
                host_put_at(w, base + FORCE_TO_NONPRIV + slot * 4, cases[i].bits | shim);
                job_write(&j, shim, ++value);
                run(w);
                assert_int_equal(host_get_at(w, shim) == value, cases[i].driver);
                vf_commands_put(one, BATCH, "MI_LOAD_REGISTER_IMM { %u, %u }; MI_BATCH_BUFFER_END", shim,
                                ++value);
                job_user_batch(&j, BATCH);
                run(w);
                assert_int_equal(host_get_at(w, shim) == value, cases[i].user);
            }
            host_put_at(w, base + FORCE_TO_NONPRIV + slot * 4, 0);
        }
        /* What is denied is denied to drivers, too; it goes with power, not with contexts. */
        host_put_at(w, base + FORCE_TO_NONPRIV, DENIES | (base + CS_GPR));
        job_write(&j, base + CS_GPR, BAD);
        job_read(&j, base + CS_GPR, address(one, RESULTS));
        run(w);
        assert_int_not_equal(at(one, RESULTS)[0], BAD);
        assert_int_equal(host_get_at(w, base + FORCE_TO_NONPRIV), DENIES | (base + CS_GPR));
        host_put_at(w, base + FORCE_TO_NONPRIV, 0);
        SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j.id, 0);
        run(w);
    }
    assert_int_equal(w->device->gucs[0].totals.resets, 0);
    world_destroy(w);
}

/* SYS-04, SYS-07, 342-354: what a context reads of others, and of where stolen memory is, is 0. */
static void hidden_registers(void **state)
{
    (void)state;
    /* Stolen memory, mailboxes, where the LMTT is (388, 443), doorbells. */
    static const char *const names[] = {"DSMBASE",     "DSMBASE_UDW",       "GSMBASE",
                                        "GSMBASE_UDW", "STOLEN_RESERVED",   "LMEM_CFG",
                                        "SG_LMEM_CFG", "MMIO_DOORBELL[16]", "DOORBELL_PAGE[0]"};
    enum { NAMES = sizeof names / sizeof names[0] };
    struct world *w = world_at_work();
    uint32_t hidden[NAMES + 2] = {[NAMES] = GUC_MAILBOX + 4, [NAMES + 1] = offset_of_vf(GUC_MAILBOX + 4, 2)};
    for (unsigned i = 0; i < NAMES; i++)
        hidden[i] = offset_named(w, names[i]);
    struct vf *one = &w->vfs[1];
    put(&w->vfs[2], "GUC_MAILBOX[1]", PRIVATE);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct job j = job_at(w, 1, class, NULL);
        host_put_at(w, other_base(w, class) + CS_GPR, PRIVATE);
        for (unsigned i = 0; i <= sizeof hidden / sizeof hidden[0]; i++) {
            const uint32_t offset = i ? hidden[i - 1] : other_base(w, class) + CS_GPR;
            at(one, RESULTS)[0] = at(one, RESULTS)[1] = 0x99;
            job_read(&j, offset, address(one, RESULTS));
            /* By way of a register of its own. */
            job_do(&j, "MI_LOAD_REGISTER_REG source_register_address = %u, destination_register_address = %u",
                   offset, base_of(w, class) + CS_GPR);
            job_read(&j, base_of(w, class) + CS_GPR, address(one, RESULTS) + 4);
            /* It waits until the register is 0. */
            job_do(&j,
                   "MI_SEMAPHORE_WAIT memory_type = global_graphics_address, register_poll_mode, "
                   "wait_mode = polling_mode, compare_operation = SAD_EQUAL_SDD, semaphore_address = %u",
                   offset);
            job_store(&j, address(one, RESULTS), GOOD);
            run(w);
            if (at(one, RESULTS)[0] != GOOD || at(one, RESULTS)[1])
                fail_msg("class %u reads %05x: %x, %x", class, offset, at(one, RESULTS)[0],
                         at(one, RESULTS)[1]);
        }
        SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j.id, 0);
        run(w);
    }
    /* Nor by its BAR. */
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(get_at(one, hidden[i]), 0);
    assert_int_equal(get(one, "LMEM_CFG"), 0);
    assert_int_equal(get(one, "SG_LMEM_CFG"), 0);
    /* The physical function's read it. */
    assert_int_equal(host_get(w, "LMEM_CFG"), host_get(w, "SG_LMEM_CFG"));
    assert_true(host_get(w, "LMEM_CFG") >> 31);
    world_destroy(w);
}

/* ---- SYS-04, 204-246: commands ---- */

/* Commands that store GOOD; engines with PIPE_CONTROL, or with MI_FLUSH_DW, have them. */
enum storing { STORE_IMMEDIATE, STORE_REGISTER, STORE_COPY, STORE_ATOMIC, STORE_FLUSH, STORE_PIPE, STORING };
static const struct {
    const char *name;
    bool pipe, flush;
} storing[STORING] = {
    [STORE_IMMEDIATE] = {"MI_STORE_DATA_IMM", true, true},
    [STORE_REGISTER] = {"MI_STORE_REGISTER_MEM", true, true},
    [STORE_COPY] = {"MI_COPY_MEM_MEM", true, true},
    [STORE_ATOMIC] = {"MI_ATOMIC", true, true},
    [STORE_FLUSH] = {"MI_FLUSH_DW", false, true},
    [STORE_PIPE] = {"PIPE_CONTROL", true, false},
};

static void storing_text(char *text, size_t size, enum storing how, uint32_t from, uint32_t to)
{
    switch (how) {
    case STORE_IMMEDIATE:
        snprintf(text, size, "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", to, GOOD);
        break;
    case STORE_REGISTER:
        snprintf(text, size,
                 "MI_LOAD_REGISTER_IMM add_cs_mmio_start_offset, { %u, %u }\n"
                 "MI_STORE_REGISTER_MEM use_global_gtt, add_cs_mmio_start_offset, register_address = %u, "
                 "memory_address = %u",
                 CS_GPR, GOOD, CS_GPR, to);
        break;
    case STORE_COPY:
        snprintf(text, size,
                 "MI_COPY_MEM_MEM use_global_gtt_destination, use_global_gtt_source, "
                 "destination_memory_address = %u, source_memory_address = %u",
                 to, from);
        break;
    case STORE_ATOMIC:
        snprintf(text, size,
                 "MI_ATOMIC atomic_opcode = move, inline_data, memory_type = global_graphics_address, "
                 "memory_address = %u, operand1_data_dword_0 = %u, length = 11",
                 to, GOOD);
        break;
    case STORE_FLUSH:
        snprintf(text, size,
                 "MI_FLUSH_DW post_sync_operation = write_immediate_data, destination_address_type = ggtt, "
                 "address = %u, immediate_data = %u",
                 to, GOOD);
        break;
    default:
        snprintf(text, size,
                 "PIPE_CONTROL post_sync_operation = write_immediate_data, destination_address_type = ggtt, "
                 "address = %u, immediate_data = %u, length = 6",
                 to, GOOD);
    }
}

/* From the ring or from a privileged batch. */
static void store_by(struct world *w, struct job *j, enum storing how, uint32_t to, bool batch)
{
    enum { SOURCE = RESULTS + 3 * KB };
    char text[256];
    at(j->v, SOURCE)[0] = GOOD;
    storing_text(text, sizeof text, how, address(j->v, SOURCE), to);
    if (batch) {
        assemble(w->device, j->engine, at(j->v, BATCH), "%s\nMI_BATCH_BUFFER_END", text);
        job_batch(j, address(j->v, BATCH));
    } else {
        job_do(j, "%s", text);
    }
    run(w);
}

/* A store by an index: into the context's page, or as if in the GGTT: into the engine's. */
static void store_index(struct job *j, uint32_t class, bool engine, uint32_t index, uint32_t value)
{
    job_do(j,
           "%s post_sync_operation = write_immediate_data, store_data_index, destination_address_type = %s, "
           "address = %u, immediate_data = %u, length = %d",
           has_pipe(class) ? "PIPE_CONTROL" : "MI_FLUSH_DW", engine ? "ggtt" : "ppgtt", index, value,
           has_pipe(class) ? 6 : 5);
}

static void stores(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    uint32_t dw[256];
    for (uint32_t class = 0; class < CLASSES; class ++)
        for (enum storing s = 0; s < STORING; s++) {
            if (!(has_pipe(class) ? storing[s].pipe : storing[s].flush))
                continue;
            for (unsigned batch = 0; batch < 2; batch++) {
                struct job j = job_at(w, 1, class, NULL);
                at(one, RESULTS)[0] = at(two, RESULTS)[0] = 0;
                store_by(w, &j, s, address(one, RESULTS), batch);
                if (at(one, RESULTS)[0] != GOOD)
                    fail_msg("class %u: %s stored %x", class, storing[s].name, at(one, RESULTS)[0]);
                /* Another's page is nobody's to write; it hears of it, the other does not. */
                while (receive(j.v, dw) || receive(two, dw))
                    ;
                store_by(w, &j, s, address(two, RESULTS), batch);
                assert_int_equal(at(two, RESULTS)[0], 0);
                EXPECT_EVENT(j.v, "MEMORY_CAT_ERROR", j.id);
                EXPECT_EVENT(j.v, "CONTEXT_RESET_NOTIFICATION", j.id);
                expect_nothing(two);
            }
        }
    world_destroy(w);
}

/* Stores to the status page: of the context, never of the engine; reports, waits and the ends of batches. */
static void status_pages_and_flow(void **state)
{
    (void)state;
    enum { INDEX = 320, HOST_PAGE = PF_GGTT + 32 * KB, OWN_LOCAL = 32 * KB };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    for (uint32_t class = 0; class < CLASSES; class ++) {
        host_put_at(w, base_of(w, class) + HWS_PGA, HOST_PAGE);
        struct job j = job_at(w, 1, class, NULL);
        uint8_t before[4096], after[4096];
        assert_true(softgt_local_read(w->device, OWN_LOCAL, before, 512));
        const uint32_t results = address(one, RESULTS);
        memset(at(one, RESULTS), 0, 256);
        at(one, RESULTS)[16] = 5;
        job_do(&j,
               "MI_STORE_DATA_INDEX offset = %d, data = %u\n" /* the engine's page */
               "MI_STORE_DATA_INDEX use_per_process_hardware_status_page, offset = %d, data = %u\n"
               "MI_ARB_ON_OFF arbitration_enable = 0\n"
               "MI_REPORT_HEAD\n" /* the context's */
               "MI_ARB_CHECK\n" WAIT_EQUAL "\n"
               "MI_USER_INTERRUPT",
               INDEX, BAD, INDEX + 4, GOOD, 5, results + 64);
        store_index(&j, class, false, INDEX + 8, GOOD + 1);
        store_index(&j, class, true, INDEX + 16, GOOD + 1); /* nothing is written */
        /* A batch in the GGTT that ends itself, or goes on. */
        static const char conditional[] =
            "MI_CONDITIONAL_BATCH_BUFFER_END compare_semaphore, use_global_gtt, compare_data_dword = %u, "
            "compare_address = %u\n"
            "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u\n"
            "MI_BATCH_BUFFER_END";
        vf_commands_put(one, BATCH, conditional, 6, results + 64, results + 4, BAD);
        vf_commands_put(one, BATCH + 256, conditional, 4, results + 64, results + 8, GOOD);
        job_batch(&j, address(one, BATCH));
        job_batch(&j, address(one, BATCH + 256));
        job_store(&j, results, GOOD);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], GOOD);
        assert_int_equal(at(one, RESULTS)[1], 0);
        assert_int_equal(at(one, RESULTS)[2], GOOD);
        assert_true(softgt_local_read(w->device, OWN_LOCAL, after, 512));
        assert_memory_equal(before, after, 512);
        assert_int_equal(at(one, LRCA + INDEX)[0], 0);
        assert_int_equal(at(one, LRCA + INDEX + 4)[0], GOOD);
        assert_int_equal(at(one, LRCA + INDEX + 8)[0], GOOD + 1);
        assert_int_equal(at(one, LRCA + INDEX + 16)[0], 0);
        assert_true(at(one, LRCA)[4] > 0);
        for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
            assert_int_equal(w->device->engines[e].parse.arbitration, 1);
        SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j.id, 0);
        run(w);
    }
    assert_int_equal(w->device->gucs[0].totals.resets, 0);
    world_destroy(w);
}

/* What is the physical function's alone its contexts do, beside virtual ones: entries of the GGTT, the
 * engine's page, arbitration, any register; what they store to a page that is given to a function gets there
 * (160, 416). */
static void physical_one(void **state)
{
    (void)state;
    enum {
        INDEX = 320,
        OWN = 8 * MB,
        STATUS = 960 * KB,
        HOST_PAGE = OWN + STATUS,
        ENTRY_OF_ONE = 1 << 2 | 1
    };
    const uint64_t other_entry = UINT64_C(2748) * PAGE_BYTES | ENTRY_OF_ONE;
    struct world *w = world_at_work();
    struct vf *pf = &w->vfs[0], *one = &w->vfs[1];
    pf->ggtt = OWN;
    for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
        softgt_bar_write(w->device, 0, TABLE + (OWN / 4096 + page) * 8, page * 4096 | 1, 8);
    const uint32_t shim = offset_named(w, "GUC_SHIM_CONTROL");
    uint32_t id = 1;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t base = base_of(w, class), others = other_base(w, class),
                       results = address(pf, RESULTS);
        host_put_at(w, base + HWS_PGA, HOST_PAGE);
        struct job j = job_of(w, 0, id++, class, LRCA, JOB_RING, NULL);
        const uint32_t page = (uint32_t)(one->ggtt + 36 * KB);
        at(pf, RESULTS)[0] = 0;
        job_do(&j,
               "MI_UPDATE_GTT entry_address = %u, { %u }\n" /* it stays function 1's */
               "MI_STORE_DATA_INDEX offset = %d, data = %u\n"
               "MI_LOAD_REGISTER_IMM { %u, %u }\n"
               "MI_LOAD_REGISTER_IMM { %u, %u }\n"
               "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u\n" /* a given page */
               "MI_ARB_ON_OFF arbitration_enable = 0\n"
               "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u",
               page, (uint32_t)other_entry, INDEX, GOOD, others + CS_GPR, 0x77 + class,
               base + FORCE_TO_NONPRIV, TO_DRIVERS | shim, address(one, RESULTS), 0x51 + class, results,
               GOOD);
        run(w);
        assert_int_equal(at(pf, RESULTS)[0], GOOD);
        assert_int_equal(softgt_bar_read(w->device, 0, TABLE + page / 4096 * 8, 8), other_entry);
        assert_int_equal(at(pf, STATUS + INDEX)[0], GOOD);
        assert_int_equal(host_get_at(w, others + CS_GPR), 0x77 + class);
        assert_int_equal(host_get_at(w, base + FORCE_TO_NONPRIV), TO_DRIVERS | shim);
        assert_int_equal(at(one, RESULTS)[0], 0x51 + class);
        unsigned off = 0;
        for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
            off += !w->device->engines[e].parse.arbitration;
        assert_int_equal(off, 1);
        job_do(&j, "MI_ARB_ON_OFF arbitration_enable");
        store_index(&j, class, false, INDEX + 8, GOOD + 1);
        store_index(&j, class, true, INDEX + 16, GOOD + 2);
        run(w);
        assert_int_equal(at(pf, LRCA + INDEX + 8)[0], GOOD + 1);
        assert_int_equal(at(pf, LRCA + INDEX + 16)[0], 0);
        assert_int_equal(at(pf, STATUS + INDEX + 8)[0], 0);
        assert_int_equal(at(pf, STATUS + INDEX + 16)[0], GOOD + 2);
        memset(at(pf, STATUS), 0, 4096);
        if (class == CLASS_OF_RENDER) {
            memset(at(pf, RESULTS + 1 * KB), 0, 256);
            job_do(&j, "MI_REPORT_PERF_COUNT use_global_gtt, memory_address = %u, report_id = 119",
                   results + 1 * KB);
        }
        run(w);
        if (class == CLASS_OF_RENDER)
            assert_true(at(pf, RESULTS + 1 * KB)[0] | at(pf, RESULTS + 1 * KB)[1] |
                        at(pf, RESULTS + 1 * KB)[2]);
        host_put_at(w, base + FORCE_TO_NONPRIV, 0);
        softgt_bar_write(w->device, 0, TABLE + page / 4096 * 8, ENTRY_OF_ONE | 36 * KB, 8);
        SEND(j.v, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j.id, 0);
        run(w);
    }
    assert_int_equal(w->device->gucs[0].totals.resets, 0);
    assert_int_equal(w->pf.refused, 0);
    world_destroy(w);
}

/* A policy for all functions, by its key; the physical function's driver says it. */
static void set_policy(struct world *w, uint32_t key, uint32_t value)
{
    enum { KEYS = 72 * KB };
    const uint32_t keys[] = {GUC_KLV(key, 1), value};
    assert_true(softgt_local_write(w->device, KEYS, keys, sizeof keys));
    for (unsigned gt = 0; gt < device_guc_count(w->device); gt++) {
        const uint32_t fence = driver_pf_send_to(&w->pf, gt, H2G("PF2GUC_UPDATE_VGT_POLICY"),
                                                 (const uint32_t[]){PF_GGTT + KEYS, 0, 2}, 3);
        run(w);
        assert_int_equal(w->pf.reply_fence, fence);
        assert_int_equal(w->pf.reply, GUC_SUCCESS_OF(1));
    }
}

/* SYS-24, 176: an engine runs contexts of one function after another. What one leaves in registers the next
 * finds where its image brings nothing (restore inhibit), unless the policy has engines reset in between. */
static void leftovers(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    for (unsigned n = 1; n <= 2; n++)
        assert_true(driver_vf_schedule(&w->pf, n, 1, 1000, 1));
    for (uint32_t policy = 0; policy < 2; policy++) {
        set_policy(w, KLV_RESET_AFTER_VF_SWITCH, policy);
        for (uint32_t class = 0; class < CLASSES; class ++) {
            const uint32_t gpr = base_of(w, class) + CS_GPR + 16;
            struct job a = job_at(w, 1, class, NULL), b = job_at(w, 2, class, NULL);
            job_write(&a, gpr, PRIVATE);
            /* It waits, and is preempted when the other's turn comes. */
            job_wait(&a, address(one, RESULTS) + 64, 1);
            at(one, RESULTS)[16] = 0;
            run(w);
            at(two, RESULTS)[0] = 0x99;
            job_read(&b, gpr, address(two, RESULTS));
            job_read(&a, gpr, address(one, RESULTS));
            for (unsigned i = 0; i < 40; i++) {
                softgt_advance(w->device, 1000000);
                run(w);
            }
            if (at(two, RESULTS)[0] != (policy ? 0 : PRIVATE))
                fail_msg("policy %u, class %u: another finds %x", policy, class, at(two, RESULTS)[0]);
            at(one, RESULTS)[16] = 1;
            for (unsigned i = 0; i < 40; i++) {
                softgt_advance(w->device, 1000000);
                run(w);
            }
            if (at(one, RESULTS)[0] != PRIVATE) /* its own is in its image */
                fail_msg("policy %u, class %u: %x", policy, class, at(one, RESULTS)[0]);
            SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
            SEND(two, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", b.id, 0);
            run(w);
        }
    }
    world_destroy(w);
}

/* SYS-24: by policy a function's time is its own, whether it has work or not: who works alone has no more. */
static void strict_turns(void **state)
{
    (void)state;
    enum { STEPS = 2000, TENTH_MS = 100000 };
    static const uint32_t quanta_ms[VFS + 1] = {0, 2, 5,
                                                2}; /* the physical one's, of which none is said: 1 */
    for (uint32_t strict = 0; strict < 2; strict++)
        for (unsigned workers = 1; workers <= 2; workers++) {
            struct world *w = world_at_work();
            unsigned ran[VFS + 1] = {0};
            for (unsigned n = 1; n <= VFS; n++)
                assert_true(driver_vf_schedule(&w->pf, n, quanta_ms[n], 1000, 1));
            set_policy(w, KLV_SCHED_IF_IDLE, strict);
            for (unsigned n = 1; n <= workers; n++) {
                struct job j = job_at(w, n, CLASS_OF_COPY, NULL);
                job_wait(&j, address(j.v, RESULTS), 1);
            }
            for (unsigned i = 0; i < STEPS; i++) {
                softgt_advance(w->device, TENTH_MS);
                run(w);
                for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
                    if (w->device->gucs[0].derived.class_of[e] == CLASS_OF_COPY &&
                        w->device->gucs[0].engine_states.list[e].active != GUC_NO_CONTEXT)
                        ran[w->device->gucs[0].engine_states.list[e].function]++;
            }
            const unsigned all_ms = strict ? 10 : workers == 1 ? 2 : 7;
            for (unsigned n = 1; n <= VFS; n++) {
                const double want = n <= workers ? (double)STEPS * quanta_ms[n] / all_ms : 0;
                if (ran[n] < want * 0.93 - 10 || ran[n] > want * 1.07 + 10)
                    fail_msg("strict %u, %u work: function %u has %u of %u", strict, workers, n, ran[n],
                             STEPS);
            }
            world_destroy(w);
        }
}

/* ---- SYS-06, 280-338: resets of all ---- */

enum ending { VF_ENABLE, PF_RESET, POWER_ON, ENDINGS };

/* Functions that have work in engines, a doorbell, messages that wait: after VF Enable is cleared, a reset of
 * the physical function or a conventional one they are not there, and nothing of them comes back. */
static void endings(void **state)
{
    (void)state;
    enum { CONTROL = 8, MEMORY = 8, ENABLE = 1, LINE = 40 * KB };
    for (enum ending ending = 0; ending < ENDINGS; ending++) {
        struct world *w = world_at_work();
        struct vf *one = &w->vfs[1], *two = &w->vfs[2];
        struct job a = job_at(w, 1, CLASS_OF_COPY, NULL), b = job_at(w, 2, CLASS_OF_RENDER, NULL);
        const uint32_t id = a.id, first = (uint32_t)w->pf.vf_configs[0].first_doorbell,
                       doorbell = offset_named(w, "DRBREG[0]") + (first + 1) * 8;
        SEND(one, GUC_REQUEST, "ALLOCATE_DOORBELL", id, 1, 1, address(one, LINE));
        job_wait(&a, address(one, RESULTS), 1);
        job_store(&a, address(one, RESULTS) + 4, BAD);
        job_wait(&b, address(two, RESULTS), 1);
        job_store(&b, address(two, RESULTS) + 4, BAD);
        run(w);
        softgt_function_bar_write(w->device, 1, 2, PAGE_BYTES, PRIVATE, 4);
        assert_true(host_get_at(w, doorbell) & 1);
        assert_int_equal(softgt_pci_config_read(w->device, PCI_SRIOV, 2), 0x10);
        if (ending == VF_ENABLE)
            softgt_pci_config_write(w->device, PCI_SRIOV + CONTROL, MEMORY, 2);
        else if (ending == PF_RESET)
            softgt_pci_config_write(w->device, PCI_DEVICE_CONTROL, PCI_FLR, 2);
        else
            softgt_reset(w->device);
        /* They answer nothing, and nothing gets to them. */
        for (unsigned n = 1; n <= VFS; n++) {
            assert_false(softgt_function_enabled(w->device, n));
            assert_int_equal(softgt_function_pci_config_read(w->device, n, 4, 4), UINT32_MAX);
            assert_int_equal(get(&w->vfs[n], "VF_CAP"), UINT32_MAX);
            assert_int_equal(softgt_function_bar_read(w->device, n, 2, PAGE_BYTES, 4), UINT32_MAX);
        }
        put(one, "GUC_MAILBOX[0]", PRIVATE);
        softgt_function_bar_write(w->device, 1, 2, PAGE_BYTES, 0x77, 4);
        at(one, RESULTS)[0] = at(two, RESULTS)[0] = 1; /* what they waited for */
        const unsigned messages[] = {one->messages, two->messages};
        for (unsigned i = 0; i < 4; i++) {
            softgt_advance(w->device, 1000000);
            softgt_run(w->device, 1 << 16);
        }
        assert_int_equal(at(one, RESULTS)[1], 0);
        assert_int_equal(at(two, RESULTS)[1], 0);
        assert_int_equal(one->messages, messages[0]);
        assert_int_equal(two->messages, messages[1]);
        /* They come back, as new. */
        if (ending == VF_ENABLE) {
            run(w);
            assert_int_equal(host_get_at(w, doorbell) & 1, 0);
            assert_int_equal(at(one, LINE)[0], 0);
            softgt_pci_config_write(w->device, PCI_SRIOV + CONTROL, ENABLE | MEMORY, 2);
        } else {
            const struct driver_vf_config none[VFS] = {0};
            assert_null(driver_pf_start(&w->pf, w->device, VFS, none));
        }
        run(w);
        assert_int_equal(get(one, "GUC_MAILBOX[0]"), 0);
        bring_up(w, 1);
        bring_up(w, 2);
        SEND(one, GUC_REQUEST, "SCHED_CONTEXT", id);
        run(w);
        EXPECT(one, FAILURE(NOT_REGISTERED));
        struct job c = job_at(w, 1, CLASS_OF_COPY, NULL);
        job_store(&c, address(one, RESULTS) + 8, GOOD);
        run(w);
        assert_int_equal(at(one, RESULTS)[2], GOOD);
        assert_int_equal(at(one, RESULTS)[1], 0);
        world_destroy(w);
    }
}

/* ---- SYS-05, 260-279; SYS-22, 2247-2320: interrupts ---- */

/* The user interrupt and that of a flush. */
static void job_interrupts(struct job *j, uint32_t class)
{
    job_do(j, "MI_USER_INTERRUPT; MI_NOOP; %s",
           has_pipe(class) ? "PIPE_CONTROL notify_enable, length = 6"
                           : "MI_FLUSH_DW notify_enable, length = 4");
}

/* What the registers of the physical function show; all of it is enabled. */
static uint32_t pending(const struct world *w)
{
    return host_get(w, "GT_INTR_DW[0]") | host_get(w, "GT_INTR_DW[1]") |
           (host_get(w, "GFX_MSTR_INTR") & INT32_MAX);
}

static void interrupts(void **state)
{
    (void)state;
    static const uint8_t numbers[CLASSES] = {0, 32, 63, 15, 4};
    enum { USER = 0, FLUSHED = 4 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    const uint32_t enables = offset_named(w, "RENDER_COPY_INTR_ENABLE"),
                   masks = offset_named(w, "RCS0_RSVD_INTR_MASK"), tree = offset_named(w, "TILE_INT"),
                   end = offset_named(w, "CCS2_CCS3_INTR_MASK") + 4,
                   identity = offset_named(w, "INTR_IDENTITY_REG[0]");
    for (uint32_t i = 0; i < 8; i++)
        host_put_at(w, enables + i * 4, UINT32_MAX);
    for (uint32_t offset = masks; offset < end; offset += 4)
        host_put_at(w, offset, 0);
    host_put(w, "GFX_MSTR_INTR", 1u << 31);
    host_put(w, "TILE_INT", 1u << 31);
    softgt_pci_config_write(w->device, PCI_MSI_CONTROL, 1, 2);
    const uint32_t shown = pending(w);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct job a = job_at(w, 1, class, NULL), b = job_at(w, 2, class, NULL);
        job_enable_memirq(&a, UINT16_MAX);
        run(w);
        memset(at(one, EVENTS), 0, MEMIRQ_ENABLE);
        memset(at(two, EVENTS), 0, MEMIRQ_ENABLE);
        const unsigned messages[] = {w->vfs[0].messages, one->messages, two->messages};
        /* Of whom they are not told in memory, nobody hears; nor does anybody else of whom they are. */
        job_interrupts(&b, class);
        run(w);
        assert_int_equal(two->messages, messages[2]);
        job_interrupts(&a, class);
        run(w);
        uint8_t want[MEMIRQ_ENABLE] = {0};
        want[numbers[class] * 16 + USER] = want[numbers[class] * 16 + FLUSHED] = MEMIRQ_RAISED;
        want[MEMIRQ_SOURCE + numbers[class]] = MEMIRQ_RAISED;
        assert_memory_equal(one->memory + EVENTS, want, sizeof want);
        assert_int_equal(one->messages, messages[1] + 2);
        assert_int_equal(two->messages, messages[2]);
        memset(want, 0, sizeof want);
        assert_memory_equal(two->memory + EVENTS, want, sizeof want);
        assert_int_equal(w->vfs[0].messages, messages[0]);
        assert_int_equal(pending(w), shown);
        /* Messages that its configuration space does not enable are not sent. */
        enable_msi(w, 1, false);
        job_interrupts(&a, class);
        run(w);
        assert_int_equal(one->messages, messages[1] + 2);
        enable_msi(w, 1, true);
        SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
        SEND(two, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", b.id, 0);
        run(w);
    }
    /* The GuC tells the function that it answers. (2251) */
    memset(at(one, EVENTS), 0, MEMIRQ_ENABLE);
    const unsigned messages = one->messages, others = two->messages;
    SEND(one, GUC_REQUEST, "VF2GUC_QUERY_SINGLE_KLV", VF_KEY("contexts"));
    run(w);
    assert_int_equal(one->memory[EVENTS + 16 * INTERRUPT_GUC + 15], MEMIRQ_RAISED);
    assert_int_equal(one->memory[EVENTS + MEMIRQ_SOURCE + INTERRUPT_GUC], MEMIRQ_RAISED);
    assert_int_equal(one->messages, messages + 1);
    assert_int_equal(two->messages, others);
    /* A reset of the function clears where it is told (310-314): nothing comes any more. */
    function_level_reset(w, 1);
    run(w);
    memset(at(one, EVENTS), 0, MEMIRQ_ENABLE);
    SEND(one, GUC_REQUEST, "VF2GUC_QUERY_SINGLE_KLV", VF_KEY("contexts"));
    run(w);
    assert_int_equal(one->memory[EVENTS + 16 * INTERRUPT_GUC + 15], 0);
    assert_int_equal(w->device->gucs[0].functions[1].ct.memirq_status, 0);
    /* No register of the tree is in its BAR: they read zero, drop writes, and are told. */
    for (uint32_t offset = tree; offset < end; offset += 4) {
        const uint32_t before = host_get_at(w, offset), complaints = w->complaints;
        put_at(one, offset, UINT32_MAX);
        assert_int_equal(get_at(one, offset), 0);
        assert_true(w->complaints >= complaints);
        if (offset < identity || offset >= identity + 8 * 4)
            assert_int_equal(host_get_at(w, offset), before);
    }
    world_destroy(w);
}

/* SYS-19, 1391: OAG's requests are VF0's: a virtual function's pages are out of bounds, as what is not there;
 * its reports are dropped, and nothing else is. */
static void observation(void **state)
{
    (void)state;
    enum { BUFFER = 256 * KB, NOWHERE = 48 * MB, TRIGGER = 12648430 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job j = job_at(w, 1, CLASS_OF_COPY, NULL);
    const uint32_t bases[] = {address(one, BUFFER), NOWHERE};
    memset(at(one, BUFFER), 0, 128 * KB);
    uint8_t *const before = malloc(MEMORY_BYTES);
    memcpy(before, two->memory, MEMORY_BYTES);
    for (unsigned i = 0; i < 2; i++) {
        HOST_PUT(w, "OAG_OA_DEBUG", {"Disable Clock Ratio Reports", 1});
        host_put(w, "OAGLBCTXCTRL", 1);
        host_put(w, "OAG_OABUFFER", bases[i]);
        host_put(w, "OAG_OAHEADPTR", bases[i]);
        host_put(w, "OAG_OATAILPTR", bases[i]);
        HOST_PUT(w, "OAG_OACONTROL", {"Counter Select", 5}, {"Performance Counter Enable", 1});
        host_put(w, "OAG_MMIOTRIGGER", TRIGGER);
        run(w);
        host_put(w, "OAG_OACONTROL", 0);
        job_store(&j, address(one, RESULTS), GOOD + i);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], GOOD + i);
    }
    unsigned written = 0;
    for (unsigned i = 0; i < 64; i++)
        written += at(one, BUFFER)[i] != 0;
    assert_int_equal(written, 0);
    assert_memory_equal(two->memory, before, MEMORY_BYTES);
    assert_int_equal(w->device->gucs[0].totals.resets, 0);
    free(before);
    world_destroy(w);
}

/* ---- SYS-07, 340-354; SYS-08, 356-453: memory ---- */

static void job_store_ppgtt(struct job *j, uint32_t to, uint32_t value)
{
    job_do(j, "MI_STORE_DATA_IMM address = %u, immediate_data = %u", to, value);
}

/* By the tables of its own, in every kind of page; whatever it names, another's is not there. */
/* The LMTT of function 1, in local memory; with a second GuC, it has three levels, and stands further on. */
enum { LMTT = 192 * KB, LAST_OF_THREE = 384 * KB };

static uint64_t last_table(const struct world *w)
{
    return device_guc_count(w->device) == 1 ? LMTT : LAST_OF_THREE;
}

static void local_pages(void **state)
{
    (void)state;
    enum { GB1 = 1 << 30, MB2 = 2 << 20 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    uint32_t dw[256];
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const struct driver_ppgtt pages = space_of_pages(w, 1), others = space_of_pages(w, 2);
        struct job j = job_at(w, 1, class, &pages), k = job_at(w, 2, class, &others);
        const struct {
            uint32_t address, local;
        } places[] = {{GB1 + 4668, LOCAL_4K + 4668},
                      {GB1 + MB2 - 4, LOCAL_4K + MB2 - 4},
                      {GB1 + MB2, LOCAL_2M},
                      {GB1 + 2 * MB2 - 4, LOCAL_2M + MB2 - 4}};
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t value = (GOOD << 8) + class * 16 + i;
            job_store_ppgtt(&j, places[i].address, value);
            job_store_ppgtt(&k, places[i].address, ~value);
            run(w);
            assert_int_equal(softgt_function_bar_read(w->device, 1, 2, places[i].local, 4), value);
            assert_int_equal(softgt_function_bar_read(w->device, 2, 2, places[i].local, 4), ~value);
            const uint64_t physical = w->pf.vf_configs[0].local_start + places[i].local;
            assert_int_equal(softgt_bar_read(w->device, 2, physical, 4), value);
        }
        /* System memory is of whom the function was given to. */
        job_store_ppgtt(&j, RESULTS, 1111 + class);
        job_store_ppgtt(&k, RESULTS, 2222 + class);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], 1111 + class);
        assert_int_equal(at(two, RESULTS)[0], 2222 + class);
        /* The LMTT changes, and is told to: the next access goes by the new entry; none: it faults. (7002) */
        while (receive(j.v, dw) || receive(k.v, dw))
            ;
        const uint64_t table = last_table(w) + 4 * (LOCAL_2M / MB2);
        uint32_t kept, none = 0;
        assert_true(softgt_local_read(w->device, table, &kept, 4));
        assert_true(softgt_local_write(w->device, table, &none, 4));
        host_put(w, "LMEM_CFG", host_get(w, "LMEM_CFG"));
        job_store_ppgtt(&j, GB1 + MB2, BAD);
        run(w);
        EXPECT_EVENT(j.v, "MEMORY_CAT_ERROR", j.id);
        EXPECT_EVENT(j.v, "CONTEXT_RESET_NOTIFICATION", j.id);
        assert_int_equal(softgt_function_bar_read(w->device, 1, 2, LOCAL_2M, 4), 0);
        expect_nothing(k.v);
        assert_true(softgt_local_write(w->device, table, &kept, 4));
        host_put(w, "LMEM_CFG", host_get(w, "LMEM_CFG"));
        SEND(k.v, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", k.id, 0);
        run(w);
        while (receive(two, dw))
            ;
    }
    world_destroy(w);
}

static void entry_in_ggtt(struct world *w, const struct vf *v, uint32_t page, uint64_t local)
{
    softgt_function_bar_write(w->device, v->number, 0, TABLE + (v->ggtt / 4096 + page) * 8,
                              local / PAGE_BYTES * PAGE_BYTES | 3, 8);
}

/* Where compression state begins. (SYS-08; Linux, xe_vram's get_flat_ccs_offset) */
static uint64_t ccs_start(const struct world *w)
{
    if (!is_xe2())
        return (uint64_t)(host_get(w, "FLAT_CCS_BASE_ADDR") >> 8) << 16;
    const uint64_t upper = host_get(w, "FLAT_CCS_BASE_RANGE_UPPER") & UINT8_MAX,
                   lower = host_get(w, "FLAT_CCS_BASE_RANGE_LOWER") & ~63u;
    return (upper << 32 | lower) * (unsigned)__builtin_popcount(host_get(w, "MIRROR_FUSE3") >> 16);
}

/* Stolen memory, by whatever way: a page of the GGTT, a page table, the BAR; the LMTT names it. */
static void stolen_memory(void **state)
{
    (void)state;
    enum { MB2 = 2 << 20 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    const uint64_t local_bytes = softgt_info(w->device)->local_bytes;
    const struct {
        uint64_t first, end;
    } kept[] = {{(uint64_t)host_get(w, "DSMBASE_UDW") << 32 | host_get(w, "DSMBASE"), local_bytes},
                {(uint64_t)host_get(w, "GSMBASE_UDW") << 32 | host_get(w, "GSMBASE"), local_bytes},
                {ccs_start(w), local_bytes}};
    const uint64_t pages = last_table(w);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(kept[i].first && kept[i].first < local_bytes);
        for (uint64_t page = kept[i].first / MB2 * MB2; page < kept[i].end; page += MB2) {
            const uint32_t entry_of_it = (uint32_t)(page / MB2) << 5 | 1;
            uint64_t before, after;
            const uint64_t there = page < kept[i].first ? kept[i].first : page;
            softgt_local_read(w->device, there, &before, 8);
            assert_true(softgt_local_write(w->device, pages + 4 * 5, &entry_of_it, 4));
            host_put(w, "LMEM_CFG", host_get(w, "LMEM_CFG"));
            softgt_function_bar_write(w->device, 1, 2, 5 * MB2 + there % MB2, ~before, 8);
            assert_int_equal(softgt_function_bar_read(w->device, 1, 2, 5 * MB2 + there % MB2, 8), 0);
            entry_in_ggtt(w, one, 200, 5 * MB2 + there % MB2);
            struct job j = job_at(w, 1, CLASS_OF_COPY, NULL);
            job_store(&j, (uint32_t)one->ggtt + 200 * 4096, BAD);
            run(w);
            softgt_local_read(w->device, there, &after, 8);
            assert_int_equal(before, after);
        }
    }
    world_destroy(w);
}

/* ---- Isolation ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* What a context may change: its engine's registers, its image's, and where the engine has threads the
 * pipeline's. */
static bool is_its_own(const struct world *w, uint32_t class, uint32_t offset)
{
    const struct register_slot *s = register_slot_at(&w->device->mmio, offset);
    const struct engine *e = w->device->engines;
    while (e->info != engine_of(w, class))
        e++;
    for (uint32_t i = 0; i < e->images.context.value_count; i++)
        if (e->images.context.values[i].offset == offset)
            return true;
    const bool of_another = (const struct engine *)s->owner >= w->device->engines &&
                            (const struct engine *)s->owner < w->device->engines + e->peers.count;
    return s->owner == e || (engine_has_threads(e) && s->flags & REG_RENDER_NONPRIV_WRITE && !of_another);
}

/* Register writes to anywhere by a driver's contexts, in privileged batches: no register is another than it
 * was but the engine's own, and what is read from anywhere is nothing of others'. */
static void isolation_of_contexts(void **state)
{
    (void)state;
    enum { PAIRS = 120, COMMANDS = 30, MMIO_DW = 4 * MB / 4, SECRET = PRIVATE << 8, PLACES = 64 };
    enum { ANYWHERE = 4 * MB - 4, RENDER_BASE = 8 * KB };
    const char *asked = getenv("ACCESSES");
    const unsigned writes = asked ? (unsigned)atoi(asked) : 1000000,
                   batches = writes / (PAIRS * COMMANDS * CLASSES) + 1;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    uint64_t random = 0x9e3779b97f4a7c15;
    uint32_t header[8];
    assemble(w->device, 0, header,
             "MI_LOAD_REGISTER_IMM { 0, 0 }\n"
             "MI_STORE_REGISTER_MEM use_global_gtt, register_address = 0, memory_address = 0\n"
             "MI_BATCH_BUFFER_END");
    const uint32_t load = header[0], store = header[3], end = header[7];
    uint32_t *const before = malloc(MMIO_DW * 4);
    assert_non_null(before);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        for (uint32_t i = 0; i < 32; i++)
            host_put_at(w, other_base(w, class) + CS_GPR + i * 4, SECRET);
        put(two, "GUC_MAILBOX[1]", SECRET);
        put(two, "GUC_MAILBOX[2]", SECRET);
        for (unsigned batch = 0; batch < batches; batch++) {
            struct job j = job_at(w, 1, class, NULL);
            run(w);
            for (uint32_t i = 0; i < MMIO_DW; i++)
                before[i] = register_slot_at(&w->device->mmio, i * 4)->row
                                ? register_value(&w->device->mmio, i * 4)
                                : 0;
            uint32_t *dw = at(one, BATCH);
            for (unsigned c = 0; c < COMMANDS; c++) {
                *dw++ = load + (PAIRS - 1) * 2;
                for (unsigned i = 0; i < PAIRS; i++) {
                    const uint64_t r = next_random(&random);
                    /* Anywhere, where there is much, and near mailboxes; its own ring goes on. */
                    uint32_t offset = r & 1   ? r >> 8 & ANYWHERE
                                      : r & 2 ? RENDER_BASE + (r >> 8 & (64 * KB - 4))
                                              : GUC_FUNCTION_FIRST + (r >> 8 & (32 * KB - 4));
                    if (offset - base_of(w, class) < PAGE_BYTES)
                        offset = base_of(w, class) + CS_GPR;
                    *dw++ = offset;
                    *dw++ = (uint32_t)next_random(&random);
                }
            }
            *dw++ = end;
            job_batch(&j, address(one, BATCH));
            run(w);
            for (uint32_t i = 0; i < MMIO_DW; i++)
                if (register_slot_at(&w->device->mmio, i * 4)->row &&
                    register_value(&w->device->mmio, i * 4) != before[i] && !is_its_own(w, class, i * 4))
                    fail_msg("class %u: register %05x became %x, from %x", class, i * 4,
                             register_value(&w->device->mmio, i * 4), before[i]);
            /* Reads. */
            dw = at(one, BATCH);
            for (unsigned i = 0; i < PLACES; i++) {
                const uint64_t r = next_random(&random);
                *dw++ = store;
                *dw++ = r & 1   ? other_base(w, class) + CS_GPR + (r >> 8 & 0x7c)
                        : r & 2 ? GUC_FUNCTION_FIRST + (r >> 8 & (32 * KB - 4))
                                : r >> 8 & ANYWHERE;
                *dw++ = address(one, RESULTS) + i * 4;
                *dw++ = 0;
            }
            *dw++ = end;
            job_batch(&j, address(one, BATCH));
            job_store(&j, address(one, RESULTS) + PLACES * 4, (GOOD << 8) + batch);
            run(w);
            assert_int_equal(at(one, RESULTS)[PLACES], (GOOD << 8) + batch);
            for (unsigned i = 0; i < PLACES; i++)
                assert_int_not_equal(at(one, RESULTS)[i], SECRET);
            SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j.id, 0);
            SEND(one, GUC_FAST_REQUEST, "DEREGISTER_CONTEXT", j.id);
            run(w);
            uint32_t got[256];
            while (receive(one, got))
                ;
        }
    }
    assert_int_equal(w->device->gucs[0].totals.resets, 0);
    free(before);
    world_destroy(w);
}

TEST_PROGRAM(function_rules_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers),
        cmocka_unit_test(registers_of_images),
        cmocka_unit_test(programmed_registers),
        cmocka_unit_test(hidden_registers),
        cmocka_unit_test(stores),
        cmocka_unit_test(status_pages_and_flow),
        cmocka_unit_test(physical_one),
        cmocka_unit_test(strict_turns),
        cmocka_unit_test(endings),
        cmocka_unit_test(leftovers),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(observation),
        cmocka_unit_test(isolation_of_contexts),
        cmocka_unit_test(local_pages),
        cmocka_unit_test(stolen_memory),
    };
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
