/* The driver's page tables are what the device walks: on every device, with tables of all levels and pages of
 * all sizes. */
#include "../suite.h"
#include "../streamer.h"

/* Two pages, the second of another table; where they are in memory. */
enum { LAST_OF_TABLE = 1023 * PAGE_BYTES, IN_MEMORY = 4 << 20 };

static void on_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    (void)user, (void)space, (void)address, (void)write, (void)level;
}

static void has_a_page(struct mmu *u, uint64_t address, uint64_t physical, uint64_t page_bytes)
{
    struct translation t;
    mmu_invalidate(u);
    assert_true(mmu_translate(u, SPACE_PPGTT, address, &t));
    assert_int_equal(t.physical, physical);
    assert_int_equal(UINT64_C(1) << t.page_shift, page_bytes);
    assert_true(t.writable);
    uint32_t there = 0;
    assert_true(mmu_load(u, SPACE_PPGTT, address + 4, &there, 4));
    assert_int_equal(there, physical / PAGE_BYTES);
}

static void what_is_mapped_is_found(struct streamer *s, unsigned levels, uint64_t page_bytes)
{
    const struct softgt_memory_port memory = {.user = s, .map = streamer_table};
    const uint64_t at = page_bytes == PAGE_BYTES ? LAST_OF_TABLE : PAGE_2M, to = IN_MEMORY;
    streamer_start(s, 0);
    memset(s->memory + TABLES, 0, RING - TABLES);
    local_clear(&s->device->memory); /* tables are in one of them */
    driver_init(&s->driver, s->device, &memory, TABLES, RING - TABLES);
    assert_true(driver_ppgtt_make(&s->driver, &s->ppgtt, levels));
    for (uint32_t page = 0; page < MEMORY_BYTES / PAGE_BYTES; page++)
        if (page * PAGE_BYTES >= RING)
            memcpy(s->memory + page * PAGE_BYTES + 4, &page, 4);
    /* Two pages, the second of another table where they are small. */
    assert_true(driver_map(&s->driver, &s->ppgtt, at, to, 2 * page_bytes, page_bytes));
    struct mmu *u = malloc(sizeof *u);
    assert_non_null(u);
    mmu_init(u, &s->device->memory, NULL, on_fault);
    const enum ppgtt_mode modes[] = {
        [2] = PPGTT_IN_GGTT, [3] = PPGTT_LEGACY_32, [4] = PPGTT_48, [5] = PPGTT_48};
    u->root.mode = modes[s->ppgtt.levels];
    memcpy(u->root.directory, s->ppgtt.root, sizeof s->ppgtt.root);
    if (s->ppgtt.levels == 2)
        u->root.directory[1] = UINT32_MAX;
    has_a_page(u, at, to, page_bytes);
    has_a_page(u, at + page_bytes, to + page_bytes, page_bytes);
    /* And no other. */
    struct translation t;
    assert_false(mmu_translate(u, SPACE_PPGTT, at - PAGE_BYTES, &t));
    assert_false(mmu_translate(u, SPACE_PPGTT, at + 2 * page_bytes, &t));
    if (s->ppgtt.levels == 2) /* 32 sets of 16 entries are all that PP_DCLV has (REN-01) */
        assert_false(mmu_translate(u, SPACE_PPGTT, (UINT64_C(2) << 30) + at, &t));
    /* Another page in the table that is there takes no memory; once all is used, none is made. */
    const uint64_t next_page = s->driver.next_page;
    if (page_bytes == PAGE_BYTES) {
        assert_true(
            driver_map(&s->driver, &s->ppgtt, at - PAGE_BYTES, to - PAGE_BYTES, PAGE_BYTES, PAGE_BYTES));
        assert_int_equal(s->driver.next_page, next_page);
        has_a_page(u, at - PAGE_BYTES, to - PAGE_BYTES, PAGE_BYTES);
        s->driver.end = next_page;
        assert_false(driver_map(&s->driver, &s->ppgtt, UINT64_C(1) << 30, to, PAGE_BYTES, PAGE_BYTES));
    }
    free(u);
}

static void page_tables_are_the_devices(void **state)
{
    (void)state;
    for (unsigned i = 0; softgt_device_at(i); i++) {
        struct streamer *s = streamer_create(softgt_device_at(i)->name);
        for (unsigned levels = 3; levels <= 4 && s->device->sheet->memory.format->ppgtt_levels == 4;
             levels++) {
            what_is_mapped_is_found(s, levels, PAGE_BYTES);
            what_is_mapped_is_found(s, levels, PAGE_2M);
        }
        what_is_mapped_is_found(s, 0, PAGE_BYTES);
        streamer_destroy(s);
    }
}

