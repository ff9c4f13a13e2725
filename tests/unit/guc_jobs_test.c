/* SYS-24: contexts that the GuC runs: turns, slices, priorities, power. */
#include "../suite.h"
#include "../guc_jobs.h"
#include "saved.h"

#include "guc/schedule.h"

#include <errno.h>

static void contexts_run(void **state)
{
    (void)state;
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_up(host_devices[d]);
        static const uint8_t classes[] = {GUC_RENDER, GUC_VIDEO, GUC_ENHANCE, GUC_COPY, GUC_COMPUTE};
        for (unsigned i = 0; i < sizeof classes; i++) {
            struct job j = job_make(h, 4096 + i, i, classes[i]);
            job_register(&j, 1);
            job_store(&j, RESULTS + i * 64, 1 + i);
            job_enable(&j);
            host_run(h);
            HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", j.id, 1);
            host_expect_nothing(h);
            assert_int_equal(at(h, RESULTS + i * 64)[0], 1 + i);
            /* More, told by SCHED_CONTEXT; the head in the image follows. */
            for (unsigned again = 0; again < 20; again++) {
                job_store(&j, RESULTS + i * 64, 100 + again);
                job_go(&j);
                host_run(h);
                assert_int_equal(at(h, RESULTS + i * 64)[0], 100 + again);
                assert_int_equal(at(h, j.lrca + DRIVER_IMAGE_OFFSET)[IMAGE_RING_HEAD], j.tail);
            }
            HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j.id, 0);
            HOST_SEND(h, GUC_FAST_REQUEST, "DEREGISTER_CONTEXT", j.id);
            host_run(h);
            HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", j.id, 0);
            HOST_EXPECT(h, "DEREGISTER_CONTEXT_DONE", j.id);
            /* The id is free, and can be used again. */
            assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT", j.id), FAILURE(NOT_REGISTERED));
            job_image(&j);
            job_register(&j, 1);
            host_run(h);
            host_expect_nothing(h);
        }
        assert_int_equal(h->complaints, 5); /* ids that were free */
        host_destroy(h);
    }
}

/* Saved and loaded between any two slices: whether an engine has something to say is state, so that a budget
 * does the same on both devices. */
static void budgets_do_the_same_when_loaded(void **state)
{
    (void)state;
    enum { SLICE_DW = 37, SLICES = 60 };
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_up(host_devices[d]), *other = host_create(host_devices[d]);
        host_run(h);
        struct job j = job_make(h, 1, 0, GUC_COPY);
        job_register(&j, 1);
        job_store(&j, RESULTS, 1);
        job_enable(&j);
        for (uint32_t i = 0; i < 12; i++) /* answered: there are no such contexts */
            HOST_SEND(h, GUC_REQUEST, "DEREGISTER_CONTEXT", 100 + i);
        unsigned attended = 0;
        for (unsigned slice = 0; slice < SLICES; slice++) {
            struct blob blob = saved(h->device);
            memcpy(other->memory, h->memory, HOST_BYTES);
            assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
            assert_int_equal(other->device->gucs[0].engine_states.service_mask,
                             h->device->gucs[0].engine_states.service_mask);
            free(blob.bytes);
            assert_int_equal(softgt_run(h->device, SLICE_DW), softgt_run(other->device, SLICE_DW));
            attended += h->device->gucs[0].engine_states.service_mask != 0;
            blob = saved(h->device);
            struct blob loaded = saved(other->device);
            assert_int_equal(blob.size, loaded.size);
            assert_memory_equal(blob.bytes, loaded.bytes, blob.size);
            assert_memory_equal(h->memory, other->memory, HOST_BYTES);
            free(blob.bytes);
            free(loaded.bytes);
        }
        assert_in_range(attended, 1, SLICES - 1);
        assert_int_equal(at(h, RESULTS)[0], 1);
        host_destroy(h);
        host_destroy(other);
    }
}

