/* Drivers of functions, each with memory of its own: what the physical one's decides, what virtual ones ask
 * of the GuC and of it, that they run work beside each other, and that none gets to what is another's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../suite.h"
#include "functions.h"

#include "driver/guc.h"
#include "guc/schedule.h"

/* ---- What functions are told ---- */

static void shares(void **state)
{
    (void)state;
    const struct driver_vf_config given[VFS] = {
        {.local_bytes = 32 << 20, .context_count = 500, .ggtt_bytes = 16 << 20}, {.doorbell_count = 7}};
    struct world *w = world_create(given);
    uint64_t ends = 0;
    for (unsigned n = 1; n <= VFS; n++) {
        struct vf *v = &w->vfs[n];
        bring_up(w, n);
        assert_true(v->ggtt >= ends && v->ggtt + ask_key(v, 2, 2) <= 0xfee00000);
        ends = v->ggtt + ask_key(v, 2, 2);
        assert_true(ask_key(v, 3, 2) >= 2 << 20 && ask_key(v, 4, 1) >= 256);
        assert_int_equal(mailbox(v, 0x5509, 0x8a01, 0, 0), 0xe0000105); /* no function may ask for that */
        assert_int_equal(mailbox(v, 0x5509, 0x777, 0, 0), 0xe0000105);
        assert_int_equal(mailbox(v, 0x5500, 0x00020000, 0, 0), 0xe000000b);
        assert_int_equal(mailbox(v, 0x5500, 0, 0, 0), 0xf0000000);
        assert_int_equal(get(v, 0x190244), 0x00010100);
        /* The table of the hardware's configuration. */
        const uint32_t bytes = mailbox(v, 0x4100, 0, 0, 0) & 0xfffffff;
        assert_true(bytes > 0);
        assert_int_equal(mailbox(v, 0x4100, address(v, CONFIG), 0, bytes), 0xf0000000 | bytes);
        assert_int_equal(at(v, CONFIG)[0], 1);
    }
    assert_int_equal(ask_key(&w->vfs[1], 3, 2), 32 << 20);
    assert_int_equal(ask_key(&w->vfs[1], 4, 1), 500);
    assert_int_equal(ask_key(&w->vfs[1], 2, 2), 16 << 20);
    assert_int_equal(ask_key(&w->vfs[2], 6, 1), 7);
    /* What a virtual function may not ask for; and the physical one is none. */
    const uint32_t before = w->complaints;
    assert_int_equal(mailbox(&w->vfs[1], 0x5507, 0, 0, 0), 0xf0000000);
    assert_int_equal(w->complaints, before);
    assert_int_equal(get(&w->vfs[0], 0x1901f8), 0);
    world_destroy(w);
}

static uint64_t local_last(const struct world *w, unsigned number)
{
    return w->pf.vf_configs[number - 1].local_bytes - 4;
}

/* All of a share is there, also where it ends below what firmware keeps; another one is found a place. */
static void other_shares(void **state)
{
    (void)state;
    struct world *w = world_create(NULL);
    for (unsigned n = 1; n <= VFS; n++) {
        bring_up(w, n);
        softgt_function_bar_write(w->device, n, 2, local_last(w, n), 0x1000 + n, 4);
        softgt_function_bar_write(w->device, n, 2, 0, 0x2000 + n, 4);
    }
    for (unsigned n = 1; n <= VFS; n++) {
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, local_last(w, n), 4), 0x1000 + n);
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, 0, 4), 0x2000 + n);
    }
    /* There is no room for more; less, then more of it for another. */
    struct driver_vf_config less = w->pf.vf_configs[0], more = w->pf.vf_configs[1];
    const uint64_t before = more.local_bytes;
    more.local_bytes += 2 << 20;
    assert_non_null(driver_vf_provision(&w->pf, 2, &more));
    assert_int_equal(w->pf.vf_configs[1].local_bytes, before);
    less.local_bytes = 4 << 20;
    less.context_count = 300;
    less.ggtt_bytes = 8 << 20;
    less.exec_quantum_ms = 7;
    assert_null(driver_vf_provision(&w->pf, 1, &less));
    more.local_bytes = 6 << 20;
    assert_null(driver_vf_provision(&w->pf, 2, &more));
    for (unsigned n = 1; n <= VFS; n++) {
        bring_up(w, n);
        const uint32_t was = n == 3 ? 0x2003 : 0;
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, 0, 4), was);
        softgt_function_bar_write(w->device, n, 2, local_last(w, n), 0x3000 + n, 4);
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, local_last(w, n), 4), 0x3000 + n);
    }
    assert_int_equal(ask_key(&w->vfs[1], 3, 2), 4 << 20);
    assert_int_equal(ask_key(&w->vfs[1], 4, 1), 300);
    assert_int_equal(ask_key(&w->vfs[1], 2, 2), 8 << 20);
    assert_int_equal(w->device->guc.functions[1].provisioning.exec_quantum_ms, 7);
    assert_int_equal(ask_key(&w->vfs[2], 3, 2), 6 << 20);
    world_destroy(w);
}

/* SYS-05: what it has to be told lies in its own memory, and it gets the message. */
static void relay(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    for (unsigned n = 1; n <= VFS; n++) {
        struct vf *v = &w->vfs[n];
        uint32_t dw[256];
        const unsigned messages = v->messages;
        memset(v->memory + EVENTS, 0, 0x1000);
        const uint32_t fence = SEND(v, 0, 0x5103, 70 + n, 0x00000001, 0x00010000);
        run(w);
        EXPECT(v, 0xf0000000);
        EXPECT(v, 0x90005102, 70 + n, 0x70000000, 0x00010000);
        (void)fence;
        /* Told in memory, then by a message. */
        assert_true(v->messages > messages);
        assert_int_equal(v->memory[EVENTS + 0x190 + 15], 0xff);
        assert_int_equal(v->memory[EVENTS + 0x419], 0xff);
        /* Runtime registers, in parts. */
        SEND(v, 0, 0x5103, 5, 0x00020101, 1);
        run(w);
        EXPECT(v, 0xf0000000);
        assert_int_equal(receive(v, dw), 8);
        assert_int_equal(dw[2], 0x70000002);
        assert_int_equal(dw[3], 6);
        assert_int_equal(dw[4], 0x9118);
        assert_int_equal(dw[5], 0xf);
        /* What nobody knows. */
        SEND(v, 0, 0x5103, 6, 0x00000999, 0);
        run(w);
        EXPECT(v, 0xf0000000);
        EXPECT(v, 0x90005102, 6, 0x60000000 | 38);
        for (unsigned other = 1; other <= VFS; other++)
            expect_nothing(&w->vfs[other]);
    }
    assert_int_equal(w->complaints, 0);
    world_destroy(w);
}

/* A driver that begins anew has other memory behind the same addresses, and tells nobody. */
static void other_memory(void **state)
{
    (void)state;
    enum { PAGES = 16, AWAY = 0x90 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    SEND(one, 0, 0x5103, 5, 0x00000001, 0x00010000);
    run(w);
    EXPECT(one, 0xf0000000);
    EXPECT(one, 0x90005102, 5, 0x70000000, 0x00010000);
    assert_int_equal(mailbox(one, 0x5507, 0, 0, 0), 0xf0000000);
    for (uint32_t page = 0; page < PAGES; page++)
        softgt_function_bar_write(w->device, 1, 0, TABLE + (one->ggtt / 4096 + page) * 8,
                                  (page + AWAY) * 4096 | 1, 8);
    struct vf there = *one;
    there.memory += AWAY * 4096;
    open_buffers(&there);
    SEND(&there, 0, 0x5103, 6, 0x00000001, 0x00010000);
    run(w);
    EXPECT(&there, 0xf0000000);
    EXPECT(&there, 0x90005102, 6, 0x70000000, 0x00010000);
    assert_int_equal(there.memory[EVENTS + 0x419], 0xff);
    world_destroy(w);
}

/* Another share is another place of local memory: nobody knows the one before, which may be another
 * function's by then. */
static void other_place(bool apart)
{
    enum { PAGES = 16, IN_LOCAL = 3, MB = 1 << 20 };
    const struct driver_vf_config given[VFS] = {
        {.local_bytes = 16 * MB}, {.local_bytes = 16 * MB}, {.local_bytes = 16 * MB}};
    struct world *w = world_make(given, apart);
    struct vf *one = &w->vfs[1], there;
    struct driver_vf_config wanted = w->pf.vf_configs[0];
    const uint64_t before = wanted.local_start;
    bring_up(w, 1);
    for (unsigned changes = 0; changes < 2; changes++) {
        for (uint32_t page = 0; page < PAGES; page++)
            softgt_function_bar_write(w->device, 1, 0, TABLE + (one->ggtt / 4096 + page) * 8,
                                      page * 4096 | IN_LOCAL, 8);
        if (!changes) {
            assert_int_equal(mailbox(one, 0x5507, 0, 0, 0), 0xf0000000);
            there = *one;
            there.memory = w->device->memory.local + before;
            open_buffers(&there);
        }
        SEND(&there, 0, 0x5103, 5 + changes, 0x00000001, 0x00010000);
        run(w);
        EXPECT(&there, 0xf0000000);
        EXPECT(&there, 0x90005102, 5 + changes, 0x70000000, 0x00010000);
        if (changes)
            break;
        uint8_t kept[PAGES * 4096];
        memcpy(kept, there.memory, sizeof kept);
        wanted.local_bytes = 32 * MB;
        assert_null(driver_vf_provision(&w->pf, 1, &wanted));
        assert_true(w->pf.vf_configs[0].local_start != before);
        there.memory = w->device->memory.local + w->pf.vf_configs[0].local_start;
        memcpy(there.memory, kept, sizeof kept);
    }
    for (uint32_t i = 0; i < PAGES * 4096; i++)
        assert_int_equal(w->device->memory.local[before + i], 0);
    world_destroy(w);
}

static void other_places(void **state)
{
    (void)state;
    other_place(false);
    other_place(true);
}

/* ---- Work ---- */

/* SYS-16: virtual functions interrupt the GuC in a group of their own. */
static void groups(void **state)
{
    (void)state;
    enum { PINS = 0xc54c };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    const uint64_t pins = softgt_bar_read(w->device, SOFTGT_BAR_GTTMMADR, PINS, 4);
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, PINS, (pins & ~UINT64_C(0xff0000)) | 0x1f0000, 4);
    assert_int_equal(mailbox(one, 0x5509, 4, 0, 0), 0x5509);
    SEND(one, 0, 0x509, 0x10010002, 80, 20);
    run(w);
    expect_nothing(one);
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, PINS, pins, 4);
    assert_int_equal(get(one, 0x190240), 0xf0000001);
    run(w);
    expect(one, (const uint32_t[]){0xf0000001}, 1);
    world_destroy(w);
}

