/* Xe2: what Linux' driver of it writes and reads, line by line (drivers/gpu/drm/xe). There is no public
 * manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "device/device.h"
#include "host/sparse_memory.h"

enum {
    ALL_BYTES = 0xf,
    GT_WAKE = 0xa188,
    GT_WAKE_ACK = 0xdfc,
    RENDER_WAKE = 0xa278,
    RENDER_WAKE_ACK = 0xd84
};
enum { SEMAPHORE = 0xfd0, STEERING = 0xfd4, MULTICAST_SHIFT = 31, ROW_CHICKEN = 0xe4f0 };
enum { LOCAL_BAR = 2, TABLE_BYTES = 8 << 20 };

static struct sparse_memory *memory;
static struct softgt *device;
static unsigned messages;

static void msi(void *user, unsigned vector)
{
    (void)user, (void)vector;
    messages++;
}

static void start(const char *name)
{
    memory = sparse_memory_create(64 << 20);
    messages = 0;
    const struct softgt_config config = {
        .device = name, .memory = sparse_memory_port(memory), .interrupt = {.msi = msi}};
    assert_int_equal(softgt_create(&config, &device), 0);
}

static void end(void)
{
    softgt_destroy(device);
    sparse_memory_destroy(memory);
}

static void put(uint32_t offset, uint32_t value)
{
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static uint32_t get(uint32_t offset)
{
    return (uint32_t)softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

/* The copies that an access means. (mcr_steer in xe_gt_mcr.c) */
static void steer(uint32_t group, uint32_t instance)
{
    put(STEERING, group << 8 | instance);
}

static void wake(void)
{
    put(GT_WAKE, 1u << 16 | 1u);
    put(RENDER_WAKE, 1u << 16 | 1u);
}

static const char *const devices[] = {"bmg", "lnl"};
#define EACH_DEVICE(name)                                                                                    \
    const char *const *name = devices;                                                                       \
    name < devices + sizeof devices / sizeof devices[0];                                                     \
    name++

/* xe_force_wake.c: the mask form; the answer of the GT's domain is not where Gen12.5 has it. */
static void wakes_are_answered(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        start(*name);
        wake();
        assert_int_equal(get(GT_WAKE_ACK) & 1u, 1);
        assert_int_equal(get(RENDER_WAKE_ACK) & 1u, 1);
        put(GT_WAKE, 1u << 16);
        put(RENDER_WAKE, 1u << 16);
        assert_int_equal(get(GT_WAKE_ACK) & 1u, 0);
        assert_int_equal(get(RENDER_WAKE_ACK) & 1u, 0);
        end();
    }
}

/* mcr_lock and mcr_unlock: who reads 1 has the selector; a write of 1 gives it back. */
static void the_semaphore_is_taken_once(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        start(*name);
        wake();
        assert_int_equal(get(SEMAPHORE), 1);
        assert_int_equal(get(SEMAPHORE), 0);
        put(SEMAPHORE, 1);
        assert_int_equal(get(SEMAPHORE), 1);
        end();
    }
}

/* Reads and writes of one Xe-core, and writes of all (rw_with_mcr_steering). A group has four of them. */
static void one_selector_steers_all(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        const bool lunar = name == devices + 1;
        start(*name);
        wake();
        put(STEERING, 1u << MULTICAST_SHIFT);
        put(ROW_CHICKEN, 2u << 16 | 2u);
        steer(1, 2);
        put(ROW_CHICKEN, 1u << 16 | 1u);
        assert_int_equal(get(ROW_CHICKEN), 3);
        steer(0, 0);
        assert_int_equal(get(ROW_CHICKEN), 2);
        steer(1, 3);
        assert_int_equal(get(ROW_CHICKEN), 2);
        steer(4, 3); /* the twentieth: Lunar Lake has eight */
        assert_int_equal(get(ROW_CHICKEN), lunar ? 0 : 2);
        steer(5, 0);
        assert_int_equal(get(ROW_CHICKEN), 0);
        /* Banks of L3: by node and bank. */
        put(STEERING, 1u << MULTICAST_SHIFT);
        put(0xb104, 5);
        steer(1, 3);
        assert_int_equal(get(0xb104), 5);
        steer(lunar ? 2 : 8, 0);
        assert_int_equal(get(0xb104), 0);
        end();
    }
}

