/* Bus memory that exists where it is written; page walks, TLBs and ports of memory.h; and the same through a
 * device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../suite.h"
#include "driver/driver.h"
#include "host/sparse_memory.h"
#include "memory/memory.h"

enum { CHUNK = 1 << 16 };

#define GB (UINT64_C(1) << 30)
#define MB (UINT64_C(1) << 20)

/* ---- Sparse memory ---- */

static void untouched_memory_is_zero_and_free(void **state)
{
    (void)state;
    struct sparse_memory *m = sparse_memory_create(MB);
    uint8_t bytes[300];
    memset(bytes, 0xee, sizeof bytes);
    sparse_memory_read(m, 0x123456789abc, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], 0);
    assert_int_equal(sparse_memory_used_bytes(m), 0);
    assert_true(sparse_memory_write(m, 0x1000, "x", 1));
    assert_int_equal(sparse_memory_used_bytes(m), CHUNK);
    memset(bytes, 0xee, sizeof bytes);
    sparse_memory_read(m, 0x1000 - 1, bytes, 3); /* beside what was written */
    assert_memory_equal(bytes, "\0x\0", 3);
    assert_false(sparse_memory_full(m));
    sparse_memory_destroy(m);
    sparse_memory_destroy(NULL);
}

static void writes_go_across_chunks(void **state)
{
    (void)state;
    static uint8_t wrote[3 * CHUNK], read[3 * CHUNK + 2];
    for (size_t i = 0; i < sizeof wrote; i++)
        wrote[i] = (uint8_t)(i * 13 + i / 251 + 1);
    struct sparse_memory *m = sparse_memory_create(MB);
    const uint64_t at = 7 * GB + CHUNK - 5;
    assert_true(sparse_memory_write(m, at, wrote, sizeof wrote));
    assert_int_equal(sparse_memory_used_bytes(m), 4 * CHUNK);
    memset(read, 0xee, sizeof read);
    sparse_memory_read(m, at - 1, read, sizeof read);
    assert_int_equal(read[0], 0);
    assert_memory_equal(read + 1, wrote, sizeof wrote);
    assert_int_equal(read[sizeof read - 1], 0);
    sparse_memory_destroy(m);
}

static void the_limit_holds(void **state)
{
    (void)state;
    struct sparse_memory *m = sparse_memory_create(2 * CHUNK + CHUNK / 2); /* room for two */
    uint32_t value = 1;
    assert_true(sparse_memory_write(m, 0, &value, 4));
    assert_true(sparse_memory_write(m, 5 * GB, &value, 4));
    assert_false(sparse_memory_full(m));
    assert_false(sparse_memory_write(m, 9 * GB, &value, 4));
    assert_true(sparse_memory_full(m));
    assert_int_equal(sparse_memory_used_bytes(m), 2 * CHUNK);
    value = 2;
    assert_true(sparse_memory_write(m, 5 * GB + CHUNK - 4, &value, 4)); /* what is there can be written */
    assert_false(sparse_memory_write(m, 5 * GB + CHUNK - 2, &value, 4));
    sparse_memory_read(m, 9 * GB, &value, 4);
    assert_int_equal(value, 0);
    struct softgt_memory_port port = sparse_memory_port(m);
    uint64_t length = 0;
    assert_null(port.map(port.user, 9 * GB, &length, true));
    assert_non_null(port.map(port.user, 5 * GB, &length, true));
    assert_false(port.write(port.user, 9 * GB, &value, 4));
    assert_int_equal(sparse_memory_used_bytes(m), 2 * CHUNK);
    sparse_memory_destroy(m);
}

/* More chunks than the table begins with, at addresses alike in their low bits. */
static void many_chunks_are_found_again(void **state)
{
    (void)state;
    enum { CHUNKS = 1400 };
    struct sparse_memory *m = sparse_memory_create((uint64_t)CHUNKS * CHUNK);
    for (uint64_t i = 0; i < CHUNKS; i++) {
        const uint64_t value = i * 3 + 1;
        assert_true(sparse_memory_write(m, (i << 36) + 8 * (i % 8), &value, 8));
    }
    for (uint64_t i = 0; i < CHUNKS; i++) {
        uint64_t value = 0;
        sparse_memory_read(m, (i << 36) + 8 * (i % 8), &value, 8);
        assert_int_equal(value, i * 3 + 1);
    }
    assert_int_equal(sparse_memory_used_bytes(m), (uint64_t)CHUNKS * CHUNK);
    assert_false(sparse_memory_write(m, UINT64_C(1) << 50, "", 1));
    sparse_memory_destroy(m);
}

