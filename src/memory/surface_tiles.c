/*
 * Fills and copies of tiled surfaces, one 4 KB page after the other. The layout within a page is that of the
 * tiling, or of Yf if the tile is larger than a page. Each page is looked up once.
 */
#include "memory/surface_runs.h"
#include "base/inline.h"

enum { PAGE_CELLS = 64, PAGE_ROWS = 64, GROUP = LINE_BYTES / CELL_BYTES };

/*
 * The pages of a surface. A cell is what lies together: where it is in its page is the exclusive or of its
 * column's part and its row's, swizzled or not.
 */
struct pages {
    const struct surface *surface;
    int32_t width, height; /* bytes and rows */
    uint32_t cell;         /* bytes */
    bool lines;            /* four rows of cells are a cache line */
    uint32_t ahead;        /* of a line that is read: where it will be read soon */
    uint16_t column[PAGE_CELLS], row[PAGE_ROWS];
};

static void pages_begin(struct pages *p, const struct surface *s)
{
    const struct tile_layout *l = s->tiles;
    p->surface = s;
    p->width = 1 << __builtin_popcount(l->x_bits & (PAGE_BYTES - 1));
    p->height = 1 << __builtin_popcount(l->y_bits & (PAGE_BYTES - 1));
    p->cell = tile_run(l, s->swizzled, 0);
    p->lines = p->cell == CELL_BYTES;
    p->ahead = 0;
    for (int32_t i = 0; i < p->width / (int32_t)p->cell; i++)
        p->column[i] = (uint16_t)tile_inner(l, s->swizzled, (uint32_t)i * p->cell, 0);
    for (int32_t i = 0; i < p->height; i++)
        p->row[i] = (uint16_t)tile_inner(l, s->swizzled, 0, (uint32_t)i);
}

static inline int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* The part of a page at left, top that is in the rectangle, from the page's start. */
static inline struct rectangle part(const struct pages *p, const struct rectangle *r, int32_t left,
                                    int32_t top)
{
    return (struct rectangle){.x1 = most(left, r->x1) - left,
                              .y1 = most(top, r->y1) - top,
                              .x2 = least(left + p->width, r->x2) - left,
                              .y2 = least(top + p->height, r->y2) - top};
}

static inline bool whole(const struct pages *p, const struct rectangle *in)
{
    return in->x2 - in->x1 == p->width && in->y2 - in->y1 == p->height;
}

/* ---- Fills ---- */

static void fill_part(const struct pages *p, uint8_t *page, const struct rectangle *in, uint32_t color,
                      uint32_t bytes)
{
    const int32_t cell = (int32_t)p->cell;
    for (int32_t row = in->y1; row < in->y2; row++)
        for (int32_t x = in->x1, n; x < in->x2; x += n) {
            const int32_t in_cell = x & (cell - 1);
            n = least(cell - in_cell, in->x2 - x);
            fill_pixels(page + ((uint32_t)(p->column[x / cell] ^ p->row[row]) + (uint32_t)in_cell), color,
                        bytes, (uint32_t)n);
        }
}

void tiles_fill(struct mmu *u, const struct surface *s, const struct rectangle *r, uint32_t color,
                uint32_t bytes)
{
    struct pages p;
    pages_begin(&p, s);
    const bool one_page = tile_bytes(s->tiles) == PAGE_BYTES;
    const uint64_t faults = u->faults;
    for (int32_t top = r->y1 & -p.height; top < r->y2; top += p.height)
        for (int32_t left = r->x1 & -p.width, pages; left < r->x2; left += pages * p.width) {
            const uint64_t address = surface_address(s, left, top);
            const struct rectangle in = part(&p, r, left, top);
            pages = 1;
            if (whole(&p, &in)) { /* those of a tiling of one page follow each other */
                const uint32_t follow = one_page ? (uint32_t)((r->x2 - left) / p.width) : 1u;
                uint32_t size;
                uint8_t *run = host_run(u, s->space, address, true, follow * PAGE_BYTES, &size);
                if (run) {
                    fill_pixels(run, color, bytes, size);
                    pages = (int32_t)(size / PAGE_BYTES);
                }
                if (u->faults != faults)
                    return;
                if (run)
                    continue;
            }
            uint8_t bounce[PAGE_BYTES], *page = mmu_host(u, s->space, address, true);
            if (!page && u->faults == faults)
                mmu_load(u, s->space, address, bounce, PAGE_BYTES);
            if (u->faults != faults)
                return;
            fill_part(&p, page ? page : bounce, &in, color, bytes);
            if (!page)
                mmu_store(u, s->space, address, bounce, PAGE_BYTES);
        }
}

