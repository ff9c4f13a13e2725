/* C that the extension module has besides the library's headers: ports that must not wait for the
 * interpreter. */

#include <stdlib.h>

/* cdef */
struct python_range {
    uint64_t address, size_bytes;
    void *host;
};
/* Ranges of memory that a device reaches without a call of Python. */
struct python_memory {
    size_t count;
    struct python_range *ranges;
};
void *python_memory_map(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write);
/* `rgba` has 16 bytes a pixel. */
void python_pixels_decode(const struct softgt_format *format, const char *pixels, size_t count, char *rgba);
void python_pixels_encode(const struct softgt_format *format, const char *rgba, size_t count, char *pixels);
/* Blocks of one row and the next ones; `rgba` has pitch_px * 16 bytes a row of texels. */
void python_blocks_decode(const struct softgt_block_format *format, const char *blocks, size_t width_px,
                          size_t height_px, char *rgba);
void free(void *memory);
/* end of cdef */

void *python_memory_map(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write)
{
    const struct python_memory *memory = user;
    (void)write;
    for (size_t i = 0; i < memory->count; i++) {
        const struct python_range *r = &memory->ranges[i];
        if (bus_address - r->address < r->size_bytes) {
            *length_bytes = r->size_bytes - (bus_address - r->address);
            return (char *)r->host + (bus_address - r->address);
        }
    }
    *length_bytes = 0;
    return NULL;
}

void python_pixels_decode(const struct softgt_format *format, const char *pixels, size_t count, char *rgba)
{
    for (size_t i = 0; i < count; i++) {
        union softgt_color color;
        softgt_pixel_decode(format, pixels + i * format->bytes, &color);
        __builtin_memcpy(rgba + i * sizeof color, &color, sizeof color);
    }
}

void python_pixels_encode(const struct softgt_format *format, const char *rgba, size_t count, char *pixels)
{
    for (size_t i = 0; i < count; i++) {
        union softgt_color color;
        __builtin_memcpy(&color, rgba + i * sizeof color, sizeof color);
        softgt_pixel_encode(format, &color, pixels + i * format->bytes);
    }
}

void python_blocks_decode(const struct softgt_block_format *format, const char *blocks, size_t width_px,
                          size_t height_px, char *rgba)
{
    const size_t per_row = (width_px + format->width - 1) / format->width;
    for (size_t y = 0; y < height_px; y++) {
        for (size_t x = 0; x < width_px; x++) {
            const char *block = blocks + (y / format->height * per_row + x / format->width) * format->bytes;
            union softgt_color color;
            softgt_block_decode(format, block, (unsigned)(x % format->width), (unsigned)(y % format->height),
                                &color);
            __builtin_memcpy(rgba + (y * width_px + x) * sizeof color, &color, sizeof color);
        }
    }
}
