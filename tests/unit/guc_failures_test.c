/* SYS-24: what hangs, faults and fails, and what the GuC captures of it. */
#include "../suite.h"
#include "../guc_jobs.h"

#include "guc/schedule.h"

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
        HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 1);
        if (asked == 0) { /* alone, nothing happens to it */
            host_advance(h, 5000000000);
            host_expect_nothing(h);
        }
        if (asked < 2) {
            job_enable(&b);
            host_run(h);
            HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", b.id, 1);
            if (asked == 1) /* its slice */
                host_advance(h, 1000000);
        } else {
            HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
            host_run(h);
        }
        host_expect_nothing(h);
        host_advance(h, 639999000);
        host_expect_nothing(h);
        host_advance(h, 1000);
        HOST_EXPECT(h, "STATE_CAPTURE_NOTIFICATION", 0);
        HOST_EXPECT(h, "CONTEXT_RESET_NOTIFICATION", a.id);
        if (asked == 2)
            HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 0);
        else
            assert_int_equal(at(h, RESULTS + 64)[0], 5);
        /* The host asks for what it believes to be on. */
        HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
        host_run(h);
        HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 0);
        /* And it can go on. */
        job_image(&a);
        job_store(&a, RESULTS + 128, 6);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 1);
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
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 1);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", b.id, 1);
    HOST_EXPECT(h, "STATE_CAPTURE_NOTIFICATION", 0);
    HOST_EXPECT(h, "MEMORY_CAT_ERROR", a.id);
    HOST_EXPECT(h, "CONTEXT_RESET_NOTIFICATION", a.id);
    host_expect_nothing(h);
    assert_int_equal(at(h, RESULTS)[0], 2);
    /* An image that is not there is one, too. */
    HOST_SEND(h, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, 9, GUC_COPY, 1, 0, 0, 0, 0, 0, NOT_MAPPED | 1, 0);
    HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", 9, 1);
    host_run(h);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", 9, 1);
    HOST_EXPECT(h, "STATE_CAPTURE_NOTIFICATION", 0);
    HOST_EXPECT(h, "MEMORY_CAT_ERROR", 9);
    HOST_EXPECT(h, "CONTEXT_RESET_NOTIFICATION", 9);
    host_destroy(h);
}

/* Lists of registers to capture, and to keep over a reset; scheduling policies. */
enum { LIST = SHARED + 4 * KB, KEPT = SHARED + 6 * KB, POLICIES = SHARED + 8 * KB, FLAGS_DW = 19 };
/* Captures in the log, behind its states, events and crashes; a ring register. */
enum { CAPTURES = GUC_LOG + 3 * PAGE_BYTES, IPEHR = 0x68 };

/* It stores where nothing is mapped: its state is captured. */
static void job_fails(struct host *h, struct job *j)
{
    job_store(j, NOT_MAPPED, 1);
    job_enable(j);
    host_run(h);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", j->id, 1);
    HOST_EXPECT(h, "STATE_CAPTURE_NOTIFICATION", 0);
}

/* Of registers that are there more than once each copy is captured, and kept, that the host names; the GuC's
 * own selector is as it was. (SYS-10) */
static void copies_are_captured(void **state)
{
    (void)state;
    enum { SLICE = 2 };
    struct host *h = host_up("dg2");
    const uint32_t mocs = register_offset(h->device, "LNCF_MOCS[0]"), gucs = 1u << 31 | 5 << 24;
    host_put(h, "MCR_SELECTOR", SLICE << 27); /* one copy, by the CPU */
    host_put(h, "LNCF_MOCS[0]", 1234);
    host_put(h, "MCR_SELECTOR", 3 << 27);
    host_put(h, "LNCF_MOCS[0]", 5678);
    host_put(h, "GUC_MCR_SELECTOR", gucs);
    at(h, ADS + ADS_CAPTURE_CLASS)[GUC_COPY] = LIST;
    at(h, LIST)[0] = 3;
    memcpy(at(h, LIST + 4),
           (const uint32_t[]){mocs, 0, SLICE << 12, 0, mocs, 0, 2 | 3 << 12, 0, mocs, 0, 2 | 15 << 12, 0},
           48);
    /* The same is kept over the reset, another is put in. */
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = 3;
    memcpy(at(h, KEPT),
           (const uint32_t[]){mocs, 0, 2 | SLICE << 12, 0, mocs, 9012, 2 | 8 | 3 << 12, 0, mocs, 0x80,
                              2 | 4 | 4 << 12, 0xf0},
           48);
    struct job a = job_make(h, 50, 0, GUC_COPY);
    job_register(&a, 1);
    job_fails(h, &a);
    const uint32_t *const class = at(h, CAPTURES) + 2 + 5;
    assert_int_equal(class[4], 3);
    assert_int_equal(class[6], 1234);
    assert_int_equal(class[10], 5678);
    assert_int_equal(class[14], 0); /* there is no such copy */
    assert_int_equal(host_get(h, "GUC_MCR_SELECTOR"), gucs);
    static const uint32_t copies[][2] = {{SLICE, 1234}, {3, 9012}, {4, 0x80}};
    for (unsigned i = 0; i < 3; i++) {
        host_put(h, "MCR_SELECTOR", copies[i][0] << 27);
        assert_int_equal(host_get(h, "LNCF_MOCS[0]"), copies[i][1]);
    }
    host_destroy(h);
}

