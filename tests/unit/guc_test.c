/* SYS-13, SYS-15, SYS-24: the GuC's mailbox and buffers as the drivers of Linux talk through them, and with
 * every field wrong. */
#include "../suite.h"
#include "../guc_host.h"
#include "saved.h"

#include "guc/message.h"

/* ---- The mailbox ---- */

static void mailbox_answers(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    assert_int_equal(host_mailbox(h, 0x4100, 0, 0, 0), 0x4100); /* in reset */
    host_boot(h);
    const uint32_t bytes = host_mailbox(h, 0x4100, 0, 0, 0) & 0xfffffff;
    assert_true(bytes > 0 && bytes % 4 == 0);
    assert_int_equal(host_mailbox(h, 0x4100, RESULTS, 0, bytes), 0xf0000000 | bytes);
    /* Keys, each with the dwords that follow it, to the end. */
    uint32_t dw = 0;
    while (dw < bytes / 4) {
        const uint32_t *entry = at(h, RESULTS) + dw;
        assert_true(entry[0] > 0 && entry[0] < 84 && entry[1] > 0);
        dw += 2 + entry[1];
    }
    assert_int_equal(dw, bytes / 4);
    assert_int_equal(host_mailbox(h, 0x4100, RESULTS, 0, 4), 0xe0000070);
    assert_int_equal(host_mailbox(h, 0x4100, NOT_MAPPED, 0, bytes), 0xe0000080);
    assert_int_equal(host_mailbox(h, 0x4100, RESULTS, 1, bytes), 0xe0000080);
    /* Unknown ones, types that are no request, what is not for the mailbox. */
    assert_int_equal(host_mailbox(h, 0x1234, 0, 0, 0), 0xe0000030);
    assert_int_equal(h->not_modelled, 1);
    assert_int_equal(host_mailbox(h, 0x10004100, 0, 0, 0), 0xe0000004);
    assert_int_equal(host_mailbox(h, 0x20004100, 0, 0, 0), 0xe0000004);
    assert_int_equal(host_mailbox(h, 0x70004100, 0, 0, 0), 0xe0000004);
    assert_int_equal(host_mailbox(h, 0x7000, 5, 0, 0), 0xe0000020);
    /* Its own answer is no request. */
    assert_int_equal(host_mailbox(h, 0xf0004100, 0, 0, 0), 0xf0004100);
    assert_int_equal(host_mailbox(h, 0x5507, 0, 0, 0), 0xf0000000);
    host_destroy(h);
}

static void buffers_are_configured(void **state)
{
    (void)state;
    struct host *h = host_create("dg2");
    host_boot(h);
    assert_int_equal(host_mailbox(h, 0x4509, 1, 0, 0), 0xe000000a); /* nothing is known */
    assert_int_equal(host_configure(h, 0x8ff, 2, 0), 0xf0000000);   /* a key that is not: none parsed */
    /* SYS-22: where interrupts are told. */
    assert_int_equal(host_configure(h, 0x900, 1, 0x1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x901, 3, 0x1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x900, 2, 0x1008), 0xe0000050);
    assert_int_equal(host_configure(h, 0x901, 2, UINT64_C(1) << 32), 0xe0000050);
    assert_int_equal(host_configure(h, 0x901, 2, 0x1419), 0xf0000001);
    assert_int_equal(host_configure(h, 0x900, 2, 0x1190), 0xf0000001);
    assert_int_equal(host_configure(h, 0x900, 2, 0), 0xf0000001);
    assert_int_equal(host_configure(h, 0x902, 1, 0x4b1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x904, 2, 0x1000), 0xe0000103);
    assert_int_equal(host_configure(h, 0x904, 1, 0), 0xe0000050);
    assert_int_equal(host_configure(h, 0x904, 1, 0x1001), 0xe0000050);
    assert_int_equal(host_configure(h, 0x904, 1, 0x80000000), 0xe0000050);
    assert_int_equal(host_configure(h, 0x903, 2, 0x100000000), 0xe0000050);
    assert_int_equal(host_configure(h, 0x903, 2, 3), 0xe0000050);
    host_enable_buffers(h);
    assert_int_equal(host_configure(h, 0x902, 2, H2G_BUFFER), 0xe000000a); /* in use */
    assert_int_equal(host_mailbox(h, 0x4509, 2, 0, 0), 0xe0000060);
    assert_int_equal(host_mailbox(h, 0x4509, 0, 0, 0), 0xf0000000);
    assert_int_equal(host_configure(h, 0x903, 2, NOT_MAPPED), 0xf0000001);
    assert_int_equal(host_mailbox(h, 0x4509, 1, 0, 0), 0xe0000080);
    /* Both are enabled, or none. */
    assert_int_equal(host_configure(h, 0x903, 2, H2G_DESCRIPTOR), 0xf0000001);
    assert_int_equal(host_configure(h, 0x906, 2, NOT_MAPPED), 0xf0000001);
    assert_int_equal(host_mailbox(h, 0x4509, 1, 0, 0), 0xe0000080);
    assert_int_equal(host_configure(h, 0x902, 2, H2G_BUFFER), 0xf0000001);
    host_destroy(h);
}

