/*
 * Draws blits: in whole runs if the result is the source or one color, otherwise row by row. A blit is drawn
 * in parts, each of which takes about as long as the budget it uses.
 */
#include "blitter/blit.h"

/* ---- Execution and its cost ---- */

enum {
    PART_NS = 100000, /* drawn before the engine looks at its budget */
    PAST_CACHES_BYTES = 4 << 20,
};

enum { ROW_SHIFT = 32 };
#define IN_BAND (UINT64_C(1) << 63)

/* Each part of a blit reads the command again: the guest may have changed it since. */
static struct blit_progress begin(const struct execution *x, uint32_t rows, uint32_t columns)
{
    struct blit_progress p = {.row = (uint32_t)((x->progress & ~IN_BAND) >> ROW_SHIFT),
                              .column = (uint32_t)x->progress,
                              .in_band = x->progress & IN_BAND};
    if (p.column >= columns)
        p = (struct blit_progress){.row = p.row + 1};
    if (p.row > rows)
        p.row = rows;
    return p;
}

static enum outcome end(struct execution *x, const struct blit_progress *p, bool again)
{
    x->progress = again ? (uint64_t)p->row << ROW_SHIFT | p->column | (p->in_band ? IN_BAND : 0) : 0;
    return again ? OUTCOME_RESUME : OUTCOME_DONE;
}

/* ---- In runs ---- */

enum way { BY_ROWS, IN_FILLS, IN_COPIES };

static enum way way_of(const struct blit *b, const struct rectangle *all, struct surface_copy *c,
                       uint32_t *color)
{
    if (blit_masks(b))
        return BY_ROWS;
    if (b->rop == ROP_BLACK || b->rop == ROP_WHITE ||
        (b->rop == ROP_PATTERN && b->pattern.operand == OPERAND_SOLID && b->bytes <= 4)) {
        *color = b->rop == ROP_BLACK ? 0 : b->rop == ROP_WHITE ? UINT32_MAX : b->pattern.colors[0];
        return IN_FILLS;
    }
    if (b->rop != ROP_SOURCE || b->source.operand != OPERAND_COLOR)
        return BY_ROWS;
    *c = (struct surface_copy){.to = b->to,
                               .from = b->from,
                               .offset_x = (b->from_x - b->x1) * b->bytes,
                               .offset_y = b->from_y - b->y1,
                               .bypasses_cache =
                                   (int64_t)(all->x2 - all->x1) * (all->y2 - all->y1) >= PAST_CACHES_BYTES};
    return surfaces_are_disjoint(c, all) ? IN_COPIES : BY_ROWS;
}

/* A band of rows, of which a part is so many bytes wide. */
struct band {
    uint32_t rows, width_bytes;
    uint64_t row_ns;
};

/* Whole tiles fit into a part; of wide rows it has some columns. */
static struct band band_of(uint32_t width_bytes, unsigned tiled_surfaces)
{
    enum { ROW_NS = 30, BYTES_A_NS = 8, PAGE_NS = 60, TILE_ROWS = 64 };
    const uint32_t bytes_a_ns = BYTES_A_NS >> tiled_surfaces;
    const uint32_t fit_bytes =
        PART_NS / (tiled_surfaces ? TILE_ROWS : 1u) * bytes_a_ns & -(uint32_t)PAGE_BYTES;
    const uint32_t most_bytes = fit_bytes ? fit_bytes : PAGE_BYTES;
    const uint32_t bytes = width_bytes > most_bytes ? most_bytes : width_bytes;
    const uint64_t row_ns = ROW_NS + bytes / bytes_a_ns;
    const uint32_t rows = (uint32_t)(PART_NS / (row_ns + (2 + bytes / PAGE_BYTES) * PAGE_NS));
    return (struct band){.rows = tiled_surfaces ? (rows + TILE_ROWS) & -(uint32_t)TILE_ROWS : rows + 1u,
                         .width_bytes = bytes,
                         .row_ns = row_ns};
}

/* The first byte decides which memory the surface is in. */
static void count_part(struct engine *e, const struct blit *b, enum way way, const struct rectangle *to,
                       const struct rectangle *from)
{
    const uint64_t bytes = (uint64_t)(to->x2 - to->x1) * (uint64_t)(to->y2 - to->y1);
    engine_count_stored(e, b->to.space, surface_address(&b->to, to->x1, to->y1), bytes);
    if (way == IN_COPIES)
        engine_count_loaded(e, b->from.space, surface_address(&b->from, from->x1, from->y1), bytes);
}

/* Draws a part of a blit in runs and moves `*p` past it. False: its memory cannot be mapped, or its
 * compressed pixels cannot be read unresolved; the part may then be drawn again. */
