/* SYS-14, SYS-16, SYS-17: doorbells, their pins and interrupts, and the statuses of engines. */
#include "../suite.h"
#include "../guc_jobs.h"
#include "saved.h"

/* A page of registers that rings; what it reads. */
#define DOORBELL_PAGE(n) (GUC_DOORBELL_FIRST + (n)*PAGE_BYTES)
#define DOORBELL_READS   0xdeadbeefu
enum { DOORBELL_VALID = 1 << 0 };

/* SYS-14: both kinds. */
static void doorbells_ring(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    struct job a = job_make(h, 50, 0, GUC_COPY), b = job_make(h, 51, 1, GUC_VIDEO);
    job_register(&a, 1), job_register(&b, 3);
    job_enable(&a), job_enable(&b);
    host_run(h);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", 50, 1);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", 51, 1);
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 52, 0, 0, DOORBELL_PAGE(0)), FAILURE(NOT_REGISTERED));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 256, 0, DOORBELL_PAGE(0)), FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 255, 0, DOORBELL_PAGE(0) - PAGE_BYTES),
                     FAILURE(ADDRESS));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 255, 0, DOORBELL_PAGE(GUC_DOORBELL_PAGES)),
                     FAILURE(ADDRESS));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 255, 0, DOORBELL_PAGE(0) + PAGE_BYTES / 2),
                     FAILURE(ADDRESS));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 255, 1, SHARED + 4), FAILURE(ADDRESS));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 255, 1, NOT_MAPPED), FAILURE(ADDRESS));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 255, 0, DOORBELL_PAGE(1023)), SUCCESS);
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 51, 255, 0, DOORBELL_PAGE(1022)),
                     FAILURE(ALREADY_REGISTERED));
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 254, 0, DOORBELL_PAGE(1022)),
                     FAILURE(ALREADY_REGISTERED));
    at(h, SHARED)[0] = 1;
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 51, 3, 1, SHARED), SUCCESS);
    assert_int_equal(host_get(h, "MMIO_DOORBELL[255]"), DOORBELL_PAGE(1023) | DOORBELL_VALID);
    assert_int_equal(host_get(h, "DRBREG[3]"), SHARED | DOORBELL_VALID);
    /* Software cannot arm one. */
    host_put(h, "MMIO_DOORBELL[255]", 0);
    host_put(h, "DRBREG[3]", 0);
    assert_int_equal(host_get(h, "MMIO_DOORBELL[255]"), DOORBELL_PAGE(1023) | DOORBELL_VALID);
    assert_int_equal(host_get(h, "DRBREG[3]"), SHARED | DOORBELL_VALID);
    job_store(&a, RESULTS, 1);
    job_store(&b, RESULTS + 64, 2);
    host_put_at(h, DOORBELL_PAGE(1022), 1); /* nobody's */
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 0);
    host_put_at(h, DOORBELL_PAGE(1023), 1);
    host_put_at(h, DOORBELL_PAGE(1023), 1); /* collapses */
    assert_int_equal(host_get(h, "DOORBELL_STATUS[7]"), 1u << 31);
    host_run(h);
    assert_int_equal(host_get(h, "DOORBELL_STATUS[7]"), 0);
    assert_int_equal(at(h, RESULTS)[0], 1);
    assert_int_equal(at(h, RESULTS + 64)[0], 0);
    at(h, SHARED)[1] = 1;
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 2);
    /* A line that begins with zero is none any more. */
    at(h, SHARED)[0] = 0;
    host_run(h);
    assert_int_equal(host_get(h, "DRBREG[3]"), 0);
    at(h, SHARED)[0] = 1;
    job_store(&b, RESULTS + 64, 3);
    host_run(h);
    assert_int_equal(at(h, RESULTS + 64)[0], 2);
    assert_int_equal(HOST_ASK(h, "DEALLOCATE_DOORBELL", 50), SUCCESS);
    assert_int_equal(host_get(h, "MMIO_DOORBELL[255]"), 0);
    host_destroy(h);
}

#define TO_CORE (1u << 31) /* of DOORBELL_CTRL */
/* Fields of INTERRUPT_PIN_ASSIGNMENT; without a pin. */
enum { FIRST_GROUP = 0, SECOND_GROUP = 8, FOURTH_GROUP = 24, NO_PIN = 0x1f };