/* ---- Copies between a page and lines of memory ---- */

/* Bytes x1 .. x2 of a row. */
static INLINE void copy_cells(const struct pages *p, uint8_t *page, int32_t row, int32_t x1, int32_t x2,
                              uint8_t *line, bool into, bool past_caches, uint32_t cell)
{
    for (int32_t x = x1; x < x2;) {
        const uint32_t in_cell = (uint32_t)x & (cell - 1u);
        uint8_t *at = page + ((uint32_t)(p->column[(uint32_t)x / cell] ^ p->row[row]) + in_cell);
        const uint32_t n = (uint32_t)least((int32_t)(cell - in_cell), x2 - x);
        if (n == cell && cell == CELL_BYTES)
            cell_store(into ? at : line, into ? line : at, false);
        else if (n < cell)
            short_copy(into ? at : line, into ? line : at, n);
        else
            run_copy(into ? at : line, into ? line : at, n, past_caches);
        x += (int32_t)n;
        line += n;
    }
}

/* Copies four rows of a page, from cell `first` to `end`; the rows share cache lines. What is written may be
 * anything, as far as compilers know: pointers are kept in variables. */
static INLINE void copy_lines(const struct pages *p, uint8_t *page, int32_t row, uint32_t first, uint32_t end,
                              uint8_t *const *lines, bool into, bool past_caches)
{
    const uint16_t at_row = p->row[row];
    const uint32_t ahead = p->ahead;
    uint8_t *const l0 = lines[0], *const l1 = lines[1], *const l2 = lines[2], *const l3 = lines[3];
    uint32_t column = first, o = 0;
    for (; column + GROUP <= end; column += GROUP, o += LINE_BYTES) {
        const uint16_t *const columns = p->column + column;
        uint8_t *const a = page + (columns[0] ^ at_row), *const b = page + (columns[1] ^ at_row),
                       *const c = page + (columns[2] ^ at_row), *const d = page + (columns[3] ^ at_row);
        if (into) {
            prefetch(l0 + o + ahead), prefetch(l1 + o + ahead);
            prefetch(l2 + o + ahead), prefetch(l3 + o + ahead);
            line_store(a, l0 + o, l1 + o, l2 + o, l3 + o, past_caches);
            const uint32_t o1 = o + CELL_BYTES, o2 = o1 + CELL_BYTES, o3 = o2 + CELL_BYTES;
            line_store(b, l0 + o1, l1 + o1, l2 + o1, l3 + o1, past_caches);
            line_store(c, l0 + o2, l1 + o2, l2 + o2, l3 + o2, past_caches);
            line_store(d, l0 + o3, l1 + o3, l2 + o3, l3 + o3, past_caches);
        } else { /* the order of the writes: whole cache lines */
            enum { C1 = CELL_BYTES, C2 = 2 * CELL_BYTES, C3 = 3 * CELL_BYTES };
            prefetch(a + PAGE_BYTES), prefetch(b + PAGE_BYTES);
            prefetch(c + PAGE_BYTES), prefetch(d + PAGE_BYTES);
            line_store(l0 + o, a, b, c, d, past_caches);
            line_store(l1 + o, a + C1, b + C1, c + C1, d + C1, past_caches);
            line_store(l2 + o, a + C2, b + C2, c + C2, d + C2, past_caches);
            line_store(l3 + o, a + C3, b + C3, c + C3, d + C3, past_caches);
        }
    }
    for (; column < end; column++, o += CELL_BYTES)
        for (uint32_t i = 0; i < GROUP; i++) {
            uint8_t *at = page + (p->column[column] ^ at_row) + i * CELL_BYTES, *line = lines[i] + o;
            cell_store(into ? at : line, into ? line : at, false);
        }
}

