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

/* The name of a field's value; NULL: it has none. */
const char *surface_value_name(const struct surface_state *s, unsigned role);
enum softgt_tiling surface_tiling(const struct surface_state *s);
/* The surface state of the descriptor's binding table index, or of a bindless surface. False after a fault.
 */
bool message_surface_state(struct message_context *b, const struct eu_send *m, struct surface_state *s);
/* The surface of the descriptor's binding table index, at level 0. Role `depth` has the number of its slices.
 */
void message_image(struct message_context *b, const struct eu_send *m, unsigned depth, struct image *i);
/* The same of a surface state. */
void surface_state_image(struct message_context *b, const struct surface_state *from, unsigned depth,
                         struct image *i);
/* Moves an image of level 0 to another level. */
void image_select_level(struct image *i, uint32_t level);
/* The level of a render target. False: the surface cannot be drawn to. (output_merger/render_target.c) */
bool render_target_image(struct message_context *b, const struct eu_send *m, struct image *i);
/* Reads or writes a pixel; outside the surface a read gives zeros. False: a fault. */
bool image_access_pixel(struct message_context *b, const struct image *i, const uint32_t at[3],
                        union softgt_color *color, bool writes);
/* The bytes of a pixel, or of its block; false: it is outside the surface. */
bool image_read_pixel(struct message_context *b, const struct image *i, const uint32_t at[3], uint8_t *pixel);
/* The same for the sampler, which reads the part of an entry that lies in the buffer, and zeros after it.
 * (Mesa: uniform blocks are buffers of 16-byte entries, one at each byte) */
bool image_read_texel(struct message_context *b, const struct image *i, const uint32_t at[3], uint8_t *pixel);

/* The address of a pixel. Returns its length in bytes, 0 outside the surface. */
unsigned image_pixel_address(const struct image *i, const uint32_t at[3], uint64_t *address);

/* ---- Fast clears (fast_clear.c) ---- */

/* Finds the surface's control surface, if it has one; moves it from level 0 to another level. */
void fast_clear_init(const struct message_context *b, struct image *i);
void fast_clear_level(struct image *i, uint32_t level);
/* Whether the surface's state of blocks is in memory. */
bool fast_clear_is_present(struct message_context *b, const struct image *i);
/* The clear color of the surface state. False: a fault. */
bool fast_clear_color(struct message_context *b, const struct image *i, union softgt_color *color);
/* The bytes of the control surface that the image's pixels have elements in, from its base on; 0: it has none
 * of its own. */
uint64_t fast_clear_surface_bytes(const struct image *i);
/* No two rows or slices of blocks have the same elements. */
bool fast_clear_rows_are_apart(const struct image *i);
/* The size of a block in bytes and rows. */
void fast_clear_block(const struct image *i, uint32_t size[2]);
/* Whether the block of a pixel is cleared; sets its state. */
bool fast_clear_is_cleared(struct message_context *b, const struct image *i, const uint32_t at[3],
                           uint64_t address);
/* The block is filled: its state is in memory that the TLB has. Nothing is loaded or counted otherwise. */
bool fast_clear_is_known_filled(const struct message_context *b, const struct image *i, const uint32_t at[3],
                                uint64_t address);
/* The same of all blocks of a rectangle, of a surface with a control surface; the last pixel is in it. */
bool fast_clear_region_is_known_filled(struct message_context *b, const struct image *i,
                                       const uint32_t first[2], const uint32_t last[2]);
/* The same of all blocks of a level whose control surface is read without effect, where that is not long. */
bool fast_clear_level_is_filled(struct message_context *b, const struct image *i);
/* The same of all blocks of a page, of a surface whose blocks have their state by address. */
bool fast_clear_page_is_known_filled(const struct message_context *b, const struct image *i,
                                     uint64_t address);
/* Its state is found by the pixel's address, which is not used otherwise. */
static inline bool fast_clear_is_by_address(const struct image *i)
{
    return i->ccs.kind >= CCS_FOURS;
}
void fast_clear_set_block(struct message_context *b, const struct image *i, const uint32_t at[3],
                          uint64_t address, bool cleared);
/* Before a write of a pixel: fills its block with the clear color if the block is cleared. False: a fault. */
bool fast_clear_expand(struct message_context *b, const struct image *i, const uint32_t at[3]);
/* The same at once, of a pixel in the TLB, if the TLB has its block's state, too. False: nothing is done. */
bool fast_clear_expand_known(struct message_context *b, const struct image *i, const uint32_t at[3],
                             uint64_t address);
/* Prepares the filling of blocks. False: a fault. Then: fills the block of a pixel, if it is cleared;
 * `block`: where it begins in the host, on a page that may be written. False: nothing is done. */