/* The highest frequency while there is work, the lowest some time after. */
static void frequency_follows_work(void **state)
{
    (void)state;
    struct host *h = host_up("dg2"), *other = host_create("dg2");
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_RESET, 2), SHARED, 0), SUCCESS);
    struct job j = job_make(h, 1, 0, GUC_COPY);
    job_register(&j, 1);
    job_wait(&j, RESULTS, 1, true);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 21);
    job_enable(&j);
    host_run(h);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 69);
    host_advance(h, 50000000);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 69);
    at(h, RESULTS)[0] = 1;
    host_run(h);
    host_advance(h, 1000000);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 69);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    host_advance(h, 20000000);
    host_advance(other, 20000000);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 21);
    assert_int_equal(host_field(other, "RPNSWREQ", "Frequency in 16.7 MHz"), 21);
    host_destroy(h);
    host_destroy(other);
}

/* The GuC decides about RC6 where the host lets it: after a while without work. */
static void power_is_saved(void **state)
{
    (void)state;
    struct host *h = host_up("dg2"), *other = host_create("dg2");
    host_advance(h, 100000000);
    assert_int_equal(host_field(h, "GT_CORE_STATUS", "State"), 0);
    assert_int_equal(HOST_ASK(h, "SETUP_PC_GUCRC", 1), SUCCESS);
    host_advance(h, 100000000);
    assert_int_equal(host_field(h, "GT_CORE_STATUS", "State"), 3);
    assert_true(host_get(h, "GT_GFX_RC6") > 0);
    struct job j = job_make(h, 1, 0, GUC_COPY);
    job_register(&j, 1);
    job_wait(&j, RESULTS, 1, true);
    job_enable(&j);
    host_run(h);
    assert_int_equal(host_field(h, "GT_CORE_STATUS", "State"), 0);
    at(h, RESULTS)[0] = 1;
    host_run(h);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    host_advance(other, 100000000);
    assert_int_equal(host_field(other, "GT_CORE_STATUS", "State"), 3);
    /* The host decides: it keeps the GT awake. */
    h->head_dw = at(h, G2H_DESCRIPTOR)[CTB_TAIL];
    at(h, G2H_DESCRIPTOR)[CTB_HEAD] = h->head_dw;
    assert_int_equal(HOST_ASK(h, "SETUP_PC_GUCRC", 0), SUCCESS);
    host_advance(h, 100000000);
    assert_int_equal(host_field(h, "GT_CORE_STATUS", "State"), 0);
    host_destroy(h);
    host_destroy(other);
}

/* More contexts than engines: each has its turn, none starves; of a class with two engines both work. */
static void many_contexts_run(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job j[20];
    for (unsigned i = 0; i < 20; i++) {
        j[i] = job_make(h, 100 + i * 3000, i, i < 10 ? GUC_COPY : GUC_VIDEO);
        job_register(&j[i], 3);
        job_store(&j[i], RESULTS + i * 64, 1 + i);
        job_enable(&j[i]);
    }
    host_run(h);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(at(h, RESULTS + i * 64)[0], 1 + i);
    uint64_t switches[2] = {0};
    for (unsigned i = 0; i < h->device->sheet->info.engine_count; i++)
        if (h->device->gucs[0].derived.class_of[i] == GUC_VIDEO)
            switches[h->device->gucs[0].derived.logical_of[i]] = h->device->engines[i].totals.switches;
    assert_true(switches[0] && switches[1] && switches[0] + switches[1] == 10);
    host_destroy(h);
}

/* As urgent ones have an engine in the order in which they came to wait for it, whatever their ids are, and
 * whichever had it before; so they do where the device is loaded meanwhile. (IGT, gem_ctx_shared: Q-in-order)
 */