/* The pin of a group of four in a register; the others stay. */
static void pin_put(struct host *h, const char *name, unsigned group, uint32_t pin)
{
    host_put(h, name, (host_get(h, name) & ~((uint32_t)NO_PIN << group)) | pin << group);
}

static void enable_guc_interrupts(struct host *h)
{
    host_put(h, "TILE_INT", 1u << 31);
    host_put(h, "GFX_MSTR_INTR", 1u << 31);
    host_put(h, "GUC_SG_INTR_ENABLE", (uint32_t)UINT16_MAX << 16);
    host_put(h, "GUC_SG_INTR_MASK", 0);
}

/* What the GuC interrupts the host for. */
static uint32_t guc_identity(struct host *h)
{
    if (!(host_get(h, "GT_INTR_DW[0]") >> INTERRUPT_GUC & 1u))
        return 0;
    host_put(h, "IIR_REG_SELECTOR[0]", 1u << INTERRUPT_GUC);
    const uint32_t identity = host_get(h, "INTR_IDENTITY_REG[0]");
    host_put(h, "INTR_IDENTITY_REG[0]", identity);
    host_put(h, "GT_INTR_DW[0]", 1u << INTERRUPT_GUC);
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
    const uint32_t in_memory = register_offset(h->device, "DRBREG[0]"),
                   in_registers = register_offset(h->device, "MMIO_DOORBELL[0]"),
                   status = register_offset(h->device, "DOORBELL_STATUS[0]");
    for (uint32_t i = 0; i < 256; i++) {
        a.id = IDS + i;
        job_register(&a, 1);
        const uint32_t place = i % 3 == 2 ? SHARED + i * 64 : DOORBELL_PAGE(i * 4 + i % 4);
        at(h, SHARED)[i * 16] = 1;
        assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", a.id, i, i % 3 == 2, place), SUCCESS);
        assert_int_equal(host_get_at(h, (i % 3 == 2 ? in_memory : in_registers) + i * 8),
                         place | DOORBELL_VALID);
        assert_int_equal(host_get_at(h, (i % 3 == 2 ? in_registers : in_memory) + i * 8), 0);
    }
    for (uint32_t page = 0; page < 1024; page++) {
        host_put_at(h, DOORBELL_PAGE(page), page);
        const uint32_t i = page / 4;
        const bool rings = page % 4 == i % 4 && i % 3 != 2;
        for (uint32_t group = 0; group < 8; group++)
            assert_int_equal(host_get_at(h, status + group * 4), rings && group == i / 32 ? 1u << i % 32 : 0);
        host_run(h);
        assert_int_equal(host_get_at(h, status + i / 32 * 4), 0);
    }
    const uint64_t before = h->device->gucs[0].totals.doorbells;
    for (uint32_t i = 2; i < 256; i += 3) {
        at(h, SHARED)[i * 16 + 2] = 1; /* behind the cookie: nothing */
        host_run(h);
        assert_int_equal(h->device->gucs[0].totals.doorbells, before + i / 3);
        at(h, SHARED)[i * 16] = i % 2 ? 2 : 1;
        at(h, SHARED)[i * 16 + 1] = 1;
        host_run(h);
        assert_int_equal(h->device->gucs[0].totals.doorbells, before + i / 3 + 1);
    }
    host_destroy(h);
}

/* SYS-14, 1038: a page of 4 KB is one doorbell, wherever in it is written, and however much. */
static void pages_ring_at_any_offset(void **state)
{
    (void)state;
    static const uint32_t
        pages[] = {DOORBELL_PAGE(0), DOORBELL_PAGE(341), DOORBELL_PAGE(1023)},
        offsets[] = {0, 4, 8, 60, 64, PAGE_BYTES / 2 - 4, PAGE_BYTES / 2, PAGE_BYTES - 8, PAGE_BYTES - 4};
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_up(host_devices[d]);
        const uint32_t status = register_offset(h->device, "DOORBELL_STATUS[0]");
        for (unsigned p = 0; p < 3; p++) {
            struct job a = job_make(h, 50 + p, 0, GUC_COPY);
            job_register(&a, 1);
            assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", a.id, p * 40, 0, pages[p]), SUCCESS);
        }
        for (unsigned p = 0; p < 3; p++)
            for (unsigned o = 0; o < sizeof offsets / sizeof offsets[0]; o++)
                for (unsigned bytes = 1; bytes <= 8; bytes *= 2) {
                    const uint32_t place = pages[p] + offsets[o];
                    if (offsets[o] + bytes > PAGE_BYTES)
                        continue;
                    softgt_bar_write(h->device, 0, place, 1, bytes);
                    for (uint32_t group = 0; group < 8; group++)
                        assert_int_equal(host_get_at(h, status + group * 4),
                                         group == p * 40 / 32 ? 1u << p * 40 % 32 : 0);
                    assert_int_equal(host_get_at(h, place & ~3u), DOORBELL_READS);
                    host_run(h);
                    assert_int_equal(host_get_at(h, status + p * 40 / 32 * 4), 0);
                }
        /* The neighbours ring nothing. */
        softgt_bar_write(h->device, 0, pages[1] - 4, 1, 4);
        softgt_bar_write(h->device, 0, pages[1] + PAGE_BYTES, 1, 4);
        assert_int_equal(host_get(h, "DOORBELL_STATUS[1]"), 0);
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
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", 50, 1);
    HOST_EXPECT(h, "SCHED_CONTEXT_MODE_DONE", 51, 1);
}

