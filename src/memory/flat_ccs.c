#include "memory/flat_ccs.h"

/* Where the state of a page lies; 0: it has none. */
static uint64_t state_address(const struct memory *m, uint64_t physical)
{
    const uint64_t at = (physical & ~MEMORY_LOCAL) / PAGE_BYTES * PAGE_BYTES;
    if (!(physical & MEMORY_LOCAL) || m->local_on_bus || at >= m->local_bytes)
        return 0;
    return MEMORY_LOCAL | (local_ccs(m, at));
}

static uint32_t page_state_bytes(const struct mmu *u)
{
    return PAGE_BYTES / ccs_ratio(u->memory);
}

static uint64_t bits(uint64_t value, unsigned first, unsigned last)
{
    return value >> first & ((UINT64_C(2) << (last - first)) - 1u);
}

/* The page of an address in the host, which enters the TLB; NULL instead of a fault. */
static uint8_t *find_page(struct mmu *u, enum space space, uint64_t address, bool write)
{
    struct translation t;
    if (!mmu_translate_by(u, &u->walker, space, address, &t) || (write && !t.writable))
        return NULL;
    return mmu_host(u, space, address, write);
}

static uint8_t *find_bytes(struct mmu *u, enum space space, uint64_t address, uint64_t bytes, bool write)
{
    uint8_t *const host = mmu_cached(u, space, address, bytes, write);
    return host || address % PAGE_BYTES + bytes > PAGE_BYTES ? host : find_page(u, space, address, write);
}

/* Loads an entry of a table. False: a fault; or with `quiet`, which raises none, it is not present. */
static bool load_entry(struct mmu *u, enum space space, uint64_t address, bool quiet, uint64_t *entry)
{
    const uint8_t *const host = quiet ? find_bytes(u, space, address, sizeof *entry, false) : NULL;
    if (!host)
        return !quiet && mmu_load(u, space, address, entry, sizeof *entry);
    memcpy(entry, host, sizeof *entry);
    return true;
}

/* The same in the surface's space. False after a fault (raised), or as load_entry. */
static bool table_address(struct mmu *u, const struct surface *s, uint64_t address, bool quiet,
                          uint64_t *state)
{
    static const struct {
        uint8_t first, last, entry_first; /* bits of the index; lowest bit of the address in an entry */
    } levels[] = {{36, 47, 15}, {24, 35, 13}, {16, 23, 8}};
    const enum space space = (enum space)s->space;
    address = mmu_address(u, space, address);
    uint64_t at = s->aux_table;
    *state = 0;
    for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        const uint64_t index = bits(address, levels[i].first, levels[i].last);
        uint64_t entry;
        if (!load_entry(u, space, at + index * sizeof entry, quiet, &entry))
            return false;
        if (!(entry & 1))
            return true;
        at = bits(entry, levels[i].entry_first, 47) << levels[i].entry_first;
    }
    *state = at + bits(address, 12, 15) * CCS_PAGE_BYTES;
    return true;
}

/* Where the state of an address's page lies: in the surface's space, or in local memory. 0: it has none.
 * False after a fault (raised). */
static bool find_state(struct mmu *u, const struct surface *s, uint64_t address, bool write, uint64_t *at)
{
    if (s->aux_table)
        return table_address(u, s, address, false, at);
    if (!mmu_physical(u, (enum space)s->space, address, write, at))
        return false;
    *at = state_address(u->memory, *at);
    return true;
}

bool ccs_load(struct mmu *u, const struct surface *s, uint64_t address, uint8_t *state)
{
    uint64_t at;
    memset(state, 0, CCS_PAGE_BYTES);
    if (!find_state(u, s, address, false, &at))
        return false;
    const uint32_t bytes = page_state_bytes(u);
    return !at || (s->aux_table ? mmu_load(u, (enum space)s->space, at, state, bytes)
                                : bus_read(u->memory, at, state, bytes));
}

