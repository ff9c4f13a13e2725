/* SYS-13, SYS-15, SYS-24: the GuC's mailbox and buffers as the drivers of Linux talk through them, and with
 * every field wrong. */
#include "../suite.h"
#include "../guc_host.h"
#include "saved.h"

#include "guc/guc.h"

/* The header of the first message in a buffer, without its length; data of a mailbox request. */
enum { FENCE_1 = 1 << 16, DATA_1 = 1 << 16 };

/* ---- The mailbox ---- */

static void mailbox_answers(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    assert_int_equal(host_mailbox(h, H2G("GET_HWCONFIG"), 0, 0, 0),
                     H2G("GET_HWCONFIG")); /* in reset: no answer */
    host_boot(h);
    const uint32_t bytes = GUC_REPLY(host_mailbox(h, H2G("GET_HWCONFIG"), 0, 0, 0));
    assert_true(bytes > 0 && bytes % 4 == 0);
    assert_int_equal(host_mailbox(h, H2G("GET_HWCONFIG"), RESULTS, 0, bytes), GUC_SUCCESS_OF(bytes));
    /* Keys, each with the dwords that follow it, to the end. */
    uint32_t dw = 0;
    while (dw < bytes / 4) {
        const uint32_t *entry = at(h, RESULTS) + dw;
        assert_true(entry[0] > 0 && entry[0] < 84 && entry[1] > 0);
        dw += 2 + entry[1];
    }
    assert_int_equal(dw, bytes / 4);
    assert_int_equal(host_mailbox(h, H2G("GET_HWCONFIG"), RESULTS, 0, 4), FAILURE(BUFFER));
    assert_int_equal(host_mailbox(h, H2G("GET_HWCONFIG"), NOT_MAPPED, 0, bytes), FAILURE(ADDRESS));
    assert_int_equal(host_mailbox(h, H2G("GET_HWCONFIG"), RESULTS, 1, bytes), FAILURE(ADDRESS));
    /* Unknown ones, types that are no request, what is not for the mailbox. */
    assert_int_equal(host_mailbox(h, UNKNOWN_ACTION, 0, 0, 0), FAILURE(UNKNOWN_ACTION));
    assert_int_equal(h->not_modelled, 1);
    static const enum guc_type not_requests[] = {GUC_EVENT, GUC_FAST_REQUEST, GUC_SUCCESS};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(host_mailbox(h, GUC_TYPE(not_requests[i]) | H2G("GET_HWCONFIG"), 0, 0, 0),
                         FAILURE(PROTOCOL));
    assert_int_equal(host_mailbox(h, H2G("TLB_INVALIDATION"), 5, 0, 0), FAILURE(NOT_SUPPORTED));
    /* Its own answer is no request. */
    assert_int_equal(host_mailbox(h, GUC_SUCCESS_OF(H2G("GET_HWCONFIG")), 0, 0, 0),
                     GUC_SUCCESS_OF(H2G("GET_HWCONFIG")));
    assert_int_equal(host_mailbox(h, H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
    host_destroy(h);
}

static void buffers_are_configured(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    host_boot(h);
    assert_int_equal(host_mailbox(h, H2G("CONTROL_CTB"), 1, 0, 0), FAILURE(STATE)); /* nothing is known */
    assert_int_equal(driver_guc_self_cfg(h->device, UNKNOWN_KEY, 2, 0), SUCCESS);   /* none is parsed */
    /* SYS-22: memory-based interrupts. */
    assert_int_equal(host_configure(h, "interrupt events", 1, PAGE_BYTES), FAILURE(MALFORMED_KLV));
    assert_int_equal(host_configure(h, "interrupt source", 3, PAGE_BYTES), FAILURE(MALFORMED_KLV));
    assert_int_equal(host_configure(h, "interrupt events", 2, PAGE_BYTES + 8), FAILURE(KLV));
    assert_int_equal(host_configure(h, "interrupt source", 2, UINT64_C(1) << 32), FAILURE(KLV));
    assert_int_equal(host_configure(h, "interrupt source", 2, PAGE_BYTES + MEMIRQ_SOURCE), GUC_SUCCESS_OF(1));
    assert_int_equal(host_configure(h, "interrupt events", 2, PAGE_BYTES + MEMIRQ_STATUS), GUC_SUCCESS_OF(1));
    assert_int_equal(host_configure(h, "interrupt events", 2, 0), GUC_SUCCESS_OF(1));
    assert_int_equal(host_configure(h, "H2G address", 1, H2G_BUFFER), FAILURE(MALFORMED_KLV));
    assert_int_equal(host_configure(h, "H2G size", 2, H2G_BYTES), FAILURE(MALFORMED_KLV));
    assert_int_equal(host_configure(h, "H2G size", 1, 0), FAILURE(KLV));
    assert_int_equal(host_configure(h, "H2G size", 1, H2G_BYTES + 1), FAILURE(KLV));
    assert_int_equal(host_configure(h, "H2G size", 1, 1u << 31), FAILURE(KLV));
    assert_int_equal(host_configure(h, "H2G descriptor", 2, UINT64_C(1) << 32), FAILURE(KLV));
    assert_int_equal(host_configure(h, "H2G descriptor", 2, 3), FAILURE(KLV));
    host_enable_buffers(h);
    assert_int_equal(host_configure(h, "H2G address", 2, H2G_BUFFER), FAILURE(STATE)); /* in use */
    assert_int_equal(host_mailbox(h, H2G("CONTROL_CTB"), 2, 0, 0), FAILURE(PARAMETERS));
    assert_int_equal(host_mailbox(h, H2G("CONTROL_CTB"), 0, 0, 0), SUCCESS);
    assert_int_equal(host_configure(h, "H2G descriptor", 2, NOT_MAPPED), GUC_SUCCESS_OF(1));
    assert_int_equal(host_mailbox(h, H2G("CONTROL_CTB"), 1, 0, 0), FAILURE(ADDRESS));
    /* Both are enabled, or none. */
    assert_int_equal(host_configure(h, "H2G descriptor", 2, H2G_DESCRIPTOR), GUC_SUCCESS_OF(1));
    assert_int_equal(host_configure(h, "G2H descriptor", 2, NOT_MAPPED), GUC_SUCCESS_OF(1));
    assert_int_equal(host_mailbox(h, H2G("CONTROL_CTB"), 1, 0, 0), FAILURE(ADDRESS));
    assert_int_equal(host_configure(h, "H2G address", 2, H2G_BUFFER), GUC_SUCCESS_OF(1));
    host_destroy(h);
}

/* ---- Buffers ---- */

static void requests_are_answered(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    host_put(h, "TILE_INT", 1u << 31);
    host_put(h, "GFX_MSTR_INTR", 1u << 31);
    host_put(h, "GUC_SG_INTR_ENABLE", (uint32_t)GUC_INTERRUPT_HOST << 16);
    host_put(h, "GUC_SG_INTR_MASK", ~((uint32_t)GUC_INTERRUPT_HOST << 16));
    assert_int_equal(HOST_ASK(h, "UPDATE_SCHEDULING_POLICIES_KLV", RENDER_COMPUTE_YIELD, 100, 50),
                     GUC_SUCCESS_OF(1));
    assert_int_equal(h->messages, 1);
    assert_int_equal(host_get(h, "GT_INTR_DW[0]"), 1u << INTERRUPT_GUC);
    host_put(h, "IIR_REG_SELECTOR[0]", 1u << INTERRUPT_GUC);
    assert_int_equal(host_get(h, "INTR_IDENTITY_REG[0]"), host_guc_identity(h, GUC_INTERRUPT_HOST));
    /* No answer to what is none, or to a fast one that is done; a fast one that fails is told. */
    HOST_SEND(h, GUC_FAST_REQUEST, "LOG_BUFFER_FILE_FLUSH_COMPLETE", 2);
    HOST_SEND(h, GUC_EVENT, "LOG_BUFFER_FILE_FLUSH_COMPLETE", 2);
    host_send(h, GUC_EVENT, UNKNOWN_ACTION, (const uint32_t[]){2}, 1);
    host_run(h);
    host_expect_nothing(h);
    const uint32_t fence = host_send(h, GUC_FAST_REQUEST, UNKNOWN_ACTION, (const uint32_t[]){2}, 1);
    host_run(h);
    uint32_t dw[256], back = 0;
    assert_int_equal(host_receive(h, dw, &back), 1);
    assert_int_equal(back, fence);
    assert_int_equal(dw[0], FAILURE(UNKNOWN_ACTION));
    assert_int_equal(h->not_modelled, 2);
    host_destroy(h);
}

/* Every action with every length that it must not have. */
static void lengths_are_checked(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count; i++) {
            const struct guc_message *row = &(*t)->rows[i];
            const uint32_t zeros[255] = {0};
            assert_true(row->min_dw <= row->max_dw && row->max_dw < 254);
            assert_ptr_equal(guc_message_find(row->action, row->from_guc), row);
            assert_true(row->from_guc == !row->handle);
            if (row->from_guc) {
                assert_int_equal(host_ask(h, row->action, zeros, row->min_dw),
                                 guc_message_find(row->action, false) ? SUCCESS : FAILURE(UNKNOWN_ACTION));
                continue;
            }
            if (row->min_dw)
                assert_int_equal(host_ask(h, row->action, zeros, row->min_dw - 1u), FAILURE(PARAMETERS));
            assert_int_equal(host_ask(h, row->action, zeros, row->max_dw + 1u), FAILURE(PARAMETERS));
        }
    host_destroy(h);
}

/* A ring that wraps in the middle of messages, and zeros at its end. */
static void rings_wrap(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    for (unsigned i = 0; i < 4000; i++)
        assert_int_equal(HOST_ASK(h, "UPDATE_SCHEDULING_POLICIES_KLV", RENDER_COMPUTE_YIELD, i, 50,
                                  POLICY("preemption timeout"), 7),
                         GUC_SUCCESS_OF(1));
    const uint32_t zeros[H2G_BYTES / 4] = {0};
    host_place(h, zeros, H2G_BYTES / 4 - h->tail_dw);
    assert_int_equal(h->tail_dw, 0);
    assert_int_equal(HOST_ASK(h, "SETUP_PC_GUCRC", 1), SUCCESS);
    assert_int_equal(at(h, H2G_DESCRIPTOR)[CTB_STATUS], 0);
    assert_int_equal(at(h, G2H_DESCRIPTOR)[CTB_STATUS], 0);
    assert_int_equal(h->complaints, 0);
    host_destroy(h);
}

/* Messages of every length from every place of the ring; none is lost, none is read twice. */
static void messages_begin_everywhere(void **state)
{
    (void)state;
    struct host *h = host_up("atsm");
    uint32_t dw[256] = {0};
    for (uint32_t length_dw = 1; length_dw < 256; length_dw++)
        for (uint32_t place = 0; place < 4; place++) {
            const uint32_t payload_dw = length_dw - 1u;
            for (uint32_t i = 0; i < payload_dw; i++)
                dw[i] = 0; /* keys without values, that nobody knows */
            const uint32_t answer = payload_dw == 0 || payload_dw > 250 ? FAILURE(PARAMETERS) : SUCCESS;
            assert_int_equal(host_ask(h, H2G("UPDATE_SCHEDULING_POLICIES_KLV"), dw, payload_dw), answer);
        }
    for (uint32_t place = 0; place < 2 * H2G_BYTES / 4; place++) {
        host_place(h, (const uint32_t[]){0}, 1); /* moves the next by one dword */
        assert_int_equal(HOST_ASK(h, "UPDATE_SCHEDULING_POLICIES_KLV", RENDER_COMPUTE_YIELD, place, 50),
                         GUC_SUCCESS_OF(1));
        assert_int_equal(h->device->gucs[0].power.yield_ms, place);
    }
    assert_int_equal(at(h, H2G_DESCRIPTOR)[CTB_STATUS], 0);
    host_destroy(h);
}

/* Saved while the host does not read, and messages wait on both sides: the other device goes on with them. */
static void waiting_messages_are_kept(void **state)
{
    (void)state;
    struct host *h = host_up("dg2"), *other = host_create("dg2");
    unsigned sent = 0;
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 100; i++)
            if ((at(h, H2G_DESCRIPTOR)[CTB_HEAD] + H2G_BYTES / 4 - h->tail_dw - 1) % (H2G_BYTES / 4) > 8) {
                HOST_SEND(h, GUC_REQUEST, "SETUP_PC_GUCRC", 1);
                sent++;
            }
        host_run(h);
    }
    assert_true(h->device->gucs[0].functions[0].backlog.count);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    uint32_t dw[256], fence;
    unsigned got = 0;
    for (unsigned round = 0; round < 100; round++) {
        while (host_receive(other, dw, &fence)) {
            assert_int_equal(dw[0], SUCCESS);
            assert_int_equal(fence, ++got);
        }
        host_run(other);
    }
    assert_int_equal(got, sent);
    host_destroy(h);
    host_destroy(other);
}

