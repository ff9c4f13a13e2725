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
    const uint64_t ggtt_end = UINT64_C(4078) * MB; /* the GuC reaches no further */
    const struct driver_vf_config given[VFS] = {
        {.local_bytes = 32 << 20, .context_count = 500, .ggtt_bytes = 16 << 20}, {.doorbell_count = 7}};
    struct world *w = world_create(given);
    uint64_t ends = 0;
    for (unsigned n = 1; n <= VFS; n++) {
        struct vf *v = &w->vfs[n];
        bring_up(w, n);
        assert_true(v->ggtt >= ends && v->ggtt + ask_key(v, "GGTT size", 2) <= ggtt_end);
        ends = v->ggtt + ask_key(v, "GGTT size", 2);
        assert_true(ask_key(v, "local memory", 2) >= 2 << 20 && ask_key(v, "contexts", 1) >= 256);
        assert_int_equal(mailbox(v, H2G("VF2GUC_QUERY_SINGLE_KLV"), KLV_EXEC_QUANTUM, 0, 0),
                         FAILURE(KEY)); /* only the PF sees it */
        assert_int_equal(mailbox(v, H2G("VF2GUC_QUERY_SINGLE_KLV"), UNKNOWN_KEY, 0, 0), FAILURE(KEY));
        assert_int_equal(mailbox(v, H2G("VF2GUC_MATCH_VERSION"), 2 << 16, 0, 0), FAILURE(VERSION));
        assert_int_equal(mailbox(v, H2G("VF2GUC_MATCH_VERSION"), 0, 0, 0), SUCCESS);
        assert_int_equal(get(v, "GUC_MAILBOX[1]"), VF_ABI_VERSION);
        /* The table of the hardware's configuration. */
        const uint32_t bytes = GUC_REPLY(mailbox(v, H2G("GET_HWCONFIG"), 0, 0, 0));
        assert_true(bytes > 0);
        assert_int_equal(mailbox(v, H2G("GET_HWCONFIG"), address(v, CONFIG), 0, bytes),
                         GUC_SUCCESS_OF(bytes));
        assert_int_equal(at(v, CONFIG)[0], 1);
    }
    assert_int_equal(ask_key(&w->vfs[1], "local memory", 2), 32 << 20);
    assert_int_equal(ask_key(&w->vfs[1], "contexts", 1), 500);
    assert_int_equal(ask_key(&w->vfs[1], "GGTT size", 2), 16 << 20);
    assert_int_equal(ask_key(&w->vfs[2], "doorbells", 1), 7);
    /* What a virtual function may not ask for; and the physical one is none. */
    const uint32_t before = w->complaints;
    assert_int_equal(mailbox(&w->vfs[1], H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
    assert_int_equal(w->complaints, before);
    assert_int_equal(get(&w->vfs[0], "VF_CAP"), 0);
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
        softgt_function_bar_write(w->device, n, 2, local_last(w, n), 1000 + n, 4);
        softgt_function_bar_write(w->device, n, 2, 0, 2000 + n, 4);
    }
    for (unsigned n = 1; n <= VFS; n++) {
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, local_last(w, n), 4), 1000 + n);
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, 0, 4), 2000 + n);
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
        const uint32_t was = n == 3 ? 2003 : 0;
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, 0, 4), was);
        softgt_function_bar_write(w->device, n, 2, local_last(w, n), 3000 + n, 4);
        assert_int_equal(softgt_function_bar_read(w->device, n, 2, local_last(w, n), 4), 3000 + n);
    }
    assert_int_equal(ask_key(&w->vfs[1], "local memory", 2), 4 << 20);
    assert_int_equal(ask_key(&w->vfs[1], "contexts", 1), 300);
    assert_int_equal(ask_key(&w->vfs[1], "GGTT size", 2), 8 << 20);
    assert_int_equal(w->device->gucs[0].functions[1].provisioning.exec_quantum_ms, 7);
    assert_int_equal(ask_key(&w->vfs[2], "local memory", 2), 6 << 20);
    world_destroy(w);
}

/* The media GT's registers have the addresses that they have there. (Linux, xe_gt_sriov_pf_service and
 * xe_gt_sriov_vf_read32, by xe_mmio_adjusted_addr) */
