/*
 * Fast clears and resolves: draws whose primitives stand for the blocks of a level. On hardware their
 * rectangles count in parts of blocks, and drivers clear and resolve whole levels so; here each primitive is
 * for the whole level, of the element that it names. A surface without state of its blocks, or whose CCS is
 * not there, is cleared by pixels, with the color that it names at that time. (Mesa, blorp)
 */
#include "draw/draw.h"

#include "shared_function/image.h"

/* Where the next block begins, in pixels of the level. */
static int32_t next_block(uint32_t origin, int32_t at, uint32_t step)
{
    return at + (int32_t)(step - (origin + (uint32_t)at) % step);
}

static bool treat_block(struct drawing *d, struct bindings *b, const struct image *i, const uint32_t at[3],
                        uint64_t *budget)
{
    enum { EXPANDED_INSTRUCTIONS = 8 };
    uint64_t address;
    budget_take(budget, 1);
    if (!surface_pixel_address(i, at, &address))
        return true;
    if (d->clears == CLEARS_RESOLVE) {
        if (fast_clear_is(b, i, at, address))
            budget_take(budget, EXPANDED_INSTRUCTIONS);
        return fast_clear_expand(b, i, at);
    }
    fast_clear_set(b, i, at, address, d->clears == CLEARS_FAST);
    return !faulted(b->engine);
}

static bool treat_blocks(struct drawing *d, struct bindings *b, const struct image *i, uint64_t *budget)
{
    uint32_t block[2];
    fast_clear_block(i, block);
    block[0] = block[0] > i->format->bytes ? block[0] / i->format->bytes : 1;
    while ((uint32_t)d->at[1] < i->height && *budget) {
        const uint32_t at[3] = {(uint32_t)d->at[0], (uint32_t)d->at[1], d->pixels.array_index};
        if (!treat_block(d, b, i, at, budget))
            return false;
        d->at[0] = next_block(i->x, d->at[0], block[0]);
        if ((uint32_t)d->at[0] >= i->width) {
            d->at[0] = 0;
            d->at[1] = next_block(i->y + (i->first_slice + at[2]) * i->qpitch, d->at[1], block[1]);
        }
    }
    return true;
}

static bool fill_pixels_of(struct drawing *d, struct bindings *b, struct image *i, uint64_t *budget)
{
    enum { PIXELS_AN_INSTRUCTION = 2 };
    union softgt_color color;
    unsigned pixels = 0;
    i->ccs.kind = CCS_NONE;
    if (!fast_clear_color(b, i, &color))
        return false;
    while ((uint32_t)d->at[1] < i->height && *budget) {
        const uint32_t at[3] = {(uint32_t)d->at[0], (uint32_t)d->at[1], d->pixels.array_index};
        if (!surface_color(b, i, at, &color, true))
            return false;
        *budget -= ++pixels % PIXELS_AN_INSTRUCTION == 0;
        if ((uint32_t)++d->at[0] >= i->width) {
            d->at[0] = 0;
            d->at[1]++;
        }
    }
    return true;
}

bool draw_clear(struct drawing *d, struct bindings *b, uint64_t *budget, bool *ended)
{
    const struct eu_send first_target = {.descriptor = 0};
    struct image i;
    if (!d->shows && !draw_next_primitive(d, b, budget, ended))
        return !faulted(b->engine);
    if (!render_target_image(b, &first_target, &i))
        return false;
    const bool has_blocks = !i.nothing && !i.buffer && fast_clear_there(b, &i);
    const bool left = has_blocks || (!i.nothing && !i.buffer && d->clears == CLEARS_FAST);
    if (faulted(b->engine))
        return false;
    if (!d->clearing) { /* from its first pixel on */
        d->at[0] = d->at[1] = 0;
        if (left && d->clears == CLEARS_FAST && !fast_clear_convert(b, &i))
            return false;
        if (left && !has_blocks)
            complain(
                b->engine->witness, SOFTGT_NOT_MODELLED, b->engine->info->name,
                b->engine->parse.command_address,
                "3DPRIMITIVE fast clears a surface without a CCS: drawn at once, with its present color");
    }
    d->clearing = true;
    if (left && !(has_blocks ? treat_blocks(d, b, &i, budget) : fill_pixels_of(d, b, &i, budget)))
        return false;
    if (!left || (uint32_t)d->at[1] >= i.height) {
        d->shows = d->clearing = false;
        d->primitive += !d->staged;
    }
    return true;
}