/* What the host writes wrong is told in the status; the GuC takes no more from there until buffers are
 * enabled again.
 */
static void broken_rings_are_told(void **state)
{
    (void)state;
    static const struct {
        uint32_t dword, value, first, status;
    } wrong[] = {
        {CTB_HEAD, 5, 0, CTB_MISMATCH},             /* the head moved */
        {CTB_HEAD, UINT32_MAX, 0, CTB_OVERFLOW},    /* past the end */
        {CTB_TAIL, H2G_BYTES / 4, 0, CTB_OVERFLOW}, /* past the end */
        {CTB_TAIL, UINT32_MAX, 0, CTB_OVERFLOW},    /* far */
        {CTB_TAIL, 3, FENCE_1 | 5, CTB_UNDERFLOW},  /* 5 dwords of which 2 are there */
        {CTB_TAIL, 1, FENCE_1 | UINT8_MAX, CTB_UNDERFLOW},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct host *h = host_up("dg2");
        at(h, H2G_BUFFER)[0] = wrong[i].first ? wrong[i].first : FENCE_1 | 2;
        at(h, H2G_BUFFER)[1] = H2G("SETUP_PC_GUCRC");
        at(h, H2G_BUFFER)[2] = 1;
        at(h, H2G_DESCRIPTOR)[CTB_TAIL] = 3;
        at(h, H2G_DESCRIPTOR)[wrong[i].dword] = wrong[i].value;
        host_interrupt(h);
        host_run(h);
        assert_int_equal(at(h, H2G_DESCRIPTOR)[CTB_STATUS], wrong[i].status);
        host_expect_nothing(h);
        at(h, H2G_DESCRIPTOR)[CTB_STATUS] = 0;
        at(h, H2G_DESCRIPTOR)[CTB_HEAD] = 0;
        at(h, H2G_DESCRIPTOR)[CTB_TAIL] = 3;
        host_interrupt(h);
        host_run(h);
        host_expect_nothing(h);
        assert_int_equal(host_mailbox(h, H2G("CONTROL_CTB"), 0, 0, 0), SUCCESS);
        host_enable_buffers(h);
        assert_int_equal(HOST_ASK(h, "SETUP_PC_GUCRC", 1), SUCCESS);
        host_destroy(h);
    }
    /* The other ring. */
    struct host *h = host_up("dg2");
    at(h, G2H_DESCRIPTOR)[CTB_HEAD] = G2H_BYTES / 4;
    HOST_SEND(h, GUC_REQUEST, "SETUP_PC_GUCRC", 1);
    host_run(h);
    assert_int_equal(at(h, G2H_DESCRIPTOR)[CTB_STATUS], 1);
    host_destroy(h);
    static const struct {
        uint32_t dword, value, status;
    } back[] = {{CTB_HEAD, UINT32_MAX, CTB_OVERFLOW},
                {CTB_TAIL, 5, CTB_MISMATCH},
                {CTB_STATUS, CTB_UNUSED, CTB_UNUSED}};
    for (unsigned i = 0; i < sizeof back / sizeof back[0]; i++) {
        h = host_up("dg2");
        at(h, G2H_DESCRIPTOR)[back[i].dword] = back[i].value;
        HOST_SEND(h, GUC_REQUEST, "SETUP_PC_GUCRC", 1);
        host_run(h);
        assert_int_equal(at(h, G2H_DESCRIPTOR)[CTB_STATUS], back[i].status);
        assert_int_equal(at(h, G2H_BUFFER)[0], 0); /* nothing is written there any more */
        assert_int_equal(h->complaints, 1);
        /* The mailbox still works, and buffers that are enabled again. */
        assert_int_equal(host_mailbox(h, H2G("CONTROL_CTB"), 0, 0, 0), SUCCESS);
        host_enable_buffers(h);
        assert_int_equal(HOST_ASK(h, "SETUP_PC_GUCRC", 1), SUCCESS);
        host_destroy(h);
    }
}