static void media_registers(struct world *w)
{
    enum { INDEX = 7, REGISTERS = 14 };
    struct vf *const v = &w->media[1];
    const uint32_t engines = media_gt(w) + offset_named(w, "GT_VEBOX_VDBOX_ENABLE");
    uint32_t dw[256];
    SEND(v, GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 9, 1 << 16 | RELAY_RUNTIME, INDEX);
    run(w);
    EXPECT(v, SUCCESS);
    assert_int_equal(receive(v, dw), 6);
    assert_int_equal(dw[2], RELAY_SUCCESS | 1);
    assert_int_equal(dw[3], REGISTERS - INDEX - 1);
    assert_int_equal(dw[4], engines);
    assert_int_equal(dw[5], softgt_bar_read(w->device, SOFTGT_BAR_GTTMMADR, engines, 4));
    assert_true(dw[5]);
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
        memset(v->memory + EVENTS, 0, PAGE_BYTES);
        const uint32_t fence =
            SEND(v, GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 70 + n, RELAY_HANDSHAKE, RELAY_VERSION);
        run(w);
        EXPECT(v, SUCCESS);
        EXPECT_EVENT(v, "GUC2VF_RELAY_FROM_PF", 70 + n, RELAY_SUCCESS, RELAY_VERSION);
        (void)fence;
        /* Told in memory, then by a message. */
        assert_true(v->messages > messages);
        assert_int_equal(v->memory[EVENTS + 16 * INTERRUPT_GUC + 15], MEMIRQ_RAISED);
        assert_int_equal(v->memory[EVENTS + MEMIRQ_SOURCE + INTERRUPT_GUC], MEMIRQ_RAISED);
        /* Runtime registers, in parts. */
        SEND(v, GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 5, 2 << 16 | RELAY_RUNTIME, 1);
        run(w);
        EXPECT(v, SUCCESS);
        assert_int_equal(receive(v, dw), 8);
        assert_int_equal(dw[2], RELAY_SUCCESS | 2);
        const bool has_more = w->device->sheet->xe->gmd_id; /* of fuses */
        assert_int_equal(dw[3], has_more ? 11 : 6);
        assert_int_equal(dw[4], offset_named(w, has_more ? "FUSE4" : "MIRROR_FUSE3"));
        assert_int_equal(dw[5], has_more ? 1 << 16 : 0xf);
        /* What nobody knows. */
        SEND(v, GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 6, UNKNOWN_REQUEST, 0);
        run(w);
        EXPECT(v, SUCCESS);
        EXPECT_EVENT(v, "GUC2VF_RELAY_FROM_PF", 6, RELAY_FAILURE | 38);
        for (unsigned other = 1; other <= VFS; other++)
            expect_nothing(&w->vfs[other]);
    }
    if (device_guc_count(w->device) > 1)
        media_registers(w);
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
    SEND(one, GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 5, RELAY_HANDSHAKE, RELAY_VERSION);
    run(w);
    EXPECT(one, SUCCESS);
    EXPECT_EVENT(one, "GUC2VF_RELAY_FROM_PF", 5, RELAY_SUCCESS, RELAY_VERSION);
    assert_int_equal(mailbox(one, H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
    for (uint32_t page = 0; page < PAGES; page++)
        softgt_function_bar_write(w->device, 1, 0, TABLE + (one->ggtt / 4096 + page) * 8,
                                  (page + AWAY) * 4096 | 1, 8);
    struct vf there = *one;
    there.memory += AWAY * 4096;
    open_buffers(&there);
    SEND(&there, GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 6, RELAY_HANDSHAKE, RELAY_VERSION);
    run(w);
    EXPECT(&there, SUCCESS);
    EXPECT(&there, GUC_EVENT_OF("GUC2VF_RELAY_FROM_PF"), 6, RELAY_SUCCESS, RELAY_VERSION);
    assert_int_equal(there.memory[EVENTS + MEMIRQ_SOURCE + INTERRUPT_GUC], MEMIRQ_RAISED);
    world_destroy(w);
}

/* Another share is another place of local memory: nobody knows the one before, which may be another
 * function's by then. */
static void other_place(bool apart)
{
    enum { PAGES = 16, IN_LOCAL = 3 };
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
            assert_int_equal(mailbox(one, H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
            there = *one;
            there.memory = w->device->memory.local + before;
            open_buffers(&there);
        }
        SEND(&there, GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 5 + changes, RELAY_HANDSHAKE, RELAY_VERSION);
        run(w);
        EXPECT(&there, SUCCESS);
        EXPECT(&there, GUC_EVENT_OF("GUC2VF_RELAY_FROM_PF"), 5 + changes, RELAY_SUCCESS, RELAY_VERSION);
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
    enum { NO_PIN = 0x1f };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    const uint32_t pins = host_get(w, "INTERRUPT_PIN_ASSIGNMENT[3]"),
                   none = REGISTER_BITS(w->device, "INTERRUPT_PIN_ASSIGNMENT[3]", {"Third Group", NO_PIN});
    host_put(w, "INTERRUPT_PIN_ASSIGNMENT[3]", pins | none);
    assert_int_equal(mailbox(one, H2G("VF2GUC_QUERY_SINGLE_KLV"), VF_KEY("contexts"), 0, 0),
                     H2G("VF2GUC_QUERY_SINGLE_KLV")) /* no answer yet */;
    SEND(one, GUC_REQUEST, "UPDATE_SCHEDULING_POLICIES_KLV", GUC_KLV(KLV_RENDER_COMPUTE_YIELD, 2), 80, 20);
    run(w);
    expect_nothing(one);
    host_put(w, "INTERRUPT_PIN_ASSIGNMENT[3]", pins);
    assert_int_equal(get(one, "GUC_MAILBOX[0]"), GUC_SUCCESS_OF(1));
    run(w);
    expect(one, (const uint32_t[]){GUC_SUCCESS_OF(1)}, 1);
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
        job_store(&jobs[n], address(&w->vfs[n], RESULTS), 1000 + n);
    }
    run(w);
    for (unsigned n = 1; n <= VFS; n++) {
        assert_int_equal(at(&w->vfs[n], RESULTS)[0], 1000 + n);
        EXPECT(&w->vfs[n], GUC_EVENT_OF("SCHED_CONTEXT_MODE_DONE"), 0, 1);
        SEND(&w->vfs[n], GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", 0, 0);
        run(w);
        EXPECT(&w->vfs[n], GUC_EVENT_OF("SCHED_CONTEXT_MODE_DONE"), 0, 0);
        SEND(&w->vfs[n], GUC_FAST_REQUEST, "DEREGISTER_CONTEXT", 0);
        run(w);
        EXPECT(&w->vfs[n], GUC_EVENT_OF("DEREGISTER_CONTEXT_DONE"), 0);
        expect_nothing(&w->vfs[n]);
    }
    assert_int_equal(w->complaints, 0);
    /* Ids past what it was given, and messages that are not for it. */
    const uint32_t most = (uint32_t)ask_key(&w->vfs[1], "contexts", 1);
    SEND(&w->vfs[1], GUC_REQUEST, "REGISTER_CONTEXT", 1, most, CLASS_OF_COPY, 1, 0, 0, 0, 0, 0,
         address(&w->vfs[1], CONTEXTS) | CTX_FLAGS, 0);
    run(w);
    EXPECT(&w->vfs[1], FAILURE(CONTEXT));
    static const char *const forbidden[] = {
        "PF2GUC_RELAY_TO_VF",        "PF2GUC_UPDATE_VGT_POLICY", "PF2GUC_UPDATE_VF_CFG",
        "PF2GUC_VF_CONTROL",         "SETUP_PC_GUCRC",           "SET_DEVICE_ENGINE_ACTIVITY_BUFFER",
        "GLOBAL_SCHED_POLICY_CHANGE"};
    for (unsigned i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
        SEND(&w->vfs[1], GUC_REQUEST, forbidden[i], 1, 1, 0, 0);
        run(w);
        EXPECT(&w->vfs[1], FAILURE(NO_PERMISSION));
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
    job_store(&bad, address(two, RESULTS), BAD);
    job_store(&good, address(two, RESULTS) + 4, GOOD);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], 0);
    assert_int_equal(at(two, RESULTS)[1], GOOD);
    EXPECT_EVENT(one, "SCHED_CONTEXT_MODE_DONE", 0, 1);
    EXPECT_EVENT(one, "MEMORY_CAT_ERROR", 0);
    EXPECT_EVENT(one, "CONTEXT_RESET_NOTIFICATION", 0);
    EXPECT_EVENT(two, "SCHED_CONTEXT_MODE_DONE", 0, 1);
    expect_nothing(two);
    /* The physical function's pages are none of its either, nor are buffers there. */
    struct job worse = job_make(w, 1, 1);
    job_store(&worse, PF_GGTT + 32 * KB, BAD);
    run(w);
    EXPECT_EVENT(one, "SCHED_CONTEXT_MODE_DONE", 1, 1);
    EXPECT_EVENT(one, "MEMORY_CAT_ERROR", 1);
    EXPECT_EVENT(one, "CONTEXT_RESET_NOTIFICATION", 1);
    assert_int_equal(mailbox(one, H2G("GET_HWCONFIG"), address(two, CONFIG), 0, PAGE_BYTES),
                     FAILURE(ADDRESS));
    SEND(one, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, 2, CLASS_OF_COPY, 1, 0, 0, 0, 0, 0,
         address(two, CONTEXTS) | CTX_FLAGS, 0);
    SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", 2, 1);
    SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT", 2);
    run(w);
    EXPECT_EVENT(one, "SCHED_CONTEXT_MODE_DONE", 2, 1);
    EXPECT_EVENT(one, "MEMORY_CAT_ERROR", 2);
    EXPECT_EVENT(one, "CONTEXT_RESET_NOTIFICATION", 2);
    job_store(&good, address(two, RESULTS) + 8, GOOD);
    run(w);
    assert_int_equal(at(two, RESULTS)[2], GOOD);
    world_destroy(w);
}

/* SYS-04, 184-258: what a virtual function's driver has no right to, in its own ring. */
static void privileges(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    const uint32_t results = address(one, RESULTS), gpr = offset_named(w, "bcs0.CS_GPR[0]"),
                   others_gpr = offset_named(w, "rcs0.CS_GPR[0]"), shim = offset_named(w, "GUC_SHIM_CONTROL"),
                   opens = offset_named(w, "bcs0.FORCE_TO_NONPRIV[0]");
    struct job j = job_make(w, 1, 0);
    const struct {
        uint32_t offset, value;
        bool own;
    } writes[] = {
        {gpr, 0x11, true}, /* its context's */
        {others_gpr, 0x22, false},
        {offset_named(w, "bcs0.HWS_PGA"), 51 * PAGE_BYTES, false},
        {opens, 0x44, false},
        {offset_named(w, "bcs0.EXECLIST_CONTROL"), 1, false},
        {offset_named(w, "GDRST"), GDRST_FULL, false},
        {offset_named(w, "LMEM_CFG"), 0x55, false},
        {offset_of_vf(GUC_MAILBOX, 2), 0x66, false}, /* another function's */
        {shim, 0x77, false},
    };
    enum { WRITES = sizeof writes / sizeof writes[0] };
    uint32_t before[WRITES];
    for (unsigned i = 0; i < WRITES; i++)
        before[i] = host_get_at(w, writes[i].offset);
    for (unsigned i = 0; i < WRITES; i++) {
        job_write(&j, writes[i].offset, writes[i].value);
        run(w);
        if (writes[i].own)
            continue;
        if (host_get_at(w, writes[i].offset) != before[i])
            fail_msg("%x was written", writes[i].offset);
    }
    job_read(&j, gpr, results);
    /* Another engine's registers, where others' contexts run, and another's mailbox read zero. */
    host_put_at(w, others_gpr, PRIVATE);
    assert_int_equal(host_get_at(w, others_gpr), PRIVATE);
    put(&w->vfs[2], "GUC_MAILBOX[1]", PRIVATE);
    at(one, RESULTS)[1] = at(one, RESULTS)[2] = 0x99;
    job_read(&j, others_gpr, results + 4);
    job_read(&j, offset_of_vf(GUC_MAILBOX + 4, 2), results + 8);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0x11);
    assert_int_equal(at(one, RESULTS)[1], 0);
    assert_int_equal(at(one, RESULTS)[2], 0);
    /* Commands that are the physical function's: not done, and what is behind them is. */
    host_put(w, "bcs0.HWS_PGA", PF_GGTT + 32 * KB);
    const uint64_t entry = softgt_bar_read(w->device, 0, TABLE + (one->ggtt / 4096 + 9) * 8, 8);
    job_do(&j,
           "MI_UPDATE_GTT entry_address = %u, { %u }\n"
           "MI_DISPLAY_FLIP\n"
           "MI_LOAD_SCAN_LINES_INCL end_scan_line_number = 1, start_scan_line_number = 1\n"
           "MI_LOAD_SCAN_LINES_EXCL end_scan_line_number = 1, start_scan_line_number = 1\n"
           "MI_WAIT_FOR_EVENT display_plane_1_a_vertical_blank_wait_enable\n"
           "MI_ARB_ON_OFF arbitration_enable = 0\n"
           "MI_STORE_DATA_INDEX offset = 64, data = 136\n" /* into the engine's own page */
           "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u",
           (uint32_t)one->ggtt + 9 * PAGE_BYTES, 119 * PAGE_BYTES | 1, results + 12, GOOD);
    run(w);
    assert_int_equal(at(one, RESULTS)[3], GOOD);
    assert_int_equal(softgt_bar_read(w->device, 0, TABLE + (one->ggtt / 4096 + 9) * 8, 8), entry);
    for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
        assert_int_equal(w->device->engines[e].parse.arbitration, 1);
    /* The physical function's driver opens a register for virtual functions' drivers: bit 31, for them alone.
     */
    host_put_at(w, opens, 1u << 31 | shim);
    struct job k = job_make(w, 1, 1);
    job_write(&k, shim, 0x77);
    run(w);
    assert_int_equal(host_get_at(w, shim), 0x77);
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
    job_wait(&a, address(one, RESULTS), 1);
    run(w);
    softgt_function_bar_write(w->device, 1, 2, PAGE_BYTES, PRIVATE, 4);
    assert_int_equal(softgt_function_bar_read(w->device, 1, 2, PAGE_BYTES, 4), PRIVATE);
    softgt_function_bar_write(w->device, 2, 2, PAGE_BYTES, 2222, 4);
    const uint64_t start = one->ggtt;
    function_level_reset(w, 1);
    assert_int_equal(get(one, "GUC_MAILBOX[0]"), 0);
    job_store(&b, address(two, RESULTS), GOOD);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], GOOD);
    /* Its memory is clean, its entries are; it comes up again with the same share. */
    assert_int_equal(softgt_function_bar_read(w->device, 1, 2, PAGE_BYTES, 4), 0);
    assert_int_equal(softgt_function_bar_read(w->device, 2, 2, PAGE_BYTES, 4), 2222);
    assert_int_equal(softgt_function_bar_read(w->device, 1, 0, TABLE + start / 4096 * 8, 8), 1);
    bring_up(w, 1);
    assert_int_equal(one->ggtt, start);
    a = job_make(w, 1, 0);
    job_store(&a, address(one, RESULTS), 1111);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 1111);
    /* Its driver's own reset: all it registered is gone. */
    assert_int_equal(mailbox(one, H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
    bring_up(w, 1);
    SEND(one, GUC_REQUEST, "SCHED_CONTEXT", 0);
    run(w);
    EXPECT(one, FAILURE(NOT_REGISTERED));
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
    job_store(&a, address(one, RESULTS), 1111);
    job_store(&b, address(two, RESULTS), 2222);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 0);
    assert_int_equal(at(two, RESULTS)[0], 2222);
    assert_int_equal(w->device->gucs[0].functions[1].state.run_state, VF_PAUSED);
    /* Messages wait, too. */
    assert_int_equal(mailbox(one, H2G("VF2GUC_QUERY_SINGLE_KLV"), VF_KEY("contexts"), 0, 0),
                     H2G("VF2GUC_QUERY_SINGLE_KLV")) /* no answer yet */;
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 1111);
    assert_int_equal(get(one, "GUC_MAILBOX[0]"), GUC_SUCCESS_OF(1));
    /* While its context waits in the engine: it leaves, and comes back. */
    job_wait(&a, address(one, RESULTS) + 64, 7);
    job_store(&a, address(one, RESULTS) + 4, 3333);
    run(w);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_PAUSE));
    run(w);
    assert_int_equal(w->device->gucs[0].functions[1].state.run_state, VF_PAUSED);
    at(one, RESULTS)[16] = 7;
    run(w);
    assert_int_equal(at(one, RESULTS)[1], 0);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    softgt_advance(w->device, 1000000);
    run(w);
    assert_int_equal(at(one, RESULTS)[1], 3333);
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
    enum { OWN_BIT = 15 };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    struct job j = job_make(w, 1, 0);
    job_enable_memirq(&j, INTERRUPT_USER);
    const uint32_t mask = host_get(w, "bcs0.IMR");
    job_do(&j, "MI_USER_INTERRUPT");
    run(w);
    assert_int_equal(one->memory[EVENTS + OWN_BIT * 16], MEMIRQ_RAISED);
    assert_int_equal(one->memory[EVENTS + MEMIRQ_SOURCE + OWN_BIT], MEMIRQ_RAISED);
    assert_int_equal(host_get(w, "bcs0.IMR"), mask);
    assert_int_equal(w->complaints, 0);
    /* By a command it has no right to them. */
    job_do(&j, "MI_LOAD_REGISTER_IMM { %u, 0 }; MI_USER_INTERRUPT",
           offset_named(w, "bcs0.INT_STATUS_RPT_PTR"));
    one->memory[EVENTS + OWN_BIT * 16] = 0;
    run(w);
    assert_int_equal(one->memory[EVENTS + OWN_BIT * 16], MEMIRQ_RAISED);
    assert_true(w->complaints > 0);
    world_destroy(w);
}