/* ---- Buffers ---- */

static void requests_are_answered(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    host_put(h, 0x190008, 1u << 31);
    host_put(h, 0x190010, 1u << 31);
    host_put(h, 0x190038, 0x8000u << 16);
    host_put(h, 0x1900e8, ~(0x8000u << 16));
    assert_int_equal(HOST_ASK(h, 0x509, 0x10010002, 100, 50), 0xf0000001);
    assert_int_equal(h->messages, 1);
    assert_int_equal(host_get(h, 0x190018), 1u << 25);
    host_put(h, 0x190070, 1u << 25);
    assert_int_equal(host_get(h, 0x190060), 0x80048000u);
    /* No answer to what is none, or to a fast one that is done; a fast one that fails is told. */
    HOST_SEND(h, HOST_FAST, 0x30, 2);
    HOST_SEND(h, HOST_EVENT, 0x30, 2);
    HOST_SEND(h, HOST_EVENT, 0x7777, 2);
    host_run(h);
    host_expect_nothing(h);
    const uint32_t fence = HOST_SEND(h, HOST_FAST, 0x7777, 2);
    host_run(h);
    uint32_t dw[256], back = 0;
    assert_int_equal(host_receive(h, dw, &back), 1);
    assert_int_equal(back, fence);
    assert_int_equal(dw[0], 0xe0000030);
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
                                 guc_message_find(row->action, false) ? 0xf0000000 : 0xe0000030);
                continue;
            }
            if (row->min_dw)
                assert_int_equal(host_ask(h, row->action, zeros, row->min_dw - 1u), 0xe0000060);
            assert_int_equal(host_ask(h, row->action, zeros, row->max_dw + 1u), 0xe0000060);
        }
    host_destroy(h);
}

