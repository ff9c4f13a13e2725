/* In place of picture_file.c, for builds without libpng. Callers ask picture_missing before they begin. */
#include "host/picture.h"

#include <errno.h>
#include <stddef.h>

const char *picture_missing(void)
{
    return "this build writes no pictures: it was made without libpng (-Dpictures=enabled)";
}

uint8_t *picture_encode(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *size_bytes)
{
    (void)rgba, (void)width, (void)height, (void)size_bytes;
    return NULL;
}

int picture_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    (void)path, (void)rgba, (void)width, (void)height;
    return ENOSYS;
}
