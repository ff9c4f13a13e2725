/*
 * Fills and copies of surfaces in tiles of one page: tile by tile, each page looked up once. Large copies go
 * past the processor's caches.
 */
#include "commands/blit_runs.h"

enum { TILE_CELLS = 16, TILE_ROWS = 64, Y_ROWS = 4 };

struct way_of_tiles {
    bool into; /* the tiled surface; else out of it */
    bool past_caches;
};

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
    t->plain_y = s->tiling == SOFTGT_TILE_Y && !s->swizzled;
    for (int32_t i = 0; i < t->width / (int32_t)t->cell; i++)
        t->column[i] = (uint16_t)tile_inner(l, s->swizzled, (uint32_t)i * t->cell, 0);
    for (int32_t i = 0; i < t->height; i++)
        t->row[i] = (uint16_t)tile_inner(l, s->swizzled, 0, (uint32_t)i);
}

static inline int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Rows y1 .. y2 of a tile, bytes x1 .. x2 of them. */
static void fill_rows(const struct tiled *t, uint8_t *page, int32_t y1, int32_t y2, int32_t x1, int32_t x2,
                      uint32_t color, uint32_t bytes)
{
    for (int32_t row = y1; row < y2; row++)
        for (int32_t x = x1, n; x < x2; x += n) {
            const int32_t cell = (int32_t)t->cell, in_cell = x & (cell - 1);
            n = least(cell - in_cell, x2 - x);
            blit_fill_pixels(page + ((uint32_t)(t->column[x / cell] ^ t->row[row]) + (uint32_t)in_cell),
                             color, bytes, (uint32_t)n);
        }
}

void blit_fill_tiles(struct engine *e, const struct blit *b, int32_t y, int32_t y_end, uint32_t color)
{
    struct tiled t;
    tiled_begin(&t, &b->to);
    const int32_t begin = b->x1 * b->bytes, end = b->x2 * b->bytes;
    const uint64_t faults = e->faults;
    for (int32_t top = y & -t.height; top < y_end && e->faults == faults; top += t.height) {
        const int32_t y1 = most(top, y) - top, y2 = least(top + t.height, y_end) - top;
        for (int32_t left = begin & -t.width, tiles; left < end && e->faults == faults;
             left += tiles * t.width) {
            const uint64_t address = blit_address(&b->to, left, top);
            const int32_t x1 = most(left, begin) - left, x2 = least(left + t.width, end) - left;
            tiles = 1;
            if (x2 - x1 == t.width && y2 - y1 == t.height) { /* whole ones follow each other */
                uint32_t size;
                uint8_t *run =
                    blit_host_run(e, address, true, (uint32_t)((end - left) / t.width) * PAGE_BYTES, &size);
                if (run) {
                    blit_fill_pixels(run, color, b->bytes, size);
                    tiles = (int32_t)(size / PAGE_BYTES);
                    continue;
                }
            }
            if (e->faults != faults)
                return;
            uint8_t bounce[PAGE_BYTES], *page = mmu_host(&e->mmu, SPACE_PPGTT, address, true);
            if (!page && e->faults == faults)
                mmu_load(&e->mmu, SPACE_PPGTT, address, bounce, PAGE_BYTES);
            if (e->faults != faults)
                return;
            fill_rows(&t, page ? page : bounce, y1, y2, x1, x2, color, b->bytes);
            if (!page)
                mmu_store(&e->mmu, SPACE_PPGTT, address, bounce, PAGE_BYTES);
        }
    }
}

/* Bytes x1 .. x2 of a row between a tile and a line. */
static inline __attribute__((always_inline)) void copy_cells(const struct tiled *t, uint8_t *page,
                                                             int32_t row, int32_t x1, int32_t x2,
                                                             uint8_t *line, const struct way_of_tiles *way,
                                                             uint32_t cell)
{
    int32_t x = x1;
    while (x < x2) {
        const uint32_t in_cell = (uint32_t)x & (cell - 1u);
        uint8_t *at = page + ((uint32_t)(t->column[(uint32_t)x / cell] ^ t->row[row]) + in_cell);
        const uint32_t n = (uint32_t)least((int32_t)(cell - in_cell), x2 - x);
        if (n == cell && cell <= LINE_BYTES)
            memcpy(way->into ? at : line, way->into ? line : at, cell);
        else
            blit_copy_run(way->into ? at : line, way->into ? line : at, n, way->past_caches);
        x += (int32_t)n;
        line += n;
    }
}