/* Hosts name engines by what they are in hardware here: the second video engine is 2. (Linux, i915 and xe) */
static void engines_are_told_as_they_are(void **state)
{
    (void)state;
    enum { SECOND = 2 };
    for (unsigned failure = 0; failure < 2; failure++) {
        struct host *h = host_up("dg2");
        at(h, ADS + ADS_POLICIES)[0] = POLICIES;
        at(h, POLICIES)[FLAGS_DW] = failure;
        at(h, ADS)[(GUC_VIDEO * 32 + 2) * 2] = KEPT;
        at(h, ADS)[(GUC_VIDEO * 32 + 2) * 2 + 1] = 1;
        const uint32_t gpr = register_offset(h->device, "vcs2.CS_GPR[0]");
        memcpy(at(h, KEPT), (const uint32_t[]){gpr, 1234, 8, 0}, 16);
        struct job a = job_make(h, 50, 0, GUC_VIDEO);
        job_register(&a, 2);
        job_fails(h, &a);
        HOST_EXPECT(h, "MEMORY_CAT_ERROR", a.id);
        const uint32_t *const instance = at(h, CAPTURES) + 2 + 5 + 5;
        assert_int_equal(instance[1], 2 | GUC_VIDEO << 4 | 2 << 8);
        assert_int_equal(instance[2], a.lrca);
        if (failure)
            HOST_EXPECT(h, "ENGINE_FAILURE_NOTIFICATION", GUC_VIDEO, 2, 0);
        else
            HOST_EXPECT(h, "CONTEXT_RESET_NOTIFICATION", a.id);
        assert_int_equal(host_get_at(h, gpr), failure ? 0 : 1234);
        host_destroy(h);
    }
}

/* What the host forbids is not done: the engine stays as it is, and that is told. */
static void failures_are_told(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    at(h, ADS + ADS_POLICIES)[0] = POLICIES;
    at(h, POLICIES)[FLAGS_DW] = 1;
    struct job a = job_make(h, 7, 0, GUC_COPY);
    job_register(&a, 1);
    job_fails(h, &a);
    HOST_EXPECT(h, "MEMORY_CAT_ERROR", a.id);
    HOST_EXPECT(h, "ENGINE_FAILURE_NOTIFICATION", GUC_COPY, 0, 0);
    host_expect_nothing(h);
    host_run(h);
    host_expect_nothing(h);
    /* Until all is reset. */
    host_put(h, "GDRST", GDRST_FULL);
    host_boot(h);
    host_enable_buffers(h);
    at(h, POLICIES)[FLAGS_DW] = 0;
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
    enum { GATE_RENDER = 1 << 0, GATE_MEDIA = 1 << 1 }; /* of PG_ENABLE */
    static const struct {
        uint32_t gates;
        const char *name;
        uint32_t value;
        bool reached;
    } t[] = {{0, NULL, 0, true},
             {GATE_RENDER | GATE_MEDIA, NULL, 0, false},
             {GATE_RENDER, NULL, 0, true},
             {GATE_RENDER | GATE_MEDIA, "FORCEWAKE_VDBOX[0]", 1 << 16 | 1, true},
             {GATE_RENDER | GATE_MEDIA, "GUC_FORCEWAKE_MEDIA", 1, true}};
    for (unsigned d = 0; d < HOST_DEVICES; d++)
        for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
            struct host *h = host_up(host_devices[d]);
            const uint32_t video = engine_of(h, GUC_VIDEO)->mmio_base, render = engine_of(h, 0)->mmio_base;
            host_put_at(h, video + NOPID, 1234);
            host_put_at(h, render + NOPID, 5678);
            at(h, ADS + ADS_CAPTURE_CLASS)[0] = LIST; /* of the render class */
            at(h, LIST)[0] = 2;
            memcpy(at(h, LIST + 4), (const uint32_t[]){video + NOPID, 0, 0, 0, render + NOPID, 0, 0, 0}, 32);
            at(h, ADS)[0] = KEPT;
            at(h, ADS)[1] = 2;
            memcpy(at(h, KEPT), (const uint32_t[]){video + NOPID, 9012, 8, 0, render + NOPID, 3456, 8, 0},
                   32);
            if (t[i].name)
                host_put(h, t[i].name, t[i].value);
            host_put(h, "PG_ENABLE", t[i].gates);
            host_advance(h, 1000000);
            struct job a = job_make(h, 50, 0, 0);
            job_register(&a, 1);
            job_fails(h, &a);
            const uint32_t *const class = at(h, CAPTURES) + 2 + 5;
            assert_int_equal(class[4], 2);
            assert_int_equal(class[6], t[i].reached ? 1234 : 0);
            assert_int_equal(class[10], 5678);
            host_put(h, "PG_ENABLE", 0);
            assert_int_equal(host_get_at(h, video + NOPID), t[i].reached ? 9012 : 1234);
            assert_int_equal(host_get_at(h, render + NOPID), 3456);
            host_destroy(h);
        }
}

