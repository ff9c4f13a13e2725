/* What a driver does with a device: page tables, contexts, rings and their submission, as the device's data
 * sheet describes them. The text form, tests, benchmarks and fuzzers use it. Nothing here decides by
 * generation, and nothing is allocated. */
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H

#include <softgt/softgt.h>

#include "gen/sheet.h"

/* ---- Page tables (page_tables.c) ---- */

struct driver {
    struct softgt *device;
    const struct sheet *sheet;
    struct softgt_memory_port memory; /* bus memory of the device */
    uint64_t next_page, end;          /* bus addresses: the next free page for tables, and the end of them */
    uint8_t *local;                   /* local memory as the CPU sees it; NULL: accessed through the device */
    uint64_t free_page;               /* free pages, linked through their first qwords; 0: none */
    uint64_t directories[8];          /* directories in use in the GGTT's table, one bit each */
    /* Scratch page for unmapped addresses, and scratch tables by level; 0: none. */
    uint64_t scratch_page, scratch[4];
};

void driver_init(struct driver *v, struct softgt *device, const struct softgt_memory_port *memory,
                 uint64_t tables, uint64_t size_bytes);

/* Maps 4 KB pages in the GGTT. */
void driver_map_ggtt(struct driver *v, uint64_t address, uint64_t physical, uint64_t size_bytes);

/* A per-process address space. `root` holds the values of the page directory registers. With 2 levels it is
 * the offset of the directory in the GGTT's table. */
struct driver_ppgtt {
    unsigned levels;
    uint64_t root[4];
};

/* Maps every unmapped address of later spaces to this page of bus memory, so that a stray access does not
 * fault. The page is read-only where the device drops such writes. False: out of table memory. */
bool driver_use_scratch(struct driver *v, uint64_t page);
/* Makes an empty address space; 0 levels: as many as the device has. False: out of table memory. */
bool driver_ppgtt_make(struct driver *v, struct driver_ppgtt *p, unsigned levels);
/* Maps pages of `page_bytes`: 4 KB, or the size that a directory entry maps. False: out of table memory. */
bool driver_map(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t physical,
                uint64_t size_bytes, uint64_t page_bytes);
/* The same for read-only 4 KB pages; then for null pages, which read zero and drop writes. Devices without
 * null pages map the page `instead`. */
bool driver_map_read_only(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t physical,
                          uint64_t size_bytes);
bool driver_map_nothing(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t instead,
                        uint64_t size_bytes);
/* Unmaps 4 KB pages. Tables stay. */
void driver_unmap(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t size_bytes);
/* Frees all tables of the space. */
void driver_ppgtt_end(struct driver *v, struct driver_ppgtt *p);

/* ---- Rings and contexts (submit.c) ---- */

struct driver_ring {
    uint32_t start, size_bytes, head, tail; /* start: GGTT address; head and tail: bytes in the ring */
};

/* CTXT_SR_CTL of a context that never ran: restore inhibit, inhibit synchronous switch. */
enum { DRIVER_FRESH_CONTEXT = 0x00090009 };
/* The register image starts one page after the address in the descriptor. */
enum { DRIVER_IMAGE_OFFSET = PAGE_BYTES };

struct driver_context {
    struct driver_ring ring;
    uint32_t control;                 /* CTXT_SR_CTL */
    const struct driver_ppgtt *ppgtt; /* or NULL */
};

/* Size of a context from the address in its descriptor on, in whole pages. */
uint32_t driver_context_bytes(const struct engine_info *engine);
/* Fills the ring context as a driver does. Returns its length, at most room_dw. */
uint32_t driver_image(const struct engine_info *engine, const struct driver_context *context, uint32_t *dw,
                      uint32_t room_dw);
/* A valid context descriptor; its addressing mode fits the page tables. */
uint64_t driver_descriptor(uint64_t address, uint32_t id, const struct driver_ppgtt *ppgtt);

/* A list of register writes, in order. */
struct driver_writes {
    struct {
        uint32_t offset, value;
    } list[24];
    unsigned count;
};

void driver_enable_execlists(struct driver_writes *w, const struct engine_info *engine);
/* Submits one or two contexts by their descriptors; second 0: none. */
void driver_submit(struct driver_writes *w, const struct engine_info *engine, uint64_t first,
                   uint64_t second);
/* In ring buffer mode: sets the page directory (NULL: none), then the ring. */
void driver_set_directory(struct driver_writes *w, const struct engine_info *engine,
                          const struct driver_ppgtt *ppgtt);
void driver_set_ring(struct driver_writes *w, const struct engine_info *engine,
                     const struct driver_ring *ring);

/* Performs the writes as CPU writes. */
void driver_write(struct softgt *device, const struct driver_writes *w);

#endif
