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
    to->column_shift = (uint8_t)__builtin_ctz(bytes) + 1u;
    to->right = bytes;
    to->down = (uint32_t)s->pitch_bytes;
    if (s->swizzled || (bytes & (bytes - 1u)))
        return false;
    if (!t)
        return true;
    const uint32_t columns = (1u << t->width_shift) / bytes / 2u, rows = 1u << t->height_shift >> 1;
    if (columns > LAYOUT_COLUMNS || rows > LAYOUT_ROWS)
        return false;
    to->right = place_of(t->x_bits, bytes);
    to->down = place_of(t->y_bits, 1);
    deposit_multiples(to->column, t->x_bits, bytes * 2u, columns);
    deposit_multiples(to->row, t->y_bits, 2, rows);
    return true;
}

bool subspan_find(const struct subspan_surface *p, const struct mmu *u, const struct subspan_access *a,
                  uint8_t *to[2], uint64_t *address)
{
    enum { UPPER = 3, LOWER = 12 };
    const struct surface *const s = &p->surface;
    const uint32_t x_bytes = a->x * p->bytes;
    if (s->tiles) {
        *address = subspan_tiled_address(p, x_bytes, a->y) + a->slice_offset;
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

bool subspan_squares_have_pages(const struct subspan_surface *p)
{
    return p->surface.tiles && p->surface.base % PAGE_BYTES == 0 && subspan_square_bytes(p) <= PAGE_BYTES;
}

bool subspan_squares_have_lines(const struct subspan_surface *p)
{
    enum { RIGHT = 4, COLUMN = 8, DOWN = 16, ROW = 32 };
    return subspan_squares_have_pages(p) && p->right == RIGHT && p->column[1] == COLUMN && p->down == DOWN &&
           p->row[1] == ROW;
}

bool subspan_find_square(const struct subspan_surface *p, const struct mmu *u, const struct subspan_access *a,
                         uint8_t *to[MESSAGE_SUBSPANS][2], uint64_t *address)
{
    if (!subspan_square_address(p, a->x, a->y, address))
        return false;
    *address += a->slice_offset;
    uint8_t *const host = mmu_cached(u, SPACE_PPGTT, *address, subspan_square_bytes(p), true);
    if (host)
        subspan_square_pixels(p, host, to);
    return host;
}