static void equals_wait_in_line(void **state)
{
    (void)state;
    static const uint32_t ids[] = {7000, 40, 65000, 41, 300, 6999, 7001};
    enum { ALL = sizeof ids / sizeof ids[0], LINE = RESULTS + 64 };
    for (uint32_t first = 0; first < UINT16_MAX; first += 8191) {
        struct host *h = host_up("dg2"), *other = host_create("dg2");
        struct job plug = job_make(h, first, 0, GUC_COPY), j[ALL];
        job_register(&plug, 1);
        job_policies(&plug, 0, 0, 0);
        job_wait(&plug, RESULTS, NEVER, true);
        job_enable(&plug);
        host_run(h);
        for (uint32_t i = 0; i < ALL; i++) {
            j[i] = job_make(h, ids[i], 1 + i, GUC_COPY);
            job_register(&j[i], 1);
            job_wait(&j[i], LINE, i, true);
            job_store(&j[i], LINE, 1 + i);
            job_enable(&j[i]);
        }
        host_run(h);
        assert_int_equal(at(h, LINE)[0], 0);
        struct blob blob = saved(h->device);
        memcpy(other->memory, h->memory, HOST_BYTES);
        assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
        free(blob.bytes);
        at(h, RESULTS)[0] = at(other, RESULTS)[0] = NEVER;
        host_run(h);
        host_run(other);
        assert_int_equal(at(h, LINE)[0], (uint32_t)ALL);
        assert_int_equal(at(other, LINE)[0], (uint32_t)ALL);
        host_destroy(h);
        host_destroy(other);
    }
}

/* A context that waits leaves after its quantum, for one that is as urgent. */
static void slices_end(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 5000, 0, GUC_COPY), b = job_make(h, 5001, 1, GUC_COPY),
               c = job_make(h, 5002, 2, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1), job_register(&c, 1);
    job_policies(&a, 1000, 0, 3), job_policies(&b, 1000, 0, 3), job_policies(&c, 1000, 0, 2);
    job_wait(&a, RESULTS, NEVER, false);
    job_store(&a, RESULTS + 64, 1);
    job_store(&b, RESULTS + 128, 2);
    job_store(&c, RESULTS + 192, 3);
    job_enable(&a);
    job_enable(&b);
    host_run(h);
    assert_int_equal(at(h, RESULTS + 128)[0], 0);
    assert_true(softgt_next_event_ns(h->device) <= softgt_now_ns(h->device) + 1000000);
    host_advance(h, 999000);
    assert_int_equal(at(h, RESULTS + 128)[0], 0);
    host_advance(h, 1000);
    assert_int_equal(at(h, RESULTS + 128)[0], 2);
    /* A more urgent one need not wait. */
    job_enable(&c);
    host_run(h);
    assert_int_equal(at(h, RESULTS + 192)[0], 3);
    assert_int_equal(at(h, RESULTS + 64)[0], 0);
    at(h, RESULTS)[0] = NEVER;
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 1);
    host_destroy(h);
}

/* The host asks for the opposite while the context still leaves: each request is told once, in that order. */
static void modes_change_while_leaving(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 5000, 0, GUC_COPY);
    job_register(&a, 1);
    job_policies(&a, 1000, 640000, 3);
    job_wait(&a, RESULTS, 1, true);
    job_enable(&a);
    host_run(h);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 1);
    HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
    HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
    HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 1);
    host_run(h);
    host_expect_nothing(h);
    assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT_MODE_SET", a.id, 0),
                     FAILURE(STATE)); /* that would be too much */
    at(h, RESULTS)[0] = 1;
    job_store(&a, RESULTS + 64, 7);
    host_run(h);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 0);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 0);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 1);
    host_expect_nothing(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 7);
    /* Deregistered while it leaves: both are told. */
    job_wait(&a, RESULTS, 2, true);
    job_go(&a);
    host_run(h);
    HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
    HOST_SEND(h, GUC_FAST_REQUEST, "DEREGISTER_CONTEXT", a.id);
    host_run(h);
    host_expect_nothing(h);
    assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT_MODE_SET", a.id, 1), FAILURE(NOT_REGISTERED));
    at(h, RESULTS)[0] = 2;
    host_run(h);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 0);
    HOST_EXPECT(h, "DEREGISTER_CONTEXT_DONE", a.id);
    host_destroy(h);
}

/* A timeout that is set while it leaves counts, if it is shorter. (Linux, xe: 1 us before it kills a queue)
 */
