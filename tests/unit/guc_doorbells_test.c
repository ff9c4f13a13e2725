/* SYS-14, SYS-16, SYS-17: doorbells, their pins and interrupts, and the statuses of engines. */
#include "../suite.h"
#include "../guc_jobs.h"
#include "saved.h"

/* SYS-14: both kinds. */
static void doorbells_ring(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 51, 1, GUC_VIDEO);
    job_register(&a, 1), job_register(&b, 3);
    job_enable(&a), job_enable(&b);
    host_run(h);
    HOST_EXPECT(h, 0x1002, 50, 1);
    HOST_EXPECT(h, 0x1002, 51, 1);
    assert_int_equal(HOST_ASK(h, 0x10, 52, 0, 0, 0x400000), 0xe0000100);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 256, 0, 0x400000), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x3ff000), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x800000), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x400800), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 1, SHARED + 4), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 1, NOT_MAPPED), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 255, 0, 0x7ff000), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x10, 51, 255, 0, 0x7fe000), 0xe0000101);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 254, 0, 0x7fe000), 0xe0000101);
    at(h, SHARED)[0] = 1;
    assert_int_equal(HOST_ASK(h, 0x10, 51, 3, 1, SHARED), 0xf0000000);
    assert_int_equal(host_get(h, 0x3ff7f8), 0x7ff001);
    assert_int_equal(host_get(h, 0x1018), SHARED | 1);
    /* Software cannot arm one. */
    host_put(h, 0x3ff7f8, 0);
    host_put(h, 0x1018, 0);
    assert_int_equal(host_get(h, 0x3ff7f8), 0x7ff001);
    assert_int_equal(host_get(h, 0x1018), SHARED | 1);
    job_store(&a, RESULTS, 1);
    job_store(&b, RESULTS + 64, 2);
    host_put(h, 0x7fe000, 1); /* nobody's */
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 0);
    host_put(h, 0x7ff000, 1);
    host_put(h, 0x7ff000, 1); /* collapses */
    assert_int_equal(host_get(h, 0x191c), 1u << 31);
    host_run(h);
    assert_int_equal(host_get(h, 0x191c), 0);
    assert_int_equal(at(h, RESULTS)[0], 1);
    assert_int_equal(at(h, RESULTS + 64)[0], 0);
    at(h, SHARED)[1] = 1;
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 2);
    /* A line that begins with zero is none any more. */
    at(h, SHARED)[0] = 0;
    host_run(h);
    assert_int_equal(host_get(h, 0x1018), 0);
    at(h, SHARED)[0] = 1;
    job_store(&b, RESULTS + 64, 3);
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 2);
    assert_int_equal(HOST_ASK(h, 0x20, 50), 0xf0000000);
    assert_int_equal(host_get(h, 0x3ff7f8), 0);
    host_destroy(h);
}

enum { PINS = 0xc540, CORE_READY = 0xc560, DOORBELL_CTRL = 0xc570, DB_ISR = 0xc5a0 };
#define TO_CORE (1u << 31)

static void enable_guc_interrupts(struct host *h)
{
    host_put(h, 0x190008, 1u << 31);
    host_put(h, 0x190010, 1u << 31);
    host_put(h, 0x190038, 0xffffu << 16);
    host_put(h, 0x1900e8, 0);
}

/* What the GuC interrupts the host for. */
static uint32_t guc_identity(struct host *h)
{
    if (!(host_get(h, 0x190018) >> 25 & 1u))
        return 0;
    host_put(h, 0x190070, 1u << 25);
    const uint32_t identity = host_get(h, 0x190060);
    host_put(h, 0x190060, identity);
    host_put(h, 0x190018, 1u << 25);
    return identity;
}

/* SYS-14: 1024 pages, of which 256 can ring; each rings its own doorbell and no other. A line of memory that
 * has rung is what any of the two kinds is. */
