/* Where subspans are: in a surface, and in the host as far as the TLB has them. */
#include "output_merger/target_plan.h"

/* The places in `bits` of 0, step, 2 * step and so on, `count` of them. `step` is a power of two. */
static void deposit_multiples(uint16_t *to, uint32_t bits, uint32_t step, uint32_t count)
{
    uint32_t above = bits;
    for (uint32_t low = step; low > 1; low /= 2)
        above &= above - 1u;
    for (uint32_t n = 0, at = 0; n < count; n++) {
        to[n] = (uint16_t)at;
        at = ((at | ~above) + 1u) & above;
    }
}

/* The lowest bit that `bits` has for a multiple of `step`. */
static uint32_t place_of(uint32_t bits, uint32_t step)
{
    for (; step > 1; step /= 2)
        bits &= bits - 1u;
    return bits & -bits;
}

bool subspan_surface_init(struct subspan_surface *to, const struct surface *s, uint32_t bytes)
{
    const struct tile_layout *const t = s->tiles;
    to->surface = *s;
    to->bytes = bytes;
    to->right = bytes;
    to->down = (uint32_t)s->pitch_bytes;
    if (s->swizzled || (bytes & (bytes - 1u)))
        return false;
    if (!t)
        return true;
    const uint32_t columns = (1u << t->width_shift) / bytes / 2u, rows = 1u << t->height_shift >> 1;
    if (t->z_bits || columns > LAYOUT_COLUMNS || rows > LAYOUT_ROWS)
        return false;
    to->right = place_of(t->x_bits, bytes);
    to->down = place_of(t->y_bits, 1);
    deposit_multiples(to->column, t->x_bits, bytes * 2u, columns);
    deposit_multiples(to->row, t->y_bits, 2, rows);
    return true;
}

/* Where the left pixel of a tiled surface's subspan lies. */
static uint64_t tiled_address(const struct subspan_surface *p, uint32_t x_bytes, uint32_t y)
{
    const struct surface *const s = &p->surface;
    const struct tile_layout *const t = s->tiles;
    const uint32_t in_x = (x_bytes & ((1u << t->width_shift) - 1u)) >> (__builtin_ctz(p->bytes) + 1),
                   in_y = (y & ((1u << t->height_shift) - 1u)) / 2u;
    const int64_t across = s->pitch_bytes >> t->width_shift,
                  tile = ((int32_t)y >> t->height_shift) * across + ((int32_t)x_bytes >> t->width_shift);
    return s->base + (uint64_t)(tile * (int64_t)tile_bytes(t)) + p->column[in_x] + p->row[in_y];
}

bool subspan_find(const struct subspan_surface *p, const struct mmu *u, const struct subspan_access *a,
                  uint8_t *to[2], uint64_t *address)
{
    enum { UPPER = 3, LOWER = 12 };
    const struct surface *const s = &p->surface;
    const uint32_t x_bytes = a->x * p->bytes;
    if (s->tiles) {
        *address = tiled_address(p, x_bytes, a->y);
        to[0] = mmu_cached(u, SPACE_PPGTT, *address, p->right + p->down + p->bytes, a->writes);
        if (!to[0])
            return false;
        to[1] = to[0] + p->down;
        return true;
    }
    const uint64_t first = surface_address(s, (int32_t)x_bytes, (int32_t)a->y),
                   second = surface_address(s, (int32_t)x_bytes, (int32_t)(a->y + 1u));
    *address = a->pixels & UPPER ? first : second;
    to[0] = mmu_cached(u, SPACE_PPGTT, *address, p->bytes * 2u, a->writes);
    to[1] = a->pixels & LOWER ? mmu_cached(u, SPACE_PPGTT, second, p->bytes * 2u, a->writes) : to[0];
    return to[0] && to[1];
}

bool subspan_square_address(const struct subspan_surface *p, uint32_t x, uint32_t y, uint64_t *address)
{
    if (!p->surface.tiles || (x | y) % 4u)
        return false;
    *address = tiled_address(p, x * p->bytes, y);
    return true;
}

void subspan_square_pixels(const struct subspan_surface *p, uint8_t *host, uint8_t *to[MESSAGE_SUBSPANS][2])
{
    const uint32_t right = p->column[1], down = p->row[1];
    for (unsigned n = 0; n < MESSAGE_SUBSPANS; n++) {
        to[n][0] = host + (n & 1u ? right : 0) + (n & 2u ? down : 0);
        to[n][1] = to[n][0] + p->down;
    }
}

bool subspan_find_square(const struct subspan_surface *p, const struct mmu *u, uint32_t x, uint32_t y,
                         uint8_t *to[MESSAGE_SUBSPANS][2], uint64_t *address)
{
    if (!subspan_square_address(p, x, y, address))
        return false;
    uint8_t *const host = mmu_cached(u, SPACE_PPGTT, *address, subspan_square_bytes(p), true);
    if (host)
        subspan_square_pixels(p, host, to);
    return host;
}
