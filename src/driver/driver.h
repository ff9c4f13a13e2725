/*
 * What drivers do with a device: page tables, contexts, rings and what submits them, as the device's own data
 * sheet says. Whoever plays the driver uses it: the text form, tests, benchmarks, fuzzers. Nothing here
 * decides by generation, and nothing is allocated.
 */
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H

#include <softgt/softgt.h>

#include "gen/sheet.h"

/* ---- Page tables (page_tables.c) ---- */

struct driver {
    struct softgt *device;
    const struct sheet *sheet;
    struct softgt_memory_port memory; /* bus memory, as the device has it */
    uint64_t next_page, end;          /* of the memory for tables; zeros at first */
    uint8_t *local;                   /* local memory as the processor has it; NULL: by the device */
    uint64_t free_page;               /* given back: a list through their first qwords; 0: none */
    uint64_t directories[8];          /* in the GGTT's own table: a bit for each that is used */
    /* Where nothing is mapped there is this page, and tables of it by their level; zeros: there is nothing.
     */
    uint64_t scratch_page, scratch[3];
};

void driver_init(struct driver *v, struct softgt *device, const struct softgt_memory_port *memory,
                 uint64_t tables, uint64_t size_bytes);

/* Pages of the GGTT, of 4 KB. */
void driver_map_ggtt(struct driver *v, uint64_t address, uint64_t physical, uint64_t size_bytes);

/* A per-process address space: `root` is what the page directory registers hold, or, with 2 levels, where in
 * the GGTT's table the directory is. */
struct driver_ppgtt {
    unsigned levels;
    uint64_t root[4];
};

/* From here on spaces have a page everywhere, of bus memory, which is not written where the device drops such
 * writes: what a driver does so that a stray access stops nothing. */
bool driver_use_scratch(struct driver *v, uint64_t page);
/* 0 levels: the most that the device has. False when the memory for tables is used up. */
bool driver_ppgtt_make(struct driver *v, struct driver_ppgtt *p, unsigned levels);
/* Pages of `page_bytes`: 4 KB, or what a directory entry maps. */
bool driver_map(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t physical,
                uint64_t size_bytes, uint64_t page_bytes);
/* The same of pages of 4 KB that are not written; of pages that read zero and drop writes, which are the page
 * `instead` where the device's tables have no such. */
bool driver_map_read_only(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t physical,
                          uint64_t size_bytes);
bool driver_map_nothing(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t instead,
                        uint64_t size_bytes);
/* Pages of 4 KB are there no more; tables stay. */
void driver_unmap(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t size_bytes);
/* All its tables are given back. */
void driver_ppgtt_end(struct driver *v, struct driver_ppgtt *p);

/* ---- Rings and contexts (submit.c) ---- */

struct driver_ring {
    uint32_t start, size_bytes, head, tail; /* a GGTT address; bytes in the ring */
};

/* CTXT_SR_CTL of a context that never ran: restore inhibit, inhibit synchronous switch. */
enum { DRIVER_FRESH_CONTEXT = 0x00090009 };
/* The image is a page behind the address in the descriptor. */
enum { DRIVER_IMAGE_OFFSET = PAGE_BYTES };

struct driver_context {
    struct driver_ring ring;
    uint32_t control;                 /* CTXT_SR_CTL */
    const struct driver_ppgtt *ppgtt; /* or NULL */
};

/* Bytes from the address in the descriptor on, in whole pages. */
uint32_t driver_context_bytes(const struct engine_info *engine);
/* The ring context, as a driver fills it; returns its length, at most room_dw. */
uint32_t driver_image(const struct engine_info *engine, const struct driver_context *context, uint32_t *dw,
                      uint32_t room_dw);
/* Valid, with a mode for the page tables. */
uint64_t driver_descriptor(uint64_t address, uint32_t id, const struct driver_ppgtt *ppgtt);

/* Register writes, in their order. */
struct driver_writes {
    struct {
        uint32_t offset, value;
    } list[24];
    unsigned count;
};

void driver_enable_execlists(struct driver_writes *w, const struct engine_info *engine);
/* Up to two contexts by their descriptors; 0: none. */
void driver_submit(struct driver_writes *w, const struct engine_info *engine, uint64_t first,
                   uint64_t second);
/* Ring buffer mode: the page directory (NULL: none), then the ring. */
void driver_set_directory(struct driver_writes *w, const struct engine_info *engine,
                          const struct driver_ppgtt *ppgtt);
void driver_set_ring(struct driver_writes *w, const struct engine_info *engine,
                     const struct driver_ring *ring);

/* By the CPU. */
void driver_write(struct softgt *device, const struct driver_writes *w);

#endif