static void pages_ring_their_doorbells(void **state)
{
    (void)state;
    enum { IDS = 1000 };
    struct host *h = host_up("atsm");
    struct job a = job_make(h, IDS, 0, GUC_COPY);
    for (uint32_t i = 0; i < 256; i++) {
        a.id = IDS + i;
        job_register(&a, 1);
        const uint32_t place = i % 3 == 2 ? SHARED + i * 64 : 0x400000 + (i * 4 + i % 4) * 0x1000;
        at(h, SHARED)[i * 16] = 1;
        assert_int_equal(HOST_ASK(h, 0x10, a.id, i, i % 3 == 2, place), 0xf0000000);
        assert_int_equal(host_get(h, (i % 3 == 2 ? 0x1000 : 0x3ff000) + i * 8), place | 1);
        assert_int_equal(host_get(h, (i % 3 == 2 ? 0x3ff000 : 0x1000) + i * 8), 0);
    }
    for (uint32_t page = 0; page < 1024; page++) {
        host_put(h, 0x400000 + page * 0x1000, page);
        const uint32_t i = page / 4;
        const bool rings = page % 4 == i % 4 && i % 3 != 2;
        for (uint32_t group = 0; group < 8; group++)
            assert_int_equal(host_get(h, 0x1900 + group * 4), rings && group == i / 32 ? 1u << i % 32 : 0);
        host_run(h);
        assert_int_equal(host_get(h, 0x1900 + i / 32 * 4), 0);
    }
    const uint64_t before = h->device->guc.totals.doorbells;
    for (uint32_t i = 2; i < 256; i += 3) {
        at(h, SHARED)[i * 16 + 2] = 1; /* behind the cookie: nothing */
        host_run(h);
        assert_int_equal(h->device->guc.totals.doorbells, before + i / 3);
        at(h, SHARED)[i * 16] = i % 2 ? 2 : 1;
        at(h, SHARED)[i * 16 + 1] = 1;
        host_run(h);
        assert_int_equal(h->device->guc.totals.doorbells, before + i / 3 + 1);
    }
    host_destroy(h);
}

/* SYS-14, 1038: a page of 4 KB is one doorbell, wherever in it is written, and however much. */
static void pages_ring_at_any_offset(void **state)
{
    (void)state;
    static const uint32_t pages[] = {0x400000, 0x555000, 0x7ff000},
                          offsets[] = {0, 4, 8, 60, 64, 0x7fc, 0x800, 0xff8, 0xffc};
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_up(host_devices[d]);
        for (unsigned p = 0; p < 3; p++) {
            struct job a = job_make(h, 50 + p, 0, GUC_COPY);
            job_register(&a, 1);
            assert_int_equal(HOST_ASK(h, 0x10, a.id, p * 40, 0, pages[p]), 0xf0000000);
        }
        for (unsigned p = 0; p < 3; p++)
            for (unsigned o = 0; o < sizeof offsets / sizeof offsets[0]; o++)
                for (unsigned bytes = 1; bytes <= 8; bytes *= 2) {
                    const uint32_t place = pages[p] + offsets[o];
                    if (offsets[o] + bytes > 0x1000)
                        continue;
                    softgt_bar_write(h->device, 0, place, 1, bytes);
                    for (uint32_t group = 0; group < 8; group++)
                        assert_int_equal(host_get(h, 0x1900 + group * 4),
                                         group == p * 40 / 32 ? 1u << p * 40 % 32 : 0);
                    assert_int_equal(host_get(h, place & ~3u), 0xdeadbeef);
                    host_run(h);
                    assert_int_equal(host_get(h, 0x1900 + p * 40 / 32 * 4), 0);
                }
        /* The neighbours ring nothing. */
        softgt_bar_write(h->device, 0, pages[1] - 4, 1, 4);
        softgt_bar_write(h->device, 0, pages[1] + 0x1000, 1, 4);
        assert_int_equal(host_get(h, 0x1904), 0);
        assert_int_equal(h->complaints, 0);
        host_destroy(h);
    }
}

/* Jobs 50 and 51, in the copy engine's two contexts, enabled. */
static void jobs_up(struct host *h, struct job *a, struct job *b)
{
    *a = job_make(h, 50, 0, GUC_COPY);
    *b = job_make(h, 51, 1, GUC_COPY);
    job_register(a, 1), job_register(b, 1);
    job_enable(a), job_enable(b);
    host_run(h);
    HOST_EXPECT(h, 0x1002, 50, 1);
    HOST_EXPECT(h, 0x1002, 51, 1);
}