static void the_port_maps_what_is_there(void **state)
{
    (void)state;
    struct sparse_memory *m = sparse_memory_create(MB);
    const struct softgt_memory_port port = sparse_memory_port(m);
    uint64_t length = 0;
    assert_null(port.map(port.user, 0x21000, &length, false)); /* a read makes no room */
    assert_int_equal(sparse_memory_used_bytes(m), 0);
    uint8_t *host = port.map(port.user, 0x21000, &length, true);
    assert_non_null(host);
    assert_int_equal(length, CHUNK - 0x1000);
    memcpy(host, "abcd", 4);
    assert_ptr_equal(port.map(port.user, 0x21000, &length, false), host);
    char text[5] = {0};
    assert_true(port.read(port.user, 0x21000, text, 4));
    assert_string_equal(text, "abcd");
    assert_true(port.write(port.user, 0x21002, "ef", 2));
    assert_memory_equal(host, "abef", 4);
    sparse_memory_destroy(m);
}

/* ---- Page walks ---- */

enum { PRESENT = 1, WRITE = 2, LARGE = 1 << 7, PAGES_64K = 1 << 11 };
enum { PML4 = 0x10000, POINTERS = 0x11000, PD = 0x12000, PT = 0x13000 };

/* Addresses whose index is other at each level: 3, 5, 7, 9. */
#define ADDRESS (UINT64_C(3) << 39 | UINT64_C(5) << 30 | UINT64_C(7) << 21 | UINT64_C(9) << 12)

static const struct memory_info info = {
    .format = &gen8_page_tables, .ggtt_bytes = 0x10000, .physical_bits = 39, .address_bits = 48};

struct bench {
    struct sparse_memory *bus;
    struct memory memory;
    struct device_log witness;
    struct mmu mmu;
    unsigned maps, reads, writes; /* calls of the port */
    unsigned faults;
    enum space space; /* of the last fault */
    uint64_t address;
    bool write;
    unsigned level;
};

static void on_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    struct bench *b = user;
    b->faults++;
    b->space = space;
    b->address = address;
    b->write = write;
    b->level = level;
}

static void *count_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    struct bench *b = user;
    const struct softgt_memory_port port = sparse_memory_port(b->bus);
    b->maps++;
    return port.map(port.user, address, length_bytes, write);
}

static bool count_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    struct bench *b = user;
    b->reads++;
    sparse_memory_read(b->bus, address, data, size_bytes);
    return address < 64 * GB; /* no memory above */
}

static bool count_write(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    struct bench *b = user;
    b->writes++;
    return address < 64 * GB && sparse_memory_write(b->bus, address, data, size_bytes);
}

static void open_bench(struct bench *b, bool can_map)
{
    memset(b, 0, sizeof *b);
    b->bus = sparse_memory_create(64 * MB);
    const struct softgt_memory_port port = {b, can_map ? count_map : NULL, count_read, count_write};
    assert_true(memory_create(&b->memory, &info, &b->witness, &port, NULL));
    mmu_init(&b->mmu, &b->memory, b, on_fault);
    b->mmu.root.mode = PPGTT_48;
    b->mmu.root.directory[0] = PML4;
}

static void close_bench(struct bench *b)
{
    memory_destroy(&b->memory);
    sparse_memory_destroy(b->bus);
}

static void put64(struct bench *b, uint64_t at, uint64_t value)
{
    assert_true(sparse_memory_write(b->bus, at, &value, 8));
}

static uint32_t get32(struct bench *b, uint64_t at)
{
    uint32_t value;
    sparse_memory_read(b->bus, at, &value, 4);
    return value;
}

/* ADDRESS and the page behind it, at physical 50000h and 90000h. */
static void map_pages(struct bench *b)
{
    put64(b, PML4 + 3 * 8, POINTERS | PRESENT | WRITE);
    put64(b, POINTERS + 5 * 8, PD | PRESENT | WRITE);
    put64(b, PD + 7 * 8, PT | PRESENT | WRITE);
    put64(b, PT + 9 * 8, 0x50000 | PRESENT | WRITE);
    put64(b, PT + 10 * 8, 0x90000 | PRESENT | WRITE);
}

