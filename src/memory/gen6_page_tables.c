/*
 * Page table entries of Gen6, 32 bits. Bit 0: valid. Bits 31:12: address; bits 11:4: address bits 39:32.
 *
 * The page directory of a process is in the table of the GGTT: 512 entries of 4 MB each, in 32 sets of 16
 * that PP_DCLV enables. Bit 1 of a directory entry: its pages have 32 KB. (REN-01, VCS-01; SNB PRM vol 1 part
 * 3, IVB PRM vol 1 part 5) Gen7.5 has 39 address bits, and bit 11 is a caching bit. (HSW PRM vol 5)
 */
#include "memory/memory.h"

enum { VALID = 1u << 0, PAGES_32K = 1u << 1 };

static uint64_t entry_address(uint64_t entry)
{
    return (entry & 0xfffff000u) | (entry & 0xff0u) << 28;
}

static uint64_t page_address(const struct memory *m, uint64_t entry)
{
    return entry_address(entry) & ((UINT64_C(1) << m->info->physical_bits) - 1u);
}

static bool gen6_ggtt(const struct memory *m, uint64_t entry, struct translation *t)
{
    t->page_shift = PAGE_SHIFT;
    t->physical = page_address(m, entry);
    t->writable = true;
    return entry & VALID;
}

static bool gen6_ppgtt(struct walker *w, const struct ppgtt_root *root, uint64_t address,
                       struct translation *t)
{
    const struct memory *m = w->memory;
    t->writable = true;
    if (root->mode != PPGTT_IN_GGTT) { /* disabled: the GGTT serves what selects the PPGTT (REN-05) */
        const uint64_t global = ggtt_table_read(m, address / PAGE_BYTES * 4u, 4);
        walk_keep_step(w, 0, 0, address / PAGE_BYTES, global);
        t->level = 0;
        if (!gen6_ggtt(m, global, t))
            return false;
        t->physical |= address % PAGE_BYTES;
        return true;
    }
    const uint32_t index = (uint32_t)(address >> 22);
    t->level = 2; /* no fetch from a set that is not enabled */
    if (index / 16u >= 32u || !(root->directory[1] >> index / 16u & 1u))
        return false;
    t->level = 1;
    const uint64_t directory = ggtt_table_read(m, root->directory[0] + index * 4u, 4);
    walk_keep_step(w, 1, 0, root->directory[0] / 4u + index, directory);
    if (!(directory & VALID))
        return false;
    const bool big = directory & PAGES_32K;
    const unsigned shift = big ? 15 : PAGE_SHIFT;
    t->page_shift = (uint8_t)shift;
    const uint64_t in_page = address & ((UINT64_C(1) << shift) - 1u);
    const uint64_t in_table = (address & 0x3fffffu) >> shift;
    uint32_t entry;
    t->level = 0;
    if (!bus_read(m, page_address(m, directory) + in_table * 4u, &entry, 4) ||
        !walk_keep_step(w, 0, page_address(m, directory), in_table, entry) || !(entry & VALID))
        return false;
    t->physical = (page_address(m, entry) & ~((UINT64_C(1) << shift) - 1u)) | in_page;
    return true;
}

static uint64_t gen6_encode(const struct page_entry *e)
{
    return (e->physical & 0xfffff000u) | (e->physical >> 28 & 0xff0u) | (e->big_pages ? PAGES_32K : 0u) |
           (e->present ? VALID : 0u);
}

static uint64_t gen6_table_of(uint64_t entry)
{
    return entry & VALID ? entry_address(entry) : 0;
}

#define FORMAT(bits)                                                                                         \
    {                                                                                                        \
        .ggtt_entry_bytes = 4, .ppgtt_levels = 2, .table_bits = 10, .physical_bits = (bits),                 \
        .directory_entries = 512, .encode = gen6_encode, .next_table = gen6_table_of, .ggtt = gen6_ggtt,     \
        .ppgtt = gen6_ppgtt                                                                                  \
    }
const struct page_table_format gen6_page_tables = FORMAT(40), gen75_page_tables = FORMAT(39);