#define START_AND_WAIT                                                                                       \
    "MI_LOAD_REGISTER_IMM add_cs_mmio_start_offset, { %u, 2 }, { %u, 0 }\n" WAIT_EQUAL ", length = 5\n"

/* A watchdog that expires: the GuC resets the engine, the context goes on behind the wait, in the ring or in
 * a batch, and nobody is told. (Linux, emit_fake_watchdog) */
static void watchdog(void **state)
{
    (void)state;
    enum { BATCH = RESULTS + 2 * KB, NEVER = 0xdead /* nobody stores it */ };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1];
    struct job j = job_make(w, 1, 0);
    const uint32_t results = address(one, RESULTS), gpr = offset_named(w, "bcs0.CS_GPR[0]");
    job_do(&j,
           "MI_LOAD_REGISTER_IMM { %u, %u }\n" START_AND_WAIT
           "MI_STORE_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = %u\n"
           "MI_STORE_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = %u",
           gpr, PRIVATE, PR_CTR_THRSH, PR_CTR_CTL, NEVER, results + 64, gpr, results,
           offset_named(w, "bcs0.PR_CTR_CTL"), results + 4);
    run(w);
    EXPECT_EVENT(one, "SCHED_CONTEXT_MODE_DONE", 0, 1);
    assert_int_equal(at(one, RESULTS)[1], 0);
    for (unsigned i = 0; i < 4; i++) {
        softgt_advance(w->device, 1000);
        run(w);
    }
    assert_int_equal(at(one, RESULTS)[0], 0); /* registers are as after a reset */
    assert_int_equal(at(one, RESULTS)[1], 1); /* the watchdog's, too */
    assert_int_equal(w->device->gucs[0].totals.resets, 1);
    expect_nothing(one);
    /* A batch that it stops is not gone on with. */
    vf_commands_put(one, BATCH,
                    START_AND_WAIT "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u\n"
                                   "MI_BATCH_BUFFER_END",
                    PR_CTR_THRSH, PR_CTR_CTL, NEVER, results + 64, results + 8, BAD);
    job_batch(&j, address(one, BATCH));
    job_store(&j, results + 12, GOOD);
    run(w);
    assert_int_equal(at(one, RESULTS)[3], 0);
    for (unsigned i = 0; i < 4; i++) {
        softgt_advance(w->device, 1000);
        run(w);
    }
    assert_int_equal(at(one, RESULTS)[2], 0);
    assert_int_equal(at(one, RESULTS)[3], GOOD);
    expect_nothing(one);
    job_store(&j, results + 16, GOOD);
    run(w);
    assert_int_equal(at(one, RESULTS)[4], GOOD);
    assert_int_equal(w->complaints, 0);
    world_destroy(w);
}