static void work(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct job jobs[VFS + 1];
    /* The same ids, each function's own. */
    for (unsigned n = 1; n <= VFS; n++) {
        jobs[n] = job_make(w, n, 0);
        job_store(&jobs[n], address(&w->vfs[n], RESULTS), 0x1000 + n);
    }
    run(w);
    for (unsigned n = 1; n <= VFS; n++) {
        assert_int_equal(at(&w->vfs[n], RESULTS)[0], 0x1000 + n);
        EXPECT(&w->vfs[n], 0x90001002, 0, 1);
        SEND(&w->vfs[n], 2, 0x1001, 0, 0);
        run(w);
        EXPECT(&w->vfs[n], 0x90001002, 0, 0);
        SEND(&w->vfs[n], 2, 0x4503, 0);
        run(w);
        EXPECT(&w->vfs[n], 0x90004600, 0);
        expect_nothing(&w->vfs[n]);
    }
    assert_int_equal(w->complaints, 0);
    /* Ids past what it was given, and messages that are not for it. */
    const uint32_t most = (uint32_t)ask_key(&w->vfs[1], 4, 1);
    SEND(&w->vfs[1], 0, 0x4502, 1, most, CLASS_OF_COPY, 1, 0, 0, 0, 0, 0,
         address(&w->vfs[1], CONTEXTS) | 0x119, 0);
    run(w);
    EXPECT(&w->vfs[1], 0xe0000104);
    static const uint16_t forbidden[] = {0x5101, 0x5502, 0x5503, 0x5506, 0x3004, 0x550c, 0x506};
    for (unsigned i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
        SEND(&w->vfs[1], 0, forbidden[i], 1, 1, 0, 0);
        run(w);
        EXPECT(&w->vfs[1], 0xe0000040);
    }
    world_destroy(w);
}

/* A store to another's page of the GGTT, and a context that lies there: the one that did it hears of it. */
static void trespass(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job good = job_make(w, 2, 0), bad = job_make(w, 1, 0);
    job_store(&bad, address(two, RESULTS), 0xbad);
    job_store(&good, address(two, RESULTS) + 4, 0x900d);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], 0);
    assert_int_equal(at(two, RESULTS)[1], 0x900d);
    EXPECT(one, 0x90001002, 0, 1);
    EXPECT(one, 0x90006000, 0);
    EXPECT(one, 0x90001008, 0);
    EXPECT(two, 0x90001002, 0, 1);
    expect_nothing(two);
    /* The physical function's pages are none of its either, nor are buffers there. */
    struct job worse = job_make(w, 1, 1);
    job_store(&worse, 0x400000 + 0x8000, 0xbad);
    run(w);
    EXPECT(one, 0x90001002, 1, 1);
    EXPECT(one, 0x90006000, 1);
    EXPECT(one, 0x90001008, 1);
    assert_int_equal(mailbox(one, 0x4100, address(two, CONFIG), 0, 0x1000), 0xe0000080);
    SEND(one, 2, 0x4502, 1, 2, CLASS_OF_COPY, 1, 0, 0, 0, 0, 0, address(two, CONTEXTS) | 0x119, 0);
    SEND(one, 2, 0x1001, 2, 1);
    SEND(one, 2, 0x1000, 2);
    run(w);
    EXPECT(one, 0x90001002, 2, 1);
    EXPECT(one, 0x90006000, 2);
    EXPECT(one, 0x90001008, 2);
    job_store(&good, address(two, RESULTS) + 8, 0x900d);
    run(w);
    assert_int_equal(at(two, RESULTS)[2], 0x900d);
    world_destroy(w);
}

/* SYS-04, 184-258: what a virtual function's driver has no right to, in its own ring. */
static void privileges(void **state)
{
    (void)state;
    enum { BCS = 0x22000, RCS = 0x2000, GPR = 0x600, NONPRIV = 0x4d0 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    const uint32_t results = address(one, RESULTS);
    struct job j = job_make(w, 1, 0);
    const struct {
        uint32_t offset, value;
        bool own;
    } writes[] = {
        {BCS + GPR, 0x11, true},         /* its context's */
        {RCS + GPR, 0x22, false},        /* another engine's */
        {BCS + 0x80, 0x33000, false},    /* HWS_PGA */
        {BCS + NONPRIV, 0x44, false},    /* what opens registers */
        {BCS + 0x550, 1, false},         /* EXECLIST_CONTROL */
        {0x941c, 1, false},              /* GDRST */
        {0xcf58, 0x55, false},           /* LMEM_CFG */
        {0x190640 + 0x400, 0x66, false}, /* another function's mailbox */
        {0xc064, 0x77, false},           /* the shim of the GuC */
    };
    enum { WRITES = sizeof writes / sizeof writes[0] };
    uint32_t before[WRITES];
    for (unsigned i = 0; i < WRITES; i++)
        before[i] = (uint32_t)softgt_bar_read(w->device, 0, writes[i].offset, 4);
    for (unsigned i = 0; i < WRITES; i++) {
        job_add(&j, (const uint32_t[]){0x11000001, writes[i].offset, writes[i].value, 0}, 4);
        run(w);
        if (writes[i].own)
            continue;
        if ((uint32_t)softgt_bar_read(w->device, 0, writes[i].offset, 4) != before[i])
            fail_msg("%x was written", writes[i].offset);
    }
    job_read(&j, BCS + GPR, results);
    /* Another engine's registers, where others' contexts run, and another's mailbox read zero. */
    softgt_bar_write(w->device, 0, RCS + GPR, 0x5ec7e7, 4);
    assert_int_equal(softgt_bar_read(w->device, 0, RCS + GPR, 4), 0x5ec7e7);
    put(&w->vfs[2], 0x190244, 0x5ec7e7);
    at(one, RESULTS)[1] = at(one, RESULTS)[2] = 0x99;
    job_read(&j, RCS + GPR, results + 4);
    job_read(&j, 0x190a44, results + 8);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0x11);
    assert_int_equal(at(one, RESULTS)[1], 0);
    assert_int_equal(at(one, RESULTS)[2], 0);
    /* Commands that are the physical function's: not done, and what is behind them is. */
    softgt_bar_write(w->device, 0, BCS + 0x80, 0x408000, 4);
    const uint64_t entry = softgt_bar_read(w->device, 0, TABLE + (one->ggtt / 4096 + 9) * 8, 8);
    const uint32_t commands[] = {
        0x11800002, (uint32_t)(one->ggtt + 0x9000),
        0x77001,    0, /* MI_UPDATE_GTT */
        0x0a000001, 0,
        0, /* MI_DISPLAY_FLIP */
        0x09000000, 0x10001,
        0x09800000, 0x10001, /* MI_LOAD_SCAN_LINES */
        0x01800008,          /* MI_WAIT_FOR_EVENT: pipe A's vertical blank */
        0x04000000,          /* MI_ARB_ON_OFF: off */
        0x10800001, 0x40,
        0x88, /* MI_STORE_DATA_INDEX, into the engine's own page */
        0x10400002, results + 12,
        0,          0xd0e,
        0,
    };
    job_add(&j, commands, sizeof commands / 4);
    run(w);
    assert_int_equal(at(one, RESULTS)[3], 0xd0e);
    assert_int_equal(softgt_bar_read(w->device, 0, TABLE + (one->ggtt / 4096 + 9) * 8, 8), entry);
    for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
        assert_int_equal(w->device->engines[e].parse.arbitration, 1);
    /* The physical function's driver opens a register for virtual functions' drivers: bit 31, for them alone.
     */
    softgt_bar_write(w->device, 0, BCS + NONPRIV, 0x80000000 | 0xc064, 4);
    struct job k = job_make(w, 1, 1);
    job_add(&k, (const uint32_t[]){0x11000001, 0xc064, 0x77, 0}, 4);
    run(w);
    assert_int_equal(softgt_bar_read(w->device, 0, 0xc064, 4), 0x77);
    world_destroy(w);
}

