/*
 * Sparse bus memory for traces, programs, tests and benchmarks, which a device uses through its memory port.
 * Memory is allocated when it is written. Untouched memory reads as zero.
 */
#ifndef HOST_SPARSE_MEMORY_H
#define HOST_SPARSE_MEMORY_H

#include <softgt/softgt.h>

#include "base/state.h"

struct sparse_memory;

/* `limit_bytes`: the maximum size; writes beyond it fail. NULL: out of memory. */
struct sparse_memory *sparse_memory_create(uint64_t limit_bytes);
void sparse_memory_destroy(struct sparse_memory *m);

struct softgt_memory_port sparse_memory_port(struct sparse_memory *m);

/* False: the limit is reached, or the host is out of memory. Reads never fail. */
bool sparse_memory_write(struct sparse_memory *m, uint64_t address, const void *data, size_t size_bytes);
void sparse_memory_read(const struct sparse_memory *m, uint64_t address, void *data, size_t size_bytes);

/* Sets all memory to zero. */
void sparse_memory_clear(struct sparse_memory *m);
/* True: the contents are equal. Otherwise *address is one of the differences. */
bool sparse_memory_equal(const struct sparse_memory *a, const struct sparse_memory *b, uint64_t *address);

/* Saves or loads all that was written. Loading adds to existing contents. */
void sparse_memory_state(struct sparse_memory *m, struct state *s);

uint64_t sparse_memory_used_bytes(const struct sparse_memory *m);
/* A write was refused because of the limit. */
bool sparse_memory_full(const struct sparse_memory *m);
/* The host ran out of memory: the contents are incomplete. */
bool sparse_memory_failed(const struct sparse_memory *m);

#endif
