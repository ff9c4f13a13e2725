/* Sparse bus memory; page walks, TLBs and ports of memory.h; and the same through a device. */
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
#include "memory/window.h"

#include "../random.h"
#include "../words.h"

enum { CHUNK = 64 << 10, INSIDE = 1000 /* an offset in a page */ };

#define GB (UINT64_C(1) << 30)
#define MB (UINT64_C(1) << 20)

/* ---- Sparse memory ---- */

static void untouched_memory_is_zero_and_free(void **state)
{
    (void)state;
    struct sparse_memory *m = sparse_memory_create(MB);
    uint8_t bytes[300];
    memset(bytes, 0xee, sizeof bytes);
    sparse_memory_read(m, 20000 * GB + 12, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], 0);
    assert_int_equal(sparse_memory_used_bytes(m), 0);
    assert_true(sparse_memory_write(m, PAGE_BYTES, "x", 1));
    assert_int_equal(sparse_memory_used_bytes(m), CHUNK);
    memset(bytes, 0xee, sizeof bytes);
    sparse_memory_read(m, PAGE_BYTES - 1, bytes, 3); /* and its neighbours */
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
    enum { PLACE = 2 * CHUNK + PAGE_BYTES };
    struct sparse_memory *m = sparse_memory_create(MB);
    const struct softgt_memory_port port = sparse_memory_port(m);
    uint64_t length = 0;
    assert_null(port.map(port.user, PLACE, &length, false)); /* a read allocates nothing */
    assert_int_equal(sparse_memory_used_bytes(m), 0);
    uint8_t *host = port.map(port.user, PLACE, &length, true);
    assert_non_null(host);
    assert_int_equal(length, CHUNK - PLACE % CHUNK);
    memcpy(host, "abcd", 4);
    assert_ptr_equal(port.map(port.user, PLACE, &length, false), host);
    char text[5] = {0};
    assert_true(port.read(port.user, PLACE, text, 4));
    assert_string_equal(text, "abcd");
    assert_true(port.write(port.user, PLACE + 2, "ef", 2));
    assert_memory_equal(host, "abef", 4);
    sparse_memory_destroy(m);
}

/* ---- Page walks ---- */

enum { PTE_PRESENT = 1, PTE_WRITABLE = 2, PDE_LARGE = 1 << 7, PDE_PAGES_64K = 1 << 11 };
#define PTE_IGNORED (UINT64_C(1) << 63 | UINT64_C(1) << 39 | 0x7c) /* bits that are not address */
/* Bus addresses: page tables, and pages of data. */
enum {
    PML4 = 16 * PAGE_BYTES,
    POINTERS = PML4 + PAGE_BYTES,
    PD = POINTERS + PAGE_BYTES,
    PT = PD + PAGE_BYTES,
    PT_2 = PT + PAGE_BYTES,
    PAGE_A = 80 * PAGE_BYTES,
    PAGE_B = 96 * PAGE_BYTES,
    PAGE_C = 112 * PAGE_BYTES,
    PAGE_D = 144 * PAGE_BYTES, /* not beside the others */
};

/* A graphics address by its index in the table of each level. */
#define INDICES(pml4, pdp, pd, pt)                                                                           \
    ((uint64_t)(pml4) << 39 | (uint64_t)(pdp) << 30 | (uint64_t)(pd) << 21 | (uint64_t)(pt) << 12)
#define ADDRESS INDICES(3, 5, 7, 9)

enum { GGTT_BYTES = 64 << 10 };

static const struct memory_info info = {
    .format = &gen8_page_tables, .ggtt_bytes = GGTT_BYTES, .physical_bits = 39, .address_bits = 48};

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

/* Four characters as a dword. */
static uint32_t dword_of(const char *text)
{
    uint32_t value;
    memcpy(&value, text, 4);
    return value;
}

static uint32_t get32(struct bench *b, uint64_t at)
{
    uint32_t value;
    sparse_memory_read(b->bus, at, &value, 4);
    return value;
}

/* ADDRESS maps PAGE_A, the page after it PAGE_D. */
static void map_pages(struct bench *b)
{
    put64(b, PML4 + 3 * 8, POINTERS | PTE_PRESENT | PTE_WRITABLE);
    put64(b, POINTERS + 5 * 8, PD | PTE_PRESENT | PTE_WRITABLE);
    put64(b, PD + 7 * 8, PT | PTE_PRESENT | PTE_WRITABLE);
    put64(b, PT + 9 * 8, PAGE_A | PTE_PRESENT | PTE_WRITABLE);
    put64(b, PT + 10 * 8, PAGE_D | PTE_PRESENT | PTE_WRITABLE);
}