/* SYS-14, SYS-16: by groups of 32, told when the first of a group rings; to the host, or to the core. */
static void doorbells_are_routed(void **state)
{
    (void)state;
    enum { NUMBER = 40, GROUP = 1, BIT = 1 << 8, PAGE = 0x405000 };
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_create(host_devices[d]);
        assert_int_equal(host_get(h, DOORBELL_CTRL), 0); /* to the host */
        host_boot(h);
        host_enable_buffers(h);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE);
        struct job a, b;
        jobs_up(h, &a, &b);
        assert_int_equal(HOST_ASK(h, 0x10, 50, NUMBER, 0, PAGE), 0xf0000000);
        assert_int_equal(HOST_ASK(h, 0x10, 51, 255, 0, PAGE + 0x1000), 0xf0000000);
        enable_guc_interrupts(h);
        while (guc_identity(h))
            ;
        /* To the core: two groups, each until they are looked at. */
        host_put(h, PAGE, 1);
        host_put(h, PAGE + 0x1000, 1);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1 << GROUP | 1 << 7);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), 0);
        host_put(h, DOORBELL_CTRL, TO_CORE); /* software does not clear them */
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1 << GROUP | 1 << 7);
        host_run(h);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE);
        assert_int_equal(guc_identity(h), 0);
        /* To the host. */
        host_put(h, DOORBELL_CTRL, 0);
        job_store(&a, RESULTS, 1);
        for (unsigned twice = 0; twice < 2; twice++) {
            host_put(h, PAGE, 1);
            assert_int_equal(guc_identity(h), 0x80040400);
            assert_int_equal(host_get(h, DB_ISR + GROUP * 4), BIT);
            assert_int_equal(host_get(h, 0x1900 + GROUP * 4), 0);
        }
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        host_put(h, DB_ISR + GROUP * 4, ~(uint32_t)BIT);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), BIT);
        host_put(h, DB_ISR + GROUP * 4, BIT);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), 0);
        host_put(h, DOORBELL_CTRL, TO_CORE);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        /* What is not served yet is, when the core is told; saved and loaded before. */
        host_put(h, DOORBELL_CTRL, 0);
        host_put(h, PAGE, 1);
        reload(h->device);
        host_put(h, DOORBELL_CTRL, TO_CORE);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 1);
        assert_int_equal(host_get(h, DB_ISR + GROUP * 4), 0);
        /* Resets take it. */
        host_put(h, PAGE, 1);
        host_put(h, 0x941c, 1 << 3);
        assert_int_equal(host_get(h, DOORBELL_CTRL), 0);
        assert_int_equal(host_get(h, 0x1900 + GROUP * 4), 0);
        assert_int_equal(host_get(h, 0x3ff000 + NUMBER * 8), 0);
        host_destroy(h);
    }
}

