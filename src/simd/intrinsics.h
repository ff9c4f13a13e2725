/*
 * The host's vector instructions. Hosts without SSE get the few that the lowest level uses, in plain C: there
 * its handlers do not run, but the selector says which instructions have one, and so what they cost.
 */
#ifndef SIMD_INTRINSICS_H
#define SIMD_INTRINSICS_H

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include "base/inline.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef float __m128 __attribute__((vector_size(16)));
typedef double __m128d __attribute__((vector_size(16)));
enum { _MM_FROUND_TO_NEAREST_INT, _MM_FROUND_TO_NEG_INF, _MM_FROUND_TO_POS_INF, _MM_FROUND_TO_ZERO };
enum { _MM_FROUND_NO_EXC = 8 };

static INLINE __m128 _mm_loadu_ps(const float *from)
{
    __m128 x;
    memcpy(&x, from, sizeof x);
    return x;
}

static INLINE void _mm_storeu_ps(float *to, __m128 x)
{
    memcpy(to, &x, sizeof x);
}

static INLINE int _mm_movemask_ps(__m128 x)
{
    return (signbit(x[0]) != 0) | (signbit(x[1]) != 0) << 1 | (signbit(x[2]) != 0) << 2 |
           (signbit(x[3]) != 0) << 3;
}

static INLINE int _mm_movemask_pd(__m128d x)
{
    return (signbit(x[0]) != 0) | (signbit(x[1]) != 0) << 1;
}

static INLINE __m128d _mm_add_pd(__m128d a, __m128d b)
{
    return a + b;
}

static INLINE __m128d _mm_mul_pd(__m128d a, __m128d b)
{
    return a * b;
}

static INLINE __m128d _mm_cvtps_pd(__m128 x)
{
    return (__m128d){(double)x[0], (double)x[1]};
}

static INLINE __m128 _mm_cvtpd_ps(__m128d x)
{
    return (__m128){(float)x[0], (float)x[1], 0, 0};
}

static INLINE __m128 _mm_movehl_ps(__m128 a, __m128 b)
{
    return (__m128){b[2], b[3], a[2], a[3]};
}

static INLINE __m128 _mm_movelh_ps(__m128 a, __m128 b)
{
    return (__m128){a[0], a[1], b[0], b[1]};
}

static INLINE __m128 _mm_shuffle_ps(__m128 a, __m128 b, unsigned which)
{
    return (__m128){a[which & 3], a[which >> 2 & 3], b[which >> 4 & 3], b[which >> 6 & 3]};
}

static INLINE __m128 _mm_sqrt_ps(__m128 x)
{
    return (__m128){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
}

static INLINE __m128d _mm_sqrt_pd(__m128d x)
{
    return (__m128d){sqrt(x[0]), sqrt(x[1])};
}

static INLINE __m128 _mm_round_ps(__m128 x, int how)
{
    for (unsigned n = 0; n < 4; n++)
        x[n] = (how & 3) == _MM_FROUND_TO_NEG_INF   ? floorf(x[n])
               : (how & 3) == _MM_FROUND_TO_POS_INF ? ceilf(x[n])
               : (how & 3) == _MM_FROUND_TO_ZERO    ? truncf(x[n])
                                                    : rintf(x[n]);
    return x;
}
#endif

#endif
