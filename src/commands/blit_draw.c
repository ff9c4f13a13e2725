/*
 * Draws blits. Copies and fills whose result is the source or one colour go in whole runs of host memory, all
 * others row by row through buffers. A row is read before it is written, in pieces that keep what overlapping
 * surfaces make of each other pixel by pixel.
 */
#include "commands/blit.h"

#include <wchar.h>

enum {
    SLICE_BYTES = 4 << 20,  /* drawn before the engine looks at its budget */
    BYTES_A_BUDGET_DW = 32, /* what drawing costs */
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
    if (bytes == 1) {
        memset(to, (int)color, size);
        return;
    }
    const uint32_t both = bytes == 2 ? (color & 0xffffu) | color << 16 : color;
    wmemset((wchar_t *)(void *)to, (wchar_t)both, size / 4u);
    if (size % 4u)
        memcpy(to + (size & ~3u), &both, size % 4u);
}

static void fill_row(struct engine *e, const struct blit *b, int32_t y, uint32_t color)
{
    const int32_t end = b->x2 * b->bytes;
    for (int32_t x = b->x1 * b->bytes; x < end;) {
        const uint64_t address = address_of(&b->to, x, y);
        const uint32_t n = run_of(&b->to, x, address, (uint32_t)(end - x));
        const uint64_t faults = e->faults;
        uint8_t *to = mmu_host(&e->mmu, SPACE_PPGTT, address, true);
        if (to) {
            fill_run(to, color, b->bytes, n);
        } else if (e->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            fill_run(buffer, color, b->bytes, n);
            mmu_store(&e->mmu, SPACE_PPGTT, address, buffer, n);
        }
        if (e->faults != faults)
            return;
        x += (int32_t)n;
    }
}

/* Copies bytes x .. end of a row of the destination; `shift` from there is the source. */
static void copy_runs(struct engine *e, const struct blit *b, int32_t x, int32_t end, int32_t y,
                      int32_t shift, int32_t from_y)
{
    while (x < end) {
        const uint64_t address = address_of(&b->to, x, y), source = address_of(&b->from, x + shift, from_y);
        uint32_t n = run_of(&b->to, x, address, (uint32_t)(end - x));
        n = run_of(&b->from, x + shift, source, n);
        const uint64_t faults = e->faults;
        const uint8_t *from = mmu_host(&e->mmu, SPACE_PPGTT, source, false);
        uint8_t *to = e->faults == faults ? mmu_host(&e->mmu, SPACE_PPGTT, address, true) : NULL;
        if (from && to) {
            if (n == 16)
                memcpy(to, from, 16);
            else
                memcpy(to, from, n);
        } else if (e->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            mmu_load(&e->mmu, SPACE_PPGTT, source, buffer, n);
            if (e->faults == faults)
                mmu_store(&e->mmu, SPACE_PPGTT, address, buffer, n);
        }
        if (e->faults != faults)
            return;
        x += (int32_t)n;
    }
}

static void copy_row(struct engine *e, const struct blit *b, int32_t y)
{
    copy_runs(e, b, b->x1 * b->bytes, b->x2 * b->bytes, y, (b->from_x - b->x1) * b->bytes,
              y - b->y1 + b->from_y);
}

/*
 * Rows y .. y_end between a linear surface and one in tiles of one page whose runs are 16 bytes: tile by
 * tile, so that each page is looked up once.
 */
