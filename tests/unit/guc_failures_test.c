/* SYS-24: what hangs, faults and fails, and what the GuC captures of it. */
#include "../suite.h"
#include "../guc_jobs.h"

/* One that does not leave is reset after its timeout: captured, then told; others go on. */
static void hangs_are_recovered(void **state)
{
    (void)state;
    for (unsigned asked = 0; asked < 3; asked++) {
        struct host *h = host_up("dg2");
        struct job a = job_make(h, 5000, 0, GUC_COPY), b = job_make(h, 5001, 1, GUC_COPY);
        job_register(&a, 1), job_register(&b, 1);
        job_policies(&a, 1000, 640000, 3), job_policies(&b, 1000, 640000, 3);
        job_wait(&a, RESULTS, NEVER, true);
        job_store(&b, RESULTS + 64, 5);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 1);
        if (asked == 0) { /* alone, nothing happens to it */
            host_advance(h, 5000000000);
            host_expect_nothing(h);
        }
        if (asked < 2) {
            job_enable(&b);
            host_run(h);
            HOST_EXPECT(h, 0x1002, b.id, 1);
            if (asked == 1) /* its slice */
                host_advance(h, 1000000);
        } else {
            HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
            host_run(h);
        }
        host_expect_nothing(h);
        host_advance(h, 639999000);
        host_expect_nothing(h);
        host_advance(h, 1000);
        HOST_EXPECT(h, 0x8002, 0);
        HOST_EXPECT(h, 0x1008, a.id);
        if (asked == 2)
            HOST_EXPECT(h, 0x1002, a.id, 0);
        else
            assert_int_equal(at(h, RESULTS + 64)[0], 5);
        /* The host asks for what it believes to be on. */
        HOST_SEND(h, HOST_FAST, 0x1001, a.id, 0);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 0);
        /* And it can go on. */
        job_image(&a);
        job_store(&a, RESULTS + 128, 6);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, 0x1002, a.id, 1);
        assert_int_equal(at(h, RESULTS + 128)[0], 6);
        host_expect_nothing(h);
        host_destroy(h);
    }
}

static void faults_are_told(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 7, 0, GUC_COPY), b = job_make(h, 8, 1, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1);
    job_store(&a, NOT_MAPPED, 1);
    job_store(&b, RESULTS, 2);
    job_enable(&a);
    job_enable(&b);
    host_run(h);
    HOST_EXPECT(h, 0x1002, a.id, 1);
    HOST_EXPECT(h, 0x1002, b.id, 1);
    HOST_EXPECT(h, 0x8002, 0);
    HOST_EXPECT(h, 0x6000, a.id);
    HOST_EXPECT(h, 0x1008, a.id);
    host_expect_nothing(h);
    assert_int_equal(at(h, RESULTS)[0], 2);
    /* An image that is not there is one, too. */
    HOST_SEND(h, HOST_FAST, 0x4502, 1, 9, GUC_COPY, 1, 0, 0, 0, 0, 0, NOT_MAPPED | 1, 0);
    HOST_SEND(h, HOST_FAST, 0x1001, 9, 1);
    host_run(h);
    HOST_EXPECT(h, 0x1002, 9, 1);
    HOST_EXPECT(h, 0x8002, 0);
    HOST_EXPECT(h, 0x6000, 9);
    HOST_EXPECT(h, 0x1008, 9);
    host_destroy(h);
}

/* It stores where nothing is mapped: its state is captured. */
static void job_fails(struct host *h, struct job *j)
{
    job_store(j, NOT_MAPPED, 1);
    job_enable(j);
    host_run(h);
    HOST_EXPECT(h, 0x1002, j->id, 1);
    HOST_EXPECT(h, 0x8002, 0);
}

/* Of registers that are there more than once each copy is captured, and kept, that the host names; the GuC's
 * own selector is as it was. (SYS-10) */
