#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

bool memory_create(struct memory *m, const struct memory_info *info, struct device_log *log,
                   const struct softgt_memory_port *port, void *ggtt_table)
{
    *m = (struct memory){.isolation = &no_vf_isolation,
                         .info = info,
                         .log = log,
                         .port = *port,
                         .ggtt_external = ggtt_table != NULL};
    m->ggtt = ggtt_table ? ggtt_table : calloc(1, info->ggtt_bytes);
    if (!m->ggtt || !state_table_create(&m->ggtt_parts, (uint32_t *)(void *)m->ggtt, info->ggtt_bytes / 4u))
        return false;
    memset(m->ggtt_parts.used, m->ggtt_external, info->ggtt_bytes / 4u / TABLE_PART);
    return true;
}

void memory_destroy(struct memory *m)
{
    if (!m->ggtt_external)
        free(m->ggtt);
    free(m->ggtt_parts.used);
    free(m->vf_ports);
    m->vf_ports = NULL;
    m->ggtt_parts.used = NULL;
    m->ggtt = NULL;
    local_destroy(m);
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
    if (offset >= m->info->ggtt_bytes || size_bytes > m->info->ggtt_bytes - offset)
        return;
    memcpy(m->ggtt + offset, &value, size_bytes);
    m->ggtt_parts.used[offset / 4u / TABLE_PART] = true;
    m->ggtt_parts.used[(offset + size_bytes - 1u) / 4u / TABLE_PART] = true;
}

static bool is_own_entry(const struct memory *m, uint64_t offset, unsigned size_bytes)
{
    return pf_has_ggtt_entry(m->isolation, offset, size_bytes);
}

uint64_t pf_ggtt_read(const struct memory *m, uint64_t offset, unsigned size_bytes)
{
    return is_own_entry(m, offset, size_bytes) ? ggtt_table_read(m, offset, size_bytes) : 0;
}

void pf_ggtt_write(struct memory *m, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    if (is_own_entry(m, offset, size_bytes))
        ggtt_table_write(m, offset, value, size_bytes);
    else
        report_error(m->log, SOFTGT_GUEST_ERROR, "ggtt", offset / 8u * PAGE_BYTES,
                     "an entry that is not the physical function's: not written");
}

void ggtt_clear(struct memory *m)
{
    if (vfs_are_isolated(m->isolation))
        memset(m->ggtt, 0, m->isolation->pf_ggtt_bytes);
    else
        state_table_clear(&m->ggtt_parts);
}

/* Whose bus it is; what is left is an address there. NULL: that function does not exist. (SYS-06) */
static const struct softgt_memory_port *port_of(const struct memory *m, uint64_t *address)
{
    const uint64_t function = *address >> MEMORY_FUNCTION_SHIFT;
    if (__builtin_expect(!function, 1))
        return &m->port;
    *address &= (UINT64_C(1) << MEMORY_FUNCTION_SHIFT) - 1u;
    return function <= m->vf_enabled_count ? &m->vf_ports[function - 1u] : NULL;
}

static void guard(const struct memory *m)
{
    if (m->port_lock)
        m->port_lock->lock(m->port_lock->user);
}

static void unguard(const struct memory *m)
{
    if (m->port_lock)
        m->port_lock->unlock(m->port_lock->user);
}

uint8_t *port_map(const struct memory *m, const struct softgt_memory_port *port, uint64_t address,
                  uint64_t *there_bytes, bool write)
{
    if (!port->map)
        return NULL;
    guard(m);
    uint8_t *const host = port->map(port->user, address, there_bytes, write);
    unguard(m);
    return host;
}

uint8_t *physical_map(const struct memory *m, uint64_t address, uint64_t *there_bytes, bool write)
{
    *there_bytes = 0;
    if (address >= MEMORY_NULL)
        return local_map(m, address, there_bytes, write);
    const struct softgt_memory_port *port = port_of(m, &address);
    uint8_t *host = port ? port_map(m, port, address, there_bytes, write) : NULL;
    return *there_bytes ? host : NULL;
}

/* Transfers bytes through the port: memory that is not mapped. */
static bool port_transfer(const struct memory *m, uint64_t address, uint8_t *to, const uint8_t *from,
                          size_t size_bytes)
{
    if (address & MEMORY_LOCAL && m->local_on_bus)
        address &= ~MEMORY_LOCAL;
    if (address >= MEMORY_NULL)
        return local_unmapped(address, to, size_bytes);
    const struct softgt_memory_port *port = port_of(m, &address);
    if (!port)
        return false;
    m->log->cost.ns += PORT_ACCESS_COST_NS;
    guard(m);
    const bool done = from ? port->write && port->write(port->user, address, from, size_bytes)
                           : port->read && port->read(port->user, address, to, size_bytes);
    unguard(m);
    return done;
}