/* The context goes on with the state that the physical function's driver keeps, which is a whole context, by
 * its address and the length of what is behind the ring's registers: that alone is taken (Linux,
 * xe_guc_ads.c); nothing of it where the functions are apart. */
static void first_state_of(bool apart)
{
    enum {
        ADS = 44 * KB,
        KEPT = 768 * KB,
        STATUS_BYTES = 4096,
        REGISTERS_BYTES = 96 * 4,
        STATE_BYTES = 1 * KB
    };
    enum { BEFORE = STATUS_BYTES + REGISTERS_BYTES };
    struct world *w = world_make(NULL, true);
    struct vf *pf = physical_begin(w), *one = &w->vfs[1];
    const unsigned number = (unsigned)(engine_of(w, CLASS_OF_COPY) - w->device->sheet->engines);
    bring_up(w, 1);
    physical_load(w);
    for (uint32_t i = 0; i < BEFORE / 4; i++)
        at(pf, KEPT)[i] = BAD;
    for (uint32_t i = 0; i < STATE_BYTES / 4; i++)
        at(pf, KEPT + BEFORE)[i] = i + 1; /* MI_NOOPs */
    at(pf, ADS + ADS_GOLDEN)[CLASS_OF_COPY] = address(pf, KEPT);
    at(pf, ADS + ADS_GOLDEN_BYTES)[CLASS_OF_COPY] = STATE_BYTES;
    w->device->gucs[0].boot.ads = address(pf, ADS);
    struct job j = job_make(w, 1, 0);
    job_do(&j, WAIT_EQUAL ", length = 5", 1, address(one, RESULTS + 64));
    job_store(&j, address(one, RESULTS), GOOD);
    run(w);
    assert_int_equal(w->device->engines[number].parse.state, SOFTGT_ENGINE_WAITING);
    static uint32_t before[(BEFORE + STATE_BYTES) / 4];
    uint32_t changed = 0;
    memcpy(before, at(one, j.lrca), sizeof before);
    static const struct vf_isolation isolated = {.is_enabled = true};
    w->device->gucs[0].isolation = apart ? &isolated : &no_vf_isolation;
    w->device->engines[number].status.watchdog_expired = true;
    guc_service_engine(&w->device->gucs[0], number);
    for (uint32_t i = 0; i < BEFORE / 4; i++)
        changed += at(one, j.lrca)[i] != before[i];
    assert_int_equal(changed, 1); /* the ring's head */
    assert_memory_equal(at(one, j.lrca + BEFORE), apart ? before + BEFORE / 4 : at(pf, KEPT + BEFORE),
                        STATE_BYTES);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], GOOD);
    assert_int_equal(w->device->gucs[0].totals.resets, 1);
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
    enum { LINE = 40 * KB };
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_make(w, 1, 0), b = job_make(w, 2, 0);
    const uint32_t in_memory = offset_named(w, "DRBREG[0]"),
                   in_registers = offset_named(w, "MMIO_DOORBELL[0]");
    const uint32_t first[VFS] = {(uint32_t)w->pf.vf_configs[0].first_doorbell,
                                 (uint32_t)w->pf.vf_configs[1].first_doorbell};
    for (unsigned n = 1; n <= 2; n++) {
        struct vf *v = &w->vfs[n];
        run(w);
        EXPECT_EVENT(v, "SCHED_CONTEXT_MODE_DONE", 0, 1);
        SEND(v, GUC_REQUEST, "ALLOCATE_DOORBELL", 0, (uint32_t)w->pf.vf_configs[n - 1].doorbell_count, 1,
             address(v, LINE));
        SEND(v, GUC_REQUEST, "ALLOCATE_DOORBELL", 0, 0, 0, DOORBELL_PAGE(0) - PAGE_BYTES);
        SEND(v, GUC_REQUEST, "ALLOCATE_DOORBELL", 0, 0, 1, address(&w->vfs[3 - n], LINE));
        SEND(v, GUC_REQUEST, "ALLOCATE_DOORBELL", 0, 0, 1, address(v, LINE));
        at(v, LINE)[0] = 1;
        run(w);
        EXPECT(v, FAILURE(PARAMETERS));
        EXPECT(v, FAILURE(ADDRESS));
        EXPECT(v, FAILURE(ADDRESS));
        EXPECT(v, SUCCESS);
        assert_int_equal(host_get_at(w, in_memory + first[n - 1] * 8), address(v, LINE) | DOORBELL_VALID);
    }
    /* It rings: there is work behind the tail that no message tells of. */
    job_store_unannounced(&a, 0, address(one, RESULTS), GOOD);
    w->device->gucs[0].functions[1].provisioning.thresholds[VF_THRESHOLD_DOORBELL_STORM] = 4;
    at(one, LINE)[0] = 2;
    run(w);
    assert_int_equal(at(one, RESULTS)[0], GOOD);
    assert_int_equal(w->pf.adverse, 0);
    /* In a page of registers: everybody has the same ones, and rings his own. */
    struct job c = job_make(w, 1, 1), d = job_make(w, 2, 1);
    SEND(one, GUC_REQUEST, "ALLOCATE_DOORBELL", 1, 1, 0, DOORBELL_PAGE(1));
    SEND(two, GUC_REQUEST, "ALLOCATE_DOORBELL", 1, 1, 0, DOORBELL_PAGE(1));
    run(w);
    /* The physical registers tell whose offset it is, 1073; also after a save and a load. */
    for (unsigned n = 1; n <= 2; n++)
        assert_int_equal(softgt_bar_read(w->device, 0, in_registers + (first[n - 1] + 1) * 8, 8),
                         (uint64_t)n << 32 | (DOORBELL_PAGE(1) | DOORBELL_VALID));
    assert_int_equal(softgt_bar_read(w->device, 0, in_registers + first[0] * 8, 8), 0);
    uint32_t dw[256];
    while (receive(one, dw) || receive(two, dw))
        assert_true(dw[0] == GUC_EVENT_OF("SCHED_CONTEXT_MODE_DONE") || dw[0] == SUCCESS);
    const struct job *const both[2] = {&c, &d};
    for (unsigned i = 0; i < 2; i++) {
        job_store_unannounced(both[i], 0, address(both[i]->v, RESULTS) + 64, GOOD);
    }
    host_put_at(w, DOORBELL_PAGE(1), 1);
    put_at(one, DOORBELL_PAGE(1), 1);
    run(w);
    assert_int_equal(at(one, RESULTS)[16], GOOD);
    assert_int_equal(at(two, RESULTS)[16], 0);
    assert_int_equal(get_at(one, DOORBELL_PAGE(1)), DOORBELL_READS);
    put_at(two, DOORBELL_PAGE(1), 1);
    run(w);
    assert_int_equal(at(two, RESULTS)[16], GOOD);
    assert_int_equal(w->pf.adverse, 0);
    at(one, LINE)[0] = 3;
    run(w);
    assert_int_equal(w->pf.adverse, 0);
    at(one, LINE)[0] = 4;
    run(w);
    assert_int_equal(w->pf.adverse, 1);
    /* The end of one's context, and one's reset, leave the other's alone. */
    SEND(two, GUC_FAST_REQUEST, "DEALLOCATE_DOORBELL", 0);
    run(w);
    assert_int_equal(at(two, LINE)[0], 0);
    assert_int_equal(host_get_at(w, in_memory + first[1] * 8), 0);
    assert_int_equal(at(one, LINE)[0], 4);
    function_level_reset(w, 1);
    run(w);
    assert_int_equal(host_get_at(w, in_memory + first[0] * 8), 0);
    assert_int_equal(at(one, LINE)[0], 0);
    job_store(&b, address(two, RESULTS), GOOD);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], GOOD);
    world_destroy(w);
}

