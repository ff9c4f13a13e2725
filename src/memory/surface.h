/*
 * Surfaces in graphics memory: where their bytes are, in an address space and through page tables to host
 * memory. x is in bytes, y in rows. Whole rectangles are filled and copied in runs of host memory, in any
 * order; what meets a fault ends there: mmu.faults tells.
 */
#ifndef MEMORY_SURFACE_H
#define MEMORY_SURFACE_H

#include "memory/memory.h"
#include "memory/tiling.h"

#include <string.h>

struct surface {
    uint64_t base;
    int32_t pitch_bytes;
    uint8_t space;                   /* enum space */
    uint8_t tiling;                  /* enum softgt_tiling */
    bool swizzled;                   /* bit 6 */
    uint64_t aux_table;              /* base of the auxiliary table; 0: local memory's compression state */
    const struct tile_layout *tiles; /* NULL: linear */
};

struct rectangle {
    int32_t x1, y1, x2, y2; /* bytes, rows; right and bottom edges excluded */
};

/* At most 32 bytes. */
static inline void tiny_copy(void *to, const void *from, uint32_t size)
{
    typedef uint64_t half __attribute__((vector_size(16)));
    uint8_t *t = to;
    const uint8_t *f = from;
    if (size >= 16) {
        half a, b;
        memcpy(&a, f, 16);
        memcpy(&b, f + size - 16, 16);
        memcpy(t, &a, 16);
        memcpy(t + size - 16, &b, 16);
    } else if (size >= 8) {
        uint64_t a, b;
        memcpy(&a, f, 8);
        memcpy(&b, f + size - 8, 8);
        memcpy(t, &a, 8);
        memcpy(t + size - 8, &b, 8);
    } else {
        for (uint32_t i = 0; i < size; i++)
            t[i] = f[i];
    }
}

/* Drawn rows are mostly short: these need no call. */
static inline void short_copy(void *to, const void *from, uint32_t size)
{
    if (__builtin_expect(size > 32, 0))
        memmove(to, from, size);
    else
        tiny_copy(to, from, size);
}

static inline uint64_t surface_address(const struct surface *s, int32_t x, int32_t y)
{
    if (!s->tiles)
        return s->base + (uint64_t)((int64_t)y * s->pitch_bytes + x);
    return s->base + (uint64_t)tile_offset(s->tiles, s->swizzled, s->pitch_bytes, x, y);
}

/* The number of contiguous bytes on one page, at most `left`. */
static inline uint32_t surface_run(const struct surface *s, int32_t x, uint64_t address, uint32_t left)
{
    uint32_t run = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
    if (s->tiles) {
        const uint32_t in_tile = tile_run(s->tiles, s->swizzled, (uint32_t)x);
        run = run < in_tile ? run : in_tile;
    }
    return run < left ? run : left;
}

/* Reads bytes of a row. Bytes that could not be read are zero. */
void surface_load(struct mmu *u, const struct surface *s, int32_t x, int32_t y, void *to, uint32_t size);
void surface_store(struct mmu *u, const struct surface *s, int32_t x, int32_t y, const void *from,
                   uint32_t size);

/* Pixels of one colour. */
void fill_pixels(uint8_t *to, uint32_t color, uint32_t bytes_per_pixel, uint32_t size);

void surface_fill(struct mmu *u, const struct surface *s, const struct rectangle *r, uint32_t color,
                  uint32_t bytes_per_pixel);

/* A copy of rectangle `r` of `to` from what starts at x, y of `from`. */
struct surface_copy {
    struct surface to, from;
    int32_t offset_x, offset_y; /* from `to`'s coordinates to `from`'s */
    bool bypasses_cache;        /* larger than the CPU's caches */
};

/* No byte of the two surfaces has the same address: the order of accesses does not matter. */
bool surfaces_are_disjoint(const struct surface_copy *c, const struct rectangle *r);
/* Only for disjoint surfaces. */
void surface_copy(struct mmu *u, const struct surface_copy *c, const struct rectangle *r);

#endif
