/* Pictures as PNG files. */
#include "host/output.h"
#include "host/picture.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

const char *picture_missing(void)
{
    return NULL;
}

uint8_t *picture_encode(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *size_bytes)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *const bytes = malloc(size);
    if (bytes && png_image_write_to_memory(&image, bytes, &size, 0, rgba, 0, NULL)) {
        *size_bytes = size;
        return bytes;
    }
    free(bytes);
    return NULL;
}

int picture_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
    struct output file;
    if (!output_open(&file, path))
        return errno;
    errno = 0;
    if (png_image_write_to_stdio(&image, file.file, 0, rgba, 0, NULL))
        return output_close(&file) ? 0 : errno;
    const int error = errno ? errno : EIO;
    output_drop(&file);
    return error;
}
