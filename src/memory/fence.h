/*
 * Fences: ranges of the aperture through which the CPU sees tiled surfaces as linear ones. (REN-27)
 */
#ifndef MEMORY_FENCE_H
#define MEMORY_FENCE_H

#include "memory/memory.h"
#include "memory/tiling.h"

/* Out of range: no fence. */
void fence_set(struct memory *m, unsigned number, struct fence fence);

/* The fence that covers an address of the aperture, and the row of it. */
bool fence_row(struct memory *m, uint64_t address, unsigned *number, uint32_t *row);

/* The CPU's access to the aperture, through GGTT and fences. False after a fault (raised); what could not be
 * read is zero. */
bool aperture_load(struct mmu *u, uint64_t address, void *data, size_t size_bytes);
bool aperture_store(struct mmu *u, uint64_t address, const void *data, size_t size_bytes);

#endif
