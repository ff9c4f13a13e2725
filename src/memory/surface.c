#include "memory/surface.h"
#include "memory/surface_runs.h"

#include <wchar.h>

void fill_pixels(uint8_t *to, uint32_t color, uint32_t bytes, uint32_t size)
{
    const uint32_t both = bytes == 1   ? (color & 0xffu) * 0x01010101u
                          : bytes == 2 ? (color & 0xffffu) * 0x00010001u
                                       : color;
    if (both == (both & 0xffu) * 0x01010101u) {
        memset(to, (int)both, size);
        return;
    }
    wmemset((wchar_t *)(void *)to, (wchar_t)both, size / 4u);
    if (size % 4u)
        memcpy(to + (size & ~3u), &both, size % 4u);
}

void surface_load(struct mmu *u, const struct surface *s, int32_t x, int32_t y, void *to, uint32_t size)
{
    uint8_t *at = to;
    const uint8_t *whole = s->tiles ? NULL : mmu_cached(u, s->space, surface_address(s, x, y), size, false);
    if (__builtin_expect(whole != NULL, 1)) {
        short_copy(at, whole, size);
        return;
    }
    for (uint32_t n; size; size -= n, x += (int32_t)n, at += n) {
        const uint64_t address = surface_address(s, x, y);
        n = surface_run(s, x, address, size);
        const uint8_t *host = mmu_cached(u, s->space, address, n, false);
        if (__builtin_expect(host != NULL, 1))
            short_copy(at, host, n);
        else
            mmu_load(u, s->space, address, at, n);
    }
}

void surface_store(struct mmu *u, const struct surface *s, int32_t x, int32_t y, const void *from,
                   uint32_t size)
{
    const uint8_t *at = from;
    for (uint32_t n; size; size -= n, x += (int32_t)n, at += n) {
        const uint64_t address = surface_address(s, x, y);
        n = surface_run(s, x, address, size);
        uint8_t *host = mmu_cached(u, s->space, address, n, true);
        if (__builtin_expect(host != NULL, 1))
            short_copy(host, at, n);
        else
            mmu_store(u, s->space, address, at, n);
    }
}

uint8_t *host_run(struct mmu *u, enum space space, uint64_t address, bool write, uint32_t want,
                  uint32_t *size)
{
    uint8_t *start = mmu_host(u, space, address, write);
    uint64_t n = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES), more = 0;
    for (; start && n < want; n += more)
        if (mmu_host_run(u, space, address + n, write, &more) != start + n)
            break;
    *size = n < want ? (uint32_t)n : want;
    return start;
}

/* `size` bytes of a linear row, from byte x of row y on. */
static void fill_line(struct mmu *u, const struct surface *s, int32_t x, int32_t y, uint64_t size,
                      uint32_t color, uint32_t bytes)
{
    const uint64_t faults = u->faults, start = surface_address(s, x, y);
    uint32_t n;
    for (uint64_t at = 0; at < size && u->faults == faults; at += n) {
        const uint64_t left = size - at;
        uint8_t *to =
            host_run(u, s->space, start + at, true, left < UINT32_MAX ? (uint32_t)left : 1u << 31, &n);
        if (to) {
            fill_pixels(to, color, bytes, n);
        } else if (u->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            fill_pixels(buffer, color, bytes, n);
            mmu_store(u, s->space, start + at, buffer, n);
        }
    }
}

static void copy_line(struct mmu *u, const struct surface_copy *c, int32_t x, int32_t y, uint64_t size)
{
    const uint64_t faults = u->faults, start = surface_address(&c->to, x, y),
                   from_start = surface_address(&c->from, x + c->offset_x, y + c->offset_y);
    uint32_t n;
    for (uint64_t at = 0; at < size && u->faults == faults; at += n) {
        const uint64_t left = size - at;
        const uint8_t *from = host_run(u, c->from.space, from_start + at, false,
                                       left < UINT32_MAX ? (uint32_t)left : 1u << 31, &n);
        uint8_t *to = from ? host_run(u, c->to.space, start + at, true, n, &n) : NULL;
        if (from && to) {
            run_copy(to, from, n, c->bypasses_cache);
        } else if (u->faults == faults) {
            uint8_t buffer[PAGE_BYTES];
            n = n < PAGE_BYTES ? n : PAGE_BYTES;
            mmu_load(u, c->from.space, from_start + at, buffer, n);
            if (u->faults == faults)
                mmu_store(u, c->to.space, start + at, buffer, n);
        }
    }
}

void copy_runs(struct mmu *u, const struct surface_copy *c, int32_t x, int32_t y, uint32_t size)
{
    const uint64_t faults = u->faults;
    for (uint32_t at = 0, n; at < size && u->faults == faults; at += n, x += (int32_t)n) {
        const uint64_t address = surface_address(&c->to, x, y),
                       source = surface_address(&c->from, x + c->offset_x, y + c->offset_y);
        n = surface_run(&c->from, x + c->offset_x, source, surface_run(&c->to, x, address, size - at));
        uint8_t buffer[PAGE_BYTES];
        mmu_load(u, c->from.space, source, buffer, n);
        if (u->faults == faults)
            mmu_store(u, c->to.space, address, buffer, n);
    }
}