/* SYS-14, SYS-16: by groups of 32, told when the first of a group rings; to the host, or to the core. */
static void doorbells_are_routed(void **state)
{
    (void)state;
    enum { NUMBER = 40, GROUP = 1, BIT = 1 << 8, PAGE = DOORBELL_PAGE(5) };
    for (unsigned d = 0; d < HOST_DEVICES; d++) {
        struct host *h = host_create(host_devices[d]);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), 0); /* to the host */
        host_boot(h);
        host_enable_buffers(h);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE);
        struct job a, b;
        jobs_up(h, &a, &b);
        assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, NUMBER, 0, PAGE), SUCCESS);
        assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 51, 255, 0, PAGE + PAGE_BYTES), SUCCESS);
        enable_guc_interrupts(h);
        while (guc_identity(h))
            ;
        /* To the core: two groups, each until they are looked at. */
        host_put_at(h, PAGE, 1);
        host_put_at(h, PAGE + PAGE_BYTES, 1);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE | 1 << GROUP | 1 << 7);
        assert_int_equal(host_get(h, "GUC_DB_ISR[1]"), 0);
        host_put(h, "DOORBELL_CTRL", TO_CORE); /* software does not clear them */
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE | 1 << GROUP | 1 << 7);
        host_run(h);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE);
        assert_int_equal(guc_identity(h), 0);
        /* To the host. */
        host_put(h, "DOORBELL_CTRL", 0);
        job_store(&a, RESULTS, 1);
        for (unsigned twice = 0; twice < 2; twice++) {
            host_put_at(h, PAGE, 1);
            assert_int_equal(guc_identity(h), host_guc_identity(h, GUC_INTERRUPT_DOORBELL));
            assert_int_equal(host_get(h, "GUC_DB_ISR[1]"), BIT);
            assert_int_equal(host_get(h, "DOORBELL_STATUS[1]"), 0);
        }
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        host_put(h, "GUC_DB_ISR[1]", ~(uint32_t)BIT);
        assert_int_equal(host_get(h, "GUC_DB_ISR[1]"), BIT);
        host_put(h, "GUC_DB_ISR[1]", BIT);
        assert_int_equal(host_get(h, "GUC_DB_ISR[1]"), 0);
        host_put(h, "DOORBELL_CTRL", TO_CORE);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        /* What is not served yet is, when the core is told; saved and loaded before. */
        host_put(h, "DOORBELL_CTRL", 0);
        host_put_at(h, PAGE, 1);
        reload(h->device);
        host_put(h, "DOORBELL_CTRL", TO_CORE);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 1);
        assert_int_equal(host_get(h, "GUC_DB_ISR[1]"), 0);
        /* Resets take it. */
        host_put_at(h, PAGE, 1);
        host_reset_guc(h);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), 0);
        assert_int_equal(host_get(h, "DOORBELL_STATUS[1]"), 0);
        assert_int_equal(host_get(h, "MMIO_DOORBELL[40]"), 0);
        host_destroy(h);
    }
}

