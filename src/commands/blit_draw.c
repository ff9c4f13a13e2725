/*
 * Draws blits. Copies and fills whose result is the source or one colour go in whole runs of host memory, all
 * others row by row through buffers. A row is read before it is written, in pieces that keep what overlapping
 * surfaces make of each other pixel by pixel.
 */
#include "commands/blit.h"

#include <wchar.h>

enum {
    SLICE_BYTES = 4 << 20,  /* drawn before the engine looks at its budget */
    BYTES_A_BUDGET_DW = 256, /* what drawing costs */
    CHUNK_BYTES = 2048,
    PATTERN_PIXELS = 8,
};

static inline uint64_t address_of(const struct blit_surface *s, int32_t x, int32_t y)
{
    if (!s->tiles)
        return s->base + (uint64_t)((int64_t)y * s->pitch_bytes + x);
    return s->base + (uint64_t)tile_offset(s->tiles, s->swizzled, s->pitch_bytes, x, y);
}

/* Bytes that lie together and on one page, at most `left`. */
static inline uint32_t run_of(const struct blit_surface *s, int32_t x, uint64_t address, uint32_t left)
{
    uint32_t run = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
    if (s->tiles) {
        const uint32_t in_tile = tile_run(s->tiles, s->swizzled, (uint32_t)x);
        run = run < in_tile ? run : in_tile;
    }
    return run < left ? run : left;
}

static void load_span(struct engine *e, const struct blit_surface *s, int32_t x, int32_t y, uint8_t *to,
                      uint32_t size)
{
    for (uint32_t at = 0, n; at < size; at += n) {
        const uint64_t address = address_of(s, x + (int32_t)at, y);
        n = run_of(s, x + (int32_t)at, address, size - at);
        mmu_load(&e->mmu, SPACE_PPGTT, address, to + at, n);
    }
}

static void store_span(struct engine *e, const struct blit_surface *s, int32_t x, int32_t y,
                       const uint8_t *from, uint32_t size)
{
    for (uint32_t at = 0, n; at < size; at += n) {
        const uint64_t address = address_of(s, x + (int32_t)at, y);
        n = run_of(s, x + (int32_t)at, address, size - at);
        store(e, SPACE_PPGTT, address, from + at, n);
    }
}

/* ---- Whole runs ---- */

static void fill_run(uint8_t *to, uint32_t color, uint32_t bytes, uint32_t size)
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
        const uint64_t address = address_of(&b->to, x, y) + at;
        uint8_t *to = host_run(e, address, true, size - at, &n);
        if (to) {
            fill_run(to, color, b->bytes, n);
        } else if (e->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            fill_run(buffer, color, b->bytes, n);
            mmu_store(&e->mmu, SPACE_PPGTT, address, buffer, n);
        }
    }
}