static void copy_tiles(struct engine *e, const struct blit *b, int32_t y, int32_t y_end)
{
    const bool into = b->to.tiles != NULL;
    const struct blit_surface *tiled = into ? &b->to : &b->from, *linear = into ? &b->from : &b->to;
    const struct tile_layout *t = tiled->tiles;
    const int32_t width = 1 << t->width_shift, height = 1 << t->height_shift;
    /* All in the tiled surface's coordinates; the linear one is `right` bytes and `down` rows further. */
    const int32_t down_to = into ? 0 : b->from_y - b->y1, shift = (b->from_x - b->x1) * b->bytes;
    const int32_t right = into ? shift : -shift, down = into ? b->from_y - b->y1 : -down_to;
    const int32_t x_begin = b->x1 * b->bytes + (into ? 0 : shift),
                  x_end = b->x2 * b->bytes + (into ? 0 : shift);
    const int32_t top = y + down_to, bottom = y_end + down_to;
    const uint64_t faults = e->faults;
    for (int32_t tile_y = top & -height; tile_y < bottom; tile_y += height)
        for (int32_t tile_x = x_begin & -width; tile_x < x_end; tile_x += width) {
            const int32_t x1 = tile_x > x_begin ? tile_x : x_begin,
                          x2 = tile_x + width < x_end ? tile_x + width : x_end;
            const int32_t y1 = tile_y > top ? tile_y : top,
                          y2 = tile_y + height < bottom ? tile_y + height : bottom;
            uint8_t *page = mmu_host(&e->mmu, SPACE_PPGTT, address_of(tiled, tile_x, tile_y), into);
            for (int32_t row = y1; row < y2 && e->faults == faults; row++) {
                const uint64_t address = address_of(linear, x1 + right, row + down);
                const bool together = address % PAGE_BYTES + (uint32_t)(x2 - x1) <= PAGE_BYTES;
                uint8_t *line = page && together ? mmu_host(&e->mmu, SPACE_PPGTT, address, !into) : NULL;
                if (e->faults != faults)
                    return;
                if (!line) {
                    copy_runs(e, b, x1 + (into ? 0 : -shift), x2 + (into ? 0 : -shift), row - down_to, shift,
                              row - down_to + b->from_y - b->y1);
                    continue;
                }
                for (int32_t x = x1; x < x2;) {
                    const uint32_t in_x = (uint32_t)(x - tile_x);
                    uint8_t *cell = page + tile_inner(t, tiled->swizzled, in_x, (uint32_t)(row - tile_y));
                    uint8_t *at = line + (x - x1);
                    if (in_x % 16u == 0 && x2 - x >= 16) {
                        memcpy(into ? cell : at, into ? at : cell, 16);
                        x += 16;
                    } else {
                        uint32_t n = 16u - in_x % 16u;
                        if ((int32_t)n > x2 - x)
                            n = (uint32_t)(x2 - x);
                        memcpy(into ? cell : at, into ? at : cell, n);
                        x += (int32_t)n;
                    }
                }
            }
            if (e->faults != faults)
                return;
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
    uint32_t most = CHUNK_BYTES / b->bytes;
    if (b->source != OPERAND_COLOR)
        return most;
    const int32_t from_y = y - b->y1 + b->from_y;
    const uint32_t width = (uint32_t)(b->x2 - b->x1) * b->bytes;
    if (b->to.tiles || b->from.tiles)
        return b->to.base == b->from.base && from_y == y && b->from_x != b->x1 &&
                       b->right_to_left != (b->from_x < b->x1)
                   ? 1
                   : most;
    int64_t ahead = (int64_t)(address_of(&b->to, b->x1 * b->bytes, y) -
                              address_of(&b->from, b->from_x * b->bytes, from_y));
    if (b->right_to_left)
        ahead = -ahead;
    if (ahead <= 0 || ahead >= (int64_t)width)
        return most;
    const uint32_t pixels = (uint32_t)ahead / b->bytes;
    return pixels < 1 ? 1 : pixels < most ? pixels : most;
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
        x1 <<= s->tiles->height_shift;
        x2 = (x2 | ((1 << s->tiles->width_shift) - 1)) + 1;
        x2 <<= s->tiles->height_shift;
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

enum way { FILL, COPY_RUNS, COPY_TILES, ANY };

static enum way way_of(const struct engine *e, const struct blit *b, bool masks, uint32_t *color)
{
    enum { BLACK = 0x00, WHITE = 0xff, COPY_PATTERN = 0xf0, COPY_SOURCE = 0xcc };
    if (masks || tracing(e->witness, SOFTGT_TRACE_MEMORY))
        return ANY;
    if (b->rop == BLACK || b->rop == WHITE || (b->rop == COPY_PATTERN && b->pattern == OPERAND_SOLID)) {
        *color = b->rop == BLACK ? 0 : b->rop == WHITE ? UINT32_MAX : b->pattern_colors[1];
        return FILL;
    }
    if (b->rop != COPY_SOURCE || b->source != OPERAND_COLOR || !apart(b))
        return ANY;
    const struct tile_layout *t = b->to.tiles ? b->to.tiles : b->from.tiles;
    const bool one_linear = !b->to.tiles != !b->from.tiles;
    return one_linear && t->run_shift == 4 && tile_bytes(t) == PAGE_BYTES ? COPY_TILES : COPY_RUNS;
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
    } else if (way == COPY_TILES) {
        copy_tiles(e, b, b->y1 + (int32_t)begin, b->y1 + (int32_t)end);
    } else {
        for (uint32_t row = begin; row < end && e->faults == faults; row++)
            if (way == FILL)
                fill_row(e, b, b->y1 + (int32_t)row, color);
            else
                copy_row(e, b, b->y1 + (int32_t)row);
    }
    e->work_dw = (end - begin) * width / BYTES_A_BUDGET_DW;
    e->blit_row = end < rows && e->faults == faults ? end : 0;
    if (way != ANY) { /* the others count as they go */
        e->stores += end - begin;
        e->bytes_stored += (uint64_t)(end - begin) * width;
    }
    return e->blit_row ? AGAIN : DONE;
}