static void four_levels_are_walked(void **state)
{
    (void)state;
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    map_pages(&b);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, ADDRESS + 0x123, &t));
    assert_int_equal(t.physical, 0x50123);
    assert_true(t.writable);
    /* Across the two pages, which lie apart. */
    static const uint8_t bytes[] = "0123456789abcdef";
    uint8_t back[16];
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 - 6, bytes, 16));
    sparse_memory_read(b.bus, 0x51000 - 6, back, 6);
    sparse_memory_read(b.bus, 0x90000, back + 6, 10);
    assert_memory_equal(back, bytes, 16);
    memset(back, 0, 16);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 - 6, back, 16));
    assert_memory_equal(back, bytes, 16);
    /* Canonical addresses: what is above bit 47 is not looked at. */
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 - 6 + (UINT64_C(0xffff) << 48), back, 16));
    assert_memory_equal(back, bytes, 16);
    /* Entry bits above the bus address and below bit 12 are not address. */
    put64(&b, PT + 9 * 8, UINT64_C(1) << 63 | UINT64_C(1) << 39 | 0x50000 | 0x7c | PRESENT | WRITE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, ADDRESS, &t));
    assert_int_equal(t.physical, 0x50000);
    assert_int_equal(b.faults, 0);
    close_bench(&b);
}

static void what_is_not_present_faults_at_its_level(void **state)
{
    (void)state;
    static const uint64_t entries[] = {PT + 9 * 8, PD + 7 * 8, POINTERS + 5 * 8, PML4 + 3 * 8};
    for (unsigned level = 0; level < 4; level++) {
        struct bench b;
        uint32_t value = 0xffffffff;
        open_bench(&b, true);
        map_pages(&b);
        uint64_t entry;
        sparse_memory_read(b.bus, entries[level], &entry, 8);
        put64(&b, entries[level], entry & ~(uint64_t)PRESENT); /* all but the bit stays */
        assert_false(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + 8, &value, 4));
        assert_int_equal(value, 0); /* what cannot be read is zero */
        assert_int_equal(b.faults, 1);
        assert_int_equal(b.level, level);
        assert_int_equal(b.space, SPACE_PPGTT);
        assert_int_equal(b.address, ADDRESS + 8);
        assert_false(b.write);
        assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + 8, "abcd", 4));
        assert_int_equal(b.faults, 2);
        assert_true(b.write);
        assert_int_equal(get32(&b, 0x50008), 0);
        assert_null(mmu_host(&b.mmu, SPACE_PPGTT, ADDRESS, false));
        assert_int_equal(b.faults, 3);
        /* A missing page is not remembered: no invalidation is needed once it is there. */
        put64(&b, entries[level], entry);
        assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + 8, "abcd", 4));
        assert_int_equal(b.faults, 3);
        close_bench(&b);
    }
}

static void a_store_ends_where_its_page_does(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, true);
    map_pages(&b);
    put64(&b, PT + 10 * 8, 0);
    assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 - 4, "abcdefgh", 8));
    assert_int_equal(b.faults, 1);
    assert_int_equal(b.address, ADDRESS + 4096);
    assert_int_equal(get32(&b, 0x51000 - 4), 0x64636261); /* what lies before the hole is done */
    uint32_t back[2] = {1, 1};
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 - 4, back, 8));
    assert_int_equal(back[0], 0x64636261);
    assert_int_equal(back[1], 0);
    close_bench(&b);
}

