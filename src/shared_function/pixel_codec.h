/* Pixels of the most frequent formats, without the general conversion of each component. */
#ifndef SHARED_FUNCTION_PIXEL_CODEC_H
#define SHARED_FUNCTION_PIXEL_CODEC_H

#include <softgt/formats.h>

#include <string.h>

enum pixel_codec {
    PIXEL_ANY,        /* by softgt_pixel_encode and softgt_pixel_decode */
    PIXEL_UNORM_BYTES /* four bytes of UNORM in any order, or three and an unused one */
};

static inline enum pixel_codec pixel_codec_of(const struct softgt_format *f)
{
    bool all = f->bytes == 4 && !f->shared_exponent && f->part[0].first != f->part[1].first;
    for (unsigned i = 0; i < 4; i++)
        all &= (f->part[i].bits == 8 && f->part[i].kind == SOFTGT_COMPONENT_UNORM) ||
               (i == 3 && !f->part[i].bits);
    return all ? PIXEL_UNORM_BYTES : PIXEL_ANY;
}

enum { UNORM8_MOST = 255 };

/* A double holds the product of a float and 255; adding 2^52 rounds it to a whole number, ties to even. */
static inline uint32_t unorm8_from_float(float value)
{
    const float positive = value > 0 ? value : 0, limited = positive < 1 ? positive : 1; /* NaN: 0 */
    const double whole = (double)limited * UNORM8_MOST + 0x1p52;
    uint64_t bits;
    memcpy(&bits, &whole, sizeof bits);
    return (uint32_t)bits & UNORM8_MOST;
}

static inline void pixel_encode(enum pixel_codec codec, const struct softgt_format *f,
                                const union softgt_color *rgba, void *pixel)
{
    uint32_t bits = 0;
    if (codec == PIXEL_ANY) {
        softgt_pixel_encode(f, rgba, pixel);
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        bits |= unorm8_from_float(rgba->f[i]) << f->part[i].first;
    if (f->part[3].bits)
        bits |= unorm8_from_float(rgba->f[3]) << f->part[3].first;
    memcpy(pixel, &bits, sizeof bits);
}

static inline void pixel_decode(enum pixel_codec codec, const struct softgt_format *f, const void *pixel,
                                union softgt_color *rgba)
{
    uint32_t bits;
    if (codec == PIXEL_ANY) {
        softgt_pixel_decode(f, pixel, rgba);
        return;
    }
    memcpy(&bits, pixel, sizeof bits);
    for (unsigned i = 0; i < 3; i++)
        rgba->f[i] = (float)(bits >> f->part[i].first & UNORM8_MOST) / (float)UNORM8_MOST;
    rgba->f[3] = f->part[3].bits ? (float)(bits >> f->part[3].first & UNORM8_MOST) / (float)UNORM8_MOST : 1;
}

#endif