static unsigned ones(uint32_t value)
{
    return (unsigned)__builtin_popcount(value);
}

/* read_gmdid, load_dss_mask, load_eu_mask, load_l3_bank_mask, read_compute_fuses_from_reg */
static void fuses_are_those_of_the_part(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        const bool lunar = name == devices + 1;
        start(*name);
        wake();
        const uint32_t id = get(0xd8c);
        assert_int_equal(id >> 22, 20);
        assert_int_equal(id >> 14 & 0xff, lunar ? 4 : 1);
        assert_int_equal(ones(get(0x9114) >> 16 & 0xf), 1);
        assert_int_equal(get(0x9114) >> 20 & 1, 0);
        assert_int_equal(ones(get(0x9118) >> 16), lunar ? 2 : 8);
        assert_int_equal(get(0x9118) >> 4 & 0xf, 0xf);
        assert_int_equal(get(0x9120) >> 2 & 1, 1);
        assert_int_equal(get(0x9134), 0xff);
        assert_int_equal(ones(get(0x913c)), lunar ? 8 : 20);
        assert_int_equal(get(0x9144), get(0x913c));
        for (uint32_t at = 0x9148; at <= 0x9154; at += 4)
            assert_int_equal(get(at), 0);
        /* mtl_init_fused_rp_values: Linux asks for 1,200 MHz, which must be within. */
        assert_true((get(0x138000) & 0x1ff) * 50 / 3 >= 1200);
        assert_true((get(0x138000) >> 16 & 0x1ff) <= get(0x13800c));
        end();
    }
}

/* xe_mmio_adjusted_addr, xe_force_wake_init_engines, read_media_fuses, mtl_init_fused_rp_values: the
 * registers of the media GT are those of the first one, from MEDIA on; its limits are where the device has
 * them. */
enum { MEDIA = 0x380000 };
static void the_media_gt_has_registers_of_its_own(void **state)
{
    (void)state;
    enum { VIDEO_WAKE = 0xa540, VIDEO_WAKE_ACK = 0xd50, ENHANCE_WAKE = 0xa560, ENHANCE_WAKE_ACK = 0xd70 };
    for (EACH_DEVICE(name)) {
        const bool lunar = name == devices + 1;
        start(*name);
        put(MEDIA + GT_WAKE, 1u << 16 | 1u);
        assert_int_equal(get(MEDIA + GT_WAKE_ACK) & 1u, 1);
        assert_int_equal(get(GT_WAKE_ACK) & 1u, 0); /* the other sleeps on */
        put(MEDIA + VIDEO_WAKE, 1u << 16 | 1u);
        assert_int_equal(get(MEDIA + VIDEO_WAKE_ACK) & 1u, 1);
        assert_int_equal(get(VIDEO_WAKE_ACK) & 1u, 0);
        put(MEDIA + ENHANCE_WAKE, 1u << 16 | 1u);
        assert_int_equal(get(MEDIA + ENHANCE_WAKE_ACK) & 1u, 1);
        const uint32_t id = get(MEDIA + 0xd8c), fuses = get(MEDIA + 0x9140);
        assert_int_equal(id >> 22, lunar ? 20 : 13);
        assert_int_equal(id >> 14 & 0xff, lunar ? 0 : 1);
        assert_int_equal(ones(fuses & 0xff), lunar ? 1 : 2);
        assert_int_equal(ones(fuses >> 16 & 0xf), lunar ? 1 : 2);
        assert_true((get(0x138020) & 0x1ff) * 50 / 3 >= 1200);
        /* The semaphores are two, and the attributes of pages. */
        assert_int_equal(get(MEDIA + SEMAPHORE), 1);
        assert_int_equal(get(SEMAPHORE), 1);
        wake();
        put(MEDIA + 0x4800, 7);
        put(0x4800, 3);
        assert_int_equal(get(MEDIA + 0x4800), 7);
        end();
    }
}

