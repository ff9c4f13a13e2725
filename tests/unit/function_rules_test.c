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

enum { CLASSES = 5, CLASS_OF_RENDER = 0, CLASS_OF_COMPUTE = 4 };
enum { LRCA = 0x10000, JOB_RING = 0x70000, BATCH = 0x78000 };
enum { GPR = 0x600, NONPRIV = 0x4d0, SLOTS = 12, SHIM = 0xc064 };
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

static uint32_t host_get(const struct world *w, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(w->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static void host_put(const struct world *w, uint32_t offset, uint32_t value)
{
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

/* The numbers of contexts are not used again, their memory is. */
static uint32_t next_id;

static struct job job_at(struct world *w, unsigned number, uint32_t class, const struct driver_ppgtt *ppgtt)
{
    return job_of(w, number, next_id++, class, LRCA, JOB_RING, ppgtt);
}

/* An address space whose tables lie in local memory of the function's own (376-404): its first 2 MB are the
 * function's memory; from 1 GB on, pages of 4 KB and then one of 2 MB of its local memory. */
enum { LOCAL_4K = 0x400000, LOCAL_2M = 0x600000 };

static void entry(struct world *w, unsigned number, uint32_t at, uint64_t value)
{
    softgt_function_bar_write(w->device, number, SOFTGT_BAR_LOCAL, at, value, 8);
}

static struct driver_ppgtt space_of_pages(struct world *w, unsigned number)
{
    enum {
        ROOT = 0x100000,
        TABLES = 0x101000,
        PAGES = 0x103000,
        LOCAL_TABLE = 0x104000,
        LOCAL_PAGES = 0x105000
    };
    enum { WRITABLE = 3, WHOLE = 1 << 7, LOCAL = 1 << 11 };
    entry(w, number, ROOT, TABLES | WRITABLE);
    entry(w, number, TABLES, (TABLES + 0x1000) | WRITABLE);
    entry(w, number, TABLES + 0x1000, PAGES | WRITABLE);
    entry(w, number, TABLES + 8, LOCAL_TABLE | WRITABLE);
    entry(w, number, LOCAL_TABLE, LOCAL_PAGES | WRITABLE);
    entry(w, number, LOCAL_TABLE + 8, LOCAL_2M | WHOLE | LOCAL | WRITABLE);
    for (uint32_t i = 0; i < 512; i++) {
        entry(w, number, PAGES + i * 8, i * 4096 | WRITABLE);
        entry(w, number, LOCAL_PAGES + i * 8, (LOCAL_4K + i * 4096) | LOCAL | WRITABLE);
    }
    return (struct driver_ppgtt){.levels = 4, .root = {ROOT}};
}

/* ---- SYS-04, 204-246: registers ---- */

enum way { BY_IMMEDIATE, BY_MEMORY, BY_REGISTER, BY_FLUSH, WAYS };

static void write_register(struct world *w, struct job *j, uint32_t class, enum way way, uint32_t offset,
                           uint32_t value)
{
    const uint32_t from = base_of(w, class) + GPR + 8, kept = address(j->v, RESULTS + 0x800);
    at(j->v, RESULTS + 0x800)[0] = value;
    const uint32_t ways[WAYS][6] = {
        [BY_IMMEDIATE] = {0x11000001, offset, value},
        [BY_MEMORY] = {0x14c00002, offset, kept, 0},
        [BY_REGISTER] = {0x11000001, from, value, 0x15000001, from, offset},
        [BY_FLUSH] = {0x7a000004, 1 << 23 | 1 << 14, offset, 0, value, 0},
    };
    job_add(j, ways[way], 6);
    run(w);
}

static void registers(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t base = base_of(w, class), others = other_base(w, class);
        const uint32_t denied[] = {
            others + GPR,            /* another engine's */
            others + 0x4d0,          /* what opens its registers */
            base + HWS_PGA,          /* the physical function's page */
            base + 0x98,             /* HWSTAM: what is told there */
            base + 0xa8,             /* IMR */
            base + 0xac,             /* INT_STATUS_RPT_PTR */
            base + NONPRIV,          /* what opens registers */
            base + NONPRIV + 11 * 4, /* the last of them */
            base + 0xd0,             /* RESET_CTL: no engine is its to reset (336) */
            base + 0x510,            /* EXECLIST_SQ_CONTENTS */
            base + 0x550,            /* EXECLIST_CONTROL */
            0x2b00,                  /* OACONTROL, of users where there are no functions */
            0xdaf4,                  /* OAG_OACONTROL */
            0xdb1c,                  /* OAG_MMIOTRIGGER */
            0x941c,                  /* GDRST */
            0xcf58,                  /* LMEM_CFG */
            0xc064,                  /* the shim of the GuC */
            0x1901f0,                /* the physical function's interrupt of the GuC */
            0x190244,                /* its mailbox */
            0x190244 + 2 * 0x400,    /* another one's */
            0x190030,                /* enables of interrupts */
        };
        for (enum way way = 0; way < (has_pipe(class) ? WAYS : BY_FLUSH); way++) {
            struct job j = job_at(w, 1, class, NULL);
            write_register(w, &j, class, way, base + GPR, 0x11 + way);
            job_read(&j, base + GPR, address(j.v, RESULTS));
            run(w);
            if (at(j.v, RESULTS)[0] != 0x11 + way)
                fail_msg("class %u, way %u: its own register is %x", class, way, at(j.v, RESULTS)[0]);
            for (unsigned i = 0; i < sizeof denied / sizeof denied[0]; i++) {
                const uint32_t before = host_get(w, denied[i]), complaints = w->complaints;
                write_register(w, &j, class, way, denied[i], ~before);
                if (host_get(w, denied[i]) != before || w->complaints == complaints)
                    fail_msg("class %u, way %u: %05x was written: %x", class, way, denied[i],
                             host_get(w, denied[i]));
            }
            /* Nothing of it hung. */
            job_store(&j, address(j.v, RESULTS) + 4, 0x600d + way);
            run(w);
            assert_int_equal(at(j.v, RESULTS)[1], 0x600d + way);
            SEND(j.v, 2, 0x1001, j.id, 0);
            run(w);
        }
    }
    assert_int_equal(w->device->guc.totals.resets, 0);
    world_destroy(w);
}

/* What a context's image holds is its own, whoever else runs there: of the render engine the registers of the
 * 3D pipeline, too, which are not another engine's to write. */
static void registers_of_images(void **state)
{
    (void)state;
    static const uint16_t render[] = {0x7004, 0x703c, 0x7044, 0x731c, 0x83a4, 0xe18c};
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_at(w, 1, CLASS_OF_RENDER, NULL), b = job_at(w, 2, CLASS_OF_RENDER, NULL),
               c = job_of(w, 1, next_id++, CLASS_OF_COPY, 0x30000, 0x40000, NULL);
    for (unsigned i = 0; i < sizeof render / sizeof render[0]; i++) {
        const uint32_t results = RESULTS + i * 8, offset = render[i];
        job_read(&b, offset, address(two, results)); /* it has a saved image from then on */
        run(w);
        job_add(&a, (const uint32_t[]){0x11000001, offset, 0x00100010, 0}, 4);
        job_read(&a, offset, address(one, results));
        run(w);
        job_read(&b, offset, address(two, results));
        run(w);
        job_add(&c, (const uint32_t[]){0x11000001, offset, 0x00200020, 0}, 4);
        run(w);
        job_read(&a, offset, address(one, results) + 4);
        run(w);
        if (!(at(one, results)[0] & 0x10) || at(two, results)[0] & 0x10 ||
            at(one, results)[1] != at(one, results)[0])
            fail_msg("%05x: %x, then %x; another's %x", offset, at(one, results)[0], at(one, results)[1],
                     at(two, results)[0]);
    }
    /* The copy engine's own, which drivers write when they make its contexts. (Linux, BLIT_CCTL) */
    struct job d = job_of(w, 2, next_id++, CLASS_OF_COPY, 0x30000, 0x40000, NULL);
    job_read(&d, 0x22204, address(two, RESULTS + 0x100));
    run(w);
    job_add(&c, (const uint32_t[]){0x11000001, 0x22204, 0x606, 0}, 4);
    job_read(&c, 0x22204, address(one, RESULTS + 0x100));
    run(w);
    job_read(&d, 0x22204, address(two, RESULTS + 0x104));
    run(w);
    assert_int_equal(at(one, RESULTS + 0x100)[0], 0x606);
    assert_int_equal(at(two, RESULTS + 0x100)[1], at(two, RESULTS + 0x100)[0]);
    world_destroy(w);
}

/* 248-258: the twelve that the physical function's driver programs, for users or for drivers of functions. */
static void programmed_registers(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    uint32_t value = 0x100;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t base = base_of(w, class);
        const struct driver_ppgtt pages = space_of_pages(w, 1);
        struct job j = job_at(w, 1, class, &pages);
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            const struct {
                uint32_t bits;
                bool driver, user;
            } cases[] = {{TO_DRIVERS, true, false}, {0, true, true}, {DENIES, false, false}};
            for (unsigned i = 0; i < 3; i++) {
                host_put(w, base + NONPRIV + slot * 4, cases[i].bits | SHIM);
                job_add(&j, (const uint32_t[]){0x11000001, SHIM, ++value, 0}, 4);
                run(w);
                assert_int_equal(host_get(w, SHIM) == value, cases[i].driver);
                const uint32_t batch[] = {0x11000001, SHIM, ++value, 0x05000000};
                memcpy(at(one, BATCH), batch, sizeof batch);
                job_add(&j, (const uint32_t[]){0x18800101, BATCH, 0, 0}, 4);
                run(w);
                assert_int_equal(host_get(w, SHIM) == value, cases[i].user);
            }
            host_put(w, base + NONPRIV + slot * 4, 0);
        }
        /* What is denied is denied to drivers, too; it goes with power, not with contexts. */
        host_put(w, base + NONPRIV, DENIES | (base + GPR));
        job_add(&j, (const uint32_t[]){0x11000001, base + GPR, 0xbad, 0}, 4);
        job_read(&j, base + GPR, address(one, RESULTS));
        run(w);
        assert_int_not_equal(at(one, RESULTS)[0], 0xbad);
        assert_int_equal(host_get(w, base + NONPRIV), DENIES | (base + GPR));
        host_put(w, base + NONPRIV, 0);
        SEND(one, 2, 0x1001, j.id, 0);
        run(w);
    }
    assert_int_equal(w->device->guc.totals.resets, 0);
    world_destroy(w);
}

