/* Surfaces as PNG pictures. */
#ifndef HOST_PICTURE_H
#define HOST_PICTURE_H

#include "device/device.h"

#include <softgt/formats.h>

enum { PICTURE_GGTT = -1 };

/* A surface in graphics memory. */
struct picture {
    struct softgt *device;
    int engine; /* whose per-process memory; PICTURE_GGTT */
    uint64_t address;
    uint32_t width, height; /* pixels */
    int32_t pitch_bytes;
    enum softgt_tiling tiling;
    const struct softgt_format *format;
};

/* Formats of XY_ blits, by their Color Depth; 32 bits without alpha, which most leave undefined. */
const struct softgt_format *picture_format_of_depth(unsigned depth);
/* A pitch that holds the width. */
uint32_t picture_pitch(uint32_t width, const struct softgt_format *format, enum softgt_tiling tiling);

/*
 * Reads the picture: width * height * 4 bytes of red, green, blue and alpha, which the caller frees; NULL: no
 * memory for it. Pixels that are not mapped are clear; *missing counts them.
 */
uint8_t *picture_read(const struct picture *p, uint64_t *missing);
/* 0, or an errno value. */
int picture_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height);

#endif
