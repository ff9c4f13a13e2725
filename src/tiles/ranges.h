/*
 * Whether what a draw writes lies in present pages, and overlaps nothing else that it reads or writes:
 * neither by address nor in physical memory. What is found is kept while mmu.changes is the same; it is no
 * state.
 */
#ifndef TILES_RANGES_H
#define TILES_RANGES_H

#include "memory/window.h"

enum { MOST_RANGES = 114 };

struct access_range {
    uint64_t address, size_bytes;
    uint64_t writes; /* 0 or 1 */
};

/* All accesses of a draw. */
struct access_ranges {
    unsigned count;
    struct access_range list[MOST_RANGES];
};

struct range_cache;

/* NULL: no memory. */
struct range_cache *range_cache_create(void);
void range_cache_destroy(struct range_cache *c);
/* False also if the ranges have more than most_bytes. */
bool ranges_are_closed(struct range_cache *c, const struct mmu *u, const struct access_ranges *r,
                       uint64_t most_bytes);

#endif