static void copy_row(const struct pages *p, uint8_t *page, int32_t row, int32_t x1, int32_t x2, uint8_t *line,
                     bool into, bool past_caches)
{
    if (p->lines)
        copy_cells(p, page, row, x1, x2, line, into, past_caches, CELL_BYTES);
    else
        copy_cells(p, page, row, x1, x2, line, into, past_caches, p->cell);
}

/* Rows of whole cells, four rows at a time. */
static INLINE void copy_four_rows(const struct pages *p, uint8_t *page, const struct rectangle *in,
                                  uint8_t *const *lines, bool into, bool past_caches)
{
    const uint32_t first = (uint32_t)in->x1 / CELL_BYTES, end = (uint32_t)in->x2 / CELL_BYTES;
    for (int32_t row = in->y1; row < in->y2; row += GROUP)
        copy_lines(p, page, row, first, end, lines + row, into, past_caches);
}

/* False: the part has other rows, too; nothing is done. */
static bool copy_whole_cells(const struct pages *p, uint8_t *page, const struct rectangle *in,
                             uint8_t *const *lines, bool into, bool past_caches)
{
    uintptr_t bits = (uintptr_t)page;
    if (!p->lines || (in->x1 | in->x2) % CELL_BYTES != 0 || (in->y1 | in->y2) % GROUP != 0)
        return false;
    for (int32_t row = in->y1; row < in->y2 && !into; row++)
        bits |= (uintptr_t)lines[row];
    if (past_caches && bits % CELL_BYTES == 0)
        into ? copy_four_rows(p, page, in, lines, true, true)
             : copy_four_rows(p, page, in, lines, false, true);
    else
        into ? copy_four_rows(p, page, in, lines, true, false)
             : copy_four_rows(p, page, in, lines, false, false);
    return true;
}

/* lines[row] is what byte in->x1 of that row is copied from, or to. */
static void copy_part(const struct pages *p, uint8_t *page, const struct rectangle *in, uint8_t *const *lines,
                      bool into, bool past_caches)
{
    const int32_t x1 = (in->x1 + CELL_BYTES - 1) & -CELL_BYTES, x2 = in->x2 & -CELL_BYTES;
    const uint32_t first = (uint32_t)x1 / CELL_BYTES, end = (uint32_t)x2 / CELL_BYTES;
    const bool by_lines = p->lines && x1 < x2;
    if (copy_whole_cells(p, page, in, lines, into, past_caches))
        return;
    for (int32_t row = in->y1; row < in->y2;) {
        if (!by_lines || row % GROUP != 0 || row + GROUP > in->y2) {
            copy_row(p, page, row, in->x1, in->x2, lines[row], into, past_caches);
            row++;
            continue;
        }
        uint8_t *four[GROUP];
        bool past = past_caches && cell_aligned(page);
        for (int32_t i = 0; i < GROUP; i++) {
            four[i] = lines[row + i] + (x1 - in->x1);
            past = past && (into || cell_aligned(four[i]));
        }
        if (past)
            into ? copy_lines(p, page, row, first, end, four, true, true)
                 : copy_lines(p, page, row, first, end, four, false, true);
        else
            into ? copy_lines(p, page, row, first, end, four, true, false)
                 : copy_lines(p, page, row, first, end, four, false, false);
        for (int32_t i = 0; i < GROUP; i++) {
            if (in->x1 < x1)
                copy_row(p, page, row + i, in->x1, x1, lines[row + i], into, false);
            if (x2 < in->x2)
                copy_row(p, page, row + i, x2, in->x2, four[i] + (x2 - x1), into, false);
        }
        row += GROUP;
    }
}

/* ---- Between pages and a surface in lines ---- */

/* In an X tile a line continues in the next page. */
static uint32_t ahead_of(const struct surface *s, int32_t x)
{
    enum { AHEAD = 256, X_WIDTH = 512 };
    return s->tiles && (x & (X_WIDTH - 1)) + AHEAD >= X_WIDTH ? AHEAD + PAGE_BYTES - X_WIDTH : AHEAD;
}

/* Rows of the other surface, from one page to the next. */
struct rows {
    const struct surface *other;
    int32_t right, down;            /* to the other surface's coordinates */
    uint8_t *lines[PAGE_ROWS];      /* in the host; NULL: to be found */
    uint32_t left_bytes[PAGE_ROWS]; /* of the run that begins there */
    uint32_t all_left_bytes;        /* of the shortest run; 0: some are to be found */
};