/* SYS-16: a group without a pin is not heard, and nothing of it is lost; nor before the core is ready. */
static void groups_have_pins(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(host_get_at(h, register_offset(h->device, "INTERRUPT_PIN_ASSIGNMENT[0]") + i * 4),
                         REGISTER_BITS(h->device, "INTERRUPT_PIN_ASSIGNMENT[0]", {"First Group", NO_PIN},
                                       {"Second Group", NO_PIN}, {"Third Group", NO_PIN},
                                       {"Fourth Group", NO_PIN}));
    assert_int_equal(host_get(h, "CORE_INTERRUPT_READY"), 0);
    host_boot(h);
    host_enable_buffers(h);
    assert_int_equal(host_get(h, "CORE_INTERRUPT_READY"), 1);
    /* The host is the second group there. */
    static const char *const names[] = {"INTERRUPT_PIN_ASSIGNMENT[3]", "CORE_INTERRUPT_READY"};
    static const uint32_t bits[] = {NO_PIN << SECOND_GROUP, 1}, off[] = {NO_PIN << SECOND_GROUP, 0};
    for (unsigned i = 0; i < 2; i++) { /* group 13: the host */
        const uint32_t before = host_get(h, names[i]);
        host_put(h, names[i], (before & ~bits[i]) | off[i]);
        HOST_SEND(h, GUC_REQUEST, "SETUP_PC_GUCRC", 1);
        host_put(h, "HOST_TO_GUC_INTERRUPT", 1 << 7);
        host_run(h);
        host_expect_nothing(h);
        assert_int_equal(host_get(h, "GUC_HOST_INTR_IIR"), 1 << 7);
        host_put(h, names[i], before);
        assert_int_equal(host_get(h, "GUC_HOST_INTR_IIR"), 0);
        host_run(h);
        uint32_t dw[256];
        assert_int_equal(host_receive(h, dw, NULL), 1);
        assert_int_equal(dw[0], SUCCESS);
    }
    struct job a, b;
    jobs_up(h, &a, &b);
    assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 0, 0, DOORBELL_PAGE(0)), SUCCESS);
    const uint32_t doorbells = host_get(h, "INTERRUPT_PIN_ASSIGNMENT[0]");
    host_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", doorbells | NO_PIN);
    job_store(&a, RESULTS, 1);
    host_put_at(h, DOORBELL_PAGE(0), 1);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 0);
    assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE | 1);
    host_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", doorbells);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 1);
    /* The one whose pin is more urgent is first; the other's store is the last. */
    static const uint8_t pins[] = {12, 17, 22, 25, 27};
    for (unsigned doorbell = 0; doorbell < 5; doorbell++)
        for (unsigned host = 0; host < 5; host++) {
            if (doorbell == host)
                continue;
            pin_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", FIRST_GROUP, pins[doorbell]);
            pin_put(h, "INTERRUPT_PIN_ASSIGNMENT[3]", SECOND_GROUP, pins[host]);
            job_store(&a, RESULTS, 1);
            job_store(&b, RESULTS, 2);
            host_put_at(h, DOORBELL_PAGE(0), 1);
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
        assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 0, 0, DOORBELL_PAGE(0)), SUCCESS);
        assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 51, 7 * 32, 0, DOORBELL_PAGE(1)), SUCCESS);
        for (unsigned first = 0; first < 7; first++)
            for (unsigned last = 0; last < 7; last++) {
                pin_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", FIRST_GROUP, pins[first]);
                pin_put(h, "INTERRUPT_PIN_ASSIGNMENT[1]", FOURTH_GROUP, pins[last]);
                job_store(&a, RESULTS, 1);
                job_store(&b, RESULTS, 2);
                host_put_at(h, DOORBELL_PAGE(1), 1);
                host_put_at(h, DOORBELL_PAGE(0), 1);
                if (first == last)
                    reload(h->device);
                host_run(h);
                assert_int_equal(at(h, RESULTS)[0], levels[first] > levels[last]   ? 2
                                                    : levels[first] < levels[last] ? 1
                                                                                   : 2);
                assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE);
            }
        /* One without a pin waits, and is not lost; the other does not wait for it. */
        host_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", host_get(h, "INTERRUPT_PIN_ASSIGNMENT[0]") | NO_PIN);
        job_store(&a, RESULTS, 3);
        job_store(&b, RESULTS + 64, 4);
        host_put_at(h, DOORBELL_PAGE(0), 1);
        host_put_at(h, DOORBELL_PAGE(1), 1);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 2);
        assert_int_equal(at(h, RESULTS + 64)[0], 4);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE | 1);
        pin_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", FIRST_GROUP, 0);
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
        assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 50, 0, 0, DOORBELL_PAGE(0)), SUCCESS);
        assert_int_equal(HOST_ASK(h, "ALLOCATE_DOORBELL", 51, 1, 0, DOORBELL_PAGE(1)), SUCCESS);
        enable_guc_interrupts(h);
        while (guc_identity(h))
            ;
        const uint32_t pins = host_get(h, "INTERRUPT_PIN_ASSIGNMENT[0]");
        host_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", pins | NO_PIN); /* it is kept */
        job_store(&a, RESULTS, 1);
        host_put_at(h, DOORBELL_PAGE(0), 1);
        host_run(h);
        reload(h->device);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), TO_CORE | 1);
        assert_int_equal(host_get(h, "DOORBELL_STATUS[0]"), 1);
        assert_int_equal(guc_identity(h), 0);
        host_put(h, "DOORBELL_CTRL", 0);
        assert_int_equal(host_get(h, "DOORBELL_CTRL"), 0);
        assert_int_equal(host_get(h, "DOORBELL_STATUS[0]"), 0);
        assert_int_equal(host_get(h, "GUC_DB_ISR[0]"), 1);
        assert_int_equal(guc_identity(h), host_guc_identity(h, GUC_INTERRUPT_DOORBELL));
        host_put_at(h, DOORBELL_PAGE(1), 1);
        assert_int_equal(host_get(h, "GUC_DB_ISR[0]"), 3);
        assert_int_equal(guc_identity(h), host_guc_identity(h, GUC_INTERRUPT_DOORBELL));
        host_put(h, "DOORBELL_CTRL", 0); /* nothing more has rung */
        assert_int_equal(guc_identity(h), 0);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 0);
        /* And back: what the host has not served is the core's. */
        host_put(h, "GUC_DB_ISR[0]", 2);
        host_put(h, "DOORBELL_CTRL", TO_CORE);
        host_put(h, "INTERRUPT_PIN_ASSIGNMENT[0]", pins);
        host_run(h);
        assert_int_equal(at(h, RESULTS)[0], 1);
        assert_int_equal(host_get(h, "GUC_DB_ISR[0]"), 0);
        host_destroy(h);
    }
}