static void four_levels_are_walked(void **state)
{
    (void)state;
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    map_pages(&b);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, ADDRESS + INSIDE, &t));
    assert_int_equal(t.physical, PAGE_A + INSIDE);
    assert_true(t.writable);
    /* Across the two pages. */
    static const uint8_t bytes[] = "0123456789abcdef";
    uint8_t back[16];
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES - 6, bytes, 16));
    sparse_memory_read(b.bus, PAGE_A + PAGE_BYTES - 6, back, 6);
    sparse_memory_read(b.bus, PAGE_D, back + 6, 10);
    assert_memory_equal(back, bytes, 16);
    memset(back, 0, 16);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES - 6, back, 16));
    assert_memory_equal(back, bytes, 16);
    /* Canonical addresses: what is above bit 47 is not looked at. */
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES - 6 + (~UINT64_C(0) << 48), back, 16));
    assert_memory_equal(back, bytes, 16);
    /* Entry bits above the bus address and below bit 12 are not address. */
    put64(&b, PT + 9 * 8, PAGE_A | PTE_IGNORED | PTE_PRESENT | PTE_WRITABLE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, ADDRESS, &t));
    assert_int_equal(t.physical, PAGE_A);
    assert_int_equal(b.faults, 0);
    close_bench(&b);
}

/* Xe2: the fifth level's table is the root's; the PAT index stands in bits of an entry that are not address,
 * and bit 6 of a directory's entry says that its table has 32 entries of 64 KB. (Linux, xe_gtt_defs.h) */
static void five_levels_are_walked(void **state)
{
    (void)state;
    enum { PML5 = 15 * PAGE_BYTES, PDE_COMPACT = 1 << 6, NULL_PAGE = 1 << 9, INDEX = 130 };
    const uint64_t there = PTE_PRESENT | PTE_WRITABLE,
                   pat = UINT64_C(1) << 62 | UINT64_C(1) << 61 | 1u << 7 | 1u << 4 | 1u << 3,
                   large = INDICES(3, 5, 8, 0) + (1 << 20);
    const struct memory_info with_five = {
        .format = &gen200_page_tables, .ggtt_bytes = GGTT_BYTES, .physical_bits = 46, .address_bits = 57};
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    b.memory.info = &with_five;
    mmu_init(&b.mmu, &b.memory, &b, on_fault);
    b.mmu.root.mode = PPGTT_48;
    b.mmu.root.directory[0] = PML5 | there | 1u << 3; /* as the driver writes it, with a PAT index */
    map_pages(&b);
    put64(&b, PML5 + 0 * 8, PML4 | there);
    put64(&b, PT + 9 * 8, PAGE_A | pat | there);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, ADDRESS + INSIDE, &t));
    assert_int_equal(t.physical, PAGE_A + INSIDE);
    assert_int_equal(t.page_shift, PAGE_SHIFT);
    assert_true(t.writable);
    /* Bits 56:48 are the index of the first table. */
    put64(&b, PML5 + INDEX * 8, PML4 | there);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, ADDRESS + ((uint64_t)INDEX << 48) + INSIDE, &t));
    assert_int_equal(t.physical, PAGE_A + INSIDE);
    assert_false(mmu_translate(&b.mmu, SPACE_PPGTT, ADDRESS + ((uint64_t)1 << 48), &t));
    assert_int_equal(t.level, 4);
    /* A large page: bit 7 is its size, bit 12 a part of its PAT index. */
    put64(&b, PD + 8 * 8, 6 * MB | 1u << 12 | 1u << 7 | there);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, large, &t));
    assert_int_equal(t.physical, 7 * MB);
    assert_int_equal(t.page_shift, 21);
    put64(&b, POINTERS + 6 * 8, 1 * GB | 1u << 7 | there);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, INDICES(3, 6, 1, 1), &t));
    assert_int_equal(t.physical, 1 * GB + INDICES(0, 0, 1, 1));
    assert_int_equal(t.page_shift, 30);
    put64(&b, PD + 9 * 8, PT_2 | PDE_COMPACT | there);
    put64(&b, PT_2 + 1 * 8, PAGE_B | there);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, INDICES(3, 5, 9, 19), &t));
    assert_int_equal(t.physical, PAGE_B + 3 * PAGE_BYTES);
    assert_int_equal(t.page_shift, 16);
    /* A null page. */
    put64(&b, PT + 10 * 8, NULL_PAGE | there);
    uint32_t value = 1;
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES, "abcd", 4));
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES, &value, 4));
    assert_int_equal(value, 0);
    /* The level that has no entry is what a fault says. */
    static const uint64_t entries[] = {PT + 9 * 8, PD + 7 * 8, POINTERS + 5 * 8, PML4 + 3 * 8, PML5};
    for (unsigned level = 5; level-- > 0;) {
        uint64_t entry;
        sparse_memory_read(b.bus, entries[level], &entry, 8);
        put64(&b, entries[level], entry & ~(uint64_t)PTE_PRESENT);
        mmu_invalidate(&b.mmu);
        assert_false(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
        assert_int_equal(b.level, level);
        put64(&b, entries[level], entry);
    }
    /* Bits 53:52 of a GGTT's entry are its PAT index. */
    const uint64_t ggtt = UINT64_C(3) << 52 | PAGE_B | PTE_PRESENT;
    ggtt_table_write(&b.memory, 2 * 8, ggtt, 8);
    assert_true(mmu_translate(&b.mmu, SPACE_GGTT, 2 * PAGE_BYTES + INSIDE, &t));
    assert_int_equal(t.physical, PAGE_B + INSIDE);
    close_bench(&b);
}