static void legacy_tables_have_three_levels(void **state)
{
    (void)state;
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    b.mmu.root.mode = PPGTT_LEGACY_32;
    for (unsigned i = 0; i < 4; i++) { /* a directory each: its page 7,9 is at 100000h * (i + 1) */
        const uint64_t directory = 0x20000 + i * 0x2000u;
        b.mmu.root.directory[i] = directory;
        put64(&b, directory + 7 * 8, (directory + 0x1000) | PRESENT | WRITE);
        put64(&b, directory + 0x1000 + 9 * 8, (i + 1) * MB | PRESENT | WRITE);
    }
    for (uint64_t i = 0; i < 4; i++) {
        assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, i << 30 | 7u << 21 | 9u << 12 | 0x44, &t));
        assert_int_equal(t.physical, (i + 1) * MB + 0x44);
    }
    put64(&b, 0x20000 + 8 * 8, 6 * MB | PRESENT | WRITE | LARGE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, 8u << 21 | 0x1fffff, &t));
    assert_int_equal(t.physical, 6 * MB + 0x1fffff);
    uint32_t value;
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, 6u << 21, &value, 4));
    assert_int_equal(b.level, 1);
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, 7u << 21 | 8u << 12, &value, 4));
    assert_int_equal(b.level, 0);
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, 4 * GB + (7u << 21 | 9u << 12), &value, 4));
    assert_int_equal(b.faults, 3); /* 32 bits of address */
    b.mmu.root.mode = PPGTT_NONE;
    assert_false(mmu_translate(&b.mmu, SPACE_PPGTT, 7u << 21 | 9u << 12, &t));
    close_bench(&b);
}

static void large_pages(void **state)
{
    (void)state;
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    map_pages(&b);
    /* 64 KB: the first of sixteen entries counts, address from bit 16. */
    put64(&b, PD + 8 * 8, (PT + 0x1000) | PRESENT | WRITE | PAGES_64K);
    put64(&b, PT + 0x1000 + 32 * 8, 0x2a5000 | PRESENT | WRITE);
    put64(&b, PT + 0x1000 + 35 * 8, 0x777000); /* not looked at */
    const uint64_t at_64k = UINT64_C(3) << 39 | UINT64_C(5) << 30 | UINT64_C(8) << 21 | UINT64_C(32) << 12;
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, at_64k + 0x3abc, &t));
    assert_int_equal(t.physical, 0x2a3abc);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, at_64k + 0xffff, &t));
    assert_int_equal(t.physical, 0x2affff);
    assert_int_equal(t.page_shift, 16);
    assert_false(mmu_translate(&b.mmu, SPACE_PPGTT, at_64k + 0x10000, &t));
    assert_int_equal(t.level, 0);
    /* 2 MB: bits 20:12 of the entry are not address. */
    put64(&b, PD + 9 * 8, 0x40fff000 | PRESENT | WRITE | LARGE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT,
                              (UINT64_C(3) << 39 | UINT64_C(5) << 30 | UINT64_C(9) << 21) + 0x123456, &t));
    assert_int_equal(t.physical, 0x40f23456);
    assert_int_equal(t.page_shift, 21);
    /* 1 GB */
    put64(&b, POINTERS + 6 * 8, 2 * GB | 0x3ffff000 | PRESENT | LARGE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, (UINT64_C(3) << 39 | UINT64_C(6) << 30) + 0x3abcdef0, &t));
    assert_int_equal(t.physical, 2 * GB + 0x3abcdef0);
    assert_int_equal(t.page_shift, 30);
    assert_false(t.writable);
    /* Each 4 KB of a large page has its own place in the TLB. */
    static uint8_t bytes[3 * 4096], back[sizeof bytes];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i / 16 + 1);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, at_64k + 0x1800, bytes, sizeof bytes));
    sparse_memory_read(b.bus, 0x2a1800, back, sizeof back);
    assert_memory_equal(back, bytes, sizeof bytes);
    assert_int_equal(b.faults, 0);
    close_bench(&b);
}

/* Every level's write bit counts; a page that was read may still not be written. */
static void read_only_pages(void **state)
{
    (void)state;
    static const uint64_t entries[] = {PT + 9 * 8, PD + 7 * 8, POINTERS + 5 * 8, PML4 + 3 * 8};
    for (unsigned level = 0; level < 4; level++) {
        struct bench b;
        uint32_t value = 0;
        open_bench(&b, true);
        map_pages(&b);
        uint64_t entry;
        sparse_memory_read(b.bus, entries[level], &entry, 8);
        put64(&b, 0x50000, 0x1234);
        put64(&b, entries[level], entry & ~(uint64_t)WRITE);
        for (unsigned twice = 0; twice < 2; twice++) {
            assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
            assert_int_equal(value, 0x1234);
            assert_non_null(mmu_host(&b.mmu, SPACE_PPGTT, ADDRESS, false));
            assert_int_equal(b.faults, twice * 2);
            assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "abcd", 4));
            assert_null(mmu_host(&b.mmu, SPACE_PPGTT, ADDRESS, true));
            assert_int_equal(b.faults, twice * 2 + 2);
            assert_true(b.write);
        }
        assert_int_equal(get32(&b, 0x50000), 0x1234);
        close_bench(&b);
    }
}