/* Every row that the first GuC has below the window's end, the other has, too, for itself. */
static void each_guc_owns_its_registers(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        start(*name);
        unsigned count = 0;
        for (const struct register_block *const *b = device->gucs[0].info->blocks; *b; b++)
            for (const struct reg *row = (*b)->rows; row < (*b)->rows + (*b)->count; row++) {
                if (row->offset >= GT_REGISTERS_BYTES)
                    continue;
                assert_ptr_equal(register_slot_at(&device->mmio, row->offset)->owner, &device->gucs[0]);
                assert_ptr_equal(register_slot_at(&device->mmio, MEDIA + row->offset)->owner,
                                 &device->gucs[1]);
                count++;
            }
        assert_true(count > 20);
        assert_ptr_equal(register_slot_at(&device->mmio, 0x190240)->owner, device->gucs[0].functions);
        assert_ptr_equal(register_slot_at(&device->mmio, 0x190310)->owner, device->gucs[1].functions);
        for (unsigned i = 0; i < device->sheet->info.engine_count; i++)
            assert_int_equal(i >= device->sheet->media->first_engine,
                             device->engines[i].info->class == CLASS_VIDEO ||
                                 device->engines[i].info->class == CLASS_ENHANCE ||
                                 device->engines[i].info->class == CLASS_OTHER);
        end();
    }
}

/* guc_enable_irq: one enable is for both GuCs, the shared mask has that of media in its lower half;
 * gt_other_irq_handler: it is instance 16 (OTHER_MEDIA_GUC_INSTANCE) of class 4, bit 24 of the first dword.
 */
static void the_media_guc_interrupts(void **state)
{
    (void)state;
    enum { TILE = 0x190008, MASTER = 0x190010, DWORD = 0x190018, IDENTITY = 0x190060, SELECT = 0x190070 };
    enum { GUC_ENABLE = 0x190038, GUC_MASK = 0x1900e8, TO_HOST = 1u << 15 };
    static const struct {
        unsigned bit, instance, shift;
    } lines[] = {{25, 0, 16}, {24, 16, 0}};
    for (unsigned i = 0; i < 2; i++) {
        start("bmg");
        put(TILE, 1u << 31);
        put(MASTER, 1u << 31);
        put(GUC_ENABLE, (uint32_t)TO_HOST << 16);                     /* one for both */
        put(GUC_MASK, ~((uint32_t)TO_HOST << (16 - lines[i].shift))); /* that of the other is open */
        guc_interrupt_host(device->gucs[i].functions, TO_HOST);
        assert_int_equal(messages, 0);
        put(GUC_MASK, ~((uint32_t)TO_HOST << lines[i].shift));
        assert_int_equal(messages, 1);
        put(TILE, 0);
        put(MASTER, 1);
        assert_int_equal(get(DWORD), 1u << lines[i].bit);
        put(SELECT, 1u << lines[i].bit);
        assert_int_equal(get(IDENTITY), 1u << 31 | lines[i].instance << 20 | 4u << 16 | TO_HOST);
        put(IDENTITY, 1u << 31);
        put(DWORD, 1u << lines[i].bit);
        end();
    }
}

/* xe_force_wake_init_engines, gsc_fw_is_loaded, xe_gsc_proxy_init_done, gt_irq_postinstall: the GSC has a
 * wake of its own, its firmware runs, and its engine interrupts as instance 6 of class 4. Battlemage has it
 * elsewhere. */