/* SYS-16: a group without a pin is not heard, and nothing of it is lost; nor before the core is ready. */
static void groups_have_pins(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(host_get(h, PINS + i * 4), 0x1f1f1f1f);
    assert_int_equal(host_get(h, CORE_READY), 0);
    host_boot(h);
    host_enable_buffers(h);
    assert_int_equal(host_get(h, CORE_READY), 1);
    static const uint32_t offsets[] = {PINS + 12, CORE_READY}, bits[] = {0x1f00, 1}, off[] = {0x1f00, 0};
    for (unsigned i = 0; i < 2; i++) { /* group 13: the host */
        const uint32_t before = host_get(h, offsets[i]);
        host_put(h, offsets[i], (before & ~bits[i]) | off[i]);
        HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
        host_put(h, 0xc4c8, 0x80);
        host_run(h);
        host_expect_nothing(h);
        assert_int_equal(host_get(h, 0xc590), 0x80);
        host_put(h, offsets[i], before);
        assert_int_equal(host_get(h, 0xc590), 0);
        host_run(h);
        uint32_t dw[256];
        assert_int_equal(host_receive(h, dw, NULL), 1);
        assert_int_equal(dw[0], 0xf0000000);
    }
    struct job a, b;
    jobs_up(h, &a, &b);
    assert_int_equal(HOST_ASK(h, 0x10, 50, 0, 0, 0x400000), 0xf0000000);
    const uint32_t doorbells = host_get(h, PINS);
    host_put(h, PINS, doorbells | 0x1f);
    job_store(&a, RESULTS, 1);
    host_put(h, 0x400000, 1);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 0);
    assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1);
    host_put(h, PINS, doorbells);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 1);
    /* The one whose pin is more urgent is first; the other's store is the last. */
    static const uint8_t pins[] = {12, 17, 22, 25, 27};
    for (unsigned doorbell = 0; doorbell < 5; doorbell++)
        for (unsigned host = 0; host < 5; host++) {
            if (doorbell == host)
                continue;
            host_put(h, PINS, (doorbells & ~0x1fu) | pins[doorbell]);
            host_put(h, PINS + 12, (host_get(h, PINS + 12) & ~0x1f00u) | (uint32_t)pins[host] << 8);
            job_store(&a, RESULTS, 1);
            job_store(&b, RESULTS, 2);
            host_put(h, 0x400000, 1);
            job_go(&b);
            host_run(h);
            assert_int_equal(at(h, RESULTS)[0], doorbell > host ? 2 : 1);
        }
    host_destroy(h);
}

/* SYS-16, 1156-1176: groups of doorbells have their own pins, so the more urgent is served first, whatever
 * their numbers; those on one pin are one interrupt. */
static void groups_of_doorbells_have_priorities(void **state)
{
    (void)state;
    static const uint8_t pins[] = {0, 12, 13, 17, 22, 25, 27}, levels[] = {1, 1, 2, 2, 3, 4, 5};
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_up(host_devices[d]);
        struct job a, b;
        jobs_up(h, &a, &b);
        assert_int_equal(HOST_ASK(h, 0x10, 50, 0, 0, 0x400000), 0xf0000000);
        assert_int_equal(HOST_ASK(h, 0x10, 51, 7 * 32, 0, 0x401000), 0xf0000000);
        for (unsigned first = 0; first < 7; first++)
            for (unsigned last = 0; last < 7; last++) {
                host_put(h, PINS, (host_get(h, PINS) & ~0x1fu) | pins[first]);
                host_put(h, PINS + 4, (host_get(h, PINS + 4) & ~0x1f000000u) | (uint32_t)pins[last] << 24);
                job_store(&a, RESULTS, 1);
                job_store(&b, RESULTS, 2);
                host_put(h, 0x401000, 1);
                host_put(h, 0x400000, 1);
                if (first == last)
                    reload(h->device);
                host_run(h);
                assert_int_equal(at(h, RESULTS)[0], levels[first] > levels[last]   ? 2
                                                    : levels[first] < levels[last] ? 1
                                                                                   : 2);
                assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE);
            }
        /* One without a pin waits, and is not lost; the other does not wait for it. */
        host_put(h, PINS, host_get(h, PINS) | 0x1f);
        job_store(&a, RESULTS, 3);
        job_store(&b, RESULTS + 64, 4);
        host_put(h, 0x400000, 1);
        host_put(h, 0x401000, 1);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 2);
        assert_int_equal(at(h, RESULTS + 64)[0], 4);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1);
        host_put(h, PINS, host_get(h, PINS) & ~0x1fu);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 3);
        host_destroy(h);
    }
}