bool ccs_store(struct mmu *u, const struct surface *s, uint64_t address, const uint8_t *state)
{
    uint64_t at;
    if (!find_state(u, s, address, true, &at))
        return false;
    const uint32_t bytes = page_state_bytes(u);
    return !at || (s->aux_table ? mmu_store(u, (enum space)s->space, at, state, bytes)
                                : bus_write(u->memory, at, state, bytes));
}

bool ccs_exists(struct mmu *u, const struct surface *s, uint64_t address)
{
    uint64_t at;
    return find_state(u, s, address, false, &at) && at;
}

/* The host's bytes of a page's state; false: it has some, which cannot be mapped, or a fault was raised. */
static bool find_host(struct mmu *u, const struct surface *s, uint64_t address, const uint8_t **state)
{
    uint64_t at, there = CCS_PAGE_BYTES;
    *state = NULL;
    if (!find_state(u, s, address, false, &at))
        return false;
    if (at)
        *state = s->aux_table ? mmu_host(u, (enum space)s->space, at, false)
                              : physical_map(u->memory, at, &there, false);
    return !at || (*state && there >= page_state_bytes(u));
}

uint8_t ccs_state(struct mmu *u, const struct surface *s, uint64_t address, unsigned byte)
{
    const uint64_t tag = address / PAGE_BYTES << 1 | 1u;
    struct ccs_page *const page = &u->ccs[address / PAGE_BYTES % CCS_PAGES];
    if (__builtin_expect(page->tag != tag, 0)) {
        uint8_t state[CCS_PAGE_BYTES];
        const uint8_t *host;
        if (!find_host(u, s, address, &host))
            return ccs_load(u, s, address, state) ? state[byte] : 0;
        *page = (struct ccs_page){.tag = tag, .state = host};
    }
    return page->state ? page->state[byte] : 0;
}

void ccs_cache_invalidate(struct mmu *u)
{
    memset(u->ccs, 0, sizeof u->ccs);
}

bool ccs_find_state(struct mmu *u, const struct surface *s, uint64_t address, const uint8_t **state)
{
    const uint64_t tag = address / PAGE_BYTES << 1 | 1u;
    struct ccs_page *const page = &u->ccs[address / PAGE_BYTES % CCS_PAGES];
    uint64_t at = 0, there = CCS_PAGE_BYTES;
    if (page->tag == tag) {
        *state = page->state;
        return true;
    }
    *state = NULL;
    if (s->aux_table ? !table_address(u, s, address, true, &at)
                     : !mmu_cached(u, (enum space)s->space, address, 1, false) ||
                           !find_state(u, s, address, false, &at))
        return false;
    if (at)
        *state = s->aux_table ? find_bytes(u, (enum space)s->space, at, page_state_bytes(u), false)
                              : physical_map(u->memory, at, &there, false);
    if (at && (!*state || there < page_state_bytes(u)))
        return false;
    *page = (struct ccs_page){.tag = tag, .state = *state};
    return true;
}

uint8_t *ccs_find_writable(struct mmu *u, const struct surface *s, uint64_t address)
{
    struct ccs_page *const page = &u->ccs[address / PAGE_BYTES % CCS_PAGES];
    const bool is_known = page->tag == (address / PAGE_BYTES << 1 | 1u);
    uint64_t at, there = CCS_PAGE_BYTES;
    if (is_known && page->writable)
        return page->writable;
    if (s->aux_table
            ? !table_address(u, s, address, true, &at)
            : !mmu_cached(u, (enum space)s->space, address, 1, true) || !find_state(u, s, address, true, &at))
        return NULL;
    if (!at)
        return NULL;
    uint8_t *const state = s->aux_table ? find_bytes(u, (enum space)s->space, at, page_state_bytes(u), true)
                                        : physical_map(u->memory, at, &there, true);
    if (!state || there < page_state_bytes(u))
        return NULL;
    if (page->tag == (address / PAGE_BYTES << 1 | 1u) && page->state == state)
        page->writable = state;
    return state;
}