/* What one capture, or one reset that keeps registers, takes of the budget: each register its part, however
 * many the host names. */
static uint64_t charged_for(uint32_t captured, uint32_t kept)
{
    struct host *h = host_up("dg2");
    at(h, ADS + ADS_CAPTURE_INSTANCE)[GUC_COPY] = LIST;
    at(h, LIST)[0] = captured;
    for (uint32_t i = 0; i < captured && i < 256; i++)
        at(h, LIST + 4)[i * 4] = RING_BUFFER_START;
    at(h, ADS)[(GUC_COPY * 32) * 2] = POLICIES; /* behind the first list */
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = kept;
    for (uint32_t i = 0; i < kept; i++)
        at(h, POLICIES)[i * 4] = engine_of(h, GUC_COPY)->mmio_base + NOPID;
    struct job a = job_make(h, 4660, 0, GUC_COPY);
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
    assert_in_range(charged_for(UINT16_MAX, 0) - none, 256 * A_REGISTER_DW, 256 * A_REGISTER_DW * 2);
}

/* Registers that the host named are found in the log, with the context that hung; others are kept over the
 * reset. */
static void states_are_captured(void **state)
{
    (void)state;
    enum { STATUS_PAGE = 77 * PAGE_BYTES };
    struct host *h = host_up("dg2");
    const uint32_t base = engine_of(h, GUC_COPY)->mmio_base;
    at(h, ADS + ADS_CAPTURE_INSTANCE)[GUC_COPY] = LIST;
    at(h, LIST)[0] = 2;
    at(h, LIST)[1] = RING_BUFFER_START;
    at(h, LIST)[5] = IPEHR;
    at(h, ADS)[(GUC_COPY * 32) * 2] = KEPT;
    at(h, ADS)[(GUC_COPY * 32) * 2 + 1] = 1;
    at(h, KEPT)[0] = base + HWS_PGA;
    host_put_at(h, base + HWS_PGA, STATUS_PAGE);
    uint32_t store[8];
    assemble(h->device, 0, store, "MI_STORE_DATA_IMM use_global_gtt, address = 0, immediate_data = 0");
    struct job a = job_make(h, 4660, 0, GUC_COPY);
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
    assert_int_equal(instance[5], RING_BUFFER_START);
    assert_int_equal(instance[6], a.ring);
    assert_int_equal(instance[10], store[0]);
    assert_int_equal(host_get_at(h, base + HWS_PGA), STATUS_PAGE);
    assert_int_equal(host_get_at(h, base + RING_BUFFER_START), 0); /* it was reset */
    /* A log that nobody reads is full at some time, and says so. */
    unsigned full = 0;
    for (unsigned i = 0; i < 100 && !full; i++) {
        uint32_t dw[256];
        job_image(&a);
        job_store(&a, NOT_MAPPED, 1);
        job_enable(&a);
        host_run(h);
        for (uint32_t length; (length = host_receive(h, dw, NULL));)
            full += dw[0] == GUC_EVENT_OF("STATE_CAPTURE_NOTIFICATION") && dw[1] == 1;
    }
    assert_int_equal(full, 1);
    host_destroy(h);
}

/* Empty when firmware has booted, in parts as long as the host says; told of when the host asks. */
static void logs_have_states(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    memset(at(h, GUC_LOG), 0x5a, PAGE_BYTES);
    host_boot(h);
    host_enable_buffers(h);
    for (unsigned part = 0; part < 3; part++) {
        const uint32_t want[9] = {[4] = PAGE_BYTES};
        assert_memory_equal(at(h, GUC_LOG) + part * 9, want, sizeof want);
    }
    static const uint8_t untouched[4] = {0x5a, 0x5a, 0x5a, 0x5a};
    assert_memory_equal(at(h, GUC_LOG) + 27, untouched, sizeof untouched);
    HOST_SEND(h, GUC_FAST_REQUEST, "ENABLE_LOGGING", 0x31);
    HOST_SEND(h, GUC_FAST_REQUEST, "FORCE_LOG_BUFFER_FLUSH", 0);
    host_run(h);
    uint32_t dw[256];
    assert_int_equal(host_receive(h, dw, NULL), 1);
    assert_int_equal(dw[0], GUC_EVENT_OF("NOTIFY_FLUSH_LOG_BUFFER_TO_FILE"));
    assert_int_equal(at(h, GUC_LOG)[7], 1); /* to be read */
    assert_int_equal(at(h, GUC_LOG)[9 + 7], 1);
    assert_int_equal(at(h, GUC_LOG)[18 + 7], 0); /* captures are told of by themselves */
    HOST_SEND(h, GUC_FAST_REQUEST, "LOG_BUFFER_FILE_FLUSH_COMPLETE", 0);
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