/* In an X tile rows follow each other. */
static bool follows_in_tile(const struct rows *r, int32_t row, int32_t y)
{
    enum { X_ROWS = 8 };
    return r->other->tiles && y % X_ROWS != 0 && row > 0 && r->lines[row - 1] &&
           r->other->base % PAGE_BYTES == 0;
}

/* Finds row `row` of a page, byte x and row y of the other surface. */
static void find_row(struct mmu *u, struct rows *r, bool into, int32_t row, int32_t x, int32_t y,
                     uint32_t size)
{
    enum { X_WIDTH = 512 };
    if (row > 0 && r->left_bytes[row - 1] >= size && follows_in_tile(r, row, y)) {
        r->left_bytes[row] = r->left_bytes[row - 1];
        r->lines[row] = r->lines[row - 1] + X_WIDTH;
        return;
    }
    const uint64_t address = surface_address(r->other, x, y);
    r->left_bytes[row] = surface_run(r->other, x, address, UINT32_MAX);
    r->lines[row] = r->left_bytes[row] < size ? NULL : mmu_host(u, r->other->space, address, !into);
}

/* Copies a part of a page, row by row where that is needed. */
static void copy_page(struct mmu *u, const struct surface_copy *c, const struct pages *p, struct rows *r,
                      bool into, uint8_t *page, const struct rectangle *in, int32_t left, int32_t top)
{
    const uint32_t size = (uint32_t)(in->x2 - in->x1);
    const uint64_t faults = u->faults;
    const int32_t x = left + in->x1;
    struct rectangle ready = *in; /* rows with known runs on both sides */
    for (int32_t row = in->y1; row < in->y2 && u->faults == faults; row++) {
        if (r->left_bytes[row] < size)
            find_row(u, r, into, row, x + r->right, top + row + r->down, size);
        if (page && r->lines[row] && u->faults == faults)
            continue;
        ready.y2 = row;
        if (page)
            copy_part(p, page, &ready, r->lines, into, c->bypasses_cache);
        if (u->faults == faults)
            copy_runs(u, c, x + (into ? 0 : r->right), top + row + (into ? 0 : r->down), size);
        r->lines[row] = NULL;
        ready.y1 = row + 1;
    }
    ready.y2 = in->y2;
    if (u->faults == faults && page)
        copy_part(p, page, &ready, r->lines, into, c->bypasses_cache);
}

/* Moves all rows past a page. */
static void advance_rows(struct rows *r, const struct rectangle *in)
{
    const uint32_t size = (uint32_t)(in->x2 - in->x1);
    r->all_left_bytes = UINT32_MAX;
    for (int32_t row = in->y1; row < in->y2; row++) {
        r->left_bytes[row] = r->lines[row] ? r->left_bytes[row] - size : 0;
        if (r->lines[row])
            r->lines[row] += size;
        if (r->left_bytes[row] < r->all_left_bytes)
            r->all_left_bytes = r->left_bytes[row];
    }
}

/* Rectangle `r` in the tiled surface's coordinates; those of the other are `right` and `down` further. */
static void copy_with_lines(struct mmu *u, const struct surface_copy *c, struct pages *p, bool into,
                            const struct rectangle *r, int32_t right, int32_t down)
{
    const uint64_t faults = u->faults;
    for (int32_t top = r->y1 & -p->height; top < r->y2 && u->faults == faults; top += p->height) {
        struct rows rows = {.other = into ? &c->from : &c->to, .right = right, .down = down};
        for (int32_t left = r->x1 & -p->width; left < r->x2 && u->faults == faults; left += p->width) {
            const struct rectangle in = part(p, r, left, top);
            uint8_t *page = mmu_host(u, p->surface->space, surface_address(p->surface, left, top), into);
            p->ahead = ahead_of(rows.other, left + in.x1 + right);
            if (page && rows.all_left_bytes >= (uint32_t)(in.x2 - in.x1))
                copy_part(p, page, &in, rows.lines, into, c->bypasses_cache);
            else
                copy_page(u, c, p, &rows, into, page, &in, left, top);
            advance_rows(&rows, &in);
        }
    }
}

/* ---- Between pages and pages ---- */