/* After the last message, and for a message in the mailbox, the buffer is the host's: it may be gone. */
static void buffers_are_not_looked_at_without_a_cause(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    assert_int_equal(HOST_ASK(h, "SETUP_PC_GUCRC", 1), SUCCESS);
    assert_false(h->device->gucs[0].functions[0].ct.h2g_pending);
    memset(at(h, H2G_DESCRIPTOR), 0xff, 64);
    assert_int_equal(host_mailbox(h, H2G("GET_HWCONFIG"), 0, 0, 0) & SUCCESS, SUCCESS);
    host_run(h);
    assert_int_equal(h->complaints, 0);
    assert_int_equal(at(h, H2G_DESCRIPTOR)[CTB_STATUS], UINT32_MAX);
    host_destroy(h);
}

/* Formats and types that are not: told by the number that the message has, and the next one is taken. */
static void other_formats_are_refused(void **state)
{
    (void)state;
    /* Formats are bits 11:8 of the header in the buffer, or its reserved bits. */
    const uint32_t good = FENCE_1 | 2, action = H2G("SETUP_PC_GUCRC");
    const uint32_t headers[][2] = {
        {good | 1 << 12, action},
        {good | 1 << 15, action},
        {good | 1 << 8, action},
        {good | 1 << 11, action},
        {good, GUC_ORIGIN | GUC_TYPE(GUC_REQUEST) | action},
        {good, GUC_ORIGIN | GUC_TYPE(GUC_EVENT) | action},
        {good, GUC_TYPE(GUC_BUSY) | action},
        {good, GUC_TYPE(GUC_RETRY) | action},
        {good, GUC_TYPE(GUC_FAILURE) | action},
        {good, GUC_TYPE(GUC_SUCCESS) | action},
    };
    for (unsigned i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        struct host *h = host_up("dg2");
        uint32_t dw[256], fence = 0;
        host_place(h, (const uint32_t[]){headers[i][0], headers[i][1], 1}, 3);
        host_interrupt(h);
        host_run(h);
        assert_int_equal(host_receive(h, dw, &fence), 1);
        assert_int_equal(dw[0], FAILURE(PROTOCOL));
        assert_int_equal(fence, 1);
        assert_int_equal(h->complaints, 1);
        assert_int_equal(h->device->gucs[0].totals.failures, 1);
        assert_int_equal(HOST_ASK(h, "SETUP_PC_GUCRC", 1), SUCCESS);
        host_destroy(h);
    }
    /* A number, and nothing behind it. */
    struct host *h = host_up("dg2");
    uint32_t dw[256], fence = 0;
    host_place(h, (const uint32_t[]){ctb_header(5, 0)}, 1);
    host_interrupt(h);
    host_run(h);
    assert_int_equal(host_receive(h, dw, &fence), 1);
    assert_int_equal(dw[0], FAILURE(PROTOCOL));
    assert_int_equal(fence, 5);
    /* An event that fails is counted, and not answered. */
    HOST_SEND(h, GUC_EVENT, "SETUP_PC_GUCRC", 2);
    host_run(h);
    host_expect_nothing(h);
    assert_int_equal(h->device->gucs[0].totals.failures, 2);
    /* No action, but data: by the mailbox, too. */
    assert_int_equal(host_mailbox(h, DATA_1, 0, 0, 0), FAILURE(UNKNOWN_ACTION));
    assert_int_equal(host_mailbox(h, DATA_1 | H2G("CLIENT_SOFT_RESET"), 0, 0, 0), FAILURE(PARAMETERS));
    host_destroy(h);
}

