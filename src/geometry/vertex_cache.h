/* The vertex cache, in the URB: vertices and domain points have URB_ENTRIES entries each. */
#ifndef GEOMETRY_VERTEX_CACHE_H
#define GEOMETRY_VERTEX_CACHE_H

#include "shared_function/shared_function.h"

/* Bits of a key, which choose the list of its entry. */
static inline unsigned vertex_cache_bits(uint64_t key)
{
    return (unsigned)((key ^ key >> 32) % URB_SLOTS);
}

/* Finds the entry with this key in the URB_ENTRIES entries from `first`; returns first + URB_ENTRIES if there
 * is none. A key is in at most one entry. */
static inline unsigned vertex_cache_find(struct urb *u, unsigned first, uint64_t key)
{
    for (unsigned next = u->cache_first[vertex_cache_bits(key)]; next; next = u->cache_next[next - 1u]) {
        const unsigned entry = next - 1u;
        if (u->vertex_index_key[entry] == key && entry - first < URB_ENTRIES)
            return entry;
    }
    return first + URB_ENTRIES;
}

static inline void vertex_cache_link(struct urb *u, unsigned entry)
{
    uint8_t *const list = &u->cache_first[vertex_cache_bits(u->vertex_index_key[entry])];
    u->cache_next[entry] = *list;
    *list = (uint8_t)(entry + 1u);
}

static inline void vertex_cache_unlink(struct urb *u, unsigned entry)
{
    uint8_t *link = &u->cache_first[vertex_cache_bits(u->vertex_index_key[entry])];
    while (*link && *link != entry + 1u)
        link = &u->cache_next[*link - 1u];
    *link = u->cache_next[entry];
}

/* Gives an entry a key; the current epoch uses it. */
static inline void vertex_cache_put(struct urb *u, unsigned entry, uint64_t key)
{
    if (u->last_use[entry])
        vertex_cache_unlink(u, entry);
    u->vertex_index_key[entry] = key;
    u->last_use[entry] = u->epoch;
    vertex_cache_link(u, entry);
}

/* Finds the entries that were not used for longest, but those of the current epoch. */
void vertex_cache_find_oldest(struct urb *u, unsigned first);
/* Returns the least recently used entry that this epoch does not use, or first + URB_ENTRIES. */
static inline unsigned vertex_cache_lru(struct urb *u, unsigned first)
{
    struct urb_oldest *const o = &u->oldest;
    if (o->first != first)
        o->entries = 0;
    for (unsigned look = 0; look < 2; look++) {
        for (; o->entries; o->entries &= o->entries - 1u) { /* a use makes an entry newer */
            const unsigned entry = first + (unsigned)__builtin_ctzll(o->entries);
            if (u->last_use[entry] == o->epoch)
                return entry;
        }
        vertex_cache_find_oldest(u, first);
    }
    return first + URB_ENTRIES;
}

/* Empties entries; counts the keys after a load. */
void vertex_cache_forget(struct urb *u, unsigned first, unsigned count);
void vertex_cache_count(struct urb *u);
/* Begins an epoch: entries used from now on are not replaced until the next one. */
void vertex_cache_new_epoch(struct urb *u);

#endif
