/*
 * Memory of a program: bus and local pages, allocated upward from 1 MB, and the page tables of its address
 * spaces. Entries have the generic bits below; store() converts them to the device's format.
 */
#ifndef GTS_SPACE_H
#define GTS_SPACE_H

#include "memory/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash map of numbers; absent keys give 0. */
struct gts_hash_map {
    uint64_t *keys, *values; /* keys are stored + 1 */
    size_t capacity, count;
};

bool gts_hash_map_set(struct gts_hash_map *m, uint64_t key, uint64_t value); /* false when out of memory */
uint64_t gts_hash_map_get(const struct gts_hash_map *m, uint64_t key);
void gts_hash_map_free(struct gts_hash_map *m);

enum { SPACE_NUMBER_GGTT, SPACE_NUMBER_PHYSICAL };

struct gts_space {
    char *name;
    unsigned levels;    /* 4, 3 or 2; 1: the GGTT; 0: physical addresses of `memory` */
    uint64_t memory;    /* MEMORY_LOCAL, or 0: the bus */
    uint8_t table_bits; /* of the device's format */
    uint64_t limit;     /* end address; 0: 2^64 */
    uint64_t
        root[4]; /* bus addresses of the PML4, or of four directories; 2 levels: offset in the GGTT's table */
    uint64_t next_address;       /* address of the next block without one */
    struct gts_hash_map entries; /* by level and address: the entry, with GTS_MENTIONED */
};

/* Entry bits. */
#define GTS_PRESENT   UINT64_C(0x001)
#define GTS_WRITABLE  UINT64_C(0x002)
#define GTS_LARGE     UINT64_C(0x080)     /* directory entry or directory pointer */
#define GTS_PAGES_64K UINT64_C(0x800)     /* directory entry */
#define GTS_MENTIONED (UINT64_C(1) << 62) /* not for the device: a map statement named it */
#define GTS_LOCAL     (UINT64_C(1) << 61) /* page: in local memory */
#define GTS_NULL      (UINT64_C(1) << 60) /* page: null */
#define GTS_TABLE     (UINT64_C(1) << 59) /* directory entry: points to a table */

enum { TABLE_ENTRIES = 1024 };

struct gts_spaces {
    const struct page_table_format *format;
    uint64_t ggtt_bytes, local_bytes;
    struct gts_space *list;
    size_t count, capacity;
    uint64_t next_physical, next_local;
    uint64_t mapped_pages; /* entries written, bounded */
    /* Stores table entries. `physical` may be in local memory. For the GGTT it is UINT64_MAX, and `index`
     * counts from the table's start. */
    void *user;
    bool (*store)(void *user, uint64_t physical, uint64_t index, const uint64_t *entries, size_t count);
};

struct gts_mapping {
    uint64_t address, size_bytes, page_bytes;
    bool has_physical, readonly, unmapped, local, null;
    uint64_t physical;
};

bool gts_spaces_init(struct gts_spaces *s, const struct page_table_format *format, uint64_t ggtt_bytes,
                     uint64_t local_bytes);
void gts_spaces_free(struct gts_spaces *s);
/* The number of the space, or -1. */
int gts_space_find(const struct gts_spaces *s, const char *name, size_t length);
/* A new PPGTT of 4, 3 or 2 levels; its number, or -1 when out of memory. */
int gts_space_add(struct gts_spaces *s, const char *name, size_t length, unsigned levels);

/* The space has page tables of its own. */
static inline bool gts_space_is_ppgtt(const struct gts_spaces *s, int number)
{
    return s->list[number].levels > 1;
}
/* The address of an entry's page or table. */
static inline uint64_t gts_entry_address(uint64_t entry)
{
    return entry & ((UINT64_C(1) << 40) - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

/* Returns NULL, or the reason of a failure. */
const char *gts_space_map(struct gts_spaces *s, int space, const struct gts_mapping *mapping);
/* Maps fresh memory at the pages of the range that no map statement mentioned. */
const char *gts_space_map_missing(struct gts_spaces *s, int space, uint64_t address, uint64_t size_bytes);
/* The bus address of a graphics address, and the length of the contiguous range. False: not mapped. */
bool gts_space_translate(const struct gts_spaces *s, int space, uint64_t address, uint64_t *physical,
                         uint64_t *length_bytes);

#endif