static void what_is_not_present_faults_at_its_level(void **state)
{
    (void)state;
    static const uint64_t entries[] = {PT + 9 * 8, PD + 7 * 8, POINTERS + 5 * 8, PML4 + 3 * 8};
    for (unsigned level = 0; level < 4; level++) {
        struct bench b;
        uint32_t value = UINT32_MAX;
        open_bench(&b, true);
        map_pages(&b);
        uint64_t entry;
        sparse_memory_read(b.bus, entries[level], &entry, 8);
        put64(&b, entries[level], entry & ~(uint64_t)PTE_PRESENT); /* all but the bit stays */
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
        assert_int_equal(get32(&b, PAGE_A + 8), 0);
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
    assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES - 4, "abcdefgh", 8));
    assert_int_equal(b.faults, 1);
    assert_int_equal(b.address, ADDRESS + PAGE_BYTES);
    assert_int_equal(get32(&b, PAGE_A + PAGE_BYTES - 4),
                     dword_of("abcd")); /* what lies before the hole is done */
    uint32_t back[2] = {1, 1};
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES - 4, back, 8));
    assert_int_equal(back[0], dword_of("abcd"));
    assert_int_equal(back[1], 0);
    close_bench(&b);
}

static void legacy_tables_have_three_levels(void **state)
{
    (void)state;
    enum { DIRECTORIES = 32 * PAGE_BYTES };
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    b.mmu.root.mode = PPGTT_LEGACY_32;
    for (unsigned i = 0; i < 4; i++) { /* a directory each; entry 7, 9 maps (i + 1) MB */
        const uint64_t directory = DIRECTORIES + i * 2 * PAGE_BYTES;
        b.mmu.root.directory[i] = directory;
        put64(&b, directory + 7 * 8, (directory + PAGE_BYTES) | PTE_PRESENT | PTE_WRITABLE);
        put64(&b, directory + PAGE_BYTES + 9 * 8, (i + 1) * MB | PTE_PRESENT | PTE_WRITABLE);
    }
    for (uint64_t i = 0; i < 4; i++) {
        assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, INDICES(0, i, 7, 9) + 0x44, &t));
        assert_int_equal(t.physical, (i + 1) * MB + 0x44);
    }
    put64(&b, DIRECTORIES + 8 * 8, 6 * MB | PTE_PRESENT | PTE_WRITABLE | PDE_LARGE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, INDICES(0, 0, 9, 0) - 1, &t));
    assert_int_equal(t.physical, 8 * MB - 1);
    uint32_t value;
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, INDICES(0, 0, 6, 0), &value, 4));
    assert_int_equal(b.level, 1);
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, INDICES(0, 0, 7, 8), &value, 4));
    assert_int_equal(b.level, 0);
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, 4 * GB + INDICES(0, 0, 7, 9), &value, 4));
    assert_int_equal(b.faults, 3); /* 32 bits of address */
    b.mmu.root.mode = PPGTT_NONE;
    assert_false(mmu_translate(&b.mmu, SPACE_PPGTT, INDICES(0, 0, 7, 9), &t));
    close_bench(&b);
}

