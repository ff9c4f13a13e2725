/*
 * The second level of translation, for virtual functions (VFs). A GGTT entry holds the number of the function
 * that owns the page. Addresses in its GGTT entries and page tables are translated again: system memory is
 * the bus memory of the function's owner, local memory goes through the LMTT.
 *
 * The LMTT is in local memory. Its directory has a dword for each function: bit 0 valid, from bit 4 on the
 * table in units of 64 KB. A table has a dword for each 2 MB of the function's local memory: bit 0 valid,
 * from bit 5 on the page in units of 2 MB. (SYS-02, SYS-03, SYS-08; Linux, xe_lmtt_2l)
 */
#include "memory/memory.h"

#include <stdlib.h>

enum { ENTRY_VALID = 1u << 0, PRESENT = 1u << 0 };
enum { DIRECTORY_SHIFT = 16, TABLE_FIELD = 4, TABLE_SHIFT = 16, PAGE_FIELD = 5, LOCAL_PAGE_SHIFT = 21 };
enum { GUEST_ADDRESS_BITS = 37 }; /* LMGAW, whatever the device has: 64k entries of a table */
#define DIRECTORY_ENABLE (1u << 31)
#define LOCAL_PAGE_BYTES (UINT64_C(1) << LOCAL_PAGE_SHIFT)

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

static bool entry_at(const struct memory *m, uint64_t table, uint64_t index, uint32_t *entry)
{
    return table < m->local_bytes &&
           bus_read(m, MEMORY_LOCAL | (table + index * sizeof *entry), entry, sizeof *entry) &&
           *entry & ENTRY_VALID;
}

bool lmtt_translate(const struct memory *m, uint64_t lmtt, unsigned function, uint64_t address,
                    uint64_t *physical, uint64_t *there_bytes)
{
    uint32_t entry;
    if (!(lmtt & DIRECTORY_ENABLE) || address >> GUEST_ADDRESS_BITS ||
        !entry_at(m, (lmtt & ~(uint64_t)DIRECTORY_ENABLE) << DIRECTORY_SHIFT, function, &entry) ||
        !entry_at(m, (uint64_t)(entry >> TABLE_FIELD) << TABLE_SHIFT, address >> LOCAL_PAGE_SHIFT, &entry))
        return false;
    const uint64_t page = (uint64_t)(entry >> PAGE_FIELD) << LOCAL_PAGE_SHIFT,
                   in_page = address % LOCAL_PAGE_BYTES;
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