/* Reads into `to`, or writes `from`, part by part as memory is mapped. */
static bool bus_transfer(const struct memory *m, uint64_t address, uint8_t *to, const uint8_t *from,
                         size_t size_bytes)
{
    while (size_bytes) {
        uint64_t there;
        uint8_t *host = physical_map(m, address, &there, from != NULL);
        size_t part = PAGE_BYTES - address % PAGE_BYTES;
        if (host && there < part)
            part = (size_t)there;
        if (part > size_bytes)
            part = size_bytes;
        if (host)
            /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): one of the two is given */
            memcpy(from ? host : to, from ? from : host, part);
        else if (!port_transfer(m, address, to, from, part))
            return false;
        if (from)
            from += part;
        else
            to += part;
        address += part;
        size_bytes -= part;
    }
    return true;
}

bool bus_read(const struct memory *m, uint64_t address, void *data, size_t size_bytes)
{
    return bus_transfer(m, address, data, NULL, size_bytes);
}

bool bus_write(struct memory *m, uint64_t address, const void *data, size_t size_bytes)
{
    return bus_transfer(m, address, NULL, data, size_bytes);
}

bool table_entry(struct walker *w, unsigned level, uint64_t table, uint64_t index, uint64_t *entry)
{
    const unsigned known = (unsigned)(table / PAGE_BYTES) % WALKER_TABLES;
    if (!w->levels[level][known].host || w->levels[level][known].table != table) {
        uint64_t there;
        struct translation t = {.physical = table, .page_shift = PAGE_SHIFT};
        if (!(w->function ? second_level(w->memory, w->function, &t) : pf_local_translate(w->memory, &t)))
            return false;
        const uint8_t *host = physical_map(w->memory, t.physical, &there, false);
        if (!host || there < PAGE_BYTES)
            return bus_read(w->memory, t.physical + index * 8u, entry, 8) &&
                   walk_keep_step(w, level, table, index, *entry);
        w->levels[level][known].table = table;
        w->levels[level][known].host = host;
    }
    memcpy(entry, w->levels[level][known].host + index * 8u, 8);
    return walk_keep_step(w, level, table, index, *entry);
}

void mmu_init(struct mmu *u, struct memory *memory, void *user,
              void (*fault)(void *user, enum space space, uint64_t address, bool write, unsigned level))
{
    memset(u, 0, sizeof *u);
    u->memory = memory;
    u->walker.memory = memory;
    u->user = user;
    u->fault = fault;
    u->address_mask = (UINT64_C(1) << memory->info->address_bits) - 1u;
    u->accounts_local = memory->info->local_bytes != 0;
}

void mmu_invalidate(struct mmu *u)
{
    for (unsigned n = 0; n < u->used_entry_count; n++) {
        const unsigned i = u->used_entries[n];
        u->tlb[i].read_tag = u->tlb[i].write_tag = 0;
        u->translations[i] = (struct tlb_translation){0};
    }
    u->used_entry_count = 0;
    u->tlb_generation++;
    u->changes++;
    memset(u->reader_pages, 0, sizeof u->reader_pages);
    memset(u->ccs, 0, sizeof u->ccs);
    u->walker = (struct walker){.memory = u->memory, .function = u->function};
}

void mmu_remap(struct mmu *u)
{
    memset(u->tlb, 0, sizeof u->tlb);
    u->tlb_generation++;
    u->changes++;
    memset(u->ccs, 0, sizeof u->ccs);
    for (unsigned i = 0; i < READERS; i++)
        u->reader_pages[i].host = NULL;
    u->walker = (struct walker){.memory = u->memory, .function = u->function};
}

void mmu_state(struct mmu *u, const char *unit, struct state *s)
{
    const size_t begin = state_section_begin(s, unit, "tlb", 2);
    _Static_assert(sizeof(struct tlb_translation) == 24, "three numbers");
    state_dwords(s, (uint32_t *)(void *)u->translations, sizeof u->translations / 4u);
    u->used_entry_count = 0;
    for (unsigned i = 0; i < TLB_ENTRIES; i++) {
        const struct tlb_translation *k = &u->translations[i];
        if (k->read_tag)
            u->used_entries[u->used_entry_count++] = (uint8_t)i;
        state_check(s, !k->read_tag || (k->read_tag & 1u && tlb_index(tlb_page(k->read_tag)) == i));
        state_check(s, k->physical % PAGE_BYTES == 0 && (!k->write_tag || k->write_tag == k->read_tag));
    }
    for (struct reader_page *h = u->reader_pages; h < u->reader_pages + READERS; h++) {
        STATE(s, h->tag);
        STATE(s, h->physical);
        state_check(s, (!h->tag || h->tag & 1u) && h->physical % PAGE_BYTES == 0);
    }
    state_section_end(s, begin);
    if (!s->saving)
        mmu_remap(u);
}