/* SYS-04, SYS-07, 342-354: what a context reads of others, and of where stolen memory is, is 0. */
static void hidden_registers(void **state)
{
    (void)state;
    /* Stolen memory, mailboxes, where the LMTT is (388, 443), doorbells. */
    static const uint32_t hidden[] = {0x1080c0, 0x1080c4, 0x108100, 0x108104, 0x1082c0, 0x190244,
                                      0x190a44, 0xcf58,   0x1083b0, 0x3ff080, 0x400000};
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    put(&w->vfs[2], 0x190244, 0x5ec7e7);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct job j = job_at(w, 1, class, NULL);
        host_put(w, other_base(w, class) + GPR, 0x5ec7e7);
        for (unsigned i = 0; i <= sizeof hidden / sizeof hidden[0]; i++) {
            const uint32_t offset = i ? hidden[i - 1] : other_base(w, class) + GPR;
            at(one, RESULTS)[0] = at(one, RESULTS)[1] = 0x99;
            job_read(&j, offset, address(one, RESULTS));
            /* By way of a register of its own. */
            job_add(&j, (const uint32_t[]){0x15000001, offset, base_of(w, class) + GPR, 0}, 4);
            job_read(&j, base_of(w, class) + GPR, address(one, RESULTS) + 4);
            /* MI_SEMAPHORE_WAIT on the register: it waits while that is less than 1. */
            job_add(&j, (const uint32_t[]){0x0e41c002, 0, offset, 0}, 4);
            job_store(&j, address(one, RESULTS), 0x600d);
            run(w);
            if (at(one, RESULTS)[0] != 0x600d || at(one, RESULTS)[1])
                fail_msg("class %u reads %05x: %x, %x", class, offset, at(one, RESULTS)[0],
                         at(one, RESULTS)[1]);
        }
        SEND(one, 2, 0x1001, j.id, 0);
        run(w);
    }
    /* Nor by its BAR. */
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(get(one, hidden[i]), 0);
    assert_int_equal(get(one, 0xcf58), 0);
    assert_int_equal(get(one, 0x1083b0), 0);
    /* The physical function's read it. */
    assert_int_equal(host_get(w, 0xcf58), host_get(w, 0x1083b0));
    assert_true(host_get(w, 0xcf58) >> 31);
    world_destroy(w);
}

