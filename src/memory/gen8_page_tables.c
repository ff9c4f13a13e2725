/*
 * Page table entries of Gen8 and later, 64 bits.
 * Bit 0: present. Bit 1: write. Bits from 12 on: address.
 * Bit 7: page size. A directory entry with it maps 2 MB, a directory pointer 1 GB.
 * Bit 11 of a directory entry: its page table has 64 KB pages.
 * (BDW and SKL PRM vol 5, "Memory Views")
 */
#include "memory/memory.h"

enum { PRESENT = 1u << 0, WRITE = 1u << 1, PAGE_SIZE = 1u << 7, PAGES_64K = 1u << 11 };

static uint64_t entry_address(const struct memory *m, uint64_t entry)
{
    return entry & ((UINT64_C(1) << m->info->physical_bits) - 1u) & ~(uint64_t)(PAGE_BYTES - 1);
}

static bool gen8_ggtt(const struct memory *m, uint64_t entry, struct translation *t)
{
    t->page_shift = PAGE_SHIFT;
    t->physical = entry_address(m, entry);
    t->writable = true;
    return entry & PRESENT;
}

static bool load_entry(struct walker *w, unsigned level, uint64_t table, uint64_t index, uint64_t *entry)
{
    return table_entry(w, level, table, index, entry) && *entry & PRESENT;
}

static bool gen8_ppgtt(struct walker *w, const struct ppgtt_root *root, uint64_t address,
                       struct translation *t)
{
    const struct memory *m = w->memory;
    uint64_t entry, table;
    t->writable = true;
    t->level = 3;
    switch (root->mode) {
    case PPGTT_48:
        if (!load_entry(w, 3, entry_address(m, root->directory[0]), address >> 39 & 511u, &entry))
            return false;
        t->writable = entry & WRITE;
        t->level = 2;
        if (!load_entry(w, 2, entry_address(m, entry), address >> 30 & 511u, &entry))
            return false;
        t->writable = t->writable && entry & WRITE;
        if (entry & PAGE_SIZE) {
            const uint64_t in_page = address & ((UINT64_C(1) << 30) - 1u);
            t->page_shift = 30;
            t->physical = (entry_address(m, entry) & ~((UINT64_C(1) << 30) - 1u)) | in_page;
            return true;
        }
        table = entry_address(m, entry);
        break;
    case PPGTT_LEGACY_32: /* the four directory pointers are registers */
        table = entry_address(m, root->directory[address >> 30 & 3u]);
        if (address >> 32)
            return false;
        break;
    default:
        return false;
    }
    t->level = 1;
    if (!load_entry(w, 1, table, address >> 21 & 511u, &entry))
        return false;
    t->writable = t->writable && entry & WRITE;
    if (entry & PAGE_SIZE) {
        const uint64_t in_page = address & ((UINT64_C(1) << 21) - 1u);
        t->page_shift = 21;
        t->physical = (entry_address(m, entry) & ~((UINT64_C(1) << 21) - 1u)) | in_page;
        return true;
    }
    const bool pages_64k = entry & PAGES_64K;
    uint64_t index = address >> 12 & 511u;
    if (pages_64k)
        index &= ~UINT64_C(15); /* one entry in sixteen counts */
    t->level = 0;
    if (!load_entry(w, 0, entry_address(m, entry), index, &entry))
        return false;
    t->writable = t->writable && entry & WRITE;
    t->page_shift = pages_64k ? 16 : PAGE_SHIFT;
    const uint64_t page_mask = (UINT64_C(1) << t->page_shift) - 1u;
    t->physical = (entry_address(m, entry) & ~page_mask) | (address & page_mask);
    return true;
}

static uint64_t gen8_encode(const struct page_entry *e)
{
    return (e->physical & ~(uint64_t)(PAGE_BYTES - 1)) | (e->present ? PRESENT : 0u) |
           (e->writable ? WRITE : 0u) | (e->is_page ? PAGE_SIZE : 0u) | (e->big_pages ? PAGES_64K : 0u);
}

static uint64_t gen8_table_of(uint64_t entry)
{
    return entry & PRESENT && !(entry & PAGE_SIZE) ? entry & ~(uint64_t)(PAGE_BYTES - 1) : 0;
}

const struct page_table_format gen8_page_tables = {.ggtt_entry_bytes = 8,
                                                   .ppgtt_levels = 4,
                                                   .table_bits = 9,
                                                   .physical_bits = 39,
                                                   .encode = gen8_encode,
                                                   .next_table = gen8_table_of,
                                                   .ggtt = gen8_ggtt,
                                                   .ppgtt = gen8_ppgtt};