static void copies_are_captured(void **state)
{
    (void)state;
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x1800, CAPTURES = GUC_LOG + 0x1000 + 2 * 0x1000 };
    enum { LNCF = 0xb020, SLICE = 2 };
    struct host *h = host_up("dg2");
    host_put(h, 0xfdc, SLICE << 27); /* one copy, by the CPU */
    host_put(h, LNCF, 0x1234);
    host_put(h, 0xfdc, 3 << 27);
    host_put(h, LNCF, 0x5678);
    host_put(h, 0xc060, 1u << 31 | 5 << 24);
    at(h, ADS + 0x111c)[GUC_COPY] = LIST;
    at(h, LIST)[0] = 3;
    memcpy(at(h, LIST + 4),
           (const uint32_t[]){LNCF, 0, SLICE << 12, 0, LNCF, 0, 2 | 3 << 12, 0, LNCF, 0, 2 | 15 << 12, 0},
           48);
    /* The same is kept over the reset, another is put in. */
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = 3;
    memcpy(at(h, KEPT),
           (const uint32_t[]){LNCF, 0, 2 | SLICE << 12, 0, LNCF, 0x9abc, 2 | 8 | 3 << 12, 0, LNCF, 0x80,
                              2 | 4 | 4 << 12, 0xf0},
           48);
    struct job a = job_make(h, 50, 0, GUC_COPY);
    job_register(&a, 1);
    job_fails(h, &a);
    const uint32_t *const class = at(h, CAPTURES) + 2 + 5;
    assert_int_equal(class[4], 3);
    assert_int_equal(class[6], 0x1234);
    assert_int_equal(class[10], 0x5678);
    assert_int_equal(class[14], 0); /* there is no such copy */
    assert_int_equal(host_get(h, 0xc060), 1u << 31 | 5 << 24);
    static const uint32_t copies[][2] = {{SLICE, 0x1234}, {3, 0x9abc}, {4, 0x80}};
    for (unsigned i = 0; i < 3; i++) {
        host_put(h, 0xfdc, copies[i][0] << 27);
        assert_int_equal(host_get(h, LNCF), copies[i][1]);
    }
    host_destroy(h);
}

/* Hosts name engines by what they are in hardware here: the second video engine is 2. (Linux, i915 and xe) */
static void engines_are_told_as_they_are(void **state)
{
    (void)state;
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x1800, CAPTURES = GUC_LOG + 0x1000 + 2 * 0x1000 };
    enum { VCS2 = 0x1d0000, POLICIES = SHARED + 0x2000 };
    for (unsigned failure = 0; failure < 2; failure++) {
        struct host *h = host_up("dg2");
        at(h, ADS + 0x1004)[0] = POLICIES;
        at(h, POLICIES)[19] = failure;
        at(h, ADS)[(GUC_VIDEO * 32 + 2) * 2] = KEPT;
        at(h, ADS)[(GUC_VIDEO * 32 + 2) * 2 + 1] = 1;
        memcpy(at(h, KEPT), (const uint32_t[]){VCS2 + 0x600, 0x1234, 8, 0}, 16);
        struct job a = job_make(h, 50, 0, GUC_VIDEO);
        job_register(&a, 2);
        job_fails(h, &a);
        HOST_EXPECT(h, 0x6000, a.id);
        const uint32_t *const instance = at(h, CAPTURES) + 2 + 5 + 5;
        assert_int_equal(instance[1], 2 | GUC_VIDEO << 4 | 2 << 8);
        assert_int_equal(instance[2], a.lrca);
        if (failure)
            HOST_EXPECT(h, 0x1009, GUC_VIDEO, 2, 0);
        else
            HOST_EXPECT(h, 0x1008, a.id);
        assert_int_equal(host_get(h, VCS2 + 0x600), failure ? 0 : 0x1234);
        host_destroy(h);
    }
}

/* What the host forbids is not done: the engine stays as it is, and that is told. */
static void failures_are_told(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    at(h, ADS + 0x1004)[0] = SHARED + 0x1000;
    at(h, SHARED + 0x1000)[19] = 1;
    struct job a = job_make(h, 7, 0, GUC_COPY);
    job_register(&a, 1);
    job_fails(h, &a);
    HOST_EXPECT(h, 0x6000, a.id);
    HOST_EXPECT(h, 0x1009, GUC_COPY, 0, 0);
    host_expect_nothing(h);
    host_run(h);
    host_expect_nothing(h);
    /* Until all is reset. */
    host_put(h, 0x941c, 1);
    host_boot(h);
    host_enable_buffers(h);
    at(h, SHARED + 0x1000)[19] = 0;
    job_image(&a);
    job_register(&a, 1);
    job_store(&a, RESULTS, 8);
    job_enable(&a);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 8);
    host_destroy(h);
}