/* ---- SYS-04, 204-246: commands ---- */

enum { MOST_DW = 12 };
/* A command that stores 0x600d; where the address goes. */
static const struct storing {
    const char *name;
    uint32_t dw[MOST_DW];
    unsigned address_dw;
    bool pipe, flush; /* of engines that have the one or the other */
} storing[] = {
    {"MI_STORE_DATA_IMM", {0x10400002, 0, 0, 0x600d}, 1, true, true},
    {"MI_STORE_REGISTER_MEM", {0x11080001, GPR, 0x600d, 0x12480002, GPR, 0, 0}, 5, true, true},
    {"MI_COPY_MEM_MEM", {0x17600003, 0, 0, 0, 0}, 1, true, true},
    {"MI_ATOMIC", {0x17c40409, 0, 0, 0x600d}, 1, true, true},
    {"MI_FLUSH_DW", {0x13004003, 4, 0, 0x600d, 0}, 1, false, true},
    {"PIPE_CONTROL", {0x7a000004, 1 << 24 | 1 << 14, 0, 0, 0x600d, 0}, 2, true, false},
};
enum { STORING = sizeof storing / sizeof storing[0] };

/* From the ring or from a privileged batch. */
static void store_by(struct world *w, struct job *j, const struct storing *s, uint32_t to, bool batch)
{
    uint32_t dw[MOST_DW + 1];
    memcpy(dw, s->dw, sizeof s->dw);
    dw[MOST_DW] = 0x05000000;
    dw[s->address_dw] |= to;
    if (dw[0] == 0x17600003) {
        at(j->v, RESULTS + 0xc00)[0] = 0x600d;
        dw[3] = address(j->v, RESULTS + 0xc00);
    }
    if (batch) {
        memcpy(at(j->v, BATCH), dw, sizeof dw);
        job_add(j, (const uint32_t[]){0x18800001, address(j->v, BATCH), 0, 0}, 4);
    } else {
        job_add(j, dw, MOST_DW);
    }
    run(w);
}

static void stores(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    uint32_t dw[256];
    for (uint32_t class = 0; class < CLASSES; class ++)
        for (const struct storing *s = storing; s < storing + STORING; s++) {
            if (!(has_pipe(class) ? s->pipe : s->flush))
                continue;
            for (unsigned batch = 0; batch < 2; batch++) {
                struct job j = job_at(w, 1, class, NULL);
                at(one, RESULTS)[0] = at(two, RESULTS)[0] = 0;
                store_by(w, &j, s, address(one, RESULTS), batch);
                if (at(one, RESULTS)[0] != 0x600d)
                    fail_msg("class %u: %s stored %x", class, s->name, at(one, RESULTS)[0]);
                /* Another's page is nobody's to write; it hears of it, the other does not. */
                while (receive(one, dw) || receive(two, dw))
                    ;
                store_by(w, &j, s, address(two, RESULTS), batch);
                assert_int_equal(at(two, RESULTS)[0], 0);
                EXPECT(one, 0x90006000, j.id);
                EXPECT(one, 0x90001008, j.id);
                expect_nothing(two);
            }
        }
    world_destroy(w);
}