/* Four whole rows of a Y tile: eight columns of four cells each, which share a cache line. */
static inline __attribute__((always_inline)) void copy_y_rows(uint8_t *at, uint8_t *const lines[Y_ROWS],
                                                              bool into, bool past_caches)
{
    enum { COLUMNS = 8, CELL = 16, COLUMN_BYTES = 512, AHEAD = 256 };
    for (uint32_t row = 0; row < Y_ROWS && into; row++) {
        blit_prefetch(lines[row] + AHEAD);
        blit_prefetch(lines[row] + AHEAD + LINE_BYTES);
    }
    for (uint32_t column = 0; column < COLUMNS && !into; column++)
        blit_prefetch(at + PAGE_BYTES + column * COLUMN_BYTES);
    /* The order of the writes: whole cache lines. */
    for (uint32_t half = 0; half < COLUMNS && !into; half += Y_ROWS)
        for (uint32_t row = 0; row < Y_ROWS; row++)
            for (uint32_t column = half; column < half + Y_ROWS; column++)
                blit_put_cell(lines[row] + column * CELL, at + column * COLUMN_BYTES + row * CELL,
                              past_caches);
    for (uint32_t column = 0; column < COLUMNS && into; column++)
        for (uint32_t row = 0; row < Y_ROWS; row++)
            blit_put_cell(at + column * COLUMN_BYTES + row * CELL, lines[row] + column * CELL, past_caches);
}

/* Rows y1 .. y2 of a tile, bytes x1 .. x2 of them. */
static void copy_rows(const struct tiled *t, uint8_t *page, int32_t y1, int32_t y2, int32_t x1, int32_t x2,
                      uint8_t *const *lines, const struct way_of_tiles *way)
{
    const bool whole_y = t->plain_y && x2 - x1 == t->width;
    for (int32_t row = y1; row < y2;) {
        if (whole_y && row % Y_ROWS == 0 && row + Y_ROWS <= y2) {
            uint8_t *at = page + t->row[row];
            bool past_caches = way->past_caches && blit_cell_aligned(at);
            for (uint32_t i = 0; i < Y_ROWS && past_caches; i++)
                past_caches = way->into || blit_cell_aligned(lines[row + (int32_t)i]);
            if (past_caches)
                way->into ? copy_y_rows(at, lines + row, true, true)
                          : copy_y_rows(at, lines + row, false, true);
            else
                way->into ? copy_y_rows(at, lines + row, true, false)
                          : copy_y_rows(at, lines + row, false, false);
            row += Y_ROWS;
        } else {
            if (t->cell == 16)
                copy_cells(t, page, row, x1, x2, lines[row], way, 16);
            else
                copy_cells(t, page, row, x1, x2, lines[row], way, t->cell);
            row++;
        }
    }
}

void blit_copy_tiles(struct engine *e, const struct blit *b, int32_t y, int32_t y_end)
{
    const struct way_of_tiles way = {.into = blit_into_tiles(b), .past_caches = blit_past_caches(b)};
    const struct blit_surface *other = way.into ? &b->from : &b->to;
    const int32_t shift_x = (b->from_x - b->x1) * b->bytes, shift_y = b->from_y - b->y1;
    struct tiled t;
    tiled_begin(&t, way.into ? &b->to : &b->from);
    /* In the tiled surface's coordinates; what the other's are further. */
    const int32_t right = way.into ? shift_x : -shift_x, down = way.into ? shift_y : -shift_y;
    const int32_t begin = b->x1 * b->bytes + (way.into ? 0 : shift_x),
                  end = b->x2 * b->bytes + (way.into ? 0 : shift_x);
    y += way.into ? 0 : shift_y;
    y_end += way.into ? 0 : shift_y;
    const uint64_t faults = e->faults;
    for (int32_t top = y & -t.height; top < y_end && e->faults == faults; top += t.height) {
        const int32_t y1 = most(top, y) - top, y2 = least(top + t.height, y_end) - top;
        uint8_t *lines[TILE_ROWS] = {NULL};
        uint32_t left_in_run[TILE_ROWS] = {0};
        for (int32_t left = begin & -t.width; left < end && e->faults == faults; left += t.width) {
            const int32_t x1 = most(left, begin) - left, x2 = least(left + t.width, end) - left;
            const uint32_t size = (uint32_t)(x2 - x1);
            uint8_t *page = mmu_host(&e->mmu, SPACE_PPGTT, blit_address(t.surface, left, top), way.into);
            int32_t ready = y1; /* from here on both sides of a row are at hand */
            for (int32_t row = y1; row < y2 && e->faults == faults; row++) {
                if (left_in_run[row] < size) {
                    const uint64_t address = blit_address(other, left + x1 + right, top + row + down);
                    left_in_run[row] = blit_run(other, left + x1 + right, address, UINT32_MAX);
                    lines[row] =
                        left_in_run[row] < size ? NULL : mmu_host(&e->mmu, SPACE_PPGTT, address, !way.into);
                }
                if (page && lines[row] && e->faults == faults)
                    continue;
                copy_rows(&t, page, ready, row, x1, x2, lines, &way);
                if (e->faults == faults)
                    blit_copy_runs(e, b, left + x1 - (way.into ? 0 : shift_x),
                                   top + row - (way.into ? 0 : shift_y), size);
                lines[row] = NULL;
                ready = row + 1;
            }
            if (e->faults == faults)
                copy_rows(&t, page, ready, y2, x1, x2, lines, &way);
            for (int32_t row = y1; row < y2; row++) {
                left_in_run[row] = lines[row] ? left_in_run[row] - size : 0;
                if (lines[row])
                    lines[row] += size;
            }
        }
    }
    if (way.past_caches)
        blit_past_caches_end();
}