/* Nothing is lost when the host does not read, and nothing is taken from it meanwhile. */
static void full_rings_wait(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    unsigned sent = 0, got = 0;
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 100; i++)
            if ((at(h, H2G_DESCRIPTOR)[CTB_HEAD] + H2G_BYTES / 4 - h->tail_dw - 1) % (H2G_BYTES / 4) > 8) {
                HOST_SEND(h, GUC_REQUEST, "SETUP_PC_GUCRC", 1);
                sent++;
            }
        host_run(h);
    }
    assert_true(sent > 1500 && sent < 4000);
    uint32_t dw[256], fence;
    for (unsigned round = 0; round < 100; round++) {
        while (host_receive(h, dw, &fence)) {
            assert_int_equal(dw[0], SUCCESS);
            assert_int_equal(fence, ++got);
        }
        host_run(h);
    }
    assert_int_equal(got, sent);
    assert_int_equal(h->complaints, 0);
    host_destroy(h);
}

/* ---- Power management, TLBs, and others ---- */

/* Limits in units of 50/3 MHz: this part has 350 to 1150 MHz. */
static uint32_t power_limits(struct host *h)
{
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_QUERY, 2), SHARED, 0), SUCCESS);
    const uint32_t freq = at(h, SHARED + 0x80)[1];
    assert_int_equal(freq >> 16, freq & UINT16_MAX); /* slice as unslice */
    return freq & UINT16_MAX;
}

