/* Vector levels of the host, and caches with the handlers of a level. */
#ifndef SIMD_LEVELS_H
#define SIMD_LEVELS_H

#include "interp/execute.h"

/* x86-64-v2, -v3 and -v4. */
#if defined(__x86_64__) && !defined(WITHOUT_AVX512)
#define HAS_LEVEL_V4 1
#else
#define HAS_LEVEL_V4 0 /* nobody has it then: the host's level is a lower one */
#endif

enum eu_simd_level { EU_SIMD_NONE, EU_SIMD_V2, EU_SIMD_V3, EU_SIMD_V4, EU_SIMD_LEVELS };

/* Selectors of handlers.c, which is compiled once for each level. */
eu_simd_selector eu_simd_v2, eu_simd_v3, eu_simd_v4;
extern eu_simd_selector *const eu_simd_select[EU_SIMD_LEVELS]; /* NULL: not for this architecture */

/* The highest level the host supports. */
enum eu_simd_level eu_host_simd_level(void);

/* Creates a cache without translator. NULL: out of memory, or the host does not support the level. */
struct eu_cache *eu_cache_create_simd(enum eu_simd_level level);

#endif
