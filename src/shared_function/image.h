/* Images: pixels of surfaces, for data ports and the sampler. */
#ifndef SHARED_FUNCTION_IMAGE_H
#define SHARED_FUNCTION_IMAGE_H

#include "shared_function/shared_function.h"

#include "memory/surface.h"

enum { PIXEL_BYTES = 16 };

/* One as a message sees it. */
struct image {
    struct surface_state state;
    struct surface surface;
    const struct softgt_format *format; /* NULL: pixels are not of it */
    /* NULL: no blocks; where there are, they are what counts in memory, and is aligned. */
    const struct softgt_block_format *blocks;
    uint64_t size_bytes;           /* of a buffer */
    uint32_t width, height, depth; /* in pixels, of the level */
    uint32_t first_slice, x, y;    /* where the level begins: pixels, or blocks */
    uint32_t qpitch;               /* rows; of a line: pixels; or blocks */
    uint32_t level, whole_depth;   /* of a stack: which level it is, slices of level 0 */
    bool nothing, buffer, line;    /* a line: 1D and not tiled, all of it in one row */
    bool stack;                    /* slices of a level lie in rows, as many in each as the level has */
};

/* What a typed atomic does. */
struct typed_atomic {
    enum atomic_operation operation;
    uint32_t channels;
    unsigned at, coordinates; /* registers */
    unsigned bytes;
    bool returns;
};

/* The surface that the descriptor names, at level 0, its slices counted by role `depth`. */
void surface_image(struct bindings *b, const struct eu_send *m, unsigned depth, struct image *i);
/* From level 0 to another one. */
void surface_image_level(struct image *i, uint32_t level);
/* A render target: the level that is drawn to. False: what pixels are not drawn to. (render_target.c) */
bool render_target_image(struct bindings *b, const struct eu_send *m, struct image *i);
/* Writes a pixel, or reads it: zeros where there is none. False: a fault. */
bool surface_color(struct bindings *b, const struct image *i, const uint32_t at[3], union softgt_color *color,
                   bool writes);
/* A pixel's bytes, or those of its block; false: it is outside, or there is nothing. */
bool surface_pixel(struct bindings *b, const struct image *i, const uint32_t at[3], uint8_t *pixel);
/* The same for the sampler, which reads of a buffer's last entries what there is, and zeros behind it. (Mesa:
 * blocks of uniforms are buffers of 16 bytes an entry, one at each byte) */
bool surface_texel(struct bindings *b, const struct image *i, const uint32_t at[3], uint8_t *pixel);

/* ---- Cubes (cube.c) ---- */

enum { CUBE_SIDES = 6 };
struct cube_place {
    unsigned side;
    double at[2]; /* 0 to 1 */
};
struct cube_place cube_place(const double direction[3]);
void cube_gradient(const double direction[3], const double change[3], double moved[2]);
void cube_cross(unsigned *side, int64_t at[2], uint32_t size);

#endif
