/*
 * A window: graphics addresses whose bytes follow each other in the host and in physical memory. It is made
 * by one walk over its pages, and then replaces translations of single accesses: push constants are copied
 * from one for each thread, and draws look whether whole surfaces are present. It sees what the TLB holds,
 * but neither fills the TLB nor raises faults. Windows are caches, not state: memory_window_host returns NULL
 * after a TLB invalidation, a change of the page directory, a load, or when memory moves in the host. Who
 * gets NULL, or a shorter window than the buffer, accesses it by mmu_load and mmu_store.
 */
#ifndef MEMORY_WINDOW_H
#define MEMORY_WINDOW_H

#include "memory/memory.h"

struct memory_window {
    uint64_t base, size_bytes; /* graphics addresses; size_bytes 0: empty */
    uint64_t physical;         /* of base */
    uint8_t *host;             /* of base */
    uint64_t changes;          /* mmu.changes when it was made */
    bool writable;
};

/* Makes a window from `address` on. It ends at the first page that is missing, is not writable (if
 * `writable`) or does not follow the one before it, so it may be shorter than size_bytes. False: it is empty.
 */
bool memory_window_make(struct memory_window *w, const struct mmu *u, enum space space, uint64_t address,
                        uint64_t size_bytes, bool writable);
/* The same with tables that a walker remembers, which may be the TLB's own. */
bool memory_window_make_by(struct memory_window *w, const struct mmu *u, struct walker *walker,
                           enum space space, uint64_t address, uint64_t size_bytes, bool writable);

/* The window is valid, and has all of these bytes. */
static inline bool memory_window_has(const struct memory_window *w, const struct mmu *u, uint64_t address,
                                     uint64_t size_bytes)
{
    const uint64_t offset = address - w->base;
    return w->changes == u->changes && offset < w->size_bytes && w->size_bytes - offset >= size_bytes;
}

/* The host pointer of an address with `size_bytes` after it; NULL: the window is not valid, or ends before.
 */
static inline uint8_t *memory_window_host(const struct memory_window *w, const struct mmu *u,
                                          uint64_t address, uint64_t size_bytes)
{
    return memory_window_has(w, u, address, size_bytes) ? w->host + (address - w->base) : NULL;
}

/* As mmu_page_bit, for an address in the window. */
static inline uint64_t memory_window_page_bit(const struct memory_window *w, uint64_t address)
{
    return UINT64_C(1) << (w->physical + (address - w->base)) / PAGE_BYTES % 64u;
}

#endif
