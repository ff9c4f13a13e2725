#include "memory/fence.h"

#include <string.h>

void fence_set(struct memory *m, unsigned number, struct fence fence)
{
    if (number >= FENCES)
        return;
    m->fences[number] = fence;
    m->fence_count = 0;
    for (unsigned i = 0; i < FENCES; i++)
        if (m->fences[i].valid)
            m->fence_count = i + 1;
    m->last_fence = NULL;
}

/* The first fence wins, as only one may cover an address. */
static const struct fence *fence_at(struct memory *m, uint64_t address)
{
    const struct fence *near = m->last_fence;
    if (near && address - near->first <= near->last - near->first)
        return near;
    for (unsigned i = 0; i < m->fence_count; i++) {
        const struct fence *f = &m->fences[i];
        if (f->valid && f->first <= address && address <= f->last) {
            m->fence_row = m->fence_row_offset = 0;
            return m->last_fence = f;
        }
    }
    return NULL;
}

bool fence_row(struct memory *m, uint64_t address, unsigned *number, uint32_t *row)
{
    const struct fence *f = m->fence_count ? fence_at(m, address) : NULL;
    if (!f)
        return false;
    *number = (unsigned)(f - m->fences);
    *row = (uint32_t)(address - f->first) / f->pitch_bytes;
    return true;
}

/* Where a fence's byte is, and how many lie together from it on. */
static inline uint64_t detile(struct memory *m, const struct fence *f, uint64_t address, size_t *together)
{
    const struct tile_layout *t = f->tiles;
    const uint32_t offset = (uint32_t)(address - f->first);
    uint32_t x = offset - m->fence_row_offset;
    if (x >= f->pitch_bytes) {
        m->fence_row = offset / f->pitch_bytes;
        m->fence_row_offset = m->fence_row * f->pitch_bytes;
        x = offset - m->fence_row_offset;
    }
    const uint32_t run = tile_run(t, m->swizzled_aperture, x);
    if (run < *together)
        *together = run;
    return f->first + (uint64_t)tile_offset(t, m->swizzled_aperture, (int32_t)f->pitch_bytes, (int32_t)x,
                                            (int32_t)m->fence_row);
}

static inline uint64_t fence_translate(struct memory *m, uint64_t address, size_t *together)
{
    const struct fence *f = m->fence_count ? fence_at(m, address) : NULL;
    return f ? detile(m, f, address, together) : address;
}

bool aperture_load(struct mmu *u, uint64_t address, void *data, size_t size_bytes)
{
    struct memory *m = u->memory;
    bool done = true;
    for (size_t at = 0, n; at < size_bytes; at += n) {
        n = size_bytes - at;
        const uint64_t from = m->fence_count ? fence_translate(m, address + at, &n) : address;
        const uint8_t *host = mmu_cached(u, SPACE_GGTT, from, n, false);
        if (host)
            memcpy((uint8_t *)data + at, host, n);
        else
            done &= mmu_load(u, SPACE_GGTT, from, (uint8_t *)data + at, n);
    }
    return done;
}

bool aperture_store(struct mmu *u, uint64_t address, const void *data, size_t size_bytes)
{
    struct memory *m = u->memory;
    bool done = true;
    for (size_t at = 0, n; at < size_bytes; at += n) {
        n = size_bytes - at;
        const uint64_t to = m->fence_count ? fence_translate(m, address + at, &n) : address;
        uint8_t *host = mmu_cached(u, SPACE_GGTT, to, n, true);
        if (host)
            memcpy(host, (const uint8_t *)data + at, n);
        else
            done &= mmu_store(u, SPACE_GGTT, to, (const uint8_t *)data + at, n);
    }
    return done;
}
