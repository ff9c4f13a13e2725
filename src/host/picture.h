/* Surfaces as PNG pictures. */
#ifndef HOST_PICTURE_H
#define HOST_PICTURE_H

#include "device/host.h"

#include <softgt/formats.h>

enum { PICTURE_GGTT = -1 };

/* A surface in graphics memory. */
struct picture {
    struct softgt *device;
    int engine; /* engine whose per-process address space it is in; PICTURE_GGTT */
    uint64_t address;
    uint32_t width, height; /* pixels */
    int32_t pitch_bytes;
    enum softgt_tiling tiling;
    const struct softgt_format *format;
};

/* The format of an XY_ blit, by its Color Depth. 32 bits have no alpha, which most blits leave undefined. */
const struct softgt_format *picture_format_of_depth(unsigned depth);
/* The smallest pitch for a width. */
uint32_t picture_pitch(uint32_t width, const struct softgt_format *format, enum softgt_tiling tiling);

/* Reads the pixels as they are in the format, row after row. */
void picture_read_rows(const struct picture *p, uint8_t *rows, uint64_t *missing);
/* Reads the picture: width * height * 4 bytes of red, green, blue and alpha, which the caller frees. NULL:
 * out of memory. Pixels that are not mapped are transparent; *missing counts them. */
uint8_t *picture_read(const struct picture *p, uint64_t *missing);
/* A color of the format as red, green, blue and alpha of 8 bits. */
void picture_put_color(const struct softgt_format *format, const union softgt_color *color, uint8_t rgba[4]);
/* The reason why this build writes no pictures; NULL: it does. */
const char *picture_missing(void);
/* The bytes of a PNG file, which the caller frees. NULL: out of memory. */
uint8_t *picture_encode(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *size_bytes);
/* Returns 0 or an errno value. */
int picture_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height);

#endif