static bool draw_part(struct engine *e, const struct blit *b, enum way way, const struct surface_copy *c,
                      uint32_t color, struct blit_progress *p)
{
    const uint32_t columns = (uint32_t)(b->x2 - b->x1), left = (uint32_t)(b->y2 - b->y1) - p->row;
    const struct band band =
        band_of(columns * b->bytes, (b->to.tiles ? 1u : 0u) + (way == IN_COPIES && b->from.tiles ? 1u : 0u));
    const uint32_t rows = left < band.rows ? left : band.rows, there = columns - p->column,
                   n = there < band.width_bytes / b->bytes ? there : band.width_bytes / b->bytes;
    const int32_t x = (b->x1 + (int32_t)p->column) * b->bytes, y = b->y1 + (int32_t)p->row;
    const struct rectangle part = {x, y, x + (int32_t)n * b->bytes, y + (int32_t)rows};
    const struct rectangle source = {part.x1 + c->offset_x, part.y1 + c->offset_y, part.x2 + c->offset_x,
                                     part.y2 + c->offset_y};
    const uint64_t faults = e->mmu.faults;
    if (b->from_compressed && !ccs_is_uncompressed(&e->mmu, &b->from, &source))
        return e->mmu.faults != faults;
    e->mmu.no_port_access = true;
    if (way == IN_FILLS)
        surface_fill(&e->mmu, &b->to, &part, color, b->bytes);
    else
        surface_copy(&e->mmu, c, &part);
    e->mmu.no_port_access = false;
    const bool met_port = e->mmu.port_access_refused && !engine_faulted(e);
    e->mmu.port_access_refused = false;
    if (met_port) {
        e->mmu.faults = faults;
        return false;
    }
    if (e->mmu.faults == faults)
        blit_mark(e, b, &part);
    *p = n < there ? (struct blit_progress){.row = p->row, .column = p->column + n, .in_band = true}
                   : (struct blit_progress){.row = p->row + rows};
    e->log->cost.ns += rows * band.row_ns;
    if (e->mmu.faults == faults) { /* the others count as they go */
        e->totals.memory.stores += rows;
        count_part(e, b, way, &part, &source);
    }
    return true;
}

static void trace_blit(const struct engine *e, const struct blit *b)
{
    const struct softgt_blit blit = {.tiling = (enum softgt_tiling)b->to.tiling,
                                     .pitch_bytes = b->to.pitch_bytes,
                                     .bytes_per_pixel = b->bytes,
                                     .depth = b->depth,
                                     .x1 = b->x1,
                                     .y1 = b->y1,
                                     .x2 = b->x2,
                                     .y2 = b->y2};
    trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_BLITS,
                                              .unit = e->info->name,
                                              .name = b->name,
                                              .address = b->to.base,
                                              .blit = &blit});
}

/* Marks lines of a compressed frame buffer as modified, from `row` on: a blit counts as one modification. A
 * blit with columns of a band of rows marks all rows that are left. (REN-26) */
static void tell_display(const struct engine *e, const struct blit *b, uint32_t row,
                         const struct blit_progress *p, bool again)
{
    const int32_t first = (int32_t)row,
                  last = p->in_band ? b->y2 - 1 - b->y1 : (int32_t)p->row - (p->column ? 0 : 1);
    if (!again)
        fbc_drawn(e->display, b->to.base, b->y1, b->y2 - 1);
    else if (b->bottom_up)
        fbc_drawing(e->display, b->to.base, b->y2 - 1 - last, b->y2 - 1 - first);
    else
        fbc_drawing(e->display, b->to.base, b->y1 + first, b->y1 + last);
}

enum outcome blit_draw(struct execution *x, const struct blit *b)
{
    struct engine *e = x->engine;
    enum { BLIT_NS = 60 };
    if (b->x2 <= b->x1 || b->y2 <= b->y1)
        return OUTCOME_DONE;
    const struct rectangle all = {b->x1 * b->bytes, b->y1, b->x2 * b->bytes, b->y2};
    const uint32_t rows = (uint32_t)(b->y2 - b->y1);
    const uint64_t faults = e->mmu.faults, walks = e->mmu.walks;
    e->log->cost.ns += BLIT_NS;
    struct blit_progress p = begin(x, rows, (uint32_t)(b->x2 - b->x1));
    struct surface_copy c = {0};
    uint32_t color = 0;
    const uint32_t row = p.row;
    const enum way way = tracing(e->log, SOFTGT_TRACE_MEMORY) ? BY_ROWS : way_of(b, &all, &c, &color);
    if (way == BY_ROWS && b->resolves && x->progress == 0 && blit_resolve(e, b))
        p.row = rows;
    else if (way == BY_ROWS || (p.column && !p.in_band) || !draw_part(e, b, way, &c, color, &p))
        blit_rows(e, b, &p, PART_NS);
    const bool again = p.row < rows && e->mmu.faults == faults;
    if (e->display->info->compresses)
        tell_display(e, b, row, &p, again);
    if (!again && e->mmu.faults == faults && tracing(e->log, SOFTGT_TRACE_BLITS))
        trace_blit(e, b);
    e->log->cost.ns += (e->mmu.walks - walks) * BLIT_WALK_NS;
    return end(x, &p, again);
}