static void copy_linear(struct engine *e, const struct blit *b, int32_t x, int32_t y, uint32_t size)
{
    const uint64_t faults = e->faults;
    const int32_t from_x = x + (b->from_x - b->x1) * b->bytes, from_y = y - b->y1 + b->from_y;
    for (uint32_t at = 0, n; at < size && e->faults == faults; at += n) {
        const uint64_t address = address_of(&b->to, x, y) + at,
                       source = address_of(&b->from, from_x, from_y) + at;
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
        const uint64_t address = address_of(&b->to, x, y), source = address_of(&b->from, x + shift, from_y);
        n = run_of(&b->from, x + shift, source, run_of(&b->to, x, address, size - at));
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
            const uint64_t address = address_of(&b->to, left, top);
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
                fill_run(to, color, b->bytes, PAGE_BYTES);
            } else {
                for (int32_t row = y1; row < y2; row++)
                    for (int32_t x = x1, n; x < x2; x += n) {
                        const int32_t in_cell = x & ((int32_t)t.cell - 1);
                        n = least((int32_t)t.cell - in_cell, x2 - x);
                        fill_run(
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
            uint8_t *page = mmu_host(&e->mmu, SPACE_PPGTT, address_of(t.surface, left, top), into);
            for (int32_t row = y1; row < y2; row++) {
                if (e->faults != faults)
                    return;
                if (left_on_page[row] < size) {
                    const uint64_t address = address_of(linear, left + x1 + right, top + row + down);
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

/* ---- Row by row, any operation ---- */

/* Pixels of a row, as they lie in memory. */
union span {
    uint8_t bytes[CHUNK_BYTES];
    uint16_t halves[CHUNK_BYTES / 2];
    uint32_t words[CHUNK_BYTES / 4];
    uint64_t longs[CHUNK_BYTES / 8];
};

static inline uint32_t pixel(const union span *s, uint32_t bytes, uint32_t i)
{
    return bytes == 1 ? s->bytes[i] : bytes == 2 ? s->halves[i] : s->words[i];
}

static inline void set_pixel(union span *s, uint32_t bytes, uint32_t i, uint32_t value)
{
    if (bytes == 1)
        s->bytes[i] = (uint8_t)value;
    else if (bytes == 2)
        s->halves[i] = (uint16_t)value;
    else
        s->words[i] = value;
}

/* What a row's pieces are made of. */
struct row {
    const struct blit *b;
    bool uses_source, uses_pattern, uses_destination, masks;
    uint8_t pattern[PATTERN_PIXELS * PATTERN_PIXELS * 4]; /* a colour pattern */
    union span source, with, out, before;
    uint8_t bits[CHUNK_BYTES / 8 + 8]; /* of a monochrome source */
};

static inline bool pattern_bit(const struct blit *b, int32_t x, int32_t y)
{
    return b->pattern_bits[(y + b->seed_y) & 7] >> (7 - ((x + b->seed_x) & 7)) & 1;
}

static void make_pattern(struct row *r, int32_t x, int32_t y, uint32_t count)
{
    const struct blit *b = r->b;
    const uint32_t bytes = b->bytes;
    if (b->pattern == OPERAND_SOLID) {
        fill_run(r->with.bytes, b->pattern_colors[1], bytes, count * bytes);
        return;
    }
    for (uint32_t i = 0; i < PATTERN_PIXELS && i < count; i++) {
        const int32_t at = x + (int32_t)i;
        if (b->pattern == OPERAND_MONO)
            set_pixel(&r->with, bytes, i, b->pattern_colors[pattern_bit(b, at, y)]);
        else
            memcpy(r->with.bytes + i * bytes,
                   r->pattern +
                       (((y + b->seed_y) & 7) * PATTERN_PIXELS + ((at + b->seed_x) & 7)) * (int32_t)bytes,
                   bytes);
    }
    const uint32_t size = count * bytes, period = PATTERN_PIXELS * bytes;
    for (uint32_t done = period; done < size; done += done < size - done ? done : size - done)
        memcpy(r->with.bytes + done, r->with.bytes, done < size - done ? done : size - done);
}

static inline bool source_bit(const struct row *r, uint32_t first, uint32_t i)
{
    return r->bits[(first + i) / 8u] >> (7u - (first + i) % 8u) & 1u;
}

static void make_source(struct engine *e, struct row *r, int32_t x, int32_t y, uint32_t count,
                        uint32_t *first_bit)
{
    const struct blit *b = r->b;
    const int32_t column = x - b->x1, line = y - b->y1;
    if (b->source == OPERAND_COLOR) {
        load_span(e, &b->from, (b->from_x + column) * b->bytes, b->from_y + line, r->source.bytes,
                  count * b->bytes);
        return;
    }
    const uint64_t at = (uint64_t)(uint32_t)line * b->mono_stride + b->mono_first + (uint32_t)column;
    const uint32_t size = (uint32_t)(at % 8u + count + 7u) / 8u;
    *first_bit = (uint32_t)(at % 8u);
    if (b->immediate_source) {
        const uint64_t there = (uint64_t)b->immediate_dw * 4u, begin = at / 8u;
        memset(r->bits, 0, size);
        if (begin < there)
            memcpy(r->bits, (const uint8_t *)b->immediate_source + begin,
                   there - begin < size ? there - begin : size);
    } else {
        mmu_load(&e->mmu, SPACE_PPGTT, b->mono_address + at / 8u, r->bits, size);
    }
    for (uint32_t i = 0; i < count; i++)
        set_pixel(&r->source, b->bytes, i, b->source_colors[source_bit(r, *first_bit, i)]);
}

/* The raster operation, on whole words: which of the eight cases of pattern, source and destination give 1.
 */
static void operate(struct row *r, uint32_t size)
{
    uint64_t set[8];
    for (unsigned i = 0; i < 8; i++)
        set[i] = r->b->rop >> i & 1u ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < (size + 7u) / 8u; i++) {
        const uint64_t p = r->with.longs[i], s = r->source.longs[i], d = r->before.longs[i];
        const uint64_t both = (d & set[7]) | (~d & set[6]), only_p = (d & set[5]) | (~d & set[4]);
        const uint64_t only_s = (d & set[3]) | (~d & set[2]), none = (d & set[1]) | (~d & set[0]);
        r->out.longs[i] = (p & ((s & both) | (~s & only_p))) | (~p & ((s & only_s) | (~s & none)));
    }
}

/* The components of a pixel, alpha first (0: none). */
static const uint32_t components[4][4] = {{0, 0xff, 0, 0},
                                          {0, 0xf800, 0x07e0, 0x001f},
                                          {0x8000, 0x7c00, 0x03e0, 0x001f},
                                          {0xff000000, 0x00ff0000, 0x0000ff00, 0x000000ff}};

static bool in_range(const struct blit *b, uint32_t value, bool alpha)
{
    for (unsigned i = alpha ? 0 : 1; i < 4; i++) {
        const uint32_t mask = components[b->depth & 3u][i];
        if ((value & mask) < (b->low & mask) || (value & mask) > (b->high & mask))
            return false;
    }
    return true;
}

static bool written(const struct row *r, int32_t x, int32_t y, uint32_t i, uint32_t first_bit)
{
    const struct blit *b = r->b;
    if (b->source_transparent && !source_bit(r, first_bit, i))
        return false;
    if (b->pattern_transparent && b->pattern == OPERAND_MONO && !pattern_bit(b, x + (int32_t)i, y))
        return false;
    switch (b->range) {
    case RANGE_SOURCE:
    case RANGE_SOURCE_ALPHA:
        return b->source != OPERAND_COLOR ||
               !in_range(b, pixel(&r->source, b->bytes, i), b->range == RANGE_SOURCE_ALPHA);
    case RANGE_DESTINATION:
    case RANGE_DESTINATION_ALPHA:
        return in_range(b, pixel(&r->before, b->bytes, i), b->range == RANGE_DESTINATION_ALPHA);
    default:
        return true;
    }
}

/* `count` pixels from x on. */
static void draw_piece(struct engine *e, struct row *r, int32_t x, int32_t y, uint32_t count)
{
    const struct blit *b = r->b;
    const uint32_t size = count * b->bytes;
    const uint64_t faults = e->faults;
    uint32_t first_bit = 0;
    if (r->uses_source)
        make_source(e, r, x, y, count, &first_bit);
    if (r->uses_pattern)
        make_pattern(r, x, y, count);
    if (r->uses_destination)
        load_span(e, &b->to, x * b->bytes, y, r->before.bytes, size);
    if (e->faults != faults)
        return;
    operate(r, size);
    if (r->masks)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t before = pixel(&r->before, b->bytes, i);
            uint32_t after = before;
            if (written(r, x, y, i, first_bit))
                after = (pixel(&r->out, b->bytes, i) & b->write_mask) | (before & ~b->write_mask);
            set_pixel(&r->out, b->bytes, i, after);
        }
    store_span(e, &b->to, x * b->bytes, y, r->out.bytes, size);
}

/* Pixels that may be read before the first of them is written, so that it is as if one went after the other.
 */
static uint32_t piece_of(const struct blit *b, int32_t y)
{
    const uint32_t room = CHUNK_BYTES / b->bytes;
    if (b->source != OPERAND_COLOR)
        return room;
    const int32_t from_y = y - b->y1 + b->from_y;
    const uint32_t width = (uint32_t)(b->x2 - b->x1) * b->bytes;
    if (b->to.tiles || b->from.tiles)
        return b->to.base == b->from.base && from_y == y && b->from_x != b->x1 &&
                       b->right_to_left != (b->from_x < b->x1)
                   ? 1
                   : room;
    int64_t ahead = (int64_t)(address_of(&b->to, b->x1 * b->bytes, y) -
                              address_of(&b->from, b->from_x * b->bytes, from_y));
    if (b->right_to_left)
        ahead = -ahead;
    if (ahead <= 0 || ahead >= (int64_t)width)
        return room;
    const uint32_t pixels = (uint32_t)ahead / b->bytes;
    return pixels < 1 ? 1 : pixels < room ? pixels : room;
}

static void draw_row(struct engine *e, struct row *r, int32_t y)
{
    const struct blit *b = r->b;
    const uint32_t width = (uint32_t)(b->x2 - b->x1), piece = piece_of(b, y);
    const uint64_t faults = e->faults;
    for (uint32_t at = 0, n; at < width && e->faults == faults; at += n) {
        n = width - at < piece ? width - at : piece;
        draw_piece(e, r, b->right_to_left ? b->x2 - (int32_t)(at + n) : b->x1 + (int32_t)at, y, n);
    }
}

/* ---- */

static inline bool rop_uses_source(uint8_t rop)
{
    return ((rop >> 2 ^ rop) & 0x33) != 0;
}

static inline bool rop_uses_pattern(uint8_t rop)
{
    return ((rop >> 4 ^ rop) & 0x0f) != 0;
}

static inline bool rop_uses_destination(uint8_t rop)
{
    return ((rop >> 1 ^ rop) & 0x55) != 0;
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

enum way { FILL, FILL_TILES, COPY_LINES, COPY_RUNS, COPY_TILES, ANY };

static enum way way_of(const struct engine *e, const struct blit *b, bool masks, uint32_t *color)
{
    enum { BLACK = 0x00, WHITE = 0xff, COPY_PATTERN = 0xf0, COPY_SOURCE = 0xcc };
    if (masks || tracing(e->witness, SOFTGT_TRACE_MEMORY))
        return ANY;
    if (b->rop == BLACK || b->rop == WHITE || (b->rop == COPY_PATTERN && b->pattern == OPERAND_SOLID)) {
        *color = b->rop == BLACK ? 0 : b->rop == WHITE ? UINT32_MAX : b->pattern_colors[1];
        return !b->to.tiles ? FILL : one_page_tiles(&b->to) ? FILL_TILES : ANY;
    }
    if (b->rop != COPY_SOURCE || b->source != OPERAND_COLOR || !apart(b))
        return ANY;
    if (!b->to.tiles && !b->from.tiles)
        return COPY_LINES;
    return !b->to.tiles != !b->from.tiles && one_page_tiles(b->to.tiles ? &b->to : &b->from) ? COPY_TILES
                                                                                             : COPY_RUNS;
}

static void load_pattern(struct engine *e, struct row *r)
{
    const struct blit *b = r->b;
    const uint32_t size = PATTERN_PIXELS * PATTERN_PIXELS * (uint32_t)b->bytes;
    if (b->pattern != OPERAND_COLOR)
        return;
    if (b->immediate_pattern) {
        const uint64_t there = (uint64_t)b->immediate_dw * 4u;
        memcpy(r->pattern, b->immediate_pattern, there < size ? there : size);
    } else {
        mmu_load(&e->mmu, SPACE_PPGTT, b->pattern_address & ~UINT64_C(63), r->pattern, size);
    }
}

static inline void draw_runs(struct engine *e, const struct blit *b, enum way way, int32_t y, uint32_t size,
                             uint32_t color)
{
    const int32_t x = b->x1 * b->bytes;
    if (way == FILL)
        fill_linear(e, b, x, y, size, color);
    else if (way == COPY_LINES)
        copy_linear(e, b, x, y, size);
    else
        copy_runs(e, b, x, y, size);
}

static void trace_blit(const struct engine *e, const struct blit *b)
{
    _Static_assert((int)TILING_YS == (int)SOFTGT_TILE_YS, "the same kinds");
    const struct softgt_blit blit = {.tiling = (enum softgt_tiling)b->to.tiling,
                                     .pitch_bytes = b->to.pitch_bytes,
                                     .bytes_per_pixel = b->bytes,
                                     .depth = b->depth,
                                     .x1 = b->x1,
                                     .y1 = b->y1,
                                     .x2 = b->x2,
                                     .y2 = b->y2};
    trace_event(e->witness, (struct softgt_event){.what = SOFTGT_TRACE_BLITS,
                                                  .unit = e->info->name,
                                                  .name = b->name,
                                                  .address = b->to.base,
                                                  .blit = &blit});
}

enum outcome blit_draw(struct engine *e, const struct blit *b)
{
    const bool masks = b->write_mask != UINT32_MAX || b->source_transparent || b->range != RANGE_NONE ||
                       (b->pattern_transparent && b->pattern == OPERAND_MONO);
    uint32_t color = 0;
    if (b->x2 <= b->x1 || b->y2 <= b->y1)
        return DONE;
    const enum way way = way_of(e, b, masks, &color);
    const uint64_t faults = e->faults;
    const uint32_t rows = (uint32_t)(b->y2 - b->y1), width = (uint32_t)(b->x2 - b->x1) * b->bytes;
    const uint32_t at_once = SLICE_BYTES / width ? SLICE_BYTES / width : 1;
    const uint32_t begin = e->blit_row < rows ? e->blit_row : rows,
                   end = rows - begin > at_once ? begin + at_once : rows;
    if (way == ANY) {
        struct row r;
        memset(&r, 0, offsetof(struct row, source));
        r.b = b;
        r.uses_source =
            b->source != OPERAND_NONE && (rop_uses_source(b->rop) || b->source_transparent ||
                                          b->range == RANGE_SOURCE || b->range == RANGE_SOURCE_ALPHA);
        r.uses_pattern = b->pattern != OPERAND_NONE && rop_uses_pattern(b->rop);
        r.uses_destination = masks || rop_uses_destination(b->rop);
        r.masks = masks;
        const uint32_t longest = (width < CHUNK_BYTES ? width + 7u : CHUNK_BYTES) & ~7u;
        memset(&r.source, 0, longest);
        memset(&r.with, 0, longest);
        memset(&r.before, 0, longest);
        if (r.uses_pattern)
            load_pattern(e, &r);
        for (uint32_t row = begin; row < end && e->faults == faults; row++)
            draw_row(e, &r, b->bottom_up ? b->y2 - 1 - (int32_t)row : b->y1 + (int32_t)row);
    } else {
        const int32_t y = b->y1 + (int32_t)begin, y_end = b->y1 + (int32_t)end;
        const bool together =
            b->to.pitch_bytes == (int32_t)width && (way == FILL || b->from.pitch_bytes == (int32_t)width);
        if (way == FILL_TILES)
            fill_tiles(e, b, y, y_end, color);
        else if (way == COPY_TILES)
            copy_tiles(e, b, y, y_end);
        else if (way != COPY_RUNS && together)
            draw_runs(e, b, way, y, width * (end - begin), color);
        else
            for (int32_t row = y; row < y_end && e->faults == faults; row++)
                draw_runs(e, b, way, row, width, color);
    }
    e->work_dw = (end - begin) * width / BYTES_A_BUDGET_DW;
    e->blit_row = end < rows && e->faults == faults ? end : 0;
    if (way != ANY) { /* the others count as they go */
        e->stores += end - begin;
        e->bytes_stored += (uint64_t)(end - begin) * width;
    }
    if (e->display->fbc.present)
        fbc_drawn(e->display, b->to.base, b->y1, b->y2 - 1);
    if (!e->blit_row && tracing(e->witness, SOFTGT_TRACE_BLITS))
        trace_blit(e, b);
    return e->blit_row ? AGAIN : DONE;
}
