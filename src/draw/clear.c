/*
 * Fast clears. On hardware they write a surface's compression state alone, its rectangle counts in parts of
 * that, and drivers clear whole levels so; here no such state is kept: the whole level, of the element that
 * the primitive names, gets the color at once. A driver that names the color in memory only later (anv on
 * dg2) gets the one before, and nobody can tell: what is right most of the time is not reported. (Mesa,
 * blorp)
 */
#include "draw/draw.h"

#include "shared_function/image.h"

/* The color, in the surface's state or in memory; up to Gen8 a bit of the state is 0 or 1 in the format's own
 * numbers. (BDW PRM vol 2d, RENDER_SURFACE_STATE) */
static bool read_clear_color(struct bindings *b, const struct image *i, union softgt_color *color)
{
    const struct surface_state *const s = &i->state;
    if (surface_field(s, SURFACE_CLEAR_IN_MEMORY)) {
        const uint64_t at = field_at(&s->row->places[SURFACE_CLEAR_ADDRESS], s->dw, SURFACE_STATE_DW);
        return load_into(b->engine, SPACE_PPGTT, at, color->u, sizeof color->u);
    }
    for (unsigned n = 0; n < 4; n++) {
        const struct field *const field = &s->row->by_role[SURFACE_CLEAR_RED + n];
        const unsigned kind = i->format->part[n].kind;
        color->u[n] = surface_field(s, SURFACE_CLEAR_RED + n);
        if (field->first == field->last && kind != SOFTGT_UINT && kind != SOFTGT_SINT)
            color->f[n] = color->u[n] ? 1 : 0;
    }
    return true;
}

bool draw_clear(struct drawing *d, struct bindings *b, uint64_t *budget, bool *ended)
{
    enum { PIXELS_AN_INSTRUCTION = 2 };
    const struct eu_send first_target = {.descriptor = 0};
    union softgt_color color = {.u = {0}};
    struct image i;
    unsigned pixels = 0;
    if (!d->shows && !draw_next_primitive(d, b, budget, ended))
        return !faulted(b->engine);
    if (!render_target_image(b, &first_target, &i))
        return false;
    const bool left = !i.nothing && !i.buffer;
    if (left && !read_clear_color(b, &i, &color))
        return false;
    if (!d->clearing) /* from its first pixel on */
        d->at[0] = d->at[1] = 0;
    d->clearing = true;
    while (left && (uint32_t)d->at[1] < i.height && *budget) {
        const uint32_t at[3] = {(uint32_t)d->at[0], (uint32_t)d->at[1], d->pixels.array_index};
        if (!surface_color(b, &i, at, &color, true))
            return false;
        *budget -= ++pixels % PIXELS_AN_INSTRUCTION == 0;
        if ((uint32_t)++d->at[0] >= i.width) {
            d->at[0] = 0;
            d->at[1]++;
        }
    }
    if (!left || (uint32_t)d->at[1] >= i.height) {
        d->shows = d->clearing = false;
        d->primitive += !d->staged;
    }
    return true;
}