/* Stores to the status page: of the context, never of the engine; reports, waits and the ends of batches. */
static void status_pages_and_flow(void **state)
{
    (void)state;
    enum { HOST_PAGE = 0x408000, OWN_LOCAL = 0x8000 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    for (uint32_t class = 0; class < CLASSES; class ++) {
        host_put(w, base_of(w, class) + HWS_PGA, HOST_PAGE);
        struct job j = job_at(w, 1, class, NULL);
        uint8_t before[4096], after[4096];
        assert_true(softgt_local_read(w->device, OWN_LOCAL, before, 512));
        const uint32_t results = address(one, RESULTS);
        memset(at(one, RESULTS), 0, 256);
        at(one, RESULTS)[16] = 5;
        const uint32_t commands[] = {
            0x10800001, 0x140, 0xbad,           /* MI_STORE_DATA_INDEX: the engine's page */
            0x10a00001, 0x144, 0x600d,          /* the context's */
            0x04000000,                         /* MI_ARB_ON_OFF */
            0x03800000,                         /* MI_REPORT_HEAD: the context's */
            0x02800000,                         /* MI_ARB_CHECK */
            0x0e40c002, 5,     results + 64, 0, /* MI_SEMAPHORE_WAIT in the GGTT: it is equal */
            0x01000000,                         /* MI_USER_INTERRUPT */
        };
        job_add(&j, commands, sizeof commands / 4);
        /* By an index: the context's page, and as if in the GGTT: the engine's, to which nothing is written.
         */
        for (uint32_t own = 0; own < 2; own++) {
            const uint32_t place = own ? 0x150 : 0x148;
            if (has_pipe(class))
                job_add(&j,
                        (const uint32_t[]){0x7a000004, own << 24 | 1 << 21 | 1 << 14, place, 0, 0x600e, 0},
                        6);
            else
                job_add(&j, (const uint32_t[]){0x13204003, own << 2 | place, 0, 0x600e, 0, 0}, 6);
        }
        /* A batch in the GGTT that ends itself, or goes on. */
        const uint32_t batch[] = {0x1b600002,  6, results + 64, 0,         0x10400002,
                                  results + 4, 0, 0xbad,        0x05000000},
                       goes_on[] = {0x1b600002,  4, results + 64, 0,         0x10400002,
                                    results + 8, 0, 0x600d,       0x05000000};
        memcpy(at(one, BATCH), batch, sizeof batch);
        memcpy(at(one, BATCH + 256), goes_on, sizeof goes_on);
        job_add(&j, (const uint32_t[]){0x18800001, address(one, BATCH), 0, 0}, 4);
        job_add(&j, (const uint32_t[]){0x18800001, address(one, BATCH + 256), 0, 0}, 4);
        job_store(&j, results, 0xd0e);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], 0xd0e);
        assert_int_equal(at(one, RESULTS)[1], 0);
        assert_int_equal(at(one, RESULTS)[2], 0x600d);
        assert_true(softgt_local_read(w->device, OWN_LOCAL, after, 512));
        assert_memory_equal(before, after, 512);
        assert_int_equal(at(one, LRCA + 0x140)[0], 0);
        assert_int_equal(at(one, LRCA + 0x144)[0], 0x600d);
        assert_int_equal(at(one, LRCA + 0x148)[0], 0x600e);
        assert_int_equal(at(one, LRCA + 0x150)[0], 0);
        assert_true(at(one, LRCA)[4] > 0);
        for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
            assert_int_equal(w->device->engines[e].parse.arbitration, 1);
        SEND(one, 2, 0x1001, j.id, 0);
        run(w);
    }
    assert_int_equal(w->device->guc.totals.resets, 0);
    world_destroy(w);
}

/* What is the physical function's alone its contexts do, beside virtual ones: entries of the GGTT, the
 * engine's page, arbitration, any register; what they store to a page that is given to a function gets there
 * (160, 416). */
static void physical_one(void **state)
{
    (void)state;
    enum { OWN = 0x800000, HOST_PAGE = OWN + 0xf0000, ENTRY_OF_ONE = 1 << 2 | 1 };
    struct world *w = world_at_work();
    struct vf *pf = &w->vfs[0], *one = &w->vfs[1];
    pf->ggtt = OWN;
    for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
        softgt_bar_write(w->device, 0, TABLE + (OWN / 4096 + page) * 8, page * 4096 | 1, 8);
    uint32_t id = 1;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t base = base_of(w, class), others = other_base(w, class),
                       results = address(pf, RESULTS);
        host_put(w, base + HWS_PGA, HOST_PAGE);
        struct job j = job_of(w, 0, id++, class, LRCA, JOB_RING, NULL);
        const uint32_t page = (uint32_t)(one->ggtt + 0x9000);
        const uint32_t commands[] = {
            0x11800002,
            page,
            0xabc005,
            0, /* MI_UPDATE_GTT: it stays function 1's */
            0x10800001,
            0x140,
            0x600d, /* MI_STORE_DATA_INDEX */
            0x11000001,
            others + GPR,
            0x77 + class, /* MI_LOAD_REGISTER_IMM */
            0x11000001,
            base + NONPRIV,
            TO_DRIVERS | SHIM, /* what opens registers */
            0x10400002,
            address(one, RESULTS),
            0,
            0x51 + class, /* MI_STORE_DATA_IMM to a given page */
            0x04000000,   /* MI_ARB_ON_OFF: off */
            0x10400002,
            results,
            0,
            0xd0e,
            0,
            0,
        };
        at(pf, RESULTS)[0] = 0;
        job_add(&j, commands, sizeof commands / 4);
        run(w);
        assert_int_equal(at(pf, RESULTS)[0], 0xd0e);
        assert_int_equal(softgt_bar_read(w->device, 0, TABLE + page / 4096 * 8, 8), 0xabc005);
        assert_int_equal(at(pf, 0xf0000)[0x140 / 4], 0x600d);
        assert_int_equal(host_get(w, others + GPR), 0x77 + class);
        assert_int_equal(host_get(w, base + NONPRIV), TO_DRIVERS | SHIM);
        assert_int_equal(at(one, RESULTS)[0], 0x51 + class);
        unsigned off = 0;
        for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
            off += !w->device->engines[e].parse.arbitration;
        assert_int_equal(off, 1);
        job_add(&j, (const uint32_t[]){0x04000001, 0}, 2);
        for (uint32_t own = 0; own < 2; own++) { /* the context's page, the engine's */
            if (has_pipe(class))
                job_add(&j,
                        (const uint32_t[]){0x7a000004, own << 24 | 1 << 21 | 1 << 14, 0x148 + own * 8, 0,
                                           0x600e + own, 0},
                        6);
            else
                job_add(&j,
                        (const uint32_t[]){0x13204003, own << 2 | (0x148 + own * 8), 0, 0x600e + own, 0, 0},
                        6);
        }
        run(w);
        assert_int_equal(at(pf, LRCA + 0x148)[0], 0x600e);
        assert_int_equal(at(pf, LRCA + 0x150)[0], 0);
        assert_int_equal(at(pf, 0xf0000)[0x148 / 4], 0);
        assert_int_equal(at(pf, 0xf0000)[0x150 / 4], 0x600f);
        memset(at(pf, 0xf0000), 0, 4096);
        if (class == CLASS_OF_RENDER) {
            /* MI_REPORT_PERF_COUNT into the GGTT. */
            memset(at(pf, RESULTS + 0x400), 0, 256);
            job_add(&j, (const uint32_t[]){0x14000002, (results + 0x400) | 1, 0, 0x77, 0, 0}, 6);
        }
        run(w);
        if (class == CLASS_OF_RENDER)
            assert_true(at(pf, RESULTS + 0x400)[0] | at(pf, RESULTS + 0x400)[1] | at(pf, RESULTS + 0x400)[2]);
        host_put(w, base + NONPRIV, 0);
        softgt_bar_write(w->device, 0, TABLE + page / 4096 * 8, ENTRY_OF_ONE | 0x9000, 8);
        SEND(pf, 2, 0x1001, j.id, 0);
        run(w);
    }
    assert_int_equal(w->device->guc.totals.resets, 0);
    assert_int_equal(w->pf.refused, 0);
    world_destroy(w);
}