/* SYS-06: the sequence of a reset; others go on, what was given stays. */
static void resets(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_make(w, 1, 0), b = job_make(w, 2, 0);
    /* One waits for what nobody writes, the other behind it. */
    job_add(&a, (const uint32_t[]){0x0e40c002, 1, address(one, RESULTS), 0}, 4);
    run(w);
    softgt_function_bar_write(w->device, 1, 2, 0x1000, 0x5ec7e7, 4);
    assert_int_equal(softgt_function_bar_read(w->device, 1, 2, 0x1000, 4), 0x5ec7e7);
    softgt_function_bar_write(w->device, 2, 2, 0x1000, 0x2222, 4);
    const uint64_t start = one->ggtt;
    softgt_function_config_write(w->device, 1, 0x78, 0x8000, 2);
    assert_int_equal(get(one, 0x190240), 0);
    job_store(&b, address(two, RESULTS), 0x900d);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], 0x900d);
    /* Its memory is clean, its entries are; it comes up again with the same share. */
    assert_int_equal(softgt_function_bar_read(w->device, 1, 2, 0x1000, 4), 0);
    assert_int_equal(softgt_function_bar_read(w->device, 2, 2, 0x1000, 4), 0x2222);
    assert_int_equal(softgt_function_bar_read(w->device, 1, 0, TABLE + start / 4096 * 8, 8), 1);
    bring_up(w, 1);
    assert_int_equal(one->ggtt, start);
    a = job_make(w, 1, 0);
    job_store(&a, address(one, RESULTS), 0x1111);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0x1111);
    /* Its driver's own reset: all it registered is gone. */
    assert_int_equal(mailbox(one, 0x5507, 0, 0, 0), 0xf0000000);
    bring_up(w, 1);
    SEND(one, 0, 0x1000, 0);
    run(w);
    EXPECT(one, 0xe0000100);
    assert_int_equal(w->pf.refused, 0);
    world_destroy(w);
}

static void pauses(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_make(w, 1, 0), b = job_make(w, 2, 0);
    run(w);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_PAUSE));
    assert_false(driver_vf_control(&w->pf, 1, VF_CONTROL_PAUSE));
    job_store(&a, address(one, RESULTS), 0x1111);
    job_store(&b, address(two, RESULTS), 0x2222);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0);
    assert_int_equal(at(two, RESULTS)[0], 0x2222);
    assert_int_equal(w->device->guc.functions[1].state.run_state, VF_PAUSED);
    /* Messages wait, too. */
    assert_int_equal(mailbox(one, 0x5509, 4, 0, 0), 0x5509);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0x1111);
    assert_int_equal(get(one, 0x190240), 0xf0000001);
    /* While its context waits in the engine: it leaves, and comes back. */
    job_add(&a, (const uint32_t[]){0x0e40c002, 7, address(one, RESULTS) + 64, 0}, 4);
    job_store(&a, address(one, RESULTS) + 4, 0x3333);
    run(w);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_PAUSE));
    run(w);
    assert_int_equal(w->device->guc.functions[1].state.run_state, VF_PAUSED);
    at(one, RESULTS)[16] = 7;
    run(w);
    assert_int_equal(at(one, RESULTS)[1], 0);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    softgt_advance(w->device, 1000000);
    run(w);
    assert_int_equal(at(one, RESULTS)[1], 0x3333);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_STOP));
    assert_false(driver_vf_control(&w->pf, 4, VF_CONTROL_STOP));
    assert_false(driver_vf_control(&w->pf, 1, 77));
    world_destroy(w);
}

/* SYS-22: the part of an image that is software's says where the context's interrupts are told; a virtual
 * function's driver writes it, too. (Linux, set_memory_based_intr) */
static void told_in_memory(void **state)
{
    (void)state;
    enum { ENABLE = EVENTS + 0x440, OWN_BIT = 15, SOFTWARE_DW = 0x50 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    struct job j = job_make(w, 1, 0);
    const uint32_t reports[] = {0x14c80002, 0xa8, address(one, ENABLE), 0,    0,
                                0x11081003, 0xac, address(one, EVENTS), 0xa4, address(one, EVENTS) + 0x400};
    memcpy(at(one, j.lrca + DRIVER_IMAGE_OFFSET) + SOFTWARE_DW, reports, sizeof reports);
    at(one, ENABLE)[0] = 1;
    const uint32_t mask = (uint32_t)softgt_bar_read(w->device, 0, 0x220a8, 4);
    job_add(&j, (const uint32_t[]){0x01000000, 0}, 2); /* MI_USER_INTERRUPT */
    run(w);
    assert_int_equal(one->memory[EVENTS + OWN_BIT * 16], 0xff);
    assert_int_equal(one->memory[EVENTS + 0x400 + OWN_BIT], 0xff);
    assert_int_equal(softgt_bar_read(w->device, 0, 0x220a8, 4), mask);
    assert_int_equal(w->complaints, 0);
    /* By a command it has no right to them. */
    job_add(&j, (const uint32_t[]){0x11000001, 0x220ac, 0, 0x01000000}, 4);
    one->memory[EVENTS + OWN_BIT * 16] = 0;
    run(w);
    assert_int_equal(one->memory[EVENTS + OWN_BIT * 16], 0xff);
    assert_true(w->complaints > 0);
    world_destroy(w);
}

/* A watchdog that expires: the GuC resets the engine, the context goes on behind the wait, in the ring or in
 * a batch, and nobody is told. (Linux, emit_fake_watchdog) */
static void watchdog(void **state)
{
    (void)state;
    enum { BATCH = RESULTS + 0x800, FAR = 0x22600 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    struct job j = job_make(w, 1, 0);
    const uint32_t results = address(one, RESULTS), wait_dw[] = {0x0e40c003, 0xdead, results + 64, 0, 0};
    const uint32_t ring[] = {0x11080003, 0x17c, 2, 0x178, 0, 0x11000001, FAR, 0x5ec7e7, 0};
    job_add(&j, ring, 8);
    job_add(&j, wait_dw, 5);
    job_add(&j, (const uint32_t[]){0x12400002, FAR, results, 0, 0x12400002, 0x22178, results + 4, 0, 0}, 9);
    run(w);
    EXPECT(one, 0x90001002, 0, 1);
    assert_int_equal(at(one, RESULTS)[1], 0);
    for (unsigned i = 0; i < 4; i++) {
        softgt_advance(w->device, 1000);
        run(w);
    }
    assert_int_equal(at(one, RESULTS)[0], 0); /* registers are as after a reset */
    assert_int_equal(at(one, RESULTS)[1], 1); /* the watchdog's, too */
    assert_int_equal(w->device->guc.totals.resets, 1);
    expect_nothing(one);
    /* A batch that it stops is not gone on with. */
    const uint32_t batch[] = {0x11080003, 0x17c,        2,         0x178, 0,          0x0e40c003,
                              0xdead,     results + 64, 0,         0,     0x10400002, results + 8,
                              0,          0xbad,        0x05000000};
    memcpy(at(one, BATCH), batch, sizeof batch);
    job_add(&j, (const uint32_t[]){0x18800001, address(one, BATCH), 0, 0}, 4);
    job_store(&j, results + 12, 0x900d);
    run(w);
    assert_int_equal(at(one, RESULTS)[3], 0);
    for (unsigned i = 0; i < 4; i++) {
        softgt_advance(w->device, 1000);
        run(w);
    }
    assert_int_equal(at(one, RESULTS)[2], 0);
    assert_int_equal(at(one, RESULTS)[3], 0x900d);
    expect_nothing(one);
    job_store(&j, results + 16, 0x900d);
    run(w);
    assert_int_equal(at(one, RESULTS)[4], 0x900d);
    assert_int_equal(w->complaints, 0);
    world_destroy(w);
}

/* The context goes on with the state that the physical function's driver keeps, which is a whole context, by
 * its address and the length of what is behind the ring's registers: that alone is taken (Linux,
 * xe_guc_ads.c); nothing of it where the functions are apart. */
static void first_state_of(bool apart)
{
    enum { ADS = 0xb000, KEPT = 0xc0000, STATUS_BYTES = 4096, RING_BYTES = 96 * 4, STATE_BYTES = 0x400 };
    enum { BEFORE = STATUS_BYTES + RING_BYTES, NOT = 0x0bad0bad, AFTER = 0x600d };
    struct world *w = world_make(NULL, true);
    struct vf *pf = physical_begin(w), *one = &w->vfs[1];
    const unsigned number = (unsigned)(engine_of(w, CLASS_OF_COPY) - w->device->sheet->engines);
    bring_up(w, 1);
    physical_load(w);
    for (uint32_t i = 0; i < BEFORE / 4; i++)
        at(pf, KEPT)[i] = NOT;
    for (uint32_t i = 0; i < STATE_BYTES / 4; i++)
        at(pf, KEPT + BEFORE)[i] = i + 1; /* MI_NOOPs */
    at(pf, ADS + ADS_GOLDEN)[CLASS_OF_COPY] = address(pf, KEPT);
    at(pf, ADS + ADS_GOLDEN_BYTES)[CLASS_OF_COPY] = STATE_BYTES;
    w->device->guc.boot.ads = address(pf, ADS);
    struct job j = job_make(w, 1, 0);
    job_add(&j, (const uint32_t[]){0x0e40c003, 1, address(one, RESULTS + 64), 0, 0, 0}, 6);
    job_store(&j, address(one, RESULTS), AFTER);
    run(w);
    assert_int_equal(w->device->engines[number].parse.state, SOFTGT_ENGINE_WAITING);
    static uint32_t before[(BEFORE + STATE_BYTES) / 4];
    uint32_t changed = 0;
    memcpy(before, at(one, j.lrca), sizeof before);
    static const struct vf_isolation isolated = {.is_enabled = true};
    w->device->guc.isolation = apart ? &isolated : &no_vf_isolation;
    w->device->engines[number].status.watchdog_expired = true;
    guc_service_engine(&w->device->guc, number);
    for (uint32_t i = 0; i < BEFORE / 4; i++)
        changed += at(one, j.lrca)[i] != before[i];
    assert_int_equal(changed, 1); /* the ring's head */
    assert_memory_equal(at(one, j.lrca + BEFORE), apart ? before + BEFORE / 4 : at(pf, KEPT + BEFORE),
                        STATE_BYTES);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], AFTER);
    assert_int_equal(w->device->guc.totals.resets, 1);
    world_destroy(w);
}