static void the_gsc_is_running(void **state)
{
    (void)state;
    enum { GSC_WAKE = 0xa618, GSC_WAKE_ACK = 0xdf8, FWSTS1 = 0x116c40, COMPLETE = 1 << 9, NORMAL = 5 };
    enum { TILE = 0x190008, MASTER = 0x190010, DWORD = 0x190018, IDENTITY = 0x190060, SELECT = 0x190070 };
    enum { GSC_ENABLE = 0x190044, GSC_MASK = 0x1900f4, INSTANCE = 6, CLASS = 4, TAIL = 0x11a030 };
    start("lnl");
    put(MEDIA + GSC_WAKE, 1u << 16 | 1u);
    assert_int_equal(get(MEDIA + GSC_WAKE_ACK) & 1u, 1);
    assert_int_equal(get(FWSTS1) & 0xf, NORMAL);
    assert_int_equal(get(FWSTS1) & COMPLETE, COMPLETE);
    put(TAIL, 8);
    assert_int_equal(get(TAIL), 8);
    put(TILE, 1u << 31);
    put(MASTER, 1u << 31);
    put(GSC_ENABLE, 1);
    put(GSC_MASK, ~1u);
    const struct engine *const engine = &device->engines[device->sheet->info.engine_count - 1];
    device->interrupt.info->raise(&device->interrupt, engine->info->interrupt, 1);
    assert_int_equal(messages, 1);
    put(TILE, 0);
    put(MASTER, 1);
    assert_int_equal(get(DWORD), 1u << 31);
    put(SELECT, 1u << 31);
    assert_int_equal(get(IDENTITY), 1u << 31 | (uint32_t)INSTANCE << 20 | (uint32_t)CLASS << 16 | 1u);
    put(MEDIA + GSC_WAKE, 1u << 16);
    assert_int_equal(get(MEDIA + GSC_WAKE_ACK) & 1u, 0);
    end();
    start("bmg");
    put(MEDIA + GSC_WAKE, 1u << 16 | 1u);
    assert_int_equal(get(MEDIA + GSC_WAKE_ACK), 0);
    for (unsigned i = 0; i < device->sheet->info.engine_count; i++)
        assert_int_not_equal(device->engines[i].info->class, CLASS_OTHER);
    end();
}

/* do_gt_reset: a full reset of one GT ends its GuC and its engines, and nothing of the other. */
static void a_reset_is_of_one_gt(void **state)
{
    (void)state;
    enum { GDRST = 0x941c, GUC_STATUS = 0xc000 };
    start("bmg");
    wake();
    put(MEDIA + GT_WAKE, 1u << 16 | 1u);
    for (unsigned i = 0; i < 2; i++)
        device->gucs[i].boot.state = GUC_READY;
    put(MEDIA + GDRST, 1);
    assert_int_equal(get(MEDIA + GDRST), 0);
    assert_int_equal(device->gucs[1].boot.state, GUC_IN_RESET);
    assert_int_equal(device->gucs[0].boot.state, GUC_READY);
    assert_int_equal(get(MEDIA + GUC_STATUS) & 1u, 1);
    device->gucs[1].boot.state = GUC_READY;
    put(GDRST, 1);
    assert_int_equal(device->gucs[0].boot.state, GUC_IN_RESET);
    assert_int_equal(device->gucs[1].boot.state, GUC_READY);
    end();
}

/* program_pat: entries from the ninth on are elsewhere. */
static void page_attributes_are_kept(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        start(*name);
        wake();
        put(STEERING, 1u << MULTICAST_SHIFT);
        for (uint32_t i = 0; i < 32; i++)
            put(i < 8 ? 0x4800 + i * 4 : 0x4848 + (i - 8) * 4, i << 4 | 1u << 9);
        put(0x47fc, 0x30);
        put(0x4820, 0x31);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(get(i < 8 ? 0x4800 + i * 4 : 0x4848 + (i - 8) * 4), i << 4 | 1u << 9);
        assert_int_equal(get(0x47fc), 0x30);
        assert_int_equal(get(0x4820), 0x31);
        end();
    }
}

