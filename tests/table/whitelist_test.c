/* CSP-16: each register of the devices, written by a batch without privilege on each engine: stored where the
 * manual's tables list it, dropped and told where they do not. */
#include "../suite.h"
#include "../streamer.h"

#include "device/device.h"

enum { RCS = 1, BCS = 2, VCS = 4, VECS = 8, GEN9_TOO = 16, GLOBAL = 32 };

/* The tables: offsets from the engine's base, or from zero. */
static const struct {
    uint32_t offset, dwords;
    unsigned where;
} listed[] = {
    /* RCS and POCS */
    {0x7000, 1, GLOBAL | RCS | GEN9_TOO},
    {0x7004, 1, GLOBAL | RCS | GEN9_TOO},
    {0x7008, 1, GLOBAL | RCS | GEN9_TOO},
    {0x7034, 1, GLOBAL | RCS | GEN9_TOO},
    {0xe5f4, 1, GLOBAL | RCS | GEN9_TOO},
    {0x094, 1, RCS | GEN9_TOO},
    {0x18094, 1, GLOBAL | RCS},
    {0x0c0, 1, RCS | GEN9_TOO},
    {0x180c0, 1, GLOBAL | RCS},
    {0x310, 2, RCS | GEN9_TOO},
    {0x18310, 2, GLOBAL | RCS},
    {0x318, 2, RCS | GEN9_TOO},
    {0x18318, 2, GLOBAL | RCS},
    {0x320, 2, RCS | GEN9_TOO},
    {0x18320, 2, GLOBAL | RCS},
    {0x300, 2, RCS | GEN9_TOO},
    {0x308, 2, RCS | GEN9_TOO},
    {0x328, 2, RCS | GEN9_TOO},
    {0x330, 2, RCS | GEN9_TOO},
    {0x5200, 8, GLOBAL | RCS | GEN9_TOO},
    {0x5240, 8, GLOBAL | RCS | GEN9_TOO},
    {0x5280, 4, GLOBAL | RCS | GEN9_TOO},
    {0x338, 2, RCS | GEN9_TOO},
    {0x18338, 2, GLOBAL | RCS},
    {0x340, 2, RCS | GEN9_TOO},
    {0x18340, 2, GLOBAL | RCS},
    {0x2c8, 2, RCS | GEN9_TOO},
    {0x2d8, 2, RCS | GEN9_TOO},
    {0x2f0, 2, RCS | GEN9_TOO},
    {0x2f8, 2, RCS | GEN9_TOO},
    {0x448, 2, RCS | GEN9_TOO},
    {0x450, 2, RCS | GEN9_TOO},
    {0x458, 2, RCS},
    {0x460, 2, RCS},
    {0x468, 2, RCS},
    {0x470, 2, RCS},
    {0x4a0, 2, RCS},
    {0x4a8, 2, RCS},
    {0x5d0, 2, RCS},
    {0x5b0, 2, RCS},
    {0x5d8, 2, RCS},
    {0x5b8, 2, RCS},
    {0x478, 2, RCS},
    {0x500, 3, RCS | GEN9_TOO},
    /* CS_CHICKEN1, TD_CTL: not in the tables, but software writes them (IGT's gem_ctx_isolation) */
    {0x580, 1, RCS},
    {0xe400, 2, GLOBAL | RCS | GEN9_TOO},
    /* 3D_CHICKEN3, CS_DEBUG_MODE2, ROW_CHICKEN_4: the same (Mesa, Intel's OpenCL) */
    {0x2090, 1, GLOBAL | RCS | GEN9_TOO},
    {0x20d8, 1, GLOBAL | RCS | GEN9_TOO},
    {0xe48c, 1, GLOBAL | RCS},
    {0x400, 7, RCS | GEN9_TOO}, /* SRC0, SRC1, DATA, RESULT */
    {0x18400, 7, GLOBAL | RCS},
    {0x41c, 1, RCS | GEN9_TOO},
    {0x1841c, 1, GLOBAL | RCS},
    {0x3bc, 1, RCS | GEN9_TOO},
    {0x183bc, 1, GLOBAL | RCS},
    {0x420, 1, RCS | GEN9_TOO},
    {0x18420, 1, GLOBAL | RCS},
    {0x430, 5, RCS | GEN9_TOO},
    {0x18430, 5, GLOBAL | RCS},
    {0x690, 3, RCS},
    {0x18690, 3, GLOBAL | RCS},
    {0x290, 2, RCS | GEN9_TOO},
    {0x158, 1, RCS | GEN9_TOO},
    {0x18158, 1, GLOBAL | RCS},
    {0x600, 32, RCS | BCS | VCS | VECS | GEN9_TOO},
    {0x18600, 32, GLOBAL | RCS},
    {0x360, 2, RCS | GEN9_TOO},
    {0xb00, 1, RCS | GEN9_TOO},
    {0x91b8, 4, GLOBAL | RCS},
    {0x178, 2, RCS | BCS | VCS | VECS | GEN9_TOO},
    {0xe518, 1, GLOBAL | RCS},
    {0x18590, 1, GLOBAL | RCS},
    {0x084, 1, RCS | GEN9_TOO},
    {0xb0a4, 1, GLOBAL | RCS | GEN9_TOO},
    {0x7040, 1, GLOBAL | RCS},
    /* BCS */
    {0x200, 1, BCS | GEN9_TOO},
    /* VCS: MFC, HuC, HEVC beside the streamer */
    {0x800, 512, VCS},
    {0x2064, 1, VCS},
    {0x2080, 1, VCS},
    {0x20a0, 4, VCS},
    {0x2800, 64, VCS},
};

