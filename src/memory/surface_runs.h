/* Runs of host memory: shared by surface.c and surface_tiles.c. */
#ifndef MEMORY_SURFACE_RUNS_H
#define MEMORY_SURFACE_RUNS_H

#include "memory/surface.h"
#include "base/inline.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CELL_BYTES = 16, LINE_BYTES = 64 };

/* Orders later stores after the pixels. */
static inline void past_caches_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

typedef uint64_t cell_value __attribute__((vector_size(CELL_BYTES)));

/* Past the caches, where the processor can, goes what is larger than they are. `to` is aligned then. */
static inline void cell_store(uint8_t *to, const uint8_t *from, bool past_caches)
{
    cell_value c;
    memcpy(&c, from, sizeof c);
#ifdef __SSE2__
    if (past_caches) {
        _mm_stream_si128((__m128i *)(void *)to, (__m128i)c);
        return;
    }
#else
    (void)past_caches;
#endif
    memcpy(to, &c, sizeof c);
}

/* A line of four cells. */
static INLINE void line_store(uint8_t *to, const uint8_t *a, const uint8_t *b, const uint8_t *c,
                              const uint8_t *d, bool past_caches)
{
    cell_store(to, a, past_caches);
    cell_store(to + CELL_BYTES, b, past_caches);
    cell_store(to + 2 * CELL_BYTES, c, past_caches);
    cell_store(to + 3 * CELL_BYTES, d, past_caches);
}

static inline bool cell_aligned(const uint8_t *at)
{
    return (uintptr_t)at % CELL_BYTES == 0;
}

/* Prefetches the next row: rows are far from each other, so the processor does not predict them. */
static inline void prefetch(const uint8_t *at)
{
    enum { READ = 0, LOCALITY = 1 };
    __builtin_prefetch(at, READ, LOCALITY);
}

/* Page tables may name one page of the host twice: runs may overlap though their addresses do not. */
static inline void run_copy(uint8_t *to, const uint8_t *from, uint32_t size, bool past_caches)
{
    enum { AHEAD = 1024 };
    if (!past_caches || size % LINE_BYTES || !cell_aligned(to)) {
        memmove(to, from, size);
        return;
    }
    for (uint32_t at = 0; at < size; at += LINE_BYTES) {
        const uint8_t *line = from + at;
        prefetch(line + AHEAD);
        line_store(to + at, line, line + CELL_BYTES, line + 2 * CELL_BYTES, line + 3 * CELL_BYTES, true);
    }
}

/* Host memory from an address on: as far as pages follow each other there, at most `want` bytes. A fault
 * further on is raised when it is found; what lies before it is still good. NULL: none. */
uint8_t *host_run(struct mmu *u, enum space space, uint64_t address, bool write, uint32_t want,
                  uint32_t *size);

/* Copies `size` bytes of a row of the destination from byte x on, run by run. */
void copy_runs(struct mmu *u, const struct surface_copy *c, int32_t x, int32_t y, uint32_t size);

/* Whose rows are long runs. */
static inline bool surface_has_long_rows(const struct surface *s)
{
    return !s->tiles || (s->tiling == SOFTGT_TILE_X && !s->swizzled);
}

void tiles_fill(struct mmu *u, const struct surface *s, const struct rectangle *r, uint32_t color,
                uint32_t bytes);
void tiles_copy(struct mmu *u, const struct surface_copy *c, const struct rectangle *r);

#endif