bool clear_filler_init(struct message_context *b, const struct image *i, struct clear_filler *f);
bool clear_filler_fill(struct message_context *b, const struct image *i, struct clear_filler *f,
                       const uint32_t at[3], uint8_t *block, uint64_t page_bit);
/* As fast_clear_expand, where the TLB has the pages. False: nothing is done. `cleared`: the block was. */
bool clear_filler_resolve(struct message_context *b, const struct image *i, const struct clear_filler *f,
                          const uint32_t at[3], bool *cleared);
/* The bits of addresses that differ within a block; 0: there are no blocks. False: a square of 4 x 4 pixels
 * may have several. */
bool fast_clear_offsets(const struct image *i, uint32_t *offsets);
/* Whether that is needed while other groups run in parallel: the message waits then. */
bool fast_clear_needs_exclusive(struct message_context *b, const struct image *i, const uint32_t at[3]);
/* Converts a clear color in memory to the format, as a fast clear does. False: a fault. */
bool fast_clear_convert(struct message_context *b, const struct image *i);
/* The bytes of a pixel of a cleared block. False: a fault. */
bool fast_clear_pixel(struct message_context *b, const struct image *i, uint8_t *pixel);

/* ---- Several samples (samples.c) ---- */

void image_samples_init(struct image *i);
/* Makes an image of pixels one of their samples. */
void image_divide_samples(struct image *i);
static inline bool image_has_pixel(const struct image *i, const uint32_t at[3])
{
    return at[0] < i->width && at[1] < i->height && at[2] < i->depth;
}
/* Where a pixel's sample is in such an image. */
void image_sample_position(const struct image *i, const uint32_t at[3], unsigned sample, uint32_t to[3]);

void mcs_init(struct image *i);
/* A pixel's element: a few bits for each sample, all ones where the pixel is cleared. False: a fault. */
bool mcs_load(struct message_context *b, const struct image *i, const uint32_t at[3], uint64_t *element);
bool mcs_is_cleared(const struct image *i, uint64_t element);
/* The array element that holds a sample. */
unsigned mcs_place(const struct image *i, uint64_t element, unsigned sample);
/* Before a write of a pixel's samples: gives each its own array element, with what the pixel had. `samples`:
 * the image of samples. False: a fault. */
bool mcs_expand(struct message_context *b, const struct image *i, const struct image *samples,
                const uint32_t at[3]);
/* Notes it of a pixel whose samples are all written. */
void mcs_note_expanded(struct message_context *b, const struct image *i, const uint32_t at[3]);
/* The same of a subspan that is known to need it not: its elements are in memory that the TLB has. */
bool mcs_is_known_expanded(const struct message_context *b, const struct image *i, const uint32_t at[3]);
/* The bytes of the control surface from its base on; 0: there is none. */
uint64_t mcs_bytes(const struct image *i);
/* No two pixels have the same element. */
bool mcs_rows_are_apart(const struct image *i);
/* Reads a pixel's sample; outside the surface it is zeros. `samples`: the image of samples. False: a fault.
 */
bool image_read_sample(struct message_context *b, const struct image *i, const struct image *samples,
                       const uint32_t at[3], unsigned sample, union softgt_color *color);
/* The bytes of a pixel's sample, by its element of the MCS, if there is one. False: it is outside. */
bool image_sample_bytes(struct message_context *b, const struct image *i, const struct image *samples,
                        const uint32_t at[3], uint64_t element, unsigned sample, uint8_t *pixel);
/* Of a pixel. */
uint32_t mcs_element_bytes(const struct image *i);
/* Says of a rectangle's pixels that the first array element holds all of their samples. */
void mcs_store_first(struct message_context *b, const struct image *i, const uint32_t from[3],
                     const uint32_t size[2]);
/* Clears rows of an array element from `y` on. */
void mcs_clear_rows(struct message_context *b, const struct image *i, uint32_t slice, uint32_t y,
                    uint32_t rows);

/* ---- Cubes (sampler/cube.c) ---- */

enum { CUBE_SIDES = 6 };
struct cube_place {
    unsigned side;
    double at[2]; /* 0 to 1 */
};
struct cube_place cube_place(const double direction[3]);
void cube_gradient(const double direction[3], const double change[3], double moved[2]);
/* The difference of the face coordinates of two directions, on the side that a third one shows: neighbors may
 * show another side, and are seen from this one. */
void cube_difference(const double direction[3], const double from[3], const double to[3], double moved[2]);
void cube_cross(unsigned *side, int64_t at[2], uint32_t size);

#endif