struct allowed {
    bool *by_dword;
    uint32_t count;
};

static unsigned class_of(const struct streamer *s)
{
    return 1u << streamer_status(s).engine_class;
}

static void allow(bool *by_dword, uint32_t offset, uint32_t dwords)
{
    for (uint32_t i = 0; i < dwords; i++)
        by_dword[offset / 4u + i] = true;
}

static void expect_listed(const struct streamer *s, bool gen9, bool *by_dword)
{
    const unsigned class = class_of(s);
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++)
        if (listed[i].where & class && (!gen9 || listed[i].where & GEN9_TOO))
            allow(by_dword, listed[i].offset + (listed[i].where & GLOBAL ? 0 : s->base), listed[i].dwords);
    if (gen9)
        return;
    /* Compression IP, 1024 dwords: VEBOX-0, VDBOX-0, VDBOX-1 */
    const char *name = streamer_status(s).name;
    if (strcmp(name, "vecs0") == 0)
        allow(by_dword, 0x1b000, 1024);
    if (strcmp(name, "vcs0") == 0)
        allow(by_dword, 0x15000, 1024);
    if (strcmp(name, "vcs1") == 0)
        allow(by_dword, 0x1a000, 1024);
}

static void note_dropped(void *user, const struct softgt_report *report)
{
    bool *dropped = user;
    unsigned offset;
    if (sscanf(report->text, "MI_LOAD_REGISTER_IMM: register %x is privileged", &offset) == 1)
        dropped[offset / 4u] = true;
}

static uint32_t load_imm(uint32_t *dw, uint32_t offset, uint32_t value)
{
    dw[0] = (uint32_t)MI_LOAD_REGISTER_IMM | 1u;
    dw[1] = offset;
    dw[2] = value;
    return 3;
}

/* One write: stored as the register takes it, or without effect. */
static void check_stored(struct streamer *s, const struct register_slot *slot, uint32_t offset, bool may)
{
    const uint32_t value = 0xa5a5a5a5u ^ offset * 0x01010101u;
    const bool masked = slot->kind == REG_MASKED;
    const uint32_t before = s->device->mmio.value[offset / 4u];
    uint32_t dw[3];
    batch_run(s, dw, load_imm(dw, offset, masked ? 0xffff0000u | value : value), true);
    const uint32_t after = s->device->mmio.value[offset / 4u];
    const uint32_t stored = (before & ~slot->writable) | (value & slot->writable);
    /* Some registers change by themselves; what was written is in none that is not listed. */
    if (may ? after != stored : after == stored && stored != before)
        fail_msg("%s: register %05x (%s): %08x after a write of %08x", streamer_status(s).name, offset,
                 slot->row->name, after, value);
}