/* ggtt_invalidate_gt_tlb, and xe_device_td_flush and xe_device_l2_flush, which wait for bit 0 to fall. */
static void invalidations_complete(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        start(*name);
        wake();
        put(0xcf80, 1u << 6);
        put(0xcf7c, 1);
        assert_int_equal(get(0xcf7c) & 1u, 0);
        for (unsigned i = 0; i < 2; i++) {
            static const uint32_t flushes[] = {0xb404, 0xb418};
            put(flushes[i], 1);
            assert_int_equal(get(flushes[i]) & 1u, 0);
        }
        end();
    }
}

/* xe_irq.c: gt_irq_postinstall, gt_engine_identity. The ninth copy engine has a mask of its own. */
static void the_ninth_copy_engine_interrupts(void **state)
{
    (void)state;
    enum { TILE = 0x190008, MASTER = 0x190010, DWORD = 0x190018, IDENTITY = 0x190060, SELECT = 0x190070 };
    enum { RENDER_COPY_ENABLE = 0x190030, BCS8_MASK = 0x19011c, BIT = 1 << 23, CLASS = 3, INSTANCE = 8 };
    for (EACH_DEVICE(name)) {
        start(*name);
        struct interrupt *const tree = &device->interrupt;
        const struct engine *engine = device->engines;
        while (engine->info->mmio_base != 0x3ee000)
            engine++;
        put(TILE, 1u << 31);
        put(MASTER, 1u << 31);
        put(RENDER_COPY_ENABLE, 1u << 16 | 1u);
        put(BCS8_MASK, UINT32_MAX);
        tree->info->raise(tree, engine->info->interrupt, 1);
        assert_int_equal(messages, 0); /* masked */
        put(BCS8_MASK, ~(1u << 16));
        tree->info->raise(tree, engine->info->interrupt, 1);
        assert_int_equal(messages, 1);
        put(TILE, 0);
        put(MASTER, 1);
        assert_int_equal(get(DWORD), BIT);
        put(SELECT, BIT);
        assert_int_equal(get(IDENTITY), 1u << 31 | (uint32_t)INSTANCE << 20 | CLASS << 16 | 1u);
        put(IDENTITY, 1u << 31);
        put(DWORD, BIT);
        assert_int_equal(get(DWORD), 0);
        end();
    }
}

/* xe_hwmon.c, xe_late_bind_fw.c: commands that end with an error are in the kernel's log. */
static void the_mailbox_answers_for_the_board(void **state)
{
    (void)state;
    enum { MAILBOX = 0x138124, DATA = 0x138128 };
    static const uint32_t commands[] = {0x7c | 6 << 8, 0x7c | 8 << 8, 0x7c | 4 << 8, 0x25,
                                        0x25 | 1 << 8, 0x5c,          0x7d | 4 << 8};
    start("bmg");
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        put(DATA, 0x55);
        put(MAILBOX, 1u << 31 | commands[i]);
        assert_int_equal(get(MAILBOX) & 0x800000ffu, 0);
        assert_int_equal(get(DATA), 0);
    }
    put(MAILBOX, 1u << 31 | 0x6e); /* the frequency of memory: of other parts */
    assert_int_equal(get(MAILBOX) & 0xff, 1);
    put(MAILBOX, 1u << 31 | 0x7e);
    assert_int_equal(get(DATA) & 1u, 1);
    end();
}

/* xe_ttm_stolen_mgr.c, detect_bar2_integrated: entries of stolen memory say local, and count from the GGTT's
 * table, behind which data begins. */