/* A function that reaches a threshold is told of, once in a period. */
static void thresholds(void **state)
{
    (void)state;
    struct world *w = world_at_work();
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    uint32_t *const most = w->device->gucs[0].functions[1].provisioning.thresholds;
    for (unsigned i = 0; i < VF_THRESHOLDS; i++)
        most[i] = 0;
    most[VF_THRESHOLD_H2G_STORM] = 5;
    for (unsigned i = 0; i < 4; i++)
        SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT", 99);
    for (unsigned i = 0; i < 9; i++)
        SEND(two, GUC_FAST_REQUEST, "SCHED_CONTEXT", 99);
    run(w);
    assert_int_equal(w->pf.adverse, 0);
    for (unsigned i = 0; i < 9; i++)
        SEND(one, GUC_FAST_REQUEST, "SCHED_CONTEXT", 99);
    run(w);
    assert_int_equal(w->pf.adverse, 1);
    most[VF_THRESHOLD_H2G_STORM] = 0;
    most[VF_THRESHOLD_CAT_ERR] = most[VF_THRESHOLD_ENGINE_RESET] = 1;
    struct job bad = job_make(w, 1, 0);
    job_store(&bad, address(two, RESULTS), BAD);
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
    return move_whole(&w->device->gucs[0], false,
                      &(struct vf_migration_buffer){.dw = dw, .room_dw = room_dw});
}

static bool restore(struct world *w, bool apart, uint32_t *dw, uint32_t length_dw)
{
    if (!apart)
        return driver_vf_restore(&w->pf, 1, dw, length_dw);
    return move_whole(&w->device->gucs[0], true,
                      &(struct vf_migration_buffer){.dw = dw, .room_dw = length_dw}) != 0;
}