/* A policy for all functions, by its key; the physical function's driver says it. */
static void set_policy(struct world *w, uint32_t key, uint32_t value)
{
    enum { KEYS = 0x12000, OWN = 0x400000 };
    const uint32_t keys[] = {key << 16 | 1, value};
    assert_true(softgt_local_write(w->device, KEYS, keys, sizeof keys));
    const uint32_t fence = driver_pf_send(&w->pf, 0x5502, (const uint32_t[]){OWN + KEYS, 0, 2}, 3);
    run(w);
    assert_int_equal(w->pf.reply_fence, fence);
    assert_int_equal(w->pf.reply, 0xf0000001);
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
        set_policy(w, 0x8d00, policy);
        for (uint32_t class = 0; class < CLASSES; class ++) {
            const uint32_t gpr = base_of(w, class) + GPR + 16;
            struct job a = job_at(w, 1, class, NULL), b = job_at(w, 2, class, NULL);
            job_add(&a, (const uint32_t[]){0x11000001, gpr, 0x5ec7e7, 0}, 4);
            /* It waits, and is preempted when the other's turn comes. */
            job_add(&a, (const uint32_t[]){0x0e40c002, 1, address(one, RESULTS) + 64, 0}, 4);
            at(one, RESULTS)[16] = 0;
            run(w);
            at(two, RESULTS)[0] = 0x99;
            job_read(&b, gpr, address(two, RESULTS));
            job_read(&a, gpr, address(one, RESULTS));
            for (unsigned i = 0; i < 40; i++) {
                softgt_advance(w->device, 1000000);
                run(w);
            }
            if (at(two, RESULTS)[0] != (policy ? 0 : 0x5ec7e7))
                fail_msg("policy %u, class %u: another finds %x", policy, class, at(two, RESULTS)[0]);
            at(one, RESULTS)[16] = 1;
            for (unsigned i = 0; i < 40; i++) {
                softgt_advance(w->device, 1000000);
                run(w);
            }
            if (at(one, RESULTS)[0] != 0x5ec7e7) /* its own is in its image */
                fail_msg("policy %u, class %u: %x", policy, class, at(one, RESULTS)[0]);
            SEND(one, 2, 0x1001, a.id, 0);
            SEND(two, 2, 0x1001, b.id, 0);
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
            set_policy(w, 0x8001, strict);
            for (unsigned n = 1; n <= workers; n++) {
                struct job j = job_at(w, n, CLASS_OF_COPY, NULL);
                job_add(&j, (const uint32_t[]){0x0e40c002, 1, address(j.v, RESULTS), 0}, 4);
            }
            for (unsigned i = 0; i < STEPS; i++) {
                softgt_advance(w->device, TENTH_MS);
                run(w);
                for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
                    if (w->device->guc.derived.class_of[e] == CLASS_OF_COPY &&
                        w->device->guc.engine_states.list[e].active != GUC_NO_CONTEXT)
                        ran[w->device->guc.engine_states.list[e].function]++;
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
    enum { CAPABILITY = 0x120, CONTROL = 8, MEMORY = 8, ENABLE = 1, LINE = 0xa000, DRBREG = 0x1000 };
    for (enum ending ending = 0; ending < ENDINGS; ending++) {
        struct world *w = world_at_work();
        struct vf *one = &w->vfs[1], *two = &w->vfs[2];
        struct job a = job_at(w, 1, CLASS_OF_COPY, NULL), b = job_at(w, 2, CLASS_OF_RENDER, NULL);
        const uint32_t id = a.id, first = (uint32_t)w->pf.vf_configs[0].first_doorbell;
        SEND(one, 0, 0x10, id, 1, 1, address(one, LINE));
        job_add(&a, (const uint32_t[]){0x0e40c002, 1, address(one, RESULTS), 0}, 4);
        job_store(&a, address(one, RESULTS) + 4, 0xbad);
        job_add(&b, (const uint32_t[]){0x0e40c002, 1, address(two, RESULTS), 0}, 4);
        job_store(&b, address(two, RESULTS) + 4, 0xbad);
        run(w);
        softgt_function_bar_write(w->device, 1, 2, 0x1000, 0x5ec7e7, 4);
        assert_true(host_get(w, DRBREG + (first + 1) * 8) & 1);
        assert_int_equal(softgt_config_read(w->device, CAPABILITY, 2), 0x10);
        if (ending == VF_ENABLE)
            softgt_config_write(w->device, CAPABILITY + CONTROL, MEMORY, 2);
        else if (ending == PF_RESET)
            softgt_config_write(w->device, 0x78, 0x8000, 2);
        else
            softgt_reset(w->device);
        /* They answer nothing, and nothing gets to them. */
        for (unsigned n = 1; n <= VFS; n++) {
            assert_false(softgt_function_enabled(w->device, n));
            assert_int_equal(softgt_function_config_read(w->device, n, 4, 4), 0xffffffff);
            assert_int_equal(softgt_function_bar_read(w->device, n, 0, 0x1901f8, 4), 0xffffffff);
            assert_int_equal(softgt_function_bar_read(w->device, n, 2, 0x1000, 4), 0xffffffff);
        }
        put(one, 0x190240, 0x5ec7e7);
        softgt_function_bar_write(w->device, 1, 2, 0x1000, 0x77, 4);
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
            assert_int_equal(host_get(w, DRBREG + (first + 1) * 8) & 1, 0);
            assert_int_equal(at(one, LINE)[0], 0);
            softgt_config_write(w->device, CAPABILITY + CONTROL, ENABLE | MEMORY, 2);
        } else {
            const struct driver_vf_config none[VFS] = {0};
            assert_null(driver_pf_start(&w->pf, w->device, VFS, none));
        }
        run(w);
        assert_int_equal(get(one, 0x190240), 0);
        bring_up(w, 1);
        bring_up(w, 2);
        SEND(one, 0, 0x1000, id);
        run(w);
        EXPECT(one, 0xe0000100);
        struct job c = job_at(w, 1, CLASS_OF_COPY, NULL);
        job_store(&c, address(one, RESULTS) + 8, 0x600d);
        run(w);
        assert_int_equal(at(one, RESULTS)[2], 0x600d);
        assert_int_equal(at(one, RESULTS)[1], 0);
        world_destroy(w);
    }
}

/* ---- SYS-05, 260-279; SYS-22, 2247-2320: interrupts ---- */

/* Where a context has its interrupts told, behind its registers. (Linux, set_memory_based_intr) */
static void tell_in_memory(struct job *j)
{
    enum { ENABLE = EVENTS + 0x440, SOFTWARE_DW = 0x50 };
    const uint32_t events = address(j->v, EVENTS),
                   dw[] = {0x14c80002, 0xa8, events + 0x440, 0,    0,
                           0x11081003, 0xac, events,         0xa4, events + 0x400};
    memcpy(at(j->v, j->lrca + DRIVER_IMAGE_OFFSET) + SOFTWARE_DW, dw, sizeof dw);
    at(j->v, ENABLE)[0] = 0xffff;
}

/* What the registers of the physical function show; all of it is enabled. */
static uint32_t pending(const struct world *w)
{
    return host_get(w, 0x190018) | host_get(w, 0x19001c) | (host_get(w, 0x190010) & 0x7fffffffu);
}

static void interrupts(void **state)
{
    (void)state;
    static const uint8_t numbers[CLASSES] = {0, 32, 63, 15, 4};
    enum { USER = 0, FLUSHED = 4 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    for (uint32_t offset = 0x190030; offset < 0x190050; offset += 4)
        host_put(w, offset, 0xffffffff);
    for (uint32_t offset = 0x190090; offset < 0x190108; offset += 4)
        host_put(w, offset, 0);
    host_put(w, 0x190010, 1u << 31);
    host_put(w, 0x190008, 1u << 31);
    softgt_config_write(w->device, 0xae, 1, 2);
    const uint32_t shown = pending(w);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct job a = job_at(w, 1, class, NULL), b = job_at(w, 2, class, NULL);
        tell_in_memory(&a);
        run(w);
        memset(at(one, EVENTS), 0, 0x440);
        memset(at(two, EVENTS), 0, 0x440);
        const unsigned messages[] = {w->vfs[0].messages, one->messages, two->messages};
        const uint32_t pipe[] = {0x01000000, 0, 0x7a000004, 1 << 8, 0, 0, 0, 0},
                       flush[] = {0x01000000, 0, 0x13000102, 0, 0, 0, 0, 0};
        /* Of whom they are not told in memory, nobody hears; nor does anybody else of whom they are. */
        job_add(&b, has_pipe(class) ? pipe : flush, 8);
        run(w);
        assert_int_equal(two->messages, messages[2]);
        job_add(&a, has_pipe(class) ? pipe : flush, 8);
        run(w);
        uint8_t want[0x440] = {0};
        want[numbers[class] * 16 + USER] = want[numbers[class] * 16 + FLUSHED] = 0xff;
        want[0x400 + numbers[class]] = 0xff;
        assert_memory_equal(one->memory + EVENTS, want, sizeof want);
        assert_int_equal(one->messages, messages[1] + 2);
        assert_int_equal(two->messages, messages[2]);
        memset(want, 0, sizeof want);
        assert_memory_equal(two->memory + EVENTS, want, sizeof want);
        assert_int_equal(w->vfs[0].messages, messages[0]);
        assert_int_equal(pending(w), shown);
        /* Messages that its configuration space does not enable are not sent. */
        softgt_function_config_write(w->device, 1, 0xae, 0, 2);
        job_add(&a, has_pipe(class) ? pipe : flush, 8);
        run(w);
        assert_int_equal(one->messages, messages[1] + 2);
        softgt_function_config_write(w->device, 1, 0xae, 1, 2);
        SEND(one, 2, 0x1001, a.id, 0);
        SEND(two, 2, 0x1001, b.id, 0);
        run(w);
    }
    /* The GuC tells the function that it answers. (2251) */
    memset(at(one, EVENTS), 0, 0x440);
    const unsigned messages = one->messages, others = two->messages;
    SEND(one, 0, 0x5509, 4);
    run(w);
    assert_int_equal(one->memory[EVENTS + 0x19f], 0xff);
    assert_int_equal(one->memory[EVENTS + 0x419], 0xff);
    assert_int_equal(one->messages, messages + 1);
    assert_int_equal(two->messages, others);
    /* A reset of the function clears where it is told (310-314): nothing comes any more. */
    softgt_function_config_write(w->device, 1, 0x78, 0x8000, 2);
    run(w);
    memset(at(one, EVENTS), 0, 0x440);
    SEND(one, 0, 0x5509, 4);
    run(w);
    assert_int_equal(one->memory[EVENTS + 0x19f], 0);
    assert_int_equal(w->device->guc.functions[1].ct.memirq_status, 0);
    /* No register of the tree is in its BAR: they read zero, drop writes, and are told. */
    for (uint32_t offset = 0x190008; offset < 0x190108; offset += 4) {
        const uint32_t before = host_get(w, offset), complaints = w->complaints;
        put(one, offset, 0xffffffff);
        assert_int_equal(get(one, offset), 0);
        assert_true(w->complaints >= complaints);
        if (offset < 0x190060 || offset >= 0x190080)
            assert_int_equal(host_get(w, offset), before);
    }
    world_destroy(w);
}

/* SYS-19, 1391: OAG's requests are VF0's: a virtual function's pages are out of bounds, as what is not there;
 * its reports are dropped, and nothing else is. */
static void observation(void **state)
{
    (void)state;
    enum { BUFFER = 0x40000, NOWHERE = 0x3000000 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job j = job_at(w, 1, CLASS_OF_COPY, NULL);
    const uint32_t bases[] = {address(one, BUFFER), NOWHERE};
    memset(at(one, BUFFER), 0, 0x20000);
    uint8_t *const before = malloc(MEMORY_BYTES);
    memcpy(before, two->memory, MEMORY_BYTES);
    for (unsigned i = 0; i < 2; i++) {
        host_put(w, 0xdaf8, 0x00200020); /* OAG_OA_DEBUG */
        host_put(w, 0x2b28, 1);          /* OAGLBCTXCTRL */
        host_put(w, 0xdb08, bases[i]);   /* OAG_OABUFFER */
        host_put(w, 0xdb00, bases[i]);
        host_put(w, 0xdb04, bases[i]);
        host_put(w, 0xdaf4, 5 << 2 | 1); /* OAG_OACONTROL */
        host_put(w, 0xdb1c, 0xc0ffee11); /* OAG_MMIOTRIGGER */
        run(w);
        host_put(w, 0xdaf4, 0);
        job_store(&j, address(one, RESULTS), 0x600d + i);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], 0x600d + i);
    }
    unsigned written = 0;
    for (unsigned i = 0; i < 64; i++)
        written += at(one, BUFFER)[i] != 0;
    assert_int_equal(written, 0);
    assert_memory_equal(two->memory, before, MEMORY_BYTES);
    assert_int_equal(w->device->guc.totals.resets, 0);
    free(before);
    world_destroy(w);
}

