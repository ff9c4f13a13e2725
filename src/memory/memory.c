#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

bool memory_create(struct memory *m, const struct memory_info *info, struct witness *witness,
                   const struct softgt_memory_port *port)
{
    *m = (struct memory){.info = info, .witness = witness, .port = *port};
    m->ggtt = calloc(1, info->ggtt_bytes);
    return m->ggtt != NULL;
}

void memory_destroy(struct memory *m)
{
    free(m->ggtt);
    m->ggtt = NULL;
}

uint64_t ggtt_table_read(const struct memory *m, uint64_t offset, unsigned size_bytes)
{
    uint64_t value = 0;
    if (offset < m->info->ggtt_bytes && size_bytes <= m->info->ggtt_bytes - offset)
        memcpy(&value, m->ggtt + offset, size_bytes);
    return value;
}

void ggtt_table_write(struct memory *m, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    if (offset < m->info->ggtt_bytes && size_bytes <= m->info->ggtt_bytes - offset)
        memcpy(m->ggtt + offset, &value, size_bytes);
}

bool bus_read(const struct memory *m, uint64_t address, void *data, size_t size_bytes)
{
    uint8_t *to = data;
    while (size_bytes) {
        uint64_t there = 0;
        const uint8_t *host = m->port.map ? m->port.map(m->port.user, address, &there, false) : NULL;
        size_t part = PAGE_BYTES - address % PAGE_BYTES;
        if (host && there < part)
            part = (size_t)there;
        if (part > size_bytes)
            part = size_bytes;
        if (host && part)
            memcpy(to, host, part);
        else if (!m->port.read || !m->port.read(m->port.user, address, to, part))
            return false;
        to += part;
        address += part;
        size_bytes -= part;
    }
    return true;
}

bool bus_write(struct memory *m, uint64_t address, const void *data, size_t size_bytes)
{
    const uint8_t *from = data;
    while (size_bytes) {
        uint64_t there = 0;
        uint8_t *host = m->port.map ? m->port.map(m->port.user, address, &there, true) : NULL;
        size_t part = PAGE_BYTES - address % PAGE_BYTES;
        if (host && there < part)
            part = (size_t)there;
        if (part > size_bytes)
            part = size_bytes;
        if (host && part)
            memcpy(host, from, part);
        else if (!m->port.write || !m->port.write(m->port.user, address, from, part))
            return false;
        from += part;
        address += part;
        size_bytes -= part;
    }
    return true;
}

void mmu_init(struct mmu *u, struct memory *memory, void *user,
              void (*fault)(void *user, enum space space, uint64_t address, bool write, unsigned level))
{
    memset(u, 0, sizeof *u);
    u->memory = memory;
    u->user = user;
    u->fault = fault;
    u->address_mask = (UINT64_C(1) << memory->info->address_bits) - 1u;
}

void mmu_invalidate(struct mmu *u)
{
    for (unsigned i = 0; i < TLB_ENTRIES; i++)
        u->tlb[i].read_tag = u->tlb[i].write_tag = 0;
}

bool mmu_translate(const struct mmu *u, enum space space, uint64_t address, struct translation *t)
{
    const struct memory *m = u->memory;
    address = mmu_address(u, space, address);
    if (space == SPACE_PPGTT)
        return m->info->format->ppgtt(m, &u->root, address, t);
    const unsigned size = m->info->format->ggtt_entry_bytes;
    const uint64_t entry = ggtt_table_read(m, address / PAGE_BYTES * size, size);
    t->level = 0;
    if (!m->info->format->ggtt(m, entry, t))
        return false;
    t->physical |= address % PAGE_BYTES;
    return true;
}

/* The whole way: 1 host pointer in *host, 0 fault (raised), -1 only *physical (memory that cannot be mapped).
 */
