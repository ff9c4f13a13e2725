/* Translation of frequent kernel code to host code. */
#ifndef JIT_JIT_H
#define JIT_JIT_H

#include "simd/levels.h"

/* Creates the best cache for this host. It translates if `memory` (optional) gives memory for code. NULL: out
 * of memory. */
struct eu_cache *eu_cache_create(const struct softgt_code_port *memory);

/* A run of instructions is translated after this many executions. */
enum { EU_JIT_AFTER = 64 };
/* Enables translation after `after` executions. False: there is no translator for the host or the cache's
 * level. */
bool eu_cache_enable_jit(struct eu_cache *cache, const struct softgt_code_port *memory, unsigned after);

#endif