bool mmu_translate_by(const struct mmu *u, struct walker *w, enum space space, uint64_t address,
                      struct translation *t)
{
    const struct memory *m = u->memory;
    address = mmu_address(u, space, address);
    if (space == SPACE_PPGTT)
        return m->info->format->ppgtt(w, &u->root, address, t) &&
               (u->function ? second_level(m, u->function, t) : pf_local_translate(m, t));
    const unsigned size = m->info->format->ggtt_entry_bytes;
    const uint64_t entry = ggtt_table_read(m, address / PAGE_BYTES * size, size);
    walk_keep_step(w, 0, 0, address / PAGE_BYTES, entry);
    t->level = 0;
    if (!m->info->format->ggtt(m, entry, t))
        return false;
    if (m->vf_count &&
        (!ggtt_second_level(m, u->function, entry, t) || (u->pf_pages_only && ggtt_owner(m, entry))))
        return false;
    t->physical |= address % PAGE_BYTES;
    return u->function || pf_local_translate(m, t);
}

bool mmu_translate(const struct mmu *u, enum space space, uint64_t address, struct translation *t)
{
    struct walker w = {.memory = u->memory, .function = u->function};
    return mmu_translate_by(u, &w, space, address, t);
}

bool mmu_walks_local(const struct mmu *u, enum space space, uint64_t address)
{
    struct translation t;
    return mmu_translate(u, space, address, &t) && t.physical & MEMORY_LOCAL;
}

enum way {
    FAULTED,   /* the fault is reported */
    MAPPED,    /* *host */
    PORT_ONLY, /* *physical: memory that cannot be mapped */
    DROPPED,   /* a write that goes nowhere */
};

struct place {
    uint8_t *host;
    uint64_t size_bytes; /* from there on, together in the page and in the host */
    uint64_t physical;
};

static void raise_fault(struct mmu *u, enum space space, uint64_t address, bool write, unsigned level)
{
    u->faults++;
    u->fault(u->user, space, address, write, level);
}

/* A page of memory in the host. */
static uint8_t *page_in_host(const struct mmu *u, uint64_t physical, bool write, uint64_t *there_bytes)
{
    uint8_t *host = physical_map(u->memory, physical, there_bytes, write);
    return *there_bytes < PAGE_BYTES ? NULL : host;
}

/* `walk`: whatever the TLB has; for who wants to know how far the page goes. */
static enum way resolve(struct mmu *u, enum space space, uint64_t address, bool write, bool walk,
                        struct place *p)
{
    const uint64_t number = mmu_address(u, space, address) / PAGE_BYTES;
    const uint64_t tag = tlb_tag(space, number);
    struct tlb_translation *const known = &u->translations[tlb_index(number)];
    struct translation t = {.page_shift = PAGE_SHIFT, .writable = true};
    if (!walk && (write ? known->write_tag : known->read_tag) == tag) {
        t.physical = known->physical + address % PAGE_BYTES;
    } else {
        t.page_shift = 0;
        u->walks++;
        const bool found = mmu_translate_by(u, &u->walker, space, address, &t);
        if (found && write && !t.writable && u->memory->info->drops_read_only_writes) {
            if (u->write_dropped)
                u->write_dropped(u->user, space, address);
            return DROPPED;
        }
        if (!found || (write && !t.writable)) {
            raise_fault(u, space, address, write, t.level);
            return FAULTED;
        }
    }
    p->physical = t.physical;
    const uint64_t page = t.physical & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t there;
    uint8_t *base = page_in_host(u, page, write, &there);
    if (!base)
        return PORT_ONLY;
    struct tlb_entry *e = &u->tlb[tlb_index(number)];
    u->tlb_generation++;
    if (e->host != base || e->read_tag != tag)
        e->write_tag = 0;
    if (known->physical != page || known->read_tag != tag)
        known->write_tag = 0;
    if (!known->read_tag)
        u->used_entries[u->used_entry_count++] = (uint8_t)tlb_index(number);
    e->host = base;
    known->physical = page;
    e->read_tag = known->read_tag = tag;
    if (write)
        e->write_tag = known->write_tag = tag;
    const uint64_t in_host = there - address % PAGE_BYTES;
    p->host = base + address % PAGE_BYTES;
    p->size_bytes = (UINT64_C(1) << t.page_shift) - (t.physical & ((UINT64_C(1) << t.page_shift) - 1u));
    if (p->size_bytes > in_host)
        p->size_bytes = in_host;
    return MAPPED;
}