static void stolen_memory_has_the_second_bar(void **state)
{
    (void)state;
    struct softgt_bar_info bar;
    start("lnl");
    const uint32_t control = get(0x108040);
    assert_int_equal(control >> 6 & 3u, 3);
    const uint32_t mode = control >> 8 & 0xffu;
    assert_true(mode >= 0xf0 && mode < 0xff);
    const uint64_t stolen = (mode - 0xf0u + 1u) * (UINT64_C(4) << 20);
    assert_int_equal(get(0x1082c0) >> 7 & 7u, 1); /* 2 MB are the microcontroller's */
    assert_true(softgt_bar_get_info(device, LOCAL_BAR, &bar));
    assert_true(bar.size_bytes >= stolen + TABLE_BYTES);
    assert_int_equal(softgt_info(device)->local_bytes, 0);

    softgt_bar_write(device, LOCAL_BAR, TABLE_BYTES + 0x1000, 0x1234, 4);
    assert_int_equal(softgt_bar_read(device, LOCAL_BAR, TABLE_BYTES + 0x1000, 4), 0x1234);
    uint32_t value = 0;
    assert_true(bus_read(&device->memory, MEMORY_LOCAL | (TABLE_BYTES + 0x1000), &value, 4));
    assert_int_equal(value, 0x1234);
    /* The table itself is the first part. */
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, TABLE_BYTES + 8, 0x5003, 8);
    assert_int_equal(softgt_bar_read(device, LOCAL_BAR, 8, 8), 0x5003);
    end();
}

/* xe_ttm_stolen_mgr.c, detect_bar2_dgfx, and tile_vram_size of xe_vram.c: drivers have what is below the
 * GGTT's table, which is below stolen memory for data. */
static void parts_of_local_memory_are_ordered(void **state)
{
    (void)state;
    start("bmg");
    const uint64_t table = get(0x108100) | (uint64_t)get(0x108104) << 32,
                   data = get(0x1080c0) | (uint64_t)get(0x1080c4) << 32,
                   size = softgt_info(device)->local_bytes;
    assert_true(table + TABLE_BYTES <= data && data < size);
    wake();
    /* get_flat_ccs_offset: a byte of compression state for 512. */
    const uint64_t state_at = ((uint64_t)(get(0x8804) & 0xff) << 32 | (get(0x8800) & ~63u)) *
                              (unsigned)__builtin_popcount(get(0x9118) >> 16);
    assert_int_equal(get(0x8800) & 1u, 1);
    assert_true(state_at && state_at + size / 512 <= table);
    assert_int_equal(local_ccs(&device->memory, 0), state_at);
    assert_int_equal(local_ccs(&device->memory, 4096), state_at + 8);
    /* The first dword of the table, by its place in local memory, and what is behind it. */
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, TABLE_BYTES, 0x77003, 8);
    uint64_t value = 0;
    assert_true(bus_read(&device->memory, MEMORY_LOCAL | table, &value, 8));
    assert_int_equal(value, 0x77003);
    softgt_bar_write(device, LOCAL_BAR, data, 0x4321, 4);
    assert_int_equal(softgt_bar_read(device, LOCAL_BAR, data, 4), 0x4321);
    end();
}