/* SYS-16, 1174, 1215-1219: what rang and was not taken is the host's, once doorbells are routed to it. */
static void rerouted_doorbells_are_the_hosts(void **state)
{
    (void)state;
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_up(host_devices[d]);
        struct job a, b;
        jobs_up(h, &a, &b);
        assert_int_equal(HOST_ASK(h, 0x10, 50, 0, 0, 0x400000), 0xf0000000);
        assert_int_equal(HOST_ASK(h, 0x10, 51, 1, 0, 0x401000), 0xf0000000);
        enable_guc_interrupts(h);
        while (guc_identity(h))
            ;
        const uint32_t pins = host_get(h, PINS);
        host_put(h, PINS, pins | 0x1f); /* it is kept */
        job_store(&a, RESULTS, 1);
        host_put(h, 0x400000, 1);
        host_run(h);
        reload(h->device);
        assert_int_equal(host_get(h, DOORBELL_CTRL), TO_CORE | 1);
        assert_int_equal(host_get(h, 0x1900), 1);
        assert_int_equal(guc_identity(h), 0);
        host_put(h, DOORBELL_CTRL, 0);
        assert_int_equal(host_get(h, DOORBELL_CTRL), 0);
        assert_int_equal(host_get(h, 0x1900), 0);
        assert_int_equal(host_get(h, DB_ISR), 1);
        assert_int_equal(guc_identity(h), 0x80040400);
        host_put(h, 0x401000, 1);
        assert_int_equal(host_get(h, DB_ISR), 3);
        assert_int_equal(guc_identity(h), 0x80040400);
        host_put(h, DOORBELL_CTRL, 0); /* nothing more has rung */
        assert_int_equal(guc_identity(h), 0);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        /* And back: what the host has not served is the core's. */
        host_put(h, DB_ISR, 2);
        host_put(h, DOORBELL_CTRL, TO_CORE);
        host_put(h, PINS, pins);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 1);
        assert_int_equal(host_get(h, DB_ISR), 0);
        host_destroy(h);
    }
}

/* A fence of a compute engine waits for the GuC. */
static void compute_engines_are_let_go_on(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 50, 0, 4);
    job_register(&a, 1);
    job_add(&a, (const uint32_t[]){STORE, a.lrca + 0x540, 0, 1}, 4);
    job_wait(&a, a.lrca + 0x540, 0, true);
    job_store(&a, RESULTS, 9);
    job_enable(&a);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 9);
    host_destroy(h);
}

/* SYS-17: what an engine says while there is no GuC waits for whoever reads it, by halves; one that boots
 * takes it. */
static void statuses_wait(void **state)
{
    (void)state;
    enum { PORT = 0xc680, COUNT = 0xc6c0, SECOND = 1 }; /* of the second engine */
    for (unsigned read = 0; read < 2; read++) {
        struct host *h = host_up("dg2");
        struct job a = job_make(h, 50, 0, GUC_COPY);
        job_register(&a, 1);
        job_wait(&a, RESULTS, 1, true);
        job_enable(&a);
        host_run(h);
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 0);
        assert_int_equal(host_get(h, PORT + SECOND * 4), 0);
        host_put(h, 0x941c, 1 << 3);
        at(h, RESULTS)[0] = 1;
        host_run(h);
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 1);
        /* All engines' reset leaves it. */
        host_put(h, 0x941c, 1);
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 1);
        if (read) {
            const struct switch_report r = {.reasons = 1u << 3 | 1u << 4, .from = {a.lrca | 0x119, 50 << 7}};
            uint32_t dw[2];
            engine_of(h, GUC_COPY)->status.entry(&r, dw);
            assert_int_equal(host_get(h, PORT + SECOND * 4), dw[0]);
            assert_int_equal(host_get(h, COUNT + SECOND * 4), 1);
            assert_int_equal(host_get(h, PORT + SECOND * 4), dw[1]);
        } else {
            host_boot(h);
        }
        assert_int_equal(host_get(h, COUNT + SECOND * 4), 0);
        host_destroy(h);
    }
}

TEST_PROGRAM(guc_doorbells_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doorbells_ring),
        cmocka_unit_test(pages_ring_their_doorbells),
        cmocka_unit_test(pages_ring_at_any_offset),
        cmocka_unit_test(doorbells_are_routed),
        cmocka_unit_test(groups_have_pins),
        cmocka_unit_test(groups_of_doorbells_have_priorities),
        cmocka_unit_test(rerouted_doorbells_are_the_hosts),
        cmocka_unit_test(compute_engines_are_let_go_on),
        cmocka_unit_test(statuses_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
