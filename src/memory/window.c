/* Walks over the pages of a window. */
#include "memory/window.h"

/* A part of the window: bytes that follow each other, up to the end of a page of any size. */
struct part {
    uint64_t physical, size_bytes;
    uint8_t *host;
};

/* The TLB's translation of a page comes before that of the page tables. */
static bool cached_page(const struct mmu *u, enum space space, uint64_t address, bool writable,
                        uint64_t *physical)
{
    const uint64_t page = address / PAGE_BYTES;
    const struct tlb_translation *const known = &u->translations[tlb_index(page)];
    *physical = known->physical + address % PAGE_BYTES;
    return (writable ? known->write_tag : known->read_tag) == tlb_tag(space, page);
}

/* The end of the part: the first page from `address` on that the TLB translates differently. */
static uint64_t end_at_cached_pages(const struct mmu *u, enum space space, uint64_t address, bool writable,
                                    const struct part *p)
{
    uint64_t done = PAGE_BYTES - address % PAGE_BYTES, physical;
    while (done < p->size_bytes &&
           (!cached_page(u, space, address + done, writable, &physical) || physical == p->physical + done))
        done += PAGE_BYTES;
    return done < p->size_bytes ? done : p->size_bytes;
}

/* The part from `address` on, `size_bytes` at most. False: there is none in the host. */
static bool find_part(const struct mmu *u, struct walker *w, enum space space, uint64_t address,
                      uint64_t size_bytes, bool writable, struct part *p)
{
    struct translation t = {.page_shift = PAGE_SHIFT};
    uint64_t there = 0;
    if (!cached_page(u, space, address, writable, &t.physical) &&
        (!mmu_translate_by(u, w, space, address, &t) || (writable && !t.writable)))
        return false;
    p->physical = t.physical;
    p->size_bytes = (UINT64_C(1) << t.page_shift) - (t.physical & ((UINT64_C(1) << t.page_shift) - 1u));
    if (p->size_bytes > size_bytes)
        p->size_bytes = size_bytes;
    /* Memory of a part of a page cannot be mapped, as for the TLB. */
    const uint64_t page = t.physical & ~(uint64_t)(PAGE_BYTES - 1);
    uint8_t *const host = physical_map(u->memory, page, &there, writable);
    there &= ~(uint64_t)(PAGE_BYTES - 1);
    if (!host || there <= t.physical - page)
        return false;
    p->host = host + (t.physical - page);
    there -= t.physical - page;
    if (p->size_bytes > there)
        p->size_bytes = there;
    p->size_bytes = end_at_cached_pages(u, space, address, writable, p);
    return true;
}

bool memory_window_make(struct memory_window *w, const struct mmu *u, enum space space, uint64_t address,
                        uint64_t size_bytes, bool writable)
{
    struct walker walker = {.memory = u->memory, .function = u->function};
    return memory_window_make_by(w, u, &walker, space, address, size_bytes, writable);
}

bool memory_window_make_by(struct memory_window *w, const struct mmu *u, struct walker *walker,
                           enum space space, uint64_t address, uint64_t size_bytes, bool writable)
{
    const uint64_t last = space == SPACE_GGTT ? UINT32_MAX : u->address_mask;
    struct part p;
    *w = (struct memory_window){.base = address, .changes = u->changes, .writable = writable};
    if (address > last)
        return false;
    if (size_bytes && size_bytes - 1u > last - address)
        size_bytes = last - address + 1u;
    while (w->size_bytes < size_bytes &&
           find_part(u, walker, space, address + w->size_bytes, size_bytes - w->size_bytes, writable, &p)) {
        if (!w->size_bytes) {
            w->physical = p.physical;
            w->host = p.host;
        } else if (p.physical != w->physical + w->size_bytes || p.host != w->host + w->size_bytes) {
            break;
        }
        w->size_bytes += p.size_bytes;
    }
    return w->size_bytes != 0;
}