static void power_is_managed(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_QUERY, 2), SHARED, 0),
                     FAILURE(STATE)); /* not started */
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_RESET, 2), SHARED, 0), SUCCESS);
    assert_int_equal(at(h, SHARED)[0], 8192);
    assert_int_equal(at(h, SHARED)[1], 3); /* running */
    assert_int_equal(at(h, SHARED + 0x80)[0], 1);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 7, 600), SUCCESS);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 6, 400), SUCCESS);
    assert_int_equal(power_limits(h), 36 | 24 << 8);
    /* Nobody works: the least that may be. */
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 24);
    /* A higher least, as drivers boost: at once; one above the most is both. (IGT, xe_gt_freq: freq_low_max)
     */
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 6, 550), SUCCESS);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 33);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 6, 4250), SUCCESS);
    assert_int_equal(power_limits(h), 69 | 69 << 8);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 69);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 6, 750), SUCCESS);
    assert_int_equal(power_limits(h), 45 | 45 << 8);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 45);
    /* Outside of the part's. */
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 6, 0), SUCCESS);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 7, UINT32_MAX), SUCCESS);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 7, 600), SUCCESS);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_UNSET, 1), 7), SUCCESS);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    /* The host asks itself. */
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 11, 1), SUCCESS);
    host_put(h, "RPNSWREQ", 30 << 23);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 6, 1000), SUCCESS);
    assert_int_equal(host_field(h, "RPNSWREQ", "Frequency in 16.7 MHz"), 30);
    /* Parameters that are none, values that they cannot have. */
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 32, 0), FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 21, 4), FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 24, 3), FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SET, 2), 28, 2), FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_RESET, 2), NOT_MAPPED, 0), FAILURE(ADDRESS));
    /* What the page says when it is started: bits of parameters, then values. */
    at(h, SHARED + 0xc0)[0] = 1 << 7;
    at(h, SHARED + 0xe0)[7] = 800;
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_RESET, 2), SHARED, 0), SUCCESS);
    assert_int_equal(power_limits(h), 48 | 21 << 8);
    assert_int_equal(HOST_ASK(h, "PC_SLPC_REQUEST", slpc(SLPC_SHUTDOWN, 2), SHARED, 0), SUCCESS);
    assert_int_equal(at(h, SHARED)[1], 0);
    host_destroy(h);
}