/* By halves. */
static bool is_cleared(uint8_t state)
{
    enum { HALF = 15 };
    return (state & HALF) == (CCS_CLEARED & HALF) || (state & ~HALF) == (CCS_CLEARED & ~HALF);
}

static bool is_sound(uint8_t state)
{
    return state == 0 || state == CCS_COMPRESSED || is_cleared(state);
}

static bool mark_compressed(struct mmu *u, const struct surface *s, uint64_t address)
{
    uint8_t state[CCS_PAGE_BYTES];
    memset(state, CCS_COMPRESSED, sizeof state);
    return ccs_store(u, s, address, state);
}

static bool mark_resolved(struct mmu *u, const struct surface *s, uint64_t address)
{
    static const uint8_t state[CCS_PAGE_BYTES];
    return ccs_store(u, s, address, state);
}

static bool page_is_sound(struct mmu *u, const struct surface *s, uint64_t address)
{
    uint8_t state[CCS_PAGE_BYTES];
    bool sound = ccs_load(u, s, address, state);
    for (unsigned i = 0; i < page_state_bytes(u); i++)
        sound = sound && is_sound(state[i]);
    return sound;
}

/* Each page of a rectangle, until `visit` says false; pages of rows that follow each other once. */
static bool visit_pages(struct mmu *u, const struct surface *s, const struct rectangle *r,
                        bool (*visit)(struct mmu *u, const struct surface *s, uint64_t address))
{
    if (s->tiles) {
        const int32_t width = 1 << __builtin_popcount(s->tiles->x_bits & (PAGE_BYTES - 1)),
                      height = 1 << __builtin_popcount(s->tiles->y_bits & (PAGE_BYTES - 1));
        for (int32_t y = r->y1 & -height; y < r->y2; y += height)
            for (int32_t x = r->x1 & -width; x < r->x2; x += width)
                if (!visit(u, s, surface_address(s, x, y) & ~(uint64_t)(PAGE_BYTES - 1)))
                    return false;
        return true;
    }
    uint64_t last = 1;
    for (int32_t y = r->y1; y < r->y2; y++) {
        const uint64_t end = surface_address(s, r->x2, y);
        uint64_t at = surface_address(s, r->x1, y) & ~(uint64_t)(PAGE_BYTES - 1);
        for (at = at == last ? at + PAGE_BYTES : at; at < end; at += PAGE_BYTES) {
            if (!visit(u, s, at))
                return false;
            last = at;
        }
    }
    return true;
}

void ccs_mark(struct mmu *u, const struct surface *s, const struct rectangle *r, bool compressed)
{
    visit_pages(u, s, r, compressed ? mark_compressed : mark_resolved);
}

bool ccs_is_uncompressed(struct mmu *u, const struct surface *s, const struct rectangle *r)
{
    return visit_pages(u, s, r, page_is_sound);
}

bool ccs_has_cleared_block(struct mmu *u, const struct surface *s, uint64_t address)
{
    uint8_t state[CCS_PAGE_BYTES];
    bool cleared = false;
    const bool there = ccs_load(u, s, address, state);
    for (unsigned i = 0; there && i < page_state_bytes(u); i++)
        cleared |= is_cleared(state[i]);
    return cleared;
}

void ccs_decompress(struct mmu *u, const struct surface *s, int32_t x, int32_t y, uint8_t *bytes,
                    uint32_t size)
{
    const uint32_t ratio = ccs_ratio(u->memory);
    uint8_t state[CCS_PAGE_BYTES];
    for (uint32_t at = 0, n; at < size; at += n) {
        const uint64_t address = surface_address(s, x + (int32_t)at, y);
        const uint32_t in_block = ratio - (uint32_t)(address % ratio);
        n = surface_run(s, x + (int32_t)at, address, size - at);
        n = n < in_block ? n : in_block;
        if (!ccs_load(u, s, address, state))
            return;
        for (uint32_t i = 0; i < n && !is_sound(state[address % PAGE_BYTES / ratio]); i++)
            bytes[at + i] = (uint8_t)~bytes[at + i];
    }
}
