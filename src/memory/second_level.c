/*
 * The second level of translation, for virtual functions (VFs). A GGTT entry holds the number of the function
 * that owns the page. Addresses in its GGTT entries and page tables are translated again: system memory is
 * the bus memory of the function's owner, local memory goes through the LMTT.
 *
 * The LMTT is in local memory. Its directory has an entry for each function: bit 0 valid, from bit 4 on the
 * table in units of 64 KB. The last table has a dword for each 2 MB of the function's local memory: bit 0
 * valid, from bit 5 on the page in units of 2 MB. Xe2 has a table between the two, with an entry for each 32
 * GB, and entries of 64 bits above the last table. (SYS-02, SYS-03, SYS-08; Linux, xe_lmtt_2l, xe_lmtt_ml)
 */
#include "memory/memory.h"

#include <stdlib.h>

enum { ENTRY_VALID = 1u << 0, PRESENT = 1u << 0 };
enum { DIRECTORY_SHIFT = 16, LOCAL_PAGE_SHIFT = 21 };
#define DIRECTORY_ENABLE (1u << 31)
#define LOCAL_PAGE_BYTES (UINT64_C(1) << LOCAL_PAGE_SHIFT)

/* 37 bits are LMGAW, whatever the device has: 64k entries of a table. */
const struct lmtt_format two_level_lmtt = {0xcf58, 37, 2, {{4, 37, 4, 16}, {4, 21, 5, 21}}},
                         multi_level_lmtt = {0x48b0, 48, 3, {{8, 48, 4, 16}, {8, 35, 4, 16}, {4, 21, 5, 21}}};

bool memory_create_functions(struct memory *m, unsigned count, const struct softgt_function_ports *ports)
{
    if (!count)
        return true;
    m->vf_ports = calloc(count, sizeof *m->vf_ports);
    if (!m->vf_ports)
        return false;
    m->vf_count = count;
    for (unsigned i = 0; i < count; i++)
        m->vf_ports[i] = ports ? ports[i].memory : m->port;
    return true;
}

/* ---- Entries of the GGTT ---- */

unsigned ggtt_owner(const struct memory *m, uint64_t entry)
{
    const uint64_t bits = m->info->format->ggtt_vf_bits;
    return bits ? (unsigned)((entry & bits) >> __builtin_ctzll(bits)) : 0;
}

/* An access may begin and end anywhere: what of it lies in one entry. */
struct piece {
    uint64_t entry_at, bits; /* of the entry */
    unsigned shift, from;    /* bits, in the entry and in the value */
};

static struct piece piece_at(uint64_t offset, unsigned done, unsigned size_bytes)
{
    const uint64_t at = offset + done;
    const unsigned in_entry = at % 8u, room = 8u - in_entry, left = size_bytes - done;
    const unsigned bytes = left < room ? left : room;
    return (struct piece){at - in_entry, UINT64_MAX >> (64u - bytes * 8u) << (in_entry * 8u), in_entry * 8u,
                          done * 8u};
}

uint64_t ggtt_function_read(const struct memory *m, unsigned function, uint64_t offset, unsigned size_bytes)
{
    uint64_t value = 0;
    for (unsigned done = 0; done < size_bytes;) {
        const struct piece p = piece_at(offset, done, size_bytes);
        const uint64_t entry = ggtt_table_read(m, p.entry_at, 8);
        if (ggtt_owner(m, entry) == function)
            value |= (entry & ~m->info->format->ggtt_vf_bits & p.bits) >> p.shift << p.from;
        done += 8u - p.shift / 8u;
    }
    return value;
}