static void migrates(bool apart)
{
    enum { LINE = 40 * KB, ROOM = 4096, BITS = 32 };
    static uint32_t saved[ROOM], again[ROOM];
    struct world *w = world_make(NULL, apart);
    for (unsigned n = 1; n <= VFS; n++)
        bring_up(w, n);
    struct vf *one = &w->vfs[1], *two = &w->vfs[2];
    struct job a = job_make(w, 1, 3), b = job_make(w, 2, 3);
    SEND(one, GUC_REQUEST, "ALLOCATE_DOORBELL", 3, 2, 1, address(one, LINE));
    job_wait(&a, address(one, RESULTS) + 64, 7);
    job_store(&a, address(one, RESULTS), GOOD);
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
    function_level_reset(w, 1);
    run(w);
    for (uint32_t i = 0; i < MEMORY_BYTES / 4096; i++)
        ggtt_table_write(&w->device->memory, table + i * 8, entries[i], 8);
    enable_bus_master(w, 1);
    enable_msi(w, 1, true);
    SEND(one, GUC_REQUEST, "SCHED_CONTEXT", 3); /* which waits until it is heard */
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
    job_store(&b, address(two, RESULTS), GOOD);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], GOOD);
    assert_int_equal(at(one, RESULTS)[0], 0);
    at(one, RESULTS)[16] = 7;
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    for (unsigned i = 0; i < 4; i++) {
        softgt_advance(w->device, 1000000);
        run(w);
    }
    assert_int_equal(at(one, RESULTS)[0], GOOD);
    EXPECT_EVENT(one, "SCHED_CONTEXT_MODE_DONE", 3, 1);
    EXPECT(one, SUCCESS);
    EXPECT(one, SUCCESS); /* what waited */
    /* Its doorbell is where it was. */
    job_store_unannounced(&a, a.tail, address(one, RESULTS) + 4, 1111);
    at(one, LINE)[0] = 9;
    run(w);
    assert_int_equal(at(one, RESULTS)[1], 1111);
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
    job_store(&good, address(two, RESULTS), GOOD);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], GOOD);
    job_store(&bad, address(two, RESULTS), BAD);
    run(w);
    assert_int_equal(at(two, RESULTS)[0], GOOD);
    EXPECT_EVENT(one, "SCHED_CONTEXT_MODE_DONE", 0, 1);
    EXPECT_EVENT(one, "MEMORY_CAT_ERROR", 0);
    EXPECT_EVENT(one, "CONTEXT_RESET_NOTIFICATION", 0);
    /* On the render engine. */
    const uint32_t lrca = CONTEXTS + CONTEXT_STEP;
    struct job j = job_of(w, 1, 1, 0, lrca, lrca + RING, NULL);
    const uint32_t complaints = w->complaints;
    job_do(&j, "MI_REPORT_PERF_COUNT use_global_gtt, memory_address = %u, report_id = 119",
           address(one, RESULTS) + 1 * KB);
    job_store(&j, address(one, RESULTS), GOOD);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], GOOD);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(at(one, RESULTS + 1 * KB)[i], 0);
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
        job_wait(&j, address(&w->vfs[n], RESULTS), 1);
    }
    run(w);
    for (unsigned i = 0; i < STEPS; i++) {
        softgt_advance(w->device, MS / 10);
        run(w);
        for (unsigned e = 0; e < w->device->sheet->info.engine_count; e++)
            if (w->device->gucs[0].derived.class_of[e] == CLASS_OF_COPY &&
                w->device->gucs[0].engine_states.list[e].active != GUC_NO_CONTEXT)
                ran[w->device->gucs[0].engine_states.list[e].function]++;
    }
    const double all = ran[1] + ran[2] + ran[3];
    if (ran[1] < all * 0.09 || ran[1] > all * 0.16 || ran[2] < all * 0.33 || ran[2] > all * 0.42 ||
        ran[3] < all * 0.45)
        fail_msg("%u, %u, %u of %u", ran[1], ran[2], ran[3], STEPS);
    /* As it is counted for each; a step is 0.1 ms. */
    uint64_t busy_ms = 0;
    for (unsigned n = 1; n <= VFS; n++) {
        const uint64_t ms = guc_vf_busy_ms(&w->device->gucs[0], n);
        assert_in_range(ms, ran[n] / 10 - ran[n] / 10 / 8 - 1, ran[n] / 10 + ran[n] / 10 / 8 + 1);
        busy_ms += ms;
    }
    assert_in_range(busy_ms, STEPS / 10 - 2, STEPS / 10);
    assert_int_equal(guc_vf_busy_ms(&w->device->gucs[0], 0), 0);
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
    enum { KEYS = 44 * KB };
    struct world *w = world_make(NULL, true);
    bring_up(w, 1);
    const uint32_t others = (uint32_t)w->pf.vf_configs[VFS - 1].first_context;
    struct vf *pf = physical_begin(w);
    for (unsigned loads = 0; loads < 2; loads++) {
        physical_load(w);
        const uint32_t keys[] = {GUC_KLV(KLV_EXEC_QUANTUM, 1), 99},
                       before = w->device->gucs[0].functions[1].provisioning.exec_quantum_ms;
        memcpy(at(pf, KEYS), keys, sizeof keys);
        const uint32_t asked[][5] = {{H2G("PF2GUC_UPDATE_VF_CFG"), 1, address(pf, KEYS), 0, 2},
                                     {H2G("PF2GUC_UPDATE_VF_CFG"), 0, address(pf, KEYS), 0, 2},
                                     {H2G("PF2GUC_UPDATE_VF_CFG"), 1, address(pf, KEYS), 0, 0},
                                     {H2G("PF2GUC_SAVE_RESTORE_VF"), 1, address(pf, KEYS), 0, 0}};
        for (unsigned i = 0; i < sizeof asked / sizeof asked[0]; i++) {
            uint32_t dw[256];
            send(pf, GUC_REQUEST, (uint16_t)asked[i][0], asked[i] + 1, 4);
            run(w);
            assert_int_equal(receive(pf, dw), 1);
            assert_int_equal(dw[0] >> 28, FAILURE(KEY) >> 28);
        }
        for (uint32_t command = VF_CONTROL_PAUSE; command <= VF_CONTROL_FLR_FINISH; command++)
            SEND(pf, GUC_FAST_REQUEST, "PF2GUC_VF_CONTROL", 1, command);
        SEND(pf, GUC_FAST_REQUEST, "PF2GUC_RELAY_TO_VF", 1, 1, RELAY_SUCCESS);
        /* A context with the first id that is another's. */
        SEND(pf, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, others, CLASS_OF_COPY, 1, 0, 0, 0, 0, 0,
             address(pf, CONTEXTS) | CTX_FLAGS, 0);
        run(w);
        assert_int_equal(guc_context(&w->device->gucs[0], others)->flags, 0);
        uint32_t dw[256];
        while (receive(pf, dw))
            ;
        assert_int_equal(w->device->gucs[0].functions[1].provisioning.exec_quantum_ms, before);
        assert_int_equal(w->device->gucs[0].functions[1].state.run_state, VF_RUNNING);
        struct job a = job_make(w, 0, 5), b = job_make(w, 1, loads);
        job_store(&a, address(pf, RESULTS), GOOD + loads);
        job_store(&b, address(&w->vfs[1], RESULTS), GOOD + loads);
        run(w);
        assert_int_equal(at(pf, RESULTS)[0], GOOD + loads);
        assert_int_equal(at(&w->vfs[1], RESULTS)[0], GOOD + loads);
    }
    world_destroy(w);
}

/* BAR 2 of the physical one is as its driver takes it to be: the least power of two that has what is its own,
 * 256 MB at least. Where that is all, the BAR shows all. (Linux 6.12, i915_resize_lmem_bar) */
static void apart_has_its_bar(void **state)
{
    (void)state;
    static const struct {
        uint64_t own_mb, bar_mb;
    } sizes[] = {{16, 256}, {256, 256}, {257, 512}, {380, 512}, {513, 1024}, {1025, 2048}};
    struct softgt_bar_info info;
    struct world *w = world_make(NULL, true);
    struct memory *const m = &w->device->memory;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        w->device->isolation.pf_local_bytes = sizes[i].own_mb * MB;
        softgt_reset(w->device);
        assert_true(softgt_bar_get_info(w->device, SOFTGT_BAR_LOCAL, &info));
        const uint64_t expected = sizes[i].bar_mb * MB;
        assert_int_equal(info.size_bytes, expected < m->local_bytes ? expected : m->local_bytes);
    }
    w->device->isolation.pf_local_bytes = 0;
    softgt_reset(w->device);
    assert_true(softgt_bar_get_info(w->device, SOFTGT_BAR_LOCAL, &info));
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
        SEND(&w->vfs[2], GUC_REQUEST, "VF2GUC_RELAY_TO_PF", i, RELAY_HANDSHAKE, RELAY_VERSION);
        softgt_run(w->device, 1 << 10);
        uint32_t dw[256];
        while (receive(&w->vfs[2], dw))
            ;
    }
    assert_in_range(w->device->gucs[0].pf_relay_queue.count, 1, G2H_BACKLOG_DW / 2);
    for (unsigned i = 0; i < 2000; i++)
        function_level_reset(w, 1);
    function_level_reset(w, 3);
    assert_in_range(w->device->gucs[0].pf_relay_queue.count, 1, G2H_BACKLOG_DW);
    run(w);
    for (unsigned n = 1; n <= VFS; n++)
        assert_int_equal(w->device->gucs[0].functions[n].state.run_state, VF_RUNNING);
    assert_int_equal(w->device->gucs[0].pf_relay_queue.count, 0);
    bring_up(w, 3);
    struct job j = job_make(w, 3, 0);
    job_store(&j, address(&w->vfs[3], RESULTS), GOOD);
    run(w);
    assert_int_equal(at(&w->vfs[3], RESULTS)[0], GOOD);
    world_destroy(w);
}

/* The resets that the driver of the physical function has, and a conventional one. */
enum { RESETS = 4 };
static void reset_by(struct world *w, unsigned number)
{
    if (number == 0)
        host_put(w, "GDRST", GDRST_GUC);
    else if (number == 1)
        host_put(w, "GDRST", GDRST_FULL);
    else if (number == 2)
        HOST_PUT(w, "GU_CNTL", {"Driver FLR", 1});
    else
        softgt_reset(w->device);
}

/* What the physical function's driver resets is its own: work of functions that are apart goes on, in an
 * engine that was reset from where it was saved last. */