/* Types of TLB_INVALIDATION. */
enum { TLB_ENGINES, TLB_PAGES, TLB_CONTEXT, TLB_GUC, TLB_TYPES };
#define FLUSH_CACHE (1u << 31)

static void invalidations_are_done_in_order(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    HOST_SEND(h, GUC_FAST_REQUEST, "TLB_INVALIDATION", 1, FLUSH_CACHE | TLB_ENGINES);
    HOST_SEND(h, GUC_FAST_REQUEST, "TLB_INVALIDATION", 2, FLUSH_CACHE | TLB_PAGES, 7, PAGE_BYTES, 0, 0);
    HOST_SEND(h, GUC_FAST_REQUEST, "TLB_INVALIDATION", 3, FLUSH_CACHE | TLB_GUC);
    HOST_SEND(h, GUC_FAST_REQUEST, "TLB_INVALIDATION_ALL", 4, FLUSH_CACHE);
    host_run(h);
    for (uint32_t number = 1; number <= 4; number++)
        HOST_EXPECT(h, "TLB_INVALIDATION_DONE", number);
    host_expect_nothing(h);
    assert_int_equal(HOST_ASK(h, "TLB_INVALIDATION", 5, FLUSH_CACHE | TLB_TYPES), FAILURE(PARAMETERS));
    assert_int_equal(HOST_ASK(h, "TLB_INVALIDATION", 5, FLUSH_CACHE | TLB_PAGES), FAILURE(PARAMETERS));
    host_destroy(h);
}

