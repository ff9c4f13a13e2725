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

/* How bits mean a number. */
enum softgt_component {
    SOFTGT_COMPONENT_UNUSED,
    SOFTGT_COMPONENT_UNORM,   /* value / (2^n - 1) (OVR-11) */
    SOFTGT_COMPONENT_SRGB,    /* UNORM with gamma: linear outside, sRGB in memory */
    SOFTGT_COMPONENT_SNORM,   /* two's complement / (2^(n-1) - 1), not below -1 */
    SOFTGT_COMPONENT_UINT,    /* the integer; as a number here */
    SOFTGT_COMPONENT_SINT,    /* two's complement integer */
    SOFTGT_COMPONENT_USCALED, /* UINT that shaders see as float */
    SOFTGT_COMPONENT_SSCALED,
    SOFTGT_COMPONENT_FLOAT,  /* of 64, 32, 16, 11 and 10 bits; the last two have no sign (OVR-12) */
    SOFTGT_COMPONENT_SFIXED, /* two's complement with 16 bits of fraction, of vertices */
};

/*
 * Decodes the number in the low `bits` bits of `raw`. `bits` is 1 ... 32; for SOFTGT_COMPONENT_FLOAT 10, 11,
 * 16, 32, 64.
 *
 * Returns the double nearest to the value for SOFTGT_COMPONENT_UNORM and SOFTGT_COMPONENT_SNORM, one within
 * one ulp of it for SOFTGT_COMPONENT_SRGB, the exact value for the others.
 */
SOFTGT_API double softgt_component_decode(enum softgt_component kind, unsigned bits, uint64_t raw);
/* Encodes a number, the inverse of softgt_component_decode. Returns it in the low `bits` bits. */
SOFTGT_API uint64_t softgt_component_encode(enum softgt_component kind, unsigned bits, double value);
/* Decodes a number to a 32-bit float, as in the 3D pipe. Returns the value rounded once, from the exact value
 * of softgt_component_decode. */
SOFTGT_API float softgt_component_to_float(enum softgt_component kind, unsigned bits, uint64_t raw);

/* Converts the bits of a 16-bit float. Returns the bits of the 32-bit float with the same value. */
SOFTGT_API uint32_t softgt_float16_to_32(uint16_t bits);
/* Converts the bits of a 32-bit float. Returns the bits of the nearest 16-bit float. */
SOFTGT_API uint16_t softgt_float32_to_16(uint32_t bits);

/* Decodes R9G9B9E5_SHAREDEXP: red in 8:0, green in 17:9, blue in 26:18, exponent in 31:27. */
SOFTGT_API void softgt_r9g9b9e5_decode(uint32_t bits, float rgb[3]);
/* Encodes R9G9B9E5_SHAREDEXP, which has no sign, infinity or NaN. Returns its bits. */
SOFTGT_API uint32_t softgt_r9g9b9e5_encode(const float rgb[3]);

/* Converts an sRGB value from 0 to 1. Returns the linear value. */
SOFTGT_API double softgt_srgb_to_linear(double value);
/* Converts a linear value from 0 to 1. Returns the sRGB value. */
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

/* Lists the surface formats, from index 0 on. Returns NULL past the last; else static storage of the library.
 */
SOFTGT_API const struct softgt_format *softgt_format_at(size_t index);
/* Finds a surface format by its name. Returns NULL if there is none; else static storage of the library. */
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

/* Decodes a pixel, format->bytes bytes of memory, to a color. A missing component reads 0, a missing alpha 1.
 */
SOFTGT_API void softgt_pixel_decode(const struct softgt_format *format, const void *pixel,
                                    union softgt_color *rgba);
/* Encodes a color to a pixel, format->bytes bytes of memory. A component that stands for several colors
 * (L8_UNORM) is written from the first of them. */
SOFTGT_API void softgt_pixel_encode(const struct softgt_format *format, const union softgt_color *rgba,
                                    void *pixel);

/* ---- Blocks ---- */

/* A format with texels in blocks of width by height: BC1 to BC7, ETC1, ETC2, EAC, ASTC. */
struct softgt_block_format {
    const char *name; /* "BC1_UNORM" */
    uint8_t width, height, bytes;
    uint8_t codec;                 /* for the library */
    enum softgt_component kind[4]; /* of the decoded texel: red, green, blue, alpha */
};

/* Lists the block formats, from index 0 on. Returns NULL past the last; else static storage of the library.
 */
SOFTGT_API const struct softgt_block_format *softgt_block_format_at(size_t index);
/* Finds a block format by its name. Returns NULL if there is none; else static storage of the library. */
SOFTGT_API const struct softgt_block_format *softgt_block_format_find(const char *name);
/* Decodes the texel at x, y of a block to floats. A missing component reads 0, a missing alpha 1. */
SOFTGT_API void softgt_block_decode(const struct softgt_block_format *format, const void *block, unsigned x,
                                    unsigned y, union softgt_color *rgba);

/* ---- Media compression ---- */

/* Page sizes of media compression, in bytes. */
enum { SOFTGT_MEDIA_4K_PAGES = 4096, SOFTGT_MEDIA_64K_PAGES = 65536 };

/*
 * Computes the pitch that a surface needs for media compression: one tile more than its rows, padded to
 * padding_bytes (0: no padding); its width is unchanged. page_bytes is one of the sizes above. (OVR-13)
 *
 * Returns the pitch in tiles. 0: an argument is 0, or the surface is too wide for media compression with this
 * page size (4K pixels of 4 bytes, 16K with 64 KB pages).
 */
SOFTGT_API uint32_t softgt_media_compression_pitch(uint32_t row_bytes, uint32_t padding_bytes,
                                                   uint32_t tile_width_bytes, uint32_t page_bytes);

#ifdef __cplusplus
}
#endif

#endif