/* The addresses that a rectangle touches, roughly. */
static void reach(const struct surface *s, int64_t x1, int64_t x2, int64_t y1, int64_t y2, int64_t *low,
                  int64_t *high)
{
    if (s->tiles) {
        y1 &= -(INT64_C(1) << s->tiles->height_shift);
        y2 = (y2 | ((1 << s->tiles->height_shift) - 1)) + 1;
        x1 &= -(INT64_C(1) << s->tiles->width_shift);
        x1 *= INT64_C(1) << s->tiles->height_shift;
        x2 = (x2 | ((1 << s->tiles->width_shift) - 1)) + 1;
        x2 *= INT64_C(1) << s->tiles->height_shift;
    }
    const int64_t deep = s->tiles ? INT64_C(1) << s->tiles->depth_shift : 1;
    const int64_t first = y1 * s->pitch_bytes * deep, last = y2 * s->pitch_bytes * deep;
    x1 *= deep;
    x2 *= deep;
    *low = (int64_t)s->base + (first < last ? first : last) + x1;
    *high = (int64_t)s->base + (first < last ? last : first) + x2;
}

bool surfaces_are_disjoint(const struct surface_copy *c, const struct rectangle *r)
{
    int64_t low, high, from_low, from_high;
    if (c->to.space != c->from.space)
        return false;
    reach(&c->to, r->x1, r->x2, r->y1, r->y2, &low, &high);
    reach(&c->from, r->x1 + c->offset_x, r->x2 + c->offset_x, r->y1 + c->offset_y, r->y2 + c->offset_y,
          &from_low, &from_high);
    return high <= from_low || from_high <= low;
}

/* Rows without a gap are one. */
static bool gapless(const struct surface *s, const struct rectangle *r)
{
    return s->pitch_bytes == r->x2 - r->x1;
}

/* Tiles that surface_tiles.c does not know: those of volumes, and those that begin within a page. */
static bool goes_by_runs(const struct surface *s)
{
    return s->tiles && (s->tiles->z_bits || s->base % PAGE_BYTES != 0);
}

static void fill_runs(struct mmu *u, const struct surface *s, const struct rectangle *r, uint32_t color,
                      uint32_t bytes)
{
    const uint64_t faults = u->faults;
    uint8_t row[PAGE_BYTES];
    fill_pixels(row, color, bytes, sizeof row);
    for (int32_t y = r->y1; y < r->y2; y++)
        for (int32_t x = r->x1, n; x < r->x2 && u->faults == faults; x += n) {
            n = r->x2 - x < PAGE_BYTES ? r->x2 - x : PAGE_BYTES;
            surface_store(u, s, x, y, row, (uint32_t)n);
        }
}

void surface_fill(struct mmu *u, const struct surface *s, const struct rectangle *r, uint32_t color,
                  uint32_t bytes_per_pixel)
{
    if (goes_by_runs(s)) {
        fill_runs(u, s, r, color, bytes_per_pixel);
        return;
    }
    if (s->tiles) {
        tiles_fill(u, s, r, color, bytes_per_pixel);
        return;
    }
    const uint64_t faults = u->faults, size = (uint64_t)(r->x2 - r->x1);
    if (gapless(s, r))
        fill_line(u, s, r->x1, r->y1, size * (uint64_t)(r->y2 - r->y1), color, bytes_per_pixel);
    else
        for (int32_t y = r->y1; y < r->y2 && u->faults == faults; y++) {
            uint8_t *to = mmu_cached(u, s->space, surface_address(s, r->x1, y), size, true);
            if (to)
                fill_pixels(to, color, bytes_per_pixel, (uint32_t)size);
            else
                fill_line(u, s, r->x1, y, size, color, bytes_per_pixel);
        }
}

void surface_copy(struct mmu *u, const struct surface_copy *c, const struct rectangle *r)
{
    if (goes_by_runs(&c->to) || goes_by_runs(&c->from)) {
        const uint64_t faults = u->faults;
        for (int32_t y = r->y1; y < r->y2 && u->faults == faults; y++)
            copy_runs(u, c, r->x1, y, (uint32_t)(r->x2 - r->x1));
    } else if (c->to.tiles || c->from.tiles) {
        tiles_copy(u, c, r);
    } else {
        const uint64_t faults = u->faults, size = (uint64_t)(r->x2 - r->x1);
        if (gapless(&c->to, r) && gapless(&c->from, r))
            copy_line(u, c, r->x1, r->y1, size * (uint64_t)(r->y2 - r->y1));
        else
            for (int32_t y = r->y1; y < r->y2 && u->faults == faults; y++) {
                const uint8_t *from =
                    mmu_cached(u, c->from.space,
                               surface_address(&c->from, r->x1 + c->offset_x, y + c->offset_y), size, false);
                uint8_t *to = mmu_cached(u, c->to.space, surface_address(&c->to, r->x1, y), size, true);
                if (from && to)
                    run_copy(to, from, (uint32_t)size, c->bypasses_cache);
                else
                    copy_line(u, c, r->x1, y, size);
            }
    }
    if (c->bypasses_cache)
        past_caches_end();
}