static void whitelists(const char *device)
{
    const bool gen9 = strncmp(device, "skl", 3) == 0;
    struct streamer *s = streamer_create(device);
    const uint32_t registers = (uint32_t)softgt_info(s->device)->mmio_bytes / 4u;
    bool *may = calloc(registers, 1), *dropped = calloc(registers, 1);
    uint32_t *dw = calloc(BATCH_ROOM_DW, 4);
    assert_true(may && dropped && dw);
    s->reported = note_dropped;
    s->user = dropped;
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++) {
        streamer_start(s, e);
        const struct register_file *f = &s->device->mmio;
        memset(may, 0, registers);
        expect_listed(s, gen9, may);
        unsigned found = 0;
        for (uint32_t i = 0; i < registers; i++) {
            const struct register_slot *slot = register_slot_at(f, i * 4u);
            const bool near = i * 4u - s->base < 0x4000u;
            if (may[i] && !slot->row)
                fail_msg("%s: listed register %05x is not there", streamer_status(s).name, i * 4u);
            if (!slot->row && !near)
                continue;
            dropped[i] = false;
            const uint64_t before = streamer_status(s).dropped;
            if (slot->row) {
                check_stored(s, slot, i * 4u, may[i]);
            } else {
                uint32_t one[3];
                batch_run(s, one, load_imm(one, i * 4u, 0xffffffff), true);
            }
            if (dropped[i] == may[i] || streamer_status(s).dropped - before != dropped[i])
                fail_msg("%s: register %05x (%s) is %s", streamer_status(s).name, i * 4u,
                         slot->row ? slot->row->name : "none",
                         may[i] ? "listed and dropped" : "not listed, and written");
            found += may[i];
        }
        assert_true(found >= 34);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        /* A dropped write is an error, and the error an interrupt. */
        assert_int_equal(register_get(s, s->base + EIR_AT), 4);
        assert_int_equal(s->master_errors, streamer_status(s).dropped);
    }
    free(may);
    free(dropped);
    free(dw);
    streamer_destroy(s);
}

static void whitelists_gen9(void **state)
{
    (void)state;
    whitelists("skl-gt3");
}

static void whitelists_gen11(void **state)
{
    (void)state;
    whitelists("icl");
}

static void whitelists_of_every_engine(void **state)
{
    (void)state;
    whitelists("lkf");
}

static bool user_writes(struct streamer *s, uint32_t offset, uint32_t value)
{
    uint32_t dw[3];
    const uint64_t before = streamer_status(s).dropped;
    batch_run(s, dw, load_imm(dw, offset, value), true);
    return streamer_status(s).dropped == before;
}

enum { FORCE_TO_NONPRIV_AT = 0x4d0, HWSTAM_AT = 0x098, MI_PREEMPT_DLY_AT = 0x214 };

/* Each of the twelve registers of each engine opens one register, to that engine alone. */
static void slots_open(const char *device)
{
    struct streamer *s = streamer_create(device);
    const unsigned engines = softgt_info(s->device)->engine_count;
    for (unsigned e = 0; e < engines; e++)
        for (unsigned slot = 0; slot < 12; slot++) {
            streamer_start(s, e);
            const uint32_t hwstam = s->base + HWSTAM_AT, open = s->base + FORCE_TO_NONPRIV_AT + slot * 4u;
            assert_false(user_writes(s, hwstam, 0x1111));
            assert_int_equal(register_get(s, hwstam), 0xffffffff);
            register_put(s, open, hwstam);
            assert_true(user_writes(s, hwstam, 0x2222));
            assert_int_equal(register_get(s, hwstam), 0x2222);
            assert_false(user_writes(s, s->base + MI_PREEMPT_DLY_AT, 0x3333));
            assert_true(user_writes(s, s->base + GPR_AT, 0x4444));
            register_put(s, open, 0);
            assert_false(user_writes(s, hwstam, 0x5555));
            assert_int_equal(register_get(s, hwstam), 0x2222);
            /* A batch cannot open registers to itself. */
            assert_false(user_writes(s, open, hwstam));
            assert_false(user_writes(s, hwstam, 0x6666));
            /* Another engine's slot opens nothing here. */
            struct softgt_engine_status other;
            assert_true(softgt_engine_get_status(s->device, (e + 1) % engines, &other));
            register_put(s, other.mmio_base + FORCE_TO_NONPRIV_AT + slot * 4u, hwstam);
            assert_false(user_writes(s, hwstam, 0x7777));
        }
    streamer_destroy(s);
}