static int resolve(struct mmu *u, enum space space, uint64_t address, bool write, uint8_t **host,
                   uint64_t *physical)
{
    struct translation t = {0};
    if (!mmu_translate(u, space, address, &t) || (write && !t.writable)) {
        u->fault(u->user, space, address, write, t.level);
        return 0;
    }
    *physical = t.physical;
    const struct softgt_memory_port *port = &u->memory->port;
    uint64_t there = 0;
    const uint64_t page = t.physical & ~(uint64_t)(PAGE_BYTES - 1);
    uint8_t *base = port->map ? port->map(port->user, page, &there, write) : NULL;
    if (!base || there < PAGE_BYTES)
        return -1;
    const uint64_t number = mmu_address(u, space, address) / PAGE_BYTES;
    const uint64_t tag = number << 2 | (uint64_t)space << 1 | 1u;
    struct tlb_entry *e = &u->tlb[number % TLB_ENTRIES];
    if (e->host != base || e->read_tag != tag)
        e->write_tag = 0;
    e->host = base;
    e->read_tag = tag;
    if (write)
        e->write_tag = tag;
    *host = base + address % PAGE_BYTES;
    return 1;
}

uint8_t *mmu_host_slow(struct mmu *u, enum space space, uint64_t address, bool write)
{
    uint8_t *host = NULL;
    uint64_t physical;
    return resolve(u, space, address, write, &host, &physical) == 1 ? host : NULL;
}

const uint8_t *mmu_page(struct mmu *u, enum space space, uint64_t address, uint8_t *bounce)
{
    uint8_t *host = NULL;
    uint64_t physical;
    address &= ~(uint64_t)(PAGE_BYTES - 1);
    const int found = resolve(u, space, address, false, &host, &physical);
    if (found < 0 && bus_read(u->memory, physical, bounce, PAGE_BYTES))
        return bounce;
    if (found < 0)
        u->fault(u->user, space, address, false, 0);
    return host;
}

bool mmu_load(struct mmu *u, enum space space, uint64_t address, void *data, size_t size_bytes)
{
    uint8_t *to = data;
    while (size_bytes) {
        size_t part = PAGE_BYTES - address % PAGE_BYTES;
        if (part > size_bytes)
            part = size_bytes;
        const uint64_t page = mmu_address(u, space, address) / PAGE_BYTES;
        const struct tlb_entry *e = &u->tlb[page % TLB_ENTRIES];
        uint8_t *host = NULL;
        uint64_t physical;
        int found = 1;
        if (e->read_tag == (page << 2 | (uint64_t)space << 1 | 1u))
            host = e->host + address % PAGE_BYTES;
        else
            found = resolve(u, space, address, false, &host, &physical);
        if (found == 1) {
            memcpy(to, host, part);
        } else if (found == 0 || !bus_read(u->memory, physical, to, part)) {
            memset(to, 0, size_bytes);
            if (found)
                u->fault(u->user, space, address, false, 0);
            return false;
        }
        to += part;
        address += part;
        size_bytes -= part;
    }
    return true;
}

bool mmu_store(struct mmu *u, enum space space, uint64_t address, const void *data, size_t size_bytes)
{
    const uint8_t *from = data;
    while (size_bytes) {
        size_t part = PAGE_BYTES - address % PAGE_BYTES;
        if (part > size_bytes)
            part = size_bytes;
        const uint64_t page = mmu_address(u, space, address) / PAGE_BYTES;
        const struct tlb_entry *e = &u->tlb[page % TLB_ENTRIES];
        uint8_t *host = NULL;
        uint64_t physical;
        int found = 1;
        if (e->write_tag == (page << 2 | (uint64_t)space << 1 | 1u))
            host = e->host + address % PAGE_BYTES;
        else
            found = resolve(u, space, address, true, &host, &physical);
        if (found == 1) {
            memcpy(host, from, part);
        } else if (found == 0 || !bus_write(u->memory, physical, from, part)) {
            if (found)
                u->fault(u->user, space, address, true, 0);
            return false;
        }
        from += part;
        address += part;
        size_bytes -= part;
    }
    return true;
}