static void timeouts_get_shorter(void **state)
{
    (void)state;
    static const uint32_t before_us[] = {0, 640000};
    for (unsigned i = 0; i < 2; i++) {
        struct host *h = host_up("dg2");
        struct job a = job_make(h, 5000, 0, GUC_COPY);
        job_register(&a, 1);
        job_policies(&a, 1000, before_us[i], 3);
        job_wait(&a, RESULTS, NEVER, true);
        job_enable(&a);
        host_run(h);
        HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 1);
        HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", a.id, 0);
        host_run(h);
        host_advance(h, 1000);
        host_expect_nothing(h);
        HOST_SEND(h, GUC_FAST_REQUEST, "UPDATE_CONTEXT_POLICIES", a.id, POLICY("preemption timeout"), 1);
        host_run(h);
        host_expect_nothing(h);
        host_advance(h, 1000);
        HOST_EXPECT(h, "STATE_CAPTURE_NOTIFICATION", 0);
        HOST_EXPECT(h, "CONTEXT_RESET_NOTIFICATION", a.id);
        HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", a.id, 0);
        host_destroy(h);
    }
}

/* A context that is always given more work has no longer slices for it. */
static void slices_end_though_there_is_more(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 5000, 0, GUC_COPY), b = job_make(h, 5001, 1, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1);
    job_policies(&a, 1000, 0, 3), job_policies(&b, 1000, 0, 3);
    job_wait(&a, RESULTS, NEVER, false);
    job_store(&b, RESULTS + 64, 1);
    job_enable(&a), job_enable(&b);
    for (unsigned i = 0; i < 4; i++) {
        job_store(&a, RESULTS + 128, i);
        job_go(&a);
        host_run(h);
        assert_int_equal(at(h, RESULTS + 64)[0], 0);
        host_advance(h, 250000);
    }
    assert_int_equal(at(h, RESULTS + 64)[0], 1);
    host_destroy(h);
}

/* A reset of the GuC alone leaves its contexts in the engines; a kernel that boots finds no trace of them.
 * Nothing is lost of what the host said before it was up. (SYS-16, SYS-17) */
static void kernels_begin_anew(void **state)
{
    (void)state;
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_up(host_devices[d]);
        const uint32_t base = engine_of(h, GUC_COPY)->mmio_base;
        struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 50, 1, GUC_COPY);
        job_register(&a, 1);
        job_wait(&a, RESULTS, NEVER, true);
        job_store(&a, RESULTS + 128, 9);
        job_enable(&a);
        host_run(h);
        assert_int_equal(host_get_at(h, base + RING_BUFFER_START), a.ring);
        host_reset_guc(h);
        host_run(h);
        assert_int_equal(host_get_at(h, base + RING_BUFFER_START), a.ring); /* it runs on */
        /* It does not hear the host yet, but will. */
        host_put(h, "HOST_TO_GUC_INTERRUPT", 0x10);
        host_put(h, "HOST_TO_GUC_INTERRUPT", 0x2);
        assert_int_equal(host_get(h, "GUC_HOST_INTR_IIR"), 0x12);
        host_boot(h);
        assert_int_equal(host_get(h, "GUC_HOST_INTR_IIR"), 0);
        host_enable_buffers(h);
        job_register(&b, 1);
        job_store(&b, RESULTS + 64, 4);
        job_enable(&b);
        host_run(h);
        HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", b.id, 1);
        host_expect_nothing(h);
        assert_int_equal(at(h, RESULTS + 64)[0], 4);
        at(h, RESULTS)[0] = NEVER;
        host_run(h);
        assert_int_equal(at(h, RESULTS + 128)[0], 0);
        host_destroy(h);
    }
}