static void nonpriv_slots(void **state)
{
    (void)state;
    slots_open("skl-gt3");
    slots_open("icl");
}

/* Gen11: ranges, access, denial. */
static void nonpriv_ranges(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("icl");
    const uint32_t slot = s->base + FORCE_TO_NONPRIV_AT + 11 * 4;
    for (unsigned range = 0; range < 4; range++) {
        const uint32_t count = 1u << 2 * range, first = 0x9800;
        register_put(s, slot, first | range);
        for (uint32_t i = 0; i < 70; i++) {
            const uint32_t offset = first + i * 4u;
            assert_int_equal(user_writes(s, offset, 0), i < count);
        }
    }
    const uint32_t hwstam = s->base + HWSTAM_AT, gpr = s->base + GPR_AT;
    static const bool writable[4] = {true, false, true, false}; /* read and write, read, write, none */
    for (unsigned access = 0; access < 4; access++) {
        register_put(s, slot, hwstam | access << 28);
        assert_int_equal(user_writes(s, hwstam, 1), writable[access]);
    }
    assert_true(user_writes(s, gpr, 0x77));
    register_put(s, slot, gpr | 1u << 30);
    assert_false(user_writes(s, gpr, 0x88));
    assert_int_equal(register_get(s, gpr), 0x77);
    assert_true(user_writes(s, gpr + 8, 0x88));
    register_put(s, slot, 0);
    assert_true(user_writes(s, gpr, 0x99));
    streamer_destroy(s);
    /* Gen9 has none of it. */
    s = streamer_create("skl");
    register_put(s, slot, 0x2200 | 3);
    assert_true(user_writes(s, 0x2200, 0));
    assert_false(user_writes(s, 0x2204, 0));
    register_put(s, slot, gpr | 1u << 30);
    assert_true(user_writes(s, gpr, 0x88));
    streamer_destroy(s);
}

/* Each streamer has modes of its own, which images of contexts bring (aubstream), and users of engines with
 * threads write (NEO, through the remapping of offsets, Mesa; Linux, Wa_18022495364). What units have for all
 * of them both may write: the partition of the L3 cache (Mesa). */
static void engines_with_threads(void **state)
{
    (void)state;
    enum { CS_DEBUG_MODE2_AT = 0x0d8, L3ALLOC_AT = 0xb134, DEBUG = 1 << 5 };
    static const char *const devices[] = {"skl", "icl", "tgl", "dg2"};
    for (unsigned d = 0; d < 4; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const unsigned engines = softgt_info(s->device)->engine_count;
        for (unsigned e = 0; e < engines; e++) {
            streamer_start(s, e);
            const enum softgt_engine_class class = streamer_status(s).engine_class;
            const bool threads = class == SOFTGT_CLASS_RENDER || class == SOFTGT_CLASS_COMPUTE;
            const uint32_t own = s->base + CS_DEBUG_MODE2_AT;
            uint32_t dw[3];
            ring_run(s, dw, load_imm(dw, own, DEBUG << 16 | DEBUG));
            assert_int_equal(register_get(s, own), DEBUG);
            assert_int_equal(user_writes(s, own, DEBUG << 16), threads);
            assert_int_equal(register_get(s, own), threads ? 0 : DEBUG);
            struct softgt_engine_status other;
            assert_true(softgt_engine_get_status(s->device, (e + 1) % engines, &other));
            assert_false(user_writes(s, other.mmio_base + CS_DEBUG_MODE2_AT, DEBUG << 16 | DEBUG));
            assert_int_equal(register_get(s, other.mmio_base + CS_DEBUG_MODE2_AT), 0);
            if (d < 2)
                continue;
            assert_int_equal(user_writes(s, L3ALLOC_AT, 0xd0000020), threads);
            assert_int_equal(register_get(s, L3ALLOC_AT), threads ? 0xd0000020 : 0);
        }
        streamer_destroy(s);
    }
}