/* A rectangle of a tiled surface, a row every `stride` bytes. False after a fault. */
static bool gather(struct mmu *u, const struct pages *p, const struct rectangle *r, uint8_t *to,
                   uint32_t stride)
{
    const uint64_t faults = u->faults;
    for (int32_t top = r->y1 & -p->height; top < r->y2; top += p->height)
        for (int32_t left = r->x1 & -p->width; left < r->x2; left += p->width) {
            const struct rectangle in = part(p, r, left, top);
            const uint64_t address = surface_address(p->surface, left, top);
            uint8_t bounce[PAGE_BYTES], *page = mmu_host(u, p->surface->space, address, false),
                                        *lines[PAGE_ROWS];
            if (!page && u->faults == faults)
                mmu_load(u, p->surface->space, address, page = bounce, PAGE_BYTES);
            if (u->faults != faults)
                return false;
            for (int32_t row = in.y1; row < in.y2; row++)
                lines[row] = to + (uint32_t)(top + row - r->y1) * stride + (uint32_t)(left + in.x1 - r->x1);
            copy_part(p, page, &in, lines, false, false);
        }
    return true;
}

/* Both have the same layout, and their pages meet. */
static bool same_pages(const struct surface_copy *c, const struct pages *to, const struct pages *from)
{
    return c->to.tiles == c->from.tiles && c->to.swizzled == c->from.swizzled &&
           c->offset_x % from->width == 0 && c->offset_y % from->height == 0 && to->width == from->width;
}

static void copy_between(struct mmu *u, const struct surface_copy *c, const struct pages *to,
                         const struct rectangle *r)
{
    struct pages from;
    pages_begin(&from, &c->from);
    const bool meet = same_pages(c, to, &from);
    const uint64_t faults = u->faults;
    for (int32_t top = r->y1 & -to->height; top < r->y2; top += to->height)
        for (int32_t left = r->x1 & -to->width; left < r->x2; left += to->width) {
            const struct rectangle in = part(to, r, left, top);
            const uint64_t address = surface_address(&c->to, left, top);
            uint8_t *page = mmu_host(u, c->to.space, address, true);
            if (u->faults != faults)
                return;
            if (page && meet && whole(to, &in)) {
                const uint8_t *source =
                    mmu_host(u, c->from.space,
                             surface_address(&c->from, left + c->offset_x, top + c->offset_y), false);
                if (u->faults != faults)
                    return;
                if (source) {
                    run_copy(page, source, PAGE_BYTES, c->bypasses_cache);
                    continue;
                }
            }
            uint8_t staged[PAGE_BYTES] __attribute__((aligned(LINE_BYTES))), *lines[PAGE_ROWS];
            const uint32_t stride = (uint32_t)to->width;
            const struct rectangle source = {.x1 = left + in.x1 + c->offset_x,
                                             .y1 = top + in.y1 + c->offset_y,
                                             .x2 = left + in.x2 + c->offset_x,
                                             .y2 = top + in.y2 + c->offset_y};
            if (!gather(u, &from, &source, staged, stride))
                return;
            for (int32_t row = in.y1; row < in.y2; row++) {
                lines[row] = staged + (uint32_t)(row - in.y1) * stride;
                if (!page)
                    surface_store(u, &c->to, left + in.x1, top + row, lines[row], (uint32_t)(in.x2 - in.x1));
            }
            if (page)
                copy_part(to, page, &in, lines, true, c->bypasses_cache);
            if (u->faults != faults)
                return;
        }
}

void tiles_copy(struct mmu *u, const struct surface_copy *c, const struct rectangle *r)
{
    const struct rectangle source = {.x1 = r->x1 + c->offset_x,
                                     .y1 = r->y1 + c->offset_y,
                                     .x2 = r->x2 + c->offset_x,
                                     .y2 = r->y2 + c->offset_y};
    struct pages p;
    if (c->to.tiles && surface_has_long_rows(&c->from)) {
        pages_begin(&p, &c->to);
        copy_with_lines(u, c, &p, true, r, c->offset_x, c->offset_y);
    } else if (surface_has_long_rows(&c->to)) {
        pages_begin(&p, &c->from);
        copy_with_lines(u, c, &p, false, &source, -c->offset_x, -c->offset_y);
    } else {
        pages_begin(&p, &c->to);
        copy_between(u, c, &p, r);
    }
}
