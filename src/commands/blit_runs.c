/* Fills and copies in whole runs of host memory. */
#include "commands/blit_runs.h"

#include <wchar.h>

void blit_fill_pixels(uint8_t *to, uint32_t color, uint32_t bytes, uint32_t size)
{
    const uint32_t both = bytes == 1   ? (color & 0xffu) * 0x01010101u
                          : bytes == 2 ? (color & 0xffffu) * 0x00010001u
                                       : color;
    if (both == (both & 0xffu) * 0x01010101u) {
        memset(to, (int)both, size);
        return;
    }
    wmemset((wchar_t *)(void *)to, (wchar_t)both, size / 4u);
    if (size % 4u)
        memcpy(to + (size & ~3u), &both, size % 4u);
}

uint8_t *blit_host_run(struct engine *e, uint64_t address, bool write, uint32_t want, uint32_t *size)
{
    uint8_t *start = mmu_host(&e->mmu, SPACE_PPGTT, address, write);
    uint64_t n = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES), more = 0;
    for (; start && n < want; n += more)
        if (mmu_host_run(&e->mmu, SPACE_PPGTT, address + n, write, &more) != start + n)
            break;
    *size = n < want ? (uint32_t)n : want;
    return start;
}

/* `size` bytes of a linear row, from byte x of row y on. */
static void fill_linear(struct engine *e, const struct blit *b, int32_t x, int32_t y, uint32_t size,
                        uint32_t color)
{
    const uint64_t faults = e->faults;
    for (uint32_t at = 0, n; at < size && e->faults == faults; at += n) {
        const uint64_t address = blit_address(&b->to, x, y) + at;
        uint8_t *to = blit_host_run(e, address, true, size - at, &n);
        if (to) {
            blit_fill_pixels(to, color, b->bytes, n);
        } else if (e->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            blit_fill_pixels(buffer, color, b->bytes, n);
            mmu_store(&e->mmu, SPACE_PPGTT, address, buffer, n);
        }
    }
}

static void copy_linear(struct engine *e, const struct blit *b, int32_t x, int32_t y, uint32_t size)
{
    const uint64_t faults = e->faults;
    const bool past_caches = blit_past_caches(b);
    const int32_t from_x = x + (b->from_x - b->x1) * b->bytes, from_y = y - b->y1 + b->from_y;
    for (uint32_t at = 0, n; at < size && e->faults == faults; at += n) {
        const uint64_t address = blit_address(&b->to, x, y) + at,
                       source = blit_address(&b->from, from_x, from_y) + at;
        const uint8_t *from = blit_host_run(e, source, false, size - at, &n);
        uint8_t *to = from ? blit_host_run(e, address, true, n, &n) : NULL;
        if (from && to) {
            blit_copy_run(to, from, n, past_caches);
        } else if (e->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            n = n < PAGE_BYTES ? n : PAGE_BYTES;
            mmu_load(&e->mmu, SPACE_PPGTT, source, buffer, n);
            if (e->faults == faults)
                mmu_store(&e->mmu, SPACE_PPGTT, address, buffer, n);
        }
    }
    if (past_caches)
        blit_past_caches_end();
}

/* Copies `size` bytes of a row of the destination from byte x on, run by run. */
void blit_copy_runs(struct engine *e, const struct blit *b, int32_t x, int32_t y, uint32_t size)
{
    const uint64_t faults = e->faults;
    const int32_t shift = (b->from_x - b->x1) * b->bytes, from_y = y - b->y1 + b->from_y;
    for (uint32_t at = 0, n; at < size && e->faults == faults; at += n, x += (int32_t)n) {
        const uint64_t address = blit_address(&b->to, x, y),
                       source = blit_address(&b->from, x + shift, from_y);
        n = blit_run(&b->from, x + shift, source, blit_run(&b->to, x, address, size - at));
        const uint8_t *from = mmu_host(&e->mmu, SPACE_PPGTT, source, false);
        uint8_t *to = e->faults == faults ? mmu_host(&e->mmu, SPACE_PPGTT, address, true) : NULL;
        if (from && to) {
            memcpy(to, from, n);
        } else if (e->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            mmu_load(&e->mmu, SPACE_PPGTT, source, buffer, n);
            if (e->faults == faults)
                mmu_store(&e->mmu, SPACE_PPGTT, address, buffer, n);
        }
    }
}

