/* Kernels that run often, translated to code for the host. */
#ifndef JIT_JIT_H
#define JIT_JIT_H

#include "simd/levels.h"

/* The best cache for this host; it translates if there is memory for code (optional). NULL: no memory. */
struct eu_cache *eu_cache_create(const struct softgt_code_port *memory);

/* A run of instructions is translated when it has run this often. */
enum { EU_JIT_AFTER = 64 };
/* Translates after `after` runs. False: there is no translator for the host, or for the cache's level. */
bool eu_cache_enable_jit(struct eu_cache *cache, const struct softgt_code_port *memory, unsigned after);

#endif
