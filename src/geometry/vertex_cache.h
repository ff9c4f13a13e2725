/* The vertex cache, in the URB: vertices and domain points have URB_ENTRIES entries each. */
#ifndef GEOMETRY_VERTEX_CACHE_H
#define GEOMETRY_VERTEX_CACHE_H

#include "shared_function/shared_function.h"

/* Finds the entry with this key in the URB_ENTRIES entries from `first`;
 * returns first + URB_ENTRIES if there is none. */
unsigned vertex_cache_find(struct urb *u, unsigned first, uint64_t key);
/* Returns the least recently used entry that this epoch does not use, or first + URB_ENTRIES. */
unsigned vertex_cache_lru(struct urb *u, unsigned first);
/* Gives an entry a key; the current epoch uses it. */
void vertex_cache_put(struct urb *u, unsigned entry, uint64_t key);
/* Empties entries; counts the keys after a load. */
void vertex_cache_forget(struct urb *u, unsigned first, unsigned count);
void vertex_cache_count(struct urb *u);
/* Begins an epoch: entries used from now on are not replaced until the next one. */
void vertex_cache_new_epoch(struct urb *u);

#endif
