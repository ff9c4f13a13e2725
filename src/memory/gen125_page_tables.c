/*
 * Page table entries of Gen12.5, 64 bits: those of Gen8 with additions. (Linux, i915 and xe)
 * Bit 1 of a GGTT entry, bit 11 of a page's entry: the page is in local memory. (SYS-08) Page tables always
 * are. Bit 6 of a directory entry: its table has 64 KB pages, 32 consecutive entries. Bit 9 of a page's
 * entry: a null page, which reads zero and drops writes. Bits 7:2 of a GGTT entry: the function that owns the
 * page. (SYS-02)
 * Xe2: five levels, and more bits for the function. Its tables are in the memory that the part has. The PAT
 * index: bits 3, 4, 7, 62 and 61 of a page's entry, 12 instead of 7 of a large one's; that of the GGTT's,
 * bits 52 and 53, is not looked at. (Linux, xe_gtt_defs.h)
 */
#include "memory/memory.h"

enum { PRESENT = 1u << 0, WRITE = 1u << 1, PAGE_SIZE = 1u << 7 };
enum { GGTT_LOCAL = 1u << 1, LOCAL = 1u << 11, NULL_PAGE = 1u << 9, PAGES_64K = 1u << 6 };
enum { TABLE_BITS = 9, BIG_SHIFT = 16 };

static uint64_t entry_address(const struct memory *m, uint64_t entry)
{
    return entry & ((UINT64_C(1) << m->info->physical_bits) - 1u) & ~(uint64_t)(PAGE_BYTES - 1);
}

static bool gen125_ggtt(const struct memory *m, uint64_t entry, struct translation *t)
{
    t->page_shift = PAGE_SHIFT;
    t->physical = entry_address(m, entry) | (entry & GGTT_LOCAL ? MEMORY_LOCAL : 0);
    t->writable = true;
    return entry & PRESENT;
}

/* On Gen12.5 it has fewer bits, and nobody asks for it. */
static uint8_t pat_index(uint64_t entry, unsigned shift)
{
    return (uint8_t)((entry >> 3 & 3u) | (entry >> (shift > BIG_SHIFT ? 12 : 7) & 1u) << 2 |
                     (entry >> 62 & 1u) << 3 | (entry >> 61 & 1u) << 4);
}

static void take_page(const struct memory *m, uint64_t entry, uint64_t address, unsigned shift,
                      struct translation *t)
{
    const uint64_t mask = (UINT64_C(1) << shift) - 1u;
    t->page_shift = (uint8_t)shift;
    t->pat = pat_index(entry, shift);
    t->physical = (entry_address(m, entry) & ~mask) | (address & mask) |
                  (entry & NULL_PAGE ? MEMORY_NULL
                   : entry & LOCAL   ? MEMORY_LOCAL
                                     : 0);
}

static bool gen125_ppgtt(struct walker *w, const struct ppgtt_root *root, uint64_t address,
                         struct translation *t)
{
    const struct memory *m = w->memory;
    const unsigned top = m->info->format->ppgtt_levels - 1u;
    unsigned level = root->mode == PPGTT_48 ? top : 1;
    uint64_t table = root->directory[level == top ? 0 : address >> 30 & 3u];
    t->writable = true;
    t->level = (uint8_t)top;
    if (root->mode != PPGTT_48 && (root->mode != PPGTT_LEGACY_32 || address >> 32))
        return false;
    for (bool pages_64k = false;; level--) {
        const unsigned shift = pages_64k ? BIG_SHIFT : PAGE_SHIFT + level * TABLE_BITS;
        const uint64_t index = address >> shift & (pages_64k ? 31u : 511u);
        uint64_t entry;
        t->level = (uint8_t)level;
        if (!table_entry(w, level, entry_address(m, table) | m->info->format->table_memory, index, &entry) ||
            !(entry & PRESENT))
            return false;
        t->writable = t->writable && entry & WRITE;
        if (level == 0 || (level < 3 && entry & PAGE_SIZE)) {
            take_page(m, entry, address, shift, t);
            return true;
        }
        pages_64k = level == 1 && entry & PAGES_64K;
        table = entry;
    }
}

static uint64_t gen125_encode(const struct page_entry *e)
{
    const uint64_t entry = (e->physical & ~(MEMORY_LOCAL | MEMORY_NULL) & ~(uint64_t)(PAGE_BYTES - 1)) |
                           (e->present ? PRESENT : 0u);
    const bool local = e->physical & MEMORY_LOCAL;
    if (e->is_ggtt)
        return entry | (local ? GGTT_LOCAL : 0u);
    return entry | (e->writable ? WRITE : 0u) | (e->is_page ? PAGE_SIZE : 0u) |
           (e->big_pages ? PAGES_64K : 0u) | (e->physical & MEMORY_NULL ? NULL_PAGE : 0u) |
           (local && !e->is_table ? LOCAL : 0u);
}

static uint64_t gen125_table_of(uint64_t entry)
{
    return entry & PRESENT && !(entry & PAGE_SIZE)
               ? entry & ((UINT64_C(1) << 46) - 1u) & ~(uint64_t)(PAGE_BYTES - 1)
               : 0;
}

#define FORMAT(levels, memory, function_bits, table)                                                         \
    {                                                                                                        \
        .ggtt_entry_bytes = 8, .ppgtt_levels = (levels), .table_bits = TABLE_BITS, .physical_bits = 39,      \
        .table_memory = (memory), .ggtt_vf_bits = (function_bits) << 2, .packs_64k_entries = true,           \
        .null_pages = true, .encode = gen125_encode, .next_table = gen125_table_of, .ggtt = gen125_ggtt,     \
        .ppgtt = gen125_ppgtt, .lmtt = (table)                                                               \
    }

const struct page_table_format gen125_page_tables = FORMAT(4, MEMORY_LOCAL, 0x3fu, &two_level_lmtt),
                               gen200_page_tables = FORMAT(5, 0, 0x3ffu, NULL),
                               gen200_local_page_tables = FORMAT(5, MEMORY_LOCAL, 0x3ffu, &multi_level_lmtt);