static void registrations_are_checked(void **state)
{
    (void)state;
    enum { MOST_BYTES = 1 << 20 };
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 7, 0, GUC_COPY);
#define REGISTER(...) HOST_ASK(h, "REGISTER_CONTEXT", __VA_ARGS__)
    assert_int_equal(REGISTER(1, 65535, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0), FAILURE(CONTEXT));
    assert_int_equal(REGISTER(1, UINT32_MAX, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0),
                     FAILURE(CONTEXT));
    assert_int_equal(REGISTER(1, 7, 5, 1, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0), FAILURE(PARAMETERS));
    assert_int_equal(REGISTER(1, 7, UINT32_MAX, 1, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0),
                     FAILURE(PARAMETERS));
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 2, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0), FAILURE(PARAMETERS));
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 0, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0), FAILURE(PARAMETERS));
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0), SUCCESS);
    assert_int_equal(REGISTER(1, 7, GUC_COPY, 1, 0, 0, 0, 0, 0, a.lrca | CTX_VALID, 0),
                     FAILURE(ALREADY_REGISTERED));
    assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT", 8), FAILURE(NOT_REGISTERED));
    assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT", 1 << 16 | 7), FAILURE(CONTEXT));
    assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT_MODE_SET", 8, 1), FAILURE(NOT_REGISTERED));
    assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT_MODE_SET", 7, 2), FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "DEREGISTER_CONTEXT", 8), FAILURE(NOT_REGISTERED));
    assert_int_equal(HOST_ASK(h, "UPDATE_CONTEXT_POLICIES", 8, POLICY("quantum"), 1),
                     FAILURE(NOT_REGISTERED));
    assert_int_equal(HOST_ASK(h, "UPDATE_CONTEXT_POLICIES", 7, POLICY("quantum") + 1, 1),
                     FAILURE(MALFORMED_KLV));
    assert_int_equal(HOST_ASK(h, "UPDATE_CONTEXT_POLICIES", 7, POLICY("quantum") | UINT16_MAX, 1),
                     FAILURE(MALFORMED_KLV));
    assert_int_equal(HOST_ASK(h, "UPDATE_CONTEXT_POLICIES", 7, POLICY("priority"), 4), FAILURE(KLV));
    assert_int_equal(HOST_ASK(h, "UPDATE_CONTEXT_POLICIES", 7, POLICY("quantum"), 100000001), FAILURE(KLV));
    assert_int_equal(
        HOST_ASK(h, "UPDATE_CONTEXT_POLICIES", 7, POLICY("preempt to idle"), 1, POLICY("frequency"), 5),
        SUCCESS);
    assert_int_equal(HOST_ASK(h, "GLOBAL_SCHED_POLICY_CHANGE", NOT_MAPPED), FAILURE(ADDRESS));
    /* Parallel: from an engine that is named on as many as contexts, each id free. */
    assert_int_equal(
        HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_COPY, 1, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0),
        FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 0, 1, 0),
                     FAILURE(PARAMETERS));
    assert_int_equal(
        HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 3, 1, 0, 1, 0),
        FAILURE(PARAMETERS));
    assert_int_equal(
        HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 6, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0),
        FAILURE(ALREADY_REGISTERED));
    assert_int_equal(
        HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 65534, GUC_VIDEO, 3, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0),
        FAILURE(CONTEXT));
    assert_int_equal(
        HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_VIDEO, 2, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0),
        FAILURE(PARAMETERS));
    /* Its queue has 1 MB at most. */
    assert_int_equal(HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_VIDEO, 1, 0, 0, 0, 0,
                              MOST_BYTES + 4, 2, 1, 0, 1, 0),
                     FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_VIDEO, 1, 0, 0, 0, 0,
                              UINT32_MAX - 3, 2, 1, 0, 1, 0),
                     FAILURE(PARAMETERS));
    assert_int_equal(
        HOST_ASK(h, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_VIDEO, 1, 0, 0, 0, 0, MOST_BYTES, 2, 1, 0, 1, 0),
        SUCCESS);
    assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT", 21), FAILURE(CONTEXT)); /* a child */
    host_destroy(h);
}