static void first_state(void **state)
{
    (void)state;
    first_state_of(false);
    first_state_of(true);
}

/* SYS-06, SYS-14: a virtual function counts its doorbells; others' are none of its. What disarms one in
 * memory clears its line. */
static void doorbells(void **state)
{
    (void)state;
    enum { LINE = 0xa000, DRBREG = 0x1000 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_make(w, 1, 0), b = job_make(w, 2, 0);
    const uint32_t first[VFS] = {(uint32_t)w->pf.vf_configs[0].first_doorbell,
                                 (uint32_t)w->pf.vf_configs[1].first_doorbell};
    for (unsigned n = 1; n <= 2; n++) {
        struct vf *v = &w->vfs[n];
        run(w);
        EXPECT(v, 0x90001002, 0, 1);
        SEND(v, 0, 0x10, 0, (uint32_t)w->pf.vf_configs[n - 1].doorbell_count, 1, address(v, LINE));
        SEND(v, 0, 0x10, 0, 0, 0, 0x3ff000);
        SEND(v, 0, 0x10, 0, 0, 1, address(&w->vfs[3 - n], LINE));
        SEND(v, 0, 0x10, 0, 0, 1, address(v, LINE));
        at(v, LINE)[0] = 1;
        run(w);
        EXPECT(v, 0xe0000060);
        EXPECT(v, 0xe0000080);
        EXPECT(v, 0xe0000080);
        EXPECT(v, 0xf0000000);
        assert_int_equal(softgt_bar_read(w->device, 0, DRBREG + first[n - 1] * 8, 4), address(v, LINE) | 1);
    }
    /* It rings: there is work behind the tail that no message tells of. */
    const uint32_t store[] = {0x10400002, address(one, RESULTS), 0, 0x600d};
    memcpy(at(one, a.lrca + RING), store, sizeof store);
    at(one, a.lrca + DRIVER_IMAGE_OFFSET)[7] = sizeof store;
    w->device->guc.functions[1].provisioning.thresholds[VF_THRESHOLD_DOORBELL_STORM] = 4;
    at(one, LINE)[0] = 2;
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0x600d);
    assert_int_equal(w->pf.adverse, 0);
    /* In a page of registers: everybody has the same ones, and rings his own. */
    struct job c = job_make(w, 1, 1), d = job_make(w, 2, 1);
    SEND(one, 0, 0x10, 1, 1, 0, 0x401000);
    SEND(two, 0, 0x10, 1, 1, 0, 0x401000);
    run(w);
    /* The physical registers tell whose offset it is, 1073; also after a save and a load. */
    for (unsigned n = 1; n <= 2; n++)
        assert_int_equal(softgt_bar_read(w->device, 0, 0x3ff000 + (first[n - 1] + 1) * 8, 8),
                         (uint64_t)n << 32 | 0x401001);
    assert_int_equal(softgt_bar_read(w->device, 0, 0x3ff000 + first[0] * 8, 8), 0);
    uint32_t dw[256];
    while (receive(one, dw) || receive(two, dw))
        assert_true(dw[0] == 0x90001002 || dw[0] == 0xf0000000);
    const struct job *const both[2] = {&c, &d};
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t more[] = {0x10400002, address(both[i]->v, RESULTS) + 64, 0, 0x600d};
        memcpy(at(both[i]->v, both[i]->lrca + RING), more, sizeof more);
        at(both[i]->v, both[i]->lrca + DRIVER_IMAGE_OFFSET)[7] = sizeof more;
    }
    softgt_bar_write(w->device, 0, 0x401000, 1, 4);
    put(one, 0x401000, 1);
    run(w);
    assert_int_equal(at(one, RESULTS)[16], 0x600d);
    assert_int_equal(at(two, RESULTS)[16], 0);
    assert_int_equal(get(one, 0x401000), 0xdeadbeef);
    put(two, 0x401000, 1);
    run(w);
    assert_int_equal(at(two, RESULTS)[16], 0x600d);
    assert_int_equal(w->pf.adverse, 0);
    at(one, LINE)[0] = 3;
    run(w);
    assert_int_equal(w->pf.adverse, 0);
    at(one, LINE)[0] = 4;
    run(w);
    assert_int_equal(w->pf.adverse, 1);
    /* The end of one's context, and one's reset, leave the other's alone. */
    SEND(two, 2, 0x20, 0);
    run(w);
    assert_int_equal(at(two, LINE)[0], 0);
    assert_int_equal(softgt_bar_read(w->device, 0, DRBREG + first[1] * 8, 4), 0);
    assert_int_equal(at(one, LINE)[0], 4);
    softgt_function_config_write(w->device, 1, 0x78, 0x8000, 2);
    run(w);
    assert_int_equal(softgt_bar_read(w->device, 0, DRBREG + first[0] * 8, 4), 0);
    assert_int_equal(at(one, LINE)[0], 0);
    job_store(&b, address(two, RESULTS), 0x600d);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], 0x600d);
    world_destroy(w);
}

/* A function that reaches a threshold is told of, once in a period. */
static void thresholds(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    uint32_t *const most = w->device->guc.functions[1].provisioning.thresholds;
    for (unsigned i = 0; i < VF_THRESHOLDS; i++)
        most[i] = 0;
    most[VF_THRESHOLD_H2G_STORM] = 5;
    for (unsigned i = 0; i < 4; i++)
        SEND(one, 2, 0x1000, 99);
    for (unsigned i = 0; i < 9; i++)
        SEND(two, 2, 0x1000, 99);
    run(w);
    assert_int_equal(w->pf.adverse, 0);
    for (unsigned i = 0; i < 9; i++)
        SEND(one, 2, 0x1000, 99);
    run(w);
    assert_int_equal(w->pf.adverse, 1);
    most[VF_THRESHOLD_H2G_STORM] = 0;
    most[VF_THRESHOLD_CAT_ERR] = most[VF_THRESHOLD_ENGINE_RESET] = 1;
    struct job bad = job_make(w, 1, 0);
    job_store(&bad, address(two, RESULTS), 0xbad);
    run(w);
    assert_int_equal(w->pf.adverse, 3);
    world_destroy(w);
}

/* What the GuC knows of a function goes away with a reset, and comes back: contexts with their waits, a
 * doorbell, buffers, messages that were not read. (Linux, xe_gt_sriov_pf_migration) */
static uint32_t save(struct world *w, bool apart, uint32_t *dw, uint32_t room_dw)
{
    if (!apart) /* by the message */
        return driver_vf_save(&w->pf, 1, dw, room_dw);
    return move_whole(&w->device->guc, false, &(struct vf_migration_buffer){.dw = dw, .room_dw = room_dw});
}

static bool restore(struct world *w, bool apart, uint32_t *dw, uint32_t length_dw)
{
    if (!apart)
        return driver_vf_restore(&w->pf, 1, dw, length_dw);
    return move_whole(&w->device->guc, true, &(struct vf_migration_buffer){.dw = dw, .room_dw = length_dw}) !=
           0;
}

