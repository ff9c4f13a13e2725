/* Blits in runs of host memory. */
#ifndef COMMANDS_BLIT_RUNS_H
#define COMMANDS_BLIT_RUNS_H

#include "commands/blit.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- Large copies: past the processor's caches where it can, as its own copy routine does it ---- */

enum { LINE_BYTES = 64, PAST_CACHES_BYTES = 4 << 20 };

static inline bool blit_past_caches(const struct blit *b)
{
    return (int64_t)(b->x2 - b->x1) * b->bytes * (b->y2 - b->y1) >= PAST_CACHES_BYTES;
}

/* What the engine stores from here on comes after the pixels. */
static inline void blit_past_caches_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

typedef uint64_t blit_cell __attribute__((vector_size(16)));

/* Past the caches, where the processor can, goes what is larger than they are. `to` is aligned then. */
static inline void blit_put_cell(uint8_t *to, const uint8_t *from, bool past_caches)
{
    blit_cell c;
    memcpy(&c, from, sizeof c);
#ifdef __SSE2__
    if (past_caches) {
        _mm_stream_si128((__m128i *)(void *)to, (__m128i)c);
        return;
    }
#endif
    memcpy(to, &c, sizeof c);
}

static inline bool blit_cell_aligned(const uint8_t *at)
{
    return (uintptr_t)at % sizeof(blit_cell) == 0;
}

/* Rows are far apart, and processors do not foresee where they go on. */
static inline void blit_prefetch(const uint8_t *at)
{
    enum { READ = 0, LOCALITY = 1 };
    __builtin_prefetch(at, READ, LOCALITY);
}

static inline void blit_copy_run(uint8_t *to, const uint8_t *from, uint32_t size, bool past_caches)
{
    enum { AHEAD = 1024 };
    if (!past_caches || size % LINE_BYTES || !blit_cell_aligned(to)) {
        memcpy(to, from, size);
        return;
    }
    for (uint32_t at = 0; at < size; at += sizeof(blit_cell)) {
        if (at % LINE_BYTES == 0)
            blit_prefetch(from + at + AHEAD);
        blit_put_cell(to + at, from + at, true);
    }
}

/* ---- What blit_runs.c and blit_tiles.c do for each other ---- */

/* Host memory from an address on: as far as pages follow each other there, at most `want` bytes. A fault
 * further on is raised when it is found; what lies before it is still good. NULL: none. */
uint8_t *blit_host_run(struct engine *e, uint64_t address, bool write, uint32_t want, uint32_t *size);

/* Copies `size` bytes of a row of the destination from byte x on, run by run. */
void blit_copy_runs(struct engine *e, const struct blit *b, int32_t x, int32_t y, uint32_t size);

static inline bool blit_one_page_tiles(const struct blit_surface *s)
{
    return s->tiles && tile_bytes(s->tiles) == PAGE_BYTES;
}

/* Whose rows are long runs. */
static inline bool blit_in_lines(const struct blit_surface *s)
{
    return !s->tiles || (s->tiling == SOFTGT_TILE_X && !s->swizzled);
}

static inline bool blit_into_tiles(const struct blit *b)
{
    return blit_one_page_tiles(&b->to) && blit_in_lines(&b->from);
}

static inline bool blit_out_of_tiles(const struct blit *b)
{
    return blit_one_page_tiles(&b->from) && blit_in_lines(&b->to);
}

/* Rows y to y_end of a destination in tiles of one page; they end early after a fault. */
void blit_fill_tiles(struct engine *e, const struct blit *b, int32_t y, int32_t y_end, uint32_t color);
/* The same of a copy into such tiles, or out of them. */
void blit_copy_tiles(struct engine *e, const struct blit *b, int32_t y, int32_t y_end);

#endif