/* ---- GGTT ---- */

static void the_ggtt_is_a_table(void **state)
{
    (void)state;
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    ggtt_table_write(&b.memory, 5 * 8, 0x50000 | PRESENT, 8);
    ggtt_table_write(&b.memory, 6 * 8, 0x90000, 4); /* as two dwords */
    assert_false(mmu_translate(&b.mmu, SPACE_GGTT, 0x6000, &t));
    ggtt_table_write(&b.memory, 6 * 8, 0x90001, 4);
    ggtt_table_write(&b.memory, 6 * 8 + 4, 0x2, 4);
    assert_int_equal(ggtt_table_read(&b.memory, 6 * 8, 8), UINT64_C(0x200090001));
    assert_true(mmu_translate(&b.mmu, SPACE_GGTT, 0x5abc, &t));
    assert_int_equal(t.physical, 0x50abc);
    assert_true(t.writable);
    assert_true(mmu_translate(&b.mmu, SPACE_GGTT, 0x6abc, &t));
    assert_int_equal(t.physical, UINT64_C(0x200090abc));
    /* Past the table: reads zero, drops writes, nothing is mapped. */
    ggtt_table_write(&b.memory, 0x10000, UINT64_MAX, 8);
    ggtt_table_write(&b.memory, 0xfffc, UINT64_MAX, 8);
    ggtt_table_write(&b.memory, UINT64_MAX - 3, UINT64_MAX, 8);
    assert_int_equal(ggtt_table_read(&b.memory, 0xfff8, 8), 0);
    assert_int_equal(ggtt_table_read(&b.memory, 0xfffc, 8), 0);
    assert_int_equal(ggtt_table_read(&b.memory, UINT64_MAX - 3, 8), 0);
    assert_false(mmu_translate(&b.mmu, SPACE_GGTT, 0x2000 * 4096u, &t));
    uint32_t value = 1;
    assert_false(mmu_load(&b.mmu, SPACE_GGTT, 0xfffff000, &value, 4));
    assert_int_equal(b.space, SPACE_GGTT);
    assert_int_equal(value, 0);
    close_bench(&b);
}

/* ---- TLB ---- */

static void a_translation_stays_until_it_is_invalidated(void **state)
{
    (void)state;
    struct bench b;
    uint32_t value = 0;
    open_bench(&b, true);
    map_pages(&b);
    put64(&b, 0x50000, 0x111);
    put64(&b, 0x60000, 0x222);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    assert_int_equal(value, 0x111);
    put64(&b, PT + 9 * 8, 0x60000 | PRESENT | WRITE);
    const unsigned maps = b.maps;
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    assert_int_equal(value, 0x111); /* the old page */
    assert_int_equal(b.maps, maps); /* without a look at the tables */
    mmu_invalidate(&b.mmu);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    assert_int_equal(value, 0x222);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "AAAA", 4));
    put64(&b, PT + 9 * 8, 0);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "BBBB", 4));
    assert_int_equal(get32(&b, 0x60000), 0x42424242);
    mmu_invalidate(&b.mmu);
    assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "CCCC", 4));
    assert_int_equal(get32(&b, 0x60000), 0x42424242);
    assert_int_equal(b.faults, 1);
    close_bench(&b);
}

/* A write looks at the tables once more, even where a read has been: the read's page must not serve it. */
static void reads_do_not_open_pages_for_writes(void **state)
{
    (void)state;
    struct bench b;
    uint32_t value;
    open_bench(&b, true);
    map_pages(&b);
    put64(&b, 0x50000, 1);
    put64(&b, 0x60000, 2);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    put64(&b, PT + 9 * 8, 0x60000 | PRESENT | WRITE);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "dddd", 4));
    assert_int_equal(get32(&b, 0x60000), 0x64646464);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4)); /* and reads go there from now on */
    assert_int_equal(value, 0x64646464);
    assert_int_equal(get32(&b, 0x50000), 1);
    close_bench(&b);
}