/* SYS-09, 756, 780: the domain of an engine that hangs has power while it is captured and reset; of another
 * one that is gated nothing is read or written, unless somebody keeps it awake. */
static void gated_domains_are_not_captured(void **state)
{
    (void)state;
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x1800, CAPTURES = GUC_LOG + 0x1000 + 2 * 0x1000 };
    enum { PG_ENABLE = 0xa210, WAKE_VDBOX0 = 0xa540, GUC_WAKE_MEDIA = 0xa274 };
    static const struct {
        uint32_t gates, offset, value;
        bool reached;
    } t[] = {{0, 0, 0, true},
             {3, 0, 0, false},
             {1, 0, 0, true},
             {3, WAKE_VDBOX0, 0x10001, true},
             {3, GUC_WAKE_MEDIA, 1, true}};
    for (unsigned d = 0; d < HOST_DEVICES; d++)
        for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
            struct host *h = host_up(host_devices[d]);
            const uint32_t video = engine_of(h, GUC_VIDEO)->mmio_base, render = engine_of(h, 0)->mmio_base;
            host_put(h, video + NOPID, 0x1234);
            host_put(h, render + NOPID, 0x5678);
            at(h, ADS + 0x111c)[0] = LIST; /* of the render class */
            at(h, LIST)[0] = 2;
            memcpy(at(h, LIST + 4), (const uint32_t[]){video + NOPID, 0, 0, 0, render + NOPID, 0, 0, 0}, 32);
            at(h, ADS)[0] = KEPT;
            at(h, ADS)[1] = 2;
            memcpy(at(h, KEPT), (const uint32_t[]){video + NOPID, 0x9abc, 8, 0, render + NOPID, 0xdef0, 8, 0},
                   32);
            if (t[i].offset)
                host_put(h, t[i].offset, t[i].value);
            host_put(h, PG_ENABLE, t[i].gates);
            host_advance(h, 1000000);
            struct job a = job_make(h, 50, 0, 0);
            job_register(&a, 1);
            job_fails(h, &a);
            const uint32_t *const class = at(h, CAPTURES) + 2 + 5;
            assert_int_equal(class[4], 2);
            assert_int_equal(class[6], t[i].reached ? 0x1234 : 0);
            assert_int_equal(class[10], 0x5678);
            host_put(h, PG_ENABLE, 0);
            assert_int_equal(host_get(h, video + NOPID), t[i].reached ? 0x9abc : 0x1234);
            assert_int_equal(host_get(h, render + NOPID), 0xdef0);
            host_destroy(h);
        }
}

/* What one capture, or one reset that keeps registers, takes of the budget: each register its part, however
 * many the host names. */
static uint64_t charged_for(uint32_t captured, uint32_t kept)
{
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x2800 };
    struct host *h = host_up("dg2");
    at(h, ADS + 0x109c)[GUC_COPY] = LIST;
    at(h, LIST)[0] = captured;
    for (uint32_t i = 0; i < captured && i < 256; i++)
        at(h, LIST + 4)[i * 4] = 0x038; /* RING_BUFFER_START */
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = kept;
    for (uint32_t i = 0; i < kept; i++)
        at(h, KEPT)[i * 4] = engine_of(h, GUC_COPY)->mmio_base + 0x094; /* NOPID */
    struct job a = job_make(h, 0x1234, 0, GUC_COPY);
    job_register(&a, 1);
    job_store(&a, NOT_MAPPED, 1);
    host_run(h);
    const uint64_t before_dw = h->device->log.cost.charged_dw;
    job_enable(&a);
    host_run(h);
    const uint64_t charged_dw = h->device->log.cost.charged_dw - before_dw;
    host_destroy(h);
    return charged_dw;
}

static void captures_and_resets_are_charged(void **state)
{
    (void)state;
    enum { A_REGISTER_DW = 200 / 10 };
    const uint64_t none = charged_for(0, 0), some = charged_for(100, 0), many = charged_for(200, 0),
                   kept = charged_for(0, 100);
    assert_in_range(some - none, 100 * A_REGISTER_DW, 100 * A_REGISTER_DW * 2);
    assert_in_range(many - some, 100 * A_REGISTER_DW, 100 * A_REGISTER_DW * 2);
    assert_in_range(kept - none, 2 * 100 * A_REGISTER_DW,
                    2 * 100 * A_REGISTER_DW * 2); /* read, and written */
    /* A list that is longer than there may be registers costs as many as are taken. */
    assert_in_range(charged_for(0xffff, 0) - none, 256 * A_REGISTER_DW, 256 * A_REGISTER_DW * 2);
}

