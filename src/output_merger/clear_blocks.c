/*
 * Fast clears of Gen20. The pixel shader's color is the clear value, and a pixel of its rectangle stands for
 * a block of the target: 64 bytes of 4 rows. A target of several samples has such blocks of its multisample
 * control surface (MCS), which says then that all samples are in the first array element. (Mesa, blorp:
 * get_fast_clear_rect)
 */
#include "output_merger/clear_blocks.h"

#include "shared_function/image.h"

enum { LINE_BYTES = 64, BLOCK_ROWS = 4, BLOCK_BYTES = LINE_BYTES * BLOCK_ROWS, CHUNK = 16 };

/* Stores a row of pixels, 16 bytes at once: tilings have these side by side. */
static void store_row(struct message_context *b, const struct image *i, const uint32_t from[3],
                      uint32_t count, const uint8_t *pixels)
{
    const uint32_t bytes = i->format->bytes;
    uint32_t at[3] = {from[0], from[1], from[2]}, together;
    for (uint32_t n = 0; n < count && !message_faulted(b); n += together, at[0] += together) {
        uint64_t address;
        if (!image_pixel_address(i, at, &address))
            return;
        const uint32_t fit = (CHUNK - (uint32_t)(address % CHUNK)) / bytes, left = count - n;
        together = fit > left ? left : fit ? fit : 1;
        b->work.memory_accesses++;
        message_store(b, address, pixels, (size_t)together * bytes);
    }
}

/* Stores a block whose bytes follow each other. False: they do not. */
static bool store_whole(struct message_context *b, const struct image *i, const uint32_t from[3],
                        const uint32_t size[2], const uint8_t *pixels)
{
    const uint32_t end[3] = {from[0] + size[0] - 1u, from[1] + size[1] - 1u, from[2]};
    const uint64_t bytes = i->format->bytes;
    uint64_t first, last;
    if (!i->surface.tiles || size[0] * bytes != LINE_BYTES || size[1] != BLOCK_ROWS ||
        !image_pixel_address(i, from, &first) || !image_pixel_address(i, end, &last) || first % BLOCK_BYTES ||
        last != first + BLOCK_BYTES - bytes)
        return false;
    for (unsigned n = 0; n < BLOCK_ROWS && !message_faulted(b); n++) {
        b->work.memory_accesses++;
        message_store(b, first + n * (uint64_t)LINE_BYTES, pixels, LINE_BYTES);
    }
    return true;
}

/* Stores pixels of one color, as far as the image has them. */
static void store_pixels(struct message_context *b, const struct image *i, const uint32_t from[3],
                         const uint32_t size[2], const union softgt_color *color)
{
    uint8_t pixels[LINE_BYTES], pixel[PIXEL_BYTES] = {0};
    const uint32_t bytes = i->format->bytes;
    softgt_pixel_encode(i->format, color, pixel);
    for (uint32_t n = 0; n + bytes <= LINE_BYTES; n += bytes)
        memcpy(pixels + n, pixel, bytes);
    if (store_whole(b, i, from, size, pixels))
        return;
    for (uint32_t row = 0; row < size[1] && !message_faulted(b); row++)
        store_row(b, i, (const uint32_t[3]){from[0], from[1] + row, from[2]}, size[0], pixels);
}

/* The pixels that a pixel of the rectangle stands for, without those that the target does not have. False: it
 * has none. */
static bool block_of(const struct image *i, const uint32_t at[3], uint32_t from[3], uint32_t size[2])
{
    const uint32_t bytes = i->samples_log2 ? mcs_element_bytes(i) : i->format->bytes;
    const uint32_t step[2] = {bytes < LINE_BYTES ? LINE_BYTES / bytes : 1, BLOCK_ROWS},
                   extent[2] = {i->width, i->height};
    from[2] = at[2];
    for (unsigned axis = 0; axis < 2; axis++) {
        if (at[2] >= i->depth || at[axis] >= (extent[axis] + step[axis] - 1u) / step[axis])
            return false;
        from[axis] = at[axis] * step[axis];
        size[axis] = extent[axis] - from[axis] < step[axis] ? extent[axis] - from[axis] : step[axis];
    }
    return true;
}

void clear_block(struct message_context *b, const struct image *i, const uint32_t at[3],
                 const union softgt_color *color)
{
    uint32_t from[3], size[2];
    if (i->is_null || i->is_buffer || !i->format || !block_of(i, at, from, size))
        return;
    struct image samples = *i;
    image_divide_samples(&samples);
    for (unsigned n = 0; n < 1u << i->samples_log2 && (!n || !i->mcs.is_present); n++) {
        uint32_t place[3];
        image_sample_position(i, from, n, place);
        store_pixels(b, &samples, place, size, color);
    }
    if (i->samples_log2 && i->mcs.is_present)
        mcs_store_first(b, i, from, size);
}
