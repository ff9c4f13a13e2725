/* Images: pixels of surfaces, for data ports and the sampler. */
#ifndef SHARED_FUNCTION_IMAGE_H
#define SHARED_FUNCTION_IMAGE_H

#include "shared_function/shared_function.h"

/* The operation of a typed atomic. */
struct typed_atomic {
    enum atomic_operation operation;
    uint32_t channels;
    unsigned at, coordinates; /* registers */
    unsigned bytes;
    bool returns;
};

/* The surface that the descriptor names, at level 0, its slices counted by role `depth`. */
void message_image(struct message_context *b, const struct eu_send *m, unsigned depth, struct image *i);
/* From level 0 to another one. */
void image_select_level(struct image *i, uint32_t level);
/* A render target: the level that is drawn to. False: what pixels are not drawn to. (render_target.c) */
bool render_target_image(struct message_context *b, const struct eu_send *m, struct image *i);
/* Writes a pixel, or reads it: zeros where there is none. False: a fault. */
bool image_access_pixel(struct message_context *b, const struct image *i, const uint32_t at[3],
                        union softgt_color *color, bool writes);
/* A pixel's bytes, or those of its block; false: it is outside, or there is nothing. */
bool image_read_pixel(struct message_context *b, const struct image *i, const uint32_t at[3], uint8_t *pixel);
/* The same for the sampler, which reads the part of an entry that lies in the buffer, and zeros after it.
 * (Mesa: uniform blocks are buffers of 16-byte entries, one at each byte) */
bool image_read_texel(struct message_context *b, const struct image *i, const uint32_t at[3], uint8_t *pixel);

/* Where a pixel is: how many bytes it has there, 0 outside. */
unsigned image_pixel_address(const struct image *i, const uint32_t at[3], uint64_t *address);

/* ---- Blocks that are cleared (fast_clear.c) ---- */

/* The surface's control surface, if its state names one; its level, from level 0 on. */
void fast_clear_init(const struct message_context *b, struct image *i);
void fast_clear_level(struct image *i, uint32_t level);
/* Whether there is such state in memory. */
bool fast_clear_is_present(struct message_context *b, const struct image *i);
/* The color, as the surface's state has it. False: a fault. */
bool fast_clear_color(struct message_context *b, const struct image *i, union softgt_color *color);
/* Bytes and rows of a block. */
void fast_clear_block(const struct image *i, uint32_t size[2]);
/* The block of a pixel: whether it is cleared; makes it so, or not so. */
bool fast_clear_is_cleared(struct message_context *b, const struct image *i, const uint32_t at[3],
                           uint64_t address);
void fast_clear_set_block(struct message_context *b, const struct image *i, const uint32_t at[3],
                          uint64_t address, bool cleared);
/* The block of a pixel that is to be written gets its color where it is cleared. False: a fault. */
bool fast_clear_expand(struct message_context *b, const struct image *i, const uint32_t at[3]);
/* The same is to be done, and groups run beside this one: the message waits. */
bool fast_clear_needs_exclusive(struct message_context *b, const struct image *i, const uint32_t at[3]);
/* A fast clear converts a color that is in memory to what textures have. False: a fault. */
bool fast_clear_convert(struct message_context *b, const struct image *i);
/* A pixel of a cleared block, as it would lie in memory. */
bool fast_clear_pixel(struct message_context *b, const struct image *i, uint8_t *pixel);

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