/* The addresses that rows of a surface touch, roughly: whether two surfaces may overlap. */
static void reach(const struct blit_surface *s, int64_t x1, int64_t x2, int64_t y1, int64_t y2, int64_t *low,
                  int64_t *high)
{
    if (s->tiles) {
        y1 &= -(INT64_C(1) << s->tiles->height_shift);
        y2 = (y2 | ((1 << s->tiles->height_shift) - 1)) + 1;
        x1 &= -(INT64_C(1) << s->tiles->width_shift);
        x1 *= INT64_C(1) << s->tiles->height_shift;
        x2 = (x2 | ((1 << s->tiles->width_shift) - 1)) + 1;
        x2 *= INT64_C(1) << s->tiles->height_shift;
    }
    const int64_t first = y1 * s->pitch_bytes, last = y2 * s->pitch_bytes;
    *low = (int64_t)s->base + (first < last ? first : last) + x1;
    *high = (int64_t)s->base + (first < last ? last : first) + x2;
}

static bool apart(const struct blit *b)
{
    const int32_t width = b->x2 - b->x1, height = b->y2 - b->y1;
    int64_t low, high, from_low, from_high;
    reach(&b->to, (int64_t)b->x1 * b->bytes, (int64_t)b->x2 * b->bytes, b->y1, b->y2, &low, &high);
    reach(&b->from, (int64_t)b->from_x * b->bytes, (int64_t)(b->from_x + width) * b->bytes, b->from_y,
          b->from_y + height, &from_low, &from_high);
    return high <= from_low || from_high <= low;
}

enum way { FILL_LINES, FILL_TILES, COPY_LINES, COPY_TILES, COPY_RUNS, NONE };

/* How, and in what colour. */
static enum way way_of(const struct blit *b, uint32_t *color)
{
    if (b->rop == ROP_BLACK || b->rop == ROP_WHITE ||
        (b->rop == ROP_PATTERN && b->pattern == OPERAND_SOLID)) {
        *color = b->rop == ROP_BLACK ? 0 : b->rop == ROP_WHITE ? UINT32_MAX : b->pattern_colors[0];
        return !b->to.tiles ? FILL_LINES : blit_one_page_tiles(&b->to) ? FILL_TILES : NONE;
    }
    if (b->rop != ROP_SOURCE || b->source != OPERAND_COLOR || !apart(b))
        return NONE;
    if (!b->to.tiles && !b->from.tiles)
        return COPY_LINES;
    return blit_into_tiles(b) || blit_out_of_tiles(b) ? COPY_TILES : COPY_RUNS;
}

bool blit_in_runs(const struct blit *b)
{
    uint32_t color;
    return way_of(b, &color) != NONE;
}

void blit_runs(struct engine *e, const struct blit *b, int32_t y, int32_t y_end)
{
    uint32_t color = 0;
    const enum way way = way_of(b, &color);
    if (way == FILL_TILES) {
        blit_fill_tiles(e, b, y, y_end, color);
        return;
    }
    if (way == COPY_TILES) {
        blit_copy_tiles(e, b, y, y_end);
        return;
    }
    const int32_t x = b->x1 * b->bytes;
    uint32_t size = (uint32_t)(b->x2 - b->x1) * b->bytes;
    const bool gapless =
        b->to.pitch_bytes == (int32_t)size && (way == FILL_LINES || b->from.pitch_bytes == (int32_t)size);
    if (gapless && way != COPY_RUNS) { /* all rows are one */
        size *= (uint32_t)(y_end - y);
        y_end = y + 1;
    }
    const uint64_t faults = e->faults;
    for (; y < y_end && e->faults == faults; y++)
        if (way == FILL_LINES)
            fill_linear(e, b, x, y, size, color);
        else if (way == COPY_LINES)
            copy_linear(e, b, x, y, size);
        else
            blit_copy_runs(e, b, x, y, size);
}