/* A ring that wraps in the middle of messages, and zeros at its end. */
static void rings_wrap(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    for (unsigned i = 0; i < 4000; i++)
        assert_int_equal(HOST_ASK(h, 0x509, 0x10010002, i, 50, 0x20020001, 7), 0xf0000001);
    const uint32_t zeros[H2G_BYTES / 4] = {0};
    host_place(h, zeros, H2G_BYTES / 4 - h->tail_dw);
    assert_int_equal(h->tail_dw, 0);
    assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
    assert_int_equal(at(h, H2G_DESCRIPTOR)[2], 0);
    assert_int_equal(at(h, G2H_DESCRIPTOR)[2], 0);
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
            const uint32_t answer = payload_dw == 0 || payload_dw > 250 ? 0xe0000060 : 0xf0000000;
            assert_int_equal(host_ask(h, 0x509, dw, payload_dw), answer);
        }
    for (uint32_t place = 0; place < 2 * H2G_BYTES / 4; place++) {
        host_place(h, (const uint32_t[]){0}, 1); /* moves the next by one dword */
        assert_int_equal(HOST_ASK(h, 0x509, 0x10010002, place, 50), 0xf0000001);
        assert_int_equal(h->device->guc.power.yield_ms, place);
    }
    assert_int_equal(at(h, H2G_DESCRIPTOR)[2], 0);
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
            if ((at(h, H2G_DESCRIPTOR)[0] + H2G_BYTES / 4 - h->tail_dw - 1) % (H2G_BYTES / 4) > 8) {
                HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
                sent++;
            }
        host_run(h);
    }
    assert_true(h->device->guc.functions[0].backlog.count);
    struct blob blob = saved(h->device);
    memcpy(other->memory, h->memory, HOST_BYTES);
    assert_int_equal(softgt_load(other->device, blob.bytes, blob.size), 0);
    free(blob.bytes);
    uint32_t dw[256], fence;
    unsigned got = 0;
    for (unsigned round = 0; round < 100; round++) {
        while (host_receive(other, dw, &fence)) {
            assert_int_equal(dw[0], 0xf0000000);
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
        {0, 5, 0, 4},          /* the head moved */
        {0, 0xffffffff, 0, 1}, /* past the end */
        {1, 0x400, 0, 1},      /* the tail is past the end */
        {1, 0xffffffff, 0, 1}, /* far */
        {1, 3, 0x10005, 2},    /* a message of 5 dwords, 2 are there */
        {1, 1, 0x100ff, 2},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct host *h = host_up("dg2");
        at(h, H2G_BUFFER)[0] = wrong[i].first ? wrong[i].first : 0x10002;
        at(h, H2G_BUFFER)[1] = 0x3004;
        at(h, H2G_BUFFER)[2] = 1;
        at(h, H2G_DESCRIPTOR)[1] = 3;
        at(h, H2G_DESCRIPTOR)[wrong[i].dword] = wrong[i].value;
        host_put(h, 0x1901f0, 0);
        host_run(h);
        assert_int_equal(at(h, H2G_DESCRIPTOR)[2], wrong[i].status);
        host_expect_nothing(h);
        at(h, H2G_DESCRIPTOR)[2] = 0;
        at(h, H2G_DESCRIPTOR)[0] = 0;
        at(h, H2G_DESCRIPTOR)[1] = 3;
        host_put(h, 0x1901f0, 0);
        host_run(h);
        host_expect_nothing(h);
        assert_int_equal(host_mailbox(h, 0x4509, 0, 0, 0), 0xf0000000);
        host_enable_buffers(h);
        assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
        host_destroy(h);
    }
    /* The other ring. */
    struct host *h = host_up("dg2");
    at(h, G2H_DESCRIPTOR)[0] = 0x1000;
    HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
    host_run(h);
    assert_int_equal(at(h, G2H_DESCRIPTOR)[2], 1);
    host_destroy(h);
    static const struct {
        uint32_t dword, value, status;
    } back[] = {{0, 0xffffffff, 1}, {1, 5, 4}, {2, 8, 8}};
    for (unsigned i = 0; i < sizeof back / sizeof back[0]; i++) {
        h = host_up("dg2");
        at(h, G2H_DESCRIPTOR)[back[i].dword] = back[i].value;
        HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
        host_run(h);
        assert_int_equal(at(h, G2H_DESCRIPTOR)[2], back[i].status);
        assert_int_equal(at(h, G2H_BUFFER)[0], 0); /* nothing is written there any more */
        assert_int_equal(h->complaints, 1);
        /* The mailbox still works, and buffers that are enabled again. */
        assert_int_equal(host_mailbox(h, 0x4509, 0, 0, 0), 0xf0000000);
        host_enable_buffers(h);
        assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
        host_destroy(h);
    }
}