static void migrates(bool apart)
{
    enum { LINE = 0xa000, ROOM = 4096, BITS = 32 };
    static uint32_t saved[ROOM], again[ROOM];
    struct world *w = world_make(NULL, apart);
    for (unsigned n = 1; n <= VFS; n++)
        bring_up(w, n);
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_make(w, 1, 3), b = job_make(w, 2, 3);
    SEND(one, 0, 0x10, 3, 2, 1, address(one, LINE));
    job_add(&a, (const uint32_t[]){0x0e40c002, 7, address(one, RESULTS) + 64, 0}, 4);
    job_store(&a, address(one, RESULTS), 0x600d);
    run(w);
    assert_int_equal(save(w, apart, saved, ROOM), 0); /* it is not paused */
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_PAUSE));
    run(w);
    const uint32_t length_dw = save(w, apart, saved, ROOM);
    assert_true(length_dw > 32 && length_dw < 128);
    assert_int_equal(save(w, apart, again, length_dw - 1), 0);
    /* A reset, and what is not the GuC's: entries. */
    uint64_t entries[MEMORY_BYTES / 4096];
    const uint32_t table = (uint32_t)(one->ggtt / 4096) * 8;
    for (uint32_t i = 0; i < MEMORY_BYTES / 4096; i++)
        entries[i] = ggtt_table_read(&w->device->memory, table + i * 8, 8);
    softgt_function_config_write(w->device, 1, 0x78, 0x8000, 2);
    run(w);
    for (uint32_t i = 0; i < MEMORY_BYTES / 4096; i++)
        ggtt_table_write(&w->device->memory, table + i * 8, entries[i], 8);
    softgt_function_config_write(w->device, 1, 4, 4, 2);
    softgt_function_config_write(w->device, 1, 0xae, 1, 2);
    SEND(one, 0, 0x1000, 3); /* which waits until it is heard */
    assert_false(restore(w, apart, saved, length_dw));
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_PAUSE));
    run(w);
    /* What is not whole, or is no state, leaves nothing, whatever bit of it is another. */
    assert_false(restore(w, apart, saved, length_dw - 1));
    static uint8_t memory[MEMORY_BYTES];
    memcpy(memory, one->memory, MEMORY_BYTES);
    for (uint32_t bit = 0; bit < length_dw * BITS; bit++) {
        memcpy(again, saved, sizeof saved);
        again[bit / BITS] ^= 1u << bit % BITS;
        restore(w, apart, again, length_dw);
    }
    memcpy(one->memory, memory, MEMORY_BYTES); /* a doorbell elsewhere clears what is there when it goes */
    assert_true(restore(w, apart, saved, length_dw));
    assert_int_equal(save(w, apart, again, ROOM), length_dw);
    assert_memory_equal(saved, again, length_dw * 4);
    job_store(&b, address(two, RESULTS), 0x600d);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], 0x600d);
    assert_int_equal(at(one, RESULTS)[0], 0);
    at(one, RESULTS)[16] = 7;
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    for (unsigned i = 0; i < 4; i++) {
        softgt_advance(w->device, 1000000);
        run(w);
    }
    assert_int_equal(at(one, RESULTS)[0], 0x600d);
    EXPECT(one, 0x90001002, 3, 1);
    EXPECT(one, 0xf0000000);
    EXPECT(one, 0xf0000000); /* what waited */
    /* Its doorbell is where it was. */
    const uint32_t store[] = {0x10400002, address(one, RESULTS) + 4, 0, 0x1111};
    memcpy(at(one, a.lrca + RING + a.tail), store, sizeof store);
    at(one, a.lrca + DRIVER_IMAGE_OFFSET)[7] = a.tail + (uint32_t)sizeof store;
    at(one, LINE)[0] = 9;
    run(w);
    assert_int_equal(at(one, RESULTS)[1], 0x1111);
    world_destroy(w);
}

static void migration(void **state)
{
    (void)state;
    migrates(false);
    migrates(true);
}

/* SYS-04, 237: reports of counters go to the PPGTT alone. SYS-24, 176: what one translated, the next one on
 * that engine does not have. */
static void reports_and_translations(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job good = job_make(w, 2, 0), bad = job_make(w, 1, 0);
    job_store(&good, address(two, RESULTS), 0x600d);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], 0x600d);
    job_store(&bad, address(two, RESULTS), 0xbad);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], 0x600d);
    EXPECT(one, 0x90001002, 0, 1);
    EXPECT(one, 0x90006000, 0);
    EXPECT(one, 0x90001008, 0);
    /* On the render engine. */
    const uint32_t lrca = CONTEXTS + CONTEXT_STEP;
    struct job j = job_of(w, 1, 1, 0, lrca, lrca + RING, NULL);
    const uint32_t complaints = w->complaints;
    job_add(&j, (const uint32_t[]){0x14000002, (address(one, RESULTS) + 0x400) | 1, 0, 0x77}, 4);
    job_store(&j, address(one, RESULTS), 0x600d);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0x600d);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(at(one, RESULTS)[0x100 + i], 0);
    assert_true(w->complaints > complaints);
    world_destroy(w);
}

/* Functions that never yield share an engine by their quanta, whoever gave them. */
static void shares_of_time(bool apart)
{
    enum { MS = 1000000, STEPS = 800 };
    const struct driver_vf_config given[VFS] = {{.exec_quantum_ms = 1, .preempt_timeout_us = 1000},
                                                {.exec_quantum_ms = 3, .preempt_timeout_us = 1000},
                                                {.exec_quantum_ms = 4, .preempt_timeout_us = 1000}};
    struct world *w = world_make(given, apart);
    unsigned ran[VFS + 1] = {0};
    for (unsigned n = 1; n <= VFS; n++) {
        bring_up(w, n);
        struct job j = job_make(w, n, 0);
        /* A batch in the ring that waits for ever, and may be preempted. */
        job_add(&j, (const uint32_t[]){0x0e40c002, 1, address(&w->vfs[n], RESULTS), 0}, 4);
    }
    run(w);
    for (unsigned i = 0; i < STEPS; i++) {
        softgt_advance(w->device, MS / 10);
        run(w);
        for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
            if (w->device->guc.derived.class_of[e] == CLASS_OF_COPY &&
                w->device->guc.engine_states.list[e].active != GUC_NO_CONTEXT)
                ran[w->device->guc.engine_states.list[e].function]++;
    }
    const double all = ran[1] + ran[2] + ran[3];
    if (ran[1] < all * 0.09 || ran[1] > all * 0.16 || ran[2] < all * 0.33 || ran[2] > all * 0.42 ||
        ran[3] < all * 0.45)
        fail_msg("%u, %u, %u of %u", ran[1], ran[2], ran[3], STEPS);
    /* As it is counted for each; a step is 0.1 ms. */
    uint64_t busy_ms = 0;
    for (unsigned n = 1; n <= VFS; n++) {
        const uint64_t ms = guc_vf_busy_ms(&w->device->guc, n);
        assert_in_range(ms, ran[n] / 10 - ran[n] / 10 / 8 - 1, ran[n] / 10 + ran[n] / 10 / 8 + 1);
        busy_ms += ms;
    }
    assert_in_range(busy_ms, STEPS / 10 - 2, STEPS / 10);
    assert_int_equal(guc_vf_busy_ms(&w->device->guc, 0), 0);
    world_destroy(w);
}

static void time_shares(void **state)
{
    (void)state;
    shares_of_time(false);
    shares_of_time(true);
}

/* The physical function's driver boots the microcontroller, and has contexts; of functions that are apart
 * from it it decides nothing, and their ids are none of its. */
static void apart_from_its_driver(void **state)
{
    (void)state;
    enum { KEYS = 0xb000, REFUSED = 0xe };
    struct world *w = world_make(NULL, true);
    bring_up(w, 1);
    const uint32_t others = (uint32_t)w->pf.vf_configs[VFS - 1].first_context;
    struct vf *pf = physical_begin(w);
    for (unsigned loads = 0; loads < 2; loads++) {
        physical_load(w);
        const uint32_t keys[] = {0x8a010001, 99},
                       before = w->device->guc.functions[1].provisioning.exec_quantum_ms;
        memcpy(at(pf, KEYS), keys, sizeof keys);
        const uint32_t asked[][5] = {{0x5503, 1, address(pf, KEYS), 0, 2},
                                     {0x5503, 0, address(pf, KEYS), 0, 2},
                                     {0x5503, 1, address(pf, KEYS), 0, 0},
                                     {0x550b, 1, address(pf, KEYS), 0, 0}};
        for (unsigned i = 0; i < sizeof asked / sizeof asked[0]; i++) {
            uint32_t dw[256];
            send(pf, 0, (uint16_t)asked[i][0], asked[i] + 1, 4);
            run(w);
            assert_int_equal(receive(pf, dw), 1);
            assert_int_equal(dw[0] >> 28, REFUSED);
        }
        for (uint32_t command = VF_CONTROL_PAUSE; command <= VF_CONTROL_FLR_FINISH; command++)
            SEND(pf, 2, 0x5506, 1, command);
        SEND(pf, 2, 0x5101, 1, 1, 0x70000000);
        /* A context with the first id that is another's. */
        SEND(pf, 2, 0x4502, 1, others, CLASS_OF_COPY, 1, 0, 0, 0, 0, 0, address(pf, CONTEXTS) | 0x119, 0);
        run(w);
        assert_int_equal(guc_context(&w->device->guc, others)->flags, 0);
        uint32_t dw[256];
        while (receive(pf, dw))
            ;
        assert_int_equal(w->device->guc.functions[1].provisioning.exec_quantum_ms, before);
        assert_int_equal(w->device->guc.functions[1].state.run_state, VF_RUNNING);
        struct job a = job_make(w, 0, 5), b = job_make(w, 1, loads);
        job_store(&a, address(pf, RESULTS), 0x600d + loads);
        job_store(&b, address(&w->vfs[1], RESULTS), 0x900d + loads);
        run(w);
        assert_int_equal(at(pf, RESULTS)[0], 0x600d + loads);
        assert_int_equal(at(&w->vfs[1], RESULTS)[0], 0x900d + loads);
    }
    world_destroy(w);
}

/* BAR 2 of the physical one is as its driver takes it to be: the least power of two that has what is its own,
 * 256 MB at least. Where that is all, the BAR shows all. (Linux 6.12, i915_resize_lmem_bar) */