/* ---- What users write is a context's (CSP-18) ---- */

static bool in_image(const struct engine *e, uint32_t offset)
{
    for (struct image_walk w = image_begin(e->info->contexts.image, e->info->mmio_base); image_next(&w);)
        if (image_is_register(&w) && w.value == offset)
            return true;
    return false;
}

static bool users_write(const struct engine *e, const struct register_slot *slot)
{
    if (!slot->row)
        return false;
    if (slot->owner == e)
        return slot->flags & (REG_NONPRIV_WRITE | REG_RENDER_NONPRIV_WRITE);
    for (unsigned i = 0; i < e->peers.count; i++)
        if (slot->owner == &e->peers.engines[i])
            return false;
    return slot->flags & REG_RENDER_NONPRIV_WRITE && engine_has_threads(e);
}

/* What IGT expects of no context (gem_ctx_isolation), pulses that keep nothing, and tables of tiled
 * resources, which are not modelled. */
static bool of_no_context(const char *name)
{
    static const char *const names[] = {
        "NOPID",      "POCS_NOPID", "MI_PREDICATE_RESULT_2", "POCS_MI_PREDICATE_RESULT_2", "OACONTROL",
        "PERF_CNT_1", "PERF_CNT_2", "GFX_CCS_AUX_INV",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "COMPCS0_", 8) == 0 || strstr(name, "_TRTT_") != NULL;
}

/* Registers of units that all render and compute engines share go with the render engine's contexts, video
 * and enhancement units beside the streamer with none. */
static void image_has_what_users_write(const char *device)
{
    struct streamer *s = streamer_create(device);
    for (unsigned i = 0; i < softgt_info(s->device)->engine_count; i++) {
        const struct engine *e = &s->device->engines[i];
        const bool render = e->info->class == CLASS_RENDER;
        unsigned found = 0;
        for (uint32_t offset = 0; offset < s->device->mmio.size_bytes; offset += 4) {
            const struct register_slot *slot = register_slot_at(&s->device->mmio, offset);
            const bool own =
                offset - e->info->mmio_base < (render || engine_has_threads(e) ? 0x1000u : 0x800u);
            if (!users_write(e, slot) || of_no_context(slot->row->name) || !(own || render))
                continue;
            found++;
            if (!in_image(e, offset))
                fail_msg("%s, %s: users write %05x (%s), and no image has it", device, e->info->name, offset,
                         slot->row->name);
        }
        assert_true(found >= 34);
    }
    streamer_destroy(s);
}

/* Drivers' images have that many pages behind the status page. (Linux, intel_engine_context_size) */
static void images_fit(const char *device)
{
    struct streamer *s = streamer_create(device);
    for (unsigned i = 0; i < softgt_info(s->device)->engine_count; i++) {
        const struct engine *e = &s->device->engines[i];
        const struct image_length length = image_length(e->info->contexts.image);
        const unsigned pages = !engine_has_threads(e)                  ? 1
                               : s->device->sheet->generation >= GEN11 ? 13
                               : s->device->sheet->generation >= GEN9  ? 21
                                                                       : 19;
        if (length.dw + length.pipeline_state_dw > pages * 1024u)
            fail_msg("%s, %s: %u dwords and %u of state are more than %u pages", device, e->info->name,
                     length.dw, length.pipeline_state_dw, pages);
    }
    streamer_destroy(s);
}

static void images_have_what_users_write(void **state)
{
    static const char *const devices[] = {"bdw", "skl-gt3", "icl", "lkf", "tgl", "tgl-ccs", "dg2"};
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        image_has_what_users_write(devices[i]);
        images_fit(devices[i]);
    }
}

TEST_PROGRAM(whitelist_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whitelists_gen9),
        cmocka_unit_test(whitelists_gen11),
        cmocka_unit_test(whitelists_of_every_engine),
        cmocka_unit_test(nonpriv_slots),
        cmocka_unit_test(nonpriv_ranges),
        cmocka_unit_test(engines_with_threads),
        cmocka_unit_test(images_have_what_users_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