static void apart_from_resets(void **state)
{
    (void)state;
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
        const uint32_t number = 100 + i;
        struct job j = job_make(w, 1, i), k = job_make(w, 2, i);
        at(one, RESULTS)[i] = at(two, RESULTS)[i] = 0;
        job_wait(&j, address(one, RESULTS + i * 4), number);
        job_store(&j, address(one, RESULTS + 0x40 + i * 4), number);
        job_store(&k, address(two, RESULTS + i * 4), number);
        softgt_run(w->device, 1 << 10);
        reset_by(w, i);
        run(w);
        assert_int_equal(at(one, RESULTS + 0x40)[i], 0);
        at(one, RESULTS)[i] = number;
        softgt_advance(w->device, 100000000);
        run(w);
        assert_int_equal(at(one, RESULTS + 0x40)[i], number);
        assert_int_equal(at(two, RESULTS)[i], number);
        /* Its time is shared out, too, whatever its driver says to the microcontroller. */
        assert_int_equal(w->device->gucs[0].functions[0].provisioning.exec_quantum_ms, 6);
    }
    /* A doorbell that rang before is not lost, and a message has its answer; doorbells stay armed. */
    struct vf *const one = &w->vfs[1];
    const struct job j = job_make(w, 1, 9);
    const uint32_t shows =
        offset_named(w, "MMIO_DOORBELL[0]") + (uint32_t)w->pf.vf_configs[0].first_doorbell * 8;
    SEND(one, GUC_REQUEST, "ALLOCATE_DOORBELL", 9, 0, 0, DOORBELL_PAGE(1));
    run(w);
    for (uint32_t i = 0; i < 4; i++) {
        job_store_unannounced(&j, i * 16, address(one, RESULTS + 256), GOOD + i);
        put_at(one, DOORBELL_PAGE(1), 1);
        assert_int_equal(mailbox(one, H2G("VF2GUC_QUERY_SINGLE_KLV"), VF_KEY("contexts"), 0, 0),
                         GUC_SUCCESS_OF(1));
        reset_by(w, i);
        assert_int_equal(get(one, "GUC_MAILBOX[0]"), GUC_SUCCESS_OF(1));
        assert_int_equal(softgt_bar_read(w->device, 0, shows, 8),
                         UINT64_C(1) << 32 | (DOORBELL_PAGE(1) | DOORBELL_VALID));
        run(w);
        assert_int_equal(at(one, RESULTS + 256)[0], GOOD + i);
    }
    world_destroy(w);
}

/* Nor does it reach what is theirs, each of which is told: by a list that names a function, and a context of
 * that one. */
static void apart_from_its_lists(void **state)
{
    (void)state;
    struct world *w = world_make(NULL, true);
    struct vf *one = &w->vfs[1];
    bring_up(w, 1);
    struct job j = job_make(w, 1, 0);
    job_store(&j, address(one, RESULTS), 1);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 1);
    job_store_unannounced(&j, j.tail, address(one, RESULTS), 2);
    const uint32_t base = engine_of(w, CLASS_OF_COPY)->mmio_base;
    softgt_bar_write(w->device, 0, TABLE, 1, 8); /* a page for the engine's status */
    host_put_at(w, base + GFX_MODE, GFX_MODE_NO_LEGACY << 16 | GFX_MODE_NO_LEGACY);
    softgt_bar_write(w->device, 0, base + EXECLIST_SQ_CONTENTS,
                     address(one, j.lrca) | CTX_FLAGS | CTX_FORCE_RESTORE, 4);
    host_put_at(w, base + EXECLIST_SQ_CONTENTS + 4, 1);
    host_put_at(w, base + EXECLIST_CONTROL, 1);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 1);
    assert_true(w->complaints);
    world_destroy(w);
}

/* By pages of local memory, the table of the GGTT there, and page tables. */
static void apart_in_local_memory(void **state)
{
    (void)state;
    enum { TOP = 4 * KB, NEXT = 8 * KB, LARGE = 12 * KB, SMALL = 16 * KB, FIFTH = 20 * KB };
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
    const uint64_t fifth = TOP | VALID;
    softgt_local_write(w->device, FIFTH, &fifth, 8);
    const bool has_fifth = w->device->sheet->memory.format->ppgtt_levels == 5;
    u->root = (struct ppgtt_root){.mode = PPGTT_48, .directory = {has_fifth ? FIFTH : TOP}};
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
    const uint32_t number = GOOD;
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
    enum { NUMBER = PRIVATE, IMAGE = CONTEXTS + 2 * CONTEXT_STEP };
    struct world *w = world_make(NULL, true);
    struct vf *one = &w->vfs[1];
    physical_begin(w);
    physical_load(w);
    bring_up(w, 1);
    struct job j = job_make(w, 1, 0);
    const uint32_t at_gpr = engine_of(w, CLASS_OF_COPY)->mmio_base + CS_GPR;
    job_write(&j, at_gpr, NUMBER);
    job_wait(&j, address(one, RESULTS), 7);
    run(w);
    softgt_advance(w->device, 1000000);
    assert_int_equal(register_value(&w->device->mmio, at_gpr), NUMBER);
    assert_int_equal(host_get_at(w, at_gpr), 0);
    assert_int_equal(softgt_bar_read(w->device, 0, at_gpr - 1, 2), 0);
    host_put_at(w, at_gpr, BAD);
    assert_int_equal(w->complaints, 3);
    assert_int_not_equal(host_get(w, "bcs0.TIMESTAMP"), 0);
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
    job_read(&j, at_gpr, address(one, RESULTS + 4));
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
    enum { MAILBOX = GUC_MAILBOX + 4, NUMBER = 12345678 };
    struct world *w = world_make(NULL, true);
    struct vf *one = &w->vfs[1];
    bring_up(w, 1);
    put_at(one, MAILBOX, NUMBER);
    assert_int_equal(host_get_at(w, offset_of_vf(MAILBOX, 1)), 0);
    assert_int_equal(softgt_bar_read(w->device, 0, offset_of_vf(GUC_FUNCTION_FIRST, 1) - 4, 8), 0);
    host_put_at(w, offset_of_vf(MAILBOX, 1), H2G("CLIENT_SOFT_RESET"));
    host_put_at(w, offset_of_vf(GUC_HOST_INTERRUPT, 1), 0);
    assert_int_equal(w->complaints, 4);
    assert_int_equal(get_at(one, MAILBOX), NUMBER);
    struct job j = job_make(w, 1, 0);
    SEND(one, GUC_FAST_REQUEST, "ALLOCATE_DOORBELL", 0, 0, 0, DOORBELL_PAGE(1));
    run(w);
    job_store_unannounced(&j, 0, address(one, RESULTS), 2);
    host_put(w, "DOORBELL_CTRL", 0);
    put_at(one, DOORBELL_PAGE(1), 1);
    run(w);
    assert_int_equal(at(one, RESULTS)[0], 2);
    world_destroy(w);
}

/* Nor by lists of registers that its driver gives the microcontroller: what is theirs is neither captured,
 * nor kept over a reset, nor written, whatever an entry says; what is its own is. */