static void large_pages(void **state)
{
    (void)state;
    enum { BYTES_64K = 64 << 10, AT_64K = 42 * BYTES_64K, AT_2M = 520 << 21 };
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    map_pages(&b);
    /* 64 KB: the first of sixteen entries counts, address from bit 16. */
    put64(&b, PD + 8 * 8, PT_2 | PTE_PRESENT | PTE_WRITABLE | PDE_PAGES_64K);
    put64(&b, PT_2 + 32 * 8, AT_64K | 5 * PAGE_BYTES | PTE_PRESENT | PTE_WRITABLE);
    put64(&b, PT_2 + 35 * 8, PAGE_A); /* not read */
    const uint64_t at_64k = INDICES(3, 5, 8, 32);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, at_64k + 3 * PAGE_BYTES + INSIDE, &t));
    assert_int_equal(t.physical, AT_64K + 3 * PAGE_BYTES + INSIDE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, at_64k + BYTES_64K - 1, &t));
    assert_int_equal(t.physical, AT_64K + BYTES_64K - 1);
    assert_int_equal(t.page_shift, 16);
    assert_false(mmu_translate(&b.mmu, SPACE_PPGTT, at_64k + BYTES_64K, &t));
    assert_int_equal(t.level, 0);
    /* 2 MB: bits 20:12 of the entry are not address. */
    put64(&b, PD + 9 * 8, (AT_2M + 2 * MB - PAGE_BYTES) | PTE_PRESENT | PTE_WRITABLE | PDE_LARGE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, INDICES(3, 5, 9, 256) + INSIDE, &t));
    assert_int_equal(t.physical, AT_2M + 256 * PAGE_BYTES + INSIDE);
    assert_int_equal(t.page_shift, 21);
    /* 1 GB */
    put64(&b, POINTERS + 6 * 8, (3 * GB - PAGE_BYTES) | PTE_PRESENT | PDE_LARGE);
    assert_true(mmu_translate(&b.mmu, SPACE_PPGTT, INDICES(3, 6, 400, 300) + INSIDE, &t));
    assert_int_equal(t.physical, 2 * GB + INDICES(0, 0, 400, 300) + INSIDE);
    assert_int_equal(t.page_shift, 30);
    assert_false(t.writable);
    /* Each 4 KB of a large page has a TLB entry. */
    static uint8_t bytes[3 * PAGE_BYTES], back[sizeof bytes];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i / 16 + 1);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, at_64k + PAGE_BYTES + INSIDE, bytes, sizeof bytes));
    sparse_memory_read(b.bus, AT_64K + PAGE_BYTES + INSIDE, back, sizeof back);
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
        put64(&b, PAGE_A, 1234);
        put64(&b, entries[level], entry & ~(uint64_t)PTE_WRITABLE);
        for (unsigned twice = 0; twice < 2; twice++) {
            assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
            assert_int_equal(value, 1234);
            assert_non_null(mmu_host(&b.mmu, SPACE_PPGTT, ADDRESS, false));
            assert_int_equal(b.faults, twice * 2);
            assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "abcd", 4));
            assert_null(mmu_host(&b.mmu, SPACE_PPGTT, ADDRESS, true));
            assert_int_equal(b.faults, twice * 2 + 2);
            assert_true(b.write);
        }
        assert_int_equal(get32(&b, PAGE_A), 1234);
        close_bench(&b);
    }
}

/* ---- Windows ---- */

enum { WINDOW_PAGES = 12 };

/* Random tables: pages that follow each other mostly, of both sizes, some missing or read only; the TLB has
 * some of them, and the tables change behind it. */
static void map_random(struct bench *b, uint64_t *seed)
{
    const bool large = below(seed, 4) == 0;
    map_pages(b);
    put64(b, PD + 7 * 8, PT | PTE_PRESENT | PTE_WRITABLE | (large ? PDE_PAGES_64K : 0));
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 2 * WINDOW_PAGES; i++) {
            const uint64_t page = below(seed, 8) ? PAGE_A + i * (uint64_t)PAGE_BYTES : PAGE_D,
                           bits = (below(seed, 12) ? PTE_PRESENT : 0) | (below(seed, 9) ? PTE_WRITABLE : 0);
            if (!round || below(seed, 10) == 0)
                put64(b, PT + i * UINT64_C(8), page | bits);
        }
        for (unsigned i = below(seed, 8); !round && i; i--)
            mmu_host(&b->mmu, SPACE_PPGTT, INDICES(3, 5, 7, below(seed, WINDOW_PAGES)), below(seed, 2));
    }
}

