/*
 * The guest's memory as the client described it: regions by bus address, mapped where a file descriptor came
 * with them, else reached by messages. A client may shrink the file behind a mapping, or never have had the
 * huge pages for it: the guard gives such a region zeros, and tells.
 */
#ifndef FRONTEND_VFIO_USER_GUEST_MEMORY_H
#define FRONTEND_VFIO_USER_GUEST_MEMORY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guest_region {
    uint64_t address, size_bytes;
    uint8_t *host; /* NULL: by message */
    uint8_t *map;  /* what is mapped: whole pages of the file, which may be huge */
    size_t map_bytes;
    bool readable, writable;
};

struct guest_memory {
    struct guest_region *regions; /* by address, apart */
    size_t count, room, last;     /* `last` was asked for last */
    struct guest_memory *next;    /* of those that are watched */
    volatile sig_atomic_t lost;
};

/* Returns 0 or an errno. fd: -1 for none; it stays the caller's. */
int guest_memory_add(struct guest_memory *m, uint64_t address, uint64_t size_bytes, uint64_t offset, int fd,
                     bool readable, bool writable);
/* Drops every region inside the range; the number of them, or -1 if one is in it only in part. */
int guest_memory_remove(struct guest_memory *m, uint64_t address, uint64_t size_bytes);
void guest_memory_clear(struct guest_memory *m);
/* The region that an address is in; NULL: none. */
const struct guest_region *guest_memory_find(struct guest_memory *m, uint64_t address);

/* Watches over a guest's memory, which stays where it is until that ends. */
void guest_memory_guard(struct guest_memory *m);
void guest_memory_unguard(struct guest_memory *m);
/* Whether a page of it was touched that is not there, since the last call. */
bool guest_memory_lost(struct guest_memory *m);

#endif
