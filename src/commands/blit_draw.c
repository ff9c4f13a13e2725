/*
 * Draws blits: in whole runs where the result is the source or one colour, else row by row; in parts that
 * take about as long as the budget that they use.
 */
#include "commands/blit.h"

/* ---- What is done of a command, and what it costs ---- */

enum {
    PART_NS = 250000, /* drawn before the engine looks at its budget */
    PAST_CACHES_BYTES = 4 << 20,
};

/* A command is read anew for each part; who wrote it may have changed it since. */
static struct blit_progress begin(const struct execution *x, uint32_t rows, uint32_t columns)
{
    struct blit_progress p = {.row = (uint32_t)(x->progress >> 16), .column = x->progress & 0xffffu};
    if (p.column >= columns)
        p = (struct blit_progress){.row = p.row + 1};
    if (p.row > rows)
        p.row = rows;
    return p;
}

static enum outcome end(struct execution *x, const struct blit_progress *p, bool again, uint64_t cost_ns)
{
    x->progress = again ? (uint64_t)p->row << 16 | p->column : 0;
    x->cost_dw = (uint32_t)(cost_ns / BUDGET_DW_NS);
    return again ? AGAIN : DONE;
}

/* ---- In runs ---- */

enum way { BY_ROWS, IN_FILLS, IN_COPIES };

static enum way way_of(const struct blit *b, const struct rectangle *all, struct surface_copy *c,
                       uint32_t *color)
{
    if (blit_masks(b))
        return BY_ROWS;
    if (b->rop == ROP_BLACK || b->rop == ROP_WHITE ||
        (b->rop == ROP_PATTERN && b->pattern == OPERAND_SOLID)) {
        *color = b->rop == ROP_BLACK ? 0 : b->rop == ROP_WHITE ? UINT32_MAX : b->pattern_colors[0];
        return IN_FILLS;
    }
    if (b->rop != ROP_SOURCE || b->source != OPERAND_COLOR)
        return BY_ROWS;
    *c = (struct surface_copy){.to = b->to,
                               .from = b->from,
                               .right = (b->from_x - b->x1) * b->bytes,
                               .down = b->from_y - b->y1,
                               .past_caches =
                                   (int64_t)(all->x2 - all->x1) * (all->y2 - all->y1) >= PAST_CACHES_BYTES};
    return surfaces_apart(c, all) ? IN_COPIES : BY_ROWS;
}

/* Rows of so many bytes that fit into a part, whole tiles of them. */
static uint32_t rows_of_part(uint32_t width_bytes, bool between_tiles, uint64_t *row_ns)
{
    enum { ROW_NS = 30, BYTES_A_NS = 8, TILED_BYTES_A_NS = 2, PAGE_NS = 60, TILE_ROWS = 64 };
    *row_ns = ROW_NS + width_bytes / (between_tiles ? TILED_BYTES_A_NS : BYTES_A_NS);
    const uint64_t with_walks_ns = *row_ns + (2 + width_bytes / PAGE_BYTES) * PAGE_NS;
    return (uint32_t)(PART_NS / with_walks_ns + TILE_ROWS) & -(uint32_t)TILE_ROWS;
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
    trace_event(e->witness, (struct softgt_event){.what = SOFTGT_TRACE_BLITS,
                                                  .unit = e->info->name,
                                                  .name = b->name,
                                                  .address = b->to.base,
                                                  .blit = &blit});
}

enum outcome blit_draw(struct execution *x, const struct blit *b)
{
    struct engine *e = x->engine;
    enum { BLIT_NS = 60, WALK_NS = 80 };
    if (b->x2 <= b->x1 || b->y2 <= b->y1)
        return DONE;
    const struct rectangle all = {b->x1 * b->bytes, b->y1, b->x2 * b->bytes, b->y2};
    const uint32_t rows = (uint32_t)(b->y2 - b->y1), width = (uint32_t)(all.x2 - all.x1);
    const uint64_t faults = e->mmu.faults, walks = e->mmu.walks;
    struct blit_progress p = begin(x, rows, (uint32_t)(b->x2 - b->x1));
    struct surface_copy c;
    uint32_t color;
    uint64_t cost_ns = BLIT_NS;
    const enum way way = tracing(e->witness, SOFTGT_TRACE_MEMORY) ? BY_ROWS : way_of(b, &all, &c, &color);
    if (way == BY_ROWS) {
        cost_ns += blit_rows(e, b, &p, PART_NS);
    } else {
        const bool between_tiles = way == IN_COPIES && c.to.tiles && c.from.tiles;
        uint64_t row_ns;
        const uint32_t at_once = rows_of_part(width, between_tiles, &row_ns), left = rows - p.row,
                       n = left < at_once ? left : at_once;
        const struct rectangle part = {all.x1, b->y1 + (int32_t)p.row, all.x2, b->y1 + (int32_t)(p.row + n)};
        if (way == IN_FILLS)
            surface_fill(&e->mmu, &b->to, &part, color, b->bytes);
        else
            surface_copy(&e->mmu, &c, &part);
        p = (struct blit_progress){.row = p.row + n};
        cost_ns += n * row_ns + (e->mmu.walks - walks) * WALK_NS;
        if (e->mmu.faults == faults) { /* the others count as they go */
            e->totals.stores += n;
            e->totals.bytes_stored += (uint64_t)n * width;
        }
    }
    const bool again = p.row < rows && e->mmu.faults == faults;
    if (!again && e->display->info->compresses)
        fbc_drawn(e->display, b->to.base, b->y1, b->y2 - 1);
    if (!again && e->mmu.faults == faults && tracing(e->witness, SOFTGT_TRACE_BLITS))
        trace_blit(e, b);
    return end(x, &p, again, cost_ns);
}