/* After the last message, and for a message in the mailbox, the buffer is the host's: it may be gone. */
static void buffers_are_not_looked_at_without_a_cause(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
    assert_false(h->device->guc.functions[0].ct.h2g_pending);
    memset(at(h, H2G_DESCRIPTOR), 0xff, 64);
    assert_true((host_mailbox(h, 0x4100, 0, 0, 0) & 0xf0000000) == 0xf0000000);
    host_run(h);
    assert_int_equal(h->complaints, 0);
    assert_int_equal(at(h, H2G_DESCRIPTOR)[2], 0xffffffff);
    host_destroy(h);
}

/* Formats and types that are not: told by the number that the message has, and the next one is taken. */
static void other_formats_are_refused(void **state)
{
    (void)state;
    static const uint32_t headers[][2] = {
        {0x11002, 0x3004},     {0x18002, 0x3004},     {0x10102, 0x3004},     {0x10802, 0x3004},
        {0x10002, 0x80003004}, {0x10002, 0x90003004}, {0x10002, 0x30003004}, {0x10002, 0x50003004},
        {0x10002, 0x60003004}, {0x10002, 0x70003004},
    };
    for (unsigned i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        struct host *h = host_up("dg2");
        uint32_t dw[256], fence = 0;
        host_place(h, (const uint32_t[]){headers[i][0], headers[i][1], 1}, 3);
        host_put(h, 0x1901f0, 0);
        host_run(h);
        assert_int_equal(host_receive(h, dw, &fence), 1);
        assert_int_equal(dw[0], 0xe0000004);
        assert_int_equal(fence, 1);
        assert_int_equal(h->complaints, 1);
        assert_int_equal(h->device->guc.totals.failures, 1);
        assert_int_equal(HOST_ASK(h, 0x3004, 1), 0xf0000000);
        host_destroy(h);
    }
    /* A number, and nothing behind it. */
    struct host *h = host_up("dg2");
    uint32_t dw[256], fence = 0;
    host_place(h, (const uint32_t[]){0x50000}, 1);
    host_put(h, 0x1901f0, 0);
    host_run(h);
    assert_int_equal(host_receive(h, dw, &fence), 1);
    assert_int_equal(dw[0], 0xe0000004);
    assert_int_equal(fence, 5);
    /* An event that fails is counted, and not answered. */
    HOST_SEND(h, HOST_EVENT, 0x3004, 2);
    host_run(h);
    host_expect_nothing(h);
    assert_int_equal(h->device->guc.totals.failures, 2);
    /* No action, but data: by the mailbox, too. */
    assert_int_equal(host_mailbox(h, 0x10000, 0, 0, 0), 0xe0000030);
    assert_int_equal(host_mailbox(h, 0x00015507, 0, 0, 0), 0xe0000060);
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
            if ((at(h, H2G_DESCRIPTOR)[0] + H2G_BYTES / 4 - h->tail_dw - 1) % (H2G_BYTES / 4) > 8) {
                HOST_SEND(h, HOST_REQUEST, 0x3004, 1);
                sent++;
            }
        host_run(h);
    }
    assert_true(sent > 1500 && sent < 4000);
    uint32_t dw[256], fence;
    for (unsigned round = 0; round < 100; round++) {
        while (host_receive(h, dw, &fence)) {
            assert_int_equal(dw[0], 0xf0000000);
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
    assert_int_equal(HOST_ASK(h, 0x3003, 5 << 8 | 2, SHARED, 0), 0xf0000000);
    const uint32_t freq = at(h, SHARED + 0x80)[1];
    assert_int_equal(freq >> 16, freq & 0xffff); /* slice as unslice */
    return freq & 0xffff;
}

static void power_is_managed(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    assert_int_equal(HOST_ASK(h, 0x3003, 5 << 8 | 2, SHARED, 0), 0xe000000a); /* not started */
    assert_int_equal(HOST_ASK(h, 0x3003, 0 << 8 | 2, SHARED, 0), 0xf0000000);
    assert_int_equal(at(h, SHARED)[0], 8192);
    assert_int_equal(at(h, SHARED)[1], 3); /* running */
    assert_int_equal(at(h, SHARED + 0x80)[0], 1);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 7, 600), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 400), 0xf0000000);
    assert_int_equal(power_limits(h), 36 | 24 << 8);
    /* Nobody works: the least that may be. */
    assert_int_equal(host_get(h, 0xa008) >> 23, 24);
    /* A higher least, as drivers boost: at once; one above the most is both. (IGT, xe_gt_freq: freq_low_max)
     */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 550), 0xf0000000);
    assert_int_equal(host_get(h, 0xa008) >> 23, 33);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 4250), 0xf0000000);
    assert_int_equal(power_limits(h), 69 | 69 << 8);
    assert_int_equal(host_get(h, 0xa008) >> 23, 69);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 750), 0xf0000000);
    assert_int_equal(power_limits(h), 45 | 45 << 8);
    assert_int_equal(host_get(h, 0xa008) >> 23, 45);
    /* Outside of the part's. */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 0), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 7, 0xffffffff), 0xf0000000);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 7, 600), 0xf0000000);
    assert_int_equal(HOST_ASK(h, 0x3003, 7 << 8 | 1, 7), 0xf0000000);
    assert_int_equal(power_limits(h), 69 | 21 << 8);
    /* The host asks itself. */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 11, 1), 0xf0000000);
    host_put(h, 0xa008, 30 << 23);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 6, 1000), 0xf0000000);
    assert_int_equal(host_get(h, 0xa008) >> 23, 30);
    /* Parameters that are none, values that they cannot have. */
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 32, 0), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 21, 4), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 24, 3), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 6 << 8 | 2, 28, 2), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x3003, 0 << 8 | 2, NOT_MAPPED, 0), 0xe0000080);
    /* What the page says when it is started: bits of parameters, then values. */
    at(h, SHARED + 0xc0)[0] = 1 << 7;
    at(h, SHARED + 0xe0)[7] = 800;
    assert_int_equal(HOST_ASK(h, 0x3003, 0 << 8 | 2, SHARED, 0), 0xf0000000);
    assert_int_equal(power_limits(h), 48 | 21 << 8);
    assert_int_equal(HOST_ASK(h, 0x3003, 1 << 8 | 2, SHARED, 0), 0xf0000000);
    assert_int_equal(at(h, SHARED)[1], 0);
    host_destroy(h);
}

