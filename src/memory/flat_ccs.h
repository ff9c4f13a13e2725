/*
 * Compression state: a byte for 256 of a surface, from Xe2 on for 512. That of local memory (flat CCS) is at
 * local_layout.flat_ccs in that memory itself, which no graphics address but the surface's own leads to.
 * (SYS-08) Gen12's is where the auxiliary table of an engine has it, by graphics addresses: three levels of
 * entries, of 64 GB, 16 MB and 64 KB of surfaces, each with a valid bit; they are read anew each time. (TGL
 * PRM vol 5; Mesa's aux map)
 *
 * Surfaces are stored as they are, whether compressed or not. What is drawn compressed leaves CCS_COMPRESSED
 * for the pages that it touches, what is resolved 0. Read compressed, a surface is what lies there where the
 * state is that, or 0, not compressed; of any other state, which nothing here leaves, bytes come out
 * inverted. So surface and state that are copied away and back, raw, are the same picture again, and state
 * that is spoilt spoils it. A fast clear by the 3D pipe leaves CCS_CLEARED, or half of it, for blocks whose
 * pixels are the clear color (shared_function/fast_clear.c); blits read and mark such blocks as if they were
 * not, which is reported. The values are our choice: no manual names them.
 */
#ifndef MEMORY_FLAT_CCS_H
#define MEMORY_FLAT_CCS_H

#include "memory/surface.h"

enum {
    CCS_RATIO = 256,                         /* up to Gen12.5; memory.h has the device's */
    CCS_PAGE_BYTES = PAGE_BYTES / CCS_RATIO, /* room for the state of a page, at most */
    CCS_COMPRESSED = 0x55,
    CCS_CLEARED = 0x44,
};

/* Reads or writes the state of the page of an address. Without state it is zero, and writes are dropped.
 * False after a fault (raised). */
bool ccs_load(struct mmu *u, const struct surface *s, uint64_t address, uint8_t *state);
bool ccs_store(struct mmu *u, const struct surface *s, uint64_t address, const uint8_t *state);
/* The page of an address has state. */
bool ccs_exists(struct mmu *u, const struct surface *s, uint64_t address);
/* A byte of the state of an address's page; 0 without state. Its address is looked up once in a slice:
 * changed tables take effect in the next slice. */
uint8_t ccs_state(struct mmu *u, const struct surface *s, uint64_t address, unsigned byte);
/* The state of an address's page, looked up now if this slice has not: NULL in *state where it has none.
 * False: what the lookup needs is not present. Nothing faults. */
bool ccs_find_state(struct mmu *u, const struct surface *s, uint64_t address, const uint8_t **state);
/* The same for who writes it; NULL also where the page has none. */
uint8_t *ccs_find_writable(struct mmu *u, const struct surface *s, uint64_t address);
void ccs_cache_invalidate(struct mmu *u);

/* Marks a rectangle as compressed, or as resolved (not compressed). Ends at a fault. */
void ccs_mark(struct mmu *u, const struct surface *s, const struct rectangle *r, bool compressed);
/* Some block of the page of an address is cleared. */
bool ccs_has_cleared_block(struct mmu *u, const struct surface *s, uint64_t address);
/* All pages of a rectangle can be read without decompression. */
bool ccs_is_uncompressed(struct mmu *u, const struct surface *s, const struct rectangle *r);
/* `size` bytes that were read from byte x of row y on. */
void ccs_decompress(struct mmu *u, const struct surface *s, int32_t x, int32_t y, uint8_t *bytes,
                    uint32_t size);

#endif
