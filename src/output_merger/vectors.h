/* Vectors of pixels, as wide as the level that a file is compiled for has them. */
#ifndef OUTPUT_MERGER_VECTORS_H
#define OUTPUT_MERGER_VECTORS_H

#include "base/inline.h"

#include <stdint.h>
#include <string.h>

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#include <immintrin.h>
#define HAS_AVX2       1
#define OF_LEVEL(name) name##_v3
enum { LANES = 8 };
#else
#define HAS_AVX2       0
#define OF_LEVEL(name) name##_any
enum { LANES = 4 };
#endif

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef uint32_t vu __attribute__((vector_size(LANES * 4)));

static INLINE vf splat(float value)
{
    return value - (vf){0};
}

static INLINE vu splat_bits(uint32_t value)
{
    return value - (vu){0};
}

/* The lanes of `yes` where the mask is set, of `no` elsewhere. */
static INLINE vf choose(vi mask, vf yes, vf no)
{
    return (vf)(((vi)yes & mask) | ((vi)no & ~mask));
}

/* `b` where one is a NaN or both are zeros. */
static INLINE vf greater_of(vf a, vf b)
{
#if HAS_AVX2
    return (vf)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return choose(a > b, a, b);
#endif
}

static INLINE vf less_of(vf a, vf b)
{
#if HAS_AVX2
    return (vf)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return choose(a < b, a, b);
#endif
}

/* The bits of value * scale as a whole number, ties to even; the product is exact, and below 2^22. */
static INLINE vu scale_to_integer(vf value, uint32_t scale)
{
#if HAS_AVX2
    return (vu)_mm256_fmadd_ps((__m256)value, (__m256)splat((float)scale), (__m256)splat(0x1.8p23f));
#else
    vu bits = {0};
    for (unsigned n = 0; n < LANES; n++) { /* doubles hold the products */
        const double whole = (double)value[n] * scale + 0x1.8p52;
        uint64_t integer;
        memcpy(&integer, &whole, sizeof integer);
        bits[n] = (uint32_t)integer;
    }
    return bits;
#endif
}

static INLINE vf load_lanes(const void *from)
{
    vf v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Eight dwords of a square whose lines follow each other: from memory in the order of pixels, and back. */
static INLINE void move_half_square(uint8_t *to, const uint8_t *from)
{
#if HAS_AVX2
    enum { SWAP_MIDDLE = 0xd8 };
    const __m256i pairs = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute4x64_epi64(pairs, SWAP_MIDDLE));
#else
    enum { PAIR = 8, PAIRS = 4 };
    for (unsigned n = 0; n < PAIRS; n++)
        memcpy(to + (n / 2 + n % 2 * 2) * PAIR, from + n * PAIR, PAIR);
#endif
}

#endif
