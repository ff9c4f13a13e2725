#include "host/picture.h"

#include "device/host.h"

#include <stdlib.h>
#include <string.h>

enum { RGBA = 4 };

const struct softgt_format *picture_format_of_depth(unsigned depth)
{
    static const char *const names[] = {"L8_UNORM",       "B5G6R5_UNORM",       "B5G5R5X1_UNORM",
                                        "B8G8R8X8_UNORM", "R16G16B16X16_FLOAT", "R32G32B32A32_FLOAT"};
    return softgt_format_find(names[depth < sizeof names / sizeof names[0] ? depth : 3]);
}

uint32_t picture_pitch(uint32_t width, const struct softgt_format *format, enum softgt_tiling tiling)
{
    const struct tile_layout *t = tile_layout(tiling, format->bytes);
    const uint32_t unit = t ? 1u << t->width_shift : 4;
    return (width * format->bytes + unit - 1u) / unit * unit;
}

static bool read_bytes(const struct picture *p, uint64_t address, void *data, size_t size)
{
    return p->engine == PICTURE_GGTT ? softgt_ggtt_read(p->device, address, data, size)
                                     : softgt_ppgtt_read(p->device, (unsigned)p->engine, address, data, size);
}

/* Reads one row. False: parts are not mapped, and zero. */
static bool read_row(const struct picture *p, uint32_t y, uint8_t *bytes, uint32_t size)
{
    const struct tile_layout *t = tile_layout(p->tiling, p->format->bytes);
    const bool swizzled = t && t->swizzle_from && device_tiles_swizzled(p->device);
    bool all = true;
    for (uint32_t x = 0, n; x < size; x += n) {
        uint64_t address = p->address + (uint64_t)((int64_t)y * p->pitch_bytes + x);
        n = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
        if (t) {
            address = p->address + (uint64_t)tile_offset(t, swizzled, p->pitch_bytes, (int32_t)x, (int32_t)y);
            n = tile_run(t, swizzled, x);
        }
        n = n < size - x ? n : size - x;
        if (!read_bytes(p, address, bytes + x, n)) {
            memset(bytes + x, 0, n);
            all = false;
        }
    }
    return all;
}

static double format_number(const struct softgt_format *f, const union softgt_color *c, unsigned i)
{
    switch (f->part[0].kind) {
    case SOFTGT_COMPONENT_UINT:
        return (double)c->u[i];
    case SOFTGT_COMPONENT_SINT:
        return (double)c->s[i];
    default:
        return f->part[0].bits == 64 && i < 2 ? (i == 0 ? c->d[0] : 0) : (double)c->f[i];
    }
}

void picture_put_color(const struct softgt_format *format, const union softgt_color *color, uint8_t rgba[4])
{
    const bool srgb = format->part[0].kind == SOFTGT_COMPONENT_SRGB;
    double numbers[RGBA];
    for (unsigned i = 0; i < RGBA; i++)
        numbers[i] = format_number(format, color, i);
    if (format->part[1].bits == 0 && format->part[3].bits == 0) /* a single channel is grey */
        numbers[1] = numbers[2] = numbers[0];
    for (unsigned i = 0; i < RGBA; i++)
        rgba[i] = (uint8_t)softgt_component_encode(
            srgb && i < 3 ? SOFTGT_COMPONENT_SRGB : SOFTGT_COMPONENT_UNORM, 8, numbers[i]);
}

void picture_read_rows(const struct picture *p, uint8_t *rows, uint64_t *missing)
{
    const uint32_t size = p->width * p->format->bytes;
    *missing = 0;
    for (uint32_t y = 0; y < p->height; y++)
        if (!read_row(p, y, rows + (size_t)y * size, size))
            *missing += p->width;
}

uint8_t *picture_read(const struct picture *p, uint64_t *missing)
{
    const uint32_t size = p->width * p->format->bytes;
    uint8_t *rgba = malloc((size_t)p->width * p->height * RGBA), *row = malloc(size);
    *missing = 0;
    for (uint32_t y = 0; rgba && row && y < p->height; y++) {
        uint8_t *to = rgba + (size_t)y * p->width * RGBA;
        if (!read_row(p, y, row, size))
            *missing += p->width;
        for (uint32_t x = 0; x < p->width; x++) {
            union softgt_color c;
            softgt_pixel_decode(p->format, row + (size_t)x * p->format->bytes, &c);
            picture_put_color(p->format, &c, to + (size_t)x * RGBA);
        }
    }
    if (!row) {
        free(rgba);
        rgba = NULL;
    }
    free(row);
    return rgba;
}