/* Two contexts beside each other, each waits for the other; the GuC writes their tails. */
static void parallel_contexts_run(void **state)
{
    (void)state;
    enum { QUEUE_AT = SHARED + 4 * KB, QUEUE_BYTES = 64, ITEM_NOOP = 4, ITEM_WORK = 5 };
    for (unsigned wrong = 0; wrong < 6; wrong++) {
        struct host *h = host_up("dg2");
        struct job a = job_make(h, 20, 0, GUC_VIDEO), b = job_make(h, 21, 1, GUC_VIDEO);
        job_store(&a, RESULTS, 1);
        job_wait(&a, RESULTS + 64, 1, true);
        job_store(&a, RESULTS + 128, 3);
        job_wait(&b, RESULTS, 1, true);
        job_store(&b, RESULTS + 64, 1);
        for (unsigned i = 0; i < 2; i++)
            at(h, (i ? b : a).lrca + DRIVER_IMAGE_OFFSET)[IMAGE_RING_TAIL] = 0;
        uint32_t *const descriptor = at(h, QUEUE_AT - 64), *const queue = at(h, QUEUE_AT);
        const uint32_t items[] = {2 << 16 | ITEM_NOOP,   0, 0,         4 << 16 | ITEM_WORK, a.lrca,
                                  20 | a.tail / 8 << 18, 0, b.tail / 8};
        memcpy(queue, items, sizeof items);
        descriptor[1] = sizeof items;
        descriptor[3] = 1;
        switch (wrong) {
        case 1:
            queue[3] = (uint32_t)UINT16_MAX << 16 | ITEM_WORK;
            break;
        case 2:
            queue[3] = 4 << 16 | 9;
            break;
        case 3:
            descriptor[0] = UINT32_MAX - 3;
            break;
        case 4:
            queue[5] = 19;
            break;
        case 5:
            descriptor[1] = 2;
            break;
        default:
            break;
        }
        HOST_SEND(h, GUC_FAST_REQUEST, "REGISTER_CONTEXT_MULTI_LRC", 1, 20, GUC_VIDEO, wrong ? 3 : 1,
                  QUEUE_AT - 64, 0, QUEUE_AT, 0, QUEUE_BYTES, 2, a.lrca | 1, 0, b.lrca | CTX_VALID, 0);
        job_enable(&a);
        job_go(&a);
        host_run(h);
        HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", 20, 1);
        host_expect_nothing(h);
        if (wrong) {
            assert_int_equal(descriptor[3], 3);
            assert_int_equal(at(h, RESULTS + 128)[0], 0);
        } else {
            assert_int_equal(descriptor[0], sizeof items);
            assert_int_equal(descriptor[3], 1);
            assert_int_equal(at(h, RESULTS + 128)[0], 3);
            HOST_SEND(h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", 20, 0);
            HOST_SEND(h, GUC_FAST_REQUEST, "DEREGISTER_CONTEXT", 20);
            host_run(h);
            HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", 20, 0);
            HOST_EXPECT(h, "DEREGISTER_CONTEXT_DONE", 20);
            assert_int_equal(HOST_ASK(h, "SCHED_CONTEXT", 21), FAILURE(NOT_REGISTERED));
        }
        host_destroy(h);
    }
}

/* Both forms of records: since when an engine is busy, and how long it was. */
static void engines_are_seen_busy(void **state)
{
    (void)state;
    enum { RECORDS = SHARED + 16 * KB, METADATA = SHARED + 36 * KB, ACTIVITY = METADATA + 4 * KB };
    struct host *h = host_up("dg2");
    uint32_t *const record = at(h, RECORDS + GUC_COPY * 32 * 32), *const activity =
                                                                      at(h, ACTIVITY + GUC_COPY * 32 * 16);
    assert_int_equal(HOST_ASK(h, "SET_ENG_UTIL_BUFF", RECORDS, 0), SUCCESS);
    assert_int_equal(HOST_ASK(h, "SET_DEVICE_ENGINE_ACTIVITY_BUFFER", METADATA, 0, ACTIVITY, 0), SUCCESS);
    const uint32_t hz = at(h, METADATA)[0];
    struct job a = job_make(h, 50, 0, GUC_COPY);
    job_register(&a, 1);
    job_wait(&a, RESULTS, 1, true);
    host_advance(h, 3000000);
    job_enable(&a);
    host_run(h);
    assert_int_equal(record[0], 50);
    assert_int_equal(record[1], hz / 1000 * 3);
    assert_int_equal(activity[1], hz / 1000 * 3);
    host_advance(h, 5000000);
    at(h, RESULTS)[0] = 1;
    host_run(h);
    assert_int_equal(record[0], UINT32_MAX);
    assert_int_equal(record[1], 0);
    assert_int_equal(record[3], hz / 1000 * 5);
    assert_int_equal(activity[2], hz / 1000 * 5);
    assert_int_equal(at(h, METADATA)[2], 2);
    host_destroy(h);
}

/* A client's reset forgets everything, in the middle of anything. */
static void clients_are_reset(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 50, 0, GUC_COPY);
    for (unsigned i = 0; i < 3; i++) {
        job_image(&a);
        job_register(&a, 1);
        job_wait(&a, RESULTS, NEVER, true);
        job_enable(&a);
        host_run(h);
        assert_int_equal(host_mailbox(h, H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
        host_enable_buffers(h);
        job_image(&a);
        job_register(&a, 1);
        job_store(&a, RESULTS + 64, i + 1);
        job_enable(&a);
        host_run(h);
        assert_int_equal(at(h, RESULTS + 64)[0], i + 1);
        assert_int_equal(host_mailbox(h, H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
        host_enable_buffers(h);
    }
    host_destroy(h);
}

/* Saved in the middle, loaded into another device: it goes on there. */
static void states_are_loaded(void **state)
{
    (void)state;
    struct host *h = host_up("dg2"), *other = host_create("dg2");
    struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 60000, 1, GUC_COPY);
    job_register(&a, 1), job_register(&b, 1);
    job_policies(&a, 1000, 1000, 3), job_policies(&b, 1000, 1000, 3);
    job_wait(&a, RESULTS, NEVER, true);
    job_store(&b, RESULTS + 64, 4);
    job_enable(&a), job_enable(&b);
    host_run(h);
    host_advance(h, 1500000);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    other->head_dw = h->head_dw, other->tail_dw = h->tail_dw;
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    struct blob again = saved(other->device);
    assert_int_equal(blob.size, again.size);
    assert_memory_equal(blob.bytes, again.bytes, blob.size);
    struct host *both[] = {h, other};
    for (unsigned i = 0; i < 2; i++) {
        host_advance(both[i], 2000000);
        HOST_EXPECT(both[i], "SCHED_CONTEXT_MODE_DONE", 50, 1);
        HOST_EXPECT(both[i], "SCHED_CONTEXT_MODE_DONE", 60000, 1);
        HOST_EXPECT(both[i], "STATE_CAPTURE_NOTIFICATION", 0);
        HOST_EXPECT(both[i], "CONTEXT_RESET_NOTIFICATION", 50);
        assert_int_equal(at(both[i], RESULTS + 64)[0], 4);
    }
    free(blob.bytes);
    free(again.bytes);
    host_destroy(h);
    host_destroy(other);
}

/* A state in which a context that is not registered has a turn is none. */
static void made_up_turns_are_refused(void **state)
{
    (void)state;
    enum { REGISTERED = 7 };
    struct host *h = host_up("dg2"), *other = host_create("dg2");
    struct guc *const g = &h->device->gucs[0];
    struct job a = job_make(h, REGISTERED, 0, GUC_COPY);
    job_register(&a, 1);
    host_run(h);
    static const uint32_t ids[] = {REGISTERED, REGISTERED + 1, 0, GUC_CONTEXTS - 1};
    for (unsigned i = 0; i < 4; i++) {
        guc_context_mark_used(g, ids[i]);
        const uint32_t ticket = guc_context(g, ids[i])->queue_ticket;
        guc_context(g, ids[i])->queue_ticket = ids[i] % (GUC_CONTEXTS - 1u) + 1u;
        const struct blob b = saved(h->device);
        guc_context(g, ids[i])->queue_ticket = ticket;
        assert_int_equal(softgt_load(other->device, b.bytes, b.size), ids[i] == REGISTERED ? 0 : -EINVAL);
        free(b.bytes);
    }
    host_destroy(h);
    host_destroy(other);
}

TEST_PROGRAM(guc_jobs_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_run),
        cmocka_unit_test(budgets_do_the_same_when_loaded),
        cmocka_unit_test(frequency_follows_work),
        cmocka_unit_test(power_is_saved),
        cmocka_unit_test(many_contexts_run),
        cmocka_unit_test(equals_wait_in_line),
        cmocka_unit_test(slices_end),
        cmocka_unit_test(modes_change_while_leaving),
        cmocka_unit_test(timeouts_get_shorter),
        cmocka_unit_test(slices_end_though_there_is_more),
        cmocka_unit_test(kernels_begin_anew),
        cmocka_unit_test(registrations_are_checked),
        cmocka_unit_test(parallel_contexts_run),
        cmocka_unit_test(engines_are_seen_busy),
        cmocka_unit_test(clients_are_reset),
        cmocka_unit_test(states_are_loaded),
        cmocka_unit_test(made_up_turns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