/* Pages that share a place in the TLB, and one page number in both spaces. */
static void pages_are_told_apart(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, true);
    put64(&b, PML4, POINTERS | PRESENT | WRITE);
    put64(&b, POINTERS, PD | PRESENT | WRITE);
    put64(&b, PD, PT | PRESENT | WRITE);
    put64(&b, PT + 3 * 8, 0x50000 | PRESENT | WRITE);
    put64(&b, PT + (3 + TLB_ENTRIES) * 8, 0x60000 | PRESENT | WRITE);
    ggtt_table_write(&b.memory, 3 * 8, 0x70000 | PRESENT, 8);
    put64(&b, 0x50000, 5);
    put64(&b, 0x60000, 6);
    put64(&b, 0x70000, 7);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t value;
        assert_true(mmu_load(&b.mmu, SPACE_PPGTT, 0x3000, &value, 4));
        assert_int_equal(value, 5 + i * 0x100);
        assert_true(mmu_load(&b.mmu, SPACE_PPGTT, 0x3000 + TLB_ENTRIES * 4096, &value, 4));
        assert_int_equal(value, 6 + i * 0x100);
        assert_true(mmu_load(&b.mmu, SPACE_GGTT, 0x3000, &value, 4));
        assert_int_equal(value, 7 + i * 0x100);
        uint32_t next = 5 + (i + 1) * 0x100;
        assert_true(mmu_store(&b.mmu, SPACE_PPGTT, 0x3000, &next, 4));
        next++;
        assert_true(mmu_store(&b.mmu, SPACE_PPGTT, 0x3000 + TLB_ENTRIES * 4096, &next, 4));
        next++;
        assert_true(mmu_store(&b.mmu, SPACE_GGTT, 0x3000, &next, 4));
    }
    /* A read takes the place of a page that was open for writes: the next write is not its. */
    uint32_t value;
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, 0x3000, "AAAA", 4));
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, 0x3000 + TLB_ENTRIES * 4096, &value, 4));
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, 0x3000, "BBBB", 4));
    assert_int_equal(get32(&b, 0x50000), 0x42424242);
    assert_int_equal(get32(&b, 0x60000), value);
    close_bench(&b);
}

/* ---- Ports ---- */

static void a_port_need_not_map(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, false);
    map_pages(&b);
    put64(&b, PT + 11 * 8, (UINT64_C(100) << 30) | PRESENT | WRITE); /* no memory there */
    uint8_t back[16] = {0};
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 - 6, "0123456789abcdef", 16));
    assert_int_equal(b.writes, 2);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 - 6, back, 16));
    assert_memory_equal(back, "0123456789abcdef", 16);
    assert_null(mmu_host(&b.mmu, SPACE_PPGTT, ADDRESS, true)); /* no host pointer, yet no fault */
    assert_int_equal(b.faults, 0);
    static uint8_t bounce[PAGE_BYTES];
    assert_ptr_equal(mmu_page(&b.mmu, SPACE_PPGTT, ADDRESS + 4096 + 0x80, 0, bounce), bounce);
    assert_memory_equal(bounce, "6789abcdef", 10);
    assert_int_equal(b.faults, 0);
    /* Where reads and writes say that there is no memory, the access faults. */
    memset(back, 0xee, sizeof back);
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + 2 * 4096, back, 16));
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(back[i], 0);
    assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + 2 * 4096, "abcd", 4));
    assert_null(mmu_page(&b.mmu, SPACE_PPGTT, ADDRESS + 2 * 4096, 0, bounce));
    assert_int_equal(b.faults, 3);
    /* Nothing is kept: what changes is seen at once. */
    put64(&b, PT + 9 * 8, 0x90000 | PRESENT | WRITE);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, back, 10));
    assert_memory_equal(back, "6789abcdef", 10);
    close_bench(&b);
}

static void *map_half_pages(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    if (address >= 0x4000)
        return NULL;
    *length_bytes = 0x800 - address % 0x800;
    return (uint8_t *)user + address;
}

static void *map_nothing(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)address, (void)write;
    *length_bytes = 0;
    return user;
}