/* A window has what page after page gives, and ends where that does not follow. */
static void windows_agree_with_the_tlb(void **state)
{
    (void)state;
    enum { CASES = 4000 };
    static struct mmu before;
    uint64_t seed = 1, longer = 0;
    for (unsigned n = 0; n < CASES; n++) {
        struct bench b;
        struct memory_window w;
        open_bench(&b, true);
        map_random(&b, &seed);
        const bool write = below(&seed, 2);
        const uint64_t from = INDICES(3, 5, 7, below(&seed, 4)) + below(&seed, PAGE_BYTES),
                       size = 1 + below(&seed, (WINDOW_PAGES - 4) * PAGE_BYTES);
        const unsigned faults = b.faults;
        before = b.mmu;
        const bool made = memory_window_make(&w, &b.mmu, SPACE_PPGTT, from, size, write);
        assert_int_equal(b.faults, faults);
        assert_memory_equal(&before, &b.mmu, sizeof before);
        assert_int_equal(made, w.size_bytes != 0);
        assert_true(w.size_bytes <= size);
        for (uint64_t at = 0; at < size; at += PAGE_BYTES - (from + at) % PAGE_BYTES) {
            uint8_t *const host = mmu_host(&b.mmu, SPACE_PPGTT, from + at, write);
            uint8_t *const there = memory_window_host(&w, &b.mmu, from + at, 1);
            uint64_t physical = 0;
            if (!there) {
                assert_int_equal(at, w.size_bytes);
                assert_true(!host || host != w.host + at);
                break;
            }
            assert_ptr_equal(there, host);
            assert_true(mmu_physical(&b.mmu, SPACE_PPGTT, from + at, write, &physical));
            assert_int_equal(physical, w.physical + at);
            assert_int_equal(memory_window_page_bit(&w, from + at),
                             mmu_page_bit(&b.mmu, SPACE_PPGTT, from + at));
        }
        longer += w.size_bytes > PAGE_BYTES;
        assert_null(memory_window_host(&w, &b.mmu, from, w.size_bytes + 1));
        assert_null(memory_window_host(&w, &b.mmu, from - 1, 1));
        mmu_invalidate(&b.mmu);
        assert_null(memory_window_host(&w, &b.mmu, from, 1));
        close_bench(&b);
    }
    assert_true(longer > CASES / 4);
}

/* An address space ends at its last page, and memory that cannot be mapped has no windows. */
static void windows_end(void **state)
{
    (void)state;
    struct bench b;
    struct memory_window w;
    open_bench(&b, false);
    map_pages(&b);
    assert_false(memory_window_make(&w, &b.mmu, SPACE_PPGTT, ADDRESS, 8, false));
    assert_null(memory_window_host(&w, &b.mmu, ADDRESS, 1));
    assert_false(memory_window_make(&w, &b.mmu, SPACE_PPGTT, UINT64_C(1) << 48, 8, false));
    assert_false(memory_window_make(&w, &b.mmu, SPACE_PPGTT, ADDRESS, 0, false));
    close_bench(&b);
}

/* ---- GGTT ---- */

