/* Plans of render targets, depth and stencil; where subspans are in memory. */
#ifndef OUTPUT_MERGER_TARGET_PLAN_H
#define OUTPUT_MERGER_TARGET_PLAN_H

#include "shared_function/shared_function.h"

/* The plan of a message. After a fault, its target is null. (target_plan.c) */
const struct target_plan *target_plan_find(struct message_context *b, const struct eu_send *m,
                                           const struct render_target_blend *how);

/* The plan of a message that is known without an access to memory; else NULL. Then the message counts what
 * finding it would have loaded. (target_plan.c) */
const struct target_plan *target_plan_bound(struct message_context *b, const struct eu_send *m,
                                            const struct render_target_blend *how);
void target_plan_count(struct message_context *b, uint32_t descriptor);

/* ---- subspans.c ---- */

/* False: a layout that tables do not describe. */
bool subspan_surface_init(struct subspan_surface *to, const struct surface *s, uint32_t bytes);
/* Pixels of a subspan, x and y in the surface. */
struct subspan_access {
    uint32_t x, y, pixels;
    bool writes;
    uint32_t slice_offset; /* of the slice in its tile, where a tile has several */
};
/* Finds the left pixels of both lines in the host, and the address of one. False: the TLB does not have all
 * pages of the pixels. */
bool subspan_find(const struct subspan_surface *p, const struct mmu *u, const struct subspan_access *a,
                  uint8_t *to[2], uint64_t *address);
/* The same of the four subspans of a square of 4 x 4 pixels, in Z order. False also where these are not at
 * once found. */
bool subspan_find_square(const struct subspan_surface *p, const struct mmu *u, const struct subspan_access *a,
                         uint8_t *to[MESSAGE_SUBSPANS][2], uint64_t *address);
/* Whether four subspans are such a square. */
static inline bool subspans_are_square(const uint32_t *xy)
{
    enum { RIGHT = 2, DOWN = 2 };
    const uint32_t x = xy[0], y = xy[1];
    return !((xy[2] ^ (x + RIGHT)) | (xy[3] ^ y) | (xy[4] ^ x) | (xy[5] ^ (y + DOWN)) |
             (xy[6] ^ (x + RIGHT)) | (xy[7] ^ (y + DOWN)) | ((x | y) % 4u));
}
/* From the first byte of a square to its last. */
static inline uint32_t subspan_square_bytes(const struct subspan_surface *p)
{
    return p->column[1] + p->row[1] + p->right + p->down + p->bytes;
}
/* Where the left pixel of a tiled surface's subspan lies. */
static inline uint64_t subspan_tiled_address(const struct subspan_surface *p, uint32_t x_bytes, uint32_t y)
{
    const struct surface *const s = &p->surface;
    const struct tile_layout *const t = s->tiles;
    const uint32_t in_x = (x_bytes & ((1u << t->width_shift) - 1u)) >> p->column_shift,
                   in_y = (y & ((1u << t->height_shift) - 1u)) / 2u;
    const int64_t across = s->pitch_bytes >> t->width_shift,
                  tile = ((int32_t)y >> t->height_shift) * across + ((int32_t)x_bytes >> t->width_shift);
    return s->base + (uint64_t)(tile * (int64_t)tile_bytes(t)) + p->column[in_x] + p->row[in_y];
}
/* Where the first pixel of a square is; false: such a surface has none. */
static inline bool subspan_square_address(const struct subspan_surface *p, uint32_t x, uint32_t y,
                                          uint64_t *address)
{
    if (!p->surface.tiles || (x | y) % 4u)
        return false;
    *address = subspan_tiled_address(p, x * p->bytes, y);
    return true;
}
/* Whether squares lie each in one page; and whether in 64 bytes, as four lines of four dwords. */
bool subspan_squares_have_pages(const struct subspan_surface *p);
bool subspan_squares_have_lines(const struct subspan_surface *p);
/* The pixels of a square from its first one on, in the host. */
static inline void subspan_square_pixels(const struct subspan_surface *p, uint8_t *host,
                                         uint8_t *to[MESSAGE_SUBSPANS][2])
{
    const uint32_t right = p->column[1], down = p->row[1];
    for (unsigned n = 0; n < MESSAGE_SUBSPANS; n++) {
        to[n][0] = host + (n & 1u ? right : 0) + (n & 2u ? down : 0);
        to[n][1] = to[n][0] + p->down;
    }
}
/* The pixels of a subspan that lie in a surface. */
static inline uint32_t subspan_pixels_inside(const uint32_t at[2], uint32_t width, uint32_t height)
{
    enum { LEFT = 5, TOP = 3, ALL = 15 };
    const uint32_t columns = at[0] < width ? at[0] + 1u < width ? ALL : LEFT : 0,
                   lines = at[1] < height ? at[1] + 1u < height ? ALL : TOP : 0;
    return columns & lines;
}

/* ---- depth.c ---- */

/* alpha_test without its counter. */
bool alpha_passes(const struct output_merger_state *om, float alpha);

/* A row of a thread's pixels: two subspans, eight depths. */
struct depth_access {
    const uint32_t (*subspan_xy)[2];
    uint32_t mask, array_index;
    const float *depth, *range;
    bool back_facing, late;
};
/* Tests the pixels of the mask. False: nothing is done, the TLB does not have all pages. */
bool depth_test_row(struct message_context *b, const struct depth_stencil *s, const struct depth_access *a,
                    uint32_t *passed);

#endif