static bool read_sevens(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address;
    memset(data, '7', size_bytes);
    return true;
}

/* Maps of less than a page are no way to keep a page, but to copy. */
static void short_maps_are_copied_part_by_part(void **state)
{
    (void)state;
    static uint8_t host[0x4000];
    struct memory m;
    struct device_log log = {0};
    struct softgt_memory_port port = {.user = host, .map = map_half_pages};
    uint8_t back[0x2000];
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (uint8_t)(i / 8);
    assert_true(memory_create(&m, &info, &log, &port, NULL));
    assert_true(bus_read(&m, 0x1400, back, sizeof back));
    assert_memory_equal(back, host + 0x1400, sizeof back);
    assert_false(bus_read(&m, 0x3ff0, back, 0x20)); /* its end is nowhere, and there is no read */
    assert_false(bus_write(&m, 0x3ff0, back, 0x20));
    memset(back, 0xcc, sizeof back);
    assert_true(bus_write(&m, 0x17f0, back, 0x20));
    assert_int_equal(host[0x17ef], (uint8_t)(0x17ef / 8));
    assert_int_equal(host[0x17f0], 0xcc);
    assert_int_equal(host[0x180f], 0xcc);
    assert_int_equal(host[0x1810], (uint8_t)(0x1810 / 8));
    memory_destroy(&m);
    port.map = map_nothing; /* a map without a length is none */
    assert_true(memory_create(&m, &info, &log, &port, NULL));
    assert_false(bus_read(&m, 0, back, 4));
    assert_false(bus_write(&m, 0, back, 4));
    memory_destroy(&m);
    port.read = read_sevens;
    assert_true(memory_create(&m, &info, &log, &port, NULL));
    assert_true(bus_read(&m, 0xffc, back, 8));
    assert_memory_equal(back, "77777777", 8);
    memory_destroy(&m);
}

/* ---- Through a device ---- */

struct board {
    uint8_t *bytes; /* where bus memory is now */
    bool can_map;
};

enum { BOARD_BYTES = 1 << 20, RING = 0x8000 };

static void *board_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    const struct board *b = user;
    (void)write;
    if (!b->can_map || address >= BOARD_BYTES)
        return NULL;
    *length_bytes = BOARD_BYTES - address;
    return b->bytes + address;
}

static bool board_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct board *b = user;
    if (address >= BOARD_BYTES || size_bytes > BOARD_BYTES - address)
        return false;
    memcpy(data, b->bytes + address, size_bytes);
    return true;
}

static bool board_write(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    const struct board *b = user;
    if (address >= BOARD_BYTES || size_bytes > BOARD_BYTES - address)
        return false;
    memcpy(b->bytes + address, data, size_bytes);
    return true;
}

/* A device whose GGTT maps the board's memory one to one, with a ring on rcs0. */
static struct softgt *open_board(struct board *b, bool with_map)
{
    struct softgt *device;
    const struct softgt_config config = {.device = "skl",
                                         .memory = {b, with_map ? board_map : NULL, board_read, board_write}};
    assert_int_equal(softgt_create(&config, &device), 0);
    struct driver driver;
    struct driver_writes writes = {0};
    driver_init(&driver, device, &config.memory, 0, 0);
    driver_map_ggtt(&driver, 0, 0, BOARD_BYTES);
    driver_set_ring(&writes, &skl_sheet.engines[0],
                    &(struct driver_ring){.start = RING, .size_bytes = 2 * PAGE_BYTES});
    driver_write(device, &writes);
    return device;
}

/* Puts one MI_STORE_DATA_IMM to the GGTT into the ring at `*tail` and runs it. */
static void store(struct softgt *device, struct board *b, uint32_t *tail, uint32_t address, uint32_t value)
{
    const uint32_t dw[] = {0x10400002, address, 0, value};
    struct softgt_engine_status s;
    memcpy(b->bytes + RING + *tail, dw, sizeof dw);
    *tail += sizeof dw;
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, 0x2030, *tail, 4);
    assert_false(softgt_run(device, 100000));
    assert_true(softgt_engine_status(device, 0, &s));
    assert_int_equal(s.state, SOFTGT_ENGINE_IDLE);
    assert_int_equal(s.faults, 0);
}