static void the_ggtt_is_a_table(void **state)
{
    (void)state;
    const uint64_t above_4g = 8 * GB;
    struct bench b;
    struct translation t = {0};
    open_bench(&b, true);
    ggtt_table_write(&b.memory, 5 * 8, PAGE_A | PTE_PRESENT, 8);
    ggtt_table_write(&b.memory, 6 * 8, PAGE_D, 4); /* as two dwords */
    assert_false(mmu_translate(&b.mmu, SPACE_GGTT, 6 * PAGE_BYTES, &t));
    ggtt_table_write(&b.memory, 6 * 8, PAGE_D | PTE_PRESENT, 4);
    ggtt_table_write(&b.memory, 6 * 8 + 4, above_4g >> 32, 4);
    assert_int_equal(ggtt_table_read(&b.memory, 6 * 8, 8), above_4g | PAGE_D | PTE_PRESENT);
    assert_true(mmu_translate(&b.mmu, SPACE_GGTT, 5 * PAGE_BYTES + INSIDE, &t));
    assert_int_equal(t.physical, PAGE_A + INSIDE);
    assert_true(t.writable);
    assert_true(mmu_translate(&b.mmu, SPACE_GGTT, 6 * PAGE_BYTES + INSIDE, &t));
    assert_int_equal(t.physical, above_4g + PAGE_D + INSIDE);
    /* Past the table: reads zero, drops writes, nothing is mapped. */
    ggtt_table_write(&b.memory, GGTT_BYTES, UINT64_MAX, 8);
    ggtt_table_write(&b.memory, GGTT_BYTES - 4, UINT64_MAX, 8);
    ggtt_table_write(&b.memory, UINT64_MAX - 3, UINT64_MAX, 8);
    assert_int_equal(ggtt_table_read(&b.memory, GGTT_BYTES - 8, 8), 0);
    assert_int_equal(ggtt_table_read(&b.memory, GGTT_BYTES - 4, 8), 0);
    assert_int_equal(ggtt_table_read(&b.memory, UINT64_MAX - 3, 8), 0);
    assert_false(mmu_translate(&b.mmu, SPACE_GGTT, GGTT_BYTES / 8 * (uint64_t)PAGE_BYTES, &t));
    uint32_t value = 1;
    assert_false(mmu_load(&b.mmu, SPACE_GGTT, 4 * GB - PAGE_BYTES, &value, 4));
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
    put64(&b, PAGE_A, 111);
    put64(&b, PAGE_B, 222);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    assert_int_equal(value, 111);
    put64(&b, PT + 9 * 8, PAGE_B | PTE_PRESENT | PTE_WRITABLE);
    const unsigned maps = b.maps;
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    assert_int_equal(value, 111);   /* the old page */
    assert_int_equal(b.maps, maps); /* the tables are not read */
    mmu_invalidate(&b.mmu);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    assert_int_equal(value, 222);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "AAAA", 4));
    put64(&b, PT + 9 * 8, 0);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "BBBB", 4));
    assert_int_equal(get32(&b, PAGE_B), dword_of("BBBB"));
    mmu_invalidate(&b.mmu);
    assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "CCCC", 4));
    assert_int_equal(get32(&b, PAGE_B), dword_of("BBBB"));
    assert_int_equal(b.faults, 1);
    close_bench(&b);
}

/* A write walks the tables again after a read: the translation of a read does not serve a write. */
static void reads_do_not_open_pages_for_writes(void **state)
{
    (void)state;
    struct bench b;
    uint32_t value;
    open_bench(&b, true);
    map_pages(&b);
    put64(&b, PAGE_A, 1);
    put64(&b, PAGE_B, 2);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4));
    put64(&b, PT + 9 * 8, PAGE_B | PTE_PRESENT | PTE_WRITABLE);
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS, "dddd", 4));
    assert_int_equal(get32(&b, PAGE_B), dword_of("dddd"));
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, &value, 4)); /* and reads go there from now on */
    assert_int_equal(value, dword_of("dddd"));
    assert_int_equal(get32(&b, PAGE_A), 1);
    close_bench(&b);
}

/* Pages that share an entry of the TLB, and one page number in both spaces. */
static void pages_that_share_an_entry(void **state)
{
    (void)state;
    enum { SHARED = 3 * PAGE_BYTES, ROUND = 100 /* what a round adds to each value */ };
    struct bench b;
    open_bench(&b, true);
    put64(&b, PML4, POINTERS | PTE_PRESENT | PTE_WRITABLE);
    put64(&b, POINTERS, PD | PTE_PRESENT | PTE_WRITABLE);
    put64(&b, PD, PT | PTE_PRESENT | PTE_WRITABLE);
    put64(&b, PT + 3 * 8, PAGE_A | PTE_PRESENT | PTE_WRITABLE);
    put64(&b, PT + (3 + TLB_ENTRIES) * 8, PAGE_B | PTE_PRESENT | PTE_WRITABLE);
    ggtt_table_write(&b.memory, 3 * 8, PAGE_C | PTE_PRESENT, 8);
    put64(&b, PAGE_A, 5);
    put64(&b, PAGE_B, 6);
    put64(&b, PAGE_C, 7);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t value;
        assert_true(mmu_load(&b.mmu, SPACE_PPGTT, SHARED, &value, 4));
        assert_int_equal(value, 5 + i * ROUND);
        assert_true(mmu_load(&b.mmu, SPACE_PPGTT, SHARED + TLB_ENTRIES * PAGE_BYTES, &value, 4));
        assert_int_equal(value, 6 + i * ROUND);
        assert_true(mmu_load(&b.mmu, SPACE_GGTT, SHARED, &value, 4));
        assert_int_equal(value, 7 + i * ROUND);
        uint32_t next = 5 + (i + 1) * ROUND;
        assert_true(mmu_store(&b.mmu, SPACE_PPGTT, SHARED, &next, 4));
        next++;
        assert_true(mmu_store(&b.mmu, SPACE_PPGTT, SHARED + TLB_ENTRIES * PAGE_BYTES, &next, 4));
        next++;
        assert_true(mmu_store(&b.mmu, SPACE_GGTT, SHARED, &next, 4));
    }
    /* A read replaces the entry of a page that was writable: the next write walks again. */
    uint32_t value;
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, SHARED, "AAAA", 4));
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, SHARED + TLB_ENTRIES * PAGE_BYTES, &value, 4));
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, SHARED, "BBBB", 4));
    assert_int_equal(get32(&b, PAGE_A), dword_of("BBBB"));
    assert_int_equal(get32(&b, PAGE_B), value);
    close_bench(&b);
}