static void apart_from_its_registers(void **state)
{
    (void)state;
    enum {
        ADS = 44 * KB,
        KEPT = 640 * KB,
        LIST = KEPT + 4 * KB,
        LOG = LIST + 4 * KB,
        CAPTURED = LOG + 12 * KB
    };
    enum {
        LOG_VALID = 1,
        GATE = RESULTS + 64,
        NUMBER = PRIVATE,
        MAIL = GUC_MAILBOX + GUC_FUNCTION_BYTES,
        NOTIFY = GUC_HOST_INTERRUPT + GUC_FUNCTION_BYTES,
        WAYS = 3,
        LISTED = 4
    };
    static const struct {
        uint32_t flags, mask;
    } ways[WAYS] = {{.flags = 8}, {.flags = 4, .mask = UINT32_MAX}, {.flags = 4, .mask = UINT16_MAX}};
    for (unsigned way = 0; way < WAYS; way++) {
        struct world *w = world_make(NULL, true);
        struct vf *pf = physical_begin(w), *one = &w->vfs[1];
        const struct engine_info *const render = engine_of(w, 0), *const copy = engine_of(w, CLASS_OF_COPY);
        const struct engine *const e = &w->device->engines[render - w->device->sheet->engines];
        bring_up(w, 1);
        physical_load(w);
        w->device->gucs[0].boot.ads = address(pf, ADS);
        w->device->gucs[0].boot.log = address(pf, LOG) | LOG_VALID;
        const uint32_t kept[][2] = {{render->mmio_base + CS_GPR, BAD},
                                    {render->mmio_base + RING_BUFFER_HEAD, 0x40},
                                    {render->mmio_base + RING_BUFFER_TAIL, 0},
                                    {MAIL, H2G("CLIENT_SOFT_RESET")},
                                    {MAIL + 4, 0},
                                    {NOTIFY, 1},
                                    {copy->mmio_base + NOPID, 0x4d}};
        const uint32_t count = sizeof kept / sizeof kept[0];
        for (uint32_t i = 0; i < count; i++)
            memcpy(at(pf, KEPT + i * 16),
                   (const uint32_t[]){kept[i][0], kept[i][1], ways[way].flags, ways[way].mask}, 16);
        at(pf, ADS + ADS_REGISTERS)[CLASS_OF_COPY * 32 * 2] = address(pf, KEPT);
        at(pf, ADS + ADS_REGISTERS)[CLASS_OF_COPY * 32 * 2 + 1] = count;
        const uint32_t listed[LISTED] = {copy->mmio_base + RING_BUFFER_START,
                                         render->mmio_base + RING_BUFFER_START, render->mmio_base + CS_GPR,
                                         MAIL + 4};
        at(pf, LIST)[0] = LISTED;
        for (uint32_t i = 0; i < LISTED; i++)
            at(pf, LIST + 4 + i * 16)[0] = listed[i];
        at(pf, ADS + ADS_CAPTURE_GLOBAL)[0] = address(pf, LIST);
        put_at(one, GUC_MAILBOX + 4, 123);
        struct job j = job_of(w, 1, 0, CLASS_OF_RENDER, CONTEXTS, CONTEXTS + 96 * KB, NULL);
        job_write(&j, render->mmio_base + CS_GPR, NUMBER);
        job_wait(&j, address(one, GATE), 1);
        job_read(&j, render->mmio_base + CS_GPR, address(one, RESULTS));
        run(w);
        assert_int_equal(e->parse.state, SOFTGT_ENGINE_WAITING);
        assert_int_equal(engine_register(e, CS_GPR), NUMBER);
        assert_int_not_equal(engine_register(e, RING_BUFFER_START), 0);
        struct job bad = job_make(w, 0, 0);
        job_store(&bad, 2032u * MB, 1);
        run(w);
        assert_int_equal(w->device->gucs[0].totals.resets, 1);
        const uint32_t *const captured = at(pf, CAPTURED) + 2 + 5;
        assert_int_equal(captured[-1], LISTED);
        for (uint32_t i = 0; i < LISTED; i++) {
            assert_int_equal(captured[i * 4], listed[i]);
            assert_int_equal(captured[i * 4 + 1], i ? 0 : address(pf, bad.ring));
        }
        assert_int_equal(host_get_at(w, copy->mmio_base + NOPID), 0x4d);
        assert_int_equal(get_at(one, GUC_MAILBOX + 4), 123);
        assert_int_equal(e->parse.state, SOFTGT_ENGINE_WAITING);
        at(one, GATE)[0] = 1;
        run(w);
        assert_int_equal(at(one, RESULTS)[0], NUMBER);
        world_destroy(w);
    }
}

/* ---- Isolation ---- */

#define ALL_BYTES UINT64_C(0x0101010101010101)

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
        memset(w->vfs[n].memory + RESULTS, 64 + (int)n, PAGE_BYTES);
    }
    for (unsigned n = 2; n <= VFS; n++)
        for (uint32_t offset = 0; offset < 64 << 10; offset += 8)
            softgt_function_bar_write(w->device, n, 2, offset, n * ALL_BYTES, 8);
    uint8_t *before[VFS + 1];
    for (unsigned n = 2; n <= VFS; n++) {
        before[n] = malloc(MEMORY_BYTES);
        memcpy(before[n], w->vfs[n].memory, MEMORY_BYTES);
    }
    struct softgt_bar_info local;
    assert_true(softgt_function_bar_get_info(w->device, 1, 2, &local));
    uint64_t random = 0x9e3779b97f4a7c15;
    for (unsigned i = 0; i < accesses; i++) {
        const uint64_t r = next_random(&random), value = next_random(&random);
        const unsigned size = 1u << (r & 3u);
        uint64_t offset = r >> 8;
        unsigned bar = 0;
        switch (r >> 4 & 7) {
        case 0: /* entries, anybody's */
        case 1:
            offset = TABLE + (w->vfs[1 + (offset & 3u) % VFS].ggtt / 4096) * 8 + offset % (16 * KB);
            break;
        case 2:
            offset = TABLE + offset % TABLE;
            break;
        case 3: /* registers; near its own ones, too */
            offset = offset % (8 << 20);
            break;
        case 4:
            offset = GUC_FUNCTION_FIRST + offset % (16 * KB);
            break;
        case 5: /* doorbells, and where others have their mailboxes */
            offset = (offset & 1u ? GUC_DOORBELL_FIRST : offset_of_vf(GUC_MAILBOX, 1)) + offset % (16 * KB);
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
            assert_int_equal(softgt_function_bar_read(w->device, n, 2, offset, 8), n * ALL_BYTES);
        assert_int_equal(mailbox(v, H2G("VF2GUC_QUERY_SINGLE_KLV"), VF_KEY("contexts"), 0, 0),
                         GUC_SUCCESS_OF(1));
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
    job_wait(&a, address(a.v, RESULTS), 1);
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
    enum { IN_VF = 384 * KB, IN_PF = 896 * KB, RC6 = 3 };
    struct world *w = world_at_work();
    struct guc *g = &w->device->gucs[0];
    const struct vf *v = &w->vfs[1];
    const uint64_t page = v->ggtt + 128 * KB, entry = TABLE + page / 4096 * 8;
    struct mmu *const all[] = {&g->functions[1].mmu, &w->device->oa.mmu, &w->device->oam.mmu};
    const uint64_t own = UINT64_C(16) * MB - 128 * KB; /* of the GGTT, the physical function's */
    uint32_t dw = 0;
    memset(w->vfs[1].memory + IN_VF, 0x11, 4096);
    memset(w->vfs[1].memory + IN_VF + 4096, 0x22, 4096);
    memset(w->vfs[0].memory + IN_PF, 0x11, 4096);
    memset(w->vfs[0].memory + IN_PF + 4096, 0x22, 4096);
    for (unsigned round = 0; round < 2; round++) {
        const uint32_t step = round * PAGE_BYTES;
        softgt_function_bar_write(w->device, 1, 0, entry, (IN_VF + step) | 1u, 8);
        softgt_function_bar_write(w->device, 0, 0, TABLE + own / 4096 * 8, (IN_PF + step) | 1u, 8);
        for (unsigned i = 0; i < (w->device->sheet->oam ? 3 : 2); i++) {
            assert_true(mmu_load(all[i], SPACE_GGTT, i ? own : page, &dw, 4));
            assert_int_equal(dw, at(i ? &w->vfs[0] : &w->vfs[1], (i ? IN_PF : IN_VF) + step)[0]);
        }
        /* Asleep, by the GuC's leave. */
        g->power.rc6 = 1;
        w->device->gts[0].controller_decides = true;
        softgt_advance(w->device, 100000000);
        assert_int_equal(register_field(w->device, "GT_CORE_STATUS", "State", host_get(w, "GT_CORE_STATUS")),
                         RC6);
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
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