uint8_t *mmu_host_slow(struct mmu *u, enum space space, uint64_t address, bool write)
{
    struct place p;
    return resolve(u, space, address, write, false, &p) == MAPPED ? p.host : NULL;
}

uint8_t *mmu_host_run(struct mmu *u, enum space space, uint64_t address, bool write, uint64_t *size_bytes)
{
    struct place p;
    if (resolve(u, space, address, write, true, &p) != MAPPED)
        return NULL;
    *size_bytes = p.size_bytes;
    return p.host;
}

bool mmu_physical(struct mmu *u, enum space space, uint64_t address, bool write, uint64_t *physical)
{
    const unsigned entry = tlb_index(mmu_address(u, space, address) / PAGE_BYTES);
    struct place p;
    if (mmu_cached(u, space, address, 1, write)) {
        *physical = u->translations[entry].physical + address % PAGE_BYTES;
        return true;
    }
    const enum way way = resolve(u, space, address, write, false, &p);
    if (way != MAPPED && way != PORT_ONLY)
        return false;
    *physical = p.physical;
    return true;
}

const uint8_t *mmu_page(struct mmu *u, enum space space, uint64_t address, unsigned reader, uint8_t *bounce)
{
    struct reader_page *const h = &u->reader_pages[reader];
    const uint64_t number = mmu_address(u, space, address) / PAGE_BYTES, tag = tlb_tag(space, number);
    const struct tlb_entry *const e = &u->tlb[tlb_index(number)];
    struct place p = {.physical = h->physical};
    enum way way = MAPPED;
    if (h->tag == tag && h->host)
        return h->host;
    if (h->tag == tag)
        way = (p.host = page_in_host(u, h->physical, false, &p.size_bytes)) ? MAPPED : PORT_ONLY;
    else if (e->read_tag == tag)
        p = (struct place){.host = e->host, .physical = u->translations[tlb_index(number)].physical};
    else
        way = resolve(u, space, number * PAGE_BYTES, false, false, &p);
    if (way == MAPPED) {
        *h = (struct reader_page){tag, p.physical, p.host};
        return p.host;
    }
    h->tag = 0;
    if (way == PORT_ONLY && bus_read(u->memory, p.physical, bounce, PAGE_BYTES))
        return bounce;
    if (way == PORT_ONLY)
        raise_fault(u, space, address, false, 0);
    return NULL;
}

/* Reads into `to`, or writes `from`, page by page. Returns how much was done; less than all after a fault. */
static size_t transfer(struct mmu *u, enum space space, uint64_t address, uint8_t *to, const uint8_t *from,
                       size_t size_bytes)
{
    const bool write = from != NULL;
    size_t done = 0;
    while (done < size_bytes) {
        size_t part = PAGE_BYTES - address % PAGE_BYTES;
        if (part > size_bytes - done)
            part = size_bytes - done;
        const uint64_t page = mmu_address(u, space, address) / PAGE_BYTES;
        const struct tlb_entry *e = &u->tlb[tlb_index(page)];
        struct place p;
        enum way way = MAPPED;
        if ((write ? e->write_tag : e->read_tag) == tlb_tag(space, page))
            p.host = e->host + address % PAGE_BYTES;
        else
            way = resolve(u, space, address, write, false, &p);
        if (way == PORT_ONLY && u->no_port_access) {
            u->port_access_refused = true;
            u->faults++;
            break;
        }
        if (way == FAULTED)
            break;
        if (way == MAPPED) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): one of the two is given */
            memcpy(write ? p.host : to + done, write ? from + done : p.host, part);
        } else if (way == PORT_ONLY && !bus_transfer(u->memory, p.physical, write ? NULL : to + done,
                                                     write ? from + done : NULL, part)) {
            raise_fault(u, space, address, write, 0);
            break;
        }
        address += part;
        done += part;
    }
    return done;
}

bool mmu_load(struct mmu *u, enum space space, uint64_t address, void *data, size_t size_bytes)
{
    const size_t done = transfer(u, space, address, data, NULL, size_bytes);
    memset((uint8_t *)data + done, 0, size_bytes - done);
    return done == size_bytes;
}

bool mmu_store(struct mmu *u, enum space space, uint64_t address, const void *data, size_t size_bytes)
{
    return transfer(u, space, address, NULL, data, size_bytes) == size_bytes;
}