/* A page everywhere, tables that are given back, pages that are mapped no more. */
static void spaces_end_and_are_made_again(void **state)
{
    (void)state;
    enum { SCRATCH = 3 << 20, AT = LAST_OF_TABLE, TO = IN_MEMORY, ELSEWHERE = 256 << 20 };
    for (unsigned i = 0; softgt_device_at(i); i++) {
        struct streamer *s = streamer_create(softgt_device_at(i)->name);
        const struct softgt_memory_port memory = {.user = s, .map = streamer_table};
        struct translation t;
        streamer_start(s, 0);
        memset(s->memory + TABLES, 0, RING - TABLES);
        local_clear(&s->device->memory);
        driver_init(&s->driver, s->device, &memory, TABLES, RING - TABLES);
        assert_true(driver_use_scratch(&s->driver, SCRATCH));
        struct mmu *u = malloc(sizeof *u);
        assert_non_null(u);
        mmu_init(u, &s->device->memory, NULL, on_fault);
        const enum ppgtt_mode modes[] = {
            [2] = PPGTT_IN_GGTT, [3] = PPGTT_LEGACY_32, [4] = PPGTT_48, [5] = PPGTT_48};
        uint64_t used = 0;
        for (unsigned round = 0; round < 20; round++) {
            assert_true(driver_ppgtt_make(&s->driver, &s->ppgtt, 0));
            u->root.mode = modes[s->ppgtt.levels];
            memcpy(u->root.directory, s->ppgtt.root, sizeof s->ppgtt.root);
            if (s->ppgtt.levels == 2)
                u->root.directory[1] = UINT32_MAX;
            assert_true(driver_map(&s->driver, &s->ppgtt, AT, TO, 2 * PAGE_BYTES, PAGE_BYTES));
            mmu_invalidate(u);
            assert_true(mmu_translate(u, SPACE_PPGTT, AT + PAGE_BYTES, &t));
            assert_int_equal(t.physical, TO + PAGE_BYTES);
            /* Beside it, and in a table that nothing is in, is the page. */
            for (unsigned n = 0; n < 2; n++) {
                assert_true(mmu_translate(u, SPACE_PPGTT, n ? ELSEWHERE : AT - PAGE_BYTES, &t));
                assert_int_equal(t.physical, SCRATCH);
                assert_int_equal(t.writable, s->gen6 || !s->device->sheet->memory.drops_read_only_writes);
            }
            driver_unmap(&s->driver, &s->ppgtt, AT + PAGE_BYTES, PAGE_BYTES);
            mmu_invalidate(u);
            assert_true(mmu_translate(u, SPACE_PPGTT, AT + PAGE_BYTES, &t));
            assert_int_equal(t.physical, SCRATCH);
            assert_true(mmu_translate(u, SPACE_PPGTT, AT, &t));
            assert_int_equal(t.physical, TO);
            driver_ppgtt_end(&s->driver, &s->ppgtt);
            assert_true(!round || used == s->driver.next_page);
            used = s->driver.next_page;
        }
        free(u);
        streamer_destroy(s);
    }
}

/* Entries bit by bit. (SNB PRM vol 1 part 3, BDW PRM vol 5) */
static void entries_hold_what_they_say(void **state)
{
    (void)state;
    static const struct {
        const struct page_table_format *format;
        struct page_entry entry;
        uint64_t value, table;
    } all[] = {
        {&gen6_page_tables, {0x12fffff000, true, true, false, false}, 0xfffff121, 0x12fffff000},
        {&gen6_page_tables, {0x0000001000, true, true, false, true}, 0x00001003, 0x1000},
        {&gen75_page_tables, {0x72fffff000, true, true, false, false}, 0xfffff721, 0x72fffff000},
        {&gen6_page_tables, {0x0000001000, false, true, false, false}, 0x00001000, 0},
        {&gen8_page_tables, {0x7ffffff000, true, true, false, false}, 0x7ffffff003, 0x7ffffff000},
        {&gen8_page_tables, {0x1000, true, false, false, false}, 0x1001, 0x1000},
        {&gen8_page_tables, {0x1000, true, true, false, true}, 0x1803, 0x1000},
        {&gen8_page_tables, {0x200000, true, true, true, false}, 0x200083, 0},
        {&gen8_page_tables, {0x1000, false, true, false, false}, 0x1002, 0},
        /* Bit 11 of pages, 1 of the GGTT's: local; tables always are; 6: 64 KB pages; 9: none. (SYS-08;
           Linux) */
        {&gen125_page_tables, {0x1000, true, true, false, false, false, false}, 0x1003, 0x1000},
        {&gen125_page_tables,
         {MEMORY_LOCAL | 0x1000, true, true, false, false, false, false},
         0x1803,
         0x1000},
        {&gen125_page_tables, {MEMORY_LOCAL | 0x200000, true, true, true, false, false, false}, 0x200883, 0},
        {&gen125_page_tables, {MEMORY_LOCAL | 0x1000, true, true, false, false, true, false}, 0x1003, 0x1000},
        {&gen125_page_tables, {MEMORY_LOCAL | 0x1000, true, true, false, true, true, false}, 0x1043, 0x1000},
        {&gen125_page_tables, {MEMORY_NULL, true, true, false, false, false, false}, 0x203, 0},
        {&gen125_page_tables,
         {MEMORY_LOCAL | 0x1000, true, false, false, false, false, true},
         0x1003,
         0x1000},
        {&gen125_page_tables, {0x1000, true, true, false, false, false, true}, 0x1001, 0x1000},
        {&gen200_page_tables, {0x1000, true, true, false, false, false, false}, 0x1003, 0x1000},
        {&gen200_local_page_tables,
         {MEMORY_LOCAL | 0x1000, true, true, false, false, false, false},
         0x1803,
         0x1000},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_int_equal(all[i].format->encode(&all[i].entry), all[i].value);
        assert_int_equal(all[i].format->next_table(all[i].value), all[i].table);
    }
}

TEST_PROGRAM(driver_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(page_tables_are_the_devices),
                                       cmocka_unit_test(spaces_end_and_are_made_again),
                                       cmocka_unit_test(entries_hold_what_they_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