/* Registers that the host named are found in the log, with the context that hung; others are kept over the
 * reset. */
static void states_are_captured(void **state)
{
    (void)state;
    enum { LIST = SHARED + 0x1000, KEPT = SHARED + 0x1800, CAPTURES = GUC_LOG + 0x1000 + 2 * 0x1000 };
    struct host *h = host_up("dg2");
    const uint32_t base = engine_of(h, GUC_COPY)->mmio_base;
    at(h, ADS + 0x109c)[GUC_COPY] = LIST;
    at(h, LIST)[0] = 2;
    at(h, LIST)[1] = 0x038; /* RING_BUFFER_START */
    at(h, LIST)[5] = 0x068; /* IPEHR */
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = 1;
    at(h, KEPT)[0] = base + 0x080;
    host_put(h, base + 0x080, 0x4d0000);
    struct job a = job_make(h, 0x1234, 0, GUC_COPY);
    job_register(&a, 1);
    job_fails(h, &a);
    const uint32_t *const log = at(h, CAPTURES), *const instance = log + 2 + 5 + 5;
    assert_int_equal(at(h, GUC_LOG + 72)[3], (2 + 15 + 8) * 4); /* written so far */
    assert_int_equal(at(h, GUC_LOG + 72)[5], (2 + 15 + 8) * 4);
    assert_int_equal(log[1], 3);
    assert_int_equal(log[3], GUC_COPY << 4);
    assert_int_equal(instance[1], 2 | GUC_COPY << 4);
    assert_int_equal(instance[2], a.lrca); /* without its flags (Linux, xe_guc_capture.c) */
    assert_int_equal(instance[3], a.id);
    assert_int_equal(instance[4], 2);
    assert_int_equal(instance[5], 0x038);
    assert_int_equal(instance[6], a.ring);
    assert_int_equal(instance[10], STORE);
    assert_int_equal(host_get(h, base + 0x080), 0x4d0000);
    assert_int_equal(host_get(h, base + 0x038), 0); /* it was reset */
    /* A log that nobody reads is full at some time, and says so. */
    unsigned full = 0;
    for (unsigned i = 0; i < 100 && !full; i++) {
        uint32_t dw[256];
        job_image(&a);
        job_store(&a, NOT_MAPPED, 1);
        job_enable(&a);
        host_run(h);
        for (uint32_t length; (length = host_receive(h, dw, NULL));)
            full += dw[0] == 0x90008002 && dw[1] == 1;
    }
    assert_int_equal(full, 1);
    host_destroy(h);
}

/* Empty when firmware has booted, in parts as long as the host says; told of when the host asks. */
static void logs_have_states(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    memset(at(h, GUC_LOG), 0x5a, 0x1000);
    host_boot(h);
    host_enable_buffers(h);
    for (unsigned part = 0; part < 3; part++) {
        const uint32_t want[9] = {[4] = 0x1000};
        assert_memory_equal(at(h, GUC_LOG) + part * 9, want, sizeof want);
    }
    assert_int_equal(at(h, GUC_LOG)[27], 0x5a5a5a5a);
    HOST_SEND(h, HOST_FAST, 0x40, 0x31);
    HOST_SEND(h, HOST_FAST, 0x302, 0);
    host_run(h);
    uint32_t dw[256];
    assert_int_equal(host_receive(h, dw, NULL), 1);
    assert_int_equal(dw[0], 0x90008003);
    assert_int_equal(at(h, GUC_LOG)[7], 1); /* to be read */
    assert_int_equal(at(h, GUC_LOG)[9 + 7], 1);
    assert_int_equal(at(h, GUC_LOG)[18 + 7], 0); /* captures are told of by themselves */
    HOST_SEND(h, HOST_FAST, 0x30, 0);
    host_run(h);
    host_expect_nothing(h);
    host_destroy(h);
}

TEST_PROGRAM(guc_failures_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hangs_are_recovered),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(copies_are_captured),
        cmocka_unit_test(gated_domains_are_not_captured),
        cmocka_unit_test(engines_are_told_as_they_are),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(states_are_captured),
        cmocka_unit_test(captures_and_resets_are_charged),
        cmocka_unit_test(logs_have_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