/* ---- Ports ---- */

static void a_port_need_not_map(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, false);
    map_pages(&b);
    put64(&b, PT + 11 * 8, (UINT64_C(100) << 30) | PTE_PRESENT | PTE_WRITABLE); /* no memory there */
    uint8_t back[16] = {0};
    assert_true(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES - 6, "0123456789abcdef", 16));
    assert_int_equal(b.writes, 2);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES - 6, back, 16));
    assert_memory_equal(back, "0123456789abcdef", 16);
    assert_null(mmu_host(&b.mmu, SPACE_PPGTT, ADDRESS, true)); /* no host pointer, yet no fault */
    assert_int_equal(b.faults, 0);
    static uint8_t bounce[PAGE_BYTES];
    assert_ptr_equal(mmu_page(&b.mmu, SPACE_PPGTT, ADDRESS + PAGE_BYTES + 0x80, 0, bounce), bounce);
    assert_memory_equal(bounce, "6789abcdef", 10);
    assert_int_equal(b.faults, 0);
    /* Where reads and writes say that there is no memory, the access faults. */
    memset(back, 0xee, sizeof back);
    assert_false(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS + 2 * PAGE_BYTES, back, 16));
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(back[i], 0);
    assert_false(mmu_store(&b.mmu, SPACE_PPGTT, ADDRESS + 2 * PAGE_BYTES, "abcd", 4));
    assert_null(mmu_page(&b.mmu, SPACE_PPGTT, ADDRESS + 2 * PAGE_BYTES, 0, bounce));
    assert_int_equal(b.faults, 3);
    /* Nothing is kept: what changes is seen at once. */
    put64(&b, PT + 9 * 8, PAGE_D | PTE_PRESENT | PTE_WRITABLE);
    assert_true(mmu_load(&b.mmu, SPACE_PPGTT, ADDRESS, back, 10));
    assert_memory_equal(back, "6789abcdef", 10);
    close_bench(&b);
}

enum { HALF_BYTES = PAGE_BYTES / 2, HOST_BYTES = 4 * PAGE_BYTES };

