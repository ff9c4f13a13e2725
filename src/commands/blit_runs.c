/* Fills and copies in whole runs of host memory: lines, and tiles of which each page is looked up once. */
#include "commands/blit.h"

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

/* Host memory from an address on: as far as pages follow each other there, at most `want` bytes. A fault
 * further on is raised when it is found; what lies before it is still good. NULL: none. */
static uint8_t *host_run(struct engine *e, uint64_t address, bool write, uint32_t want, uint32_t *size)
{
    uint8_t *start = mmu_host(&e->mmu, SPACE_PPGTT, address, write);
    uint32_t n = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
    while (start && n < want && mmu_host(&e->mmu, SPACE_PPGTT, address + n, write) == start + n)
        n += PAGE_BYTES;
    *size = n < want ? n : want;
    return start;
}

/* `size` bytes of a linear row, from byte x of row y on. */
static void fill_linear(struct engine *e, const struct blit *b, int32_t x, int32_t y, uint32_t size,
                        uint32_t color)
{
    const uint64_t faults = e->faults;
    for (uint32_t at = 0, n; at < size && e->faults == faults; at += n) {
        const uint64_t address = blit_address(&b->to, x, y) + at;
        uint8_t *to = host_run(e, address, true, size - at, &n);
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
    const int32_t from_x = x + (b->from_x - b->x1) * b->bytes, from_y = y - b->y1 + b->from_y;
    for (uint32_t at = 0, n; at < size && e->faults == faults; at += n) {
        const uint64_t address = blit_address(&b->to, x, y) + at,
                       source = blit_address(&b->from, from_x, from_y) + at;
        const uint8_t *from = host_run(e, source, false, size - at, &n);
        uint8_t *to = from ? host_run(e, address, true, n, &n) : NULL;
        if (from && to) {
            memcpy(to, from, n);
        } else if (e->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            n = n < PAGE_BYTES ? n : PAGE_BYTES;
            mmu_load(&e->mmu, SPACE_PPGTT, source, buffer, n);
            if (e->faults == faults)
                mmu_store(&e->mmu, SPACE_PPGTT, address, buffer, n);
        }
    }
}

/* Copies `size` bytes of a row of the destination from byte x on, run by run. */
static void copy_runs(struct engine *e, const struct blit *b, int32_t x, int32_t y, uint32_t size)
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

/* ---- Tile by tile, each page looked up once ---- */

enum { TILE_CELLS = 16, TILE_ROWS = 64 };

/*
 * A surface in tiles of one page. A cell is what lies together: where it is in its tile is the exclusive or
 * of its column's part and its row's, swizzled or not.
 */
struct tiled {
    const struct blit_surface *surface;
    int32_t width, height; /* of a tile, bytes and rows */
    uint32_t cell;         /* bytes */
    bool plain_y;          /* Y tiles, not swizzled */
    uint16_t column[TILE_CELLS], row[TILE_ROWS];
};

static void tiled_begin(struct tiled *t, const struct blit_surface *s)
{
    const struct tile_layout *l = s->tiles;
    t->surface = s;
    t->width = 1 << l->width_shift;
    t->height = 1 << l->height_shift;
    t->cell = tile_run(l, s->swizzled, 0);
    t->plain_y = s->tiling == TILING_Y && !s->swizzled;
    for (int32_t i = 0; i < t->width / (int32_t)t->cell; i++)
        t->column[i] = (uint16_t)tile_inner(l, s->swizzled, (uint32_t)i * t->cell, 0);
    for (int32_t i = 0; i < t->height; i++)
        t->row[i] = (uint16_t)tile_inner(l, s->swizzled, 0, (uint32_t)i);
}

static inline bool one_page_tiles(const struct blit_surface *s)
{
    return s->tiles && tile_bytes(s->tiles) == PAGE_BYTES;
}

static inline int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Rows y .. y_end of the destination. */
static void fill_tiles(struct engine *e, const struct blit *b, int32_t y, int32_t y_end, uint32_t color)
{
    struct tiled t;
    tiled_begin(&t, &b->to);
    const int32_t begin = b->x1 * b->bytes, end = b->x2 * b->bytes;
    const uint64_t faults = e->faults;
    for (int32_t top = y & -t.height; top < y_end; top += t.height)
        for (int32_t left = begin & -t.width; left < end; left += t.width) {
            const uint64_t address = blit_address(&b->to, left, top);
            const int32_t x1 = most(left, begin) - left, x2 = least(left + t.width, end) - left;
            const int32_t y1 = most(top, y) - top, y2 = least(top + t.height, y_end) - top;
            uint8_t *page = mmu_host(&e->mmu, SPACE_PPGTT, address, true);
            if (e->faults != faults)
                return;
            uint8_t bounce[PAGE_BYTES];
            if (!page)
                mmu_load(&e->mmu, SPACE_PPGTT, address, bounce, PAGE_BYTES);
            uint8_t *to = page ? page : bounce;
            if (x2 - x1 == t.width && y2 - y1 == t.height) {
                blit_fill_pixels(to, color, b->bytes, PAGE_BYTES);
            } else {
                for (int32_t row = y1; row < y2; row++)
                    for (int32_t x = x1, n; x < x2; x += n) {
                        const int32_t in_cell = x & ((int32_t)t.cell - 1);
                        n = least((int32_t)t.cell - in_cell, x2 - x);
                        blit_fill_pixels(
                            to + ((uint32_t)(t.column[x / (int32_t)t.cell] ^ t.row[row]) + (uint32_t)in_cell),
                            color, b->bytes, (uint32_t)n);
                    }
            }
            if (!page)
                mmu_store(&e->mmu, SPACE_PPGTT, address, bounce, PAGE_BYTES);
        }
}

/* Bytes x1 .. x2 of a row between a tile and a line. */
static inline __attribute__((always_inline)) void copy_cells(const struct tiled *t, uint8_t *page,
                                                             int32_t row, int32_t x1, int32_t x2,
                                                             uint8_t *line, bool into, uint32_t cell)
{
    int32_t x = x1;
    while (x < x2) {
        const uint32_t in_cell = (uint32_t)x & (cell - 1u);
        uint8_t *at = page + ((uint32_t)(t->column[(uint32_t)x / cell] ^ t->row[row]) + in_cell);
        if (in_cell == 0 && x2 - x >= (int32_t)cell) {
            memcpy(into ? at : line, into ? line : at, cell);
            x += (int32_t)cell;
            line += cell;
        } else {
            const uint32_t n = (uint32_t)least((int32_t)(cell - in_cell), x2 - x);
            memcpy(into ? at : line, into ? line : at, n);
            x += (int32_t)n;
            line += n;
        }
    }
}

/* A whole row of a Y tile: eight cells, each in a column of its own; all are read before any is written, so
 * that the reads are under way together. */
static inline void copy_y_row(uint8_t *at, uint8_t *line, bool into)
{
    enum { COLUMNS = 8, CELL = 16, COLUMN_BYTES = 512 };
    typedef uint64_t cell __attribute__((vector_size(CELL)));
    const size_t from_step = into ? CELL : COLUMN_BYTES, to_step = into ? COLUMN_BYTES : CELL;
    const uint8_t *from = into ? line : at;
    uint8_t *to = into ? at : line;
    cell c0, c1, c2, c3, c4, c5, c6, c7;
    memcpy(&c0, from, CELL);
    memcpy(&c1, from + from_step, CELL);
    memcpy(&c2, from + 2 * from_step, CELL);
    memcpy(&c3, from + 3 * from_step, CELL);
    memcpy(&c4, from + 4 * from_step, CELL);
    memcpy(&c5, from + 5 * from_step, CELL);
    memcpy(&c6, from + 6 * from_step, CELL);
    memcpy(&c7, from + 7 * from_step, CELL);
    memcpy(to, &c0, CELL);
    memcpy(to + to_step, &c1, CELL);
    memcpy(to + 2 * to_step, &c2, CELL);
    memcpy(to + 3 * to_step, &c3, CELL);
    memcpy(to + 4 * to_step, &c4, CELL);
    memcpy(to + 5 * to_step, &c5, CELL);
    memcpy(to + 6 * to_step, &c6, CELL);
    memcpy(to + 7 * to_step, &c7, CELL);
}

static void copy_cells_of(const struct tiled *t, uint8_t *page, int32_t row, int32_t x1, int32_t x2,
                          uint8_t *line, bool into)
{
    if (t->plain_y && x2 - x1 == t->width)
        into ? copy_y_row(page + t->row[row], line, true) : copy_y_row(page + t->row[row], line, false);
    else if (t->cell == 16)
        into ? copy_cells(t, page, row, x1, x2, line, true, 16)
             : copy_cells(t, page, row, x1, x2, line, false, 16);
    else
        copy_cells(t, page, row, x1, x2, line, into, t->cell);
}

/* What the next tile will want of this row: rows are far apart, and processors do not foresee it. */
static inline void prefetch_line(const uint8_t *line)
{
    enum { LINE = 64, AHEAD = 256, READ = 0, LOCALITY = 1 };
    __builtin_prefetch(line + AHEAD, READ, LOCALITY);
    __builtin_prefetch(line + AHEAD + LINE, READ, LOCALITY);
}

/* Rows y .. y_end between a tiled surface and a linear one. */
static void copy_tiles(struct engine *e, const struct blit *b, int32_t y, int32_t y_end)
{
    const bool into = b->to.tiles != NULL;
    const struct blit_surface *linear = into ? &b->from : &b->to;
    const int32_t shift_x = (b->from_x - b->x1) * b->bytes, shift_y = b->from_y - b->y1;
    struct tiled t;
    tiled_begin(&t, into ? &b->to : &b->from);
    /* In the tiled surface's coordinates; what the other's are further. */
    const int32_t right = into ? shift_x : -shift_x, down = into ? shift_y : -shift_y;
    const int32_t begin = b->x1 * b->bytes + (into ? 0 : shift_x),
                  end = b->x2 * b->bytes + (into ? 0 : shift_x);
    y += into ? 0 : shift_y;
    y_end += into ? 0 : shift_y;
    const uint64_t faults = e->faults;
    for (int32_t top = y & -t.height; top < y_end; top += t.height) {
        const int32_t y1 = most(top, y) - top, y2 = least(top + t.height, y_end) - top;
        uint8_t *lines[TILE_ROWS];
        uint32_t left_on_page[TILE_ROWS] = {0};
        for (int32_t left = begin & -t.width; left < end; left += t.width) {
            const int32_t x1 = most(left, begin) - left, x2 = least(left + t.width, end) - left;
            const uint32_t size = (uint32_t)(x2 - x1);
            uint8_t *page = mmu_host(&e->mmu, SPACE_PPGTT, blit_address(t.surface, left, top), into);
            for (int32_t row = y1; row < y2; row++) {
                if (e->faults != faults)
                    return;
                if (left_on_page[row] < size) {
                    const uint64_t address = blit_address(linear, left + x1 + right, top + row + down);
                    left_on_page[row] = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
                    lines[row] =
                        left_on_page[row] < size ? NULL : mmu_host(&e->mmu, SPACE_PPGTT, address, !into);
                    if (e->faults != faults)
                        return;
                }
                if (page && lines[row]) {
                    prefetch_line(lines[row]);
                    copy_cells_of(&t, page, row, x1, x2, lines[row], into);
                    lines[row] += size;
                    left_on_page[row] -= size;
                } else {
                    copy_runs(e, b, left + x1 + (into ? 0 : -shift_x), top + row + (into ? 0 : -shift_y),
                              size);
                    left_on_page[row] = 0;
                }
            }
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
    enum { BLACK = 0x00, WHITE = 0xff, COPY_PATTERN = 0xf0, COPY_SOURCE = 0xcc };
    if (b->rop == BLACK || b->rop == WHITE || (b->rop == COPY_PATTERN && b->pattern == OPERAND_SOLID)) {
        *color = b->rop == BLACK ? 0 : b->rop == WHITE ? UINT32_MAX : b->pattern_colors[1];
        return !b->to.tiles ? FILL_LINES : one_page_tiles(&b->to) ? FILL_TILES : NONE;
    }
    if (b->rop != COPY_SOURCE || b->source != OPERAND_COLOR || !apart(b))
        return NONE;
    if (!b->to.tiles && !b->from.tiles)
        return COPY_LINES;
    const bool one_tiled = !b->to.tiles != !b->from.tiles;
    return one_tiled && one_page_tiles(b->to.tiles ? &b->to : &b->from) ? COPY_TILES : COPY_RUNS;
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
        fill_tiles(e, b, y, y_end, color);
        return;
    }
    if (way == COPY_TILES) {
        copy_tiles(e, b, y, y_end);
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
            copy_runs(e, b, x, y, size);
}