/* ---- SYS-07, 340-354; SYS-08, 356-453: memory ---- */

/* By the tables of its own, in every kind of page; whatever it names, another's is not there. */
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
        } places[] = {{GB1 + 0x123c, LOCAL_4K + 0x123c},
                      {GB1 + MB2 - 4, LOCAL_4K + MB2 - 4},
                      {GB1 + MB2, LOCAL_2M},
                      {GB1 + 2 * MB2 - 4, LOCAL_2M + MB2 - 4}};
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t value = 0x600d00 + class * 16 + i;
            job_add(&j, (const uint32_t[]){0x10000002, places[i].address, 0, value}, 4);
            job_add(&k, (const uint32_t[]){0x10000002, places[i].address, 0, ~value}, 4);
            run(w);
            assert_int_equal(softgt_function_bar_read(w->device, 1, 2, places[i].local, 4), value);
            assert_int_equal(softgt_function_bar_read(w->device, 2, 2, places[i].local, 4), ~value);
            const uint64_t physical = w->pf.vf_configs[0].local_start + places[i].local;
            assert_int_equal(softgt_bar_read(w->device, 2, physical, 4), value);
        }
        /* System memory is of whom the function was given to. */
        job_add(&j, (const uint32_t[]){0x10000002, RESULTS, 0, 0x1111 + class}, 4);
        job_add(&k, (const uint32_t[]){0x10000002, RESULTS, 0, 0x2222 + class}, 4);
        run(w);
        assert_int_equal(at(one, RESULTS)[0], 0x1111 + class);
        assert_int_equal(at(two, RESULTS)[0], 0x2222 + class);
        /* The LMTT changes, and is told to: the next access goes by the new entry; none: it faults. (7002) */
        while (receive(one, dw) || receive(two, dw))
            ;
        const uint64_t table = 0x30000 + 4 * (LOCAL_2M / MB2);
        uint32_t kept, none = 0;
        assert_true(softgt_local_read(w->device, table, &kept, 4));
        assert_true(softgt_local_write(w->device, table, &none, 4));
        host_put(w, 0xcf58, host_get(w, 0xcf58));
        job_add(&j, (const uint32_t[]){0x10000002, GB1 + MB2, 0, 0xbad}, 4);
        run(w);
        EXPECT(one, 0x90006000, j.id);
        EXPECT(one, 0x90001008, j.id);
        assert_int_equal(softgt_function_bar_read(w->device, 1, 2, LOCAL_2M, 4), 0);
        expect_nothing(two);
        assert_true(softgt_local_write(w->device, table, &kept, 4));
        host_put(w, 0xcf58, host_get(w, 0xcf58));
        SEND(two, 2, 0x1001, k.id, 0);
        run(w);
        while (receive(two, dw))
            ;
    }
    world_destroy(w);
}