static uint32_t at(const uint8_t *bytes, size_t offset)
{
    uint32_t value;
    memcpy(&value, bytes + offset, 4);
    return value;
}

static void a_device_runs_without_a_map(void **state)
{
    (void)state;
    for (unsigned with_map = 0; with_map < 2; with_map++) {
        /* No callback at all, and one that always says no. */
        struct board b = {.bytes = calloc(1, BOARD_BYTES)};
        struct softgt *device = open_board(&b, with_map);
        uint32_t tail = 0, value = 0;
        store(device, &b, &tail, 0x20ffc, 0xcafe);
        assert_int_equal(at(b.bytes, 0x20ffc), 0xcafe);
        assert_true(softgt_ggtt_read(device, 0x20ffc, &value, 4));
        assert_int_equal(value, 0xcafe);
        assert_true(softgt_ggtt_write(device, 0x20ffe, "abcd", 4)); /* over the page's end */
        assert_memory_equal(b.bytes + 0x20ffe, "abcd", 4);
        assert_int_equal(softgt_bar_read(device, SOFTGT_BAR_GMADR, 0x20ffe, 4), 0x64636261);
        softgt_bar_write(device, SOFTGT_BAR_GMADR, 0x30002, 0x11223344, 4);
        assert_int_equal(at(b.bytes, 0x30002), 0x11223344);
        assert_false(softgt_ggtt_read(device, BOARD_BYTES, &value, 4));
        assert_false(softgt_ggtt_write(device, BOARD_BYTES - 2, "abcd", 4));
        assert_memory_equal(b.bytes + BOARD_BYTES - 2, "ab", 2);
        softgt_destroy(device);
        free(b.bytes);
    }
}

static void memory_changed_drops_host_pointers(void **state)
{
    (void)state;
    uint8_t *first = calloc(1, BOARD_BYTES), *second = malloc(BOARD_BYTES);
    struct board b = {.bytes = first, .can_map = true};
    struct softgt *device = open_board(&b, true);
    uint32_t tail = 0;
    store(device, &b, &tail, 0x20000, 1);
    softgt_bar_write(device, SOFTGT_BAR_GMADR, 0x30000, 1, 4);
    assert_int_equal(at(first, 0x20000), 1);
    assert_int_equal(at(first, 0x30000), 1);
    /* The owner moves its memory; the old one may not be touched once it has said so. */
    memcpy(second, first, BOARD_BYTES);
    b.bytes = second;
    softgt_memory_changed(device);
    memset(first, 0xdd, BOARD_BYTES);
    free(first);
    store(device, &b, &tail, 0x20000, 2);
    softgt_bar_write(device, SOFTGT_BAR_GMADR, 0x30000, 2, 4);
    assert_int_equal(at(second, 0x20000), 2);
    assert_int_equal(at(second, 0x30000), 2);
    assert_int_equal(softgt_bar_read(device, SOFTGT_BAR_GMADR, 0x20000, 4), 2);
    /* It takes the memory away: from then on there are only the callbacks. */
    b.can_map = false;
    softgt_memory_changed(device);
    store(device, &b, &tail, 0x20000, 3);
    assert_int_equal(at(second, 0x20000), 3);
    softgt_destroy(device);
    free(second);
}

TEST_PROGRAM(memory_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untouched_memory_is_zero_and_free),
        cmocka_unit_test(writes_go_across_chunks),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(many_chunks_are_found_again),
        cmocka_unit_test(the_port_maps_what_is_there),
        cmocka_unit_test(four_levels_are_walked),
        cmocka_unit_test(what_is_not_present_faults_at_its_level),
        cmocka_unit_test(a_store_ends_where_its_page_does),
        cmocka_unit_test(legacy_tables_have_three_levels),
        cmocka_unit_test(large_pages),
        cmocka_unit_test(read_only_pages),
        cmocka_unit_test(the_ggtt_is_a_table),
        cmocka_unit_test(a_translation_stays_until_it_is_invalidated),
        cmocka_unit_test(reads_do_not_open_pages_for_writes),
        cmocka_unit_test(pages_are_told_apart),
        cmocka_unit_test(a_port_need_not_map),
        cmocka_unit_test(short_maps_are_copied_part_by_part),
        cmocka_unit_test(a_device_runs_without_a_map),
        cmocka_unit_test(memory_changed_drops_host_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
