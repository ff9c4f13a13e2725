/*
 * Fast clears and resolves: draws that change the CCS blocks of a level. On hardware their rectangles count
 * parts of blocks, and drivers use them for whole levels; here each primitive is for the whole level of its
 * array element. A surface without a CCS is cleared pixel by pixel, with its present clear color. (Mesa,
 * blorp)
 */
#include "geometry/draw.h"

#include "shared_function/image.h"

/* The position of the next block in pixels of the level. */
static int32_t fast_clear_next_block(uint32_t origin, int32_t at, uint32_t step)
{
    return at + (int32_t)(step - (origin + (uint32_t)at) % step);
}

static bool fast_clear_block_op(struct draw *d, struct message_context *b, const struct image *i,
                                const struct clear_filler *f, const uint32_t at[3], uint64_t *budget)
{
    enum { EXPANDED_INSTRUCTIONS = 8 };
    uint64_t address = 0;
    bool cleared;
    budget_charge(budget, 1);
    if (at[2] >= i->depth || (fast_clear_is_by_address(i) && !image_pixel_address(i, at, &address)))
        return true;
    if (d->state.raster.fast_clear == FAST_CLEAR_RESOLVE) {
        if (clear_filler_resolve(b, i, f, at, &cleared)) {
            budget_charge(budget, cleared ? EXPANDED_INSTRUCTIONS : 0);
            return true;
        }
        if (fast_clear_is_cleared(b, i, at, address))
            budget_charge(budget, EXPANDED_INSTRUCTIONS);
        return fast_clear_expand(b, i, at);
    }
    fast_clear_set_block(b, i, at, address, d->state.raster.fast_clear == FAST_CLEAR_CLEAR);
    return !engine_faulted(b->engine);
}

static bool fast_clear_blocks(struct draw *d, struct message_context *b, const struct image *i,
                              uint64_t *budget)
{
    uint32_t block[2];
    struct clear_filler filler = {.is_valid = false};
    if (d->state.raster.fast_clear == FAST_CLEAR_RESOLVE && !clear_filler_init(b, i, &filler))
        return false;
    fast_clear_block(i, block);
    block[0] = block[0] > i->format->bytes ? block[0] / i->format->bytes : 1;
    while ((uint32_t)d->cursor.subspan_xy[1] < i->height && *budget) {
        const uint32_t at[3] = {(uint32_t)d->cursor.subspan_xy[0], (uint32_t)d->cursor.subspan_xy[1],
                                d->ps.array_index};
        if (!fast_clear_block_op(d, b, i, &filler, at, budget))
            return false;
        d->cursor.subspan_xy[0] = fast_clear_next_block(i->x, d->cursor.subspan_xy[0], block[0]);
        if ((uint32_t)d->cursor.subspan_xy[0] >= i->width) {
            d->cursor.subspan_xy[0] = 0;
            d->cursor.subspan_xy[1] = fast_clear_next_block(i->y + (i->first_slice + at[2]) * i->qpitch,
                                                            d->cursor.subspan_xy[1], block[1]);
        }
    }
    return true;
}

static bool fast_clear_pixels(struct draw *d, struct message_context *b, struct image *i, uint64_t *budget)
{
    enum { PIXELS_AN_INSTRUCTION = 2 };
    union softgt_color color;
    unsigned pixels = 0;
    i->ccs.kind = CCS_NONE;
    if (!fast_clear_color(b, i, &color))
        return false;
    while ((uint32_t)d->cursor.subspan_xy[1] < i->height && *budget) {
        const uint32_t at[3] = {(uint32_t)d->cursor.subspan_xy[0], (uint32_t)d->cursor.subspan_xy[1],
                                d->ps.array_index};
        if (!image_access_pixel(b, i, at, &color, true))
            return false;
        *budget -= ++pixels % PIXELS_AN_INSTRUCTION == 0;
        if ((uint32_t)++d->cursor.subspan_xy[0] >= i->width) {
            d->cursor.subspan_xy[0] = 0;
            d->cursor.subspan_xy[1]++;
        }
    }
    return true;
}

bool render_target_fast_clear(struct draw *d, struct message_context *b, uint64_t *budget, bool *ended)
{
    const struct eu_send first_target = {.descriptor = 0};
    struct image i;
    if (d->cursor.phase != DRAW_CLEAR && !draw_next_primitive(d, b, budget, ended))
        return !engine_faulted(b->engine);
    if (!render_target_image(b, &first_target, &i))
        return false;
    const bool has_blocks = !i.is_null && !i.is_buffer && fast_clear_is_present(b, &i);
    const bool left =
        has_blocks || (!i.is_null && !i.is_buffer && d->state.raster.fast_clear == FAST_CLEAR_CLEAR);
    if (engine_faulted(b->engine))
        return false;
    if (d->cursor.phase != DRAW_CLEAR) { /* begins at the first pixel */
        d->cursor.subspan_xy[0] = d->cursor.subspan_xy[1] = 0;
        if (left && d->state.raster.fast_clear == FAST_CLEAR_CLEAR && !fast_clear_convert(b, &i))
            return false;
        if (left && !has_blocks)
            report_error(
                b->engine->log, SOFTGT_NOT_MODELLED, b->engine->info->name, b->engine->parse.command_address,
                "3DPRIMITIVE fast clears a surface without a CCS: its pixels get the present clear color");
    }
    d->cursor.phase = DRAW_CLEAR;
    if (left && !(has_blocks ? fast_clear_blocks(d, b, &i, budget) : fast_clear_pixels(d, b, &i, budget)))
        return false;
    if (!left || (uint32_t)d->cursor.subspan_xy[1] >= i.height)
        draw_primitive_done(d);
    return true;
}