static void invalidations_are_done_in_order(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    HOST_SEND(h, HOST_FAST, 0x7000, 1, 0x80000000);
    HOST_SEND(h, HOST_FAST, 0x7000, 2, 0x80000001, 7, 0x1000, 0, 0);
    HOST_SEND(h, HOST_FAST, 0x7000, 3, 0x80000003);
    HOST_SEND(h, HOST_FAST, 0x7002, 4, 0x80000000);
    host_run(h);
    for (uint32_t number = 1; number <= 4; number++)
        HOST_EXPECT(h, 0x7001, number);
    host_expect_nothing(h);
    assert_int_equal(HOST_ASK(h, 0x7000, 5, 0x80000004), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x7000, 5, 0x80000001), 0xe0000060);
    host_destroy(h);
}

static void keys_are_walked(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    at(h, RESULTS)[0] = 0x40010000;
    at(h, RESULTS)[1] = 0x40030001;
    assert_int_equal(HOST_ASK(h, 0x550e, RESULTS, 0, 3), 0xf0000002);
    at(h, RESULTS)[1] = 0x4003ffff;
    assert_int_equal(HOST_ASK(h, 0x550e, RESULTS, 0, 3), 0xe0000103);
    assert_int_equal(HOST_ASK(h, 0x550e, NOT_MAPPED, 0, 3), 0xe0000080);
    assert_int_equal(HOST_ASK(h, 0x550e, RESULTS, 0, 0xffffffff), 0xe0000060);
    assert_int_equal(HOST_ASK(h, 0x509, 0x10010003, 1, 2), 0xe0000103);
    host_destroy(h);
}

static void messages_are_told_by_name(void **state)
{
    (void)state;
    struct host *h = host_up("dg2");
    h->traced = 0;
    HOST_SEND(h, HOST_FAST, 0x7000, 1, 0x80000000);
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