static void apart_has_its_bar(void **state)
{
    (void)state;
    enum { MB = 1 << 20 };
    static const struct {
        uint64_t own_mb, bar_mb;
    } sizes[] = {{16, 256}, {256, 256}, {257, 512}, {380, 512}, {513, 1024}, {1025, 2048}};
    struct softgt_bar_info info;
    struct world *w = world_make(NULL, true);
    struct memory *const m = &w->device->memory;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        w->device->isolation.pf_local_bytes = sizes[i].own_mb * MB;
        softgt_reset(w->device);
        assert_true(softgt_bar_info(w->device, SOFTGT_BAR_LOCAL, &info));
        const uint64_t expected = sizes[i].bar_mb * MB;
        assert_int_equal(info.size_bytes, expected < m->local_bytes ? expected : m->local_bytes);
    }
    w->device->isolation.pf_local_bytes = 0;
    softgt_reset(w->device);
    assert_true(softgt_bar_info(w->device, SOFTGT_BAR_LOCAL, &info));
    assert_int_equal(info.size_bytes, m->local_bytes);
    world_destroy(w);
}

/* Whoever resets itself or asks without end leaves the others their say. */
static void apart_from_floods(void **state)
{
    (void)state;
    struct world *w = world_make(NULL, true);
    for (unsigned n = 1; n <= VFS; n++)
        bring_up(w, n);
    for (unsigned i = 0; i < 200; i++) { /* questions to who decides, in the buffer */
        SEND(&w->vfs[2], 0, 0x5103, i, 1, 1u << 16);
        softgt_run(w->device, 1 << 10);
        uint32_t dw[256];
        while (receive(&w->vfs[2], dw))
            ;
    }
    assert_in_range(w->device->guc.pf_relay_queue.count, 1, G2H_BACKLOG_DW / 2);
    for (unsigned i = 0; i < 2000; i++)
        softgt_function_config_write(w->device, 1, 0x78, 0x8000, 2);
    softgt_function_config_write(w->device, 3, 0x78, 0x8000, 2);
    assert_in_range(w->device->guc.pf_relay_queue.count, 1, G2H_BACKLOG_DW);
    run(w);
    for (unsigned n = 1; n <= VFS; n++)
        assert_int_equal(w->device->guc.functions[n].state.run_state, VF_RUNNING);
    assert_int_equal(w->device->guc.pf_relay_queue.count, 0);
    bring_up(w, 3);
    struct job j = job_make(w, 3, 0);
    job_store(&j, address(&w->vfs[3], RESULTS), 0x600d);
    run(w);
    assert_int_equal(at(&w->vfs[3], RESULTS)[0], 0x600d);
    world_destroy(w);
}

/* What the physical function's driver resets is its own: work of functions that are apart goes on, in an
 * engine that was reset from where it was saved last. */
static void apart_from_resets(void **state)
{
    (void)state;
    enum { GDRST = 0x941c, GU_CNTL = 0x101010, GUC_ONLY = 1 << 3, ALL = 1 };
    const struct driver_vf_config given[VFS] = {{.exec_quantum_ms = 6}, {.exec_quantum_ms = 3}};
    struct world *w = world_make(given, true);
    bring_up(w, 1);
    bring_up(w, 2);
    const uint64_t end = w->pf.vf_configs[0].local_start < w->pf.vf_configs[1].local_start
                             ? w->pf.vf_configs[0].local_start
                             : w->pf.vf_configs[1].local_start;
    assert_true(w->device->isolation.pf_local_bytes <= end);
    assert_true(w->pf.vf_configs[0].ggtt_start >= UINT64_C(1) << 31);
    for (unsigned i = 0; i < 4; i++) {
        struct vf *one = &w->vfs[1], *two = &w->vfs[2];
        const uint32_t number = 0x100 + i;
        struct job j = job_make(w, 1, i), k = job_make(w, 2, i);
        at(one, RESULTS)[i] = at(two, RESULTS)[i] = 0;
        job_add(&j, (const uint32_t[]){0x0e40c002, number, address(one, RESULTS + i * 4), 0}, 4);
        job_store(&j, address(one, RESULTS + 0x40 + i * 4), number);
        job_store(&k, address(two, RESULTS + i * 4), number);
        softgt_run(w->device, 1 << 10);
        if (i < 3)
            softgt_bar_write(w->device, 0, i == 2 ? GU_CNTL : GDRST,
                             i == 0   ? GUC_ONLY
                             : i == 1 ? ALL
                                      : 1u << 31,
                             4);
        else
            softgt_reset(w->device);
        run(w);
        assert_int_equal(at(one, RESULTS + 0x40)[i], 0);
        at(one, RESULTS)[i] = number;
        softgt_advance(w->device, 100000000);
        run(w);
        assert_int_equal(at(one, RESULTS + 0x40)[i], number);
        assert_int_equal(at(two, RESULTS)[i], number);
        /* Its time is shared out, too, whatever its driver says to the microcontroller. */
        assert_int_equal(w->device->guc.functions[0].provisioning.exec_quantum_ms, 6);
    }
    /* A doorbell that rang before is not lost, and a message has its answer; doorbells stay armed. */
    struct vf *const one = &w->vfs[1];
    const struct job j = job_make(w, 1, 9);
    const uint32_t shows = 0x3ff000 + (uint32_t)w->pf.vf_configs[0].first_doorbell * 8;
    SEND(one, 0, 0x10, 9, 0, 0, 0x401000);
    run(w);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t store[] = {0x10400002, address(one, RESULTS + 0x100), 0, 0x600d + i};
        memcpy(at(one, j.ring + i * 16), store, sizeof store);
        at(one, j.lrca + DRIVER_IMAGE_OFFSET)[7] = (i + 1) * 16;
        put(one, 0x401000, 1);
        assert_int_equal(mailbox(one, 0x5509, 4, 0, 0), 0xf0000001);
        if (i < 3)
            softgt_bar_write(w->device, 0, i == 2 ? GU_CNTL : GDRST,
                             i == 0   ? GUC_ONLY
                             : i == 1 ? ALL
                                      : 1u << 31,
                             4);
        else
            softgt_reset(w->device);
        assert_int_equal(get(one, 0x190240), 0xf0000001);
        assert_int_equal(softgt_bar_read(w->device, 0, shows, 8), UINT64_C(1) << 32 | 0x401001);
        run(w);
        assert_int_equal(at(one, RESULTS + 0x100)[0], 0x600d + i);
    }
    world_destroy(w);
}

/* Nor does it reach what is theirs, each of which is told: by a list that names a function, and a context of
 * that one. */
static void apart_from_its_lists(void **state)
{
    (void)state;
    enum { QUEUE = 0x510, CONTROL = 0x550 };
    struct world *w = world_make(NULL, true);
    struct vf *one = &w->vfs[1];
    bring_up(w, 1);
    struct job j = job_make(w, 1, 0);
    job_store(&j, address(one, RESULTS), 1);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 1);
    const uint32_t more[4] = {0x10400002, address(one, RESULTS), 0, 2};
    memcpy(at(one, j.ring + j.tail), more, sizeof more);
    at(one, j.lrca + DRIVER_IMAGE_OFFSET)[7] = j.tail + sizeof more;
    const uint32_t base = engine_of(w, CLASS_OF_COPY)->mmio_base;
    softgt_bar_write(w->device, 0, TABLE, 1, 8); /* a page for the engine's status */
    softgt_bar_write(w->device, 0, base + GFX_MODE, 0x00080008, 4);
    softgt_bar_write(w->device, 0, base + QUEUE, address(one, j.lrca) | 0x11d, 4);
    softgt_bar_write(w->device, 0, base + QUEUE + 4, 1, 4);
    softgt_bar_write(w->device, 0, base + CONTROL, 1, 4);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 1);
    assert_true(w->complaints);
    world_destroy(w);
}

/* By pages of local memory, the table of the GGTT there, and page tables. */
static void apart_in_local_memory(void **state)
{
    (void)state;
    enum { TOP = 0x1000, NEXT = 0x2000, LARGE = 0x3000, SMALL = 0x4000 };
    enum { VALID = 3, LOCAL = 1 << 11, BIG = 1 << 7, GGTT_LOCAL = 3 };
    struct world *w = world_make(NULL, true);
    struct mmu *const u = &w->device->engines[0].mmu;
    const uint64_t own = w->device->isolation.pf_local_bytes, others = w->pf.vf_configs[0].local_start,
                   places[] = {own, others, w->pf.own_local_start, local_layout(&w->device->memory).gsm};
    const uint64_t entries[][2] = {
        {TOP, NEXT | VALID}, {NEXT, LARGE | VALID}, {LARGE, SMALL | VALID}, {NEXT + 8, BIG | LOCAL | VALID}};
    struct translation t;
    assert_int_equal(u->function, 0);
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++)
        softgt_local_write(w->device, entries[i][0], &entries[i][1], 8);
    u->root = (struct ppgtt_root){.mode = PPGTT_48, .directory = {TOP}};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
        for (unsigned is_own = 0; is_own < 2; is_own++) {
            const uint64_t place = is_own ? own - 4096 : places[i], entry = place | LOCAL | VALID;
            softgt_local_write(w->device, SMALL, &entry, 8);
            softgt_bar_write(w->device, 0, TABLE, place | GGTT_LOCAL, 8);
            assert_int_equal(mmu_translate(u, SPACE_PPGTT, 0, &t), is_own);
            assert_int_equal(mmu_translate(u, SPACE_GGTT, 0, &t), is_own);
        }
    const uint32_t entry = TABLE + (uint32_t)(w->pf.vf_configs[0].ggtt_start / 4096) * 8;
    assert_int_not_equal(ggtt_table_read(&w->device->memory, entry - TABLE, 8), 0);
    assert_int_equal(softgt_bar_read(w->device, 0, entry, 8), 0);
    /* A large page goes as far as its own does. */
    const uint64_t large = UINT64_C(1) << 30;
    uint64_t size_bytes = 0;
    mmu_invalidate(u);
    assert_non_null(mmu_host_run(u, SPACE_PPGTT, large + own - 4096, true, &size_bytes));
    assert_int_equal(size_bytes, 4096);
    assert_false(mmu_translate(u, SPACE_PPGTT, large + own, &t));
    /* Tables elsewhere are none. */
    u->root.directory[0] = others;
    softgt_local_write(w->device, others, &entries[0][1], 8);
    assert_false(mmu_translate(u, SPACE_PPGTT, 0, &t));
    world_destroy(w);
}

