/* Surfaces of a draw: where a level's, layer's and sample's pixels are, and pictures of them. */
#ifndef DRAWS_SURFACES_H
#define DRAWS_SURFACES_H

#include "device/host.h"
#include "shared_function/image.h"

/* What a message context of the engine has of a surface state: that of a target at its level, or that of a
 * texture at level 0. False: the engine runs no threads, or the state is of no picture. */
bool surface_image(struct softgt *device, unsigned engine, const uint32_t dw[SURFACE_STATE_DW],
                   bool is_target, struct image *i);

/* The array elements or slices that a level has. */
uint32_t image_level_layers(const struct image *i, uint32_t level);

/* Addresses of 48 bits may have others above, which are the sign. */
static inline uint64_t graphics_address(uint64_t address)
{
    return address & ((UINT64_C(1) << 48) - 1u);
}
/* The store has a byte of these. */
bool event_stores_to(const struct softgt_event *e, uint64_t address, uint64_t size_bytes);

/* A pixel in memory. */
struct pixel_place {
    uint64_t address;
    unsigned bytes;
    const struct softgt_format *format;
};

/* The place of a pixel's sample; at: x, y, layer of the view. False: it is outside. */
bool surface_place(const struct image *i, const uint32_t at[3], unsigned sample, struct pixel_place *place);
/* The same of a depth or stencil buffer. */
bool depth_buffer_place(const struct depth_stencil *s, bool is_stencil, unsigned samples_log2,
                        const uint32_t at[3], unsigned sample, struct pixel_place *place);
/* False: it is not mapped. */
bool place_read(struct softgt *device, unsigned engine, const struct pixel_place *place,
                union softgt_color *color);

/* The depth and stencil state of the engine. False: it is not supported, or there is none. */
bool depth_state(struct softgt *device, unsigned engine, struct depth_stencil *s, unsigned *samples_log2);

/* The level of the depth and stencil buffer. */
uint32_t depth_level(struct softgt *device, unsigned engine);

enum { SURFACE_PICTURE_PIXELS = 1 << 22 };

/* Pictures as picture_read makes them. NULL: too large, no pixels, or out of memory. */
uint8_t *surface_picture(struct softgt *device, unsigned engine, const struct image *i, unsigned layer,
                         unsigned sample);
uint8_t *depth_picture(struct softgt *device, unsigned engine, const struct depth_stencil *s, bool is_stencil,
                       unsigned samples_log2, unsigned layer, unsigned sample, uint32_t size[2]);

/* A pixel's value as text: in the format's own components. */
void place_text(const struct softgt_format *format, const union softgt_color *color, char *text, size_t size);

#endif