void ggtt_function_write(struct memory *m, unsigned function, uint64_t offset, uint64_t value,
                         unsigned size_bytes)
{
    const uint64_t kept = m->info->format->ggtt_vf_bits | PRESENT;
    for (unsigned done = 0; done < size_bytes;) {
        const struct piece p = piece_at(offset, done, size_bytes);
        const uint64_t entry = ggtt_table_read(m, p.entry_at, 8), bits = p.bits & ~kept;
        if (ggtt_owner(m, entry) == function)
            ggtt_table_write(m, p.entry_at, (entry & ~bits) | (value >> p.from << p.shift & bits), 8);
        done += 8u - p.shift / 8u;
    }
}

/* The PF accesses pages of every function as that function, unless VFs are isolated. A VF accesses its own.
 */
bool ggtt_second_level(const struct memory *m, unsigned function, uint64_t entry, struct translation *t)
{
    const unsigned owner = ggtt_owner(m, entry);
    return ((!function && !vfs_are_isolated(m->isolation)) || function == owner) &&
           (!owner || second_level(m, owner, t));
}

/* ---- The second level ---- */

static bool lmtt_entry(const struct memory *m, uint64_t table, const struct lmtt_level *level, uint64_t index,
                       uint64_t *entry)
{
    *entry = 0;
    return table < m->local_bytes &&
           bus_read(m, MEMORY_LOCAL | (table + index * level->entry_bytes), entry, level->entry_bytes) &&
           *entry & ENTRY_VALID;
}

/* Follows the tables from the directory on; *page is what the last entry points to. */
static bool lmtt_walk(const struct memory *m, uint64_t directory, unsigned function, uint64_t address,
                      uint64_t *page)
{
    const struct lmtt_format *const f = m->info->format->lmtt;
    uint64_t entry;
    *page = directory;
    for (const struct lmtt_level *level = f->levels; level < f->levels + f->level_count; level++) {
        const uint64_t index = level == f->levels ? function : address >> level->index_shift;
        if (!lmtt_entry(m, *page, level, index, &entry))
            return false;
        *page = entry >> level->field << level->unit_shift;
        address &= (UINT64_C(1) << level->index_shift) - 1u;
    }
    return true;
}

bool lmtt_translate(const struct memory *m, uint64_t lmtt, unsigned function, uint64_t address,
                    uint64_t *physical, uint64_t *there_bytes)
{
    uint64_t page;
    if (!(lmtt & DIRECTORY_ENABLE) || address >> m->info->format->lmtt->address_bits ||
        !lmtt_walk(m, (lmtt & ~(uint64_t)DIRECTORY_ENABLE) << DIRECTORY_SHIFT, function, address, &page))
        return false;
    const uint64_t in_page = address % LOCAL_PAGE_BYTES;
    /* Firmware's own memory belongs to no function, whatever the table says. (SYS-07) */
    if (page >= local_layout(m).flat_ccs)
        return false;
    *physical = MEMORY_LOCAL | page | in_page;
    *there_bytes = LOCAL_PAGE_BYTES - in_page;
    return true;
}

bool pf_local_translate(const struct memory *m, struct translation *t)
{
    if (!m->isolation->pf_local_bytes || !(t->physical & MEMORY_LOCAL))
        return true;
    if (t->page_shift > LOCAL_PAGE_SHIFT)
        t->page_shift = LOCAL_PAGE_SHIFT;
    return (t->physical & ~MEMORY_LOCAL) < m->isolation->pf_local_bytes;
}

bool second_level(const struct memory *m, unsigned function, struct translation *t)
{
    uint64_t there_bytes;
    if (function > m->vf_enabled_count)
        return false;
    if (t->physical & MEMORY_LOCAL) {
        if (t->page_shift > LOCAL_PAGE_SHIFT)
            t->page_shift = LOCAL_PAGE_SHIFT;
        return lmtt_translate(m, m->lmtt, function, t->physical & ~(MEMORY_LOCAL | MEMORY_NULL), &t->physical,
                              &there_bytes);
    }
    if (!(t->physical & MEMORY_NULL))
        t->physical |= (uint64_t)function << MEMORY_FUNCTION_SHIFT;
    return true;
}