/* A fence of a compute engine waits for the GuC. */
static void compute_engines_are_let_go_on(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    enum { FENCE = 1344 }; /* of the context's status page */
    struct job a = job_make(h, 50, 0, GUC_COMPUTE);
    job_register(&a, 1);
    job_do(&a, "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = 1", a.lrca + FENCE);
    job_wait(&a, a.lrca + FENCE, 0, true);
    job_store(&a, RESULTS, 9);
    job_enable(&a);
    host_run(h);
    assert_int_equal(at(h, RESULTS)[0], 9);
    host_destroy(h);
}

/* SYS-17: statuses of engines wait while there is no GuC. They are read in halves, or a GuC that boots takes
 * them. The copy engine is the second one. */
static void statuses_wait(void **state)
{
    (void)state;
    for (unsigned read = 0; read < 2; read++) {
        struct host *h = host_up("dg2");
        struct job a = job_make(h, 50, 0, GUC_COPY);
        job_register(&a, 1);
        job_wait(&a, RESULTS, 1, true);
        job_enable(&a);
        host_run(h);
        assert_int_equal(host_get(h, "CSB_FIFO_STATUS[1]"), 0);
        assert_int_equal(host_get(h, "CSB_READ_PORT[1]"), 0);
        host_reset_guc(h);
        at(h, RESULTS)[0] = 1;
        host_run(h);
        assert_int_equal(host_get(h, "CSB_FIFO_STATUS[1]"), 1);
        /* All engines' reset leaves it. */
        host_put(h, "GDRST", GDRST_FULL);
        assert_int_equal(host_get(h, "CSB_FIFO_STATUS[1]"), 1);
        if (read) {
            const struct switch_report r = {.reasons = 1u << 3 | 1u << 4,
                                            .from = {a.lrca | CTX_FLAGS, 50 << 7}};
            uint32_t dw[2];
            engine_of(h, GUC_COPY)->status.entry(&r, dw);
            assert_int_equal(host_get(h, "CSB_READ_PORT[1]"), dw[0]);
            assert_int_equal(host_get(h, "CSB_FIFO_STATUS[1]"), 1);
            assert_int_equal(host_get(h, "CSB_READ_PORT[1]"), dw[1]);
        } else {
            host_boot(h);
        }
        assert_int_equal(host_get(h, "CSB_FIFO_STATUS[1]"), 0);
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
