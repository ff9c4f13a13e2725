/*
 * softgt formats: converts numbers and pixels in memory to and from floating point, exactly by the manual's
 * rules. An independent library: no device, no state, no allocation; all functions are pure and thread-safe.
 *
 * Rounding is to nearest, ties to even, wherever a result cannot be exact. NaN becomes NaN in formats that
 * have it, else 0. Infinities and numbers out of range become infinity in formats that have it, else the
 * nearest end of the range. (OVR-11, OVR-12, OVR-13)
 */
#ifndef SOFTGT_FORMATS_H
#define SOFTGT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SOFTGT_API
#if defined(__GNUC__)
#define SOFTGT_API __attribute__((visibility("default")))
#else
#define SOFTGT_API
#endif
#endif

/* ---- One component ---- */

enum softgt_component {
    SOFTGT_UNUSED,
    SOFTGT_UNORM,   /* value / (2^n - 1) (OVR-11) */
    SOFTGT_SRGB,    /* UNORM with gamma: linear outside, sRGB in memory */
    SOFTGT_SNORM,   /* two's complement / (2^(n-1) - 1), not below -1 */
    SOFTGT_UINT,    /* the integer; as a number here */
    SOFTGT_SINT,    /* two's complement integer */
    SOFTGT_USCALED, /* UINT that shaders see as float */
    SOFTGT_SSCALED,
    SOFTGT_FLOAT,  /* of 64, 32, 16, 11 and 10 bits; the last two have no sign (OVR-12) */
    SOFTGT_SFIXED, /* two's complement with 16 bits of fraction, of vertices */
};

/*
 * The number in the low `bits` bits of `raw`. bits: 1 ... 32; FLOAT: 10, 11, 16, 32, 64. UNORM
 * and SNORM of any width give the double nearest to the value, SRGB a double within one ulp of it, the others
 * the exact value.
 */
SOFTGT_API double softgt_component_decode(enum softgt_component kind, unsigned bits, uint64_t raw);
/* The inverse: the result is in the low `bits` bits. */
SOFTGT_API uint64_t softgt_component_encode(enum softgt_component kind, unsigned bits, double value);
/* softgt_component_decode to a 32-bit float, as in the 3D pipe: rounded once, from the exact value. */
SOFTGT_API float softgt_component_to_float(enum softgt_component kind, unsigned bits, uint64_t raw);

/* Conversions between floats, given as bits. */
SOFTGT_API uint32_t softgt_float16_to_32(uint16_t bits);
SOFTGT_API uint16_t softgt_float32_to_16(uint32_t bits);

/* R9G9B9E5_SHAREDEXP: red in 8:0, green in 17:9, blue in 26:18, exponent in 31:27. No sign, infinity or NaN.
 */
SOFTGT_API void softgt_r9g9b9e5_decode(uint32_t bits, float rgb[3]);
SOFTGT_API uint32_t softgt_r9g9b9e5_encode(const float rgb[3]);

/* The sRGB curve, of values from 0 to 1. */
SOFTGT_API double softgt_srgb_to_linear(double value);
SOFTGT_API double softgt_linear_to_srgb(double value);

/* ---- Pixels ---- */

/* Position of a component in a pixel; 0 bits: the format does not have it. */
struct softgt_format_part {
    uint8_t first, bits;
    enum softgt_component kind;
};

/* A surface format. Names are the manual's: the first component is in the lowest bits. */
struct softgt_format {
    const char *name; /* "B8G8R8A8_UNORM" */
    uint8_t bytes;    /* of a pixel: 1 ... 16 */
    bool shared_exponent;
    struct softgt_format_part part[4]; /* red, green, blue, alpha */
};

/* The format at an index, or by its name; NULL past the last and for unknown names. Static storage. */
SOFTGT_API const struct softgt_format *softgt_format_at(size_t index);
SOFTGT_API const struct softgt_format *softgt_format_find(const char *name);

/*
 * Red, green, blue and alpha as the 3D pipe holds them. UINT and SINT formats keep their integers, extended
 * to 32 bits, in u and s; R64_FLOAT has red in d[0]; all others have floats, NaNs of 32 bits with their bits.
 * (OVR-11)
 */
union softgt_color {
    float f[4];
    uint32_t u[4];
    int32_t s[4];
    double d[2];
};

/* Converts format->bytes bytes of memory. A missing component reads 0, a missing alpha 1. A component that
 * stands for several colors (L8_UNORM) is written from the first of them. */
SOFTGT_API void softgt_pixel_decode(const struct softgt_format *format, const void *pixel,
                                    union softgt_color *rgba);
SOFTGT_API void softgt_pixel_encode(const struct softgt_format *format, const union softgt_color *rgba,
                                    void *pixel);

/* ---- Blocks ---- */

/* A format with texels in blocks of width by height: BC1 to BC7, ETC1, ETC2, EAC, ASTC. */
struct softgt_block_format {
    const char *name; /* "BC1_UNORM" */
    uint8_t width, height, bytes;
    uint8_t codec;
    enum softgt_component kind[4]; /* of the decoded texel: red, green, blue, alpha */
};

/* As for pixels. */
SOFTGT_API const struct softgt_block_format *softgt_block_format_at(size_t index);
SOFTGT_API const struct softgt_block_format *softgt_block_format_find(const char *name);
/* Decodes the texel at x, y of a block to floats. A missing component reads 0, a missing alpha 1. */
SOFTGT_API void softgt_block_decode(const struct softgt_block_format *format, const void *block, unsigned x,
                                    unsigned y, union softgt_color *rgba);

/* ---- Media compression ---- */

enum { SOFTGT_MEDIA_4K_PAGES = 4096, SOFTGT_MEDIA_64K_PAGES = 65536 };

/*
 * Pitch, in tiles, that a surface needs for media compression: one tile more than its rows, padded to
 * padding_bytes (0: no padding); its width is unchanged. 0: it is too wide for media compression with this
 * page size (4K pixels of 4 bytes, 16K with 64 KB pages), or an argument is 0. (OVR-13)
 */
SOFTGT_API uint32_t softgt_media_compression_pitch(uint32_t row_bytes, uint32_t padding_bytes,
                                                   uint32_t tile_width_bytes, uint32_t page_bytes);

#ifdef __cplusplus
}
#endif

#endif