static void entry_in_ggtt(struct world *w, const struct vf *v, uint32_t page, uint64_t local)
{
    softgt_function_bar_write(w->device, v->number, 0, TABLE + (v->ggtt / 4096 + page) * 8,
                              (local & ~UINT64_C(0xfff)) | 3, 8);
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
    } kept[] = {{(uint64_t)host_get(w, 0x1080c4) << 32 | host_get(w, 0x1080c0), local_bytes},
                {(uint64_t)host_get(w, 0x108104) << 32 | host_get(w, 0x108100), local_bytes},
                {(uint64_t)(host_get(w, 0x4910) >> 8) << 16, local_bytes}};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(kept[i].first && kept[i].first < local_bytes);
        for (uint64_t page = kept[i].first / MB2 * MB2; page < kept[i].end; page += MB2) {
            const uint32_t entry_of_it = (uint32_t)(page / MB2) << 5 | 1;
            uint64_t before, after;
            const uint64_t there = page < kept[i].first ? kept[i].first : page;
            softgt_local_read(w->device, there, &before, 8);
            assert_true(softgt_local_write(w->device, 0x30000 + 4 * 5, &entry_of_it, 4));
            host_put(w, 0xcf58, host_get(w, 0xcf58));
            softgt_function_bar_write(w->device, 1, 2, 5 * MB2 + there % MB2, ~before, 8);
            assert_int_equal(softgt_function_bar_read(w->device, 1, 2, 5 * MB2 + there % MB2, 8), 0);
            entry_in_ggtt(w, one, 200, 5 * MB2 + there % MB2);
            struct job j = job_at(w, 1, CLASS_OF_COPY, NULL);
            job_store(&j, (uint32_t)one->ggtt + 200 * 4096, 0xbad);
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
    enum { PAIRS = 120, COMMANDS = 30, MMIO_DW = (4 << 20) / 4, SECRET = 0x5ec7e75e, PLACES = 64 };
    const char *asked = getenv("ACCESSES");
    const unsigned writes = asked ? (unsigned)atoi(asked) : 1000000,
                   batches = writes / (PAIRS * COMMANDS * CLASSES) + 1;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    uint64_t random = 0x9e3779b97f4a7c15;
    uint32_t *const before = malloc(MMIO_DW * 4);
    assert_non_null(before);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        for (uint32_t i = 0; i < 32; i++)
            host_put(w, other_base(w, class) + GPR + i * 4, SECRET);
        put(two, 0x190244, SECRET);
        put(two, 0x190248, SECRET);
        for (unsigned batch = 0; batch < batches; batch++) {
            struct job j = job_at(w, 1, class, NULL);
            run(w);
            for (uint32_t i = 0; i < MMIO_DW; i++)
                before[i] = register_slot_at(&w->device->mmio, i * 4)->row
                                ? register_value(&w->device->mmio, i * 4)
                                : 0;
            uint32_t *dw = at(one, BATCH);
            for (unsigned c = 0; c < COMMANDS; c++) {
                *dw++ = 0x11000000 | (PAIRS * 2 - 1);
                for (unsigned i = 0; i < PAIRS; i++) {
                    const uint64_t r = next_random(&random);
                    /* Anywhere, where there is much, and near mailboxes; its own ring goes on. */
                    uint32_t offset = r & 1   ? r >> 8 & 0x3ffffc
                                      : r & 2 ? 0x2000 + (r >> 8 & 0xfffc)
                                              : 0x190000 + (r >> 8 & 0x7ffc);
                    if (offset - base_of(w, class) < 0x1000)
                        offset = base_of(w, class) + GPR;
                    *dw++ = offset;
                    *dw++ = (uint32_t)next_random(&random);
                }
            }
            *dw++ = 0x05000000;
            job_add(&j, (const uint32_t[]){0x18800001, address(one, BATCH), 0, 0}, 4);
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
                *dw++ = 0x12400002;
                *dw++ = r & 1   ? other_base(w, class) + GPR + (r >> 8 & 0x7c)
                        : r & 2 ? 0x190000 + (r >> 8 & 0x7ffc)
                                : r >> 8 & 0x3ffffc;
                *dw++ = address(one, RESULTS) + i * 4;
                *dw++ = 0;
            }
            *dw++ = 0x05000000;
            job_add(&j, (const uint32_t[]){0x18800001, address(one, BATCH), 0, 0}, 4);
            job_store(&j, address(one, RESULTS) + PLACES * 4, 0x600d00 + batch);
            run(w);
            assert_int_equal(at(one, RESULTS)[PLACES], 0x600d00 + batch);
            for (unsigned i = 0; i < PLACES; i++)
                assert_int_not_equal(at(one, RESULTS)[i], SECRET);
            SEND(one, 2, 0x1001, j.id, 0);
            SEND(one, 2, 0x4503, j.id);
            run(w);
            uint32_t got[256];
            while (receive(one, got))
                ;
        }
    }
    assert_int_equal(w->device->guc.totals.resets, 0);
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
    return cmocka_run_group_tests(tests, NULL, NULL);
}