/* Its reset clears what is its own of local memory, and touches nothing of what it never wrote. */
static void apart_from_its_clears(void **state)
{
    (void)state;
    struct world *w = world_make(NULL, true);
    const uint64_t own = w->device->isolation.pf_local_bytes, page = (uint64_t)sysconf(_SC_PAGESIZE),
                   places[] = {0, own / 4, own - 4, own, own + (1 << 20)};
    enum { PLACES = sizeof places / sizeof places[0] };
    const uint32_t number = 0x600d;
    uint32_t found;
    unsigned char there;
    void *const never = w->device->memory.local + own / 2 / page * page;
    for (unsigned i = 0; i < PLACES; i++)
        assert_true(softgt_local_write(w->device, places[i], &number, sizeof number));
    assert_int_equal(mincore(never, page, &there), 0);
    assert_int_equal(there & 1, 0);
    softgt_reset(w->device);
    for (unsigned i = 0; i < PLACES; i++) {
        assert_true(softgt_local_read(w->device, places[i], &found, sizeof found));
        assert_int_equal(found, places[i] < own ? 0 : number);
    }
    assert_int_equal(mincore(never, page, &there), 0);
    assert_int_equal(there & 1, 0);
    world_destroy(w);
}

/* By registers of a context that an engine has: the CPU, and another engine. */
static void apart_from_running_contexts(void **state)
{
    (void)state;
    enum {
        NUMBER = 0x5ec2e7,
        SEMAPHORE = 0x0e40c002,
        GPR = 0x600,
        CLASS_OF_RENDER = 0,
        IMAGE = CONTEXTS + 2 * CONTEXT_STEP
    };
    struct world *w = world_make(NULL, true);
    struct vf *one = &w->vfs[1];
    physical_begin(w);
    physical_load(w);
    bring_up(w, 1);
    struct job j = job_make(w, 1, 0);
    const uint32_t at_gpr = engine_of(w, CLASS_OF_COPY)->mmio_base + GPR;
    job_add(&j, (const uint32_t[]){0x11000001, at_gpr, NUMBER, SEMAPHORE, 7, address(one, RESULTS), 0, 0}, 8);
    run(w);
    softgt_advance(w->device, 1000000);
    assert_int_equal(register_value(&w->device->mmio, at_gpr), NUMBER);
    assert_int_equal(softgt_bar_read(w->device, 0, at_gpr, 4), 0);
    assert_int_equal(softgt_bar_read(w->device, 0, at_gpr - 1, 2), 0);
    softgt_bar_write(w->device, 0, at_gpr, 0xbad, 4);
    assert_int_equal(w->complaints, 3);
    assert_int_not_equal(softgt_bar_read(w->device, 0, at_gpr - GPR + 0x358, 4), 0); /* TIMESTAMP */
    const struct engine *const other = &w->device->engines[0];
    assert_int_equal(other->mmu.function, 0);
    assert_true(engine_register_belongs_to_vf(other, at_gpr, other->mmu.function));
    assert_false(engine_register_belongs_to_vf(other, at_gpr, 1));
    /* Another engine of the physical one's reads nothing of it either. */
    struct job reads =
        job_of(w, 0, 1, CLASS_OF_RENDER, IMAGE, IMAGE + driver_context_bytes(other->info), NULL);
    at(&w->vfs[0], RESULTS)[0] = 7;
    job_read(&reads, at_gpr, address(&w->vfs[0], RESULTS));
    run(w);
    assert_int_equal(at(&w->vfs[0], RESULTS)[0], 0);
    job_add(&j, (const uint32_t[]){0x12400002, at_gpr, address(one, RESULTS + 4), 0}, 4);
    at(one, RESULTS)[0] = 7;
    softgt_advance(w->device, 100000000);
    run(w);
    assert_int_equal(at(one, RESULTS)[1], NUMBER);
    assert_false(engine_register_belongs_to_vf(other, at_gpr, other->mmu.function)); /* it has left */
    world_destroy(w);
}

/* By registers that every function has; and what the microcontroller is told for others is not turned away
 * from it. */
static void apart_in_registers(void **state)
{
    (void)state;
    enum { MAILBOX = 0x190244, NOTIFY = 0x1901f0, FIRST = 0x190000, STEP = 0x400 };
    enum { DOORBELLS = 0xc570, PAGE = 0x401000 };
    struct world *w = world_make(NULL, true);
    struct vf *one = &w->vfs[1];
    bring_up(w, 1);
    put(one, MAILBOX, 0x12345678);
    assert_int_equal(softgt_bar_read(w->device, 0, MAILBOX + STEP, 4), 0);
    assert_int_equal(softgt_bar_read(w->device, 0, FIRST + STEP - 4, 8), 0);
    softgt_bar_write(w->device, 0, MAILBOX + STEP, 0x5507, 4);
    softgt_bar_write(w->device, 0, NOTIFY + STEP, 0, 4);
    assert_int_equal(w->complaints, 4);
    assert_int_equal(get(one, MAILBOX), 0x12345678);
    struct job j = job_make(w, 1, 0);
    SEND(one, 2, 0x10, 0, 0, 0, PAGE);
    run(w);
    const uint32_t store[4] = {0x10400002, address(one, RESULTS), 0, 2};
    memcpy(at(one, j.ring), store, sizeof store);
    at(one, j.lrca + DRIVER_IMAGE_OFFSET)[7] = sizeof store;
    softgt_bar_write(w->device, 0, DOORBELLS, 0, 4);
    put(one, PAGE, 1);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 2);
    world_destroy(w);
}

/* Nor by lists of registers that its driver gives the microcontroller: what is theirs is neither captured,
 * nor kept over a reset, nor written, whatever an entry says; what is its own is. */
static void apart_from_its_registers(void **state)
{
    (void)state;
    enum { ADS = 0xb000, KEPT = 0xa0000, LIST = 0xa1000, LOG = 0xa2000, CAPTURED = LOG + 0x3000 };
    enum {
        LOG_VALID = 1,
        GATE = RESULTS + 64,
        NUMBER = 0x5ec2e7,
        MAIL = 0x190640,
        NOTIFY = 0x1905f0,
        STEP = 0x400
    };
    enum { START = 0x38, TAIL = 0x30, HEAD = 0x34, GPR = 0x600, WAYS = 3, LISTED = 4 };
    static const struct {
        uint32_t flags, mask;
    } ways[WAYS] = {{.flags = 8}, {.flags = 4, .mask = UINT32_MAX}, {.flags = 4, .mask = 0x0000ffff}};
    for (unsigned way = 0; way < WAYS; way++) {
        struct world *w = world_make(NULL, true);
        struct vf *pf = physical_begin(w), *one = &w->vfs[1];
        const struct engine_info *const render = engine_of(w, 0), *const copy = engine_of(w, CLASS_OF_COPY);
        const struct engine *const e = &w->device->engines[render - w->device->sheet->engines];
        bring_up(w, 1);
        physical_load(w);
        w->device->guc.boot.ads = address(pf, ADS);
        w->device->guc.boot.log = address(pf, LOG) | LOG_VALID;
        const uint32_t kept[][2] = {{render->mmio_base + GPR, 0xbad},
                                    {render->mmio_base + HEAD, 0x40},
                                    {render->mmio_base + TAIL, 0},
                                    {MAIL, 0x5507},
                                    {MAIL + 4, 0},
                                    {NOTIFY, 1},
                                    {copy->mmio_base + NOPID, 0x4d}};
        const uint32_t count = sizeof kept / sizeof kept[0];
        for (uint32_t i = 0; i < count; i++)
            memcpy(at(pf, KEPT + i * 16),
                   (const uint32_t[]){kept[i][0], kept[i][1], ways[way].flags, ways[way].mask}, 16);
        at(pf, ADS + ADS_REGISTERS)[CLASS_OF_COPY * 32 * 2] = address(pf, KEPT);
        at(pf, ADS + ADS_REGISTERS)[CLASS_OF_COPY * 32 * 2 + 1] = count;
        const uint32_t listed[LISTED] = {copy->mmio_base + START, render->mmio_base + START,
                                         render->mmio_base + GPR, MAIL + 4};
        at(pf, LIST)[0] = LISTED;
        for (uint32_t i = 0; i < LISTED; i++)
            at(pf, LIST + 4 + i * 16)[0] = listed[i];
        at(pf, ADS + ADS_CAPTURE_GLOBAL)[0] = address(pf, LIST);
        put(one, MAIL + 4 - STEP, 0x123);
        struct job j = job_of(w, 1, 0, 0, CONTEXTS, CONTEXTS + 0x18000, NULL);
        job_add(&j, (const uint32_t[]){0x11000001, render->mmio_base + GPR, NUMBER, 0}, 4);
        job_add(&j, (const uint32_t[]){0x0e40c002, 1, address(one, GATE), 0}, 4);
        job_read(&j, render->mmio_base + GPR, address(one, RESULTS));
        run(w);
        assert_int_equal(e->parse.state, SOFTGT_ENGINE_WAITING);
        assert_int_equal(engine_register(e, GPR), NUMBER);
        assert_int_not_equal(engine_register(e, START), 0);
        struct job bad = job_make(w, 0, 0);
        job_store(&bad, 0x7f000000, 1);
        run(w);
        assert_int_equal(w->device->guc.totals.resets, 1);
        const uint32_t *const captured = at(pf, CAPTURED) + 2 + 5;
        assert_int_equal(captured[-1], LISTED);
        for (uint32_t i = 0; i < LISTED; i++) {
            assert_int_equal(captured[i * 4], listed[i]);
            assert_int_equal(captured[i * 4 + 1], i ? 0 : address(pf, bad.ring));
        }
        assert_int_equal(softgt_bar_read(w->device, 0, copy->mmio_base + NOPID, 4), 0x4d);
        assert_int_equal(get(one, MAIL + 4 - STEP), 0x123);
        assert_int_equal(e->parse.state, SOFTGT_ENGINE_WAITING);
        at(one, GATE)[0] = 1;
        run(w);
        assert_int_equal(at(one, RESULTS)[0], NUMBER);
        world_destroy(w);
    }
}

