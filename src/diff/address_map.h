/* Pages of two runs that mean the same: matched in the order of their first use, one to one. */
#ifndef DIFF_ADDRESS_MAP_H
#define DIFF_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_pair {
    uint32_t space; /* of the caller's numbers; 0: the pair is unused */
    uint64_t a, b;  /* page addresses */
};

/* Starts as {0}. */
struct address_map {
    struct address_pair *by_a, *by_b; /* hash tables of `room` */
    size_t room, count;
    bool no_memory;
};

void address_map_free(struct address_map *m);
/* The addresses are equal within their pages, and the pages are a pair; a pair is made if neither has one.
 * Null matches only itself. */
bool address_map_match(struct address_map *m, uint32_t space, uint64_t a, uint64_t b);
/* The same, and no pair is made. */
bool address_map_has(const struct address_map *m, uint32_t space, uint64_t a, uint64_t b);
/* The page that is paired with A's; false: none is. */
bool address_map_find(const struct address_map *m, uint32_t space, uint64_t a, uint64_t *b);

#endif
