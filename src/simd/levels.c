/*
 * The vector level of the host, and caches with the handlers of a level.
 */
#include "simd/levels.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#if defined(__x86_64__)
eu_simd_selector *const eu_simd_select[EU_SIMD_LEVELS] = {NULL, eu_simd_v2, eu_simd_v3,
#if HAS_LEVEL_V4
                                                          eu_simd_v4
#endif
};
#else
eu_simd_selector *const eu_simd_select[EU_SIMD_LEVELS] = {NULL, eu_simd_v2}; /* for costs: see cache.c */
#endif

#if defined(__x86_64__)
/* F16C, for which clang 14's __builtin_cpu_supports has no name. */
static bool converts_halves(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}

enum eu_simd_level eu_host_simd_level(void)
{
    __builtin_cpu_init();
    if (HAS_LEVEL_V4 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return EU_SIMD_V4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && converts_halves())
        return EU_SIMD_V3;
    return __builtin_cpu_supports("sse4.2") ? EU_SIMD_V2 : EU_SIMD_NONE;
}
#else
enum eu_simd_level eu_host_simd_level(void)
{
    return EU_SIMD_NONE;
}
#endif

#if defined(__x86_64__)
/* Vector handlers leave the upper halves of vector registers dirty, which slows down code without AVX. */
__attribute__((target("avx"))) static struct eu_decoded *run_slow_path_without_avx(struct eu_run *r,
                                                                                   struct eu_decoded *op,
                                                                                   uint64_t left)
{
    _mm256_zeroupper();
    EU_TAIL_CALL(eu_run_slow_path, r, op, left);
}

__attribute__((target("avx"))) static struct eu_decoded *run_planned_message_without_avx(
    struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    _mm256_zeroupper();
    EU_TAIL_CALL(eu_run_planned_message, r, op, left);
}
#endif

struct eu_cache *eu_cache_create_simd(enum eu_simd_level level)
{
    struct eu_backend backend = {.select_simd = eu_simd_select[level],
                                 .select_any_level = eu_simd_select[EU_SIMD_V2],
                                 .run_slow_path = eu_run_slow_path,
                                 .run_planned_message = eu_run_planned_message};
#if defined(__x86_64__)
    if (level >= EU_SIMD_V3) {
        backend.run_slow_path = run_slow_path_without_avx;
        backend.run_planned_message = run_planned_message_without_avx;
    }
#endif
    return level <= eu_host_simd_level() ? eu_cache_create_with(&backend) : NULL;
}
