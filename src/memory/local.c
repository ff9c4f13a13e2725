/*
 * Local memory of the device. Its address space is reserved whole; the host allocates pages when they are
 * touched. The parts that the device may have written are known by number. Local memory of the owner is
 * cleared by resets and is not saved with the device.
 */
#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PART_BYTES = TABLE_PART * 4, CHUNK_BYTES = 64 << 10 };

static const uint8_t zero_page[PAGE_BYTES];

bool memory_create_local(struct memory *m, const struct softgt_config *config)
{
    static const struct softgt_config none;
    if (!m->info->local_bytes && !m->info->stolen_bytes)
        return true;
    m->local_on_bus = config->local_on_bus;
    config = m->info->stolen_bytes ? &none : config;
    m->local_bytes = m->info->stolen_bytes ? m->info->stolen_bytes
                     : config->local_bytes ? config->local_bytes
                                           : m->info->local_bytes;
    m->local_external = config->local_host || config->local_by_port;
    m->local_by_port = config->local_by_port;
    m->local_is_zero = config->local_host && config->local_is_zero;
    m->local = config->local_host;
    if (m->local_by_port)
        return true;
    if (!m->local_external) {
        void *memory = mmap(NULL, m->local_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        m->local = memory == MAP_FAILED ? NULL : memory;
    }
    return m->local && (m->local_external || state_table_create(&m->local_parts, (uint32_t *)(void *)m->local,
                                                                m->local_bytes / 4u));
}

void local_destroy(struct memory *m)
{
    if (m->local && !m->local_external)
        munmap(m->local, m->local_bytes);
    free(m->local_parts.used);
    m->local_parts.used = NULL;
    m->local = NULL;
}

/* Frees the pages of a removed range of a shared file; whoever maps it then reads zeros. */
static void clear(struct memory *m, uint64_t first, uint64_t end)
{
    if (m->local_parts.used)
        state_table_clear_range(&m->local_parts, first / 4u, end / 4u);
    if (!m->local_external || !m->local || madvise(m->local + first, end - first, MADV_REMOVE) == 0)
        return;
    for (uint64_t at = first; at < end; at += PAGE_BYTES)
        if (memcmp(m->local + at, zero_page, PAGE_BYTES) != 0)
            memset(m->local + at, 0, PAGE_BYTES);
}

/* Clears the physical function's part and its compression state. */
void local_clear(struct memory *m)
{
    const uint64_t own = pf_local_bytes(m);
    m->local_clears++;
    if (m->local_is_zero) {
        m->local_is_zero = false;
        return;
    }
    clear(m, 0, own);
    if (own < m->local_bytes && !m->local_on_bus)
        clear(m, local_ccs(m, 0), local_ccs(m, own));
}

void local_state(struct memory *m, struct state *s)
{
    uint64_t bytes = m->local_parts.used ? m->local_bytes : 0;
    STATE(s, bytes);
    state_check(s, bytes == (m->local_parts.used ? m->local_bytes : 0));
    STATE(s, m->local_on_bus);
    if (bytes && !s->failed)
        state_table(s, &m->local_parts);
}

struct local_layout local_layout(const struct memory *m)
{
    enum { MB = 1 << 20, DSM_BYTES = 4 * MB };
    if (m->info->stolen_bytes)
        return (struct local_layout){.dsm = m->info->ggtt_bytes,
                                     .wopcm = m->local_bytes - LOCAL_WOPCM_BYTES,
                                     .flat_ccs = m->local_bytes};
    const bool gsm_first = m->info->gsm_below_dsm;
    struct local_layout l = {.gsm = m->local_bytes - m->info->ggtt_bytes};
    l.wopcm = (gsm_first ? m->local_bytes : l.gsm) - LOCAL_WOPCM_BYTES;
    l.dsm = l.wopcm - DSM_BYTES;
    if (gsm_first)
        l.gsm = l.dsm - m->info->ggtt_bytes;
    const uint64_t end = gsm_first ? l.gsm : l.dsm;
    l.flat_ccs = (end - m->local_bytes / ccs_ratio(m)) & ~(uint64_t)(2 * MB - 1);
    return l;
}

/* Several threads may. */
static void mark(const struct state_table *t, uint64_t part)
{
    __atomic_store_n(&t->used[part], true, __ATOMIC_RELAXED);
}

/* The GGTT's table is stolen memory. (SYS-07) */
static uint8_t *table_map(const struct memory *m, uint64_t at, uint64_t *there_bytes, bool write)
{
    *there_bytes = write ? PART_BYTES - at % PART_BYTES : m->info->ggtt_bytes - at;
    if (write)
        mark(&m->ggtt_parts, at / PART_BYTES);
    return m->ggtt + at;
}

static uint8_t *own_map(const struct memory *m, uint64_t at, uint64_t *there_bytes, bool write)
{
    const uint64_t in_chunk = CHUNK_BYTES - at % CHUNK_BYTES, table = local_layout(m).gsm;
    if (at >= m->local_bytes)
        return NULL;
    if (at >= table && at - table < m->info->ggtt_bytes)
        return table_map(m, at - table, there_bytes, write);
    if (m->local_by_port)
        return port_map(m, &m->port, MEMORY_LOCAL | at, there_bytes, write);
    *there_bytes = (at < table ? table : m->local_bytes) - at;
    if (!write || m->local_external)
        return m->local + at;
    *there_bytes = *there_bytes < in_chunk ? *there_bytes : in_chunk;
    for (uint64_t part = at / PART_BYTES; part <= (at + *there_bytes - 1u) / PART_BYTES; part++)
        mark(&m->local_parts, part);
    return m->local + at;
}

uint8_t *local_map(const struct memory *m, uint64_t address, uint64_t *there_bytes, bool write)
{
    const uint64_t at = address & ~MEMORY_LOCAL;
    if (!(address & MEMORY_LOCAL)) {
        *there_bytes = write ? 0 : PAGE_BYTES - address % PAGE_BYTES;
        return write ? NULL : (uint8_t *)(uintptr_t)zero_page + address % PAGE_BYTES;
    }
    return m->local_on_bus ? physical_map(m, at & ~MEMORY_NULL, there_bytes, write)
                           : own_map(m, at, there_bytes, write);
}

bool local_unmapped(uint64_t address, void *to, size_t size_bytes)
{
    if (address & MEMORY_LOCAL)
        return false; /* past the end */
    if (to)
        memset(to, 0, size_bytes);
    return true;
}