static void *map_half_pages(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    if (address >= HOST_BYTES)
        return NULL;
    *length_bytes = HALF_BYTES - address % HALF_BYTES;
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

/* A map of less than a page is used to copy; its pointer is not stored. */
static void short_maps_are_copied_part_by_part(void **state)
{
    (void)state;
    static uint8_t host[HOST_BYTES];
    struct memory m;
    struct device_log log = {0};
    struct softgt_memory_port port = {.user = host, .map = map_half_pages};
    uint8_t back[2 * PAGE_BYTES];
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (uint8_t)(i / 8);
    assert_true(memory_create(&m, &info, &log, &port, NULL));
    assert_true(bus_read(&m, 2 * HALF_BYTES + INSIDE, back, sizeof back));
    assert_memory_equal(back, host + 2 * HALF_BYTES + INSIDE, sizeof back);
    assert_false(bus_read(&m, HOST_BYTES - 16, back, 32)); /* the end has no memory, and there is no `read` */
    assert_false(bus_write(&m, HOST_BYTES - 16, back, 32));
    memset(back, 0xcc, sizeof back);
    assert_true(bus_write(&m, 3 * HALF_BYTES - 16, back, 32));
    assert_int_equal(host[3 * HALF_BYTES - 17], (uint8_t)((3 * HALF_BYTES - 17) / 8));
    assert_int_equal(host[3 * HALF_BYTES - 16], 0xcc);
    assert_int_equal(host[3 * HALF_BYTES + 15], 0xcc);
    assert_int_equal(host[3 * HALF_BYTES + 16], (uint8_t)((3 * HALF_BYTES + 16) / 8));
    memory_destroy(&m);
    port.map = map_nothing; /* a map without a length is none */
    assert_true(memory_create(&m, &info, &log, &port, NULL));
    assert_false(bus_read(&m, 0, back, 4));
    assert_false(bus_write(&m, 0, back, 4));
    memory_destroy(&m);
    port.read = read_sevens;
    assert_true(memory_create(&m, &info, &log, &port, NULL));
    assert_true(bus_read(&m, PAGE_BYTES - 4, back, 8));
    assert_memory_equal(back, "77777777", 8);
    memory_destroy(&m);
}

/* ---- Through a device ---- */

struct board {
    uint8_t *bytes; /* bus memory */
    bool can_map;
};

enum { BOARD_BYTES = 1 << 20, RING = 8 * PAGE_BYTES, BUFFER = 32 * PAGE_BYTES, SECOND = 48 * PAGE_BYTES };

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
    uint32_t dw[8];
    struct softgt_engine_status s;
    const uint32_t length_dw = assemble(
        device, 0, dw, "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", address, value);
    memcpy(b->bytes + RING + *tail, dw, length_dw * 4);
    *tail += length_dw * 4;
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, register_offset(device, "rcs0.RING_BUFFER_TAIL"), *tail, 4);
    assert_false(softgt_run(device, 100000));
    assert_true(softgt_engine_get_status(device, 0, &s));
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
        store(device, &b, &tail, BUFFER + PAGE_BYTES - 4, 1234);
        assert_int_equal(at(b.bytes, BUFFER + PAGE_BYTES - 4), 1234);
        assert_true(softgt_ggtt_read(device, BUFFER + PAGE_BYTES - 4, &value, 4));
        assert_int_equal(value, 1234);
        assert_true(softgt_ggtt_write(device, BUFFER + PAGE_BYTES - 2, "abcd", 4)); /* over the page's end */
        assert_memory_equal(b.bytes + BUFFER + PAGE_BYTES - 2, "abcd", 4);
        assert_int_equal(softgt_bar_read(device, SOFTGT_BAR_GMADR, BUFFER + PAGE_BYTES - 2, 4),
                         dword_of("abcd"));
        softgt_bar_write(device, SOFTGT_BAR_GMADR, SECOND + 2, 5678, 4);
        assert_int_equal(at(b.bytes, SECOND + 2), 5678);
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
    store(device, &b, &tail, BUFFER, 1);
    softgt_bar_write(device, SOFTGT_BAR_GMADR, SECOND, 1, 4);
    assert_int_equal(at(first, BUFFER), 1);
    assert_int_equal(at(first, SECOND), 1);
    /* The owner moves its memory. The device uses the old one no more after softgt_memory_changed. */
    memcpy(second, first, BOARD_BYTES);
    b.bytes = second;
    softgt_memory_changed(device);
    memset(first, 0xdd, BOARD_BYTES);
    free(first);
    store(device, &b, &tail, BUFFER, 2);
    softgt_bar_write(device, SOFTGT_BAR_GMADR, SECOND, 2, 4);
    assert_int_equal(at(second, BUFFER), 2);
    assert_int_equal(at(second, SECOND), 2);
    assert_int_equal(softgt_bar_read(device, SOFTGT_BAR_GMADR, BUFFER, 4), 2);
    /* The owner maps no more: the device uses the callbacks. */
    b.can_map = false;
    softgt_memory_changed(device);
    store(device, &b, &tail, BUFFER, 3);
    assert_int_equal(at(second, BUFFER), 3);
    softgt_destroy(device);
    free(second);
}

TEST_PROGRAM(memory_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untouched_memory_is_zero_and_free),
        cmocka_unit_test(writes_go_across_chunks),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(windows_agree_with_the_tlb),
        cmocka_unit_test(windows_end),
        cmocka_unit_test(many_chunks_are_found_again),
        cmocka_unit_test(the_port_maps_what_is_there),
        cmocka_unit_test(four_levels_are_walked),
        cmocka_unit_test(five_levels_are_walked),
        cmocka_unit_test(what_is_not_present_faults_at_its_level),
        cmocka_unit_test(a_store_ends_where_its_page_does),
        cmocka_unit_test(legacy_tables_have_three_levels),
        cmocka_unit_test(large_pages),
        cmocka_unit_test(read_only_pages),
        cmocka_unit_test(the_ggtt_is_a_table),
        cmocka_unit_test(a_translation_stays_until_it_is_invalidated),
        cmocka_unit_test(reads_do_not_open_pages_for_writes),
        cmocka_unit_test(pages_that_share_an_entry),
        cmocka_unit_test(a_port_need_not_map),
        cmocka_unit_test(short_maps_are_copied_part_by_part),
        cmocka_unit_test(a_device_runs_without_a_map),
        cmocka_unit_test(memory_changed_drops_host_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
