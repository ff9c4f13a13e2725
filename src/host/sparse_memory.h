/*
 * Bus memory that exists where it is written: what traces, programs, tests and benchmarks give a device
 * through its memory port. Reads of untouched memory give zeros and take no room.
 */
#ifndef HOST_SPARSE_MEMORY_H
#define HOST_SPARSE_MEMORY_H

#include <softgt/softgt.h>

#include "base/state.h"

struct sparse_memory;

/* `limit_bytes`: what it may hold at most; writes beyond that fail. NULL when out of memory. */
struct sparse_memory *sparse_memory_create(uint64_t limit_bytes);
void sparse_memory_destroy(struct sparse_memory *m);

struct softgt_memory_port sparse_memory_port(struct sparse_memory *m);

/* False when the limit or the host's memory is reached. Reads never fail. */
bool sparse_memory_write(struct sparse_memory *m, uint64_t address, const void *data, size_t size_bytes);
void sparse_memory_read(const struct sparse_memory *m, uint64_t address, void *data, size_t size_bytes);

/* Everything is zero again. */
void sparse_memory_clear(struct sparse_memory *m);
/* Whether both hold the same; else *address is where they differ, in no order. */
bool sparse_memory_equal(const struct sparse_memory *a, const struct sparse_memory *b, uint64_t *address);

/* All that was written. Loading adds to what is there. */
void sparse_memory_state(struct sparse_memory *m, struct state *s);

uint64_t sparse_memory_used_bytes(const struct sparse_memory *m);
/* True once a write was refused for the limit. */
bool sparse_memory_full(const struct sparse_memory *m);
/* True once the host had no memory: what was written is not all there. */
bool sparse_memory_failed(const struct sparse_memory *m);

#endif
