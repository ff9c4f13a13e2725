/*
 * A client of memory: what a unit loads and stores through, without an engine. It names the page tables,
 * counts accesses, and reports stores while memory is traced. A page fault calls the MMU's `fault`, which
 * reports it to the MMU's owner; the access reads zeros or stores nothing, and the client remembers that it
 * had a fault. The unit asks memory_client_faulted and stops. Not modelled: faults that are repaired and
 * retried.
 */
#ifndef MEMORY_CLIENT_H
#define MEMORY_CLIENT_H

#include "base/state.h"
#include "memory/memory.h"

#include <string.h>

#define MEMORY_COUNTERS(M, S)                                                                                \
    M(S, NUMBER, uint64_t, stores, 0)                                                                        \
    M(S, NUMBER, uint64_t, bytes_stored, 0)                                                                  \
    /* Bytes of the device's own memory. */                                                                  \
    M(S, NUMBER, uint64_t, local_loaded, 0)                                                                  \
    M(S, NUMBER, uint64_t, local_stored, 0)                                                                  \
    /* Elements that threads access beyond a surface's end. */                                               \
    M(S, NUMBER, uint64_t, out_of_bounds, 0)
/* Counted since power on. */
struct memory_counters {
    STATE_MEMBERS(MEMORY_COUNTERS)
};

struct memory_client {
    struct mmu *mmu;
    struct memory_counters *counters;
    struct device_log *log; /* takes complaints, trace events and costs */
    const char *unit;       /* the name in trace events */
    uint64_t faults_before; /* mmu->faults when the unit's current work began */
};

/* The unit's work begins: faults up to now are not its own. */
static inline void memory_client_begin(struct memory_client *c)
{
    c->faults_before = c->mmu->faults;
}

/* The unit's work had a page fault: it does nothing further. */
static inline bool memory_client_faulted(const struct memory_client *c)
{
    return c->mmu->faults != c->faults_before;
}

/* Counts bytes that were stored together. */
static inline void memory_count_stored(struct memory_counters *n, const struct mmu *u, enum space space,
                                       uint64_t address, uint64_t size_bytes)
{
    n->bytes_stored += size_bytes;
    if (__builtin_expect(u->accounts_local, 0) && mmu_is_local(u, space, address))
        n->local_stored += size_bytes;
}

static inline void memory_count_loaded(struct memory_counters *n, const struct mmu *u, enum space space,
                                       uint64_t address, uint64_t size_bytes)
{
    if (__builtin_expect(u->accounts_local, 0) && mmu_is_local(u, space, address))
        n->local_loaded += size_bytes;
}

void memory_client_store_slow(struct memory_client *c, enum space space, uint64_t address, const void *data,
                              size_t size_bytes);

/* Stores, counts and traces. After a fault nothing is stored. */
static inline void memory_client_store(struct memory_client *c, enum space space, uint64_t address,
                                       const void *data, size_t size_bytes)
{
    uint8_t *const host = mmu_cached(c->mmu, space, address, size_bytes, true);
    if (__builtin_expect(host != NULL && !tracing(c->log, SOFTGT_TRACE_MEMORY), 1)) {
        c->counters->stores++;
        memory_count_stored(c->counters, c->mmu, space, address, size_bytes);
        memcpy(host, data, size_bytes);
    } else {
        memory_client_store_slow(c, space, address, data, size_bytes);
    }
}

/* Loads and counts. False after a fault: what could not be read is zero. */
static inline bool memory_client_load(struct memory_client *c, enum space space, uint64_t address, void *data,
                                      size_t size_bytes)
{
    const uint8_t *const host = mmu_cached(c->mmu, space, address, size_bytes, false);
    if (__builtin_expect(host == NULL, 0)) {
        if (!mmu_load(c->mmu, space, address, data, size_bytes))
            return false;
    } else {
        memcpy(data, host, size_bytes);
    }
    memory_count_loaded(c->counters, c->mmu, space, address, size_bytes);
    return true;
}

/* Reports a load, while loads are traced. */
void memory_client_trace_load(const struct memory_client *c, const char *name, uint64_t address,
                              uint64_t size_bytes);

#endif
