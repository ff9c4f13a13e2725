/*
 * Fast clears and resolves: draws that change the CCS blocks of a level. On hardware their rectangles count
 * parts of blocks, and drivers use them for whole levels; here each primitive is for the whole level of its
 * array element. A surface without a CCS is cleared pixel by pixel, with its present clear color. (Mesa,
 * blorp)
 */
#include "geometry/draw.h"
#include "output_merger/fragment_trace.h"

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

/* Says in the control surface of samples that pixels are cleared. */
static void fast_clear_samples(struct draw *d, struct message_context *b, const struct image *i,
                               uint64_t *budget)
{
    enum { ROWS = 32, ROW_INSTRUCTIONS = 64 };
    while ((uint32_t)d->cursor.subspan_xy[1] < i->height && *budget) {
        const uint32_t y = (uint32_t)d->cursor.subspan_xy[1],
                       rows = i->height - y < ROWS ? i->height - y : ROWS;
        mcs_clear_rows(b, i, d->ps.array_index, y, rows);
        budget_charge(budget, rows * (uint64_t)ROW_INSTRUCTIONS);
        d->cursor.subspan_xy[1] += (int32_t)rows;
    }
}

static bool fast_clear_pixels(struct draw *d, struct message_context *b, struct image *i, uint64_t *budget)
{
    enum { PIXELS_AN_INSTRUCTION = 2 };
    union softgt_color color;
    unsigned pixels = 0;
    i->ccs.kind = CCS_NONE;
    struct image samples = *i;
    image_divide_samples(&samples);
    if (!fast_clear_color(b, i, &color))
        return false;
    while ((uint32_t)d->cursor.subspan_xy[1] < i->height && *budget) {
        const uint32_t at[3] = {(uint32_t)d->cursor.subspan_xy[0], (uint32_t)d->cursor.subspan_xy[1],
                                d->ps.array_index};
        for (unsigned sample = 0; sample < 1u << i->samples_log2; sample++) {
            uint32_t place[3];
            image_sample_position(i, at, sample, place);
            if (!image_access_pixel(b, &samples, place, &color, true))
                return false;
        }
        *budget -= ++pixels % PIXELS_AN_INSTRUCTION == 0;
        if ((uint32_t)++d->cursor.subspan_xy[0] >= i->width) {
            d->cursor.subspan_xy[0] = 0;
            d->cursor.subspan_xy[1]++;
        }
    }
    return true;
}

/* The whole level of the primitive's array element. */
static void trace_clear(const struct draw *d, struct message_context *b, const struct image *i)
{
    const uint32_t at[3] = {0, 0, d->ps.array_index << i->samples_log2};
    struct softgt_fragment f = {.step = SOFTGT_FRAGMENT_CLEARED,
                                .passed = true,
                                .x = i->width,
                                .y = i->height,
                                .layer = d->ps.array_index};
    (void)image_pixel_address(i, at, &f.address);
    trace_fragment(b, f);
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
    const bool has_samples = !i.is_null && i.mcs.is_present && d->ps.array_index < i.depth;
    const bool left =
        has_blocks || (!i.is_null && !i.is_buffer && d->state.raster.fast_clear == FAST_CLEAR_CLEAR);
    if (engine_faulted(b->engine))
        return false;
    if (d->cursor.phase != DRAW_CLEAR) { /* begins at the first pixel */
        if (traces_fragments(b) && (has_blocks || has_samples) &&
            d->state.raster.fast_clear == FAST_CLEAR_CLEAR)
            trace_clear(d, b, &i);
        d->cursor.subspan_xy[0] = d->cursor.subspan_xy[1] = 0;
        if (left && d->state.raster.fast_clear == FAST_CLEAR_CLEAR && !fast_clear_convert(b, &i))
            return false;
        if (left && !has_blocks && !i.mcs.is_present)
            report_error(
                b->engine->log, SOFTGT_NOT_MODELLED, b->engine->info->name, b->engine->parse.command_address,
                "3DPRIMITIVE fast clears a surface without a CCS: its pixels get the present clear color");
    }
    d->cursor.phase = DRAW_CLEAR;
    if (has_samples && left)
        fast_clear_samples(d, b, &i, budget);
    else if (left &&
             !(has_blocks ? fast_clear_blocks(d, b, &i, budget) : fast_clear_pixels(d, b, &i, budget)))
        return false;
    if (!left || (uint32_t)d->cursor.subspan_xy[1] >= i.height)
        draw_primitive_done(d);
    return true;
}