/* xe_gtt_defs.h: five bits of an entry, of which one is elsewhere in large pages. */
static void the_page_attribute_is_in_the_entry(void **state)
{
    (void)state;
    enum { TABLES = 0x100000, PAGE = 0x800000, PRESENT = 3, LOCAL = 1 << 11, IS_LARGE = 1 << 7 };
    start("bmg");
    struct mmu *const u = &device->engines[0].mmu;
    for (unsigned pat = 0; pat < 32; pat++) {
        const uint64_t high = (uint64_t)(pat >> 3 & 1u) << 62 | (uint64_t)(pat >> 4 & 1u) << 61,
                       small = PAGE | PRESENT | LOCAL | (pat & 3u) << 3 | (pat >> 2 & 1u) << 7 | high,
                       large =
                           PAGE | PRESENT | LOCAL | IS_LARGE | (pat & 3u) << 3 | (pat >> 2 & 1u) << 12 | high;
        for (unsigned level = 0; level < 5; level++) {
            const uint64_t entry = level ? (TABLES + (level - 1u) * 0x1000u) | PRESENT : small;
            assert_true(bus_write(&device->memory, MEMORY_LOCAL | (TABLES + level * 0x1000u), &entry, 8));
        }
        assert_true(bus_write(&device->memory, MEMORY_LOCAL | (TABLES + 0x1000u + 8), &large, 8));
        struct walker walker = {.memory = &device->memory};
        struct translation t;
        u->root = (struct ppgtt_root){.mode = PPGTT_48, .directory = {TABLES + 4 * 0x1000u}};
        assert_true(mmu_translate_by(u, &walker, SPACE_PPGTT, 0x10, &t));
        assert_int_equal(t.pat, pat);
        assert_true(t.physical == (MEMORY_LOCAL | (PAGE + 0x10)));
        assert_true(mmu_translate_by(u, &walker, SPACE_PPGTT, 0x200010, &t));
        assert_int_equal(t.pat, pat);
        assert_true(t.physical == (MEMORY_LOCAL | (PAGE + 0x10)));
    }
    end();
}

/* The values of a key of the hardware configuration table. */
static const uint32_t *configured(uint32_t key)
{
    const struct guc_info *const g = device->sheet->guc;
    const uint32_t *at = g->config;
    while (at < g->config + g->config_dw && at[0] != key)
        at += 2 + at[1];
    assert_true(at < g->config + g->config_dw);
    return at + 2;
}

/* NEO, intel_hwconfig_types.h: LPDDR5 is 1, GDDR6 4. xe_gt_mcr.c, dss_per_group: Xe-cores by slices. */
static void the_configuration_is_of_the_part(void **state)
{
    (void)state;
    enum { SLICES = 1, MEMORY_TYPE = 11, SUBSLICES = 70, LPDDR5 = 1, GDDR6 = 4, GROUP = 4 };
    for (EACH_DEVICE(name)) {
        start(*name);
        assert_int_equal(*configured(MEMORY_TYPE), name == devices ? GDDR6 : LPDDR5);
        assert_int_equal(*configured(SUBSLICES), *configured(SLICES) * GROUP);
        end();
    }
}

/* xe_reg_whitelist.c, 14024997852: users of 20.01 and 20.04 write FF_MODE and VFLSKPD. */
static void linux_opens_two_registers(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        start(*name);
        const uint32_t *const opened = device->engines[0].info->privileges.default_whitelist;
        assert_int_equal(opened[0], 0x6210);
        assert_int_equal(opened[1], 0x62a8);
        assert_int_equal(opened[2], 0);
        end();
    }
}

TEST_PROGRAM(xe2_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wakes_are_answered),
        cmocka_unit_test(the_semaphore_is_taken_once),
        cmocka_unit_test(one_selector_steers_all),
        cmocka_unit_test(fuses_are_those_of_the_part),
        cmocka_unit_test(the_media_gt_has_registers_of_its_own),
        cmocka_unit_test(each_guc_owns_its_registers),
        cmocka_unit_test(the_media_guc_interrupts),
        cmocka_unit_test(the_gsc_is_running),
        cmocka_unit_test(a_reset_is_of_one_gt),
        cmocka_unit_test(page_attributes_are_kept),
        cmocka_unit_test(invalidations_complete),
        cmocka_unit_test(the_ninth_copy_engine_interrupts),
        cmocka_unit_test(the_mailbox_answers_for_the_board),
        cmocka_unit_test(stolen_memory_has_the_second_bar),
        cmocka_unit_test(parts_of_local_memory_are_ordered),
        cmocka_unit_test(the_page_attribute_is_in_the_entry),
        cmocka_unit_test(the_configuration_is_of_the_part),
        cmocka_unit_test(linux_opens_two_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