/* ---- Isolation ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Whatever one function does to its BARs and its configuration space, what the others have and see stays:
 * their bus memory, entries, local memory, registers. */
static void isolation(void **state)
{
    (void)state;
    struct world *w = world_create(NULL);
    const char *asked = getenv("ACCESSES");
    const unsigned accesses = asked ? (unsigned)atoi(asked) : 1000000;
    for (unsigned n = 1; n <= VFS; n++) {
        bring_up(w, n);
        memset(w->vfs[n].memory + RESULTS, 0x40 + (int)n, 0x1000);
    }
    for (unsigned n = 2; n <= VFS; n++)
        for (uint32_t offset = 0; offset < 64 << 10; offset += 8)
            softgt_function_bar_write(w->device, n, 2, offset, n * 0x0101010101010101, 8);
    uint8_t *before[VFS + 1];
    for (unsigned n = 2; n <= VFS; n++) {
        before[n] = malloc(MEMORY_BYTES);
        memcpy(before[n], w->vfs[n].memory, MEMORY_BYTES);
    }
    struct softgt_bar_info local;
    assert_true(softgt_function_bar_info(w->device, 1, 2, &local));
    uint64_t random = 0x9e3779b97f4a7c15;
    for (unsigned i = 0; i < accesses; i++) {
        const uint64_t r = next_random(&random), value = next_random(&random);
        const unsigned size = 1u << (r & 3u);
        uint64_t offset = r >> 8;
        unsigned bar = 0;
        switch (r >> 4 & 7) {
        case 0: /* entries, anybody's */
        case 1:
            offset = TABLE + (w->vfs[1 + (offset & 3u) % VFS].ggtt / 4096) * 8 + offset % 0x4000;
            break;
        case 2:
            offset = TABLE + offset % TABLE;
            break;
        case 3: /* registers; near its own ones, too */
            offset = offset % (8 << 20);
            break;
        case 4:
            offset = 0x190000 + offset % 0x4000;
            break;
        case 5: /* doorbells, and where others have their mailboxes */
            offset = (offset & 1u ? 0x400000 : 0x190640) + offset % 0x4000;
            break;
        default:
            bar = 2;
            offset = offset % local.size_bytes;
        }
        if (r >> 7 & 1u)
            softgt_function_bar_write(w->device, 1, bar, offset, value, size);
        else
            softgt_function_bar_read(w->device, 1, bar, offset, size);
        if (i % 1024 == 0)
            softgt_run(w->device, 4096);
    }
    for (unsigned n = 2; n <= VFS; n++) {
        struct vf *v = &w->vfs[n];
        assert_memory_equal(before[n], v->memory, MEMORY_BYTES);
        for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
            assert_int_equal(
                softgt_function_bar_read(w->device, n, 0, TABLE + (v->ggtt / 4096 + page) * 8, 8),
                page * 4096 | 1);
        for (uint32_t offset = 0; offset < 64 << 10; offset += 8)
            assert_int_equal(softgt_function_bar_read(w->device, n, 2, offset, 8), n * 0x0101010101010101);
        assert_int_equal(mailbox(v, 0x5509, 4, 0, 0), 0xf0000001);
        free(before[n]);
    }
    world_destroy(w);
}

/* State at any point, in a device that was made anew. */
static void saved(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct job a = job_make(w, 1, 0);
    job_add(&a, (const uint32_t[]){0x0e40c002, 1, address(a.v, RESULTS), 0}, 4);
    job_store(&a, address(a.v, RESULTS) + 4, 0x77);
    run(w);
    const size_t size = softgt_save(w->device, NULL, 0);
    uint8_t *data = malloc(size), *again = malloc(size);
    assert_int_equal(softgt_save(w->device, data, size), size);
    softgt_reset(w->device);
    assert_int_equal(softgt_load(w->device, data, size), 0);
    assert_int_equal(softgt_save(w->device, again, size), size);
    assert_memory_equal(data, again, size);
    at(a.v, RESULTS)[0] = 1;
    run(w);
    assert_int_equal(at(a.v, RESULTS)[1], 0x77);
    free(data);
    free(again);
    world_destroy(w);
}

/* SYS-25: a GT that went to sleep knows no translations any more: not the GuC's of any function, nor the
 * observation units'. */
static void sleep_forgets_translations(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct guc *g = &w->device->guc;
    const struct vf *v = &w->vfs[1];
    const uint64_t page = v->ggtt + 0x20000, entry = TABLE + page / 4096 * 8;
    struct mmu *const all[] = {&g->functions[1].mmu, &w->device->oa.mmu, &w->device->oam.mmu};
    const uint64_t own = UINT64_C(0xfe0000); /* of the GGTT, the physical function's */
    uint32_t dw = 0;
    memset(w->vfs[1].memory + 0x60000, 0x11, 4096);
    memset(w->vfs[1].memory + 0x61000, 0x22, 4096);
    memset(w->vfs[0].memory + 0xe0000, 0x11, 4096);
    memset(w->vfs[0].memory + 0xe1000, 0x22, 4096);
    for (unsigned round = 0; round < 2; round++) {
        const uint32_t step = round * 0x1000;
        softgt_function_bar_write(w->device, 1, 0, entry, (0x60000u + step) | 1u, 8);
        softgt_function_bar_write(w->device, 0, 0, TABLE + own / 4096 * 8, (0xe0000u + step) | 1u, 8);
        for (unsigned i = 0; i < 3; i++) {
            assert_true(mmu_load(all[i], SPACE_GGTT, i ? own : page, &dw, 4));
            assert_int_equal(dw, round ? 0x22222222 : 0x11111111);
        }
        /* Asleep, by the GuC's leave. */
        g->power.rc6 = 1;
        w->device->gt.controller_decides = true;
        softgt_advance(w->device, 100000000);
        assert_int_equal(softgt_function_bar_read(w->device, 0, 0, 0x138060, 4), 3);
    }
    world_destroy(w);
}

TEST_PROGRAM(function_drivers_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares),
        cmocka_unit_test(migration),
        cmocka_unit_test(other_memory),
        cmocka_unit_test(other_places),
        cmocka_unit_test(other_shares),
        cmocka_unit_test(relay),
        cmocka_unit_test(work),
        cmocka_unit_test(trespass),
        cmocka_unit_test(privileges),
        cmocka_unit_test(resets),
        cmocka_unit_test(pauses),
        cmocka_unit_test(time_shares),
        cmocka_unit_test(apart_from_resets),
        cmocka_unit_test(apart_from_floods),
        cmocka_unit_test(apart_from_its_driver),
        cmocka_unit_test(apart_has_its_bar),
        cmocka_unit_test(apart_from_its_lists),
        cmocka_unit_test(apart_in_local_memory),
        cmocka_unit_test(apart_from_its_clears),
        cmocka_unit_test(apart_in_registers),
        cmocka_unit_test(apart_from_its_registers),
        cmocka_unit_test(apart_from_running_contexts),
        cmocka_unit_test(isolation),
        cmocka_unit_test(sleep_forgets_translations),
        cmocka_unit_test(saved),
        cmocka_unit_test(doorbells),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(reports_and_translations),
        cmocka_unit_test(told_in_memory),
        cmocka_unit_test(watchdog),
        cmocka_unit_test(first_state),
        cmocka_unit_test(groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
