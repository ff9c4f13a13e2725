/*
 * The guest's memory as the client described it: regions by bus address. A region with a file descriptor is
 * mapped, others are accessed by messages. A client may truncate the file of a mapping, or lack the huge
 * pages for it. The guard then replaces the region by zeros and reports it.
 */
#ifndef SERVER_GUEST_MEMORY_H
#define SERVER_GUEST_MEMORY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guest_region {
    uint64_t address, size_bytes;
    uint8_t *host; /* NULL: by messages */
    uint8_t *map;  /* the mapping: whole pages of the file, which may be huge pages */
    size_t map_bytes;
    bool readable, writable;
};

struct guest_memory {
    struct guest_region *regions; /* by address, not overlapping */
    size_t count, room, last;     /* `last` is the index of the last hit */
    struct guest_memory *next;    /* of the guarded ones */
    volatile sig_atomic_t lost;
};

/* Returns 0 or an errno. fd: -1 for none; the caller keeps it. */
int guest_memory_add(struct guest_memory *m, uint64_t address, uint64_t size_bytes, uint64_t offset, int fd,
                     bool readable, bool writable);
/* Removes every region inside the range. Returns their number, or -1 if a region is only partly inside. */
int guest_memory_remove(struct guest_memory *m, uint64_t address, uint64_t size_bytes);
void guest_memory_clear(struct guest_memory *m);
/* The region that contains the address, or NULL. */
const struct guest_region *guest_memory_find(struct guest_memory *m, uint64_t address);

/* Guards a guest's memory; `m` must not move until it is unguarded. */
void guest_memory_guard(struct guest_memory *m);
void guest_memory_unguard(struct guest_memory *m);
/* A missing page was accessed since the last call. */
bool guest_memory_lost(struct guest_memory *m);

#endif