static void keys_are_walked(void **state)
{
    enum { CAPTURE_DUMPS_INFO = 0x4001 }; /* a key of OPT_IN_FEATURE_KLV */
    (void)state;
    struct host *h = host_up("dg2");
    at(h, RESULTS)[0] = GUC_KLV(CAPTURE_DUMPS_INFO, 0);
    at(h, RESULTS)[1] = GUC_KLV(CAPTURE_DUMPS_INFO + 2, 1);
    assert_int_equal(HOST_ASK(h, "OPT_IN_FEATURE_KLV", RESULTS, 0, 3), GUC_SUCCESS_OF(2));
    at(h, RESULTS)[1] = GUC_KLV(CAPTURE_DUMPS_INFO + 2, UINT16_MAX);
    assert_int_equal(HOST_ASK(h, "OPT_IN_FEATURE_KLV", RESULTS, 0, 3), FAILURE(MALFORMED_KLV));
    assert_int_equal(HOST_ASK(h, "OPT_IN_FEATURE_KLV", NOT_MAPPED, 0, 3), FAILURE(ADDRESS));
    assert_int_equal(HOST_ASK(h, "OPT_IN_FEATURE_KLV", RESULTS, 0, UINT32_MAX), FAILURE(PARAMETERS));
    assert_int_equal(
        HOST_ASK(h, "UPDATE_SCHEDULING_POLICIES_KLV", GUC_KLV(KLV_RENDER_COMPUTE_YIELD, 3), 1, 2),
        FAILURE(MALFORMED_KLV));
    host_destroy(h);
}

static void messages_are_told_by_name(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    h->traced = 0;
    HOST_SEND(h, GUC_FAST_REQUEST, "TLB_INVALIDATION", 1, FLUSH_CACHE | TLB_ENGINES);
    host_run(h);
    assert_int_equal(h->traced, 2);
    assert_string_equal(h->name, "TLB_INVALIDATION_DONE");
    host_destroy(h);
}

TEST_PROGRAM(guc_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mailbox_answers),
        cmocka_unit_test(buffers_are_configured),
        cmocka_unit_test(requests_are_answered),
        cmocka_unit_test(lengths_are_checked),
        cmocka_unit_test(rings_wrap),
        cmocka_unit_test(messages_begin_everywhere),
        cmocka_unit_test(waiting_messages_are_kept),
        cmocka_unit_test(broken_rings_are_told),
        cmocka_unit_test(other_formats_are_refused),
        cmocka_unit_test(buffers_are_not_looked_at_without_a_cause),
        cmocka_unit_test(full_rings_wait),
        cmocka_unit_test(power_is_managed),
        cmocka_unit_test(invalidations_are_done_in_order),
        cmocka_unit_test(keys_are_walked),
        cmocka_unit_test(messages_are_told_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
